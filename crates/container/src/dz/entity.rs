//! An entity's state, and the message with its differences from the baseline.

/// The state of an entity. Positions are in the units of the wire.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Entity {
    pub(crate) origin: [i32; 3],
    /// Its last movement, which it repeats if no change is sent.
    pub(crate) step: [i32; 3],
    /// Nehahra's alpha, as the bits of a float.
    pub(crate) fade: u32,
    /// The unchanged fields that are sent nevertheless, as bits of [`keep`].
    pub(crate) keep: u32,
    pub(crate) model: u16,
    pub(crate) frame: u16,
    pub(crate) angles: [u8; 3],
    pub(crate) colormap: u8,
    pub(crate) skin: u8,
    pub(crate) effects: u8,
    /// Nehahra's value for full brightness plus one; 0 if there is no such value.
    pub(crate) glow: u8,
    pub(crate) alpha: u8,
    pub(crate) scale: u8,
    pub(crate) lerp: u8,
    pub(crate) no_lerp: bool,
    /// Whether the stream has a byte for it in every group.
    pub(crate) is_listed: bool,
}

/// The meanings of the bits of [`Entity::keep`].
mod keep {
    pub(super) const ORIGIN: [u32; 3] = [0x1_0000, 0x0400, 0x2_0000];
    pub(super) const ANGLES: [u32; 3] = [0x0800, 0x1000, 0x2000];
    pub(super) const FRAME: u32 = 0x4000;
    pub(super) const MODEL: u32 = 0x4_0000;
    pub(super) const COLORMAP: u32 = 0x8_0000;
    pub(super) const SKIN: u32 = 0x10_0000;
    pub(super) const EFFECTS: u32 = 0x20_0000;
    pub(super) const LONG_NUMBER: u32 = 0x40_0000;
    pub(super) const NEHAHRA: u32 = 0x80_0000;
    pub(super) const ALPHA: u32 = 0x100_0000;
    pub(super) const SCALE: u32 = 0x200_0000;
    pub(super) const LERP: u32 = 0x400_0000;
    pub(super) const MODEL_HIGH: u32 = 0x800_0000;
    pub(super) const FRAME_HIGH: u32 = 0x1000_0000;
}

/// The flags of the message, `U_...` in the game's source.
mod flag {
    pub(super) const MORE: u32 = 0x01;
    pub(super) const ORIGIN: [u32; 3] = [0x02, 0x04, 0x08];
    pub(super) const NO_LERP: u32 = 0x20;
    pub(super) const ANGLES: [u32; 3] = [0x0100, 0x10, 0x0200];
    pub(super) const FRAME: u32 = 0x40;
    pub(super) const UPDATE: u32 = 0x80;
    pub(super) const MODEL: u32 = 0x0400;
    pub(super) const COLORMAP: u32 = 0x0800;
    pub(super) const SKIN: u32 = 0x1000;
    pub(super) const EFFECTS: u32 = 0x2000;
    pub(super) const LONG_NUMBER: u32 = 0x4000;
    /// Nehahra's floats, or a third byte of flags.
    pub(super) const NEHAHRA: u32 = 0x8000;
    pub(super) const ALPHA: u32 = 0x01_0000;
    pub(super) const FRAME_HIGH: u32 = 0x02_0000;
    pub(super) const MODEL_HIGH: u32 = 0x04_0000;
    pub(super) const LERP: u32 = 0x08_0000;
    pub(super) const SCALE: u32 = 0x10_0000;
}

impl Entity {
    /// Writes the update of entity `number`, whose baseline is `base`.
    pub(crate) fn write(&self, number: u16, base: &Self, extended: bool, out: &mut Vec<u8>) {
        let [number_low, number_high] = number.to_le_bytes();
        let f = self.flags(number, base, extended);
        let has = |flag: u32| f & flag != 0;
        let [first, second, third, _] = f.to_le_bytes();
        out.push(first);
        if has(flag::MORE) {
            out.push(second);
        }
        if f & 0xFF_0000 != 0 {
            out.push(third);
        }
        out.push(number_low);
        if has(flag::LONG_NUMBER) {
            out.push(number_high);
        }
        let [model, model_high] = self.model.to_le_bytes();
        let [frame, frame_high] = self.frame.to_le_bytes();
        let bytes = [
            (flag::MODEL, model),
            (flag::FRAME, frame),
            (flag::COLORMAP, self.colormap),
            (flag::SKIN, self.skin),
            (flag::EFFECTS, self.effects),
        ];
        for (flag, byte) in bytes {
            if has(flag) {
                out.push(byte);
            }
        }
        let places = flag::ORIGIN.into_iter().zip(self.origin);
        for ((origin, place), (angle, turn)) in places.zip(flag::ANGLES.into_iter().zip(self.angles)) {
            if has(origin) {
                out.extend_from_slice(&(place as u16).to_le_bytes());
            }
            if has(angle) {
                out.push(turn);
            }
        }
        if !extended && self.keep & keep::NEHAHRA != 0 {
            let kind: f32 = if self.glow == 0 { 1.0 } else { 2.0 };
            out.extend_from_slice(&kind.to_le_bytes());
            out.extend_from_slice(&self.fade.to_le_bytes());
            if let Some(bright) = self.glow.checked_sub(1) {
                out.extend_from_slice(&f32::from(bright).to_le_bytes());
            }
        }
        let bytes = [
            (flag::ALPHA, self.alpha),
            (flag::SCALE, self.scale),
            (flag::FRAME_HIGH, frame_high),
            (flag::MODEL_HIGH, model_high),
            (flag::LERP, self.lerp),
        ];
        for (flag, byte) in bytes {
            if has(flag) {
                out.push(byte);
            }
        }
    }

