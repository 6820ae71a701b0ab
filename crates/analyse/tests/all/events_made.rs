//! Events of small recordings that are written here: attackers, kills, and players of the same name.

use moviola_analyse::{Event, EventKind, Events, Report, watch};
use moviola_format::{Block, Game, Piece};

/// A recording that is being written.
struct Made {
    file: Vec<u8>,
    time: f32,
}

impl Made {
    /// A level whose models are the player's (2), a Scrag's spike (3) and a nail (4), whose sounds are those
    /// of picking up weapons (1) and ammunition (2), with players of these names.
    fn of(names: &[&str]) -> Self {
        let mut recording = Self { file: b"-1\n".to_vec(), time: 1.0 };
        let lists = b"Hall\0maps/hall.bsp\0progs/player.mdl\0progs/w_spike.mdl\0progs/spike.mdl\0\0\
            weapons/pkup.wav\0weapons/lock4.wav\0\0";
        recording.block(&[b"\x0b\x0f\0\0\0\x08\x01", &lists[..], b"\x05\x01\0\x19\x01"].concat());
        recording.block(b"\x19\x02\x19\x03");
        for (slot, name) in names.iter().enumerate() {
            recording.block(&[&[13, slot as u8], name.as_bytes(), &[0]].concat());
        }
        recording.frame(b"");
        recording.block(b"\x19\x04");
        recording
    }

    fn block(&mut self, data: &[u8]) {
        Piece::Block(Block::new(data)).write(Game::Quake, &mut self.file).unwrap();
    }

    /// A frame in which the recorder stands in the middle, with these further messages.
    fn frame(&mut self, data: &[u8]) {
        self.time += 0.05;
        self.block(&[b"\x07", &self.time.to_le_bytes()[..], b"\x83\x04\x01\x02\0\0", data].concat());
    }

    fn print(&mut self, text: &str) {
        self.block(&[b"\x08", text.as_bytes(), b"\0"].concat());
    }

    fn score(&mut self, slot: u8, frags: i16) {
        self.block(&[&[14, slot][..], &frags.to_le_bytes()].concat());
    }

    fn events(mut self) -> Vec<Event> {
        (0..4).for_each(|_| self.frame(b""));
        self.block(b"\x02");
        let mut found = Vec::new();
        watch(&self.file[..], &mut [&mut Events::new(|event| found.push(event))]).unwrap();
        found
    }
}

/// The attacker that is reported for damage of this many points without a position, if these entities were in flight
/// before it.
fn attacker(points: u8, flying: &[u8]) -> Option<String> {
    let mut made = Made::of(&["Al"]);
    made.frame(flying);
    made.frame(&[19, 0, points, 0, 0, 0, 0, 0, 0]);
    let blow = made.events().into_iter().find_map(|event| match event.kind {
        EventKind::Damage { attacker, .. } => Some(attacker),
        _ => None,
    });
    blow.unwrap().map(|name| name.text().to_owned())
}

#[test]
fn a_projectile_removed_on_impact_is_the_attacker() {
    // Entity 20, 50 units away: x is 400 eighths.
    let (spike, nail) = (b"\x83\x04\x14\x03\x90\x01", b"\x83\x04\x14\x04\x90\x01");
    assert_eq!(attacker(9, spike).as_deref(), Some("Scrag"));
    assert_eq!(attacker(9, nail).as_deref(), Some("a nail"));
    // At a distance of a thousand units it is not the cause.
    assert_eq!(attacker(5, b"\x83\x04\x14\x03\x40\x1f").as_deref(), Some("world"));
    assert_eq!(attacker(18, b"").as_deref(), Some("a nail or spike"));
    assert_eq!(attacker(15, b"").as_deref(), Some("a laser"));
    for fall_slime_lava in [5, 4, 8, 12, 10, 20] {
        assert_eq!(attacker(fall_slime_lava, b"").as_deref(), Some("world"));
    }
}

#[test]
fn bots_that_are_not_clients_kill_each_other() {
    let mut made = Made::of(&["Al"]);
    for piece in ["Bot", "1", " (skill ", "3", ") entered the game.\n", "Bot2 (skill 3) entered the game.\n"]
    {
        made.print(piece);
    }
    made.print("Bot2 ate 2 loads of Bot1's buckshot\n");
    let events = made.events();
    let of = |kind: &str| events.iter().filter(|event| event.name() == kind).count();
    assert_eq!((of("join"), of("kill"), of("console")), (2, 1, 0), "{events:?}");
}

