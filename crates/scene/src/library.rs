//! The questions that a scene asks about the games' files. A scene can be made without any files: then names stand for
//! models, and no eye is under water.

use crate::{PictureFile, Vec3};

/// The medium at a place.
///
/// ```
/// use moviola_scene::Medium;
/// assert!(Medium::Slime.is_liquid() && !Medium::Air.is_liquid());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Medium {
    /// Air, which does not tint the view.
    #[default]
    Air,
    /// Inside a wall, or outside of the level.
    Solid,
    /// In water.
    Water,
    /// In slime.
    Slime,
    /// In lava.
    Lava,
}

impl Medium {
    /// Whether it is water, slime or lava.
    pub fn is_liquid(self) -> bool {
        matches!(self, Self::Water | Self::Slime | Self::Lava)
    }
}

/// The surroundings of a place in a level.
///
/// ```
/// assert_eq!(moviola_scene::Surroundings::default().ambient, [0; 4]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The medium.
    pub medium: Medium,
    /// The volumes of water, wind, slime and lava, 0 to 255 (Quake).
    pub ambient: [u8; 4],
}

/// The part of the games' files that scenes need. Every method returns something useful if the files are missing.
///
/// ```
/// use moviola_scene::{Library, NoFiles};
/// assert!(!NoFiles.exists("progs/player.mdl"));
/// assert_eq!(NoFiles.model_flags("progs/player.mdl"), 0);
/// assert!(NoFiles.picture_size(&moviola_scene::PictureFile::Lump("sbar".into())).is_none());
/// assert!(NoFiles.level_key("maps/e1m1.bsp", "fog").is_none());
/// assert_eq!(NoFiles.surroundings("maps/e1m1.bsp", [0.0; 3]).ambient, [0; 4]);
/// assert_eq!(NoFiles.reach("maps/e1m1.bsp", [0.0; 3], [8.0; 3]), [8.0; 3]);
/// ```
pub trait Library: Sync {
    /// The flags in the head of an MDL: its trail, and whether it rotates.
    fn model_flags(&self, _file: &str) -> u32 {
        0
    }

    /// Whether the file exists.
    fn exists(&self, _file: &str) -> bool {
        false
    }

    /// The width and height of a picture.
    fn picture_size(&self, _picture: &PictureFile) -> Option<[i32; 2]> {
        None
    }

    /// The surroundings of a place in a level.
    fn surroundings(&self, _level: &str, _at: Vec3) -> Surroundings {
        Surroundings::default()
    }

    /// The end of a straight line from one place of a level to another: just before the first wall, or `to` if there is
    /// none.
    fn reach(&self, _level: &str, _from: Vec3, to: Vec3) -> Vec3 {
        to
    }

    /// The value of a key in a level's first entity.
    fn level_key(&self, _level: &str, _key: &str) -> Option<String> {
        None
    }
}

/// A library without any files.
///
/// ```
/// use moviola_scene::{Library, NoFiles};
/// assert!(!NoFiles.exists("gfx.wad"));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Library for NoFiles {}

/// Whether a file's name has this ending, in upper or lower case.
pub(crate) fn ends(name: &str, ending: &str) -> bool {
    name.len()
        .checked_sub(ending.len())
        .and_then(|at| name.get(at..))
        .is_some_and(|it| it.eq_ignore_ascii_case(ending))
}

/// The keys in a level's first entity.
pub(crate) struct LevelKeys<'l> {
    files: &'l dyn Library,
    level: String,
}

impl<'l> LevelKeys<'l> {
    pub(crate) fn of(files: &'l dyn Library, level: &str) -> Self {
        Self { files, level: level.to_owned() }
    }

    /// The value of a key, with or without an underscore before its name.
    pub(crate) fn get(&self, key: &str) -> Option<String> {
        let of = |key: &str| self.files.level_key(&self.level, key);
        of(key).or_else(|| of(&format!("_{key}")))
    }

    /// The numbers of a key.
    pub(crate) fn numbers(&self, key: &str) -> Vec<f32> {
        let value = self.get(key).unwrap_or_default();
        value
            .split_whitespace()
            .map_while(|word| word.parse().ok())
            .filter(|it: &f32| it.is_finite())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct OneLevel;
    impl Library for OneLevel {
        fn level_key(&self, _: &str, key: &str) -> Option<String> {
            (key == "_fog").then(|| "0.1 1 0.5 x".to_owned())
        }
    }

    #[test]
    fn keys_have_underscores_or_none() {
        let keys = LevelKeys::of(&OneLevel, "maps/any.bsp");
        assert_eq!(keys.numbers("fog"), [0.1, 1.0, 0.5]);
        assert_eq!(keys.get("sky"), None);
    }
}
