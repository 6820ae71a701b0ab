//! The deck over the bundled recordings: pictures, times and edits.

#![allow(clippy::unwrap_used, reason = "a test that cannot read its sample has failed")]

use moviola_deck::{Deck, MapView, PictureView, look_into};
use std::fs;
use std::path::PathBuf;

#[path = "../../format/tests/common/corpus.rs"]
mod corpus;

fn sample(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    fs::read(path).unwrap()
}

fn small() -> PictureView {
    PictureView { size: [160, 90], ..PictureView::default() }
}

#[test]
fn a_recording_is_drawn_with_the_games_files() {
    let mut deck = Deck::open("qs_15_lq_e0m9.dem", sample("qs_15_lq_e0m9.dem")).unwrap();
    let about = deck.about().clone();
    assert_eq!((about.game, about.levels.len(), about.levels[0].map.as_str()), ("Quake", 1, "lq_e0m9"));
    let without = deck.draw(about.seconds / 2.0, &small());
    deck.add_game("lq_e0m9.pk3", sample("librequake/lq_e0m9.pk3")).unwrap();
    let with = deck.draw(about.seconds / 2.0, &small());
    assert_ne!(without.rgba, with.rgba);
    let eye = deck.eye();
    let from_there = deck.draw(about.seconds / 2.0, &PictureView { free: Some(eye), hud: false, ..small() });
    assert_ne!(with.rgba, from_there.rgba);
}

/// The line of a text, counted from 1.
fn line_of(text: &str, find: &str) -> usize {
    1 + text.lines().position(|line| line.starts_with(find)).unwrap()
}

#[test]
fn a_line_of_a_text_leads_to_what_it_is_about() {
    let mut deck = Deck::open("yq_sp.dm2", sample("yq_sp.dm2")).unwrap();
    let last = deck.about().blocks - 1;
    let block = (0..=last).find(|block| deck.text(*block).contains("\n muzzlflash2 {")).unwrap();
    let (text, at) = (deck.text(block), deck.seconds_of(block));
    let linked = deck.linked(at, &text, line_of(&text, " muzzlflash2 {")).unwrap();
    assert!(linked.about.starts_with("entity ") && linked.about.contains(".md2"), "{linked:?}");
    assert_eq!(linked.places.len(), 1, "{linked:?}");
    assert_eq!(deck.linked(at, &text, line_of(&text, " frame {")), None);
    let effect = deck.linked(at, "block {\n temp_entity {\n origin 1.5 2.0 3.0;\n }\n}", 3).unwrap();
    assert_eq!((effect.about.as_str(), effect.places), ("temp_entity", vec![[1.5, 2.0, 3.0]]));

    // The level's file is missing, so the mark is on the map; a free camera shows the mark too.
    let marked = PictureView { marked: linked.places, ..small() };
    assert!(deck.draw(at, &marked) != deck.draw(at, &small()));
    let flying = PictureView { free: Some(deck.eye()), ..small() };
    assert!(
        deck.draw(at, &PictureView { marked: marked.marked, ..flying.clone() }) != deck.draw(at, &flying)
    );
}

#[test]
fn a_level_that_is_missing_is_seen_from_above() {
    let mut deck = Deck::open("qs_15_lq_e0m9.dem", sample("qs_15_lq_e0m9.dem")).unwrap();
    let at = deck.about().seconds / 2.0;
    let map_only = PictureView { map: MapView::Alone, ..small() };
    let corner = PictureView { map: MapView::Corner, ..small() };
    assert!(deck.draw(at, &small()) == deck.draw(at, &map_only));
    let eye = deck.eye();
    let flying = PictureView { free: Some(eye), ..small() };
    assert!(deck.draw(at, &flying) != deck.draw(at, &map_only), "a camera that flies sees boxes");
    deck.add_game("lq_e0m9.pk3", sample("librequake/lq_e0m9.pk3")).unwrap();
    let (level, map, both) = (deck.draw(at, &small()), deck.draw(at, &map_only), deck.draw(at, &corner));
    assert!(level != map && both != level && both != map);
    let is_same = |x: u32, y: u32| both.pixel(x, y) == level.pixel(x, y);
    assert!((0..90).all(|y| (0..90).all(|x| is_same(x, y))), "the map lies in the right corner alone");
    // The edited recording has different paths.
    deck.edit("cut #0..#60").unwrap();
    assert!(deck.draw(at, &map_only) != map);
}

