//! Quake's messages, section by section of the DEM document 1.0.9, with the additions of protocols 666 and 999
//! ("wire" A2, A3) and of the re-release (A7).

use super::bytes::Bytes;
use super::{Read, Stop};

/// A baseline: spawnbaseline, spawnstatic, and the state after an update.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Base {
    pub(crate) model: i32,
    pub frame: i32,
    pub colormap: i32,
    pub skin: i32,
    pub alpha: i32,
    pub scale: i32,
    pub origin: [f64; 3],
    pub angles: [f64; 3],
}

impl Default for Base {
    fn default() -> Self {
        Self {
            model: 0,
            frame: 0,
            colormap: 0,
            skin: 0,
            alpha: 0,
            scale: 16,
            origin: [0.0; 3],
            angles: [0.0; 3],
        }
    }
}

/// clientdata, without the fields that go into the playerstate array.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Client {
    pub items: i32,
    pub view_ofs_z: i32,
    pub idealpitch: i32,
    pub punch: [i32; 3],
    pub vel: [i32; 3],
    pub onground: bool,
    pub inwater: bool,
    pub weaponalpha: i32,
}

/// updateentity, with the fields that it contains.
#[derive(Clone, Debug, Default)]
pub(crate) struct Update {
    pub entity: i32,
    pub(crate) model: Option<i32>,
    pub(crate) model_high: Option<i32>,
    pub frame: Option<i32>,
    pub frame_high: Option<i32>,
    pub colormap: Option<i32>,
    pub skin: Option<i32>,
    pub effects: Option<i32>,
    pub alpha: Option<i32>,
    pub scale: Option<i32>,
    pub lerpfinish: Option<i32>,
    pub origin: [Option<f64>; 3],
    pub angles: [Option<f64>; 3],
    pub step: bool,
}

/// sound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sound {
    pub vol: i32,
    pub attenuation: i32,
    pub channel: i32,
    pub entity: i32,
    pub soundnum: i32,
    pub origin: [f64; 3],
}

/// `temp_entity`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Effect {
    pub kind: i32,
    pub entity: i32,
    pub origin: [f64; 3],
    pub end: [f64; 3],
    pub color: i32,
    pub range: i32,
}

/// A message.
#[derive(Clone, Debug)]
pub(crate) enum Msg {
    Nothing,
    Disconnect,
    UpdateStat(i32, i32),
    Version(i32),
    SetView(i32),
    Sound(Sound),
    Time(f32),
    Print(Vec<u8>),
    StuffText(Vec<u8>),
    SetAngle([f64; 3]),
    ServerInfo {
        protocol: i32,
        flags: u32,
        maxclients: i32,
        multi: i32,
        title: Vec<u8>,
        models: Vec<Vec<u8>>,
        sounds: Vec<Vec<u8>>,
    },
    LightStyle(i32, Vec<u8>),
    UpdateName(i32, Vec<u8>),
    UpdateFrags(i32, i32),
    UpdateColors(i32, i32),
    Client(Client, Vec<(i32, i32)>),
    Particle([f64; 3], [i32; 3], i32, i32),
    Damage(i32, i32, [f64; 3]),
    Static(Base),
    Baseline(i32, Base),
    Effect(Effect),
    SetPause(i32),
    Signon(i32),
    CenterPrint(Vec<u8>),
    Killed,
    Secret,
    StaticSound((i32, [f64; 3], i32, i32)),
    Ending(i32, Vec<u8>),
    CdTrack(i32, i32),
    SkyBox(Vec<u8>),
    Fog([i32; 4], i32),
    Update(Update),
}

/// Bytes with the widths of a protocol.
struct Wire<'b, 'a> {
    bytes: &'b mut Bytes<'a>,
    extended: bool,
    flags: u32,
}

impl Wire<'_, '_> {
    /// `ReadCoord`.
    fn coord(&mut self) -> Read<f64> {
        Ok(if self.flags & 0x10 != 0 {
            f64::from(self.bytes.float()?)
        } else if self.flags & 0x80 != 0 {
            f64::from(self.bytes.long()?) / 16.0
        } else if self.flags & 0x08 != 0 {
            f64::from(self.bytes.short()?) + f64::from(self.bytes.byte()?) / 255.0
        } else {
            f64::from(self.bytes.short()?) * 0.125
        })
    }

