//! The head of a Quake II frame, in its three forms.

use super::number::line;
use crate::context::{Context, Question};
use crate::dm2::{CHANGED, OLDEST};
use crate::names::Meaning;
use crate::names::quake2::{RECORD_RELAY, RECORD_SERVER};
use crate::scalar::{Field, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// A frame's head, in one of three forms: a client's, a server's, a relay's.
///
/// ```
/// use moviola_format::{FrameForm, FrameHead};
/// let head = FrameHead { seq1: 20, seq2: 19, uk_b1: Some(0), ..FrameHead::default() };
/// assert_eq!(head.form, FrameForm::Client);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FrameHead<'a> {
    /// Its form.
    pub form: FrameForm,
    /// The frame's number.
    pub seq1: i32,
    /// The frame that it builds on; -1 or 0 for none.
    pub seq2: i32,
    /// The number of packets that the server held back; protocol 26 does not send it.
    pub uk_b1: Option<u8>,
    /// The areas of the level that can be seen, a bit each.
    pub areas: &'a [u8],
    /// The numbers of the players who are connected (Relay).
    pub connected: &'a [u8],
}

/// The forms of a frame's head.
///
/// ```
/// use moviola_format::FrameForm;
/// assert_eq!(FrameForm::default(), FrameForm::Client);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FrameForm {
    /// As a client receives it.
    #[default]
    Client,
    /// As a server records it: only its number.
    Server,
    /// As Relay records it: a client's, with the connected players.
    Relay,
}

/// The layout of a frame's head on the wire.
///
/// ```
/// use moviola_format::{Context, FrameForm, FrameShape, Messages, Quake2};
/// let frame = b"\x14\x01\0\0\0\xff\xff\xff\xff\0\0\x11\0\0\0\0\0\0\x12\0\0";
/// let mut messages = Messages::<Quake2>::new(frame, Context::quake2());
/// messages.by_ref().for_each(drop);
/// assert_eq!(messages.context().frames, Some(FrameShape { form: FrameForm::Client, suppress: true }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameShape {
    /// Its form.
    pub form: FrameForm,
    /// Whether it contains the number of packets that were held back.
    pub suppress: bool,
}

impl FrameShape {
    /// All shapes.
    const ALL: [Self; 5] = [
        Self { form: FrameForm::Client, suppress: true },
        Self { form: FrameForm::Client, suppress: false },
        Self { form: FrameForm::Server, suppress: false },
        Self { form: FrameForm::Relay, suppress: true },
        Self { form: FrameForm::Relay, suppress: false },
    ];

    /// Whether a frame may have this shape.
    ///
    /// A recording that announces protocol 26 may have been renumbered, so that it has the byte that 26
    /// lacks; one without an announcement may be of protocol 26.
    #[inline(always)]
    fn is_possible(self, context: &Context) -> bool {
        let (protocol, last) = (context.quake2_protocol(), context.frames);
        let old = protocol == OLDEST;
        let is_known = match self.form {
            FrameForm::Client => self.suppress != old || old || context.protocol == 0,
            FrameForm::Server => true,
            FrameForm::Relay => {
                self.suppress != old && (protocol >= CHANGED || context.isdemo == RECORD_RELAY)
            }
        };
        is_known || last == Some(self)
    }
}

impl<'a> FrameHead<'a> {
    const NUMBER: ValuePart =
        ValuePart::new("frame", "The frame's number (a server's recording has no more).");
    const SEQ1: ValuePart = ValuePart::new("seq1", "The frame's number.");
    const SEQ2: ValuePart = ValuePart::new("seq2", "The frame that it builds on; -1 is none.");
    const SUPPRESS: ValuePart = ValuePart::new("uk_b1", "How many packets the server held back.");
    const AREAS: ValuePart = ValuePart::new("areas", "The visible areas of the level, a bit each.");
    const CONNECTED: ValuePart =
        ValuePart::new("connected", "The numbers of the players who are connected (Relay).");
    /// The number of the frame whose head is at the start of these bytes, where every form has it.
    ///
    /// ```
    /// use moviola_format::FrameHead;
    /// assert_eq!(FrameHead::number(b"\x0a\0\0\0\xff\xff\xff\xff"), Some(10));
    /// assert_eq!(FrameHead::number(b"\x0a"), None);
    /// ```
    pub fn number(bytes: &[u8]) -> Option<i32> {
        bytes.first_chunk().map(|number| i32::from_le_bytes(*number))
    }

