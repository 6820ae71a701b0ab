//! A recording of QuakeWorld is converted to Quake, and shows the same view of one player.

use moviola_edit::{Convert, EditSummary, Error, rewrite};
use moviola_format::{Block, Context, Coord, Demo, Format, Game, Piece, Quake, dem};
use moviola_state::{Playhead, quake, quakeworld};
use std::path::PathBuf;

fn recordings() -> Vec<(String, Vec<u8>)> {
    let Some(root) = crate::common::corpus() else { return Vec::new() };
    let entries = ["qw/ours", "qw/real"].map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let mut paths: Vec<PathBuf> = entries.into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "qwd" || it == "mvd"));
    paths.sort();
    paths.into_iter().map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

fn convert(bytes: &[u8], mut convert: Convert) -> Result<(Vec<u8>, EditSummary), Error> {
    convert.look(bytes)?;
    let mut made = Vec::new();
    let summary = rewrite(bytes, &mut convert, &mut made)?;
    Ok((made, summary))
}

/// Calls `take` for each block of a recording.
fn blocks(bytes: &[u8], mut take: impl FnMut(&Block<'_>)) {
    let mut demo = Demo::new(bytes).unwrap();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            take(&block);
        }
    }
}

#[test]
fn every_recording_becomes_one_of_quake_without_a_byte_unread() {
    let mut converted = 0;
    for (name, bytes) in recordings() {
        for protocol in [666, 15] {
            let (made, summary) = match convert(&bytes, Convert::to(protocol)) {
                Ok(made) => made,
                Err(error) => {
                    assert!(error.to_string().contains("there is no frame"), "{name}: {error}");
                    continue;
                }
            };
            assert_eq!(Demo::new(&made[..]).unwrap().game(), Some(Game::Quake), "{name}");
            assert_eq!(summary.bytes_out, made.len() as u64, "{name}: {summary}");
            let mut head = Playhead::<quake::World>::new();
            let (mut shown, mut longest) = (0, 0);
            blocks(&made, |block| {
                // A QTV stream goes on behind the end of a match; engines of Quake stop there.
                assert!(!head.world.disconnected, "{name}: block {} is behind the end", head.blocks);
                assert_eq!(head.step(block), None, "{name} block {}", head.blocks);
                shown = shown.max(head.world.shown().count());
                // Engines stop at the colors of a player whose slot the level does not have.
                let room = head.world.level.max_clients;
                assert!(head.world.shown().all(|(_, it)| it.look.colormap <= room), "{name}");
                longest = longest.max(block.data.len());
            });
            assert_eq!((head.world.level.protocol, head.world.signon), (protocol, 4), "{name}");
            assert!(shown > 0 && longest <= 7100 && head.world.disconnected, "{name}: {shown}, {longest}");
            converted += 1;
        }
    }
    assert!(converted == 0 || converted >= 70, "{converted}");
}

/// Engines stop at a model that they do not have, and servers of `QuakeWorld` list many that no level shows.
#[test]
fn a_match_names_the_models_that_it_shows_and_no_others() {
    let file = std::fs::read("../../samples/mvdsv_bots_lqdm2.mvd").unwrap();
    let mut before = Playhead::<quakeworld::World>::new();
    blocks(&file, |block| {
        before.step(block);
    });
    let (made, summary) = convert(&file, Convert::to(15)).unwrap();
    let (mut head, mut used) = (Playhead::<quake::World>::new(), std::collections::BTreeSet::new());
    blocks(&made, |block| {
        head.step(block);
        used.extend(head.world.shown().map(|(_, entity)| entity.look.model));
    });
    let names: Vec<&[u8]> = head.world.level.models.iter().map(moviola_state::Text::bytes).collect();
    let listed = before.world.level.models.iter().count();
    assert!(names.len() < listed, "{} of {listed}", names.len());
    assert!(!names.contains(&&b"progs/v_coil.mdl"[..]) && names.contains(&&b"progs/player.mdl"[..]));
    assert!(used.iter().all(|number| usize::from(*number) < names.len()), "{used:?}");
    assert!(!summary.notes.iter().any(|note| note.contains("model")), "{:?}", summary.notes);
}

/// For each moment, by its thousandth of a second: the positions of all players.
type Moments = Vec<(u64, Vec<(u16, [f64; 3])>)>;

