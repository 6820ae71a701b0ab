// The dialog about the game's files and the data that the browser keeps.
import type { DeckClient } from "./deck";
import { byId, make } from "./dom";
import { say } from "./notices";
import { type GameFile, state } from "./state";
import type { Kept, Store } from "./store";
import { size } from "./time";

/** `openKept` opens a recording that was kept. */
export function startData(store: Store, deck: DeckClient, openKept: (kept: Kept) => void): { open(): void } {
  const dialog = byId("data", HTMLDialogElement);
  const recordings = byId("recordings", HTMLElement);
  const stored = byId("stored", HTMLElement);
  const forget = byId("forget", HTMLButtonElement);

  if (!store.isPersistent)
    byId("kept", HTMLElement).textContent = "Save your work before you close the page, which stores nothing.";

  let rows = "";
  const count = async () => {
    const bytes = await store.bytes();
    const all = await store.recordings();
    // Unchanged rows are not replaced, since the user may be about to click one.
    const are = all.map(({ name, file }) => `${name} ${file.lastModified}`).join("\n");
    if (are !== rows) recordings.replaceChildren(...all.map((kept) => recordingRow(kept)));
    rows = are;
    forget.disabled = bytes === 0;
    if (!store.isPersistent) {
      stored.textContent = "Nothing: this page has no storage here. Save your work before you close it.";
    } else if (bytes === 0) {
      stored.textContent = "Nothing.";
    } else {
      stored.textContent = `${size(bytes)}: recordings, your cutting lists, and the files of the game. Only this page can read them.`;
    }
  };

  const recordingRow = (kept: Kept) => {
    const name = make("button", { type: "button", class: "link" }, kept.name);
    name.addEventListener("click", () => {
      dialog.close();
      openKept(kept);
    });
    return row(name, kept, async () => {
      await deck.ask("hold", null);
      await store.forgetRecording(kept);
      await count();
    });
  };

  const gameRow = (game: GameFile) =>
    row(make("span", {}, game.name), game, async () => {
      await deck.ask("hold", null);
      await store.forgetGame(game);
      state.games.value = state.games.value.filter((other) => other !== game);
      if (state.shown.value !== null)
        say(`A recording that you open from now on is drawn without ${game.name}.`);
    });

  forget.addEventListener("click", async () => {
    await deck.ask("hold", null);
    await store.forget();
    state.games.value = [];
    await count();
    say("Deleted. What is open stays open until you close the tab.");
  });

  state.games.watch((games) => {
    byId("games", HTMLElement).replaceChildren(...games.map((game) => gameRow(game)));
    void count();
  });
  state.missing.watch((missing) => {
    byId("missing", HTMLElement).hidden = missing.length === 0;
    byId("missing-list", HTMLElement).replaceChildren(
      ...missing.slice(0, 200).map((name) => make("li", {}, name)),
    );
    const badge = byId("missing-count", HTMLElement);
    badge.hidden = missing.length === 0;
    badge.textContent = `${missing.length} missing`;
    showEmptiness();
  });

  state.camera.watch(showEmptiness);
  state.seconds.watch(showEmptiness);

  return {
    open() {
      void count();
      dialog.showModal();
    },
  };
}

/** A file with its size, and a button that deletes it from the browser. */
function row(name: HTMLElement, { name: called, file }: Kept | GameFile, remove: () => void): HTMLElement {
  const button = make("button", { type: "button", class: "button icon-only" }, "×");
  button.title = `Delete ${called} from this browser`;
  button.setAttribute("aria-label", button.title);
  button.addEventListener("click", remove);
  return make("li", {}, name, make("small", { class: "num" }, size(file.size)), button);
}

/** Explains why a picture is a view from above or has plain colors. */
function showEmptiness(): void {
  const missing = state.missing.value;
  const levels = state.shown.value?.about.levels ?? [];
  const here = levels.findLast(({ seconds }) => seconds <= state.seconds.value) ?? levels[0];
  const level = missing.find((name) => name === `maps/${here?.map}.bsp`);
  const colors = missing.find((name) => name === "gfx/palette.lmp" || name === "pics/colormap.pcx");
  byId("no-level", HTMLElement).hidden = level === undefined && colors === undefined;
  const isAbove = level !== undefined && state.camera.value.kind !== "free";
  const name = level ?? colors ?? "";
  byId("no-level-text", HTMLElement).textContent = isAbove
    ? `Seen from above, because ${name} is missing.`
    : `${name} is not there.`;
}
