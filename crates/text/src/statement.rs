//! The statements of a text, one by one: those of the outermost level, and those in a block.

use crate::address::{Container, Line};
use crate::parse::{PROTOCOL_HELP, ParseStop, Parser};
use crate::scan::{Scanner, Span};
use crate::statement_kind::StatementKind;
use crate::{TextCode, similar};
use moviola_format::{Context, Dialect, Extensions, Game, Message, Schema, Table, ValueSource, client};

/// A statement of the outermost level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TopStatement<'a> {
    /// `track "-1\n";`: Quake's header.
    Track(&'a [u8]),
    /// `block`; its brace and statements follow.
    Block,
    /// `sblock`, `mblock`, `hblock` or `m2block`: a block of QuakeWorld or of an MVD2; its brace and statements follow.
    Contained(Container),
    /// `mvd2;`: the first bytes of an MVD2.
    Mvd2Header,
    /// `cblock` or `fblock`: a record of QuakeWorld.
    Record(client::Message<'a>),
    /// `betweenblock;`: Quake II's block without bytes.
    Between,
    /// `endblock;`: Quake II's end mark.
    End,
    /// `raw 0x01;`: bytes that are not a block.
    Raw(&'a [u8]),
}

/// A statement of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Statement<'a, M> {
    /// A message.
    Message(M),
    /// `camera 0.0 90.0 0.0;`
    Camera([u32; 3]),
    /// `length 295;`: the length that the file states for the block, if it is wrong.
    Length(i32),
    /// `from_client;`
    FromClient,
    /// `unicast 3;`: the recipient of the next message.
    Unicast(u8),
    /// `habit items_bit clear;`
    Habit(bool),
    /// `protocol 999 132;`: the protocol and flags (three words in QuakeWorld) from an earlier block that the
    /// text omits.
    Protocol(i32, [u32; 3]),
    /// `time 1.5s;`, `to all;` and others: the head of a block of QuakeWorld.
    Address(Line),
    /// `raw 0x01;`: bytes that are not a message.
    Raw(&'a [u8]),
    /// `unknown { id 0x3C; data 0x01; }`: LMPC's form of the same.
    Unknown(u8, &'a [u8]),
}

/// The bytes of `unknown` after its id. LMPC's word for them is also the name of another message.
pub(crate) const UNKNOWN_DATA: &str = "data"; // not from SCHEMA: a statement of its own

/// Reads the next statement of the outermost level, and returns it with the place of its keyword.
pub(crate) fn top<'a>(parser: &mut Parser<'_, 'a>) -> Result<(TopStatement<'a>, Span), ParseStop> {
    loop {
        match parser.scan.next() {
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => break,
            Some(b'}') if std::mem::take(&mut parser.outside) => {
                parser.scan.pos += 1;
                return Err(ParseStop::Stepped);
            }
            Some(b'}') => {
                let span = Span { offset: parser.scan.pos, len: 1 };
                let help = "take it out, or look for a `}` too many above";
                let message = "this `}` closes nothing".into();
                let fix = Some((span, String::new()));
                parser.scan.mistake_with(TextCode::StrayBrace, span, message, help, fix);
                return Err(ParseStop::Mistake);
            }
            Some(b'{') => {
                let span = Span { offset: parser.scan.pos, len: 1 };
                let fix = Some((Span { len: 0, ..span }, "block ".to_owned()));
                let message = "this `{` belongs to nothing".into();
                parser.scan.mistake_with(
                    TextCode::Misplaced,
                    span,
                    message,
                    "a block begins with `block {`",
                    fix,
                );
                return Err(ParseStop::Mistake);
            }
            Some(_) => parser.stray()?,
            None => return Err(ParseStop::Mistake),
        }
    }
    let word = parser.scan.word();
    let kind = StatementKind::find(parser.scan.slice(word));
    if let Some(container) = kind.and_then(Container::of_kind) {
        enter(parser, container.game());
        open_block(parser, word);
        return Ok((TopStatement::Contained(container), word));
    }
    if let Some(row) = record_row(parser.scan.slice(word)) {
        enter(parser, Game::QuakeWorld);
        return parser.message(row, word).map(|message| (TopStatement::Record(message), word));
    }
    let top = match kind {
        Some(StatementKind::Block) => {
            open_block(parser, word);
            return Ok((TopStatement::Block, word));
        }
        Some(StatementKind::Track) => {
            let mut bytes = Vec::new();
            parser.strays_before_string();
            if !parser.scan.string(&mut bytes) {
                parser.scan.mend_header();
                return Err(ParseStop::Mistake);
            }
            TopStatement::Track(parser.keep(&bytes))
        }
        Some(StatementKind::Mvd2Header) => TopStatement::Mvd2Header,
        Some(StatementKind::BetweenBlock) => TopStatement::Between,
        Some(StatementKind::EndBlock) => TopStatement::End,
        Some(StatementKind::Raw) => TopStatement::Raw(raw(parser)?),
        _ => {
            let name = parser.scan.slice(word);
            let message = Game::ALL.into_iter().any(|game| is_message(game, name));
            if message || kind.is_some_and(StatementKind::is_inside) {
                let name = String::from_utf8_lossy(name);
                let text = format!("`{name}` cannot stand outside of a block");
                let help = format!("`block {{ {name} … }}`; or a `}}` above ends a block too early");
                // One `}` too many leaves the whole rest of a block outside, so this is reported only once.
                if !std::mem::replace(&mut parser.outside, true) {
                    parser.scan.mistake(TextCode::Misplaced, word, text, help);
                }
            } else {
                unknown_statement(parser, word, StatementKind::outside());
            }
            return Err(ParseStop::Mistake);
        }
    };
    parser.semicolon()?;
    Ok((top, word))
}

/// Takes the `{` of a block.
fn open_block(parser: &mut Parser<'_, '_>, word: Span) {
    if !parser.scan.take(b'{') && !parser.other_open() {
        // The statements in the block are read nevertheless.
        parser.missing_open(word);
    }
    parser.outside = false;
}

/// The row of a record by its name.
fn record_row(name: &[u8]) -> Option<&'static Schema> {
    Table::Client.schema().iter().find(|row| row.name.as_bytes() == name)
}

/// Switches to the context of a game.
fn enter(parser: &mut Parser<'_, '_>, game: Game) {
    if parser.context.game != game {
        parser.context = Context::of(game);
    }
}

/// Whether the block that begins at the cursor has a `camera`, and so is Quake's.
fn has_camera(scan: &mut Scanner<'_>) -> bool {
    let start = scan.pos;
    let mut found = false;
    while let Some(byte) = scan.next() {
        if byte == b'}' {
            break;
        }
        found |= scan.at_word(StatementKind::Camera.keyword());
        if found {
            break;
        }
        scan.recover();
    }
    scan.pos = start;
    found
}

/// The game of the first block, whose brace was already read.
pub(crate) fn game_of_block(parser: &mut Parser<'_, '_>) -> Game {
    let game = if has_camera(&mut parser.scan) { Game::Quake } else { Game::Quake2 };
    if parser.context.game != game {
        parser.context = Context::of(game);
    }
    game
}

/// Switches to the protocol of a statement.
pub(crate) fn set_protocol(context: &mut Context, protocol: i32, flags: [u32; 3]) {
    match (context.game, flags) {
        (Game::Quake, [flags, fte, fte2]) => {
            let is_set = context.set_quake_protocol(protocol, flags);
            context.set_quake_extensions(Extensions { fte, fte2, mvd1: 0 });
            is_set
        }
        (Game::Quake2, _) => context.set_quake2_protocol(protocol, context.isdemo),
        (Game::QuakeWorld, [fte, fte2, mvd1]) => {
            context.set_quakeworld_protocol(protocol, Extensions { fte, fte2, mvd1 })
        }
    };
}

/// The `protocol` statement with this protocol and these flags.
pub(crate) fn protocol_line(protocol: i32, flags: [u32; 3]) -> String {
    let length = flags.iter().rposition(|word| *word != 0).map_or(0, |last| last + 1);
    let words = flags.iter().take(length).map(u32::to_string);
    let keyword = StatementKind::Protocol.keyword();
    let words: Vec<String> = std::iter::once(format!("{keyword} {protocol}")).chain(words).collect();
    words.join(" ") + ";"
}

/// The words of a habit: the bit of `clientdata` that engines set differently, and both of its values.
const ITEMS_BIT: &str = "items_bit";
const SET: [&str; 2] = ["clear", "set"];

/// The `habit` statement.
pub(crate) fn habit_line(set: bool) -> String {
    let [clear, is_set] = SET;
    format!("{} {ITEMS_BIT} {};", StatementKind::Habit.keyword(), if set { is_set } else { clear })
}

/// A statement, and the place of its keyword.
type FoundStatement<'a, M> = Result<(Statement<'a, M>, Span), ParseStop>;

