// Takes files from the user: dropped, chosen, or a whole folder.
import { byId, make } from "./dom";
import { say } from "./notices";
import type { GameFile } from "./state";
import { size } from "./time";

/** A file with its path inside the folder that was chosen or dropped. */
export type Taken = GameFile;

/** Folders of a game by which its loose files are recognized. */
const FOLDERS = new Set([
  "maps",
  "progs",
  "gfx",
  "sound",
  "models",
  "textures",
  "pics",
  "env",
  "sprites",
  "players",
]);

/**
 * The game folder for files without a path. Quake II has its models and pictures in folders of other names, so they are
 * not included.
 */
const HOMES: Record<string, string> = { bsp: "maps", lit: "maps", mdl: "progs", spr: "progs" };

/** "quake/id1/maps/e1m1.bsp" as "maps/e1m1.bsp", the path inside the game, and so "e1m1.bsp" alone. */
export function pathInGame(path: string): string {
  const parts = path.split("/");
  const start = parts.findIndex((part) => FOLDERS.has(part.toLowerCase()));
  if (start >= 0) return parts.slice(start).join("/");
  const name = parts.at(-1) ?? path;
  const home = HOMES[name.split(".").at(-1)?.toLowerCase() ?? ""];
  return home === undefined ? name : `${home}/${name}`;
}

/** Endings of files that the user can choose; the kind of a chosen file is checked afterwards. */
export const RECORDINGS = /\.(dem|dm2|qwd|mvd|mvd2|dz|zip|gz)$/i;

export function isArchiveOfGame(name: string): boolean {
  return /\.(pak|pk3|zip)$/i.test(name);
}

/** Calls back with the files that are dropped anywhere on the page. */
export function listenForDrops(onFiles: (files: Taken[]) => void): void {
  const over = byId("over", HTMLElement);
  let depth = 0;
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
  window.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth += 1;
    over.hidden = false;
  });
  window.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) over.hidden = true;
  });
  window.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  window.addEventListener("drop", async (event) => {
    if (!hasFiles(event) || event.dataTransfer === null) return;
    event.preventDefault();
    depth = 0;
    over.hidden = true;
    try {
      onFiles(await filesOf(event.dataTransfer));
    } catch {
      // In Chromium, a page opened from a disk can read dropped files, but not those of a dropped folder.
      say(
        "This browser does not let the page read what was dropped. Choose it: Open, or Game data.",
        "problem",
      );
    }
  });
}

/** Calls back with the files that are chosen by one of the page's file inputs. */
export function listenForChoice(id: string, onFiles: (files: Taken[]) => void): HTMLInputElement {
  const input = byId(id, HTMLInputElement);
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    onFiles(files.map((file) => ({ name: file.webkitRelativePath || file.name, file })));
    // Without this, choosing the same file again would cause no event.
    input.value = "";
  });
  return input;
}

async function filesOf(data: DataTransfer): Promise<Taken[]> {
  // All items must be read before the first `await`, since the list is empty afterwards.
  const dropped = [...data.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const taken = dropped.map(({ entry, file }) => {
    if (entry?.isDirectory) return walk(entry);
    // The file is not taken from its entry: Chromium refuses that to a page that was opened from a disk.
    return file === null ? [] : [{ name: file.name, file }];
  });
  return (await Promise.all(taken)).flat();
}

async function walk(entry: FileSystemEntry): Promise<Taken[]> {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    );
    return [{ name, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Taken[] = [];
  for (;;) {
    // A reader returns at most a hundred entries at a time, and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    for (const inside of some) all.push(...(await walk(inside)));
  }
}

/** Lets the user choose one of several recordings; null if none is chosen. */
export function choose(recordings: { path: string; bytes: number | null }[]): Promise<string | null> {
  const dialog = byId("choose", HTMLDialogElement);
  const list = byId("choose-list", HTMLElement);
  return new Promise((resolve) => {
    let chosen: string | null = null;
    list.replaceChildren(
      ...recordings.map(({ path, bytes }) => {
        const note = bytes === null ? "" : size(bytes);
        const button = make("button", { type: "button" }, path, make("small", { class: "num" }, note));
        button.addEventListener("click", () => {
          chosen = path;
          dialog.close();
        });
        return make("li", {}, button);
      }),
    );
    dialog.addEventListener("close", () => resolve(chosen), { once: true });
    dialog.showModal();
    // So that Enter opens the first recording and does not close the dialog.
    list.querySelector("button")?.focus();
  });
}
