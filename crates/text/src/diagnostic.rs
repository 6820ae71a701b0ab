//! Mistakes in a text, as data: the program renders them.

/// A mistake in a text.
///
/// ```
/// use moviola_text::{Arena, Code, parse_message};
/// use moviola_format::{Context, Quake};
/// let mistakes = parse_message::<Quake>(b"setview 70000;", &Context::quake(), &Arena::default()).unwrap_err();
/// let mistake = &mistakes[0];
/// assert_eq!((mistake.line, mistake.column, mistake.length), (1, 9, 5));
/// assert_eq!(mistake.code.number(), "T009");
/// assert!(!mistake.code.is_warning() && !mistake.code.title().is_empty());
/// assert!(mistake.code.explanation().len() > mistake.code.title().len());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which mistake.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// Where: the line, counted from 1.
    pub line: u64,
    /// Where in the line: the byte, counted from 1.
    pub column: usize,
    /// How many bytes are meant.
    pub length: usize,
    /// Where in the text: the byte, counted from 0.
    pub offset: u64,
    /// The line itself, or of a long one the part around the place: at most 512 bytes before it and from there on.
    pub source: String,
    /// How many bytes of the line stand before `source`.
    pub skipped: usize,
    /// What to do about it.
    pub help: Option<String>,
    /// A change that mends it.
    pub fix: Option<Fix>,
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
    /// Where it begins: the byte, counted from 0.
    pub offset: u64,
    /// How many bytes go away.
    pub length: usize,
    /// What comes instead.
    pub replacement: String,
}

moviola_format::codes! {
    /// The mistakes that a text can have.
    pub enum Code;

    /// A character that no part of the language begins with. LMPC printed such characters and went on, so that `+5.0`
    /// was read as 5.0; here it is a mistake, because what was meant may be lost.
    StrayCharacter "T001" "stray character"
    /// A word that is no statement of the language. A near one is offered.
    UnknownStatement "T002" "unknown statement"
    /// A word inside a message that is none of its fields. Where the field belongs to another message, that is said.
    UnknownField "T003" "unknown field"
    /// A field that the message must have is not there. Only the fields with a bit in the column "sent if" of the
    /// manual's tables may be left out; there are no defaults.
    MissingField "T004" "missing field"
    /// A field is there twice. Every field of a message can be said once.
    RepeatedField "T005" "repeated field"
    /// A statement or field does not end with `;`. Line ends mean nothing, so without it the next line would belong
    /// to the same field.
    MissingSemicolon "T006" "missing semicolon"
    /// A `{` that nothing closes, or a message without its braces.
    MissingBrace "T007" "missing brace"
    /// A number has to stand here, and something else does, or nothing. A number begins with a digit or a minus, has a
    /// digit before its point, and no quotes around it: `5`, `-1.5`, `0x1F`.
    ExpectedNumber "T008" "expected a number"
    /// A number does not fit the bits in which it is sent.
    OutOfRange "T009" "number out of range"
    /// A string has to stand here, and something else does. Strings have double quotes around them, also where they
    /// are a single word or a number.
    ExpectedString "T010" "expected a string"
    /// A string ends with its line. Line breaks are said `\n`.
    OpenString "T011" "string without an end"
    /// A string holds the byte 0, which ends strings on the wire.
    NulInString "T012" "NUL in a string"
    /// Only the last string of a block can lack the NUL that ends it.
    UnterminatedInside "T013" "unterminated string before the end of a block"
    /// A field takes so many values, and one more stands there. Either it is superfluous, or the `;` that ends the
    /// field before it is missing.
    TooManyValues "T014" "too many values"
    /// A value that is not possible, for a reason of its own that the message says.
    NotPossible "T015" "not possible"
    /// A `mask` says that fields are there which are not, or the other way round, or has bits that the protocol cannot send.
    MaskDisagrees "T016" "mask disagrees with the fields"
    /// A message or a field of another protocol than the one that the last `serverinfo` or `serverdata` named.
    WrongProtocol "T017" "not in this protocol"
    /// A statement of one game in a recording of the other, or before it is clear which game it is.
    WrongGame "T018" "not in this game"
    /// Every Quake block has exactly one `camera`, Quake II's have none.
    Camera "T019" "camera missing or repeated"
    /// The header, `track`, can only come first and once.
    TrackPlace "T020" "track in the wrong place"
    /// A statement that does not belong at this place of the text.
    Misplaced "T021" "statement in the wrong place"
    /// A block is longer than any reader would take.
    TooLong "T022" "too long"
    /// A `}` that closes nothing.
    StrayBrace "T023" "stray brace"
    /// A string is longer than engines read: they keep 2047 bytes and take the rest for the next message. This is a
    /// warning; the recording is written all the same, because there are recordings with such strings.
    LongString "T024" "string longer than engines read"
    /// A string holds a letter that is not ASCII. The games know no Unicode: each of its bytes is one of their own
    /// characters, most of them bronze. This is a warning; the bytes are written as they stand in the text. Said as
    /// octal numbers, which is how `decompile` says them, they are taken to be meant; so are bytes that are no UTF-8,
    /// which is how LMPC says them.
    ForeignLetter "T025" "letter that the games do not have"
    /// The color of a force wall (`temp_entity` 37 of Quake II) is sent as a byte. LMPC took it for 16 bits and so
    /// swallowed the byte behind it, which stands in its texts as the upper half of this number. To give the same
    /// recording, such a number is written as its two bytes, and the game takes the second for the next message. That
    /// is right for LMPC's texts and for nothing else, so this is a warning.
    SpillingNumber "T026" "number that takes a byte of what follows"
    /// A text without a single statement: it is empty, or all of it is in comments. This is a warning; the recording is
    /// made, and is empty, too.
    SaysNothing "T027" "text that says nothing"
    /// A backslash before a letter or a digit that has no meaning of its own behind one, so that it is as if it were not
    /// there: `\t` is a `t`. Bytes are said in octal, a tab is `\011`, and a backslash itself is said `\\`. This is a
    /// warning, because LMPC read such strings, too.
    IdleBackslash "T028" "backslash that does nothing"
    /// A `length` that is not that of its block. Readers go by it: they take so many bytes for the block, and what is
    /// left over, or what follows, for the next one. It is meant for the last block of a recording that was cut off, so
    /// elsewhere this is a warning. Without it compiling counts.
    UntrueLength "T029" "length that is not the block's"
    /// A message under a protocol that nobody knows. It is written as one of the usual protocol, 15 or 34, as LMPC did,
    /// but engines of that protocol may send it otherwise, and `decompile` will keep such messages as bytes. This is a
    /// warning.
    StrangeProtocol "T030" "message of an unknown protocol"
    /// The header, `track`, does not end with a line end. Engines read up to that, so they take what follows, which is
    /// the first block, for a part of it. This is a warning, because there are such recordings.
    OpenHeader "T031" "header without a line end"
    /// The text says in its first line that LMPC made it, and then that its recording is in a protocol that LMPC did not
    /// know. LMPC took all such recordings for protocol 15, so its text of it is wrong wherever the protocols differ, and
    /// gives other bytes than the recording had. This is a warning.
    UnknownToLmpc "T032" "text by LMPC of a protocol that it did not know"
}

impl Code {
    /// Whether the recording is made all the same.
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
