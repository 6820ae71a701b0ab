//! Edits of QuakeWorld's recordings: what remains shows the same as before.

use moviola_analyse::{Event, EventKind, Events, watch};
use moviola_edit::{
    Cut, FoundSpans, Ghost, Identity, Insert, Rewrite, SectionKind, Spans, Squeeze, rewrite, sections,
};
use moviola_format::{Demo, Game, Piece, Stamp};
use moviola_state::quakeworld::{Body, Entity, Player, World};
use moviola_state::{Playhead, Text};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

/// The recordings of a folder of the corpus, with their names.
fn recordings(folder: &str) -> Vec<(String, Vec<u8>)> {
    let Some(root) = crate::common::corpus() else { return Vec::new() };
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "qwd" || it == "mvd"));
    paths.sort();
    paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

fn all() -> Vec<(String, Vec<u8>)> {
    [recordings("qw/ours"), recordings("qw/real")].concat()
}

fn edited(bytes: &[u8], edit: &mut dyn Rewrite) -> Vec<u8> {
    let mut out = Vec::new();
    rewrite(bytes, edit, &mut out).unwrap();
    out
}

/// The state of a viewer at a moment, without the clock.
#[derive(Debug, PartialEq)]
struct Seen {
    bodies: Vec<Body>,
    entities: Vec<(u16, Entity)>,
    players: Vec<Player>,
    stats: Arc<Vec<[i32; 32]>>,
    lights: Arc<BTreeMap<u8, Text>>,
    info: Arc<BTreeMap<Text, Text>>,
}

fn seen(world: &World) -> Seen {
    let bodies = world.bodies.iter().map(|body| Body { seen: body.seen.map(|_| 0), ..*body }).collect();
    Seen {
        bodies,
        entities: world.entities.all().to_vec(),
        players: world.players.to_vec(),
        stats: Arc::clone(&world.stats),
        lights: Arc::clone(&world.lights),
        info: Arc::clone(&world.info),
    }
}

/// The moments of a recording: the number of a block, and the view after it; and how many blocks could not be read.
fn moments(bytes: &[u8]) -> (Vec<(u64, Seen)>, usize) {
    let (mut demo, mut head) = (Demo::new(bytes).unwrap(), Playhead::<World>::new());
    assert_eq!(demo.game(), Some(Game::QuakeWorld));
    let (mut moments, mut faults) = (Vec::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { panic!("raw bytes") };
        faults += usize::from(head.step(&block).is_some());
        let number = moments.len() as u64;
        moments.push((number, seen(&head.world)));
    }
    (moments, faults)
}

/// The numbers of the blocks that the spans name.
fn blocks_in(bytes: &[u8], spans: &str) -> Vec<u64> {
    let runs = Spans::parse(spans).unwrap().runs(|| Ok(bytes)).unwrap();
    runs.iter().flat_map(|run| run.first..=run.last).collect()
}

/// The events about scores, players who join, deaths and pickups in a recording.
fn deeds(bytes: &[u8]) -> Vec<EventKind> {
    let mut all = Vec::new();
    let mut events = Events::new(|event: Event| {
        let is_deed = matches!(
            event.kind,
            EventKind::Frags { .. }
                | EventKind::Join { .. }
                | EventKind::Leave { .. }
                | EventKind::Rename { .. }
                | EventKind::Recolor { .. }
                | EventKind::Death { .. }
                | EventKind::Spawn { .. }
                | EventKind::ItemTaken { .. }
        );
        all.extend(is_deed.then_some(event.kind));
    });
    watch(bytes, &mut [&mut events]).unwrap();
    drop(events);
    all
}

/// A part begins with the state of a moment; nothing may look as if it happened just then.
#[test]
fn a_cut_has_no_deeds_that_the_recording_does_not_have() {
    let mut count = 0;
    for name in ["qw/ours/bots.mvd", "qw/ours/duel_qtv.mvd", "qw/ours/ffa.mvd", "qw/ours/bots.qwd"] {
        let Some(root) = crate::common::corpus() else { return };
        let bytes = std::fs::read(root.join(name)).unwrap();
        let all = deeds(&bytes);
        for spans in ["+4..+9", "+2..+4, +8..+10"] {
            let found = Spans::parse(spans).unwrap().find(&bytes[..]).unwrap();
            let short = deeds(&edited(&bytes, &mut Cut::keep(found)));
            for deed in &short {
                assert!(all.contains(deed), "{name} {spans}: {deed:?}");
            }
            assert!(short.len() < all.len(), "{name} {spans}: {} of {}", short.len(), all.len());
            count += short.len();
        }
    }
    assert!(count > 0);
}

