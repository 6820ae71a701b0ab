// The picture and the numbers around it.
import { MAP_VIEWS } from "./api";
import { byId } from "./dom";
import type { Meter } from "./projector";
import { length, state } from "./state";
import { clock, size } from "./time";

export const SPEEDS: readonly number[] = [0.125, 0.25, 0.5, 1, 2, 4, 8, 16];
const NAMES: Record<string, string> = { "0.125": "⅛×", "0.25": "¼×", "0.5": "½×" };

let width = 0;

/** The number of pixels, side by side, for which the picture has room. */
export function room(): number {
  return Math.ceil(width * Math.min(2, devicePixelRatio));
}

export function showMeter({ width, height, rate }: Meter): void {
  const meter = byId("meter", HTMLElement);
  meter.textContent = rate > 0 ? `${width}×${height} · ${rate} pictures a second` : `${width}×${height}`;
}

export function showScreen(): void {
  new ResizeObserver(([entry]) => {
    width = entry?.contentRect.width ?? 0;
  }).observe(byId("picture", HTMLElement));
  const now = byId("now", HTMLElement);
  const whole = byId("whole", HTMLElement);
  const gameTime = byId("game-time", HTMLElement);
  const play = byId("play", HTMLButtonElement);
  const speed = byId("speed", HTMLSelectElement);
  const sound = byId("sound", HTMLButtonElement);
  const hud = byId("hud", HTMLInputElement);
  const look = byId("look", HTMLSelectElement);
  const map = byId("map", HTMLSelectElement);

  state.seconds.watch((seconds) => {
    now.textContent = clock(seconds);
  });
  state.block.watch((block) => {
    byId("block", HTMLElement).textContent = ` · block ${block}`;
  });
  state.gameTime.watch((time) => {
    gameTime.textContent = time === null ? "" : `${clock(time, 1)} in the game`;
  });
  state.shown.watch(() => {
    whole.textContent = `of ${clock(length())}`;
  });

  state.isComplete.watch((isComplete) => {
    byId("screen", HTMLCanvasElement).setAttribute("aria-busy", String(!isComplete));
  });

  state.running.watch((running) => {
    play.querySelector("use")?.setAttribute("href", running === 0 ? "#i-play" : "#i-pause");
    play.setAttribute("aria-label", running === 0 ? "Play" : "Pause");
    play.classList.toggle("on", running !== 0);
  });

  for (const value of SPEEDS) speed.add(new Option(NAMES[value] ?? `${value}×`, String(value)));
  state.speed.watch((value) => {
    speed.value = String(value);
  });
  speed.addEventListener("change", () => {
    state.speed.value = Number(speed.value);
  });
  state.hud.watch((on) => {
    hud.checked = on;
  });
  hud.addEventListener("change", () => {
    state.hud.value = hud.checked;
  });
  state.sound.watch((on) => {
    sound.querySelector("use")?.setAttribute("href", on ? "#i-sound" : "#i-muted");
    sound.setAttribute("aria-pressed", String(on));
  });
  const chase = byId("chase", HTMLSelectElement);
  state.chase.watch((on) => {
    chase.value = on ? "behind" : "eyes";
  });
  chase.addEventListener("change", () => {
    state.chase.value = chase.value === "behind";
  });
  state.look.watch((value) => {
    look.value = value;
  });
  look.addEventListener("change", () => {
    state.look.value = look.value === "software" ? "software" : "gl";
  });

  state.map.watch((value) => {
    map.value = value;
  });
  map.addEventListener("change", () => {
    state.map.value = MAP_VIEWS.find((it) => it === map.value) ?? "off";
  });

  state.inSight.watch((isInSight) => {
    byId("out-of-sight", HTMLElement).hidden = isInSight;
  });

  state.opening.watch((opening) => {
    document.body.classList.toggle("opening", opening);
  });
  state.shown.watch((shown) => {
    byId("start", HTMLElement).hidden = shown !== null;
    byId("room", HTMLElement).hidden = shown === null;
    byId("save-button", HTMLElement).hidden = shown === null;
    document.body.classList.toggle("working", shown !== null);
    if (shown === null) return;
    const { about } = shown;
    const title = byId("title", HTMLElement);
    title.textContent = "";
    const name = document.createElement("b");
    name.textContent = about.name.split("/").at(-1) ?? about.name;
    const level = about.title || (about.levels[0]?.map ?? "");
    const facts = [level, about.game, size(about.bytes), about.edited ? "edited" : ""];
    title.append(name, ` ${facts.filter((fact) => fact !== "").join(" · ")}`);
    document.title = `${name.textContent} – Moviola`;
  });
}
