//! The lists of a frame of an MVD2: players and entities, each with its changes since the frame before.

use super::Stats;
use crate::context::Context;
use crate::dm2::SpawnBaseline;
use crate::mvd2::part::Player;
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The changed numbers of a player's status bar. Unlike [`Stats`], they may be there though nothing changed.
///
/// ```
/// use moviola_format::{StatChanges, mvd2::part::Player};
/// assert_eq!(Player::default().stats, StatChanges::default());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StatChanges<'a>(pub Stats<'a>);

impl<'a> Scalar<'a> for StatChanges<'a> {
    const PARTS: &'static [ValuePart] = Stats::PARTS;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Stats::read(reader).map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if self.0.is_empty() {
            out.open(field.name);
            out.close();
        }
        self.0.show(field, out);
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        Stats::take_field(field, from).map(Self)
    }
    fn bare(&self) -> bool {
        false
    }
}

/// The players of a frame of an MVD2 in their wire form; the number 255 ends them.
///
/// ```
/// use moviola_format::{Context, PlayerChanges, Reader, Scalar};
/// let context = Context::quake2();
/// // Player 3 has a field of view of 110 degrees.
/// let list = PlayerChanges::read(&mut Reader::new(&[3, 0, 1, 110, 255], &context)).unwrap();
/// assert_eq!(list.iter().map(|it| (it.player, it.fov)).collect::<Vec<_>>(), [(3, 110)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlayerChanges<'a>(&'a [u8]);

impl<'a> PlayerChanges<'a> {
    const RECORD: ValuePart = ValuePart::new(
        "packetplayer",
        "A player: the number `player`, then the changes: `remove`, `pm_type`, `origin`, `origin_z`, `viewoffset`, \
         `viewangles`, `viewroll`, `kick_angles`, `gunindex`, `gunframe`, `gunoffset`, `gunangles`, `blend`, `fov`, \
         `rdflags`, `stats`.",
    );
    const END: u8 = 255;

    /// The list with these records, in their wire form.
    pub(crate) fn of(records: &'a [u8]) -> Self {
        Self(records)
    }

    /// The players.
    pub fn iter(&self) -> impl Iterator<Item = Player<'a>> + use<'a> {
        let mut reader = Reader::new(self.0, &const { Context::quake2() });
        std::iter::from_fn(move || if reader.is_empty() { None } else { Player::build(&mut reader).ok() })
    }
}

impl<'a> Scalar<'a> for PlayerChanges<'a> {
    const PARTS: &'static [ValuePart] = &[Self::RECORD];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        while reader.peek() != Some(Self::END) {
            Player::build(reader)?;
        }
        let records = reader.since(start);
        reader.byte()?;
        Ok(Self(records))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
        writer.byte(Self::END);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        self.iter().for_each(|it| out.record(Self::RECORD.name, &it));
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let (mut bytes, context) = (Vec::new(), *from.context());
        let fits = |player: &Player<'_>, _: &[u8]| {
            let number = Player::SCHEMA.fields.first().map(|field| field.name);
            if player.player == Self::END {
                Err((number, "the player 255 would end the list"))
            } else {
                Ok(())
            }
        };
        while from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {}
        Ok(Self(from.keep(&bytes)))
    }
    fn bare(&self) -> bool {
        false
    }
}

/// The entities of a frame of an MVD2 in their wire form; two zero bytes end them. Unlike in a frame of Quake II, an
/// entity that is removed can have other fields.
///
/// ```
/// use moviola_format::{Context, EntityChanges, Reader, Scalar};
/// let context = Context::quake2();
/// let list = EntityChanges::read(&mut Reader::new(&[0x50, 7, 9, 0, 0], &context)).unwrap();
/// assert_eq!(list.iter().map(|it| (it.entity.0, it.frame.value())).collect::<Vec<_>>(), [(7, 9)]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EntityChanges<'a>(&'a [u8]);

impl<'a> EntityChanges<'a> {
    const RECORD: ValuePart =
        ValuePart::new("packetentity", "An entity: its changes; its fields are those of `spawnbaseline`.");
    const END: [u8; 2] = [0; 2];

    /// A list of these entities, written to `buffer`.
    pub fn encode(entities: impl IntoIterator<Item = SpawnBaseline>, buffer: &'a mut Vec<u8>) -> Self {
        buffer.clear();
        for entity in entities {
            entity.walk(&mut Writer::new(buffer, &const { Context { mvd: true, ..Context::quake2() } }));
        }
        Self(buffer)
    }

    /// The entities.
    pub fn iter(&self) -> impl Iterator<Item = SpawnBaseline> + use<'a> {
        let mut reader = Reader::new(self.0, &const { Context::quake2() });
        std::iter::from_fn(
            move || if reader.is_empty() { None } else { SpawnBaseline::build(&mut reader).ok() },
        )
    }
}

impl<'a> Scalar<'a> for EntityChanges<'a> {
    const PARTS: &'static [ValuePart] = &[Self::RECORD];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        while !reader.rest().starts_with(&Self::END) {
            // Q2PRO ends the list at the number 0 with any flags, but writes no flags there.
            if SpawnBaseline::build(reader)?.entity.0 == 0 {
                return Err(reader.stop(FaultKind::Value(0)));
            }
        }
        let records = reader.since(start);
        reader.chunk::<2>()?;
        Ok(Self(records))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.0);
        writer.bytes(&Self::END);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        self.iter().for_each(|it| out.record(Self::RECORD.name, &it));
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let (mut bytes, context) = (Vec::new(), Context { mvd: true, ..*from.context() });
        let fits = |entity: &SpawnBaseline, _: &[u8]| {
            let number = SpawnBaseline::SCHEMA.fields.first().map(|field| field.name);
            if entity.entity.0 == 0 { Err((number, "the entity 0 would end the list")) } else { Ok(()) }
        };
        while from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {}
        Ok(Self(from.keep(&bytes)))
    }
    fn bare(&self) -> bool {
        false
    }
}
