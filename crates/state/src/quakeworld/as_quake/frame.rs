//! One frame: the clock, the state of the player whose view is shown, and all visible entities.

use super::super::{Body, Entity, World};
use super::{AsQuake, MessageSink, coord, table};
use crate::quake::Stat;
use moviola_format::dem::{self, Message, UpdateEntity};
use moviola_format::{
    ActiveWeapon, Angle, Angle16, AngleKind, ByteOrShort, ClientBits, Coord, EntityAngle, Items, ModelNumber,
    Placement, Seconds, UpdateBits, Whole,
};
use std::ops::Range;

/// The totals of secrets and monsters, and the numbers found and killed.
const TOTALS: Range<usize> = Stat::TotalSecrets as usize..Stat::Items as usize;

/// A player of an MVD without an update for this many milliseconds is not shown; a client counts 63 frames.
const FORGOTTEN: u64 = 1500;

/// The health for a view without a player; a client of Quake with health 0 would lie on its side.
const NOBODY: i32 = 100;

/// A greater distance between two frames is not a movement.
const TELEPORT: f64 = 200.0;

/// The look of an entity: its model, frame and so on.
#[derive(Clone, Copy, Default)]
struct Appearance {
    model: u16,
    frame: u8,
    colormap: u8,
    skin: u8,
    effects: u8,
    alpha: u8,
}

impl AsQuake {
    /// Makes the messages of a frame.
    pub(super) fn frame(&mut self, world: &World, emit: MessageSink<'_>) {
        let now = world.now.unwrap_or_default();
        if self.level.frame != Some(now) {
            self.level.is_odd = !self.level.is_odd;
            self.level.frame = Some(now);
            self.level.flashes &= !self.level.shown;
        }
        self.level.shown = self.level.flashes;
        // Engines read the time 0 as a clock that is not set.
        let seconds = now.saturating_sub(self.level.begins) as f64 / 1000.0 + 1.0;
        emit(&Message::from(dem::Time { time: Seconds::new(seconds as f32).into() }));
        let eyes = self.eyes(world);
        self.player_state(world, eyes, now, emit);
        for (number, entity) in world.entities.all() {
            let look = Appearance {
                model: entity.model(),
                frame: entity.frame(),
                colormap: self.colormap(entity.colormap()),
                skin: entity.skin(),
                effects: table::effects(entity.effects()),
                alpha: entity.alpha().map_or(0, |alpha| alpha.max(1)),
            };
            if look.model != 0 {
                emit(&Message::from(self.update(world, *number, look, &entity.place())));
            }
        }
        self.players(world, eyes, now, emit);
        self.nails(world, emit);
    }

    pub(super) fn colormap(&self, player: u8) -> u8 {
        let slot = self.entity(player.into());
        if slot <= u16::from(self.room) { slot as u8 } else { 0 }
    }

    fn players(&self, world: &World, eyes: Option<u8>, now: u64, emit: MessageSink<'_>) {
        let player_model =
            (0..).zip(world.level.models.iter()).find(|(_, name)| name.bytes() == table::PLAYER);
        let player_model = player_model.map_or(0, |(number, _): (u16, _)| number);
        // Some old servers never send the players' model.
        let has_models = world.bodies.iter().any(|body| body.model != 0);
        for (slot, body) in (0u8..).zip(world.bodies.iter()) {
            let player = world.players.get(usize::from(slot));
            let plays = player.is_some_and(|it| it.is_here() && !it.is_spectator());
            let age = body.seen.map(|seen| now.saturating_sub(seen));
            let is_seen = age.is_some_and(|age| age <= if world.is_mvd { FORGOTTEN } else { 0 });
            if !plays && eyes != Some(slot) || !is_seen {
                continue;
            }
            let flash = if self.level.flashes >> slot & 1 == 0 { 0 } else { FLASH };
            let is_bare = body.model == 0 && (!world.is_mvd || !has_models);
            let mut look = Appearance {
                model: if is_bare { player_model } else { body.model },
                frame: body.frame,
                colormap: self.colormap(slot + 1),
                // The highest bit belongs to the model.
                skin: body.skin & 0x7F,
                effects: table::effects(body.effects) | flash,
                alpha: 0,
            };
            let mut place = standing(body);
            if eyes == Some(slot) {
                if !plays {
                    look = Appearance::default();
                }
                if let Some(camera) = &self.level.intermission {
                    (look, place) = (Appearance::default(), *camera);
                }
            }
            emit(&Message::from(self.update(world, u16::from(slot) + 1, look, &place)));
        }
    }

