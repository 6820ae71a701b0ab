//! The visible parts of QuakeWorld's world, by name.

// not from SCHEMA, all words: parts of a picture have names of their own
use super::{Parts, TEXT, begin, bytes, compare, list, stat, text};
use crate::runs::MomentDifferences;
use moviola_format::names::quake::STAT;
use moviola_format::{Angle, Angle16, Coord};
use moviola_state::quakeworld::{Body, Happening, Player, World};

/// The visible differences between two worlds of QuakeWorld.
pub(crate) fn quakeworld(a: &World, b: &World) -> MomentDifferences {
    let begun = |world: &World| begin(world.moment.iter().filter_map(|it| begins(world, it)));
    compare(&[&parts(a, b), &parts(b, a)], &[&begun(a), &begun(b)])
}

/// The contents of a world. Players, entities and lights that are equal in `other` are left out.
fn parts(world: &World, other: &World) -> Parts {
    let mut parts = Parts::new();
    let mut add_part = |name: String, value: String| drop(parts.insert(name, value));
    add_part("title".into(), text(&world.level.title));
    add_part("level".into(), bytes(world.level.map()));
    let nobody = Player::default();
    for (slot, player) in world.players.iter().enumerate() {
        if other.players.get(slot).unwrap_or(&nobody) == player {
            continue;
        }
        add_part(format!("player {slot} name"), bytes(player.name()));
        add_part(format!("player {slot} team"), bytes(player.team()));
        add_part(format!("player {slot} frags"), player.frags.to_string());
        add_part(format!("player {slot} ping"), player.ping.to_string());
        add_part(format!("player {slot} loss"), player.loss.to_string());
        let info =
            player.info.iter().flat_map(|(key, value)| ["\\".into(), text(key), "\\".into(), text(value)]);
        add_part(format!("player {slot} info"), info.collect());
    }
    for (slot, body) in world.bodies.iter().enumerate() {
        let before = other.bodies.get(slot);
        if body.seen.is_some() && !before.is_some_and(|it| is_alike(it, body)) {
            add_part(format!("player {slot} model"), bytes(world.level.models.get(usize::from(body.model))));
            add_part(format!("player {slot} origin"), list(body.origin.map(Coord::value)));
            add_part(format!("player {slot} angles"), list(body.angles.map(Angle16::value)));
            let Body { frame, skin, effects, weapon_frame, dead, gib, .. } = body;
            let look = format!("frame {frame}, skin {skin}, effects {effects}, weapon frame {weapon_frame}");
            add_part(format!("player {slot} look"), look);
            add_part(format!("player {slot} state"), format!("dead {dead}, gib {gib}"));
        }
    }
    for (slot, stats) in world.stats.iter().enumerate() {
        for (place, value) in stats.iter().enumerate() {
            let before = other.stats.get(slot).and_then(|stats| stats.get(place));
            if before.copied().unwrap_or_default() != *value {
                add_part(format!("player {slot} {}", stat(STAT, place)), value.to_string());
            }
        }
    }
    for (style, light) in world.lights.iter() {
        if other.lights.get(style) != Some(light) {
            add_part(format!("light style {style}"), text(light));
        }
    }
    let others = other.entities.all();
    for (number, entity) in world.entities.all() {
        let before =
            others.binary_search_by_key(number, |(number, _)| *number).ok().and_then(|at| others.get(at));
        if before.is_some_and(|(_, it)| it == entity) {
            continue;
        }
        let place = entity.place();
        add_part(
            format!("entity {number} model"),
            bytes(world.level.models.get(usize::from(entity.model()))),
        );
        let look = (entity.frame(), entity.skin(), entity.effects(), entity.colormap());
        add_part(
            format!("entity {number} look"),
            format!("frame {}, skin {}, effects {}, colors {}", look.0, look.1, look.2, look.3),
        );
        add_part(format!("entity {number} origin"), list(place.origin.map(Coord::value)));
        add_part(format!("entity {number} angles"), list(place.angles.map(Angle::value)));
    }
    add_part("pause".into(), world.paused.to_string());
    add_part("intermission".into(), world.intermission.to_string());
    parts
}

/// Whether two players look the same; the time of their last update does not matter.
fn is_alike(one: &Body, other: &Body) -> bool {
    let look = |it: &Body| (it.model, it.frame, it.skin, it.effects, it.weapon_frame, it.dead, it.gib);
    one.origin == other.origin && one.angles == other.angles && look(one) == look(other)
}

fn begins(world: &World, it: &Happening) -> Option<(&'static str, String)> {
    Some(match it {
        Happening::Print { text: line, .. } => (TEXT, text(line)),
        Happening::CenterPrint { text: line, .. } => ("center text", text(line)),
        Happening::Command { text: line, .. } => ("command", text(line)),
        Happening::Sound { entity, channel, number, origin } => {
            let file = bytes(world.level.sounds.get(usize::from(*number)));
            let at = list(origin.map(Coord::value));
            ("sound", format!("{file}, entity {entity}, channel {channel}, at {at}"))
        }
        Happening::Hurt(it) => {
            ("damage", format!("{} to entity {} by entity {}", it.damage, it.victim, it.attacker))
        }
        // The player's input is not seen.
        Happening::Pressed { .. } => return None,
    })
}
