//! Containers in containers, found and named.

use crate::build::{dzip, gzip, pak, read, unpack, zip};
use moviola_container::{ContainerKind, Limits, Walk, WalkOptions};
use std::io::{Cursor, Write};

const DEMO: &[u8] = b"-1\nnot much of a demo, not much of a demo";

fn names(file: &[u8], options: WalkOptions) -> Vec<String> {
    let all = unpack(file, options).into_iter();
    all.map(|(name, content)| {
        assert!(content.is_ok(), "{name}: {content:?}");
        name
    })
    .collect()
}

fn matryoshka() -> Vec<u8> {
    let inner = pak(&[("progs.dat", b"x"), ("demo1.dem", DEMO)]);
    let group = dzip(
        3,
        &[
            ("e1m1\\run.dem", 0, 0, DEMO, DEMO),
            ("e1m1\\", 7, 0, b"", b""),
            ("pak1.pak", 3, 2, b"", b""),
            ("demos\\a.dem", 8, 1, DEMO, DEMO),
            ("b.dem", 0, 2, b"", b""),
            ("more.dz", 4, 0, b"", b""),
            ("last.txt", 2, 0, b"end", b"end"),
        ],
    );
    zip(&[("a.dem", DEMO), ("id1/pak0.pak", &inner), ("runs.dz", &group), ("b.dem.gz", &gzip(DEMO))])
}

#[test]
fn everything_is_found_under_its_path() {
    let expected = [
        "a.dem",
        "id1/pak0.pak:progs.dat",
        "id1/pak0.pak:demo1.dem",
        "runs.dz:e1m1/run.dem",
        "runs.dz:pak1.pak:demos/a.dem",
        "runs.dz:pak1.pak:b.dem",
        "runs.dz:more.dz",
        "runs.dz:last.txt",
        "b.dem.gz",
    ];
    assert_eq!(names(&matryoshka(), WalkOptions::default()), expected);
    // The same with additional layers around the file.
    assert_eq!(names(&gzip(&gzip(&matryoshka())), WalkOptions::default()), expected);
    let demos = unpack(&matryoshka(), WalkOptions::default()).into_iter();
    let same = demos.filter(|(_, content)| content.as_deref() == Ok(DEMO)).count();
    assert_eq!(same, 5);
}

