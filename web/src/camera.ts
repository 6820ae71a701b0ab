// The free camera, and the choice of the player through whose eyes the level is seen.
import type { Triple } from "./api";
import { byId, make } from "./dom";
import type { Flight, HeldAction } from "./keys";
import type { Projector } from "./projector";
import { type Camera, state } from "./state";

/** Units per second: the running speed of a player in Quake. */
const SPEED = 320;
/** By how many degrees the camera turns for one pixel of dragging. */
const TURN = 0.25;
/** A turning key counts as dragging by this many pixels a second, which is a quarter of a circle. */
const TURN_BY_KEY = 360;
/** By how many units the camera moves for one pixel by which two fingers move. */
const SWIPE = 3;
/** The distance, in units, at which the camera stops before an entity. */
const NEAR = 140;
const radians = (degrees: number) => (degrees * Math.PI) / 180;

export class CameraControl implements Flight {
  readonly #projector: Projector;
  readonly #select = byId("eyes", HTMLSelectElement);
  readonly #picture = byId("picture", HTMLElement);
  readonly #held = new Set<HeldAction>();
  #lastTick = 0;

  constructor(projector: Projector, click: () => void) {
    this.#projector = projector;
    this.#select.addEventListener("change", () => this.#choose(this.#select.value));
    state.shown.watch((now, old) => {
      if (now?.about.name !== old?.about.name || now === old) this.#listPlayers();
    });
    state.camera.watch((camera) => {
      this.#select.value = optionOf(camera);
      byId("fly-hint", HTMLElement).hidden = camera.kind !== "free";
      this.#picture.classList.toggle("flying", camera.kind === "free");
    });
    this.#listenToPointer(click);
  }

  isFlying(): boolean {
    return state.camera.value.kind === "free";
  }

  toggle(): void {
    this.#choose(this.isFlying() ? "recorder" : "free");
  }

  leave(): void {
    if (this.isFlying()) this.#choose("recorder");
  }

  /** Flies to where a place is in sight, on the line from the eye to it, and looks at it. */
  lookAt(place: Triple): void {
    const [x, y, z] = this.#projector.eye?.eye ?? place;
    const offset: Triple = [place[0] - x, place[1] - y, place[2] - z];
    const distance = Math.hypot(...offset);
    // To look at the place where the eye is, the eye steps aside along the first of the level's axes.
    const [ahead, left, up]: Triple =
      distance < 1 ? [1, 0, 0] : [offset[0] / distance, offset[1] / distance, offset[2] / distance];
    const eye: Triple = [place[0] - ahead * NEAR, place[1] - left * NEAR, place[2] - up * NEAR];
    const angles: Triple = [-Math.asin(up) / radians(1), Math.atan2(left, ahead) / radians(1), 0];
    this.releaseKeys();
    state.camera.value = { kind: "free", eye, angles };
  }

  /** Looks through the eyes of the next player of the list. */
  nextEyes(): void {
    const options = [...this.#select.options].filter((option) => option.value !== "free");
    const current = options.findIndex((option) => option.value === this.#select.value);
    const next = options[(current + 1) % options.length];
    if (next !== undefined) this.#choose(next.value);
  }

  hold(action: HeldAction, down: boolean): void {
    if (!down) {
      this.#held.delete(action);
      return;
    }
    if (this.#held.size === 0) {
      this.#lastTick = performance.now();
      requestAnimationFrame((now) => this.#fly(now));
    }
    this.#held.add(action);
  }

  releaseKeys(): void {
    this.#held.clear();
  }

  #choose(value: string): void {
    this.releaseKeys();
    if (value === "free") {
      const from = this.#projector.eye;
      state.camera.value = { kind: "free", eye: from?.eye ?? null, angles: level(from?.angles ?? null) };
    } else if (value === "recorder") {
      state.camera.value = { kind: "recorder" };
    } else {
      state.camera.value = { kind: "player", who: Number(value) };
    }
  }

  #listPlayers(): void {
    const about = state.shown.value?.about;
    const players = about?.players ?? [];
    const recorder = players.find((player) => player.number === about?.recorder);
    this.#select.replaceChildren(
      make("option", { value: "recorder" }, recorder?.name || "the recorder"),
      ...players
        .filter((player) => player !== recorder)
        .map((player) =>
          make("option", { value: String(player.number) }, player.name || `#${player.number}`),
        ),
      make("option", { value: "free" }, "free camera"),
    );
    this.#select.value = optionOf(state.camera.value);
  }

