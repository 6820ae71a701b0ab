//! Archives that were cut off or damaged: the files before the damage are unpacked.

use crate::build::{Found, dzip, gzip, pak, unpack, zip};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use moviola_container::{ContainerFault, Limits, Walk, WalkOptions};
use std::io::{self, Cursor, Read, Write};

const TEXT: &[u8] = b"a text, a text, a text, and some more of it";
fn with_damage() -> WalkOptions {
    WalkOptions { nested: true, damaged: true, ..WalkOptions::default() }
}

/// Bytes that can hardly be compressed, the same for the same seed.
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut roll = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..length).map(|_| roll() & 0x3F).collect()
}

/// The files that were unpacked completely, and the messages about the others.
fn split(found: Vec<Found>) -> (Vec<(String, Vec<u8>)>, Vec<String>) {
    let (mut files, mut troubles) = (Vec::new(), Vec::new());
    for (path, content) in found {
        match content {
            Ok(bytes) => files.push((path, bytes)),
            Err(error) => troubles.push(format!("{path}: {error}")),
        }
    }
    (files, troubles)
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A file of a zip whose sizes follow its data, as programs write it that cannot seek.
fn streamed(name: &str, bytes: &[u8], method: u16) -> Vec<u8> {
    let data = if method == 8 { deflate(bytes) } else { bytes.to_vec() };
    let mut file = b"PK\x03\x04\x14\0\x08\0".to_vec();
    file.extend(method.to_le_bytes());
    file.extend([0; 16]);
    file.extend((name.len() as u16).to_le_bytes());
    file.extend([0; 2]);
    file.extend(name.as_bytes());
    file.extend(&data);
    file.extend(b"PK\x07\x08");
    for word in [crc32fast::hash(bytes), data.len() as u32, bytes.len() as u32] {
        file.extend(word.to_le_bytes());
    }
    file
}

/// The content of a path before its damage.
fn before_damage(archive: Vec<u8>, path: &str) -> (Vec<u8>, String) {
    for entry in Walk::new(Cursor::new(archive), with_damage()).unwrap() {
        if let Ok(mut entry) = entry
            && entry.path() == path
        {
            let mut bytes = Vec::new();
            let error = entry.read_to_end(&mut bytes).unwrap_err();
            return (bytes, error.to_string());
        }
    }
    panic!("no {path}");
}

#[test]
fn a_zip_without_its_directory_is_found_by_the_headers() {
    let [one, two, three] = [noise(1, 4000), noise(2, 3000), noise(3, 5000)];
    let archive = zip(&[("one.dem", &one), ("two.dem", &two), ("in/three.dem", &three)]);
    let directory = archive.windows(4).position(|it| it == b"PK\x01\x02").unwrap();
    let (files, troubles) = split(unpack(&archive[..directory], with_damage()));
    let expected = [("one.dem", one.clone()), ("two.dem", two.clone()), ("in/three.dem", three.clone())];
    assert_eq!(files, expected.map(|(name, bytes)| (name.to_owned(), bytes)));
    assert_eq!(
        troubles,
        [
            ": zip: the end of the directory is missing: the archive is cut off; 3 files found without the directory"
        ]
    );
    // The archive is cut in the third file, which is unpacked as far as possible.
    let torn = archive[..directory - 1000].to_vec();
    assert_eq!(split(unpack(&torn, with_damage())).0.len(), 2);
    let (bytes, error) = before_damage(torn, "in/three.dem");
    assert!(bytes.len() > 2000 && three.starts_with(&bytes), "{}", bytes.len());
    assert!(error.contains("the compressed data ends early"), "{error}");
    // Cut in the second file, which is stored uncompressed.
    let start = archive.windows(64).position(|it| it == &two[..64]).unwrap();
    let (bytes, error) = before_damage(archive[..start + 500].to_vec(), "two.dem");
    assert_eq!(bytes, two[..500]);
    assert_eq!(error, "zip: it is cut off: 500 of its 3000 bytes are there");
    // Without the option nothing is unpacked.
    assert!(Walk::new(Cursor::new(archive[..directory].to_vec()), WalkOptions::default()).is_err());
}

#[test]
fn cut_off_anywhere_a_zip_gives_the_files_before() {
    let [one, two] = [noise(1, 300), noise(2, 200)];
    let archive = zip(&[("one", &one), ("two", &two), ("three", TEXT)]);
    let mut most = 0;
    for length in 60..archive.len() {
        let found = match Walk::new(Cursor::new(archive[..length].to_vec()), with_damage()) {
            Ok(walk) => crate::build::read(walk),
            Err(_) => continue,
        };
        let (files, troubles) = split(found);
        assert!(!troubles.is_empty() || length == archive.len(), "{length}");
        assert!(files.len() >= most, "{length}: more bytes are not fewer files");
        most = files.len();
        assert!(files.iter().all(|(_, bytes)| [&one[..], &two, TEXT].contains(&&bytes[..])));
    }
    assert_eq!(most, 3);
}

#[test]
fn a_streamed_zip_is_measured() {
    let [one, two, three] = [noise(1, 4000), noise(2, 3000), noise(3, 5000)];
    let whole = [streamed("a", &one, 8), streamed("b", &two, 0), streamed("c", &three, 8)].concat();
    let (files, troubles) = split(unpack(&whole, with_damage()));
    assert_eq!(files, [("a".into(), one.clone()), ("b".into(), two), ("c".into(), three.clone())]);
    assert_eq!(troubles.len(), 1);
    let (bytes, error) = before_damage(whole[..whole.len() - 1500].to_vec(), "c");
    assert!(bytes.len() > 2000 && three.starts_with(&bytes) && error.contains("ends early"), "{error}");
    // Damage in the middle loses the rest of the damaged file, but no other file.
    let mut damaged = whole;
    damaged[1500..1600].fill(0xFF);
    let (files, troubles) = split(unpack(&damaged, with_damage()));
    assert_eq!(files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["b", "c"]);
    assert!(troubles[1].starts_with("a: zip: "), "{troubles:?}");
}

/// The worked example of the format's description: packed, and as a recording.
const PACKED: &str = "
    2d310a 050000803f0000a0c0 0b0f000000010065006d000000 16012405026400c800d4fe 16020007 00
    00 230000803f 4908f01952 30010200 c1200809 02fc 3101480000 3a4029001101000000ffff 00
    00 070a00 40 30000080 00";
const DEMO: &str = "2d310a
    2d000000 0000803f000000000000a0c0 0b0f000000010065006d00000016010005020000640000c80000d4fe0016030007000000000000000000000000
    2e000000 0000803f000000000000a0c0 070000803f0fc00200f0014000000000190000000000c90501090300dcfe8402fcff06024029001101000000ffff
    1e000000 0000803f000000000000a0c0 070a00803f0fc00200f0014000000000190000000000c90501090300e4fe";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u32> = hex.chars().filter_map(|digit| digit.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

#[test]
fn a_dzip_without_its_directory_is_found_by_its_streams() {
    let (packed, demo, notes, stored) = (bytes(PACKED), bytes(DEMO), noise(4, 2000), noise(5, 300));
    let plain = [b"-1\n".to_vec(), vec![200, 1, 0, 0], noise(7, 400)].concat();
    let archive = dzip(
        3,
        &[
            ("run.dem", 5, 0, &demo, &packed),
            ("notes", 0, 0, &notes, &notes),
            ("stored", 8, 0, &stored, &stored),
            ("again.dem", 5, 0, &demo, &packed),
            ("plain.dem", 0, 0, &plain, &plain),
        ],
    );
    let at = u32::from_le_bytes(*archive[4..].first_chunk().unwrap()) as usize;
    let (files, troubles) = split(unpack(&archive[..at], with_damage()));
    let expected = [
        ("unnamed1.dem", demo.clone()),
        ("unnamed2", notes.clone()),
        ("unnamed3", stored),
        ("unnamed4.dem", demo.clone()),
        ("unnamed5.dem", plain),
    ];
    assert_eq!(files, expected.map(|(name, bytes)| (name.to_owned(), bytes)));
    assert!(
        troubles[0].ends_with("the archive is cut off, at offset 0x4; 5 files found without the directory")
    );
    // Cut within the second file.
    let cut = archive[..600].to_vec();
    assert_eq!(split(unpack(&cut, with_damage())).0, [("unnamed1.dem".into(), demo.clone())]);
    let (got, error) = before_damage(cut, "unnamed2");
    assert!(got.len() > 100 && notes.starts_with(&got) && error.contains("ends early"), "{}", got.len());
    // Cut within the directory: the remaining names are used.
    let (files, _) = split(unpack(&archive[..at + 32 + 8 + 32 + 6 + 10], with_damage()));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["run.dem", "notes", "unnamed3", "unnamed4.dem", "unnamed5.dem"]);
}

