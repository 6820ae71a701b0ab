//! Levels taken apart, recordings joined, damage mended.

use crate::common::recordings;
use moviola_check::CheckCode;
use moviola_edit::{
    BlockWriter, Chain, Cut, EditOutput, EditSummary, Error, FixMulti, FoundSpans, Repair, Rewrite, Signon,
    Spans, join, levels, rewrite,
};
use moviola_format::names::quake2::{CS_LIGHTS, CS_MODELS};
use moviola_format::{Demo, Entry, Game, Piece, dem, dm2};
use moviola_state::{Playhead, World, quake, quake2};
use std::rc::Rc;

fn both() -> Vec<crate::common::Recording> {
    [moviola_scribe::Game::Quake, moviola_scribe::Game::Quake2].into_iter().flat_map(recordings).collect()
}

fn sample(name: &str) -> Vec<u8> {
    moviola_scribe::samples().into_iter().find(|it| it.name == name).unwrap().bytes
}

fn repaired(file: &[u8]) -> Result<(Vec<u8>, EditSummary), Error> {
    let mut repair = Repair::look(file)?;
    let mut whole = Vec::new();
    let summary = rewrite(file, &mut repair, &mut whole)?;
    Ok((whole, summary))
}

/// The view after each block; and the number of blocks that are empty or cannot be read.
fn play<W: World>(file: &[u8]) -> (Vec<u64>, usize) {
    let mut demo = Demo::new(file).unwrap();
    let (mut head, mut views, mut bad) = (Playhead::<W>::new(), Vec::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        match piece {
            Piece::Block(block) => {
                let fault = head.step(&block);
                bad += usize::from(fault.is_some() || block.is_truncated() || block.data.is_empty());
                views.push(head.world.view_hash());
            }
            Piece::Raw(_) => bad += 1,
            _ => {}
        }
    }
    (views, bad)
}

fn play_of(game: Game, file: &[u8]) -> (Vec<u64>, usize) {
    match game {
        Game::Quake => play::<quake::World>(file),
        Game::Quake2 => play::<quake2::World>(file),
        // QuakeWorld's recordings are tested in `damaged_quakeworld.rs`.
        Game::QuakeWorld => (Vec::new(), 0),
    }
}

#[test]
fn a_repaired_recording_is_sound_and_not_repaired_again() {
    let (mut mended, mut sound) = (0, 0);
    for recording in both() {
        let Some(game) = Demo::new(&recording.bytes[..]).unwrap().game() else { continue };
        let Ok((whole, _)) = repaired(&recording.bytes) else { continue };
        let (views, bad) = play_of(game, &whole);
        assert_eq!(bad, 0, "{}", recording.name);
        assert!(!views.is_empty(), "{}", recording.name);
        let (again, summary) = repaired(&whole).unwrap();
        assert!(again == whole, "{}: a second time changes something: {summary}", recording.name);
        assert!(summary.to_string().starts_with("nothing to repair"), "{}: {summary}", recording.name);
        if whole == recording.bytes { sound += 1 } else { mended += 1 }
    }
    assert!(mended > 10 && sound > 20, "{mended} mended, {sound} sound");
}

#[test]
fn damage_is_reported() {
    let outcome = |name: &str| repaired(&sample(name)).unwrap().1.about;
    assert_eq!(outcome("dem-15-v109"), "nothing to repair");
    assert_eq!(outcome("dem-no-disconnect"), "its end added");
    assert!(outcome("dem-damaged-block").contains("could not be read and are lost"));
    assert!(outcome("dem-cut-block").contains("the block in which it ends completed"));
    assert!(outcome("dem-empty-blocks").contains("without messages left out"));
    assert!(outcome("dem-glued").contains("at which engines stop left out"));
    assert!(outcome("dm2-34-no-mark").contains("its end added"));
    assert!(matches!(repaired(&sample("dem-no-serverinfo")), Err(Error::Impossible(_))));
}

