import { GatewayError } from "../../core/errors.ts";
import { toGatewayError } from "../../core/attempts/provider-error.ts";
import type { Clock } from "../../lib/clock.ts";
import { Rounds } from "../../lib/rounds.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { FrameCutter } from "../../upstream/frames.ts";
import type { Leave } from "../../upstream/response-room.ts";
import { SMALL_BYTES } from "../../upstream/transfer.ts";
import type { BodySink } from "../../upstream/decode.ts";
import type { Exchange } from "../../upstream/transfer.ts";
import type { Opened } from "./attempts.ts";
import type { StreamWriter } from "./client.ts";
import { failureError } from "./failure-error.ts";
import type { Reading, StreamReader } from "./stream-reader.ts";
import { inBandError } from "./whole-response.ts";

/** A running stream, as seen by the watch. Times are monotonic milliseconds. */
export interface WatchedStream {
  /** When the client was last sent something. */
  readonly lastWrite: number;
  /** Time since which the client reads too slowly; null while it keeps up. */
  readonly stalledSince: number | null;
  /** Sends a comment line, so that no one in between thinks that the connection is dead. */
  beat(now: number): void;
  /** The client does not read: give it up. */
  giveUp(): void;
  /** Why the stream may not go on (its key was revoked, …), or null. */
  objection(): GatewayError | null;
  /** Ends the stream with an in-band error. */
  stop(error: GatewayError): void;
}

const SWEEP_MS = 500;
/** docs/specification.md#chat: "a comment line every 15 s of silence". */
const SILENCE_MS = 15_000;
const STALLED_MS = 120_000;

/** All open streams: heartbeats, stalled readers, keys that were revoked meanwhile. */
export class StreamWatch {
  readonly #streams = new Rounds<WatchedStream>(SWEEP_MS, (stream) => this.#look(stream));
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns its place, for `delete` */
  add(stream: WatchedStream): number {
    return this.#streams.add(stream);
  }

  delete(place: number, stream: WatchedStream): void {
    this.#streams.remove(place, stream);
  }

  /** Ends every stream, because Postern stops. */
  stopAll(error: GatewayError): void {
    for (const stream of this.#streams) stream.stop(error);
  }

  /** Checks all streams once. Public so that tests need not wait. */
  sweep(): void {
    this.#streams.run();
  }

  #look(stream: WatchedStream): void {
    const now = this.#clock.monotonic();
    const objection = stream.objection();
    if (objection !== null) stream.stop(objection);
    else if (stream.stalledSince !== null && now - stream.stalledSince > STALLED_MS) stream.giveUp();
    else if (stream.stalledSince === null && now - stream.lastWrite > SILENCE_MS) stream.beat(now);
  }
}

/**
 * The head of a streamed response. It is sent with the first event, so that an earlier failure has its own status; if
 * the provider stays silent (a local model that is loading), it is sent with the first heartbeat. From then on failures
 * are reported in-band; failover continues, because nothing of a response was sent.
 */
export class StreamHead implements WatchedStream {
  sent = false;
  lastWrite: number;
  readonly stalledSince = null;
  readonly #writer: StreamWriter;
  readonly #heartbeat: string;

  constructor(writer: StreamWriter, clock: Clock, heartbeat: string) {
    this.#writer = writer;
    this.#heartbeat = heartbeat;
    this.lastWrite = clock.monotonic();
  }

  /** Sends status 200 and `headers`, unless that was done. */
  send(headers: Readonly<Record<string, string>>): void {
    if (this.sent) return;
    this.sent = true;
    this.#writer.open({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
      ...headers,
    });
  }

  beat(now: number): void {
    this.lastWrite = now;
    this.send({});
    this.#writer.write(this.#heartbeat);
  }

  /** Nothing is under way that could be given up or stopped: the attempts end by themselves. */
  giveUp(): void {}
  stop(): void {}
  objection(): GatewayError | null {
    return null;
  }
}

/** How a stream began: with something to pass on, or with a reason not to. */
export type Beginning =
  | { readonly kind: "flowing" }
  | { readonly kind: "error"; readonly body: unknown }
  | { readonly kind: "malformed"; readonly why: string }
  | { readonly kind: "broken"; readonly failure: UpstreamFailure | null };

