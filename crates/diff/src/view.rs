//! Compares two recordings by the view: moments are aligned by the game's clock, and compared by the hash of the view,
//! so that the protocol, the order of messages or a superfluous message make no difference.

use crate::align::align;
use crate::change::{FieldChange, PiecePlace};
use crate::parts;
use crate::reel::Reel;
use crate::runs::{MomentDifferences, Runs};
use moviola_format::Game;
use moviola_state::{Playhead, World, quake, quake2, quakeworld};
use serde::Serialize;
use std::io::{self, Read};

/// A run of moments whose views differ.
///
/// A difference that begins in the middle of one is a run of its own, so runs may overlap.
///
/// ```
/// let recording = |kills: u8| {
///     let stat = [3, 14, kills, 0, 0, 0];
///     [&b"-1\n\x0b\0\0\0"[..], &[0; 12], b"\x07\0\0\x80\x3f", &stat].concat()
/// };
/// let (a, b) = (recording(1), recording(2));
/// let mut seen = Vec::new();
/// moviola_diff::diff_views(|| Ok(&a[..]), || Ok(&b[..]), &mut |change| { seen.push(change); Ok(()) }).unwrap();
/// assert_eq!((seen[0].blocks, seen[0].parts[0].new.as_deref()), (1, Some("2")));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ViewChange {
    /// Its beginning in the first recording; `None` if the first recording does not show these moments.
    pub a: Option<PiecePlace>,
    /// Its beginning in the second recording.
    pub b: Option<PiecePlace>,
    /// Its length in blocks.
    pub blocks: u64,
    /// The game's time at its end.
    pub until: Option<f64>,
    /// The differences that begin in its first moment; the run lasts as long as any of them.
    pub parts: Vec<FieldChange>,
}

/// Counts of the equal and the different moments.
///
/// ```
/// let file = b"\x01\0\0\0\x06\xff\xff\xff\xff";
/// let totals = moviola_diff::diff_views(|| Ok(&file[..]), || Ok(&file[..]), &mut |_| Ok(())).unwrap();
/// assert_eq!(totals.same, 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ViewTotals {
    /// Blocks after which both views are equal.
    pub same: u64,
    /// Blocks of the same moment whose views differ.
    pub changed: u64,
    /// Blocks whose moment is only in the first recording.
    pub removed: u64,
    /// Blocks whose moment is only in the second recording.
    pub added: u64,
}

impl ViewTotals {
    /// Whether a viewer sees no difference.
    ///
    /// ```
    /// assert!(moviola_diff::ViewTotals { same: 3, ..Default::default() }.is_same());
    /// ```
    pub fn is_same(&self) -> bool {
        self.changed == 0 && self.removed == 0 && self.added == 0
    }
}

/// Compares the pictures of two recordings, each of which is opened twice.
///
/// ```
/// let a = b"-1\n\x05\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f";
/// // The same, with a message that does nothing.
/// let b = b"-1\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x07\0\0\x80\x3f";
/// let totals = moviola_diff::diff_views(|| Ok(&a[..]), || Ok(&b[..]), &mut |_| Ok(())).unwrap();
/// assert!(totals.is_same());
/// ```
pub fn diff_views<R: Read, S: Read>(
    mut first: impl FnMut() -> io::Result<R>,
    mut second: impl FnMut() -> io::Result<S>,
    see: &mut dyn FnMut(ViewChange) -> io::Result<()>,
) -> io::Result<ViewTotals> {
    let (mut a, mut b) = (Reel::new(first()?)?, Reel::new(second()?)?);
    match (a.game(), b.game()) {
        (Some(Game::Quake), Some(Game::Quake)) => {
            let keys = (keys::<quake::World, _>(&mut a)?, keys::<quake::World, _>(&mut b)?);
            compare(&keys, Reel::new(first()?)?, Reel::new(second()?)?, parts::quake, see)
        }
        (Some(Game::Quake2), Some(Game::Quake2)) => {
            let keys = (keys::<quake2::World, _>(&mut a)?, keys::<quake2::World, _>(&mut b)?);
            compare(&keys, Reel::new(first()?)?, Reel::new(second()?)?, parts::quake2, see)
        }
        (Some(Game::QuakeWorld), Some(Game::QuakeWorld)) => {
            let keys = (keys::<quakeworld::World, _>(&mut a)?, keys::<quakeworld::World, _>(&mut b)?);
            compare(&keys, Reel::new(first()?)?, Reel::new(second()?)?, parts::quakeworld, see)
        }
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "these are not two recordings of one game")),
    }
}

