//! Cheats and honest play of which no recording is available. The independent writer makes them, as a player would act
//! who knows the rules of the audit.

use moviola_audit::{AuditCode, AuditReport, AuditSeverity, audit};
use moviola_scribe::dem::{
    Clientdata, Items, Net, Sound, Update, clientdata, damage, disconnect, print, serverinfo, setview,
    signonnum, sound, stufftext, temp_point, time, updateentity,
};
use moviola_scribe::{End, Message, Tape};

const NET: Net = Net::netquake();
const SOUNDS: [&str; 6] = [
    "items/health1.wav",
    "weapons/guncock.wav",
    "misc/outwater.wav",
    "items/armor3.wav",
    "weapons/lock4.wav",
    "weapons/pkup.wav",
];
/// The sounds by their numbers.
const HEALTH: u16 = 1;
const WATER: u16 = 3;
const ARMOR: u16 = 4;
const BOX: u16 = 5;
const WEAPON: u16 = 6;
/// The items that a player has at the start: the bits of the axe, the shotgun and shells.
const SHOTGUN: i32 = 0x1101;

/// A recording in the making: the player, and the blocks so far.
struct Made {
    tape: Tape,
    clock: f32,
    step: f32,
    state: Clientdata,
    items: i32,
    place: [f32; 3],
    view: [f32; 3],
}

impl Made {
    /// A game with id's code and this many players, in which an item was picked up and a sound of another player was
    /// heard.
    fn of(players: u8) -> Self {
        let mut tape = Tape::dem(b"-1\n");
        let models = ["maps/hall.bsp", "progs/player.mdl", "progs/soldier.mdl"];
        tape.dem_block(
            [0.0; 3],
            &[
                print("\x02\nVERSION 1.09 SERVER (24778 CRC)"),
                serverinfo(&NET, players, 0, "Hall", &models, &SOUNDS),
                setview(1),
                signonnum(1),
            ],
        );
        tape.dem_block([0.0; 3], &[signonnum(2), signonnum(3)]);
        let state = Clientdata { bits: 1 << 10, ..Clientdata::default() };
        let mut made =
            Self { tape, clock: 1.0, step: 0.05, state, items: SHOTGUN, place: [0.0; 3], view: [0.0; 3] };
        made.stand(30);
        made.frame(&[], &[Self::sound(HEALTH, 1), temp_point(&NET, 2, [0.0; 3])]);
        made.print("You receive 15 health\n");
        made.stand(30);
        made
    }

    fn solo() -> Self {
        Self::of(1)
    }

    fn sound(index: u16, entity: u16) -> Message {
        sound(&NET, &Sound { entity, channel: 3, index, ..Sound::default() })
    }

    fn print(&mut self, text: &str) {
        self.tape.dem_block([0.0; 3], &[print(text), stufftext("bf\n")]);
    }

    /// Adds a frame: the messages before the player's state, and the momentary ones after it.
    fn frame(&mut self, before: &[Message], happens: &[Message]) {
        self.clock += self.step;
        let mut block = vec![time(self.clock)];
        block.extend_from_slice(before);
        block.push(clientdata(&NET, &Clientdata { items: Items::Marked(self.items), ..self.state }));
        let origin = self.place.map(Some);
        block.push(updateentity(&NET, &Update { entity: 1, model: Some(2), origin, ..Update::default() }));
        block.extend_from_slice(happens);
        self.tape.dem_block(self.view, &block);
    }

    fn stand(&mut self, frames: usize) {
        (0..frames).for_each(|_| self.frame(&[], &[]));
    }

    /// Adds a blow by the world, with the points that armor saves and the points that health loses.
    fn blow(&mut self, save: u8, take: u8) {
        self.frame(&[damage(&NET, save, take, [0.0; 3])], &[]);
        self.stand(4);
    }

    fn report(mut self) -> AuditReport {
        self.stand(60);
        self.tape.dem_block([0.0; 3], &[disconnect()]);
        let sample = self.tape.finish("made", "an audit's test", End::Open);
        audit(&sample.bytes[..]).unwrap()
    }

