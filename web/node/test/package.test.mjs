// The package gives what the program prints, and recordings come back byte for byte. `MOVIOLA` names the program.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { compile, decompile, events, info, MoviolaError, SCHEMA_VERSION, TABLES, table } from "moviola";

const PACKAGE = join(dirname(fileURLToPath(import.meta.url)), "..");
const SAMPLES = join(PACKAGE, "../../samples");
const RECORDINGS = readdirSync(SAMPLES)
  .filter((name) => /\.(dem|dm2|qwd|mvd)$/.test(name))
  .map((name) => join(SAMPLES, name));
const PROGRAM = process.env.MOVIOLA;
const unlessThere = PROGRAM ? {} : { skip: "MOVIOLA does not name the program" };

function run(...words) {
  return execFileSync(PROGRAM, words, { encoding: "utf8", maxBuffer: 1 << 30 });
}

function lines(text) {
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

test("what is published is all that a program needs", () => {
  const words = ["pack", "--dry-run", "--json", "--silent"];
  const [{ files }] = JSON.parse(execFileSync("npm", words, { cwd: PACKAGE, encoding: "utf8" }));
  const paths = files.map(({ path }) => path);
  for (const path of ["index.js", "index.d.ts", "info.d.ts", "events.d.ts", "tables.d.ts"]) {
    assert.ok(paths.includes(`dist/${path}`), path);
  }
  assert.ok(
    ["wasm/moviola_node.js", "wasm/moviola_node_bg.wasm", "LICENSE-MIT"].every((path) =>
      paths.includes(path),
    ),
  );
  assert.ok(!paths.some((path) => path.startsWith("test") || path.startsWith("src")), paths.join());
});

test("there are samples of all games", () => {
  assert.ok(RECORDINGS.length >= 8, RECORDINGS.join());
});

test("recordings come back byte for byte", () => {
  for (const path of RECORDINGS) {
    const bytes = readFileSync(path);
    const made = compile(decompile(bytes));
    assert.ok(Buffer.compare(bytes, made) === 0, path);
  }
});

test("the summary is that of the program", unlessThere, () => {
  for (const path of RECORDINGS) {
    const [{ file, ...expected }] = lines(run("info", "--json", path));
    assert.equal(file, path);
    assert.deepEqual(info(readFileSync(path)), expected);
  }
});

test("the types name every key of a summary", () => {
  const types = readFileSync(join(PACKAGE, "src/info.ts"), "utf8");
  for (const path of RECORDINGS) {
    const found = info(readFileSync(path));
    for (const key of [...Object.keys(found), ...Object.keys(found.levels[0])]) {
      assert.match(types, new RegExp(`\\b${key}: `), key);
    }
  }
});

test("events are those of the program", unlessThere, () => {
  for (const path of RECORDINGS) {
    const expected = lines(run("events", "--json", path)).map(({ file: _, ...event }) => event);
    const found = events(readFileSync(path));
    assert.ok(found.length > 0, path);
    assert.deepEqual(found, expected);
  }
});

test("the types name every kind of event and its fields", () => {
  const types = readFileSync(join(PACKAGE, "src/events.ts"), "utf8");
  const kinds = new Map();
  for (const [, kind, body] of types.matchAll(/^ {2}(\w+): \{\n([^}]*)\}/gm)) kinds.set(kind, body);
  for (const path of RECORDINGS) {
    for (const { time, block, level, kind, origin, evidence, ...fields } of events(readFileSync(path))) {
      for (const key of Object.keys(fields)) assert.match(kinds.get(kind), new RegExp(`\\b${key}\\?: `));
    }
  }
});

