//! The proxy on loopback: it loses nothing, delays nothing, and ignores garbage.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail")]

mod common;

use common::{CONNECT, acknowledgement, challenge, client, echo, enter, packet};
use moviola_net::Direction;
use moviola_net::proxy::{Captured, Handle, Proxy, Settings};
use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

const TIMEOUT: Duration = Duration::from_secs(5);
/// The most time that the proxy may add to 99 of 100 packets.
const MOST_DELAY: Duration = Duration::from_micros(300);

type Running = (SocketAddr, Handle, Receiver<Captured>, thread::JoinHandle<()>);

fn proxy(clients: usize) -> Running {
    proxy_to(echo(), clients)
}

fn proxy_to(server: SocketAddr, clients: usize) -> Running {
    let (copies, captured) = sync_channel(1 << 16);
    let listen = "127.0.0.1:0".parse().unwrap();
    let proxy = Proxy::bind(Settings { listen, server, clients }, copies).unwrap();
    let (address, handle) = (proxy.address().unwrap(), proxy.handle());
    (address, handle, captured, thread::spawn(move || proxy.run().unwrap()))
}

fn until_over(captured: &Receiver<Captured>) -> impl Iterator<Item = Captured> {
    captured.iter().take_while(|it| !matches!(it, Captured::Over))
}

/// Sixteen clients send 72 packets a second each. The time limit is wide, because a test's machine may be
/// busy.
#[test]
fn sixteen_clients_lose_nothing() {
    const PACKETS: u32 = 144;
    let (address, handle, captured, running) = proxy(16);
    let players: Vec<_> = (0..16)
        .map(|_| {
            thread::spawn(move || {
                let (socket, mut buffer, mut times) = (client(address, TIMEOUT), [0; 2048], Vec::new());
                enter(&socket);
                let began = Instant::now();
                for number in 0..PACKETS {
                    let due = Duration::from_secs_f64(f64::from(number) / 72.0);
                    thread::sleep(due.saturating_sub(began.elapsed()));
                    let sent = Instant::now();
                    socket.send(&packet(number)).unwrap();
                    let length = socket.recv(&mut buffer).unwrap();
                    assert_eq!(&buffer[..length], packet(number));
                    times.push(sent.elapsed());
                }
                times
            })
        })
        .collect();
    let mut times: Vec<Duration> = players.into_iter().flat_map(|player| player.join().unwrap()).collect();
    handle.stop();
    running.join().unwrap();
    times.sort();
    let late = times[times.len() * 99 / 100];
    println!("there and back, with the echo: median {:?}, 99 of 100 within {late:?}", times[times.len() / 2]);
    assert!(late < Duration::from_millis(100), "{late:?}");
    assert_eq!(handle.lost(), 0);
    let passed = until_over(&captured)
        .filter(|it| matches!(it, Captured::Datagram { direction: Direction::Down, .. }))
        .count();
    assert_eq!(passed, 16 * (PACKETS as usize + 2));
}

/// Two servers have a port each, and their clients are recorded by one thread.
#[test]
fn several_servers_share_a_recorder() {
    let (copies, captured) = sync_channel(1 << 10);
    let settings = || Settings { listen: "127.0.0.1:0".parse().unwrap(), server: echo(), clients: 2 };
    let first = Proxy::bind(settings(), copies).unwrap();
    let second = first.beside(settings()).unwrap();
    let (handle, addresses) = (first.handle(), [&first, &second].map(|it| it.address().unwrap()));
    let running = [first, second].map(|proxy| thread::spawn(move || proxy.run().unwrap()));
    for address in addresses {
        let (socket, mut buffer) = (client(address, TIMEOUT), [0; 2048]);
        enter(&socket);
        socket.send(&packet(7)).unwrap();
        assert_eq!(socket.recv(&mut buffer).unwrap(), packet(7).len());
    }
    handle.stop();
    for proxy in running {
        proxy.join().unwrap();
    }
    let all: Vec<Captured> = until_over(&captured).collect();
    let sent_up = |number| {
        let is_of = |it: &&Captured| matches!(it, Captured::Datagram { client, direction: Direction::Up, .. } if *client == number);
        all.iter().filter(is_of).count()
    };
    assert_eq!([sent_up(1), sent_up(2), sent_up(3)], [3, 3, 0]);
    let gone = all.iter().filter(|it| matches!(it, Captured::Gone { .. })).count();
    assert_eq!(gone, 2, "each client is said to be gone before the end");
}

