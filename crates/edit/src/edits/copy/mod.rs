//! Copies of entities: a second ogre beside the first, a torch somewhere else. A copy is there and moves as long as its
//! original does, under a number that nothing else in the recording has.

use crate::machinery::bridge::added::AddedEntities;
use crate::machinery::bridge::quake::update;
use crate::machinery::pose::Pose;
use crate::machinery::summary::counted;
use crate::machinery::used::UsedNumbers;
use crate::{BlockWriter, EditOutput, Error, Rewrite};
use moviola_check::largest_block;
use moviola_format::{Angle8, Entry, Fault, Format, FrameForm, Game, Short8, dem, write_message};
use moviola_state::World as _;
use moviola_state::quake::{Baseline, PLAYING, World};
use moviola_state::quake2;
use std::io::Read;
use std::sync::Arc;

/// Where a copy is placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CopyPlace {
    /// Away from its original by this vector; it moves with it.
    Beside([f64; 3]),
    /// At this place.
    At([f64; 3]),
}

/// Shows an entity a second time.
///
/// ```
/// use moviola_edit::{CopyEntity, CopyPlace, rewrite};
/// # let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem");
/// # let recording = std::fs::read(samples).unwrap();
/// let mut copy = CopyEntity::find(&recording[..], 13, CopyPlace::Beside([64.0, 0.0, 0.0]), 90.0).unwrap();
/// let mut edited = Vec::new();
/// let summary = rewrite(&recording[..], &mut copy, &mut edited).unwrap();
/// assert!(summary.about.starts_with("entity "));
/// ```
#[derive(Clone)]
pub struct CopyEntity {
    original: u16,
    number: u16,
    place: CopyPlace,
    yaw_turn: f64,
    side: GameState,
    /// Whether all of the current block can be read.
    is_read: bool,
    shown_blocks: u64,
    full_blocks: u64,
}

/// The state of the recording that is edited.
#[derive(Clone)]
enum GameState {
    Neither,
    Quake(Box<World>),
    Quake2(Box<AddedEntities>),
}

impl CopyEntity {
    /// Finds a number for the copy of an entity, which is turned by these degrees, to the left if positive.
    ///
    /// # Errors
    /// When the recording is of QuakeWorld, lacks the entity, has no number free, or cannot be read.
    pub fn find(source: impl Read, original: u16, stand: CopyPlace, turn: f64) -> Result<Self, Error> {
        let (used, game) = UsedNumbers::of(source)?;
        if !used.has(original) {
            let why = format!("there is no entity {original}: `moviola decompile` lists them");
            return Err(Error::Impossible(why));
        }
        let Some(number) = used.free(game).next() else {
            return Err(Error::Impossible("the recording has no free entity number".into()));
        };
        Ok(Self {
            original,
            number,
            place: stand,
            yaw_turn: turn,
            side: GameState::Neither,
            is_read: true,
            shown_blocks: 0,
            full_blocks: 0,
        })
    }

    /// Adds the update of the copy to a frame of Quake in which its original is.
    fn quake_frame(&mut self, writer: &mut BlockWriter<'_>) {
        let GameState::Quake(world) = &self.side else { return };
        let updated = || world.shown().find(|(number, _)| *number == self.original);
        let Some((_, original)) = updated().filter(|(_, it)| it.look.model > 0) else { return };
        let (context, mut entity) = (*writer.context(), *original);
        let mut pose = Pose::of(&entity.place);
        pose.origin = self.place.of(pose.origin);
        let moved = pose.place(&context);
        entity.place.origin = moved.origin;
        if self.yaw_turn != 0.0 {
            let [_, yaw, _] = &mut pose.angles;
            *yaw += self.yaw_turn;
            entity.place.angles = pose.place(&context).angles;
        }
        let mut bytes = Vec::new();
        let message = update(self.number, &entity, &Baseline::default(), &context);
        write_message(&dem::Message::from(message), &mut bytes, &context);
        if writer.written().len() + bytes.len() > largest_block(Game::Quake) {
            self.full_blocks += 1;
        } else {
            writer.put_bytes(&bytes);
            self.shown_blocks += 1;
        }
    }

    /// Adds the copy to each frame of Quake II in which its original is.
    fn quake2_frames(&mut self, writer: &mut BlockWriter<'_>) -> Result<(), Error> {
        let Self { original, number, place: stand, yaw_turn: turn, side: GameState::Quake2(added), .. } =
            self
        else {
            return Ok(());
        };
        let block = *writer.block();
        let level = Arc::clone(&added.head.world.server);
        let all = added.play(&block);
        if all.iter().flatten().any(|frame| frame.form != FrameForm::Client) {
            let why = "entities can only be copied in a client's recording: make one with `moviola view`";
            return Err(Error::Impossible(why.into()));
        }
        added.put(&all, writer, |frame| {
            let Some(it) = frame.entity(*original) else { return Ok(Vec::new()) };
            let [pitch, yaw, roll] = it.angles;
            let yaw = if *turn == 0.0 { yaw } else { Angle8::nearest(yaw.value() + *turn) };
            let origin = stand.of(it.origin.map(Short8::value)).map(Short8::nearest);
            let copy = quake2::Entity {
                number: *number,
                origin,
                old_origin: origin,
                angles: [pitch, yaw, roll],
                ..*it
            };
            // `solid` is for the prediction of the player's movement, which the copy must not stop.
            Ok(vec![quake2::Entity { solid: 0, ..copy }])
        })?;
        if added.head.world.server != level {
            added.forget();
        }
        (self.shown_blocks, self.full_blocks) = (added.shown, added.full_blocks);
        Ok(())
    }
}

impl CopyPlace {
    fn of(self, original: [f64; 3]) -> [f64; 3] {
        match (self, original) {
            (Self::Beside([x, y, z]), [from_x, from_y, from_z]) => [from_x + x, from_y + y, from_z + z],
            (Self::At(place), _) => place,
        }
    }
}

impl Rewrite for CopyEntity {
    fn needs_messages(&self) -> Option<&'static str> {
        Some("given actors")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.side = match Error::game(format)? {
            Game::Quake | Game::QuakeWorld => GameState::Quake(Box::default()),
            Game::Quake2 => GameState::Quake2(Box::default()),
        };
        Ok(())
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        self.is_read = !writer.block().is_truncated() && !writer.block().is_from_client();
        if let GameState::Quake(world) = &mut self.side {
            world.begin_block(writer.block());
        }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let (GameState::Quake(world), false) = (&mut self.side, writer.block().is_from_client()) {
            world.apply(entry);
        }
        writer.keep();
    }

    fn remainder(&mut self, _: Fault, writer: &mut BlockWriter<'_>) {
        self.is_read = false;
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let GameState::Quake(world) = &mut self.side {
            world.end_block();
            let is_frame = writer.block().data.first() == Some(&dem::Time::OP);
            if is_frame && self.is_read && world.signon == PLAYING {
                self.quake_frame(writer);
            }
        } else if self.is_read {
            self.quake2_frames(writer)?;
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if self.shown_blocks == 0 && self.full_blocks == 0 {
            let why = format!("entity {} is never shown in a frame", self.original);
            return Err(Error::Impossible(why));
        }
        if self.full_blocks > 0 {
            out.note(format!(
                "{} too full for a copy, which is invisible there",
                counted(self.full_blocks, "block")
            ));
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let frames = counted(self.shown_blocks, "frame"); // not from SCHEMA: a word of the summary
        format!("entity {} is a copy of entity {}, in {frames}", self.number, self.original)
    }
}
