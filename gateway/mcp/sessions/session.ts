import type { AuthInfo, McpServer, RequestId } from "@modelcontextprotocol/server";
import type { Clock } from "../../lib/clock.ts";
import type { Position } from "./event-memory.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { lostResponse, nothingMore, stopping } from "./session-responses.ts";
import type { SessionFacts } from "./session-id.ts";
import { readRequestId, SessionTransport } from "./session-transport.ts";
import { watchBody } from "../watched-body.ts";

export interface SessionParts {
  readonly id: string;
  readonly keyId: string;
  readonly facts: SessionFacts;
  readonly server: McpServer;
  readonly buffer: EventBuffer;
  readonly clock: Clock;
  /** Whether Postern stops: then no standing stream is opened. */
  readonly stopping: () => boolean;
  /** Called when a standing stream was opened or closed. */
  readonly onStanding: () => void;
}

/** Sent at the end of a standing stream when Postern stops: two attempts, far enough apart for a restart in between. */
const COME_BACK = new TextEncoder().encode("retry: 5000\n\n");
/** Never used: the transport requires a URL and ignores it. */
const NOWHERE = "http://127.0.0.1/mcp";

/** A session of the older revisions: a server, its transport, and the events that the client may have missed. */
export class Session {
  readonly id: string;
  readonly keyId: string;
  readonly server: McpServer;
  readonly #facts: SessionFacts;
  readonly #clock: Clock;
  readonly #transport: SessionTransport;
  readonly #stopping: () => boolean;
  readonly #onStanding: () => void;
  #ready: Promise<void> = Promise.resolve();
  #arriving = 0;
  #standing = 0;
  #usedAt: number;

  constructor({ id, keyId, facts, server, buffer, clock, stopping, onStanding }: SessionParts) {
    this.id = id;
    this.keyId = keyId;
    this.server = server;
    this.#facts = facts;
    this.#clock = clock;
    this.#stopping = stopping;
    this.#onStanding = onStanding;
    this.#usedAt = clock.monotonic();
    this.#transport = new SessionTransport(id, buffer, clock, () => this.#touch());
  }

  /** A request is being taken or runs: the session must stay. */
  get busy(): boolean {
    return this.#arriving > 0 || this.#transport.running;
  }

  /** Whether a stream is open for messages outside of responses. */
  get standing(): boolean {
    return this.#standing > 0;
  }

  /** Monotonic milliseconds of the last request or response. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** Begins with the client's own `initialize`. */
  async begin(request: Request, message: unknown, authInfo: AuthInfo): Promise<Response> {
    return this.#use(async () => {
      this.#ready = this.server.connect(this.#transport);
      await this.#ready;
      return this.#exchange(request, message, authInfo);
    });
  }

  /** Restores the session from the facts of the client's `initialize`. Requests wait until that is done. */
  revive(authInfo: AuthInfo): Promise<void> {
    this.#ready = this.#use(() => this.#rehearse(authInfo));
    return this.#ready;
  }

  /** @param message parsed; undefined for GET */
  async handle(request: Request, message: unknown, authInfo: AuthInfo): Promise<Response> {
    return this.#use(async () => {
      await this.#ready;
      if (request.method !== "GET") return this.#exchange(request, message, authInfo);
      const last = request.headers.get("last-event-id");
      return last === null ? this.#listen(request, authInfo) : this.#resume(request, last, authInfo);
    });
  }

  toolsChanged(): void {
    if (!this.standing) return;
    // A server without tools refuses to send it, and a disconnected client does not need it.
    this.server.server.sendToolListChanged().catch(() => undefined);
  }

  /** Closes the standing stream when Postern stops; clients are notified when to reconnect. */
  endStanding(): void {
    this.#transport.closeStandaloneSSEStream();
  }

  sweep(): void {
    this.#transport.memory.sweep();
  }

  async close(): Promise<void> {
    this.#transport.memory.close();
    await this.#transport.close();
  }

  async #rehearse(authInfo: AuthInfo): Promise<void> {
    await this.server.connect(this.#transport);
    // No tool sends requests to its client, so client capabilities do not matter.
    const clientInfo = { name: "revived", version: "1" };
    const params = { protocolVersion: this.#facts.protocolVersion, capabilities: {}, clientInfo };
    const initialize = { jsonrpc: "2.0", id: "postern-revival", method: "initialize", params };
    const response = await this.#transport.exchange(this.#made(), initialize, authInfo);
    // Read completely, after which the server has the client's facts.
    await response.text();
    if (!response.ok) throw new Error(`a session could not be revived: HTTP ${response.status}`);
    await this.#transport.exchange(this.#made(), { jsonrpc: "2.0", method: "notifications/initialized" }, authInfo);
    this.#transport.memory.forgetAll();
  }

  #made(): Request {
    return new Request(NOWHERE, {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-session-id": this.id,
      },
    });
  }

  async #exchange(request: Request, message: unknown, authInfo: AuthInfo): Promise<Response> {
    const response = await this.#transport.exchange(request, message, authInfo);
    return this.#deliver(response, readRequestId(message));
  }

  async #listen(request: Request, authInfo: AuthInfo): Promise<Response> {
    // It would delay the stop. A call whose response is pending may be read to its end.
    if (this.#stopping()) return stopping();
    // A client that reconnects has lost its stream, which may appear open here for minutes.
    this.#transport.closeStandaloneSSEStream();
    const after = this.#transport.memory.unheard;
    const response = await this.#transport.exchange(lastEvent(request, after), undefined, authInfo);
    return response.ok ? this.#stand(response) : response;
  }

  /** A client comes back after its connection broke. */
  async #resume(request: Request, last: string, authInfo: AuthInfo): Promise<Response> {
    const position: Position = this.#transport.memory.findPosition(last);
    switch (position.kind) {
      case "unknown":
        // It missed unrecoverable messages of its standing stream. After an error it would give up after two attempts
        // and receive nothing more in this session, so it gets a new stream.
        return this.#listen(request, authInfo);
      case "whole":
        return nothingMore();
      case "lost":
        return lostResponse(position.request, position.end);
      case "kept": {
        if (position.request === null) this.#transport.closeStandaloneSSEStream();
        else this.#transport.closeSSEStream(position.request);
        const response = await this.#transport.exchange(request, undefined, authInfo);
        if (!response.ok) return response;
        return position.request === null ? this.#stand(response) : this.#deliver(response, position.request);
      }
    }
  }

  #deliver(response: Response, request: RequestId | null): Response {
    return watchBody(response, {
      onEnd: (whole) => {
        if (whole && request !== null) this.#transport.memory.markRead(request);
      },
      farewell: () => null,
    });
  }

  #stand(response: Response): Response {
    this.#stood(1);
    return watchBody(response, {
      onEnd: () => {
        this.#touch();
        this.#stood(-1);
      },
      farewell: () => (this.#stopping() ? COME_BACK : null),
    });
  }

  #stood(more: number): void {
    this.#standing += more;
    this.#transport.memory.listening(this.standing);
    this.#onStanding();
  }

  async #use<T>(work: () => Promise<T>): Promise<T> {
    this.#arriving += 1;
    this.#touch();
    try {
      return await work();
    } finally {
      this.#arriving -= 1;
      this.#touch();
    }
  }

  #touch(): void {
    this.#usedAt = this.#clock.monotonic();
  }
}

/** @param id null for none, regardless of the request */
function lastEvent(request: Request, id: string | null): Request {
  const headers = new Headers(request.headers);
  if (id === null) headers.delete("last-event-id");
  else headers.set("last-event-id", id);
  return new Request(request, { headers });
}
