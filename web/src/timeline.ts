// The timeline: its scrolling and zooming, and the marks over the strip. `strip.ts` draws the strip itself.
import type { Mark } from "./api";
import { byId, oncePerFrame } from "./dom";
import { mark } from "./marks";
import { length, markedPart, type Span, state } from "./state";
import { drawStrip, HEIGHT, type Window } from "./strip";
import { isDark } from "./theme";
import { clock, spoken } from "./time";

/** A press within this distance of a mark, in pixels, grabs the mark; the distance for fingers is larger. */
const GRIP = 5;
const GRIP_OF_FINGER = 14;
/** The shortest part of a recording that can fill the timeline, in seconds. */
const CLOSEST = 0.5;
/** Keys that sliders have besides those of the page, and by how many seconds they move. */
const SLIDER_KEYS: Record<string, number> = { ArrowUp: 5, ArrowDown: -5, PageUp: 30, PageDown: -30 };

export class Timeline {
  readonly #box = byId("scrubber", HTMLElement);
  readonly #strip = byId("strip", HTMLCanvasElement);
  readonly #playhead = byId("playhead", HTMLElement);
  readonly #range = byId("range", HTMLElement);
  readonly #hover = byId("hover", HTMLElement);
  readonly #seek: (seconds: number) => void;
  /** The visible seconds, from edge to edge. */
  #window: Window = { from: 0, to: 1 };
  /** The place of the strip on the screen. Asking the browser at every move would lay out the page each time. */
  #left = 0;
  #width = 1;

