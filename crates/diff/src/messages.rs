//! Two recordings, message by message.

use crate::align::align;
use crate::change::{Change, ChangeKind, DiffTotals, FieldChange, MessageChange};
use crate::reel::{ItemKind, Reel, ReelItem};
use crate::stamps;
use crate::worded::{WordedMessage, worded_messages};
use moviola_format::Game;
use moviola_text::StatementKind;
use std::fmt::Write as _;
use std::io::{self, Read};

/// A step through the pieces of both recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Both sides have these messages, and they are equal.
    Same(usize),
    /// Both sides have these messages, and they differ.
    Pair(usize),
    /// Only the first recording has these messages.
    First(usize),
    /// Only the second recording has these messages.
    Second(usize),
}

/// The data of a piece that is kept between the readings.
#[derive(Clone, Copy, Debug)]
struct Key {
    hash: u64,
    moment: u64,
}

/// Compares two recordings, each of which is opened twice. `see` is called with each difference, in the order of the
/// recordings.
///
/// ```
/// let file = b"\x01\0\0\0\x06\xff\xff\xff\xff";
/// let totals = moviola_diff::diff(|| Ok(&file[..]), || Ok(&file[..]), &mut |_| Ok(())).unwrap();
/// assert!(totals.is_same() && totals.same == 1);
/// ```
pub fn diff<R: Read, S: Read>(
    mut first: impl FnMut() -> io::Result<R>,
    mut second: impl FnMut() -> io::Result<S>,
    see: &mut dyn FnMut(Change) -> io::Result<()>,
) -> io::Result<DiffTotals> {
    let (a, b) = (keys(first()?)?, keys(second()?)?);
    let steps = steps(&a, &b);
    drop((a, b));
    let (mut a, mut b) = (Reel::new(first()?)?, Reel::new(second()?)?);
    let mut totals = DiffTotals::default();
    for step in steps {
        match step {
            Step::Same(count) => {
                for _ in 0..count {
                    let is_block = a.next()?.is_some_and(|item| item.block().is_some());
                    b.next()?;
                    totals.same += u64::from(is_block);
                }
            }
            Step::Pair(count) => {
                for _ in 0..count {
                    let (Some(old), Some(new)) = (a.next()?, b.next()?) else { continue };
                    let change = pair((&old, a.game()), (&new, b.game()));
                    totals.changed += 1;
                    totals.in_bytes_only += u64::from(change.is_in_bytes_only());
                    see(change)?;
                }
            }
            Step::First(count) => {
                for _ in 0..count {
                    let Some(item) = a.next()? else { break };
                    totals.removed += 1;
                    see(one_sided(&item, a.game(), ChangeKind::Removed))?;
                }
            }
            Step::Second(count) => {
                for _ in 0..count {
                    let Some(item) = b.next()? else { break };
                    totals.added += 1;
                    see(one_sided(&item, b.game(), ChangeKind::Added))?;
                }
            }
        }
    }
    Ok(totals)
}

fn keys(source: impl Read) -> io::Result<Vec<Key>> {
    let mut reel = Reel::new(source)?;
    let mut keys = Vec::new();
    while let Some(item) = reel.next()? {
        keys.push(Key { hash: item.hash(), moment: item.moment });
    }
    Ok(keys)
}

/// Aligns the pieces: first those that are equal, between them those of the same moment, and then the remaining ones in
/// pairs.
fn steps(a: &[Key], b: &[Key]) -> Vec<Step> {
    let hashes = |keys: &[Key]| keys.iter().map(|key| key.hash).collect::<Vec<_>>();
    let mut steps = Vec::new();
    for stretch in align(&hashes(a), &hashes(b)) {
        if stretch.same {
            steps.push(Step::Same(stretch.a.len()));
            continue;
        }
        let moments = |keys: &[Key]| keys.iter().map(|key| key.moment).collect::<Vec<_>>();
        let left = moments(a.get(stretch.a).unwrap_or_default());
        let right = moments(b.get(stretch.b).unwrap_or_default());
        for inner in align(&left, &right) {
            let (old, new) = (inner.a.len(), inner.b.len());
            if inner.same {
                steps.push(Step::Pair(old));
            } else {
                // Of these messages only the number is known.
                let both = if old == new { old } else { 0 };
                let more = [Step::Pair(both), Step::First(old - both), Step::Second(new - both)];
                steps.extend(more);
            }
        }
    }
    steps
}

