//! Matches of QuakeWorld: the counts equal those of the game's own statistics, and each event is reported once.

use crate::files::corpus;
use moviola_analyse::{Event, EventKind, Events, Report, watch};
use std::path::PathBuf;

/// A recording of the corpus; `None` without the corpus.
fn recording(name: &str) -> Option<Vec<u8>> {
    corpus().map(|folder| std::fs::read(folder.join("qw").join(name)).unwrap())
}

fn matches() -> Vec<PathBuf> {
    let Some(folder) = corpus() else { return Vec::new() };
    let files = std::fs::read_dir(folder.join("qw/real")).unwrap().map(|file| file.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|it| it == "mvd")).collect()
}

fn events(file: &[u8]) -> Vec<Event> {
    let mut all = Vec::new();
    watch(file, &mut [&mut Events::new(|event| all.push(event))]).unwrap();
    all
}

/// The game's own statistics, compared with the recordings' events.
#[test]
fn counts_are_those_of_the_game() {
    let (mut players, mut numbers, mut takes, mut shots) = (0, 0, 0, 0);
    for path in matches() {
        let file = std::fs::read(&path).unwrap();
        for one in Report::read(&file[..]).unwrap().matches {
            let Some(statistics) = &one.statistics else { continue };
            assert_eq!(one.differences, [], "{}", path.display());
            for reported in &statistics.players {
                let shown = one.players.iter().find(|it| it.name == reported.name).unwrap();
                players += 1;
                numbers += reported.deaths + reported.kills;
                takes += reported.items.iter().map(|it| it.taken).sum::<u64>();
                for weapon in reported.weapons.iter().filter(|it| it.attacks.is_some()) {
                    let of = shown.weapons.iter().find(|it| it.weapon == weapon.weapon).unwrap();
                    assert_eq!((of.attacks, of.hits), (weapon.attacks, weapon.hits), "{}", reported.name);
                    shots += weapon.attacks.unwrap();
                }
                println!("{} {:?} {:?}", reported.name, shown.damage, reported.damage);
                println!("   {:?}\n   {:?}", shown.items, reported.items);
            }
        }
    }
    println!("{players} players, {numbers} kills and deaths, {takes} takes, {shots} shots");
    assert!(corpus().is_none() || players > 4, "{players}");
}

/// Chat is sent to each player once, and makes one event.
#[test]
fn chat_is_reported_once() {
    let Some(file) = recording("ours/basic.mvd") else { return };
    let chat: Vec<(String, String, bool)> = events(&file)
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Chat { player, text, team, .. } => {
                Some((player.name.text().to_owned(), text.text().to_owned(), team))
            }
            _ => None,
        })
        .collect();
    let line = |who: &str, text: &str, team| (who.to_owned(), text.to_owned(), team);
    assert_eq!(
        chat.iter().filter(|it| **it == line("anna", "hello from anna", false)).count(),
        1,
        "{chat:?}"
    );
}

#[test]
fn both_recordings_of_one_game_tell_the_same_deaths() {
    let kills = |name: &str| {
        let file = recording(name)?;
        let mut kills = 0;
        let found = events(&file);
        for event in &found {
            kills += usize::from(matches!(event.kind, EventKind::Kill { .. }));
        }
        let starts = found.iter().filter(|it| matches!(it.kind, EventKind::LevelStart { .. })).count();
        assert_eq!(starts, 1, "{name}");
        Some(kills)
    };
    let (Some(server), Some(client)) = (kills("ours/bots.mvd"), kills("ours/bots.qwd")) else { return };
    assert!(server > 2 && server.abs_diff(client) <= 2, "{server} and {client}");
}

