//! The options of a picture: size, eye and look.

use moviola_render::{LookKind, LookOptions};
use moviola_scene::{Hud, SceneOptions, Vec3};

/// The greatest width and height of a picture, since browsers limit the memory.
const MAX_SIDE: u32 = 3840;

/// In pictures lower than this, status bar and texts are not scaled down.
const LEAST_HEIGHT: u32 = 360;

/// Whether the map from above is seen.
///
/// ```
/// assert_eq!(moviola_deck::MapView::default(), moviola_deck::MapView::Off);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MapView {
    /// The map is shown only if the level's file is missing and the camera does not fly.
    #[default]
    Off,
    /// The map is in a corner of the picture.
    Corner,
    /// The map is shown instead of the picture.
    Alone,
}

/// The size, the eye and the look of a picture.
///
/// ```
/// let view = moviola_deck::PictureView { size: [1280, 720], ..Default::default() };
/// assert!(view.hud && view.who.is_none());
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub struct PictureView {
    /// The size in pixels.
    pub size: [u32; 2],
    /// Whether the status bar and texts are drawn.
    pub hud: bool,
    /// Whether it looks like the software renderers' pictures, not like the GL renderers'.
    pub software: bool,
    /// The field of view in degrees, for a screen of 4:3; `None` for the recording's.
    pub fov: Option<f32>,
    /// The number of another player whose view is shown.
    pub who: Option<u16>,
    /// The position and the angles of a free camera.
    pub free: Option<[Vec3; 2]>,
    /// Whether the camera is behind the player, so that the player is visible.
    pub chase: bool,
    /// Whether a free camera shows the paths of the script's cameras as lines.
    pub ways: bool,
    /// Places of the level that are marked over the picture.
    pub marked: Vec<Vec3>,
    /// Whether the map from above is seen.
    pub map: MapView,
}

impl Default for PictureView {
    fn default() -> Self {
        Self {
            size: [640, 360],
            hud: true,
            software: false,
            fov: None,
            who: None,
            free: None,
            chase: false,
            ways: false,
            marked: Vec::new(),
            map: MapView::Off,
        }
    }
}

impl PictureView {
    pub(crate) fn look(&self) -> LookOptions {
        LookOptions {
            kind: if self.software { LookKind::Software } else { LookKind::Gl },
            size: self.size.map(|side| side.clamp(1, MAX_SIDE)),
            ..LookOptions::default()
        }
    }

    /// The size for which status bar and texts are laid out. On a slow machine the pictures become smaller, but the
    /// relative size of the status bar must not change.
    fn laid_out(&self) -> [u32; 2] {
        let [width, height] = self.look().size;
        let times = LEAST_HEIGHT.div_ceil(height);
        [width * times, height * times]
    }

    pub(crate) fn options(&self) -> SceneOptions {
        SceneOptions {
            screen: SceneOptions::screen_for(self.laid_out()),
            fov: self.fov,
            hud: if self.hud { Hud::On } else { Hud::Off },
            texts: self.hud,
            eye: self.free.map(|[eye, _]| eye),
            angles: self.free.map(|[_, angles]| angles),
            free: self.free.is_some(),
            who: self.who.filter(|_| self.free.is_none()),
            chase: self.chase && self.free.is_none(),
            ..SceneOptions::default()
        }
    }
}