/** How a stream ended. `stopped`: by us, with the error that the client is to be shown. */
export type Ending =
  | { readonly kind: "complete" }
  | { readonly kind: "cancelled" }
  | { readonly kind: "error"; readonly body: unknown }
  | { readonly kind: "malformed"; readonly why: string }
  | { readonly kind: "broken"; readonly failure: UpstreamFailure | null }
  | { readonly kind: "stopped"; readonly error: GatewayError };

export interface StreamLimits {
  readonly clock: Clock;
  /** Sent in silence. */
  readonly heartbeat: string;
  readonly objection: () => GatewayError | null;
  /** Called when the number of delivered characters passes the last returned one; returns when to call again. */
  readonly cover: (characters: number) => number | GatewayError;
  /** Max bytes of memory of a stream with large events. */
  readonly largest: number;
}

/** How long a provider may keep the connection open after its end mark, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * Forwards a provider's stream to the client event by event, and observes it. It buffers at most one event; a slow
 * client slows the provider down by TCP backpressure.
 */
export class StreamRelay implements BodySink, WatchedStream {
  lastWrite = 0;
  stalledSince: number | null = null;
  readonly objection: () => GatewayError | null;
  readonly #exchange: Exchange;
  readonly #reader: StreamReader;
  readonly #limits: StreamLimits;
  readonly #cutter = new FrameCutter();
  #writer: StreamWriter | null = null;
  #unwritten: Buffer[] = [];
  #nextCover: number;
  #ending: Ending | null = null;
  #began: ((beginning: Beginning) => void) | null = null;
  #ended: ((ending: Ending) => void) | null = null;
  /** The provider's side has ended. */
  #over = false;
  #linger: NodeJS.Timeout | null = null;
  /** Place in the queue of large responses; nothing more is read while it waits. */
  #leave: Leave | null = null;
  #waiting = false;

  constructor(exchange: Exchange, reader: StreamReader, limits: StreamLimits) {
    this.#exchange = exchange;
    this.#reader = reader;
    this.#limits = limits;
    this.objection = limits.objection;
    const cover = limits.cover(0);
    this.#nextCover = typeof cover === "number" ? cover : Number.POSITIVE_INFINITY;
  }

