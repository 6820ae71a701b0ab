//! The proxy: it forwards datagrams between its clients and a server, and hands copies to the thread that
//! writes.
//!
//! Each client has a socket of its own towards the server, because servers identify clients by address, and
//! NetQuake's servers give each client a port of its own. One thread receives from all clients, and one
//! thread per client receives from the server. The copy is handed over before the datagram is sent on: else the
//! answer to a datagram could be copied before it. That takes a microsecond; no thread here waits for a disk.

use crate::bytes::out_of_band;
use crate::netquake::{Control, LONGEST, Packet};
use crate::proof::{Fate, Proof};
use crate::quake2::{WholeFrames, plain_challenge, user_info};
use crate::tape::Direction;
use moviola_format::info_value;
use socket2::{Domain, Socket, Type};
use std::collections::HashMap;
use std::hash::RandomState;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A client that is not connected is forgotten after this time without a datagram.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// A connected client is forgotten after the longest silence that any engine permits.
const SILENCE: Duration = Duration::from_mins(5);
/// A client that has sent only a few packets of its connection is forgotten after this time. Quake's sends something every
/// five seconds while it loads a level, Quake II's nothing.
const LOADING: Duration = Duration::from_mins(2);
/// The number of packets up to which a client counts as one that has sent only a few.
const MAX_FEW_PACKETS: u32 = 64;
/// If there is no room for a new client, a client with few packets is dropped after this silence.
const DROP_AFTER: Duration = Duration::from_secs(7);
/// The most clients that have not answered the server yet. When another one connects, the one that was silent the
/// longest is forgotten, so that addresses which never play keep nobody out.
const MOST_UNKNOWN: usize = 16;
/// The most packets per second of such a client: a connection begins with a few. A flood of packets must
/// neither reach the server nor fill the queue of copies.
const UNKNOWN_A_SECOND: u32 = 100;
/// The most new addresses per second; they may come in one burst. A flood of addresses delays other
/// newcomers, but not clients that are connected.
const NEWCOMERS_A_SECOND: u32 = 20;
/// The greatest number of clients that are gone while the writing thread, which waits for its disk, does not know it
/// yet. At this number no new client is accepted until it has caught up.
const MOST_GONE: usize = 64;
/// The most questions about the server per second, from all addresses together: the answers are longer than the questions.
const QUERIES_A_SECOND: u32 = 50;
/// How often threads that wait for packets check whether they should stop.
const TICK: Duration = Duration::from_millis(250);
/// The size of the receive buffer, for packets that arrive while the thread handles another.
const RECEIVE_BUFFER: usize = 4 << 20;
/// The stack size of a thread that only forwards datagrams.
const STACK: usize = 256 << 10;

/// The key in the user info that announces the proxy to the server, and the key with its value.
const KEY: &[u8] = b"proxy";
const ANNOUNCEMENT: &[u8] = b"\\proxy\\moviola";
/// The longest user info that every server of Quake II accepts.
const LONGEST_INFO: usize = 512;

/// The settings of a proxy.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The address at which clients connect.
    pub listen: SocketAddr,
    /// The address of the server.
    pub server: SocketAddr,
    /// The most clients.
    pub clients: usize,
}

/// A message for the thread that writes.
#[derive(Debug)]
pub enum Captured {
    /// A datagram has passed.
    Datagram {
        /// The client's number, unique among all connections of a run.
        client: u64,
        /// Its direction.
        direction: Direction,
        /// The time since the proxy began.
        at: Duration,
        /// The datagram as the client received or sent it.
        bytes: Vec<u8>,
    },
    /// A client has left.
    Gone {
        /// The client's number.
        client: u64,
    },
    /// All clients are recorded from now on.
    Record,
    /// All recordings end.
    Stop,
    /// All proxies have ended; no message follows.
    Over,
}

/// A proxy that is already listening.
#[derive(Debug)]
pub struct Proxy {
    settings: Settings,
    socket: UdpSocket,
    secret: RandomState,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    started_at: Instant,
    copies: SyncSender<Captured>,
    should_stop: AtomicBool,
    lost: AtomicU64,
    /// The number of the last client of all proxies that share this.
    clients: AtomicU64,
    whole_frames: WholeFrames,
    /// The proxies that have not ended yet.
    proxies: AtomicUsize,
}

