//! `messages!` turns one table into the message structs, the `Message` enum, the schema, and the two
//! functions on which every backend stands: `build` (from a [`Source`]) and `walk` (into a [`Sink`]).
//!
//! It knows nothing about bytes, text or JSON. A row has the form
//!
//! ```text
//! /// The note about the message.
//! Name<'a> = id "keyword" [svc_name, Lasts marks, lmpc, since Origin] in FAMILIES (first: kind) flags Kind {
//!     /// The note about the field.
//!     0x0001 => optional_field [C_NAME | C_NAME]: kind as Meaning,
//!     field: kind,
//! }
//! ```
//!
//! The brackets contain the message's [`Properties`]; a row without them does not compile. The other parts
//! are optional: families (protocols that have it), the field before the flag word, the flag word, the names
//! of bits in the games' C sources, and meanings.

use crate::context::Context;
use crate::scalar::{Field, Flags, Record, Scalar};
use crate::wire::{FAST, FaultKind, Reader, Stop, Writer};
use std::fmt::Debug;

/// A message as data.
///
/// ```
/// use moviola_format::dem::UpdateStat;
/// let row = UpdateStat::SCHEMA;
/// assert_eq!((row.op, row.name, row.rust), (3, "updatestat", "UpdateStat"));
/// let keywords: Vec<_> = row.lines().map(|(keyword, ..)| keyword).collect();
/// assert_eq!(keywords, ["index", "value"]);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Its id; the first one if it takes several.
    pub op: u8,
    /// The last id.
    pub last: u8,
    /// Its keyword in the text.
    pub name: &'static str,
    /// The name of its struct.
    pub rust: &'static str,
    /// The note in the table.
    pub note: &'static str,
    /// The columns between the brackets of its row.
    pub properties: Properties,
    /// The families of protocols that have it.
    pub families: u16,
    /// The kind of its flag word, or "".
    pub flags: &'static str,
    /// Its fields in the order of the wire.
    pub fields: &'static [Field],
}

/// The properties of a message apart from its fields: the columns between the brackets of its row.
///
/// ```
/// use moviola_format::{Lasts, Origin, dem, dm2};
/// let sound = dem::Sound::SCHEMA.properties;
/// assert_eq!((sound.c_name, sound.lasts, sound.since), ("svc_sound", Lasts::Moment, Origin::Quake));
/// assert!(sound.heard && !sound.needed && sound.lmpc);
/// assert!(!dem::Fog::SCHEMA.properties.lmpc);
/// assert!(dm2::FrameMessage::SCHEMA.properties.needed);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Properties {
    /// The name in the C sources of the engine that first sent the message.
    pub c_name: &'static str,
    /// The names of the flag bits in C, each with the field that the bit announces.
    pub c_bits: &'static [(&'static str, &'static str)],
    /// The duration of the message's effect.
    pub lasts: Lasts,
    /// Whether engines refuse a recording without messages of this kind, or play it differently.
    pub needed: bool,
    /// Whether the message starts, changes or stops a sound.
    pub heard: bool,
    /// Whether LMPC's language has the message under the same keyword.
    pub lmpc: bool,
    /// The game or engine that sent the message first.
    pub since: Origin,
}

impl Properties {
    /// The properties of a row that is a part of a message in every frame.
    pub(crate) const fn part(since: Origin) -> Self {
        let (lasts, needed, heard) = (Lasts::Frame, false, false);
        Self { c_name: "", c_bits: &[], lasts, needed, heard, lmpc: true, since }
    }
}

/// The duration of a message's effect, which decides how an edit treats it when it removes the message's
/// moment.
///
/// ```
/// use moviola_format::{Lasts, Message, dem};
/// let lasting = |lasts| dem::Message::SCHEMA.iter().filter(move |row| row.properties.lasts == lasts);
/// assert!(lasting(Lasts::Level).any(|row| row.name == "spawnstatic"));
/// assert!(lasting(Lasts::Moment).all(|row| !row.properties.needed));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lasts {
    /// The message has no effect, so nobody notices its absence.
    Never,
    /// The effect is momentary: a cut removes the message with its moment.
    Moment,
    /// The effect lasts until the next frame, which sends its own: a cut removes the message with its frame.
    Frame,
    /// The effect lasts until another message changes it: a cut must carry it over.
    State,
    /// The message is a part of the level and is sent before play begins: a cut must keep it.
    Level,
    /// The message makes the client begin or leave a level: a cut must keep the order of such messages.
    Connection,
    /// The console executes the message: its effect depends on the command.
    Command,
}

