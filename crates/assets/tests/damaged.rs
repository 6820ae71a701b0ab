//! Small files, whole and damaged: no reader panics, and each error names a part and an offset.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "common/made.rs"]
mod made;

use made::{level, mdl, square, words};
use moviola_assets::*;

fn damage(file: &[u8], read: impl Fn(&[u8])) {
    for length in 0..file.len() {
        read(&file[..length]);
    }
    for at in 0..file.len() {
        for byte in [0, 1, 0x7F, 0x80, 0xFF] {
            let mut damaged = file.to_vec();
            damaged[at] = byte;
            read(&damaged);
        }
    }
}

#[test]
fn a_written_square_is_read_back() {
    let level = Bsp::read(&square()).unwrap();
    assert_eq!(level.damage, []);
    let corners: Vec<_> = level.corners(0).collect();
    assert_eq!(corners, [[0.0, 0.0, 0.0], [0.0, 32.0, 0.0], [32.0, 32.0, 0.0], [32.0, 0.0, 0.0]]);
    assert_eq!(level.plane_of(0), Some(([0.0, 0.0, 1.0], 0.0)));
    let light = level.light_of(0, false).unwrap();
    assert_eq!((light.size, light.texture_mins, light.samples.len()), ([3, 3], [0, 0], 9));
    assert_eq!(level.textures[0].as_ref().unwrap().mips[3].pixels.len(), 4);
    // The light below a place is that of the nearest sample before it.
    let lit = |at| level.light_below(at, false, &|style| if style == 0 { 2.0 } else { 0.0 });
    assert_eq!(lit([17.0, 1.0, 24.0]), Some([40.0; 3]));
    assert_eq!(lit([100.0, 1.0, 24.0]), None, "beside the square");
    assert_eq!(level.cluster_at([1.0, 1.0, 8.0]), Some(0));
    assert_eq!(level.cluster_at([1.0, 1.0, -8.0]), None);
}

#[test]
fn a_lump_that_does_not_fit_is_named() {
    let mut file = square();
    // The length of the lump of faces.
    file[4 + 7 * 8 + 4] = 19;
    let level = Bsp::read(&file).unwrap();
    assert_eq!((level.faces.len(), level.planes.len()), (0, 1));
    let error = level.damage[0].to_string();
    assert!(
        error.starts_with("faces at offset ") && error.ends_with("19 bytes are not a multiple of 20"),
        "{error}"
    );
}

#[test]
fn damaged_levels_do_no_harm() {
    let use_it = |bytes: &[u8]| {
        let Ok(level) = Bsp::read(bytes) else { return };
        for face in 0..level.faces.len().min(8) {
            let _ = level.corners(face).count();
            let _ = level.light_of(face, true).map(|light| light.maps().count());
        }
        let _ = level.light_below([1.0, 1.0, 9.0], false, &|_| 1.0);
        let _ = level.hidden([1.0, 1.0, 9.0], [1.0, 0.0, 0.0], [2.0, 2.0, 9.0]);
        let _ = level.entities().count();
    };
    damage(&square(), use_it);
    let quake2 = level(b"IBSP\x26\0\0\0", &vec![vec![0; 76]; 19]);
    damage(&quake2, use_it);
}

#[test]
fn planes_without_numbers_light_nothing() {
    let lump =
        |file: &[u8], at: usize| i32::from_le_bytes(file[4 + 8 * at..][..4].try_into().unwrap()) as usize;
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        for part in 0..4 {
            // Both children of the node are the node itself, so that the search for a place would never end.
            let mut file = square();
            let (plane, node) = (lump(&file, 1), lump(&file, 5));
            file[plane + 4 * part..][..4].copy_from_slice(&wrong.to_le_bytes());
            file[node + 4..][..4].fill(0);
            let level = Bsp::read(&file).unwrap();
            for place in [[1.0, 1.0, 9.0], [0.0; 3], [-1.0, 0.0, 2048.0]] {
                let light = level.light_below(place, false, &|_| 1.0);
                assert!([None, Some([10.0; 3])].contains(&light), "{wrong} {part} {place:?} {light:?}");
            }
        }
    }
}

