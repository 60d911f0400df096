import type { ServerResponse } from "node:http";
import type { Client, StreamWriter } from "../services/calls/client.ts";

/** The client of a Node response: its connection state, and a stream to it with back-pressure. */
export class HttpReply implements Client, StreamWriter {
  cancelled: boolean;
  readonly #response: ServerResponse;
  readonly #context: { respond?: boolean | undefined };
  #onGone: (() => void) | null = null;
  /** Whether each write is sent as a chunk with its length (RFC 9112, 7.1). */
  #chunked = false;
  /** Chunks of this turn of the event loop, and their total bytes. */
  #parts: (Buffer | string)[] = NONE;
  #size = 0;
  /** Bound once, because a stream is flushed many times. */
  readonly #flushed = (): void => this.#flush();
  /** Whether a writer waits for buffer space. */
  #full = false;
  #onDrain: (() => void) | null = null;

  /** @param context its response is left alone by Koa once this one has opened it */
  constructor(response: ServerResponse, context: { respond?: boolean | undefined } = {}) {
    this.#response = response;
    this.#context = context;
    // It may have left while its body was unpacked: then `close` has been and will not come again.
    this.cancelled = response.destroyed;
    response.on("close", () => {
      if (response.writableFinished) return;
      this.cancelled = true;
      this.#onGone?.();
    });
  }

  onCancelled(listener: (() => void) | null): void {
    this.#onGone = listener;
    if (this.cancelled) listener?.();
  }

  keep(release: () => void): void {
    // `close` may have been.
    if (this.cancelled) release();
    else this.#response.once("close", release);
  }

  open(headers: Readonly<Record<string, string>>): void {
    this.#context.respond = false;
    if (this.cancelled) return;
    this.#response.writeHead(200, headers);
    // Node has chosen chunked encoding with the head. It writes each chunk in four pieces; here all chunks of one turn
    // are one write.
    this.#chunked = this.#response.chunkedEncoding;
    this.#response.chunkedEncoding = false;
  }

  write(bytes: Buffer | string): boolean {
    if (this.cancelled) return true;
    const size = typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;
    // An empty chunk would be the end.
    if (size > 0) {
      if (this.#size === 0) {
        process.nextTick(this.#flushed);
        // Usually there is one element; a list that is pushed to allocates space for sixteen.
        this.#parts = [bytes];
      } else this.#parts.push(bytes);
      this.#size += size;
    }
    const room = this.bufferedBytes < this.#response.writableHighWaterMark;
    if (!room) this.#full = true;
    return room;
  }

  #flush(): void {
    if (this.#size === 0 || this.cancelled) return;
    const drained = this.#response.write(this.#take(""));
    // A stream that was paused must be resumed.
    if (drained && this.#full) this.#onDrained();
  }

  #onDrained(): void {
    this.#full = false;
    this.#onDrain?.();
  }

  /** Returns the queued chunks in their wire format. @param end text after them */
  #take(end: string): Buffer {
    const head = this.#chunked && this.#size > 0 ? `${this.#size.toString(16)}\r\n` : "";
    const tail = head === "" ? end : `\r\n${end}`;
    const all = Buffer.allocUnsafe(head.length + this.#size + tail.length);
    let at = all.write(head, "latin1");
    for (const part of this.#parts) at += typeof part === "string" ? all.write(part, at) : part.copy(all, at);
    all.write(tail, at, "latin1");
    this.#parts = NONE;
    this.#size = 0;
    return all;
  }

  /** Bytes that the kernel has not taken yet. */
  get bufferedBytes(): number {
    return this.#response.writableLength + this.#size;
  }

  onDrain(listener: () => void): void {
    this.#onDrain = listener;
    this.#response.on("drain", () => this.#onDrained());
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.cancelled) return resolve();
      this.#response.once("close", resolve);
      this.#response.end(this.#take(this.#chunked ? LAST_CHUNK : ""), resolve);
    });
  }

  destroy(): void {
    this.#response.destroy();
  }
}

const LAST_CHUNK = "0\r\n\r\n";
/** Never modified. */
const NONE: (Buffer | string)[] = [];
