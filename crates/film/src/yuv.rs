//! Pictures in the form that films store: brightness for each pixel, color for each group of four.

/// A picture of brightness and color: planes Y, Cb and Cr, of which the last two have half the width and
/// height.
///
/// ```
/// use moviola_film::Yuv;
/// let white = Yuv::of([2, 2], &[255; 16]);
/// assert_eq!((white.y.as_slice(), white.u.as_slice(), white.v.as_slice()), (&[235; 4][..], &[128][..], &[128][..]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Yuv {
    /// Its width and height, which are even.
    pub size: [u32; 2],
    /// Brightness.
    pub y: Vec<u8>,
    /// The difference of blue from brightness.
    pub u: Vec<u8>,
    /// The difference of red from brightness.
    pub v: Vec<u8>,
}

/// From this height on players expect the colors of BT.709, and for lower pictures those of BT.601.
const HIGH: u32 = 720;
const BT709: Matrix = Matrix::of([6_966, 23_436, 2_366]);
const BT601: Matrix = Matrix::of([9_798, 19_235, 3_735]);

/// The factors by which colors are added to the brightness and subtracted in the color differences, in 32768ths:
/// numbers of 15 bits without sign have an instruction for four products. Films hold brightness as 16 to 235 and
/// differences as 16 to 240; with that in the matrix a pixel costs no division.
struct Matrix {
    /// Red, green and blue.
    y: [u32; 3],
    /// Red and green, from [`HALF`] of blue.
    u: [u32; 2],
    /// Green and blue, from [`HALF`] of red.
    v: [u32; 2],
}

impl Matrix {
    /// The matrix for these shares of red, green and blue in the brightness, in 32768ths.
    const fn of([red, green, blue]: [i64; 3]) -> Self {
        let (to_u, to_v) = (away(red, blue), away(blue, red));
        Self {
            y: [scaled(red, 219, 255), scaled(green, 219, 255), scaled(blue, 219, 255)],
            u: [to_u, HALF - to_u],
            v: [HALF - to_v, to_v],
        }
    }
}

/// The factor of the color itself in its difference from the brightness.
const HALF: u32 = scaled(32_768, 112, 255);

/// The factor with which another color is subtracted in the difference of the color whose share is `own`.
const fn away(other: i64, own: i64) -> u32 {
    scaled(other, 112 * 32_768, 255 * (32_768 - own))
}

const fn scaled(share: i64, by: i64, of: i64) -> u32 {
    ((share * by + of / 2) / of) as u32
}

impl Yuv {
    /// Converts red, green, blue and opacity of each pixel. An odd last column or row is left out.
    pub fn of(size: [u32; 2], rgba: &[u8]) -> Self {
        let [_, height] = size;
        if height >= HIGH { planes::<true>(size, rgba) } else { planes::<false>(size, rgba) }
    }
}

/// Compiled separately for each matrix, so that its numbers are constants.
fn planes<const IS_HIGH: bool>([width, height]: [u32; 2], rgba: &[u8]) -> Yuv {
    let Matrix { y, u: [u_red, u_green], v: [v_green, v_blue] } =
        const { if IS_HIGH { BT709 } else { BT601 } };
    let size = [width & !1, height & !1];
    let [across, down] = size.map(|side| side as usize);
    let pixels = across * down;
    let mut it = Yuv { size, y: vec![0; pixels], u: vec![0; pixels / 4], v: vec![0; pixels / 4] };
    if pixels == 0 {
        return it;
    }
    let stride = width as usize * 4;
    let planes = it.u.chunks_exact_mut(across / 2).zip(it.v.chunks_exact_mut(across / 2));
    let rows = it.y.chunks_exact_mut(across * 2).zip(planes).zip(rgba.chunks_exact(stride * 2));
    for ((luma, (u, v)), rows) in rows {
        for (luma, row) in luma.chunks_exact_mut(across).zip(rows.chunks_exact(stride)) {
            for (luma, pixel) in luma.iter_mut().zip(row.as_chunks().0) {
                let pixel = u32::from_le_bytes(*pixel);
                let [red, green, blue] = [pixel, pixel >> 8, pixel >> 16].map(|part| part & 0xFF);
                *luma = ((red * y[0] + green * y[1] + blue * y[2] + (16 << 15) + (1 << 14)) >> 15) as u8;
            }
        }
        let (upper, lower) = rows.split_at(stride);
        let twos = upper.as_chunks::<4>().0.as_chunks().0.iter().zip(lower.as_chunks().0.as_chunks().0);
        for ((u, v), (upper, lower)) in u.iter_mut().zip(v).zip(twos) {
            let [red, green, blue] = sum(*upper, *lower);
            *u = ((MIDDLE + blue * HALF - red * u_red - green * u_green) >> 17) as u8;
            *v = ((MIDDLE + red * HALF - green * v_green - blue * v_blue) >> 17) as u8;
        }
    }
    it
}

