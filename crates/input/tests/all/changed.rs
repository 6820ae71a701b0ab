//! Edited recordings are recognized as the same kind, or the edit is refused; `fmt` keeps the meaning of a text.

use moviola_input::{
    InputCode, InputEdit, InputReport, InputSummary, InputTextOptions, TicChange, compare, compile,
    decompile, edit, format,
};
use std::io::Cursor;

/// DOOM 1.9 with two tics, and a `PrBoom` footer of two lumps.
fn recording() -> Vec<u8> {
    let footer =
        b"PWAD\x02\0\0\0\x17\0\0\0\"109\"one\0\0\0\x0c\0\0\0\x05\0\0\0VERSION\0\x11\0\0\0\x03\0\0\0PORTNAME";
    let mut bytes = b"\x6d\x03\x01\x04\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x32\0\0\0\x80".to_vec();
    bytes.extend(footer);
    bytes
}

fn edited(bytes: &[u8], change: &InputEdit) -> Result<Vec<u8>, String> {
    let mut made = Vec::new();
    let done = edit(bytes, &mut made, Cursor::new(Vec::new()), change);
    done.map(|()| made).map_err(|error| error.to_string())
}

fn with_version(version: &str) -> InputEdit {
    InputEdit { version: Some(version.into()), ..InputEdit::default() }
}

fn set(key: &str, value: &str) -> InputEdit {
    InputEdit { set: vec![(key.into(), value.into())], ..InputEdit::default() }
}

#[test]
fn versions_with_another_header_are_refused() {
    let original = recording();
    for version in ["99", "101", "202", "203", "214", "221", "255"] {
        let why = edited(&original, &set("Version", version)).unwrap_err();
        assert!(why.contains("another header") || version == "255", "{version}: {why}");
        let why = edited(&original, &with_version(version)).unwrap_err();
        assert!(why.contains("104, 105, 106, 107, 108, 109, 110, 111, and 0"), "{version}: {why}");
    }
    // Versions before 1.6 are of DOOM alone.
    for (version, map) in [
        ("104", "E1M4"),
        ("108", "E1M4 or MAP04"),
        ("110", "E1M4 or MAP04"),
        ("111", "E1M4 or MAP04"),
        ("0", "E1M4"),
    ] {
        let made = edited(&original, &with_version(version)).unwrap();
        let game = (version == "0").then_some("doom");
        let summary = InputSummary::read(&made[..], game).unwrap();
        assert_eq!((summary.tics, summary.map().as_str()), (2, map), "{version}");
    }
}

#[test]
fn doom_before_1_4_can_be_named() {
    let old = edited(&recording(), &with_version("0")).unwrap();
    for word in ["doom", "d", "doom2", "doom-1.2"] {
        assert_eq!(InputSummary::read(&old[..], Some(word)).unwrap().tics, 2, "{word}");
    }
}

#[test]
fn values_that_no_game_has_are_refused() {
    for (key, value) in [("Skill", "0"), ("Map", "0"), ("Episode", "0")] {
        let why = edited(&recording(), &set(key, value)).unwrap_err();
        assert!(why.contains("skills are 1 to 5"), "{key}: {why}");
    }
    assert!(edited(&recording(), &set("Skill", "5")).is_ok());
}

#[test]
fn names_of_lumps_stay_unchanged() {
    let (mut text, mut tidy, mut made) = (Vec::new(), Vec::new(), Vec::new());
    decompile(&recording()[..], &mut text, &InputTextOptions::default()).unwrap();
    assert!(String::from_utf8_lossy(&text).contains(" VERSION:"), "{}", String::from_utf8_lossy(&text));
    format(&text[..], &mut tidy).unwrap();
    compile(&tidy[..], &mut made, Cursor::new(Vec::new())).unwrap();
    assert_eq!(made, recording());
}

#[test]
fn doom_before_1_4_has_no_map_of_doom_ii() {
    let high = edited(&recording(), &set("Map", "15")).unwrap();
    assert!(edited(&high, &with_version("0")).unwrap_err().contains("no game has such"));
}

