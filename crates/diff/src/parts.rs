//! The contents of the screen as named parts, to describe the difference if the hashes of two views differ.

// not from SCHEMA, all words: parts of a picture have names of their own
mod quakeworld;

pub(crate) use quakeworld::quakeworld;

use crate::change::FieldChange;
use crate::runs::MomentDifferences;
use moviola_format::names::{Meaning, value_name};
use moviola_format::{Angle8, Angle16, Quarters, Volume};
use moviola_state::{Text, quake, quake2};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The contents of the screen: values by names.
type Parts = BTreeMap<String, String>;

/// The visible differences between two worlds of Quake.
pub(crate) fn quake(a: &quake::World, b: &quake::World) -> MomentDifferences {
    let begun = |world: &quake::World| begin(world.moment.iter().filter_map(|it| quake_begins(world, it)));
    compare(&[&of_quake(a, b), &of_quake(b, a)], &[&begun(a), &begun(b)])
}

/// The visible differences between two worlds of Quake II.
pub(crate) fn quake2(a: &quake2::World, b: &quake2::World) -> MomentDifferences {
    let begun = |world: &quake2::World| begin(world.moment.iter().filter_map(|it| quake2_begins(world, it)));
    compare(&[&of_quake2(a, b), &of_quake2(b, a)], &[&begun(a), &begun(b)])
}

fn compare(lasting: &[&Parts; 2], begun: &[&Parts; 2]) -> MomentDifferences {
    let (mut lasting, begun) = (differing(lasting), differing(begun));
    if lasting.is_empty() && begun.is_empty() {
        // The view's hash covers details that have no name here.
        lasting.push(FieldChange { name: "something without a name".into(), old: None, new: None });
    }
    MomentDifferences { lasting, begun }
}

fn differing([a, b]: &[&Parts; 2]) -> Vec<FieldChange> {
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let changes = names.into_iter().map(|name| FieldChange {
        name: name.clone(),
        old: a.get(name).cloned(),
        new: b.get(name).cloned(),
    });
    changes.filter(|it| it.old != it.new).collect()
}

/// The contents of a world's screen. Entities, players and lights that are equal in `other` are left out.
fn of_quake(world: &quake::World, other: &quake::World) -> Parts {
    use moviola_format::names::quake::{ITEMS, STAT};
    let mut parts = Parts::new();
    let mut add_part = |name: String, value: String| drop(parts.insert(name, value));
    add_part("title".into(), text(&world.level.title));
    for (place, value) in world.stats.all().iter().enumerate() {
        if place == quake::Stat::WeaponModel as usize {
            let model = usize::try_from(*value).unwrap_or_default();
            add_part("weapon model".into(), bytes(world.level.models.get(model)));
        } else {
            add_part(stat(STAT, place), value.to_string());
        }
    }
    let vitals = &world.vitals;
    let items =
        Meaning::Bits(ITEMS).name(i64::from(vitals.items)).map_or_else(String::new, |it| it.to_string());
    add_part("items".into(), items);
    add_part("eye height".into(), vitals.view_height.to_string());
    add_part("kick".into(), list(vitals.punch));
    add_part("velocity".into(), list(vitals.velocity));
    add_part("on ground".into(), vitals.on_ground.to_string());
    add_part("in water".into(), vitals.in_water.to_string());
    add_part("weapon alpha".into(), vitals.weapon_alpha.to_string());
    add_part("camera".into(), format!("entity {}", world.view.entity));
    add_part("camera angles".into(), list(world.view.angles.iter().map(|it| f64::from(it.value()))));
    for (slot, player) in world.players.iter().enumerate() {
        if other.players.get(slot) == Some(player) {
            continue;
        }
        add_part(format!("player {slot} name"), text(&player.name));
        add_part(format!("player {slot} frags"), player.frags.to_string());
        let (shirt, trousers) = (player.colors.shirt(), player.colors.pants());
        add_part(format!("player {slot} colors"), format!("shirt {shirt}, trousers {trousers}"));
    }
    add_part("pause".into(), world.paused.to_string());
    add_part("scene".into(), format!("{:?}", world.ending.scene).to_lowercase());
    add_part("scene text".into(), world.caption().map_or_else(String::new, text));
    add_part("music".into(), world.music.map_or_else(|| "none".into(), list));
    add_part("sky".into(), text(&world.sky));
    add_part("fog".into(), fog(&world.fog));
    let lights: Vec<_> = other.lights.iter().collect();
    for (style, light) in world.lights.iter().enumerate() {
        if lights.get(style) == Some(&light) {
            continue;
        }
        add_part(format!("light style {style}"), text(light));
    }
    for (number, thing) in world.statics.iter().enumerate() {
        if other.statics.get(number) == Some(thing) {
            continue;
        }
        add_part(
            format!("static {number} model"),
            bytes(world.level.models.get(usize::from(thing.look.model))),
        );
        add_part(format!("static {number} look"), look(&thing.look));
        add_part(format!("static {number} origin"), list(thing.place.origin.iter().map(|it| it.value())));
    }
    let shown: BTreeMap<u16, &quake::Entity> = other.shown().collect();
    for (number, entity) in world.shown() {
        let model = |world: &quake::World| bytes(world.level.models.get(usize::from(entity.look.model)));
        let same = |it: &quake::Entity| it.look == entity.look && it.place == entity.place;
        if shown.get(&number).is_some_and(|it| same(it)) && model(world) == model(other) {
            continue;
        }
        add_part(format!("entity {number} model"), model(world));
        add_part(format!("entity {number} frame"), entity.look.frame.to_string());
        add_part(format!("entity {number} look"), look(&entity.look));
        add_part(format!("entity {number} origin"), list(entity.place.origin.iter().map(|it| it.value())));
        add_part(format!("entity {number} angles"), list(entity.place.angles.iter().map(|it| it.value())));
    }
    parts
}

