//! Quake: from one state of a level to a later one of the same level.
//!
//! An update has all fields of an entity, so one moment sent in full suffices for everything that moves.
//! State that is sent once (names, lights, statics, the view) is sent where it differs.

use super::{Blocks, wire};
use moviola_format::dem::{self, ClientData, Message, UpdateEntity};
use moviola_format::{
    ActiveWeapon, Answer, Bits8, ByteOrShort, ClientBits, Context, DarkPlaces, DarkPlacesEntities,
    DarkPlacesPlayer, EntityAngle, Entry, Flags, FteEntities, Items, LargeState, ModelNumber, PlayerValue,
    Scalar, Seconds, StaticSound, Str, UpdateBits, Whole,
};
use moviola_state::World as _;
use moviola_state::quake::{self, Baseline, Console, Entity, EntityLook, FinalScreen, Fog, Stat, World};

/// The bit of the number of a precached file that is a sound.
const SOUND: u16 = 1 << 15;

/// Half of the bytes that id's engine accepts in a block.
const LIMIT: usize = 4000;

/// The blocks that take a client from one state of a level to another, the clock and everything drawn
/// included. If the picture `stays`, because no time passes in the next block, they also repeat the entities
/// that were moving in it.
pub(crate) fn bridge(from: &World, to: &World, stays: bool, context: &Context) -> Vec<Vec<u8>> {
    let mut way = Client { world: from.clone(), blocks: Blocks::new(*context, LIMIT) };
    way.level(to);
    way.players(to);
    way.scene(to);
    way.settings(to);
    way.moment(to, stays);
    way.blocks.finish()
}

/// The blocks with the settings of the picture that a client does not have yet.
pub(crate) fn settings(from: &World, to: &World, context: &Context) -> Vec<Vec<u8>> {
    let mut way = Client { world: from.clone(), blocks: Blocks::new(*context, LIMIT) };
    way.settings(to);
    way.blocks.finish()
}

/// A client that is taken from one state to another, message by message.
struct Client {
    world: World,
    blocks: Blocks,
}

