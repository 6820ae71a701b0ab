//! Traps 34 to 44: messages of Quake II.

use crate::common::{exactly, quake2_of, read};
use moviola_format::*;

const SERVERDATA: u8 = dm2::ServerData::OP;
const FRAME: u8 = dm2::FrameMessage::OP;
const PLAYER: [u8; 7] = [dm2::PlayerInfo::OP, 0, 0, 0, 0, 0, 0];
const NO_ENTITIES: [u8; 3] = [dm2::PacketEntities::OP, 0, 0];

fn of_34(block: &[u8]) -> Vec<dm2::Message<'_>> {
    exactly::<Quake2>(block, quake2_of(34, 1))
}

/// A list of entities from these records.
fn entities(records: &[u8]) -> Vec<u8> {
    [&[dm2::PacketEntities::OP], records, &[0, 0]].concat()
}

/// The entities of a list that is read to its end.
fn listed(block: &[u8]) -> Vec<dm2::SpawnBaseline> {
    let [dm2::Message::PacketEntities(it)] = of_34(block)[..] else { panic!("{block:x?}") };
    it.entities.iter().collect()
}

/// A flag word of four bytes, with the bits that announce more bytes.
fn four(bits: u32) -> [u8; 4] {
    (bits | 0x0080_8080).to_le_bytes()
}

#[test]
fn trap_34_entities_say_things_in_several_ways() {
    // The entity's frame is sent in both forms; the second one counts.
    let both = entities(&[&four(1 << 4 | 1 << 17)[..], &[5, 3, 7, 1]].concat());
    let [entity] = listed(&both)[..] else { panic!() };
    assert_eq!(entity.frame.value(), 0x107);
    // Skin, effects and renderfx in 32 bits although 8 would suffice.
    for (bits, wide) in [(1 << 16 | 1 << 25, 4), (1 << 25, 2), (1 << 16, 1)] {
        let skin = entities(&[&four(bits)[..], &[5], &[7, 0, 0, 0][..wide]].concat());
        assert_eq!(listed(&skin)[0].skin.0, 7);
    }
    for bits in [1 << 14 | 1 << 19, 1 << 12 | 1 << 18] {
        let word = entities(&[&four(bits)[..], &[5], &[7, 0, 0, 0]].concat());
        assert_eq!(listed(&word)[0].effects.0 + listed(&word)[0].renderfx.0, 7);
    }
    // A number of 16 bits below 256, needless bytes of flags, bits without a meaning, an event of zero.
    let odd: [&[u8]; 5] = [
        &[0x80, 1, 5, 0],
        &[0x80, 0, 5],
        &[0x80, 0x80, 0x80, 0, 5],
        &[0x80, 0xA0, 0x80, 0xF0, 5],
        &[0x20, 5, 0],
    ];
    for record in odd {
        assert_eq!(listed(&entities(record)).len(), 1, "{record:x?}");
        assert_eq!(listed(&entities(record))[0].entity.0, 5);
    }
    // Removal ends a record in a list, whatever its other flags are; in a baseline it does not.
    let removed = listed(&entities(&[0x40 | 0x01 | 0x04, 5, 0x02, 6, 9, 9]));
    let numbers: Vec<_> = removed.iter().map(|it| (it.entity.0, it.origin_y.0)).collect();
    assert_eq!(numbers, [(5, 0), (6, 0x0909)]);
    let [dm2::Message::SpawnBaseline(it)] = of_34(&[14, 0x41, 5, 8, 0])[..] else { panic!() };
    assert_eq!(it.origin_x.0, 8);
    // A list may end in other ways than two zeros.
    for end in [&[0x01, 0][..], &[0x80, 0x01, 0, 0], &[0x40, 0], &[0x80, 0x80, 0x80, 0x08, 0]] {
        let list = [&[18, 0x02, 6, 9, 9], end].concat();
        assert_eq!(listed(&list).len(), 1, "{end:x?}");
    }
}

