//! Changed recordings, and the engines that played them.

use crate::cut::{Cut, MIDDLE, plays};
use moviola_check::{Playability, check};
use moviola_scribe::dm2;

// The letters stand for id-1.06, id-1.09, quakespasm, darkplaces.

#[test]
fn quake_as_recorded() {
    Cut::quake().plays("YYYY");
    let mut other_track = Cut::quake();
    other_track.header = b"4\n".to_vec();
    other_track.plays("YYYY");
    Cut::quake().append(MIDDLE, b"\x1ahello\0").plays("YYYY");
    (0..5).fold(Cut::quake(), |cut, _| cut.insert(MIDDLE, b"\x01")).plays("YYYY");
    let mut shorter = Cut::quake();
    shorter.blocks.drain(MIDDLE..MIDDLE + 4);
    shorter.plays("YYYY");
}

#[test]
fn a_clock_that_goes_back() {
    // Engines assume that the player has had these weapons since the clock was 0.
    let set = |time: f32| Cut::quake().insert(MIDDLE + 2, &[&[7], &time.to_le_bytes()[..]].concat());
    for (time, expected) in [(0.0, "YYYY"), (-0.25, "YYYY"), (-0.35, "??YY"), (-0.45, "??NY"), (-9.0, "??NY")]
    {
        set(time).plays(expected);
    }
}

#[test]
fn a_clock_that_leaps() {
    let set = |time: f32| Cut::quake().insert(MIDDLE + 2, &[&[7], &time.to_le_bytes()[..]].concat());
    for time in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -5e27, -1e9, 1e9, 1e5] {
        let report = set(time).report();
        let found: Vec<_> = report.findings.iter().map(|it| it.code.number()).collect();
        assert_eq!(found, ["M234"], "{time}");
        let place = report.findings[0].place;
        assert!(place.time.is_none_or(|time| time.abs() < 1e6), "{place:?}");
        set(time).plays("???D");
    }
    // If the clock is also before the pickup of a weapon, it is known which engine crashes.
    set(-15.0).plays("??ND");
}

/// The sparks of an explosion have no color for a time before it.
#[test]
fn a_clock_that_goes_back_after_an_explosion() {
    const EXPLODES: &[u8] = &[0x17, 3, 0, 0, 0, 0, 0, 0];
    const BURST: &[u8] = &[0x12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 70];
    let with_explosion = |bang: &[u8], times: &[f32]| {
        let mut cut = Cut::quake();
        cut.blocks.truncate(MIDDLE);
        for (at, time) in times.iter().enumerate() {
            let time = [&[7], &time.to_le_bytes()[..]].concat();
            cut.blocks.push(cut.block(&[&time[..], if at == 1 { bang } else { &[] }].concat()));
        }
        cut
    };
    for bang in [EXPLODES, BURST] {
        // Nothing happens up to half a second before the explosion, nor after its sparks are gone.
        with_explosion(bang, &[20.0, 20.1, 20.2, 19.5]).plays("YYYY");
        with_explosion(bang, &[20.0, 20.1, 20.2, 19.25]).plays("??NY");
        with_explosion(bang, &[20.0, 20.1, 20.4, 12.0]).plays("??NY");
        with_explosion(bang, &[20.0, 20.1, 20.55, 19.0]).plays("YYYY");
        // Late packets do not end the sparks.
        with_explosion(bang, &[20.0, 20.1, 20.3, 20.2, 18.0]).plays("??NY");
    }
    with_explosion(&[0x17, 4, 0, 0, 0, 0, 0, 0], &[20.0, 20.1, 20.2, 19.0]).plays("YYYY");
}

#[test]
fn quake_ends() {
    let mut junk = Cut::quake();
    junk.tail = b"junk".to_vec();
    junk.plays("YYYY");
    // Bytes after the end do not matter either if they have the shape of a block of which a part can be read.
    let mut shaped = Cut::quake();
    shaped.tail = shaped.block(b"\x07\0\0\x10\x41\x63");
    shaped.plays("YYYY");
    let mut open = Cut::quake();
    open.blocks.pop();
    open.plays("YYYY");
    let cut = Cut::quake().bytes();
    plays(&check(&cut[..cut.len() - 40]).unwrap(), "DDDD");
}

