// Light or dark: as the system has it, until somebody chooses.
import { Signal } from "./signal";

const KEY = "moviola-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Changes when the colors do; then everything on a canvas must be drawn again. */
export const isDark = new Signal(system.matches);

export function startTheme(): void {
  showTheme(remembered());
  system.addEventListener("change", () => showTheme(remembered()));
}

export function toggleTheme(): void {
  const chosen = isDark.value ? "light" : "dark";
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage the choice holds until the page is left.
  }
  showTheme(chosen);
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Shows a theme without remembering it; null is that of the system. */
export function showTheme(chosen: string | null): void {
  const dark = chosen === null ? system.matches : chosen === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  isDark.value = dark;
}
