//! The lists of a scene. A renderer needs these, the game's files by their names, and nothing else.
//!
//! All numbers are finite: values of a damaged recording that are not are removed when the scene is made.

use crate::{Ambience, FileName, Listener, Loop, Overlay, Rect, SoundStart, Vec3};
use moviola_format::Game;

/// Everything that is visible and audible at a moment.
///
/// ```
/// use moviola_scene::Scene;
/// assert_eq!(Scene::default().liquid_alpha, [1.0; 4]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The game whose rules apply: light, models, the order of drawing.
    pub game: Game,
    /// The level's clock in seconds: animated textures, water, sky and frame groups follow it.
    pub time: f64,
    /// The camera.
    pub camera: Eye,
    /// The part of the overlay's screen in which the level is seen.
    pub view: Rect,
    /// The level itself.
    pub level: Option<LevelView>,
    /// Doors, platforms and boxes: parts of the level and whole small levels.
    pub brushes: Vec<Brush>,
    /// Models, in the order in which they are drawn.
    pub models: Vec<Model>,
    /// Sprites.
    pub sprites: Vec<Sprite>,
    /// Beams of light.
    pub beams: Vec<Beam>,
    /// Particles.
    pub particles: Vec<Particle>,
    /// Dynamic lights.
    pub lights: Vec<DynamicLight>,
    /// The sky.
    pub sky: Sky,
    /// The opacity of water, lava, slime and teleporters (Quake).
    pub liquid_alpha: [f32; 4],
    /// Whether the eye is in a liquid; the picture may waver then.
    pub underwater: bool,
    /// The fog.
    pub fog: Option<FogAt>,
    /// The weapon in hand, drawn last and never hidden by walls.
    pub weapon: Option<Model>,
    /// Colors over the view, applied in this order.
    pub tints: Vec<Tint>,
    /// The status bar and all other items over the picture.
    pub overlay: Overlay,
    /// The place and direction of the ears.
    pub listener: Listener,
    /// Sounds that have started in the last seconds, in the order of their starts.
    pub sounds: Vec<SoundStart>,
    /// Sounds that never end.
    pub loops: Vec<Loop>,
    /// The sounds of water and wind.
    pub ambience: Ambience,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            game: Game::Quake,
            time: 0.0,
            camera: Eye::default(),
            view: Rect::default(),
            level: None,
            brushes: Vec::new(),
            models: Vec::new(),
            sprites: Vec::new(),
            beams: Vec::new(),
            particles: Vec::new(),
            lights: Vec::new(),
            sky: Sky::default(),
            liquid_alpha: [1.0; 4],
            underwater: false,
            fog: None,
            weapon: None,
            tints: Vec::new(),
            overlay: Overlay::default(),
            listener: Listener::default(),
            sounds: Vec::new(),
            loops: Vec::new(),
            ambience: Ambience::default(),
        }
    }
}

/// An eye in the level.
///
/// ```
/// use moviola_scene::Eye;
/// let wide = Eye { fov: [90.0, 73.74], ..Eye::default() };
/// assert_eq!(wide.eye, [0.0; 3]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Eye {
    /// Its place.
    pub eye: Vec3,
    /// Pitch (down is positive), yaw and roll in degrees.
    pub angles: Vec3,
    /// The angles of the whole view across and up, in degrees.
    pub fov: [f32; 2],
}

/// The level.
///
/// ```
/// use moviola_scene::LevelView;
/// let level = LevelView { file: "maps/e1m1.bsp".into(), styles: vec![1.0; 64], areas: None };
/// assert_eq!(level.styles[0], 1.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LevelView {
    /// Its file.
    pub file: FileName,
    /// The brightness of each light style at the moment; 1 is the usual brightness (Quake's 264 of 256 is
    /// 1.03125).
    pub styles: Vec<f32>,
    /// The areas that can be seen, a bit each (Quake II).
    pub areas: Option<Vec<u8>>,
}