#[test]
fn without_an_end_mark_there_is_no_place_for_a_footer() {
    let whole = recording();
    let mark = whole.iter().position(|byte| *byte == 0x80).unwrap();
    let why = edited(&whole[..mark], &set("PORTNAME", "mine")).unwrap_err();
    assert!(why.contains("no end mark"), "{why}");
}

/// A recording of DOOM 1.9 in which player 1 walks these steps.
fn walked(steps: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut bytes = b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0".to_vec();
    bytes.extend(steps.into_iter().flat_map(|step| [step, 0, 0, 0]));
    bytes.push(0x80);
    bytes
}

#[test]
fn tics_that_only_one_recording_has_are_named() {
    let steps = |count: u32| (0..count).map(|at| (at * 7 % 50 + 1) as u8);
    let long_walk = walked(steps(200));
    let more = walked(steps(80).chain([99; 10]).chain(steps(200).skip(80)));
    let run = |a: &[u8], b: &[u8]| {
        let found = compare(a, b, None, 10).unwrap();
        assert_eq!(found.tics, 10, "{:?}", found.runs);
        let (first, last) = (found.runs.first().unwrap(), found.runs.last().unwrap());
        (first.how, first.first, last.last)
    };
    assert_eq!(run(&long_walk, &more), (TicChange::OnlyInSecond, 81, 90));
    assert_eq!(run(&more, &long_walk), (TicChange::OnlyInFirst, 81, 90));
    let changed = walked(steps(80).chain([99; 10]).chain(steps(200).skip(90)));
    assert_eq!(run(&long_walk, &changed), (TicChange::Changed, 81, 90));
    // One recording has more tics at its end.
    assert_eq!(run(&long_walk, &walked(steps(190))), (TicChange::OnlyInFirst, 191, 200));
    // Recordings of different runs differ up to their ends, whatever their lengths.
    let other = walked((0..5000).map(|at| (at * 11 % 50 + 60) as u8));
    let found = compare(&long_walk[..], &other[..], None, 10).unwrap();
    assert_eq!(found.tics, 5000);
}

#[test]
fn texts_of_footers_that_differ_are_named() {
    let made = edited(&recording(), &set("PORTNAME", "mine")).unwrap();
    let found = compare(&recording()[..], &made[..], None, 10).unwrap();
    assert!(found.footer && found.tics == 0);
    assert!(
        found.texts.iter().any(|it| it.starts_with("PORTNAME: ") && it.ends_with("-> \"mine\"")),
        "{:?}",
        found.texts
    );
}

fn compiled(text: &str) -> Result<Vec<u8>, String> {
    let mut made = Vec::new();
    compile(text.as_bytes(), &mut made, Cursor::new(Vec::new())).map_err(|error| format!("{error:?}"))?;
    Ok(made)
}

#[test]
fn words_that_overwrite_each_other_are_refused() {
    let text = |game: &str, words: &str| {
        compiled(&format!(
            "HeaderStart\n Game: {game}\n Skill: 4\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\n{words}\nDataEnd\n"
        ))
    };
    for words in [
        "GF50 GF20",
        "GF50 GB20",
        "FW U2",
        "U2 FW",
        "TL3 TR3",
        "NW3 NW4",
        "SG1 FW",
        "FW FW",
        "LU3 LD2",
        "ATa ATb",
    ] {
        let why = text("HERETIC", words).unwrap_err();
        assert!(why.contains("RepeatedField"), "{words}: {why}");
    }
    for words in ["GF50 SR24 TL3 FW UT NW3", "JU ATa", "LU3 FD2 FW", "WT"] {
        assert!(text("HERETIC", words).is_ok(), "{words}");
    }
}

#[test]
fn a_version_of_another_layout_does_not_compile() {
    let text = |version: &str| {
        compiled(&format!(
            "HeaderStart\n Game: DOOM or DOOM ][\n Version: {version}\n Skill: 4\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\nWT\nDataEnd\n"
        ))
    };
    assert!(text("221").unwrap_err().contains("another header"));
    assert!(text("1.9").is_ok() && text("109").is_ok());
}