impl Shared {
    /// Hands a copy to the thread that writes. If that thread is so far behind that the queue is full, the
    /// copy is dropped and counted: play must not wait for a disk.
    fn copy(&self, client: u64, way: Direction, bytes: &[u8]) {
        let captured = Captured::Datagram {
            client,
            direction: way,
            at: self.started_at.elapsed(),
            bytes: bytes.to_vec(),
        };
        if let Err(TrySendError::Full(_)) = self.copies.try_send(captured) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Reports to the writing thread which clients have left, as many as the queue has room for; the others stay in the
    /// list.
    fn report(&self, gone: &mut Vec<u64>) {
        let is_unknown = |client: &u64| {
            let sent = self.copies.try_send(Captured::Gone { client: *client });
            matches!(sent, Err(TrySendError::Full(_)))
        };
        gone.retain(is_unknown);
    }

    fn is_stopped(&self) -> bool {
        self.should_stop.load(Ordering::Relaxed)
    }
}

/// Stops a proxy and its sibling proxies from another thread, and has the number of dropped copies.
#[derive(Clone, Debug)]
pub struct Handle(Arc<Shared>);

impl Handle {
    /// Ends them within a quarter of a second.
    pub fn stop(&self) {
        self.0.should_stop.store(true, Ordering::Relaxed);
    }

    /// Makes sure that no frame of Quake II below this number is acknowledged to the server, so that the server sends a
    /// full frame; `None` ends that.
    pub(crate) fn ask_for_whole_frame(&self, client: u64, below: Option<i32>) {
        self.0.whole_frames.request(client, below);
    }

    /// The number of copies that were dropped because writing could not keep up.
    pub fn lost(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }
}

struct Client {
    number: u64,
    /// Where the client is.
    place: Arc<Place>,
    upstream: Arc<UdpSocket>,
    /// The server's port for this client: NetQuake's server gives each client its own.
    port: Arc<AtomicU16>,
    last_heard: Instant,
    /// Proves that the client receives packets at its address.
    proof: Arc<Proof>,
    /// Whether the server has sent a packet of a connection.
    is_played: Arc<AtomicBool>,
    /// Whether it has accepted the client as Quake II does.
    is_quake2: Arc<AtomicBool>,
    /// The number of packets of a connection that the client has sent since its request. Some servers of Quake send
    /// their first packet before an answer, so packets of the server do not prove a game.
    heard: u32,
    /// Whether the client has asked for a connection, not just for information about the server.
    enters: bool,
    allowance: Allowance,
    is_gone: Arc<AtomicBool>,
}

/// A client's address. The client of `ProQuake` changes its port if the server is `ProQuake` too.
#[derive(Debug)]
struct Place {
    address: Mutex<SocketAddr>,
    may_move: AtomicBool,
}

impl Place {
    fn address(&self) -> SocketAddr {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Client {
    fn is_connected(&self) -> bool {
        self.heard > 0
    }

    /// The length of the silence after which the client is forgotten.
    fn timeout(&self) -> Duration {
        match self.heard {
            0 => HANDSHAKE,
            1..MAX_FEW_PACKETS => LOADING,
            MAX_FEW_PACKETS.. => SILENCE,
        }
    }

    /// Ends the client's thread, and returns the client's number.
    fn close(&self) -> u64 {
        self.is_gone.store(true, Ordering::Relaxed);
        self.number
    }
}

impl Proxy {
    /// Begins to listen; nothing is answered before [`run`](Proxy::run).
    pub fn bind(settings: Settings, copies: SyncSender<Captured>) -> io::Result<Self> {
        let socket = listen(settings.listen)?;
        let shared = Shared {
            started_at: Instant::now(),
            copies,
            should_stop: false.into(),
            lost: 0.into(),
            clients: 0.into(),
            whole_frames: WholeFrames::default(),
            proxies: 1.into(),
        };
        Ok(Self { settings, socket, secret: RandomState::new(), shared: Arc::new(shared) })
    }

    /// A sibling proxy for another server. The same thread writes the recordings of its clients, and it stops with this
    /// one.
    pub fn beside(&self, settings: Settings) -> io::Result<Self> {
        let socket = listen(settings.listen)?;
        self.shared.proxies.fetch_add(1, Ordering::Relaxed);
        Ok(Self { settings, socket, secret: RandomState::new(), shared: Arc::clone(&self.shared) })
    }

    /// The address at which clients connect; the system chooses the port if the settings have port 0.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// A handle that stops the proxy.
    pub fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.shared))
    }

