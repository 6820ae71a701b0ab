//! Text for LMPC: the parts that LMPC cannot express, and no others, are left out and listed; the rest
//! compiles to the same bytes.

use crate::common::{real_recordings, same, scribe_samples, try_compile};
use moviola_format::*;
use moviola_text::*;

const LMPC: CompileOptions = CompileOptions { lmpc: true, limit: 20 };

/// The text for LMPC, the numbers of the blocks left out (`None` for other pieces), and the number of
/// messages printed as bytes.
fn for_lmpc(recording: &[u8]) -> (Vec<u8>, Vec<Option<u64>>, u64) {
    let mut text = Vec::new();
    let options = DecompileOptions { lmpc: true, ..DecompileOptions::default() };
    let summary = decompile(recording, &mut text, &options).unwrap();
    let blocks = |omission: Omission| -> Vec<Option<u64>> {
        let numbers = omission.ranges.iter().flat_map(|(first, last)| *first..=*last);
        let all: Vec<_> = numbers.map(Some).collect();
        assert_eq!(all.len() as u64, omission.blocks, "not all ranges were kept");
        if all.is_empty() { vec![None] } else { all }
    };
    (text, summary.omissions.into_iter().flat_map(blocks).collect(), summary.in_bytes)
}

/// Whether LMPC can express a block with this message.
fn is_expressible<D: Dialect>(message: impl Into<D::Message<'static>>, context: &Context) -> bool {
    let mut block = Vec::new();
    write_message(&message.into(), &mut block, context);
    is_expressible_block::<D>(&block)
}

fn is_expressible_block<D: Dialect>(block: &[u8]) -> bool {
    let head = if D::GAME == Game::Quake { &b"-1\n"[..] } else { &[] };
    let camera: &[u8] = if D::GAME == Game::Quake { &[0; 12] } else { &[] };
    let file = [head, &(block.len() as u32).to_le_bytes(), camera, block].concat();
    let (text, unsaid, in_bytes) = for_lmpc(&file);
    if unsaid.is_empty() {
        let again = try_compile(&text, &LMPC).unwrap_or_else(|it| panic!("{}", crate::common::shown(&it)));
        same(&String::from_utf8_lossy(&text), &again, &file);
    }
    unsaid.is_empty() && in_bytes == 0
}

#[test]
fn messages_of_quake() {
    let context = Context::quake();
    let expressible = |message: dem::Message<'static>| is_expressible::<Quake>(message, &context);
    for kind in 0..=17 {
        let flags = TempKind::new(kind).unwrap();
        assert_eq!(
            expressible(dem::TempEntity { flags, ..Default::default() }.into()),
            kind < 14,
            "kind {kind}"
        );
    }
    let client = dem::ClientData { flags: ClientBits(0x0200), ..Default::default() };
    assert!(expressible(client.into()));
    assert!(
        !expressible(dem::ClientData { flags: ClientBits(0), ..client }.into()),
        "the items bit is clear"
    );
    assert!(!expressible(dem::ClientData { flags: ClientBits(0x0300), ..client }.into()), "bit 8");
    for bits in [0, 2, 0x20, 0x0101] {
        assert!(
            expressible(dem::UpdateEntity { flags: UpdateBits(bits), ..Default::default() }.into()),
            "{bits:#x}"
        );
    }
    assert!(
        !expressible(dem::UpdateEntity { flags: UpdateBits(1), ..Default::default() }.into()),
        "a needless byte"
    );
    assert!(
        !expressible(dem::UpdateEntity { flags: UpdateBits(0x4001), ..Default::default() }.into()),
        "a needless short"
    );
    let long =
        dem::UpdateEntity { flags: UpdateBits(0x4001), entity: ByteOrShort(300), ..Default::default() };
    assert!(expressible(long.into()));
    assert!(expressible(
        dem::Sound { flags: QuakeSoundBits::exactly(3, &context), ..Default::default() }.into()
    ));
    assert!(
        !expressible(dem::Sound { flags: QuakeSoundBits::exactly(4, &context), ..Default::default() }.into()),
        "a bit that means nothing"
    );
    assert!(!expressible(dem::Time { time: Seconds(0x7FC0_0000).into() }.into()), "not a number");
    assert!(expressible(dem::Time { time: Seconds(0x8000_0000).into() }.into()), "minus zero");
    assert!(expressible(dem::Time { time: Seconds(1).into() }.into()), "the smallest");
    assert!(!is_expressible_block::<Quake>(b"\x0b\x0f\0\0\0\x01\0t\0\0\0"), "empty lists");
    assert!(!is_expressible_block::<Quake>(b"\x0b\x0f\0\0\0\x01\0t\0m\0\0\0"), "an empty list of sounds");
    assert!(is_expressible_block::<Quake>(b"\x0b\x0f\0\0\0\x01\0t\0m\0\0s\0\0"));
    assert!(!is_expressible_block::<Quake>(b"\x08no end"), "no end");
    assert!(!is_expressible_block::<Quake>(b"\x3c"), "a byte that is not a message");
    assert!(is_expressible_block::<Quake>(b"\x3c\x01"), "bytes that are not a message");
    assert!(!is_expressible_block::<Quake>(b""), "only a camera");
    for length in [2047, 2048] {
        let block = [b"\x08", &vec![b'x'; length][..], b"\0"].concat();
        assert_eq!(is_expressible_block::<Quake>(&block), length == 2047);
    }
}

