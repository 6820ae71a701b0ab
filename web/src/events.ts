// The list of events. With it, users of screen readers can navigate a recording.
import type { Mark } from "./api";
import { atMostEvery, byId, make, oncePerFrame, whenQuiet } from "./dom";
import { kindOf } from "./kinds";
import { state } from "./state";
import { clock } from "./time";

/** The number of rows that are made at once; a click on the last row adds as many. */
const PAGE = 250;

export function showEvents(seek: (seconds: number) => void): void {
  const list = byId("events", HTMLOListElement);
  const note = byId("events-note", HTMLElement);
  const find = byId("find", HTMLInputElement);
  let marks: readonly Mark[] = [];
  let rows: HTMLButtonElement[] = [];
  let most = PAGE;
  let current = -1;
  let isPointed = false;

  const fill = () => {
    const words = find.value.trim().toLowerCase();
    const all = state.shown.value?.timeline.marks ?? [];
    marks = all.filter(
      (mark) =>
        state.kinds.value.has(mark.kind) &&
        (words === "" || `${kindOf(mark.kind).label} ${mark.text}`.toLowerCase().includes(words)),
    );
    rows = marks.slice(0, most).map(rowOf);
    list.replaceChildren(...rows.map((row) => make("li", {}, row)));
    if (marks.length > most) list.append(make("li", {}, moreButton()));
    const more = state.shown.value?.timeline.more
      ? "The recording has more events than this list can show."
      : "";
    note.textContent = sentence(marks.length, all.length, words) || more;
    current = -1;
    follow();
  };

  const rowOf = (mark: Mark): HTMLButtonElement => {
    const { label, color } = kindOf(mark.kind);
    const row = make("button", { type: "button", class: "event", tabindex: "-1" });
    row.style.setProperty("--mark", `var(${color})`);
    row.append(
      make("span", { class: "num when", ...gameTimeOf(mark) }, clock(mark.seconds, 1)),
      make("i", { class: "dot" }),
      make("span", { class: "kind" }, label),
      make("span", { class: "what" }, textWithoutKind(mark)),
    );
    row.addEventListener("click", () => seek(mark.seconds));
    return row;
  };

  const moreButton = () => {
    const button = make("button", { type: "button", class: "button more" }, `Show ${PAGE} more`);
    button.addEventListener("click", ({ detail }) => {
      const first = rows.length;
      most += PAGE;
      fill();
      // After a press by key, the focus moves to the first new row, not to the start of the page.
      if (detail === 0) rows[first]?.focus();
    });
    return button;
  };

  /** Marks the current row, and scrolls to it unless the pointer is over the list. */
  const follow = () => {
    let now = marks.findLastIndex((mark) => mark.seconds <= state.seconds.value + 1e-3);
    now = Math.min(now, rows.length - 1);
    if (now === current) return;
    rows[current]?.removeAttribute("aria-current");
    current = now;
    for (const row of list.querySelectorAll("[tabindex='0']")) row.setAttribute("tabindex", "-1");
    const row = rows[Math.max(0, now)];
    row?.setAttribute("tabindex", "0");
    if (now < 0) return;
    row?.setAttribute("aria-current", "true");
    if (!isPointed && !list.contains(document.activeElement)) center(row);
  };

  // Scrolls only the list: `scrollIntoView` would scroll the whole page on a phone.
  const center = (row: HTMLElement | undefined) => {
    if (row === undefined) return;
    const [box, at] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
    if (at.top < box.top || at.bottom > box.bottom) list.scrollTop += at.top - box.top - box.height / 2;
  };

  list.addEventListener("keydown", (event) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    const at = rows.indexOf(document.activeElement as HTMLButtonElement);
    const next = rows[at + by];
    if (by === 0 || at < 0 || next === undefined) return;
    event.preventDefault();
    next.focus();
  });
  list.addEventListener("pointerenter", () => {
    isPointed = true;
  });
  list.addEventListener("pointerleave", () => {
    isPointed = false;
  });
  const refill = whenQuiet(60, () => {
    most = PAGE;
    fill();
  });
  find.addEventListener("input", refill);
  state.kinds.watch(oncePerFrame(fill));
  state.shown.watch(oncePerFrame(fill));
  state.seconds.watch(atMostEvery(120, follow));
}

function sentence(found: number, all: number, words: string): string {
  if (all === 0) return "The deck found no events in this recording.";
  if (found > 0) return "";
  if (words !== "") return `No event shown contains “${words}”.`;
  return "All kinds of marks are off; the buttons above the timeline turn them on.";
}

/** The game time of the event, which the report and the command line show, if it differs from the time in the list. */
function gameTimeOf({ seconds, game_time }: Mark): Record<string, string> {
  if (game_time === null || clock(game_time, 1) === clock(seconds, 1)) return {};
  return { title: `${clock(game_time, 1)} in the game` };
}

/** The description without the kind, with which it begins and which has a column of its own. */
function textWithoutKind(mark: Mark): string {
  const start = mark.kind.replaceAll("_", " ");
  const text = mark.text.replace(/\s+/g, " ");
  return text.startsWith(start) ? text.slice(start.length).trim() : text;
}
