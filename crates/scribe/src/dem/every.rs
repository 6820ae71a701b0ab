//! One example of every message of a protocol.

use super::{
    B_LARGE_FRAME, B_LARGE_MODEL, Baseline, Baseline2, Clientdata, High, Index, Items, Net, SND_LARGEENTITY,
    SND_LARGESOUND, Sound, Trans, U_EXTEND1, U_EXTEND2, U_STEP, Update,
};
use super::{clientdata, fitz, message, nehahra, sound, spawnbaseline, spawnstatic, updateentity};
use crate::Message;

/// The families of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// Protocol 15.
    NetQuake,
    /// Protocol 15 or 250 with Nehahra's messages.
    Nehahra,
    /// Protocol 666.
    Fitz,
    /// Protocol 668.
    FitzPlus,
    /// Protocol 999 with these flags.
    Rmq(u32),
    /// Protocol 10000.
    Bjp,
    /// Protocol 10001.
    Bjp2,
    /// Protocol 10002 with this index in static sounds.
    Bjp3(Index),
}

impl Variant {
    /// The widths of this family.
    pub const fn net(self) -> Net {
        match self {
            Self::NetQuake | Self::Nehahra => Net::netquake(),
            Self::Fitz => Net::fitz(),
            Self::FitzPlus => Net::fitz_plus(),
            Self::Rmq(flags) => Net::rmq(flags),
            Self::Bjp => Net::bjp(),
            Self::Bjp2 => Net::bjp2(),
            Self::Bjp3(index) => Net::bjp3(index),
        }
    }
}