#[test]
fn a_small_match() {
    // A server's recording: a level, two players, a death, the resulting change of score, and a line that two
    // players receive.
    let block = |msec: u8, kind: u8, data: &[u8]| {
        [&[msec, kind][..], &(data.len() as u32).to_le_bytes(), data].concat()
    };
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let file = [
        block(0, 6, &level),
        block(0, 6, b"\x2d\0maps/hall.bsp\0\0\0"),
        block(0, 6, b"\x28\0\x01\0\0\0\\name\\Al\0\x28\x01\x02\0\0\0\\name\\Bob\0\x09skins\n\0"),
        block(10, 6, b"\x08\x01Bob rides Al's rocket\n\0"),
        block(0, 6, b"\x0e\0\x01\0"),
        block(10, 4, b"\x08\x03Al: ha\n\0"),
        block(0, 12, b"\x08\x03Al: ha\n\0"),
        block(10, 6, b"\x02EndOfDemo\0"),
    ]
    .concat();
    let names: Vec<&str> = events(&file).iter().map(Event::name).collect();
    assert_eq!(names, ["level_start", "command", "kill", "frags", "chat", "disconnect", "level_end"]);
    let report = Report::read(&file[..]).unwrap();
    let al = report.players.iter().find(|it| it.name == "Al").unwrap();
    assert_eq!((al.kills, al.deaths, report.levels[0].scores[0].frags), (1, 0, Some(1)));
}

/// In KTX's Rocket Arena two lines make one death.
#[test]
fn a_death_in_rocket_arena_has_a_killer() {
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let print = |text: &[u8]| block(10, 6, &[b"\x08\x02", text, b"\n\0"].concat());
    let file = [
        block(0, 6, &level),
        block(0, 6, b"\x2d\0maps/arena.bsp\0\0\0"),
        block(0, 6, b"\x28\0\x01\0\0\0\\name\\Al\0\x28\x01\x02\0\0\0\\name\\Bob\0\x09skins\n\0"),
        print(b"The \xf7\xe9\xee\xee\xe5\xf2 Bob has been defeated"),
        print(b"\xc1\xec \xe8\xe1\xe4 \x90\x19\x17\x91 \xe8\xe5\xe1\xec\xf4\xe8 \xe1\xee\xe4 \x90\x12\x91 \xe1\xf2\xed\xef\xf2 \xec\xe5\xe6\xf4"),
        print(b"The challenger Bob has failed"),
        print(b"because he became bored with life!"),
    ]
    .concat();
    let kills: Vec<_> = events(&file)
        .into_iter()
        .filter_map(|event| match event.kind {
            EventKind::Kill { victim, attacker, class, .. } => {
                Some((victim.unwrap().slot, attacker.map(|it| it.slot), class))
            }
            _ => None,
        })
        .collect();
    assert_eq!(kills, [(Some(1), Some(Some(0)), "kill"), (Some(1), None, "suicide")]);
}

/// A cut restores the state of its first moment. The restored values are not events.
#[test]
fn a_restored_moment_has_no_events() {
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let alive = b"\x2a\0\0\0\0";
    let dead = b"\x2a\0\0\x01\0";
    let begins = [
        block(0, 6, &level),
        block(0, 6, b"\x2d\0maps/hall.bsp\0\0\0"),
        block(0, 6, b"\x28\0\x01\0\0\0\\name\\Al\0\x09skins\n\0"),
        block(10, 6, alive),
    ]
    .concat();
    let change = [&b"\x0e\0\x03\0\x28\x01\x02\0\0\0\\name\\Bob\0"[..], dead].concat();
    let names = |rest: &[u8]| -> Vec<&str> {
        events(&[&begins[..], rest].concat()).iter().map(Event::name).collect()
    };
    // During play, the new user info means a score, an arrival and a death.
    let played = names(&block(10, 6, &change));
    assert_eq!(played, ["level_start", "command", "frags", "join", "death", "level_end"]);
    // After a whole server info, the same message describes the state at another moment, and is not an event.
    let whole = [&b"\x09fullserverinfo \"\\map\\hall\"\n\0"[..], &change].concat();
    let later = [block(0, 6, &whole), block(10, 6, b"\x0e\0\x04\0")].concat();
    assert_eq!(names(&later), ["level_start", "command", "frags", "level_end"]);
}

