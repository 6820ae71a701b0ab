//! Judges the contents of a recording by the tables of engines, and keeps count.

use crate::engines::{self, Cell, Engine, EngineReaction, NumberTest};
use crate::findings::CheckCode;
use crate::place::Place;
use crate::report::{Finding, Playability, Reason, Verdict};
use moviola_format::{Context, Game};

/// A message to which an engine objects.
///
/// ```
/// use moviola_check::{CheckCode, EngineReaction, Engine, Problem, StopJudge};
/// use moviola_format::{Block, Context, Game};
/// // Light style 64, of 0 to 63.
/// let played = StopJudge::new(Game::Quake).play(&Block::new(b"\x01\x0c\x40a\0"), &Context::quake());
/// let problem = Problem { code: CheckCode::LightStyles, value: 64, at: 1, effect: EngineReaction::Breaks };
/// assert_eq!(played.problems(Engine::find("quakespasm").unwrap()), [problem]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The kind of the finding.
    pub code: CheckCode,
    /// The number of the finding, if it has one.
    pub value: i64,
    /// The offset of the message in the block; the block's end, if something is missing there.
    pub at: usize,
    /// The engine's reaction.
    pub effect: EngineReaction,
}

/// At most this many numbers of a code become separate findings, so that a report does not grow with the file.
const MOST_VALUES: usize = 12;

/// The greatest number of places of a finding that are kept after its first one.
const MOST_LATER: usize = 7;

/// An engine that is playing.
#[derive(Clone)]
struct Player {
    engine: &'static Engine,
    reasons: Vec<Reason>,
    /// Whether it stopped, so that later findings do not matter.
    stopped: bool,
    /// Whether it is judged as if it continued after the place where it stops.
    goes_on: bool,
}

impl Player {
    /// Whether occurrences of this finding count: while the engine plays, and after it stopped because of this very finding.
    fn still_counts(&self, code: CheckCode) -> bool {
        !self.stopped || self.reasons.iter().any(|reason| reason.code == code)
    }
}

#[derive(Clone)]
pub(crate) struct Judge {
    game: Option<Game>,
    /// The table's row for each code, if there is one.
    cells: Vec<&'static [Cell]>,
    /// For each code, the number above which some engine may object.
    floors: Vec<i64>,
    players: Vec<Player>,
    findings: Vec<Finding>,
    /// The indexes of each code's findings; by number, if each number is a finding of its own.
    index: Vec<Vec<(i64, usize)>>,
    /// The problems of each engine, if only these are requested; then no findings are kept.
    problems: Option<Vec<Vec<Problem>>>,
}

impl Judge {
    pub(crate) fn new(game: Option<Game>) -> Self {
        let rules = game.map(engines::rules).unwrap_or_default();
        let cells: Vec<&'static [Cell]> = CheckCode::ALL
            .iter()
            .map(|code| rules.iter().find(|rule| rule.code == *code).map_or(&[][..], |rule| rule.cells))
            .collect();
        let floors = cells.iter().map(|cells| floor(cells)).collect();
        let players = game.into_iter().flat_map(engines::of);
        let player = |engine| Player { engine, reasons: Vec::new(), stopped: false, goes_on: false };
        let players = players.map(player).collect();
        let index = vec![Vec::new(); CheckCode::ALL.len()];
        Self { game, cells, floors, players, findings: Vec::new(), index, problems: None }
    }

    /// Makes this judge treat engines as if they continued after the place where they stop.
    pub(crate) fn without_stopping(self) -> Self {
        let players = self.players.into_iter().map(|player| Player { goes_on: true, ..player }).collect();
        Self { players, ..self }
    }

    /// Keeps all problems of each engine, with their places.
    pub(crate) fn of_problems(game: Game) -> Self {
        Self { problems: Some(Vec::new()), ..Self::new(Some(game)) }
    }

