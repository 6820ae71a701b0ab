//! Each rule of the audit on short synthetic recordings: a breach is found, and the same effect with an honest cause is
//! not.

use moviola_audit::{AuditCode, AuditSeverity, audit};
use moviola_format::{Block, Game, Piece};

/// A recording in the making: a player, and the frames so far.
struct Run {
    file: Vec<u8>,
    time: f32,
    health: i16,
    cells: u8,
    items: u32,
    /// The velocity in steps of 16 units per second.
    velocity: [i8; 3],
    /// The position in units; each frame moves it by the velocity.
    origin: [f32; 3],
    /// The speed of the recording's clock, as a multiple of the game's.
    rate: f32,
    on_ground: bool,
    angles: [f32; 3],
}

const SHOTGUN: u32 = 0x1101;
const PENTAGRAM: u32 = 1 << 20;
/// The sounds of the level, by number: an item, a shot, the wind of a `trigger_push`, and the pentagram.
const ITEM: u8 = 1;
const SHOT: u8 = 2;
const WIND: u8 = 3;
const PROTECTION: u8 = 4;
const STEP: f32 = 0.014;

impl Run {
    /// A level for this many players, with this kind of game, in which there are sounds and effects.
    fn new(players: u8, kind: u8) -> Self {
        let mut run = Self::mute(players, kind);
        run.frame(STEP, b"", b"\x06\0\x28\0\x02\0\0\0\0\0\0\x17\x02\0\0\0\0\0\0");
        run
    }

    /// The same without sounds and effects, as if these had been removed.
    fn mute(players: u8, kind: u8) -> Self {
        Self::of(players, kind, "24778")
    }

    /// The same with game code of this checksum.
    fn of(players: u8, kind: u8, code: &str) -> Self {
        let mut run = Self {
            file: b"-1\n".to_vec(),
            time: 1.0,
            health: 100,
            cells: 0,
            items: SHOTGUN,
            velocity: [0; 3],
            origin: [0.0; 3],
            rate: 1.0,
            on_ground: true,
            angles: [0.0; 3],
        };
        let lists = b"Hall\0maps/hall.bsp\0progs/player.mdl\0\0items/health1.wav\0weapons/guncock.wav\0ambience/windfly.wav\0items/protect.wav\0\0";
        let info = [&b"\x0b\x0f\0\0\0"[..], &[players, kind], lists, b"\x05\x01\0\x19\x01"].concat();
        let version = format!("\x08\x02\nVERSION 1.09 SERVER ({code} CRC)\0");
        run.block(&[version.as_bytes(), &info].concat());
        run.block(b"\x19\x02\x19\x03");
        run.stand(30);
        run
    }

    fn solo() -> Self {
        Self::new(1, 0)
    }

    fn block(&mut self, data: &[u8]) {
        let block = Block { angles: self.angles.map(f32::to_bits), ..Block::new(data) };
        Piece::Block(block).write(Game::Quake, &mut self.file).unwrap();
    }

    /// Adds a frame this many seconds later: the messages before the player's state, and the momentary ones
    /// after it.
    fn frame(&mut self, step: f32, before: &[u8], happens: &[u8]) {
        self.time += step;
        for (place, speed) in self.origin.iter_mut().zip(self.velocity) {
            *place += f32::from(speed) * 16.0 * step * self.rate;
        }
        let mut data = b"\x07".to_vec();
        data.extend_from_slice(&self.time.to_le_bytes());
        data.extend_from_slice(before);
        let moves = self.velocity.map(|part| part != 0);
        let mut flags = 0x4200u16 | u16::from(self.on_ground) << 10;
        for (axis, moves) in moves.into_iter().enumerate() {
            flags |= u16::from(moves) << (5 + axis);
        }
        data.push(15);
        data.extend_from_slice(&flags.to_le_bytes());
        data.extend(self.velocity.iter().filter(|part| **part != 0).map(|part| *part as u8));
        data.extend_from_slice(&self.items.to_le_bytes());
        data.push(1);
        data.extend_from_slice(&self.health.to_le_bytes());
        data.extend_from_slice(&[25, 25, 0, 0, self.cells, 1]);
        // Entity 1 with its model and position.
        data.extend_from_slice(b"\x8f\x04\x01\x02");
        for part in self.origin {
            data.extend_from_slice(&((part * 8.0) as i16).to_le_bytes());
        }
        data.extend_from_slice(happens);
        self.block(&data);
    }

