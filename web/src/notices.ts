// Sentences that the page says, and that go away again.
import { byId, make } from "./dom";

/** Says a sentence. A problem stays until it is put away; news goes by itself. */
export function say(text: string, kind: "news" | "problem" = "news"): void {
  const all = byId("notices", HTMLElement);
  // The same sentence twice says no more than once.
  for (const old of all.children) if (old.firstChild?.textContent === text) old.remove();
  const close = make("button", { type: "button", class: "button", "aria-label": "Close this message" }, "×");
  const notice = make("div", { class: `notice ${kind}` }, make("p", {}, text), close);
  close.addEventListener("click", () => notice.remove());
  all.append(notice);
  while (all.children.length > 4) all.firstElementChild?.remove();
  if (kind === "news") setTimeout(() => notice.remove(), 6000);
}

/** A recording that opens makes it plain that the problems before are past. */
export function putProblemsAway(): void {
  for (const notice of document.querySelectorAll(".notice.problem")) notice.remove();
}