#[test]
fn an_edit_without_changes_keeps_all_bytes() {
    for (name, bytes) in all() {
        assert!(edited(&bytes, &mut Identity) == bytes, "{name}");
        let found = Spans::parse("..").unwrap().find(&bytes[..]).unwrap();
        assert!(edited(&bytes, &mut Cut::keep(found)) == bytes, "{name}");
    }
}

#[test]
fn moments_after_a_cut_are_unchanged() {
    for (name, bytes) in all() {
        let (before, faults) = moments(&bytes);
        for spans in ["+1..+1.5", "+0.4..+0.9, +1.2..+1.8"] {
            let Ok(found) = Spans::parse(spans).unwrap().find(&bytes[..]) else { continue };
            let numbers = blocks_in(&bytes, spans);
            let short = edited(&bytes, &mut Cut::keep(found));
            if let Ok(folder) = std::env::var("MOVIOLA_KEEP") {
                let file = name.rsplit('/').next().unwrap();
                std::fs::write(format!("{folder}/{}-{file}", spans.len()), &short).unwrap();
            }
            let (after, new_faults) = moments(&short);
            assert!(new_faults <= faults, "{name}: {new_faults} faults");
            // Compared backwards: only messages that a cut writes itself may precede the last kept block.
            let mut rest = after.as_slice();
            for number in numbers.iter().rev() {
                let moment = &before[*number as usize].1;
                let at = rest.iter().rposition(|(_, it)| it == moment);
                let at = at.unwrap_or_else(|| panic!("{name} {spans}: block {number} is not as it was"));
                assert!(
                    rest.len() - at < 80,
                    "{name} {spans}: {} blocks behind block {number}",
                    rest.len() - at
                );
                rest = &rest[..=at];
            }
        }
    }
}

/// The state at the end of each moment, and the events in it.
fn ends_of_moments(bytes: &[u8]) -> Vec<(Option<u64>, Seen, String)> {
    let (mut demo, mut head) = (Demo::new(bytes).unwrap(), Playhead::<World>::new());
    let mut all: Vec<(Option<u64>, Seen, String)> = Vec::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else { panic!("raw bytes") };
        let fault = head.step(&block);
        assert!(fault.is_none(), "{fault:?}");
        let (now, happened) = (head.world.now, format!("{:?}", head.world.moment));
        let happened = happened.trim_matches(['[', ']']);
        if let Some(last) = all.last_mut().filter(|last| head.world.is_mvd && last.0 == now) {
            last.1 = seen(&head.world);
            last.2.push_str(happened);
        } else {
            all.push((now, seen(&head.world), happened.into()));
        }
    }
    all
}

#[test]
fn a_squeezed_recording_shows_the_same_at_every_moment() {
    let mut sizes = [[0; 2]; 2];
    for (name, bytes) in all() {
        let small = edited(&bytes, &mut Squeeze::default());
        if let Ok(folder) = std::env::var("MOVIOLA_KEEP") {
            std::fs::write(format!("{folder}/squeezed-{}", name.rsplit('/').next().unwrap()), &small)
                .unwrap();
        }
        let (before, after) = (ends_of_moments(&bytes), ends_of_moments(&small));
        let first = before.iter().zip(&after).position(|(one, other)| one != other);
        assert!(first.is_none() && before.len() == after.len(), "{name}: moment {first:?} differs");
        assert!(edited(&small, &mut Squeeze::default()) == small, "{name}: a second time changes something");
        let [old, new] = &mut sizes[usize::from(is_mvd(&name))];
        println!("{name}: {} -> {}", bytes.len(), small.len());
        (*old, *new) = (*old + bytes.len(), *new + small.len());
    }
    let [[qwd, small_qwd], [mvd, small_mvd]] = sizes;
    println!("{sizes:?}");
    assert!(small_qwd * 100 <= qwd * 95 && small_mvd <= mvd, "{sizes:?}");
}

fn is_mvd(name: &str) -> bool {
    std::path::Path::new(name).extension().is_some_and(|it| it == "mvd")
}

