//! `Resync`: reads a damaged recording so that its blocks follow each other again.
//!
//! If a block's length leads to no other block, the next sound block is searched; the bytes before it become
//! the rest of the damaged block or are left out. A sound recording passes byte by byte; only bytes in doubt
//! are kept in memory.

mod beginning;
mod quakeworld;

use super::protocol::{self, Hit};
use crate::machinery::summary::thousands;
use bstr::ByteSlice as _;
use moviola_format::{Block, Context, Dialect, Format, Game, MAX_BLOCK, Quake, Quake2, dem, dm2, sniff};
use std::io::{self, Read};

/// The number of bytes that are read at a time, and from which the recording's game is determined.
const READ_SIZE: usize = 1 << 16;

/// The longest block that is searched for: no engine sends more.
const LONGEST: usize = 1 << 16;

/// If this many readable blocks follow a block that cannot be read, its length is right.
const LINKS: usize = 3;

/// The number of blocks, including empty ones, that are examined for this proof.
const EMPTY: usize = 64;

/// The longest line with the number of a CD track that is looked for.
const LINE: usize = 13;

/// The greatest average number of times that a byte is tried. The limit makes the time for junk linear.
const PATIENCE: u64 = 64;

/// The corrections to the framing of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FramingFixes {
    /// Blocks with a wrong length.
    pub(super) lengths: u64,
    /// Bytes that are in no block.
    pub(super) bytes: u64,
    /// The number of the protocol was wrong.
    pub(super) protocol: Option<Hit>,
    /// The number of damaged places, and the offsets of the first of them.
    pub(super) places: u64,
    pub(super) first: Vec<u64>,
    /// The output offsets of the blocks before and after these places.
    pub(super) blocks: Vec<u64>,
    /// The times of a QWD's blocks, and the numbers of its packets, that were set right.
    pub(super) clocks: u64,
    pub(super) numbers: u64,
}

/// The number of places that are reported by offset.
const MAX_LISTED: usize = 3;

/// The number of damaged places for which the blocks are remembered.
const MAX_REMEMBERED: usize = 1 << 12;

impl FramingFixes {
    fn add(&mut self, place: u64, blocks: [u64; 2]) {
        if self.blocks.len() < MAX_REMEMBERED {
            self.blocks.extend(blocks);
        }
        self.places = self.places.saturating_add(1);
        if self.first.len() < MAX_LISTED {
            self.first.push(place);
        }
    }

    /// The note about the corrected protocol.
    pub(super) fn protocol_note(&self) -> Option<String> {
        let Hit { old_protocol: wrong, new_protocol: right, .. } = self.protocol?;
        Some(format!("protocol {wrong} replaced by {right}, with which everything can be read"))
    }

    /// The offset of the damage in the file.
    pub(super) fn note(&self) -> Option<String> {
        let first: Vec<String> = self.first.iter().map(|place| thousands(*place)).collect();
        let more = self.places.saturating_sub(first.len() as u64);
        let and_more = if more > 0 { format!(" and {} more", thousands(more)) } else { String::new() };
        let places = if self.places == 1 { "byte" } else { "bytes" };
        (self.places > 0).then(|| format!("the file is torn at {places} {}{and_more}", first.join("; ")))
    }
}

/// Reads a recording without the junk between its blocks.
pub(super) struct Resync<R> {
    source: R,
    game: Option<Game>,
    /// The bytes that were read but not returned yet.
    buffer: Vec<u8>,
    /// The number of bytes of the buffer that were returned, and the number that can be.
    at: usize,
    ready: usize,
    /// The source is at its end.
    ended: bool,
    /// Whether the rest is copied unchanged.
    passes: bool,
    context: Context,
    /// The context of the first block, if it must be given because the recording lacks its beginning.
    given: Option<Context>,
    /// Whether the head of the next block was made here. It has no right length then.
    is_made: bool,
    /// The offset of the buffer in the file.
    offset: u64,
    /// The number of bytes returned so far, and how many of them precede the last block.
    out: u64,
    last_block_offset: u64,
    /// The number of bytes that were tried as messages.
    spent: u64,
    framing_fixes: FramingFixes,
    /// QuakeWorld's framing, if it is a recording of that.
    framing: Option<quakeworld::Framing>,
}

