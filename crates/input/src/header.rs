//! A header as bytes, and as the lines of a text.
//!
//! The bytes have precedence: if the lines made from the fields do not compile to the same bytes, a `Bytes[...]` line
//! contains the bytes that differ. So every header is kept exactly, whatever it contains.
// not from SCHEMA, all words: keys of a header in LMPC's texts

use crate::escape::{quoted, unquoted};
use crate::form::{
    DOOM, FORMS, FieldKind, HeaderField, HeaderForm, OLD_DOOM, Players, RAW, UNNUMBERED, VERSIONS,
};
use crate::record::{RecordForm, number};
use moviola_text::TextCode;

/// A header that a port puts before the ordinary one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrapper {
    None,
    /// dsda-doom's, of this version: the offset of the end mark, and the number of tics.
    Dsda(u8),
    /// `PrBoom+um`'s, with the name of the map.
    Um,
}

pub(crate) const DSDA: &[u8] = b"\xff\x1dDSDA\xe6";
const UM: &[u8] = b"\xffPR+UM\0";
const UM_LUMP: &[u8] = b"\x01\x01\0\x08UMAPINFO";
/// Offsets in dsda-doom's wrapper: of the end mark's offset, and of the number of tics.
const DSDA_END: usize = 8;
const DSDA_TICS: usize = 12;
/// Offsets of dsda-doom's flags, of its version of UDMF, and of `PrBoom+um`'s name of the map.
const DSDA_FLAGS_AT: usize = 16;
const DSDA_UDMF: usize = 17;
const UM_MAP: usize = 19;

impl Wrapper {
    pub(crate) fn of(start: &[u8]) -> Self {
        match start.strip_prefix(DSDA) {
            Some([version @ 1..=3, ..]) => Self::Dsda(*version),
            _ if start.starts_with(UM) => Self::Um,
            _ => Self::None,
        }
    }

    /// The wrapper that a text names. If the text has no such name, there is no wrapper; `None` if the name is unknown.
    fn named(text: Option<&str>) -> Option<Self> {
        match text.map(str::to_ascii_uppercase).as_deref() {
            None => Some(Self::None),
            Some("PR+UM") => Some(Self::Um),
            Some(text) => match text.strip_prefix("DSDA ")?.parse() {
                Ok(version @ 1..=3) => Some(Self::Dsda(version)),
                _ => None,
            },
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

/// A header and its layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) wrapper: Wrapper,
    pub(crate) form: &'static HeaderForm,
    pub(crate) bytes: Vec<u8>,
    /// Whether the last code of each of Duke's blocks is written twice.
    pub(crate) twice: bool,
}

/// A line of a header: key, value, and a comment.
pub(crate) type Line = (String, String, String);

/// A mistake in the lines of a header, and the index of its line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderMistake {
    pub(crate) code: TextCode,
    pub(crate) offset: Option<usize>,
    pub(crate) what: String,
}

/// The keys of the lines that decide the layout.
const FIRST: [&str; 3] = ["Game", "Version", "Wrapper"];
const RULES: [&str; 3] = ["Cooperative", "DeathMatch", "AltDeath"];
/// The colors of DOOM's players, by slot.
const COLORS: [&str; 4] = ["green player", "indigo player", "brown player", "red player"];
/// Flags in dsda-doom's wrapper.
const KEY_FRAME: u8 = 1;
const DSDA_FLAGS: [(u8, &str); 2] = [(KEY_FRAME, "begun from a key frame"), (2, "casual features were used")];
/// Flags that newer Heretic ports keep in the first player's byte.
pub(crate) const HERETIC_FLAGS: [(u8, &str); 3] =
    [(0x20, "respawn"), (0x10, "long tics"), (0x02, "no monsters")];

impl Header {
    /// The empty header of an unknown file.
    pub(crate) fn raw() -> Self {
        Self { wrapper: Wrapper::None, form: &RAW, bytes: Vec::new(), twice: false }
    }

    /// The header at the start of these bytes, if they are long enough.
    pub(crate) fn read(start: &[u8], wrapper: Wrapper, form: &'static HeaderForm) -> Option<Self> {
        let inner = start.get(wrapper.length()..)?;
        let bytes = inner.get(..form.whole_length(inner))?;
        if form == &RAW {
            return None;
        }
        let whole = start.get(..wrapper.length() + bytes.len())?;
        Some(Self { wrapper, form, bytes: whole.to_vec(), twice: false })
    }

