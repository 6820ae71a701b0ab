//! Traps 11 to 26, and 45: messages of Quake.

use crate::common::{exactly, quake_of, read};
use moviola_format::*;
use moviola_scribe::dem::{Clientdata, Items as Sent, Net, clientdata};

fn of_15(block: &[u8]) -> Vec<dem::Message<'_>> {
    exactly::<Quake>(block, quake_of(15, 0))
}

fn of_666(block: &[u8]) -> Vec<dem::Message<'_>> {
    exactly::<Quake>(block, quake_of(666, 0))
}

/// An entity update: its flag bytes (the first becomes the id) and the bytes after them.
fn update(flags: &[u8], rest: &[u8]) -> Vec<u8> {
    [&[flags[0] | 0x80], &flags[1..], rest].concat()
}

#[test]
fn trap_11_flags_that_carry_nothing_are_kept() {
    // An update: a second byte of flags that are zero; NOLERP; a long number for a small entity.
    for block in [update(&[1, 0], &[9]), update(&[0x21, 0x40], &[9, 0]), update(&[0x20], &[9])] {
        assert_eq!(of_15(&block).len(), 1);
    }
    // Bit 15 in protocol 15; in 666 extension bytes that are zero, and bits without a meaning.
    assert_eq!(of_15(&update(&[1, 0x80], &[9])).len(), 1);
    for extension in [&[0][..], &[0x60], &[0x80, 0], &[0x80, 0xFF]] {
        let flags = [&[1, 0x80], extension].concat();
        assert_eq!(of_666(&update(&flags, &[9])).len(), 1);
    }
    // A sound: looping, three bits more, and in 666 the large forms for small numbers.
    assert_eq!(of_15(&[6, 0xFC, 8, 0, 5, 0, 0, 0, 0, 0, 0]).len(), 1);
    assert_eq!(of_666(&[6, 0x18, 1, 0, 2, 5, 0, 0, 0, 0, 0, 0, 0]).len(), 1);
    // A baseline in 666: two bytes for small numbers.
    let baseline = [&[42, 9, 0, 3, 1, 0, 2, 0, 0, 0][..], &[0; 9]].concat();
    let [dem::Message::SpawnBaseline2(it)] = of_666(&baseline)[..] else { panic!() };
    assert_eq!((it.default_modelindex.0, it.default_frame.0, it.flags.0), (1, 2, 3));
    // A player's state: bits 8 and 15.
    let state = clientdata(&Net::netquake(), &Clientdata::default());
    for odd in [0x01u8, 0x80] {
        let mut state = state.clone();
        state[2] |= odd;
        let [dem::Message::ClientData(it)] = of_15(&state)[..] else { panic!() };
        assert!(it.flags.0 & u32::from(odd) << 8 != 0);
    }
}

/// Bit 15 of an update has two meanings in protocol 15: Nehahra's floats, or a further byte of flags
/// (`DarkPlaces`).
#[test]
fn trap_11_bit_15_of_an_update_means_what_the_block_can_mean() {
    // A model, a frame and a place; the second byte of flags has bit 15.
    let fields: &[u8] = &[7, 3, 4, 0x40, 0x01];
    let update = |more: &[u8], behind: &[u8]| [&[0xC3, 0x84], more, fields, behind].concat();
    let nehahra = |mark: f32, alpha: f32| [mark.to_le_bytes(), alpha.to_le_bytes()].concat();
    let plain: &[u8] = &[0xC3, 0x04, 8, 3, 4, 0x80, 0x02];
    let read = |block: &[u8]| {
        let mut messages =
            Messages::<Quake>::new(block, Context { nehahra: Answer::Open, ..quake_of(15, 0) });
        let count = messages.by_ref().count();
        (count, messages.context().nehahra, messages.rest().len())
    };
    for (mark, alpha) in [(0.0, 0.5), (1.0, 1.0), (1.0, 0.0)] {
        let block = [&update(&[], &nehahra(mark, alpha)), plain].concat();
        assert_eq!(read(&block), (2, Answer::Yes, 0), "{mark} {alpha}");
    }
    // The bit is set, but its fields are missing, as an editor may leave it.
    assert_eq!(read(&[&update(&[], &[]), plain].concat()), (2, Answer::No, 0));
    // The extensions of DarkPlaces: opacity, size, a second byte of effects, glow, colors; and no extension
    // at all.
    for (flags, added) in
        [(0x02u8, 1), (0x04, 1), (0x06, 2), (0x0A, 2), (0x30, 2), (0x7E, 6), (0, 0), (0x01, 0)]
    {
        let bytes: Vec<u8> = (0..added).map(|n| 0xC8 + n).collect();
        for rest in [&[][..], plain, b"\x01", &[plain, plain].concat(), b"\x08chat\n\0"] {
            let block = [&update(&[flags], &bytes), rest].concat();
            let (count, answer, left) = read(&block);
            assert_ne!(answer, Answer::Yes, "{flags:#x} with {rest:x?}");
            assert_eq!((count, left), (0, block.len()), "{flags:#x} with {rest:x?}");
        }
    }
}

