//! Entities of Quake II: their positions and poses between two frames, and the models of each.

use super::{Maker, point};
use crate::library::ends;
use crate::vector::{add, axes, lerp, lerp_angles, sub};
use crate::{Beam, Brush, DynamicLight, FileName, Model, ModelSkin, Pose, Scene, Shade, Sprite, Vec3};
use moviola_format::names::{bit, quake2, value};
use moviola_state::quake2::Entity;

pub(super) const fn fx(name: &str) -> u32 {
    bit(quake2::EFFECTS, name) as u32
}

pub(super) const fn rf(name: &str) -> u32 {
    bit(quake2::RENDERFX, name) as u32
}

const fn event(name: &str) -> u8 {
    value(quake2::EVENT, name) as u8
}

/// An entity that moves farther than this in one frame jumps there.
const JUMP: f32 = 512.0;

/// The rotation of items in degrees per second.
const DEGREES_PER_SECOND: f64 = 100.0;

/// The opacity of translucent entities.
const TRANSLUCENT: f32 = 0.7;

/// The distance of a shell from a player's skin, and its opacity.
const SHELL: (f32, f32) = (4.0, 0.3);

/// The bit of a second model that is see-through.
const SEEN_THROUGH: u8 = 0x80;

/// An entity between two frames.
pub(super) struct BetweenFrames {
    /// Its place.
    pub(super) place: Vec3,
    pub(super) angles: Vec3,
    /// The frame of its animation in the frame before.
    pub(super) old_frame: i32,
    /// Whether it was in the last frame too, and moves from its position there.
    pub(super) moves: bool,
}

