// The entity to which the line at the cursor of a block's text refers: it is marked in the picture, and named below the
// text.
import type { Triple } from "./api";
import type { DeckClient } from "./deck";
import { byId, whenQuiet } from "./dom";
import { state } from "./state";

/** A place nearer to the eye than this, in units, is inside the body of the player whose view is shown. */
const BODY = 40;

export interface Look {
  /** The place of the eye of the last picture. */
  eye(): Triple | null;
  /** Flies to a place, and looks at it. */
  at(place: Triple): void;
}

export class LinkedLine {
  readonly #deck: DeckClient;
  readonly #area: HTMLTextAreaElement;
  readonly #look: Look;
  readonly #row = byId("text-link", HTMLElement);
  readonly #words = byId("text-link-words", HTMLElement);

  constructor(deck: DeckClient, area: HTMLTextAreaElement, look: Look) {
    this.#deck = deck;
    this.#area = area;
    this.#look = look;
    const update = whenQuiet(80, () => void this.#update());
    for (const event of ["keyup", "pointerup", "input", "focus"]) area.addEventListener(event, update);
    byId("text-look", HTMLElement).addEventListener("click", () => {
      const [place] = state.marked.value;
      if (place !== undefined) look.at(place);
    });
    // The mark shows the entity's position at this moment, so it is removed when the moment changes.
    state.seconds.watch(() => this.forget());
    document.addEventListener("tab", () => this.forget());
  }

  forget(): void {
    if (state.marked.value.length > 0) state.marked.value = [];
    this.#row.hidden = true;
  }

  async #update(): Promise<void> {
    const { value: text, selectionStart, offsetParent } = this.#area;
    if (offsetParent === null || state.shown.value === null) return;
    const line = text.slice(0, selectionStart).split("\n").length;
    const seconds = state.seconds.value;
    const linked = await this.#deck.ask("linked", { seconds, text, line }).catch(() => null);
    if (text !== this.#area.value || seconds !== state.seconds.value) return;
    if (linked === null) {
      this.forget();
      return;
    }
    const { about, places } = linked;
    state.marked.value = places;
    this.#words.textContent = `${this.#where(places)}: ${about}`;
    byId("text-look", HTMLElement).hidden = places.length === 0;
    this.#row.hidden = false;
  }

  #where([place]: readonly Triple[]): string {
    if (place === undefined) return "Not in the picture at this moment";
    const [x, y, z] = this.#look.eye() ?? [Infinity, 0, 0];
    const distance = Math.hypot(place[0] - x, place[1] - y, place[2] - z);
    return distance < BODY ? "The picture is seen from here" : "Marked in the picture";
  }
}
