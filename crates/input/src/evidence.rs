//! Finds the layout of a recording: by version and signature if its header has them, otherwise by evidence.
//!
//! DOOM up to 1.2, Heretic and Hexen begin with the skill, so their first byte does not decide between them; Duke's
//! header has no signature at all. There each layout is tried: its records must lead to an end mark, or its blocks to
//! the end of the file. Both rules were measured on 1067 runs of Heretic. If they do not decide, the result is marked
//! as a guess.

use crate::compile::{pair, without_comment};
use crate::footer::Footer;
use crate::form::{
    BOOM_LETTERS, CLASSIC, DOOM, DUKE_10, DUKE_13, DUKE_15, FORMS, FieldKind, HERETIC, HEXEN, HEXEN_10,
    HeaderForm, JFDUKE, LONG_DOOM, LX_DOOM, MBF_DOOM, OLD_DOOM, Players, RAW, STRIFE, UNREAD_FORMATS,
    VERSIONS, game_of_wad,
};
use crate::header::{DSDA, Header, Wrapper};
use crate::pack::{BlockHead, CodeWidths, RECORD, unpack};
use crate::record::END;

/// The number of bytes at the start of a file that are examined.
pub(crate) const WINDOW: usize = 1 << 20;

/// The layout of a file, and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) header: Header,
    /// The reason, if the first bytes do not decide, and whether the result is a guess.
    pub(crate) reason: Option<(&'static str, bool)>,
    /// The name of a format that is recognized but not read.
    pub(crate) unread_format: Option<&'static str>,
}

impl Verdict {
    fn of(header: Header) -> Self {
        Self { header, reason: None, unread_format: None }
    }

    pub(crate) fn raw(unread_format: Option<&'static str>) -> Self {
        Self { header: Header::raw(), reason: None, unread_format }
    }
}

/// The words by which a user can force a layout.
///
/// ```
/// assert!(moviola_input::games().any(|game| game == "heretic"));
/// ```
pub fn games() -> impl Iterator<Item = &'static str> {
    FORMS.iter().flat_map(|form| form.words.iter().copied())
}

/// The format of a file by its first bytes (`complete`: they are the whole file): `lmp`, `dmo`, or the name
/// of a format that is recognized but not read; `None` if it is not a recording of input.
///
/// ```
/// use moviola_input::kind;
/// assert_eq!(kind(b"\x6d\x03\x01\x01\0\0\0\0\0\x01\0\0\0\x32\0\0\x01\x80", true), Some("lmp"));
/// assert_eq!(kind(b"ZDEM", true), Some("ZDoom 1.11 or 1.12"));
/// assert_eq!(kind(b"a text", true), None);
/// ```
pub fn kind(start: &[u8], complete: bool) -> Option<&'static str> {
    let verdict = recognize(start, complete)?;
    let format = if verdict.header.form.is_packed() { "dmo" } else { "lmp" }; // not from SCHEMA: file extensions
    Some(verdict.unread_format.unwrap_or(format))
}

/// The format that a text compiles to, `lmp` or `dmo`, by its first bytes: comments, then `HeaderStart`.
/// `None` if the text is of another kind.
///
/// ```
/// use moviola_input::text_kind;
/// assert_eq!(text_kind(b"# LMP file\n\nHeaderStart\n"), Some("lmp"));
/// assert_eq!(text_kind(b"HeaderStart\n Game: Duke Nukem 3D\n"), Some("dmo"));
/// assert_eq!(text_kind(b"track \"-1\\n\";"), None);
/// ```
pub fn text_kind(start: &[u8]) -> Option<&'static str> {
    let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start);
    let lines = start.split(|byte| *byte == b'\n').map(without_comment);
    let mut lines = lines.filter(|line| !line.is_empty());
    let is_ours = lines.next().is_some_and(|line| line.eq_ignore_ascii_case(b"HeaderStart"));
    let game = lines.filter_map(pair).find(|(key, _)| key.eq_ignore_ascii_case("Game"));
    let form = game.and_then(|(_, game)| FORMS.iter().find(|form| form.is_named(&game)));
    // not from SCHEMA: a file's ending
    is_ours.then_some(if form.is_some_and(|form| form.is_packed()) { "dmo" } else { "lmp" })
}

