//! How a picture is to look, and the picture.

/// Whose way of drawing it is.
///
/// ```
/// assert_eq!(moviola_render::LookKind::default(), moviola_render::LookKind::Gl);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookKind {
    /// Of the GL renderers: filtered textures in smaller sizes for the distance, true colors.
    #[default]
    Gl,
    /// Of the software renderers: 256 colors, and what the colormap makes of them in 64 lights.
    Software,
}

/// How a picture is to look.
///
/// ```
/// use moviola_render::Look;
/// let look = Look { size: [320, 200], ..Look::default() };
/// assert_eq!((look.samples, look.threads), (1, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whose way it is.
    pub kind: LookKind,
    /// How wide and high the picture is, in pixels.
    pub size: [u32; 2],
    /// So many samples across and down are drawn for each pixel, 1 to 8.
    pub samples: u32,
    /// Whether the GL look takes one texel for a pixel, not the middle of four in a size that fits.
    pub nearest: bool,
    /// Whether lightmaps are in color where they are known so; the software look never is.
    pub color_light: bool,
    /// How many threads draw. The picture does not depend on it.
    pub threads: usize,
}

impl Default for Look {
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
/// let frame = moviola_render::Frame { size: [1, 1], rgba: vec![9, 8, 7, 255] };
/// assert_eq!(frame.pixel(0, 0), Some([9, 8, 7, 255]));
/// assert_eq!(frame.pixel(1, 0), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// How wide and high it is.
    pub size: [u32; 2],
    /// Red, green, blue and opacity of each pixel, row by row from the top.
    pub rgba: Vec<u8>,
}

impl Frame {
    /// A pixel's color.
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        let [width, _] = self.size;
        let at = (y as usize).checked_mul(width as usize)?.checked_add(x as usize)?.checked_mul(4)?;
        (x < width).then_some(*self.rgba.get(at..)?.first_chunk()?)
    }
}