#[test]
fn no_engine_plays_past_a_disconnect() {
    // An illegible message after the end of the recording, or after the end of its first part.
    let junk = b"\x02\x3c\x3c";
    let last = Cut::quake().blocks.len() - 1;
    Cut::quake().append(last, &junk[1..]).plays("YYYY");
    Cut::quake().append(MIDDLE, junk).plays("SSSS");
    Cut::quake().append(MIDDLE, b"\x02\x20\x01").plays("SSSS");
    Cut::quake().prepend(MIDDLE, junk).plays("SSSS");
    let report = Cut::quake().append(MIDDLE, junk).report();
    let found: Vec<_> = report.findings.iter().map(|it| it.code.number()).collect();
    assert_eq!((found, report.raw.len()), (vec!["M101", "M005"], 1));
    assert!(report.findings[0].engines.is_empty());
    Cut::quake2().append(MIDDLE, b"\x07").plays("SSS");
    Cut::quake2().append(MIDDLE, b"\x07\x3c").plays("SSS");
    // After the last block, only the end mark follows.
    let last = Cut::quake2().blocks.len() - 1;
    let ended = Cut::quake2().append(last, b"\x07");
    ended.plays("YYY");
    assert_eq!(ended.report().summary.end, moviola_check::RecordingEnd::Mark);
    let mut open = ended;
    open.tail.clear();
    open.plays("YYY");
    assert_eq!(open.report().summary.end, moviola_check::RecordingEnd::Disconnect);
}

/// Blocks after the end count if the recording continues, even if some of them can only be read in part.
#[test]
fn blocks_that_continue_after_the_end_count() {
    // The third block after the end is sound, the two before it are not.
    for (cut, halves) in [
        (Cut::quake().append(MIDDLE, b"\x02"), [&b"\x63\x01"[..], b"\x61"]),
        (Cut::quake2().append(MIDDLE, b"\x07"), [b"\x63\x01", b"\x61"]),
    ] {
        let whole = cut.report().summary;
        let [first, second] = halves;
        let report = cut.append(MIDDLE + 1, first).append(MIDDLE + 2, second).report();
        let summary = &report.summary;
        assert_eq!((summary.blocks, summary.messages), (whole.blocks, whole.messages));
        assert_eq!((summary.length, summary.end), (whole.length, whole.end));
        assert_eq!((summary.raw.count, summary.raw.bytes), (2, 3));
        let raw: Vec<_> = report.raw.iter().map(|it| it.place.block.unwrap()).collect();
        assert_eq!(raw, [MIDDLE as u64 + 1, MIDDLE as u64 + 2]);
        let found: Vec<_> = report.findings.iter().map(|it| (it.code.number(), it.count)).collect();
        assert_eq!(found, [("M005", 1), ("M101", 1), ("M101", 1)]);
        assert!(report.engines.iter().all(|it| it.plays == Playability::StopsEarly), "{:#?}", report.engines);
    }
}

/// Junk never looks like this many partly readable blocks in a row.
#[test]
fn many_halves_after_the_end_are_not_junk() {
    let halves = |count: usize| {
        let mut cut = Cut::quake();
        let half = cut.block(b"\x07\0\0\x10\x41\x63");
        cut.tail = half.repeat(count);
        let report = cut.report();
        let codes: Vec<_> = report.findings.iter().map(|it| (it.code.number(), it.count)).collect();
        (codes, report.summary.blocks - cut.blocks.len() as u64)
    };
    assert_eq!(halves(7), (vec![("M004", 1)], 0));
    assert_eq!(halves(8), (vec![("M005", 1), ("M101", 8), ("M002", 1)], 8));
}