    /// The bytes without the wrapper.
    pub(crate) fn inner(&self) -> &[u8] {
        self.bytes.get(self.wrapper.length()..).unwrap_or_default()
    }

    /// The layout of the records.
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

    /// The slots of the players in the game.
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

    /// The number in the field with this key.
    pub(crate) fn value(&self, key: &str) -> Option<i64> {
        let field = self.form.fields.iter().find(|field| field.key == key)?;
        stored(self.inner(), field.offset, field.kind)
    }

    /// The game's name in LMPC; DOOM and DOOM II are distinguished by levels that only one of them has.
    pub(crate) fn game(&self) -> &'static str {
        let is_doom = self.form.game.starts_with("DOOM or");
        match (self.value("Episode"), self.value("Map")) {
            (Some(2..), _) if is_doom => "DOOM",
            (_, Some(10..)) if is_doom => "DOOM ][",
            _ if self.form == &OLD_DOOM => "DOOM",
            _ => self.form.game,
        }
    }

    /// The first map by its names in the games: `MAP07`, `E1M7` or `E1L7`. Two if it can be DOOM's or DOOM II's; the
    /// `game` of the WAD file that the footer names decides.
    pub(crate) fn maps(&self, game: Option<&str>) -> Vec<String> {
        let umapinfo = self.bytes.get(UM_MAP..UM_MAP + 8).filter(|_| self.wrapper == Wrapper::Um);
        let umapinfo = umapinfo.and_then(|name| String::from_utf8(name.to_vec()).ok());
        let umapinfo = umapinfo.map(|name| name.trim_end_matches('\0').to_owned());
        if let Some(name) = umapinfo.filter(|name| !name.is_empty()) {
            return vec![name];
        }
        let plus = i64::from(self.form.is_packed());
        let Some(map) = self.value("Map").map(|it| it + plus) else { return Vec::new() };
        let number = format!("MAP{map:02}");
        let Some(episode) = self.value("Episode").map(|it| it + plus) else { return vec![number] };
        let named = format!("E{episode}M{map}");
        // DOOM II came after 1.5, and version 1.6 was the first for both games.
        let is_older = self.form == &OLD_DOOM || self.version_byte().is_some_and(|byte| byte < 106);
        match self.form.game {
            "HEXEN" => vec![number],
            "Duke Nukem 3D" | "jfduke3d" => vec![format!("E{episode}L{map}")],
            "HERETIC" => vec![named],
            _ if is_older || episode > 1 => vec![named],
            _ if map > 9 => vec![number],
            _ => match game {
                Some("DOOM") => vec![named],
                Some("DOOM ][") => vec![number],
                _ => vec![named, number],
            },
        }
    }

    /// The version in a text, and its description.
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

    /// The counts in dsda-doom's wrapper or Duke's header.
    pub(crate) fn claims(&self) -> HeaderCounts {
        let big = |at: usize| self.bytes.get(at..at + 4)?.first_chunk().map(|it| u32::from_be_bytes(*it));
        match self.wrapper {
            Wrapper::Dsda(_) => HeaderCounts { end: big(DSDA_END), count: big(DSDA_TICS) },
            _ if self.form.is_packed() => {
                let count = self.bytes.first_chunk().map(|it| u32::from_le_bytes(*it));
                HeaderCounts { end: None, count }
            }
            _ => HeaderCounts::default(),
        }
    }

    /// Whether dsda-doom's outer header says that the recording begins at a key frame.
    pub(crate) fn is_from_key_frame(&self) -> bool {
        matches!(self.wrapper, Wrapper::Dsda(2..))
            && self.bytes.get(DSDA_FLAGS_AT).is_some_and(|it| it & KEY_FRAME != 0)
    }

    /// Whether the header has the number of tics.
    pub(crate) fn counts(&self) -> bool {
        self.form.is_packed() || matches!(self.wrapper, Wrapper::Dsda(_))
    }