/// A protocol that LMPC does not know: messages that have the same form in protocol 15 are printed in words. Of the
/// others, LMPC can express those of at least two bytes, as bytes.
#[test]
fn protocols_of_quake() {
    let file = |protocol: i32, flags: Option<u32>, block: &[u8]| {
        let mut info = [b"\x0b", &protocol.to_le_bytes()[..]].concat();
        info.extend(flags.into_iter().flat_map(u32::to_le_bytes));
        info.extend_from_slice(b"\x01\0t\0m\0\0s\0\0");
        let blocks =
            [&info[..], block].map(|it| [&(it.len() as u32).to_le_bytes(), &[0; 12][..], it].concat());
        let (_, unsaid, in_bytes) = for_lmpc(&[b"-1\n", &blocks.concat()[..]].concat());
        (unsaid, in_bytes)
    };
    assert_eq!(file(666, None, b"\x01"), (vec![], 0));
    assert_eq!(file(666, None, b"\x80\x05"), (vec![], 0), "an update of no fields");
    assert_eq!(file(666, None, b"\x81\x80\x01\x05\x40"), (vec![], 1), "alpha");
    assert_eq!(file(666, None, b"\x28"), (vec![Some(1)], 0), "bf");
    assert_eq!(file(999, Some(0), b"\x01"), (vec![], 1), "its flags");
    assert_eq!(file(999, Some(0x80), &[&[19, 0, 0][..], &[0; 12]].concat()), (vec![], 2), "wide coordinates");
    assert_eq!(file(999, Some(4), &[&[10][..], &[0; 12]].concat()), (vec![], 2), "wide angles");
    assert_eq!(file(10000, None, b"\x81\x04\x05\x01\0"), (vec![], 1), "a wide model");
    assert_eq!(file(10000, None, b"\x80\x05"), (vec![], 0));
}

/// LMPC's texts of Quake II end with their end mark.
#[test]
fn bytes_after_an_end_mark_are_not_for_lmpc() {
    let (block, empty, end) = (&b"\x01\0\0\0\x06"[..], &[0; 4][..], &[0xFF; 4][..]);
    let file = [block, empty, end].concat();
    let (text, unsaid, _) = for_lmpc(&file);
    assert_eq!(try_compile(&text, &LMPC).unwrap(), file);
    assert_eq!(unsaid, []);
    let (text, unsaid, _) = for_lmpc(&[&file, block, empty, block, end].concat());
    assert_eq!(try_compile(&text, &LMPC).unwrap(), file);
    // The text leaves out the blocks from the third on, and the second end mark.
    assert_eq!(unsaid, [Some(2), None]);
}

