// The sheet of all keys.
import { byId, make } from "./dom";
import { KEYS, type Row } from "./keys";

export function fillHelp(): void {
  const groups = Map.groupBy(KEYS as readonly Row[], (row) => row.group);
  const sheet = byId("help-keys", HTMLElement);
  for (const [group, rows] of groups) {
    const list = make("dl");
    for (const row of rows) {
      if (row.keys.length === 0) continue;
      const keys = row.keys.flatMap((key, at) => [at > 0 ? " or " : "", keysOf(key)]);
      list.append(make("div", {}, make("dt", {}, ...keys), make("dd", {}, row.label)));
    }
    sheet.append(make("section", {}, make("h3", {}, group), list));
  }
}

/** Keys that are pressed together stay on one line. */
function keysOf(key: string): HTMLElement {
  // "+" is a key as well as the sign between two.
  const names = key === "+" ? [key] : key.split("+");
  return make("span", { class: "together" }, ...names.map((name) => make("kbd", {}, name)));
}