test("tables are those of the program", unlessThere, () => {
  const folder = mkdtempSync(join(tmpdir(), "moviola-"));
  try {
    for (const path of RECORDINGS) {
      const bytes = readFileSync(path);
      const into = join(folder, basename(path));
      run("export", "-q", path, "--to", "jsonl", "--tables", TABLES.join(), "-o", into);
      for (const name of TABLES) {
        const [file] = readdirSync(join(into, name));
        const expected = lines(readFileSync(join(into, name, file), "utf8"));
        const found = table(bytes, name);
        assert.equal(found.length, expected.length, `${path}: ${name}`);
        let at = 0;
        for (const row of found) {
          const wanted = expected[at];
          // Only the program knows the name of the file.
          if (name === "recordings") row.file = wanted.file;
          for (const [key, cell] of Object.entries(row)) {
            // The program prints the fewest digits that read back to a number of 32 bits.
            const same = typeof cell === "number" ? near(cell, wanted[key]) : equal(cell, wanted[key]);
            assert.ok(same, `${path}: ${name}.${key}, row ${at}: ${cell} is not ${wanted[key]}`);
          }
          assert.equal(Object.keys(row).length, Object.keys(wanted).length);
          at += 1;
        }
      }
      rmSync(into, { recursive: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

function near(cell, wanted) {
  return wanted === null ? !Number.isFinite(cell) : cell === wanted || cell === Math.fround(wanted);
}

function equal(cell, wanted) {
  return Array.isArray(cell) ? cell.join("\n") === wanted.join("\n") : cell === wanted;
}

test("columns without empty cells are typed arrays", () => {
  const { columns, length } = table(readFileSync(join(SAMPLES, "yq_sp.dm2")), "positions");
  assert.ok(columns.x instanceof Float32Array && columns.block instanceof Float64Array);
  assert.equal(columns.name.length, length);
  assert.ok(length > 100);
});

test("a damaged recording gives what can be read of it", () => {
  const whole = readFileSync(join(SAMPLES, "yq_sp.dm2"));
  for (let length = 0; length < whole.length; length += 4001) {
    const part = whole.subarray(0, length);
    assert.equal(info(part).bytes, length);
    assert.ok(events(part).length <= events(whole).length);
    assert.ok(table(part, "ticks").length <= table(whole, "ticks").length);
    assert.ok(Buffer.compare(compile(decompile(part)), part) === 0);
  }
  const text = Buffer.from("a text");
  assert.equal(info(text).end.kind, "no_recording");
  assert.deepEqual([events(text), table(text, "kills").length], [[], 0]);
});

test("mistakes are errors with a code and a place", () => {
  const wrong = 'track "-1\\n";\nblock {\n camera 0.0 90.0 0.0;\n setangel 0.0 90.0 0.0;\n}\n';
  assert.throws(
    () => compile(wrong),
    (why) => {
      assert.ok(why instanceof MoviolaError && why instanceof Error);
      assert.equal(why.code, "T002");
      const [{ line, column, length }] = why.mistakes;
      assert.deepEqual([line, column, length], [4, 2, "setangel".length]);
      return /^4:2: T002: /.test(why.message);
    },
  );
  assert.throws(() => table(new Uint8Array(), "kill"), /no table is called `kill`: there are recordings/);
  assert.throws(() => table(new Uint8Array(), "kills").row(0), RangeError);
});

test("the version of the tables is in them", () => {
  const [row] = table(readFileSync(join(SAMPLES, "yq_sp.dm2")), "recordings");
  assert.equal(row.schema_version, SCHEMA_VERSION);
});

test("the example of the README runs", () => {
  const readme = readFileSync(join(PACKAGE, "README.md"), "utf8");
  const [, code] = readme.match(/```js\n(.*?)```/s);
  const folder = mkdtempSync(join(tmpdir(), "moviola-"));
  try {
    writeFileSync(join(folder, "run.dem"), readFileSync(join(SAMPLES, "qs_15_lq_e0m9.dem")));
    // The package finds itself by its name from its own folder.
    const words = [
      "--input-type=module",
      "-e",
      code.replace('"run.dem"', JSON.stringify(join(folder, "run.dem"))),
    ];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: PACKAGE, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /lq_e0m9/);
    assert.match(stdout, /true\n$/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
