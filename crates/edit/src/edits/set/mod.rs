//! Sets the CD track of a recording, the names, colors and skins of its players, and the models of entities.

mod models;
mod quakeworld;
mod texts;
mod words;

use models::Models;
use texts::Names;
use words::{Setting, Value};

use crate::machinery::players::{self, Players};
use crate::{BlockWriter, EditCode, EditOutput, Error, Mistake, Rewrite};
use moviola_format::names::quake2::CS_CDTRACK;
use moviola_format::{Block, Colors, Entry, Format, Game, HeaderReader, Piece, Str, dem, dm2, qw};
use std::io::Read;

/// Sets the CD track, names, colors and skins of players, and models of entities.
///
/// ```
/// use moviola_edit::{Set, rewrite};
/// let recording = b"-1\n\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0d\0Ranger\0";
/// let mut set = Set::parse(["cdtrack=4", "player.1.name=\"**Bob**\""]).unwrap();
/// let mut edited = Vec::new();
/// let summary = rewrite(&recording[..], &mut set, &mut edited).unwrap();
/// assert_eq!(edited, b"4\n\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0d\0\xc2\xef\xe2\0");
/// assert_eq!(Set::parse(["player.1.colour=4"]).unwrap_err().column, 10);
/// ```
#[derive(Clone, Debug)]
pub struct Set {
    settings: Vec<Setting>,
    game: Game,
    /// For each setting, whether anything was found to which it applies.
    met: Vec<bool>,
    /// How many messages were changed.
    changed: u64,
    /// The players that were met.
    players: Players,
    /// Whether names are changed in texts too, and the pairs of old and new names.
    in_texts: bool,
    names: Names,
    /// How many texts contain an old name.
    texts: u64,
    /// The new models of entities.
    models: Models,
    /// Whether the header line is to be removed, and the first block was not seen yet.
    lacks_header: bool,
}

/// Whether a recording without a header line cannot begin with this byte: the first players would read it as a
/// part of that line's number.
fn is_of_a_number(byte: u8) -> bool {
    byte.is_ascii_digit() || byte.is_ascii_whitespace() || matches!(byte, b'-' | b'+' | 0x0b)
}

impl Set {
    /// Reads settings like `cdtrack=4` and `player.2.name="Bob"`.
    ///
    /// # Errors
    /// When a text is not a setting: the mistake, and its place in the text.
    pub fn parse<T: AsRef<str>>(settings: impl IntoIterator<Item = T>) -> Result<Self, Mistake> {
        let settings: Vec<Setting> =
            settings.into_iter().map(|text| words::setting(text.as_ref())).collect::<Result<_, _>>()?;
        let met = vec![false; settings.len()];
        let players = Players::default();
        Ok(Self {
            settings,
            game: Game::Quake,
            met,
            changed: 0,
            players,
            in_texts: false,
            names: Names::default(),
            texts: 0,
            models: Models::default(),
            lacks_header: false,
        })
    }

    /// Changes names also in the texts of the console and the screen: in chat, and in messages about deaths. A word
    /// that is the same as a name by chance is changed as well.
    ///
    /// ```
    /// use moviola_edit::{Set, rewrite};
    /// let recording = b"-1\n\x19\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0d\0Ranger\0\x08Ranger suicides"; // no NUL
    /// let mut set = Set::parse(["player.1.name=Bob"]).unwrap().in_texts();
    /// let mut edited = Vec::new();
    /// rewrite(&recording[..], &mut set, &mut edited).unwrap();
    /// assert!(edited.ends_with(b"\x0d\0Bob\0\x08Bob suicides\0"));
    /// ```
    #[must_use]
    pub fn in_texts(self) -> Self {
        Self { in_texts: true, ..self }
    }

    /// Whether settings give players by their names, or entities other models: then the recording must be
    /// [looked at](Self::find) first.
    ///
    /// ```
    /// assert!(!moviola_edit::Set::parse(["player.2.name=Bob"]).unwrap().has_names());
    /// ```
    pub fn has_names(&self) -> bool {
        self.settings.iter().any(|it| it.needs_player() || it.entity.is_some())
    }

