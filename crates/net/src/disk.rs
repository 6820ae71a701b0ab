//! Writes recordings to disk, in one thread: copies of datagrams become recordings, a file each.
//!
//! A file gets its own name at once and grows by whole blocks, each with a write call of its own, so it can be played
//! however the program ends. That is why it is not written under another name and renamed, as other outputs are. No
//! existing file is ever replaced. The last blocks may still change, but neither their place nor their size.
// not from SCHEMA, all words: parts of a file's name.

use crate::proxy::{Captured, Handle};
use crate::session::SessionTape;
use crate::tape::{Cut, Notice, Tape, Title};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Receiver;
use std::time::SystemTime;

/// The greatest number of files with the same name, which are distinguished by a number.
const MOST_OF_A_NAME: u32 = 10_000;

/// The endings of recordings' names.
const ENDINGS: [&str; 4] = ["dem", "dm2", "qwd", "mvd"];
/// The length of a header, without which a shorter file has no block.
const HEADER: u64 = 3;

/// An event in the life of a file.
#[derive(Debug)]
pub enum FileEvent {
    /// A recording has begun.
    Began {
        /// The file.
        path: PathBuf,
        /// The file of the same player's recording before this one.
        behind: Option<PathBuf>,
        /// The number of bytes at the file's beginning that will not change while it is being written.
        settled: Arc<AtomicU64>,
    },
    /// The recording is complete.
    Ended {
        /// The file.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// The file could not be written any further; the blocks that were written stay.
    Failed {
        /// The file.
        path: PathBuf,
        /// The error.
        why: io::Error,
    },
    /// A connection or a part of it is not recorded.
    Notice(Notice),
}

/// Writes recordings of the datagrams that a proxy passes on.
#[derive(Debug)]
pub struct Recorder {
    pattern: PathBuf,
    recording: bool,
    split: bool,
    clients: HashMap<u64, Client>,
    cuts: Vec<Cut>,
    proxy: Option<Handle>,
    /// The notices about games that were reported; each is reported once.
    reported: HashSet<Notice>,
}

#[derive(Debug)]
struct Client {
    tape: SessionTape,
    keeper: FileWriter,
    /// The number below which the proxy lets through no acknowledgement of a frame.
    unacknowledged: Option<i32>,
}

/// Writes the consecutive recordings of one connection into files.
#[derive(Debug)]
pub(crate) struct FileWriter {
    pattern: PathBuf,
    file: Option<Open>,
    /// The file of the last recording, for the next one.
    last: Option<PathBuf>,
}

#[derive(Debug)]
struct Open {
    path: PathBuf,
    file: File,
    /// The number of bytes that will not change.
    settled: Arc<AtomicU64>,
    /// The bytes after those, of blocks that were written before they were final.
    ahead: Vec<u8>,
}

impl Open {
    fn settled(&self) -> u64 {
        self.settled.load(Ordering::Relaxed)
    }

    /// The number of bytes of whole blocks.
    fn bytes(&self) -> u64 {
        self.settled() + self.ahead.len() as u64
    }

    /// Writes the next bytes, over those that were written ahead.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.ahead.is_empty() {
            self.file.write_all(bytes)?;
        } else if self.ahead.starts_with(bytes) {
            self.ahead.drain(..bytes.len());
        } else {
            self.file.seek(SeekFrom::Start(self.settled()))?;
            self.file.write_all(bytes)?;
            self.ahead.drain(..bytes.len().min(self.ahead.len()));
            self.file.seek(SeekFrom::End(0))?;
        }
        self.settled.fetch_add(bytes.len() as u64, Ordering::Release);
        Ok(())
    }

    /// Writes a block at the end of the file, in a form that may still change.
    fn put_ahead(&mut self, block: &[u8]) -> io::Result<()> {
        self.file.write_all(block)?;
        self.ahead.extend_from_slice(block);
        Ok(())
    }

    /// Removes the blocks that were written ahead.
    fn withdraw(&mut self) -> io::Result<()> {
        self.ahead.clear();
        self.file.set_len(self.settled())?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }
}

impl Recorder {
    /// A recorder that names files by `pattern`, in which it replaces `{map}`, `{player}` and `{time}`.
    /// Unless it is `recording`, it waits for [`Captured::Record`] or a player's `say .record`.
    pub fn new(pattern: &Path, recording: bool) -> Self {
        let (clients, cuts) = (HashMap::new(), Vec::new());
        Self {
            pattern: pattern.to_owned(),
            recording,
            split: false,
            clients,
            cuts,
            proxy: None,
            reported: HashSet::new(),
        }
    }

    /// Writes each level to a file of its own; the game's own `record` writes all levels to one.
    #[must_use]
    pub fn split(mut self, split: bool) -> Self {
        self.split = split;
        self
    }

    /// Asks servers for whole frames through this proxy, so that a recording of Quake II can begin in the middle of a level.
    #[must_use]
    pub fn through(mut self, proxy: Handle) -> Self {
        self.proxy = Some(proxy);
        self
    }

