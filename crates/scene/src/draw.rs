//! The overlay of a scene: pictures, characters and rectangles on a screen of the game's own pixels.

use crate::FileName;

/// A rectangle.
///
/// ```
/// use moviola_scene::Rect;
/// assert_eq!(Rect::new(0, 0, 320, 200).size, [320, 200]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Its left upper corner.
    pub at: [i32; 2],
    /// Its width and height.
    pub size: [i32; 2],
}

impl Rect {
    /// A rectangle by its corner and size.
    pub fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { at: [x, y], size: [width, height] }
    }
}

/// The source of a picture.
///
/// ```
/// use moviola_scene::PictureFile;
/// assert_ne!(PictureFile::Lump("sbar".into()), PictureFile::File("gfx/sbar.lmp".into()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureFile {
    /// In `gfx.wad` by this name.
    Lump(FileName),
    /// In a file: `gfx/pause.lmp`, `pics/help.pcx`.
    File(FileName),
}

/// An item of the overlay. Coordinates are in pixels of the overlay's screen, from its left upper corner.
///
/// ```
/// use moviola_scene::Draw;
/// let digit = Draw::Character { code: b'7', at: [8, 8] };
/// assert!(matches!(digit, Draw::Character { code: b'7', .. }));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// A picture.
    Picture {
        /// The picture's source.
        picture: PictureFile,
        /// Its left upper corner.
        at: [i32; 2],
        /// Its opacity.
        alpha: f32,
    },
    /// A picture repeated over a rectangle.
    Tile {
        /// The picture's source.
        picture: PictureFile,
        /// The rectangle.
        area: Rect,
    },
    /// A character of the game's font, 8 by 8 pixels.
    Character {
        /// The character's code.
        code: u8,
        /// Its left upper corner.
        at: [i32; 2],
    },
    /// A rectangle in one color of the palette.
    Fill {
        /// The rectangle.
        area: Rect,
        /// The color's index in the palette.
        color: u8,
        /// Its opacity.
        alpha: f32,
    },
}

/// Everything that is drawn over the picture, in this order.
///
/// ```
/// use moviola_scene::Overlay;
/// assert!(Overlay::default().draws.is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overlay {
    /// The size of the screen on which it is laid out; it is scaled onto the whole frame.
    pub screen: [i32; 2],
    /// The items, in the order of drawing.
    pub draws: Vec<Draw>,
}
