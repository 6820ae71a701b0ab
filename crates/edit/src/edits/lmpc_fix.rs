//! `LmpcFix`: the changes of LMPC's option -f, with which old scripts prepared recordings of several levels for engines.
//!
//! It changes other messages than [`FixMulti`](crate::FixMulti), in one way while a recording is converted and in another
//! where the file is changed in its place. Scripts compare its results with files that LMPC wrote, so both ways are LMPC's.

use crate::{BlockWriter, EditOutput, Error, Rewrite};
use bstr::ByteSlice;
use moviola_format::{Block, Entry, Game, Piece, Stamp, Str, dem, dm2};
use std::iter;

/// Changes a recording as LMPC's -f does.
///
/// ```
/// use moviola_edit::{LmpcFix, rewrite};
/// let recording = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x09reconnect\n\0";
/// let (mut converted, mut in_place) = (Vec::new(), Vec::new());
/// rewrite(&recording[..], &mut LmpcFix::converting(), &mut converted).unwrap();
/// rewrite(&recording[..], &mut LmpcFix::in_place(), &mut in_place).unwrap();
/// assert!(converted.ends_with(b"\0\0\x01") && in_place.ends_with(&[1; 13]));
/// assert_eq!(in_place.len(), recording.len());
/// ```
#[derive(Clone, Debug)]
pub struct LmpcFix {
    /// Whether messages are overwritten with messages that do nothing, so that no byte moves.
    is_in_place: bool,
    /// Whether an empty block came before, whose four bytes are added to the next block.
    holds_empty: bool,
    /// Whether anything changed so far.
    has_changed: bool,
}

/// The starts of the commands with which a server of Quake II makes its client ask for the next level's files. During
/// playback there is no server that could answer.
const COMMANDS: [&[u8]; 3] = [b"cmd configstrings", b"cmd baselines", b"record "];

/// The command that ends a level. LMPC removes it only where it stands alone.
// not from SCHEMA: a console command; one of the messages has its name.
const RECONNECT: &[u8] = b"reconnect\n";

/// The command after which a client loads the level. Its number identifies the server connection, and during playback
/// there is none.
const PRECACHE: &[u8] = b"precache ";

impl LmpcFix {
    /// Acts as LMPC with -s or -l: the messages are left out.
    pub fn converting() -> LmpcFix {
        LmpcFix { is_in_place: false, holds_empty: false, has_changed: false }
    }

    /// Acts as LMPC with -f alone: every other byte keeps its place.
    pub fn in_place() -> LmpcFix {
        LmpcFix { is_in_place: true, ..LmpcFix::converting() }
    }

    /// Whether anything was changed.
    pub fn has_changed(&self) -> bool {
        self.has_changed
    }

    fn block_in_place(
        &mut self,
        block: &Block<'_>,
        is_quake2: bool,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let mut data = block.data.to_vec();
        if is_quake2 {
            quake2_in_place(&mut data);
        } else {
            quake_in_place(&mut data);
        }
        if is_quake2 && self.holds_empty {
            self.holds_empty = false;
            data.splice(0..0, iter::repeat_n(dm2::Nop::OP, 4));
        } else if is_quake2 && data.is_empty() {
            self.holds_empty = true;
            return Ok(());
        }
        if data == block.data {
            return out.same(block);
        }
        self.has_changed = true;
        let changed = Block { angles: block.angles, ..Block::new(&data) };
        // A first block that keeps its size is as good for engines as it was, and LMPC puts nothing before it.
        if data.len() == block.data.len() { out.same(&changed) } else { out.changed(&changed) }
    }
}

impl Rewrite for LmpcFix {
    /// LMPC changes nothing in a recording of `QuakeWorld`.
    fn knows_quakeworld(&self) -> bool {
        true
    }

    /// LMPC does not know MVD2.
    fn knows_mvd2(&self) -> bool {
        true
    }

    /// LMPC joins an empty block with the end mark that follows, so the recording loses its end.
    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if std::mem::take(&mut self.holds_empty) {
            out.same(&Block::new(&[]))?;
        }
        out.piece(piece)
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dem::Message::StuffText(it) if it.string.bytes() == RECONNECT => {}
            _ => writer.keep(),
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dm2::Message::StuffText(it) => {
                let command = it.string.bytes();
                if command.starts_with(PRECACHE) {
                    // LMPC writes it without the number.
                    let string = Str::new(b"precache\n\0");
                    writer.put_entry(&Entry {
                        message: dm2::Message::from(dm2::StuffText { string }),
                        ..*entry
                    });
                } else if command != RECONNECT && !COMMANDS.iter().any(|start| command.starts_with(start)) {
                    writer.keep();
                }
            }
            dm2::Message::ServerData(it) if it.isdemo == 0 => {
                let message = dm2::Message::from(dm2::ServerData { isdemo: 1, ..*it });
                writer.put_entry(&Entry { message, ..*entry });
            }
            dm2::Message::Reconnect(_) | dm2::Message::Download(_) => {}
            _ => writer.keep(),
        }
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let (block, game) = (writer.block(), writer.context().game);
        if game == Game::QuakeWorld
            || block.stamp == Stamp::Mvd2
            || block.is_truncated()
            || block.is_from_client()
        {
            return writer.write(out);
        }
        if self.is_in_place {
            return self.block_in_place(block, game == Game::Quake2, out);
        }
        self.has_changed |= !writer.is_unchanged();
        if writer.written().is_empty() {
            self.has_changed = true;
            return Ok(());
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if std::mem::take(&mut self.holds_empty) { out.same(&Block::new(&[])) } else { Ok(()) }
    }
}

