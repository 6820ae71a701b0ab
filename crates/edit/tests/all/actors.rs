//! Entities get other models, or are hidden, and everything else looks as before.

use crate::common::{recordings, seen};
use moviola_check::check;
use moviola_edit::{CopyEntity, CopyPlace, EditCode, Error, Set, Strip, rewrite};
use moviola_format::names::quake2::CS_MODELS;
use moviola_scribe::Game;
use moviola_state::{quake, quake2};
use std::collections::BTreeMap;

const QUAKE: &[u8] = include_bytes!("../../../../samples/qs_15_lq_e0m9.dem");
const QUAKE2: &[u8] = include_bytes!("../../../../samples/yq_sp.dm2");

fn set(file: &[u8], setting: &str) -> Result<Vec<u8>, Error> {
    let mut set = Set::parse([setting]).unwrap();
    set.find(file)?;
    let mut edited = Vec::new();
    rewrite(file, &mut set, &mut edited)?;
    Ok(edited)
}

fn hide(file: &[u8], entity: u16) -> (Vec<u8>, Vec<String>) {
    let mut edited = Vec::new();
    let summary =
        rewrite(file, &mut Strip::parse(&format!("entity:{entity}")).unwrap(), &mut edited).unwrap();
    (edited, summary.notes)
}

/// The models that are shown after each block, by the numbers of their entities.
fn quake_models(file: &[u8]) -> Vec<BTreeMap<u16, String>> {
    seen(file, |world: &quake::World| {
        let name =
            |number: u16| String::from_utf8_lossy(world.level.models.get(usize::from(number))).into_owned();
        world.shown().map(|(number, entity)| (number, name(entity.look.model))).collect()
    })
}

fn quake2_models(file: &[u8]) -> Vec<BTreeMap<u16, (u8, String)>> {
    // A block at the beginning may be split, as it gets too long for engines.
    let mut all = seen(file, |world: &quake2::World| {
        let name = |number: u8| {
            let index = usize::from(CS_MODELS) + usize::from(number);
            (number, String::from_utf8_lossy(world.config.get(index)).into_owned())
        };
        world.drawn().entities.iter().map(|it| (it.number, name(it.models[0]))).collect::<BTreeMap<_, _>>()
    });
    all.retain(|it| !it.is_empty());
    all
}

#[test]
fn an_entity_of_quake_wears_another_model() {
    for model in ["progs/ogre.mdl", "progs/player.mdl", "*1"] {
        let mut changed = 0;
        for name in ["qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem"] {
            let file = std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            let edited = set(&file, &format!("entity.13.model={model}")).unwrap();
            for (before, after) in quake_models(&file).iter().zip(quake_models(&edited)) {
                let mut wanted = before.clone();
                if let Some(now) = wanted.get_mut(&13).filter(|now| !now.is_empty()) {
                    changed += usize::from(now != model);
                    *now = model.to_owned();
                }
                assert_eq!(after, wanted, "{name} {model}");
            }
            assert!(check(&edited[..]).unwrap().exact, "{name}");
        }
        assert!(changed > 100, "{changed}");
    }
}

#[test]
fn an_entity_of_quake2_wears_another_model() {
    let before = quake2_models(QUAKE2);
    let own_entity = seen(QUAKE2, quake2::World::own_entity)[200].unwrap();
    assert!(before.len() > 200);
    let monster =
        *before[200].iter().find(|(number, (model, _))| **number != own_entity && *model > 1).unwrap().0;
    for number in [monster, own_entity] {
        let model = "models/monsters/tank/tris.md2";
        let edited = set(QUAKE2, &format!("entity.{number}.model={model}")).unwrap();
        let mut changed = 0;
        for (at, (before, after)) in before.iter().zip(quake2_models(&edited)).enumerate() {
            assert_eq!(before.len(), after.len(), "block {at}, entity {number}");
            for (entity, (now, name)) in &after {
                let (old, old_name) = &before[entity];
                if *entity == number && *old != 0 {
                    assert_eq!(name, model);
                    changed += 1;
                } else {
                    assert_eq!((old, old_name), (now, name));
                }
            }
        }
        assert!(changed > 50, "{changed}");
        assert!(check(&edited[..]).unwrap().exact);
    }
    // A player's weapon is a second model, and is replaced together with the first.
    let edited = set(QUAKE2, &format!("entity.{own_entity}.model=models/x.md2")).unwrap();
    let weapons = seen(&edited, |world: &quake2::World| {
        world.drawn().entity(own_entity).map_or([0; 3], |it| [it.models[1], it.models[2], it.models[3]])
    });
    assert!(weapons.iter().all(|it| *it == [0; 3]));
}

