//! QuakeWorld's messages, protocols 24 to 28, with the extensions of FTE and MVDSV. The names are LMPC's
//! where LMPC has the message.
//!
//! Sources: the documents of LMPC's QWD; ezQuake and MVDSV, which write today's recordings; and FTE. Messages
//! that only FTE sends are left out, since no recording with one was found; a block ends at them as at an
//! unknown message.

use crate::context::{
    Context,
    family::{CHUNKS, MVD},
};
use crate::game::Game;
#[allow(clippy::wildcard_imports, reason = "the table's words")]
use crate::kinds::*;
use crate::messages;
use crate::names::{Meaning, quake, quakeworld};
use crate::rules::quakeworld::NEWEST;

messages! {
    /// Does nothing.
    Nop = 1 "nop" [svc_nop, Never, no_lmpc, since QuakeWorld] {}

    /// The end of the recording, or of the connection.
    Disconnect<'a> = 2 "disconnect" [svc_disconnect, Connection, lmpc, since QuakeWorld] {
        /// The reason, in MVDs.
        reason: MvdStr<'a>,
    }

    /// Sets one of a player's stats to less than 256.
    UpdateStat = 3 "updatestat" [svc_updatestat, State, lmpc, since QuakeWorld] {
        /// The stat's number.
        index: u8 as Meaning::Value(quake::STAT),
        /// The new value.
        value: u8,
    }

    /// Starts a sound.
    Sound = 6 "sound" [svc_sound, Moment heard, lmpc, since QuakeWorld] {
        /// The entity, the channel, the volume and the attenuation.
        source: SoundHead,
        /// The sound's number.
        soundnum: u8 as Meaning::Sound,
        /// The position that the sound comes from.
        origin: [Coord; 3],
    }

    /// Text for the console.
    Print<'a> = 8 "print" [svc_print, Moment, lmpc, since QuakeWorld] {
        /// The importance.
        level: u8 as Meaning::Value(quakeworld::PRINT_LEVEL),
        /// The text.
        string: Str<'a>,
    }

    /// Text for the client's command buffer.
    StuffText<'a> = 9 "stufftext" [svc_stufftext, Command, lmpc, since QuakeWorld] {
        /// The commands.
        string: Str<'a>,
    }

    /// Turns a player's view.
    SetAngle = 10 "setangle" [svc_setangle, State, lmpc, since QuakeWorld] {
        /// In MVDs the player, with an extension the reason; then pitch, yaw and roll.
        angles: ViewTurn,
    }

    /// A level begins.
    ServerData<'a> = 11 "serverdata" [svc_serverdata, Connection needed, lmpc, since QuakeWorld] (extensions: ExtensionList<'a>) flags WorldProtocol {
        /// The number of the level since the server started; a client repeats it.
        age: i32,
        /// The game's folder.
        game: Str<'a>,
        /// The recorder.
        client: LevelRecorder,
        /// The level's title.
        mapname: Str<'a>,
        /// The physics: gravity, stopspeed, maxspeed, spectatormaxspeed, five kinds of acceleration and friction, entgravity.
        (WorldProtocol::PHYSICS) => uk_floats: Physics<'a>,
    }

    /// Sets the flicker of a group of lights.
    LightStyle<'a> = 12 "lightstyle" [svc_lightstyle, State, lmpc, since QuakeWorld] {
        /// The group.
        style: u8 as Meaning::Range(quake::LIGHT_STYLE),
        /// Brightness over time in tenths of a second: a is dark, m normal, z bright.
        string: Str<'a>,
    }

    /// A player's score.
    UpdateFrags = 14 "updatefrags" [svc_updatefrags, State, lmpc, since QuakeWorld] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// The score.
        frags: i16,
    }

    /// Stops a sound.
    StopSound = 16 "stopsound" [svc_stopsound, Moment heard, lmpc, since QuakeWorld] {
        /// The entity that makes the sound, and its channel.
        source: SoundChannel,
    }

    /// The player was hurt.
    Damage = 19 "damage" [svc_damage, Moment, lmpc, since QuakeWorld] {
        /// The points that the armor lost.
        save: u8,
        /// The points that the health lost.
        take: u8,
        /// The position that the damage came from.
        origin: [Coord; 3],
    }

    /// A thing that never changes, a torch for example.
    SpawnStatic = 20 "spawnstatic" [svc_spawnstatic, Level, lmpc, since QuakeWorld] {
        /// The model.
        default_modelindex: u8 as Meaning::Model,
        /// The frame.
        default_frame: u8,
        /// The player whose colors it has.
        default_colormap: u8,
        /// The skin.
        default_skin: u8,
        /// The position and direction.
        place: Placement,
    }

    /// A static entity, which never changes. It has the fields of an entity's delta.
    SpawnStatic2 = 21 "spawnstatic2" [svcfte_spawnstatic2, Level, no_lmpc, since Fte] flags PacketBits {
        /// A number without a meaning.
        entity: PacketNumber,
        /// The model.
        0x8_0400 => modelindex: PacketModel as Meaning::Model,
        /// The frame.
        0x10 => frame: u8,
        /// The player whose colors it has.
        0x800 => colormap: u8,
        /// The skin.
        0x1000 => skin: u8,
        /// Lights and trails.
        0x2000 => effects: u8 as Meaning::Bits(quake::EFFECTS),
        /// The x coordinate.
        0x01 => origin_x: OriginCoord,
        /// The pitch.
        0x100 => angles_1: Angle,
        /// The y coordinate.
        0x02 => origin_y: OriginCoord,
        /// The yaw.
        0x08 => angles_2: Angle,
        /// The z coordinate.
        0x04 => origin_z: OriginCoord,
        /// The roll.
        0x200 => angles_3: Angle,
        /// The opacity (FTE).
        0x2_0000 => trans: u8,
        /// The color by which it is multiplied (FTE).
        0x400_0000 => colormod: [u8; 3],
    }

    /// An entity's baseline: its first state, on which packets build.
    SpawnBaseline = 22 "spawnbaseline" [svc_spawnbaseline, Level, lmpc, since QuakeWorld] {
        /// The entity.
        entity: i16 as Meaning::Entity,
        /// The model.
        default_modelindex: u8 as Meaning::Model,
        /// The frame.
        default_frame: u8,
        /// The player whose colors it has.
        default_colormap: u8,
        /// The skin.
        default_skin: u8,
        /// The position and direction.
        place: Placement,
    }

    /// A temporary effect, which is not an entity: an explosion, a bolt of lightning.
    TempEntity = 23 "temp_entity" [svc_temp_entity, Moment, lmpc, since QuakeWorld] flags WorldTempKind {
        /// The number of particles, in steps of twenty.
        (te::COUNT) => count: u8,
        /// The entity that shoots.
        (te::ENTITY) => entity: i16 as Meaning::Entity,
        /// The position.
        (te::ORIGIN) => origin: [Coord; 3],
        /// The end of a bolt.
        (te::END) => trace_endpos: [Coord; 3],
    }

    /// Pauses the game, or ends the pause.
    SetPause = 24 "setpause" [svc_setpause, State, lmpc, since QuakeWorld] {
        /// 1 pauses, 0 ends the pause.
        pausestate: u8 as Meaning::Value(quake::PAUSE),
    }

    /// Text in the middle of the screen.
    CenterPrint<'a> = 26 "centerprint" [svc_centerprint, Moment, lmpc, since QuakeWorld] {
        /// The text.
        string: Str<'a>,
    }

    /// A monster died.
    KilledMonster = 27 "killedmonster" [svc_killedmonster, State, lmpc, since QuakeWorld] {}

    /// A secret was found.
    FoundSecret = 28 "foundsecret" [svc_foundsecret, State, lmpc, since QuakeWorld] {}

    /// A sound that never ends.
    SpawnStaticSound = 29 "spawnstaticsound" [svc_spawnstaticsound, Level heard, lmpc, since QuakeWorld] {
        /// The position.
        origin: [Coord; 3],
        /// The sound's number.
        soundnum: u8 as Meaning::Sound,
        /// The volume.
        vol: Volume,
        /// The attenuation: how fast the sound fades with distance.
        attenuation: Attenuation as Meaning::Value(quake::ATTENUATION_RAW),
    }

    /// The level is over: the scores are shown.
    Intermission = 30 "intermission" [svc_intermission, State, lmpc, since QuakeWorld] {
        /// The position of the view.
        origin: [Coord; 3],
        /// The direction of the view.
        angles: [Angle; 3],
    }

    /// The episode is over: a text is shown.
    Finale<'a> = 31 "finale" [svc_finale, State, lmpc, since QuakeWorld] {
        /// The text.
        string: Str<'a>,
    }

    /// Music.
    CdTrack = 32 "cdtrack" [svc_cdtrack, State heard, lmpc, since QuakeWorld] {
        /// The track.
        track: u8,
    }

    /// The shareware's last screen.
    SellScreen = 33 "sellscreen" [svc_sellscreen, Moment, lmpc, since QuakeWorld] {}

    /// A weapon kicks a little.
    SmallKick = 34 "smallkick" [svc_smallkick, Moment, lmpc, since QuakeWorld] {}

    /// A weapon kicks much.
    BigKick = 35 "bigkick" [svc_bigkick, Moment, lmpc, since QuakeWorld] {}

    /// The duration of a player's packets on their way: the ping.
    UpdatePing = 36 "updateping" [svc_updateping, State, lmpc, since QuakeWorld] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// Milliseconds; 999 if it is not known.
        ping: i16,
    }

    /// The time since a player connected.
    UpdateEnterTime = 37 "updateentertime" [svc_updateentertime, State, lmpc, since QuakeWorld] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// Seconds.
        entertime: Seconds,
    }

    /// Sets one of a player's stats.
    UpdateStatLong = 38 "updatestatlong" [svc_updatestatlong, State, lmpc, since QuakeWorld] {
        /// The stat's number.
        index: u8 as Meaning::Value(quake::STAT),
        /// The new value.
        value: i32,
    }

    /// A player's weapon fires.
    MuzzleFlash = 39 "muzzleflash" [svc_muzzleflash, Moment, lmpc, since QuakeWorld] {
        /// The player's entity.
        entity: i16 as Meaning::Entity,
    }

    /// A player's user info; empty if the slot is free.
    UpdateUserInfo<'a> = 40 "updateuserinfo" [svc_updateuserinfo, State, lmpc, since QuakeWorld] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// A number that no other player since the server's start has.
        user: i32,
        /// Keys and values, each after a backslash.
        string: Str<'a>,
    }

    /// A piece of a file, in chunks that may arrive in any order.
    DownloadChunk<'a> = 41 "download_chunk" [svc_download, Connection, no_lmpc, since Fte] in CHUNKS {
        /// The piece.
        piece: DownloadChunkBytes<'a>,
    }

    /// A piece of a file.
    Download<'a> = 41 "download" [svc_download, Connection, lmpc, since QuakeWorld] {
        /// The piece.
        piece: DownloadBytes<'a>,
    }

    /// The changes of a player's state, in an MVD.
    PlayerState = 42 "playerstate" [svc_playerinfo, Frame needed, no_lmpc, since QuakeWorld] in MVD (player: u8 as Meaning::Player) flags Bits16 {
        /// The frame.
        frame: u8,
        /// The x coordinate.
        0x0001 => origin_x: Coord,
        /// The y coordinate.
        0x0002 => origin_y: Coord,
        /// The z coordinate.
        0x0004 => origin_z: Coord,
        /// The direction of the view: pitch.
        0x0008 => angles_1: Angle16,
        /// The direction of the view: yaw.
        0x0010 => angles_2: Angle16,
        /// The direction of the view: roll.
        0x0020 => angles_3: Angle16,
        /// The model.
        0x0800 => modelindex: u8 as Meaning::Model,
        /// The skin; 128 more is a model above 255.
        0x0080 => skin: u8,
        /// Lights and trails.
        0x0040 => effects: u8 as Meaning::Bits(quake::EFFECTS),
        /// The weapon's frame.
        0x0400 => weaponframe: u8,
        /// The player is dead.
        0x0100 => dead: Mark,
        /// The player was gibbed.
        0x0200 => gib: Mark,
    }

    /// A player whom the client sees, in a QWD.
    PlayerInfo<'a> = 42 "playerinfo" [svc_playerinfo, Frame needed, lmpc, since QuakeWorld] (player: u8 as Meaning::Player) flags PlayerBits {
        /// The position.
        origin: [OriginCoord; 3],
        /// The frame.
        frame: u8,
        /// The age of the position.
        0x0001 => ping: Thousandths,
        /// The player's input.
        0x0002 => command: UserCommand,
        /// The velocity along x.
        0x0004 => cspeed_x: Short8,
        /// The velocity along y.
        0x0008 => cspeed_y: Short8,
        /// The velocity along z.
        0x0010 => cspeed_z: Short8,
        /// The model.
        0x0020 => modelindex: u8 as Meaning::Model,
        /// The skin; 128 more is a model above 255.
        0x0040 => uk_byte6: u8,
        /// Lights and trails.
        0x0080 => weapon: EffectNumbers,
        /// The weapon's frame.
        0x0100 => weaponframe: WeaponFrame<'a>,
        /// The player's scale (FTE).
        0x1_0000 => scale: u8,
        /// The player's opacity (FTE).
        0x2_0000 => trans: u8,
        /// The player's fatness (FTE).
        0x4_0000 => fatness: i8,
        /// The number of the player's hull (FTE).
        0x4000 => hullsize: u8,
        /// The color by which the player is multiplied (FTE).
        0x8_0000 => colormod: [u8; 3],
    }

    /// Spikes in flight.
    NailList<'a> = 43 "nails" [svc_nails, Frame, lmpc, since QuakeWorld] {
        /// The spikes.
        nails: Nails<'a, false>,
    }

    /// The number of packets that were held back.
    ChokeCount = 44 "choke" [svc_chokecount, Moment, lmpc, since QuakeWorld] {
        /// The number of them.
        count: u8,
    }

    /// Models of the level.
    ModelList<'a> = 45 "modellist" [svc_modellist, Connection needed, lmpc, since QuakeWorld] {
        /// The models.
        list: ModelNames<'a>,
    }

    /// Sounds of the level.
    SoundList<'a> = 46 "soundlist" [svc_soundlist, Connection needed, lmpc, since QuakeWorld] {
        /// The sounds.
        list: SoundNames<'a>,
    }

    /// All entities that the client sees.
    PacketEntities<'a> = 47 "packetentities" [svc_packetentities, Frame needed, lmpc, since QuakeWorld] {
        /// The entities.
        entities: PacketList<'a, false>,
    }

    /// The changes of the entities since an earlier packet.
    DeltaPacketEntities<'a> = 48 "deltapacketentities" [svc_deltapacketentities, Frame needed, lmpc, since QuakeWorld] {
        /// The low byte of that packet's number.
        frame: u8,
        /// The entities that changed.
        entities: PacketList<'a, true>,
    }

    /// The greatest speed of a player.
    MaxSpeed = 49 "maxspeed" [svc_maxspeed, State, lmpc, since QuakeWorld] {
        /// Units a second.
        speed: Float,
    }

    /// The share of gravity that applies to a player.
    EntGravity = 50 "entgravity" [svc_entgravity, State, lmpc, since QuakeWorld] {
        /// 1 for the whole gravity.
        gravity: Float,
    }

    /// Sets a key of a player's user info.
    SetInfo<'a> = 51 "setinfo" [svc_setinfo, State, lmpc, since QuakeWorld] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// The key.
        name: Str<'a>,
        /// The value.
        string: Str<'a>,
    }

    /// Sets a key of the server info.
    ServerInfo<'a> = 52 "serverinfo" [svc_serverinfo, State, lmpc, since QuakeWorld] {
        /// The key.
        name: Str<'a>,
        /// The value.
        string: Str<'a>,
    }

    /// The share of a player's packets that are lost.
    UpdatePl = 53 "updatepl" [svc_updatepl, State, lmpc, since QuakeWorld] {
        /// The player's slot.
        player: u8 as Meaning::Player,
        /// Percent.
        loss: u8,
    }

    /// Spikes in flight, with numbers (MVD).
    NumberedNails<'a> = 54 "nails2" [svc_nails2, Frame, no_lmpc, since QuakeWorld] {
        /// The spikes.
        nails: Nails<'a, true>,
    }

    /// Models of the level from a large number on (FTE).
    ModelListShort<'a> = 60 "modellist_short" [svc_fte_modellistshort, Connection needed, no_lmpc, since Fte] {
        /// The models.
        list: ManyModelNames<'a>,
    }

    /// An entity's baseline, with the fields of an entity in a packet (FTE).
    SpawnBaseline2 = 66 "spawnbaseline2" [svcfte_spawnbaseline2, Level, no_lmpc, since Fte] flags PacketBits {
        /// The entity.
        entity: PacketNumber as Meaning::Entity,
        /// The entity is no longer there.
        0x20 => remove: Mark,
        /// The model.
        0x8_0400 => modelindex: PacketModel as Meaning::Model,
        /// The frame.
        0x10 => frame: u8,
        /// The player whose colors it has.
        0x800 => colormap: u8,
        /// The skin.
        0x1000 => skin: u8,
        /// Lights and trails.
        0x2000 => effects: u8 as Meaning::Bits(quake::EFFECTS),
        /// The x coordinate.
        0x01 => origin_x: OriginCoord,
        /// The pitch.
        0x100 => angles_1: Angle,
        /// The y coordinate.
        0x02 => origin_y: OriginCoord,
        /// The yaw.
        0x08 => angles_2: Angle,
        /// The z coordinate.
        0x04 => origin_z: OriginCoord,
        /// The roll.
        0x200 => angles_3: Angle,
        /// The scale (FTE).
        0x1_0000 => scale: u8,
        /// The opacity (FTE).
        0x2_0000 => trans: u8,
        /// The fatness (FTE).
        0x4_0000 => fatness: i8,
        /// The flags of its drawing (Hexen II).
        0x100_0000 => drawflags: u8,
        /// The brightness (Hexen II).
        0x200_0000 => abslight: u8,
        /// The color by which it is multiplied (FTE).
        0x400_0000 => colormod: [u8; 3],
        /// Flags of DarkPlaces.
        0x800_0000 => dpflags: u8,
        /// The entity to which it is attached, and the part of that entity.
        0x1000_0000 => taginfo: [i16; 2],
        /// The light that it emits: red, green, blue and radius.
        0x2000_0000 => light: [u16; 4],
        /// The style of that light, and flags.
        0x2000_0000 => lightstyle: [u8; 2],
        /// The upper bits of the effects.
        0x4000_0000 => effects_high: u8,
    }

    /// A voice, as Qizmo sent them.
    QizmoVoice = 83 "qizmovoice" [svc_qizmovoice, Moment heard, no_lmpc, since Qizmo] {
        /// The player who speaks, and a number.
        id: [u8; 2],
        /// The recorded speech.
        sound: [u8; 32],
    }

    /// A voice.
    VoiceChat<'a> = 84 "voicechat" [svc_fte_voicechat, Moment heard, no_lmpc, since Fte] {
        /// The player who speaks.
        player: u8 as Meaning::Player,
        /// The codec, and a number for each time that the player begins to speak.
        generation: u8,
        /// A number for each piece.
        sequence: u8,
        /// The recorded speech.
        sound: ShortBytes<'a>,
    }

    /// Entities of the game's own code for clients, whose form only that code knows.
    CsqcEntities<'a> = 92 "csqcentities" [svcfte_csqcentities_sized, Frame, no_lmpc, since Fte] {
        /// The entities.
        entities: ShortBytes<'a>,
    }

    /// A packet without a connection.
    Connless<'a> = 255 "connless" [connectionless, Connection, lmpc, since QuakeWorld] {
        /// The packet.
        packet: OutOfBand<'a>,
    }
}