/// A server that gives each address the number 1234, as Quake II's do, and sends everything else back.
fn challenging() -> SocketAddr {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let asks = buffer[4..length].starts_with(b"getchallenge");
            let answer = if asks { &b"\xff\xff\xff\xffchallenge 1234"[..] } else { &buffer[..length] };
            let _ = socket.send_to(answer, from);
        }
    });
    address
}

/// A sender with a forged address cannot make a server send anything to that address: neither the beginning of a Quake
/// game, which servers send without a proof of the address, nor a Quake II game, even with the number that the server
/// has given to the proxy.
#[test]
fn nothing_is_played_to_a_forged_address() {
    let (address, handle, _captured, running) = proxy_to(challenging(), 4);
    let (own, victim) = (client(address, TIMEOUT), client(address, Duration::from_millis(300)));
    let (number, mut buffer) = (challenge(&own), [0; 2048]);
    assert_ne!(number, "1234");
    let mut forge = |sent: &[&[u8]]| {
        for datagram in sent {
            victim.send(datagram).unwrap();
        }
        std::iter::from_fn(|| victim.recv(&mut buffer).ok().map(|length| buffer[..length].to_vec())).collect()
    };
    // The forger can know its own number and the server's, but not the number of the victim's address.
    for number in [&number[..], "1234"] {
        let request = [&[0xff; 4], format!("connect 34 9 {number} \"\"\n").as_bytes()].concat();
        let play = [&1_u32.to_le_bytes()[..], &[0; 4], &[9, 0], b"\x04new\0"].concat();
        let answers: Vec<Vec<u8>> = forge(&[b"\xff\xff\xff\xffgetchallenge\n", &request, &play]);
        assert_eq!(answers.len(), 1, "only the answer to the first question: {answers:?}");
    }
    // The client gets the answer to its request, and one empty packet that asks for an acknowledgement.
    let acknowledged = [&[0, 2, 0, 8], &7_u32.to_be_bytes()[..]].concat();
    let mut sent = vec![CONNECT.to_vec(), packet(0), acknowledged];
    sent.extend((1..40).map(packet));
    let answers: Vec<Vec<u8>> = forge(&sent.iter().map(|it| &it[..]).collect::<Vec<_>>());
    assert_eq!((answers[0].as_slice(), answers.len()), (CONNECT, 2), "{answers:?}");
    assert_eq!(answers[1].len(), 8);
    handle.stop();
    running.join().unwrap();
}

/// Forwards datagrams and does nothing else: its delay is the least that is possible on this machine.
fn relay(server: SocketAddr) -> SocketAddr {
    let [near, far] = [(); 2].map(|()| Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap()));
    far.connect(server).unwrap();
    let (address, client) = (near.local_addr().unwrap(), Arc::new(OnceLock::new()));
    let (back, forth, from) = (Arc::clone(&near), Arc::clone(&far), Arc::clone(&client));
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((length, sender)) = near.recv_from(&mut buffer) {
            client.get_or_init(|| sender);
            let _ = forth.send(&buffer[..length]);
        }
    });
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok(length) = far.recv(&mut buffer) {
            let _ = back.send_to(&buffer[..length], *from.get().unwrap());
        }
    });
    address
}

/// The median of times, and the time within which 99 of 100 are.
type Delay = [Duration; 2];

