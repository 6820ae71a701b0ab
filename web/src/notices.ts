// Short messages to the user, which disappear again.
import type { About } from "./api";
import { byId, make } from "./dom";

/** Shows a message. A problem stays until it is closed; news disappears by itself. */
export function say(text: string, kind: "news" | "problem" = "news"): void {
  const all = byId("notices", HTMLElement);
  // A message that is shown already is not shown twice.
  for (const old of all.children) if (old.firstChild?.textContent === text) old.remove();
  const close = make("button", { type: "button", class: "button", "aria-label": "Close this message" }, "×");
  const notice = make("div", { class: `notice ${kind}` }, make("p", {}, text), close);
  close.addEventListener("click", () => notice.remove());
  all.append(notice);
  while (all.children.length > 4) all.firstElementChild?.remove();
  if (kind === "news") setTimeout(() => notice.remove(), 6000);
}

/** When a recording opens, earlier problems no longer matter. */
export function putProblemsAway(): void {
  for (const notice of document.querySelectorAll(".notice.problem")) notice.remove();
}

/**
 * Reports how many blocks of a recording are damaged. If the protocol is kept raw, no block can be read, and the
 * picture says so.
 */
export function sayDamage({ damaged, blocks }: About): void {
  if (damaged === 0 || damaged === blocks) return;
  say(`${damaged} of ${blocks} blocks could not be read completely: see Findings.`, "problem");
}