/// A server prints a line in pieces, two of which may be equal; a piece that another player got too is a copy.
#[test]
fn equal_pieces_of_one_players_line_are_not_copies() {
    let print = |slot: u8, text: &[u8]| block(0, slot << 3 | 4, &[b"\x08\x02", text, b"\0"].concat());
    let pieces = [&b"score "[..], b"10", b"\n", b"score2 ", b"10", b"\n"];
    let line = |slot: u8| pieces.iter().flat_map(|piece| print(slot, piece)).collect::<Vec<u8>>();
    let file = [three_players(), line(0), line(1)].concat();
    assert_eq!(lines_of(&file, "console"), ["score 10", "score2 10"]);
}

#[test]
fn deaths_are_seen_without_the_command_that_begins_play() {
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let names = b"\x28\0\x01\0\0\0\\name\\Al\0\x28\x01\x02\0\0\0\\name\\Bob\0";
    let look = |flags: u8| block(100, 6, &[0x2A, 0, 0, flags, 0]);
    let file = [block(0, 6, &level), block(0, 6, names), look(0), look(1), look(0)].concat();
    assert_eq!((lines_of(&file, "death").len(), lines_of(&file, "spawn").len()), (1, 1));
    assert_eq!(lines_of(&file, "join").len(), 0, "those who are there do not arrive");
}

#[test]
fn a_report_counts_bytes_that_are_not_a_block() {
    let words = |file: &[u8]| Report::read(file).unwrap().to_string();
    assert!(words(&three_players()).contains("all of them understood"));
    let file = [three_players(), b"\x0a\x07\x01\0\0\0\x01".to_vec()].concat();
    let report = words(&file);
    assert!(report.contains("; 7 bytes are in no block"), "{report}");
}

/// A block of an MVD.
fn block(msec: u8, kind: u8, data: &[u8]) -> Vec<u8> {
    [&[msec, kind][..], &(data.len() as u32).to_le_bytes(), data].concat()
}

/// A level with two players in one team, Al and Bob, and Eve in another. All of them are alive.
fn three_players() -> Vec<u8> {
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let info = b"\x09fullserverinfo \"\\mode\\2on2\\timelimit\\10\\status\\Countdown\"\n\0";
    let players = b"\x28\0\x01\0\0\0\\name\\Al\\team\\red\0\x28\x01\x02\0\0\0\\name\\Bob\\team\\red\0\
        \x28\x02\x03\0\0\0\\name\\Eve\\team\\blue\0\x09skins\n\0";
    let live = |slot: u8| block(0, slot << 3 | 5, b"\x03\0\x64");
    [block(0, 6, &level), block(0, 6, info), block(0, 6, players), live(0), live(1), live(2)].concat()
}

fn lines_of(file: &[u8], name: &str) -> Vec<String> {
    events(file).iter().filter(|it| it.name() == name).map(|it| it.kind.to_string()).collect()
}

#[test]
fn a_line_without_the_victim_gets_him_from_his_health() {
    let dies = |slot: u8| block(0, slot << 3 | 5, b"\x03\0\0");
    let line = block(10, 6, b"\x08\x01Al mows down a teammate\n\0");
    let end = block(10, 6, b"\x02EndOfDemo\0");
    for parts in [[line.clone(), dies(1)], [dies(1), line]] {
        let file = [three_players(), parts.concat(), end.clone()].concat();
        let report = Report::read(&file[..]).unwrap();
        let players = &report.matches[0].players;
        let of = |name: &str| players.iter().find(|it| it.name == name).unwrap();
        assert_eq!((of("Bob").deaths, of("Al").teamkills, of("Al").kills), (1, 1, 0));
    }
    // Eve is of another team.
    let file = [three_players(), dies(2), block(10, 6, b"\x08\x01Al mows down a teammate\n\0"), end].concat();
    let report = Report::read(&file[..]).unwrap();
    assert!(report.matches[0].players.iter().all(|it| it.deaths == 0));
}

