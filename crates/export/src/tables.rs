//! **The** list of tables: names, types, units and notes. It is the only source of everything about a column.

use crate::{FixedWord, Word, WordList};

/// The version of the tables. It rises when a column is renamed, removed, or changes its meaning or type, but
/// not when columns are added. The table `recordings` and the metadata of Parquet files contain it.
pub const SCHEMA_VERSION: i32 = 2;

crate::tables! {
    /// A row for each recording.
    Recordings = 0 "recordings" {
        /// The id of the recording: the first 32 hexadecimal digits of the SHA-256 of its bytes. All tables
        /// are joined by it.
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
        game: FixedWord,
        /// The protocol of the first level, or MVD2's own; empty if no level is announced.
        protocol: Option<i32>,
        /// The name of the protocol.
        protocol_name: Option<FixedWord>,
        /// The side that made it: `client`, `server`, `relay`, `network` or `unknown`.
        side: FixedWord,
        /// The engine that recorded, by its version print.
        engine: Option<Word>,
        /// The line in which the server prints its version.
        server_version: Option<Word>,
        /// Quake II, QuakeWorld: the game's folder.
        folder: Option<Word>,
        /// The CD track in the header of a Quake recording.
        cd_track: Option<i32>,
        /// The files of the levels without folder and ending, each once, in the order of their first visit.
        maps: WordList,
        /// The names of the players, each once.
        players: WordList,
        /// The last name of the player who recorded.
        recorder: Option<Word>,
        /// How many levels are announced.
        levels: i32,
        /// How long it plays, all levels together; times out of order count once, and a leap of the clock
        /// counts as at most a tenth of a second, as in engines. Empty if there are no times.
        duration: Option<f32> as "seconds",
        /// How many blocks there are.
        blocks: i64,
        /// How many blocks were not read to their end.
        damaged_blocks: i64,
        /// The codes of the findings of `moviola check`, each once; `moviola explain` describes them.
        findings: WordList,
        /// How bad the worst finding is: `note`, `warning` or `error`.
        severity: Option<FixedWord>,
    }

    /// A row for each level of a recording, from the block in which the server announces it.
    Levels = 1 "levels" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The number of the level, counted from 1.
        level: i32,
        /// The name of its file, without folder and ending.
        map: Word,
        /// Its title.
        title: Word,
        /// The bytes of the title, if they are not its text.
        title_hex: Option<Word>,
        /// The protocol.
        protocol: i32,
        /// How many players there is room for.
        max_clients: Option<i32> as "players",
        /// Quake's kind of game: `coop`, which is single player too, or `deathmatch`.
        game_type: Option<FixedWord>,
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
        /// How it ends: `intermission`, `finale`, `cutscene`; empty if the player left it in another way, or
        /// the recording breaks off.
        ending: Option<FixedWord>,
        /// The time that the level took, by the speedrunners' rule: the clock when it ended. Empty if no time
        /// counts, as for a level that was left.
        ending_time: Option<f32> as "seconds",
        /// Monsters killed, by any player or monster, as the game counts them. Quake II: the number on the
        /// field computer, if it was opened, and the monsters that were seen to die after that.
        monsters: Option<i32>,
        /// Monsters in the level.
        total_monsters: Option<i32>,
        /// Secrets found.
        secrets: Option<i32>,
        /// Secrets in the level.
        total_secrets: Option<i32>,
        /// Goals reached; Quake II: the number on the field computer.
        goals: Option<i32>,
        /// Goals in the level.
        total_goals: Option<i32>,
    }

    /// A row for each player of a level. A player who joins in a slot that was left is another player.
    Players = 2 "players" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The number of the level, counted from 1.
        level: i32,
        /// The player's slot, counted from 0.
        slot: i32,
        /// The last name.
        name: Word,
        /// The bytes of the name, if they are not its text.
        name_hex: Option<Word>,
        /// The team: the one that the player names (QuakeWorld), or whose skin the player wears (Quake II's
        /// capture the flag). In Quake it is the color of `pants`, if the game is one of teams.
        team: Option<Word>,
        /// QuakeWorld: the number that the server gives to each connection.
        user_id: Option<i32>,
        /// QuakeWorld: whether it is a spectator.
        is_spectator: Option<bool>,
        /// Whether this player recorded it.
        is_recorder: bool,
        /// The last score; in Quake II the last one on the scoreboard, if it was opened.
        frags: Option<i32>,
        /// Quake: the color of the shirt, 0 to 13.
        shirt: Option<i32>,
        /// Quake: the color of the trousers, 0 to 13.
        pants: Option<i32>,
        /// Quake II: the model and skin.
        skin: Option<Word>,
        /// The player's ping on the last scoreboard.
        ping: Option<i32> as "milliseconds",
        /// The block in which the name was set.
        first_block: i64,
        /// The block in which the player left, or the level's last.
        last_block: i64,
    }

    /// A row for each death that the game reports: of players by players, by monsters, by the world, by themselves.
    Kills = 3 "kills" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The player who killed; empty if no player did. For a suicide the victim.
        attacker: Option<Word>,
        /// The slot of the attacker, counted from 0, if it is known.
        attacker_slot: Option<i32>,
        /// The attacker's team, as in `players`.
        attacker_team: Option<Word>,
        /// The player who died; empty if the game's line names none.
        victim: Option<Word>,
        /// The slot of the victim.
        victim_slot: Option<i32>,
        /// The victim's team.
        victim_team: Option<Word>,
        /// The player who helped. Always empty so far: no known line of a game names one.
        assister: Option<Word>,
        /// The slot of the assister.
        assister_slot: Option<i32>,
        /// The weapon, the monster or the danger.
        weapon: Option<FixedWord>,
        /// The sort of death: `kill`, `teamkill`, `suicide`, `monster` or `world`.
        how: FixedWord,
        /// Whether the player died of the player's own weapon or will.
        is_suicide: bool,
        /// Whether the game's line calls it a team kill, or both players are of the same team.
        is_team: bool,
        /// The last known position of the victim, at most half a second before: to the east.
        victim_x: Option<f32> as "units",
        /// The same, to the north.
        victim_y: Option<f32> as "units",
        /// The same, up.
        victim_z: Option<f32> as "units",
        /// The last known position of the attacker, at most half a second before: to the east.
        attacker_x: Option<f32> as "units",
        /// The same, to the north.
        attacker_y: Option<f32> as "units",
        /// The same, up.
        attacker_z: Option<f32> as "units",
        /// The distance between the two.
        distance: Option<f32> as "units",
        /// The attacker's health at that time, if the recording has it.
        attacker_health: Option<i32>,
        /// The attacker's armor at that time.
        attacker_armor: Option<i32>,
        /// The game's line.
        text: Word,
    }

    /// A row for each time that a player is hurt, as far as the recording shows it: the recorder, and
    /// in QuakeWorld's server recordings every player.
    Damages = 4 "damages" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The cause, if it is known: a player, a monster, a danger.
        attacker: Option<Word>,
        /// The slot of the attacker, counted from 0, if it is a player.
        attacker_slot: Option<i32>,
        /// The attacker's team.
        attacker_team: Option<Word>,
        /// The player who is hurt.
        victim: Option<Word>,
        /// The slot of the victim.
        victim_slot: Option<i32>,
        /// The victim's team.
        victim_team: Option<Word>,
        /// The weapon, if it is known.
        weapon: Option<FixedWord>,
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
        /// The direction from which it came, in degrees to the left of the player's view.
        direction: Option<f32> as "degrees",
        /// QuakeWorld: whether an explosion beside the victim caused it.
        is_splash: Option<bool>,
        /// The position of the victim, to the east.
        victim_x: Option<f32> as "units",
        /// The same, to the north.
        victim_y: Option<f32> as "units",
        /// The same, up.
        victim_z: Option<f32> as "units",
        /// The position from which the damage came, to the east.
        attacker_x: Option<f32> as "units",
        /// The same, to the north.
        attacker_y: Option<f32> as "units",
        /// The same, up.
        attacker_z: Option<f32> as "units",
    }

    /// A row for each thing that a player picks up, as far as the recording shows it: the recorder's, in a server
    /// recording of QuakeWorld everybody's.
    Pickups = 5 "pickups" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The player who picked it up.
        player: Option<Word>,
        /// The player's slot, counted from 0.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// The item, by the game's name for it.
        item: Word,
        /// Quake, QuakeWorld: the weapon that it is or has, the first of several, by its name in `kills`.
        weapon: Option<FixedWord>,
        /// The amount, if it is known.
        amount: Option<i32>,
        /// The player's position, to the east.
        x: Option<f32> as "units",
        /// To the north.
        y: Option<f32> as "units",
        /// Up.
        z: Option<f32> as "units",
    }

    /// The position of every player that the recording shows, in each block that has it.
    Positions = 6 "positions" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        level_time: f32 as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: f32 as "seconds",
        /// The player's slot, counted from 0.
        slot: i32,
        /// The name.
        name: Word,
        /// The team, as in `players`.
        team: Option<Word>,
        /// Whether it is the player who recorded.
        is_recorder: bool,
        /// The player's position, to the east.
        x: f32 as "units",
        /// To the north.
        y: f32 as "units",
        /// Up.
        z: f32 as "units",
        /// Speed to the east: from the server, or else from this position and the one before. Empty if there
        /// is none before, or after a teleport.
        velocity_x: Option<f32> as "units/s",
        /// Speed to the north.
        velocity_y: Option<f32> as "units/s",
        /// Speed upwards.
        velocity_z: Option<f32> as "units/s",
        /// Whether the speed is from the server.
        is_velocity_told: bool,
        /// The pitch of the player's view: down is positive.
        pitch: f32 as "degrees",
        /// The yaw of the player's view: 0 is east, 90 north.
        yaw: f32 as "degrees",
        /// The roll of the player's view.
        roll: f32 as "degrees",
        /// Whether the player is alive, by health or by the model's animation.
        is_alive: Option<bool>,
        /// The weapon in hand; of other players only if their model shows it.
        weapon: Option<FixedWord>,
        /// Whether the player stands on something, if it is known.
        on_ground: Option<bool>,
        /// Whether the position is from this block; false if it is the last known one.
        is_told: bool,
    }

    /// A row for each shot that is seen or heard, or that QuakeWorld's KTX counts for a player.
    Shots = 7 "shots" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The player who shot.
        player: Option<Word>,
        /// The player's slot, counted from 0.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// Whether it is the player who recorded.
        is_recorder: bool,
        /// The weapon.
        weapon: Option<FixedWord>,
        /// The number of pellets, if they can be followed or are counted; a cell of the Thunderbolt counts as one.
        pellets: Option<i32>,
        /// The number of them that hit a player or a monster.
        hits: Option<i32>,
        /// The player's position, to the east.
        x: Option<f32> as "units",
        /// To the north.
        y: Option<f32> as "units",
        /// Up.
        z: Option<f32> as "units",
        /// The pitch of the player's view: down is positive.
        pitch: Option<f32> as "degrees",
        /// The yaw of the player's view: 0 is east, 90 north.
        yaw: Option<f32> as "degrees",
    }

    /// A row for each line of chat.
    Chat = 8 "chat" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1; 0 before the first one is announced.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The player who wrote it.
        player: Option<Word>,
        /// The player's slot, counted from 0, if it is known.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// The text, without codes for colors.
        text: Word,
        /// The bytes of the text, if they differ from it.
        text_hex: Option<Word>,
        /// Whether it is for the player's team only.
        is_team: bool,
    }

    /// The life cycles of items in the level: a row for each time that an item lay there, from when it is
    /// first seen or comes back until it is taken.
    // not from SCHEMA: the name of a table's column.
    Items = 9 "items" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The number of its entity.
        entity: i32,
        /// The item.
        item: FixedWord,
        /// Its position, to the east.
        x: f32 as "units",
        /// To the north.
        y: f32 as "units",
        /// Up.
        z: f32 as "units",
        /// How it appeared: `seen` for the first time, or `back`.
        came: FixedWord,
        /// The first block in which it was there.
        first_block: i64,
        /// The level's clock at that block.
        first_time: Option<f32> as "seconds",
        /// How many seconds it was away, if it was seen to be taken before.
        away: Option<f32> as "seconds",
        /// The block in which it was taken; empty if that was not seen.
        taken_block: Option<i64>,
        /// The level's clock at that block.
        taken_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it was taken, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The player who took it, if that is known.
        player: Option<Word>,
        /// The player's slot, counted from 0.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// Whether the player is only the nearest one seen there, and not named by the recording.
        is_guess: Option<bool>,
    }

    /// The recorder after each block, from the first time and state that the server sent; in Relay
    /// recordings each client, in QuakeWorld's MVDs each player. A server's recording of Quake II has no
    /// player's state and so no rows: the positions of its players are in `positions`.
    Ticks = 10 "ticks" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        level_time: f32 as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: f32 as "seconds",
        /// Relay and MVD: the player's slot, counted from 0.
        client: Option<i32>,
        /// The player's position, to the east. In Quake it is that of the camera's entity.
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
        /// The pitch of the player's view: down is positive.
        pitch: f32 as "degrees",
        /// The yaw of the player's view: 0 is east, 90 north.
        yaw: f32 as "degrees",
        /// The roll of the view.
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
        /// The weapon in hand; empty without one, or if its name is not known.
        weapon: Option<FixedWord>,
        /// The file of the weapon's model; an empty text without one.
        weapon_model: Word,
        /// The frame of the weapon's animation.
        weapon_frame: i32,
        /// Quake: the items carried. A bit without a name is `bit N`.
        items: Option<WordList>,
        /// The player's score.
        frags: i32,
        /// Quake: monsters killed so far.
        monsters: Option<i32>,
        /// Quake: secrets found so far.
        secrets: Option<i32>,
        /// Whether the player stands on something; empty if it is not known, as in QuakeWorld.
        on_ground: Option<bool>,
        /// Quake: whether the player is in water.
        in_water: Option<bool>,
        /// Quake: whether the game is paused.
        is_paused: Option<bool>,
        /// Quake II: the kind of movement: `PM_NORMAL`, `PM_SPECTATOR`, `PM_DEAD`, `PM_GIB`, or `PM_FREEZE`
        /// as in the intermission.
        move_type: Option<FixedWord>,
        /// Quake II: the field of view.
        fov: Option<i32> as "degrees",
    }

    /// A row for each entity that is drawn, in every block that brings entities. In CSV and JSON Lines rows are in the order of
    /// time. In a group of rows of Parquet those of an entity lie together, the lowest number first, each in the order of time.
    // not from SCHEMA: the name of a table.
    Entities = 11 "entities" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        level_time: f32 as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: f32 as "seconds",
        /// Its number. Players have the numbers from 1 on: their `slot` plus 1.
        entity: i32,
        /// The file of its model; `player` for a model of Quake II that is the one of the player's skin.
        model: Word,
        /// The number of its model.
        model_id: i32,
        /// The frame of the model.
        frame: i32,
        /// The skin.
        skin: i32,
        /// Lights and trails, by the engines' names. A bit without a name is `bit N`.
        effects: WordList,
        /// Its position, to the east.
        x: f32 as "units",
        /// To the north.
        y: f32 as "units",
        /// Up.
        z: f32 as "units",
        /// Its pitch.
        pitch: f32 as "degrees",
        /// Its yaw: 0 is east, 90 north.
        yaw: f32 as "degrees",
        /// Its roll.
        roll: f32 as "degrees",
        /// Quake: the player whose colors it has, counted from 1; 0 is none.
        colormap: Option<i32>,
        /// Quake: the opacity: 1 is invisible, 255 solid, 0 the usual.
        alpha: Option<i32>,
        /// Quake II: how it is drawn, by the engine's names.
        renderfx: Option<WordList>,
        /// Quake II: the number of the sound that it makes continuously; 0 is none.
        sound_id: Option<i32>,
        /// Quake II: its event in this frame alone, by the engine's name.
        event: Option<FixedWord>,
        /// Quake II: the file of the second model, such as the weapon that it carries.
        model2: Option<Word>,
    }

    /// The events that `moviola events` lists.
    Events = 12 "events" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1; 0 before the first one is announced.
        level: i32,
        /// The level's clock; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// How many seconds of the recording were before it, all levels together.
        recording_time: Option<f32> as "seconds",
        /// The kind of event; the names never change their meaning.
        kind: FixedWord,
        /// The player, such as the victim of a kill.
        player: Option<Word>,
        /// The player's slot, counted from 0, if it is known.
        player_slot: Option<i32>,
        /// The other player or monster, such as the attacker.
        other: Option<Word>,
        /// The slot of the other player.
        other_slot: Option<i32>,
        /// The thing, such as a weapon, an item or a powerup.
        what: Option<Word>,
        /// The number of the event: points of damage, a score, an amount, seconds.
        amount: Option<f64>,
        /// The position, to the east; for an event without a position of its own, that of its player.
        x: Option<f32> as "units",
        /// To the north.
        y: Option<f32> as "units",
        /// Up.
        z: Option<f32> as "units",
        /// The event in words.
        text: Word,
        /// All that is known of it, as the JSON object that `moviola events --json` prints.
        json: Word,
    }

    /// A row for each value of each field of every message. Large; made only if it is requested by name.
    Messages = 13 "messages" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// The number of the level, counted from 1.
        level: i32,
        /// The clock at the message; empty before its first time.
        level_time: Option<f32> as "seconds",
        /// The number of the message in the block, counted from 0.
        message: i32,
        /// The message's offset in the block.
        byte_offset: i32 as "bytes",
        /// Its keyword in the text, which `moviola explain` describes.
        keyword: FixedWord,
        /// Relay: the one client for which it was.
        client: Option<i32>,
        /// The field; the fields of records in a message have the record's name and number before them.
        field: Word,
        /// The number of the value in the field, counted from 0.
        part: i32,
        /// The value, if it is a number; coordinates and angles in units and degrees.
        number: Option<f64>,
        /// The value, if it is a string, or the name that a number stands for.
        text: Option<Word>,
        /// The bytes of a string, if they are not its text.
        hex: Option<Word>,
    }

    /// QuakeWorld: a row for each number of a player in a match, by the recording's events and by KTX's own statistics.
    /// A player's own numbers have neither a weapon nor an item.
    MatchCounts = 14 "match_counts" {
        /// The id of the recording, as in `recordings`.
        recording: Word,
        /// The number of the match, counted from 1.
        match_number: i32,
        /// The number of the level, counted from 1.
        level: i32,
        /// The level's file, without folder and ending.
        map: Word,
        /// The kind of match, by the server's info.
        mode: Option<Word>,
        /// The player.
        player: Word,
        /// The player's slot, counted from 0; empty if only KTX names the player.
        slot: Option<i32>,
        /// The player's team.
        team: Option<Word>,
        /// Whether the player is a bot, by KTX's statistics.
        is_bot: bool,
        /// The weapon of a weapon's numbers.
        weapon: Option<Word>,
        /// The item of an item's numbers.
        // not from SCHEMA: the name of a table's column.
        item: Option<Word>,
        /// The kind of number: `frags`, `kills`, `damage given` and so on; of weapons `attacks`, `hits`, `kills`, `deaths`
        /// and `taken`; of items `taken` and `seconds`.
        what: FixedWord,
        /// The number by the recording's events; empty if the recording does not have it.
        shown: Option<i64>,
        /// KTX's number; empty without its statistics.
        reported: Option<i64>,
    }
}