#[test]
fn of_two_players_of_one_name_the_score_tells_them_apart() {
    let mut recording = Made::of(&["player", "player", "Al"]);
    recording.print("player was nailed by player\n");
    recording.score(1, 1);
    recording.frame(b"");
    recording.print("Al was nailed by player\n");
    recording.score(0, 1);
    recording.frame(b"");
    recording.print("player becomes bored with life\n");
    recording.score(1, -1);
    let deaths: Vec<_> = recording
        .events()
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Kill { victim, attacker, class, .. } => {
                Some((victim.unwrap().slot, attacker.map(|it| it.slot), class))
            }
            _ => None,
        })
        .collect();
    let (first, second, al) = (Some(0), Some(1), Some(2));
    assert_eq!(deaths, [(first, Some(second), "kill"), (al, Some(first), "kill"), (second, None, "suicide")]);
}

#[test]
fn a_renamed_player_stays_one_player() {
    let mut recording = Made::of(&["Vic", "Att"]);
    let kill = |made: &mut Made, name: &str, score: i16| {
        made.print(&format!("Vic rides {name}'s rocket\n"));
        made.score(1, score);
        made.frame(b"");
    };
    kill(&mut recording, "Att", 1);
    kill(&mut recording, "Att", 2);
    recording.block(b"\x0d\x01Bert\0");
    kill(&mut recording, "Bert", 3);
    let report = Report::read(&recording.file[..]).unwrap();
    let found: Vec<_> =
        report.players.iter().map(|it| (&it.name[..], it.slot, it.kills, it.streak)).collect();
    assert_eq!(found, [("Bert", Some(1), 3, 3), ("Vic", Some(0), 0, 0)]);
    let rows: Vec<_> =
        report.to_string().lines().filter(|line| line.contains("Bert")).map(str::to_owned).collect();
    assert_eq!(rows.len(), 1, "{rows:?}");
}

#[test]
fn a_slot_that_goes_to_somebody_else_is_not_a_rename() {
    let mut recording = Made::of(&["Al", "Bot", "unconnected"]);
    recording.print("Al rides Bot's rocket\n");
    recording.frame(b"");
    recording.block(b"\x0d\x01Cid\0\x0d\x02Dan\0");
    recording.print("Bot left the game with 0 frags\n");
    recording.print("Cid entered the game\n");
    recording.print("Dan entered the game\n");
    recording.frame(b"");
    let report = Report::read(&recording.file[..]).unwrap();
    let found: Vec<_> = recording
        .events()
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Leave { player, .. } => Some(("leave", player.name.line(), player.slot)),
            EventKind::Join { player } => Some(("join", player.name.line(), player.slot)),
            EventKind::Rename { player, .. } => Some(("rename", player.name.line(), player.slot)),
            _ => None,
        })
        .filter(|(_, name, _)| name != "Al")
        .collect();
    let is = |what, name: &str, slot| (what, name.to_owned(), Some(slot));
    let (leaves, joins) = (is("leave", "Bot", 1), [is("join", "Cid", 1), is("join", "Dan", 2)]);
    assert!(found.contains(&leaves) && joins.iter().all(|it| found.contains(it)), "{found:?}");
    assert!(found.iter().all(|(what, ..)| *what != "rename"), "{found:?}");
    let kills = |name: &str| report.players.iter().find(|it| it.name == name).map_or(0, |it| it.kills);
    assert_eq!((kills("Bot"), kills("Cid")), (1, 0));
}

#[test]
fn statistics_of_namesakes_are_printed_once() {
    let mut made = Made::of(&["Bot", "Bot", "Al"]);
    for _ in 0..7 {
        made.print("Al was nailed by Bot\n");
    }
    let report = Report::read(&made.file[..]).unwrap().to_string();
    let rows = report.lines().filter(|line| line.contains("Bot") && line.contains('7')).count();
    assert_eq!((rows, report.matches("players with the same name").count()), (1, 1), "{report}");
}

