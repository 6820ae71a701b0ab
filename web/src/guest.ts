// The player inside of a report. The report has its own tables and list of events, and both show the same moment.
import type { DeckClient } from "./deck";
import { atMostEvery } from "./dom";
import { state } from "./state";
import { showTheme } from "./theme";
import { run, seek } from "./transport";

/** A message of the report to the player. */
type Wish = { moviola: "go"; block: number } | { moviola: "pause" } | { moviola: "theme"; dark: boolean };

/** Whether this page is a part of a report. */
export function isGuest(): boolean {
  return document.getElementById("moviola-recording")?.dataset.inside === "true";
}

export function startGuest(deck: DeckClient): void {
  document.documentElement.classList.add("inside");
  const host = window.parent;
  window.addEventListener("message", async ({ source, data }: MessageEvent<Wish>) => {
    if (source !== host) return;
    if (data.moviola === "pause") run(0);
    if (data.moviola === "theme") showTheme(data.dark ? "dark" : "light");
    if (data.moviola === "go" && state.shown.value !== null)
      seek(await deck.ask("moment", { block: data.block }));
  });
  // The report draws its own curves for each of these.
  const say = atMostEvery(100, () => host.postMessage({ moviola: "at", block: state.block.value }, "*"));
  state.block.watch(say);
  host.postMessage({ moviola: "ready" }, "*");
}
