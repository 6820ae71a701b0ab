//! Identifies a file that a person drops on the deck: a recording, an archive, files of a game.

use moviola_container::{ContainerKind, Walk, WalkOptions};
use moviola_format::sniff;
use serde::Serialize;
use std::io::{Cursor, Read};

/// The number of first bytes by which a file's format is recognized.
const START: u64 = 1 << 16;

/// The most recordings of an archive that are listed.
const MAX_LISTED: usize = 1000;

/// The endings of files that only games have.
const OF_GAMES: [&str; 11] =
    [".bsp", ".lit", ".mdl", ".md2", ".spr", ".sp2", ".wal", ".wav", ".lmp", ".wad", ".pcx"];

/// The sizes of Quake's palette and color tables: all other `.lmp` files begin with a width and a height.
const WITHOUT_SIDES: [u64; 3] = [768, 16_384, 16_385];

/// The contents of a file that the user gave.
///
/// ```
/// let file = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";
/// let dropped = moviola_deck::look_into("run.dem", file.to_vec());
/// assert_eq!((dropped.kind, dropped.recordings[0].path.as_str()), ("recording", ""));
/// assert_eq!(moviola_deck::look_into("noise", vec![7; 20]).kind, "other");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Dropped {
    /// `recording`, `archive` (with recordings in it), `game` (files of a game alone), or `other`.
    pub kind: &'static str,
    /// Whether there are files of a game in it.
    pub game_files: bool,
    /// The recordings in it.
    pub recordings: Vec<ArchivedRecording>,
    /// The reason why the file cannot be used, or why a part of it could not be read.
    pub problem: Option<String>,
}

/// A recording in an archive.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ArchivedRecording {
    /// Its path in the archive; empty if the file is the recording itself.
    pub path: String,
    /// Its size in bytes, if the archive has it.
    pub bytes: Option<u64>,
}

/// Looks into a file.
pub fn look_into(name: &str, bytes: Vec<u8>) -> Dropped {
    let mut dropped = Dropped::default();
    let length = bytes.len() as u64;
    let is_archive = ContainerKind::of(&bytes) != ContainerKind::Plain;
    if !is_archive && is_recording_of_input(name, &bytes) {
        let why =
            "is a recording of keys, not of pictures: the deck cannot show it, but `moviola report` reads it";
        return Dropped { kind: "other", problem: Some(format!("{name} {why}")), ..dropped };
    }
    let walk = match Walk::new(Cursor::new(bytes), WalkOptions::default()) {
        Ok(walk) => walk,
        Err(error) => {
            return Dropped { kind: "other", problem: Some(format!("{name}: {error}")), ..dropped };
        }
    };
    for file in walk {
        let mut file = match file {
            Ok(file) => file,
            Err(trouble) => {
                dropped.problem.get_or_insert_with(|| format!("{name}: {trouble}"));
                continue;
            }
        };
        if is_of_game(if file.path().is_empty() { name } else { file.path() }) {
            dropped.game_files = true;
            continue;
        }
        let mut start = Vec::new();
        if file.by_ref().take(START).read_to_end(&mut start).is_err() {
            continue;
        }
        if sniff(&start, (start.len() as u64) < START).game().is_some()
            && dropped.recordings.len() < MAX_LISTED
        {
            let (path, claimed) = (file.path().to_owned(), file.claimed_size());
            let size = if path.is_empty() { Some(length) } else { claimed };
            dropped.recordings.push(ArchivedRecording { path, bytes: size });
        }
    }
    dropped.kind = match dropped.recordings.as_slice() {
        [_, ..] if !is_archive => "recording",
        [_, ..] => "archive",
        // not from SCHEMA: a kind of dropped file
        [] if dropped.game_files => "game",
        [] => "other",
    };
    if dropped.kind == "other" {
        let nothing = "is neither a recording of Quake, nor an archive of recordings, nor a file of a game";
        dropped.problem.get_or_insert_with(|| format!("{name} {nothing}"));
    }
    dropped
}

/// Whether only games have files of this name.
fn is_of_game(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    OF_GAMES.iter().any(|ending| path.ends_with(ending))
}

