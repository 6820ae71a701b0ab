//! Every sample of the independent writer equals itself, and changes in it are found.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a failure fails the test")]

use moviola_diff::{Change, ChangeKind, DiffTotals, diff, diff_views};
use moviola_format::{Block, Demo, Game, Piece};
use moviola_scribe::samples;

fn compare(a: &[u8], b: &[u8]) -> (Vec<Change>, DiffTotals) {
    let mut changes = Vec::new();
    let totals = diff(|| Ok(a), || Ok(b), &mut |change| {
        changes.push(change);
        Ok(())
    });
    (changes, totals.unwrap())
}

#[test]
fn every_sample_is_the_same_as_itself() {
    for sample in samples() {
        let (changes, totals) = compare(&sample.bytes, &sample.bytes);
        assert!(changes.is_empty() && totals.is_same(), "{}: {totals:?}", sample.name);
        if Demo::new(&sample.bytes[..]).unwrap().game().is_some() {
            let bytes = || Ok(&sample.bytes[..]);
            assert!(diff_views(bytes, bytes, &mut |_| Ok(())).unwrap().is_same(), "{}", sample.name);
        }
    }
}

/// The recording in which each block is replaced by the blocks that `edit` returns for it.
fn edited(file: &[u8], mut edit: impl FnMut(usize, &[u8]) -> Vec<Vec<u8>>) -> Vec<u8> {
    let mut demo = Demo::new(file).unwrap();
    let game = demo.game().unwrap_or(Game::Quake);
    let (mut out, mut count) = (Vec::new(), 0);
    while let Some(piece) = demo.next_piece().unwrap() {
        let Piece::Block(block) = piece else {
            piece.write(game, &mut out).unwrap();
            continue;
        };
        for data in edit(count, block.data) {
            Piece::Block(Block { angles: block.angles, ..Block::new(&data) }).write(game, &mut out).unwrap();
        }
        count += 1;
    }
    out
}

fn sample(name: &str) -> Vec<u8> {
    samples().into_iter().find(|sample| sample.name == name).unwrap().bytes
}

#[test]
fn blocks_that_were_cut_out_or_put_in_are_found() {
    for name in ["dem-15-v109", "dem-666", "dm2-34-client", "dm2-34-server", "dm2-34-relay"] {
        let file = sample(name);
        let kept = |at: usize, data: &[u8]| if (5..8).contains(&at) { vec![] } else { vec![data.to_vec()] };
        let cut = edited(&file, kept);
        let (changes, totals) = compare(&file, &cut);
        assert_eq!((totals.removed, totals.added, totals.changed), (3, 0, 0), "{name}");
        assert_eq!(changes[0].a.unwrap().block, Some(5), "{name}");
        let (changes, totals) = compare(&cut, &file);
        assert_eq!((totals.removed, totals.added, totals.changed), (0, 3, 0), "{name}");
        assert!(changes[0].a.is_none() && changes[0].b.unwrap().block == Some(5), "{name}");
    }
}

#[test]
fn messages_that_were_put_in_everywhere_are_found() {
    // No block is equal, and some are missing: the clock shows which blocks correspond.
    let file = sample("dem-15-v109");
    let other = edited(&file, |at, data| {
        let more = [data, b"\x08more\n\0"].concat();
        if at == 9 { vec![] } else { vec![more] }
    });
    let (changes, totals) = compare(&file, &other);
    assert_eq!((totals.removed, totals.added), (1, 0));
    for change in changes.iter().filter(|change| change.b.is_some()) {
        let [message] = &change.messages[..] else { panic!("{change:?}") };
        assert_eq!((message.how, message.message.as_str()), (ChangeKind::Added, "print"));
        assert_eq!(message.fields[0].new.as_deref(), Some("\"more\\n\""));
    }
}

