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

/// From this height on players expect the colors of BT.709, below it those of BT.601.
const HIGH: u32 = 720;
const BT709: Matrix = Matrix::of([13_933, 46_871, 4_732]);
const BT601: Matrix = Matrix::of([19_595, 38_470, 7_471]);

/// The amounts that red, green and blue add to each plane, in 65536ths. Films hold brightness as 16 to 235 and differences as 16
/// to 240; with that in the matrix a pixel costs no division.
struct Matrix {
    y: [i32; 3],
    u: [i32; 3],
    v: [i32; 3],
}

impl Matrix {
    /// Made of the shares of red, green and blue in brightness, in 65536ths.
    const fn of([red, green, blue]: [i32; 3]) -> Self {
        Self {
            y: [scaled(red, 219, 255), scaled(green, 219, 255), scaled(blue, 219, 255)],
            u: [-away(red, blue), away(red, blue) - HALF, HALF],
            v: [HALF, away(blue, red) - HALF, -away(blue, red)],
        }
    }
}

/// The share of the color itself in its difference from brightness.
const HALF: i32 = scaled(65_536, 112, 255);

/// How much the share of another color takes from the difference of the color with the share `own`.
const fn away(other: i32, own: i32) -> i32 {
    scaled(other, 112 * 65_536, 255 * (65_536 - own as i64))
}

const fn scaled(share: i32, by: i64, of: i64) -> i32 {
    ((share as i64 * by + of / 2) / of) as i32
}

impl Yuv {
    /// Converts red, green, blue and opacity of each pixel. An odd last column or row is left out.
    pub fn of(size: [u32; 2], rgba: &[u8]) -> Self {
        let [width, height] = size;
        let even = [width & !1, height & !1];
        let matrix = if height >= HIGH { &BT709 } else { &BT601 };
        let pixels = even[0] as usize * even[1] as usize;
        let (y, u, v) =
            (Vec::with_capacity(pixels), Vec::with_capacity(pixels / 4), Vec::with_capacity(pixels / 4));
        let mut it = Self { size: even, y, u, v };
        let rows = rgba.chunks_exact((width as usize * 4).max(1));
        let rows: Vec<&[u8]> = rows.take(even[1] as usize).collect();
        for pair in rows.chunks_exact(2) {
            let [upper, lower] = pair else { continue };
            for row in pair {
                let pixels = row.as_chunks::<4>().0.iter().take(even[0] as usize);
                it.y.extend(pixels.map(|pixel| plane::<16>(pixel.map(i32::from), matrix.y, 16)));
            }
            let fours = || upper.as_chunks::<8>().0.iter().zip(lower.as_chunks::<8>().0);
            it.u.extend(fours().map(|four| plane::<18>(sum(four), matrix.u, 128)));
            it.v.extend(fours().map(|four| plane::<18>(sum(four), matrix.v, 128)));
        }
        it
    }
}

/// Red, green and blue of four pixels added up.
#[inline]
fn sum((upper, lower): (&[u8; 8], &[u8; 8])) -> [i32; 4] {
    let [r0, g0, b0, _, r1, g1, b1, _] = upper.map(i32::from);
    let [r2, g2, b2, _, r3, g3, b3, _] = lower.map(i32::from);
    [r0 + r1 + r2 + r3, g0 + g1 + g2 + g3, b0 + b1 + b2 + b3, 0]
}

/// The value of a plane around `middle`, rounded, from colors of which 2 to the power of `BITS` are a whole.
#[inline]
fn plane<const BITS: i32>([red, green, blue, _]: [i32; 4], by: [i32; 3], middle: i32) -> u8 {
    let half = 1 << (BITS - 1);
    ((red * by[0] + green * by[1] + blue * by[2] + (middle << BITS) + half) >> BITS) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_those_of_the_standard() {
        let of = |rgb: [u8; 3]| {
            let pixel = [rgb[0], rgb[1], rgb[2], 255];
            let yuv = Yuv::of([2, 2], &[pixel; 4].concat());
            [yuv.y[0], yuv.u[0], yuv.v[0]]
        };
        let near = |a: [u8; 3], b: [u8; 3]| {
            assert!(a.iter().zip(&b).all(|(a, b)| a.abs_diff(*b) <= 1), "{a:?} is not {b:?}");
        };
        near(of([255, 0, 0]), [81, 90, 240]);
        near(of([0, 255, 0]), [145, 54, 34]);
        near(of([0, 0, 255]), [41, 240, 110]);
        near(of([128, 128, 128]), [126, 128, 128]);
        near(of([0, 0, 0]), [16, 128, 128]);
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
