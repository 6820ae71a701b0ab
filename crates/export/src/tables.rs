//! **The** list of tables: names, types, units and notes. Everything that is said of a column is said here.

use crate::Word;

crate::tables! {
    /// A row for each recording.
    Recordings = 0 "recordings" {
        /// Which recording: the first 32 hexadecimal digits of the SHA-256 of its bytes. All tables are joined by it.
        recording: Word,
        /// The name under which the file was given, with the archive before a colon.
        file: Word,
        /// The size of the file.
        bytes: i64 as "bytes",
        /// `quake` or `quake2`.
        game: Word,
        /// The protocol of the first level; empty where none is announced.
        protocol: Option<i32>,
        /// Who recorded: `client`, or for Quake II `server` or `relay`.
        side: Word,
        /// The CD track in the header of a Quake recording.
        track: Option<i32>,
        /// How many blocks there are.
        blocks: i64,
        /// How many blocks were not read to their end.
        damaged_blocks: i64,
        /// How many levels are announced.
        levels: i32,
        /// How far the game's clock goes, all levels together; what comes out of order counts once, and leaps of more
        /// than a minute not at all. Empty where no time is told.
        duration: Option<f32> as "seconds",
        /// What the server says of its version, or the game's folder for Quake II.
        version: Option<Word>,
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
        /// Quake's kind of game: 0 is single player or cooperative, 1 deathmatch.
        game_type: Option<i32>,
        /// The block that announces it, counted from 0 as in the text.
        first_block: i64,
        /// Its last block.
        last_block: i64,
        /// The first time of its clock.
        begin: Option<f32> as "seconds",
        /// The last time of its clock.
        end: Option<f32> as "seconds",
        /// How it ends: `intermission`, `finale`, `cutscene`; empty where it was left in another way, or breaks off.
        ending: Option<Word>,
        /// The time that the level took, by the speedrunners' rule: the clock when it ended. Empty where no time counts,
        /// as of a level that was left.
        ending_time: Option<f32> as "seconds",
        /// Monsters killed, by whomever, as the game counts them. For Quake II as the field computer says, if it was
        /// opened, and who was seen to die after it.
        kills: Option<i32>,
        /// Monsters in the level.
        total_kills: Option<i32>,
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
        /// Quake II: how long packets need, as the scores said last.
        ping: Option<i32> as "milliseconds",
        /// The block in which the name came.
        first_block: i64,
        /// The block in which the player left, or the level's last.
        last_block: i64,
    }

    /// The recording player after each block, from where the server told a time and his state; in Relay recordings each client. A server's recording holds nobody's
    /// state and has no rows: where its players were stands in `entities`, by the numbers 1 to `max_clients`.
    Ticks = 3 "ticks" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        time: f32 as "seconds",
        /// Relay: whose state it is.
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
        /// The file of the weapon's model; empty without a weapon.
        weapon: Word,
        /// The frame of the weapon's animation.
        weapon_frame: i32,
        /// Quake: what is carried, a sum of bits.
        items: Option<i64>,
        /// The player's score.
        frags: i32,
        /// Quake: monsters killed so far.
        kills: Option<i32>,
        /// Quake: secrets found so far.
        secrets: Option<i32>,
        /// The player stands on something.
        on_ground: bool,
        /// Quake: the player is in water.
        in_water: Option<bool>,
        /// Quake: the game is stopped.
        paused: Option<bool>,
        /// Quake II: how the player moves: 0 normal, 1 spectator, 2 dead, 3 gibbed, 4 frozen, as in the intermission.
        move_type: Option<i32>,
        /// Quake II: the field of view.
        fov: Option<i32> as "degrees",
    }

    /// A row for each entity that is drawn, in every block that brings entities.
    Entities = 4 "entities" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The level's clock; for Quake II the number of the frame, in tenths.
        time: f32 as "seconds",
        /// Its number.
        entity: i32,
        /// The file of its model; `player` where Quake II says only that it wears its skin.
        model: Word,
        /// The frame of the model.
        frame: i32,
        /// The skin.
        skin: i32,
        /// Lights and trails, a sum of bits.
        effects: i64,
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
        /// Quake II: how it is drawn, a sum of bits.
        renderfx: Option<i64>,
        /// Quake II: the sound that it makes all the time, by its number.
        sound: Option<i32>,
        /// Quake II: what happens to it in this frame alone, by its number.
        event: Option<i32>,
        /// Quake II: the file of the second model, such as the weapon that is carried.
        model2: Option<Word>,
    }

    /// What happened, as `moviola events` tells it.
    Events = 5 "events" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1; 0 before the first one is announced.
        level: i32,
        /// The level's clock; empty before its first time.
        time: Option<f32> as "seconds",
        /// Which kind of event; the names never change their meaning.
        kind: Word,
        /// Who: the victim of a kill.
        player: Option<Word>,
        /// The place of who it was, counted from 0, where it is known.
        player_slot: Option<i32>,
        /// By whom, where somebody else was.
        other: Option<Word>,
        /// The place of the other.
        other_slot: Option<i32>,
        /// With what, or what: a weapon, an item, a powerup.
        what: Option<Word>,
        /// The number of the event: points of damage, a score, an amount, seconds.
        number: Option<f64>,
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
    Messages = 6 "messages" {
        /// Which recording.
        recording: Word,
        /// The block, counted from 0 as in the text.
        block: i64,
        /// Which level, counted from 1.
        level: i32,
        /// The clock as of the message; empty before its first time.
        time: Option<f32> as "seconds",
        /// Which message of the block, counted from 0.
        message: i32,
        /// The message's offset in the block.
        offset: i32 as "bytes",
        /// Its keyword in the text, as `moviola explain` knows it.
        keyword: Word,
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