    /// The update of an entity, by its number on the server. It contains the model even of a spectator, who has none:
    /// otherwise the client would take the model of the baseline, which servers give to all slots.
    fn update(&self, world: &World, number: u16, look: Appearance, place: &Placement) -> UpdateEntity {
        let base = world.baselines.get(&number).copied().unwrap_or_default();
        let mut it = update(self.entity(number), look, place, &base);
        // The baseline has the slot's number as clients have it.
        if look.colormap == self.colormap(base.colormap()) {
            it.flags.0 &= !UpdateEntity::colormap;
        } else {
            it.flags.0 |= UpdateEntity::colormap;
        }
        it
    }

    /// Nails become entities with the nail's model, under numbers that no entity has.
    fn nails(&self, world: &World, emit: MessageSink<'_>) {
        if self.level.nails.is_empty() {
            return;
        }
        let model = (0..).zip(world.level.models.iter()).find(|(_, name)| name.bytes() == table::NAIL);
        let Some((model, _)) = model else { return };
        let is_free = |number: &u16| !world.entities.all().iter().any(|(taken, _)| taken == number);
        let mut free = (0..=table::LAST_ENTITY).rev().filter(is_free);
        if self.level.is_odd {
            // If a number is used again at once, a client takes the new nail for the old one.
            let _ = free.nth(usize::from(u8::MAX) / 4);
        }
        let look = Appearance { model, ..Appearance::default() };
        for (nail, number) in self.level.nails.iter().zip(free) {
            let [pitch, yaw] = nail.angles.map(moviola_format::Angle8::value);
            let place = Placement {
                origin: nail.origin.map(|part| coord(part.into())),
                angles: [pitch, yaw, 0.0].map(|angle| Angle::nearest(AngleKind::Short, angle)),
            };
            emit(&Message::from(update(number, look, &place, &Entity::default())));
        }
    }

    /// The state of the player whose view is shown.
    fn player_state(&mut self, world: &World, eyes: Option<u8>, now: u64, emit: MessageSink<'_>) {
        let slot = eyes.map_or(usize::MAX, usize::from);
        let stats = world.stats.get(slot).copied().unwrap_or([0; 32]);
        let is_player = world.players.get(slot).is_some_and(|it| !it.is_spectator());
        let value = |place: usize| stats.get(place).copied().unwrap_or_default();
        let stat = |stat: Stat| value(stat as usize);
        for (place, index) in TOTALS.zip(0..) {
            if let Some(last) = self.level.totals.get_mut::<usize>(index)
                && *last != value(place)
            {
                *last = value(place);
                emit(&Message::from(dem::UpdateStat { index: place as u8, value: *last }));
            }
        }
        let body = world.bodies.get(slot).copied().unwrap_or_default();
        let [lives, dead, gib] = table::EYES;
        let height = match (body.gib, body.dead) {
            (true, _) => gib,
            (_, true) => dead,
            _ => lives,
        };
        let velocity = self.velocity(&body, now).map(|part| (part / 16.0).round().clamp(-127.0, 127.0) as i8);
        let [vel_x, vel_y, vel_z] = velocity.map(Whole);
        let punch = self.level.kick.map_or(0.0, |(then, angle)| {
            (angle + now.saturating_sub(then) as f64 / 1000.0 * table::KICK_BACK).min(0.0)
        });
        let weapon_model = stat(Stat::WeaponModel) as u16;
        let mut data = dem::ClientData {
            view_ofs_z: Whole(height),
            angles_1: Whole(punch.round() as i8),
            vel_x,
            vel_y,
            vel_z,
            items: Items { bits: stat(Stat::Items) as u32, sent: true },
            weaponframe: body.weapon_frame,
            weaponmodel: ModelNumber(weapon_model & 0xFF),
            weaponmodel_high: (weapon_model >> 8) as u8,
            armorvalue: stat(Stat::Armor) as u8,
            armorvalue_high: (stat(Stat::Armor) >> 8) as u8,
            health: if is_player { stat(Stat::Health) } else { NOBODY } as i16,
            currentammo: stat(Stat::Ammo) as u8,
            ammo_shells: stat(Stat::Shells) as u8,
            ammo_nails: stat(Stat::Nails) as u8,
            ammo_rockets: stat(Stat::Rockets) as u8,
            ammo_cells: stat(Stat::Cells) as u8,
            weapon: ActiveWeapon { byte: stat(Stat::Weapon) as u8, sent: true },
            ..dem::ClientData::default()
        };
        let mut bits = Items::BIT;
        let mut set_bit = |bit: u32, yes: bool| bits |= if yes { bit } else { 0 };
        set_bit(dem::ClientData::view_ofs_z, height != lives);
        set_bit(dem::ClientData::angles_1, data.angles_1.0 != 0);
        set_bit(dem::ClientData::vel_x, vel_x.0 != 0);
        set_bit(dem::ClientData::vel_y, vel_y.0 != 0);
        set_bit(dem::ClientData::vel_z, vel_z.0 != 0);
        set_bit(dem::ClientData::uk_bit_b10, vel_z.0 == 0);
        set_bit(dem::ClientData::weaponframe, body.weapon_frame != 0);
        set_bit(dem::ClientData::armorvalue, stat(Stat::Armor) != 0);
        set_bit(dem::ClientData::weaponmodel, weapon_model != 0);
        set_bit(dem::ClientData::weaponmodel_high, weapon_model > 0xFF);
        set_bit(dem::ClientData::armorvalue_high, stat(Stat::Armor) > 0xFF);
        data.flags = ClientBits(bits);
        emit(&Message::from(data));
    }

