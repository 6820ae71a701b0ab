// A clip in the worker: pictures and sound of a part of the recording, by the encoders that the browser has.
import type { PlayingDeck, View } from "./api";
import { mendedSettings } from "./h264";
import { mp4 } from "./mp4";
import type { Bytes, Packet } from "./packets";
import { webm } from "./webm";

/** The part of a recording to film, in seconds, and how. */
export interface ClipRequest {
  from: number;
  to: number;
  view: View;
}

const RATE = 30;
const SOUND_RATE = 48_000;
/** Bits in a second, of pictures of 1280x720 and of the sound. */
const BITS = { video: 6_000_000, sound: 128_000 };
/** The number of pictures from one key picture to the next. Players can jump only to key pictures. */
const KEY_EVERY = 2 * RATE;
/** The approximate duration of a step, after which the page gets the progress and may stop the clip. */
const STEP = 250;
/** The number of seconds of sound that are encoded at once. */
const PIECE = 1;

/**
 * The kinds of files in the order in which they are tried, by the encoder that each needs. H.264 in its simplest form, in
 * which no picture waits for a later one, is known to all players.
 */
const CODECS = [
  { name: "avc1.42001f", file: "MP4" },
  { name: "vp09.00.31.08", file: "WebM", inFile: "V_VP9" },
  { name: "vp8", file: "WebM", inFile: "V_VP8" },
] as const;
type Codec = (typeof CODECS)[number];

/** The kind of file that this browser can make, or null if it has no encoder. */
export type ClipKind = Codec["file"] | null;

/** The first encoder that this browser has for pictures of this size. */
async function codecFor(width: number, height: number): Promise<[Codec, VideoEncoderConfig] | null> {
  if (!("VideoEncoder" in globalThis)) return null;
  for (const codec of CODECS) {
    const config: VideoEncoderConfig = {
      codec: codec.name,
      width,
      height,
      bitrate: BITS.video,
      framerate: RATE,
    };
    const { supported } = await VideoEncoder.isConfigSupported(config);
    if (supported === true) return [codec, config];
  }
  return null;
}

export async function clipKind({ width, height }: { width: number; height: number }): Promise<ClipKind> {
  return (await codecFor(width, height))?.[0].file ?? null;
}

export class Clip {
  readonly #request: ClipRequest;
  readonly #codec: Codec;
  readonly #video: VideoEncoder;
  readonly #sound: AudioEncoder | null;
  readonly #packets: Packet[] = [];
  readonly #pictures: number;
  #picturesDone = 0;
  /** The seconds of sound that were encoded. */
  #soundEncoded = 0;
  #problem: DOMException | null = null;
  /** The settings for a decoder of the pictures, if the file must contain them. */
  #description: Bytes | null = null;

  /** Throws a text for the user if the browser has no encoder. */
  static async begin(request: ClipRequest): Promise<Clip> {
    const found = await codecFor(request.view.width, request.view.height);
    if (found === null) throw "This browser has no encoder for it. `moviola film` makes an MP4.";
    return new Clip(request, ...found, await soundConfig());
  }

  private constructor(
    request: ClipRequest,
    codec: Codec,
    config: VideoEncoderConfig,
    sound: AudioEncoderConfig | null,
  ) {
    this.#request = request;
    this.#codec = codec;
    this.#pictures = Math.max(1, Math.round((request.to - request.from) * RATE));
    const error = (problem: DOMException) => {
      this.#problem = problem;
    };
    this.#video = new VideoEncoder({ error, output: (chunk, about) => this.#keepPicture(chunk, about) });
    this.#video.configure(config);
    this.#sound = sound && new AudioEncoder({ error, output: (chunk) => this.#keep(2, chunk) });
    if (sound !== null) this.#sound?.configure(sound);
  }

