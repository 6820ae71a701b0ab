//! What is cut looks as it did: for each moment that remains, what is drawn, heard and shown is the same.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod common;

use common::{Dice, recordings, views};
use moviola_edit::{Cut, Error, Found, Out, Pen, Rewrite, Spans, Summary, rewrite};
use moviola_format::{Demo, Entry, Piece, dm2};
use moviola_state::{Playhead, World, quake, quake2};
use std::collections::BTreeSet;

/// Which blocks are in the spans and play: a level's beginning is no moment, and neither are blocks without messages.
struct Chosen {
    found: Found,
    drops: bool,
    blocks: BTreeSet<u64>,
    /// The block sends its player to another server, which is left out.
    takes_away: bool,
}

impl Rewrite for Chosen {
    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, pen: &mut Pen<'_>) {
        self.takes_away |= match entry.message {
            dm2::Message::StuffText(it) => {
                [&b"reconnect"[..], b"changing"].contains(&it.string.bytes().trim_ascii())
            }
            dm2::Message::Reconnect(_) => true,
            _ => false,
        };
        pen.keep();
    }

    fn block_end(&mut self, pen: &mut Pen<'_>, _: &mut Out<'_>) -> Result<(), Error> {
        let block = pen.block();
        let plays = pen.place().time.is_some() && !std::mem::take(&mut self.takes_away);
        let plays = plays && !block.data.is_empty() && !block.is_truncated();
        if plays && !block.is_from_client() && self.found.holds(pen.place()) != self.drops {
            self.blocks.insert(pen.place().block);
        }
        Ok(())
    }
}

/// Whether all blocks can be read to their end; what cannot be read, cannot be rebuilt.
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

/// Cuts, and compares every moment that remains; gives the number of these.
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
    let summary: Summary = match rewrite(file, &mut cut, &mut short) {
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
    // Nothing came between but what the summary says, and the beginnings of levels.
    let unmatched = (after.len() - chosen.blocks.len()) as u64;
    let others = summary.added + (summary.same + summary.changed - chosen.blocks.len() as u64);
    assert!(unmatched <= others, "{name}: {}: {unmatched} blocks too many", spans.text());
    chosen.blocks.len()
}

fn check<W: World + std::fmt::Debug>(game: moviola_scribe::Game) {
    let mut dice = Dice(0x0063_7574);
    let mut moments = 0;
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
    }
    assert!(moments > 2000, "only {moments} moments");
}

#[test]
fn quake_looks_as_it_did() {
    check::<quake::World>(moviola_scribe::Game::Quake);
}

#[test]
fn quake2_looks_as_it_did() {
    check::<quake2::World>(moviola_scribe::Game::Quake2);
}