    /// The findings that are more than notes.
    fn found(self) -> Vec<AuditCode> {
        let report = self.report();
        report.findings.iter().filter(|it| it.severity > AuditSeverity::Note).map(|it| it.code).collect()
    }
}

#[test]
fn the_honest_game_is_clean() {
    assert_eq!(Made::solo().found(), []);
    let report = Made::of(4).report();
    assert!(report.is_clean() && report.audited && report.looked.unread == 0, "{report:?}");
}

/// Lava and water push nobody, so only the points distinguish their blocks.
#[test]
fn god_mode_standing_still() {
    let mut recording = Made::solo();
    (0..20).for_each(|_| recording.blow(0, 30));
    assert_eq!(recording.found(), [AuditCode::BlowsWithoutLoss]);
    let mut made = Made::solo();
    for _ in 0..3 {
        made.state.health -= 30;
        made.blow(0, 30);
    }
    assert_eq!(made.found(), []);
}

/// A blow without a state after it proves nothing.
#[test]
fn blows_without_the_state() {
    let mut made = Made::solo();
    for _ in 0..6 {
        made.clock += made.step;
        made.tape.dem_block([0.0; 3], &[time(made.clock), damage(&NET, 0, 9, [0.0; 3])]);
        made.state.health -= 9;
        made.stand(4);
    }
    let found = made.found();
    assert!(!found.contains(&AuditCode::BlowsWithoutLoss), "{found:?}");
}

/// A blow, and then a frame in which `change` changes the player, with a sound and a text.
fn gain(sound: u16, text: &str, change: impl Fn(&mut Made)) -> Vec<AuditCode> {
    let mut recording = Made::solo();
    recording.state.health = 60;
    recording.blow(0, 40);
    change(&mut recording);
    let sounds = if sound == 0 { vec![] } else { vec![Made::sound(sound, 1)] };
    recording.frame(&[], &sounds);
    if !text.is_empty() {
        recording.print(text);
    }
    recording.found()
}

#[test]
fn an_item_explains_only_its_own_amount() {
    let health = |points: i16| move |made: &mut Made| made.state.health += points;
    assert_eq!(gain(HEALTH, "You receive 25 health\n", health(25)), []);
    assert_eq!(gain(HEALTH, "", health(25)), [], "it is heard");
    assert_eq!(gain(0, "You receive 25 health\n", health(25)), [], "it is read of");
    assert_eq!(gain(HEALTH, "You receive 25 health\n", health(150)), [AuditCode::HealthSet]);
    assert_eq!(gain(0, "You receive 25 health\n", health(150)), [AuditCode::HealthSet]);
    assert_eq!(gain(WATER, "", health(150)), [AuditCode::HealthSet], "who leaves water takes nothing");
    assert_eq!(gain(ARMOR, "You got armor\n", health(25)), [AuditCode::HealthSet], "another item");
}

#[test]
fn an_item_explains_its_own_kind() {
    let text = "You receive 25 health\n";
    let armor = |made: &mut Made| (made.state.armor, made.items) = (Some(200), SHOTGUN | 1 << 15);
    assert_eq!(gain(ARMOR, "You got armor\n", armor), []);
    assert_eq!(gain(HEALTH, text, armor), [AuditCode::ArmorGiven]);
    let rockets = |made: &mut Made| (made.state.stock[2], made.items) = (5, SHOTGUN | 1 << 5);
    assert_eq!(gain(WEAPON, "You got the Rocket Launcher\n", rockets), []);
    assert_eq!(gain(HEALTH, text, rockets), [AuditCode::AmmoGiven, AuditCode::ItemGiven]);
    let many = |made: &mut Made| made.state.stock[2] = 100;
    assert_eq!(gain(BOX, "You got the rockets\n", |made| made.state.stock[2] = 10), []);
    assert_eq!(gain(BOX, "You got the rockets\n", many), [AuditCode::AmmoGiven]);
}

