// The dialog about the game's files and the data that the browser keeps.
import { byId, make } from "./dom";
import { say } from "./notices";
import { state } from "./state";
import type { Store } from "./store";
import { size } from "./time";

export function startData(store: Store): { open(): void } {
  const dialog = byId("data", HTMLDialogElement);
  const stored = byId("stored", HTMLElement);
  const forget = byId("forget", HTMLButtonElement);

  if (!store.lasts)
    byId("kept", HTMLElement).textContent = "Save your work before you close the page, which stores nothing.";

  const count = async () => {
    const bytes = await store.bytes();
    forget.disabled = bytes === 0;
    if (!store.lasts) {
      stored.textContent = "Nothing: this page has no storage here. Save your work before you close it.";
    } else if (bytes === 0) {
      stored.textContent = "Nothing.";
    } else {
      stored.textContent = `${size(bytes)}: the last recording, your cutting lists, and the files of the game. Only this page can read them.`;
    }
  };

  forget.addEventListener("click", async () => {
    await store.forget();
    await count();
    say("Deleted. What is open stays open until you close the tab.");
  });

  state.games.watch((games) => {
    byId("games", HTMLElement).replaceChildren(
      ...games.map(({ name, file }) =>
        make("li", {}, make("span", {}, name), make("small", { class: "num" }, size(file.size))),
      ),
    );
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

/** Why a moment is seen from above, or in colors that nobody chose, the picture does not say by itself. */
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
