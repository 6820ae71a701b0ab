//! Kinds of value that only `DarkPlaces` has, apart from those of its entities.

use super::number::{line, take_part};
use super::space::{Angle, Placement};
use crate::context::{AngleKind, Context, DarkPlaces};
use crate::names::{Meaning, quake};
use crate::scalar::{Field, Scalar, Unit, ValuePart, ValueSink, ValueSource};
use crate::wire::{Reader, Stop, Writer};

/// The number of the newest command that the server had received, from `DarkPlaces` 7 on.
///
/// ```
/// assert!(moviola_format::MoveNumber::default().0.is_none());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MoveNumber(pub Option<i32>);

impl MoveNumber {
    fn is_sent(context: &Context) -> bool {
        context.darkplaces >= DarkPlaces::Seven
    }
}

impl<'a> Scalar<'a> for MoveNumber {
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self(if Self::is_sent(reader.context()) { Some(i32::read(reader)?) } else { None }))
    }
    fn write(&self, writer: &mut Writer<'_>) {
        if Self::is_sent(writer.context()) {
            self.0.unwrap_or_default().write(writer);
        }
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        if let Some(number) = self.0 {
            out.line(field.name, field.meaning);
            out.int(i64::from(number));
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        if !Self::is_sent(from.context()) {
            return Ok(Self(None));
        }
        from.line(field.name)?;
        let number = from.int(i64::from(i32::MIN), i64::from(i32::MAX))? as i32;
        from.end()?;
        Ok(Self(Some(number)))
    }
}

/// The state of a baseline or a static thing with numbers of 16 bits.
///
/// ```
/// use moviola_format::dem::DarkPlacesStatic;
/// assert_eq!(DarkPlacesStatic::default().state.modelindex, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LargeState {
    /// The model.
    pub modelindex: u16,
    /// The frame.
    pub frame: u16,
    /// The player whose colors it has.
    pub colormap: u8,
    /// The skin.
    pub skin: u8,
    /// The position and direction.
    pub place: Placement,
}

impl LargeState {
    const MODEL: ValuePart = ValuePart::meaning("default_modelindex", Meaning::Model, "The model.");
    const FRAME: ValuePart = ValuePart::new("default_frame", "The frame.");
    const COLORMAP: ValuePart = ValuePart::new("default_colormap", "The player whose colors it has.");
    const SKIN: ValuePart = ValuePart::new("default_skin", "The skin.");
}

impl<'a> Scalar<'a> for LargeState {
    const PARTS: &'static [ValuePart] =
        &[Self::MODEL, Self::FRAME, Self::COLORMAP, Self::SKIN, Placement::ORIGIN, Placement::ANGLES];

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        Ok(Self {
            modelindex: Scalar::read(reader)?,
            frame: Scalar::read(reader)?,
            colormap: reader.byte()?,
            skin: reader.byte()?,
            place: Scalar::read(reader)?,
        })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        self.modelindex.write(writer);
        self.frame.write(writer);
        writer.bytes(&[self.colormap, self.skin]);
        self.place.write(writer);
    }
    fn show<S: ValueSink<'a>>(&self, field: &Field, out: &mut S) {
        line(out, &Self::MODEL, self.modelindex);
        line(out, &Self::FRAME, self.frame);
        line(out, &Self::COLORMAP, self.colormap);
        line(out, &Self::SKIN, self.skin);
        self.place.show(field, out);
    }
    fn take_field<A: ValueSource<'a>>(field: &Field, from: &mut A) -> Result<Self, A::Error> {
        Ok(Self {
            modelindex: take_part(from, &Self::MODEL)?,
            frame: take_part(from, &Self::FRAME)?,
            colormap: take_part(from, &Self::COLORMAP)?,
            skin: take_part(from, &Self::SKIN)?,
            place: Placement::take_field(field, from)?,
        })
    }
    fn bare(&self) -> bool {
        false
    }
}

/// The form of a value in a player's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The protocol does not send it.
    Absent,
    I8,
    U8,
    I16,
    U16,
    I32,
    Angle16,
    /// A 16-bit coordinate of whole units.
    Units,
    Float,
}

impl Form {
    const fn width(self) -> usize {
        match self {
            Self::Absent => 0,
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 | Self::Angle16 | Self::Units => 2,
            Self::I32 | Self::Float => 4,
        }
    }
}

