//! The messages of recordings with Q2PRO's extended limits: each holds its record, or its records, in wire form. So a
//! message stays small, and is written with the bytes that were read.

use crate::context::{Context, Q2proLimits};
use crate::q2pro::{Q2proEffect, Q2proEntity, Q2proPlayer};
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};
use std::fmt;

/// The context in which records of these limits are read again.
fn context_of(limits: Q2proLimits) -> Context {
    Context { protocol: limits.protocol(), limits, ..Context::quake2() }
}

/// Messages of one record.
macro_rules! records { ($( $(#[doc = $about:literal])* $name:ident of $record:ident $(<$life:lifetime>)?, $keyword:literal $note:literal, zeros $zeros:literal, refused if $refused:expr, $why:literal; )*) => { $(
    $(#[doc = $about])*
    ///
    /// ```
    #[doc = concat!("assert!(moviola_format::", stringify!($name), "::default().get().is_some());")]
    /// ```
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct $name<'a> {
        record: &'a [u8],
        limits: Q2proLimits,
    }

    impl Default for $name<'_> {
        fn default() -> Self {
            // Zeros are a record of each kind.
            Self { record: &[0; $zeros], limits: Q2proLimits::First }
        }
    }

    impl<'a> $name<'a> {
        const RECORD: ValuePart = ValuePart::new($keyword, $note);

        /// The record.
        pub fn get(&self) -> Option<$record $(<$life>)?> {
            $record::build(&mut Reader::new(self.record, &context_of(self.limits))).ok()
        }

        /// A message with this record, written to `buffer`, under a context with extended limits.
        pub fn encode(record: &$record $(<$life>)?, context: &Context, buffer: &'a mut Vec<u8>) -> Self {
            buffer.clear();
            record.walk(&mut Writer::new(buffer, context));
            Self { record: buffer, limits: context.limits }
        }
    }

    impl fmt::Debug for $name<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.get().fmt(f)
        }
    }

    impl<'a> Scalar<'a> for $name<'a> {
        const PARTS: &'static [ValuePart] = &[Self::RECORD];

        fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
            let start = reader.pos();
            let record = $record::build(reader)?;
            if ($refused)(&record) {
                return Err(reader.stop(FaultKind::Value(0)));
            }
            Ok(Self { record: reader.since(start), limits: reader.context().limits })
        }
        fn write(&self, writer: &mut Writer<'_>) {
            writer.bytes(self.record);
        }
        fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
            let context = context_of(self.limits);
            out.records(Self::RECORD.name, &mut Reader::new(self.record, &context), |_: &$record $(<$life>)?| false);
        }
        fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
            let (mut bytes, context) = (Vec::new(), *from.context());
            let fits = |record: &$record $(<$life>)?, _: &[u8]| {
                if ($refused)(record) { Err((None, $why)) } else { Ok(()) }
            };
            if !from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {
                return Err(from.refuse("its one record is missing"));
            }
            Ok(Self { record: from.keep(&bytes), limits: context.limits })
        }
        fn bare(&self) -> bool {
            false
        }
    }
)* } }

records! {
    /// A temporary effect.
    Q2proEffectRecord of Q2proEffect, "effect" "The effect: the fields of `temp_entity`, and `damage`.", zeros 8, refused if |_: &Q2proEffect| false, "";
    /// An entity's first state.
    Q2proEntityRecord of Q2proEntity, "entity_state" "The differences from an empty state: the fields of a `packetentity`.",
        zeros 2, refused if |it: &Q2proEntity| it.flags.has(Q2proEntity::remove), "a first state cannot be removed";
    /// What changed in a player's state.
    Q2proPlayerRecord of Q2proPlayer<'a>, "player" "What changed: the fields of `playerinfo`, each coordinate in a line, `gunskin`, `blend_bits` and `fog`.",
        zeros 6, refused if |_: &Q2proPlayer<'_>| false, "";
}

/// The entities of a frame that changed; two zero bytes end them.
///
/// ```
/// assert_eq!(moviola_format::Q2proDeltas::default().iter().count(), 0);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Q2proDeltas<'a> {
    records: &'a [u8],
    limits: Q2proLimits,
}

impl<'a> Q2proDeltas<'a> {
    const RECORD: ValuePart = ValuePart::new(
        "packetentity",
        "The changes of one entity: the fields of `spawnbaseline`, and `loop_volume`, `loop_attenuation`, `morefx`, \
         `alpha` and `scale`; `origin_x_change` and the like are differences.",
    );
    const END: [u8; 2] = [0; 2];

    /// The entities that changed.
    pub fn iter(&self) -> impl Iterator<Item = Q2proEntity> + use<'a> {
        let (mut rest, context) = (self.records, context_of(self.limits));
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let mut reader = Reader::new(rest, &context);
            reader.set_listed(true);
            let entity = Q2proEntity::build(&mut reader).ok()?;
            rest = reader.rest();
            Some(entity)
        })
    }
}

impl fmt::Debug for Q2proDeltas<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> Scalar<'a> for Q2proDeltas<'a> {
    const PARTS: &'static [ValuePart] = &[Self::RECORD];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        reader.set_listed(true);
        while !reader.rest().starts_with(&Self::END) {
            // Q2PRO ends the list at the number 0 with any flags, but writes no flags there.
            if Q2proEntity::build(reader)?.entity.0 == 0 {
                return Err(reader.stop(FaultKind::Value(0)));
            }
        }
        reader.set_listed(false);
        let records = reader.since(start);
        reader.chunk::<2>()?;
        Ok(Self { records, limits: reader.context().limits })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.records);
        writer.bytes(&Self::END);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let context = context_of(self.limits);
        let mut reader = Reader::new(self.records, &context);
        reader.set_listed(true);
        out.records(Self::RECORD.name, &mut reader, |_: &Q2proEntity| false);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let (mut bytes, context) = (Vec::new(), *from.context());
        let fits = |entity: &Q2proEntity, bytes: &[u8]| {
            let number = Q2proEntity::SCHEMA.fields.first().map(|field| field.name);
            if entity.entity.0 == 0 {
                return Err((number, "the entity 0 would end the list"));
            }
            let mut reader = Reader::new(bytes, &context);
            reader.set_listed(true);
            let read = Q2proEntity::build(&mut reader);
            let is_whole = reader.is_empty()
                && read.is_ok_and(|read| Q2proEntity { flags: entity.flags, ..read } == *entity);
            if is_whole {
                Ok(())
            } else {
                Err((None, "an entity that is removed has no other fields in a list"))
            }
        };
        while from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {}
        Ok(Self { records: from.keep(&bytes), limits: context.limits })
    }
    fn bare(&self) -> bool {
        false
    }
}
