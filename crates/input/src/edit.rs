//! Edits a recording: changes that keep a run in step, and LMPC's changes to header, footer, pauses, saved
//! games and idle tics.

use crate::compile::RecordingMaker;
use crate::evidence::is_plausible;
use crate::footer::{self, Footer, LARGEST};
use crate::header::{Header, HeaderMistake, Line, Wrapper, versions_of};
use crate::reader::{InputPiece, Recording};
use crate::record::{Packed, RecordForm};
use moviola_text::TextCode;
use std::io::{self, Read, Seek, Write};

/// The changes that [`edit`] makes.
///
/// ```
/// use moviola_input::{InputEdit, edit};
/// use std::io::Cursor;
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80PWAD and more";
/// let change = InputEdit { set: vec![("Skill".into(), "2".into())], strip_footer: true, ..InputEdit::default() };
/// let mut made = Vec::new();
/// edit(&recording[..], &mut made, Cursor::new(Vec::new()), &change).unwrap();
/// assert_eq!(made, b"\x6d\x01\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputEdit {
    /// The layout to assume, one of [`games`](crate::games); with `None` the bytes of the file decide.
    pub game: Option<String>,
    /// Lines of the header, and texts of the footer, with their new values. Case is ignored, except in names that both
    /// have.
    pub set: Vec<(String, String)>,
    /// The version to write; 0 is DOOM before 1.4.
    pub version: Option<String>,
    /// The slot of the player whose view is shown.
    pub view: Option<u8>,
    /// Whether to leave out the footer.
    pub strip_footer: bool,
    /// Seconds of idle tics to add at the end.
    pub wait: u64,
    /// Whether to remove the pauses.
    pub remove_pauses: bool,
    /// Whether to remove the commands that save games.
    pub clear_saves: bool,
}

/// The most idle seconds that are added.
const MOST_WAIT: u64 = 360_000;

fn refused(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, what)
}

/// Writes the recording with its changes. Counts in the header follow the records.
///
/// ```
/// use moviola_input::{InputEdit, edit};
/// use std::io::Cursor;
/// let change = InputEdit { set: vec![("Color".into(), "2".into())], ..InputEdit::default() };
/// let recording = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80";
/// let error = edit(&recording[..], Vec::new(), Cursor::new(Vec::new()), &change).unwrap_err();
/// assert!(error.to_string().starts_with("this recording has no Color. It has Game, Version, Wrapper, Skill, Episode"));
/// ```
pub fn edit<R: Read, W: Write, S: Read + Write + Seek>(
    source: R,
    out: W,
    spool: S,
    change: &InputEdit,
) -> io::Result<()> {
    let mut recording = Recording::open(source, change.game.as_deref())?;
    if !crate::evidence::is_known(recording.header()) {
        return Err(refused("only its raw bytes are known: nothing can be changed".to_owned()));
    }
    if change.wait > MOST_WAIT {
        return Err(refused(format!(
            "{} idle seconds are more than {MOST_WAIT}, a hundred hours",
            change.wait
        )));
    }
    if recording.header().form.is_packed() && (change.remove_pauses || change.clear_saves) {
        return Err(refused(
            "pauses and saved games are taken out of recordings of DOOM and its kin".to_owned(),
        ));
    }
    let header = changed(recording.header(), change)?;
    let change = &InputEdit { set: lumps(recording.header(), change)?, ..change.clone() };
    let (from, to) = (recording.record_form(), header.record());
    if from.length != to.length && (from.more != to.more || from.keys) {
        return Err(refused("its records cannot be those of the other game".to_owned()));
    }
    let players = recording.players();
    let mut maker = RecordingMaker::new(out, spool);
    let is_packed = header.form.is_packed();
    maker.start(header)?;
    let mut group = Group {
        source_form: from,
        target_form: to,
        records: Vec::new(),
        paused: false,
        wait: change.wait,
        change,
    };
    let (mut footer, mut is_long) = (Vec::new(), false);
    while let Some(piece) = recording.next_piece()? {
        match piece {
            InputPiece::Record { bytes, .. } => {
                group.records.push(Packed::of(bytes));
                if group.records.len() >= players {
                    group.write(&mut maker)?;
                }
            }
            InputPiece::Packing(_) => {}
            InputPiece::Damaged(bytes) => {
                group.write(&mut maker)?;
                maker.damaged(bytes)?;
            }
            InputPiece::End => group.end(&mut maker, players)?,
            InputPiece::Tail(bytes) => {
                group.end(&mut maker, players)?;
                footer.extend_from_slice(bytes);
                if footer.len() > LARGEST || is_long {
                    is_long = true;
                    if !recording.ended && !is_packed {
                        maker.without_mark();
                    }
                    if !change.strip_footer {
                        maker.tail(&footer)?;
                    }
                    footer.clear();
                }
            }
        }
    }
    group.end(&mut maker, players)?;
    if !recording.ended && !is_packed {
        maker.without_mark();
    }
    if !change.strip_footer {
        if !change.set.is_empty() && is_packed {
            return Err(refused("a recording of Duke's has no footer".to_owned()));
        }
        if !change.set.is_empty() && !recording.ended {
            let words = "it has no end mark, and a footer would be played as more of its tics: footers come after the mark";
            return Err(refused(words.to_owned()));
        }
        maker.tail(&new_footer(footer, change)?)?;
    }
    maker.close().map(drop)
}

