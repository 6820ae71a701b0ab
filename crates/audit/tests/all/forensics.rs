//! Edits are found by the marks that they leave, and untouched recordings have no marks.

use crate::common::{corpus, recordings, rewritten, without_words};
use moviola_audit::{AuditCode, AuditSeverity, FindingSubject, audit};
use moviola_format::{Block, Demo, Game, Piece, dm2};
use std::fs;
use std::path::Path;

/// A recording as header, blocks, and the bytes after them.
#[derive(Clone)]
struct Tape {
    game: Game,
    header: Vec<u8>,
    blocks: Vec<([u32; 3], Vec<u8>)>,
    mark: bool,
}

impl Tape {
    fn new(bytes: &[u8]) -> Self {
        let mut demo = Demo::new(bytes).expect("bytes are read");
        let game = demo.game().expect("a recording");
        let mut tape = Self { game, header: Vec::new(), blocks: Vec::new(), mark: false };
        while let Some(piece) = demo.next_piece().expect("bytes are read") {
            match piece {
                Piece::Header(header) => tape.header = header.to_vec(),
                Piece::Block(block) => tape.blocks.push((block.angles, block.data.to_vec())),
                Piece::End | Piece::EndOfMvd2 => tape.mark = true,
                Piece::Raw(_) => {}
            }
        }
        tape
    }

    fn sample(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
        Self::new(&fs::read(folder.join(name)).expect("a sample"))
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = self.header.clone();
        for (angles, data) in &self.blocks {
            let block = Block { angles: *angles, ..Block::new(data) };
            Piece::Block(block).write(self.game, &mut out).expect("memory is written");
        }
        if self.mark {
            Piece::End.write(self.game, &mut out).expect("memory is written");
        }
        out
    }

    /// The marks of editing that are more than notes.
    fn marks(&self) -> Vec<AuditCode> {
        let report = audit(&self.bytes()[..]).expect("bytes are read");
        let counts = report
            .findings
            .iter()
            .filter(|it| it.about == FindingSubject::File && it.severity > AuditSeverity::Note);
        counts.map(|it| it.code).collect()
    }

    /// The notes about the file.
    fn notes(&self) -> Vec<AuditCode> {
        let report = audit(&self.bytes()[..]).expect("bytes are read");
        let notes = report
            .findings
            .iter()
            .filter(|it| it.about == FindingSubject::File && it.severity == AuditSeverity::Note);
        notes.map(|it| it.code).collect()
    }

    /// The marks in the recording after `edit` changed its blocks.
    fn edited(mut self, edit: impl FnOnce(&mut Vec<([u32; 3], Vec<u8>)>)) -> Vec<AuditCode> {
        edit(&mut self.blocks);
        self.marks()
    }
}

/// Whether a block is a frame of Quake with entities: it begins with a time.
fn is_frame(data: &[u8]) -> bool {
    data.first() == Some(&moviola_format::dem::Time::OP)
}

const QUAKE: &str = "qs_15_lq_e0m9.dem";
const QUAKE2: &str = "yq_sp.dm2";

#[test]
fn untouched_samples_have_no_marks() {
    for name in
        [QUAKE, QUAKE2, "qs_999_lq_e0m9.dem", "quake1.07_DM1.dem", "dp2025_NEHAHRABJP3.dem", "yq_chg.dm2"]
    {
        assert_eq!(Tape::sample(name).marks(), [], "{name}");
    }
}

#[test]
fn a_subtitle_in_a_frame() {
    let marks = Tape::sample(QUAKE).edited(|blocks| {
        let (_, data) = &mut blocks[100];
        assert!(is_frame(data));
        data.extend_from_slice(b"\x1aLook at this!\0");
    });
    assert_eq!(marks, [AuditCode::TextInFrame]);
}

#[test]
fn a_part_cut_out() {
    let marks = Tape::sample(QUAKE).edited(|blocks| drop(blocks.drain(60..300)));
    assert!(marks.contains(&AuditCode::ClockLeap) && marks.contains(&AuditCode::Splice), "{marks:?}");
}

