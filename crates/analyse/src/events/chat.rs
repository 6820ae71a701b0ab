//! Distinguishes chat of players from lines of the game.

use crate::lines::{Line, plain};
use crate::obituary::{self, Class, Row};
use crate::{EventPlayer, GameText};
use moviola_format::names::PrintMark;

/// The players by slot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roster {
    names: Vec<Name>,
    /// The names of players that have no slot, such as bots that are not clients. They come from obituaries,
    /// and bit 7 of each letter is cleared.
    learned: Vec<Box<[u8]>>,
}

/// The greatest number of names that are learned from the game's lines.
const LEARNED: usize = 64;
/// The greatest length of a learned name, in bytes.
const LONGEST_NAME: usize = 40;

/// A name in a slot, with and without bit 7.
#[derive(Clone, Debug)]
struct Name {
    slot: u8,
    own: Box<[u8]>,
    plain: Box<[u8]>,
}

impl Roster {
    /// Sets the names of all players.
    pub(crate) fn set<'n>(&mut self, players: impl Iterator<Item = (u8, &'n [u8])>) {
        self.names.clear();
        let named = players.filter(|(_, name)| !name.is_empty());
        self.names.extend(named.map(|(slot, name)| Name {
            slot,
            own: name.into(),
            plain: plain(name).into(),
        }));
    }

    /// Whether exactly these bytes are a player's name.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        self.names.iter().any(|it| *it.own == *name)
    }

    /// Names without bit 7.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.names.iter().map(|it| &it.plain[..]).chain(self.learned.iter().map(|name| &name[..]))
    }

    /// Keeps the name of a player who kills or dies, with or without a slot.
    pub(crate) fn remember_name(&mut self, who: Option<&EventPlayer>) {
        let Some(who) = who.filter(|who| who.slot.is_none() && !who.name.is_empty()) else { return };
        let name = plain(who.name.bytes());
        let known = self.plain().any(|known| known == name);
        if !known && self.learned.len() < LEARNED && name.len() <= LONGEST_NAME {
            self.learned.push(name.into());
        }
    }

    /// The player with this name, given without bit 7; returned with the original spelling, if it is known. If several
    /// players have the name, no slot is given.
    pub(crate) fn who(&self, name: &[u8]) -> EventPlayer {
        let mut named = self.names.iter().filter(|it| *it.plain == *name);
        match (named.next(), named.next()) {
            (Some(it), None) => EventPlayer::new(Some(it.slot), &it.own),
            (Some(it), Some(_)) => EventPlayer::new(None, &it.own),
            _ => EventPlayer::new(None, name),
        }
    }

    /// Whether several players have this name.
    pub(crate) fn is_shared(&self, who: &EventPlayer) -> bool {
        self.names.iter().filter(|it| *it.own == *who.name.bytes()).count() > 1
    }

    /// The other slots with this name: engines call every player without a chosen name `player`.
    pub(crate) fn namesakes(&self, name: &[u8], slot: u8) -> impl Iterator<Item = u8> {
        let same = self.names.iter().filter(move |it| it.slot != slot && *it.own == *name);
        same.map(|it| it.slot)
    }

    /// The player in a slot.
    pub(crate) fn slot(&self, slot: u8) -> EventPlayer {
        let name = self.names.iter().find(|it| it.slot == slot);
        EventPlayer::new(Some(slot), name.map(|it| &it.own[..]).unwrap_or_default())
    }
}

