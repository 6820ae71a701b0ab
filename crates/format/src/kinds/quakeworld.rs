//! The kinds of value that only QuakeWorld has, except those of entities, commands and levels.

use super::number::{line, take_part};
use super::temp::te;
use super::{Angle, Attenuation, Volume};
use crate::context::{Context, Extensions};
use crate::names::{Meaning, quake, quakeworld};
use crate::scalar::{Field, Flags, Scalar, ValuePart, ValueSink, ValueSource};
use crate::wire::{FaultKind, Reader, Stop, Writer};

/// The entity, channel, volume and attenuation of a sound: 16 bits, two of which announce a byte each.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, SoundHead};
/// let context = Context::quakeworld();
/// let head = SoundHead::read(&mut Reader::new(&[0x0A, 0x80, 255], &context)).unwrap();
/// assert_eq!((head.entity(), head.channel(), head.vol().map(|it| it.0)), (1, 2, Some(255)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SoundHead {
    word: u16,
    vol: u8,
    attenuation: u8,
}

impl SoundHead {
    const HAS_VOL: u16 = 0x8000;
    const HAS_ATTENUATION: u16 = 0x4000;
    /// A bit without a meaning in any engine.
    const SPARE: u16 = 0x2000;
    const SPARE_BIT: ValuePart = ValuePart::new("spare_bit", "A bit without a meaning, where it is set.");
    const CHANNEL: ValuePart =
        ValuePart::meaning("channel", Meaning::Value(quake::SOUND_CHANNEL), "The channel of the entity.");
    const ENTITY: ValuePart =
        ValuePart::meaning("entity", Meaning::Entity, "The entity that makes the sound.");
    const VOL: ValuePart = ValuePart::new("vol", "How loud, 1 when absent.");
    const ATTENUATION: ValuePart = ValuePart::meaning(
        "attenuation",
        Meaning::Value(quake::ATTENUATION_RAW),
        "How fast it fades with distance, 1 when absent.",
    );

    /// The entity that makes the sound.
    pub fn entity(self) -> u16 {
        self.word >> 3 & 0x3FF
    }
    /// The entity's channel.
    pub fn channel(self) -> u8 {
        (self.word & 7) as u8
    }
    /// The volume; `None` if it is not sent.
    pub fn vol(self) -> Option<Volume> {
        (self.word & Self::HAS_VOL != 0).then_some(Volume(self.vol))
    }
    /// The attenuation; `None` if it is not sent.
    ///
    /// ```
    /// assert_eq!(moviola_format::SoundHead::default().attenuation(), None);
    /// ```
    pub fn attenuation(self) -> Option<Attenuation> {
        (self.word & Self::HAS_ATTENUATION != 0).then_some(Attenuation(self.attenuation))
    }
}

impl<'a> Scalar<'a> for SoundHead {
    const PARTS: &'static [ValuePart] =
        &[Self::CHANNEL, Self::ENTITY, Self::VOL, Self::ATTENUATION, Self::SPARE_BIT];
    const MOST: usize = 4;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let word = u16::read(reader)?;
        let vol = u8::read_if(reader, word & Self::HAS_VOL != 0)?;
        let attenuation = u8::read_if(reader, word & Self::HAS_ATTENUATION != 0)?;
        Ok(Self { word, vol, attenuation })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.word.write(writer);
        if self.word & Self::HAS_VOL != 0 {
            writer.byte(self.vol);
        }
        if self.word & Self::HAS_ATTENUATION != 0 {
            writer.byte(self.attenuation);
        }
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::CHANNEL, self.channel());
        line(out, &Self::ENTITY, self.entity());
        if let Some(vol) = self.vol() {
            line(out, &Self::VOL, vol);
        }
        if let Some(attenuation) = self.attenuation() {
            line(out, &Self::ATTENUATION, attenuation);
        }
        if self.word & Self::SPARE != 0 {
            out.line(Self::SPARE_BIT.name, Self::SPARE_BIT.meaning);
            out.end();
        }
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.word & Self::SPARE == 0
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        from.line(Self::CHANNEL.name)?;
        let mut word = from.int(0, 7)? as u16;
        from.end()?;
        from.line(Self::ENTITY.name)?;
        word |= (from.int(0, 0x3FF)? as u16) << 3;
        from.end()?;
        let mut it = Self { word, ..Self::default() };
        if from.has(Self::VOL.name) {
            it.vol = take_part::<A, Volume>(from, &Self::VOL)?.0;
            it.word |= Self::HAS_VOL;
        }
        if from.has(Self::ATTENUATION.name) {
            it.attenuation = take_part::<A, Attenuation>(from, &Self::ATTENUATION)?.0;
            it.word |= Self::HAS_ATTENUATION;
        }
        if from.has(Self::SPARE_BIT.name) {
            from.line(Self::SPARE_BIT.name)?;
            from.end()?;
            it.word |= Self::SPARE;
        }
        Ok(it)
    }
}

