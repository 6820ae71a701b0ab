//! The length of a recording is the same in the list of recordings, in the report and in a catalog.
#![allow(clippy::unwrap_used)]

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;

use moviola_analyse::Report;
use moviola_catalog::{Depth, recording};
use moviola_check::Summary;
use std::path::{Path, PathBuf};

fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|it| it == "dem" || it == "DEM" || it == "dm2"))
}

#[test]
fn all_commands_give_a_recording_the_same_length() {
    let mut paths: Vec<PathBuf> =
        files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples")).collect();
    if let Some(corpus) = corpus::corpus() {
        paths.extend(["dm2", "ours"].iter().flat_map(|folder| files(&corpus.join(folder))));
        // A recording with packets out of order, and one with a long pause.
        let odd = ["QuakeBotArchive__3.DEM", "TeamFortressQuakeArchive__demo1.dem"];
        paths.extend(odd.iter().map(|name| corpus.join("dem").join(name)));
    }
    let real = paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(&path).unwrap()));
    let made = moviola_scribe::samples().into_iter().map(|sample| (sample.name.to_owned(), sample.bytes));
    for (name, bytes) in real.chain(made) {
        let (summary, report) = (Summary::read(&bytes[..]).unwrap(), Report::read(&bytes[..]).unwrap());
        let row = recording(&bytes[..], Depth::Full).unwrap();
        assert_eq!(summary.length, report.length, "{name}");
        assert_eq!(row.and_then(|row| row.length), summary.length, "{name}");
        for (one, other) in summary.levels.iter().zip(&report.levels) {
            assert_eq!(Some(one.length), Some(other.length), "{name}");
        }
        // A frame of Quake II is a tenth of a second, and none is missing here.
        if name.ends_with("yq_sp.dm2") {
            assert_eq!(summary.length, Some(summary.frames as f64 / 10.0), "{name}");
        }
    }
}
