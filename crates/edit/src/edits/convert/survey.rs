//! The pass before a conversion: how often each model and sound is used, in levels that have more than fit.

use super::numbers::Numbers;
use super::quakeworld::PlayerCollector;
use super::target::Target;
use crate::{BlockWriter, EditOutput, Error, Rewrite};
use moviola_check::CheckCode;
use moviola_format::{Context, Entry, Format, Game, StrList, dem, dm2, qw};
use moviola_state::World as _;
use moviola_state::quake::{Stat, World};
use std::collections::BTreeSet;

/// The new numbers of the models and sounds of a level.
#[derive(Clone, Debug, Default)]
pub(super) struct NewNumbers {
    pub(super) models: Numbers,
    pub(super) sounds: Numbers,
}

impl NewNumbers {
    /// The choice without a survey: the first models and sounds that fit.
    pub(super) fn first(it: &dem::ServerInfo<'_>, target: &Target, from: &Context) -> Self {
        let [models, sounds] = most(target, &target.context(from));
        let fitting = |list: StrList<'_>, most| {
            let unknown = vec![0; list.iter().count().saturating_add(1)];
            Numbers::fitting(&unknown, most)
        };
        Self { models: fitting(it.precache.models(), models), sounds: fitting(it.precache.sounds(), sounds) }
    }
}

impl NewNumbers {
    /// The models with these names, and all sounds that fit. Engines of Quake stop at a model that they do not have,
    /// and servers of QuakeWorld list many models that no level shows.
    pub(super) fn of_models(
        self,
        info: &dem::ServerInfo<'_>,
        target: &Target,
        context: &Context,
        names: &BTreeSet<Vec<u8>>,
    ) -> Self {
        let [models, _] = most(target, &target.context(context));
        let uses = info.precache.models().iter().map(|name| u64::from(names.contains(name.bytes())));
        let uses: Vec<u64> = std::iter::once(0).chain(uses).collect();
        Self { models: Numbers::of_used(&uses, models), ..self }
    }
}

/// Counts, level by level.
#[derive(Default)]
pub(super) struct Survey {
    target: Target,
    world: World,
    level: Option<CrowdedLevel>,
    fits: Vec<NewNumbers>,
    /// Quake II: messages have the form of an old protocol.
    pub(super) is_old: bool,
    /// QuakeWorld: the players, without spectators.
    pub(super) playing: Option<Box<PlayerCollector>>,
}

/// A level with more models or sounds than fit.
struct CrowdedLevel {
    models: Vec<u64>,
    sounds: Vec<u64>,
    most: [u16; 2],
}

fn count(uses: &mut [u64], number: u16) {
    if let Some(place) = uses.get_mut(usize::from(number)) {
        *place = place.saturating_add(1);
    }
}

/// How many models and sounds fit under a context.
fn most(target: &Target, context: &Context) -> [u16; 2] {
    let usual = |wide: bool| if wide { u16::MAX } else { u16::from(u8::MAX) };
    [
        target.most(CheckCode::Models, usual(context.extended || context.wide_models)),
        target.most(CheckCode::Sounds, usual(context.extended || context.wide_sounds)),
    ]
}

impl Survey {
    pub(super) fn new(target: Target) -> Self {
        Self { target, ..Self::default() }
    }

    /// The new numbers of the levels' models and sounds, in the order of the levels.
    pub(super) fn finish(mut self) -> Vec<NewNumbers> {
        self.finish_level();
        self.fits
    }

    fn finish_level(&mut self) {
        if let Some(level) = self.level.take() {
            let [models, sounds] = level.most;
            let fit = NewNumbers {
                models: Numbers::fitting(&level.models, models),
                sounds: Numbers::fitting(&level.sounds, sounds),
            };
            if let Some(last) = self.fits.last_mut() {
                *last = fit;
            }
        }
    }

    fn enter(&mut self, it: &dem::ServerInfo<'_>, context: &Context) {
        self.finish_level();
        self.fits.push(NewNumbers::default());
        let lists = [it.precache.models(), it.precache.sounds()];
        let [models, sounds] = lists.map(|list| list.iter().count());
        let mut after = *context;
        after.enter_level(it);
        let most = most(&self.target, &self.target.context(&after));
        let [most_models, most_sounds] = most.map(usize::from);
        if models > most_models || sounds > most_sounds {
            let zeros = |count: usize| vec![0; count.saturating_add(1)];
            self.level = Some(CrowdedLevel { models: zeros(models), sounds: zeros(sounds), most });
        }
    }
}

impl Rewrite for Survey {
    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        let game = Error::any_game(format)?;
        self.playing = (game == Game::QuakeWorld).then(Box::default);
        self.target.check(if game == Game::QuakeWorld { Game::Quake } else { game })
    }

    fn block(&mut self, writer: &mut BlockWriter<'_>) {
        if let Some(playing) = &mut self.playing {
            playing.step(writer.block());
        }
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let Some(playing) = &mut self.playing {
            playing.message(&entry.message);
        }
        writer.keep();
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        if let dem::Message::ServerInfo(it) = &entry.message {
            self.enter(it, writer.context());
        }
        let Some(level) = &mut self.level else { return };
        self.world.apply(entry);
        match &entry.message {
            dem::Message::UpdateEntity(it) => {
                if let Some(entity) = self.world.entity(it.entity.0) {
                    count(&mut level.models, entity.look.model);
                }
            }
            dem::Message::SpawnBaseline(it) => count(&mut level.models, it.default_modelindex.0),
            dem::Message::SpawnBaseline2(it) => count(&mut level.models, it.default_modelindex.0),
            dem::Message::SpawnStatic(it) => count(&mut level.models, it.default_modelindex.0),
            dem::Message::SpawnStatic2(it) => count(&mut level.models, it.default_modelindex.0),
            dem::Message::ClientData(_) => {
                count(&mut level.models, self.world.stats.get(Stat::WeaponModel) as u16);
            }
            dem::Message::Sound(it) => count(&mut level.sounds, it.soundnum.0),
            dem::Message::SpawnStaticSound(it) => count(&mut level.sounds, it.soundnum.number),
            dem::Message::SpawnStaticSound2(it) => count(&mut level.sounds, it.soundnum),
            dem::Message::LocalSound(it) => count(&mut level.sounds, it.soundnum.0),
            _ => {}
        }
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.is_old |= writer.context().quake2_protocol() < dm2::CHANGED
            && match &entry.message {
                dm2::Message::TempEntity(it) => it.flags.was_another(),
                dm2::Message::Download(it) => it.piece.size > 0,
                _ => false,
            };
    }

    fn block_end(&mut self, writer: &mut BlockWriter<'_>, _: &mut EditOutput<'_>) -> Result<(), Error> {
        if writer.context().game == Game::Quake {
            self.world.moment.clear();
        }
        Ok(())
    }
}
