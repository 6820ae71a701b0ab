// The interface of the deck in WebAssembly: its functions, and the types of their JSON results.

/** The kind of a file that was dropped on the page. */
export interface Dropped {
  kind: "recording" | "archive" | "game" | "other";
  game_files: boolean;
  /** The recordings inside. The path is empty if the file itself is the recording. */
  recordings: { path: string; bytes: number | null }[];
  problem: string | null;
}

export interface Player {
  number: number;
  name: string;
}

export interface Level {
  seconds: number;
  map: string | null;
  title: string;
}

export interface About {
  name: string;
  game: "Quake" | "Quake II" | "QuakeWorld";
  bytes: number;
  blocks: number;
  /** The number of blocks that could not be read completely. */
  damaged: number;
  seconds: number;
  /** The first moment with something to see. */
  first: number;
  title: string;
  levels: Level[];
  players: Player[];
  recorder: number | null;
  edited: boolean;
}

export interface Mark {
  seconds: number;
  /** The time on the game's clock, as `moviola events` lists it. */
  game_time: number | null;
  block: number;
  /** The name of an event's kind, as in `moviola events`. */
  kind: string;
  text: string;
}

/** Seconds, health, armor. */
export type Vital = [number, number, number];

export interface Timeline {
  marks: Mark[];
  vitals: Vital[];
  /** Whether there are more events than listed. */
  more: boolean;
}

export interface Tally {
  done: number;
  total: number;
}

export interface LevelReport {
  map: string | null;
  title: string;
  skill?: string | null;
  how: string;
  /** The level's time; null where it was not finished. */
  seconds: number | null;
  length: number;
  kills: Tally | null;
  secrets: Tally | null;
  scores: { name: string; frags: number | null }[];
}

/** The parts of the report (`moviola report --json`) that the page shows. */
export interface Report {
  protocol: number | null;
  engine: string | null;
  recorder: string | null;
  length: number | null;
  dangers: string[];
  level_count: number;
  levels: LevelReport[];
  seconds: number | null;
  kills: Tally | null;
  secrets: Tally | null;
  players: { name: string; kills: number; deaths: number; suicides: number; streak: number }[];
  weapons: {
    weapon: string;
    shots: number | null;
    pellets: { hits: number; pellets: number } | null;
    kills: number;
    deaths: number;
  }[];
}

/** A place of a finding. */
export interface Place {
  block: number | null;
  seconds: number;
}

export interface Finding {
  code: string;
  severity: string;
  title: string;
  count: number;
  places: Place[];
}

export interface EngineAnswer {
  engine: string;
  plays: string;
  why: string | null;
  place: Place | null;
}

/** Report and check. */
export interface Inspection {
  report: Report;
  /** The time at which each level of the report begins. */
  starts: number[];
  /** Blocks that could be read only in part. */
  unread: number;
  findings: Finding[];
  engines: EngineAnswer[];
}

export interface AuditFinding {
  code: string;
  severity: string;
  title: string;
  /** The question that the finding cannot answer. */
  cannot_know: string;
  count: number;
  evidence: [says: string, place: Place][];
}

export interface Audited {
  /** Whether there was anything to judge. */
  audited: boolean;
  findings: AuditFinding[];
}

export type Triple = [number, number, number];

export const MAP_VIEWS = ["off", "corner", "alone"] as const;
export type MapView = (typeof MAP_VIEWS)[number];

export interface View {
  width: number;
  height: number;
  hud: boolean;
  look: "gl" | "software";
  fov: number | null;
  /** The number of the player whose view is shown; null means the recorder. */
  who: number | null;
  eye: Triple | null;
  angles: Triple | null;
  /** Whether the camera flies freely, and is at `eye`. */
  free: boolean;
  /** Whether the camera is behind the player. */
  chase: boolean;
  /** Whether a free camera shows the paths of the script's cameras as lines. */
  ways: boolean;
  /** Places in the level that are marked in the picture: x, y and z for each place. */
  marked: readonly number[];
  /** Whether the map from above is seen. Where the level is missing, it is seen in any case. */
  map: MapView;
}

/** The entity in the level to which a message refers. */
export interface Linked {
  /** An entity with its name or model, or the keyword of the message. */
  about: string;
  /** Its positions at the moment; empty if it is not visible. */
  places: Triple[];
}

/** A note about an edit: the line of the script, counted from 1, and a sentence. */
export type Note = [line: number, text: string];

/** A mistake in an edit script; line and column count from 1. */
export interface Wrong {
  line: number;
  column: number;
  length: number;
  message: string;
  help: string | null;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  rgba(): Uint8ClampedArray<ArrayBuffer>;
  free(): void;
}

/** An open recording, as the WebAssembly with which the page starts plays it. */
export interface PlayingDeck {
  about(): string;
  addGame(name: string, bytes: Uint8Array): void;
  missing(): string;
  timeline(): string;
  draw(seconds: number, view: View): Frame;
  /** Samples for left and right, alternating, with 48000 a second for each side. */
  sound(from: number, seconds: number, view: View): Int16Array;
  /** The place and the angles of the eye of the last picture. */
  eye(): Float32Array;
  /** Whether the position of the player is known at the moment of the last picture. */
  isInSight(player: number): boolean;
  blockAt(seconds: number): number;
  /** The part between two moments, in the words of scripts. */
  span(from: number, to: number): string;
  secondsOf(block: number): number;
  /** The time of a block on the game's clock, if it has one. */
  gameTimeOf(block: number): number | undefined;
  notes(): string;
  save(): Uint8Array;
  stateHash(seconds: number): string;
  free(): void;
}

/** All functions of the deck, including those that only the complete WebAssembly has. */
export interface EditingDeck extends PlayingDeck {
  text(block: number): string;
  /** The entity to which the message in a line of a block's text refers, or null. Lines count from 1. */
  linked(seconds: number, text: string, line: number): string;
  inspect(): string;
  audit(): string;
  /** Carries out a script, and returns its mistakes. */
  edit(script: string): string;
  subtitle(seconds: number, length: number, text: string): string;
  /** The script with a camera at x, y, z and under pitch, yaw, roll. */
  add_camera(script: string, seconds: number, place: Float32Array): string;
  /** The line of a script that puts a text in the place of a block, and the mistakes of the text. */
  replace(block: number, text: string): string;
  srt(script: string): string;
}