    /// Finds the players in the recording whom the settings give by their names, and numbers for new models.
    ///
    /// ```
    /// use moviola_edit::{Set, rewrite};
    /// let recording = b"-1\n\x09\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x0d\0Ranger\0";
    /// let mut set = Set::parse(["player.ranger.name=Bob"]).unwrap();
    /// assert!(set.has_names());
    /// set.find(&recording[..]).unwrap();
    /// let mut edited = Vec::new();
    /// rewrite(&recording[..], &mut set, &mut edited).unwrap();
    /// assert!(edited.ends_with(b"\x0d\0Bob\0"));
    /// let mut other = Set::parse(["player.Rangr.name=Bob"]).unwrap();
    /// assert!(other.find(&recording[..]).is_err()); // did you mean `Ranger`?
    /// ```
    ///
    /// # Errors
    /// When a player is not there, or several have that name, and when the recording cannot be read.
    pub fn find<R: Read>(&mut self, source: R) -> Result<(), Error> {
        let players = self.look(source)?;
        let mut mistakes = Vec::new();
        for setting in self.settings.iter_mut().filter(|setting| setting.needs_player()) {
            match players.find(&setting.text, setting.who.clone()) {
                Ok(player) => setting.player = Some(player),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() { Ok(()) } else { Err(Error::Mistakes(mistakes)) }
    }

    /// A text with the new names; `None` if it does not change.
    fn text(&mut self, now: Str<'_>) -> Option<Vec<u8>> {
        let mut renamed = self.names.renamed(now.bytes())?;
        self.texts += 1;
        renamed.push(0);
        self.in_texts.then_some(renamed)
    }

    /// The last value for a player that `pick` takes.
    fn of_player<T>(&mut self, player: u8, pick: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let mut found = None;
        for (setting, met) in self.settings.iter().zip(&mut self.met) {
            if let (Some(value), true) = (pick(&setting.value), setting.player == Some(player)) {
                found = Some(value);
                *met = true;
            }
        }
        found
    }

    /// The setting of the CD track: a number, or no track at all.
    fn track(&mut self) -> Option<Value> {
        let mut found = None;
        for (setting, met) in self.settings.iter().zip(&mut self.met) {
            if let Value::Track(_) = setting.value {
                found = Some(setting.value.clone());
                *met = true;
            }
        }
        found
    }

    /// The new name of a player, with its NUL; `None` if the player has no name or keeps it.
    fn name(&mut self, player: u8, now: &[u8]) -> Option<Vec<u8>> {
        if now.is_empty() {
            return None;
        }
        self.players.set_name(player, now);
        let name = self.of_player(player, |value| match value {
            Value::Name(name) => Some(name.clone()),
            _ => None,
        })?;
        self.names.add(now, &name);
        Some([name.as_slice(), &b"\0"[..]].concat())
    }

    /// The config string of a Quake II player: the name, `\`, the model, `/` and the skin.
    fn identity(&mut self, player: u8, now: &[u8]) -> Option<Vec<u8>> {
        if now.is_empty() {
            return None;
        }
        let cut = now.iter().position(|byte| *byte == b'\\').unwrap_or(now.len());
        let (name, rest) = now.split_at_checked(cut)?;
        self.players.set_name(player, name);
        let new_name = self.of_player(player, |value| match value {
            Value::Name(name) => Some(name.clone()),
            _ => None,
        });
        let new_skin = self.of_player(player, |value| match value {
            Value::Skin(skin) => Some([b"\\", skin.as_slice()].concat()),
            _ => None,
        });
        if new_name.is_none() && new_skin.is_none() {
            return None;
        }
        if let Some(new) = &new_name {
            self.names.add(name, new);
        }
        let name = new_name.unwrap_or_else(|| name.to_vec());
        let rest = new_skin.unwrap_or_else(|| rest.to_vec());
        Some([name.as_slice(), rest.as_slice(), b"\0"].concat())
    }

    /// A setting that this game does not have.
    fn foreign(&self) -> Option<Mistake> {
        let setting = self.settings.iter().find(|setting| match setting.value {
            Value::Colors(_) => self.game == Game::Quake2,
            Value::Skin(ref skin) => match self.game {
                Game::Quake => true,
                Game::Quake2 => !skin.contains(&b'/'),
                Game::QuakeWorld => false,
            },
            Value::Track(_) | Value::Model(_) => self.game == Game::QuakeWorld,
            Value::Name(_) => false,
        })?;
        let (what, help) = match self.game {
            Game::QuakeWorld if setting.entity.is_some() => (
                "entities of QuakeWorld keep their models",
                "`moviola convert` converts it to Quake, where models can be set",
            ),
            Game::QuakeWorld => (
                "the CD track of QuakeWorld is a message of the server",
                "edit it as text: `moviola decompile`",
            ),
            Game::Quake => ("Quake's players have no skins", "set their colors: player.1.colors=13,4"),
            Game::Quake2 if matches!(setting.value, Value::Skin(_)) => {
                ("a skin of Quake II belongs to a model", "give both: player.1.skin=female/athena")
            }
            Game::Quake2 => {
                ("Quake II's players have no colors", "set their skins: player.1.skin=female/athena")
            }
        };
        Some(Mistake::new(EditCode::Setting, what, &*setting.text, setting.key.clone()).help(help))
    }

    fn put(&mut self, writer: &mut BlockWriter<'_>, write: impl FnOnce(&mut BlockWriter<'_>)) {
        let at = writer.written().len();
        write(writer);
        let is_so = writer.written().get(at..) == Some(writer.bytes());
        self.changed += u64::from(!is_so);
    }
}

impl Rewrite for Set {
    fn needs_messages(&self) -> Option<&'static str> {
        let is_track = |it: &Setting| matches!(it.value, Value::Track(_));
        (!self.settings.iter().all(is_track)).then_some("given other players or models")
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.game = Error::any_game(format)?;
        if self.game == Game::Quake {
            // The announcement of each level numbers the models anew.
            self.models = Models::default();
        }
        self.foreign().map_or(Ok(()), |mistake| Err(mistake.into()))
    }

