//! For any bytes as a track of music, decoding ends, in little memory.

use moviola_assets::GameFiles;
use moviola_film::{Music, MusicPlayer};

/// Decodes the bytes, and then once more with corrected checksums of Ogg's pages, since a decoder stops at a page with
/// a wrong one.
pub fn music(bytes: &[u8]) {
    play(bytes.to_vec());
    if bytes.starts_with(b"OggS") {
        play(with_checksums(bytes));
    }
}

/// Plays a second and a half of a track, which repeats if it is shorter.
fn play(bytes: Vec<u8>) {
    let Ok(music) = Music::file("input", bytes) else { return };
    let (mut player, files) = (MusicPlayer::default(), GameFiles::default());
    let mut at = 0;
    while at < 72_000 {
        let mut sound = [[0; 2]; 800];
        player.add(&music, None, &files, at, &mut sound);
        at += 800;
    }
}

fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let (mut all, mut at) = (bytes.to_vec(), 0);
    while let Some(found) = all.get(at..).and_then(|rest| rest.windows(4).position(|it| it == b"OggS")) {
        let start = at + found;
        // A page has a head of 27 bytes, the lengths of its segments, and these.
        let Some(segments) = all.get(start + 26).map(|count| usize::from(*count)) else { break };
        let Some(lengths) = all.get(start + 27..start + 27 + segments) else { break };
        let end = start + 27 + segments + lengths.iter().map(|length| usize::from(*length)).sum::<usize>();
        let Some(page) = all.get_mut(start..end) else { break };
        page[22..26].fill(0);
        let sum = checksum(page);
        page[22..26].copy_from_slice(&sum.to_le_bytes());
        at = end;
    }
    all
}

fn checksum(page: &[u8]) -> u32 {
    page.iter().fold(0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte) << 24, |sum, _| {
            sum << 1 ^ if sum >> 31 == 1 { 0x04C1_1DB7 } else { 0 }
        })
    })
}
