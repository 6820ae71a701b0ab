// The report: players, levels, times, scores, kills, secrets.
import type { Inspection, LevelReport, Report, Tally } from "./api";
import { make } from "./dom";
import { rowOf, tableOf } from "./inspection";
import { clock } from "./time";

/** The greatest number of rows: people do not read more beside a picture. */
const MAX_ROWS = 100;

export function reportPanel({ report, starts }: Inspection, seek: (seconds: number) => void): Node[] {
  return [facts(report), ...levels(report, starts, seek), ...scores(report), ...fights(report)];
}

function facts(report: Report): Node {
  const several = report.level_count > 1;
  const all: [string, string | null][] = [
    ["Recorded by", report.recorder],
    ["Written by", report.engine],
    ["Protocol", report.protocol === null ? null : String(report.protocol)],
    ["Length", report.length === null ? null : clock(report.length, 1)],
    ["Time", several && report.seconds !== null ? clock(report.seconds, 3) : null],
    ["Kills", several ? of(report.kills, null) : null],
    ["Secrets", several ? of(report.secrets, null) : null],
    ["Dangerous commands", report.dangers.length === 0 ? null : report.dangers.join("; ")],
  ];
  const known = all.filter(([, value]) => value !== null && value !== "");
  return make(
    "dl",
    { class: "facts" },
    ...known.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value ?? "")]),
  );
}

function levels(report: Report, starts: readonly number[], seek: (seconds: number) => void): Node[] {
  if (report.levels.length === 0) return [];
  const name = (level: LevelReport) => level.title || level.map || "a level";
  const rows = report.levels.slice(0, MAX_ROWS).map((level, at) => {
    const button = make("button", { type: "button", class: "link" }, name(level));
    button.title = [level.map ?? "", level.skill ?? "", level.how].filter((word) => word !== "").join(" · ");
    button.addEventListener("click", () => seek(starts[at] ?? 0));
    const time = level.seconds === null ? "–" : clock(level.seconds, 3);
    return rowOf(button, [time, of(level.kills), of(level.secrets), clock(level.length, 1)]);
  });
  return [tableOf("Levels", ["Level", "Time", "Kills", "Secrets", "Recorded"], rows)];
}

function scores(report: Report): Node[] {
  const frags = ({ scores }: LevelReport) => scores.reduce((sum, it) => sum + Math.abs(it.frags ?? 0), 0);
  const level = report.levels
    .filter(({ scores }) => scores.length > 1)
    .reduce<LevelReport | null>((most, it) => (most === null || frags(it) > frags(most) ? it : most), null);
  const tables: Node[] = [];
  if (level !== null) {
    const rows = level.scores
      .slice(0, MAX_ROWS)
      .map((it) => rowOf(it.name || "–", [String(it.frags ?? "–")]));
    tables.push(tableOf(`Scores of ${level.title || level.map || "the level"}`, ["Player", "Score"], rows));
  }
  if (report.players.length > 0) {
    const rows = report.players
      .slice(0, MAX_ROWS)
      .map((it) => rowOf(it.name || "–", [it.kills, it.deaths, it.suicides, it.streak].map(number)));
    tables.push(tableOf("Kills and deaths", ["Player", "Kills", "Deaths", "Suicides", "Streak"], rows));
  }
  return tables;
}

function fights(report: Report): Node[] {
  if (report.weapons.length === 0) return [];
  const rows = report.weapons.slice(0, MAX_ROWS).map((it) => {
    const hits = it.pellets === null ? "–" : `${it.pellets.hits}/${it.pellets.pellets}`;
    return rowOf(it.weapon, [number(it.shots ?? 0), hits, number(it.kills), number(it.deaths)]);
  });
  return [tableOf("Weapons", ["Weapon", "Shots", "Hits", "Kills", "Killed by"], rows)];
}

function of(tally: Tally | null, none: string | null): string | null;
function of(tally: Tally | null): string;
function of(tally: Tally | null, none: string | null = "–"): string | null {
  return tally === null ? none : `${tally.done}/${tally.total}`;
}

const number = (value: number) => (value === 0 ? "–" : String(value));
