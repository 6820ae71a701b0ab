//! Gives entities other models: a new one is added to the list of the level, and takes the place of the old
//! one in baselines and updates. An entity without a model stays invisible.

use super::Set;
use super::words::Value;
use crate::machinery::models::with_models;
use crate::machinery::players::Players;
use crate::{BlockWriter, Error, Rewrite};
use moviola_format::names::quake2::{CS_MODELS, PLAYERS_MODEL};
use moviola_format::{ByteOrShort, Deltas, Entry, Flags, ModelNumber, Str, dem, dm2, qw};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// The numbers of the new models.
#[derive(Clone, Debug, Default)]
pub(super) struct Models {
    /// In the current level; in Quake II, where a list has gaps, in all levels.
    numbers: BTreeMap<Vec<u8>, u8>,
    /// A model that has no number.
    without_room: Option<Vec<u8>>,
}

/// Quake II: the model number that means the model of the player's skin.
const SKINNED: i16 = PLAYERS_MODEL as i16;

/// The first model of a list that is not the level itself.
const FIRST_MODEL: i16 = 2;

impl Set {
    /// The new models, each once.
    fn new_models(&self) -> BTreeSet<Vec<u8>> {
        let names = self.settings.iter().filter_map(|setting| match &setting.value {
            Value::Model(name) => Some(name.clone()),
            _ => None,
        });
        names.collect()
    }

    /// Looks at the players of a recording, and finds numbers that no level of Quake II has for another model.
    pub(super) fn look<R: Read>(&mut self, source: R) -> Result<Players, Error> {
        let mut look = ModelSurvey::default();
        crate::rewrite(source, &mut look, std::io::sink())?;
        let free = (FIRST_MODEL..SKINNED).rev().filter(|number| !look.used.contains(number));
        self.models.numbers = self.new_models().into_iter().zip(free.map(|number| number as u8)).collect();
        Ok(look.players)
    }

    /// The number of the new model of an entity.
    fn model(&mut self, entity: u16) -> Option<u8> {
        let mut found = None;
        for (setting, met) in self.settings.iter().zip(&mut self.met) {
            if let (Value::Model(name), true) = (&setting.value, setting.entity == Some(entity)) {
                found = Some(name.clone());
                *met = true;
            }
        }
        let name = found?;
        let number = self.models.numbers.get(&name).copied();
        if number.is_none() {
            self.models.without_room.get_or_insert(name);
        }
        number
    }

    /// The reason why an entity could not get its model.
    pub(super) fn without_room(&self) -> Option<Error> {
        let name = String::from_utf8_lossy(self.models.without_room.as_ref()?).into_owned();
        let why = format!("the list of models has no room for {name}, or is not in the recording");
        Some(Error::Impossible(why))
    }

    /// Announces a level of Quake with the new models; returns false if the announcement stays unchanged.
    pub(super) fn announce(&mut self, it: &dem::ServerInfo<'_>, writer: &mut BlockWriter<'_>) -> bool {
        let wanted = self.new_models();
        let (models, announced) = with_models(it, wanted.iter(), writer.context());
        self.models.numbers = (1..=u8::MAX).zip(models).map(|(number, name)| (name, number)).collect();
        if let Some(bytes) = &announced {
            writer.put_bytes(bytes);
        }
        announced.is_some()
    }

    /// The message with the new model; `None` if the model does not change.
    pub(super) fn with_model<'m>(&mut self, message: &dem::Message<'m>) -> Option<dem::Message<'m>> {
        match *message {
            dem::Message::SpawnBaseline(it) if it.default_modelindex.0 != 0 => {
                let default_modelindex = ModelNumber(self.model(it.entity as u16)?.into());
                Some(dem::SpawnBaseline { default_modelindex, ..it }.into())
            }
            dem::Message::SpawnBaseline2(it) if it.default_modelindex.0 != 0 => {
                let default_modelindex = ByteOrShort(self.model(it.entity as u16)?.into());
                Some(dem::SpawnBaseline2 { default_modelindex, ..it }.into())
            }
            dem::Message::UpdateEntity(it)
                if it.flags.has(dem::UpdateEntity::modelindex)
                    && (it.modelindex.0 != 0 || it.modelindex_high != 0) =>
            {
                let modelindex = ModelNumber(self.model(it.entity.0)?.into());
                Some(dem::UpdateEntity { modelindex, modelindex_high: 0, ..it }.into())
            }
            _ => None,
        }
    }

    /// Adds the new models to the list of a level of Quake II.
    pub(super) fn announce2(&mut self, writer: &mut BlockWriter<'_>) {
        for (name, number) in &self.models.numbers {
            let (string, index) = ([name.as_slice(), &[0]].concat(), CS_MODELS as i16 + i16::from(*number));
            writer.put(&dm2::Message::from(dm2::ConfigString { index, string: Str::new(&string) }));
        }
    }

    /// The entity with the new model in place of all its models; an entity for a player has several.
    fn other2(&mut self, it: dm2::SpawnBaseline) -> dm2::SpawnBaseline {
        let has_model = it.flags.has(dm2::SpawnBaseline::modelindex) && it.modelindex != 0;
        let is_ours = self.settings.iter().any(|setting| setting.entity == Some(it.entity.0));
        if !is_ours {
            return it;
        }
        let bare = dm2::SpawnBaseline { modelindex2: 0, modelindex3: 0, modelindex4: 0, ..it };
        match self.model(it.entity.0).filter(|_| has_model) {
            Some(modelindex) => dm2::SpawnBaseline { modelindex, ..bare },
            None => bare,
        }
    }

    /// Writes a message of Quake II with the new models; returns false if it stays.
    pub(super) fn put_model2(
        &mut self,
        entry: &Entry<dm2::Message<'_>>,
        writer: &mut BlockWriter<'_>,
    ) -> bool {
        match entry.message {
            dm2::Message::SpawnBaseline(it) => {
                let new = self.other2(it);
                if new == it {
                    return false;
                }
                self.put(writer, |writer| {
                    writer.put_entry(&Entry { message: dm2::Message::from(new), ..*entry });
                });
            }
            dm2::Message::PacketEntities(it) => {
                let old: Vec<dm2::SpawnBaseline> = it.entities.iter().collect();
                let new: Vec<dm2::SpawnBaseline> = old.iter().map(|it| self.other2(*it)).collect();
                if old == new {
                    return false;
                }
                let mut buffer = Vec::new();
                let message = dm2::PacketEntities { entities: Deltas::encode(new, &mut buffer) };
                self.put(writer, |writer| {
                    writer.put_entry(&Entry { message: dm2::Message::from(message), ..*entry });
                });
            }
            _ => return false,
        }
        true
    }
}

/// The players of a recording, and the numbers of models that it uses (Quake II).
#[derive(Default)]
struct ModelSurvey {
    players: Players,
    used: BTreeSet<i16>,
}

impl Rewrite for ModelSurvey {
    fn knows_quakeworld(&self) -> bool {
        true
    }

    fn quake(&mut self, entry: &Entry<dem::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.players.quake(entry, writer);
    }

    fn quakeworld(&mut self, entry: &Entry<qw::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.players.quakeworld(entry, writer);
    }

    fn quake2(&mut self, entry: &Entry<dm2::Message<'_>>, writer: &mut BlockWriter<'_>) {
        self.players.quake2(entry, writer);
        if let dm2::Message::ConfigString(it) = &entry.message
            && !it.string.bytes().is_empty()
        {
            self.used.insert(it.index.saturating_sub(CS_MODELS as i16));
        }
    }
}
