//! The list of games and of their message tables. A new game needs an arm in each match of this file, a
//! table, the rules of its protocols in `rules/`, and its containers.

use crate::messages::Dialect;
use crate::table::{Message, Schema};
use crate::with_table;

/// The game of a recording.
///
/// ```
/// use moviola_format::{Format, Game};
/// assert_eq!(Format::Quake { header: 3 }.game(), Some(Game::Quake));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// Quake: `.dem`.
    Quake,
    /// Quake II: `.dm2`.
    Quake2,
    /// QuakeWorld: `.qwd` of a player, `.mvd` of a server.
    QuakeWorld,
}

impl Game {
    /// All games.
    pub const ALL: [Self; 3] = [Self::Quake, Self::Quake2, Self::QuakeWorld];

    /// The game's name.
    ///
    /// ```
    /// use moviola_format::Game;
    /// assert_eq!(Game::Quake2.title(), "Quake II");
    /// ```
    pub const fn title(self) -> &'static str {
        match self {
            Self::Quake => "Quake",
            Self::Quake2 => "Quake II",
            Self::QuakeWorld => "QuakeWorld",
        }
    }

    /// The number of bytes before a block's messages: 4 for the length, and in Quake 12 more for three
    /// angles. QuakeWorld's blocks differ in size; for them this is the smallest size, and
    /// [`Block::head_size`](crate::Block::head_size) has the size of one block.
    ///
    /// ```
    /// use moviola_format::Game;
    /// assert_eq!((Game::Quake.block_head(), Game::Quake2.block_head()), (16, 4));
    /// ```
    pub const fn block_head(self) -> usize {
        match self {
            Self::Quake => 16,
            Self::Quake2 => 4,
            Self::QuakeWorld => 6,
        }
    }

    /// The table of the messages that the game's server sends.
    ///
    /// ```
    /// use moviola_format::{Game, Table};
    /// assert_eq!(Game::Quake2.table(), Table::Quake2);
    /// ```
    pub const fn table(self) -> Table {
        match self {
            Self::Quake => Table::Quake,
            Self::Quake2 => Table::Quake2,
            Self::QuakeWorld => Table::QuakeWorld,
        }
    }
}

/// A table of messages. All messages of a block are in one table ([`Block::table`](crate::Block::table)).
/// [`with_table!`](crate::with_table) turns a table into its [`Dialect`](crate::Dialect).
///
/// ```
/// use moviola_format::{Dialect, Game, Message, with_table};
/// let rows = with_table!(Game::Quake2.table(), D => <D as Dialect>::Message::SCHEMA.len());
/// assert_eq!(rows, moviola_format::dm2::Message::SCHEMA.len());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Table {
    /// [`dem`](crate::dem).
    Quake,
    /// [`dm2`](crate::dm2).
    Quake2,
    /// [`mvd2`](crate::mvd2): Q2PRO's recordings of all players of Quake II.
    Mvd2,
    /// [`qw`](crate::qw).
    QuakeWorld,
    /// [`hidden`](crate::hidden): messages in an MVD that the server never sends to clients.
    Hidden,
    /// [`client`](crate::client): the records of a QuakeWorld recording that are not messages.
    Client,
}

impl Table {
    /// All tables, in the order of the games.
    pub const ALL: [Self; 6] =
        [Self::Quake, Self::Quake2, Self::Mvd2, Self::QuakeWorld, Self::Client, Self::Hidden];

    /// The game whose recordings have its messages.
    pub const fn game(self) -> Game {
        match self {
            Self::Quake => Game::Quake,
            Self::Quake2 | Self::Mvd2 => Game::Quake2,
            Self::QuakeWorld | Self::Hidden | Self::Client => Game::QuakeWorld,
        }
    }

    /// The subject of the table, in words.
    ///
    /// ```
    /// use moviola_format::Table;
    /// assert_eq!(Table::Quake2.title(), "messages of Quake II");
    /// ```
    pub const fn title(self) -> &'static str {
        match self {
            Self::Quake => "messages of Quake",
            Self::Quake2 => "messages of Quake II",
            Self::Mvd2 => "messages of an MVD2",
            Self::QuakeWorld => "messages of QuakeWorld",
            Self::Client => "records of a QuakeWorld client",
            Self::Hidden => "hidden messages of an MVD",
        }
    }

    /// Its rows.
    ///
    /// ```
    /// use moviola_format::Table;
    /// let has = |name: &str| Table::ALL.into_iter().filter(|it| it.schema().iter().any(|row| row.name == name)).count();
    /// assert_eq!((has("nop"), has("demoinfo"), has("nothing")), (4, 1, 0));
    /// ```
    pub const fn schema(self) -> &'static [Schema] {
        with_table!(self, D => <<D as Dialect>::Message<'static> as Message<'static>>::SCHEMA)
    }
}

/// Evaluates an expression in which a name stands for the dialect of a [`Table`].
///
/// ```
/// use moviola_format::{Block, Context, Game, with_table};
/// let block = Block::new(b"\x06\x06");
/// let context = Context::of(Game::Quake2);
/// let count = with_table!(block.table(Game::Quake2), D => block.messages::<D>(context).count());
/// assert_eq!(count, 2);
/// ```
#[macro_export]
macro_rules! with_table {
    ($table:expr, $dialect:ident => $body:expr) => {
        match $table {
            $crate::Table::Quake => {
                type $dialect = $crate::Quake;
                $body
            }
            $crate::Table::Quake2 => {
                type $dialect = $crate::Quake2;
                $body
            }
            $crate::Table::Mvd2 => {
                type $dialect = $crate::Mvd2;
                $body
            }
            $crate::Table::QuakeWorld => {
                type $dialect = $crate::QuakeWorld;
                $body
            }
            $crate::Table::Hidden => {
                type $dialect = $crate::Hidden;
                $body
            }
            $crate::Table::Client => {
                type $dialect = $crate::ClientRecords;
                $body
            }
        }
    };
}