/// The game, mission pack or engine in which a message first appeared.
///
/// ```
/// use moviola_format::{Origin, dem};
/// assert_eq!(dem::Fog::SCHEMA.properties.since.name(), "FitzQuake");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// id's Quake.
    Quake,
    /// Quake's mission packs.
    MissionPack,
    /// The Nehahra mod and its engine.
    Nehahra,
    /// FitzQuake with protocol 666.
    FitzQuake,
    /// The re-release of Quake in 2021.
    Rerelease,
    /// id's Quake II.
    Quake2,
    /// id's QuakeWorld.
    QuakeWorld,
    /// FTE, an engine for QuakeWorld and Quake.
    Fte,
    /// `DarkPlaces`, an engine for Quake.
    DarkPlaces,
    /// MVDSV, a server for QuakeWorld.
    Mvdsv,
    /// Qizmo, a proxy for QuakeWorld.
    Qizmo,
    /// Q2PRO, an engine for Quake II.
    Q2pro,
}

impl Origin {
    /// The name of the game or engine.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quake => "Quake",
            Self::MissionPack => "Quake's mission packs",
            Self::Nehahra => "Nehahra",
            Self::FitzQuake => "FitzQuake",
            Self::Rerelease => "Quake's re-release",
            Self::Quake2 => "Quake II",
            Self::QuakeWorld => "QuakeWorld",
            Self::Fte => "FTE",
            Self::DarkPlaces => "DarkPlaces",
            Self::Mvdsv => "MVDSV",
            Self::Qizmo => "Qizmo",
            Self::Q2pro => "Q2PRO",
        }
    }
}

/// The marks that may follow a row's `Lasts` column.
#[doc(hidden)]
pub mod mark {
    #![allow(non_upper_case_globals, missing_docs)]
    pub const needed: u8 = 1;
    pub const heard: u8 = 2;
}

/// The two values of a row's LMPC column.
#[doc(hidden)]
pub mod answer {
    #![allow(non_upper_case_globals, missing_docs)]
    pub const lmpc: bool = true;
    pub const no_lmpc: bool = false;
}

impl Schema {
    /// Every keyword of the message with its meaning and note. A field that is written in several lines has one for
    /// each line.
    pub fn lines(&self) -> impl Iterator<Item = (&'static str, crate::Meaning, &'static str)> + use<> {
        self.fields.iter().flat_map(|field| {
            let own = field.parts.is_empty().then_some((field.name, field.meaning, field.note));
            own.into_iter().chain(field.parts.iter().map(|part| (part.name, part.meaning, part.note)))
        })
    }
}

/// Everything that a table defines; the `Message` enum of each game implements it.
///
/// ```
/// use moviola_format::{Message, dem, dm2};
/// /// The number of kinds of message in a game.
/// fn kinds<'a, M: Message<'a>>() -> usize {
///     M::SCHEMA.len()
/// }
/// assert!(kinds::<dem::Message>() > kinds::<dm2::Message>());
/// let nop = dem::Message::from(dem::Nop {});
/// assert_eq!((nop.op(), nop.schema().name, nop.bare()), (1, "nop", false));
/// ```
pub trait Message<'a>: Copy + PartialEq + Debug {
    /// The table as data.
    const SCHEMA: &'static [Schema];
    /// Builds the message with id `op`, and asks `source` for each field in wire order.
    #[inline]
    fn build<S: Source<'a>>(op: u8, source: &mut S) -> Result<Self, S::Error> {
        Self::build_into(op, source, |_, built| built)
    }
    /// [`build`](Message::build) for the hot path: each row passes the new message to `done` where it was
    /// built, which avoids a copy.
    fn build_into<S: Source<'a>, T>(
        op: u8,
        source: &mut S,
        done: impl FnOnce(&mut S, Result<Self, S::Error>) -> T,
    ) -> T;
    /// Passes every field that is there to `sink`, in wire order.
    fn walk<K: Sink<'a>>(&self, sink: &mut K);
    /// The id that opens the message on the wire.
    fn op(&self) -> u8;
    /// Its row.
    fn schema(&self) -> &'static Schema;
    /// Whether a text contains it in one line, without braces.
    fn bare(&self) -> bool;
}

