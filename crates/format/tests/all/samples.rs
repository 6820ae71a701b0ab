//! The independent writer and this reader, made by different hands, agree on every recording and every message.

use crate::common::Read;
use moviola_format::*;
use moviola_scribe::{End, Sample, Variant, dem_messages, dm2_messages, q2pro_samples, samples};

/// The intended differences of the reader: the sample, the first difference, the reason.
const DIFFERENT: [(&str, &str, &str); 4] = [
    ("dem-open-strings", "messages", "an id without a byte of its string is not a message but a remainder"),
    ("dm2-34-early-mark", "blocks", "blocks behind an end mark are read all the same"),
    ("dem-666-rerelease", "titles", "the announcement that has a string more is kept raw"),
    ("dm2-25-test", "titles", "nothing is read of the test release, whose messages are unknown"),
];

#[test]
fn every_sample_has_what_its_writer_counted() {
    let all = samples();
    assert!(all.len() > 80, "only {} samples", all.len());
    for (name, ..) in DIFFERENT {
        assert!(all.iter().any(|sample| sample.name == name), "{name} is gone");
    }
    for sample in all.iter().chain(&q2pro_samples()) {
        let difference = agrees(sample, &crate::common::read(&sample.bytes)).err();
        let what = difference.as_ref().map(|why| why.split(':').next().unwrap_or_default());
        let expected = DIFFERENT.iter().find(|(name, ..)| *name == sample.name).map(|(_, what, _)| *what);
        assert_eq!(what, expected, "{} ({}): {difference:?}", sample.name, sample.about);
    }
}

fn agrees(sample: &Sample, read: &Read) -> Result<(), String> {
    let game = match sample.game {
        moviola_scribe::Game::Quake => Game::Quake,
        moviola_scribe::Game::Quake2 => Game::Quake2,
    };
    let same = |what: &str, read: &dyn std::fmt::Debug, written: &dyn std::fmt::Debug| {
        let (read, written) = (format!("{read:?}"), format!("{written:?}"));
        if read == written { Ok(()) } else { Err(format!("{what}: read {read}, written {written}")) }
    };
    same("game", &read.format.and_then(Format::game), &Some(game))?;
    same("header", &read.header.len(), &sample.header)?;
    let cut = usize::from(matches!(sample.ends, End::Cut(_)) && read.truncated > 0);
    same("blocks", &(read.blocks - cut), &sample.blocks)?;
    let messages = read.messages - read.cut_messages;
    if sample.raw_blocks == 0 {
        same("messages", &messages, &sample.messages)?;
    } else if messages < sample.messages {
        return Err(format!("messages: read {messages}, written {}", sample.messages));
    }
    let cut = usize::from(read.truncated > 0 && read.unread.last().is_some_and(|it| it.0 == read.blocks));
    same("unread blocks", &(read.unread.len() - cut), &sample.raw_blocks)?;
    same("protocols", &read.protocols, &sample.protocols)?;
    if sample.maps.iter().all(|map| !map.is_empty()) {
        same("maps", &read.maps, &sample.maps)?;
    }
    let titles: Vec<_> = sample.titles.iter().map(|it| it.as_bytes().to_vec()).collect();
    same("titles", &read.titles, &titles)?;
    match sample.ends {
        End::Disconnect => same("last id", &read.last_op, &Some(dem::Disconnect::OP)),
        End::Mark => same("end marks", &read.ends, &1),
        End::Open => {
            same("end marks and truncated blocks", &(read.ends, read.truncated, read.raw), &(0, 0, 0))
        }
        End::Cut(bytes) => same("cut", &(read.truncated > 0 || read.raw == bytes), &true),
        End::Trailing(bytes) => same("trailing", &read.raw, &bytes),
    }
}

/// Reads the first message of a block whose other bytes only help to read it.
fn first<D: Dialect>(block: &[u8], length: usize, context: Context) -> D::Message<'_> {
    let mut messages = Messages::<D>::new(block, context);
    let entry = messages.next().unwrap_or_else(|| panic!("{block:x?}: {:?}", messages.fault()));
    assert_eq!(messages.pos(), length, "{entry:?} is not all of {block:x?}");
    let mut again = Vec::new();
    entry.write(&mut again, &context);
    assert_eq!(again, block[..length], "{entry:?}");
    entry.message
}