    fn stand(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.frame(STEP, b"", b""));
    }

    /// A hit with this many points, which shakes the view.
    fn blow(&mut self, points: u8, taken: i16) {
        self.hit_from([8, 0, 8, 0, 8, 0], points, taken);
    }

    /// A hit by the world: lava, slime, a fall.
    fn burn(&mut self, points: u8, taken: i16) {
        self.hit_from([0; 6], points, taken);
    }

    fn hit_from(&mut self, [x, xx, y, yy, z, zz]: [u8; 6], points: u8, taken: i16) {
        self.health -= taken;
        self.velocity[0] ^= 2;
        self.frame(STEP, &[19, 0, points, x, xx, y, yy, z, zz], b"");
        self.stand(10);
    }

    fn sound(number: u8, channel: u8) -> Vec<u8> {
        vec![6, 0, 8 | channel, 0, number, 0, 0, 0, 0, 0, 0]
    }

    fn end(mut self) -> Vec<AuditCode> {
        self.stand(120);
        self.block(b"\x02");
        let report = audit(&self.file[..]).unwrap();
        report.findings.iter().filter(|it| it.severity > AuditSeverity::Note).map(|it| it.code).collect()
    }
}

#[test]
fn standing_is_not_a_cheat() {
    assert_eq!(Run::solo().end(), []);
    assert_eq!(Run::new(8, 1).end(), []);
}

#[test]
fn blows_in_god_mode() {
    let blows = |mut run: Run, taken: [i16; 4]| {
        for taken in taken {
            run.blow(12, taken);
        }
        run.end()
    };
    assert_eq!(blows(Run::solo(), [12; 4]), []);
    assert_eq!(blows(Run::solo(), [0; 4]), [AuditCode::BlowsWithoutLoss]);
    assert_eq!(blows(Run::solo(), [12, 0, 0, 12]), [AuditCode::BlowsWithoutLoss]);
    assert_eq!(blows(Run::solo(), [12, 0, 12, 12]), [AuditCode::BlowWithoutLoss]);
    let mut run = Run::solo();
    run.items |= PENTAGRAM;
    run.frame(STEP, b"", &Run::sound(PROTECTION, 2));
    assert_eq!(blows(run, [0; 4]), []);
    // With `teamplay 1` a player's own rockets take no health, so in multiplayer games only the world's hits
    // count.
    assert_eq!(blows(Run::new(4, 0), [0; 4]), []);
    assert_eq!(blows(Run::new(4, 1), [0; 4]), []);
    let burns = |mut run: Run, taken: [i16; 4]| {
        for taken in taken {
            run.burn(12, taken);
        }
        run.end()
    };
    assert_eq!(burns(Run::new(4, 0), [0; 4]), [AuditCode::BlowsWithoutLoss]);
    // In deathmatch, where the engine has no god mode, three blows are not enough.
    assert_eq!(burns(Run::new(4, 1), [12, 0, 0, 0]), []);
    assert_eq!(burns(Run::new(4, 1), [0; 4]), [AuditCode::BlowsWithoutLoss]);
}