  /** Makes the next pictures; returns which part of the clip is done, 0 to 1. */
  async step(deck: PlayingDeck): Promise<number> {
    const until = performance.now() + STEP;
    while (this.#picturesDone < this.#pictures && performance.now() < until) {
      if (this.#problem !== null) throw this.#problem.message;
      this.#encodeSound(deck);
      this.#draw(deck);
      // Without this wait, a slow encoder would fill the memory with pictures.
      while (this.#video.encodeQueueSize > 4) await new Promise((done) => setTimeout(done, 4));
    }
    return this.#picturesDone / this.#pictures;
  }

  async end(): Promise<Blob> {
    await this.#video.flush();
    await this.#sound?.flush();
    if (this.#problem !== null) throw this.#problem.message;
    this.close();
    const { width, height } = this.#request.view;
    const packets = this.#packets.toSorted((a, b) => a.microseconds - b.microseconds || a.track - b.track);
    const sound = this.#sound !== null;
    const microseconds = (this.#pictures * 1e6) / RATE;
    if (this.#codec.file === "WebM") {
      const video = { codec: this.#codec.inFile, width, height };
      return new Blob(webm({ video, sound, microseconds, packets }), { type: "video/webm" });
    }
    if (this.#description === null) throw "The browser's encoder does not say how its pictures are decoded.";
    const video = { description: this.#description, width, height };
    return new Blob(mp4({ video, sound, microseconds, packets }), { type: "video/mp4" });
  }

  close(): void {
    for (const encoder of [this.#video, this.#sound]) if (encoder?.state === "configured") encoder.close();
  }

  #draw(deck: PlayingDeck): void {
    const { from, view } = this.#request;
    const picture = deck.draw(from + this.#picturesDone / RATE, view);
    const frame = new VideoFrame(picture.rgba(), {
      format: "RGBX",
      codedWidth: picture.width,
      codedHeight: picture.height,
      timestamp: Math.round((this.#picturesDone * 1e6) / RATE),
      duration: Math.round(1e6 / RATE),
    });
    picture.free();
    this.#video.encode(frame, { keyFrame: this.#picturesDone % KEY_EVERY === 0 });
    frame.close();
    this.#picturesDone += 1;
  }

  /** Encodes the sound up to the current picture. */
  #encodeSound(deck: PlayingDeck): void {
    const { from, to, view } = this.#request;
    while (
      this.#sound !== null &&
      this.#soundEncoded <= this.#picturesDone / RATE &&
      this.#soundEncoded < to - from
    ) {
      const seconds = Math.min(PIECE, to - from - this.#soundEncoded);
      const data = deck.sound(from + this.#soundEncoded, seconds, view);
      if (data.length > 1) {
        const piece = new AudioData({
          format: "s16",
          sampleRate: SOUND_RATE,
          numberOfChannels: 2,
          numberOfFrames: data.length >> 1,
          timestamp: Math.round(this.#soundEncoded * 1e6),
          data: data as Int16Array<ArrayBuffer>,
        });
        this.#sound.encode(piece);
        piece.close();
      }
      this.#soundEncoded += PIECE;
    }
  }

  #keepPicture(chunk: EncodedVideoChunk, about: EncodedVideoChunkMetadata | undefined): void {
    const description = about?.decoderConfig?.description;
    if (description !== undefined) this.#description ??= mendedSettings(bytesOf(description));
    this.#keep(1, chunk);
  }

  #keep(track: 1 | 2, chunk: EncodedVideoChunk | EncodedAudioChunk): void {
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    const microseconds = Math.max(0, chunk.timestamp);
    this.#packets.push({ track, microseconds, key: chunk.type === "key", bytes });
  }
}

function bytesOf(source: AllowSharedBufferSource): Bytes {
  const view = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return view.slice() as Bytes;
}

/** The settings for encoding sound; null if the browser has no encoder, so that the clip is silent. */
async function soundConfig(): Promise<AudioEncoderConfig | null> {
  if (!("AudioEncoder" in globalThis)) return null;
  const config = { codec: "opus", sampleRate: SOUND_RATE, numberOfChannels: 2, bitrate: BITS.sound };
  const { supported } = await AudioEncoder.isConfigSupported(config);
  return supported === true ? config : null;
}
