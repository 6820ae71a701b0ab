//! `QuakeWorld`: names, colors and skins are keys of a player's user info.

use super::{Set, Value};
use crate::BlockWriter;
use moviola_format::qw::{CenterPrint, Message, Print, SetInfo, UpdateUserInfo};
use moviola_format::{Entry, Str, info_pairs, info_value};

// not from SCHEMA, all words: keys of user info
const NAME: &[u8] = b"name";
const SHIRT: &[u8] = b"topcolor";
const PANTS: &[u8] = b"bottomcolor";
const SKIN: &[u8] = b"skin";

impl Set {
    /// The new value of a key of a player; `now` is the current one.
    fn key(&mut self, player: u8, key: &[u8], now: &[u8]) -> Option<Vec<u8>> {
        let color = |value: u8| value.to_string().into_bytes();
        match key {
            NAME => self.name(player, now).map(|mut name| {
                // It ends with the NUL of a message.
                name.pop();
                name
            }),
            SHIRT | PANTS => self.of_player(player, |value| match value {
                Value::Colors(colors) => Some(color(if key == SHIRT { colors >> 4 } else { colors & 15 })),
                _ => None,
            }),
            SKIN => self.of_player(player, |value| match value {
                Value::Skin(skin) => Some(skin.clone()),
                _ => None,
            }),
            _ => None,
        }
    }

    pub(super) fn of_quakeworld(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        match &entry.message {
            Message::UpdateUserInfo(it) if info_value(it.string.bytes(), NAME).is_some() => {
                let mut info = Vec::new();
                let mut is_same = true;
                for (key, value) in info_pairs(it.string.bytes()) {
                    let new = self.key(it.player, key, value);
                    is_same &= new.is_none();
                    let value = new.as_deref().unwrap_or(value);
                    info.extend([b"\\", key, b"\\", value].concat());
                }
                // Players who never chose a skin have no such key.
                if info_value(it.string.bytes(), SKIN).is_none()
                    && let Some(skin) = self.key(it.player, SKIN, b"")
                {
                    info.extend([b"\\", SKIN, b"\\", &skin].concat());
                    is_same = false;
                }
                if !is_same {
                    info.push(0);
                    let string = Str::new(&info);
                    return self
                        .put(writer, |writer| writer.put(&Message::from(UpdateUserInfo { string, ..*it })));
                }
            }
            Message::SetInfo(it) => {
                if let Some(mut value) = self.key(it.player, it.name.bytes(), it.string.bytes()) {
                    value.push(0);
                    let string = Str::new(&value);
                    return self.put(writer, |writer| writer.put(&Message::from(SetInfo { string, ..*it })));
                }
            }
            Message::Print(it) => {
                if let Some(text) = self.text(it.string) {
                    return writer.put(&Message::from(Print { string: Str::new(&text), ..*it }));
                }
            }
            Message::CenterPrint(it) => {
                if let Some(text) = self.text(it.string) {
                    return writer.put(&Message::from(CenterPrint { string: Str::new(&text) }));
                }
            }
            _ => {}
        }
        writer.keep();
    }
}
