//! The statements of the language that are not messages, in one table. The printer, the parser, the syntax files of
//! editors and the manual are made of it.

use moviola_format::Game;

/// Where a statement can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// Outside of blocks.
    Outside,
    /// In a block.
    Inside,
    Anywhere,
}

use Place::{Anywhere, Inside, Outside};

const QUAKE: &[Game] = &[Game::Quake];
const QUAKE2: &[Game] = &[Game::Quake2];
const QUAKEWORLD: &[Game] = &[Game::QuakeWorld];
const BOTH: &[Game] = &[Game::Quake, Game::Quake2];
const ALL_GAMES: &[Game] = &Game::ALL;

/// Whether a statement puts bytes into its block.
const BYTES: bool = true;
const NO_BYTES: bool = false;

/// A row has its word, place, games, whether it puts bytes into a block, and an example.
macro_rules! statements { ($(
    $(#[doc = $note:literal])*
    $name:ident = $keyword:literal [$place:expr, $games:expr, $bytes:expr] $example:literal
)*) => {
    /// A statement of the language that is not a message.
    ///
    /// ```
    /// use moviola_format::Game;
    /// use moviola_text::StatementKind;
    /// assert_eq!(StatementKind::find(b"camera"), Some(StatementKind::Camera));
    /// assert_eq!(StatementKind::Camera.keyword(), "camera");
    /// assert_eq!(StatementKind::Camera.games(), [Game::Quake]);
    /// assert!(StatementKind::Camera.is_inside() && !StatementKind::Camera.is_outside());
    /// assert_eq!(StatementKind::Camera.example(), "camera 0.0 90.0 0.0;");
    /// assert!(StatementKind::Camera.note().contains("yaw"));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum StatementKind { $( $(#[doc = $note])* $name, )* }

    impl StatementKind {
        /// All statements, in the order of the table.
        pub const ALL: &'static [Self] = &[$( Self::$name, )*];

        /// Its keyword.
        pub const fn keyword(self) -> &'static str {
            match self { $( Self::$name => $keyword, )* }
        }

        /// The statement with this keyword.
        pub fn find(word: &[u8]) -> Option<Self> {
            Self::ALL.iter().copied().find(|it| it.keyword().as_bytes() == word)
        }

        /// Its meaning.
        pub const fn note(self) -> &'static str {
            match self { $( Self::$name => concat!($( $note, )*).trim_ascii(), )* }
        }

        /// The statement with values.
        pub const fn example(self) -> &'static str {
            match self { $( Self::$name => $example, )* }
        }

        /// The games whose texts can have it.
        pub const fn games(self) -> &'static [Game] {
            match self { $( Self::$name => $games, )* }
        }

        const fn place(self) -> Place {
            match self { $( Self::$name => $place, )* }
        }

        /// Whether it puts bytes into its block, so that it cannot follow an unterminated string.
        pub(crate) const fn has_bytes(self) -> bool {
            match self { $( Self::$name => $bytes, )* }
        }
    }
} }

