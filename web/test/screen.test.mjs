// The hints over the picture, and the clocks beside it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { atRest, inEachBrowser, launch, openPage, pause, SAMPLES, serve, until, upload } from "./harness.mjs";

inEachBrowser("the screen", {}, (name) => {
  let site;
  let driven;
  let page;
  let problems;

  before(async () => {
    site = await serve();
    driven = await launch(name);
    ({ page, problems } = await openPage(driven.browser, site.url, { width: 1280, height: 720 }));
  });
  after(async () => {
    await driven.close();
    site.close();
  });

  const open = async (recording) => {
    await upload(page, "file-recording", join(SAMPLES, recording));
    await until(
      page,
      (name) =>
        document.querySelector("#title").textContent.includes(name) && !document.body.matches(".opening"),
      recording,
    );
    await atRest(page);
  };
  const box = (selector) =>
    page.$eval(selector, (element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return { top, bottom, left, right };
    });

  it("shows both clocks and the block whole, beside the keys", async () => {
    await open("quake1.07_DM1.dem");
    await until(page, () => / in the game$/.test(document.querySelector("#game-time").textContent));
    for (const [width, height] of [
      [1280, 720],
      [390, 844],
    ]) {
      await page.setViewport({ width, height });
      await atRest(page);
      const cut = await page.$$eval(".counter, .counter .whole", (all) =>
        all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent),
      );
      assert.deepEqual(cut, [], `at ${width} pixels`);
      const lines = await page.$eval("#game-time", (time) => time.getClientRects().length);
      assert.equal(lines, 1);
    }
    await page.setViewport({ width: 1280, height: 720 });
  });

  it("shows hints one under the other", async () => {
    await until(page, () => !document.querySelector("#no-level").hidden);
    await page.keyboard.press("c");
    await until(page, () => !document.querySelector("#fly-hint").hidden);
    const [above, below, picture] = [await box("#no-level"), await box("#fly-hint"), await box("#picture")];
    assert.ok(above.bottom <= below.top, `${above.bottom} is below ${below.top}`);
    assert.ok(below.left >= picture.left && below.right <= picture.right);
    await page.keyboard.press("Escape");
  });

  it("shows no game's clock where it is the recording's own, however fast it plays", async () => {
    await open("mvdsv_bots_lqdm2.mvd");
    await page.evaluate(() => {
      globalThis.times = new Set();
      const clock = document.querySelector("#game-time");
      new MutationObserver(() => globalThis.times.add(clock.textContent)).observe(clock, {
        childList: true,
      });
    });
    await page.select("#speed", "16");
    await page.evaluate(() => document.activeElement?.blur());
    await page.keyboard.press(" ");
    await until(page, () => Number(document.querySelector("#scrubber").getAttribute("aria-valuenow")) > 20);
    assert.deepEqual(await page.evaluate(() => [...globalThis.times]), []);
    // Waits for the end, since playback would otherwise pass the next test's moment.
    await until(page, () => document.querySelector("#play").getAttribute("aria-label") === "Play");
  });

  it("tells a screen reader minutes that are nearly whole as whole ones", async () => {
    await page.click("#tab-cut");
    await page.type("#script", "retime 0.25");
    await until(page, () => document.querySelector("#title").textContent.includes("edited"));
    await page.evaluate(() => {
      location.hash = "t=59.96";
    });
    await until(page, () =>
      document
        .querySelector("#scrubber")
        .getAttribute("aria-valuetext")
        .startsWith("1 minute 0.0 seconds of 2"),
    );
  });

  it("scrolls on a phone what gets the focus to below the picture", async () => {
    await page.setViewport({ width: 390, height: 844 });
    await page.evaluate(() => {
      scrollTo(0, document.body.scrollHeight);
      document.querySelector("#tab-events").focus();
    });
    await pause(200);
    const [stage, tab] = [await box(".stage"), await box("#tab-events")];
    assert.ok(tab.top >= stage.bottom, `${tab.top} is above ${stage.bottom}`);
    await page.setViewport({ width: 1280, height: 720 });
  });

  it("plays by the space bar after a dialog was closed by mouse, and not the dialog's button again", async () => {
    await page.click(".bar [data-action=help]");
    await until(page, () => document.querySelector("#help").open);
    await page.click("#help .dialog-head button");
    await until(page, () => !document.querySelector("#help").open);
    await pause(100);
    await page.keyboard.press(" ");
    await until(page, () => document.querySelector("#play.on") !== null);
    assert.equal(await page.$eval("#help", (help) => help.open), false);
    await page.keyboard.press("k");
  });

  it("reported no errors", () => assert.deepEqual(problems, []));
});