#[test]
fn a_cut_names_every_audience_that_it_took_from_a_block_left_out() {
    for (name, bytes) in all().into_iter().filter(|(name, _)| is_mvd(name)) {
        let Ok(found) = Spans::parse("+1..").unwrap().find(&bytes[..]) else { continue };
        let short = edited(&bytes, &mut Cut::keep(found));
        let mut demo = Demo::new(&short[..]).unwrap();
        let mut last = None;
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { panic!("{name}: raw bytes") };
            let Stamp::Mvd { kind, .. } = block.stamp else { continue };
            assert!(kind & 7 != 1 || last.is_some(), "{name}");
            last = Some(kind);
        }
    }
}

/// The messages of a QuakeWorld recording as text, without the heads of blocks.
fn text(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    moviola_text::decompile(bytes, &mut out, &moviola_text::DecompileOptions::default()).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn strip_removes_the_named_parts_and_nothing_else() {
    for (name, bytes) in all() {
        for words in ["hidden", "addresses", "spectators", "key:team", "chat", "sounds, prints, centerprints"]
        {
            let short = edited(&bytes, &mut moviola_edit::Strip::parse(words).unwrap());
            let ((before, faults), (after, new_faults)) = (moments(&bytes), moments(&short));
            assert!(new_faults <= faults, "{name} {words}");
            let (before, after) = (&before.last().unwrap().1, &after.last().unwrap().1);
            assert_eq!(
                (&before.bodies, &before.entities),
                (&after.bodies, &after.entities),
                "{name} {words}"
            );
            assert_eq!(before.stats, after.stats, "{name} {words}");
            let has_team = |info: &BTreeMap<Text, Text>| info.keys().any(|key| key.bytes() == b"team");
            assert!(
                words != "key:team" || after.players.iter().all(|player| !has_team(&player.info)),
                "{name}"
            );
            let again = edited(&short, &mut moviola_edit::Strip::parse(words).unwrap());
            assert!(again == short, "{name} {words}: what is gone twice");
        }
    }
}

/// KTX's statistics come in parts, and a part may end inside the server's address.
#[test]
fn addresses_in_statistics_become_blanks() {
    let block = |kind: &[u8], data: &[u8]| [kind, &(data.len() as u32).to_le_bytes(), data].concat();
    let part = |number: u16, text: &[u8]| {
        let length = (text.len() as u32 + 2).to_le_bytes();
        block(&[0, 3, 0, 0, 0, 0], &[&length[..], &[3, 0], &number.to_le_bytes(), text].concat())
    };
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let file = |parts: [&[u8]; 3]| {
        let parts: Vec<u8> =
            parts.iter().zip([1, 2, 0]).flat_map(|(text, number)| part(number, text)).collect();
        [block(&[0, 6], &level), parts, block(&[0, 6], b"\x02EndOfDemo\0")].concat()
    };
    let with = file([b"{\"name\": \"ip\", \"i", b"p\": \"10.21", b"4.0.3\", \"port\": 27500}\n"]);
    let without = file([b"{\"name\": \"ip\", \"i", b"p\": \"     ", b"     \", \"port\": 27500}\n"]);
    assert_eq!(edited(&with, &mut moviola_edit::Strip::parse("addresses").unwrap()), without);
    assert_eq!(edited(&without, &mut moviola_edit::Strip::parse("addresses").unwrap()), without);
    assert_eq!(edited(&with, &mut moviola_edit::Strip::parse("chat").unwrap()), with);
}

#[test]
fn the_clock_of_a_recording_is_retimed() {
    for (name, bytes) in recordings("qw/ours") {
        let length = |bytes: &[u8]| {
            let levels = moviola_edit::levels(bytes).unwrap();
            let times: Vec<(f64, f64)> = levels.iter().filter_map(|level| level.times).collect();
            times.last().map_or(0.0, |last| last.1) - times.first().map_or(0.0, |first| first.0)
        };
        let half = moviola_edit::Speed::parse("1/2").unwrap();
        let slow = edited(&bytes, &mut moviola_edit::Retime::new(half, moviola_edit::FoundSpans::all()));
        let (was, is) = (length(&bytes), length(&slow));
        assert!((is - 2.0 * was).abs() < 0.02, "{name}: {was} {is}");
        assert_eq!(moments(&slow).0.last().unwrap().1.entities, moments(&bytes).0.last().unwrap().1.entities);
    }
}

#[test]
fn recordings_are_joined_into_one() {
    for file in ["duo.mvd", "duo.qwd"] {
        let Some((_, bytes)) = recordings("qw/ours").into_iter().find(|(name, _)| name.ends_with(file))
        else {
            continue;
        };
        let mut both = Vec::new();
        moviola_edit::join(vec![&bytes[..], &bytes[..]], &mut both).unwrap();
        if let Ok(folder) = std::env::var("MOVIOLA_KEEP") {
            std::fs::write(format!("{folder}/both-{file}"), &both).unwrap();
        }
        assert_eq!(moviola_edit::levels(&both[..]).unwrap().len(), 2);
        // The end mark of the first recording would end the playback.
        assert_eq!(both.windows(10).filter(|it| it == b"EndOfDemo\0").count(), 1, "{file}");
        let (once, twice) = (moments(&bytes).0, moments(&both).0);
        assert_eq!(once.last().unwrap().1, twice.last().unwrap().1);
    }
    let ours = recordings("qw/ours");
    let of = |ending: &str| ours.iter().find(|(name, _)| name.ends_with(ending));
    if let (Some((_, one)), Some((_, other))) = (of("duo.mvd"), of("duo.qwd")) {
        let refused = moviola_edit::join(vec![&one[..], &other[..]], Vec::new()).unwrap_err().to_string();
        assert_eq!(refused, "recording 2 is a qwd: join recordings of one kind");
    }
}

#[test]
fn players_get_names_and_colors() {
    for file in ["duo.mvd", "duo.qwd"] {
        let Some((_, bytes)) = recordings("qw/ours").into_iter().find(|(name, _)| name.ends_with(file))
        else {
            continue;
        };
        let mut set =
            moviola_edit::Set::parse(["player.hero.name=Ranger", "player.hero.colors=3,12"]).unwrap();
        set.find(&bytes[..]).unwrap();
        let new = edited(&bytes, &mut set.in_texts());
        let seen = moments(&new).0;
        let players = &seen.last().unwrap().1.players;
        let ranger = players.iter().find(|player| player.name() == b"Ranger").unwrap();
        assert_eq!(ranger.colors(), [3, 12]);
        assert!(players.iter().all(|player| player.name() != b"hero"));
        assert!(!text(&new).contains("hero suicides"));
    }
}

#[test]
fn players_get_skins() {
    let block = |data: &[u8]| [&[0, 6][..], &(data.len() as u32).to_le_bytes(), data].concat();
    let level = block(&[&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat());
    let player = |info: &str| block(&[&[40, 0, 7, 0, 0, 0], info.as_bytes(), &[0]].concat());
    let skinned = |words: &str, info: &str| {
        let file = [&level[..], &player(info)].concat();
        let mut set = moviola_edit::Set::parse([words]).unwrap();
        set.find(&file[..]).unwrap();
        (edited(&file, &mut set), file)
    };
    let with = |info: &str| [&level[..], &player(info)].concat();
    for before in ["\\name\\hero\\skin\\old", "\\name\\hero"] {
        assert_eq!(skinned("player.hero.skin=sr_base", before).0, with("\\name\\hero\\skin\\sr_base"));
    }
    let (same, file) = skinned("player.hero.skin=old", "\\name\\hero\\skin\\old");
    assert_eq!(same, file);
}

#[test]
fn subtitles_are_for_everybody() {
    // In the last file nearly all blocks inherit their audience.
    for file in ["duo.mvd", "duo.qwd", "accel-1.mvd"] {
        let Some((_, bytes)) = all().into_iter().find(|(name, _)| name.ends_with(file)) else { continue };
        let cues = "1\n00:00:01,000 --> 00:00:03,000\nA whole new line\n";
        let mut subtitle = moviola_edit::Subtitle::parse(cues.as_bytes()).unwrap();
        let new = edited(&bytes, &mut subtitle);
        assert!(text(&new).contains("A whole new line"), "{file}");
        assert!(moments(&new).1 <= moments(&bytes).1);
    }
}

#[test]
fn inserted_messages_are_for_all_players() {
    for (name, bytes) in recordings("qw/ours") {
        let Ok(found) = Spans::parse("..").unwrap().find(&bytes[..]) else { continue };
        for (what, wanted) in
            [("centerprint \"A whole new line\"", "A whole new line"), ("fov 110", "fov 110")]
        {
            let mut insert = Insert::parse(what).unwrap().at(found.clone());
            let new = edited(&bytes, &mut insert);
            assert!(text(&new).contains(wanted), "{name}");
            assert!(moments(&new).1 <= moments(&bytes).1, "{name}");
        }
    }
}

#[test]
fn an_edit_that_does_not_know_quakeworld_says_so() {
    struct Unaware;
    impl Rewrite for Unaware {}
    let Some((_, bytes)) = recordings("qw/ours").into_iter().next() else { return };
    let refused = rewrite(&bytes[..], &mut Unaware, Vec::new()).unwrap_err().to_string();
    assert!(refused.starts_with("this edit is for recordings of Quake and Quake II: `moviola convert"));
}

#[test]
fn one_player_of_a_match_has_a_recording() {
    for (name, bytes) in all().into_iter().filter(|(name, _)| is_mvd(name)) {
        let file = name.rsplit('/').next().unwrap();
        // Start data alone, without a moment of the game.
        if file.starts_with("rerecord") || file.ends_with("__test.mvd") {
            continue;
        }
        let (before, _) = moments(&bytes);
        let players = &before[before.len() / 2].1.players;
        let plays = |player: &&Player| player.is_here() && !player.is_spectator();
        let Some(slot) = players.iter().position(|player| plays(&player)) else { continue };
        let mut view = moviola_edit::View::of((slot + 1).to_string());
        view.find(&bytes[..]).unwrap();
        let player_view = edited(&bytes, &mut view);
        if let Ok(folder) = std::env::var("MOVIOLA_KEEP") {
            std::fs::write(format!("{folder}/view-{}", file.replace(".mvd", ".qwd")), &player_view).unwrap();
        }
        let (after, faults) = moments(&player_view);
        assert_eq!(faults, 0, "{name}");
        let places = |seen: &Seen| seen.bodies.get(slot).map(|body| body.origin);
        let ours: Vec<_> = after.iter().filter_map(|(_, seen)| places(seen)).collect();
        // Every position of the player on the server is in his own recording, in the same order.
        let mut rest = ours.as_slice();
        let mut last = None;
        for (at, (_, seen)) in before.iter().enumerate() {
            let is_next = before.get(at + 1).is_none_or(|(_, next)| places(next) != places(seen));
            let Some(place) = places(seen).filter(|place| is_next && last != Some(*place)) else { continue };
            let Some(found) = rest.iter().position(|it| *it == place) else { continue };
            rest = &rest[found..];
            last = Some(place);
        }
        assert_eq!(last, before.last().and_then(|(_, seen)| places(seen)), "{name}");
        let (Some(first), Some(second)) = (before.last(), after.last()) else { panic!("{name}") };
        assert_eq!(first.1.stats[slot], second.1.stats[slot], "{name}");
        let names = |seen: &Seen| seen.players.iter().map(|it| it.name().to_vec()).collect::<Vec<_>>();
        assert_eq!(names(&first.1), names(&second.1), "{name}");
    }
}

/// The first part is a whole level with its end; the others begin after it.
#[test]
fn levels_of_a_qwd_end_where_they_end() {
    let Some((_, bytes)) = recordings("qw/ours").into_iter().find(|(name, _)| name.ends_with("levels.qwd"))
    else {
        return;
    };
    let levels = sections(&bytes[..], SectionKind::Level).unwrap();
    assert_eq!(levels.iter().map(|it| it.map.as_str()).collect::<Vec<_>>(), ["lqdm2", "lq_e0m1", "lqdm2"]);
    assert!(text(&bytes).contains("reconnect\\n"));
    for level in &levels {
        let piece = edited(&bytes, &mut Cut::keep(FoundSpans::section(level)));
        let text = text(&piece);
        // After the end of a recording, these commands make ezQuake stop with an error.
        assert!(!text.contains("reconnect") && !text.contains("changing"), "{level:?}");
        assert_eq!(text.matches("EndOfDemo").count(), 1);
        let last = moments(&piece).0;
        assert!(last.last().unwrap().1.players.iter().any(|it| it.name() == b"anna"));
    }
}

/// A `HoonyMode` match of two players that was recorded for this test with MVDSV 0.35 and KTX 1.42: four rounds, each
/// of which ends with a suicide.
fn hoony() -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recordings");
    std::fs::read(format!("{folder}/ktx_hoony_lqdm2.mvd")).unwrap()
}

#[test]
fn a_match_is_taken_apart_into_its_rounds() {
    let bytes = hoony();
    let (before, faults) = moments(&bytes);
    assert_eq!(faults, 0);
    let matches = sections(&bytes[..], SectionKind::Match).unwrap();
    let [one] = &matches[..] else { panic!("{matches:?}") };
    let rounds = sections(&bytes[..], SectionKind::Round).unwrap();
    assert_eq!((rounds.len(), one.blocks.0), (4, rounds[0].blocks.0));
    assert_eq!(one.blocks.1, rounds[3].blocks.1);
    for (number, round) in rounds.iter().enumerate() {
        assert_eq!(round.map, "lqdm2");
        assert!(number == 0 || round.blocks.0 == rounds[number - 1].blocks.1 + 1);
        let piece = edited(&bytes, &mut Cut::keep(FoundSpans::section(round)));
        let (after, faults) = moments(&piece);
        assert_eq!(faults, 0);
        // One player dies in each piece, and its beginning has the scores of the rounds before.
        assert_eq!(text(&piece).matches(" suicides").count(), 1, "round {number}");
        let frags = |seen: &Seen| seen.players.iter().map(|it| i32::from(it.frags)).sum::<i32>();
        let last = &before[round.blocks.1 as usize].1;
        assert!(after.iter().any(|(_, seen)| seen == last), "round {number}");
        assert_eq!(frags(&after.last().unwrap().1), frags(last));
    }
    let error = sections(&b"\x01\0\0\0\x06"[..], SectionKind::Match).unwrap_err().to_string();
    assert_eq!(error, "there is no match in it: the game does not say where one begins");
}

#[test]
fn another_run_is_a_player_in_a_free_slot() {
    let ours = recordings("qw/ours");
    let of = |name: &str| ours.iter().find(|(file, _)| file.ends_with(name)).map(|(_, bytes)| bytes.clone());
    let (Some(other), Some(mvd)) = (of("/noext.qwd"), of("/duo.mvd")) else { return };
    for base in ["/duo.qwd", "/duo.mvd"] {
        let bytes = of(base).unwrap();
        let file = other.clone();
        let open = move || Ok(Box::new(std::io::Cursor::new(file.clone())) as Box<dyn std::io::Read>);
        let others = vec![("noext.qwd".to_owned(), Rc::new(open) as moviola_edit::OpenInput<'static>)];
        let ghost = Ghost::find(|| Ok(&bytes[..]), others.clone()).unwrap();
        let mut ghost = if base.ends_with("qwd") { ghost.with_gap() } else { ghost };
        let race = edited(&bytes, &mut ghost);
        if let Ok(folder) = std::env::var("MOVIOLA_KEEP") {
            std::fs::write(format!("{folder}/ghost-{}", &base[1..]), &race).unwrap();
        }
        let ((before, faults), (after, new_faults)) = (moments(&bytes), moments(&race));
        assert_eq!((faults, new_faults), (0, 0));
        assert_eq!(before.len(), after.len(), "{base}: no block more or less");
        let slot = 31;
        let mut places: Vec<_> =
            after.iter().filter_map(|(_, seen)| Some(seen.bodies.get(slot)?.origin)).collect();
        places.dedup();
        // The ghost walks as the recorder did.
        assert!(places.len() > 20, "{base}: {} places", places.len());
        let theirs = moments(&other).0;
        let own = |seen: &Seen| seen.players.iter().position(|it| it.name() == b"hero");
        let there: Vec<_> =
            theirs.iter().filter_map(|(_, it)| Some(it.bodies.get(own(it)?)?.origin)).collect();
        let far = |one: &[moviola_format::Coord; 3], other: &[moviola_format::Coord; 3]| {
            one.iter().zip(other).map(|(one, other)| (one.value() - other.value()).abs()).fold(0.0, f64::max)
        };
        let away = |place| there.iter().map(|it| far(it, place)).fold(f64::INFINITY, f64::min);
        let nobody = [moviola_format::Coord::default(); 3];
        for place in places.iter().filter(|place| far(place, &nobody) > 0.0) {
            assert!(away(place) < 64.0, "{base}: {place:?}");
        }
        // All other players are where they were.
        for ((_, one), (_, other)) in before.iter().zip(&after) {
            assert_eq!(one.bodies.get(..slot), other.bodies.get(..slot), "{base}");
            assert_eq!(one.entities, other.entities);
        }
        assert!(text(&race).contains("\\\\name\\\\hero"), "{base}");
        // A run has no gap to itself; these two differ.
        assert_eq!(
            text(&race).contains("centerprint \"+") || text(&race).contains("centerprint \"-"),
            base.ends_with("qwd")
        );
        let file = mvd.clone();
        let open = move || Ok(Box::new(std::io::Cursor::new(file.clone())) as Box<dyn std::io::Read>);
        let others = vec![("duo.mvd".to_owned(), Rc::new(open) as moviola_edit::OpenInput<'static>)];
        let mut refused = Ghost::find(|| Ok(&bytes[..]), others).unwrap();
        let why = rewrite(&bytes[..], &mut refused, Vec::new()).unwrap_err().to_string();
        assert!(why.starts_with("duo.mvd is of a whole match"), "{why}");
    }
}

#[test]
fn pictures_are_not_taken_by_recordings_of_quakeworld() {
    let mut capture = moviola_edit::Capture::new(25.0, "screenshot").unwrap();
    let why = rewrite(&hoony()[..], &mut capture, Vec::new()).unwrap_err().to_string();
    assert!(why.contains("demo_capture"), "{why}");
}

/// A spectator has no place in an MVD, so nothing could be shown.
#[test]
fn a_spectator_has_no_recording_of_his_own() {
    let mut refused = 0;
    for (name, bytes) in recordings("qw/ours").into_iter().filter(|(name, _)| is_mvd(name)) {
        let (seen, _) = moments(&bytes);
        let Some((_, last)) = seen.get(seen.len() / 2) else { continue };
        let is_here = |player: &&Player| player.is_here();
        if !last.players.iter().filter(is_here).any(|it| !it.is_spectator()) {
            continue;
        }
        let watcher = last.players.iter().filter(is_here).find(|it| it.is_spectator());
        let Some(watcher) = watcher else { continue };
        let mut view = moviola_edit::View::of(moviola_format::names::readable(watcher.name()));
        let error = view.find(&bytes[..]).unwrap_err().to_string();
        assert!(error.contains("no such player"), "{name}: {error}");
        refused += 1;
    }
    assert!(recordings("qw/ours").is_empty() || refused > 0);
}

/// A spectator's chat goes, with and without the server's mark; that of a player stays.
#[test]
fn strip_knows_spectators_by_their_info() {
    let block = |data: &[u8]| [&[0, 6][..], &(data.len() as u32).to_le_bytes(), data].concat();
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let players = b"\x28\0\x01\0\0\0\\name\\Al\0\x28\x01\x02\0\0\0\\name\\Eve\\*spectator\\1\0";
    let said = |lines: &[&str]| {
        let prints = lines.iter().map(|line| block(format!("\x08\x03{line}\n\0").as_bytes()));
        [block(&level), block(players), prints.collect::<Vec<_>>().concat()].concat()
    };
    let file = said(&["Al: hi", "Eve: boo", "(Eve): boo", "[SPEC] Eve: boo", "Al: Eve: boo"]);
    let mut strip = moviola_edit::Strip::parse("spectators").unwrap();
    let stripped = text(&edited(&file, &mut strip));
    assert_eq!(stripped.matches("boo").count(), 1, "{stripped}");
    assert!(stripped.contains("Al: hi") && stripped.contains("Al: Eve: boo"), "{stripped}");
}

/// A span quotes chat as the list of events shows it: without the colors of ezQuake.
#[test]
fn a_span_quotes_chat_without_its_colors() {
    let block = |data: &[u8]| [&[0, 6][..], &(data.len() as u32).to_le_bytes(), data].concat();
    let level = [&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat();
    let players = b"\x28\0\x01\0\0\0\\name\\Al\0";
    let chat = b"\x08\x03(Al): took {&cf13rl&cfff} at [{low-rl}]\n\0";
    let file = [block(&level), block(players), block(chat), block(b"\x08\x02{low-rl}\n\0")].concat();
    let mut shown = Vec::new();
    let mut events = moviola_analyse::Events::new(|event: moviola_analyse::Event| {
        shown.extend((event.name() == "chat").then(|| event.kind.to_string()));
    });
    moviola_analyse::watch(&file[..], &mut [&mut events]).unwrap();
    drop(events);
    assert_eq!(shown, ["(Al): took rl at [low-rl]"]);
    for (words, is_found) in
        [("chat \"took rl at [low-rl]\"", true), ("print \"{low-rl}\"", true), ("chat \"{low-rl}\"", false)]
    {
        let found = Spans::parse(words).unwrap().find(&file[..]);
        assert_eq!(found.is_ok(), is_found, "{words}: {found:?}");
    }
}

/// A cut of a match has the game's statistics, which come behind the part, and begins with the server's info of its own
/// moment.
#[test]
fn a_cut_of_a_match_has_its_statistics_and_the_clock_of_its_moment() {
    let mut cuts = 0;
    for (name, bytes) in all().into_iter().filter(|(name, _)| is_mvd(name)) {
        let mut head = Playhead::<World>::new();
        let mut statuses = Vec::new();
        let mut demo = Demo::new(&bytes[..]).unwrap();
        while let Some(piece) = demo.next_piece().unwrap() {
            if let Piece::Block(block) = piece {
                head.step(&block);
                statuses.push(head.world.value(b"status").to_vec());
            }
        }
        if !head.world.demoinfo_complete {
            continue;
        }
        let from = statuses.len() / 2;
        let found = Spans::parse(&format!("#{from}..#{}", from + 200)).unwrap().find(&bytes[..]).unwrap();
        let piece = edited(&bytes, &mut Cut::keep(found));
        let mut cut = Playhead::<World>::new();
        let mut first = None;
        let mut demo = Demo::new(&piece[..]).unwrap();
        while let Some(piece) = demo.next_piece().unwrap() {
            if let Piece::Block(block) = piece {
                cut.step(&block);
                if first.is_none() && !cut.world.info.is_empty() {
                    first = Some(cut.world.value(b"status").to_vec());
                }
            }
        }
        assert!(cut.world.demoinfo_complete && cut.world.demoinfo == head.world.demoinfo, "{name}");
        assert!(piece.len() < bytes.len(), "{name}");
        let now = [from.saturating_sub(2), from].map(|at| statuses.get(at).cloned());
        assert!(now.contains(&first), "{name}: {first:?}, {now:?}");
        cuts += 1;
    }
    assert!(recordings("qw/real").is_empty() || cuts >= 3, "{cuts}");
}

/// What a stream of QTV has behind a match: more blocks, without an end of their own.
#[test]
fn an_end_in_the_middle_is_moved_behind_the_last_block() {
    let block = |kind: &[u8], data: &[u8]| [kind, &(data.len() as u32).to_le_bytes(), data].concat();
    let level = block(&[0, 6], &[&b"\x0b\x1c\0\0\0\x01\0\0\0qw\0\0\0\0\0Hall\0"[..], &[0; 40]].concat());
    let (end, later) = (block(&[0, 6], b"\x02EndOfDemo\0"), block(&[10, 6], b"\x08\x02later\n\0"));
    let with_time = block(&[10, 1], b"\x08\x02bye\n\0\x02EndOfDemo\0");
    let file = [&level[..], &with_time, &later, &end, &later].concat();
    let moved = [&level[..], &block(&[10, 1], b"\x08\x02bye\n\0"), &later, &later, &end].concat();
    let mut strip = moviola_edit::Strip::parse("sounds").unwrap();
    let mut out = Vec::new();
    let summary = moviola_edit::rewrite(&file[..], &mut strip, &mut out).unwrap();
    assert_eq!(text(&out), text(&moved));
    assert_eq!(summary.notes, ["the end in block 1 was left out, since players would stop there"]);
    assert_eq!((summary.read, summary.dropped(), summary.changed, summary.added), (5, 1, 1, 1));
    let whole = [&level[..], &later, &end].concat();
    assert!(edited(&whole, &mut strip) == whole, "an end at the end stays");
    // An edit that changes nothing keeps every byte.
    assert!(edited(&file, &mut moviola_edit::Identity) == file);
    let edits: [&mut dyn Rewrite; 3] = [
        &mut moviola_edit::FixMulti::default(),
        &mut moviola_edit::Squeeze::default(),
        &mut moviola_edit::Retime::new(
            moviola_edit::Speed::parse("1/2").unwrap(),
            moviola_edit::FoundSpans::all(),
        ),
    ];
    for edit in edits {
        let out = edited(&file, edit);
        assert!(out.ends_with(&end));
        assert_eq!(out.windows(10).filter(|it| it == b"EndOfDemo\0").count(), 1);
    }
}
