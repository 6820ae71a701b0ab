// Recordings and typed texts are kept when the tab closes, and links lead to a moment of a recording.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, it } from "node:test";
import {
  assertAccessible,
  inEachBrowser,
  launch,
  openPage,
  pause,
  SAMPLES,
  serve,
  until,
  upload,
} from "./harness.mjs";

const RECORDING = join(SAMPLES, "qs_15_lq_e0m9.dem");

inEachBrowser("what is kept", {}, (name) => {
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

  it("keeps recordings until each is deleted", async () => {
    await page.click("#tab-cut");
    await page.type("#script", "cut +5..+10");
    await until(page, () => document.querySelector("#title").textContent.includes("edited"));
    const rows = () => page.$$eval("#recordings .link", (all) => all.map((it) => it.textContent));
    await upload(page, "file-recording", join(SAMPLES, "yq_sp.dm2"));
    await until(page, () => document.querySelector("#title").textContent.includes("yq_sp"));
    await page.click(".bar [data-action=data]");
    await until(page, () => document.querySelectorAll("#recordings li").length >= 2);
    const before = await rows();
    assert.equal(before[0], "yq_sp.dm2", "the newest is not the first");
    await assertAccessible(page);
    await page.click(`#recordings li:nth-child(${before.indexOf("qs_15_lq_e0m9.dem") + 1}) .link`);
    await until(page, () => document.querySelector("#title").textContent.includes("qs_15"));
    await until(page, () => document.querySelector("#script").value !== "");
    await page.click(".bar [data-action=data]");
    // The dialog shows its old list until the files are read again, and its rows are then replaced, so wait before
    // the click.
    await pause(700);
    await page.click("#recordings [aria-label^='Delete yq_sp.dm2']");
    await until(page, () => !document.querySelector("#recordings").textContent.includes("yq_sp"));
    assert.deepEqual(await rows(), before.slice(1));
    await page.keyboard.press("Escape");
  });

  it("loses no word when the tab closes while it plays", async () => {
    const first = await openPage(driven.browser, site.url);
    await until(first.page, () => document.querySelector("#meter").textContent !== "");
    await first.page.select("#speed", "0.125");
    await first.page.keyboard.press(" ");
    await first.page.click("#tab-cut");
    await first.page.focus("#script");
    await first.page.keyboard.type("# half a thought");
    assert.equal(await first.page.$eval("#play", (it) => it.getAttribute("aria-label")), "Pause");
    await first.page.close();
    const second = await openPage(driven.browser, site.url);
    await until(second.page, () => document.querySelector("#script").value.includes("# half a thought"));
    assert.deepEqual([first.problems, second.problems], [[], []]);
    await second.page.close();
    await page.bringToFront();
  });

  it("cuts a recording whose file was deleted", async () => {
    await upload(page, "file-recording", join(SAMPLES, "qs_999_lq_e0m9.dem"));
    await until(page, () => document.querySelector("#title").textContent.includes("qs_999"));
    await until(page, () => !document.body.classList.contains("opening"));
    await page.reload();
    await until(page, () => document.querySelector("#room")?.hidden === false);
    await page.click(".bar [data-action=data]");
    await until(page, () => !document.querySelector("#forget").disabled);
    await page.click("#forget");
    await until(page, () => document.querySelector("#stored").textContent === "Nothing.");
    await page.keyboard.press("Escape");
    await page.click("#tab-cut");
    await page.type("#script", "strip chat");
    await until(page, () => document.querySelector("#title").textContent.includes("edited"));
  });

  it("opens a recording that a link names, or says why not", async () => {
    await page.goto("about:blank");
    await page.goto(`${site.url}#src=samples/qs_15_lq_e0m9.dem&t=0:07.5`);
    await until(page, () => document.querySelector("#room")?.hidden === false);
    await until(page, () => document.querySelector("#scrubber").getAttribute("aria-valuenow") === "7.50");
    await page.goto("about:blank");
    const script = "subtitle +1..+3 --say 'by a link'\n";
    const words = new URLSearchParams({
      src: "samples/ez_duo_lqdm2.qwd",
      edit: script,
      t: "2",
      who: "Anna",
    });
    await page.goto(`${site.url}#${words}`);
    await until(page, (script) => document.querySelector("#script")?.value === script, script);
    await until(page, () => document.querySelector("#scrubber").getAttribute("aria-valuenow") === "2.00");
    assert.equal(await page.$eval("#eyes", (it) => it.selectedOptions[0].text), "anna");
    // Edits from a link can be undone, and a reload does not bring them back.
    await page.click("[data-action=undo]");
    await until(page, () => document.querySelector("#script").value === "");
    await page.reload();
    await until(page, () => document.querySelector("#scrubber")?.getAttribute("aria-valuenow") === "2.00");
    assert.equal(await page.$eval("#script", (it) => it.value), "");
    await page.goto("about:blank");
    await page.goto(`${site.url}#src=ftp://127.0.0.1/run.dem&who=0`);
    await until(page, () => /by http or https/.test(document.querySelector(".notice.problem")?.textContent));
    await page.goto("about:blank");
    await page.goto(`${site.url}#src=http://127.0.0.1:1/run.dem&t=3`);
    await until(page, () => /\(CORS\)/.test(document.querySelector(".notice.problem")?.textContent));
    // If the file is opened from the disk instead, it is shown at the moment of the link.
    await upload(page, "file-recording", RECORDING);
    await until(page, () => document.querySelector("#scrubber").getAttribute("aria-valuenow") === "3.00");
    await page.goto(`${site.url}#t=soon`);
    await until(page, () => /“soon” is no time/.test(document.querySelector("#notices").textContent));
    // The browser reports the failed connection; this is not an error of the page.
    problems.splice(0, problems.length, ...problems.filter((it) => !/127\.0\.0\.1:1|ERR_/.test(it)));
  });

  it("reported no errors", () => assert.deepEqual(problems, []));
});
