//! The server of recordings: clients of Quake, QuakeWorld and Quake II connect to one socket, and each gets a
//! viewer of its own.
//!
//! An address that has not answered gets no more bytes than it sends: a port in NetQuake, a number in the other
//! two. Answers to queries are longer than the queries, so their number per second is limited.
//!
//! Clients of QuakeWorld and of Quake II ask for that number in the same words. If there are recordings of both games,
//! they get Quake II's answer, which QuakeWorld's clients take for the number 0; then they ask for the connection with
//! it, and that request shows the game.

use crate::bytes::{OUT_OF_BAND, out_of_band};
use crate::netquake::{Control, LONGEST, NetQuakeViewer, Packet, server_info};
use crate::presence::Presence;
use crate::proxy::listen;
use crate::quake2::Quake2Viewer;
use crate::quakeworld::QuakeWorldViewer;
use crate::show::Playlist;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::net::{SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often viewers send the packets that are due. A frame of Quake II lasts 100 ms, one of Quake 10 to 50.
const TICK: Duration = Duration::from_millis(2);
/// The most clients that have not answered yet. When another one comes, the one that has waited the longest is
/// forgotten, so that requests from forged addresses keep out nobody.
const MOST_UNKNOWN: usize = 8;
/// The most answers per second to addresses that are not connected, all together.
const ANSWERS_A_SECOND: u32 = 50;
/// Questions about the server, outside of connections.
const QUESTIONS: [&[u8]; 2] = [b"info", b"status"];
/// The length of a period in seconds. A challenge is valid in its own period and in the next.
const CHALLENGE_SECONDS: u64 = 10;

/// The settings of a server.
pub struct Settings {
    /// The address at which it listens.
    pub listen: SocketAddr,
    /// The name of the server.
    pub name: String,
    /// The most viewers at once.
    pub viewers: usize,
    /// The recordings of Quake.
    pub quake: Box<dyn Playlist>,
    /// The recordings of Quake II.
    pub quake2: Box<dyn Playlist>,
    /// The recordings of QuakeWorld's players, each packet with a whole list of entities.
    pub quakeworld: Box<dyn Playlist>,
}

/// A server that is already listening.
pub struct Server {
    settings: Settings,
    socket: UdpSocket,
    stop: Arc<AtomicBool>,
    secret: RandomState,
    began: Instant,
}

enum Viewer {
    NetQuake(Box<NetQuakeViewer>),
    Quake2(Box<Quake2Viewer>),
    QuakeWorld(Box<QuakeWorldViewer>),
}

impl Viewer {
    fn presence(&self) -> &Presence {
        match self {
            Self::NetQuake(viewer) => viewer.presence(),
            Self::Quake2(viewer) => viewer.presence(),
            Self::QuakeWorld(viewer) => viewer.presence(),
        }
    }

    fn is_known(&self) -> bool {
        self.presence().is_known()
    }
}

impl Server {
    /// Begins to listen; nothing is answered before [`run`](Server::run).
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let socket = listen(settings.listen)?;
        socket.set_read_timeout(Some(TICK))?;
        let (stop, secret) = (Arc::new(AtomicBool::new(false)), RandomState::new());
        Ok(Self { settings, socket, stop, secret, began: Instant::now() })
    }

    /// The address at which it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// The flag that ends the server when it is set.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// Shows recordings until the server is stopped.
    pub fn run(&self) -> io::Result<()> {
        let mut viewers: HashMap<SocketAddr, Viewer> = HashMap::new();
        let mut buffer = vec![0; LONGEST];
        let (mut answers, mut second, mut ticked) = (ANSWERS_A_SECOND, 0, Duration::ZERO);
        let port = self.address()?.port();
        while !self.stop.load(Ordering::Relaxed) {
            let received = crate::proxy::receive(&self.socket, &mut buffer)?;
            let now = self.began.elapsed();
            if now.as_secs() != second {
                (answers, second) = (ANSWERS_A_SECOND, now.as_secs());
            }
            if let Some((length, from)) = received
                && let Some(datagram) = buffer.get(..length)
            {
                self.take_datagram(datagram, from, now, port, &mut viewers, &mut answers);
            }
            // A flood must not delay the viewers' frames.
            if received.is_none() || now.saturating_sub(ticked) > TICK {
                ticked = now;
                self.tick(&mut viewers, now);
            }
        }
        Ok(())
    }

    fn tick(&self, viewers: &mut HashMap<SocketAddr, Viewer>, now: Duration) {
        viewers.retain(|address, viewer| {
            let mut send = |datagram: &[u8]| {
                let _ = self.socket.send_to(datagram, *address);
            };
            match viewer {
                Viewer::NetQuake(viewer) => viewer.tick(&*self.settings.quake, now, &mut send),
                Viewer::Quake2(viewer) => viewer.tick(&*self.settings.quake2, now, &mut send),
                Viewer::QuakeWorld(viewer) => viewer.tick(&*self.settings.quakeworld, now, &mut send),
            }
            !viewer.presence().is_gone(now)
        });
    }

    fn take_datagram(
        &self,
        datagram: &[u8],
        from: SocketAddr,
        now: Duration,
        port: u16,
        viewers: &mut HashMap<SocketAddr, Viewer>,
        answers: &mut u32,
    ) {
        let outside = out_of_band(datagram);
        let control = match Packet::parse(datagram) {
            Some(Packet::Control(control)) => Some(control),
            _ => None,
        };
        if outside.is_none() && control.is_none() {
            let mut reply = Vec::new();
            match viewers.get_mut(&from) {
                Some(Viewer::NetQuake(viewer)) => viewer.receive(datagram, now, &mut reply),
                Some(Viewer::Quake2(viewer)) => viewer.receive(datagram, now),
                Some(Viewer::QuakeWorld(viewer)) => viewer.receive(datagram, now),
                None => {}
            }
            if !reply.is_empty() {
                let _ = self.socket.send_to(&reply, from);
            }
            return;
        }
        if *answers == 0 {
            return;
        }
        let answer = match (control, outside) {
            (Some(Control::Connect), _) => {
                let new = || Viewer::NetQuake(Box::new(NetQuakeViewer::new(now)));
                Some(self.connect(from, port, viewers, new))
            }
            (Some(Control::ServerInfo), _) => Some(self.info(port, viewers.len())),
            (_, Some(text)) => self.outside(text, from, now, viewers),
            _ => None,
        };
        // Only questions about the server have answers that are longer than they are.
        let asks = matches!(control, Some(Control::ServerInfo))
            || outside.is_some_and(|text| QUESTIONS.iter().any(|word| text.starts_with(word)));
        if let Some(answer) = answer.filter(|answer| asks || answer.len() <= datagram.len()) {
            *answers -= 1;
            let _ = self.socket.send_to(&answer, from);
        }
    }

    /// Accepts a NetQuake client, with this server's own port.
    fn connect(
        &self,
        from: SocketAddr,
        port: u16,
        viewers: &mut HashMap<SocketAddr, Viewer>,
        new: impl FnOnce() -> Viewer,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        if self.settings.quake.is_empty() || !self.make_room(from, viewers) {
            Packet::Control(Control::Reject(b"Server is full.\n")).write(&mut out);
            return out;
        }
        // A client that asks again before it has answered keeps its viewer.
        if viewers.get(&from).is_none_or(Viewer::is_known) {
            viewers.insert(from, new());
        }
        Packet::Control(Control::Accept { port: port.into(), more: b"" }).write(&mut out);
        out
    }

    /// Whether there is room for a client; for it one that has not answered may have to go.
    fn make_room(&self, from: SocketAddr, viewers: &mut HashMap<SocketAddr, Viewer>) -> bool {
        if viewers.contains_key(&from) {
            return true;
        }
        let unknown = viewers.iter().filter(|(_, viewer)| !viewer.is_known());
        let known = viewers.len() - unknown.clone().count();
        if known >= self.settings.viewers {
            return false;
        }
        if viewers.len() - known >= MOST_UNKNOWN
            && let Some(oldest) =
                unknown.min_by_key(|(_, viewer)| viewer.presence().opened()).map(|(address, _)| *address)
        {
            viewers.remove(&oldest);
        }
        true
    }

    fn info(&self, port: u16, count: usize) -> Vec<u8> {
        let address = SocketAddr::new(self.settings.listen.ip(), port).to_string();
        let map = if self.settings.quake.is_empty() { String::new() } else { self.settings.quake.map(0) };
        let viewers = self.settings.viewers.min(255) as u8;
        server_info(&address, &self.settings.name, &map, count.min(255) as u8, viewers)
    }

    /// Answers a packet outside of connections as the servers of Quake II and QuakeWorld do.
    fn outside(
        &self,
        text: &[u8],
        from: SocketAddr,
        now: Duration,
        viewers: &mut HashMap<SocketAddr, Viewer>,
    ) -> Option<Vec<u8>> {
        let Settings { quake2, quakeworld, name, viewers: most, .. } = &self.settings;
        let (has_quake2, has_quakeworld) = (!quake2.is_empty(), !quakeworld.is_empty());
        let text = String::from_utf8_lossy(text);
        let mut words = text.split_ascii_whitespace();
        let (word, seconds) = (words.next()?, now.as_secs());
        let answer = match word {
            "getchallenge" if has_quake2 => format!("challenge {}", self.challenge(from, seconds)),
            "getchallenge" if has_quakeworld => format!("c{}\0", self.challenge(from, seconds)),
            "connect" => {
                let (protocol, _qport, challenge) = (words.next()?, words.next()?, words.next()?);
                let given: u32 = challenge.parse().ok()?;
                let fits = [seconds, seconds.saturating_sub(CHALLENGE_SECONDS)]
                    .iter()
                    .any(|seconds| self.challenge(from, *seconds) == given);
                match protocol {
                    "34" if has_quake2 => {
                        let new = || Viewer::Quake2(Box::new(Quake2Viewer::new(now)));
                        self.enter(from, fits, viewers, new, ["client_connect", "print\n"])
                    }
                    "28" if has_quakeworld && !fits => format!("c{}\0", self.challenge(from, seconds)),
                    "28" if has_quakeworld => {
                        let new = || Viewer::QuakeWorld(Box::new(QuakeWorldViewer::new(now)));
                        self.enter(from, fits, viewers, new, ["j", "n\n"])
                    }
                    _ if has_quake2 => "print\nThis server speaks protocol 34.\n".to_owned(),
                    _ => return None,
                }
            }
            "info" if has_quake2 => {
                let map = quake2.map(0);
                format!("info\n{name:>16.16} {map:>8.8} {:>2}/{most:>2}\n", viewers.len())
            }
            "status" if has_quake2 || has_quakeworld => {
                let (begin, map) =
                    if has_quake2 { ("print\n", quake2.map(0)) } else { ("n", quakeworld.map(0)) };
                format!(
                    "{begin}\\hostname\\{name}\\mapname\\{map}\\map\\{map}\\maxclients\\{most}\\version\\Moviola\n"
                )
            }
            "ping" if has_quake2 => "ack".to_owned(),
            "k" if has_quakeworld => "l".to_owned(),
            _ => return None,
        };
        Some([&OUT_OF_BAND[..], answer.as_bytes()].concat())
    }

    /// Lets a client in that has the right number; `[yes, no]` begin the two answers.
    fn enter(
        &self,
        from: SocketAddr,
        fits: bool,
        viewers: &mut HashMap<SocketAddr, Viewer>,
        new: impl FnOnce() -> Viewer,
        [yes, no]: [&str; 2],
    ) -> String {
        if !fits {
            return format!("{no}Bad challenge.\n");
        } else if !self.make_room(from, viewers) {
            return format!("{no}Server is full.\n");
        }
        // A client that asks again before it has answered keeps its viewer.
        if viewers.get(&from).is_none_or(Viewer::is_known) {
            viewers.insert(from, new());
        }
        yes.to_owned()
    }

    /// A number that only a reader at this address knows; checking it needs no memory. With more than three
    /// digits the answer would be longer than the request. A guess gains nothing: nothing is sent before a
    /// packet comes back.
    fn challenge(&self, from: SocketAddr, seconds: u64) -> u32 {
        self.secret.hash_one((from, seconds / CHALLENGE_SECONDS)) as u32 % 1000
    }
}
