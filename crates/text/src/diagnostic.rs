//! Mistakes in texts, in the words of edits and in questions to a catalog, as data: the program renders them.

use std::ops::Range;

/// The kinds of mistake that a language has.
///
/// ```
/// use moviola_text::{TextCode, MistakeKind};
/// assert_eq!(MistakeKind::number(TextCode::LongString), "T024");
/// assert!(MistakeKind::is_warning(TextCode::LongString));
/// ```
pub trait MistakeKind: Copy {
    /// Its code, as it is printed; empty for a language whose mistakes have none.
    fn number(self) -> &'static str {
        ""
    }
    /// A one-line title.
    fn title(self) -> &'static str {
        ""
    }
    /// Whether the words are accepted nevertheless.
    fn is_warning(self) -> bool {
        false
    }
}

/// Mistakes that have no codes.
impl MistakeKind for () {}

/// A mistake in words that somebody wrote.
///
/// ```
/// use moviola_text::{Arena, TextCode, parse_message};
/// use moviola_format::{Context, Quake};
/// let mistakes = parse_message::<Quake>(b"setview 70000;", &Context::quake(), &Arena::default()).unwrap_err();
/// let mistake = &mistakes[0];
/// assert_eq!((mistake.line, mistake.column, mistake.length), (1, 9, 5));
/// assert_eq!(mistake.code.number(), "T009");
/// assert!(!mistake.code.is_warning() && !mistake.code.title().is_empty());
/// assert!(mistake.code.explanation().len() > mistake.code.title().len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic<C = TextCode> {
    /// The kind of mistake.
    pub code: C,
    /// A one-line description of the mistake.
    pub message: String,
    /// The line of the mistake, counted from 1.
    pub line: u64,
    /// The byte in the line, counted from 1.
    pub column: usize,
    /// The length of the mistake in bytes.
    pub length: usize,
    /// The byte in the text, counted from 0; `None` where only the line is known.
    pub offset: Option<u64>,
    /// The line itself, or of a long line the part around the mistake: at most 512 bytes before it and 512
    /// from it on.
    pub source: String,
    /// The number of bytes of the line before `source`.
    pub skipped: usize,
    /// A hint about the correction.
    pub help: Option<String>,
    /// A change that corrects the mistake.
    pub fix: Option<Fix>,
}

impl<C> Diagnostic<C> {
    /// A mistake in a single line of words, with the range of its bytes.
    ///
    /// ```
    /// use moviola_text::Diagnostic;
    /// let mistake = Diagnostic::new((), "not a number", "5..x", 3..4).help("write 5..10").in_line(2);
    /// assert_eq!((mistake.line, mistake.column, mistake.length), (2, 4, 1));
    /// assert_eq!(mistake.range(), 3..4);
    /// ```
    pub fn new(code: C, message: impl Into<String>, source: impl Into<String>, at: Range<usize>) -> Self {
        Self {
            code,
            message: message.into(),
            line: 1,
            column: at.start.saturating_add(1),
            length: at.len(),
            offset: None,
            source: source.into(),
            skipped: 0,
            help: None,
            fix: None,
        }
    }

    /// Adds advice on how to correct the mistake.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Puts the mistake in this line, counted from 1.
    #[must_use]
    pub fn in_line(self, line: u64) -> Self {
        Self { line, ..self }
    }

    /// The bytes of its line, counted from 0.
    pub fn range(&self) -> Range<usize> {
        let start = self.column.saturating_sub(1);
        start..start.saturating_add(self.length)
    }
}

/// A change to a text.
///
/// ```
/// use moviola_text::{Arena, parse_message};
/// use moviola_format::{Context, Quake};
/// let text = b"setview +5;";
/// let mistakes = parse_message::<Quake>(text, &Context::quake(), &Arena::default()).unwrap_err();
/// let fix = mistakes[0].fix.as_ref().unwrap();
/// let at = fix.offset as usize;
/// let mut mended = text.to_vec();
/// mended.splice(at..at + fix.length, fix.replacement.bytes());
/// assert_eq!(mended, b"setview 5;");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The place of the change: the byte, counted from 0.
    pub offset: u64,
    /// The number of bytes to remove.
    pub length: usize,
    /// The text to insert in their place.
    pub replacement: String,
}

