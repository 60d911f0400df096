import type { ServerResponse } from "node:http";

/** Counts the calls of the API whose answer has not left whole. Pages and their streams of events are not counted. */
export class OpenResponses {
  #count = 0;

  get count(): number {
    return this.#count;
  }

  hold(response: ServerResponse): void {
    // The client disconnected earlier: `close` was already emitted.
    if (response.destroyed) return;
    this.#count += 1;
    response.on("close", () => {
      this.#count -= 1;
    });
  }
}