#[test]
fn every_message_of_quake_alone() {
    use moviola_scribe::dem::Index;
    let rmq = (0..=255).filter(|flags| flags & 0x1 == 0).map(|flags| (999, Variant::Rmq(flags)));
    let variants = [
        (15, Variant::NetQuake),
        (250, Variant::Nehahra),
        (666, Variant::Fitz),
        (668, Variant::FitzPlus),
        (10000, Variant::Bjp),
        (10001, Variant::Bjp2),
        (10002, Variant::Bjp3(Index::Byte)),
        (10002, Variant::Bjp3(Index::Short)),
    ];
    let mut seen = std::collections::BTreeSet::new();
    for (protocol, variant) in variants.into_iter().chain(rmq) {
        let mut context = Context::quake();
        let flags = if let Variant::Rmq(flags) = variant { flags } else { 0 };
        context.set_quake_protocol(protocol, flags);
        for (keyword, bytes) in dem_messages(variant) {
            let message = first::<Quake>(&bytes, bytes.len(), context);
            // The documents use one name for two fog messages, which have different names here.
            let nehahra = variant == Variant::Nehahra && keyword == dem::Fog::SCHEMA.name;
            let keyword = if nehahra { dem::NehahraFogMessage::SCHEMA.name } else { keyword };
            assert_eq!(message.schema().name, keyword, "{variant:?}");
            seen.insert(keyword);
        }
    }
    // FTE's and DarkPlaces' messages are in recordings of their own.
    for sample in samples().iter().filter(|it| it.name.contains("-fte") || it.name.contains("darkplaces")) {
        let mut context = Context::quake();
        let mut rest = &sample.bytes[sample.header..];
        while let Some((length, behind)) = rest.split_first_chunk::<4>() {
            let length = u32::from_le_bytes(*length) as usize & 0x7FFF_FFFF;
            let (data, behind) = behind[12..].split_at(length);
            let mut messages = Messages::<Quake>::new(data, context);
            seen.extend(messages.by_ref().map(|entry| entry.message.schema().name));
            (context, rest) = (*messages.context(), behind);
        }
    }
    let missing: Vec<_> =
        dem::Message::SCHEMA.iter().map(|row| row.name).filter(|name| !seen.contains(name)).collect();
    // The re-release's two messages are not in the documents that the writer follows.
    assert_eq!(missing, ["achievement", "localsound"]);
}

#[test]
fn every_message_of_quake2_alone() {
    const PLAYER: &[u8] = &[dm2::PlayerInfo::OP, 0, 0, 0, 0, 0, 0];
    let mut seen = std::collections::BTreeSet::new();
    for protocol in 26..=34 {
        let mut context = Context::quake2();
        context.set_quake2_protocol(protocol, 1);
        for (keyword, bytes) in dm2_messages(protocol) {
            let follower = if keyword == dm2::FrameMessage::SCHEMA.name { PLAYER } else { &[] };
            let block = [bytes.as_slice(), follower].concat();
            let message = first::<Quake2>(&block, bytes.len(), context);
            assert_eq!(message.schema().name, keyword, "{protocol}");
            seen.insert(keyword);
        }
    }
    assert_eq!(seen.len(), dm2::Message::SCHEMA.iter().filter(|row| row.families == 0).count());
}

/// Every message that only Q2PRO has, and values beyond id's limits.
#[test]
fn every_message_of_q2pro() {
    for sample in q2pro_samples() {
        let (mut demo, mut context) = (Demo::new(&sample.bytes[..]).unwrap(), Context::quake2());
        let (mut seen, mut entities, mut kinds) = (std::collections::BTreeSet::new(), Vec::new(), Vec::new());
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            let mut messages = block.messages::<Quake2>(context);
            for entry in messages.by_ref() {
                seen.insert(entry.message.schema().name);
                match entry.message {
                    dm2::Message::Q2proEntities(it) => entities.extend(it.entities.iter()),
                    dm2::Message::Q2proTempEntity(it) => kinds.push(it.effect.get().unwrap().flags.number()),
                    _ => {}
                }
            }
            context = *messages.context();
        }
        let own = dm2::Message::SCHEMA.iter().filter(|row| row.families & family::Q2PRO != 0);
        assert!(own.clone().count() == 5 && own.clone().all(|row| seen.contains(row.name)), "{seen:?}");
        let wide = entities.iter().find(|it| it.entity.0 == 700).unwrap();
        assert_eq!((wide.modelindex.0, wide.alpha.0, wide.scale), (300, 128, 32), "{}", sample.name);
        assert_eq!((wide.sound.index(), wide.morefx.0, wide.solid), (1000, 0x8000_0000, 0x4018_1010));
        assert!([56, 63, 128].iter().all(|kind| kinds.contains(kind)));
    }
}
