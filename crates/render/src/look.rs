//! The options of a picture, and the picture.

/// The renderers whose way of drawing is used.
///
/// ```
/// assert_eq!(moviola_render::LookKind::default(), moviola_render::LookKind::Gl);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookKind {
    /// The GL renderers: filtered textures with mip levels, and true colors.
    #[default]
    Gl,
    /// The software renderers: 256 colors, each in the 64 lights of the colormap.
    Software,
}

/// The options of a picture.
///
/// ```
/// use moviola_render::LookOptions;
/// let look = LookOptions { size: [320, 200], ..LookOptions::default() };
/// assert_eq!((look.samples, look.threads), (1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LookOptions {
    /// The renderers whose way of drawing is used.
    pub kind: LookKind,
    /// The width and height of the picture in pixels.
    pub size: [u32; 2],
    /// The number of samples across and down for each pixel, 1 to 8.
    pub samples: u32,
    /// Whether the GL look takes one texel per pixel, instead of blending four of a fitting mip level.
    pub nearest: bool,
    /// Whether colored lightmaps are used if there are any; the software look never uses them.
    pub color_light: bool,
    /// The number of threads. The picture does not depend on it.
    pub threads: usize,
}

impl Default for LookOptions {
    fn default() -> Self {
        Self {
            kind: LookKind::Gl,
            size: [640, 480],
            samples: 1,
            nearest: false,
            color_light: true,
            threads: 1,
        }
    }
}

/// A picture.
///
/// ```
/// let frame = moviola_render::RenderedFrame { size: [1, 1], rgba: vec![9, 8, 7, 255] };
/// assert_eq!(frame.pixel(0, 0), Some([9, 8, 7, 255]));
/// assert_eq!(frame.pixel(1, 0), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderedFrame {
    /// Its width and height.
    pub size: [u32; 2],
    /// Red, green, blue and opacity of each pixel, row by row from the top.
    pub rgba: Vec<u8>,
}

impl RenderedFrame {
    /// A pixel's color.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let [width, _] = self.size;
        let at = (y as usize).checked_mul(width as usize)?.checked_add(x as usize)?.checked_mul(4)?;
        (x < width).then_some(*self.rgba.get(at..)?.first_chunk()?)
    }
}
