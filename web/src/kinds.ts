// The kinds of events: their words, their colors, and their lane on the timeline.
import { byId, make } from "./dom";
import { state } from "./state";

export interface Kind {
  readonly label: string;
  /** A custom property of the stylesheet. */
  readonly color: string;
  /**
   * The lane, counted from the top of the timeline: chat, fights, deaths, items. A kill and its death happen at the
   * same moment.
   */
  readonly lane: 0 | 1 | 2 | 3;
  /** Whether it is shown by default. */
  readonly shown: boolean;
}

const KINDS: Record<string, Kind> = {
  level_start: { label: "level", color: "--mark-level", lane: 0, shown: true },
  level_end: { label: "level end", color: "--mark-level", lane: 0, shown: true },
  intermission: { label: "intermission", color: "--mark-level", lane: 0, shown: true },
  finale: { label: "finale", color: "--mark-level", lane: 0, shown: true },
  chat: { label: "chat", color: "--mark-chat", lane: 0, shown: true },
  centerprint: { label: "centerprint", color: "--mark-chat", lane: 0, shown: false },
  join: { label: "join", color: "--mark-chat", lane: 0, shown: true },
  leave: { label: "leave", color: "--mark-chat", lane: 0, shown: true },
  kill: { label: "kill", color: "--mark-kill", lane: 1, shown: true },
  death: { label: "death", color: "--mark-death", lane: 2, shown: true },
  monster: { label: "monster", color: "--mark-monster", lane: 1, shown: true },
  damage: { label: "damage", color: "--mark-damage", lane: 1, shown: false },
  frags: { label: "frags", color: "--mark-kill", lane: 1, shown: false },
  pickup: { label: "pickup", color: "--mark-pickup", lane: 3, shown: true },
  secret: { label: "secret", color: "--mark-secret", lane: 3, shown: true },
  powerup_start: { label: "powerup", color: "--mark-powerup", lane: 3, shown: true },
  powerup_end: { label: "powerup end", color: "--mark-powerup", lane: 3, shown: false },
  teleport: { label: "teleport", color: "--mark-teleport", lane: 3, shown: true },
  flag: { label: "flag", color: "--mark-secret", lane: 3, shown: true },
};

export function kindOf(name: string): Kind {
  return KINDS[name] ?? { label: name.replaceAll("_", " "), color: "--mark-other", lane: 0, shown: false };
}

/** Shows a button for each kind that the recording has, and remembers the chosen kinds. */
export function showKinds(): void {
  const bar = byId("kinds", HTMLElement);
  const chosen = new Map<string, boolean>();
  const isOn = (name: string) => chosen.get(name) ?? kindOf(name).shown;

  state.shown.watch((shown) => {
    const counts = new Map<string, number>();
    for (const mark of shown?.timeline.marks ?? []) counts.set(mark.kind, (counts.get(mark.kind) ?? 0) + 1);
    // The kinds shown by default come first, since all kinds may not fit on the screen.
    const place = (name: string) => kindOf(name).lane + (kindOf(name).shown ? 0 : 4);
    const names = [...counts.keys()].sort((a, b) => place(a) - place(b));
    const tell = () => {
      state.kinds.value = new Set(names.filter(isOn));
    };
    bar.replaceChildren(
      ...names.map((name) => {
        const { label, color } = kindOf(name);
        const chip = make("button", { type: "button", class: "chip", "data-kind": name });
        chip.append(
          make("i", { class: "dot" }),
          label,
          make("span", { class: "num" }, String(counts.get(name))),
        );
        chip.style.setProperty("--mark", `var(${color})`);
        chip.setAttribute("aria-pressed", String(isOn(name)));
        chip.addEventListener("click", () => {
          chosen.set(name, !isOn(name));
          chip.setAttribute("aria-pressed", String(isOn(name)));
          tell();
        });
        return chip;
      }),
    );
    tell();
  });
}
