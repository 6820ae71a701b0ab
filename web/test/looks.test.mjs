// The look of the page: light and dark, on a desktop and on a phone, compared with approved pictures.
//
// `MOVIOLA_WEB_BLESS=1` writes them anew. Fonts and smoothing differ a little between machines, so what is compared are
// the means of squares of so many pixels, and a few squares may be another color.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  atRest,
  BROWSERS,
  closeMessages,
  launch,
  OUT,
  openPage,
  pause,
  SAMPLES,
  serve,
  until,
  upload,
} from "./harness.mjs";

const PICTURES = join(import.meta.dirname, "looks");
const SQUARE = 8;
/** The difference of two means, of 255, from which on the colors count as different. */
const OTHER = 24;
/** The part of all squares that may be of another color. */
const MAX_OTHER_SHARE = 0.02;

const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

await mkdir(OUT, { recursive: true });

// Each browser draws letters and buttons in its own way; one browser is enough to notice a change.
describe("looks", { skip: !BROWSERS.includes("chrome") }, () => {
  let site;
  let driven;
  let page;
  before(async () => {
    site = await serve();
    driven = await launch("chrome");
    ({ page } = await openPage(driven.browser, site.url, DESK));
  });
  after(async () => {
    await driven?.close();
    site?.close();
  });

  it("at the start", async () => {
    await theme("dark");
    await same("start-dark", DESK);
    await theme("light");
    await same("start-phone", PHONE);
  });

  it("with a recording", async () => {
    await page.setViewport(DESK);
    await upload(page, "file-game", join(SAMPLES, "librequake/lq_e0m9.pk3"));
    await until(page, () => document.querySelectorAll("#games li").length === 1);
    await upload(page, "file-recording", join(SAMPLES, "qs_15_lq_e0m9.dem"));
    await until(page, () => document.querySelector("#meter").textContent !== "");
    await page.focus("#scrubber");
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("[");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("]");
    await page.click("#tab-findings");
    await until(page, () => document.querySelectorAll("#panel-findings .audit .finding").length > 0);
    await closeMessages(page);
    await same("desk-light", DESK);
    await theme("dark");
    await page.click("#tab-events");
    await same("desk-dark", DESK);
    await same("phone-dark", PHONE);
  });

  async function theme(wanted) {
    await page.keyboard.press("t");
    if ((await page.$eval("html", (html) => html.dataset.theme)) !== wanted) await page.keyboard.press("t");
  }

  async function same(name, size) {
    await page.setViewport(size);
    await page.evaluate(() => document.activeElement?.blur());
    if ((await page.$("#room:not([hidden])")) !== null) await atRest(page);
    await pause(200);
    const seen = await page.screenshot({ type: "webp", quality: 60 });
    await writeFile(join(OUT, `looks-${name}.webp`), seen);
    if (process.env.MOVIOLA_WEB_BLESS === "1") {
      await mkdir(PICTURES, { recursive: true });
      await writeFile(join(PICTURES, `${name}.webp`), seen);
      return;
    }
    const kept = await readFile(join(PICTURES, `${name}.webp`));
    const pictures = [kept, seen].map((bytes) => Buffer.from(bytes).toString("base64"));
    const part = await page.evaluate(otherSquares, pictures, SQUARE, OTHER);
    console.log(`${name}: ${(part * 100).toFixed(2)} % of the squares are of another color`);
    assert.ok(
      part <= MAX_OTHER_SHARE,
      `${name} looks different in ${(part * 100).toFixed(1)} % of its squares`,
    );
  }
});

/** Runs in the page: the share of squares whose means differ between two pictures. */
async function otherSquares(pictures, square, other) {
  const means = async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/webp" }));
    const [width, height] = [bitmap.width, bitmap.height].map((side) => Math.floor(side / square));
    const paper = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    paper.drawImage(bitmap, 0, 0);
    const sums = new Float64Array(width * height * 3);
    const { data } = paper.getImageData(0, 0, width * square, height * square);
    for (let at = 0; at < data.length; at += 4) {
      const [x, y] = [(at / 4) % (width * square), Math.floor(at / 4 / (width * square))];
      const cell = (Math.floor(y / square) * width + Math.floor(x / square)) * 3;
      for (let color = 0; color < 3; color += 1) sums[cell + color] += data[at + color] / square ** 2;
    }
    return { size: `${width}x${height}`, sums };
  };
  const [one, two] = await Promise.all(pictures.map(means));
  if (one.size !== two.size) return 1;
  let odd = 0;
  for (let cell = 0; cell < one.sums.length; cell += 3) {
    const far = [0, 1, 2].some((color) => Math.abs(one.sums[cell + color] - two.sums[cell + color]) > other);
    if (far) odd += 1;
  }
  return (odd * 3) / one.sums.length;
}