/// A source of messages: wire bytes, a text, a fuzzer's entropy.
///
/// ```
/// use moviola_format::{Context, Message, Reader, dem};
/// let context = Context::quake();
/// let mut source = Reader::new(b"hello\0", &context);
/// let print = dem::Message::build(dem::Print::OP, &mut source).unwrap();
/// assert!(matches!(print, dem::Message::Print(it) if it.string.bytes() == b"hello"));
/// ```
pub trait Source<'a> {
    /// The error if the message cannot be built.
    type Error;
    /// The flag word, which comes first.
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, Self::Error>;
    /// A field that is always there.
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T, Self::Error>;
    /// A field that is there if its bit in the flag word is set; in a text it is there if it has a line.
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T, Self::Error>;
    /// The flag word again, after the last field, because only then a text's is known.
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, Self::Error>;
    /// A whole row.
    #[inline(always)]
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R, Self::Error>) -> T) -> T
    where
        Self: Sized,
    {
        let built = R::build(self);
        done(self, built)
    }
    /// Whether the protocol has messages of this family.
    fn has_family(&self, families: u16) -> bool;
    /// The error for an id that no message has.
    fn unknown(&mut self, op: u8) -> Self::Error;
}

/// A receiver of messages: wire bytes, a text, JSON, columns, a hash, or nothing.
///
/// ```
/// use moviola_format::{Field, Flags, Message, Scalar, Sink, dem};
///
/// /// Lists the names of the fields that are there.
/// #[derive(Default)]
/// struct Names(Vec<&'static str>);
///
/// impl<'a> Sink<'a> for Names {
///     fn flags<F: Flags<'a>>(&mut self, _: &F) {}
///     fn field<T: Scalar<'a>>(&mut self, field: &'static Field, _: &T) {
///         self.0.push(field.name);
///     }
/// }
///
/// let mut names = Names::default();
/// dem::Message::UpdateStat(dem::UpdateStat::default()).walk(&mut names);
/// assert_eq!(names.0, ["index", "value"]);
/// ```
pub trait Sink<'a> {
    /// The flag word, which comes first.
    fn flags<F: Flags<'a>>(&mut self, flags: &F);
    /// A field that is there.
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field, value: &T);
    /// A whole row.
    #[inline(always)]
    fn row<R: Record<'a>>(&mut self, record: &R)
    where
        Self: Sized,
    {
        record.walk(self);
    }
}

impl<'a> Source<'a> for Reader<'a, '_> {
    type Error = Stop;
    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, Stop> {
        let flags = F::read(self)?;
        self.set_flags(flags.bits());
        Ok(flags)
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, _: &'static Field) -> Result<T, Stop> {
        T::read(self)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T, Stop> {
        // Fields of an extension byte are rare, so the processor predicts correctly that they are absent.
        if field.bit > 0xFFFF && !present { Ok(T::default()) } else { T::read_if(self, present) }
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, Stop> {
        Ok(flags)
    }
    /// Each row gets a new reader: no other code can point to it, so it stays in registers.
    #[inline(always)]
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R, Stop>) -> T) -> T {
        let mut own = self.clone();
        let record = R::build(&mut own);
        self.follow(&own, record.is_err());
        done(self, record)
    }
    #[inline(always)]
    fn has_family(&self, families: u16) -> bool {
        self.context().has_family(families)
    }
    #[cold]
    fn unknown(&mut self, op: u8) -> Stop {
        match self.context().question_about(op) {
            Some(question) => self.stop_behind(FaultKind::Undecided(question)),
            None if self.context().is_game_code(op) => self.stop_behind(FaultKind::GameCode(op)),
            None => self.stop_behind(FaultKind::UnknownMessage(op)),
        }
    }
}

/// A reader of records of bounded length, under a context known to the compiler. It stops at any other
/// record, which must then be read again by a [`Reader`].
///
/// It checks only once that a record's bytes are there, and never looks at the context.
pub(crate) struct FastReader<'a>(pub(crate) Reader<'a, 'static>);