    /// Forwards datagrams until the proxy is stopped.
    pub fn run(self) -> io::Result<()> {
        let listening = Arc::new(self.socket.try_clone()?);
        let port = self.address()?.port();
        let mut clients: HashMap<SocketAddr, Client> = HashMap::new();
        let mut gone_clients: Vec<u64> = Vec::new();
        let (mut newcomers, mut queries) =
            (Allowance::new(NEWCOMERS_A_SECOND), Allowance::new(QUERIES_A_SECOND));
        let (mut buffer, mut swept) = (vec![0; LONGEST], Instant::now());
        while !self.shared.is_stopped() {
            if swept.elapsed() > TICK {
                swept = Instant::now();
                gone_clients.extend(drop_silent_clients(&mut clients));
                self.shared.report(&mut gone_clients);
            }
            let Some((length, from)) = receive(&self.socket, &mut buffer)? else { continue };
            let Some(datagram) = buffer.get(..length) else { continue };
            let opens = opens(datagram);
            if opens == Some(Opening::Query) && !queries.take() {
                continue;
            }
            if !clients.contains_key(&from) && !follow(&mut clients, from, datagram) {
                if opens.is_none()
                    || gone_clients.len() >= MOST_GONE
                    || opens == Some(Opening::Entry) && !newcomers.take()
                    || !self.make_room(&mut clients, &mut gone_clients)
                {
                    continue;
                }
                let number = self.shared.clients.fetch_add(1, Ordering::Relaxed) + 1;
                // If the system has no socket or thread left, the new client is ignored, and connected players are not
                // disturbed.
                let Ok(client) = self.open(number, from, port, &listening) else { continue };
                clients.insert(from, client);
                self.shared.report(&mut gone_clients);
            }
            let Some(client) = clients.get_mut(&from) else { continue };
            if !client.is_connected() && !client.allowance.take() {
                continue;
            }
            client.enters |= opens == Some(Opening::Entry);
            let number = client.number;
            // A packet of the server that was held back goes to the writing thread too, when it is released.
            let mut release = |packet: &[u8]| {
                self.shared.copy(number, Direction::Down, packet);
                let _ = self.socket.send_to(packet, from);
            };
            let fate = client.proof.take_from_client(datagram, &mut release);
            if fate == Fate::Hold {
                client.last_heard = swept;
                continue;
            }
            if client.proof.is_given() && client.is_played.load(Ordering::Relaxed) && is_play(datagram) {
                client.heard = client.heard.saturating_add(1);
            }
            let is_control = matches!(Packet::parse(datagram), Some(Packet::Control(_)));
            let port =
                if is_control { self.settings.server.port() } else { client.port.load(Ordering::Relaxed) };
            // A datagram that cannot be sent counts as lost: the games expect lost packets.
            self.shared.copy(client.number, Direction::Up, datagram);
            let datagram = if let Fate::Replace(other) = &fate { other } else { datagram };
            let is_quake2 = client.is_quake2.load(Ordering::Relaxed);
            let other = if is_quake2 { still_announced(datagram) } else { announced(datagram) };
            let datagram = other.as_deref().unwrap_or(datagram);
            let other = self.shared.whole_frames.rewritten(client.number, datagram);
            let datagram = other.as_deref().unwrap_or(datagram);
            let _ = client.upstream.send_to(datagram, SocketAddr::new(self.settings.server.ip(), port));
            client.last_heard = swept;
        }
        // No client is left, so from here on this thread may wait for the disk.
        for client in gone_clients.into_iter().chain(clients.values().map(Client::close)) {
            let _ = self.shared.copies.send(Captured::Gone { client });
        }
        if self.shared.proxies.fetch_sub(1, Ordering::AcqRel) == 1 {
            let _ = self.shared.copies.send(Captured::Over);
        }
        Ok(())
    }

