// The deck as the page sees it: requests to the worker, as functions that return promises.
import type { Answer, Name, Questions } from "./messages";

export class DeckClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<
    number,
    { resolve: (value: unknown) => void; reject: (reason: Error) => void }
  >();
  #lastId = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener("message", (event: MessageEvent<Answer>) => {
      const answer = event.data;
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("problem" in answer) waiting?.reject(new Error(answer.problem));
      else waiting?.resolve(answer.result);
    });
    worker.addEventListener("error", (event) => {
      const problem = new Error(
        `The worker of the page did not start: ${event.message || "no reason given"}`,
      );
      for (const waiting of this.#waiting.values()) waiting.reject(problem);
      this.#waiting.clear();
    });
  }

  ask<N extends Name>(
    name: N,
    args: Questions[N]["args"],
    transfer: Transferable[] = [],
  ): Promise<Questions[N]["result"]> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.#worker.postMessage({ id, name, args }, transfer);
    });
  }
}
