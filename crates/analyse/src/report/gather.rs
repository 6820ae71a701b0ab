//! Gathers a report from the events, and from the scores at the end of each level.

use super::facts::{Hits, LevelReport, Report, Tally, WeaponReport};
use super::of_match::Matches;
use super::players;
use crate::Standing;
use crate::events::Maker;
use crate::{Event, EventKind, EventPlayer, GameText, PassPosition, UnreadParts, Watch};
use moviola_format::names::{engine, quake2::PROTOCOL, value};
use moviola_format::{Format, Game, Length, Piece};
use moviola_state::{quake, quake2, quakeworld};

/// The protocol of an MVD2.
const MVD2: i32 = value(PROTOCOL, "MVD2") as i32;

/// The greatest number of levels, players and weapons, so that memory does not grow with the file.
const MAX_LISTED: usize = 1000;

/// Gathers a [`Report`] while a recording is played, for programs that run several watchers in one pass.
/// Signs of cheating and editing come from the audit, which is a crate of its own.
///
/// ```
/// use moviola_analyse::{Reporter, watch};
/// let mut reporter = Reporter::new();
/// watch(&b"-1\n"[..], &mut [&mut reporter]).unwrap();
/// assert_eq!(reporter.report().blocks, 0);
/// ```
#[derive(Debug, Default)]
pub struct Reporter {
    maker: Maker,
    gather: Gather,
}

impl Reporter {
    /// An empty report.
    pub fn new() -> Self {
        Self::default()
    }

    /// The gathered report.
    pub fn report(self) -> Report {
        self.gather.report
    }
}

/// The data gathered so far.
#[derive(Debug, Default)]
struct Gather {
    /// The skill of the next levels, if a hall announced it.
    skill: Option<&'static str>,
    report: Report,
    /// The current level.
    level: Option<LevelReport>,
    length: Length,
    /// The frames before the current level.
    frames_before: u64,
    /// The matches of a `QuakeWorld` recording.
    matches: Option<Matches>,
    unread: UnreadParts,
    recorder: Option<EventPlayer>,
    /// The level in which the recorder's name was seen.
    own_level: u32,
}

impl Watch for Reporter {
    fn begin(&mut self, format: Format) {
        self.maker.begin(format);
        self.gather.unread.begin(format);
        self.gather.length = format.game().map(Length::of).unwrap_or_default();
        self.gather.matches = (format.game() == Some(Game::QuakeWorld)).then(Matches::default);
        self.gather.report.format = format.game().map(|_| format.name());
        // The messages in an MVD2 have an older protocol.
        self.gather.report.protocol = (format == Format::Mvd2).then_some(MVD2);
    }

    fn file_piece(&mut self, piece: &Piece<'_>, here: &PassPosition) {
        let Gather { report, unread, .. } = &mut self.gather;
        if let Piece::Block(_) = piece {
            report.blocks = report.blocks.saturating_add(1);
        }
        // Recordings of QuakeWorld may have anything after their end.
        if !report.disconnected {
            unread.file_piece(piece, here);
        }
    }

    fn quake(&mut self, world: &quake::World, here: &PassPosition) {
        self.maker.quake(world, here, &mut |event| self.gather.take(event));
        let slot = world.view.entity.checked_sub(1).and_then(|slot| u8::try_from(slot).ok());
        if let Some(player) = slot.and_then(|slot| world.players.get(usize::from(slot))) {
            self.gather.recorder(here.level, slot, player.name.bytes());
        }
        self.gather.block(here);
    }