/// An end in every block: the state before each of them is not kept forever.
#[test]
fn a_recording_of_many_ends_is_read_to_the_last() {
    let mut cut = Cut::quake();
    let blocks = cut.blocks.len() as u64;
    for _ in 0..200 {
        cut.blocks.push(cut.block(b"\x01\x02"));
    }
    cut.tail = cut.block(b"\x63");
    let report = cut.report();
    assert_eq!(report.summary.blocks, blocks + 201);
    let ends = report.findings.iter().find(|it| it.code.number() == "M005").unwrap();
    assert_eq!(ends.count, 201);
}

#[test]
fn commands_that_send_the_player_away() {
    for command in ["changing", "reconnect", "disconnect"] {
        let stuffed = [&[11][..], command.as_bytes(), b"\n\0"].concat();
        let away = Cut::quake2().append(MIDDLE, &stuffed);
        away.plays("SS?");
        assert_eq!(away.report().findings[0].code.number(), "M259", "{command}");
        // After the last frame, and before the next level, this has no effect.
        let last = Cut::quake2().blocks.len() - 1;
        Cut::quake2().append(last, &stuffed).plays(if command == "disconnect" { "SS?" } else { "YYY" });
    }
}

#[test]
fn config_strings_before_their_level_are_forgotten() {
    Cut::quake2().prepend(0, &dm2::configstring(1312, "Nobody\\male/grunt")).plays("DDD");
    let early = Cut::quake2().insert(0, &dm2::configstring(1312, "Nobody\\male/grunt")).report();
    let [found] = &early.findings[..] else { panic!("{:?}", early.findings) };
    assert_eq!((found.code.number(), found.place.block), ("M258", Some(0)));
}

#[test]
fn a_beginning_alone_shows_nothing() {
    let mut alone = Cut::quake2();
    let first = alone.blocks.iter().position(|block| block.get(4) == Some(&20)).unwrap();
    alone.blocks.truncate(first);
    alone.plays("SSS");
    let report = alone.report();
    let [found] = &report.findings[..] else { panic!("{:?}", report.findings) };
    assert_eq!((found.code.number(), found.place.block), ("M013", Some(0)));
}

#[test]
fn quake2_connects_anew() {
    Cut::quake2().append(MIDDLE, b"\x08").plays("DDS");
    Cut::quake2().append(MIDDLE, b"\x08\x3c").plays("NNN");
    let last = Cut::quake2().blocks.len() - 1;
    Cut::quake2().append(last, b"\x08").plays("YYY");
}

/// Removes these stages of joining from the blocks before the first frame.
fn without_stages(stages: &[u8]) -> Cut {
    let mut cut = Cut::quake();
    for (block, stage) in stages.iter().map(|stage| (usize::from(stage - 1), stage)) {
        cut = cut.patch(block, &[0x19, *stage], &[]);
    }
    cut
}

#[test]
fn a_level_that_nobody_joins_is_not_seen() {
    without_stages(&[1, 2]).plays("YYYY");
    without_stages(&[3]).plays("NNNN");
    without_stages(&[1, 2, 3]).plays("NNNN");
    let report = without_stages(&[3]).report();
    let [found] = &report.findings[..] else { panic!("{:?}", report.findings) };
    assert_eq!((found.code.number(), found.place.block), ("M013", Some(0)));
    // A level whose sign-on has no entity is not seen either.
    let mut alone = Cut::quake();
    alone.blocks.truncate(3);
    alone.plays("NNNN");
    // A level may be left again immediately.
    let mut levels = Cut::of("dem-15-levels");
    let first = levels.blocks[..3].to_vec();
    levels.blocks.splice(0..0, first);
    levels.plays("YYYY");
    // If bytes could not be read, the verdict is unknown.
    without_stages(&[3]).append(2, b"\x63").plays("NNNN");
    let report = without_stages(&[3]).append(2, b"\x63").report();
    assert!(report.findings.iter().all(|it| it.code.number() != "M013"), "{:?}", report.findings);
}

#[test]
fn a_stage_above_the_last_hides_the_rest() {
    Cut::quake().append(MIDDLE, b"\x19\x05").plays("SSSS");
    Cut::quake().append(MIDDLE, b"\x19\xff").plays("SSSS");
}