/// A value of a player's state, apart from its keyword.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PlayerValue {
    /// The eye's height above the origin.
    ViewHeight,
    /// The pitch that the engine suggests.
    IdealPitch,
    /// The pitch by which a hit turned the view.
    PunchPitch,
    /// The distance by which a hit moved the view along x.
    ShiftX,
    /// Speed along x.
    SpeedX,
    /// The yaw by which a hit turned the view.
    PunchYaw,
    /// The distance by which a hit moved the view along y.
    ShiftY,
    /// Speed along y.
    SpeedY,
    /// The roll by which a hit turned the view.
    PunchRoll,
    /// The distance by which a hit moved the view along z.
    ShiftZ,
    /// Speed along z.
    SpeedZ,
    /// The player's items.
    Items,
    /// The frame of the weapon's animation.
    WeaponFrame,
    /// Points of armor.
    Armor,
    /// The weapon's model.
    WeaponModel,
    /// Points of health.
    Health,
    /// Ammunition for the weapon in hand.
    Ammo,
    /// Shells.
    Shells,
    /// Nails.
    Nails,
    /// Rockets.
    Rockets,
    /// Cells.
    Cells,
    /// The weapon in hand.
    Weapon,
    /// How much the view is magnified.
    Zoom,
}

/// A value of a player's state: the flag that announces it (0 for none), its keyword, and its forms in protocol 15, in
/// `DarkPlaces` 5, and from 6 on.
struct Column {
    value: PlayerValue,
    flag: u32,
    part: ValuePart,
    forms: [Form; 3],
}

const fn column(
    value: PlayerValue,
    flag: u32,
    name: &'static str,
    meaning: Meaning,
    note: &'static str,
    forms: [Form; 3],
) -> Column {
    Column { value, flag, part: ValuePart::meaning(name, meaning, note), forms }
}

/// A form that all protocols share.
const fn always(form: Form) -> [Form; 3] {
    [form; 3]
}

/// The flag of the items.
const ITEMS: u32 = 1 << 9;
/// The forms, in the protocols named by [`Column`], of the view's turn and shift after a hit, of velocities, and of
/// values that later became stats.
const TURN: [Form; 3] = [Form::I8, Form::Angle16, Form::Angle16];
const SHIFT: [Form; 3] = [Form::Units, Form::Float, Form::Float];
const SPEED: [Form; 3] = [Form::I8, Form::Float, Form::Float];
const BYTE: [Form; 3] = [Form::U8, Form::I16, Form::Absent];
const NUMBER: Meaning = Meaning::Number;

/// The values in the order of the wire.
const COLUMNS: [Column; 22] = [
    column(
        PlayerValue::ViewHeight,
        1 << 0,
        "view_ofs_z",
        NUMBER,
        "The eye's height above the origin; 22 when absent.",
        always(Form::I8),
    ),
    column(
        PlayerValue::IdealPitch,
        1 << 1,
        "punchangle_x",
        NUMBER,
        "The pitch that the engine suggests, to look along a slope.",
        always(Form::I8),
    ),
    column(
        PlayerValue::PunchPitch,
        1 << 2,
        "angles_1",
        NUMBER,
        "The pitch by which a hit turned the view.",
        TURN,
    ),
    column(
        PlayerValue::ShiftX,
        1 << 16,
        "punchvector_x",
        NUMBER,
        "The distance by which a hit moved the view along x.",
        SHIFT,
    ),
    column(
        PlayerValue::SpeedX,
        1 << 5,
        "vel_x",
        NUMBER,
        "Speed along x; before DarkPlaces 5 in 16 units a second.",
        SPEED,
    ),
    column(
        PlayerValue::PunchYaw,
        1 << 3,
        "angles_2",
        NUMBER,
        "The yaw by which a hit turned the view.",
        TURN,
    ),
    column(
        PlayerValue::ShiftY,
        1 << 17,
        "punchvector_y",
        NUMBER,
        "The distance by which a hit moved the view along y.",
        SHIFT,
    ),
    column(
        PlayerValue::SpeedY,
        1 << 6,
        "vel_y",
        NUMBER,
        "Speed along y; before DarkPlaces 5 in 16 units a second.",
        SPEED,
    ),
    column(
        PlayerValue::PunchRoll,
        1 << 4,
        "angles_3",
        NUMBER,
        "The roll by which a hit turned the view.",
        TURN,
    ),
    column(
        PlayerValue::ShiftZ,
        1 << 18,
        "punchvector_z",
        NUMBER,
        "The distance by which a hit moved the view along z.",
        SHIFT,
    ),
    column(
        PlayerValue::SpeedZ,
        1 << 7,
        "vel_z",
        NUMBER,
        "Speed along z; before DarkPlaces 5 in 16 units a second.",
        SPEED,
    ),
    column(
        PlayerValue::Items,
        ITEMS,
        "items",
        Meaning::Bits(quake::ITEMS),
        "The player's items.",
        always(Form::I32),
    ),
    column(
        PlayerValue::WeaponFrame,
        1 << 12,
        "weaponframe",
        NUMBER,
        "The frame of the weapon's animation.",
        BYTE,
    ),
    column(PlayerValue::Armor, 1 << 13, "armorvalue", NUMBER, "Points of armor.", BYTE),
    column(PlayerValue::WeaponModel, 1 << 14, "weaponmodel", Meaning::Model, "The weapon's model.", BYTE),
    column(
        PlayerValue::Health,
        0,
        "health",
        NUMBER,
        "Points of health.",
        [Form::I16, Form::I16, Form::Absent],
    ),
    column(PlayerValue::Ammo, 0, "currentammo", NUMBER, "Ammunition for the weapon in hand.", BYTE),
    column(PlayerValue::Shells, 0, "ammo_shells", NUMBER, "Shells.", BYTE),
    column(PlayerValue::Nails, 0, "ammo_nails", NUMBER, "Nails.", BYTE),
    column(PlayerValue::Rockets, 0, "ammo_rockets", NUMBER, "Rockets.", BYTE),
    column(PlayerValue::Cells, 0, "ammo_cells", NUMBER, "Cells.", BYTE),
    column(PlayerValue::Weapon, 0, "weapon", NUMBER, "The weapon in hand.", BYTE),
];

