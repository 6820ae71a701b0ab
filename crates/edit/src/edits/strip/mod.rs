//! Removes messages of a kind from a recording: chat, prints, sounds, commands, messages by their names, or
//! entities.

mod commands;
mod content;
mod of_match;
mod quakeworld;

pub(super) use commands::is_safe;

use content::Content;
use quakeworld::{AddressInJson, Talkers};

use crate::{BlockWriter, EditOutput, Error, Mistake, Rewrite};
use moviola_format::{Command, Deltas, Entry, Format, Message as _, Str, dem, dm2, hidden, mvd2, names, qw};
use std::collections::BTreeMap;

/// Removes messages from a recording.
///
/// ```
/// use moviola_edit::{Strip, rewrite};
/// let recording = b"-1\n\x0f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x09bind x quit\0\x02";
/// let mut edited = Vec::new();
/// let summary = rewrite(&recording[..], &mut Strip::parse("commands").unwrap(), &mut edited).unwrap();
/// assert_eq!(edited, b"-1\n\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\x02");
/// assert_eq!(summary.about, "1 command out");
/// assert_eq!(summary.notes, ["commands: bind"]);
/// assert_eq!(Strip::parse("chat, sond").unwrap_err().column, 7);
/// ```
#[derive(Clone, Debug)]
pub struct Strip {
    what: Vec<Content>,
    /// The number of removed messages, by name.
    out: BTreeMap<&'static str, u64>,
    /// The number of removed commands, by name.
    commands: BTreeMap<String, u64>,
    /// The commands of the block that have no end yet: engines join the pieces of a command.
    unfinished: Vec<u8>,
    paused: bool,
    /// The entity from which the player sees (Quake).
    view: Option<u16>,
    /// An entity that was to be hidden and stays, because the player sees from it.
    view_entity: Option<u16>,
    /// Whether the block has anything that a game does not repeat during a pause.
    eventful: bool,
    /// The place in KTX's statistics.
    address: AddressInJson,
    /// The players and the spectators of a recording of QuakeWorld.
    talkers: Talkers,
}

impl Strip {
    /// Reads the kinds to remove: words and names of messages, with commas or blanks between.
    ///
    /// # Errors
    /// An unknown word, with its place.
    pub fn parse(words: &str) -> Result<Self, Mistake> {
        Ok(Self {
            what: content::parse(words)?,
            out: BTreeMap::new(),
            commands: BTreeMap::new(),
            unfinished: Vec::new(),
            paused: false,
            view: None,
            view_entity: None,
            eventful: true,
            address: AddressInJson::default(),
            talkers: Talkers::default(),
        })
    }

