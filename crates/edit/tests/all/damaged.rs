//! Recordings that were truncated or damaged at random can be played after a repair.

use crate::common::{Dice, recordings};
use moviola_check::{CheckCode, CheckReport, Playability, check};
use moviola_edit::{BlockWriter, EditSummary, Error, Identity, Repair, Rewrite, rewrite};
use moviola_format::{Demo, Entry, Piece, Seconds, dem};
use std::ops::Range;

/// How many damages of a kind are tried.
const SEEDS: u64 = 60;

/// Recordings that can be played, of each game and kind.
const SOUND: [&str; 6] = [
    "qs_15_lq_e0m9.dem",
    "qs_999_lq_e0m9.dem",
    "qs_15_dm2p.dem",
    "qs_15_changelevel.dem",
    "yq_sp.dm2",
    "yq_cl2.dm2",
];

fn sound(name: &str) -> Option<Vec<u8>> {
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/");
    std::fs::read(format!("{samples}{name}")).ok().or_else(|| crate::common::real(&format!("ours/{name}")))
}

fn repaired(file: &[u8]) -> Result<(Vec<u8>, EditSummary), Error> {
    let mut repair = Repair::look(file)?;
    let mut whole = Vec::new();
    let summary = rewrite(file, &mut repair, &mut whole)?;
    Ok((whole, summary))
}

/// The verdict of the engine for which it was mended.
fn verdict(report: &CheckReport, name: &str) -> (Playability, String) {
    let engine = if name.ends_with("dem") { "quakespasm" } else { "yamagi" };
    let verdict = report.engines.iter().find(|it| it.engine == engine).unwrap();
    let reasons: Vec<String> = verdict.reasons.iter().map(|it| it.message.clone()).collect();
    (verdict.plays, reasons.join(", "))
}

fn blocks(file: &[u8]) -> u64 {
    rewrite(file, &mut Identity, std::io::sink()).unwrap().read
}

/// Repairs the recordings many times, each time after a new random `damage`. No repair may lose more than `most`
/// blocks.
fn mends(tries: u64, most: u64, damage: impl Fn(&mut Dice, &mut Vec<u8>)) {
    let mut played = 0;
    for name in SOUND {
        let Some(file) = sound(name) else { continue };
        for seed in 0..tries {
            let mut hurt = file.clone();
            damage(&mut Dice(seed), &mut hurt);
            let (whole, summary) = repaired(&hurt).expect(name);
            let report = check(&whole[..]).unwrap();
            assert!(report.exact && report.raw.is_empty(), "{name}, seed {seed}: {:?}", report.raw);
            let (plays, why) = verdict(&report, name);
            assert!(
                matches!(plays, Playability::Yes | Playability::WithDefects),
                "{name}, seed {seed}: {plays:?}, {why}; {summary}"
            );
            let is_lost = report.findings.iter().any(|it| it.code == CheckCode::DeltaMissing);
            assert!(!is_lost, "{name}, seed {seed}: frames build on lost ones; {summary}");
            let lost = blocks(&file).saturating_sub(blocks(&whole));
            assert!(lost <= most, "{name}, seed {seed}: {lost} blocks lost; {summary}");
            assert_eq!(repaired(&whole).unwrap().0, whole, "{name}, seed {seed}: mended twice");
            played += 1;
        }
    }
    assert!(played == 0 || played >= tries, "{played}");
}

/// A place in the last two thirds, since a lost beginning of a level cannot be restored.
fn place(dice: &mut Dice, file: &[u8]) -> usize {
    let third = file.len() / 3;
    third + dice.below(file.len() - third)
}

#[test]
fn cut_off_anywhere() {
    mends(50, u64::MAX, |dice, file| {
        let at = place(dice, file);
        file.truncate(at);
    });
}

#[test]
fn bytes_are_wrong() {
    mends(40, 8, |dice, file| {
        for _ in 0..5 {
            let at = place(dice, file);
            file[at] ^= 1 + dice.below(255) as u8;
        }
    });
}

/// The first bytes identify the game. Here they are random, so the rest of the file must identify it.
#[test]
fn first_bytes_are_wrong() {
    mends(10, 0, |dice, file| file.iter_mut().take(16).for_each(|byte| *byte = dice.below(256) as u8));
}

