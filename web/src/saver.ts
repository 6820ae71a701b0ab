// Saves the work: the recording, its script, a picture, a link.
import { linkTo } from "./address";
import type { View } from "./api";
import type { DeckClient } from "./deck";
import { byId, problemOf } from "./dom";
import { say } from "./notices";
import { copy, download, editedName, stemAndEnding } from "./save";
import type { CuttingList } from "./script";
import { length, markedPart, state } from "./state";
import { showTab } from "./tabs";
import { clock } from "./time";

const PICTURE = [1280, 720] as const;

export class Saver {
  readonly #deck: DeckClient;
  readonly #list: CuttingList;

  constructor(deck: DeckClient, list: CuttingList) {
    this.#deck = deck;
    this.#list = list;
    state.shown.watch((shown) => {
      const name = shown === null ? "" : editedName(shown.about.name, shown.about.game);
      byId("save-name", HTMLElement).textContent = name;
    });
    const [width, height] = PICTURE;
    void deck.ask("clipKind", { width, height }).then((kind) => {
      const label = kind === null ? "not in this browser" : `${kind}, ${width}×${height}`;
      byId("clip-kind", HTMLElement).textContent = label;
    });
    const menu = byId("save-menu", HTMLElement);
    // The menu closes before the action, so that a dialog that opens then returns the focus to the menu's button.
    menu.addEventListener("click", () => menu.hidePopover(), { capture: true });
  }

  async saveRecording(): Promise<void> {
    const about = state.shown.value?.about;
    if (about === undefined) return;
    if (!(await this.#list.settled())) {
      say(
        "Nothing is saved: the cutting list has a mistake, and the recording is not what it says.",
        "problem",
      );
      showTab("tab-cut");
      return;
    }
    try {
      const bytes = await this.#deck.ask("save", null);
      download(new Blob([bytes]), editedName(about.name, about.game));
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
  }

  async saveScript(): Promise<void> {
    if (state.shown.value === null) return;
    await this.#list.settled();
    download(new Blob([state.script.value], { type: "text/plain" }), `${stem()}.edit`);
  }

  async saveSubtitles(): Promise<void> {
    if (state.shown.value === null) return;
    await this.#list.settled();
    const srt = await this.#deck.ask("srt", { script: state.script.value });
    if (srt === "") say("There are no subtitles yet: type one at its moment (Shift+T).");
    else download(new Blob([srt], { type: "application/x-subrip" }), `${stem()}.srt`);
  }

  /** Films the marked part, or all of it. */
  async saveClip(viewOf: (width: number, height: number) => View): Promise<void> {
    const shown = state.shown.value;
    if (shown === null || !(await this.#list.settled())) return;
    state.running.value = 0;
    const { start: from, end: to } = markedPart() ?? { start: shown.about.first, end: length() };
    const dialog = byId("clip", HTMLDialogElement);
    const bar = byId("clip-progress", HTMLProgressElement);
    bar.value = 0;
    byId("clip-length", HTMLElement).textContent = `${clock(from)} to ${clock(to)}`;
    dialog.showModal();
    try {
      const view = withoutHelpers(viewOf(...PICTURE));
      await this.#deck.ask("clipBegin", { from, to, view });
      let done = 0;
      while (done < 1 && dialog.open) {
        done = await this.#deck.ask("clipStep", null);
        bar.value = done;
      }
      const film = await this.#deck.ask("clipEnd", { keep: dialog.open });
      if (film !== null) download(film, `${stem()}.${film.type === "video/mp4" ? "mp4" : "webm"}`);
    } catch (problem) {
      await this.#deck.ask("clipEnd", { keep: false });
      say(`The clip was not made: ${problemOf(problem)}`, "problem");
    }
    dialog.close();
  }

  async savePicture(viewOf: (width: number, height: number) => View): Promise<void> {
    if (state.shown.value === null) return;
    try {
      const seconds = state.seconds.value;
      const view = withoutHelpers(viewOf(...PICTURE));
      const png = await this.#deck.ask("png", { seconds, view });
      download(png, `${stem()}-${seconds.toFixed(2)}.png`);
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
  }
}

/** `src` is the URL of the recording, if it came from a link. */
export async function copyLink(src: string | null): Promise<void> {
  const camera = state.camera.value;
  const who = camera.kind === "player" ? String(camera.who) : null;
  const script = state.script.value.trim() === "" ? null : state.script.value;
  const link = linkTo({ src, edit: src === null ? null : script, seconds: state.seconds.value, who });
  const what = script === null ? "the recording itself" : "the recording as you save it";
  const where = src === null ? ` It leads to the moment; ${what} must be opened there.` : "";
  say((await copy(link)) ? `The link is copied.${where}` : `The link: ${link}`);
}

/** A view without the paths of the cameras and the marks, which help during work and are not part of the picture. */
function withoutHelpers(view: View): View {
  return { ...view, ways: false, marked: [] };
}

function stem(): string {
  return stemAndEnding(state.shown.value?.about.name ?? "recording")[0];
}
