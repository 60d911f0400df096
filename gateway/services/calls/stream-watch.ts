import type { Clock } from "../../lib/clock.ts";
import type { GatewayError } from "../../core/errors.ts";
import type { StreamWriter } from "./client.ts";

/** A stream under way, as the watch sees it. Times are monotonic milliseconds. */
export interface WatchedStream {
  /** When the client was last sent something. */
  readonly lastWrite: number;
  /** Since when the client has been too slow to take more; null while it keeps up. */
  readonly stalledSince: number | null;
  /** Sends a comment line, so that nobody in between thinks that the connection is dead. */
  beat(now: number): void;
  /** The client does not read: give it up. */
  giveUp(): void;
  /** Why the stream may not go on (its key was revoked, …), or null. */
  objection(): GatewayError | null;
  /** Ends the stream with an in-band error. */
  stop(error: GatewayError): void;
}

const SWEEP_MS = 500;
/** docs/contract.md#chat: "a comment line every 15 s of silence". */
const SILENCE_MS = 15_000;
const STALLED_MS = 120_000;

/** One timer for all open streams: heartbeats, stalled readers, keys that were revoked meanwhile. */
export class StreamWatch {
  readonly #streams = new Set<WatchedStream>();
  readonly #clock: Clock;
  #timer: NodeJS.Timeout | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(stream: WatchedStream): void {
    this.#streams.add(stream);
    this.#timer ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  delete(stream: WatchedStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  /** Ends every stream, because Postern stops. */
  stopAll(error: GatewayError): void {
    for (const stream of this.#streams) stream.stop(error);
  }

  /** One round over all streams. Public so that tests need not wait. */
  sweep(): void {
    const now = this.#clock.monotonic();
    for (const stream of this.#streams) {
      const objection = stream.objection();
      if (objection !== null) stream.stop(objection);
      else if (stream.stalledSince !== null && now - stream.stalledSince > STALLED_MS) stream.giveUp();
      else if (stream.stalledSince === null && now - stream.lastWrite > SILENCE_MS) stream.beat(now);
    }
  }
}

/**
 * The head of a streamed response. It is sent with the first event, so that a failure before it has a status of its own;
 * but a client whose provider keeps silent (a local model that is being loaded) gets it with the first heartbeat. From
 * then on failures are told in-band; failing over goes on, as nothing of a response was sent.
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
