//! Containers: any bytes as a file, and any bytes as what is inside of one that is sound otherwise.

use moviola_container::{Limits, Options, Walk};
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

/// The first byte says what the others are. A file and a stream must give the same, whatever it is.
pub fn containers(bytes: &[u8]) {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    let file = match choice % 6 {
        0..=2 => dzip(choice % 6 + 1, bytes),
        3 => pak(bytes),
        _ => bytes.to_vec(),
    };
    let nested = choice % 6 != 5;
    let options = Options { limits: LIMITS, nested, ..Options::default() };
    let from_file = walk(Walk::new(Cursor::new(file.clone()), options));
    let from_stream = walk(Walk::stream(Cursor::new(file), options));
    assert!(from_file == from_stream, "read otherwise as a stream");
}

/// All that is found, and how much of it can be read; `None` where a limit was met, which streams meet elsewhere.
fn walk(walk: std::io::Result<Walk>) -> Option<Vec<(String, Vec<u8>, bool)>> {
    let is_limit =
        |error: &std::io::Error| moviola_container::Fault::of(error).is_some_and(|it| it.is_limit());
    let walk = match walk {
        Ok(walk) => walk,
        Err(error) if is_limit(&error) => return None,
        Err(error) => return Some(vec![(String::new(), error.to_string().into_bytes(), false)]),
    };
    let (mut found, mut limited) = (Vec::new(), false);
    for entry in walk {
        match entry {
            Ok(mut entry) => {
                let mut bytes = Vec::new();
                let read = entry.read_to_end(&mut bytes);
                limited |= read.as_ref().is_err_and(is_limit);
                if read.is_err() {
                    // How much comes out before the damage depends on how the stream was cut.
                    bytes.clear();
                }
                found.push((entry.path().to_owned(), bytes, read.is_ok()));
            }
            Err(trouble) => {
                limited |= is_limit(&trouble.error);
                found.push((trouble.path, Vec::new(), false));
            }
        }
    }
    (!limited).then_some(found)
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
