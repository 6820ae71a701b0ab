//! Containers written from the documents, byte by byte.

#![allow(dead_code)] // Each test file uses some of it.

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use moviola_container::{ContainerError, Walk, WalkOptions};
use std::io::{Cursor, Read, Write};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A zip archive by another library, as an independent check of ours.
pub(crate) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (number, (name, bytes)) in files.iter().enumerate() {
        let method =
            if number % 2 == 0 { zip::CompressionMethod::Deflated } else { zip::CompressionMethod::Stored };
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options.large_file(number == 0)).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

pub(crate) fn pak(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut data, mut rows) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let mut row = name.as_bytes().to_vec();
        row.resize(56, 0);
        row.extend((12 + data.len() as u32).to_le_bytes());
        row.extend((bytes.len() as u32).to_le_bytes());
        rows.extend(row);
        data.extend(*bytes);
    }
    let head = [*b"PACK", (12 + data.len() as u32).to_le_bytes(), (rows.len() as u32).to_le_bytes()];
    [head.concat(), data, rows].concat()
}

/// A file of a Dzip archive: name, type, number in a group, original, and the input of zlib.
pub(crate) type File<'a> = (&'a str, u32, u16, &'a [u8], &'a [u8]);

pub(crate) fn dzip(version: u8, files: &[File<'_>]) -> Vec<u8> {
    let (mut data, mut rows, mut inflated) = (Vec::new(), Vec::new(), Vec::new());
    for (name, kind, number, original, packed) in files {
        let stored = match (version, *kind) {
            (_, 3 | 7) | (1, _) => Vec::new(),
            (_, 8) => packed.to_vec(),
            _ => zlib(packed),
        };
        // In version 1 sizes are those before the single stream was compressed.
        let (at, length) =
            if version == 1 { (inflated.len(), packed.len()) } else { (data.len(), stored.len()) };
        for word in [12 + at, length, original.len()] {
            rows.extend((word as u32).to_le_bytes());
        }
        rows.extend((name.len() as u16 + 1).to_le_bytes());
        rows.extend(number.to_le_bytes());
        rows.extend((!crc32fast::hash(original)).to_le_bytes());
        rows.extend(kind.to_le_bytes());
        if version > 1 {
            rows.extend(0_u32.to_le_bytes());
            rows.extend((packed.len() as u32).to_le_bytes());
        }
        rows.extend(name.as_bytes());
        rows.push(0);
        data.extend(stored);
        inflated.extend(*packed);
    }
    if version == 1 {
        data = zlib(&inflated);
    }
    let mut file = vec![b'D', b'Z', version, 0];
    file.extend((12 + data.len() as u32).to_le_bytes());
    file.extend((files.len() as u32).to_le_bytes());
    [file, data, rows].concat()
}

/// A path in a container, with its content or its error.
pub(crate) type Found = (String, Result<Vec<u8>, String>);

pub(crate) fn read(
    walk: impl Iterator<Item = Result<moviola_container::ContainerEntry, ContainerError>>,
) -> Vec<Found> {
    walk.map(|entry| match entry {
        Ok(mut entry) => {
            let mut bytes = Vec::new();
            let read = entry.read_to_end(&mut bytes);
            (entry.path().to_owned(), read.map(|_| bytes).map_err(|error| error.to_string()))
        }
        Err(trouble) => (trouble.path.clone(), Err(trouble.error.to_string())),
    })
    .collect()
}

/// All files in a container. Checks that the result is the same for a file and a stream.
pub(crate) fn unpack(file: &[u8], options: WalkOptions) -> Vec<Found> {
    let found = read(Walk::new(Cursor::new(file.to_vec()), options.clone()).unwrap());
    assert_eq!(found, read(Walk::stream(Cursor::new(file.to_vec()), options).unwrap()));
    found
}
