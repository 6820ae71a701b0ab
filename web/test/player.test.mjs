// The page in one file: it can be opened from a disk, without a server, with the recording inside.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import {
  atRest,
  DIST,
  drop,
  inEachBrowser,
  launch,
  moment,
  OUT,
  openPage,
  pause,
  picture,
  SAMPLES,
  until,
} from "./harness.mjs";

await mkdir(OUT, { recursive: true });
const packed = async (path) => gzipSync(await readFile(join(SAMPLES, path))).toString("base64");
const page = await readFile(join(DIST, "player.html"), "utf8");
const game = await packed("librequake/lq_e0m9.pk3");
const recording = await packed("qs_15_lq_e0m9.dem");
const file = join(OUT, "player.html");
await writeFile(
  file,
  page.replace(
    "<!--moviola:data-->",
    `<script type="text/plain" id="moviola-recording" data-name="run.dem">${recording}</script>` +
      `<script type="text/plain" id="moviola-game">${game}</script>`,
  ),
);

inEachBrowser("the player", {}, (name) => {
  let driven;
  before(async () => {
    driven = await launch(name);
  });
  after(async () => {
    await driven?.close();
  });

  it("plays the recording that it carries", async () => {
    const start = Date.now();
    const { page, problems } = await openPage(driven.browser, pathToFileURL(file).href);
    await until(page, () => document.querySelector("#meter").textContent !== "");
    console.log(`${name}: first picture ${Date.now() - start} ms after the page was asked for`);
    await page.keyboard.press("ArrowRight");
    await atRest(page);
    const seen = await picture(page);
    assert.ok(seen.mean > 4 && seen.spread > 8, JSON.stringify(seen));
    await page.keyboard.press(" ");
    await pause(1500);
    await page.keyboard.press("k");
    assert.ok((await moment(page)) > 5.5);
    assert.match(await page.$eval("#title", (title) => title.textContent), /run\.dem/);
    await page.screenshot({ path: join(OUT, `${name}-player.png`) });
    assert.deepEqual(problems, []);
    await page.close();
  });

  it("is silent until it is asked for sound, and then in step with the picture", async (test) => {
    const { page, problems } = await openPage(driven.browser, pathToFileURL(file).href);
    await until(page, () => document.querySelector("#meter").textContent !== "");
    // Every piece of sound that is played: its start, its length, and its volume.
    await page.evaluate(() => {
      globalThis.heard = [];
      globalThis.AudioContext = class extends AudioContext {
        constructor(how) {
          super(how);
          globalThis.context = this;
        }
      };
      const start = AudioBufferSourceNode.prototype.start;
      AudioBufferSourceNode.prototype.start = function (when) {
        const loudest = Math.max(...this.buffer.getChannelData(0).map(Math.abs));
        const seconds = Number(document.querySelector("#scrubber").getAttribute("aria-valuenow"));
        globalThis.heard.push({
          when,
          now: this.context.currentTime,
          length: this.buffer.duration,
          loudest,
          seconds,
        });
        start.call(this, when);
      };
    });
    await page.keyboard.press(" ");
    await pause(500);
    assert.deepEqual(await page.evaluate(() => globalThis.heard), []);
    await page.keyboard.press("m");
    await until(page, () => document.querySelector("#sound").getAttribute("aria-pressed") === "true");
    await pause(3500);
    await page.keyboard.press("k");
    const heard = await page.evaluate(() => globalThis.heard);
    if ((await page.evaluate(() => globalThis.context.state)) !== "running") {
      assert.deepEqual([heard, problems], [[], []]);
      await page.close();
      return test.skip("this browser finds no sound card and keeps silent");
    }
    console.log(`${name}: ${heard.length} pieces of sound`);
    assert.ok(heard.length >= 8, `${heard.length} pieces in three and a half seconds`);
    assert.ok(
      heard.some((piece) => piece.loudest > 0.02),
      "nothing but silence",
    );
    const follow = heard.filter(
      (piece, at) => at > 0 && Math.abs(piece.when - heard[at - 1].when - piece.length) < 0.001,
    );
    assert.ok(follow.length >= heard.length / 2, "the pieces do not follow each other");
    await pause(300);
    assert.equal(await page.evaluate(() => globalThis.heard.length), heard.length, "it is heard at rest");
    assert.deepEqual(problems, []);
    await page.close();
  });

  it("is a deck like any other without one", async () => {
    const { page, problems } = await openPage(driven.browser, pathToFileURL(join(DIST, "player.html")).href);
    assert.equal(await page.$eval("#start", (start) => start.hidden), false);
    // Firefox's protocol cannot drop files.
    if (name === "chrome") {
      await drop(page, join(SAMPLES, "yq_sp.dm2"));
      await until(page, () => document.querySelector("#title").textContent.includes("yq_sp.dm2"));
      await drop(page, join(SAMPLES, "librequake"));
      await until(page, () => document.querySelector(".notice.problem") !== null);
    }
    assert.deepEqual(problems, []);
    await page.close();
  });
});