#[test]
fn a_match_has_phases_and_warm_ups_do_not_count() {
    let line = |text: &[u8]| block(100, 6, &[b"\x08\x02", text, b"\n\0"].concat());
    let file = [
        three_players(),
        line(b"Eve rides Al's rocket"),
        block(100, 6, b"\x09//ktx matchstart\n\0"),
        block(200, 4, b"\x09//wps 0 sg 6 2\n\0"),
        block(0, 20, b"\x09//wps 0 sg 6 2\n\0"),
        block(100, 4, b"\x09//wps 0 rl 1 0\n\0"),
        block(100, 4, b"\x09//wps 0 rl 1 1\n\0"),
        line(b"Al paused the game"),
        line(b"game unpaused"),
        line(b"Bob rides Eve's rocket"),
        line(b"[5] minutes overtime follows"),
        line(b"\xcd\xe1\xf4\xe3\xe8 stopped by majority vote"),
        block(100, 6, b"\x09//ktx timer 9 20\n\0"),
        block(100, 6, b"\x09//ktx expire 12\n\0"),
        block(100, 6, b"\x09//finalscores \"x\"\n\0"),
        line(b"Al rides Eve's rocket"),
    ]
    .concat();
    assert_eq!(lines_of(&file, "match"), ["countdown", "start", "overtime", "break", "end"]);
    assert_eq!(lines_of(&file, "pause"), ["the game stops", "the game goes on"]);
    assert_eq!(lines_of(&file, "shot"), ["Al: Shotgun, 2 of 6 pellets hit", "Al: Rocket Launcher"]);
    assert_eq!(
        lines_of(&file, "accuracy"),
        ["Al: Shotgun, 2 of 6", "Al: Rocket Launcher, 0 of 1", "Al: Rocket Launcher, 1 of 1"]
    );
    assert_eq!(lines_of(&file, "timer"), ["item, back in 20 s (#9)"]);
    assert_eq!(lines_of(&file, "expire"), ["the backpack (#12)"]);
    let report = Report::read(&file[..]).unwrap();
    let one = &report.matches[0];
    assert_eq!((one.overtimes, one.breaks, one.pauses, one.mode.as_deref()), (1, 1, 1, Some("2on2")));
    assert_eq!((one.start, one.is_start_exact, one.end), (Some(0.2), true, Some(1.4)));
    let of = |name: &str| one.players.iter().find(|it| it.name == name).unwrap();
    assert_eq!((of("Al").kills, of("Eve").kills, of("Eve").deaths, of("Al").deaths), (0, 1, 0, 0));
    assert!(report.to_string().contains("1 overtime, 1 break, 1 pause"), "{report}");
}

#[test]
fn rounds_are_counted_and_moments_are_marked() {
    let line = |text: &[u8]| block(100, 6, &[b"\x08\x02", text, b"\n\0"].concat());
    let start = || block(100, 6, b"\x09//ktx matchstart\n\0");
    let round = |number: u8| {
        // Every player gets the same text.
        let text = [&b"\x08\x02round \x90"[..], &[b'0' + number], b"\x91 starts in 5 seconds.\n\0"].concat();
        [block(100, 4, &text), block(0, 12, &text)].concat()
    };
    let kill = || line(b"Bob rides Al's rocket");
    let end = || block(100, 6, b"\x09//finalscores \"x\"\n\0");
    let arena = [three_players(), start(), round(1), kill(), round(2), kill(), end()].concat();
    assert_eq!(lines_of(&arena, "match"), ["countdown", "start", "round", "round", "end"]);
    let mark = block(100, 4, b"\x09//demomark 0 round- 1\n\0");
    let hoony = [three_players(), start(), kill(), mark, start(), kill(), end()].concat();
    assert_eq!(lines_of(&hoony, "match"), ["countdown", "start", "start", "end"]);
    assert_eq!(lines_of(&hoony, "bookmark"), ["Al: 0 round- 1"]);
    for file in [arena, hoony] {
        let one = &Report::read(&file[..]).unwrap().matches[0];
        let al = one.players.iter().find(|it| it.name == "Al").unwrap();
        assert_eq!((one.rounds, al.kills, one.start), (2, 2, Some(0.1)));
        assert!(one.summary().contains("2 rounds"), "{}", one.summary());
    }
    let marks = [three_players(), block(100, 12, b"\x09//demomark\n\0")].concat();
    assert_eq!(lines_of(&marks, "bookmark"), ["Bob"]);
}

