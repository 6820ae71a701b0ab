//! The server of recordings: clients of Quake, QuakeWorld and Quake II connect to one socket, and each gets a viewer of
//! its own.
//!
//! An address that has not answered gets no more bytes than it sends. These bytes contain a secret, which a client with
//! a forged address never sees: the port of a new socket in NetQuake, a number in the other two. Answers to queries and
//! refusals are longer, so their number per second is limited.
//!
//! Clients of QuakeWorld and of Quake II ask for that number in the same words. If there are recordings of both games,
//! they get Quake II's answer, which QuakeWorld's clients take for the number 0; then they ask for the connection with
//! it, and that request shows the game.

use crate::bytes::{OUT_OF_BAND, out_of_band};
use crate::netquake::{Control, LONGEST, NetQuakeViewer, Packet, player_info, rule_info, server_info};
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
/// The most packets of a viewer of Quake in that time.
const MOST_A_TICK: usize = 64;
/// The most clients that have not answered yet. When another one connects, the one that has waited the longest is
/// forgotten, so that requests from forged addresses keep nobody out. However many requests come, a client has half a
/// second for its answer.
const MOST_UNKNOWN: usize = 64;
/// The most answers per second that are longer than their requests, and the most other answers, to all addresses
/// together. So a flood of questions does not keep viewers out.
const LONG_ANSWERS_A_SECOND: u32 = 50;
const ANSWERS_A_SECOND: u32 = 100;
/// Questions about the server, outside of connections.
const QUESTIONS: [&[u8]; 2] = [b"info", b"status"];
/// Requests from one address within this time ask for the same connection; it is as long as in engines.
const SAME_CONNECTION: Duration = Duration::from_secs(3);
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
    should_stop: Arc<AtomicBool>,
    secret: RandomState,
    started_at: Instant,
}

enum Viewer {
    /// A client of NetQuake, with the socket that serves it alone.
    NetQuake(Box<NetQuakeViewer>, UdpSocket),
    Quake2(Box<Quake2Viewer>),
    QuakeWorld(Box<QuakeWorldViewer>),
}

impl Viewer {
    fn presence(&self) -> &Presence {
        match self {
            Self::NetQuake(viewer, _) => viewer.presence(),
            Self::Quake2(viewer) => viewer.presence(),
            Self::QuakeWorld(viewer) => viewer.presence(),
        }
    }

    fn is_known(&self) -> bool {
        self.presence().is_known()
    }

    /// Whether a request from its client's address may replace the viewer. A client that has not answered yet asks for
    /// the connection that it has, and so does a request that was duplicated or delayed on the way.
    fn may_be_replaced(&self, now: Duration) -> bool {
        self.is_known() && now.saturating_sub(self.presence().opened()) > SAME_CONNECTION
    }
}

impl Server {
    /// Begins to listen; nothing is answered before [`run`](Server::run).
    pub fn bind(settings: Settings) -> io::Result<Self> {
        let socket = listen(settings.listen)?;
        socket.set_read_timeout(Some(TICK))?;
        let (stop, secret) = (Arc::new(AtomicBool::new(false)), RandomState::new());
        Ok(Self { settings, socket, should_stop: stop, secret, started_at: Instant::now() })
    }

