//! Entities: their places between two updates, their poses, and the lists to which they belong.

use super::{Beat, BlockState, Maker, Thing, opacity, placed};
use crate::library::ends;
use crate::vector::{add, lerp, lerp_angles, sub};
use crate::{Brush, FileName, LevelView, Model, ModelSkin, Pose, Scene, Shade, Sprite, Vec3};
use moviola_format::names::{bit, quake};
use moviola_state::quake::{Baseline, EntityLook};

/// An entity that moves farther than this between two updates jumps there.
pub(super) const JUMP: f32 = 100.0;

/// The duration of steps and poses in seconds.
const STEP_SECONDS: f64 = 0.1;

/// The flag in the head of an MDL of items, which rotate.
const TURNS: u32 = 8;

/// The rotation of items in degrees per second.
const DEGREES_PER_SECOND: f64 = 100.0;

const MUZZLE_FLASH: u8 = bit(quake::EFFECTS, "EF_MUZZLEFLASH") as u8;

/// Models that flicker: engines never blend their poses.
const FLICKER: &[&str] =
    &["progs/flame.mdl", "progs/flame2.mdl", "progs/bolt.mdl", "progs/bolt2.mdl", "progs/bolt3.mdl"];

/// The brightness 1 on the scale of light styles, on which the letter `m` is 264.
const USUAL_STYLE: f32 = 256.0;

