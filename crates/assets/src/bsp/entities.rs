//! Reads the entity lump of a level, which is text.

use super::Bsp;
use bstr::{BStr, ByteSlice};

/// An entity of a level: its keys and values, in their order.
///
/// ```
/// use moviola_assets::Bsp;
/// let text = b"{ \"classname\" \"worldspawn\" \"sky\" \"unit1_\" } { \"classname\" \"light\" }";
/// let level = Bsp { entities: text.to_vec(), ..Bsp::default() };
/// let entities: Vec<_> = level.entities().collect();
/// assert_eq!(entities[0].get("sky").unwrap(), "unit1_");
/// assert_eq!((entities.len(), entities[1].get("sky")), (2, None));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntityText<'t> {
    /// Keys and values.
    pub pairs: Vec<(&'t BStr, &'t BStr)>,
}

impl<'t> EntityText<'t> {
    /// The value of a key; if a key occurs several times, the last one counts.
    pub fn get(&self, key: &str) -> Option<&'t BStr> {
        self.pairs.iter().rev().find(|(it, _)| *it == key).map(|(_, value)| *value)
    }
}

impl Bsp {
    /// The entities of the level, up to the first part of the text that cannot be read.
    pub fn entities(&self) -> impl Iterator<Item = EntityText<'_>> {
        let mut rest = self.entities.as_slice();
        std::iter::from_fn(move || {
            if word(&mut rest)? != "{" {
                return None;
            }
            let mut entity = EntityText::default();
            loop {
                let key = word(&mut rest)?;
                if key == "}" {
                    return Some(entity);
                }
                entity.pairs.push((key, word(&mut rest)?));
            }
        })
    }
}

/// The next word: a text in quotes, a brace, or characters up to a blank.
fn word<'t>(rest: &mut &'t [u8]) -> Option<&'t BStr> {
    loop {
        *rest = rest.trim_ascii_start();
        let Some(comment) = rest.strip_prefix(b"//") else { break };
        *rest = comment.find_byte(b'\n').and_then(|end| comment.get(end..)).unwrap_or_default();
    }
    let (found, left) = match *rest.first()? {
        0 => return None,
        b'"' => {
            let inner = rest.get(1..)?;
            let end = inner.find_byte(b'"')?;
            (inner.get(..end)?, inner.get(end.checked_add(1)?..)?)
        }
        b'{' | b'}' => rest.split_at(1),
        _ => {
            let ends = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'{' | b'}' | b'"' | 0);
            rest.split_at(rest.iter().position(|byte| ends(*byte)).unwrap_or(rest.len()))
        }
    };
    *rest = left;
    Some(found.as_bstr())
}
