//! `Repair`: damaged, truncated, unfinished recordings into ones that play, and what was lost.
//!
//! It looks at the recording first: what is missing must be known before the first block is written.

mod frames;
mod resync;
mod sieve;

use crate::cut::reconnect;
use crate::summary::thousands;
use crate::{Error, Out, Pen, Rewrite, rewrite};
use moviola_format::{
    Block, Context, Entry, Fault, Format, FrameForm, Game, Piece, Str, dem, dm2, write_message,
};
use resync::{Resync, Torn};
use sieve::Sieve;
use std::io::{self, Read};

/// What is wrong with a recording that can be mended.
///
/// ```
/// use moviola_edit::{Damage, Repair};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-empty-blocks").unwrap().bytes;
/// let repair = Repair::look(&recording[..]).unwrap();
/// let Damage { empty, truncated, .. } = repair.damage();
/// assert!(*empty > 0 && !truncated);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a thing of its own that is wrong")]
pub struct Damage {
    /// Blocks that cannot be read to their end.
    pub blocks: u64,
    /// The bytes of them that cannot be read.
    pub bytes: u64,
    /// The recording ends inside a block.
    pub truncated: bool,
    /// Bytes that are no block.
    pub raw: u64,
    /// Blocks whose length is wrong.
    pub lengths: u64,
    /// Texts at the end of a block that have no end.
    pub strings: u64,
    /// Blocks without messages, at which engines stop.
    pub empty: u64,
    /// Quake II: frames that build on frames that are not there.
    pub frames: u64,
    /// What ends a recording or sends its player away, in the middle of it.
    pub stops: u64,
    /// What ends a recording is not at its end.
    pub unended: bool,
    /// Quake: the line with the CD track is missing.
    pub headless: bool,
    /// Stages of the connection (Quake), or `precache` (Quake II), without which nothing is drawn.
    pub stages: u64,
    /// Quake: a level begins without `reconnect` before it.
    pub unconnected: u64,
    /// Nothing says which level is played.
    pub homeless: bool,
    /// The last block that stays.
    last: u64,
}

/// Mends a recording so that engines play it, as far as that can be: what cannot be read is taken out, what is missing
/// is put in. A sound recording stays as it is.
///
/// ```
/// use moviola_edit::{Repair, rewrite};
/// # let recording = moviola_scribe::samples().into_iter().find(|it| it.name == "dem-cut-block").unwrap().bytes;
/// let mut repair = Repair::look(&recording[..]).unwrap();
/// assert!(repair.damage().truncated);
/// let mut whole = Vec::new();
/// rewrite(&recording[..], &mut repair, &mut whole).unwrap();
/// let again = Repair::look(&whole[..]).unwrap();
/// assert!(!again.damage().truncated && !again.damage().unended);
/// ```
#[derive(Clone)]
pub struct Repair {
    damage: Damage,
    torn: Torn,
    pass: Pass,
    sieve: Sieve,
    frames: frames::Mender,
    writes: bool,
}

/// Where a pass over the recording is.
#[derive(Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "what was seen of the recording so far")]
struct Pass {
    game: Option<Game>,
    /// How far the connection has come.
    stage: u8,
    announced: bool,
    /// Something was played of a level; a second one began before that.
    has_played: bool,
    begins_twice: bool,
    /// A level begins in this block, behind another one.
    enters: bool,
    plays: bool,
    reconnects: bool,
    ends: bool,
    /// Where in the block a frame of Quake II began that is not whole yet.
    frame: Option<usize>,
    angles: [u32; 3],
    /// Under what the block at hand begins, and how things stood there.
    before: Option<Context>,
    past: Past,
}

/// How far a level had come before the block at hand.
#[derive(Clone, Copy, Default)]
struct Past {
    announced: bool,
    plays: bool,
    stage: u8,
}

/// The stage of the connection after which a server tells what happens; `precache` brings Quake II there.
const LAST_STAGE: u8 = 3;

