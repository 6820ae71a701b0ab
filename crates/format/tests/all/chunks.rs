//! A file is read the same in pieces of any size and with any interruptions, and no block makes the reader
//! hold more memory than it should.

use crate::common::{Random, sample};
use moviola_format::{Block, Demo, Game, MAX_BLOCK, Piece, Stamp};
use moviola_scribe::samples;
use std::io::{self, ErrorKind, Read};

/// A piece that owns its bytes, and its offset.
#[derive(Clone, Debug, PartialEq)]
enum Owned {
    Header(Vec<u8>),
    Block(i32, [u32; 3], Stamp, Vec<u8>),
    End,
    EndOfMvd2,
    Raw(Vec<u8>),
}

impl From<Piece<'_>> for Owned {
    fn from(piece: Piece) -> Self {
        match piece {
            Piece::Header(bytes) => Self::Header(bytes.to_vec()),
            Piece::Block(Block { length, angles, stamp, data }) => {
                Self::Block(length, angles, stamp, data.to_vec())
            }
            Piece::End => Self::End,
            Piece::EndOfMvd2 => Self::EndOfMvd2,
            Piece::Raw(bytes) => Self::Raw(bytes.to_vec()),
        }
    }
}

fn pieces(source: impl Read) -> Vec<(u64, Owned)> {
    let mut demo = Demo::new(source).unwrap();
    let mut all = Vec::new();
    loop {
        match demo.next_piece() {
            Ok(Some(piece)) => {
                let piece = piece.into();
                all.push((demo.offset(), piece));
            }
            Ok(None) => return all,
            // The source is not ready: try again.
            Err(why) if why.kind() == ErrorKind::WouldBlock => {}
            Err(why) => panic!("{why}"),
        }
    }
}

/// A source that gives pieces of arbitrary size.
struct Slow<'a, F> {
    bytes: &'a [u8],
    /// Decides how many bytes come next; sometimes an error instead.
    next: F,
    /// The largest single request so far.
    largest_request: usize,
}

impl<'a, F: FnMut() -> Result<usize, ErrorKind>> Slow<'a, F> {
    fn new(bytes: &'a [u8], next: F) -> Self {
        Self { bytes, next, largest_request: 0 }
    }
}

impl<F: FnMut() -> Result<usize, ErrorKind>> Read for Slow<'_, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.largest_request = self.largest_request.max(buffer.len());
        let length = (self.next)()?.max(1).min(buffer.len()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(length);
        buffer[..length].copy_from_slice(now);
        self.bytes = later;
        Ok(length)
    }
}

fn files() -> Vec<(String, Vec<u8>)> {
    let mut all: Vec<_> = samples().into_iter().map(|it| (it.name.to_string(), it.bytes)).collect();
    for name in ["qs_15_lq_e0m9.dem", "yq_sp.dm2"] {
        all.push((name.to_string(), sample(name)));
    }
    let mut random = Random(3);
    all.push(("noise".into(), random.bytes(150_000)));
    all.push(("nothing".into(), Vec::new()));
    all
}

#[test]
fn byte_by_byte() {
    for (name, file) in files() {
        assert!(pieces(&file[..]) == pieces(Slow::new(&file, || Ok(1))), "{name}");
    }
}

#[test]
fn by_chance() {
    let mut random = Random(4);
    for (name, file) in files() {
        let whole = pieces(&file[..]);
        for most in [7, 100, 5000] {
            let slow = Slow::new(&file, || Ok(random.below(most)));
            assert!(whole == pieces(slow), "{name}, at most {most}");
        }
    }
}

#[test]
fn interrupted() {
    let mut random = Random(5);
    for (name, file) in files() {
        let slow = Slow::new(&file, || match random.below(3) {
            0 => Err(ErrorKind::Interrupted),
            _ => Ok(random.below(3000)),
        });
        assert!(pieces(&file[..]) == pieces(slow), "{name}");
    }
}