/// A tic: the records of all players.
struct Group<'c> {
    source_form: RecordForm,
    target_form: RecordForm,
    records: Vec<Packed>,
    paused: bool,
    /// Seconds of idle tics that are still to be added.
    wait: u64,
    change: &'c InputEdit,
}

impl Group<'_> {
    fn write<W: Write, S: Read + Write + Seek>(
        &mut self,
        maker: &mut RecordingMaker<W, S>,
    ) -> io::Result<()> {
        let mut records = std::mem::take(&mut self.records);
        for record in &mut records {
            if self.change.remove_pauses && self.source_form.is_pause(record.bytes()) {
                self.paused = !self.paused;
                self.source_form.clear_buttons(record.bytes_mut());
            }
            if self.change.clear_saves && self.source_form.is_save(record.bytes()) {
                self.source_form.clear_buttons(record.bytes_mut());
            }
        }
        // Engines toggle the pause before they play a tic, so the tic that ends a pause is played.
        if !self.paused {
            for record in &records {
                let same = self.source_form.length == self.target_form.length
                    && self.source_form.wide == self.target_form.wide;
                if !same && self.source_form.loses_turns(&self.target_form, record.bytes()) {
                    let words = "its turns have 16 bits, of which that version would lose 8: the run would go out of step";
                    return Err(refused(words.to_owned()));
                }
                let made = if same {
                    *record
                } else {
                    self.source_form.turned_into(&self.target_form, record.bytes())
                };
                maker.record(made, 1)?;
            }
        }
        records.clear();
        self.records = records;
        Ok(())
    }

    /// Writes the records of a last tic that lacks players, and the idle tics.
    fn end<W: Write, S: Read + Write + Seek>(
        &mut self,
        maker: &mut RecordingMaker<W, S>,
        players: usize,
    ) -> io::Result<()> {
        self.write(maker)?;
        let rate = if self.target_form.keys { 30 } else { 35 };
        let idle = Packed::idle(&self.target_form);
        maker.record(idle, std::mem::take(&mut self.wait) * rate * players as u64)
    }
}

