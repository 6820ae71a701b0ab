/** A level of a recording, from where the server announced it. */
export interface Level {
  /** The name of its file, without folder and ending. */
  map: string | null;
  title: string;
  protocol: number;
  protocol_name: string | null;
  /** The flags that protocol 999 adds. */
  protocol_flags: number;
  /** How many players there is room for. */
  maxclients: number | null;
  /** How many models and sounds it loads. */
  models: number;
  sounds: number;
  /** The block with the announcement, counted from 0, and its offset in the file. */
  block: number;
  offset: number;
  /** The game's time in seconds at the first and at the last frame. */
  start: number | null;
  end: number | null;
  /** How long it was recorded, in seconds of the game. */
  length: number;
}

/** What a recording is, as `moviola info --json` prints it. */
export interface Info {
  /** The kind of file: `dem`, `dm2`, the name of something else that is known, `unknown` or `empty`. */
  format: string;
  /** The protocol of the first level. */
  protocol: number | null;
  protocol_name: string | null;
  protocol_flags: number | null;
  /** The engine that recorded, by its version print. */
  engine: string | null;
  /** The side that made it. */
  side: "client" | "server" | "relay" | "network" | "unknown";
  /** The files of the levels, and the players' names, in order, each once. */
  maps: string[];
  players: string[];
  /** The number of the player who recorded, if it is known. */
  recorder_slot: number | null;
  /** Quake II: the game's folder. */
  game_folder: string | null;
  /** Quake: whether a level belongs to a mission pack, by the models and sounds that it loads. */
  mission_pack: boolean;
  /** Quake: whether Nehahra's additions appear. */
  nehahra: boolean;
  /** Quake: whether a DarkPlaces server recorded. */
  darkplaces: boolean;
  /** The length in seconds of the game, all levels together. */
  length: number | null;
  frames: number;
  blocks: number;
  /** Blocks that a client sent to its server. */
  client_blocks: number;
  largest_block: number;
  messages: number;
  bytes: number;
  /** Blocks that could not be read to their end: how many, and how many bytes of them. */
  raw: { count: number; bytes: number };
  /** How it ends. */
  end: {
    kind: "disconnect" | "mark" | "open" | "truncated" | "trailing" | "no_recording";
    [more: string]: unknown;
  };
  /** Quake: the bytes before the first block, and how each generation of players reads them. */
  header: {
    text: string;
    length: number;
    readers: { reader: string; track: number | null; length: number | null; plays: boolean }[];
  } | null;
  level_count: number;
  /** The levels; of very many only the first. */
  levels: Level[];
}
