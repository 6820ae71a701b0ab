// The findings of the audit: below the findings of check, each with its evidence.
import type { Audited, AuditFinding } from "./api";
import type { DeckClient } from "./deck";
import { make, problemOf } from "./dom";
import { heading } from "./findings";
import { momentButton } from "./inspection";

type Seek = (seconds: number) => void;

/** A part of a panel that is filled when the answer arrives. */
export function auditPart(deck: DeckClient, seek: Seek): Node {
  const part = make("section", { class: "audit", "aria-busy": "true" }, make("h2", {}, "Audit"));
  const fill = (...nodes: Node[]) => {
    part.append(...nodes);
    part.removeAttribute("aria-busy");
  };
  deck.ask("audit", null).then(
    (audited) => fill(...answer(audited, seek)),
    (problem) => fill(make("p", { class: "note" }, problemOf(problem))),
  );
  return part;
}

function answer({ audited, findings }: Audited, seek: Seek): Node[] {
  const none = audited
    ? "Nothing was found, which does not prove that the recording is clean"
    : "The recording has nothing to judge";
  if (findings.length === 0) return [make("p", { class: "verdict plain" }, none)];
  return [make("ul", { class: "findings" }, ...findings.map((finding) => item(finding, seek)))];
}

function item(finding: AuditFinding, seek: Seek): Node {
  const evidence = finding.evidence.map(([says, place]) => make("li", {}, momentButton(place, seek, says)));
  return make(
    "li",
    { class: "finding" },
    heading(finding),
    make("ul", {}, ...evidence),
    make("p", { class: "note" }, `The audit cannot know ${finding.cannot_know}.`),
  );
}
