import { AsyncLocalStorage } from "node:async_hooks";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { AuthInfo, JSONRPCMessage, RequestId, TransportSendOptions } from "@modelcontextprotocol/server";
import type { Clock } from "../../lib/clock.ts";
import { isRecord } from "../../lib/records.ts";
import { EventMemory } from "./event-memory.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { sameId } from "./session-responses.ts";

/** Clients come back after this long when a stream broke: their own first delay, and what a stop made longer. */
const RETRY_MS = 1_000;

/**
 * Request whose messages are being written. The SDK names streams by random ids when it stores their first event,
 * without the request they belong to.
 */
const exchanges = new AsyncLocalStorage<RequestId | null>();

/** Adds running requests and replay of missed events to the SDK's transport. */
export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly memory: EventMemory;
  readonly #running = new Set<RequestId>();
  readonly #onRest: () => void;

  /** @param onRest called when a request was responded to or cancelled */
  constructor(sessionId: string, buffer: EventBuffer, clock: Clock, onRest: () => void) {
    const memory = new EventMemory(buffer, clock, () => exchanges.getStore() ?? null);
    super({ sessionIdGenerator: () => sessionId, eventStore: memory, retryInterval: RETRY_MS });
    this.memory = memory;
    this.#onRest = onRest;
    // The server chains its own listener to this one when it connects. The transport is not an EventTarget.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    this.onmessage = (message) => this.#hear(message);
  }

  get running(): boolean {
    return this.#running.size > 0;
  }

  /** Handles a parsed message like `handleRequest`; undefined for requests without one. */
  async exchange(request: Request, message: unknown, authInfo: AuthInfo): Promise<Response> {
    const id = readRequestId(message);
    // The SDK would send the first one's response to the second, leave the first without any, and run both.
    if (id !== null && this.#running.has(id)) return sameId(id);
    if (id !== null) this.#running.add(id);
    const options = { authInfo, ...(message === undefined ? {} : { parsedBody: message }) };
    const response = await exchanges.run(id, () => this.handleRequest(request, options));
    if (id !== null && !response.ok) this.#rest(id);
    return response;
  }

  override async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const answered = "method" in message ? null : (message.id ?? null);
    const related = options?.relatedRequestId;
    const request = answered ?? related ?? null;
    if (answered !== null) this.memory.over(answered, true);
    try {
      await exchanges.run(request, () =>
        super.send(message, related === undefined ? {} : { relatedRequestId: related }),
      );
    } finally {
      if (answered !== null) this.#rest(answered);
    }
  }

  #hear(message: JSONRPCMessage): void {
    if (!("method" in message) || "id" in message || message.method !== "notifications/cancelled") return;
    const request = message.params?.["requestId"] as RequestId | undefined;
    if (request === undefined || !this.#running.has(request)) return;
    // A cancelled request gets no response, so the SDK would keep its stream open for good.
    this.memory.over(request, false);
    this.closeSSEStream(request);
    this.#rest(request);
  }

  #rest(request: RequestId): void {
    if (this.#running.delete(request)) this.#onRest();
  }
}

/** The id of a JSON-RPC request; null for other messages. */
export function readRequestId(message: unknown): RequestId | null {
  if (!isRecord(message) || typeof message["method"] !== "string") return null;
  const id = message["id"];
  return typeof id === "string" || typeof id === "number" ? id : null;
}
