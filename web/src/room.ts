// The cutting room: one open recording with the files of its game, and the data kept about both.
import type { Address } from "./address";
import type { DeckClient } from "./deck";
import { problemOf, whenQuiet } from "./dom";
import { putProblemsAway, say } from "./notices";
import { choose, isArchiveOfGame, pathInGame, type Taken } from "./open";
import { packed } from "./pak";
import type { CuttingList } from "./script";
import { type GameFile, length, NOTHING_TYPED, state } from "./state";
import type { Desk, Store } from "./store";
import { size } from "./time";

/** Larger files do not fit into the memory that WebAssembly has, next to what is made of them. */
const LARGEST = 1_000_000_000;

/** So many of a file's first bytes show what it is. */
const START = 1 << 16;

/** By this a recording is known again when somebody opens it a second time. */
const keyOf = ({ name, path, file }: Reel) => `${file.size} ${name}:${path}`;

/** A recording as it came: a file, and the place inside it where it is an archive. */
interface Reel {
  name: string;
  path: string;
  file: Blob;
}

/** The work of an earlier visit. */
type Kept = Pick<Desk, "seconds" | "span" | "typed" | "history">;

export class Room {
  readonly #deck: DeckClient;
  readonly #store: Store;
  readonly #list: CuttingList;
  #reel: Reel | null = null;
  /** Where the recording came from, for links. */
  src: string | null = null;

