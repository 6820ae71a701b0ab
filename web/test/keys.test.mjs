// Keys of keyboards that are not American, and keys that the browser needs itself.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, it } from "node:test";
import {
  assertAccessible,
  inEachBrowser,
  launch,
  moment,
  openPage,
  pause,
  pressTogether,
  SAMPLES,
  serve,
  until,
  upload,
} from "./harness.mjs";

const RECORDING = join(SAMPLES, "qs_15_lq_e0m9.dem");

inEachBrowser("keys", {}, (name) => {
  let site;
  let driven;
  let page;
  let problems;

  before(async () => {
    site = await serve();
    driven = await launch(name);
    ({ page, problems } = await openPage(driven.browser, site.url));
    await upload(page, "file-recording", RECORDING);
    await until(page, () => document.querySelector("#meter").textContent !== "");
  });
  after(async () => {
    await driven?.close();
    site?.close();
  });

  it("hears the keys of other keyboards", async () => {
    const type = (key, code, more = {}) =>
      page.evaluate(
        (how) => document.body.dispatchEvent(new KeyboardEvent("keydown", { ...how, bubbles: true })),
        { key, code, ...more },
      );
    const marks = () => page.$$eval("#in-time, #out-time", (all) => all.map((it) => it.textContent));
    // Option on a German Mac, AltGr on Windows, Russian.
    for (const [one, other] of [
      [
        ["[", "Digit5", { altKey: true }],
        ["]", "Digit6", { altKey: true }],
      ],
      [
        ["[", "Digit8", { altKey: true, ctrlKey: true }],
        ["]", "Digit9", { altKey: true, ctrlKey: true }],
      ],
      [
        ["х", "BracketLeft"],
        ["ъ", "BracketRight"],
      ],
    ]) {
      await pressTogether(page, "Shift", "X");
      await until(page, () => document.querySelector("#in-time").textContent === "–");
      await type(...one);
      await page.keyboard.press("ArrowRight");
      await type(...other);
      await pause(100);
      assert.doesNotMatch((await marks()).join(), /–/, JSON.stringify(one));
      await page.keyboard.press("ArrowLeft");
    }
    await pressTogether(page, "Shift", "X");
  });

  it("moves by all keys of a slider", async () => {
    await page.focus("#scrubber");
    await page.keyboard.press("Home");
    const seen = [];
    for (const key of ["ArrowUp", "ArrowRight", "ArrowDown", "PageUp", "PageDown"]) {
      await page.keyboard.press(key);
      seen.push(await moment(page));
    }
    const length = await page.$eval("#scrubber", (it) => Number(it.getAttribute("aria-valuemax")));
    assert.deepEqual(seen, [5, 10, 5, length, 0]);
  });

  it("has menus that Esc closes", async () => {
    await page.focus("#save-button");
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector("#save-menu").matches(":popover-open"));
    await assertAccessible(page);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    await until(page, () => !document.querySelector("#save-menu").matches(":popover-open"));
    assert.equal(await page.evaluate(() => document.activeElement.id), "save-button");
  });

  it("zooms the timeline by two fingers", { skip: name !== "chrome" }, async () => {
    const session = await page.createCDPSession();
    const strip = await (await page.$("#scrubber")).boundingBox();
    const y = strip.y + 40;
    const x = (part) => strip.x + strip.width * part;
    const touch = (type, ...parts) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: parts.map((part, id) => ({ id, x: x(part), y })),
      });
    const click = async (part) => {
      await page.mouse.click(x(part), y);
      return moment(page);
    };
    const half = await click(0.5);
    // Fingers touch one after the other; a single finger would go to its moment.
    await touch("touchStart", 0.4);
    await touch("touchStart", 0.4, 0.6);
    for (const by of [0.05, 0.1, 0.15, 0.2]) await touch("touchMove", 0.4 - by / 2, 0.6 + by / 2);
    await touch("touchEnd");
    await pause(100);
    assert.ok(Math.abs((await moment(page)) - half) < 0.01);
    // When the fingers are twice as far apart, the timeline shows half as much.
    assert.ok(Math.abs((await click(0.5)) - half) < 0.1);
    assert.ok(Math.abs((await click(0.75)) - half * 1.25) < 0.1);
    await page.keyboard.press("z");
    assert.ok(Math.abs((await click(0.75)) - half * 1.5) < 0.1);
    // A finger grabs a mark that is near to it.
    await page.keyboard.press("[");
    await touch("touchStart", 0.75 + 10 / strip.width);
    await touch("touchMove", 0.6);
    await touch("touchMove", 0.5);
    await touch("touchEnd");
    const start = await page.$eval("#in-time", (time) => Number(time.textContent.split(":")[1]));
    assert.ok(Math.abs(start - half) < 0.2, `${start} s, not ${half} s`);
    await session.detach();
  });

  it("reported no errors", () => assert.deepEqual(problems, []));
});
