// Combines the loose files of a game's folder into one archive: they can be thousands, and are stored and passed to the
// deck at once.
import type { Taken } from "./open";

const HEADER = 12;
const ENTRY = 64;
/** The number of bytes of an entry for a path, with a zero at its end. */
const PATH = 56;

/** A PAK with these files. It only refers to the files, which are read when the PAK is read. */
export function packed(files: readonly Taken[]): Blob {
  const fitting = files.filter(({ name }) => new TextEncoder().encode(name).length < PATH);
  const directory = new DataView(new ArrayBuffer(fitting.length * ENTRY));
  let place = HEADER;
  for (const [at, { name, file }] of fitting.entries()) {
    new TextEncoder().encodeInto(name, new Uint8Array(directory.buffer, at * ENTRY, PATH));
    directory.setUint32(at * ENTRY + PATH, place, true);
    directory.setUint32(at * ENTRY + PATH + 4, file.size, true);
    place += file.size;
  }
  const header = new DataView(new ArrayBuffer(HEADER));
  new TextEncoder().encodeInto("PACK", new Uint8Array(header.buffer));
  header.setUint32(4, place, true);
  header.setUint32(8, directory.byteLength, true);
  return new Blob([header, ...fitting.map(({ file }) => file), directory]);
}
