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
const MOST_VITAL = 200;

type Paper = CanvasRenderingContext2D;

class Strip {
  readonly paper: Paper;
  readonly width: number;
  readonly window: Window;
  readonly end: number;
  readonly #style = getComputedStyle(document.documentElement);

  constructor(paper: Paper, width: number, window: Window, end: number) {
    this.paper = paper;
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
  paper: Paper,
  width: number,
  window: Window,
  shown: Shown | null,
  kinds: ReadonlySet<string>,
): void {
  paper.clearRect(0, 0, width, HEIGHT);
  if (shown === null) return;
  const strip = new Strip(paper, width, window, shown.about.seconds);
  drawRuler(strip);
  drawFilm(strip, shown.about.levels);
  drawVitals(strip, shown.timeline.vitals);
  drawMarks(strip, shown.timeline.marks, kinds);
}

function drawRuler(strip: Strip): void {
  const { paper, window, width } = strip;
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600];
  const room = ((window.to - window.from) / width) * 72;
  const step = steps.find((step) => step >= room) ?? 7200;
  paper.font = `11px ${strip.color("--numbers")}`;
  paper.textBaseline = "middle";
  paper.textAlign = "left";
  for (let tick = Math.ceil(window.from / step) * step; tick <= window.to; tick += step) {
    const x = Math.round(strip.x(tick)) + 0.5;
    paper.fillStyle = strip.color("--line");
    paper.fillRect(x - 0.5, RULER - 7, 1, 7);
    const label = clock(tick, step < 1 ? 1 : 0);
    if (x + 4 + paper.measureText(label).width > width) continue;
    paper.fillStyle = strip.color("--dim");
    paper.fillText(label, x + 4, RULER / 2);
  }
}

function drawFilm(strip: Strip, levels: readonly Level[]): void {
  const { paper, width } = strip;
  const top = RULER;
  const all: readonly Level[] = levels.length > 0 ? levels : [{ seconds: 0, map: null, title: "" }];
  for (const [at, level] of all.entries()) {
    const left = Math.max(0, strip.x(at === 0 ? 0 : level.seconds));
    const right = Math.min(width, strip.x(all[at + 1]?.seconds ?? strip.end));
    if (right - left < 1) continue;
    paper.fillStyle = strip.color(at % 2 === 0 ? "--film" : "--film-other");
    paper.fillRect(left, top, right - left - (at < all.length - 1 ? 1.5 : 0), FILM);
    drawName(strip, level, left + 7, right - 7);
  }
  // The holes are those of one strip: they run on from level to level.
  paper.fillStyle = strip.color("--panel");
  for (let x = 4; x < width; x += 11) {
    paper.fillRect(x, top + 2.5, 5, 3);
    paper.fillRect(x, top + FILM - 5.5, 5, 3);
  }
}

function drawName(strip: Strip, level: Level, left: number, right: number): void {
  const { paper } = strip;
  const name = [level.map ?? "", level.title].filter((word) => word !== "").join(" · ");
  if (right - left < 24 || name === "") return;
  paper.save();
  paper.beginPath();
  paper.rect(left, RULER, right - left, FILM);
  paper.clip();
  paper.font = `600 11px ${strip.color("--words")}`;
  paper.fillStyle = strip.color("--film-ink");
  paper.fillText(name, left, RULER + FILM / 2 + 0.5);
  paper.restore();
}

function drawMarks(strip: Strip, marks: readonly Mark[], kinds: ReadonlySet<string>): void {
  const { paper, width } = strip;
  for (let lane = 0; lane < LANE_COUNT; lane += 1) {
    paper.fillStyle = strip.color("--lane");
    paper.fillRect(0, LANES + lane * LANE + LANE / 2, width, 1);
  }
  const colors = new Map<string, string>();
  for (const { kind, seconds } of marks) {
    const x = strip.x(seconds);
    if (!kinds.has(kind) || x < -4 || x > width + 4) continue;
    const { color, lane } = kindOf(kind);
    if (!colors.has(color)) colors.set(color, strip.color(color));
    paper.fillStyle = colors.get(color) ?? "";
    const at = Math.max(2, Math.min(width - 2, x));
    paper.beginPath();
    paper.roundRect(at - 1.75, LANES + lane * LANE + 1, 3.5, LANE - 2, 1.75);
    paper.fill();
  }
}

function drawVitals(strip: Strip, vitals: readonly Vital[]): void {
  const { paper, width } = strip;
  const y = (value: number) =>
    VITALS + VITALS_HEIGHT * (1 - Math.max(0, Math.min(MOST_VITAL, value)) / MOST_VITAL);
  paper.fillStyle = strip.color("--lane");
  paper.fillRect(0, Math.round(y(100)), width, 1);
  paper.fillRect(0, Math.round(y(0)), width, 1);
  // Where nothing is known of health, lines at zero would look like a dead player.
  if (!vitals.some(([, health, armor]) => health > 0 || armor > 0)) return;

  // Values hold until the next change, so the lines are steps.
  const steps = (which: 1 | 2) => {
    const path = new Path2D();
    let before = y(vitals[0]?.[which] ?? 0);
    path.moveTo(strip.x(vitals[0]?.[0] ?? 0), before);
    for (const vital of vitals) {
      const x = strip.x(vital[0]);
      path.lineTo(x, before);
      before = y(vital[which]);
      path.lineTo(x, before);
    }
    path.lineTo(strip.x(strip.end), before);
    return path;
  };
  const health = steps(1);
  const under = new Path2D(health);
  under.lineTo(strip.x(strip.end), y(0));
  under.lineTo(strip.x(vitals[0]?.[0] ?? 0), y(0));
  paper.fillStyle = strip.color("--health-under");
  paper.fill(under);
  paper.lineWidth = 1.5;
  paper.strokeStyle = strip.color("--health");
  paper.stroke(health);
  paper.setLineDash([4, 3]);
  paper.strokeStyle = strip.color("--armor");
  paper.stroke(steps(2));
  paper.setLineDash([]);
}
