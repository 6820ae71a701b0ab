//! Steps a world through a recording, together with the context of its next block.

use moviola_format::{Block, Context, Dialect, Entry, Fault};

/// A world that messages change.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, World, quake, quake2};
/// /// The screen after some blocks, as a hash.
/// fn picture<W: World>(blocks: &[&[u8]]) -> u64 {
///     let mut head = Playhead::<W>::new();
///     for block in blocks {
///         head.step(&Block::new(block));
///     }
///     head.world.view_hash()
/// }
/// // Only the time changes, which is not visible.
/// let one = picture::<quake::World>(&[b"\x07\0\0\x80\x3f"]);
/// assert_eq!(one, picture::<quake::World>(&[b"\x07\0\0\x80\x3f", b"\x07\0\0\0\x40"]));
/// assert_eq!(picture::<quake2::World>(&[]), picture::<quake2::World>(&[b"\x06"]));
/// ```
pub trait World: Clone + Default {
    /// The messages that it understands.
    type Dialect: Dialect;

    /// Begins a block, which ends the state that lasts only for a block.
    fn begin_block(&mut self, block: &Block<'_>);

    /// Applies a block whose messages are not in the server's table: hidden messages and records. Returns `None` for
    /// every other block, and otherwise the reason why the block was not read to its end, if there is one.
    fn apply_other_table(&mut self, block: &Block<'_>, context: &Context) -> Option<Option<Fault>> {
        let _ = (block, context);
        None
    }

    /// Applies a message.
    fn apply(&mut self, entry: &Entry<<Self::Dialect as Dialect>::Message<'_>>);

    /// Ends the block, and completes the state that several messages make together.
    fn end_block(&mut self);

    /// A hash of all of the state. Equal states have equal hashes, in every run and on every platform.
    fn state_hash(&self) -> u64;

    /// A hash of the picture, sound and text after the last block, and nothing else: clocks, sequence numbers
    /// and state that is only kept for later do not count.
    fn view_hash(&self) -> u64;

    /// Applies a whole block and leaves in `context` the context of the next one; returns the reason if the
    /// block was not read to its end. Blocks that a client sent are skipped.
    fn apply_block(&mut self, block: &Block<'_>, context: &mut Context) -> Option<Fault> {
        if block.is_from_client() {
            return None;
        }
        self.begin_block(block);
        if let Some(fault) = self.apply_other_table(block, context) {
            self.end_block();
            return fault;
        }
        let mut messages = block.messages::<Self::Dialect>(*context);
        for entry in messages.by_ref() {
            self.apply(&entry);
        }
        self.end_block();
        *context = *messages.context();
        messages.fault()
    }
}

/// A place in a recording: the world there, and the context of the next block. A copy is a snapshot from
/// which one can go on later.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, World, quake2};
/// let mut head = Playhead::<quake2::World>::new();
/// let start = head.clone();
/// head.step(&Block::new(b"\x0a\x02Hello\n\0"));
/// assert_ne!(head.world.state_hash(), start.world.state_hash());
/// assert_eq!(head.blocks, 1);
/// ```
#[derive(Clone, Debug)]
pub struct Playhead<W> {
    /// The world.
    pub world: W,
    /// The context of the next block.
    pub context: Context,
    /// The number of blocks stepped through.
    pub blocks: u64,
}

impl<W: World> Playhead<W> {
    /// The state before the first block.
    pub fn new() -> Self {
        Self { world: W::default(), context: Context::of(W::Dialect::GAME), blocks: 0 }
    }

    /// Applies the next block; returns the reason if it was not read to its end.
    pub fn step(&mut self, block: &Block<'_>) -> Option<Fault> {
        self.blocks = self.blocks.wrapping_add(1);
        self.world.apply_block(block, &mut self.context)
    }
}

impl<W: World> Default for Playhead<W> {
    fn default() -> Self {
        Self::new()
    }
}
