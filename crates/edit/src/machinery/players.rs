//! Players as people name them: by number, counted from 1, or by a part of a name. A pass over the recording
//! finds them.

use crate::{BlockWriter, EditCode, Mistake, Rewrite};
use moviola_format::names::{quake2, readable};
use moviola_format::{Entry, dem, dm2, info_value, qw};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The players of a recording by their numbers, counted from 0, with the names that each of them had.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Players {
    names: BTreeMap<u8, Vec<String>>,
    /// The slots of `QuakeWorld` that held a player at some time, and not only a spectator.
    playing: BTreeSet<u8>,
}

/// No recording has had more names.
const MAX_NAMES: usize = 256;

impl Players {
    /// Notes that there is a player of this number, whose name may be unknown.
    pub(crate) fn add(&mut self, player: u8) {
        self.names.entry(player).or_default();
    }

    /// Gives the player this name from now on; an empty name, of a player who left, changes nothing.
    pub(crate) fn set_name(&mut self, player: u8, name: &[u8]) {
        if !name.is_empty() {
            let (names, name) = (self.names.entry(player).or_default(), readable(name));
            if names.len() < MAX_NAMES && !names.contains(&name) {
                names.push(name);
            }
        }
    }

    /// Takes the name out of a message of Quake.
    pub(crate) fn read_quake(&mut self, message: &dem::Message<'_>) {
        if let dem::Message::UpdateName(it) = message {
            self.set_name(it.player, it.netname.bytes());
        }
    }

    /// Takes the name out of a message of Quake II.
    pub(crate) fn read_quake2(&mut self, message: &dm2::Message<'_>) {
        if let dm2::Message::ConfigString(it) = message
            && let Some(player) = player_of(it.index)
        {
            let name = it.string.bytes().split(|byte| *byte == b'\\').next();
            self.set_name(player, name.unwrap_or_default());
        }
    }

    /// The first name of a player.
    pub(crate) fn name(&self, player: u8) -> Option<&str> {
        self.names.get(&player)?.first().map(String::as_str)
    }

    /// The lowest number of a player with a name; spectators count only if there is no player.
    pub(crate) fn first(&self) -> Option<u8> {
        let playing = self.playing.first().copied();
        playing.or_else(|| self.first_named())
    }

    /// Forgets the spectators of a recording of `QuakeWorld`, who have no place in it; if nobody plays, nothing changes.
    pub(crate) fn forget_spectators(&mut self) {
        if !self.playing.is_empty() {
            self.names.retain(|player, _| self.playing.contains(player));
        }
    }

    fn first_named(&self) -> Option<u8> {
        self.names.iter().find(|(_, names)| !names.is_empty()).map(|(player, _)| *player)
    }

    pub(crate) fn has(&self, player: u8) -> bool {
        self.names.contains_key(&player)
    }

    /// The player whom the words at `at` name: by number, by whole name, or else by a part of the name.
    pub(crate) fn find(&self, line: &str, at: Range<usize>) -> Result<u8, Mistake> {
        let wanted_player = line.get(at.clone()).unwrap_or_default();
        if let Some(player) = number(wanted_player).filter(|player| self.has(*player)) {
            return Ok(player);
        }
        let (message, help) = match self.called(wanted_player).as_slice() {
            [one] => return Ok(*one),
            [] => {
                // A wrong number is not a misspelled name.
                let meant = self.nearest(wanted_player).filter(|_| wanted_player.parse::<u64>().is_err());
                let meant = meant.map_or_else(String::new, |it| format!("did you mean `{it}`? "));
                ("no such player".to_owned(), format!("{meant}{}", self.listed()))
            }
            several => (
                format!("{} players have this name", several.len()),
                format!("say a number: {}", self.listed()),
            ),
        };
        Err(Mistake::new(EditCode::NoSuchPlayer, message, line, at).help(help))
    }

