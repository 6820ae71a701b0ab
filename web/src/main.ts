// The page: makes its parts and lets keys and buttons work on them.
import { fetchRecording, readAddress } from "./address";
import { MAP_VIEWS } from "./api";
import { auditPart } from "./audit";
import { CameraMan } from "./camera";
import { startData } from "./data";
import { DeckClient } from "./deck";
import { byId, problemOf } from "./dom";
import { embeddedGame, embeddedRecording, workerAndWasm } from "./embedded";
import { showEvents } from "./events";
import { findingsPanel } from "./findings";
import { isGuest, startGuest } from "./guest";
import { fillHelp } from "./help";
import { showInspection } from "./inspection";
import { type Actions, listen, releaseAfterClicks, wire } from "./keys";
import { showKinds } from "./kinds";
import { mark, showMarks } from "./marks";
import { startMenus } from "./menus";
import { say } from "./notices";
import { listenForChoice, listenForDrops } from "./open";
import { Projector } from "./projector";
import { reportPanel } from "./report";
import { Room } from "./room";
import { copyLink, Saver } from "./saver";
import { room as roomForPicture, showMeter, showScreen } from "./screen";
import { CuttingList } from "./script";
import { Speaker } from "./sound";
import { length, state } from "./state";
import { Store } from "./store";
import { showSubtitleForm } from "./subtitle";
import { showTab, startTabs } from "./tabs";
import { BlockText } from "./text";
import { startTheme, toggleTheme } from "./theme";
import { markBeyond, Timeline } from "./timeline";
import { afterSteps, changeSpeed, run, seek, shuttle, step } from "./transport";

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
  new Speaker(
    deck,
    () => projector.view(640, 360),
    (problem) => say(problemOf(problem), "problem"),
  );
  const camera = new CameraMan(projector, () => actions.play());
  const data = startData(store, deck, (kept) => void room.take([kept]));
  const saver = new Saver(deck, list);
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
    stepBack: () => step(deck, -1),
    stepOn: () => step(deck, 1),
    jumpBack: afterSteps(() => seek(state.seconds.value - 5)),
    jumpOn: afterSteps(() => seek(state.seconds.value + 5)),
    previous: afterSteps(() => seek(markBeyond(state.seconds.value, -1)?.seconds ?? 0)),
    next: afterSteps(() => seek(markBeyond(state.seconds.value, 1)?.seconds ?? length())),
    first: afterSteps(() => seek(0)),
    last: afterSteps(() => seek(length())),
    zoom: () => timeline.zoom(),
    markIn: afterSteps(() => mark("start")),
    markOut: afterSteps(() => mark("end")),
    clearMarks: () => {
      state.span.value = { start: null, end: null };
    },
    keep: () => cut("cut"),
    drop: () => cut("drop"),
    slow: () => cut("retime 0.5"),
    subtitle: () => {
      showTab("tab-cut");
      byId("subtitle-text", HTMLInputElement).focus();
    },
    camera: afterSteps(() => void list.placeCamera()),
    undo: () => list.undo(),
    redo: () => list.redo(),
    full: () => void fullScreen(),
    hud: () => {
      state.hud.value = !state.hud.value;
    },
    look: () => {
      state.look.value = state.look.value === "gl" ? "software" : "gl";
    },
    map: () => {
      const next = MAP_VIEWS[(MAP_VIEWS.indexOf(state.map.value) + 1) % MAP_VIEWS.length];
      state.map.value = next ?? "off";
    },
    sound: () => {
      state.sound.value = !state.sound.value;
    },
    eyes: () => camera.nextEyes(),
    chase: () => {
      state.chase.value = !state.chase.value;
    },
    fly: () => camera.toggle(),
    leave: () => camera.leave(),
    open: () => recordings.click(),
    data: () => data.open(),
    saveRecording: () => void saver.saveRecording(),
    saveScript: () => void saver.saveScript(),
    saveSubtitles: () => void saver.saveSubtitles(),
    saveClip: () => void saver.saveClip((width, height) => projector.view(width, height)),
    savePicture: () => void saver.savePicture((width, height) => projector.view(width, height)),
    copyLink: () => void copyLink(room.src),
    theme: toggleTheme,
    help: () => byId("help", HTMLDialogElement).showModal(),
  };

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

  wire(actions);
  listen(actions, camera);
  releaseAfterClicks();
  fillHelp();
  startTabs();
  startMenus();
  showScreen();
  showSubtitleForm(list);
  showKinds();
  showMarks();
  showEvents(seek);
  new BlockText(deck, list, {
    eye: () => projector.eye?.eye ?? null,
    at: (place) => camera.lookAt(place),
  });
  showInspection(deck, seek, {
    "panel-report": reportPanel,
    "panel-findings": (inspection) => [...findingsPanel(inspection, seek), auditPart(deck, seek)],
  });
  warnBeforeLoss(store);

  await started;
  const address = readAddress();
  const game = await embeddedGame();
  if (game !== null) await room.addEmbeddedGame(game);
  else await room.restoreGames();
  if (recording !== null) await room.open({ ...recording, path: "" });
  else if (address.src === null) await room.resume();
  await followLink(room);
  window.addEventListener("hashchange", () => void followLink(room));
  if (isGuest()) startGuest(deck);
  document.documentElement.dataset.ready = "";
}

/** Opens the recording of the link, unless it is open, and does what else the link says. */
async function followLink(room: Room): Promise<void> {
  const address = readAddress();
  const { src } = address;
  if (src !== null && src !== room.src && !(await openLink(room, src))) room.await(address);
  else if (state.shown.value === null) room.await(address);
  else await room.follow(address, src !== null);
}

/** Whether the recording is open. */
async function openLink(room: Room, src: string): Promise<boolean> {
  try {
    say("Fetching the recording …");
    if (!(await room.take([await fetchRecording(src)]))) return false;
    room.src = src;
    return true;
  } catch (problem) {
    say(problemOf(problem), "problem");
    return false;
  }
}

/** If the browser has no storage, it asks before it closes a tab with work in it. */
function warnBeforeLoss(store: Store): void {
  window.addEventListener("beforeunload", (event) => {
    const { subtitle, block } = state.typed.value;
    const hasWork = state.script.value.trim() !== "" || subtitle.trim() !== "" || block !== null;
    if (!store.lasts && hasWork) event.preventDefault();
  });
}

start().catch((problem) => say(`The deck did not start: ${problemOf(problem)}`, "problem"));
