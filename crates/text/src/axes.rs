//! Vectors whose axes alternate with those of another vector on the wire, as `origin_x`, `angles_1`, `origin_y` do in
//! Quake's updates and `punch_1`, `vel_x` in its player. Our texts have that order. LMPC puts one vector after the other.

use moviola_format::Field;
use moviola_format::names::same;

/// The name of a field without the letter of its axis; the whole name if it has none.
pub(crate) const fn vector(name: &str) -> &[u8] {
    match name.as_bytes() {
        [vector @ .., b'_', _] => vector,
        whole => whole,
    }
}

/// Whether a row has such vectors.
pub(crate) const fn alternate(fields: &[Field]) -> bool {
    let mut rest = fields;
    while let [one, others @ ..] = rest {
        if let [other, third, ..] = others
            && same(vector(one.name), vector(third.name))
            && !same(vector(one.name), vector(other.name))
        {
            return true;
        }
        rest = others;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use moviola_format::{dem, dm2};

    #[test]
    fn updates_and_players_of_quake_have_them() {
        assert_eq!(
            (vector("origin_x"), vector("model"), vector("_1")),
            (&b"origin"[..], &b"model"[..], &b""[..])
        );
        assert!(alternate(dem::UpdateEntity::SCHEMA.fields) && alternate(dem::ClientData::SCHEMA.fields));
        assert!(!alternate(dm2::SpawnBaseline::SCHEMA.fields) && !alternate(dem::Sound::SCHEMA.fields));
    }
}