#[test]
fn trap_35_players_states_may_repeat_unchanged_values() {
    // Bit 15, the weapon, and a status bar without a change.
    let state = [&[17, 0, 0x80 | 0x10, 7][..], &[0; 4]].concat();
    let [dm2::Message::PlayerInfo(it)] = of_34(&state)[..] else { panic!() };
    assert_eq!((it.flags.0, it.gunindex, it.stats.is_empty()), (0x9000, 7, true));
    let changes = [&[17, 0, 0][..], &[5, 0, 0, 0x80], &[1, 0, 1, 0, 0xFF, 0xFF]].concat();
    let [dm2::Message::PlayerInfo(it)] = of_34(&changes)[..] else { panic!() };
    assert_eq!(it.stats.iter().collect::<Vec<_>>(), [(0, 1), (2, 1), (31, -1)]);
}

#[test]
fn trap_36_sounds_say_their_defaults() {
    let sound = [&[9, 0x57 | 0xA0, 3, 255, 64, 0][..], &[1, 0, 2, 0, 3, 0]].concat();
    let [dm2::Message::Sound(it)] = of_34(&sound)[..] else { panic!() };
    assert_eq!((it.flags.0, it.vol.0, it.attenuation.0, it.timeofs.0), (0xF7, 255, 64, 0));
}

#[test]
fn trap_37_config_strings_overlap_and_repeat() {
    let long = [&[13, 5, 0][..], &[b'x'; 300], &[0]].concat();
    let tail = [&[13, 6, 0][..], &[b'x'; 236], &[0]].concat();
    let block = [
        long.clone(),
        tail,
        long,
        b"\x0d\xff\xff\0".to_vec(),
        b"\x0d\x20\x08a\0".to_vec(),
        b"\x0d\x05\0\0".to_vec(),
    ]
    .concat();
    let indices: Vec<_> = of_34(&block)
        .iter()
        .map(|it| {
            if let dm2::Message::ConfigString(it) = it {
                (it.index, it.string.bytes().len())
            } else {
                panic!()
            }
        })
        .collect();
    assert_eq!(indices, [(5, 300), (6, 236), (5, 300), (-1, 0), (0x820, 1), (5, 0)]);
}

#[test]
fn trap_38_frames_build_on_anything() {
    for (seq1, seq2) in [(5, -1), (5, 0), (5, 5), (5, -77), (i32::MIN, i32::MAX), (3, 9)] {
        for areas in [0usize, 1, 31, 32] {
            let head = [&[FRAME][..], &i32::to_le_bytes(seq1), &i32::to_le_bytes(seq2), &[200, areas as u8]]
                .concat();
            let block = [&head[..], &vec![0xAA; areas], &PLAYER, &NO_ENTITIES].concat();
            let messages = of_34(&block);
            let dm2::Message::FrameMessage(frame) = messages[0] else { panic!() };
            assert_eq!((frame.head.form, frame.head.seq1, frame.head.seq2), (FrameForm::Client, seq1, seq2));
            assert_eq!((frame.head.uk_b1, frame.head.areas.len(), messages.len()), (Some(200), areas, 3));
        }
    }
    // Protocol 26 does not send the number of packets held back.
    let block = [&[FRAME][..], &7i32.to_le_bytes(), &6i32.to_le_bytes(), &[1, 0xFF], &PLAYER].concat();
    let [dm2::Message::FrameMessage(frame), _] = exactly::<Quake2>(&block, quake2_of(26, 1))[..] else {
        panic!()
    };
    assert_eq!((frame.head.uk_b1, frame.head.areas), (None, &[0xFF][..]));
}

