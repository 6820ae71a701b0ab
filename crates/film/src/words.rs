//! Texts in an MP4: the track of subtitles (3GPP timed text), which players show on request, and the film's
//! title.

use crate::Caption;
use crate::mp4::{boxed, data_in_this_file, longs, matrix};

/// Units per second of the track's clock.
pub(crate) const CLOCK: u32 = 1000;

/// Consecutive texts, each with its duration.
pub(crate) type Turns = Vec<(u32, String)>;

/// The texts of a film as a sequence without gaps, each with its duration. Between texts there are empty ones.
pub(crate) fn in_turn(captions: &[Caption], film: u32) -> Turns {
    let unit = |seconds: f64| (seconds * f64::from(CLOCK)).round().clamp(0.0, f64::from(film)) as u32;
    let mut times: Vec<u32> = captions.iter().flat_map(|it| [unit(it.from), unit(it.to)]).collect();
    times.extend([0, film]);
    times.sort_unstable();
    times.dedup();
    let texts = times.as_slice().windows(2).filter_map(|pair| {
        let [from, to] = pair else { return None };
        let there = captions.iter().filter(|it| unit(it.from) <= *from && *to <= unit(it.to));
        let text: Vec<String> = there.map(Caption::plain).collect();
        Some((to - from, text.join("\n")))
    });
    texts.collect()
}

/// A text in the form of a sample.
pub(crate) fn sample(text: &str) -> Vec<u8> {
    // Cutting inside of a letter would make the whole text unreadable.
    let bytes = text.get(..text.floor_char_boundary(usize::from(u16::MAX))).unwrap_or_default().as_bytes();
    let mut out = (bytes.len() as u16).to_be_bytes().to_vec();
    out.extend_from_slice(bytes);
    out
}

/// Writes a track of texts whose samples are at these offsets in the file.
pub(crate) fn track(out: &mut Vec<u8>, number: u32, texts: &[(u32, String)], offsets: &[u64], film: u32) {
    let total_length = texts.iter().map(|(length, _)| length).sum();
    let count = texts.len() as u32;
    boxed(out, *b"trak", |it| {
        boxed(it, *b"tkhd", |it| {
            longs(it, &[3, 0, 0, number, 0, film, 0, 0]);
            // The layer (in front of all other tracks), and the group, which has no other track.
            it.extend([0, 0, 0, 2, 0, 0, 0, 0]);
            matrix(it);
            longs(it, &[0, 0]);
        });
        boxed(it, *b"mdia", |it| {
            boxed(it, *b"mdhd", |it| {
                longs(it, &[0, 0, 0, CLOCK, total_length]);
                it.extend([0x55, 0xc4, 0, 0]);
            });
            boxed(it, *b"hdlr", |it| {
                longs(it, &[0, 0]);
                it.extend(b"sbtl");
                it.extend([0; 13]);
            });
            boxed(it, *b"minf", |it| {
                boxed(it, *b"nmhd", |it| longs(it, &[0]));
                data_in_this_file(it);
                boxed(it, *b"stbl", |it| {
                    boxed(it, *b"stsd", |it| {
                        longs(it, &[0, 1]);
                        entry(it);
                    });
                    boxed(it, *b"stts", |it| {
                        longs(it, &[0, count]);
                        for (length, _) in texts {
                            longs(it, &[1, *length]);
                        }
                    });
                    boxed(it, *b"stsc", |it| longs(it, &[0, 1, 1, 1, 1]));
                    boxed(it, *b"stsz", |it| {
                        longs(it, &[0, 0, count]);
                        for (_, text) in texts {
                            longs(it, &[sample(text).len() as u32]);
                        }
                    });
                    boxed(it, *b"co64", |it| {
                        longs(it, &[0, count]);
                        for at in offsets {
                            it.extend(at.to_be_bytes());
                        }
                    });
                });
            });
        });
    });
}

/// Writes the style of the texts: white letters, centered at the lower edge.
fn entry(out: &mut Vec<u8>) {
    boxed(out, *b"tx3g", |it| {
        it.extend([0, 0, 0, 0, 0, 0, 0, 1]);
        longs(it, &[0]);
        // Horizontally centered, at the bottom; no background; the whole picture.
        it.extend([1, 0xff]);
        it.extend([0; 4]);
        it.extend([0; 8]);
        // From character 0 to 0, the first font, upright, 18 points, white.
        it.extend([0, 0, 0, 0, 0, 1, 0, 18, 0xff, 0xff, 0xff, 0xff]);
        boxed(it, *b"ftab", |it| {
            it.extend([0, 1, 0, 1, 10]);
            it.extend(b"Sans-Serif");
        });
    });
}

/// Writes the film's title, which players list.
pub(crate) fn title(out: &mut Vec<u8>, title: &str) {
    boxed(out, *b"udta", |it| {
        boxed(it, *b"meta", |it| {
            longs(it, &[0]);
            boxed(it, *b"hdlr", |it| {
                longs(it, &[0, 0]);
                it.extend(b"mdirappl");
                it.extend([0; 9]);
            });
            boxed(it, *b"ilst", |it| {
                boxed(it, *b"\xa9nam", |it| {
                    // not from SCHEMA: a box of MP4
                    boxed(it, *b"data", |it| {
                        longs(it, &[1, 0]);
                        it.extend_from_slice(title.as_bytes());
                    });
                });
            });
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CaptionPlace;

    #[test]
    fn texts_fill_the_film_from_end_to_end() {
        let caption = |from: f64, to: f64, text: &str| Caption {
            from,
            to,
            text: text.to_owned(),
            place: CaptionPlace::Below,
        };
        let all = [caption(1.0, 3.0, "one"), caption(2.0, 9.0, "two")];
        let turns = in_turn(&all, 4000);
        let turns: Vec<(u32, &str)> = turns.iter().map(|(length, text)| (*length, text.as_str())).collect();
        assert_eq!(turns, [(1000, ""), (1000, "one"), (1000, "one\ntwo"), (1000, "two")]);
    }

    #[test]
    fn a_sample_is_whole_letters_of_utf_8() {
        assert_eq!(sample("éł"), b"\0\x04\xc3\xa9\xc5\x82");
        assert_eq!(sample(&"é".repeat(40_000)).len(), 2 + 65_534);
    }
}
