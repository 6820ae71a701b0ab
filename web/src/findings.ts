// The findings of `check` and `audit`, and the engines that play the recording.
import type { AuditFinding, EngineAnswer, Finding, Inspection } from "./api";
import { make } from "./dom";
import { momentButton } from "./inspection";

type Tone = "good" | "odd" | "bad" | "plain";

const TONES: Record<string, Tone> = {
  error: "bad",
  warning: "odd",
  strong: "bad",
  suspicious: "odd",
  yes: "good",
  "with defects": "odd",
  "stops early": "bad",
  no: "bad",
};

const PLAYS: Record<string, string> = {
  yes: "plays it",
  "with defects": "plays it with defects",
  "stops early": "stops early",
  no: "does not play it",
  unknown: "may play it",
};

export function findingsPanel(inspection: Inspection, seek: (seconds: number) => void): Node[] {
  const list = inspection.findings.map((finding) => item(finding, seek));
  const engines = inspection.engines.map((answer) => engine(answer, seek));
  return [
    verdict(inspection),
    ...(list.length > 0 ? [make("ul", { class: "findings" }, ...list)] : []),
    ...(engines.length > 0 ? [make("h2", {}, "Engines"), make("ul", { class: "engines" }, ...engines)] : []),
  ];
}

function verdict({ unread }: Inspection): Node {
  if (unread === 0) return make("p", { class: "verdict good" }, "Every message is understood");
  const blocks =
    unread === 1
      ? "1 block is not understood to the end, and kept as it is"
      : `${unread} blocks are not understood to the end, and kept as they are`;
  return make("p", { class: "verdict odd" }, blocks);
}

function item(finding: Finding, seek: (seconds: number) => void): Node {
  const places = finding.places.map((place) => make("li", {}, momentButton(place, seek)));
  return make("li", { class: "finding" }, heading(finding), make("ul", {}, ...places));
}

/** The first line of a finding, of check or of the audit. */
export function heading({ severity, title, code, count }: Finding | AuditFinding): Node {
  const often = count > 1 ? ` (${count} times)` : "";
  return make(
    "h2",
    {},
    make("span", { class: `badge ${TONES[severity] ?? "plain"}` }, severity),
    ` ${capital(title)}${often} `,
    make("code", {}, code),
  );
}

function engine({ engine, plays, why, place }: EngineAnswer, seek: (seconds: number) => void): Node {
  const row = make("li", { class: `verdict ${TONES[plays] ?? "plain"}` });
  // The name is followed by a colon, since it may have several words and parentheses.
  row.append(make("b", {}, `${engine}:`), ` ${PLAYS[plays] ?? plays}`);
  if (why !== null && place !== null && plays !== "yes") row.append(momentButton(place, seek, why));
  return row;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
