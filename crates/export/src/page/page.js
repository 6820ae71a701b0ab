"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
// `whole`: nobody has moved through the level yet, and all of it is drawn as if it was over.
const state = { level: null, time: 0, whole: true, playing: false, hidden: new Set(data.quiet) };
// Quake's colors of shirts and trousers.
const SHIRTS = ["#b8b8b8", "#9a7a4a", "#8f8fc0", "#5b7a2a", "#8a3a2a", "#b08a3a", "#d09a7a", "#8a6a8a", "#a05a6a",
  "#b0a090", "#4a8a7a", "#c0b040", "#3a5ad0", "#e0a020"];
const RAMP = [[70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109], [159, 218, 58], [230, 212, 30]];
const MARKS = { pickup: "green", teleport: "pink", monster: "red", kill: "red", death: "ink", secret: "yellow" };

// The marks on the map: the sign that the legend shows for each, and its meaning.
const SIGNS = { pickup: ["●", "pickup"], teleport: ["◇", "teleport"], monster: ["✕", "kill"], kill: ["✕", "kill"], death: ["■", "death"], secret: ["⬤", "secret"] };

function clock(seconds) {
  if (seconds === null) return "–";
  const tenths = Math.max(0, Math.round(seconds * 10));
  return Math.floor(tenths / 600) + ":" + String(Math.floor(tenths % 600 / 10)).padStart(2, "0") + "." + tenths % 10;
}
function ramp(part) {
  const place = Math.min(Math.max(part, 0), 1) * (RAMP.length - 1), low = Math.min(Math.floor(place), RAMP.length - 2);
  const mix = RAMP[low].map((from, at) => Math.round(from + (RAMP[low + 1][at] - from) * (place - low)));
  return "rgb(" + mix.join(",") + ")";
}
function make(tag, properties, ...inside) {
  const it = Object.assign(document.createElement(tag), properties);
  it.append(...inside);
  return it;
}
// The number of the last of sorted values that is not above one.
function place(values, value) {
  let low = 0, high = values.length;
  while (low < high) { const middle = (low + high) >> 1; if (values[middle] <= value) low = middle + 1; else high = middle; }
  return Math.max(0, low - 1);
}
function begin(canvas) {
  const ratio = window.devicePixelRatio || 1, { width, height } = canvas.getBoundingClientRect();
  canvas.width = Math.round(width * ratio); canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.font = "12px system-ui, sans-serif"; pen.lineJoin = "round"; pen.lineCap = "round";
  return [pen, width, height];
}