fn one_sided(item: &ReelItem, game: Option<Game>, how: ChangeKind) -> Change {
    let (messages, rest) = worded_messages(item, game);
    let place = Some(item.place);
    let (a, b) = if how == ChangeKind::Removed { (place, None) } else { (None, place) };
    let mut fields = Vec::new();
    let data = shown(item.kind, &rest);
    let name = rest_of(item.kind).to_owned();
    match (data, how) {
        (None, _) => {}
        (old, ChangeKind::Removed) => fields.push(FieldChange { name, old, new: None }),
        (new, _) => fields.push(FieldChange { name, old: None, new }),
    }
    let messages = messages.iter().map(|it| it.one_sided(how)).collect();
    Change { piece: item.kind.word(), a, b, fields, messages }
}

/// The name for bytes of a piece that are not a message.
fn rest_of(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Header => StatementKind::Track.keyword(),
        _ => "bytes",
    }
}

/// These bytes in readable form, if there are any.
fn shown(kind: ItemKind, bytes: &[u8]) -> Option<String> {
    match kind {
        ItemKind::Header => Some(format!("\"{}\"", bytes.escape_ascii())),
        _ => (!bytes.is_empty()).then(|| hex(bytes)),
    }
}

fn pair(old: (&ReelItem, Option<Game>), new: (&ReelItem, Option<Game>)) -> Change {
    let ((a, raw_a), (b, raw_b)) = (worded_messages(old.0, old.1), worded_messages(new.0, new.1));
    let mut fields = heads(old.0.kind, new.0.kind);
    if raw_a != raw_b {
        let (name, old) = (rest_of(old.0.kind).to_owned(), shown(old.0.kind, &raw_a));
        fields.push(FieldChange { name, old, new: shown(new.0.kind, &raw_b) });
    }
    Change {
        piece: old.0.kind.word(),
        a: Some(old.0.place),
        b: Some(new.0.place),
        fields,
        messages: messages(&a, &b),
    }
}

/// The differences between the heads of two pieces.
fn heads(old: ItemKind, new: ItemKind) -> Vec<FieldChange> {
    let mut fields = Vec::new();
    let differ = |fields: &mut Vec<FieldChange>, name: &str, old: String, new: String| {
        if old != new {
            fields.push(FieldChange { name: name.into(), old: Some(old), new: Some(new) });
        }
    };
    match (old, new) {
        (
            ItemKind::Block { angles: old, stamp: before, .. },
            ItemKind::Block { angles: new, stamp: after, .. },
        ) => {
            fields.extend(stamps::changes(&before, &after));
            let words = |angles: [u32; 3]| {
                let parts = angles.map(|bits| {
                    let value = f32::from_bits(bits);
                    // Two NaNs may print the same although their bits differ.
                    if value.is_nan() { format!("nan:0x{bits:08X}") } else { format!("{value:?}") }
                });
                parts.join(" ")
            };
            differ(&mut fields, StatementKind::Camera.keyword(), words(old), words(new));
        }
        (old, new) => differ(&mut fields, "piece", old.word().into(), new.word().into()),
    }
    fields
}

/// Aligns the messages of two blocks: first equal ones, then those about the same object, then those of the same kind.
fn messages(a: &[WordedMessage], b: &[WordedMessage]) -> Vec<MessageChange> {
    let mut changes = Vec::new();
    let list =
        |list: &[WordedMessage], key: fn(&WordedMessage) -> u64| list.iter().map(key).collect::<Vec<_>>();
    for stretch in align(&list(a, |it| it.hash), &list(b, |it| it.hash)) {
        if stretch.same {
            continue;
        }
        let (old, new) = (a.get(stretch.a).unwrap_or_default(), b.get(stretch.b).unwrap_or_default());
        for inner in align(&list(old, |it| it.subject_hash), &list(new, |it| it.subject_hash)) {
            let (old, new) = (old.get(inner.a).unwrap_or_default(), new.get(inner.b).unwrap_or_default());
            if inner.same {
                let pairs = old.iter().zip(new).filter(|(old, new)| old.hash != new.hash);
                changes.extend(pairs.map(|(old, new)| old.changed(new)));
                continue;
            }
            changes.extend(old.iter().map(|it| it.one_sided(ChangeKind::Removed)));
            changes.extend(new.iter().map(|it| it.one_sided(ChangeKind::Added)));
        }
    }
    changes
}

/// Bytes in hexadecimal; of very many, the first.
fn hex(bytes: &[u8]) -> String {
    const MAX_SHOWN: usize = 64;
    let mut text = String::new();
    // Writing into a string cannot fail.
    for byte in bytes.iter().take(MAX_SHOWN) {
        let _ = write!(text, "{byte:02x}");
    }
    if bytes.len() > MAX_SHOWN {
        let _ = write!(text, "... ({} bytes)", bytes.len());
    }
    text
}