    /// Gives a client its socket towards the server, and the thread that receives from it.
    fn open(
        &self,
        number: u64,
        from: SocketAddr,
        listening: u16,
        down: &Arc<UdpSocket>,
    ) -> io::Result<Client> {
        let upstream = Arc::new(towards(self.settings.server, number)?);
        let client = Client {
            number,
            place: Arc::new(Place { address: Mutex::new(from), may_move: false.into() }),
            upstream: Arc::clone(&upstream),
            port: Arc::new(AtomicU16::new(self.settings.server.port())),
            proof: Arc::new(Proof::new(&self.secret, number)),
            last_heard: Instant::now(),
            is_played: Arc::new(AtomicBool::new(false)),
            is_quake2: Arc::new(AtomicBool::new(false)),
            heard: 0,
            enters: false,
            allowance: Allowance::new(UNKNOWN_A_SECOND),
            is_gone: Arc::new(AtomicBool::new(false)),
        };
        let (down, port, gone) = (Arc::clone(down), Arc::clone(&client.port), Arc::clone(&client.is_gone));
        let (shared, server) = (Arc::clone(&self.shared), self.settings.server.ip());
        let (played, quake2) = (Arc::clone(&client.is_played), Arc::clone(&client.is_quake2));
        let (proof, place) = (Arc::clone(&client.proof), Arc::clone(&client.place));
        thread::Builder::new().stack_size(STACK).name(format!("client {number}")).spawn(move || {
            let mut buffer = vec![0; LONGEST];
            while !gone.load(Ordering::Relaxed) && !shared.is_stopped() {
                let Ok(received) = receive(&upstream, &mut buffer) else { return };
                let Some((length, sender)) = received else { continue };
                let Some(datagram) = buffer.get(..length).filter(|_| sender.ip() == server) else { continue };
                if is_of_proquake(datagram) {
                    place.may_move.store(true, Ordering::Relaxed);
                }
                let rewritten_datagram = rewritten(datagram, listening, &port);
                let datagram = rewritten_datagram.as_deref().unwrap_or(datagram);
                let is_play = is_play(datagram);
                if is_play {
                    played.store(true, Ordering::Relaxed);
                }
                let challenge = match proof.take_from_server(datagram, is_play) {
                    Fate::Forward => None,
                    Fate::Replace(other) => Some(other),
                    Fate::Hold => continue,
                    Fate::Challenge(question) => {
                        let _ = down.send_to(&question, place.address());
                        continue;
                    }
                };
                let datagram = challenge.as_deref().unwrap_or(datagram);
                shared.copy(number, Direction::Down, datagram);
                if out_of_band(datagram).is_some_and(|text| text.starts_with(b"client_connect")) {
                    quake2.store(true, Ordering::Relaxed);
                }
                let _ = down.send_to(datagram, place.address());
            }
        })?;
        Ok(client)
    }

    /// Makes room for one more client, if necessary by dropping an address that has not joined a game. Returns false if
    /// there is no room.
    fn make_room(&self, clients: &mut HashMap<SocketAddr, Client>, gone: &mut Vec<u64>) -> bool {
        let unknown = clients.values().filter(|client| !client.is_connected()).count();
        let is_full = clients.len() - unknown >= self.settings.clients;
        if !is_full && unknown < MOST_UNKNOWN {
            return true;
        }
        let may_go = |client: &Client| {
            if is_full {
                (1..MAX_FEW_PACKETS).contains(&client.heard) && client.last_heard.elapsed() > DROP_AFTER
            } else {
                !client.is_connected()
            }
        };
        let candidates = clients.iter().filter(|(_, client)| may_go(client));
        let first = candidates
            .min_by_key(|(_, client)| (client.enters, client.last_heard))
            .map(|(address, _)| *address);
        let removed = first.and_then(|address| clients.remove(&address));
        gone.extend(removed.as_ref().map(Client::close));
        removed.is_some()
    }
}

