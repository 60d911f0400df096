import { UpstreamFailure } from "./failure.ts";
import type { BodySink } from "./decode.ts";
import type { Exchange } from "./transfer.ts";

const NOBODY: BodySink = { onData() {}, onEnd() {}, onError() {} };

/** Body of a download. It is aborted once it exceeds the limit, and reported to its consumer exactly once. */
export class LimitedBody implements BodySink {
  readonly #exchange: Exchange;
  readonly #maxBytes: number;
  readonly #over: () => void;
  #sink: BodySink = NOBODY;
  #size = 0;
  #failure: UpstreamFailure | null = null;
  #ended = false;

  /** @param over called once when nothing more comes. */
  constructor(exchange: Exchange, maxBytes: number, over: () => void) {
    this.#exchange = exchange;
    this.#maxBytes = maxBytes;
    this.#over = over;
  }

  consume(sink: BodySink): void {
    this.#sink = sink;
    if (this.#failure === null) this.#exchange.consume(this);
    else sink.onError(this.#failure);
  }

  collect(): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      this.consume({
        onData: (chunk) => void chunks.push(chunk),
        onEnd: () => resolve(Buffer.concat(chunks)),
        onError: reject,
      });
    });
  }

  /** Ends the download with this failure. */
  stop(failure: UpstreamFailure): void {
    if (this.#ended) return;
    this.onError(failure);
    this.#exchange.abort();
  }

  onData(chunk: Buffer): void {
    if (this.#ended) return;
    this.#size += chunk.length;
    if (this.#size <= this.#maxBytes) return this.#sink.onData(chunk);
    this.stop(new UpstreamFailure("too_large", true, `the result is larger than ${this.#maxBytes} bytes`));
  }

  onEnd(): void {
    if (!this.#finish()) return;
    this.#sink.onEnd();
  }

  onError(failure: UpstreamFailure): void {
    if (!this.#finish()) return;
    this.#failure = failure;
    this.#sink.onError(failure);
  }

  #finish(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#over();
    return true;
  }
}
