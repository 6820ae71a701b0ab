//! MVD2: the recordings of all players are written back byte by byte with nothing unread, those of other versions are
//! kept raw, and in the form of Relay they have the same players and entities.

use crate::common::{Random, corpus, read};
use moviola_format::mvd2::{AsRelay, Message};
use moviola_format::*;
use moviola_scribe::{MVD2_MESSAGES, MVD2_VERSIONS, mvd2_match};
use std::fs;
use std::io::Read as _;

#[test]
fn mvd2_is_read_as_documented() {
    for version in MVD2_VERSIONS {
        for open in [true, false] {
            let found = read(&mvd2_match(version, open));
            assert_eq!((found.format, &found.header[..]), (Some(Format::Mvd2), &b"MVD2"[..]));
            assert_eq!(
                (found.blocks, found.messages, found.unread),
                (5, MVD2_MESSAGES, Vec::new()),
                "{version}"
            );
            assert_eq!((found.ends, found.raw), (usize::from(!open), 0));
        }
    }
}

/// The messages of a block of the match.
fn messages_of(file: &[u8], number: usize) -> Vec<String> {
    let mut demo = Demo::new(file).unwrap();
    let (mut context, mut at) = (Context::quake2(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let mut messages = block.messages::<Mvd2>(context);
        let all: Vec<_> = messages.by_ref().map(|entry| format!("{:?}", entry.message)).collect();
        if at == number {
            return all;
        }
        (context, at) = (*messages.context(), at + 1);
    }
    Vec::new()
}

#[test]
fn fields_have_their_values() {
    let file = mvd2_match(2010, false);
    let mut demo = Demo::new(&file[..]).unwrap();
    demo.next_piece().unwrap();
    let Some(Piece::Block(block)) = demo.next_piece().unwrap() else { panic!("no block") };
    let Some(Message::ServerData(it)) = block.messages::<Mvd2>(Context::quake2()).next().map(|it| it.message)
    else {
        panic!("no level")
    };
    assert_eq!((it.version.version, it.version.all_flags(), it.key, it.client), (2010, 1, 7, 0));
    assert_eq!(it.config.iter().map(|it| it.index).collect::<Vec<_>>(), [0, 30, 33, 34, 1313]);
    assert_eq!(it.areas.0, [0xFF, 3]);
    let player = it.players.iter().next().unwrap();
    assert_eq!((player.pm_type, player.origin[0].value(), player.origin_z.value()), (4, 100.0, 24.0));
    assert_eq!((player.gunindex, player.gunframe, player.fov, player.rdflags), (23, 9, 90, 1));
    assert_eq!(player.stats.0.iter().collect::<Vec<_>>(), [(1, 100), (13, -1)]);
    let entity = it.entities.iter().next().unwrap();
    assert_eq!(
        (entity.entity.0, entity.modelindex, entity.sound, entity.event, entity.solid),
        (1, 255, 3, 5, 0x1234)
    );
    let last = messages_of(&file, 3);
    assert!(last[1].contains("SoundSource(10)") && last[2].contains("ByteOrShort(300)"), "{last:?}");
    assert!(last[2].contains("UpperBits(1)"), "{}", last[2]);
    let context = Context { mvd: true, ..Context::quake2() };
    let frame =
        Messages::<Mvd2>::new(b"\x06\0\x01\0\xc1\x6e\0\0\0\0\xff\x41\x09\x28\x03\0\0", context).next();
    let Some(Message::FrameMessage(it)) = frame.map(|entry| entry.message) else { panic!("no frame") };
    let (player, entity) = (it.players.iter().next().unwrap(), it.entities.iter().next().unwrap());
    assert!(player.flags.has(mvd2::part::Player::remove) && player.fov == 110 && player.stats.0.is_empty());
    assert!(entity.flags.has(dm2::SpawnBaseline::remove) && (entity.origin_x.value() - 101.0).abs() < 1e-9);
}

/// Extended limits change the form of all messages: nothing is guessed, and the reason is named.
#[test]
fn other_versions_are_kept_raw() {
    for (version, flags) in [(2012, 4), (2013, 12), (2014, 0), (2008, 0)] {
        let mut file = mvd2_match(2012, false);
        file[11..13].copy_from_slice(&u16::to_le_bytes(version));
        file[13] = flags;
        let found = read(&file);
        assert!(found.unread.len() >= 3, "{version}, {flags}");
        assert_eq!(found.unread[0].1.kind, FaultKind::RawProtocol(37));
        assert!(found.unread[0].1.to_string().contains("2009 to 2013"), "{}", found.unread[0].1);
    }
}

#[test]
fn damaged_ones_come_back() {
    let mut random = Random(5);
    let file = mvd2_match(2012, false);
    for _ in 0..4000 {
        let mut changed = file.clone();
        let at = random.below(changed.len() - 4) + 4;
        match random.below(3) {
            0 => changed.truncate(at),
            1 => changed[at] ^= 1 << random.below(8),
            _ => drop(changed.splice(at..at, random.bytes(3))),
        }
        read(&changed);
        let mut relay = Vec::new();
        AsRelay::new(&changed[..]).unwrap().read_to_end(&mut relay).unwrap();
        assert!(Demo::new(&relay[..]).is_ok());
    }
}

#[test]
fn as_relay_all_messages_are_read() {
    let mut relay = Vec::new();
    AsRelay::new(&mvd2_match(2010, false)[..]).unwrap().read_to_end(&mut relay).unwrap();
    let found = read(&relay);
    assert_eq!((found.format, found.blocks, found.ends), (Some(Format::Quake2), 5, 1));
    assert_eq!((found.unread, found.protocols), (Vec::new(), vec![34, 34]));
    assert_eq!(found.maps, ["q2dm1", "q2dm1"]);
    // Any other file is not changed.
    let mut plain = Vec::new();
    AsRelay::new(&relay[..]).unwrap().read_to_end(&mut plain).unwrap();
    assert!(plain == relay);
}

#[test]
fn every_recording_of_the_collection() {
    let Some(folder) = corpus().map(|folder| folder.join("qw/real")) else { return };
    let mut count = 0;
    for path in crate::common::files(&folder) {
        if path.extension().is_none_or(|it| it != "mvd2") {
            continue;
        }
        let file = fs::read(&path).unwrap();
        let found = read(&file);
        assert_eq!((&found.unread, found.raw), (&Vec::new(), 0), "{}", path.display());
        let mut relay = Vec::new();
        AsRelay::new(&file[..]).unwrap().read_to_end(&mut relay).unwrap();
        let again = read(&relay);
        assert_eq!((&again.unread, again.raw), (&Vec::new(), 0), "{} as Relay", path.display());
        println!("{}: {} messages, as Relay {}", path.display(), found.messages, again.messages);
        count += 1;
    }
    assert!(count > 0);
}
