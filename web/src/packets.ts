// The packets of the browser's encoders, before they become a file; `mp4.ts` and `webm.ts` have the files.

export type Bytes = Uint8Array<ArrayBuffer>;

/** An encoded picture, of track 1, or piece of sound, of track 2. */
export interface Packet {
  track: 1 | 2;
  microseconds: number;
  key: boolean;
  bytes: Bytes;
}

/** The samples that Opus needs before it is in tune. */
export const OPUS_SKIP = 312;

export const length = (parts: readonly Bytes[]) => parts.reduce((sum, part) => sum + part.length, 0);

export function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(length(parts));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
