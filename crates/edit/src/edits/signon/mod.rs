//! `Signon`: the beginning of a level, for a recording that has none, or lost a part of it.

mod own_signon;

use crate::machinery::bridge::wire;
use crate::machinery::summary::counted;
use crate::repair::resynced_under;
use crate::{BlockWriter, EditOutput, Error, Rewrite};
use moviola_format::{
    Block, Context, Demo, Dialect, Entry, Format, Game, Piece, Quake, Quake2, Str, dem, dm2,
};
use moviola_state::{Playhead, World, quake, quake2};
use own_signon::{Patch, SignonAsRead};
use std::collections::BTreeMap;
use std::io::Read;

/// The blocks with which a recording of a level begins: they announce the level, list its files, and set its
/// first state.
///
/// Some programs begin to record in the middle of a game, so that no engine knows the level of the recording.
/// Another recording of the same level has these blocks.
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
    /// The context of the block after it.
    context: Context,
    blocks: Vec<([u32; 3], Vec<u8>)>,
    /// If the recording announces its level itself: the number of the block after which the missing messages are
    /// inserted.
    insert_after: Option<u64>,
    /// If that announcement is damaged: its block, and the correction.
    patch: Option<(u64, Patch)>,
    /// Quake II: the right values of damaged config strings, up to the first frame.
    hit: BTreeMap<i16, Vec<u8>>,
    /// The number of inserted messages, and whether the recording has messages of a beginning itself.
    inserted: u64,
    is_part: bool,
    /// Whether the recording that gets the beginning was looked at.
    is_fit: bool,
    /// The number of damaged messages that were corrected.
    set_right: u64,
}

/// A limit on the bytes of a level's beginning, which no level reaches.
const MAX_BEGINNING: usize = 1 << 22;

impl Signon {
    /// Takes the beginning of the first level of a recording.
    ///
    /// # Errors
    /// When it is not a recording, has no beginning itself, or reading fails.
    pub fn of<R: Read>(recording: R) -> Result<Self, Error> {
        let mut demo = Demo::new(recording)?;
        match Error::game(demo.format())? {
            Game::Quake | Game::QuakeWorld => Self::collect::<R, quake::World>(
                &mut demo,
                |before, after| before.signon >= quake::LAST_STAGE || after.shown().next().is_some(),
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
            if plays(&before, &head.world) || size > MAX_BEGINNING {
                head.world = before;
                break;
            }
            if !block.is_from_client() && !block.is_truncated() && !block.data.is_empty() {
                blocks.push((block.angles, block.data.to_vec()));
            }
        }
        let level = level(&head.world);
        if level.is_empty() {
            let why = "the recording named by --signon has no beginning: choose another one of the level";
            return Err(Error::Impossible(why.into()));
        }
        Ok(Self {
            game,
            level,
            context: head.context,
            blocks,
            insert_after: None,
            patch: None,
            hit: BTreeMap::new(),
            inserted: 0,
            is_part: false,
            is_fit: false,
            set_right: 0,
        })
    }

    /// Leaves out the parts of the beginning that the other recording has itself.
    ///
    /// ```
    /// use moviola_edit::Signon;
    /// # let whole = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-15-v109").unwrap().bytes;
    /// // One that has its beginning lacks nothing.
    /// assert!(Signon::of(&whole[..]).unwrap().fit(&whole[..]).is_err());
    /// ```
    ///
    /// # Errors
    /// When it lacks nothing, or is of another level; or when reading fails.
    pub fn fit<R: Read>(mut self, recording: R) -> Result<Self, Error> {
        let mut beginning = Vec::new();
        self.is_fit = true;
        recording.take(MAX_BEGINNING as u64).read_to_end(&mut beginning)?;
        self.is_of_game(Demo::new(&beginning[..])?.format())?;
        match self.game {
            Game::Quake | Game::QuakeWorld => {
                let (lent, beginning) = self.announce(&beginning)?;
                self.fit_quake(SignonAsRead::after_blocks(lent, &beginning)?);
            }
            Game::Quake2 => self.fit_quake2(&SignonAsRead::mended(&beginning)?)?,
        }
        if self.inserted == 0 && self.patch.is_none() && self.hit.is_empty() {
            let why = "it has a beginning of its own: repair it without --signon";
            return Err(Error::Impossible(why.into()));
        }
        Ok(self)
    }

    /// Puts the blocks that announce this level before the beginning of a recording that has no announcement, because they
    /// set the protocol in which it is read. Returns their number too.
    fn announce(&self, beginning: &[u8]) -> Result<(u64, Vec<u8>), Error> {
        let header = match Demo::new(beginning)?.next_piece()? {
            Some(Piece::Header(line)) => line.len(),
            _ => 0,
        };
        let (mut out, rest) =
            beginning.split_at_checked(header).map(|(head, rest)| (head.to_vec(), rest)).unwrap_or_default();
        let (mut lent, mut context) = (0, Context::quake());
        for (angles, data) in &self.blocks {
            let block = Block { angles: *angles, ..Block::new(data) };
            Piece::Block(block).write(self.game, &mut out)?;
            lent += 1;
            let mut messages = block.messages::<Quake>(context);
            let announces = messages.any(|entry| matches!(entry.message, dem::Message::ServerInfo(_)));
            context = *messages.context();
            if announces {
                break;
            }
        }
        out.extend_from_slice(rest);
        Ok((lent, out))
    }

    fn fit_quake(&mut self, mut own: SignonAsRead) {
        let (mut patch, mut stage, mut first) = (None, 1, None);
        self.keep::<Quake>(Context::quake(), |message, bytes| {
            if let dem::Message::ServerInfo(_) = message {
                patch = own.patch(bytes);
            }
            let stays = own.lacks(stage, message, bytes);
            if stays && first.is_none() {
                first = Some(stage);
            }
            if let dem::Message::SignonNum(it) = message {
                stage = it.signon.saturating_add(1);
            }
            stays
        });
        self.patch = own.announced.as_ref().map(|it| it.block).zip(patch);
        self.insert_after = own.before(first.unwrap_or(quake::LAST_STAGE));
    }

    fn fit_quake2(&mut self, own: &SignonAsRead) -> Result<(), Error> {
        let mut strings = BTreeMap::new();
        self.keep::<Quake2>(Context::quake2(), |message, _| {
            if let dm2::Message::ConfigString(it) = message {
                strings.insert(it.index, it.string.bytes().to_vec());
            }
            own.lacks_quake2(message)
        });
        if !own.is_of(&strings) {
            let why = "the recording named by --signon is of another level";
            return Err(Error::Impossible(why.into()));
        }
        self.hit = own.hit(&strings);
        self.insert_after = own.announced.as_ref().map(|it| it.block);
        if self.insert_after.is_some() && own.is_whole(&strings) {
            (self.inserted, self.blocks) = (0, Vec::new());
        }
        Ok(())
    }

    fn is_of_game(&self, format: Format) -> Result<(), Error> {
        if Error::game(format)? == self.game {
            return Ok(());
        }
        Err(Error::Impossible("the recording named by --signon is of another game".into()))
    }

    /// Keeps only some of the messages.
    fn keep<D: Dialect>(
        &mut self,
        mut context: Context,
        mut stays: impl for<'m> FnMut(&D::Message<'m>, &[u8]) -> bool,
    ) {
        for (_, data) in &mut self.blocks {
            let (mut kept, mut at) = (Vec::new(), 0);
            let block = Block::new(data);
            let mut messages = block.messages::<D>(context);
            while let Some(entry) = &messages.next() {
                let bytes = data.get(at..messages.pos()).unwrap_or_default();
                at = messages.pos();
                if stays(&entry.message, bytes) {
                    kept.extend_from_slice(bytes);
                    self.inserted = self.inserted.saturating_add(1);
                } else {
                    self.is_part = true;
                }
            }
            context = *messages.context();
            *data = kept;
        }
        self.blocks.retain(|(_, data)| !data.is_empty());
    }