#[test]
fn hanging_in_the_air() {
    let hang = |velocity: [i8; 3], near: bool| {
        let mut run = Run::solo();
        run.on_ground = false;
        // Accelerates in steps, since full speed at once breaks another rule.
        for part in 1..=12i8 {
            run.velocity = velocity.map(|it| it / 12 * part);
            run.stand(2);
        }
        for _ in 0..300 {
            // Entity 2, at the player's height.
            let mut other = b"\x8f\x04\x02\x02\0\0\0\x01".to_vec();
            other.extend_from_slice(&((run.origin[2] * 8.0) as i16).to_le_bytes());
            run.frame(STEP, b"", if near { &other } else { b"" });
        }
        run.end()
    };
    assert_eq!(hang([0, 0, 12], false), [AuditCode::Hovering, AuditCode::Gravity]);
    assert_eq!(hang([24, 0, 0], false), [AuditCode::Hovering, AuditCode::Gravity]);
    assert_eq!(hang([0; 3], false), [], "stuck in something: a note");
    assert_eq!(hang([0, 0, 12], true), [], "one stands on it");
}

#[test]
fn blows_of_a_team_mate() {
    let mut run = Run::new(4, 1);
    run.block(b"\x0d\0One\0\x11\0\x44\x0d\x01Two\0\x11\x01\x44");
    (0..6).for_each(|_| run.blow(12, 0));
    assert_eq!(run.end(), []);
}

/// Game code prints a name separately, and a player may be named like a line of the engine.
#[test]
fn an_opponent_called_noclip_on() {
    let run = |prints: &[&[u8]]| {
        let mut run = Run::new(4, 1);
        run.block(b"\x0d\0One\0\x0d\x01noclip ON\0");
        for print in prints {
            run.block(&[b"\x08", *print, b"\0"].concat());
        }
        run.end()
    };
    assert_eq!(run(&[b"noclip ON", b" was nailed by ", b"One", b"\n"]), []);
    assert_eq!(run(&[b"One", b" eats ", b"noclip ON", b"'s rocket\n"]), []);
    assert_eq!(run(&[b"noclip ON", b"\n"]), []);
    assert_eq!(run(&[b"noclip ON\n"]), [], "a name with its line break, as modified games print it");
    assert_eq!(run(&[b"One says ", b"god", b"mode ON\n"]), [], "a line in pieces");
    assert_eq!(run(&[b"Bot: ", b"godmode ON\n"]), [], "what a bot says is printed in pieces");
    assert_eq!(run(&[b"\x01One: godmode ON\n"]), [], "chat");
    assert_eq!(run(&[b"godmode ON"]), [], "no whole line");
    // A name with a line break in it, of a bot that has no slot.
    let mut bot = Run::new(4, 1);
    bot.block(b"\x08godmode ON\n\0\x08 was nailed by \0\x08One\0\x08\n\0");
    assert_eq!(bot.end(), []);
    // The engine prints the line alone, after a complete line.
    assert_eq!(run(&[b"One entered the game\n", b"godmode ON\n"]), [AuditCode::GodSaid]);
}

#[test]
fn health_from_nowhere() {
    let mut run = Run::solo();
    run.blow(5, 5);
    run.health = 77;
    assert_eq!(run.end(), [], "`give h 77` does it: a note");
    let mut run = Run::solo();
    for health in [90, 70, 60] {
        run.health = health;
        run.stand(9);
    }
    assert_eq!(run.end(), [AuditCode::BlowsGone], "no hit is announced anywhere");
    let mut run = Run::solo();
    run.blow(50, 50);
    run.health = 75;
    run.frame(STEP, b"", &Run::sound(ITEM, 3));
    assert_eq!(run.end(), [], "an item is heard");
    let mut run = Run::solo();
    run.blow(50, 50);
    run.health = 75;
    run.frame(STEP, b"", b"");
    run.block(b"\x08You receive \0\x0825\0\x08 health\n\0\x09bf\n\0");
    assert_eq!(run.end(), [], "an item is read of");
    let mut run = Run::solo();
    run.blow(50, 50);
    run.health = 91;
    run.frame(STEP, b"", b"");
    assert_eq!(run.end(), [AuditCode::HealthSet]);
}

