//! A printer's knowledge of a level, for comments that name numbers.

use moviola_format::names::{Meaning, Name, palette_name, quake2, readable};
use moviola_format::{
    ClientRecords, Context, Dialect, FrameHead, Game, Hidden, Mvd2, Q2proLimits, Quake, Quake2, QuakeWorld,
};
use moviola_format::{NameList, Str, dem, dm2, info_value, mvd2, qw};
use std::io::Write;

/// The names that a recording gives to numbers, and the facts that comments about cheating need.
///
/// ```
/// use moviola_format::{Quake, dem};
/// use moviola_text::{LevelNames, TextDialect};
/// let mut level = LevelNames::default();
/// Quake::take_names(&dem::Message::UpdateName(dem::UpdateName::default()), &mut level);
/// ```
#[derive(Debug, Default)]
pub struct LevelNames {
    models: Vec<Label>,
    sounds: Vec<Label>,
    /// The players' names by slot; empty if none was given.
    players: Vec<Label>,
    /// Quake II's config strings by number.
    texts: Vec<Option<Label>>,
    maxclients: u8,
    /// Quake II's limits, which decide the numbers of config strings.
    limits: Q2proLimits,
    /// Health and armor before the damage of this block.
    vitals: Option<(i32, i32)>,
    damage: Option<(i32, i32)>,
}

/// The longest name that comments print in full: no engine has longer ones, but a hostile file may have
/// thousands of letters.
const LONGEST: usize = 256;

/// A string of the recording in the form that comments have.
fn shortened(bytes: &[u8]) -> String {
    match bytes.get(..LONGEST) {
        Some(start) if bytes.len() > LONGEST => readable(start) + "...",
        _ => readable(bytes),
    }
}

/// A name that the recording gives, and the end of a line with it.
#[derive(Clone, Debug, Default)]
struct Label {
    name: String,
    ending: Option<Box<Ending>>,
}

impl Label {
    fn new(name: String) -> Self {
        let ending = Ending::new(format!("; // {name}\n").as_bytes());
        Self { name, ending }
    }

    /// A model or a sound. The level's own models have numbers for names, which explain nothing.
    fn listed(name: String) -> Self {
        if name.starts_with('*') { Self { name, ending: Ending::new(b";\n") } } else { Self::new(name) }
    }
}

/// The end of a line, ready to be copied in one step.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    text: [u8; Self::ROOM],
    len: usize,
}

impl Ending {
    /// The greatest length; longer ends are built each time they are needed.
    pub(crate) const ROOM: usize = 48;

    pub(crate) fn new(text: &[u8]) -> Option<Box<Self>> {
        let mut it = Self { text: [0; Self::ROOM], len: text.len() };
        it.text.get_mut(..text.len())?.copy_from_slice(text);
        Some(Box::new(it))
    }

    /// Copies it, and returns its length; the bytes after that are not part of it.
    #[inline(always)]
    pub(crate) fn put(&self, place: &mut [u8; Self::ROOM]) -> usize {
        *place = self.text;
        self.len
    }
}

/// The name of a number.
pub(crate) enum NumberName<'l> {
    /// A name of this recording.
    Text(&'l str),
    /// A name of the game.
    Name(Name),
}

impl NumberName<'_> {
    /// Appends the name.
    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        match *self {
            Self::Text(text) => out.extend_from_slice(text.as_bytes()),
            Self::Name(Name::Word(word)) => out.extend_from_slice(word.as_bytes()),
            // Writing to memory does not fail.
            Self::Name(name) => drop(write!(out, "{name}")),
        }
    }
}

