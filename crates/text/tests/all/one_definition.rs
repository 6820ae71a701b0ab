//! One definition: a table that exists only in this test is printed and parsed like the games' own.

use crate::common::Random;
use moviola_format::entropy::{Entropy, EntropyBytes};
use moviola_format::*;
use moviola_text::*;

mod table {
    use moviola_format::{Bits8, ByteOrShort, Placement, Str, StrList, messages, names::Meaning};

    messages! {
        /// A message that no engine ever sent.
        Postcard<'a> = 99 "postcard" [svc_postcard, State, no_lmpc, since Quake] (to: u8 as Meaning::Player) flags Bits8 {
            /// The number of stamps on it.
            0x01 => stamps: u16,
            /// The picture on it.
            picture: ByteOrShort<0x02> as Meaning::Model,
            /// The place where it was written.
            0x04 => place: Placement,
            /// The senders.
            0x08 => r#from: StrList<'a>,
            /// The text.
            greeting: Str<'a>,
        }

        /// A message with several ids.
        Bell = 100..=103 "bell" [svc_bell, Moment heard, lmpc, since Quake] {}

        /// A message with one value.
        Weight = 104 "weight" [svc_weight, State, lmpc, since Quake] {
            /// The weight in units.
            grams: Float,
        }
    }
    use moviola_format::Float;
}
use table::{Bell, Message as Mine, Postcard, Weight};

/// A game that has only these messages.
struct Post;

impl Dialect for Post {
    type Message<'a> = Mine<'a>;
    const GAME: Game = Game::Quake;
}

/// The table's rows are all that its text needs.
impl TextDialect for Post {}

const CARD: &str = r#" postcard {
  to 7;
  stamps 4660;
  picture 513;
  default_origin 1.0 2.0 3.0;
  default_angles 22.5 45.0 67.5;
  from "Ann" "Bob \"B\"";
  greeting "wish you\nwere \377here";
 }
"#;

fn parsed<'a>(text: &str, arena: &'a Arena) -> Result<Mine<'a>, Vec<Diagnostic>> {
    parse_message::<Post>(text.as_bytes(), &Context::quake(), arena)
}

#[test]
fn it_is_printed_and_parsed() {
    let arena = Arena::default();
    let message = parsed(CARD, &arena).unwrap();
    let Mine::Postcard(card) = message else { panic!("{message:?}") };
    assert_eq!((card.to, card.flags, card.stamps, card.picture.0), (7, Bits8(0x0F), 0x1234, 0x201));
    assert_eq!(card.greeting.bytes(), b"wish you\nwere \xffhere");
    assert_eq!(print_message::<Post>(&message, &Context::quake()), CARD);
    assert_eq!(print_message::<Post>(&Bell::default().into(), &Context::quake()), " bell;\n");
    assert_eq!(parsed("weight 2.5;", &arena).unwrap(), Weight { grams: Float::new(2.5) }.into());
    assert_eq!(parsed("weight { grams 0x10; }", &arena).unwrap(), Weight { grams: Float::new(16.0) }.into());
}

#[test]
fn its_fields_come_in_any_order() {
    let arena = Arena::default();
    let text = "postcard { greeting \"x\"; picture 5; stamps 1; to 3; }";
    let greeting = Str::new(b"x\0");
    let card = Postcard {
        to: 3,
        flags: Bits8(1),
        stamps: 1,
        picture: ByteOrShort(5),
        greeting,
        ..Postcard::default()
    };
    assert_eq!(parsed(text, &arena).unwrap(), card.into());
    // A flag word that the fields do not imply is printed.
    let card = Postcard { flags: Bits8(0xF1), ..card };
    let printed = print_message::<Post>(&card.into(), &Context::quake());
    assert!(printed.contains("mask 0xF1;"), "{printed}");
    assert_eq!(parsed(&printed, &arena).unwrap(), card.into());
}

#[test]
fn its_mistakes_are_reported() {
    let arena = Arena::default();
    for (text, code, help) in [
        (
            "postcard { to 1; picutre 5; greeting \"\"; }",
            TextCode::UnknownField,
            Some("did you mean `picture`?"),
        ),
        (
            "postcard { to 1; picture 70000; greeting \"\"; }",
            TextCode::OutOfRange,
            Some("it can be 0 to 65535"),
        ),
        (
            "postcard { to 1; picture 5; }",
            TextCode::MissingField,
            Some("put `greeting …;` into its braces; `moviola explain postcard` says what it is"),
        ),
        ("telegram;", TextCode::UnknownStatement, Some("a message begins with its keyword: `nop;`")),
        ("bell; bell;", TextCode::Misplaced, Some("only one message is read here")),
    ] {
        let mistakes = parsed(text, &arena).unwrap_err();
        assert_eq!((mistakes[0].code, mistakes[0].help.as_deref()), (code, help), "{text}");
    }
}

#[test]
fn random_messages_of_a_users_table_survive_text() {
    let mut random = Random(99);
    for round in 0..2000 {
        let (kept, arena) = (EntropyBytes::default(), Arena::default());
        let bytes = random.bytes(300);
        let op = [Postcard::OP, Bell::OP, Weight::OP][round % 3];
        let Ok(made) = Entropy::new(&bytes, &kept, Context::quake()).message::<Mine<'_>>(op) else {
            continue;
        };
        let text = print_message::<Post>(&made, &Context::quake());
        let again = parsed(&text, &arena).unwrap_or_else(|it| panic!("{}", crate::common::shown(&it)));
        assert_eq!(again, made, "{text}");
    }
}