/// A part of the level that is drawn or moves separately, or a small level used as a model.
///
/// ```
/// use moviola_scene::Brush;
/// let door = Brush { file: "*3".into(), ..Brush::default() };
/// assert_eq!(door.alpha, 1.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Brush {
    /// The entity's number.
    pub entity: u16,
    /// `*n` is part n of the level; otherwise a file.
    pub file: FileName,
    /// Its place.
    pub place: Vec3,
    /// Its angles.
    pub angles: Vec3,
    /// The frame of animated textures: in Quake any but 0 shows the alternate textures.
    pub frame: u32,
    /// Its opacity.
    pub alpha: f32,
    /// Whether it is drawn at full brightness.
    pub bright: bool,
}

impl Default for Brush {
    fn default() -> Self {
        Self {
            entity: 0,
            file: "".into(),
            place: [0.0; 3],
            angles: [0.0; 3],
            frame: 0,
            alpha: 1.0,
            bright: false,
        }
    }
}

/// The two frames of a model that are shown, and the part of each.
///
/// ```
/// use moviola_scene::Pose;
/// let still = Pose::still(4, 0.0);
/// assert_eq!((still.frame, still.before, still.blend), (4, 4, 1.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// The frame.
    pub frame: u32,
    /// The frame before it.
    pub before: u32,
    /// 0 is all `before`, 1 is all `frame`.
    pub blend: f32,
    /// The clock for frames and skins that are groups, including the model's own offset.
    pub time: f64,
}

impl Pose {
    /// A single frame, without blending.
    pub fn still(frame: u32, time: f64) -> Self {
        Self { frame, before: frame, blend: 1.0, time }
    }
}

/// The skin of a model.
///
/// ```
/// use moviola_scene::ModelSkin;
/// assert_eq!(ModelSkin::default(), ModelSkin::Number(0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum ModelSkin {
    /// One of the model's own skins.
    Number(u32),
    /// A picture file.
    File(FileName),
}

impl Default for ModelSkin {
    fn default() -> Self {
        Self::Number(0)
    }
}

/// The source of a model's light.
///
/// ```
/// use moviola_scene::Shade;
/// assert_eq!(Shade::default(), Shade::Level { least: 0.0, glow: None });
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shade {
    /// The level below `Model::lit_at` and the lights nearby.
    Level {
        /// The least brightness (of 1).
        least: f32,
        /// A pulse that is added to each color, which keeps at least 0.8 of its value (Quake II).
        glow: Option<f32>,
    },
    /// The model is as bright as its skin.
    Full,
    /// A single color instead of the skin (the shells around Quake II's players).
    Flat([f32; 3]),
}

impl Default for Shade {
    fn default() -> Self {
        Self::Level { least: 0.0, glow: None }
    }
}

/// A model of triangles: MDL or MD2.
///
/// ```
/// use moviola_scene::Model;
/// let model = Model { file: "progs/armor.mdl".into(), ..Model::default() };
/// assert_eq!((model.alpha, model.scale), (1.0, 1.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The entity's number; 0 if it is none.
    pub entity: u16,
    /// Its file.
    pub file: FileName,
    /// Its frames.
    pub pose: Pose,
    /// Its skin.
    pub skin: ModelSkin,
    /// The colors of shirt and trousers, as rows of the palette.
    pub colors: Option<[u8; 2]>,
    /// Its opacity.
    pub alpha: f32,
    /// Its size as a factor.
    pub scale: f32,
    /// Its place.
    pub place: Vec3,
    /// Pitch, yaw and roll, with the signs that the game uses for models.
    pub angles: Vec3,
    /// Its light.
    pub shade: Shade,
    /// The place where its light is taken.
    pub lit_at: Vec3,
    /// The distance by which every vertex is moved along its normal.
    pub swell: f32,
    /// Whether left and right are exchanged, for a left-handed weapon.
    pub mirrored: bool,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            entity: 0,
            file: "".into(),
            pose: Pose::still(0, 0.0),
            skin: ModelSkin::default(),
            colors: None,
            alpha: 1.0,
            scale: 1.0,
            place: [0.0; 3],
            angles: [0.0; 3],
            shade: Shade::default(),
            lit_at: [0.0; 3],
            swell: 0.0,
            mirrored: false,
        }
    }
}

