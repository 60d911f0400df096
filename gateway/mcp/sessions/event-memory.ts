import { randomBytes } from "node:crypto";
import type { EventStore, JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";
import type { Clock } from "../../lib/clock.ts";
import type { EventBuffer, BufferedEvent } from "./event-buffer.ts";

/** Approximate overhead of an object besides its strings, and size of a number. */
const OBJECT_BYTES = 64;
const NUMBER_BYTES = 8;
/** Items of a list above which the first one is measured for all. Results have fewer pictures. */
const SHORT_LIST = 20;

/**
 * Estimates the bytes of memory of a message without serializing it, because pictures in it are megabytes. Constant
 * time for thousands of vectors.
 */
export function measureMessage(message: unknown): number {
  if (typeof message === "string") return message.length;
  if (typeof message !== "object" || message === null) return NUMBER_BYTES;
  if (Array.isArray(message) && message.length > SHORT_LIST) {
    return OBJECT_BYTES + message.length * measureMessage(message[0]);
  }
  let bytes = OBJECT_BYTES;
  for (const name in message) bytes += measureMessage((message as Record<string, unknown>)[name]);
  return bytes;
}

/** Fields of the id of an event in a stream. */
interface EventName {
  /** Random; another for each life of a session. */
  readonly life: string;
  /** 0 for the standing stream, the others in the order of their requests. */
  readonly stream: number;
  /** Position in the stream, from 1. */
  readonly sequence: number;
  /** Request of the stream, so that its response can be sent after a restart too; null for streams without one. */
  readonly request: RequestId | null;
}

/** Clients count their requests or name them by a UUID. Longer ones are left out: the id goes into a header. */
const MOST_REQUEST = 128;
const SHAPE = /^(?<life>[\w-]{12})\.(?<stream>\d{1,12})\.(?<sequence>\d{1,12})(?:\.(?<request>[\w-]{1,200}))?$/;

/** Encodes the name as one word for `Last-Event-ID`; without the request if that is too long. */
export function eventId({ life, stream, sequence, request }: EventName): string {
  const id = `${life}.${stream}.${sequence}`;
  const text = request === null ? null : JSON.stringify(request);
  if (text === null || Buffer.byteLength(text) > MOST_REQUEST) return id;
  return `${id}.${Buffer.from(text).toString("base64url")}`;
}

/** Null if it was not created by `eventId`. The id comes from a client, and only affects that client. */
export function readEventId(id: string): EventName | null {
  const { life, stream, sequence, request } = SHAPE.exec(id)?.groups ?? {};
  if (life === undefined) return null;
  return { life, stream: Number(stream), sequence: Number(sequence), request: parseRequestId(request) };
}

function parseRequestId(text: string | undefined): RequestId | null {
  if (text === undefined) return null;
  try {
    const request: unknown = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof request === "string" || typeof request === "number" ? request : null;
  } catch {
    return null;
  }
}

/** The transport's own name for the stream that a client opens by GET. */
const STANDING = "_GET_stream";
/** A client that lost its connection comes back within seconds, a laptop that slept for a moment within minutes. */
const KEPT_MS = 600_000;
/** Milliseconds to keep the end of a sent response; longer than clients wait before they reconnect. */
const HANDED_KEPT_MS = 30_000;
/** Max events of one session. A call with progress every quarter of a second has 240 per minute. */
const MOST_EVENTS = 1_000;
const MOST_BYTES = 8 * 1_024 * 1_024;
/** Max streams per session whose end is stored, so that a late reconnect gets the right response. */
const MOST_STREAMS = 1_000;
/** Sequence after every event that a stream can have. */
const BEYOND = 999_999_999_999;

/** State of a client that reconnects with a Last-Event-ID. */
export type Position =
  /** The id is unknown: not created here, or of the standing stream of an earlier life of the session. */
  | { readonly kind: "unknown" }
  /** The stream continues, or its missing events are stored. `request` is null for the standing stream. */
  | { readonly kind: "kept"; readonly request: RequestId | null }
  /** The stream has ended and the client has all of it. */
  | { readonly kind: "whole" }
  /**
   * The response to `request` is lost by a restart, or its client reconnected too late. `end` is the event id of the error
   * sent instead; a client that reconnects with it has the whole stream.
   */
  | { readonly kind: "lost"; readonly request: RequestId; readonly end: string };

interface Stream {
  /** 0 for the standing one. */
  readonly number: number;
  readonly request: RequestId | null;
  /** Sequence of the last event; 0 before the first. */
  last: number;
  /** Monotonic milliseconds of the response or the cancellation; null while there may be more. */
  overAt: number | null;
  answered: boolean;
  /** Whether the end of the response was sent to an open connection. */
  handed: boolean;
}

interface Event extends BufferedEvent {
  readonly stream: Stream;
  readonly sequence: number;
  readonly message: JSONRPCMessage;
  /** Monotonic milliseconds. */
  readonly at: number;
}

/** Events of one life of a session that its client may have missed. Messages are stored by reference, never copied. */
export class EventMemory implements EventStore {
  readonly #life = randomBytes(9).toString("base64url");
  readonly #buffer: EventBuffer;
  readonly #clock: Clock;
  readonly #requestNow: () => RequestId | null;
  /** Streams by the transport's names, oldest first. */
  readonly #streams = new Map<string, Stream>();
  /** Oldest first. */
  readonly #events = new Set<Event>();
  #bytes = 0;
  #numbers = 0;
  #listening = false;
  #unheard: string | null = null;
  #closed = false;

  /** @param requestNow the request in whose exchange `storeEvent` is called */
  constructor(buffer: EventBuffer, clock: Clock, requestNow: () => RequestId | null) {
    this.#buffer = buffer;
    this.#clock = clock;
    this.#requestNow = requestNow;
  }

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const stream = this.#streams.get(streamId) ?? this.#begin(streamId);
    if (stream.number === 0 && !this.#listening) this.#unheard ??= this.#formatId(stream, stream.last);
    stream.last += 1;
    // The first event of a stream may have no message: it gives the client an id to reconnect with, and is not
    // replayed.
    if ("jsonrpc" in message && !this.#closed) this.#keep(stream, message);
    return Promise.resolve(this.#formatId(stream, stream.last));
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#find(id)?.[0]);
  }

  /** @throws Error when the stream is unknown, which `findPosition` reports before */
  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const [streamId, stream] = this.#find(id) ?? [];
    if (streamId === undefined) throw new Error("no such event");
    const after = readEventId(id)?.sequence ?? 0;
    for (const event of this.#events) {
      if (event.stream !== stream || event.sequence <= after) continue;
      await send(this.#formatId(event.stream, event.sequence), event.message);
    }
    return streamId;
  }

  findPosition(id: string): Position {
    const name = readEventId(id);
    if (name === null) return { kind: "unknown" };
    const stream = this.#find(id)?.[1];
    const end = eventId({ ...name, sequence: BEYOND, request: null });
    if (stream === undefined) {
      if (name.stream === 0) return { kind: "unknown" };
      return name.request === null ? { kind: "whole" } : { kind: "lost", request: name.request, end };
    }
    const { request, last, overAt, answered } = stream;
    if (overAt === null || request === null) return { kind: "kept", request };
    if (!answered || name.sequence >= last) return { kind: "whole" };
    for (const event of this.#events) {
      if (event.stream === stream && event.sequence === last) return { kind: "kept", request };
    }
    return { kind: "lost", request, end };
  }

  /**
   * Returns the id after which a standing stream starts if messages for it were written while none was open; null without
   * such messages. A client that received nothing on its last standing stream has no id of its own to reconnect with.
   */
  get unheard(): string | null {
    return this.#unheard;
  }

  /** A standing stream was opened, or the last one closed. */
  listening(open: boolean): void {
    this.#listening = open;
    if (open) this.#unheard = null;
  }

  /** Marks the request as responded to or cancelled: nothing comes after this. */
  over(request: RequestId, answered: boolean): void {
    for (const stream of this.#streams.values()) {
      if (stream.request !== request || stream.overAt !== null) continue;
      stream.overAt = this.#clock.monotonic();
      stream.answered = answered;
    }
  }

  /** The stream of the request was read to its end by a connection. */
  markRead(request: RequestId): void {
    for (const stream of this.#streams.values()) {
      if (stream.request === request && stream.overAt !== null) stream.handed = true;
    }
  }

  /** Drops expired events. Called periodically. */
  sweep(): void {
    const now = this.#clock.monotonic();
    for (const event of this.#events) {
      const { overAt, handed } = event.stream;
      const since = handed && overAt !== null ? overAt : event.at;
      if (now - since >= (handed ? HANDED_KEPT_MS : KEPT_MS)) event.forget();
    }
    for (const [streamId, { overAt }] of this.#streams) {
      if (overAt !== null && now - overAt >= KEPT_MS) this.#streams.delete(streamId);
    }
  }

  /** Drops everything; nothing is stored from now on. */
  close(): void {
    this.#closed = true;
    this.forgetAll();
  }

  forgetAll(): void {
    for (const event of this.#events) event.forget();
    this.#streams.clear();
    this.#unheard = null;
  }

  #begin(streamId: string): Stream {
    const standing = streamId === STANDING;
    const stream: Stream = {
      number: standing ? 0 : (this.#numbers += 1),
      request: standing ? null : this.#requestNow(),
      last: 0,
      overAt: null,
      answered: false,
      handed: false,
    };
    if (this.#streams.size >= MOST_STREAMS) this.#forgetOldestStream();
    this.#streams.set(streamId, stream);
    return stream;
  }

  #forgetOldestStream(): void {
    for (const [streamId, { overAt }] of this.#streams) {
      if (overAt === null) continue;
      this.#streams.delete(streamId);
      return;
    }
  }

  #keep(stream: Stream, message: JSONRPCMessage): void {
    const event: Event = {
      stream,
      sequence: stream.last,
      message,
      at: this.#clock.monotonic(),
      bytes: measureMessage(message),
      forget: () => {
        if (this.#events.delete(event)) this.#bytes -= event.bytes;
        this.#buffer.remove(event);
      },
    };
    this.#events.add(event);
    this.#bytes += event.bytes;
    for (const oldest of this.#events) {
      if (this.#events.size <= MOST_EVENTS && this.#bytes <= MOST_BYTES) break;
      oldest.forget();
    }
    if (this.#events.has(event)) this.#buffer.add(event);
  }

  #find(id: string): readonly [string, Stream] | undefined {
    const name = readEventId(id);
    if (name === null || name.life !== this.#life) return undefined;
    for (const entry of this.#streams) if (entry[1].number === name.stream) return entry;
    return undefined;
  }

  #formatId({ number, request }: Stream, sequence: number): string {
    return eventId({ life: this.#life, stream: number, sequence, request });
  }
}
