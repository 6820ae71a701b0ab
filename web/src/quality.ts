// Chooses the size of the picture while it moves, so that playing keeps up with the clock.

type Size = readonly [width: number, height: number];

const SIZES: readonly Size[] = [
  [1280, 720],
  [960, 540],
  [800, 450],
  [640, 360],
  [480, 270],
  [320, 180],
];

/**
 * The drawing time in milliseconds above which motion is no longer smooth: 30 pictures a second, with some time for
 * other work.
 */
const TOO_SLOW = 30;
/** A larger size is tried if drawing it should take no longer than this: the time of one refresh of the display. */
const QUICK = 16;
/** The number of pictures that are measured before the size changes again, so that it does not swing. */
const PATIENCE = 6;
/** After a size was too slow, a larger one is tried only after this many pictures, since each change is visible. */
const CAUTION = 120;

export class Quality {
  // Playing starts in the middle: neither a slow machine nor a quick one sees a bad first second.
  #choice = 2;
  #mean = 0;
  #measured = 0;
  #caution = 0;

  /** The size of a resting picture, which may take its time. */
  static atRest(widest: number): Size {
    return widest > 1400 ? [1920, 1080] : [1280, 720];
  }

  /** The size to draw, if the picture has this many pixels from left to right. */
  size(widest: number): Size {
    // A phone cannot show 1280 pixels in a row, so drawing them would waste time.
    const enough = SIZES.findLastIndex(([width]) => width >= widest);
    return SIZES[Math.max(this.#choice, enough)] ?? Quality.atRest(0);
  }

  measured(milliseconds: number): void {
    this.#measured += 1;
    this.#mean = this.#measured === 1 ? milliseconds : this.#mean * 0.75 + milliseconds * 0.25;
    if (this.#measured < PATIENCE) return;
    this.#caution -= 1;
    if (this.#mean > TOO_SLOW && this.#choice < SIZES.length - 1) {
      this.#caution = CAUTION;
      this.#change(1);
    } else if (this.#caution < 0 && this.#choice > 0 && this.#mean * this.#growth() < QUICK) {
      this.#change(-1);
    }
  }

  /** The factor from the number of pixels to that of the next larger size. */
  #growth(): number {
    const pixels = (at: number) => (SIZES[at]?.[0] ?? 0) * (SIZES[at]?.[1] ?? 0);
    return pixels(this.#choice - 1) / pixels(this.#choice);
  }

  #change(by: 1 | -1): void {
    this.#choice += by;
    this.#measured = 0;
  }
}