    fn quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        self.maker.quake2(world, here, &mut |event| self.gather.take(event));
        if let Ok(slot) = u8::try_from(world.server.client) {
            self.gather.recorder(here.level, Some(slot), world.config.player(slot).0);
        }
        self.gather.block(here);
    }

    fn quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        self.maker.quakeworld(world, here, &mut |event| self.gather.take(event));
        if let Some((slot, _)) = world.recorder
            && let Some(player) = world.players.get(usize::from(slot))
        {
            self.gather.recorder(here.level, Some(slot), player.name());
        }
        if let Some(matches) = &mut self.gather.matches {
            matches.look(world, here);
        }
        self.gather.block(here);
    }

    fn leave_quake(&mut self, world: &quake::World, here: &PassPosition) {
        self.gather.clock(here);
        self.maker.leave_quake(world, here, &mut |event| self.gather.take(event));
        self.gather.close(self.maker.board(), here);
    }

    fn leave_quake2(&mut self, world: &quake2::World, here: &PassPosition) {
        self.gather.clock(here);
        self.maker.leave_quake2(world, here, &mut |event| self.gather.take(event));
        self.gather.close(self.maker.board(), here);
    }

    fn leave_quakeworld(&mut self, world: &quakeworld::World, here: &PassPosition) {
        self.gather.clock(here);
        self.maker.leave_quakeworld(world, here, &mut |event| self.gather.take(event));
        self.gather.close(self.maker.board(), here);
    }

    fn end(&mut self, here: &PassPosition) {
        self.maker.end(here, &mut |event| self.gather.take(event));
        self.gather.close(self.maker.board(), here);
        self.gather.end(here);
    }
}

impl Gather {
    /// Takes the player whose view is shown when a level begins for the recorder. Later in the level, cameras may show
    /// other players, which is ignored; a new name of the same player is not.
    fn recorder(&mut self, level: u32, slot: Option<u8>, name: &[u8]) {
        let known = self.recorder.as_ref();
        if name.is_empty() || self.own_level == level && known.is_some_and(|own| own.slot != slot) {
            return;
        }
        self.own_level = level;
        if known.is_none_or(|own| own.slot != slot || own.name.bytes() != name) {
            self.recorder = Some(EventPlayer::new(slot, name));
        }
    }

    /// Counts a block.
    fn block(&mut self, here: &PassPosition) {
        self.clock(here);
        self.unread.block(here);
    }

    /// Adds the progress of the clock, which may have jumped.
    fn clock(&mut self, here: &PassPosition) {
        if let Some(now) = here.time {
            self.length.tick(now);
        }
    }

    /// Ends the level, with these scores.
    fn close(&mut self, mut scores: Vec<Standing>, here: &PassPosition) {
        if let Some(matches) = &mut self.matches {
            matches.close();
        }
        let length = self.length.end_level();
        scores.sort_by_key(|standing| std::cmp::Reverse(standing.frags));
        if let Some(mut level) = self.level.take() {
            level.length = length.unwrap_or_default();
            level.frames = here.frames.saturating_sub(self.frames_before);
            level.scores = scores;
            if self.report.levels.len() < MAX_LISTED {
                self.report.levels.push(level);
            }
        }
        self.frames_before = here.frames;
    }

    fn end(&mut self, here: &PassPosition) {
        let report = &mut self.report;
        report.matches = self.matches.as_mut().map(Matches::take).unwrap_or_default();
        (report.damaged_blocks, report.unread_bytes) = (self.unread.blocks, self.unread.bytes);
        report.bytes = here.offset;
        report.frames = here.frames;
        report.length = self.length.seconds();
        report.recorder = self.recorder.as_ref().map(|own| own.name.line());
        report.recorder_hex = self.recorder.as_ref().and_then(|own| own.name.line_hex());
        report.players.sort_by(|one, other| other.kills.cmp(&one.kills).then(one.deaths.cmp(&other.deaths)));
        for weapon in &mut report.weapons {
            weapon.shots = Some(weapon.shots.unwrap_or_default()).filter(|shots| *shots >= weapon.kills);
        }
        report.weapons.sort_by(|one, other| other.shots.cmp(&one.shots).then(other.kills.cmp(&one.kills)));
    }