/// The new direction of a player's view: three angles. In an MVD the player precedes them, and with MVDSV's
/// extension the reason for the turn.
///
/// ```
/// use moviola_format::{Context, Reader, Scalar, ViewTurn};
/// let context = Context { mvd: true, ..Context::quakeworld() };
/// let turn = ViewTurn::read(&mut Reader::new(&[3, 0, 64, 0], &context)).unwrap();
/// assert_eq!((turn.address, turn.angles[1].value()), (Some(3), 90.0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ViewTurn {
    /// In an MVD the player; with MVDSV's extension 0 for an unknown reason, 1 for a teleport, 2 for a respawn.
    pub address: Option<u8>,
    /// Pitch, yaw and roll.
    pub angles: [Angle; 3],
}

impl<'a> Scalar<'a> for ViewTurn {
    const MOST: usize = 7;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let address = if reader.context().addresses_angles() { Some(reader.byte()?) } else { None };
        Ok(Self { address, angles: Scalar::read(reader)? })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if let Some(address) = self.address {
            writer.byte(address);
        }
        self.angles.write(writer);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        if let Some(address) = self.address {
            out.int(i64::from(address));
        }
        self.angles.put(out);
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let address = if from.context().addresses_angles() { Some(from.int(0, 0xFF)? as u8) } else { None };
        Ok(Self { address, angles: Scalar::take(from)? })
    }
    fn in_lmpc(&self, context: &Context) -> bool {
        self.address.is_none() && self.angles.in_lmpc(context)
    }
}

/// The number of one of QuakeWorld's temporary entities, which decides which fields it has.
///
/// ```
/// use moviola_format::{Flags, WorldTempKind, te};
/// assert!(WorldTempKind::new(2).unwrap().has(te::COUNT | te::ORIGIN));
/// assert_eq!(WorldTempKind::new(14), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WorldTempKind {
    kind: u8,
    fields: u16,
}

impl WorldTempKind {
    const KIND: ValuePart = ValuePart::meaning(
        "entitytype",
        Meaning::Value(quakeworld::TEMP_ENTITY),
        "The kind of the temporary entity.",
    );

    /// The temporary entity of this number; `None` if QuakeWorld has no such kind.
    pub const fn new(kind: u8) -> Option<Self> {
        let fields = match kind {
            2 | 12 => te::COUNT | te::ORIGIN,
            5 | 6 | 9 => te::ENTITY | te::ORIGIN | te::END,
            0..=13 => te::ORIGIN,
            _ => return None,
        };
        Some(Self { kind, fields: fields as u16 })
    }

    /// The number of the kind.
    pub const fn number(self) -> u8 {
        self.kind
    }
}

impl<'a> Scalar<'a> for WorldTempKind {
    const PARTS: &'static [ValuePart] = &[Self::KIND];
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let kind = reader.byte()?;
        Self::new(kind).ok_or_else(|| reader.stop(FaultKind::UnknownTempEntity(kind)))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.kind);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        line(out, &Self::KIND, self.kind);
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let kind: u8 = take_part(from, &Self::KIND)?;
        Self::new(kind).ok_or_else(|| from.refuse("no temporary entity of QuakeWorld has this number"))
    }
}

impl Flags<'_> for WorldTempKind {
    const DERIVED: bool = false;
    #[inline(always)]
    fn bits(&self) -> u32 {
        u32::from(self.fields)
    }
    fn canonical(_: u32, _: &Context) -> Self {
        Self::default()
    }
    fn exactly(_: u32, _: &Context) -> Self {
        Self::default()
    }
}

/// The flag word of a player in a QWD: 16 bits, and eight more if an extension was announced.
///
/// ```
/// use moviola_format::{Context, Extensions, Flags, PlayerBits};
/// let mut context = Context::quakeworld();
/// assert_eq!(PlayerBits::canonical(1 << 17, &context).bits(), 0);
/// context.set_quakeworld_protocol(28, Extensions { fte: 8, ..Extensions::default() });
/// assert_eq!(PlayerBits::canonical(1 << 17, &context).bits(), 1 << 17 | 1 << 15);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlayerBits {
    bits: u32,
    live: u32,
}

impl PlayerBits {
    const MORE: u32 = 1 << 15;
    /// The bits whose fields are on the wire only if an extension was announced.
    const EXTENDED: [(u32, u32); 5] = [
        (1 << 14, Extensions::HULLSIZE),
        (1 << 16, Extensions::SCALE),
        (1 << 17, Extensions::TRANS),
        (1 << 18, Extensions::FATNESS),
        (1 << 19, Extensions::COLOURMOD),
    ];
    const LONGER: u32 = Extensions::HULLSIZE | Extensions::SCALE | Extensions::TRANS | Extensions::FATNESS;