/// Applies the effect of a message on the way in which the messages after it are read.
#[inline(always)]
fn observe(message: &Message<'_>, context: &mut Context) {
    if let Message::ServerData(it) = message {
        observe_level(it, context);
    }
}

fn observe_level(data: &ServerData<'_>, context: &mut Context) {
    // LMPC took the word that announces extensions for a protocol, and read the rest as the newest protocol.
    let is_word = ExtensionList::is_announced_by(data.flags.0);
    let protocol = if is_word { NEWEST } else { data.flags.0 };
    context.set_quakeworld_protocol(protocol, data.extensions.all());
}

/// The dialect of QuakeWorld.
///
/// ```
/// use moviola_format::{Context, Messages, QuakeWorld};
/// assert_eq!(Messages::<QuakeWorld>::new(b"\x01\x22\x23", Context::quakeworld()).count(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuakeWorld;

impl crate::Dialect for QuakeWorld {
    type Message<'a> = Message<'a>;
    const GAME: Game = Game::QuakeWorld;
    #[inline(always)]
    fn observe(message: &Message<'_>, context: &mut Context) {
        observe(message, context);
    }
    #[inline(always)]
    fn can_change_context(op: u8) -> bool {
        op == ServerData::OP
    }
    fn is_plausible(message: &Message<'_>) -> bool {
        match message {
            Message::Print(it) => it.string.is_terminated(),
            Message::StuffText(it) => it.string.is_terminated(),
            Message::CenterPrint(it) => it.string.is_terminated(),
            _ => true,
        }
    }
    /// Whether messages of this id have the same form in every protocol.
    fn is_plain(op: u8) -> bool {
        matches!(op, Nop::OP | Print::OP | StuffText::OP | ServerData::OP | Connless::OP)
    }
}
