//! Stepping a world through a recording, with what its next block has to be read under.

use moviola_format::{Block, Context, Dialect, Entry, Fault};

/// A world that messages change.
///
/// ```
/// use moviola_format::Block;
/// use moviola_state::{Playhead, World, quake, quake2};
/// /// What is on the screen after some blocks, as a number.
/// fn picture<W: World>(blocks: &[&[u8]]) -> u64 {
///     let mut head = Playhead::<W>::new();
///     for block in blocks {
///         head.step(&Block::new(block));
///     }
///     head.world.view_hash()
/// }
/// // The time goes on, and nothing is seen of it.
/// let one = picture::<quake::World>(&[b"\x07\0\0\x80\x3f"]);
/// assert_eq!(one, picture::<quake::World>(&[b"\x07\0\0\x80\x3f", b"\x07\0\0\0\x40"]));
/// assert_eq!(picture::<quake2::World>(&[]), picture::<quake2::World>(&[b"\x06"]));
/// ```
pub trait World: Clone + Default {
    /// The messages that it understands.
    type Dialect: Dialect;

    /// A block begins: what lasts only for a block is over.
    fn begin_block(&mut self, block: &Block<'_>);

    /// Takes a block whose messages are not in the server's table: hidden messages and records. Returns
    /// `None` for every other block, else the reason why the block was not read to its end, if there is one.
    fn aside(&mut self, block: &Block<'_>, context: &Context) -> Option<Option<Fault>> {
        let _ = (block, context);
        None
    }

    /// Takes a message in.
    fn apply(&mut self, entry: &Entry<<Self::Dialect as Dialect>::Message<'_>>);

    /// The block is over: what comes in several messages is put together.
    fn end_block(&mut self);

    /// A number for all of the state. Equal states have equal numbers, in every run and on every platform.
    fn state_hash(&self) -> u64;

    /// A number for what is drawn, heard and shown after the last block, and nothing else: clocks, sequence numbers
    /// and what is only kept for later do not count.
    fn view_hash(&self) -> u64;

    /// Takes a whole block in and leaves in `context` what the next one has to be read under; says why it was not
    /// read to its end. What a client sent is nothing to a client.
    fn apply_block(&mut self, block: &Block<'_>, context: &mut Context) -> Option<Fault> {
        if block.is_from_client() {
            return None;
        }
        self.begin_block(block);
        if let Some(fault) = self.aside(block, context) {
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

/// A place in a recording: the world there, and what the next block is read under. A copy of it is a snapshot to
/// which one can come back.
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
    /// What the next block is read under.
    pub context: Context,
    /// How many blocks were stepped through.
    pub blocks: u64,
}

impl<W: World> Playhead<W> {
    /// Before the first block.
    pub fn new() -> Self {
        Self { world: W::default(), context: Context::of(W::Dialect::GAME), blocks: 0 }
    }

    /// Takes the next block in; says why it was not read to its end.
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
