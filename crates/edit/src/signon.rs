//! `Signon`: the beginning of a level, for a recording that has none.

use crate::drive::{Stage, Take};
use crate::{Error, Rewrite, Summary};
use moviola_format::{Block, Demo, Format, Game, Piece};
use moviola_state::{Playhead, World, quake, quake2};
use std::io::{Read, Write};

/// The blocks with which a recording of a level begins: what the level is, what it loads, how things stand at first.
///
/// Some programs record a game that is going on without them, so that no engine knows what it is shown. Another recording
/// of the same level has them.
///
/// ```
/// use moviola_edit::{Repair, Signon};
/// # let sample = |name| moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes;
/// # let (headless, other) = (sample("dem-no-serverinfo"), sample("dem-15-v109"));
/// assert!(Repair::look(&headless[..]).is_err());
/// let signon = Signon::of(&other[..]).unwrap();
/// let mut repair = Repair::look_behind(&headless[..], &signon).unwrap();
/// let mut whole = Vec::new();
/// signon.rewrite(&headless[..], &mut repair, &mut whole).unwrap();
/// assert!(Repair::look(&whole[..]).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct Signon {
    game: Game,
    level: String,
    blocks: Vec<([u32; 3], Vec<u8>)>,
}

/// The stage of the connection of Quake after which a server tells what happens.
const LAST_STAGE: u8 = 3;

/// No level takes so many bytes to begin.
const MOST: usize = 1 << 22;

impl Signon {
    /// The beginning of the first level of a recording.
    ///
    /// # Errors
    /// When it is no recording, has no beginning itself, or reading fails.
    pub fn of<R: Read>(recording: R) -> Result<Self, Error> {
        let mut demo = Demo::new(recording)?;
        match Error::game(demo.format())? {
            Game::Quake => Self::collect::<R, quake::World>(
                &mut demo,
                |before, after| before.signon >= LAST_STAGE || after.shown().next().is_some(),
                |world| moviola_format::names::readable(world.level.models.get(1)),
            ),
            Game::Quake2 => Self::collect::<R, quake2::World>(
                &mut demo,
                |_, after| after.frame().number != 0,
                |world| moviola_format::names::readable(world.server.title.bytes()),
            ),
        }
    }

    fn collect<R: Read, W: World>(
        demo: &mut Demo<R>,
        plays: impl Fn(&W, &W) -> bool,
        level: impl Fn(&W) -> String,
    ) -> Result<Self, Error> {
        let game = Error::game(demo.format())?;
        let (mut head, mut blocks, mut size) = (Playhead::<W>::new(), Vec::new(), 0usize);
        while let Some(piece) = demo.next_piece()? {
            let Piece::Block(block) = piece else { continue };
            let before = head.world.clone();
            head.step(&block);
            size = size.saturating_add(block.data.len());
            if plays(&before, &head.world) || size > MOST {
                head.world = before;
                break;
            }
            if !block.is_from_client() && !block.is_truncated() && !block.data.is_empty() {
                blocks.push((block.angles, block.data.to_vec()));
            }
        }
        let level = level(&head.world);
        if level.is_empty() {
            let why = "the recording that shall give its beginning has none: take another one of the level";
            return Err(Error::Impossible(why.into()));
        }
        Ok(Self { game, level, blocks })
    }

    /// Which level it is.
    ///
    /// ```
    /// use moviola_edit::Signon;
    /// # let other = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
    /// assert!(Signon::of(&other[..]).unwrap().level().ends_with(".bsp"));
    /// ```
    pub fn level(&self) -> &str {
        &self.level
    }

    /// Like [`rewrite`](crate::rewrite), of a recording that begins with these blocks.
    ///
    /// # Errors
    /// When the recording is of the other game, reading or writing fails, or the edit cannot do what it was asked.
    pub fn rewrite<R: Read, W: Write>(
        &self,
        source: R,
        rewriter: &mut dyn Rewrite,
        sink: W,
    ) -> Result<Summary, Error> {
        let mut demo = Demo::new(source)?;
        self.fits(demo.format())?;
        let mut stage = Stage::to_file(rewriter, sink);
        stage.begin(demo.format())?;
        let mut is_begun = false;
        while let Some(piece) = demo.next_piece()? {
            if !matches!(piece, Piece::Header(_)) && !std::mem::replace(&mut is_begun, true) {
                for (angles, data) in &self.blocks {
                    stage.take(&Piece::Block(Block { angles: *angles, ..Block::new(data) }))?;
                }
            }
            stage.take(&piece)?;
        }
        stage.end()?;
        let mut summary = stage.summary().clone();
        // Its blocks are none of the recording's, which is what a summary tells about.
        let count = self.blocks.len() as u64;
        let head = if self.game == Game::Quake { 16 } else { 4 };
        let size: u64 = self.blocks.iter().map(|(_, data)| head + data.len() as u64).sum();
        summary.read = summary.read.saturating_sub(count);
        summary.same = summary.same.saturating_sub(count);
        summary.bytes_in = summary.bytes_in.saturating_sub(size);
        summary.added = summary.added.saturating_add(count);
        summary.about = format!("the beginning of {} put before it, {}", self.level, summary.about);
        Ok(summary)
    }

    fn fits(&self, format: Format) -> Result<(), Error> {
        if Error::game(format)? == self.game {
            return Ok(());
        }
        Err(Error::Impossible("the beginning is of a recording of the other game".into()))
    }
}
