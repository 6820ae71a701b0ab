//! If parts of a recording's beginning are missing or damaged, they are taken from another recording of the level; the
//! rest stays.

use moviola_edit::{Chain, Error, Repair, Signon, rewrite};
use moviola_format::{Demo, Piece};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// The recording with the beginning of another, mended.
fn headed(file: &[u8], other: &[u8]) -> Result<(Vec<u8>, String), Error> {
    let mut chain = Chain::of(std::rc::Rc::new(move || Ok(Box::new(file))));
    chain.then(Signon::of(other)?.fit(file)?);
    chain.then(Repair::look_behind(chain.open()?)?);
    let mut whole = Vec::new();
    let summary = chain.write(&mut whole).unwrap();
    Ok((whole, summary.into_iter().map(|it| it.about).collect::<Vec<_>>().join("; ")))
}

/// The recording without these blocks.
fn without(file: &[u8], lost: impl Fn(usize) -> bool) -> Vec<u8> {
    let mut demo = Demo::new(file).unwrap();
    let (game, mut out, mut block) = (demo.game().unwrap(), Vec::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        let is_block = matches!(piece, Piece::Block(_));
        if !is_block || !lost(block) {
            piece.write(game, &mut out).unwrap();
        }
        block += usize::from(is_block);
    }
    out
}

const QUAKE: [&str; 2] = ["qs_15_lq_e0m9.dem", "quake1.07_DM1.dem"];
const QUAKE2: &str = "yq_sp.dm2";

#[test]
fn the_first_blocks_are_lent_and_nothing_is_doubled() {
    for name in QUAKE.into_iter().chain([QUAKE2]) {
        let sound = sample(name);
        for count in 1..4 {
            let (whole, summary) = headed(&without(&sound, |block| block < count), &sound).unwrap();
            assert_eq!(whole, sound, "{name}, {count} blocks: {summary}");
        }
    }
}

/// A recording without its announcement does not show its protocol; the other recording does.
#[test]
fn the_other_recording_tells_the_protocol() {
    let names = ["dem-666", "dem-999-02-shortangle", "dem-999-04-floatangle", "dem-10000", "dem-250-nehahra"];
    let made = moviola_scribe::samples().into_iter().filter(|it| names.contains(&it.name));
    let made: Vec<_> = made.map(|it| (it.name, it.bytes)).collect();
    assert_eq!(made.len(), names.len());
    for (name, sound) in made.into_iter().chain([("qs_999", sample("qs_999_lq_e0m9.dem"))]) {
        // Some of the generated recordings need repair.
        let mut mended = Vec::new();
        rewrite(&sound[..], &mut Repair::look(&sound[..]).unwrap(), &mut mended).unwrap();
        for count in 1..4 {
            let (whole, summary) = headed(&without(&sound, |block| block < count), &sound).unwrap();
            assert!(whole == mended, "{name}, {count} blocks: {summary}");
        }
    }
}

#[test]
fn a_block_of_the_beginning_is_lent() {
    for name in QUAKE {
        let sound = sample(name);
        // Baselines, statues and ambient sounds.
        let (whole, summary) = headed(&without(&sound, |block| block == 1), &sound).unwrap();
        assert_eq!(whole, sound, "{name}: {summary}");
    }
    // One of these strings names the file of the level.
    let sound = sample(QUAKE2);
    let (whole, summary) = headed(&without(&sound, |block| block == 1), &sound).unwrap();
    assert_eq!(whole, sound, "{summary}");
}

#[test]
fn a_damaged_announcement_of_a_quake_level_is_repaired() {
    for name in QUAKE {
        let sound = sample(name);
        let place = sound.windows(6).position(|bytes| bytes == b"progs/").unwrap();
        let mut hits = [sound.clone(), sound.clone(), sound.clone()];
        hits[0][place + 7] ^= 0x20;
        hits[1][place + 20..place + 24].fill(0);
        drop(hits[2].drain(place + 2..place + 7));
        for hit in hits {
            let (whole, summary) = headed(&hit, &sound).unwrap();
            assert_eq!(whole, sound, "{name}: {summary}");
        }
    }
}

#[test]
fn a_name_that_was_hit_in_quake_2_is_set_right() {
    let sound = sample(QUAKE2);
    let place = sound.windows(7).position(|bytes| bytes == b"models/").unwrap();
    let mut flipped = sound.clone();
    flipped[place + 9] ^= 0x04;
    let mut cut_off = sound.clone();
    cut_off[place + 9] = 0;
    for hit in [flipped, cut_off] {
        let (whole, summary) = headed(&hit, &sound).unwrap();
        assert_eq!(whole, sound, "{summary}");
    }
}

#[test]
fn a_recording_with_a_beginning_gets_no_other() {
    for name in QUAKE.into_iter().chain([QUAKE2]) {
        let sound = sample(name);
        assert!(headed(&sound, &sound).unwrap_err().to_string().contains("a beginning of its own"));
    }
    // This also holds if the other recording is of another level.
    let (one, other) = (sample(QUAKE[0]), sample(QUAKE[1]));
    assert!(headed(&one, &other).unwrap_err().to_string().contains("a beginning of its own"));
}

#[test]
fn a_beginning_is_of_the_same_level() {
    let sound = sample(QUAKE2);
    let place = sound.windows(5).position(|bytes| bytes == b"maps/").unwrap();
    let mut other = sound.clone();
    other[place + 5] ^= 1;
    let late = without(&sound, |block| block == 2);
    assert!(headed(&late, &other).unwrap_err().to_string().contains("of another level"));
}
