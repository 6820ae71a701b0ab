//! Kinds of value: the form of each on the wire, and its form in every other medium.
//!
//! A kind of value knows only the wire. All other media (text, JSON, columns, a fuzzer's entropy) use it
//! through two small traits, [`ValueSink`] and [`ValueSource`], in terms of lines, integers, fixed-point numbers, floats
//! and strings. So a new kind is one impl, a new medium is one impl, and no combination of the two needs
//! code.

use crate::context::Context;
use crate::kinds::Str;
use crate::names::Meaning;
use crate::table::{Schema, Sink, Source};
use crate::wire::{Reader, Stop, Writer};
use std::fmt::Debug;

/// A field as data: a row's name, kind, bit, meaning and note.
///
/// ```
/// use moviola_format::dem::Sound;
/// let field = &Sound::SCHEMA.fields[0];
/// assert_eq!((field.name, field.bit, field.kind), ("vol", 1, "Volume"));
/// assert_eq!(field.note.trim(), "How loud, 1 when absent.");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name, which is its keyword in the text.
    pub name: &'static str,
    /// The kind of value, as the table writes it.
    pub kind: &'static str,
    /// The bits of the flag word that announce it; 0 if it is always there.
    pub bit: u32,
    /// The meaning of its number.
    pub meaning: Meaning,
    /// The note in the table.
    pub note: &'static str,
    /// The lines of a kind that shows one field as several.
    pub parts: &'static [ValuePart],
}

/// One of the lines of a kind of value that shows a field as several.
///
/// ```
/// use moviola_format::{ValuePart, Scalar, SoundChannel};
/// let names: Vec<_> = SoundChannel::PARTS.iter().map(|part| part.name).collect();
/// assert_eq!(names, ["channel", "entity"]);
/// const LOUD: ValuePart = ValuePart::new("loud", "How loud it is.");
/// assert_eq!(LOUD.meaning, moviola_format::Meaning::Number);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ValuePart {
    /// Its keyword.
    pub name: &'static str,
    /// The meaning of its number.
    pub meaning: Meaning,
    /// A note about it.
    pub note: &'static str,
}

impl ValuePart {
    /// A part that is just a number.
    pub const fn new(name: &'static str, note: &'static str) -> Self {
        Self { name, meaning: Meaning::Number, note: crate::note(note) }
    }

    /// A part whose number has a meaning.
    pub const fn meaning(name: &'static str, meaning: Meaning, note: &'static str) -> Self {
        Self { name, meaning, note: crate::note(note) }
    }
}

/// The step between a raw integer and the number people read.
///
/// ```
/// use moviola_format::Unit;
/// assert_eq!(Unit::Eighth.value(-12), -1.5);
/// assert_eq!(Unit::Degrees256.nearest(90.0), 64);
/// assert_eq!(Unit::Part255.fraction(), (1, 255));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// 1: a whole number that is shown as a float, as the documents do.
    Whole,
    /// 1/4: offsets of the Quake II view.
    Quarter,
    /// 1/8: coordinates.
    Eighth,
    /// 1/16: particle directions, coordinates of protocol 999.
    Sixteenth,
    /// 1/64: attenuations.
    SixtyFourth,
    /// 1/255: volumes and color blends.
    Part255,
    /// 1/1000: the time offset of a Quake II sound.
    Thousandth,
    /// 360/256 degrees.
    Degrees256,
    /// 360/65536 degrees.
    Degrees65536,
}

impl Unit {
    /// The unit as a fraction.
    pub const fn fraction(self) -> (i64, i64) {
        match self {
            Self::Whole => (1, 1),
            Self::Quarter => (1, 4),
            Self::Eighth => (1, 8),
            Self::Sixteenth => (1, 16),
            Self::SixtyFourth => (1, 64),
            Self::Part255 => (1, 255),
            Self::Thousandth => (1, 1000),
            Self::Degrees256 => (45, 32),
            Self::Degrees65536 => (45, 8192),
        }
    }

    /// The number that `raw` stands for.
    pub fn value(self, raw: i64) -> f64 {
        let (num, den) = self.fraction();
        (raw * num) as f64 / den as f64
    }

    /// The nearest raw number; zero for a value that is not finite.
    pub fn nearest(self, value: f64) -> i64 {
        let (num, den) = self.fraction();
        (value * den as f64 / num as f64).round() as i64
    }
}

