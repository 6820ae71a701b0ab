//! Quake's first line in every variant that was seen or is possible (DEM 1.0.9, section 6.1): how it is
//! found, and how the three generations of engines read it.

use moviola_format::{Format, HeaderReader};
use moviola_scribe::{Game, samples};

/// The result of an engine: the track and the length of the line; `None` if it cannot play the file.
type Read = Option<(Option<i32>, usize)>;

/// A line, and its readings by the engines before 1.09, since 1.09, and by `QuakeSpasm`.
type Row = (&'static [u8], [Read; 3]);

const fn track(track: i32, length: usize) -> (Option<i32>, usize) {
    (Some(track), length)
}

/// The oldest engines do not check whether there was a number.
const fn none(length: usize) -> (Option<i32>, usize) {
    (None, length)
}

const LINES: &[Row] = &[
    // The line as every recorder writes it.
    (b"-1\n", [Some(track(-1, 3)); 3]),
    (b"2\n", [Some(track(2, 2)); 3]),
    (b"10\n", [Some(track(10, 3)); 3]),
    // Lines that people wrote: white space, signs, zeros, other bases.
    (b" 2\n", [Some(track(2, 3)), Some(track(-158, 3)), Some(track(2, 3))]),
    (b"2 \n", [Some(track(2, 3)), Some(track(4, 3)), None]),
    (b"2\r\n", [Some(track(2, 3)), Some(track(-15, 3)), None]),
    (b"+2\n", [Some(track(2, 3)), Some(track(-48, 3)), Some(track(2, 3))]),
    (b"02\n", [Some(track(2, 3)); 3]),
    (b"010\n", [Some(track(8, 4)), Some(track(10, 4)), Some(track(8, 4))]),
    (b"0x2\n", [Some(track(2, 4)), Some(track(722, 4)), Some(track(2, 4))]),
    // Since 1.09 a sign counts in any place; before, the number ends at it.
    (b"1-\n", [Some(track(1, 1)), Some(track(-1, 3)), None]),
    (b"--1\n", [Some(none(1)), Some(track(-1, 4)), None]),
    // LMPC's variant for old engines: no newline until some block has one.
    (b"-1 L\0\0\0", [Some(track(-1, 3)), None, None]),
    // The number does not end, or there is no number.
    (b"-1", [Some(track(-1, 2)), None, None]),
    (b"\n", [Some(none(1)), Some(track(0, 1)), None]),
    (b"", [Some(none(0)), None, None]),
    (b"track\n", [Some(none(0)), Some(track(751_469, 6)), None]),
];

/// A block of one byte, with camera angles that hold no white space.
const BLOCK: &[u8] = b"\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";

#[test]
fn three_generations_of_engines_read_the_header() {
    for (line, expected) in LINES {
        let file = [*line, BLOCK].concat();
        let read = HeaderReader::ALL.map(|reader| reader.read(&file).map(|it| (it.track, it.length)));
        assert_eq!(read, *expected, "{:?}", String::from_utf8_lossy(line));
    }
}

#[test]
fn white_space_in_the_first_length_is_taken_by_old_players() {
    // The block is 10 bytes long: its first byte looks like a newline to fscanf.
    let file = b"-1\n\x0a\0\0\0";
    let [old, new, spasm] = HeaderReader::ALL.map(|reader| reader.read(file).map(|it| it.length));
    assert_eq!((old, new, spasm), (Some(4), Some(3), Some(3)));
}

#[test]
fn a_number_that_is_too_large_wraps() {
    for reader in HeaderReader::ALL {
        let read = reader.read(b"99999999999\n").unwrap();
        assert_eq!((read.track, read.length), (Some(1_215_752_191), 12));
    }
}

/// The blocks after each of these lines are found, and the line is written back.
#[test]
fn blocks_are_found_after_every_line() {
    let demo = crate::common::sample("qs_15_lq_e0m9.dem");
    let blocks = &demo[3..];
    for (line, expected) in LINES.iter().filter(|(line, _)| !line.starts_with(b"-1 L")) {
        let read = crate::common::read(&[*line, blocks].concat());
        assert_eq!(read.format, Some(Format::Quake { header: line.len() }), "{expected:?} {line:x?}");
        assert_eq!((read.blocks, read.header.as_slice()), (584, *line));
        assert!(read.unread.is_empty() && read.raw == 0);
    }
}

#[test]
fn the_writers_headers_are_found() {
    let all: Vec<_> = samples().into_iter().filter(|it| it.name.starts_with("dem-header")).collect();
    assert!(all.len() >= 10);
    for sample in all {
        assert_eq!(sample.game, Game::Quake);
        assert_eq!(crate::common::read(&sample.bytes).header.len(), sample.header, "{}", sample.name);
    }
}
