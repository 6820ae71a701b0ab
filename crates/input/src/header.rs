//! A header as bytes, and as the lines that a text has for it.
//!
//! The bytes are the truth. Lines are made of the fields, bytes are made of these lines again, and where the two differ
//! a line of its own says the bytes; so no header is lost, whatever it holds.
// schema-once, all words: keys of a header in LMPC's texts

use crate::escape::{quoted, unquoted};
use crate::form::{FORMS, FieldKind, HeaderForm, OLD_DOOM, Players, RAW, UNNUMBERED, VERSIONS};
use crate::record::{RecordForm, number};

/// What stands before an ordinary header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapper {
    None,
    /// dsda-doom's, in this version: where the recording ends, how many tics it has.
    Dsda(u8),
    /// `PrBoom+um`'s: the name of the map.
    Um,
}

pub(crate) const DSDA: &[u8] = b"\xff\x1dDSDA\xe6";
const UM: &[u8] = b"\xffPR+UM\0";
const UM_LUMP: &[u8] = b"\x01\x01\0\x08UMAPINFO";
/// Where dsda-doom's wrapper has its numbers: the end, then the tics.
const DSDA_END: usize = 8;
const DSDA_TICS: usize = 12;

impl Wrapper {
    pub(crate) fn of(start: &[u8]) -> Self {
        match start.strip_prefix(DSDA) {
            Some([version @ 1..=3, ..]) => Self::Dsda(*version),
            _ if start.starts_with(UM) => Self::Um,
            _ => Self::None,
        }
    }

    pub(crate) fn length(self) -> usize {
        match self {
            Self::None => 0,
            Self::Dsda(version) => DSDA_END + 7 + usize::from(version),
            Self::Um => 27,
        }
    }
}

/// A header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) wrapper: Wrapper,
    pub(crate) form: &'static HeaderForm,
    pub(crate) bytes: Vec<u8>,
    /// Whether Duke's blocks end with a code that is written twice.
    pub(crate) twice: bool,
}

/// A line of a header: key, value, and a remark for people.
pub(crate) type Line = (String, String, String);

/// What is wrong with the lines of a header, and with which.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum HeaderSlip {
    /// There is no such game, or version of it.
    Unknown(usize),
    /// A key that the header has no place for.
    Key(usize),
    /// A value that is none, or does not fit.
    Value(usize),
    /// A key that must be there.
    Missing(&'static str),
}

const RULES: [&str; 3] = ["Cooperative", "DeathMatch", "AltDeath"];
/// What the players of DOOM look like.
const COLORS: [&str; 4] = ["green player", "indigo player", "brown player", "red player"];
/// Flags that newer Heretic ports keep in the first player's byte.
pub(crate) const HERETIC_FLAGS: [(u8, &str); 3] =
    [(0x20, "respawn"), (0x10, "long tics"), (0x02, "no monsters")];

impl Header {
    /// Nothing is a header.
    pub(crate) fn raw() -> Self {
        Self { wrapper: Wrapper::None, form: &RAW, bytes: Vec::new(), twice: false }
    }

    /// The header that begins these bytes, if they are long enough for it.
    pub(crate) fn read(start: &[u8], wrapper: Wrapper, form: &'static HeaderForm) -> Option<Self> {
        let inner = start.get(wrapper.length()..)?;
        let bytes = inner.get(..form.whole_length(inner))?;
        if form == &RAW {
            return None;
        }
        let whole = start.get(..wrapper.length() + bytes.len())?;
        Some(Self { wrapper, form, bytes: whole.to_vec(), twice: false })
    }

    /// Without the wrapper.
    pub(crate) fn inner(&self) -> &[u8] {
        self.bytes.get(self.wrapper.length()..).unwrap_or_default()
    }

    /// How the records look.
    pub(crate) fn record(&self) -> RecordForm {
        let mut record = *self.form.record;
        if matches!(self.form.game, "HERETIC" | "HEXEN")
            && self.inner().get(3).is_some_and(|byte| byte & 0x10 != 0)
        {
            record = RecordForm { length: 7, wide: 2, buttons: 4, ..record };
        }
        record.actions = matches!(self.wrapper, Wrapper::Dsda(_));
        record
    }

