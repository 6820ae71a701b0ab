//! A short plausible game: signing on in three blocks, then one block per tick.

use super::{
    Baseline, Clientdata, Items, Net, Sound, TeBeam, Update, cdtrack, centerprint, clientdata, damage,
    disconnect, foundsecret, killedmonster, lightstyle, particle, print, serverinfo, setangle, setpause,
    setview, signonnum, sound, spawnbaseline, spawnstatic, spawnstaticsound, stopsound, stufftext, temp_beam,
    temp_point, time, updatecolors, updateentity, updatefrags, updatename, updatestat,
};
use crate::{End, Message, Sample, Tape};

/// A level as its serverinfo announces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// The map as a bare name.
    pub map: &'static str,
    /// The displayed name.
    pub title: &'static str,
    /// The line that the server prints before the serverinfo, which contains the version (errata 1.33).
    pub banner: &'static str,
    /// Models besides the map.
    pub models: Vec<&'static str>,
    /// Sounds.
    pub sounds: Vec<&'static str>,
    /// Slots for players.
    pub maxclients: u8,
}

impl Level {
    /// The first map of the game as 1.09 sends it.
    pub fn slipgate() -> Self {
        Self {
            map: "e1m1",
            title: "the Slipgate Complex",
            banner: "\x02\nVERSION 1.09 SERVER (5927 CRC)",
            models: vec![
                "*1",
                "*2",
                "progs/player.mdl",
                "progs/v_shot.mdl",
                "progs/soldier.mdl",
                "progs/flame2.mdl",
                "progs/armor.mdl",
                "maps/b_shell0.bsp",
            ],
            sounds: vec![
                "weapons/r_exp3.wav",
                "weapons/guncock.wav",
                "soldier/sight1.wav",
                "items/armor1.wav",
                "ambience/buzz1.wav",
                "player/pain1.wav",
                "misc/talk.wav",
            ],
            maxclients: 1,
        }
    }

    /// The default level with another map, title and banner.
    pub fn named(map: &'static str, title: &'static str, banner: &'static str) -> Self {
        Self { map, title, banner, ..Self::slipgate() }
    }
}

/// A game that is being written.
#[derive(Clone, Debug)]
pub struct Play {
    /// The protocol.
    pub net: Net,
    /// The level.
    pub level: Level,
    /// The form of the items in the clientdata of a tick.
    pub items: fn(usize) -> Items,
    /// The active weapon byte of a tick.
    pub active: fn(usize) -> Option<u8>,
    /// Messages to append to a tick.
    pub extra: fn(&Net, usize) -> Vec<Message>,
}

/// The number of game blocks of a sample.
pub(super) const TICKS: usize = 20;

const PLAYER: u16 = 1;
const SOLDIER: u16 = 2;
const ARMOR: u16 = 300;

impl Play {
    /// A game of 1.09's kind.
    pub fn new(net: Net, level: Level) -> Self {
        Self {
            net,
            level,
            items: |tick| Items::Marked(if tick < 12 { 0x1101 } else { 0x3101 }),
            active: |_| Some(1),
            extra: |_, _| Vec::new(),
        }
    }

    /// The block of banner and serverinfo.
    pub fn announcement(&self) -> Vec<Message> {
        let net = &self.net;
        let map = format!("maps/{}.bsp", self.level.map);
        let models: Vec<&str> =
            std::iter::once(map.as_str()).chain(self.level.models.iter().copied()).collect();
        let info = serverinfo(net, self.level.maxclients, 0, self.level.title, &models, &self.level.sounds);
        vec![print(self.level.banner), info, cdtrack(6, 6), setview(1), signonnum(1)]
    }

    /// The block with all static entities of the level.
    pub fn spawning(&self) -> Vec<Message> {
        let net = &self.net;
        let player = Baseline { model: 4, origin: [480.0, -352.0, 88.0], ..Baseline::default() };
        let soldier =
            Baseline { model: 6, origin: [-96.0, 1032.5, -40.0], angles: [0.0, 270.0, 0.0], ..player };
        let armor = Baseline { model: 8, skin: 1, origin: [240.0, 496.0, 24.0], ..player };
        let torch = Baseline { model: 7, frame: 3, origin: [608.0, 720.0, 40.0], ..player };
        let world = Baseline { model: 1, ..Baseline::default() };
        vec![
            spawnbaseline(net, 0, &world),
            spawnbaseline(net, PLAYER as i16, &player),
            spawnbaseline(net, SOLDIER as i16, &soldier),
            spawnbaseline(net, ARMOR as i16, &armor),
            spawnstatic(net, &torch),
            spawnstatic(net, &Baseline { origin: [608.0, 784.0, 40.0], angles: [0.0, 90.0, 0.0], ..torch }),
            spawnstaticsound(net, [688.0, 192.0, 80.0], 5, 127, 192),
            signonnum(2),
        ]
    }

    /// The block with everything that changes over time.
    pub fn scoring(&self) -> Vec<Message> {
        let net = &self.net;
        let mut block = vec![time(1.0)];
        for slot in 0..self.level.maxclients {
            let name: &[u8] = if slot == 0 { b"Ranger \xC1\xE2\xFE" } else { b"" };
            block.extend([updatename(slot, name), updatefrags(slot, 0), updatecolors(slot, 13, 4)]);
        }
        block.extend([lightstyle(0, "m"), lightstyle(3, "mmnmmommommnonmmonqnmmo"), lightstyle(63, "")]);
        block.extend([updatestat(11, 6), updatestat(12, 27), updatestat(13, 0), updatestat(14, 0)]);
        block.extend([setangle(net, [0.0, 90.0, 0.0]), clientdata(net, &self.status(0)), signonnum(3)]);
        block
    }

