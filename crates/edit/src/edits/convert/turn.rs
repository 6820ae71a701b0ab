//! One message of Quake under another protocol.

use super::losses::Losses;
use super::quake::QuakeConverter;
use super::text;
use crate::machinery::bridge::quake as bridge;
use moviola_check::CheckCode;
use moviola_format::names::quake::{ALPHA, TEMP_ENTITY};
use moviola_format::names::value;
use moviola_format::{
    ActiveWeapon, Angle, AngleKind, ClientBits, Context, Coord, CoordKind, EntityAngle, Flags as _, Items,
    Message as _, ModelNumber, Placement, Precache, Reader, Scalar, ServerProtocol, SoundChannel,
    SoundNumber, Str, TempKind, UpdateBits, dem, write_message,
};
use moviola_state::quake::{Baseline, Entity, EntityLook, Stat};

const EXPLOSION: u8 = value(TEMP_ENTITY, "TE_EXPLOSION") as u8;
const COLORED: u8 = value(TEMP_ENTITY, "TE_EXPLOSION2") as u8;
const COLORED3: u8 = value(TEMP_ENTITY, "TE_EXPLOSION3") as u8;
const BOLT: u8 = value(TEMP_ENTITY, "TE_LIGHTNING2") as u8;
const BOLT4: u8 = value(TEMP_ENTITY, "TE_LIGHTNING4") as u8;
/// The last kind of Quake itself; later numbers are Nehahra's.
const LAST_OWN: u8 = value(TEMP_ENTITY, "TE_BEAM") as u8;

/// The bits of a player's state that protocol 15 knows.
const OWN_BITS: u32 = (1 << 15) - 1;

/// The alpha value with which protocol 666 sends an invisible entity.
const INVISIBLE: u8 = value(ALPHA, "invisible") as u8;

/// The conversion of one message.
pub(super) struct MessageConversion<'t> {
    pub(super) side: &'t QuakeConverter,
    pub(super) context: &'t Context,
    pub(super) losses: &'t mut Losses,
    pub(super) out: &'t mut Vec<u8>,
}