impl LevelNames {
    /// The name of a number, if it has one. The meaning of a stat or a skin depends on a number before it: on
    /// the stat's index, or on whether the model is the players' own.
    pub(crate) fn name(
        &self,
        meaning: Meaning,
        value: i64,
        previous: i64,
        game: Game,
    ) -> Option<NumberName<'_>> {
        match meaning {
            Meaning::Model => Self::listed(&self.models, value),
            Meaning::Sound => Self::listed(&self.sounds, value),
            Meaning::Player => self.player(value),
            Meaning::Skin if previous == quake2::PLAYERS_MODEL => self.player(value),
            Meaning::Entity if self.is_player(value) => self.player(value - 1),
            Meaning::Number | Meaning::Entity | Meaning::Counts(_) | Meaning::Skin => None,
            Meaning::Config(quake2::CS_MODELS) if value == quake2::PLAYERS_MODEL => {
                Some(NumberName::Text("the player's own"))
            }
            Meaning::Config(base) => self.config(base, value).filter(|_| value != 0),
            Meaning::Palette => {
                u8::try_from(value).ok().map(|color| NumberName::Text(palette_name(game, color)))
            }
            Meaning::StatValue => match quake2::stat_meaning(previous) {
                Meaning::Config(base) if value == 0 => quake2::off_word(base).map(NumberName::Text),
                meaning @ Meaning::Config(_) => self.name(meaning, value, previous, game),
                meaning => meaning.name(value).map(NumberName::Name),
            },
            Meaning::ConfigIndex if self.limits.is_extended() => {
                let (role, number) = quake2::q2pro_role(value)?;
                let name = number.map_or(Name::Word(role), |number| Name::Numbered(role, number));
                Some(NumberName::Name(name))
            }
            Meaning::Value(_)
            | Meaning::Bits(_)
            | Meaning::Range(_)
            | Meaning::Solid
            | Meaning::ConfigIndex => meaning.name(value).map(NumberName::Name),
        }
    }

    /// The end of a line whose one number has a name in this recording, if it is ready.
    #[inline]
    pub(crate) fn ending(&self, meaning: Meaning, value: i64) -> Option<&Ending> {
        let label = match meaning {
            Meaning::Model => Self::nth(&self.models, value.checked_sub(1)?),
            Meaning::Sound => Self::nth(&self.sounds, value.checked_sub(1)?),
            Meaning::Entity => Self::nth(&self.players, value.checked_sub(1)?),
            Meaning::Config(quake2::CS_MODELS) if value == quake2::PLAYERS_MODEL => None,
            Meaning::Config(base) if value != 0 => self.config_label(base, value),
            _ => None,
        };
        label?.ending.as_deref()
    }

    fn nth(labels: &[Label], at: i64) -> Option<&Label> {
        labels.get(usize::try_from(at).ok()?)
    }

    fn config_label(&self, base: u16, number: i64) -> Option<&Label> {
        let number = u16::try_from(number).ok()?;
        let index = match base {
            1.. if self.limits.is_extended() => quake2::q2pro_config(base, number)?,
            _ => base.checked_add(number)?,
        };
        self.texts.get(usize::from(index))?.as_ref()
    }

    /// The config string at a base plus a number.
    pub(crate) fn config(&self, base: u16, number: i64) -> Option<NumberName<'_>> {
        self.config_label(base, number).map(|label| NumberName::Text(&label.name))
    }

    /// Whether an entity is a player's.
    #[inline]
    pub(crate) fn is_player(&self, entity: i64) -> bool {
        (1..=i64::from(self.maxclients)).contains(&entity)
    }

    /// A model or a sound by its number; the level's own models have numbers for names.
    fn listed(labels: &[Label], value: i64) -> Option<NumberName<'_>> {
        let Label { name, .. } = Self::nth(labels, value.checked_sub(1)?)?;
        (!name.starts_with('*')).then_some(NumberName::Text(name))
    }

    fn player(&self, slot: i64) -> Option<NumberName<'_>> {
        let Label { name, .. } = Self::nth(&self.players, slot)?;
        (!name.is_empty()).then_some(NumberName::Text(name))
    }

    fn set_player(&mut self, slot: u8, name: String) {
        let slot = usize::from(slot);
        if self.players.len() <= slot {
            self.players.resize(slot + 1, Label::default());
        }
        if let Some(place) = self.players.get_mut(slot) {
            *place = if name.is_empty() { Label::default() } else { Label::new(name) };
        }
    }

    /// Reads a config string of Quake II.
    fn take_config(&mut self, index: i16, string: Str<'_>) {
        const FIRST_SKIN: i16 = quake2::CS_PLAYERSKINS as i16;
        let slot = self.limits.id_config(index).and_then(|at_id| at_id.checked_sub(FIRST_SKIN));
        let Ok(index) = u16::try_from(index) else { return };
        let text = shortened(string.bytes());
        if let Some(slot) = slot.and_then(|n| u8::try_from(n).ok()) {
            let name = text.split('\\').next().unwrap_or_default();
            self.set_player(slot, name.to_owned());
            self.maxclients = self.maxclients.max(slot.saturating_add(1));
        }
        let index = usize::from(index);
        if self.texts.len() <= index {
            self.texts.resize(index + 1, None);
        }
        if let Some(place) = self.texts.get_mut(index) {
            *place = Some(Label::new(text));
        }
    }

    /// LMPC's comment if a hit did not change health and armor by the points of damage.
    fn hit_comment(&mut self, health: i32, armor: i32) -> Option<&'static str> {
        let before = self.vitals.replace((health, armor));
        let (save, take) = self.damage.take()?;
        let (was_health, was_armor) = before?;
        match (health == was_health - take, armor == was_armor - save) {
            (true, true) => None,
            (false, _) => Some("unexpected health: do you cheat?"),
            (true, false) => Some("unexpected armorvalue: do you cheat?"),
        }
    }
}

