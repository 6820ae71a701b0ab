//! A sample recording, with the results that a reader is expected to find in it.

/// The game of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Quake: a `.dem` file.
    Quake,
    /// Quake II: a `.dm2` file.
    Quake2,
}

/// The end of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// DEM: the last block ends with a disconnect message and the file stops there.
    Disconnect,
    /// DM2: the file ends with the end mark (a block length of -1).
    Mark,
    /// The file stops after a whole block without disconnect or end mark.
    Open,
    /// The file stops inside a block, of which it contains this many bytes, header included.
    Cut(usize),
    /// This many bytes follow the end (DEM: the disconnect block, DM2: the end mark) and belong to no block.
    Trailing(usize),
}

/// A recording together with a reader's expected results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// A unique name that can be used as a file name, without an extension.
    pub name: &'static str,
    /// The special property of the sample, with the source of doubtful facts.
    pub about: &'static str,
    /// The game.
    pub game: Game,
    /// The whole file.
    pub bytes: Vec<u8>,
    /// DEM: the number of bytes of the CD track line before the first block. DM2: always 0.
    pub header: usize,
    /// Whole blocks before the end, empty ones included; a cut block, the end mark of DM2 and the bytes
    /// counted by [`End::Trailing`] are not included.
    pub blocks: usize,
    /// The number of messages in these blocks that a reader should be able to name. Each id counts, so a
    /// Quake II frame with its player state and its entities counts three. Bytes counted by `raw_blocks`
    /// contain no counted message.
    pub messages: usize,
    /// Blocks that end with bytes that a reader need not understand (an unknown id, a foreign extension, a
    /// protocol that is only recognized, a client-to-server block). A reader may understand more.
    pub raw_blocks: usize,
    /// The protocol announced first; 0 if the file announces none.
    pub protocol: i32,
    /// The protocol of each level, in order.
    pub protocols: Vec<i32>,
    /// The map of each level as a bare name (`e1m1` for `maps/e1m1.bsp`), in order; empty if a reader need
    /// not find it because the protocol is only recognized.
    pub maps: Vec<String>,
    /// The displayed name of each level, in order.
    pub titles: Vec<String>,
    /// The end of the file.
    pub ends: End,
}
