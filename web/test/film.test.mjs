// Films of the marked part: the content of the file, and making one with the keyboard alone.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import {
  assertAccessible,
  downloaded,
  inEachBrowser,
  launch,
  openPage,
  SAMPLES,
  serve,
  until,
  upload,
} from "./harness.mjs";

inEachBrowser("films", {}, (name) => {
  let site;
  let driven;
  let page;
  let problems;
  let file;
  let marked;

  before(async () => {
    site = await serve();
    driven = await launch(name);
    ({ page, problems } = await openPage(driven.browser, site.url));
    await upload(page, "file-recording", join(SAMPLES, "qs_15_lq_e0m9.dem"));
    await until(page, () => document.querySelector("#meter").textContent !== "");
  });
  after(async () => {
    await driven.close();
    site.close();
  });

  it("films the marked part, by keys alone", { timeout: 180_000 }, async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("[");
    for (let step = 0; step < 12; step += 1) await page.keyboard.press(".");
    await page.keyboard.press("]");
    await until(page, () => document.querySelector("#out-time").textContent !== "–");
    const length = await page.$eval("#range-length", (range) => range.textContent);
    marked = Number(length.match(/^0:([\d.]+) /)[1]);
    assert.ok(marked > 0.1 && marked < 2, `${marked} s are marked`);
    await page.focus("#save-button");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector("#save-menu:popover-open") !== null);
    assert.equal(await page.$eval("#clip-kind", (kind) => kind.textContent), "MP4, 1280×720");
    for (let item = 0; item < 4; item += 1) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector("#clip").open);
    await assertAccessible(page);
    await page.waitForFunction(() => !document.querySelector("#clip").open, { timeout: 120_000 });
    file = await readFile(await downloaded(driven.downloads, ".mp4"));
  });

  it("gives the focus back to the button", async () => {
    assert.equal(await page.evaluate(() => document.activeElement.id), "save-button");
  });

  it("writes settings by which any player decodes the pictures", () => {
    const settings = file.subarray(file.indexOf("avcC") + 4);
    const [profile, sequences, size] = [settings[1], settings[5] & 0x1f, settings.readUInt16BE(6)];
    // A parameter set begins with a byte for its kind, and the next byte is the profile.
    assert.deepEqual([sequences, settings[8] & 0x1f, settings[9]], [1, 7, profile]);
    const pictures = settings.subarray(8 + size);
    assert.deepEqual([pictures[0], pictures[3] & 0x1f], [1, 8]);
    assert.notEqual(pictures[4], pictures[3]);
  });

  it("makes a film that the browser plays, as long as the part", async () => {
    // The page's own policy forbids films, so they are played in an empty page.
    const screen = await driven.browser.newPage();
    const shown = await screen.evaluate(async (film) => {
      const video = document.createElement("video");
      video.src = `data:video/mp4;base64,${film}`;
      const event = (name) =>
        new Promise((done, fail) => {
          video.addEventListener(name, done, { once: true });
          video.addEventListener("error", () => fail(new Error(video.error.message)), { once: true });
        });
      await event("loadeddata");
      const { duration, videoWidth, videoHeight } = video;
      const sought = event("seeked");
      video.currentTime = duration * 0.7;
      await sought;
      return { duration, size: [videoWidth, videoHeight] };
    }, file.toString("base64"));
    await screen.close();
    assert.deepEqual(shown.size, [1280, 720]);
    assert.ok(Math.abs(shown.duration - marked) < 0.1, `${shown.duration} s of ${marked}`);
  });

  it("reported no errors", () => assert.deepEqual(problems, []));
});