/// A client writes a baseline for every number, and Quake's own engines stop at a number above 599.
#[test]
fn baselines_of_nothing_are_left_out() {
    let all = recordings();
    let of = |ending: &str| all.iter().find(|(name, _)| name.ends_with(ending));
    for (name, bytes) in [of("fulldelta.qwd"), of("rerecord.mvd")].into_iter().flatten() {
        let (made, _) = convert(bytes, Convert::to(15)).unwrap();
        let mut numbers = Vec::new();
        blocks(&made, |block| {
            for entry in block.messages::<Quake>(Context::quake()) {
                if let dem::Message::SpawnBaseline(it) = entry.message {
                    numbers.push(it.entity);
                }
            }
        });
        assert!(!numbers.is_empty() && numbers.iter().all(|number| *number < 600), "{name}: {numbers:?}");
    }
}

fn places(origin: [Coord; 3]) -> [f64; 3] {
    origin.map(Coord::value)
}

#[test]
fn players_and_things_are_where_they_were() {
    let Some((name, bytes)) = recordings().into_iter().find(|(name, _)| name.ends_with("ours/bots.mvd"))
    else {
        return;
    };
    let mut before: Moments = Vec::new();
    let mut head = Playhead::<quakeworld::World>::new();
    blocks(&bytes, |block| {
        head.step(block);
        let world = &head.world;
        let now = world.now.unwrap_or_default();
        let mut all: Vec<(u16, [f64; 3])> = (1..)
            .zip(world.bodies.iter().zip(world.players.iter()))
            .filter(|(_, (body, player))| body.seen.is_some() && player.is_here() && !player.is_spectator())
            .map(|(number, (body, _))| (number, places(body.origin)))
            .collect();
        let things = world.entities.all().iter().filter(|(_, it)| it.model() != 0);
        all.extend(things.map(|(number, it)| (*number, places(it.place().origin))));
        if !world.entities.all().is_empty() {
            before.retain(|(then, _)| *then != now);
            before.push((now, all));
        }
    });
    let (made, _) = convert(&bytes, Convert::to(999).of_player("goldenboy")).unwrap();
    let mut head = Playhead::<quake::World>::new();
    let mut after: Moments = Vec::new();
    blocks(&made, |block| {
        head.step(block);
        let world = &head.world;
        let clock = (f64::from(world.clock.now.value()) * 1000.0).round() as u64;
        // Of several frames with the same time, the last one is complete.
        after.retain(|(then, _)| *then != clock);
        after.push((clock, world.shown().map(|(number, it)| (number, places(it.place.origin))).collect()));
    });
    // Both recordings end with the same frame.
    let shift = after[after.len() - 1].0 - before[before.len() - 1].0;
    let mut compared = 0;
    for (clock, is) in after {
        let Some((_, was)) = before.iter().find(|(then, _)| then + shift == clock) else { continue };
        for (number, place) in &is {
            let old = was.iter().find(|(old, _)| old == number);
            assert_eq!(old.map(|(_, place)| *place), Some(*place), "{name} entity {number} at {clock}");
        }
        compared += usize::from(is.len() > 10);
    }
    assert!(compared > 100, "{compared} frames");
    assert!(head.world.players.iter().any(|it| it.name.bytes() == b"/ goldenboy"), "names are sent");
}

#[test]
fn a_match_has_every_players_eyes_and_a_qwd_only_the_recorders() {
    let all = recordings();
    let Some((_, bots)) = all.iter().find(|(name, _)| name.ends_with("ours/bots.mvd")) else { return };
    let refused = convert(bots, Convert::to(666).of_player("nobody at all")).unwrap_err();
    assert!(matches!(refused, Error::Mistakes(_)), "{refused}");
    assert!(convert(bots, Convert::to(34)).is_err(), "that is Quake II's");
    let (_, duel) = all.iter().find(|(name, _)| name.ends_with("ours/duel.qwd")).unwrap();
    assert!(convert(duel, Convert::to(666)).is_ok());
    assert!(convert(b"-1\n", Convert::to(666).of_player("1")).is_err());
    assert_eq!(Demo::new(&duel[..]).unwrap().format(), Format::Qwd);
}