#[test]
fn parts_in_another_order() {
    let marks = Tape::sample(QUAKE).edited(|blocks| {
        let part: Vec<_> = blocks.drain(100..150).collect();
        let at = blocks.len() - 2;
        blocks.splice(at..at, part);
    });
    assert!(marks.contains(&AuditCode::ClockBack), "{marks:?}");
}

#[test]
fn two_recordings_in_one() {
    let (one, two) = (Tape::sample(QUAKE), Tape::sample("quake1.07_DM1.dem"));
    let marks = one.clone().edited(|blocks| blocks.extend(two.blocks.clone()));
    for code in [AuditCode::AfterFarewell, AuditCode::TwoEngines, AuditCode::Joined] {
        assert!(marks.contains(&code), "{marks:?}");
    }
    // The farewell between the two recordings is removed.
    let marks = one.edited(|blocks| {
        blocks.pop();
        blocks.extend(two.blocks);
    });
    assert!(!marks.contains(&AuditCode::AfterFarewell) && marks.contains(&AuditCode::Joined), "{marks:?}");
}

#[test]
fn a_level_that_nobody_joins() {
    let bytes = rewritten(&Tape::sample(QUAKE).bytes(), |name| name != "signonnum");
    assert_eq!(Tape::new(&bytes).marks(), [AuditCode::Signon]);
}

#[test]
fn lmpc_sets_the_bit_of_the_items() {
    let bytes = Tape::sample("quake1.07_DM1.dem").bytes();
    // The states begin with the id 15 after the time of five bytes; the items bit is in the second byte of
    // flags.
    let mut tape = Tape::new(&bytes);
    for (_, data) in tape.blocks.iter_mut().filter(|(_, data)| is_frame(data)) {
        if data.get(5) == Some(&moviola_format::dem::ClientData::OP) {
            data[7] |= 2;
        }
    }
    // Bot programs with their own recorders set the bit as well, so it is not an accusation.
    assert_eq!((tape.marks(), tape.notes()), (vec![], vec![AuditCode::ItemsBit]));
}

#[test]
fn updates_that_no_engine_writes() {
    // A server with id's game code.
    let marks = Tape::sample("quake1.07_DM1.dem").edited(|blocks| {
        for (_, data) in &mut blocks[100..110] {
            // Entity 200, which has no baseline, with needless effects of 0.
            data.extend_from_slice(b"\x81\x20\xc8\0");
        }
    });
    assert!(marks.contains(&AuditCode::StrangeMasks), "{marks:?}");
}

#[test]
fn entities_out_of_their_order() {
    // Entity 1 a second time after all others, in a frame without momentary messages, from id's Quake.
    let mut tape = Tape::sample("quake1.07_DM1.dem");
    for (_, data) in tape.blocks[100..300].iter_mut().filter(|(_, data)| is_frame(data)) {
        data.extend_from_slice(b"\x82\x01\0\0");
    }
    assert!(tape.notes().contains(&AuditCode::EntityOrder), "{:?}", tape.notes());
}

/// Servers send joining clients the numbers of secrets and monsters, and the light styles.
#[test]
fn a_beginning_without_stats_or_lights_is_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    for name in [QUAKE, "quake1.07_DM1.dem", "dp2025_NEHAHRABJP3.dem"] {
        let bytes = fs::read(folder.join(name)).expect("a sample");
        for gone in ["updatestat", "lightstyle"] {
            let marks = Tape::new(&rewritten(&bytes, |name| name != gone)).marks();
            assert!(marks.contains(&AuditCode::Greeting), "{name} without {gone}: {marks:?}");
        }
    }
}