/// Whether these first bytes of a file (`complete`: all of them) can be read in the layout that a user forces.
///
/// ```
/// use moviola_input::fits;
/// let heretic = b"\x03\x01\x02\x01\0\0\0\x32\0\0\x01\0\0\x80";
/// assert!(fits(heretic, true, "heretic") && !fits(heretic, true, "strife"));
/// ```
pub fn fits(start: &[u8], complete: bool, word: &str) -> bool {
    RAW.is_named(word) || forced(start, complete, word).is_some_and(|it| is_known(&it.header))
}

/// Reads the header in the layout that this word names.
pub(crate) fn forced(start: &[u8], complete: bool, word: &str) -> Option<Verdict> {
    let form = *FORMS.iter().find(|form| form.words.iter().any(|it| it.eq_ignore_ascii_case(word)))?;
    // The name of DOOM also means DOOM before 1.4, whose header begins with the skill instead of a version.
    let inner = start.get(Wrapper::of(start).length()..).unwrap_or_default();
    let form = if form == &DOOM && inner.first().is_some_and(|byte| *byte < 5) { &OLD_DOOM } else { form };
    // A game can have several layouts: if the bytes show which of them it is, that one is used.
    let found = recognize(start, complete)
        .filter(|found| found.header.form.game == form.game && found.unread_format.is_none());
    if let (Some(found), false) = (found, word.contains('-') || form.game == "HEXEN") {
        return Some(found);
    }
    let fits = |header: &Header| header.version_byte().is_none_or(|byte| form.version(byte).is_some());
    let header = Header::read(start, Wrapper::of(start), form).filter(fits).unwrap_or_else(Header::raw);
    Some(Verdict { reason: Some(("as it was asked for", false)), ..Verdict::of(header) })
}

/// The layout of a file by its first bytes; `None` if no layout fits.
pub(crate) fn recognize(start: &[u8], complete: bool) -> Option<Verdict> {
    let unread_format = UNREAD_FORMATS.iter().find(|(mask, _)| begins(start, mask)).map(|(_, name)| *name);
    if unread_format.is_some() {
        return Some(Verdict::raw(unread_format));
    }
    let wrapper = Wrapper::of(start);
    if let Some(verdict) = packed(start, complete, Strictness::Whole) {
        return Some(verdict);
    }
    let inner = start.get(wrapper.length()..)?;
    let first = *inner.first()?;
    if let (Wrapper::None, [0xFF, 104..=112 | 200..=214, ..]) = (wrapper, start) {
        return Some(Verdict::raw(Some("PrBoom+um 2.5.1.7")));
    }
    if wrapper == Wrapper::None && start.starts_with(DSDA) {
        return Some(Verdict::raw(Some("dsda-doom, an outer header of another version")));
    }
    if let (101, [_, b'0'..=b'9', b'm', b'0'..=b'9', ..]) = (first, inner) {
        return Some(Verdict::raw(Some("DOOM 0.5 alpha")));
    }
    let found = match first {
        0..=4 => open(start, complete, wrapper),
        111 => long_or_classic(start, complete, wrapper),
        101 => single(start, complete, wrapper, &STRIFE),
        203 if is_boom_signed(inner) => lx_or_mbf(start, complete, wrapper),
        _ => VERSIONS
            .iter()
            .find(|version| version.byte == first && !version.form.is_packed())
            .and_then(|version| single(start, complete, wrapper, version.form)),
    };
    found
        .or_else(|| packed(start, complete, Strictness::Start))
        .or_else(|| packed(start, complete, Strictness::Names))
        .or_else(|| other_port(inner, first))
}

fn begins(start: &[u8], mask: &[u8]) -> bool {
    start.len() >= mask.len() && start.iter().zip(mask).all(|(byte, mask)| byte == mask || *mask == b'?')
}

