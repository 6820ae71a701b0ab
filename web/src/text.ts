// The block at hand as text.
import type { DeckClient } from "./deck";
import { byId, whenQuiet } from "./dom";
import { state } from "./state";

/** A first block of Quake II can be a megabyte of text; more than this nobody reads on a page. */
const MOST = 200_000;

export function showText(deck: DeckClient): void {
  const heading = byId("text-heading", HTMLElement);
  const place = byId("text", HTMLElement);
  const panel = byId("panel-text", HTMLElement);
  let shown = -1;

  // While it plays, text would change faster than anybody reads it, and cost the pictures their time.
  const update = whenQuiet(120, async () => {
    if (panel.hidden || state.running.value !== 0 || state.shown.value === null) return;
    const { block, text } = await deck
      .ask("text", { seconds: state.seconds.value })
      .catch((reason: Error) => ({ block: -1, text: reason.message }));
    if (block === shown) return;
    shown = block;
    heading.textContent = block < 0 ? "Block" : `Block ${block}`;
    const more = text.length > MOST ? `\n… and ${text.length - MOST} more characters` : "";
    place.textContent = text.slice(0, MOST) + more;
    place.scrollTop = 0;
  });

  state.seconds.watch(update);
  state.running.watch(update);
  state.shown.watch(() => {
    shown = -1;
    update();
  });
  document.addEventListener("tab", update);
}