fn quake_in_place(data: &mut [u8]) {
    let command = [&[dem::StuffText::OP][..], RECONNECT, b"\0"].concat();
    Patterns::new([(command, Change::Nothing)]).apply(data, dem::Nop::OP);
}

fn quake2_in_place(data: &mut [u8]) {
    let command = |start: &[u8]| [&[dm2::StuffText::OP][..], start].concat();
    let [configstrings, baselines, record] = COMMANDS;
    let patterns = [
        (command(&[RECONNECT, b"\0"].concat()), Change::Nothing),
        (command(&[configstrings, b" "].concat()), Change::Rest),
        (command(&[baselines, b" "].concat()), Change::Rest),
        (command(record), Change::Rest),
        // A download that the server refuses.
        (vec![dm2::Download::OP, 0xff, 0xff, 0], Change::Nothing),
        (command(PRECACHE), Change::Number),
        (
            [&[dm2::Print::OP, 2][..], b"Server restarted\n\0", &[dm2::Reconnect::OP]].concat(),
            Change::LastByte,
        ),
    ];
    Patterns::new(patterns).apply(data, dm2::Nop::OP);
    if let [first @ dm2::Reconnect::OP, _, _, _, _, ..] = data {
        *first = dm2::Nop::OP;
    }
    // The protocol and the key have four bytes each.
    if let [dm2::ServerData::OP, _, _, _, _, _, _, _, _, isdemo @ 0, _, _, _, _, ..] = data {
        *isdemo = 1;
    }
}

/// How bytes that were found are changed.
#[derive(Clone, Copy)]
enum Change {
    /// Every byte becomes a message that does nothing.
    Nothing,
    /// Every byte and the rest of the string become messages that do nothing.
    Rest,
    /// The number that follows becomes a message that does nothing, and the string ends before it.
    Number,
    /// Only the last byte becomes a message that does nothing.
    LastByte,
}

/// Byte strings that LMPC looks for. It does not look where messages begin.
struct Patterns<const N: usize> {
    patterns: [(Vec<u8>, Change); N],
    /// Where each pattern is found next; `None` if it does not occur again.
    at: [Option<usize>; N],
}

impl<const N: usize> Patterns<N> {
    fn new(patterns: [(Vec<u8>, Change); N]) -> Self {
        Patterns { patterns, at: [Some(0); N] }
    }

    /// Makes all changes of LMPC. It searches for one pattern after the other, and skips as many bytes at the start of
    /// each search as it has changed before.
    fn apply(&mut self, data: &mut [u8], nop: u8) {
        let mut from = 0;
        while from < data.len() {
            let mut has_found = false;
            for ((pattern, change), next) in self.patterns.iter().zip(&mut self.at) {
                let start = next.map(|at| at.max(from));
                let found = start.and_then(|start| Some(start + data.get(start..)?.find(pattern)?));
                *next = found;
                let Some(found) = found.and_then(|at| data.get_mut(at..)) else { continue };
                has_found = true;
                from += make(found, pattern.len(), *change, nop);
            }
            if !has_found {
                return;
            }
            from += 1;
        }
    }
}

