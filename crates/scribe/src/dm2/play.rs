//! A short plausible game: strings and baselines, then one frame per tick.

use super::{
    Entity, Frame, Gun, Num, Player, RECORD_CLIENT, Serverdata, Sound, centerprint, configstring, frame,
    inventory, layout, muzzleflash, muzzleflash2, packetentities, playerinfo, print, serverdata, sound,
    spawnbaseline, stufftext, temp_example,
};
use crate::{End, Message, Sample, Tape};

/// A level as its serverdata and its strings announce it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The map as a bare name.
    pub map: &'static str,
    /// The displayed name.
    pub title: &'static str,
    /// The game directory.
    pub game: &'static str,
}

impl Level {
    /// The first map of the game.
    pub fn outer_base() -> Self {
        Self { map: "base1", title: "Outer Base", game: "" }
    }
}

/// A game that is being written.
#[derive(Clone, Debug)]
pub struct Play {
    /// The protocol.
    pub protocol: i32,
    /// The level.
    pub level: Level,
    /// The isdemo byte.
    pub isdemo: u8,
    /// The number of the first frame.
    pub first: i32,
    /// Messages to append to a tick.
    pub extra: fn(i32, usize) -> Vec<Message>,
}

/// The number of frames of a sample.
pub(super) const TICKS: usize = 20;

/// The baselines every game starts from.
pub(super) fn baselines() -> [Entity; 3] {
    let [soldier, door, barrel] = [9, 40, 300];
    [
        Entity {
            number: soldier,
            models: [Some(3), None, None, None],
            skin: Num::Byte(1),
            origin: [Some(128.0), Some(-64.0), Some(24.125)],
            angles: [None, Some(90.0), None],
            solid: Some(0x1084),
            ..Entity::default()
        },
        Entity { number: door, models: [Some(2), None, None, None], solid: Some(31), ..Entity::default() },
        Entity {
            number: barrel,
            models: [Some(4), None, None, None],
            origin: [Some(-512.0), Some(300.5), None],
            effects: Num::Short(0x100),
            sound: Some(2),
            solid: Some(0x2063),
            ..Entity::default()
        },
    ]
}

impl Play {
    /// A client recording of the first map.
    pub fn new(protocol: i32) -> Self {
        Self {
            protocol,
            level: Level::outer_base(),
            isdemo: RECORD_CLIENT,
            first: 100,
            extra: |_, _| Vec::new(),
        }
    }

    /// The serverdata of a recording.
    pub fn serverdata(&self) -> Message {
        serverdata(&Serverdata {
            protocol: self.protocol,
            key: 0x0001_0000 + 0x1234,
            isdemo: self.isdemo,
            game: self.level.game,
            client: 0,
            title: self.level.title,
        })
    }

    /// The strings of the level.
    pub fn strings(&self) -> Vec<Message> {
        let map = format!("maps/{}.bsp", self.level.map);
        vec![
            configstring(0, self.level.title),
            configstring(1, "9"),
            configstring(2, "unit1_"),
            configstring(3, "0.000000 0.000000 0.000000"),
            configstring(4, "0.000000"),
            configstring(5, "yb -24 xv 0 hnum xv 50 pic 0 if 2 xv 100 anum xv 150 pic 2 endif"),
            configstring(30, "1"),
            configstring(31, "12344937"),
            configstring(33, map),
            configstring(34, "*1"),
            configstring(35, "models/monsters/soldier/tris.md2"),
            configstring(36, "models/objects/barrels/tris.md2"),
            configstring(37, "models/weapons/v_blast/tris.md2"),
            configstring(289, "weapons/blastf1a.wav"),
            configstring(290, "world/amb4.wav"),
            configstring(545, "i_health"),
            configstring(546, "w_blaster"),
            configstring(800, "m"),
            configstring(801, "mmnmmommommnonmmonqnmmo"),
            configstring(1056 + 7, "Blaster"),
            configstring(1312, "Grunt\\male/grunt"),
            configstring(1568 + 511, ""),
        ]
    }

    /// The blocks before the first frame.
    pub fn opening(&self) -> [Vec<Message>; 2] {
        let mut first = vec![self.serverdata()];
        first.extend(self.strings());
        let mut second: Vec<Message> = baselines().iter().map(spawnbaseline).collect();
        second.push(stufftext("precache\n"));
        [first, second]
    }