/// A game's table with the functions that its text needs beside the rows. They affect only comments.
///
/// ```
/// use moviola_format::{Quake, Seconds, dem};
/// use moviola_text::TextDialect;
/// let time = dem::Message::Time(dem::Time { time: Seconds::new(2.5).into() });
/// assert_eq!(Quake::time(&time), Some(2.5));
/// assert!(!Quake::begins_level(&time));
/// ```
pub trait TextDialect: Dialect {
    /// Reads the names in a message.
    fn take_names(message: &Self::Message<'_>, level: &mut LevelNames) {
        let _ = (message, level);
    }
    /// The note about a message as a whole.
    fn note(message: &Self::Message<'_>, level: &mut LevelNames) -> Option<&'static str> {
        let _ = (message, level);
        None
    }
    /// Whether messages of this id give no names, break no habit, and have no note.
    fn is_quiet(op: u8) -> bool {
        let _ = op;
        false
    }
    /// The game time that a message sets, in seconds.
    fn time(message: &Self::Message<'_>) -> Option<f64> {
        let _ = message;
        None
    }
    /// The game time that a block's first message sets, if it can be found without reading the message.
    fn time_of_first(block: &[u8]) -> Option<f64> {
        let _ = block;
        None
    }
    /// Whether a level begins, with which the habits begin anew.
    fn begins_level(message: &Self::Message<'_>) -> bool {
        let _ = message;
        false
    }
    /// Whether the protocol is changed by this message, or depends on the one before.
    fn changes_protocol(message: &Self::Message<'_>) -> bool {
        let _ = message;
        false
    }
    /// A habit of this message that differs from the context, so that the text must state it first.
    fn habit(message: &Self::Message<'_>, context: &Context) -> Option<bool> {
        let _ = (message, context);
        None
    }
}

impl TextDialect for Quake {
    fn take_names(message: &Self::Message<'_>, level: &mut LevelNames) {
        match message {
            dem::Message::ServerInfo(it) => {
                let names = |list: moviola_format::StrList<'_>| {
                    list.iter().map(|name| Label::listed(shortened(name.bytes()))).collect()
                };
                *level = LevelNames {
                    models: names(it.precache.models()),
                    sounds: names(it.precache.sounds()),
                    maxclients: it.maxclients,
                    ..LevelNames::default()
                };
            }
            dem::Message::UpdateName(it) => {
                level.set_player(it.player, shortened(it.netname.bytes()));
            }
            dem::Message::Damage(it) => level.damage = Some((i32::from(it.save), i32::from(it.take))),
            _ => {}
        }
    }

