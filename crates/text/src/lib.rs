//! The text language of Moviola: recordings to text and back, exactly.
#![forbid(unsafe_code)]

mod address;
mod axes;
mod body;
mod compile;
mod decompile;
mod diagnostic;
mod fmt;
mod level;
mod line_ends;
mod message;
mod normal;
mod not_in_lmpc;
mod number;
mod options;
mod parse;
mod print;
mod read_again;
mod recognize;
mod scan;
mod similar;
mod statement;
mod statement_kind;
mod window;

pub use compile::{compile, compile_part};
pub use decompile::decompile;
pub use diagnostic::*;
pub use fmt::format;
pub use level::{LevelNames, TextDialect};
pub use message::{Arena, parse_message, print_message};
pub use normal::normalize;
pub use options::*;
pub use print::{FieldText, message_fields};
pub use recognize::is_text;
pub use similar::nearest;
pub use statement_kind::StatementKind;

/// The statement for bits of a flag word without a meaning in any engine, by their numbers.
const SPARE_BITS: &str = "unknown_mask_bits";

/// Whether the fast path is used. A web page prints one block at a time; there the careful path, which gives
/// the same text, makes the page's WebAssembly a fifth smaller.
const FAST_PATHS: bool = !cfg!(target_family = "wasm");
