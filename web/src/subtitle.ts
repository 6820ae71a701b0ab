// Subtitles: typed at the moment, and a line of the script as soon as Enter is pressed.
import { byId } from "./dom";
import type { CuttingList } from "./script";
import { state } from "./state";
import { clock } from "./time";

export function showSubtitleForm(list: CuttingList): void {
  const form = byId("subtitle-form", HTMLFormElement);
  const text = byId("subtitle-text", HTMLInputElement);
  const length = byId("subtitle-length", HTMLInputElement);
  const button = byId("subtitle-add", HTMLButtonElement);

  text.addEventListener("focus", () => {
    // Playing stops when the user begins to type, since the subtitle is for this moment.
    state.running.value = 0;
  });
  text.addEventListener("input", () => {
    state.typed.value = { ...state.typed.value, subtitle: text.value };
  });
  state.typed.watch(({ subtitle }) => {
    if (text.value !== subtitle) text.value = subtitle;
    button.disabled = subtitle.trim() === "";
  });
  state.seconds.watch((seconds) => {
    text.placeholder = `Subtitle at ${clock(seconds, 1)}`;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const said = text.value.trim();
    if (said === "") return;
    if (await list.addSubtitle(said, Math.max(0.5, length.valueAsNumber || 3))) {
      state.typed.value = { ...state.typed.value, subtitle: "" };
    }
  });
}