#[test]
fn lxdoom_has_no_byte_of_compatibility() {
    let header = b"\xcb\x1dBoom\xe6\x03\x01\x04\0\0";
    let mut lx = header.to_vec();
    lx.resize(0x4c, 0);
    lx.push(1);
    lx.resize(0x6c, 0);
    lx.extend(b"\x32\0\0\x01\x80");
    let summary = InputSummary::read(&lx[..], None).unwrap();
    assert_eq!(
        (summary.game.as_str(), summary.skill, summary.map().as_str(), summary.tics),
        ("LXDOOM", Some(4), "E1M4 or MAP04", 1)
    );
    // The form that other readers expect, with the byte. Engines do not play it.
    lx.insert(7, 0);
    let summary = InputSummary::read(&lx[..], None).unwrap();
    let report = InputReport::of(&summary);
    assert_eq!((summary.game.as_str(), summary.tics), ("MBF", 1));
    assert_eq!(report.findings, [InputCode::StrangeSignature]);
    assert!(report.engines.iter().all(|it| !it.plays));
}

#[test]
fn engines_as_they_were_measured() {
    let plays = |bytes: &[u8]| {
        let summary = InputSummary::read(bytes, None).unwrap();
        let report = InputReport::of(&summary);
        report.engines.iter().filter(|it| it.plays).map(|it| it.engine).collect::<Vec<_>>()
    };
    let old = edited(&walked([50; 40]), &with_version("0")).unwrap();
    assert_eq!(plays(&old), ["chocolate-doom", "dsda-doom"]);
    let mbf21 = |flags: u8| {
        let mut bytes = b"\xdd\x1dMBF\xe6\0\x03\x01\x01\0\0".to_vec();
        bytes.resize(0x20, 0);
        bytes.push(flags);
        bytes.resize(0x21 + usize::from(flags), 0);
        bytes.push(1);
        bytes.resize(0x41 + usize::from(flags), 0);
        bytes.extend(b"\x32\0\0\0\x01\x80");
        bytes
    };
    assert_eq!(plays(&mbf21(25)), ["dsda-doom"]);
    assert!(plays(&mbf21(26)).is_empty());
    let wrapped = |version: u8| {
        let extra = usize::from(version) - 1;
        let mut bytes = b"\xff\x1dDSDA\xe6".to_vec();
        bytes.push(version);
        let end = bytes.len() + 8 + extra + 13 + 5;
        bytes.extend((end as u32).to_be_bytes());
        bytes.extend(1u32.to_be_bytes());
        bytes.extend(vec![0; extra]);
        bytes.extend(b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\0\x80");
        bytes
    };
    assert_eq!(plays(&wrapped(2)), ["dsda-doom"]);
    assert!(plays(&wrapped(3)).is_empty());
}

#[test]
fn no_value_of_a_text_is_dropped_silently() {
    let text = |header: &str, words: &str, footer: &str| {
        compiled(&format!(
            "HeaderStart\n Game: DOOM or DOOM ][\n Version: 1.9\n{header} Skill: 4\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\n{words}\nDataEnd\n{footer}"
        ))
    };
    // Named texts make the footer a WAD file.
    let made = text("", "WT", "FooterStart\n PORTNAME: \"mine\"\nFooterEnd\n").unwrap();
    assert_eq!(InputSummary::read(&made[..], None).unwrap().port.as_deref(), Some("mine"));
    // dsda-doom's byte of actions has a bit for each part that follows it.
    for words in ["GF50 XV5", "GF50 XS3", "GF50 XL2", "X32 XV5", "XS1 XL2 XV7"] {
        let made = text(" Wrapper: DSDA 2\n", words, "").unwrap();
        let mut again = Vec::new();
        decompile(&made[..], &mut again, &InputTextOptions { bare: true, ..InputTextOptions::default() })
            .unwrap();
        let again = String::from_utf8(again).unwrap();
        let last = words.split(' ').next_back().unwrap();
        assert!(again.contains(last), "{words}: {again}");
    }
}

#[test]
fn edits_do_not_change_whose_the_records_are() {
    let one = recording();
    for (key, value) in [("Player1", "1"), ("ViewOfPlayer", "3")] {
        let why = edited(&one, &set(key, value)).map(|_| ()).unwrap_err();
        assert!(why.contains("cannot change") || why.contains("does not play"), "{key}: {why}");
    }
}

#[test]
fn verdicts_on_views_maps_and_key_frames() {
    let failing = |bytes: &[u8]| {
        let report = InputReport::of(&InputSummary::read(bytes, Some("doom")).unwrap());
        report.engines.iter().filter(|it| !it.plays).count()
    };
    let mut old = edited(&walked([50; 40]), &with_version("0")).unwrap();
    assert_eq!(failing(&old), 1);
    // The first player does not play.
    old[3..5].swap(0, 1);
    assert_eq!(failing(&old), 3);
    let mut map_0 = walked([50; 40]);
    map_0[3] = 0;
    assert_eq!(failing(&map_0), 0);
    let wrapped =
        b"\xff\x1dDSDA\xe6\x02\0\0\0\x23\0\0\0\x01\x01\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\0\x80";
    let report = InputReport::of(&InputSummary::read(&wrapped[..], None).unwrap());
    assert!(report.findings.contains(&InputCode::KeyFrame));
    assert!(report.engines.iter().all(|it| !it.plays));
}

#[test]
fn texts_of_a_footer_are_read_with_other_bytes_around_them() {
    let whole = recording();
    let mark = whole.iter().position(|byte| *byte == 0x80).unwrap();
    let (run, footer) = whole.split_at(mark + 1);
    let noted = [run, b"a note\n", footer, b"\nand another"].concat();
    assert_eq!(InputSummary::read(&noted[..], None).unwrap().port.as_deref(), Some("one"));
    let mut text = Vec::new();
    decompile(&noted[..], &mut text, &InputTextOptions::default()).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains(" Bytes: \"a note\\n\"\n Format: PWAD\n"), "{text}");
    assert_eq!(compiled(&text).unwrap(), noted);
    let made = edited(&noted, &set("PORTNAME", "two")).unwrap();
    assert_eq!(made.len(), noted.len());
    let differs = made.iter().zip(&noted).filter(|(one, two)| one != two).count();
    assert_eq!(differs, 3);
    // A footer that is only a note keeps the note, and a WAD file is added after it.
    let made = edited(&[run, b"a note"].concat(), &set("PORTNAME", "mine")).unwrap();
    assert!(made.starts_with(&[run, b"a note", b"PWAD"].concat()));
    assert_eq!(InputSummary::read(&made[..], None).unwrap().port.as_deref(), Some("mine"));
    let why = edited(&[run, b"a note", &footer[..20]].concat(), &set("PORTNAME", "mine")).unwrap_err();
    assert!(why.contains("damaged"), "{why}");
}

