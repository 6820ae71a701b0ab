//! One definition: a row that exists only in this test is read, written, made from entropy and described; and
//! the real tables follow the rules that this requires.

use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::names::Meaning;
use moviola_format::*;
use std::collections::{BTreeMap, BTreeSet};

mod table {
    use moviola_format::{Bits8, ByteOrShort, Placement, Str, messages, names::Meaning};

    messages! {
        /// A message that no engine ever sent.
        Postcard<'a> = 99 "postcard" [svc_postcard, State needed heard, no_lmpc, since Quake] (to: u8 as Meaning::Player) flags Bits8 {
            /// The number of stamps on it.
            0x01 => stamps [PC_STAMPS | PC_STAMPS16]: u16,
            /// The picture on it.
            picture: ByteOrShort<0x02> as Meaning::Model,
            /// The place where it was written.
            0x04 => place: Placement,
            /// The text.
            greeting: Str<'a>,
        }

        /// A message with several ids.
        Bell = 100..=103 "bell" [svc_bell, Moment heard, lmpc, since Quake2] {}
    }
}
use table::{Bell, Message as Mine, Postcard};

/// A game that has only the two messages.
struct Post;

impl Dialect for Post {
    type Message<'a> = Mine<'a>;
    const GAME: Game = Game::Quake;
}

const WIRE: &[u8] = b"\x63\x07\x07\x34\x12\x01\x02\x08\x00\x10\x10\x00\x20\x18\x00\x30wish you were here\0";

#[test]
fn it_is_read_and_written() {
    let mut messages = Messages::<Post>::new(WIRE, Context::quake());
    let entry = messages.next().unwrap();
    let Mine::Postcard(card) = entry.message else { panic!("{entry:?}") };
    assert_eq!((card.to, card.flags, card.stamps, card.picture.0), (7, Bits8(7), 0x1234, 0x201));
    assert_eq!(card.place.origin.map(Coord::raw), [8, 16, 24]);
    assert_eq!(card.greeting.bytes(), b"wish you were here");
    assert_eq!(messages.fault(), None);
    let mut out = Vec::new();
    entry.write(&mut out, &Context::quake());
    assert_eq!(out, WIRE);
}

#[test]
fn absent_fields_are_not_read() {
    let mut messages = Messages::<Post>::new(b"\x63\x07\x00\x05\0\x65\x68", Context::quake());
    let card = messages.next().unwrap().message;
    assert_eq!(card, Postcard { to: 7, picture: ByteOrShort(5), ..Postcard::default() }.into());
    assert_eq!(messages.next().unwrap().message, Bell::default().into());
    assert_eq!(messages.next(), None);
    assert_eq!(messages.fault(), Some(Fault { kind: FaultKind::UnknownMessage(0x68), at: 6 }));
}

#[test]
fn it_is_made_from_entropy() {
    let kept = EntropyBytes::default();
    let mut random = crate::common::Random(1);
    let mut words = BTreeSet::new();
    for _ in 0..200 {
        let (bytes, _) = kept.keep(&random.bytes(200));
        let made: Mine = Entropy::new(bytes, &kept, Context::quake()).message(Postcard::OP).unwrap();
        let (mut out, mut again) = (Vec::new(), Vec::new());
        write_message(&made, &mut out, &Context::quake());
        let (out, _) = kept.keep(&out);
        let read = Messages::<Post>::new(out, Context::quake()).next().unwrap();
        assert_eq!(read.message, made);
        read.write(&mut again, &Context::quake());
        assert_eq!(again, out);
        words.insert(out[2] & 7);
    }
    assert_eq!(words.len(), 8, "every flag word was drawn");
}