#[test]
fn levels_stand_alone_and_can_be_joined_again() {
    let mut parts = 0;
    for recording in both() {
        let Ok(all) = levels(&recording.bytes[..]) else { continue };
        let game = Demo::new(&recording.bytes[..]).unwrap().game().unwrap();
        if all.len() < 2 || play_of(game, &recording.bytes).1 > 0 && game == Game::Quake {
            continue;
        }
        let mut files = Vec::new();
        for number in 1..=all.len() as u32 {
            let (bytes, mut part) = (&recording.bytes[..], Vec::new());
            let mut chain = Chain::of(Rc::new(move || Ok(Box::new(bytes))));
            chain.then(Cut::keep(FoundSpans::level(number)));
            chain.then(FixMulti::default());
            chain.write(&mut part).unwrap();
            let alone = levels(&part[..]).unwrap();
            assert_eq!(alone.len(), 1, "{}", recording.name);
            assert_eq!(alone[0].map, all[number as usize - 1].map, "{}", recording.name);
            assert_eq!(play_of(game, &part).1, 0, "{} level {number}", recording.name);
            files.push(part);
            parts += 1;
        }
        let mut joined = Vec::new();
        join(files.iter().map(Vec::as_slice).collect(), &mut joined).unwrap();
        assert_eq!(levels(&joined[..]).unwrap().len(), all.len(), "{}", recording.name);
        // The joined file has every moment of the parts, in order, except those at their ends.
        let views = play_of(game, &joined).0;
        let mut at = 0;
        for part in &files {
            let wanted = play_of(game, part).0;
            for view in &wanted[..wanted.len() - 1] {
                at += views[at..].iter().position(|it| it == view).expect("a moment of a part") + 1;
            }
        }
    }
    assert!(parts >= 6, "only {parts} levels");
}

/// An edit that removes empty names of files, at which engines stop.
struct NoEmptyFiles;

impl Rewrite for NoEmptyFiles {
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            dm2::Message::ConfigString(it)
                if (32..800).contains(&it.index) && it.string.bytes().is_empty() => {}
            _ => writer.keep(),
        }
    }
}

/// The config strings that name a file, by number, this many blocks before the end of a recording.
fn named_files(file: &[u8], before_end: usize) -> Vec<usize> {
    let files = usize::from(CS_MODELS)..usize::from(CS_LIGHTS);
    let last = crate::common::seen(file, |world: &quake2::World| {
        world.config.iter().map(|(at, _)| at).filter(|at| files.contains(at)).collect()
    });
    last.into_iter().nth_back(before_end).unwrap_or_default()
}

/// Joining two parts of one level of Quake II gives one level, also if the second part precedes the first in time.
#[test]
fn parts_of_a_level_go_on_in_it() {
    let mut joined = 0;
    for recording in recordings(moviola_scribe::Game::Quake2) {
        let file = &recording.bytes[..];
        let part = |spans: &str| {
            let found = Spans::parse(spans).unwrap().find(file).ok()?;
            let mut out = Vec::new();
            rewrite(file, &mut Cut::keep(found), &mut out).ok().map(|_| out)
        };
        let is_one = levels(file).is_ok_and(|all| all.len() == 1 && all[0].last > 60);
        let parts = ["#30..#40", "#55..#60", "#20..#25"].map(|spans| part(spans).filter(|_| is_one));
        let [Some(first), Some(second), Some(third)] = parts else { continue };
        let mut all = Vec::new();
        join(vec![&first[..], &second[..], &third[..]], &mut all).unwrap();
        let name = &recording.name;
        assert_eq!(levels(&all[..]).unwrap().len(), 1, "{name}");
        let codes = |file: &[u8]| -> Vec<CheckCode> {
            moviola_check::check(file).unwrap().findings.iter().map(|it| it.code).collect()
        };
        let before = [codes(&first), codes(&second), codes(&third)].concat();
        let new: Vec<CheckCode> = codes(&all).into_iter().filter(|it| !before.contains(it)).collect();
        assert!(new.is_empty(), "{name}: {new:?}");
        let mut without = Vec::new();
        rewrite(&all[..], &mut NoEmptyFiles, &mut without).unwrap();
        assert!(without == all, "{name}: a file without a name");
        let (views, mut at) = (play::<quake2::World>(&all).0, 0);
        // Engines keep files that later levels name, so the entities of an earlier part may have one model more.
        let is_loaded = |files: &[usize]| {
            [&first, &second].iter().all(|it| named_files(it, 0).iter().all(|at| files.contains(at)))
        };
        let moments = if is_loaded(&named_files(&third, 4)) { 5 } else { 0 };
        for (part, moments) in [(&first, 10), (&second, 5), (&third, moments)] {
            let wanted = play::<quake2::World>(part).0;
            for view in &wanted[wanted.len() - moments..] {
                at += views[at..].iter().position(|it| it == view).expect(name) + 1;
            }
        }
        joined += 1;
    }
    // Of the samples only one is long enough.
    let least = if crate::common::corpus().is_some() { 3 } else { 1 };
    assert!(joined >= least, "only {joined} recordings");
}

