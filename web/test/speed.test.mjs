// The drawing speed at 1280x720, in pictures per second of processor time, so that other work on the machine does not
// matter.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { BROWSERS, launch, serve } from "./harness.mjs";

/** The least number of pictures in ten seconds of one core. For smooth motion the page needs 20 a second. */
const LEAST = 200;
const SECONDS = 10;
const DRAWN = { recording: "qs_15_lq_e0m9.dem", game: "librequake/lq_e0m9.pk3" };
const VIEW = { width: 1280, height: 720, hud: true, look: "gl" };

/** The processor seconds of this process's children and their children, by their process numbers. */
async function computed(parent) {
  const all = new Map();
  for (const number of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(number)) continue;
    const line = await readFile(`/proc/${number}/stat`, "utf8").catch(() => "");
    // The name is in parentheses and may have any sign in it.
    const words = line.slice(line.lastIndexOf(")") + 2).split(" ");
    all.set(Number(number), { parent: Number(words[1]), ticks: Number(words[11]) + Number(words[12]) });
  }
  const isBelow = (number) =>
    number === parent || (all.has(number) && isBelow(all.get(number).parent) && number > 1);
  const ticks = [...all].filter(([number]) => isBelow(number)).map(([, { ticks }]) => ticks);
  return ticks.reduce((sum, it) => sum + it, 0) / 100;
}

describe("speed", { skip: process.platform !== "linux" }, () => {
  for (const name of BROWSERS) {
    it(`is enough in ${name}`, { timeout: 180_000 }, async () => {
      const site = await serve();
      const driven = await launch(name);
      const page = await driven.browser.newPage();
      await page.goto(site.url);
      await page.evaluate(async ({ recording, game }) => {
        const { default: init, Deck } = await import("/wasm/moviola_web.js");
        await init({ module_or_path: fetch("/wasm/moviola_web_bg.wasm") });
        const bytes = async (path) => new Uint8Array(await (await fetch(`/samples/${path}`)).arrayBuffer());
        globalThis.deck = Deck.open(recording, await bytes(recording));
        globalThis.deck.addGame("game.pk3", await bytes(game));
        globalThis.paper = new OffscreenCanvas(1280, 720).getContext("2d", { alpha: false });
      }, DRAWN);
      const draw = (seconds, view) =>
        page.evaluate(
          (seconds, view) => {
            const [start, end] = [performance.now(), JSON.parse(globalThis.deck.about()).seconds];
            let pictures = 0;
            for (let passed = 0; passed < seconds; passed = (performance.now() - start) / 1000) {
              const frame = globalThis.deck.draw((pictures / 30) % end, view);
              const picture = new ImageData(frame.rgba(), frame.width, frame.height);
              globalThis.paper.putImageData(picture, 0, 0);
              frame.free();
              pictures += 1;
            }
            return pictures;
          },
          seconds,
          view,
        );
      // The browser optimizes WebAssembly while it runs, so some pictures are drawn before the measurement.
      await draw(2, VIEW);
      const before = await computed(driven.pid);
      const pictures = await draw(SECONDS, VIEW);
      const seconds = (await computed(driven.pid)) - before;
      const inTen = (pictures / seconds) * 10;
      console.log(`${name}: ${pictures} pictures, ${inTen.toFixed(0)} in ten seconds of a core`);
      await driven.close();
      site.close();
      assert.ok(inTen >= LEAST, `${inTen} pictures in ten seconds of a core`);
    });
  }
});
