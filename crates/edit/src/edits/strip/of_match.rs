//! Strips an MVD2: its own messages, and Quake II's messages inside of them.

use super::{CHAT, ENTITY, Strip, content::Content};
use crate::BlockWriter;
use moviola_format::mvd2::{FrameMessage, Message, ServerData};
use moviola_format::{EntityChanges, Entry, Letter, Message as _, dm2};

impl Strip {
    /// A message of an MVD2.
    pub(super) fn of_match(&mut self, entry: &Entry<Message<'_>>, writer: &mut BlockWriter<'_>) {
        macro_rules! letters {
            ($($kind:ident)*) => { match &entry.message {
                $( Message::$kind(it) => {
                    let Some(data) = self.without(&it.letter) else { return writer.keep() };
                    if !data.is_empty() {
                        let letter = Letter { data: &data, ..it.letter };
                        writer.put(&Message::from(moviola_format::mvd2::$kind { letter }));
                    }
                    return;
                } )*
                _ => {}
            } };
        }
        letters!(Unicast UnicastReliable MulticastAll MulticastHear MulticastSee);
        letters!(MulticastAllReliable MulticastHearReliable MulticastSeeReliable);
        let mut buffer = Vec::new();
        match &entry.message {
            Message::ServerData(it) => {
                if let Some(entities) = self.shown(&it.entities, &mut buffer) {
                    return writer.put(&Message::from(ServerData { entities, ..*it }));
                }
            }
            Message::FrameMessage(it) => {
                if let Some(entities) = self.shown(&it.entities, &mut buffer) {
                    return writer.put(&Message::from(FrameMessage { entities, ..*it }));
                }
            }
            _ => {}
        }
        let name = entry.message.schema().name;
        let goes = match &entry.message {
            Message::Print(it) => self.takes_print(it.string.bytes(), it.level == CHAT),
            Message::Sound(_) => self.has(Content::Sounds),
            _ => false,
        };
        if goes || self.is_named(name) {
            self.count(name);
        } else {
            writer.keep();
        }
    }

    /// The list without hidden entities; `None` if it has none of them.
    fn shown<'b>(&mut self, list: &EntityChanges<'_>, buffer: &'b mut Vec<u8>) -> Option<EntityChanges<'b>> {
        let is_hidden = |it: &dm2::SpawnBaseline| self.has(Content::Entity(it.entity.0));
        let hidden = list.iter().filter(is_hidden).count();
        if hidden == 0 {
            return None;
        }
        let shown = EntityChanges::encode(list.iter().filter(|it| !is_hidden(it)), buffer);
        (0..hidden).for_each(|_| self.count(ENTITY));
        Some(shown)
    }

    /// The kept messages of a letter; `None` if all of them are kept.
    fn without<const LEAD: usize>(&mut self, letter: &Letter<'_, LEAD>) -> Option<Vec<u8>> {
        let (mut messages, mut at, mut stay) = (letter.messages(), 0, Vec::new());
        while let Some(entry) = messages.next() {
            if !self.takes_inside(&entry.message) {
                stay.extend_from_slice(letter.data.get(at..messages.pos()).unwrap_or_default());
            }
            at = messages.pos();
        }
        stay.extend_from_slice(letter.data.get(at..).unwrap_or_default());
        (stay.len() < letter.data.len()).then_some(stay)
    }

    /// Whether a message of Quake II inside of one of an MVD2 is to be removed; then it is counted.
    fn takes_inside(&mut self, message: &dm2::Message<'_>) -> bool {
        use dm2::Message as M;
        let name = message.schema().name;
        let is_removed = match message {
            M::Print(it) => self.takes_print(it.string.bytes(), it.level == CHAT),
            M::CenterPrint(_) => self.has(Content::CenterPrints),
            // Commands for one client are not joined with commands for other clients.
            M::StuffText(it) => {
                self.is_about_commands()
                    && moviola_format::commands(it.string.bytes()).any(|it| self.takes_command(it))
            }
            other => other.schema().properties.heard && self.has(Content::Sounds),
        };
        let goes = is_removed || self.is_named(name);
        if goes {
            self.count(name);
        }
        goes
    }
}