/// Reads the next statement of a block, and returns it with the place of its keyword; `None` at the block's
/// end. After a mistake the text is skipped up to the end of the statement.
#[inline(always)]
pub(crate) fn next<'a, D: Dialect>(
    parser: &mut Parser<'_, 'a>,
    rows: &Rows,
    block: Span,
) -> Option<FoundStatement<'a, D::Message<'a>>> {
    loop {
        match parser.scan.next() {
            Some(b'}') => {
                parser.scan.pos += 1;
                return None;
            }
            None => {
                if !parser.scan.has_open_string(block) {
                    let help = "it needs a `}`";
                    parser.scan.mistake(
                        TextCode::MissingBrace,
                        block,
                        "this block is not closed".into(),
                        help,
                    );
                }
                return None;
            }
            Some(b')' | b']') if parser.other_block_end() => return None,
            // LMPC echoed characters that it did not know, and went on.
            Some(byte) if parser.lmpc && parser.scan.means_nothing_to_lmpc(byte) => parser.scan.pos += 1,
            Some(_) => break,
        }
    }
    let start = parser.scan.pos;
    let outcome = statement::<D>(parser, rows);
    if outcome == Err(ParseStop::BlockEnd) {
        let help = "it needs a `}` before the next one begins";
        let fix = Some((Span { offset: start, len: 0 }, "}\n".to_owned()));
        if !parser.scan.has_open_string(block) {
            let message = "this block is not closed".into();
            parser.scan.mistake_with(TextCode::MissingBrace, block, message, help, fix);
        }
        parser.scan.pos = start;
        return None;
    }
    if outcome == Err(ParseStop::Mistake) && (parser.scan.pos == start || parser.scan.peek() != Some(b'}')) {
        parser.scan.recover();
    }
    Some(outcome)
}

