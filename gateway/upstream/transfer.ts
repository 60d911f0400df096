import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { decodeStream, decodeWhole, encodingOf } from "./decode.ts";
import type { Unpacker } from "./decode.ts";
import { UpstreamFailure, toFailure } from "./failure.ts";

/** Takes a body as it arrives. Exactly one of `onEnd` and `onError` is called, last. */
export interface BodySink {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(failure: UpstreamFailure): void;
}

/** A vendor's answer whose head has arrived. Take its body once: `collect` or `consume`. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The whole body, decoded. Rejects with UpstreamFailure, `too_large` beyond `limit` bytes before or after decoding. */
  collect(limit: number): Promise<Buffer>;
  /** The body as it comes, decoded; chunks are the vendor's own where it is not compressed. */
  consume(sink: BodySink): void;
  /** Stops reading, so that the vendor is slowed down by TCP. */
  pause(): void;
  resume(): void;
  /** Ends the exchange at once and closes its connection. */
  abort(): void;
}

/**
 * One request through undici's dispatch interface. Not `request()` or `fetch()`: piping a body stream costs more than
 * everything else that a gateway does (performance reference 0.1), and an aborted one can crash the process.
 */
export class Transfer implements Dispatcher.DispatchHandler, Exchange {
  status = 0;
  headers: IncomingHttpHeaders = {};
  readonly #onHead: (exchange: Exchange) => void;
  readonly #onFailure: (failure: UpstreamFailure) => void;
  #controller: Dispatcher.DispatchController | null = null;
  #sink: BodySink | null = null;
  #unpacker: Unpacker | null = null;
  /** What arrived before a sink was there. */
  #early: Buffer[] = [];
  #ended = false;
  #failure: UpstreamFailure | null = null;
  #aborted = false;

  constructor(onHead: (exchange: Exchange) => void, onFailure: (failure: UpstreamFailure) => void) {
    this.#onHead = onHead;
    this.#onFailure = onFailure;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#aborted) controller.abort(new UpstreamFailure("aborted", true, "aborted"));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 1xx answers announce; the real one follows.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.#onHead(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#sink === null) this.#early.push(chunk);
    else this.#sink.onData(chunk);
  }

  onResponseEnd(): void {
    this.#ended = true;
    this.#sink?.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    const failure = this.#aborted
      ? new UpstreamFailure("aborted", this.#controller !== null, "the call was ended by Postern")
      : toFailure(error, this.#controller !== null);
    this.#failure = failure;
    if (this.status === 0) this.#onFailure(failure);
    else this.#sink?.onError(failure);
  }

  abort(): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#unpacker?.stop();
    if (this.#ended) return;
    // Still waiting for a connection: nobody else will say that it is over.
    if (this.#controller === null)
      this.#onFailure(new UpstreamFailure("aborted", false, "the call was ended by Postern"));
    else this.#controller.abort(new UpstreamFailure("aborted", true, "aborted"));
  }

  pause(): void {
    if (this.#unpacker === null) this.#controller?.pause();
    else this.#unpacker.pause();
  }

  resume(): void {
    if (this.#unpacker === null) this.#controller?.resume();
    else this.#unpacker.resume();
  }

  consume(sink: BodySink): void {
    const encoding = encodingOf(this.headers);
    if (encoding === "identity") {
      this.#attach(sink);
      return;
    }
    this.#unpacker = decodeStream(encoding, sink, {
      pause: () => this.#controller?.pause(),
      resume: () => this.#controller?.resume(),
      abort: () => this.abort(),
    });
    this.#attach(this.#unpacker);
  }

  collect(limit: number): Promise<Buffer> {
    const encoding = encodingOf(this.headers);
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      this.#attach({
        onData: (chunk) => {
          size += chunk.length;
          if (size > limit) {
            reject(new UpstreamFailure("too_large", true, `the vendor's answer is larger than ${limit} bytes`));
            this.abort();
          } else {
            chunks.push(chunk);
          }
        },
        onEnd: () => {
          const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
          if (encoding === "identity") resolve(body);
          else decodeWhole(encoding, body, limit).then(resolve, reject);
        },
        onError: reject,
      });
    });
  }

  #attach(sink: BodySink): void {
    this.#sink = sink;
    const early = this.#early;
    this.#early = [];
    for (const chunk of early) sink.onData(chunk);
    if (this.#failure !== null) sink.onError(this.#failure);
    else if (this.#ended) sink.onEnd();
  }
}
