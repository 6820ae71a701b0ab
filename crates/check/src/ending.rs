//! How a recording ends, found out while it is read.

use crate::place::{Place, ReaderPosition};
use crate::scan::BlockRest;
use crate::summary::RecordingEnd;
use moviola_format::{Game, Piece};

/// An end that was announced.
#[derive(Clone, Copy, Debug)]
struct Announced {
    /// The offset after it.
    offset_after: u64,
    place: Place,
    /// Whether it is a mark between blocks, and not a message.
    mark: bool,
}

/// Junk after the end can look like a few partly readable blocks, but not like this many in a row.
const NO_JUNK: u32 = 8;

/// After this many ends that were followed by more blocks, the state before a further end is no longer kept.
const BELIEVED: u32 = 64;

/// Watches for the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ending {
    game: Option<Game>,
    announced: Option<Announced>,
    /// How many ends were followed by more blocks.
    early: u32,
    /// How many blocks after the end could be read only in part.
    halves: u32,
    disconnected: bool,
    truncated: Option<(Place, u64, u64)>,
    loose: Option<(Place, u64)>,
}

impl Ending {
    pub(crate) fn begin(&mut self, game: Option<Game>) {
        self.game = game;
    }

    /// Whether an end was read, and no later block has shown that the recording continues.
    pub(crate) fn is_over(&self) -> bool {
        self.announced.is_some()
    }

    /// Whether a block that begins now may be junk, so that the state before it should be kept.
    pub(crate) fn may_be_junk(&self) -> bool {
        self.is_over() && self.early < BELIEVED
    }

    /// The place of the end, and the offset after it.
    pub(crate) fn announced(&self) -> Option<(Place, u64)> {
        self.announced.map(|it| (it.place, it.offset_after))
    }

    /// The block inside which the file ends.
    pub(crate) fn truncated(&self) -> Option<Place> {
        self.truncated.map(|(place, ..)| place)
    }

    /// Bytes that are not a block, up to the end of the file.
    pub(crate) fn stray_bytes(&self) -> Option<(Place, u64)> {
        self.loose
    }

    pub(crate) fn take_piece(&mut self, here: &ReaderPosition, piece: &Piece<'_>) {
        match piece {
            Piece::End | Piece::EndOfMvd2 => {
                // The mark right after a disconnect belongs to the same end.
                if self.announced.is_none_or(|it| it.mark || it.offset_after != here.offset) {
                    self.resume();
                }
                let behind = here.offset + piece.size(Game::Quake2);
                self.announced = Some(Announced { offset_after: behind, place: here.piece(), mark: true });
            }
            Piece::Raw(bytes) => {
                let (place, before) = self.loose.unwrap_or((here.piece(), 0));
                self.loose = Some((place, before + bytes.len() as u64));
            }
            Piece::Block(block) => {
                self.loose = None;
                self.disconnected = false;
                if block.is_truncated() {
                    let head = self.game.map_or(0, |game| block.head_size(game));
                    let there = (head + block.data.len()) as u64;
                    self.truncated = Some((here.piece(), there, (head + block.claimed()) as u64));
                }
            }
            Piece::Header(_) => {}
        }
    }

    /// A message that ends playback was read.
    pub(crate) fn disconnect(&mut self) {
        self.disconnected = true;
    }

    /// Notes a block that was read. Returns true if it follows an end that was not revoked: it may be junk.
    pub(crate) fn block_end(&mut self, here: &ReaderPosition, rest: &BlockRest<'_>) -> bool {
        if rest.block.is_truncated() {
            return self.is_over();
        }
        if self.is_over() {
            // A readable block revokes the end; junk in the form of a block does not.
            let sound = rest.fault.is_none() || rest.context_after.raw;
            self.halves += u32::from(rest.messages > 0);
            let means = rest.messages > 0 && (sound || self.halves == NO_JUNK);
            if !means && self.may_be_junk() {
                return true;
            }
            self.resume();
        }
        if self.disconnected {
            let behind = here.data + rest.block.data.len() as u64;
            self.announced = Some(Announced { offset_after: behind, place: here.message(), mark: false });
        }
        false
    }

    /// Revokes an end that was followed by more of the recording.
    fn resume(&mut self) {
        if self.announced.take().is_some() {
            self.early = self.early.saturating_add(1);
            self.halves = 0;
        }
    }

    /// How a file of this length ends.
    pub(crate) fn at(&self, length: u64) -> RecordingEnd {
        let Some(game) = self.game else { return RecordingEnd::NoRecording };
        match self.announced {
            Some(Announced { offset_after: behind, .. }) if behind < length => {
                RecordingEnd::Trailing { after_end: true, bytes: length - behind }
            }
            Some(Announced { mark: true, .. }) => RecordingEnd::Mark,
            Some(_) => RecordingEnd::Disconnect,
            None => match (self.truncated, self.loose) {
                (Some((_, bytes, of)), _) => RecordingEnd::Truncated { bytes, of: Some(of) },
                (None, Some((_, bytes))) if bytes < game.block_head() as u64 => {
                    RecordingEnd::Truncated { bytes, of: None }
                }
                (None, Some((_, bytes))) => RecordingEnd::Trailing { after_end: false, bytes },
                (None, None) => RecordingEnd::Open,
            },
        }
    }
}
