//! `Repair`: makes damaged, truncated and unfinished recordings play, and reports the losses.
//!
//! Three layers, from bytes to meaning. `resync` mends the framing while bytes are read: a length that leads to
//! nothing, junk between blocks. Each block then goes through `rounds` until a round changes nothing: `clean` removes
//! unreadable rests, `connect` adds missing stages of the connection, `filter` and `engines` remove messages at which
//! engines stop, `clock` and `frames` correct clocks and delta frames.
//!
//! Every block is judged in the state that the *written* blocks lead to, since a repaired one changes the meaning of
//! the next. `quakeworld` does all this for the recordings of that game. That needs two passes: whether the recording
//! ends, which game's extensions it has and for which engines it was made is known only at its end. With one pass all
//! blocks would have to be kept in memory until then.

mod clean;
mod clock;
mod connect;
mod engines;
mod filter;
mod frames;
mod header;
mod protocol;
mod quakeworld;
mod resync;
mod rounds;
mod usual_block;

use crate::machinery::bridge::quake2::LIMIT;
use crate::machinery::bridge::reencode::short_blocks;
use crate::machinery::summary::counted;
use crate::{BlockPlace, BlockWriter, EditOutput, Error, Rewrite, rewrite};
use clock::Clock;
use connect::Connection;
pub(crate) use connect::{LEVEL, loads};
use engines::{EngineSet, Origin};
use filter::StopFilter;
use moviola_check::{StopJudge, largest_block};
use moviola_format::{
    Answer, Block, Context, Entry, Fault, Format, FrameForm, Game, Piece, Quake2, Stamp, Table, dem, dm2,
    write_message,
};
pub use resync::has_damaged_beginning;
use resync::{FramingFixes, Resync};
use std::io::{self, Read};
use usual_block::UsualBlock;

/// The damage in a recording that can be mended.
///
/// ```
/// use moviola_edit::{RepairedDamage, Repair};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-empty-blocks").unwrap().bytes;
/// let repair = Repair::look(&recording[..]).unwrap();
/// let RepairedDamage { empty, truncated, .. } = repair.damage();
/// assert!(*empty > 0 && !truncated);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is wrong")]
pub struct RepairedDamage {
    /// Blocks that could not be read to their end.
    pub blocks: u64,
    /// The unreadable bytes of these blocks.
    pub bytes: u64,
    /// The recording ends inside a block.
    pub truncated: bool,
    /// Bytes that are not a block.
    pub raw: u64,
    /// Blocks whose length is wrong.
    pub lengths: u64,
    /// Quake II: blocks that are too long for engines, since the length of a block inside them was damaged.
    pub long: u64,
    /// Texts at the end of a block that lack their NUL.
    pub strings: u64,
    /// Blocks without messages, at which engines stop.
    pub empty: u64,
    /// Quake II: frames whose base frames are missing.
    pub frames: u64,
    /// Quake: places where the clock leaps, or goes back in its level so far that engines crash.
    pub clocks: u64,
    /// The messages before the end that end a recording or send its player away.
    pub stops: u64,
    /// Whether the end mark is missing.
    pub lacks_end_mark: bool,
    /// Quake: the line with the CD track is missing.
    pub lacks_header: bool,
    /// Missing stages of the connection (Quake) or `precache` commands (Quake II), without which nothing is drawn.
    pub stages: u64,
    /// Whether no message names the played level.
    pub lacks_level: bool,
    /// The last block that stays.
    last: u64,
}

/// Repairs a recording so that engines play it, as far as possible: it removes unreadable parts and adds missing ones. A
/// sound recording stays as it is.
///
/// ```
/// use moviola_edit::{Repair, rewrite};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-cut-block").unwrap().bytes;
/// let mut repair = Repair::look(&recording[..]).unwrap();
/// assert!(repair.damage().truncated);
/// let mut whole = Vec::new();
/// rewrite(&recording[..], &mut repair, &mut whole).unwrap();
/// let again = Repair::look(&whole[..]).unwrap();
/// assert!(!again.damage().truncated && !again.damage().lacks_end_mark);
/// ```
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct Repair {
    damage: RepairedDamage,
    framing_fixes: FramingFixes,
    pass: Pass,
    /// The game's engines, which play the result.
    stops: StopJudge,
    filter: StopFilter,
    /// The engines that must play the result, and the reactions of all engines of the game to it.
    required: EngineSet,
    engines: EngineSet,
    frames: frames::Mender,
    /// The current block, as long as it seems to need no repair.
    usual_block: Option<UsualBlock>,
    clock: Clock,
    /// The numbers of Quake II's frames in a client's form and in a server's or Relay's form, which determine
    /// the kind of the recording.
    kinds: [u64; 2],
    /// Whether it is a recording of Nehahra, which shows only when the first entity fades.
    is_nehahra: bool,
    /// The number of blocks in which engines stop at messages that another engine may have sent.
    strange: u64,
    /// Whether no block needed a repair or a second look: then the second pass copies the blocks without reading them.
    is_plain: bool,
    /// Whether `--signon` has edited the recording before.
    is_behind: bool,
    writes: bool,
    quakeworld: Box<quakeworld::Mender>,
}

