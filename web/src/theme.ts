// Light or dark: as in the system's settings, until the user chooses.
import { Signal } from "./signal";

const KEY = "moviola-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** Changes with the colors; then everything on a canvas must be drawn again. */
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
    // Without storage the choice lasts until the page is closed.
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

/** Shows a theme without storing the choice; null means the system's theme. */
export function showTheme(chosen: string | null): void {
  const dark = chosen === null ? system.matches : chosen === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  isDark.value = dark;
}
