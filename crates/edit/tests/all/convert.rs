//! A converted recording looks as before except for the listed losses, and an engine for which it was converted can
//! read it.

use crate::common::{Dice, recordings, views};
use moviola_check::{CheckCode, ENGINES, Engine, EngineReaction, Playability, check};
use moviola_edit::{Convert, EditSummary, Error, Repair, Signon, Squeeze, rewrite};
use moviola_format::{Demo, Format, Game};
use moviola_state::{quake, quake2};

fn convert(file: &[u8], mut convert: Convert) -> Result<(Vec<u8>, EditSummary), Error> {
    convert.look(file)?;
    let mut made = Vec::new();
    let summary = rewrite(file, &mut convert, &mut made)?;
    Ok((made, summary))
}

fn game(file: &[u8]) -> Option<Game> {
    Demo::new(file).unwrap().game()
}

#[test]
fn a_conversion_without_reported_losses_looks_the_same() {
    let (mut exact, mut lossy) = (0, 0);
    for recording in recordings(moviola_scribe::Game::Quake) {
        if recording.bytes.len() > 300_000 || game(&recording.bytes).is_none() {
            continue;
        }
        for protocol in [15, 666, 999] {
            let Ok((made, summary)) = convert(&recording.bytes, Convert::to(protocol)) else { continue };
            let name = format!("{} to {protocol}: {summary} {:?}", recording.name, summary.notes);
            if !summary.about.ends_with("nothing lost") {
                assert!(!summary.notes.is_empty(), "{name}");
                lossy += 1;
                continue;
            }
            let (old, new) = (views::<quake::World>(&recording.bytes), views::<quake::World>(&made));
            let first = old.iter().zip(&new).position(|(old, new)| old != new);
            assert!(old == new, "{name}: another view at {first:?} of {}, {}", old.len(), new.len());
            // A recording in this protocol stays as it is.
            let (again, summary) = convert(&made, Convert::to(protocol)).unwrap();
            assert!(again == made, "{name}: a second time {summary}");
            exact += 1;
        }
    }
    assert!(exact > 100 && lossy > 5, "{exact} exact, {lossy} lossy");
}

#[test]
fn quake2_of_today_looks_as_before() {
    let mut converted = 0;
    for recording in recordings(moviola_scribe::Game::Quake2) {
        let Ok((made, summary)) = convert(&recording.bytes, Convert::to(34)) else { continue };
        if summary.about.ends_with("nothing lost") {
            let (old, new) = (views::<quake2::World>(&recording.bytes), views::<quake2::World>(&made));
            assert!(old == new, "{}: {summary}", recording.name);
            converted += usize::from(made != recording.bytes);
        }
    }
    assert!(converted > 0);
}

/// Q2PRO's extended limits: the visible remains, and values that do not fit are counted. Other edits require this
/// conversion.
#[test]
fn extended_limits_become_those_of_id() {
    for sample in moviola_scribe::q2pro_samples() {
        let (made, summary) = convert(&sample.bytes, Convert::to(34)).unwrap();
        assert_eq!(views::<quake2::World>(&sample.bytes), views::<quake2::World>(&made), "{}", sample.name);
        let report = check(&made[..]).unwrap();
        assert!(report.exact && report.raw.is_empty(), "{}: {:?}", sample.name, report.raw);
        let has = |what: &str| summary.notes.iter().any(|note| note.contains(what));
        assert!(has("opacity") && has("only Q2PRO knows"), "{:?}", summary.notes);
        assert_eq!((has("beyond 4096"), has("above 31")), (sample.protocol > 3434, sample.protocol > 3434));
        assert_eq!(has("fog"), sample.protocol == 3436);
        let refused = rewrite(&sample.bytes[..], &mut Squeeze::default(), std::io::sink()).unwrap_err();
        assert!(refused.to_string().contains("convert --to 34"), "{refused}");
    }
}

