//! Who is whom in a report: a player keeps what he did under another name, and who comes back is the same.

use super::facts::PlayerReport;
use crate::{Said, Standing, Who};

/// So many earlier names of a player are remembered.
const EARLIER: usize = 16;

/// Whose row of the scores this is, by place: who was in the slot, or else those of the name who are in none.
pub(super) fn place(players: &[PlayerReport], row: &Standing) -> Option<usize> {
    let named = |it: &PlayerReport| it.name == row.name || it.earlier.contains(&row.name);
    let of = |slot: Option<u8>| players.iter().position(|it| it.slot == slot && named(it));
    of(Some(row.slot)).or_else(|| of(None)).or_else(|| players.iter().position(|it| it.away && named(it)))
}

/// The player, who is new if nobody of this name is in his slot. There are at most `most`.
pub(super) fn find<'p>(
    players: &'p mut Vec<PlayerReport>,
    who: &Who,
    most: usize,
) -> Option<&'p mut PlayerReport> {
    let name = who.name.as_line();
    let of_name =
        |is: &dyn Fn(&PlayerReport) -> bool| players.iter().position(|it| it.name == name && is(it));
    let found = of_name(&|it| it.slot == who.slot).or_else(|| of_name(&|it| it.away));
    let at = match found {
        Some(at) => at,
        None if players.len() < most => {
            let name_hex = who.name.line_hex();
            let name = name.into_owned();
            players.push(PlayerReport { name, name_hex, slot: who.slot, ..PlayerReport::default() });
            players.len().saturating_sub(1)
        }
        None => return None,
    };
    let player = players.get_mut(at)?;
    player.slot = who.slot.or(player.slot);
    player.away = false;
    Some(player)
}

/// Whoever leaves may come back in another slot; so may everybody where a level begins.
pub(super) fn away(players: &mut [PlayerReport], who: Option<&Who>) {
    let leaves = |it: &PlayerReport| {
        who.is_none_or(|who| it.name == who.name.as_line() && (who.slot.is_none() || it.slot == who.slot))
    };
    players.iter_mut().filter(|it| leaves(it)).for_each(|it| it.away = true);
}

/// A player has another name from now on.
pub(super) fn rename(players: &mut [PlayerReport], who: &Who, before: &Said) {
    let before = before.as_line();
    let same = players.iter_mut().find(|it| it.name == before && it.slot.is_some() && it.slot == who.slot);
    if let Some(player) = same {
        let before = std::mem::replace(&mut player.name, who.name.line());
        player.name_hex = who.name.line_hex();
        if player.earlier.len() < EARLIER && !player.earlier.contains(&before) {
            player.earlier.push(before);
        }
    }
}
