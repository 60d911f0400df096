import { subscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import { LARGE_BYTES, hold, releaseBuffer, freeAfterSending } from "../lib/body-memory.ts";

/** The body that the request has which undici is about to write; null for those that are not large. */
let beginning: SentBody | null = null;
let subscribed = false;

/**
 * A large body being sent to a provider. Its memory is released when the response has ended and the kernel has accepted
 * every byte: some providers respond before they have read everything, and unsent bytes must not change. After failures
 * it is left to the garbage collector.
 */
export class SentBody {
  readonly bytes: Buffer;
  #left: number;
  #socket: Pick<Socket, "writableLength"> | null = null;

  private constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#left = bytes.length;
    hold(bytes);
  }

  /** Null for small bodies, which are sent directly. */
  static of(body: Buffer | readonly Buffer[] | string | null): SentBody | null {
    if (body === null || Array.isArray(body) || body.length < LARGE_BYTES) return null;
    if (!subscribed) {
      subscribed = true;
      // Only this channel reveals a request's connection: https://undici.nodejs.org/#/docs/api/DiagnosticsChannel
      // (2026-11-24)
      subscribe("undici:client:sendHeaders", (message) => {
        if (beginning === null) return;
        beginning.#socket = (message as { readonly socket: Socket }).socket;
        beginning = null;
      });
    }
    return new SentBody(typeof body === "string" ? freeAfterSending(Buffer.from(body)) : (body as Buffer));
  }

  /** So much was handed to the connection. */
  noteHanded(bytes: number): void {
    this.#left -= bytes;
  }

  /** The response has ended. */
  onResponse(): void {
    if (this.#left === 0 && this.#socket?.writableLength === 0) releaseBuffer(this.bytes);
  }
}

/** Marks the start of a request; its connection is reported right after it. @param body null if it is not large */
export function begins(body: SentBody | null): void {
  beginning = body;
}
