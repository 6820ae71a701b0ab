//! Recognition of a file by its first bytes: recordings, other known formats, and unknown files.

use crate::common::{Random, corpus, files, sample};
use moviola_format::{Context, Demo, Foreign, Format, Messages, Piece, Quake, Quake2, sniff};
use moviola_scribe::{Game, samples};
use std::fs;

/// The first bytes of files of formats other than Quake's and Quake II's, as their programs write them.
fn foreigners() -> Vec<(&'static str, Vec<u8>, Format)> {
    let serverdata = |protocol: i32| [&[11u8][..], &protocol.to_le_bytes(), b"\x01\0\0\0qw\0"].concat();
    let sequence = [4u8, 0, 0, 0, 4, 0, 0, 0];
    let packet = |protocol| [&sequence[..], &serverdata(protocol)].concat();
    let qwd = |time: f32, payload: &[u8]| {
        [&time.to_le_bytes()[..], &[1], &(payload.len() as i32).to_le_bytes(), payload].concat()
    };
    let numbered = |time: f32, rest: &[u8]| [&time.to_le_bytes()[..], &[2], &sequence, rest].concat();
    let connectionless = b"\xff\xff\xff\xffj";
    let mvd = |kind: u8, payload: &[u8]| {
        let to: &[u8] = if kind & 7 == 3 { &[0xFF; 4] } else { &[] };
        [&[0, kind], to, &(payload.len() as i32).to_le_bytes(), payload].concat()
    };
    let fte = serverdata(i32::from_le_bytes(*b"FTEX"));
    vec![
        ("qwd 28", qwd(0.25, &packet(28)), Format::Qwd),
        ("qwd 25", qwd(12.5, &packet(25)), Format::Qwd),
        ("qwd with extensions", qwd(1.0, &[&sequence[..], &fte].concat()), Format::Qwd),
        ("qwd, connectionless", qwd(0.0, connectionless), Format::Qwd),
        ("qwd, its numbers first", numbered(0.5, &qwd(0.75, &packet(28))), Format::Qwd),
        ("qwd, its numbers and no time", numbered(0.5, &[0; 9]), Format::Qwd),
        ("mvd 28", mvd(6, &serverdata(28)), Format::Mvd),
        ("mvd to all", mvd(1, &serverdata(28)), Format::Mvd),
        ("mvd to some", mvd(3, &serverdata(28)), Format::Mvd),
        ("mvd with extensions", mvd(6, &fte), Format::Mvd),
        ("mvd2", b"MVD2\x10\0\x04\x25\0\0\0\xda\x07".to_vec(), Format::Mvd2),
        (
            "lmp of DOOM 1.9",
            b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x19\0\0\0\x19\0\0\0".to_vec(),
            Format::Foreign(Foreign::Lmp),
        ),
        (
            "lmp before 1.4",
            b"\x03\x01\x01\x01\0\0\0\x19\0\0\0\x19\0\0\0\x19\0\0\0".to_vec(),
            Format::Foreign(Foreign::Lmp),
        ),
        ("hldemo", b"HLDEMO\0\0\x05\0\0\0\x30\0\0\0".to_vec(), Format::Foreign(Foreign::HalfLife)),
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec(), Format::Foreign(Foreign::Gzip)),
        ("zip", b"PK\x03\x04\x14\0\0\0\x08\0".to_vec(), Format::Foreign(Foreign::Zip)),
        (
            "empty zip",
            b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0".to_vec(),
            Format::Foreign(Foreign::Zip),
        ),
        ("dzip", b"DZ\x02\x09\x40\0\0\0\x01\0\0\0".to_vec(), Format::Foreign(Foreign::Dzip)),
        ("pak", b"PACK\x0c\0\0\0\x40\0\0\0".to_vec(), Format::Foreign(Foreign::Pak)),
        ("xz", b"\xfd7zXZ\0\0\x04".to_vec(), Format::Foreign(Foreign::Xz)),
        ("bzip2", b"BZh91AY&SY".to_vec(), Format::Foreign(Foreign::Bzip2)),
        ("zstd", b"\x28\xb5\x2f\xfd\x24\0".to_vec(), Format::Foreign(Foreign::Zstd)),
        ("7z", b"7z\xbc\xaf\x27\x1c\0\x04".to_vec(), Format::Foreign(Foreign::SevenZip)),
        ("rar", b"Rar!\x1a\x07\x01\0".to_vec(), Format::Foreign(Foreign::Rar)),
        ("rar 4", b"Rar!\x1a\x07\0\xcf".to_vec(), Format::Foreign(Foreign::Rar)),
        ("compress", b"\x1f\x9d\x90\x2d\x62\x14".to_vec(), Format::Foreign(Foreign::Compress)),
        (
            "lzma",
            b"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0\x16".to_vec(),
            Format::Foreign(Foreign::Lzma),
        ),
        (
            "lzma, size known",
            b"\x5d\0\0\0\x04\x10\x27\0\0\0\0\0\0\0\x16".to_vec(),
            Format::Foreign(Foreign::Lzma),
        ),
    ]
}