fn look(look: &quake::EntityLook) -> String {
    let quake::EntityLook { skin, effects, colormap, alpha, scale, .. } = look;
    format!("skin {skin}, effects {effects}, colors {colormap}, alpha {alpha}, scale {scale}")
}

fn fog(fog: &quake::Fog) -> String {
    match fog {
        quake::Fog::Usual => "the level's own".into(),
        quake::Fog::Fitz([density, color @ ..], time) => {
            let color = list(color.map(Volume::value));
            format!("density {}, color {color}, in {time}", density.value())
        }
        quake::Fog::Nehahra(it) => format!("{it:?}"),
    }
}

/// The momentary events of a block, by their kind; consecutive texts are joined.
fn begin(all: impl Iterator<Item = (&'static str, String)>) -> Parts {
    let mut parts = Parts::new();
    for (kind, value) in all {
        if kind == TEXT {
            parts.entry(TEXT.into()).or_default().push_str(&value);
            continue;
        }
        let name = match parts.keys().filter(|name| name.starts_with(kind)).count() {
            0 => kind.to_owned(),
            before => format!("{kind} {}", before + 1),
        };
        parts.insert(name, value);
    }
    parts
}

/// The text of the console.
const TEXT: &str = "text";

fn quake_begins(world: &quake::World, it: &quake::Happening) -> Option<(&'static str, String)> {
    use moviola_format::names::quake::TEMP_ENTITY;
    use quake::Happening as Is;
    let file = |number: u16| bytes(world.level.sounds.get(usize::from(number)));
    let place = |at: &[moviola_format::Coord; 3]| list(at.iter().map(|it| it.value()));
    Some(match it {
        Is::Sound(it) => {
            let (from, at) = (&it.source, place(&it.origin));
            (
                "sound",
                format!("{}, entity {}, channel {}, at {at}", file(it.number), from.entity, from.channel),
            )
        }
        Is::StopSound(it) => ("sound", format!("none, entity {}, channel {}", it.entity, it.channel)),
        Is::LocalSound(number) => ("sound", file(*number)),
        Is::Effect(it) => {
            ("effect", format!("{} at {}", named(TEMP_ENTITY, it.kind.into()), place(&it.origin)))
        }
        Is::DarkPlacesEffect(it) => {
            ("effect", format!("{} at {}", named(TEMP_ENTITY, it.kind.into()), place(&it.origin)))
        }
        Is::Particles(it) => {
            ("particles", format!("{} of color {} at {}", it.count, it.color, place(&it.origin)))
        }
        Is::Print(it) => (TEXT, text(it)),
        Is::CenterPrint(it) => ("center text", text(it)),
        Is::Command(it) => ("command", text(it)),
        Is::Damage(it) => {
            ("blow", format!("{} of health, {} of armor, from {}", it.health, it.armor, place(&it.origin)))
        }
        Is::Flash => ("flash", "once".into()),
        Is::SellScreen => ("sell screen", "once".into()),
        Is::Achievement(it) => ("achievement", text(it)),
        Is::Foreign(kind, at) => ("effect", format!("of kind {kind} at {}", place(at))),
        Is::Voice(player) => ("voice", format!("of player {player}")),
        // The counts show these.
        Is::Kill | Is::Secret => return None,
    })
}

fn quake2_begins(world: &quake2::World, it: &quake2::Happening) -> Option<(&'static str, String)> {
    use moviola_format::names::quake2::TEMP_ENTITY;
    use quake2::MomentKind;
    let recipient = it.client.map_or(String::new(), |client| format!("client {client}: "));
    let (kind, value) = match &it.what {
        MomentKind::Sound(it) => {
            ("sound", format!("{}, entity {}", bytes(world.config.sound(it.number)), it.source.entity()))
        }
        MomentKind::PlayerFlash(entity, weapon) | MomentKind::MonsterFlash(entity, weapon) => {
            ("flash", format!("entity {entity}, weapon {weapon}"))
        }
        MomentKind::Effect(it) => {
            let at = list(it.origin.iter().map(|it| it.value()));
            ("effect", format!("{} at {at}", named(TEMP_ENTITY, it.kind.into())))
        }
        MomentKind::Print(_, it) => (TEXT, text(it)),
        MomentKind::CenterPrint(it) => ("center text", text(it)),
        MomentKind::Command(it) => ("command", text(it)),
        MomentKind::Reconnect | MomentKind::Download(..) => return None,
    };
    Some((kind, recipient + &value))
}

/// The name of a number, or the number itself if it has none.
fn named(names: &'static [(i64, &'static str)], number: i64) -> String {
    value_name(names, number).map_or_else(|| format!("kind {number}"), str::to_owned)
}