impl Client {
    fn send<'m>(&mut self, message: impl Into<Message<'m>>) {
        let message = message.into();
        self.blocks.put(&message);
        self.world.apply(&Entry { at: 0, unicast: None, message });
    }

    /// Baselines, statics, light styles.
    fn level(&mut self, to: &World) {
        for (number, baseline) in to.baselines() {
            if self.world.baseline(number) != *baseline {
                let message = baseline_message(number, baseline, self.blocks.context());
                self.send(message);
            }
        }
        let lists = [
            (0, &self.world.level.models, &to.level.models),
            (SOUND, &self.world.level.sounds, &to.level.sounds),
        ];
        let mut late = Vec::new();
        for (kind, old, new) in lists {
            for (number, name) in new.set_ones().filter(|(number, name)| old.get(*number) != *name) {
                late.extend(u16::try_from(number).ok().map(|number| (kind | number, wire(name))));
            }
        }
        let context = self.blocks.context();
        if context.darkplaces != DarkPlaces::No || context.fte {
            for (index, name) in late {
                self.send(dem::PrecacheOne { index, name: Str::new(&name) });
            }
        }
        for thing in to.statics.iter().skip(self.world.statics.len()) {
            let message = static_message(thing, self.blocks.context());
            self.send(message);
        }
        for sound in to.static_sounds.iter().skip(self.world.static_sounds.len()) {
            let message = static_sound_message(sound, self.blocks.context());
            self.send(message);
        }
        for (style, text) in to.lights.iter().enumerate() {
            let Ok(number) = u8::try_from(style) else { break };
            if self.world.lights.get(style) != text.bytes() {
                let string = wire(text.bytes());
                self.send(dem::LightStyle { style: number, string: Str::new(&string) });
            }
        }
    }

    fn players(&mut self, to: &World) {
        for (slot, player) in to.players.iter().enumerate() {
            let Ok(number) = u8::try_from(slot) else { break };
            let old = self.world.players.get(slot).cloned().unwrap_or_default();
            if old.name != player.name {
                let name = wire(player.name.bytes());
                self.send(dem::UpdateName { player: number, netname: Str::new(&name) });
            }
            if old.frags != player.frags {
                self.send(dem::UpdateFrags { player: number, frags: player.frags });
            }
            if old.colors != player.colors {
                self.send(dem::UpdateColors { player: number, colors: player.colors });
            }
        }
    }

    /// The settings of the picture that console commands have changed.
    fn settings(&mut self, to: &World) {
        let old = self.world.console.clone();
        for (name, words) in to.console.settings().filter(|(name, words)| old.get(name) != Some(*words)) {
            let command = [name, b" ", words, b"\n\0"].concat();
            self.send(dem::StuffText { string: Str::new(&command) });
        }
    }

    /// The parts of the picture that do not move: camera, pause, music, sky, fog, pictures, the end of the level.
    fn scene(&mut self, to: &World) {
        if self.world.view.entity != to.view.entity {
            self.send(dem::SetView { entity: to.view.entity });
        }
        if self.world.paused != to.paused {
            self.send(dem::SetPause { pausestate: u8::from(to.paused) });
        }
        // A command that a message has overridden since: it has to be sent again.
        let commands = self.world.console.clone();
        let is_over = |names: &[&str]| commands.has(names) && !to.console.has(names);
        let other_music = self.world.music != to.music || is_over(Console::TRACKS);
        if let Some([fromtrack, totrack]) = to.music.filter(|_| other_music) {
            self.send(dem::CdTrack { fromtrack, totrack });
        }
        if self.world.sky != to.sky || is_over(Console::SKIES) {
            let sky = wire(to.sky.bytes());
            self.send(dem::SkyBox { sky: Str::new(&sky) });
        }
        if self.world.fog != to.fog || is_over(Console::FOGS) {
            match to.fog {
                Fog::Usual => {}
                Fog::Fitz([density, red, green, blue], time) => {
                    self.send(dem::Fog { density, red, green, blue, time });
                }
                Fog::Nehahra(fog) => self.send(dem::NehahraFogMessage { fog }),
            }
        }
        let old = std::sync::Arc::clone(&self.world.pictures);
        for slot in old.keys().filter(|slot| !to.pictures.contains_key(*slot)) {
            let slot = wire(slot.bytes());
            self.send(dem::HideLmp { slot: Str::new(&slot) });
        }
        for (slot, picture) in to.pictures.iter().filter(|(slot, picture)| old.get(*slot) != Some(*picture)) {
            let (slot, file, [x, y]) = (wire(slot.bytes()), wire(picture.file.bytes()), picture.at);
            let (slot, lmp) = (Str::new(&slot), Str::new(&file));
            if self.blocks.context().darkplaces == DarkPlaces::No {
                self.send(dem::ShowLmp { slot, lmp, x: x as u8, y: y as u8 });
            } else {
                self.send(dem::DarkPlacesPicture { slot, lmp, x, y });
            }
        }
        self.ending(to);
        self.center(to);
    }

    /// How the level ended, if it did.
    fn ending(&mut self, to: &World) {
        let is_hidden = to.center.is_none() && self.world.caption() != to.caption();
        let (old, new) = (&self.world.ending, &to.ending);
        if old.scene != new.scene || old.text != new.text || is_hidden {
            // The screen shows the time at which the level ended.
            self.send(dem::Time { time: to.ending.time.into() });
            // This time belongs to the picture before, which must be drawn first.
            self.blocks.end_block();
            let text = wire(to.ending.text.bytes());
            let string = Str::new(&text);
            match to.ending.scene {
                FinalScreen::Play => {}
                FinalScreen::Intermission => self.send(dem::Intermission {}),
                FinalScreen::Finale => self.send(dem::Finale { string }),
                FinalScreen::Cutscene => self.send(dem::Cutscene { string }),
            }
        }
    }

    /// The text in the middle of the screen. In a finale or cutscene it stays until the scene's own text
    /// takes its place.
    fn center(&mut self, to: &World) {
        let Some((since, text)) = &to.center else { return };
        let is_missing = if to.caption().is_some() {
            self.world.caption() != to.caption()
        } else {
            let age = f64::from(to.clock.now.value()) - f64::from(since.value());
            self.world.center != to.center && age < to.console.center_time()
        };
        if is_missing {
            let text = wire(text.bytes());
            self.send(dem::CenterPrint { string: Str::new(&text) });
        }
    }

    /// The clock, the player's own state, and every entity of the next moment.
    fn moment(&mut self, to: &World, stays: bool) {
        let is_running = to.clock != quake::Clock::default();
        let has_lists = self.blocks.context().lists_entities();
        if stays && is_running {
            self.send(dem::Time { time: to.clock.before.into() });
            if has_lists {
                // Entities that have just appeared are sent with the present time.
                self.lists(to, to.clock.before, true, |entity| !entity.forcelink || entity.step);
            }
            for (number, entity) in to.shown().filter(|(_, entity)| !has_lists && !entity.forcelink) {
                let message = update(number, entity, &to.baseline(number), self.blocks.context());
                self.send(message);
            }
        }
        if is_running {
            self.send(dem::Time { time: to.clock.now.into() });
        }
        let context = *self.blocks.context();
        let has_stats = context.sends_stats();
        let differs =
            self.world.vitals != to.vitals || is_running && !has_stats && self.world.stats != to.stats;
        if differs && context.darkplaces >= DarkPlaces::Five {
            let mut bytes = Vec::new();
            let (flags, state) = player_data(to, &context, &mut bytes);
            self.send(dem::PlayerData { flags, state, ..dem::PlayerData::default() });
        } else if differs && !has_stats {
            self.send(client_data(to, &context));
        }
        for (place, value) in to.stats.all().iter().enumerate() {
            if self.world.stats.all().get(place) != Some(value) {
                self.send(dem::UpdateStat { index: place as u8, value: *value });
            }
        }
        for (index, text) in to.stat_texts.iter().enumerate() {
            let Ok(number) = u8::try_from(index) else { break };
            if self.world.stat_texts.get(index) != text.bytes() {
                let string = wire(text.bytes());
                self.send(dem::UpdateStatString { index: number, string: Str::new(&string) });
            }
        }
        if !is_running {
            return;
        }
        if has_lists {
            return self.lists(to, to.clock.now, !stays, |entity| !stays || entity.forcelink && !entity.step);
        }
        // An entity that was sent at this time moves on smoothly in the next moment, even if nothing of it is
        // drawn.
        #[allow(clippy::float_cmp, reason = "engines compare the floats")]
        let is_known = |entity: &Entity| {
            entity.is_shown(&to.clock)
                || entity.look.model == 0 && entity.seen.value() == to.clock.now.value()
        };
        for (number, entity) in to.entities().filter(|(_, entity)| is_known(entity)) {
            let message = update(number, entity, &to.baseline(number), self.blocks.context());
            self.send(message);
        }
    }
}

