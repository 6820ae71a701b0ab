//! The numbers of entities that a recording uses, and so the free ones for entities that an edit adds.

use crate::{BlockWriter, EditOutput, Error, Rewrite, rewrite};
use moviola_format::{Entry, Format, Game, dem, dm2};
use std::io::{self, Read};

/// The used numbers.
#[derive(Clone, Debug)]
pub(crate) struct UsedNumbers(Vec<bool>);

impl UsedNumbers {
    pub(crate) fn new() -> Self {
        Self(vec![false; 1 << 10])
    }

    /// The numbers that a recording uses, and its game.
    pub(crate) fn of(source: impl Read) -> Result<(Self, Game), Error> {
        let mut survey = Survey { used: Self::new(), game: Game::Quake };
        rewrite(source, &mut survey, io::sink())?;
        Ok((survey.used, survey.game))
    }

    /// Whether a number is used.
    pub(crate) fn has(&self, number: u16) -> bool {
        self.0.get(usize::from(number)) == Some(&true)
    }

    fn mark_used(&mut self, number: u16) {
        if let Some(used) = self.0.get_mut(usize::from(number)) {
            *used = true;
        }
    }

    pub(crate) fn quake(&mut self, message: &dem::Message<'_>) {
        match message {
            dem::Message::UpdateEntity(it) => self.mark_used(it.entity.0),
            dem::Message::SpawnBaseline(it) => self.mark_used(it.entity as u16),
            dem::Message::SpawnBaseline2(it) => self.mark_used(it.entity as u16),
            dem::Message::SetView(it) => self.mark_used(it.entity as u16),
            dem::Message::Sound(it) => self.mark_used(it.source.entity),
            _ => {}
        }
    }

    pub(crate) fn quake2(&mut self, message: &dm2::Message<'_>) {
        match message {
            dm2::Message::PacketEntities(it) => {
                it.entities.heads().for_each(|(_, number)| self.mark_used(number));
            }
            dm2::Message::SpawnBaseline(it) => self.mark_used(it.entity.0),
            dm2::Message::MuzzleFlash2(it) => self.mark_used(it.entity as u16),
            _ => {}
        }
    }

    /// The free numbers. Players have the first numbers; of the numbers above them every engine accepts the
    /// lowest ones.
    pub(crate) fn free(&self, game: Game) -> impl Iterator<Item = u16> {
        (64..=highest(game)).filter(|number| self.0.get(usize::from(*number)) == Some(&false))
    }
}

/// The pass over a recording that collects the numbers.
struct Survey {
    used: UsedNumbers,
    game: Game,
}

impl Rewrite for Survey {
    fn begin(&mut self, format: Format, _: &mut EditOutput<'_>) -> Result<(), Error> {
        self.game = Error::game(format)?;
        Ok(())
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.used.quake(&entry.message);
        writer.keep();
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.used.quake2(&entry.message);
        writer.keep();
    }
}

/// The highest number that an entity has in the first engines.
fn highest(game: Game) -> u16 {
    match game {
        Game::Quake | Game::QuakeWorld => 448,
        Game::Quake2 => 1023,
    }
}
