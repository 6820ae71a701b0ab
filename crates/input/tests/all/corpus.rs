//! Recordings of the corpus are the same after decompiling and compiling, and LMPC's own texts compile to them.

use moviola_input::{InputTextOptions, compile, decompile};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// The folder of recordings; `None` if it is missing, in which case `MOVIOLA_CORPUS=required` makes the test fail.
fn corpus() -> Option<PathBuf> {
    let named = std::env::var_os("MOVIOLA_CORPUS").filter(|name| name != "required");
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = named.map_or(beside, PathBuf::from).join("lmp");
    let required = std::env::var_os("MOVIOLA_CORPUS").is_some_and(|name| name == "required");
    assert!(folder.is_dir() || !required, "{} is not there", folder.display());
    folder.is_dir().then_some(folder)
}

fn compiled(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    compile(text, &mut bytes, Cursor::new(Vec::new())).unwrap_or_else(|error| panic!("{error:?}"));
    bytes
}

#[test]
fn every_recording_comes_back() {
    let Some(folder) = corpus() else { return };
    let mut count = 0;
    for file in fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).filter(|it| it.is_file()) {
        let bytes = fs::read(&file).unwrap();
        let mut text = Vec::new();
        decompile(&bytes[..], &mut text, &InputTextOptions::default()).unwrap();
        assert!(compiled(&text) == bytes, "{}", file.display());
        count += usize::from(file.extension().is_some_and(|it| it == "lmp" || it == "dmo"));
    }
    assert!(count > 0);
}

#[test]
fn texts_of_lmpc_compile() {
    let Some(folder) = corpus() else { return };
    for file in fs::read_dir(folder.join("lmpc-text")).unwrap().map(|it| it.unwrap().path()) {
        let name = file.file_name().unwrap().to_string_lossy().replace(".lmpc345.txt", "");
        let of = ["lmp", "dmo"].map(|kind| folder.join(format!("{name}.{kind}")));
        let bytes = fs::read(of.iter().find(|it| it.exists()).unwrap()).unwrap();
        let made = compiled(&fs::read(&file).unwrap());
        let first = made.iter().zip(&bytes).position(|(made, was)| made != was);
        assert!(made == bytes, "{name}: {} bytes of {}, {first:?}", made.len(), bytes.len());
    }
}