impl Client {
    /// Sends every wanted entity. The client's other entities are removed if its picture `begins` with this list.
    fn lists(&mut self, to: &World, time: Seconds, begins: bool, is_wanted: impl Fn(&Entity) -> bool) {
        let context = *self.blocks.context();
        let is_darkplaces = context.darkplaces >= DarkPlaces::Five;
        let wanted_records =
            || to.lasting.records().filter(|(number, _)| to.entity(*number).is_none_or(&is_wanted));
        let gone = |number: &u16| !wanted_records().any(|(other, _)| other == *number);
        let mut records: Vec<Vec<u8>> = if !begins {
            Vec::new()
        } else if is_darkplaces {
            let numbers = self.world.lasting.records().map(|(number, _)| number);
            numbers.filter(gone).map(|number| (number | REMOVED).to_le_bytes().to_vec()).collect()
        } else {
            // Removing entity 0 removes all entities. Playback begins only after that.
            vec![REMOVED.to_le_bytes().to_vec()]
        };
        let empty = DarkPlacesEntities::of_bytes(&[], &context);
        records.extend(wanted_records().map(|(_, record)| match empty.one(record) {
            Some(entity) if is_darkplaces => entity.anew().bytes(&context),
            _ => record.to_vec(),
        }));
        let mut list = Vec::new();
        let mut records = records.into_iter().peekable();
        loop {
            if let Some(record) = records.next() {
                list.extend(record);
                if records.peek().is_some_and(|next| list.len().saturating_add(next.len()) < LIST) {
                    continue;
                }
            }
            if is_darkplaces {
                let entities = DarkPlacesEntities::of_bytes(&list, &context);
                self.send(dem::DarkPlacesFrame {
                    frame: to.lasting.frame,
                    entities,
                    ..dem::DarkPlacesFrame::default()
                });
            } else {
                let entities = FteEntities::of_bytes(&list, &context);
                self.send(dem::UpdateEntities { time, entities, ..dem::UpdateEntities::default() });
            }
            list.clear();
            if records.peek().is_none() {
                return;
            }
        }
    }
}