#[test]
fn pieces_of_sound_are_the_sound_of_the_whole() {
    let name = "qs_15_lq_e0m9.dem";
    let open = || {
        let mut deck = Deck::open(name, sample(name)).unwrap();
        deck.add_game("lq_e0m9.pk3", sample("librequake/lq_e0m9.pk3")).unwrap();
        deck
    };
    let (mut whole, mut pieces) = (open(), open());
    let sound = whole.sound(2.0, 3.0, &small());
    assert_eq!(sound.len(), 3 * 48_000 * 2);
    assert!(sound.iter().any(|sample| sample.unsigned_abs() > 500));
    let mut joined = Vec::new();
    for piece in 0..12 {
        joined.extend(pieces.sound(2.0 + f64::from(piece) * 0.25, 0.25, &small()));
        // Drawing pictures in between does not change the sound.
        pieces.draw(1.9 + f64::from(piece) * 0.25, &small());
    }
    assert!(sound == joined);
    assert!(pieces.sound(f64::NAN, 1e9, &small()).len() <= 4 * 48_000 * 2);
    let mut silent = Deck::open(name, sample(name)).unwrap();
    assert!(silent.sound(2.0, 1.0, &small()).iter().all(|sample| *sample == 0));
}

#[test]
fn a_seek_and_a_playthrough_show_the_same() {
    for name in ["qs_15_lq_e0m9.dem", "yq_sp.dm2"] {
        let mut played = Deck::open(name, sample(name)).unwrap();
        let end = played.about().seconds;
        let times: Vec<f64> = (0..=8).map(|step| end * f64::from(step) / 8.0).collect();
        let frames: Vec<_> = times.iter().map(|at| played.draw(*at, &small()).rgba).collect();
        let hashes: Vec<_> = times.iter().map(|at| played.state_hash(*at)).collect();
        for ((at, frame), hash) in times.iter().zip(&frames).zip(&hashes).rev() {
            assert!(played.draw(*at, &small()).rgba == *frame, "{name} at {at}");
            assert_eq!(played.state_hash(*at), *hash, "{name} at {at}");
        }
    }
}

#[test]
fn events_and_vitals_lie_within_the_recording() {
    for name in ["quake1.07_DM1.dem", "yq_sp.dm2", "qs_999_lq_e0m9.dem"] {
        let deck = Deck::open(name, sample(name)).unwrap();
        let end = deck.about().seconds;
        let timeline = deck.timeline();
        assert!(!timeline.marks.is_empty() && !timeline.vitals.is_empty(), "{name}");
        assert!(timeline.marks.iter().all(|mark| (0.0..=end).contains(&mark.seconds)), "{name}");
        let times: Vec<f64> = timeline.vitals.iter().map(|it| it.0).collect();
        assert!(times.is_sorted() && times.iter().all(|at| (0.0..=end).contains(at)), "{name}");
    }
}

#[test]
fn report_and_check_know_their_moments() {
    for name in ["quake1.07_DM1.dem", "yq_sp.dm2", "qs_15_lq_e0m9.dem"] {
        let deck = Deck::open(name, sample(name)).unwrap();
        let inspection = deck.inspect().unwrap();
        assert!(inspection.unread == 0 && inspection.report.frames > 0, "{name}");
        assert_eq!(inspection.starts.len(), inspection.report.levels.len(), "{name}");
        assert!(!inspection.engines.is_empty(), "{name}");
        for finding in &inspection.findings {
            assert!(!finding.places.is_empty(), "{name}: {}", finding.code);
            for place in &finding.places {
                let seconds = place.block.map_or(0.0, |block| deck.seconds_of(block));
                assert_eq!(place.seconds.to_bits(), seconds.to_bits(), "{name}: {}", finding.code);
            }
        }
    }
    // The inspection is of the edited recording.
    let name = "qs_15_lq_e0m9.dem";
    let mut deck = Deck::open(name, sample(name)).unwrap();
    let whole = deck.inspect().unwrap().report.length;
    deck.edit("drop +3..+6").unwrap();
    let cut = deck.inspect().unwrap();
    assert!(cut.report.length < whole);
}

