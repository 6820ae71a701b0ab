// The data that the program put into the page: the recording, the files of the game that it needs, and WebAssembly.
import type { Wasm } from "./messages";

async function bytesOf(id: string): Promise<Blob | null> {
  const text = document.getElementById(id)?.textContent;
  if (text == null) return null;
  const letters = atob(text.trim());
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return new Blob([bytes]);
}

async function unzipped(id: string): Promise<Blob | null> {
  const packed = await bytesOf(id);
  if (packed === null) return null;
  return new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

/** The worker and its WebAssembly: from the page itself if it contains them, otherwise from files beside it. */
export async function workerAndWasm(): Promise<{ worker: Worker; wasm: Wasm }> {
  const source = document.getElementById("moviola-worker")?.textContent;
  const wasm = await unzipped("moviola-wasm");
  if (source == null || wasm === null) {
    const beside = (name: string) => new URL(name, document.baseURI).href;
    const wasm = { first: beside("moviola_web_bg.wasm"), whole: beside("moviola_whole_bg.wasm") };
    return { worker: new Worker(beside("worker.js")), wasm };
  }
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  return { worker: new Worker(url), wasm: await wasm.arrayBuffer() };
}

export async function embeddedRecording(): Promise<{ name: string; file: Blob } | null> {
  const file = await unzipped("moviola-recording");
  const name = document.getElementById("moviola-recording")?.dataset.name ?? "recording.dem";
  return file === null ? null : { name, file };
}

export const embeddedGame = (): Promise<Blob | null> => unzipped("moviola-game");