#[test]
fn views_of_nobody() {
    let view = |entity: i16| Cut::quake().append(MIDDLE, &[&[5][..], &entity.to_le_bytes()].concat());
    view(0).plays("YYYY");
    view(599).plays("YYYY");
    view(600).plays("??YY");
    view(32_767).plays("??YY");
    view(-1).plays("??NN");
    view(i16::MIN).plays("??NN");
}

#[test]
fn quake_limits() {
    let update =
        |entity: u16| Cut::quake().append(MIDDLE, &[&b"\x81\x40"[..], &entity.to_le_bytes()].concat());
    update(8191).plays("NNYY");
    update(8192).plays("NNNY");
    let sound = |entity: u16| {
        let sound = [&b"\x06\x08"[..], &entity.to_le_bytes(), b"\0\x01\0\0\0\0\0\0"].concat();
        announced(666).append(MIDDLE, &sound)
    };
    sound(8192).plays("NNYN");
    sound(8193).plays("NNNN");
    let print = |length| Cut::quake().append(MIDDLE, &[&[8][..], &vec![b'a'; length], b"\0"].concat());
    print(2046).plays("YYYY");
    print(2047).plays("NNNY");
}

#[test]
fn trap_50_blocks_longer_than_engines_take_are_read() {
    for (size, plays) in [(8192, "NNYY"), (65_000, "NNNY"), (70_000, "NNNN")] {
        let long = Cut::quake().append(MIDDLE, &vec![1; size]);
        let report = long.report();
        assert_eq!((report.summary.raw.count, report.difference.is_none()), (0, true), "{size}");
        long.plays(plays);
    }
    let long = Cut::quake2().append(MIDDLE, &[6; 1500]);
    assert_eq!(long.report().summary.raw.count, 0);
    long.plays("NNY");
}

#[test]
fn quake_blocks() {
    Cut::quake().append(MIDDLE, &[1; 8192]).plays("NNYY");
    Cut::quake().append(MIDDLE, &vec![1; 65_000]).plays("NNNY");
    Cut::quake().append(MIDDLE, &vec![1; 70_000]).plays("NNNN");
    let empty = Cut::quake().insert(MIDDLE, b"");
    empty.plays("SSSY");
    let report = empty.report();
    let reason = &report.engines[2].reasons[0];
    assert_eq!((reason.code.number(), reason.place.block), ("M007", Some(MIDDLE as u64)));
    let mut negative = Cut::quake();
    negative.blocks[MIDDLE][3] |= 0x80;
    negative.plays("SSSY");
    // DarkPlaces skips bytes up to such a length, here to the end of the file.
    let mut past = Cut::quake();
    past.blocks[MIDDLE][..4].copy_from_slice(&(-5i32).to_le_bytes());
    past.plays("SSSS");
    let mut there = past.bytes();
    there.resize(there.len() + (2 << 20), 1);
    let at = past.header.len() + past.blocks[..MIDDLE].concat().len();
    there[at..at + 4].copy_from_slice(&0x8010_0001u32.to_le_bytes());
    plays(&check(&there[..]).unwrap(), "SSS?");
}

#[test]
fn darkplaces_reads_others_messages_otherwise() {
    // Nehahra's command to switch fog off: DarkPlaces reads one of the player's stats instead, which has one byte more.
    let nehahra = |messages: &[u8]| Cut::of("dem-15-nehahra").append(MIDDLE, messages);
    nehahra(b"\x33\x00").plays("NNNN");
    nehahra(b"\x23place\0picture\0\x05\x06").plays("NNNN");
    Cut::quake().append(MIDDLE, b"\x24place\0").plays("NNNY");
    // In DarkPlaces an achievement is an effect, and a sound for one player is a static entity.
    Cut::quake().append(MIDDLE, b"\x34ACH_SOMETHING\0").plays("NNYN");
    Cut::quake().append(MIDDLE, b"\x38\x00\x05").plays("NNYN");
}