/// The bytes at the place where a block is expected.
enum Head {
    Block {
        length: i32,
        claimed: usize,
    },
    EndMark,
    /// No block begins with these bytes.
    Nothing,
    /// The file ends after this many bytes.
    Over(usize),
}

/// Whether the first bytes of a file are those of a recording, but too damaged to show the game. A
/// [`Repair`](crate::Repair) restores them.
///
/// ```
/// # let file = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
/// let mut hurt = file.clone();
/// hurt[..16].fill(0xaa);
/// assert!(moviola_edit::has_damaged_beginning(&hurt));
/// assert!(![&file[..], b"a letter", b""].into_iter().any(moviola_edit::has_damaged_beginning));
/// ```
pub fn has_damaged_beginning(start: &[u8]) -> bool {
    let start = start.get(..READ_SIZE).unwrap_or(start);
    let mut resync = Resync::new(start);
    sniff(start, false) == Format::Unknown && resync.begin().is_ok() && !resync.passes
}

impl<R: Read> Resync<R> {
    pub(super) fn new(source: R) -> Self {
        Self {
            source,
            game: None,
            buffer: Vec::new(),
            at: 0,
            ready: 0,
            ended: false,
            passes: false,
            context: Context::quake(),
            given: None,
            is_made: false,
            offset: 0,
            out: 0,
            last_block_offset: 0,
            spent: 0,
            framing_fixes: FramingFixes::default(),
            framing: None,
        }
    }

    /// For a recording without a protocol before its first sound block; this block is read with `context`.
    pub(super) fn under(source: R, context: Context) -> Self {
        Self { given: Some(context), ..Self::new(source) }
    }

    /// The corrections so far.
    pub(super) fn torn(&self) -> &FramingFixes {
        &self.framing_fixes
    }

    /// The bytes that were not returned yet, from the offset `from` on.
    fn window(&self, from: usize) -> &[u8] {
        self.buffer.get(self.at.saturating_add(from)..).unwrap_or_default()
    }

    /// Whether there are `len` bytes that were not returned yet; reads them if necessary.
    fn fill(&mut self, len: usize) -> io::Result<bool> {
        if self.window(0).len() < len && !self.ended {
            self.buffer.drain(..self.at);
            self.offset = self.offset.saturating_add(self.at as u64);
            self.at = 0;
            while self.buffer.len() < len && !self.ended {
                let got = self.source.by_ref().take(READ_SIZE as u64).read_to_end(&mut self.buffer)?;
                self.ended = got < READ_SIZE;
            }
        }
        Ok(self.window(0).len() >= len)
    }

    fn game(&self) -> Game {
        self.game.unwrap_or(Game::Quake)
    }

    fn head(&mut self, at: usize) -> io::Result<Head> {
        if !self.fill(at.saturating_add(self.game().block_head()))? {
            return Ok(Head::Over(self.window(at).len()));
        }
        let length = self.int(at);
        let claimed = (length & i32::MAX) as usize;
        Ok(match self.game() {
            Game::Quake2 if length == -1 => Head::EndMark,
            Game::Quake2 if length < 0 => Head::Nothing,
            _ if claimed > MAX_BLOCK => Head::Nothing,
            _ => Head::Block { length, claimed },
        })
    }

    fn int(&self, at: usize) -> i32 {
        self.window(at).first_chunk().map_or(0, |bytes| i32::from_le_bytes(*bytes))
    }

    /// Whether the bytes between a block's length and its messages are as engines write them.
    fn has_angles(&self, at: usize) -> bool {
        let is_angle = |at: usize| {
            let angle = f32::from_bits(self.int(at) as u32);
            angle == 0.0 || (1e-6..=4096.0).contains(&angle.abs())
        };
        let [pitch, yaw, roll] = [4, 8, 12].map(|of| is_angle(at.saturating_add(of)));
        self.game() == Game::Quake2 || (pitch && yaw && roll)
    }

