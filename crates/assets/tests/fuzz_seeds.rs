//! Replays the seeds of the fuzz target without a fuzzer; and writes them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

#[path = "../../../fuzz/src/assets.rs"]
#[allow(unreachable_pub, reason = "there it is a library")]
mod fuzzed;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "common/made.rs"]
mod made;

use std::fs;
use std::path::{Path, PathBuf};

fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(kind).join("assets")
}

/// A small file of each kind.
fn seeds() -> Vec<(&'static str, Vec<u8>)> {
    let sized = |start: &[u8], length: usize| {
        let mut file = start.to_vec();
        file.resize(length, 0);
        file
    };
    let pcx = [sized(&[10, 5, 1, 8, 0, 0, 0, 0, 1, 0, 1, 0], 128), vec![0xC2, 9, 3, 4]].concat();
    let tga = [vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 24, 0], vec![0x83, 1, 2, 3]].concat();
    let wave =
        b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0data\x04\0\0\0abcd";
    let wal =
        [sized(b"floor", 32), made::words(&[8, 8, 100, 164, 180, 184]), vec![0; 44], vec![7; 85]].concat();
    let spr = b"IDSP\x01\0\0\0\x02\0\0\0\0\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\x02\0\0\0\x01\0\0\0\x01\0\0\0\x07";
    let sp2 =
        [b"IDS2\x02\0\0\0\x01\0\0\0".to_vec(), made::words(&[10, 20, 5, 6]), sized(b"a.pcx", 64)].concat();
    let wad = b"WAD2\x01\0\0\0\x16\0\0\0\x01\0\0\0\x01\0\0\0\x07\x00\x0C\0\0\0\x09\0\0\0\x09\0\0\0\x42\0\0\0NUM_0\0\0\0\0\0\0\0\0\0\0\0";
    let mut md2 = b"IDP2\x08\0\0\0".to_vec();
    md2.extend(made::words(&[4, 4, 52, 1, 3, 3, 1, 0, 1, 68, 132, 144, 156, 208, 208]));
    md2.extend(sized(b"a.pcx", 64));
    md2.extend(made::shorts(&[0, 0, 3, 0, 0, 3, 0, 1, 2, 0, 1, 2]));
    md2.extend(made::floats(&[1.0, 1.0, 1.0, 0.0, 0.0, 0.0]));
    md2.extend(sized(b"stand1", 16));
    md2.extend([0; 12]);
    vec![
        ("bsp", made::square()),
        ("bsp2", made::level(b"BSP2", &vec![vec![0; 44]; 15])),
        ("psb2", made::level(b"2PSB", &vec![vec![0; 32]; 15])),
        ("ibsp", made::level(b"IBSP\x26\0\0\0", &vec![vec![0; 76]; 19])),
        ("lit", b"QLIT\x01\0\0\0\x01\x02\x03\x04\x05\x06".to_vec()),
        ("mdl", made::mdl()),
        ("md2", md2),
        ("pcx", pcx),
        ("tga", tga),
        ("wav", wave.to_vec()),
        ("wal", wal),
        ("spr", spr.to_vec()),
        ("sp2", sp2),
        ("wad", wad.to_vec()),
        ("lmp", b"\x02\0\0\0\x02\0\0\0abcd".to_vec()),
    ]
}

#[test]
fn seeds_are_files_of_all_kinds() {
    use moviola_assets::{AliasModel, Bsp, ColorPicture, MipTexture, Picture, SpriteModel, Wad, Wave};
    let seeds = seeds();
    let seed = |name: &str| seeds.iter().find(|it| it.0 == name).unwrap().1.clone();
    assert!(Bsp::read(&seed("bsp")).unwrap().damage.is_empty());
    for level in ["bsp2", "psb2", "ibsp"] {
        assert!(Bsp::read(&seed(level)).is_ok(), "{level}");
    }
    let model = AliasModel::read(&seed("md2")).unwrap();
    assert_eq!((model.coords[1], model.skin_files[0].as_str()), ([0.875, 0.125], "a.pcx"));
    assert!(AliasModel::read(&seed("mdl")).is_ok() && Picture::read(&seed("lmp")).is_ok());
    assert!(SpriteModel::read(&seed("spr")).is_ok() && SpriteModel::read(&seed("sp2")).is_ok());
    assert!(Picture::read_pcx(&seed("pcx")).is_ok() && ColorPicture::read_tga(&seed("tga")).is_ok());
    assert_eq!(MipTexture::read_wal(&seed("wal")).unwrap().mips[3].pixels, [7]);
    assert!(Wad::read(seed("wad")).is_ok() && Wave::read(&seed("wav")).is_ok());
}

#[test]
fn seeds_and_regressions() {
    let mut replayed = 0;
    for kind in ["seeds", "regressions"] {
        for file in fs::read_dir(folder(kind)).into_iter().flatten() {
            fuzzed::assets(&fs::read(file.unwrap().path()).unwrap());
            replayed += 1;
        }
    }
    assert!(replayed >= 15, "only {replayed} seeds");
}

#[test]
#[ignore = "writes the seeds"]
fn write_seeds() {
    fs::create_dir_all(folder("seeds")).unwrap();
    for (name, bytes) in seeds() {
        fs::write(folder("seeds").join(name), bytes).unwrap();
    }
}
