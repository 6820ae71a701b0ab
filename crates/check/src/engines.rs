//! The limits of engines: a table for each game, with a row for each finding that engines treat differently.
//!
//! Each row's comment says where its limits are from: the engine's source, or a changed recording that was played on
//! the engine itself (QuakeSpasm 0.95.1, DarkPlaces, Yamagi Quake II 8.20, Q2PRO, ezQuake 3.6.1).

use crate::findings::CheckCode;
use moviola_format::names::{quake, quake2, quakeworld, value};
use moviola_format::{Game, HeaderReader, dem, dm2, qw};
use serde::Serialize;

/// An engine that plays recordings.
///
/// ```
/// use moviola_check::ENGINES;
/// assert!(ENGINES.iter().any(|engine| engine.name == "quakespasm"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its name here.
    pub name: &'static str,
    /// Its full name.
    pub about: &'static str,
    /// Its game.
    pub game: Game,
}

impl Engine {
    /// The engine of this name.
    ///
    /// ```
    /// use moviola_check::Engine;
    /// assert_eq!(Engine::find("yamagi").unwrap().about, "Yamagi Quake II");
    /// assert!(Engine::find("doom").is_none());
    /// ```
    pub fn find(name: &str) -> Option<&'static Self> {
        ENGINES.iter().find(|engine| engine.name == name)
    }

    /// The engine's reaction to a finding with this code and number; `None` if the engine plays it without trouble.
    ///
    /// ```
    /// use moviola_check::{CheckCode, EngineReaction, Engine};
    /// let yamagi = Engine::find("yamagi").unwrap();
    /// assert_eq!(yamagi.effect(CheckCode::BlockSize, 1392), None);
    /// assert_eq!(yamagi.effect(CheckCode::BlockSize, 1393), Some(EngineReaction::Breaks));
    /// ```
    pub fn effect(&self, code: CheckCode, value: i64) -> Option<EngineReaction> {
        self.cell(code).filter(|cell| cell.test.objects_to(value)).map(|cell| cell.effect)
    }

    /// The largest number of this kind that the engine accepts, if it has a limit.
    ///
    /// ```
    /// use moviola_check::{CheckCode, Engine};
    /// assert_eq!(Engine::find("id-1.09").unwrap().most(CheckCode::EntityNumber), Some(599));
    /// assert_eq!(Engine::find("darkplaces").unwrap().most(CheckCode::StaticEntities), None);
    /// ```
    pub fn most(&self, code: CheckCode) -> Option<i64> {
        match self.cell(code)?.test {
            NumberTest::Above(most) => Some(most),
            _ => None,
        }
    }

    fn cell(&self, code: CheckCode) -> Option<&'static Cell> {
        let column = of(self.game).position(|engine| engine == self)?;
        rules(self.game).iter().find(|rule| rule.code == code)?.cells.get(column)
    }
}

/// The engines, those of Quake first; the columns of the tables below.
///
/// ```
/// use moviola_check::ENGINES;
/// use moviola_format::Game;
/// assert_eq!(ENGINES.iter().filter(|engine| engine.game == Game::Quake2).count(), 3);
/// ```
pub const ENGINES: [Engine; 9] = [
    Engine { name: "id-1.06", about: "Quake up to 1.06", game: Game::Quake },
    Engine {
        name: "id-1.09",
        about: "Quake 1.09, WinQuake, GLQuake; 1.07 and 1.08 except for the CD track line, which they read as 1.06 does",
        game: Game::Quake,
    },
    Engine { name: "quakespasm", about: "QuakeSpasm", game: Game::Quake },
    Engine { name: "darkplaces", about: "DarkPlaces", game: Game::Quake },
    Engine { name: "id-q2-3.20", about: "Quake II 3.20", game: Game::Quake2 },
    Engine { name: "yamagi", about: "Yamagi Quake II", game: Game::Quake2 },
    Engine { name: "q2pro", about: "Q2PRO", game: Game::Quake2 },
    Engine { name: "ezquake", about: "ezQuake up to 3.6", game: Game::QuakeWorld },
    Engine { name: "fte", about: "FTE", game: Game::QuakeWorld },
];

/// How an engine reacts to a finding.
///
/// ```
/// use moviola_check::EngineReaction;
/// assert_eq!(EngineReaction::Ends.words(), "stops there silently");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EngineReaction {
    /// It plays on, but shows something different from the recorded game, or less of it.
    Defect,
    /// Unknown: the bytes there were not read here, so the engine may or may not play them.
    Unread,
    /// It takes this for the end of the recording, and stops without a message.
    Ends,
    /// It stops there with an error, or crashes.
    Breaks,
}

impl EngineReaction {
    /// The effect in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Defect => "plays on with a defect",
            Self::Unread => "not known",
            Self::Ends => "stops there silently",
            Self::Breaks => "stops there with an error",
        }
    }
}

