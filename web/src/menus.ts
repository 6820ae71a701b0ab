// Menus open above or below their buttons, where there is room.
export function startMenus(): void {
  for (const menu of document.querySelectorAll<HTMLElement>("[popover]")) {
    menu.addEventListener("toggle", (event) => {
      if ((event as ToggleEvent).newState !== "open") return;
      const button = document.querySelector<HTMLElement>(`[popovertarget=${menu.id}]`);
      if (button === null) return;
      const at = button.getBoundingClientRect();
      const below = at.bottom + 6 + menu.offsetHeight <= innerHeight;
      menu.style.top = `${below ? at.bottom + 6 : at.top - 6 - menu.offsetHeight}px`;
      menu.style.left = `${Math.max(8, at.right - menu.offsetWidth)}px`;
    });
  }
}
