// The build puts the generated module in place of this name, so that types are checked before it exists.
declare module "moviola:wasm" {
  import type { Deck as DeckShape } from "./api";

  export default function init(input: {
    module_or_path: BufferSource | Promise<Response> | URL;
  }): Promise<unknown>;
  export function look(name: string, bytes: Uint8Array): string;
  export const Deck: { open(name: string, bytes: Uint8Array): DeckShape };
}
