// All files of tests in one process, so that they share a browser that starts slowly.
import { readdir } from "node:fs/promises";
import { it } from "node:test";
import { shareFirefox } from "./harness.mjs";

const close = shareFirefox();
const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".test.mjs"));
for (const name of files.sort()) await import(`./${name}`);
it("closes the browser", close);
