//! The rules of the engines, one by one, and the differences that a view's hash detects and ignores.

use moviola_format::{Block, Demo, Piece};
use moviola_scribe::dem::{centerprint, print, setview, signonnum, stufftext, time};
use moviola_scribe::{Message, dm2 as two};
use moviola_state::quake::{self, Stat};
use moviola_state::quake2::{self, Validity, layout};
use moviola_state::{Playhead, World};

type Quake = Playhead<quake::World>;
type Quake2 = Playhead<quake2::World>;

/// A level with one more model and one sound, in which entity 5 has a baseline.
fn level(models: &[u8], model: u8) -> Quake {
    let info = [b"\x0b\x0f\0\0\0\x02\0Here\0", models, b"\0a.wav\0\0"].concat();
    let baseline = [0x16, 5, 0, model, 3, 0, 1, 80, 0, 0, 0, 0, 64, 0, 0, 0];
    let mut head = Quake::new();
    step(&mut head, &[info, baseline.to_vec(), signonnum(3)]);
    head
}

fn step<W: World>(head: &mut Playhead<W>, messages: &[Message]) {
    let fault = head.step(&Block::new(&messages.concat()));
    assert_eq!(fault, None);
}

/// An update of entity 5 without any field.
const SAME: [u8; 2] = [0x80, 5];

fn shown(head: &Quake) -> Vec<u16> {
    head.world.shown().map(|(number, _)| number).collect()
}

#[test]
fn an_entity_is_drawn_while_its_update_is_of_this_time() {
    let mut head = level(b"maps/a.bsp\0progs/b.mdl\0", 2);
    assert_eq!((shown(&head), head.world.signon), (vec![], 3));
    step(&mut head, &[time(1.0), SAME.to_vec()]);
    assert_eq!((shown(&head), head.world.signon), (vec![5], 4));
    step(&mut head, &[print("no time, no change\n")]);
    assert_eq!(shown(&head), [5]);
    step(&mut head, &[time(1.1)]);
    assert_eq!(shown(&head), []);
    // A clock that goes back does not bring back removed entities.
    step(&mut head, &[time(1.0)]);
    assert_eq!(shown(&head), []);
    step(&mut head, &[time(1.2), SAME.to_vec()]);
    assert_eq!(shown(&head), [5]);
    // While the game is paused, the time stays.
    step(&mut head, &[time(1.2)]);
    assert_eq!(shown(&head), [5]);
}

#[test]
fn absent_fields_of_an_update_come_from_the_baseline() {
    let mut head = level(b"maps/a.bsp\0progs/b.mdl\0", 2);
    // Frame 7, x 100, and no smoothing; then nothing.
    step(&mut head, &[time(1.0), vec![0x80 | 0x40 | 0x20 | 0x02, 5, 7, 0x20, 3]]);
    let entity = *head.world.entity(5).unwrap();
    assert_eq!((entity.look.frame, entity.place.origin[0].value(), entity.step), (7, 100.0, true));
    assert_eq!((entity.look.skin, entity.place.angles[1].value()), (1, 90.0));
    assert!(entity.forcelink);
    step(&mut head, &[time(1.1), SAME.to_vec()]);
    let entity = *head.world.entity(5).unwrap();
    assert_eq!((entity.look.frame, entity.place.origin[0].value(), entity.step), (3, 10.0, false));
    assert!(!entity.forcelink, "it was in the last update, so its way is smoothed");
    step(&mut head, &[time(1.2)]);
    step(&mut head, &[time(1.3), SAME.to_vec()]);
    assert!(head.world.entity(5).unwrap().forcelink, "it was not in the last update");
}

#[test]
fn a_level_makes_the_world_forget() {
    let mut head = level(b"maps/a.bsp\0progs/b.mdl\0", 2);
    step(&mut head, &[time(1.0), SAME.to_vec(), b"\x03\x0c\x09\0\0\0\x1b\x1b\x1e".to_vec(), setview(1)]);
    assert_eq!(head.world.stats.get(Stat::TotalMonsters), 9);
    assert_eq!(head.world.stats.get(Stat::Monsters), 2);
    assert_eq!(
        (head.world.ending.scene, head.world.ending.time.value()),
        (quake::FinalScreen::Intermission, 1.0)
    );
    step(&mut head, &[b"\x0b\x0f\0\0\0\x04\0There\0maps/b.bsp\0\0\0".to_vec()]);
    assert_eq!(head.world.level.title.bytes(), b"There");
    assert_eq!((head.world.entities().count(), head.world.view.entity, head.world.signon), (0, 0, 0));
    assert_eq!((head.world.stats, head.world.players.len()), (quake::Stats::default(), 4));
}

/// Whether both hashes agree for two encodings of the same scene.
fn pair<W: World>(one: &Playhead<W>, other: &Playhead<W>) -> [bool; 2] {
    let (one, other) = (&one.world, &other.world);
    [one.state_hash() == other.state_hash(), one.view_hash() == other.view_hash()]
}

