//! A cut recording looks as before: for each remaining moment, everything drawn, heard and shown is the same.

use crate::common::{Dice, recordings, views};
use moviola_edit::{
    BlockWriter, Cut, EditOutput, EditSummary, Error, FoundSpans, Rewrite, SpanEventKind, Spans, rewrite,
};
use moviola_format::{Block, Demo, Entry, Game, Piece, dem, dm2};
use moviola_state::{Playhead, World, quake, quake2};
use std::collections::BTreeSet;

/// The blocks that are in the spans and play: a level's beginning is not a moment, and neither are empty blocks.
struct Chosen {
    found: FoundSpans,
    drops: bool,
    blocks: BTreeSet<u64>,
    /// Whether the block sends its player to another server, in which case the cut leaves it out.
    takes_away: bool,
}

impl Rewrite for Chosen {
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.takes_away |= match entry.message {
            dm2::Message::StuffText(it) => {
                [&b"reconnect"[..], b"changing"].contains(&it.string.bytes().trim_ascii())
            }
            dm2::Message::Reconnect(_) => true,
            _ => false,
        };
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        let block = writer.block();
        let plays = writer.place().time.is_some() && !std::mem::take(&mut self.takes_away);
        let plays = plays && !block.data.is_empty() && !block.is_truncated();
        if plays && !block.is_from_client() && self.found.holds(writer.place()) != self.drops {
            self.blocks.insert(writer.place().block);
        }
        Ok(())
    }
}

/// Whether all blocks can be read to their end. A state with unreadable parts cannot be rebuilt.
fn is_readable<W: World>(file: &[u8]) -> bool {
    let mut demo = Demo::new(file).unwrap();
    let mut head = Playhead::<W>::new();
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece
            && head.step(&block).is_some()
            && !block.is_truncated()
        {
            return false;
        }
    }
    true
}

/// Cuts, and compares every remaining moment; returns the number of moments.
fn compare<W: World + std::fmt::Debug>(
    name: &str,
    file: &[u8],
    before: &[u64],
    spans: &Spans,
    drops: bool,
) -> usize {
    let found = spans.find(file).unwrap();
    let mut chosen = Chosen { found: found.clone(), drops, blocks: BTreeSet::new(), takes_away: false };
    rewrite(file, &mut chosen, std::io::sink()).unwrap();
    let mut cut = if drops { Cut::drop(found) } else { Cut::keep(found) };
    let mut short = Vec::new();
    let summary: EditSummary = match rewrite(file, &mut cut, &mut short) {
        Ok(summary) => summary,
        Err(Error::Impossible(_)) if chosen.blocks.is_empty() => return 0,
        Err(error) => panic!("{name}: {}: {error}", spans.text()),
    };
    let after = views::<W>(&short);
    let mut at = 0;
    for block in &chosen.blocks {
        let wanted = before[*block as usize];
        let Some(ahead) = after[at..].iter().position(|view| *view == wanted) else {
            let what = if drops { "drop" } else { "cut" };
            panic!("{name}: {what} {}: block {block} looks otherwise", spans.text());
        };
        at += ahead + 1;
    }
    // Only the blocks that the summary counts, and the beginnings of levels, were added.
    let unmatched = (after.len() - chosen.blocks.len()) as u64;
    let others = summary.added + (summary.same + summary.changed - chosen.blocks.len() as u64);
    assert!(unmatched <= others, "{name}: {}: {unmatched} blocks too many", spans.text());
    chosen.blocks.len()
}

/// The parts of a recording that spans can name.
#[derive(Default)]
struct Words {
    times: Vec<f64>,
    level: u32,
    /// Parts of its texts, each with the word of its kind.
    texts: Vec<(&'static str, String)>,
}

impl Words {
    fn text(&mut self, kind: SpanEventKind, text: &[u8]) {
        let text = moviola_format::names::readable(text);
        let part = text.split(|it: char| !it.is_ascii_alphanumeric()).find(|part| part.len() > 2);
        self.texts.extend(part.map(|part| (kind.word(), part.to_owned())));
    }

