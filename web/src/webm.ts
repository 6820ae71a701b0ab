// WebM: the file of a film, from the packets of the browser's encoders. It is EBML, where every element is an id, a length and
// its content; https://www.webmproject.org/docs/container/ lists the elements.

import { type Bytes, joined, length, OPUS_SKIP, type Packet } from "./packets";

export interface Film {
  video: { codec: "V_VP9" | "V_VP8"; width: number; height: number };
  /** Whether track 2 is there: Opus, 48000 samples a second, two sides. */
  sound: boolean;
  microseconds: number;
  /** In the order of their times. */
  packets: readonly Packet[];
}

const utf8 = new TextEncoder();
/** The duration of the samples that Opus skips, in nanoseconds. */
const SKIP_TIME = (OPUS_SKIP / 48) * 1e6;
/** A cluster's pictures have times of 16 bits in milliseconds, relative to it. */
const LONGEST_CLUSTER = 10_000;

/** The parts of the file, in their order. */
export function webm(film: Film): Bytes[] {
  const clusters = clustersOf(film.packets);
  const head = [
    element(0x1549a966, [
      number(0x2ad7b1, 1e6),
      text(0x4d80, "Moviola"),
      text(0x5741, "Moviola"),
      float(0x4489, film.microseconds / 1000),
    ]),
    element(0x1654ae6b, [videoTrack(film.video), ...(film.sound ? [soundTrack()] : [])]),
  ];
  // The cues contain the positions of the clusters after them; all numbers have a fixed width, so the length of the
  // cues does not change.
  let at = length(head) + cues(clusters, 0).length;
  const places = clusters.map(({ bytes }) => {
    const place = at;
    at += bytes.length;
    return place;
  });
  const segment = [
    ...head,
    cues(clusters, (index) => places[index] ?? 0),
    ...clusters.map(({ bytes }) => bytes),
  ];
  return [ebml(), id(0x18538067), size(length(segment)), ...segment];
}

function ebml(): Bytes {
  const versions = [number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8)];
  return element(0x1a45dfa3, [...versions, text(0x4282, "webm"), number(0x4287, 4), number(0x4285, 2)]);
}

function videoTrack({ codec, width, height }: Film["video"]): Bytes {
  const size = element(0xe0, [number(0xb0, width), number(0xba, height)]);
  return element(0xae, [...track(1, 1), text(0x86, codec), size]);
}

function soundTrack(): Bytes {
  // The head of Opus: its version, two sides, the samples to skip, the rate, no gain, no mapping.
  const head = new Uint8Array([
    ...utf8.encode("OpusHead"),
    1,
    2,
    OPUS_SKIP & 255,
    OPUS_SKIP >> 8,
    0x80,
    0xbb,
    0,
    0,
    0,
    0,
    0,
  ]);
  return element(0xae, [
    ...track(2, 2),
    text(0x86, "A_OPUS"),
    element(0x63a2, [head]),
    number(0x56aa, SKIP_TIME),
    number(0x56bb, 80e6),
    element(0xe1, [float(0xb5, 48_000), number(0x9f, 2)]),
  ]);
}

/** The number of a track, its kind, and that it has no lacing. */
function track(of: number, kind: number): Bytes[] {
  return [number(0xd7, of), number(0x73c5, of), number(0x9c, 0), number(0x83, kind)];
}

interface Cluster {
  milliseconds: number;
  bytes: Bytes;
}

/** Divides packets into clusters, each of which begins with a key picture. */
function clustersOf(packets: readonly Packet[]): Cluster[] {
  const clusters: Cluster[] = [];
  let [blocks, start]: [Bytes[], number] = [[], 0];
  const close = () => {
    if (blocks.length === 0) return;
    clusters.push({ milliseconds: start, bytes: element(0x1f43b675, [number(0xe7, start), ...blocks]) });
    blocks = [];
  };
  for (const { track, microseconds, key, bytes } of packets) {
    const milliseconds = Math.round(microseconds / 1000);
    if ((track === 1 && key) || milliseconds - start > LONGEST_CLUSTER) close();
    if (blocks.length === 0) start = milliseconds;
    const since = milliseconds - start;
    const flags = new Uint8Array([0x80 | track, (since >> 8) & 255, since & 255, key ? 0x80 : 0]);
    blocks.push(element(0xa3, [flags, bytes]));
  }
  close();
  return clusters;
}

function cues(clusters: readonly Cluster[], place: 0 | ((index: number) => number)): Bytes {
  const points = clusters.map(({ milliseconds }, index) =>
    element(0xbb, [
      number(0xb3, milliseconds),
      element(0xb7, [number(0xf7, 1), number(0xf1, place === 0 ? 0 : place(index))]),
    ]),
  );
  return element(0x1c53bb6b, points);
}

function element(name: number, parts: readonly Bytes[]): Bytes {
  return joined([id(name), size(length(parts)), ...parts]);
}

/** The length of an element, in eight bytes. */
function size(bytes: number): Bytes {
  const size = eight(bytes);
  size[0] = 1;
  return size;
}

function id(name: number): Bytes {
  const bytes = [name >>> 24, (name >>> 16) & 255, (name >>> 8) & 255, name & 255];
  return new Uint8Array(bytes.slice(bytes.findIndex((byte) => byte > 0)));
}

const number = (name: number, value: number) => element(name, [eight(Math.round(value))]);
const text = (name: number, words: string) => element(name, [utf8.encode(words)]);

function float(name: number, value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(name, [bytes]);
}

function eight(value: number): Bytes {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}
