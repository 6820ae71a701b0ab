//! The status bars of Quake's mission packs.

use moviola_format::{Block, Game};
use moviola_scene::{Draw, Moment, NoFiles, PictureFile, Reel, SceneOptions};

/// The pictures on the bar, with their places from the left upper corner of the inventory: with this model in the level,
/// these items, and this weapon in hand.
fn bar(model: &str, items: u32, weapon: u8) -> Vec<(String, [i32; 2])> {
    let mut block = b"\x0b\x0f\0\0\0\x01\0Hall\0maps/hall.bsp\0".to_vec();
    block.extend(model.bytes());
    block.extend(b"\0\0\0\x05\x01\0\x19\x03\x07\0\0\x80\x3f");
    // clientdata: the items, health 100, no ammunition, the weapon.
    block.extend(b"\x0f\0\x02");
    block.extend(items.to_le_bytes());
    block.extend(b"\x64\0\0\0\0\0\0");
    block.push(weapon);
    block.extend(b"\x80\x01");
    let mut reel = Reel::new(Game::Quake);
    // A picture blinks when its item is new, and is steady two seconds later.
    for time in [1.0f32, 2.0, 3.0] {
        assert_eq!(reel.step(&Block::new(&block)), None);
        block = b"\x07".to_vec();
        block.extend((time + 1.0).to_le_bytes());
        block.extend(b"\x80\x01");
    }
    let options = SceneOptions { screen: [320, 200], ..SceneOptions::default() };
    let scene = reel.scene(Moment::AfterBlock(2), &options, &NoFiles);
    let pictures = scene.overlay.draws.iter().filter_map(|draw| match draw {
        Draw::Picture { picture: PictureFile::Lump(name), at: [x, y], .. } => {
            Some((name.to_string(), [*x, *y - 152]))
        }
        _ => None,
    });
    pictures.filter(|(name, _)| !name.starts_with("num") && !name.starts_with("anum")).collect()
}

fn at(pictures: &[(String, [i32; 2])], name: &str) -> Option<[i32; 2]> {
    pictures.iter().find(|(it, _)| it == name).map(|(_, at)| *at)
}

#[test]
fn scourge_of_armagon_has_weapons_and_items_of_its_own() {
    // Shotgun, grenade launcher, Mjolnir, proximity gun, silver and gold key, quad, laser cannon, wetsuit; Mjolnir in hand.
    let items = 1 | 1 << 4 | 1 << 7 | 1 << 16 | 1 << 17 | 1 << 18 | 1 << 22 | 1 << 23 | 1 << 24;
    let seen = bar("progs/v_hammer.mdl", items, 7);
    assert_eq!(at(&seen, "inv2_mjolnir"), Some([200, 8]));
    assert_eq!(at(&seen, "inv_laser"), Some([176, 8]));
    assert_eq!(at(&seen, "inv_shotgun"), Some([0, 8]));
    assert_eq!(at(&seen, "inv_prox_gren"), Some([96, 8]));
    assert_eq!([at(&seen, "sb_key1"), at(&seen, "sb_key2")], [Some([209, 27]), Some([209, 36])]);
    assert_eq!([at(&seen, "sb_quad"), at(&seen, "sb_wsuit")], [Some([272, 8]), Some([288, 8])]);
    assert_eq!(at(&seen, "ibar"), Some([0, 0]));
    // The launcher in hand is above the proximity gun; without a launcher the gun is alone.
    assert_eq!(at(&bar("progs/v_hammer.mdl", items, 4), "inv2_gren_prox"), Some([96, 8]));
    assert_eq!(at(&bar("progs/v_hammer.mdl", items & !(1 << 4), 16), "inv2_prox"), Some([96, 8]));
}

#[test]
fn dissolution_of_eternity_draws_powered_weapons_in_hand() {
    // Nailgun, nails, lava nailgun, red armor, lava nails, power shield; the lava nailgun in hand.
    let items = 1 << 2 | 1 << 8 | 1 << 12 | 1 << 25 | 1 << 29;
    let seen = bar("progs/v_lava.mdl", items | 1 << 26, 12);
    assert_eq!([at(&seen, "r_invbar1"), at(&seen, "r_lava")], [Some([0, 0]), Some([48, 8])]);
    assert_eq!([at(&seen, "sb_armor3"), at(&seen, "r_shield1")], [Some([0, 24]), Some([288, 8])]);
    assert_eq!(at(&seen, "sb_nails"), Some([224, 24]), "of two kinds of ammunition the first one");
    let plain = bar("progs/v_lava.mdl", items, 2);
    assert_eq!([at(&plain, "r_invbar2"), at(&plain, "inv2_nailgun")], [Some([0, 0]), Some([48, 8])]);
    assert_eq!([at(&plain, "r_lava"), at(&plain, "ibar")], [None, None]);
}

#[test]
fn the_bar_of_quake_has_keys_in_the_inventory_and_runes() {
    let seen = bar("progs/v_nail.mdl", 1 << 2 | 1 << 17 | 1 << 31, 4);
    assert_eq!([at(&seen, "inv2_nailgun"), at(&seen, "sb_key1")], [Some([48, 8]), Some([192, 8])]);
    assert_eq!([at(&seen, "sb_sigil4"), at(&seen, "ibar")], [Some([312, 8]), Some([0, 0])]);
}