/// Two boxes at once, a box together with a blow, and a box whose sound was lost among others.
#[test]
fn items_together() {
    let mut recording = Made::solo();
    recording.state.health = 40;
    recording.blow(0, 60);
    recording.state.health += 50;
    recording.frame(&[], &[Made::sound(HEALTH, 1), Made::sound(HEALTH, 1)]);
    recording.state.health += 25 - 9;
    recording.frame(&[damage(&NET, 0, 9, [8.0; 3])], &[Made::sound(HEALTH, 1)]);
    recording.print("You receive 25 health\nYou receive 25 health\nYou receive 25 health\n");
    recording.state.health -= 60;
    recording.blow(0, 60);
    recording.state.health += 40;
    recording.frame(&[], &[Made::sound(HEALTH, 1)]);
    recording.print("You receive 25 health\nYou receive 15 health\n");
    assert_eq!(recording.found(), []);
}

/// A blow must take its own number of points, not just any.
#[test]
fn blows_that_disagree() {
    let blows = |health: u8, taken: &[i16]| {
        let mut made = Made::solo();
        for taken in taken {
            made.state.health -= taken;
            made.blow(0, health);
        }
        made.found()
    };
    assert_eq!(blows(10, &[10, 10]), []);
    assert_eq!(blows(10, &[60]), [AuditCode::BlowDisagrees]);
    assert_eq!(blows(30, &[10, 10, 10]), [AuditCode::BlowDisagrees]);
}

/// Blows on armor with these items and points, in which messages and losses agree.
fn armored(items: i32, points: u8, blows: &[(u8, u8)]) -> Vec<AuditCode> {
    let mut recording = Made::solo();
    (recording.items, recording.state.armor) = (SHOTGUN | items, Some(points));
    recording.frame(&[], &[Made::sound(ARMOR, 1)]);
    recording.print("You got armor\n");
    for (save, take) in blows {
        recording.state.armor =
            recording.state.armor.map(|points| points - save).filter(|points| *points > 0);
        recording.items = if recording.state.armor.is_some() { recording.items } else { SHOTGUN };
        recording.state.health -= i16::from(*take);
        recording.blow(*save, *take);
    }
    recording.found()
}

const GREEN: i32 = 1 << 13;
const YELLOW: i32 = 1 << 14;
const RED: i32 = 1 << 15;

#[test]
fn armor_saves_its_share() {
    assert_eq!(armored(GREEN, 100, &[(6, 14); 4]), []);
    assert_eq!(armored(YELLOW, 150, &[(12, 8); 4]), []);
    assert_eq!(armored(RED, 200, &[(16, 4); 4]), []);
    assert_eq!(armored(GREEN, 100, &[(16, 4); 4]), [AuditCode::ArmorShare]);
    assert_eq!(armored(RED, 200, &[(6, 14); 4]), [AuditCode::ArmorShare]);
    // Five knights at once, each with a point from rounding; and armor that is used up.
    assert_eq!(armored(GREEN, 100, &[(14, 26), (14, 26), (14, 26)]), []);
    assert_eq!(armored(RED, 10, &[(10, 60)]), []);
}

#[test]
fn armor_has_a_kind_and_its_points() {
    assert_eq!(armored(GREEN, 150, &[]), [AuditCode::ArmorKind]);
    assert_eq!(armored(0, 50, &[]), [AuditCode::ArmorKind]);
    // The kind of armor changes during play without a sound.
    let mut made = Made::solo();
    (made.items, made.state.armor) = (SHOTGUN | GREEN, Some(100));
    made.frame(&[], &[Made::sound(ARMOR, 1)]);
    made.print("You got armor\n");
    made.stand(30);
    made.items = SHOTGUN | RED;
    assert_eq!(made.found(), [AuditCode::ItemGiven]);
}