/// Ports whose headers begin like DOOM's but continue differently.
fn other_port(inner: &[u8], first: u8) -> Option<Verdict> {
    let name = match first {
        112 => "DOOM Classic, debug",
        116 => "Doom64 EX 1.4",
        129..=144 => "Doom Legacy",
        222 => "RUDE",
        _ => return None,
    };
    let header = Header::read(inner, Wrapper::None, &crate::form::DOOM)?;
    is_plausible(&header).then(|| Verdict::raw(Some(name)))
}

/// The result of stepping through the records in a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Walk {
    records: usize,
    /// Whether an end mark was found with nothing or a known footer after it.
    ended: bool,
    /// Whether the whole file ended without an end mark.
    ran_off: bool,
    /// The offset of the bytes after the end mark.
    tail: usize,
    /// The number of records with the same movement and buttons as the player's previous record.
    same: usize,
}

/// The most bytes of an unknown kind that are expected after an end mark.
const LONGEST_NOTE: usize = 4096;

/// Whether the bytes after an end mark are empty or a known footer.
fn is_tail(rest: &[u8]) -> bool {
    rest.is_empty() || rest.starts_with(b"PWAD") || rest.starts_with(b"DemoEXT:")
}

pub(crate) fn walk(start: &[u8], complete: bool, header: &Header) -> Walk {
    let (record, players) = (header.record(), header.players());
    let mut walk = Walk { records: 0, ended: false, ran_off: false, tail: 0, same: 0 };
    let mut rest = start.get(header.bytes.len()..).unwrap_or_default();
    let mut last: Vec<&[u8]> = vec![&[]; players];
    loop {
        match rest.first() {
            Some(&END) => {
                walk.ended = is_tail(rest.get(1..).unwrap_or_default());
                walk.tail = start.len() - rest.len() + 1;
                return walk;
            }
            _ if players == 0 => return walk,
            _ => {}
        }
        let Some(length) = record.measure(rest) else {
            walk.ran_off = complete;
            return walk;
        };
        let (now, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        if let Some(last) = last.get_mut(walk.records % players) {
            let part = |bytes: &[u8]| {
                (
                    bytes.get(record.forward).copied(),
                    bytes.get(record.forward + 1).copied(),
                    bytes.get(record.buttons).copied(),
                )
            };
            walk.same += usize::from(!last.is_empty() && part(last) == part(now));
            *last = now;
        }
        walk.records += 1;
    }
}

/// Whether games write such values in a header.
pub(crate) fn is_plausible(header: &Header) -> bool {
    header.players() > 0 && has_usual_values(header)
}

/// Whether games write such values in a header, except that no player may be in the game.
fn has_usual_values(header: &Header) -> bool {
    let (episodes, maps) = header.form.levels;
    let within = |key: &str, least: i64, most: i64| {
        header.value(key).is_none_or(|value| (least..=most).contains(&value))
    };
    let is_old = matches!(header.form.game, "HERETIC" | "HEXEN");
    // Engines accept unusual skills and player bytes, so they may occur in a header with a version.
    let (most_skill, most_player) = if header.form.version_at().is_some() { (15, 3) } else { (4, 1) };
    let players = header
        .form
        .slots(header.inner())
        .enumerate()
        .all(|(slot, (_, byte))| byte <= most_player || is_old && slot == 0 && byte < 0x40);
    within("Skill", 0, most_skill)
        && within("Episode", i64::from(episodes > 0 && header.form != &CLASSIC), episodes.into())
        && within("Map", 1, maps.into())
        && within("MultiRule", 0, 2)
        && players
}

/// Whether a header has a signature, or a wrapper with a signature.
fn is_signed(header: &Header) -> bool {
    let signed = header.form.fields.iter().any(|field| match field.kind {
        FieldKind::Magic(magic) => {
            header.inner().get(field.offset..field.offset + magic.len()) == Some(magic)
        }
        _ => false,
    });
    // The signatures of ports derived from Boom begin with this byte.
    let is_kin = header.inner().get(1) == Some(&0x1D) && header.form.length == 109;
    header.wrapper != Wrapper::None || signed || is_kin
}

/// Whether skill and rules are small numbers, even if no game uses them. With a version this is evidence enough, if the
/// records lead to an end mark.
fn has_small_values(header: &Header) -> bool {
    let small = |key: &str| header.value(key).is_none_or(|value| value < 16);
    small("Skill") && small("MultiRule")
}

/// Whether a reader can know a recording with this header and an end mark by its bytes.
pub(crate) fn can_be_recognized(header: &Header) -> bool {
    let is_numbered = header.form.version_at().is_some() && has_small_values(header);
    header.form == &RAW || header.form.is_packed() || is_signed(header) || is_numbered || is_plausible(header)
}

/// Reads a header whose version byte determines the layout.
fn single(start: &[u8], complete: bool, wrapper: Wrapper, form: &'static HeaderForm) -> Option<Verdict> {
    let header = Header::read(start, wrapper, form)?;
    let ends = || {
        let walk = walk(start, complete, &header);
        walk.ended && walk.records > 0 && has_small_values(&header)
    };
    // Engines also read a header without players, and then hang or fail. Without records only the end mark proves that
    // it is a header.
    let is_empty = || {
        let rest = start.get(header.bytes.len()..).unwrap_or_default();
        header.players() == 0 && has_usual_values(&header) && complete && rest.contains(&END)
    };
    (is_signed(&header) || is_plausible(&header) || ends() || is_empty()).then(|| Verdict::of(header))
}

/// Whether a header has Boom's signature; under MBF's version it is `LxDoom`'s.
pub(crate) fn is_boom_signed(inner: &[u8]) -> bool {
    inner.get(1..).is_some_and(|rest| rest.starts_with(BOOM_LETTERS))
}

/// Decides where the records of `LxDoom`'s recordings begin: engines omit the byte of compatibility, other readers
/// expect it.
fn lx_or_mbf(start: &[u8], complete: bool, wrapper: Wrapper) -> Option<Verdict> {
    let lx = single(start, complete, wrapper, &LX_DOOM);
    let mbf = single(start, complete, wrapper, &MBF_DOOM);
    let ends = |it: &Verdict| walk(start, complete, &it.header).ended;
    let fits = |it: &Option<Verdict>| it.as_ref().map(|it| (ends(it), is_plausible(&it.header)));
    if fits(&mbf) > fits(&lx) { mbf } else { lx }
}

fn long_or_classic(start: &[u8], complete: bool, wrapper: Wrapper) -> Option<Verdict> {
    let long = single(start, complete, wrapper, &LONG_DOOM);
    if long.as_ref().is_some_and(|it| walk(start, complete, &it.header).ended) {
        return long;
    }
    let classic = Header::read(start, wrapper, &CLASSIC).filter(is_plausible);
    let classic = classic.filter(|header| walk(start, complete, header).ended);
    let reason =
        Some(("DOOM 1.91's layout has no end mark where records end, and DOOM Classic's has", false));
    classic.map(|header| Verdict { reason, ..Verdict::of(header) }).or(long)
}

/// Decides between the layouts that have no version.
fn open(start: &[u8], complete: bool, wrapper: Wrapper) -> Option<Verdict> {
    let read = |form: &'static HeaderForm| {
        let header = Header::read(start, wrapper, form)?;
        let fits = match form {
            it if it == &HEXEN || it == &HEXEN_10 => is_hexen(&header),
            _ => true,
        };
        (fits && is_plausible(&header)).then(|| (walk(start, complete, &header), header))
    };
    let candidates: Vec<(Walk, Header)> =
        [&OLD_DOOM, &HERETIC, &HEXEN, &HEXEN_10].into_iter().filter_map(read).collect();
    let ended = candidates.iter().any(|(walk, _)| walk.ended);
    // Without a known footer, a recording with a mark near its end is as likely as one without a mark: other tools
    // append texts, and games crash.
    let may_end = |walk: &Walk| walk.ran_off || walk.tail > 0 && start.len() - walk.tail <= LONGEST_NOTE;
    let fits = |walk: &Walk| if ended { walk.ended } else { !complete || may_end(walk) };
    let remaining: Vec<&(Walk, Header)> = candidates.iter().filter(|(walk, _)| fits(walk)).collect();
    // If unknown bytes follow the mark, no layout fits exactly, so all plausible ones remain.
    let left = if remaining.is_empty() { candidates.iter().collect() } else { remaining };
    let candidate = |form: &HeaderForm| left.iter().find(|(_, header)| header.form == form);
    let verdict_of = |found: &(Walk, Header), why: &'static str, is_guess: bool| {
        Some(Verdict { reason: Some((why, is_guess)), ..Verdict::of(found.1.clone()) })
    };
    // A port's command line names the game, but only if the whole footer is among these bytes.
    let named = left.iter().filter(|(walk, _)| walk.ended && complete).find(|(walk, header)| {
        let footer = start.get(walk.tail..).and_then(Footer::read);
        let game = footer.and_then(|footer| footer.iwad()).and_then(|iwad| game_of_wad(&iwad));
        game.is_some_and(|game| game.starts_with(header.form.game))
    });
    if let Some(named) = named {
        return verdict_of(named, "the footer names its WAD file", false);
    }
    // dsda-doom's outer header says where the records end, and how many tics there are.
    let claims = |header: &Header| header.claims().end.zip(header.claims().count);
    let keeps = |(walk, header): &(Walk, Header)| {
        let tics = walk.records / header.players().max(1);
        claims(header).is_some_and(|(end, count)| (end as usize + 1, count as usize) == (walk.tail, tics))
    };
    let mut kept = left.iter().filter(|it| it.0.ended && keeps(it));
    if let (Some(one), None) = (kept.next(), kept.next()) {
        return verdict_of(one, "dsda-doom's header tells the same end and number of tics", false);
    }
    let share = |walk: &Walk| walk.same as f64 / walk.records.max(1) as f64;
    if let [one] = left.as_slice() {
        // Without a mark or without records nothing is proven.
        let is_guess = !one.0.ended || one.0.records == 0;
        let why = if one.0.ended {
            "only this layout's records lead to an end mark"
        } else {
            "no other layout has such a header"
        };
        return verdict_of(one, why, is_guess);
    }
    let (doom, heretic, hexen) =
        (candidate(&OLD_DOOM), candidate(&HERETIC), candidate(&HEXEN).or(candidate(&HEXEN_10)));
    let heretic_or_hexen_verdict = heretic.or(hexen);
    if let Some(doom) =
        doom.filter(|doom| heretic_or_hexen_verdict.is_none_or(|other| share(&doom.0) > share(&other.0)))
    {
        return verdict_of(doom, "records of this length are more alike than those of Heretic's", true);
    }
    match (heretic, hexen) {
        (Some(heretic), Some(hexen)) => {
            let (it, why) = heretic_or_hexen(start, heretic, hexen)?;
            verdict_of(it, why, true)
        }
        _ => verdict_of(
            heretic_or_hexen_verdict?,
            "records of this length are more alike than those of DOOM's",
            true,
        ),
    }
}