/// How much the view is magnified, after the other values.
const ZOOM: Column = column(
    PlayerValue::Zoom,
    1 << 19,
    "viewzoom",
    NUMBER,
    "How much the view is magnified; 255 is not at all.",
    [Form::U8, Form::U16, Form::U16],
);

/// All values.
fn columns() -> impl Iterator<Item = &'static Column> {
    const LAST: &Column = &ZOOM;
    const ALL: &[Column] = &COLUMNS;
    ALL.iter().chain([LAST])
}

/// A value of a player's state.
///
/// ```
/// use moviola_format::{Context, DarkPlacesPlayer, PlayerValue, Reader, Scalar};
/// let mut context = Context::quake();
/// context.set_quake_protocol(3504, 0);
/// let mut reader = Reader::new(&[20], &context);
/// reader.set_flags(1);
/// let player = DarkPlacesPlayer::read(&mut reader).unwrap();
/// assert_eq!(player.value(PlayerValue::ViewHeight), Some(20.0));
/// assert_eq!(player.value(PlayerValue::Health), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DarkPlacesPlayer<'a> {
    wire: &'a [u8],
    flags: u32,
    dialect: DarkPlaces,
}

impl<'a> DarkPlacesPlayer<'a> {
    #[expect(clippy::indexing_slicing, reason = "a wrong index would not compile")]
    const FIELDS: [ValuePart; 23] = {
        let mut parts = [ZOOM.part; 23];
        let mut n = 0;
        while n < COLUMNS.len() {
            parts[n] = COLUMNS[n].part;
            n += 1;
        }
        parts
    };

    fn form(column: &Column, dialect: DarkPlaces) -> Form {
        let [plain, five, late] = column.forms;
        match dialect {
            DarkPlaces::No | DarkPlaces::Quake => plain,
            DarkPlaces::Five => five,
            DarkPlaces::Six | DarkPlaces::Seven | DarkPlaces::Eight => late,
        }
    }

    /// Whether a value is sent under these flags. Up to `DarkPlaces` 5 the items are sent in any case.
    fn is_sent(column: &Column, flags: u32, dialect: DarkPlaces) -> bool {
        let always = column.flag == 0 || column.flag == ITEMS && dialect <= DarkPlaces::Five;
        (always || flags & column.flag != 0) && Self::form(column, dialect) != Form::Absent
    }

