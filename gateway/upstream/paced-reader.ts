import type { BodySink } from "./decode.ts";
import { isBlank } from "./frames.ts";

/** Bytes after which others have a turn of the event loop. */
const TURN_BYTES = 64 * 1024;

/** A source of data: while it is held, nothing more comes. */
interface Source {
  hold(): void;
  release(): void;
}

/** Reads a source in turns of the event loop: one read of a socket can bring megabytes of events, and each is work. */
export class PacedReader {
  readonly #source: Source;
  #isPaused = false;
  /** Nothing is read until others had their turn. */
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

  /** Line ends alone say nothing in a stream of events, however many come. @param onContent is called for all else */
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
