// The table of keys. The help sheet, the tooltips, the buttons and the handler are made from it.

export interface Row {
  readonly action: string;
  readonly label: string;
  readonly group: string;
  /** The names of the keys; on a Mac, Cmd acts as Ctrl. */
  readonly keys: readonly string[];
  /** Works as long as it is held, and only while the camera flies. */
  readonly held?: boolean;
}

export const KEYS = [
  { action: "play", label: "Play or pause", group: "Playing", keys: ["Space"] },
  { action: "backward", label: "Play backward; again: faster", group: "Playing", keys: ["J"] },
  { action: "pause", label: "Pause", group: "Playing", keys: ["K"] },
  { action: "forward", label: "Play forward; again: faster", group: "Playing", keys: ["L"] },
  { action: "slower", label: "Slower", group: "Playing", keys: ["-"] },
  { action: "faster", label: "Faster", group: "Playing", keys: ["+", "="] },
  { action: "stepBack", label: "One block back", group: "Moving", keys: [","] },
  { action: "stepOn", label: "One block forward", group: "Moving", keys: ["."] },
  { action: "jumpBack", label: "5 seconds back", group: "Moving", keys: ["←"] },
  { action: "jumpOn", label: "5 seconds forward", group: "Moving", keys: ["→"] },
  { action: "previous", label: "To the previous mark", group: "Moving", keys: ["P"] },
  { action: "next", label: "To the next mark", group: "Moving", keys: ["N"] },
  { action: "first", label: "To the start", group: "Moving", keys: ["Home"] },
  { action: "last", label: "To the end", group: "Moving", keys: ["End"] },
  { action: "zoom", label: "Zoom to the marked part, or out", group: "Moving", keys: ["Z"] },
  { action: "markIn", label: "Mark in: the part begins here", group: "Cutting", keys: ["["] },
  { action: "markOut", label: "Mark out: the part ends here", group: "Cutting", keys: ["]"] },
  { action: "clearMarks", label: "Remove the marks", group: "Cutting", keys: ["Shift+X"] },
  { action: "keep", label: "Keep only the marked part", group: "Cutting", keys: ["Shift+K"] },
  { action: "drop", label: "Drop the marked part", group: "Cutting", keys: ["Shift+D"] },
  { action: "slow", label: "Marked part in slow motion", group: "Cutting", keys: ["Shift+S"] },
  { action: "subtitle", label: "Type a subtitle at this moment", group: "Cutting", keys: ["Shift+T"] },
  { action: "camera", label: "Put a camera here", group: "Cutting", keys: ["Shift+C"] },
  { action: "undo", label: "Undo", group: "Cutting", keys: ["Ctrl+Z"] },
  { action: "redo", label: "Redo", group: "Cutting", keys: ["Ctrl+Y", "Ctrl+Shift+Z"] },
  { action: "full", label: "Fill the screen", group: "Picture and sound", keys: ["F"] },
  { action: "hud", label: "Status bar on or off", group: "Picture and sound", keys: ["H"] },
  { action: "look", label: "GL or software look", group: "Picture and sound", keys: ["G"] },
  { action: "map", label: "Map: in the corner, alone, off", group: "Picture and sound", keys: ["B"] },
  { action: "sound", label: "Sound on or off", group: "Picture and sound", keys: ["M"] },
  { action: "eyes", label: "The next player's eyes", group: "Picture and sound", keys: ["V"] },
  {
    action: "chase",
    label: "View from behind the player, on or off",
    group: "Picture and sound",
    keys: ["X"],
  },
  { action: "fly", label: "Fly the camera, or stop flying", group: "Picture and sound", keys: ["C"] },
  { action: "flyAhead", label: "Fly ahead", group: "Flying", keys: ["W"], held: true },
  { action: "flyBack", label: "Fly back", group: "Flying", keys: ["S"], held: true },
  { action: "flyLeft", label: "Fly left", group: "Flying", keys: ["A"], held: true },
  { action: "flyRight", label: "Fly right", group: "Flying", keys: ["D"], held: true },
  { action: "flyDown", label: "Fly down", group: "Flying", keys: ["Q"], held: true },
  { action: "flyUp", label: "Fly up", group: "Flying", keys: ["E"], held: true },
  { action: "turnLeft", label: "Look left", group: "Flying", keys: ["Shift+←"], held: true },
  { action: "turnRight", label: "Look right", group: "Flying", keys: ["Shift+→"], held: true },
  { action: "lookUp", label: "Look up", group: "Flying", keys: ["Shift+↑"], held: true },
  { action: "lookDown", label: "Look down", group: "Flying", keys: ["Shift+↓"], held: true },
  { action: "leave", label: "Stop flying", group: "Flying", keys: ["Esc"] },
  { action: "open", label: "Open a recording", group: "Files", keys: ["O"] },
  { action: "data", label: "Game data and stored files", group: "Files", keys: ["Shift+O"] },
  { action: "saveRecording", label: "Save the recording", group: "Files", keys: ["Ctrl+S"] },
  { action: "saveScript", label: "Save the edit script", group: "Files", keys: [] },
  { action: "saveSubtitles", label: "Save the subtitles", group: "Files", keys: [] },
  { action: "saveClip", label: "Save the marked part as a film", group: "Files", keys: [] },
  { action: "savePicture", label: "Save the picture of this moment", group: "Files", keys: ["Shift+P"] },
  { action: "copyLink", label: "Copy a link to this moment", group: "Files", keys: ["Shift+L"] },
  { action: "theme", label: "Light or dark", group: "Page", keys: ["T"] },
  { action: "help", label: "All keys", group: "Page", keys: ["?"] },
] as const satisfies readonly Row[];