    /// The messages that follow a head: the player's state, or in a server's recording the entities directly.
    const NEXT: [u8; 2] = [crate::dm2::PlayerInfo::SCHEMA.op, crate::dm2::PacketEntities::SCHEMA.op];

    /// The possible shapes of a frame, the likeliest first: the shape of the frame before, then by the
    /// recording's kind.
    pub(crate) fn shapes(context: &Context) -> impl Iterator<Item = FrameShape> + use<> {
        use FrameForm::{Client, Relay, Server};
        let (context, last) = (*context, context.frames);
        let old = context.quake2_protocol() == OLDEST;
        let [client, relay] = [Client, Relay].map(|form| FrameShape { form, suppress: !old });
        let server = FrameShape { form: Server, suppress: false };
        let odd = FrameShape { form: Client, suppress: old };
        let shapes = match context.isdemo {
            RECORD_RELAY => [relay, client, server, odd],
            RECORD_SERVER => [server, client, relay, odd],
            _ => [client, server, relay, odd],
        };
        let others = move |shape: &FrameShape| last != Some(*shape) && shape.is_possible(&context);
        last.into_iter().chain(shapes.into_iter().filter(others))
    }

    /// The head of this shape at the start of `bytes`, and the bytes after it.
    #[inline(always)]
    fn parse(shape: FrameShape, bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let FrameShape { form, suppress } = shape;
        let (seq1, rest) = bytes.split_first_chunk()?;
        let seq1 = i32::from_le_bytes(*seq1);
        if form == FrameForm::Server {
            return Some((Self { form, seq1, ..Self::default() }, rest));
        }
        let (seq2, mut rest) = rest.split_first_chunk()?;
        let seq2 = i32::from_le_bytes(*seq2);
        let mut uk_b1 = None;
        if suppress {
            let (suppressed, after) = rest.split_first()?;
            (uk_b1, rest) = (Some(*suppressed), after);
        }
        let (areas, rest) = Self::counted(rest)?;
        let (connected, rest) = if form == FrameForm::Relay { Self::counted(rest)? } else { (&[][..], rest) };
        Some((Self { form, seq1, seq2, uk_b1, areas, connected }, rest))
    }

    /// The shape in which it was sent.
    pub(crate) fn shape(&self) -> FrameShape {
        FrameShape { form: self.form, suppress: self.uk_b1.is_some() }
    }

    /// Reads a count and that number of bytes; also returns the bytes after them.
    #[inline(always)]
    fn counted(bytes: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let (count, rest) = bytes.split_first()?;
        rest.split_at_checked(usize::from(*count))
    }

    /// The head and its length, if one shape fits.
    #[inline(always)]
    fn find(reader: &mut Reader<'a, '_>, loose: bool) -> Result<Option<(Self, usize)>, Stop> {
        let context = reader.context();
        let bytes = reader.rest();
        let mut found: Option<(Self, usize)> = None;
        for shape in FrameShape::ALL {
            if !shape.is_possible(context) || context.frame.is_some_and(|it| it != shape) {
                continue;
            }
            let Some((head, rest)) = Self::parse(shape, bytes) else { continue };
            if !rest.first().is_some_and(|next| head.fits(*next, loose)) {
                continue;
            }
            if found.is_some() {
                return Err(reader.stop(FaultKind::Undecided(Question::Frame)));
            }
            found = Some((head, bytes.len() - rest.len()));
        }
        Ok(found)
    }