/// The findings that a conversion does not mend: messages in the wrong order, wrong ends, and missing messages.
const LEFT: &[CheckCode] = &[
    CheckCode::EarlyEnd,
    CheckCode::TruncatedBlock,
    CheckCode::NoLevel,
    CheckCode::TooEarly,
    CheckCode::NoModels,
    CheckCode::NoMap,
    CheckCode::NoSignon,
    CheckCode::SignonStage,
    CheckCode::Rerelease,
    CheckCode::SignonOrder,
    CheckCode::MaxClients,
    CheckCode::HugeBlock,
    CheckCode::RawProtocol,
    CheckCode::OutOfPlace,
    CheckCode::ServerFrame,
    CheckCode::RelayFrame,
    CheckCode::SecondLevel,
    CheckCode::NoPrecache,
    CheckCode::DeltaMissing,
    CheckCode::Direction,
    CheckCode::FrameShape,
    CheckCode::ImpossibleValue,
    CheckCode::Undecided,
    CheckCode::OddFrame,
    CheckCode::ClockLeap,
    CheckCode::ClockSparks,
];

#[test]
fn engines_play_recordings_converted_for_them() {
    let (mut mended, mut fine) = (0, 0);
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game).iter().filter(|it| it.bytes.len() < 200_000) {
            for engine in &ENGINES {
                let Ok((made, summary)) = convert(&recording.bytes, Convert::for_engine(engine)) else {
                    continue;
                };
                let report = check(&made[..]).unwrap();
                let verdict = report.engines.iter().find(|it| it.engine == engine.name).unwrap();
                let left = |code, effect| LEFT.contains(&code) || effect == EngineReaction::Unread;
                for reason in verdict.reasons.iter().filter(|it| !left(it.code, it.effect)) {
                    let told = summary.notes.iter().any(|note| note.ends_with("stays so"));
                    assert!(
                        told,
                        "{} for {}: {reason:?}, {summary} {:?}",
                        recording.name, engine.name, summary.notes
                    );
                }
                if made == recording.bytes { fine += 1 } else { mended += 1 }
            }
        }
    }
    assert!(mended > 50 && fine > 50, "{mended} mended, {fine} fine");
}

#[test]
fn the_first_players_find_the_first_block() {
    // The level's block has 13 bytes. This byte is a carriage return, which old engines read as white space.
    let recording = b"-1\n\x0d\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08ten letters\0";
    let old = Engine::find("id-1.06").unwrap();
    let (made, _) = convert(recording, Convert::for_engine(old)).unwrap();
    assert_eq!(made[3], 14);
    assert!(made.ends_with(b"\x01\x08ten letters\0"));
    let new = Engine::find("id-1.09").unwrap();
    assert_eq!(convert(recording, Convert::for_engine(new)).unwrap().0, recording);
}

#[test]
fn conversions_refuse_or_report_values_that_do_not_fit() {
    let sample = |name: &str| moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes;
    let refused = |file: &[u8], how: Convert| convert(file, how).unwrap_err().to_string();
    let (quake, quake2) = (sample("dem-15-v109"), sample("dm2-34-client"));
    assert_eq!(
        refused(&quake, Convert::to(34)),
        "the recording is of Quake, which has no protocol 34: convert it to 15, 666, 999"
    );
    let yamagi = Engine::find("yamagi").unwrap();
    assert_eq!(
        refused(&quake, Convert::for_engine(yamagi)),
        "the recording is of Quake, which yamagi does not play; there are id-1.06, id-1.09, quakespasm, darkplaces"
    );
    let id = Engine::find("id-1.09").unwrap();
    assert_eq!(refused(&quake, Convert::to(666).engine(id)), "id-1.09 does not speak protocol 666");
    assert!(matches!(convert(b"", Convert::to(15)), Err(Error::NotARecording(Format::Empty))));
    assert!(convert(&quake2, Convert::to(34)).unwrap().0 == quake2);
    assert_eq!(check(&quake[..]).unwrap().engines[0].plays, Playability::Yes);
}

