//! Ghosts: other runs through the same levels, as entities of the recording, in step with its clock.

mod gap;
mod quake;
mod quake2;
mod quakeworld;
mod runner;

use crate::machinery::used::UsedNumbers;
use crate::{BlockWriter, EditOutput, Error, OpenInput, Rewrite, SpanLevel, levels};
use moviola_format::{Demo, Entry, Fault, Format, Game, dem, qw};
use runner::Source;
use std::collections::BTreeSet;
use std::io::{self, Read};

/// Shows other runs of the same levels in a recording.
///
/// Each other recording is read beside it, so that both clocks are the same; its recorder appears as
/// a ghost. In protocols that know it, and in Quake II, ghosts are half transparent. In QuakeWorld a ghost is a player in
/// a slot that nobody has.
///
/// ```
/// use moviola_edit::{Ghost, rewrite};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
/// // A run against itself.
/// let other = recording.clone();
/// let open = std::rc::Rc::new(move || Ok(Box::new(std::io::Cursor::new(other.clone())) as Box<dyn std::io::Read>));
/// let mut ghost = Ghost::find(|| Ok(&recording[..]), vec![("other.dem".into(), open)]).unwrap();
/// let mut race = Vec::new();
/// let summary = rewrite(&recording[..], &mut ghost, &mut race).unwrap();
/// assert!(summary.about.starts_with("1 ghost in "));
/// ```
pub struct Ghost<'r> {
    sources: Vec<Source<'r>>,
    /// The models that the recorders of the other recordings have in Quake.
    player_models: BTreeSet<Vec<u8>>,
    /// Whether the gap in time is shown.
    has_gap: bool,
    game: GameGhosts<'r>,
}

impl Clone for Ghost<'_> {
    /// A clone begins at the start of the recording.
    fn clone(&self) -> Self {
        Self {
            sources: self.sources.clone(),
            player_models: self.player_models.clone(),
            has_gap: self.has_gap,
            game: GameGhosts::Neither,
        }
    }
}