/// Sends the same packets directly to an echo server, through a bare relay, and through the proxy. The three take
/// turns, so that the load of the machine is the same for all.
fn measured() -> [Delay; 3] {
    const PACKETS: u32 = 1500;
    let (address, handle, captured, running) = proxy(1);
    let writing = thread::spawn(move || until_over(&captured).count());
    let ways = [echo(), relay(echo()), address].map(|to| client(to, TIMEOUT));
    enter(&ways[2]);
    let mut times = [const { Vec::new() }; 3];
    for number in 0..PACKETS {
        for (socket, times) in ways.iter().zip(&mut times) {
            thread::sleep(Duration::from_millis(2));
            let (sent, mut buffer) = (Instant::now(), [0; 2048]);
            socket.send(&packet(number)).unwrap();
            socket.recv(&mut buffer).unwrap();
            times.push(sent.elapsed());
        }
    }
    handle.stop();
    running.join().unwrap();
    writing.join().unwrap();
    times.map(|mut times| {
        times.sort();
        [times[times.len() / 2], times[times.len() * 99 / 100]]
    })
}

/// The delay that the proxy adds each way: of all packets of a run 99 of 100 have less than 0.3 ms. On a busy machine
/// programs sometimes have to wait longer than that, so one good run of three is enough: a slow proxy would be slow in
/// each. If even a bare relay is slower, the output says so, and the medians are compared.
#[test]
fn forwarding_takes_little_time() {
    let added = |to: Delay, from: Delay| [0, 1].map(|at| to[at].saturating_sub(from[at]) / 2);
    for _ in 0..3 {
        let [direct, bare, passing] = measured();
        let [[median, late], [_, machine]] = [added(passing, direct), added(bare, direct)];
        println!("added each way: median {median:?}, 99 of 100 within {late:?}; a bare relay: {machine:?}");
        if late < MOST_DELAY {
            return;
        }
        if machine >= MOST_DELAY / 3 && added(passing, bare)[0] < MOST_DELAY {
            println!("NOT CHECKED: 99 of 100 packets, because the machine has more to do than it can");
            return;
        }
    }
    panic!("the proxy was slow in all runs");
}

/// The user info tells a server that a client plays through a proxy. Everything else is forwarded unchanged.
#[test]
fn the_proxy_announces_itself() {
    let (address, handle, _captured, running) = proxy_to(challenging(), 4);
    let (socket, mut buffer) = (client(address, TIMEOUT), [0; 2048]);
    let number = challenge(&socket);
    let mut passed = |text: &str| {
        let text = text.replace("1234", &number);
        socket.send(&[b"\xff\xff\xff\xff", text.as_bytes()].concat()).unwrap();
        let length = socket.recv(&mut buffer).unwrap();
        String::from_utf8_lossy(&buffer[4..length]).into_owned()
    };
    // The server gets the number back that it gave.
    let request = "connect 28 9 1234 \"\\name\\me\"\n0x58455446 0x7\n";
    let announced = "connect 28 9 1234 \"\\name\\me\\proxy\\moviola\"\n0x58455446 0x7\n";
    assert_eq!(passed(request), announced);
    // The client is behind another such proxy, or its user info has no room for another key.
    let full = format!("connect 34 9 1234 \"\\name\\{}\"\n", "m".repeat(500));
    for text in [announced, &full] {
        assert_eq!(passed(text), text);
    }
    // When a setting changes, a client of Quake II sends its user info again, after other reliable messages.
    assert_eq!(passed("client_connect"), "client_connect");
    let packet = |info: &str| {
        [&[1, 0, 0, 0x80, 0, 0, 0, 0, 9, 0], format!("\x04say hi\0\x03{info}\0").as_bytes()].concat()
    };
    socket.send(&packet("\\name\\you")).unwrap();
    let length = socket.recv(&mut buffer).unwrap();
    assert_eq!(&buffer[..length], packet("\\name\\you\\proxy\\moviola"));
    handle.stop();
    running.join().unwrap();
}

