//! `QuakeWorld`'s rows: of all players in an MVD, and of the visible players in a QWD.

use super::names::Bits;
use super::people::People;
use super::slots::SlotRows;
use super::trail::TrailSpot;
use super::{HarvestPosition, LastEntityRows, OpenLevel, RowOutput, map};
use crate::tables::{Entities, Positions, Ticks};
use crate::word::EMPTY;
use crate::{FixedWord, Word};
use moviola_analyse::vocabulary::MissionPack;
use moviola_format::names::{quake, value_name};
use moviola_format::qw::Message;
use moviola_state::quake::Stat;
use moviola_state::quakeworld::{Entity, Level, Player, World};
use std::io::Write;
use std::sync::Arc;

#[derive(Debug, Default)]
pub(super) struct QuakeWorldHarvest {
    pub(super) level: OpenLevel,
    people: People,
    /// The slot of the player who recorded; a server's recording has none.
    recorder: Option<u8>,
    /// The slots whose positions are in the block, one bit each; and the slots whose scores are in it.
    moved: u32,
    renamed: u32,
    /// Whether the block brought entities.
    updated: bool,
    /// The level to which these names belong.
    known: Arc<Level>,
    models: Vec<Word>,
    last_rows: LastEntityRows<Entity>,
    positions: SlotRows<Positions>,
    ticks: SlotRows<Ticks>,
    pack: MissionPack,
    items: Bits,
    effects: Bits,
}

fn bit(slot: u8) -> u32 {
    1u32.checked_shl(slot.into()).unwrap_or_default()
}

/// The slots whose bit is set. In most blocks there are none.
fn slots(mut bits: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let slot = (bits != 0).then_some(bits.trailing_zeros() as u8)?;
        bits &= bits.wrapping_sub(1);
        Some(slot)
    })
}

fn model(models: &[Word], number: u16) -> &Word {
    models.get(usize::from(number)).unwrap_or(&EMPTY)
}

fn stats(world: &World, slot: u8) -> Option<&[i32; 32]> {
    let is_known = world.is_mvd || world.recorder.is_some_and(|(own, _)| own == slot);
    world.stats.get(usize::from(slot)).filter(|_| is_known)
}

fn stat(stats: &[i32; 32], stat: Stat) -> i32 {
    stats.get(stat as usize).copied().unwrap_or_default()
}

/// The bits of the items that a player carries.
fn carried(stats: &[i32; 32]) -> u32 {
    stat(stats, Stat::Items) as u32
}

impl QuakeWorldHarvest {
    /// The level, its players, and the slot of the recorder.
    pub(super) fn level_and_players(&self) -> (&OpenLevel, &People, Option<u8>) {
        (&self.level, &self.people, self.recorder)
    }

    /// Reads the names of the level's file and models, which arrive in several messages.
    fn announce(&mut self, world: &World) {
        let (row, title) = (&mut self.level.row, world.level.title.bytes());
        row.map = map(world.level.map());
        row.title = Word::of(title);
        row.title_hex = Word::hex(title);
        row.protocol = world.level.protocol;
        // not from SCHEMA: a key of server info
        let clients = std::str::from_utf8(world.value(b"maxclients")).ok().and_then(|it| it.parse().ok());
        row.max_clients = clients.or(row.max_clients);
        self.pack = MissionPack::of(&world.level.models);
        self.items.forget();
        self.last_rows.forget();
        self.models = world.level.models.iter().map(|name| Word::of(name.bytes())).collect();
        self.known = Arc::clone(&world.level);
    }

    fn weapon(&self, stats: &[i32; 32]) -> Option<FixedWord> {
        if stat(stats, Stat::WeaponModel) == 0 {
            return None;
        }
        value_name(self.pack.weapons(), stat(stats, Stat::Weapon).into()).map(FixedWord::from_static)
    }

    fn people<W: Write + Send>(&mut self, world: &World, here: &HarvestPosition, out: &mut RowOutput<'_, W>) {
        for slot in slots(std::mem::take(&mut self.renamed)) {
            let Some(player) = world.players.get(usize::from(slot)) else { continue };
            self.people.name(slot, player.name(), here, self.recorder, out);
            let Some(row) = self.people.get(slot) else { continue };
            let [shirt, pants] = player.colors().map(i32::from).map(Some);
            (row.shirt, row.pants) = (shirt, pants);
            row.team = Some(player.team()).filter(|team| !team.is_empty()).map(Word::of);
            row.user_id = Some(player.user);
            row.is_spectator = Some(player.is_spectator());
            row.frags = Some(player.frags.into());
            row.ping = Some(player.ping.into());
        }
    }

    /// Adds the players of this block to the trail, and writes their rows of `positions` and `ticks`.
    fn positions<W: Write + Send>(
        &mut self,
        world: &World,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let (positions, ticks) = (out.wants::<Positions>(), out.wants::<Ticks>());
        for slot in slots(std::mem::take(&mut self.moved)) {
            let Some(body) = world.bodies.get(usize::from(slot)) else { continue };
            let player_stats = stats(world, slot);
            let sent = body.velocity.filter(|it| *it != [0; 3] || self.recorder == Some(slot));
            let spot = TrailSpot {
                block: here.block,
                time: here.recording_time.unwrap_or_default(),
                origin: body.origin.map(|place| place.value() as f32),
                angles: body.angles.map(|angle| angle.value() as f32),
                health: player_stats.map(|own| stat(own, Stat::Health)),
                armor: player_stats.map(|own| stat(own, Stat::Armor)),
            };
            let way = here.trail.add(slot, spot);
            let velocity = sent.map(|speed| speed.map(f32::from)).or(way);
            // A spectator is not a player of the match, and flies through walls.
            let watches = || world.players.get(usize::from(slot)).is_some_and(Player::is_spectator);
            let weapon = player_stats.and_then(|own| self.weapon(own));
            if positions && !watches() {
                let Self { positions, level, people, .. } = self;
                let row = positions.at((slot, &spot), velocity, (level, people, here));
                row.is_recorder = self.recorder == Some(slot);
                row.is_velocity_told = sent.is_some();
                row.is_alive = Some(!body.dead && spot.health.is_none_or(|health| health > 0));
                row.weapon.clone_from(&weapon);
                out.row_like(row, slot.into());
            }
            if let Some(own) = player_stats.filter(|_| ticks) {
                let velocity = velocity.unwrap_or_default();
                out.row_like(self.tick(slot, world, (&spot, velocity, weapon), own, here), slot.into());
            }
        }
    }

