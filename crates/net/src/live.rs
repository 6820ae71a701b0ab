//! Recordings that are still being written, for observers: each observer has a thread, which reads the growing file
//! from its newest moment on.
//!
//! So observers cannot delay those who play: neither the proxy nor the thread that writes depends on them. The file is
//! the queue between them and a slow observer, which costs no memory.

use crate::disk::FileEvent;
use crate::first_level::First;
use crate::show::{Playlist, Shown};
use moviola_format::{Demo, Format, Game, Piece};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often a thread that waits for the next block looks for it.
const TICK: Duration = Duration::from_millis(5);
/// The most bytes of a file that are read ahead of an observer, and the most writes that are queued.
const READ_AHEAD: usize = 1 << 14;
const MAX_WAITING: usize = 256;

/// For this long after the end of a recording, its place in the list is reserved for the same player, who may
/// continue in another file in the next level.
const LOADING: Duration = Duration::from_mins(1);

/// Writes a recording for an observer who joins in the middle: the beginning of the level, a whole frame, then
/// the blocks from the one with this number on, as they come.
///
/// This crate does not know what messages mean, so the maker of a [`Live`] provides it.
pub type Join = fn(&mut GrowingRecording, u64, &mut dyn Write) -> io::Result<()>;

/// The recordings that are being written. All of them are of one game, since a proxy has one server.
#[derive(Clone)]
pub struct Live {
    join: Join,
    slots: Arc<Mutex<Vec<Slot>>>,
    observers: Arc<AtomicUsize>,
}

/// A place in the list of recordings. The next recording takes the place of one that has ended, so that
/// observers stay with a player whose game goes on in another file.
struct Slot {
    path: PathBuf,
    /// The number of its bytes that will not change.
    settled: Arc<AtomicU64>,
    /// When its recording ended.
    ended: Option<Instant>,
    is_running: Arc<AtomicBool>,
    first_packet: Option<First>,
}

impl Slot {
    fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Acquire)
    }
}

impl Live {
    /// No recordings yet.
    pub fn new(join: Join) -> Self {
        Self { join, slots: Arc::default(), observers: Arc::default() }
    }

    /// Takes an event of the recorder.
    pub fn handle(&self, written: &FileEvent) {
        match written {
            FileEvent::Began { path, behind, settled } => {
                let (is_running, settled) = (Arc::new(true.into()), Arc::clone(settled));
                let new = Slot { path: path.clone(), settled, ended: None, is_running, first_packet: None };
                let mut slots = self.slots();
                let is_free = |slot: &Slot| match behind {
                    Some(behind) => slot.path == *behind,
                    None => slot.ended.is_some_and(|ended| ended.elapsed() > LOADING),
                };
                match slots.iter_mut().find(|slot| is_free(slot)) {
                    Some(slot) => *slot = new,
                    None => slots.push(new),
                }
            }
            FileEvent::Ended { path, .. } | FileEvent::Failed { path, .. } => {
                for slot in self.slots().iter_mut().filter(|slot| slot.path == *path) {
                    slot.ended = Some(Instant::now());
                    slot.is_running.store(false, Ordering::Release);
                }
            }
            FileEvent::Notice(_) => {}
        }
    }

    /// The recordings of this game, as a list for a server.
    pub fn of(&self, game: Game) -> impl Playlist + use<> {
        OfGame { live: self.clone(), game, join: self.join, makes: None }
    }

    /// Like [`of`](Self::of), for a `join` that writes this other format.
    pub fn made_into(&self, makes: Format, game: Game, join: Join) -> impl Playlist + use<> {
        OfGame { live: self.clone(), game, join, makes: Some(makes) }
    }

    /// Waits until every observer has seen the recording to its end, but no longer than `most`.
    pub fn finish(&self, most: Duration) {
        let began = Instant::now();
        while self.observers.load(Ordering::Acquire) > 0 && began.elapsed() < most {
            thread::sleep(TICK);
        }
    }