    /// The player's state at a tick: everything at first, then the changes.
    pub fn player(tick: usize) -> Player {
        let step = tick as f32;
        let moved = Player {
            origin: Some([128.0 + step, -320.0 - step * 2.5, 24.125]),
            view_angles: Some([-2.0, 90.0 + step * 3.0, 0.0]),
            ..Player::default()
        };
        match tick {
            0 => Player {
                pm_type: Some(0),
                pm_flags: Some(4),
                gravity: Some(800),
                delta_angles: Some([0.0, -90.0, 0.0]),
                view_offset: Some([0, 0, 88]),
                gun_index: Some(5),
                gun: Some(Gun { frame: 0, offset: [0, 0, -4], angles: [0, 0, 0] }),
                fov: Some(90),
                stats: vec![(0, 1), (1, 100), (6, 2), (12, 7)],
                ..moved
            },
            5 => Player {
                velocity: Some([300.0, -0.125, 270.0]),
                kick_angles: Some([-4, 1, 0]),
                gun: Some(Gun { frame: 5, offset: [1, -1, -4], angles: [127, -128, 3] }),
                ..moved
            },
            8 => Player {
                pm_time: Some(14),
                blend: Some([255, 0, 0, 76]),
                rdflags: Some(1),
                stats: vec![(1, 88), (15, 1)],
                ..moved
            },
            9 => Player { blend: Some([0; 4]), rdflags: Some(0), stats: vec![(15, 0)], ..moved },
            13 => Player::default(),
            _ => moved,
        }
    }

    /// The entities that the player sees at a tick: everything at first, then the changes.
    pub fn entities(tick: usize) -> Vec<Entity> {
        let step = tick as f32;
        let soldier = Entity {
            number: 9,
            frame8: Some(146 + tick as u8),
            origin: [Some(128.0 - step * 4.0), None, None],
            angles: [None, Some(90.0 - step * 5.625), None],
            ..Entity::default()
        };
        let door = Entity { number: 40, origin: [None, None, Some(step * 8.0)], ..Entity::default() };
        let barrel = Entity { number: 300, ..Entity::default() };
        match tick {
            0 => vec![soldier, door, barrel],
            4 => vec![soldier, Entity { event: Some(2), ..door }],
            9 => vec![soldier, Entity { remove: true, ..barrel }],
            11 => vec![Entity { remove: true, number: 40, ..Entity::default() }],
            15 => Vec::new(),
            _ => vec![soldier],
        }
    }

    /// The other messages of a tick.
    pub fn events(tick: usize) -> Vec<Message> {
        let here = [128.0, -320.5, 24.0];
        match tick {
            1 => vec![print(2, "Grunt entered the game\n")],
            2 => {
                vec![muzzleflash(1, 0), sound(&Sound { index: 1, source: Some((1, 1)), ..Sound::default() })]
            }
            3 => vec![muzzleflash2(300, 40), muzzleflash(1, 128)],
            4 => vec![sound(&Sound {
                index: 2,
                volume: Some(128),
                attenuation: Some(192),
                offset: Some(50),
                source: Some((300, 2)),
                origin: Some(here),
                ..Sound::default()
            })],
            6 => vec![inventory(&stock()), layout("xv 32 yv 8 picn help string2 \"Outer Base\"")],
            7 => vec![centerprint("You need\nthe blue key")],
            8 => vec![print(3, b"Grunt: \"hi\" \\ \xE1\xFE\r\n")],
            10 => vec![configstring(801, "az"), configstring(1312, "Grunt\\female/athena")],
            12 => vec![stufftext("echo twelve"), stufftext("\n"), super::nop()],
            16 => vec![sound(&Sound { index: 1, origin: Some(here), ..Sound::default() })],
            _ => Vec::new(),
        }
    }

    /// The messages of a tick.
    pub fn tick(&self, tick: usize) -> Vec<Message> {
        let sequence = self.first + tick as i32;
        let delta = if tick == 0 { -1 } else { sequence - 1 };
        let data = Frame { sequence, delta, suppressed: u8::from(tick == 14), areas: &[0xFF, 0x0F] };
        let mut block = vec![
            frame(self.protocol, &data),
            playerinfo(&Self::player(tick)),
            packetentities(&Self::entities(tick)),
        ];
        block.extend(Self::events(tick));
        let kinds = [tick, tick + 20].into_iter().filter(|&kind| kind < 28);
        block.extend(kinds.filter_map(|kind| temp_example(self.protocol, kind as u8)));
        block.extend((self.extra)(self.protocol, tick));
        block
    }

    /// Puts the blocks before the first frame onto the tape.
    pub fn open(&self, tape: &mut Tape) {
        tape.announce(self.protocol, self.level.map, self.level.title);
        for block in self.opening() {
            tape.dm2_block(&block);
        }
    }

    /// Puts frames onto the tape.
    pub fn run(&self, tape: &mut Tape, ticks: std::ops::Range<usize>) {
        for tick in ticks {
            tape.dm2_block(&self.tick(tick));
        }
    }

    /// A whole recording with its end mark.
    pub fn sample(&self, name: &'static str, about: &'static str) -> Sample {
        let mut tape = Tape::dm2();
        self.open(&mut tape);
        self.run(&mut tape, 0..TICKS);
        tape.mark();
        tape.finish(name, about, End::Mark)
    }
}

/// An inventory with items at both ends of its list.
pub(super) fn stock() -> [i16; 256] {
    let mut counts = [0; 256];
    let held = [(7, 1), (18, 50), (41, -1), (255, 0x7FFF)];
    for (place, count) in counts.iter_mut().enumerate() {
        *count = held.iter().find(|&&(item, _)| item == place).map_or(0, |&(_, count)| count);
    }
    counts
}