/// The same with real recordings: the restored head of the first block must not look like that of an empty block.
#[test]
fn first_bytes_of_real_ones_are_wrong() {
    let Some(root) = crate::common::corpus() else { return };
    let mut tried = 0;
    for entry in std::fs::read_dir(root.join("dm2")).unwrap().flatten() {
        let name = entry.path().display().to_string();
        let file = std::fs::read(entry.path()).unwrap();
        // Quake II's test has no config strings in this form.
        if file.get(5) != Some(&34) {
            continue;
        }
        let mut hurt = file.clone();
        hurt.iter_mut().take(16).for_each(|byte| *byte ^= 0x55);
        let (whole, summary) = repaired(&hurt).expect(&name);
        let plays = |file: &[u8]| verdict(&check(file).unwrap(), &name).0;
        assert!([plays(&file), Playability::Yes].contains(&plays(&whole)), "{name}: {summary}");
        assert_eq!(blocks(&file), blocks(&whole), "{name}: {summary}");
        tried += 1;
    }
    assert!(tried > 8, "{tried}");
}

#[test]
fn bytes_are_missing() {
    mends(40, 8, |dice, file| {
        let at = place(dice, file);
        let end = (at + 1 + dice.below(300)).min(file.len());
        file.drain(at..end);
    });
}

#[test]
fn bytes_are_too_many() {
    mends(40, 8, |dice, file| {
        let at = place(dice, file);
        let noise: Vec<u8> = (0..=dice.below(300)).map(|_| dice.below(256) as u8).collect();
        file.splice(at..at, noise);
    });
}

/// Removes some blocks from the last two thirds.
fn lose_blocks(dice: &mut Dice, file: &mut Vec<u8>) {
    let mut demo = Demo::new(&file[..]).unwrap();
    let game = demo.game().unwrap();
    let (from, mut left) = (place(dice, file) as u64, 1 + dice.below(20));
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(piece) = demo.next_piece().unwrap() {
        let goes = at >= from && left > 0 && matches!(piece, Piece::Block(_));
        at += piece.size(game);
        if goes {
            left -= 1;
        } else {
            piece.write(game, &mut out).unwrap();
        }
    }
    *file = out;
}

#[test]
fn blocks_are_missing() {
    mends(40, 20, lose_blocks);
}

/// Zeros, noise, or a gap, somewhere in the file.
fn damage_bytes(dice: &mut Dice, file: &mut Vec<u8>, place: Range<usize>) {
    if place.is_empty() {
        return;
    }
    let at = place.start + dice.below(place.len());
    let end = (at + 1 + dice.below(19)).min(file.len());
    match dice.below(3) {
        0 => file[at..end].fill(0),
        1 => drop(file.drain(at..end)),
        _ => drop(file.splice(at..at, (at..end).map(|_| dice.below(256) as u8).collect::<Vec<_>>())),
    }
}

/// The beginning of a recording: the announcement of the level, and the files that it loads.
fn signon(name: &str, file: &[u8]) -> usize {
    let lines =
        if name.ends_with("dem") { file.iter().position(|byte| *byte == b'\n').unwrap() + 1 } else { 0 };
    lines + (file.len() - lines) / 5
}

/// Repairs a recording; a second repair must change nothing. `None` if nothing names the level.
fn mends_at_once(name: &str, damaged: &[u8], seed: u64) -> Option<Vec<u8>> {
    let (whole, summary) = repaired(damaged).ok()?;
    let again = repaired(&whole);
    let (again, second) = again.unwrap_or_else(|error| panic!("{name}, seed {seed}: {error}; {summary}"));
    assert!(again == whole, "{name}, seed {seed}: {summary}; then {second}");
    assert_eq!(second.about, "nothing to repair", "{name}, seed {seed}: {summary}");
    Some(whole)
}

/// Whether the engine for which the recording was repaired plays it.
fn plays(name: &str, file: &[u8]) -> bool {
    matches!(verdict(&check(file).unwrap(), name).0, Playability::Yes | Playability::WithDefects)
}

#[test]
fn damage_in_the_beginning_is_mended_at_once() {
    for name in SOUND {
        let Some(file) = sound(name) else { continue };
        let (mut tried, mut played) = (0, 0);
        for seed in 0..SEEDS {
            let mut damaged = file.clone();
            damage_bytes(&mut Dice(seed), &mut damaged, 0..signon(name, &file));
            let Some(whole) = mends_at_once(name, &damaged, seed) else { continue };
            (tried, played) = (tried + 1, played + usize::from(plays(name, &whole)));
        }
        // Damage to the level's name, or to the number of players, cannot be mended.
        assert!(played * 10 >= tried * 9 && tried * 10 >= SEEDS as usize * 9, "{name}: {played} of {tried}");
    }
}