function mapping(level, width, height) {
  const [left, right, bottom, top] = level.box, room = 26;
  const scale = Math.min((width - 2 * room) / Math.max(right - left, 64), (height - 2 * room) / Math.max(top - bottom, 64));
  const x0 = width / 2 - (left + right) / 2 * scale, y0 = height / 2 + (bottom + top) / 2 * scale;
  return { scale, at: (x, y) => [x0 + x * scale, y0 - y * scale] };
}
// The floor plan is drawn once for a size and a theme: it has thousands of shapes.
const ground = { level: null, key: "", canvas: document.createElement("canvas") };
function drawGround(pen, width, height) {
  const level = state.level;
  if (!level.plan.length) return;
  const [low, high] = ["floor-low", "floor-high"].map((name) => css(name).split(" ").map(Number));
  const ratio = window.devicePixelRatio || 1, key = [width, height, ratio, low].join();
  if (ground.level !== level || ground.key !== key) {
    Object.assign(ground, { level, key });
    ground.canvas.width = Math.round(width * ratio); ground.canvas.height = Math.round(height * ratio);
    const brush = ground.canvas.getContext("2d"), { at } = mapping(level, width, height);
    brush.setTransform(ratio, 0, 0, ratio, 0, 0); brush.lineJoin = "round"; brush.lineCap = "round";
    const trace = (shapes) => {
      brush.beginPath();
      for (const shape of shapes) for (let n = 0; n < shape.length; n += 2) brush[n ? "lineTo" : "moveTo"](...at(shape[n], shape[n + 1]));
    };
    const line = (shapes, color, wide) => { trace(shapes); brush.strokeStyle = color; brush.lineWidth = wide; brush.stroke(); };
    for (const layer of level.plan) {
      const color = "rgb(" + low.map((from, n) => Math.round(from + (high[n] - from) * layer.shade / 255)).join(",") + ")";
      line(layer.floors, color, 0.6); brush.fillStyle = color; brush.fill();
      trace(layer.liquids); brush.fillStyle = css("liquid"); brush.fill();
      line(layer.steps, css("step"), 0.6); line(layer.walls, css("wall"), 1.3);
    }
  }
  pen.drawImage(ground.canvas, 0, 0, width, height);
}
// The ways of the others, thin, and each where it was last seen a moment ago.
const OTHERS = ["red", "pink", "yellow", "green"];
function drawOthers(pen, at) {
  state.level.others.forEach((other, number) => {
    const begins = new Set(other.begins), now = place(other.t, state.time), color = css(OTHERS[number % OTHERS.length]);
    pen.strokeStyle = pen.fillStyle = color; pen.lineWidth = 1.2; pen.globalAlpha = state.whole ? 0.6 : 0.25;
    pen.beginPath();
    other.x.forEach((x, n) => pen[n && !begins.has(n) ? "lineTo" : "moveTo"](...at(x, other.y[n])));
    pen.stroke();
    pen.globalAlpha = 1;
    if (state.whole || Math.abs(other.t[now] - state.time) > 1.5) return;
    const [x, y] = at(other.x[now], other.y[now]);
    pen.beginPath(); pen.arc(x, y, 5, 0, 7); pen.fill();
    pen.fillStyle = css("ink"); pen.fillText(other.name, x + 8, y + 4);
  });
}
function drawMap() {
  if (document.body.classList.contains("played")) return;
  const level = state.level, [pen, width, height] = begin($("map"));
  const marked = level.events.some((event) => event.x !== undefined);
  if (!level.x.length) {
    pen.fillStyle = css("dim");
    pen.fillText(marked ? "The recording does not show where its player was; the marks are of others." : "The recording does not show where its player was.", 20, 16);
    if (!marked) return;
  }
  const { scale, at } = mapping(level, width, height), now = place(level.t, state.time), begins = new Set(level.begins);
  drawGround(pen, width, height);
  drawOthers(pen, at);
  const first = level.t[0], end = level.t.length - 1, span = Math.max(level.t[end] - first, 0.001);
  const done_to = state.whole ? end : now;
  for (const done of level.x.length ? [false, true] : []) {
    pen.lineWidth = done ? 2.4 : 1.4; pen.globalAlpha = done ? 1 : 0.28;
    const [from, to] = done ? [0, done_to] : [done_to, end];
    let color = null;
    pen.beginPath();
    for (let n = from; n <= to; n++) {
      const next = ramp(Math.round((level.t[n] - first) / span * 47) / 47), [x, y] = at(level.x[n], level.y[n]);
      const jump = begins.has(n) || n > from && Math.hypot(level.x[n] - level.x[n - 1], level.y[n] - level.y[n - 1]) > level.jump * Math.max(1, (level.t[n] - level.t[n - 1]) * 10);
      if (jump) pen.moveTo(x, y); else pen.lineTo(x, y);
      if (next !== color) { pen.stroke(); pen.beginPath(); pen.strokeStyle = color = next; pen.moveTo(x, y); }
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
  for (const event of level.events) {
    const color = MARKS[event.kind];
    if (!color || event.x === undefined || state.hidden.has(event.kind)) continue;
    const [x, y] = at(event.x, event.y);
    pen.globalAlpha = state.whole || event.t <= state.time ? 1 : 0.35;
    pen.fillStyle = pen.strokeStyle = css(color); pen.lineWidth = 2;
    pen.beginPath();
    if (color === "red") { pen.moveTo(x - 4, y - 4); pen.lineTo(x + 4, y + 4); pen.moveTo(x - 4, y + 4); pen.lineTo(x + 4, y - 4); pen.stroke(); }
    else if (color === "ink") { pen.fillRect(x - 4, y - 4, 8, 8); }
    else if (color === "pink") { pen.moveTo(x, y - 5); pen.lineTo(x + 5, y); pen.lineTo(x, y + 5); pen.lineTo(x - 5, y); pen.closePath(); pen.stroke(); }
    else { pen.arc(x, y, color === "yellow" ? 5 : 3.4, 0, 7); pen.fill(); }
  }
  pen.globalAlpha = 1;
  if (level.x.length) {
    const [x, y] = at(level.x[now], level.y[now]), yaw = level.w[now] * Math.PI / 180;
    const tip = (turn, far) => [x + Math.cos(yaw + turn) * far, y - Math.sin(yaw + turn) * far];
    pen.fillStyle = css("blue"); pen.strokeStyle = css("paper"); pen.lineWidth = 2;
    pen.beginPath(); pen.moveTo(...tip(0, 13)); pen.lineTo(...tip(2.5, 9)); pen.lineTo(...tip(-2.5, 9)); pen.closePath(); pen.stroke(); pen.fill();
  }
  const units = [64, 128, 256, 512, 1024, 2048].find((units) => units * scale >= 70) || 4096;
  pen.strokeStyle = pen.fillStyle = css("dim"); pen.lineWidth = 1.5;
  pen.beginPath(); pen.moveTo(14, height - 14); pen.lineTo(14 + units * scale, height - 14); pen.stroke();
  pen.fillText(units + " units", 14, height - 20);
}
const EDGE = 34;
function drawChart() {
  const level = state.level, [pen, width, height] = begin($("chart"));
  if (!level.t.length) return;
  const first = level.t[0], last = Math.max(level.t[level.t.length - 1], first + 0.001), most = level.most, begins = new Set(level.begins);
  const x = (time) => EDGE + (time - first) / (last - first) * (width - EDGE - 10), y = (value) => height - 18 - value / most * (height - 40);
  pen.strokeStyle = css("grid"); pen.fillStyle = css("dim"); pen.lineWidth = 1; pen.textAlign = "right";
  for (let value = 0; value <= most; value += most > 210 ? 100 : 50) {
    pen.beginPath(); pen.moveTo(EDGE, y(value)); pen.lineTo(width - 10, y(value)); pen.stroke();
    pen.fillText(value, EDGE - 6, y(value) + 4);
  }
  pen.textAlign = "center";
  const step = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].find((step) => (width - EDGE) * step / (last - first) >= 70) || 7200;
  for (let time = Math.ceil(first / step) * step; time <= last; time += step) pen.fillText(clock(time).slice(0, -2), x(time), height - 3);
  const line = (values, color, dash, wide) => {
    pen.strokeStyle = css(color); pen.setLineDash(dash); pen.lineWidth = wide; pen.beginPath();
    values.forEach((value, n) => { const at = y(Math.min(Math.max(value, 0), most)); if (n && !begins.has(n)) pen.lineTo(x(level.t[n]), at); else pen.moveTo(x(level.t[n]), at); });
    pen.stroke(); pen.setLineDash([]);
  };
  pen.textAlign = "right";
  if (width > 480) pen.fillText("by the game’s clock", width - 10, 12);
  pen.textAlign = "left";
  pen.fillStyle = css("red");
  if (level.vitals) {
    line(level.a, "blue", [5, 3], 1.4); line(level.h, "red", [], 2);
    pen.fillText("— health", EDGE, 12); pen.fillStyle = css("blue"); pen.fillText("-- armor" + (level.seen === null ? "" : " of " + level.seen), EDGE + 70, 12);
  } else {
    line(level.s, "red", [], 2);
    pen.fillText("— speed of " + level.seen + ", units/s", EDGE, 12);
  }
  pen.strokeStyle = css("ink"); pen.lineWidth = 1.5;
  pen.beginPath(); pen.moveTo(x(state.time), 16); pen.lineTo(x(state.time), height - 18); pen.stroke();
}

function seek(time, from) {
  if (!state.level) return;
  if (from !== "again") state.whole = false;
  const level = state.level, first = level.t[0] || 0, last = level.t[level.t.length - 1] || 0;
  state.time = Math.min(Math.max(time, first), last);
  $("scrub").value = state.time; $("scrub").setAttribute("aria-valuetext", clock(state.time));
  $("clock").textContent = clock(state.time);
  const now = place(level.t, state.time), show = (name, value) => make("span", {}, name + " ", make("b", { textContent: value }));
  const vitals = [...(level.seen === null ? [] : [show("player", level.seen)]),
    ...(level.vitals ? [show("health", level.h[now]), show("armor", level.a[now]), show("ammo", level.m[now])] : [])];
  $("vitals").replaceChildren(...(level.t.length ? [...vitals,
    show("speed", Math.round(level.s[now]) + " units/s"),
    ...(level.x.length ? [show("at", [level.x[now], level.y[now], level.z[now]].map(Math.round).join(" "))] : [])] : []));
  const rows = [...$("log").children], current = place(level.shown.map((event) => event.t), state.time + 0.05);
  rows.forEach((row, n) => row.classList.toggle("now", n === current && level.shown[n].t !== null && level.shown[n].t <= state.time + 0.05));
  const row = rows[current];
  if (row && from !== "log") {
    // Scrolls the row to the middle, with a whole row at the top.
    const log = $("log"), most = log.scrollHeight - log.clientHeight;
    const top = Math.max(0, Math.min(row.offsetTop - log.offsetTop - log.clientHeight / 2, most));
    log.scrollTop = rows.findLast((it) => it.offsetTop - log.offsetTop <= top).offsetTop - log.offsetTop;
  }
  drawMap(); drawChart();
  if (from !== "player" && from !== "again") lead();
}
// What the color of the way and the marks on the map mean; only those that are there.
function explainMap() {
  const level = state.level, there = level.events.filter((event) => MARKS[event.kind] && event.x !== undefined).map((event) => event.kind);
  const ramp = make("span", { className: "ramp" }), me = make("span", { textContent: "➤" });
  ramp.style.background = "linear-gradient(90deg," + RAMP.map((mix) => "rgb(" + mix.join(",") + ")").join(",") + ")";
  me.style.color = "var(--blue)";
  const known = new Map([...new Set(there)].map((kind) => [SIGNS[kind][1], kind]));
  const signs = [...known].map(([name, kind]) => {
    const sign = make("span", { textContent: SIGNS[kind][0] });
    sign.style.color = "var(--" + MARKS[kind] + ")";
    return make("span", {}, sign, " " + name);
  });
  const own = level.x.length ? [make("span", {}, "start", ramp, "end"), make("span", {}, me, level.seen === null ? " who recorded" : " " + level.seen)] : [];
  const others = level.others.slice(0, 16).map((other, number) => {
    const sign = make("span", { textContent: "—" });
    sign.style.color = "var(--" + OTHERS[number % OTHERS.length] + ")";
    return make("span", {}, sign, " " + other.name);
  });
  $("legend").replaceChildren(...own, ...others, ...signs);
}
function listEvents() {
  const level = state.level;
  level.shown = level.events.filter((event) => !state.hidden.has(event.kind));
  $("log").replaceChildren(...level.shown.map((event) => {
    const text = make("span", { className: event.kind }, make("i", { textContent: event.kind.replace("_", " ") + " " }), event.text);
    const row = make("button", { type: "button" }, make("time", { textContent: clock(event.t) }), text);
    row.addEventListener("click", () => seek(event.t, "log"));
    return row;
  }));
}
function open(level) {
  state.level = level;
  [...$("levels").children].forEach((tab, n) => tab.setAttribute("aria-pressed", data.levels[n] === level));
  const counts = new Map();
  for (const event of level.events) counts.set(event.kind, (counts.get(event.kind) || 0) + 1);
  $("kinds").replaceChildren(...[...counts].map(([kind, count]) => {
    const chip = make("button", { type: "button", textContent: kind.replace("_", " ") + " " + count });
    chip.setAttribute("aria-pressed", !state.hidden.has(kind));
    chip.addEventListener("click", () => {
      if (!state.hidden.delete(kind)) state.hidden.add(kind);
      chip.setAttribute("aria-pressed", !state.hidden.has(kind));
      listEvents(); seek(state.time, "again");
    });
    return chip;
  }));
  $("scrub").min = level.t[0] || 0; $("scrub").max = level.t[level.t.length - 1] || 0;
  const score = make("table", {}, make("tr", {}, make("th", { textContent: "name" }), make("th", { textContent: "score", className: "number" })));
  for (const player of level.players) {
    const name = make("td", player.hex ? { title: "its bytes: " + player.hex } : {}, player.name + (player.recorder ? " (recorded this)" : ""));
    if (player.colors) {
      const [shirt, pants] = player.colors.map((color) => SHIRTS[color] || "#888");
      const swatch = make("span", { className: "swatch", title: "shirt and trousers" });
      swatch.style.background = "linear-gradient(" + shirt + " 50%, " + pants + " 50%)";
      name.prepend(swatch);
    }
    score.append(make("tr", {}, name, make("td", { textContent: player.frags ?? "–", className: "number" })));
  }
  $("players").replaceChildren(level.players.length ? score : make("p", { className: "dim", textContent: "nobody" }));
  state.whole = true;
  explainMap(); listEvents(); seek(level.t[0] || 0, "again");
}
function follow() {
  const link = new URLSearchParams(location.hash.slice(1)), number = Number(link.get("level"));
  const level = data.levels.find((level) => level.number === number) || state.level || data.levels[data.first];
  if (level && level !== state.level) open(level);
  const parts = (link.get("t") || "").split(":").map(Number);
  if (link.has("t") && parts.every(Number.isFinite)) seek(parts.reduce((sum, part) => sum * 60 + part, 0));
}
let before = null;
function tick(now) {
  if (!state.playing) return;
  const next = state.time + (before === null ? 0 : (now - before) / 1000 * Number($("rate").value));
  before = now;
  seek(next);
  if (state.time < (state.level.t[state.level.t.length - 1] || 0)) requestAnimationFrame(tick); else play(false);
}
function play(on) {
  if (!state.level) return;
  state.playing = on; before = null;
  $("play").textContent = on ? "pause" : "play"; $("play").setAttribute("aria-pressed", on);
  if (on) { if (state.time >= (state.level.t[state.level.t.length - 1] || 0)) seek(0); requestAnimationFrame(tick); }
}

// The player in place of the map. It says which block it shows, and goes to the block of a moment that is chosen here.
for (const level of data.levels) level.b.forEach((step, n) => { level.b[n] = step + (n ? level.b[n - 1] : 0); });
const player = { frame: null, ready: false };
const post = (words) => { if (player.ready) player.frame.contentWindow.postMessage(words, "*"); };
function lead() {
  const level = state.level;
  if (level.t.length) post({ moviola: "go", block: level.b[place(level.t, state.time)] });
}
const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
function view(name) {
  const played = name === "player";
  if (!played) post({ moviola: "pause" });
  document.body.classList.toggle("played", played);
  $("view-player").setAttribute("aria-pressed", played); $("view-way").setAttribute("aria-pressed", !played);
  if (played) { play(false); lead(); } else seek(state.time, "again");
}
addEventListener("message", ({ data: message, source }) => {
  if (!player.frame || source !== player.frame.contentWindow || typeof message !== "object" || message === null) return;
  if (message.moviola === "ready") {
    player.ready = true;
    post({ moviola: "theme", dark: isDark() });
    if (!state.whole) lead();
  }
  if (message.moviola !== "at" || !document.body.classList.contains("played")) return;
  const known = data.levels.filter((level) => level.b.length), level = known.findLast((level) => level.b[0] <= message.block) || known[0];
  if (!level) return;
  if (level !== state.level) open(level);
  seek(level.t[place(level.b, message.block)], "player");
});
// The player's page, packed, with the recording and those of the game's files that are embedded.
async function playerPage(inside) {
  const bytes = Uint8Array.from(atob($("moviola-player").textContent), (letter) => letter.charCodeAt(0));
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  const parts = ["moviola-recording", "moviola-game"].map((id) => $(id)).filter(Boolean).map((it) => it.cloneNode(true));
  parts[0].dataset.inside = inside; // "true" or "false"
  return text.replace("<!--moviola:data-->", () => parts.map((it) => it.outerHTML).join(""));
}
async function startPlayer() {
  const html = await playerPage(true);
  player.frame = make("iframe", { title: "the recording", allow: "fullscreen; autoplay; clipboard-write" });
  player.frame.srcdoc = html;
  $("player").append(player.frame);
  $("views").hidden = false;
  $("view-player").addEventListener("click", () => view("player"));
  $("view-way").addEventListener("click", () => view("way"));
  $("deck").addEventListener("click", async () => {
    post({ moviola: "pause" });
    const page = new Blob([await playerPage(false)], { type: "text/html" });
    make("a", { href: URL.createObjectURL(page), target: "_blank" }).click();
  });
  view("player");
}

$("about").textContent = data.about;
if (data.levels.length > 1) {
  $("levels").append(...data.levels.map((level) => {
    const tab = make("button", { type: "button", textContent: level.number + ". " + level.name });
    if (level.hex) tab.title = "the title's bytes: " + level.hex;
    tab.addEventListener("click", () => { open(level); lead(); });
    return tab;
  }));
}
// A table of rows, the first cell of each a name; without rows its card is not shown.
function fill(id, head, rows) {
  const row = (cells, tag) => make("tr", {}, ...cells.map((cell, n) => make(tag, { textContent: cell, className: n && head.length ? "number" : "" })));
  if (!rows.length) { $(id).parentElement.hidden = true; return; }
  // A table with many columns gets the whole width.
  $(id).parentElement.classList.toggle("wide", head.length > 5);
  $(id).replaceChildren(make("table", {}, ...(head.length ? [row(head, "th")] : []), ...rows.map((cells) => row(cells, "td"))));
}
fill("table", ["level", "time", "kills", "secrets"], data.table);
["fighters", "weapons", "items"].forEach((name) => fill(name, data[name].head, data[name].rows));
fill("facts", [], data.facts);
$("scrub").addEventListener("input", () => seek(Number($("scrub").value)));
$("play").addEventListener("click", () => play(!state.playing));
$("chart").addEventListener("click", (event) => {
  if (!state.level) return;
  const box = $("chart").getBoundingClientRect(), t = state.level.t;
  seek(t[0] + (event.clientX - box.left - EDGE) / (box.width - EDGE - 10) * (t[t.length - 1] - t[0]));
});
$("map").addEventListener("click", (event) => {
  if (!state.level) return;
  const level = state.level, box = $("map").getBoundingClientRect(), { at } = mapping(level, box.width, box.height);
  let best = 0, least = Infinity;
  level.x.forEach((_, n) => {
    const [x, y] = at(level.x[n], level.y[n]), far = Math.hypot(x - event.clientX + box.left, y - event.clientY + box.top);
    if (far < least) { least = far; best = n; }
  });
  if (level.x.length) seek(level.t[best]);
});
$("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  post({ moviola: "theme", dark: isDark() });
  seek(state.time, "again");
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => seek(state.time, "again"));
addEventListener("resize", () => seek(state.time, "again"));
addEventListener("hashchange", follow);
if (data.more) $("levels").append(make("span", { className: "dim", textContent: data.more + " more levels are not on this page" }));
// If the browser cannot run the player, the map stays.
if ($("moviola-player") && data.levels.length) startPlayer().catch(() => document.body.classList.remove("played"));
if (data.levels.length) follow(); else {
  $("vitals").textContent = "Nothing of this recording can be shown: its messages are of a protocol that is kept as raw bytes, or it has no level.";
  document.querySelectorAll(".controls, #map, #chart").forEach((part) => { part.hidden = true; part.style.display = "none"; });
}