    fn slots(&self) -> MutexGuard<'_, Vec<Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct OfGame {
    live: Live,
    game: Game,
    join: Join,
    /// The format that `join` makes, if it is not the recording's.
    makes: Option<Format>,
}

impl OfGame {
    /// The recording's first level, once enough of it is written to know its game.
    fn first(&self, slot: &mut Slot) -> Option<First> {
        if slot.first_packet.as_ref().is_none_or(|first| first.map.is_empty()) {
            slot.first_packet = File::open(&slot.path).and_then(First::of).ok().flatten();
        }
        slot.first_packet.clone().filter(|first| first.game == self.game)
    }
}

impl Playlist for OfGame {
    fn len(&self) -> usize {
        let mut slots = self.live.slots();
        if slots.iter_mut().any(|slot| self.first(slot).is_some()) { slots.len() } else { 0 }
    }

    /// Whether nothing is being recorded now.
    fn is_empty(&self) -> bool {
        !self.live.slots().iter_mut().any(|slot| slot.is_running() && self.first(slot).is_some())
    }

    fn title(&self, number: usize) -> String {
        let name = |slot: &Slot| slot.path.file_name().map(|name| name.to_string_lossy().into_owned());
        self.live.slots().get(number).and_then(name).unwrap_or_default()
    }

    fn map(&self, number: usize) -> String {
        let mut slots = self.live.slots();
        slots.get_mut(number).and_then(|slot| self.first(slot)).map(|first| first.map).unwrap_or_default()
    }

    fn open(&self, number: usize, _: Option<f64>) -> io::Result<Box<dyn Read + Send>> {
        let (path, is_running, settled) = match self.live.slots().get(number) {
            Some(slot) if slot.is_running() => {
                (slot.path.clone(), Arc::clone(&slot.is_running), Arc::clone(&slot.settled))
            }
            _ => return Err(ErrorKind::WouldBlock.into()),
        };
        let (join, (to, from)) = (self.join, sync_channel(MAX_WAITING));
        let is_watched = Arc::new(AtomicBool::new(true));
        let behind = blocks(&path, settled.load(Ordering::Acquire))?;
        let tail = GrowingFile { file: File::open(&path)?, at: 0, settled, is_running };
        let watched = Arc::clone(&is_watched);
        let mut growing = GrowingRecording { demo: Demo::growing(tail, format(&path)?), is_watched: watched };
        thread::Builder::new().name("observer".into()).spawn(move || {
            // An error means that the observer has disconnected, which ends this loop.
            let _ = join(&mut growing, behind.saturating_sub(1), &mut Sender(to));
        })?;
        let observers = Arc::clone(&self.live.observers);
        observers.fetch_add(1, Ordering::AcqRel);
        Ok(Box::new(Inbox { receiver: from, bytes: Vec::new(), offset: 0, is_watched, observers }))
    }

    fn demo(&self, number: usize, from: Option<f64>) -> io::Result<Shown> {
        let path = self.live.slots().get(number).map(|slot| slot.path.clone());
        let path = path.ok_or(ErrorKind::WouldBlock)?;
        let format = format(&path)?;
        Ok(Demo::growing(self.open(number, from)?, self.makes.unwrap_or(format)))
    }

    fn is_live(&self) -> bool {
        true
    }
}

/// The format of a recording; `WouldBlock` while too little of it is written to know it.
fn format(path: &Path) -> io::Result<Format> {
    let format = Demo::new(File::open(path)?)?.format();
    if format.game().is_some() { Ok(format) } else { Err(ErrorKind::WouldBlock.into()) }
}

/// The number of blocks in the first bytes of a file.
fn blocks(path: &Path, bytes: u64) -> io::Result<u64> {
    let (mut demo, mut count) = (Demo::new(File::open(path)?.take(bytes))?, 0);
    while let Some(piece) = demo.next_piece()? {
        count += u64::from(matches!(piece, Piece::Block(_)));
    }
    Ok(count)
}

