// The deck as the page sees it: requests to the worker, as functions that return promises.
import type { Answer, Name, Questions } from "./messages";

export class DeckClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, { give: (value: unknown) => void; fail: (reason: Error) => void }>();
  #last = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener("message", (event: MessageEvent<Answer>) => {
      const answer = event.data;
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ("problem" in answer) waiting?.fail(new Error(answer.problem));
      else waiting?.give(answer.give);
    });
    worker.addEventListener("error", (event) => {
      const problem = new Error(
        `The worker of the page did not start: ${event.message || "no reason given"}`,
      );
      for (const waiting of this.#waiting.values()) waiting.fail(problem);
      this.#waiting.clear();
    });
  }

  ask<N extends Name>(
    name: N,
    take: Questions[N]["take"],
    transfer: Transferable[] = [],
  ): Promise<Questions[N]["give"]> {
    this.#last += 1;
    const id = this.#last;
    return new Promise((give, fail) => {
      this.#waiting.set(id, { give: give as (value: unknown) => void, fail });
      this.#worker.postMessage({ id, name, take }, transfer);
    });
  }
}