#[test]
fn trap_39_servers_and_relays_send_other_frames() {
    let server = [&[FRAME][..], &7i32.to_le_bytes(), &NO_ENTITIES].concat();
    let relay =
        [&[FRAME][..], &7i32.to_le_bytes(), &6i32.to_le_bytes(), &[0, 1, 0xFF, 2, 3, 4], &PLAYER].concat();
    let client = [&[FRAME][..], &7i32.to_le_bytes(), &6i32.to_le_bytes(), &[0, 0], &PLAYER].concat();
    // The kind of recording only decides the order of the attempts.
    for isdemo in [0, 1, 2, 0x80] {
        for (block, form) in [(&server, FrameForm::Server), (&client, FrameForm::Client)] {
            let messages = exactly::<Quake2>(block, quake2_of(34, isdemo));
            let dm2::Message::FrameMessage(frame) = messages[0] else { panic!() };
            assert_eq!(frame.head.form, form, "isdemo {isdemo}");
        }
    }
    let [dm2::Message::FrameMessage(frame), _] = exactly::<Quake2>(&relay, quake2_of(34, 0x80))[..] else {
        panic!()
    };
    assert_eq!((frame.head.form, frame.head.connected), (FrameForm::Relay, &[3, 4][..]));
    // A message for one client has a bit set in its id, and the client's number after it.
    let block = b"\x8a\x03\x02only you\n\0\x0a\x02all\n\0";
    let entries: Vec<_> = Messages::<Quake2>::new(block, quake2_of(34, 0x80)).collect();
    assert_eq!(entries.iter().map(|it| it.unicast).collect::<Vec<_>>(), [Some(3), None]);
    assert_eq!(of_34(block).len(), 2);
}