    /// The values that were sent, each with its form and bytes.
    fn values(&self) -> impl Iterator<Item = (&'static Column, Form, u32)> + use<'a> {
        let Self { wire, flags, dialect } = *self;
        let mut rest = wire;
        columns().filter(move |column| Self::is_sent(column, flags, dialect)).map_while(move |column| {
            let form = Self::form(column, dialect);
            let (bytes, behind) = rest.split_at_checked(form.width())?;
            rest = behind;
            Some((column, form, bytes.iter().rev().fold(0, |raw, byte| raw << 8 | u32::from(*byte))))
        })
    }

    /// This value, if it was sent: degrees, units, or units a second.
    pub fn value(&self, value: PlayerValue) -> Option<f64> {
        let (column, form, raw) = self.values().find(|(column, ..)| column.value == value)?;
        let is_speed = column.forms == SPEED;
        Some(match form {
            Form::I8 => f64::from(raw as i8) * if is_speed { 16.0 } else { 1.0 },
            Form::U8 | Form::U16 => f64::from(raw),
            Form::I16 | Form::Units => f64::from(raw as i16),
            Form::I32 => f64::from(raw as i32),
            Form::Angle16 => Angle::from_raw(AngleKind::Short, i32::from(raw as i16)).value(),
            Form::Float => f64::from(f32::from_bits(raw)),
            Form::Absent => return None,
        })
    }

    /// A state with these values; those that the protocol does not send are left out. The values are stored in
    /// `bytes`.
    pub fn of(values: &[(PlayerValue, f64)], context: &Context, bytes: &'a mut Vec<u8>) -> Self {
        let dialect = context.darkplaces;
        let mut flags = 0;
        for column in columns() {
            let form = Self::form(column, dialect);
            let value = values.iter().find(|(key, _)| *key == column.value).map(|(_, value)| *value);
            let (Some(value), true) = (value, form != Form::Absent) else { continue };
            flags |= column.flag;
            let value = if column.forms == SPEED && form == Form::I8 { value / 16.0 } else { value };
            let raw = match form {
                Form::Angle16 => Angle::nearest(AngleKind::Short, value).raw() as u32,
                Form::Float => (value as f32).to_bits(),
                _ => value.round() as i64 as u32,
            };
            bytes.extend(raw.to_le_bytes().get(..form.width()).unwrap_or_default());
        }
        Self { wire: bytes, flags, dialect }
    }

    /// The player's items, if they were sent.
    pub fn items(&self) -> Option<u32> {
        self.values().find(|(column, ..)| column.flag == ITEMS).map(|(_, _, raw)| raw)
    }

    /// The height of the eyes, if no message contains one.
    pub const VIEW_HEIGHT: i8 = 22;
}

impl<'a> Scalar<'a> for DarkPlacesPlayer<'a> {
    const PARTS: &'static [ValuePart] = &Self::FIELDS;
    const SILENT: bool = true;

    fn read(reader: &mut Reader<'a, '_>) -> Result<Self, Stop> {
        let (all, dialect) = (reader.flags(), reader.context().darkplaces);
        let (mut length, mut flags) = (0, 0);
        for column in columns().filter(|column| Self::is_sent(column, all, dialect)) {
            length += Self::form(column, dialect).width();
            flags |= column.flag;
        }
        Ok(Self { wire: reader.slice(length)?, flags, dialect })
    }
    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.wire);
    }
    fn show<S: ValueSink<'a>>(&self, _: &Field, out: &mut S) {
        for (column, form, raw) in self.values() {
            out.line(column.part.name, column.part.meaning);
            match form {
                Form::I8 => out.int(i64::from(raw as i8)),
                Form::I16 | Form::Units => out.int(i64::from(raw as i16)),
                Form::Angle16 => out.fixed(i64::from(raw as i16), Unit::Degrees65536),
                Form::Float => out.float(raw),
                Form::I32 | Form::U8 | Form::U16 | Form::Absent => out.int(i64::from(raw)),
            }
            out.end();
        }
    }
    fn take_field<A: ValueSource<'a>>(_: &Field, from: &mut A) -> Result<Self, A::Error> {
        let dialect = from.context().darkplaces;
        let (mut bytes, mut flags) = (Vec::new(), 0);
        for column in columns() {
            let form = Self::form(column, dialect);
            if form == Form::Absent || !Self::is_sent(column, 0, dialect) && !from.has(column.part.name) {
                continue;
            }
            flags |= column.flag;
            from.line(column.part.name)?;
            let raw = match form {
                Form::I8 => from.int(-0x80, 0x7F)? as u32,
                Form::U8 => from.int(0, 0xFF)? as u32,
                Form::I16 | Form::Units => from.int(-0x8000, 0x7FFF)? as u32,
                Form::U16 => from.int(0, 0xFFFF)? as u32,
                Form::I32 => from.int(0, i64::from(u32::MAX))? as u32,
                Form::Angle16 => from.angle(Unit::Degrees65536, 16)? as u32,
                Form::Float => from.float()?,
                Form::Absent => 0,
            };
            from.end()?;
            bytes.extend(raw.to_le_bytes().get(..form.width()).unwrap_or_default());
        }
        Ok(Self { wire: from.keep(&bytes), flags, dialect })
    }
    fn implied(&self, _: u32, _: &Context) -> u32 {
        self.flags
    }
    fn bare(&self) -> bool {
        false
    }
}
