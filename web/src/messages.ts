// The questions of the page to the worker, and the answers. Each question has one answer with the same number.

import type { About, Audited, Dropped, Inspection, Linked, Note, Timeline, Triple, View, Wrong } from "./api";
import type { ClipKind, ClipRequest } from "./clip";

/** The WebAssembly: in the page, or two addresses, of that with which the page starts and of all of it. */
export type Wasm = ArrayBuffer | { first: string; whole: string };

/** The requests by name, with their arguments and results. */
export interface Questions {
  start: { take: { wasm: Wasm; canvas: OffscreenCanvas }; give: null };
  look: { take: { name: string; file: Blob }; give: Dropped };
  /** Opens a recording; `path` is its place inside an archive, empty where the file is the recording. */
  open: { take: { name: string; path: string; file: Blob }; give: Shown };
  addGame: { take: { name: string; file: Blob }; give: null };
  /** Reads the files of the open recording, which are about to be deleted, as far as they are still needed. */
  hold: { take: null; give: null };
  missing: { take: null; give: string[] };
  draw: { take: { seconds: number; view: View }; give: Drawn };
  /** Samples for left and right by turns, 48000 a second each. */
  sound: { take: { from: number; seconds: number; view: View }; give: Int16Array };
  /** The block at hand, where there is no picture. */
  block: { take: { seconds: number }; give: number };
  /** When a block is seen. */
  moment: { take: { block: number }; give: number };
  /** The moment of the next block that shows another moment, forward or backward. */
  step: { take: { seconds: number; by: 1 | -1 }; give: number };
  text: { take: { seconds: number }; give: { block: number; text: string } };
  /** The thing that the message in a line of a block's text is about; null where it is nothing in the level. */
  linked: { take: { seconds: number; text: string; line: number }; give: Linked | null };
  /** The line of a script that puts a text in the place of a block, if the text has no mistakes. */
  replace: { take: { block: number; text: string }; give: { line: string; wrong: Wrong[] } };
  /** The part between two moments as edit scripts name it. */
  span: { take: { from: number; to: number }; give: string };
  /** Report and check, which take a while. */
  inspect: { take: null; give: Inspection };
  audit: { take: null; give: Audited };
  edit: { take: { script: string }; give: { wrong: Wrong[]; shown: Shown | null } };
  /** The line of a script that shows a text from a moment on. */
  subtitle: { take: { seconds: number; length: number; text: string }; give: string };
  /** The script with a camera at a place; several near each other are one way. */
  camera: { take: { script: string; seconds: number; eye: Triple; angles: Triple }; give: string };
  /** The subtitles of a script as a file. */
  srt: { take: { script: string }; give: string };
  save: { take: null; give: Uint8Array<ArrayBuffer> };
  /** A clip is made in steps, between which other questions are answered; a step gives the part that is done. */
  /** The kind of film that this browser can make of pictures of a size. */
  clipKind: { take: { width: number; height: number }; give: ClipKind };
  clipBegin: { take: ClipRequest; give: null };
  clipStep: { take: null; give: number };
  /** The film, or null where it is given up. */
  clipEnd: { take: { keep: boolean }; give: Blob | null };
  png: { take: { seconds: number; view: View }; give: Blob };
}

/** The facts about a recording, edited or not, that the page shows. */
export interface Shown {
  about: About;
  timeline: Timeline;
  /** Notes about its edits. */
  notes: readonly Note[];
}

export interface Drawn {
  /** The block at hand. */
  block: number;
  /** Its time on the game's clock. */
  gameTime: number | null;
  /** Whether the player who was asked for is there. */
  isInSight: boolean;
  /** The place of the eye of the picture, from which a free camera starts. */
  eye: Triple;
  angles: Triple;
}

export type Name = keyof Questions;
export type Question = { [N in Name]: { id: number; name: N; take: Questions[N]["take"] } }[Name];
export type Answer = { id: number; give: unknown } | { id: number; problem: string };