#[test]
fn fields_that_changed_are_named() {
    let file = sample("dem-15-v109");
    let other = edited(&file, |at, data| {
        vec![if at == 3 { [&b"\x20\x02\x03"[..], data].concat() } else { data.to_vec() }]
    });
    let third = edited(&file, |at, data| {
        vec![if at == 3 { [&b"\x20\x02\x04"[..], data].concat() } else { data.to_vec() }]
    });
    let (changes, _) = compare(&other, &third);
    let [change] = &changes[..] else { panic!("{changes:?}") };
    let [message] = &change.messages[..] else { panic!("{change:?}") };
    let field = &message.fields[0];
    assert_eq!(
        (message.how, message.message.as_str(), field.name.as_str()),
        (ChangeKind::Changed, "cdtrack", "totrack")
    );
    assert_eq!((field.old.as_deref(), field.new.as_deref()), (Some("3"), Some("4")));
    serde_json::to_string(change).unwrap();
}

#[test]
fn the_view_differs_only_where_the_recordings_do() {
    let file = sample("dm2-34-client");
    let nops = edited(&file, |_, data| vec![[data, b"\x06"].concat()]);
    let same = |a: &[u8], b: &[u8]| diff_views(|| Ok(a), || Ok(b), &mut |_| Ok(())).unwrap();
    assert!(same(&file, &nops).is_same() && !compare(&file, &nops).1.is_same());
    let file = sample("dem-15-v109");
    let hurt = edited(&file, |at, data| {
        vec![if at == 9 { [data, b"\x03\0\x07\0\0\0"].concat() } else { data.to_vec() }]
    });
    let mut seen = Vec::new();
    let totals = diff_views(|| Ok(&file[..]), || Ok(&hurt[..]), &mut |change| {
        seen.push(change);
        Ok(())
    });
    assert!(totals.unwrap().changed > 0);
    assert!(seen[0].parts.iter().any(|part| part.new.as_deref() == Some("7")), "{seen:?}");
    // Recordings of two games cannot be compared.
    assert!(diff_views(|| Ok(&file[..]), || Ok(&nops[..]), &mut |_| Ok(())).is_err());
}

/// The recording with these messages at the end of some blocks.
fn with_messages(file: &[u8], at: std::ops::Range<usize>, messages: &[u8]) -> Vec<u8> {
    edited(file, |block, data| {
        let more = if at.contains(&block) { messages } else { &[] };
        vec![[data, more].concat()]
    })
}

/// Nine moments without events.
fn moments() -> Vec<u8> {
    let blocks = (0..9u8).flat_map(|at| {
        let data = [7, 0, 0, 0x80, 0x40 + at];
        [&5i32.to_le_bytes()[..], &[0; 12], &data].concat()
    });
    b"-1\n".iter().copied().chain(blocks).collect()
}

/// For each difference its first block, its number of blocks, and its description.
fn differences(a: &[u8], b: &[u8]) -> Vec<(u64, u64, String)> {
    let mut found = Vec::new();
    diff_views(|| Ok(a), || Ok(b), &mut |change| {
        let names: Vec<String> = change.parts.iter().map(|it| it.name.clone()).collect();
        found.push((change.a.unwrap().block.unwrap(), change.blocks, names.join(",")));
        Ok(())
    })
    .unwrap();
    found
}

#[test]
fn later_differences_are_listed_beside_lasting_ones() {
    let file = moments();
    // A name that stays, a text at block 4, and a number that differs for two blocks.
    let renamed = with_messages(&file, 1..2, b"\x0d\0Al\0");
    let printed = with_messages(&renamed, 4..5, b"\x1ahello\0");
    let second =
        with_messages(&with_messages(&printed, 6..7, &[3, 14, 9, 0, 0, 0]), 8..9, &[3, 14, 0, 0, 0, 0]);
    let is = |at, blocks, names: &str| (at, blocks, names.to_owned());
    let lasting = "player 0 colors,player 0 frags,player 0 name";
    assert_eq!(
        differences(&file, &second),
        [is(1, 8, lasting), is(4, 1, "center text"), is(6, 2, "monsters")]
    );
}

/// In a cutscene a text stays until the next one.
#[test]
fn a_text_of_a_scene_lasts() {
    let scene = with_messages(&moments(), 1..2, b"\x22\0");
    let second = with_messages(&with_messages(&scene, 4..5, b"\x1ahello\0"), 7..8, b"\x1a\0");
    let is = |at, blocks, names: &str| (at, blocks, names.to_owned());
    assert_eq!(differences(&scene, &second), [is(4, 3, "scene text,center text"), is(7, 1, "center text")]);
}