type Rows = (typeof KEYS)[number];
export type HeldAction = Extract<Rows, { held: true }>["action"];
export type Action = Exclude<Rows["action"], HeldAction>;
export type Actions = Record<Action, () => void>;

const NAMED: Record<string, string> = {
  " ": "Space",
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
};

/** The characters of keys by their position, for keyboards of other scripts. */
const PLACES: Record<string, string> = { BracketLeft: "[", BracketRight: "]", Comma: ",", Period: "." };

/** The character of a key. On keyboards of other scripts, such as Greek, the position of the key decides. */
function signOf({ key, code }: KeyboardEvent): string {
  const isForeign = /^\p{L}$/u.test(key) && !/\p{Script=Latin}/u.test(key);
  const sign = isForeign ? (PLACES[code] ?? /^Key([A-Z])$/.exec(code)?.[1] ?? key) : key;
  return NAMED[sign] ?? (/^[a-z]$/i.test(sign) ? sign.toUpperCase() : sign);
}

/** Many keyboards have signs such as [ only together with AltGr or, on a Mac, with Option. */
const needsAlt = ({ key }: KeyboardEvent) => /^[^\p{L}\d\s]$/u.test(key);

/** The key as the table writes it. */
export function nameOf(event: KeyboardEvent): string {
  const name = signOf(event);
  // Shift is a part of characters such as "?"; only with letters does it count as a key.
  const shift = event.shiftKey && /^[A-Z]$/.test(name) ? "Shift+" : "";
  const isByAltGr = event.altKey && needsAlt(event);
  return `${(event.ctrlKey || event.metaKey) && !isByAltGr ? "Ctrl+" : ""}${shift}${name}`;
}

function rowOf(key: string): Row | undefined {
  return (KEYS as readonly Row[]).find((row) => row.held !== true && row.keys.includes(key));
}

/** With or without Shift, which can be let go before the key is. */
function heldRowOf(event: KeyboardEvent): Row | undefined {
  const key = signOf(event);
  const isIt = (name: string) => name === key || name === `Shift+${key}`;
  return (KEYS as readonly Row[]).find((row) => row.held === true && row.keys.some(isIt));
}