impl MessageConversion<'_> {
    fn put<'m>(&mut self, message: impl Into<dem::Message<'m>>) {
        write_message(&message.into(), self.out, self.context);
    }

    fn changes(&self) -> bool {
        self.side.context.is_some()
    }

    fn rejects(&self, code: CheckCode, value: impl Into<i64>) -> bool {
        self.side.target.rejects(code, value)
    }

    /// Counts a message that is left out, with the reason.
    fn drop_message(&mut self, message: &dem::Message<'_>, why: &str) {
        self.losses.add_loss(format!("left out: {} {why}", message.schema().name));
    }

    /// Writes the message in the form of the new context.
    pub(super) fn message(&mut self, message: &dem::Message<'_>) {
        use dem::Message as M;
        match message {
            M::ServerInfo(it) => self.server_info(it),
            M::Version(it) => {
                let known = self.side.context.map_or(it.serverversion, |to| to.protocol);
                self.put(dem::Version { serverversion: known });
            }
            M::UpdateEntity(it) => self.update(it),
            M::ClientData(it) => self.client_data(it),
            M::Sound(it) => self.sound(it),
            M::StopSound(it) => {
                let source = self.channel(it.source);
                if source.entity != 0 || it.source.entity == 0 {
                    self.put(dem::StopSound { source });
                }
            }
            M::SpawnBaseline(it) => self.baseline(it.entity as u16, message),
            M::SpawnBaseline2(it) => self.baseline(it.entity as u16, message),
            M::SpawnStatic(_) | M::SpawnStatic2(_) => self.spawn_static(message),
            M::SpawnStaticSound(it) => self.static_sound(it.soundnum.number, message),
            M::SpawnStaticSound2(it) => self.static_sound(it.soundnum, message),
            M::SetAngle(it) => {
                let angles = it.angles.map(|angle| self.angle(angle, self.context.angle));
                self.put(dem::SetAngle { angles });
            }
            M::Particle(it) => {
                let origin = self.places(it.origin);
                self.put(dem::Particle { origin, ..*it });
            }
            M::Damage(it) => {
                let origin = self.places(it.origin);
                self.put(dem::Damage { origin, ..*it });
            }
            M::TempEntity(it) => self.temp_entity(it),
            other => self.plain(other),
        }
    }

    /// Messages without numbers that differ.
    fn plain(&mut self, message: &dem::Message<'_>) {
        use dem::Message as M;
        let players = self.side.world.level.max_clients;
        let engine = "that the engine has no room for";
        match message {
            M::UpdateName(dem::UpdateName { player, .. })
            | M::UpdateFrags(dem::UpdateFrags { player, .. })
            | M::UpdateColors(dem::UpdateColors { player, .. })
                if *player >= players && self.rejects(CheckCode::PlayerSlot, *player) =>
            {
                return self.drop_message(message, "of a player for whom there is no room");
            }
            M::LightStyle(it) if self.rejects(CheckCode::LightStyles, it.style) => {
                return self.drop_message(message, engine);
            }
            M::SetView(it) if self.rejects(CheckCode::View, it.entity) => {
                return self.drop_message(message, engine);
            }
            M::UpdateStat(it) if self.rejects(CheckCode::StatIndex, it.index) => {
                return self.drop_message(message, engine);
            }
            _ => {}
        }
        let schema = message.schema();
        let speaks = schema.families == 0 || self.context.has_family(schema.families);
        let is_known = speaks && !self.rejects(CheckCode::MessageKnown, message.op());
        match message {
            M::Cutscene(it) if !is_known => {
                self.losses.add_loss("cutscene sent as a finale");
                self.put(dem::Finale { string: it.string });
            }
            // The command that servers of protocol 15 send in its place.
            M::BonusFlash(_) if !is_known => self.put(dem::StuffText { string: Str::new(b"bf\n\0") }),
            M::NehahraFogMessage(it) if !speaks && self.context.extended => self.fog(it.fog),
            _ if !is_known => self.drop_message(message, "that is not known there"),
            M::LocalSound(it) => match self.sound_number(it.soundnum.0) {
                Some(number) => {
                    let mut local = dem::LocalSound { soundnum: moviola_format::ByteOrShort(number), ..*it };
                    local.flags = moviola_format::Bits8::canonical(
                        local.soundnum.implied(local.flags.bits(), self.context),
                        self.context,
                    );
                    self.put(local);
                }
                None => self.lose_sound(it.soundnum.0),
            },
            M::Print(it) => self.split(it.string, |string| dem::Print { string }.into()),
            M::StuffText(it) => self.split(it.string, |string| dem::StuffText { string }.into()),
            M::CenterPrint(it) => self.cut(it.string, |string| dem::CenterPrint { string }.into()),
            M::Finale(it) => self.cut(it.string, |string| dem::Finale { string }.into()),
            M::Cutscene(it) => self.cut(it.string, |string| dem::Cutscene { string }.into()),
            M::UpdateName(it) => {
                self.cut(it.netname, |netname| dem::UpdateName { netname, ..*it }.into());
            }
            M::LightStyle(it) => self.cut(it.string, |string| dem::LightStyle { string, ..*it }.into()),
            other => write_message(other, self.out, self.context),
        }
    }

    /// Writes a text in several messages, if it is too long for one.
    fn split(&mut self, string: Str<'_>, message: impl Fn(Str<'_>) -> dem::Message<'_>) {
        for part in text::parts(string, &self.side.target, true) {
            write_message(&message(Str::new(&part)), self.out, self.context);
        }
    }

    fn cut(&mut self, string: Str<'_>, message: impl Fn(Str<'_>) -> dem::Message<'_>) {
        let parts = text::parts(string, &self.side.target, false);
        if parts.len() > 1 {
            self.losses.add_loss("a text was cut to the length that the engine reads");
        }
        if let Some(part) = parts.first() {
            write_message(&message(Str::new(part)), self.out, self.context);
        }
    }

    fn server_info(&mut self, it: &dem::ServerInfo<'_>) {
        let mut wire = Vec::new();
        self.side.fit.models.list(it.precache.models(), &mut wire);
        self.side.fit.sounds.list(it.precache.sounds(), &mut wire);
        let fit = &self.side.fit;
        let moved =
            !fit.models.is_same() || !fit.sounds.is_same() || self.rejects(CheckCode::UnterminatedString, 0);
        let precache = if moved {
            Precache::read(&mut Reader::new(&wire, self.context)).unwrap_or(it.precache)
        } else {
            it.precache
        };
        let protocol = match self.side.context {
            Some(to) => ServerProtocol::new(to.protocol, to.protocol_flags),
            None => it.protocol,
        };
        self.put(dem::ServerInfo { protocol, precache, ..*it });
    }

    fn fog(&mut self, fog: moviola_format::NehahraFog) {
        let part = |color: u8| moviola_format::Volume(color);
        let [red, green, blue] = fog.color.map(part);
        let density = if fog.enable == 0 { 0.0 } else { f32::from_bits(fog.density) };
        let density = part((density * 255.0).round().clamp(0.0, 255.0) as u8);
        self.put(dem::Fog { density, red, green, blue, time: 0 });
    }

    fn coord(&mut self, was: Coord) -> Coord {
        let kind: CoordKind = self.context.coord;
        if was.kind() == kind {
            return was;
        }
        let is = Coord::nearest(kind, was.value());
        self.losses.place(was.value(), is.value());
        is
    }

    fn places(&mut self, origin: [Coord; 3]) -> [Coord; 3] {
        origin.map(|coord| self.coord(coord))
    }

    fn angle(&mut self, was: Angle, kind: AngleKind) -> Angle {
        if was.kind() == kind {
            return was;
        }
        let is = Angle::nearest(kind, was.value());
        self.losses.angle(was.value(), is.value());
        is
    }

    fn placement(&mut self, was: Placement) -> Placement {
        let kind = self.context.angle;
        Placement { origin: self.places(was.origin), angles: was.angles.map(|angle| self.angle(angle, kind)) }
    }

    fn lose_sound(&mut self, number: u16) {
        let name = self.side.world.level.sounds.get(usize::from(number));
        self.losses.add_loss(format!("does not fit: sound {}", moviola_format::names::readable(name)));
    }

    /// The new number of a sound; `None` if it does not fit.
    fn sound_number(&self, number: u16) -> Option<u16> {
        let is_wide = self.context.extended || self.context.wide_sounds;
        self.side.fit.sounds.get(number).filter(|number| is_wide || *number <= 0xFF)
    }

    /// The new number of a model; 0 if it does not fit.
    fn model(&mut self, number: u16) -> u16 {
        let is_wide = self.context.extended || self.context.wide_models;
        let new = self.side.fit.models.get(number).filter(|number| is_wide || *number <= 0xFF);
        new.unwrap_or_else(|| {
            let name = self.side.world.level.models.get(usize::from(number));
            self.losses.add_loss(format!("does not fit: model {}", moviola_format::names::readable(name)));
            0
        })
    }

    /// The parts of an entity's look that the protocol can express.
    fn look(&mut self, was: &EntityLook) -> EntityLook {
        let default_look = EntityLook::default();
        let mut look = EntityLook { model: self.model(was.model), ..*was };
        let players = u16::from(self.side.world.level.max_clients);
        if u16::from(look.colormap) > players && self.rejects(CheckCode::Colormap, look.colormap) {
            self.losses.add_loss("the colors of a player for whom there is no room became the usual ones");
            look.colormap = 0;
        }
        if self.context.extended {
            return look;
        }
        if look.frame > 0xFF {
            self.losses.add_loss("a frame above 255 became 255");
            look.frame = 0xFF;
        }
        if look.alpha == INVISIBLE {
            // Without a model the entity is as invisible as with this alpha.
            (look.model, look.alpha) = (0, default_look.alpha);
        }
        if look.alpha != default_look.alpha {
            self.losses.add_loss("a transparent entity became opaque");
            look.alpha = default_look.alpha;
        }
        if look.scale != default_look.scale {
            self.losses.add_loss("a scaled entity got the size of its model");
            look.scale = default_look.scale;
        }
        look
    }

    fn based(&mut self, was: &Baseline) -> Baseline {
        Baseline { look: self.look(&was.look), place: self.placement(was.place) }
    }

    /// The baseline in the form of the target, without counting its losses once more.
    fn based_again(&self, was: &Baseline) -> Baseline {
        let (mut losses, mut out) = (Losses::default(), Vec::new());
        MessageConversion { side: self.side, context: self.context, losses: &mut losses, out: &mut out }
            .based(was)
    }

    fn has_entity(&mut self, number: u16) -> bool {
        let fits = !self.rejects(CheckCode::EntityNumber, number);
        if !fits {
            let most = self.side.target.most(CheckCode::EntityNumber, u16::MAX);
            self.losses.add_loss(format!("left out: updates of entities above {most}"));
        }
        fits
    }

    fn baseline(&mut self, number: u16, message: &dem::Message<'_>) {
        if !self.has_entity(number) {
            return;
        }
        if !self.changes() && self.side.fit.models.is_same() && !self.rejects(CheckCode::Colormap, 0) {
            return write_message(message, self.out, self.context);
        }
        let was = self.side.world.baseline(number);
        let baseline = self.based(&was);
        write_message(&bridge::baseline_message(number, &baseline, self.context), self.out, self.context);
    }

    fn spawn_static(&mut self, message: &dem::Message<'_>) {
        let count = self.side.world.statics.len();
        if self.rejects(CheckCode::StaticEntities, i64::try_from(count).unwrap_or(i64::MAX)) {
            let most = self.side.target.most(CheckCode::StaticEntities, u16::MAX);
            return self.losses.add_loss(format!("left out: static entities beyond the first {most}"));
        }
        if !self.changes() && self.side.fit.models.is_same() {
            return write_message(message, self.out, self.context);
        }
        if let Some(was) = self.side.world.statics.last() {
            let thing = self.based(&was.clone());
            write_message(&bridge::static_message(&thing, self.context), self.out, self.context);
        }
    }

    fn static_sound(&mut self, number: u16, message: &dem::Message<'_>) {
        if !self.changes() && self.side.fit.sounds.is_same() {
            return write_message(message, self.out, self.context);
        }
        let Some(was) = self.side.world.static_sounds.last().copied() else { return };
        let Some(number) = self.sound_number(number) else { return self.lose_sound(number) };
        let sound = moviola_state::quake::StaticSound { number, origin: self.places(was.origin), ..was };
        write_message(&bridge::static_sound_message(&sound, self.context), self.out, self.context);
    }

    /// The entity and channel of a sound, as far as the protocol can express them.
    fn channel(&mut self, was: SoundChannel) -> SoundChannel {
        let packed = was.entity <= 0x1FFF && was.channel <= 7;
        if !(packed || self.context.extended) || self.rejects(CheckCode::SoundEntity, was.entity) {
            self.losses
                .add_loss("the sound of an entity for which there is no room comes from its place alone");
            return SoundChannel::default();
        }
        was
    }

    fn sound(&mut self, it: &dem::Sound) {
        let Some(number) = self.sound_number(it.soundnum.0) else {
            return self.lose_sound(it.soundnum.0);
        };
        let mut sound = dem::Sound { soundnum: SoundNumber(number), source: self.channel(it.source), ..*it };
        sound.origin = self.places(it.origin);
        let large = SoundChannel::LARGE | SoundNumber::LARGE;
        if self.changes() || sound.soundnum != it.soundnum || self.rejects(CheckCode::SpareSoundBits, 0) {
            let bits = it.flags.bits() & !large;
            let bits = sound.soundnum.implied(bits, self.context);
            sound.flags = moviola_format::QuakeSoundBits::canonical(
                if self.context.extended { sound.source.implied(bits, self.context) } else { bits },
                self.context,
            );
        }
        self.put(sound);
    }

    fn temp_entity(&mut self, it: &dem::TempEntity<'_>) {
        let number = it.flags.number();
        let nehahra = self.context.nehahra == moviola_format::Answer::Yes;
        let is_known =
            |kind: u8| (kind <= LAST_OWN || nehahra) && !self.rejects(CheckCode::TempEntityKnown, kind);
        let plainer = match number {
            COLORED | COLORED3 => EXPLOSION,
            BOLT4 => BOLT,
            other => other,
        };
        let kind = if is_known(number) { number } else { plainer };
        if !is_known(kind) {
            let name = moviola_format::names::value_name(TEMP_ENTITY, i64::from(number)).unwrap_or("?");
            return self.losses.add_loss(format!("left out: {name}"));
        }
        if kind != number {
            self.losses.add_loss("a colored effect became a plain one");
        }
        let mut effect = dem::TempEntity { flags: TempKind::new(kind).unwrap_or(it.flags), ..*it };
        effect.origin = self.places(it.origin);
        effect.trace_endpos.parts = self.places(it.trace_endpos.parts);
        self.put(effect);
    }

    fn client_data(&mut self, it: &dem::ClientData) {
        let world = &self.side.world;
        let mut data = *it;
        if !it.items.sent && (self.context.extended || self.rejects(CheckCode::ItemsAbsent, 0)) {
            data.items = Items { bits: world.vitals.items, sent: true };
            data.flags = ClientBits(data.flags.bits() | Items::BIT);
        }
        if data.items.sent && self.rejects(CheckCode::ItemsUnmarked, 0) {
            data.flags = ClientBits(data.flags.bits() | Items::BIT);
        }
        if !it.weapon.sent && (self.changes() || self.rejects(CheckCode::WeaponAbsent, 0)) {
            data.weapon = ActiveWeapon { byte: 0, sent: true };
        }
        if self.changes() || !self.side.fit.models.is_same() {
            self.vitals(&mut data);
        } else if !self.context.extended && self.rejects(CheckCode::SpareClientBit, 0) {
            data.flags = ClientBits(data.flags.bits() & OWN_BITS);
        }
        self.put(data);
    }

    /// Fields whose widths differ between protocols: ammunition, armor, the weapon.
    fn vitals(&mut self, data: &mut dem::ClientData) {
        use dem::ClientData as C;
        let extended = self.context.extended;
        let world = &self.side.world;
        let weapon = self.model(world.stats.get(Stat::WeaponModel) as u16);
        let mut bits = data.flags.bits() & OWN_BITS & !C::weaponmodel;
        let mut set = |bit: u32, yes: bool| bits |= if yes { bit } else { 0 };
        set(C::weaponmodel, weapon != 0);
        let low = if self.context.wide_models { weapon } else { weapon & 0xFF };
        data.weaponmodel = ModelNumber(low);
        data.weaponmodel_high = (weapon >> 8) as u8;
        set(C::weaponmodel_high, extended && data.weaponmodel_high != 0);
        let mut lost = 0u32;
        let mut wide = |stat: Stat, bit: u32, low: &mut u8, high: &mut u8| {
            let number = world.stats.get(stat);
            *high = (number >> 8) as u8;
            if extended {
                bits |= if *high == 0 { 0 } else { bit };
            } else if number > 0xFF {
                lost = lost.saturating_add(1);
                *low = 0xFF;
            }
        };
        wide(Stat::Armor, C::armorvalue_high, &mut data.armorvalue, &mut data.armorvalue_high);
        wide(Stat::Ammo, C::currentammo_high, &mut data.currentammo, &mut data.currentammo_high);
        wide(Stat::Shells, C::ammo_shells_high, &mut data.ammo_shells, &mut data.ammo_shells_high);
        wide(Stat::Nails, C::ammo_nails_high, &mut data.ammo_nails, &mut data.ammo_nails_high);
        wide(Stat::Rockets, C::ammo_rockets_high, &mut data.ammo_rockets, &mut data.ammo_rockets_high);
        wide(Stat::Cells, C::ammo_cells_high, &mut data.ammo_cells, &mut data.ammo_cells_high);
        wide(Stat::WeaponFrame, C::weaponframe_high, &mut data.weaponframe, &mut data.weaponframe_high);
        let alpha = world.vitals.weapon_alpha;
        if extended {
            data.weaponalpha = alpha;
            bits |= if alpha == 0 { 0 } else { C::weaponalpha };
        } else if alpha != 0 {
            self.losses.add_loss("a transparent weapon became opaque");
        }
        if lost > 0 {
            self.losses.add_loss("a number of the status bar above 255 became 255");
        }
        data.flags = ClientBits::canonical(bits, self.context);
    }

    fn update(&mut self, it: &dem::UpdateEntity) {
        let number = it.entity.0;
        if !self.has_entity(number) {
            return;
        }
        let (Some(entity), base) =
            (self.side.world.entity(number).copied(), self.side.world.baseline(number))
        else {
            return;
        };
        let spare = !self.context.extended && it.flags.has(UpdateBits::MORE);
        let is_nehahra = it.transparency.floats().next().is_some();
        let rejected = spare
            && (is_nehahra && self.rejects(CheckCode::NehahraUpdate, 0)
                || !is_nehahra && self.rejects(CheckCode::SpareUpdateBit, 0));
        let players = self.side.world.level.max_clients;
        let dressed =
            entity.look.colormap > players && self.rejects(CheckCode::Colormap, entity.look.colormap);
        if !self.changes() && self.side.fit.models.is_same() && !rejected && !dressed {
            return self.put(*it);
        }
        self.update_anew(it, &entity, &base, rejected);
    }

    fn update_anew(&mut self, it: &dem::UpdateEntity, entity: &Entity, base: &Baseline, rejected: bool) {
        use dem::UpdateEntity as U;
        let base = self.based_again(base);
        let mut old_look = entity.look;
        let mut transparency = entity.transparency;
        let alpha = transparency.floats().nth(1);
        if let Some(alpha) = alpha
            && (rejected || self.context.nehahra != moviola_format::Answer::Yes)
        {
            transparency = moviola_format::Transparency::default();
            // As engines of 666 write it: 1 is invisible, 255 solid, 0 the usual.
            old_look.alpha = (alpha * 254.0 + 1.0).clamp(1.0, 255.0) as u8;
        }
        let angle = self.context.entity_angle;
        let mut turn = |angle_was: EntityAngle| self.angle(angle_was.0, angle);
        let [pitch, yaw, roll] = [it.angles_1, it.angles_2, it.angles_3].map(&mut turn);
        let place = |turn: &mut Self, bit: u32, coord: Coord| {
            if it.flags.has(bit) { turn.coord(coord) } else { coord }
        };
        let mut target = *entity;
        (target.look, target.transparency) = (self.look(&old_look), transparency);
        let [x, y, z] = [
            place(self, U::origin_x, it.origin_x),
            place(self, U::origin_y, it.origin_y),
            place(self, U::origin_z, it.origin_z),
        ];
        let pick = |bit: u32, new: Coord, base: Coord| if it.flags.has(bit) { new } else { base };
        let [base_x, base_y, base_z] = base.place.origin;
        target.place.origin =
            [pick(U::origin_x, x, base_x), pick(U::origin_y, y, base_y), pick(U::origin_z, z, base_z)];
        let pick = |bit: u32, new: Angle, base: Angle| if it.flags.has(bit) { new } else { base };
        let [base_pitch, base_yaw, base_roll] = base.place.angles;
        target.place.angles = [
            pick(U::angles_1, pitch, base_pitch),
            pick(U::angles_2, yaw, base_yaw),
            pick(U::angles_3, roll, base_roll),
        ];
        if !self.context.extended && target.lerpfinish.take().is_some() {
            self.losses
                .add_loss("left out: until when an entity is on its way to its next place (lerpfinish)");
        }
        let update = bridge::update(it.entity.0, &target, &base, self.context);
        self.put(update);
    }
}