#[test]
fn a_missing_entity_or_model_is_a_mistake() {
    for file in [QUAKE, QUAKE2] {
        let Err(Error::Mistakes(found)) = set(file, "entity.999.model=progs/ogre.mdl") else {
            unreachable!("there is no such entity");
        };
        assert_eq!((found[0].code, found[0].column, found[0].length), (EditCode::NoTarget, 1, 16));
    }
    // Without the announcement of the level there is no list of models.
    let start = moviola_format::Demo::new(QUAKE).unwrap().format();
    assert_eq!(start.game(), Some(moviola_format::Game::Quake));
    let block = b"-1\n\x0c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x07\0\0\x80\x3f\x83\x04\x05\x02\x50\0\x01";
    let Err(Error::Impossible(why)) = set(block, "entity.5.model=progs/ogre.mdl") else {
        unreachable!("there is no list");
    };
    assert!(why.starts_with("the list of models has no room for progs/ogre.mdl"), "{why}");
}

#[test]
fn a_hidden_entity_is_nowhere() {
    let mut hidden = 0;
    for recording in recordings(Game::Quake).into_iter().filter(|it| it.bytes.len() < 100_000) {
        let before = quake_models(&recording.bytes);
        let views = seen(&recording.bytes, |world: &quake::World| world.view.entity);
        let is_free = |number: &&u16| !views.contains(&(**number as i16));
        let Some(number) = before.iter().rev().find_map(|it| it.keys().find(is_free)) else { continue };
        // If the entity whose first update completes the connection is hidden, engines show nothing at all.
        let Ok(summary) =
            rewrite(&recording.bytes[..], &mut Strip::parse("entity:9999").unwrap(), std::io::sink())
        else {
            continue;
        };
        assert!(summary.about.starts_with("it has none"), "{}", recording.name);
        let after = quake_models(&hide(&recording.bytes, *number).0);
        if before.len() != after.len() {
            continue;
        }
        for (old, new) in before.iter().zip(&after) {
            let mut wanted = old.clone();
            hidden += usize::from(wanted.remove(number).is_some());
            assert_eq!(*new, wanted, "{}", recording.name);
        }
    }
    assert!(hidden > 200, "{hidden}");
    // The view is that of this entity, so it is not hidden.
    let (same, notes) = hide(QUAKE, 1);
    assert_eq!(quake_models(&same), quake_models(QUAKE));
    assert!(notes[0].starts_with("entity 1 stays"), "{notes:?}");
}

#[test]
fn a_hidden_entity_of_quake2_is_in_no_frame() {
    let before = quake2_models(QUAKE2);
    let mut hidden = 0;
    for number in before[200].keys() {
        let (edited, _) = hide(QUAKE2, *number);
        for (old, new) in before.iter().zip(quake2_models(&edited)) {
            let mut wanted = old.clone();
            hidden += usize::from(wanted.remove(number).is_some());
            assert!(new == wanted, "{number}");
        }
        assert!(check(&edited[..]).unwrap().exact);
    }
    assert!(hidden > 200, "{hidden}");
}