    /// `ReadAngle`.
    fn angle(&mut self) -> Read<f64> {
        Ok(if self.flags & 0x04 != 0 {
            f64::from(self.bytes.float()?)
        } else if self.flags & 0x02 != 0 {
            f64::from(self.bytes.short()?) * 360.0 / 65536.0
        } else {
            f64::from(self.bytes.char()?) / 256.0 * 360.0
        })
    }

    fn coords(&mut self) -> Read<[f64; 3]> {
        Ok([self.coord()?, self.coord()?, self.coord()?])
    }

    /// Sections 7.21 to 7.23, and with `bits` the wide forms of 666.
    fn base(&mut self, bits: i32) -> Read<Base> {
        let mut base = Base {
            model: if bits & 1 != 0 { self.bytes.short()? & 0xFFFF } else { self.bytes.byte()? },
            frame: if bits & 2 != 0 { self.bytes.short()? & 0xFFFF } else { self.bytes.byte()? },
            colormap: self.bytes.byte()?,
            skin: self.bytes.byte()?,
            ..Base::default()
        };
        for axis in 0..3 {
            base.origin[axis] = self.coord()?;
            base.angles[axis] = self.angle()?;
        }
        if bits & 4 != 0 {
            base.alpha = self.bytes.byte()?;
        }
        if bits & 8 != 0 {
            base.scale = self.bytes.byte()?;
        }
        Ok(base)
    }

    fn sound(&mut self) -> Read<Sound> {
        let mask = self.bytes.byte()?;
        let vol = if mask & 1 != 0 { self.bytes.byte()? } else { 255 };
        let attenuation = if mask & 2 != 0 { self.bytes.byte()? } else { 64 };
        let (entity, channel) = if self.extended && mask & 8 != 0 {
            (self.bytes.short()? & 0xFFFF, self.bytes.byte()?)
        } else {
            let both = self.bytes.short()?;
            (both >> 3 & 0x1FFF, both & 7)
        };
        let wide = self.extended && mask & 16 != 0;
        let soundnum = if wide { self.bytes.short()? & 0xFFFF } else { self.bytes.byte()? };
        Ok(Sound { vol, attenuation, channel, entity, soundnum, origin: self.coords()? })
    }

    fn mask(&mut self, mut mask: u32) -> Read<u32> {
        if self.extended && mask & 1 << 15 != 0 {
            mask |= (self.bytes.byte()? as u32) << 16;
            if mask & 1 << 23 != 0 {
                mask |= (self.bytes.byte()? as u32) << 24;
            }
        }
        Ok(mask)
    }

    /// Section 7.16 of the document.
    fn client(&mut self, by_bit: bool, no_weapon: bool) -> Read<Msg> {
        let mask = self.bytes.short()? as u32 & 0xFFFF;
        let mask = self.mask(mask)?;
        let bit = |number: u32| mask & 1 << number != 0;
        let mut it = Client { view_ofs_z: 22, ..Client::default() };
        if bit(0) {
            it.view_ofs_z = self.bytes.char()?;
        }
        if bit(1) {
            it.idealpitch = self.bytes.char()?;
        }
        for axis in 0..3 {
            if bit(2 + axis) {
                it.punch[axis as usize] = self.bytes.char()?;
            }
            if bit(5 + axis) {
                it.vel[axis as usize] = self.bytes.char()?;
            }
        }
        it.items = if bit(9) || !by_bit { self.bytes.long()? } else { 0x4001 };
        it.onground = bit(10);
        it.inwater = bit(11);
        let mut weaponframe = if bit(12) { self.bytes.byte()? } else { 0 };
        let mut armor = if bit(13) { self.bytes.byte()? } else { 0 };
        let mut weaponmodel = if bit(14) { self.bytes.byte()? } else { 0 };
        let health = self.bytes.short()?;
        let mut ammo = [0; 5];
        for one in &mut ammo {
            *one = self.bytes.byte()?;
        }
        let left_out = no_weapon && self.bytes.peek().is_none_or(|byte| byte >= 32);
        let weapon = if left_out { 0 } else { self.bytes.byte()? };
        let [current, shells, nails, rockets, cells] = &mut ammo;
        let highs = [&mut weaponmodel, &mut armor, current, shells, nails, rockets, cells];
        for (number, low) in (16..).zip(highs) {
            if bit(number) {
                *low |= self.bytes.byte()? << 8;
            }
        }
        if bit(24) {
            weaponframe |= self.bytes.byte()? << 8;
        }
        if bit(25) {
            it.weaponalpha = self.bytes.byte()?;
        }
        let mut state = vec![(0, health), (2, weaponmodel), (4, armor), (5, weaponframe), (10, weapon)];
        state.push((3, ammo[0]));
        state.extend((6..10).zip(ammo[1..].iter().copied()));
        Ok(Msg::Client(it, state))
    }

