// Takes files from people: dropped, chosen, or a whole folder.
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

/** The folder of files that come without one. Quake II has its models and pictures in folders of their own names. */
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

/** Files among which somebody may choose; the kind of the chosen one is looked up. */
export const RECORDINGS = /\.(dem|dm2|qwd|mvd|mvd2|dz|zip|gz)$/i;

export function isArchiveOfGame(name: string): boolean {
  return /\.(pak|pk3|zip)$/i.test(name);
}

/** Calls back with the files that are dropped anywhere on the page. */
export function listenForDrops(take: (files: Taken[]) => void): void {
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
      take(await filesOf(event.dataTransfer));
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
export function listenForChoice(id: string, take: (files: Taken[]) => void): HTMLInputElement {
  const input = byId(id, HTMLInputElement);
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    take(files.map((file) => ({ name: file.webkitRelativePath || file.name, file })));
    // Otherwise choosing the same file again would cause no event.
    input.value = "";
  });
  return input;
}

async function filesOf(data: DataTransfer): Promise<Taken[]> {
  // All must be asked for before the first `await`; afterwards the list is empty.
  const dropped = [...data.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const taken = dropped.map(({ entry, file }) => {
    if (entry?.isDirectory) return walk(entry);
    // Not from its entry: Chromium gives no file of one to a page that was opened from a disk.
    return file === null ? [] : [{ name: file.name, file }];
  });
  return (await Promise.all(taken)).flat();
}

async function walk(entry: FileSystemEntry): Promise<Taken[]> {
  const name = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) {
    const file = await new Promise<File>((give, fail) => (entry as FileSystemFileEntry).file(give, fail));
    return [{ name, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const all: Taken[] = [];
  for (;;) {
    // A reader gives a hundred entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((give, fail) => reader.readEntries(give, fail));
    if (some.length === 0) return all;
    for (const inside of some) all.push(...(await walk(inside)));
  }
}

/** Lets a person choose one of several recordings; null if none. */
export function choose(recordings: { path: string; bytes: number | null }[]): Promise<string | null> {
  const dialog = byId("choose", HTMLDialogElement);
  const list = byId("choose-list", HTMLElement);
  return new Promise((give) => {
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
    dialog.addEventListener("close", () => give(chosen), { once: true });
    dialog.showModal();
    // Enter opens the first one, instead of closing the dialog.
    list.querySelector("button")?.focus();
  });
}
