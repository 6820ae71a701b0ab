//! The events of a few recordings that were checked by hand in the decompiled text, or are listed in the corpus's
//! index.

use crate::files::real;
use moviola_analyse::{Event, EventKind, Events, Evidence, Report, Tally, watch};

fn events(path: &str) -> Option<Vec<Event>> {
    let file = real(path)?;
    let mut found = Vec::new();
    let mut events = Events::new(|event| found.push(event));
    watch(&file[..], &mut [&mut events]).unwrap();
    drop(events);
    Some(found)
}

fn words(events: &[Event], kind: &str) -> Vec<String> {
    events.iter().filter(|event| event.name() == kind).map(|event| event.kind.to_string()).collect()
}

fn all(events: &[Event], kind: &str, evidence: Evidence) -> bool {
    events.iter().filter(|event| event.name() == kind).all(|event| event.evidence.has(evidence))
}

/// The `time` before `intermission` is 40.984, five `killedmonster` precede it, and stat 12 is 5.
#[test]
fn a_run_has_its_time() {
    let Some(file) = real("dem/LibreQuake__medsrun1.dem") else { return };
    let report = Report::read(&file[..]).unwrap();
    let level = &report.levels[0];
    assert_eq!((level.map.as_deref(), level.how), (Some("medusa"), "intermission"));
    assert_eq!(level.kills, Some(Tally { done: 5, total: 5 }));
    assert!(report.sda().contains("Time    : 0:40.98400\n"), "{}", report.sda());
    assert_eq!((report.level_count, report.timed_levels, report.seconds), (2, 1, level.seconds));
}

/// The last `updatefrags` of slot 5 before the `intermission` has 40, that of slot 1 has 22; the `time` is
/// 892.
#[test]
fn a_match_has_its_scores() {
    let Some(file) = real("dem/QuakeOfficialArchive__CAMPER.DEM") else { return };
    let report = Report::read(&file[..]).unwrap();
    let level = &report.levels[0];
    let score = |name: &str| level.scores.iter().find(|it| it.name == name).and_then(|it| it.frags);
    assert_eq!((level.seconds, score("happy camper"), score("Gibberish")), (None, Some(40), Some(22)));
    // Each frag of this player is a console line.
    let player = report.players.iter().find(|it| it.name == "happy camper").unwrap();
    assert_eq!((player.kills, player.deaths, player.streak), (40, 0, 40));
}

/// The notes on this recording say: "listen server, chat hello, color 4 12".
#[test]
fn chat_and_colors() {
    let Some(events) = events("ours/quake1.07_DM1.dem") else { return };
    assert_eq!(words(&events, "chat"), ["recorder: hello"]);
    assert_eq!(words(&events, "recolor"), ["recorder: shirt 4, pants 12"]);
    // All three pickups have a print, a sound, a flash and the numbers.
    let evidence = Evidence::PRINT | Evidence::SOUND | Evidence::FLASH | Evidence::STATS;
    assert_eq!(words(&events, "pickup"), ["Double-barrelled Shotgun", "shells", "nails"]);
    assert!(all(&events, "pickup", evidence));
}

/// The index says: "join, chat, `say_team`, rename, color, suicides, frags -2, leave".
#[test]
fn players_come_and_go() {
    let Some(events) = events("ours/qs_15_dm2p.dem") else { return };
    assert_eq!(words(&events, "join"), ["Bob"]);
    assert_eq!(words(&events, "rename"), ["Bob is now Bobby"]);
    assert_eq!(words(&events, "leave"), ["Bobby, with -2 frags"]);
    assert_eq!(words(&events, "frags"), ["Alice: -2 (-2)", "Bob: -2 (-2)"]);
    let kills = ["Alice suicides (suicide, kill command)", "Bob suicides (suicide, kill command)"];
    assert_eq!(words(&events, "kill"), kills);
    assert!(all(&events, "kill", Evidence::PRINT | Evidence::FRAGS));
    assert!(all(&events, "join", Evidence::PRINT | Evidence::PLAYERS));
    assert!(all(&events, "leave", Evidence::PRINT | Evidence::PLAYERS));
    assert!(words(&events, "chat").contains(&"Bob: hello from bob".to_owned()));
    assert_eq!(words(&events, "teleport"), [""; 0]);
}

/// "foundsecret + centerprint, rocket self hits, 36 damage".
#[test]
fn secrets_and_blows() {
    let Some(events) = events("ours/qs_15_secret.dem") else { return };
    assert_eq!(words(&events, "secret"), ["1/3"]);
    assert_eq!(words(&events, "centerprint"), ["You found a secret area!"]);
    assert_eq!(words(&events, "damage").len(), 36);
}

/// "changelevel, restart: 3 serverinfo"; "gamemap while recording: 2 serverdata".
#[test]
fn levels_are_counted() {
    for (path, levels) in
        [("ours/qs_15_changelevel.dem", 3), ("ours/yq_chg.dm2", 2), ("ours/quake1.06_SP1.dem", 2)]
    {
        let Some(events) = events(path) else { return };
        assert_eq!(words(&events, "level_start").len(), levels, "{path}");
        assert_eq!(words(&events, "level_end").len(), levels, "{path}");
    }
}

