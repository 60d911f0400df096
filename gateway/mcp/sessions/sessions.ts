import {
  isInitializeRequest,
  LATEST_PROTOCOL_VERSION,
  readRequestBody,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import type { AuthInfo, InitializeRequest, McpServer } from "@modelcontextprotocol/server";
import { BoundedMap } from "../../lib/bounded-map.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Later } from "../../lib/later.ts";
import { isRecord } from "../../lib/records.ts";
import { EventBuffer } from "./event-buffer.ts";
import {
  badInitialize,
  notAllowed,
  notFound,
  notJson,
  oneMessage,
  sessionMissing,
  stopping,
  tooMany,
} from "./session-responses.ts";
import { SessionIds } from "./session-id.ts";
import type { SessionFacts } from "./session-id.ts";
import { readRequestId } from "./session-transport.ts";
import { Session } from "./session.ts";

export interface SessionCaller {
  readonly keyId: string;
  /** Handed through to tools. */
  readonly authInfo: AuthInfo;
}

export interface SessionsDeps {
  readonly clock: Clock;
  readonly later: Later;
  /** 32 bytes for a key, the same after a restart: the ids of its sessions are signed with them. */
  readonly secretOf: (keyId: string) => Buffer;
  readonly makeServer: (authInfo: AuthInfo) => McpServer;
  /** Called when `count` or `standing` has changed. */
  readonly onChange?: () => void;
}

/** Max sessions in memory. Some kilobytes each; a person with many windows and agents has some dozens. */
const MOST_SESSIONS = 1_000;
/** Max sessions per key in memory, so that a client that starts one per call leaves room for others. */
const MOST_OF_KEY = 100;
/** Milliseconds of disuse after which a session without a stream leaves memory. Its next request restores it. */
const IDLE_MS = 1_800_000;
const SWEEP_MS = 15_000;
/** Lifetime from `initialize`. After that, a session that is not in memory is gone for good. */
const REVIVED_FOR_MS = 30 * 86_400_000;
/**
 * Max ended session ids that are remembered. A forgotten one could only be reused by its own client, which is harmless.
 */
const MOST_ENDED = 10_000;

/**
 * Transport of the revisions with sessions (2025-03-26 to 2025-11-25). A session that is not in memory, after a restart
 * or eviction, is recreated when its client uses it: most clients do not start another after losing one.
 */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #ids: SessionIds;
  readonly #buffer = new EventBuffer();
  readonly #sessions = new Map<string, Session>();
  /** How many of them each key has. */
  readonly #ofKey = new Map<string, number>();
  readonly #ended = new BoundedMap<string, true>(MOST_ENDED);
  #cancelSweep: (() => void) | null = null;
  #stopping = false;
  #closed = false;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#ids = new SessionIds(deps.secretOf);
  }

  /** In memory. */
  get count(): number {
    return this.#sessions.size;
  }

  /** Number of sessions with a stream that receives changes. */
  get standing(): number {
    let standing = 0;
    for (const session of this.#sessions.values()) if (session.standing) standing += 1;
    return standing;
  }

  /**
   * Handles POST, GET and DELETE.
   * @param parsedBody parsed body of a POST; undefined if not yet read
   */
  async handle(request: Request, caller: SessionCaller, parsedBody?: unknown): Promise<Response> {
    if (this.#closed) return stopping();
    const { method } = request;
    if (method === "GET" || method === "DELETE") return this.#withSession(request, caller, undefined);
    if (method !== "POST") return notAllowed();
    const message = parsedBody === undefined ? await readJson(request) : parsedBody;
    if (message === undefined) return notJson();
    if (Array.isArray(message)) return oneMessage();
    if (!isRecord(message) || message["method"] !== "initialize") return this.#withSession(request, caller, message);
    return isInitializeRequest(message) ? this.#begin(request, caller, message) : badInitialize(readRequestId(message));
  }

  /** Tells clients that listen that the list of tools is another one. */
  toolsChanged(): void {
    for (const session of this.#sessions.values()) session.toolsChanged();
  }

  /** Keys are revoked or disabled: what runs in their sessions is cancelled. */
  endKeys(gone: (keyId: string) => boolean): void {
    for (const session of this.#sessions.values()) if (gone(session.keyId)) this.#drop(session);
  }

  /** Closes the streams on which no client waits for a response, and opens no new ones, because Postern stops. */
  endStanding(): void {
    this.#stopping = true;
    for (const session of this.#sessions.values()) session.endStanding();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelSweep?.();
    this.#cancelSweep = null;
    const open = [...this.#sessions.values()];
    this.#sessions.clear();
    this.#ofKey.clear();
    await Promise.all(open.map((session) => session.close()));
  }

  async #begin(request: Request, caller: SessionCaller, message: InitializeRequest): Promise<Response> {
    if (this.#stopping) return stopping();
    const { protocolVersion } = message.params;
    const facts: SessionFacts = {
      issuedAt: this.#deps.clock.now(),
      // Version that the server will agree to.
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion)
        ? protocolVersion
        : LATEST_PROTOCOL_VERSION,
    };
    // Always a new id, regardless of the request's.
    const session = this.#add(this.#ids.mint(caller.keyId, facts), facts, caller);
    if (session === null) return tooMany();
    const response = await this.#orDrop(session, session.begin(request, message, caller.authInfo));
    if (!response.ok) this.#drop(session);
    return response;
  }

  async #withSession(request: Request, caller: SessionCaller, message: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null || id === "") return sessionMissing();
    const inMemory = this.#sessions.get(id);
    const facts = inMemory === undefined ? this.#revivable(id, caller.keyId) : null;
    const theirs = inMemory === undefined ? facts !== null : inMemory.keyId === caller.keyId;
    if (!theirs) return notFound();
    if (request.method === "DELETE") {
      this.#ended.set(id, true);
      if (inMemory !== undefined) this.#drop(inMemory);
      return new Response(null, { status: 200 });
    }
    const session = inMemory ?? (facts === null ? null : this.#revive(id, facts, caller));
    return session === null ? tooMany() : session.handle(request, message, caller.authInfo);
  }

  /** Returns the facts of a session that is not in memory; null if there is no such session. */
  #revivable(id: string, keyId: string): SessionFacts | null {
    if (this.#ended.get(id) === true) return null;
    const facts = this.#ids.read(keyId, id);
    return facts === null || this.#deps.clock.now() - facts.issuedAt > REVIVED_FOR_MS ? null : facts;
  }

  /** Requests that come meanwhile find the session in memory and wait with this one. */
  #revive(id: string, facts: SessionFacts, caller: SessionCaller): Session | null {
    const session = this.#add(id, facts, caller);
    if (session !== null) this.#orDrop(session, session.revive(caller.authInfo)).catch(() => undefined);
    return session;
  }

  /** Null without room: every evictable session is busy. */
  #add(id: string, facts: SessionFacts, { keyId, authInfo }: SessionCaller): Session | null {
    if ((this.#ofKey.get(keyId) ?? 0) >= MOST_OF_KEY) {
      if (!this.#makeRoom((session) => session.keyId === keyId)) return null;
    } else if (this.count >= MOST_SESSIONS && !this.#makeRoom(() => true)) return null;
    const { clock, makeServer, onChange } = this.#deps;
    const server = makeServer(authInfo);
    const session = new Session({
      id,
      keyId,
      facts,
      server,
      buffer: this.#buffer,
      clock,
      stopping: () => this.#stopping,
      onStanding: () => onChange?.(),
    });
    this.#sessions.set(id, session);
    this.#ofKey.set(keyId, (this.#ofKey.get(keyId) ?? 0) + 1);
    if (this.#cancelSweep === null) this.#sweepLater();
    onChange?.();
    return session;
  }

  /** Evicts an idle session: listening ones last, else the longest unused. False if there is no such session. */
  #makeRoom(among: (session: Session) => boolean): boolean {
    let first: Session | null = null;
    for (const session of this.#sessions.values()) {
      if (!among(session) || session.busy) continue;
      if (first === null || leavesBefore(session, first)) first = session;
    }
    if (first !== null) this.#drop(first);
    return first !== null;
  }

  #drop(session: Session): void {
    if (this.#sessions.get(session.id) === session) {
      this.#sessions.delete(session.id);
      const rest = (this.#ofKey.get(session.keyId) ?? 1) - 1;
      if (rest > 0) this.#ofKey.set(session.keyId, rest);
      else this.#ofKey.delete(session.keyId);
      this.#deps.onChange?.();
    }
    session.close().catch(() => undefined);
  }

  async #orDrop<T>(session: Session, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.#drop(session);
      throw error;
    }
  }

  #sweepLater(): void {
    this.#cancelSweep = this.#deps.later(SWEEP_MS, () => {
      this.#cancelSweep = null;
      this.#sweep();
      if (this.#sessions.size > 0) this.#sweepLater();
    });
  }

  #sweep(): void {
    const now = this.#deps.clock.monotonic();
    for (const session of this.#sessions.values()) {
      session.sweep();
      if (!session.busy && !session.standing && now - session.usedAt >= IDLE_MS) this.#drop(session);
    }
  }
}

/** A client with a stream would reconnect immediately and evict the next: it leaves after those without. */
function leavesBefore(one: Session, other: Session): boolean {
  return one.standing === other.standing ? one.usedAt < other.usedAt : other.standing;
}

/** Undefined if the body is too large or not JSON. */
async function readJson(request: Request): Promise<unknown> {
  const body = await readRequestBody(request);
  if (body.tooLarge) return undefined;
  try {
    return JSON.parse(body.text) as unknown;
  } catch {
    return undefined;
  }
}
