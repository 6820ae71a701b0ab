//! Every real recording is written back byte by byte, and those of a supported protocol are read to the last
//! byte.

use crate::common::{Read, corpus, files};
use moviola_format::*;
use std::collections::BTreeMap;
use std::fs;

/// Recordings of supported protocols with blocks that are not read to their end: the number of blocks, and
/// the fault.
const EXCEPTIONS: [(&str, usize, &str); 2] = [
    ("lmpc-text/all-messages.dem", 1, "made by hand: a message 35 that protocol 15 does not have"),
    ("lmpc-text/all-messages.compiled.dem", 1, "the same, compiled again"),
];

/// Every recording of the collection, read, and written again on the way.
fn recordings() -> BTreeMap<String, Read> {
    let mut all = BTreeMap::new();
    let Some(folder) = corpus() else { return all };
    for path in files(&folder) {
        let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        if ending == "dem" || ending == "dm2" {
            all.insert(name, crate::common::read(&fs::read(&path).unwrap()));
        }
    }
    assert!(all.len() > 100, "only {} recordings", all.len());
    all
}

fn is_kept_raw(read: &Read) -> bool {
    let extended = |fault: &Fault| matches!(fault.kind, FaultKind::Extended(_));
    read.unread.iter().any(|(_, fault, _)| extended(fault))
        || read.protocols.iter().any(|protocol| {
            let mut context = Context::of(read.format.unwrap().game().unwrap());
            match context.game {
                Game::Quake => context.set_quake_protocol(*protocol, 0),
                Game::Quake2 => context.set_quake2_protocol(*protocol, 1),
                Game::QuakeWorld => context.set_quakeworld_protocol(*protocol, Extensions::default()),
            };
            context.raw
        })
}

/// One test, so that the collection is read once.
#[test]
fn every_recording() {
    let all = recordings();
    for (name, read) in &all {
        let ending = name.rsplit('.').next().unwrap().to_ascii_lowercase();
        assert_eq!(read.format.unwrap().name(), ending, "{name}");
        assert_eq!((read.raw, read.truncated), (0, 0), "{name}: bytes outside of blocks");
        let known = EXCEPTIONS.iter().find(|(exception, ..)| exception == name);
        let expected = known.map_or(0, |(_, blocks, _)| *blocks);
        if is_kept_raw(read) {
            assert!(read.unread.len() * 2 > read.blocks, "{name} should be kept raw");
            let raw =
                |fault: &Fault| matches!(fault.kind, FaultKind::RawProtocol(_) | FaultKind::Extended(_));
            assert!(read.unread.iter().all(|(_, fault, _)| raw(fault)), "{name}: {:?}", read.unread.first());
        } else {
            assert_eq!(read.unread.len(), expected, "{name}: {:?}", read.unread.first());
        }
    }
    if !all.is_empty() {
        let stale = EXCEPTIONS.iter().find(|(name, ..)| !all.contains_key(*name));
        assert_eq!(stale, None, "this exception is about no file");
        indexed(&all, "INDEX.tsv", "", ["protocol", "blocks", "maps", "end"]);
        indexed(&all, "ours/INDEX.tsv", "ours/", ["protocol", "blocks", "", ""]);
    }
}

/// The entries of the list about each recording agree with the reading.
fn indexed(all: &BTreeMap<String, Read>, index: &str, folder: &str, columns: [&str; 4]) {
    let text = fs::read_to_string(corpus().unwrap().join(index)).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let places = columns.map(|column| head.iter().position(|it| *it == column));
    let mut compared = 0;
    for line in lines {
        let name = format!("{folder}{}", line[0]);
        let read = all.get(&name).unwrap_or_else(|| panic!("{name} is in {index} and is missing"));
        let [protocol, blocks, maps, end] =
            places.map(|place| place.and_then(|it| line.get(it)).copied().unwrap_or_default());
        assert_eq!(blocks, read.blocks.to_string(), "{name}");
        assert_protocol(&name, read, protocol);
        if !maps.is_empty() && !is_kept_raw(read) {
            let seen: Vec<_> = read.maps.iter().map(|map| format!("maps/{map}.bsp")).collect();
            assert_eq!(maps, seen.join(" > "), "{name}");
        }
        if end == "clean" && read.format == Some(Format::Quake2) {
            assert_eq!(read.ends, 1, "{name}");
        } else if end.starts_with("no-terminator") {
            assert_eq!(read.ends, 0, "{name}");
        }
        compared += 1;
    }
    assert!(compared > 20, "{index} lists only {compared}");
}

/// "999(RMQ) flags=0x82", "34 isdemo 1 then 0", "15(NQ) ext=...", or nothing if the list has no entry.
fn assert_protocol(name: &str, read: &Read, listed: &str) {
    if listed.is_empty() {
        return;
    }
    let digits = listed.split(|it: char| !it.is_ascii_digit()).next().unwrap();
    let expected: Vec<i32> = digits.parse().into_iter().collect();
    if listed.starts_with("250") {
        // The list names the mode of the server; its recording announces 15, or the usual number.
        assert!(matches!(read.protocols.first(), Some(15 | 250)), "{name}: {:?}", read.protocols);
        return;
    }
    assert_eq!(read.protocols.iter().take(1).copied().collect::<Vec<_>>(), expected, "{name}: {listed}");
}