/// A moved camera is only a note, since the game itself may have moved the view.
#[test]
fn a_view_that_leaves_the_player() {
    let mut tape = Tape::sample(QUAKE);
    let view = |tape: &Tape| {
        let report = audit(&tape.bytes()[..]).expect("bytes are read");
        report.findings.iter().find(|it| it.code == AuditCode::Camera).map(|it| (it.count, it.severity))
    };
    assert_eq!(view(&tape), None);
    tape.blocks.insert(100, ([0; 3], vec![5, 77, 0]));
    tape.blocks.insert(200, ([0; 3], vec![5, 1, 0]));
    assert_eq!(view(&tape), Some((1, AuditSeverity::Note)));
    assert_eq!(tape.marks(), []);
}

/// In Quake II the body stays at the old position of the view.
#[test]
fn a_view_of_quake2_that_leaves_the_player() {
    let mut tape = Tape::sample(QUAKE2);
    let view = |tape: &Tape| {
        let report = audit(&tape.bytes()[..]).expect("bytes are read");
        report.findings.into_iter().find(|it| it.code == AuditCode::Camera).map(|it| it.severity)
    };
    assert_eq!(view(&tape), None);
    let moved = tape.blocks.iter_mut().skip(100).filter_map(|(_, data)| player_origin(data)).take(10);
    assert_eq!(moved.map(|x| *x = x.wrapping_add(4)).count(), 10, "x grows by 1024 eighths");
    assert_eq!(view(&tape), Some(AuditSeverity::Note));
    assert_eq!(tape.marks(), []);
}

/// The upper byte of the player's x in a frame's block of Quake II.
fn player_origin(data: &mut [u8]) -> Option<&mut u8> {
    let areas = usize::from(*data.get(10)?);
    let [dm2::PlayerInfo::OP, flags, _, rest @ ..] = data.get_mut(11 + areas..)? else { return None };
    if *flags & 2 == 0 { None } else { rest.get_mut(1 + usize::from(*flags & 1)) }
}

#[test]
fn blocks_that_engines_do_not_record() {
    let mut tape = Tape::sample(QUAKE);
    tape.blocks.insert(100, ([0; 3], vec![1]));
    assert_eq!((tape.marks(), tape.notes()), (vec![], vec![AuditCode::KeepAlive]), "bot programs record it");
}

#[test]
fn two_frames_in_one_block() {
    let marks = Tape::sample(QUAKE).edited(|blocks| {
        let (_, second) = blocks.remove(101);
        blocks[100].1.extend_from_slice(&second);
    });
    assert_eq!(marks, [AuditCode::FrameShape]);
}

/// A bot program continues to write after the server's `disconnect`, and id's recorder adds another `disconnect`.
#[test]
fn blocks_after_a_farewell() {
    let mut tape = Tape::sample(QUAKE);
    let farewell = tape.blocks.last().expect("blocks").clone();
    assert_eq!(farewell.1, [2]);
    tape.blocks.push(farewell);
    assert_eq!((tape.marks(), tape.notes()), (vec![], vec![]), "the recorder's own farewell");
    let frame = tape.blocks[tape.blocks.len() - 3].clone();
    tape.blocks.push(frame);
    assert_eq!(tape.marks(), []);
    assert!(tape.notes().contains(&AuditCode::AfterFarewell));
}

/// Modified game code writes messages of its own after the entities of a frame.
#[test]
fn broadcast_hits_and_scores_are_not_findings() {
    let marks = Tape::sample(QUAKE).edited(|blocks| {
        for (_, data) in blocks[100..140].iter_mut().filter(|(_, data)| is_frame(data)) {
            // A hit, and the score of slot 0.
            data.extend_from_slice(b"\x13\x00\x05\x08\x00\x08\x00\x08\x00\x0e\x00\x03\x00");
        }
    });
    assert_eq!(marks.iter().filter(|it| **it != AuditCode::BlowsGone).count(), 0, "{marks:?}");
}

