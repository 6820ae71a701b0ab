// Draws the strip: time, levels as a strip of film, marks in lanes, health and armor.
import type { Level, Mark, Vital } from "./api";
import { kindOf } from "./kinds";
import type { Shown } from "./messages";
import { clock } from "./time";

export interface Window {
  from: number;
  to: number;
}

const RULER = 18;
const FILM = 26;
const LANE = 10;
const LANE_COUNT = 4;
const LANES = RULER + FILM + 5;
const VITALS = LANES + LANE_COUNT * LANE + 4;
const VITALS_HEIGHT = 40;
export const HEIGHT = VITALS + VITALS_HEIGHT + 2;

/** More health than this fills the scale: a megahealth gives 200, and console commands give more. */
const FULL_SCALE = 200;

type Context = CanvasRenderingContext2D;

class Strip {
  readonly context: Context;
  readonly width: number;
  readonly window: Window;
  readonly end: number;
  readonly #style = getComputedStyle(document.documentElement);

  constructor(context: Context, width: number, window: Window, end: number) {
    this.context = context;
    this.width = width;
    this.window = window;
    this.end = end;
  }

  x(seconds: number): number {
    const { from, to } = this.window;
    return ((seconds - from) / (to - from)) * this.width;
  }

  color(property: string): string {
    return this.#style.getPropertyValue(property).trim();
  }
}

export function drawStrip(
  context: Context,
  width: number,
  window: Window,
  shown: Shown | null,
  kinds: ReadonlySet<string>,
): void {
  context.clearRect(0, 0, width, HEIGHT);
  if (shown === null) return;
  const strip = new Strip(context, width, window, shown.about.seconds);
  drawRuler(strip);
  drawFilm(strip, shown.about.levels);
  drawVitals(strip, shown.timeline.vitals);
  drawMarks(strip, shown.timeline.marks, kinds);
}

function drawRuler(strip: Strip): void {
  const { context, window, width } = strip;
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600];
  const room = ((window.to - window.from) / width) * 72;
  const step = steps.find((step) => step >= room) ?? 7200;
  context.font = `11px ${strip.color("--numbers")}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  for (let tick = Math.ceil(window.from / step) * step; tick <= window.to; tick += step) {
    const x = Math.round(strip.x(tick)) + 0.5;
    context.fillStyle = strip.color("--line");
    context.fillRect(x - 0.5, RULER - 7, 1, 7);
    const label = clock(tick, step < 1 ? 1 : 0);
    if (x + 4 + context.measureText(label).width > width) continue;
    context.fillStyle = strip.color("--dim");
    context.fillText(label, x + 4, RULER / 2);
  }
}

function drawFilm(strip: Strip, levels: readonly Level[]): void {
  const { context, width } = strip;
  const top = RULER;
  const all: readonly Level[] = levels.length > 0 ? levels : [{ seconds: 0, map: null, title: "" }];
  for (const [index, level] of all.entries()) {
    const left = Math.max(0, strip.x(index === 0 ? 0 : level.seconds));
    const right = Math.min(width, strip.x(all[index + 1]?.seconds ?? strip.end));
    if (right - left < 1) continue;
    context.fillStyle = strip.color(index % 2 === 0 ? "--film" : "--film-other");
    context.fillRect(left, top, right - left - (index < all.length - 1 ? 1.5 : 0), FILM);
    drawName(strip, level, left + 7, right - 7);
  }
  // The holes belong to one strip of film, so they continue across levels.
  context.fillStyle = strip.color("--panel");
  for (let x = 4; x < width; x += 11) {
    context.fillRect(x, top + 2.5, 5, 3);
    context.fillRect(x, top + FILM - 5.5, 5, 3);
  }
}

function drawName(strip: Strip, level: Level, left: number, right: number): void {
  const { context } = strip;
  const name = [level.map ?? "", level.title].filter((word) => word !== "").join(" · ");
  if (right - left < 24 || name === "") return;
  context.save();
  context.beginPath();
  context.rect(left, RULER, right - left, FILM);
  context.clip();
  context.font = `600 11px ${strip.color("--words")}`;
  context.fillStyle = strip.color("--film-ink");
  context.fillText(name, left, RULER + FILM / 2 + 0.5);
  context.restore();
}

function drawMarks(strip: Strip, marks: readonly Mark[], kinds: ReadonlySet<string>): void {
  const { context, width } = strip;
  for (let lane = 0; lane < LANE_COUNT; lane += 1) {
    context.fillStyle = strip.color("--lane");
    context.fillRect(0, LANES + lane * LANE + LANE / 2, width, 1);
  }
  const colors = new Map<string, string>();
  for (const { kind, seconds } of marks) {
    const x = strip.x(seconds);
    if (!kinds.has(kind) || x < -4 || x > width + 4) continue;
    const { color, lane } = kindOf(kind);
    if (!colors.has(color)) colors.set(color, strip.color(color));
    context.fillStyle = colors.get(color) ?? "";
    const center = Math.max(2, Math.min(width - 2, x));
    context.beginPath();
    context.roundRect(center - 1.75, LANES + lane * LANE + 1, 3.5, LANE - 2, 1.75);
    context.fill();
  }
}

function drawVitals(strip: Strip, vitals: readonly Vital[]): void {
  const { context, width } = strip;
  const y = (value: number) =>
    VITALS + VITALS_HEIGHT * (1 - Math.max(0, Math.min(FULL_SCALE, value)) / FULL_SCALE);
  context.fillStyle = strip.color("--lane");
  context.fillRect(0, Math.round(y(100)), width, 1);
  context.fillRect(0, Math.round(y(0)), width, 1);
  // If health is not known, lines at zero would look like a dead player.
  if (!vitals.some(([, health, armor]) => health > 0 || armor > 0)) return;

  // Values hold until the next change, so the lines are steps.
  const steps = (column: 1 | 2) => {
    const path = new Path2D();
    let lastY = y(vitals[0]?.[column] ?? 0);
    path.moveTo(strip.x(vitals[0]?.[0] ?? 0), lastY);
    for (const vital of vitals) {
      const x = strip.x(vital[0]);
      path.lineTo(x, lastY);
      lastY = y(vital[column]);
      path.lineTo(x, lastY);
    }
    path.lineTo(strip.x(strip.end), lastY);
    return path;
  };
  const health = steps(1);
  const under = new Path2D(health);
  under.lineTo(strip.x(strip.end), y(0));
  under.lineTo(strip.x(vitals[0]?.[0] ?? 0), y(0));
  context.fillStyle = strip.color("--health-under");
  context.fill(under);
  context.lineWidth = 1.5;
  context.strokeStyle = strip.color("--health");
  context.stroke(health);
  context.setLineDash([4, 3]);
  context.strokeStyle = strip.color("--armor");
  context.stroke(steps(2));
  context.setLineDash([]);
}
