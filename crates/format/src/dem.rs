//! Quake's messages. Names are those of the DEM 1.0.9 document, in LMPC's spelling.
//!
//! Sources: the document, its errata, and for the protocols after 15 the engines that implement them.

use crate::context::{
    Answer, Context,
    family::{FITZ, NEHAHRA, RERELEASE},
};
use crate::game::Game;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake};
use crate::table::Message as _;

messages! {
    /// Illegible: a server that sends it has an error.
    Bad = 0 "bad" [svc_bad, Never, lmpc, since Quake] {}

    /// Does nothing; keeps a connection alive.
    Nop = 1 "nop" [svc_nop, Never, lmpc, since Quake] {}

    /// The end of the recording.
    Disconnect = 2 "disconnect" [svc_disconnect, Connection, lmpc, since Quake] {}

    /// Sets one of the player's stats.
    UpdateStat = 3 "updatestat" [svc_updatestat, State, lmpc, since Quake] {
        /// The stat's number.
        index: u8 as Meaning::Value(quake::STAT),
        /// The new value.
        value: i32,
    }

    /// The protocol, repeated.
    Version = 4 "version" [svc_version, Connection needed, lmpc, since Quake] {
        /// The protocol's number.
        serverversion: i32 as Meaning::Value(quake::PROTOCOL),
    }

    /// Sets the entity from whose eyes the player sees.
    SetView = 5 "setview" [svc_setview, State needed, lmpc, since Quake] {
        /// The entity.
        entity: i16 as Meaning::Entity,
    }

    /// Starts a sound.
    Sound = 6 "sound" [svc_sound, Moment heard, lmpc, since Quake] flags Bits8 {
        /// How loud, 1 when absent.
        0x01 => vol [SND_VOLUME]: Volume,
        /// The attenuation: how fast the sound fades with distance; 1 when absent.
        0x02 => attenuation [SND_ATTENUATION]: Attenuation as Meaning::Value(quake::ATTENUATION_RAW),
        /// The entity that makes the sound, and its channel.
        source [SND_LARGEENTITY]: SoundChannel,
        /// The sound's number.
        soundnum [SND_LARGESOUND]: SoundNumber as Meaning::Sound,
        /// The position that the sound comes from.
        origin: [Coord; 3],
    }

    /// The server's clock; a frame of the game begins with it.
    Time = 7 "time" [svc_time, Frame needed, lmpc, since Quake] {
        /// Seconds since the level began.
        time: Seconds,
    }

    /// Text for the console; a first byte of 1 makes a talk sound.
    Print<'a> = 8 "print" [svc_print, Moment, lmpc, since Quake] {
        /// The text.
        string: Str<'a>,
    }

    /// Text for the client's command buffer.
    StuffText<'a> = 9 "stufftext" [svc_stufftext, Command, lmpc, since Quake] {
        /// The commands.
        string: Str<'a>,
    }

    /// Turns the player's view.
    SetAngle = 10 "setangle" [svc_setangle, State, lmpc, since Quake] {
        /// Pitch, yaw and roll.
        angles: [Angle; 3],
    }

    /// A level begins.
    ServerInfo<'a> = 11 "serverinfo" [svc_serverinfo, Connection needed, lmpc, since Quake] {
        /// The protocol.
        protocol: ServerProtocol,
        /// The greatest number of players.
        maxclients: u8,
        /// The kind of game.
        multi: u8 as Meaning::Value(quake::GAME_TYPE),
        /// The level's title.
        mapname: Str<'a>,
        /// The models and sounds.
        precache: Precache<'a>,
    }

    /// Sets the flicker of a group of lights.
    LightStyle<'a> = 12 "lightstyle" [svc_lightstyle, State, lmpc, since Quake] {
        /// The group.
        style: u8 as Meaning::Range(quake::LIGHT_STYLE),
        /// Brightness over time in tenths of a second: a is dark, m normal, z bright.
        string: Str<'a>,
    }

    /// A player's name.
    UpdateName<'a> = 13 "updatename" [svc_updatename, State, lmpc, since Quake] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// The name.
        netname: Str<'a>,
    }

    /// A player's score.
    UpdateFrags = 14 "updatefrags" [svc_updatefrags, State, lmpc, since Quake] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// The score.
        frags: i16,
    }

    /// The recording player's own state.
    ClientData = 15 "clientdata" [svc_clientdata, Frame, lmpc, since Quake] flags ClientBits {
        /// The eye's height above the origin; 22 when absent.
        0x0001 => view_ofs_z [SU_VIEWHEIGHT]: Whole,
        /// The pitch that the engine suggests, to look along a slope.
        0x0002 => punchangle_x [SU_IDEALPITCH]: Whole,
        /// The pitch by which a hit turned the view.
        0x0004 => angles_1 [SU_PUNCH1]: Whole,
        /// Speed along x, in 16 units a second.
        0x0020 => vel_x [SU_VELOCITY1]: Whole,
        /// The yaw by which a hit turned the view.
        0x0008 => angles_2 [SU_PUNCH2]: Whole,
        /// Speed along y, in 16 units a second.
        0x0040 => vel_y [SU_VELOCITY2]: Whole,
        /// The roll by which a hit turned the view.
        0x0010 => angles_3 [SU_PUNCH3]: Whole,
        /// Speed along z, in 16 units a second.
        0x0080 => vel_z [SU_VELOCITY3]: Whole,
        /// What the player carries.
        items [SU_ITEMS]: Items,
        /// The player stands on something.
        0x0400 => uk_bit_b10 [SU_ONGROUND]: Mark,
        /// The player is in water.
        0x0800 => uk_bit_b11 [SU_INWATER]: Mark,
        /// The frame of the weapon's animation.
        0x1000 => weaponframe [SU_WEAPONFRAME]: u8,
        /// Points of armor.
        0x2000 => armorvalue [SU_ARMOR]: u8,
        /// The weapon's model.
        0x4000 => weaponmodel [SU_WEAPON]: ModelNumber as Meaning::Model,
        /// Points of health.
        health: i16,
        /// Ammunition for the weapon in hand.
        currentammo: u8,
        /// Shells.
        ammo_shells: u8,
        /// Nails.
        ammo_nails: u8,
        /// Rockets.
        ammo_rockets: u8,
        /// Cells.
        ammo_cells: u8,
        /// The weapon in hand.
        weapon: ActiveWeapon,
        /// The high byte of the weapon's model.
        0x1_0000 => weaponmodel_high [SU_WEAPON2]: u8,
        /// The high byte of the armor.
        0x2_0000 => armorvalue_high [SU_ARMOR2]: u8,
        /// The high byte of the ammunition in hand.
        0x4_0000 => currentammo_high [SU_AMMO2]: u8,
        /// The high byte of the shells.
        0x8_0000 => ammo_shells_high [SU_SHELLS2]: u8,
        /// The high byte of the nails.
        0x10_0000 => ammo_nails_high [SU_NAILS2]: u8,
        /// The high byte of the rockets.
        0x20_0000 => ammo_rockets_high [SU_ROCKETS2]: u8,
        /// The high byte of the cells.
        0x40_0000 => ammo_cells_high [SU_CELLS2]: u8,
        /// The high byte of the weapon's frame.
        0x100_0000 => weaponframe_high [SU_WEAPONFRAME2]: u8,
        /// The weapon's opacity: 1 is invisible, 255 solid, 0 the default.
        0x200_0000 => weaponalpha [SU_WEAPONALPHA]: u8,
    }

    /// Stops a sound.
    StopSound = 16 "stopsound" [svc_stopsound, State heard, lmpc, since Quake] {
        /// The entity that makes the sound, and its channel.
        source: SoundChannel,
    }

    /// A player's colors.
    UpdateColors = 17 "updatecolors" [svc_updatecolors, State, lmpc, since Quake] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// Shirt and trousers.
        colors: Colors as Meaning::Value(quake::PLAYER_COLOR),
    }

    /// A puff of particles.
    Particle = 18 "particle" [svc_particle, Moment, lmpc, since Quake] {
        /// The position.
        origin: [Coord; 3],
        /// The velocity, in 1/16.
        vel: [Sixteenths; 3],
        /// The number of particles; 255 is an explosion's 1024.
        count: u8,
        /// The first color.
        color: u8 as Meaning::Palette,
    }

    /// The recording player was hurt.
    Damage = 19 "damage" [svc_damage, Moment, lmpc, since Quake] {
        /// The points that the armor lost.
        save: u8,
        /// The points that the health lost.
        take: u8,
        /// The position that the damage came from.
        origin: [Coord; 3],
    }

    /// A thing that never changes, a torch for example.
    SpawnStatic = 20 "spawnstatic" [svc_spawnstatic, Level, lmpc, since Quake] {
        /// The model.
        default_modelindex: ModelNumber as Meaning::Model,
        /// The frame.
        default_frame: u8,
        /// The player whose colors it has.
        default_colormap: u8,
        /// The skin.
        default_skin: u8,
        /// The position and direction.
        place: Placement,
    }

    /// Illegible; no engine reads it.
    SpawnBinary = 21 "spawnbinary" [svc_spawnbinary, Never, lmpc, since Quake] {}

    /// An entity's baseline: its first state, on which updates build.
    SpawnBaseline = 22 "spawnbaseline" [svc_spawnbaseline, Level needed, lmpc, since Quake] {
        /// The entity.
        entity: i16 as Meaning::Entity,
        /// The model.
        default_modelindex: ModelNumber as Meaning::Model,
        /// The frame.
        default_frame: u8,
        /// The player whose colors it has.
        default_colormap: u8,
        /// The skin.
        default_skin: u8,
        /// The position and direction.
        place: Placement,
    }

    /// A temporary effect, which is no entity: an explosion, a bolt of lightning.
    TempEntity<'a> = 23 "temp_entity" [svc_temp_entity, Moment, lmpc, since Quake] flags TempKind {
        /// The model of the bolt (Nehahra).
        (te::MODEL) => model: Str<'a>,
        /// The entity that shoots.
        (te::ENTITY) => entity: i16 as Meaning::Entity,
        /// The position.
        (te::ORIGIN) => origin: [Coord; 3],
        /// The end of a line, or a color.
        (te::END | te::RGB) => trace_endpos: EndPos,
        /// The first color.
        (te::COLORS) => color: u8 as Meaning::Palette,
        /// The number of colors.
        (te::COLORS) => range: u8,
    }

    /// Pauses the game, or ends the pause.
    SetPause = 24 "setpause" [svc_setpause, State, lmpc, since Quake] {
        /// 1 pauses, 0 ends the pause.
        pausestate: u8 as Meaning::Value(quake::PAUSE),
    }

    /// The stage of the connection.
    SignonNum = 25 "signonnum" [svc_signonnum, Connection needed, lmpc, since Quake] {
        /// The stage.
        signon: u8 as Meaning::Value(quake::SIGNON),
    }

    /// Text in the middle of the screen.
    CenterPrint<'a> = 26 "centerprint" [svc_centerprint, Moment, lmpc, since Quake] {
        /// The text.
        string: Str<'a>,
    }

    /// A monster died.
    KilledMonster = 27 "killedmonster" [svc_killedmonster, Moment, lmpc, since Quake] {}

    /// A secret was found.
    FoundSecret = 28 "foundsecret" [svc_foundsecret, Moment, lmpc, since Quake] {}

    /// A sound that never ends.
    SpawnStaticSound = 29 "spawnstaticsound" [svc_spawnstaticsound, Level heard, lmpc, since Quake] {
        /// The position.
        origin: [Coord; 3],
        /// The sound's number.
        soundnum: StaticSound as Meaning::Sound,
        /// The volume.
        vol: Volume,
        /// The attenuation: how fast the sound fades with distance.
        attenuation: Attenuation as Meaning::Value(quake::ATTENUATION_RAW),
    }

    /// The level is over: the scores are shown.
    Intermission = 30 "intermission" [svc_intermission, State, lmpc, since Quake] {}

    /// The episode is over: a text is shown.
    Finale<'a> = 31 "finale" [svc_finale, State, lmpc, since Quake] {
        /// The text.
        string: Str<'a>,
    }

    /// Music.
    CdTrack = 32 "cdtrack" [svc_cdtrack, State, lmpc, since Quake] {
        /// The track.
        fromtrack: u8,
        /// The track after it.
        totrack: u8,
    }

    /// The shareware's last screen.
    SellScreen = 33 "sellscreen" [svc_sellscreen, State, lmpc, since Quake] {}

    /// A text over a scene (mission packs).
    Cutscene<'a> = 34 "cutscene" [svc_cutscene, State, lmpc, since MissionPack] {
        /// The text.
        string: Str<'a>,
    }

    /// Shows a picture on the screen (Nehahra).
    ShowLmp<'a> = 35 "showlmp" [svc_showlmp, State, no_lmpc, since Nehahra] in NEHAHRA {
        /// The picture's name on the screen, by which it is hidden again.
        slot: Str<'a>,
        /// The picture's file.
        lmp: Str<'a>,
        /// The x coordinate on the screen.
        x: u8,
        /// The y coordinate on the screen.
        y: u8,
    }

    /// Hides a picture (Nehahra).
    HideLmp<'a> = 36 "hidelmp" [svc_hidelmp, State, no_lmpc, since Nehahra] in NEHAHRA {
        /// The picture's name on the screen.
        slot: Str<'a>,
    }

    /// The sky's pictures.
    SkyBox<'a> = 37 "skybox" [svc_skybox, State, no_lmpc, since Nehahra] in FITZ_OR_NEHAHRA {
        /// Their name.
        sky: Str<'a>,
    }

    /// A flash of the screen, as for a picked up item.
    BonusFlash = 40 "bf" [svc_bf, Moment, no_lmpc, since FitzQuake] in FITZ {}

    /// Fog.
    Fog = 41 "fog" [svc_fog, State, no_lmpc, since FitzQuake] in FITZ {
        /// The density.
        density: Volume,
        /// Red.
        red: Volume,
        /// Green.
        green: Volume,
        /// Blue.
        blue: Volume,
        /// The duration of the change, in hundredths of a second.
        time: i16,
    }

    /// A baseline with large numbers.
    SpawnBaseline2 = 42 "spawnbaseline2" [svc_spawnbaseline2, Level needed, no_lmpc, since FitzQuake] in FITZ (entity: i16 as Meaning::Entity) flags Bits8 {
        /// The model.
        default_modelindex [B_LARGEMODEL]: ByteOrShort<0x01> as Meaning::Model,
        /// The frame.
        default_frame [B_LARGEFRAME]: ByteOrShort<0x02>,
        /// The player whose colors it has.
        default_colormap: u8,
        /// The skin.
        default_skin: u8,
        /// The position and direction.
        place: Placement,
        /// The opacity.
        0x04 => default_alpha [B_ALPHA]: u8,
        /// The scale, in sixteenths.
        0x08 => default_scale [B_SCALE]: u8,
    }

    /// A static thing with large numbers.
    SpawnStatic2 = 43 "spawnstatic2" [svc_spawnstatic2, Level, no_lmpc, since FitzQuake] in FITZ flags Bits8 {
        /// The model.
        default_modelindex [B_LARGEMODEL]: ByteOrShort<0x01> as Meaning::Model,
        /// The frame.
        default_frame [B_LARGEFRAME]: ByteOrShort<0x02>,
        /// The player whose colors it has.
        default_colormap: u8,
        /// The skin.
        default_skin: u8,
        /// The position and direction.
        place: Placement,
        /// The opacity.
        0x04 => default_alpha [B_ALPHA]: u8,
        /// The scale, in sixteenths.
        0x08 => default_scale [B_SCALE]: u8,
    }

    /// A sound that never ends, with a large number.
    SpawnStaticSound2 = 44 "spawnstaticsound2" [svc_spawnstaticsound2, Level heard, no_lmpc, since FitzQuake] in FITZ {
        /// The position.
        origin: [Coord; 3],
        /// The sound's number.
        soundnum: u16 as Meaning::Sound,
        /// The volume.
        vol: Volume,
        /// The attenuation: how fast the sound fades with distance.
        attenuation: Attenuation as Meaning::Value(quake::ATTENUATION_RAW),
    }

    /// Fog (Nehahra).
    NehahraFogMessage = 51 "nehahra_fog" [svc_fog, State, no_lmpc, since Nehahra] in NEHAHRA {
        /// The fog.
        fog: NehahraFog,
    }

    /// An achievement of the re-release.
    Achievement<'a> = 52 "achievement" [svc_achievement, Moment, no_lmpc, since Rerelease] in RERELEASE {
        /// Its name.
        name: AchievementName<'a>,
    }

    /// A sound for this player alone (re-release).
    LocalSound = 56 "localsound" [svc_localsound, Moment heard, no_lmpc, since Rerelease] in RERELEASE flags Bits8 {
        /// The sound's number.
        soundnum: LocalSoundNumber as Meaning::Sound,
    }

    /// The fields of an entity that differ from its baseline.
    UpdateEntity = 128..=255 "updateentity" [U_SIGNAL, Frame needed, lmpc, since Quake] flags UpdateBits {
        /// The entity.
        entity [U_LONGENTITY]: ByteOrShort<0x4000> as Meaning::Entity,
        /// The model.
        0x0400 => modelindex [U_MODEL]: ModelNumber as Meaning::Model,
        /// The frame.
        0x0040 => frame [U_FRAME]: u8,
        /// The player whose colors it has, counted from 1.
        0x0800 => colormap [U_COLORMAP]: u8,
        /// The skin.
        0x1000 => skin [U_SKIN]: u8,
        /// Lights and trails.
        0x2000 => effects [U_EFFECTS]: u8 as Meaning::Bits(quake::EFFECTS),
        /// The x coordinate.
        0x0002 => origin_x [U_ORIGIN1]: Coord,
        /// The pitch.
        0x0100 => angles_1 [U_ANGLE1]: EntityAngle,
        /// The y coordinate.
        0x0004 => origin_y [U_ORIGIN2]: Coord,
        /// The yaw.
        0x0010 => angles_2 [U_ANGLE2]: EntityAngle,
        /// The z coordinate.
        0x0008 => origin_z [U_ORIGIN3]: Coord,
        /// The roll.
        0x0200 => angles_3 [U_ANGLE3]: EntityAngle,
        /// It moves in steps, so clients must not smooth its movement.
        0x0020 => new [U_NOLERP | U_STEP]: Mark,
        /// Nehahra: a mark, the alpha, and with mark 2 the brightness.
        0x8000 => transparency [U_TRANS]: Transparency,
        /// The opacity: 1 is invisible, 255 solid, 0 the default.
        0x1_0000 => alpha [U_ALPHA]: u8,
        /// The scale, in sixteenths.
        0x10_0000 => scale [U_SCALE]: u8,
        /// The high byte of the frame.
        0x2_0000 => frame_high [U_FRAME2]: u8,
        /// The high byte of the model's number.
        0x4_0000 => modelindex_high [U_MODEL2]: u8,
        /// The time until its next step, in 255ths of a second.
        0x8_0000 => lerpfinish [U_LERPFINISH]: u8,
    }
}