    /// The fields that are written, as flags.
    fn flags(&self, number: u16, base: &Self, extended: bool) -> u32 {
        let mut f = flag::UPDATE;
        let mut field = |flag: u32, differs: bool, keep: u32| {
            if differs || self.keep & keep != 0 {
                f |= flag;
            }
        };
        field(flag::LONG_NUMBER, number > 255, keep::LONG_NUMBER);
        field(flag::MODEL, self.model as u8 != base.model as u8, keep::MODEL);
        field(flag::FRAME, self.frame as u8 != base.frame as u8, keep::FRAME);
        field(flag::COLORMAP, self.colormap != base.colormap, keep::COLORMAP);
        field(flag::SKIN, self.skin != base.skin, keep::SKIN);
        field(flag::EFFECTS, self.effects != base.effects, keep::EFFECTS);
        let places = self.origin.into_iter().zip(base.origin);
        for ((flag, keep), (new, old)) in flag::ORIGIN.into_iter().zip(keep::ORIGIN).zip(places) {
            field(flag, new != old, keep);
        }
        let turns = self.angles.into_iter().zip(base.angles);
        for ((flag, keep), (new, old)) in flag::ANGLES.into_iter().zip(keep::ANGLES).zip(turns) {
            field(flag, new != old, keep);
        }
        // A high byte that became 0 is not sent, because the low one implies it.
        let high = |new: u16, old: u16| new >> 8 != old >> 8 && new >> 8 != 0;
        field(flag::SCALE, self.scale != base.scale, keep::SCALE);
        field(flag::FRAME_HIGH, high(self.frame, base.frame), keep::FRAME_HIGH);
        field(flag::MODEL_HIGH, high(self.model, base.model), keep::MODEL_HIGH);
        field(flag::LERP, self.lerp != base.lerp, keep::LERP);
        field(flag::NO_LERP, self.no_lerp, 0);
        if extended {
            field(flag::ALPHA, self.alpha != base.alpha, keep::ALPHA);
        } else {
            field(flag::NEHAHRA, false, keep::NEHAHRA);
        }
        if f & 0xFF_0000 != 0 {
            f |= flag::NEHAHRA;
        }
        if f & 0xFF_FF00 != 0 {
            f |= flag::MORE;
        }
        f
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn update(number: u16, entity: Entity, extended: bool) -> Vec<u8> {
        let mut out = Vec::new();
        entity.write(number, &Entity::default(), extended, &mut out);
        out
    }

    #[test]
    fn only_changed_fields_are_written() {
        assert_eq!(update(1, Entity::default(), false), [0x80, 1]);
        assert_eq!(update(300, Entity { frame: 2, ..Entity::default() }, false), [0xC1, 0x40, 44, 1, 2]);
        let turned = Entity { angles: [0, 9, 0], origin: [0, -1, 0], no_lerp: true, ..Entity::default() };
        assert_eq!(update(2, turned, false), [0xB4, 2, 0xFF, 0xFF, 9]);
    }

    #[test]
    fn a_third_byte_of_flags_announces_itself() {
        let large = Entity { model: 0x0102, alpha: 7, ..Entity::default() };
        assert_eq!(update(3, large, true), [0x81, 0x84, 0x05, 3, 2, 7, 1]);
    }

    #[test]
    fn nehahra_sends_floats() {
        let faded = Entity { keep: keep::NEHAHRA, fade: 0x3F00_0000, ..Entity::default() };
        assert_eq!(update(4, faded, false), [0x81, 0x80, 4, 0, 0, 0x80, 0x3F, 0, 0, 0, 0x3F]);
        let bright = Entity { glow: 2, ..faded };
        let expected = [0x81, 0x80, 4, 0, 0, 0, 0x40, 0, 0, 0, 0x3F, 0, 0, 0x80, 0x3F];
        assert_eq!(update(4, bright, false), expected);
    }
}
