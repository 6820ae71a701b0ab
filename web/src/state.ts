// The state that the parts of the page share.
import type { MapView, Triple, Wrong } from "./api";
import type { Shown } from "./messages";
import { Signal } from "./signal";

export type Camera =
  | { kind: "recorder" }
  | { kind: "player"; who: number }
  /** Without an eye the camera has not moved yet: it starts from where the view is. */
  | { kind: "free"; eye: Triple | null; angles: Triple | null };

/** The part between the marks; null is "not marked". */
export interface Span {
  start: number | null;
  end: number | null;
}

/** A file of the game: an archive, or a single file with its path in the game. */
export interface GameFile {
  name: string;
  file: Blob;
}

/** Texts that are being typed and not applied yet: a subtitle, and the text of a block. */
export interface Typed {
  subtitle: string;
  block: { number: number; seconds: number; text: string } | null;
}

export const NOTHING_TYPED: Typed = { subtitle: "", block: null };

export const state = {
  /** The edited recording, or null if none is open. */
  shown: new Signal<Shown | null>(null),
  /** Whether a recording is being opened. No picture is requested meanwhile. */
  opening: new Signal(false),
  /** The moment, in seconds of the edited recording. */
  seconds: new Signal(0),
  /** The block at hand. */
  block: new Signal(0),
  /**
   * Its time on the game's clock, by which the report and `moviola events` list what happened; null where that is the time
   * since the recording began.
   */
  gameTime: new Signal<number | null>(null),
  /** Whether the picture is that of the moment at its full size, and no newer one is on its way. */
  isComplete: new Signal(false),
  /** 1 forward, -1 backward, 0 still. */
  running: new Signal<-1 | 0 | 1>(0),
  speed: new Signal(1),
  /** Whether the user drags on the timeline. Pictures are small meanwhile. */
  scrubbing: new Signal(false),
  span: new Signal<Span>({ start: null, end: null }),
  camera: new Signal<Camera>({ kind: "recorder" }),
  /** Whether the position of the player whose view is shown is known. */
  inSight: new Signal(true),
  /** Whether players are shown from behind, instead of their own view. */
  chase: new Signal(false),
  hud: new Signal(true),
  look: new Signal<"gl" | "software">("gl"),
  map: new Signal<MapView>("off"),
  /** The positions of the entity to which the shown text refers. */
  marked: new Signal<readonly Triple[]>([]),
  script: new Signal(""),
  wrong: new Signal<readonly Wrong[]>([]),
  typed: new Signal<Typed>(NOTHING_TYPED),
  /** Whether the recording is heard. */
  sound: new Signal(false),
  /** The kinds of events that are shown on the timeline and in the list. */
  kinds: new Signal<ReadonlySet<string>>(new Set()),
  games: new Signal<readonly GameFile[]>([]),
  missing: new Signal<readonly string[]>([]),
};

export function length(): number {
  return state.shown.value?.about.seconds ?? 0;
}

export interface Part {
  start: number;
  end: number;
}

/** The marked part with its open ends filled in, or null if nothing is marked. */
export function markedPart(): Part | null {
  const { start, end } = state.span.value;
  if (start === null && end === null) return null;
  const part = { start: start ?? 0, end: end ?? length() };
  return part.end - part.start > 1e-3 ? part : null;
}