// Inlined, so that a message is built where it is used: moving it took a tenth of the time.
#[inline(always)]
fn statement<'a, D: Dialect>(parser: &mut Parser<'_, 'a>, rows: &Rows) -> FoundStatement<'a, D::Message<'a>> {
    let (again, word) = loop {
        let again = parser.same_row();
        let word = match again {
            Some((_, word)) => word,
            None => parser.scan.word(),
        };
        if word.len > 0 {
            break (again, word);
        }
        if matches!(parser.scan.peek(), Some(b'{' | b'"' | b'-')) {
            let span = parser.scan.token();
            let found = String::from_utf8_lossy(parser.scan.slice(span)).into_owned();
            let message = format!("this `{found}` belongs to nothing");
            parser.scan.mistake(
                TextCode::Misplaced,
                span,
                message,
                "the name of a message is missing before it",
            );
            return Err(ParseStop::Mistake);
        }
        parser.stray()?;
    };
    if parser.open_end && puts_bytes(D::GAME, parser.scan.slice(word)) {
        let help = "an unterminated string reaches to the end of the block";
        let message = "nothing can follow the unterminated string before this".into();
        parser.scan.mistake(TextCode::UnterminatedInside, word, message, help);
        parser.open_end = false;
    }
    let row = again.map(|(row, _)| row).or_else(|| rows.find(parser.scan.slice(word)));
    let Some(row) = row else {
        return special::<D>(parser, word).map(|it| (it, word));
    };
    if row.families != 0 && !allows(&parser.context, row) || is_replaced::<D>(&parser.context, row) {
        let message = format!("protocol {} has no `{}`", parser.protocol(), row.name);
        parser.scan.mistake(TextCode::WrongProtocol, word, message, PROTOCOL_HELP);
    }
    parser.message(row, word).map(|message| (Statement::Message(message), word))
}