  #listenToPointer(click: () => void): void {
    const picture = this.#picture;
    /** The pressed mouse button or fingers, and their last positions. */
    const down = new Map<number, { x: number; y: number }>();
    let hasMoved = false;
    picture.addEventListener("pointerdown", (event) => {
      // A press on a button over the picture does not count as one on the picture.
      if (event.button !== 0 || (event.target as Element).closest("button") !== null) return;
      hasMoved = down.size > 0;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.isFlying()) picture.setPointerCapture(event.pointerId);
    });
    picture.addEventListener("pointermove", (event) => {
      const from = down.get(event.pointerId);
      if (from === undefined || !this.isFlying()) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (!hasMoved && Math.hypot(x, y) < 3) return;
      hasMoved = true;
      down.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (down.size === 1) this.#turn(x, y);
      else this.#move((-y * SWIPE) / down.size, (x * SWIPE) / down.size, 0);
    });
    const up = (event: PointerEvent) => {
      if (down.delete(event.pointerId) && down.size === 0 && !hasMoved && event.type === "pointerup") click();
    };
    picture.addEventListener("pointerup", up);
    picture.addEventListener("pointercancel", up);
  }

  #turn(x: number, y: number): void {
    const camera = state.camera.value;
    if (camera.kind !== "free" || camera.angles === null) return;
    const [pitch, yaw] = camera.angles;
    // As in the game, moving the mouse to the right turns right, which decreases the yaw.
    const angles: Triple = [Math.max(-89, Math.min(89, pitch + y * TURN)), yaw - x * TURN, 0];
    state.camera.value = { ...camera, angles };
  }

  #fly(now: number): void {
    const camera = state.camera.value;
    if (this.#held.size === 0 || camera.kind !== "free" || camera.eye === null || camera.angles === null)
      return;
    const elapsed = Math.min(0.1, Math.max(0, (now - this.#lastTick) / 1000));
    this.#lastTick = now;
    const axis = (plus: HeldAction, minus: HeldAction) =>
      Number(this.#held.has(plus)) - Number(this.#held.has(minus));
    const step = SPEED * elapsed;
    this.#move(
      axis("flyAhead", "flyBack") * step,
      axis("flyRight", "flyLeft") * step,
      axis("flyUp", "flyDown") * step,
    );
    const turn = TURN_BY_KEY * elapsed;
    this.#turn(axis("turnRight", "turnLeft") * turn, axis("lookDown", "lookUp") * turn);
    requestAnimationFrame((later) => this.#fly(later));
  }

  /** Moves the camera by these units in its own directions. */
  #move(ahead: number, right: number, up: number): void {
    const camera = state.camera.value;
    if (camera.kind !== "free" || camera.eye === null || camera.angles === null) return;
    const [pitch, yaw] = [radians(camera.angles[0]), radians(camera.angles[1])];
    // Quake's axes: yaw turns from x to y, and looking down is a positive pitch.
    const [x, y, z] = camera.eye;
    const eye: Triple = [
      x + ahead * Math.cos(pitch) * Math.cos(yaw) + right * Math.sin(yaw),
      y + ahead * Math.cos(pitch) * Math.sin(yaw) - right * Math.cos(yaw),
      z - ahead * Math.sin(pitch) + up,
    ];
    state.camera.value = { ...camera, eye };
  }
}

function optionOf(camera: Camera): string {
  return camera.kind === "player" ? String(camera.who) : camera.kind;
}

/** A view that was rolled by a blow stays level when a camera starts from it. */
function level(angles: Triple | null): Triple | null {
  return angles === null ? null : [angles[0], angles[1], 0];
}
