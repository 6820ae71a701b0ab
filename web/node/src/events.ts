// Made from the list in crates/analyse/src/event/kinds.rs; `cargo xtask generated --bless` writes it anew.

/** The keys of every event. */
interface AnyEvent {
  /** The game's time in seconds; missing before a level's first. */
  time?: number;
  /** The block, counted from 0 as in the text. */
  block: number;
  /** The level, counted from 1; 0 before the first is announced. */
  level: number;
  /** The place, if the kind has no other: that of the player who did it or died of it. */
  origin?: [number, number, number];
  /** The parts of the recording that show it. */
  evidence?: string[];
}

/** The fields of each kind of event. */
export interface Kinds {
  /** A level is announced. */
  level_start: {
    /** The level's file, without folder and extension. */
    map?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    map_hex?: string;
    /** Its title. */
    title?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    title_hex?: string;
    /** The protocol's number. */
    protocol?: number;
    /** The greatest number of players. */
    max_clients?: number;
  };
  /** A level ends: another one is announced, or the recording ends. */
  level_end: {
    /** The level's file, without folder and extension. */
    map?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    map_hex?: string;
    /** The kind of end: `intermission`, `finale`, `cutscene`, or `left`. */
    how?: string;
    /** The time that it took, by the rule of speedrunners. */
    seconds?: number;
    /** Monsters killed. */
    kills?: number;
    /** The total of monsters. */
    total_kills?: number;
    /** Secrets found. */
    secrets?: number;
    /** The total of secrets. */
    total_secrets?: number;
  };
  /** The level is over: the scores are shown. */
  intermission: {
  };
  /** The episode is over: a text is shown. */
  finale: {
    /** The text. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
  };
  /** A text over a scene (mission packs). */
  cutscene: {
    /** The text. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
  };
  /** The game stops or goes on. */
  pause: {
    /** Whether it stops. */
    on?: boolean;
  };
  /** A player enters the game. */
  join: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
  };
  /** A player leaves the game. */
  leave: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The player's last score, if the game prints it. */
    frags?: number;
  };
  /** A player takes another name. */
  rename: {
    /** The player, with the new name. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The old name. */
    before?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    before_hex?: string;
  };
  /** A player takes other colors or another skin. */
  recolor: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The shirt's color (Quake). */
    shirt?: number;
    /** The trousers' color (Quake). */
    pants?: number;
    /** The model and skin (Quake II). */
    skin?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    skin_hex?: string;
  };
  /** A player's score changes. */
  frags: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The new score. */
    frags?: number;
    /** The difference from the old score. */
    change?: number;
  };
  /** A chat message. */
  chat: {
    /** The player who sent it, if known. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The message. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
    /** Whether it is for the player's team only. */
    team?: boolean;
    /** Whether the talk sound is played. */
    talk?: boolean;
  };
  /** A line on the console that makes no other event. */
  console: {
    /** The line. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
  };
  /** Text in the middle of the screen. */
  centerprint: {
    /** The text. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
  };
  /** A player dies. */
  kill: {
    /** The player who died, if the line names one. */
    victim?: string;
    /** The player's slot, counted from 0. */
    victim_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    victim_hex?: string;
    /** The killer, if it was a player. */
    attacker?: string;
    /** The player's slot, counted from 0. */
    attacker_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    attacker_hex?: string;
    /** `kill`, `teamkill`, `suicide`, `monster` or `world`. */
    class?: string;
    /** The weapon, the monster or the danger. */
    weapon?: string;
    /** The line that the game prints. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
  };
  /** The recorder picks something up; in an MVD any player. */
  pickup: {
    /** The item. */
    item?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    item_hex?: string;
    /** The amount, if the game prints it. */
    amount?: number;
    /** The player, in an MVD. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The number of the item's entity, if the recording contains it. */
    entity?: number;
    /** The number of seconds until the item comes back, if the recording contains it. */
    respawn?: number;
  };
  /** A dying player leaves a backpack with a weapon, from KTX's data in an MVD. */
  drop: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The weapon in the backpack. */
    weapon?: string;
    /** The number of the backpack's entity. */
    entity?: number;
  };
  /** A player damages a player, perhaps the same one, from MVDSV's data in an MVD. */
  hit: {
    /** The attacker, if it was a player. */
    attacker?: string;
    /** The player's slot, counted from 0. */
    attacker_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    attacker_hex?: string;
    /** The player who was hurt. */
    victim?: string;
    /** The player's slot, counted from 0. */
    victim_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    victim_hex?: string;
    /** The weapon or other cause. */
    weapon?: string;
    /** The points of damage, those of the armor included. */
    damage?: number;
    /** Whether it was splash damage. */
    splash?: boolean;
  };
  /** A match begins, is extended, is interrupted or ends (QuakeWorld's KTX). */
  match: {
    /** `countdown`, `start` after it, `round` of Clan Arena, `overtime` if the time is over and nobody leads, `break` if players stop it, or `end`. */
    what?: string;
  };
  /** A player marks the moment, to find it again, or the game does at the end of a round of `HoonyMode` (`//demomark`). */
  bookmark: {
    /** The player, if the recording says who. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The mark's words, if it has any. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
  };
  /** A player's use of a weapon so far in a match, from KTX's line at each change. */
  accuracy: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The weapon. */
    weapon?: string;
    /** Shots; of shotguns pellets, of the Thunderbolt cells. */
    attacks?: number;
    /** How many of them hit a player; of rockets and grenades those that hit directly. */
    hits?: number;
  };
  /** An item that was taken begins to come back, as KTX says it: the megahealth has worn off. */
  timer: {
    /** The item. */
    item?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    item_hex?: string;
    /** The number of its entity. */
    entity?: number;
    /** The number of seconds until it is back. */
    seconds?: number;
  };
  /** A backpack vanishes that nobody took, as KTX says it. */
  expire: {
    /** The number of its entity. */
    entity?: number;
  };
  /** The recorder changes to another weapon. */
  weapon: {
    /** The new weapon. */
    weapon?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    weapon_hex?: string;
    /** The old weapon. */
    before?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    before_hex?: string;
  };
  /** A player shoots. */
  shot: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The weapon. */
    weapon?: string;
    /** Whether it is the recorder. */
    own?: boolean;
    /** The number of pellets, if they can be traced. */
    pellets?: number;
    /** The number of pellets that hit a player or a monster. */
    hits?: number;
  };
  /** The recorder is hurt. */
  damage: {
    /** The points that the health lost. */
    health?: number;
    /** The points that the armor lost. */
    armor?: number;
    /** The health after it. */
    health_left?: number;
    /** The armor after it. */
    armor_left?: number;
    /** The direction that it came from, in degrees to the left of the player's view. */
    direction?: number;
    /** The position that it came from. */
    origin?: [number, number, number];
    /** The cause or attacker, if it can be inferred. */
    attacker?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    attacker_hex?: string;
  };
  /** A monster is killed. */
  monster: {
    /** The number of monsters killed so far. */
    kills?: number;
    /** The total of monsters. */
    total?: number;
    /** The kind of monster, if one was seen to die. */
    name?: string;
    /** The position where it died. */
    origin?: [number, number, number];
  };
  /** A boss awakes, is hurt or dies, by the sounds that only bosses make. */
  boss: {
    /** The boss. */
    name?: string;
    /** `awake`, `hurt` or `dead`. */
    state?: string;
    /** How often it was heard to be hurt so far. */
    hits?: number;
    /** The number of seconds since it was first heard. */
    seconds?: number;
    /** The position of the sound. */
    origin?: [number, number, number];
  };
  /** A secret is found. */
  secret: {
    /** The number of secrets found so far. */
    secrets?: number;
    /** The total of secrets. */
    total?: number;
  };
  /** The recorder is teleported. */
  teleport: {
    /** The position before. */
    from?: [number, number, number];
    /** The position after. */
    to?: [number, number, number];
  };
  /** The recorder gets a powerup. */
  powerup_start: {
    /** The powerup. */
    powerup?: string;
  };
  /** The recorder loses a powerup. */
  powerup_end: {
    /** The powerup. */
    powerup?: string;
    /** The duration in seconds, if the start was seen. */
    seconds?: number;
  };
  /** An item comes into sight for the first time. */
  item_seen: {
    /** The entity's number. */
    entity?: number;
    /** The item. */
    item?: string;
    /** The item's position. */
    origin?: [number, number, number];
  };
  /** An item that was in sight is taken. */
  item_taken: {
    /** The entity's number. */
    entity?: number;
    /** The item. */
    item?: string;
    /** The item's position. */
    origin?: [number, number, number];
    /** Whether the recorder took it, if it can be inferred. */
    own?: boolean;
    /** The player who took it, if the game says so (MVD). */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
  };
  /** A taken item is back. */
  item_back: {
    /** The entity's number. */
    entity?: number;
    /** The item. */
    item?: string;
    /** The item's position. */
    origin?: [number, number, number];
    /** The number of seconds since it was taken, if that was seen. */
    seconds?: number;
  };
  /** A player enters the level, or comes back to life. */
  spawn: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The player's position. */
    origin?: [number, number, number];
    /** Whether it is the recorder. */
    own?: boolean;
  };
  /** A player is seen to die. */
  death: {
    /** The player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The player's position. */
    origin?: [number, number, number];
    /** Whether it is the recorder. */
    own?: boolean;
  };
  /** A dead player's body stays behind as an entity of its own. */
  body: {
    /** The entity's number. */
    entity?: number;
    /** The dead player. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The body's position. */
    origin?: [number, number, number];
  };
  /** The flag of a team (capture the flag). */
  flag: {
    /** The player; empty if a flag returns on its own. */
    player?: string;
    /** The player's slot, counted from 0. */
    player_slot?: number;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    player_hex?: string;
    /** The flag's team, if the line names it. */
    team?: string;
    /** `taken`, `lost`, `tossed`, `captured`, `returned`, or another achievement: `assist`, `defense`, `bonus`. */
    what?: string;
    /** The line that the game prints. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
  };
  /** The server sends a command for the client's console. */
  command: {
    /** The command. */
    text?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    text_hex?: string;
    /** The dangers of running the command, separated by commas; empty if it is harmless. */
    danger?: string;
    /** The exact bytes in hexadecimal, if they differ from the text. */
    danger_hex?: string;
  };
  /** The server ends the connection. */
  disconnect: {
  };
}

/** The name of a kind of event. */
export type EventKind = keyof Kinds;

/** An event; its `kind` tells which fields it has. */
export type Event = { [K in EventKind]: AnyEvent & { kind: K } & Kinds[K] }[EventKind];