#[test]
fn a_path_opens_only_the_named_file() {
    let only = |path: &str| {
        let walk = Walk::new(Cursor::new(matryoshka()), WalkOptions::default()).unwrap();
        read(walk.only(path)).into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(only("b.dem.gz"), ["b.dem.gz"]);
    assert_eq!(only("runs.dz:pak1.pak:b.dem"), ["runs.dz:pak1.pak:b.dem"]);
    assert_eq!(only("id1/pak0.pak"), ["id1/pak0.pak:progs.dat", "id1/pak0.pak:demo1.dem"]);
    assert!(only("id1/pak0").is_empty() && only("a.dem:x").is_empty() && only("nope").is_empty());
    assert_eq!(only("").len(), 9);
    // A broken file does not matter if another one is selected.
    let broken = zip(&[("bad.pak", b"PACK\xff\xff\xff\xff\0\0\0\0"), ("good.dem", DEMO)]);
    let walk = Walk::new(Cursor::new(broken), WalkOptions::default()).unwrap().only("good.dem");
    assert_eq!(read(walk), [("good.dem".to_owned(), Ok(DEMO.to_vec()))]);
}

#[test]
fn a_plain_file_is_unchanged() {
    for plain in [DEMO, b"", b"P", b"PK\x03", b"DZ", b"DZ\x0a so on", b"\x1f\x8b\x07"] {
        assert_eq!(unpack(plain, WalkOptions::default()), [(String::new(), Ok(plain.to_vec()))]);
    }
    let walk = Walk::new(Cursor::new(DEMO), WalkOptions::default()).unwrap();
    assert_eq!(walk.kind(), ContainerKind::Plain);
    assert_eq!(unpack(&gzip(DEMO), WalkOptions::default()), [(String::new(), Ok(DEMO.to_vec()))]);
}

#[test]
fn archives_inside_can_stay_files() {
    let flat_options = WalkOptions { nested: false, ..WalkOptions::default() };
    assert_eq!(names(&matryoshka(), flat_options.clone()), ["a.dem", "id1/pak0.pak", "runs.dz", "b.dem.gz"]);
    // A group is unpacked as the original PAK file.
    let members = [("maps/a.bsp", &b"aaaa"[..]), ("empty", b""), ("b.dem", DEMO)];
    let mut files: Vec<crate::build::File<'_>> = vec![("pak0.pak", 3, 3, b"", b"")];
    files.extend(
        members.iter().zip([0, 8, 8]).zip(1..).map(|(((name, it), kind), at)| (*name, kind, at, *it, *it)),
    );
    let found = unpack(&dzip(2, &files), flat_options);
    assert_eq!(found, [("pak0.pak".to_owned(), Ok(pak(&members)))]);
}

#[test]
fn large_archives_inside_need_a_place() {
    let large: Vec<u8> = (0..20_000_u32).flat_map(|it| it.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
    let file = zip(&[("x.pak", &pak(&[("a.dem", &large)])), ("y.pak", &pak(&[("b.dem", &large)]))]);
    let limits = Limits { memory: 1000, ..Limits::default() };
    let found =
        read(Walk::new(Cursor::new(file.clone()), WalkOptions { limits, ..WalkOptions::default() }).unwrap());
    // The second is stored uncompressed, and is read in place.
    assert!(found[0].1.as_ref().unwrap_err().contains("unpack it first"), "{found:?}");
    assert_eq!(found[1], ("y.pak:b.dem".to_owned(), Ok(large)));
    let spill = Some((|| Ok(Box::new(Cursor::new(Vec::new())) as Box<_>)) as moviola_container::NewSpill);
    assert_eq!(
        names(&file, WalkOptions { limits, spill, nested: true, warn: None, damaged: false }),
        ["x.pak:a.dem", "y.pak:b.dem"]
    );
}

#[test]
fn dates_are_listed_where_they_are_known() {
    use std::time::{Duration, UNIX_EPOCH};
    let at = |seconds| UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
    let date = zip::DateTime::from_date_and_time(1996, 6, 22, 12, 0, 4).unwrap();
    let options = zip::write::SimpleFileOptions::default().last_modified_time(date);
    let mut exact = zip::write::FullFileOptions::default().last_modified_time(date);
    exact.add_extra_field(0x5455, [1, 5, 0, 0, 0x40], true).unwrap();
    // A gzip file with a time: one second past noon.
    let mut gz = gzip(DEMO);
    gz[4..8].copy_from_slice(&835_444_801_u32.to_le_bytes());
    // A gzip file without a time.
    let undated = gzip(DEMO);

    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, options, bytes) in [
        ("a.dem", options.into_full_options(), DEMO),
        ("exact.dem", exact, DEMO),
        ("c.dem.gz", options.into_full_options(), &gz),
        ("d.dem.gz", options.into_full_options(), &undated),
        ("e.pak", options.into_full_options(), &pak(&[("demo1.dem", DEMO)])),
    ] {
        writer.start_file(name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    let file = writer.finish().unwrap().into_inner();
    let found: Vec<_> = Walk::new(Cursor::new(file), WalkOptions::default())
        .unwrap()
        .map(|entry| entry.unwrap().modified())
        .collect();
    assert_eq!(found, [at(835_444_804), at(0x4000_0005), at(835_444_801), at(835_444_804), None]);
    let modified = |file: Vec<u8>| {
        Walk::stream(Cursor::new(file), WalkOptions::default()).unwrap().next().unwrap().unwrap().modified()
    };
    assert_eq!((modified(gz), modified(undated), modified(DEMO.to_vec())), (at(835_444_801), None, None));
}