impl Maker<'_> {
    pub(super) fn build_level(&self, scene: &mut Scene) {
        let world = self.world();
        if self.level.is_empty() {
            return;
        }
        let tick = (self.clock.max(0.0) * 10.0) as usize;
        let style = |number: usize| {
            let letters = world.lights.get(number);
            let at = tick.checked_rem(letters.len()).and_then(|at| letters.get(at));
            at.map_or(1.0, |letter| f32::from(letter.saturating_sub(b'a')) * 22.0 / USUAL_STYLE)
        };
        scene.level = Some(LevelView {
            file: self.level.as_str().into(),
            styles: (0..64).map(style).collect(),
            areas: None,
        });
        for thing in world.statics.iter() {
            self.place_static(thing, scene);
        }
    }

    fn place_static(&self, it: &Baseline, scene: &mut Scene) {
        let (place, angles) = placed(&it.place);
        let static_entity = Thing {
            number: 0,
            look: it.look,
            place,
            angles,
            jumps: true,
            steps: false,
            finish: None,
            alpha: None,
            bright: false,
        };
        let pose = Pose::still(u32::from(it.look.frame), self.clock + offset(scene.models.len() as u64));
        self.put(&static_entity, place, angles, pose, scene);
    }

    pub(super) fn place_things(&self, scene: &mut Scene) {
        for thing in &self.beat.seen.entities {
            if self.options.is_in_head(thing.number, u16::try_from(self.world().view.entity).ok()) {
                continue;
            }
            let (place, angles) = self.between(thing);
            self.put(thing, place, angles, self.pose(thing), scene);
        }
    }

    /// The position and the angles of an entity at the moment.
    pub(super) fn between(&self, thing: &Thing) -> (Vec3, Vec3) {
        let target = (thing.place, thing.angles);
        if !self.options.interpolate {
            return target;
        }
        if thing.steps {
            return self.stepping(thing).unwrap_or(target);
        }
        let old = self.before().and_then(|before| before.seen.find_thing(thing.number));
        let Some(old) = old.filter(|_| !thing.jumps) else { return target };
        if is_jump(old.place, thing.place) {
            return target;
        }
        (lerp(old.place, thing.place, self.part), lerp_angles(old.angles, thing.angles, self.part))
    }

    /// A walking monster is moved ten times a second; in between it moves evenly, as in QuakeSpasm.
    fn stepping(&self, thing: &Thing) -> Option<(Vec3, Vec3)> {
        let mut since = self.beat;
        for beat in self.window.back_from(self.place) {
            let old = beat.seen.find_thing(thing.number)?;
            if same(old.place, thing.place) && same(old.angles, thing.angles) {
                since = beat;
                if self.now - self.begins(beat) > 1.0 {
                    return None;
                }
                continue;
            }
            if is_jump(old.place, thing.place) {
                return None;
            }
            let takes = since.seen.find_thing(thing.number).and_then(|it| it.finish).unwrap_or(STEP_SECONDS);
            let part = part_of(self.now - self.begins(since), takes);
            return Some((lerp(old.place, thing.place, part), lerp_angles(old.angles, thing.angles, part)));
        }
        None
    }

    /// The two frames to interpolate for an entity: a new frame blends in within a tenth of a second. The frame of a
    /// shot is shown at once, and so is the frame after it.
    fn pose(&self, thing: &Thing) -> Pose {
        let frame = u32::from(thing.look.frame);
        let mut pose = Pose::still(frame, self.clock + offset(u64::from(thing.number)));
        if !self.options.interpolate || FLICKER.contains(&&*self.model_name(thing.look.model)) {
            return pose;
        }
        let pose_of = |beat: &'_ Beat<BlockState>| {
            let it = beat.seen.find_thing(thing.number).filter(|it| it.look.model == thing.look.model)?;
            Some((it.look.frame, it.look.effects & MUZZLE_FLASH != 0, it.finish))
        };
        let mut since = self.beat;
        let mut beats = self.window.back_from(self.place);
        while let Some(beat) = beats.next() {
            let Some((old_frame, flash, _)) = pose_of(beat) else { break };
            if old_frame == thing.look.frame {
                since = beat;
                if self.now - self.begins(beat) > STEP_SECONDS {
                    break;
                }
                continue;
            }
            let (_, flashes, finish) = pose_of(since).unwrap_or_default();
            let mut earlier = beats.map_while(|beat| pose_of(beat).filter(|it| it.0 == old_frame));
            if !(flashes || flash || earlier.any(|it| it.1)) {
                pose.before = u32::from(old_frame);
                pose.blend = part_of(self.now - self.begins(since), finish.unwrap_or(STEP_SECONDS));
            }
            break;
        }
        pose
    }

    /// Adds an entity to the list for its kind of model.
    fn put(&self, thing: &Thing, place: Vec3, angles: Vec3, pose: Pose, scene: &mut Scene) {
        let name = self.model_name(thing.look.model);
        let alpha = thing.alpha();
        if name.is_empty() || alpha <= 0.0 {
            return;
        }
        let file: FileName = name.as_str().into();
        let scale = size(&thing.look);
        let entity = thing.number;
        if name.starts_with('*') || ends(&name, ".bsp") {
            let (frame, bright) = (pose.frame, thing.bright);
            scene.brushes.push(Brush { entity, file, place, angles, frame, alpha, bright });
        } else if ends(&name, ".spr") {
            let (frame, time) = (pose.frame, pose.time);
            scene.sprites.push(Sprite { entity, file, frame, time, place, angles, alpha, scale });
        } else {
            let turns = self.files.model_flags(&name) & TURNS != 0;
            let yaw = ((self.clock * DEGREES_PER_SECOND) % 360.0) as f32;
            let angles = if turns { [angles[0], yaw, angles[2]] } else { angles };
            let is_player = usize::from(entity) <= usize::from(self.world().level.max_clients) && entity != 0;
            scene.models.push(Model {
                entity,
                file,
                pose,
                skin: ModelSkin::Number(u32::from(thing.look.skin)),
                colors: self.colors(&thing.look),
                alpha,
                scale,
                place,
                angles,
                shade: match (thing.bright, is_player) {
                    (true, _) => Shade::Full,
                    (false, true) => Shade::Level { least: 8.0 / 255.0, glow: None },
                    (false, false) => Shade::default(),
                },
                lit_at: place,
                ..Model::default()
            });
        }
    }

    /// The colors of shirt and trousers of the player whose colors an entity has.
    fn colors(&self, look: &EntityLook) -> Option<[u8; 2]> {
        let player = self.world().players.get(usize::from(look.colormap).checked_sub(1)?)?;
        Some([player.colors.shirt(), player.colors.pants()])
    }

    pub(super) fn hold_weapon(&self, scene: &mut Scene) {
        use moviola_state::quake::{FinalScreen, Stat};
        let world = self.world();
        let wanted =
            self.options.weapon && self.options.is_in_own_head() && world.ending.scene == FinalScreen::Play;
        let invisible = world.vitals.items & INVISIBLE != 0;
        let name = self.model_name(world.stats.get(Stat::WeaponModel) as u16);
        if !wanted || invisible || world.stats.get(Stat::Health) <= 0 || name.is_empty() {
            return;
        }
        let (place, angles, eye) = self.hand();
        scene.weapon = Some(Model {
            file: name.as_str().into(),
            pose: self.weapon_pose(),
            alpha: opacity(world.vitals.weapon_alpha),
            place,
            angles,
            shade: Shade::Level { least: 24.0 / 255.0, glow: None },
            lit_at: add(eye, [0.0; 3]),
            ..Model::default()
        });
    }

    fn weapon_pose(&self) -> Pose {
        use moviola_state::quake::Stat;
        let pose_of = |beat: &'_ Beat<BlockState>| {
            let stats = &beat.seen.world.stats;
            let flash = beat.seen.eyes.as_ref().is_some_and(|it| it.look.effects & MUZZLE_FLASH != 0);
            (stats.get(Stat::WeaponModel), stats.get(Stat::WeaponFrame).max(0) as u32, flash)
        };
        let (model, frame, _) = pose_of(self.beat);
        let mut pose = Pose::still(frame, self.clock);
        if !self.options.interpolate {
            return pose;
        }
        let mut since = self.beat;
        let mut beats = self.window.back_from(self.place);
        while let Some(beat) = beats.next() {
            let (old_model, old_frame, flash) = pose_of(beat);
            if old_model != model || self.now - self.begins(since) > STEP_SECONDS {
                break;
            }
            if old_frame == frame {
                since = beat;
                continue;
            }
            let mut earlier = beats.map(pose_of).take_while(|it| (it.0, it.1) == (old_model, old_frame));
            if !(pose_of(since).2 || flash || earlier.any(|it| it.2)) {
                (pose.before, pose.blend) = (old_frame, part_of(self.now - self.begins(since), STEP_SECONDS));
            }
            break;
        }
        pose
    }
}

/// The ring hides its bearer and his weapon.
const INVISIBLE: u32 = bit(quake::ITEMS, super::bar::RING) as u32;

fn size(look: &EntityLook) -> f32 {
    if look.scale == 0 { 1.0 } else { f32::from(look.scale) / 16.0 }
}

fn is_jump(old: Vec3, new: Vec3) -> bool {
    sub(old, new).iter().any(|way| way.abs() > JUMP)
}

/// Whether two places are the same bit by bit.
fn same(a: Vec3, b: Vec3) -> bool {
    a.map(f32::to_bits) == b.map(f32::to_bits)
}

fn part_of(gone: f64, all: f64) -> f32 {
    if all > 0.0 { (gone / all).clamp(0.0, 1.0) as f32 } else { 1.0 }
}

/// An offset for an entity's clock, without which all entities of a kind would flicker together.
fn offset(number: u64) -> f64 {
    f64::from(crate::dice::Dice::of(number, 0x5359_4e43).part())
}
