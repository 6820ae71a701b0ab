//! Shows recordings of `QuakeWorld`'s servers as QTV broadcasts: each block is sent when its time comes. The
//! viewer chooses the player to watch, since an MVD has the whole game.

use super::{ANSWER, REQUEST, VERSION, lines, pair};
use crate::bytes::Bytes;
use crate::show::{LIVE, Playlist, Request, Watch, not_yet};
use moviola_format::names::quakeworld::PRINT_LEVEL;
use moviola_format::names::value;
use moviola_format::qw::{Message, Print};
use moviola_format::{Audience, Block, Context, Game, Piece, Stamp, Str, write_message};
use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, mpsc::TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

/// A viewer without a request after this time is disconnected.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// A viewer who receives nothing for this long is gone.
const SILENCE: Duration = Duration::from_secs(45);
/// How often waiting threads check whether there is something to do.
const TICK: Duration = Duration::from_millis(10);
/// How often the listening thread looks for a newcomer.
const LISTEN_INTERVAL: Duration = Duration::from_millis(50);
/// The most requests of a viewer that wait to be carried out.
const MOST_REQUESTS: usize = 16;
/// The longest command of a viewer.
const LONGEST_COMMAND: usize = 1024;
/// The print level of chat.
const CHAT: u8 = value(PRINT_LEVEL, "chat") as u8;

/// The settings of a server of broadcasts.
pub struct Settings {
    /// The most viewers at once.
    pub viewers: usize,
    /// The recordings of QuakeWorld's servers.
    pub recordings: Box<dyn Playlist>,
}

/// Shows recordings until `stop` is set. Each viewer has a thread, which mostly sleeps.
pub fn run(listener: &TcpListener, settings: Settings, stop: &Arc<AtomicBool>) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let (settings, busy) = (Arc::new(settings), Arc::new(AtomicUsize::new(0)));
    while !stop.load(Ordering::Relaxed) {
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(LISTEN_INTERVAL);
            continue;
        };
        // Dropping a connection refuses it.
        if busy.load(Ordering::Relaxed) >= settings.viewers {
            continue;
        }
        busy.fetch_add(1, Ordering::Relaxed);
        let (settings, stop, done) = (Arc::clone(&settings), Arc::clone(stop), Arc::clone(&busy));
        thread::spawn(move || {
            // An error of a viewer who has disconnected is of no interest.
            let _ = answer_request(stream, &*settings.recordings, &stop);
            done.fetch_sub(1, Ordering::Relaxed);
        });
    }
    Ok(())
}

/// A viewer's request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewerRequest {
    /// Whether it asks for the list of recordings.
    pub list: bool,
    /// The recording to show, counted from 0. A name that is not in the list becomes a number that is not in it.
    pub wanted: Option<usize>,
}

impl ViewerRequest {
    /// Reads a request.
    ///
    /// ```
    /// use moviola_net::qtv::ViewerRequest;
    /// let asked = ViewerRequest::read(&mut &b"QTV\nVERSION: 1\nSOURCE: 2\n\n"[..]).unwrap();
    /// assert_eq!(asked, ViewerRequest { list: false, wanted: Some(1) });
    /// assert!(ViewerRequest::read(&mut &b"GET / HTTP/1.1\r\n\r\n"[..]).is_err());
    /// ```
    pub fn read(from: &mut impl Read) -> io::Result<Self> {
        let request = lines(from)?;
        if request.first().map(String::as_str) != Some(REQUEST) {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut viewer = Self { list: false, wanted: None };
        for (key, value) in request.iter().map(|line| pair(line)) {
            match key {
                "SOURCELIST" => viewer.list = true,
                "RECEIVE" => viewer.wanted = viewer.wanted.or(Some(0)),
                "SOURCE" => {
                    viewer.wanted = Some(value.parse::<usize>().unwrap_or_default().wrapping_sub(1));
                }
                _ => {}
            }
        }
        Ok(viewer)
    }
}

/// Answers a request, and shows a recording if it asks for one.
fn answer_request(mut stream: TcpStream, playlist: &dyn Playlist, stop: &AtomicBool) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE))?;
    stream.set_write_timeout(Some(SILENCE))?;
    let ViewerRequest { list, wanted } = ViewerRequest::read(&mut stream)?;
    let mut answer = format!("{ANSWER} {VERSION}\n");
    for number in (0..playlist.len()).filter(|_| list) {
        let _ = writeln!(answer, "ASOURCE: {}: {}: moviola", number + 1, plain(&playlist.title(number)));
    }
    match wanted {
        Some(number) if number < playlist.len() => {
            let _ = writeln!(answer, "BEGIN: {}\n", plain(&playlist.title(number)));
            stream.write_all(answer.as_bytes())?;
            show(stream, playlist, number, stop)
        }
        Some(_) => {
            answer.push_str("PERROR: there is no such recording\n\n");
            stream.write_all(answer.as_bytes())
        }
        None => {
            answer.push('\n');
            stream.write_all(answer.as_bytes())
        }
    }
}

/// A title without the characters that would end it in an answer.
fn plain(title: &str) -> String {
    title.chars().map(|it| if it.is_ascii_graphic() && it != ':' { it } else { '_' }).collect()
}