/// Hexen's headers have episode 1 and two bytes for each player: whether it plays, and its class.
fn is_hexen(header: &Header) -> bool {
    let inner = header.inner();
    header.value("Episode") == Some(1)
        && header.form.slots(inner).all(|(at, _)| inner.get(at + 1).is_some_and(|class| *class <= 2))
}

/// Decides between Heretic and Hexen, whose records have the same length, by values that only one of them
/// has.
fn heretic_or_hexen<'v>(
    start: &[u8],
    heretic: &'v (Walk, Header),
    hexen: &'v (Walk, Header),
) -> Option<(&'v (Walk, Header), &'static str)> {
    let header = &hexen.1;
    if header.value("Map").is_some_and(|map| map > 9) {
        return Some((hexen, "Heretic has no map of this number"));
    }
    let record = header.record();
    let body = start.get(header.bytes.len()..)?;
    let records = || {
        body.chunks_exact(record.length).take_while(|it| it.first() != Some(&END)).map(|it| record.input(it))
    };
    // A mouse produces each of these speeds sometimes. If a tenth of all tics have one of them, it comes from a key.
    let speeds = records().filter(|it| matches!(it.forward.abs(), 21 | 29 | 45 | 60)).count();
    if records().any(|it| it.extra & 0x80 != 0 || (11..=15).contains(&it.extra))
        || speeds * 10 > hexen.0.records
    {
        return Some((hexen, "it has Hexen's jumps, artifacts or speeds"));
    }
    Some((heretic, "Hexen's layout fits as well, but nothing is of Hexen alone"))
}