/// Quake III's recordings: a number, a length and packed bytes, without a magic. Many bytes of the first
/// blocks are zeros.
#[test]
fn zeros_after_lengths_are_not_a_recording() {
    let message = |number: i32, bytes: &[u8]| {
        [&number.to_le_bytes()[..], &(bytes.len() as i32).to_le_bytes(), bytes].concat()
    };
    for length in [4usize, 64, 1000] {
        for noise in [0usize, 1, 3] {
            let mut bytes = vec![0; length];
            bytes[..noise].copy_from_slice(&[0x06, 0x06, 0x02][..noise]);
            let file: Vec<u8> = (0..6).flat_map(|number| message(number, &bytes)).collect();
            assert_eq!(
                sniff(&file, true),
                Format::Unknown,
                "{length} bytes, {noise} of them other than zeros"
            );
        }
    }
    assert_eq!(sniff(&[0; 1000], true), Format::Unknown);
}

#[test]
fn foreigners_are_named() {
    for (what, bytes, format) in foreigners() {
        for complete in [true, false] {
            assert_eq!(sniff(&bytes, complete), format, "{what}");
        }
        if format.game().is_some() {
            continue;
        }
        // The file is kept unchanged, in raw pieces.
        let long = [bytes, vec![7; 200_000]].concat();
        let read = crate::common::read(&long);
        assert_eq!((read.raw, read.blocks), (long.len(), 0), "{what}");
    }
}

/// Between levels a client of Quake II records blocks without messages; a file that was cut there begins with
/// them.
#[test]
fn empty_blocks_are_passed_over() {
    for name in ["dm2-34-client", "dm2-34-server", "dm2-server-no-serverdata"] {
        let sample = samples().into_iter().find(|sample| sample.name == name).unwrap();
        for count in [1, 4, 10, 40] {
            let file = [&[0; 4].repeat(count)[..], &sample.bytes].concat();
            assert_eq!(sniff(&file, true), Format::Quake2, "{name}, {count}");
        }
    }
}

