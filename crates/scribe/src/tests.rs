//! Sizes and bytes worked out by hand from the documents, and the counters against the container's lengths.

use crate::dem::{self, Clientdata, Items, Net, Sound, Trans, Update};
use crate::dm2::{self, Entity, Num, Player};
use crate::{End, Game, Sample, Variant, Wire, dem_messages, dm2_messages, samples};

/// Adds up the lengths of the blocks that the sample states; returns the end of the last one.
fn end_of_blocks(sample: &Sample) -> usize {
    let head = if sample.game == Game::Quake { 16 } else { 4 };
    (0..sample.blocks).fold(sample.header, |place, _| {
        let length: [u8; 4] = sample.bytes[place..place + 4].try_into().unwrap();
        place + head + (u32::from_le_bytes(length) & 0x7FFF_FFFF) as usize
    })
}

#[test]
fn lengths_lead_to_the_end() {
    for sample in samples() {
        let rest = &sample.bytes[end_of_blocks(&sample)..];
        let mark = sample.game == Game::Quake2 && rest.starts_with(&[0xFF; 4]);
        let expected = match sample.ends {
            End::Disconnect | End::Open => 0,
            End::Mark => 4,
            End::Cut(rest) => rest,
            End::Trailing(rest) => rest + if mark { 4 } else { 0 },
        };
        assert_eq!(rest.len(), expected, "{}", sample.name);
        assert!(sample.ends != End::Mark || mark, "{}", sample.name);
    }
}

#[test]
fn names_differ() {
    let mut names: Vec<_> = samples().iter().map(|sample| sample.name).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
    assert!(
        samples()
            .iter()
            .all(|sample| !sample.about.is_empty() && sample.maps.len() == sample.protocols.len())
    );
}

#[test]
fn numbers() {
    let wire = Wire::new().coord16(-1.125).angle8(-90.0).angle16(90.0).coord24(2.2).coord32i(-0.5);
    assert_eq!(wire.done(), [0xF7, 0xFF, 0xC0, 0x00, 0x40, 2, 0, 51, 0xF8, 0xFF, 0xFF, 0xFF]);
}

#[test]
fn small_dem_messages() {
    let net = &Net::netquake();
    assert_eq!(dem::sound(net, &Sound { entity: 5, channel: 2, index: 9, ..Sound::default() }).len(), 11);
    assert_eq!(dem::stopsound(5, 2), [0x10, 0x2A, 0]);
    assert_eq!(dem::particle(net, [0.0; 3], [1, 2, 3], 20, 73), [0x12, 0, 0, 0, 0, 0, 0, 1, 2, 3, 20, 73]);
    assert_eq!(dem::damage(net, 1, 2, [0.0; 3]).len(), 9);
    assert_eq!(dem::spawnbaseline(net, 1, &dem::Baseline::default()).len(), 16);
    assert_eq!(dem::spawnstaticsound(net, [0.0; 3], 1, 2, 3).len(), 10);
    assert_eq!(dem::updatecolors(1, 13, 4), [0x11, 1, 0xD4]);
}

#[test]
fn small_updates() {
    let net = &Net::netquake();
    assert_eq!(dem::updateentity(net, &Update { entity: 9, ..Update::default() }), [0x80, 9]);
    let far = Update { entity: 0x102, origin: [None, Some(1.0), None], ..Update::default() };
    assert_eq!(dem::updateentity(net, &far), [0x85, 0x40, 2, 1, 8, 0]);
    let trans = Trans { kind: 1.0, alpha: 0.5, fullbright: None };
    let seen = dem::updateentity(net, &Update { entity: 9, trans: Some(trans), ..Update::default() });
    assert_eq!(seen, [0x81, 0x80, 9, 0, 0, 0x80, 0x3F, 0, 0, 0, 0x3F]);
    let faint = dem::updateentity(&Net::fitz(), &Update { entity: 9, alpha: Some(7), ..Update::default() });
    assert_eq!(faint, [0x81, 0x80, 0x01, 9, 7]);
}

#[test]
fn small_clientdata() {
    let net = &Net::netquake();
    let bare = Clientdata { items: Items::Absent, ..Clientdata::default() };
    assert_eq!(dem::clientdata(net, &bare), [0x0F, 0, 0, 100, 0, 25, 25, 0, 0, 0, 1]);
    let unmarked = Clientdata { items: Items::Unmarked(0x1101), ..bare };
    assert_eq!(dem::clientdata(net, &unmarked).len(), 15);
    let weaponless = Clientdata { active_weapon: None, ..unmarked };
    assert_eq!(dem::clientdata(net, &weaponless).len(), 14);
}

