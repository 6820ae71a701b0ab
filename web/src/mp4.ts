// MP4: the file of a film, from the packets of the browser's encoders. It consists of boxes, each with a length, a name
// and its content; ISO/IEC 14496-12 has the boxes, 14496-15 those of H.264, and
// https://opus-codec.org/docs/opus_in_isobmff.html Opus.
import { type Bytes, joined, length, OPUS_SKIP, type Packet } from "./packets";

export interface Movie {
  /** `description` has the settings of the decoder, as the encoder gives them. */
  video: { description: Bytes; width: number; height: number };
  /** Whether track 2 is there: Opus, 48000 samples a second, two sides. */
  sound: boolean;
  microseconds: number;
  /** In the order of their times. No picture is shown before another one that precedes it here. */
  packets: readonly Packet[];
}

/** The units of time in a second: all times are counted in samples of sound. */
const TICKS = 48_000;

interface Sample {
  ticks: number;
  key: boolean;
  size: number;
}

/** Consecutive samples of a track. */
interface Chunk {
  place: number;
  samples: number;
}

interface Track {
  samples: Sample[];
  chunks: Chunk[];
}

/** The parts of the file, in their order. */
export function mp4(movie: Movie): Bytes[] {
  const kind = box("ftyp", ascii("isom"), u32(0x200), ascii("isomiso2avc1mp41"));
  const sizes = movie.packets.reduce((sum, { bytes }) => sum + bytes.length, 0);
  // All numbers have a fixed width, so the first attempt with wrong positions has the right length.
  const start = kind.length + head(movie, tracks(movie, 0)).length + 8;
  const data = [u32(8 + sizes), ascii("mdat"), ...movie.packets.map(({ bytes }) => bytes)];
  return [kind, head(movie, tracks(movie, start)), ...data];
}

/** The content of each track with its places, if the first packet lies at `start`. */
function tracks({ packets }: Movie, start: number): [Track, Track] {
  const both: [Track, Track] = [
    { samples: [], chunks: [] },
    { samples: [], chunks: [] },
  ];
  let [place, last] = [start, 0];
  for (const { track, microseconds, key, bytes } of packets) {
    const { samples, chunks } = both[track - 1] as Track;
    const chunk = chunks.at(-1);
    if (last === track && chunk !== undefined) chunk.samples += 1;
    else chunks.push({ place, samples: 1 });
    samples.push({ ticks: ticks(microseconds), key, size: bytes.length });
    place += bytes.length;
    last = track;
  }
  return both;
}

const ticks = (microseconds: number) => Math.round((microseconds * TICKS) / 1e6);

function head(movie: Movie, [pictures, sounds]: [Track, Track]): Bytes {
  const duration = ticks(movie.microseconds);
  const times = [u32(0), u32(0), u32(TICKS), u32(duration)];
  const rate = [u32(0x10000), u16(0x100), zeros(10)];
  const { width, height } = movie.video;
  const parts = [
    box("mvhd", u32(0), ...times, ...rate, MATRIX, zeros(24), u32(3)),
    trackBox(1, { duration, size: [width, height], skip: 0 }, "vide", picturesOf(movie), pictures),
  ];
  if (movie.sound)
    parts.push(trackBox(2, { duration, size: [0, 0], skip: OPUS_SKIP }, "soun", SOUND, sounds));
  return box("moov", ...parts);
}

interface About {
  duration: number;
  size: [number, number];
  /** The ticks at its beginning that are not to be played. */
  skip: number;
}

