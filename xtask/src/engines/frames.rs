//! The number of frames that a command's result must have.
//!
//! The kit compares the frames that an engine showed with the file that it played, so a command that loses half of the
//! frames would pass. Here they are compared with the command's input, as the same engine counts it.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A recording to play, and the number of frames that is expected.
#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) demo: PathBuf,
    source: Option<PathBuf>,
    frames: Frames,
}

/// The expected number of frames.
#[derive(Clone, Copy, Debug)]
pub(super) enum Frames {
    /// The recording was made without an input, or its length depends on its events: at most as many as the input has.
    Some,
    /// As many as the input has.
    All,
    /// As many as the input has, without blocks that contained only removed messages. Quake II has no such blocks,
    /// since each has a frame.
    Most,
    /// A part of this many blocks.
    Piece(u64),
    /// The input without a part of this many blocks. In Quake there is one more block, with the changes during that
    /// time.
    Without(u64),
    /// The input with this many blocks at half the speed: Quake changes the times; Quake II shows a frame in each tenth
    /// of a second, so each but the last is shown twice.
    Slow(u64),
    /// The input twice. Quake also shows the beginning of the second time.
    Twice,
    /// This many pictures a second. Quake II has ten frames in a second.
    Pictures(u64),
    /// The script of the stage: a part of ninety-one blocks, of which twenty-one are shown at half the speed.
    Script,
    /// The input without this many blocks at its beginning, some of which were not frames.
    Late(u64),
    /// This number.
    Number(u64),
}

impl Played {
    /// An unchanged sample, with which the recordings made of it are compared.
    pub(super) fn original(demo: &Path) -> Self {
        Self { demo: demo.to_path_buf(), source: None, frames: Frames::Some }
    }

    pub(super) fn derived(demo: PathBuf, of: &Path, frames: Frames) -> Self {
        Self { demo, source: Some(of.to_path_buf()), frames }
    }

    /// A recording without an input, or with an input that no engine plays.
    pub(super) fn without_original(demo: PathBuf, frames: Frames) -> Self {
        Self { demo, source: None, frames }
    }

    /// The error in the number of frames that an engine showed, if there is one.
    pub(super) fn mistake(&self, shown: &[(&Path, u64)]) -> Option<String> {
        let frames_of = |demo: &Path| shown.iter().find(|(it, _)| *it == demo).map(|(_, frames)| *frames);
        let name = self.demo.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Some(now) = frames_of(&self.demo) else { return Some(format!("{name}: no frames were counted")) };
        let before = match &self.source {
            Some(path) => match frames_of(path) {
                Some(before) => before,
                None => return Some(format!("{name}: {} was not played", path.display())),
            },
            None => now,
        };
        let is_quake = self.demo.extension().is_some_and(|it| it == "dem");
        let wanted = self.frames.expected_range(before, is_quake);
        if wanted.contains(&now) {
            return None;
        }
        let (least, most) = (wanted.start(), wanted.end());
        let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
        Some(format!("{name}: {now} frames, where {range} are asked for ({:?} of {before})", self.frames))
    }
}

impl Frames {
    fn expected_range(self, before: u64, is_quake: bool) -> RangeInclusive<u64> {
        // Quake's `timedemo` prints one frame less than it showed.
        let unsaid = u64::from(is_quake);
        let exactly = |frames| frames..=frames;
        match self {
            Self::Some => 1..=before,
            Self::Most if is_quake => before - before / 5..=before,
            Self::All | Self::Most => exactly(before),
            Self::Piece(blocks) => exactly(blocks - unsaid),
            Self::Without(blocks) => exactly((before + unsaid).saturating_sub(blocks)),
            Self::Slow(_) | Self::Pictures(_) if is_quake => exactly(before),
            Self::Slow(blocks) => exactly(before + blocks - 1),
            Self::Twice if is_quake => 2 * before + 2..=2 * before + 3,
            Self::Twice => exactly(2 * before),
            Self::Pictures(fps) => exactly((before * fps).div_ceil(10)),
            Self::Script if is_quake => {
                let piece = before.min(90);
                piece - piece / 5..=piece
            }
            Self::Script => exactly(91 + 20),
            Self::Late(blocks) => before.saturating_sub(blocks)..=before.saturating_sub(blocks / 2),
            Self::Number(frames) => exactly(frames),
        }
    }
}

/// The number of frames in a line of the kit. The kit itself checks that the engine showed all of them.
pub(super) fn expected_frames(line: &str) -> Option<u64> {
    let (_, behind) = line.split_once("\"expected_frames\": ")?;
    behind.split([',', '}']).next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_frames_are_a_mistake() {
        let (before, after) = (Path::new("before.dm2"), Path::new("after.dm2"));
        let mistake = |frames, now| {
            Played::derived(after.to_path_buf(), before, frames).mistake(&[(before, 239), (after, now)])
        };
        assert_eq!(mistake(Frames::All, 239), None);
        let message = "after.dm2: 120 frames, where 239 are asked for (All of 239)";
        assert_eq!(mistake(Frames::All, 120).as_deref(), Some(message));
        assert!(mistake(Frames::Piece(31), 1).is_some() && mistake(Frames::Piece(31), 31).is_none());
        assert!(mistake(Frames::Without(31), 208).is_none() && mistake(Frames::Slow(31), 239).is_some());
        assert!(Played::derived(after.to_path_buf(), before, Frames::All).mistake(&[(after, 239)]).is_some());
    }

    #[test]
    fn the_kits_line_is_read() {
        assert_eq!(expected_frames("{\"frames\": 1, \"expected_frames\": 31, \"blocks\": 3}"), Some(31));
        assert_eq!(expected_frames("{\"expected_frames\": null}"), None);
    }
}
