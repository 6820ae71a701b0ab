//! Makes every message of every table from random bytes, under every context: written, read and written again
//! it is the same.

use crate::common::{Random, mvd2_contexts, quake_contexts, quake2_contexts, quakeworld_contexts};
use moviola_format::entropy::{CannotMake, Entropy, EntropyBytes};
use moviola_format::*;
use std::collections::BTreeMap;

/// Makes one message, and reads it from the bytes that it is written to; returns its flag word, if it has
/// one.
fn there_and_back<D: Dialect>(op: u8, context: &Context, bytes: &[u8]) -> Result<u32, CannotMake> {
    let kept = EntropyBytes::default();
    let message: D::Message<'_> = Entropy::new(bytes, &kept, *context).message(op)?;
    let mut message_bytes = Vec::new();
    write_message(&message, &mut message_bytes, context);
    for follower in followers(message.schema()) {
        let (block, _) = kept.keep(&[&message_bytes, *follower].concat());
        let mut messages = Messages::<D>::new(block, *context);
        let read = messages.next();
        if messages.pos() != message_bytes.len() && follower.len() == 3 {
            // The frame's head is of another form than this follower shows.
            continue;
        }
        let read = read.unwrap_or_else(|| {
            panic!("{message:?} is not read from {message_bytes:x?}: {:?}", messages.fault())
        });
        assert_eq!(read.message, message, "read from {message_bytes:x?}");
        assert_eq!(messages.pos(), message_bytes.len(), "{message:?} is not all of {message_bytes:x?}");
        let mut again = Vec::new();
        read.write(&mut again, context);
        assert_eq!(again, message_bytes, "{message:?}");
        let mut word = Word(0);
        message.walk(&mut word);
        return Ok(word.0);
    }
    panic!("{message:?} is read from {message_bytes:x?} whatever follows");
}

/// The messages that show the form of a frame's head; none for other messages.
fn followers(row: &Schema) -> &'static [&'static [u8]] {
    const PLAYER: &[u8] = &[dm2::PlayerInfo::OP, 0, 0, 0, 0, 0, 0];
    const ENTITIES: &[u8] = &[dm2::PacketEntities::OP, 0, 0];
    if row.rust == dm2::FrameMessage::SCHEMA.rust { &[ENTITIES, PLAYER] } else { &[&[]] }
}

/// Extracts the flag word of a message.
struct Word(u32);

impl<'a> Sink<'a> for Word {
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        self.0 = flags.bits();
    }
    fn field<T: Scalar<'a>>(&mut self, _: &'static Field, _: &T) {}
}

/// Makes every row under every context; returns the bits of each row that were seen set, and those seen
/// clear.
fn every_row<D: Dialect>(
    contexts: Vec<(String, Context)>,
    rounds: usize,
) -> BTreeMap<&'static str, [u32; 2]> {
    let mut random = Random(1996);
    let mut seen: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    for (name, context) in contexts {
        for row in <D::Message<'_> as Message>::SCHEMA {
            // Some bytes of an open question can be read both ways to the end.
            let open =
                row.rust == dem::SpawnStaticSound::SCHEMA.rust && context.wide_static_sounds == Answer::Open;
            // With Q2PRO's extended limits, another row has the id.
            let replaces = |other: &Schema| other.op == row.op && other.families & family::Q2PRO != 0;
            let is_replaced = context.limits.is_extended()
                && row.families == 0
                && <D::Message<'_> as Message>::SCHEMA.iter().any(replaces);
            if open || is_replaced || row.families != 0 && !context.has_family(row.families) {
                continue;
            }
            let mut messages_made = 0;
            for _ in 0..rounds * 40 {
                let length = random.below(900);
                let bytes = random.bytes(length);
                let op = row.op + random.below(usize::from(row.last - row.op) + 1) as u8;
                if let Ok(word) = there_and_back::<D>(op, &context, &bytes) {
                    let [set, clear] = seen.entry(row.name).or_default();
                    *set |= word;
                    *clear |= !word;
                    messages_made += 1;
                }
                if messages_made == rounds {
                    break;
                }
            }
            assert_eq!(messages_made, rounds, "{}, {name}: most random bytes lead to none", row.name);
        }
    }
    seen
}