    pub(crate) fn players(&self) -> usize {
        self.form.player_count(self.inner())
    }

    /// The slots of those who play.
    pub(crate) fn active(&self) -> Vec<usize> {
        match self.form.players {
            Players::Count { .. } => (0..self.players()).collect(),
            _ => self
                .form
                .slots(self.inner())
                .enumerate()
                .filter(|(_, (_, byte))| *byte != 0)
                .map(|(at, _)| at)
                .collect(),
        }
    }

    pub(crate) fn version_byte(&self) -> Option<u8> {
        self.inner().get(self.form.version_at()?).copied()
    }

    /// The number in a field.
    pub(crate) fn value(&self, key: &str) -> Option<i64> {
        let field = self.form.fields.iter().find(|field| field.key == key)?;
        stored(self.inner(), field.at, field.kind)
    }

    /// The game as LMPC calls it: DOOM's by the levels that only one of the two has.
    pub(crate) fn game(&self) -> &'static str {
        let is_doom = self.form.game.starts_with("DOOM or");
        match (self.value("Episode"), self.value("Map")) {
            (Some(2..), _) if is_doom => "DOOM",
            (_, Some(10..)) if is_doom => "DOOM ][",
            _ if self.form == &OLD_DOOM => "DOOM",
            _ => self.form.game,
        }
    }

    /// The version as a text says it, and what it is.
    pub(crate) fn version(&self) -> (String, &'static str) {
        let numbered = self.version_byte().map(|byte| (byte, self.form.version(byte)));
        let unnumbered = UNNUMBERED.iter().find(|(form, _)| *form == self.form);
        match (numbered, unnumbered) {
            (Some((_, Some(version))), _) => (version.text.to_owned(), version.about),
            (Some((byte, None)), _) => (byte.to_string(), ""),
            (None, Some((_, text))) => ((*text).to_owned(), ""),
            (None, None) => (String::new(), ""),
        }
    }

    /// The numbers in dsda-doom's wrapper or Duke's header: where the end is, how many tics or records there are.
    pub(crate) fn claims(&self) -> Claims {
        let big = |at: usize| self.bytes.get(at..at + 4)?.first_chunk().map(|it| u32::from_be_bytes(*it));
        match self.wrapper {
            Wrapper::Dsda(_) => Claims { end: big(DSDA_END), count: big(DSDA_TICS) },
            _ if self.form.is_packed() => {
                let count = self.bytes.first_chunk().map(|it| u32::from_le_bytes(*it));
                Claims { end: None, count }
            }
            _ => Claims::default(),
        }
    }

    /// Whether the header says how much follows it.
    pub(crate) fn counts(&self) -> bool {
        self.form.is_packed() || matches!(self.wrapper, Wrapper::Dsda(_))
    }

    /// Writes these numbers into the header.
    pub(crate) fn claim(&mut self, claims: Claims) {
        let is_packed = self.form.is_packed();
        let mut put = |at: usize, value: [u8; 4]| {
            self.bytes.iter_mut().skip(at).zip(value).for_each(|(place, byte)| *place = byte);
        };
        match (self.wrapper, claims) {
            (Wrapper::Dsda(_), Claims { end, count }) => {
                put(DSDA_END, end.unwrap_or_default().to_be_bytes());
                put(DSDA_TICS, count.unwrap_or_default().to_be_bytes());
            }
            (_, Claims { count: Some(count), .. }) if is_packed => put(0, count.to_le_bytes()),
            _ => {}
        }
    }

    /// The lines of a text that give this header again, but for the numbers that follow from the records.
    pub(crate) fn lines(&self) -> Vec<Line> {
        let mut lines = self.plain_lines();
        let Ok(mut again) = Self::parse(&lines) else { return lines };
        again.claim(self.claims());
        let differs = |at: usize| self.bytes.get(at) != again.bytes.get(at);
        let mut at = 0;
        while at < self.bytes.len() {
            let length = (at..self.bytes.len()).take_while(|at| differs(*at)).count();
            if length > 0 {
                let key = format!("Bytes[{at}]");
                let bytes = self.bytes.get(at..at + length).unwrap_or_default();
                lines.push((key, quoted(bytes), self.remark(at, bytes)));
            }
            at += length.max(1);
        }
        lines
    }

    /// What a byte that has no words of its own is.
    fn remark(&self, at: usize, bytes: &[u8]) -> String {
        let at = at.saturating_sub(self.wrapper.length());
        let (3, &[byte, ..], "HERETIC" | "HEXEN") = (at, bytes, self.form.game) else { return String::new() };
        let flags = HERETIC_FLAGS.iter().filter(|(bit, _)| byte & bit != 0).map(|(_, name)| *name);
        flags.collect::<Vec<_>>().join(", ")
    }

    fn plain_lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut add =
            |key: &str, value: String, remark: &str| lines.push((key.to_owned(), value, remark.to_owned()));
        add("Game", self.game().to_owned(), "");
        let (version, about) = self.version();
        if !version.is_empty() && self.form.game != "HERETIC" {
            let is_new =
                self.form == &crate::form::LONG_DOOM || self.version_byte().is_some_and(|byte| byte >= 130);
            add("Version", version, if is_new { about } else { "" });
        }
        match self.wrapper {
            Wrapper::None => {}
            Wrapper::Dsda(version) => add("Wrapper", format!("DSDA {version}"), "dsda-doom"),
            Wrapper::Um => add("Wrapper", "PR+UM".to_owned(), "PrBoom+um"),
        }
        for field in self.form.fields {
            if let Some(value) = self.line(field.at, field.kind) {
                add(field.key, value, "");
            }
        }
        if let Players::Count { .. } = self.form.players {
            if self.twice {
                add("Packing", "twice".to_owned(), "a block's last code is written twice");
            }
            self.own_lines(&mut add);
            return lines;
        }
        let has_class = matches!(self.form.players, Players::Slots { stride: 2, .. });
        let active = self.active();
        if active != [0] {
            for (order, slot) in active.iter().enumerate() {
                let color = COLORS
                    .get(*slot)
                    .copied()
                    .filter(|_| self.form.record.extra == crate::record::Extra::None);
                add(&format!("Player{order}"), slot.to_string(), color.unwrap_or_default());
            }
        }
        for (slot, (at, byte)) in self.form.slots(self.inner()).enumerate().filter(|_| has_class) {
            let class = self.inner().get(at + 1).copied().unwrap_or_default();
            if byte != 0 || class != 0 {
                let key =
                    if active == [0] && slot == 0 { "Class".to_owned() } else { format!("Class{slot}") };
                let name = ["fighter", "cleric", "mage"].get(usize::from(class)).copied();
                add(&key, class.to_string(), name.unwrap_or_default());
            }
        }
        lines
    }

    /// Names and aim modes, of which each of Duke's players has one.
    fn own_lines(&self, add: &mut impl FnMut(&str, String, &str)) {
        let width = self.form.each;
        for player in 0..self.players().min(16) {
            let at = self.form.length + player * width;
            let Some(bytes) = self.inner().get(at..at + width).filter(|_| width == 1) else { continue };
            let key =
                if self.players() == 1 { "AimMode".to_owned() } else { format!("AimMode[{player:02}]") };
            add(&key, bytes.iter().map(u8::to_string).collect(), "");
        }
    }

    /// The value of a field where a text mentions it.
    fn line(&self, at: usize, kind: FieldKind) -> Option<String> {
        let value = stored(self.inner(), at, kind);
        let several = self.players() > 1;
        match kind {
            FieldKind::Byte | FieldKind::Always(_) => Some(value?.to_string()),
            FieldKind::FromOne => Some((value? + 1).to_string()),
            FieldKind::Little(_) | FieldKind::Big(_) => {
                value.filter(|value| *value != 0).map(|value| value.to_string())
            }
            FieldKind::View => value.filter(|value| several || *value != 0).map(|value| value.to_string()),
            FieldKind::Rule => {
                let value = value.filter(|value| several || *value != 0)?;
                Some(RULES.get(value as usize).map_or_else(|| value.to_string(), |rule| (*rule).to_owned()))
            }
            FieldKind::Name(length) => {
                let bytes = self.inner().get(at..at + length)?;
                let name = bytes.split(|byte| *byte == 0).next()?;
                (!name.is_empty()).then(|| quoted(name))
            }
            FieldKind::List(length) => Some(flags(self.inner().get(at..at + length)?))
                .filter(|it| it.contains(['1', '2', '3', '4', '5', '6', '7', '8', '9'])),
            FieldKind::Counted => {
                let start = at + 1;
                Some(flags(self.inner().get(start..start + self.form.counted(self.inner()))?))
            }
            FieldKind::Magic(_) => None,
        }
    }

    /// The header that the lines of a text describe.
    pub(crate) fn parse(lines: &[Line]) -> Result<Self, HeaderSlip> {
        let find = |key: &str| lines.iter().position(|line| line.0.eq_ignore_ascii_case(key));
        let text = |at: Option<usize>| at.and_then(|at| lines.get(at)).map(|line| line.1.as_str());
        let game_at = find("Game").ok_or(HeaderSlip::Missing("Game"))?;
        let version_at = find("Version");
        let (form, byte) = form_of(text(Some(game_at)).unwrap_or_default(), text(version_at))
            .ok_or(HeaderSlip::Unknown(version_at.unwrap_or(game_at)))?;
        let mut maker = Maker::new(form, byte, lines)?;
        let mut given = Vec::new();
        for (at, (key, value, _)) in lines.iter().enumerate() {
            let key: String = key.chars().filter(|it| !it.is_ascii_whitespace()).collect();
            if !["game", "version", "wrapper"].iter().any(|it| key.eq_ignore_ascii_case(it)) {
                given.push(
                    maker
                        .line(&key, value)
                        .map_err(|is_key| if is_key { HeaderSlip::Key(at) } else { HeaderSlip::Value(at) })?,
                );
            }
        }
        let needed = |kind: FieldKind| matches!(kind, FieldKind::Byte | FieldKind::FromOne);
        let missing = form.fields.iter().find(|field| needed(field.kind) && !given.contains(&field.key));
        missing.map_or(Ok(maker.done()), |field| Err(HeaderSlip::Missing(field.key)))
    }
}

