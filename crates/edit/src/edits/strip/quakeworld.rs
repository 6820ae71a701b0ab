//! The parts of `QuakeWorld`'s messages that are removed: texts, commands, and keys of user and server info.

use super::{CHAT, Content, Strip, commands};
use crate::BlockWriter;
use moviola_format::names::quakeworld::WHOLE_INFO;
use moviola_format::qw::{Message, SetInfo, StuffText, UpdateUserInfo};
use moviola_format::{Entry, HiddenRest, Message as _, Str, hidden, info_pairs, info_value, names};
use std::collections::BTreeMap;

/// The prefixes that KTX and the servers print before a spectator's text.
const SPECTATOR: [&str; 2] = ["[SPEC] ", "(SPEC) "];

/// The names in all slots, and whether each is that of a spectator.
#[derive(Clone, Debug, Default)]
pub(super) struct Talkers {
    slots: BTreeMap<u8, (Vec<u8>, bool)>,
}

impl Talkers {
    // not from SCHEMA: keys of user info
    const NAME: &[u8] = b"name";
    const SPECTATOR: &[u8] = b"*spectator";

    fn read(&mut self, message: &Message<'_>) {
        match message {
            Message::UpdateUserInfo(it) => {
                let value = |key| info_value(it.string.bytes(), key).unwrap_or_default();
                self.slots.insert(it.player, (value(Self::NAME).to_vec(), watches(value(Self::SPECTATOR))));
            }
            Message::SetInfo(it) => {
                let (name, is_spectator) = self.slots.entry(it.player).or_default();
                match it.name.bytes() {
                    Self::NAME => *name = it.string.bytes().to_vec(),
                    Self::SPECTATOR => *is_spectator = watches(it.string.bytes()),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Whether a line of chat is that of a spectator, and not of a player of the same name.
    fn is_of_spectator(&self, line: &[u8]) -> bool {
        let says = |name: &[u8]| {
            let to_all = line.strip_prefix(name).is_some_and(|rest| rest.starts_with(b": "));
            let rest = line.strip_prefix(b"(").and_then(|line| line.strip_prefix(name));
            !name.is_empty() && (to_all || rest.is_some_and(|rest| rest.starts_with(b"): ")))
        };
        let mut talkers = self.slots.values().filter(|(name, _)| says(name)).peekable();
        talkers.peek().is_some() && talkers.all(|(_, is_spectator)| *is_spectator)
    }
}

fn watches(value: &[u8]) -> bool {
    !matches!(value, b"" | b"0")
}

/// Commands that a client needs for the rest of the recording, and commands that only carry data.
// not from SCHEMA: commands of the console
const NEEDED: [&str; 3] = ["skins", "cmd", "alias"];

/// Whether the value of a key is an address on a network, as of a player's or a server's machine.
fn is_address(key: &[u8], value: &[u8]) -> bool {
    let key = key.to_ascii_lowercase();
    let parts = value.split(|byte| matches!(byte, b'.' | b':'));
    let numbers =
        parts.take_while(|part| (1..=3).contains(&part.len()) && part.iter().all(u8::is_ascii_digit));
    key == b"ip" || key == b"*ip" || numbers.count() == 4
}

/// Progress of the search for the server's address in KTX's statistics. The message may be split anywhere, so this is
/// kept from part to part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum AddressInJson {
    /// Inside the key, after this number of its bytes.
    Key(usize),
    /// After the key, before the value's first quote.
    Behind,
    /// Inside the value.
    Inside,
    #[default]
    Elsewhere,
}

impl AddressInJson {
    const KEY: &[u8] = b"\"ip\"";

    /// Reads a byte; returns whether it belongs to an address.
    fn step(&mut self, byte: u8) -> bool {
        let read = if let Self::Key(read) = *self { read } else { 0 };
        *self = match *self {
            Self::Inside if byte == b'"' => Self::Elsewhere,
            Self::Inside => return true,
            Self::Behind if byte == b'"' => Self::Inside,
            Self::Behind if byte == b':' || byte.is_ascii_whitespace() => Self::Behind,
            _ if Self::KEY.get(read) == Some(&byte) && read + 1 == Self::KEY.len() => Self::Behind,
            _ if Self::KEY.get(read) == Some(&byte) => Self::Key(read + 1),
            _ if byte == b'"' => Self::Key(1),
            _ => Self::Elsewhere,
        };
        false
    }
}

impl Strip {
    /// Writes a part of KTX's statistics with blanks in place of the server's address; returns false if it has none.
    pub(super) fn blanks(&mut self, message: &hidden::Message<'_>, writer: &mut BlockWriter<'_>) -> bool {
        let hidden::Message::DemoInfo(it) = message else { return false };
        if !self.has(Content::Addresses) {
            return false;
        }
        if it.part == 1 {
            self.address = AddressInJson::default();
        }
        let mut text = it.text.0.to_vec();
        for byte in &mut text {
            if self.address.step(*byte) {
                *byte = b' ';
            }
        }
        if text == it.text.0 {
            return false;
        }
        self.count(KEYS);
        writer.put(&hidden::Message::from(hidden::DemoInfo { text: HiddenRest(&text), ..*it }));
        true
    }

    /// Whether a key is to be removed.
    fn takes_key(&self, key: &[u8], value: &[u8], is_of_player: bool) -> bool {
        let is_named = |what: &Content| matches!(what, Content::Key(name) if name.as_bytes() == key);
        is_of_player && self.what.iter().any(is_named)
            || self.has(Content::Addresses) && is_address(key, value)
    }

    /// The pairs of an info without the removed ones; `None` if all stay.
    fn pairs(&self, info: &[u8], is_of_player: bool) -> Option<Vec<u8>> {
        let goes = |(key, value): &(&[u8], &[u8])| self.takes_key(key, value, is_of_player);
        if !info_pairs(info).any(|pair| goes(&pair)) {
            return None;
        }
        let stays = info_pairs(info).filter(|pair| !goes(pair));
        Some(stays.flat_map(|(key, value)| [b"\\", key, b"\\", value].concat()).collect())
    }

    /// Handles a message of the server.
    pub(super) fn of_server(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        let name = entry.message.schema().name;
        self.talkers.read(&entry.message);
        let is_removed = match &entry.message {
            Message::Print(it) => {
                let (text, is_chat) = (it.string.bytes(), it.level == CHAT);
                let is_spectator = || {
                    SPECTATOR.iter().any(|mark| names::readable(text).starts_with(mark))
                        || self.talkers.is_of_spectator(text)
                };
                self.takes_print(text, is_chat) || is_chat && self.has(Content::Spectators) && is_spectator()
            }
            Message::CenterPrint(_) => self.has(Content::CenterPrints),
            Message::SetPause(_) => self.has(Content::Pauses),
            Message::StuffText(it) => {
                if let Some(text) = self.server_info(it.string.bytes()) {
                    self.count(KEYS);
                    return writer.put(&Message::from(StuffText { string: Str::new(&text) }));
                }
                return self.command(it.string.bytes(), writer);
            }
            Message::UpdateUserInfo(it) => {
                if let Some(info) = self.pairs(it.string.bytes(), true) {
                    self.count(KEYS);
                    let text = [&info[..], b"\0"].concat();
                    return writer.put(&Message::from(UpdateUserInfo { string: Str::new(&text), ..*it }));
                }
                false
            }
            Message::SetInfo(SetInfo { name, string, .. })
                if self.takes_key(name.bytes(), string.bytes(), true) =>
            {
                return self.count(KEYS);
            }
            Message::ServerInfo(it) if self.takes_key(it.name.bytes(), it.string.bytes(), false) => {
                return self.count(KEYS);
            }
            other => other.schema().properties.heard && self.has(Content::Sounds),
        };
        if is_removed || self.is_named(name) {
            self.count(name);
        } else {
            writer.keep();
        }
    }

    /// The command with the server's info, without the removed keys; `None` if all stay.
    fn server_info(&self, text: &[u8]) -> Option<Vec<u8>> {
        let rest = text.strip_prefix(WHOLE_INFO)?;
        let end = rest.iter().position(|byte| *byte == b'"')?;
        let (info, behind) = rest.split_at_checked(end)?;
        self.pairs(info, false).map(|info| [WHOLE_INFO, &info, behind, b"\0"].concat())
    }

    /// Removes commands by whole messages, since in an MVD each message may be for another player.
    fn command(&mut self, text: &[u8], writer: &mut BlockWriter<'_>) {
        let is_data = text.starts_with(b"//");
        let is_whole_info = |name: &str| WHOLE_INFO.strip_suffix(b" \"") == Some(name.as_bytes());
        let is_needed = |name: &str| NEEDED.contains(&name) || is_whole_info(name);
        let found = moviola_format::commands(text)
            .find(|it| !is_data && !is_needed(&commands::name(*it)) && self.takes_command(*it))
            .map(commands::name);
        match found.filter(|_| self.is_about_commands()) {
            Some(name) => *self.commands.entry(name).or_default() += 1,
            None => writer.keep(),
        }
    }
}

/// The word under which removed keys are counted.
const KEYS: &str = "key"; // not from SCHEMA: a word of the summary
