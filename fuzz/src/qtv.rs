//! The fuzz target `qtv`.

use moviola_format::{Demo, Format, Piece};
use moviola_net::Cut;
use moviola_net::qtv::{Blocks, Broadcast, ViewerRequest, begins, command};

/// Any bytes as a request, an answer, a viewer's commands and a stream. Nothing panics. The recorded part of a stream
/// is a prefix of it that consists of whole blocks, whatever the sizes of the reads are.
pub fn qtv(bytes: &[u8]) {
    let Some((slice, bytes)) = bytes.split_first() else { return };
    Broadcast::parse(&String::from_utf8_lossy(bytes));
    let _ = ViewerRequest::read(&mut &*bytes);
    let mut back = bytes;
    while command(&mut back).is_ok() {}
    let mut stream = bytes;
    if begins(&mut stream).is_err() {
        stream = bytes;
    }
    let (whole, sliced) = (recorded(stream, stream.len()), recorded(stream, usize::from(*slice).max(1)));
    let Some(file) = whole else {
        assert!(sliced.is_none(), "a stream that is refused is accepted in slices");
        return;
    };
    assert_eq!(Some(&file), sliced.as_ref(), "a stream is cut otherwise in slices");
    assert!(stream.starts_with(&file), "bytes were changed");
    let (mut demo, mut length) = (Demo::growing(&*file, Format::Mvd), 0);
    while let Ok(Some(piece)) = demo.next_piece() {
        let is_whole = !matches!(piece, Piece::Block(block) if block.is_truncated());
        assert!(is_whole, "a block is cut short");
        length += piece.size(moviola_format::Game::QuakeWorld);
    }
    assert_eq!(length, file.len() as u64);
}

/// The bytes that are recorded of a stream that arrives in pieces of this size; `None` if it is refused.
fn recorded(stream: &[u8], slice: usize) -> Option<Vec<u8>> {
    let (mut blocks, mut cuts) = (Blocks::default(), Vec::new());
    for part in stream.chunks(slice.max(1)) {
        if !blocks.take(part, &mut cuts) {
            return None;
        }
    }
    blocks.end(&mut cuts);
    let bytes = cuts.iter().filter_map(|cut| if let Cut::Bytes(bytes) = cut { Some(bytes) } else { None });
    Some(bytes.flatten().copied().collect())
}