    /// The words that [`Strip::parse`] takes, for programs that offer them.
    ///
    /// ```
    /// use moviola_edit::Strip;
    /// assert!(Strip::words().any(|word| word == "chat"));
    /// assert!(Strip::words().all(|word| Strip::parse(word).is_ok()));
    /// ```
    pub fn words() -> impl Iterator<Item = &'static str> {
        content::words()
    }

    #[expect(clippy::needless_pass_by_value, reason = "most of these commands are names without a value")]
    fn has(&self, what: Content) -> bool {
        self.what.contains(&what)
    }

    /// Whether messages of this name are to be removed.
    fn is_named(&self, name: &'static str) -> bool {
        self.has(Content::Message(name))
    }

    /// Writes the changes of entities in a frame of Quake II without the hidden ones; returns false if it has
    /// none of them.
    fn hide2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) -> bool {
        let dm2::Message::PacketEntities(it) = entry.message else { return false };
        let is_hidden = |it: &dm2::SpawnBaseline| self.has(Content::Entity(it.entity.0));
        let hidden = it.entities.iter().filter(is_hidden).count();
        if hidden == 0 {
            return false;
        }
        let (stays, mut buffer) = (it.entities.iter().filter(|it| !is_hidden(it)), Vec::new());
        let message = dm2::PacketEntities { entities: Deltas::encode(stays, &mut buffer) };
        writer.put_entry(&Entry { message: dm2::Message::from(message), ..*entry });
        (0..hidden).for_each(|_| self.count(ENTITY));
        true
    }

    /// Whether an entity of Quake is hidden. The entity of the view is never hidden: engines take the view's position
    /// from it, and do not draw it.
    fn hides(&mut self, entity: u16) -> bool {
        let is_hidden = self.has(Content::Entity(entity));
        if is_hidden && self.view == Some(entity) {
            self.view_entity = Some(entity);
            return false;
        }
        is_hidden
    }

    fn count(&mut self, name: &'static str) {
        *self.out.entry(name).or_default() += 1;
    }

    /// Whether a line of the console is to be removed.
    fn takes_print(&self, text: &[u8], is_chat: bool) -> bool {
        // This line names the engine that made the recording.
        let is_version = text.starts_with(b"\x02\nVERSION ");
        let is_pause = || {
            let line = names::readable(text);
            line.ends_with(" paused the game") || line.ends_with(" unpaused the game")
        };
        self.has(Content::Prints) && !is_version
            || self.has(Content::Chat) && is_chat
            || self.has(Content::Cheats) && commands::is_cheat_line(text)
            || self.has(Content::Pauses) && !is_chat && is_pause()
    }

    fn is_about_commands(&self) -> bool {
        self.has(Content::Commands)
            || self.has(Content::Fades)
            || self.has(Content::Cheats)
            || self.is_named(dem::StuffText::SCHEMA.name)
    }

    fn takes_command(&self, command: Command<'_>) -> bool {
        !commands::is_needed(command)
            && (self.has(Content::Commands) && !commands::is_harmless(command)
                || self.has(Content::Fades) && commands::is_fade(command)
                || self.has(Content::Cheats) && commands::is_cheat(command)
                || self.is_named(dem::StuffText::SCHEMA.name) && !commands::name(command).is_empty())
    }

    /// The commands of a text that are kept, starting with the unfinished one of the text before it.
    fn commands(&mut self, text: &[u8], is_last: bool) -> Vec<u8> {
        let all = [std::mem::take(&mut self.unfinished).as_slice(), text].concat();
        let mut kept_commands = Vec::new();
        for command in moviola_format::commands(&all) {
            if !is_last && !command.is_finished() {
                self.unfinished = command.bytes().to_vec();
            } else if self.takes_command(command) {
                *self.commands.entry(commands::name(command)).or_default() += 1;
            } else {
                kept_commands.extend_from_slice(command.bytes());
            }
        }
        kept_commands
    }

    /// Handles a text for the console; returns false if it stays.
    fn console_text(&mut self, text: &[u8], writer: &mut BlockWriter<'_>) -> bool {
        if !self.is_about_commands() {
            return false;
        }
        let was_whole = self.unfinished.is_empty();
        let kept = self.commands(text, false);
        if was_whole && kept == text {
            return false;
        }
        put_commands(&kept, writer);
        true
    }
}

fn put_commands(kept: &[u8], writer: &mut BlockWriter<'_>) {
    if kept.is_empty() {
        return;
    }
    let wire = [kept, &[0]].concat();
    let string = Str::new(&wire);
    match writer.context().game {
        moviola_format::Game::Quake | moviola_format::Game::QuakeWorld => {
            writer.put(&dem::Message::from(dem::StuffText { string }));
        }
        moviola_format::Game::Quake2 => writer.put(&dm2::Message::from(dm2::StuffText { string })),
    }
}