    /// The velocity of the eyes: as it was sent, or in an MVD the difference to the last frame.
    fn velocity(&mut self, body: &Body, now: u64) -> [f64; 3] {
        let at = body.origin.map(Coord::value);
        if let Some(speed) = body.velocity {
            return speed.map(f64::from);
        }
        let Some((then, from)) = self.level.last else {
            self.level.last = Some((now, at));
            return [0.0; 3];
        };
        if then >= now {
            return [0.0; 3];
        }
        self.level.last = Some((now, at));
        let seconds = now.saturating_sub(then) as f64 / 1000.0;
        let [x, y, z] = at;
        let [was_x, was_y, was_z] = from;
        [x - was_x, y - was_y, z - was_z].map(|way| if way.abs() > TELEPORT { 0.0 } else { way / seconds })
    }
}

const FLASH: u8 = moviola_format::names::bit(moviola_format::names::quake::EFFECTS, "EF_MUZZLEFLASH") as u8;

/// The position and the angles of a body. It leans a third as far as its player looks up or down, in the opposite
/// direction.
fn standing(body: &Body) -> Placement {
    let [pitch, yaw, _] = body.angles.map(Angle16::value);
    let pitch = if pitch > 180.0 { pitch - 360.0 } else { pitch };
    let angles = [-pitch / 3.0, yaw, 0.0].map(|angle| Angle::nearest(AngleKind::Short, angle));
    Placement { origin: body.origin, angles }
}

/// The fields of an entity that differ from its baseline.
fn update(number: u16, look: Appearance, place: &Placement, base: &Entity) -> UpdateEntity {
    let was = base.place();
    let mut bits = 0;
    let mut set_bit = |bit: u32, yes: bool| bits |= if yes { bit } else { 0 };
    set_bit(UpdateEntity::modelindex, look.model != base.model());
    set_bit(UpdateEntity::modelindex_high, look.model != base.model() && look.model > 0xFF);
    set_bit(UpdateEntity::frame, look.frame != base.frame());
    set_bit(UpdateEntity::colormap, look.colormap != base.colormap());
    set_bit(UpdateEntity::skin, look.skin != base.skin());
    set_bit(UpdateEntity::effects, look.effects != 0);
    set_bit(UpdateEntity::alpha, look.alpha != 0);
    let ([x, y, z], [old_x, old_y, old_z]) = (place.origin, was.origin);
    set_bit(UpdateEntity::origin_x, x != old_x);
    set_bit(UpdateEntity::origin_y, y != old_y);
    set_bit(UpdateEntity::origin_z, z != old_z);
    let ([pitch, yaw, roll], [old_pitch, old_yaw, old_roll]) = (place.angles, was.angles);
    set_bit(UpdateEntity::angles_1, pitch != old_pitch);
    set_bit(UpdateEntity::angles_2, yaw != old_yaw);
    set_bit(UpdateEntity::angles_3, roll != old_roll);
    UpdateEntity {
        flags: UpdateBits(bits),
        entity: ByteOrShort(number),
        modelindex: ModelNumber(look.model & 0xFF),
        modelindex_high: (look.model >> 8) as u8,
        frame: look.frame,
        colormap: look.colormap,
        skin: look.skin,
        effects: look.effects,
        alpha: look.alpha,
        origin_x: x,
        origin_y: y,
        origin_z: z,
        angles_1: EntityAngle(pitch),
        angles_2: EntityAngle(yaw),
        angles_3: EntityAngle(roll),
        ..UpdateEntity::default()
    }
}
