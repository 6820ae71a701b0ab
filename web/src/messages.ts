// The requests of the page to the worker, and the answers. Each request has one answer with the same `id`.

import type { About, Audited, Dropped, Inspection, Linked, Note, Timeline, Triple, View, Wrong } from "./api";
import type { ClipKind, ClipRequest } from "./clip";

/** The WebAssembly: its bytes, if the page contains it; else the addresses of the part that plays and of the whole. */
export type Wasm = ArrayBuffer | { first: string; whole: string };

/** The requests by name, with their arguments and results. */
export interface Questions {
  start: { args: { wasm: Wasm; canvas: OffscreenCanvas }; result: null };
  look: { args: { name: string; file: Blob }; result: Dropped };
  /** Opens a recording; `path` is its place inside an archive, empty where the file is the recording. */
  open: { args: { name: string; path: string; file: Blob }; result: Shown };
  addGame: { args: { name: string; file: Blob }; result: null };
  /** Reads the open files into memory if they are still needed, since they are about to be deleted. */
  hold: { args: null; result: null };
  missing: { args: null; result: string[] };
  draw: { args: { seconds: number; view: View }; result: Drawn };
  /** Samples for left and right, alternating, with 48000 a second for each side. */
  sound: { args: { from: number; seconds: number; view: View }; result: Int16Array };
  /** The block at a moment, if there is no picture. */
  block: { args: { seconds: number }; result: number };
  /** The moment at which a block is seen. */
  moment: { args: { block: number }; result: number };
  /** The moment of the next block that shows another moment, forward or backward. */
  step: { args: { seconds: number; by: 1 | -1 }; result: number };
  text: { args: { seconds: number }; result: { block: number; text: string } };
  /** The entity to which the message in a line of a block's text refers; null if there is none. */
  linked: { args: { seconds: number; text: string; line: number }; result: Linked | null };
  /** The line of a script that puts a text in the place of a block, if the text has no mistakes. */
  replace: { args: { block: number; text: string }; result: { line: string; wrong: Wrong[] } };
  /** The part between two moments as edit scripts name it. */
  span: { args: { from: number; to: number }; result: string };
  /** Report and check, which take a while. */
  inspect: { args: null; result: Inspection };
  audit: { args: null; result: Audited };
  edit: { args: { script: string }; result: { wrong: Wrong[]; shown: Shown | null } };
  /** The line of a script that shows a text from a moment on. */
  subtitle: { args: { seconds: number; length: number; text: string }; result: string };
  /** The script with an additional camera position; several positions within a short time make a path. */
  camera: { args: { script: string; seconds: number; eye: Triple; angles: Triple }; result: string };
  /** The subtitles of a script as a file. */
  srt: { args: { script: string }; result: string };
  save: { args: null; result: Uint8Array<ArrayBuffer> };
  /** The kind of film that this browser can make of pictures of a size. */
  clipKind: { args: { width: number; height: number }; result: ClipKind };
  clipBegin: { args: ClipRequest; result: null };
  /** Does the next step of a clip, and returns the part that is done. Other questions are answered between steps. */
  clipStep: { args: null; result: number };
  /** The film, or null if it was canceled. */
  clipEnd: { args: { keep: boolean }; result: Blob | null };
  png: { args: { seconds: number; view: View }; result: Blob };
}

/** The facts about a recording, edited or not, that the page shows. */
export interface Shown {
  about: About;
  timeline: Timeline;
  /** Notes about its edits. */
  notes: readonly Note[];
}

export interface Drawn {
  /** The block that is shown. */
  block: number;
  /** Its time on the game's clock. */
  gameTime: number | null;
  /** Whether the position of the requested player is known. */
  isInSight: boolean;
  /** The place of the eye of the picture, from which a free camera starts. */
  eye: Triple;
  angles: Triple;
}

export type Name = keyof Questions;
export type Question = { [N in Name]: { id: number; name: N; args: Questions[N]["args"] } }[Name];
export type Answer = { id: number; result: unknown } | { id: number; problem: string };