impl Maker<'_> {
    /// The place and the angles of an entity at the moment.
    pub(super) fn between(&self, it: &Entity) -> BetweenFrames {
        let place = point(it.origin);
        let angles = it.angles.map(|angle| angle.value() as f32);
        let old = self.before.and_then(|before| before.seen.entity(it.number));
        let appears = |old: &&Entity| {
            let way = sub(point(old.origin), place);
            old.models != it.models
                || way.iter().any(|part| part.abs() > JUMP)
                || it.event == event("EV_PLAYER_TELEPORT")
                || it.event == event("EV_OTHER_TELEPORT")
        };
        let unmoved = BetweenFrames { place, angles, old_frame: it.frame, moves: false };
        if !self.options.interpolate || it.renderfx & (rf("RF_FRAMELERP") | rf("RF_BEAM")) != 0 {
            return unmoved;
        }
        match old.filter(|old| !appears(old)) {
            Some(old) => {
                let from = point(old.origin);
                BetweenFrames {
                    place: lerp(from, place, self.part),
                    angles: lerp_angles(old.angles.map(|angle| angle.value() as f32), angles, self.part),
                    old_frame: old.frame,
                    moves: true,
                }
            }
            None if it.event == event("EV_OTHER_TELEPORT") => unmoved,
            // A new entity moves from the old origin that the server sends.
            None => {
                let from = point(it.old_origin);
                let far = sub(from, place).iter().any(|part| part.abs() > JUMP);
                if far { unmoved } else { BetweenFrames { place: lerp(from, place, self.part), ..unmoved } }
            }
        }
    }

    pub(super) fn place_things(&self, scene: &mut Scene) {
        for it in &self.beat.seen.frame.entities {
            let at = self.between(it);
            self.add_light(it, &at, scene);
            if !self.options.is_in_head(it.number, self.beat.seen.recorder_entity) {
                self.put(it, &at, scene);
            }
        }
    }

    fn frame(&self, it: &Entity) -> i32 {
        let ticks = |rate: f64| (self.clock.max(0.0) * rate) as i32;
        match it.effects {
            fx if fx & self::fx("EF_ANIM01") != 0 => ticks(2.0) & 1,
            fx if fx & self::fx("EF_ANIM23") != 0 => 2 + (ticks(2.0) & 1),
            fx if fx & self::fx("EF_ANIM_ALL") != 0 => ticks(2.0),
            fx if fx & self::fx("EF_ANIM_ALLFAST") != 0 => ticks(10.0),
            _ => it.frame,
        }
    }

    fn alpha(it: &Entity) -> f32 {
        let has = |bit: u32| it.effects & bit != 0;
        match () {
            () if has(fx("EF_BFG")) => 0.3,
            () if has(fx("EF_PLASMA")) => 0.6,
            () if has(fx("EF_SPHERETRANS")) => {
                if has(fx("EF_TRACKERTRAIL")) {
                    0.6
                } else {
                    0.3
                }
            }
            () if it.renderfx & rf("RF_TRANSLUCENT") != 0 => TRANSLUCENT,
            () => 1.0,
        }
    }

    fn put(&self, it: &Entity, at: &BetweenFrames, scene: &mut Scene) {
        if it.renderfx & rf("RF_BEAM") != 0 {
            self.put_beam(it, scene);
            return;
        }
        let clock = ((self.clock * DEGREES_PER_SECOND) % 360.0) as f32;
        let angles = match it.effects {
            fx if fx & self::fx("EF_ROTATE") != 0 => [0.0, clock, 0.0],
            fx if fx & self::fx("EF_SPINNINGLIGHTS") != 0 => {
                let angles = [0.0, (clock * 5.0) % 360.0 + at.angles[1], 180.0];
                let place = add(at.place, crate::vector::scale(axes(angles)[0], 64.0));
                scene.lights.push(DynamicLight { place, radius: 100.0, least: 0.0, color: [1.0, 0.0, 0.0] });
                angles
            }
            _ => at.angles,
        };
        let frame = self.frame(it).max(0) as u32;
        let animated = self.frame(it) != it.frame;
        let pose = Pose {
            frame,
            before: if animated || !at.moves { frame } else { at.old_frame.max(0) as u32 },
            blend: if self.options.interpolate { self.part } else { 1.0 },
            time: self.clock,
        };
        let bright = it.renderfx & rf("RF_FULLBRIGHT") != 0;
        let glow = (it.renderfx & rf("RF_GLOW") != 0).then(|| 0.1 * libm::sin(self.clock * 7.0) as f32);
        let least = if it.renderfx & rf("RF_MINLIGHT") != 0 { 0.1 } else { 0.0 };
        let shade = if bright { Shade::Full } else { Shade::Level { least, glow } };
        let base = Model {
            entity: it.number,
            pose,
            place: at.place,
            angles,
            shade,
            lit_at: at.place,
            alpha: Self::alpha(it),
            ..Model::default()
        };
        let [first, second, third, fourth] = it.models;
        if let Some((file, skin)) = self.model_and_skin(it, first) {
            self.put_model(Model { file, skin, ..base.clone() }, it, scene);
        }
        let rest = [(second, true), (third, false), (fourth, false)];
        for (number, may_be_weapon) in rest.into_iter().filter(|(number, _)| *number != 0) {
            let seen_through = may_be_weapon && number & SEEN_THROUGH != 0 && number != PLAYERS;
            let number = if seen_through { number & !SEEN_THROUGH } else { number };
            let file = if number == PLAYERS { self.carried(it) } else { self.file(number) };
            let alpha = if seen_through { 0.32 } else { 1.0 };
            if !file.is_empty() {
                scene.models.push(Model { file, alpha, skin: ModelSkin::Number(0), ..base.clone() });
            }
        }
        if it.effects & fx("EF_POWERSCREEN") != 0 {
            scene.models.push(Model {
                file: "models/items/armor/effect/tris.md2".into(),
                shade: Shade::Flat([0.0, 1.0, 0.0]),
                alpha: SHELL.1,
                pose: Pose::still(0, self.clock),
                swell: SHELL.0,
                ..base
            });
        }
    }

    fn put_model(&self, model: Model, it: &Entity, scene: &mut Scene) {
        let Model { entity, file, pose, place, angles, alpha, .. } = &model;
        if file.starts_with('*') || ends(file, ".bsp") {
            let (file, bright) = (file.clone(), model.shade == Shade::Full);
            let brush = Brush {
                entity: *entity,
                file,
                place: *place,
                angles: *angles,
                frame: pose.frame,
                alpha: *alpha,
                bright,
            };
            scene.brushes.push(brush);
        } else if ends(file, ".sp2") {
            scene.sprites.push(Sprite {
                entity: *entity,
                file: file.clone(),
                frame: pose.frame,
                time: self.clock,
                place: *place,
                angles: *angles,
                alpha: *alpha,
                scale: 1.0,
            });
        } else {
            let shell = shell(it);
            if let Some(color) = shell {
                let shade = Shade::Flat(color);
                let around = Model { shade, alpha: SHELL.1, swell: SHELL.0, ..model.clone() };
                scene.models.extend([model, around]);
            } else {
                scene.models.push(model);
            }
        }
    }

    /// The file of an entity's model and its skin; a player has his own.
    fn model_and_skin(&self, it: &Entity, number: u8) -> Option<(FileName, ModelSkin)> {
        if number == 0 {
            return None;
        }
        if number != PLAYERS {
            let file = self.file(number);
            return (!file.is_empty()).then_some((file, ModelSkin::Number(it.skin & 0xff)));
        }
        let (model, skin) = self.player_model(it.skin as u8);
        Some((
            format!("players/{model}/tris.md2").into(),
            ModelSkin::File(format!("players/{model}/{skin}.pcx").into()),
        ))
    }

    /// The model and skin of a player, or default ones if their files are missing.
    pub(super) fn player_model(&self, player: u8) -> (String, String) {
        let (_, worn) = self.config().player(player);
        let worn = String::from_utf8_lossy(worn).into_owned();
        let (model, skin) = worn.split_once(['/', '\\']).unwrap_or((&worn, ""));
        let (model, skin) =
            (if model.is_empty() { "male" } else { model }, if skin.is_empty() { "grunt" } else { skin });
        let there = |model: &str, skin: &str| {
            self.files.exists(&format!("players/{model}/tris.md2"))
                && self.files.exists(&format!("players/{model}/{skin}.pcx"))
        };
        let found = [(model, skin), ("male", skin), (model, "grunt"), ("male", "grunt")];
        let found = found.into_iter().find(|(model, skin)| there(model, skin)).unwrap_or((model, skin));
        (found.0.to_owned(), found.1.to_owned())
    }

    /// The model of the weapon in a player's hands.
    fn carried(&self, it: &Entity) -> FileName {
        let (model, _) = self.player_model(it.skin as u8);
        let wanted = (it.skin >> 8 & 0xff) as usize;
        let mut weapons = (1..=u8::MAX).filter_map(|number| self.config().model(number).strip_prefix(b"#"));
        let name = weapons.nth(wanted).map_or("weapon.md2".into(), String::from_utf8_lossy);
        let file = |name: &str| format!("players/{model}/{name}");
        let own = file(&name);
        if self.files.exists(&own) { own.into() } else { file("weapon.md2").into() }
    }

    fn put_beam(&self, it: &Entity, scene: &mut Scene) {
        let which = crate::dice::Dice::of((self.clock.max(0.0) * 60.0) as u64, u64::from(it.number)).below(4);
        scene.beams.push(Beam {
            from: point(it.origin),
            to: point(it.old_origin),
            radius: it.frame.clamp(0, 255) as f32 / 2.0,
            color: (it.skin >> (which * 8)) as u8,
            alpha: 0.3,
        });
    }

    /// Adds the light that an entity carries.
    fn add_light(&self, it: &Entity, at: &BetweenFrames, scene: &mut Scene) {
        let own = Some(it.number) == self.beat.seen.recorder_entity;
        let mut dice = crate::dice::Dice::of((self.clock.max(0.0) * 60.0) as u64, u64::from(it.number));
        let has = |bit: u32| it.effects & bit != 0;
        let Some((light, _)) = LIGHTS.iter().map(|row| (row, row.0)).find(|(_, bit)| has(*bit)) else {
            return;
        };
        let (bit, radius, color) = *light;
        if own && radius < OWN_LIGHT {
            return;
        }
        let tracker = has(fx("EF_TRACKER"));
        let bfg = [300.0, 400.0, 600.0, 300.0, 150.0, 75.0];
        let (radius, color) = match bit {
            bit if bit == fx("EF_BLASTER") && tracker => (radius, [0.0, 1.0, 0.0]),
            bit if bit == fx("EF_HYPERBLASTER") && tracker => (radius, [0.0, 1.0, 0.0]),
            bit if bit == fx("EF_BFG") && !has(fx("EF_ANIM_ALLFAST")) => {
                (bfg.get(it.frame.max(0) as usize).copied().unwrap_or(75.0), color)
            }
            bit if bit == fx("EF_TRAP") => (radius + dice.whole_number(100), color),
            bit if bit == fx("EF_TRACKERTRAIL") && tracker => {
                (50.0 + 500.0 * (libm::sin(self.clock * 2.0) as f32 + 1.0), color)
            }
            _ => (radius, color),
        };
        if radius > 0.0 {
            scene.lights.push(DynamicLight { place: at.place, radius, least: 0.0, color });
        }
    }
}

