// The marks in and out.
import { byId } from "./dom";
import { length, markedPart, type Span, state } from "./state";
import { clock } from "./time";

/**
 * Sets the start or the end of the marked part to the current moment; the other mark is removed if it would be on the
 * wrong side.
 */
export function mark(which: "start" | "end"): void {
  const seconds = state.seconds.value;
  const { start, end } = state.span.value;
  const span: Span =
    which === "start"
      ? { start: seconds, end: end !== null && end <= seconds ? null : end }
      : { start: start !== null && start >= seconds ? null : start, end: seconds };
  state.span.value = span;
}

export function showMarks(): void {
  const names = ["keep", "drop", "slow", "clearMarks"];
  const buttons = names.map((name) =>
    document.querySelector<HTMLButtonElement>(`.cutbar [data-action=${name}]`),
  );
  const show = () => {
    const { start, end } = state.span.value;
    byId("in-time", HTMLElement).textContent = start === null ? "–" : clock(start);
    byId("out-time", HTMLElement).textContent = end === null ? "–" : clock(end);
    const part = markedPart();
    const open = part === null ? "" : `${clock(part.end - part.start)} of ${clock(length())}`;
    byId("range-length", HTMLElement).textContent = open;
    for (const button of buttons) if (button !== null) button.disabled = part === null;
  };
  state.span.watch(show);
  // An edit, or another recording, has another length.
  state.shown.watch(show);
}
