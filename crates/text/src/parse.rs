//! Parses messages from text: a [`Source`] for the fields of a table's rows, a [`ValueSource`] for kinds of value.
//!
//! A message with its fields in the order of its row is read straight through. Only otherwise an index of its
//! fields is made and used.

mod fast;
mod number;
mod recover;
mod seen;
mod typed;
mod values;

use crate::SPARE_BITS;
use crate::scan::{Scanner, Span, is_word};
use crate::{TextCode, similar};
use bstr::ByteSlice;
use bumpalo::Bump;
pub(crate) use fast::{FastParser, Memory};
use moviola_format::{Context, Field, Game, Message, Schema};
use values::MASK;
pub(crate) use values::PROTOCOL_HELP;

/// The reason why a message could not be built; its mistake was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParseStop {
    /// A mistake; the cursor is somewhere in the statement.
    Mistake,
    /// A mistake; the cursor is at the place where reading continues.
    Stepped,
    /// The fields are not in the order of the row, so an index is needed.
    OutOfOrder,
    /// The next token cannot belong to the block; whether that is a mistake is not known yet.
    BlockEnd,
}

/// A field in the index of a message.
#[derive(Clone, Copy, Debug)]
struct IndexedField {
    name: Span,
    values: usize,
    used: bool,
}

/// The state to restore when a group of lines in braces that was read by an index ends.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The place after its `}`.
    end: usize,
    keyword: Span,
    name: &'static str,
    used_up: (&'static str, usize),
}

/// The way in which the fields of the current record are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// The message is one value without braces.
    Bare,
    /// In order, one after the other.
    Ordered,
    /// By the index, from this entry on.
    Indexed(usize),
}

/// Builds messages from text.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(crate) struct Parser<'t, 'a> {
    pub(crate) scan: Scanner<'t>,
    pub(crate) context: Context,
    pub(crate) lmpc: bool,
    /// Whether statements of a block were found outside of a block, which was already reported.
    pub(crate) outside: bool,
    /// Whether a string without its end was read, after which nothing may follow in the block.
    pub(crate) open_end: bool,
    pub(crate) arena: &'a Bump,
    schema: Option<&'static Schema>,
    /// The text's name for the current record, since records of several names share a schema.
    called: &'static str,
    keyword: Span,
    /// The number of mistakes reported before the current message.
    noted: usize,
    mode: Mode,
    /// The modes of the records around the current one.
    outer: Vec<Mode>,
    /// The groups of lines around the current one that are read by an index.
    groups: Vec<Group>,
    index: Vec<IndexedField>,
    /// The field that was looked up last, and the entry of the index before which all its occurrences are
    /// used.
    used_up: (&'static str, usize),
    word: Word,
    /// Whether the current record has values without a field's name, which may belong to a missing field.
    nameless: bool,
    scratch: Vec<u8>,
}

/// The flag word of the current record.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    implied: u32,
    explicit: Option<u32>,
    /// The kind, where the text gives it as a word (a temporary entity's).
    given: u32,
}

type Result<T> = std::result::Result<T, ParseStop>;

impl<'t, 'a> Parser<'t, 'a> {
    pub(crate) fn new(scan: Scanner<'t>, arena: &'a Bump, context: Context) -> Self {
        Self {
            scan,
            context,
            lmpc: false,
            outside: false,
            open_end: false,
            arena,
            schema: None,
            called: "",
            keyword: Span::default(),
            noted: 0,
            mode: Mode::Bare,
            outer: Vec::new(),
            groups: Vec::new(),
            index: Vec::new(),
            used_up: ("", 0),
            word: Word::default(),
            nameless: false,
            scratch: Vec::new(),
        }
    }

