// A clip in the worker: pictures and sound of a part of the recording, by the encoders that the browser has.
import type { Deck, View } from "./api";
import { type Packet, webm } from "./webm";

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
/** One in so many pictures can be jumped to. */
const KEY_EVERY = 2 * RATE;
/** A step takes about so long; the page gets the progress, and may stop it. */
const STEP = 250;
/** The seconds of sound that are made at once. */
const PIECE = 1;

/** The encoders in the order in which they are tried; each has a name in WebCodecs and one in the file. */
const CODECS = [
  ["vp09.00.31.08", "V_VP9"],
  ["vp8", "V_VP8"],
] as const;

export class Clip {
  readonly #request: ClipRequest;
  readonly #codec: (typeof CODECS)[number];
  readonly #video: VideoEncoder;
  readonly #sound: AudioEncoder | null;
  readonly #packets: Packet[] = [];
  readonly #pictures: number;
  #drawn = 0;
  /** The seconds of sound that were made. */
  #heard = 0;
  #problem: DOMException | null = null;

  /** Fails with a sentence where the browser has no encoder. */
  static async begin(request: ClipRequest): Promise<Clip> {
    const { width, height } = request.view;
    if (!("VideoEncoder" in globalThis)) throw "This browser cannot make clips. `moviola film` can.";
    for (const codec of CODECS) {
      const config: VideoEncoderConfig = {
        codec: codec[0],
        width,
        height,
        bitrate: BITS.video,
        framerate: RATE,
      };
      const { supported } = await VideoEncoder.isConfigSupported(config);
      if (supported === true) return new Clip(request, codec, config, await soundConfig());
    }
    throw "This browser has no encoder of VP9 or VP8. `moviola film` makes an MP4.";
  }

  private constructor(
    request: ClipRequest,
    codec: (typeof CODECS)[number],
    config: VideoEncoderConfig,
    sound: AudioEncoderConfig | null,
  ) {
    this.#request = request;
    this.#codec = codec;
    this.#pictures = Math.max(1, Math.round((request.to - request.from) * RATE));
    const error = (problem: DOMException) => {
      this.#problem = problem;
    };
    this.#video = new VideoEncoder({ error, output: (chunk) => this.#keep(1, chunk) });
    this.#video.configure(config);
    this.#sound = sound && new AudioEncoder({ error, output: (chunk) => this.#keep(2, chunk) });
    if (sound !== null) this.#sound?.configure(sound);
  }

  /** Makes some more of it; returns the part that is done. */
  async step(deck: Deck): Promise<number> {
    const until = performance.now() + STEP;
    while (this.#drawn < this.#pictures && performance.now() < until) {
      if (this.#problem !== null) throw this.#problem.message;
      this.#hear(deck);
      this.#draw(deck);
      // An encoder that is slower than the pictures would fill the memory with them.
      while (this.#video.encodeQueueSize > 4) await new Promise((done) => setTimeout(done, 4));
    }
    return this.#drawn / this.#pictures;
  }

  async end(): Promise<Blob> {
    await this.#video.flush();
    await this.#sound?.flush();
    if (this.#problem !== null) throw this.#problem.message;
    this.close();
    const { width, height } = this.#request.view;
    const packets = this.#packets.toSorted((a, b) => a.milliseconds - b.milliseconds || a.track - b.track);
    const video = { codec: this.#codec[1], width, height };
    const milliseconds = (this.#pictures * 1000) / RATE;
    const parts = webm({ video, sound: this.#sound !== null, milliseconds, packets });
    return new Blob(parts, { type: "video/webm" });
  }

  close(): void {
    for (const encoder of [this.#video, this.#sound]) if (encoder?.state === "configured") encoder.close();
  }

  #draw(deck: Deck): void {
    const { from, view } = this.#request;
    const picture = deck.draw(from + this.#drawn / RATE, view);
    const frame = new VideoFrame(picture.rgba(), {
      format: "RGBX",
      codedWidth: picture.width,
      codedHeight: picture.height,
      timestamp: Math.round((this.#drawn * 1e6) / RATE),
      duration: Math.round(1e6 / RATE),
    });
    picture.free();
    this.#video.encode(frame, { keyFrame: this.#drawn % KEY_EVERY === 0 });
    frame.close();
    this.#drawn += 1;
  }

  /** The sound up to the picture at hand. */
  #hear(deck: Deck): void {
    const { from, to, view } = this.#request;
    while (this.#sound !== null && this.#heard <= this.#drawn / RATE && this.#heard < to - from) {
      const seconds = Math.min(PIECE, to - from - this.#heard);
      const data = deck.sound(from + this.#heard, seconds, view);
      if (data.length > 1) {
        const piece = new AudioData({
          format: "s16",
          sampleRate: SOUND_RATE,
          numberOfChannels: 2,
          numberOfFrames: data.length >> 1,
          timestamp: Math.round(this.#heard * 1e6),
          data: data as Int16Array<ArrayBuffer>,
        });
        this.#sound.encode(piece);
        piece.close();
      }
      this.#heard += PIECE;
    }
  }

  #keep(track: 1 | 2, chunk: EncodedVideoChunk | EncodedAudioChunk): void {
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    const milliseconds = Math.max(0, Math.round(chunk.timestamp / 1000));
    this.#packets.push({ track, milliseconds, key: chunk.type === "key", bytes });
  }
}

/** How sound is encoded; null where the browser cannot, and the clip is silent. */
async function soundConfig(): Promise<AudioEncoderConfig | null> {
  if (!("AudioEncoder" in globalThis)) return null;
  const config = { codec: "opus", sampleRate: SOUND_RATE, numberOfChannels: 2, bitrate: BITS.sound };
  const { supported } = await AudioEncoder.isConfigSupported(config);
  return supported === true ? config : null;
}
