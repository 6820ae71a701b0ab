// Data that the browser keeps for the next visit: the recording, the work on it, and the game's files. All of it
// lies in the origin private file system (OPFS), which no other site and no server sees.
import { type GameFile, NOTHING_TYPED, type Span, type Typed } from "./state";

/** The work on a recording. */
export interface Desk {
  name: string;
  /** The place inside an archive; empty where the file is the recording. */
  path: string;
  seconds: number;
  /** The marks in and out. */
  span: Span;
  typed: Typed;
  history: unknown;
}

const RECORDING = "recording";
const DESK = "desk.json";
const GAME = "game-";
const LIST = "list-";
/** File systems take names of 255 bytes. */
const LONGEST = 200;

export class Store {
  /** Null where the browser has no such storage for this page, as for one that was opened from a disk. */
  readonly #folder: FileSystemDirectoryHandle | null;
  // Writes of one file must not overlap: the second would fail.
  #queue: Promise<void> = Promise.resolve();
  /** Everything was deleted: the work on what is still open is not kept again, as it would be when the tab closes. */
  #deleted = false;

  private constructor(folder: FileSystemDirectoryHandle | null) {
    this.#folder = folder;
  }

  static async open(): Promise<Store> {
    try {
      const root = await navigator.storage.getDirectory();
      return new Store(await root.getDirectoryHandle("moviola", { create: true }));
    } catch {
      return new Store(null);
    }
  }

  /** A store that forgets, for a page that carries its recording with it. */
  static forgetful(): Store {
    return new Store(null);
  }

  get lasts(): boolean {
    return this.#folder !== null;
  }

  async desk(): Promise<{ desk: Desk; file: File } | null> {
    try {
      const text = await (await this.#read(DESK))?.text();
      const file = await this.#read(RECORDING);
      if (text === undefined || file === null) return null;
      const desk = JSON.parse(text) as Partial<Desk>;
      const { name = "recording", path = "", seconds = 0, history = null } = desk;
      const { start = null, end = null } = desk.span ?? {};
      const typed = { ...NOTHING_TYPED, ...desk.typed };
      return { desk: { name, path, seconds, span: { start, end }, typed, history }, file };
    } catch {
      // What another version kept, or half of it, is as good as nothing.
      return null;
    }
  }

  /** The undo history that was kept of a recording, by its name and size; null if there is none. */
  async history(reel: string): Promise<unknown> {
    try {
      return JSON.parse((await (await this.#read(listName(reel)))?.text()) ?? "null");
    } catch {
      return null;
    }
  }

  keepHistory(reel: string, history: unknown): Promise<boolean> {
    if (this.#deleted) return Promise.resolve(false);
    return this.#write(listName(reel), new Blob([JSON.stringify(history)]));
  }

  async games(): Promise<GameFile[]> {
    const games: GameFile[] = [];
    for (const name of await this.#names()) {
      const file = name.startsWith(GAME) ? await this.#read(name) : null;
      if (file !== null) games.push({ name: decodeURIComponent(name.slice(GAME.length)), file });
    }
    return games.sort((a, b) => a.name.localeCompare(b.name));
  }

  keepRecording(file: Blob): Promise<boolean> {
    this.#deleted = false;
    return this.#write(RECORDING, file);
  }

  keepDesk(desk: Desk): Promise<boolean> {
    if (this.#deleted) return Promise.resolve(false);
    return this.#write(DESK, new Blob([JSON.stringify(desk)]));
  }

  keepGame(game: GameFile): Promise<boolean> {
    return this.#write(GAME + encodeURIComponent(game.name), game.file);
  }

  async bytes(): Promise<number> {
    let sum = 0;
    for (const name of await this.#names()) sum += (await this.#read(name))?.size ?? 0;
    return sum;
  }

  async forget(): Promise<void> {
    this.#deleted = true;
    await this.#queue;
    for (const name of await this.#names()) await this.#folder?.removeEntry(name).catch(() => {});
  }

  async #names(): Promise<string[]> {
    if (this.#folder === null) return [];
    const names: string[] = [];
    for await (const name of this.#folder.keys()) names.push(name);
    return names;
  }

  async #read(name: string): Promise<File | null> {
    try {
      return (await (await this.#folder?.getFileHandle(name))?.getFile()) ?? null;
    } catch {
      return null;
    }
  }

  /** Whether it was kept: a browser can be out of room. */
  #write(name: string, blob: Blob): Promise<boolean> {
    const folder = this.#folder;
    if (folder === null) return Promise.resolve(false);
    const work = async () => {
      const handle = await folder.getFileHandle(name, { create: true });
      const writable = await handle.createWritable();
      await writable.write(blob);
      await writable.close();
    };
    const done = this.#queue.then(work).then(
      () => true,
      () => false,
    );
    this.#queue = done.then(() => {});
    return done;
  }
}

function listName(reel: string): string {
  return (LIST + encodeURIComponent(reel)).slice(0, LONGEST);
}
