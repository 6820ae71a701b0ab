// Small helpers for the document.

/** The element with this id, which index.html must have. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`index.html has no ${type.name} #${id}`);
  return found;
}

/** Makes an element with attributes and children; text is set as text, never as HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Calls at most once in a frame, with the newest state. */
export function oncePerFrame(work: () => void): () => void {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      work();
    });
  };
}

/** Calls a function soon, but not more often than this; the last call is never dropped. */
export function atMostEvery(milliseconds: number, work: () => void): () => void {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      work();
    }, milliseconds);
  };
}

/** Calls once no call was requested for this long. */
export function whenQuiet(milliseconds: number, work: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(work, milliseconds);
  };
}

export function problemOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason);
}