/// The player's own lights are only shown if they have at least this radius.
const OWN_LIGHT: f32 = 225.0;

/// Lights by rank: an entity has the first that matches.
const LIGHTS: &[(u32, f32, [f32; 3])] = &[
    (fx("EF_ROCKET"), 200.0, [1.0, 1.0, 0.0]),
    (fx("EF_BLASTER"), 200.0, [1.0, 1.0, 0.0]),
    (fx("EF_HYPERBLASTER"), 200.0, [1.0, 1.0, 0.0]),
    (fx("EF_GIB"), 0.0, [0.0; 3]),
    (fx("EF_GRENADE"), 0.0, [0.0; 3]),
    (fx("EF_FLIES"), 0.0, [0.0; 3]),
    (fx("EF_BFG"), 200.0, [0.0, 1.0, 0.0]),
    (fx("EF_TRAP"), 100.0, [1.0, 0.8, 0.1]),
    (fx("EF_FLAG1"), 225.0, [1.0, 0.1, 0.1]),
    (fx("EF_FLAG2"), 225.0, [0.1, 0.1, 1.0]),
    (fx("EF_TAGTRAIL"), 225.0, [1.0, 1.0, 0.0]),
    (fx("EF_TRACKERTRAIL"), 155.0, [-1.0, -1.0, -1.0]),
    (fx("EF_TRACKER"), 200.0, [-1.0, -1.0, -1.0]),
    (fx("EF_GREENGIB"), 0.0, [0.0; 3]),
    (fx("EF_IONRIPPER"), 100.0, [1.0, 0.5, 0.5]),
    (fx("EF_BLUEHYPERBLASTER"), 200.0, [0.0, 0.0, 1.0]),
    (fx("EF_PLASMA"), 130.0, [1.0, 0.5, 0.5]),
];

