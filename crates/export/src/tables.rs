//! **The** list of tables: names, types, units and notes. Everything that is said of a column is said here.

use crate::{Name, Word, Words};

/// The version of the tables. It rises when a column is renamed, removed, or changes its meaning or type, but
/// not when columns are added. The table `recordings` and the metadata of Parquet files contain it.
pub const SCHEMA_VERSION: i32 = 2;

crate::tables! {
    /// A row for each recording.
    Recordings = 0 "recordings" {
        /// Which recording: the first 32 hexadecimal digits of the SHA-256 of its bytes. All tables are joined by it.
        recording: Word,
        /// The name under which the file was given, with the archive before a colon.
        file: Word,
        /// The size of the file.
        bytes: i64 as "bytes",
        /// The version of these tables.
        schema_version: i32,
        /// The version of Moviola that made the row.
        made_by: Word,
        /// The game: `quake`, `quake2` or `quakeworld`.
        game: Name,
        /// The protocol of the first level; empty where none is announced.
        protocol: Option<i32>,
        /// What the protocol is called.
        protocol_name: Option<Name>,
        /// From whose side it was made: `client`, `server`, `relay`, `network` or `unknown`.
        side: Name,
        /// The engine that recorded, by its version print.
        engine: Option<Word>,
        /// The line in which the server says its version.
        server_version: Option<Word>,
        /// Quake II, QuakeWorld: the game's folder.
        folder: Option<Word>,
        /// The CD track in the header of a Quake recording.
        cd_track: Option<i32>,
        /// The files of the levels without folder and ending, each once, in the order of their first visit.
        maps: Words,
        /// The names of the players, each once.
        players: Words,
        /// The last name of the player who recorded.
        recorder: Option<Word>,
        /// How many levels are announced.
        levels: i32,
        /// How long it plays, all levels together; what comes out of order counts once, and a leap of the clock no
        /// more than a tenth of a second, as in engines. Empty where no time is told.
        duration: Option<f32> as "seconds",
        /// How many blocks there are.
        blocks: i64,
        /// How many blocks were not read to their end.
        damaged_blocks: i64,
        /// The codes of what `moviola check` finds, each once; `moviola explain` knows them.
        findings: Words,
        /// How bad the worst finding is: `note`, `warning` or `error`.
        severity: Option<Name>,
    }

    /// A row for each level of a recording, from where the server announces it.
    Levels = 1 "levels" {
        /// Which recording.
        recording: Word,
        /// Which level, counted from 1.
        level: i32,
        /// The name of its file, without folder and ending.
        map: Word,
        /// Its title.
        title: Word,
        /// The bytes of the title, where they are not its text.
        title_hex: Option<Word>,
        /// The protocol.
        protocol: i32,
        /// How many players there is room for.
        max_clients: Option<i32> as "players",
        /// Quake's kind of game: `coop`, which is single player too, or `deathmatch`.
        game_type: Option<Name>,
        /// The block that announces it, counted from 0 as in the text.
        first_block: i64,
        /// Its last block.
        last_block: i64,
        /// The first time of its clock.
        first_time: Option<f32> as "seconds",
        /// The last time of its clock.
        last_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it.
        recording_time: Option<f32> as "seconds",
        /// How it ends: `intermission`, `finale`, `cutscene`; empty where it was left in another way, or breaks off.
        ending: Option<Name>,
        /// The time that the level took, by the speedrunners' rule: the clock when it ended. Empty where no time counts,
        /// as of a level that was left.
        ending_time: Option<f32> as "seconds",
        /// Monsters killed, by whomever, as the game counts them. For Quake II as the field computer says, if it was
        /// opened, and by those that were seen to die after it.
        monsters: Option<i32>,
        /// Monsters in the level.
        total_monsters: Option<i32>,
        /// Secrets found.
        secrets: Option<i32>,
        /// Secrets in the level.
        total_secrets: Option<i32>,
        /// Goals reached, for Quake II as the field computer says.
        goals: Option<i32>,
        /// Goals in the level.
        total_goals: Option<i32>,
    }

    /// A row for each player of a level. Who comes into a place that was left is another player.
    Players = 2 "players" {
        /// Which recording.
        recording: Word,
        /// Which level, counted from 1.
        level: i32,
        /// The player's place, counted from 0.
        slot: i32,
        /// The last name.
        name: Word,
        /// The bytes of the name, where they are not its text.
        name_hex: Option<Word>,
        /// The team, where players name one (QuakeWorld) or wear its skin (Quake II's capture the flag). In Quake it is
        /// the color of `pants`, where the game is one of teams.
        team: Option<Word>,
        /// QuakeWorld: the number that the server gives to each connection.
        user_id: Option<i32>,
        /// QuakeWorld: whether it is one who only watches.
        is_spectator: Option<bool>,
        /// Whether this player recorded it.
        is_recorder: bool,
        /// The last score; for Quake II what the scores said last, if they were opened.
        frags: Option<i32>,
        /// Quake: the color of the shirt, 0 to 13.
        shirt: Option<i32>,
        /// Quake: the color of the trousers, 0 to 13.
        pants: Option<i32>,
        /// Quake II: the model and skin.
        skin: Option<Word>,
        /// How long packets need, as the scores said last.
        ping: Option<i32> as "milliseconds",
        /// The block in which the name came.
        first_block: i64,
        /// The block in which the player left, or the level's last.
        last_block: i64,
    }

    /// A row for each death that the game reports: of players by players, by monsters, by the world, by themselves.
    Kills = 3 "kills" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The player who killed; empty where it was no player. Of a suicide the victim.
        attacker: Option<Word>,
        /// The place of the attacker, counted from 0, where it is known.
        attacker_slot: Option<i32>,
        /// The attacker's team, as in `players`.
        attacker_team: Option<Word>,
        /// The player who died; empty where the game's line names none.
        victim: Option<Word>,
        /// The place of the victim.
        victim_slot: Option<i32>,
        /// The victim's team.
        victim_team: Option<Word>,
        /// The player who helped. No line of a game that is known yet tells it.
        assister: Option<Word>,
        /// The place of the assister.
        assister_slot: Option<i32>,
        /// The weapon, the monster or the danger.
        weapon: Option<Name>,
        /// What sort of death it is: `kill`, `teamkill`, `suicide`, `monster` or `world`.
        how: Name,
        /// Whether players died of their own weapon or will.
        is_suicide: bool,
        /// Whether the game's line says that both are of one team, or both name the same one.
        is_team: bool,
        /// Where the victim was seen last, at most half a second before.
        victim_x: Option<f32> as "units",
        /// The same, to the north.
        victim_y: Option<f32> as "units",
        /// The same, up.
        victim_z: Option<f32> as "units",
        /// Where the attacker was seen last, at most half a second before.
        attacker_x: Option<f32> as "units",
        /// The same, to the north.
        attacker_y: Option<f32> as "units",
        /// The same, up.
        attacker_z: Option<f32> as "units",
        /// How far the two were from each other.
        distance: Option<f32> as "units",
        /// The attacker's health at that time, where the recording has it.
        attacker_health: Option<i32>,
        /// The attacker's armor at that time.
        attacker_armor: Option<i32>,
        /// The game's line.
        text: Word,
    }

    /// A row for each time that a player is hurt, as far as the recording tells: of the recording player, in QuakeWorld's
    /// server recordings of everybody.
    Damages = 4 "damages" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// By whom or what, as far as can be told: a player, a monster, a danger.
        attacker: Option<Word>,
        /// The place of the attacker, counted from 0, where it is a player.
        attacker_slot: Option<i32>,
        /// The attacker's team.
        attacker_team: Option<Word>,
        /// The player who is hurt.
        victim: Option<Word>,
        /// The place of the victim.
        victim_slot: Option<i32>,
        /// The victim's team.
        victim_team: Option<Word>,
        /// The weapon, where it is told.
        weapon: Option<Name>,
        /// Points that health took.
        damage_health: Option<i32>,
        /// Points that the armor took.
        damage_armor: Option<i32>,
        /// All points.
        damage: i32,
        /// The health after it.
        health_left: Option<i32>,
        /// The armor after it.
        armor_left: Option<i32>,
        /// From which side, in degrees from where the player looks, to the left.
        direction: Option<f32> as "degrees",
        /// QuakeWorld: whether an explosion beside the victim did it.
        is_splash: Option<bool>,
        /// Where the victim was.
        victim_x: Option<f32> as "units",
        /// The same, to the north.
        victim_y: Option<f32> as "units",
        /// The same, up.
        victim_z: Option<f32> as "units",
        /// From where the blow came.
        attacker_x: Option<f32> as "units",
        /// The same, to the north.
        attacker_y: Option<f32> as "units",
        /// The same, up.
        attacker_z: Option<f32> as "units",
    }

    /// A row for each thing that a player picks up, as far as the recording tells: the recording player.
    Pickups = 5 "pickups" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// Who picked it up.
        player: Option<Word>,
        /// The player's place, counted from 0.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// The item, by the game's word for it.
        item: Word,
        /// How much of it, where that is said.
        amount: Option<i32>,
        /// Where the player was, to the east.
        x: Option<f32> as "units",
        /// To the north.
        y: Option<f32> as "units",
        /// Up.
        z: Option<f32> as "units",
    }

    /// Where every player is that the recording shows, in each block that tells of it.
    Positions = 6 "positions" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        level_time: f32 as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: f32 as "seconds",
        /// The player's place, counted from 0.
        slot: i32,
        /// The name.
        name: Word,
        /// The team, as in `players`.
        team: Option<Word>,
        /// Whether it is the player who recorded.
        is_recorder: bool,
        /// Where the player is, to the east.
        x: f32 as "units",
        /// To the north.
        y: f32 as "units",
        /// Up.
        z: f32 as "units",
        /// Speed to the east: as the server told it, else from this place and the one before. Empty where there is none
        /// before, or after a teleport.
        velocity_x: Option<f32> as "units/s",
        /// Speed to the north.
        velocity_y: Option<f32> as "units/s",
        /// Speed upwards.
        velocity_z: Option<f32> as "units/s",
        /// Whether the server told the speed.
        is_velocity_told: bool,
        /// Where the player looks: down is positive.
        pitch: f32 as "degrees",
        /// Where the player looks: 0 is east, 90 north.
        yaw: f32 as "degrees",
        /// How the player's view is tilted.
        roll: f32 as "degrees",
        /// Whether the player lives, by health or by what the model does.
        is_alive: Option<bool>,
        /// The weapon in hand; of others where their model shows it.
        weapon: Option<Name>,
        /// Whether the player stands on something, where it is told.
        on_ground: Option<bool>,
        /// Whether this block told the place; false where it is the one told last.
        is_told: bool,
    }

    /// A row for each shot that is seen or heard.
    Shots = 7 "shots" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// Who shot.
        player: Option<Word>,
        /// The player's place, counted from 0.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// Whether it is the player who recorded.
        is_recorder: bool,
        /// The weapon.
        weapon: Option<Name>,
        /// How many pellets flew, where they can be followed.
        pellets: Option<i32>,
        /// How many of them hit somebody.
        hits: Option<i32>,
        /// Where the player was, to the east.
        x: Option<f32> as "units",
        /// To the north.
        y: Option<f32> as "units",
        /// Up.
        z: Option<f32> as "units",
        /// Where the player looked: down is positive.
        pitch: Option<f32> as "degrees",
        /// Where the player looked: 0 is east, 90 north.
        yaw: Option<f32> as "degrees",
    }

    /// A row for each line of chat.
    Chat = 8 "chat" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1; 0 before the first one is announced.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// Who said it.
        player: Option<Word>,
        /// The player's place, counted from 0, where it is known.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// The words.
        text: Word,
        /// The bytes of the words, where they are not their text.
        text_hex: Option<Word>,
        /// Whether they are for the player's team alone.
        is_team: bool,
    }

    /// The life-cycles of what lies in the level: a row for each time that a thing lay there, from when it is seen first or
    /// comes back until it is taken.
    Items = 9 "items" {
        /// Which recording.
        recording: Word,
        /// Which level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The number of its entity.
        entity: i32,
        /// The item.
        item: Name,
        /// Where it lies, to the east.
        x: f32 as "units",
        /// To the north.
        y: f32 as "units",
        /// Up.
        z: f32 as "units",
        /// How it came: `seen` for the first time, or `back`.
        came: Name,
        /// The block from which on it was there.
        first_block: i64,
        /// The level's clock then.
        first_time: Option<f32> as "seconds",
        /// How many seconds it was away, where it was seen to be taken before.
        away: Option<f32> as "seconds",
        /// The block in which it was taken; empty where nobody was seen to take it.
        taken_block: Option<i64>,
        /// The level's clock then.
        taken_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it was taken, all levels together.
        recording_time: Option<f32> as "seconds",
        /// Who took it, where that can be told.
        player: Option<Word>,
        /// The player's place, counted from 0.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// Whether the player is the nearest who was seen there, and not told.
        is_guess: Option<bool>,
    }

    /// The recording player after each block, from where the server told a time and his state; in Relay recordings each client, in QuakeWorld's MVDs each player.
    /// A server's recording of Quake II holds nobody's state and has no rows: where its players were stands in `positions`.
    Ticks = 10 "ticks" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        level_time: f32 as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: f32 as "seconds",
        /// Relay and MVD: whose state it is.
        client: Option<i32>,
        /// Where the player is, to the east. In Quake it is the camera's entity.
        x: Option<f32> as "units",
        /// To the north.
        y: Option<f32> as "units",
        /// Up.
        z: Option<f32> as "units",
        /// Speed to the east; Quake sends it in steps of 16.
        velocity_x: f32 as "units/s",
        /// Speed to the north.
        velocity_y: f32 as "units/s",
        /// Speed upwards.
        velocity_z: f32 as "units/s",
        /// Where the player looks: down is positive.
        pitch: f32 as "degrees",
        /// Where the player looks: 0 is east, 90 north.
        yaw: f32 as "degrees",
        /// How the view is tilted.
        roll: f32 as "degrees",
        /// Points of health.
        health: i32,
        /// Points of armor.
        armor: i32,
        /// Ammunition for the weapon in hand.
        ammo: i32,
        /// Quake: shells.
        shells: Option<i32>,
        /// Quake: nails.
        nails: Option<i32>,
        /// Quake: rockets.
        rockets: Option<i32>,
        /// Quake: cells.
        cells: Option<i32>,
        /// The weapon in hand; empty without one, or where its name is not known.
        weapon: Option<Name>,
        /// The file of the weapon's model; an empty text without one.
        weapon_model: Word,
        /// The frame of the weapon's animation.
        weapon_frame: i32,
        /// Quake: what is carried. A bit that has no name is `bit N`.
        items: Option<Words>,
        /// The player's score.
        frags: i32,
        /// Quake: monsters killed so far.
        monsters: Option<i32>,
        /// Quake: secrets found so far.
        secrets: Option<i32>,
        /// The player stands on something; empty where it is not told, as in QuakeWorld.
        on_ground: Option<bool>,
        /// Quake: the player is in water.
        in_water: Option<bool>,
        /// Quake: the game is stopped.
        is_paused: Option<bool>,
        /// Quake II: how the player moves: `PM_NORMAL`, `PM_SPECTATOR`, `PM_DEAD`, `PM_GIB`, or `PM_FREEZE` as in the intermission.
        move_type: Option<Name>,
        /// Quake II: the field of view.
        fov: Option<i32> as "degrees",
    }

    /// A row for each entity that is drawn, in every block that brings entities.
    Entities = 11 "entities" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        level_time: f32 as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: f32 as "seconds",
        /// Its number. Players have the numbers from 1 on: their `slot` and one.
        entity: i32,
        /// The file of its model; `player` where Quake II says only that it wears its skin.
        model: Word,
        /// The number of its model.
        model_id: i32,
        /// The frame of the model.
        frame: i32,
        /// The skin.
        skin: i32,
        /// Lights and trails, by the engines' names. A bit that has no name is `bit N`.
        effects: Words,
        /// Where it is, to the east.
        x: f32 as "units",
        /// To the north.
        y: f32 as "units",
        /// Up.
        z: f32 as "units",
        /// How it is turned.
        pitch: f32 as "degrees",
        /// How it is turned: 0 is east, 90 north.
        yaw: f32 as "degrees",
        /// How it is turned.
        roll: f32 as "degrees",
        /// Quake: the player whose colors it has, counted from 1; 0 is none.
        colormap: Option<i32>,
        /// Quake: how opaque it is: 1 is invisible, 255 solid, 0 the usual.
        alpha: Option<i32>,
        /// Quake II: how it is drawn, by the engine's names.
        renderfx: Option<Words>,
        /// Quake II: the number of the sound that it makes all the time; 0 is none.
        sound_id: Option<i32>,
        /// Quake II: what happens to it in this frame alone, by the engine's name.
        event: Option<Name>,
        /// Quake II: the file of the second model, such as the weapon that is carried.
        model2: Option<Word>,
    }

    /// What happened, as `moviola events` lists it.
    Events = 12 "events" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1; 0 before the first one is announced.
        level: i32,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// Which kind of event; the names never change their meaning.
        kind: Name,
        /// Who: the victim of a kill.
        player: Option<Word>,
        /// The player's place, counted from 0, where it is known.
        player_slot: Option<i32>,
        /// By whom, where somebody else was.
        other: Option<Word>,
        /// The place of the other.
        other_slot: Option<i32>,
        /// With what, or what: a weapon, an item, a powerup.
        what: Option<Word>,
        /// The number of the event: points of damage, a score, an amount, seconds.
        amount: Option<f64>,
        /// Where, to the east; of what has no place of its own, where he stood who did it, or died of it.
        x: Option<f32> as "units",
        /// To the north.
        y: Option<f32> as "units",
        /// Up.
        z: Option<f32> as "units",
        /// The event in words.
        text: Word,
        /// Everything that is known of it, as the JSON object that `moviola events --json` gives.
        json: Word,
    }

    /// A row for each value of each field of every message. Large; made only when it is asked for by name.
    Messages = 13 "messages" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The clock as of the message; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// Which message of the block, counted from 0.
        message: i32,
        /// The message's offset in the block.
        byte_offset: i32 as "bytes",
        /// Its keyword in the text, as `moviola explain` knows it.
        keyword: Name,
        /// Relay: the one client that it was for.
        client: Option<i32>,
        /// The field; the fields of records in a message have the record's name and number before them.
        field: Word,
        /// Which value of the field, counted from 0.
        part: i32,
        /// The value, if it is a number; coordinates and angles in units and degrees.
        number: Option<f64>,
        /// The value, if it is a string, or what a number stands for.
        text: Option<Word>,
        /// The bytes of a string, where they are not its text.
        hex: Option<Word>,
    }
}
