//! Recordings of QuakeWorld that were truncated or damaged can be played after a repair.

use crate::common::Dice;
use moviola_check::{CheckCode, Playability, check};
use moviola_edit::{EditSummary, Error, Repair, rewrite};
use moviola_format::{Demo, Game, Piece, Stamp};

/// Recordings that play.
const SOUND: [&str; 2] = ["ez_duo_lqdm2.qwd", "mvdsv_bots_lqdm2.mvd"];

fn sound(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn repaired(file: &[u8]) -> Result<(Vec<u8>, EditSummary), Error> {
    let mut repair = Repair::look(file)?;
    let mut whole = Vec::new();
    let summary = rewrite(file, &mut repair, &mut whole)?;
    Ok((whole, summary))
}

/// How many blocks with messages a recording has.
fn blocks(file: &[u8]) -> u64 {
    let (mut demo, mut count) = (Demo::new(file).unwrap(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        count += u64::from(matches!(piece, Piece::Block(block) if !block.data.is_empty()));
    }
    count
}

/// Repairs the recordings many times, each time after a new random `damage`. No repair may lose more than `most`
/// blocks.
fn mends(names: &[&str], tries: u64, most: u64, damage: impl Fn(&mut Dice, &mut Vec<u8>)) {
    for name in names {
        let file = sound(name);
        for seed in 0..tries {
            let mut hurt = file.clone();
            damage(&mut Dice(seed), &mut hurt);
            let (whole, summary) = repaired(&hurt).expect(name);
            let report = check(&whole[..]).unwrap();
            assert!(report.exact && report.raw.is_empty(), "{name}, seed {seed}: {:?}", report.raw);
            let verdict = report.engines.iter().find(|it| it.engine == "ezquake").unwrap();
            let why: Vec<_> = verdict.reasons.iter().map(|it| it.message.as_str()).collect();
            let plays = matches!(verdict.plays, Playability::Yes | Playability::WithDefects);
            assert!(plays, "{name}, seed {seed}: {why:?}; {summary}");
            let stops =
                [CheckCode::DeltaMissing, CheckCode::PacketOrder, CheckCode::MissingEnd, CheckCode::EarlyEnd];
            let found = report.findings.iter().find(|it| stops.contains(&it.code));
            assert!(found.is_none(), "{name}, seed {seed}: {found:?}; {summary}");
            let lost = blocks(&file).saturating_sub(blocks(&whole));
            assert!(lost <= most, "{name}, seed {seed}: {lost} blocks lost; {summary}");
            assert_eq!(repaired(&whole).unwrap().0, whole, "{name}, seed {seed}: mended twice");
        }
    }
}

/// A place in the second half, since a lost beginning of a level cannot be restored.
fn place(dice: &mut Dice, file: &[u8]) -> usize {
    let half = file.len() / 2;
    half + dice.below(file.len() - half)
}

#[test]
fn sound_recordings_stay() {
    for name in SOUND {
        let file = sound(name);
        let (whole, summary) = repaired(&file).unwrap();
        assert!(whole == file, "{summary}");
    }
}

/// Recordings that were put one behind the other into a file are kept, and clients play both: they drop packets whose
/// numbers are not above the last one, and wait where the clock goes back.
#[test]
fn recordings_behind_each_other_stay() {
    let file = sound(SOUND[0]);
    let both = file.repeat(2);
    let (whole, summary) = repaired(&both).unwrap();
    // The end of the first one is left out, and a record sets the count of packets.
    assert_eq!(blocks(&whole), blocks(&both), "{summary}");
    let report = check(&whole[..]).unwrap();
    assert!(report.exact && report.raw.is_empty(), "{:?}", report.raw);
    let odd = [CheckCode::PacketOrder, CheckCode::EarlyEnd, CheckCode::DeltaMissing, CheckCode::MissingEnd];
    assert!(!report.findings.iter().any(|it| odd.contains(&it.code)), "{:?}", report.findings);
    let (mut demo, mut last) = (Demo::new(&whole[..]).unwrap(), f32::MIN);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { continue };
        let Some(now) = block.clock().0 else { continue };
        assert!(now >= last, "{now} follows {last}");
        last = now;
    }
    assert_eq!(repaired(&whole).unwrap().0, whole);
}

#[test]
fn cut_off_anywhere() {
    mends(&SOUND, 25, u64::MAX, |dice, file| {
        let at = place(dice, file);
        file.truncate(at);
    });
}

#[test]
fn bytes_are_wrong() {
    mends(&SOUND, 40, 8, |dice, file| {
        for _ in 0..5 {
            let at = place(dice, file);
            file[at] ^= 1 + dice.below(255) as u8;
        }
    });
}

/// The first bytes identify the format. Here they are random, so the rest of the file must identify it.
#[test]
fn first_bytes_are_wrong() {
    let damage = |dice: &mut Dice, file: &mut Vec<u8>| {
        file.iter_mut().take(16).for_each(|byte| *byte = dice.below(256) as u8);
    };
    mends(&SOUND[..1], 10, 0, damage);
    // The clock begins with the time of the second block, so that clients do not wait.
    let file = sound(SOUND[0]);
    let mut hurt = file.clone();
    damage(&mut Dice(1), &mut hurt);
    let whole = repaired(&hurt).unwrap().0;
    assert_eq!(whole.len(), file.len());
    let time = |file: &[u8]| f32::from_le_bytes(file[..4].try_into().unwrap());
    assert!((time(&whole) - time(&file)).abs() < 1.0, "{} {}", time(&whole), time(&file));
    assert_eq!(whole[4..], file[4..]);
}

/// This works only if the first packet announces the level. A client that connects while it records writes other
/// packets before, and an old MVD begins with a greeting.
#[test]
fn first_bytes_of_real_ones_are_wrong() {
    let Some(root) = crate::common::corpus() else { return };
    for folder in ["qw/ours", "qw/real"] {
        for entry in std::fs::read_dir(root.join(folder)).unwrap().flatten() {
            let name = entry.path().display().to_string();
            let is_mvd = name.to_ascii_lowercase().ends_with(".mvd");
            if !is_mvd && !name.to_ascii_lowercase().ends_with(".qwd") {
                continue;
            }
            let file = std::fs::read(entry.path()).unwrap();
            if file[9..13] == [0xff; 4] || (is_mvd && file[6] != moviola_format::qw::ServerData::OP) {
                continue;
            }
            let mut hurt = file.clone();
            hurt.iter_mut().take(16).for_each(|byte| *byte ^= 0x55);
            let (whole, summary) = repaired(&hurt).expect(&name);
            assert_eq!(blocks(&file), blocks(&whole), "{name}: {summary}");
            let plays = |file: &[u8]| {
                let report = check(file).unwrap();
                report.engines.iter().find(|it| it.engine == "ezquake").unwrap().plays
            };
            let (before, after) = (plays(&file), plays(&whole));
            assert!(after == before || after == Playability::Yes, "{name}: {before:?}, {after:?}; {summary}");
        }
    }
}

#[test]
fn bytes_are_missing() {
    mends(&SOUND, 30, 30, |dice, file| {
        let at = place(dice, file);
        let end = (at + 1 + dice.below(300)).min(file.len());
        file.drain(at..end);
    });
}

#[test]
fn bytes_are_too_many() {
    mends(&SOUND, 30, 8, |dice, file| {
        let at = place(dice, file);
        let noise: Vec<u8> = (0..=dice.below(300)).map(|_| dice.below(256) as u8).collect();
        file.splice(at..at, noise);
    });
}

/// The offsets of the packets of a QWD.
fn packets(file: &[u8]) -> Vec<usize> {
    let (mut demo, mut places) = (Demo::new(file).unwrap(), Vec::new());
    loop {
        let piece = demo.next_piece().unwrap();
        let is_packet = matches!(
            piece,
            Some(Piece::Block(block)) if matches!(block.stamp, Stamp::Qwd { numbers: Some(_), .. })
        );
        let (is_over, size) = piece.map_or((true, 0), |it| (false, it.size(Game::QuakeWorld)));
        if is_over {
            return places;
        }
        if is_packet {
            places.push(demo.offset() as usize);
        }
        assert!(size > 0);
    }
}

/// Clients drop all packets up to a number that damage has raised.
#[test]
fn numbers_are_wrong() {
    mends(&SOUND[..1], 60, 0, |dice, file| {
        let packets = packets(file);
        let at = packets[packets.len() / 4 + dice.below(packets.len() * 3 / 4)];
        // Damages the packet's number, or the number that it acknowledges.
        file[at + 9 + dice.below(7)] ^= 1 << dice.below(8);
    });
}

#[test]
fn times_are_wrong() {
    mends(&SOUND[..1], 40, 0, |dice, file| {
        let packets = packets(file);
        let at = packets[packets.len() / 4 + dice.below(packets.len() / 2)];
        file[at + 2 + dice.below(2)] ^= 1 << dice.below(8);
    });
}