    /// Writes until the proxy ends.
    pub fn run(mut self, captured: &Receiver<Captured>, mut report: impl FnMut(FileEvent)) {
        for message in captured.iter().take_while(|message| !matches!(message, Captured::Over)) {
            self.handle(message, &mut report);
        }
        let numbers: Vec<u64> = self.clients.keys().copied().collect();
        for client in numbers {
            self.handle(Captured::Gone { client }, &mut report);
        }
    }

    /// Handles one message of the proxy.
    pub fn handle(&mut self, message: Captured, report: &mut impl FnMut(FileEvent)) {
        let (recording, split) = (self.recording, self.split);
        match message {
            Captured::Datagram { client, direction: way, at, bytes } => {
                let (tape, keeper) =
                    (SessionTape::new(recording).split(split), FileWriter::new(&self.pattern));
                let new = || Client { tape, keeper, unacknowledged: None };
                let number = client;
                let client = self.clients.entry(number).or_insert_with(new);
                client.tape.take_datagram(way, &bytes, at, &mut self.cuts);
                let reported = &mut self.reported;
                self.cuts.retain(|cut| match cut {
                    Cut::Notice(notice) => !notice.is_of_the_game() || reported.insert(*notice),
                    _ => true,
                });
                client.keeper.write(&mut self.cuts, report);
                let below = client.tape.unacknowledged();
                if std::mem::replace(&mut client.unacknowledged, below) != below {
                    self.request_whole(number, below);
                }
            }
            Captured::Gone { client: number } => {
                if let Some(mut client) = self.clients.remove(&number) {
                    client.tape.close(&mut self.cuts);
                    client.keeper.write(&mut self.cuts, report);
                }
                self.request_whole(number, None);
            }
            Captured::Over => {}
            Captured::Record | Captured::Stop => {
                self.recording = matches!(message, Captured::Record);
                for client in self.clients.values_mut() {
                    if self.recording {
                        client.tape.start(&mut self.cuts);
                    } else {
                        client.tape.stop(&mut self.cuts);
                    }
                    client.keeper.write(&mut self.cuts, report);
                }
            }
        }
    }
}

impl Recorder {
    fn request_whole(&self, client: u64, below: Option<i32>) {
        if let Some(proxy) = &self.proxy {
            proxy.ask_for_whole_frame(client, below);
        }
    }
}

impl FileWriter {
    /// Names files by `pattern`, as a recorder does.
    pub(crate) fn new(pattern: &Path) -> Self {
        Self { pattern: pattern.to_owned(), file: None, last: None }
    }

    pub(crate) fn write(&mut self, cuts: &mut Vec<Cut>, report: &mut impl FnMut(FileEvent)) {
        for cut in cuts.drain(..) {
            match cut {
                Cut::Begin(title) => {
                    self.end(report);
                    let path = named(&self.pattern, &title, &time_of_day());
                    match create(&path) {
                        Ok((path, file)) => {
                            let behind = self.last.replace(path.clone());
                            let settled = Arc::new(AtomicU64::new(0));
                            let (name, seen) = (path.clone(), Arc::clone(&settled));
                            report(FileEvent::Began { path: name, behind, settled: seen });
                            self.file = Some(Open { path, file, settled, ahead: Vec::new() });
                        }
                        Err(why) => report(FileEvent::Failed { path, why }),
                    }
                }
                Cut::Bytes(bytes) => self.change(report, |open| open.put(&bytes)),
                Cut::Ahead(block) => self.change(report, |open| open.put_ahead(&block)),
                Cut::Withdraw => self.change(report, Open::withdraw),
                Cut::End => self.end(report),
                Cut::Notice(notice) => report(FileEvent::Notice(notice)),
            }
        }
    }

    /// Changes the file, which ends where that fails.
    fn change(
        &mut self,
        report: &mut impl FnMut(FileEvent),
        change: impl FnOnce(&mut Open) -> io::Result<()>,
    ) {
        let Some(open) = &mut self.file else { return };
        let Err(why) = change(open) else { return };
        // Part of a block may be on the disk: it is cut off, so that the file ends with a whole block.
        if open.bytes() <= HEADER {
            let _ = std::fs::remove_file(&open.path);
        } else {
            let _ = open.file.set_len(open.bytes());
        }
        report(FileEvent::Failed { path: open.path.clone(), why });
        self.file = None;
    }

    fn end(&mut self, report: &mut impl FnMut(FileEvent)) {
        if let Some(open) = self.file.take() {
            let bytes = open.bytes();
            report(FileEvent::Ended { path: open.path, bytes });
        }
    }
}

/// The path of a recording with this title. If the path does not end like a recording's name, the ending is appended.
fn named(pattern: &Path, title: &Title, time: &str) -> PathBuf {
    let fill = |text: &str| {
        let player = if title.player.is_empty() { "player" } else { &title.player };
        let map = if title.map.is_empty() { "level" } else { &title.map };
        text.replace("{map}", &plain(map)).replace("{player}", &plain(player)).replace("{time}", time)
    };
    let mut path: PathBuf = pattern.iter().map(|part| fill(&part.to_string_lossy())).collect();
    let is_recording =
        path.extension().is_some_and(|own| ENDINGS.iter().any(|ending| own.eq_ignore_ascii_case(ending)));
    if !is_recording {
        let name = [path.file_name().unwrap_or_default(), title.extension.as_ref()].join(OsStr::new("."));
        path.set_file_name(name);
    }
    path
}