#[test]
fn trap_12_fields_that_equal_their_default_are_kept() {
    let zeros = Clientdata {
        view_height: Some(22),
        ideal_pitch: Some(0),
        punch: [Some(0); 3],
        velocity: [Some(0); 3],
        weapon_frame: Some(0),
        armor: Some(0),
        weapon: Some(0),
        ..Clientdata::default()
    };
    let bytes = clientdata(&Net::netquake(), &zeros);
    let [dem::Message::ClientData(it)] = of_15(&bytes)[..] else { panic!() };
    assert_eq!((it.flags.0 & 0x70FF, it.view_ofs_z.0, it.vel_x.0), (0x70FF, 22, 0));
}

#[test]
fn trap_13_items_and_weapons_are_there_or_not() {
    let info = [&b"\x0b\x0f\0\0\0\x01\0level\0"[..], b"maps/hip1m1.bsp\0\0\0"].concat();
    let plain = [&b"\x0b\x0f\0\0\0\x01\0level\0"[..], b"maps/e1m1.bsp\0\0\0"].concat();
    let state = |items| clientdata(&Net::netquake(), &Clientdata { items, ..Clientdata::default() });
    let tail = b"\x07\0\0\x80\x3f\x81\x00\x09".as_slice();
    let sent = |block: &[u8]| {
        let all = exactly::<Quake>(block, Context::quake());
        let state =
            all.iter().find_map(|it| if let dem::Message::ClientData(it) = it { Some(*it) } else { None });
        let state = state.unwrap();
        (state.items.sent, state.items.bits, state.weapon.sent, all.len())
    };
    for items in [Sent::Marked(7), Sent::Unmarked(7), Sent::Absent] {
        let block = [&plain, &state(items), tail].concat();
        let expected = if items == Sent::Absent { (false, 0) } else { (true, 7) };
        let (there, bits, weapon, messages) = sent(&block);
        assert_eq!(((there, bits), weapon, messages), (expected, true, 4), "{items:?}");
    }
    // The version decides if both readings fit: the bytes after it are an update and a nop, or items.
    let both = [&state(Sent::Absent)[..], &[0xC0, 1, 5, dem::Nop::OP]].concat();
    for (version, sent) in [("1.06", false), ("1.07", true), ("1.09", true)] {
        let [there, found] = items_after(version, &plain, &[&both, &both]);
        assert_eq!((there, found), (sent, sent), "{version}");
    }
    // The print may be from another recording: if only the other reading reaches the end, it is used from
    // then on.
    let [marked, bare] = [Sent::Unmarked(7), Sent::Absent].map(state);
    for (version, block, sent) in [("1.06", &marked, true), ("1.07", &bare, false), ("1.09", &bare, false)] {
        let block = [&block[..], tail].concat();
        let [both_before, clear, both_behind] = items_after(version, &plain, &[&both, &block, &both]);
        assert_eq!((both_before, clear, both_behind), (!sent, sent, sent), "{version}");
    }
    // A mission pack omits the weapon byte if there is no weapon, and the next message follows directly.
    let armed = state(Sent::Marked(7));
    let unarmed = &armed[..armed.len() - 1];
    assert!(sent(&[&info, &armed, tail].concat()).2);
    for behind in [&b"\x81\x00\x09\x07\0\0\x80\x3f"[..], b""] {
        let (_, _, weapon, messages) = sent(&[&info, unarmed, behind].concat());
        assert_eq!((weapon, messages), (false, if behind.is_empty() { 2 } else { 4 }));
    }
    // The next message may begin with a small number too: a sound or the end of a level. Read as a weapon, it leads to
    // a fault.
    let sound = b"\x06\0\x08\0\x05\x10\0\x20\0\x30\0";
    for (behind, messages) in [(&sound[..], 3), (b"\x09hello\0\x1a title\0", 4)] {
        let (_, _, weapon, all) = sent(&[&info, unarmed, behind].concat());
        assert_eq!((weapon, all), (false, messages));
        let (_, _, weapon, all) = sent(&[&info, &armed, behind].concat());
        assert_eq!((weapon, all), (true, messages));
    }
}