    fn take(&mut self, event: Event) {
        let count = self.report.events.entry(event.name()).or_insert(0);
        *count = count.saturating_add(1);
        if let Some(matches) = &mut self.matches {
            matches.event(&event);
        }
        match event.kind {
            EventKind::LevelStart { map, title, protocol, .. } => {
                self.report.protocol.get_or_insert(protocol);
                players::away(&mut self.report.players, None);
                self.report.level_count = self.report.level_count.saturating_add(1);
                let map = map.map(|map| map.line());
                self.level = Some(LevelReport {
                    map,
                    title: title.line(),
                    title_hex: title.line_hex(),
                    skill: self.skill,
                    block: event.block,
                    how: "left",
                    ..LevelReport::default()
                });
            }
            EventKind::LevelEnd { how, seconds, kills, total_kills, secrets, total_secrets, map } => {
                self.level_end(how, seconds, [kills.zip(total_kills), secrets.zip(total_secrets)], map);
            }
            EventKind::Centerprint { text } => self.skill = skill(text.text()).or(self.skill),
            EventKind::Console { text } => self.line(&text),
            EventKind::Disconnect {} => self.report.disconnected = true,
            EventKind::Command { danger: Some(danger), .. } => self.danger(&danger),
            EventKind::Kill { victim, attacker, class, weapon, .. } => {
                self.kill(victim.as_ref(), attacker.as_ref(), class, weapon);
            }
            EventKind::Rename { player, before } => {
                players::rename(&mut self.report.players, &player, &before);
            }
            EventKind::Leave { player, .. } => players::away(&mut self.report.players, Some(&player)),
            // Checks the slot and not the view, since the view may be that of a camera.
            EventKind::Shot { ref player, weapon, own, pellets, hits }
                if own || self.is_own(Some(player)) =>
            {
                self.shot(weapon, pellets.zip(hits));
            }
            _ => {}
        }
    }

    /// Counts the commands of a line that are dangerous to run from a stranger's recording.
    fn danger(&mut self, danger: &GameText) {
        let report = &mut self.report;
        // The list stays short, since the table of commands has only a dozen dangers.
        for one in danger.text().split(", ") {
            report.dangerous_commands = report.dangerous_commands.saturating_add(1);
            if !report.dangers.iter().any(|known| known == one) {
                report.dangers.push(one.to_owned());
            }
        }
    }

    fn level_end(
        &mut self,
        cause: &'static str,
        seconds: Option<f64>,
        [kills, secrets]: [Option<(i32, i32)>; 2],
        map: Option<GameText>,
    ) {
        let tally = |pair: (i32, i32)| Tally { done: pair.0.into(), total: pair.1.into() };
        let add = |sum: &mut Option<Tally>, more: Tally| {
            let sum = sum.get_or_insert_default();
            sum.done = sum.done.saturating_add(more.done);
            sum.total = sum.total.saturating_add(more.total);
        };
        // A cutscene ends a run only if the game prints a time.
        // not from SCHEMA: an ending of a level
        let printed = self.level.as_ref().and_then(|level| level.printed).filter(|_| cause == "cutscene");
        let seconds = seconds.or(printed);
        let report = &mut self.report;
        if let Some(seconds) = seconds {
            report.seconds = Some(report.seconds.unwrap_or_default() + seconds);
            report.timed_levels = report.timed_levels.saturating_add(1);
        }
        let (kills, secrets) = (kills.map(tally), secrets.map(tally));
        if let Some(kills) = kills {
            add(&mut report.kills, kills);
        }
        if let Some(secrets) = secrets {
            add(&mut report.secrets, secrets);
        }
        if let Some(level) = &mut self.level {
            level.how = cause;
            level.seconds = seconds;
            level.kills = kills;
            level.secrets = secrets;
            level.map = level.map.take().or(map.map(|map| map.line()));
        }
    }