    /// Writes the blocks, once.
    fn write_blocks(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let blocks = std::mem::take(&mut self.blocks);
        blocks.iter().try_for_each(|(angles, data)| out.block(*angles, data))
    }

    /// The file of the level.
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
    fn source<'s>(&self, source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        // Bytes between damaged blocks must stay between the repaired ones.
        if self.is_fit { resynced_under(source, self.context) } else { source }
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.is_of_game(format)
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if !matches!(piece, Piece::Header(_)) && self.insert_after.is_none() {
            self.write_blocks(out)?;
        }
        out.piece(piece)
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dm2::Message::ConfigString(it) if self.hit.contains_key(&it.index) => {
                let right = self.hit.get(&it.index).map(|right| wire(right)).unwrap_or_default();
                writer.put(&dm2::Message::from(dm2::ConfigString {
                    index: it.index,
                    string: Str::new(&right),
                }));
                self.set_right = self.set_right.saturating_add(1);
            }
            dm2::Message::FrameMessage(_) => {
                self.hit.clear();
                writer.keep();
            }
            _ => writer.keep(),
        }
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.insert_after.is_none() {
            self.write_blocks(out)?;
        }
        let block = writer.place().block;
        if let Some((_, Patch { place, right })) = self.patch.take_if(|(at, _)| *at == block) {
            let data = writer.block().data;
            let before = data.get(..place.start).unwrap_or_default();
            let behind = data.get(place.end..).unwrap_or_default();
            writer.clear();
            writer.put_bytes(&[before, &right, behind].concat());
            self.set_right = self.set_right.saturating_add(1);
        }
        writer.write(out)?;
        if self.insert_after == Some(block) { self.write_blocks(out) } else { Ok(()) }
    }

    fn outcome(&self) -> String {
        let described = match self.is_part || self.insert_after.is_some() {
            _ if self.inserted == 0 => None,
            true => {
                Some(format!(
                    "{} of the beginning of {} added",
                    // not from SCHEMA: a unit that is counted
                    counted(self.inserted, "message"),
                    self.level
                ))
            }
            false => Some(format!("the beginning of {} put before it", self.level)),
        };
        let right = (self.set_right > 0)
            // not from SCHEMA: a unit that is counted
            .then(|| format!("{} corrected from the other recording", counted(self.set_right, "message")));
        described.into_iter().chain(right).collect::<Vec<_>>().join(", ")
    }
}
