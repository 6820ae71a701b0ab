//! A recording that takes pictures of itself has as many commands for them as its film has frames, and plays as before.

use crate::common::recordings;
use moviola_edit::{Capture, Strip, rewrite};
use moviola_format::{Demo, Piece};
use moviola_state::quake2::{MomentKind, Validity};
use moviola_state::{Playhead, quake, quake2};

fn captured(bytes: &[u8], per_second: f64) -> Option<(Vec<u8>, u64)> {
    let (mut capture, mut film) = (Capture::new(per_second, "screenshot").unwrap(), Vec::new());
    rewrite(bytes, &mut capture, &mut film).ok()?;
    Some((film, capture.pictures()))
}

/// Without the texts for the console.
fn quiet(bytes: &[u8]) -> Vec<u8> {
    let mut quiet = Vec::new();
    rewrite(bytes, &mut Strip::parse("stufftext").unwrap(), &mut quiet).unwrap();
    quiet
}

#[test]
fn quake_gets_a_command_for_each_picture_and_nothing_else_changes() {
    let mut films = 0;
    for recording in recordings(moviola_scribe::Game::Quake).into_iter().filter(|it| it.bytes.len() < 400_000)
    {
        let Some((film, pictures)) = captured(&recording.bytes, 25.0) else { continue };
        let mut demo = Demo::new(&film[..]).unwrap();
        let mut head = Playhead::<quake::World>::new();
        let (mut said, mut is_over) = (0, false);
        while let Some(piece) = demo.next_piece().unwrap() {
            let Piece::Block(block) = piece else { continue };
            if block.is_from_client() {
                continue;
            }
            head.step(&block);
            for happening in &head.world.moment {
                if let quake::Happening::Command(text) = happening {
                    said +=
                        text.bytes().split(|byte| *byte == b'\n').filter(|it| *it == b"screenshot").count();
                    is_over |= text.bytes() == b"moviola_done\n";
                }
            }
        }
        if head.context.raw {
            continue;
        }
        assert_eq!(said as u64, pictures, "{}", recording.name);
        assert!(is_over, "{}: nothing reports that it is over", recording.name);
        films += usize::from(pictures > 10);
        let (film, before) = (quiet(&film), quiet(&recording.bytes));
        // A text that lacks its NUL gets one if a message was added after it.
        let is_open = recording.name.contains("open");
        assert!(film == before || is_open, "{}: something else changed", recording.name);
    }
    assert!(films > 3, "only {films} films");
}

#[test]
fn quake2_has_a_frame_for_each_picture() {
    let mut films = 0;
    for recording in
        recordings(moviola_scribe::Game::Quake2).into_iter().filter(|it| it.bytes.len() < 400_000)
    {
        for per_second in [10.0, 24.0, 30.0] {
            let Some((film, pictures)) = captured(&recording.bytes, per_second) else { continue };
            let mut demo = Demo::new(&film[..]).unwrap();
            let mut head = Playhead::<quake2::World>::new();
            let (mut said, mut broken, mut numbers, mut faults) = (0, 0, Vec::new(), 0);
            while let Some(piece) = demo.next_piece().unwrap() {
                let Piece::Block(block) = piece else { continue };
                faults += usize::from(head.step(&block).is_some());
                let is_picture = head.world.moment.iter().any(
                    |it| matches!(&it.what, MomentKind::Command(text) if text.bytes() == b"screenshot\n"),
                );
                if is_picture {
                    said += 1;
                    let frame = head.world.frame();
                    numbers.push(frame.number);
                    broken += usize::from(!matches!(frame.validity, Validity::Full | Validity::Delta));
                }
            }
            if faults > 0 || per_second > 10.0 && broken > 0 && recording.name.contains("delta") {
                continue;
            }
            assert_eq!(said, pictures, "{}", recording.name);
            let is_one_level = numbers.windows(2).all(|pair| (0..16).contains(&(pair[1] - pair[0])));
            if let (Some(first), Some(last), true, true) =
                (numbers.first(), numbers.last(), is_one_level, per_second > 10.0 && numbers.len() > 40)
            {
                // Where the client lost frames, the numbers of consecutive frames differ by more than one.
                let wanted = f64::from(last - first) / 10.0 * per_second;
                assert!(
                    (wanted - said as f64).abs() <= per_second,
                    "{}: {said}, not {wanted}",
                    recording.name
                );
                films += 1;
            }
        }
    }
    assert!(films > 3, "only {films} films");
}