/// The numbers to which an engine objects.
#[derive(Clone, Copy, Debug)]
pub(crate) enum NumberTest {
    Never,
    Always,
    Above(i64),
    Not(&'static [(i64, i64)]),
    In(&'static [(i64, i64)]),
}

impl NumberTest {
    pub(crate) fn objects_to(self, value: i64) -> bool {
        let within =
            |ranges: &[(i64, i64)]| ranges.iter().any(|(first, last)| (*first..=*last).contains(&value));
        match self {
            Self::Never => false,
            Self::Always => true,
            Self::Above(limit) => value > limit,
            Self::Not(ranges) => !within(ranges),
            Self::In(ranges) => within(ranges),
        }
    }
}

impl NumberTest {
    /// The numbers to which the engine objects, in words; `None` if it objects to all.
    pub(crate) fn words(self) -> Option<String> {
        match self {
            Self::Never | Self::Always => None,
            Self::Above(limit) => Some(format!("above {limit}")),
            Self::Not(fine) => Some(format!("other than {}", ranges(fine))),
            Self::In(rejected) => Some(ranges(rejected)),
        }
    }
}

/// Ranges in words.
pub(crate) fn ranges(ranges: &[(i64, i64)]) -> String {
    let one = |(first, last): &(i64, i64)| {
        if first == last { first.to_string() } else { format!("{first} to {last}") }
    };
    ranges.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// A cell of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) test: NumberTest,
    pub(crate) effect: EngineReaction,
}

/// A row of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) code: CheckCode,
    pub(crate) cells: &'static [Cell],
}

const FINE: Cell = Cell { test: NumberTest::Never, effect: EngineReaction::Defect };
const BREAKS: Cell = Cell { test: NumberTest::Always, effect: EngineReaction::Breaks };
const ENDS: Cell = Cell { test: NumberTest::Always, effect: EngineReaction::Ends };
const DEFECT: Cell = Cell { test: NumberTest::Always, effect: EngineReaction::Defect };
const UNREAD: Cell = Cell { test: NumberTest::Always, effect: EngineReaction::Unread };

/// A skip over more bytes than the file has.
const PAST_END: Cell = Cell { test: NumberTest::Above(0), effect: EngineReaction::Ends };

const fn only_above(limit: i64) -> Cell {
    Cell { test: NumberTest::Above(limit), effect: EngineReaction::Breaks }
}
const fn only_ranges(ranges: &'static [(i64, i64)]) -> Cell {
    Cell { test: NumberTest::Not(ranges), effect: EngineReaction::Breaks }
}
const fn never_in(ranges: &'static [(i64, i64)]) -> Cell {
    Cell { test: NumberTest::In(ranges), effect: EngineReaction::Breaks }
}

/// The number of a header's reader in [`CheckCode::HeaderUnreadable`].
pub(crate) fn header_number(reader: HeaderReader) -> i64 {
    HeaderReader::ALL.iter().position(|it| *it == reader).map_or(-1, |index| index as i64)
}
/// Signon stages in which a client does not play, or no longer.
const TOO_FAR: Cell = Cell { test: NumberTest::Above(4), effect: EngineReaction::Ends };
const BACK_OR_TOO_FAR: Cell =
    Cell { test: NumberTest::In(&[(1, 1), (5, 255)]), effect: EngineReaction::Ends };
const VIEW_ID: Cell = Cell { test: NumberTest::Not(&[(0, 599)]), effect: EngineReaction::Unread };
const CLOCK_ID: Cell = Cell { test: NumberTest::Above(2), effect: EngineReaction::Unread };
const SPARKS_ID: Cell = Cell { test: NumberTest::Above(6), effect: EngineReaction::Unread };
const MAY_PLAY: Cell = Cell { test: NumberTest::Always, effect: EngineReaction::Unread };
const NEGATIVE: Cell = never_in(&[(i16::MIN as i64, -1)]);

/// The number of message bytes that the game's own engines accept in a block, which is the limit of all
/// edits.
///
/// Quake: `MAX_MSGLEN`. Quake II reads up to `MAX_MSGLEN` (1400) too, and then sends the block to its own client as a
/// packet of 1400 bytes, of which the header takes 8: the excess is dropped without an error
/// (`Netchan_Transmit`: "dumped unreliable"). Played on Yamagi: header blocks of 1399 bytes are lost with their config
/// strings, and the program crashes.
///
/// ```
/// use moviola_check::largest_block;
/// use moviola_format::Game;
/// assert_eq!((largest_block(Game::Quake), largest_block(Game::Quake2)), (8000, 1392));
/// ```
pub const fn largest_block(game: Game) -> usize {
    match game {
        Game::Quake => 8000,
        Game::Quake2 => 1400 - 8,
        // The size of ezQuake's buffer for a block of an MVD.
        Game::QuakeWorld => 8192,
    }
}

/// The largest blocks of id's engines.
const ID_BLOCK: Cell = only_above(largest_block(Game::Quake) as i64);
const ID_Q2_BLOCK: Cell = only_above(largest_block(Game::Quake2) as i64);

/// The longest string that engines read whole.
const LONG: Cell = only_above(2046);

const FSCANF: Cell = never_in(&[(0, 0)]);
const STEP_BY_STEP: Cell = never_in(&[(1, 1)]);
const QUAKESPASM: Cell = never_in(&[(2, 2)]);

/// Ids of messages by the names of their rows, `First..=Last` for a range; after `;` the ids that are in no
/// table.
macro_rules! rows {
    ($table:ident: $($first:ident $(..=$last:ident)?),* $(; $($own:literal..=$end:literal),*)?) => {
        only_ranges(&[
            $( ($table::$first::OP as i64, [$($table::$last::SCHEMA.last,)? $table::$first::SCHEMA.last][0] as i64), )*
            $($( ($own, $end), )*)?
        ])
    };
}

/// Messages that each engine of Quake reads (`CL_ParseServerMessage` in `cl_parse.c`); `Cutscene` came with 1.07.
const IDS_106: Cell = rows!(dem: Nop..=SpawnStatic, SpawnBaseline..=SellScreen, UpdateEntity);
const IDS_109: Cell = rows!(dem: Nop..=SpawnStatic, SpawnBaseline..=Cutscene, UpdateEntity);
const IDS_QS: Cell = rows!(dem: Nop..=SpawnStatic, SpawnBaseline..=Cutscene, SkyBox, BonusFlash..=SpawnStaticSound2,
    Achievement, LocalSound, UpdateEntity);
/// The ids that `DarkPlaces` reads in the form of the rows. 35, 51, 52 and 56 are different messages there, or need
/// `-nehahra`.
const IDS_DP: Cell = rows!(dem: Nop..=SpawnStatic, SpawnBaseline..=Cutscene, HideLmp..=SkyBox, UpdateEntity);
/// All ids that `DarkPlaces` reads, whatever their form.
const OWN_DP: Cell = rows!(dem: Nop..=SpawnStatic, SpawnBaseline..=SkyBox, UpdateEntity; 50..=62);

/// Ranges of numbers, by the names of the first and the last.
macro_rules! named {
    ($game:ident::$table:ident: $($first:literal $(..=$last:literal)?),*) => {
        const { &[$( (value($game::$table, $first), value($game::$table, [$($last,)? $first][0])), )*] }
    };
}

/// Kinds of temporary entities by their names.
macro_rules! kinds {
    ($game:ident: $($ranges:tt)*) => { only_ranges(named!($game::TEMP_ENTITY: $($ranges)*)) };
}

/// Kinds of temporary entities (`CL_ParseTEnt` in `cl_tent.c`); the mission packs added the last two of
/// `TEMPS_NEW`.
const TEMPS_OLD: Cell = kinds!(quake: "TE_SPIKE"..="TE_TELEPORT");
const TEMPS_NEW: Cell = kinds!(quake: "TE_SPIKE"..="TE_BEAM");
const TEMPS_DP: Cell = kinds!(quake: "TE_SPIKE"..="TE_BEAM", "TE_EXPLOSION3"..="TE_LIGHTNING4",
    "TE_BLOOD"..="TE_SUPERSPIKEQUAD", "TE_EXPLOSIONQUAD", "TE_SMALLFLASH"..="TE_TEI_PLASMAHIT");

/// Protocols of DarkPlaces (protocol.c).
const DP: Cell = only_ranges(named!(quake::PROTOCOL: "NetQuake", "DarkPlaces 1"..="DarkPlaces 2", "Nehahra",
    "DarkPlaces 3"..="DarkPlaces 8", "BJP"..="BJP 3"));
const NETQUAKE: Cell = only_ranges(named!(quake::PROTOCOL: "NetQuake"));
const FITZ: Cell = only_ranges(named!(quake::PROTOCOL: "NetQuake", "FitzQuake", "RMQ"));
const NEHAHRA: Cell = only_ranges(named!(quake::PROTOCOL: "Nehahra"));

const fn row(code: CheckCode, cells: &'static [Cell]) -> Rule {
    Rule { code, cells }
}

/// Quake.
#[rustfmt::skip]
pub(crate) const QUAKE: &[Rule] = &[
    //                             id-1.06      id-1.09      quakespasm    darkplaces
    // id: cl_demo.c, MAX_MSGLEN, Sys_Error; quakedef.h of QuakeSpasm; qdefs.h of DarkPlaces. 8192 and 70000 bytes
    // were played on QuakeSpasm.
    row(CheckCode::BlockSize,         &[ID_BLOCK,    ID_BLOCK,    only_above(64000), only_above(65536)]),
    row(CheckCode::HugeBlock,         &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // id: the end, since `fread` of zero bytes returns no item. Played on QuakeSpasm (ends) and DarkPlaces (goes on).
    row(CheckCode::EmptyBlock,        &[ENDS,        ENDS,        ENDS,         FINE]),
    // Engines take a negative length for the end, too. DarkPlaces' cl_demo.c skips a client's block, if need be past
    // the file's end.
    row(CheckCode::NegativeBlock,     &[ENDS,        ENDS,        ENDS,         PAST_END]),
    // Host_EndGame: all of them stop at a disconnect.
    row(CheckCode::EarlyEnd,          &[ENDS,        ENDS,        ENDS,         ENDS]),
    // The end of the file inside a block ends playback quietly; the block is not shown. Played on QuakeSpasm.
    row(CheckCode::TruncatedBlock,    &[DEFECT,      DEFECT,      DEFECT,       DEFECT]),
    // cl_demo.c, CL_PlayDemo_f of each.
    row(CheckCode::HeaderUnreadable,  &[FSCANF,      STEP_BY_STEP, QUAKESPASM,  STEP_BY_STEP]),
    // Without a serverinfo no world is loaded.
    row(CheckCode::NoLevel,           &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // SIGNONS; played on QuakeSpasm and DarkPlaces, which count no frame at all.
    row(CheckCode::NoSignon,          &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // CL_ParseServerInfo. 16 was played on QuakeSpasm.
    row(CheckCode::ProtocolSpoken,    &[NETQUAKE,    NETQUAKE,    FITZ,         DP]),
    row(CheckCode::RawProtocol,       &[UNREAD,      UNREAD,      UNREAD,       UNREAD]),
    // By its layout: the folder's name is read as the level's, and the lists that follow it do not exist.
    row(CheckCode::Rerelease,         &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // "Illegible server message"; played on QuakeSpasm.
    row(CheckCode::MessageKnown,      &[IDS_106,     IDS_109,     IDS_QS,       IDS_DP]),
    row(CheckCode::UnknownMessage,    &[IDS_106,     IDS_109,     IDS_QS,       OWN_DP]),
    // "CL_ParseTEnt: bad type"; played on QuakeSpasm.
    row(CheckCode::TempEntityKnown,   &[TEMPS_OLD,      TEMPS_NEW,      TEMPS_NEW,       TEMPS_DP]),
    row(CheckCode::UnknownTempEntity, &[TEMPS_OLD,      TEMPS_NEW,      TEMPS_NEW,       TEMPS_DP]),
    // "Bad server message"; played on QuakeSpasm.
    row(CheckCode::ShortMessage,      &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // MSG_ReadFloat does not check the block's end; played on QuakeSpasm. DarkPlaces' MSG_ReadLittleFloat
    // does.
    row(CheckCode::ShortTime,         &[DEFECT,      DEFECT,      DEFECT,       BREAKS]),
    // "Server returned version"; 15 and 666 with extensions were played on QuakeSpasm.
    row(CheckCode::Extended,          &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    row(CheckCode::ImpossibleValue,   &[UNREAD,      UNREAD,      UNREAD,       UNREAD]),
    row(CheckCode::Undecided,         &[UNREAD,      UNREAD,      UNREAD,       UNREAD]),
    // EntityFrameQuake_ReadEntity; the others read nothing there, or Nehahra's floats. Played on DarkPlaces.
    row(CheckCode::DarkPlacesUpdate,  &[BREAKS,      BREAKS,      BREAKS,       FINE]),
    // The first three do not know the id; DarkPlaces runs the game's code, if it is installed.
    row(CheckCode::GameCode,          &[BREAKS,      BREAKS,      BREAKS,       UNREAD]),
    // quakedef.h: MAX_EDICTS; QuakeSpasm's max_edicts, unless it is set. 8191 and 8192 were played on QuakeSpasm.
    row(CheckCode::EntityNumber,      &[only_above(599),  only_above(599),  only_above(8191),  only_above(32_767)]),
    // quakedef.h: MAX_MODELS, MAX_SOUNDS; number 0 is none.
    row(CheckCode::Models,            &[only_above(255),  only_above(255),  only_above(4095),  only_above(8191)]),
    row(CheckCode::Sounds,            &[only_above(255),  only_above(255),  only_above(2047),  only_above(4095)]),
    // client.h: MAX_STATIC_ENTITIES.
    row(CheckCode::StaticEntities,    &[only_above(128),  only_above(128),  FINE,         FINE]),
    // CL_ParseServerInfo: 1 to MAX_SCOREBOARD.
    row(CheckCode::MaxClients,        &[only_ranges(&[(1, 16)]), only_ranges(&[(1, 16)]), only_ranges(&[(1, 16)]), only_ranges(&[(1, 255)])]),
    // CL_ParseServerMessage: Host_Error "> MAX_SCOREBOARD".
    row(CheckCode::PlayerSlot,        &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // Sys_Error "svc_lightstyle > MAX_LIGHTSTYLES".
    row(CheckCode::LightStyles,       &[only_above(63),   only_above(63),   only_above(63),    FINE]),
    // CL_ParseUpdate: Sys_Error "i >= cl.maxclients".
    row(CheckCode::Colormap,          &[BREAKS,      BREAKS,      BREAKS,       FINE]),
    // Sys_Error "svc_updatestat: %i is invalid", MAX_CL_STATS.
    row(CheckCode::StatIndex,         &[only_above(31),   only_above(31),   only_above(31),    FINE]),
    // CL_ParseStartSoundPacket: one more than MAX_EDICTS passes. 8192 and 8193 were played on QuakeSpasm.
    row(CheckCode::SoundEntity,       &[only_above(600),  only_above(600),  only_above(8192),  FINE]),
    // MSG_ReadString reads signed characters. Played on QuakeSpasm, where it is a letter.
    row(CheckCode::HighByteInString,  &[BREAKS,      BREAKS,      FINE,         FINE]),
    // MSG_ReadString stops after 2047 bytes and leaves the rest, even if that is only the NUL; DarkPlaces
    // drops the rest. 2046 and 2047 were played on QuakeSpasm, 2047 on DarkPlaces.
    row(CheckCode::LongString,        &[LONG,        LONG,        LONG,         FINE]),
    // msg_badread: "Bad server message".
    row(CheckCode::UnterminatedString, &[BREAKS,     BREAKS,      BREAKS,       BREAKS]),
    // Host_Error "Received signon %i when at %i"; played on QuakeSpasm. DarkPlaces lets stage 1 pass.
    row(CheckCode::SignonOrder,       &[BREAKS,      BREAKS,      BREAKS,       only_ranges(&[(1, 1)])]),
    // cls.signon is then other than SIGNONS. 5 was played on QuakeSpasm and DarkPlaces, 1 on DarkPlaces.
    row(CheckCode::SignonStage,       &[TOO_FAR,     TOO_FAR,     TOO_FAR,      BACK_OR_TOO_FAR]),
    // id: an array without a check. -1 was played: QuakeSpasm crashes, DarkPlaces prints "svc_setview >=
    // MAX_EDICTS". 8192 and 32767 were played on QuakeSpasm and did no harm.
    row(CheckCode::View,              &[VIEW_ID,     VIEW_ID,     NEGATIVE,     NEGATIVE]),
    // QuakeSpasm: CL_EntityNum, CL_ParseStartSoundPacket; DarkPlaces: CL_ExpandEntities. All were played on both.
    row(CheckCode::TooEarly,          &[FINE,        FINE,        never_in(&[(0, 0)]), BREAKS]),
    // R_ParticleExplosion2 divides by the number of colors. Played on QuakeSpasm, which crashes, and on
    // DarkPlaces.
    row(CheckCode::NoColors,          &[BREAKS,      BREAKS,      BREAKS,       FINE]),
    // Con_LogCenterPrint. 1023 and 1024 were played on QuakeSpasm, 1500 on DarkPlaces.
    row(CheckCode::CenterText,        &[FINE,        FINE,        only_above(1023),  FINE]),
    // CL_ParseServerInfo: model_precache[1]. QuakeSpasm and DarkPlaces crash.
    row(CheckCode::NoModels,          &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // Sbar_DrawInventory: sb_weapons[flashon % 5 + 2]. 2 to 9 were played on QuakeSpasm: 4 and 9 have no
    // picture. A clock that goes on from a larger number passes through them. DarkPlaces plays on.
    row(CheckCode::ClockBack,         &[CLOCK_ID,    CLOCK_ID,    only_above(3),     FINE]),
    // CL_RunParticles: ramp2[(int)p->ramp]. Played on QuakeSpasm up to half a second after an explosion: it
    // crashes from 8 tenths on, except at some values from 14 to 19; 6 tenths after it the sparks are gone.
    // DarkPlaces plays on.
    row(CheckCode::ClockSparks,       &[SPARKS_ID,   SPARKS_ID,   only_above(6),     FINE]),
    // QuakeSpasm played some of such recordings to their end, and crashed in others.
    row(CheckCode::ClockLeap,         &[MAY_PLAY,    MAY_PLAY,    MAY_PLAY,     DEFECT]),
    // CL_ParseClientdata: up to 1.06 by the bit, from 1.07 on always.
    row(CheckCode::ItemsUnmarked,     &[BREAKS,      FINE,        FINE,         FINE]),
    row(CheckCode::ItemsAbsent,       &[FINE,        BREAKS,      BREAKS,       BREAKS]),
    // CL_ParseClientdata reads the byte in every game.
    row(CheckCode::WeaponAbsent,      &[BREAKS,      BREAKS,      BREAKS,       BREAKS]),
    // CL_ParseUpdate: QuakeSpasm reads Nehahra's floats. DarkPlaces: 15, and 250 with two and three floats were played.
    row(CheckCode::NehahraUpdate,     &[BREAKS,      BREAKS,      FINE,         NEHAHRA]),
    row(CheckCode::SpareUpdateBit,    &[FINE,        FINE,        BREAKS,       BREAKS]),
    // CL_ParseClientdata of both reads the extension byte in every protocol.
    row(CheckCode::SpareClientBit,    &[FINE,        FINE,        BREAKS,       BREAKS]),
    // CL_ParseStartSoundPacket of both reads wide numbers in every protocol.
    row(CheckCode::SpareSoundBits,    &[FINE,        FINE,        BREAKS,       BREAKS]),
];

/// Messages and kinds that Quake II's engines read; Q2PRO alone reads 31, and none reads 32. All were played.
const IDS_Q2: Cell = rows!(dm2: MuzzleFlash..=PacketEntities, FrameMessage);
const TEMPS_Q2: Cell = kinds!(quake2: "TE_GUNSHOT"..="TE_BLASTER2", "TE_LIGHTNING"..="TE_FLECHETTE");
const TEMPS_Q2PRO: Cell = kinds!(quake2: "TE_GUNSHOT"..="TE_RAILTRAIL2", "TE_LIGHTNING"..="TE_FLECHETTE");
/// Q2PRO plays 26 to 34 and its own extensions. 35 was played.
const Q2PRO: Cell = only_ranges(&[(dm2::OLDEST as i64, dm2::NEWEST as i64), Q2PRO_OWN]);
const Q2PRO_OWN: (i64, i64) =
    (value(quake2::PROTOCOL, "Q2PRO extended 1"), value(quake2::PROTOCOL, "Q2PRO extended 3"));
/// The others take any number, but these protocols have other messages. 35, 36 and 99 were played.
const ANY_Q2: Cell = never_in(named!(quake2::PROTOCOL: "Quake II test 3.00", "KMQuake2", "Q2rePRO",
    "re-release demo"..="re-release network", "Q2PRO extended 1"..="Q2PRO extended 3"));

/// Numbers of config strings.
const CONFIG: Cell = only_ranges(&[(0, quake2::MAX_CONFIGSTRINGS as i64 - 1)]);
/// Fields of view that engines draw. In a playback Q2PRO uses its own angle in place of the wide ones.
const VIEWS: Cell = only_ranges(&[(1, 179)]);
const NO_VIEW: Cell = never_in(&[(0, 0)]);
/// Sizes of pieces of files.
const SIZES: Cell = only_ranges(&[(-1, i16::MAX as i64)]);

/// Quake II.
#[rustfmt::skip]
pub(crate) const QUAKE2: &[Rule] = &[
    //                             id-q2-3.20   yamagi       q2pro
    // SV_SendClientMessages, Netchan_Transmit; 1399 and 1500 were played on Yamagi, 32768 on Q2PRO.
    row(CheckCode::BlockSize,         &[ID_Q2_BLOCK, ID_Q2_BLOCK, only_above(32_768)]),
    row(CheckCode::HugeBlock,         &[BREAKS,      BREAKS,      BREAKS]),
    // id: fread of nothing is the end. Played on the others.
    row(CheckCode::EmptyBlock,        &[ENDS,        FINE,        FINE]),
    // The first four bytes are the length of a huge block for other engines.
    row(CheckCode::Mvd2Recording,     &[BREAKS,      BREAKS,      FINE]),
    // id: only -1 is the end, and fread of a negative number reads nothing; Q2PRO: "Invalid file format".
    row(CheckCode::NegativeBlock,     &[ENDS,        ENDS,        BREAKS]),
    // ERR_DISCONNECT; played on Yamagi.
    row(CheckCode::EarlyEnd,          &[ENDS,        ENDS,        ENDS]),
    // Both were played: Q2PRO says "Unexpected end of file".
    row(CheckCode::TruncatedBlock,    &[DEFECT,      DEFECT,      BREAKS]),
    row(CheckCode::MissingMark,       &[FINE,        FINE,        BREAKS]),
    row(CheckCode::NoLevel,           &[BREAKS,      BREAKS,      BREAKS]),
    // A level's beginning alone was played on Yamagi: it loads the level and shows no frame.
    row(CheckCode::NoSignon,          &[ENDS,        ENDS,        ENDS]),
    row(CheckCode::ProtocolSpoken,    &[ANY_Q2,      ANY_Q2,      Q2PRO]),
    row(CheckCode::RawProtocol,       &[UNREAD,      UNREAD,      UNREAD]),
    // "Illegible server message"; played on both.
    row(CheckCode::MessageKnown,      &[IDS_Q2,      IDS_Q2,      IDS_Q2]),
    row(CheckCode::UnknownMessage,    &[IDS_Q2,      IDS_Q2,      IDS_Q2]),
    row(CheckCode::TempEntityKnown,   &[TEMPS_Q2,       TEMPS_Q2,       TEMPS_Q2PRO]),
    row(CheckCode::UnknownTempEntity, &[TEMPS_Q2,       TEMPS_Q2,       TEMPS_Q2PRO]),
    // "Bad server message", "read past end of message"; played on both.
    row(CheckCode::ShortMessage,      &[BREAKS,      BREAKS,      BREAKS]),
    row(CheckCode::FrameShape,        &[BREAKS,      BREAKS,      BREAKS]),
    row(CheckCode::ImpossibleValue,   &[UNREAD,      UNREAD,      UNREAD]),
    // CL_ParsePacketEntities: MAX_EDICTS. A baseline of 1024 was played on Yamagi: it stops.
    row(CheckCode::EntityNumber,      &[only_above(1023), only_above(1023), only_above(1023)]),
    // CL_ParseStartSoundPacket: one more than MAX_EDICTS passes, but not in Q2PRO.
    row(CheckCode::SoundEntity,       &[only_above(1024), only_above(1024), only_above(1023)]),
    // CL_ParseMuzzleFlash, CL_ParseMuzzleFlash2.
    row(CheckCode::FlashEntity,       &[only_ranges(&[(1, 1023)]), only_ranges(&[(1, 1023)]), only_ranges(&[(1, 1023)])]),
    // MSG_ReadDir: NUMVERTEXNORMALS; 162 was played on both.
    row(CheckCode::Direction,         &[only_above(161),  only_above(161),  only_above(161)]),
    // CL_ParseConfigString: MAX_CONFIGSTRINGS.
    row(CheckCode::ConfigIndex,       &[CONFIG,      CONFIG,      CONFIG]),
    // MSG_ReadString reads signed characters in id's engine only.
    row(CheckCode::HighByteInString,  &[BREAKS,      FINE,        FINE]),
    row(CheckCode::LongString,        &[LONG,        LONG,        FINE]),
    row(CheckCode::UnterminatedString, &[BREAKS,     BREAKS,      BREAKS]),
    // CL_ParseFrame: "not playerinfo", "not packetentities", "Out of place frame data".
    row(CheckCode::OutOfPlace,        &[BREAKS,      BREAKS,      BREAKS]),
    // A server's recording was played on both: neither accepts it.
    row(CheckCode::ServerFrame,       &[BREAKS,      BREAKS,      BREAKS]),
    row(CheckCode::RelayFrame,        &[BREAKS,      BREAKS,      BREAKS]),
    // Two levels were played on Yamagi, one right after the other and with the commands `changing` and
    // `reconnect` between them: it shows both if it has both maps, and prints "Couldn't load" at the second
    // if it has not.
    row(CheckCode::SecondLevel,       &[MAY_PLAY,    MAY_PLAY,    FINE]),
    row(CheckCode::Download,          &[FINE,        FINE,        BREAKS]),
    // CL_ParseTEnt and CL_ParseDownload of 3.20 know the new forms only.
    row(CheckCode::OldTempEntity,     &[BREAKS,      BREAKS,      BREAKS]),
    row(CheckCode::OldDownload,       &[BREAKS,      BREAKS,      BREAKS]),
    // CL_ParseFrame, "BIG HACK to let old demos continue to work". Played on both.
    row(CheckCode::OddFrame,          &[BREAKS,      BREAKS,      BREAKS]),
    // CL_Precache_f: the client's header ends with it. Played on Yamagi: "CM_InlineModel: bad number".
    row(CheckCode::NoPrecache,        &[BREAKS,      BREAKS,      BREAKS]),
    // CL_ParseFrame; cut recordings were played on both.
    row(CheckCode::DeltaMissing,      &[DEFECT,      DEFECT,      DEFECT]),
    // CalcFov; 0, 1, 179, 180, 255 and a first frame without one were played on Yamagi. Q2PRO: V_CalcFov.
    row(CheckCode::FieldOfView,       &[VIEWS,       VIEWS,       NO_VIEW]),
    // CL_ParseConfigString: id copies without a check. 63 and 64 bytes in the last slot were played on
    // Yamagi; Q2PRO cuts.
    row(CheckCode::ConfigRoom,        &[UNREAD,      BREAKS,      DEFECT]),
    // CL_PrepRefresh; played on Yamagi, which reads on and shows no frame. Q2PRO: "no map set".
    row(CheckCode::NoMap,             &[ENDS,        ENDS,        BREAKS]),
    // Stuffed in the middle of a level, and played on Yamagi: it stops at `disconnect` and `reconnect`, and draws nothing
    // any more after `changing`.
    row(CheckCode::SentAway,          &[ENDS,        ENDS,        MAY_PLAY]),
    // CL_ParseServerData: CL_ClearState.
    row(CheckCode::EarlyConfig,       &[DEFECT,      DEFECT,      DEFECT]),
    // CL_ParseDownload; -1, 0 and -2 were played on Yamagi.
    row(CheckCode::DownloadSize,      &[SIZES,       SIZES,       SIZES]),
    // CL_ParseServerMessage; played on Yamagi. Q2PRO's CL_ParseReconnect ends a playback.
    row(CheckCode::Reconnect,         &[DEFECT,      DEFECT,      ENDS]),
];

/// Messages that ezQuake reads (`CL_ParseServerMessage`); FTE reads all that the table has, and more.
const IDS_EZ: Cell = rows!(qw: Nop..=UpdateStat, Sound, Print..=LightStyle, UpdateFrags, StopSound, Damage..=TempEntity,
    SetPause, CenterPrint..=NumberedNails, ModelListShort, SpawnBaseline2, QizmoVoice..=VoiceChat, Connless);
const IDS_FTE: Cell = rows!(qw: Nop..=UpdateStat, Sound..=LightStyle, UpdateFrags, StopSound..=NumberedNails,
    ModelListShort, SpawnBaseline2, QizmoVoice..=VoiceChat, Connless; 55..=94);
const TEMPS_EZ: Cell = kinds!(quakeworld: "TE_SPIKE"..="TE_LIGHTNINGBLOOD");
const TEMPS_FTE: Cell = Cell { effect: EngineReaction::Unread, ..TEMPS_EZ };
const WORLDS: Cell = only_ranges(named!(quakeworld::PROTOCOL: "QuakeWorld 1.64"..="QuakeWorld 2.30"));

/// QuakeWorld.
#[rustfmt::skip]
pub(crate) const QUAKEWORLD: &[Rule] = &[
    //                             ezquake         fte
    // ezQuake: cl_demo.c, MSG_BUF_SIZE; blocks above 8192 bytes were played: it ends with a word to developers alone.
    // FTE's limits were not tried.
    row(CheckCode::BlockSize,         &[EZ_BLOCK,       FTE_BLOCK]),
    // A disconnect; two MVDs one after the other were played.
    row(CheckCode::EarlyEnd,          &[ENDS,           ENDS]),
    // "Unexpected end of demo"; played.
    row(CheckCode::TruncatedBlock,    &[BREAKS,         MAY_PLAY]),
    // "Corrupted demo"; type 7 of an MVD and 3 of a QWD were played.
    row(CheckCode::UnknownBlock,      &[BREAKS,         UNREAD]),
    // "Unexpected end of demo"; -5 was played.
    row(CheckCode::NegativeBlock,     &[BREAKS,         UNREAD]),
    // Longer than the buffer, as above.
    row(CheckCode::HugeBlock,         &[BREAKS,         UNREAD]),
    row(CheckCode::NoLevel,           &[BREAKS,         BREAKS]),
    // CL_ParseServerData; 24 to 27 were played.
    row(CheckCode::ProtocolSpoken,    &[WORLDS,         WORLDS]),
    row(CheckCode::RawProtocol,       &[UNREAD,         UNREAD]),
    // "Illegible server message"; played.
    row(CheckCode::MessageKnown,      &[IDS_EZ,         IDS_FTE]),
    row(CheckCode::UnknownMessage,    &[IDS_EZ,         IDS_FTE]),
    // CL_ParseTEnt: Host_Error "unknown type".
    row(CheckCode::TempEntityKnown,   &[TEMPS_EZ,       TEMPS_FTE]),
    row(CheckCode::UnknownTempEntity, &[TEMPS_EZ,       TEMPS_FTE]),
    // "Bad server message"; played.
    row(CheckCode::ShortMessage,      &[BREAKS,         BREAKS]),
    row(CheckCode::ImpossibleValue,   &[UNREAD,         UNREAD]),
    row(CheckCode::Undecided,         &[UNREAD,         UNREAD]),
    // "svc_updatefrags > MAX_SCOREBOARD" and its like; 32 was played.
    row(CheckCode::PlayerSlot,        &[only_above(31),      FTE_ROOM]),
    // "svc_lightstyle > MAX_LIGHTSTYLES".
    row(CheckCode::LightStyles,       &[only_above(63),      FTE_STYLES]),
    // CL_SetStat.
    row(CheckCode::StatIndex,         &[only_above(31),      FTE_ROOM]),
    // CL_ParsePacketEntities: MAX_PACKET_ENTITIES and MAX_MVD_PACKET_ENTITIES.
    row(CheckCode::PacketRoom,        &[BREAKS,         UNREAD]),
    // CL_ParseDelta of 3.6.1 does not read the bytes of it; played.
    row(CheckCode::ColorMod,          &[BREAKS,         FINE]),
    // Netchan_Process; played: all packets up to the number are dropped.
    row(CheckCode::PacketOrder,       &[DEFECT,         DEFECT]),
    // FlushEntityPacket; played. FTE takes the number that the packet names.
    row(CheckCode::DeltaMissing,      &[DEFECT,         MAY_PLAY]),
    // CL_ReadDemoPacket keeps the kind and audience of the block before; FTE inherits as MVDSV writes.
    row(CheckCode::HiddenAudience,    &[DEFECT,         FINE]),
];
const EZ_BLOCK: Cell = only_above(largest_block(Game::QuakeWorld) as i64);
const FTE_BLOCK: Cell = Cell { effect: EngineReaction::Unread, ..EZ_BLOCK };
const FTE_ROOM: Cell = Cell { test: NumberTest::Above(31), effect: EngineReaction::Unread };
const FTE_STYLES: Cell = Cell { test: NumberTest::Above(63), effect: EngineReaction::Unread };

/// The table of a game.
pub(crate) fn rules(game: Game) -> &'static [Rule] {
    match game {
        Game::Quake => QUAKE,
        Game::Quake2 => QUAKE2,
        Game::QuakeWorld => QUAKEWORLD,
    }
}

/// The engines of a game, in the order of its table's columns.
pub(crate) fn of(game: Game) -> impl Iterator<Item = &'static Engine> {
    ENGINES.iter().filter(move |engine| engine.game == game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_cell_for_every_engine() {
        for game in [Game::Quake, Game::Quake2, Game::QuakeWorld] {
            let engines = of(game).count();
            for rule in rules(game) {
                assert_eq!(rule.cells.len(), engines, "{}", rule.code.number());
                assert_eq!(
                    rules(game).iter().filter(|it| it.code == rule.code).count(),
                    1,
                    "{}",
                    rule.code.number()
                );
            }
        }
    }

    #[test]
    fn ids_and_kinds_are_those_of_the_documents() {
        let fine = |cell: Cell| (0..256).filter(|it| !cell.test.objects_to(*it)).collect::<Vec<i64>>();
        let list = |ranges: &[(i64, i64)]| ranges.iter().flat_map(|it| it.0..=it.1).collect::<Vec<_>>();
        for (cell, ranges) in [
            (IDS_106, &[(1, 20), (22, 33), (128, 255)][..]),
            (IDS_109, &[(1, 20), (22, 34), (128, 255)]),
            (IDS_QS, &[(1, 20), (22, 34), (37, 37), (40, 44), (52, 52), (56, 56), (128, 255)]),
            (IDS_DP, &[(1, 20), (22, 34), (36, 37), (128, 255)]),
            (OWN_DP, &[(1, 20), (22, 37), (50, 62), (128, 255)]),
            (TEMPS_OLD, &[(0, 11)]),
            (TEMPS_NEW, &[(0, 13)]),
            (TEMPS_DP, &[(0, 13), (16, 17), (50, 59), (70, 70), (72, 79)]),
            (IDS_Q2, &[(1, 18), (20, 20)]),
            (TEMPS_Q2, &[(0, 30), (33, 55)]),
            (TEMPS_Q2PRO, &[(0, 31), (33, 55)]),
            (
                IDS_EZ,
                &[
                    (1, 3),
                    (6, 6),
                    (8, 12),
                    (14, 14),
                    (16, 16),
                    (19, 24),
                    (26, 54),
                    (60, 60),
                    (66, 66),
                    (83, 84),
                    (255, 255),
                ],
            ),
            (TEMPS_EZ, &[(0, 13)]),
        ] {
            assert_eq!(fine(cell), list(ranges));
        }
    }

    #[test]
    fn protocols_are_those_of_the_documents() {
        let fine = |cell: Cell| (0..11_000).filter(|it| !cell.test.objects_to(*it)).collect::<Vec<i64>>();
        let list = |ranges: &[(i64, i64)]| ranges.iter().flat_map(|it| it.0..=it.1).collect::<Vec<_>>();
        for (cell, ranges) in [
            (NETQUAKE, &[(15, 15)][..]),
            (FITZ, &[(15, 15), (666, 666), (999, 999)]),
            (DP, &[(15, 15), (96, 97), (250, 250), (3500, 3505), (10_000, 10_002)]),
            (NEHAHRA, &[(250, 250)]),
            (Q2PRO, &[(26, 34), (3434, 3436)]),
            (ANY_Q2, &[(0, 24), (26, 55), (57, 1037), (1039, 2021), (2024, 3433), (3437, 10_999)]),
        ] {
            assert_eq!(fine(cell), list(ranges));
        }
    }

    #[test]
    fn every_limit_is_somebodys() {
        for code in CheckCode::ALL.iter().filter(|code| code.is_limit()) {
            assert!(
                QUAKE.iter().chain(QUAKE2).chain(QUAKEWORLD).any(|rule| rule.code == *code),
                "{}",
                code.number()
            );
        }
    }
}
