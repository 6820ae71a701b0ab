// The page: creates its parts and connects them with keys and buttons.
import { makeActions } from "./actions";
import { fetchRecording, readAddress } from "./address";
import { auditPart } from "./audit";
import { CameraControl } from "./camera";
import { startData } from "./data";
import { DeckClient } from "./deck";
import { byId, problemOf } from "./dom";
import { embeddedGame, embeddedRecording, workerAndWasm } from "./embedded";
import { showEvents } from "./events";
import { findingsPanel } from "./findings";
import { isGuest, startGuest } from "./guest";
import { fillHelp } from "./help";
import { showInspection } from "./inspection";
import { listen, releaseAfterClicks, wire } from "./keys";
import { showKinds } from "./kinds";
import { showMarks } from "./marks";
import { startMenus } from "./menus";
import { say } from "./notices";
import { listenForChoice, listenForDrops } from "./open";
import { Projector } from "./projector";
import { reportPanel } from "./report";
import { Room } from "./room";
import { Saver } from "./saver";
import { room as roomForPicture, showMeter, showScreen } from "./screen";
import { CuttingList } from "./script";
import { Speaker } from "./sound";
import { state } from "./state";
import { Store } from "./store";
import { showSubtitleForm } from "./subtitle";
import { startTabs } from "./tabs";
import { BlockText } from "./text";
import { startTheme } from "./theme";
import { Timeline } from "./timeline";
import { seek } from "./transport";

async function start(): Promise<void> {
  startTheme();
  const { worker, wasm } = await workerAndWasm();
  const deck = new DeckClient(worker);
  const canvas = byId("screen", HTMLCanvasElement).transferControlToOffscreen();
  const started = deck.ask("start", { wasm, canvas }, [canvas]);

  const recording = await embeddedRecording();
  // There may be many pages with a recording inside; they must not overwrite the data of the main page.
  const store = recording === null ? await Store.open() : Store.withoutStorage();
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
  const camera = new CameraControl(projector, () => actions.play());
  const data = startData(store, deck, (kept) => void room.take([kept]));
  const saver = new Saver(deck, list);
  const timeline = new Timeline(seek);

  const takeFiles = (files: Parameters<Room["take"]>[0]) => void room.take(files);
  const recordings = listenForChoice("file-recording", takeFiles);
  const games = listenForChoice("file-game", takeFiles);
  const folder = listenForChoice("file-folder", (files) => void room.takeFolder(files));
  listenForDrops(takeFiles);
  byId("pick-game", HTMLElement).addEventListener("click", () => games.click());
  byId("pick-folder", HTMLElement).addEventListener("click", () => folder.click());

  const actions = makeActions({
    deck,
    room,
    list,
    camera,
    timeline,
    projector,
    saver,
    openRecording: () => recordings.click(),
    openData: () => data.open(),
  });

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

/** Opens the recording of the link, unless it is open, and applies the rest of the link. */
async function followLink(room: Room): Promise<void> {
  const address = readAddress();
  const { src, unreadable } = address;
  if (unreadable !== null) say(`The link's moment “${unreadable}” is no time, such as 1:12 or 72.5.`);
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

/** If the browser has no storage, the page asks before a tab with unsaved work is closed. */
function warnBeforeLoss(store: Store): void {
  window.addEventListener("beforeunload", (event) => {
    const { subtitle, block } = state.typed.value;
    const hasWork = state.script.value.trim() !== "" || subtitle.trim() !== "" || block !== null;
    if (!store.isPersistent && hasWork) event.preventDefault();
  });
}

start().catch((problem) => say(`The deck did not start: ${problemOf(problem)}`, "problem"));