#[test]
fn subtitles_and_cameras_are_lines_of_the_script_and_are_seen() {
    for (name, game) in [("qs_15_lq_e0m9.dem", Some("librequake/lq_e0m9.pk3")), ("yq_sp.dm2", None)] {
        let mut deck = Deck::open(name, sample(name)).unwrap();
        if let Some(game) = game {
            deck.add_game("game.pk3", sample(game)).unwrap();
        }
        let end = deck.about().seconds;
        let at = deck.about().first.max(end / 4.0);
        let before = game.map(|_| deck.draw(at, &small()).rgba);
        let line = deck.subtitle(at, 2.0, "It's \"on\"\nnow").unwrap();
        deck.edit(&line).unwrap();
        // Without the game's files, texts have no font and are not drawn.
        let after = deck.draw(at, &small()).rgba;
        assert!(before.is_none_or(|before| before != after), "{name}: {line}");
        assert!(deck.text(deck.block_at(at)).contains("centerprint"), "{name}: {line}");
        let srt = deck.srt(&line);
        assert!(srt.starts_with("1\n00:00:") && srt.ends_with("It's \"on\"\nnow\n"), "{srt}");

        let [eye, angles] = deck.eye();
        let higher = [eye[0], eye[1], eye[2] + 40.0];
        let script = deck.camera(&line, at, [higher, [20.0, angles[1], 0.0]]).unwrap();
        deck.edit(&script).unwrap();
        let script = deck.camera(&script, at + 2.0, [eye, [20.0, angles[1] + 90.0, 0.0]]).unwrap();
        assert_eq!(script.lines().count(), 2, "{script}");
        deck.edit(&script).unwrap();
        deck.draw(at, &PictureView { hud: false, ..small() });
        let [x, y, z] = deck.eye()[0];
        let far = (x - higher[0]).hypot(y - higher[1]).hypot(z - higher[2]);
        assert!(far < 1.0, "{name}: the camera is {far} units from where it was placed: {script}");
        assert!((deck.eye()[1][0] - 20.0).abs() < 1.5, "{name}: {:?}", deck.eye());
        let is_blind = |(line, note): &(u64, String)| *line == 2 && note.contains("walls are unknown");
        assert_eq!(deck.notes().iter().any(is_blind), game.is_none(), "{name}: {:?}", deck.notes());

        // A free camera shows the path as a line.
        let (sin, cos) = angles[1].to_radians().sin_cos();
        let behind = [eye[0] - 100.0 * cos, eye[1] - 100.0 * sin, eye[2]];
        let free = PictureView { free: Some([behind, [0.0, angles[1], 0.0]]), hud: false, ..small() };
        let plain = deck.draw(at, &free).rgba;
        assert!(deck.draw(at, &PictureView { ways: true, ..free }).rgba != plain, "{name}");
    }
}

#[test]
fn levels_tell_what_cameras_see_and_change_no_byte() {
    let mut deck = Deck::open("qs_15_lq_e0m9.dem", sample("qs_15_lq_e0m9.dem")).unwrap();
    let script = "camera --shot 'at = \"#20..#60\", chase = \"me\", behind = 400'";
    deck.edit(script).unwrap();
    let (without, unknown) = (deck.save().to_vec(), deck.notes().to_vec());
    assert!(unknown.iter().any(|(_, note)| note.contains("walls are unknown")), "{unknown:?}");
    deck.add_game("lq_e0m9.pk3", sample("librequake/lq_e0m9.pk3")).unwrap();
    deck.edit(script).unwrap();
    assert!(deck.save() == without);
    let known = deck.notes();
    assert!(known.iter().any(|(line, note)| *line == 1 && note.contains("in a wall")), "{known:?}");
    assert!(!known.iter().any(|(_, note)| note.contains("walls are unknown")), "{known:?}");
}