#[test]
fn games_are_not_mixed() {
    let (quake, quake2) = (sample("dem-15-v109"), sample("dm2-34-client"));
    assert!(matches!(join(vec![&quake[..], &quake2[..]], Vec::new()), Err(Error::Impossible(_))));
}

/// However a recording is truncated, the repaired one has no incomplete frame and no text without an end.
#[test]
fn a_truncated_recording_gets_an_end() {
    let mut dice = crate::common::Dice(0x0065_6e64);
    let unsound = [CheckCode::UnterminatedString, CheckCode::OutOfPlace];
    let (mut ends, mut open) = (0, 0);
    for recording in both().into_iter().filter(|it| (2000..200_000).contains(&it.bytes.len())) {
        let found = |file: &[u8]| {
            let report = moviola_check::check(file).unwrap();
            unsound.iter().filter(|code| report.findings.iter().any(|it| it.code == **code)).count()
        };
        if found(&recording.bytes) > 0 {
            continue;
        }
        for round in 0..6 {
            let all = &recording.bytes[..];
            let mut end = all.len() - dice.below(all.len() / 2);
            // Every second time the bytes go after letters, which are mostly a part of a text.
            let letters = |it: &[u8]| it.iter().all(u8::is_ascii_alphabetic);
            if round % 2 == 0
                && let Some(next) = all[end..].windows(5).position(letters)
            {
                end += next + 5;
                open += 1;
            }
            let file = &all[..end];
            let Ok((whole, _)) = repaired(file) else { continue };
            assert_eq!(found(&whole), 0, "{}: its first {} bytes", recording.name, file.len());
            ends += 1;
        }
    }
    assert!(ends > 100 && open > 50, "{ends} ends, {open} of them in letters");
}

/// An edit that removes all blocks before this one.
struct Late(u64);

impl Rewrite for Late {
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if writer.place().block < self.0 { Ok(()) } else { writer.write(out) }
    }
}

/// The number of the first block in which the player plays.
fn beginning<W: World>(file: &[u8], plays: impl Fn(&W) -> bool) -> Option<u64> {
    let mut demo = Demo::new(file).unwrap();
    let (mut head, mut number) = (Playhead::<W>::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            head.step(&block);
            if plays(&head.world) {
                return Some(number);
            }
            number += 1;
        }
    }
    None
}