/// The header with its changes.
fn changed(header: &Header, change: &InputEdit) -> io::Result<Header> {
    let mut lines = header.lines();
    let set_line = |lines: &mut Vec<Line>, key: &str, value: &str| {
        let same = |line: &&mut Line| line.0.eq_ignore_ascii_case(key);
        if let Some(line) = lines.iter_mut().find(same) {
            value.clone_into(&mut line.1);
        } else {
            // New lines go before the `Bytes[...]` lines.
            let at = lines.iter().position(|line| line.0.starts_with("Bytes[")).unwrap_or(lines.len());
            lines.insert(at, (key.to_owned(), value.to_owned(), String::new()));
        }
    };
    for (key, value) in change.set.iter().filter(|(key, _)| header.has(key) && lump(key) != Some(key)) {
        set_line(&mut lines, key, value);
    }
    if let Some(view) = change.view {
        if !header.active().contains(&usize::from(view)) {
            return Err(refused(format!("player {view} does not play")));
        }
        set_line(&mut lines, "ViewOfPlayer", &view.to_string());
    }
    let mut is_lenient = false;
    if let Some(version) = &change.version {
        set_line(&mut lines, "Version", version);
        lines.retain(|line| !line.0.starts_with("Bytes["));
        is_lenient = true;
    }
    let mut header_lines = loop {
        match Header::parse(&lines) {
            Ok(made) => break made,
            // LMPC also leaves out fields that the other version does not have.
            Err(HeaderMistake { code: TextCode::UnknownField, offset: Some(at), .. }) if is_lenient => {
                drop(lines.remove(at));
            }
            Err(slip) => return Err(refused(slip.what)),
        }
    };
    header_lines.claim(header.claims());
    if change.version.is_some() || header_lines.version_byte() != header.version_byte() {
        is_readable(&header_lines)?;
    }
    if header_lines.players() != header.players() {
        return Err(refused(
            "the records are of as many players as there are: who plays cannot change".to_owned(),
        ));
    }
    let view = |header: &Header| header.value("ViewOfPlayer").and_then(|it| usize::try_from(it).ok());
    let plays = |header: &Header| view(header).is_none_or(|slot| header.active().contains(&slot));
    if plays(header) && !plays(&header_lines) {
        return Err(refused(format!("player {} does not play", view(&header_lines).unwrap_or_default())));
    }
    if is_plausible(header) && !is_plausible(&header_lines) {
        let words =
            "no game has such a skill, episode, map or player: skills are 1 to 5, and maps begin with 1";
        return Err(refused(words.to_owned()));
    }
    Ok(header_lines)
}

/// A version can only be changed to one with the same header, because otherwise readers would misread the new header.
fn is_readable(made: &Header) -> io::Result<()> {
    let is_known = match made.version_byte() {
        Some(byte) => made.form.version(byte).is_some(),
        None => made.wrapper == Wrapper::None,
    };
    if is_known {
        return Ok(());
    }
    Err(refused(versions_of(made.form)))
}

/// The lump of a footer that a key names, in capitals or not.
fn lump(key: &str) -> Option<&'static str> {
    footer::LUMPS.iter().map(|(name, _)| *name).find(|name| name.eq_ignore_ascii_case(key))
}

/// The changes of the footer's texts: those whose key is not in the header. A name that both have means the footer's if
/// it is in capitals.
fn lumps(header: &Header, change: &InputEdit) -> io::Result<Vec<(String, String)>> {
    let mut lumps = Vec::new();
    for (key, value) in &change.set {
        match lump(key) {
            Some(name) if name == key || !header.has(key) => lumps.push((name.to_owned(), value.clone())),
            _ if header.has(key) => {}
            _ => {
                let keys = header.keys().collect::<Vec<_>>().join(", ");
                let texts = footer::LUMPS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
                return Err(refused(format!(
                    "this recording has no {key}. It has {keys}; and in the footer {texts}"
                )));
            }
        }
    }
    Ok(lumps)
}

/// The footer with its changes.
fn new_footer(footer: Vec<u8>, change: &InputEdit) -> io::Result<Vec<u8>> {
    let mut texts = change.set.iter().peekable();
    if texts.peek().is_none() {
        return Ok(footer);
    }
    let mut new_footer = match Footer::read(&footer) {
        Some(made) => made,
        // Readers take the first WAD file that they find, so a WAD file after a damaged one would be ignored.
        None if footer::wad_at(&footer).is_some() => {
            return Err(refused("its footer is damaged, so its texts cannot be changed".to_owned()));
        }
        None => Footer { before: footer, ..Footer::default() },
    };
    texts.for_each(|(name, text)| new_footer.set(name, text));
    Ok(new_footer.built())
}