#[test]
fn it_is_described() {
    let [card, bell] = <Mine as Message>::SCHEMA else { panic!("two rows") };
    assert_eq!(
        (card.op, card.last, card.name, card.rust, card.flags),
        (99, 99, "postcard", "Postcard", "Bits8")
    );
    assert_eq!(card.note.trim(), "A message that no engine ever sent.");
    assert_eq!((bell.op, bell.last, bell.fields.len()), (100, 103, 0));
    let fields: Vec<_> = card.fields.iter().map(|field| (field.name, field.bit)).collect();
    assert_eq!(fields, [("to", 0), ("stamps", 1), ("picture", 0), ("place", 4), ("greeting", 0)]);
    let lines: Vec<_> = card.lines().collect();
    let names: Vec<_> = lines.iter().map(|line| line.0).collect();
    assert_eq!(names, ["to", "stamps", "picture", "default_origin", "default_angles", "greeting"]);
    assert_eq!((lines[2].1, lines[4].2.trim()), (Meaning::Model, "How it is turned."));
    assert!(!Postcard::default().bare());
    let it = card.properties;
    assert_eq!((it.c_name, it.lasts, it.since), ("svc_postcard", Lasts::State, Origin::Quake));
    assert_eq!((it.needed, it.heard, it.lmpc), (true, true, false));
    assert_eq!(it.c_bits, [("PC_STAMPS", "stamps"), ("PC_STAMPS16", "stamps")]);
    let it = bell.properties;
    assert_eq!((it.needed, it.heard, it.lmpc, it.c_bits.len()), (false, true, true, 0));
}

/// Rows of different families may share an id or a keyword, as long as no context has both.
fn contexts() -> Vec<Context> {
    let mut all = vec![Context::quake(), Context { nehahra: Answer::Yes, ..Context::quake() }];
    for protocol in [15, 250, 666, 668, 999, 10000, 10001, 10002] {
        let mut context = Context::quake();
        context.set_quake_protocol(protocol, 0);
        all.push(context);
        all.push(Context { nehahra: Answer::Yes, ..context });
    }
    all
}

fn keeps_the_rules(schema: &[Schema]) {
    let names: BTreeSet<_> = schema.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), schema.len(), "a keyword stands twice");
    for context in contexts() {
        let mut owners: BTreeMap<u8, &str> = BTreeMap::new();
        for row in schema.iter().filter(|row| row.families == 0 || context.has_family(row.families)) {
            for op in row.op..=row.last {
                assert_eq!(owners.insert(op, row.name), None, "{op} is {} too, {context:?}", row.name);
            }
        }
    }
    for row in schema {
        assert!(row.op <= row.last && !row.note.trim().is_empty(), "{}", row.name);
        let mut keywords = BTreeSet::new();
        for (name, _, note) in row.lines() {
            assert!(keywords.insert(name), "{}: {name} stands twice", row.name);
            assert!(
                !note.trim().is_empty() && note.trim().ends_with(['.', ')']),
                "{}: {name}: {note}",
                row.name
            );
        }
        for field in row.fields {
            assert!(!field.note.trim().is_empty() && !field.kind.is_empty(), "{}: {}", row.name, field.name);
            assert!(field.bit == 0 || !row.flags.is_empty(), "{}: {} hangs on nothing", row.name, field.name);
        }
    }
}

#[test]
fn the_tables_keep_the_rules() {
    keeps_the_rules(dem::Message::SCHEMA);
    keeps_the_rules(dm2::Message::SCHEMA);
    keeps_the_rules(mvd2::Message::SCHEMA);
    keeps_the_rules(mvd2::part::Message::SCHEMA);
}

/// Fields that come together have the same bits; other fields share none.
#[test]
fn bits_do_not_overlap() {
    for row in dem::Message::SCHEMA.iter().chain(dm2::Message::SCHEMA).chain(mvd2::part::Message::SCHEMA) {
        // A temporary entity's kind stands for a set of fields, not for bits on the wire.
        if row.flags.starts_with("TempKind") {
            continue;
        }
        for (n, field) in row.fields.iter().enumerate() {
            for other in &row.fields[n + 1..] {
                let shared = field.bit & other.bit;
                let group = field.bit == other.bit;
                assert!(shared == 0 || group, "{}: {} and {}", row.name, field.name, other.name);
            }
        }
    }
    let shared: BTreeSet<_> =
        dm2::PlayerInfo::SCHEMA.fields.iter().filter(|it| it.bit == 0x2000).map(|it| it.name).collect();
    assert_eq!(shared, ["gunangles", "gunframe", "gunoffset"].into(), "the only group");
}