/// Whether a file is a recording of DOOM or Duke Nukem 3D. DOOM's recordings have the same ending as Quake's pictures.
fn is_recording_of_input(name: &str, bytes: &[u8]) -> bool {
    let (name, length) = (name.to_ascii_lowercase(), bytes.len() as u64);
    let side = |at: usize| {
        let side = bytes.get(at..)?.first_chunk()?;
        Some(u64::from(u32::from_le_bytes(*side)))
    };
    let has_sides = |(width, height): (u64, u64)| width.saturating_mul(height).saturating_add(8) == length;
    let is_picture = side(0).zip(side(4)).is_some_and(has_sides) || WITHOUT_SIDES.contains(&length);
    let ends = |ending: &str| name.ends_with(ending);
    ends(".dmo") || ends(".lmp") && !is_picture
}

/// The bytes of one recording: a file, or `archive.zip:path/in/it.dem`.
pub(crate) fn recording(name: &str, bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    let is_archive = ContainerKind::of(&bytes) != ContainerKind::Plain;
    if !is_archive {
        return Ok(bytes);
    }
    let found = look_into(name, bytes.clone());
    let paths: Vec<&str> = found.recordings.iter().map(|it| it.path.as_str()).collect();
    let named_path = paths.iter().find(|path| path.is_empty() || name.ends_with(&format!(":{path}")));
    let chosen_path = match (named_path, paths.as_slice()) {
        (Some(path), _) => (*path).to_owned(),
        (None, [one]) => (*one).to_owned(),
        (None, []) => return Err(found.problem.unwrap_or_else(|| format!("{name}: no recording is in it"))),
        (None, _) => return Err(format!("{name}: several recordings are in it; choose one")),
    };
    let walk =
        Walk::new(Cursor::new(bytes), WalkOptions::default()).map_err(|error| format!("{name}: {error}"))?;
    let mut walk = if chosen_path.is_empty() { walk } else { walk.only(&chosen_path) };
    let mut made = Vec::new();
    let mut file =
        walk.find_map(Result::ok).ok_or_else(|| format!("{name}: {chosen_path} cannot be read"))?;
    file.read_to_end(&mut made).map_err(|error| format!("{name}: {error}"))?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &[u8] = b"-1\n\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01";

    #[test]
    fn recordings_and_game_files_of_an_archive_are_distinguished() {
        let files = [("demo1.dem".to_owned(), FILE.to_vec()), ("maps/e1m1.bsp".to_owned(), vec![29; 9])];
        let pak = crate::pack(&files);
        let dropped = look_into("pak0.pak", pak.clone());
        assert_eq!((dropped.kind, dropped.game_files), ("archive", true));
        assert_eq!(recording("pak0.pak:demo1.dem", pak.clone()).unwrap(), FILE);
        assert_eq!(recording("pak0.pak", pak).unwrap(), FILE);
    }

    #[test]
    fn a_recording_of_input_is_not_taken_for_a_picture() {
        let picture = [&[2, 0, 0, 0, 3, 0, 0, 0][..], &[7; 6]].concat();
        for (name, bytes, kind) in [
            ("conback.lmp", picture.clone(), "game"),
            ("palette.lmp", vec![0; 768], "game"),
            ("demo1.lmp", vec![109, 2, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x80], "other"),
            ("DEMO1.DMO", vec![1; 40], "other"),
        ] {
            let dropped = look_into(name, bytes);
            assert_eq!(dropped.kind, kind, "{name}");
            assert_eq!(
                dropped.problem.is_some_and(|it| it.contains("recording of keys")),
                kind == "other",
                "{name}"
            );
        }
        let pak = crate::pack(&[("gfx/odd.lmp".to_owned(), vec![1; 40])]);
        assert_eq!(look_into("pak0.pak", pak).kind, "game");
    }

    #[test]
    fn noise_gets_a_sentence() {
        let dropped = look_into("noise.bin", (0..=255).collect());
        assert!(dropped.problem.unwrap().starts_with("noise.bin is neither a recording"));
    }
}
