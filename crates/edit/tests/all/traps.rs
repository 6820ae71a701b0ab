//! The traps of editing among the fifty that `format`'s `traps.rs` counts: 46 to 49.

use moviola_check::{CheckCode, CheckReport, check};
use moviola_edit::{Convert, Cut, EditSummary, Rewrite, Set, Spans, rewrite};
use moviola_format::{Context, Demo, Piece, Quake, Quake2, dem, dm2};
use moviola_scribe::samples;

fn sample(name: &str) -> Vec<u8> {
    samples().into_iter().find(|sample| sample.name == name).unwrap().bytes
}

fn edited(file: &[u8], edit: &mut dyn Rewrite) -> (Vec<u8>, EditSummary) {
    let mut made = Vec::new();
    let summary = rewrite(file, edit, &mut made).unwrap();
    (made, summary)
}

fn converted(file: &[u8], protocol: i32) -> (Vec<u8>, EditSummary) {
    let mut convert = Convert::to(protocol);
    convert.look(file).unwrap();
    edited(file, &mut convert)
}

/// The findings of `check` about a recording; all of it must be readable.
fn check_readable(file: &[u8]) -> CheckReport {
    let report = check(file).unwrap();
    assert!(report.exact && report.raw.is_empty(), "{:?}", report.raw);
    report
}

#[track_caller]
fn finds_none_of(file: &[u8], codes: &[CheckCode]) {
    let found: Vec<CheckCode> = check_readable(file).findings.into_iter().map(|found| found.code).collect();
    assert!(found.iter().all(|code| !codes.contains(code)), "{found:?}");
}

/// The results of `ask` for all messages of a Quake recording.
fn of_quake<T>(file: &[u8], ask: impl Fn(&dem::Message<'_>) -> Option<T>) -> Vec<T> {
    let (mut demo, mut context, mut found) = (Demo::new(file).unwrap(), Context::quake(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let mut messages = block.messages::<Quake>(context);
        found.extend(messages.by_ref().filter_map(|entry| ask(&entry.message)));
        context = *messages.context();
    }
    found
}

/// The numbers of all frames of a Quake II recording, each with that of its base.
fn frames(file: &[u8]) -> Vec<(i32, i32)> {
    let (mut demo, mut context, mut found) = (Demo::new(file).unwrap(), Context::quake2(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let mut messages = block.messages::<Quake2>(context);
        found.extend(messages.by_ref().filter_map(|entry| match entry.message {
            dm2::Message::FrameMessage(it) => Some((it.head.seq1, it.head.seq2)),
            _ => None,
        }));
        context = *messages.context();
    }
    found
}

#[test]
fn trap_46_losses_of_another_protocol_are_reported() {
    // Protocol 15 has no room for models and sounds above 255, for alpha and for scale.
    let (narrow, summary) = converted(&sample("dem-666"), 15);
    assert!(!summary.notes.is_empty(), "{summary}");
    let report = check_readable(&narrow);
    assert_eq!(report.summary.protocol.unwrap().number, 15);
    // Coordinates in eighths fit into every wider kind, and converting back gives the same bytes.
    let plain = sample("dem-15-v109");
    let (wide, summary) = converted(&plain, 999);
    assert!(summary.notes.is_empty(), "{summary}");
    assert_eq!(check_readable(&wide).summary.protocol.unwrap().number, 999);
    let places = |file: &[u8]| {
        of_quake(file, |message| match message {
            dem::Message::Particle(it) => Some(it.origin.map(moviola_format::Coord::value)),
            _ => None,
        })
    };
    assert!(!places(&plain).is_empty());
    assert_eq!(places(&plain), places(&wide));
}

#[test]
fn trap_47_frames_that_others_build_on_can_be_taken_out() {
    let recording = sample("dm2-34-isdemo-0");
    let before = frames(&recording);
    let gone = Spans::parse("#12..#14").unwrap().find(&recording[..]).unwrap();
    let (made, _) = edited(&recording, &mut Cut::drop(gone));
    let after = frames(&made);
    assert!(after.len() < before.len() && after.len() > 5, "{} of {}", after.len(), before.len());
    finds_none_of(&made, &[CheckCode::DeltaMissing, CheckCode::OutOfPlace]);
    let known = |base: i32| base <= 0 || after.iter().any(|(number, _)| *number == base);
    assert!(after.iter().all(|(_, base)| known(*base)), "{after:?}");
}

#[test]
fn trap_48_the_headers_track_and_the_messages_are_two_things() {
    let recording = sample("dem-15-v109");
    let mut other_track = b"7\n".to_vec();
    other_track.extend_from_slice(recording.strip_prefix(b"-1\n").unwrap());
    let tracks = |file: &[u8]| {
        of_quake(file, |message| match message {
            dem::Message::CdTrack(it) => Some((it.fromtrack, it.totrack)),
            _ => None,
        })
    };
    let before = tracks(&other_track);
    assert!(!before.is_empty() && before.iter().all(|track| *track != (7, 7)));
    let part = Spans::parse("#5..#10").unwrap().find(&other_track[..]).unwrap();
    let (short, _) = edited(&other_track, &mut Cut::keep(part));
    assert!(short.starts_with(b"7\n"));
    assert_eq!(tracks(&short), before);
    // The track changes only if `set` is asked to change it.
    let (set, _) = edited(&other_track, &mut Set::parse(["cdtrack=4"]).unwrap());
    assert!(set.starts_with(b"4\n") && check_readable(&set).exact);
}

#[test]
fn trap_49_a_part_still_begins_as_a_recording() {
    let unplayable = [
        CheckCode::NoLevel,
        CheckCode::NoSignon,
        CheckCode::NoPrecache,
        CheckCode::DeltaMissing,
        CheckCode::SignonOrder,
    ];
    for name in ["dem-15-v109", "dem-999-82-default", "dm2-34-isdemo-0"] {
        let recording = sample(name);
        let part = Spans::parse("#14..#18").unwrap().find(&recording[..]).unwrap();
        let (made, _) = edited(&recording, &mut Cut::keep(part));
        finds_none_of(&made, &unplayable);
        if let Some((_, base)) = frames(&made).first().filter(|_| name.starts_with("dm2")) {
            assert!(*base <= 0, "the first frame builds on {base}");
        }
    }
}
