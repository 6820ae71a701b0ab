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

/// The shares of red, green and blue in brightness, in 65536ths. From this height on players expect BT.709.
const HIGH: u32 = 720;
const BT709: [i32; 3] = [13_933, 46_871, 4_732];
const BT601: [i32; 3] = [19_595, 38_470, 7_471];

impl Yuv {
    /// Converts red, green, blue and opacity of each pixel. An odd last column or row is left out.
    pub fn of(size: [u32; 2], rgba: &[u8]) -> Self {
        let [width, height] = size;
        let even = [width & !1, height & !1];
        let shares = if height >= HIGH { BT709 } else { BT601 };
        let pixels = even[0] as usize * even[1] as usize;
        let (y, u, v) =
            (Vec::with_capacity(pixels), Vec::with_capacity(pixels / 4), Vec::with_capacity(pixels / 4));
        let mut it = Self { size: even, y, u, v };
        let rows = rgba.chunks_exact((width as usize * 4).max(1));
        let rows: Vec<&[u8]> = rows.take(even[1] as usize).collect();
        for pair in rows.chunks_exact(2) {
            let [upper, lower] = pair else { continue };
            for row in pair {
                it.y.extend(
                    row.as_chunks::<4>().0.iter().take(even[0] as usize).map(|pixel| light(*pixel, shares)),
                );
            }
            let fours = upper.as_chunks::<8>().0.iter().zip(lower.as_chunks::<8>().0);
            for (upper, lower) in fours {
                let [r0, g0, b0, _, r1, g1, b1, _] = *upper;
                let [r2, g2, b2, _, r3, g3, b3, _] = *lower;
                let sum =
                    |a: u8, b: u8, c: u8, d: u8| i32::from(a) + i32::from(b) + i32::from(c) + i32::from(d);
                let (red, green, blue) = (sum(r0, r1, r2, r3), sum(g0, g1, g2, g3), sum(b0, b1, b2, b3));
                let bright = (red * shares[0] + green * shares[1] + blue * shares[2]) >> 16;
                it.u.push(color(blue - bright, shares[2]));
                it.v.push(color(red - bright, shares[0]));
            }
        }
        it
    }
}

/// The brightness of a pixel, from 16 to 235.
#[inline]
fn light([red, green, blue, _]: [u8; 4], shares: [i32; 3]) -> u8 {
    let sum = i32::from(red) * shares[0] + i32::from(green) * shares[1] + i32::from(blue) * shares[2];
    (16 + (((sum >> 8) * 219 / 255 + 128) >> 8)).clamp(16, 235) as u8
}

/// A color difference, summed over four pixels, as 16 to 240.
#[inline]
fn color(difference: i32, share: i32) -> u8 {
    let most = 2 * (65_536 - share) / 256;
    (128 + (difference * 224 / 4 * 256 / 255 + most / 2).div_euclid(most)).clamp(16, 240) as u8
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
}
