//! Turns a recording with Q2PRO's extended limits into one of protocol 34, so that code for protocol 34 can read it.
//!
//! Frames keep their numbers and their bases, and entities the fields that changed. Values that do not fit are counted.

use super::numbers::{LevelNumbers, PlainLoss};
use super::{Q2proEffect, Q2proEntity, Q2proPlayer};
use crate::context::Context;
use crate::dm2::{self, Message, SpawnBaseline};
use crate::kinds::{
    Angle8, ByteOrShort, Deltas, EntityBits, FrameForm, FrameHead, LoopSound, Short8, SoundBits, Stats,
    TempCount, TempKind2, TempStyle, Volume, WideCoord, te,
};
use crate::names::{Meaning, quake2, value};
use crate::scalar::{Flags, Scalar};
use std::collections::BTreeMap;

/// Turns the messages of a recording with Q2PRO's extended limits into those of protocol 34.
///
/// ```
/// use moviola_format::{Context, Messages, Quake2, dm2::Message, q2pro::AsPlain};
/// let mut context = Context::quake2();
/// context.set_quake2_protocol(3434, 1);
/// // A sound with a number of 16 bits.
/// let block = b"\x09\x20\x07\x00";
/// let mut plain = AsPlain::default();
/// for entry in Messages::<Quake2>::new(block, context) {
///     plain.message(&entry.message, |it| assert!(matches!(it, Message::Sound(it) if it.soundnum == 7)));
/// }
/// assert_eq!(plain.losses().count(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct AsPlain {
    models: LevelNumbers,
    sounds: LevelNumbers,
    images: LevelNumbers,
    /// The places of entities in their first states.
    baselines: BTreeMap<u16, [i32; 3]>,
    frames: [Frame; RING],
    /// The frame that is being read, and the one that it builds on.
    open: Frame,
    base: Frame,
    form: FrameForm,
    losses: BTreeMap<PlainLoss, u64>,
}

/// The number of frames that a later one can build on.
const RING: usize = 16;

/// The values of a frame to which later ones give differences.
#[derive(Clone, Debug, Default)]
struct Frame {
    number: i32,
    origin: [i32; 3],
    velocity: [i32; 3],
    blend: [Volume; 4],
    entities: BTreeMap<u16, [i32; 3]>,
}

impl Default for AsPlain {
    fn default() -> Self {
        Self {
            // The number 255 is the player's own model.
            models: LevelNumbers::new(254),
            sounds: LevelNumbers::new(255),
            images: LevelNumbers::new(255),
            baselines: BTreeMap::new(),
            frames: Default::default(),
            open: Frame::default(),
            base: Frame::default(),
            form: FrameForm::default(),
            losses: BTreeMap::new(),
        }
    }
}

fn place(number: i32) -> usize {
    number.rem_euclid(RING as i32) as usize
}