#[test]
fn unread_messages_are_judged_by_their_ids() {
    // An effect of DarkPlaces, which has the id of an achievement.
    let effect = Cut::quake().append(MIDDLE, b"\x34\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a");
    effect.plays("NN??");
    let report = effect.report();
    let [rest] = &report.raw[..] else { panic!("{:?}", report.raw) };
    assert_eq!((rest.code.number(), rest.window.bytes[rest.window.caret]), ("M106", 0x34));
    assert_eq!(rest.place.at, Some(rest.message_at));
    // An update of DarkPlaces, recognized by its second byte of flags.
    let update = Cut::quake().append(MIDDLE, b"\xc3\x84\x02\x07\x03\x04\x40\x01\xc8").report();
    let [rest] = &update.raw[..] else { panic!("{:?}", update.raw) };
    assert_eq!((rest.code.number(), rest.window.bytes[rest.window.caret]), ("M110", 0x84));
}

#[test]
fn the_caret_is_under_an_unknown_id() {
    for id in [99u8, 0x23] {
        let report = Cut::quake().append(MIDDLE, &[id, 1, 2, 3]).report();
        let [rest] = &report.raw[..] else { panic!("{:?}", report.raw) };
        assert_eq!((rest.window.bytes[rest.window.caret], rest.place.at), (id, Some(rest.message_at)));
    }
}

#[test]
fn findings_of_different_numbers_are_separate() {
    let two = Cut::quake().append(MIDDLE, b"\x63").append(MIDDLE + 1, b"\x62").append(MIDDLE + 2, b"\x63");
    let found: Vec<_> = two.report().findings.into_iter().map(|it| (it.message, it.count)).collect();
    let unknown = |id: u8, count| (format!("a message with the unknown id {id}"), count);
    assert_eq!(found, [unknown(99, 2), unknown(98, 1)]);
    // If there are very many findings, not all are listed.
    let mut many = Cut::quake();
    for id in 63..128 {
        many = many.insert(MIDDLE, &[id]);
    }
    let found = many.report().findings;
    assert_eq!(found.len(), 13);
    assert_eq!(found.iter().map(|it| it.count).sum::<u64>(), 65);
    assert_eq!(found[12].message, "a message with the unknown id (others)");
    let protocols = Cut::quake().append(MIDDLE, b"\x04\x10\0\0\0").append(MIDDLE, b"\x04\x11\0\0\0").report();
    let found: Vec<_> = protocols.findings.iter().map(|it| (it.code.number(), it.message.as_str())).collect();
    assert_eq!(found, [("M202", "protocol 16"), ("M202", "protocol 17")]);
}

#[test]
fn the_largest_is_reported_with_the_first() {
    let messages = |cut: Cut| cut.report().findings.into_iter().map(|it| it.message).collect::<Vec<_>>();
    let blocks = |sizes: [usize; 2]| {
        sizes.into_iter().fold(Cut::quake(), |cut, size| cut.insert(MIDDLE, &vec![1; size]))
    };
    // Later messages are inserted before earlier ones.
    assert_eq!(messages(blocks([70_000, 9000])), ["a block of 9000 bytes, up to 70000"]);
    assert_eq!(messages(blocks([8001, 9000])), ["a block of 9000 bytes"]);
}

#[test]
fn unread_recordings_have_no_length() {
    let length = |cut: Cut| cut.report().summary.length;
    assert_eq!(length(Cut::of("dm2-36-known")), None);
    assert_eq!(length(Cut::of("dem-666-rerelease")), None);
    assert!(length(Cut::quake()).is_some_and(|length| length > 1.0));
    assert_eq!(Cut::of("dm2-36-known").report().summary.columns().length, "-");
    assert_eq!(check(&b"text"[..]).unwrap().summary.length, None);
}

