//! Quake II's messages, section by section of the DM2 document 1.0.4, corrected by its errata.

use super::bytes::Bytes;
use super::{Read, Stop};

/// The fields of an entity that a delta contains (3.15).
#[derive(Clone, Debug, Default)]
pub(crate) struct Delta {
    pub entity: i32,
    pub remove: bool,
    /// The fields present, by the names of the document.
    pub fields: Vec<(&'static str, i64)>,
}

/// The fields of a player's state that a message contains (3.18).
#[derive(Clone, Debug, Default)]
pub(crate) struct Info {
    pub fields: Vec<(&'static str, usize, i64)>,
}

/// frame (3.21).
#[derive(Clone, Debug, Default)]
pub(crate) struct Head {
    pub form: Form,
    pub seq1: i32,
    pub seq2: i32,
    pub areas: Vec<u8>,
    pub connected: Vec<u8>,
}

/// The recorder of the demo, which decides the form of a frame's head (3.13, 3.21).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Form {
    #[default]
    Client,
    Server,
    Relay,
}

/// sound (3.10).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sound {
    pub soundnum: i32,
    pub vol: i32,
    pub attenuation: i32,
    pub timeofs: i32,
    pub entity_channel: Option<i32>,
    pub origin: Option<[i32; 3]>,
}

/// A message.
#[derive(Clone, Debug)]
pub(crate) enum Msg {
    Nothing,
    Flash(bool, i32, i32),
    Effect(i32, Option<[i32; 3]>),
    Layout(Vec<u8>),
    Inventory(Vec<i32>),
    Disconnect,
    Sound(Sound),
    Print(i32, Vec<u8>),
    StuffText(Vec<u8>),
    ServerData { protocol: i32, key: i32, isdemo: i32, game: Vec<u8>, client: i32, title: Vec<u8> },
    ConfigString(i32, Vec<u8>),
    Baseline(Delta),
    CenterPrint(Vec<u8>),
    Info(Info),
    Entities(Vec<Delta>),
    Frame(Head),
}

fn position(bytes: &mut Bytes<'_>) -> Read<[i32; 3]> {
    Ok([bytes.short()?, bytes.short()?, bytes.short()?])
}

/// Section 3.4, with errata 1 to 6; the first position of each kind is given.
fn effect(bytes: &mut Bytes<'_>, protocol: i32) -> Read<Msg> {
    let kind = bytes.byte()?;
    let plan = match kind {
        5..=8 | 17 | 18 | 20..=22 | 28 | 35 | 45 | 47..=49 | 51..=54 => "p",
        0..=2 | 4 | 9 | 12..=14 | 30 | 42..=44 | 46 | 55 => "pd",
        26 => {
            if protocol >= 32 {
                "pd"
            } else {
                "pp"
            }
        }
        27 => {
            if protocol >= 32 {
                "pp"
            } else {
                "pd"
            }
        }
        3 | 11 | 23 | 34 | 41 => "pp",
        10 | 15 | 25 | 29 => "bpdb",
        16 | 19 | 38 | 39 => "spp",
        24 => "sppp",
        33 => "sspp",
        36 => "ps",
        37 => "ppb",
        50 => "sp",
        40 => "steam",
        _ => return Err(Stop::Foreign),
    };
    if plan == "steam" {
        let id = bytes.short()?;
        bytes.byte()?;
        let origin = position(bytes)?;
        bytes.byte()?;
        bytes.byte()?;
        bytes.short()?;
        if id != -1 {
            bytes.long()?;
        }
        return Ok(Msg::Effect(kind, Some(origin)));
    }
    let mut origin = None;
    for step in plan.chars() {
        match step {
            'p' => {
                let found = position(bytes)?;
                origin = origin.or(Some(found));
            }
            's' => drop(bytes.short()?),
            _ => drop(bytes.byte()?),
        }
    }
    // The first position of a lightning is the other end's (errata 5).
    Ok(Msg::Effect(kind, origin.filter(|_| kind != 33)))
}

