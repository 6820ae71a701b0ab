// Browsers and a server for the tests.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
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

/** Starts a browser with a profile of its own. Downloads go to `downloads`. */
export async function launch(name) {
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
  return { browser, downloads, close };
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

/** The mean brightness of the screen's canvas as it is seen, and how far its pixels are from that. */
export async function picture(page) {
  const png = await (await page.$("#screen")).screenshot({ encoding: "base64" });
  return page.evaluate(async (png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const paper = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    paper.drawImage(bitmap, 0, 0);
    const { data } = paper.getImageData(0, 0, bitmap.width, bitmap.height);
    const values = [];
    for (let at = 0; at < data.length; at += 4) values.push((data[at] + data[at + 1] + data[at + 2]) / 3);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
    return { mean: Number(mean.toFixed(2)), spread: Number(spread.toFixed(2)) };
  }, png);
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Checks that the page breaks no rule of axe. */
export async function assertAccessible(page) {
  if ((await page.evaluate(() => "axe" in globalThis)) === false)
    await page.evaluate(await readFile(axe, "utf8"));
  const broken = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run();
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
