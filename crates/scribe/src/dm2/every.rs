//! One example of every message of a protocol.

use super::{
    E_MOREBITS1, E_MOREBITS2, E_MOREBITS3, E_NUMBER16, E_UNUSED, Entity, Frame, Gun, Num, Player,
    RECORD_CLIENT, Serverdata, Sound, message, packetentities, packetentities_until, playerinfo,
    spawnbaseline, temp_example,
};
use crate::Message;

type Named = (&'static str, Message);

/// Every message under its keyword; the monsters' flash has the keyword list's spelling. Messages with masks
/// come several times, bare and full; `temp_entity` comes once per kind. `frame`, `playerinfo` and
/// `packetentities` are separate, each with its id, and the frame is in the client's form. Engines refuse two
/// of them: `bad`, and `deltapacketentities`, which consists of its id.
pub fn dm2_messages(protocol: i32) -> Vec<Named> {
    let mut messages = simple(protocol);
    messages.extend(sounds());
    messages.extend(full_entities().into_iter().map(|entity| ("spawnbaseline", spawnbaseline(&entity))));
    messages.extend([
        ("playerinfo", playerinfo(&Player::default())),
        ("playerinfo", playerinfo(&full_player())),
        ("playerinfo", playerinfo(&Player { bits: 0x8000, ..Player::default() })),
        ("packetentities", packetentities(&[])),
        ("packetentities", packetentities(&full_entities())),
        ("packetentities", packetentities(&removed_entities())),
        ("packetentities", packetentities_until(&[], E_NUMBER16)),
        ("packetentities", packetentities_until(&[], E_MOREBITS1 | E_MOREBITS2 | E_MOREBITS3)),
    ]);
    messages.extend(
        (0..=55).filter_map(|kind| temp_example(protocol, kind)).map(|example| ("temp_entity", example)),
    );
    messages.push(("temp_entity", super::temp_steam(&super::temp::steam(-1))));
    messages
}

fn simple(protocol: i32) -> Vec<Named> {
    let announced = Serverdata {
        protocol,
        key: 0x1234,
        isdemo: RECORD_CLIENT,
        game: "ctf",
        client: -1,
        title: "Outer Base",
    };
    vec![
        ("bad", message::bad()),
        ("muzzleflash", message::muzzleflash(5, 131)),
        ("muzzlflash2", message::muzzleflash2(600, 40)),
        ("layout", message::layout("xv 32 \"hi\"")),
        ("inventory", message::inventory(&super::play::stock())),
        ("nop", message::nop()),
        ("disconnect", message::disconnect()),
        ("reconnect", message::reconnect()),
        ("print", message::print(2, "hello\n")),
        ("stufftext", message::stufftext("precache\n")),
        ("serverdata", message::serverdata(&announced)),
        ("configstring", message::configstring(33, "maps/base1.bsp")),
        ("configstring", message::configstring(-1, "")),
        ("centerprint", message::centerprint("one\ntwo")),
        ("download", message::download(protocol, 0, None)),
        ("download", message::download(protocol, 50, Some(b"abc"))),
        ("download", message::download(protocol, 100, Some(b""))),
        ("deltapacketentities", message::deltapacketentities()),
        (
            "frame",
            message::frame(
                protocol,
                &Frame { sequence: 100, delta: 99, suppressed: 3, areas: &[0xFF, 0x0F] },
            ),
        ),
        ("frame", message::frame(protocol, &Frame { sequence: 1, delta: -1, suppressed: 0, areas: &[] })),
    ]
}

fn sounds() -> Vec<Named> {
    let bare = Sound { index: 1, ..Sound::default() };
    let full = Sound {
        volume: Some(128),
        attenuation: Some(64),
        offset: Some(50),
        source: Some((1023, 7)),
        origin: Some([1.0, -2.5, 3.125]),
        bits: 0xE0,
        ..bare
    };
    let single = [
        Sound { volume: Some(255), ..bare },
        Sound { attenuation: Some(64), ..bare },
        Sound { offset: Some(0), ..bare },
        Sound { source: Some((5, 2)), ..bare },
        Sound { origin: Some([0.0; 3]), ..bare },
    ];
    [bare, full].iter().chain(&single).map(|data| ("sound", message::sound(data))).collect()
}

/// A player with every field and every stat.
pub(super) fn full_player() -> Player {
    Player {
        pm_type: Some(1),
        origin: Some([128.0, -64.125, 24.0]),
        velocity: Some([300.0, -0.125, 4095.875]),
        pm_time: Some(7),
        pm_flags: Some(8),
        gravity: Some(-800),
        delta_angles: Some([0.0, -90.0, 179.0]),
        view_offset: Some([0, -1, 88]),
        view_angles: Some([-2.0, 90.0, 45.0]),
        kick_angles: Some([-4, 1, 127]),
        gun_index: Some(5),
        gun: Some(Gun { frame: 9, offset: [1, -1, -4], angles: [127, -128, 3] }),
        blend: Some([255, 128, 1, 76]),
        fov: Some(90),
        rdflags: Some(1),
        stats: (0..32).map(|stat| (stat, i16::from(stat) * -7)).collect(),
        bits: 0x8000,
    }
}

/// Records that together use every field in every width.
pub(super) fn full_entities() -> Vec<Entity> {
    let small = Entity { number: 9, ..Entity::default() };
    let full = Entity {
        number: 700,
        models: [Some(1), Some(2), Some(3), Some(255)],
        frame8: Some(3),
        frame16: Some(-2),
        skin: Num::Long(0xFFEE_DDCC),
        effects: Num::Long(0x8000_0001),
        renderfx: Num::Long(0x0001_0000),
        origin: [Some(1.0), Some(-2.5), Some(4095.875)],
        angles: [Some(1.406_25), Some(-90.0), Some(180.0)],
        old_origin: Some([0.0, 0.125, -0.125]),
        sound: Some(7),
        event: Some(7),
        solid: Some(-1),
        ..small
    };
    vec![
        small,
        full,
        Entity { number: 10, bits: E_NUMBER16, ..small },
        Entity { number: 11, bits: E_MOREBITS1, ..small },
        Entity { number: 12, bits: E_MOREBITS1 | E_MOREBITS2 | E_MOREBITS3, ..full },
        Entity { number: 13, bits: E_UNUSED, ..small },
        Entity { number: 14, frame8: Some(255), ..small },
        Entity { number: 15, frame16: Some(7), ..small },
        Entity { number: 16, frame8: Some(1), frame16: Some(300), ..small },
        Entity {
            number: 17,
            skin: Num::Byte(200),
            effects: Num::Byte(255),
            renderfx: Num::Byte(128),
            ..small
        },
        Entity { number: 18, skin: Num::Short(0x0301), effects: Num::Short(0x7FFF), ..small },
        Entity { number: 19, skin: Num::Short(0xFFFF), effects: Num::Short(0x8000), ..small },
        Entity { number: 20, renderfx: Num::Short(0xFFFF), skin: Num::Short(3), ..small },
        Entity { number: 21, skin: Num::Long(1), effects: Num::Long(1), renderfx: Num::Long(1), ..small },
        Entity { number: 22, event: Some(0), sound: Some(0), solid: Some(0), ..small },
        Entity { number: 1023, old_origin: Some([8.0, 16.0, 24.0]), ..small },
    ]
}

/// Records that remove entities.
fn removed_entities() -> [Entity; 3] {
    let gone = Entity { number: 5, remove: true, ..Entity::default() };
    [gone, Entity { number: 500, ..gone }, Entity { number: 6, bits: E_MOREBITS1 | E_NUMBER16, ..gone }]
}
