//! Implements the [`Library`](crate::Library) of a scene with the games' files.

use crate::library::ends;
use crate::{Library, Medium, PictureFile, Surroundings, Vec3};
use moviola_assets::{Bsp, GameFiles};
use std::sync::Arc;

/// Contents of Quake's leafs.
const SOLID: i32 = -2;
const WATER: i32 = -3;
const SLIME: i32 = -4;
const LAVA: i32 = -5;

/// Contents of Quake II's leafs, a bit each.
const SOLID2: i32 = 1;
const LAVA2: i32 = 8;
const SLIME2: i32 = 16;
const WATER2: i32 = 32;

impl Library for GameFiles {
    fn model_flags(&self, file: &str) -> u32 {
        if ends(file, ".mdl") { self.model(file).map_or(0, |model| model.flags) } else { 0 }
    }

    fn exists(&self, file: &str) -> bool {
        Self::exists(self, file)
    }

    fn picture_size(&self, picture: &PictureFile) -> Option<[i32; 2]> {
        let size = match picture {
            PictureFile::Lump(name) => self.lump(name).map(|it| (it.width, it.height)),
            PictureFile::File(name) => self.picture(name).map(|it| (it.0.width, it.0.height)),
        };
        size.map(|(width, height)| [width as i32, height as i32])
    }

    fn surroundings(&self, level: &str, at: Vec3) -> Surroundings {
        let Some(bsp) = self.bsp(level) else { return Surroundings::default() };
        let leaf = bsp.leaf_at(at.map(f64::from)).and_then(|leaf| bsp.leafs.get(leaf));
        let Some(leaf) = leaf else { return Surroundings::default() };
        let medium = if bsp.kind.is_quake2() {
            match leaf.contents {
                it if it & SOLID2 != 0 => Medium::Solid,
                it if it & LAVA2 != 0 => Medium::Lava,
                it if it & SLIME2 != 0 => Medium::Slime,
                it if it & WATER2 != 0 => Medium::Water,
                _ => Medium::Air,
            }
        } else {
            match leaf.contents {
                SOLID => Medium::Solid,
                WATER => Medium::Water,
                SLIME => Medium::Slime,
                LAVA => Medium::Lava,
                _ => Medium::Air,
            }
        };
        Surroundings { medium, ambient: leaf.ambient }
    }

    fn reach(&self, level: &str, from: Vec3, to: Vec3) -> Vec3 {
        let reached =
            |bsp: Arc<Bsp>| bsp.reach(from.map(f64::from), to.map(f64::from)).map(|part| part as f32);
        self.bsp(level).map_or(to, reached)
    }

    fn level_key(&self, level: &str, key: &str) -> Option<String> {
        let bsp = self.bsp(level)?;
        let world = bsp.entities().next()?;
        world.get(key).map(ToString::to_string)
    }
}