impl AsPlain {
    /// The losses so far: each kind of thing that protocol 34 cannot express, with its number.
    pub fn losses(&self) -> impl Iterator<Item = (PlainLoss, u64)> + '_ {
        self.losses.iter().map(|(loss, count)| (*loss, *count))
    }

    fn lose(&mut self, loss: PlainLoss) {
        *self.losses.entry(loss).or_default() += 1;
    }

    fn lose_if(&mut self, is_lost: bool, loss: PlainLoss) {
        if is_lost {
            self.lose(loss);
        }
    }

    /// Passes on the message under protocol 34, if it has one there.
    pub fn message(&mut self, message: &Message<'_>, mut done: impl FnMut(&Message<'_>)) {
        let mut buffer = Vec::new();
        match message {
            Message::ServerData(it) => {
                let losses = std::mem::take(&mut self.losses);
                *self = Self { losses, ..Self::default() };
                done(&dm2::ServerData { serverversion: dm2::NEWEST, ..*it }.into());
            }
            Message::ConfigString(it) => match self.config(it.index) {
                Some(index) => done(&dm2::ConfigString { index, ..*it }.into()),
                None => self.lose(PlainLoss::ConfigString),
            },
            Message::FrameMessage(it) => {
                self.begin(&it.head);
                done(message);
            }
            Message::Q2proBaseline(it) => {
                let Some(entity) = it.entity.get() else { return };
                let before = [0; 3];
                let after = places(&entity, before);
                self.baselines.insert(entity.entity.0, after);
                done(&self.entity(&entity, after).into());
            }
            Message::Q2proPlayerInfo(it) => {
                if let Some(player) = it.player.get() {
                    done(&self.player(&player, &mut buffer).into());
                }
            }
            Message::Q2proEntities(it) => {
                let list: Vec<SpawnBaseline> =
                    it.entities.iter().map(|entity| self.listed(&entity)).collect();
                if let Some(frame) = self.frames.get_mut(place(self.open.number)) {
                    frame.clone_from(&self.open);
                }
                done(&dm2::PacketEntities { entities: Deltas::encode(list, &mut buffer) }.into());
            }
            Message::Q2proSound(it) => {
                let Some(soundnum) = self.sounds.of(it.soundnum.0) else {
                    return self.lose(PlainLoss::Number);
                };
                let (vol, attenuation, timeofs, source) = (it.vol, it.attenuation, it.timeofs, it.source);
                let flags = SoundBits(it.flags.0 & !(ByteOrShort::<0x20>::BIT as u8));
                let origin = self.coords(it.origin);
                done(&dm2::Sound { flags, soundnum, vol, attenuation, timeofs, source, origin }.into());
            }
            Message::Q2proTempEntity(it) => {
                let effect = it.effect.get().and_then(|effect| self.effect(&effect));
                match effect {
                    Some(effect) => done(&effect.into()),
                    None => self.lose(PlainLoss::Effect),
                }
            }
            other => done(other),
        }
    }

    /// The number of a config string under id's limits.
    fn config(&mut self, index: i16) -> Option<i16> {
        let (base, place) = quake2::q2pro_part(u16::try_from(index).ok()?)?;
        let numbers = match base {
            quake2::CS_MODELS => &mut self.models,
            quake2::CS_SOUNDS => &mut self.sounds,
            quake2::CS_IMAGES => &mut self.images,
            _ => return i16::try_from(quake2::id_config(index as u16)?).ok(),
        };
        i16::try_from(base + u16::from(numbers.name(place)?)).ok()
    }

    /// Begins a frame with the values of the one that it builds on.
    fn begin(&mut self, head: &FrameHead<'_>) {
        let known = self.frames.get(place(head.seq2)).filter(|it| head.seq2 > 0 && it.number == head.seq2);
        self.base = known.cloned().unwrap_or_default();
        self.form = head.form;
        self.open = Frame { number: head.seq1, ..self.base.clone() };
    }

    /// A number in 16 bits of eighths.
    fn coord(&mut self, eighths: i32) -> Short8 {
        let near = eighths.clamp(i16::MIN.into(), i16::MAX.into());
        self.lose_if(near != eighths, PlainLoss::Coordinate);
        Short8(near as i16)
    }

    fn coords(&mut self, place: [WideCoord; 3]) -> [Short8; 3] {
        place.map(|coord| self.coord(coord.eighths()))
    }

    fn model(&mut self, number: u16) -> u8 {
        self.models.of(number).unwrap_or_else(|| {
            self.lose(PlainLoss::Number);
            0
        })
    }

    fn sound(&mut self, sound: LoopSound) -> u8 {
        self.lose_if(sound.volume().is_some() || sound.attenuation().is_some(), PlainLoss::LoopSound);
        self.sounds.of(sound.index()).unwrap_or_else(|| {
            self.lose(PlainLoss::Number);
            0
        })
    }

    /// A record of a frame's list.
    fn listed(&mut self, it: &Q2proEntity) -> SpawnBaseline {
        let number = it.entity.0;
        if it.flags.has(Q2proEntity::remove) {
            self.open.entities.remove(&number);
            return self.entity(it, [0; 3]);
        }
        let first = if self.form == FrameForm::Server { None } else { self.baselines.get(&number) };
        let before = self.base.entities.get(&number).or(first).copied().unwrap_or_default();
        let after = places(it, before);
        self.open.entities.insert(number, after);
        self.entity(it, after)
    }

    /// An entity at this place.
    fn entity(&mut self, it: &Q2proEntity, place: [i32; 3]) -> SpawnBaseline {
        let context = const { Context::quake2() };
        let mut new = SpawnBaseline { entity: ByteOrShort(it.entity.0), ..SpawnBaseline::default() };
        let mut bits = new.entity.implied(0, &context);
        if it.flags.has(Q2proEntity::remove) {
            new.flags = EntityBits::canonical(bits | SpawnBaseline::remove, &context).listed(&context);
            return new;
        }
        macro_rules! take {
            ($($field:ident = $value:expr;)*) => { $( if it.flags.has(Q2proEntity::$field) {
                new.$field = $value;
                bits |= new.$field.implied(SpawnBaseline::$field, &context);
            } )* };
        }
        let [x, y, z] = place;
        take! {
            modelindex = self.model(it.modelindex.0);
            modelindex2 = self.model(it.modelindex2.0);
            modelindex3 = self.model(it.modelindex3.0);
            modelindex4 = self.model(it.modelindex4.0);
            frame = it.frame;
            skin = it.skin;
            effects = it.effects;
            renderfx = it.renderfx;
            origin_x = self.coord(x);
            origin_y = self.coord(y);
            origin_z = self.coord(z);
            angles_1 = Angle8::nearest(it.angles_1.value());
            angles_2 = Angle8::nearest(it.angles_2.value());
            angles_3 = Angle8::nearest(it.angles_3.value());
            old_origin = self.coords(it.old_origin);
            sound = self.sound(it.sound);
            event = it.event;
            solid = solid(it.solid);
        }
        let look = Q2proEntity::morefx | Q2proEntity::alpha | Q2proEntity::scale;
        self.lose_if(it.flags.has(look), PlainLoss::Look);
        new.flags = EntityBits::canonical(bits, &context);
        new
    }

    fn player<'b>(&mut self, it: &Q2proPlayer<'_>, buffer: &'b mut Vec<u8>) -> dm2::PlayerInfo<'b> {
        let has = |bits: u32| it.flags.has(bits);
        let [x, y, z] = self.base.origin;
        if has(Q2proPlayer::origin_x) {
            self.open.origin = [it.origin_x.after(x), it.origin_y.after(y), it.origin_z.after(z)];
        }
        let [x, y, z] = self.base.velocity;
        if has(Q2proPlayer::velocity_x) {
            self.open.velocity = [it.velocity_x.after(x), it.velocity_y.after(y), it.velocity_z.after(z)];
        }
        let (origin, velocity) = (self.open.origin, self.open.velocity);
        if has(Q2proPlayer::blend) {
            for (place, value) in it.blend.parts() {
                match self.open.blend.get_mut(usize::from(place)) {
                    Some(part) => *part = Volume(value),
                    None => self.lose(PlainLoss::DamageColor),
                }
            }
        }
        self.lose_if(has(Q2proPlayer::fog), PlainLoss::Fog);
        let stats: Vec<(u8, i16)> = it.stats.iter().filter_map(|stat| self.stat(stat)).collect();
        let mut new = dm2::PlayerInfo { stats: Stats::encode(stats, buffer), ..dm2::PlayerInfo::default() };
        macro_rules! take {
            ($($field:ident $bit:ident = $value:expr;)*) => { $( if has(Q2proPlayer::$bit) {
                new.$field = $value;
                new.flags.0 |= dm2::PlayerInfo::$field as u16;
            } )* };
        }
        take! {
            pm_type pm_type = it.pm_type;
            origin origin_x = origin.map(|part| self.coord(part));
            velocity velocity_x = velocity.map(|part| self.coord(part));
            pm_time pm_time = it.pm_time.0.min(255) as u8;
            pm_flags pm_flags = it.pm_flags.0 as u8;
            gravity gravity = it.gravity;
            delta_angles delta_angles = it.delta_angles;
            viewoffset viewoffset = it.viewoffset;
            viewangles viewangles = it.viewangles;
            kick_angles kick_angles = it.kick_angles;
            gunindex gunindex = self.model(it.gunindex.model());
            gunframe gunframe = it.gunframe;
            gunoffset gunoffset = it.gunoffset;
            gunangles gunangles = it.gunangles;
            blend blend = self.open.blend;
            fov fov = it.fov;
            rdflags rdflags = it.rdflags;
        }
        new
    }

    /// A stat whose value can be the number of an image or of a config string.
    fn stat(&mut self, (index, number): (u8, i16)) -> Option<(u8, i16)> {
        if index >= 32 {
            self.lose(PlainLoss::Stat);
            return None;
        }
        let Ok(wide) = u16::try_from(number) else { return Some((index, number)) };
        let there = match quake2::stat_meaning(index.into()) {
            Meaning::Config(quake2::CS_IMAGES) => self.images.of(wide).map(u16::from),
            Meaning::Config(0) => self.known_config(wide),
            _ => Some(wide),
        };
        self.lose_if(there.is_none(), PlainLoss::Number);
        Some((index, there.and_then(|it| i16::try_from(it).ok()).unwrap_or_default()))
    }

    /// The number of a config string that was named before.
    fn known_config(&self, index: u16) -> Option<u16> {
        let (base, place) = quake2::q2pro_part(index)?;
        let numbers = match base {
            quake2::CS_MODELS => &self.models,
            quake2::CS_SOUNDS => &self.sounds,
            quake2::CS_IMAGES => &self.images,
            _ => return quake2::id_config(index),
        };
        numbers.of(place).map(|number| base + u16::from(number))
    }

    fn effect(&mut self, it: &Q2proEffect) -> Option<dm2::TempEntity<'static>> {
        let kind = it.flags.number();
        let similar = SIMILAR.iter().find(|(own, _)| *own == kind).map_or(kind, |(_, plain)| *plain);
        let flags = TempKind2::new(similar, it.flags.nextid(), dm2::NEWEST)?;
        Some(dm2::TempEntity {
            flags,
            dest_entity: it.dest_entity,
            entity: it.entity,
            r#type: it.r#type,
            count: TempCount(it.count.into()),
            dest_origin: self.coords(it.dest_origin),
            origin: self.coords(it.origin),
            trace_endpos: self.coords(it.trace_endpos),
            movedir: it.movedir,
            style: TempStyle::of(it.style, flags.has(te::SPLASH)),
            pos1: self.coords(it.pos1),
            flash_entity: it.flash_entity,
            plat2flags: it.plat2flags,
            wait: it.wait,
            ..dm2::TempEntity::default()
        })
    }
}

