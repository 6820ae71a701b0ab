// Undo and redo without limit.

export class History {
  #texts: string[] = [""];
  #at = 0;
  #changes = 0;

  /** Another number after each change. */
  get changes(): number {
    return this.#changes;
  }

  get now(): string {
    return this.#texts[this.#at] ?? "";
  }

  get canUndo(): boolean {
    return this.#at > 0;
  }

  get canRedo(): boolean {
    return this.#at < this.#texts.length - 1;
  }

  has(text: string): boolean {
    return this.#texts.includes(text);
  }

  push(text: string): void {
    if (text === this.now) return;
    this.#texts.splice(this.#at + 1, Infinity, text);
    this.#at += 1;
    this.#changes += 1;
  }

  undo(): string {
    if (this.canUndo) this.#at -= 1;
    this.#changes += 1;
    return this.now;
  }

  redo(): string {
    if (this.canRedo) this.#at += 1;
    this.#changes += 1;
    return this.now;
  }

  toJSON(): { texts: string[]; at: number } {
    return { texts: this.#texts, at: this.#at };
  }

  /** Restores a history from the output of `toJSON`; anything else gives an empty one. */
  restore(kept: unknown): void {
    const { texts, at } = (kept ?? {}) as { texts?: unknown; at?: unknown };
    const isGood = Array.isArray(texts) && texts.length > 0 && texts.every((it) => typeof it === "string");
    this.#texts = isGood ? texts : [""];
    this.#changes += 1;
    this.#at = isGood && typeof at === "number" && at >= 0 && at < texts.length ? at : this.#texts.length - 1;
  }
}
