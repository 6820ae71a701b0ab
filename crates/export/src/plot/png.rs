//! Makes a PNG from an SVG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use std::fmt;

/// The reason why there is no PNG.
///
/// ```
/// let trouble = moviola_export::PngError::Svg("no root".into());
/// assert_eq!(trouble.to_string(), "the picture cannot be drawn: no root");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PngError {
    /// The system has no fonts, so the picture would have no text.
    NoFonts,
    /// The text is not an SVG, or the picture is too large.
    Svg(String),
}

impl fmt::Display for PngError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFonts => f.write_str(
                "there are no fonts on this system for the words of a PNG: write an SVG, or install a font such as DejaVu",
            ),
            Self::Svg(why) => write!(f, "the picture cannot be drawn: {why}"),
        }
    }
}

impl std::error::Error for PngError {}

/// Draws an SVG, `scale` pixels for each unit of the SVG.
///
/// ```
/// use moviola_export::{PngError, png};
/// match png("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"2\" height=\"2\"/>", 1.0) {
///     Ok(png) => assert!(png.starts_with(b"\x89PNG")),
///     Err(trouble) => assert_eq!(trouble, PngError::NoFonts),
/// }
/// ```
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    if fonts.is_empty() {
        return Err(PngError::NoFonts);
    }
    // If the system has no font family that the picture names, a plain one is taken, or any.
    let names = || fonts.faces().filter_map(|face| face.families.first()).map(|(name, _)| name);
    let name = names().find(|name| name.ends_with("Sans")).or_else(|| names().next()).cloned();
    if let Some(name) = name {
        fonts.set_sans_serif_family(name);
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| PngError::Svg(error.to_string()))?;
    let size = tree.size().to_int_size();
    let pixels = |side: u32| (side as f32 * scale).ceil() as u32;
    let mut picture = Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| PngError::Svg("its size is not possible".into()))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().map_err(|error| PngError::Svg(error.to_string()))
}