    /// The number of bytes of a block that are messages, and the context of the next one.
    fn read_block(&self, at: usize, length: i32, size: usize) -> (usize, Context) {
        fn of<D: Dialect>(block: &Block<'_>, context: Context) -> (usize, Context) {
            let mut messages = block.messages::<D>(context);
            messages.by_ref().for_each(drop);
            let read = if messages.fault().is_some() { messages.pos() } else { block.data.len() };
            (read, *messages.context())
        }
        let messages = self.window(at.saturating_add(self.game().block_head()));
        let data = messages.get(..size).unwrap_or_default();
        let block = Block { length, ..Block::new(data) };
        match self.game() {
            Game::Quake | Game::QuakeWorld => of::<Quake>(&block, self.context),
            Game::Quake2 => of::<Quake2>(&block, self.context),
        }
    }

    /// Whether blocks lie one after the other from here on, or the recording ends.
    fn goes_on(&mut self, mut at: usize) -> io::Result<bool> {
        let mut links = 0;
        for _ in 0..EMPTY {
            let claimed = match self.head(at)? {
                Head::Over(left) => return Ok(left == 0 || links > 0),
                Head::EndMark => return Ok(true),
                Head::Block { claimed, .. } if self.has_angles(at) => claimed,
                _ => return Ok(false),
            };
            at = at.saturating_add(self.game().block_head()).saturating_add(claimed);
            if !self.fill(at)? {
                return Ok(links > 0);
            }
            // Zeros prove nothing.
            links += usize::from(claimed > 0);
            if links == LINKS {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a block begins here that can be read to its end. With `and_next`, the next block must be readable too.
    fn is_sound(&mut self, at: usize, and_next: bool) -> io::Result<bool> {
        let (length, claimed) = match self.head(at)? {
            Head::Block { length, claimed } => (length, claimed),
            Head::EndMark => return Ok(!self.fill(at.saturating_add(5))?),
            Head::Over(left) => return Ok(!and_next && left == 0),
            Head::Nothing => return Ok(false),
        };
        if !(1..=LONGEST).contains(&claimed) || length < 0 || !self.has_angles(at) {
            return Ok(false);
        }
        let next = at.saturating_add(self.game().block_head()).saturating_add(claimed);
        self.spent = self.spent.saturating_add(claimed as u64);
        if !self.fill(next)? || self.read_block(at, length, claimed).0 < claimed {
            return Ok(false);
        }
        Ok(!and_next || self.is_sound(next, false)?)
    }

    /// The next sound block after this place, or the end; `None` if there is none nearby.
    fn search(&mut self) -> io::Result<Option<usize>> {
        for at in 1..MAX_BLOCK {
            let come = self.offset.saturating_add(self.buffer.len() as u64);
            if !self.fill(at)? || self.spent > come.saturating_mul(PATIENCE) {
                return Ok(None);
            }
            let is_found = if let Some(is_mvd) = self.framing.as_ref().map(|it| it.is_mvd) {
                // In a QWD another packet must follow the level's first packet; other bytes may look like a record by chance.
                self.is_block(at)? && (!self.is_made || is_mvd || self.is_packet(at))
            } else {
                self.is_sound(at, true)?
            };
            if is_found {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Whether the block that begins here ends before the recording does.
    fn is_longer_than_it_says(&self, left: usize) -> bool {
        let claimed = usize::try_from(self.int(0)).unwrap_or(usize::MAX);
        left < MAX_BLOCK && claimed.saturating_add(self.game().block_head()) < left && self.has_angles(0)
    }

    /// Decides how the next bytes are read.
    fn step(&mut self) -> io::Result<()> {
        if self.game.is_none() {
            return self.begin();
        }
        if self.passes || self.context.raw {
            self.fill(1)?;
            self.ready = self.window(0).len();
            return Ok(());
        }
        if self.is_made {
            if self.framing.is_some() {
                self.mend_quakeworld()?;
            } else {
                self.mend()?;
            }
            self.is_made = false;
            return Ok(());
        }
        if self.framing.is_some() {
            return self.step_quakeworld();
        }
        let size = self.game().block_head();
        match self.head(0)? {
            Head::Over(left) => self.ready = left,
            Head::Block { length: ..0, claimed } if self.is_servers(claimed)? => {
                self.framing_fixes.add(self.offset.saturating_add(self.at as u64), [self.out; 2]);
                self.set_length(claimed as i32);
                (self.ready, self.context) = (size.saturating_add(claimed), self.read_block(0, 1, claimed).1);
            }
            Head::EndMark if !self.fill(5)? || self.is_sound(4, true)? => self.ready = 4,
            Head::Block { length, claimed } if self.fill(size.saturating_add(claimed))? => {
                let end = size.saturating_add(claimed);
                if length > 0 && self.is_settled(claimed) && self.goes_on(end)? {
                    self.ready = end;
                    return Ok(());
                }
                let (mut read, mut context) = self.read_block(0, length, claimed);
                if context.raw && context.protocol_name().is_none() && self.set_protocol()? {
                    (read, context) = self.read_block(0, length, claimed);
                }
                if (read == claimed && length > 0) || self.goes_on(end)? {
                    (self.ready, self.context) = (end, context);
                } else {
                    self.mend()?;
                }
            }
            _ => self.mend()?,
        }
        Ok(())
    }

    /// Whether nothing in the block that begins here changes how the next block is read. In Quake II, only the
    /// beginning of a level does so after the first frame.
    fn is_settled(&self, claimed: usize) -> bool {
        let from = self.at.saturating_add(self.game().block_head());
        let data = self.buffer.get(from..from.saturating_add(claimed)).unwrap_or_default();
        self.game() == Game::Quake2 && self.context.frames.is_some() && !announces(data)
    }

    /// Whether a block that is marked as a client's begins with a server's clock, and can be read as a server's block
    /// to its end: then one bit of its length is wrong.
    fn is_servers(&mut self, claimed: usize) -> io::Result<bool> {
        let size = self.game().block_head();
        let is_there = self.fill(size.saturating_add(claimed))?;
        let has_clock = self.window(size).first() == Some(&dem::Time::OP);
        Ok(is_there && has_clock && self.game() == Game::Quake && self.read_block(0, 1, claimed).0 == claimed)
    }

    /// Corrects the number of the protocol in the block that begins here; returns whether it was wrong.
    fn set_protocol(&mut self) -> io::Result<bool> {
        self.fill(protocol::ENOUGH)?;
        let window = self.window(0);
        let window = window.get(..protocol::ENOUGH).unwrap_or(window);
        let Some(hit) = protocol::find_protocol(window, &self.context) else { return Ok(false) };
        let place = self.buffer.get_mut(self.at.saturating_add(hit.place)..);
        if let Some(number) = place.and_then(<[u8]>::first_chunk_mut) {
            *number = hit.new_protocol.to_le_bytes();
        }
        self.framing_fixes.protocol = Some(hit);
        Ok(true)
    }

    /// Sets the length of the block that begins here.
    fn set_length(&mut self, length: i32) {
        let head = self.buffer.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut);
        if let Some(head) = head {
            *head = length.to_le_bytes();
        }
        self.framing_fixes.lengths = self.framing_fixes.lengths.saturating_add(1);
    }

    /// The first bytes: which game it is, and Quake's header.
    fn begin(&mut self) -> io::Result<()> {
        self.fill(READ_SIZE)?;
        let mut context = self.given;
        let mut format = sniff(self.buffer.get(..READ_SIZE).unwrap_or(&self.buffer), self.ended);
        if format.game().is_none() && self.announces_quake2() {
            format = Format::Quake2;
        } else if let (None, Some(header)) = (format.game(), self.line()) {
            // The line is intact, but the length of the first block is damaged: `mend` searches for its end.
            format = Format::Quake { header };
        } else if let (None, Some(start)) = (format.game(), beginning::of(self.window(0))) {
            (format, context) = (start.format, context.or(Some(start.context)));
            self.framing_fixes.bytes = self.framing_fixes.bytes.saturating_add(start.damaged as u64);
            self.is_made = !start.bytes.is_empty();
            let end = self.at.saturating_add(start.damaged).min(self.buffer.len());
            self.buffer.splice(self.at..end, start.bytes);
        }
        self.game = Some(format.game().unwrap_or(Game::Quake));
        self.context = context.unwrap_or_else(|| Context::of(self.game()));
        match format {
            Format::Quake { header } => self.ready = header,
            Format::Quake2 => {}
            Format::Qwd | Format::Mvd => {
                self.framing = Some(quakeworld::Framing::new(format == Format::Mvd));
            }
            _ => self.passes = true,
        }
        Ok(())
    }

    /// The length of the first line of a Quake recording, if the bytes after it contain a level or the server's
    /// greeting. It is only used if the length of the first block is damaged.
    fn line(&self) -> Option<usize> {
        let window = self.window(0);
        let length = window.iter().take(LINE).position(|byte| *byte == b'\n')?.saturating_add(1);
        let number = window.get(..length)?.trim_ascii();
        let is_number =
            number.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-') && !number.is_empty();
        let messages = window.get(length.saturating_add(Game::Quake.block_head())..)?;
        (is_number && beginning::begins_level(messages)).then_some(length)
    }

    /// Whether a level of Quake II is announced after four bytes that may be the length of a block.
    fn announces_quake2(&self) -> bool {
        let at = Game::Quake2.block_head();
        let protocol = self.int(at.saturating_add(1));
        self.window(at).first() == Some(&dm2::ServerData::OP)
            && (dm2::OLDEST..=dm2::NEWEST).contains(&protocol)
    }

    /// Mends a place from which no length leads to another block.
    fn mend(&mut self) -> io::Result<()> {
        let place = self.offset.saturating_add(self.at as u64);
        let (size, head) = (self.game().block_head(), self.head(0)?);
        let found = self.search()?;
        let left = self.window(0).len().min(MAX_BLOCK);
        if found.is_none() && !self.is_longer_than_it_says(left) {
            // The recording ends in this block, or has bytes after its end.
            self.passes = self.ended && left < MAX_BLOCK;
        }
        if self.passes {
            return Ok(());
        }
        let next = found.unwrap_or(left);
        let messages = next.saturating_sub(size);
        let (read, context) = if next > size { self.read_block(0, 1, messages) } else { (0, self.context) };
        let is_head = matches!(head, Head::Block { length: 1.., .. }) && self.has_angles(0);
        if let Ok(length) = i32::try_from(messages)
            && (found.is_some() || left < MAX_BLOCK)
            && messages > 0
            && (read == messages || (is_head && read > 0))
        {
            self.set_length(length);
            (self.ready, self.context) = (next, context);
        } else {
            self.framing_fixes.bytes = self.framing_fixes.bytes.saturating_add(next as u64);
            self.at = self.at.saturating_add(next);
        }
        self.framing_fixes.add(place, [self.last_block_offset, self.out]);
        Ok(())
    }
}

/// Whether a level of Quake II may begin somewhere in these bytes, with a number of a protocol below 65,536.
fn announces(mut bytes: &[u8]) -> bool {
    // To search for the id first takes a quarter of the instructions of a comparison at each place.
    while let Some(at) = bytes.find_byte(dm2::ServerData::OP) {
        if let Some([_, _, _, 0, 0, ..]) = bytes.get(at..) {
            return true;
        }
        bytes = bytes.get(at.saturating_add(1)..).unwrap_or_default();
    }
    false
}

impl<R: Read> Read for Resync<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.ready == 0 {
            let begin = self.out;
            let before = (self.offset.saturating_add(self.at as u64), self.game, self.passes);
            self.step()?;
            self.last_block_offset = if self.ready > 0 { begin } else { self.last_block_offset };
            let after = (self.offset.saturating_add(self.at as u64), self.game, self.passes);
            if self.ready == 0 && before == after {
                return Ok(0);
            }
        }
        let mut window = self.buffer.get(self.at..self.at.saturating_add(self.ready)).unwrap_or_default();
        let got = window.read(out)?;
        self.at = self.at.saturating_add(got);
        self.ready = self.ready.saturating_sub(got);
        self.out = self.out.saturating_add(got as u64);
        Ok(got)
    }
}