/// For each of these blocks, whether items were sent. The blocks follow a print of this version and the announcement of
/// a level.
fn items_after<const N: usize>(version: &str, level: &[u8], blocks: &[&[u8]; N]) -> [bool; N] {
    let print = format!("\x08\x02\nVERSION {version} SERVER (1 CRC)\0");
    let mut context = Context::quake();
    crate::common::check_rewriting(
        Messages::<Quake>::new(&[print.as_bytes(), level].concat(), context),
        &mut context,
    );
    blocks.map(|block| {
        let mut messages = Messages::<Quake>::new(block, context);
        let sent = messages.by_ref().find_map(|it| match it.message {
            dem::Message::ClientData(it) => Some(it.items.sent),
            _ => None,
        });
        messages.by_ref().for_each(drop);
        assert_eq!(messages.fault(), None, "{version}: {block:x?}");
        context = *messages.context();
        sent.unwrap()
    })
}

#[test]
fn trap_13_a_block_that_fits_both_ways_is_asked_again() {
    let state = [dem::ClientData::OP, 0, 0, 100, 0, 25, 25, 0, 0, 0, 1];
    let mut context = Context::quake();
    context.set_quake_protocol(15, 0);
    // The four further bytes are an update and a nop, or the player's ammunition.
    let both = [&state[..], &[0xC0, 1, 5, dem::Nop::OP]].concat();
    let mut messages = Messages::<Quake>::new(&both, context);
    messages.by_ref().for_each(drop);
    assert_eq!((messages.fault(), messages.context().items), (None, ItemsRule::Likely));
    // Without these bytes the block ends after the player's state.
    let mut next = Messages::<Quake>::new(&state, *messages.context());
    assert_eq!((next.by_ref().count(), next.fault()), (1, None));
    assert_eq!(next.context().items, ItemsRule::ByBit);
}

#[test]
fn trap_14_defaults_of_a_sound_may_be_sent() {
    let [dem::Message::Sound(it)] = of_15(&[6, 3, 255, 64, 8, 0, 5, 0, 0, 0, 0, 0, 0])[..] else { panic!() };
    assert_eq!((it.vol.0, it.attenuation.0, it.source.entity, it.soundnum.0), (255, 64, 1, 5));
}

#[test]
fn trap_15_high_bytes_may_be_zero_or_alone() {
    // Bits 15 and 16 without bit 14: the high byte of a weapon's model that is not there.
    let state = [&[15, 0, 0x80 | 0x02, 0x01][..], &[0; 4], &[100, 0], &[0; 6], &[0]].concat();
    let [dem::Message::ClientData(it)] = of_666(&state)[..] else { panic!() };
    assert_eq!((it.flags.0, it.weaponmodel.0, it.weaponmodel_high, it.health), (0x1_8200, 0, 0, 100));
}

#[test]
fn trap_16_coordinates_and_angles_are_integers() {
    // Every raw value of every width is written back; these are the ones that rounding would change.
    for raw in [-1i16, i16::MIN, i16::MAX, -7, 7] {
        let damage = [&[19, 0, 0][..], &raw.to_le_bytes().repeat(3)].concat();
        let [dem::Message::Damage(it)] = of_15(&damage)[..] else { panic!() };
        assert_eq!((it.origin[0].kind(), it.origin[0].raw()), (CoordKind::Short, i32::from(raw)));
    }
    for part in [0, 127, 254, 255u8] {
        let damage = [&[19, 0, 0][..], &[0xFF, 0xFF, part].repeat(3)].concat();
        let [dem::Message::Damage(it)] = exactly::<Quake>(&damage, quake_of(999, 8))[..] else { panic!() };
        assert_eq!(it.origin[0].raw(), -256 | i32::from(part));
    }
    for (flags, width) in [(0x80, 4), (0x10, 4), (0x98, 4), (0, 2)] {
        let damage = [&[19, 0, 0][..], &[0xFF; 12][..3 * width]].concat();
        assert_eq!(exactly::<Quake>(&damage, quake_of(999, flags)).len(), 1);
    }
    let [dem::Message::SetAngle(it)] = of_15(&[10, 0x80, 0x7F, 0xFF])[..] else { panic!() };
    assert_eq!(it.angles.map(Angle::raw), [-128, 127, -1]);
}

#[test]
fn trap_17_particles_are_bytes() {
    let [dem::Message::Particle(it)] = of_15(&[18, 0, 0, 0, 0, 0, 0, 0x80, 0x7F, 0xFF, 255, 73])[..] else {
        panic!()
    };
    assert_eq!((it.vel.map(|it| it.0), it.count, it.color), ([-128, 127, -1], 255, 73));
}

