//! What a pen writes: dropping, replacing, adding, and what must not happen to the bytes around.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

use moviola_edit::{Error, Out, Pen, Rewrite, rewrite};
use moviola_format::{Block, Entry, Game, Piece, Str, dem};

/// Does with each message what a letter says: k keeps, d drops, b puts a nop before, a puts one after, r replaces.
struct Letters(&'static [u8], usize);

impl Rewrite for Letters {
    fn quake(&mut self, _: &Entry<dem::Message<'_>>, pen: &mut Pen<'_>) {
        let nop = dem::Message::from(dem::Nop {});
        match self.0.get(self.1) {
            Some(b'd') => {}
            Some(b'b') => {
                pen.put(&nop);
                pen.keep();
            }
            Some(b'a') => {
                pen.keep();
                pen.put(&nop);
            }
            Some(b'r') => pen.put(&dem::Message::from(dem::Print { string: Str::new(b"R\0") })),
            _ => pen.keep(),
        }
        self.1 += 1;
    }
}

fn file(blocks: &[&[u8]]) -> Vec<u8> {
    let mut file = b"-1\n".to_vec();
    for block in blocks {
        Piece::Block(Block { angles: [1, 2, 3], ..Block::new(block) }).write(Game::Quake, &mut file).unwrap();
    }
    file
}

fn edited(blocks: &[&[u8]], letters: &'static [u8]) -> Vec<u8> {
    let mut copy = Vec::new();
    rewrite(&file(blocks)[..], &mut Letters(letters, 0), &mut copy).unwrap();
    copy
}

#[test]
fn messages_are_dropped_replaced_and_added() {
    let block: &[u8] = b"\x08a\0\x08b\0\x08c\0";
    assert_eq!(edited(&[block], b"kdk"), file(&[b"\x08a\0\x08c\0"]));
    assert_eq!(edited(&[block], b"dkk"), file(&[b"\x08b\0\x08c\0"]));
    assert_eq!(edited(&[block], b"kkd"), file(&[b"\x08a\0\x08b\0"]));
    assert_eq!(edited(&[block], b"kbk"), file(&[b"\x08a\0\x01\x08b\0\x08c\0"]));
    assert_eq!(edited(&[block], b"kka"), file(&[b"\x08a\0\x08b\0\x08c\0\x01"]));
    assert_eq!(edited(&[block], b"rkd"), file(&[b"\x08R\0\x08b\0"]));
}

#[test]
fn a_block_without_messages_goes_away() {
    assert_eq!(edited(&[b"\x01", b"\x08a\0\x01", b"\x01"], b"kddk"), file(&[b"\x01", b"\x01"]));
    // One that had none stays: dropping it is for those who want it.
    assert_eq!(edited(&[b"", b"\x01"], b"k"), file(&[b"", b"\x01"]));
}

#[test]
fn a_string_without_end_is_ended_before_more_is_written() {
    assert_eq!(edited(&[b"\x01\x08open"], b"ka"), file(&[b"\x01\x08open\0\x01"]));
    assert_eq!(edited(&[b"\x01\x08open\0"], b"ka"), file(&[b"\x01\x08open\0\x01"]));
    assert_eq!(edited(&[b"\x01\x08open"], b"bk"), file(&[b"\x01\x01\x08open"]));
}

#[test]
fn what_could_not_be_read_stays() {
    assert_eq!(edited(&[b"\x08a\0\x3c?"], b"d"), file(&[b"\x3c?"]));
    assert_eq!(edited(&[b"\x08a\0\x3c?"], b"a"), file(&[b"\x08a\0\x01\x3c?"]));
}

/// Doubles every block and turns the view of the copy.
struct Double;

impl Rewrite for Double {
    fn block_end(&mut self, pen: &mut Pen<'_>, out: &mut Out<'_>) -> Result<(), Error> {
        pen.write(out)?;
        out.block([9; 3], pen.written())
    }
}

#[test]
fn blocks_can_be_added() {
    let mut copy = Vec::new();
    let summary = rewrite(&file(&[b"\x01\x01"])[..], &mut Double, &mut copy).unwrap();
    assert_eq!(copy.len(), 3 + 2 * 18);
    assert_eq!((summary.same, summary.added, summary.written()), (1, 1, 2));
    assert_eq!(summary.bytes_out, copy.len() as u64);
}
