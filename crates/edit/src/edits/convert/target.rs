//! The target of a conversion: a protocol, an engine, or both.

use crate::Error;
use moviola_check::{CheckCode, Engine};
use moviola_format::names::bit;
use moviola_format::names::quake::PROTOCOL_FLAGS;
use moviola_format::{AngleKind, Context, CoordKind, Game};

/// The protocols that a recording can be converted to.
pub(super) const PROTOCOLS: [(Game, &[i32]); 2] = [(Game::Quake, &[15, 666, 999]), (Game::Quake2, &[34])];

/// The protocol and the engine for which a recording is converted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Target {
    pub(super) protocol: Option<i32>,
    pub(super) engine: Option<&'static Engine>,
    /// Quake II: whether the recording has nothing that its newest protocol expresses differently.
    pub(super) is_as_today: bool,
}

impl Target {
    /// Whether it is for a recording of this game.
    pub(super) fn check(&self, game: Game) -> Result<(), Error> {
        let known = PROTOCOLS.iter().find(|(of, _)| *of == game).map(|(_, known)| *known).unwrap_or_default();
        let title = game.title();
        if let Some(protocol) = self.protocol.filter(|it| !known.contains(it)) {
            let known: Vec<String> = known.iter().map(ToString::to_string).collect();
            let known = known.join(", ");
            return Err(Error::Impossible(format!(
                "the recording is of {title}, which has no protocol {protocol}: convert it to {known}"
            )));
        }
        if let Some(engine) = self.engine.filter(|engine| engine.game != game) {
            let known: Vec<&str> =
                moviola_check::ENGINES.iter().filter(|it| it.game == game).map(|it| it.name).collect();
            return Err(Error::Impossible(format!(
                "the recording is of {title}, which {} does not play; there are {}",
                engine.name,
                known.join(", ")
            )));
        }
        if let (Some(protocol), Some(engine)) = (self.protocol, self.engine)
            && engine.effect(CheckCode::ProtocolSpoken, i64::from(protocol)).is_some()
        {
            return Err(Error::Impossible(format!("{} does not speak protocol {protocol}", engine.name)));
        }
        Ok(())
    }

    /// Whether the engine objects to this value.
    pub(super) fn rejects(&self, code: CheckCode, value: impl Into<i64>) -> bool {
        self.engine.is_some_and(|engine| engine.effect(code, value.into()).is_some())
    }

    /// The largest number of this kind that the target allows; `usual` is the protocol's own limit.
    pub(super) fn most(&self, code: CheckCode, usual: u16) -> u16 {
        let engine = self.engine.and_then(|engine| engine.most(code));
        engine.map_or(usual, |most| usual.min(u16::try_from(most).unwrap_or(u16::MAX)))
    }

    /// The context for writing a level that was read in the context `from`.
    pub(super) fn context(&self, from: &Context) -> Context {
        let speaks = |protocol: i32| !self.rejects(CheckCode::ProtocolSpoken, protocol);
        let to = self.protocol.unwrap_or_else(|| match from.game {
            Game::Quake2 if self.is_as_today && speaks(from.protocol) => from.protocol,
            // Every engine plays 34, and before 32 the numbers of effects have other meanings.
            Game::Quake2 => 34,
            Game::Quake if speaks(from.protocol) => from.protocol,
            Game::Quake if from.coord == CoordKind::Short && from.entity_angle == AngleKind::Byte => {
                if speaks(666) && (from.extended || from.wide_models || from.protocol == 250) {
                    666
                } else {
                    15
                }
            }
            Game::Quake | Game::QuakeWorld => {
                if speaks(999) {
                    999
                } else {
                    15
                }
            }
        });
        if to == from.protocol {
            return *from;
        }
        let mut context = Context::of(from.game);
        match from.game {
            Game::Quake | Game::QuakeWorld => {
                context.set_quake_protocol(to, if to == 999 { flags_999(from) } else { 0 })
            }
            Game::Quake2 => context.set_quake2_protocol(to, from.isdemo),
        };
        context
    }
}

/// The flags of protocol 999 that can express everything of the recording's protocol.
fn flags_999(from: &Context) -> u32 {
    let coord = match from.coord {
        CoordKind::Short => 0,
        CoordKind::Mixed => const { bit(PROTOCOL_FLAGS, "PRFL_24BITCOORD") },
        CoordKind::Long => const { bit(PROTOCOL_FLAGS, "PRFL_INT32COORD") },
        CoordKind::Float => const { bit(PROTOCOL_FLAGS, "PRFL_FLOATCOORD") },
    };
    let angle = match from.entity_angle {
        AngleKind::Byte => 0,
        AngleKind::Short => const { bit(PROTOCOL_FLAGS, "PRFL_SHORTANGLE") },
        AngleKind::Float => const { bit(PROTOCOL_FLAGS, "PRFL_FLOATANGLE") },
    };
    (coord | angle) as u32
}
