//! The checks of the fuzz target for the seek index.

use moviola_index::Index;

/// Any bytes as an index: a readable index is written as the same index, and can be used. Any bytes as a recording: its
/// index is read back as it was made.
pub fn seek(bytes: &[u8]) {
    if let Ok(index) = Index::read(bytes) {
        // Long names are cut.
        let again = Index::read(&written(&index)).expect("what was written is read");
        assert_eq!((&again.stops, again.marks.len()), (&index.stops, index.marks.len()));
        for level in &index.levels {
            assert!(level.first_block < index.blocks);
        }
        if let Some(stop) = index.seek(1, f32::MAX) {
            assert!(stop.block < index.blocks && stop.offset < index.length);
        }
    }
    if let Ok(Some(index)) = Index::of(bytes) {
        let read = Index::read(&written(&index)).expect("what was written is read");
        assert_eq!((read.stops, read.marks.len()), (index.stops, index.marks.len()));
    }
}

fn written(index: &Index) -> Vec<u8> {
    let mut bytes = Vec::new();
    index.write(&mut bytes).expect("memory takes all");
    bytes
}
