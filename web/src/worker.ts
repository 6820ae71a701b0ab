// The worker: WebAssembly and the canvas live here, so that no picture, however slow, holds up the page.
import init, { Deck as FirstDeck, look } from "moviola:wasm";
import initWhole, { Deck as WholeDeck } from "moviola:whole";
import type {
  About,
  Audited,
  Dropped,
  EditingDeck,
  Inspection,
  Linked,
  Note,
  PlayingDeck,
  Timeline,
  View,
  Wrong,
} from "./api";
import { Clip, clipKind } from "./clip";
import type { Answer, Name, Question, Questions, Shown } from "./messages";

let deck: PlayingDeck | null = null;
let Decks: typeof FirstDeck = FirstDeck;
/** The address of all of the WebAssembly; a page in one file has it from the start. */
let whole = "";
let fetched: Promise<WebAssembly.Module> | null = null;
let hasPicture = false;
/** The data from which the deck was made, and from which another one can be made. */
let opened: Questions["open"]["take"] | null = null;
let games: Questions["addGame"]["take"][] = [];
let canvas: OffscreenCanvas | null = null;
let clip: Clip | null = null;
let paper: OffscreenCanvasRenderingContext2D | null = null;

const NONE = "No recording is open.";

type Give<N extends Name> = Questions[N]["give"];
type Handlers = { [N in Name]: (take: Questions[N]["take"]) => Give<N> | Promise<Give<N>> };

const handlers: Handlers = {
  async start({ wasm, canvas: screen }) {
    canvas = screen;
    paper = screen.getContext("2d", { alpha: false });
    if (!(wasm instanceof ArrayBuffer)) whole = wasm.whole;
    await init({ module_or_path: wasm instanceof ArrayBuffer ? wasm : fetch(wasm.first) });
    return null;
  },
  look: async ({ name, file }) => JSON.parse(look(name, await bytesOf(file))) as Dropped,
  async open(recording) {
    // The old deck goes only after the new one is open: a file that cannot be opened must not close the film.
    const fresh = await deckOf(recording, Decks);
    deck?.free();
    deck = fresh;
    [opened, games] = [recording, []];
    return shown(fresh);
  },
  async addGame(game) {
    const bytes = await bytesOf(game.file);
    deck?.addGame(game.name, bytes);
    games = [...games.filter(({ name }) => name !== game.name), game];
    return null;
  },
  async hold() {
    if (deck === null || canEdit(deck) || opened === null) return null;
    opened = { ...opened, file: await inMemory(opened.file) };
    games = await Promise.all(games.map(async ({ name, file }) => ({ name, file: await inMemory(file) })));
    return null;
  },
  missing: () => (deck === null ? [] : (JSON.parse(deck.missing()) as string[])),
  draw({ seconds, view }) {
    const open = there();
    const picture = pictureOf(open, seconds, view);
    if (canvas !== null && paper !== null) put(canvas, paper, picture);
    // The rest is loaded after the first picture, so that it is there for the first edit, which reports a failure.
    if (!hasPicture && !canEdit(open)) void fetchWhole().catch(() => null);
    hasPicture = true;
    const [x = 0, y = 0, z = 0, pitch = 0, yaw = 0, roll = 0] = open.eye();
    const block = open.blockAt(seconds);
    const gameTime = gameTimeOf(open, block);
    const isInSight = view.who === null || open.isInSight(view.who);
    return { block, gameTime, isInSight, eye: [x, y, z], angles: [pitch, yaw, roll] };
  },
  sound: ({ from, seconds, view }) => there().sound(from, seconds, view),
  block: ({ seconds }) => there().blockAt(seconds),
  moment: ({ block }) => there().secondsOf(block),
  step({ seconds, by }) {
    const open = there();
    const last = (JSON.parse(open.about()) as About).blocks - 1;
    let block = open.blockAt(seconds) + by;
    // Several blocks can show one moment. A step must be seen, so it goes on to another moment.
    while (block > 0 && block < last && (open.secondsOf(block) - seconds) * by <= 1e-6) block += by;
    return open.secondsOf(Math.max(0, Math.min(last, block)));
  },
  async text({ seconds }) {
    const open = await withEdits();
    const block = open.blockAt(seconds);
    return { block, text: open.text(block) };
  },
  async linked({ seconds, text, line }) {
    return JSON.parse((await withEdits()).linked(seconds, text, line)) as Linked | null;
  },
  async replace({ block, text }) {
    const [line, wrong] = JSON.parse((await withEdits()).replace(block, text)) as [string, Wrong[]];
    return { line, wrong };
  },
  // Counted in blocks, not in seconds: only the moments of blocks were recorded, those between are computed.
  span: ({ from, to }) => there().span(from, to),
  async inspect() {
    return JSON.parse((await withEdits()).inspect()) as Inspection;
  },
  async audit() {
    return JSON.parse((await withEdits()).audit()) as Audited;
  },
  async edit({ script }) {
    const open = await withEdits();
    const wrong = JSON.parse(open.edit(script)) as Wrong[];
    return { wrong, shown: wrong.length === 0 ? shown(open) : null };
  },
  subtitle: async ({ seconds, length, text }) => (await withEdits()).subtitle(seconds, length, text),
  camera: async ({ script, seconds, eye, angles }) =>
    (await withEdits()).add_camera(script, seconds, new Float32Array([...eye, ...angles])),
  srt: async ({ script }) => (await withEdits()).srt(script),
  save: () => there().save() as Uint8Array<ArrayBuffer>,
  clipKind,
  async clipBegin(request) {
    clip?.close();
    clip = await Clip.begin(request);
    return null;
  },
  clipStep: async () => (clip === null ? 1 : clip.step(there())),
  async clipEnd({ keep }) {
    const ended = clip;
    clip = null;
    if (keep && ended !== null) return ended.end();
    ended?.close();
    return null;
  },
  async png({ seconds, view }) {
    const picture = pictureOf(there(), seconds, view);
    const own = new OffscreenCanvas(picture.width, picture.height);
    own.getContext("2d", { alpha: false })?.putImageData(picture, 0, 0);
    return own.convertToBlob({ type: "image/png" });
  },
};