/// The meaning of a line.
#[derive(Debug)]
pub(crate) enum LineMeaning {
    Chat { player: EventPlayer, text: GameText, team: bool, talk: bool },
    Death { victim: Option<EventPlayer>, attacker: Option<EventPlayer>, class: Class, weapon: &'static str },
    Join(EventPlayer),
    Leave(EventPlayer, Option<i32>),
    Flag { player: Option<EventPlayer>, team: Option<&'static str>, what: &'static str },
    Other,
}

/// The text that `OpenTDM` adds to an obituary.
const TEAM_KILL: &[u8] = b" ** team kill **";

/// The words after the name of a player who joins.
const JOINS: &[&[u8]] = &[b" entered the game", b" joined the game", b" entered the game."];

/// Recognizes a line. `chat` says whether the game marks it as chat, if the game has such marks.
pub(crate) fn recognize(
    line: &Line,
    roster: &Roster,
    tables: &[&'static [Row]],
    chat: Option<bool>,
) -> LineMeaning {
    let plain_line = line.plain();
    let (plain, team) = match plain_line.strip_suffix(TEAM_KILL) {
        Some(line) => (line.to_vec(), true),
        None => (plain_line, false),
    };
    if chat != Some(false)
        && let Some(talk) = chat_of(line, &plain, roster, chat == Some(true))
    {
        return talk;
    }
    let first = line.first_piece().map(crate::lines::plain);
    let is_name = |name: &[u8]| roster.plain().any(|known| known == name);
    // Some obituaries begin with words, not with a name.
    let all = obituary::begins_with_words(tables, &plain);
    let names: Vec<&[u8]> = if all {
        roster.plain().chain(deflected(&plain)).collect()
    } else {
        roster.plain().filter(|name| plain.starts_with(name)).chain(first.as_deref()).collect()
    };
    let death = obituary::read(tables, &plain, &names, &is_name);
    if let Some(death) = death.or_else(|| obituary::by_attacker(tables, &plain, roster.plain())) {
        let who = |name: Option<&[u8]>| name.map(|name| roster.who(name));
        let Row { class, weapon, .. } = *death.row;
        let (victim, attacker) = (who(death.victim), who(death.attacker));
        // If two players have the same name, this is not a suicide.
        let own = victim.as_ref().filter(|_| victim == attacker).is_some_and(|it| !roster.is_shared(it));
        let class = match (own, team) {
            (true, _) => Class::Suicide,
            (_, true) => Class::Teamkill,
            _ => class,
        };
        return LineMeaning::Death { victim, attacker, class, weapon };
    }
    if let Some(name) = JOINS.iter().find_map(|words| plain.strip_suffix(*words)) {
        return LineMeaning::Join(roster.who(without_skill(name)));
    }
    if let Some(leave) = parse_departure(&plain, roster) {
        return leave;
    }
    match super::flags::flag(&plain) {
        Some(flag) => LineMeaning::Flag {
            player: flag.player.map(|name| roster.who(name)),
            team: flag.team,
            what: flag.what,
        },
        None => LineMeaning::Other,
    }
}

/// The name of a bot that joins, without the skill after it.
fn without_skill(name: &[u8]) -> &[u8] {
    const SKILL: &[u8] = b" (skill ";
    let at = name.windows(SKILL.len()).rposition(|part| part == SKILL);
    at.filter(|_| name.ends_with(b")")).and_then(|at| name.get(..at)).unwrap_or(name)
}

/// The name in the only obituary that has a name in its middle.
fn deflected(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"Satan's power deflects ")?.strip_suffix(b"'s telefrag")
}

fn parse_departure(line: &[u8], roster: &Roster) -> Option<LineMeaning> {
    const WORDS: &[u8] = b" left the game with ";
    if let Some(name) = line.strip_suffix(b" disconnected") {
        return Some(LineMeaning::Leave(roster.who(name), None));
    }
    let at = line.windows(WORDS.len()).position(|part| part == WORDS)?;
    let (name, rest) = (line.get(..at)?, line.get(at.saturating_add(WORDS.len())..)?);
    let number = std::str::from_utf8(rest.strip_suffix(b" frags")?).ok()?.trim();
    // A score that is not a whole number has a point.
    let frags = number.split('.').next().and_then(|whole| whole.parse().ok());
    Some(LineMeaning::Leave(roster.who(name), frags))
}

/// `name: text`, `(name): text` for the team, `<host> text` from the server.
fn chat_of(line: &Line, plain: &[u8], roster: &Roster, marked: bool) -> Option<LineMeaning> {
    let talk = line.mark == Some(PrintMark::Talk) || marked;
    let text = |at: usize| GameText::new(line.bytes.get(at..).unwrap_or_default());
    // The longest matching name wins, because another may be its beginning.
    let mut names: Vec<&[u8]> = roster.plain().collect();
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    for name in names {
        for (before, after, team) in [(&b""[..], &b": "[..], false), (b"(", b"): ", true)] {
            let rest = plain.strip_prefix(before).and_then(|rest| rest.strip_prefix(name));
            if let Some(rest) = rest.and_then(|rest| rest.strip_prefix(after)) {
                let at = plain.len().saturating_sub(rest.len());
                return Some(LineMeaning::Chat { player: roster.who(name), text: text(at), team, talk });
            }
        }
    }
    if !talk {
        return None;
    }
    // The line comes from the server's own console, or from a player who is not in the recording's list.
    let (name, at) = if plain.starts_with(b"<") {
        let end = plain.windows(2).position(|part| part == b"> ")?;
        (plain.get(1..end)?, end.saturating_add(2))
    } else {
        let end = plain.windows(2).position(|part| part == b": ").filter(|end| (1..32).contains(end))?;
        (plain.get(..end)?, end.saturating_add(2))
    };
    let (name, team) = match name.strip_prefix(b"(").and_then(|name| name.strip_suffix(b")")) {
        Some(name) => (name, true),
        None => (name, false),
    };
    Some(LineMeaning::Chat { player: EventPlayer::new(None, name), text: text(at), team, talk })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::obituary::quake::ROWS;

    fn line(bytes: &[u8], mark: Option<PrintMark>) -> Line {
        Line { bytes: bytes.to_vec(), first: bytes.len(), mark }
    }

    fn recognized(bytes: &[u8], mark: Option<PrintMark>) -> LineMeaning {
        let mut roster = Roster::default();
        roster.set([(0, &b"Bob"[..]), (1, b""), (2, b"\xd2anger"), (3, b"Bob: x")].into_iter());
        recognize(&line(bytes, mark), &roster, &[ROWS], None)
    }

    #[test]
    fn chat_needs_a_known_name_or_the_mark() {
        let LineMeaning::Chat { player, text, team, talk } =
            recognized(b"\xd2anger: hi: there", Some(PrintMark::Talk))
        else {
            panic!("no chat")
        };
        assert_eq!((player.slot, text.text(), team, talk), (Some(2), "hi: there", false, true));
        assert!(matches!(recognized(b"(Bob): hi", None), LineMeaning::Chat { team: true, talk: false, .. }));
        assert!(matches!(recognized(b"usage: x", None), LineMeaning::Other));
        assert!(matches!(recognized(b"<host> hi", Some(PrintMark::Talk)), LineMeaning::Chat { .. }));
        let LineMeaning::Chat { player, .. } = recognized(b"Bob: x: hi", None) else { panic!("no chat") };
        assert_eq!(player.slot, Some(3));
    }

    #[test]
    fn bots_that_are_in_no_slot_are_known_by_their_deaths() {
        let mut roster = Roster::default();
        roster.set([(0, &b"georg"[..])].into_iter());
        let recognize_as = |roster: &Roster, text: &[u8]| recognize(&line(text, None), roster, &[ROWS], None);
        let between: &[u8] = b"Bot4 chewed on Bot1's boomstick";
        assert!(matches!(recognize_as(&roster, between), LineMeaning::Other));
        for text in [&b"georg chewed on Bot1's boomstick"[..], b"Bot4 chewed on georg's boomstick"] {
            let LineMeaning::Death { victim, attacker, .. } = recognize_as(&roster, text) else {
                panic!("no death")
            };
            roster.remember_name(victim.as_ref());
            roster.remember_name(attacker.as_ref());
        }
        let LineMeaning::Death { victim, attacker, .. } = recognize_as(&roster, between) else {
            panic!("no death")
        };
        assert_eq!((victim.unwrap().name.text(), attacker.unwrap().name.text()), ("Bot4", "Bot1"));
    }

    #[test]
    fn bots_that_come_have_a_name() {
        let mut roster = Roster::default();
        for name in [&b"Bot1"[..], b"Bot4"] {
            let text = [name, b" (skill 3) entered the game."].concat();
            let LineMeaning::Join(who) = recognize(&line(&text, None), &roster, &[ROWS], None) else {
                panic!("no join")
            };
            assert_eq!(who.name.bytes(), name);
            roster.remember_name(Some(&who));
        }
        let text = line(b"Bot4 ate 2 loads of Bot1's buckshot", None);
        let LineMeaning::Death { victim, attacker, .. } = recognize(&text, &roster, &[ROWS], None) else {
            panic!("no death")
        };
        assert_eq!((victim.unwrap().name.text(), attacker.unwrap().name.text()), ("Bot4", "Bot1"));
    }

    #[test]
    fn people_come_and_go() {
        assert!(
            matches!(recognized(b"Eve entered the game", None), LineMeaning::Join(who) if who.slot.is_none())
        );
        let LineMeaning::Join(bot) = recognized(b"Bot1 (skill 3) entered the game.", None) else {
            panic!("nobody comes")
        };
        assert_eq!(bot.name.text(), "Bot1");
        assert!(
            matches!(recognized(b"Bob left the game with -3 frags", None), LineMeaning::Leave(who, Some(-3)) if who.slot == Some(0))
        );
        let died = recognized(b"Satan's power deflects \xd2anger's telefrag", None);
        assert!(matches!(died, LineMeaning::Death { victim: Some(who), .. } if who.slot == Some(2)));
        assert!(matches!(
            recognized(b"Bob got the \xc2\xcc\xd5\xc5 flag!", None),
            LineMeaning::Flag { team: Some("blue"), .. }
        ));
    }
}