fn copy(file: &[u8], entity: u16, stand: CopyPlace, turn: f64) -> (Vec<u8>, u16) {
    let mut edited = Vec::new();
    let summary =
        rewrite(file, &mut CopyEntity::find(file, entity, stand, turn).unwrap(), &mut edited).unwrap();
    let number = summary.about.split(' ').nth(1).and_then(|number| number.parse().ok()).unwrap();
    (edited, number)
}

/// The places and angles of entities, by their numbers.
type Places = BTreeMap<u16, ([f64; 3], [f64; 3])>;

/// The places and angles after each block of Quake.
fn quake_places(file: &[u8]) -> Vec<Places> {
    seen(file, |world: &quake::World| {
        let all = world.shown().filter(|(_, entity)| entity.look.model > 0);
        let place = |entity: &quake::Entity| {
            let place = &entity.place;
            (place.origin.map(moviola_format::Coord::value), place.angles.map(moviola_format::Angle::value))
        };
        all.map(|(number, entity)| (number, place(entity))).collect()
    })
}

#[test]
fn a_copy_of_quake_moves_beside_its_original_or_stands_somewhere() {
    let mut copied = 0;
    for name in ["qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem"] {
        let file = std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let before = quake_places(&file);
        for entity in [1, 13] {
            let (edited, number) = copy(&file, entity, CopyPlace::Beside([64.0, -8.0, 16.0]), 0.0);
            let (statue, _) = copy(&file, entity, CopyPlace::At([100.0, 200.0, 24.0]), 90.0);
            assert!(check(&edited[..]).unwrap().exact);
            for ((old, new), still) in
                before.iter().zip(quake_places(&edited)).zip(quake_places(&statue)).skip(4)
            {
                let (mut beside, mut at) = (old.clone(), old.clone());
                if let Some(([x, y, z], [pitch, yaw, roll])) = old.get(&entity).copied() {
                    copied += 1;
                    beside.insert(number, ([x + 64.0, y - 8.0, z + 16.0], [pitch, yaw, roll]));
                    let (_, now) = still[&number];
                    assert!(((now[1] - yaw - 90.0).rem_euclid(360.0) - 180.0).abs() > 178.0);
                    at.insert(number, ([100.0, 200.0, 24.0], now));
                }
                assert_eq!(new, beside, "{name} {entity}");
                assert_eq!(still, at, "{name} {entity}");
            }
        }
    }
    assert!(copied > 500, "{copied}");
}

#[test]
fn a_copy_of_quake2_is_in_each_frame_of_its_original() {
    let places = |file: &[u8]| {
        let mut all = seen(file, |world: &quake2::World| {
            let origin = |it: &quake2::Entity| it.origin.map(moviola_format::Short8::value);
            world.drawn().entities.iter().map(|it| (it.number, origin(it))).collect::<BTreeMap<_, _>>()
        });
        all.retain(|it| !it.is_empty());
        all
    };
    let before = places(QUAKE2);
    let mut copied = 0;
    for entity in before[200].keys() {
        let (edited, number) = copy(QUAKE2, *entity, CopyPlace::Beside([0.0, 0.0, 32.0]), 0.0);
        let after = places(&edited);
        assert_eq!(before.len(), after.len());
        for (old, new) in before.iter().zip(after) {
            let mut wanted = old.clone();
            if let Some([x, y, z]) = old.get(entity) {
                copied += 1;
                wanted.insert(number, [*x, *y, z + 32.0]);
            }
            assert_eq!(new, wanted, "{entity}");
        }
        assert!(check(&edited[..]).unwrap().exact);
    }
    assert!(copied > 1000, "{copied}");
}

#[test]
fn only_visible_things_can_be_copied() {
    for file in [QUAKE, QUAKE2] {
        let Err(Error::Impossible(why)) = CopyEntity::find(file, 999, CopyPlace::At([0.0; 3]), 0.0) else {
            unreachable!("there is no such entity");
        };
        assert!(why.starts_with("there is no entity 999"), "{why}");
    }
}
