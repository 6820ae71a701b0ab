//! Broken and hostile containers lead to errors, use little memory, and never cause a panic.

use crate::build::{dzip, gzip, pak, read, unpack, zip};
use moviola_container::{ContainerFault, Limits, Walk, WalkOptions};
use std::io::{self, Cursor};

const TEXT: &[u8] = b"a text, a text, a text, and some more of it";

fn containers() -> Vec<Vec<u8>> {
    let group = [
        ("run.txt", 0, 0, TEXT, TEXT),
        ("pak0.pak", 3, 1, b"", b""),
        ("a", 8, 1, TEXT, TEXT),
        ("z.zip", 0, 0, b"", b""),
    ];
    vec![
        gzip(TEXT),
        zip(&[("a", TEXT), ("b", TEXT)]),
        pak(&[("a", TEXT), ("b", TEXT)]),
        dzip(1, &[("a", 0, 0, TEXT, TEXT), ("b", 2, 0, TEXT, TEXT)]),
        dzip(2, &group),
        zip(&[("x.dz", &dzip(3, &group)), ("x.pak", &pak(&[("y.gz", &gzip(TEXT))]))]),
    ]
}

/// The number of files that are unpacked completely despite errors.
fn unpacked_count(file: Vec<u8>) -> usize {
    match Walk::new(Cursor::new(file), WalkOptions::default()) {
        Ok(walk) => read(walk).iter().filter(|(_, content)| content.is_ok()).count(),
        Err(_) => 0,
    }
}

#[test]
fn every_truncated_container_gives_less() {
    for file in containers() {
        let all = unpacked_count(file.clone());
        // Files shorter than this are not recognized as containers.
        for length in 4..file.len() {
            // The end of a zip file may be cut off a trailing comment, never of these.
            assert!(unpacked_count(file[..length].to_vec()) < all, "{length} of {} bytes", file.len());
        }
    }
}

#[test]
fn the_end_of_a_zip_is_found_among_others() {
    let plain = zip(&[("a", TEXT)]);
    let is_unpacked = |file: &[u8]| unpack(file, WalkOptions::default()) == [("a".into(), Ok(TEXT.to_vec()))];
    let commented = |comment: &[u8]| {
        let mut file = plain.clone();
        let at = file.len() - 2;
        file[at..].copy_from_slice(&u16::try_from(comment.len()).unwrap().to_le_bytes());
        [&file, comment].concat()
    };
    assert!(is_unpacked(&commented(b"no PK\x05\x06 and what follows it is longer than an end")));
    let empty: &[u8] = b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    assert!(is_unpacked(&commented(empty)));
    assert!(is_unpacked(&commented(&empty.repeat(10))));
    assert!(is_unpacked(&[&commented(b"PK\x05\x06")[..], b"rubbish"].concat()));
    // A self-extracting program; the end of a stream is not known when it starts.
    let program = |end: &[u8]| {
        let file = Cursor::new([b"MZ, a program of some bytes", end].concat());
        read(Walk::new(file, WalkOptions::default()).unwrap()).swap_remove(0).0
    };
    assert_eq!((program(&plain).as_str(), program(b"").as_str(), program(empty).as_str()), ("a", "", ""));
}

#[test]
fn no_changed_byte_makes_a_container_panic() {
    for file in containers() {
        for at in 0..file.len() {
            for change in [0x01, 0x80, 0xFF] {
                let mut file = file.clone();
                file[at] ^= change;
                unpacked_count(file);
            }
        }
    }
}

#[test]
fn damage_is_reported() {
    let wrong = |file: Vec<u8>| match Walk::new(Cursor::new(file), WalkOptions::default()) {
        Ok(walk) => {
            read(walk).into_iter().find_map(|(path, it)| Some(format!("{path}: {}", it.err()?))).unwrap()
        }
        Err(error) => error.to_string(),
    };
    let change = |mut file: Vec<u8>, at: usize, bytes: &[u8]| {
        file[at..at + bytes.len()].copy_from_slice(bytes);
        wrong(file)
    };
    let pak = pak(&[("a", TEXT)]);
    assert_eq!(
        change(pak.clone(), 8, b"\x41"),
        "PAK: the directory reaches beyond the end of the file, at offset 0x8"
    );
    let end = pak.len();
    let message = change(pak, end - 4, b"\xff\xff");
    assert_eq!(message, "a: PAK: its 65535 bytes at offset 0xC reach beyond the end of the file");
    let dz = dzip(2, &[("a", 0, 0, TEXT, TEXT)]);
    let row = dz.len() - 34;
    assert_eq!(
        change(dz.clone(), row + 16, b"\0\0\0\0"),
        format!(
            "a: Dzip: the CRC of what comes out is {:08x}, the directory says 00000000",
            !crc32fast::hash(TEXT)
        )
    );
    assert_eq!(
        change(dz.clone(), row + 8, b"\x05"),
        "a: Dzip: more comes out of it than the 5 bytes that the directory says"
    );
    assert_eq!(
        change(dz.clone(), row + 8, b"\xff"),
        "a: Dzip: 43 bytes come out of it, the directory says 255"
    );
    assert_eq!(
        change(dz.clone(), row + 20, b"\x09"),
        "a: Dzip: its type, 9, is none of this version of Dzip"
    );
    assert_eq!(
        change(dz.clone(), row + 20, b"\x01"),
        "a: Dzip: its type, 1, is none of this version of Dzip"
    );
    assert_eq!(
        change(dz.clone(), row + 12, b"\xff\xff"),
        "Dzip: the directory is damaged: a name has 65535 bytes"
    );
    assert_eq!(
        change(dz.clone(), 8, b"\xff"),
        "Dzip: 255 files are more than the directory has room for, at offset 0x8"
    );
    assert_eq!(change(dz.clone(), 2, b"\x04"), "Dzip: the version is not 1, 2 or 3, at offset 0x2");
    assert_eq!(wrong(b"PACK".to_vec()), "PAK: the header is cut off");
    assert_eq!(change(dz, 14, b"\xff\xff\xff"), "a: Dzip: the compressed data is damaged, at offset 0x1");
    let zip = zip(&[("a", TEXT)]);
    let at = zip.windows(4).position(|it| it == b"PK\x01\x02").unwrap();
    assert_eq!(change(zip.clone(), at + 10, b"\x0e"), "a: zip: its compression, method 14, is not supported");
    assert_eq!(change(zip, at + 8, b"\x01"), "a: zip: it is encrypted");
    assert!(wrong(gzip(TEXT)[..30].to_vec()).contains("gzip: the compressed data ends early"));
}

