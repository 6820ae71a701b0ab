//! The text of a synthetic recording of an hour: eight players in one level. Browsers seek in it, since drawing the
//! paths of many players over an hour takes longer than anything else.

use std::f64::consts::TAU;
use std::fmt::Write as _;

const SECONDS: u32 = 3600;
const BLOCKS_A_SECOND: u32 = 10;

const PLAYERS: [&str; 8] = ["anna", "bro", "cleo", "dirk", "ezra", "fay", "gus", "hero"];

/// The middle of the floor on which they walk, and how far they go to each side, in the sample's level.
const MIDDLE: [f64; 2] = [0.0, 120.0];
const REACH: [f64; 2] = [180.0, 280.0];
const HEIGHT: f64 = 64.0;

/// Blocks between two kills.
const KILLS: u32 = 150;

pub(crate) fn text() -> String {
    let mut text = "track \"-1\\n\";\nblock {\n camera 0.0 0.0 0.0;\n serverinfo {\n  serverversion 15;\n  maxclients 8;\n  \
        multi 1;\n  mapname \"An hour\";\n  models \"maps/lq_e0m9.bsp\" \"progs/player.mdl\" \"progs/v_shot.mdl\";\n  \
        sounds \"weapons/guncock.wav\";\n }\n setview 1;\n signonnum 1;\n}\nblock {\n camera 0.0 0.0 0.0;\n"
        .to_owned();
    for (number, name) in PLAYERS.iter().enumerate() {
        let entity = number + 1;
        let _ = write!(
            text,
            " spawnbaseline {{\n  entity {entity};\n  default_modelindex 2;\n  default_frame 0;\n  default_colormap \
             {entity};\n  default_skin 0;\n  default_origin 0.0 0.0 0.0;\n  default_angles 0.0 0.0 0.0;\n }}\n updatename \
             {{\n  player {number};\n  netname \"{name}\";\n }}\n updatecolors {{\n  player {number};\n  colors {entity} \
             {entity};\n }}\n"
        );
    }
    text += " lightstyle {\n  style 0;\n  string \"m\";\n }\n signonnum 2;\n}\nblock {\n camera 0.0 0.0 0.0;\n signonnum 3;\n}\n";
    for block in 0..SECONDS * BLOCKS_A_SECOND {
        add_block(block, &mut text);
    }
    text + "block {\n camera 0.0 0.0 0.0;\n disconnect;\n}\n"
}

fn add_block(block: u32, text: &mut String) {
    let time = f64::from(block) / f64::from(BLOCKS_A_SECOND);
    let paths: Vec<_> = (0..PLAYERS.len()).map(|player| walk(player, time)).collect();
    let camera = paths.first().map_or(0.0, |(_, yaw)| *yaw);
    let health = 100 - block / 7 % 90;
    let _ = write!(
        text,
        "block {{\n camera 0.0 {camera:?} 0.0;\n time {:.1}s;\n clientdata {{\n  weapons 1 2;\n  weaponmodel 3;\n  health \
         {health};\n  currentammo 25;\n  ammo_shells 25;\n  ammo_nails 0;\n  ammo_rockets 0;\n  ammo_cells 0;\n  weapon 2;\n }}\n",
        time + 1.0
    );
    for (([x, y], yaw), entity) in paths.iter().zip(1..) {
        let frame = 6 + block % 6;
        let _ = write!(
            text,
            " updateentity {{\n  entity {entity};\n  frame {frame};\n  origin_x {x:?};\n  origin_y {y:?};\n  angles_2 \
             {yaw:?};\n  origin_z {HEIGHT:?};\n }}\n"
        );
    }
    if block % KILLS == KILLS - 1 {
        let kill = (block / KILLS) as usize;
        let of = |number: usize| PLAYERS.get(number % PLAYERS.len()).copied().unwrap_or_default();
        let (killer, victim) = (of(kill), of(kill + 1 + kill / PLAYERS.len() % (PLAYERS.len() - 1)));
        let _ = writeln!(text, " print \"{victim} chewed on {killer}'s boomstick\\n\";");
    }
    text.push_str("}\n");
}

/// A player's position in eighths of a unit, and the direction of the walk in 256ths of a circle. Paths cross the
/// whole floor and never repeat.
fn walk(player: usize, time: f64) -> ([f64; 2], f64) {
    let player = player as f64;
    let turns = [0.093 + 0.0113 * player, 0.047 + 0.0071 * player];
    let phases = turns.map(|turns| TAU * (turns * time + player / 8.0));
    let at = |axis: usize| {
        let [middle, reach, phase] =
            [&MIDDLE, &REACH, &phases].map(|of| of.get(axis).copied().unwrap_or_default());
        ((middle + reach * phase.sin()) * 8.0).round() / 8.0
    };
    let ahead = |axis: usize| {
        let [reach, phase, turns] =
            [&REACH, &phases, &turns].map(|of| of.get(axis).copied().unwrap_or_default());
        reach * turns * phase.cos()
    };
    let yaw = (ahead(1).atan2(ahead(0)) / TAU * 256.0).round().rem_euclid(256.0);
    ([at(0), at(1)], yaw * 360.0 / 256.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_an_hour_and_nobody_walks_too_fast() {
        let text = text();
        assert_eq!(text.matches(" time ").count(), (SECONDS * BLOCKS_A_SECOND) as usize);
        for player in 0..PLAYERS.len() {
            for step in 0..1000 {
                let time = f64::from(step) * 3.7;
                let ([x, y], _) = walk(player, time);
                let ([x2, y2], _) = walk(player, time + 0.1);
                assert!((x - x2).hypot(y - y2) < 33.0, "player {player} at {time}");
            }
        }
    }
}