#[test]
fn weapons_from_nowhere() {
    let quad = 1 << 22;
    let mut run = Run::solo();
    run.items |= quad;
    assert_eq!(run.end(), [AuditCode::ItemGiven]);
    let mut run = Run::mute(1, 0);
    run.items |= quad;
    assert_eq!(run.end(), [], "sounds may have been taken out");
    let mut run = Run::solo();
    run.items |= 0x7E;
    assert_eq!(run.end(), [AuditCode::AllWeapons]);
    let mut run = Run::solo();
    run.cells = 200;
    assert_eq!(run.end(), [AuditCode::AmmoGiven, AuditCode::BeyondLimits]);
    // Modified multiplayer games give any amounts.
    let mut run = Run::new(8, 1);
    (run.items, run.cells) = (SHOTGUN | 0x7E | quad, 200);
    assert_eq!(run.end(), []);
}

#[test]
fn the_dead_rise() {
    let rise = |players: u8, kind: u8| {
        let mut run = Run::new(players, kind);
        run.blow(120, 120);
        run.health = 80;
        run.stand(5);
        run.end()
    };
    assert_eq!(rise(1, 0), [AuditCode::Resurrection]);
    assert_eq!(rise(4, 1), [], "in deathmatch one comes back");
}

#[test]
fn jumps() {
    let jump = |happens: &[u8]| {
        let mut run = Run::solo();
        run.origin = [900.0, 400.0, 0.0];
        run.frame(STEP, b"", happens);
        run.end()
    };
    assert_eq!(jump(b""), [AuditCode::Jump]);
    assert_eq!(jump(b"\x17\x0b\0\0\0\0\0\0"), [], "a teleport");
    let mut run = Run::mute(1, 0);
    run.origin = [900.0, 400.0, 0.0];
    assert_eq!(run.end(), [], "effects may have been taken out");
}

#[test]
fn noclip() {
    // Upwards, on ground that is too steep to stand on.
    let mut run = Run::solo();
    run.velocity = [0, 0, 12];
    for _ in 0..40 {
        run.frame(0.015_625, b"", b"");
    }
    assert!(run.end().contains(&AuditCode::Noclip));
    // A lift moves the player without a speed.
    let mut run = Run::solo();
    for _ in 0..40 {
        run.origin[2] += 3.0;
        run.frame(0.015_625, b"", b"");
    }
    assert_eq!(run.end(), []);
    // Full speed at once, in two directions.
    let mut run = Run::solo();
    for velocity in [[20, 0, 0], [0; 3], [0, 20, 0], [0; 3]] {
        run.velocity = velocity;
        run.stand(3);
    }
    assert_eq!(run.end(), [AuditCode::AtOnce]);
    // A wind gives the same velocity each time.
    let mut run = Run::solo();
    for velocity in [[20, 0, 0], [0; 3], [20, 0, 0], [0; 3]] {
        run.velocity = velocity;
        run.stand(3);
    }
    assert_eq!(run.end(), []);
    // Blows and teleporters push the player, but their messages were removed: that is not noclip.
    let mut run = Run::solo();
    for velocity in [[20, 0, 0], [0; 3], [0, 20, 0], [0; 3]] {
        run.health -= 10 * i16::from(velocity != [0; 3]);
        run.velocity = velocity;
        run.stand(60);
    }
    assert_eq!(run.end(), [], "two losses are a note");
    let mut run = Run::mute(1, 0);
    for velocity in [[20, 0, 0], [0; 3], [0, 20, 0], [0; 3]] {
        run.origin[0] += if velocity == [0; 3] { 0.0 } else { 400.0 };
        run.velocity = velocity;
        run.stand(60);
    }
    assert_eq!(run.end(), []);
}