#[test]
fn a_stage_that_goes_with_its_block_is_put_in_at_once() {
    type Damage = fn(&mut Vec<u8>);
    let zeros = |file: &mut Vec<u8>| file[2314..2318].fill(0);
    let gap = |file: &mut Vec<u8>| drop(file.drain(8684..8703));
    let damages: [(&str, Damage); 2] = [(SOUND[0], zeros), (SOUND[4], gap)];
    for (name, damage) in damages {
        let Some(mut file) = sound(name) else { continue };
        damage(&mut file);
        let (whole, summary) = repaired(&file).unwrap();
        assert!(plays(name, &whole), "{name}: {summary}");
        assert!(summary.about.contains("missing stage"), "{name}: {summary}");
        // Lost bytes that go with unreadable messages are reported, too.
        assert!(summary.about.contains("could not be read and are lost"), "{name}: {summary}");
    }
}

#[test]
fn damage_anywhere_is_mended_at_once() {
    for recording in moviola_scribe::samples() {
        for seed in 0..SEEDS / 4 {
            let (mut dice, mut file) = (Dice(seed), recording.bytes.clone());
            for _ in 0..=dice.below(4) {
                let size = file.len();
                damage_bytes(&mut dice, &mut file, 0..size);
            }
            mends_at_once(recording.name, &file, seed);
        }
        mends_at_once(recording.name, &recording.bytes, 0);
    }
    // Several damages at once, in recordings of real engines: the rewritten parts must be right too.
    for name in ["quake1.07_DM1.dem", "dp2025_NEHAHRABJP3.dem", "yq_chg.dm2", "yq_sp.dm2"] {
        let Some(sound) = sound(name) else { continue };
        for seed in 0..SEEDS / 4 {
            let (mut dice, mut file) = (Dice(seed), sound.clone());
            for _ in 0..=dice.below(12) {
                let size = file.len();
                damage_bytes(&mut dice, &mut file, 0..size);
            }
            mends_at_once(name, &file, seed);
        }
    }
}

#[test]
fn sound_recordings_stay_the_same() {
    for name in SOUND {
        let Some(file) = sound(name) else { continue };
        assert!(repaired(&file).unwrap().0 == file, "{name}");
    }
    let samples = moviola_scribe::samples();
    let whole = |name: &str| name.starts_with("dm2") && name.ends_with("client") || name.contains("relay");
    for made in samples.iter().filter(|it| whole(it.name)) {
        assert!(repaired(&made.bytes).unwrap().0 == made.bytes, "{}", made.name);
    }
}

#[test]
fn sound_recordings_have_no_torn_blocks() {
    for game in [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2] {
        for recording in recordings(game) {
            // Recordings without the name of their level are not repaired.
            let Ok(repair) = Repair::look(&recording.bytes[..]) else { continue };
            assert_eq!(repair.damage().lengths, 0, "{}: {}", recording.name, repair.outcome());
        }
    }
}

/// A block of a recording of Quake.
fn quake_block(data: &[u8]) -> Vec<u8> {
    let angles = [1.5f32, 90.0, 0.0].map(f32::to_le_bytes).concat();
    [&(data.len() as u32).to_le_bytes()[..], &angles, data].concat()
}

#[test]
fn the_next_block_is_found() {
    let time = |at: u8| [7, 0, 0, at, 0x40, 1, 1];
    let level = b"\x0b\x0f\0\0\0\x01\x01level\0maps/e.bsp\0\0\0\x19\x01";
    let mut blocks = vec![quake_block(level)];
    blocks.extend((0..6).map(|it| quake_block(&time(it * 8))));
    let sound = [&b"-1\n"[..], &blocks.concat()].concat();
    let place = 3 + blocks[0].len() + 2 * blocks[1].len();
    let look = |file: &[u8]| {
        let repair = Repair::look(file).unwrap();
        (repair.damage().clone(), repair.outcome())
    };
    assert_eq!(look(&sound).0.lengths, 0);
    // A wrong length is corrected, and nothing is lost.
    let mut long = sound.clone();
    long[place + 1] = 0x40;
    let (damage, outcome) = look(&long);
    assert_eq!((damage.lengths, damage.raw, damage.bytes), (1, 0, 0), "{outcome}");
    assert!(outcome.contains(&format!("the file is torn at byte {place}")), "{outcome}");
    assert_eq!(repaired(&long).unwrap().0, repaired(&sound).unwrap().0);
    // Noise between two blocks is left out.
    let mut noisy = sound.clone();
    noisy.splice(place..place, [0xff; 100]);
    let (damage, outcome) = look(&noisy);
    assert_eq!((damage.lengths, damage.raw), (0, 100), "{outcome}");
    assert_eq!(repaired(&noisy).unwrap().0, repaired(&sound).unwrap().0);
}