#[test]
fn clock_lists_and_commands_do_not_change_the_view() {
    let mut one = level(b"maps/a.bsp\0progs/b.mdl\0progs/c.mdl\0", 2);
    let mut other = level(b"maps/a.bsp\0progs/c.mdl\0progs/b.mdl\0", 3);
    assert_eq!(pair(&one, &other), [false, true]);
    step(&mut one, &[time(1.0), SAME.to_vec(), stufftext("echo hello\n")]);
    step(&mut other, &[time(64.5), SAME.to_vec()]);
    assert_eq!(pair(&one, &other), [false, true]);
    // Each of these changes is detected: the same number for the other model, a text, a flash, another camera.
    let before = one.clone();
    for seen in [
        [vec![0x81, 0x04, 5, 3]],
        [centerprint("look")],
        [stufftext("bf\n")],
        [setview(5)],
        [b"\x0c\x01az\0".to_vec()],
        [b"\x0e\x01\x05\0".to_vec()],
    ] {
        let mut changed = before.clone();
        let mut plain = before.clone();
        step(&mut changed, &[time(1.1), seen.concat()]);
        step(&mut plain, &[time(1.1)]);
        assert_eq!(pair(&changed, &plain), [false, false], "{seen:?}");
    }
}

/// The text of a finale or cutscene and a centerprint use the same string: the last one counts.
#[test]
fn a_scene_has_one_text() {
    let scene = |text: &str| [b"\x22", text.as_bytes(), b"\0"].concat();
    let world_after = |messages: &[Message]| {
        let mut head = level(b"maps/a.bsp\0progs/b.mdl\0", 2);
        step(&mut head, &[&[time(1.0)][..], messages].concat());
        step(&mut head, &[time(1.1)]);
        head.world
    };
    let late = world_after(&[scene("scene"), centerprint("late")]);
    assert_eq!(late.caption().unwrap().bytes(), b"late");
    assert_eq!(late.ending.text.bytes(), b"scene");
    let early = world_after(&[centerprint("early"), scene("scene")]);
    assert_eq!((early.caption().unwrap().bytes(), &early.center), (&b"scene"[..], &None));
    assert_ne!(late.view_hash(), early.view_hash());
    assert_eq!(world_after(&[scene("late")]).view_hash(), late.view_hash());
    // No text is drawn over an intermission's scores.
    let scores = world_after(&[centerprint("early"), b"\x1e".to_vec(), centerprint("late")]);
    assert_eq!(scores.caption(), None);
    assert_eq!(scores.view_hash(), world_after(&[b"\x1e".to_vec()]).view_hash());
}

#[test]
fn a_view_is_the_same_in_the_widths_of_another_protocol() {
    let frame_with = |protocol: &[u8], place: &[u8]| {
        let info = [b"\x0b", protocol, b"\x01\0Here\0maps/a.bsp\0b.mdl\0\0a.wav\0\0"].concat();
        let update = [&[0x83, 0x04, 5, 2][..], place].concat();
        let mut head = Quake::new();
        step(&mut head, &[info, signonnum(3), time(1.0), update]);
        head
    };
    let narrow = frame_with(&[15, 0, 0, 0], &[0x54, 0]);
    let wide = frame_with(&[0xE7, 3, 0, 0, 0x80, 0, 0, 0], &[0xA8, 0, 0, 0]);
    assert_eq!(narrow.world.entity(5).unwrap().place.origin[0].value(), 10.5);
    assert_eq!(pair(&narrow, &wide), [false, true]);
}

/// A frame with one entity, 7, whose x is a delta from `base`, and one number of the player.
fn frame(number: i32, base: i32, x: u8, health: u8) -> Vec<u8> {
    let head = [&[20][..], &number.to_le_bytes(), &base.to_le_bytes(), &[0, 0]].concat();
    let player = [17, 0, 0, 2, 0, 0, 0, health, 0];
    [&head[..], &player, &[18, 0x01, 7, x, 0, 0, 0]].concat()
}

fn x_of(head: &Quake2) -> (i16, i16) {
    let drawn = head.world.drawn();
    (drawn.entity(7).unwrap().origin[0].0, drawn.player(None).unwrap().stat(quake2::Stat::Health))
}

