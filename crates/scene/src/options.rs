//! The options of a scene: the moment, the camera, and the parts to leave out.

use crate::Vec3;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A moment of a recording.
///
/// ```
/// use moviola_scene::Moment;
/// assert_ne!(Moment::At(2.0), Moment::AfterBlock(250));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Moment {
    /// This many seconds after the start of the recording.
    At(f64),
    /// After a block, counted from 0; if a level is not shown yet after this block, its first picture.
    AfterBlock(u64),
}

/// How much of the status bar is drawn.
///
/// ```
/// assert_eq!(moviola_scene::Hud::default(), moviola_scene::Hud::On);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hud {
    /// All of it, and texts.
    #[default]
    On,
    /// Health, armor and ammunition in small characters, and texts.
    Minimal,
    /// No overlay at all.
    Off,
}

/// The options of a scene.
///
/// ```
/// use moviola_scene::SceneOptions;
/// let plain = SceneOptions::plain();
/// assert!(!plain.interpolate && !plain.particles && plain.weapon);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // Each is a switch of its own.
pub struct SceneOptions {
    /// The size of the screen on which status bar and texts are laid out.
    pub screen: [i32; 2],
    /// The horizontal field of view in degrees, for a screen of 4:3; `None` for the recording's.
    pub fov: Option<f32>,
    /// Whether positions and poses are interpolated between the recorded ones.
    pub interpolate: bool,
    /// Whether particles are shown.
    pub particles: bool,
    /// Whether colors over the view are shown.
    pub tints: bool,
    /// Whether fog is shown.
    pub fog: bool,
    /// Whether the view bobs, rolls and is kicked.
    pub sway: bool,
    /// Whether the weapon in hand is shown.
    pub weapon: bool,
    /// The status bar.
    pub hud: Hud,
    /// Whether console lines and centered texts are shown. Engines remove them by the wall clock, so a picture of a
    /// paused game has none.
    pub texts: bool,
    /// The place of the eye, instead of the player's head.
    pub eye: Option<Vec3>,
    /// The angles of the eye, instead of the player's.
    pub angles: Option<Vec3>,
    /// Whether the camera flies freely: the player is shown, but not his weapon, status bar or tints.
    pub free: bool,
    /// The entity of another player whose view is shown, if the recording has it.
    pub who: Option<u16>,
    /// Whether the camera is behind the player instead of in the head, so that the player is visible, as in engines with
    /// `chase_active`.
    pub chase: bool,
    /// The blocks with which the view changes at once, as where a shot of a camera begins.
    pub cuts: Arc<BTreeSet<u64>>,
}

impl Default for SceneOptions {
    fn default() -> Self {
        Self {
            screen: [640, 480],
            fov: None,
            interpolate: true,
            particles: true,
            tints: true,
            fog: true,
            sway: true,
            texts: true,
            weapon: true,
            hud: Hud::On,
            eye: None,
            angles: None,
            free: false,
            who: None,
            chase: false,
            cuts: Arc::default(),
        }
    }
}

/// A screen of the game is at least this high: in taller pictures its pixels are doubled, unless that would make it
/// too narrow.
const SCREEN_HEIGHT: u32 = 360;

/// The width of the status bars of both games, which a screen has even in narrower pictures.
const SCREEN_WIDTH: u32 = 320;

impl SceneOptions {
    /// The screen for a picture of this size: status bar and texts stay readable in large pictures, and whole in narrow
    /// ones.
    ///
    /// ```
    /// use moviola_scene::SceneOptions;
    /// assert_eq!(SceneOptions::screen_for([1280, 720]), [640, 360]);
    /// assert_eq!(SceneOptions::screen_for([1080, 1920]), [360, 640]);
    /// assert_eq!(SceneOptions::screen_for([256, 144]), [320, 180]);
    /// ```
    pub fn screen_for([width, height]: [u32; 2]) -> [i32; 2] {
        if width < SCREEN_WIDTH {
            let high = u64::from(height) * u64::from(SCREEN_WIDTH) / u64::from(width.max(1));
            return [SCREEN_WIDTH as i32, high.try_into().unwrap_or(i32::MAX)];
        }
        let scale = (height / SCREEN_HEIGHT).min(width / SCREEN_WIDTH).max(1);
        [(width / scale) as i32, (height / scale) as i32]
    }

    /// Whether the recorder's screen is shown, which the recording describes.
    pub(crate) fn is_own(&self) -> bool {
        !self.free && self.who.is_none()
    }

    /// Whether the camera is in the recorder's head: then the weapon is visible, and the recorder is not.
    pub(crate) fn is_in_own_head(&self) -> bool {
        self.is_own() && !self.chase
    }

    /// Whether the camera is in the head of this player: the player whose view is shown, or else the recorder.
    pub(crate) fn is_in_head(&self, number: u16, own: Option<u16>) -> bool {
        !self.chase && (self.who == Some(number) || self.is_own() && own == Some(number))
    }

    /// Options for pictures that are compared: the recorded state, without anything that is interpolated or
    /// random.
    pub fn plain() -> Self {
        Self {
            interpolate: false,
            particles: false,
            tints: false,
            fog: false,
            sway: false,
            texts: false,
            hud: Hud::Off,
            ..Self::default()
        }
    }
}

/// The angles of a view across and up, for a field of view that is meant for 4:3: a wider view shows more at
/// its sides, as in today's engines.
pub(crate) fn fields(fov: f32, view: [i32; 2], screen: [i32; 2]) -> [f32; 2] {
    let fov = if fov.is_finite() { fov.clamp(1.0, 170.0) } else { 90.0 };
    let tan = |degrees: f32| libm::tanf((degrees / 2.0).to_radians());
    let angle = |tan: f32| (libm::atanf(tan) * 2.0).to_degrees();
    let ratio = |[width, height]: [i32; 2]| width.max(1) as f32 / height.max(1) as f32;
    let across = tan(fov) * ratio(screen) * 0.75;
    [angle(across), angle(across / ratio(view))]
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[test]
    fn a_screen_of_four_to_three_has_the_field_of_the_setting() {
        let [across, up] = fields(90.0, [640, 480], [640, 480]);
        assert!((across - 90.0).abs() < 1e-3 && (up - 73.74).abs() < 1e-2);
        let [across, _] = fields(90.0, [1280, 720], [1280, 720]);
        assert!((across - 106.26).abs() < 1e-2);
    }
}