/// The bit of an entity's number that removes the entity.
const REMOVED: u16 = 1 << 15;
/// The most bytes of a list of entities, which has to fit into a block.
const LIST: usize = LIMIT - 100;

/// The player's own state in the form of `DarkPlaces`; its values go into `bytes`.
fn player_data<'b>(
    to: &World,
    context: &Context,
    bytes: &'b mut Vec<u8>,
) -> (ClientBits, DarkPlacesPlayer<'b>) {
    let vitals = &to.vitals;
    let stat = |stat| f64::from(to.stats.get(stat));
    let [punch_x, punch_y, punch_z] = vitals.punch.map(f64::from);
    let [vel_x, vel_y, vel_z] = vitals.velocity.map(|speed| f64::from(speed) * 16.0);
    let values = [
        (PlayerValue::ViewHeight, f64::from(vitals.view_height)),
        (PlayerValue::IdealPitch, f64::from(vitals.ideal_pitch)),
        (PlayerValue::PunchPitch, punch_x),
        (PlayerValue::SpeedX, vel_x),
        (PlayerValue::PunchYaw, punch_y),
        (PlayerValue::SpeedY, vel_y),
        (PlayerValue::PunchRoll, punch_z),
        (PlayerValue::SpeedZ, vel_z),
        (PlayerValue::Items, f64::from(vitals.items)),
        (PlayerValue::WeaponFrame, stat(Stat::WeaponFrame)),
        (PlayerValue::Armor, stat(Stat::Armor)),
        (PlayerValue::WeaponModel, stat(Stat::WeaponModel)),
        (PlayerValue::Health, stat(Stat::Health)),
        (PlayerValue::Ammo, stat(Stat::Ammo)),
        (PlayerValue::Shells, stat(Stat::Shells)),
        (PlayerValue::Nails, stat(Stat::Nails)),
        (PlayerValue::Rockets, stat(Stat::Rockets)),
        (PlayerValue::Cells, stat(Stat::Cells)),
        (PlayerValue::Weapon, stat(Stat::Weapon)),
    ];
    let state = DarkPlacesPlayer::of(&values, context, bytes);
    let mut bits = state.implied(0, context) | if vitals.on_ground { dem::PlayerData::uk_bit_b10 } else { 0 };
    bits |= if vitals.in_water { dem::PlayerData::uk_bit_b11 } else { 0 };
    (ClientBits::canonical(bits, context), state)
}

/// Whether a look needs the messages with large numbers.
fn is_large(look: &EntityLook, context: &Context) -> bool {
    let usual = EntityLook::default();
    context.extended
        && (look.model > 0xFF || look.frame > 0xFF || look.alpha != usual.alpha || look.scale != usual.scale)
}

macro_rules! large {
    ($message:ident, $look:expr, $context:expr $(, $lead:ident: $value:expr)?) => {{
        let look = $look.look;
        let usual = EntityLook::default();
        let mut it = dem::$message {
            $($lead: $value,)?
            flags: Bits8::default(),
            default_modelindex: ByteOrShort(look.model),
            default_frame: ByteOrShort(look.frame),
            default_colormap: look.colormap,
            default_skin: look.skin,
            place: $look.place,
            default_alpha: look.alpha,
            default_scale: look.scale,
        };
        let mut bits = it.default_modelindex.implied(0, $context) | it.default_frame.implied(0, $context);
        let mut set = |bit: u32, yes: bool| bits |= if yes { bit } else { 0 };
        set(dem::$message::default_alpha, look.alpha != usual.alpha);
        set(dem::$message::default_scale, look.scale != usual.scale);
        it.flags = Bits8::canonical(bits, $context);
        it
    }};
}

/// The state in the form that `DarkPlaces` has for large numbers, if it needs that.
fn large_state(thing: &Baseline, context: &Context) -> Option<LargeState> {
    let Baseline { look, place } = *thing;
    let needed = context.darkplaces != DarkPlaces::No && (look.model > 0xFF || look.frame > 0xFF);
    needed.then_some(LargeState {
        modelindex: look.model,
        frame: look.frame,
        colormap: look.colormap,
        skin: look.skin,
        place,
    })
}

