//! The table of headers: for each layout its game, its fields, its players and its records.
//!
//! Reading, printing, parsing and the summary all follow from these rows.
//! Sources: LMPC's descriptions of both formats, and the readers of dsda-doom, chocolate-doom and jfduke3d.
// not from SCHEMA, all words: keys of a header in LMPC's texts, and words for games

use crate::record::RecordForm;

/// The type of a header field: how its bytes are stored, and when a text mentions it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// A byte that is always mentioned.
    Byte,
    /// A byte that a text counts from one.
    FromOne,
    /// An integer of this many bytes, low byte first, that texts always have.
    Always(usize),
    /// An integer of this many bytes, low byte first. Texts leave it out if it is zero.
    Little(usize),
    /// An integer of this many bytes, high byte first. Texts leave it out if it is zero.
    Big(usize),
    /// The rules of a multiplayer game.
    Rule,
    /// The slot of the player who recorded.
    View,
    /// A name of this many bytes, padded with zeros.
    Name(usize),
    /// A list of this many flags, one byte each.
    List(usize),
    /// A byte with the number of flags, then the flags.
    Counted,
    /// Bytes that are always the same.
    Magic(&'static [u8]),
    /// `count` values of the type `of`, one for each player, `stride` bytes apart.
    Each { count: usize, stride: usize, of: &'static FieldKind },
}

impl FieldKind {
    /// The size of the number in bytes, the value from which a text counts it, and whether the high byte
    /// comes first; `None` if the field is not a number.
    pub(crate) fn width(self) -> Option<(usize, i64, bool)> {
        match self {
            Byte | Rule | View => Some((1, 0, false)),
            FromOne => Some((1, 1, false)),
            Always(wide) | Little(wide) => Some((wide, 0, false)),
            Big(wide) => Some((wide, 0, true)),
            Name(_) | List(_) | Counted | Magic(_) | Each { .. } => None,
        }
    }
}

/// A field: its key in a text, and its offset in the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HeaderField {
    pub(crate) offset: usize,
    pub(crate) key: &'static str,
    pub(crate) kind: FieldKind,
}

const fn field(at: usize, key: &'static str, kind: FieldKind) -> HeaderField {
    HeaderField { offset: at, key, kind }
}

/// The place of the players in a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Players {
    /// `count` bytes, `stride` bytes apart; each is nonzero if its player plays.
    Slots { at: usize, count: usize, stride: usize },
    /// The number of players in 16 bits.
    Count { at: usize },
    /// Unknown.
    Unknown,
}

/// A row of the table: the layout of a header.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct HeaderForm {
    /// The game's name in a text.
    pub(crate) game: &'static str,
    /// The words by which a user can force this layout, or a text names the game.
    pub(crate) words: &'static [&'static str],
    pub(crate) about: &'static str,
    /// The length in bytes, without counted flags and data for each player.
    pub(crate) length: usize,
    /// The number of additional bytes for each player in the game.
    pub(crate) each: usize,
    pub(crate) fields: &'static [HeaderField],
    pub(crate) players: Players,
    pub(crate) record: &'static RecordForm,
    /// The highest episode and map of the game.
    pub(crate) levels: (u8, u8),
}

use FieldKind::{Always, Big, Byte, Counted, Each, FromOne, List, Little, Magic, Name, Rule, View};
use Players::{Count, Slots, Unknown};

pub(crate) const BOOM_LETTERS: &[u8] = b"\x1dBoom\xe6";
const BOOM: FieldKind = Magic(BOOM_LETTERS);
const MBF: FieldKind = Magic(b"\x1dMBF\xe6\0");

