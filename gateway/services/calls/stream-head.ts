import type { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { StreamWriter } from "./client.ts";
import type { WatchedStream } from "./stream-watch.ts";

/**
 * The head of a streamed answer. It is sent with the first event, so that a failure before it has a status of its own;
 * but a client whose provider keeps silent (a local model that is being loaded) gets it with the first heartbeat. From
 * then on failures are told in-band; failing over goes on, as nothing of an answer was sent.
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
