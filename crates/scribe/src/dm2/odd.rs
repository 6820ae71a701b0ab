//! Client recordings that are odd as files or have unnecessary encodings.

use super::every::{full_entities, full_player};
use super::play::TICKS;
use super::{
    E_MOREBITS1, E_MOREBITS2, E_MOREBITS3, E_NUMBER16, Entity, Frame, Level, Play, Player, RECORD_NETWORK,
    Sound, configstring, download, frame, packetentities, packetentities_until, playerinfo, print, sound,
    stufftext,
};
use crate::tape::dm2_block;
use crate::{End, Message, Sample, Tape};

pub(super) fn samples() -> Vec<Sample> {
    vec![
        odd_entities(),
        remove_bits(),
        odd_frames(),
        odd_order(),
        statusbar(),
        open_string(),
        Play { isdemo: RECORD_NETWORK, ..Play::new(34) }
            .sample("dm2-34-isdemo-0", "A client recording whose isdemo byte says network"),
        levels(),
        no_mark(),
        early_mark(),
        trailing("dm2-34-trailing", "Text behind the end mark", b"recorded by hand"),
        trailing(
            "dm2-34-trailing-zeros",
            "Zero bytes behind the end mark, as a padded copy has them",
            &[0; 512],
        ),
        damaged(),
        cut("dm2-34-cut-block", "The last block is cut inside its messages", 30),
        cut("dm2-34-cut-length", "The file stops inside a block length", 2),
    ]
}

/// Three messages that make a frame.
fn whole_frame(sequence: i32, delta: i32, player: &Player, entities: Message) -> Vec<Message> {
    let data = Frame { sequence, delta, suppressed: 0, areas: &[0x03] };
    vec![frame(34, &data), playerinfo(player), entities]
}

/// Every field of entities and player in every width.
fn odd_entities() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    play.run(&mut tape, 0..4);
    tape.dm2_block(&whole_frame(104, 103, &full_player(), packetentities(&full_entities())));
    for (number, entity) in full_entities().iter().enumerate() {
        let sequence = 105 + number as i32;
        let block = whole_frame(sequence, sequence - 1, &Player::default(), packetentities(&[*entity]));
        tape.dm2_block(&block);
    }
    let enders = [E_MOREBITS1, E_NUMBER16, E_MOREBITS1 | E_MOREBITS2 | E_MOREBITS3, 0x0000_0001, 0x0800_0810];
    for (number, bits) in enders.into_iter().enumerate() {
        let sequence = 130 + number as i32;
        let entities = packetentities_until(&Play::entities(2), bits);
        tape.dm2_block(&whole_frame(sequence, -1, &Player { bits: 0x8000, ..Player::default() }, entities));
    }
    tape.mark();
    tape.finish(
        "dm2-34-odd-entities",
        "Every entity field in every width, needless mask bytes, lists closed by odd masks",
        End::Mark,
    )
}

/// Removed entities whose mask announces fields that are missing.
fn remove_bits() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    play.run(&mut tape, 0..4);
    let gone = Entity { number: 9, remove: true, ..Entity::default() };
    let promised = Entity { number: 300, frame8: Some(1), models: [Some(1), None, None, None], ..gone };
    let entities = packetentities(&[gone, Entity { number: 10, bits: E_NUMBER16, ..gone }, promised]);
    tape.dm2_block(&whole_frame(104, 103, &Player::default(), entities));
    play.run(&mut tape, 5..TICKS);
    tape.mark();
    tape.finish(
        "dm2-34-remove-bits",
        "Removed entities with further mask bits: no data (errata 2.8), though M2 would read some",
        End::Mark,
    )
}

/// Frames with unusual numbers and areas.
fn odd_frames() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    let heads: [(i32, i32, u8, &[u8]); 7] = [
        (1, -1, 0, &[]),
        (2, 1, 255, &[0]),
        (7, 2, 3, &[0xFF; 32]),
        (8, 0, 0, &[0xFF; 17]),
        (8, 8, 0, &[0x14, 0x11, 0x12]),
        (6, -100, 0, &[0x12]),
        (i32::MAX, 7, 0, &[0x11, 0x11]),
    ];
    for (sequence, delta, suppressed, areas) in heads {
        let head = frame(34, &Frame { sequence, delta, suppressed, areas });
        tape.dm2_block(&[head, playerinfo(&Play::player(0)), packetentities(&Play::entities(0))]);
    }
    tape.mark();
    tape.finish(
        "dm2-34-odd-frames",
        "Frame numbers out of order, areas of 0 to 32 bytes, suppressed packets",
        End::Mark,
    )
}

