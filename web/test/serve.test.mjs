// The pages of `moviola serve --http`: files with strange names, a phone's width, the report, the player, a download.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { BROWSERS, downloaded, launch, OUT, SAMPLES, until } from "./harness.mjs";

// The stage that calls these tests names it.
const PROGRAM = process.env.MOVIOLA_PROGRAM;

const SAMPLE = join(SAMPLES, "qs_15_lq_e0m9.dem");
const NAMES = [
  "<script>document.title='wrong'<script>&amp;.dem",
  `a long name ${"that-does-not-end-".repeat(10)}.dem`,
  "\u00dcber 100% \"new\" #1? '\u65e5\u672c'.dem",
];
const PHONE = 360;

describe("serve", { skip: PROGRAM === undefined }, () => {
  let folder;
  let program;
  let url;
  before(async () => {
    await mkdir(OUT, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), "moviola-serve-"));
    for (const name of NAMES) await copyFile(SAMPLE, join(folder, name));
    program = spawn(PROGRAM, ["serve", folder, "--listen", "127.0.0.1:0", "--http=127.0.0.1:0"]);
    let said = "";
    url = await new Promise((done, failed) => {
      const read = (text) => {
        said += text;
        const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(said);
        if (found !== null) done(found[0]);
      };
      program.stdout.on("data", read);
      program.stderr.on("data", read);
      program.on("exit", () => failed(new Error(said)));
    });
  });
  after(async () => {
    program?.removeAllListeners("exit");
    program?.kill("SIGINT");
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends a request directly, since a browser would normalize the path. */
  const ask = (path, headers = {}) =>
    new Promise((done, failed) => {
      const { hostname, port } = new URL(url);
      request({ hostname, port, path, headers }, (answer) => {
        const parts = [];
        answer.on("data", (part) => parts.push(part));
        answer.on("end", () => done({ status: answer.statusCode, body: Buffer.concat(parts) }));
      })
        .on("error", failed)
        .end();
    });

  it("gives parts of a file, and nothing else from the disk", async () => {
    const whole = await readFile(SAMPLE);
    const part = await ask("/1/file", { range: "bytes=3-99" });
    assert.equal(part.status, 206);
    assert.ok(part.body.equals(whole.subarray(3, 100)));
    for (const path of [
      "/../../etc/passwd",
      "/1/../../etc/passwd",
      "/%2e%2e/etc/passwd",
      "/1/file/..",
      "/0/",
      "/9/",
    ])
      assert.equal((await ask(path)).status, 404, path);
  });

  for (const name of BROWSERS) {
    describe(name, () => {
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
      });
      after(async () => {
        await driven?.close();
      });

      const isNarrow = () => document.documentElement.scrollWidth <= window.innerWidth;

      it("lists every name as it is, on a phone too", async () => {
        await page.setViewport({ width: PHONE, height: 640 });
        await page.goto(url);
        const names = await page.$$eval("li a:first-child", (links) => links.map((link) => link.textContent));
        assert.deepEqual(names.toSorted(), NAMES.toSorted());
        assert.equal(await page.title(), "Recordings");
        assert.ok(await page.evaluate(isNarrow), "the list is wider than a phone");
        await page.screenshot({ path: join(OUT, `${name}-serve.png`) });
        assert.deepEqual(problems, []);
      });

      it("shows a report", async () => {
        await Promise.all([page.waitForNavigation(), page.click("li:first-child a:first-child")]);
        assert.match(await page.$eval("body", (body) => body.innerText), /lq_e0m9/);
        assert.notEqual(await page.title(), "wrong");
        assert.ok(await page.evaluate(isNarrow), "the report is wider than a phone");
        await page.screenshot({ path: join(OUT, `${name}-serve-report.png`) });
        assert.deepEqual(problems, []);
      });

      it("plays", async () => {
        await page.goto(url);
        await Promise.all([page.waitForNavigation(), page.click("li:first-child a:nth-child(2)")]);
        await page.waitForSelector("html[data-ready]");
        await until(page, () => document.querySelector("#meter").textContent !== "");
        await page.screenshot({ path: join(OUT, `${name}-serve-player.png`) });
        assert.deepEqual(problems, []);
      });

      it("saves the file", async () => {
        await page.goto(url);
        await page.click("li:last-child a:nth-child(3)");
        const saved = await downloaded(driven.downloads, ".dem");
        assert.ok((await readFile(saved)).equals(await readFile(SAMPLE)));
        assert.match(saved, /\u00dcber 100.* .new. #1. '\u65e5\u672c'\.dem$/);
      });
    });
  }
});
