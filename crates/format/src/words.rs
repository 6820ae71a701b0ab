//! Kinds of value in words: a table names them for Rust, but the manual and `explain` are for people.

use crate::kinds::{EntityBits, Items};
use crate::scalar::Field;

impl Field {
    /// The kind of value in words.
    ///
    /// ```
    /// use moviola_format::dem;
    /// let words: Vec<_> = dem::SpawnBaseline2::SCHEMA.fields.iter().map(|field| field.words()).collect();
    /// assert_eq!(words[..3], ["signed short", "byte or short", "byte or short"]);
    /// assert_eq!(dem::Damage::SCHEMA.fields[2].words(), "3 × coord");
    /// ```
    pub fn words(&self) -> String {
        words(self.kind)
    }

    /// A value's dependence on the flag word, if the word says more than whether the value is sent.
    ///
    /// ```
    /// use moviola_format::dem;
    /// let entity = &dem::UpdateEntity::SCHEMA.fields[0];
    /// assert_eq!(entity.in_flags().as_deref(), Some("A short if 0x4000."));
    /// ```
    pub fn in_flags(&self) -> Option<String> {
        let long = |bit: u32| format!("A short if 0x{bit:02X}.");
        match plain(self.kind) {
            "Items" => {
                let bit = Items::BIT;
                Some(format!("Announced by 0x{bit:04X}, but Quake 1.07 and later always send it."))
            }
            "EntityNumber" => Some(long(EntityBits::LONG_NUMBER)),
            "LocalSoundNumber" => Some(long(LOCAL_SOUND)),
            "ByteOrShort" => {
                let digits = self.kind.split_once("<0x")?.1.trim_end_matches('>');
                u32::from_str_radix(digits, 16).ok().map(long)
            }
            _ => None,
        }
    }
}

const LOCAL_SOUND: u32 = crate::kinds::LocalSoundNumber::BIT;

/// The name of a kind without the brackets after it.
fn plain(written: &'static str) -> &'static str {
    written.split('<').next().unwrap_or_default().trim()
}

/// A kind of value, or of flag word, in words.
///
/// ```
/// assert_eq!(moviola_format::words("ClientBits"), "client bits");
/// ```
pub fn words(written: &str) -> String {
    let plain = written.replace("<'a>", "").replace(' ', "");
    if let Some((of, count)) =
        plain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).and_then(|rest| rest.split_once(';'))
    {
        return format!("{count} × {}", words(of));
    }
    let name = plain.split('<').next().unwrap_or_default();
    let word = match name {
        "u8" => "byte",
        "u16" => "short",
        "u32" => "long",
        "i8" => "signed byte",
        "i16" => "signed short",
        "i32" => "signed long",
        // not from SCHEMA: a kind of value in words
        "Str" => "string",
        "Rest" => "bytes",
        "Short8" => "eighths",
        "Angle8" => "angle of 8 bits",
        "Angle16" => "angle of 16 bits",
        _ => {
            return name.char_indices().fold(String::new(), |mut words, (at, letter)| {
                if letter.is_uppercase() && at > 0 {
                    words.push(' ');
                }
                words.extend(letter.to_lowercase());
                words
            });
        }
    };
    word.to_owned()
}
