//! The operations of a block writer: dropping, replacing, adding, and the unchanged bytes around them.

use moviola_edit::{BlockWriter, EditOutput, Error, Rewrite, rewrite};
use moviola_format::{Block, Demo, Entry, Game, Piece, Str, dem, dm2};

/// An edit that does with each message what the next letter says: k keeps it, d drops it, b puts a nop before it, a
/// puts one after it, r replaces it.
struct Letters(&'static [u8], usize);

impl Rewrite for Letters {
    fn quake(&mut self, _: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let nop = dem::Message::from(dem::Nop {});
        match self.0.get(self.1) {
            Some(b'd') => {}
            Some(b'b') => {
                writer.put(&nop);
                writer.keep();
            }
            Some(b'a') => {
                writer.keep();
                writer.put(&nop);
            }
            Some(b'r') => writer.put(&dem::Message::from(dem::Print { string: Str::new(b"R\0") })),
            _ => writer.keep(),
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
    let second = |letters: &'static [u8]| edited(&[b"\x01", block], letters);
    let with = |block: &[u8]| file(&[b"\x01", block]);
    assert_eq!(second(b"kkdk"), with(b"\x08a\0\x08c\0"));
    assert_eq!(second(b"kdkk"), with(b"\x08b\0\x08c\0"));
    assert_eq!(second(b"kkkd"), with(b"\x08a\0\x08b\0"));
    assert_eq!(second(b"kkbk"), with(b"\x08a\0\x01\x08b\0\x08c\0"));
    assert_eq!(second(b"kkka"), with(b"\x08a\0\x08b\0\x08c\0\x01"));
    assert_eq!(second(b"krkd"), with(b"\x08R\0\x08b\0"));
}

#[test]
fn a_block_without_messages_goes_away() {
    assert_eq!(edited(&[b"\x01", b"\x08a\0\x01", b"\x01"], b"kddk"), file(&[b"\x01", b"\x01"]));
    // A block that never had messages is kept, unless an edit drops it on purpose.
    assert_eq!(edited(&[b"", b"\x01"], b"k"), file(&[b"", b"\x01"]));
}

#[test]
fn a_string_without_end_is_ended_before_more_is_written() {
    assert_eq!(edited(&[b"\x01\x08open"], b"ka"), file(&[b"\x01\x08open\0\x01"]));
    assert_eq!(edited(&[b"\x01\x08open\0"], b"ka"), file(&[b"\x01\x08open\0\x01"]));
    assert_eq!(edited(&[b"\x01\x08open"], b"bk"), file(&[b"\x01\x01\x08open"]));
}

#[test]
fn unread_bytes_stay() {
    assert_eq!(edited(&[b"\x08a\0\x3c?"], b"d"), file(&[b"\x3c?"]));
    assert_eq!(edited(&[b"\x08a\0\x3c?"], b"a"), file(&[b"\x08a\0\x01\x3c?"]));
}

/// Doubles every block and turns the view of the copy.
struct Double;

impl Rewrite for Double {
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        writer.write(out)?;
        out.block([9; 3], writer.written())
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

/// Drops the first block.
struct Behead;

impl Rewrite for Behead {
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if writer.place().block == 0 { Ok(()) } else { writer.write(out) }
    }
}

/// Engines before 1.09 read white space after the first line as a part of it, also if it is the first byte of a block's
/// size.
#[test]
fn the_first_players_find_a_first_block_that_was_written() {
    let of = |size: usize| [&b"\x08"[..], &vec![b'x'; size - 2], b"\0"].concat();
    for size in 3..300 {
        let is_white = matches!(size & 0xFF, 9..=13 | 32);
        let with_padding = |nops: usize, end: &[u8]| file(&[&[&vec![1; nops], &of(size)[..], end].concat()]);
        // A block that an edit keeps stays as it is.
        assert_eq!(edited(&[&of(size)], b"k"), with_padding(0, b""));
        let nops = if is_white {
            (1..=8).find(|more| !matches!((size + more) & 0xFF, 9..=13 | 32)).unwrap()
        } else {
            0
        };
        // The first block was changed in one recording; in the other, an unchanged block has become the first.
        let changed = edited(&[&[&of(size)[..], b"\x01"].concat()], b"kd");
        assert_eq!(changed, with_padding(nops, b""), "{size}");
        let mut second = Vec::new();
        rewrite(&file(&[&of(299), &of(size)])[..], &mut Behead, &mut second).unwrap();
        assert_eq!(second, with_padding(nops, b""), "{size}");
    }
    // The later blocks are unchanged, and so is a recording whose line such engines misread anyway.
    assert_eq!(edited(&[b"\x01", &[&of(13)[..], b"\x01"].concat()], b"kkd"), file(&[b"\x01", &of(13)]));
    let odd = |file: Vec<u8>| [b"1-", &file[2..]].concat();
    let mut copy = Vec::new();
    rewrite(&odd(file(&[&[&of(13)[..], b"\x01"].concat()]))[..], &mut Letters(b"kd", 0), &mut copy).unwrap();
    assert_eq!(copy, odd(file(&[&of(13)])));
    // Without a CD track line, engines read the size of the first block as that line.
    let (mut copy, bare) = (Vec::new(), |block: &[u8]| file(&[block])[3..].to_vec());
    rewrite(&bare(&[&of(13)[..], b"\x01"].concat())[..], &mut Letters(b"kd", 0), &mut copy).unwrap();
    assert_eq!(copy, bare(&[&b"\x01"[..], &of(13)].concat()));
}

/// Puts a long text before every message.
struct Talkative;

impl Rewrite for Talkative {
    fn quake2(&mut self, _: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let string = [&[b'x'; 900][..], b"\0"].concat();
        writer.put(&dm2::Message::from(dm2::CenterPrint { string: Str::new(&string) }));
        writer.keep();
    }
}

#[test]
fn blocks_of_quake2_that_get_too_long_become_several() {
    let (length, block) = (3_i32.to_le_bytes(), b"\x06\x06\x06");
    let recording = [&length[..], block, &[0xff; 4]].concat();
    let mut edited = Vec::new();
    let summary = rewrite(&recording[..], &mut Talkative, &mut edited).unwrap();
    assert_eq!((summary.changed, summary.added), (1, 2));
    let (mut demo, mut all) = (Demo::new(&edited[..]).unwrap(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            assert!(block.data.len() <= 1392, "{}", block.data.len());
            all.extend_from_slice(block.data);
        }
    }
    assert_eq!(all.len(), 3 * 902 + 3);
    assert_eq!(all.split(|byte| *byte == 6).count(), 4);
}