/// The middle of differences, and the half for rounding, where four pixels are added up.
const MIDDLE: u32 = (128 << 17) + (1 << 16);

/// Red, green and blue of four pixels added up.
#[inline]
fn sum(upper: [[u8; 4]; 2], lower: [[u8; 4]; 2]) -> [u32; 3] {
    /// Masks the even bytes of a pixel: red and blue. Green is added on its own, so that sums do not run into each
    /// other.
    const EVEN_BYTES: u32 = 0x00FF_00FF;
    let [a, b] = upper.map(u32::from_le_bytes);
    let [c, d] = lower.map(u32::from_le_bytes);
    let even = (a & EVEN_BYTES) + (b & EVEN_BYTES) + (c & EVEN_BYTES) + (d & EVEN_BYTES);
    let green = (a >> 8 & 0xFF) + (b >> 8 & 0xFF) + (c >> 8 & 0xFF) + (d >> 8 & 0xFF);
    // The masks show the compiler how small these are.
    [even & 0x3FF, green, even >> 16 & 0x3FF]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_those_of_the_standard() {
        let yuv_of = |rgb: [u8; 3]| {
            let pixel = [rgb[0], rgb[1], rgb[2], 255];
            let yuv = Yuv::of([2, 2], &[pixel; 4].concat());
            [yuv.y[0], yuv.u[0], yuv.v[0]]
        };
        let near = |a: [u8; 3], b: [u8; 3]| {
            assert!(a.iter().zip(&b).all(|(a, b)| a.abs_diff(*b) <= 1), "{a:?} is not {b:?}");
        };
        near(yuv_of([255, 0, 0]), [81, 90, 240]);
        near(yuv_of([0, 255, 0]), [145, 54, 34]);
        near(yuv_of([0, 0, 255]), [41, 240, 110]);
        near(yuv_of([128, 128, 128]), [126, 128, 128]);
        near(yuv_of([0, 0, 0]), [16, 128, 128]);
    }
    #[test]
    fn each_plane_is_the_nearest_number_to_the_standard() {
        for (size, [r, g, b]) in [([2, 2], [0.299, 0.587, 0.114]), ([2, HIGH], [0.2126, 0.7152, 0.0722])] {
            let values = || (0..=255).step_by(15);
            for (red, green, blue) in
                values().flat_map(|r| values().flat_map(move |g| values().map(move |b| (r, g, b))))
            {
                let pixel = [red as u8, green as u8, blue as u8, 255];
                let yuv = Yuv::of(size, &pixel.repeat(2 * size[1] as usize));
                let [red, green, blue] = [red, green, blue].map(|it| f64::from(it) / 255.0);
                let y = r * red + g * green + b * blue;
                let [u, v] = [(blue - y) / (1.0 - b), (red - y) / (1.0 - r)];
                let near = |is: u8, wanted: f64| {
                    assert!((f64::from(is) - wanted).abs() < 0.52, "{pixel:?}: {is} is not {wanted}");
                };
                near(yuv.y[0], 16.0 + 219.0 * y);
                near(yuv.u[0], 128.0 + 112.0 * u);
                near(yuv.v[0], 128.0 + 112.0 * v);
            }
        }
    }
}
