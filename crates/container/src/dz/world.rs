//! The state to which a packed recording's differences are added.

use super::Version;
use super::entity::Entity;
use super::player::Player;

/// The state that the reader and the writer of a packed recording share.
pub(crate) struct World {
    pub(crate) version: Version,
    pub(crate) view: [u32; 3],
    /// The bits of the last time, a float, as an integer.
    pub(crate) clock: u32,
    /// The entity of the last baseline.
    pub(crate) cursor: u16,
    /// Whether protocol 666's extensions are in use; only version 3 checks.
    pub(crate) extended: bool,
    pub(crate) player: Player,
    /// Whether the block had baselines, in which case every entity is reset at the block's end.
    pub(crate) rebase: bool,
    /// The entities that every group contains, ascending.
    pub(crate) live: Vec<u16>,
    /// Version 1 uses differences from the state that was written last.
    old: Vec<Entity>,
    base: Vec<Entity>,
    current: Vec<Entity>,
    /// The entities whose state may differ from the baseline, so that a reset costs no more than the changes.
    touched: Vec<u16>,
    is_touched: Vec<bool>,
}

/// The state of an entity that did not occur yet.
static NOTHING: Entity = Entity {
    origin: [0; 3],
    step: [0; 3],
    fade: 0,
    keep: 0,
    model: 0,
    frame: 0,
    angles: [0; 3],
    colormap: 0,
    skin: 0,
    effects: 0,
    glow: 0,
    alpha: 0,
    scale: 0,
    lerp: 0,
    no_lerp: false,
    is_listed: false,
};

impl World {
    pub(crate) fn new(version: Version) -> Self {
        Self {
            version,
            view: [0; 3],
            clock: 0,
            cursor: 0,
            extended: false,
            player: Player::default(),
            rebase: false,
            live: Vec::new(),
            old: Vec::new(),
            base: Vec::new(),
            current: Vec::new(),
            touched: Vec::new(),
            is_touched: Vec::new(),
        }
    }

    /// Whether an entity can have this number.
    pub(crate) fn has(&self, entity: usize) -> bool {
        entity < if self.version == Version::Three { 0x8000 } else { 0x400 }
    }

    pub(crate) fn base(&self, entity: u16) -> &Entity {
        self.base.get(usize::from(entity)).unwrap_or(&NOTHING)
    }

    pub(crate) fn current(&self, entity: u16) -> &Entity {
        self.current.get(usize::from(entity)).unwrap_or(&NOTHING)
    }

    /// The state and the baseline of an entity, to be changed; `None` for a number that no entity can have.
    #[inline]
    pub(crate) fn change(&mut self, entity: u16) -> Option<(&mut Entity, &mut Entity)> {
        let at = usize::from(entity);
        if at >= self.current.len() {
            if !self.has(at) {
                return None;
            }
            let room = (at + 1).next_power_of_two();
            self.base.resize(room, NOTHING);
            self.current.resize(room, NOTHING);
            self.is_touched.resize(room, false);
        }
        let is_touched = self.is_touched.get_mut(at)?;
        if !std::mem::replace(is_touched, true) {
            self.touched.push(entity);
        }
        Some((self.current.get_mut(at)?, self.base.get_mut(at)?))
    }

    /// The state that was written last.
    pub(crate) fn old(&self, entity: u16) -> Entity {
        self.old.get(usize::from(entity)).copied().unwrap_or_default()
    }

    /// Stores the state of an entity that was written or reset.
    pub(crate) fn set_old(&mut self, entity: u16, state: Entity) {
        let at = usize::from(entity);
        if at >= self.old.len() && self.has(at) {
            self.old.resize(at + 1, NOTHING);
        }
        if let Some(old) = self.old.get_mut(at) {
            *old = state;
        }
    }

    /// Ends a block: after baselines, every entity is reset to its baseline.
    pub(crate) fn end_block(&mut self) {
        if !std::mem::take(&mut self.rebase) {
            return;
        }
        if self.version == Version::One {
            // In that version, a reset also removes the entity.
            self.live.clear();
        }
        for entity in std::mem::take(&mut self.touched) {
            let at = usize::from(entity);
            if let (Some(current), Some(base)) = (self.current.get_mut(at), self.base.get(at)) {
                *current = *base;
            }
            if self.version == Version::One {
                self.set_old(entity, *self.base(entity));
            }
            if let Some(is_touched) = self.is_touched.get_mut(at) {
                *is_touched = false;
            }
        }
    }

    /// Writes the updates of all live entities.
    pub(crate) fn write_live(&self, out: &mut Vec<u8>) {
        for number in &self.live {
            self.current(*number).write(*number, self.base(*number), self.extended, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn baselines_make_everything_begin_anew() {
        assert_eq!(NOTHING, Entity::default());
        let mut world = World::new(Version::Three);
        world.change(5).unwrap().0.frame = 7;
        world.end_block();
        assert_eq!(world.current(5).frame, 7);
        world.change(9).unwrap().1.model = 3;
        world.rebase = true;
        world.end_block();
        assert_eq!((world.current(5).frame, world.current(9).model), (0, 3));
        world.change(5).unwrap().0.frame = 8;
        world.rebase = true;
        world.end_block();
        assert_eq!(*world.current(5), NOTHING);
        assert!(world.change(0x7FFF).is_some() && world.change(0x8000).is_none());
        assert!(World::new(Version::Two).change(0x400).is_none());
    }
}