const PRECACHE: &[u8] = b"precache\n\0";

/// Commands that send a player of Quake II away from the recording.
// schema-once: console commands; one is called like a message.
const AWAY: [&[u8]; 2] = [b"reconnect", b"changing"];

impl Repair {
    /// Looks at a recording.
    ///
    /// # Errors
    /// When it is no recording, cannot be read, or does not say which level is played; or when reading fails.
    pub fn look<R: Read>(source: R) -> Result<Self, Error> {
        Self::read(source)?.looked()
    }

    /// Looks at a recording that was lent the beginning of another one.
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
    /// When it is no recording, cannot be read, or has a beginning of its own; or when reading fails.
    pub fn look_behind<R: Read>(source: R) -> Result<Self, Error> {
        let look = Self::read(source)?;
        if look.pass.begins_twice {
            let why = "it has a beginning of its own: repair it without --signon";
            return Err(Error::Impossible(why.into()));
        }
        look.looked()
    }

    fn read<R: Read>(source: R) -> Result<Self, Error> {
        let mut look = Self::looking();
        let mut source = Resync::new(source);
        rewrite(&mut source, &mut look, io::sink())?;
        look.torn = source.torn().clone();
        look.damage.lengths = look.torn.lengths;
        look.damage.raw += look.torn.bytes;
        look.damage.unended = !look.pass.ends;
        Ok(look)
    }

    /// Before the pass that looks.
    fn looking() -> Self {
        Self {
            damage: Damage::default(),
            torn: Torn::default(),
            pass: Pass::default(),
            sieve: Sieve::default(),
            frames: frames::Mender::default(),
            writes: false,
        }
    }

    /// What was found.
    fn looked(self) -> Result<Self, Error> {
        if self.damage.homeless {
            let why = "nothing in it says which level is played, so that no engine can show it: --signon OTHER \
                       takes that from another recording of the level";
            return Err(Error::Impossible(why.into()));
        }
        Ok(Self { damage: self.damage, torn: self.torn, writes: true, ..Self::looking() })
    }

    /// What is wrong with it.
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Counts something, in the pass that looks.
    fn count(&self) -> u64 {
        u64::from(!self.writes)
    }

    fn enter(&mut self) {
        self.pass.begins_twice |= self.pass.announced && !self.pass.has_played;
        self.pass.enters = self.pass.announced;
        (self.pass.announced, self.pass.plays, self.pass.stage) = (true, false, 0);
    }

    /// The game is on: puts in what is missing for it.
    fn play(&mut self, pen: &mut Pen<'_>) {
        if std::mem::replace(&mut self.pass.plays, true) {
            return;
        }
        self.pass.has_played = true;
        self.damage.homeless |= !self.pass.announced;
        let missing = self.pass.stage.saturating_add(1)..=LAST_STAGE;
        self.damage.stages += self.count() * missing.clone().count() as u64;
        if !self.writes {
            return;
        }
        if self.pass.game == Some(Game::Quake) {
            missing.for_each(|signon| pen.put(&dem::Message::from(dem::SignonNum { signon })));
        } else if self.pass.stage < LAST_STAGE {
            pen.put(&dm2::Message::from(dm2::StuffText { string: Str::new(PRECACHE) }));
        }
    }

    /// Leaves out a frame that has no entities, though all of the block could be read; and sees to a last string
    /// without an end. Where the recording ends in it, the rest of it is missing too.
    fn make_whole(&mut self, pen: &mut Pen<'_>) {
        let length = pen.written().len();
        if let Some(at) = self.pass.frame.take() {
            if !pen.block().is_truncated() {
                self.damage.blocks += self.count();
                self.damage.bytes += self.count() * length.saturating_sub(at) as u64;
            }
            pen.truncate(at);
        } else if let Some(open) = pen.open_end() {
            if pen.block().is_truncated() {
                pen.truncate(length.saturating_sub(open));
            } else {
                self.damage.strings += self.count();
                pen.end_string();
            }
        }
    }