#[test]
fn quake_messages() {
    Cut::quake().append(MIDDLE, b"\x00").plays("NNNN");
    // In DarkPlaces this id is a message that is not read here.
    Cut::quake().append(MIDDLE, b"\x3c").plays("NNN?");
    Cut::quake().append(MIDDLE, b"\x63").plays("NNNN");
    Cut::quake().append(MIDDLE, b"\x20\x01").plays("NNNN");
    Cut::quake().append(MIDDLE, b"\x17\x14").plays("NNNN");
    Cut::quake().append(MIDDLE, b"\x19\x02").plays("NNNN");
    // DarkPlaces returns to stage 1 and shows only its console.
    Cut::quake().append(MIDDLE, b"\x19\x01").plays("NNNS");
    Cut::quake().append(MIDDLE, b"\x81\x40\x88\x13").plays("NNYY");
    Cut::quake().append(MIDDLE, b"\x08a\xffb\0").plays("NNYY");
    Cut::quake().append(MIDDLE, b"\x22end\0").plays("NYYY");
    Cut::quake().append(MIDDLE, b"\x0c\x40a\0").plays("NNNY");
    Cut::quake().append(MIDDLE, b"\x03\x20\0\0\0\0").plays("NNNY");
    Cut::quake().append(MIDDLE, b"\x08open").plays("NNNN");
    // A truncated time is still read, a truncated stage is not.
    Cut::quake().append(MIDDLE, b"\x07\0\0").plays("DDDN");
    Cut::quake().append(MIDDLE, b"\x19").plays("NNNN");
}

/// The recording of protocol 15 under another number.
fn announced(protocol: i32) -> Cut {
    Cut::quake().patch(0, b"\x0b\x0f\0\0\0", &[&[11][..], &protocol.to_le_bytes()].concat())
}

#[test]
fn quake_protocols() {
    announced(15).plays("YYYY");
    announced(16).plays("NNNN");
    announced(666).plays("NNYN");
    announced(3501).plays("NNN?");
    let fte = Cut::quake().patch(0, b"\x0b\x0f\0\0\0", b"\x0bFTE2\x08\x01\0\0\x0f\0\0\0");
    fte.plays("NNNN");
    let report = fte.report();
    let protocol = report.summary.protocol.map(|it| (it.number, it.name));
    assert_eq!(protocol, Some((15, Some("FTE extensions"))));
    let found: Vec<_> = report.findings.iter().map(|it| (it.code.number(), it.message.as_str())).collect();
    assert_eq!(found, [("M109", "protocol 15 with FTE's extensions")]);
    Cut::of("dem-666-rerelease").plays("NNNN");
}

#[test]
fn protocols_that_are_kept_raw_have_their_names() {
    let first_finding = |cut: Cut| {
        let report = cut.report();
        let finding = report.findings.into_iter().find(|it| it.code.number() == "M104").unwrap();
        (report.summary.protocol.map(|it| (it.number, it.name)), finding.message)
    };
    for (cut, number, name, message) in [
        (Cut::of("dem-666-rerelease"), 666, Some("KEX"), "protocol 666 (KEX) is kept raw"),
        (announced(3501), 3501, Some("DarkPlaces 4"), "protocol 3501 (DarkPlaces 4) is kept raw"),
        (announced(77), 77, None, "protocol 77 (unknown) is kept raw"),
        (Cut::of("dm2-36-known"), 36, Some("Q2PRO"), "protocol 36 (Q2PRO) is kept raw"),
    ] {
        assert_eq!(first_finding(cut), (Some((number, name)), message.to_owned()));
    }
}

#[test]
fn quake_headers() {
    for (name, expected) in [
        // fscanf finds no number, and its result is not checked (DEM 1.0.9, section 6.1.1).
        ("dem-header-none", "YNNN"),
        ("dem-header-bare-number", "YNNN"),
        ("dem-header-sign-behind", "NYNY"),
        ("dem-header-return", "YYNY"),
        ("dem-header-blank-length", "NYYY"),
    ] {
        Cut::of(name).plays(expected);
    }
}