    /// Writes these counts into the header.
    pub(crate) fn claim(&mut self, claims: HeaderCounts) {
        let is_packed = self.form.is_packed();
        let mut patch = |at: usize, value: [u8; 4]| {
            self.bytes.iter_mut().skip(at).zip(value).for_each(|(place, byte)| *place = byte);
        };
        match (self.wrapper, claims) {
            (Wrapper::Dsda(_), HeaderCounts { end, count }) => {
                patch(DSDA_END, end.unwrap_or_default().to_be_bytes());
                patch(DSDA_TICS, count.unwrap_or_default().to_be_bytes());
            }
            (_, HeaderCounts { count: Some(count), .. }) if is_packed => patch(0, count.to_le_bytes()),
            _ => {}
        }
    }

    /// The lines that compile to this header, except for the counts, which follow from the records.
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

    /// The comment for bytes without a field: flags, and the rest of a wrapper.
    fn remark(&self, at: usize, bytes: &[u8]) -> String {
        let flags = |flags: &[(u8, &'static str)], byte: u8| {
            let set = flags.iter().filter(|(bit, _)| byte & bit != 0).map(|(_, name)| *name);
            set.collect::<Vec<_>>().join(", ")
        };
        let is_old = matches!(self.form.game, "HERETIC" | "HEXEN");
        match (self.wrapper, bytes) {
            (Wrapper::Um, _) if at == UM_MAP => "the map's name in UMAPINFO".to_owned(),
            (Wrapper::Dsda(2..), [byte, ..]) if at == DSDA_FLAGS_AT => flags(&DSDA_FLAGS, *byte),
            (Wrapper::Dsda(3..), _) if at == DSDA_UDMF => "the version of UDMF".to_owned(),
            (wrapper, [byte, ..]) if is_old && at == wrapper.length() + 3 => flags(&HERETIC_FLAGS, *byte),
            _ => String::new(),
        }
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
        let active = self.active();
        for field in self.form.fields {
            self.field_lines(field, &active, &mut add);
            // LMPC lists the players between the level and the rules.
            let is_place = field.key == "Map" && !self.form.is_packed() && active != [0];
            for (order, slot) in active.iter().enumerate().filter(|_| is_place) {
                let color = COLORS.get(*slot).copied().filter(|_| !self.form.record.more);
                add(&format!("Player{order}"), slot.to_string(), color.unwrap_or_default());
            }
        }
        if self.twice {
            add("Packing", "twice".to_owned(), "a block's last code is written twice");
        }
        lines
    }

    /// The line of a field, or the lines of a field that each player has.
    fn field_lines(&self, field: &HeaderField, active: &[usize], add: &mut impl FnMut(&str, String, &str)) {
        let FieldKind::Each { count, stride, of } = field.kind else {
            return self
                .line(field.offset, field.kind)
                .into_iter()
                .for_each(|value| add(field.key, value, ""));
        };
        for index in 0..count {
            let plays = active.contains(&index);
            let value = self.line(field.offset + index * stride, *of).filter(|it| plays || it != "0");
            let Some(value) = value else { continue };
            let is_packed = self.form.is_packed();
            let key = match index {
                0 if active == [0] => field.key.to_owned(),
                _ if is_packed => format!("{}[{index:02}]", field.key),
                _ => format!("{}{index}", field.key),
            };
            let class = ["fighter", "cleric", "mage"].iter().zip(["0", "1", "2"]).find(|it| it.1 == value);
            add(&key, value, class.map(|it| *it.0).filter(|_| !is_packed).unwrap_or_default());
        }
    }

    /// The value of a field in a text, if the text mentions the field.
    fn line(&self, at: usize, kind: FieldKind) -> Option<String> {
        let value = stored(self.inner(), at, kind);
        let several = self.players() > 1;
        match kind {
            FieldKind::Byte | FieldKind::Always(_) => Some(value?.to_string()),
            FieldKind::FromOne => Some((value? + 1).to_string()),
            FieldKind::Little(_) | FieldKind::Big(_) => value.filter(|it| *it != 0).map(|it| it.to_string()),
            FieldKind::View => value.filter(|value| several || *value != 0).map(|value| value.to_string()),
            FieldKind::Rule => {
                let value = value.filter(|value| several || *value != 0)?;
                Some(RULES.get(value as usize).map_or_else(|| value.to_string(), |rule| (*rule).to_owned()))
            }
            FieldKind::Name(length) => {
                let name = self.inner().get(at..at + length)?.split(|byte| *byte == 0).next()?;
                (!name.is_empty()).then(|| quoted(name))
            }
            FieldKind::List(length) => {
                let bytes = self.inner().get(at..at + length)?;
                bytes.iter().any(|byte| *byte != 0).then(|| flags(bytes))
            }
            FieldKind::Counted => {
                let start = at + 1;
                Some(flags(self.inner().get(start..start + self.form.counted(self.inner()))?))
            }
            FieldKind::Magic(_) | FieldKind::Each { .. } => None,
        }
    }

    /// The keys of the lines that this header can have.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'static str> {
        let fields = self.form.fields.iter().filter(|field| !matches!(field.kind, FieldKind::Magic(_)));
        let slots = matches!(self.form.players, Players::Slots { .. }).then_some("Player");
        let packing = self.form.is_packed().then_some("Packing");
        FIRST.into_iter().chain(fields.map(|field| field.key)).chain(slots).chain(packing)
    }