/// Addresses that ask for a connection and never play keep nobody out.
#[test]
fn requests_without_a_game_take_no_place() {
    let (address, handle, captured, running) = proxy(2);
    // Only the last of them plays. The server answers the others, but they send nothing more.
    for _ in 0..30 {
        client(address, TIMEOUT).send(CONNECT).unwrap();
        thread::sleep(Duration::from_millis(60));
    }
    enter(&client(address, TIMEOUT));
    let gone = captured.try_iter().filter(|it| matches!(it, Captured::Gone { .. })).count();
    assert!(gone >= 14, "{gone} of 30 forgotten");
    handle.stop();
    running.join().unwrap();
}

/// Some servers, such as QuakeSpasm's, send the first packet. Such a packet must not make a game out of a request with
/// a forged address.
#[test]
fn a_server_that_speaks_first_fills_no_place() {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let (listen, to) = ("127.0.0.1:0".parse().unwrap(), server.local_addr().unwrap());
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((length, from)) = server.recv_from(&mut buffer) {
            if buffer[..length] == *CONNECT {
                let accept = [b"\x80\0\0\x09\x81", &u32::from(to.port()).to_le_bytes()[..]].concat();
                server.send_to(&accept, from).unwrap();
            }
            server.send_to(&packet(0), from).unwrap();
        }
    });
    let (copies, captured) = sync_channel(1 << 12);
    let proxy = Proxy::bind(Settings { listen, server: to, clients: 2 }, copies).unwrap();
    let (address, handle) = (proxy.address().unwrap(), proxy.handle());
    let running = thread::spawn(move || proxy.run().unwrap());
    let forged: Vec<_> = (0..20).map(|_| client(address, TIMEOUT)).collect();
    for socket in &forged {
        socket.send(CONNECT).unwrap();
        thread::sleep(Duration::from_millis(60));
    }
    let (player, mut buffer) = (client(address, TIMEOUT), [0; 2048]);
    player.send(CONNECT).unwrap();
    for _ in 0..2 {
        player.recv(&mut buffer).expect("there is room for a player");
    }
    player.send(&acknowledgement(&buffer)).unwrap();
    let length = player.recv(&mut buffer).unwrap();
    assert_eq!(&buffer[..length], packet(0), "what the server has said first");
    player.send(&packet(1)).unwrap();
    player.recv(&mut buffer).unwrap();
    handle.stop();
    running.join().unwrap();
    drop(captured);
}

/// A `ProQuake` client changes its port if the server is `ProQuake` too, and the server then answers to the new port.
#[test]
fn a_client_of_proquake_changes_its_port() {
    let server = UdpSocket::bind("127.0.0.1:0").unwrap();
    let to = server.local_addr().unwrap();
    thread::spawn(move || {
        let mut buffer = [0; 2048];
        while let Ok((length, from)) = server.recv_from(&mut buffer) {
            let accept = [b"\x80\0\0\x0c\x81", &u32::from(to.port()).to_le_bytes()[..], &[1, 35, 0]].concat();
            let answer = if buffer[0] == 0x80 { &accept[..] } else { &buffer[..length] };
            server.send_to(answer, from).unwrap();
        }
    });
    let (address, handle, _captured, running) = proxy_to(to, 2);
    let [first, second] = [(); 2].map(|()| client(address, TIMEOUT));
    let mut buffer = [0; 2048];
    first.send(b"\x80\0\0\x13\x01QUAKE\0\x03\x01\x23\0\0\0\0\0").unwrap();
    assert_eq!(first.recv(&mut buffer).unwrap(), 12);
    second.send(&packet(0)).unwrap();
    second.recv(&mut buffer).expect("the client is known at its new port");
    second.send(&acknowledgement(&buffer)).unwrap();
    let length = second.recv(&mut buffer).unwrap();
    assert_eq!(&buffer[..length], packet(0));
    // Another client at the same address is not mistaken for it.
    first.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    first.send(&packet(1)).unwrap();
    assert!(first.recv(&mut buffer).is_err());
    second.send(&packet(1)).unwrap();
    second.recv(&mut buffer).unwrap();
    handle.stop();
    running.join().unwrap();
}