enum GameGhosts<'r> {
    Neither,
    Quake(Box<quake::AllGhosts<'r>>),
    Quake2(Box<quake2::AllGhosts<'r>>),
    QuakeWorld(Box<quakeworld::AllGhosts<'r>>),
}

impl<'r> Ghost<'r> {
    /// Finds the levels that the recordings have in common. Each other recording has a name, for messages about it.
    ///
    /// # Errors
    /// When a recording is of another game, or has none of the levels, or cannot be read.
    pub fn find<R: Read>(
        mut base: impl FnMut() -> io::Result<R>,
        others: Vec<(String, OpenInput<'r>)>,
    ) -> Result<Self, Error> {
        let base_levels = levels(base()?)?;
        let game = Error::any_game(Demo::new(base()?)?.format())?;
        let mut free: Box<dyn Iterator<Item = u16>> = match game {
            Game::QuakeWorld => Box::new(quakeworld::free_slots(base()?)?.into_iter().map(u16::from)),
            game => Box::new(UsedNumbers::of(base()?)?.0.free(game).collect::<Vec<_>>().into_iter()),
        };
        let mut sources = Vec::new();
        for (name, open) in others {
            let of_them = |error: Error| Error::OfFile(name.clone(), Box::new(error));
            let theirs = open().map_err(Error::from).and_then(levels).map_err(of_them)?;
            if !theirs.iter().any(|level| base_levels.iter().any(|one| one.map == level.map)) {
                let maps = |all: &[SpanLevel]| {
                    let mut names: Vec<&str> = all.iter().map(|level| level.map.as_str()).collect();
                    names.dedup();
                    names.join(", ")
                };
                let (has, wants) = (maps(&theirs), maps(&base_levels));
                let why = format!("{name} is on {has}, not on {wants}: ghosts need the same level");
                return Err(Error::Impossible(why));
            }
            let Some(number) = free.next() else {
                // not from SCHEMA: a word for people
                let what = if game == Game::QuakeWorld { "player slots" } else { "entities" };
                let why = format!("the recording has no free {what}: use fewer ghosts");
                return Err(Error::Impossible(why));
            };
            sources.push(Source { name, open, number, shift: 0.0 });
        }
        drop(free);
        let worn = match game {
            Game::Quake => quake::player_models(&sources)?,
            Game::Quake2 | Game::QuakeWorld => BTreeSet::new(),
        };
        Ok(Self { sources, player_models: worn, has_gap: false, game: GameGhosts::Neither })
    }

    /// Shows the ghosts this many seconds later, earlier if negative: for a run that began elsewhere, or with a head start.
    #[must_use]
    pub fn shifted(mut self, seconds: f64) -> Self {
        self.sources.iter_mut().for_each(|source| source.shift = seconds);
        self
    }

    /// Shows the gap in time in the middle of the screen, once a second: `+1.3` where the other run was at the
    /// player's place 1.3 seconds earlier.
    #[must_use]
    pub fn with_gap(mut self) -> Self {
        self.has_gap = true;
        self
    }

    /// How often the gap is shown.
    fn gaps(&self) -> u64 {
        match &self.game {
            GameGhosts::Quake(ghosts) => ghosts.gaps_shown,
            GameGhosts::Quake2(ghosts) => ghosts.gaps_shown,
            GameGhosts::QuakeWorld(ghosts) => ghosts.gaps_shown,
            GameGhosts::Neither => 0,
        }
    }

    /// The number of frames with a ghost.
    fn shown(&self) -> u64 {
        match &self.game {
            GameGhosts::Quake(ghosts) => ghosts.shown_blocks,
            GameGhosts::Quake2(ghosts) => ghosts.added.shown,
            GameGhosts::QuakeWorld(ghosts) => ghosts.shown_blocks,
            GameGhosts::Neither => 0,
        }
    }
}

impl Rewrite for Ghost<'_> {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("given ghosts")
    }

    fn needs_updates(&self) -> Option<&'static str> {
        Some("given ghosts")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        let sources = self.sources.clone();
        if self.has_gap && format == Format::Mvd {
            let why = "a recording of a whole match has no recorder, so there is no gap to show";
            return Err(Error::Impossible(why.into()));
        }
        self.game = match Error::any_game(format)? {
            Game::Quake => GameGhosts::Quake(Box::new(quake::AllGhosts::new(
                sources,
                self.player_models.clone(),
                self.has_gap,
            ))),
            Game::Quake2 => GameGhosts::Quake2(Box::new(quake2::AllGhosts::new(sources, self.has_gap))),
            Game::QuakeWorld => {
                GameGhosts::QuakeWorld(Box::new(quakeworld::AllGhosts::new(sources, self.has_gap)))
            }
        };
        Ok(())
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        match &mut self.game {
            GameGhosts::Quake(ghosts) => ghosts.block(writer),
            GameGhosts::QuakeWorld(ghosts) => ghosts.block(writer),
            GameGhosts::Quake2(_) | GameGhosts::Neither => {}
        }
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &mut self.game {
            GameGhosts::QuakeWorld(ghosts) => ghosts.message(entry, writer),
            _ => writer.keep(),
        }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &mut self.game {
            GameGhosts::Quake(ghosts) => ghosts.message(entry, writer),
            _ => writer.keep(),
        }
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        match &mut self.game {
            GameGhosts::Quake(ghosts) => ghosts.is_whole = false,
            GameGhosts::QuakeWorld(ghosts) => ghosts.mark_incomplete(),
            GameGhosts::Quake2(_) | GameGhosts::Neither => {}
        }
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        match &mut self.game {
            GameGhosts::Quake(ghosts) => ghosts.block_end(writer)?,
            GameGhosts::Quake2(ghosts) => ghosts.block_end(writer, out)?,
            GameGhosts::QuakeWorld(ghosts) => ghosts.block_end(writer)?,
            GameGhosts::Neither => {}
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let full = match &self.game {
            GameGhosts::Quake(ghosts) => ghosts.full_blocks,
            GameGhosts::Quake2(ghosts) => ghosts.added.full_blocks,
            GameGhosts::QuakeWorld(ghosts) => ghosts.full_blocks,
            GameGhosts::Neither => 0,
        };
        if full == 0 && self.shown() == 0 {
            return Err(Error::Impossible(
                "no ghost would be visible: the other recordings are never in the same level at the same time".into(),
            ));
        }
        if self.has_gap && self.gaps() == 0 {
            out.note("no gap is shown: the runs are never at the same place");
        }
        if full > 0 {
            out.note(format!("{full} blocks are too full for a ghost, which is invisible there"));
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let shown_frames = self.shown();
        let others = self.sources.len();
        let ghosts = if others == 1 { "ghost" } else { "ghosts" };
        let shown = crate::machinery::summary::thousands(shown_frames);
        let gap = match self.gaps() {
            0 => String::new(),
            gaps => format!(", the gap {} times", crate::machinery::summary::thousands(gaps)),
        };
        format!("{others} {ghosts} in {shown} frames{gap}")
    }
}