/// A number of 8, 16 or 32 bits; two bits of the mask select the width.
fn sized(bytes: &mut Bytes<'_>, small: bool, large: bool) -> Read<Option<i64>> {
    Ok(match (small, large) {
        (true, true) => Some(i64::from(bytes.long()? as u32)),
        (true, false) => Some(i64::from(bytes.byte()?)),
        (false, true) => Some(i64::from(bytes.short()? & 0xFFFF)),
        (false, false) => None,
    })
}

/// Sections 3.15 and 3.19; in a list a removed entity and the number 0 have no fields (errata 8, 9).
fn delta(bytes: &mut Bytes<'_>, listed: bool) -> Read<Delta> {
    let mut mask = bytes.byte()? as u32;
    for (more, shift) in [(7, 8), (15, 16), (23, 24)] {
        if mask & 1 << more == 0 {
            break;
        }
        mask |= (bytes.byte()? as u32) << shift;
    }
    let bit = |number: u32| mask & 1 << number != 0;
    let entity = if bit(8) { bytes.short()? & 0xFFFF } else { bytes.byte()? };
    let mut it = Delta { entity, remove: bit(6), fields: Vec::new() };
    if listed && (it.remove || entity == 0) {
        return Ok(it);
    }
    for (number, name) in [(11, "modelindex"), (20, "modelindex2"), (21, "modelindex3"), (22, "modelindex4")]
    {
        if bit(number) {
            it.fields.push((name, i64::from(bytes.byte()?)));
        }
    }
    if bit(4) {
        it.fields.push(("frame", i64::from(bytes.byte()?)));
    }
    if bit(17) {
        it.fields.push(("frame", i64::from(bytes.short()?)));
    }
    for (name, small, large) in [("skin", 16, 25), ("effects", 14, 19), ("renderfx", 12, 18)] {
        if let Some(value) = sized(bytes, bit(small), bit(large))? {
            it.fields.push((name, value));
        }
    }
    for (number, name) in [(0, "x"), (1, "y"), (9, "z")] {
        if bit(number) {
            it.fields.push((name, i64::from(bytes.short()?)));
        }
    }
    for (number, name) in [(10, "pitch"), (2, "yaw"), (3, "roll")] {
        if bit(number) {
            it.fields.push((name, i64::from(bytes.char()?)));
        }
    }
    if bit(24) {
        for name in ["old_x", "old_y", "old_z"] {
            it.fields.push((name, i64::from(bytes.short()?)));
        }
    }
    if bit(26) {
        it.fields.push(("sound", i64::from(bytes.byte()?)));
    }
    if bit(5) {
        it.fields.push(("event", i64::from(bytes.byte()?)));
    }
    if bit(27) {
        it.fields.push(("solid", i64::from(bytes.short()?)));
    }
    Ok(it)
}

