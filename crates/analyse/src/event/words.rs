//! Events in words, for a log that people read.

use super::{EventKind, EventPlayer};
use crate::GameText;
use std::fmt;

impl fmt::Display for EventPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name.is_empty(), self.slot) {
            (false, _) => write!(f, "{}", self.name),
            (true, Some(slot)) => write!(f, "player {}", slot.saturating_add(1)),
            (true, None) => f.write_str("somebody"),
        }
    }
}

/// A number, and the total.
struct OutOf<T>(Option<T>, Option<T>);

impl<T: fmt::Display> fmt::Display for OutOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0, &self.1) {
            (Some(done), Some(all)) => write!(f, "{done}/{all}"),
            (Some(done), None) => write!(f, "{done}"),
            (None, _) => f.write_str("?"),
        }
    }
}

/// A position in whole units.
struct Xyz([f64; 3]);

impl fmt::Display for Xyz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.map(WholeNumber);
        write!(f, "{x} {y} {z}")
    }
}

/// A number in the form of `{:.0}`. That format searches slowly for exact decimals, which most numbers do not need.
struct WholeNumber(f64);

impl fmt::Display for WholeNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const EXACT_RANGE: std::ops::Range<f64> = -1e15..1e15;
        let whole = self.0.round_ties_even();
        // Zero may have a sign.
        if whole != 0.0 && EXACT_RANGE.contains(&whole) {
            write!(f, "{}", whole as i64)
        } else {
            write!(f, "{:.0}", self.0)
        }
    }
}

fn mark(f: &mut fmt::Formatter<'_>, player: Option<&EventPlayer>, text: &GameText) -> fmt::Result {
    match player {
        Some(player) if text.text().is_empty() => write!(f, "{player}"),
        Some(player) => write!(f, "{player}: {text}"),
        None => write!(f, "{text}"),
    }
}

/// The side of the player from which an attack came, at an angle from the view.
fn side(degrees: f64) -> &'static str {
    match degrees {
        -45.0..=45.0 => "from the front",
        45.0..135.0 => "from the left",
        -135.0..-45.0 => "from the right",
        _ => "from behind",
    }
}

/// The event as a part of a sentence.
impl fmt::Display for EventKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LevelStart { map, title, protocol, max_clients } => {
                if let Some(map) = map {
                    write!(f, "{map}: ")?;
                }
                if !title.is_empty() {
                    write!(f, "{title}, ")?;
                }
                write!(f, "protocol {protocol}")?;
                if *max_clients > 1 { write!(f, ", room for {max_clients} players") } else { Ok(()) }
            }
            Self::LevelEnd { map, how, seconds, kills, total_kills, secrets, total_secrets } => {
                if let Some(map) = map {
                    write!(f, "{map}: ")?;
                }
                f.write_str(how)?;
                if let Some(seconds) = seconds {
                    write!(f, " after {seconds:.5} s")?;
                }
                if kills.is_some() {
                    let (kills, secrets) = (OutOf(*kills, *total_kills), OutOf(*secrets, *total_secrets));
                    write!(f, ", kills {kills}, secrets {secrets}")?;
                }
                Ok(())
            }
            Self::Intermission {} => f.write_str("the scores"),
            Self::Finale { text } | Self::Cutscene { text } => write!(f, "{text}"),
            Self::Pause { on } => f.write_str(if *on { "the game stops" } else { "the game goes on" }),
            Self::Join { player } => write!(f, "{player}"),
            Self::Leave { player, frags } => match frags {
                Some(frags) => write!(f, "{player}, with {frags} frags"),
                None => write!(f, "{player}"),
            },
            Self::Rename { player, before } => write!(f, "{before} is now {player}"),
            Self::Recolor { player, shirt: Some(shirt), pants: Some(pants), .. } => {
                write!(f, "{player}: shirt {shirt}, pants {pants}")
            }
            Self::Recolor { player, skin, .. } => match skin {
                Some(skin) => write!(f, "{player}: {skin}"),
                None => write!(f, "{player}"),
            },
            Self::Frags { player, frags, change } => write!(f, "{player}: {frags} ({change:+})"),
            Self::Chat { player, text, team, .. } => {
                if *team {
                    write!(f, "({player}): {text}")
                } else {
                    write!(f, "{player}: {text}")
                }
            }
            Self::Console { text } | Self::Centerprint { text } | Self::Flag { text, .. } => {
                write!(f, "{text}")
            }
            Self::Kill { class, weapon, text, .. } => match (weapon.is_empty(), *class == "kill") {
                (true, true) => write!(f, "{text}"),
                (true, false) => write!(f, "{text} ({class})"),
                (false, true) => write!(f, "{text} ({weapon})"),
                (false, false) => write!(f, "{text} ({class}, {weapon})"),
            },
            Self::Command { text, danger } => match danger {
                Some(danger) => write!(f, "{text} (danger: {danger})"),
                None => write!(f, "{text}"),
            },
            Self::Disconnect {} => f.write_str("the server ends it"),
            // All other kinds are listed, so that the compiler reports a new kind that has no words yet.
            Self::Pickup { .. }
            | Self::Drop { .. }
            | Self::Hit { .. }
            | Self::Match { .. }
            | Self::Bookmark { .. }
            | Self::Accuracy { .. }
            | Self::Timer { .. }
            | Self::Expire { .. }
            | Self::Weapon { .. }
            | Self::Shot { .. }
            | Self::Damage { .. }
            | Self::Monster { .. }
            | Self::Boss { .. }
            | Self::Secret { .. }
            | Self::Teleport { .. }
            | Self::PowerupStart { .. }
            | Self::PowerupEnd { .. }
            | Self::ItemSeen { .. }
            | Self::ItemTaken { .. }
            | Self::ItemBack { .. }
            | Self::Spawn { .. }
            | Self::Death { .. }
            | Self::Body { .. } => self.play(f),
        }
    }
}