#[test]
fn losses_are_reported() {
    let text = |game: &str, skill: u32| {
        format!(
            "HeaderStart\n Game: {game}\n Skill: {skill}\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\nGF50\nDataEnd\n"
        )
    };
    for (game, skill, unrecognizable) in
        [("HERETIC", 4, false), ("HERETIC", 99, true), ("DOOM or DOOM ][\n Version: 1.9", 9, false)]
    {
        let mut bytes = Vec::new();
        let made = compile(text(game, skill).as_bytes(), &mut bytes, Cursor::new(Vec::new())).unwrap();
        assert_eq!(made.unrecognizable, unrecognizable, "{game} {skill}");
        let found = moviola_input::kind(&bytes, true);
        assert_eq!(found.is_none(), unrecognizable, "{game} {skill}: {found:?}");
    }
}

#[test]
fn the_second_of_two_equal_words_is_marked() {
    let text = b"HeaderStart\n Game: HERETIC\n Skill: 4\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\nFW UT FW\nDataEnd\n";
    let Err(moviola_text::CompileError::Mistakes(mistakes)) =
        compile(&text[..], Vec::new(), Cursor::new(Vec::new()))
    else {
        panic!("compiled")
    };
    assert_eq!((mistakes[0].line, mistakes[0].column, mistakes[0].length), (8, 7, 2));
}