impl ClientData {
    /// Whether the flag word has the items bit; from 1.07 on the items are sent in any case.
    ///
    /// ```
    /// use moviola_format::dem::ClientData;
    /// assert!(!ClientData::default().sets_items_bit());
    /// ```
    pub fn sets_items_bit(&self) -> bool {
        self.flags.0 & Items::BIT != 0
    }
}

/// Whether a family of protocols adds messages with this id.
pub(crate) fn adds(op: u8, families: u16) -> bool {
    Message::SCHEMA.iter().any(|row| row.families & families != 0 && (row.op..=row.last).contains(&op))
}

/// Applies the effect of a message on the way in which the messages after it are read.
#[inline(always)]
pub(crate) fn observe(message: &Message<'_>, context: &mut Context) {
    match message {
        Message::Print(it) => observe_print(it.string, context),
        Message::ServerInfo(it) => observe_level(it, context),
        Message::Version(it) => observe_version(it.serverversion, context),
        Message::ClientData(_) => context.weapon_byte = Answer::Open,
        _ => {}
    }
}

fn observe_print(string: Str<'_>, context: &mut Context) {
    if let Some(version) = server_version(string.bytes()) {
        context.server_version = version;
    }
}

fn observe_level(info: &ServerInfo<'_>, context: &mut Context) {
    if !context.set_quake_protocol(info.protocol.version, info.protocol.flags) {
        return;
    }
    let level = info.precache.models().iter().next().unwrap_or_default();
    context.mission_pack = is_mission_pack(level.bytes(), info);
}