type Named = (&'static str, Message);

/// Every message, under its keyword (messages that the keyword list lacks: under the fact sheet's name).
/// Messages with masks come several times, bare and full; `temp_entity` comes once per kind. The obsolete ids
/// 0x00 and 0x15, which engines refuse, are included because they have keywords.
pub fn dem_messages(variant: Variant) -> Vec<Named> {
    let net = &variant.net();
    let mut messages = simple(net);
    messages.extend(masked(net));
    let kinds: std::ops::RangeInclusive<u8> = if variant == Variant::Nehahra { 0..=17 } else { 0..=13 };
    messages.extend(
        kinds.filter_map(|kind| super::temp_example(net, kind)).map(|example| ("temp_entity", example)),
    );
    if variant == Variant::Nehahra {
        messages.extend(nehahra_only(net));
    }
    if net.extended() {
        messages.extend(extended_only(net));
    }
    messages
}

/// The baseline used in examples.
fn base() -> Baseline {
    Baseline {
        model: 3,
        frame: 1,
        colormap: 2,
        skin: 3,
        origin: [1.0, -2.5, 3.125],
        angles: [14.0625, -90.0, 1.406_25],
    }
}

fn simple(net: &Net) -> Vec<Named> {
    let place = [688.0, 192.0, -80.125];
    vec![
        ("bad", message::bad()),
        ("nop", message::nop()),
        ("disconnect", message::disconnect()),
        ("updatestat", message::updatestat(7, -5)),
        ("version", message::version(net.protocol)),
        ("setview", message::setview(1)),
        ("time", message::time(12.345_678)),
        ("print", message::print("\x02\nVERSION 1.09 SERVER (5336 CRC)")),
        ("stufftext", message::stufftext("bf\n")),
        ("setangle", message::setangle(net, [90.0, -90.0, 1.406_25])),
        (
            "serverinfo",
            message::serverinfo(net, 4, 1, "the Slipgate Complex", &["maps/e1m1.bsp", "*1"], &["a.wav"]),
        ),
        ("serverinfo", message::serverinfo::<&str>(net, 1, 0, "", &[], &[])),
        ("lightstyle", message::lightstyle(3, "mmnmm")),
        ("updatename", message::updatename(2, b"pl\xE1yer")),
        ("updatefrags", message::updatefrags(2, -3)),
        ("stopsound", super::stopsound(5, 2)),
        ("updatecolors", message::updatecolors(1, 13, 4)),
        ("particle", message::particle(net, place, [16, -16, 3], 20, 73)),
        ("damage", message::damage(net, 5, 10, place)),
        ("spawnstatic", spawnstatic(net, &base())),
        ("spawnbinary", message::spawnbinary()),
        ("spawnbaseline", spawnbaseline(net, 77, &base())),
        ("setpause", message::setpause(1)),
        ("signonnum", message::signonnum(1)),
        ("centerprint", message::centerprint("x\ny")),
        ("killedmonster", message::killedmonster()),
        ("foundsecret", message::foundsecret()),
        ("spawnstaticsound", super::spawnstaticsound(net, place, 64, 127, 192)),
        ("intermission", message::intermission()),
        ("finale", message::finale("Congratulations")),
        ("cdtrack", message::cdtrack(6, 7)),
        ("sellscreen", message::sellscreen()),
        ("cutscene", message::cutscene("Meanwhile")),
    ]
}

/// A clientdata with all fields of protocol 15.
pub(super) fn full_clientdata() -> Clientdata {
    Clientdata {
        view_height: Some(-8),
        ideal_pitch: Some(5),
        punch: [Some(-1), Some(2), Some(-3)],
        velocity: [Some(127), Some(-128), Some(0)],
        items: Items::Marked(-1),
        weapon_frame: Some(3),
        armor: Some(200),
        weapon: Some(19),
        health: -40,
        ammo: 100,
        stock: [100, 200, 99, 255],
        active_weapon: Some(32),
        bits: 0x0D00,
        ..Clientdata::default()
    }
}

/// An update with all fields of protocol 15.
pub(super) fn full_update() -> Update {
    Update {
        entity: 300,
        model: Some(3),
        frame: Some(7),
        colormap: Some(1),
        skin: Some(2),
        effects: Some(5),
        origin: [Some(1.0), Some(-2.5), Some(4095.875)],
        angles: [Some(1.406_25), Some(-90.0), Some(180.0)],
        bits: U_STEP,
        ..Update::default()
    }
}

fn masked(net: &Net) -> Vec<Named> {
    let noise = Sound { entity: 600, channel: 1, index: 1, origin: [1.0, -2.5, 3.125], ..Sound::default() };
    vec![
        ("sound", sound(net, &noise)),
        ("sound", sound(net, &Sound { volume: Some(128), ..noise })),
        ("sound", sound(net, &Sound { attenuation: Some(192), ..noise })),
        ("sound", sound(net, &Sound { volume: Some(255), attenuation: Some(64), ..noise })),
        ("clientdata", clientdata(net, &Clientdata::default())),
        ("clientdata", clientdata(net, &full_clientdata())),
        ("updateentity", updateentity(net, &Update { entity: 7, ..Update::default() })),
        (
            "updateentity",
            updateentity(net, &Update { entity: 7, origin: [None, Some(8.0), None], ..Update::default() }),
        ),
        ("updateentity", updateentity(net, &full_update())),
    ]
}

fn nehahra_only(net: &Net) -> Vec<Named> {
    let faint = Trans { kind: 1.0, alpha: 0.5, fullbright: None };
    let bright = Trans { kind: 2.0, alpha: 0.25, fullbright: Some(1.0) };
    vec![
        ("updateentity", updateentity(net, &Update { trans: Some(faint), ..full_update() })),
        ("updateentity", updateentity(net, &Update { entity: 9, trans: Some(bright), ..Update::default() })),
        ("showlmp", nehahra::showlmp("title", "gfx/title.lmp", 10, 200)),
        ("hidelmp", nehahra::hidelmp("title")),
        ("skybox", fitz::skybox("unit1_")),
        ("fog", nehahra::nehahra_fog(Some((0.05, [10, 20, 30])))),
        ("fog", nehahra::nehahra_fog(None)),
    ]
}

/// The nine fields that protocol 666 adds to clientdata.
pub(super) fn full_high() -> High {
    High {
        weapon: Some(1),
        armor: Some(2),
        ammo: Some(3),
        shells: Some(4),
        nails: Some(5),
        rockets: Some(6),
        cells: Some(7),
        weapon_frame: Some(8),
        weapon_alpha: Some(128),
    }
}

/// An update with all fields of protocol 666.
pub(super) fn wide_update() -> Update {
    Update {
        alpha: Some(128),
        scale: Some(24),
        frame2: Some(1),
        model2: Some(2),
        lerpfinish: Some(51),
        ..full_update()
    }
}

fn extended_only(net: &Net) -> Vec<Named> {
    let noise = Sound { entity: 600, channel: 1, index: 1, origin: [1.0, -2.5, 3.125], ..Sound::default() };
    let wide = Baseline2 {
        model: 300,
        frame: 258,
        origin: [8.0, 16.0, -24.5],
        angles: [0.0, 90.0, 0.0],
        alpha: Some(77),
        ..Baseline2::default()
    };
    let narrow = Baseline2 { model: 3, frame: 1, alpha: None, ..wide };
    let needless = Baseline2 { bits: B_LARGE_MODEL | B_LARGE_FRAME, scale: Some(16), ..narrow };
    vec![
        ("sound", sound(net, &Sound { entity: 9000, channel: 9, ..noise })),
        ("sound", sound(net, &Sound { index: 700, volume: Some(1), ..noise })),
        (
            "sound",
            sound(net, &Sound { bits: SND_LARGEENTITY | SND_LARGESOUND, attenuation: Some(0), ..noise }),
        ),
        ("clientdata", clientdata(net, &Clientdata { high: full_high(), ..full_clientdata() })),
        ("clientdata", clientdata(net, &Clientdata { bits: 1 << 15 | 1 << 23, ..Clientdata::default() })),
        ("updateentity", updateentity(net, &wide_update())),
        ("updateentity", updateentity(net, &Update { alpha: Some(1), entity: 3, ..Update::default() })),
        ("updateentity", updateentity(net, &Update { bits: U_EXTEND1 | U_EXTEND2, ..full_update() })),
        ("skybox", fitz::skybox("unit1_")),
        ("bf", fitz::bf()),
        ("fog", fitz::fog(13, [77, 88, 99], 150)),
        ("spawnbaseline2", fitz::spawnbaseline2(net, 600, &wide)),
        ("spawnbaseline2", fitz::spawnbaseline2(net, 6, &needless)),
        ("spawnstatic2", fitz::spawnstatic2(net, &wide)),
        ("spawnstatic2", fitz::spawnstatic2(net, &narrow)),
        ("spawnstaticsound2", fitz::spawnstaticsound2(net, [1.0, 2.0, 3.0], 600, 255, 192)),
    ]
}