  constructor(seek: (seconds: number) => void) {
    this.#seek = seek;
    const redraw = oncePerFrame(() => this.#draw());
    const place = oncePerFrame(() => this.#place());
    new ResizeObserver(() => {
      this.#measure();
      redraw();
    }).observe(this.#box);
    isDark.watch(redraw);
    state.kinds.watch(redraw);
    state.shown.watch((now, old) => {
      if (now?.about.seconds !== old?.about.seconds || now === old) this.#showAll();
      redraw();
    });
    state.seconds.watch(place);
    state.span.watch(place);
    state.running.watch(place);
    this.#listen(redraw);
  }

  /** Shows all, or the marked part if all is shown. */
  zoom(): void {
    const part = markedPart();
    const isAll = this.#window.from === 0 && this.#window.to === length();
    if (part !== null && isAll) this.#show(part.start, part.end);
    else this.#showAll();
    this.#draw();
  }

  #showAll(): void {
    this.#window = { from: 0, to: Math.max(length(), 1e-3) };
  }

  #show(from: number, to: number): void {
    const width = Math.min(length(), Math.max(CLOSEST, to - from));
    const start = Math.max(0, Math.min(length() - width, from));
    this.#window = { from: start, to: start + width };
  }

  #draw(): void {
    const width = this.#width;
    const dots = Math.min(3, devicePixelRatio);
    const [w, h] = [Math.round(width * dots), Math.round(HEIGHT * dots)];
    if (this.#strip.width !== w) this.#strip.width = w;
    if (this.#strip.height !== h) this.#strip.height = h;
    const context = this.#strip.getContext("2d");
    if (context === null || width === 0) return;
    context.setTransform(dots, 0, 0, dots, 0, 0);
    drawStrip(context, width, this.#window, state.shown.value, state.kinds.value);
    this.#place();
  }

  #measure(): void {
    const { left, width } = this.#box.getBoundingClientRect();
    this.#left = left;
    this.#width = Math.max(1, width);
  }

  #x(seconds: number): number {
    const { from, to } = this.#window;
    return ((seconds - from) / (to - from)) * this.#width;
  }

  #secondsAt(clientX: number): number {
    const { from, to } = this.#window;
    const part = Math.max(0, Math.min(1, (clientX - this.#left) / this.#width));
    return Math.min(length(), from + part * (to - from));
  }

  /** Moves the playhead and the marked part to their positions. */
  #place(): void {
    const { from, to } = this.#window;
    const seconds = state.seconds.value;
    if (state.running.value !== 0 && (seconds < from || seconds > to)) {
      // When the playhead leaves the strip, the strip moves on by a page.
      this.#show(state.running.value > 0 ? seconds : seconds - (to - from), seconds + (to - from));
      this.#draw();
      return;
    }
    this.#playhead.style.transform = `translateX(${this.#x(seconds)}px)`;
    const part = markedPart();
    this.#range.hidden = part === null;
    if (part !== null) {
      this.#range.style.left = `${this.#x(part.start)}px`;
      this.#range.style.width = `${this.#x(part.end) - this.#x(part.start)}px`;
    }
    const box = this.#box;
    box.setAttribute("aria-valuemax", length().toFixed(2));
    box.setAttribute("aria-valuenow", seconds.toFixed(2));
    box.setAttribute("aria-valuetext", `${spoken(seconds)} of ${spoken(length())}`);
  }

  #listen(redraw: () => void): void {
    const box = this.#box;
    const toPointer = (event: PointerEvent) => this.#seek(this.#secondsAt(event.clientX));
    let heldMark: keyof Span | null = null;
    /**
     * The fingers on the timeline, and their positions. When there are two, each stays on the moment on which it was
     * put.
     */
    const fingers = new Map<number, number>();
    let moments: number[] = [];
    /** The moment before the first finger touched, to which a gesture with two fingers returns. */
    let momentBefore = 0;
    box.addEventListener("pointerenter", () => this.#measure());
    box.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || state.shown.value === null) return;
      // The keys work without the slider's focus, but not while a text field has it.
      event.preventDefault();
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      box.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, event.clientX);
      state.scrubbing.value = fingers.size === 1;
      if (!state.scrubbing.value) {
        moments = [...fingers.values()].map((x) => this.#secondsAt(x));
        if (heldMark === null) this.#seek(momentBefore);
        heldMark = null;
        return;
      }
      momentBefore = state.seconds.value;
      heldMark = this.#markAt(event);
      if (heldMark === null) toPointer(event);
    });
    box.addEventListener("pointermove", (event) => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
      if (fingers.size === 2) {
        this.#pinch(moments, [...fingers.values()]);
        redraw();
        return;
      }
      box.style.cursor = heldMark !== null || this.#markAt(event) !== null ? "ew-resize" : "";
      if (state.scrubbing.value) {
        // The picture shows the moment of the mark that is dragged.
        toPointer(event);
        if (heldMark !== null) mark(heldMark);
      }
      this.#showHover(event);
    });
    box.addEventListener("keydown", (event) => {
      const by = SLIDER_KEYS[event.key];
      // Together with Shift the arrows turn a camera.
      if (by === undefined || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.#seek(state.seconds.value + by);
    });
    const end = (event: PointerEvent) => {
      fingers.delete(event.pointerId);
      state.scrubbing.value = false;
      heldMark = null;
    };
    box.addEventListener("pointerup", end);
    box.addEventListener("pointercancel", end);
    box.addEventListener("pointerleave", () => {
      this.#hover.hidden = true;
    });
    box.addEventListener(
      "wheel",
      (event) => {
        const { from, to } = this.#window;
        if (event.ctrlKey) {
          const center = this.#secondsAt(event.clientX);
          const scale = Math.exp(event.deltaY * 0.004);
          this.#show(center - (center - from) * scale, center + (to - center) * scale);
        } else if (to - from < length() && event.deltaX !== 0) {
          const by = ((to - from) * event.deltaX) / this.#width;
          this.#show(from + by, to + by);
        } else {
          return;
        }
        event.preventDefault();
        redraw();
      },
      { passive: false },
    );
  }

  /** Zooms so that two moments are at two positions of the screen. */
  #pinch([first = 0, second = 0]: number[], [from = 0, to = 0]: number[]): void {
    const pixel = Math.abs(second - first) / Math.max(GRIP, Math.abs(to - from));
    const start = Math.min(first, second) - (Math.min(from, to) - this.#left) * pixel;
    this.#show(start, start + pixel * this.#width);
  }

  /** The mark, in or out, that is under the pointer. */
  #markAt({ clientX, pointerType }: PointerEvent): keyof Span | null {
    const x = clientX - this.#left;
    const { start, end } = state.span.value;
    const distance = (at: number | null) =>
      at === null ? Number.POSITIVE_INFINITY : Math.abs(this.#x(at) - x);
    if (Math.min(distance(start), distance(end)) > (pointerType === "touch" ? GRIP_OF_FINGER : GRIP))
      return null;
    return distance(end) <= distance(start) ? "end" : "start";
  }

  /** Shows the moment under the pointer, and the mark. */
  #showHover(event: PointerEvent): void {
    if (state.shown.value === null || event.pointerType === "touch") return;
    const seconds = this.#secondsAt(event.clientX);
    const near = (4 / this.#width) * (this.#window.to - this.#window.from);
    const mark = nearestMark(state.shown.value.timeline.marks, seconds, near);
    this.#hover.textContent = clock(seconds) + (mark === null ? "" : ` ${mark.text}`);
    this.#hover.hidden = false;
    // The label is on the side of the pointer that has more room, so its width need not be known.
    const x = Math.max(0, Math.min(this.#width, event.clientX - this.#left));
    const side = x > this.#width / 2 ? "translateX(-100%)" : "";
    this.#hover.style.transform = `translateX(${x}px) ${side}`;
  }
}

function nearestMark(marks: readonly Mark[], seconds: number, near: number): Mark | null {
  let best: Mark | null = null;
  for (const mark of marks) {
    const distance = Math.abs(mark.seconds - seconds);
    if (distance > near || !state.kinds.value.has(mark.kind)) continue;
    if (best === null || distance < Math.abs(best.seconds - seconds)) best = mark;
  }
  return best;
}

/** The next shown mark in a direction, or null. */
export function markBeyond(seconds: number, by: 1 | -1): Mark | null {
  const marks = (state.shown.value?.timeline.marks ?? []).filter((mark) => state.kinds.value.has(mark.kind));
  if (by > 0) return marks.find((mark) => mark.seconds > seconds + 1e-3) ?? null;
  return marks.findLast((mark) => mark.seconds < seconds - 1e-3) ?? null;
}