async function deckOf<D>(
  { name, path, file }: Questions["open"]["take"],
  Kind: { open(name: string, bytes: Uint8Array): D },
): Promise<D> {
  return Kind.open(path === "" ? name : `${name}:${path}`, await bytesOf(file));
}

/** Whether all of the WebAssembly made the deck. */
function canEdit(open: PlayingDeck): open is EditingDeck {
  return "edit" in open;
}

/** The deck with its edits. The first use loads all of the WebAssembly and makes the deck again with it. */
async function withEdits(): Promise<EditingDeck> {
  const playing = there();
  if (canEdit(playing)) return playing;
  if (opened === null) throw NONE;
  await initWhole({ module_or_path: await fetchWhole() });
  Decks = WholeDeck;
  const fresh = await deckOf(opened, WholeDeck);
  for (const { name, file } of games) fresh.addGame(name, await bytesOf(file));
  playing.free();
  deck = fresh;
  return fresh;
}

/** Fetches and compiles all of the WebAssembly once. After a failure the next use tries again. */
function fetchWhole(): Promise<WebAssembly.Module> {
  fetched ??= fetch(whole)
    .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(answer.statusText))))
    .then((bytes) => WebAssembly.compile(bytes))
    .catch((problem) => {
      fetched = null;
      throw new Error(`The rest of the deck could not be loaded: ${inWords(problem)}`);
    });
  return fetched;
}

function there(): PlayingDeck {
  if (deck === null) throw NONE;
  return deck;
}

/** The time of a block on the game's clock, or null where that is the recording's own. */
function gameTimeOf(open: PlayingDeck, block: number): number | null {
  const time = open.gameTimeOf(block);
  // Not the moment that the page shows: while it plays, that is ahead of the picture.
  return time === undefined || Math.abs(time - open.secondsOf(block)) <= 0.1 ? null : time;
}

async function bytesOf(file: Blob): Promise<Uint8Array> {
  return new Uint8Array(await file.arrayBuffer());
}

const inMemory = async (file: Blob) => new Blob([await file.arrayBuffer()]);

function shown(open: PlayingDeck): Shown {
  return {
    about: JSON.parse(open.about()) as About,
    timeline: JSON.parse(open.timeline()) as Timeline,
    notes: JSON.parse(open.notes()) as Note[],
  };
}

function pictureOf(open: PlayingDeck, seconds: number, view: View): ImageData {
  const frame = open.draw(seconds, view);
  const picture = new ImageData(frame.rgba(), frame.width, frame.height);
  frame.free();
  return picture;
}

function put(screen: OffscreenCanvas, on: OffscreenCanvasRenderingContext2D, picture: ImageData): void {
  // Setting a size clears the canvas even where it stays the same, which flickers.
  if (screen.width !== picture.width) screen.width = picture.width;
  if (screen.height !== picture.height) screen.height = picture.height;
  on.putImageData(picture, 0, 0);
}

/** The deck throws strings in plain words. Anything else is a fault of the deck, and is reported as such. */
function inWords(problem: unknown): string {
  if (typeof problem === "string") return problem;
  if (problem instanceof WebAssembly.RuntimeError) {
    deck = null;
    return `The deck stopped: a mistake in Moviola (${problem.message}). Open the recording again.`;
  }
  return problem instanceof Error ? problem.message : String(problem);
}

// Questions are answered in the order in which they came: reading a file must not let a later one pass.
let queue: Promise<void> = Promise.resolve();

async function answer({ id, name, take }: Question): Promise<void> {
  let answer: Answer;
  try {
    const handler = handlers[name] as (take: unknown) => unknown;
    answer = { id, give: await handler(take) };
  } catch (problem) {
    answer = { id, problem: inWords(problem) };
  }
  postMessage(answer);
}

function enqueue(question: Question): void {
  queue = queue.then(() => answer(question));
}

self.addEventListener("message", ({ data }: MessageEvent<Question>) => {
  // Pictures do not wait until a network has brought what only these need; a failure is reported in its turn.
  const isRead = ["text", "inspect", "audit"].includes(data.name);
  if (!isRead || deck === null || canEdit(deck)) enqueue(data);
  else
    void fetchWhole()
      .catch(() => null)
      .then(() => enqueue(data));
});