/// KTX repeats its welcome to each player for as long as it should be seen.
#[test]
fn a_text_in_the_middle_of_the_screen_is_one_event() {
    let text = |msec: u8, slot: u8| block(msec, slot << 3 | 4, b"\x1awelcome\0");
    let wait = || (0..16).flat_map(|_| block(250, 6, b"")).collect::<Vec<u8>>();
    let again = [text(200, 0), text(0, 1), text(200, 0), text(200, 2)].concat();
    let file = [three_players(), again, wait(), text(0, 0)].concat();
    assert_eq!(lines_of(&file, "centerprint"), ["welcome", "welcome"]);
}

#[test]
fn items_go_and_return_and_ktx_names_the_takers() {
    let models = block(0, 6, b"\x2d\0maps/hall.bsp\0progs/armor.mdl\0maps/b_bh100.bsp\0\0\0");
    let all = block(10, 6, b"\x2f\x09\x80\x04\x02\x0a\x80\x04\x03\0\0");
    let took = block(10, 6, b"\x09//ktx took 9 20 1\n\0");
    let gone = block(0, 6, b"\x30\xff\x09\x40\0\0");
    // KTX's line comes before or after the entity disappears.
    for [first, second] in [[took.clone(), gone.clone()], [gone.clone(), took.clone()]] {
        let file = [three_players(), models.clone(), all.clone(), first, second, all.clone()].concat();
        assert_eq!(lines_of(&file, "item_seen"), ["Green Armor at 0 0 0 (#9)", "Megahealth at 0 0 0 (#10)"]);
        assert_eq!(lines_of(&file, "item_taken"), ["Green Armor at 0 0 0 by Al (#9)"]);
        assert_eq!(lines_of(&file, "item_back").len(), 1);
    }
    // No line says who took the item.
    let file = [three_players(), models, all, gone].concat();
    assert_eq!(lines_of(&file, "item_taken"), ["Green Armor at 0 0 0 (#9)"]);
}

/// A block with the health and the items of a player.
fn carries(msec: u8, slot: u8, health: u8, items: i32) -> Vec<u8> {
    let data = [&[3, 0, health, 0x26, 15][..], &items.to_le_bytes()].concat();
    block(msec, slot << 3 | 5, &data)
}

/// A player who lets the game print no lines about items still has the items. A life begins with weapons that were not
/// picked up.
#[test]
fn weapons_are_taken_with_and_without_a_line() {
    const START: i32 = 4096 | 1;
    const GRENADES: i32 = 16;
    const ROCKETS: i32 = 32;
    const LIGHTNING: i32 = 64;
    let line = |slot: u8| block(0, slot << 3 | 4, b"\x08\0You got the Rocket Launcher\n\0");
    let lives = |slot: u8, items: i32| [carries(10, slot, 0, 0), carries(200, slot, 100, items)].concat();
    let file = [
        three_players(),
        [lives(0, START), lives(1, START)].concat(),
        carries(10, 0, 100, START | ROCKETS),
        [line(1), carries(0, 1, 100, START | ROCKETS)].concat(),
        // No other life began with the last weapon, so it was lying there.
        lives(1, START | LIGHTNING),
        lives(0, START | GRENADES | ROCKETS | LIGHTNING),
        [carries(200, 1, 100, START | LIGHTNING | ROCKETS), line(1)].concat(),
        block(10, 6, b"\x02EndOfDemo\0"),
    ]
    .concat();
    let evidence: Vec<String> =
        events(&file).iter().filter(|it| it.name() == "pickup").map(|it| it.evidence.to_string()).collect();
    assert_eq!(evidence, ["items", "print, items", "items", "print, items"]);
    let report = Report::read(&file[..]).unwrap();
    let of = |name: &str| report.matches[0].players.iter().find(|it| it.name == name).unwrap();
    for (name, wanted) in
        [("Al", &[("Rocket Launcher", 1)][..]), ("Bob", &[("Rocket Launcher", 2), ("Thunderbolt", 1)])]
    {
        let items: Vec<(&str, u64)> = of(name).items.iter().map(|it| (it.item.as_str(), it.taken)).collect();
        assert_eq!(items, wanted, "{name}");
        let weapons = of(name).weapons.iter().filter_map(|it| Some((it.weapon.as_str(), it.taken?)));
        assert_eq!(weapons.collect::<Vec<_>>(), wanted, "{name}");
    }
}