/// A name from a game as part of a file's name: characters that have a meaning for systems or shells become
/// `_`.
fn plain(name: &str) -> String {
    let plain = |sign: char| if sign.is_ascii_alphanumeric() || "-_+=".contains(sign) { sign } else { '_' };
    name.chars().take(40).map(plain).collect()
}

/// Creates a new file; if its name is taken, the name gets a number.
fn create(path: &Path) -> io::Result<(PathBuf, File)> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let stem = path.file_stem().unwrap_or_default().to_owned();
    for number in 1..=MOST_OF_A_NAME {
        let mut numbered_path = path.to_owned();
        if number > 1 {
            let mut name = stem.clone();
            name.push(format!("-{number}"));
            numbered_path.set_file_name(name);
            if let Some(extension) = path.extension() {
                numbered_path.set_extension(extension);
            }
        }
        match OpenOptions::new().write(true).create_new(true).open(&numbered_path) {
            Ok(file) => return Ok((numbered_path, file)),
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(why),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The current date and time as part of a file's name, in UTC: `20261122-201530`.
fn time_of_day() -> String {
    let seconds = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", rest / 3600, rest / 60 % 60, rest % 60)
}

/// Year, month and day of a day counted from 1970, by counting whole years and months.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if days < length {
            break;
        }
        (days, year) = (days - length, year + 1);
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        (days, month) = (days - length, month + 1);
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_filled_in() {
        let title = Title { map: "dm4".into(), player: "a/b c".into(), extension: "dem" };
        let path = named(Path::new("demos/{map}-{player}-{time}"), &title, "now");
        assert_eq!(path, Path::new("demos/dm4-a_b_c-now.dem"));
        for (pattern, path) in
            [("run.dem", "run.dem"), ("run.DM2", "run.DM2"), ("{time}-v1.2", "now-v1.2.dem")]
        {
            assert_eq!(named(Path::new(pattern), &title, "now"), Path::new(path));
        }
    }

    #[test]
    fn a_full_disk_leaves_no_file_without_a_block() {
        let path = std::env::temp_dir().join(format!("moviola-full-{}.dem", std::process::id()));
        for (written, stays) in [("", false), ("-1\n", false), ("-1\nblock", true)] {
            std::fs::write(&path, written).unwrap();
            // A file that is open only for reading cannot be written, like one on a full disk.
            let (file, settled) = (File::open(&path).unwrap(), Arc::new((written.len() as u64).into()));
            let open = Open { path: path.clone(), file, settled, ahead: Vec::new() };
            let mut writer = FileWriter { file: Some(open), ..FileWriter::new(Path::new("")) };
            let mut failed = false;
            writer.write(&mut vec![Cut::Bytes(vec![0; 20])], &mut |it| {
                failed = matches!(it, FileEvent::Failed { .. });
            });
            assert!(failed);
            assert_eq!(path.exists(), stays, "{written:?}");
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn blocks_that_were_written_ahead_are_settled_in_their_place() {
        let path = std::env::temp_dir().join(format!("moviola-ahead-{}.dem", std::process::id()));
        let file = File::create(&path).unwrap();
        let open = Open { path: path.clone(), file, settled: Arc::default(), ahead: Vec::new() };
        let mut writer = FileWriter { file: Some(open), ..FileWriter::new(Path::new("")) };
        let cut = |text: &str| Cut::Bytes(text.into());
        let ahead = |text: &str| Cut::Ahead(text.into());
        // After each step the file has all blocks recorded so far, in their present form.
        for (step, expected, settled) in [
            (cut("one,"), "one,", 4),
            (ahead("two?"), "one,two?", 4),
            (ahead("three?"), "one,two?three?", 4),
            (cut("two,"), "one,two,three?", 8),
            (ahead("four?"), "one,two,three?four?", 8),
            (cut("three?"), "one,two,three?four?", 14),
            (cut("four,"), "one,two,three?four,", 19),
            (ahead("five?"), "one,two,three?four,five?", 19),
            (Cut::Withdraw, "one,two,three?four,", 19),
            (cut("end"), "one,two,three?four,end", 22),
        ] {
            writer.write(&mut vec![step], &mut |it| panic!("{it:?}"));
            assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
            assert_eq!(writer.file.as_ref().unwrap().settled(), settled);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn days_have_dates() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(19_783), (2024, 3, 1));
    }

    #[test]
    fn a_second_file_of_a_name_gets_a_number() {
        let folder = std::env::temp_dir().join(format!("moviola-net-{}", std::process::id()));
        let path = folder.join("run.dem");
        assert_eq!(create(&path).unwrap().0, path);
        assert_eq!(create(&path).unwrap().0, folder.join("run-2.dem"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