    /// A random span in words, of one of the four kinds.
    fn random_span(&self, dice: &mut Dice, blocks: usize) -> String {
        let time = |dice: &mut Dice| {
            let time = self.times.get(dice.below(self.times.len().max(1))).copied().unwrap_or(1.0);
            // Some of the times lie between two blocks.
            (time * 100.0).round() / 100.0 + [0.0, 0.0, 0.03][dice.below(3)]
        };
        match dice.below(8) {
            0 => format!("{}..", time(dice)),
            1 => format!("..{}", time(dice)),
            2 => {
                let (one, other) = (time(dice), time(dice));
                format!("{}..{}", one.min(other), one.max(other))
            }
            3 => format!("#{}..", dice.below(blocks)),
            4 => format!("#{}", dice.below(blocks)),
            5 => format!("level {}", 1 + dice.below(self.level as usize)),
            6 => format!("level {} {}..", 1 + dice.below(self.level as usize), time(dice)),
            _ => match self.texts.get(dice.below(self.texts.len().max(1))) {
                None => "#0..#20".into(),
                Some((kind, text)) => {
                    let around = ["", " +2", " -1.5", " -1 +0.5", ".."][dice.below(5)];
                    format!("{kind} \"{text}\"{around}")
                }
            },
        }
    }
}

impl Rewrite for Words {
    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut BlockWriter<'_>) {
        match &entry.message {
            dem::Message::Print(it) => self.text(SpanEventKind::Print, it.string.bytes()),
            dem::Message::CenterPrint(it) => self.text(SpanEventKind::CenterPrint, it.string.bytes()),
            dem::Message::StuffText(it) => self.text(SpanEventKind::Command, it.string.bytes()),
            _ => {}
        }
    }
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, _: &mut BlockWriter<'_>) {
        match &entry.message {
            dm2::Message::Print(it) => self.text(SpanEventKind::Print, it.string.bytes()),
            dm2::Message::CenterPrint(it) => self.text(SpanEventKind::CenterPrint, it.string.bytes()),
            dm2::Message::StuffText(it) => self.text(SpanEventKind::Command, it.string.bytes()),
            _ => {}
        }
    }
    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.level = writer.place().level;
        self.times.extend(writer.place().time.filter(|time| (0.0..100_000.0).contains(time)));
        Ok(())
    }
}

/// One or several random spans; empty if none of them has anything of the recording in it.
fn random_spans(dice: &mut Dice, words: &Words, file: &[u8], blocks: usize) -> Option<Spans> {
    let some: Vec<String> = (0..=dice.below(3)).map(|_| words.random_span(dice, blocks)).collect();
    let spans = Spans::parse(&some.join(", ")).unwrap();
    match spans.find(file) {
        Ok(_) => Some(spans),
        Err(Error::Mistakes(_)) => None,
        Err(error) => panic!("{}: {error}", spans.text()),
    }
}

fn check<W: World + std::fmt::Debug>(game: moviola_scribe::Game) {
    let mut dice = Dice(0x0063_7574);
    let (mut moments, mut in_words) = (0, 0);
    for recording in recordings(game).into_iter().filter(|it| it.bytes.len() < 1_300_000) {
        let before = views::<W>(&recording.bytes);
        if before.is_empty() || !is_readable::<W>(&recording.bytes) {
            continue;
        }
        let rounds = if recording.bytes.len() < 100_000 { 8 } else { 2 };
        for round in 0..rounds {
            let ranges: Vec<_> = (0..=dice.below(3))
                .map(|_| {
                    let from = dice.below(before.len());
                    let length = [1, 7, 40, before.len()][dice.below(4)];
                    (from as u64, (from + dice.below(length)).min(before.len() - 1) as u64)
                })
                .collect();
            let spans = Spans::of_blocks(ranges);
            moments += compare::<W>(&recording.name, &recording.bytes, &before, &spans, round % 3 == 2);
        }
        let mut words = Words::default();
        rewrite(&recording.bytes[..], &mut words, std::io::sink()).unwrap();
        for round in 0..rounds {
            if let Some(spans) = random_spans(&mut dice, &words, &recording.bytes, before.len()) {
                in_words += compare::<W>(&recording.name, &recording.bytes, &before, &spans, round % 3 == 2);
            }
        }
    }
    assert!(moments > 2000 && in_words > 2000, "only {moments} moments and {in_words}");
}

#[test]
fn quake_looks_as_it_did() {
    check::<quake::World>(moviola_scribe::Game::Quake);
}

#[test]
fn quake2_looks_as_it_did() {
    check::<quake2::World>(moviola_scribe::Game::Quake2);
}