/// The model number that means a player's own model.
const PLAYERS: u8 = quake2::PLAYERS_MODEL as u8;

/// The color of the shell around an entity.
fn shell(it: &Entity) -> Option<[f32; 3]> {
    let has = |bit: u32| it.renderfx & bit != 0;
    let own = it.effects & fx("EF_COLOR_SHELL") != 0;
    let red = own && has(rf("RF_SHELL_RED")) || it.effects & fx("EF_PENT") != 0;
    let blue = own && has(rf("RF_SHELL_BLUE")) || it.effects & fx("EF_QUAD") != 0;
    let green = own && has(rf("RF_SHELL_GREEN"));
    let double = own && has(rf("RF_SHELL_DOUBLE")) || it.effects & fx("EF_DOUBLE") != 0;
    let half = own && has(rf("RF_SHELL_HALF_DAM")) || it.effects & fx("EF_HALF_DAMAGE") != 0;
    Some(match (red, green, blue) {
        (true, true, true) => [1.0, 1.0, 1.0],
        (true, _, blue) => [1.0, 0.0, if blue || double { 1.0 } else { 0.0 }],
        (false, _, true) => [0.0, if double { 1.0 } else { 0.0 }, 1.0],
        (false, _, false) if double => [0.9, 0.7, 0.0],
        (false, green, false) if half => [0.56, if green { 1.0 } else { 0.59 }, 0.45],
        (false, true, false) => [0.0, 1.0, 0.0],
        (false, false, false) => return None,
    })
}