#[test]
fn the_first_recording_of_a_torn_version_one_comes_out() {
    let whole = dzip(1, &[("a", 0, 0, TEXT, TEXT), ("b", 2, 0, TEXT, TEXT)]);
    let at = u32::from_le_bytes(*whole[4..].first_chunk().unwrap()) as usize;
    let (files, troubles) = split(unpack(&whole[..at], with_damage()));
    assert_eq!((files, troubles.len()), (vec![("unnamed1".into(), [TEXT, TEXT].concat())], 1));
}

#[test]
fn archives_within_torn_ones_are_torn_too() {
    let [one, two] = [noise(1, 4000), noise(2, 3000)];
    let inner = zip(&[("one", &one), ("two", &two)]);
    let outer = zip(&[("x.zip", &inner), ("y.pak", &pak(&[("z", TEXT)]))]);
    let cut = outer[..4500].to_vec();
    let (files, troubles) = split(unpack(&cut, with_damage()));
    assert_eq!(files, [("x.zip:one".into(), one.clone())]);
    assert!(troubles.len() == 3 && troubles[1].starts_with("x.zip: zip: "), "{troubles:?}");
    // The same inside of a truncated gzip file.
    let cut = gzip(&inner)[..4500].to_vec();
    let (files, troubles) = split(unpack(&cut, with_damage()));
    assert_eq!(files, [("one".into(), one)]);
    assert!(troubles[0].contains("gzip: the compressed data ends early; 2 files found"), "{troubles:?}");
}

