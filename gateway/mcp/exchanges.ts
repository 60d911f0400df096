import type { RingKey } from "../services/keys/key-ring.ts";
import { watched } from "./watched-body.ts";

/** Answers on their way that no session holds, so that they can be ended when their key may not be used any more. */
export class Exchanges {
  readonly #open = new Set<{ readonly key: RingKey; readonly end: AbortController }>();

  countOf(key: RingKey): number {
    let count = 0;
    for (const exchange of this.#open) if (exchange.key === key) count += 1;
    return count;
  }

  /**
   * Answers a request.
   * @param serve is given the request with a signal that aborts when the client leaves and when the exchange is ended.
   */
  async run(request: Request, key: RingKey, serve: (request: Request) => Promise<Response>): Promise<Response> {
    const exchange = { key, end: new AbortController() };
    const over = (): void => void this.#open.delete(exchange);
    this.#open.add(exchange);
    try {
      const signal = AbortSignal.any([request.signal, exchange.end.signal]);
      const response = await serve(new Request(request, { signal }));
      if (response.body === null) over();
      return watched(response, { onEnd: over, farewell: () => null });
    } catch (error) {
      over();
      throw error;
    }
  }

  /** What runs is cancelled, and streams end. */
  endKeys(gone: (key: RingKey) => boolean): void {
    for (const { key, end } of this.#open) if (gone(key)) end.abort();
  }
}
