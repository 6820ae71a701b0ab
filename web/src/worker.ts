// The worker, with the WebAssembly and the canvas, so that slow pictures do not block the page.
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
/** The address of the complete WebAssembly; a page in one file has it from the start. */
let wholeAddress = "";
let wholeModule: Promise<WebAssembly.Module> | null = null;
let hasPicture = false;
/** The data from which the deck was made, in case it must be made again. */
let openedFile: Questions["open"]["args"] | null = null;
let games: Questions["addGame"]["args"][] = [];
let canvas: OffscreenCanvas | null = null;
let clip: Clip | null = null;
let context: OffscreenCanvasRenderingContext2D | null = null;

const NOT_OPEN = "No recording is open.";

type ResultOf<N extends Name> = Questions[N]["result"];
type Handlers = { [N in Name]: (args: Questions[N]["args"]) => ResultOf<N> | Promise<ResultOf<N>> };

const handlers: Handlers = {
  async start({ wasm, canvas: screen }) {
    canvas = screen;
    context = screen.getContext("2d", { alpha: false });
    if (!(wasm instanceof ArrayBuffer)) wholeAddress = wasm.whole;
    await init({ module_or_path: wasm instanceof ArrayBuffer ? wasm : fetch(wasm.first) });
    return null;
  },
  look: async ({ name, file }) => JSON.parse(look(name, await bytesOf(file))) as Dropped,
  async open(recording) {
    // The old deck is closed only after the new one is open: if a file cannot be opened, the film stays open.
    const newDeck = await deckOf(recording, Decks);
    deck?.free();
    deck = newDeck;
    [openedFile, games] = [recording, []];
    return shown(newDeck);
  },
  async addGame(game) {
    const bytes = await bytesOf(game.file);
    deck?.addGame(game.name, bytes);
    games = [...games.filter(({ name }) => name !== game.name), game];
    return null;
  },
  async hold() {
    if (deck === null || canEdit(deck) || openedFile === null) return null;
    openedFile = { ...openedFile, file: await inMemory(openedFile.file) };
    games = await Promise.all(games.map(async ({ name, file }) => ({ name, file: await inMemory(file) })));
    return null;
  },
  missing: () => (deck === null ? [] : (JSON.parse(deck.missing()) as string[])),
  draw({ seconds, view }) {
    const open = openDeck();
    const picture = pictureOf(open, seconds, view);
    if (canvas !== null && context !== null) put(canvas, context, picture);
    // The rest is loaded after the first picture, so that it is ready for the first edit. If loading fails, the edit
    // reports it.
    if (!hasPicture && !canEdit(open)) void fetchWhole().catch(() => null);
    hasPicture = true;
    const [x = 0, y = 0, z = 0, pitch = 0, yaw = 0, roll = 0] = open.eye();
    const block = open.blockAt(seconds);
    const gameTime = gameTimeOf(open, block);
    const isInSight = view.who === null || open.isInSight(view.who);
    return { block, gameTime, isInSight, eye: [x, y, z], angles: [pitch, yaw, roll] };
  },
  sound: ({ from, seconds, view }) => openDeck().sound(from, seconds, view),
  block: ({ seconds }) => openDeck().blockAt(seconds),
  moment: ({ block }) => openDeck().secondsOf(block),
  step({ seconds, by }) {
    const open = openDeck();
    const last = (JSON.parse(open.about()) as About).blocks - 1;
    let block = open.blockAt(seconds) + by;
    // Several blocks may have the same moment. A step must be visible, so it continues to another moment.
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
  // The span is given in blocks, not seconds: only the moments of blocks are recorded, those in between are
  // interpolated.
  span: ({ from, to }) => openDeck().span(from, to),
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
  save: () => openDeck().save() as Uint8Array<ArrayBuffer>,
  clipKind,
  async clipBegin(request) {
    clip?.close();
    clip = await Clip.begin(request);
    return null;
  },
  clipStep: async () => (clip === null ? 1 : clip.step(openDeck())),
  async clipEnd({ keep }) {
    const ended = clip;
    clip = null;
    if (keep && ended !== null) return ended.end();
    ended?.close();
    return null;
  },
  async png({ seconds, view }) {
    const picture = pictureOf(openDeck(), seconds, view);
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    canvas.getContext("2d", { alpha: false })?.putImageData(picture, 0, 0);
    return canvas.convertToBlob({ type: "image/png" });
  },
};

async function deckOf<D>(
  { name, path, file }: Questions["open"]["args"],
  Kind: { open(name: string, bytes: Uint8Array): D },
): Promise<D> {
  return Kind.open(path === "" ? name : `${name}:${path}`, await bytesOf(file));
}

/** Whether the deck was made by the complete WebAssembly. */
function canEdit(open: PlayingDeck): open is EditingDeck {
  return "edit" in open;
}

/** The deck with its edits. The first use loads the complete WebAssembly and makes the deck again with it. */
async function withEdits(): Promise<EditingDeck> {
  const playing = openDeck();
  if (canEdit(playing)) return playing;
  if (openedFile === null) throw NOT_OPEN;
  await initWhole({ module_or_path: await fetchWhole() });
  Decks = WholeDeck;
  const newDeck = await deckOf(openedFile, WholeDeck);
  for (const { name, file } of games) newDeck.addGame(name, await bytesOf(file));
  playing.free();
  deck = newDeck;
  return newDeck;
}

/** Fetches and compiles the complete WebAssembly once. After a failure the next use tries again. */
function fetchWhole(): Promise<WebAssembly.Module> {
  wholeModule ??= fetch(wholeAddress)
    .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(answer.statusText))))
    .then((bytes) => WebAssembly.compile(bytes))
    .catch((problem) => {
      wholeModule = null;
      throw new Error(`The rest of the deck could not be loaded: ${inWords(problem)}`);
    });
  return wholeModule;
}

