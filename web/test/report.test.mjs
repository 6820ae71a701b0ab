// A report with the player in place of its map: both show the same moment.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { pathToFileURL } from "node:url";
import { atRest, inEachBrowser, launch, OUT, pause, until } from "./harness.mjs";

// The xtask stage lets the program make this report.
const REPORT = join(OUT, "report.html");

inEachBrowser("the report", { skip: !existsSync(REPORT) }, (name) => {
  let driven;
  let page;
  const problems = [];
  before(async () => {
    driven = await launch(name);
    page = await driven.browser.newPage();
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) problems.push(message.text());
    });
    await page.setViewport({ width: 1200, height: 1000 });
    await page.goto(pathToFileURL(REPORT).href);
  });
  after(async () => {
    await driven?.close();
  });

  const player = async () => (await page.$("#player iframe")).contentFrame();
  const clock = () => page.$eval("#clock", (it) => it.textContent);
  const seconds = (text) => text.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);

  it("shows the player where the map was", async () => {
    const inside = await player();
    await inside.waitForSelector("html[data-ready]");
    await inside.waitForFunction(() => document.querySelector("#meter").textContent !== "");
    const seen = await page.evaluate(() => [
      getComputedStyle(document.querySelector("#map")).display,
      getComputedStyle(document.querySelector("#player")).display,
    ]);
    assert.deepEqual(seen, ["none", "block"]);
    const bar = await inside.$eval(".bar", (it) => getComputedStyle(it).display);
    assert.equal(bar, "none");
    await atRest(inside);
    await page.screenshot({ path: join(OUT, `${name}-report.png`) });
  });

  it("goes to the moment of an event, and says where it plays", async () => {
    const rows = await page.$$("#log button");
    await rows.at(-1).click();
    const wanted = seconds(await clock());
    const inside = await player();
    await inside.waitForFunction(
      () => Number(document.querySelector("#scrubber").getAttribute("aria-valuenow")) > 5,
    );
    await atRest(inside);
    // The player says where it is at most ten times a second.
    await pause(200);
    assert.ok(Math.abs(seconds(await clock()) - wanted) < 0.5, `${await clock()} is not near ${wanted}`);
    await inside.focus("#scrubber");
    await page.keyboard.press("Home");
    await page.keyboard.press(" ");
    await pause(1000);
    await page.keyboard.press("k");
    await pause(200);
    const played = seconds(await clock());
    assert.ok(played < wanted, `the report stayed at ${played}`);
    await page.screenshot({ path: join(OUT, `${name}-report-played.png`) });
  });

  it("has the way as well, and the whole deck", async () => {
    await page.click("#view-way");
    await until(page, () => getComputedStyle(document.querySelector("#map")).display !== "none");
    await page.screenshot({ path: join(OUT, `${name}-report-way.png`) });
    const known = await driven.browser.pages();
    await page.click("#deck");
    let deck;
    for (let tries = 0; deck === undefined && tries < 100; tries += 1) {
      await pause(100);
      deck = (await driven.browser.pages()).find((it) => !known.includes(it));
    }
    assert.ok(deck !== undefined, "no other page is there");
    await deck.waitForSelector("html[data-ready]");
    await until(deck, () => document.querySelector("#title").textContent.includes("qs_15"));
    assert.equal(await deck.$eval(".cutbar", (it) => getComputedStyle(it).display), "flex");
    await deck.close();
    assert.deepEqual(problems, []);
  });
});
