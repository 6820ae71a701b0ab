// The page: makes its parts and lets keys and buttons work on them.
import { fetchRecording, linkTo, readAddress } from "./address";
import { CameraMan } from "./camera";
import { startData } from "./data";
import { DeckClient } from "./deck";
import { byId, problemOf } from "./dom";
import { embeddedGame, embeddedRecording, workerAndWasm } from "./embedded";
import { showEvents } from "./events";
import { fillHelp } from "./help";
import { type Actions, listen, releaseAfterClicks, wire } from "./keys";
import { showKinds } from "./kinds";
import { mark, showMarks } from "./marks";
import { startMenus } from "./menus";
import { say } from "./notices";
import { listenForChoice, listenForDrops } from "./open";
import { Projector } from "./projector";
import { Room } from "./room";
import { copy, download, editedName, stemAndEnding } from "./save";
import { room as roomForPicture, SPEEDS, showMeter, showScreen } from "./screen";
import { CuttingList } from "./script";
import { length, state } from "./state";
import { Store } from "./store";
import { showTab, startTabs } from "./tabs";
import { showText } from "./text";
import { startTheme, toggleTheme } from "./theme";
import { markBeyond, Timeline } from "./timeline";

async function start(): Promise<void> {
  startTheme();
  const { worker, wasm } = await workerAndWasm();
  const deck = new DeckClient(worker);
  const canvas = byId("screen", HTMLCanvasElement).transferControlToOffscreen();
  const started = deck.ask("start", { wasm, canvas }, [canvas]);

  const recording = await embeddedRecording();
  // A page with its own recording is one of many; they must not overwrite what the deck keeps.
  const store = recording === null ? await Store.open() : Store.forgetful();
  const list = new CuttingList(deck);
  const room = new Room(deck, store, list);
  const projector = new Projector(
    deck,
    roomForPicture,
    (meter) => {
      showMeter(meter);
      room.drawn();
    },
    (problem) => say(problem, "problem"),
  );
  const camera = new CameraMan(projector, () => actions.play());
  const data = startData(store);
  const timeline = new Timeline(seek);

  const take = (files: Parameters<Room["take"]>[0]) => void room.take(files);
  const recordings = listenForChoice("file-recording", take);
  const games = listenForChoice("file-game", take);
  const folder = listenForChoice("file-folder", (files) => void room.takeFolder(files));
  listenForDrops(take);
  byId("pick-game", HTMLElement).addEventListener("click", () => games.click());
  byId("pick-folder", HTMLElement).addEventListener("click", () => folder.click());

  const actions: Actions = {
    play: () => run(state.running.value === 0 ? 1 : 0),
    backward: () => shuttle(-1),
    pause: () => run(0),
    forward: () => shuttle(1),
    slower: () => changeSpeed(-1),
    faster: () => changeSpeed(1),
    stepBack: () => void step(-1),
    stepOn: () => void step(1),
    jumpBack: () => seek(state.seconds.value - 5),
    jumpOn: () => seek(state.seconds.value + 5),
    previous: () => seek(markBeyond(state.seconds.value, -1)?.seconds ?? 0),
    next: () => seek(markBeyond(state.seconds.value, 1)?.seconds ?? length()),
    first: () => seek(0),
    last: () => seek(length()),
    zoom: () => timeline.zoom(),
    markIn: () => mark("start"),
    markOut: () => mark("end"),
    clearMarks: () => {
      state.span.value = { start: null, end: null };
    },
    keep: () => cut("cut"),
    drop: () => cut("drop"),
    slow: () => cut("retime 0.5"),
    undo: () => list.undo(),
    redo: () => list.redo(),
    full: () => void fullScreen(),
    hud: () => {
      state.hud.value = !state.hud.value;
    },
    look: () => {
      state.look.value = state.look.value === "gl" ? "software" : "gl";
    },
    eyes: () => camera.nextEyes(),
    fly: () => camera.toggle(),
    leave: () => camera.leave(),
    open: () => recordings.click(),
    data: () => data.open(),
    saveRecording: () => void saveRecording(),
    saveScript: () => void saveScript(),
    savePicture: () => void savePicture(),
    copyLink: () => void copyLink(),
    theme: toggleTheme,
    help: () => byId("help", HTMLDialogElement).showModal(),
  };

  function run(direction: -1 | 0 | 1): void {
    if (state.shown.value === null) return;
    // At the end, to play means to play again.
    if (direction === 1 && state.seconds.value >= length()) state.seconds.value = 0;
    state.running.value = direction;
  }

  function shuttle(direction: -1 | 1): void {
    if (state.running.value === direction) changeSpeed(1);
    else state.speed.value = 1;
    run(direction);
  }

  function changeSpeed(by: -1 | 1): void {
    state.speed.value = SPEEDS[SPEEDS.indexOf(state.speed.value) + by] ?? state.speed.value;
  }

  function seek(seconds: number): void {
    state.seconds.value = Math.max(0, Math.min(length(), seconds));
  }

  async function step(by: -1 | 1): Promise<void> {
    if (state.shown.value === null) return;
    run(0);
    seek(await deck.ask("step", { seconds: state.seconds.value, by }));
  }

  function cut(command: "cut" | "drop" | "retime 0.5"): void {
    void list.add(command);
    if (innerWidth >= 1000) showTab("tab-cut");
  }

  async function fullScreen(): Promise<void> {
    if (document.fullscreenElement !== null) await document.exitFullscreen();
    else
      await byId("frame", HTMLElement)
        .requestFullscreen()
        .catch(() => say("This browser cannot fill the screen."));
  }

  const stem = () => stemAndEnding(state.shown.value?.about.name ?? "recording")[0];

  async function saveRecording(): Promise<void> {
    const about = state.shown.value?.about;
    if (about === undefined) return;
    if (!(await list.settled())) {
      say(
        "Nothing is saved: the cutting list has a mistake, and the recording is not what it says.",
        "problem",
      );
      showTab("tab-cut");
      return;
    }
    try {
      const bytes = await deck.ask("save", null);
      download(new Blob([bytes]), editedName(about.name, about.game));
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
  }

  async function saveScript(): Promise<void> {
    await list.settled();
    download(new Blob([state.script.value], { type: "text/plain" }), `${stem()}.edit`);
  }

  async function savePicture(): Promise<void> {
    if (state.shown.value === null) return;
    try {
      const seconds = state.seconds.value;
      const png = await deck.ask("png", { seconds, view: projector.view(1280, 720) });
      download(png, `${stem()}-${seconds.toFixed(2)}.png`);
    } catch (problem) {
      say(problemOf(problem), "problem");
    }
  }

  async function copyLink(): Promise<void> {
    const who = state.camera.value.kind === "player" ? state.camera.value.who : null;
    const link = linkTo({ src: room.src, seconds: state.seconds.value, who });
    const where =
      room.src === null ? " It leads to the moment; the recording itself must be opened there." : "";
    say((await copy(link)) ? `The link is copied.${where}` : `The link: ${link}`);
  }

  wire(actions);
  listen(actions, camera);
  releaseAfterClicks();
  fillHelp();
  startTabs();
  startMenus();
  showScreen();
  showKinds();
  showMarks();
  showEvents(seek);
  showText(deck);
  watchSaveName();
  warnBeforeLoss(store);

  await started;
  const address = readAddress();
  const game = await embeddedGame();
  if (game !== null) await room.addEmbeddedGame(game);
  else await room.restoreGames();
  if (recording !== null) await room.open({ ...recording, path: "" });
  else if (address.src !== null) await openLink(room, address.src);
  else await room.resume();
  if (state.shown.value !== null) room.goTo(address);
  window.addEventListener("hashchange", () => void followLink(room));
  document.documentElement.dataset.ready = "";
}

async function openLink(room: Room, src: string): Promise<void> {
  try {
    say("Fetching the recording …");
    const { name, file } = await fetchRecording(src);
    await room.take([{ name, file }]);
    room.src = src;
  } catch (problem) {
    say(problemOf(problem), "problem");
  }
}

async function followLink(room: Room): Promise<void> {
  const address = readAddress();
  if (address.src !== null && address.src !== room.src) await openLink(room, address.src);
  room.goTo(address);
}

function watchSaveName(): void {
  state.shown.watch((shown) => {
    const name = shown === null ? "" : editedName(shown.about.name, shown.about.game);
    byId("save-name", HTMLElement).textContent = name;
  });
  const menu = byId("save-menu", HTMLElement);
  menu.addEventListener("click", () => menu.hidePopover());
}

/** Where nothing can be kept, the browser asks before it closes a tab with cuts in it. */
function warnBeforeLoss(store: Store): void {
  window.addEventListener("beforeunload", (event) => {
    if (!store.lasts && state.script.value.trim() !== "") event.preventDefault();
  });
}

start().catch((problem) => say(`The deck did not start: ${problemOf(problem)}`, "problem"));