/// The fields of Boom and its descendants. They differ in the signature, and in `$less`: by how many bytes the fields
/// after the byte of compatibility are earlier, in a header without that byte. The byte is the first field, so that it
/// can be left out.
macro_rules! boom {
    ($magic:expr, $less:expr) => {
        &[
            field(7, "Compatibility", Little(1)),
            field(1, "Signature", $magic),
            field(8 - $less, "Skill", FromOne),
            field(9 - $less, "Episode", Byte),
            field(10 - $less, "Map", Byte),
            field(11 - $less, "MultiRule", Rule),
            field(12 - $less, "ViewOfPlayer", View),
            field(13 - $less, "MonstersRemember", Little(1)),
            field(14 - $less, "VariableFriction", Little(1)),
            field(15 - $less, "WeaponRecoil", Little(1)),
            field(16 - $less, "AllowPushers", Little(1)),
            field(18 - $less, "PlayerBobbing", Little(1)),
            field(19 - $less, "Respawn", Little(1)),
            field(20 - $less, "Fast", Little(1)),
            field(21 - $less, "NoMonsters", Little(1)),
            field(22 - $less, "DemoInsurance", Little(1)),
            field(23 - $less, "RandomSeed", Big(4)),
            field(27 - $less, "Infighting", Little(1)),
            field(28 - $less, "Dogs", Little(1)),
            field(31 - $less, "FriendDistance", Big(2)),
            field(33 - $less, "Backing", Little(1)),
            field(34 - $less, "AvoidHazards", Little(1)),
            field(35 - $less, "Friction", Little(1)),
            field(36 - $less, "HelpFriends", Little(1)),
            field(37 - $less, "DogJumping", Little(1)),
            field(38 - $less, "Monkeys", Little(1)),
            field(39 - $less, "CompFlags", List(32)),
            field(71 - $less, "OldBsp", Little(1)),
        ]
    };
}

const DOOM_FIELDS: &[HeaderField] = &[
    field(1, "Skill", FromOne),
    field(2, "Episode", Byte),
    field(3, "Map", Byte),
    field(4, "MultiRule", Rule),
    field(5, "Respawn", Little(1)),
    field(6, "Fast", Little(1)),
    field(7, "NoMonsters", Little(1)),
    field(8, "ViewOfPlayer", View),
];
const OLD_FIELDS: &[HeaderField] =
    &[field(0, "Skill", FromOne), field(1, "Episode", Byte), field(2, "Map", Byte)];
const DUKE_FIELDS: &[HeaderField] = &[
    field(7, "Skill", Byte),
    field(5, "Episode", FromOne),
    field(6, "Map", FromOne),
    field(10, "Player", Always(2)),
    field(8, "MultiRule", Little(1)),
    field(9, "FFire", Little(1)),
    field(12, "NoMonsters", Little(2)),
    field(14, "RespawnMonsters", Little(4)),
    field(18, "RespawnItems", Little(4)),
    field(22, "RespawnInventory", Little(4)),
    field(26, "FakePlayerAI", Little(4)),
    field(30, "Name", Each { count: 16, stride: 32, of: &Name(32) }),
    field(0x21E, "AutoRun", Always(4)),
    field(0x222, "BoardFileName", Name(128)),
    field(0x2A2, "AimMode", Each { count: 16, stride: 1, of: &Byte }),
];
/// Duke's fields without the aim modes, which jfduke3d replaces by three numbers for each player.
const JFDUKE_FIELDS: &[HeaderField] = DUKE_FIELDS.split_at(DUKE_FIELDS.len() - 1).0;
const DOOM_SLOTS: Players = Slots { at: 9, count: 4, stride: 1 };
/// `LxDoom`'s fields: Boom's signature, and no byte of compatibility after it.
const LX_FIELDS: &[HeaderField] = BOOM_WITHOUT_COMPATIBILITY.split_at(1).1;
const BOOM_WITHOUT_COMPATIBILITY: &[HeaderField] = boom!(BOOM, 1);
const BOOM_SLOTS: Players = Slots { at: 0x4D, count: 32, stride: 1 };

/// The most episodes and maps of DOOM's recordings, and of those of Duke Nukem 3D.
const DOOM_LEVELS: (u8, u8) = (9, 99);

