// Report and check of the recording. They are computed once for each edit, and only while they are visible.
import type { Inspection, Place } from "./api";
import type { DeckClient } from "./deck";
import { byId, make, problemOf, whenQuiet } from "./dom";
import { state } from "./state";
import { clock } from "./time";

/** A function that fills a panel with an inspection. */
export type Fill = (inspection: Inspection, seek: (seconds: number) => void) => Node[];

/** Fills panels, by their ids, while they are open. */
export function showInspection(
  deck: DeckClient,
  seek: (seconds: number) => void,
  panels: Readonly<Record<string, Fill>>,
): void {
  let inspected: Promise<Inspection> | null = null;
  const filled = new Set<string>();

  // An inspection takes two passes over the recording, and during playback the pictures need that time.
  const update = whenQuiet(150, async () => {
    const open = Object.keys(panels).find((id) => !byId(id, HTMLElement).hidden);
    const isBusy = state.running.value !== 0 || state.opening.value || state.shown.value === null;
    if (open === undefined || isBusy || filled.has(open)) return;
    const panel = byId(open, HTMLElement);
    panel.setAttribute("aria-busy", "true");
    inspected ??= deck.ask("inspect", null);
    const mine = inspected;
    try {
      const inspection = await mine;
      // An edit was made in the meantime, and has its own inspection.
      if (mine !== inspected) return;
      panel.replaceChildren(...(panels[open]?.(inspection, seek) ?? []));
    } catch (problem) {
      if (mine !== inspected) return;
      panel.replaceChildren(make("p", { class: "note" }, problemOf(problem)));
    }
    filled.add(open);
    panel.removeAttribute("aria-busy");
  });

  state.shown.watch((now, before) => {
    // New game data changes the picture, but not the inspection.
    if (now !== null && now.timeline === before?.timeline && now !== before) return;
    inspected = null;
    filled.clear();
    update();
  });
  state.running.watch(update);
  state.opening.watch(update);
  document.addEventListener("tab", update);
}

/** A button that goes to a moment. Its text says what happens there, or names the block. */
export function momentButton(
  { block, seconds }: Place,
  seek: (seconds: number) => void,
  says: string | null = null,
): HTMLButtonElement {
  const button = make("button", { type: "button", class: "place" });
  const where = block === null ? "outside of the blocks" : `block ${block}`;
  button.append(make("span", { class: "num when" }, clock(seconds, 1)), says ?? where);
  button.title = says === null ? "" : where;
  button.addEventListener("click", () => seek(seconds));
  return button;
}

/** A table whose first column has words and whose other columns have numbers. */
export function tableOf(
  caption: string,
  heads: readonly string[],
  rows: readonly HTMLTableRowElement[],
): Node {
  const head = make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, name)));
  return make(
    "table",
    { class: "figures" },
    make("caption", {}, caption),
    make("thead", {}, head),
    make("tbody", {}, ...rows),
  );
}

export function rowOf(first: Node | string, cells: readonly string[]): HTMLTableRowElement {
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, first),
    ...cells.map((cell) => make("td", { class: "num" }, cell)),
  );
}