    fn note(message: &Self::Message<'_>, level: &mut LevelNames) -> Option<&'static str> {
        match message {
            dem::Message::ClientData(it) => level.hit_comment(i32::from(it.health), i32::from(it.armorvalue)),
            dem::Message::Bad(_) => Some("something is wrong"),
            dem::Message::SpawnBinary(_) => Some("Illegible server message"),
            _ => None,
        }
    }

    fn time(message: &Self::Message<'_>) -> Option<f64> {
        match message {
            dem::Message::Time(it) => Some(f64::from(it.time.value())),
            _ => None,
        }
    }

    #[inline(always)]
    fn is_quiet(op: u8) -> bool {
        !matches!(
            op,
            dem::UpdateName::OP
                | dem::Damage::OP
                | dem::Bad::OP
                | dem::SpawnBinary::OP
                | dem::ClientData::OP
                | dem::ServerInfo::OP
                | dem::Version::OP
        )
    }

    fn begins_level(message: &Self::Message<'_>) -> bool {
        matches!(message, dem::Message::ServerInfo(_))
    }

    fn changes_protocol(message: &Self::Message<'_>) -> bool {
        matches!(message, dem::Message::Version(_))
    }

    fn habit(message: &Self::Message<'_>, context: &Context) -> Option<bool> {
        let dem::Message::ClientData(it) = message else { return None };
        let set = it.sets_items_bit();
        (it.items.sent && set != context.items_bit).then_some(set)
    }
}

impl TextDialect for Quake2 {
    fn take_names(message: &Self::Message<'_>, level: &mut LevelNames) {
        match message {
            dm2::Message::ServerData(it) => {
                *level = LevelNames {
                    limits: Q2proLimits::of_protocol(it.serverversion),
                    ..LevelNames::default()
                };
            }
            dm2::Message::ConfigString(it) => level.take_config(it.index, it.string),
            _ => {}
        }
    }

    fn note(message: &Self::Message<'_>, _: &mut LevelNames) -> Option<&'static str> {
        matches!(message, dm2::Message::Bad(_)).then_some("something is wrong")
    }

    #[inline(always)]
    fn is_quiet(op: u8) -> bool {
        !matches!(op, dm2::ConfigString::OP | dm2::Bad::OP | dm2::ServerData::OP)
    }

    fn time(message: &Self::Message<'_>) -> Option<f64> {
        match message {
            dm2::Message::FrameMessage(it) => Some(frame_time(it.head.seq1)),
            _ => None,
        }
    }

    /// The time of the frame with which a block begins. Only the number is read, as all forms of a frame's
    /// head share it.
    fn time_of_first(block: &[u8]) -> Option<f64> {
        let (op, head) = block.split_first()?;
        let number = FrameHead::number(head).filter(|_| *op == dm2::FrameMessage::OP)?;
        Some(frame_time(number))
    }
}

impl TextDialect for Mvd2 {
    fn take_names(message: &Self::Message<'_>, level: &mut LevelNames) {
        match message {
            mvd2::Message::ServerData(it) => {
                *level = LevelNames::default();
                it.config.iter().for_each(|it| level.take_config(it.index, it.string));
            }
            mvd2::Message::ConfigString(it) => level.take_config(it.index, it.string),
            _ => {}
        }
    }