#[test]
fn a_frame_that_builds_on_nothing_freezes_the_picture() {
    let mut head = Quake2::new();
    step(&mut head, &[b"\x0c\x22\0\0\0\x01\0\0\0\x01\0\0\0Here\0".to_vec(), frame(1, -1, 8, 100)]);
    assert_eq!((x_of(&head), head.world.frame().validity), ((8, 100), Validity::Full));
    step(&mut head, &[frame(2, 1, 16, 90)]);
    assert_eq!((x_of(&head), head.world.frame().validity), ((16, 90), Validity::Delta));
    let view = head.world.view_hash();
    step(&mut head, &[frame(40, 39, 24, 80)]);
    assert_eq!((x_of(&head), head.world.frame().validity), ((16, 90), Validity::TooOld));
    assert_eq!(head.world.view_hash(), view, "the picture stays");
    step(&mut head, &[frame(41, 40, 32, 70)]);
    assert_eq!((x_of(&head), head.world.frame().validity), ((32, 70), Validity::FromInvalid));
    step(&mut head, &[frame(42, 0, 40, 60)]);
    assert_eq!((x_of(&head), head.world.frame().validity), ((40, 60), Validity::Full));
    // A frame that builds on a frame that is no longer held.
    step(&mut head, &[frame(58, 42, 48, 50)]);
    step(&mut head, &[frame(59, 42, 48, 50)]);
    assert_eq!(head.world.frame().validity, Validity::TooOld);
}

#[test]
fn a_view_does_not_know_the_numbers_of_frames() {
    let frame_with = |offset: i32, full: bool| {
        let mut head = Quake2::new();
        step(&mut head, &[b"\x0c\x22\0\0\0\x01\0\0\0\x01\0\0\0Here\0".to_vec(), frame(offset, -1, 8, 100)]);
        step(&mut head, &[frame(offset + 1, if full { -1 } else { offset }, 16, 90)]);
        head
    };
    assert_eq!(pair(&frame_with(1, false), &frame_with(7, false)), [false, true]);
    assert_eq!(pair(&frame_with(1, false), &frame_with(1, true)), [false, true]);
}

#[test]
fn a_relays_clients_have_states_and_screens_of_their_own() {
    let data = two::Frame { sequence: 10, delta: -1, suppressed: 0, areas: &[1] };
    let state = |health: u8| vec![17, 0, 0, 2, 0, 0, 0, health, 0];
    let mut head = Quake2::new();
    step(
        &mut head,
        &[
            b"\x0c\x22\0\0\0\x01\0\0\0\x80relay\0\xff\xffHere\0".to_vec(),
            two::frame_relay(34, &data, &[0, 3]),
            two::unicast(0, &state(100)),
            two::unicast(3, &state(50)),
            two::packetentities(&[]),
            two::layout("xv 0 yv 0 string all"),
            two::unicast(3, &two::layout("xv 0 yv 0 string \"only 3\"")),
        ],
    );
    let health = |client| head.world.frame().player(client).map(|state| state.stat(quake2::Stat::Health));
    assert_eq!([health(Some(0)), health(Some(3)), health(None)], [Some(100), Some(50), None]);
    let words = |client| head.world.screen(client).unwrap().layout.bytes().len();
    assert_eq!([words(Some(0)), words(Some(3)), words(None)], [20, 25, 20]);
}

/// A real recording's world after its last block.
fn last<W: World>(path: &str) -> Option<Playhead<W>> {
    let file = crate::common::real(path)?;
    let mut demo = Demo::new(&file[..]).unwrap();
    let mut head = Playhead::<W>::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            head.step(&block);
        }
    }
    Some(head)
}

/// Facts worked out by hand from the decompiled texts and the labels of these recordings.
#[test]
fn real_recordings_give_known_states() {
    let Some(head) = last::<quake::World>("ours/qs_15_secret.dem") else { return };
    let stats = [Stat::Secrets, Stat::TotalSecrets, Stat::Monsters, Stat::TotalMonsters];
    assert_eq!(stats.map(|stat| head.world.stats.get(stat)), [1, 3, 0, 54]);
    assert!(head.world.disconnected);

    let head = last::<quake::World>("ours/qs_15_dm2p.dem").unwrap();
    let [alice, gone, ..] = &head.world.players[..] else { panic!("four slots") };
    assert_eq!((alice.name.bytes(), alice.frags, gone.name.bytes()), (&b"Alice"[..], -2, &b""[..]));

    let head = last::<quake2::World>("ours/yq_sp.dm2").unwrap();
    let world = &head.world;
    let player = world.drawn().player(None).unwrap();
    let screen = layout::run(world.screen(None).unwrap().layout.bytes(), player, &world.config);
    let progress = layout::Progress { kills: [4, 10], goals: [0, 0], secrets: [1, 1] };
    assert_eq!(layout::progress(&screen), Some(progress));
    assert_eq!(world.config.player(0).0, b"Oracle");
    assert_eq!(world.config.item(7), b"Blaster");

    let head = last::<quake2::World>("ours/qp_net36.dm2").unwrap();
    let world = &head.world;
    let player = world.drawn().player(None).unwrap();
    let screen = layout::run(world.screen(None).unwrap().layout.bytes(), player, &world.config);
    let scores: Vec<_> =
        layout::scores(&screen).map(|score| (world.config.player(score.number).0, score.score)).collect();
    assert_eq!(scores, [(&b"Cl34"[..], 0), (b"Cl35", 0), (b"Cl36", -1)]);
}
