// The current block as editable text. A change becomes a line of the cutting list.
import type { DeckClient } from "./deck";
import { byId, problemOf, whenQuiet } from "./dom";
import { Editor } from "./editor";
import { LinkedLine, type Look } from "./linked";
import { say } from "./notices";
import type { CuttingList } from "./script";
import { state, type Typed } from "./state";

/** A first block of Quake II can be a megabyte of text; people do not read or change more than this on a page. */
const MAX_TEXT = 200_000;

export class BlockText {
  readonly #deck: DeckClient;
  readonly #list: CuttingList;
  readonly #panel = byId("panel-text", HTMLElement);
  readonly #heading = byId("text-heading", HTMLElement);
  readonly #buttons = byId("text-buttons", HTMLElement);
  readonly #editor = new Editor(
    byId("text", HTMLTextAreaElement),
    byId("text-under", HTMLElement),
    byId("text-wrong", HTMLElement),
  );
  readonly #linked: LinkedLine;
  /** The shown block; -1 before there is one. */
  #block = -1;
  #text = "";
  /** A moment at which that block is shown. */
  #seconds = 0;

  constructor(deck: DeckClient, list: CuttingList, look: Look) {
    this.#deck = deck;
    this.#list = list;
    const { area } = this.#editor;
    this.#linked = new LinkedLine(deck, area, look);
    // While it plays, the text would change faster than anybody can read, and slow down the pictures.
    const update = whenQuiet(120, () => void this.#update());
    const check = whenQuiet(300, () => void this.#check());
    area.addEventListener("input", () => {
      // The marks of mistakes belong to the words before the change.
      this.#editor.show([]);
      this.#showChange();
      check();
    });
    area.addEventListener("focus", () => {
      // Playing stops when the user begins to type, since the change is for this block.
      state.running.value = 0;
    });
    area.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      void this.#apply();
    });
    byId("text-apply", HTMLElement).addEventListener("click", () => void this.#apply());
    byId("text-discard", HTMLElement).addEventListener("click", () => this.#forget(update));
    state.seconds.watch(update);
    state.running.watch(update);
    state.shown.watch((now, before) => {
      // The blocks at this moment may have changed. Text that is being typed stays, unless another recording was
      // opened.
      if (now?.about.name !== before?.about.name) this.#forget(update);
      if (!this.#isChanged()) {
        this.#block = -1;
        // Text that is typed before the new text arrives would be lost.
        area.readOnly = true;
      }
      update();
    });
    document.addEventListener("tab", update);
    state.typed.watch(({ block }) => {
      if (block !== null && block.text !== area.value) void this.#takeUp(block);
    });
  }

  #isChanged(): boolean {
    return this.#block >= 0 && this.#editor.area.value !== this.#text;
  }

  async #update(): Promise<void> {
    const isBusy = state.running.value !== 0 || state.shown.value === null;
    if (this.#panel.hidden || isBusy || this.#isChanged()) return;
    const seconds = state.seconds.value;
    const { block, text } = await this.#deck
      .ask("text", { seconds })
      .catch((problem) => ({ block: -1, text: problemOf(problem) }));
    if (block === this.#block || this.#isChanged()) return;
    const isLong = text.length > MAX_TEXT;
    const more = isLong ? `\n… and ${text.length - MAX_TEXT} more characters` : "";
    this.#text = text.slice(0, MAX_TEXT) + more;
    this.#block = block;
    this.#seconds = seconds;
    const { area } = this.#editor;
    area.readOnly = isLong || block < 0;
    this.#editor.set(this.#text);
    this.#editor.show([]);
    area.scrollTop = 0;
    area.setSelectionRange(0, 0);
    this.#linked.forget();
    this.#showChange();
  }

  /** Restores a text that was being typed when the tab closed, if the same block is still at that place. */
  async #takeUp({ number, seconds, text }: NonNullable<Typed["block"]>): Promise<void> {
    const now = await this.#deck.ask("text", { seconds }).catch(() => null);
    if (now?.block !== number || this.#isChanged()) return;
    this.#text = now.text;
    this.#block = number;
    this.#seconds = seconds;
    this.#editor.area.readOnly = false;
    this.#editor.set(text);
    this.#showChange();
    void this.#check();
  }

  #showChange(): void {
    const isChanged = this.#isChanged();
    const typed = { number: this.#block, seconds: this.#seconds, text: this.#editor.area.value };
    state.typed.value = { ...state.typed.value, block: isChanged ? typed : null };
    this.#buttons.hidden = !isChanged;
    const block = this.#block < 0 ? "Block" : `Block ${this.#block}`;
    this.#heading.textContent = isChanged ? `${block}, changed` : block;
  }

  async #check(): Promise<string | null> {
    if (!this.#isChanged()) return null;
    const text = this.#editor.area.value;
    const { line, wrong } = await this.#deck.ask("replace", { block: this.#block, text });
    if (text !== this.#editor.area.value) return null;
    this.#editor.show(wrong);
    return wrong.length === 0 ? line : null;
  }

  async #apply(): Promise<void> {
    try {
      await this.#list.settled();
      const line = await this.#check();
      if (line === null) return;
      this.#text = this.#editor.area.value;
      this.#showChange();
      this.#list.append(line);
      say(`Block ${this.#block} is changed: a line of the cutting list, which Undo removes.`);
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
  }

  #forget(update: () => void): void {
    this.#block = -1;
    this.#editor.show([]);
    this.#showChange();
    update();
  }
}