#[test]
fn messages_of_quake2() {
    let context = Context::quake2();
    let expressible = |message: dm2::Message<'static>| is_expressible::<Quake2>(message, &context);
    for kind in 0..=55 {
        let Some(flags) = TempKind2::new(kind, 3, 34) else { panic!("{kind}") };
        let refused = [31, 37].contains(&kind);
        assert_eq!(
            expressible(dm2::TempEntity { flags, ..Default::default() }.into()),
            !refused,
            "kind {kind}"
        );
    }
    for direction in [0, 161, 162, 255] {
        let flags = TempKind2::new(0, 0, 34).unwrap();
        let message = dm2::TempEntity { flags, movedir: Direction(direction), ..Default::default() };
        assert_eq!(expressible(message.into()), direction < 162, "direction {direction}");
    }
    for packed in [0u16, 0x3FFF, 0x4000, 0xFFFF] {
        let flags = SoundBits(0x08);
        let message = dm2::Sound { flags, source: SoundSource(packed), ..Default::default() };
        assert_eq!(expressible(message.into()), packed < 0x4000, "{packed:#x}");
    }
    for delay in 0..=255 {
        let flags = SoundBits(0x10);
        assert!(
            expressible(dm2::Sound { flags, timeofs: Thousandths(delay), ..Default::default() }.into()),
            "{delay}"
        );
    }
    assert!(
        expressible(dm2::Sound { flags: SoundBits(0xE0), ..Default::default() }.into()),
        "bits that mean nothing"
    );
    assert!(!expressible(dm2::PlayerInfo { flags: Bits16(0x8000), ..Default::default() }.into()), "bit 15");
    let baseline = |word: u32, bytes: &[u8]| {
        let length = 1 + (1..4).take_while(|n| word >> (8 * n - 1) & 1 != 0).count();
        is_expressible_block::<Quake2>(&[&[14], &word.to_le_bytes()[..length], &[9], bytes].concat())
    };
    assert!(baseline(0, &[]));
    assert!(!baseline(0x80, &[]), "a needless byte of flags");
    assert!(baseline(0x4080, &[200]), "effects of a byte");
    assert!(baseline(0x08_8080, &[0xFF, 0x7F]), "effects of 16 bits");
    assert!(!baseline(0x08_8080, &[0xFF, 0xFF]), "effects of 16 bits with their sign");
    assert!(baseline(0x08_C080, &[0, 0, 1, 0]), "effects of 32 bits");
    assert!(!baseline(0x08_C080, &[0, 0, 0, 0x80]), "effects of 32 bits with their sign");
    assert!(!baseline(0x04_9080, &[0, 0, 0, 0x80]), "render effects with their sign");
    assert!(baseline(0x0281_8080 | 1 << 16, &[0, 0, 0, 0x80]), "a skin with its sign");
    assert!(baseline(0x10, &[255]), "a frame of a byte");
    assert!(baseline(0x02_8080, &[0, 1]), "a frame of 16 bits");
    assert!(!baseline(0x02_8080, &[9, 0]), "a frame of needless 16 bits");
    assert!(!baseline(0x02_8080, &[0xFE, 0xFF]), "a frame below zero");
    assert!(!baseline(0x02_8090, &[1, 9, 0]), "both frames");
    assert!(baseline(0xF080_A080, &[]), "bits that mean nothing");
    assert!(is_expressible_block::<Quake2>(b"\x12\0\0"));
    assert!(!is_expressible_block::<Quake2>(b"\x12\x80\0\0"), "an end with a needless byte");
    // On its own this would not be recognized as a recording, since no server sends such a block.
    assert!(is_expressible_block::<Quake2>(b"\x06\x06\x06\x06\x13\x01"));
    assert!(!is_expressible_block::<Quake2>(b"\x06\x06\x06\x06\x13"), "no data");
    assert!(is_expressible_block::<Quake2>(b"\x86\x01"), "unicast");
    let frame = |areas: &[u8]| {
        is_expressible_block::<Quake2>(&[b"\x14\x01\0\0\0\0\0\0\0\0", areas, b"\x11\0\0\0\0\0\0"].concat())
    };
    assert!(frame(&[1, 7]));
    assert!(!frame(&[0]), "an empty list of areas");
}

/// The printed text compiles with LMPC to the recording without the listed blocks.
#[test]
fn whole_recordings() {
    let small = real_recordings().into_iter().filter(|(_, it)| it.len() < 300_000);
    for (name, recording) in scribe_samples().into_iter().chain(small) {
        let mut demo = Demo::new(&recording[..]).unwrap();
        let Some(game) = demo.game() else { continue };
        let (text, unsaid, _) = for_lmpc(&recording);
        let (mut expected, mut number, mut ended) = (Vec::new(), 0, false);
        while let Some(piece) = demo.next_piece().unwrap() {
            let left_out = match piece {
                Piece::Block(_) => {
                    number += 1;
                    unsaid.contains(&Some(number - 1))
                }
                Piece::Raw(_) => true,
                Piece::Header(bytes) if bytes.len() > 9 || bytes.contains(&0) => {
                    // The header that LMPC does not accept is listed, and the text has the usual header instead.
                    assert!(unsaid.contains(&None), "{name}");
                    expected.extend_from_slice(b"-1\n");
                    true
                }
                Piece::Header(_) => false,
                Piece::End | Piece::EndOfMvd2 => std::mem::replace(&mut ended, true),
            };
            if !left_out {
                piece.write(game, &mut expected).unwrap();
            }
        }
        let found =
            try_compile(&text, &LMPC).unwrap_or_else(|it| panic!("{name}: {}", crate::common::shown(&it)));
        same(&name, &found, &expected);
    }
}