/// Whether a statement puts bytes into its block, as messages do.
fn puts_bytes(game: Game, word: &[u8]) -> bool {
    StatementKind::find(word).is_none_or(|kind| kind.has_bytes() || !kind.is_of(game))
}

/// Reads a statement of a block that is not a message.
#[cold]
fn special<'a, D: Dialect>(
    parser: &mut Parser<'_, 'a>,
    word: Span,
) -> Result<Statement<'a, D::Message<'a>>, ParseStop> {
    let Some(kind) = StatementKind::find(parser.scan.slice(word)) else {
        return Err(no_statement(parser, word, D::GAME));
    };
    if kind.ends_block() {
        return Err(ParseStop::BlockEnd);
    }
    if !kind.is_of(D::GAME) {
        return Err(of_another_game(parser, word, kind, D::GAME));
    }
    if let Some(line) = Line::parse(parser, kind) {
        let line = line?;
        parser.semicolon()?;
        return Ok(Statement::Address(line));
    }
    let statement = match kind {
        StatementKind::Camera => Statement::Camera([parser.float()?, parser.float()?, parser.float()?]),
        StatementKind::Length => Statement::Length(parser.int(0, i64::from(i32::MAX))? as i32),
        StatementKind::FromClient => Statement::FromClient,
        StatementKind::Unicast => Statement::Unicast(parser.int(0, 255)? as u8),
        StatementKind::Habit => Statement::Habit(habit(parser)?),
        StatementKind::Protocol => {
            let number = parser.int(i64::from(i32::MIN), i64::from(i32::MAX))? as i32;
            let mut flags = [0; 3];
            let most = match D::GAME {
                Game::Quake2 => 0,
                // The flags of 999 and FTE's two words; QuakeWorld has MVDSV's as the third.
                Game::Quake | Game::QuakeWorld => 3,
            };
            for word in flags.iter_mut().take(most) {
                if !parser.more() {
                    break;
                }
                *word = parser.int(0, i64::from(u32::MAX))? as u32;
            }
            Statement::Protocol(number, flags)
        }
        StatementKind::Unknown => return unknown(parser, word),
        // Only raw bytes are left.
        _ => Statement::Raw(raw(parser)?),
    };
    parser.semicolon()?;
    Ok(statement)
}

/// Reports a word that is neither a message of the game nor a statement.
#[cold]
fn no_statement(parser: &mut Parser<'_, '_>, word: Span, game: Game) -> ParseStop {
    let name = parser.scan.slice(word);
    let mut others = [Game::Quake, Game::Quake2].into_iter().filter(|other| *other != game);
    if let Some(other) = others.find(|other| is_message(*other, name)) {
        let name = String::from_utf8_lossy(name);
        let (theirs, ours) = (other.title(), game.title());
        let message = format!("`{name}` is a message of {theirs}, and this is a recording of {ours}");
        let help = match game {
            Game::Quake => "a recording of Quake II has no `track` and no `camera`",
            Game::Quake2 => similar::NOT_QUAKE,
            Game::QuakeWorld => "the blocks of a recording of Quake are called `block`",
        };
        parser.scan.mistake(TextCode::WrongGame, word, message, help);
    } else {
        let messages = similar::rows(game).iter().map(|row| row.name);
        unknown_statement(parser, word, messages.chain(StatementKind::inside()));
    }
    ParseStop::Mistake
}

