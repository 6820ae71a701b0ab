//! What a sample is and what a reader is expected to find in it.

/// Which game recorded it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Quake: a `.dem` file.
    Quake,
    /// Quake II: a `.dm2` file.
    Quake2,
}

/// How the file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// DEM: the last block ends with a disconnect message and the file stops there.
    Disconnect,
    /// DM2: the end mark (a block length of -1) is the last thing in the file.
    Mark,
    /// The file stops behind a whole block without disconnect or end mark.
    Open,
    /// The file stops inside a block: this many bytes of it, its header included, are there.
    Cut(usize),
    /// This many bytes follow the end (DEM: the disconnect block, DM2: the end mark) and belong to no block.
    Trailing(usize),
}

/// A recording together with what a reader should find in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// A unique name, fit for a file name without its ending.
    pub name: &'static str,
    /// What is special about it, with the source of doubtful facts.
    pub about: &'static str,
    /// The game.
    pub game: Game,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// DEM: the number of bytes of the CD track line before the first block. DM2: always 0.
    pub header: usize,
    /// Whole blocks before the end, empty ones included; a cut block, the end mark of DM2 and whatever is
    /// counted by [`End::Trailing`] are not among them.
    pub blocks: usize,
    /// Messages in these blocks which a reader should be able to name. Each identifying byte counts, so a
    /// Quake II frame with its player state and its entities counts three. Bytes counted by `raw_blocks` hold
    /// no counted message.
    pub messages: usize,
    /// Blocks that hold, at their end, bytes no reader is expected to understand (an unknown id, a foreign
    /// extension, a recognised-only protocol, a client-to-server block). A reader may understand more.
    pub raw_blocks: usize,
    /// The protocol announced first, 0 when the file announces none.
    pub protocol: i32,
    /// The protocol of each level, in order.
    pub protocols: Vec<i32>,
    /// The map of each level as a bare name (`e1m1` for `maps/e1m1.bsp`), in order; empty where nobody is
    /// expected to find it because the protocol is only to be recognised.
    pub maps: Vec<String>,
    /// The displayed name of each level, in order.
    pub titles: Vec<String>,
    /// How the file ends.
    pub ends: End,
}