#[test]
fn a_beginning_lent_by_another_recording_makes_it_whole() {
    let mut completed = 0;
    for recording in both() {
        let Some(game) = Demo::new(&recording.bytes[..]).unwrap().game() else { continue };
        let (Ok(signon), Ok((whole, _))) = (Signon::of(&recording.bytes[..]), repaired(&recording.bytes))
        else {
            continue;
        };
        // The very blocks, and so the very recording.
        let first = match game {
            Game::Quake => beginning(&whole, |world: &quake::World| world.signon > 3),
            Game::Quake2 => beginning(&whole, |world: &quake2::World| world.frame().number != 0),
            Game::QuakeWorld => panic!("recordings of QuakeWorld are not edited"),
        };
        let Some(first) = first.filter(|first| *first > 0) else { continue };
        let mut late = Vec::new();
        rewrite(&whole[..], &mut Late(first), &mut late).unwrap();
        if !matches!(Repair::look(&late[..]), Err(Error::Impossible(_))) {
            continue;
        }
        let (mut headed, mut again, mut signon) = (Vec::new(), Vec::new(), signon);
        rewrite(&late[..], &mut signon, &mut headed).unwrap();
        let Ok(mut repair) = Repair::look_behind(&headed[..]) else { continue };
        rewrite(&headed[..], &mut repair, &mut again).unwrap();
        let (views, bad) = play_of(game, &again);
        assert_eq!(bad, 0, "{}", recording.name);
        let before = play_of(game, &whole).0;
        // Some synthetic recordings show something before the last stage of the connection, so they have shorter
        // beginnings.
        if before.len() == views.len() {
            assert!(before == views, "{}", recording.name);
            completed += 1;
        }
    }
    assert!(completed > 20, "{completed} lent");
}

#[test]
fn a_fade_out_does_not_darken_the_next_recording() {
    let file = sample("dem-15-v109");
    let fades = |command: &[u8]| {
        let end = [b"\x09", command, b"\0"].concat();
        let mut faded = file.strip_suffix(b"\x02").unwrap();
        faded = &faded[..faded.len() - 16];
        let mut block = (end.len() as u32).to_le_bytes().to_vec();
        block.extend([0; 12]);
        [faded, &block, &end].concat()
    };
    let joined = |all: Vec<&[u8]>| {
        let mut joined = Vec::new();
        join(all, &mut joined).unwrap();
        joined
    };
    let tint = |first: &[u8]| {
        let both = joined(vec![first, &file]);
        let (mut demo, mut head) = (Demo::new(&both[..]).unwrap(), Playhead::<quake::World>::new());
        while let Some(piece) = demo.next_piece().unwrap() {
            if let Piece::Block(block) = piece {
                head.step(&block);
            }
        }
        head.world.console.get("v_cshift").map(<[u8]>::to_vec)
    };
    assert_eq!(tint(&file), None);
    assert_eq!(tint(&fades(b"v_cshift 0 0 0 255\n")).unwrap(), b"0 0 0 0");
    assert_eq!(tint(&fades(b"v_cshift 9 9 9 0\n")).unwrap(), b"9 9 9 0");
    // The end of the text is the end of the command.
    let dark = fades(b"v_cshift 0 0 0 255");
    assert_eq!(tint(&dark).unwrap(), b"0 0 0 0");
    // One such command suffices: after the second recording's beginning no tint is left.
    let clear = b"v_cshift 0 0 0 0\n";
    let all = joined(vec![&dark, &file, &file]);
    assert_eq!(all.windows(clear.len()).filter(|bytes| bytes == clear).count(), 1);
}

#[test]
fn recordings_without_an_announced_level_are_not_joined() {
    // A Quake recording without its first blocks, and one by a server that did not announce levels.
    let late = |file: &[u8]| {
        let mut demo = Demo::new(file).unwrap();
        let mut late = b"-1\n".to_vec();
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            let mut messages = block.messages::<moviola_format::Quake>(moviola_format::Context::quake());
            if !messages.any(|entry| matches!(entry.message, dem::Message::ServerInfo(_))) {
                late.extend((block.data.len() as u32).to_le_bytes());
                late.extend([0; 12]);
                late.extend(block.data);
            }
        }
        late
    };
    let quake = sample("dem-15-v109");
    let pairs =
        [(quake.clone(), late(&quake)), (sample("dm2-34-client"), sample("dm2-server-no-serverdata"))];
    for (first, second) in pairs {
        let error = join(vec![&first[..], &second], std::io::sink()).unwrap_err().to_string();
        assert!(error.starts_with("recording 2 does not name its level"), "{error}");
        // Alone it can be written.
        join(vec![&second[..]], std::io::sink()).unwrap();
    }
}