/// A kind of value.
///
/// A plain kind is one line of values: it implements [`put`](Scalar::put) and [`take`](Scalar::take). A kind that
/// shows itself as several lines implements [`show`](Scalar::show) and [`take_field`](Scalar::take_field) and lists its
/// [`PARTS`](Scalar::PARTS).
///
/// ```
/// use moviola_format::{ValueSource, Context, Reader, Scalar, ValueSink, Stop, Writer};
///
/// /// A modification's kind of value: a byte that counts by tens.
/// #[derive(Clone, Copy, Debug, Default, PartialEq)]
/// struct Tens(u8);
///
/// impl<'a> Scalar<'a> for Tens {
///     fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
///         reader.byte().map(Self)
///     }
///     fn write(&self, writer: &mut Writer<'_>) {
///         writer.byte(self.0);
///     }
///     fn put<S: ValueSink<'a>>(&self, out: &mut S) {
///         out.int(10 * i64::from(self.0));
///     }
///     fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
///         from.int(0, 2550).map(|value| Self((value / 10) as u8))
///     }
/// }
///
/// let context = Context::quake();
/// let tens = Tens::read(&mut Reader::new(&[7], &context)).unwrap();
/// let mut out = Vec::new();
/// tens.write(&mut Writer::new(&mut out, &context));
/// assert_eq!((tens, out), (Tens(7), vec![7]));
/// ```
pub trait Scalar<'a>: Copy + Default + PartialEq + Debug {
    /// The lines of a kind that shows itself as several; empty for a plain kind.
    const PARTS: &'static [ValuePart] = &[];

    /// Whether the value can be shown as no line although the row's bit is set.
    const SILENT: bool = false;

    /// Reads the value from the wire.
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop>;

    /// The greatest number of its bytes under the contexts of most recordings. The fast reader never reads a
    /// kind with this default.
    const MOST: usize = 1 << 16;

    /// Reads the value if it is present, otherwise returns the default.
    #[inline(always)]
    fn read_if(reader: &mut Reader<'a, '_>, present: bool) -> Result<Self, Stop> {
        if present { Self::read(reader) } else { Ok(Self::default()) }
    }

    /// Writes exactly the bytes from which [`read`](Scalar::read) would read this value.
    fn write(&self, writer: &mut Writer<'_>);

    /// Shows the values of a plain kind.
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        let _ = out;
    }

    /// Takes the values of a plain kind.
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let _ = from;
        Ok(Self::default())
    }

    /// Shows the value as lines.
    #[inline(always)]
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        out.line(field.name, field.meaning);
        self.put(out);
        out.end();
    }

    /// Whether it is a list that is better shown while it is read, by [`read_and_show`](Scalar::read_and_show), because its end
    /// is known only then.
    const LIST: bool = false;

    /// Reads the value and shows it.
    #[inline(always)]
    fn read_and_show<S: ValueSink<'a>>(
        field: &Field,
        reader: &mut Reader<'a, '_>,
        out: &mut S,
    ) -> Result<Self, Stop> {
        let value = Self::read(reader)?;
        value.show(field, out);
        Ok(value)
    }

    /// A number that alone determines the lines of a kind that has several, so that a printer can cache the
    /// lines under it.
    #[inline(always)]
    fn key(&self) -> Option<u64> {
        None
    }

    /// Builds the value from lines.
    #[inline(always)]
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        from.line(field.name)?;
        let value = Self::take(from)?;
        from.end()?;
        Ok(value)
    }

    /// Whether the next lines can be built into a value of this kind, for fields that may be absent.
    #[inline(always)]
    fn is_offered<A: ValueSource<'a>>(field: &Field, from: &mut A) -> bool {
        if Self::PARTS.is_empty() {
            from.has(field.name)
        } else {
            Self::PARTS.iter().any(|part| from.has(part.name))
        }
    }

    /// The bits of the flag word that this value requires; `bit` are those of its row.
    #[inline(always)]
    fn implied(&self, bit: u32, context: &Context) -> u32 {
        let _ = context;
        bit
    }

    /// Whether LMPC's language, which ours follows, has words for this value that compile to the same bytes.
    fn in_lmpc(&self, context: &Context) -> bool {
        let _ = context;
        true
    }

    /// Whether a message that contains only this value is written in one line, without braces.
    #[inline]
    fn bare(&self) -> bool {
        Self::PARTS.is_empty()
    }
}

/// A kind of value that decides which of a message's fields are there.
///
/// ```
/// use moviola_format::{Bits8, Context, Flags, dem::Sound};
/// let flags = Bits8::canonical(Sound::vol | Sound::attenuation, &Context::quake());
/// assert!(flags.has(Sound::vol));
/// assert_eq!(flags.bits(), 3);
/// ```
pub trait Flags<'a>: Scalar<'a> {
    /// True if the fields that are there imply it, so that a text contains it only when it differs.
    /// False if it is a value of its own (a temporary entity's kind), shown as a line.
    const DERIVED: bool = true;

    /// Bits without a meaning, which a text gives by number.
    const SPARE: u32 = 0;

    /// The word as sent, which contains the bits of the rows.
    fn bits(&self) -> u32;

    /// Whether the fields of this bit are there.
    #[inline]
    fn has(&self, bit: u32) -> bool {
        self.bits() & bit != 0
    }

