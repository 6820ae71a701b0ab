// The cutting room: the open recording, the files of its game, and the stored data about both.
import { type Address, nameOf } from "./address";
import type { DeckClient } from "./deck";
import { atMostEvery, problemOf, whenQuiet } from "./dom";
import { putProblemsAway, say, sayDamage } from "./notices";
import { choose, isArchiveOfGame, pathInGame, RECORDINGS, type Taken } from "./open";
import { packed } from "./pak";
import type { CuttingList } from "./script";
import { SLOW, whyNotRead } from "./sizes";
import { type GameFile, length, NOTHING_TYPED, state } from "./state";
import type { Desk, Store } from "./store";
import { size } from "./time";

/** The data by which a recording is recognized when it is opened a second time. */
const keyOf = ({ name, path }: { name: string; path: string }, bytes: number) => `${bytes} ${name}:${path}`;

/** Whether a file has the name of the recording that a link names. */
function isRecordingOf({ src }: Address, { name }: Reel): boolean {
  return src !== null && URL.canParse(src, location.href) && nameOf(new URL(src, location.href)) === name;
}

/** A recording as it was given: a file, and the path inside it if it is an archive. */
interface Reel {
  name: string;
  path: string;
  file: Blob;
}

/** The work of an earlier visit. */
type EarlierWork = Pick<Desk, "seconds" | "span" | "typed" | "history">;

export class Room {
  readonly #deck: DeckClient;
  readonly #store: Store;
  readonly #list: CuttingList;
  #reel: Reel | null = null;
  /** The state of the work when it was last stored, or when the recording was opened. */
  #storedWork = "";
  /** The state of the undo history that was kept last. */
  #keptChanges = -1;
  /** Where the recording came from, for links. */
  src: string | null = null;
  /** A link whose recording is not there yet. */
  #awaitedLink: Address | null = null;

