// Browsers and a server for the tests.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { describe } from "node:test";
import puppeteer from "puppeteer-core";

const web = resolve(import.meta.dirname, "..");
export const DIST = join(web, "dist");
/** The output of wasm-bindgen, for tests that call it themselves. */
const WASM = process.env.MOVIOLA_WEB_WASM ?? join(web, "wasm");
export const SAMPLES = resolve(web, "../samples");
/** Where saved files and screenshots go. */
export const OUT = process.env.MOVIOLA_WEB_OUT ?? join(web, "dist/test");

export const PROGRAMS = {
  chrome: process.env.MOVIOLA_CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.MOVIOLA_FIREFOX ?? "/usr/bin/firefox-esr",
};

/** The browsers that this machine has. */
export const BROWSERS = Object.keys(PROGRAMS).filter((name) => existsSync(PROGRAMS[name]));

/** Calls a function with each browser's name. The browsers run side by side, and the tests of each one by one. */
export function inEachBrowser(what, options, tests) {
  describe(what, { ...options, concurrency: BROWSERS.length }, () => {
    for (const name of BROWSERS) describe(name, { concurrency: 1 }, () => tests(name));
  });
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/** Serves the site on the loopback; `/samples/` has the sample recordings, `/wasm/` the generated module. */
export async function serve() {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const name = path === "/" ? "/index.html" : path;
    const [, folder, rest] = /^\/(samples|wasm)\/(.*)$/.exec(name) ?? [];
    const file = rest === undefined ? join(DIST, name) : join(folder === "wasm" ? WASM : SAMPLES, rest);
    try {
      const bytes = await readFile(file);
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** The Firefox of all files, if they are run in one process. Its start takes seconds. */
let sharedFirefox = null;
let isShared = false;

/** From now on all files get the same Firefox. Returns a function that closes it. */
export function shareFirefox() {
  isShared = true;
  return () => sharedFirefox?.close();
}

/** A browser without any data of earlier tests. Downloads go to `downloads`; `pid` is the number of its process. */
export async function launch(name) {
  if (name !== "firefox" || !isShared) return start(name);
  sharedFirefox ??= await start(name);
  const { browser, downloads, pid } = sharedFirefox;
  for (const file of await readdir(downloads)) await rm(join(downloads, file));
  // A context has cookies, storage and pages of its own.
  const context = await browser.createBrowserContext();
  return { browser: context, downloads, pid, close: () => context.close() };
}

/** Starts a browser with a profile of its own. */
async function start(name) {
  const profile = await mkdtemp(join(tmpdir(), `moviola-${name}-`));
  const downloads = join(profile, "downloads");
  await mkdir(downloads);
  const chrome = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  const browser = await puppeteer.launch({
    browser: name,
    executablePath: PROGRAMS[name],
    headless: true,
    userDataDir: profile,
    args: name === "chrome" ? chrome : [],
    extraPrefsFirefox: {
      "browser.download.folderList": 2,
      "browser.download.dir": downloads,
      "browser.helperApps.neverAsk.saveToDisk": "application/octet-stream",
      "browser.download.alwaysOpenPanel": false,
    },
    downloadBehavior: name === "chrome" ? { policy: "allow", downloadPath: downloads } : undefined,
  });
  const close = async () => {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, downloads, pid: browser.process().pid, close };
}

/** Opens a page, and collects the errors on it. */
export async function openPage(browser, url, { width = 1280, height = 800 } = {}) {
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warn") problems.push(message.text());
  });
  await page.setViewport({ width, height });
  await page.goto(url);
  await page.waitForSelector("html[data-ready]");
  return { page, problems };
}

/** Gives files to one of the page's inputs, as if the user chose them. */
export async function upload(page, id, ...files) {
  const input = await page.$(`#${id}`);
  await input.uploadFile(...files);
}

/** Drops files or folders on the page; only Chromium's protocol can. */
export async function drop(page, ...files) {
  const session = await page.createCDPSession();
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"])
    await session.send("Input.dispatchDragEvent", { type, x: 400, y: 300, data });
  await session.detach();
}

/** Waits until the newest file in a folder is complete. */
export async function downloaded(folder, ending) {
  for (let tries = 0; tries < 100; tries += 1) {
    const names = await readdir(folder);
    const name = names.find((name) => name.endsWith(ending));
    if (name !== undefined && !names.some((name) => /\.(part|crdownload)$/.test(name)))
      return join(folder, name);
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`no ${ending} was saved`);
}

/** The moment that the page shows, in seconds, after all earlier requests are done. */
export const moment = (page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    return Number(document.querySelector("#scrubber").getAttribute("aria-valuenow"));
  });

/** Waits until a condition is true in the page. */
export const until = (page, what, ...taken) =>
  page.waitForFunction(what, { timeout: 15_000, polling: 50 }, ...taken);

/** Waits until the picture of the moment is there at its full size. */
export async function atRest(page) {
  // A key that was pressed before has its effect in the next frames.
  await moment(page);
  await until(page, () => document.querySelector("#screen").getAttribute("aria-busy") === "false");
  // The browser shows what the worker drew in the next frames.
  await moment(page);
}

/**
 * Waits for a picture at rest that differs from earlier ones, and returns it. The browser may show what the worker drew
 * some frames later, so the same picture must be seen twice.
 */
export async function otherPicture(page, ...earlier) {
  const known = earlier.map((it) => JSON.stringify(it));
  await atRest(page);
  for (let tries = 0, last = ""; tries < 40; tries += 1) {
    const seen = await picture(page);
    const now = JSON.stringify(seen);
    if (now === last && !known.includes(now)) return seen;
    last = now;
  }
  return assert.fail(`the picture is still ${known.join()}`);
}

/** Closes the messages over the picture, which vanish by themselves after a while. */
export const closeMessages = (page) =>
  page.$$eval(".notice .button", (all) => {
    for (const button of all) button.click();
  });

/** The mean brightness of the screen's canvas as it is seen, and how far its pixels are from that. */
export async function picture(page) {
  await closeMessages(page);
  const clip = await (await page.$("#screen")).boundingBox();
  const how = page.browser().protocol === "cdp" ? { optimizeForSpeed: true } : {};
  const png = await page.screenshot({ clip, encoding: "base64", captureBeyondViewport: false, ...how });
  return page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const paper = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    paper.drawImage(bitmap, 0, 0);
    const { data } = paper.getImageData(0, 0, bitmap.width, bitmap.height);
    let [sum, squares] = [0, 0];
    for (let at = 0; at < data.length; at += 4) {
      const value = (data[at] + data[at + 1] + data[at + 2]) / 3;
      sum += value;
      squares += value ** 2;
    }
    const mean = (4 * sum) / data.length;
    const spread = Math.sqrt(Math.max(0, (4 * squares) / data.length - mean ** 2));
    return { mean: Number(mean.toFixed(2)), spread: Number(spread.toFixed(2)) };
  }, png);
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Checks that the page breaks no rule of axe. */
export async function assertAccessible(page) {
  if ((await page.evaluate(() => "axe" in globalThis)) === false)
    await page.evaluate(await readFile(axe, "utf8"));
  const broken = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  });
  assert.deepEqual(broken, []);
}

/** Presses several keys together, such as Shift and a letter. */
export async function pressTogether(page, ...keys) {
  for (const key of keys) await page.keyboard.down(key);
  for (const key of keys.toReversed()) await page.keyboard.up(key);
}

export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
