//! An edit that changes nothing gives the identical file, for every input. The same holds if every message is encoded
//! again.

use crate::common::{Dice, recordings};
use moviola_check::Summary;
use moviola_edit::{
    BlockWriter, Convert, Cut, EditOutput, Error, FoundSpans, Highlights, Identity, PieceSink, Retime,
    Rewrite, Set, Spans, Speed, Squeeze, Stage, levels, rewrite,
};
use moviola_format::{Demo, Entry, HeaderReader, dem, dm2};

/// Writes every message anew instead of copying its bytes.
struct Anew;

impl Rewrite for Anew {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.put_entry(entry);
    }
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        assert_eq!(writer.written(), writer.block().data);
        // A truncated block is kept as it is.
        if writer.block().is_truncated() {
            out.piece(&moviola_format::Piece::Block(*writer.block()))
        } else {
            writer.write(out)
        }
    }
}

fn edited(file: &[u8], rewriter: &mut dyn Rewrite) -> Vec<u8> {
    let mut copy = Vec::new();
    rewrite(file, rewriter, &mut copy).unwrap();
    copy
}

fn check(name: &str, file: &[u8]) {
    assert!(edited(file, &mut Identity) == file, "{name}: the edit that changes nothing");
    assert!(edited(file, &mut Anew) == file, "{name}: every message written anew");
}

#[test]
fn a_recording_stays_unchanged() {
    let mut bytes = 0;
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game) {
            bytes += recording.bytes.len();
            check(&recording.name, &recording.bytes);
        }
    }
    assert!(bytes > 100_000);
}

#[test]
fn a_cut_that_keeps_all_changes_nothing() {
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game) {
            for spans in ["..", "#0.."] {
                let found = Spans::parse(spans).unwrap().find(&recording.bytes[..]);
                let mut cut = match found {
                    Ok(found) => Cut::keep(found),
                    Err(error) => {
                        assert!(recording.bytes.len() < 100, "{}: {error}", recording.name);
                        continue;
                    }
                };
                let mut copy = Vec::new();
                match rewrite(&recording.bytes[..], &mut cut, &mut copy) {
                    Ok(summary) => {
                        assert!(copy == recording.bytes, "{}, {spans}: {summary}", recording.name);
                    }
                    // A recording that is kept raw is not cut.
                    Err(error) => {
                        assert!(matches!(error, Error::Impossible(_)), "{}: {error}", recording.name);
                    }
                }
            }
        }
    }
}

/// Edits that have nothing to do change nothing.
#[test]
fn edits_with_nothing_to_do_change_nothing() {
    let mut edit_counts = [0; IDLE.len()];
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game) {
            for ((name, edit), made) in IDLE.iter().zip(&mut edit_counts) {
                let Some((file, mut edit)) = edit(&recording.bytes) else { continue };
                let mut copy = Vec::new();
                match rewrite(&file[..], edit.as_mut(), &mut copy) {
                    Ok(summary) if !summary.notes.is_empty() => {
                        assert!(name.contains("losses"), "{}: {name}: {summary}", recording.name);
                    }
                    Ok(summary) => {
                        assert!(copy == file, "{}: {name}: {summary}", recording.name);
                        *made += 1;
                    }
                    // A recording that is kept raw is not edited.
                    Err(error) => {
                        assert!(matches!(error, Error::Impossible(_)), "{}: {name}: {error}", recording.name);
                    }
                }
            }
        }
    }
    assert!(edit_counts.iter().all(|made| *made > 10), "{edit_counts:?}");
}

/// A recording, and an edit that has nothing to do in it.
type Idle = fn(&[u8]) -> Option<(Vec<u8>, Box<dyn Rewrite>)>;

const IDLE: [(&str, Idle); 7] = [
    ("a cut of two halves", |file| cut(file, "..1, 1..")),
    ("a cut of two halves, by blocks", |file| cut(file, "#0..#1, #2..")),
    ("highlights with wide margins", |file| {
        let found = Highlights::new(f64::INFINITY, f64::INFINITY).find(file).ok()?;
        // Nothing happens in a level of some recordings.
        (found.levels.len() == 1).then(|| idle(file, Cut::keep(found)))
    }),
    ("the usual speed", |file| Some(idle(file, Retime::new(Speed::parse("1").unwrap(), FoundSpans::all())))),
    ("a second squeeze", |file| {
        let mut once = Vec::new();
        rewrite(file, &mut Squeeze::default(), &mut once).ok()?;
        Some(idle(&once, Squeeze::default()))
    }),
    ("the same track", |file| {
        // Each engine reads unusual first lines in its own way.
        let [one, others @ ..] = HeaderReader::ALL.map(|reader| reader.read(file).and_then(|it| it.track));
        let track = one.filter(|_| others == [one; 2] && !file.starts_with(b"\n"))?;
        Some(idle(file, Set::parse([format!("cdtrack={track}")]).ok()?))
    }),
    ("to its own protocol, without losses", |file| {
        // Each level has its own clock.
        levels(file).ok().filter(|levels| levels.len() == 1)?;
        let mut convert = Convert::to(Summary::read(file).ok()?.protocol?.number);
        convert.look(file).ok()?;
        Some(idle(file, convert))
    }),
];

fn idle(file: &[u8], edit: impl Rewrite + 'static) -> (Vec<u8>, Box<dyn Rewrite>) {
    (file.to_vec(), Box::new(edit))
}

fn cut(file: &[u8], spans: &str) -> Option<(Vec<u8>, Box<dyn Rewrite>)> {
    Some(idle(file, Cut::keep(Spans::parse(spans).unwrap().find(file).ok()?)))
}

#[test]
fn noise_stays_unchanged() {
    let mut dice = Dice(0x4564_6974);
    for round in 0..3000 {
        let mut noise: Vec<u8> = (0..dice.below(400)).map(|_| dice.below(256) as u8).collect();
        if round % 3 == 0 && noise.len() > 8 {
            noise[..4].copy_from_slice(b"-1\n\x05");
        }
        check("noise", &noise);
    }
}

#[test]
fn damage_stays_unchanged() {
    let mut dice = Dice(0x44616d616765);
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 60_000) {
            for _ in 0..10 {
                let mut file = recording.bytes.clone();
                for _ in 0..=dice.below(8) {
                    let at = dice.below(file.len());
                    file[at] = dice.below(256) as u8;
                }
                file.truncate(dice.below(file.len()) + 1);
                check(&recording.name, &file);
            }
        }
    }
}

/// Several edits in one pass give the same as one pass for each.
#[test]
fn edits_can_be_chained() {
    for recording in recordings(moviola_scribe::Game::Quake2) {
        let (mut first, mut second, mut copy) = (Identity, Anew, Vec::new());
        let mut last = Stage::to_file(&mut second, &mut copy);
        let mut chain = Stage::new(&mut first, &mut last);
        let mut demo = Demo::new(&recording.bytes[..]).unwrap();
        chain.begin(demo.format()).unwrap();
        while let Some(piece) = demo.next_piece().unwrap() {
            chain.take(&piece).unwrap();
        }
        chain.end().unwrap();
        drop(chain);
        drop(last);
        assert!(copy == recording.bytes, "{}", recording.name);
    }
}
