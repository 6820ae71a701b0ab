//! If an engine still objects to a converted recording, the edit that the note recommends removes the objection.

#[path = "../../../check/tests/cut/mod.rs"]
mod cut;

use cut::{Cut, MIDDLE};
use moviola_check::{CheckCode, Engine, check};
use moviola_edit::{Chain, Convert, Repair, Rewrite, rewrite};
use std::rc::Rc;

/// A recording for each code with `repair` as its remedy, and an engine that objects to it.
fn damaged() -> Vec<(CheckCode, &'static str, Vec<u8>)> {
    let time = |time: f32| [&[7], &time.to_le_bytes()[..]].concat();
    let mut explodes = Cut::quake();
    explodes.blocks.truncate(MIDDLE);
    for (now, bang) in [(20.0, false), (20.1, true), (20.2, false), (19.0, false), (20.3, false)] {
        let bang: &[u8] = if bang { &[0x17, 3, 0, 0, 0, 0, 0, 0] } else { &[] };
        explodes.blocks.push(explodes.block(&[&time(now)[..], bang].concat()));
    }
    let mut holes = Cut::quake2();
    holes.blocks.drain(MIDDLE..MIDDLE + 3);
    let cut = Cut::quake().bytes();
    let place = [8.0, 16.0, 24.0];
    let loads = Cut::quake2();
    let at = loads.blocks.iter().position(|block| block.windows(8).any(|it| it == b"precache")).unwrap();
    let unloaded = loads.patch(at, b"precache", b"prepare_");
    vec![
        (CheckCode::ClockBack, "quakespasm", Cut::quake().insert(MIDDLE + 2, &time(-0.45)).bytes()),
        (CheckCode::ClockLeap, "quakespasm", Cut::quake().insert(MIDDLE + 2, &time(1e9)).bytes()),
        (CheckCode::ClockSparks, "quakespasm", explodes.bytes()),
        (CheckCode::EarlyEnd, "quakespasm", Cut::quake().append(MIDDLE, b"\x02").bytes()),
        (CheckCode::SignonOrder, "quakespasm", Cut::quake().append(MIDDLE, b"\x19\x02").bytes()),
        (CheckCode::SignonStage, "quakespasm", Cut::quake().append(MIDDLE, b"\x19\x05").bytes()),
        (CheckCode::TruncatedBlock, "quakespasm", cut[..cut.len() - 18].to_vec()),
        (CheckCode::DeltaMissing, "yamagi", holes.bytes()),
        (
            CheckCode::Direction,
            "yamagi",
            Cut::quake2().append(MIDDLE, &moviola_scribe::dm2::temp_impact(0, place, 162)).bytes(),
        ),
        (CheckCode::OutOfPlace, "yamagi", Cut::quake2().append(MIDDLE, &[18, 0, 0]).bytes()),
        (CheckCode::SentAway, "yamagi", Cut::quake2().append(MIDDLE, b"\x0bdisconnect\n\0").bytes()),
        (CheckCode::NoPrecache, "yamagi", unloaded.bytes()),
    ]
}

fn found(file: &[u8]) -> Vec<CheckCode> {
    check(file).unwrap().findings.iter().map(|it| it.code).collect()
}

#[test]
fn the_remedy_that_a_conversion_names_mends_the_rest() {
    for (code, engine, file) in damaged() {
        let engine = Engine::find(engine).unwrap();
        assert!(found(&file).contains(&code), "{code:?}");
        let shared = Rc::new(file.clone());
        let mut chain = Chain::of(Rc::new(move || Ok(Box::new(std::io::Cursor::new(shared.to_vec())))));
        let mut convert = Convert::for_engine(engine);
        convert.look(&file[..]).unwrap();
        chain.then(convert);
        chain.judge(Some(engine.name)).unwrap();
        let notes = chain.write(Vec::new()).unwrap().remove(0).notes;
        let number = code.number();
        let note =
            notes.iter().find(|it| it.contains(number)).unwrap_or_else(|| panic!("{code:?}: {notes:?}"));
        assert!(note.ends_with("; `repair` fixes that"), "{note}");
        let whole = repaired(&file);
        assert!(!found(&whole).contains(&code), "{code:?}: {:?}", found(&whole));
    }
}

#[test]
fn a_conversion_names_the_edit_that_helps() {
    for (name, words) in [
        ("dm2-34-server", "`view` makes"),
        ("dm2-34-relay", "`view` makes"),
        ("dm2-34-levels", "`split` takes the levels apart"),
    ] {
        let file = Rc::new(Cut::of(name).bytes());
        let mut chain = Chain::of(Rc::new(move || Ok(Box::new(std::io::Cursor::new(file.to_vec())))));
        chain.then(Convert::for_engine(Engine::find("yamagi").unwrap()));
        chain.judge(Some("yamagi")).unwrap();
        let notes = chain.write(Vec::new()).unwrap().remove(0).notes;
        assert!(notes.iter().any(|it| it.contains(words)), "{name}: {notes:?}");
    }
}

fn repaired(file: &[u8]) -> Vec<u8> {
    let (mut repair, mut whole) = (Repair::look(file).unwrap(), Vec::new());
    rewrite(file, &mut repair, &mut whole).unwrap();
    whole
}

/// Only Q2PRO stops at a download, so it is not damage. A recording for Q2PRO is converted for it.
#[test]
fn a_failed_download_stays_but_for_the_engine_that_stops_there() {
    let failed = b"\x10\xff\xff\0";
    let mut stayed = Vec::new();
    for sample in moviola_scribe::samples().iter().filter(|it| it.name.starts_with("dm2")) {
        let quiet = Cut::of(sample.name);
        let Some(before) = Repair::look(&sample.bytes[..]).ok().filter(|_| quiet.blocks.len() > MIDDLE)
        else {
            continue;
        };
        let loud = quiet.append(MIDDLE, failed).bytes();
        let after = Repair::look(&loud[..]).unwrap();
        assert_eq!(before.damage().stops, after.damage().stops, "{}: {}", sample.name, after.outcome());
        if repaired(&sample.bytes) == sample.bytes {
            assert!(repaired(&loud) == loud, "{}: {}", sample.name, after.outcome());
            stayed.push(sample.name);
        }
    }
    for kind in ["dm2-26-client", "dm2-31-client", "dm2-34-client", "dm2-34-relay"] {
        assert!(stayed.contains(&kind), "{kind} is not among {stayed:?}");
    }
    let file = Cut::quake2().append(MIDDLE, failed).bytes();
    assert!(found(&file).contains(&CheckCode::Download));
    let (mut convert, mut made) = (Convert::for_engine(Engine::find("q2pro").unwrap()), Vec::new());
    convert.look(&file[..]).unwrap();
    rewrite(&file[..], &mut convert, &mut made).unwrap();
    assert!(!found(&made).contains(&CheckCode::Download), "{:?}", found(&made));
}

/// A size below -1 occurs in no real download, and makes engines read the message again.
#[test]
fn a_download_that_stops_every_engine_is_damage() {
    let file = Cut::quake2().append(MIDDLE, b"\x10\xfe\xff\0").bytes();
    assert!(found(&file).contains(&CheckCode::DownloadSize));
    let whole = repaired(&file);
    assert!(!found(&whole).contains(&CheckCode::DownloadSize), "{:?}", found(&whole));
}
