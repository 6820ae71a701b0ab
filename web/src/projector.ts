// Plays the recording: moves the moment with the clock, and requests pictures, one at a time and always for the newest
// moment.
import type { Triple, View } from "./api";
import type { DeckClient } from "./deck";
import { Quality } from "./quality";
import { length, state } from "./state";

/** After a longer pause, for example of a hidden tab, playback continues where it was instead of leaping ahead. */
const LONGEST_TICK = 0.25;
/** How long the picture must rest, in milliseconds, before it is drawn again at full size. */
const REST = 140;

/** The state on which the picture depends. */
const { seconds, camera, chase, hud, look, map, marked, shown } = state;
const SEEN = [seconds, camera, chase, hud, look, map, marked, shown];

export interface Meter {
  width: number;
  height: number;
  /** Pictures in a second while playing; 0 at rest. */
  rate: number;
}

export class Projector {
  readonly #deck: DeckClient;
  readonly #quality = new Quality();
  readonly #widest: () => number;
  readonly #onDrawn: (meter: Meter) => void;
  readonly #onProblem: (problem: string) => void;
  #isDrawing = false;
  #isRequested = false;
  #restTimer = 0;
  #isAtRest = true;
  #lastTick = 0;
  #times: number[] = [];
  /** The place of the eye of the last picture, and its direction. */
  eye: { eye: Triple; angles: Triple } | null = null;

  /** `widest` is the number of pixels for which the screen has room. */
  constructor(
    deck: DeckClient,
    widest: () => number,
    onDrawn: (meter: Meter) => void,
    onProblem: (problem: string) => void,
  ) {
    this.#deck = deck;
    this.#widest = widest;
    this.#onDrawn = onDrawn;
    this.#onProblem = onProblem;
    state.running.watch((running) => {
      if (running === 0) {
        this.requestPicture();
        return;
      }
      this.#lastTick = performance.now();
      this.#times = [];
      requestAnimationFrame((now) => this.#tick(now));
    });
    state.opening.watch((opening) => {
      if (!opening) this.requestPicture();
    });
    state.scrubbing.watch((scrubbing) => {
      if (!scrubbing) this.requestPicture();
    });
    for (const signal of SEEN) {
      (signal as typeof state.seconds).watch(() => this.requestPicture());
    }
  }

  /** Requests a picture of the moment that is current when the worker is free. */
  requestPicture(): void {
    this.#isAtRest = false;
    this.#isRequested = true;
    state.isComplete.value = false;
    clearTimeout(this.#restTimer);
    this.#restTimer = window.setTimeout(() => this.#drawAtRest(), REST);
    this.#drawIfRequested();
  }

  view(width: number, height: number): View {
    const camera = state.camera.value;
    const free = camera.kind === "free";
    return {
      width,
      height,
      hud: state.hud.value && !free,
      look: state.look.value,
      fov: null,
      who: camera.kind === "player" ? camera.who : null,
      eye: free ? camera.eye : null,
      angles: free ? camera.angles : null,
      free,
      chase: state.chase.value && !free,
      ways: free,
      marked: state.marked.value.flat(),
      map: state.map.value,
    };
  }

  #drawAtRest(): void {
    if (isRunning() || state.scrubbing.value) return;
    this.#isAtRest = true;
    this.#isRequested = true;
    this.#drawIfRequested();
  }

  #tick(now: number): void {
    if (!isRunning()) return;
    this.#advance(now);
    if (isRunning()) requestAnimationFrame((later) => this.#tick(later));
    else this.requestPicture();
  }

  #advance(now: number): void {
    const elapsed = Math.min(LONGEST_TICK, Math.max(0, (now - this.#lastTick) / 1000));
    this.#lastTick = now;
    const moved = state.seconds.value + elapsed * state.speed.value * state.running.value;
    const end = length();
    state.seconds.value = Math.max(0, Math.min(end, moved));
    if (moved >= end || moved < 0) state.running.value = 0;
  }

  async #drawIfRequested(): Promise<void> {
    const shown = state.shown.value;
    if (this.#isDrawing || !this.#isRequested || shown === null || state.opening.value) return;
    this.#isDrawing = true;
    this.#isRequested = false;
    try {
      await this.#draw();
    } catch (problem) {
      this.#onProblem(problem instanceof Error ? problem.message : String(problem));
    }
    this.#isDrawing = false;
    state.isComplete.value = this.#isAtRest && !this.#isRequested;
    this.#drawIfRequested();
  }

  async #draw(): Promise<void> {
    const resting = this.#isAtRest;
    const [width, height] = resting ? Quality.atRest(this.#widest()) : this.#quality.size(this.#widest());
    const askedAt = performance.now();
    const drawn = await this.#deck.ask("draw", {
      seconds: state.seconds.value,
      view: this.view(width, height),
    });
    const answeredAt = performance.now();
    if (!resting) this.#quality.measured(answeredAt - askedAt);
    this.#count(answeredAt);
    this.eye = drawn;
    state.block.value = drawn.block;
    state.gameTime.value = drawn.gameTime;
    state.inSight.value = drawn.isInSight;
    this.#onDrawn({ width, height, rate: isRunning() ? this.#times.length : 0 });
  }

  #count(now: number): void {
    this.#times.push(now);
    while ((this.#times[0] ?? now) < now - 1000) this.#times.shift();
  }
}

function isRunning(): boolean {
  return state.running.value !== 0;
}