/// Where a pass over the recording is.
#[derive(Clone, Default)]
struct Pass {
    game: Option<Game>,
    /// The context in which a reader of the output reads the next block.
    context: Option<Context>,
    connection: Connection,
    ends: bool,
    angles: [u32; 3],
}

/// Messages in at least this many blocks of a sound recording are not damage.
const MANY: u64 = 4;

impl Repair {
    /// Looks at a recording.
    ///
    /// # Errors
    /// When it is not a recording, cannot be read, or does not name its level; or when reading fails.
    pub fn look<R: Read>(source: R) -> Result<Self, Error> {
        Self::read(source)?.results()
    }

    /// Looks at a recording whose beginning was taken from another recording.
    ///
    /// ```
    /// use moviola_edit::{Repair, Signon, rewrite};
    /// # let other = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
    /// let mut headed = Vec::new();
    /// rewrite(&other[..], &mut Signon::of(&other[..]).unwrap(), &mut headed).unwrap();
    /// // One that has a beginning needs no other.
    /// assert!(Repair::look_behind(&headed[..]).is_err());
    /// ```
    ///
    /// # Errors
    /// When it is not a recording, cannot be read, or has a beginning of its own; or when reading fails.
    pub fn look_behind<R: Read>(source: R) -> Result<Self, Error> {
        let look = Self::read(source)?;
        if look.pass.connection.begins_twice {
            let why = "it has a beginning of its own: repair it without --signon";
            return Err(Error::Impossible(why.into()));
        }
        Ok(Self { is_behind: true, ..look.results()? })
    }

    fn read<R: Read>(source: R) -> Result<Self, Error> {
        let mut look = Self::looking();
        let mut source = Resync::new(source);
        rewrite(&mut source, &mut look, io::sink())?;
        look.framing_fixes = source.torn().clone();
        look.damage.lengths = look.framing_fixes.lengths;
        look.damage.raw += look.framing_fixes.bytes;
        look.damage.lacks_end_mark = !look.pass.ends;
        look.damage.lacks_level = look.pass.connection.lacks_level;
        if look.pass.game == Some(Game::QuakeWorld) {
            look.damage.lacks_end_mark = !look.quakeworld.ends;
            look.damage.lacks_level = look.quakeworld.lacks_level();
        }
        Ok(look)
    }

    /// A repair for the pass that only looks.
    pub(crate) fn looking() -> Self {
        Self {
            damage: RepairedDamage::default(),
            framing_fixes: FramingFixes::default(),
            pass: Pass::default(),
            stops: StopJudge::new(Game::Quake),
            filter: StopFilter::default(),
            required: EngineSet::none(),
            engines: EngineSet::default(),
            frames: frames::Mender::default(),
            usual_block: None,
            clock: Clock::default(),
            kinds: [0; 2],
            is_nehahra: false,
            strange: 0,
            is_plain: true,
            is_behind: false,
            writes: false,
            quakeworld: Box::default(),
        }
    }

    /// Refuses a recording that does not name its level, since no engine can play it.
    fn check_level(&self) -> Result<(), Error> {
        if self.pass.game == Some(Game::QuakeWorld) && self.damage.lacks_level {
            let why = "it does not name its level, so no client can show it";
            return Err(Error::Impossible(why.into()));
        }
        if self.damage.lacks_level || self.pass.connection.lacks_level {
            let why = "nothing in it says which level is played, so that no engine can show it: --signon OTHER \
                       takes that from another recording of the level";
            return Err(Error::Impossible(why.into()));
        }
        Ok(())
    }

