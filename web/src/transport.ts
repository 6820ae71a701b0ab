// Moves along the recording: playing, speeds, jumps and steps.
import type { DeckClient } from "./deck";
import { problemOf } from "./dom";
import { say } from "./notices";
import { SPEEDS } from "./screen";
import { length, state } from "./state";

export function run(direction: -1 | 0 | 1): void {
  if (state.shown.value === null) return;
  // At the end of the recording, playing starts at the beginning again.
  if (direction === 1 && state.seconds.value >= length()) state.seconds.value = 0;
  state.running.value = direction;
}

/** The keys J and L of editing desks: the first press plays, each further press in the same direction is faster. */
export function shuttle(direction: -1 | 1): void {
  if (state.running.value === direction) changeSpeed(1);
  else state.speed.value = 1;
  run(direction);
}

export function changeSpeed(by: -1 | 1): void {
  state.speed.value = SPEEDS[SPEEDS.indexOf(state.speed.value) + by] ?? state.speed.value;
}

export function seek(seconds: number): void {
  state.seconds.value = Math.max(0, Math.min(length(), seconds));
}

/**
 * The steps that the worker is still looking up. Each begins at the result of the one before, however fast the keys are
 * pressed.
 */
let steps: Promise<void> = Promise.resolve();

/** Pauses at the next block that shows another moment. */
export function step(deck: DeckClient, by: -1 | 1): void {
  if (state.shown.value === null) return;
  run(0);
  steps = steps.then(async () => {
    try {
      seek(await deck.ask("step", { seconds: state.seconds.value, by }));
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
  });
}

/** Calls a function when all earlier steps are done. */
export function afterSteps(work: () => void): () => void {
  return () => void steps.then(work);
}
