//! QuakeWorld's recordings are written back byte by byte, and all of their messages are read except the
//! listed ones.

use crate::common::corpus;
use moviola_format::*;
use std::fs;
use std::path::PathBuf;

/// The QuakeWorld recordings of the collection.
fn recordings() -> Vec<PathBuf> {
    let folders = corpus().map(|folder| ["real", "ours"].map(|name| folder.join("qw").join(name)));
    let files = folders.into_iter().flatten().flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "qwd" || it == "mvd"));
    paths.sort();
    paths
}

/// Reads a recording and writes it back; returns the number of its blocks, of its messages, and the faults.
fn write_back(file: &[u8]) -> (usize, usize, Vec<String>) {
    let mut demo = Demo::new(file).unwrap();
    let (mut copy, mut context, mut out) = (Vec::new(), Context::quakeworld(), Vec::new());
    let (mut blocks, mut count, mut unread) = (0, 0, Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        piece.write(Game::QuakeWorld, &mut copy).unwrap();
        let Piece::Block(block) = piece else {
            unread.push(format!("{} bytes outside of blocks", piece.size(Game::QuakeWorld)));
            continue;
        };
        blocks += 1;
        with_table!(block.table(Game::QuakeWorld), D => {
            let mut messages = block.messages::<D>(context);
            out.clear();
            while let Some(entry) = messages.next() {
                let start = out.len();
                entry.write(&mut out, messages.context());
                assert_eq!(out[start..], block.data[entry.at..messages.pos()], "{:?}", entry.message);
                count += 1;
            }
            if let Some(fault) = messages.fault() {
                let op = block.data.get(messages.pos());
                unread.push(format!("block {blocks} ({:?}), {} bytes from {op:?} on: {fault}", block.stamp, messages.rest().len()));
            }
            context = *messages.context();
        });
    }
    assert!(copy == file, "not the same bytes");
    (blocks, count, unread)
}

#[test]
fn every_recording() {
    for path in recordings() {
        let file = fs::read(&path).unwrap();
        let (blocks, count, unread) = write_back(&file);
        println!("{}: {blocks} blocks, {count} messages", path.display());
        assert_eq!(unread, Vec::<String>::new(), "{}", path.display());
        assert!(count > 20, "{}", path.display());
    }
}