fn of_quake2(world: &quake2::World, other: &quake2::World) -> Parts {
    use moviola_format::names::quake2::STAT;
    let mut parts = Parts::new();
    let mut add_part = |name: String, value: String| drop(parts.insert(name, value));
    add_part("title".into(), text(&world.server.title));
    let (frame, others) = (world.drawn(), other.drawn());
    add_part("areas".into(), format!("{:02x?}", frame.areas));
    let same_names = |entity: &quake2::Entity| {
        entity.models.iter().all(|it| world.config.model(*it) == other.config.model(*it))
            && world.config.sound(entity.sound) == other.config.sound(entity.sound)
    };
    for (client, state) in &frame.players {
        let recipient = client.map_or(String::new(), |client| format!("client {client} "));
        for (place, value) in state.stats.iter().enumerate() {
            add_part(format!("{recipient}{}", stat(STAT, place)), value.to_string());
        }
        add_part(format!("{recipient}origin"), list(state.origin.iter().map(|it| it.value())));
        add_part(format!("{recipient}camera angles"), list(state.view_angles.map(Angle16::value)));
        add_part(format!("{recipient}camera offset"), list(state.view_offset.map(Quarters::value)));
        add_part(format!("{recipient}kick"), list(state.kick_angles.map(Quarters::value)));
        add_part(format!("{recipient}weapon model"), bytes(world.config.model(state.gun_model)));
        add_part(format!("{recipient}weapon frame"), state.gun_frame.to_string());
        add_part(format!("{recipient}screen color"), list(state.blend.map(Volume::value)));
        add_part(format!("{recipient}field of view"), state.fov.to_string());
        if let Some(screen) = world.screen(*client) {
            add_part(format!("{recipient}layout"), text(&screen.layout));
        }
    }
    for entity in &frame.entities {
        let number = entity.number;
        if same_names(entity) && others.entity(number) == Some(entity) {
            continue;
        }
        let [model, more @ ..] = entity.models;
        add_part(format!("entity {number} model"), bytes(world.config.model(model)));
        add_part(format!("entity {number} more models"), list(more));
        add_part(format!("entity {number} frame"), entity.frame.to_string());
        add_part(format!("entity {number} skin"), entity.skin.to_string());
        let (effects, renderfx) = (entity.effects, entity.renderfx);
        add_part(format!("entity {number} look"), format!("effects {effects:#x}, renderfx {renderfx:#x}"));
        add_part(format!("entity {number} origin"), list(entity.origin.iter().map(|it| it.value())));
        add_part(format!("entity {number} angles"), list(entity.angles.map(Angle8::value)));
        add_part(format!("entity {number} sound"), bytes(world.config.sound(entity.sound)));
        add_part(format!("entity {number} event"), entity.event.to_string());
    }
    parts
}

fn stat(names: &'static [(i64, &'static str)], place: usize) -> String {
    let name = i64::try_from(place).ok().and_then(|place| value_name(names, place));
    name.map_or_else(|| format!("stat {place}"), str::to_lowercase)
}

fn text(text: &Text) -> String {
    bytes(text.bytes())
}

/// A string as in the text of a recording: bytes that are not letters in octal.
fn bytes(bytes: &[u8]) -> String {
    let letter = |byte: &u8| match byte {
        b'\n' => "\\n".to_owned(),
        b'\\' => "\\\\".to_owned(),
        b' '..=b'~' => char::from(*byte).to_string(),
        _ => format!("\\{byte:03o}"),
    };
    bytes.iter().map(letter).collect()
}

fn list<T: std::fmt::Display>(values: impl IntoIterator<Item = T>) -> String {
    let mut out = String::new();
    for value in values {
        let space = if out.is_empty() { "" } else { " " };
        // Writing into a string cannot fail.
        let _ = write!(out, "{space}{value}");
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn bytes_are_printed_as_in_the_text() {
        assert_eq!(super::bytes(b"\xc2ob \\ \"x\"\n"), r#"\302ob \\ "x"\n"#);
    }
}
