//! `Cut`: keeps some parts of a recording, and makes each moment of them look and sound as it did.
//!
//! A message often makes sense only after earlier ones, so a part cannot just be copied. A bridge is put before it: the
//! messages that take a client from the state that it has seen last to the state before the part. Keeping all messages of
//! state from the gap instead would keep most of its bytes, and engines would play them as a flicker. A bridge costs about
//! one full frame for each part. Blocks inside of a part are copied, byte for byte; where nothing in them can matter to a
//! cut they are not even read (`Run`).

mod from_block;
mod mvd2;
mod quake;
mod quake2;
mod quakeworld;

pub use from_block::FromBlock;
pub(crate) use quake::{bytes, reconnect};

use crate::machinery::level_change::takes_away;
use crate::machinery::span::Run;
use crate::{BlockPlace, BlockWriter, EditOutput, Error, FoundSpans, Rewrite};
use moviola_format::{Block, Entry, Fault, Format, Game, Piece, client, dm2, hidden, qw};
use moviola_state::{Playhead, World};

/// Keeps the parts of a recording that the spans name, or all other parts.
///
/// The state before each part is rebuilt, so that every kept moment is drawn, heard and shown as before.
/// Quake: the sign-on of the level is kept, and one moment sent in full precedes each part. Quake II: the
/// header is rebuilt with the config strings of that time, and the first frame is sent in full. `QuakeWorld`: the
/// beginning of the level is kept, then come the scoreboard, the stats and all entities. MVD2: the level begins anew with
/// the state of that moment.
///
/// ```
/// use moviola_edit::{Cut, Spans, rewrite};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
/// let found = Spans::parse("#5..").unwrap().find(&recording[..]).unwrap();
/// let mut short = Vec::new();
/// rewrite(&recording[..], &mut Cut::keep(found), &mut short).unwrap();
/// assert!(!short.is_empty());
/// ```
#[derive(Clone)]
#[expect(clippy::struct_excessive_bools, reason = "what was asked, and how far it is done")]
pub struct Cut {
    found: FoundSpans,
    drops: bool,
    /// Whether all of it is kept, so that nothing is changed.
    keeps_all: bool,
    /// How many blocks could not be read to their end.
    unread: u64,
    /// Whether the recording has shown any moment of the game, and whether any was kept.
    had_moments: bool,
    has_moments: bool,
    /// Whether all parts to keep were read.
    is_done: bool,
    /// Blocks that need not be read.
    run: Option<Run>,
    side: GameCutter,
}

#[derive(Clone)]
enum GameCutter {
    Neither,
    Quake(Box<quake::Cutter>),
    Quake2(Box<quake2::Cutter>),
    QuakeWorld(Box<quakeworld::Cutter>),
    Match(Box<mvd2::Cutter>),
}

impl Cut {
    /// Keeps just these parts.
    pub fn keep(found: FoundSpans) -> Self {
        let keeps_all = found.is_everything();
        Self {
            found,
            drops: false,
            keeps_all,
            unread: 0,
            had_moments: false,
            has_moments: false,
            is_done: false,
            run: None,
            side: GameCutter::Neither,
        }
    }

    /// Keeps everything else.
    pub fn drop(found: FoundSpans) -> Self {
        Self { drops: true, keeps_all: false, ..Self::keep(found) }
    }
}

impl Rewrite for Cut {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("cut")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        let game = Error::game_or_mvd2(format)?;
        if self.keeps_all {
            return Ok(());
        }
        self.side = match game {
            Game::Quake => GameCutter::Quake(Box::default()),
            Game::Quake2 if format == Format::Mvd2 => GameCutter::Match(Box::default()),
            Game::Quake2 => GameCutter::Quake2(Box::default()),
            Game::QuakeWorld => GameCutter::QuakeWorld(Box::default()),
        };
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        // The end is written where the edited recording ends; bytes that are not a block have no place in it.
        if self.keeps_all || matches!(piece, Piece::Header(_)) { out.piece(piece) } else { Ok(()) }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        // The kept part ends the playback, or another part follows that does not continue it.
        if self.keeps_all || !takes_away(&entry.message) {
            writer.keep();
        }
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn knows_mvd2(&self) -> bool {
        true
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        if let GameCutter::QuakeWorld(cutter) = &mut self.side {
            cutter.begin(writer.block());
        }
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let stays = match &mut self.side {
            GameCutter::QuakeWorld(cutter) => cutter.message(entry, writer),
            _ => true,
        };
        if stays {
            writer.keep();
        }
    }

    fn hidden(&mut self, entry: &Entry<hidden::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let GameCutter::QuakeWorld(cutter) = &mut self.side {
            cutter.hidden(&entry.message);
        }
        writer.keep();
    }