#[test]
fn winds_and_slopes() {
    // Two audible winds in different directions; then along the ground, faster than any player walks.
    let mut run = Run::solo();
    for velocity in [[20, 0, 0], [0; 3], [0, 20, 0], [0; 3], [40, 0, 0]] {
        run.velocity = velocity;
        run.frame(STEP, b"", &Run::sound(WIND, 0));
        run.stand(90);
    }
    assert_eq!(run.end(), []);
    // Up in a wind, and around a curve.
    let mut run = Run::solo();
    run.on_ground = false;
    for turn in 0..12 {
        run.velocity = [9 - turn, 9, 12];
        run.frame(STEP, b"", &Run::sound(WIND, 0));
        run.stand(10);
    }
    run.velocity = [0; 3];
    run.on_ground = true;
    assert_eq!(run.end(), []);
    // Falls that end on slopes.
    let mut run = Run::solo();
    for aside in [[14, 0, -10], [0, 14, -10], [-14, 0, -10]] {
        run.on_ground = false;
        for fall in 0..30 {
            run.velocity = [0, 0, -fall];
            run.stand(1);
        }
        run.velocity = aside;
        run.stand(1);
        run.on_ground = true;
        run.velocity = [0; 3];
        run.stand(30);
    }
    assert_eq!(run.end(), []);
}

/// A network loses a frame with a blow, or with the effect of a teleport.
#[test]
fn lost_frames() {
    let lose = |players: u8, step: f32| {
        let mut run = Run::new(players, 0);
        run.blow(9, 9);
        run.stand(30);
        (run.health, run.origin) = (50, [900.0, 400.0, 0.0]);
        run.frame(step, b"", b"");
        run.end()
    };
    assert_eq!(lose(4, 2.0 * STEP), []);
    assert_eq!(lose(4, STEP), [AuditCode::Jump]);
    assert_eq!(lose(1, STEP), [AuditCode::Jump]);
    assert_eq!(lose(1, 2.0 * STEP), [AuditCode::Splice], "alone, nothing is lost: it was cut out");
}

/// A network loses the frame of a pickup; the text, which is sent until it arrives, comes before the gain.
#[test]
fn texts_of_lost_frames() {
    let lose = |players: u8, text: &[u8], later: usize| {
        let mut run = Run::of(players, 0, "12345");
        run.frame(STEP, b"", &Run::sound(ITEM, 3));
        run.stand(60);
        run.block(text);
        run.stand(later);
        run.cells = 30;
        run.frame(2.0 * STEP, b"", b"");
        run.end()
    };
    let text = b"\x08You got the cells\n\0";
    assert_eq!(lose(4, text, 0), []);
    assert_eq!(lose(4, text, 5), []);
    // Without a text, or long after it, the frame was cut out.
    assert_eq!(lose(4, text, 90), [AuditCode::Splice]);
    assert_eq!(lose(4, b"", 0), [AuditCode::Splice]);
    assert_eq!(lose(1, b"", 0), [AuditCode::Splice]);
}

/// A modified game announces items by its own sounds and words.
#[test]
fn gifts_of_modified_games() {
    let gift = |sign: &[u8], text: &[u8], cells: u8| {
        let mut run = Run::of(1, 0, "12345");
        run.frame(STEP, b"", &Run::sound(ITEM, 3));
        run.stand(60);
        run.cells = cells;
        run.frame(STEP, b"", sign);
        run.block(text);
        run.end()
    };
    assert_eq!(gift(&Run::sound(SHOT, 3), b"", 30), []);
    assert_eq!(gift(b"", b"\x08You found 30 plasma cells\n\0", 30), []);
    assert_eq!(gift(b"", b"", 4), [], "a little comes back by itself");
    assert_eq!(gift(b"", b"", 30), [AuditCode::AmmoGiven]);
}

#[test]
fn too_fast_on_the_ground() {
    let mut run = Run::solo();
    run.on_ground = false;
    run.velocity = [30, 0, 0];
    run.stand(100);
    run.on_ground = true;
    run.stand(50);
    run.on_ground = false;
    run.stand(10);
    (run.on_ground, run.velocity) = (true, [0; 3]);
    // Along a wall, at the greatest speed that friction and keys allow; and faster.
    let long = |speed: i8| {
        let mut run = Run::solo();
        run.velocity = [speed, 0, 0];
        run.stand(100);
        run.end()
    };
    assert_eq!((run.end(), long(30), long(36)), (vec![], vec![], vec![AuditCode::GroundSpeed]));
}

