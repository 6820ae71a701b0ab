// A value that reports its changes. The parts of the page share such values and do not know each other.

export class Signal<T> {
  #value: T;
  readonly #listeners: ((value: T, before: T) => void)[] = [];

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set value(value: T) {
    const before = this.#value;
    if (Object.is(value, before)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener(value, before);
  }

  /** Calls back at every change, and once at once. */
  watch(listener: (value: T, before: T) => void): void {
    this.#listeners.push(listener);
    listener(this.#value, this.#value);
  }
}
