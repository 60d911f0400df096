import type { ServerResponse } from "node:http";

/** Counts API calls whose response is not completely sent. Pages and their event streams do not count. */
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