impl<'a> Source<'a> for FastReader<'a> {
    type Error = Stop;
    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self) -> Result<F, Stop> {
        Source::flags(&mut self.0)
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, field: &'static Field) -> Result<T, Stop> {
        self.0.field(field)
    }
    #[inline(always)]
    fn optional<T: Scalar<'a>>(&mut self, field: &'static Field, present: bool) -> Result<T, Stop> {
        self.0.optional(field, present)
    }
    #[inline(always)]
    fn settle<F: Flags<'a>>(&mut self, flags: F) -> Result<F, Stop> {
        Ok(flags)
    }
    #[inline(always)]
    fn record<R: Record<'a>, T>(&mut self, done: impl FnOnce(&mut Self, Result<R, Stop>) -> T) -> T {
        let bounded = R::MOST <= FAST && self.0.narrow(R::MOST);
        let record = if bounded { R::build(self) } else { Err(Stop) };
        done(self, record)
    }
    #[inline(always)]
    fn has_family(&self, _: u16) -> bool {
        false
    }
    #[inline(always)]
    fn unknown(&mut self, _: u8) -> Stop {
        Stop
    }
}

impl<'a> Sink<'a> for Writer<'_> {
    #[inline(always)]
    fn flags<F: Flags<'a>>(&mut self, flags: &F) {
        self.set_flags(flags.bits());
        flags.write(self);
    }
    #[inline(always)]
    fn field<T: Scalar<'a>>(&mut self, _: &'static Field, value: &T) {
        value.write(self);
    }
}