pub(crate) fn baseline_message(number: u16, baseline: &Baseline, context: &Context) -> Message<'static> {
    let entity = number as i16;
    if is_large(&baseline.look, context) {
        return large!(SpawnBaseline2, baseline, context, entity: entity).into();
    }
    if let Some(state) = large_state(baseline, context) {
        return dem::DarkPlacesBaseline { entity, state }.into();
    }
    dem::SpawnBaseline {
        entity,
        default_modelindex: ModelNumber(baseline.look.model),
        default_frame: baseline.look.frame as u8,
        default_colormap: baseline.look.colormap,
        default_skin: baseline.look.skin,
        place: baseline.place,
    }
    .into()
}

pub(crate) fn static_message(thing: &Baseline, context: &Context) -> Message<'static> {
    if is_large(&thing.look, context) {
        return large!(SpawnStatic2, thing, context).into();
    }
    if let Some(state) = large_state(thing, context) {
        return dem::DarkPlacesStatic { state }.into();
    }
    dem::SpawnStatic {
        default_modelindex: ModelNumber(thing.look.model),
        default_frame: thing.look.frame as u8,
        default_colormap: thing.look.colormap,
        default_skin: thing.look.skin,
        place: thing.place,
    }
    .into()
}

pub(crate) fn static_sound_message(sound: &quake::StaticSound, context: &Context) -> Message<'static> {
    let quake::StaticSound { number, origin, volume: vol, attenuation } = *sound;
    if context.extended && number > 0xFF {
        return dem::SpawnStaticSound2 { origin, soundnum: number, vol, attenuation }.into();
    }
    let short = context.protocol == 10002 && context.wide_static_sounds == Answer::Yes;
    let soundnum = StaticSound { number, short };
    dem::SpawnStaticSound { origin, soundnum, vol, attenuation }.into()
}

/// The player's own state, all of it.
pub(crate) fn client_data(to: &World, context: &Context) -> ClientData {
    const VIEW_HEIGHT: i8 = 22;
    let vitals = &to.vitals;
    let stat = |stat| to.stats.get(stat);
    let mut bits = Items::BIT;
    let mut set_bit = |bit: u32, yes: bool| bits |= if yes { bit } else { 0 };
    let [punch_x, punch_y, punch_z] = vitals.punch;
    let [vel_x, vel_y, vel_z] = vitals.velocity;
    set_bit(ClientData::view_ofs_z, vitals.view_height != VIEW_HEIGHT);
    set_bit(ClientData::punchangle_x, vitals.ideal_pitch != 0);
    set_bit(ClientData::angles_1, punch_x != 0);
    set_bit(ClientData::angles_2, punch_y != 0);
    set_bit(ClientData::angles_3, punch_z != 0);
    set_bit(ClientData::vel_x, vel_x != 0);
    set_bit(ClientData::vel_y, vel_y != 0);
    set_bit(ClientData::vel_z, vel_z != 0);
    set_bit(ClientData::uk_bit_b10, vitals.on_ground);
    set_bit(ClientData::uk_bit_b11, vitals.in_water);
    set_bit(ClientData::weaponframe, stat(Stat::WeaponFrame) != 0);
    set_bit(ClientData::armorvalue, stat(Stat::Armor) != 0);
    set_bit(ClientData::weaponmodel, stat(Stat::WeaponModel) != 0);
    set_bit(ClientData::weaponalpha, vitals.weapon_alpha != 0);
    let high = |which| (stat(which) >> 8) as u8;
    if context.extended {
        set_bit(ClientData::weaponmodel_high, high(Stat::WeaponModel) != 0);
        set_bit(ClientData::armorvalue_high, high(Stat::Armor) != 0);
        set_bit(ClientData::currentammo_high, high(Stat::Ammo) != 0);
        set_bit(ClientData::ammo_shells_high, high(Stat::Shells) != 0);
        set_bit(ClientData::ammo_nails_high, high(Stat::Nails) != 0);
        set_bit(ClientData::ammo_rockets_high, high(Stat::Rockets) != 0);
        set_bit(ClientData::ammo_cells_high, high(Stat::Cells) != 0);
        set_bit(ClientData::weaponframe_high, high(Stat::WeaponFrame) != 0);
    }
    let model = if context.wide_models {
        stat(Stat::WeaponModel) as u16
    } else {
        u16::from(stat(Stat::WeaponModel) as u8)
    };
    let low = |which| stat(which) as u8;
    ClientData {
        flags: ClientBits::canonical(bits, context),
        view_ofs_z: Whole(vitals.view_height),
        punchangle_x: Whole(vitals.ideal_pitch),
        angles_1: Whole(punch_x),
        vel_x: Whole(vel_x),
        angles_2: Whole(punch_y),
        vel_y: Whole(vel_y),
        angles_3: Whole(punch_z),
        vel_z: Whole(vel_z),
        items: Items { bits: vitals.items, sent: true },
        weaponframe: low(Stat::WeaponFrame),
        armorvalue: low(Stat::Armor),
        weaponmodel: ModelNumber(model),
        health: stat(Stat::Health) as i16,
        currentammo: low(Stat::Ammo),
        ammo_shells: low(Stat::Shells),
        ammo_nails: low(Stat::Nails),
        ammo_rockets: low(Stat::Rockets),
        ammo_cells: low(Stat::Cells),
        weapon: ActiveWeapon { byte: low(Stat::Weapon), sent: true },
        weaponmodel_high: high(Stat::WeaponModel),
        armorvalue_high: high(Stat::Armor),
        currentammo_high: high(Stat::Ammo),
        ammo_shells_high: high(Stat::Shells),
        ammo_nails_high: high(Stat::Nails),
        ammo_rockets_high: high(Stat::Rockets),
        ammo_cells_high: high(Stat::Cells),
        weaponframe_high: high(Stat::WeaponFrame),
        weaponalpha: vitals.weapon_alpha,
        ..ClientData::default()
    }
}