moviola_format::codes! {
    /// The mistakes that a text can have.
    pub enum TextCode;

    /// A character with which no part of the language begins. LMPC printed such characters and went on, so
    /// that `+5.0` was read as 5.0. Here it is a mistake, because a part of the intended text may be lost.
    StrayCharacter "T001" "stray character"
    /// A word that is not a statement of the language. If a similar one exists, it is suggested.
    UnknownStatement "T002" "unknown statement"
    /// A word inside a message that is not one of its fields. If other messages have this field, they are
    /// listed.
    UnknownField "T003" "unknown field"
    /// A field that the message must have is missing. Only fields with a bit in the column "sent if" of the
    /// manual's tables may be left out; there are no defaults.
    MissingField "T004" "missing field"
    /// A field occurs twice. Every field of a message can occur only once.
    RepeatedField "T005" "repeated field"
    /// A statement or field does not end with `;`. Line ends have no meaning, so without the `;` the next
    /// line would belong to the same field.
    MissingSemicolon "T006" "missing semicolon"
    /// A `{` that nothing closes, or a message without its braces.
    MissingBrace "T007" "missing brace"
    /// A number is required here, and there is something else or nothing. A number begins with a digit or a
    /// minus, has a digit before its point, and has no quotes around it: `5`, `-1.5`, `0x1F`.
    ExpectedNumber "T008" "expected a number"
    /// A number does not fit the bits in which it is sent.
    OutOfRange "T009" "number out of range"
    /// A string is required here, and there is something else. Strings need double quotes around them, even
    /// if they are a single word or a number.
    ExpectedString "T010" "expected a string"
    /// A string must end on the line on which it begins. Inside a string, a line break is written `\n`.
    OpenString "T011" "string without an end"
    /// A string contains the byte 0, which ends strings in a recording.
    NulInString "T012" "NUL in a string"
    /// Only the last string of a block can lack the NUL that ends it.
    UnterminatedInside "T013" "unterminated string before the end of a block"
    /// A field has more values than it takes. Either the last value is superfluous, or the `;` before it is
    /// missing.
    TooManyValues "T014" "too many values"
    /// An impossible value, for the reason that the message states.
    NotPossible "T015" "not possible"
    /// A `mask` announces fields that are missing, lacks bits of fields that are there, or has bits that the
    /// protocol cannot send.
    MaskDisagrees "T016" "mask disagrees with the fields"
    /// A message or a field that does not exist in the protocol of the last `serverinfo` or `serverdata`.
    WrongProtocol "T017" "not in this protocol"
    /// A statement of one game in a recording of another, or before it is clear which game the recording is
    /// of.
    WrongGame "T018" "not in this game"
    /// Every Quake block has exactly one `camera`, Quake II's have none.
    Camera "T019" "camera missing or repeated"
    /// The header, `track`, must be the first statement and can occur only once.
    TrackPlace "T020" "track in the wrong place"
    /// A statement that is not allowed at this place of the text.
    Misplaced "T021" "statement in the wrong place"
    /// A block is longer than any reader accepts.
    TooLong "T022" "too long"
    /// A `}` that closes nothing.
    StrayBrace "T023" "stray brace"
    /// A string is longer than engines can read: they keep 2047 bytes and read the rest as the next message.
    /// This is a warning; the recording is written nevertheless, because there are recordings with such
    /// strings.
    LongString "T024" "string longer than engines read"
    /// A string contains a letter that is not ASCII. The games do not know Unicode: each byte of the letter
    /// is a character of their own, mostly a bronze one. This is a warning; the bytes are written as they are
    /// in the text. Bytes that `decompile` prints as octal numbers cause no warning when they are written
    /// that way, and neither do bytes that are not UTF-8, which LMPC prints.
    ForeignLetter "T025" "letter that the games do not have"
    /// The color of a force wall (`temp_entity` 37 of Quake II) is sent as a byte. LMPC read 16 bits and so
    /// swallowed the next byte, which is the upper half of this number in its texts. To give the same
    /// recording, such a number is written as its two bytes, and the game reads the second one as the next
    /// message. That is right only for LMPC's texts, so this is a warning.
    SpillingNumber "T026" "number that takes a byte of what follows"
    /// A text without a single statement: it is empty, or consists of comments. This is a warning; an empty
    /// recording is written.
    SaysNothing "T027" "text that says nothing"
    /// A backslash before a letter or a digit with which it has no meaning, so that it is ignored: `\t` is a
    /// `t`. Bytes are written in octal, so a tab is `\011`; a backslash is written `\\`. This is a warning,
    /// because LMPC also accepted such strings.
    IdleBackslash "T028" "backslash that does nothing"
    /// A `length` that differs from the length of its block. Readers rely on it: they take that number of
    /// bytes for the block, and read the bytes left over, or those after it, as the next block. The statement
    /// exists for the last block of a recording that was cut off, so elsewhere this is a warning. Without the
    /// statement the compiler counts the bytes.
    UntrueLength "T029" "length that is not the block's"
    /// A message under an unknown protocol. It is written as in the usual protocol, 15 or 34, as LMPC did,
    /// but engines of that protocol may send it differently, and `decompile` will keep such messages as
    /// bytes. This is a warning.
    StrangeProtocol "T030" "message of an unknown protocol"
    /// The header, `track`, does not end with a line end. Engines read up to the next line end, so they take
    /// a part of the first block for the header. This is a warning, because there are such recordings.
    OpenHeader "T031" "header without a line end"
    /// The first line of the text shows that LMPC made it, but its recording is in a protocol that LMPC did
    /// not know. LMPC read all such recordings as protocol 15, so its text is wrong wherever the protocols
    /// differ, and compiles to other bytes than the recording had. This is a warning.
    UnknownToLmpc "T032" "text by LMPC of a protocol that it did not know"
}

impl MistakeKind for TextCode {
    fn number(self) -> &'static str {
        self.number()
    }
    fn title(self) -> &'static str {
        self.title()
    }
    fn is_warning(self) -> bool {
        self.is_warning()
    }
}

impl TextCode {
    /// Whether the recording is written nevertheless.
    pub fn is_warning(self) -> bool {
        matches!(
            self,
            Self::LongString
                | Self::ForeignLetter
                | Self::SpillingNumber
                | Self::SaysNothing
                | Self::IdleBackslash
                | Self::UntrueLength
                | Self::StrangeProtocol
                | Self::OpenHeader
                | Self::UnknownToLmpc
        )
    }
}