macro_rules! forms { ($(
    $(#[doc = $about:literal])* $name:ident = $game:literal $words:expr, $length:literal + $each:literal, $record:ident,
    $players:expr, $levels:expr, $fields:expr;
)*) => { $(
    $(#[doc = $about])*
    pub(crate) static $name: HeaderForm = HeaderForm { game: $game, words: &$words, about: concat!($($about),*),
        length: $length, each: $each, fields: $fields, players: $players, record: &crate::record::$record,
        levels: $levels };
)*
    /// All layouts.
    pub(crate) static FORMS: &[&HeaderForm] = &[$( &$name, )*];
} }

forms! {
    /// DOOM 1.0 to 1.2, whose header has neither a version nor rules.
    OLD_DOOM = "DOOM" ["doom-1.2", "olddoom"], 7 + 0, SHORT, Slots { at: 3, count: 4, stride: 1 }, (3, 9), OLD_FIELDS;
    /// Heretic; newer ports keep flags in the first player's byte, among them one for turns in 16 bits.
    HERETIC = "HERETIC" ["heretic", "h"], 7 + 0, HERETIC_RECORD, Slots { at: 3, count: 4, stride: 1 }, (6, 9), OLD_FIELDS;
    /// Hexen 1.0, four players.
    HEXEN_10 = "HEXEN" ["hexen-1.0"], 11 + 0, HEXEN_RECORD, Slots { at: 3, count: 4, stride: 2 }, (1, 60), &[
        field(0, "Skill", FromOne), field(1, "Episode", Byte), field(2, "Map", Byte),
        field(4, "Class", Each { count: 4, stride: 2, of: &Byte }),
    ];
    /// Hexen 1.1, eight players.
    HEXEN = "HEXEN" ["hexen", "x"], 19 + 0, HEXEN_RECORD, Slots { at: 3, count: 8, stride: 2 }, (1, 60), &[
        field(0, "Skill", FromOne), field(1, "Episode", Byte), field(2, "Map", Byte),
        field(4, "Class", Each { count: 8, stride: 2, of: &Byte }),
    ];
    /// Strife: no episode, eight players.
    STRIFE = "STRIFE" ["strife", "s"], 16 + 0, STRIFE_RECORD, Slots { at: 8, count: 8, stride: 1 }, (0, 36), &[
        field(1, "Skill", FromOne), field(2, "Map", Byte), field(3, "MultiRule", Rule), field(4, "Respawn", Little(1)),
        field(5, "Fast", Little(1)), field(6, "NoMonsters", Little(1)), field(7, "ViewOfPlayer", View),
    ];
    /// DOOM 1.4 to 1.9.
    DOOM = "DOOM or DOOM ][" ["doom", "d", "doom2", "2", "doom ]["], 13 + 0, SHORT, DOOM_SLOTS, DOOM_LEVELS, DOOM_FIELDS;
    /// DOOM 1.4 to 1.9 with turns of 16 bits.
    LONG_DOOM = "DOOM or DOOM ][" ["doom-long", "longtics"], 13 + 0, LONG, DOOM_SLOTS, DOOM_LEVELS, DOOM_FIELDS;
    /// DOOM 1.4 to 1.9 by `TASDoom`, which records the buttons first; its headers look like DOOM's.
    TAS_DOOM = "TASDOOM" ["tasdoom"], 13 + 0, TAS, DOOM_SLOTS, DOOM_LEVELS, DOOM_FIELDS;
    /// DOOM Classic: one more byte, and the state of each player before the first tic.
    CLASSIC = "DOOM CLASSIC" ["doom-classic", "classic"], 14 + 84, SHORT, Slots { at: 10, count: 4, stride: 1 }, DOOM_LEVELS, &[
        field(1, "Skill", FromOne), field(2, "Episode", Byte), field(3, "Expansion", Little(1)), field(4, "Map", Byte),
        field(5, "MultiRule", Rule), field(6, "Respawn", Little(1)), field(7, "Fast", Little(1)),
        field(8, "NoMonsters", Little(1)), field(9, "ViewOfPlayer", View),
    ];
    /// Boom 2.00, with room for 256 options.
    BOOM_200 = "BOOM" ["boom-2.00"], 301 + 0, SHORT, Slots { at: 0x10D, count: 32, stride: 1 }, DOOM_LEVELS, boom!(BOOM, 0);
    /// Boom 2.01 and 2.02.
    BOOM_DOOM = "BOOM" ["boom"], 109 + 0, SHORT, BOOM_SLOTS, DOOM_LEVELS, boom!(BOOM, 0);
    /// MBF and `PrBoom` up to 2.4.
    MBF_DOOM = "MBF" ["mbf", "prboom"], 109 + 0, SHORT, BOOM_SLOTS, DOOM_LEVELS, boom!(MBF, 0);
    /// `LxDoom`, as dsda-doom reads it: MBF's version, Boom's signature, and no byte of compatibility. No recording was
    /// found.
    LX_DOOM = "LXDOOM" ["lxdoom"], 108 + 0, SHORT, Slots { at: 0x4C, count: 32, stride: 1 }, DOOM_LEVELS, LX_FIELDS;
    /// `PrBoom` since 2.5, with turns in 16 bits.
    LONG_MBF = "MBF" ["mbf-long", "prboom-long"], 109 + 0, LONG, BOOM_SLOTS, DOOM_LEVELS, boom!(MBF, 0);
    /// `CDoom`; untested, because no recording was found.
    CDOOM = "CDOOM" ["cdoom"], 109 + 0, LONG, BOOM_SLOTS, DOOM_LEVELS, boom!(Magic(b"CDOOMC"), 0);
    /// MBF21, in which a count precedes the compatibility flags.
    MBF21 = "MBF21" ["mbf21"], 65 + 0, LONG, Slots { at: 0x21, count: 32, stride: 1 }, DOOM_LEVELS, &[
        field(1, "Signature", MBF), field(7, "Skill", FromOne), field(8, "Episode", Byte), field(9, "Map", Byte),
        field(10, "MultiRule", Rule), field(11, "ViewOfPlayer", View), field(12, "MonstersRemember", Little(1)),
        field(13, "WeaponRecoil", Little(1)), field(14, "PlayerBobbing", Little(1)), field(15, "Respawn", Little(1)),
        field(16, "Fast", Little(1)), field(17, "NoMonsters", Little(1)), field(18, "RandomSeed", Big(4)),
        field(22, "Infighting", Little(1)), field(23, "Dogs", Little(1)), field(24, "FriendDistance", Big(2)),
        field(26, "Backing", Little(1)), field(27, "AvoidHazards", Little(1)), field(28, "Friction", Little(1)),
        field(29, "HelpFriends", Little(1)), field(30, "DogJumping", Little(1)), field(31, "Monkeys", Little(1)),
        field(32, "CompFlags", Counted),
    ];
    /// Duke Nukem 3D 1.0 and 1.1.
    DUKE_10 = "Duke Nukem 3D" ["duke-1.0"], 9 + 0, DUKE_OLD, Count { at: 7 }, DOOM_LEVELS, &[
        field(6, "Skill", Byte), field(4, "Episode", FromOne), field(5, "Map", FromOne), field(7, "Player", Always(2)),
    ];
    /// Duke Nukem 3D 1.3D.
    DUKE_13 = "Duke Nukem 3D" ["duke-1.3d"], 24 + 0, DUKE, Count { at: 8 }, DOOM_LEVELS, &[
        field(6, "Skill", Byte), field(4, "Episode", FromOne), field(5, "Map", FromOne), field(8, "Player", Always(2)),
        field(7, "MultiRule", Little(1)), field(10, "NoMonsters", Little(2)), field(12, "RespawnMonsters", Little(4)),
        field(16, "RespawnItems", Little(4)), field(20, "RespawnInventory", Little(4)),
    ];
    /// Duke Nukem 3D 1.4 and 1.5: names, and an aim mode for each player.
    DUKE_15 = "Duke Nukem 3D" ["duke", "n", "duke nukem 3d", "duke-1.5"], 0x2A2 + 1, DUKE, Count { at: 10 }, DOOM_LEVELS, DUKE_FIELDS;
    /// jfduke3d: as 1.5, with three numbers for each player.
    JFDUKE = "jfduke3d" ["jfduke3d"], 0x2A2 + 12, DUKE, Count { at: 10 }, DOOM_LEVELS, JFDUKE_FIELDS;
    /// An unknown file, kept as raw bytes.
    RAW = "Unknown" ["raw", "unknown"], 0 + 0, SHORT, Unknown, (0, 0), &[];
}

/// A version number and its meaning.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Version {
    pub(crate) byte: u8,
    /// The version in a text.
    pub(crate) text: &'static str,
    pub(crate) about: &'static str,
    pub(crate) form: &'static HeaderForm,
    /// The compatibility level with which dsda-doom plays it, if the version alone decides.
    pub(crate) complevel: Option<u8>,
}

/// The keys of the headers' fields, and their meanings. Players, bytes and the choice of the layout are not fields.
pub(crate) static KEYS: &[(&str, &str)] = &[
    ("Game", "the game; with the version it decides the layout"),
    ("Version", "the version, by its name or by its byte"),
    ("Wrapper", "the outer header before the ordinary one: `DSDA 1` to `DSDA 3`, `PR+UM`"),
    ("Player", "the slots that play: `Player0`, `Player1` and so on; Duke: how many play"),
    ("Packing", "`twice`: Duke's blocks end with a code that is written again"),
    ("Bytes", "bytes from this place on, `Bytes[3]`, for what has no key"),
    ("Skill", "the skill, from 1; Duke's as it is in the file"),
    ("Episode", "the episode; 1 in DOOM II"),
    ("Map", "the number of the map"),
    ("Class", "Hexen's classes: 0 fighter, 1 cleric, 2 mage"),
    ("Expansion", "DOOM Classic's game data"),
    ("MultiRule", "the rules of several players: Cooperative, DeathMatch, AltDeath; Duke's: coop"),
    ("Respawn", "whether monsters come back"),
    ("Fast", "whether monsters are fast"),
    ("NoMonsters", "whether there are no monsters"),
    ("ViewOfPlayer", "the slot of the player who recorded"),
    ("Signature", "the letters by which ports know their headers"),
    ("Compatibility", "whether Boom's ports play as DOOM did"),
    ("MonstersRemember", "Boom: monsters remember the enemy before the last"),
    ("VariableFriction", "Boom: floors may be ice or mud"),
    ("WeaponRecoil", "Boom: weapons push their owner back"),
    ("AllowPushers", "Boom: wind and currents push"),
    ("PlayerBobbing", "Boom: the view bobs"),
    ("DemoInsurance", "Boom: random numbers by purpose, so that recordings stay in step"),
    ("RandomSeed", "Boom: the seed of the random numbers"),
    ("Infighting", "MBF: monsters fight each other"),
    ("Dogs", "MBF: the number of dogs that help"),
    ("FriendDistance", "MBF: the distance that friends keep"),
    ("Backing", "MBF: monsters back away from those that fight at close quarters"),
    ("AvoidHazards", "MBF: monsters avoid hazards"),
    ("Friction", "MBF: friction holds for monsters too"),
    ("HelpFriends", "MBF: monsters help friends"),
    ("DogJumping", "MBF: dogs jump down"),
    ("Monkeys", "MBF: monsters climb steep stairs"),
    ("CompFlags", "MBF: flags that keep single old behaviors"),
    ("OldBsp", "MBF: the old way to treat the tree of the map"),
    ("FFire", "Duke: players can hurt each other"),
    ("RespawnMonsters", "Duke: monsters come back"),
    ("RespawnItems", "Duke: items come back"),
    ("RespawnInventory", "Duke: inventory items come back"),
    ("FakePlayerAI", "Duke: players that the game itself plays"),
    ("Name", "Duke: the players' names"),
    ("AutoRun", "Duke: players run without the key"),
    ("BoardFileName", "Duke: the file of a map that is not the game's own"),
    ("AimMode", "Duke: how each player aims"),
];

macro_rules! versions { ($( $byte:literal $text:literal $about:literal $form:ident $complevel:expr; )*) => {
    /// The versions that a byte of a header names.
    pub(crate) static VERSIONS: &[Version] = &[$(
        Version { byte: $byte, text: $text, about: $about, form: &$form, complevel: $complevel },
    )*];
} }

versions! {
    101 "1.01" "Strife" STRIFE None;
    104 "1.4" "DOOM 1.4 beta" DOOM Some(1);
    105 "1.5" "DOOM 1.5 beta" DOOM Some(1);
    106 "1.6" "DOOM 1.666" DOOM Some(1);
    107 "1.7" "DOOM II 1.7" DOOM Some(1);
    108 "1.8" "DOOM II 1.8" DOOM Some(1);
    109 "1.9" "DOOM 1.9" DOOM None;
    110 "1.10" "id's released source, or TASDoom" DOOM None;
    110 "1.10" "TASDoom" TAS_DOOM Some(6);
    111 "111" "DOOM 1.91, with turns in 16 bits" LONG_DOOM None;
    111 "111" "DOOM Classic" CLASSIC None;
    200 "200" "Boom 2.00" BOOM_200 Some(8);
    201 "201" "Boom 2.01" BOOM_DOOM Some(8);
    202 "202" "Boom 2.02" BOOM_DOOM Some(9);
    203 "203" "MBF" MBF_DOOM Some(11);
    203 "203" "LxDoom" LX_DOOM Some(11);
    204 "204" "a relative of MBF" MBF_DOOM None;
    205 "205" "CDoom" CDOOM None;
    206 "206" "CDoom" CDOOM None;
    207 "207" "CDoom" CDOOM None;
    210 "210" "PrBoom 2.1.0 to 2.1.1" MBF_DOOM Some(13);
    211 "211" "PrBoom 2.1.2 to 2.2.6" MBF_DOOM Some(14);
    212 "212" "PrBoom 2.3" MBF_DOOM Some(15);
    213 "213" "PrBoom 2.4.0" MBF_DOOM Some(16);
    214 "214" "PrBoom since 2.5" LONG_MBF Some(17);
    221 "221" "MBF21" MBF21 Some(21);
    116 "1.4" "Duke Nukem 3D 1.4" DUKE_15 None;
    117 "1.5" "Duke Nukem 3D 1.5" DUKE_15 None;
    132 "132" "jfduke3d" JFDUKE None;
    133 "133" "jfduke3d, Atomic" JFDUKE None;
    134 "134" "jfduke3d, shareware" JFDUKE None;
}

/// Names of versions that have no number in the header.
pub(crate) static UNNUMBERED: &[(&HeaderForm, &str)] = &[
    (&OLD_DOOM, "1.2"),
    (&OLD_DOOM, "1.1"),
    (&OLD_DOOM, "1.0"),
    (&OLD_DOOM, "0"),
    (&HEXEN, "1.1"),
    (&HEXEN_10, "1.0"),
    (&DUKE_10, "1.0"),
    (&DUKE_10, "1.1"),
    (&DUKE_13, "1.3D"),
    (&HERETIC, "1.0"),
];

/// The games' own WAD files by their names without the ending, and the game's name in a text. A header does not show
/// which of them a recording of DOOM belongs to, since both have maps 1 to 9 of episode 1.
static IWADS: &[(&str, &[&str])] = &[
    ("DOOM", &["doom", "doomu", "doom1", "freedoom1", "bfgdoom", "chex"]),
    ("DOOM ][", &["doom2", "doom2f", "tnt", "plutonia", "freedoom2", "freedm", "hacx", "bfgdoom2"]),
    ("HERETIC", &["heretic", "heretic1", "hticdemo", "blasphem", "blasphemer"]),
    ("HEXEN", &["hexen", "hexendemo"]),
    ("STRIFE", &["strife", "strife0", "strife1"]),
];

/// The name in a text of the game to which a WAD file belongs, by the file's name.
pub(crate) fn game_of_wad(path: &str) -> Option<&'static str> {
    let stem = stem(path)?;
    IWADS.iter().find(|(_, wads)| wads.contains(&stem.as_str())).map(|(game, _)| *game)
}