    /// Takes out of the block what no engine gets past.
    fn sift(&mut self, pen: &mut Pen<'_>) {
        let after = *pen.context();
        let before = self.pass.before.unwrap_or(after);
        let is_truncated = pen.block().is_truncated();
        let sifted = self.sieve.sift(pen.written(), is_truncated, [&before, &after]);
        let Some((kept, gone)) = sifted else { return };
        self.damage.stops += self.count() * gone;
        self.damage.strings += self.count() * u64::from(gone == 0);
        let is_quake = self.pass.game == Some(Game::Quake);
        if self.pass.enters && is_quake && !sieve::announces(&kept, &before) {
            // What looked like another level was none.
            let Past { announced, plays, stage } = self.pass.past;
            (self.pass.enters, self.pass.announced) = (false, announced);
            (self.pass.plays, self.pass.stage) = (plays, stage);
        }
        pen.clear();
        pen.put_bytes(&kept);
    }

    /// Tells frames anew that build on lost ones.
    fn build_anew(&mut self, pen: &mut Pen<'_>) {
        let context = self.pass.before.unwrap_or(*pen.context());
        if let Some((mended, count)) = self.frames.mend(pen.written(), &context) {
            self.damage.frames += self.count() * count;
            pen.clear();
            pen.put_bytes(&mended);
        }
    }

    /// Takes out what stops a player.
    fn stop(&mut self) {
        self.damage.stops += self.count();
    }

    /// The end of a recording is right in its last block only.
    fn keep_end(&mut self, pen: &mut Pen<'_>) {
        if !self.writes || pen.place().block >= self.damage.last {
            self.pass.ends = true;
            pen.keep();
        }
    }
}