#[test]
fn steering_without_gravity() {
    let fly = |turn: bool| {
        let mut run = Run::solo();
        run.on_ground = false;
        for frame in 0..120i16 {
            // At the greatest speed in the air, reached in steps; then around a curve, or straight as in a
            // wind.
            let speed = (frame / 3).min(12) as i8;
            run.velocity = if turn && frame > 60 { [12 - (frame / 10) as i8, 12, 0] } else { [speed, 0, 0] };
            if frame == 61 && turn {
                run.velocity = [11, 3, 0];
            }
            run.stand(1);
        }
        run.velocity = [0; 3];
        run.on_ground = true;
        run.end()
    };
    assert!(fly(true).contains(&AuditCode::Weightless));
    assert_eq!(fly(false), []);
}

#[test]
fn clocks() {
    // If the player stands still, a rewritten clock cannot be distinguished from the game's.
    let paced = |speed: i8, parts: &[(usize, f32)]| {
        let mut run = Run::solo();
        run.stand(80);
        run.velocity = [speed, 0, 0];
        for (frames, step) in parts {
            (0..*frames).for_each(|_| run.frame(*step, b"", b""));
        }
        run.velocity = [0; 3];
        run.end()
    };
    let steps = |parts: &[(usize, f32)]| {
        assert_eq!(paced(0, parts), []);
        paced(10, parts)
    };
    assert_eq!(steps(&[(600, STEP)]), []);
    assert_eq!(steps(&[(50, 0.1)]), [], "a slow machine");
    assert_eq!(steps(&[(10, 0.2)]), [AuditCode::LongSteps]);
    assert_eq!(steps(&[(400, STEP), (400, 0.007)]), [AuditCode::SlowMotion]);
    assert_eq!(steps(&[(400, 0.03), (400, 0.005)]), [AuditCode::SlowMotion], "as even as no machine");
    let uneven: Vec<_> = (0..400).map(|frame| (1, 0.004 + (frame % 3) as f32 * 0.001)).collect();
    assert_eq!(steps(&[&[(400, 0.03)], &uneven[..]].concat()), [], "a scene that is easier to draw");
    // Others may have been cut out between single long frames.
    let cut: Vec<_> = (0..20).flat_map(|_| [(1, 0.2), (9, STEP)]).collect();
    assert_eq!(steps(&cut), []);
}

#[test]
fn many_frames_are_a_note() {
    let mut run = Run::solo();
    (0..700).for_each(|_| run.frame(0.01, b"", b""));
    run.block(b"\x02");
    let report = audit(&run.file[..]).unwrap();
    assert!(report.is_clean() && report.findings.iter().any(|it| it.code == AuditCode::ManyFrames));
    // Slow motion from beginning to end, shorter than a second on the clock.
    let mut run = Run::solo();
    (0..500).for_each(|_| run.frame(0.001, b"", b""));
    let report = audit(&run.file[..]).unwrap();
    assert!(report.is_clean() && report.findings.iter().any(|it| it.code == AuditCode::ManyFrames));
}

#[test]
fn snapping_onto_targets() {
    let shoot = |snap: bool| {
        let mut run = Run::new(4, 1);
        // Entity 2, another player, to the north.
        let other = b"\x8f\x04\x02\x02\0\0\x20\x03\0\0";
        for _ in 0..20 {
            run.angles[1] = 0.0;
            (0..10).for_each(|_| run.frame(STEP, b"", other));
            run.angles[1] = if snap { 90.0 } else { 60.0 };
            let shot = Run::sound(SHOT, 1);
            run.frame(STEP, b"", &[&other[..], &shot].concat());
        }
        run.end()
    };
    assert_eq!(shoot(true), [AuditCode::Snaps]);
    assert_eq!(shoot(false), []);
}