/// Forgets the silent clients, and returns their numbers.
fn drop_silent_clients(clients: &mut HashMap<SocketAddr, Client>) -> Vec<u64> {
    let is_silent = |_: &SocketAddr, client: &mut Client| client.last_heard.elapsed() >= client.timeout();
    clients.extract_if(is_silent).map(|(_, client)| client.close()).collect()
}

/// Whether a datagram is an acceptance by `ProQuake`, from version 3.4 on: after it the client opens another socket, to
/// make its router open a new path.
fn is_of_proquake(datagram: &[u8]) -> bool {
    const PROQUAKE: u8 = 1;
    const OLDEST: u8 = 34;
    let Some(Packet::Control(Control::Accept { more, .. })) = Packet::parse(datagram) else { return false };
    matches!(more, [PROQUAKE, version, ..] if *version >= OLDEST)
}

/// Finds the client that has changed its port to the one that this packet comes from.
fn follow(clients: &mut HashMap<SocketAddr, Client>, from: SocketAddr, datagram: &[u8]) -> bool {
    if matches!(Packet::parse(datagram), None | Some(Packet::Control(_))) {
        return false;
    }
    let may_move = |(at, client): &(&SocketAddr, &Client)| {
        at.ip() == from.ip() && !client.is_connected() && client.place.may_move.load(Ordering::Relaxed)
    };
    let old = clients.iter().filter(may_move).max_by_key(|(_, client)| client.last_heard).map(|(at, _)| *at);
    let Some(client) = old.and_then(|old| clients.remove(&old)) else { return false };
    client.place.may_move.store(false, Ordering::Relaxed);
    *client.place.address.lock().unwrap_or_else(PoisonError::into_inner) = from;
    clients.insert(from, client);
    true
}

/// Adds the proxy to the user info in a client's request for a connection with QuakeWorld or Quake II, so that the server
/// can refuse it. Quake's requests have no user info.
fn announced(datagram: &[u8]) -> Option<Vec<u8>> {
    let text = out_of_band(datagram)?;
    if !text.starts_with(b"connect ") {
        return None;
    }
    // The user info stands in quotes; lines about extensions may follow it.
    let mut quotes = datagram.iter().enumerate().filter(|(_, byte)| **byte == b'"').map(|(at, _)| at);
    announced_at(datagram, quotes.next()? + 1..quotes.next()?)
}

/// The same for a Quake II client during the game: when a setting changes, it sends its whole user info again. A
/// QuakeWorld client sends only the setting.
fn still_announced(datagram: &[u8]) -> Option<Vec<u8>> {
    announced(datagram).or_else(|| announced_at(datagram, user_info(datagram)?))
}

/// Adds the proxy to the user info at this place.
fn announced_at(datagram: &[u8], info: Range<usize>) -> Option<Vec<u8>> {
    let is_full = info.len() + ANNOUNCEMENT.len() >= LONGEST_INFO;
    if is_full || info_value(datagram.get(info.clone())?, KEY).is_some() {
        return None;
    }
    let (before, behind) = datagram.split_at_checked(info.end)?;
    Some([before, ANNOUNCEMENT, behind].concat())
}

/// Whether a datagram is a packet of a connection.
fn is_play(datagram: &[u8]) -> bool {
    !matches!(Packet::parse(datagram), Some(Packet::Control(_))) && out_of_band(datagram).is_none()
}

/// The connection that a datagram of an unknown address may begin.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opening {
    /// The packet requests a connection.
    Entry,
    /// The packet asks about the server.
    Query,
}

/// The connection that a datagram from an unknown address may open; moves open none.
fn opens(datagram: &[u8]) -> Option<Opening> {
    const ENTRIES: [&[u8]; 2] = [b"getchallenge", b"connect"];
    const QUERIES: [&[u8]; 6] = [b"status", b"info", b"ping", b"k", b"getinfo", b"getstatus"];
    match out_of_band(datagram) {
        Some(text) if ENTRIES.iter().any(|word| text.starts_with(word)) => Some(Opening::Entry),
        Some(text) => QUERIES.iter().any(|word| text.starts_with(word)).then_some(Opening::Query),
        None => match Packet::parse(datagram)? {
            Packet::Control(Control::Connect) => Some(Opening::Entry),
            Packet::Control(control) => control.is_request().then_some(Opening::Query),
            _ => None,
        },
    }
}