/// `ProQuake` and others begin to record in the middle of a level, without its version text and its counts.
#[test]
fn a_recording_that_begins_in_the_middle_of_a_level() {
    let bytes = Tape::sample(QUAKE).bytes();
    let bytes = rewritten(&bytes, |name| name != "updatestat" && name != "print");
    let tape = Tape::new(&bytes);
    assert_eq!(tape.marks().iter().filter(|it| **it == AuditCode::Greeting).count(), 0);
    assert!(tape.notes().contains(&AuditCode::Greeting));
}

#[test]
fn frames_cut_out_of_quake2() {
    let marks = Tape::sample(QUAKE2).edited(|blocks| drop(blocks.drain(60..120)));
    assert!(
        marks.contains(&AuditCode::LostReference) && marks.contains(&AuditCode::FramesMissing),
        "{marks:?}"
    );
}

#[test]
fn frames_of_quake2_in_another_order() {
    let marks = Tape::sample(QUAKE2).edited(|blocks| blocks.swap(80, 81));
    assert!(marks.contains(&AuditCode::FrameBack), "{marks:?}");
}

/// Real recordings that were edited, as is known or visible: titles and fades, Keygrip.
const EDITED: [(&str, AuditCode); 9] = [
    ("QuakeBotArchive__3__DEMO1.DEM", AuditCode::TextInFrame),
    ("QuakeBotArchive__4__demo1.dem", AuditCode::TextInFrame),
    ("QuakeBotArchive__bot1.dem", AuditCode::TextInFrame),
    ("QuakeBotArchive__bot2.dem", AuditCode::TextInFrame),
    ("Quake2BotArchive__aq2botpreview.dm2", AuditCode::SpareBit),
    ("Quake2BotArchive__bots3.dm2", AuditCode::SpareBit),
    ("Quake2BotArchive__demo1.dm2", AuditCode::SpareBit),
    ("Quake2BotArchive__demo2.dm2", AuditCode::SpareBit),
    ("quake2__kengur.dm2", AuditCode::SpareBit),
];

#[test]
fn of_real_recordings_only_the_edited_have_marks() {
    let Some(folder) = corpus() else { return };
    for path in ["dem", "dm2", "ours"].iter().flat_map(|part| recordings(&folder.join(part))) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|it| it == "tsv") {
            continue;
        }
        let report = audit(&fs::read(&path).expect("a file")[..]).expect("bytes are read");
        let expected = EDITED.iter().find(|(it, _)| *it == name).map(|(_, code)| *code);
        assert_eq!(report.editing.is_some(), expected.is_some(), "{name}: {:?}", report.findings);
        assert!(expected.is_none_or(|code| report.findings.iter().any(|it| it.code == code)), "{name}");
    }
}

/// If items were picked up without any text, the texts were removed.
#[test]
fn missing_words_are_missed() {
    let Some(folder) = corpus() else { return };
    for name in ["QuakeKit__demo1.dem", "QuakeOfficialArchive__demo1.dem", "quake-from-memory__demo1.dem"] {
        let bytes = fs::read(folder.join("dem").join(name)).expect("a file");
        let report = audit(&without_words(&bytes)[..]).expect("bytes are read");
        assert!(
            report.findings.iter().any(|it| it.code == AuditCode::TextsGone),
            "{name}: {:?}",
            report.findings
        );
    }
}

/// A block in the middle that cannot be read leaves the state after it in doubt, so it accuses nobody.
#[test]
fn damage_is_no_edit_and_no_cheat() {
    let sound =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/quake1.07_DM1.dem")).unwrap();
    let mut count = 0;
    for seed in 1..20_u64 {
        let mut file = sound.clone();
        let (from, size) = (file.len() as u64 / 4, file.len() as u64 / 2);
        for step in 0..40_u64 {
            let place = from + (step * 7_919 + seed * 104_729) * 31 % size;
            file[place as usize] ^= (seed * 37 + step * 11) as u8 | 1;
        }
        let report = audit(&file[..]).unwrap();
        if report.looked.is_damaged {
            count += 1;
            assert!(report.is_clean(), "{seed}: {:?}", report.findings);
        }
    }
    assert!(count > 10, "{count}");
}