impl Rewrite for Strip {
    fn needs_updates(&self) -> Option<&'static str> {
        self.what.iter().any(|what| matches!(what, Content::Entity(_))).then_some("hidden")
    }

    fn needs_messages(&self) -> Option<&'static str> {
        Some("stripped")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        Error::game_or_mvd2(format).map(drop)
    }

    fn block(&mut self, _: &mut BlockWriter<'_>) {
        self.eventful = !self.paused;
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        use dem::Message as M;
        let name = entry.message.schema().name;
        let is_removed = match &entry.message {
            M::Print(it) => self.takes_print(it.string.bytes(), it.string.bytes().first() == Some(&1)),
            M::CenterPrint(_) => self.has(Content::CenterPrints),
            other if other.schema().properties.heard => self.has(Content::Sounds),
            M::SetPause(it) => {
                self.paused = it.pausestate != 0;
                self.has(Content::Pauses)
            }
            M::StuffText(it) => {
                if !self.console_text(it.string.bytes(), writer) {
                    writer.keep();
                }
                self.eventful = true;
                return;
            }
            M::UpdateEntity(it) if self.hides(it.entity.0) => {
                self.count(ENTITY);
                return;
            }
            M::SetView(it) => {
                self.view = Some(it.entity as u16);
                self.is_named(name)
            }
            M::Time(_) | M::ClientData(_) | M::UpdateEntity(_) | M::Nop(_) => self.is_named(name),
            M::ServerInfo(_) => {
                self.paused = false;
                self.eventful = true;
                false
            }
            _ => false,
        };
        if is_removed || self.is_named(name) {
            self.count(name);
            return;
        }
        self.eventful |=
            !matches!(entry.message, M::Time(_) | M::ClientData(_) | M::UpdateEntity(_) | M::Nop(_));
        writer.keep();
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        use dm2::Message as M;
        let name = entry.message.schema().name;
        self.eventful = true;
        if self.hide2(entry, writer) {
            return;
        }
        let is_removed = match &entry.message {
            M::Print(it) => self.takes_print(it.string.bytes(), it.level == CHAT),
            M::CenterPrint(_) => self.has(Content::CenterPrints),
            other if other.schema().properties.heard => self.has(Content::Sounds),
            // A unicast command of a Relay recording is judged alone; its text is not joined to pieces sent
            // to other clients.
            M::StuffText(it) if entry.unicast.is_some() => {
                self.is_about_commands()
                    && moviola_format::commands(it.string.bytes()).any(|it| self.takes_command(it))
            }
            M::StuffText(it) => {
                if !self.console_text(it.string.bytes(), writer) {
                    writer.keep();
                }
                return;
            }
            _ => false,
        };
        if is_removed || self.is_named(name) {
            self.count(name);
        } else {
            writer.keep();
        }
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn moves_end(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.eventful = true;
        self.of_server(entry, writer);
    }

    fn knows_mvd2(&self) -> bool {
        true
    }

    fn mvd2(&mut self, entry: &Entry<mvd2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.eventful = true;
        self.of_match(entry, writer);
    }

    fn hidden(&mut self, entry: &Entry<hidden::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let name = entry.message.schema().name;
        if self.has(Content::Hidden) || self.is_named(name) {
            self.count(name);
        } else if !self.blanks(&entry.message, writer) {
            writer.keep();
        }
    }

    fn remainder(&mut self, _: moviola_format::Fault, writer: &mut BlockWriter<'_>) {
        self.eventful = true;
        writer.keep();
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if !self.unfinished.is_empty() {
            let kept = self.commands(b"", true);
            put_commands(&kept, writer);
        }
        if self.has(Content::Pauses) && !self.eventful && !writer.block().is_from_client() {
            return Ok(());
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if !self.commands.is_empty() {
            let name = |(name, count): (&String, &u64)| {
                let name = names::readable(name.as_bytes());
                if *count == 1 { name } else { format!("{name} ({count} times)") }
            };
            let list: Vec<String> = self.commands.iter().map(name).collect();
            out.note(format!("commands: {}", list.join(", ")));
        }
        if let Some(entity) = self.view_entity {
            out.note(format!(
                "entity {entity} stays while the player sees through its eyes; it is not drawn then"
            ));
        }
        Ok(())
    }

    fn outcome(&self) -> String {
        let mut parts: Vec<String> = self.out.iter().map(|(name, count)| counted(*count, name)).collect();
        let commands: u64 = self.commands.values().sum();
        if commands > 0 {
            // not from SCHEMA: the English word.
            parts.push(counted(commands, "command"));
        }
        if parts.is_empty() { "it has none of that".into() } else { format!("{} out", parts.join(", ")) }
    }
}

/// A number with its English noun, in the singular or the plural.
fn counted(count: u64, name: &str) -> String {
    let ends_in_a_vowel = |stem: &str| stem.ends_with(['a', 'e', 'o', 'u']);
    match name.strip_suffix('y').filter(|stem| !ends_in_a_vowel(stem)) {
        _ if count == 1 => format!("1 {name}"),
        Some(_) if name == ENTITY => format!("{count} updates of entities"),
        Some(stem) => format!("{count} {stem}ies"),
        None => format!("{count} {name}{}", if name.ends_with('h') { "es" } else { "s" }),
    }
}

/// An entity in a frame, as the outcome names it.
const ENTITY: &str = "update of an entity"; // not from SCHEMA: words for people

/// The level at which Quake II prints what players say (`PRINT_CHAT`).
const CHAT: u8 = names::value(names::quake2::PRINT_LEVEL, "PRINT_CHAT") as u8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_counted_in_english() {
        let two = ["key", "entity", "flash", "command"].map(|name| counted(2, name));
        assert_eq!(two, ["2 keys", "2 entities", "2 flashes", "2 commands"]);
        assert_eq!((counted(1, "key"), counted(2, ENTITY)), ("1 key".into(), "2 updates of entities".into()));
    }
}
