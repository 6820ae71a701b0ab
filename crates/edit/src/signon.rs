//! `Signon`: the beginning of a level, for a recording that has none.

use crate::{Error, Out, Pen, Rewrite};
use moviola_format::{Demo, Format, Game, Piece};
use moviola_state::{Playhead, World, quake, quake2};
use std::io::Read;

/// The blocks with which a recording of a level begins: what the level is, what it loads, how things stand at first.
///
/// Some programs record a game that is going on without them, so that no engine knows what it is shown. Another recording
/// of the same level has them.
///
/// ```
/// use moviola_edit::{Repair, Signon, rewrite};
/// # let sample = |name| moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes;
/// # let (headless, other) = (sample("dem-no-serverinfo"), sample("dem-15-v109"));
/// assert!(Repair::look(&headless[..]).is_err());
/// let mut signon = Signon::of(&other[..]).unwrap();
/// let mut headed = Vec::new();
/// rewrite(&headless[..], &mut signon, &mut headed).unwrap();
/// assert!(Repair::look(&headed[..]).is_ok());
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

    /// Writes the blocks, once.
    fn lend(&mut self, out: &mut Out<'_>) -> Result<(), Error> {
        let blocks = std::mem::take(&mut self.blocks);
        blocks.iter().try_for_each(|(angles, data)| out.block(*angles, data))
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
}

impl Rewrite for Signon {
    fn begin(&mut self, format: Format, _: &mut Out<'_>) -> Result<(), Error> {
        if Error::game(format)? == self.game {
            return Ok(());
        }
        Err(Error::Impossible("the beginning is of a recording of the other game".into()))
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut Out<'_>) -> Result<(), Error> {
        if !matches!(piece, Piece::Header(_)) {
            self.lend(out)?;
        }
        out.piece(piece)
    }

    fn block_end(&mut self, pen: &mut Pen<'_>, out: &mut Out<'_>) -> Result<(), Error> {
        self.lend(out)?;
        pen.write(out)
    }

    fn said(&self) -> String {
        format!("the beginning of {} put before it", self.level)
    }
}
