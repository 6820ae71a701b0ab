// The actions of the keys and buttons.
import { MAP_VIEWS } from "./api";
import type { CameraControl } from "./camera";
import type { DeckClient } from "./deck";
import { byId } from "./dom";
import type { Actions } from "./keys";
import { mark } from "./marks";
import { say } from "./notices";
import type { Projector } from "./projector";
import type { Room } from "./room";
import { copyLink, type Saver } from "./saver";
import type { CuttingList } from "./script";
import { length, state } from "./state";
import { showTab } from "./tabs";
import { toggleTheme } from "./theme";
import { markBeyond, type Timeline } from "./timeline";
import { afterSteps, changeSpeed, run, seek, shuttle, step } from "./transport";

/** The parts of the page that actions work on. */
interface Parts {
  deck: DeckClient;
  room: Room;
  list: CuttingList;
  camera: CameraControl;
  timeline: Timeline;
  projector: Projector;
  saver: Saver;
  /** Lets the person choose a recording. */
  openRecording: () => void;
  /** Shows what the browser keeps. */
  openData: () => void;
}

export function makeActions(parts: Parts): Actions {
  const { deck, room, list, camera, timeline, projector, saver, openRecording, openData } = parts;
  return {
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
    keep: () => cut(list, "cut"),
    drop: () => cut(list, "drop"),
    slow: () => cut(list, "retime 0.5"),
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
    open: openRecording,
    data: openData,
    saveRecording: () => void saver.saveRecording(),
    saveScript: () => void saver.saveScript(),
    saveSubtitles: () => void saver.saveSubtitles(),
    saveClip: () => void saver.saveClip((width, height) => projector.view(width, height)),
    savePicture: () => void saver.savePicture((width, height) => projector.view(width, height)),
    copyLink: () => void copyLink(room.src),
    theme: toggleTheme,
    help: () => byId("help", HTMLDialogElement).showModal(),
  };
}

function cut(list: CuttingList, command: "cut" | "drop" | "retime 0.5"): void {
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
