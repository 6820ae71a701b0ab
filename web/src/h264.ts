// The settings of an H.264 decoder as files have them (`avcC` of ISO/IEC 14496-15): the browser's encoder gives them.
import { type Bytes, joined } from "./packets";

/**
 * The settings with each set of parameters as it belongs there. Firefox repeats the first byte of each; its own decoder
 * and Chromium's find the sets among the pictures too, but players that read the settings alone show nothing.
 */
export function mendedSettings(settings: Bytes): Bytes {
  const sets = setsOf(settings);
  const [first] = sets.sequences;
  // The byte after the first is the profile, which the settings have as well.
  if (first === undefined || first[1] !== first[0] || first[2] !== settings[1]) return settings;
  const list = (all: readonly Bytes[]) =>
    all.map((set) => joined([new Uint8Array([(set.length - 1) >> 8, set.length - 1]), set.subarray(1)]));
  // The reserved bits must be 1.
  const start = [...settings.subarray(0, 4), 0xfc | (settings[4] ?? 3), 0xe0 | sets.sequences.length];
  return joined([
    new Uint8Array(start),
    ...list(sets.sequences),
    new Uint8Array([sets.pictures.length]),
    ...list(sets.pictures),
  ]);
}

/** The parameter sets: sequence parameter sets and picture parameter sets. */
function setsOf(settings: Bytes): { sequences: Bytes[]; pictures: Bytes[] } {
  let at = 5;
  const take = (mask: number): Bytes[] => {
    const count = (settings[at] ?? 0) & mask;
    at += 1;
    return Array.from({ length: count }, () => {
      const size = ((settings[at] ?? 0) << 8) | (settings[at + 1] ?? 0);
      at += 2 + size;
      return settings.subarray(at - size, at);
    });
  };
  return { sequences: take(0x1f), pictures: take(0xff) };
}