#[test]
fn quake_generations() {
    Cut::of("dem-15-v106").plays("YNNN");
    Cut::of("dem-15-v107").plays("NYYY");
    Cut::of("dem-15-hipnotic-weaponless").plays("NNNN");
    Cut::of("dem-glued").plays("SSSS");
    // It has a sound of an entity above 8192.
    Cut::of("dem-999-82-default").plays("NNNN");
    Cut::of("dem-10001").plays("NNNY");
}

#[test]
fn before_the_announcement_of_a_level_there_are_no_entities() {
    let early = |messages: &[u8]| Cut::quake().prepend(0, messages);
    early(b"\x17\0\0\0\0\0\0\0").plays("YYYY");
    // A name, a score, colors: there is no slot for the player.
    for player in [&b"\x0d\0abc\0"[..], b"\x0e\0\x01\0", b"\x11\0\x11"] {
        early(player).plays("NNNN");
    }
    // An update, a baseline, a sound of entity 1, to which QuakeSpasm objects; a static entity and a sound of
    // the world.
    for entity in [
        &b"\x80\x01"[..],
        &[22, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        b"\x06\0\x08\0\x01\0\0\0\0\0\0",
    ] {
        early(entity).plays("YYNN");
    }
    for world in [&[20; 14][..], b"\x06\0\0\0\x01\0\0\0\0\0\0"] {
        early(world).plays("YYYN");
    }
}

#[test]
fn quake_crashes() {
    let explosion = |colors| Cut::quake().append(MIDDLE, &[0x17, 12, 0, 0, 0, 0, 0, 0, 80, colors]);
    explosion(1).plays("NYYY");
    explosion(0).plays("NNNY");
    for id in [0x1a, 0x1f] {
        let text = |size| Cut::quake().append(MIDDLE, &[&[id][..], &vec![b'a'; size], b"\0"].concat());
        text(1023).plays("YYYY");
        text(1024).plays("YYNY");
    }
    let empty = b"\x0b\x0f\0\0\0\x01\0Nowhere\0\0\0";
    Cut::quake().insert(3, empty).plays("NNNN");
}

// The letters stand for id-q2-3.20, yamagi, q2pro.

#[test]
fn fields_of_view() {
    let frame = |number: u8, back: i32, fov: &[u8]| {
        let head = [&[20, number, 0, 0, 0][..], &back.to_le_bytes(), &[0, 0]].concat();
        let player = if fov.is_empty() { vec![17, 0, 0] } else { [&[17, 0, 8][..], fov].concat() };
        [&head[..], &player, &[0, 0, 0, 0, 18, 0, 0]].concat()
    };
    let view = |fov: &[u8]| Cut::quake2().append(MIDDLE, &frame(200, -1, fov));
    for fov in [1, 90, 179] {
        view(&[fov]).plays("YYY");
    }
    view(&[180]).plays("NNY");
    view(&[255]).plays("NNY");
    view(&[0]).plays("NNN");
    // A full frame without a field of view has none; the next frame inherits that of the frame before.
    view(&[]).plays("NNN");
    view(&[90]).append(MIDDLE + 1, &frame(201, 200, &[])).plays("YYY");
}

#[test]
fn config_strings_of_quake2() {
    let with = |index, size: usize| Cut::quake2().append(MIDDLE, &dm2::configstring(index, vec![b'x'; size]));
    with(2079, 63).plays("YYY");
    with(2079, 64).plays("?ND");
    with(2078, 127).plays("YYY");
    with(2078, 128).plays("?ND");
    // A level is loaded once, by the last name before its first frame.
    let other = |at| Cut::quake2().append(at, &dm2::configstring(33, "maps/other.bsp")).report().summary.maps;
    assert_eq!((other(1), other(MIDDLE)), (vec!["other".to_owned()], vec!["base1".to_owned()]));
    Cut::quake2().append(1, &dm2::configstring(33, "")).plays("SSN");
}

#[test]
fn pieces_of_files() {
    for (size, plays) in [(-1i16, "YYN"), (0, "YYN"), (-2, "NNN")] {
        let piece = [&[16][..], &size.to_le_bytes(), &[50]].concat();
        Cut::quake2().append(MIDDLE, &piece).plays(plays);
    }
}

#[test]
fn quake2_as_recorded() {
    Cut::quake2().plays("YYY");
    Cut::quake2().append(MIDDLE, b"\x0a\x02hello\0\x06").plays("YYY");
    Cut::quake2().prepend(MIDDLE, b"\x0a\x02hello\0").plays("YYY");
}

#[test]
fn quake2_ends() {
    let mut open = Cut::quake2();
    open.tail.clear();
    open.plays("YYN");
    let cut = open.bytes();
    plays(&check(&cut[..cut.len() - 20]).unwrap(), "DDN");
    let mut junk = Cut::quake2();
    junk.tail.extend(b"junk");
    junk.plays("YYY");
}

#[test]
fn quake2_blocks() {
    Cut::quake2().insert(MIDDLE, b"").plays("SYY");
    Cut::quake2().append(MIDDLE, &[6; 1500]).plays("NNY");
    Cut::quake2().append(MIDDLE, &vec![6; 33_000]).plays("NNN");
    let mut shorter = Cut::quake2();
    shorter.blocks.drain(MIDDLE..MIDDLE + 3);
    shorter.plays("DDD");
}

#[test]
fn quake2_messages() {
    let with_messages = |messages: &[u8]| Cut::quake2().append(MIDDLE, messages);
    with_messages(b"\x00").plays("NNN");
    with_messages(b"\x3c").plays("NNN");
    with_messages(b"\x0a").plays("NNN");
    // A sound of entity -1: the number has a sign.
    with_messages(&[9, 8, 1, 0xFF, 0xFF]).plays("YYY");
    with_messages(&[9, 8, 1, 0xFF, 0x7F]).plays("NNN");
    with_messages(&[&[5][..], &[0; 511]].concat()).plays("NNN");
    let place = [8.0, 16.0, 24.0];
    with_messages(&dm2::temp_forcewall(place, place, 3)).plays("YYY");
    // A number of 16 bits, as the document has it.
    with_messages(&[dm2::temp_forcewall(place, place, 3), vec![0]].concat()).plays("NNN");
    with_messages(&dm2::temp_impact(46, place, 5)).plays("YYY");
    with_messages(&dm2::temp_impact(55, place, 5)).plays("YYY");
    with_messages(&dm2::temp_impact(0, place, 162)).plays("NNN");
    with_messages(&dm2::temp_line(31, place, place)).plays("NNY");
    with_messages(&dm2::temp_example(34, 32).unwrap()).plays("NNN");
    with_messages(&dm2::configstring(2080, "x")).plays("NNN");
    with_messages(&dm2::muzzleflash(0, 1)).plays("NNN");
    with_messages(&dm2::print(1, b"a\xffb")).plays("NYY");
}

#[test]
fn quake2_announcements() {
    let protocol = |number: i32| {
        Cut::quake2().patch(
            0,
            &[&[12][..], &34i32.to_le_bytes()].concat(),
            &[&[12][..], &number.to_le_bytes()].concat(),
        )
    };
    protocol(33).plays("YYY");
    // The byte that protocol 26 does not have is still in the frame.
    protocol(26).plays("NNN");
    let codes: Vec<_> = protocol(26).report().findings.iter().map(|found| found.code.number()).collect();
    assert!(codes.contains(&"M252") && !codes.contains(&"M245"), "{codes:?}");
    for number in [35, 36, 99] {
        protocol(number).plays("??N");
    }
    for word in [0, 1, 2, 0x80] {
        let mut changed = Cut::quake2();
        // Length, id, protocol and key precede it.
        changed.blocks[0][4 + 9] = word;
        changed.plays("YYY");
    }
}

#[test]
fn quake2_kinds() {
    Cut::of("dm2-34-server").plays("NNN");
    Cut::of("dm2-34-relay").plays("NNN");
    Cut::of("dm2-34-levels").plays("S?N");
    Cut::of("dm2-34-early-mark").plays("SSS");
    Cut::of("dm2-25-test").plays("NNN");
}