/// The field of this name. Reading and walking a message refer to the row of its schema, because copies of the
/// row would make every program larger.
#[doc(hidden)]
#[expect(clippy::indexing_slicing, clippy::panic, reason = "only the compiler carries it out")]
pub const fn field_of(fields: &'static [Field], name: &str) -> &'static Field {
    let mut at = 0;
    while at < fields.len() {
        let (one, other) = (fields[at].name.as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < one.len() && same < other.len() && one[same] == other[same] {
            same += 1;
        }
        if same == one.len() && same == other.len() {
            return &fields[at];
        }
        at += 1;
    }
    panic!("a field of the table is not in its schema")
}

/// The note of a row, for manuals. It is empty in WebAssembly, which has no manual and must load fast.
#[doc(hidden)]
pub const fn note(text: &'static str) -> &'static str {
    if cfg!(target_family = "wasm") { "" } else { text }
}

/// The keyword of a field whose name in a row may be a keyword of Rust: `r#type` is `type`.
#[doc(hidden)]
pub const fn keyword(field: &'static str) -> &'static str {
    match field.as_bytes() {
        [b'r', b'#', ..] => field.split_at(2).1,
        _ => field,
    }
}

/// Writes a message: its id and its fields.
///
/// ```
/// use moviola_format::{dem, write_message, Context, Str};
/// let mut out = Vec::new();
/// let print = dem::Print { string: Str::new(b"hi\0") };
/// write_message(&dem::Message::Print(print), &mut out, &Context::quake());
/// assert_eq!(out, b"\x08hi\0");
/// ```
#[inline]
pub fn write_message<'a, M: Message<'a>>(message: &M, out: &mut Vec<u8>, context: &Context) {
    let mut writer = Writer::new(out, context);
    writer.op(message.op());
    message.walk(&mut writer);
}

/// Declares the messages of a game; the module's page shows the form of a row.
#[macro_export]
macro_rules! messages {
    ($(
        $(#[doc = $about:literal])*
        $name:ident $(<$life:lifetime>)? = $op:literal $(..= $last:literal)? $text:literal
            [$c_name:ident, $lasts:ident $($mark:ident)*, $lmpc:ident, since $since:ident]
            $(in $families:ident)? $(($lead:ident : $lead_type:ty $(as $lead_meaning:expr)?))? $(flags $flags:ident)? {
            $( $(#[doc = $note:literal])* $($bit:literal =>)? $(($when:expr) =>)? $field:ident $([$($c_bit:ident)|+])? : $type:ty $(as $meaning:expr)?, )*
        }
    )*) => {
        $(
            $(#[doc = $about])*
            ///
            /// ```
            #[doc = concat!("use ", module_path!(), "::{Message, ", stringify!($name), "};")]
            #[doc = concat!("let message = Message::from(", stringify!($name), "::default());")]
            #[doc = concat!("assert_eq!(moviola_format::Message::op(&message), ", stringify!($name), "::OP);")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::SCHEMA.name, \"", $text, "\");")]
            /// ```
            #[derive(Debug, Clone, Copy, Default, PartialEq)]
            pub struct $name $(<$life>)? {
                $(
                    /// The field before the flag word.
                    pub $lead: $lead_type,
                )?
                $(
                    /// The flag word, as sent.
                    pub flags: $flags,
                )?
                $( $(#[doc = $note])* pub $field: $type, )*
            }

            $crate::messages!(@record $name $($life)?);
            $crate::messages!(@bits $name [$($life)?] [$($flags)?] [$( [$($bit)? $($when)?] $field )*]);
            $crate::messages!(@impl $name [$($life)?] [$op $(, $last)?] [$text]
                [$c_name $lasts [$($mark)*] $lmpc $since [$($($( $c_bit $field )+)?)*]] [$($families)?] [$($lead $lead_type [$($lead_meaning)?])?]
                [$($flags)?] [$(concat!($about, "\n")),*]
                [$( { [$(concat!($note, "\n")),*] [$($bit)? $($when)?] $field [$type] [$($meaning)?] } )*]);
        )*

        /// Any message of the table.
        ///
        /// ```
        #[doc = concat!("use ", module_path!(), "::Message;")]
        /// let ids = <Message as moviola_format::Message>::SCHEMA.iter().map(|row| row.op);
        /// assert!(ids.is_sorted());
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub enum Message<'a> { $( $(#[doc = $about])* $name($name $(<$life>)?), )* }

        impl<'a> $crate::Message<'a> for Message<'a> {
            const SCHEMA: &'static [$crate::Schema] = &[ $( $name::SCHEMA, )* ];

            #[inline(always)]
            fn build_into<S: $crate::Source<'a>, T>(
                op: u8,
                source: &mut S,
                done: impl FnOnce(&mut S, Result<Self, S::Error>) -> T,
            ) -> T {
                match op {
                    $( $op $(..= $last)? $(if source.has_family($families))? => {
                        source.record(#[inline(always)] |source, built| done(source, built.map(Self::$name)))
                    } )*
                    _ => {
                        let fault = source.unknown(op);
                        done(source, Err(fault))
                    }
                }
            }

            #[inline]
            fn walk<K: $crate::Sink<'a>>(&self, sink: &mut K) {
                match self { $( Self::$name(it) => sink.row(it), )* }
            }

            #[inline]
            fn op(&self) -> u8 {
                match self { $( Self::$name(_) => $op, )* }
            }

            #[inline]
            fn schema(&self) -> &'static $crate::Schema {
                match self { $( Self::$name(_) => const { &$name::SCHEMA }, )* }
            }

            #[inline]
            fn bare(&self) -> bool {
                match self { $( Self::$name(it) => it.bare(), )* }
            }
        }

        $( impl<'a> From<$name $(<$life>)?> for Message<'a> {
            #[inline]
            fn from(it: $name $(<$life>)?) -> Self { Self::$name(it) }
        } )*
    };

    (@impl $name:ident [$($life:lifetime)?] [$op:literal $(, $last:literal)?] [$text:literal]
        [$c_name:ident $lasts:ident [$($mark:ident)*] $lmpc:ident $since:ident [$($c_bit:ident $c_field:ident)*]] [$($families:ident)?]
        [$($lead:ident $lead_type:ty [$($lead_meaning:expr)?])?] [$($flags:ident)?] [$($about:expr),*]
        [$( { [$($note:expr),*] [$($bit:expr)?] $field:ident [$type:ty] [$($meaning:expr)?] } )*]) => {
        impl<'a> $crate::messages!(@self $name $($life)?) {
            /// The id on the wire; the first one if it takes several.
            pub const OP: u8 = $op;

            /// The row as data.
            pub const SCHEMA: $crate::Schema = $crate::Schema {
                op: $op,
                last: [$($last,)? $op][0],
                name: $text,
                rust: stringify!($name),
                note: $crate::note(concat!($($about),*)),
                properties: $crate::Properties {
                    c_name: stringify!($c_name),
                    c_bits: &[$( (stringify!($c_bit), $crate::keyword(stringify!($c_field))) ),*],
                    lasts: $crate::Lasts::$lasts,
                    needed: (0 $(| $crate::mark::$mark)*) & $crate::mark::needed != 0,
                    heard: (0 $(| $crate::mark::$mark)*) & $crate::mark::heard != 0,
                    lmpc: $crate::answer::$lmpc,
                    since: $crate::Origin::$since,
                },
                families: [$($families,)? 0][0],
                flags: [$(stringify!($flags),)? ""][0],
                fields: &[
                    $( $crate::messages!(@field $lead [$lead_type] [$($lead_meaning)?] [0] ["The subject of the message."]), )?
                    $( $crate::messages!(@field $field [$type] [$($meaning)?] [$($bit)?] [$($note),*]), )*
                ],
            };

            /// The greatest number of its bytes after its id.
            const MOST: usize = 0 $(+ <$lead_type as $crate::Scalar<'a>>::MOST)? $(+ <$flags as $crate::Scalar<'a>>::MOST)?
                $(+ <$type as $crate::Scalar<'a>>::MOST)*;

            /// Builds the message from a source, field by field in wire order.
            #[inline(always)]
            #[allow(unused_variables)]
            pub fn build<S: $crate::Source<'a>>(source: &mut S) -> Result<Self, S::Error> {
                $( let $lead: $lead_type = source.field($crate::messages!(@static $lead [$lead_type] [$($lead_meaning)?] [0] ["The subject of the message."]))?; )?
                $( let flags: $flags = source.flags()?; )?
                $( let $field: $type = $crate::messages!(@build source flags ($crate::messages!(@static $field [$type] [$($meaning)?] [$($bit)?] [$($note),*])) $($bit)?); )*
                $( let flags: $flags = source.settle(flags)?; )?
                Ok(Self { $($lead,)? $(flags: { let f: $flags = flags; f },)? $($field,)* })
            }

            /// Passes the fields that are there to a sink, in wire order.
            #[inline(always)]
            #[allow(unused_variables)]
            pub fn walk<K: $crate::Sink<'a>>(&self, sink: &mut K) {
                $( sink.field($crate::messages!(@static $lead [$lead_type] [$($lead_meaning)?] [0] ["The subject of the message."]), &self.$lead); )?
                $( let flags: $flags = self.flags; sink.flags(&flags); )?
                $( $crate::messages!(@walk sink self $field ($crate::messages!(@static $field [$type] [$($meaning)?] [$($bit)?] [$($note),*])) $($bit)?); )*
            }

            /// Whether a text contains it in one line, without braces.
            #[inline]
            pub fn bare(&self) -> bool {
                Self::SCHEMA.fields.len() == 1 && Self::SCHEMA.flags.is_empty() $( && $crate::Scalar::bare(&self.$field) )*
            }
        }
    };

    (@record $name:ident $($life:lifetime)?) => {
        impl<'a> $crate::Record<'a> for $crate::messages!(@self $name $($life)?) {
            const SCHEMA: $crate::Schema = $name::SCHEMA;
            const MOST: usize = $name::MOST;
            #[inline(always)]
            fn build<S: $crate::Source<'a>>(source: &mut S) -> Result<Self, S::Error> { $name::build(source) }
            #[inline(always)]
            fn walk<K: $crate::Sink<'a>>(&self, sink: &mut K) { $name::walk(self, sink) }
        }
    };
    (@bits $name:ident $life:tt [] $fields:tt) => {};
    (@bits $name:ident [$($life:lifetime)?] [$flags:ident] [$( [$($bit:expr)?] $field:ident )*]) => {
        /// The bits of the flag word, each under the name of the field that it announces; 0 if the field is
        /// always there.
        #[allow(non_upper_case_globals, missing_docs)]
        impl<'a> $crate::messages!(@self $name $($life)?) {
            $( pub const $field: u32 = [$($bit,)? 0][0]; )*
        }
    };
    (@self $name:ident $life:lifetime) => { $name<'a> };
    (@self $name:ident) => { $name };
    (@field $field:ident [$type:ty] [$($meaning:expr)?] [$($bit:expr)?] [$($note:expr),*]) => {
        $crate::Field {
            name: $crate::keyword(stringify!($field)),
            kind: stringify!($type),
            bit: [$($bit,)? 0][0],
            meaning: [$($meaning,)? $crate::Meaning::Number][0],
            note: $crate::note(concat!($($note),*)),
            parts: <$type as $crate::Scalar<'_>>::PARTS,
        }
    };
    (@static $field:ident [$type:ty] $meaning:tt $bit:tt $note:tt) => {
        const { $crate::field_of(Self::SCHEMA.fields, $crate::keyword(stringify!($field))) }
    };
    (@build $source:ident $flags:ident ($field:expr)) => { $source.field($field)? };
    (@build $source:ident $flags:ident ($field:expr) $bit:expr) => {
        $source.optional($field, $crate::Flags::has(&$flags, $bit))?
    };
    (@walk $sink:ident $self:ident $field:ident ($f:expr)) => { $sink.field($f, &$self.$field) };
    (@walk $sink:ident $self:ident $field:ident ($f:expr) $bit:expr) => {
        if $crate::Flags::has(&$self.flags, $bit) { $sink.field($f, &$self.$field) }
    };
}