#[test]
fn a_clock_that_goes_back_is_corrected() {
    let file =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem")).unwrap();
    for (from, to, by) in [(100, 584, 5.0), (300, 584, 5.0), (300, 301, 8.0), (0, 584, 5.0), (100, 400, 1e3)]
    {
        let mut back = Back { from, to, by };
        let mut torn = Vec::new();
        rewrite(&file[..], &mut back, &mut torn).unwrap();
        let (whole, summary) = repaired(&torn).unwrap();
        assert!(summary.to_string().contains("1 leap of the clock removed"), "{summary}");
        let report = check(&whole[..]).unwrap();
        assert_eq!(verdict(&report, "dem").0, Playability::Yes, "{from}..{to}: {report:#?}");
        let (before, after) = (times(&file), times(&whole));
        assert_eq!(before.len(), after.len());
        assert!(after[1..].windows(2).all(|pair| pair[0] <= pair[1]), "{from}..{to}");
        assert!(after[1..].windows(2).all(|pair| pair[1] - pair[0] < 0.2), "{from}..{to}");
        assert_eq!(repaired(&whole).unwrap().0, whole, "mended twice");
    }
}

#[test]
fn a_damaged_time_is_known_by_its_neighbors() {
    let file =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem")).unwrap();
    for (odd, at) in [
        (f32::NEG_INFINITY, 12),
        (-5e27, 200),
        (-1e9, 578),
        (f32::NAN, 200),
        (f32::INFINITY, 300),
        (3e38, 300),
        (1e9, 400),
        (1e6, 400),
        (-100.0, 500),
    ] {
        let mut torn = Vec::new();
        rewrite(&file[..], &mut Odd(at, odd), &mut torn).unwrap();
        let report = check(&torn[..]).unwrap();
        assert!(report.findings.iter().any(|it| it.code.number() == "M234"), "{odd}: {report:#?}");
        let (whole, summary) = repaired(&torn).unwrap();
        assert!(summary.to_string().contains("1 leap of the clock removed"), "{odd}: {summary}");
        assert_eq!(check(&whole[..]).unwrap().findings, check(&file[..]).unwrap().findings, "{odd}");
        let (before, after) = (times(&file), times(&whole));
        assert!(before.iter().zip(&after).all(|(before, after)| (before - after).abs() < 0.2), "{odd}");
        assert!(
            before.iter().zip(&after).filter(|(before, after)| before.to_bits() != after.to_bits()).count()
                <= 1,
            "{odd}"
        );
        assert_eq!(repaired(&whole).unwrap().0, whole, "mended twice");
    }
}

#[test]
fn damaged_times_are_known_by_two_that_agree() {
    let file =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem")).unwrap();
    for (from, to, ahead) in
        [(200, 201, 30.0), (300, 301, 600.0), (12, 13, 3500.0), (577, 578, 20.0), (400, 410, 100.0)]
    {
        let mut torn = Vec::new();
        rewrite(&file[..], &mut Back { from, to, by: -ahead }, &mut torn).unwrap();
        let report = check(&torn[..]).unwrap();
        let found = report.findings.iter().find(|it| it.code.number() == "M234").unwrap();
        assert_eq!((found.place.block, found.count), (Some(from), 1), "{from}: its place is reported");
        let (whole, summary) = repaired(&torn).unwrap();
        let changed = format!("{} changed", to - from);
        assert!(summary.to_string().contains("1 leap of the clock removed"), "{summary}");
        assert!(summary.to_string().contains(&changed), "{summary}");
        let (before, after) = (times(&file), times(&whole));
        assert!(before.iter().zip(&after).all(|(before, after)| (before - after).abs() < 0.02), "{from}");
        assert_eq!(repaired(&whole).unwrap().0, whole, "mended twice");
    }
}

