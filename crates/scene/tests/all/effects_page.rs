//! The documentation of effects names each effect of both games, and every picture in it exists.

use moviola_format::names::{quake, quake2};
use std::path::Path;

#[test]
fn the_page_of_effects_has_all_of_them() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = std::fs::read_to_string(docs.join("effects.md")).unwrap();
    let kinds = [quake::TEMP_ENTITY, quake2::TEMP_ENTITY, quake2::EVENT].concat();
    let bits = [quake::EFFECTS, quake2::EFFECTS, quake2::RENDERFX].concat();
    let names = kinds.iter().map(|row| row.1).chain(bits.iter().map(|row| row.1));
    let missing: Vec<_> = names.filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "not on the page: {missing:?}");
    let pictures = page.split("](pictures/").skip(1).filter_map(|rest| rest.split_once(')'));
    let lost: Vec<_> =
        pictures.map(|(name, _)| name).filter(|name| !docs.join("pictures").join(name).is_file()).collect();
    assert!(lost.is_empty(), "no such pictures: {lost:?}");
}
