//! Restores the damaged first bytes of a recording from the bytes that follow. Without the first bytes the game is
//! unknown.

use moviola_format::dm2::{ConfigString, NEWEST, ServerData};
use moviola_format::names::quake2::RECORD_CLIENT;
use moviola_format::names::quakeworld::{EXTENSION, WHOLE_INFO};
use moviola_format::names::value;
use moviola_format::{
    Block, Context, Format, Game, Messages, Quake, Quake2, QuakeWorld, Stamp, Str, dem, dm2, qw,
    write_message,
};

/// A restored beginning. The length of its first block is still wrong.
pub(super) struct Beginning {
    pub(super) format: Format,
    pub(super) bytes: Vec<u8>,
    /// The number of bytes that it replaces.
    pub(super) damaged: usize,
    /// The context of the blocks after the first one, by which its end is found.
    pub(super) context: Context,
}

/// The line with the CD track that most recordings of Quake have.
const LINE: &[u8] = b"-1\n";

/// The greatest length of such a line.
const LONGEST_LINE: usize = 13;

/// The number of messages at the beginning of a level's first block among which the level is announced.
const FIRST_MESSAGES: usize = 3;

/// The longest announcement of a level of Quake II: two names of 64 characters, and the numbers.
const ANNOUNCEMENT: usize = 160;

/// The bytes before the messages of a QWD's packet: its time, kind, length and numbers.
const PACKET_HEAD: usize = 17;

/// The bytes before the messages of an MVD's first block: its time, audience and length.
const MVD_HEAD: usize = 6;

/// This many first bytes of an MVD are not used, because they may be damaged.
const DOUBTED: usize = 16;

/// The longest name of a game's folder.
const FOLDER: usize = 32;

/// The usual name of that folder.
const USUAL: &[u8] = b"qw\0";

const FTEX: i32 = value(EXTENSION, "FTEX") as i32;
const FTE2: i32 = value(EXTENSION, "FTE2") as i32;
const MVD1: i32 = value(EXTENSION, "MVD1") as i32;

/// The lists of extensions that MVDSV announces, each extension with its most frequent bits.
const ANNOUNCED: &[&[(i32, u32)]] = &[
    &[],
    &[(MVD1, 0x20)],
    &[(FTEX, 0x8000), (MVD1, 0x20)],
    &[(FTEX, 0x0148_7008), (FTE2, 1)],
    &[(FTEX, 0x0148_7008), (FTE2, 1), (MVD1, 0x20)],
];

/// Restores the beginning of a recording whose first bytes are damaged: in all games the first block announces the
/// level.
pub(super) fn of(file: &[u8]) -> Option<Beginning> {
    quake(file).or_else(|| quake2(file)).or_else(|| qwd(file)).or_else(|| mvd(file))
}

/// A QWD: the head of its first packet, before the messages that announce the level.
fn qwd(file: &[u8]) -> Option<Beginning> {
    let messages = file.get(PACKET_HEAD..)?;
    let mut first = Messages::<QuakeWorld>::new(messages, Context::quakeworld());
    let is_level =
        first.by_ref().take(FIRST_MESSAGES).any(|entry| matches!(entry.message, qw::Message::ServerData(_)));
    let starts = [qw::ServerData::OP, qw::StuffText::OP];
    if !is_level || !messages.first().is_some_and(|op| starts.contains(op)) {
        return None;
    }
    // The time is that of the next block, and the length is searched for.
    let (time, kind, length, number) =
        (f32::NAN.to_le_bytes(), [1_u8], 8_u32.to_le_bytes(), 1_u32.to_le_bytes());
    let bytes = [&time[..], &kind, &length, &number, &number].concat();
    let context = Context::quakeworld();
    Some(Beginning { format: Format::Qwd, bytes, damaged: PACKET_HEAD, context })
}

