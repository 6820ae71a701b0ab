//! The two mission packs, played with 1.07 and 1.08, which leave the items bit clear.

use super::{Items, Level, Net, Play, TeBeam, cutscene, temp_beam, temp_explosion2, updatestat};
use crate::{Message, Sample};

pub(super) fn samples() -> Vec<Sample> {
    vec![
        hipnotic().sample("dem-15-hipnotic", "Mission pack 1: the active weapon is the number of a bit"),
        Play { active: weaponless, ..hipnotic() }.sample(
            "dem-15-hipnotic-weaponless",
            "Mission pack 1: the active weapon byte is missing in ticks without a weapon, entity updates follow \
             at once (errata 1.8)",
        ),
        rogue().sample("dem-15-rogue", "Mission pack 2: the active weapon is the number of a bit"),
    ]
}

fn hipnotic() -> Play {
    let level = Level {
        models: vec![
            "*1",
            "*2",
            "progs/player.mdl",
            "progs/v_hammer.mdl",
            "progs/grem.mdl",
            "progs/flame2.mdl",
            "progs/armor.mdl",
            "progs/v_laserg.mdl",
            "progs/v_prox.mdl",
            "progs/empathy.mdl",
        ],
        sounds: vec![
            "hipweap/laserg.wav",
            "knight/sword1.wav",
            "grem/sight1.wav",
            "items/armor1.wav",
            "ambience/buzz1.wav",
            "player/pain1.wav",
        ],
        ..Level::named("hip1m1", "The Pumping Station", "\x02\nVERSION 1.07 SERVER (4880 CRC)")
    };
    Play {
        items: |_| Items::Unmarked(0x0180_1101),
        active: |tick| Some([0, 7, 16, 23].into_iter().cycle().nth(tick).unwrap_or(0)),
        extra: packs,
        ..Play::new(Net::netquake(), level)
    }
}

fn weaponless(tick: usize) -> Option<u8> {
    (tick % 3 != 1).then_some(16)
}

fn rogue() -> Play {
    let level = Level {
        models: vec![
            "*1",
            "*2",
            "progs/player.mdl",
            "progs/v_lava.mdl",
            "progs/eel2.mdl",
            "progs/flame2.mdl",
            "progs/armor.mdl",
            "progs/v_grpple.mdl",
            "progs/plasma.mdl",
        ],
        ..Level::named("r1m1", "Deviant's Domain", "\x02\nVERSION 1.08 SERVER (18095 CRC)")
    };
    Play {
        items: |_| Items::Unmarked(0x0080_1101),
        active: |tick| Some(if tick % 2 == 0 { 12 } else { 0 }),
        extra: packs,
        ..Play::new(Net::netquake(), level)
    }
}

fn packs(net: &Net, tick: usize) -> Vec<Message> {
    match tick {
        3 => vec![temp_explosion2(net, [8.0, 16.0, 24.125], 208, 8)],
        5 => {
            let beam = TeBeam { kind: 13, entity: 1, origin: [0.0, 8.0, 16.0], end: [256.0, -8.0, 64.0] };
            vec![temp_beam(net, &beam)]
        }
        18 => vec![updatestat(13, 2), cutscene("You have broken through.\nThe station is silent.")],
        _ => Vec::new(),
    }
}
