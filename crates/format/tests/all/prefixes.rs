//! Damage does not spread: every prefix of a recording and every change of a byte is written back exactly,
//! and the blocks beside it are read as before.

use crate::common::{check_rewriting, read};
use moviola_format::*;
use moviola_scribe::samples;

/// One recording of each kind.
const KINDS: [&str; 14] = [
    "dem-15-v106",
    "dem-15-v109",
    "dem-15-hipnotic-weaponless",
    "dem-250-nehahra",
    "dem-666",
    "dem-668",
    "dem-999-82-default",
    "dem-10002-short-static",
    "dem-darkplaces-upward",
    "dm2-26-client",
    "dm2-34-client",
    "dm2-34-server",
    "dm2-34-relay",
    "dm2-server-no-serverdata",
];

fn recordings() -> Vec<(&'static str, Vec<u8>)> {
    let all = samples();
    let find = |name: &str| all.iter().find(|it| it.name == name).unwrap_or_else(|| panic!("{name} is gone"));
    KINDS.iter().map(|name| (*name, find(name).bytes.clone())).collect()
}

/// A block: the offset of its end in the file, its bytes, the number of its messages, and the number of bytes
/// left over.
#[derive(Debug, PartialEq)]
struct Seen {
    end: usize,
    data: Vec<u8>,
    messages: usize,
    left: usize,
    /// The contexts before it and after it.
    contexts: [Context; 2],
}

/// The complete blocks of a file.
fn blocks(file: &[u8]) -> (Format, Vec<Seen>) {
    let mut demo = Demo::new(file).unwrap();
    let format = demo.format();
    let (mut all, mut context) = (Vec::new(), Context::of(format.game().unwrap_or(Game::Quake)));
    let head = if format == Format::Quake2 { 4 } else { 16 };
    loop {
        let piece = demo.next_piece().unwrap();
        let block = match piece {
            Some(Piece::Block(block)) if !block.is_truncated() => block,
            Some(_) => continue,
            None => return (format, all),
        };
        let before = context;
        let (messages, left) = count(&block, &mut context);
        let data = block.data.to_vec();
        let end = demo.offset() as usize + head + data.len();
        all.push(Seen { end, data, messages, left, contexts: [before, context] });
    }
}

/// Reads and writes a block; returns the number of messages, and the number of bytes that are not messages.
fn count(block: &Block, context: &mut Context) -> (usize, usize) {
    if context.game == Game::Quake2 {
        let (entries, _, left) = check_rewriting::<Quake2>(block.messages(*context), context);
        return (entries.len(), left);
    }
    let (entries, _, left) = check_rewriting::<Quake>(block.messages(*context), context);
    (entries.len(), left)
}

#[test]
fn every_prefix_comes_back_and_its_blocks_are_the_same() {
    for (name, file) in recordings() {
        let (format, whole) = blocks(&file);
        let (mut recognized, mut compared) = (0, 0);
        for length in 0..=file.len() {
            let prefix = &file[..length];
            read(prefix);
            let (seen, part) = blocks(prefix);
            if seen != format {
                continue;
            }
            recognized += 1;
            let inside = whole.iter().take_while(|block| block.end <= length).count();
            assert_eq!(part.len(), inside, "{name}, {length} bytes");
            assert_eq!(part, whole[..inside], "{name}, {length} bytes");
            compared += inside;
        }
        // Every prefix is recognized once it contains the whole first block.
        let first = whole.first().map_or(0, |block| block.end);
        assert!(recognized + first > file.len(), "{name}: {recognized} of {}", file.len());
        assert!(compared > file.len(), "{name}: {compared}");
    }
}

/// The block whose bytes are changed: a small one from the middle.
fn middle(whole: &[Seen]) -> usize {
    let is_small = |n: &usize| (8..120).contains(&whole[*n].data.len());
    (whole.len() / 2..whole.len()).chain(0..whole.len()).find(is_small).expect("a small block")
}

#[test]
fn every_change_of_a_byte_of_a_small_block_comes_back() {
    for (name, file) in recordings() {
        let (_, whole) = blocks(&file);
        let seen = &whole[middle(&whole)];
        let mut faults = 0;
        for at in 0..seen.data.len() {
            let mut data = seen.data.clone();
            for change in 1..=255u8 {
                data[at] = seen.data[at] ^ change;
                let [mut context, _] = seen.contexts;
                // Reading and writing it compares the bytes.
                let (_, left) = count(&Block::new(&data), &mut context);
                faults += usize::from(left > 0);
            }
        }
        assert!(faults > 0, "{name}: no change did any harm");
    }
}

#[test]
fn a_changed_block_leaves_the_others_alone() {
    for (name, file) in recordings() {
        let (_, whole) = blocks(&file);
        let changed = middle(&whole);
        let (end, data) = (whole[changed].end, &whole[changed].data);
        let mut alike = 0;
        for at in end - data.len()..end {
            for change in [0x01, 0x80, 0xFF, file[at]] {
                if change == 0 {
                    continue;
                }
                let mut other = file.clone();
                other[at] ^= change;
                read(&other);
                let (_, seen) = blocks(&other);
                assert_eq!(seen.len(), whole.len(), "{name}");
                for (n, (seen, was)) in seen.iter().zip(&whole).enumerate() {
                    assert_eq!(seen.end, was.end, "{name}, block {n}");
                    assert!(n == changed || seen.data == was.data, "{name}, block {n}");
                }
                // A changed byte may make a serverinfo, after which the context differs.
                if seen[changed].contexts == whole[changed].contexts {
                    assert!(seen[changed + 1..] == whole[changed + 1..], "{name}, byte {at}");
                    alike += 1;
                }
            }
        }
        assert!(alike > data.len(), "{name}: {alike} of {} bytes", data.len());
    }
}

/// Lengths and angles are not messages: with any values, the file is written back.
#[test]
fn every_change_of_the_bytes_between_messages_comes_back() {
    for (name, file) in recordings() {
        let (_, whole) = blocks(&file);
        let changed = middle(&whole);
        let start = whole[changed].end - whole[changed].data.len();
        let head = if name.starts_with("dem") { 16 } else { 4 };
        for at in (0..8).chain(start - head..start) {
            for value in [0, 1, 2, 9, 10, 32, 45, 127, 128, 255] {
                let mut other = file.clone();
                other[at] = value;
                read(&other);
            }
        }
    }
}

/// A first byte that turns a block into the announcement of a level does not make the rest of the recording
/// raw.
#[test]
fn a_byte_that_looks_like_a_new_level_costs_its_block_alone() {
    for (name, file) in recordings() {
        let (_, whole) = blocks(&file);
        let changed = middle(&whole);
        if whole[changed].contexts[0].protocol == 0 {
            // Before any announcement, the first one is accepted with any protocol.
            continue;
        }
        let start = whole[changed].end - whole[changed].data.len();
        let announces = if name.starts_with("dem") { 0x0B } else { 0x0C };
        let mut other = file.clone();
        other[start] = announces;
        let (_, seen) = blocks(&other);
        assert_eq!(seen.len(), whole.len(), "{name}");
        assert!(seen[changed + 1..] == whole[changed + 1..], "{name}");
    }
}