/** Whether an open dialog or the focused element needs this key itself. */
function isTaken(event: KeyboardEvent, key: string): boolean {
  // The dialog needs its keys even if nothing in it has the focus, for example because the focused button was removed.
  if (document.querySelector("dialog[open]") !== null) return true;
  const target = event.target;
  if (!(target instanceof HTMLElement)) return false;
  const isText =
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && target.type !== "checkbox");
  // The script's field has no undo of its own: the page's undo includes the lines that buttons add. Ctrl+S saves the
  // recording in all fields, because the browser would save the page.
  if (isText)
    return (
      key !== "Ctrl+S" && !(key.startsWith("Ctrl+") && target.id === "script" && rowOf(key) !== undefined)
    );
  if (target instanceof HTMLSelectElement) return !key.startsWith("Ctrl+");
  const isPressed = target.closest("button, input, [role=tab], summary, a") !== null;
  if (isPressed && (key === "Space" || key === "Enter")) return true;
  const moves = key === "←" || key === "→" || key === "Home" || key === "End";
  return moves && target.closest("[role=tab], [role=region]") !== null;
}

export interface Flight {
  isFlying(): boolean;
  hold(action: HeldAction, down: boolean): void;
  releaseKeys(): void;
}

/** Carries out actions by keys. */
export function listen(actions: Actions, flight: Flight): void {
  window.addEventListener("keydown", (event) => {
    if ((event.altKey && !needsAlt(event)) || event.isComposing) return;
    const key = nameOf(event);
    if (key === "Esc") {
      // The browser closes the menu, and gives the focus back to its button.
      if (document.querySelector(":popover-open") !== null) return;
      // Leaves the text field, so that the keys of the page work again.
      if (event.target instanceof HTMLElement && event.target.closest("dialog") === null) event.target.blur();
    }
    if (isTaken(event, key)) return;
    const held = flight.isFlying() && !event.ctrlKey && !event.metaKey ? heldRowOf(event) : undefined;
    const isWhole = event.shiftKey || held?.keys.every((name) => !name.startsWith("Shift+"));
    if (held !== undefined && isWhole) {
      event.preventDefault();
      flight.hold(held.action as HeldAction, true);
      return;
    }
    const row = rowOf(key);
    if (row === undefined) return;
    event.preventDefault();
    actions[row.action as Action]();
  });
  window.addEventListener("keyup", (event) => {
    const held = heldRowOf(event);
    if (held !== undefined) flight.hold(held.action as HeldAction, false);
  });
  // The release of a key in another window is not reported.
  window.addEventListener("blur", () => flight.releaseKeys());
}

/**
 * Removes the focus after a click with the mouse, so that the space bar plays and does not press the button again. A
 * focus that was set by Tab stays.
 */
export function releaseAfterClicks(): void {
  let isByPointer = false;
  const release = (event: Event, what: string) => {
    const touched = event.target instanceof Element ? event.target.closest<HTMLElement>(what) : null;
    if (isByPointer && touched !== null && touched.closest("dialog") === null) touched.blur();
  };
  window.addEventListener(
    "pointerdown",
    () => {
      isByPointer = true;
    },
    true,
  );
  window.addEventListener(
    "keydown",
    () => {
      isByPointer = false;
    },
    true,
  );
  window.addEventListener("click", (event) => release(event, "button, input[type=checkbox]"));
  window.addEventListener("change", (event) => release(event, "select"));
  // A dialog returns the focus to its button, also after a click.
  window.addEventListener(
    "close",
    () => {
      if (isByPointer && document.activeElement instanceof HTMLElement) document.activeElement.blur();
    },
    true,
  );
}

/** Gives every button with `data-action` its action, its tooltip and its name for screen readers. */
export function wire(actions: Actions): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-action]")) {
    const row = (KEYS as readonly Row[]).find((row) => row.action === button.dataset.action);
    if (row === undefined) throw new Error(`no key row for the button ${button.dataset.action}`);
    const keys = row.keys.length > 0 ? ` (${row.keys.join(" or ")})` : "";
    button.title = `${row.label}${keys}`;
    if (button.classList.contains("icon-only")) button.setAttribute("aria-label", row.label);
    button.addEventListener("click", () => actions[row.action as Action]());
  }
}