    /// The player's status bar at a tick.
    pub fn status(&self, tick: usize) -> Clientdata {
        let shots = tick as u8 / 4;
        Clientdata {
            view_height: (tick == 7).then_some(-8),
            ideal_pitch: (tick % 5 == 2).then_some(-3),
            punch: [(tick % 4 == 1).then_some(-2), None, (tick == 9).then_some(5)],
            velocity: [
                Some(tick as i8 - 10),
                (tick.is_multiple_of(2)).then_some(20),
                (tick == 9).then_some(-15),
            ],
            items: (self.items)(tick),
            weapon_frame: (tick % 4 == 1).then_some(1 + shots),
            armor: (tick >= 12).then_some(100),
            weapon: Some(5),
            health: 100 - tick as i16,
            ammo: 25 - shots,
            stock: [25 - shots, 0, 0, 0],
            active_weapon: (self.active)(tick),
            bits: if tick == 9 { 0x0800 } else { 0x0400 },
            ..Clientdata::default()
        }
    }

    /// The messages of a tick.
    pub fn tick(&self, tick: usize) -> Vec<Message> {
        let net = &self.net;
        let step = tick as f32;
        let place = [480.0 + step, -352.0 + step * 2.5, 88.0];
        let mut block = vec![time(1.2 + step / 10.0)];
        if tick == 7 {
            block.push(damage(net, 4, 9, [-96.0, 1032.5, -24.0]));
        }
        block.push(clientdata(net, &self.status(tick)));
        let [x, y, z] = place;
        let player = Update { entity: PLAYER, origin: [Some(x), Some(y), None], ..Update::default() };
        block.push(updateentity(net, &player));
        let soldier = Update {
            entity: SOLDIER,
            frame: Some(tick as u8 % 8),
            origin: [Some(-96.0 - step), None, None],
            angles: [None, Some(270.0 - step * 5.625), None],
            effects: (tick == 6).then_some(2),
            bits: super::U_STEP,
            ..Update::default()
        };
        block.push(updateentity(net, &soldier));
        if tick < 12 {
            let armor =
                Update { entity: ARMOR, angles: [None, Some(step * 11.25), None], ..Update::default() };
            block.push(updateentity(net, &armor));
        }
        block.extend(self.events(tick, [x, y, z]));
        block.extend((self.extra)(net, tick));
        block
    }

    fn events(&self, tick: usize, place: [f32; 3]) -> Vec<Message> {
        let net = &self.net;
        let start = Sound { entity: PLAYER, channel: 1, index: 2, origin: place, ..Sound::default() };
        match tick {
            1 => vec![print("You get 5 shells\n"), stufftext("bf\n")],
            2 => vec![sound(net, &start)],
            3 => {
                vec![sound(net, &Sound { entity: SOLDIER, channel: 2, index: 3, volume: Some(128), ..start })]
            }
            4 => vec![particle(net, place, [16, -16, 3], 20, 73), temp_point(net, 2, place)],
            5 => vec![temp_point(net, 3, place), particle(net, place, [0, 0, 0], 255, 0)],
            6 => vec![
                sound(net, &Sound { attenuation: Some(0), volume: Some(200), index: 1, ..start }),
                temp_beam(net, &TeBeam { kind: 6, entity: 1, origin: place, end: [0.0, 8.5, -16.0] }),
            ],
            8 => vec![killedmonster(), updatestat(14, 1), updatefrags(0, 1)],
            10 => vec![foundsecret(), centerprint("You found a secret area!"), stopsound(PLAYER, 1)],
            12 => vec![print("You got armor\n"), stufftext("bf\n"), stufftext("impulse"), stufftext(" 10\n")],
            14 => vec![setpause(1)],
            15 => vec![setpause(0), lightstyle(32, "a")],
            17 => vec![print("\x01Ranger: \"quit\" \\ \r\n"), updatecolors(0, 4, 4)],
            19 => vec![temp_point(net, 11, place), setangle(net, [-11.25, 45.0, 0.0]), super::intermission()],
            _ => Vec::new(),
        }
    }

    /// The camera at a tick.
    pub fn camera(tick: usize) -> [f32; 3] {
        [-4.620_034 + tick as f32 * 0.3, 66.851_81 - tick as f32 * 1.7, 0.0]
    }

    /// Puts the three blocks of signing on onto the tape.
    pub fn sign_on(&self, tape: &mut Tape) {
        tape.announce(self.net.protocol, self.level.map, self.level.title);
        for block in [self.announcement(), self.spawning(), self.scoring()] {
            tape.dem_block([0.0; 3], &block);
        }
    }

    /// Puts game blocks onto the tape.
    pub fn run(&self, tape: &mut Tape, ticks: std::ops::Range<usize>) {
        for tick in ticks {
            tape.dem_block(Self::camera(tick), &self.tick(tick));
        }
    }

    /// The block that ends a recording.
    pub fn stop(tape: &mut Tape) {
        tape.dem_block(Self::camera(TICKS), &[disconnect()]);
    }

    /// A whole recording under the usual header.
    pub fn sample(&self, name: &'static str, about: &'static str) -> Sample {
        let mut tape = Tape::dem(b"-1\n");
        self.sign_on(&mut tape);
        self.run(&mut tape, 0..TICKS);
        Self::stop(&mut tape);
        tape.finish(name, about, End::Disconnect)
    }
}