/// The fields of an entity that differ from its baseline.
pub(crate) fn update(number: u16, entity: &Entity, base: &Baseline, context: &Context) -> UpdateEntity {
    let (look, [x, y, z], [pitch, yaw, roll]) = (&entity.look, entity.place.origin, entity.place.angles);
    let ([base_x, base_y, base_z], [base_pitch, base_yaw, base_roll]) =
        (base.place.origin, base.place.angles);
    let mut bits = 0;
    let mut set_bit = |bit: u32, yes: bool| bits |= if yes { bit } else { 0 };
    set_bit(UpdateEntity::modelindex, look.model != base.look.model);
    set_bit(UpdateEntity::frame, look.frame != base.look.frame);
    set_bit(UpdateEntity::colormap, look.colormap != base.look.colormap);
    set_bit(UpdateEntity::skin, look.skin != base.look.skin);
    set_bit(UpdateEntity::effects, look.effects != base.look.effects);
    set_bit(UpdateEntity::origin_x, x != base_x);
    set_bit(UpdateEntity::origin_y, y != base_y);
    set_bit(UpdateEntity::origin_z, z != base_z);
    set_bit(UpdateEntity::angles_1, pitch != base_pitch);
    set_bit(UpdateEntity::angles_2, yaw != base_yaw);
    set_bit(UpdateEntity::angles_3, roll != base_roll);
    set_bit(UpdateEntity::new, entity.step);
    set_bit(UpdateEntity::transparency, !context.extended && entity.transparency.floats().next().is_some());
    if context.extended {
        set_bit(UpdateEntity::alpha, look.alpha != base.look.alpha);
        set_bit(UpdateEntity::scale, look.scale != base.look.scale);
        set_bit(UpdateEntity::frame_high, look.frame != base.look.frame && look.frame > 0xFF);
        set_bit(UpdateEntity::modelindex_high, look.model != base.look.model && look.model > 0xFF);
        set_bit(UpdateEntity::lerpfinish, entity.lerpfinish.is_some());
    }
    let low = look.model & if context.wide_models { 0xFFFF } else { 0xFF };
    let mut it = UpdateEntity {
        entity: ByteOrShort(number),
        modelindex: ModelNumber(low),
        frame: look.frame as u8,
        colormap: look.colormap,
        skin: look.skin,
        effects: look.effects,
        origin_x: x,
        angles_1: EntityAngle(pitch),
        origin_y: y,
        angles_2: EntityAngle(yaw),
        origin_z: z,
        angles_3: EntityAngle(roll),
        transparency: entity.transparency,
        alpha: look.alpha,
        scale: look.scale,
        frame_high: (look.frame >> 8) as u8,
        modelindex_high: (look.model >> 8) as u8,
        lerpfinish: entity.lerpfinish.unwrap_or_default(),
        ..UpdateEntity::default()
    };
    it.flags = UpdateBits::canonical(it.entity.implied(bits, context), context);
    it
}