/// A recording that is read while it is written.
pub struct GrowingRecording {
    demo: Demo<GrowingFile>,
    is_watched: Arc<AtomicBool>,
}

impl GrowingRecording {
    /// The format of the recording.
    pub fn format(&self) -> Format {
        self.demo.format()
    }

    /// Waits for the next piece and passes it to `take`; returns `false` at the end of the recording. It fails if the
    /// observer has disconnected.
    pub fn next(&mut self, take: impl FnOnce(&Piece<'_>) -> io::Result<()>) -> io::Result<bool> {
        loop {
            if !self.is_watched.load(Ordering::Relaxed) {
                return Err(ErrorKind::BrokenPipe.into());
            }
            match self.demo.next_piece() {
                Ok(Some(piece)) => return take(&piece).map(|()| true),
                Ok(None) => return Ok(false),
                Err(why) if why.kind() == ErrorKind::WouldBlock => thread::sleep(TICK),
                Err(why) => return Err(why),
            }
        }
    }
}

/// Reads a file that is being written, only as far as its bytes are final.
struct GrowingFile {
    file: File,
    /// The number of bytes that were read.
    at: u64,
    settled: Arc<AtomicU64>,
    is_running: Arc<AtomicBool>,
}

impl Read for GrowingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // In this order: bytes that are written before a recording ends must not be missed.
        let is_running = self.is_running.load(Ordering::Acquire);
        let left = self.settled.load(Ordering::Acquire).saturating_sub(self.at);
        let most =
            if is_running { READ_AHEAD.min(usize::try_from(left).unwrap_or(READ_AHEAD)) } else { READ_AHEAD };
        let length = buffer.len().min(most);
        match self.file.read(buffer.get_mut(..length).unwrap_or_default())? {
            0 if is_running && !buffer.is_empty() => Err(ErrorKind::WouldBlock.into()),
            length => {
                self.at += length as u64;
                Ok(length)
            }
        }
    }
}

/// The thread's end of the queue to an observer's viewer.
struct Sender(SyncSender<Vec<u8>>);

impl Write for Sender {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The viewer's end of the queue, which never waits.
struct Inbox {
    receiver: Receiver<Vec<u8>>,
    bytes: Vec<u8>,
    offset: usize,
    is_watched: Arc<AtomicBool>,
    observers: Arc<AtomicUsize>,
}

impl Read for Inbox {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.offset == self.bytes.len() {
            match self.receiver.try_recv() {
                Ok(bytes) => (self.bytes, self.offset) = (bytes, 0),
                Err(TryRecvError::Empty) => return Err(ErrorKind::WouldBlock.into()),
                Err(TryRecvError::Disconnected) => return Ok(0),
            }
        }
        let length = self.bytes.get(self.offset..).unwrap_or_default().read(buffer)?;
        self.offset += length;
        Ok(length)
    }
}

impl Drop for Inbox {
    fn drop(&mut self) {
        self.is_watched.store(false, Ordering::Relaxed);
        self.observers.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observers_stay_with_their_player_when_several_change_the_level_at_once() {
        let live = Live::new(|_, _, _| Ok(()));
        let began = |name: &str, behind: Option<&str>| {
            let (behind, settled) = (behind.map(PathBuf::from), Arc::default());
            live.handle(&FileEvent::Began { path: name.into(), behind, settled });
        };
        let ended = |name: &str| live.handle(&FileEvent::Ended { path: name.into(), bytes: 0 });
        began("a1.dem", None);
        began("b1.dem", None);
        ended("a1.dem");
        ended("b1.dem");
        // The next levels of the two players begin in the other order.
        began("b2.dem", Some("b1.dem"));
        began("a2.dem", Some("a1.dem"));
        let list = live.of(Game::Quake);
        assert_eq!([0, 1].map(|number| list.title(number)), ["a2.dem", "b2.dem"]);
    }
}
