//! Finds the engines that play a recording except for its damage. The recording was made for them, so a
//! message in a damaged block that they do not know is damage too. In a sound block it may belong to a later
//! engine, and stays.

use super::filter::context_after;
use moviola_check::{CheckCode, ENGINES, Engine, EngineReaction, PlayedBlock, Problem, StopJudge};
use moviola_format::{Block, Context, Game, Messages, Quake, dem};

/// Checks the repaired recording against all engines of its game, and keeps the engines that play it to the end.
#[derive(Clone, Debug, Default)]
pub(super) struct EngineSet {
    candidates: Option<Vec<Candidate>>,
    /// Whether bytes were lost in other places. Then a byte 255 in a text counts as damage: id's engines end the text
    /// there, and it is seldom intended.
    is_hurt: bool,
}

#[derive(Clone, Debug)]
struct Candidate {
    engine: &'static Engine,
    objections: Vec<Objection>,
}

/// The first message of a block to which an engine objects.
#[derive(Clone, Copy, Debug)]
struct Objection {
    /// The number of the block in the result, and its offset in the input.
    block: u64,
    offset: u64,
    problem: Problem,
    /// Whether the block was mended.
    is_mended: bool,
    /// Whether a server of id Software recorded it.
    is_ids: bool,
}

/// The greatest number of an engine's objections that damage explains. An engine with more of them is
/// dropped.
const MAX_OBJECTIONS: usize = 8;

/// Where a block is and whether it was changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) block: u64,
    pub(super) offset: u64,
    pub(super) is_mended: bool,
}

impl EngineSet {
    /// A set without engines, which accepts every block.
    pub(super) fn none() -> Self {
        Self { candidates: Some(Vec::new()), is_hurt: false }
    }

    /// Whether bytes were lost elsewhere.
    pub(super) fn is_hurt(&self) -> bool {
        self.is_hurt
    }

    /// Handles the engines' problems with a repaired block.
    pub(super) fn play(&mut self, played: &PlayedBlock, context: &Context, origin: Origin) {
        let candidates =
            self.candidates.get_or_insert_with(|| of(context.game).map(Candidate::new).collect());
        candidates.retain_mut(|candidate| candidate.play(played, context, origin));
    }

    /// The engines that object only to blocks that were mended or torn.
    pub(super) fn required(&self, torn: &[u64], is_hurt: bool) -> Self {
        let is_text =
            |it: &Objection| it.problem.code == CheckCode::HighByteInString && (it.is_ids || is_hurt);
        let is_damage =
            |it: &Objection| it.is_mended || is_text(it) || torn.binary_search(&it.offset).is_ok();
        let candidates = self.candidates.iter().flatten();
        let required = candidates.filter(|it| it.objections.iter().all(is_damage));
        Self { candidates: Some(required.map(|it| Candidate::new(it.engine)).collect()), is_hurt }
    }

    /// The messages of a damaged block to which one of the engines objects.
    pub(super) fn rejects(
        &self,
        stops: &mut StopJudge,
        data: &[u8],
        context: &Context,
        is_damaged: bool,
    ) -> Vec<Problem> {
        // id's servers never send a byte 255 in a text, since their own clients would stop reading there.
        let is_text_hit = data.contains(&u8::MAX) && (self.is_hurt || is_by_ids(data, context));
        if !is_damaged && !is_text_hit {
            return Vec::new();
        }
        let is_text_hit = |stop: &Problem| is_text_hit && stop.code == CheckCode::HighByteInString;
        let mut objections = match self.candidates.as_deref() {
            None | Some([]) => Vec::new(),
            Some(candidates) => {
                let played = stops.look(&Block::new(data), context);
                let found = candidates.iter().map(|candidate| {
                    let mut found = played.problems(candidate.engine).to_vec();
                    found.retain(|stop| is_fatal(stop) && stop.code.is_local());
                    found.retain(|stop| is_damaged || is_text_hit(stop));
                    found
                });
                found.max_by_key(Vec::len).unwrap_or_default()
            }
        };
        if is_damaged && context.game == Game::Quake {
            objections.extend(find_order_screens(data, context));
        }
        objections
    }

    /// Whether one of the engines objects to anything.
    pub(super) fn object(&self) -> bool {
        self.candidates.iter().flatten().any(|candidate| !candidate.objections.is_empty())
    }

    /// Whether the set has an engine of id Software.
    pub(super) fn is_ids(&self) -> bool {
        self.candidates.iter().flatten().any(|candidate| candidate.engine.name.starts_with("id-"))
    }

    /// A note about engines that fail only at possible remains of the damage. `torn` has the offsets of
    /// damaged blocks.
    pub(super) fn note(&self, torn: &[u64], is_nehahra: bool) -> Option<String> {
        // A server sends these messages either always or never, so a few of them are suspicious.
        let is_odd = |it: &Objection| match it.problem.code {
            CheckCode::HighByteInString | CheckCode::ItemsAbsent | CheckCode::ItemsUnmarked => true,
            CheckCode::MessageKnown => it.is_ids && !is_nehahra,
            _ => false,
        };
        let is_damage = |it: &Objection| it.is_mended || is_odd(it) || torn.binary_search(&it.offset).is_ok();
        let lost = |it: &&Candidate| it.objections.iter().any(is_damage);
        let lost: Vec<&Candidate> = self.candidates.iter().flatten().filter(lost).collect();
        let Objection { block, problem: stop, .. } =
            lost.iter().flat_map(|it| &it.objections).find(|it| is_damage(it))?;
        let names: Vec<&str> = lost.iter().map(|it| it.engine.name).collect();
        let (what, code) = (stop.code.message(stop.value), stop.code.number());
        Some(format!("{} would play it but for {what} (block {block}, {code})", names.join(", ")))
    }
}

/// Finds the shareware's order screen, which no played level shows.
fn find_order_screens<'d>(data: &'d [u8], context: &Context) -> impl Iterator<Item = Problem> + use<'d> {
    Messages::<Quake>::new(data, *context).filter_map(|entry| {
        let (code, value) = (CheckCode::MessageKnown, i64::from(dem::SellScreen::OP));
        let is_advert = matches!(entry.message, dem::Message::SellScreen(_));
        is_advert.then_some(Problem { code, value, at: entry.at, effect: EngineReaction::Defect })
    })
}

fn of(game: Game) -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().filter(move |engine| engine.game == game)
}

impl Candidate {
    fn new(engine: &'static Engine) -> Self {
        Self { engine, objections: Vec::new() }
    }

    /// Takes the engine's problems with a block; false if damage cannot explain them.
    fn play(&mut self, played: &PlayedBlock, context: &Context, origin: Origin) -> bool {
        let Origin { block, offset, is_mended } = origin;
        let mut fatal = played.problems(self.engine).iter().copied().filter(is_fatal);
        let Some(stop) = fatal.next() else { return true };
        if !stop.code.is_local()
            || fatal.any(|stop| !stop.code.is_local())
            || self.objections.len() == MAX_OBJECTIONS
        {
            return false;
        }
        let is_ids = context.server_version > 0 || played.after.server_version > 0;
        self.objections.push(Objection { block, offset, problem: stop, is_mended, is_ids });
        true
    }
}

/// Whether a server of id Software has printed its version by the end of this block.
fn is_by_ids(data: &[u8], context: &Context) -> bool {
    context.server_version > 0 || context_after(data, context).server_version > 0
}

/// Whether the objection means that the engine stops, or turns the view away for good.
fn is_fatal(stop: &Problem) -> bool {
    matches!(stop.effect, EngineReaction::Ends | EngineReaction::Breaks) || stop.code == CheckCode::View
}
