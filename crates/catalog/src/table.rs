//! **The** table of a catalog: the columns for each recording. They are also the words of queries.
// not from SCHEMA, all words: they are columns of a catalog

use moviola_export::{FixedWord, Word, WordList, schema};

moviola_export::tables! {
    /// A row for each recording that was found.
    Recording = 0 "catalog" {
        /// Its file; for a file in a container, the container and its name after a colon. Bytes that are not
        /// text are `\xNN`.
        file: Word,
        /// The container with the file.
        container: Option<Word>,
        /// The id of the recording: the first 32 hexadecimal digits of the SHA-256 of its bytes, as in the
        /// tables of `export`.
        recording: Word,
        /// The file of the first recording in the catalog that has the same bytes.
        same_as: Option<Word>,
        /// The size of the recording.
        bytes: i64 as "bytes",
        /// The size of the file, or of the container.
        file_bytes: i64 as "bytes",
        /// The time of the last change of the file, or of the container, since 1970; a query may compare
        /// it with a date.
        modified: i64 as "milliseconds",
        /// `quake`, `quake2` or `quakeworld`; for a recording of input `doom`, `doom2`, `doom or doom2`,
        /// `heretic`, `hexen`, `strife`, `duke` and so on.
        game: FixedWord,
        /// The protocol of the first level.
        protocol: Option<i32>,
        /// The name of the protocol.
        protocol_name: Option<FixedWord>,
        /// The side that made it: `client`, `server`, `relay`, `network` or `unknown`.
        side: FixedWord,
        /// The engine that recorded, by its version print; for a recording of input, the port, by its footer.
        engine: Option<Word>,
        /// Quake II: the game's folder.
        folder: Option<Word>,
        /// Recordings of input: the compatibility level, by the version or by the footer.
        complevel: Option<i32>,
        /// Recordings of input: the game's own WAD file and those that were added, by the footer.
        wads: WordList,
        /// Recordings of input: the parts of a run's category that the header has: `itytd`, `hntr`, `hmp`,
        /// `uv` or `nm`; `fast`, `respawn`, `nomo`, `cooperative`, `deathmatch`, `altdeath`, `solo-net`.
        category: WordList,
        /// Quake: the CD track in the header.
        cd_track: Option<i32>,
        /// The files of the levels, each once.
        maps: WordList,
        /// The names of the players, each once; without `--quick` also of bots that are not clients.
        players: WordList,
        /// The number of players: in recordings of input the players in the game, in others the names.
        player_count: i32,
        /// How many levels there are.
        levels: i32,
        /// The length in the game's time, all levels together; empty if no frame of the game could be read.
        length: Option<f64> as "seconds",
        /// How many frames of the game there are; empty if none could be read.
        frames: Option<i64>,
        /// How many blocks there are.
        blocks: i64,
        /// How many blocks were not read to their end.
        damaged_blocks: Option<i64>,
        /// How it ends: `disconnect`, `mark`, `open`, `truncated` or `trailing`.
        ending: FixedWord,
        /// The last name of the player who recorded.
        recorder: Option<Word>,
        /// The times of all finished levels together, by the rule of speedrunners.
        time: Option<f64> as "seconds",
        /// How many levels have such a time.
        finished: Option<i32>,
        /// Monsters killed.
        monsters: Option<i64>,
        /// Monsters in the levels whose number is known.
        total_monsters: Option<i64>,
        /// Secrets found.
        secrets: Option<i64>,
        /// Secrets in the levels whose number is known.
        total_secrets: Option<i64>,
        /// How often a player killed another, by the game's lines about deaths; like all events, empty if no
        /// frame could be read.
        kills: Option<i64>,
        /// How often a player died.
        deaths: Option<i64>,
        /// QuakeWorld: the teams of the players at the end of the match, each once.
        teams: Option<WordList>,
        /// QuakeWorld: the teams of a match of teams, and the players, with their scores at its end, such as `Ranger 12`, the
        /// best first.
        scores: Option<WordList>,
        /// QuakeWorld: the score of the winner: of the best team in a match of teams, of the best player in others.
        score: Option<i32>,
        /// QuakeWorld: the mode by the server's data, such as `1on1` or `2on2`.
        mode: Option<Word>,
        /// QuakeWorld: the name of the server.
        hostname: Option<Word>,
        /// QuakeWorld: the time of the match, by the server's data or the statistics of the match, since
        /// 1970; a query may compare it with a date.
        played: Option<i64> as "milliseconds",
        /// The codes of the findings of `check`; `explain` describes them.
        findings: Option<WordList>,
        /// How bad the worst finding is: `note`, `warning` or `error`.
        severity: Option<FixedWord>,
        /// The engines that play it to its end.
        plays: Option<WordList>,
        /// The version of Moviola that made the row.
        version: Word,
    }
}

/// The table of [`Recording`].
///
/// ```
/// use moviola_catalog::ROWS;
/// assert_eq!(ROWS.columns[0].name, "file");
/// ```
pub const ROWS: &schema::Table = <Recording as schema::Row>::TABLE;

/// The columns that only a [full](crate::Depth::Full) reading fills.
///
/// ```
/// assert!(moviola_catalog::FULL.contains(&"kills"));
/// assert!(!moviola_catalog::FULL.contains(&"maps"));
/// ```
pub const FULL: &[&str] = &[
    "damaged_blocks",
    "recorder",
    "time",
    "finished",
    "monsters",
    "total_monsters",
    "secrets",
    "total_secrets",
    "kills",
    "deaths",
    "teams",
    "scores",
    "score",
    "mode",
    "hostname",
    "played",
    "findings",
    "severity",
    "plays",
];