/// Some values of one kind: their name, their number, and their encoding.
type Part = (&'static str, usize, char);

/// Section 3.18 of the document.
fn info(bytes: &mut Bytes<'_>) -> Read<Info> {
    let mask = bytes.short()?;
    let mut it = Info::default();
    let plan: [(i32, &[Part]); 15] = [
        (0x0001, &[("pm_type", 1, 'b')]),
        (0x0002, &[("origin", 3, 's')]),
        (0x0004, &[("velocity", 3, 's')]),
        (0x0008, &[("teleport_time", 1, 'b')]),
        (0x0010, &[("pm_flags", 1, 'b')]),
        (0x0020, &[("gravity", 1, 's')]),
        (0x0040, &[("delta_angles", 3, 's')]),
        (0x0080, &[("viewoffset", 3, 'c')]),
        (0x0100, &[("viewangles", 3, 's')]),
        (0x0200, &[("kick_angles", 3, 'c')]),
        (0x1000, &[("gunindex", 1, 'b')]),
        (0x2000, &[("gunframe", 1, 'b'), ("gunoffset", 3, 'c'), ("gunangles", 3, 'c')]),
        (0x0400, &[("blend", 4, 'b')]),
        (0x0800, &[("fov", 1, 'b')]),
        (0x4000, &[("rdflags", 1, 'b')]),
    ];
    for (bit, parts) in plan {
        for (name, count, kind) in parts.iter().filter(|_| mask & bit != 0) {
            for at in 0..*count {
                let value = match kind {
                    's' => bytes.short()?,
                    'c' => bytes.char()?,
                    _ => bytes.byte()?,
                };
                it.fields.push((name, at, i64::from(value)));
            }
        }
    }
    let mask2 = bytes.long()? as u32;
    for at in 0..32 {
        if mask2 & 1 << at != 0 {
            it.fields.push(("stats", at, i64::from(bytes.short()?)));
        }
    }
    Ok(it)
}

/// Section 3.10 of the document.
fn sound(bytes: &mut Bytes<'_>) -> Read<Sound> {
    let mask = bytes.byte()?;
    Ok(Sound {
        soundnum: bytes.byte()?,
        vol: if mask & 0x01 != 0 { bytes.byte()? } else { 255 },
        attenuation: if mask & 0x02 != 0 { bytes.byte()? } else { 64 },
        timeofs: if mask & 0x10 != 0 { bytes.byte()? } else { 0 },
        entity_channel: if mask & 0x08 != 0 { Some(bytes.short()? & 0xFFFF) } else { None },
        origin: if mask & 0x04 != 0 { Some(position(bytes)?) } else { None },
    })
}

/// Section 3.21 of the document.
fn head(bytes: &mut Bytes<'_>, protocol: i32, form: Form) -> Read<Head> {
    let mut it = Head { form, seq1: bytes.long()?, ..Head::default() };
    if form != Form::Server {
        it.seq2 = bytes.long()?;
        if protocol != 26 {
            bytes.byte()?;
        }
        let count = bytes.byte()?;
        it.areas = bytes.take(count as usize)?.to_vec();
    }
    if form == Form::Relay {
        let count = bytes.byte()?;
        it.connected = bytes.take(count as usize)?.to_vec();
    }
    Ok(it)
}

impl Msg {
    /// The rest of a message of this id.
    pub(crate) fn read(bytes: &mut Bytes<'_>, id: i32, protocol: i32, isdemo: i32) -> Read<Self> {
        Ok(match id {
            0 | 6 | 8 => Self::Nothing,
            id @ (1 | 2) => Self::Flash(id == 2, bytes.short()?, bytes.byte()?),
            3 => effect(bytes, protocol)?,
            4 => Self::Layout(bytes.string()?),
            5 => Self::Inventory((0..256).map(|_| bytes.short()).collect::<Read<_>>()?),
            7 => Self::Disconnect,
            9 => Self::Sound(sound(bytes)?),
            10 => Self::Print(bytes.byte()?, bytes.string()?),
            11 => Self::StuffText(bytes.string()?),
            12 => {
                let protocol = bytes.long()?;
                if !(26..=34).contains(&protocol) {
                    return Err(Stop::Foreign);
                }
                Self::ServerData {
                    protocol,
                    key: bytes.long()?,
                    isdemo: bytes.byte()?,
                    game: bytes.string()?,
                    client: bytes.short()?,
                    title: bytes.string()?,
                }
            }
            13 => Self::ConfigString(bytes.short()?, bytes.string()?),
            14 => Self::Baseline(delta(bytes, false)?),
            15 => Self::CenterPrint(bytes.string()?),
            16 => {
                let size = bytes.short()?;
                bytes.byte()?;
                if protocol >= 32 {
                    bytes.take(size.max(0) as usize)?;
                }
                Self::Nothing
            }
            17 => Self::Info(info(bytes)?),
            18 => {
                let mut all = Vec::new();
                loop {
                    let one = delta(bytes, true)?;
                    if one.entity == 0 {
                        break Self::Entities(all);
                    }
                    all.push(one);
                }
            }
            20 if isdemo == 0x80 => Self::Frame(head(bytes, protocol, Form::Relay)?),
            20 => {
                // Errata 22: the byte in serverdata is unreliable; the bytes after the head decide.
                let form = |form: Form, next: u8| {
                    let mut ahead = bytes.clone();
                    head(&mut ahead, protocol, form).is_ok() && ahead.peek() == Some(next)
                };
                let client = form(Form::Client, 17) && (isdemo != 2 || !form(Form::Server, 18));
                Self::Frame(head(bytes, protocol, if client { Form::Client } else { Form::Server })?)
            }
            _ => return Err(Stop::Foreign),
        })
    }
}