    /// Whether this header has a line with this key.
    pub(crate) fn has(&self, key: &str) -> bool {
        let name = key.trim_end_matches(|it: char| it.is_ascii_digit() || matches!(it, '[' | ']'));
        self.keys().chain(["Bytes"]).any(|key| key.eq_ignore_ascii_case(name))
    }

    /// Parses the lines of a text.
    pub(crate) fn parse(lines: &[Line]) -> Result<Self, HeaderMistake> {
        let slip = |code: TextCode, at: usize, say: fn(&str, &str) -> String| {
            let what = lines.get(at).map(|line| say(&line.0, &line.1)).unwrap_or_default();
            HeaderMistake { code, offset: Some(at), what }
        };
        let missing = |key: &str| HeaderMistake {
            code: TextCode::MissingField,
            offset: None,
            what: format!("the header needs a line `{key}:`"),
        };
        let find = |key: &str| lines.iter().position(|line| line.0.eq_ignore_ascii_case(key));
        let text = |at: Option<usize>| at.and_then(|at| lines.get(at)).map(|line| line.1.as_str());
        let (game, version, wrapper) =
            (find("Game").ok_or_else(|| missing("Game"))?, find("Version"), find("Wrapper"));
        let (form, byte) = form_of(text(Some(game)).unwrap_or_default(), text(version)).ok_or_else(|| {
            let named = FORMS.iter().find(|form| form.is_named(text(Some(game)).unwrap_or_default()));
            let number = text(version).and_then(|it| number(it.as_bytes()));
            let of_others = VERSIONS.iter().any(|it| Some(it.byte.into()) == number);
            match named.filter(|_| of_others) {
                Some(form) => {
                    HeaderMistake { code: TextCode::NotPossible, offset: version, what: versions_of(form) }
                }
                None => slip(TextCode::NotPossible, version.unwrap_or(game), |key, value| {
                    format!("there is no {key} {value}")
                }),
            }
        })?;
        let value_slip = |at| slip(TextCode::OutOfRange, at, |key, value| format!("{key} cannot be {value}"));
        let wrapper = Wrapper::named(text(wrapper)).ok_or_else(|| value_slip(wrapper.unwrap_or_default()))?;
        let needed = |field: &&HeaderField| matches!(field.kind, FieldKind::Byte | FieldKind::FromOne);
        let gap = form.fields.iter().filter(needed).find(|field| find(field.key).is_none());
        if let Some(field) = gap {
            return Err(missing(field.key));
        }
        let mut header = Self::begun(form, byte, wrapper);
        let key = |key: &str| -> String { key.chars().filter(|it| !it.is_ascii_whitespace()).collect() };
        let is_bytes = |key: &str| key.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("Bytes"));
        let is_first = |key: &str| FIRST.iter().any(|it| key.eq_ignore_ascii_case(it));
        // `Bytes[...]` lines replace bytes of the other lines, so they come last.
        for is_last in [false, true] {
            for (at, (name, value, _)) in lines.iter().enumerate() {
                let name = key(name);
                if is_first(&name) || is_bytes(&name) != is_last {
                    continue;
                }
                header.take(&name, value).map_err(|is_key| {
                    let key = |key: &str, _: &str| format!("this recording has no {key}");
                    if is_key { slip(TextCode::UnknownField, at, key) } else { value_slip(at) }
                })?;
            }
            // If no line names a player, the first player plays.
            if let (0, false, Players::Slots { at, .. }) = (header.players(), is_last, form.players) {
                header.put(at + form.counted(header.inner()), &[1]);
            }
            let whole = wrapper.length() + form.whole_length(header.inner());
            header.bytes.resize(whole, 0);
        }
        Ok(header)
    }

    /// A header of this layout with its version and signature, and zeros elsewhere.
    fn begun(form: &'static HeaderForm, byte: u8, wrapper: Wrapper) -> Self {
        let mut bytes = match wrapper {
            Wrapper::None => Vec::new(),
            Wrapper::Dsda(version) => [DSDA, &[version]].concat(),
            Wrapper::Um => [UM, UM_LUMP].concat(),
        };
        bytes.resize(wrapper.length() + form.length, 0);
        let mut header = Self { wrapper, form, bytes, twice: false };
        if let Some(at) = form.version_at() {
            header.put(at, &[byte]);
        }
        for field in form.fields {
            if let FieldKind::Magic(magic) = field.kind {
                header.put(field.offset, magic);
            }
        }
        header
    }

    /// Writes bytes at an offset after the wrapper, and extends the header if it is too short.
    fn put(&mut self, at: usize, bytes: &[u8]) {
        let at = at + self.wrapper.length();
        self.bytes.resize(self.bytes.len().max(at + bytes.len()), 0);
        self.bytes.iter_mut().skip(at).zip(bytes).for_each(|(place, byte)| *place = *byte);
    }

    /// Applies a line. The error is `true` if the key is wrong, `false` if the value is.
    fn take(&mut self, key: &str, value: &str) -> Result<(), bool> {
        let form = self.form;
        let name = key.trim_end_matches(|it: char| it.is_ascii_digit() || matches!(it, '[' | ']'));
        let index = key.get(name.len()..).map(|it| it.trim_matches(['[', ']'])).filter(|it| !it.is_empty());
        let index = index.map(|it| it.parse::<usize>().map_err(|_| true)).transpose()?;
        let is = |key: &str| name.eq_ignore_ascii_case(key);
        let field = form.fields.iter().find(|field| is(field.key));
        match (field, form.players, index) {
            (Some(HeaderField { offset: at, kind: FieldKind::Each { count, stride, of }, .. }), ..) => {
                let index = Some(index.unwrap_or_default()).filter(|it| it < count).ok_or(true)?;
                self.set(at + index * stride, **of, value).ok_or(false)
            }
            (Some(field), _, None) => self.set(field.offset, field.kind, value).ok_or(false),
            (None, Players::Slots { at, count, stride }, Some(order)) if is("Player") => {
                let slot = number(value.as_bytes()).and_then(|slot| usize::try_from(slot).ok());
                let slot = slot.filter(|slot| *slot < count && order < count).ok_or(false)?;
                self.put(at + form.counted(self.inner()) + slot * stride, &[1]);
                Ok(())
            }
            (None, _, None) if is("Packing") && form.is_packed() => {
                self.twice = value.eq_ignore_ascii_case("twice");
                if self.twice { Ok(()) } else { Err(false) }
            }
            (None, _, Some(at)) if is("Bytes") => {
                let bytes = unquoted(value).filter(|it| at + it.len() <= self.bytes.len()).ok_or(false)?;
                self.bytes.iter_mut().skip(at).zip(&bytes).for_each(|(place, byte)| *place = *byte);
                Ok(())
            }
            _ => Err(true),
        }
    }

    /// Sets a field to the value in a text; `None` if the value does not fit.
    fn set(&mut self, at: usize, kind: FieldKind, value: &str) -> Option<()> {
        let bytes = match kind {
            FieldKind::Name(length) => unquoted(value).filter(|name| name.len() <= length)?,
            FieldKind::List(_) | FieldKind::Counted => {
                let flags = value.split_ascii_whitespace().map(|it| number(it.as_bytes())?.try_into().ok());
                let flags = flags.collect::<Option<Vec<u8>>>()?;
                match kind {
                    FieldKind::List(most) if flags.len() > most => return None,
                    FieldKind::List(_) => flags,
                    _ => [&[u8::try_from(flags.len()).ok()?], &flags[..]].concat(),
                }
            }
            _ => {
                let (wide, less, is_big) = kind.width()?;
                let rule = RULES.iter().position(|rule| rule.eq_ignore_ascii_case(value));
                // LMPC writes this misspelling of `DeathMatch`, and does not read it back.
                let rule = rule.or_else(|| value.eq_ignore_ascii_case("DeathMeatch").then_some(1));
                let rule = rule.filter(|_| kind == FieldKind::Rule).map(|rule| rule as i64);
                let all = 1i64 << (8 * wide);
                let value = rule.or_else(|| Some(number(value.as_bytes())? - less))?;
                // A negative number means the positive one with the same bits. If a text counts from one, 0 means the
                // byte 255.
                let least = if less == 0 { -all / 2 } else { -less };
                let value = if (least..0).contains(&value) { value + all } else { value };
                let bytes = (0..all).contains(&value).then_some(value.to_le_bytes())?;
                let mut bytes = bytes.get(..wide)?.to_vec();
                if is_big {
                    bytes.reverse();
                }
                bytes
            }
        };
        self.put(at, &bytes);
        Some(())
    }
}