/// An error is passed on, and the bytes read before it are kept.
#[test]
fn errors_are_passed_on() {
    let file = sample("quake1.07_DM1.dem");
    let long = file.repeat(4);
    let (mut given, mut random) = (0, Random(6));
    let slow = Slow::new(&long, || {
        given += 1;
        // The first read of the file cannot be repeated.
        if given > 40 && random.below(4) == 0 { Err(ErrorKind::WouldBlock) } else { Ok(3000) }
    });
    assert!(pieces(&long[..]) == pieces(slow));

    let broken = Slow::new(&file, || Err(ErrorKind::BrokenPipe));
    assert_eq!(Demo::new(broken).err().map(|why| why.kind()), Some(ErrorKind::BrokenPipe));
}

fn block(game: Game, length: i32, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Piece::Block(Block { length, ..Block::new(data) }).write(game, &mut out).unwrap();
    out
}

/// A small recording with one block of `huge` bytes among small ones.
fn with_huge_block(game: Game, huge: usize) -> Vec<u8> {
    let (header, small): (&[u8], &[u8]) = match game {
        Game::Quake => (b"-1\n", b"\x08hello\0"),
        Game::QuakeWorld => (b"", b"\x01"),
        Game::Quake2 => (b"", b"\x0c\x22\0\0\0\x01\0\0\0\x01\0\0\0level\0"),
    };
    let small = block(game, small.len() as i32, small);
    let data = vec![1; huge];
    [header, &small.repeat(3), &block(game, huge as i32, &data), &small.repeat(2)].concat()
}

#[test]
fn a_block_that_claims_too_much_is_raw_and_the_next_is_read() {
    for game in [Game::Quake, Game::Quake2] {
        let head = if game == Game::Quake { 16 } else { 4 };
        for (huge, raw) in
            [(MAX_BLOCK, 0), (MAX_BLOCK + 1, MAX_BLOCK + 1 + head), (3_000_000, 3_000_000 + head)]
        {
            let file = with_huge_block(game, huge);
            let (mut blocks, mut raw_bytes, mut raw_pieces, mut order) = (0, 0, 0, String::new());
            for (_, piece) in pieces(&file[..]) {
                match piece {
                    Owned::Block(..) => {
                        blocks += 1;
                        order.push('b');
                    }
                    Owned::Raw(bytes) => {
                        assert!(bytes.len() <= 1 << 16);
                        raw_bytes += bytes.len();
                        raw_pieces += 1;
                        if !order.ends_with('r') {
                            order.push('r');
                        }
                    }
                    Owned::Header(_) | Owned::End | Owned::EndOfMvd2 => {}
                }
            }
            assert_eq!(raw_bytes, raw, "{game:?} {huge}");
            assert_eq!(raw_pieces, raw.div_ceil(1 << 16));
            assert_eq!((blocks, order.as_str()), if raw == 0 { (6, "bbbbbb") } else { (5, "bbbrbb") });
            crate::common::read(&file);
        }
    }
}

/// The reader does not request the length that a block states, unless the source has the bytes.
#[test]
fn memory_is_bounded() {
    let largest_request = |file: &[u8]| {
        let mut slow = Slow::new(file, || Ok(usize::MAX));
        pieces(&mut slow);
        slow.largest_request
    };
    for game in [Game::Quake, Game::Quake2] {
        let huge = with_huge_block(game, 4_000_000);
        assert!(largest_request(&huge) <= 1 << 18, "{}", largest_request(&huge));
        let large = with_huge_block(game, MAX_BLOCK);
        assert!(largest_request(&large) <= 2 * MAX_BLOCK, "{}", largest_request(&large));
    }
    // Many blocks that state a megabyte each, in a file of a few bytes.
    let mut liar = with_huge_block(Game::Quake, 10);
    liar.extend(block(Game::Quake, MAX_BLOCK as i32, b"\x01"));
    assert!(largest_request(&liar) <= 2 * MAX_BLOCK);
    assert_eq!(crate::common::read(&liar).truncated, 1);
}

/// After an impossible length nothing shows where the next block begins.
#[test]
fn a_negative_length_ends_a_quake2_recording() {
    let mut file = with_huge_block(Game::Quake2, 4);
    let blocks = crate::common::read(&file).blocks;
    file.extend((-2i32).to_le_bytes());
    file.extend(with_huge_block(Game::Quake2, 4));
    let read = crate::common::read(&file);
    assert_eq!((read.blocks, read.ends), (blocks, 0));
    assert_eq!(read.raw, 4 + with_huge_block(Game::Quake2, 4).len());
}