/// Rewrites a datagram of the server that the client must not get unchanged: the port of a connection becomes
/// the proxy's, and Quake II's newer protocols, which compress packets, are not offered.
fn rewritten(datagram: &[u8], listening: u16, port: &AtomicU16) -> Option<Vec<u8>> {
    if let Some(Packet::Control(Control::Accept { port: theirs, more })) = Packet::parse(datagram) {
        // Port 0 means that the connection stays on this port.
        let theirs = u16::try_from(theirs).ok().filter(|port| *port != 0)?;
        port.store(theirs, Ordering::Relaxed);
        let mut out = Vec::with_capacity(datagram.len());
        Packet::Control(Control::Accept { port: u32::from(listening), more }).write(&mut out);
        return Some(out);
    }
    plain_challenge(datagram)
}

/// For tests without a network: changes datagrams as the proxy does when it forwards them.
#[doc(hidden)]
pub fn forms(datagram: &[u8]) -> Vec<Vec<u8>> {
    opens(datagram);
    let (port, frames) = (AtomicU16::new(0), WholeFrames::default());
    frames.request(1, Some(i32::MAX));
    let proof = Proof::new(&RandomState::new(), 1);
    let mut forms = Vec::new();
    for fate in
        [proof.take_from_server(datagram, is_play(datagram)), proof.take_from_client(datagram, &mut |_| {})]
    {
        if let Fate::Replace(form) | Fate::Challenge(form) = fate {
            forms.push(form);
        }
    }
    forms.extend(
        [announced(datagram), still_announced(datagram), rewritten(datagram, 26001, &port)]
            .into_iter()
            .flatten(),
    );
    forms.extend(frames.rewritten(1, datagram));
    forms
}

/// Allows `limit` events per second, in one burst if need be.
struct Allowance {
    limit: u32,
    remaining: u32,
    window_start: Instant,
}

impl Allowance {
    fn new(limit: u32) -> Self {
        Self { limit, remaining: limit, window_start: Instant::now() }
    }

    fn take(&mut self) -> bool {
        if self.window_start.elapsed() >= Duration::from_secs(1) {
            (self.remaining, self.window_start) = (self.limit, Instant::now());
        }
        let may = self.remaining > 0;
        self.remaining = self.remaining.saturating_sub(1);
        may
    }
}

/// Waits for a datagram until the socket's timeout.
pub(crate) fn receive(socket: &UdpSocket, buffer: &mut [u8]) -> io::Result<Option<(usize, SocketAddr)>> {
    use io::ErrorKind::{ConnectionRefused, ConnectionReset, Interrupted, TimedOut, WouldBlock};
    match socket.recv_from(buffer) {
        Ok(received) => Ok(Some(received)),
        // Refused and reset mean that an earlier datagram had no receiver.
        Err(why)
            if matches!(
                why.kind(),
                WouldBlock | TimedOut | Interrupted | ConnectionRefused | ConnectionReset
            ) =>
        {
            Ok(None)
        }
        Err(why) => Err(why),
    }
}

pub(crate) fn listen(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::for_address(address), Type::DGRAM, None)?;
    socket.set_recv_buffer_size(RECEIVE_BUFFER)?;
    socket.bind(&address.into())?;
    let socket = UdpSocket::from(socket);
    socket.set_read_timeout(Some(TICK))?;
    Ok(socket)
}

/// A socket towards the server. Some NetQuake servers identify a client by its address without the port, so that a
/// second client from the same address replaces the first. If the server is on loopback, each client gets a loopback
/// address of its own.
fn towards(server: SocketAddr, client: u64) -> io::Result<UdpSocket> {
    let own = match server.ip() {
        IpAddr::V4(ip) if ip.is_loopback() => Ipv4Addr::new(127, 0, 1, (client % 250) as u8 + 1).into(),
        IpAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
        IpAddr::V6(_) => IpAddr::V6(std::net::Ipv6Addr::UNSPECIFIED),
    };
    // Systems other than Linux have only one loopback address.
    let socket = listen(SocketAddr::new(own, 0)).or_else(|_| listen(SocketAddr::new(server.ip(), 0)))?;
    Ok(socket)
}