#[test]
fn trap_18_strings_are_bytes() {
    let long = [&[8][..], &[b'x'; 5000], &[0]].concat();
    let high: Vec<u8> = (1..=255).collect();
    let high = [&[8][..], &high, &[0]].concat();
    let ff = b"\x08a\xffb\0".to_vec();
    for block in [&long, &high, &ff] {
        let [dem::Message::Print(it)] = of_15(block)[..] else { panic!() };
        assert_eq!(it.string.wire().len(), block.len() - 1);
    }
    // The NUL and everything after it are missing.
    let [dem::Message::Print(first), dem::Message::Print(last)] = of_15(b"\x08one\0\x08two")[..] else {
        panic!()
    };
    assert_eq!((first.string.is_terminated(), last.string.is_terminated()), (true, false));
    // An empty name ends the list, which can have more than 255 names.
    let names = b"progs/x.mdl\0".repeat(300);
    let info = [&b"\x0b\x0f\0\0\0\x01\0level\0maps/a.bsp\0"[..], &names, b"\0a.wav\0\0"].concat();
    let [dem::Message::ServerInfo(it)] = of_15(&info)[..] else { panic!() };
    assert_eq!((it.precache.models().iter().count(), it.precache.sounds().iter().count()), (301, 1));
    assert_eq!(of_15(b"\x0b\x0f\0\0\0\x01\0level\0m\0\0s\0\0\x01").len(), 2);
}

#[test]
fn trap_19_stufftext_is_kept_unchanged() {
    for text in [
        &b"\x09no end of line\0"[..],
        b"\x09\x01\x03\x11\x10\0",
        b"\x09//st 15 0\n\0",
        b"\x09a\nb\n\0",
        b"\x09\0",
    ] {
        assert_eq!(of_15(text).len(), 1);
    }
    assert_eq!(of_15(b"\x09col\0\x09or 1\n\0").len(), 2, "one command, two messages");
}

#[test]
fn trap_20_numbers_out_of_their_range_are_kept() {
    assert_eq!(of_15(b"\x0d\xffname\0\x0e\xff\x00\x80\x11\x40\xff").len(), 3);
    let [dem::Message::SetView(it)] = of_15(&[5, 0, 0x80])[..] else { panic!() };
    assert_eq!(it.entity, i16::MIN);
    let [dem::Message::UpdateEntity(it)] = of_15(&update(&[1, 0x40], &[0xFF, 0xFF]))[..] else { panic!() };
    assert_eq!(it.entity.0, 0xFFFF);
}

#[test]
fn trap_21_serverinfo_may_say_odd_things() {
    let rmq = |flags: u32| {
        [&[11][..], &999i32.to_le_bytes(), &flags.to_le_bytes(), b"\0\x07level\0m\0\0\0"].concat()
    };
    for flags in [0x01, 0x82, 0x7FFF_FF00, 0xFF] {
        let info = rmq(flags);
        let [dem::Message::ServerInfo(it)] = exactly::<Quake>(&info, Context::quake())[..] else { panic!() };
        assert_eq!((it.protocol.flags(), it.maxclients, it.multi), (flags, 0, 7));
    }
    // A protocol with unknown extensions is not read, but is written back.
    let fte = [
        &b"\x01\x0bFTEX\0\0\0\x40FTEX\0\0\0\x40FTE2\x2b\x01\0\0"[..],
        &15i32.to_le_bytes(),
        b"\x01\0l\0m\0\0\0",
    ]
    .concat();
    let mut context = Context::quake();
    let (entries, fault, _) =
        crate::common::check_rewriting(Messages::<Quake>::new(&fte, context), &mut context);
    assert_eq!(entries.len(), 1);
    assert!(matches!(fault, Some(Fault { kind: FaultKind::Extended(15), .. })) && context.raw);
}

#[test]
fn trap_22_unknown_temporary_entities_stop_the_block_only() {
    let mut context = quake_of(15, 0);
    let block = [23, 3, 0, 0, 0, 0, 0, 0, 23, 99, 1, 2, 3];
    let (entries, fault, left) =
        crate::common::check_rewriting(Messages::<Quake>::new(&block, context), &mut context);
    assert_eq!((entries.len(), left), (1, 5));
    assert_eq!(fault.map(|it| it.kind), Some(FaultKind::UnknownTempEntity(99)));
    assert_eq!(of_15(&[23, 3, 0, 0, 0, 0, 0, 0]).len(), 1, "the next block");
}

#[test]
fn trap_23_messages_follow_a_disconnect() {
    assert_eq!(of_15(b"\x02\x08more\0\x01").len(), 3);
}