    fn piece(&mut self, piece: &Piece<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if let Piece::Header(line) = piece
            && let Some(track) = self.track()
        {
            let read = HeaderReader::ALL.map(|reader| reader.read(line).map(|it| Value::Track(it.track)));
            if read.iter().all(|read| read.as_ref() == Some(&track)) {
                return out.piece(piece);
            }
            self.changed += 1;
            if let Value::Track(Some(track)) = track {
                return out.piece(&Piece::Header(format!("{track}\n").as_bytes()));
            }
            self.lacks_header = true;
            out.note("without its first line, only Quake before 1.09 plays it");
            return Ok(());
        }
        out.piece(piece)
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        match entry.message {
            dem::Message::UpdateName(it) => {
                if let Some(name) = self.name(it.player, it.netname.bytes()) {
                    let netname = Str::new(&name);
                    return self.put(writer, |writer| {
                        writer.put(&dem::Message::from(dem::UpdateName { netname, ..it }));
                    });
                }
            }
            dem::Message::UpdateColors(it) => {
                let colors = self.of_player(it.player, |value| match value {
                    Value::Colors(colors) => Some(Colors(*colors)),
                    _ => None,
                });
                if let Some(colors) = colors {
                    return self.put(writer, |writer| {
                        writer.put(&dem::Message::from(dem::UpdateColors { colors, ..it }));
                    });
                }
            }
            dem::Message::Print(it) => {
                if let Some(text) = self.text(it.string) {
                    return writer.put(&dem::Message::from(dem::Print { string: Str::new(&text) }));
                }
            }
            dem::Message::CenterPrint(it) => {
                if let Some(text) = self.text(it.string) {
                    return writer.put(&dem::Message::from(dem::CenterPrint { string: Str::new(&text) }));
                }
            }
            dem::Message::ServerInfo(it) => {
                if self.announce(&it, writer) {
                    return;
                }
            }
            message => {
                if let Some(message) = self.with_model(&message) {
                    return self.put(writer, |writer| writer.put(&message));
                }
            }
        }
        writer.keep();
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        let text = match entry.message {
            dm2::Message::Print(it) => self.text(it.string),
            dm2::Message::CenterPrint(it) => self.text(it.string),
            _ => None,
        };
        if let Some(text) = text {
            let string = Str::new(&text);
            let message = match entry.message {
                dm2::Message::Print(it) => dm2::Print { string, ..it }.into(),
                _ => dm2::CenterPrint { string }.into(),
            };
            return writer.put_entry(&Entry { message, ..*entry });
        }
        if self.put_model2(entry, writer) {
            return;
        }
        if let dm2::Message::ServerData(_) = entry.message {
            writer.keep();
            return self.announce2(writer);
        }
        if let dm2::Message::ConfigString(it) = entry.message {
            let string = if it.index == CD_TRACK {
                let number = |track| if let Value::Track(Some(number)) = track { number } else { 0 };
                self.track().map(|track| format!("{}\0", number(track)).into_bytes())
            } else if let Some(player) = players::player_of(it.index) {
                self.identity(player, it.string.bytes())
            } else {
                None
            };
            if let Some(string) = string {
                let message = dm2::ConfigString { string: Str::new(&string), ..it };
                let entry = Entry { message: dm2::Message::from(message), ..*entry };
                return self.put(writer, |writer| writer.put_entry(&entry));
            }
        }
        writer.keep();
    }

    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn moves_end(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.of_quakeworld(entry, writer);
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, out: &mut EditOutput<'_>) -> Result<(), Error> {
        if std::mem::take(&mut self.lacks_header) {
            let length = Block::new(writer.written()).length.to_le_bytes();
            if length.first().is_some_and(|byte| is_of_a_number(*byte)) {
                let why =
                    "the first line cannot be removed: the size of the first block would be read as a number";
                return Err(Error::Impossible(why.into()));
            }
        }
        writer.write(out)
    }

