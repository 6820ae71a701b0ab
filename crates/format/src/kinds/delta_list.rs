//! The lists of entities in FTE's form of Quake and in `DarkPlaces`, in their wire form, and the single states of that
//! form.

use super::delta::{DeltaBits, DeltaEntity};
use crate::context::{AngleKind, Context, CoordKind, Extensions};
use crate::deltas::{DarkPlacesEntity, FteEntity};
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};
use std::fmt;

/// The facts that reading the bytes of a list again needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Form {
    coord: CoordKind,
    angle: AngleKind,
    fte: bool,
    fte2: u32,
}

impl Form {
    fn of(context: &Context) -> Self {
        Self { coord: context.coord, angle: context.angle, fte: context.fte, fte2: context.extensions.fte2 }
    }

    fn context(self) -> Context {
        Context {
            coord: self.coord,
            angle: self.angle,
            fte: self.fte,
            extensions: Extensions { fte2: self.fte2, ..Extensions::default() },
            ..Context::quake()
        }
    }
}

/// Lists of entities in their wire form.
macro_rules! lists { ($( $(#[doc = $about:literal])* $name:ident of $record:ident, $keyword:literal up to $end:expr, )*) => { $(
    $(#[doc = $about])*
    ///
    /// ```
    #[doc = concat!("assert_eq!(moviola_format::", stringify!($name), "::default().iter().count(), 0);")]
    /// ```
    #[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub struct $name<'a> {
        records: &'a [u8],
        form: Form,
    }

    impl<'a> $name<'a> {
        const RECORD: ValuePart = ValuePart::new($keyword, "An entity, in the form of the table of entities.");
        const END: [u8; 2] = $end;

        /// The entities.
        pub fn iter(&self) -> impl Iterator<Item = $record<'a>> + use<'a> {
            let (mut rest, context) = (self.records, self.form.context());
            std::iter::from_fn(move || {
                let mut reader = Reader::new(rest, &context);
                reader.set_listed(true);
                let entity = $record::build(&mut reader).ok()?;
                rest = reader.rest();
                Some(entity)
            })
        }

        /// The parts of the context that decide the form of the entities.
        pub fn context(&self) -> Context {
            self.form.context()
        }

        /// The entity in these bytes, in the form of this list.
        pub fn one<'r>(&self, record: &'r [u8]) -> Option<$record<'r>> {
            let context = self.form.context();
            let mut reader = Reader::new(record, &context);
            reader.set_listed(true);
            $record::build(&mut reader).ok()
        }

        /// A list of entities in these bytes, which are in the form of this context.
        pub fn of_bytes(records: &'a [u8], context: &Context) -> Self {
            Self { records, form: Form::of(context) }
        }
    }

    impl fmt::Debug for $name<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.debug_list().entries(self.iter()).finish()
        }
    }

    impl<'a> Scalar<'a> for $name<'a> {
        const PARTS: &'static [ValuePart] = &[Self::RECORD];

        fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
            let start = reader.pos();
            reader.set_listed(true);
            while !reader.rest().starts_with(&Self::END) {
                $record::build(reader)?;
            }
            reader.set_listed(false);
            let records = reader.since(start);
            reader.chunk::<2>()?;
            Ok(Self { records, form: Form::of(reader.context()) })
        }
        fn write(&self, writer: &mut Writer<'_>) {
            writer.bytes(self.records);
            writer.bytes(&Self::END);
        }
        fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
            let context = self.form.context();
            let mut reader = Reader::new(self.records, &context);
            reader.set_listed(true);
            out.records(Self::RECORD.name, &mut reader, |_: &$record<'a>| false);
        }
        fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
            let (mut bytes, context) = (Vec::new(), *from.context());
            let fits = |_: &$record<'a>, bytes: &[u8]| {
                if bytes.len() < 2 {
                    return Err((None, "the number of the entity is missing"));
                }
                if bytes.starts_with(&Self::END) {
                    return Err((None, "this entity would end the list"));
                }
                Ok(())
            };
            while from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {}
            Ok(Self { records: from.keep(&bytes), form: Form::of(&context) })
        }
        fn bare(&self) -> bool {
            false
        }
    }
)* } }

lists! {
    /// The entities of a frame of `DarkPlaces` that changed.
    DarkPlacesEntities of DarkPlacesEntity, "delta" up to [0, 0x80],
    /// The entities of a frame in FTE's form that changed.
    FteEntities of FteEntity, "delta" up to [0, 0],
}

/// The state of a baseline or a static thing in FTE's form: an entity without a number.
///
/// ```
/// assert!(moviola_format::FteState::default().entity().is_none());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct FteState<'a> {
    record: &'a [u8],
    form: Form,
}

impl<'a> FteState<'a> {
    const RECORD: ValuePart =
        ValuePart::new("state", "The differences from an empty state, in the form of the table of entities.");

    /// The state.
    pub fn entity(&self) -> Option<FteEntity<'a>> {
        FteEntity::build(&mut Reader::new(self.record, &self.form.context())).ok()
    }
}

impl fmt::Debug for FteState<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FteState").field(&self.entity()).finish()
    }
}

impl<'a> Scalar<'a> for FteState<'a> {
    const PARTS: &'static [ValuePart] = &[Self::RECORD];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let start = reader.pos();
        FteEntity::build(reader)?;
        Ok(Self { record: reader.since(start), form: Form::of(reader.context()) })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        // An entity without any state is sent as an empty flag word.
        writer.bytes(if self.record.is_empty() { &[0] } else { self.record });
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        let context = self.form.context();
        out.records(Self::RECORD.name, &mut Reader::new(self.record, &context), |_: &FteEntity<'a>| false);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let (mut bytes, context) = (Vec::new(), *from.context());
        let fits = |record: &FteEntity<'a>, _: &[u8]| match record {
            FteEntity { entity: DeltaEntity(Some(_)), .. } => Err((None, "a state has no number of its own")),
            it if it.flags.0 & DeltaBits::<0>::REMOVE != 0 => Err((None, "a state cannot be removed")),
            _ => Ok(()),
        };
        if !from.wire(Self::RECORD.name, &mut bytes, &context, fits)? {
            return Err(from.refuse("the state is missing"));
        }
        Ok(Self { record: from.keep(&bytes), form: Form::of(&context) })
    }
    fn bare(&self) -> bool {
        false
    }
}