/// Reports a statement that texts of this game do not have.
#[cold]
fn of_another_game(parser: &mut Parser<'_, '_>, word: Span, kind: StatementKind, game: Game) -> ParseStop {
    if kind.games() == [Game::QuakeWorld] {
        // Some of these words also occur in the other games, so the user may mean something else.
        return no_statement(parser, word, game);
    }
    let help = match (kind, game) {
        (StatementKind::Camera, Game::QuakeWorld) => "in a QWD `uk_angles` of `cblock` is the view",
        (StatementKind::Camera, _) => "`camera` is Quake's; Quake II has `playerinfo`",
        _ => "take it out",
    };
    let message = format!("{} has no `{}`", game.title(), kind.keyword());
    parser.scan.mistake(TextCode::WrongGame, word, message, help);
    ParseStop::Mistake
}

/// `habit items_bit clear;`: a property that all messages from here on have.
fn habit(parser: &mut Parser<'_, '_>) -> Result<bool, ParseStop> {
    if parser.scan.take_word(ITEMS_BIT)
        && let Some(set) = SET.iter().position(|word| parser.scan.take_word(word))
    {
        return Ok(set == 1);
    }
    let token = parser.scan.token();
    let help = "`habit items_bit set;` or `habit items_bit clear;`";
    parser.scan.mistake(TextCode::NotPossible, token, "this is not a habit".into(), help);
    Err(ParseStop::Mistake)
}

/// `raw 0x01 0x02;`: unchanged bytes, at least one.
fn raw<'a>(parser: &mut Parser<'_, 'a>) -> Result<&'a [u8], ParseStop> {
    let bytes = parser.data()?;
    if bytes.is_empty() {
        let token = parser.scan.token();
        let message = "a byte is expected here".into();
        parser.scan.mistake(TextCode::ExpectedNumber, token, message, "bytes are numbers: `raw 0x01 0x2A;`");
    }
    Ok(bytes)
}

/// `unknown { id 0x3C; data 0x01 0x02; }`: unchanged bytes.
fn unknown<'a, M>(parser: &mut Parser<'_, 'a>, word: Span) -> Result<Statement<'a, M>, ParseStop> {
    if !parser.scan.take(b'{') && !parser.other_open() {
        let token = parser.scan.token();
        let help = "`unknown { id 0x3C; data 0x01; }`";
        parser.scan.mistake(TextCode::MissingBrace, token, "`unknown` needs a `{`".into(), help);
        return Err(ParseStop::Mistake);
    }
    let start = parser.scan.pos;
    let outcome = fields_of_unknown(parser, word);
    if outcome.is_err() {
        parser.scan.pos = start;
        while !matches!(parser.scan.next(), None | Some(b'}')) {
            parser.scan.recover();
        }
        parser.scan.take(b'}');
    }
    outcome.map_err(|_| ParseStop::Stepped)
}

fn fields_of_unknown<'a, M>(
    parser: &mut Parser<'_, 'a>,
    keyword: Span,
) -> Result<Statement<'a, M>, ParseStop> {
    let (mut id, mut data): (Option<u8>, Option<&[u8]>) = (None, None);
    while !parser.scan.take(b'}') && !parser.other_close() {
        let word = parser.scan.word();
        let twice = match parser.scan.slice(word) {
            b"id" => id.replace(parser.int(0, 255)? as u8).is_some(),
            name if name == UNKNOWN_DATA.as_bytes() => data.replace(parser.data()?).is_some(),
            name => {
                let name = String::from_utf8_lossy(name);
                let fix = similar::nearest(&name, ["id", UNKNOWN_DATA].into_iter());
                let help = fix.map_or("`unknown { id 0x3C; data 0x01; }`".into(), |fix| {
                    format!("did you mean `{fix}`?")
                });
                let (span, message) = if word.len == 0 {
                    (parser.scan.token(), "`unknown` is not closed".to_owned())
                } else {
                    (word, format!("`unknown` has no field `{name}`, only `id` and `data`"))
                };
                let fix = fix.map(|fix| (word, fix.to_owned()));
                parser.scan.mistake_with(TextCode::UnknownField, span, message, help, fix);
                return Err(ParseStop::Mistake);
            }
        };
        if twice {
            let help = "take one of them out";
            parser.scan.mistake(TextCode::RepeatedField, word, "this is given twice".into(), help);
        }
        parser.semicolon()?;
    }
    let Some(id) = id else {
        let help = "`id` is the first byte: `unknown { id 0x3C; data 0x01; }`";
        parser.scan.mistake(TextCode::MissingField, keyword, "`unknown` needs the field `id`".into(), help);
        return Err(ParseStop::Stepped);
    };
    Ok(Statement::Unknown(id, data.unwrap_or_default()))
}

