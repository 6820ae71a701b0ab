//! The recordings in `samples/` are read to the last byte, and the committed ones of the independent writer are the
//! same as those that it writes now.

use crate::common::{files, read};
use moviola_format::Format;
use moviola_scribe::{Sample, samples};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")
}

/// The committed recordings of the independent writer: kinds of which no real one was found.
const WRITTEN: [&str; 6] = [
    "dem-15-nehahra.dem",
    "dem-666-every-message.dem",
    "dm2-26-client.dm2",
    "dm2-34-relay.dm2",
    "dm2-34-server.dm2",
    "dm2-server-no-serverdata.dm2",
];

fn written() -> Vec<(PathBuf, Sample)> {
    let all = samples();
    let find = |name: &str| {
        let stem = Path::new(name).file_stem().unwrap();
        all.iter().find(|sample| stem == sample.name).unwrap_or_else(|| panic!("{name} is written no longer"))
    };
    WRITTEN.iter().map(|name| (folder().join("scribe").join(name), find(name).clone())).collect()
}

#[test]
fn every_file_is_read_to_the_last_byte() {
    let recordings: Vec<_> = files(&folder())
        .into_iter()
        .filter(|path| {
            let ending = path.extension().and_then(|it| it.to_str());
            ending.is_some_and(|it| ["dem", "dm2", "qwd", "mvd"].contains(&it))
        })
        .collect();
    assert!(recordings.len() >= WRITTEN.len() + 7, "{recordings:?}");
    for path in recordings {
        let read = read(&fs::read(&path).unwrap());
        let ending = path.extension().and_then(|it| it.to_str());
        assert_eq!(read.format.map(Format::name), ending, "{}", path.display());
        assert_eq!((read.unread.len(), read.raw, read.truncated), (0, 0, 0), "{}", path.display());
        assert!(read.blocks >= 14 && read.messages > read.blocks, "{}: {read:?}", path.display());
    }
}

#[test]
fn the_real_samples_are_as_listed() {
    let known: [(&str, usize, &[i32], &[&str]); 7] = [
        ("qs_15_lq_e0m9.dem", 584, &[15], &["lq_e0m9"]),
        ("qs_999_lq_e0m9.dem", 584, &[999], &["lq_e0m9"]),
        ("quake1.07_DM1.dem", 389, &[15], &["e1m4"]),
        ("dp2025_NEHAHRABJP3.dem", 133, &[10002, 10002, 10002], &["e1m1", "e1m2", "e1m2"]),
        ("yq_sp.dm2", 246, &[34], &["oracle2"]),
        // QuakeWorld's level is the first of the list of models, which is not looked at here.
        ("ez_duo_lqdm2.qwd", 1451, &[28], &[]),
        ("mvdsv_bots_lqdm2.mvd", 2050, &[28], &[]),
    ];
    for (name, blocks, protocols, maps) in known {
        let read = read(&crate::common::sample(name));
        assert_eq!((read.blocks, read.protocols.as_slice()), (blocks, protocols), "{name}");
        assert_eq!(read.maps, maps, "{name}");
    }
}

#[test]
fn the_written_ones_are_up_to_date() {
    for (path, sample) in written() {
        assert!(fs::read(&path).ok().as_deref() == Some(&sample.bytes), "{} is out of date", path.display());
    }
}

#[test]
#[ignore = "writes into the repository"]
fn write_them_again() {
    for (path, sample) in written() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, sample.bytes).unwrap();
    }
}