fn show(mut stream: TcpStream, playlist: &dyn Playlist, number: usize, stop: &AtomicBool) -> io::Result<()> {
    let (commands, requests) = sync_channel(MOST_REQUESTS);
    let mut back = stream.try_clone()?;
    back.set_read_timeout(None)?;
    thread::spawn(move || {
        while let Ok(line) = command(&mut back) {
            // Requests that come too fast are ignored.
            if let Some(request) = Request::of(&line)
                && let Err(std::sync::mpsc::TrySendError::Disconnected(_)) = commands.try_send(request)
            {
                return;
            }
        }
    });
    let mut watch = Watch { number, ..Watch::default() };
    let shown = loop {
        match play(&mut stream, playlist, &mut watch, &requests, stop) {
            Ok(true) => {}
            Ok(false) => break Ok(()),
            Err(why) => break Err(why),
        }
    };
    // This ends the thread that reads from the viewer.
    let _ = stream.shutdown(std::net::Shutdown::Both);
    shown
}

/// Reads a viewer's command: a length that counts itself, a 1, and a string.
///
/// ```
/// use moviola_net::qtv::command;
/// assert_eq!(command(&mut &b"\x09\0\x01.list\0"[..]).unwrap(), b".list");
/// ```
pub fn command(back: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut head = [0; 2];
    back.read_exact(&mut head)?;
    let length = usize::from(u16::from_le_bytes(head)).saturating_sub(head.len());
    if length > LONGEST_COMMAND {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    back.read_exact(&mut body)?;
    let mut bytes = Bytes::new(&body);
    Ok(bytes.u8().and_then(|_| bytes.string()).unwrap_or_default().to_vec())
}

/// Shows one recording; returns whether to go on with another recording or another moment of this one.
fn play(
    stream: &mut TcpStream,
    playlist: &dyn Playlist,
    watch: &mut Watch,
    requests: &Receiver<Request>,
    should_stop: &AtomicBool,
) -> io::Result<bool> {
    let mut demo = playlist.demo(watch.number, watch.from)?;
    // How much of the recording's time has been shown, and how much of it was due.
    let (mut shown, mut due, mut last) = (0.0, 0.0, Instant::now());
    let mut out = Vec::new();
    loop {
        out.clear();
        let is_there = match demo.next_piece() {
            Ok(Some(piece)) => {
                if let Piece::Block(Block { stamp: Stamp::Mvd { msec, .. }, .. }) = piece {
                    due += f64::from(msec) / 1000.0;
                }
                piece.write(Game::QuakeWorld, &mut out)?;
                true
            }
            Ok(None) => break,
            Err(why) if not_yet(&why) => false,
            Err(why) => return Err(why),
        };
        loop {
            match requests.try_recv() {
                Ok(request) => {
                    if carry_out(request, playlist, watch, stream)? {
                        return Ok(true);
                    }
                }
                Err(TryRecvError::Disconnected) => return Ok(false),
                Err(TryRecvError::Empty) => {}
            }
            let passed = last.elapsed();
            last += passed;
            if !watch.paused {
                shown += passed.as_secs_f64() * watch.speed;
            }
            if is_there && if playlist.is_live() { !watch.paused } else { shown >= due } {
                break;
            }
            if should_stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            thread::sleep(TICK);
            if !is_there {
                break;
            }
        }
        stream.write_all(&out)?;
    }
    if playlist.len() > 1 && !playlist.is_live() {
        watch.after(playlist);
        return Ok(true);
    }
    Ok(false)
}

/// Carries out a request; returns whether it asks for another recording or moment.
fn carry_out(
    request: Request,
    playlist: &dyn Playlist,
    watch: &mut Watch,
    stream: &mut TcpStream,
) -> io::Result<bool> {
    match request {
        Request::Pause => watch.paused = !watch.paused,
        Request::Seek(_) | Request::Speed(_) if playlist.is_live() => stream.write_all(&print(LIVE))?,
        Request::Speed(speed) => watch.speed = speed,
        Request::List => stream.write_all(&print(&watch.list(playlist)))?,
        Request::Play(number) if number < playlist.len() => {
            watch.choose(number, None);
            return Ok(true);
        }
        Request::Play(_) | Request::Chosen(_) => stream.write_all(&print("There is no such recording.\n"))?,
        Request::Next => {
            watch.choose((watch.number + 1) % playlist.len().max(1), None);
            return Ok(true);
        }
        Request::Seek(seconds) => {
            watch.choose(watch.number, Some(seconds));
            return Ok(true);
        }
    }
    Ok(false)
}

/// A block for everybody that prints a text.
fn print(text: &str) -> Vec<u8> {
    let (mut body, mut wire) = (Vec::new(), text.as_bytes().to_vec());
    wire.push(0);
    let message = Message::Print(Print { level: CHAT, string: Str::new(&wire) });
    write_message(&message, &mut body, &Context::quakeworld());
    let stamp = Stamp::Mvd { msec: 0, kind: Audience::All.kind(0), players: 0 };
    let mut out = stamp.bytes(body.len() as i32);
    out.extend(body);
    out
}