    fn record(&mut self, entry: &Entry<client::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let GameCutter::QuakeWorld(cutter) = &mut self.side {
            cutter.record(&entry.message);
        }
        writer.keep();
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        self.unread += u64::from(!writer.block().is_from_client() && !self.keeps_all);
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.keeps_all {
            return writer.write(out);
        }
        if let Some(run) = self.run {
            return self.pass(&run, writer, out);
        }
        let is_over = !self.drops && self.found.is_over(writer.place());
        if writer.block().is_truncated() {
            if is_over {
                return Ok(());
            }
            out.note(format!("the recording ends inside block {}, which was left out", writer.place().block));
            return Ok(());
        }
        let keeps = self.found.holds(writer.place()) != self.drops;
        let is_moment = writer.place().time.is_some();
        self.had_moments |= is_moment;
        self.has_moments |= is_moment && keeps;
        let is_settled = match &mut self.side {
            GameCutter::Quake(cutter) => cutter.block(writer, keeps, out)?,
            GameCutter::Quake2(cutter) => cutter.block(writer, keeps, out)?,
            GameCutter::QuakeWorld(cutter) => cutter.block(writer, keeps, out)?,
            GameCutter::Match(cutter) => {
                cutter.block(writer, keeps, out)?;
                false
            }
            GameCutter::Neither => false,
        };
        self.is_done = is_over && !matches!(&self.side, GameCutter::QuakeWorld(cutter) if cutter.reads_on());
        if is_settled {
            self.run = self.found.run(writer.place(), self.drops).filter(|run| run.keeps == keeps);
        }
        Ok(())
    }

    fn reads(&self, _: &BlockPlace) -> bool {
        self.run.is_none() && !self.keeps_all
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match &mut self.side {
            GameCutter::Quake(cutter) => cutter.end(out)?,
            GameCutter::Quake2(cutter) => cutter.end(out)?,
            GameCutter::QuakeWorld(cutter) => cutter.end(out)?,
            GameCutter::Match(_) => mvd2::Cutter::end(out)?,
            GameCutter::Neither => {}
        }
        if self.unread > 0 {
            let blocks = self.unread;
            out.note(format!(
                "{blocks} blocks could not be read completely: after cuts, content of them may be missing"
            ));
        }
        // Blocks before the first moment show nothing, so a result that has only such blocks is refused.
        if out.blocks() == 0 || self.drops && self.had_moments && !self.has_moments {
            return Err(Error::Impossible("nothing would be left of the recording".into()));
        }
        if !self.has_moments && !self.keeps_all {
            out.note("no moment of the game is left, only how it begins: engines have nothing to show");
        }
        Ok(())
    }
}

impl Cut {
    /// Keeps or drops a block without reading it, since the decision is known already.
    fn pass(
        &mut self,
        run: &Run,
        writer: &mut BlockWriter<'_>,
        out: &mut EditOutput<'_>,
    ) -> Result<(), Error> {
        match &mut self.side {
            GameCutter::Quake(cutter) => cutter.pass(run, writer, out)?,
            GameCutter::Quake2(cutter) => cutter.pass(run, writer, out)?,
            GameCutter::QuakeWorld(_) | GameCutter::Match(_) | GameCutter::Neither => {}
        }
        if writer.place().block.saturating_add(1) == run.until {
            writer.set_context(&run.context);
            writer.place_mut().time = run.time;
            self.is_done = !self.drops && self.found.is_over(writer.place());
            self.run = None;
        }
        Ok(())
    }
}

/// Follows a block that was not read, if a bridge will be needed after it.
fn pass<W: World>(run: &Run, writer: &BlockWriter<'_>, head: &mut Playhead<W>) {
    if run.leads {
        head.step(writer.block());
    }
    if writer.place().block.saturating_add(1) == run.until {
        head.context = run.context;
    }
}

/// The blocks with which a level begins, kept back until it is known whether they are needed.
#[derive(Clone, Debug, Default)]
struct Beginning {
    blocks: Vec<([u32; 3], Vec<u8>)>,
    size: usize,
    /// Whether any of these blocks, and whether all of them, are kept although no part needs them.
    any: bool,
    keeps_all: bool,
}

impl Beginning {
    /// An upper bound for the bytes of a level's beginning.
    const MAX_BYTES: usize = 1 << 22;

    fn new() -> Self {
        Self { keeps_all: true, ..Self::default() }
    }

    fn push(&mut self, block: &Block<'_>, keeps: bool) {
        self.size = self.size.saturating_add(block.data.len());
        self.any |= keeps;
        self.keeps_all &= keeps;
        self.blocks.push((block.angles, block.data.to_vec()));
    }

    fn is_empty(&self) -> bool {
        self.size == 0
    }

    fn is_full(&self) -> bool {
        self.size > Self::MAX_BYTES
    }

    /// Writes the blocks, unless they were written already.
    fn write(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        self.any = false;
        std::mem::take(&mut self.blocks).iter().try_for_each(|(angles, data)| {
            out.piece(&Piece::Block(Block { angles: *angles, ..Block::new(data) }))
        })
    }
}