/// The name of a WAD file without its folder and ending, in small letters.
fn stem(path: &str) -> Option<String> {
    let name = path.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
    Some(name.strip_suffix(".wad").unwrap_or(&name).to_owned())
}

/// The complevel for a name that dsda-doom's `-complevel` accepts. `vanilla` means the game's own engine, which the
/// game's WAD file determines.
pub(crate) fn complevel_named(name: &str, iwad: Option<&str>) -> Option<u8> {
    const NAMES: [(&str, u8); 3] = [("boom", 9), ("mbf", 11), ("mbf21", 21)];
    if name.eq_ignore_ascii_case("vanilla") {
        return match (game_of_wad(iwad?)?, stem(iwad?)?.as_str()) {
            (_, "tnt" | "plutonia") => Some(4),
            ("DOOM ][", _) => Some(2),
            ("DOOM", _) => Some(3),
            _ => None,
        };
    }
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, level)| *level)
}

/// Formats that are recognized but not read, by their first bytes; `?` stands for any byte.
pub(crate) static UNREAD_FORMATS: &[(&[u8], &str)] = &[
    (b"FORM????ZDEM", "ZDoom (IFF)"),
    (b"ZDEM", "ZDoom 1.11 or 1.12"),
    (b"ZDD\0", "ZDaemon"),
    (b"DM64\0", "Doom64 EX"),
    (b"\xffETERN", "Eternity"),
    (b"\xffOSRS2", "DOOM + DOOM II"),
    (b"E32SAVEGAME", "EDuke32"),
];