    /// The word that an engine sends for fields that imply these bits.
    fn canonical(implied: u32, context: &Context) -> Self;

    /// The word in a list of records, where Quake II's REMOVE ends a record before its fields, except in an MVD2.
    #[inline]
    #[must_use]
    fn listed(self, context: &Context) -> Self {
        let _ = context;
        self
    }

    /// Exactly this flag word, without the bits that the protocol cannot send.
    fn exactly(bits: u32, context: &Context) -> Self;
}

/// A row of a table as a type: the struct of a message, or of a part of one.
///
/// ```
/// use moviola_format::{Record, dem};
/// /// The note about a message in the table.
/// fn about<'a, R: Record<'a>>() -> String {
///     format!("{}: {}", R::SCHEMA.name, R::SCHEMA.note.trim())
/// }
/// assert_eq!(about::<dem::Nop>(), "nop: Does nothing; keeps a connection alive.");
/// ```
pub trait Record<'a>: Copy + Debug {
    /// Its row.
    const SCHEMA: Schema;
    /// The greatest number of its bytes: the sum of its fields' [`Scalar::MOST`].
    const MOST: usize = 1 << 16;
    /// Builds it from a source.
    fn build<S: Source<'a>>(source: &mut S) -> Result<Self, S::Error>;
    /// Passes the fields that are there to a sink.
    fn walk<K: Sink<'a>>(&self, sink: &mut K);
}