    /// The address at which it listens.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    /// The flag that ends the server when it is set.
    pub fn stop_flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.should_stop)
    }

    /// Shows recordings until the server is stopped.
    pub fn run(&self) -> io::Result<()> {
        let mut viewers: HashMap<SocketAddr, Viewer> = HashMap::new();
        let mut buffer = vec![0; LONGEST];
        let (mut answers, mut ticked) = (AnswerBudget::default(), Duration::ZERO);
        while !self.should_stop.load(Ordering::Relaxed) {
            let received = crate::proxy::receive(&self.socket, &mut buffer)?;
            let now = self.started_at.elapsed();
            if now.as_secs() != answers.second {
                answers = AnswerBudget { second: now.as_secs(), ..AnswerBudget::default() };
            }
            if let Some((length, from)) = received
                && let Some(datagram) = buffer.get(..length)
            {
                self.take_datagram(datagram, from, now, &mut viewers, &mut answers);
            }
            // A flood must not delay the viewers' frames.
            if received.is_none() || now.saturating_sub(ticked) > TICK {
                ticked = now;
                self.tick(&mut viewers, &mut buffer, now);
            }
        }
        Ok(())
    }

    fn tick(&self, viewers: &mut HashMap<SocketAddr, Viewer>, buffer: &mut [u8], now: Duration) {
        viewers.retain(|address, viewer| {
            let mut send = |datagram: &[u8]| {
                let _ = self.socket.send_to(datagram, *address);
            };
            match viewer {
                Viewer::NetQuake(viewer, socket) => {
                    serve_from(socket, viewer, buffer, now);
                    viewer.tick(&*self.settings.quake, now, &mut |datagram| drop(socket.send(datagram)));
                }
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
        viewers: &mut HashMap<SocketAddr, Viewer>,
        answers: &mut AnswerBudget,
    ) {
        let outside = out_of_band(datagram);
        let control = match Packet::parse(datagram) {
            Some(Packet::Control(control)) => Some(control),
            _ => None,
        };
        if outside.is_none() && control.is_none() {
            match viewers.get_mut(&from) {
                Some(Viewer::Quake2(viewer)) => viewer.receive(datagram, now),
                Some(Viewer::QuakeWorld(viewer)) => viewer.receive(datagram, now),
                Some(Viewer::NetQuake(..)) | None => {}
            }
            return;
        }
        if answers.short == 0 {
            return;
        }
        let answer = match (control, outside) {
            (Some(Control::Connect), _) => Some(self.connect(from, now, viewers)),
            (Some(Control::ServerInfo), _) => Some(self.info(viewers.len())),
            (Some(Control::PlayerInfo(number)), _) => player(number, now, viewers),
            (Some(Control::RuleInfo(before)), _) => Some(self.rule(before)),
            (_, Some(text)) => self.outside(text, from, now, viewers),
            _ => None,
        };
        // Only the answers to questions about the server, and to Quake's request for a connection, may be longer than
        // the request.
        let asks = control.is_some()
            || outside.is_some_and(|text| QUESTIONS.iter().any(|word| text.starts_with(word)));
        let Some(answer) = answer else { return };
        let left = if answer.len() <= datagram.len() { &mut answers.short } else { &mut answers.long };
        if *left > 0 && (asks || answer.len() <= datagram.len()) {
            *left -= 1;
            let _ = self.socket.send_to(&answer, from);
        }
    }

    /// Accepts a NetQuake client, with the port of a new socket.
    fn connect(&self, from: SocketAddr, now: Duration, viewers: &mut HashMap<SocketAddr, Viewer>) -> Vec<u8> {
        let reason: &[u8] = if self.settings.quake.is_empty() {
            b"There is no recording of Quake.\n"
        } else if !self.make_room(from, viewers) {
            b"Server is full.\n"
        } else {
            if viewers.get(&from).is_none_or(|viewer| viewer.may_be_replaced(now))
                && let Ok(socket) = connect_to(self.settings.listen, from)
            {
                viewers.insert(from, Viewer::NetQuake(Box::new(NetQuakeViewer::new(now)), socket));
            }
            b"The server has no socket left.\n"
        };
        let mut out = Vec::new();
        let accepted = match viewers.get(&from) {
            Some(Viewer::NetQuake(_, socket)) => socket.local_addr().ok(),
            _ => None,
        };
        Packet::Control(match accepted {
            Some(address) => Control::Accept { port: address.port().into(), more: b"" },
            None => Control::Reject(reason),
        })
        .write(&mut out);
        out
    }

    /// Makes room for one more client, if necessary by dropping one that has not answered. Returns false if there is no
    /// room.
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

    fn info(&self, count: usize) -> Vec<u8> {
        let address = self.address().map(|address| address.to_string()).unwrap_or_default();
        let map = if self.settings.quake.is_empty() { String::new() } else { self.settings.quake.map(0) };
        let viewers = self.settings.viewers.min(255) as u8;
        server_info(&address, &self.settings.name, &map, count.min(255) as u8, viewers)
    }

    /// The rule of this server that follows the one with this name.
    fn rule(&self, before: &[u8]) -> Vec<u8> {
        let count = self.settings.quake.len().to_string();
        // not from SCHEMA: names of rules, which the server makes up
        let rules = [("recordings", &count[..]), ("version", "Moviola")];
        let known = rules.iter().position(|(name, _)| name.as_bytes() == before);
        let next = if before.is_empty() { Some(0) } else { known.map(|at| at + 1) };
        rule_info(next.and_then(|at| rules.get(at)).copied())
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
                        self.enter((from, now), fits, viewers, new, ["client_connect", "print\n"])
                    }
                    "28" if has_quakeworld && !fits => format!("c{}\0", self.challenge(from, seconds)),
                    "28" if has_quakeworld => {
                        let new = || Viewer::QuakeWorld(Box::new(QuakeWorldViewer::new(now)));
                        self.enter((from, now), fits, viewers, new, ["j", "n\n"])
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

    /// Accepts a client that has the right number. `[yes, no]` are the first bytes of the two possible answers.
    fn enter(
        &self,
        (from, now): (SocketAddr, Duration),
        is_suitable: bool,
        viewers: &mut HashMap<SocketAddr, Viewer>,
        new: impl FnOnce() -> Viewer,
        [yes, no]: [&str; 2],
    ) -> String {
        if !is_suitable {
            return format!("{no}Bad challenge.\n");
        } else if !self.make_room(from, viewers) {
            return format!("{no}Server is full.\n");
        }
        if viewers.get(&from).is_none_or(|viewer| viewer.may_be_replaced(now)) {
            viewers.insert(from, new());
        }
        yes.to_owned()
    }

    /// A number that only a reader at this address can know, and that the server need not store. With more than three
    /// digits the answer would be longer than the request. A correct guess gains nothing, because the server sends
    /// nothing before a packet comes back.
    fn challenge(&self, from: SocketAddr, seconds: u64) -> u32 {
        self.secret.hash_one((from, seconds / CHALLENGE_SECONDS)) as u32 % 1000
    }
}

/// The answer to a question about a player: the viewers in the order in which they connected.
fn player(number: u8, now: Duration, viewers: &HashMap<SocketAddr, Viewer>) -> Option<Vec<u8>> {
    let mut came: Vec<Duration> =
        viewers.values().filter(|it| it.is_known()).map(|it| it.presence().opened()).collect();
    came.sort_unstable();
    let seconds = now.saturating_sub(*came.get(usize::from(number))?).as_secs();
    Some(player_info(number, &format!("viewer {}", u32::from(number) + 1), u32::try_from(seconds).ok()?))
}

/// The numbers of answers that may still be sent in this second.
struct AnswerBudget {
    second: u64,
    long: u32,
    short: u32,
}

impl Default for AnswerBudget {
    fn default() -> Self {
        Self { second: 0, long: LONG_ANSWERS_A_SECOND, short: ANSWERS_A_SECOND }
    }
}

/// A socket that receives from this client alone.
fn connect_to(listen: SocketAddr, client: SocketAddr) -> io::Result<UdpSocket> {
    let socket = UdpSocket::bind((listen.ip(), 0))?;
    socket.connect(client)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// Hands a viewer the datagrams of its client.
fn serve_from(socket: &UdpSocket, viewer: &mut NetQuakeViewer, buffer: &mut [u8], now: Duration) {
    for _ in 0..MOST_A_TICK {
        // An error means that the client is gone; its silence will show that too.
        let Ok(Some((length, _))) = crate::proxy::receive(socket, buffer) else { return };
        let mut reply = Vec::new();
        viewer.receive(buffer.get(..length).unwrap_or_default(), now, &mut reply);
        if !reply.is_empty() {
            let _ = socket.send(&reply);
        }
    }
}