/// The data of a block that is kept between the readings: its moment, and the hash of its view.
#[derive(Clone, Copy, Debug)]
struct Key {
    moment: u64,
    view: u64,
}

fn keys<W: World, R: Read>(reel: &mut Reel<R>) -> io::Result<Vec<Key>> {
    let mut head = Playhead::<W>::new();
    let mut keys = Vec::new();
    while let Some(item) = reel.next()? {
        if let Some(block) = item.block() {
            head.step(&block);
            keys.push(Key { moment: item.moment, view: head.world.view_hash() });
        }
    }
    Ok(keys)
}

/// A recording that is stepped through for the second time.
struct SecondReading<W, R> {
    reel: Reel<R>,
    head: Playhead<W>,
    place: PiecePlace,
}

impl<W: World, R: Read> SecondReading<W, R> {
    fn new(reel: Reel<R>) -> Self {
        Self { reel, head: Playhead::new(), place: PiecePlace::default() }
    }

    /// Goes to the next block.
    fn step(&mut self) -> io::Result<()> {
        while let Some(item) = self.reel.next()? {
            if let Some(block) = item.block() {
                self.head.step(&block);
                self.place = item.place;
                return Ok(());
            }
        }
        Ok(())
    }
}

fn compare<W: World, R: Read, S: Read>(
    (a, b): &(Vec<Key>, Vec<Key>),
    first: Reel<R>,
    second: Reel<S>,
    differing: fn(&W, &W) -> MomentDifferences,
    see: &mut dyn FnMut(ViewChange) -> io::Result<()>,
) -> io::Result<ViewTotals> {
    let moments = |keys: &[Key]| keys.iter().map(|key| key.moment).collect::<Vec<_>>();
    let (mut left, mut right) = (SecondReading::<W, R>::new(first), SecondReading::<W, S>::new(second));
    let mut totals = ViewTotals::default();
    let mut runs = Runs::new(see);
    for stretch in align(&moments(a), &moments(b)) {
        let (old, new) = (a.get(stretch.a).unwrap_or_default(), b.get(stretch.b).unwrap_or_default());
        // Blocks without a clock can only be compared by their number.
        if stretch.same || old.len() == new.len() {
            for (old, new) in old.iter().zip(new) {
                left.step()?;
                right.step()?;
                if old.view == new.view {
                    totals.same += 1;
                    runs.end_all()?;
                    continue;
                }
                totals.changed += 1;
                let differing = differing(&left.head.world, &right.head.world);
                runs.moment(left.place, right.place, differing)?;
            }
            continue;
        }
        totals.removed += old.len() as u64;
        one_sided(&mut left, old.len(), |place| (Some(place), None), &mut runs)?;
        totals.added += new.len() as u64;
        one_sided(&mut right, new.len(), |place| (None, Some(place)), &mut runs)?;
    }
    runs.end_all()?;
    Ok(totals)
}

/// Reports moments that only one recording shows.
fn one_sided<W: World, R: Read>(
    side: &mut SecondReading<W, R>,
    count: usize,
    places: fn(PiecePlace) -> (Option<PiecePlace>, Option<PiecePlace>),
    runs: &mut Runs<'_>,
) -> io::Result<()> {
    let mut change = None;
    for _ in 0..count {
        side.step()?;
        let (a, b) = places(side.place);
        let it = change.get_or_insert(ViewChange { a, b, blocks: 0, until: None, parts: Vec::new() });
        (it.blocks, it.until) = (it.blocks + 1, side.place.time);
    }
    match change {
        Some(change) => runs.one_sided(change),
        None => Ok(()),
    }
}