    fn tick(
        &mut self,
        slot: u8,
        world: &World,
        (seen, velocity, weapon): (&TrailSpot, [f32; 3], Option<FixedWord>),
        own: &[i32; 32],
        here: &HarvestPosition,
    ) -> &Ticks {
        let player = world.players.get(usize::from(slot));
        let number = |which| stat(own, which);
        let row = self.ticks.now(world.is_mvd.then_some(slot), here);
        [row.x, row.y, row.z] = seen.origin.map(Some);
        [row.velocity_x, row.velocity_y, row.velocity_z] = velocity;
        [row.pitch, row.yaw, row.roll] = seen.angles;
        row.health = number(Stat::Health);
        row.armor = number(Stat::Armor);
        row.ammo = number(Stat::Ammo);
        row.shells = Some(number(Stat::Shells));
        row.nails = Some(number(Stat::Nails));
        row.rockets = Some(number(Stat::Rockets));
        row.cells = Some(number(Stat::Cells));
        row.weapon = weapon;
        row.weapon_model.share(model(&self.models, number(Stat::WeaponModel) as u16));
        row.weapon_frame = number(Stat::WeaponFrame);
        let items = self.items.names(self.pack.items(), carried(own));
        row.items.get_or_insert_default().share(items);
        row.frags = player.map_or(0, |player| player.frags.into());
        row.monsters = Some(number(Stat::Monsters));
        row.secrets = Some(number(Stat::Secrets));
        row.is_paused = Some(world.paused);
        row
    }

    fn entities<W: Write + Send>(
        &mut self,
        world: &World,
        here: &HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        let Self { last_rows: again, models, effects, .. } = self;
        again.frame(here.block, here.time.unwrap_or_default(), here.recording_time.unwrap_or_default());
        for (number, entity) in world.entities.all() {
            again.row((*number, entity, false), out, |row, _| {
                *row = entity_row(*number, entity, models, effects, here);
            });
        }
    }
}

fn entity_row(
    number: u16,
    entity: &Entity,
    models: &[Word],
    effects: &mut Bits,
    here: &HarvestPosition,
) -> Entities {
    let place = entity.place();
    let [x, y, z] = place.origin.map(|place| place.value() as f32);
    let [pitch, yaw, roll] = place.angles.map(|angle| angle.value() as f32);
    Entities {
        recording: here.recording.clone(),
        level: here.level,
        entity: i32::from(number),
        model: model(models, entity.model()).clone(),
        model_id: i32::from(entity.model()),
        frame: i32::from(entity.frame()),
        skin: i32::from(entity.skin()),
        effects: effects.names(quake::EFFECTS, entity.effects().into()).clone(),
        x,
        y,
        z,
        pitch,
        yaw,
        roll,
        colormap: Some(i32::from(entity.colormap())),
        ..Entities::default()
    }
}

impl QuakeWorldHarvest {
    #[inline]
    pub(super) fn message<W: Write + Send>(
        &mut self,
        message: &Message<'_>,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        match message {
            Message::PlayerState(it) => self.moved |= bit(it.player),
            Message::PlayerInfo(it) => self.moved |= bit(it.player),
            Message::PacketEntities(_) | Message::DeltaPacketEntities(_) => self.updated = true,
            Message::UpdateUserInfo(it) => self.renamed |= bit(it.player),
            Message::SetInfo(it) => self.renamed |= bit(it.player),
            Message::UpdateFrags(it) => self.renamed |= bit(it.player),
            Message::UpdatePing(it) => self.renamed |= bit(it.player),
            Message::ServerData(it) => {
                here.level = here.level.saturating_add(1);
                self.level.begin(here);
                self.recorder = it.client.slot();
                out.recording.protocol.get_or_insert(it.flags.0);
            }
            _ => {}
        }
    }

    /// Handles the announcement of another level; `world` is the state of the old one.
    pub(super) fn leave<W: Write + Send>(
        &mut self,
        world: &World,
        here: &HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        self.people(world, here, out);
        self.end(here, out);
    }

    pub(super) fn block<W: Write + Send>(
        &mut self,
        world: &World,
        places: bool,
        here: &mut HarvestPosition,
        out: &mut RowOutput<'_, W>,
    ) {
        if !self.level.is_on {
            return;
        }
        if !Arc::ptr_eq(&self.known, &world.level) {
            self.announce(world);
        }
        if out.recording.server_version.is_none() {
            out.recording.server_version =
                Some(world.value(b"*version")).filter(|version| !version.is_empty()).map(Word::of);
        }
        if let Some(time) = here.time {
            self.level.tick(time);
        }
        self.people(world, here, out);
        if places {
            self.positions(world, here, out);
        }
        if std::mem::take(&mut self.updated) && out.wants::<Entities>() {
            self.entities(world, here, out);
        }
    }

    pub(super) fn end<W: Write + Send>(&mut self, here: &HarvestPosition, out: &mut RowOutput<'_, W>) {
        self.people.end(here, self.recorder, out);
        self.level.end(here, out);
    }
}
