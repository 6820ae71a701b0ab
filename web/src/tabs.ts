// Tabs with the usual keys: arrows move between them, and only the selected tab can be reached with the Tab key.
import { byId } from "./dom";

export function startTabs(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener("click", () => showTab(tab.id));
    tab.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      const other = tabs.at((at + by) % tabs.length);
      if (by === 0 || other === undefined) return;
      event.preventDefault();
      showTab(other.id);
      other.focus();
    });
  }
}

export function showTab(id: string): void {
  for (const tab of document.querySelectorAll<HTMLElement>("[role=tab]")) {
    const isThis = tab.id === id;
    tab.setAttribute("aria-selected", String(isThis));
    tab.tabIndex = isThis ? 0 : -1;
    byId(tab.getAttribute("aria-controls") ?? "", HTMLElement).hidden = !isThis;
  }
  document.dispatchEvent(new CustomEvent("tab", { detail: id }));
}
