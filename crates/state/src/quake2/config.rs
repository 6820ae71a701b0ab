//! The config strings, which the server shares with its clients.

use crate::hash::{Hash64, folds};
use crate::{Strings, Text};
use moviola_format::names::quake2::{
    CS_GENERAL, CS_IMAGES, CS_ITEMS, CS_LIGHTS, CS_MAXCLIENTS, CS_MODELS, CS_PLAYERSKINS, CS_SOUNDS,
    MAX_CONFIGSTRINGS,
};

/// The size in bytes of an engine's buffer for each string. A longer string runs over into the next; one that fills its
/// buffer continues there.
const STRING_SIZE: usize = 64;

/// The first and the last string of the status bar's program.
const STATUS_BAR: std::ops::RangeInclusive<usize> = 5..=28;

/// All config strings.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// head.step(&Block::new(b"\x0d\x1e\x008\0\x0d\x21\0maps/q2dm1.bsp\0\x0d\x20\x05Bob\\male/grunt\0"));
/// let config = &head.world.config;
/// assert_eq!((config.max_clients(), config.model(1)), (8, &b"maps/q2dm1.bsp"[..]));
/// assert_eq!(config.player(0), (&b"Bob"[..], &b"male/grunt"[..]));
/// assert_eq!((config.players().count(), config.iter().count()), (1, 3));
/// assert!(config.sound(1).is_empty() && config.image(1).is_empty() && config.light(1).is_empty());
/// assert!(config.item(1).is_empty() && config.status_bar().is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config(Strings);

folds! { Config { 0: strings } }

impl Config {
    /// The string of an index, as it was sent.
    pub fn get(&self, index: usize) -> &[u8] {
        self.0.get(index)
    }

    /// All strings that are not empty, by index.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[u8])> {
        self.0.set_ones()
    }

    /// Whether a string of this index is a player or the number of players.
    pub(super) fn is_player_string(index: i16) -> bool {
        let Ok(index) = u16::try_from(index) else { return false };
        (CS_PLAYERSKINS..CS_GENERAL).contains(&index) || index == CS_MAXCLIENTS
    }

    /// Whether a string of this index is a model.
    pub(super) fn is_model(index: i16) -> bool {
        u16::try_from(index).is_ok_and(|index| (CS_MODELS..CS_SOUNDS).contains(&index))
    }

    pub(super) fn set(&mut self, index: i16, text: Text) {
        if let Ok(index) = usize::try_from(index)
            && index < usize::from(MAX_CONFIGSTRINGS)
        {
            self.0.set(index, text);
        }
    }

    fn string_at(&self, base: u16, number: usize) -> &[u8] {
        self.get(usize::from(base).saturating_add(number))
    }

    /// A model's file; number 1 is the level.
    pub fn model(&self, number: u8) -> &[u8] {
        self.string_at(CS_MODELS, usize::from(number))
    }

    /// A sound's file.
    pub fn sound(&self, number: u8) -> &[u8] {
        self.string_at(CS_SOUNDS, usize::from(number))
    }

    /// A picture's name.
    pub fn image(&self, number: u8) -> &[u8] {
        self.string_at(CS_IMAGES, usize::from(number))
    }

    /// The flicker of a light style.
    pub fn light(&self, number: u8) -> &[u8] {
        self.string_at(CS_LIGHTS, usize::from(number))
    }

    /// An item's name.
    pub fn item(&self, number: u8) -> &[u8] {
        self.string_at(CS_ITEMS, usize::from(number))
    }

    /// A player's name, and the player's model and skin; both are empty if the slot is free.
    ///
    /// ```
    /// use moviola_format::Block;
    /// use moviola_state::{Playhead, quake2};
    /// let mut head = Playhead::<quake2::World>::new();
    /// head.step(&Block::new(b"\x0d\x20\x05Bitterman\\male/grunt\0"));
    /// assert_eq!(head.world.config.player(0), (&b"Bitterman"[..], &b"male/grunt"[..]));
    /// ```
    pub fn player(&self, number: u8) -> (&[u8], &[u8]) {
        let both = self.string_at(CS_PLAYERSKINS, usize::from(number));
        let cut = both.iter().position(|byte| *byte == b'\\').unwrap_or(both.len());
        (both.get(..cut).unwrap_or_default(), both.get(cut.saturating_add(1)..).unwrap_or_default())
    }

    /// The players in the game: number, name, model and skin.
    pub fn players(&self) -> impl Iterator<Item = (u8, &[u8], &[u8])> {
        let all = (0..=u8::MAX).map(|number| (number, self.player(number)));
        all.filter(|(_, (name, skin))| !name.is_empty() || !skin.is_empty())
            .map(|(number, (name, skin))| (number, name, skin))
    }

    /// The greatest number of players; 1 is a single player's game.
    pub fn max_clients(&self) -> u8 {
        let digits = self.get(CS_MAXCLIENTS.into()).iter().take_while(|byte| byte.is_ascii_digit());
        digits.fold(0u8, |sum, digit| sum.saturating_mul(10).saturating_add(digit & 15))
    }

    /// The program of the status bar.
    ///
    /// Id's engines send it as one long string, others in pieces of 64 bytes, each of which fills its room.
    pub fn status_bar(&self) -> Vec<u8> {
        let mut program = Vec::new();
        for index in STATUS_BAR {
            let piece = self.get(index);
            program.extend_from_slice(piece);
            if piece.len() != STRING_SIZE {
                break;
            }
        }
        program
    }

    /// Folds a model by its name; the number of a player's own model is not an index.
    pub(super) fn fold_model(&self, number: u8, hash: &mut Hash64) {
        hash.bytes(if number == u8::MAX { b"\xff" } else { self.model(number) });
    }

    /// Folds the config strings whose effect is visible without an entity: names, sky, music, status bar, lights,
    /// items, players, and the game's own additions. Models, sounds and pictures are hashed where they are used.
    pub(super) fn fold_view(&self, hash: &mut Hash64) {
        for (index, text) in self.iter() {
            if index < *STATUS_BAR.start() || index >= usize::from(CS_LIGHTS) {
                hash.add(index as u64);
                hash.bytes(text);
            }
        }
        hash.bytes(self.model(1));
        hash.bytes(&self.status_bar());
    }
}
