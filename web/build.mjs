// Builds the page: `node build.mjs [folder of the WebAssembly] [folder of all of it] [folder to write]`.
//
// It makes a static site, and `player.html`, the same page in one file.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = import.meta.dirname;
const wasmFolder = resolve(process.argv[2] ?? `${here}/wasm`);
const wholeFolder = resolve(process.argv[3] ?? `${here}/wasm-whole`);
const out = resolve(process.argv[4] ?? `${here}/dist`);

/** Replaces the names of modules in the sources by the modules that wasm-bindgen generated. */
const generated = (first) => ({
  name: "wasm",
  setup(it) {
    it.onResolve({ filter: /^moviola:wasm$/ }, () => ({ path: `${first}/moviola_web.js` }));
    it.onResolve({ filter: /^moviola:whole$/ }, () => ({ path: `${wholeFolder}/moviola_web.js` }));
  },
});

/** `first` is the folder of the WebAssembly with which the page starts. */
async function bundle(file, first = wasmFolder) {
  const result = await build({
    entryPoints: [`${here}/${file}`],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["chrome120", "firefox121", "safari17"],
    charset: "utf8",
    legalComments: "none",
    // The generated module would look for its WebAssembly beside itself, but it is always given one.
    define: { "import.meta.url": '""' },
    plugins: [generated(first)],
  });
  return result.outputFiles[0].text;
}

/** A content security policy as a meta element, which must come before everything to which it applies. */
function policy(rules) {
  const all = { "default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", ...rules };
  const words = Object.entries(all).map(([name, value]) => `${name} ${value}`);
  return `<meta http-equiv="Content-Security-Policy" content="${words.join("; ")}">`;
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** These letters end a script in HTML anywhere, even inside a string. In strings a backslash there changes nothing. */
const inHtml = (script) => script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

/**
 * Fills the marked places of the page. The replacements are functions, because `$` has a meaning in replacement
 * strings.
 */
function fill(page, places) {
  let made = page;
  for (const [name, text] of Object.entries(places))
    made = made.replace(`<!--moviola:${name}-->`, () => text);
  return made;
}

const [page, style, app, worker, wholeWorker, wasm, wholeWasm] = await Promise.all([
  readFile(`${here}/index.html`, "utf8"),
  bundle("style.css"),
  bundle("src/main.ts").then(inHtml),
  bundle("src/worker.ts"),
  bundle("src/worker.ts", wholeFolder).then(inHtml),
  readFile(`${wasmFolder}/moviola_web_bg.wasm`),
  readFile(`${wholeFolder}/moviola_web_bg.wasm`),
]);

const site = fill(page, {
  policy: policy({
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self'",
    "worker-src": "'self'",
    "img-src": "data:",
    // A link may name a recording on any host; data is only fetched, never sent.
    "connect-src": "'self' https: http:",
  }),
  style: '<link rel="stylesheet" href="style.css">',
  data: "",
  script: '<script src="app.js"></script>',
});

const packed = gzipSync(wholeWasm, { level: 9 }).toString("base64");
const player = fill(page, {
  policy: policy({
    "script-src": `${hash(app)} 'wasm-unsafe-eval'`,
    "style-src": hash(style),
    "worker-src": "blob:",
    "img-src": "data:",
  }),
  style: `<style>${style}</style>`,
  // The program puts the recording and the files of the game in place of the mark for data.
  script:
    `<script type="text/plain" id="moviola-wasm">${packed}</script>\n` +
    `<script type="text/plain" id="moviola-worker">${wholeWorker}</script>\n` +
    `<script>${app}</script>`,
});

const files = {
  "index.html": site,
  "style.css": style,
  "app.js": app,
  "worker.js": worker,
  "moviola_web_bg.wasm": wasm,
  "moviola_whole_bg.wasm": wholeWasm,
  "player.html": player,
};
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
let sum = 0;
for (const [name, content] of Object.entries(files)) {
  await writeFile(`${out}/${name}`, content);
  const zipped = gzipSync(content, { level: 9 }).length;
  // The player is a page of its own, and the rest is loaded after the first picture of a recording.
  if (name !== "player.html" && name !== "moviola_whole_bg.wasm") sum += zipped;
  const kilobytes = (bytes) => `${Math.round(bytes / 1000)} kB`.padStart(8);
  console.log(`${kilobytes(Buffer.byteLength(content))} ${kilobytes(zipped)} gzip  ${name}`);
}
console.log(`${`${Math.round(sum / 1000)} kB`.padStart(17)} gzip  the site`);
