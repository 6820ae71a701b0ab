//! Quake II: finds where the config strings and baselines at a level's beginning continue after damaged ones. Without
//! the rest of them nothing of the level is drawn.

use super::connect::LEVEL;
use moviola_format::names::quake2::MAX_CONFIGSTRINGS;
use moviola_format::{Context, Game, Messages, Quake2, Str, dm2, write_message};

/// How many places are tried at most.
const MAX_TRIES: usize = 64;

/// Repairs a damaged block of such a list whose damage is in the middle: returns the block without the damaged bytes,
/// and their number.
pub(super) fn without_damage(data: &[u8], context: &Context) -> Option<(Vec<u8>, usize)> {
    if context.game != Game::Quake2 {
        return None;
    }
    let (end, newest) = begin(data, context);
    let (head, rest) = data.split_at_checked(end)?;
    let places = rest.windows(3).enumerate().filter_map(|(at, bytes)| match bytes {
        [dm2::ConfigString::OP, low, high] => {
            let index = i32::from(i16::from_le_bytes([*low, *high]));
            (index > newest.0 && index < i32::from(MAX_CONFIGSTRINGS)).then_some(at)
        }
        [dm2::SpawnBaseline::OP, ..] => Some(at),
        _ => None,
    });
    let goes_on = |at: &usize| rest.get(*at..).is_some_and(|more| is_list(more, newest, context));
    let torn = places.take(MAX_TRIES).find(goes_on)?;
    Some(([head, rest.get(torn..)?].concat(), torn))
}

/// A block of such a list, in which the name of the level's file is restored from the damaged bytes.
pub(super) fn named(data: &[u8], damaged: &[u8], context: &Context) -> Option<Vec<u8>> {
    let from = damaged.windows(FOLDER.len()).position(|bytes| bytes == FOLDER)?;
    let name = damaged.get(from..)?.split_inclusive(|byte| *byte == 0).next()?;
    let is_name = name.ends_with(b".bsp\0") && name.iter().rev().skip(1).all(u8::is_ascii_graphic);
    let mut messages = Messages::<Quake2>::new(data, *context);
    let begins = messages.next().is_some_and(|it| matches!(it.message, dm2::Message::ServerData(_)));
    let (before, behind) = data.split_at_checked(if begins { messages.pos() } else { 0 })?;
    let mut out = before.to_vec();
    let level = dm2::ConfigString { index: LEVEL, string: Str::new(name) };
    write_message(&dm2::Message::from(level), &mut out, messages.context());
    out.extend_from_slice(behind);
    (is_name && name.len() <= MAX_QPATH).then_some(out)
}

const FOLDER: &[u8] = b"maps/";

/// The longest name of a file.
const MAX_QPATH: usize = 64;

/// The numbers of the last config string and of the last baseline that were read.
type Last = (i32, i32);

/// How many bytes of a block are the beginning of a list.
fn begin(data: &[u8], context: &Context) -> (usize, Last) {
    let (mut end, mut last) = (0, (-1, 0));
    let mut messages = Messages::<Quake2>::new(data, *context);
    while let Some(entry) = messages.next() {
        match entry.message {
            dm2::Message::ServerData(_) if end == 0 => {}
            dm2::Message::ConfigString(it) if i32::from(it.index) > last.0 => last.0 = it.index.into(),
            dm2::Message::SpawnBaseline(it) if i32::from(it.entity.0) > last.1 => {
                last.1 = it.entity.0.into();
            }
            dm2::Message::StuffText(_) => {}
            _ => break,
        }
        end = messages.pos();
    }
    (end, last)
}

fn is_list(list: &[u8], (mut string, mut baseline): Last, context: &Context) -> bool {
    let mut messages = Messages::<Quake2>::new(list, *context);
    let is_next = messages.by_ref().all(|entry| match entry.message {
        dm2::Message::ConfigString(it) => std::mem::replace(&mut string, it.index.into()) < it.index.into(),
        dm2::Message::SpawnBaseline(it) => {
            std::mem::replace(&mut baseline, it.entity.0.into()) < it.entity.0.into()
        }
        // The command with which the level is loaded.
        dm2::Message::StuffText(_) => true,
        _ => false,
    });
    is_next && messages.fault().is_none() && messages.pos() == list.len() && !list.is_empty()
}
