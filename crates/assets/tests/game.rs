//! Reads every file of the free game data beside the clone, and checks details of some of them.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

#[path = "common/game.rs"]
mod game;

use game::game;
use moviola_assets::{AliasModel, Bsp, ColorPicture, GameFiles, MipTexture, Picture, SpriteModel, Wad, Wave};
use std::path::{Path, PathBuf};

fn all(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == ending) {
                found.push(path);
            }
        }
    }
    found
}

/// Reads all files with an extension, and asserts that there are some.
fn each<T, E: std::fmt::Display>(ending: &str, read: impl Fn(&[u8]) -> Result<T, E>, look: impl Fn(&T)) {
    let Some(folder) = game() else { return };
    let files = all(&folder, ending);
    assert!(!files.is_empty(), "there is no .{ending}");
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        match read(&bytes) {
            Ok(it) => look(&it),
            Err(error) => panic!("{}: {error}", file.display()),
        }
    }
}

#[test]
fn levels() {
    each("bsp", Bsp::read, |level| {
        assert_eq!(level.damage, []);
        assert!(level.entities().count() > 0 && !level.models.is_empty());
        for face in 0..level.faces.len() {
            assert!(level.corners(face).count() >= 3);
            let (texture, light) = (level.texture_of(face).unwrap(), level.light_of(face, false).unwrap());
            assert!(level.is_special(texture) || !light.samples.is_empty() || light.styles[0] == 255);
            assert_eq!(light.maps().count(), light.styles.iter().take_while(|it| **it != 255).count());
        }
        for leaf in level.leafs.iter().skip(1) {
            let middle = std::array::from_fn(|axis| f64::from(leaf.mins[axis] + leaf.maxs[axis]) / 2.0);
            assert!(level.leaf_at(middle).is_some());
        }
    });
}

#[test]
fn models() {
    each("mdl", AliasModel::read, sound_model);
    each("md2", AliasModel::read, sound_model);
}

fn sound_model(model: &AliasModel) {
    assert!(!model.frames.is_empty());
    assert!(!model.skins.is_empty() || !model.skin_files.is_empty());
    for triangle in &model.triangles {
        assert!(triangle.points.iter().all(|point| (*point as usize) < model.poses[0].points.len()));
        assert!(triangle.coords.iter().all(|at| (*at as usize) < model.coords.len()));
    }
    for (number, frame) in model.frames.iter().enumerate() {
        assert!(!frame.poses.items.is_empty() && model.pose_at(number, 1.0).is_some());
    }
}

#[test]
fn sprites_pictures_and_sounds() {
    each("spr", SpriteModel::read, |sprite| assert!(sprite.picture_at(0, 0.0).is_some()));
    each("sp2", SpriteModel::read, |sprite| assert!(!sprite.picture_at(0, 0.0).unwrap().file.is_empty()));
    each("wal", MipTexture::read_wal, |texture| assert_eq!(texture.mips[3].width, texture.width / 8));
    each("pcx", Picture::read_pcx, |(_, palette)| assert!(palette.is_some()));
    each("tga", ColorPicture::read_tga, |picture| assert!(!picture.pixels.is_empty()));
    each("wav", Wave::read, |wave| assert!(wave.seconds() > 0.01));
    each(
        "wad",
        |bytes| Wad::read(bytes.to_vec()),
        |wad| {
            for name in wad.names() {
                assert!(wad.lump(name).is_some());
            }
            assert_eq!(wad.picture("sbar").unwrap().unwrap().width, 320);
            assert_eq!(wad.picture("conchars").unwrap().unwrap().height, 128);
        },
    );
}

#[test]
fn loops_of_sounds() {
    let Some(folder) = game() else { return };
    let files = GameFiles::open(&[folder.join("id1")]).unwrap();
    let wave = files.wave("sound/ambience/wind2.wav").unwrap();
    assert!(wave.loop_start.is_some(), "an ambient sound goes on");
    assert_eq!(files.wave("sound/weapons/ax1.wav").unwrap().loop_start, None);
}

#[test]
fn a_game_is_found_below_its_folder() {
    let Some(folder) = game() else { return };
    let files = GameFiles::open(&[&folder]).unwrap();
    assert_eq!(files.places().len(), 2, "Quake's folder and Quake II's");
    let level = files.bsp("maps/LQ_E0M1.bsp").unwrap();
    assert_eq!(level.color_lighting.len(), 3 * level.lighting.len(), "with its .lit file");
    assert!(files.model("models/weapons/v_blast/tris.md2").is_some() || files.exists("pics/colormap.pcx"));
    assert_ne!(files.palette(false), files.palette(true));
    assert_ne!(files.colormap(true).row(63), files.colormap(true).row(31));
    assert_eq!(files.troubles().iter().filter(|it| it.name.starts_with("maps")).count(), 0);
}

#[test]
fn light_below_a_place() {
    let Some(folder) = game() else { return };
    let files = GameFiles::open(&[folder.join("id1")]).unwrap();
    let level = files.bsp("maps/lq_e0m9.bsp").unwrap();
    let gray = level.light_below([0.0, 67.0, 56.0], false, &|_| 1.0).unwrap();
    assert!(gray[0] > 0.0 && (gray[0] - gray[1]).abs() < 0.01, "{gray:?}");
    assert!(level.cluster_at([0.0, 67.0, 78.0]).is_some());
    assert_eq!(level.cluster_at([9000.0, 0.0, 0.0]), None, "outside");
}
