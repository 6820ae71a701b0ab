// What audit and check found, and the engines that play the recording.
import type { EngineAnswer, Finding, Inspection } from "./api";
import { make } from "./dom";
import { momentButton } from "./inspection";

type Tone = "good" | "odd" | "bad" | "plain";

const TONES: Record<string, Tone> = {
  strong: "bad",
  error: "bad",
  suspicious: "odd",
  warning: "odd",
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
    make("ul", { class: "verdicts" }, ...verdicts(inspection)),
    ...(list.length > 0 ? [make("ul", { class: "findings" }, ...list)] : []),
    ...(engines.length > 0 ? [make("h2", {}, "Engines"), make("ul", { class: "engines" }, ...engines)] : []),
  ];
}

function verdicts({ unread, report }: Inspection): Node[] {
  const sentence = (tone: Tone, text: string) => make("li", { class: `verdict ${tone}` }, text);
  const signs = (severity: string | null, what: string) => {
    if (severity !== null)
      return sentence(TONES[severity] ?? "plain", `${capital(severity)} signs of ${what}`);
    return report.audited
      ? sentence("good", `No signs of ${what}`)
      : sentence("plain", `Nothing to judge ${what} by`);
  };
  const blocks = unread === 1 ? "1 block is" : `${unread} blocks are`;
  return [
    unread === 0
      ? sentence("good", "Every message is understood")
      : sentence("odd", `${blocks} not understood to the end, and kept as they are`),
    signs(report.cheating, "cheating"),
    signs(report.editing, "editing"),
  ];
}

function item(finding: Finding, seek: (seconds: number) => void): Node {
  const often = finding.count > 1 ? ` (${finding.count} times)` : "";
  const limit =
    finding.cannot_know === null
      ? []
      : [make("p", { class: "note" }, `Cannot know: ${finding.cannot_know}.`)];
  return make(
    "li",
    { class: "finding" },
    make(
      "h2",
      {},
      make("span", { class: `badge ${TONES[finding.severity] ?? "plain"}` }, finding.severity),
      ` ${capital(finding.title)}${often} `,
      make("code", {}, finding.code),
    ),
    make("ul", {}, ...finding.places.map((place) => make("li", {}, momentButton(place, seek)))),
    ...limit,
  );
}

function engine({ engine, plays, why, place }: EngineAnswer, seek: (seconds: number) => void): Node {
  const row = make("li", { class: `verdict ${TONES[plays] ?? "plain"}` });
  row.append(make("b", {}, engine), ` ${PLAYS[plays] ?? plays}`);
  if (why !== null && place !== null && plays !== "yes")
    row.append(momentButton({ ...place, says: why }, seek));
  return row;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
