// The sheet of all keys, and of the uses of the mouse and fingers.
import { byId, make } from "./dom";
import { KEYS, type Row } from "./keys";

const GESTURES = [
  ["Click on the picture", "Play or pause"],
  ["Drag the picture", "Look around, while the camera flies"],
  ["Two fingers on the picture", "Move the camera, while it flies"],
  ["Drag the timeline", "Scrub"],
  ["Drag a mark", "Move where the part begins or ends"],
  ["Ctrl and wheel, or two fingers", "Zoom the timeline"],
  ["Wheel sideways, or two fingers", "Move along the zoomed timeline"],
] as const;

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
  const list = make("dl");
  for (const [gesture, does] of GESTURES) {
    list.append(make("div", {}, make("dt", {}, gesture), make("dd", {}, does)));
  }
  sheet.append(make("section", {}, make("h3", {}, "Mouse and touch"), list));
}

/** The keys of a shortcut, which stay on one line. */
function keysOf(key: string): HTMLElement {
  // "+" is a key as well as the sign between two.
  const names = key === "+" ? [key] : key.split("+");
  return make("span", { class: "together" }, ...names.map((name) => make("kbd", {}, name)));
}