/// `QuakeSpasm` dies where the sparks of an explosion are still in the air.
#[test]
fn a_clock_after_an_explosion_goes_on() {
    let file =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem")).unwrap();
    let codes =
        |file: &[u8]| -> Vec<_> { check(file).unwrap().findings.iter().map(|it| it.code.number()).collect() };
    let mut loud = Vec::new();
    rewrite(&file[..], &mut Bang(450), &mut loud).unwrap();
    for (from, by, minds) in
        [(449, 1.2, false), (454, 0.6, false), (454, 1.2, true), (460, 1.2, true), (490, 1.2, false)]
    {
        let mut torn = Vec::new();
        rewrite(&loud[..], &mut Back { from, to: from + 1, by }, &mut torn).unwrap();
        assert_eq!(codes(&torn).contains(&"M235"), minds, "{from}");
        let (whole, _) = repaired(&torn).unwrap();
        assert!(!codes(&whole).contains(&"M235"), "{from}");
        assert_eq!(whole == torn, !minds, "{from}");
        assert_eq!(repaired(&whole).unwrap().0, whole, "mended twice");
    }
}

/// A rocket explodes in this block.
struct Bang(u64);

impl Rewrite for Bang {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        writer.keep();
        if matches!(entry.message, dem::Message::Time(_)) && writer.place().block == self.0 {
            writer.put_bytes(&[0x17, 3, 0, 0, 0, 0, 0, 0]);
        }
    }
}

#[test]
fn a_server_block_marked_as_a_clients_is_repaired() {
    let file =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/qs_15_lq_e0m9.dem")).unwrap();
    let (mut at, mut blocks) = (file.iter().position(|byte| *byte == b'\n').unwrap() + 1, 0);
    while let Some(length) = file.get(at..at + 4) {
        let length = u32::from_le_bytes(length.try_into().unwrap());
        // Blocks of the beginning have no clock that could show the damage.
        if blocks % 50 == 49 {
            let mut hurt = file.clone();
            hurt[at + 3] |= 0x80;
            let (whole, summary) = repaired(&hurt).unwrap();
            assert!(whole == file, "block {blocks}: {summary}");
            assert!(summary.about.starts_with("1 length of blocks corrected"), "{summary}");
        }
        (at, blocks) = (at + 16 + length as usize, blocks + 1);
    }
    assert!(blocks > 500);
}

fn times(file: &[u8]) -> Vec<f32> {
    let mut times = Times::default();
    rewrite(file, &mut times, std::io::sink()).unwrap();
    times.0
}

/// A clock that is late in some of the blocks.
struct Back {
    from: u64,
    to: u64,
    by: f32,
}

impl Rewrite for Back {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dem::Message::Time(it) if (self.from..self.to).contains(&writer.place().block) => {
                writer.put(&dem::Message::from(dem::Time {
                    time: Seconds::new(it.time.value() - self.by).into(),
                }));
            }
            _ => writer.keep(),
        }
    }
}

/// A block, and the wrong time that its clock gets.
struct Odd(u64, f32);

impl Rewrite for Odd {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dem::Message::Time(_) if writer.place().block == self.0 => {
                writer.put(&dem::Message::from(dem::Time { time: Seconds::new(self.1).into() }));
            }
            _ => writer.keep(),
        }
    }
}

/// The clock, block by block.
#[derive(Default)]
struct Times(Vec<f32>);

impl Rewrite for Times {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let dem::Message::Time(it) = &entry.message {
            self.0.push(it.time.value());
        }
        writer.keep();
    }
}

#[test]
fn a_torn_list_of_config_strings_goes_on() {
    for name in ["yq_sp.dm2", "yq_cl2.dm2"] {
        let Some(file) = sound(name) else { continue };
        let (mut tried, mut silent) = (0, Vec::new());
        for at in (100..6000).step_by(59) {
            let mut hurt = file.clone();
            hurt[at..at + 4].fill(0);
            let (whole, summary) = repaired(&hurt).expect(name);
            let (plays, why) = verdict(&check(&whole[..]).unwrap(), name);
            if !matches!(plays, Playability::Yes | Playability::WithDefects) {
                silent.push(format!("{at}: {why}; {summary}"));
            }
            assert!(file.len().abs_diff(whole.len()) < 300, "{name}, {at}: {summary}");
            assert_eq!(repaired(&whole).unwrap().0, whole, "{name}, {at}: mended twice");
            tried += 1;
        }
        assert!(tried == 100 && silent.is_empty(), "{name}: {silent:#?}");
    }
}