function openDeck(): PlayingDeck {
  if (deck === null) throw NOT_OPEN;
  return deck;
}

/** The time of a block on the game's clock, or null if it equals the recording's time. */
function gameTimeOf(open: PlayingDeck, block: number): number | null {
  const time = open.gameTimeOf(block);
  // The time of the drawn block is compared, since the moment of the page is ahead of the picture during playback.
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

function put(screen: OffscreenCanvas, context: OffscreenCanvasRenderingContext2D, picture: ImageData): void {
  // Setting a size clears the canvas even if it is the same size, which flickers.
  if (screen.width !== picture.width) screen.width = picture.width;
  if (screen.height !== picture.height) screen.height = picture.height;
  context.putImageData(picture, 0, 0);
}

/** The deck throws strings in plain words. Anything else is a bug in the deck, and reported as one. */
function inWords(problem: unknown): string {
  if (typeof problem === "string") return problem;
  if (problem instanceof WebAssembly.RuntimeError) {
    deck = null;
    return `The deck stopped: a mistake in Moviola (${problem.message}). Open the recording again.`;
  }
  return problem instanceof Error ? problem.message : String(problem);
}

// Questions are answered in their order: while a file is read, a later one must wait.
let queue: Promise<void> = Promise.resolve();

async function answer({ id, name, args }: Question): Promise<void> {
  let answer: Answer;
  try {
    const handler = handlers[name] as (args: unknown) => unknown;
    answer = { id, result: await handler(args) };
  } catch (problem) {
    answer = { id, problem: inWords(problem) };
  }
  postMessage(answer);
}

function enqueue(question: Question): void {
  queue = queue.then(() => answer(question));
}

self.addEventListener("message", ({ data }: MessageEvent<Question>) => {
  // Pictures do not wait for code that only these questions need. A failure to load it is reported when the question is
  // answered.
  const isRead = ["text", "inspect", "audit"].includes(data.name);
  if (!isRead || deck === null || canEdit(deck)) enqueue(data);
  else
    void fetchWhole()
      .catch(() => null)
      .then(() => enqueue(data));
});