    /// Whether the next id fits the form. A level has at most 256 areas; `loose` accepts more.
    #[inline(always)]
    fn fits(&self, next: u8, loose: bool) -> bool {
        let [player, entities] = Self::NEXT;
        match self.form {
            FrameForm::Client => next == player && (loose || self.areas.len() <= 32),
            FrameForm::Server => next == entities,
            FrameForm::Relay => [player, entities].contains(&(next & 0x7F)),
        }
    }
}

impl<'a> Scalar<'a> for FrameHead<'a> {
    const PARTS: &'static [ValuePart] =
        &[Self::NUMBER, Self::SEQ1, Self::SEQ2, Self::SUPPRESS, Self::AREAS, Self::CONNECTED];

    /// The byte after a head nearly always shows its shape; if it fits two shapes, the rest of the block
    /// decides.
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let found = match Self::find(reader, false)? {
            None => Self::find(reader, true)?,
            found => found,
        };
        let Some((head, length)) = found else { return Err(reader.stop(FaultKind::FrameShape)) };
        reader.seek(reader.pos() + length);
        Ok(head)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.seq1.write(writer);
        if self.form == FrameForm::Server {
            return;
        }
        self.seq2.write(writer);
        if let Some(suppressed) = self.uk_b1 {
            writer.byte(suppressed);
        }
        writer.byte(self.areas.len() as u8);
        writer.bytes(self.areas);
        if self.form == FrameForm::Relay {
            writer.byte(self.connected.len() as u8);
            writer.bytes(self.connected);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        if self.form == FrameForm::Server {
            return line(out, &Self::NUMBER, self.seq1);
        }
        line(out, &Self::SEQ1, self.seq1);
        line(out, &Self::SEQ2, self.seq2);
        if let Some(suppressed) = self.uk_b1 {
            line(out, &Self::SUPPRESS, suppressed);
        }
        out.line(Self::AREAS.name, Meaning::Number);
        out.data(self.areas);
        out.end();
        if self.form == FrameForm::Relay {
            out.line(Self::CONNECTED.name, Meaning::Number);
            out.data(self.connected);
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        use super::number::take_part;
        if from.bare() {
            let seq1 = take_part(from, &Self::NUMBER)?;
            return Ok(Self { form: FrameForm::Server, seq1, ..Self::default() });
        }
        let (seq1, seq2) = (take_part(from, &Self::SEQ1)?, take_part(from, &Self::SEQ2)?);
        let uk_b1 =
            if from.has(Self::SUPPRESS.name) { Some(take_part(from, &Self::SUPPRESS)?) } else { None };
        let areas = Self::take_bytes(from, &Self::AREAS)?;
        let mut it = Self { form: FrameForm::Client, seq1, seq2, uk_b1, areas, connected: &[] };
        if from.has(Self::CONNECTED.name) {
            it.form = FrameForm::Relay;
            it.connected = Self::take_bytes(from, &Self::CONNECTED)?;
        }
        Ok(it)
    }
    fn bare(&self) -> bool {
        self.form == FrameForm::Server
    }
    /// LMPC's lists are never empty.
    fn in_lmpc(&self, _: &Context) -> bool {
        match self.form {
            FrameForm::Server => true,
            FrameForm::Client => !self.areas.is_empty(),
            FrameForm::Relay => !self.areas.is_empty() && !self.connected.is_empty(),
        }
    }
}

impl<'a> FrameHead<'a> {
    fn take_bytes<A: ValueSource<'a>>(from: &mut A, part: &ValuePart) -> Result<&'a [u8], A::Error> {
        from.line(part.name)?;
        let bytes = from.data()?;
        from.end()?;
        if bytes.len() > 255 {
            return Err(from.refuse("at most 255 bytes"));
        }
        Ok(bytes)
    }
}
