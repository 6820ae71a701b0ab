//! The fuzz targets' seeds, and the inputs of failures that they once found, replayed without a fuzzer.

use crate::common::{Random, files};
use moviola_scribe::dem::Index;
use moviola_scribe::{Variant, dem_messages, dm2_messages, mvd2_match, samples};
use std::fs;
use std::path::{Path, PathBuf};

#[path = "../../../../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod targets;

type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 3] =
    [("read_write", targets::read_write), ("chunks", targets::chunks), ("structured", targets::structured)];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

#[test]
fn seeds_and_regressions() {
    for (name, target) in TARGETS {
        let seeds = files(&folder().join("seeds").join(name));
        assert!(seeds.len() >= 5, "{name} has only {} seeds", seeds.len());
        let found = folder().join("regressions").join(name);
        let found = if found.is_dir() { files(&found) } else { Vec::new() };
        for path in seeds.iter().chain(&found) {
            println!("{}", path.display());
            target(&fs::read(path).unwrap());
        }
    }
}

#[test]
fn the_targets_hold_on_noise() {
    let mut random = Random(7);
    for _ in 0..3000 {
        let length = random.below(600);
        let noise = random.bytes(length);
        for (_, target) in TARGETS {
            target(&noise);
        }
    }
}

/// Recordings from the independent writer, blocks of all its messages, and bytes for entropy.
fn seeds() -> Vec<(PathBuf, Vec<u8>)> {
    const FILES: [&str; 14] = [
        "dem-15-v109",
        "dem-15-hipnotic-weaponless",
        "dem-15-needless",
        "dem-250-nehahra",
        "dem-666",
        "dem-999-82-default",
        "dem-10002-short-static",
        "dem-darkplaces-upward",
        "dem-huge-length",
        "dm2-26-client",
        "dm2-34-odd-entities",
        "dm2-34-trailing",
        "dm2-34-relay-empty",
        "dm2-33-server",
    ];
    let mut all = Vec::new();
    let to = |target: &str, name: &str| folder().join("seeds").join(target).join(name);
    for sample in samples().into_iter().filter(|sample| FILES.contains(&sample.name)) {
        let start = &sample.bytes[..sample.bytes.len().min(2500)];
        all.push((to("read_write", sample.name), start.to_vec()));
        all.push((to("chunks", sample.name), [b"\x09\x01\x00\x1e", start].concat()));
    }
    for (name, version, open) in [("mvd2-2010", 2010, false), ("mvd2-2013-open", 2013, true)] {
        let file = mvd2_match(version, open);
        all.push((to("chunks", name), [b"\x09\x01\x00\x1e", &file[..]].concat()));
        all.push((to("read_write", name), file));
    }
    let dem = [
        (48u8, Variant::NetQuake),
        (50, Variant::Fitz),
        (51, Variant::FitzPlus),
        (49, Variant::Nehahra),
        (53, Variant::Bjp2),
        (54, Variant::Bjp3(Index::Byte)),
        (45, Variant::Rmq(0x9C)),
    ];
    for (choice, variant) in dem {
        let block: Vec<u8> = dem_messages(variant).into_iter().flat_map(|(_, bytes)| bytes).collect();
        all.push((to("read_write", &format!("block-dem-{choice}")), [&[choice], &block[..]].concat()));
    }
    for (choice, protocol) in [(4u8, 26), (5, 31), (7, 34)] {
        let block: Vec<u8> = dm2_messages(protocol).into_iter().flat_map(|(_, bytes)| bytes).collect();
        all.push((to("read_write", &format!("block-dm2-{choice}")), [&[choice], &block[..]].concat()));
    }
    let mut random = Random(1);
    for choice in [0u8, 3, 6, 13, 20, 45, 55, 60, 128, 135, 139, 0xF1] {
        all.push((
            to("structured", &format!("random-{choice}")),
            [&[choice], &random.bytes(500)[..]].concat(),
        ));
    }
    all
}

#[test]
fn the_seeds_are_up_to_date() {
    for (path, bytes) in seeds() {
        assert!(fs::read(&path).ok().as_deref() == Some(&bytes), "{} is out of date", path.display());
    }
}

#[test]
#[ignore = "writes into the repository"]
fn write_the_seeds() {
    for (path, bytes) in seeds() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