#[test]
fn a_model_with_a_group() {
    let model = AliasModel::read(&mdl()).unwrap();
    assert_eq!((model.flags, model.skins.len(), model.frames.len(), model.poses.len()), (8, 1, 2, 3));
    let x = |frame, time| model.poses[model.pose_at(frame, time).unwrap()].place(0).unwrap()[0];
    assert_eq!((x(0, 9.0), x(1, 0.05), x(1, 0.15), x(1, 0.35), x(99, 0.0)), (5.0, 6.0, 7.0, 6.0, 5.0));
    // The triangle faces backwards, and its first corner is on the seam.
    let coords = model.triangles[0].coords.map(|at| model.coords[at as usize][0]);
    assert_eq!(format!("{coords:?}"), "[0.75, 0.75, 0.25]");
}

#[test]
fn damaged_small_files_do_no_harm() {
    damage(&mdl(), |bytes| drop(AliasModel::read(bytes)));
    let mut pcx = vec![10, 5, 1, 8, 0, 0, 0, 0, 1, 0, 1, 0];
    pcx.resize(128, 0);
    pcx[66] = 2;
    pcx.extend([0xC2, 9, 3, 4]);
    let (picture, palette) = Picture::read_pcx(&pcx).unwrap();
    assert_eq!((picture.pixels.as_slice(), palette), (&[9, 9, 3, 4][..], None));
    damage(&pcx, |bytes| drop(Picture::read_pcx(bytes)));
    let mut tga = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 24, 0];
    tga.extend([0x81, 1, 2, 3, 0x01, 4, 5, 6, 7, 8, 9]);
    let picture = ColorPicture::read_tga(&tga).unwrap();
    assert_eq!(picture.pixels, [[6, 5, 4, 255], [9, 8, 7, 255], [3, 2, 1, 255], [3, 2, 1, 255]]);
    damage(&tga, |bytes| drop(ColorPicture::read_tga(bytes)));
    let mut wave = b"RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x11\x2B\0\0\x11\x2B\0\0\x01\0\x08\0".to_vec();
    wave.extend(b"data\x04\0\0\0\x80\xFF\x00\x80cue \x1C\0\0\0\x01\0\0\0");
    wave.resize(wave.len() + 20, 0);
    wave.extend(words(&[1]));
    assert_eq!(Wave::read(&wave).unwrap().loop_start, Some(1));
    damage(&wave, |bytes| drop(Wave::read(bytes)));
    let mut sprite = b"IDS2\x02\0\0\0\x01\0\0\0".to_vec();
    sprite.extend(words(&[10, 20, 5, 6]));
    sprite.resize(sprite.len() + 64, b'a');
    let read = SpriteModel::read(&sprite).unwrap();
    assert_eq!((read.frames[0].items[0].corner, read.frames[0].items[0].size), ([-5, 14], [10, 20]));
    damage(&sprite, |bytes| drop(SpriteModel::read(bytes)));
}

#[test]
fn the_order_of_the_places() {
    let folder = std::env::temp_dir().join(format!("moviola-assets-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("Progs")).unwrap();
    let pak = |content: &[u8]| {
        let mut file = b"PACK".to_vec();
        file.extend(words(&[12 + content.len() as i32, 64]));
        file.extend(content);
        let mut name = b"progs/a.mdl".to_vec();
        name.resize(56, 0);
        file.extend(name);
        file.extend(words(&[12, content.len() as i32]));
        file
    };
    std::fs::write(folder.join("Progs/A.mdl"), b"loose").unwrap();
    std::fs::write(folder.join("Progs/B.mdl"), b"alone").unwrap();
    std::fs::write(folder.join("PAK0.PAK"), pak(b"zero")).unwrap();
    let open = || GameFiles::open(&[&folder]).unwrap().read("progs/a.mdl").unwrap().unwrap();
    assert_eq!(open(), b"zero");
    std::fs::write(folder.join("pak10.pak"), pak(b"ten")).unwrap();
    std::fs::write(folder.join("pak2.pak"), pak(b"two")).unwrap();
    assert_eq!(open(), b"ten");
    std::fs::write(folder.join("mod.pak"), pak(b"mod")).unwrap();
    assert_eq!(open(), b"mod");
    let files = GameFiles::open(&[&folder]).unwrap();
    assert_eq!(files.read("progs/b.MDL").unwrap().unwrap(), b"alone");
    assert!(files.read("../progs/b.mdl").is_none() && files.read("progs/c.mdl").is_none());
    std::fs::remove_dir_all(&folder).unwrap();
}
