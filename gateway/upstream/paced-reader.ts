import type { BodySink } from "./decode.ts";
import { isBlank } from "./frames.ts";

/** Bytes after which others have a turn of the event loop. */
const TURN_BYTES = 64 * 1024;

/** A data source; while paused, no data arrives. */
interface Source {
  hold(): void;
  release(): void;
}

/** Reads a source across event loop turns: one socket read can deliver megabytes of events, each of which is work. */
export class PacedReader {
  readonly #source: Source;
  #isPaused = false;
  /** Whether reading is paused until other work had its turn. */
  #rests = false;
  #sinceYield = 0;
  #isOver = false;

  constructor(source: Source) {
    this.#source = source;
  }

  pause(): void {
    this.#isPaused = true;
    this.#source.hold();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#rests) this.#source.release();
  }

  /** Line ends alone do not count as content of an event stream. @param onContent called for everything else */
  readEvents(sink: BodySink, onContent: () => void): BodySink {
    return {
      onData: (chunk) => {
        if (!isBlank(chunk)) onContent();
        sink.onData(chunk);
        this.#count(chunk.length);
      },
      onEnd: () => sink.onEnd(),
      onError: (failure) => sink.onError(failure),
    };
  }

  #count(bytes: number): void {
    this.#sinceYield += bytes;
    if (this.#sinceYield < TURN_BYTES || this.#rests) return;
    this.#sinceYield = 0;
    this.#rests = true;
    this.#source.hold();
    setImmediate(() => {
      this.#rests = false;
      if (!this.#isPaused && !this.#isOver) this.#source.release();
    });
  }

  /** Nothing more comes. */
  end(): void {
    this.#isOver = true;
  }
}
