//! An export keeps only the rows that are not written yet, so its memory does not grow with the recording.
#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(all(feature = "parquet", target_os = "linux"))]

use moviola_export::{Files, Id, TableFormat, harvest, tables};
use std::io::{Read, sink};

/// The most memory, in kB, that an export of one table may use, which includes the rows of a group; and the most that
/// an export of all tables except `messages` may use, each with its group. A kB of `/proc` has 1024 bytes, and from run
/// to run the peak differs by a hundred of them.
const MAX_MEMORY: [usize; 2] = [16 * 1024, 16 * 1024 + 40_000];

/// The most, in kB, by which the memory may grow if the recording becomes three times as long and had several groups
/// before. It grows because the index of the pages is kept until the end.
const GROWTH: usize = 6_000;

/// The most memory that this process has had so far, in kB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A recording of many levels. Only one level is in memory.
fn long(copies: u32) -> impl Read {
    const LEVEL: &[u8] = include_bytes!("../../../samples/qs_15_lq_e0m9.dem");
    let body = LEVEL.splitn(2, |byte| *byte == b'\n').nth(1).unwrap();
    (0..copies).fold(Box::new(&b"-1\n"[..]) as Box<dyn Read>, |before, _| Box::new(before.chain(body)))
}

/// Exports this many copies of the recording.
fn export(copies: u32, is_wanted: fn(&str) -> bool) {
    let mut files = Files::new(TableFormat::Parquet);
    for table in tables::ALL.iter().filter(|table| is_wanted(table.name)) {
        files.add(table, sink()).unwrap();
    }
    harvest(long(copies), Id::of(&b""[..]).unwrap(), "long.dem", &mut files).unwrap();
    files.finish().unwrap();
}

#[test]
fn memory_does_not_grow_with_the_recording() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let before = peak();
        let [short, long] = [100, 300].map(|copies| {
            export(copies, |table| table == "entities");
            peak() - before
        });
        export(300, |table| table != "messages");
        let all = peak() - before;
        println!("{short} kB, {long} kB; all tables: {all} kB");
        assert!(long <= short + GROWTH, "{long} kB after {short} kB");
        assert!([long, all].iter().zip(MAX_MEMORY).all(|(is, most)| *is <= most), "{long} kB, {all} kB");
    });
}