    /// Section 7.24 of the document.
    fn effect(&mut self) -> Read<Effect> {
        let kind = self.bytes.byte()?;
        let mut it = Effect { kind, entity: 0, origin: [0.0; 3], end: [0.0; 3], color: 0, range: 0 };
        match kind {
            0..=4 | 7 | 8 | 10 | 11 => it.origin = self.coords()?,
            5 | 6 | 9 | 13 => {
                it.entity = self.bytes.short()?;
                it.origin = self.coords()?;
                it.end = self.coords()?;
            }
            12 => {
                it.origin = self.coords()?;
                it.color = self.bytes.byte()?;
                it.range = self.bytes.byte()?;
            }
            _ => return Err(Stop::Foreign),
        }
        Ok(it)
    }

    /// Section 7.36 of the document.
    fn update(&mut self, id: i32) -> Read<Update> {
        let mut mask = id as u32 & 0x7F;
        if mask & 1 != 0 {
            mask |= (self.bytes.byte()? as u32) << 8;
        }
        if !self.extended && mask & 1 << 15 != 0 {
            return Err(Stop::Foreign);
        }
        let mask = self.mask(mask)?;
        let bit = |number: u32| mask & 1 << number != 0;
        let mut it = Update { step: bit(5), ..Update::default() };
        it.entity = if bit(14) { self.bytes.short()? & 0xFFFF } else { self.bytes.byte()? };
        let byte = |bytes: &mut Bytes<'_>, there: bool| if there { bytes.byte().map(Some) } else { Ok(None) };
        it.model = byte(self.bytes, bit(10))?;
        it.frame = byte(self.bytes, bit(6))?;
        it.colormap = byte(self.bytes, bit(11))?;
        it.skin = byte(self.bytes, bit(12))?;
        it.effects = byte(self.bytes, bit(13))?;
        for (axis, origin, angle) in [(0, 1, 8), (1, 2, 4), (2, 3, 9)] {
            if bit(origin) {
                it.origin[axis] = Some(self.coord()?);
            }
            if bit(angle) {
                it.angles[axis] = Some(self.angle()?);
            }
        }
        if self.extended {
            it.alpha = byte(self.bytes, bit(16))?;
            it.scale = byte(self.bytes, bit(20))?;
            it.frame_high = byte(self.bytes, bit(17))?;
            it.model_high = byte(self.bytes, bit(18))?;
            it.lerpfinish = byte(self.bytes, bit(19))?;
        }
        Ok(it)
    }

    /// Section 7.12 of the document.
    fn serverinfo(&mut self) -> Read<Msg> {
        let protocol = self.bytes.long()?;
        if ![15, 666, 999].contains(&protocol) {
            return Err(Stop::Foreign);
        }
        let flags = if protocol == 999 { self.bytes.long()? as u32 } else { 0 };
        let maxclients = self.bytes.byte()?;
        let multi = self.bytes.byte()?;
        let title = self.bytes.string()?;
        let mut lists = [vec![Vec::new()], vec![Vec::new()]];
        for list in &mut lists {
            loop {
                let name = self.bytes.string()?;
                if name.is_empty() {
                    break;
                }
                list.push(name);
            }
        }
        let [models, sounds] = lists;
        Ok(Msg::ServerInfo { protocol, flags, maxclients, multi, title, models, sounds })
    }
}