#[test]
fn clocks_that_were_written_anew() {
    // Back and forth at 320 units per second, which is 4 units per frame, with a clock at this rate.
    let runs = |rate: f32, at_once: bool| {
        let mut run = Run::solo();
        run.rate = rate;
        for turn in 0..12 {
            let [x, y] = if turn % 2 == 0 { [1, 0] } else { [0, 1] };
            for frame in 0..24 {
                let speed = if frame < 12 { 20 } else { -20 };
                run.velocity = if frame % 12 == 0 && !at_once { [0; 3] } else { [x * speed, y * speed, 0] };
                run.frame(0.0125 / rate, b"", b"");
            }
            run.velocity = [0; 3];
            run.stand(30);
        }
        run.end()
    };
    assert_eq!(runs(1.0, true), [AuditCode::AtOnce], "noclip");
    for rate in [0.5, 1.25, 2.0] {
        assert_eq!(runs(rate, true), [AuditCode::ClockEdited], "nothing else is judged at {rate}");
    }
}

/// Jumps under this gravity while running, and the findings.
fn jumping(mut run: Run, gravity: f32, jumps: usize) -> Vec<AuditCode> {
    for jump in 0..jumps {
        let there: i8 = if jump.is_multiple_of(2) { 3 } else { -3 };
        // Accelerates in steps, since full speed at once breaks another rule.
        for part in -6..=6 {
            run.velocity[0] = part * there;
            run.stand(2);
        }
        let (mut up, ground) = (270.0f32, run.origin[2]);
        run.on_ground = false;
        let mut height = ground;
        while height >= ground {
            run.time += STEP;
            height += up * STEP;
            up -= gravity * STEP;
            run.velocity[2] = (up / 16.0) as i8;
            run.time -= STEP;
            run.origin[2] = height - f32::from(run.velocity[2]) * 16.0 * STEP;
            run.frame(STEP, b"", b"");
        }
        run.velocity[2] = 0;
        run.on_ground = true;
        run.origin[2] = ground;
        run.stand(5);
    }
    run.velocity = [0; 3];
    run.end()
}

#[test]
fn another_gravity() {
    assert_eq!(jumping(Run::solo(), 800.0, 9), []);
    for gravity in [100.0, 200.0, 400.0, 600.0, 1100.0] {
        assert_eq!(jumping(Run::solo(), gravity, 9), [AuditCode::Gravity], "{gravity}");
    }
    assert_eq!(jumping(Run::mute(1, 0), 400.0, 9), [AuditCode::Gravity], "no wind does that");
    assert_eq!(jumping(Run::solo(), 400.0, 1), [], "one fall may be a slide");
    assert_eq!(jumping(Run::of(1, 0, "12345"), 400.0, 9), [], "a modified game");
    assert_eq!(jumping(Run::new(4, 1), 400.0, 9), []);
}

/// Flying: through the air up and down and around curves, without gravity.
#[test]
fn flying_up_and_down() {
    let mut run = Run::solo();
    run.on_ground = false;
    for part in 1..=18i8 {
        run.velocity = [part, 0, 0];
        run.stand(2);
    }
    for frame in 0..700 {
        let turn = frame as f32 * STEP;
        let [x, y, z] = [turn.cos() * 18.0, turn.sin() * 18.0, (turn * 2.0).sin() * 3.5];
        run.velocity = [x, y, z].map(|part| part as i8);
        run.frame(STEP, b"", b"");
    }
    run.velocity = [0; 3];
    run.on_ground = true;
    assert!(run.end().contains(&AuditCode::Gravity));
}

#[test]
fn runes_from_nowhere() {
    let runes = |happens: &[u8], text: &[u8]| {
        let mut run = Run::solo();
        run.items |= 0xF << 28;
        run.frame(STEP, b"", happens);
        run.block(text);
        run.end()
    };
    assert_eq!(runes(b"", b""), [AuditCode::ItemGiven]);
    let mut run = Run::solo();
    run.items |= 1 << 28;
    run.frame(STEP, b"", b"");
    run.block(b"\x1aYou got the rune!\0");
    assert_eq!(run.end(), []);
    let mut run = Run::of(1, 0, "12345");
    run.items |= 0xF << 28;
    assert_eq!(run.end(), [], "another game");
}