    /// Reads the message of this row, whose keyword was already read.
    #[inline(always)]
    pub(crate) fn message<M: Message<'a>>(&mut self, schema: &'static Schema, keyword: Span) -> Result<M> {
        self.schema = Some(schema);
        self.called = schema.name;
        self.keyword = keyword;
        self.noted = self.scan.report_counts().0;
        self.word = Word::default();
        self.outer.clear();
        self.groups.clear();
        self.index.clear();
        if self.scan.take(b'{') || self.other_open() || self.brace_left_out(schema) {
            let (start, noted) = (self.scan.pos, self.scan.report_counts());
            self.mode = Mode::Ordered;
            self.scan.arrive();
            if schema.fields.is_empty() && schema.flags.is_empty() && self.scan.peek() == Some(b'}') {
                self.empty_braces(schema.name, start - 1);
            }
            let outcome = M::build(schema.op, self).and_then(|message| self.end_record().map(|()| message));
            return match outcome {
                Ok(message) => Ok(message),
                Err(ParseStop::OutOfOrder) => {
                    self.scan.forget(noted);
                    self.outer.clear();
                    self.out_of_order(start, |parser| M::build(schema.op, parser))
                }
                Err(_) => {
                    self.skip_record(start);
                    Err(ParseStop::Stepped)
                }
            };
        }
        if self.scan.peek() != Some(b';') && self.lacks_brace(schema) {
            let help =
                self.taken_for_quake2().map_or_else(|| format!("`{} {{ … }}`", schema.name), str::to_owned);
            self.scan.mistake(
                TextCode::MissingBrace,
                keyword,
                format!("`{}` needs a `{{`", schema.name),
                help,
            );
            return Err(ParseStop::Mistake);
        }
        // `nop;`, or one value; also `playerinfo;`, which has braces only if it has fields.
        let empty = self.scan.next() == Some(b';');
        let single = matches!(schema.fields, [] | [Field { parts: [], .. }]) && schema.flags.is_empty();
        self.mode = if empty && !single { Mode::Indexed(self.index.len()) } else { Mode::Bare };
        let before = self.scan.pos;
        let message = M::build(schema.op, self)?;
        if empty && !single || self.scan.pos == before {
            self.semicolon()?;
        }
        Ok(message)
    }

    /// Reports `nop {}`: a message without fields has no braces.
    #[cold]
    fn empty_braces(&mut self, name: &str, open: usize) {
        let span = Span { offset: open, len: self.scan.pos + 1 - open };
        let before = Span { offset: self.keyword.offset, len: span.offset + span.len - self.keyword.offset };
        let message = format!("`{name}` has no fields, and so no braces");
        let fix = Some((before, format!("{name};")));
        self.scan.mistake_with(TextCode::NotPossible, span, message, format!("write `{name};`"), fix);
    }

    /// The row of the previous message, if this one has the same keyword, as it usually does.
    #[inline(always)]
    pub(crate) fn same_row(&mut self) -> Option<(&'static Schema, Span)> {
        let row = self.schema?;
        let at = self.scan.pos;
        self.scan.take_word(row.name).then_some((row, Span { offset: at, len: row.name.len() }))
    }

    /// Whether braces are missing around the text after the keyword.
    fn lacks_brace(&mut self, schema: &'static Schema) -> bool {
        let several = schema.fields.len() > 1 && self.scan.peek().is_some_and(|it| it == b'"' || is_word(it));
        several || !schema.fields.is_empty() && schema.lines().any(|(name, ..)| self.scan.at_word(name))
    }

    /// The current protocol, or the usual one before any is known.
    pub(crate) fn protocol(&self) -> i32 {
        match (self.context.protocol, self.context.game) {
            (0, Game::Quake) => 15,
            (0, Game::Quake2) => self.context.quake2_protocol(),
            (named, _) => named,
        }
    }

    /// The end of a record that was read in order.
    #[inline(always)]
    fn end_record(&mut self) -> Result<()> {
        if self.scan.take(b'}') { Ok(()) } else { Err(ParseStop::OutOfOrder) }
    }

    /// Reports the fields that were not used.
    fn unused(&mut self, base: usize) -> Result<()> {
        let spots: Vec<IndexedField> =
            self.index.iter().skip(base).filter(|spot| !spot.used).copied().collect();
        if spots.is_empty() {
            return Ok(());
        }
        for spot in spots {
            if self.scan.is_full() {
                break;
            }
            self.unknown_field(spot, base);
        }
        Err(ParseStop::Mistake)
    }

    /// Reports a missing field, or the text in its place.
    #[cold]
    fn missing_field(&mut self, base: usize, name: &'static str) {
        let fields: Vec<&str> =
            self.schema.into_iter().flat_map(Schema::lines).map(|(field, ..)| field).collect();
        let mut unknown = 0;
        let spots: Vec<IndexedField> =
            self.index.iter().skip(base).filter(|spot| !spot.used).copied().collect();
        for spot in spots {
            if self.scan.is_full() {
                break;
            }
            let written = String::from_utf8_lossy(self.scan.slice(spot.name)).into_owned();
            if ![SPARE_BITS, MASK].contains(&written.as_str()) && !fields.contains(&written.as_str()) {
                unknown += 1;
                self.report_unknown_field(spot, Some(name));
            }
        }
        let keyword = self.keyword;
        if unknown > 0 || self.nameless {
            // The missing field is there under another name.
        } else if self.word.explicit.is_some() {
            let text = format!("the `mask` says that `{name}` is there, and it is not");
            self.scan.mistake(TextCode::MaskDisagrees, keyword, text, "without `mask` the fields imply it");
        } else if !self.has_open_string(base) {
            let called = self.called;
            let help = self.taken_for_quake2().map_or_else(
                || format!("put `{name} …;` into its braces; `moviola explain {called}` says what it is"),
                str::to_owned,
            );
            self.scan.mistake(
                TextCode::MissingField,
                keyword,
                format!("`{called}` needs the field `{name}`"),
                help,
            );
        }
    }

    /// Reports the strings of the record that do not end on their lines; a missing field may be in one.
    fn has_open_string(&mut self, base: usize) -> bool {
        let pos = self.scan.pos;
        let spots: Vec<IndexedField> =
            self.index.iter().skip(base).filter(|spot| !spot.used).copied().collect();
        for spot in spots {
            self.scan.pos = spot.values;
            if self.scan.next() == Some(b'"') {
                self.scan.string(&mut Vec::new());
            }
        }
        self.scan.pos = pos;
        self.scan.has_open_string(self.keyword)
    }

    /// The help for a message that differs from Quake II's but has the name of one of Quake's, while nothing
    /// has shown yet that this is Quake II.
    fn taken_for_quake2(&self) -> Option<&'static str> {
        let open = self.context.game == Game::Quake2 && self.context.protocol == 0;
        let ours = self.schema.filter(|ours| open && ours.name == self.called)?;
        let theirs = similar::rows(Game::Quake).iter().find(|row| row.name == ours.name)?;
        let differs = !ours.lines().map(|(name, ..)| name).eq(theirs.lines().map(|(name, ..)| name));
        differs.then_some(similar::NOT_QUAKE)
    }

    fn unknown_field(&mut self, spot: IndexedField, base: usize) {
        let name = String::from_utf8_lossy(self.scan.slice(spot.name)).into_owned();
        let keyword = self.called;
        let twice = |other: &&IndexedField| other.used && self.scan.slice(other.name) == name.as_bytes();
        if self.index.iter().skip(base).find(twice).is_some() {
            let message = format!("`{name}` is given twice");
            return self.scan.mistake(TextCode::RepeatedField, spot.name, message, "take one of them out");
        }
        let known = self.schema.into_iter().flat_map(Schema::lines).any(|(field, ..)| field == name);
        if known && self.word.explicit.is_some() {
            let message = format!("the `mask` says that `{name}` is not there");
            let help = "without `mask` the fields imply it";
            return self.scan.mistake(TextCode::MaskDisagrees, spot.name, message, help);
        }
        if known {
            let message = format!("`{name}` cannot stand here beside the other fields of `{keyword}`");
            let help = format!("take it out; `moviola explain {keyword}` says what goes together");
            return self.scan.mistake(TextCode::NotPossible, spot.name, message, help);
        }
        self.report_unknown_field(spot, None);
    }

    /// Reports a field that the message never has, and that may be a misspelling of one that is `missing`.
    fn report_unknown_field(&mut self, spot: IndexedField, missing: Option<&'static str>) {
        /// The most fields that the help of a mistake lists.
        const MAX_FIELDS: usize = 12;
        let name = String::from_utf8_lossy(self.scan.slice(spot.name)).into_owned();
        let keyword = self.called;
        let fields: Vec<&'static str> =
            self.schema.into_iter().flat_map(Schema::lines).map(|(field, ..)| field).collect();
        let owners = similar::owners(self.context.game, &name);
        // The name of a temporary entity's number is not a field of the row.
        let fix = similar::nearest(&name, fields.iter().copied().chain(missing).chain([MASK]));
        let is_message = similar::rows(self.context.game).iter().any(|row| row.name == name);
        let is_quakes = |row: &Schema| row.name == keyword && row.lines().any(|(field, ..)| field == name);
        let quakes = self.taken_for_quake2().filter(|_| similar::rows(Game::Quake).iter().any(is_quakes));
        let help = match (fix, owners.as_slice(), quakes) {
            (Some(fix), ..) => format!("did you mean `{fix}`?"),
            (None, [], _) if is_message => {
                format!("`{name}` is a message of its own; a `}}` may be missing before it")
            }
            (None, _, Some(why)) => why.to_owned(),
            (None, [], None) if (1..=MAX_FIELDS).contains(&fields.len()) => {
                format!("its fields are `{}`", fields.join("`, `"))
            }
            (None, [], None) => format!("`moviola explain {keyword}` lists its fields"),
            (None, owners, None) => format!("`{name}` belongs to `{}`", owners.join("`, `")),
        };
        let help = match missing.filter(|_| fix.is_none()) {
            Some(missing) => format!("{help}; `{keyword}` needs `{missing}`"),
            None => help,
        };
        let message = format!("`{keyword}` has no field `{name}`");
        let fix = fix.map(|fix| (spot.name, fix.to_owned()));
        self.scan.mistake_with(TextCode::UnknownField, spot.name, message, help, fix);
    }

    /// Reports a character with which no token begins.
    pub(crate) fn stray(&mut self) -> Result<()> {
        self.scan.skip();
        let span = self.scan.letter();
        if self.lmpc && self.scan.peek().is_some_and(|byte| self.scan.means_nothing_to_lmpc(byte)) {
            self.scan.pos += 1;
            return Ok(());
        }
        if self.foreign_comment() {
            return Err(ParseStop::Mistake);
        }
        let text = String::from_utf8_lossy(self.scan.slice(span)).into_owned();
        let mut end = span.offset + span.len;
        // Before a value, the sign is a typing mistake.
        let (help, fix) = match self.scan.next_letters() {
            [b'#', b'a'..=b'z' | b'A'..=b'Z', ..] | [b'#', b' ', b'a'..=b'z' | b'A'..=b'Z', ..] => {
                ("comments begin with `//`", "//")
            }
            [b',', b'-' | b'0'..=b'9', ..] => match self.scan.decimals() {
                Some(decimals) => {
                    end = decimals;
                    ("a number has a point: `0.5`", ".")
                }
                None => ("values have blanks between them", " "),
            },
            _ if self.scan.joins(span) => ("a blank belongs here", " "),
            _ => ("take it out", ""),
        };
        self.scan.mistake_with(
            TextCode::StrayCharacter,
            span,
            format!("`{}` means nothing here", text.escape_debug()),
            help,
            Some((span, fix.to_owned())),
        );
        self.scan.pos = end;
        Err(ParseStop::Mistake)
    }

    /// Reports a C comment, if one is next.
    fn foreign_comment(&mut self) -> bool {
        if !self.scan.at_text(b"/*") {
            return false;
        }
        let rest = self.scan.line_rest();
        let end = rest.find(b"*/").map(|at| at + 2);
        let length = end.unwrap_or(2);
        let fix = end.map(|end| {
            let inside = rest.get(2..end - 2).unwrap_or_default();
            // Inside a line, a `//` comment would swallow the text after it.
            let last = rest.get(end..).is_none_or(|rest| rest.trim_ascii().is_empty());
            if last { format!("// {}", String::from_utf8_lossy(inside).trim()) } else { String::new() }
        });
        let span = Span { offset: self.scan.pos, len: length };
        let message = "`/*` begins no comment here".into();
        let help = "comments begin with `//` and end with their line";
        self.scan.mistake_with(TextCode::StrayCharacter, span, message, help, fix.map(|fix| (span, fix)));
        self.scan.step_over_comment();
        true
    }

    /// Takes the `;` of a field.
    #[inline(always)]
    pub(crate) fn semicolon(&mut self) -> Result<()> {
        if self.scan.take(b';') { Ok(()) } else { self.no_semicolon() }
    }

    /// Reports the missing `;`, and goes to the place where the next field or statement may begin.
    #[cold]
    fn no_semicolon(&mut self) -> Result<()> {
        if self.other_end() {
            return Ok(());
        }
        self.strays();
        if self.scan.take(b';') || self.scan.is_reported_here() {
            return Ok(());
        }
        let token = self.scan.token();
        if matches!(self.scan.peek(), Some(b'"' | b'-' | b'.' | b'0'..=b'9')) {
            // If a word stands where a value is required, a value is left over, which is not reported as a second
            // mistake.
            if !self.scan.is_reported_in_statement() {
                self.scan.mistake(
                    TextCode::TooManyValues,
                    token,
                    "this value is one too many".into(),
                    "take it out, or end what stands before it with `;`",
                );
            }
            self.skip_excess();
        } else if self.scan.report_counts().0 > self.noted && !self.begins(token) {
            // The statement had a mistake before this word.
            self.skip_excess();
        } else if matches!(self.scan.peek(), None | Some(b'}')) || self.starts_line(token) {
            self.missing_semicolon(token.offset);
        } else {
            let found = String::from_utf8_lossy(self.scan.slice(token)).into_owned();
            let message = format!("a `;` is expected here, not `{found}`");
            let help = "every statement and field ends with `;`";
            self.scan.mistake(TextCode::MissingSemicolon, token, message, help);
            return Err(ParseStop::Mistake);
        }
        Ok(())
    }

    fn starts_line(&self, token: Span) -> bool {
        self.scan.begins_line(token) || self.scan.slice(token).first().is_some_and(u8::is_ascii_alphabetic)
    }

    /// Points past the last token before `at`.
    fn missing_semicolon(&mut self, at: usize) {
        let span = self.scan.last_token(self.keyword.offset, at);
        let fix = Some((Span { offset: span.offset + span.len, len: 0 }, ";".to_owned()));
        self.scan.mistake_with(
            TextCode::MissingSemicolon,
            span,
            "a `;` is missing after this".into(),
            "every statement and field ends with `;`",
            fix,
        );
    }

    /// The place of this field in the current record.
    #[cold]
    fn place_of_field(&mut self, name: &str) -> Option<Span> {
        if let Mode::Indexed(base) = self.mode {
            let spots = self.index.iter().skip(base);
            return spots.map(|spot| spot.name).find(|it| self.scan.slice(*it) == name.as_bytes());
        }
        self.scan.last_word(name, self.keyword.offset)
    }

    /// An entry of the index that was not used yet.
    fn spot(&mut self, base: usize, name: &'static str) -> Option<&mut IndexedField> {
        let (last, used_up) = self.used_up;
        // A list of many thousand entities must not be searched from its start for each.
        let from = if last == name { used_up.max(base) } else { base };
        let scan = &self.scan;
        let found =
            |(_, spot): &(usize, &mut IndexedField)| !spot.used && scan.slice(spot.name) == name.as_bytes();
        let (at, spot) = self.index.iter_mut().enumerate().skip(from).find(found)?;
        self.used_up = (name, at);
        Some(spot)
    }
}