    /// The results of the looking pass, ready for the pass that writes.
    fn results(self) -> Result<Self, Error> {
        self.check_level()?;
        let is_sound = self.framing_fixes.places == 0 && self.damage.bytes == 0;
        let required = self.engines.required(&self.framing_fixes.blocks, !is_sound);
        let fades = self.pass.context.is_some_and(|it| it.nehahra == Answer::Yes) && !required.is_ids();
        // Repeated strange messages in an undamaged recording are not damage, but belong to the engine that recorded
        // it.
        let is_nehahra = fades || (is_sound && self.strange >= MANY);
        // The objections of id's engines to texts of their own servers count in Quake alone.
        let object = self.pass.game == Some(Game::Quake) && self.engines.object();
        let is_plain = is_sound && self.is_plain && self.found_nothing() && !object;
        let is_hurt = !is_sound
            || self.framing_fixes.numbers > 0
            || self.framing_fixes.clocks > 0
            || self.quakeworld.is_hurt();
        let Self { damage, framing_fixes: torn, kinds, clock, .. } = self;
        let clock = clock.second_pass();
        let quakeworld = Box::new(quakeworld::Mender::second_pass(is_hurt));
        let looking = Self::looking();
        let pass = Pass { ends: is_plain && !damage.lacks_end_mark, ..looking.pass.clone() };
        Ok(Self {
            damage,
            framing_fixes: torn,
            kinds,
            is_nehahra,
            required,
            clock,
            is_plain,
            pass,
            writes: true,
            quakeworld,
            ..looking
        })
    }

    /// Whether the first pass counted no damage but a missing beginning or end.
    fn found_nothing(&self) -> bool {
        let RepairedDamage { lacks_end_mark, lacks_header, last, .. } = self.damage;
        self.damage == RepairedDamage { lacks_end_mark, lacks_header, last, ..RepairedDamage::default() }
            && self.framing_fixes.protocol.is_none()
    }

    /// Whether the blocks are only copied.
    fn copies(&self) -> bool {
        self.writes && self.is_plain
    }

    /// The damage in the recording.
    pub fn damage(&self) -> &RepairedDamage {
        &self.damage
    }

    /// Counts bytes outside of blocks. Only the first pass does so, because it reads them before `resync` removes them.
    fn found_raw(&mut self, bytes: usize) {
        if !self.writes {
            self.damage.raw = self.damage.raw.saturating_add(bytes as u64);
        }
    }

    /// The block with a corrected clock; `None` if its clock is right.
    fn set_clock(&mut self, data: &[u8], context: &Context) -> Option<Vec<u8>> {
        if context.game != Game::Quake {
            return None;
        }
        self.damage.clocks = self.damage.clocks.saturating_add(u64::from(self.clock.begins_torn()));
        let clock_set = self.clock.set(data, context);
        let now = clock_set.as_deref().unwrap_or(data);
        let Some(off) = self.clock.time_difference(now, context) else { return clock_set };
        if !self.filter.rejects(&mut self.stops, &clock::MINDED, now, context) {
            return clock_set;
        }
        self.damage.clocks = self.damage.clocks.saturating_add(1);
        if !self.writes
            && let Some(time) = self.clock.correct_before(now, context)
        {
            self.stops.play(&Block::new(&time), context);
            return clock_set;
        }
        self.clock.go_on(off);
        self.clock.set(data, context)
    }

    /// Finishes a block of `QuakeWorld`.
    fn quakeworld_end(
        &mut self,
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        let (block, number) = (*writer.block(), writer.place().block);
        self.damage.truncated |= block.is_truncated();
        // A `disconnect` before the last block is not the end.
        let may_end = !self.writes || number >= self.damage.last;
        let mended = self.quakeworld.mend(&block, may_end, &mut self.damage);
        if let Some((stamp, record)) = self.quakeworld.take_count() {
            out.stamped(stamp, &record)?;
        }
        let written = mended.as_deref().unwrap_or(block.data);
        let is_message = block.table(Game::QuakeWorld) == Table::QuakeWorld;
        if !self.writes && is_message && !written.is_empty() {
            self.damage.last = number;
        }
        if block.is_truncated() {
            let stamp = match (block.stamp, self.quakeworld.moved(&block)) {
                (Stamp::Qwd { numbers, .. }, Some(time)) => Stamp::Qwd { time: time.to_bits(), numbers },
                (stamp, _) => stamp,
            };
            return out.changed(&Block { stamp, ..Block::new(written) });
        }
        if let Some(mended) = mended {
            writer.clear();
            writer.put_bytes(&mended);
        }
        if let Some(time) = self.quakeworld.moved(&block) {
            writer.set_time(time);
        }
        writer.write(out)
    }