/// Whether messages of a row can be in this protocol. Nehahra's can be in any protocol that leaves the
/// question open.
fn allows(context: &Context, row: &Schema) -> bool {
    context.has_family(row.families)
        || row.families & moviola_format::family::NEHAHRA != 0 && !context.extended
}

/// Whether the protocol has another message under the id of this row: Q2PRO's extended limits replace some of id's.
fn is_replaced<D: Dialect>(context: &Context, row: &Schema) -> bool {
    use moviola_format::family::Q2PRO;
    let replaces = |other: &Schema| other.op == row.op && other.families & Q2PRO != 0;
    context.limits.is_extended()
        && row.families == 0
        && <D::Message<'_> as Message>::SCHEMA.iter().any(replaces)
}

fn is_message(game: Game, name: &[u8]) -> bool {
    similar::rows(game).iter().any(|row| row.name.as_bytes() == name)
}

fn unknown_statement<'w>(parser: &mut Parser<'_, '_>, word: Span, known: impl Iterator<Item = &'w str>) {
    if parser.scan.is_full() {
        return;
    }
    let name = String::from_utf8_lossy(parser.scan.slice(word)).into_owned();
    let game = parser.context.game;
    let owners = similar::owners(game, &name);
    let fix = similar::nearest(&name, known).filter(|_| owners.is_empty());
    let fields = similar::rows(game).iter().flat_map(Schema::lines).map(|(field, ..)| field);
    let help = match (&fix, owners.is_empty(), similar::nearest(&name, fields)) {
        (_, false, _) => format!("`{name}` is a field of {}", similar::listed(&owners)),
        (Some(fix), ..) => format!("did you mean `{fix}`?"),
        (None, _, Some(field)) => {
            let owners = similar::listed(&similar::owners(game, field));
            format!("did you mean `{field}`? That is a field of {owners}")
        }
        (None, _, None) => "no message has a name like it: `moviola explain messages` lists them all".into(),
    };
    let fix = fix.map(|fix| (word, fix.to_owned()));
    parser.scan.mistake_with(
        TextCode::UnknownStatement,
        word,
        format!("`{name}` is not a statement"),
        help,
        fix,
    );
}

/// The rows of a table by their keywords.
#[derive(Debug)]
pub(crate) struct Rows(Vec<Vec<&'static Schema>>);

impl Rows {
    const BUCKETS: usize = 256;

    /// The rows of a game's table.
    pub(crate) fn of<D: Dialect>() -> Self {
        let mut buckets = vec![Vec::new(); Self::BUCKETS];
        for row in <D::Message<'static> as Message<'static>>::SCHEMA {
            if let Some(bucket) = buckets.get_mut(Self::bucket(row.name.as_bytes())) {
                bucket.push(row);
            }
        }
        Self(buckets)
    }

    fn bucket(name: &[u8]) -> usize {
        let at = |n: usize| name.get(n).copied().map_or(0, usize::from);
        (name.len() * 7 + at(0) * 31 + at(name.len() / 2) * 17 + at(name.len().wrapping_sub(2)))
            % Self::BUCKETS
    }

    #[inline]
    pub(crate) fn find(&self, name: &[u8]) -> Option<&'static Schema> {
        self.0.get(Self::bucket(name))?.iter().find(|row| row.name.as_bytes() == name).copied()
    }
}