/// Messages before the frame, blocks without a frame, sounds with unused bits.
fn odd_order() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    for tick in 0..TICKS {
        let mut block = vec![print(2, "before\n"), configstring(30, "1"), download(34, 3, None)];
        block.extend(play.tick(tick));
        block.push(sound(&Sound { index: 1, bits: 0xE0, source: Some((0x1FFF, 7)), ..Sound::default() }));
        tape.dm2_block(&block);
        tape.dm2_block(&[super::nop()]);
    }
    tape.mark();
    tape.finish("dm2-34-odd-order", "Messages before the frame and blocks without one", End::Mark)
}

/// The status bar in one piece, and again as its own tails (errata 2.33).
fn statusbar() -> Sample {
    let play = Play::new(34);
    let text = "yb -24 xv 0 hnum xv 50 pic 0 if 2 xv 100 anum xv 150 pic 2 endif ".repeat(4);
    let mut strings = Vec::new();
    for index in 0..=4 {
        let tail = text.as_bytes().get(index * 64..).unwrap_or_default();
        strings.push(configstring(5 + index as i16, tail));
    }
    strings.extend([
        configstring(29, "0"),
        configstring(2079, ""),
        configstring(-1, "x"),
        configstring(2080, "y"),
    ]);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    tape.dm2_block(&strings);
    play.run(&mut tape, 0..TICKS);
    tape.mark();
    tape.finish(
        "dm2-34-statusbar",
        "A status bar beyond its slot, its tails in the slots behind, strings outside of the table",
        End::Mark,
    )
}

fn open_string() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    for tick in 0..TICKS {
        let mut block = play.tick(tick);
        if tick == 5 {
            let mut open = print(1, "cut short");
            open.pop();
            block.push(open);
        }
        tape.dm2_block(&block);
    }
    tape.mark();
    tape.finish("dm2-34-open-string", "A block that ends inside a string", End::Mark)
}

fn levels() -> Sample {
    let first = Play::new(34);
    let level = Level { map: "base2", title: "Installation", game: "" };
    let second = Play { isdemo: RECORD_NETWORK, level, first: 500, ..Play::new(34) };
    let mut tape = Tape::dm2();
    first.open(&mut tape);
    first.run(&mut tape, 0..TICKS);
    tape.dm2_block(&[stufftext("changing\n"), super::reconnect()]);
    tape.dm2_block(&[]);
    tape.dm2_block(&[]);
    second.open(&mut tape);
    tape.dm2_block(&[download(34, 0, None), download(34, 100, Some(b"x"))]);
    tape.dm2_block(&[]);
    second.run(&mut tape, 0..TICKS);
    tape.mark();
    tape.finish(
        "dm2-34-levels",
        "Two levels with empty blocks between; the second serverdata says isdemo 0 (errata 2.22)",
        End::Mark,
    )
}

fn no_mark() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    play.run(&mut tape, 0..TICKS);
    tape.finish("dm2-34-no-mark", "No end mark", End::Open)
}

fn early_mark() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    play.run(&mut tape, 0..12);
    tape.mark();
    let rest: Vec<u8> =
        (12..TICKS).flat_map(|tick| dm2_block(&play.tick(tick), &[])).chain([0xFF; 4]).collect();
    tape.loose(&rest);
    tape.finish(
        "dm2-34-early-mark",
        "An end mark, then eight more blocks and another mark, all counted as trailing bytes",
        End::Trailing(rest.len()),
    )
}

fn trailing(name: &'static str, about: &'static str, junk: &[u8]) -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    play.run(&mut tape, 0..TICKS);
    tape.mark();
    tape.loose(junk);
    tape.finish(name, about, End::Trailing(junk.len()))
}

fn damaged() -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    play.run(&mut tape, 0..9);
    tape.dm2_block_raw(&play.tick(9), &[60, 0xDE, 0xAD, 0xBE, 0xEF, 0, 0x14]);
    play.run(&mut tape, 10..TICKS);
    tape.mark();
    tape.finish(
        "dm2-34-damaged-block",
        "One block ends with the unknown id 60 and bytes behind it",
        End::Mark,
    )
}

fn cut(name: &'static str, about: &'static str, left: usize) -> Sample {
    let play = Play::new(34);
    let mut tape = Tape::dm2();
    play.open(&mut tape);
    play.run(&mut tape, 0..10);
    let block = dm2_block(&play.tick(10), &[]);
    tape.loose(block.get(..left).unwrap_or(&block));
    tape.finish(name, about, End::Cut(left))
}