    /// Examines a console line without an event of its own: it may have the engine's version, or a time.
    fn line(&mut self, text: &GameText) {
        if self.report.engine.is_none() {
            self.report.engine = engine(text.bytes());
        }
        if let (Some(level), Some(seconds)) = (&mut self.level, printed_time(&text.line())) {
            level.printed = Some(seconds);
        }
    }

    fn weapon(&mut self, name: &str) -> Option<&mut WeaponReport> {
        let weapons = &mut self.report.weapons;
        if let Some(at) = weapons.iter().position(|weapon| weapon.weapon == name) {
            return weapons.get_mut(at);
        }
        if weapons.len() < MAX_LISTED {
            weapons.push(WeaponReport { weapon: name.to_owned(), ..WeaponReport::default() });
            return weapons.last_mut();
        }
        None
    }

    fn kill(
        &mut self,
        victim: Option<&EventPlayer>,
        attacker: Option<&EventPlayer>,
        class: &str,
        weapon: &str,
    ) {
        if let Some(player) = victim.and_then(|who| players::find(&mut self.report.players, who, MAX_LISTED))
        {
            player.deaths = player.deaths.saturating_add(1);
            player.suicides = player.suicides.saturating_add(u64::from(class == "suicide"));
            player.running = 0;
        }
        if let Some(player) = attacker
            .filter(|_| class != "suicide")
            .and_then(|who| players::find(&mut self.report.players, who, MAX_LISTED))
        {
            if class == "kill" {
                player.kills = player.kills.saturating_add(1);
                player.running = player.running.saturating_add(1);
                player.streak = player.streak.max(player.running);
            } else {
                player.teamkills = player.teamkills.saturating_add(1);
            }
        }
        let (killed, died) = (class == "kill" && self.is_own(attacker), self.is_own(victim));
        if (killed || died)
            && !weapon.is_empty()
            && class == "kill"
            && let Some(weapon) = self.weapon(weapon)
        {
            weapon.kills = weapon.kills.saturating_add(u64::from(killed));
            weapon.deaths = weapon.deaths.saturating_add(u64::from(died));
        }
    }

    /// Whether this player is the recorder.
    fn is_own(&self, who: Option<&EventPlayer>) -> bool {
        self.recorder.as_ref().zip(who).is_some_and(|(own, who)| match own.slot.zip(who.slot) {
            Some((own, who)) => own == who,
            None => own.name == who.name,
        })
    }

    fn shot(&mut self, weapon: &str, followed: Option<(u8, u8)>) {
        let Some(weapon) = self.weapon(weapon) else { return };
        weapon.shots = Some(weapon.shots.unwrap_or_default().saturating_add(1));
        if let Some((pellets, hits)) = followed {
            let all = weapon.pellets.get_or_insert(Hits::default());
            all.pellets = all.pellets.saturating_add(pellets.into());
            all.hits = all.hits.saturating_add(hits.into());
        }
    }
}

/// The time in a line that a modification or an engine prints about a run.
///
/// ```
/// use moviola_analyse::printed_time;
/// assert_eq!(printed_time("The recorded time was 1:01.5"), Some(61.5));
/// assert_eq!(printed_time("What time was it?"), None);
/// ```
pub fn printed_time(line: &str) -> Option<f64> {
    const TIME_TEXTS: [&str; 3] = ["exact time was ", "The recorded time was ", "total time is "];
    let rest = TIME_TEXTS.iter().find_map(|words| Some(line.split_once(words)?.1))?;
    let number = rest.split_whitespace().next()?.trim_end_matches('.');
    let mut seconds = 0.0;
    for part in number.split(':') {
        let part: f64 = part.parse().ok().filter(|it: &f64| it.is_finite() && *it >= 0.0)?;
        seconds = seconds * 60.0 + part;
    }
    Some(seconds)
}

