//! Containers: any bytes as a file, and any bytes as the content of an otherwise sound container.

use moviola_container::{Limits, Walk, WalkOptions};
use std::io::{Cursor, Read};

const LIMITS: Limits = Limits {
    total: 1 << 23,
    ratio: 1100,
    free: 1 << 22,
    entries: 1000,
    depth: 4,
    name: 256,
    memory: 1 << 20,
};

/// The first byte selects the kind of container for the others. If the file is sound, reading it as a stream gives the
/// same files. If it is damaged, the output before the damage depends on the sizes of the reads, and limits count only
/// the bytes that were read so far.
pub fn containers(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let file = match choice % 6 {
        0..=2 => dzip(choice % 6 + 1, bytes),
        3 => pak(bytes),
        _ => bytes.to_vec(),
    };
    let nested = choice % 6 != 5;
    let options = WalkOptions { limits: LIMITS, nested, ..WalkOptions::default() };
    let from_file = Walk::new(Cursor::new(file.clone()), options.clone());
    let from_stream = Walk::stream(Cursor::new(file), options);
    // A self-extracting program is recognized by its end, which a stream does not have.
    let same_kind =
        matches!((&from_file, &from_stream), (Ok(file), Ok(stream)) if file.kind() == stream.kind());
    let (from_file, from_stream) = (from_file.ok().and_then(all), from_stream.ok().and_then(all));
    if let (Some(from_file), Some(from_stream)) = (from_file, from_stream) {
        assert!(!same_kind || from_file == from_stream, "read otherwise as a stream");
    }
}

/// All that is found, if all of it can be read; it is read to the end in any case.
fn all(walk: Walk) -> Option<Vec<(String, Vec<u8>)>> {
    let (mut found, mut sound) = (Vec::new(), true);
    for entry in walk {
        let Ok(mut entry) = entry else {
            sound = false;
            continue;
        };
        let mut bytes = Vec::new();
        sound &= entry.read_to_end(&mut bytes).is_ok();
        found.push((entry.path().to_owned(), bytes));
    }
    sound.then_some(found)
}

/// An archive of one packed recording.
fn dzip(version: u8, packed: &[u8]) -> Vec<u8> {
    let mut file = vec![b'D', b'Z', version, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x78, 0x01];
    let mut chunks = packed.chunks(0xFFFF).peekable();
    while let Some(chunk) = chunks.next() {
        let length = chunk.len() as u16;
        file.push(u8::from(chunks.peek().is_none()));
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
        file.extend(chunk);
    }
    let directory = file.len() as u32;
    file[4..8].copy_from_slice(&directory.to_le_bytes());
    let (stored, kind) = if version == 1 { (packed.len() as u32, 1) } else { (directory - 12, 5) };
    for word in [12, stored, 1 << 20, 2, 0, kind] {
        file.extend(word.to_le_bytes());
    }
    if version > 1 {
        file.extend(0_u32.to_le_bytes());
        file.extend((packed.len() as u32).to_le_bytes());
    }
    file.extend(b"a\0");
    file
}

/// A PAK file of two files, which share their bytes.
fn pak(bytes: &[u8]) -> Vec<u8> {
    let mut file = b"PACK".to_vec();
    file.extend((12 + bytes.len() as u32).to_le_bytes());
    file.extend(128_u32.to_le_bytes());
    file.extend(bytes);
    for (name, skip) in [(b'a', 0), (b'b', bytes.len() / 2)] {
        file.push(name);
        file.extend([0; 55]);
        file.extend((12 + skip as u32).to_le_bytes());
        file.extend(((bytes.len() - skip) as u32).to_le_bytes());
    }
    file
}
