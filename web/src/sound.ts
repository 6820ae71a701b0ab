// Sound: the worker mixes it in pieces, ahead of the picture, and the pieces are played one after the other.
import type { View } from "./api";
import type { DeckClient } from "./deck";
import { state } from "./state";

const RATE = 48_000;
/** The length of a piece, in seconds of the recording. */
const PIECE = 0.25;
/** How many seconds before its start a piece is requested, so that the worker has time for some pictures. */
const AHEAD = 0.4;
/** The delay from the request for sound to its beginning. */
const LEAD = 0.12;
/** If picture and sound differ by more seconds than this, the sound starts again. */
const APART = 0.15;
/** Above this speed there is no sound. */
const FASTEST = 2;

export class Speaker {
  readonly #deck: DeckClient;
  readonly #view: () => View;
  readonly #onProblem: (problem: unknown) => void;
  #context: AudioContext | null = null;
  readonly #pieces = new Set<AudioBufferSourceNode>();
  /** The moment of the recording at which the next piece begins, and its time on the clock of the sound. */
  #next = 0;
  #due = 0;
  #asking = false;
  /** Counts the beginnings, so that a piece that was asked for before one is not played behind it. */
  #beginnings = 0;

  constructor(deck: DeckClient, view: () => View, onProblem: (problem: unknown) => void) {
    this.#deck = deck;
    this.#view = view;
    this.#onProblem = onProblem;
    state.sound.watch((on) => {
      // Browsers allow sound only after a key or a click, such as this one.
      if (on) this.#context ??= new AudioContext({ sampleRate: RATE });
      void (on ? this.#context?.resume() : this.#context?.suspend());
      this.#begin();
    });
    state.running.watch(() => this.#begin());
    state.speed.watch(() => this.#begin());
    state.shown.watch(() => this.#begin());
    state.scrubbing.watch(() => this.#begin());
    state.seconds.watch(() => this.#follow());
  }

  #isHeard(): boolean {
    const isOn = state.sound.value && state.running.value === 1 && state.speed.value <= FASTEST;
    return isOn && !state.opening.value && !state.scrubbing.value && state.shown.value !== null;
  }

  /** Stops the sound, and starts it again at the current moment. */
  #begin(): void {
    this.#beginnings += 1;
    for (const piece of this.#pieces) piece.stop();
    this.#pieces.clear();
    if (this.#context === null) return;
    this.#due = this.#context.currentTime + LEAD;
    this.#next = state.seconds.value + LEAD * state.speed.value;
  }

  #follow(): void {
    const context = this.#context;
    // Without a sound card the context never runs.
    if (context?.state !== "running" || !this.#isHeard()) return;
    const left = this.#due - context.currentTime;
    const heard = this.#next - left * state.speed.value;
    if (left < 0 || Math.abs(heard - state.seconds.value) > APART) this.#begin();
    if (!this.#asking && this.#due - context.currentTime < AHEAD) void this.#ask(context);
  }

  async #ask(context: AudioContext): Promise<void> {
    this.#asking = true;
    const beginning = this.#beginnings;
    try {
      const args = { from: this.#next, seconds: PIECE, view: this.#view() };
      const samples = await this.#deck.ask("sound", args);
      if (beginning === this.#beginnings && this.#isHeard()) this.#play(context, samples);
    } catch (problem) {
      state.sound.value = false;
      this.#onProblem(problem);
    }
    this.#asking = false;
  }

  #play(context: AudioContext, samples: Int16Array): void {
    const buffer = context.createBuffer(2, samples.length / 2, RATE);
    for (const side of [0, 1]) {
      const channel = buffer.getChannelData(side);
      for (let at = 0; at < channel.length; at += 1) channel[at] = (samples[2 * at + side] ?? 0) / 32_768;
    }
    const piece = new AudioBufferSourceNode(context, { buffer, playbackRate: state.speed.value });
    piece.connect(context.destination);
    piece.addEventListener("ended", () => this.#pieces.delete(piece));
    piece.start(this.#due);
    this.#pieces.add(piece);
    this.#next += PIECE;
    this.#due += PIECE / state.speed.value;
  }
}