impl HeaderForm {
    /// Whether the header is one of Duke's, whose records are packed.
    pub(crate) fn is_packed(&self) -> bool {
        matches!(self.players, Players::Count { .. })
    }

    /// Whether the word names this layout or its game.
    pub(crate) fn is_named(&self, word: &str) -> bool {
        self.words.iter().chain([&self.game]).any(|it| it.eq_ignore_ascii_case(word.trim()))
    }

    /// The highest map of the games with this layout; WAD files for DOOM II may have higher ones.
    pub(crate) fn last_map(&self) -> u8 {
        if self.levels == DOOM_LEVELS { 32 } else { self.levels.1 }
    }

    /// The offset of the version byte, if the layout has one.
    pub(crate) fn version_at(&'static self) -> Option<usize> {
        let numbered = VERSIONS.iter().any(|version| version.form == self);
        numbered.then_some(if self.is_packed() { 4 } else { 0 })
    }

    /// The row of a version of this layout.
    pub(crate) fn version(&'static self, byte: u8) -> Option<&'static Version> {
        VERSIONS.iter().find(|version| version.byte == byte && version.form == self)
    }

    /// The number of counted flags.
    pub(crate) fn counted(&self, header: &[u8]) -> usize {
        let counted = self.fields.iter().find(|field| field.kind == FieldKind::Counted);
        counted.and_then(|field| header.get(field.offset)).map_or(0, |count| usize::from(*count))
    }

    /// The number of players.
    pub(crate) fn player_count(&self, header: &[u8]) -> usize {
        match self.players {
            Players::Slots { .. } => self.slots(header).filter(|(_, byte)| *byte != 0).count(),
            Players::Count { at } => match header.get(at..at + 2) {
                Some([low, high]) => usize::from(u16::from_le_bytes([*low, *high])),
                _ => 0,
            },
            Players::Unknown => 0,
        }
    }

    /// The slots: the offset and the value of each player's byte.
    pub(crate) fn slots<'h>(&self, header: &'h [u8]) -> impl Iterator<Item = (usize, u8)> + 'h {
        let (at, count, stride) = match self.players {
            Players::Slots { at, count, stride } => (at + self.counted(header), count, stride),
            _ => (0, 0, 1),
        };
        (0..count).filter_map(move |slot| {
            let at = at + slot * stride;
            Some((at, *header.get(at)?))
        })
    }

    /// The whole length, with counted flags and the data for each player.
    pub(crate) fn whole_length(&self, header: &[u8]) -> usize {
        let players = if self.each > 0 { self.player_count(header).min(16) } else { 0 };
        self.length + self.counted(header) + self.each * players
    }
}
