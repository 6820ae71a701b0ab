//! Quake's messages. Names are those of the DEM 1.0.9 document, in LMPC's spelling.
//!
//! Sources: the document, its errata, and for the protocols after 15 the engines that implement them.

#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::context::family::*;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake};

mod dialect;

pub use dialect::Quake;
pub(crate) use dialect::adds;

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
    Sound = 6 "sound" [svc_sound, Moment heard, lmpc, since Quake] flags QuakeSoundBits {
        /// How loud, 1 when absent.
        0x01 => vol [SND_VOLUME]: Volume,
        /// The attenuation: how fast the sound fades with distance; 1 when absent.
        0x02 => attenuation [SND_ATTENUATION]: Attenuation as Meaning::Value(quake::ATTENUATION_RAW),
        /// The pitch in percent (FTE).
        0x80 => pitch [SND_FTE_PITCHADJ]: Extra<u8>,
        /// How much of the sound is over, in thousandths of a second (FTE).
        0x40 => timeofs [SND_FTE_TIMEOFS]: Extra<i16>,
        /// The velocity of its source, in eighths (FTE).
        0x100 => velocity [SND_FTE_VELOCITY]: Extra<[i16; 3]>,
        /// The speed of the sound, in 4000ths (DarkPlaces).
        0x20 => speed [SND_SPEEDUSHORT4000]: Extra<u16>,
        /// The entity that makes the sound, and its channel.
        source [SND_LARGEENTITY]: SoundChannel,
        /// The sound's number.
        soundnum [SND_LARGESOUND]: SoundNumber as Meaning::Sound,
        /// The position that the sound comes from.
        origin: [Coord; 3],
    }

    /// The server's clock; a frame of the game begins with it.
    Time = 7 "time" [svc_time, Frame needed, lmpc, since Quake] {
        /// Seconds since the level began, and with FTE's prediction the number of a command.
        time: ServerTime,
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
        protocol: ServerProtocol<'a>,
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

    /// The recorder's own state, as DarkPlaces sends it.
    PlayerData<'a> = 15 "playerdata" [svc_clientdata, Frame, no_lmpc, since DarkPlaces] in DARKPLACES flags ClientBits {
        /// The values that were sent.
        state: DarkPlacesPlayer<'a>,
        /// The player stands on something.
        0x0400 => uk_bit_b10 [SU_ONGROUND]: Mark,
        /// The player is in water.
        0x0800 => uk_bit_b11 [SU_INWATER]: Mark,
    }

    /// The recorder's own state.
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
        /// The player's items.
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

    /// The recorder was hurt.
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

    /// A thing that never changes (FTE).
    SpawnStaticFte<'a> = 21 "spawnstatic_fte" [svcfte_spawnstatic2, Level, no_lmpc, since Fte] in REPLACEMENT {
        /// The model, position and all else.
        state: FteState<'a>,
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

    /// A temporary effect, which is not an entity: an explosion, a bolt of lightning (DarkPlaces).
    DarkPlacesTempEntity<'a> = 23 "darkplaces_temp_entity" [svc_temp_entity, Moment, no_lmpc, since DarkPlaces] in DARKPLACES {
        /// The effect.
        effect: DarkPlacesEffect<'a>,
    }

    /// A temporary effect, which is not an entity: an explosion, a bolt of lightning.
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

    /// Shows a picture on the screen (DarkPlaces).
    DarkPlacesPicture<'a> = 35 "darkplaces_picture" [svc_showlmp, State, no_lmpc, since DarkPlaces] in DARKPLACES {
        /// The picture's name on the screen, by which it is hidden again.
        slot: Str<'a>,
        /// The picture's file.
        lmp: Str<'a>,
        /// The x coordinate on the screen.
        x: i16,
        /// The y coordinate on the screen.
        y: i16,
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
    HideLmp<'a> = 36 "hidelmp" [svc_hidelmp, State, no_lmpc, since Nehahra] in NEHAHRA_OR_DARKPLACES {
        /// The picture's name on the screen.
        slot: Str<'a>,
    }

    /// The sky's pictures.
    SkyBox<'a> = 37 "skybox" [svc_skybox, State, no_lmpc, since Nehahra] in SKIES {
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

    /// A piece of a file, which playback ignores (DarkPlaces, FTE).
    DownloadData<'a> = 50 "downloaddata" [svc_downloaddata, Never, no_lmpc, since DarkPlaces] in DARKPLACES_OR_FTE {
        /// The offset of the piece in the file.
        start: i32,
        /// The bytes.
        data: ShortBytes<'a>,
    }

    /// Sets one of the player's stats to a small number (DarkPlaces, FTE).
    UpdateStatByte = 51 "updatestatbyte" [svc_updatestatubyte, State, no_lmpc, since DarkPlaces] in DARKPLACES_OR_FTE {
        /// The stat's number.
        index: u8 as Meaning::Value(quake::STAT),
        /// The new value.
        value: u8,
    }

    /// Fog (Nehahra).
    NehahraFogMessage = 51 "nehahra_fog" [svc_fog, State, no_lmpc, since Nehahra] in NEHAHRA {
        /// The fog.
        fog: NehahraFog,
    }

    /// A sprite that plays its frames once (DarkPlaces).
    SpriteEffect = 52 "effect" [svc_effect, Moment, no_lmpc, since DarkPlaces] in DARKPLACES {
        /// The position.
        origin: [Coord; 3],
        /// The model.
        modelindex: u8 as Meaning::Model,
        /// The first frame.
        frame: u8,
        /// The number of frames.
        count: u8,
        /// The frames a second.
        rate: u8,
    }

    /// An achievement of the re-release.
    Achievement<'a> = 52 "achievement" [svc_achievement, Moment, no_lmpc, since Rerelease] in RERELEASE {
        /// Its name.
        name: AchievementName<'a>,
    }

    /// A sprite that plays its frames once, with large numbers (DarkPlaces).
    SpriteEffect2 = 53 "effect2" [svc_effect2, Moment, no_lmpc, since DarkPlaces] in DARKPLACES {
        /// The position.
        origin: [Coord; 3],
        /// The model.
        modelindex: u16 as Meaning::Model,
        /// The first frame.
        frame: u16,
        /// The number of frames.
        count: u8,
        /// The frames a second.
        rate: u8,
    }

    /// A model or a sound of the level (DarkPlaces, FTE).
    PrecacheOne<'a> = 54 "precache" [svc_precache, Level needed, no_lmpc, since DarkPlaces] in DARKPLACES_OR_FTE {
        /// The number. For a sound, 32768 is added; for an effect of particles, 16384.
        index: u16,
        /// The file.
        name: Str<'a>,
    }

    /// A baseline with large numbers (DarkPlaces).
    DarkPlacesBaseline = 55 "spawnbaseline_darkplaces" [svc_spawnbaseline2, Level needed, no_lmpc, since DarkPlaces] in DARKPLACES {
        /// The entity.
        entity: i16 as Meaning::Entity,
        /// The model, position and all else.
        state: LargeState,
    }

    /// A static thing with large numbers (DarkPlaces).
    DarkPlacesStatic = 56 "spawnstatic_darkplaces" [svc_spawnstatic2, Level, no_lmpc, since DarkPlaces] in DARKPLACES {
        /// The model, position and all else.
        state: LargeState,
    }

    /// A sound for this player alone (re-release).
    LocalSound = 56 "localsound" [svc_localsound, Moment heard, no_lmpc, since Rerelease] in RERELEASE flags Bits8 {
        /// The sound's number.
        soundnum: LocalSoundNumber as Meaning::Sound,
    }

    /// The entities that changed since a frame that the client has (DarkPlaces 5 to 8).
    DarkPlacesFrame<'a> = 57 "entities" [svc_entities, Frame needed, no_lmpc, since DarkPlaces] in NEW_DARKPLACES {
        /// The number of the frame.
        frame: i32,
        /// The number of the newest command that the server had received.
        command: MoveNumber,
        /// The entities.
        entities: DarkPlacesEntities<'a>,
    }

    /// A sound that never ends, with a large number (DarkPlaces, FTE).
    DarkPlacesStaticSound = 59 "spawnstaticsound_darkplaces" [svc_spawnstaticsound2, Level heard, no_lmpc, since DarkPlaces] in DARKPLACES_OR_FTE {
        /// The position.
        origin: [Coord; 3],
        /// The sound's number.
        soundnum: u16 as Meaning::Sound,
        /// The volume.
        vol: Volume,
        /// The attenuation: how fast the sound fades with distance.
        attenuation: Attenuation as Meaning::Value(quake::ATTENUATION_RAW),
    }

    /// Particles along a line (DarkPlaces, FTE).
    TrailParticles = 60 "trailparticles" [svc_trailparticles, Moment, no_lmpc, since DarkPlaces] in DARKPLACES_OR_FTE {
        /// The entity that leaves the trail.
        entity: u16 as Meaning::Entity,
        /// The kind of particles.
        effect: u16,
        /// The start of the line.
        origin: [Coord; 3],
        /// The end of the line.
        trace_endpos: [Coord; 3],
    }

    /// Particles at a point (DarkPlaces, FTE).
    PointParticles = 61 "pointparticles" [svc_pointparticles, Moment, no_lmpc, since DarkPlaces] in DARKPLACES_OR_FTE {
        /// The kind of particles.
        effect: u16,
        /// The position.
        origin: [Coord; 3],
        /// The velocity.
        velocity: [Coord; 3],
        /// How many times as many as usual.
        count: u16,
    }

    /// Particles at a point, which do not move together (DarkPlaces, FTE).
    PointParticles1 = 62 "pointparticles1" [svc_pointparticles1, Moment, no_lmpc, since DarkPlaces] in DARKPLACES_OR_FTE {
        /// The kind of particles.
        effect: u16,
        /// The position.
        origin: [Coord; 3],
    }

    /// An entity's baseline (FTE).
    SpawnBaselineFte<'a> = 66 "spawnbaseline_fte" [svcfte_spawnbaseline2, Level needed, no_lmpc, since Fte] in REPLACEMENT {
        /// The entity.
        entity: WideEntity as Meaning::Entity,
        /// Its first state.
        state: FteState<'a>,
    }

    /// Sets one of the player's stats that are texts (FTE).
    UpdateStatString<'a> = 78 "updatestatstring" [svcfte_updatestatstring, State, no_lmpc, since Fte] in FTE {
        /// The stat's number.
        index: u8 as Meaning::Value(quake::STAT),
        /// The new text.
        string: Str<'a>,
    }

    /// Sets one of the player's stats to a fraction (FTE).
    UpdateStatFloat = 79 "updatestatfloat" [svcfte_updatestatfloat, State, no_lmpc, since Fte] in FTE {
        /// The stat's number.
        index: u8 as Meaning::Value(quake::STAT),
        /// The new value.
        value: Float,
    }

    /// A voice (FTE).
    VoiceChat<'a> = 84 "voicechat" [svcfte_voicechat, Moment heard, no_lmpc, since Fte] in FTE {
        /// The player who speaks.
        player: u8 as Meaning::Player,
        /// The codec, and a number for each time that the player begins to speak.
        generation: u8,
        /// A number for each piece.
        sequence: u8,
        /// The recorded speech.
        sound: ShortBytes<'a>,
    }

    /// Turns the player's view by some angles (FTE); in playback the angles of the block count.
    SetAngleDelta = 85 "setangledelta" [svcfte_setangledelta, Never, no_lmpc, since Fte] in FTE {
        /// Pitch, yaw and roll.
        angles: [Angle16; 3],
    }

    /// The entities that changed since a frame that the client has (FTE).
    UpdateEntities<'a> = 86 "updateentities" [svcfte_updateentities, Frame needed, no_lmpc, since Fte] in REPLACEMENT {
        /// The number of the newest command that the server had received.
        command: CommandNumber,
        /// The server's clock.
        time: Seconds,
        /// The entities.
        entities: FteEntities<'a>,
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
        /// Nehahra: a mark, the alpha, and with mark 2 the brightness. DarkPlaces: its additions to protocol 15.
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