/// The recorder of a QWD has no name in the events about him.
#[test]
fn the_recorder_has_what_he_took() {
    let packet = |time: f32, number: u32, data: &[u8]| {
        let size = (data.len() as u32 + 8).to_le_bytes();
        let numbers = [number, number].map(u32::to_le_bytes).concat();
        [&time.to_le_bytes()[..], &[1], &size, &numbers, data].concat()
    };
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\x01Hall\0"[..], &[0; 40]].concat();
    let players = b"\x28\0\x01\0\0\0\\name\\Al\0\x28\x01\x02\0\0\0\\name\\Bob\0\x09skins\n\0";
    let file = [
        packet(1.0, 1, &level),
        packet(1.0, 2, players),
        packet(2.0, 3, b"\x08\0You got the Rocket Launcher\n\0"),
        packet(3.0, 4, b"\x08\x02hello\n\0"),
    ]
    .concat();
    let report = Report::read(&file[..]).unwrap();
    let players = &report.matches[0].players;
    let taken = |name: &str| players.iter().find(|it| it.name == name).unwrap().items.len();
    assert_eq!((taken("Al"), taken("Bob")), (0, 1), "{players:?}");
}

#[test]
fn a_telefrag_in_a_team_has_its_killer() {
    let line = block(10, 6, b"\x08\x01Bob was telefragged by his teammate\n\0");
    let end = block(10, 6, b"\x02EndOfDemo\0");
    let teamkills = |file: &[u8]| {
        let report = Report::read(file).unwrap();
        let players = report.matches[0].players.clone();
        let killers = players.into_iter().filter(|it| it.teamkills > 0).map(|it| (it.name, it.teamkills));
        (killers.collect::<Vec<_>>(), report.to_string().contains("team kills"))
    };
    // Al is the only other player of the team.
    let file = [three_players(), line.clone(), end.clone()].concat();
    assert_eq!(teamkills(&file), (vec![("Al".to_owned(), 1)], true));
    // Of two, the one whose score falls.
    let dan = block(0, 6, b"\x28\x03\x04\0\0\0\\name\\Dan\\team\\red\0");
    let file = [three_players(), dan.clone(), line.clone(), end.clone()].concat();
    assert_eq!(teamkills(&file), (vec![], false));
    let falls = block(0, 6, b"\x0e\x03\xff\xff");
    let same = block(10, 6, b"\x0e\x03\xff\xff\x08\x01Bob was telefragged by his teammate\n\0");
    for parts in [[line, falls].concat(), same] {
        let file = [three_players(), dan.clone(), parts, end.clone()].concat();
        assert_eq!(teamkills(&file), (vec![("Dan".to_owned(), 1)], true));
    }
}

/// The game counts a player's own weapon as suicide, and not the level.
#[test]
fn a_death_by_the_level_is_no_suicide() {
    let file = [
        three_players(),
        block(10, 6, b"\x08\x01Al fell to his death\n\0\x08\x01Al becomes bored with life\n\0"),
        block(10, 6, b"\x02EndOfDemo\0"),
    ]
    .concat();
    let report = Report::read(&file[..]).unwrap();
    let al = report.matches[0].players.iter().find(|it| it.name == "Al").unwrap();
    let whole = report.players.iter().find(|it| it.name == "Al").unwrap();
    assert_eq!((al.deaths, al.suicides, whole.deaths, whole.suicides), (2, 1, 2, 1));
}