#[test]
fn summaries_follow_what_engines_play() {
    // Two players, and a third record.
    let two = b"\x6d\x03\x01\x21\0\0\0\0\0\x01\x01\0\0\x32\0\0\x01\x32\0\0\0\x19\0\0\0\x80";
    let summary = InputSummary::read(&two[..], None).unwrap();
    assert_eq!((summary.tics, summary.incomplete, summary.strange_map), (1, true, true));
    let with_command = |command: &str| {
        let footer = format!("FooterStart\n CMDLINE: \"{}\"\nFooterEnd\n", command.replace('"', "\\\""));
        let text = format!(
            "HeaderStart\n Game: DOOM ][\n Version: 1.9\n Skill: 4\n Episode: 1\n Map: 33\nHeaderEnd\nDataStart\nWT\nDataEnd\n{footer}"
        );
        InputSummary::read(&compiled(&text).unwrap()[..], None).unwrap()
    };
    assert!(!with_command("-iwad doom2.wad -file more.wad").strange_map);
    for (command, level) in [
        ("-iwad doom2.wad -complevel 4", Some(4)),
        ("-iwad \"c:\\\\games\\\\doom2.wad\" -complevel vanilla", Some(2)),
        ("-iwad doom.wad -complevel Vanilla", Some(3)),
        ("-iwad plutonia -complevel vanilla", Some(4)),
        ("-complevel vanilla", None),
        ("-complevel mbf21", Some(21)),
    ] {
        assert_eq!(with_command(command).complevel, level, "{command}");
    }
}

#[test]
fn a_note_after_the_mark_does_not_change_the_game() {
    // Heretic at E1M1, walking and turning.
    let mut run = b"\x03\x01\x01\x01\0\0\0".to_vec();
    for tic in 0..200u8 {
        run.extend([if tic % 50 < 40 { 25 } else { 0 }, 0, tic % 3, tic / 64, 0, 0]);
    }
    run.push(0x80);
    assert_eq!(InputSummary::read(&run[..], None).unwrap().game, "HERETIC");
    for note in [&b"\x1a"[..], b"\0", b"\n", b"\x80", b"made with a tool\r\n"] {
        let noted = [&run[..], note].concat();
        let summary = InputSummary::read(&noted[..], None).unwrap();
        assert_eq!(
            (summary.game.as_str(), summary.tics, summary.end_mark),
            ("HERETIC", 200, true),
            "{note:?}"
        );
        let stripped = edited(&noted, &InputEdit { strip_footer: true, ..InputEdit::default() }).unwrap();
        assert_eq!(stripped, run);
    }
    // The same for DOOM before 1.4.
    let mut old = b"\x03\x01\x01\x01\0\0\0".to_vec();
    for tic in 0..201u8 {
        old.extend([if tic % 50 < 40 { 25 } else { 0 }, 0, tic % 3, tic / 64]);
    }
    old.extend(b"\x80 a note");
    let summary = InputSummary::read(&old[..], None).unwrap();
    assert_eq!((summary.game.as_str(), summary.tics), ("DOOM", 201));
}

#[test]
fn changes_that_would_lose_something_are_refused() {
    let long = |turn: i16| {
        let mut bytes = b"\x6f\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0".to_vec();
        bytes.extend(turn.to_le_bytes());
        bytes.extend(b"\x01\x80");
        bytes
    };
    assert_eq!(edited(&long(512), &with_version("109")).unwrap()[15], 2);
    assert!(edited(&long(1), &with_version("109")).unwrap_err().contains("out of step"));
    let wait = InputEdit { wait: u64::MAX, ..InputEdit::default() };
    assert!(edited(&recording(), &wait).unwrap_err().contains("idle seconds"));
    let beyond =
        b"\xff\x1dDSDA\xe6\x02\0\0\xea\x60\0\0\0\x01\0\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\0\x80";
    let report = InputReport::of(&InputSummary::read(&beyond[..], None).unwrap());
    assert!(report.findings.contains(&InputCode::EndBeyond) && report.engines.iter().all(|it| !it.plays));
}

#[test]
fn notes_after_the_data_are_ignored_and_counted() {
    let text = b"HeaderStart\n Game: HERETIC\n Skill: 4\n Episode: 1\n Map: 2\nHeaderEnd\nDataStart\nGF50\nDataEnd\nmy best run\n";
    let made = compile(&text[..], Vec::new(), Cursor::new(Vec::new())).unwrap();
    assert_eq!((made.records, made.ignored), (1, 1));
}