    /// Quake II: splits a block that is too long because a length was damaged.
    fn pieces(&self, writer: &BlockWriter<'_>, before: &Context) -> Option<Vec<Vec<u8>>> {
        let is_torn = self.framing_fixes.blocks.binary_search(&writer.place().offset).is_ok();
        let [clients, others] = self.kinds;
        if !is_torn || before.game != Game::Quake2 || others > clients {
            return None;
        }
        let written = writer.written();
        let has_frame = Block::new(written)
            .messages::<Quake2>(*before)
            .any(|entry| matches!(entry.message, dm2::Message::FrameMessage(_)));
        let is_long = written.len() > largest_block(Game::Quake2);
        let (pieces, fits) = (is_long && !has_frame).then(|| short_blocks(written, LIMIT, before))?;
        fits.then_some(pieces)
    }
}

impl Rewrite for Repair {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("mended")
    }

    fn source<'s>(&self, source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        // The first pass does this itself.
        if self.writes && !self.is_plain { Box::new(Resync::new(source)) } else { source }
    }

    fn reads(&self, _: &BlockPlace) -> bool {
        !self.copies()
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        let game = Error::any_game(format)?;
        // The blocks of QuakeWorld are always read.
        self.is_plain &= game != Game::QuakeWorld;
        (self.pass.game, self.pass.context) = (Some(game), Some(Context::of(game)));
        self.stops = StopJudge::new(game);
        if self.writes {
            // The counts begin again, since the first pass did not know yet for which engines the recording was made.
            let RepairedDamage { truncated, raw, lengths, lacks_end_mark, lacks_header, last, .. } =
                self.damage;
            self.damage = RepairedDamage {
                truncated,
                raw,
                lengths,
                lacks_end_mark,
                lacks_header,
                last,
                ..RepairedDamage::default()
            };
        }
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match piece {
            Piece::Header(line) if !line.ends_with(b"\n") => {
                self.damage.lacks_header = true;
                out.piece(&Piece::Header(b"-1\n"))
            }
            Piece::End => {
                self.pass.ends = true;
                Ok(())
            }
            Piece::Raw(bytes) => {
                self.found_raw(bytes.len());
                Ok(())
            }
            _ => out.piece(piece),
        }
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.usual_block = if self.copies() { None } else { self.begin_usual(writer) };
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let (dm2::Message::FrameMessage(it), false) = (&entry.message, self.writes) {
            let is_clients = it.head.form == FrameForm::Client && entry.unicast.is_none();
            let [clients, others] = &mut self.kinds;
            let kind = if is_clients { clients } else { others };
            *kind = kind.saturating_add(1);
        }
        // This message is removed except at the end of the recording, and the end is not known yet.
        self.is_plain &= self.writes || !matches!(entry.message, dm2::Message::Disconnect(_));
        self.see_usual(entry, writer.context());
        writer.keep();
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        // `mend` reads the block again, in the context of the blocks that were written before it.
        self.is_unusual();
        writer.keep();
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.pass.game == Some(Game::QuakeWorld) {
            return self.quakeworld_end(writer, out);
        }
        let (block, before) = (*writer.block(), self.pass.context);
        if self.copies() {
            self.pass.angles = block.angles;
            return writer.write(out);
        }
        self.damage.truncated |= block.is_truncated();
        if block.is_from_client() {
            if block.is_truncated() {
                self.found_raw(block.data.len());
                return Ok(());
            }
        } else {
            if block.data.is_empty() {
                self.damage.empty += 1;
                return Ok(());
            }
            // A `disconnect` before the last block is not the end.
            let may_end = !self.writes || writer.place().block >= self.damage.last;
            self.damage.stops +=
                u64::from(self.pass.game == Some(Game::Quake) && std::mem::take(&mut self.pass.ends));
            let (block_number, offset) = (out.blocks(), writer.place().offset);
            let origin = Origin { block: block_number, offset, is_mended: false };
            if !self.end_usual(writer, origin)
                && let Some(mended) = self.mend(&block, origin, may_end)
            {
                self.is_plain = false;
                writer.clear();
                writer.put_bytes(&mended);
            }
        }
        if writer.written().is_empty() {
            return Ok(());
        }
        self.pass.angles = block.angles;
        self.damage.last = if self.writes { self.damage.last } else { writer.place().block };
        if let Some(pieces) = before.and_then(|before| self.pieces(writer, &before)) {
            self.damage.long = self.damage.long.saturating_add(1);
            return pieces.iter().try_for_each(|piece| out.changed(&Block::new(piece)));
        }
        if block.is_truncated() {
            return out.changed(&Block { angles: block.angles, ..Block::new(writer.written()) });
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.pass.game == Some(Game::QuakeWorld) {
            return if self.writes && !self.quakeworld.ends { self.quakeworld.end(out) } else { Ok(()) };
        }
        if self.writes {
            self.check_level()?;
        }
        if let Some(lost) = self.engines.note(&self.framing_fixes.blocks, self.is_nehahra) {
            out.note(lost);
        }
        match self.pass.game {
            Some(Game::Quake) if !self.pass.ends => {
                let mut bytes = Vec::new();
                write_message(&dem::Message::from(dem::Disconnect {}), &mut bytes, &Context::quake());
                if self.writes { out.block(self.pass.angles, &bytes) } else { Ok(()) }
            }
            Some(Game::Quake2) => out.piece(&Piece::End),
            _ => Ok(()),
        }
    }

    fn outcome(&self) -> String {
        let it = &self.damage;
        let some = |count: u64, what: &str, done: &str| {
            (count > 0).then(|| format!("{} {done}", counted(count, what)))
        };
        let yes = |is: bool, done: &str| is.then(|| done.to_owned());
        let lost = format!("in {} could not be read and are lost", counted(it.blocks, "block"));
        let parts = [
            some(it.bytes, "byte", &lost),
            some(it.lengths, "length", "of blocks corrected"),
            some(it.long, "block", "split, because it was too long for engines"),
            some(it.raw, "byte", "outside of any block left out"),
            self.framing_fixes.protocol_note(),
            self.framing_fixes.note(),
            yes(it.truncated, "the block in which it ends completed"),
            some(it.strings, "text", "ended"),
            some(it.empty, "block", "without messages left out"),
            // not from SCHEMA: a word of the summary
            some(it.frames, "frame", "with a lost or wrong base encoded again"),
            some(it.clocks.saturating_add(self.framing_fixes.clocks), "leap", "of the clock removed"),
            some(self.framing_fixes.numbers, "number", "of packets corrected"),
            // not from SCHEMA: a unit that is counted
            some(it.stops, "message", "at which engines stop left out"),
            some(it.stages, "missing stage", "of the connection added"),
            yes(it.lacks_header, "the line with the CD track added"),
            yes(it.lacks_end_mark, "its end added"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        match parts.is_empty() {
            true if self.is_behind => "nothing else to repair".into(),
            true => "nothing to repair".into(),
            false => parts.join(", "),
        }
    }
}

/// A reader that corrects the framing of a damaged recording, so that each block follows the one before.
pub(crate) fn resynced<'s>(source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
    Box::new(Resync::new(source))
}

/// A reader like [`resynced`], for a recording whose first block has this context.
pub(crate) fn resynced_under<'s>(source: Box<dyn Read + 's>, context: Context) -> Box<dyn Read + 's> {
    Box::new(Resync::under(source, context))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_that_are_copied_are_those_that_would_be_read() {
        let mut copied = [0; 2];
        let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples");
        let files = std::fs::read_dir(samples).unwrap().map(|entry| entry.unwrap().path());
        let is_recording = |it: &std::path::PathBuf| {
            it.extension().is_some_and(|it| it.eq_ignore_ascii_case("dem") || it.eq_ignore_ascii_case("dm2"))
        };
        let files = files.filter(is_recording).map(|path| std::fs::read(path).unwrap());
        for file in moviola_scribe::samples().into_iter().map(|it| it.bytes).chain(files) {
            for cut in [0, 1, 7, 400] {
                let file = file.get(..file.len().saturating_sub(cut)).unwrap_or_default();
                let Ok(quick) = Repair::look(file) else { continue };
                let mut slow = Repair { is_plain: false, pass: Pass::default(), ..quick.clone() };
                let is_for_ids = usize::from(slow.required.is_ids());
                copied[is_for_ids] += usize::from(quick.is_plain);
                let (mut quick, mut one, mut other) = (quick, Vec::new(), Vec::new());
                let done = rewrite(file, &mut quick, &mut one).map_err(|it| it.to_string());
                assert_eq!(done, rewrite(file, &mut slow, &mut other).map_err(|it| it.to_string()));
                assert!(one == other);
            }
        }
        assert!(copied.iter().all(|count| *count > 0), "{copied:?}");
    }
}
