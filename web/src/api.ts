// The deck as WebAssembly gives it: the functions, and the shapes of the JSON that they answer with.

/** What a file is that was dropped on the page. */
export interface Dropped {
  kind: "recording" | "archive" | "game" | "other";
  game_files: boolean;
  /** The recordings inside; the path is empty where the file itself is the recording. */
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
  seconds: number;
  /** The first moment that is worth a look. */
  first: number;
  /** False where there are no pictures of this game yet; timeline and text still work. */
  draws: boolean;
  title: string;
  levels: Level[];
  players: Player[];
  recorder: number | null;
  edited: boolean;
}

export interface Mark {
  seconds: number;
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
  /** Whether there are more events than are listed. */
  more: boolean;
}

export type Triple = [number, number, number];

export interface View {
  width: number;
  height: number;
  hud: boolean;
  look: "gl" | "software";
  fov: number | null;
  /** The number of the player whose eyes see; null is the recorder. */
  who: number | null;
  eye: Triple | null;
  angles: Triple | null;
  /** Whether the camera flies by itself at `eye`. */
  free: boolean;
}

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

export interface Deck {
  about(): string;
  addGame(name: string, bytes: Uint8Array): void;
  missing(): string;
  timeline(): string;
  draw(seconds: number, view: string): Frame;
  /** The place and the angles of the eye of the last picture. */
  eye(): Float32Array;
  blockAt(seconds: number): number;
  /** The part between two moments, in the words of scripts. */
  span(from: number, to: number): string;
  secondsOf(block: number): number;
  text(block: number): string;
  edit(script: string): string;
  save(): Uint8Array;
  stateHash(seconds: number): string;
  free(): void;
}