/// Runs an attack; returns the number of bytes unpacked, and whether a limit stopped it.
fn attack(file: Vec<u8>, limits: Limits) -> (u64, bool) {
    let mut got = 0;
    let walk = match Walk::new(Cursor::new(file), WalkOptions { limits, ..WalkOptions::default() }) {
        Ok(walk) => walk,
        Err(error) => return (0, ContainerFault::of(&error).unwrap().is_limit()),
    };
    for entry in walk {
        let error = match entry {
            Err(trouble) => trouble.error,
            Ok(mut entry) => {
                let mut sink = Counter(&mut got);
                match io::copy(&mut entry, &mut sink) {
                    Ok(_) => continue,
                    Err(error) => error,
                }
            }
        };
        if ContainerFault::of(&error).is_some_and(ContainerFault::is_limit) {
            return (got, true);
        }
    }
    (got, false)
}

struct Counter<'a>(&'a mut u64);

impl io::Write for Counter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        *self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const SMALL: Limits = Limits {
    total: 1 << 40,
    ratio: 1100,
    free: 1 << 20,
    entries: 1000,
    depth: 4,
    name: 100,
    memory: 1 << 20,
};

#[test]
fn bombs_are_errors() {
    let zeros = vec![0; 8 << 20];
    // An ordinary file may have one layer of deflate too.
    let one = gzip(&zeros);
    assert_eq!(attack(one.clone(), SMALL), (8 << 20, false));
    let (got, stopped) = attack(gzip(&one), SMALL);
    assert!(stopped && got < 2 << 20, "{got}");
    let (got, stopped) = attack(zip(&[("a.gz", &gzip(&one)), ("b", b"")]), SMALL);
    assert!(stopped && got < 2 << 20, "{got}");
    // Nested archives are stored to be read, but only up to the limit.
    let (got, stopped) = attack(zip(&[("a.pak", &pak(&[("x", &zeros)]))]), SMALL);
    assert!(stopped && got == 0, "{got}");
    // Files that share their bytes.
    let mut rows = pak(&[("x", &zeros[..1 << 20])]);
    let row = rows[12 + (1 << 20)..].to_vec();
    (0..900).for_each(|_| rows.extend(&row));
    rows[8..12].copy_from_slice(&(901_u32 * 64).to_le_bytes());
    let (got, stopped) = attack(rows, Limits { ratio: 10, ..SMALL });
    assert!(stopped && got < 12 << 20, "{got}");
    // A packed recording of moving entities, four bytes a block.
    let mut packed = b"-1\n\0\x30".to_vec();
    let numbers = (1..=20_u8).chain(std::iter::once(0));
    packed.extend(numbers.chain([0; 20]).chain([0]));
    (0..1_000_000).for_each(|_| packed.extend(b"\0\x30\0\0"));
    let (got, stopped) = attack(dzip(3, &[("x", 5, 0, &[0; 100], &packed)]), SMALL);
    assert!(!stopped && got <= 1 << 17, "the size in the directory bounds it: {got}");
    let mut file = dzip(3, &[("x", 5, 0, &[0; 100], &packed)]);
    let size = file.len() - 34 + 8;
    file[size..size + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    let (got, stopped) = attack(file, SMALL);
    assert!(stopped && got < 32 << 20, "{got}");
}

#[test]
fn counts_depths_and_names_are_limited() {
    let many: Vec<(String, &[u8])> = (0..1001).map(|at| (format!("{at}"), &b""[..])).collect();
    let many: Vec<(&str, &[u8])> = many.iter().map(|(name, it)| (name.as_str(), *it)).collect();
    for file in [zip(&many), pak(&many)] {
        assert_eq!(attack(file, SMALL), (0, true));
    }
    let mut deep = TEXT.to_vec();
    (0..4).for_each(|_| deep = pak(&[("x", &deep)]));
    assert_eq!(attack(deep.clone(), SMALL), (TEXT.len() as u64, false));
    assert_eq!(attack(gzip(&deep), SMALL), (0, true));
    let long = "x".repeat(101);
    assert_eq!(attack(zip(&[(&long, TEXT)]), SMALL), (0, true));
    // A count of 2^32 files without any file is rejected at no cost.
    let mut none = dzip(2, &[]);
    none[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    none.push(0);
    assert!(Walk::new(Cursor::new(none), WalkOptions::default()).unwrap_err().to_string().contains("room"));
}

#[test]
fn an_empty_archive_has_no_files() {
    assert_eq!(unpack(&zip(&[]), WalkOptions::default()), []);
    assert_eq!(unpack(&pak(&[]), WalkOptions::default()), []);
}