/// An unreadable block among the first does not change the recognition.
#[test]
fn damaged_blocks_leave_a_recording() {
    let mut tried = 0;
    for sample in samples() {
        let head = if sample.game == Game::Quake { 16 } else { 4 };
        let format = sniff(&sample.bytes, true);
        let (mut at, mut blocks) = (sample.header, Vec::new());
        while let Some(length) = sample.bytes.get(at..at + 4) {
            let length = i32::from_le_bytes(length.try_into().unwrap());
            if length <= 0 || at + head + length as usize > sample.bytes.len() {
                break;
            }
            blocks.push(at + head..at + head + length as usize);
            at += head + length as usize;
        }
        // Of a protocol that is not read, only the announcement of the level can be recognized.
        if blocks.len() < 12 || sample.raw_blocks > 0 {
            continue;
        }
        for block in &blocks[..4] {
            let mut random = Random(9);
            let noise = random.bytes(block.len());
            for damage in [&[0x7F][..], &vec![0; block.len()], &noise] {
                let mut bytes = sample.bytes.clone();
                bytes[block.start..block.start + damage.len()].copy_from_slice(damage);
                for complete in [true, false] {
                    assert_eq!(sniff(&bytes, complete), format, "{}, {block:?}", sample.name);
                }
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "only {tried} were tried");
}

#[test]
fn an_empty_file_is_empty() {
    let mut demo = Demo::new(&b""[..]).unwrap();
    assert_eq!((demo.format(), demo.game()), (Format::Empty, None));
    assert_eq!(demo.next_piece().unwrap(), None);
    assert_eq!(Format::Empty.name(), "empty");
}

#[test]
fn texts_are_not_recordings() {
    let texts: [&[u8]; 9] = [
        b"#!/bin/sh\necho no recording\n",
        b"2024-11-02 10:14:03 started\n2024-11-02 10:14:09 stopped\n",
        b"1. Start the game.\n2. Play the game.\n3. Record the game.\n",
        b"-1 is the usual track\nand this is a text about it\nof some lines\n",
        b"{\"frames\": [1, 2, 3]}\n",
        b"block {\n print \"hello\";\n}\n",
        b"\n\n\nfour lines down\n",
        b"DZ is how an archive begins",
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0",
    ];
    for text in texts {
        for repeat in [1, 40] {
            let text = text.repeat(repeat);
            assert_eq!(sniff(&text, true), Format::Unknown, "{}", String::from_utf8_lossy(&text));
        }
    }
}

#[test]
fn noise_is_unknown() {
    let mut random = Random(42);
    let (mut unknown, rounds) = (0, 3000);
    for _ in 0..rounds {
        let length = random.below(3000) + 1;
        let noise = random.bytes(length);
        unknown += usize::from(sniff(&noise, true) == Format::Unknown);
        crate::common::read(&noise);
    }
    assert!(unknown * 1000 >= rounds * 999, "{} of {rounds} are something", rounds - unknown);
}

/// A file with only a first line is a recording that was started without a game.
#[test]
fn a_line_alone_is_a_recording() {
    assert_eq!(sniff(b"-1\n", true), Format::Quake { header: 3 });
    assert_eq!(sniff(b"12\n", true), Format::Quake { header: 3 });
    assert_eq!(sniff(b"-1", true), Format::Unknown);
    assert_eq!(
        sniff(b"\xff\xff\xff\xff", true),
        Format::Unknown,
        "an end mark says nothing about what ended"
    );
}

/// A truncated file or a slow pipe gives fewer than the 64 KB that decide.
#[test]
fn recordings_are_recognized_from_little() {
    let quake = sample("qs_15_lq_e0m9.dem");
    let quake2 = sample("yq_sp.dm2");
    for length in [19 + 2000, 4000, 10_000, 30_000] {
        assert_eq!(sniff(&quake[..length], false), Format::Quake { header: 3 }, "{length}");
        assert_eq!(sniff(&quake2[..length], false), Format::Quake2, "{length}");
    }
    assert_eq!(sniff(&quake2[..9], true), Format::Quake2, "the protocol is enough");
}

#[test]
fn protocols_that_are_kept_raw_are_recognized() {
    for protocol in [25, 35, 36, 56, 2022, 2023] {
        let op = if protocol == 25 { 7 } else { 12 };
        let block = [&[op][..], &i32::to_le_bytes(protocol), b"\x01\0\0\0\x01game\0\0\0level\0"].concat();
        let file = [&(block.len() as i32).to_le_bytes()[..], &block].concat();
        assert_eq!(sniff(&file, true), Format::Quake2, "{protocol}");
        let mut messages = Messages::<Quake2>::new(&block, Context::quake2());
        messages.by_ref().for_each(drop);
        assert_eq!((messages.context().protocol, messages.context().raw), (protocol, true));
    }
}

/// The re-release announces 666, as `FitzQuake` does, but then the game's folder.
#[test]
fn the_rereleases_recordings_are_distinguished_from_fitzquakes() {
    let read = |behind: &[u8]| {
        let block = [b"\x0b\x9a\x02\0\0\x01", behind].concat();
        let mut messages = Messages::<Quake>::new(&block, Context::quake());
        let count = messages.by_ref().count();
        assert_eq!(messages.context().raw, count == 0);
        messages.context().protocol_name()
    };
    for (behind, name) in [
        (&b"id1\0\0the Slipgate Complex\0maps/e1m1.bsp\0\0\0"[..], "KEX"),
        (b"rerelease\0\x01\0maps/e1m1.bsp\0*1\0\0\0", "KEX"),
        (b"\0the Slipgate Complex\0maps/e1m1.bsp\0\0\0", "FitzQuake"),
        (b"\x01\0maps/e1m1.bsp\0*1\0\0\0", "FitzQuake"),
        // An unknown kind of game, a model that is not a level, and no bytes at all.
        (b"id1\0maps/e1m1.bsp\0maps/b_shell0.bsp\0\0\0", "FitzQuake"),
        (b"\x01T\0foo.bsp\0maps/b_shell0.bsp\0\0\0", "FitzQuake"),
        (b"\0\0\0\0", "FitzQuake"),
    ] {
        assert_eq!(read(behind), Some(name), "{}", behind.escape_ascii());
    }
}

/// Without a serverdata only its shape shows that a file is a recording of Quake II.
#[test]
fn a_servers_recording_is_known_by_its_shape() {
    let bytes = sample("scribe/dm2-server-no-serverdata.dm2");
    assert_eq!(sniff(&bytes, true), Format::Quake2);
    let mut demo = Demo::new(&bytes[..]).unwrap();
    assert!(matches!(demo.next_piece().unwrap(), Some(Piece::Header([]) | Piece::Block(_))));
}

#[test]
fn the_writers_recordings_are_recognized() {
    for sample in samples() {
        let game = sniff(&sample.bytes, true).game().map(|game| format!("{game:?}"));
        let expected = match sample.game {
            Game::Quake => "Quake",
            Game::Quake2 => "Quake2",
        };
        assert_eq!(game.as_deref(), Some(expected), "{}", sample.name);
    }
}

/// The time of a packet may contain a line feed, as Quake's header does; the blocks after it decide.
#[test]
fn a_time_with_a_line_end_is_not_a_header_of_quake() {
    let time = [0x68, 0x5B, 0x0A, 0x3B];
    let connect = [&time[..], &[1, 5, 0, 0, 0], &[0xFF; 4], b"j"].concat();
    // After the time, the lengths and numbers look like messages of Quake: prints, a disconnect, and no operation.
    let text = [&b"\x08\x02"[..], &b"a".repeat(0xEA00 - 3), b"\0"].concat();
    let packet = |sequence: u32| {
        let length = text.len() as u32 + 8;
        let numbers = [sequence.to_le_bytes(), 1u32.to_le_bytes()].concat();
        [&time[..], &[1], &length.to_le_bytes(), &numbers, &text].concat()
    };
    let file: Vec<u8> = [connect, (2..5).flat_map(packet).collect()].concat();
    assert_eq!(sniff(&file[..1 << 16], false), Format::Qwd);
    assert_eq!(sniff(&file, true), Format::Qwd);
    // An MVD may begin with a time step of ten milliseconds, whose byte is a line feed. Read as Quake's, the file is
    // one block.
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\x01\x01\x01\x01\x01\x01\0\0Hall\0"[..], &[0; 40]].concat();
    let block = |data: &[u8]| [&[10, 6][..], &(data.len() as u32).to_le_bytes(), data].concat();
    let mut file = [block(&level), block(b"\x08\x02hello\0"), block(b"\x08\x02hello\0")].concat();
    let rest = 17 + (level.len() << 8 | 6) - file.len();
    file.extend(block(&[&b"\x08\x02"[..], &b"a".repeat(rest - 9), b"\0"].concat()));
    assert_eq!(sniff(&file, true), Format::Mvd);
}

#[test]
fn every_file_of_the_collection_has_the_format_of_its_name() {
    let Some(folder) = corpus() else { return };
    let mut counted = 0;
    for path in files(&folder) {
        let bytes = fs::read(&path).unwrap();
        let start = &bytes[..bytes.len().min(1 << 16)];
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        let expected = match ending.to_str().unwrap() {
            "dz" => "dzip",
            "gz" => "gzip",
            "txt" | "tsv" | "md" | "bin" => "unknown",
            // Input recordings have their own crate, which recognizes all of their headers.
            "lmp" | "dmo" => {
                assert_eq!(sniff(start, start.len() == bytes.len()).game(), None, "{}", path.display());
                continue;
            }
            own => own,
        };
        assert_eq!(sniff(start, start.len() == bytes.len()).name(), expected, "{}", path.display());
        counted += 1;
    }
    assert!(counted > 100);
}

#[test]
fn a_recording_may_begin_with_a_very_long_block() {
    let prints = |size: usize| b"\x08\x02a long line\n\0".repeat(size / 15);
    let prints2 = |size: usize| b"\x0a\x02a long line\n\0".repeat(size / 15);
    for size in [60_000, 70_000, 500_000, 1_000_000] {
        let (quake, quake2) = (prints(size), prints2(size));
        let block = [&(quake.len() as u32).to_le_bytes()[..], &[0; 12], &quake].concat();
        let block2 = [&(quake2.len() as u32).to_le_bytes()[..], &quake2].concat();
        // The part that is examined, and the whole file.
        for seen in [1 << 16, usize::MAX] {
            let start = |file: &[u8]| sniff(&file[..file.len().min(seen)], file.len() <= seen);
            assert_eq!(start(&[b"-1\n", &block[..]].concat()), Format::Quake { header: 3 }, "{size} {seen}");
            assert_eq!(start(&block), Format::Quake { header: 0 }, "{size} {seen}");
            assert_eq!(start(&block2), Format::Quake2, "{size} {seen}");
        }
    }
}