    fn of(bits: u32, context: &Context) -> Self {
        let mut live = bits;
        for (bit, extension) in Self::EXTENDED {
            if context.extensions.fte & extension == 0 {
                live &= !bit;
            }
        }
        Self { bits, live }
    }

    fn is_longer(context: &Context) -> bool {
        context.extensions.fte & Self::LONGER != 0
    }
}

impl<'a> Scalar<'a> for PlayerBits {
    const MOST: usize = 3;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let mut bits = u32::from(u16::read(reader)?);
        let context = reader.context();
        if bits & Self::MORE != 0 && Self::is_longer(context) {
            bits |= u32::from(reader.byte()?) << 16;
        }
        Ok(Self::of(bits, context))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        (self.bits as u16).write(writer);
        if self.bits & Self::MORE != 0 && Self::is_longer(writer.context()) {
            writer.byte((self.bits >> 16) as u8);
        }
    }
}

impl Flags<'_> for PlayerBits {
    /// Bits without a field: dead, gibbed, the kind of movement, on the ground, solid.
    const SPARE: u32 = 0xF0_3E00 | 0xC000;

    #[inline(always)]
    fn bits(&self) -> u32 {
        self.bits
    }
    #[inline(always)]
    fn has(&self, bit: u32) -> bool {
        self.live & bit != 0
    }
    fn canonical(implied: u32, context: &Context) -> Self {
        let bits = match (Self::is_longer(context), implied >> 16) {
            (false, _) => implied & 0xFFFF,
            (true, 0) => implied,
            (true, _) => implied | Self::MORE,
        };
        Self::of(bits, context)
    }
    fn exactly(bits: u32, context: &Context) -> Self {
        let longer = Self::is_longer(context) && bits & Self::MORE != 0;
        Self::of(if longer { bits & 0xFF_FFFF } else { bits & 0xFFFF }, context)
    }
}

/// The frame of a weapon. If MVDSV announced its prediction of weapons, the prediction follows.
///
/// ```
/// use moviola_format::qw::PlayerInfo;
/// assert_eq!(PlayerInfo::default().weaponframe.frame, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WeaponFrame<'a> {
    /// The frame.
    pub frame: u8,
    /// The data for the client's prediction of the weapon, not decoded; more bytes follow the first one if it
    /// is not 0.
    pub prediction: &'a [u8],
}

impl WeaponFrame<'_> {
    /// The number of bytes of a prediction after its first.
    const PREDICTION: usize = 22;
}

impl<'a> Scalar<'a> for WeaponFrame<'a> {
    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let frame = reader.byte()?;
        let mut prediction: &[u8] = &[];
        if reader.context().extensions.mvd1 & Extensions::WEAPONPREDICTION != 0 {
            let follows = reader.peek().is_some_and(|byte| byte != 0);
            prediction = reader.slice(1 + if follows { Self::PREDICTION } else { 0 })?;
        }
        Ok(Self { frame, prediction })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.frame);
        writer.bytes(self.prediction);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        out.int(i64::from(self.frame));
        self.prediction.iter().for_each(|byte| out.int(i64::from(*byte)));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let frame = from.int(0, 0xFF)? as u8;
        let mut bytes = Vec::new();
        while from.more() {
            bytes.push(from.int(0, 0xFF)? as u8);
        }
        let wanted = match (from.context().extensions.mvd1 & Extensions::WEAPONPREDICTION, bytes.first()) {
            (0, _) => 0,
            (_, None | Some(0)) => 1,
            _ => 1 + Self::PREDICTION,
        };
        if bytes.len() != wanted {
            return Err(from.refuse("these are not as many bytes as a weapon's prediction has"));
        }
        Ok(Self { frame, prediction: from.keep(&bytes) })
    }
    fn in_lmpc(&self, _: &Context) -> bool {
        self.prediction.is_empty()
    }
}

/// The effects of a player. LMPC took them for the weapons that the player carries: 1 stands for none, and
/// each number from 2 on for a bit.
///
/// ```
/// use moviola_format::qw::PlayerInfo;
/// assert_eq!(PlayerInfo::default().weapon.0, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EffectNumbers(pub u8);

impl<'a> Scalar<'a> for EffectNumbers {
    const MOST: usize = 1;

    #[inline(always)]
    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        reader.byte().map(Self)
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.byte(self.0);
    }
    fn put<S: ValueSink<'a>>(&self, out: &mut S) {
        if self.0 == 0 {
            out.int(1);
        }
        (0..8).filter(|bit| self.0 & 1 << bit != 0).for_each(|bit| out.int(bit + 2));
    }
    fn take<A: ValueSource<'a>>(from: &mut A) -> Result<Self, A::Error> {
        let mut byte = 0u8;
        while from.more() {
            let number = from.int(1, 9)?;
            if number > 1 {
                byte |= 1 << (number - 2);
            }
        }
        Ok(Self(byte))
    }
}