#[test]
fn small_dm2_messages() {
    assert_eq!(dm2::inventory(&[1; 256]).len(), 513);
    assert_eq!(dm2::playerinfo(&Player::default()), [0x11, 0, 0, 0, 0, 0, 0]);
    assert_eq!(dm2::packetentities(&[]), [0x12, 0, 0]);
    assert_eq!(
        dm2::packetentities(&[Entity { number: 5, remove: true, ..Entity::default() }]),
        [0x12, 0x40, 5, 0, 0]
    );
    let skin = Entity { number: 5, skin: Num::Short(0x0201), ..Entity::default() };
    assert_eq!(dm2::spawnbaseline(&skin), [0x0E, 0x80, 0x80, 0x80, 0x02, 5, 0x01, 0x02]);
    assert_eq!(dm2::unicast(3, &dm2::print(1, "a")), [0x8A, 3, 1, b'a', 0]);
    assert_eq!(dm2::download(31, 50, Some(b"abc")), [0x10, 3, 0, 50]);
    assert_eq!(dm2::download(34, 50, Some(b"abc")).len(), 7);
    let frame = dm2::Frame { sequence: 1, delta: -1, suppressed: 0, areas: &[1] };
    assert_eq!(dm2::frame(26, &frame).len() + 1, dm2::frame(27, &frame).len());
}

#[test]
fn temporary_entities() {
    let size = |protocol, kind| dm2::temp_example(protocol, kind).unwrap().len();
    let wide = [(10, 11), (16, 16), (24, 22), (32, 42), (33, 18), (36, 10), (37, 15), (40, 19), (50, 10)];
    for (kind, expected) in [(5, 8), (0, 9), (46, 9), (3, 14), (31, 14)].into_iter().chain(wide) {
        assert_eq!(size(34, kind), expected, "kind {kind}");
    }
    assert_eq!([size(31, 26), size(31, 27), size(32, 26), size(32, 27)], [14, 9, 9, 14]);
    assert!((0..=55).all(|kind| dm2::temp_example(34, kind).is_some()));
    let net = &Net::netquake();
    assert_eq!(dem::temp_example(net, 12).unwrap().len(), 10);
    assert_eq!(dem::temp_example(net, 13).unwrap().len(), 16);
}

#[test]
fn every_id_has_an_example() {
    let dem: Vec<u8> = dem_messages(Variant::NetQuake).iter().map(|(_, bytes)| bytes[0]).collect();
    assert!((0..=0x22).chain([0x80]).all(|id| dem.contains(&id)));
    let dm2: Vec<u8> = dm2_messages(34).iter().map(|(_, bytes)| bytes[0]).collect();
    assert!((0..=0x14).all(|id| dm2.contains(&id)));
}

#[test]
fn floats_keep_their_bits() {
    let sample = samples().into_iter().find(|sample| sample.name == "dem-strange-floats").unwrap();
    for bits in [0x7FC0_0001u32, 0x7F80_0001, 0x8000_0000, 0x0000_0001, 0xFFFF_FFFF] {
        let found = sample.bytes.windows(4).filter(|window| *window == bits.to_le_bytes()).count();
        assert!(found >= 2, "{bits:08x}: once in a camera, once in a time");
    }
}

#[test]
fn headers_have_the_claimed_length() {
    let header = |name: &str| {
        let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
        sample.bytes[..sample.header + 4].to_vec()
    };
    assert_eq!(header("dem-header-blank-behind"), b"-1 L\0\0\0");
    assert_eq!(header("dem-header-blank-length"), b"-1\n\n\0\0\0");
    assert_eq!(header("dem-header-none"), [200, 0, 0, 0]);
    let blank = |byte: u8| byte.is_ascii_whitespace() || byte == 0x0B;
    for sample in samples().iter().filter(|sample| sample.game == Game::Quake) {
        let first = sample.bytes[sample.header];
        assert!(
            !blank(first) && !first.is_ascii_digit() || sample.name == "dem-header-blank-length",
            "{}",
            sample.name
        );
    }
}

#[test]
fn server_recordings_begin_big() {
    let sample = samples().into_iter().find(|sample| sample.name == "dm2-34-server").unwrap();
    let length: [u8; 4] = sample.bytes[..4].try_into().unwrap();
    assert!(i32::from_le_bytes(length) > 8000);
    assert_eq!((sample.ends, sample.blocks), (End::Open, 21));
}

#[test]
#[ignore = "prints a table for people"]
fn table() {
    for sample in samples() {
        let Sample { name, blocks, messages, raw_blocks, protocol, header, ends, maps, .. } = &sample;
        println!(
            "{name:28} {:7} {blocks:4} {messages:5} {raw_blocks:3} {protocol:5} {header} {ends:?} {maps:?}",
            sample.bytes.len()
        );
    }
}