    /// The players with this name, or else with a part of it.
    pub(crate) fn called(&self, who: &str) -> Vec<u8> {
        let wanted = who.to_lowercase();
        let named = |is_so: &dyn Fn(&str) -> bool| -> Vec<u8> {
            let has = |names: &[String]| names.iter().any(|name| is_so(&name.to_lowercase()));
            self.names.iter().filter(|(_, names)| has(names)).map(|(player, _)| *player).collect()
        };
        let whole = named(&|name| name == wanted);
        if whole.is_empty() { named(&|name| name.contains(&wanted)) } else { whole }
    }

    /// The name that differs by a slip of the finger.
    pub(crate) fn nearest(&self, who: &str) -> Option<&str> {
        moviola_text::nearest(who, self.names.values().flatten().map(String::as_str))
    }

    /// The players of the recording, for the end of a sentence.
    pub(crate) fn listed(&self) -> String {
        let one = |(player, names): (&u8, &Vec<String>)| {
            format!("{} {}", u16::from(*player) + 1, names.join(" or ")).trim_end().to_owned()
        };
        let known: Vec<String> = self.names.iter().map(one).collect();
        match known.as_slice() {
            [] => "it names no player; if its beginning is lost, `moviola repair --signon` adds one".into(),
            [one] => format!("the only player is {one}"),
            all => format!("the players are {}", all.join(", ")),
        }
    }
}

/// The number of a player, counted from 0, from the number that people write.
pub(crate) fn number(who: &str) -> Option<u8> {
    who.parse::<u16>().ok()?.checked_sub(1)?.try_into().ok()
}

/// The player whose name and skin a config string of Quake II holds.
pub(crate) fn player_of(index: i16) -> Option<u8> {
    index.checked_sub(quake2::CS_PLAYERSKINS as i16)?.try_into().ok()
}

impl Rewrite for Players {
    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, _: &mut BlockWriter<'_>) {
        // not from SCHEMA: a key of user info
        const NAME: &[u8] = b"name";
        // not from SCHEMA: a key of user info
        const SPECTATOR: &[u8] = b"*spectator";
        match &entry.message {
            qw::Message::UpdateUserInfo(it) => {
                let info = it.string.bytes();
                if let Some(name) = info_value(info, NAME) {
                    self.set_name(it.player, name);
                    let watches = info_value(info, SPECTATOR).is_some_and(|it| !matches!(it, b"" | b"0"));
                    if !watches && !name.is_empty() {
                        self.playing.insert(it.player);
                    }
                }
            }
            qw::Message::SetInfo(it) if it.name.bytes() == NAME => {
                self.set_name(it.player, it.string.bytes());
            }
            _ => {}
        }
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, _: &mut BlockWriter<'_>) {
        self.read_quake(&entry.message);
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, _: &mut BlockWriter<'_>) {
        self.read_quake2(&entry.message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_found_by_slot_or_name() {
        let mut players = Players::default();
        players.set_name(0, b"Bob");
        players.set_name(1, b"Bobby");
        players.set_name(1, b"");
        players.set_name(1, b"\xd2\xe1nger"); // bronze
        players.set_name(2, b"7");
        players.set_name(3, b"Eve");
        players.set_name(4, b"eve");
        let find = |who: &str| players.find(who, 0..who.len()).map_err(|it| it.help.unwrap_or_default());
        assert_eq!(find("2"), Ok(1));
        assert_eq!(find("bob"), Ok(0), "a whole name before a part");
        assert_eq!(find("bobb"), Ok(1));
        assert_eq!(find("RANG"), Ok(1), "any of his names");
        assert_eq!(find("7"), Ok(2), "no seventh player: the name");
        let listed = "the players are 1 Bob, 2 Bobby or Ranger, 3 7, 4 Eve, 5 eve";
        assert_eq!(find("Eve"), Err(format!("say a number: {listed}")));
        assert_eq!(find("Rangr"), Err(format!("did you mean `Ranger`? {listed}")));
        assert_eq!(find("0"), Err(listed.into()));
    }
}