impl Msg {
    /// The next message. `habits`: items only with their bit; the weapon byte may be missing.
    pub(crate) fn read(bytes: &mut Bytes<'_>, protocol: i32, flags: u32, habits: [bool; 2]) -> Read<Self> {
        let id = bytes.byte()?;
        let mut wire = Wire { bytes, extended: protocol == 666 || protocol == 999, flags };
        Ok(match id {
            0 | 1 | 21 | 33 => Self::Nothing,
            2 => Self::Disconnect,
            3 => Self::UpdateStat(wire.bytes.byte()?, wire.bytes.long()?),
            4 => Self::Version(wire.bytes.long()?),
            5 => Self::SetView(wire.bytes.short()?),
            6 => Self::Sound(wire.sound()?),
            7 => Self::Time(wire.bytes.float()?),
            8 => Self::Print(wire.bytes.string()?),
            9 => Self::StuffText(wire.bytes.string()?),
            10 => Self::SetAngle([wire.angle()?, wire.angle()?, wire.angle()?]),
            11 => wire.serverinfo()?,
            12 => Self::LightStyle(wire.bytes.byte()?, wire.bytes.string()?),
            13 => Self::UpdateName(wire.bytes.byte()?, wire.bytes.string()?),
            14 => Self::UpdateFrags(wire.bytes.byte()?, wire.bytes.short()?),
            15 => wire.client(habits[0], habits[1])?,
            16 => {
                wire.bytes.short()?;
                Self::Nothing
            }
            17 => Self::UpdateColors(wire.bytes.byte()?, wire.bytes.byte()?),
            18 => {
                let origin = wire.coords()?;
                let vel = [wire.bytes.char()?, wire.bytes.char()?, wire.bytes.char()?];
                Self::Particle(origin, vel, wire.bytes.byte()?, wire.bytes.byte()?)
            }
            19 => Self::Damage(wire.bytes.byte()?, wire.bytes.byte()?, wire.coords()?),
            20 => Self::Static(wire.base(0)?),
            22 => Self::Baseline(wire.bytes.short()?, wire.base(0)?),
            23 => Self::Effect(wire.effect()?),
            24 => Self::SetPause(wire.bytes.byte()?),
            25 => Self::Signon(wire.bytes.byte()?),
            26 => Self::CenterPrint(wire.bytes.string()?),
            27 => Self::Killed,
            28 => Self::Secret,
            29 | 44 => {
                if id == 44 && !wire.extended {
                    return Err(Stop::Foreign);
                }
                let origin = wire.coords()?;
                let number = if id == 44 { wire.bytes.short()? & 0xFFFF } else { wire.bytes.byte()? };
                Self::StaticSound((number, origin, wire.bytes.byte()?, wire.bytes.byte()?))
            }
            30 => Self::Ending(1, Vec::new()),
            31 => Self::Ending(2, wire.bytes.string()?),
            32 => Self::CdTrack(wire.bytes.byte()?, wire.bytes.byte()?),
            34 => Self::Ending(3, wire.bytes.string()?),
            37 if wire.extended => Self::SkyBox(wire.bytes.string()?),
            40 if wire.extended => Self::Nothing,
            41 if wire.extended => {
                let bytes = wire.bytes;
                let colors = [bytes.byte()?, bytes.byte()?, bytes.byte()?, bytes.byte()?];
                Self::Fog(colors, bytes.short()?)
            }
            42 if wire.extended => {
                let entity = wire.bytes.short()?;
                let bits = wire.bytes.byte()?;
                Self::Baseline(entity, wire.base(bits)?)
            }
            43 if wire.extended => {
                let bits = wire.bytes.byte()?;
                Self::Static(wire.base(bits)?)
            }
            52 => {
                wire.bytes.string()?;
                Self::Nothing
            }
            56 => {
                let mask = wire.bytes.byte()?;
                if mask & 16 != 0 {
                    wire.bytes.short()?
                } else {
                    wire.bytes.byte()?
                };
                Self::Nothing
            }
            128.. => Self::Update(wire.update(id)?),
            _ => return Err(Stop::Foreign),
        })
    }
}