#[test]
fn events_have_the_time_that_the_report_lists_them_by() {
    let recording = sample("qs_15_lq_e0m9.dem");
    let deck = Deck::open("qs_15_lq_e0m9.dem", recording.clone()).unwrap();
    let mut times = Vec::new();
    let mut events =
        moviola_analyse::Events::new(|event: moviola_analyse::Event| times.push((event.block, event.time)));
    moviola_analyse::watch(&recording[..], &mut [&mut events]).unwrap();
    drop(events);
    for mark in &deck.timeline().marks {
        assert!(times.contains(&(mark.block, mark.game_time)), "{mark:?}");
        let Some(time) = mark.game_time else { continue };
        assert!(time > mark.seconds, "the game ran before the recording began");
        assert!((deck.game_time_of(mark.block).unwrap() - time).abs() < 0.2, "{mark:?}");
    }
    assert!(deck.timeline().marks.iter().filter(|mark| mark.game_time.is_some()).count() > 3);
}

#[test]
fn a_block_is_seen_when_the_clock_says() {
    let deck = Deck::open("yq_sp.dm2", sample("yq_sp.dm2")).unwrap();
    for block in 0..deck.about().blocks {
        let at = deck.seconds_of(block);
        assert!(deck.block_at(at) >= block && deck.seconds_of(deck.block_at(at)) <= at, "{block}");
    }
}

#[test]
fn damaged_blocks_are_counted() {
    let recording = sample("qs_15_lq_e0m9.dem");
    assert_eq!(Deck::open("run.dem", recording.clone()).unwrap().about().damaged, 0);
    let torn = Deck::open("run.dem", recording[..recording.len() - 100].to_vec()).unwrap();
    assert_eq!(torn.about().damaged, 1);
}

#[test]
fn an_archive_lists_its_recordings() {
    let dropped = look_into("mixed.dz", sample("archives/mixed.dz"));
    assert!(dropped.kind == "archive" && dropped.recordings.len() > 1, "{dropped:?}");
    for inside in &dropped.recordings {
        let name = format!("mixed.dz:{}", inside.path);
        Deck::open(&name, sample("archives/mixed.dz")).unwrap();
    }
    assert!(Deck::open("mixed.dz", sample("archives/mixed.dz")).unwrap_err().contains("several"));
}

#[test]
fn a_match_of_quakeworld_is_seen_through_any_players_eyes() {
    let Some(root) = corpus::corpus() else { return };
    let bytes = fs::read(root.join("qw/ours/bots.mvd")).unwrap();
    let mut deck = Deck::open("bots.mvd", bytes).unwrap();
    let facts = deck.about().clone();
    assert_eq!(facts.game, "QuakeWorld");
    assert!(facts.players.len() >= 4 && facts.seconds > 25.0, "{facts:?}");
    let best = facts.recorder.unwrap();
    assert!(facts.players.iter().any(|player| player.number == best));
    assert!(deck.timeline().vitals.len() > 2, "health of the best player");
    let eye = |deck: &mut Deck, who| {
        deck.draw(20.0, &PictureView { who, ..small() });
        deck.eye()
    };
    let first = eye(&mut deck, None);
    assert_eq!(eye(&mut deck, Some(best)), first);
    let other = facts.players.iter().find(|player| player.number != best).unwrap().number;
    assert_ne!(eye(&mut deck, Some(other)), first);
    assert_eq!(eye(&mut deck, None), first, "and back again");
    assert!(deck.subtitle(5.0, 2.0, "Go").is_ok());
}