/// Switches to the protocol of a version message if it can be read; an unreadable one would make the rest of
/// the recording raw.
fn observe_version(protocol: i32, context: &mut Context) {
    let mut next = *context;
    if context.protocol != 0
        && protocol != context.protocol
        && next.set_quake_protocol(protocol, context.protocol_flags)
        && !next.raw
    {
        *context = Context { mission_pack: context.mission_pack, ..next };
    }
}

/// The version that a Quake server prints before any other text: 1.09 is 109.
fn server_version(text: &[u8]) -> Option<u16> {
    let rest = text.strip_prefix(b"\x02\nVERSION ")?;
    match rest {
        [major @ b'0'..=b'9', b'.', tens @ b'0'..=b'9', ones @ b'0'..=b'9', b' ', ..] => {
            let digit = |byte: &u8| u16::from(byte - b'0');
            Some(digit(major) * 100 + digit(tens) * 10 + digit(ones))
        }
        _ => None,
    }
}

/// Whether the level runs a mission pack's game code, judged by its files: only that code leaves the weapon
/// byte out, and its start-up always names these files.
fn is_mission_pack(level: &[u8], info: &ServerInfo<'_>) -> bool {
    const FILES: [&[u8]; 4] =
        [b"progs/v_hammer.mdl", b"progs/v_laserg.mdl", b"progs/v_lava.mdl", b"progs/v_multi.mdl"];
    const LEVELS: [&[u8]; 3] = [b"maps/hip", b"maps/r1m", b"maps/r2m"];
    LEVELS.iter().any(|start| level.starts_with(start))
        || info.precache.models().iter().any(|model| FILES.contains(&model.bytes()))
}

