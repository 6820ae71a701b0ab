// A text area whose mistakes are underlined in place and listed below.
import type { Wrong } from "./api";
import { make } from "./dom";

export class Editor {
  readonly area: HTMLTextAreaElement;
  readonly #under: HTMLElement;
  readonly #list: HTMLElement;

  /** `under` is behind the text area and has the same words, of which only the underlines are visible. */
  constructor(area: HTMLTextAreaElement, under: HTMLElement, list: HTMLElement) {
    this.area = area;
    this.#under = under;
    this.#list = list;
    area.addEventListener("scroll", () => this.#scroll());
  }

  /** Sets the text if it differs: setting an equal text would move the cursor while the user types. */
  set(text: string): void {
    if (this.area.value !== text) this.area.value = text;
  }

  show(wrong: readonly Wrong[]): void {
    this.area.setAttribute("aria-invalid", String(wrong.length > 0));
    this.#list.replaceChildren(
      ...wrong.map((mistake) => {
        const help = mistake.help === null ? [] : [make("small", {}, mistake.help)];
        const button = make(
          "button",
          { type: "button" },
          make("b", { class: "num" }, `line ${mistake.line}`),
          make("span", {}, mistake.message, ...help),
        );
        button.addEventListener("click", () => this.#select(mistake));
        return make("li", {}, button);
      }),
    );
    this.#underline(wrong);
  }

  #select(mistake: Wrong): void {
    const lines = this.area.value.split("\n");
    const before = lines.slice(0, mistake.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    const start = before + mistake.column - 1;
    this.area.focus();
    this.area.setSelectionRange(start, start + mistake.length);
  }

  #underline(wrong: readonly Wrong[]): void {
    const lines = wrong.length === 0 ? [] : this.area.value.split("\n");
    const parts = lines.flatMap((line, at) => {
      const mistake = wrong.find((mistake) => mistake.line === at + 1);
      if (mistake === undefined) return [`${line}\n`];
      const start = Math.min(line.length, mistake.column - 1);
      const end = Math.max(start + 1, start + mistake.length);
      return [line.slice(0, start), make("u", {}, line.slice(start, end) || " "), `${line.slice(end)}\n`];
    });
    this.#under.replaceChildren(...parts);
    this.#scroll();
  }

  #scroll(): void {
    this.#under.scrollTop = this.area.scrollTop;
    this.#under.scrollLeft = this.area.scrollLeft;
  }
}