/// How much of Duke's blocks is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strictness {
    /// All blocks, which must end at the end of the file.
    Whole,
    /// The first block.
    Start,
    /// No block is checked, since the first block may be damaged. The header must have names and fields as the game
    /// writes them.
    Names,
}

pub(crate) fn codes(form: &HeaderForm) -> CodeWidths {
    if form.length < DUKE_15.length { CodeWidths::Plain } else { CodeWidths::Phased }
}

fn packed(start: &[u8], complete: bool, care: Strictness) -> Option<Verdict> {
    let forms = [&DUKE_15, &JFDUKE, &DUKE_13, &DUKE_10];
    let fits = |form: &&'static HeaderForm| {
        let header = Header::read(start, Wrapper::None, form)?;
        let is_known = header.version_byte().is_none_or(|byte| form.version(byte).is_some());
        let small = |key: &str, most: i64| header.value(key).is_none_or(|value| value <= most);
        let claimed = header.claims().count? as usize;
        let sound = is_known
            && (1..=16).contains(&header.players())
            && small("Skill", 5)
            && small("Episode", 9)
            && small("Map", 63)
            && claimed < 1 << 22;
        let fits = || match care {
            Strictness::Names => has_names(&header),
            Strictness::Whole | Strictness::Start => blocks(start, complete, &header, claimed, care),
        };
        (sound && fits()).then_some(header)
    };
    forms.iter().find_map(fits).map(Verdict::of)
}

