//! The datagrams of Quake, Quake II and QuakeWorld: a proxy that records games, and a server that shows
//! recordings.
//!
//! A [`Proxy`](proxy::Proxy) stands between clients and a server. It forwards every datagram at once, and
//! hands a copy to the one thread that writes. There a [`Tape`] makes of the copies the file that the
//! engine's own `record` would have written. A tape needs only datagrams, so tests feed it without a network:
//!
//! ```
//! use moviola_net::{Cut, Tape, Direction, netquake::{DemTape, Packet}};
//! use std::time::Duration;
//!
//! let (mut tape, mut cuts, mut datagram) = (DemTape::new(true), Vec::new(), Vec::new());
//! // A print, which the server sends in a reliable packet.
//! Packet::Reliable { sequence: 0, last: true, body: b"\x08hello\0" }.write(&mut datagram);
//! tape.take_datagram(Direction::Down, &datagram, Duration::ZERO, &mut cuts);
//! tape.close(&mut cuts);
//! let file: Vec<u8> = cuts.iter().flat_map(|cut| if let Cut::Bytes(bytes) = cut { &bytes[..] } else { &[] }).copied().collect();
//! assert_eq!(&file[..8], b"-1\n\x07\0\0\0\0");
//! ```
#![forbid(unsafe_code)]

mod bytes;
pub mod disk;
mod first_level;
pub mod http;
pub mod live;
pub mod netquake;
mod presence;
mod proof;
pub mod proxy;
pub mod qtv;
pub mod quake2;
pub mod quakeworld;
pub mod server;
mod session;
pub mod show;
mod tape;

pub use first_level::First;
pub use session::{Protocol, SessionTape};
pub use tape::{Cut, Direction, Notice, Tape, Title};
