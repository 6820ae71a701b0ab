// QuakeWorld's recordings, and files of any kind: each is opened or explained in a sentence, and the page keeps
// working.
import assert from "node:assert/strict";
import { copyFile, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, it } from "node:test";
import {
  atRest,
  closeMessages,
  downloaded,
  drop,
  inEachBrowser,
  launch,
  OUT,
  openPage,
  picture,
  SAMPLES,
  serve,
  until,
  upload,
} from "./harness.mjs";

const SAMPLE = "qs_15_lq_e0m9.dem";
await mkdir(OUT, { recursive: true });

/** A sparse file of this size: only its beginning uses disk space. */
async function sparse(name, bytes, start = Buffer.alloc(0)) {
  const path = join(OUT, name);
  const file = await open(path, "w");
  await file.write(start);
  await file.truncate(bytes);
  await file.close();
  return path;
}

async function written(name, bytes) {
  await writeFile(join(OUT, name), bytes);
  return join(OUT, name);
}

const whole = await readFile(join(SAMPLES, SAMPLE));
const damaged = Buffer.from(whole.subarray(0, whole.length - 1000));
for (let at = 20_000; at < 20_200; at += 1) damaged[at] = (at * 7919) % 251;
// The message with the protocol's number, which is changed to an unknown one so that everything is kept raw.
const raw = Buffer.from(whole);
raw[raw.indexOf(Buffer.from([11, 15, 0, 0, 0])) + 1] = 77;

/** Files that are not recordings, and the sentence about each. */
const NONE = [
  [await written("empty.dem", Buffer.alloc(0)), /empty\.dem is empty/],
  [
    await written("noise.dem", Buffer.from(Array.from({ length: 90_000 }, (_, at) => (at * 7919) % 251))),
    /noise\.dem is neither a recording/,
  ],
  [await written("cut.zip", Buffer.from("PK\x03\x04cut off")), /cut\.zip/],
  [await sparse("zeros.dem", 300_000_000), /zeros\.dem is neither a recording/],
  [await sparse("large.dem", 1 << 30), /large\.dem is a file of 1\.1 GB; a browser has no room/],
  [await sparse("long.dem", 1 << 30, whole), /long\.dem is a recording of 1\.1 GB; .*`moviola cut` makes/],
  [
    await written("demo1.lmp", Buffer.from([109, 2, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x80])),
    /is a recording of keys/,
  ],
];
/** Recordings of which not all can be read. */
const ODD = [
  [await written("damaged.dem", damaged), /not understood to the end/],
  [await written("raw.dem", raw), /not understood to the end/],
];

inEachBrowser("files", {}, (name) => {
  let site;
  let driven;
  let page;
  let problems;
  const text = (selector) => page.$eval(selector, (element) => element.textContent);
  const length = () => page.$eval("#scrubber", (it) => Number(it.getAttribute("aria-valuemax")));
  const opened = async (path) => {
    await upload(page, "file-recording", path);
    const file = path.split("/").at(-1);
    await until(page, (file) => document.querySelector("#title").textContent.includes(file), file);
    await until(page, () => !document.body.classList.contains("opening"));
    await atRest(page);
  };

  before(async () => {
    site = await serve();
    driven = await launch(name);
    ({ page, problems } = await openPage(driven.browser, site.url));
  });
  after(async () => {
    await driven?.close();
    site?.close();
  });

  for (const [path, sentence] of NONE) {
    it(`says what ${path.split("/").at(-1)} is`, async () => {
      await upload(page, "file-recording", path);
      await until(page, () => document.querySelector(".notice.problem") !== null);
      assert.match(await text(".notice.problem"), sentence);
      await closeMessages(page);
      assert.equal(await page.$eval("#start", (start) => start.hidden), false);
    });
  }

  it("knows the place of a level that comes alone", async () => {
    await upload(page, "file-game", await written("lq_e0m9.bsp", Buffer.alloc(8)));
    await until(page, () => document.querySelector("#games").textContent.includes("maps/lq_e0m9.bsp"));
  });

  for (const [path, sentence] of ODD) {
    it(`opens ${path.split("/").at(-1)} as far as it goes`, async () => {
      await opened(path);
      await page.focus("#scrubber");
      await page.keyboard.press("End");
      await page.click("#tab-findings");
      await until(page, () => document.querySelectorAll("#panel-findings .verdict").length > 1);
      assert.match(await text("#panel-findings"), sentence);
      await page.click("#tab-events");
    });
  }

  for (const sample of ["ez_duo_lqdm2.qwd", "mvdsv_bots_lqdm2.mvd"]) {
    it(`plays, cuts and saves ${sample}`, async () => {
      await opened(join(SAMPLES, sample));
      assert.match(await text("#title"), /QuakeWorld/);
      await page.focus("#scrubber");
      await page.keyboard.press("Home");
      await page.keyboard.press("ArrowRight");
      await atRest(page);
      const seen = await picture(page);
      assert.ok(seen.spread > 4, `nothing is seen: ${JSON.stringify(seen)}`);
      const eyes = await page.$$eval("#eyes option", (all) => all.map((option) => option.value));
      if (sample.endsWith(".mvd")) {
        assert.ok(eyes.length > 2, `the eyes of ${eyes}`);
        const chosen = await page.$eval("#eyes", (it) => it.value);
        await page.focus("#screen").catch(() => {});
        await page.keyboard.press("v");
        await until(page, (chosen) => document.querySelector("#eyes").value !== chosen, chosen);
      }
      const before = await length();
      await page.keyboard.press("[");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("]");
      await page.click(".cutbar [data-action=keep]");
      await until(
        page,
        (before) => Number(document.querySelector("#scrubber").getAttribute("aria-valuemax")) < before,
        before,
      );
      const ending = sample.split(".").at(-1);
      const stem = sample.slice(0, -4);
      await page.click("#save-button");
      await page.click("[data-action=saveRecording]");
      const saved = await downloaded(driven.downloads, `${stem}-edited.${ending}`);
      await page.click("#save-button");
      await page.click("[data-action=saveScript]");
      const script = await downloaded(driven.downloads, `${stem}.edit`);
      assert.ok((await readFile(saved)).length > 1000);
      await copyFile(saved, join(OUT, `${name}-edited.${ending}`));
      await copyFile(script, join(OUT, `${name}-${ending}.edit`));
      await page.screenshot({ path: join(OUT, `${name}-${ending}.png`) });
    });
  }

  it("asks which one, if there are several recordings", async () => {
    await upload(page, "file-recording", join(SAMPLES, "yq_sp.dm2"), join(SAMPLES, "yq_chg.dm2"));
    await until(page, () => document.querySelector("#choose").open);
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^yq_chg\.dm2/);
    await page.keyboard.press("Enter");
    await until(page, () => document.querySelector("#title").textContent.startsWith("yq_chg.dm2"));
  });

  it("says that a folder is empty", { skip: name !== "chrome" }, async () => {
    await mkdir(join(OUT, "nothing"), { recursive: true });
    await drop(page, join(OUT, "nothing"));
    await until(page, () => /no files in it/.test(document.querySelector("#notices").textContent));
  });

  it("reported no errors", () => assert.deepEqual(problems, []));
});