// not from SCHEMA, all words: words of the language, of which some are also names of messages and fields
statements! {
    /// A block of messages.
    Block = "block" [Outside, BOTH, BYTES] "block { nop; }"
    /// Quake's header: the first line of the file.
    Track = "track" [Outside, QUAKE, NO_BYTES] "track \"-1\\n\";"
    /// A block of length 0.
    BetweenBlock = "betweenblock" [Outside, QUAKE2, NO_BYTES] "betweenblock;"
    /// The end mark of the file.
    EndBlock = "endblock" [Outside, QUAKE2, NO_BYTES] "endblock;"
    /// Bytes that are neither a block nor a message.
    Raw = "raw" [Anywhere, ALL_GAMES, BYTES] "raw 0x01 0x02;"
    /// A packet of a QWD.
    Packet = "sblock" [Outside, QUAKEWORLD, BYTES] "sblock { time 1.5s; nop; }"
    /// The player's input in a frame of the client.
    Command = "cblock" [Outside, QUAKEWORLD, BYTES] "cblock { time 1.5s; ... }"
    /// The numbers from which packets are counted.
    SetSequence = "fblock" [Outside, QUAKEWORLD, BYTES] "fblock { time 1.5s; seq1 5; seq2 4; }"
    /// Messages of an MVD for some of the players.
    Addressed = "mblock" [Outside, QUAKEWORLD, BYTES] "mblock { msec 13; to all; nop; }"
    /// Messages of an MVD that the server does not send to clients.
    Hidden = "hblock" [Outside, QUAKEWORLD, BYTES] "hblock { msec 13; paused_duration { msec 77; } }"
    /// The first bytes of an MVD2.
    Mvd2Header = "mvd2" [Outside, QUAKE2, NO_BYTES] "mvd2;"
    /// A block of an MVD2.
    Mvd2 = "m2block" [Outside, QUAKE2, BYTES] "m2block { nop; }"
    /// Where the player looks: pitch, yaw and roll.
    Camera = "camera" [Inside, QUAKE, NO_BYTES] "camera 0.0 90.0 0.0;"
    /// The length that the file states for the block, where it differs from the block's.
    Length = "length" [Inside, ALL_GAMES, NO_BYTES] "length 295;"
    /// The block was sent by the client to the server.
    FromClient = "from_client" [Inside, QUAKE, NO_BYTES] "from_client;"
    /// The next message is for one client only, counted from 0.
    Unicast = "unicast" [Inside, QUAKE2, BYTES] "unicast 3;"
    /// Whether all messages of the recording from here on set a bit that engines set differently.
    Habit = "habit" [Inside, QUAKE, NO_BYTES] "habit items_bit clear;"
    /// The protocol, and its flags, from an earlier block that this text does not contain.
    Protocol = "protocol" [Inside, ALL_GAMES, NO_BYTES] "protocol 999 132;"
    /// LMPC's form of `raw`: the first byte apart from the others.
    Unknown = "unknown" [Inside, ALL_GAMES, BYTES] "unknown { id 0x3C; data 0x01; }"
    /// The time of a packet.
    Time = "time" [Inside, QUAKEWORLD, NO_BYTES] "time 1.5s;"
    /// The number of a packet.
    Seq1 = "seq1" [Inside, QUAKEWORLD, NO_BYTES] "seq1 5;"
    /// The number of the packet that is acknowledged.
    Seq2 = "seq2" [Inside, QUAKEWORLD, NO_BYTES] "seq2 4;"
    /// The numbers, of the two, that have the bit of the reliable channel.
    Reliable = "reliable" [Inside, QUAKEWORLD, NO_BYTES] "reliable 1 2;"
    /// Milliseconds since the block before.
    Msec = "msec" [Inside, QUAKEWORLD, NO_BYTES] "msec 13;"
    /// The players that get the block, by their slots.
    To = "to" [Inside, QUAKEWORLD, NO_BYTES] "to single 3;"
    /// The upper bits of the kind of a block, if they are not a player's slot.
    Spare = "spare" [Inside, QUAKEWORLD, NO_BYTES] "spare 3;"
}

impl StatementKind {
    /// Whether it can stand in a block.
    pub const fn is_inside(self) -> bool {
        !matches!(self.place(), Outside)
    }

    /// Whether it can stand outside of blocks.
    pub const fn is_outside(self) -> bool {
        !matches!(self.place(), Inside)
    }

    /// Whether it shows that the block before it has ended.
    pub(crate) const fn ends_block(self) -> bool {
        matches!(self.place(), Outside)
    }

    /// Whether texts of this game can have it.
    pub(crate) fn is_of(self, game: Game) -> bool {
        self.games().contains(&game)
    }

    /// The keywords of the statements that can stand outside of blocks.
    pub(crate) fn outside() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter(|it| it.is_outside()).map(|it| it.keyword())
    }

    /// The keywords of the statements that can stand in blocks.
    pub(crate) fn inside() -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter(|it| it.is_inside()).map(|it| it.keyword())
    }

    /// Whether `word` is the keyword of a statement that shows that a block has ended.
    pub(crate) fn is_behind_block(word: &[u8]) -> bool {
        Self::find(word).is_some_and(Self::ends_block)
    }
}