function trackBox(
  number: 1 | 2,
  { duration, size, skip }: About,
  kind: "vide" | "soun",
  entry: Bytes,
  track: Track,
): Bytes {
  const loud = kind === "soun" ? 0x100 : 0;
  const place = [zeros(8), u16(0), u16(0), u16(loud), u16(0), MATRIX];
  const header = kind === "soun" ? box("smhd", u32(0), u32(0)) : box("vmhd", u32(1), zeros(8));
  const beside = box("dinf", box("dref", u32(0), u32(1), box("url ", u32(1))));
  return box(
    "trak",
    // Flags: it is on, and a part of the film.
    box("tkhd", u32(3), u32(0), u32(0), u32(number), u32(0), u32(duration), ...place, ...size.map(wide)),
    box("edts", box("elst", u32(0), u32(1), u32(duration), u32(skip), u32(0x10000))),
    box(
      "mdia",
      // 0x55c4 is "no language".
      box("mdhd", u32(0), u32(0), u32(0), u32(TICKS), u32(duration + skip), u16(0x55c4), u16(0)),
      box("hdlr", u32(0), u32(0), ascii(kind), zeros(12), ascii("Moviola\0")),
      box("minf", header, beside, box("stbl", ...tables(entry, track, duration + skip))),
    ),
  );
}

/** Where the samples of a track are, how large, and how long each is shown. */
function tables(entry: Bytes, { samples, chunks }: Track, end: number): Bytes[] {
  const lengths = samples.map(({ ticks }, at) => Math.max(0, (samples[at + 1]?.ticks ?? end) - ticks));
  const keys = samples.flatMap(({ key }, at) => (key ? [at + 1] : []));
  const inChunks = runs(chunks.map(({ samples }) => samples));
  return [
    box("stsd", u32(0), u32(1), entry),
    table("stts", runs(lengths).map(({ value, count }) => [count, value])), // biome-ignore format: a table
    ...(keys.length < samples.length ? [table("stss", keys.map((key) => [key]))] : []), // biome-ignore format: a table
    table("stsc", inChunks.map(({ value, first }) => [first + 1, value, 1])), // biome-ignore format: a table
    box("stsz", u32(0), u32(0), u32(samples.length), ...samples.map(({ size }) => u32(size))),
    table("stco", chunks.map(({ place }) => [place])), // biome-ignore format: a table
  ];
}

/** Runs of equal values: each with its length and the index of its first value. */
function runs(values: readonly number[]): { value: number; count: number; first: number }[] {
  const found: { value: number; count: number; first: number }[] = [];
  for (const [first, value] of values.entries()) {
    const last = found.at(-1);
    if (last?.value === value) last.count += 1;
    else found.push({ value, count: 1, first });
  }
  return found;
}

const table = (name: string, rows: readonly number[][]) =>
  box(name, u32(0), u32(rows.length), ...rows.flat().map(u32));

function picturesOf({ video: { width, height, description } }: Movie): Bytes {
  const resolution = [u32(0x480000), u32(0x480000)];
  const fixed = [zeros(16), u16(width), u16(height), ...resolution, zeros(4), u16(1), zeros(32)];
  return box("avc1", zeros(6), u16(1), ...fixed, u16(24), u16(0xffff), box("avcC", description));
}

/** Opus: two sides, the samples to skip, the rate, no gain, no mapping. */
const SOUND = box(
  "Opus",
  zeros(6),
  u16(1),
  zeros(8),
  u16(2),
  u16(16),
  zeros(4),
  wide(TICKS),
  box("dOps", u16(2), u16(OPUS_SKIP), u32(TICKS), zeros(3)),
);

/** The transformation of the picture, which is neither turned nor stretched. */
const MATRIX = joined([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000].map(u32));

function box(name: string, ...parts: Bytes[]): Bytes {
  return joined([u32(8 + length(parts)), ascii(name), ...parts]);
}

function u32(value: number): Bytes {
  return new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
}

function u16(value: number): Bytes {
  return new Uint8Array([value >>> 8, value]);
}

/** A fixed-point number: 16 bits before the point, and 16 after it. */
function wide(value: number): Bytes {
  return u32(value * 0x10000);
}

function zeros(count: number): Bytes {
  return new Uint8Array(count);
}

function ascii(letters: string): Bytes {
  return new TextEncoder().encode(letters);
}