/// The counts in a header: the offset of the end mark, and the number of tics or records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeaderCounts {
    pub(crate) end: Option<u32>,
    pub(crate) count: Option<u32>,
}

fn flags(bytes: &[u8]) -> String {
    bytes.iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// The number in a field; `None` for names and lists.
fn stored(bytes: &[u8], at: usize, kind: FieldKind) -> Option<i64> {
    let (wide, _, is_big) = kind.width()?;
    let add = |value: i64, byte: &u8| value << 8 | i64::from(*byte);
    let bytes = bytes.get(at..at + wide)?;
    Some(if is_big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
}

/// The help for a version byte that belongs to another layout: the versions that have the layout of `form`'s game.
pub(crate) fn versions_of(form: &HeaderForm) -> String {
    let versions = VERSIONS.iter().filter(|version| version.form.game == form.game);
    let mut numbers: Vec<String> = versions.map(|version| version.byte.to_string()).collect();
    numbers.dedup();
    if numbers.is_empty() {
        return format!("this version has another header: that of {} has no version", form.game);
    }
    format!(
        "this version has another header. {} can have the versions {}{}",
        form.game,
        numbers.join(", "),
        if form.game == DOOM.game { ", and 0 for those before 1.4" } else { "" }
    )
}

/// The layout and the version byte for a text's game and version.
fn form_of(game: &str, version: Option<&str>) -> Option<(&'static HeaderForm, u8)> {
    let same = |word: &str| game.trim().eq_ignore_ascii_case(word);
    let named = |form: &&HeaderForm| form.is_named(game);
    let is_doom = same("DOOM") || same("DOOM ][") || same("DOOM or DOOM ][");
    let fits = |form: &'static HeaderForm| {
        named(&form) || is_doom && matches!(form.game, "DOOM" | "DOOM or DOOM ][")
    };
    if let Some(version) = version {
        let byte = number(version.as_bytes());
        let matches = |text: &str, byte_of: Option<u8>| {
            text.eq_ignore_ascii_case(version) || byte.is_some() && byte_of.map(i64::from) == byte
        };
        let numbered = VERSIONS.iter().find(|it| fits(it.form) && matches(it.text, Some(it.byte)));
        let numbered = numbered.map(|it| (it.form, it.byte));
        let unnumbered = || {
            UNNUMBERED
                .iter()
                .find(|(form, text)| matches(text, None) && (fits(form) || is_doom && *form == &OLD_DOOM))
        };
        if let Some(found) = numbered.or_else(|| unnumbered().map(|(form, _)| (*form, 0))) {
            return Some(found);
        }
        // A version byte need not be in a table. If it belongs to another layout, readers would use that layout.
        let form = FORMS.iter().find(|form| named(form) && form.version_at().is_some());
        let byte = byte.and_then(|byte| u8::try_from(byte).ok());
        let byte = byte.filter(|byte| VERSIONS.iter().all(|it| it.byte != *byte));
        return byte.and_then(|byte| Some((*form?, byte)));
    }
    let form = FORMS.iter().find(|form| {
        named(form) && form.words.iter().any(|word| !word.contains("1.0") && !word.contains("1.2"))
    })?;
    Some((*form, VERSIONS.iter().find(|it| it.form == *form).map_or(0, |it| it.byte)))
}
