// WebAssembly in a browser computes the same as the program: hashes of states and pictures must agree between the
// browsers, and are written into `hashes.json`, which the xtask stage compares with the program's.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { BROWSERS, launch, OUT, serve } from "./harness.mjs";

const RECORDINGS = [
  "qs_15_lq_e0m9.dem",
  "qs_999_lq_e0m9.dem",
  "quake1.07_DM1.dem",
  "dp2025_NEHAHRABJP3.dem",
  "yq_sp.dm2",
  "yq_chg.dm2",
  "ez_duo_lqdm2.qwd",
  "mvdsv_bots_lqdm2.mvd",
];
const DRAWN = { recording: "qs_15_lq_e0m9.dem", game: "librequake/lq_e0m9.pk3" };
const VIEW = { width: 320, height: 180, hud: true, look: "gl" };

describe("hashes", () => {
  const found = {};
  let site;
  before(async () => {
    site = await serve();
    await mkdir(OUT, { recursive: true });
  });
  after(() => site?.close());

  for (const name of BROWSERS) {
    it(`are computed by ${name}`, { timeout: 120_000 }, async () => {
      const driven = await launch(name);
      const page = await driven.browser.newPage();
      await page.goto(site.url);
      found[name] = await page.evaluate(
        async (recordings, drawn, view) => {
          const { default: init, Deck } = await import("/wasm/moviola_web.js");
          await init({ module_or_path: fetch("/wasm/moviola_web_bg.wasm") });
          const bytes = async (path) => new Uint8Array(await (await fetch(`/samples/${path}`)).arrayBuffer());
          const states = {};
          for (const path of recordings) {
            const deck = Deck.open(path, await bytes(path));
            const { blocks } = JSON.parse(deck.about());
            states[path] = Array.from({ length: blocks }, (_, block) =>
              deck.stateHash(deck.secondsOf(block)),
            );
            deck.free();
          }
          const deck = Deck.open(drawn.recording, await bytes(drawn.recording));
          deck.addGame("game.pk3", await bytes(drawn.game));
          const frames = [];
          for (let seconds = 0; seconds < 15; seconds += 1.5) {
            const frame = deck.draw(seconds, view);
            const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", frame.rgba()));
            frame.free();
            const hex = [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
            frames.push({ seconds, sha256: hex });
          }
          return { states, frames };
        },
        RECORDINGS,
        DRAWN,
        VIEW,
      );
      await driven.close();
      const { states, frames } = found[name];
      assert.ok(RECORDINGS.every((path) => states[path].length > 10));
      assert.ok(new Set(frames.map(({ sha256 }) => sha256)).size > 5);
    });
  }

  it("agree", async () => {
    const [first, ...others] = Object.values(found);
    for (const other of others) assert.deepEqual(other, first);
    const all = { view: VIEW, ...DRAWN, ...first };
    await writeFile(join(OUT, "hashes.json"), JSON.stringify(all, null, 1));
  });
});
