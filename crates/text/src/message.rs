//! One message as text, for tools and tests that have no whole recording, and for tables of their own.

use crate::parse::Parser;
use crate::print::Printer;
use crate::scan::{Origin, Scanner};
use crate::{Diagnostic, TextCode};
use bumpalo::Bump;
use moviola_format::{Context, Dialect, Message};

/// The owner of the bytes of parsed messages.
///
/// To parse many messages, use a fresh arena for each or [`clear`](Arena::clear) it in between.
///
/// ```
/// use moviola_format::{Context, Quake};
/// use moviola_text::{Arena, parse_message};
/// let mut arena = Arena::default();
/// for text in [&b"print \"one\";"[..], b"print \"two\";"] {
///     assert!(parse_message::<Quake>(text, &Context::quake(), &arena).is_ok());
///     arena.clear();
/// }
/// ```
#[derive(Debug, Default)]
pub struct Arena(Bump);

impl Arena {
    /// Drops everything that it holds.
    pub fn clear(&mut self) {
        self.0.reset();
    }
}

/// One message in the form that it has in the text of a block, without comments.
///
/// ```
/// use moviola_format::{dem, Context, Quake, Str};
/// let message = dem::Print { string: Str::new(b"hi\0") }.into();
/// assert_eq!(moviola_text::print_message::<Quake>(&message, &Context::quake()), " print \"hi\";\n");
/// ```
pub fn print_message<D: Dialect>(message: &D::Message<'_>, context: &Context) -> String {
    let mut printer = Printer::new(*context);
    printer.comments = false;
    printer.message(message, None);
    String::from_utf8_lossy(&printer.out).into_owned()
}

/// Parses the text of one message under the protocol and the habits of `context`.
///
/// The block is unknown here, so the message's place in it is not checked (an unterminated string only at its
/// end, a message of the right protocol).
///
/// ```
/// use moviola_format::{dem, Context, Quake};
/// use moviola_text::{parse_message, Arena};
/// let arena = Arena::default();
/// let message = parse_message::<Quake>(b"setview 5;", &Context::quake(), &arena).unwrap();
/// assert_eq!(message, dem::SetView { entity: 5 }.into());
/// let mistakes = parse_message::<Quake>(b"setview five;", &Context::quake(), &arena).unwrap_err();
/// assert_eq!(mistakes[0].column, 9);
/// ```
///
/// # Errors
/// If the text contains no message, a mistake, or more than one message.
pub fn parse_message<'a, D: Dialect>(
    text: &[u8],
    context: &Context,
    arena: &'a Arena,
) -> Result<D::Message<'a>, Vec<Diagnostic>> {
    let mut parser = Parser::new(Scanner::new(text, Origin::START, true), &arena.0, *context);
    let word = parser.scan.word();
    let name = parser.scan.slice(word);
    let row = <D::Message<'a> as Message<'a>>::SCHEMA.iter().find(|row| row.name.as_bytes() == name);
    let outcome = row.and_then(|row| parser.message::<D::Message<'a>>(row, word).ok());
    if row.is_none() {
        parser.scan.mistake(
            TextCode::UnknownStatement,
            word,
            "this is not a message".into(),
            "a message begins with its keyword: `nop;`",
        );
    } else if outcome.is_some() && parser.scan.next().is_some() {
        let token = parser.scan.token();
        parser.scan.mistake(
            TextCode::Misplaced,
            token,
            "this comes after the message".into(),
            "only one message is read here",
        );
    }
    match outcome {
        Some(message) if parser.scan.mistakes.is_empty() => Ok(message),
        _ => Err(parser.scan.mistakes),
    }
}
