import type { AuthInfo, McpServer, RequestId } from "@modelcontextprotocol/server";
import type { Clock } from "../lib/clock.ts";
import type { Position } from "./event-memory.ts";
import type { EventShelf } from "./event-shelf.ts";
import { lostAnswer, nothingMore } from "./session-answers.ts";
import type { SessionFacts } from "./session-id.ts";
import { requestIdOf, SessionTransport } from "./session-transport.ts";
import { watched } from "./watched-body.ts";

export interface SessionParts {
  readonly id: string;
  readonly keyId: string;
  readonly facts: SessionFacts;
  readonly server: McpServer;
  readonly shelf: EventShelf;
  readonly clock: Clock;
  /** Called when a standing stream was opened or closed. */
  readonly onStanding: () => void;
}

/** Said at the end of a standing stream when Postern stops: two attempts, so far apart that a restart fits in between. */
const COME_BACK = new TextEncoder().encode("retry: 5000\n\n");
/** Never leaves this machine: the transport wants an address and does not look at it. */
const NOWHERE = "http://127.0.0.1/mcp";

/** One session of the older revisions: a server, its transport, and what the client may have missed. */
export class Session {
  readonly id: string;
  readonly keyId: string;
  readonly server: McpServer;
  readonly #facts: SessionFacts;
  readonly #clock: Clock;
  readonly #transport: SessionTransport;
  readonly #onStanding: () => void;
  #ready: Promise<void> = Promise.resolve();
  #arriving = 0;
  #standing = 0;
  #stopping = false;
  #usedAt: number;

  constructor({ id, keyId, facts, server, shelf, clock, onStanding }: SessionParts) {
    this.id = id;
    this.keyId = keyId;
    this.server = server;
    this.#facts = facts;
    this.#clock = clock;
    this.#onStanding = onStanding;
    this.#usedAt = clock.monotonic();
    this.#transport = new SessionTransport(id, shelf, clock, () => this.#touch());
  }

  /** A request is being taken or runs: the session must stay. */
  get busy(): boolean {
    return this.#arriving > 0 || this.#transport.running;
  }

  /** A stream is open on which the client hears what is not part of an answer. */
  get standing(): boolean {
    return this.#standing > 0;
  }

  /** Monotonic milliseconds at which the last request came, or was answered. */
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

  /** Begins with what the id remembers of the client's `initialize`. Requests wait until that is done. */
  revive(authInfo: AuthInfo): Promise<void> {
    this.#ready = this.#use(() => this.#rehearse(authInfo));
    return this.#ready;
  }

  /** @param message parsed; undefined for GET */
  async handle(request: Request, message: unknown, authInfo: AuthInfo): Promise<Response> {
    return this.#use(async () => {
      await this.#ready;
      const last = request.method === "GET" ? request.headers.get("last-event-id") : null;
      if (last === null) return this.#exchange(request, message, authInfo);
      return this.#resume(request, last, authInfo);
    });
  }

  toolsChanged(): void {
    if (!this.standing) return;
    // A server without tools refuses to send it, and a client that has left needs not hear it.
    this.server.server.sendToolListChanged().catch(() => undefined);
  }

  /** Postern stops: clients are told to come back, and no later than they would by themselves. */
  endStanding(): void {
    this.#stopping = true;
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
    const { protocolVersion, capabilities, client } = this.#facts;
    await this.server.connect(this.#transport);
    const params = { protocolVersion, capabilities, clientInfo: client };
    const initialize = { jsonrpc: "2.0", id: "postern-revival", method: "initialize", params };
    const answer = await this.#transport.exchange(this.#made(), initialize, authInfo);
    // Read to its end: then the server knows its client.
    await answer.text();
    if (!answer.ok) throw new Error(`a session could not be revived: HTTP ${answer.status}`);
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
    const answer = await this.#transport.exchange(request, message, authInfo);
    if (request.method === "GET") return answer.ok ? this.#stand(answer) : answer;
    return this.#deliver(answer, requestIdOf(message));
  }

  /** A client comes back after its connection broke. */
  async #resume(request: Request, last: string, authInfo: AuthInfo): Promise<Response> {
    const position: Position = this.#transport.memory.positionOf(last);
    switch (position.kind) {
      case "unknown":
        // It missed what came on its standing stream and cannot have it any more. Refused, it would give up after two
        // attempts and hear nothing for the rest of its session: a new stream is worth more to it.
        return this.#exchange(withoutLastEvent(request), undefined, authInfo);
      case "whole":
        return nothingMore();
      case "lost":
        return lostAnswer(position.request, last.split(".").slice(0, 3).join("."));
      case "kept": {
        const answer = await this.#transport.exchange(request, undefined, authInfo);
        if (!answer.ok) return answer;
        return position.request === null ? this.#stand(answer) : this.#deliver(answer, position.request);
      }
    }
  }

  #deliver(answer: Response, request: RequestId | null): Response {
    return watched(answer, {
      onEnd: (whole) => {
        if (whole && request !== null) this.#transport.memory.handed(request);
      },
      farewell: () => null,
    });
  }

  #stand(answer: Response): Response {
    this.#standing += 1;
    this.#onStanding();
    return watched(answer, {
      onEnd: () => {
        this.#standing -= 1;
        this.#touch();
        this.#onStanding();
      },
      farewell: () => (this.#stopping ? COME_BACK : null),
    });
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

function withoutLastEvent(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.delete("last-event-id");
  return new Request(request, { headers });
}
