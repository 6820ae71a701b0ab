// Made from the lists in crates/export/src/tables.rs; `cargo xtask generated --bless` writes it anew.

/** The rows of each table. */
export interface Tables {
  /** A row for each recording. */
  recordings: {
    /** The id of the recording: the first 32 hexadecimal digits of the SHA-256 of its bytes. All tables are joined by it. */
    recording: string;
    /** The name under which the file was given, with the archive before a colon. */
    file: string;
    /** The size of the file. In bytes. */
    bytes: number;
    /** The version of these tables. */
    schema_version: number;
    /** The version of Moviola that made the row. */
    made_by: string;
    /** The game: `quake`, `quake2` or `quakeworld`. */
    game: string;
    /** The protocol of the first level, or MVD2's own; empty if no level is announced. */
    protocol: number | null;
    /** The name of the protocol. */
    protocol_name: string | null;
    /** The side that made it: `client`, `server`, `relay`, `network` or `unknown`. */
    side: string;
    /** The engine that recorded, by its version print. */
    engine: string | null;
    /** The line in which the server prints its version. */
    server_version: string | null;
    /** Quake II, QuakeWorld: the game's folder. */
    folder: string | null;
    /** The CD track in the header of a Quake recording. */
    cd_track: number | null;
    /** The files of the levels without folder and ending, each once, in the order of their first visit. */
    maps: string[];
    /** The names of the players, each once. */
    players: string[];
    /** The last name of the player who recorded. */
    recorder: string | null;
    /** How many levels are announced. */
    levels: number;
    /** How long it plays, all levels together; times out of order count once, and a leap of the clock counts as at most a tenth of a second, as in engines. Empty if there are no times. In seconds. */
    duration: number | null;
    /** How many blocks there are. */
    blocks: number;
    /** How many blocks were not read to their end. */
    damaged_blocks: number;
    /** The codes of the findings of `moviola check`, each once; `moviola explain` describes them. */
    findings: string[];
    /** How bad the worst finding is: `note`, `warning` or `error`. */
    severity: string | null;
  };
  /** A row for each level of a recording, from the block in which the server announces it. */
  levels: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The number of the level, counted from 1. */
    level: number;
    /** The name of its file, without folder and ending. */
    map: string;
    /** Its title. */
    title: string;
    /** The bytes of the title, if they are not its text. */
    title_hex: string | null;
    /** The protocol. */
    protocol: number;
    /** How many players there is room for. In players. */
    max_clients: number | null;
    /** Quake's kind of game: `coop`, which is single player too, or `deathmatch`. */
    game_type: string | null;
    /** The block that announces it, counted from 0 as in the text. */
    first_block: number;
    /** Its last block. */
    last_block: number;
    /** The first time of its clock. In seconds. */
    first_time: number | null;
    /** The last time of its clock. In seconds. */
    last_time: number | null;
    /** How many seconds of the recording were before it. In seconds. */
    recording_time: number | null;
    /** How it ends: `intermission`, `finale`, `cutscene`; empty if the player left it in another way, or the recording breaks off. */
    ending: string | null;
    /** The time that the level took, by the speedrunners' rule: the clock when it ended. Empty if no time counts, as for a level that was left. In seconds. */
    ending_time: number | null;
    /** Monsters killed, by any player or monster, as the game counts them. Quake II: the number on the field computer, if it was opened, and the monsters that were seen to die after that. */
    monsters: number | null;
    /** Monsters in the level. */
    total_monsters: number | null;
    /** Secrets found. */
    secrets: number | null;
    /** Secrets in the level. */
    total_secrets: number | null;
    /** Goals reached; Quake II: the number on the field computer. */
    goals: number | null;
    /** Goals in the level. */
    total_goals: number | null;
  };
  /** A row for each player of a level. A player who joins in a slot that was left is another player. */
  players: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The number of the level, counted from 1. */
    level: number;
    /** The player's slot, counted from 0. */
    slot: number;
    /** The last name. */
    name: string;
    /** The bytes of the name, if they are not its text. */
    name_hex: string | null;
    /** The team: the one that the player names (QuakeWorld), or whose skin the player wears (Quake II's capture the flag). In Quake it is the color of `pants`, if the game is one of teams. */
    team: string | null;
    /** QuakeWorld: the number that the server gives to each connection. */
    user_id: number | null;
    /** QuakeWorld: whether it is a spectator. */
    is_spectator: boolean | null;
    /** Whether this player recorded it. */
    is_recorder: boolean;
    /** The last score; in Quake II the last one on the scoreboard, if it was opened. */
    frags: number | null;
    /** Quake: the color of the shirt, 0 to 13. */
    shirt: number | null;
    /** Quake: the color of the trousers, 0 to 13. */
    pants: number | null;
    /** Quake II: the model and skin. */
    skin: string | null;
    /** The player's ping on the last scoreboard. In milliseconds. */
    ping: number | null;
    /** The block in which the name was set. */
    first_block: number;
    /** The block in which the player left, or the level's last. */
    last_block: number;
  };
  /** A row for each death that the game reports: of players by players, by monsters, by the world, by themselves. */
  kills: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The level's clock; empty before its first time. In seconds. */
    level_time: number | null;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number | null;
    /** The player who killed; empty if no player did. For a suicide the victim. */
    attacker: string | null;
    /** The slot of the attacker, counted from 0, if it is known. */
    attacker_slot: number | null;
    /** The attacker's team, as in `players`. */
    attacker_team: string | null;
    /** The player who died; empty if the game's line names none. */
    victim: string | null;
    /** The slot of the victim. */
    victim_slot: number | null;
    /** The victim's team. */
    victim_team: string | null;
    /** The player who helped. Always empty so far: no known line of a game names one. */
    assister: string | null;
    /** The slot of the assister. */
    assister_slot: number | null;
    /** The weapon, the monster or the danger. */
    weapon: string | null;
    /** The sort of death: `kill`, `teamkill`, `suicide`, `monster` or `world`. */
    how: string;
    /** Whether the player died of the player's own weapon or will. */
    is_suicide: boolean;
    /** Whether the game's line calls it a team kill, or both players are of the same team. */
    is_team: boolean;
    /** The last known position of the victim, at most half a second before: to the east. In units. */
    victim_x: number | null;
    /** The same, to the north. In units. */
    victim_y: number | null;
    /** The same, up. In units. */
    victim_z: number | null;
    /** The last known position of the attacker, at most half a second before: to the east. In units. */
    attacker_x: number | null;
    /** The same, to the north. In units. */
    attacker_y: number | null;
    /** The same, up. In units. */
    attacker_z: number | null;
    /** The distance between the two. In units. */
    distance: number | null;
    /** The attacker's health at that time, if the recording has it. */
    attacker_health: number | null;
    /** The attacker's armor at that time. */
    attacker_armor: number | null;
    /** The game's line. */
    text: string;
  };
  /** A row for each time that a player is hurt, as far as the recording shows it: the recorder, and in QuakeWorld's server recordings every player. */
  damages: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The level's clock; empty before its first time. In seconds. */
    level_time: number | null;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number | null;
    /** The cause, if it is known: a player, a monster, a danger. */
    attacker: string | null;
    /** The slot of the attacker, counted from 0, if it is a player. */
    attacker_slot: number | null;
    /** The attacker's team. */
    attacker_team: string | null;
    /** The player who is hurt. */
    victim: string | null;
    /** The slot of the victim. */
    victim_slot: number | null;
    /** The victim's team. */
    victim_team: string | null;
    /** The weapon, if it is known. */
    weapon: string | null;
    /** Points that health took. */
    damage_health: number | null;
    /** Points that the armor took. */
    damage_armor: number | null;
    /** All points. */
    damage: number;
    /** The health after it. */
    health_left: number | null;
    /** The armor after it. */
    armor_left: number | null;
    /** The direction from which it came, in degrees to the left of the player's view. In degrees. */
    direction: number | null;
    /** QuakeWorld: whether an explosion beside the victim caused it. */
    is_splash: boolean | null;
    /** The position of the victim, to the east. In units. */
    victim_x: number | null;
    /** The same, to the north. In units. */
    victim_y: number | null;
    /** The same, up. In units. */
    victim_z: number | null;
    /** The position from which the damage came, to the east. In units. */
    attacker_x: number | null;
    /** The same, to the north. In units. */
    attacker_y: number | null;
    /** The same, up. In units. */
    attacker_z: number | null;
  };
  /** A row for each thing that a player picks up, as far as the recording shows it: the recorder's, in a server recording of QuakeWorld everybody's. */
  pickups: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The level's clock; empty before its first time. In seconds. */
    level_time: number | null;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number | null;
    /** The player who picked it up. */
    player: string | null;
    /** The player's slot, counted from 0. */
    slot: number | null;
    /** The player's team. */
    team: string | null;
    /** The item, by the game's name for it. */
    item: string;
    /** Quake, QuakeWorld: the weapon that it is or has, the first of several, by its name in `kills`. */
    weapon: string | null;
    /** The amount, if it is known. */
    amount: number | null;
    /** The player's position, to the east. In units. */
    x: number | null;
    /** To the north. In units. */
    y: number | null;
    /** Up. In units. */
    z: number | null;
  };
  /** The position of every player that the recording shows, in each block that has it. */
  positions: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The level's clock; for Quake II the number of the frame, in tenths. In seconds. */
    level_time: number;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number;
    /** The player's slot, counted from 0. */
    slot: number;
    /** The name. */
    name: string;
    /** The team, as in `players`. */
    team: string | null;
    /** Whether it is the player who recorded. */
    is_recorder: boolean;
    /** The player's position, to the east. In units. */
    x: number;
    /** To the north. In units. */
    y: number;
    /** Up. In units. */
    z: number;
    /** Speed to the east: from the server, or else from this position and the one before. Empty if there is none before, or after a teleport. In units/s. */
    velocity_x: number | null;
    /** Speed to the north. In units/s. */
    velocity_y: number | null;
    /** Speed upwards. In units/s. */
    velocity_z: number | null;
    /** Whether the speed is from the server. */
    is_velocity_told: boolean;
    /** The pitch of the player's view: down is positive. In degrees. */
    pitch: number;
    /** The yaw of the player's view: 0 is east, 90 north. In degrees. */
    yaw: number;
    /** The roll of the player's view. In degrees. */
    roll: number;
    /** Whether the player is alive, by health or by the model's animation. */
    is_alive: boolean | null;
    /** The weapon in hand; of other players only if their model shows it. */
    weapon: string | null;
    /** Whether the player stands on something, if it is known. */
    on_ground: boolean | null;
    /** Whether the position is from this block; false if it is the last known one. */
    is_told: boolean;
  };
  /** A row for each shot that is seen or heard, or that QuakeWorld's KTX counts for a player. */
  shots: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The level's clock; empty before its first time. In seconds. */
    level_time: number | null;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number | null;
    /** The player who shot. */
    player: string | null;
    /** The player's slot, counted from 0. */
    slot: number | null;
    /** The player's team. */
    team: string | null;
    /** Whether it is the player who recorded. */
    is_recorder: boolean;
    /** The weapon. */
    weapon: string | null;
    /** The number of pellets, if they can be followed or are counted; a cell of the Thunderbolt counts as one. */
    pellets: number | null;
    /** The number of them that hit a player or a monster. */
    hits: number | null;
    /** The player's position, to the east. In units. */
    x: number | null;
    /** To the north. In units. */
    y: number | null;
    /** Up. In units. */
    z: number | null;
    /** The pitch of the player's view: down is positive. In degrees. */
    pitch: number | null;
    /** The yaw of the player's view: 0 is east, 90 north. In degrees. */
    yaw: number | null;
  };
  /** A row for each line of chat. */
  chat: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1; 0 before the first one is announced. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The level's clock; empty before its first time. In seconds. */
    level_time: number | null;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number | null;
    /** The player who wrote it. */
    player: string | null;
    /** The player's slot, counted from 0, if it is known. */
    slot: number | null;
    /** The player's team. */
    team: string | null;
    /** The text, without codes for colors. */
    text: string;
    /** The bytes of the text, if they differ from it. */
    text_hex: string | null;
    /** Whether it is for the player's team only. */
    is_team: boolean;
  };
  /** The life cycles of items in the level: a row for each time that an item lay there, from when it is first seen or comes back until it is taken. */
  items: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The number of its entity. */
    entity: number;
    /** The item. */
    item: string;
    /** Its position, to the east. In units. */
    x: number;
    /** To the north. In units. */
    y: number;
    /** Up. In units. */
    z: number;
    /** How it appeared: `seen` for the first time, or `back`. */
    came: string;
    /** The first block in which it was there. */
    first_block: number;
    /** The level's clock at that block. In seconds. */
    first_time: number | null;
    /** How many seconds it was away, if it was seen to be taken before. In seconds. */
    away: number | null;
    /** The block in which it was taken; empty if that was not seen. */
    taken_block: number | null;
    /** The level's clock at that block. In seconds. */
    taken_time: number | null;
    /** How many seconds of the recording were before it was taken, all levels together. In seconds. */
    recording_time: number | null;
    /** The player who took it, if that is known. */
    player: string | null;
    /** The player's slot, counted from 0. */
    slot: number | null;
    /** The player's team. */
    team: string | null;
    /** Whether the player is only the nearest one seen there, and not named by the recording. */
    is_guess: boolean | null;
  };
  /** The recorder after each block, from the first time and state that the server sent; in Relay recordings each client, in QuakeWorld's MVDs each player. A server's recording of Quake II has no player's state and so no rows: the positions of its players are in `positions`. */
  ticks: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's clock; for Quake II the number of the frame, in tenths. In seconds. */
    level_time: number;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number;
    /** Relay and MVD: the player's slot, counted from 0. */
    client: number | null;
    /** The player's position, to the east. In Quake it is that of the camera's entity. In units. */
    x: number | null;
    /** To the north. In units. */
    y: number | null;
    /** Up. In units. */
    z: number | null;
    /** Speed to the east; Quake sends it in steps of 16. In units/s. */
    velocity_x: number;
    /** Speed to the north. In units/s. */
    velocity_y: number;
    /** Speed upwards. In units/s. */
    velocity_z: number;
    /** The pitch of the player's view: down is positive. In degrees. */
    pitch: number;
    /** The yaw of the player's view: 0 is east, 90 north. In degrees. */
    yaw: number;
    /** The roll of the view. In degrees. */
    roll: number;
    /** Points of health. */
    health: number;
    /** Points of armor. */
    armor: number;
    /** Ammunition for the weapon in hand. */
    ammo: number;
    /** Quake: shells. */
    shells: number | null;
    /** Quake: nails. */
    nails: number | null;
    /** Quake: rockets. */
    rockets: number | null;
    /** Quake: cells. */
    cells: number | null;
    /** The weapon in hand; empty without one, or if its name is not known. */
    weapon: string | null;
    /** The file of the weapon's model; an empty text without one. */
    weapon_model: string;
    /** The frame of the weapon's animation. */
    weapon_frame: number;
    /** Quake: the items carried. A bit without a name is `bit N`. */
    items: string[] | null;
    /** The player's score. */
    frags: number;
    /** Quake: monsters killed so far. */
    monsters: number | null;
    /** Quake: secrets found so far. */
    secrets: number | null;
    /** Whether the player stands on something; empty if it is not known, as in QuakeWorld. */
    on_ground: boolean | null;
    /** Quake: whether the player is in water. */
    in_water: boolean | null;
    /** Quake: whether the game is paused. */
    is_paused: boolean | null;
    /** Quake II: the kind of movement: `PM_NORMAL`, `PM_SPECTATOR`, `PM_DEAD`, `PM_GIB`, or `PM_FREEZE` as in the intermission. */
    move_type: string | null;
    /** Quake II: the field of view. In degrees. */
    fov: number | null;
  };
  /** A row for each entity that is drawn, in every block that brings entities. In CSV and JSON Lines rows are in the order of time. In a group of rows of Parquet those of an entity lie together, the lowest number first, each in the order of time. */
  entities: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's clock; for Quake II the number of the frame, in tenths. In seconds. */
    level_time: number;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number;
    /** Its number. Players have the numbers from 1 on: their `slot` plus 1. */
    entity: number;
    /** The file of its model; `player` for a model of Quake II that is the one of the player's skin. */
    model: string;
    /** The number of its model. */
    model_id: number;
    /** The frame of the model. */
    frame: number;
    /** The skin. */
    skin: number;
    /** Lights and trails, by the engines' names. A bit without a name is `bit N`. */
    effects: string[];
    /** Its position, to the east. In units. */
    x: number;
    /** To the north. In units. */
    y: number;
    /** Up. In units. */
    z: number;
    /** Its pitch. In degrees. */
    pitch: number;
    /** Its yaw: 0 is east, 90 north. In degrees. */
    yaw: number;
    /** Its roll. In degrees. */
    roll: number;
    /** Quake: the player whose colors it has, counted from 1; 0 is none. */
    colormap: number | null;
    /** Quake: the opacity: 1 is invisible, 255 solid, 0 the usual. */
    alpha: number | null;
    /** Quake II: how it is drawn, by the engine's names. */
    renderfx: string[] | null;
    /** Quake II: the number of the sound that it makes continuously; 0 is none. */
    sound_id: number | null;
    /** Quake II: its event in this frame alone, by the engine's name. */
    event: string | null;
    /** Quake II: the file of the second model, such as the weapon that it carries. */
    model2: string | null;
  };
  /** The events that `moviola events` lists. */
  events: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1; 0 before the first one is announced. */
    level: number;
    /** The level's clock; empty before its first time. In seconds. */
    level_time: number | null;
    /** How many seconds of the recording were before it, all levels together. In seconds. */
    recording_time: number | null;
    /** The kind of event; the names never change their meaning. */
    kind: string;
    /** The player, such as the victim of a kill. */
    player: string | null;
    /** The player's slot, counted from 0, if it is known. */
    player_slot: number | null;
    /** The other player or monster, such as the attacker. */
    other: string | null;
    /** The slot of the other player. */
    other_slot: number | null;
    /** The thing, such as a weapon, an item or a powerup. */
    what: string | null;
    /** The number of the event: points of damage, a score, an amount, seconds. */
    amount: number | null;
    /** The position, to the east; for an event without a position of its own, that of its player. In units. */
    x: number | null;
    /** To the north. In units. */
    y: number | null;
    /** Up. In units. */
    z: number | null;
    /** The event in words. */
    text: string;
    /** All that is known of it, as the JSON object that `moviola events --json` prints. */
    json: string;
  };
  /** A row for each value of each field of every message. Large; made only if it is requested by name. */
  messages: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The block, counted from 0 as in the text. */
    block: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The clock at the message; empty before its first time. In seconds. */
    level_time: number | null;
    /** The number of the message in the block, counted from 0. */
    message: number;
    /** The message's offset in the block. In bytes. */
    byte_offset: number;
    /** Its keyword in the text, which `moviola explain` describes. */
    keyword: string;
    /** Relay: the one client for which it was. */
    client: number | null;
    /** The field; the fields of records in a message have the record's name and number before them. */
    field: string;
    /** The number of the value in the field, counted from 0. */
    part: number;
    /** The value, if it is a number; coordinates and angles in units and degrees. */
    number: number | null;
    /** The value, if it is a string, or the name that a number stands for. */
    text: string | null;
    /** The bytes of a string, if they are not its text. */
    hex: string | null;
  };
  /** QuakeWorld: a row for each number of a player in a match, by the recording's events and by KTX's own statistics. A player's own numbers have neither a weapon nor an item. */
  match_counts: {
    /** The id of the recording, as in `recordings`. */
    recording: string;
    /** The number of the match, counted from 1. */
    match_number: number;
    /** The number of the level, counted from 1. */
    level: number;
    /** The level's file, without folder and ending. */
    map: string;
    /** The kind of match, by the server's info. */
    mode: string | null;
    /** The player. */
    player: string;
    /** The player's slot, counted from 0; empty if only KTX names the player. */
    slot: number | null;
    /** The player's team. */
    team: string | null;
    /** Whether the player is a bot, by KTX's statistics. */
    is_bot: boolean;
    /** The weapon of a weapon's numbers. */
    weapon: string | null;
    /** The item of an item's numbers. */
    item: string | null;
    /** The kind of number: `frags`, `kills`, `damage given` and so on; of weapons `attacks`, `hits`, `kills`, `deaths` and `taken`; of items `taken` and `seconds`. */
    what: string;
    /** The number by the recording's events; empty if the recording does not have it. */
    shown: number | null;
    /** KTX's number; empty without its statistics. */
    reported: number | null;
  };
}
