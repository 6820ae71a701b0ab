//! The list of a level's models, with more models after it.

use crate::machinery::bridge::wire;
use moviola_format::dem::{Message, ServerInfo};
use moviola_format::{Context, Precache, Reader, Scalar, write_message};

/// The highest number of a model where it is a byte.
const MAX_MODEL: usize = 255;

/// The models of a Quake level, numbered from 1, with the missing ones of `wanted` appended until no number is left;
/// and the announcement of the level with this list, or `None` if no model was appended.
pub(crate) fn with_models<'w>(
    info: &ServerInfo<'_>,
    wanted: impl Iterator<Item = &'w Vec<u8>>,
    context: &Context,
) -> (Vec<Vec<u8>>, Option<Vec<u8>>) {
    let mut models: Vec<Vec<u8>> = info.precache.models().iter().map(|name| name.bytes().to_vec()).collect();
    let before = models.len();
    for name in wanted {
        if models.len() < MAX_MODEL && !models.contains(name) {
            models.push(name.clone());
        }
    }
    if models.len() == before {
        return (models, None);
    }
    let mut lists = Vec::new();
    for name in &models {
        lists.extend_from_slice(&wire(name));
    }
    lists.push(0);
    info.precache.sounds().iter().for_each(|name| lists.extend_from_slice(&wire(name.bytes())));
    lists.push(0);
    let announced = Precache::read(&mut Reader::new(&lists, context)).ok().map(|precache| {
        let mut bytes = Vec::new();
        write_message(&Message::from(ServerInfo { precache, ..*info }), &mut bytes, context);
        bytes
    });
    (models, announced)
}