/// The skill in the text of a hall in the first level: "This passage selects NIGHTMARE skill!".
fn skill(text: &str) -> Option<&'static str> {
    const SKILLS: [&str; 4] = ["Easy", "Normal", "Hard", "Nightmare"];
    let mut words = text.split(|letter: char| !letter.is_ascii_alphabetic());
    words.find(|word| word.eq_ignore_ascii_case("selects"))?;
    let named = words.next()?;
    let skill = SKILLS.into_iter().find(|skill| skill.eq_ignore_ascii_case(named))?;
    words.next()?.eq_ignore_ascii_case("skill").then_some(skill)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evidence;

    #[test]
    fn times_in_lines() {
        assert_eq!(printed_time("The recorded time was 0:31.9436"), Some(31.9436));
        assert_eq!(printed_time("exact time was 1:02.5"), Some(62.5));
        assert_eq!(printed_time("exact time was late"), None);
        assert_eq!(printed_time("hello"), None);
    }

    #[test]
    fn halls_tell_the_skill() {
        assert_eq!(skill("This passage selects NIGHTMARE skill!"), Some("Nightmare"));
        assert_eq!(skill("This hall selects\nEASY skill"), Some("Easy"));
        assert_eq!(skill("This hall selects the skill"), None);
        assert_eq!(skill("Walk into the slipgate to exit."), None);
        let mut gather = Gather::default();
        let event =
            |kind| Event { time: None, block: 0, level: 1, kind, evidence: Evidence::MESSAGE, origin: None };
        let start =
            || EventKind::LevelStart { map: None, title: GameText::default(), protocol: 15, max_clients: 1 };
        gather.take(event(start()));
        gather.take(event(EventKind::Centerprint { text: GameText::new(b"This hall selects HARD skill") }));
        assert_eq!(gather.level.as_ref().and_then(|level| level.skill), None, "it is that of the next level");
        gather.take(event(start()));
        assert_eq!(gather.level.as_ref().and_then(|level| level.skill), Some("Hard"));
    }

    /// A player and a title in bronze.
    #[test]
    fn json_has_the_bytes_of_names() {
        let file = b"-1\n\x2b\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\
            \x0b\x0f\0\0\0\x01\0\xc8all\0maps/hall.bsp\0\0s\0\0\x05\x01\0\x0d\0\xc1l\0\x1b";
        let mut reporter = Reporter::new();
        crate::watch(&file[..], &mut [&mut reporter]).unwrap();
        let mut report = reporter.report();
        report
            .players
            .extend(players::find(&mut Vec::new(), &EventPlayer::new(Some(1), b"\xc2ob"), 1).cloned());
        let json = serde_json::to_value(&report).unwrap();
        assert_eq!((&json["recorder"], &json["recorder_hex"]), (&"Al".into(), &"c16c".into()));
        let level = &json["levels"][0];
        assert_eq!((&level["title"], &level["title_hex"]), (&"Hall".into(), &"c8616c6c".into()));
        assert_eq!(level["scores"][0]["name_hex"], "c16c");
        assert_eq!(
            (&json["players"][0]["name"], &json["players"][0]["name_hex"]),
            (&"Bob".into(), &"c26f62".into())
        );
    }

    #[test]
    fn a_streak_ends_with_a_death() {
        let mut gather = Gather::default();
        let (one, other) = (EventPlayer::new(Some(0), b"Al"), EventPlayer::new(Some(1), b"Bob"));
        gather.recorder = Some(one.clone());
        let mut kill = |victim: &EventPlayer, attacker: &EventPlayer, class: &str| {
            gather.kill(Some(victim), Some(attacker), class, "Axe");
        };
        kill(&other, &one, "kill");
        kill(&other, &one, "kill");
        kill(&one, &one, "suicide");
        kill(&other, &one, "kill");
        let al = gather.report.players.iter().find(|player| player.name == "Al").unwrap();
        assert_eq!((al.kills, al.deaths, al.suicides, al.streak), (3, 1, 1, 2));
        assert_eq!(gather.report.weapons[0].kills, 3);
    }
}