impl Rewrite for Repair {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("mended")
    }

    fn source<'s>(&self, source: Box<dyn Read + 's>) -> Box<dyn Read + 's> {
        // Who looks sees to that itself.
        if self.writes { Box::new(Resync::new(source)) } else { source }
    }

    fn begin(&mut self, format: Format, _: &mut Out<'_>) -> Result<(), Error> {
        self.pass.game = Some(Error::game(format)?);
        Ok(())
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut Out<'_>) -> Result<(), Error> {
        match piece {
            Piece::Header(line) if !line.ends_with(b"\n") => {
                self.damage.headless = true;
                out.piece(&Piece::Header(b"-1\n"))
            }
            Piece::End => {
                self.pass.ends = true;
                Ok(())
            }
            Piece::Raw(bytes) => {
                self.damage.raw += self.count() * bytes.len() as u64;
                Ok(())
            }
            _ => out.piece(piece),
        }
    }

    fn block(&mut self, pen: &mut Pen<'_>) {
        (self.pass.enters, self.pass.frame) = (false, None);
        let Pass { announced, plays, stage, .. } = self.pass;
        (self.pass.before, self.pass.past) = (Some(*pen.context()), Past { announced, plays, stage });
        if self.pass.game == Some(Game::Quake)
            && !pen.block().data.is_empty()
            && !pen.block().is_from_client()
        {
            // A disconnect with something behind it was none.
            self.damage.stops += self.count() * u64::from(std::mem::take(&mut self.pass.ends));
        }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, pen: &mut Pen<'_>) {
        match &entry.message {
            dem::Message::ServerInfo(_) => self.enter(),
            dem::Message::SignonNum(it) => self.pass.stage = self.pass.stage.max(it.signon),
            dem::Message::UpdateEntity(_) => self.play(pen),
            dem::Message::Disconnect(_) => return self.keep_end(pen),
            _ => {}
        }
        pen.keep();
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, pen: &mut Pen<'_>) {
        match &entry.message {
            dm2::Message::FrameMessage(it) => {
                self.pass.frame = Some(pen.written().len());
                self.sieve.is_clients |= it.head.form == FrameForm::Client && entry.unicast.is_none();
            }
            dm2::Message::PacketEntities(_) => self.pass.frame = None,
            _ => {}
        }
        match &entry.message {
            dm2::Message::ServerData(_) => self.enter(),
            dm2::Message::StuffText(it) if it.string.bytes().starts_with(b"precache") => {
                self.pass.stage = LAST_STAGE;
            }
            dm2::Message::StuffText(it) if AWAY.contains(&it.string.bytes().trim_ascii()) => {
                return self.stop();
            }
            dm2::Message::Reconnect(_) | dm2::Message::Download(_) => return self.stop(),
            // No engine loads a server's or a Relay recording.
            dm2::Message::FrameMessage(it) if it.head.form == FrameForm::Client => self.play(pen),
            dm2::Message::Disconnect(_) if self.writes && pen.place().block < self.damage.last => return,
            _ => {}
        }
        pen.keep();
    }

    fn remainder(&mut self, _: Fault, pen: &mut Pen<'_>) {
        if pen.block().is_from_client() {
            return pen.keep();
        }
        self.damage.blocks += self.count();
        self.damage.bytes += self.count() * pen.bytes().len() as u64;
        if let Some(at) = self.pass.frame.take() {
            // A frame without its entities is no frame.
            pen.truncate(at);
        }
    }

    fn block_end(&mut self, pen: &mut Pen<'_>, out: &mut Out<'_>) -> Result<(), Error> {
        let block = *pen.block();
        self.damage.truncated |= block.is_truncated();
        if block.data.is_empty() && !block.is_from_client() {
            self.damage.empty += self.count();
            return Ok(());
        }
        if !block.is_from_client() {
            self.make_whole(pen);
            self.sift(pen);
            if self.pass.game == Some(Game::Quake2) {
                self.build_anew(pen);
            }
        }
        if block.is_truncated() && block.is_from_client() {
            self.damage.raw += self.count() * block.data.len() as u64;
            return Ok(());
        }
        if pen.written().is_empty() {
            return Ok(());
        }
        if self.pass.enters && self.pass.game == Some(Game::Quake) && !self.pass.reconnects {
            self.damage.unconnected += self.count();
            out.block(self.pass.angles, &reconnect())?;
        }
        self.pass.reconnects = pen.written().ends_with(&reconnect());
        self.pass.angles = block.angles;
        self.damage.last = if self.writes { self.damage.last } else { pen.place().block };
        if block.is_truncated() {
            return out.changed(&Block { angles: block.angles, ..Block::new(pen.written()) });
        }
        pen.write(out)
    }

    fn end(&mut self, out: &mut Out<'_>) -> Result<(), Error> {
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

    fn said(&self) -> String {
        let it = &self.damage;
        let some = |count: u64, what: &str, done: &str| {
            (count > 0).then(|| format!("{} {done}", things(count, what)))
        };
        let yes = |is: bool, done: &str| is.then(|| done.to_owned());
        let lost = format!("in {} could not be read and are lost", things(it.blocks, "block"));
        let said = [
            some(it.bytes, "byte", &lost),
            some(it.lengths, "length", "of blocks set right"),
            some(it.raw, "byte", "outside of any block left out"),
            self.torn.said(),
            yes(it.truncated, "the block in which it ends made whole"),
            some(it.strings, "text", "ended"),
            some(it.empty, "block", "without messages left out"),
            some(it.frames, "picture", "told anew, which built on what is lost or is not right"),
            some(it.stops, "message", "on which players stop left out"),
            some(it.stages, "missing stage", "of the connection put in"),
            some(it.unconnected, "new level", "made known where it begins"),
            yes(it.headless, "the line with the CD track put in"),
            yes(it.unended, "its end put in"),
        ];
        let said: Vec<String> = said.into_iter().flatten().collect();
        if said.is_empty() { "nothing to mend".into() } else { said.join(", ") }
    }
}

/// A number of things.
fn things(number: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(number), if number == 1 { "" } else { "s" })
}