/// Whether a header has the fields of names, each a text with zeros after it, and a name for the first player.
fn has_names(header: &Header) -> bool {
    let fields = header.form.fields.iter().filter_map(|field| match field.kind {
        FieldKind::Each { count, stride, of: FieldKind::Name(length) } => {
            Some((0..count).map(move |index| (field.offset + index * stride, *length)))
        }
        _ => None,
    });
    let mut names =
        fields.flatten().filter_map(|(at, length)| header.inner().get(at..at + length)).peekable();
    let is_text = |name: &[u8]| {
        let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
        name.iter().take(end).all(|byte| matches!(byte, b' '..=b'~'))
    };
    names.peek().is_some_and(|first| first.first().is_some_and(|byte| *byte != 0)) && names.all(is_text)
}

/// Whether blocks follow a header. If all blocks are checked, they must have as many records as the header says.
fn blocks(start: &[u8], complete: bool, header: &Header, claimed: usize, care: Strictness) -> bool {
    let (mut at, mut sum, mut out) = (header.bytes.len(), 0, Vec::new());
    loop {
        let rest = start.get(at..).unwrap_or_default();
        if rest.is_empty() {
            return if complete { sum == claimed * RECORD || claimed == 0 && sum > 0 } else { sum > 0 };
        }
        let Some(head) = BlockHead::read(rest) else { return care == Strictness::Start && sum > 0 };
        let end = BlockHead::LENGTH + head.length;
        let Some(data) = rest.get(BlockHead::LENGTH..end) else {
            return sum > 0 && (care == Strictness::Start || !complete);
        };
        if sum == 0
            && (head.unpacked % RECORD != 0 || unpack(head, data, codes(header.form), &mut out).is_none())
        {
            return false;
        }
        sum += head.unpacked;
        at += end;
        if care == Strictness::Start && sum > 0 {
            return true;
        }
    }
}

/// Whether the layout is known; if not, the recording is kept as raw bytes.
pub(crate) fn is_known(header: &Header) -> bool {
    header.form != &RAW && header.form.players != Players::Unknown
}