/// An MVD: the head of its first block, and the announcement of the level up to the name of the game's folder. The doubted
/// bytes contain the names of extensions, so each usual list of them is tried. Right is the one after which the server's
/// settings follow, as they do in each MVD.
fn mvd(file: &[u8]) -> Option<Beginning> {
    let announced = |extensions: &&[(i32, u32)]| {
        let mut bytes = [0, super::quakeworld::TO_ALL, 0, 0, 0, 0, qw::ServerData::OP].to_vec();
        extensions
            .iter()
            .for_each(|(name, bits)| bytes.extend([name.to_le_bytes(), bits.to_le_bytes()].concat()));
        bytes.extend(Context::quakeworld().quakeworld_protocol().to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        let folder = bytes.len();
        for (own, kept) in bytes.iter_mut().zip(file).skip(DOUBTED) {
            *own = *kept;
        }
        let length = file.get(folder..)?.iter().take(FOLDER).position(|byte| *byte == 0)?;
        let rest = folder.saturating_add(length).saturating_add(1);
        let name = file.get(folder..rest)?;
        // Without extensions, the first letter of the name is among the doubted bytes.
        bytes.extend_from_slice(if folder < DOUBTED && length == USUAL.len() - 1 { USUAL } else { name });
        let messages = [bytes.get(MVD_HEAD..)?, file.get(rest..)?].concat();
        let (stamp, ..) = Stamp::head(true, &bytes)?;
        let block = Block { stamp, ..Block::new(&messages) };
        let mut first = block.messages::<QuakeWorld>(Context::quakeworld()).map(|entry| entry.message);
        let is_level = matches!(first.next()?, qw::Message::ServerData(_));
        // The music may stand between the two.
        let has_settings = first
            .take(FIRST_MESSAGES - 1)
            .any(|it| matches!(it, qw::Message::StuffText(it) if it.string.bytes().starts_with(WHOLE_INFO)));
        let context = Context::quakeworld();
        (is_level && has_settings).then_some(Beginning { format: Format::Mvd, bytes, damaged: rest, context })
    };
    ANNOUNCED.iter().find_map(announced)
}

/// Quake: the line and the head of the first block, before the messages that announce the level.
fn quake(file: &[u8]) -> Option<Beginning> {
    let announced = |line: usize| {
        let messages = file.get(line.saturating_add(Game::Quake.block_head())..)?;
        let mut first = Messages::<Quake>::new(messages, Context::quake());
        let is_level = first.by_ref().take(FIRST_MESSAGES).any(|entry| match entry.message {
            dem::Message::ServerInfo(it) => {
                it.precache.models().iter().next().is_some_and(|level| level.bytes().ends_with(b".bsp"))
            }
            _ => false,
        });
        (begins_level(messages) && is_level).then(|| (line, *first.context()))
    };
    let (line, context) = (LINE.len() - 1..=LONGEST_LINE).find_map(announced)?;
    let bytes = [LINE, &[0; Game::Quake.block_head()]].concat();
    let damaged = line.saturating_add(Game::Quake.block_head());
    Some(Beginning { format: Format::Quake { header: LINE.len() }, bytes, damaged, context })
}

/// Whether these may be the first messages of a recording of Quake: the server's greeting, or a level.
pub(super) fn begins_level(messages: &[u8]) -> bool {
    messages.first().is_some_and(|op| [dem::Print::OP, dem::ServerInfo::OP, dem::Nop::OP].contains(op))
}

/// Quake II: the announcement of the level, before its config strings. Its end is the level's title.
fn quake2(file: &[u8]) -> Option<Beginning> {
    let is_list = |at: &usize| {
        let list = file.get(*at..).unwrap_or_default();
        let first = Messages::<Quake2>::new(list, Context::quake2()).take(FIRST_MESSAGES);
        let mut indices = first.map(|entry| match entry.message {
            dm2::Message::ConfigString(it) => Some(it.index),
            _ => None,
        });
        let (mut highest, mut count) = (-1, 0);
        let goes_on = |index: Option<i16>| {
            count += 1;
            index.is_some_and(|it| std::mem::replace(&mut highest, it) < it)
        };
        // Where messages end early, it is no list.
        list.first() == Some(&ConfigString::OP) && indices.all(goes_on) && count == FIRST_MESSAGES
    };
    let list = (Game::Quake2.block_head()..ANNOUNCEMENT.min(file.len())).find(is_list)?;
    let (title, nul) = file.get(..list)?.split_last().map(|(nul, rest)| (rest, *nul))?;
    let letters = title.iter().rev().take_while(|byte| matches!(byte, b' '..=b'~')).count();
    let title = title.get(title.len().saturating_sub(letters)..).filter(|_| nul == 0)?;
    // The number of the player stands between the name of the game, whose end may be damaged, and the title.
    let before = list.checked_sub(letters.saturating_add(1))?;
    let number = file.get(before.checked_sub(2)?..)?.first_chunk().map(|it| i16::from_le_bytes(*it));
    let title = [title, &[0]].concat();
    let level = ServerData {
        serverversion: NEWEST,
        key: 0,
        isdemo: RECORD_CLIENT,
        game: Str::new(b"\0"),
        client: number.filter(|it| (0..=i16::from(u8::MAX)).contains(it)).unwrap_or_default(),
        mapname: Str::new(&title),
    };
    let mut bytes = vec![0; Game::Quake2.block_head()];
    write_message(&dm2::Message::from(level), &mut bytes, &Context::quake2());
    Some(Beginning { format: Format::Quake2, bytes, damaged: list, context: Context::quake2() })
}