impl EventKind {
    /// The words of those kinds that `Display` leaves to this function: items, fights, and a player's own state.
    fn play(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pickup { item, amount, player, .. } => {
                if let Some(player) = player {
                    write!(f, "{player}: ")?;
                }
                write!(f, "{item}")?;
                amount.map_or(Ok(()), |amount| write!(f, " {amount}"))
            }
            Self::Drop { player, weapon, entity } => {
                let what = if weapon.is_empty() { "no weapon" } else { weapon };
                write!(f, "{player}: a backpack with {what} (#{entity})")
            }
            Self::Hit { attacker, victim, weapon, damage, .. } => {
                write!(f, "{victim}: -{damage}")?;
                match attacker {
                    Some(attacker) if attacker != victim => write!(f, ", by {attacker}")?,
                    _ => {}
                }
                if weapon.is_empty() { Ok(()) } else { write!(f, " ({weapon})") }
            }
            Self::Match { what } => f.write_str(what),
            Self::Bookmark { player, text } => mark(f, player.as_ref(), text),
            Self::Accuracy { player, weapon, attacks, hits } => {
                write!(f, "{player}: {weapon}, {hits} of {attacks}")
            }
            Self::Timer { item, entity, seconds } => {
                write!(f, "{item}, back in {} s (#{entity})", WholeNumber(*seconds))
            }
            Self::Expire { entity } => write!(f, "the backpack (#{entity})"),
            Self::Weapon { weapon, .. } => write!(f, "{weapon}"),
            Self::Shot { player, weapon, pellets, hits, .. } => match hits.zip(*pellets) {
                Some((hits, pellets)) => write!(f, "{player}: {weapon}, {hits} of {pellets} pellets hit"),
                None => write!(f, "{player}: {weapon}"),
            },
            Self::Damage { health, armor, health_left, armor_left, direction, attacker, .. } => {
                match (*health, *armor) {
                    (_, 0) => write!(f, "-{health} health")?,
                    (0, _) => write!(f, "-{armor} armor")?,
                    _ => write!(f, "-{health} health, -{armor} armor")?,
                }
                write!(f, ": {health_left}/{armor_left} left")?;
                if let Some(direction) = direction {
                    write!(f, ", {}", side(*direction))?;
                }
                match attacker {
                    Some(attacker) => write!(f, ", by {attacker}"),
                    None => Ok(()),
                }
            }
            Self::Monster { kills, total, name, .. } => {
                let count = OutOf(Some(*kills), *total);
                match name {
                    Some(name) => write!(f, "{count}, {name}"),
                    None => write!(f, "{count}"),
                }
            }
            Self::Boss { name, state, hits, seconds, .. } => {
                write!(f, "{name} is {state}")?;
                match seconds {
                    Some(seconds) if *hits > 0 => {
                        let noun = if *hits == 1 { "hit" } else { "hits" };
                        write!(f, ", {hits} {noun} in {seconds:.1} s")
                    }
                    Some(seconds) => write!(f, ", after {seconds:.1} s"),
                    None => Ok(()),
                }
            }
            Self::Secret { secrets, total } => write!(f, "{}", OutOf(Some(*secrets), *total)),
            Self::Teleport { from, to } => write!(f, "{} to {}", Xyz(*from), Xyz(*to)),
            Self::PowerupStart { powerup } | Self::PowerupEnd { powerup, seconds: None } => {
                f.write_str(powerup)
            }
            Self::PowerupEnd { powerup, seconds: Some(seconds) } => {
                write!(f, "{powerup}, after {seconds:.1} s")
            }
            Self::ItemSeen { entity, item, origin } => write!(f, "{item} at {} (#{entity})", Xyz(*origin)),
            Self::ItemTaken { entity, item, origin, own, player } => {
                write!(f, "{item} at {}", Xyz(*origin))?;
                match player {
                    Some(player) => write!(f, " by {player}")?,
                    None if *own == Some(true) => f.write_str(" by the recorder")?,
                    None => {}
                }
                write!(f, " (#{entity})")
            }
            Self::ItemBack { entity, item, origin, seconds } => {
                write!(f, "{item} at {}", Xyz(*origin))?;
                if let Some(seconds) = seconds {
                    write!(f, ", after {seconds:.1} s")?;
                }
                write!(f, " (#{entity})")
            }
            Self::Spawn { player, origin, .. } | Self::Death { player, origin, .. } => match origin {
                Some(origin) => write!(f, "{player} at {}", Xyz(*origin)),
                None => write!(f, "{player}"),
            },
            Self::Body { entity, player, origin } => write!(f, "of {player} at {} (#{entity})", Xyz(*origin)),
            // The words of all other kinds are in `Display`.
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_as_the_library_has_them() {
        let few = [0.0, -0.0, 0.4, -0.4, 0.5, -0.5, 99.96, 1e14, 1e15, -1e20, f64::NAN, f64::INFINITY];
        for number in few.into_iter().chain((-4000..4000).map(|eighths| f64::from(eighths) / 8.0)) {
            assert_eq!(WholeNumber(number).to_string(), format!("{number:.0}"));
        }
    }

    use crate::GameText;

    #[test]
    fn events_are_half_sentences() {
        let text_of = |text: &str| GameText::new(text.as_bytes());
        let damage = EventKind::Damage {
            health: 12,
            armor: 3,
            health_left: 88,
            armor_left: 0,
            direction: Some(-170.0),
            origin: None,
            attacker: Some(text_of("Ogre")),
        };
        assert_eq!(damage.to_string(), "-12 health, -3 armor: 88/0 left, from behind, by Ogre");
        let EventKind::Damage { health, health_left, direction, origin, attacker, .. } = damage else {
            panic!("a blow")
        };
        let bare =
            EventKind::Damage { health, armor: 0, health_left, armor_left: 0, direction, origin, attacker };
        assert_eq!(bare.to_string(), "-12 health: 88/0 left, from behind, by Ogre");
        let leave = EventKind::Leave { player: EventPlayer::new(Some(2), b""), frags: Some(-1) };
        assert_eq!(leave.to_string(), "player 3, with -1 frags");
        let monster = EventKind::Monster { kills: 3, total: Some(12), name: Some("Fiend"), origin: None };
        assert_eq!(monster.to_string(), "3/12, Fiend");
        assert_eq!(EventKind::Centerprint { text: text_of("a\nb\n") }.to_string(), "a b");
    }
}