/// The place of an entity after a change.
fn places(it: &Q2proEntity, before: [i32; 3]) -> [i32; 3] {
    let [x, y, z] = before;
    let has = |bits: u32| it.flags.has(bits);
    [
        if has(Q2proEntity::origin_x) { it.origin_x.after(x) } else { x },
        if has(Q2proEntity::origin_y) { it.origin_y.after(y) } else { y },
        if has(Q2proEntity::origin_z) { it.origin_z.after(z) } else { z },
    ]
}

/// The kinds of effect that id has under another number, or nearly so.
const SIMILAR: [(u8, u8); 5] = {
    const fn q2pro_kind(name: &'static str) -> u8 {
        value(quake2::TEMP_ENTITY_Q2PRO, name) as u8
    }
    const fn plain_number(name: &'static str) -> u8 {
        value(quake2::TEMP_ENTITY, name) as u8
    }
    [
        (q2pro_kind("TE_BFG_ZAP"), plain_number("TE_BFG_LASER")),
        (q2pro_kind("TE_GRAPPLE_CABLE_2"), plain_number("TE_GRAPPLE_CABLE")),
        (q2pro_kind("TE_BLUEHYPERBLASTER_2"), plain_number("TE_FLECHETTE")),
        (q2pro_kind("TE_EXPLOSION1_NL"), plain_number("TE_EXPLOSION1_NP")),
        (q2pro_kind("TE_EXPLOSION2_NL"), plain_number("TE_EXPLOSION2")),
    ]
};

