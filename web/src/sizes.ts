// Files that cannot be read because of their size.
import type { DeckClient } from "./deck";
import { size } from "./time";

/** Larger files take seconds to read. */
export const SLOW = 100_000_000;

/** Larger files do not fit into the memory of WebAssembly, together with the data computed from them. */
const LARGEST = 1_000_000_000;

/** The number of a file's first bytes that show its kind. */
const START = 1 << 16;

/** A sentence about a file that is empty or too large, otherwise null. */
export async function whyNotRead(deck: DeckClient, name: string, file: Blob): Promise<string | null> {
  if (file.size === 0) return `${name} is empty: it has no bytes.`;
  if (file.size <= LARGEST) return null;
  const start = { name, file: file.slice(0, START) };
  const kind = await deck.ask("look", start).then(
    (dropped) => (dropped.kind === "recording" ? "is a recording" : "is a file"),
    () => "is a file",
  );
  const help = kind === "is a recording" ? " `moviola cut` makes a shorter one of it." : "";
  return `${name} ${kind} of ${size(file.size)}; a browser has no room for more than ${size(LARGEST)}.${help}`;
}