/// Questions about the server are forwarded, but not so many that the answers could flood a victim.
#[test]
fn questions_are_passed_on_up_to_a_limit() {
    let (address, handle, _captured, running) = proxy(4);
    let (socket, mut buffer) = (client(address, TIMEOUT), [0; 2048]);
    let question = b"\xff\xff\xff\xffstatus\n";
    // They come from several addresses, so that no limit for one address matters.
    let others = ["127.0.0.2", "127.0.0.3", "127.0.0.4"].map(|own| common::client_at(own, address, TIMEOUT));
    for _ in 0..40 {
        for from in others.iter().chain([&socket]) {
            from.send(question).unwrap();
        }
    }
    socket.recv(&mut buffer).unwrap();
    socket.set_read_timeout(Some(Duration::from_millis(300))).unwrap();
    let answered = 1 + std::iter::from_fn(|| socket.recv(&mut buffer).ok()).count();
    assert!((1..=26).contains(&answered), "{answered} answers to 40 of 160 questions");
    handle.stop();
    running.join().unwrap();
}

/// While the disk does not answer, neither players in a game nor players who join or leave have to wait.
#[test]
fn play_goes_on_while_writing_stands_still() {
    let (copies, captured) = sync_channel(4);
    let listen = "127.0.0.1:0".parse().unwrap();
    let proxy = Proxy::bind(Settings { listen, server: echo(), clients: 2 }, copies).unwrap();
    let (address, handle) = (proxy.address().unwrap(), proxy.handle());
    let running = thread::spawn(move || proxy.run().unwrap());
    let (player, mut buffer) = (client(address, Duration::from_secs(1)), [0; 2048]);
    enter(&player);
    // More clients than the proxy has room for, so that some of them are forgotten.
    for number in 1..=30 {
        client(address, TIMEOUT).send(CONNECT).unwrap();
        thread::sleep(Duration::from_millis(60));
        player.send(&packet(number)).unwrap();
        let length = player.recv(&mut buffer).expect("the player does not wait");
        assert_eq!(&buffer[..length], packet(number));
    }
    // When the disk works again, the writing thread learns of each client that has left, and at the end of the proxy
    // also of the player.
    let gone_clients = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&gone_clients);
    let writing = thread::spawn(move || {
        for _ in until_over(&captured).filter(|it| matches!(it, Captured::Gone { .. })) {
            count.fetch_add(1, Ordering::SeqCst);
        }
    });
    let start = Instant::now();
    while gone_clients.load(Ordering::SeqCst) < 30 && start.elapsed() < TIMEOUT {
        thread::sleep(Duration::from_millis(20));
    }
    handle.stop();
    running.join().unwrap();
    writing.join().unwrap();
    assert_eq!(gone_clients.load(Ordering::SeqCst), 31);
}

/// Garbage opens no connection and is not forwarded, and it does not disturb a connected player.
#[test]
fn a_flood_of_garbage_reaches_nobody() {
    let (address, handle, captured, running) = proxy(4);
    let player = client(address, TIMEOUT);
    let mut buffer = [0; 2048];
    enter(&player);
    let flood = thread::spawn(move || {
        let socket = client(address, TIMEOUT);
        for number in 0..50_000_u32 {
            let _ = socket.send(&number.to_le_bytes());
        }
    });
    for number in 0..100 {
        player.send(&packet(number)).unwrap();
        let length = player.recv(&mut buffer).unwrap();
        assert_eq!(&buffer[..length], packet(number));
        thread::sleep(Duration::from_millis(2));
    }
    flood.join().unwrap();
    handle.stop();
    running.join().unwrap();
    let clients = until_over(&captured).filter(|it| matches!(it, Captured::Gone { .. })).count();
    assert_eq!(clients, 1);
}