/// A medium in which values are shown: a text, a JSON object, a row of columns.
///
/// ```
/// use moviola_format::{Meaning, Record, Scalar, ValueSink, Str, Unit, Volume};
///
/// /// Adds up all numbers that it receives.
/// #[derive(Default)]
/// struct Sum(f64);
///
/// impl<'a> ValueSink<'a> for Sum {
///     fn line(&mut self, _: &'static str, _: Meaning) {}
///     fn end(&mut self) {}
///     fn int(&mut self, value: i64) {
///         self.0 += value as f64;
///     }
///     fn fixed(&mut self, raw: i64, unit: Unit) {
///         self.0 += unit.value(raw);
///     }
///     fn mixed(&mut self, _: i32) {}
///     fn float(&mut self, bits: u32) {
///         self.0 += f64::from(f32::from_bits(bits));
///     }
///     fn string(&mut self, _: Str<'a>) {}
///     fn data(&mut self, _: &'a [u8]) {}
///     fn open(&mut self, _: &'static str) {}
///     fn close(&mut self) {}
///     fn record<R: Record<'a>>(&mut self, _: &'static str, _: &R) {}
/// }
///
/// let mut sum = Sum::default();
/// 40u8.put(&mut sum);
/// Volume(255).put(&mut sum);
/// assert_eq!(sum.0, 41.0);
/// ```
pub trait ValueSink<'a> {
    /// Begins a line: a keyword whose values follow.
    fn line(&mut self, name: &'static str, meaning: Meaning);
    /// Ends the line.
    fn end(&mut self);
    /// A whole number.
    fn int(&mut self, value: i64);
    /// A raw number in units.
    fn fixed(&mut self, raw: i64, unit: Unit);
    /// A coordinate of whole units (the upper 24 bits) and 255ths.
    fn mixed(&mut self, raw: i32);
    /// A float, bit by bit.
    fn float(&mut self, bits: u32);
    /// A time in seconds, bit by bit.
    fn seconds(&mut self, bits: u32) {
        self.float(bits);
    }
    /// A string of bytes.
    fn string(&mut self, string: Str<'a>);
    /// Bytes whose meaning is not known.
    fn data(&mut self, bytes: &'a [u8]);
    /// Begins a record inside the message.
    fn open(&mut self, name: &'static str);
    /// Ends the record.
    fn close(&mut self);
    /// A record that is a row of a table.
    fn record<R: Record<'a>>(&mut self, name: &'static str, record: &R);
    /// Records that are rows of a table, one after the other as on the wire, up to one that `ends` them and
    /// is not shown. Returns the offset of that one, or `None` if there is none.
    fn records<R: Record<'a>>(
        &mut self,
        name: &'static str,
        list: &mut Reader<'a, '_>,
        ends: impl Fn(&R) -> bool,
    ) -> Option<usize> {
        while !list.is_empty() {
            let at = list.pos();
            let record = R::build(list).ok()?;
            if ends(&record) {
                return Some(at);
            }
            self.record(name, &record);
        }
        None
    }
    /// A line whose hexadecimal number stands for a flag word.
    fn word(&mut self, name: &'static str, bits: u32) {
        self.line(name, Meaning::Number);
        self.int(i64::from(bits));
        self.end();
    }
}

/// A source of values that is not the wire: a text, a fuzzer's entropy.
///
/// ```
/// use moviola_format::entropy::{Entropy, EntropyBytes};
/// use moviola_format::{ValueSource, Context, Scalar, Volume};
/// let kept = EntropyBytes::default();
/// let mut from = Entropy::new(&[1, 2, 3], &kept, Context::quake());
/// assert!((0.0..=1.0).contains(&Volume::take(&mut from).unwrap().value()));
/// assert_eq!(from.context(), &Context::quake());
/// ```
pub trait ValueSource<'a> {
    /// The error for a value that does not fit.
    type Error;
    /// The protocol and its habits.
    fn context(&self) -> &Context;
    /// Goes to the line with this keyword, which must be there.
    fn line(&mut self, name: &'static str) -> Result<(), Self::Error>;
    /// Whether there is such a line that is not used yet.
    fn has(&mut self, name: &'static str) -> bool;
    /// Whether the message is written without braces: `stopsound 42;`.
    fn bare(&mut self) -> bool {
        false
    }
    /// Ends the line.
    fn end(&mut self) -> Result<(), Self::Error>;
    /// Whether the line has another value.
    fn more(&mut self) -> bool;
    /// A whole number in this range.
    fn int(&mut self, min: i64, max: i64) -> Result<i64, Self::Error>;
    /// A number, rounded to the nearest unit, whose raw number is in this range.
    fn fixed(&mut self, unit: Unit, min: i64, max: i64) -> Result<i64, Self::Error>;
    /// An angle, rounded to the nearest unit; it wraps around at `1 << bits`.
    fn angle(&mut self, unit: Unit, bits: u32) -> Result<i64, Self::Error> {
        self.fixed(unit, -(1 << (bits - 1)), (1 << (bits - 1)) - 1)
    }
    /// A coordinate of whole units (the upper 24 bits) and 255ths.
    fn mixed(&mut self) -> Result<i32, Self::Error>;
    /// A float's bits.
    fn float(&mut self) -> Result<u32, Self::Error>;
    /// The bits of a float that must be finite.
    fn finite(&mut self) -> Result<u32, Self::Error> {
        self.float()
    }
    /// A time's bits.
    fn seconds(&mut self) -> Result<u32, Self::Error> {
        self.float()
    }
    /// A string.
    fn string(&mut self) -> Result<Str<'a>, Self::Error>;
    /// A list of bytes.
    fn data(&mut self) -> Result<&'a [u8], Self::Error>;
    /// Keeps bytes for as long as the message lives.
    fn keep(&mut self, bytes: &[u8]) -> &'a [u8];
    /// Begins the next record of this name, if there is one.
    fn open(&mut self, name: &'static str) -> Result<bool, Self::Error>;
    /// Ends the record.
    fn close(&mut self) -> Result<(), Self::Error>;
    /// The next record of this name that is a row of a table, if there is one.
    fn record<R: Record<'a>>(&mut self, name: &'static str) -> Result<Option<R>, Self::Error>;
    /// Appends the wire form of the next record of this name to `bytes`, if there is one. `fits` returns the
    /// reason why the record and its bytes cannot stand there, and the field at fault.
    fn wire<R: Record<'a>>(
        &mut self,
        name: &'static str,
        bytes: &mut Vec<u8>,
        context: &Context,
        fits: impl FnOnce(&R, &[u8]) -> Result<(), (Option<&'static str>, &'static str)>,
    ) -> Result<bool, Self::Error> {
        let Some(record) = self.record::<R>(name)? else { return Ok(false) };
        let start = bytes.len();
        record.walk(&mut Writer::new(bytes, context));
        match fits(&record, bytes.get(start..).unwrap_or_default()) {
            Ok(()) => Ok(true),
            Err((None, why)) => Err(self.refuse(why)),
            Err((Some(field), why)) => Err(self.refuse_field(field, why)),
        }
    }
    /// Whether flag words are always exactly those that the fields imply, without explicit ones.
    fn implies(&self) -> bool {
        false
    }
    /// Whether the message contains an explicit flag word with all of these bits.
    fn wants(&self, bits: u32) -> bool {
        let _ = bits;
        false
    }
    /// Whether values that do not fit are cut and wrapped as LMPC does it, even where LMPC is wrong.
    fn wraps_values(&self) -> bool {
        false
    }
    /// Reports that the number just taken is written as these two bytes, of which the game reads only the
    /// first: it takes the second for the next field.
    fn spills(&mut self, byte: u8, next: u8) -> Result<(), Self::Error> {
        let _ = (byte, next);
        Ok(())
    }
    /// The error for an impossible value.
    fn refuse(&mut self, why: &'static str) -> Self::Error;
    /// The error for an impossible value of a field that was taken before.
    fn refuse_field(&mut self, name: &'static str, why: &'static str) -> Self::Error {
        let _ = name;
        self.refuse(why)
    }
}