/// A level with `count` models, of which an update shows the last.
fn many_models(count: usize) -> Vec<u8> {
    let mut block = vec![11];
    block.extend(666i32.to_le_bytes());
    block.extend(b"\x01\0many\0");
    (1..=count).for_each(|number| block.extend(format!("progs/{number}.mdl\0").bytes()));
    block.extend(b"\0\0");
    // The time; then entity 5 with the model's low byte, and its high byte.
    block.extend(b"\x07\0\0\x80\x3f\x81\x84\x04\x05");
    let [low, high] = (count as u16).to_le_bytes();
    block.extend([low, high]);
    let mut file = b"-1\n".to_vec();
    file.extend((block.len() as i32).to_le_bytes());
    file.extend([0; 12]);
    [file, block].concat()
}

#[test]
fn a_model_beyond_255_gets_a_number_that_fits() {
    let file = many_models(400);
    let (made, summary) = convert(&file, Convert::to(15)).unwrap();
    assert!(summary.about.ends_with("nothing lost"), "{summary} {:?}", summary.notes);
    assert_eq!(views::<quake::World>(&file), views::<quake::World>(&made));
    // Without an earlier pass, the first models are kept, and those that do not fit are listed.
    let mut blind = Vec::new();
    let summary = rewrite(&file[..], &mut Convert::to(15), &mut blind).unwrap();
    assert_eq!(summary.notes, ["does not fit: model progs/400.mdl"]);
}

#[test]
fn damaged_recordings_do_no_harm() {
    let mut dice = Dice(7);
    for sample in moviola_scribe::samples().into_iter().filter(|it| it.bytes.len() < 100_000) {
        for _ in 0..6 {
            let mut damaged = sample.bytes.clone();
            for _ in 0..=dice.below(20) {
                let at = dice.below(damaged.len());
                if let Some(byte) = damaged.get_mut(at) {
                    *byte = dice.below(256) as u8;
                }
            }
            let engine = &ENGINES[dice.below(ENGINES.len())];
            let _ = convert(&damaged, Convert::for_engine(engine));
            for protocol in Convert::protocols() {
                let _ = convert(&damaged, Convert::to(protocol));
            }
            let mut small = Vec::new();
            let _ = rewrite(&damaged[..], &mut Squeeze::default(), &mut small);
            let mut headed = Vec::new();
            if let Ok(mut signon) = Signon::of(&damaged[..])
                && rewrite(&sample.bytes[..], &mut signon, &mut headed).is_ok()
                && let Ok(mut repair) = Repair::look_behind(&headed[..])
            {
                let _ = rewrite(&headed[..], &mut repair, Vec::new());
            }
        }
    }
}

#[test]
fn a_recording_that_the_engine_plays_keeps_its_old_protocol() {
    let yamagi = Engine::find("yamagi").unwrap();
    for recording in recordings(moviola_scribe::Game::Quake2) {
        let mut convert = Convert::for_engine(yamagi);
        let mut converted = Vec::new();
        if convert.look(&recording.bytes[..]).is_err() {
            continue;
        }
        let Ok(summary) = rewrite(&recording.bytes[..], &mut convert, &mut converted) else { continue };
        let minds = |file: &[u8], code: CheckCode| {
            let report = check(file).unwrap();
            report
                .engines
                .iter()
                .any(|it| it.engine == "yamagi" && it.reasons.iter().any(|it| it.code == code))
        };
        for code in [CheckCode::OldTempEntity, CheckCode::OldDownload] {
            assert!(!minds(&converted, code), "{}: {summary}", recording.name);
        }
        let is_played = check(&recording.bytes[..]).unwrap();
        let is_played =
            is_played.engines.iter().any(|it| it.engine == "yamagi" && it.plays == Playability::Yes);
        if is_played && !summary.about.starts_with("34") {
            assert!(converted == recording.bytes, "{}: {summary}", recording.name);
        }
    }
}