/// The index says: "say, name+color change, pause (setpause), kill+respawn".
#[test]
fn pause_and_suicide() {
    let Some(events) = events("ours/qs_15_lq_e0m9.dem") else { return };
    assert_eq!(words(&events, "pause"), ["the game stops", "the game goes on"]);
    assert_eq!(words(&events, "rename"), ["player is now Oracle"]);
    let suicides = words(&events, "kill");
    assert_eq!(suicides, ["Oracle suicides (suicide, kill command)"]);
    let weapons: Vec<_> = events
        .iter()
        .filter_map(|event| match event.kind {
            EventKind::Shot { weapon, .. } => Some(weapon),
            _ => None,
        })
        .collect();
    for weapon in ["Shotgun", "Rocket Launcher", "Grenade Launcher", "Thunderbolt"] {
        assert!(weapons.contains(&weapon), "{weapon}");
    }
}

/// "all weapons, centerprint, death": the field computer showed 4/10 and 1/1, and five died after that.
#[test]
fn a_single_player_of_quake2() {
    let Some(events) = events("ours/yq_sp.dm2") else { return };
    assert_eq!(words(&events, "death").len(), 1);
    // Of the first four monsters, two were out of sight; the kind of the others is known from their entities.
    let monsters = [
        "1, Flyer",
        "2, Gunner",
        "4/10",
        "5/10, Guard",
        "6/10, Guard",
        "7/10, Enforcer",
        "8/10, Parasite",
        "9/10, Guard",
    ];
    assert_eq!(words(&events, "monster"), monsters);
    assert_eq!(words(&events, "level_end"), ["oracle2: left, kills 9/10, secrets 1/1"]);
    assert!(words(&events, "weapon").len() >= 9);
}

/// In a duel only the other player causes damage, so its direction points to that player.
#[test]
fn quake2_shows_who_hurts() {
    let Some(events) = events("dm2/q2demo__myr.dm2") else { return };
    let (mut sides, mut givers) = (0, Vec::new());
    for event in &events {
        if let EventKind::Damage { direction, attacker, .. } = &event.kind {
            sides += usize::from(direction.is_some());
            let guess = event.evidence.has(Evidence::GUESS);
            givers.extend(attacker.iter().filter(|_| guess).map(|it| it.text().to_owned()));
        }
    }
    assert!(sides >= 80 && givers.len() >= 25, "{sides}, {}", givers.len());
    assert!(givers.iter().all(|it| it == "stg"), "{givers:?}");
}

/// A player who dies in a match leaves a backpack. A backpack that was taken does not come back: one of another player
/// at the same place is another item.
#[test]
fn backpacks_have_a_life() {
    let Some(events) = events("dem/QuakeOfficialArchive__CAMPER.DEM") else { return };
    let of = |kind| words(&events, kind).iter().filter(|it| it.contains("Backpack")).count();
    assert_eq!([of("item_seen"), of("item_taken"), of("item_back")], [52, 46, 0]);
}

/// The recorder opened the scoreboard before the last kill: it shows 3, the status bar of the last frames 4.
#[test]
fn the_last_score_wins_over_an_old_scoreboard() {
    let Some(file) = real("dm2/libq2__testduel.dm2") else { return };
    let report = Report::read(&file[..]).unwrap();
    let claire = report.levels[0].scores.iter().find(|it| it.name == "claire").unwrap();
    assert_eq!(claire.frags, Some(4));
}

/// All shots of the recorder count, even while a camera has the view. Bot programs keep only some of the sounds, so no
/// number of shots is given if it is below the number of kills.
#[test]
fn no_weapon_kills_more_often_than_it_shoots() {
    let Some(file) = real("dem/QuakeBotArchive__2__DEMO2.DEM") else { return };
    let report = Report::read(&file[..]).unwrap();
    let launcher = report.weapons.iter().find(|it| it.weapon == "Rocket Launcher").unwrap();
    assert_eq!((launcher.shots, launcher.kills), (Some(34), 14));
    assert!(report.weapons.iter().all(|it| it.shots.is_none_or(|shots| shots >= it.kills)));
}

/// Cameras may show other players. The recorder is the player whose view is shown when the level begins.
#[test]
fn a_camera_is_not_a_recorder() {
    let Some(file) = real("dem/TeamFortressQuakeArchive__demo1.dem") else { return };
    assert_eq!(Report::read(&file[..]).unwrap().recorder.as_deref(), Some("bro"));
}

#[test]
fn a_report_warns_of_dangerous_commands() {
    let file = b"-1\n\x1f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x09unbindall;exec evil.cfg;quit\n\0";
    let report = Report::read(&file[..]).unwrap();
    assert_eq!(report.dangerous_commands, 3);
    assert_eq!(report.dangers, ["changes keys", "runs a file", "ends the game"]);
    let line = "3 dangerous commands for the console: changes keys, runs a file, ends the game";
    assert!(report.to_string().contains(line), "{report}");
}