  /** Starts reading. Resolves at the first event, or at the end. */
  begin(): Promise<Beginning> {
    return new Promise((resolve) => {
      // The client may leave before the first byte is read, and nothing comes after that.
      if (this.#ending !== null) return resolve({ kind: "flowing" });
      this.#began = resolve;
      this.#exchange.consume(this);
    });
  }

  /** Forwards everything to `writer`, whose head was sent. Resolves at the end; the caller writes the end mark. */
  flow(writer: StreamWriter): Promise<Ending> {
    this.#writer = writer;
    this.lastWrite = this.#limits.clock.monotonic();
    writer.onDrain(() => {
      this.stalledSince = null;
      if (!this.#waiting) this.#exchange.resume();
    });
    for (const bytes of this.#unwritten) this.#write(bytes);
    this.#unwritten = [];
    return new Promise((resolve) => {
      this.#ended = resolve;
      if (this.#ending !== null) resolve(this.#ending);
    });
  }

  onData(chunk: Buffer): void {
    // A provider that keeps sending after the end is disconnected; other connections stay reusable.
    if (this.#ending !== null) return this.#exchange.abort();
    let bytes: Buffer | null;
    try {
      bytes = this.#cutter.push(chunk);
    } catch {
      return this.#end({ kind: "malformed", why: "an event that is too large" });
    }
    if (this.#leave === null && Math.max(this.#cutter.size, bytes?.length ?? 0) > SMALL_BYTES) this.#reserve();
    if (bytes !== null) this.#take(this.#reader.read(bytes));
  }

  onEnd(): void {
    this.#over = true;
    if (this.#linger !== null) clearTimeout(this.#linger);
    // Some servers omit the blank line after their last event.
    const rest = this.#cutter.rest;
    if (this.#ending === null && rest !== null) {
      const reading = this.#reader.read(Buffer.concat([rest, BLANK]));
      // A partial event after a complete response is ignored.
      if (reading.kind !== "malformed" || !this.#reader.finished) this.#take(reading);
    }
    this.#end(this.#reader.finished ? { kind: "complete" } : { kind: "broken", failure: null });
  }

  onError(failure: UpstreamFailure): void {
    this.#over = true;
    if (this.#linger !== null) clearTimeout(this.#linger);
    this.#end(this.#reader.finished ? { kind: "complete" } : { kind: "broken", failure });
  }

  beat(now: number): void {
    this.lastWrite = now;
    this.#writer?.write(this.#limits.heartbeat);
  }

  /** Closes the connection, after which the recipient says whether the call is cancelled. */
  giveUp(): void {
    this.#writer?.destroy();
  }

  /** Aborts the provider's request immediately when the client disconnects. */
  onCancelled(): void {
    this.#end({ kind: "cancelled" });
    this.#exchange.abort();
  }

  stop(error: GatewayError): void {
    this.#end({ kind: "stopped", error });
    this.#exchange.abort();
  }

  #take(reading: Reading): void {
    // Comments do not start a response: until the first event an error can still have its own status.
    if (this.#began !== null && this.#reader.started) this.#resolveBeginning({ kind: "flowing" });
    if (reading.bytes !== null) this.#write(reading.bytes);
    if (reading.kind === "error") this.#end({ kind: "error", body: reading.body });
    else if (reading.kind === "malformed") this.#end({ kind: "malformed", why: reading.why });
    else if (reading.done) this.#done();
    else if (this.#reader.delivered.characters > this.#nextCover) this.#cover();
    if (reading.kind !== "frames") this.#exchange.abort();
  }

  /** Handles the end mark. The provider should close right after it; a stream that never ends would keep its connection. */
  #done(): void {
    this.#end(this.#reader.started ? { kind: "complete" } : { kind: "broken", failure: null });
    if (!this.#over) this.#linger = setTimeout(() => this.#exchange.abort(), LINGER_MS).unref();
  }

  #cover(): void {
    const next = this.#limits.cover(this.#reader.delivered.characters);
    if (typeof next === "number") this.#nextCover = next;
    else this.stop(next);
  }

  #write(bytes: Buffer): void {
    if (this.#writer === null) {
      this.#unwritten.push(bytes);
      return;
    }
    const now = this.#limits.clock.monotonic();
    this.lastWrite = now;
    if (!this.#writer.write(bytes) && this.stalledSince === null) {
      this.stalledSince = now;
      this.#exchange.pause();
    }
  }

  /**
   * Large events are buffered until complete, and pictures in them longer, so such streams share a memory reservation.
   */
  #reserve(): void {
    this.#waiting = true;
    this.#exchange.pause();
    this.#leave = this.#exchange.reserve(this.#limits.largest, () => {
      this.#waiting = false;
      if (this.stalledSince === null) this.#exchange.resume();
    });
  }

  #end(ending: Ending): void {
    if (this.#ending !== null) return;
    this.#ending = ending;
    this.#leave?.();
    if (ending.kind === "complete" || ending.kind === "cancelled" || ending.kind === "stopped")
      this.#resolveBeginning({ kind: "flowing" });
    else this.#resolveBeginning(ending);
    this.#ended?.(ending);
  }

  #resolveBeginning(beginning: Beginning): void {
    const began = this.#began;
    this.#began = null;
    began?.(beginning);
  }
}

const BLANK = Buffer.from("\n\n");

/** Whether the provider answers with server-sent events. */
export function isEventStream({ exchange }: Opened): boolean {
  return (exchange.headers["content-type"] ?? "").trimStart().toLowerCase().startsWith("text/event-stream");
}

/** Returns the in-band error for a stream that did not end normally; null if there is nothing to report. */
export function getEndingError(ending: Ending, opened: Opened): GatewayError | null {
  const { connection } = opened.candidate;
  const secrets = opened.credential.secret === null ? [] : [opened.credential.secret];
  switch (ending.kind) {
    case "complete":
    case "cancelled":
      return null;
    case "stopped":
      return ending.error;
    case "error":
      return toGatewayError(inBandError(opened, ending.body), connection.name, secrets);
    case "malformed":
      return malformedStream(connection.name, ending.why);
    case "broken":
      return failureError(
        ending.failure ?? new UpstreamFailure("broken", true, "the stream ended early"),
        connection,
        opened.credential,
      );
  }
}

/** The provider sent something in its stream that no client could read. */
export function malformedStream(name: string, why: string): GatewayError {
  return new GatewayError("upstream_error", `${name} sent ${why} in its stream, so it was ended.`);
}