/// Every bit that announces a field was drawn both set and clear.
fn assert_all_seen(seen: &BTreeMap<&str, [u32; 2]>, schema: &[Schema]) {
    for row in schema {
        let [set, clear] = seen.get(row.name).copied().unwrap_or_default();
        for field in row.fields {
            assert_eq!(set & field.bit, field.bit, "{}: {} was never there", row.name, field.name);
            // Every temporary entity has an origin.
            let always = row.flags.starts_with("TempKind") || clear & field.bit == field.bit;
            assert!(always, "{}: {} was always there", row.name, field.name);
        }
    }
}

#[test]
fn every_message_of_quake() {
    let seen = every_row::<Quake>(quake_contexts(), 150);
    assert_all_seen(&seen, dem::Message::SCHEMA);
    let [set, _] = seen[dem::UpdateEntity::SCHEMA.name];
    assert_eq!(set | 0x80, u32::MAX, "bits that mean nothing are drawn too");
}

#[test]
fn every_message_of_quake2() {
    let seen = every_row::<Quake2>(quake2_contexts(), 300);
    assert_all_seen(&seen, dm2::Message::SCHEMA);
    let [set, _] = seen[dm2::SpawnBaseline::SCHEMA.name];
    assert_eq!(set, u32::MAX, "bits that mean nothing are drawn too");
}

#[test]
fn every_message_of_mvd2() {
    let seen = every_row::<Mvd2>(mvd2_contexts(), 500);
    assert_all_seen(&seen, mvd2::Message::SCHEMA);
}

/// In blocks of many messages, the messages read are the ones made, as long as no question is open.
fn whole_blocks<D: Dialect>(contexts: &[(String, Context)]) {
    let mut random = Random(1997);
    let (mut compared, mut open_ends) = (0, 0);
    for (name, context) in contexts.iter().cycle().take(12_000) {
        let length = random.below(3000);
        let (bytes, kept, mut block) = (random.bytes(length), EntropyBytes::default(), Vec::new());
        let messages = Entropy::new(&bytes, &kept, *context).block::<D>(&mut block);
        let mut left = *context;
        let (read, fault, _) =
            crate::common::check_rewriting(Messages::<D>::new(kept.keep(&block).0, *context), &mut left);
        let mut context = *context;
        for (made, read) in messages.iter().zip(&read) {
            if is_open(&context) {
                break;
            }
            assert_eq!(made, read, "{name}");
            D::observe(&made.message, &mut context);
            compared += 1;
        }
        if !is_open(&context) {
            assert_eq!((fault, messages.len()), (None, read.len()), "{name}: {block:x?}\n{messages:?}");
            open_ends += usize::from(block.last().is_some_and(|last| *last != 0));
        }
    }
    assert!(compared > 10_000 && open_ends > 100, "only {compared} messages and {open_ends} open ends");
}

/// Whether a property of the next message is not known and must be guessed.
fn is_open(context: &Context) -> bool {
    match context.game {
        Game::Quake => {
            context.items == ItemsRule::Unknown
                || [context.nehahra, context.wide_static_sounds].contains(&Answer::Open)
                || context.mission_pack
        }
        Game::Quake2 => context.protocol == 0 && context.layout == Era::Open,
        Game::QuakeWorld => false,
    }
}

#[test]
fn whole_blocks_of_quake() {
    whole_blocks::<Quake>(&quake_contexts());
}

#[test]
fn whole_blocks_of_quake2() {
    whole_blocks::<Quake2>(&quake2_contexts());
}

#[test]
fn whole_blocks_of_mvd2() {
    whole_blocks::<Mvd2>(&mvd2_contexts());
}

#[test]
fn whole_blocks_of_quakeworld() {
    whole_blocks::<QuakeWorld>(&quakeworld_contexts());
}

#[test]
fn without_bytes_there_are_zeros() {
    let kept = EntropyBytes::default();
    let mut entropy = Entropy::new(&[], &kept, Context::quake());
    for row in dem::Message::SCHEMA.iter().filter(|row| row.families == 0) {
        let made: Result<dem::Message, _> = entropy.message(row.op);
        assert!(made.is_ok(), "{}: {made:?}", row.name);
    }
    assert!(entropy.block::<Quake>(&mut Vec::new()).is_empty());
}

#[test]
fn many_kept_bytes_are_freed_without_a_deep_stack() {
    let kept = EntropyBytes::default();
    let mut place = &kept;
    for n in 0..1_000_000u32 {
        place = place.keep(&n.to_le_bytes()).1;
    }
    assert_eq!(place.keep(b"last").0, b"last");
}
