//! If a conversion changes a recording, the check names the changed field; if reading stops, it gives the reason.

use moviola_check::{CheckCode, check, check_with};
use moviola_format::{Context, Game, Piece};

const FILE: &[u8] =
    b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x12\x02\x20\x05\x06\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x02";

/// The report with a conversion that changes one byte of the first block.
fn changed(at: usize) -> moviola_check::CheckReport {
    let mut first = true;
    let mut through = |game: Game, piece: &Piece<'_>, _: &Context, out: &mut Vec<u8>| {
        let start = out.len();
        piece.write(game, out).unwrap();
        if matches!(piece, Piece::Block(_)) && std::mem::take(&mut first) {
            out[start + at] ^= 0xFF;
        }
    };
    check_with(FILE, Some(&mut through)).unwrap()
}

#[test]
fn the_field_is_named() {
    // Behind the head: nop, killed... the bytes of updatecolors would lack one, so the block is read as it stands.
    let report = changed(16 + 1);
    let difference = report.difference.unwrap();
    assert!(!report.exact && difference.through);
    assert_eq!(difference.place.offset, 3 + 16 + 1);
    assert_eq!(difference.place.block, Some(0));
    assert_eq!(difference.read.bytes[difference.read.caret], 0x12);
    assert_eq!(difference.written.bytes[difference.written.caret], 0x12 ^ 0xFF);
}

#[test]
fn the_head_is_not_a_message() {
    let difference = changed(5).difference.unwrap();
    assert_eq!((difference.message, difference.place.offset), (None, 3 + 5));
}

#[test]
fn messages_and_fields() {
    let file = b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x20\x05\x06\x01\x19\x01";
    let name = |at: usize| {
        let mut through = |game: Game, piece: &Piece<'_>, _: &Context, out: &mut Vec<u8>| {
            piece.write(game, out).unwrap();
            if let Piece::Block(_) = piece {
                out[16 + at] ^= 1;
            }
        };
        let difference = check_with(&file[..], Some(&mut through)).unwrap().difference.unwrap();
        (difference.message, difference.field, difference.place.at)
    };
    assert_eq!(name(0), (Some("cdtrack"), None, Some(0)));
    assert_eq!(name(1), (Some("cdtrack"), Some("fromtrack"), Some(1)));
    assert_eq!(name(2), (Some("cdtrack"), Some("totrack"), Some(2)));
    assert_eq!(name(3), (Some("nop"), None, Some(3)));
    assert_eq!(name(5), (Some("signonnum"), Some("signon"), Some(5)));
}

#[test]
fn remainders_say_why_and_where() {
    let file =
        b"-1\n\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x17\x63\x01\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x20\x05";
    let report = check(&file[..]).unwrap();
    let [kind, short] = &report.raw[..] else { panic!("{:?}", report.raw) };
    assert_eq!(
        (kind.code, kind.message, kind.field),
        (CheckCode::UnknownTempEntity, Some("temp_entity"), Some("entitytype"))
    );
    assert_eq!((kind.message_at, kind.bytes, kind.place.block), (1, 3, Some(0)));
    assert_eq!(
        (short.code, short.message, short.field),
        (CheckCode::ShortMessage, Some("cdtrack"), Some("totrack"))
    );
    assert_eq!((report.summary.raw.count, report.summary.raw.bytes), (2, 5));
}

/// A reader that repeats a recording, in reads of varying size.
struct Again<'f> {
    file: &'f [u8],
    left: usize,
    at: usize,
}

impl std::io::Read for Again<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(self.left).min(self.file.len() - self.at).min(777);
        out[..len].copy_from_slice(&self.file[self.at..self.at + len]);
        self.at = (self.at + len) % self.file.len();
        self.left -= len;
        Ok(len)
    }
}

#[test]
fn long_files_make_short_reports() {
    let sample = moviola_scribe::samples().into_iter().find(|sample| sample.name == "dem-15-levels").unwrap();
    // The same blocks again and again make thousands of levels, each with an end.
    let blocks = &sample.bytes[sample.header..];
    let report = check(Again { file: blocks, left: blocks.len() * 2000, at: 0 }).unwrap();
    assert!(report.exact);
    assert_eq!(report.summary.level_count, 4000);
    assert!(report.summary.levels.len() <= 256 && report.findings.len() < 10);
    assert!(serde_json::to_string(&report).unwrap().len() < 200_000);
}
