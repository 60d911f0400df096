import type { ServerResponse } from "node:http";
import type { Client, StreamWriter } from "../services/calls/client.ts";

/** The client at the other end of a Node response: whether it is there, and a stream to it with back-pressure. */
export class HttpReply implements Client, StreamWriter {
  cancelled: boolean;
  readonly #response: ServerResponse;
  readonly #context: { respond?: boolean | undefined };
  #onGone: (() => void) | null = null;

  /** @param context whose response Koa leaves alone once this one has opened it. */
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
  }

  write(bytes: Buffer | string): boolean {
    if (this.cancelled) return true;
    return this.#response.write(bytes);
  }

  /** What the kernel has not taken yet. */
  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  onDrain(listener: () => void): void {
    this.#response.on("drain", listener);
  }

  end(): Promise<void> {
    return new Promise((resolve) => {
      if (this.cancelled) return resolve();
      this.#response.once("close", resolve);
      this.#response.end(resolve);
    });
  }

  destroy(): void {
    this.#response.destroy();
  }
}