    fn end(&mut self, out: &mut EditOutput<'_>) -> Result<(), Error> {
        let lines = |count: u64| format!("{count} text{}", if count == 1 { "" } else { "s" });
        match (self.texts, self.in_texts) {
            (0, _) => {}
            (texts, true) => out.note(format!("the name was changed in {} too", lines(texts))),
            (texts, false) => out.note(format!(
                "the old name stays in {} of the console or the screen: --in-texts changes it there",
                lines(texts)
            )),
        }
        if let Some(error) = self.without_room() {
            return Err(error);
        }
        let unmet = self.settings.iter().zip(&self.met).filter(|(_, met)| !**met);
        let mistakes: Vec<Mistake> = unmet
            .map(|(setting, _)| {
                if let Some(entity) = setting.entity {
                    let message = format!("there is no entity {entity} with a model");
                    let mistake =
                        Mistake::new(EditCode::NoTarget, message, &*setting.text, setting.key.clone());
                    return mistake.help("`moviola decompile` shows the entities with their numbers");
                }
                let is_absent = setting.player.is_some_and(|player| !self.players.has(player));
                let message = if is_absent { "no such player" } else { "the recording never sets this" };
                let mistake =
                    Mistake::new(EditCode::NoSuchPlayer, message, &*setting.text, setting.key.clone());
                if is_absent { mistake.help(self.players.listed()) } else { mistake }
            })
            .collect();
        if mistakes.is_empty() { Ok(()) } else { Err(Error::Mistakes(mistakes)) }
    }

    fn outcome(&self) -> String {
        if self.changed == 0 && self.met.iter().any(|met| *met) {
            return "it has these values already".into();
        }
        let plural = if self.changed == 1 { "" } else { "s" };
        format!("{} place{plural} set", self.changed)
    }
}

/// The config string with the CD track (`CS_CDTRACK`).
const CD_TRACK: i16 = CS_CDTRACK as i16;