/// Counts the bytes that are read.
struct Counted<'a>(&'a [u8], &'a std::cell::Cell<usize>);

impl std::io::Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let got = self.0.read(buffer)?;
        self.1.set(self.1.get() + got);
        Ok(got)
    }
}

/// The bytes after the last part are not read, and the parts are cut as if the recording ended there.
#[test]
fn the_rest_is_not_read() {
    let time = |seconds: f32| {
        let data = [&[7][..], &seconds.to_le_bytes(), &[1; 30]].concat();
        [&(data.len() as u32).to_le_bytes()[..], &[0; 12], &data].concat()
    };
    let mut file = b"-1\n".to_vec();
    for tenth in 0..20_000u16 {
        file.extend(time(f32::from(tenth) / 10.0));
    }
    for (spans, is_found_early) in
        [("#100..#200", true), ("10.0..20.0", false), ("level 1 10.0..20.0", false)]
    {
        let read = std::cell::Cell::new(0);
        let found = Spans::parse(spans).unwrap().find(Counted(&file, &read)).unwrap();
        assert_eq!(read.get() < file.len() / 2, is_found_early, "{spans}: {} to find it", read.get());
        read.set(0);
        let mut short = Vec::new();
        rewrite(Counted(&file, &read), &mut Cut::keep(found), &mut short).unwrap();
        assert!(read.get() < file.len() / 2, "{spans}: {} to cut it", read.get());
        assert!(short.len() > 100 * time(0.0).len(), "{spans}: {}", short.len());
        let until_there = &file[..3 + 300 * time(0.0).len()];
        let found = Spans::parse(spans).unwrap().find(until_there).unwrap();
        let mut same = Vec::new();
        rewrite(until_there, &mut Cut::keep(found), &mut same).unwrap();
        assert_eq!(short, same, "{spans}");
    }
}

