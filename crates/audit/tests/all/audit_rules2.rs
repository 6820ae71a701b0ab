//! The rules of the audit for Quake II, on short synthetic recordings.

use moviola_audit::{AuditCode, AuditReport, AuditSeverity, audit};
use moviola_format::names::quake2::{CS_IMAGES, CS_ITEMS};
use moviola_format::{Block, Game, Piece};

/// Numbers of the status bar: index and value.
type Stats<'a> = &'a [(u8, i16)];

/// The indexes of the status bar that matter here.
const HEALTH: u8 = 1;
const AMMO_ICON: u8 = 2;
const AMMO: u8 = 3;
const ARMOR_ICON: u8 = 4;
const ARMOR: u8 = 5;
const PICKUP_ICON: u8 = 7;
/// The numbers of pictures: body armor, and the cells of a power shield.
const BODY: i16 = 1;
const CELLS: i16 = 2;

fn block(data: &[u8], file: &mut Vec<u8>) {
    Piece::Block(Block::new(data)).write(Game::Quake2, file).unwrap();
}

/// The kind of movement in a frame, and the position on the x axis in units.
type Place = (u8, i16);

/// A game of this many players, in which the recorder's status bar has these numbers frame by frame.
fn played(players: u8, frames: &[Stats<'_>]) -> AuditReport {
    let still: Vec<_> = frames.iter().map(|stats| (*stats, (0, 0), &b""[..])).collect();
    moved(players, &still)
}

/// The same with the player's movement and position, and with other messages after the frame.
fn moved(players: u8, frames: &[(Stats<'_>, Place, &[u8])]) -> AuditReport {
    let mut file = Vec::new();
    let mut head = b"\x0c\x22\0\0\0\x01\0\0\0\x01\0\0\0Hall\0".to_vec();
    let mut config = |index: u16, text: &str| {
        head.push(13);
        head.extend_from_slice(&index.to_le_bytes());
        head.extend_from_slice(text.as_bytes());
        head.push(0);
    };
    config(30, &players.to_string());
    config(CS_IMAGES + BODY.unsigned_abs(), "i_bodyarmor");
    config(CS_IMAGES + CELLS.unsigned_abs(), "i_powershield");
    for (name, place) in ["Shotgun", "Railgun", "Chaingun", "Blaster"].into_iter().zip(CS_ITEMS..) {
        config(place, name);
    }
    block(&head, &mut file);
    for (number, (stats, (kind, x), after)) in (1i32..).zip(frames) {
        let mut data = vec![20];
        data.extend_from_slice(&number.to_le_bytes());
        data.extend_from_slice(&(-1i32).to_le_bytes());
        // The two lowest bits announce the kind of movement and the position.
        data.extend_from_slice(&[0, 0, 17, 3, 0, *kind]);
        data.extend([x * 8, 0, 0].into_iter().flat_map(i16::to_le_bytes));
        let bits = stats.iter().fold(0u32, |bits, (place, _)| bits | 1 << place);
        data.extend_from_slice(&bits.to_le_bytes());
        stats.iter().for_each(|(_, value)| data.extend_from_slice(&value.to_le_bytes()));
        data.extend_from_slice(&[18, 0, 0]);
        data.extend_from_slice(after);
        block(&data, &mut file);
    }
    Piece::End.write(Game::Quake2, &mut file).unwrap();
    let report = audit(&file[..]).unwrap();
    assert_eq!(report.looked.frames, frames.len() as u64, "all frames are read");
    report
}

/// The findings that are more than notes.
fn found(players: u8, frames: &[Stats<'_>]) -> Vec<AuditCode> {
    let report = played(players, frames);
    report.findings.iter().filter(|it| it.severity > AuditSeverity::Note).map(|it| it.code).collect()
}

#[test]
fn health_from_nowhere() {
    let hurt: Stats<'_> = &[(HEALTH, 40)];
    assert_eq!(found(1, &[hurt, hurt, hurt]), []);
    assert_eq!(found(1, &[hurt, &[(HEALTH, 100)]]), [AuditCode::GivenUnseen]);
    assert_eq!(found(1, &[hurt, &[(HEALTH, 65), (PICKUP_ICON, 5)]]), [], "an item was picked up");
    assert_eq!(found(8, &[hurt, &[(HEALTH, 100)]]), [], "games of several players heal as they like");
    assert_eq!(found(1, &[&[(HEALTH, 0)], &[(HEALTH, 100)]]), [], "a new life");
}

#[test]
fn ammunition_from_nowhere() {
    let shots = |icon: i16, ammo: i16| [(HEALTH, 100), (AMMO_ICON, icon), (AMMO, ammo)];
    assert_eq!(found(1, &[&shots(9, 10), &shots(9, 8)]), []);
    assert_eq!(found(1, &[&shots(9, 10), &shots(9, 200)]), [AuditCode::GivenUnseen]);
    assert_eq!(found(1, &[&shots(9, 10), &shots(8, 200)]), [], "another weapon");
    let picked = [(HEALTH, 100), (AMMO_ICON, 9), (AMMO, 20), (PICKUP_ICON, 5)];
    assert_eq!(found(1, &[&shots(9, 10), &picked]), [], "an item was picked up");
    assert_eq!(found(8, &[&shots(9, 10), &shots(9, 200)]), []);
}

#[test]
fn armor_from_nowhere() {
    let icon = |icon: i16, armor: i16| [(HEALTH, 100), (ARMOR_ICON, icon), (ARMOR, armor), (PICKUP_ICON, 5)];
    assert_eq!(found(1, &[&icon(0, 0), &icon(BODY, 100)]), [], "body armor");
    assert_eq!(found(1, &[&icon(0, 0), &icon(BODY, 200)]), [AuditCode::ArmorLeap]);
    // With a power shield, the status bar alternates between its cells and the armor.
    let turns = |icon: i16, armor: i16| [(HEALTH, 100), (ARMOR_ICON, icon), (ARMOR, armor)];
    let (armor, cells) = (turns(BODY, 30), turns(CELLS, 200));
    assert_eq!(found(1, &[&armor, &cells, &armor, &cells]), []);
}

#[test]
fn leaps_and_resurrections() {
    let codes = |players: u8, frames: &[(Stats<'_>, Place, &[u8])]| -> Vec<AuditCode> {
        let report = moved(players, frames);
        report.findings.iter().filter(|it| it.severity > AuditSeverity::Note).map(|it| it.code).collect()
    };
    let (well, dead): (Stats<'_>, Stats<'_>) = (&[(HEALTH, 100)], &[(HEALTH, -5)]);
    let (here, there): ((u8, i16), (u8, i16)) = ((0, 0), (0, 2800));
    assert_eq!(codes(1, &[(well, here, b""), (well, (0, 200), b"")]), []);
    assert_eq!(codes(1, &[(well, here, b""), (well, there, b"")]), [AuditCode::Jump]);
    assert_eq!(
        codes(8, &[(well, here, b""), (well, there, b"")]),
        [],
        "a note: many games carry players about"
    );
    assert_eq!(codes(1, &[(well, here, b""), (well, (4, 2800), b"")]), [], "the view of the scores");
    assert_eq!(codes(1, &[(dead, (2, 0), b""), (well, here, b"")]), [AuditCode::Resurrection]);
    assert_eq!(codes(8, &[(dead, (2, 0), b""), (well, here, b"")]), []);
}

/// Two looks at the inventory, between which three weapons appear: picked up, or not.
#[test]
fn all_weapons_at_once() {
    let inventory = |counts: [i16; 4]| {
        let mut message = vec![5];
        message.extend(counts.into_iter().flat_map(i16::to_le_bytes));
        message.extend(std::iter::repeat_n(0, 504));
        message
    };
    let (few, many) = (inventory([0, 0, 0, 1]), inventory([1, 1, 1, 1]));
    let found = |between: &[Stats<'_>]| {
        let mut frames = vec![(&[(HEALTH, 100)][..], (0, 0), &few[..])];
        frames.extend(between.iter().map(|stats| (*stats, (0, 0), &b""[..])));
        frames.push((&[(HEALTH, 100)], (0, 0), &many));
        let report = moved(1, &frames);
        report
            .findings
            .iter()
            .any(|it| it.code == AuditCode::AllWeapons && it.severity == AuditSeverity::Strong)
    };
    assert!(found(&[]));
    let item = |icon: i16| [(HEALTH, 100), (PICKUP_ICON, icon)];
    assert!(!found(&[&item(5), &item(6), &item(7)]));
}

/// Each of these frames is a full one, as cutting tools write it: a note, not an accusation.
#[test]
fn full_frames_are_a_note() {
    let frame: Stats<'_> = &[(HEALTH, 100)];
    let report = played(1, &[frame, frame, frame]);
    let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
    assert_eq!((finding.code, finding.count), (AuditCode::SecondFullFrame, 2));
    assert!(report.is_clean());
}

/// A player with this speed and this distance in each of some frames; or one whom a server's recording shows
/// with these effects.
mod made {
    use super::{AuditCode, AuditReport, AuditSeverity, audit};
    use moviola_scribe::dm2::{
        Entity, Frame, Num, Player, RECORD_CLIENT, RECORD_SERVER, Serverdata, configstring, frame,
        frame_server, packetentities, playerinfo, serverdata,
    };
    use moviola_scribe::{End, Message, Tape};

    fn head(isdemo: u8, players: &str) -> Vec<Message> {
        let client = if isdemo == RECORD_SERVER { -1 } else { 0 };
        let data = Serverdata { protocol: 34, key: 1, isdemo, game: "", client, title: "Hall" };
        vec![serverdata(&data), configstring(30, players), configstring(1312, "One\\male/grunt")]
    }

    fn report(tape: Tape) -> AuditReport {
        let sample = tape.finish("made", "an audit's test", End::Mark);
        audit(&sample.bytes[..]).unwrap()
    }

    fn moving(speed: f32, made: f32, frames: i32) -> Vec<AuditCode> {
        let mut tape = Tape::dm2();
        tape.dm2_block(&head(RECORD_CLIENT, "1"));
        let mut x = -2000.0;
        for number in 1..=40 {
            let moves = (10..10 + frames).contains(&number);
            x += if moves { made * 0.1 } else { 0.0 };
            let velocity = Some([if moves { speed } else { 0.0 }, 0.0, 0.0]);
            let numbers = vec![(1, 100)];
            let own = Player { origin: Some([x, 0.0, 0.0]), velocity, stats: numbers, ..Player::default() };
            let delta = if number == 1 { -1 } else { number - 1 };
            let head = Frame { sequence: number, delta, suppressed: 0, areas: &[0xFF] };
            tape.dm2_block(&[frame(34, &head), playerinfo(&own), packetentities(&[])]);
        }
        tape.mark();
        let found = report(tape).findings;
        found.iter().filter(|it| it.severity > AuditSeverity::Note).map(|it| it.code).collect()
    }

    #[test]
    fn place_and_speed() {
        assert_eq!(moving(300.0, 300.0, 20), []);
        assert_eq!(moving(0.0, 400.0, 8), [], "a train");
        assert_eq!(moving(900.0, 0.0, 2), [], "a hitch");
        assert_eq!(moving(4000.0, 0.0, 6), [AuditCode::PlaceAndSpeed]);
        assert_eq!(moving(0.0, 1500.0, 12), [AuditCode::PlaceAndSpeed]);
        assert!(moving(0.0, 28_000.0, 1).contains(&AuditCode::Jump));
    }

    fn served(effects: u16, renderfx: u16) -> AuditReport {
        let mut tape = Tape::dm2();
        tape.dm2_block(&head(RECORD_SERVER, "4"));
        for number in 1..=80 {
            let player = Entity {
                number: 1,
                models: [Some(255), Some(255), None, None],
                effects: Num::Short(effects),
                renderfx: Num::Short(renderfx),
                origin: [Some(0.0); 3],
                old_origin: Some([0.0; 3]),
                ..Entity::default()
            };
            tape.dm2_block(&[frame_server(number), packetentities(&[player])]);
        }
        report(tape)
    }

    #[test]
    fn a_server_shows_the_shell_of_everybody() {
        let (honest, god) = (served(0, 0), served(0x100, 0x1C00));
        assert!(honest.is_clean() && honest.audited && honest.looked.models_only, "{honest:?}");
        assert_eq!(honest.looked.frames, 80);
        assert_eq!((god.findings[0].code, god.cheating), (AuditCode::GodShell, Some(AuditSeverity::Strong)));
        assert!(god.findings[0].evidence[0].description.starts_with("One, entity 1"), "{god:?}");
    }
}