#[test]
fn a_line_before_its_sound_tells_of_the_same_pickup() {
    let (weapon, ammo) = (b"\x06\0\x08\0\x01\0\0\0\0\0\0", b"\x06\0\x08\0\x02\0\0\0\0\0\0");
    let mut recording = Made::of(&["Al"]);
    recording.print("You got the nailgun\n");
    recording.frame(b"");
    recording.print("You get the Nailgun, 45 shells\n");
    recording.frame(weapon);
    recording.frame(ammo);
    // This line follows its pickup, as lines usually do.
    recording.frame(ammo);
    recording.print("You got the nails\n");
    // A sound without a line, long after a line without a sound: that is the weapon of a player nearby.
    recording.print("You got the rocket launcher\n");
    (0..8).for_each(|_| recording.frame(b""));
    recording.frame(weapon);
    let events = recording.events();
    let items: Vec<&str> = events
        .iter()
        .filter_map(|event| match &event.kind {
            EventKind::Pickup { item, .. } => Some(item.text()),
            _ => None,
        })
        .collect();
    assert_eq!(items, ["nailgun", "the Nailgun, 45 shells", "nails", "rocket launcher"]);
}

/// The level's sounds, with those of Chthon.
fn chthon() -> Made {
    let mut recording = Made { file: b"-1\n".to_vec(), time: 1.0 };
    let lists = b"The House of Chthon\0maps/e1m7.bsp\0progs/player.mdl\0progs/boss.mdl\0\0\
        boss1/sight1.wav\0boss1/pain.wav\0boss1/death.wav\0boss1/throw.wav\0\0";
    recording.block(&[b"\x0b\x0f\0\0\0\x01\0", &lists[..], b"\x05\x01\0\x19\x01"].concat());
    recording.block(b"\x19\x02\x19\x03");
    recording.block(b"\x0d\0Al\0");
    recording.frame(b"");
    recording.block(b"\x19\x04");
    recording
}

#[test]
fn a_fight_against_a_boss_is_known_by_its_sounds() {
    let mut recording = chthon();
    // A sound without optional fields: entity 40 on channel 2, 100 units up.
    let sound = |number: u8| [6, 0, 0x42, 1, number, 0, 0, 0, 0, 0x20, 3];
    for (number, frames) in [(1, 19), (4, 1), (2, 19), (2, 20), (2, 20), (3, 0)] {
        recording.frame(&sound(number));
        (0..frames).for_each(|_| recording.frame(b""));
    }
    let mut fights = Vec::new();
    for event in recording.events() {
        let words = event.kind.to_string();
        if let EventKind::Boss { name, state, hits, origin, .. } = event.kind {
            assert_eq!((name, origin), ("Chthon", Some([0.0, 0.0, 100.0])));
            fights.push((state, hits, words));
        }
    }
    let fights: Vec<_> = fights.iter().map(|(state, hits, words)| (*state, *hits, words.as_str())).collect();
    assert_eq!(
        fights,
        [
            ("awake", 0, "Chthon is awake"),
            ("hurt", 1, "Chthon is hurt, 1 hit in 1.1 s"),
            ("hurt", 2, "Chthon is hurt, 2 hits in 2.1 s"),
            ("hurt", 3, "Chthon is hurt, 3 hits in 3.1 s"),
            ("dead", 3, "Chthon is dead, 3 hits in 4.2 s"),
        ]
    );
}

/// How the level ends if a cutscene with this text begins while the recorder is at this position, in eighths of a unit
/// on the first axis.
fn end_after_a_cutscene(text: &[u8], place: i16) -> &'static str {
    let mut made = Made::of(&["Al"]);
    made.frame(&[b"\x22", text, b"\0"].concat());
    made.frame(&[b"\x83\x04\x01\x02", &place.to_le_bytes()[..]].concat());
    let how = made.events().into_iter().find_map(|event| match event.kind {
        EventKind::LevelEnd { how, .. } => Some(how),
        _ => None,
    });
    how.unwrap()
}

#[test]
fn a_cutscene_through_which_the_player_walks_is_not_the_end() {
    assert_eq!(end_after_a_cutscene(b"", 1600), "left");
    assert_eq!(end_after_a_cutscene(b"", 80), "cutscene", "the player stood still");
    assert_eq!(end_after_a_cutscene(b"The end", 1600), "cutscene", "a text is shown");
}