/// The protocols with a sky message: FitzQuake and Nehahra.
const FITZ_OR_NEHAHRA: u16 = FITZ | NEHAHRA;

/// The dialect of Quake.
///
/// ```
/// use moviola_format::{Context, Messages, Quake};
/// assert_eq!(Messages::<Quake>::new(b"\x01\x01\x02", Context::quake()).count(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quake;

impl crate::Dialect for Quake {
    type Message<'a> = Message<'a>;
    const GAME: Game = Game::Quake;
    #[inline(always)]
    fn observe(message: &Message<'_>, context: &mut Context) {
        observe(message, context);
    }
    #[inline(always)]
    fn heeds(op: u8) -> bool {
        matches!(op, Print::OP | ServerInfo::OP | Version::OP | ClientData::OP)
    }
    fn is_plausible(message: &Message<'_>) -> bool {
        match message {
            Message::UpdateEntity(it) => it.transparency.is_plausible(),
            Message::LightStyle(it) => it.string.is_terminated(),
            Message::Print(it) => it.string.is_terminated(),
            Message::StuffText(it) => it.string.is_terminated(),
            Message::CenterPrint(it) => it.string.is_terminated(),
            message => !matches!(message, Message::Bad(_)),
        }
    }
    /// A player's state only reopens the question that it was read with.
    #[inline(always)]
    fn leaves(op: u8, context: &Context) -> bool {
        !Self::heeds(op) || op == ClientData::OP && context.weapon_byte == Answer::Open
    }
    /// Every protocol sends these in the same form, so levels and chat of unreadable protocols are still
    /// found.
    fn is_plain(op: u8) -> bool {
        matches!(op, Nop::OP | Disconnect::OP | Print::OP | StuffText::OP | ServerInfo::OP)
    }
}