#[test]
fn trap_24_tracks_may_differ() {
    let file = [&b"7\n"[..], &3i32.to_le_bytes(), &[0; 12], &[32, 2, 9]].concat();
    let read = read(&file);
    assert_eq!((read.header.as_slice(), read.messages), (&b"7\n"[..], 1));
    let [dem::Message::CdTrack(it)] = of_15(&[32, 2, 9])[..] else { panic!() };
    assert_eq!((it.fromtrack, it.totrack), (2, 9));
}

#[test]
fn trap_25_time_stands_still_and_runs_back() {
    let time = |time: f32| [&[7][..], &time.to_le_bytes()].concat();
    let block = [time(5.0), time(5.0), time(1.5), time(-3.0)].concat();
    let times: Vec<_> = of_15(&block)
        .iter()
        .map(|it| if let dem::Message::Time(it) = it { it.time.value() } else { panic!("{it:?}") })
        .collect();
    assert_eq!(times, [5.0, 5.0, 1.5, -3.0]);
}

#[test]
fn trap_26_messages_keep_their_order() {
    let block = [update(&[0], &[9]), vec![1], update(&[0], &[2]), b"\x08late\0".to_vec(), update(&[0], &[9])]
        .concat();
    let ops: Vec<_> = of_15(&block).iter().map(Message::op).collect();
    assert_eq!(ops, [128, 1, 128, 8, 128]);
}

#[test]
fn trap_45_names_are_not_ascii() {
    let name = b"\x0d\0\xd2\xe1\xee\xe7\xe5\xf2\x10\x80\0";
    let [dem::Message::UpdateName(it)] = of_15(name)[..] else { panic!() };
    assert_eq!(it.netname.bytes(), b"\xd2\xe1\xee\xe7\xe5\xf2\x10\x80");
    let info = b"\x0b\x0f\0\0\0\x01\0Terminal\nby WizardExt\0maps/a.bsp\0\0\0";
    let [dem::Message::ServerInfo(it)] = of_15(info)[..] else { panic!() };
    assert_eq!(it.mapname.bytes(), b"Terminal\nby WizardExt");
}

#[test]
fn trap_21_extensions_are_announced_before_the_protocol() {
    let level = b"\x01\0title\0maps/e1m1.bsp\0\0\0";
    let announced = |magics: &[u8], protocol: i32| {
        [&[dem::ServerInfo::OP][..], magics, &protocol.to_le_bytes(), level].concat()
    };
    // Known extensions, without and with the folder that prediction adds.
    for (magics, protocol) in [(&b"FTE2\x08\0\0\0"[..], 15), (b"FTEX\0\0\0\x40FTE2\x0E\0\0\0", 666)] {
        let block = announced(magics, protocol);
        let mut messages = Messages::<Quake>::new(&block, Context::quake());
        let Some(Entry { message: dem::Message::ServerInfo(it), .. }) = messages.next() else { panic!() };
        assert_eq!((it.mapname.bytes(), it.protocol.folder()), (&b"title"[..], None));
        let context = messages.context();
        assert_eq!((context.protocol, context.protocol_name()), (protocol, Some("FTE extensions")));
        assert!(!context.raw && context.fte && context.lists_entities());
    }
    let predicted = [&b"\x0bFTE2\x28\0\0\0\x9a\x02\0\0id1\0"[..], level].concat();
    let [dem::Message::ServerInfo(it)] = exactly::<Quake>(&predicted, Context::quake())[..] else { panic!() };
    assert_eq!((it.mapname.bytes(), it.protocol.folder().unwrap().bytes()), (&b"title"[..], &b"id1"[..]));
    // Unknown bits, and a protocol before which no engine announces extensions.
    for (magics, protocol) in
        [(&b"FTE2\x08\x01\0\0"[..], 15), (b"FTEX\x08\0\0\0", 666), (b"FTE2\x08\0\0\0", 668)]
    {
        let block = announced(magics, protocol);
        let mut messages = Messages::<Quake>::new(&block, Context::quake());
        assert_eq!((messages.next(), messages.rest()), (None, &block[..]));
        let context = messages.context();
        assert_eq!((context.protocol, context.protocol_name()), (protocol, Some("FTE extensions")));
        assert!(context.raw && context.fte && !context.is_rerelease());
    }
    // Once it is announced without them, the level is read.
    let both = [announced(b"FTE2\0\x01\0\0", 15), announced(b"", 666)];
    let mut messages = Messages::<Quake>::new(&both[0], Context::quake());
    assert!(messages.next().is_none());
    let mut next = Messages::<Quake>::new(&both[1], *messages.context());
    assert!(next.next().is_some() && !next.context().fte && !next.context().raw);
}
