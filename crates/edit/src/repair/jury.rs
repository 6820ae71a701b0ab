//! Which engines play all of a recording but for what damage left in it. What only they mind of a damaged block is damage
//! as well: the recording was made by an engine that has no such message. In sound blocks it may be a later engine's.

use super::sieve::behind;
use moviola_check::{Code, ENGINES, Effect, Engine, Stop, Stops};
use moviola_format::{Block, Context, Game, Messages, Quake, dem};

/// Holds a recording as it is to be against all engines of its game.
#[derive(Clone, Debug, Default)]
pub(super) struct Jury {
    members: Option<Vec<Member>>,
    /// Bytes were lost elsewhere: then one that ends a text for id's engines, and is seldom meant, is damage as well.
    is_hurt: bool,
}

#[derive(Clone, Debug)]
struct Member {
    stops: Stops,
    minded: Vec<Minded>,
}

/// What an engine minds of a block, the first of it.
#[derive(Clone, Copy, Debug)]
struct Minded {
    /// The block's number where it is written, and its offset where it was read.
    block: u64,
    offset: u64,
    stop: Stop,
    /// It was mended.
    is_mended: bool,
    /// A server of id's tells of it.
    is_ids: bool,
}

/// In how many blocks damage leaves something that an engine minds; what stands in more of them is no damage.
const FEW: usize = 8;

/// Where a block is and how it came about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    pub(super) block: u64,
    pub(super) offset: u64,
    pub(super) is_mended: bool,
}

impl Jury {
    /// Nobody, who minds nothing.
    pub(super) fn nobody() -> Self {
        Self { members: Some(Vec::new()), is_hurt: false }
    }

    /// The block goes out like this.
    pub(super) fn play(&mut self, data: &[u8], context: &Context, origin: Origin) {
        let members = self.members.get_or_insert_with(|| of(context.game).map(Member::new).collect());
        members.retain_mut(|member| member.play(data, context, origin));
    }

    /// The engines that mind nothing but what is in blocks that were mended or torn.
    pub(super) fn owed(&self, torn: &[u64], is_hurt: bool) -> Self {
        let is_text = |it: &Minded| it.stop.code == Code::HighByteInString && (it.is_ids || is_hurt);
        let is_damage = |it: &Minded| it.is_mended || is_text(it) || torn.binary_search(&it.offset).is_ok();
        let members = self.members.iter().flatten();
        let owed = members.filter(|it| it.minded.iter().all(is_damage));
        Self { members: Some(owed.map(|it| Member::new(it.stops.engine())).collect()), is_hurt }
    }

    /// What one of them minds of a block that is damaged, or that no engine of those who made it can have sent.
    pub(super) fn minds(&mut self, data: &[u8], context: &Context, is_damaged: bool) -> Vec<Stop> {
        // What id's servers would not have read they do not send.
        let is_text_hit = data.contains(&u8::MAX) && (self.is_hurt || is_by_ids(data, context));
        if !is_damaged && !is_text_hit {
            return Vec::new();
        }
        let is_text_hit = |stop: &Stop| is_text_hit && stop.code == Code::HighByteInString;
        let found = self.members.iter_mut().flatten().map(|member| {
            let mut found = member.stops.look(&Block::new(data), context);
            found.retain(|stop| is_fatal(stop) && is_local(stop.code));
            found.retain(|stop| is_damaged || is_text_hit(stop));
            found
        });
        let mut minded = found.max_by_key(Vec::len).unwrap_or_default();
        if is_damaged && context.game == Game::Quake {
            minded.extend(adverts(data, context));
        }
        minded
    }

    /// Whether Quake of id's is among them.
    pub(super) fn is_ids(&self) -> bool {
        self.members.iter().flatten().any(|member| member.stops.engine().name.starts_with("id-"))
    }

    /// Which engines play all but what may be left of damage, and where that is; `torn` says where there was some.
    pub(super) fn said(&self, torn: &[u64], is_nehahra: bool) -> Option<String> {
        // Nobody sends these once in a while.
        let is_odd = |it: &Minded| match it.stop.code {
            Code::HighByteInString | Code::ItemsAbsent | Code::ItemsUnmarked => true,
            Code::MessageKnown => it.is_ids && !is_nehahra,
            _ => false,
        };
        let is_damage = |it: &Minded| it.is_mended || is_odd(it) || torn.binary_search(&it.offset).is_ok();
        let lost = |it: &&Member| it.minded.iter().any(is_damage);
        let lost: Vec<&Member> = self.members.iter().flatten().filter(lost).collect();
        let Minded { block, stop, .. } = lost.iter().flat_map(|it| &it.minded).find(|it| is_damage(it))?;
        let names: Vec<&str> = lost.iter().map(|it| it.stops.engine().name).collect();
        let (what, code) = (stop.code.message(stop.value), stop.code.number());
        Some(format!("{} would play it but for {what} (block {block}, {code})", names.join(", ")))
    }
}

/// The screen with which the game is sold: no level that is played shows it.
fn adverts<'d>(data: &'d [u8], context: &Context) -> impl Iterator<Item = Stop> + use<'d> {
    Messages::<Quake>::new(data, *context).filter_map(|entry| {
        let (code, value) = (Code::MessageKnown, i64::from(dem::SellScreen::OP));
        let is_advert = matches!(entry.message, dem::Message::SellScreen(_));
        is_advert.then_some(Stop { code, value, at: entry.at, effect: Effect::Defect })
    })
}

fn of(game: Game) -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().filter(move |engine| engine.game == game)
}

impl Member {
    fn new(engine: &'static Engine) -> Self {
        Self { stops: Stops::new(engine), minded: Vec::new() }
    }

    /// Whether the engine may still play all of the rest.
    fn play(&mut self, data: &[u8], context: &Context, origin: Origin) -> bool {
        let Origin { block, offset, is_mended } = origin;
        let found = self.stops.play(&Block::new(data), context);
        let mut fatal = found.into_iter().filter(is_fatal);
        let Some(stop) = fatal.next() else { return true };
        if !is_local(stop.code) || fatal.any(|stop| !is_local(stop.code)) || self.minded.len() == FEW {
            return false;
        }
        let is_ids = is_by_ids(data, context);
        self.minded.push(Minded { block, offset, stop, is_mended, is_ids });
        true
    }
}

/// Whether a server of id's told what it is, at the latest in this block.
fn is_by_ids(data: &[u8], context: &Context) -> bool {
    context.server_version > 0 || behind(data, context).server_version > 0
}

/// What ends a playback, or turns the view away for good.
fn is_fatal(stop: &Stop) -> bool {
    matches!(stop.effect, Effect::Ends | Effect::Breaks) || stop.code == Code::View
}

/// Whether it is of one message alone, and says nothing of the recording as a whole.
fn is_local(code: Code) -> bool {
    matches!(
        code,
        Code::MessageKnown
            | Code::TempEntityKnown
            | Code::EntityNumber
            | Code::SoundEntity
            | Code::LightStyles
            | Code::StatIndex
            | Code::Colormap
            | Code::ItemsAbsent
            | Code::ItemsUnmarked
            | Code::WeaponAbsent
            | Code::SpareUpdateBit
            | Code::SpareClientBit
            | Code::SpareSoundBits
            | Code::NehahraUpdate
            | Code::View
            | Code::HighByteInString
            | Code::LongString
    )
}