/// A size in 16 bits: 5 bits to the sides and 5 down, in eights, and 6 up, plus 32. Q2PRO has a byte for each, and one
/// for the other sides.
fn solid(wide: u32) -> i16 {
    const BRUSH: u32 = 31;
    if wide == 0 || wide == BRUSH {
        return wide as i16;
    }
    let [x, _, below, above] = wide.to_le_bytes().map(u16::from);
    let [x, below] = [x, below].map(|size| (size / 8).clamp(1, 31));
    // In both forms, 32 is added to the height.
    let above = (above / 8).clamp(1, 63);
    (x | below << 5 | above << 10) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Messages, Quake2};

    fn of_3435() -> Context {
        let mut context = Context::quake2();
        context.set_quake2_protocol(3435, 1);
        context
    }

    /// The messages under protocol 34.
    fn plain(it: &mut AsPlain, block: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut messages = Messages::<Quake2>::new(block, of_3435());
        for entry in messages.by_ref() {
            it.message(&entry.message, |new| crate::write_message(new, &mut out, &Context::quake2()));
        }
        assert_eq!(messages.fault(), None);
        out
    }

    #[test]
    fn a_difference_becomes_the_place() {
        let mut it = AsPlain::default();
        // The entity 5 stands at x = 100 in its first state, and goes 1 unit on in the frame 1, and in 2 from there.
        let baseline = plain(&mut it, b"\x0e\x01\x05\x41\x06\0");
        assert_eq!(baseline, b"\x0e\x01\x05\x20\x03");
        let frame = |number: u8, base: i32| {
            [&[20, number, 0, 0, 0][..], &base.to_le_bytes(), b"\0\0\x11\0\0\0\x12\x01\x05\x10\0\0\0"]
                .concat()
        };
        for (number, base, x) in [(1, -1, 808i16), (2, 1, 816), (3, 1, 816)] {
            let made = plain(&mut it, &frame(number, base));
            let list = [&b"\x12\x01\x05"[..], &x.to_le_bytes(), b"\0\0"].concat();
            assert!(made.ends_with(&list), "{number}: {made:x?}");
        }
        assert_eq!(it.losses().count(), 0);
    }

    #[test]
    fn numbers_beyond_the_limits_are_moved_or_counted() {
        let mut it = AsPlain::default();
        // The model 300 and its config string.
        let named = plain(&mut it, &[&[13][..], &362i16.to_le_bytes(), b"models/far.md2\0"].concat());
        assert_eq!(named, [&[13][..], &286i16.to_le_bytes(), b"models/far.md2\0"].concat());
        let model = plain(&mut it, b"\x0e\x80\x88\x80\x10\x05\x2c\x01");
        assert_eq!(model, b"\x0e\x80\x08\x05\xfe");
        plain(&mut it, b"\x0e\x80\x88\x80\x10\x05\x2d\x01");
        assert_eq!(it.losses().collect::<Vec<_>>(), [(PlainLoss::Number, 1)]);
    }

    #[test]
    fn a_size_keeps_its_meaning() {
        assert_eq!((solid(0), solid(31)), (0, 31));
        // 16 to the sides, 24 down, 32 up.
        assert_eq!(solid(0x4018_1010), 0x2062);
    }
}
