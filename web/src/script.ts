// The cutting list: an edit script, which the deck carries out as soon as it changes.
import type { DeckClient } from "./deck";
import { byId, make, problemOf, whenQuiet } from "./dom";
import { Editor } from "./editor";
import { History } from "./history";
import { say } from "./notices";
import { length, markedPart, type Part, state } from "./state";
import { clock } from "./time";

export class CuttingList {
  readonly history = new History();
  readonly #deck: DeckClient;
  readonly #editor = new Editor(
    byId("script", HTMLTextAreaElement),
    byId("script-under", HTMLElement),
    byId("wrong", HTMLElement),
  );
  readonly #area = this.#editor.area;
  #isEditing = false;
  /** The script whose result is shown; null if the last script had mistakes. */
  #shownScript: string | null = null;
  #mustRunAgain = false;
  #onResult: (() => void) | null = null;

  constructor(deck: DeckClient) {
    this.#deck = deck;
    const typed = whenQuiet(300, () => this.set(this.#area.value));
    this.#area.addEventListener("input", () => {
      // The marks of mistakes belong to the words before the change.
      state.wrong.value = [];
      typed();
    });
    state.wrong.watch((wrong) => this.#editor.show(wrong));
    state.shown.watch((shown) => {
      const rows = (shown?.notes ?? []).map(([line, text]) => {
        const number = make("b", { class: "num" }, `line ${line}`);
        return make("li", {}, number, make("span", {}, text));
      });
      byId("script-notes", HTMLElement).replaceChildren(...rows);
    });
    this.#show("");
  }

  /** Starts with the stored history of this recording, or with an empty history. */
  restart(kept: unknown): void {
    this.history.restore(kept);
    state.wrong.value = [];
    this.#shownScript = "";
    this.#show(this.history.now);
    if (state.script.value !== "") this.#edit();
  }

  /** Replaces the script; `onResult` runs when the deck shows its result. */
  set(script: string, onResult: (() => void) | null = null): void {
    this.history.push(script);
    if (script === this.#shownScript && onResult === null) return;
    this.#show(script);
    this.#onResult = onResult;
    this.#edit();
  }

  /** Runs the script once more, since its notes may change with more files of the game. */
  renewNotes(): void {
    if ((state.shown.value?.notes.length ?? 0) > 0) void this.#edit();
  }

  undo(): void {
    this.takeTyped();
    if (this.history.canUndo) this.#step(this.history.undo());
  }

  redo(): void {
    this.takeTyped();
    if (this.history.canRedo) this.#step(this.history.redo());
  }

  /** Adds a line about the marked part. */
  async add(command: "cut" | "drop" | "retime 0.5"): Promise<void> {
    const part = markedPart();
    if (part === null) {
      say("Mark a part first: [ sets where it begins, ] where it ends.");
      return;
    }
    const span = await this.#deck.ask("span", { from: part.start, to: part.end });
    const line = `${command} ${span}  # ${clock(part.start)} to ${clock(part.end)}`;
    const [seconds, lengthBefore] = [state.seconds.value, length()];
    this.set(`${this.#lines()}${line}\n`, () => {
      state.span.value = { start: null, end: null };
      const moment = momentAfter(command, part, seconds, length() - lengthBefore);
      state.seconds.value = Math.max(0, Math.min(length(), moment));
    });
  }

  /** Adds a line that shows a text from this moment on; returns false if the deck refuses it. */
  async addSubtitle(text: string, length: number): Promise<boolean> {
    try {
      await this.settled();
      const line = await this.#deck.ask("subtitle", { seconds: state.seconds.value, length, text });
      this.append(line);
      return true;
    } catch (problem) {
      say(problemOf(problem), "problem");
      return false;
    }
  }

  /** Puts a camera where the free camera is: a shot from this moment on, or another place of the last shot. */
  async placeCamera(): Promise<void> {
    const camera = state.camera.value;
    if (camera.kind !== "free" || camera.eye === null || camera.angles === null) {
      say("Fly the camera first: C starts it, then drag to look and W, A, S, D to fly.");
      return;
    }
    const { eye, angles } = camera;
    try {
      await this.settled();
      const [seconds, before] = [state.seconds.value, this.#lines()];
      const script = await this.#deck.ask("camera", { script: before, seconds, eye, angles });
      this.set(script);
      const isAnother = script.split("\n").length === before.split("\n").length;
      say(
        isAnother
          ? `The camera also passes here at ${clock(seconds)}. Stop flying (Esc) to see the shot.`
          : `A camera stands here from ${clock(seconds)} on. Go on in time, fly on, and put it again: it will move.`,
      );
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
  }

  /** Adds a line. */
  append(line: string): void {
    this.set(`${this.#lines()}${line}\n`);
  }

  /** The text of the list, with a line end at its end, so that another line can follow. */
  #lines(): string {
    const before = this.#area.value.trimEnd();
    return before === "" ? "" : `${before}\n`;
  }

  /** Runs the script if it was changed a moment ago; returns false if it has mistakes. */
  async settled(): Promise<boolean> {
    this.set(this.#area.value);
    while (this.#isEditing) await new Promise((done) => setTimeout(done, 10));
    return state.wrong.value.length === 0;
  }

  /** Text that was typed but not run yet becomes a separate undo step. */
  takeTyped(): void {
    this.history.push(this.#area.value);
  }

  #step(script: string): void {
    this.#show(script);
    this.#onResult = null;
    this.#edit();
  }

  #show(script: string): void {
    state.script.value = script;
    this.#editor.set(script);
    enable("undo", this.history.canUndo);
    enable("redo", this.history.canRedo);
  }

  /** Runs the script. Changes that are made in the meantime are run together afterwards. */
  async #edit(): Promise<void> {
    if (this.#isEditing) {
      this.#mustRunAgain = true;
      return;
    }
    this.#isEditing = true;
    this.#area.ariaBusy = "true";
    do {
      this.#mustRunAgain = false;
      await this.#editOnce(state.script.value);
    } while (this.#mustRunAgain);
    this.#isEditing = false;
    this.#area.ariaBusy = null;
  }

  async #editOnce(script: string): Promise<void> {
    try {
      const { wrong, shown } = await this.#deck.ask("edit", { script });
      if (script !== state.script.value) return;
      state.wrong.value = wrong;
      this.#shownScript = shown === null ? null : script;
      if (shown === null) return;
      state.shown.value = shown;
      state.seconds.value = Math.min(state.seconds.value, length());
      this.#onResult?.();
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
    this.#onResult = null;
  }
}

function enable(action: string, can: boolean): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>(`[data-action=${action}]`)) {
    button.disabled = !can;
  }
}

/** The moment to show after the edit: in the edited part, or the same as before. */
function momentAfter(command: string, part: Part, seconds: number, longer: number): number {
  // The end stays the end of the recording, so later moments move by the change of the length.
  if (command === "cut") return length() - (part.end - part.start);
  if (seconds >= part.end) return seconds + longer;
  return Math.min(seconds, part.start);
}