    /// The problems of each engine since the last call, in the order of the table; empty if no engine has any.
    pub(crate) fn take_problems(&mut self) -> Vec<Vec<Problem>> {
        self.problems.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// A quick test before all others: whether some engine may object, since the number exceeds the smallest limit.
    #[inline]
    pub(crate) fn floor(&self, code: CheckCode) -> i64 {
        self.floors.get(code as usize).copied().unwrap_or(i64::MAX)
    }

    /// Notes a number that may be too large for some engine.
    #[inline]
    pub(crate) fn number(&mut self, code: CheckCode, value: i64, place: impl FnOnce() -> Place) {
        if value > self.floor(code) {
            self.observe(code, value, place());
        }
    }

    /// Notes something in the recording; `value` is its number, if it has one.
    pub(crate) fn observe(&mut self, code: CheckCode, value: i64, place: Place) {
        self.observe_as(code, code, value, place);
    }

    /// Notes a finding under `code`, but with the limits in the row of another code.
    pub(crate) fn observe_as(&mut self, row: CheckCode, code: CheckCode, value: i64, place: Place) {
        let cells = self.cells.get(row as usize).copied().unwrap_or_default();
        let objects = |cell: &Cell| cell.test.objects_to(value);
        if let Some(problems) = &mut self.problems {
            if cells.iter().any(objects) {
                problems.resize_with(cells.len(), Vec::new);
            }
            for (problems, cell) in problems.iter_mut().zip(cells).filter(|(_, cell)| objects(cell)) {
                problems.push(Problem { code, value, at: place.at.unwrap_or_default(), effect: cell.effect });
            }
            return;
        }
        // A limit is reported while some engine that objects has not stopped for another reason.
        let counts = |(player, cell): (&Player, &Cell)| objects(cell) && player.still_counts(code);
        if code.is_limit() && !code.is_damage(value) && !self.players.iter().zip(cells).any(counts) {
            return;
        }
        let at = self.note(code, value, place);
        for (player, cell) in self
            .players
            .iter_mut()
            .zip(cells)
            .filter(|(player, cell)| objects(cell) && player.still_counts(code))
        {
            player.stopped |=
                !player.goes_on && matches!(cell.effect, EngineReaction::Ends | EngineReaction::Breaks);
            if let Some(reason) = player.reasons.iter_mut().find(|reason| reason.code == code) {
                reason.count += 1;
            } else {
                let message = message(self.game, code, value);
                player.reasons.push(Reason { code, effect: cell.effect, message, place, count: 1 });
            }
            let name = player.engine.name;
            if let Some(finding) = self.findings.get_mut(at)
                && !finding.engines.contains(&name)
            {
                finding.engines.push(name);
            }
        }
    }

    /// Notes a finding at a place that no engine reaches.
    pub(crate) fn unseen(&mut self, code: CheckCode, value: i64, place: Place) {
        if self.problems.is_none() {
            self.note(code, value, place);
        }
    }

    /// Notes unreadable bytes: for an engine that has not stopped yet, the result is unknown.
    pub(crate) fn unread(&mut self, code: CheckCode, value: i64, place: Place) {
        for player in self.players.iter_mut().filter(|player| !player.stopped) {
            if let Some(reason) = player.reasons.iter_mut().find(|reason| reason.code == code) {
                reason.count += 1;
            } else {
                let message = message(self.game, code, value);
                player.reasons.push(Reason {
                    code,
                    effect: EngineReaction::Unread,
                    message,
                    place,
                    count: 1,
                });
            }
        }
    }

    /// Keeps a finding, or counts it; returns its index.
    fn note(&mut self, code: CheckCode, value: i64, place: Place) -> usize {
        let new = self.findings.len();
        let Some(index) = self.index.get_mut(code as usize) else { return new };
        let by_number = code.is_by_number();
        let rest = index.get(MOST_VALUES);
        let known = match index.iter().find(|(it, _)| !by_number || *it == value).or(rest) {
            Some((_, at)) => *at,
            None => new,
        };
        if let Some(finding) = self.findings.get_mut(known) {
            finding.count += 1;
            finding.largest = finding.largest.map(|largest| largest.max(value));
            let last = finding.later.last().unwrap_or(&finding.place);
            if last.block != place.block && finding.later.len() < MOST_LATER {
                finding.later.push(place);
            }
            return known;
        }
        let others = index.len() == MOST_VALUES;
        index.push((value, new));
        let numbered = code.title().contains("{}");
        self.findings.push(Finding {
            code,
            severity: code.severity(),
            message: if others { code.message_of_others() } else { message(self.game, code, value) },
            place,
            later: Vec::new(),
            count: 1,
            largest: numbered.then_some(value),
            engines: Vec::new(),
        });
        new
    }

    /// For limits on a size, adds the largest number to the message about the first one.
    fn say_largest(&mut self) {
        for (index, floor) in self.index.iter().zip(&self.floors) {
            let Some((first, at)) = index.first().filter(|_| *floor > i64::MIN && *floor < i64::MAX) else {
                continue;
            };
            if let Some(finding) = self.findings.get_mut(*at)
                && let Some(largest) = finding.largest.filter(|largest| largest > first)
            {
                finding.message = format!("{}, up to {largest}", finding.message);
            }
        }
    }

    /// The findings, and the verdicts of the engines.
    pub(crate) fn close(mut self) -> (Vec<Finding>, Vec<Verdict>) {
        self.say_largest();
        let verdicts = self.players.into_iter().map(|player| {
            let worst = player.reasons.iter().map(|reason| reason.effect).max();
            let plays = match worst {
                None => Playability::Yes,
                Some(EngineReaction::Defect) => Playability::WithDefects,
                Some(EngineReaction::Unread) => Playability::Unknown,
                Some(EngineReaction::Ends) => Playability::StopsEarly,
                Some(EngineReaction::Breaks) => Playability::No,
            };
            Verdict { engine: player.engine.name, plays, reasons: player.reasons }
        });
        (self.findings, verdicts.collect())
    }
}

/// A finding's message with its number; for a protocol that is not read, with its name too.
fn message(game: Option<Game>, code: CheckCode, value: i64) -> String {
    match (game, i32::try_from(value)) {
        (Some(game), Ok(protocol)) if code == CheckCode::RawProtocol => {
            let context = Context { protocol, raw: true, ..Context::of(game) };
            let name = context.protocol_name().unwrap_or("unknown");
            code.title().replace("{}", &format!("{protocol} ({name})"))
        }
        _ => code.message(value),
    }
}

/// The largest number to which no engine objects, as far as that is known.
fn floor(cells: &[Cell]) -> i64 {
    let floors = cells.iter().map(|cell| match cell.test {
        NumberTest::Never => i64::MAX,
        NumberTest::Above(limit) => limit,
        NumberTest::Always | NumberTest::Not(_) | NumberTest::In(_) => i64::MIN,
    });
    floors.min().unwrap_or(i64::MAX)
}