/// The byte after a frame's number is not the next message's id, even if it looks like one.
#[test]
fn trap_39_a_reference_that_looks_like_an_id_is_a_reference() {
    // An entity with a number, a place and a frame; then a sound and text.
    let entities: &[u8] = &[18, 0x13, 5, 9, 0x40, 0x01, 0x80, 0x02, 0, 0];
    let later_messages: &[u8] = b"\x09\x00\x05\x0a\x02moved\n\0";
    let client = |seq1: i32, seq2: i32, areas: usize| {
        let head = [&[FRAME][..], &seq1.to_le_bytes(), &seq2.to_le_bytes(), &[0, areas as u8]].concat();
        [&head[..], &vec![0xFF; areas], &PLAYER, entities, later_messages].concat()
    };
    let relay = |seq1: i32, seq2: i32, connected: usize| {
        let head = [&[FRAME][..], &seq1.to_le_bytes(), &seq2.to_le_bytes(), &[0, 1, 0xFF]].concat();
        let connected = [&[connected as u8][..], &vec![0x11; connected]].concat();
        [&head[..], &connected, &PLAYER, entities, later_messages].concat()
    };
    let server = |seq1: i32| [&[FRAME][..], &seq1.to_le_bytes(), entities, later_messages].concat();
    let form_of = |block: &[u8], context: Context| {
        let messages = exactly::<Quake2>(block, context);
        let dm2::Message::FrameMessage(frame) = messages[0] else { panic!() };
        let text = dm2::Message::Print(dm2::Print { level: 2, string: Str::new(b"moved\n\0") });
        (frame.head.form, frame.head.seq1, frame.head.seq2, messages.last() == Some(&text))
    };
    let mut wrong = Vec::new();
    for isdemo in [0, 1, 2, 0x80] {
        let context = quake2_of(34, isdemo);
        // Every low byte, in a large number as in a long recording, and with zeros after it as in a short one.
        for seq2 in
            (0..=255).chain((0..64).map(|high| high << 8 | 0x12)).chain([-1, 0x0012_1212, 0x1112_1112])
        {
            for areas in [0, 1, 6, 32] {
                let found = form_of(&client(seq2 + 1, seq2, areas), context);
                if found != (FrameForm::Client, seq2 + 1, seq2, true) {
                    wrong.push(format!("client {isdemo:#x} {seq2:#x} {areas}: {found:?}"));
                }
            }
            let found = form_of(&server(seq2), context);
            if (found.0, found.1, found.3) != (FrameForm::Server, seq2, true) {
                wrong.push(format!("server {isdemo:#x} {seq2:#x}: {found:?}"));
            }
        }
        for connected in 0..=32 {
            for seq2 in [-1, 17, 18, 0x112, 0x1112, 0x1211] {
                let found = form_of(&relay(seq2 + 1, seq2, connected), context);
                if found != (FrameForm::Relay, seq2 + 1, seq2, true) {
                    wrong.push(format!("relay {isdemo:#x} {seq2:#x} {connected}: {found:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn trap_39_a_renumbered_recording_keeps_its_form() {
    // Protocol 26 lacks the byte with the number of packets held back; a changed protocol number does not
    // remove it.
    let head = [&[FRAME][..], &7i32.to_le_bytes(), &6i32.to_le_bytes(), &[0, 2, 0xFF, 0x0F]].concat();
    let block = [&head[..], &PLAYER, &NO_ENTITIES].concat();
    let dm2::Message::FrameMessage(frame) = exactly::<Quake2>(&block, quake2_of(26, 1))[0] else { panic!() };
    assert_eq!((frame.head.form, frame.head.uk_b1), (FrameForm::Client, Some(0)));
    assert_eq!((frame.head.areas, frame.head.connected), (&[0xFF, 0x0F][..], &[][..]));
}

#[test]
fn trap_40_numbers_that_engines_refuse_are_kept() {
    // A direction beyond the table.
    let [dm2::Message::TempEntity(it)] = of_34(&[3, 0, 0, 0, 0, 0, 0, 0, 200])[..] else { panic!() };
    assert_eq!((it.movedir.0, it.movedir.vector()), (200, None));
    // 26 and 27 changed places in protocol 32.
    for (kind, protocol, length) in [(26, 31, 14), (26, 32, 9), (27, 31, 9), (27, 32, 14)] {
        let entity = [&[3, kind][..], &[1; 12]].concat();
        assert_eq!(
            exactly::<Quake2>(&entity[..length], quake2_of(protocol, 1)).len(),
            1,
            "{kind} in {protocol}"
        );
    }
    // A wall of force has a color of one byte, although the document says otherwise.
    let wall = [&[3, 37][..], &[1; 12], &[0xD0], &[6]].concat();
    assert_eq!(of_34(&wall).len(), 2);
    // Momentary steam has no duration; steam with a number has one.
    let steam = |id: i16| [&[3, 40][..], &id.to_le_bytes(), &[9], &[1; 6], &[5, 6, 7, 0]].concat();
    assert_eq!(of_34(&steam(-1)).len(), 1);
    let lasting = [&steam(3)[..], &1000i32.to_le_bytes()].concat();
    assert_eq!(of_34(&lasting).len(), 1);
}

#[test]
fn trap_41_other_protocols_of_r1q2_and_q2pro_are_kept_raw() {
    for protocol in [35i32, 36] {
        let data =
            [&[SERVERDATA][..], &protocol.to_le_bytes(), b"\x01\0\0\0\x01\0\0\0level\0", b"\xF4anything"]
                .concat();
        let packed = b"\x15\x10\0\x20\0zlib";
        let mut file = Vec::new();
        for block in [&data[..], packed] {
            Piece::Block(Block::new(block)).write(Game::Quake2, &mut file).unwrap();
        }
        let read = read(&file);
        assert_eq!((read.protocols.as_slice(), read.unread.len()), (&[protocol][..], 2), "{read:?}");
        assert!(read.unread.iter().all(|it| it.1.kind == FaultKind::RawProtocol(protocol)));
    }
}

#[test]
fn trap_43_downloads_may_have_no_bytes() {
    let piece = |block: &[u8], protocol| {
        let [dm2::Message::Download(it)] = exactly::<Quake2>(block, quake2_of(protocol, 1))[..] else {
            panic!()
        };
        (it.piece.size, it.piece.percent, it.piece.data.len())
    };
    assert_eq!(piece(&[16, 0xFF, 0xFF, 0], 34), (-1, 0, 0));
    assert_eq!(piece(&[16, 0, 0, 100], 34), (0, 100, 0));
    assert_eq!(piece(&[16, 3, 0, 50, 1, 2, 3], 34), (3, 50, 3));
    assert_eq!(piece(&[16, 3, 0, 50], 31), (3, 50, 0), "before 32 the bytes do not follow");
    assert_eq!(piece(&[16, 0, 0x80, 7], 34), (i16::MIN, 7, 0));
}

#[test]
fn trap_44_the_rerelease_of_quake2_is_kept_raw() {
    for protocol in [2022, 2023] {
        let context = quake2_of(protocol, 1);
        let block = [&[dm2::Sound::OP][..], &[0x40; 40]].concat();
        let mut messages = Messages::<Quake2>::new(&block, context);
        assert_eq!((messages.next(), messages.rest()), (None, &block[..]));
    }
}

#[test]
fn trap_40_the_layout_before_protocol_32_is_found_by_trial() {
    // A server's frame without serverdata, then the temporary entity or download, then a line of text.
    let frame = [&[FRAME, 1, 0, 0, 0][..], &NO_ENTITIES].concat();
    let line = b"\x0a\x02on\n\0";
    let [temp, sound] = [dm2::TempEntity::OP, dm2::Sound::OP];
    let (point, normal) = ([8, 0, 16, 0, 24, 0], [5]);
    let impact = |kind| [&[temp, kind][..], &point, &normal].concat();
    let beam = |kind| [&[temp, kind][..], &point, &point].concat();
    let block = |message: &[u8]| [&frame, message, line].concat();
    let layout = |block: &[u8]| {
        let mut messages = Messages::<Quake2>::new(block, Context::quake2());
        let count = messages.by_ref().count();
        assert_eq!((count, messages.fault()), (4, None), "{block:x?}");
        messages.context().layout
    };
    assert_eq!(layout(&block(&impact(26))), Era::SurelyNew);
    assert_eq!(layout(&block(&beam(27))), Era::SurelyNew);
    assert_eq!(layout(&block(&impact(27))), Era::SurelyOld);
    assert_eq!(layout(&block(&beam(26))), Era::SurelyOld);
    // A part of a file with its bytes, and without.
    let piece = [dm2::Download::OP, 4, 0, 50];
    assert_eq!(layout(&block(&[&piece[..], &[77; 4]].concat())), Era::SurelyNew);
    assert_eq!(layout(&block(&piece)), Era::SurelyOld);
    // The five additional bytes can be read as a sound. Both layouts fit, so the next block decides anew.
    let both = [&frame[..], &impact(27), &[sound, 8, 1, 16, 0], line].concat();
    let mut messages = Messages::<Quake2>::new(&both, Context::quake2());
    messages.by_ref().for_each(drop);
    assert_eq!((messages.fault(), messages.context().layout), (None, Era::New));
    let old = block(&beam(26));
    let mut next = Messages::<Quake2>::new(&old, *messages.context());
    assert_eq!((next.by_ref().count(), next.fault()), (4, None));
    assert_eq!(next.context().quake2_protocol(), dm2::CHANGED - 1);
}

/// The trials of a block are limited. After the last of them a frame is read in the first shape that it fits.
#[test]
fn trap_39_frames_beyond_the_trials_are_read() {
    let mut context = Context::quake2();
    context.set_quake2_protocol(dm2::OLDEST, names::quake2::RECORD_RELAY);
    // The client's head has one byte of areas, which fits no other form. Relay's head has none, so it could also be a
    // client's.
    let [client, relay] =
        [&[1, 0xAA][..], &[0, 0]].map(|areas| [&[FRAME][..], &[7; 8], areas, &PLAYER].concat());
    let block = [&client[..], &[dm2::Nop::OP], &relay].concat().repeat(20);
    let mut messages = Messages::<Quake2>::new(&block, context);
    assert_eq!((messages.by_ref().count(), messages.fault()), (100, None));
}

#[test]
fn trap_39_frames_of_26_are_known_without_a_serverdata() {
    let head = [FRAME, 9, 0, 0, 0, 8, 0, 0, 0, 2, 255, 255];
    let block = [&head[..], &PLAYER, &NO_ENTITIES].concat();
    let mut messages = Messages::<Quake2>::new(&block, Context::quake2());
    assert_eq!((messages.by_ref().count(), messages.fault()), (3, None));
    assert_eq!(messages.context().frames, Some(FrameShape { form: FrameForm::Client, suppress: false }));
}

#[test]
fn trap_38_more_areas_than_a_level_has_are_kept() {
    let areas = [0x55; 40];
    let head = [&[FRAME, 9, 0, 0, 0, 8, 0, 0, 0, 0, 40][..], &areas].concat();
    let block = [&head[..], &PLAYER, &NO_ENTITIES].concat();
    let [dm2::Message::FrameMessage(it), ..] = of_34(&block)[..] else { panic!() };
    assert_eq!((it.head.form, it.head.areas), (FrameForm::Client, &areas[..]));
}