/// What a header says of what follows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Claims {
    pub(crate) end: Option<u32>,
    pub(crate) count: Option<u32>,
}

fn flags(bytes: &[u8]) -> String {
    bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// The number in a field; names and lists are none.
fn stored(bytes: &[u8], at: usize, kind: FieldKind) -> Option<i64> {
    let (wide, is_big) = match kind {
        FieldKind::Byte | FieldKind::FromOne | FieldKind::Rule | FieldKind::View => (1, false),
        FieldKind::Little(wide) | FieldKind::Always(wide) => (wide, false),
        FieldKind::Big(wide) => (wide, true),
        _ => return None,
    };
    let add = |value: i64, byte: &u8| value << 8 | i64::from(*byte);
    let bytes = bytes.get(at..at + wide)?;
    Some(if is_big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
}

/// The layout and the version byte that a text means by its game and version.
fn form_of(game: &str, version: Option<&str>) -> Option<(&'static HeaderForm, u8)> {
    let same = |word: &str| game.trim().eq_ignore_ascii_case(word);
    let named = |form: &&HeaderForm| same(form.game) || form.words.iter().any(|word| same(word));
    let is_doom = same("DOOM") || same("DOOM ][") || same("DOOM or DOOM ][");
    let fits = |form: &'static HeaderForm| {
        named(&form) || is_doom && matches!(form.game, "DOOM" | "DOOM or DOOM ][")
    };
    if let Some(version) = version {
        let byte = number(version.as_bytes());
        let says = |text: &str, byte_of: Option<u8>| {
            text.eq_ignore_ascii_case(version) || byte.is_some() && byte_of.map(i64::from) == byte
        };
        let numbered = VERSIONS.iter().find(|it| fits(it.form) && says(it.text, Some(it.byte)));
        let numbered = numbered.map(|it| (it.form, it.byte));
        let unnumbered = || {
            UNNUMBERED
                .iter()
                .find(|(form, text)| says(text, None) && (fits(form) || is_doom && *form == &OLD_DOOM))
        };
        if let Some(found) = numbered.or_else(|| unnumbered().map(|(form, _)| (*form, 0))) {
            return Some(found);
        }
        // A number that no table knows is a byte all the same.
        let form = FORMS.iter().find(|form| named(form) && form.version_at().is_some());
        return byte.and_then(|byte| u8::try_from(byte).ok()).and_then(|byte| Some((*form?, byte)));
    }
    let form = FORMS.iter().find(|form| {
        named(form) && form.words.iter().any(|word| !word.contains("1.0") && !word.contains("1.2"))
    })?;
    Some((*form, VERSIONS.iter().find(|it| it.form == *form).map_or(0, |it| it.byte)))
}

/// Makes a header out of lines.
struct Maker {
    header: Header,
    said_players: bool,
    /// The slots that play, in the order of the text.
    slots: usize,
}

impl Maker {
    fn new(form: &'static HeaderForm, byte: u8, lines: &[Line]) -> Result<Self, HeaderSlip> {
        let wrapper = lines.iter().position(|line| line.0.eq_ignore_ascii_case("wrapper"));
        let said = wrapper.and_then(|at| lines.get(at)).map(|line| line.1.to_ascii_uppercase());
        let wrapper = match said.as_deref() {
            None => Wrapper::None,
            Some("DSDA 1") => Wrapper::Dsda(1),
            Some("DSDA 2") => Wrapper::Dsda(2),
            Some("DSDA 3") => Wrapper::Dsda(3),
            Some("PR+UM") => Wrapper::Um,
            Some(_) => return Err(HeaderSlip::Value(wrapper.unwrap_or_default())),
        };
        let mut bytes = match wrapper {
            Wrapper::None => Vec::new(),
            Wrapper::Dsda(version) => [DSDA, &[version]].concat(),
            Wrapper::Um => [UM, UM_LUMP].concat(),
        };
        bytes.resize(wrapper.length() + form.length, 0);
        let mut maker =
            Self { header: Header { wrapper, form, bytes, twice: false }, said_players: false, slots: 0 };
        if let Some(at) = form.version_at() {
            maker.put(at, &[byte]);
        }
        for field in form.fields {
            if let FieldKind::Magic(magic) = field.kind {
                maker.put(field.at, magic);
            }
        }
        Ok(maker)
    }

    fn put(&mut self, at: usize, bytes: &[u8]) {
        let at = at + self.header.wrapper.length();
        if self.header.bytes.len() < at + bytes.len() {
            self.header.bytes.resize(at + bytes.len(), 0);
        }
        self.header.bytes.iter_mut().skip(at).zip(bytes).for_each(|(place, byte)| *place = *byte);
    }

    /// Takes a line; the key it was, or whether the key is wrong.
    fn line(&mut self, key: &str, value: &str) -> Result<&'static str, bool> {
        let form = self.header.form;
        if let Some(field) = form.fields.iter().find(|field| field.key.eq_ignore_ascii_case(key)) {
            self.field(field.at, field.kind, value).ok_or(false)?;
            return Ok(field.key);
        }
        let lower = key.to_ascii_lowercase();
        if form.is_packed() && lower == "packing" {
            self.header.twice = value.eq_ignore_ascii_case("twice");
            return if self.header.twice { Ok("") } else { Err(false) };
        }
        let index = |name: &str| lower.strip_prefix(name)?.trim_matches(['[', ']']).parse::<usize>().ok();
        let value_of = || number(value.as_bytes()).and_then(|value| u8::try_from(value).ok()).ok_or(false);
        let (at, count, stride) = match form.players {
            Players::Slots { at, count, stride } => (at, count, stride),
            _ => (0, 0, 1),
        };
        if let Some(at) = index("bytes") {
            let bytes = unquoted(value)
                .filter(|bytes| at + bytes.len() <= self.header.bytes.len().max(self.whole()))
                .ok_or(false)?;
            self.finish_players();
            if self.header.bytes.len() < at + bytes.len() {
                self.header.bytes.resize(at + bytes.len(), 0);
            }
            self.header.bytes.iter_mut().skip(at).zip(&bytes).for_each(|(place, byte)| *place = *byte);
            return Ok("");
        }
        if let (Some(order), true) = (index("player"), count > 0) {
            let slot = usize::from(value_of()?);
            if slot >= count || order >= count {
                return Err(false);
            }
            self.said_players = true;
            self.slots += 1;
            self.put(at + self.header.form.counted(self.header.inner()) + slot * stride, &[1]);
            return Ok("");
        }
        if stride == 2 && (lower == "class" || index("class").is_some()) {
            let slot = index("class").unwrap_or_default();
            if slot >= count {
                return Err(true);
            }
            self.put(at + slot * stride + 1, &[value_of()?]);
            return Ok("");
        }
        if form.is_packed() && (lower == "aimmode" || index("aimmode").is_some()) && form.each == 1 {
            let player = index("aimmode").unwrap_or_default();
            if player >= 16 {
                return Err(true);
            }
            self.put(form.length + player, &[value_of()?]);
            return Ok("");
        }
        if let (Some(player @ 0..16), Some(name)) =
            (index("name"), form.fields.iter().find(|field| field.key == "Name"))
        {
            self.field(name.at + 32 * player, name.kind, value).ok_or(false)?;
            return Ok("");
        }
        Err(true)
    }

    fn whole(&self) -> usize {
        let inner = self.header.inner();
        self.header.wrapper.length() + self.header.form.whole_length(inner)
    }

    fn field(&mut self, at: usize, kind: FieldKind, value: &str) -> Option<()> {
        let integer = |wide: usize, less: i64| {
            let value = number(value.as_bytes())? - less;
            let all = 1i64 << (8 * wide);
            // A negative number is the one with the same bits.
            let value = if value < 0 && -value <= all / 2 && less == 0 { value + all } else { value };
            let value = if value == -1 && less == 1 { all - 1 } else { value };
            (0..all).contains(&value).then_some(value.to_le_bytes())
        };
        match kind {
            FieldKind::Byte | FieldKind::View => self.put(at, integer(1, 0)?.get(..1)?),
            FieldKind::FromOne => {
                // 256 is the byte 255.
                self.put(at, integer(1, 1)?.get(..1)?);
            }
            FieldKind::Always(wide) | FieldKind::Little(wide) => self.put(at, integer(wide, 0)?.get(..wide)?),
            FieldKind::Big(wide) => {
                let mut bytes = integer(wide, 0)?.get(..wide)?.to_vec();
                bytes.reverse();
                self.put(at, &bytes);
            }
            FieldKind::Rule => {
                let named = RULES.iter().position(|rule| rule.eq_ignore_ascii_case(value));
                // LMPC writes DeathMatch so, and does not read it again.
                let named = named.or_else(|| value.eq_ignore_ascii_case("DeathMeatch").then_some(1));
                let byte = named.map_or_else(|| integer(1, 0).map(|it| it[0]), |rule| Some(rule as u8))?;
                self.put(at, &[byte]);
            }
            FieldKind::Name(length) => {
                let name = unquoted(value).filter(|name| name.len() <= length)?;
                self.put(at, &name);
            }
            FieldKind::List(_) | FieldKind::Counted => {
                let flags = value
                    .split_ascii_whitespace()
                    .map(|flag| number(flag.as_bytes()).and_then(|it| u8::try_from(it).ok()));
                let flags = flags.collect::<Option<Vec<u8>>>()?;
                match kind {
                    FieldKind::List(most) if flags.len() > most => return None,
                    FieldKind::List(_) => self.put(at, &flags),
                    _ => {
                        self.put(at, &[u8::try_from(flags.len()).ok()?]);
                        self.put(at + 1, &flags);
                        let whole = self.whole();
                        self.header.bytes.resize(whole, 0);
                    }
                }
            }
            FieldKind::Magic(_) => return None,
        }
        Some(())
    }

    /// Without a line for it, the first player plays.
    fn finish_players(&mut self) {
        if let (false, Players::Slots { at, .. }) = (self.said_players, self.header.form.players) {
            self.put(at + self.header.form.counted(self.header.inner()), &[1]);
            self.said_players = true;
        }
        let whole = self.whole();
        self.header.bytes.resize(whole.max(self.header.bytes.len()), 0);
    }

    fn done(mut self) -> Header {
        self.finish_players();
        let whole = self.whole();
        self.header.bytes.resize(whole, 0);
        self.header
    }
}