/// Keeping everything gives the same file, header and all.
#[test]
fn a_cut_of_everything_is_the_same_file() {
    for name in ["yq_sp.dm2", "qs_15_lq_e0m9.dem", "qs_999_lq_e0m9.dem"] {
        let file = std::fs::read(format!("{}/../../samples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        for spans in ["#0..", "0..", "level 1", "#0..#70, #40.."] {
            let found = Spans::parse(spans).unwrap().find(&file[..]).unwrap();
            let mut same = Vec::new();
            rewrite(&file[..], &mut Cut::keep(found), &mut same).unwrap();
            assert!(same == file, "{name}: {spans}: {} of {} bytes", same.len(), file.len());
        }
    }
}

/// A fade, fog, music and settings that were before a part are sent before it, also where a whole level is missing.
#[test]
fn fades_are_led_to() {
    let mut file = b"-1\n".to_vec();
    let mut block = |data: &[u8]| {
        file.extend((data.len() as u32).to_le_bytes());
        file.extend([0; 12]);
        file.extend(data);
    };
    for level in 1..=2u8 {
        block(b"\x0b\x0f\0\0\0\x01\0a\0maps/a.bsp\0\0b.wav\0\0\x09v_cshift 0 0 0 255\n\0\x19\x03");
        for tenth in 1..400u16 {
            let time = [&[7][..], &(f32::from(tenth) / 10.0).to_le_bytes(), b"\x80\x01"].concat();
            let fade = format!("\x09v_cshift 0 0 {level} {}\n\0", 400 - tenth);
            let extra = match tenth {
                10..20 | 300 => fade.as_bytes(),
                50 => b"\x09fog .1 1 1 1;sky night;cd loop 7\n//st 40 2\nr_wateralpha .5\n\0",
                200 => b"\x20\x03\x03\x09v_idlescale 9\n\0",
                _ => b"",
            };
            block(&[&time, extra].concat());
        }
    }
    let before = views::<quake::World>(&file);
    for spans in [
        "2..",
        "5..6, 31..",
        "level 2",
        "level 2 1.2..",
        "#300",
        "level 2 ..2",
        "..0.3, 25..",
        "..7, 19.., level 2 21..",
    ] {
        for drops in [false, true] {
            compare::<quake::World>("fades", &file, &before, &Spans::parse(spans).unwrap(), drops);
        }
    }
}

/// Events from before the player joined are not repeated; texts that are still on the screen are.
#[test]
fn a_cut_does_not_show_past_effects_again() {
    let mut file = b"-1\n".to_vec();
    let mut block = |data: &[u8]| {
        file.extend((data.len() as u32).to_le_bytes());
        file.extend([0; 12]);
        file.extend(data);
    };
    block(b"\x08\x02\nVERSION 1.09 SERVER\n\0\x0b\x0f\0\0\0\x01\0a\0maps/a.bsp\0\0b.wav\0\0\x19\x01");
    block(b"\x07\0\0\0\x3f\x1aWelcome\0\x09bf\n\0\x08hello\n\0\x1b\x19\x03");
    for tenth in 1..200u16 {
        let time = [&[7][..], &(f32::from(tenth) / 10.0).to_le_bytes(), b"\x80\x01"].concat();
        let extra: &[u8] = match tenth {
            40 => b"\x1aStands\0",
            100 => b"\x09scr_centertime 5\n\0",
            110 => b"\x1aLonger\0",
            _ => b"",
        };
        block(&[&time, extra].concat());
    }
    let texts = |spans: &str| {
        let found = Spans::parse(spans).unwrap().find(&file[..]).unwrap();
        let mut short = Vec::new();
        rewrite(&file[..], &mut Cut::keep(found), &mut short).unwrap();
        let has = |text: &[u8]| short.windows(text.len()).any(|part| part == text);
        [&b"VERSION"[..], b"Welcome", b"bf\n\0\x08hel", b"Stands", b"Longer"].map(has)
    };
    assert_eq!(texts("3..3.5"), [true, false, false, false, false]);
    assert_eq!(texts("5..6"), [true, false, false, true, false]);
    assert_eq!(texts("7..8"), [true, false, false, false, false]);
    assert_eq!(texts("..1"), [true, true, true, false, false]);
    assert_eq!(texts("15..17"), [true, false, false, false, true]);
    assert_eq!(texts("16.5..17"), [true, false, false, false, false]);
}

/// In a cutscene a text stays until another replaces it, and the scene's own text is such a one.
#[test]
fn a_scene_keeps_its_last_text() {
    let mut file = b"-1\n".to_vec();
    let mut block = |data: &[u8]| {
        file.extend((data.len() as u32).to_le_bytes());
        file.extend([0; 12]);
        file.extend(data);
    };
    block(b"\x0b\x0f\0\0\0\x01\0a\0maps/a.bsp\0\0b.wav\0\0\x19\x03");
    for tenth in 1..180u16 {
        let time = [&[7][..], &(f32::from(tenth) / 10.0).to_le_bytes(), b"\x80\x01"].concat();
        let extra: &[u8] = match tenth {
            20 => b"\x1aplay\0",
            30 | 90 => b"\x22scene\0",
            60 => b"\x1alater\0",
            120 => b"\x1alast\0",
            150 => b"\x1f\0",
            _ => b"",
        };
        block(&[&time[..], extra].concat());
    }
    let captions = |spans: &str, drops: bool| {
        let found = Spans::parse(spans).unwrap().find(&file[..]).unwrap();
        let mut cut = if drops { Cut::drop(found) } else { Cut::keep(found) };
        let mut short = Vec::new();
        rewrite(&file[..], &mut cut, &mut short).unwrap();
        let mut captions = crate::common::seen(&short, |world: &quake::World| {
            world.caption().map(|text| String::from_utf8(text.bytes().to_vec()).unwrap())
        });
        captions.dedup();
        captions.into_iter().flatten().collect::<Vec<_>>()
    };
    assert_eq!(captions("2.5..2.6", false), [""; 0]);
    assert_eq!(captions("3.5..4", false), ["scene"]);
    for long_after in ["6.5..7", "8.5..8.6"] {
        assert_eq!(captions(long_after, false).last().unwrap(), "later");
    }
    assert_eq!(captions("10..11", false), ["scene"], "`later` is over");
    assert_eq!(captions("17..", false), [""], "`last` is over");
    assert_eq!(captions("8.5..9.5", true), ["scene", "later", "scene", "last", ""]);
    let before = views::<quake::World>(&file);
    for spans in
        ["3.5..4", "6.5..7", "8.5..8.6", "10..11", "5.5..6.5", "8.5..9.5", "2.5..2.6, 14..14.5", "17.."]
    {
        for drops in [false, true] {
            compare::<quake::World>("scene", &file, &before, &Spans::parse(spans).unwrap(), drops);
        }
    }
}

/// Editors may write the blocks of the beginning and the first frame as one block, which is still recognized as a
/// beginning.
#[test]
fn a_beginning_that_shares_its_block_with_the_first_frame() {
    for sample in moviola_scribe::samples().iter().filter(|it| ["dem-15-v109", "dem-666"].contains(&it.name))
    {
        let blocks = blocks(&sample.bytes);
        let mut head = Playhead::<quake::World>::new();
        let plays = |(_, data): &([u32; 3], Vec<u8>)| {
            head.step(&Block::new(data));
            head.world.shown().next().is_some()
        };
        let first = blocks.iter().position(plays).unwrap();
        for from in 0..first {
            let one = blocks[from..=first].iter().flat_map(|(_, data)| data.clone()).collect();
            let mut merged = blocks.clone();
            merged.splice(from..=first, [(blocks[first].0, one)]);
            let file = recording(&merged);
            let before = views::<quake::World>(&file);
            let spans = |from: usize, to: usize| Spans::parse(&format!("#{from}..#{to}")).unwrap();
            for (spans, drops) in [
                (spans(from + 3, 999), false),
                (spans(0, from + 2), false),
                (spans(from, from + 1), false),
                (spans(0, from + 2), true),
                (spans(from + 1, from + 3), true),
            ] {
                compare::<quake::World>(sample.name, &file, &before, &spans, drops);
                let found = spans.find(&file[..]).unwrap();
                let mut cut = if drops { Cut::drop(found) } else { Cut::keep(found) };
                let mut short = Vec::new();
                rewrite(&file[..], &mut cut, &mut short).unwrap();
                let mut head = Playhead::<quake::World>::new();
                for (_, data) in self::blocks(&short) {
                    head.step(&Block::new(&data));
                }
                let begins = head.world.signon >= 3 && !head.world.level.models.get(1).is_empty();
                assert!(begins, "{}: {} of blocks from {from} on", sample.name, spans.text());
            }
        }
    }
}

/// A client that is still connecting takes a failed download for an answer, and checks the level once more.
#[test]
fn a_failed_download_does_not_stand_before_the_first_frame() {
    let file = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/yq_sp.dm2")).unwrap();
    let mut demo = Demo::new(&file[..]).unwrap();
    let (failed, mut with, mut number) = (&b"\x10\xff\xff\0"[..], Vec::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else {
            piece.write(Game::Quake2, &mut with).unwrap();
            continue;
        };
        // After the first frame the connection is complete.
        let expected = if number > 20 { [failed, block.data, failed].concat() } else { block.data.to_vec() };
        Piece::Block(Block::new(&expected)).write(Game::Quake2, &mut with).unwrap();
        number += 1;
    }
    let cut = |file: &[u8]| {
        let found = Spans::parse("#30..#40").unwrap().find(file).unwrap();
        let mut part = Vec::new();
        rewrite(file, &mut Cut::keep(found), &mut part).unwrap();
        blocks(&part).into_iter().map(|(_, data)| data).collect::<Vec<_>>()
    };
    let (quiet, loud) = (cut(&file), cut(&with));
    assert_eq!(quiet.len(), loud.len());
    let begins = quiet.iter().position(|data| data.first() == Some(&dm2::FrameMessage::OP)).unwrap();
    for (at, (quiet, loud)) in quiet.iter().zip(&loud).enumerate() {
        let expected = match at.cmp(&begins) {
            std::cmp::Ordering::Less => quiet.clone(),
            std::cmp::Ordering::Equal => [quiet, failed].concat(),
            std::cmp::Ordering::Greater => [failed, quiet, failed].concat(),
        };
        assert_eq!(*loud, expected, "{at}");
    }
}

fn blocks(file: &[u8]) -> Vec<([u32; 3], Vec<u8>)> {
    let (mut demo, mut blocks) = (Demo::new(file).unwrap(), Vec::new());
    while let Some(piece) = demo.next_piece().unwrap() {
        if let Piece::Block(block) = piece {
            blocks.push((block.angles, block.data.to_vec()));
        }
    }
    blocks
}

fn recording(blocks: &[([u32; 3], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"-1\n".to_vec();
    for (angles, data) in blocks {
        let block = Block { angles: *angles, ..Block::new(data) };
        Piece::Block(block).write(Game::Quake, &mut file).unwrap();
    }
    file
}