/// A single late frame, from a network or a cheater, does not switch the audit off; many do, and the report
/// shows it.
#[test]
fn late_frames() {
    let late = |times: usize, taken: i16| {
        let mut recording = Made::of(4);
        for _ in 0..7 {
            recording.state.health -= taken;
            recording.blow(0, 9);
        }
        for _ in 0..times {
            let clock = recording.clock;
            recording.clock -= 0.3;
            recording.frame(&[], &[]);
            recording.clock = clock;
            recording.stand(3);
        }
        recording.report()
    };
    let codes = |report: &AuditReport| report.findings.iter().map(|it| it.code).collect::<Vec<_>>();
    assert_eq!(codes(&late(1, 0)), [AuditCode::BlowsWithoutLoss]);
    assert_eq!(codes(&late(1, 9)), []);
    let many = late(40, 0);
    assert_eq!((codes(&many), many.looked.lossy_levels), (vec![], 1));
}

/// Six seconds of movement, with the sent speed (in 16 units per second) and the actual one.
fn moving(on_ground: bool, velocity: [i8; 3], made: [f32; 3]) -> Vec<AuditCode> {
    let mut made_up = Made::solo();
    let velocity = velocity.map(|part| (part != 0).then_some(part));
    made_up.state = Clientdata { velocity, bits: u32::from(on_ground) << 10, ..made_up.state };
    for _ in 0..120 {
        for (place, part) in made_up.place.iter_mut().zip(made) {
            *place += part * made_up.step;
        }
        made_up.frame(&[], &[]);
    }
    made_up.state = Clientdata { velocity: [None; 3], bits: 1 << 10, ..made_up.state };
    made_up.found()
}

#[test]
fn places_and_speeds() {
    assert_eq!(moving(true, [20, 0, 0], [320.0, 0.0, 0.0]), []);
    assert_eq!(moving(true, [0, 0, 0], [300.0, 0.0, 0.0]), [], "a train");
    assert_eq!(moving(true, [0, 0, 0], [1000.0, 0.0, 0.0]), [AuditCode::PlaceAndSpeed]);
    assert!(
        moving(false, [0, 0, 12], [0.0, 0.0, 192.0]).contains(&AuditCode::Hovering),
        "up, without gravity"
    );
    assert!(
        moving(false, [94, 0, 0], [1504.0, 0.0, 0.0]).contains(&AuditCode::Hovering),
        "level through the air"
    );
}

/// Shots at a monster to the north, one frame after the view was elsewhere.
fn shooting(turn: f32, pitch: f32, frames: f32) -> Vec<AuditCode> {
    let mut recording = Made::solo();
    let origin = [Some(0.0), Some(400.0), Some(0.0)];
    let monster = updateentity(&NET, &Update { entity: 9, model: Some(3), origin, ..Update::default() });
    recording.step = frames;
    for _ in 0..20 {
        recording.view = [0.0, 90.0 - turn, 0.0];
        (0..20).for_each(|_| recording.frame(&[], std::slice::from_ref(&monster)));
        recording.view = [pitch, 90.0, 0.0];
        let shot = Sound { entity: 1, channel: 1, index: 2, ..Sound::default() };
        recording.frame(&[], &[monster.clone(), sound(&NET, &shot)]);
    }
    recording.found()
}

#[test]
fn snapping_onto_monsters() {
    assert_eq!(shooting(60.0, 0.0, 0.014), [AuditCode::Snaps]);
    assert_eq!(shooting(60.0, 45.0, 0.014), [], "far below the monster");
    assert_eq!(shooting(60.0, 0.0, 0.1), [], "as fast as a hand is");
    assert_eq!(shooting(10.0, 0.0, 0.014), []);
}

/// Unreadable blocks are not judged, and do not count as clean.
#[test]
fn unread_blocks_are_not_judged() {
    let mut tape = Tape::dem(b"-1\n");
    (0..9).for_each(|_| tape.dem_block_raw([0.0; 3], &[], b"\x3e\x3e"));
    let sample = tape.finish("made", "an audit's test", End::Open);
    let report = audit(&sample.bytes[..]).unwrap();
    assert!(!report.audited);
    assert_eq!((report.looked.blocks, report.looked.unread, report.looked.frames), (9, 9, 0));
}
