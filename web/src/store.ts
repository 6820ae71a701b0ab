// Data that the browser keeps for the next visit: recordings, the work on them, and the game's files. All of it is in
// the origin private file system (OPFS), to which no other site and no server has access.
import { type GameFile, NOTHING_TYPED, type Span, type Typed } from "./state";

/** The work on a recording. */
export interface Desk {
  /** When it was kept, in milliseconds. */
  when: number;
  name: string;
  /** The size of the file. Name and size together identify a file. */
  bytes: number;
  /** The place inside an archive; empty where the file is the recording. */
  path: string;
  seconds: number;
  /** The marks in and out. */
  span: Span;
  typed: Typed;
  /** The undo history; null if it is in the recording's own file. */
  history: unknown;
}

const RECORDING = "file-";
const DESK_FILE = "desk.json";
/** The key of the same data in local storage, which is written at once even while the tab closes. */
const LOCAL_DESK = "moviola-desk";
const GAME = "game-";
const HISTORY = "list-";
/** File systems allow names of 255 bytes. */
const LONGEST = 200;

/** A recording that is kept. */
export interface Kept {
  name: string;
  file: File;
}

export class Store {
  /** Null if the browser has no such storage for this page, for example because it was opened from a disk. */
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
  static withoutStorage(): Store {
    return new Store(null);
  }

  get isPersistent(): boolean {
    return this.#folder !== null;
  }

  /** The work of the last visit: the newer of the two stored states. */
  async desk(): Promise<{ desk: Desk; file: File } | null> {
    if (!this.isPersistent) return null;
    const all = [await (await this.#read(DESK_FILE))?.text(), lastDeskText()].map(deskOf);
    const desk = all.reduce((newer, it) => ((it?.when ?? -1) > (newer?.when ?? -1) ? it : newer), null);
    const file = desk === null ? null : await this.#read(recordingName(desk.name, desk.bytes));
    return desk === null || file === null ? null : { desk, file };
  }

  /** The stored undo history of a recording, by its name and size; null if there is none. */
  async history(reel: string): Promise<unknown> {
    try {
      return JSON.parse((await (await this.#read(historyName(reel)))?.text()) ?? "null");
    } catch {
      return null;
    }
  }

  keepHistory(reel: string, history: unknown): Promise<boolean> {
    if (this.#deleted) return Promise.resolve(false);
    return this.#write(historyName(reel), new Blob([JSON.stringify(history)]));
  }

  async games(): Promise<GameFile[]> {
    const games: GameFile[] = [];
    for (const name of await this.#names()) {
      const file = name.startsWith(GAME) ? await this.#read(name) : null;
      if (file !== null) games.push({ name: decodeURIComponent(name.slice(GAME.length)), file });
    }
    return games.sort((a, b) => a.name.localeCompare(b.name));
  }

  /** The recordings, the newest first. */
  async recordings(): Promise<Kept[]> {
    const kept: Kept[] = [];
    for (const name of await this.#names()) {
      const file = name.startsWith(RECORDING) ? await this.#read(name) : null;
      if (file === null) continue;
      const words = decodeURIComponent(name.slice(RECORDING.length));
      kept.push({ name: words.slice(0, words.lastIndexOf(" ")), file });
    }
    return kept.sort((a, b) => b.file.lastModified - a.file.lastModified);
  }

  async keepRecording(name: string, file: Blob): Promise<boolean> {
    this.#deleted = false;
    const place = recordingName(name, file.size);
    // A file that was opened from this storage must not be written over itself.
    const there = await this.#read(place);
    if (file instanceof File && there?.lastModified === file.lastModified) return true;
    askToPersist();
    return this.#write(place, file);
  }

  async forgetRecording({ name, file }: Kept): Promise<void> {
    await this.#remove(recordingName(name, file.size));
  }

  keepDesk(desk: Desk): Promise<boolean> {
    if (this.#deleted) return Promise.resolve(false);
    return this.#write(DESK_FILE, new Blob([JSON.stringify(desk)]));
  }

  /** Stores the work while the tab closes, when nothing asynchronous can finish. */
  keepDeskAtOnce(desk: Desk): void {
    if (this.#deleted || !this.isPersistent) return;
    try {
      localStorage.setItem(LOCAL_DESK, JSON.stringify(desk));
    } catch {
      // This storage is small, and a long history may not fit; the state stored a moment before is still there.
    }
  }

  keepGame(game: GameFile): Promise<boolean> {
    askToPersist();
    return this.#write(gameName(game), game.file);
  }

  async forgetGame(game: GameFile): Promise<void> {
    await this.#remove(gameName(game));
  }

  async bytes(): Promise<number> {
    let sum = 0;
    for (const name of await this.#names()) sum += (await this.#read(name))?.size ?? 0;
    return sum;
  }

  async forget(): Promise<void> {
    this.#deleted = true;
    await this.#queue;
    localStorage.removeItem(LOCAL_DESK);
    for (const name of await this.#names()) await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    await this.#queue;
    await this.#folder?.removeEntry(name).catch(() => {});
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

  /** Returns whether it was stored: the browser may be out of room. */
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

/**
 * Asks the browser to keep the files when the disk gets full. Some browsers ask the user; nothing waits for the answer.
 */
function askToPersist(): void {
  navigator.storage.persist?.().catch(() => false);
}

function historyName(reel: string): string {
  return (HISTORY + encodeURIComponent(reel)).slice(0, LONGEST);
}

/** Of a name that is too long the end stays, with the ending and the size. */
function recordingName(name: string, bytes: number): string {
  let letters = [...`${name.toWellFormed()} ${bytes}`];
  while (encodeURIComponent(letters.join("")).length > LONGEST) letters = letters.slice(1);
  return RECORDING + encodeURIComponent(letters.join(""));
}

function gameName({ name }: GameFile): string {
  return GAME + encodeURIComponent(name);
}

function lastDeskText(): string | undefined {
  try {
    return localStorage.getItem(LOCAL_DESK) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Reads a kept desk; null if it is damaged or another version of the page wrote it. */
function deskOf(text: string | undefined): Desk | null {
  try {
    const kept = JSON.parse(text ?? "null") as Partial<Desk> | null;
    if (kept === null) return null;
    const { when = 0, name = "recording", bytes = 0, path = "", seconds = 0, history = null } = kept;
    const { start = null, end = null } = kept.span ?? {};
    const typed = { ...NOTHING_TYPED, ...kept.typed };
    return { when, name, bytes, path, seconds, span: { start, end }, typed, history };
  } catch {
    return null;
  }
}
