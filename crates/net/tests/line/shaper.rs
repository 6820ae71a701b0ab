//! A bad line between server and proxy: it loses, duplicates and reorders datagrams, in the same way in each run.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Of this many datagrams one is lost, which is 5 %.
const LOST: u32 = 20;
/// Of this many datagrams one arrives twice, and one arrives after the next.
const ODD: u32 = 16;

/// The counts of datagrams that the line has lost, doubled and delayed.
#[derive(Debug, Default)]
pub(crate) struct Harm {
    pub(crate) lost: AtomicU64,
    pub(crate) doubled: AtomicU64,
    pub(crate) delayed: AtomicU64,
}

struct Dice(u32);

impl Dice {
    fn one_in(&mut self, count: u32) -> bool {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16).is_multiple_of(count)
    }
}

/// Forwards datagrams between one client and `server`; returns the address for the client.
pub(crate) fn between(server: SocketAddr, seed: u32) -> (SocketAddr, Arc<Harm>) {
    let near = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
    let far = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
    let (address, harm) = (near.local_addr().unwrap(), Arc::new(Harm::default()));
    let client = Arc::new(Mutex::new(server));
    let (from, to, who, count) =
        (Arc::clone(&near), Arc::clone(&far), Arc::clone(&client), Arc::clone(&harm));
    thread::spawn(move || {
        forward(&from, &to, seed, &count, |sender| {
            *who.lock().unwrap() = sender;
            server
        });
    });
    let count = Arc::clone(&harm);
    thread::spawn(move || forward(&far, &near, seed + 1, &count, |_| *client.lock().unwrap()));
    (address, harm)
}

fn forward(
    from: &UdpSocket,
    to: &UdpSocket,
    seed: u32,
    harm: &Harm,
    receiver: impl Fn(SocketAddr) -> SocketAddr,
) {
    let (mut buffer, mut dice, mut waiting) = (vec![0; 65_535], Dice(seed), None::<Vec<u8>>);
    while let Ok((length, sender)) = from.recv_from(&mut buffer) {
        let (datagram, receiver) = (&buffer[..length], receiver(sender));
        if dice.one_in(LOST) {
            harm.lost.fetch_add(1, Ordering::Relaxed);
            continue;
        }
        if waiting.is_none() && dice.one_in(ODD) {
            harm.delayed.fetch_add(1, Ordering::Relaxed);
            waiting = Some(datagram.to_vec());
            continue;
        }
        let _ = to.send_to(datagram, receiver);
        if dice.one_in(ODD) {
            harm.doubled.fetch_add(1, Ordering::Relaxed);
            let _ = to.send_to(datagram, receiver);
        }
        if let Some(late) = waiting.take() {
            let _ = to.send_to(&late, receiver);
        }
    }
}