/// Changes the bytes at a place where a pattern of this length was found. Returns the number of changed bytes, as LMPC
/// counts them.
fn make(found: &mut [u8], len: usize, change: Change, nop: u8) -> usize {
    let through_nul = |from: usize| {
        let rest = found.get(from..).unwrap_or_default();
        from + rest.find_byte(0).map_or(rest.len(), |nul| nul + 1)
    };
    let changed = match change {
        Change::Nothing => 0..len,
        Change::Rest => 0..through_nul(0),
        Change::LastByte => len - 1..len,
        Change::Number => len + 1..through_nul(len + 1),
    };
    let skipped = if matches!(change, Change::LastByte) { len } else { changed.len() };
    if matches!(change, Change::Number) {
        match found.get_mut(len - 1..) {
            Some([blank, digit, ..]) if *digit != 0 => (*blank, *digit) = (b'\n', 0),
            // The string ends here. LMPC writes into the message that follows.
            Some([blank, ..]) => {
                *blank = b'\n';
                return len;
            }
            _ => return len,
        }
    }
    if let Some(bytes) = found.get_mut(changed) {
        bytes.fill(nop);
    }
    skipped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::recordings_of_blocks::{quake, quake2};
    use crate::rewrite;

    fn fixed(mut fix: LmpcFix, file: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        rewrite(file, &mut fix, &mut out).unwrap();
        assert_eq!(fix.has_changed(), out != file);
        out
    }

    const RESTARTED: &[u8] = b"\x0a\x02Server restarted\n\0\x08";
    const SERVER: &[u8] = b"\x0c\x22\0\0\0\x01\x02\x03\x04\0\0\0\0base1\0";
    const DEMO: &[u8] = b"\x0c\x22\0\0\0\x01\x02\x03\x04\x01\0\0\0base1\0";

    #[test]
    fn quake_loses_its_reconnects() {
        let file =
            quake(&[b"\x01\x09reconnect\n\0\x02", b"\x09reconnect\n\0", b"\x09reconnect 1\n\0", b"\x02"]);
        let left = quake(&[b"\x01\x02", b"\x09reconnect 1\n\0", b"\x02"]);
        assert_eq!(fixed(LmpcFix::converting(), &file), left);
        let nops = quake(&[&[&[1; 13][..], b"\x02"].concat(), &[1; 12], b"\x09reconnect 1\n\0", b"\x02"]);
        assert_eq!(fixed(LmpcFix::in_place(), &file), nops);
    }

    #[test]
    fn quake2_loses_what_asks_a_server_while_it_is_converted() {
        let file = quake2(&[
            b"\x0bchanging\n\0\x08",
            b"",
            SERVER,
            b"\x0bcmd configstrings 1 0\n\0\x06\x0bcmd baselines 1 0\n\0\x0brecord x\0",
            b"\x0bprecache 27\n\0\x10\xff\xff\0",
            b"\x0breconnect\n\0",
            b"\x07",
        ]);
        let left = quake2(&[b"\x0bchanging\n\0", DEMO, b"\x06", b"\x0bprecache\n\0", b"\x07"]);
        assert_eq!(fixed(LmpcFix::converting(), &file), left);
    }

    #[test]
    fn quake2_keeps_its_length_in_place() {
        let file = quake2(&[
            b"\x0bchanging\n\0",
            &[RESTARTED, b"\x06"].concat(),
            b"\x08\x06\x06\x06\x06",
            b"\x08",
            b"",
            SERVER,
            b"\x06\x0bcmd configstrings 1 0\n\0\x0f?\0\x0bcmd baselines 1 0\n\0",
            b"\x0bprecache 27\n\0\x0f?\0",
            b"\x06\x10\xff\xff\0\x07",
            // `record` is found, and LMPC searches for the rest only after the next ten bytes.
            b"\x06\x10\xff\xff\0\x0brecord x\0\x07",
            b"",
        ]);
        let nops = |count: usize| vec![6; count];
        let changed = quake2(&[
            b"\x0bchanging\n\0",
            &[&RESTARTED[..RESTARTED.len() - 1], b"\x06\x06"].concat(),
            &nops(5),
            b"\x08",
            &[&nops(4)[..], DEMO].concat(),
            &[&nops(25)[..], b"\x0f?\0", &nops(20)[..]].concat(),
            &[&b"\x0bprecache\n\0"[..], &nops(3)[..], b"\x0f?\0"].concat(),
            &[&nops(5)[..], b"\x07"].concat(),
            &[&b"\x06\x10\xff\xff\0"[..], &nops(10)[..], b"\x07"].concat(),
            b"",
        ]);
        assert_eq!(fixed(LmpcFix::in_place(), &file), changed);
        assert_eq!(file.len(), changed.len());
    }

    #[test]
    fn a_second_time_changes_nothing() {
        let file = quake2(&[SERVER, b"", b"", b"", b"\x0bprecache 1\0\x0bprecache \0\x0bprecache 2"]);
        for fix in [LmpcFix::converting(), LmpcFix::in_place()] {
            let once = fixed(fix.clone(), &file);
            assert_eq!(fixed(fix, &once), once);
        }
    }

    /// Where patterns follow each other directly, LMPC misses some. However many there are, no byte is searched twice.
    #[test]
    fn a_block_full_of_them_is_changed_at_once() {
        let file = quake2(&[&b"\x0breconnect\n\0".repeat(80_000)[..]]);
        let once = fixed(LmpcFix::in_place(), &file);
        let left = once.find_iter(b"reconnect").count();
        assert!(once.len() == file.len() && (1..8_000).contains(&left), "{left}");
    }
}
