// The build puts the generated modules in place of these names, so that types are checked before they exist.

/** The WebAssembly with which the page starts. */
declare module "moviola:wasm" {
  import type { PlayingDeck } from "./api";

  export default function init(input: {
    module_or_path: BufferSource | Promise<Response> | URL;
  }): Promise<unknown>;
  export function look(name: string, bytes: Uint8Array): string;
  export const Deck: { open(name: string, bytes: Uint8Array): PlayingDeck };
}

/** All of it, which also edits and inspects. In a page of one file both are the same. */
declare module "moviola:whole" {
  import type { EditingDeck } from "./api";

  export default function init(input: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  export const Deck: { open(name: string, bytes: Uint8Array): EditingDeck };
}