    fn begins_level(message: &Self::Message<'_>) -> bool {
        matches!(message, mvd2::Message::ServerData(_))
    }
}

impl TextDialect for QuakeWorld {
    fn take_names(message: &Self::Message<'_>, level: &mut LevelNames) {
        match message {
            qw::Message::ServerData(_) => *level = LevelNames { maxclients: 32, ..LevelNames::default() },
            qw::Message::ModelList(it) => level.models = listed(std::mem::take(&mut level.models), &it.list),
            qw::Message::ModelListShort(it) => {
                level.models = listed(std::mem::take(&mut level.models), &it.list);
            }
            qw::Message::SoundList(it) => level.sounds = listed(std::mem::take(&mut level.sounds), &it.list),
            qw::Message::UpdateUserInfo(it) => {
                level.set_player(
                    it.player,
                    shortened(info_value(it.string.bytes(), NAME).unwrap_or_default()),
                );
            }
            qw::Message::SetInfo(it) if it.name.bytes() == NAME => {
                level.set_player(it.player, shortened(it.string.bytes()));
            }
            _ => {}
        }
    }

    #[inline(always)]
    fn is_quiet(op: u8) -> bool {
        !matches!(
            op,
            qw::ServerData::OP
                | qw::ModelList::OP
                | qw::ModelListShort::OP
                | qw::SoundList::OP
                | qw::UpdateUserInfo::OP
                | qw::SetInfo::OP
        )
    }

    fn begins_level(message: &Self::Message<'_>) -> bool {
        matches!(message, qw::Message::ServerData(_))
    }

    fn changes_protocol(message: &Self::Message<'_>) -> bool {
        matches!(message, qw::Message::ServerData(_))
    }
}

/// The key of a player's name in the user info.
// not from SCHEMA: a key of the user info
const NAME: &[u8] = b"name";

/// Adds one part to a list of names.
fn listed<const KIND: u8>(mut labels: Vec<Label>, part: &NameList<'_, KIND>) -> Vec<Label> {
    let first = usize::from(part.first.unwrap_or_default());
    labels.resize(first, Label::default());
    labels.extend(part.names.iter().map(|name| Label::listed(shortened(name.bytes()))));
    labels
}

impl TextDialect for Hidden {}

impl TextDialect for ClientRecords {}

/// Ten frames are a second.
fn frame_time(number: i32) -> f64 {
    f64::from(number) / 10.0
}

/// The game time that a block announces in its first messages.
pub(crate) fn block_time<D: TextDialect>(data: &[u8], context: Context) -> Option<f64> {
    /// Reliable messages may precede a frame.
    const LOOK: usize = 4;
    if let Some(time) = D::time_of_first(data).filter(|_| !context.raw) {
        return Some(time);
    }
    moviola_format::Messages::<D>::new(data, context).take(LOOK).find_map(|entry| D::time(&entry.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a block of Quake II in which player 1 is `grunt`.
    fn printed(entity: dm2::SpawnBaseline) -> String {
        let skin = dm2::ConfigString {
            index: (quake2::CS_PLAYERSKINS + 1) as i16,
            string: moviola_format::Str::new(b"grunt\\male/grunt\0"),
        };
        let mut block = Vec::new();
        moviola_format::write_message(&dm2::Message::from(skin), &mut block, &Context::quake2());
        moviola_format::write_message(&dm2::Message::from(entity), &mut block, &Context::quake2());
        let file = [&(block.len() as u32).to_le_bytes()[..], &block].concat();
        let mut text = Vec::new();
        crate::decompile(&file[..], &mut text, &crate::DecompileOptions::default()).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn a_skin_of_the_players_model_is_a_players() {
        use moviola_format::{EntityBits, Flags, Scalar, Skin};
        let (skin, context) = (Skin(2 << 8 | 1), Context::quake2());
        let bits = dm2::SpawnBaseline::modelindex | skin.implied(0, &context);
        let flags = EntityBits::canonical(bits, &context);
        let entity = dm2::SpawnBaseline { flags, modelindex: 255, skin, ..Default::default() };
        let text = printed(entity);
        assert!(
            text.contains("  modelindex 255; // the player's own\n  skin 1; // grunt\n  vwep 2;\n"),
            "{text}"
        );
        let text = printed(dm2::SpawnBaseline { modelindex: 3, ..entity });
        assert!(text.contains("  skin 1;\n"), "{text}");
    }
}