/// A flat picture in the level: SPR or SP2. Its file decides how it turns to the eye.
///
/// ```
/// use moviola_scene::Sprite;
/// let bubble = Sprite { file: "progs/s_bubble.spr".into(), ..Sprite::default() };
/// assert_eq!(bubble.alpha, 1.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sprite {
    /// The entity's number; 0 if it is none.
    pub entity: u16,
    /// Its file.
    pub file: FileName,
    /// The frame.
    pub frame: u32,
    /// The clock for frames that are groups.
    pub time: f64,
    /// Its place.
    pub place: Vec3,
    /// Its angles, for files of a kind that does not face the eye.
    pub angles: Vec3,
    /// Its opacity.
    pub alpha: f32,
    /// Its size as a factor.
    pub scale: f32,
}

impl Default for Sprite {
    fn default() -> Self {
        Self {
            entity: 0,
            file: "".into(),
            frame: 0,
            time: 0.0,
            place: [0.0; 3],
            angles: [0.0; 3],
            alpha: 1.0,
            scale: 1.0,
        }
    }
}

/// A straight tube of one color.
///
/// ```
/// use moviola_scene::Beam;
/// let laser = Beam { from: [0.0; 3], to: [100.0, 0.0, 0.0], radius: 2.0, color: 0xf2, alpha: 0.3 };
/// assert_eq!(laser.color, 0xf2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// The one end.
    pub from: Vec3,
    /// The other end.
    pub to: Vec3,
    /// Half of its thickness.
    pub radius: f32,
    /// The color's index in the palette.
    pub color: u8,
    /// Its opacity.
    pub alpha: f32,
}

/// A dot in the level.
///
/// ```
/// use moviola_scene::Particle;
/// let spark = Particle { place: [0.0; 3], color: 0xe0, alpha: 1.0 };
/// assert_eq!(spark.alpha, 1.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Particle {
    /// Its place.
    pub place: Vec3,
    /// The color's index in the palette.
    pub color: u8,
    /// Its opacity.
    pub alpha: f32,
}

/// A dynamic light: a light that appears for a short time.
///
/// ```
/// use moviola_scene::DynamicLight;
/// let flash = DynamicLight { place: [0.0; 3], radius: 200.0, least: 32.0, color: [1.0; 3] };
/// assert!(flash.radius > flash.least);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DynamicLight {
    /// Its place.
    pub place: Vec3,
    /// The distance that it reaches.
    pub radius: f32,
    /// Light that is weaker than this is not added.
    pub least: f32,
    /// Its color; negative values take light away.
    pub color: [f32; 3],
}

/// The sky.
///
/// ```
/// use moviola_scene::Sky;
/// assert!(Sky::default().name.is_none());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sky {
    /// The name of the six pictures (`gfx/env/NAMErt.tga`, Quake II `env/NAMErt.tga`); `None` for the level's
    /// own clouds.
    pub name: Option<FileName>,
    /// The angle by which it has turned, in degrees.
    pub turned: f32,
    /// The axis of the turn.
    pub axis: Vec3,
}

/// The fog at the moment.
///
/// ```
/// use moviola_scene::FogAt;
/// let fog = FogAt { density: 0.05, color: [0.3; 3], sky: 0.5 };
/// assert!(fog.density > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FogAt {
    /// The density: exp(-(density * depth / 64)^2) of the light arrives.
    pub density: f32,
    /// Its color, 0 to 1.
    pub color: [f32; 3],
    /// The part of the fog that lies over the sky.
    pub sky: f32,
}

/// A color over the view.
///
/// ```
/// use moviola_scene::Tint;
/// let quad = Tint { color: [0.0, 0.0, 1.0], alpha: 30.0 / 255.0 };
/// assert!(quad.alpha < 0.12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tint {
    /// The color, 0 to 1.
    pub color: [f32; 3],
    /// Its opacity.
    pub alpha: f32,
}