  constructor(deck: DeckClient, store: Store, list: CuttingList) {
    this.#deck = deck;
    this.#store = store;
    this.#list = list;
    // The work is stored at intervals, not after a pause: during playback the moment never stops changing.
    const keep = atMostEvery(150, () => this.#keepDesk());
    state.script.watch(keep);
    state.span.watch(keep);
    state.typed.watch(keep);
    state.seconds.watch(atMostEvery(1500, () => this.#keepDesk()));
    // A tab is hidden before it is closed, and a hidden tab may never become visible again, so the work is stored now.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.#leave();
    });
    window.addEventListener("pagehide", () => this.#leave());
  }

  /** Call after each picture: files that are missing are looked up when the picture rests. */
  readonly drawn = whenQuiet(250, () => void this.#lookForMissing());

  /**
   * Takes the files that the user gives: recordings, archives, files of the game. Returns whether a recording was
   * opened.
   */
  async take(files: readonly Taken[]): Promise<boolean> {
    const isFolder = files.length > 1 && files.every(({ name }) => name.includes("/"));
    if (isFolder) {
      await this.takeFolder(files);
      return false;
    }
    if (files.length === 0) say("There are no files in it.");
    // Files of the game are added first, so that the recording's first picture has them.
    const games = files.filter(({ name }) => isArchiveOfGame(name));
    const recordings = files.filter((file) => !games.includes(file) && RECORDINGS.test(file.name));
    const others = files.filter((file) => !games.includes(file) && !recordings.includes(file));
    let isOpen = false;
    for (const taken of [...games, ...others]) isOpen = (await this.#add(taken)) || isOpen;
    return (await this.#openOneOf(recordings)) || isOpen;
  }

  /** Opens a recording; if there are several, the user chooses one. */
  async #openOneOf(recordings: readonly Taken[]): Promise<boolean> {
    const sorted = recordings.toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    const all = sorted.map(({ name, file }) => ({ path: name, bytes: file.size }));
    const path = all.length > 1 ? await choose(all) : all[0]?.path;
    const chosen = sorted.find(({ name }) => name === path);
    return chosen !== undefined && (await this.#add(chosen));
  }

  /**
   * Adds a folder of the game: its loose files, and its archives, which are added first because loose files have
   * precedence in the engines.
   */
  async takeFolder(files: readonly Taken[]): Promise<void> {
    const archives = files.filter(({ name }) => /\.(pak|pk3)$/i.test(name));
    archives.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    const loose = files
      .map(({ name, file }) => ({ name: pathInGame(name), file }))
      // Of the files outside of these folders only `gfx.wad` has pictures.
      .filter(({ name }) => name.includes("/") || /\.wad$/i.test(name));
    if (archives.length === 0 && loose.length === 0) {
      const recordings = files.filter(({ name }) => RECORDINGS.test(name));
      const reason = "neither recordings, nor .pak and .pk3, nor folders such as maps";
      if (recordings.length === 0) say(`This folder has no files for the deck: ${reason}.`, "problem");
      await this.#openOneOf(recordings);
      return;
    }
    const folder = files[0]?.name.split("/")[0] ?? "folder";
    if (loose.length > 0) await this.#addGame({ name: `${folder}.pak`, file: packed(loose) });
    // Whole paths: the folder of a game can have several folders with a pak0.pak each.
    for (const archive of archives) await this.#addGame(archive);
    say(`The folder ${folder} was added to the game data.`);
  }

  async #add({ name, file }: Taken): Promise<boolean> {
    const short = name.split("/").at(-1) ?? name;
    const reason = await whyNotRead(this.#deck, short, file);
    if (reason !== null) {
      say(reason, "problem");
      return false;
    }
    if (file.size > SLOW) say(`Reading ${short}, ${size(file.size)} …`);
    try {
      const dropped = await this.#deck.ask("look", { name: short, file });
      if (dropped.game_files) {
        const game = { name: isArchiveOfGame(short) ? short : pathInGame(name), file };
        if (await this.#addGame(game)) say(`${game.name} is part of the game data now.`);
      }
      const [first, ...others] = dropped.recordings;
      if (dropped.problem !== null) say(dropped.problem, "problem");
      if (first === undefined) return false;
      // A pak0.pak contains demos, but a user who adds one while a recording is open wants its levels.
      if (dropped.game_files && state.shown.value !== null) return false;
      const path = others.length === 0 ? first.path : await choose(dropped.recordings);
      return path !== null && (await this.open({ name: short, path, file }));
    } catch (problem) {
      say(`${short}: ${problemOf(problem)}`, "problem");
      return false;
    }
  }

  /** Opens a recording; `kept` is the work of an earlier visit. */
  async open(reel: Reel, kept: EarlierWork | null = null): Promise<boolean> {
    state.running.value = 0;
    state.opening.value = true;
    // Until the new cutting list is there, nothing is stored, since the list would be that of the previous recording.
    this.#keepDesk();
    const previousReel = this.#reel;
    this.#reel = null;
    try {
      const last = kept ?? (await this.#lastWork(reel));
      const shown = await this.#deck.ask("open", reel);
      for (const game of state.games.value) await this.#giveToDeck(game);
      this.src = null;
      state.camera.value = { kind: "recorder" };
      state.span.value = last?.span ?? { start: null, end: null };
      state.seconds.value = Math.min(kept?.seconds ?? shown.about.first, shown.about.seconds);
      state.missing.value = [];
      state.shown.value = shown;
      putProblemsAway();
      this.#list.restart(last?.history ?? (await this.#store.history(keyOf(reel, reel.file.size))));
      // A text that is being typed belongs to a block of the edited recording, so the edits come first.
      await this.#list.settled();
      state.typed.value = last?.typed ?? NOTHING_TYPED;
      this.#reel = reel;
      this.#storedWork = JSON.stringify({ ...this.#desk(reel), when: 0 });
      sayDamage(shown.about);
      if (kept === null && state.script.value !== "") say("Your cuts from last time are back.");
      if (
        kept === null &&
        !(await this.#store.keepRecording(reel.name, reel.file)) &&
        this.#store.isPersistent
      ) {
        say("The browser has no room to store this recording: it is lost when the tab closes.", "problem");
      }
      this.#keepDesk();
      const link = this.#awaitedLink;
      this.#awaitedLink = null;
      if (link !== null && kept === null) await this.follow(link, isRecordingOf(link, reel));
      return true;
    } catch (problem) {
      this.#reel = previousReel;
      say(problemOf(problem), "problem");
      return false;
    } finally {
      state.opening.value = false;
    }
  }

  /** The work of the last visit, if it was on this recording. */
  async #lastWork(reel: Reel): Promise<EarlierWork | null> {
    const desk = (await this.#store.desk())?.desk;
    return desk !== undefined && keyOf(reel, reel.file.size) === keyOf(desk, desk.bytes) ? desk : null;
  }

  /** Restores the work of the last visit, if there is any. */
  async resume(): Promise<boolean> {
    const kept = await this.#store.desk();
    if (kept === null) return false;
    const { desk, file } = kept;
    return this.open({ name: desk.name, path: desk.path, file }, desk);
  }

  async restoreGames(): Promise<void> {
    state.games.value = await this.#store.games();
  }

  /** Applies a link as soon as a recording is open. */
  await(address: Address): void {
    this.#awaitedLink = address;
  }

  /** Applies the edits of a link, if they are for this recording, and goes to its moment and player. */
  async follow({ edit, seconds, who }: Address, isItsRecording: boolean): Promise<void> {
    // If the page was loaded again and its history contains the link's edits, later edits are kept.
    if (edit !== null && isItsRecording && !this.#list.history.has(edit)) {
      this.#list.set(edit);
      if (!(await this.#list.settled())) say("The cutting list of the link has a mistake.", "problem");
    }
    if (seconds !== null) state.seconds.value = Math.min(seconds, length());
    if (who !== null) this.#showView(who);
  }

  /** Through the eyes of a player, whom a link names by number or name. */
  #showView(who: string): void {
    const { players, recorder } = state.shown.value?.about ?? { players: [], recorder: null };
    const player =
      players.find(({ number }) => String(number) === who) ??
      players.find(({ name }) => name.toLowerCase() === who.toLowerCase());
    if (player === undefined) say(`The link names the player “${who}”, who is not in this recording.`);
    else if (player.number === recorder) state.camera.value = { kind: "recorder" };
    else state.camera.value = { kind: "player", who: player.number };
  }

  async addEmbeddedGame(file: Blob): Promise<void> {
    state.games.value = [{ name: "game.pak", file }];
  }

  async #addGame(game: GameFile): Promise<boolean> {
    if (state.shown.value !== null && !(await this.#giveToDeck(game))) return false;
    state.games.value = [...state.games.value.filter(({ name }) => name !== game.name), game];
    this.#list.renewNotes();
    if (!(await this.#store.keepGame(game)) && this.#store.isPersistent) {
      say(`The browser has no room to store ${game.name}: it is lost when the tab closes.`, "problem");
    }
    return true;
  }

  async #giveToDeck(game: GameFile): Promise<boolean> {
    try {
      await this.#deck.ask("addGame", game);
      // The picture must be drawn again although neither moment nor recording changed.
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

  #leave(): void {
    if (this.#reel === null) return;
    this.#list.takeTyped();
    const desk = this.#desk(this.#reel);
    // A tab without changes must not overwrite the data that another tab stored.
    const work = JSON.stringify({ ...desk, when: 0 });
    if (work === this.#storedWork) return;
    this.#storedWork = work;
    this.#store.keepDeskAtOnce(desk);
    this.#keepDesk();
  }

  #keepDesk(): void {
    const reel = this.#reel;
    if (reel === null) return;
    const { history } = this.#list;
    // A long history takes a while to write, so it is written only if it changed.
    if (history.changes !== this.#keptChanges && (history.canUndo || history.canRedo)) {
      this.#keptChanges = history.changes;
      void this.#store.keepHistory(keyOf(reel, reel.file.size), history.toJSON());
    }
    void this.#store.keepDesk({ ...this.#desk(reel), history: null });
  }

  #desk({ name, path, file }: Reel): Desk {
    const { seconds, span, typed } = state;
    return {
      when: Date.now(),
      name,
      bytes: file.size,
      path,
      seconds: seconds.value,
      span: span.value,
      typed: typed.value,
      history: this.#list.history.toJSON(),
    };
  }
}