  constructor(deck: DeckClient, store: Store, list: CuttingList) {
    this.#deck = deck;
    this.#store = store;
    this.#list = list;
    const keep = whenQuiet(800, () => this.#keepDesk());
    state.script.watch(keep);
    state.seconds.watch(keep);
    state.span.watch(keep);
    state.typed.watch(keep);
    // A tab that is closed is hidden first.
    document.addEventListener("visibilitychange", () => this.#keepDesk());
  }

  /** Call after each picture: what many of them miss is looked up when they rest. */
  readonly drawn = whenQuiet(250, () => void this.#lookForMissing());

  /** Takes whatever files somebody gives: recordings, archives, files of the game. */
  async take(files: readonly Taken[]): Promise<void> {
    const isFolder = files.length > 1 && files.every(({ name }) => name.includes("/"));
    if (isFolder) return this.takeFolder(files);
    // Files of the game come first, so that the recording's first picture has them.
    const games = files.filter(({ name }) => isArchiveOfGame(name));
    for (const taken of [...games, ...files.filter((file) => !games.includes(file))])
      await this.#takeOne(taken);
  }

  /** A folder of the game: its loose files, and its archives, which come before them as in the engines. */
  async takeFolder(files: readonly Taken[]): Promise<void> {
    const archives = files.filter(({ name }) => /\.(pak|pk3)$/i.test(name));
    archives.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    const loose = files
      .map(({ name, file }) => ({ name: pathInGame(name), file }))
      // Of the files outside of these folders only `gfx.wad` has pictures, and nothing is heard yet.
      .filter(({ name }) => (name.includes("/") || /\.wad$/i.test(name)) && !/\.wav$/i.test(name));
    if (archives.length === 0 && loose.length === 0) {
      const reason = "it has neither .pak nor .pk3, nor folders such as maps";
      say(`This folder has no game files: ${reason}.`, "problem");
      return;
    }
    const folder = files[0]?.name.split("/")[0] ?? "folder";
    if (loose.length > 0) await this.#addGame({ name: `${folder}.pak`, file: packed(loose) });
    // Whole paths: the folder of a game can have several folders with a pak0.pak each.
    for (const archive of archives) await this.#addGame(archive);
    say(`The folder ${folder} was added to the game data.`);
  }

  async #takeOne({ name, file }: Taken): Promise<void> {
    const short = name.split("/").at(-1) ?? name;
    if (file.size > LARGEST) {
      say(await this.#tooLarge(short, file), "problem");
      return;
    }
    try {
      const dropped = await this.#deck.ask("look", { name: short, file });
      if (dropped.game_files) {
        const game = { name: isArchiveOfGame(short) ? short : pathInGame(name), file };
        if (await this.#addGame(game)) say(`${game.name} is part of the game data now.`);
      }
      const [first, ...others] = dropped.recordings;
      if (dropped.problem !== null) say(dropped.problem, "problem");
      if (first === undefined) return;
      // A pak0.pak has demos in it, but who adds one to a recording wants its levels.
      if (dropped.game_files && state.shown.value !== null) return;
      const path = others.length === 0 ? first.path : await choose(dropped.recordings);
      if (path !== null) await this.open({ name: short, path, file });
    } catch (problem) {
      say(`${short}: ${problemOf(problem)}`, "problem");
    }
  }

  /** The sentence about a file for which there is no room: its beginning alone is read. */
  async #tooLarge(name: string, file: Blob): Promise<string> {
    const start = { name, file: file.slice(0, START) };
    const kind = await this.#deck.ask("look", start).then(
      (dropped) => (dropped.kind === "recording" ? "is a recording" : "is a file"),
      () => "is a file",
    );
    const help = kind === "is a recording" ? " `moviola cut` makes a shorter one of it." : "";
    return `${name} ${kind} of ${size(file.size)}; a browser has no room for more than ${size(LARGEST)}.${help}`;
  }

  /** Opens a recording; `kept` is the work of an earlier visit. */
  async open(reel: Reel, kept: Kept | null = null): Promise<boolean> {
    state.running.value = 0;
    state.opening.value = true;
    // Until the new cutting list is there, nothing is kept: it would be that of the recording before.
    this.#keepDesk();
    const before = this.#reel;
    this.#reel = null;
    try {
      const shown = await this.#deck.ask("open", reel);
      for (const game of state.games.value) await this.#giveToDeck(game);
      this.src = null;
      state.camera.value = { kind: "recorder" };
      state.span.value = kept?.span ?? { start: null, end: null };
      state.seconds.value = Math.min(kept?.seconds ?? shown.about.first, shown.about.seconds);
      state.missing.value = [];
      state.shown.value = shown;
      putProblemsAway();
      this.#list.restart(kept?.history ?? (await this.#store.history(keyOf(reel))));
      // A text that was being typed is about a block of the edited recording.
      await this.#list.settled();
      state.typed.value = kept?.typed ?? NOTHING_TYPED;
      this.#reel = reel;
      if (kept === null && state.script.value !== "") say("Your cuts from last time are back.");
      if (kept === null && !(await this.#store.keepRecording(reel.file)) && this.#store.lasts) {
        say("The browser has no room to store this recording: it is lost when the tab closes.", "problem");
      }
      this.#keepDesk();
      return true;
    } catch (problem) {
      this.#reel = before;
      say(problemOf(problem), "problem");
      return false;
    } finally {
      state.opening.value = false;
    }
  }

  /** Takes up the work of the last visit, if there is any. */
  async resume(): Promise<boolean> {
    const kept = await this.#store.desk();
    if (kept === null) return false;
    const { desk, file } = kept;
    return this.open({ name: desk.name, path: desk.path, file }, desk);
  }

  async restoreGames(): Promise<void> {
    state.games.value = await this.#store.games();
  }

  /** Goes to the moment and the eyes that a link names. */
  goTo({ seconds, who }: Address): void {
    if (seconds !== null) state.seconds.value = Math.min(seconds, length());
    if (who !== null) state.camera.value = { kind: "player", who };
  }

  async addEmbeddedGame(file: Blob): Promise<void> {
    state.games.value = [{ name: "game.pak", file }];
  }

  async #addGame(game: GameFile): Promise<boolean> {
    if (state.shown.value !== null && !(await this.#giveToDeck(game))) return false;
    state.games.value = [...state.games.value.filter(({ name }) => name !== game.name), game];
    if (!(await this.#store.keepGame(game)) && this.#store.lasts) {
      say(`The browser has no room to store ${game.name}: it is lost when the tab closes.`, "problem");
    }
    return true;
  }

  async #giveToDeck(game: GameFile): Promise<boolean> {
    try {
      await this.#deck.ask("addGame", game);
      // The picture is another one now, though neither moment nor recording changed.
      const shown = state.shown.value;
      if (shown !== null && !state.opening.value) state.shown.value = { ...shown };
      return true;
    } catch (problem) {
      say(`${game.name}: ${problemOf(problem)}`, "problem");
      return false;
    }
  }

  async #lookForMissing(): Promise<void> {
    if (state.shown.value === null) return;
    const missing = await this.#deck.ask("missing", null).catch(() => []);
    if (missing.join("\n") !== state.missing.value.join("\n")) state.missing.value = missing;
  }

  #keepDesk(): void {
    const reel = this.#reel;
    if (reel === null) return;
    const history = this.#list.history.toJSON();
    // Cuts outlive the opening of another recording, too.
    if (history.texts.length > 1) void this.#store.keepHistory(keyOf(reel), history);
    const { seconds, span, typed } = state;
    void this.#store.keepDesk({
      name: reel.name,
      path: reel.path,
      seconds: seconds.value,
      span: span.value,
      typed: typed.value,
      history,
    });
  }
}