#[test]
fn no_change_makes_salvage_panic() {
    let demo = bytes(DEMO);
    let files = [
        zip(&[("a", TEXT), ("b", TEXT)]),
        [streamed("a", TEXT, 8), streamed("b", TEXT, 0)].concat(),
        dzip(1, &[("a", 0, 0, TEXT, TEXT), ("b", 2, 0, TEXT, TEXT)]),
        dzip(2, &[("a", 5, 0, &demo, &bytes(PACKED)), ("b", 3, 1, b"", b""), ("c", 8, 1, TEXT, TEXT)]),
    ];
    for file in files {
        for at in 0..file.len() {
            for change in [0x01, 0x80, 0xFF] {
                for length in [file.len(), file.len() - 22, at + 1] {
                    let mut file = file.clone();
                    file[at] ^= change;
                    file.truncate(length);
                    if let Ok(walk) = Walk::new(Cursor::new(file), with_damage()) {
                        crate::build::read(walk);
                    }
                }
            }
        }
    }
}

/// Whether a limit stops the attack.
fn is_stopped(file: Vec<u8>, limits: Limits) -> bool {
    let is_limit = |error: &io::Error| ContainerFault::of(error).is_some_and(ContainerFault::is_limit);
    let walk = match Walk::new(Cursor::new(file), WalkOptions { limits, ..with_damage() }) {
        Ok(walk) => walk,
        Err(error) => return is_limit(&error),
    };
    walk.into_iter().any(|entry| match entry {
        Err(trouble) => is_limit(&trouble.error),
        Ok(mut entry) => io::copy(&mut entry, &mut io::sink()).is_err_and(|error| is_limit(&error)),
    })
}

#[test]
fn limits_hold_for_damaged_archives_too() {
    let small = Limits { ratio: 20, free: 1 << 20, entries: 1000, ..Limits::default() };
    let zeros = vec![0; 8 << 20];
    let cut = |file: Vec<u8>, by: usize| file[..file.len() - by].to_vec();
    assert!(is_stopped(streamed("a", &zeros, 8), small), "it is only measured");
    assert!(is_stopped(cut(zip(&[("a", &zeros)]), 30), small));
    assert!(is_stopped(cut(dzip(3, &[("a", 0, 0, &zeros, &zeros)]), 34), small));
    let many: Vec<u8> = (0..1001).flat_map(|_| streamed("a", b"", 8)).collect();
    assert!(is_stopped(many, small));
    let empty = crate::build::zlib(b"");
    assert!(is_stopped([b"DZ\x03\0\xff\xff\xff\xff\0\0\0\0".to_vec(), empty.repeat(1001)].concat(), small));
    // Bytes that look like the start of a stream everywhere are counted against the limits at each place.
    let looks = [b"DZ\x03\0\xff\xff\xff\xff\0\0\0\0\0".to_vec(), b"\x78\x9c".repeat(100_000)].concat();
    assert!(is_stopped(looks, small));
    // A packed recording of moving entities, four bytes a block.
    let mut packed = b"-1\n\0\x30".to_vec();
    let numbers = (1..=20_u8).chain(std::iter::once(0));
    packed.extend(numbers.chain([0; 20]).chain([0]));
    (0..1_000_000).for_each(|_| packed.extend(b"\0\x30\0\0"));
    assert!(is_stopped(cut(dzip(3, &[("x", 5, 0, &[0; 100], &packed)]), 34), small));
}

#[test]
fn a_pak_that_is_cut_inside_its_directory_gives_the_files_that_it_still_names() {
    let [one, two, three] = [noise(1, 400), noise(2, 300), noise(3, 500)];
    let whole = pak(&[("one.dem", &one), ("two.dem", &two), ("in/three.dem", &three)]);
    for cut in 1..=whole.len() {
        let left = whole.len() - cut;
        // The directory has a row of 64 bytes for each file, after the header and the data.
        let rows = (left.saturating_sub(12 + 1200) / 64).min(3);
        let mut found = Vec::new();
        let mut why = String::new();
        match Walk::new(Cursor::new(whole[..left].to_vec()), with_damage()) {
            Err(error) => why = error.to_string(),
            Ok(walk) => {
                for entry in walk {
                    match entry {
                        Err(error) => why = error.to_string(),
                        Ok(mut entry) => {
                            let mut bytes = Vec::new();
                            if entry.read_to_end(&mut bytes).is_ok() && entry.path() != "" {
                                found.push(bytes);
                            }
                        }
                    }
                }
            }
        }
        if left >= 12 + 1200 {
            assert_eq!(found, [&one, &two, &three].map(|it| &it[..])[..rows], "{left} bytes: {why}");
            assert!(rows == 0 || why.contains("in what is left of the directory"), "{left} bytes: {why}");
        }
    }
}
