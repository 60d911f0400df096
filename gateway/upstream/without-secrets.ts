import type { BodySink } from "./decode.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";
import type { UpstreamFailure } from "./failure.ts";

/** Length of a beginning that many texts contain: it is passed on, and only checked once more with what follows. */
const COMMON = 8;

/**
 * Passes a body on without the secrets that are known. Bytes at the end of a chunk that may begin one wait for the next
 * chunk; events of a stream end with a line, so that nothing of them ever waits.
 */
export class WithoutSecrets implements BodySink {
  readonly #sink: BodySink;
  readonly #secrets: KnownSecrets;
  /** The end of what has come, where it may begin a secret, and how much of it was passed on. */
  #tail: Buffer | null = null;
  #passed = 0;

  constructor(sink: BodySink, secrets: KnownSecrets) {
    this.#sink = sink;
    this.#secrets = secrets;
  }

  onData(chunk: Buffer): void {
    const bytes = this.#secrets.clean(this.#tail === null ? chunk : Buffer.concat([this.#tail, chunk]));
    const passed = this.#passed;
    const sure = bytes.length - this.#secrets.findBeginning(bytes);
    // A cut escape must not stand before a mask: JSON would not read it.
    const waits = bytes.length - sure > COMMON || bytes.includes("\\", sure);
    const end = waits ? Math.max(sure, passed) : bytes.length;
    this.#tail = sure === bytes.length ? null : bytes.subarray(sure);
    this.#passed = Math.max(0, end - sure);
    if (end > passed) this.#sink.onData(passed === 0 && end === bytes.length ? bytes : bytes.subarray(passed, end));
  }

  onEnd(): void {
    this.#flush();
    this.#sink.onEnd();
  }

  onError(failure: UpstreamFailure): void {
    this.#flush();
    this.#sink.onError(failure);
  }

  #flush(): void {
    const tail = this.#tail;
    this.#tail = null;
    if (tail !== null && tail.length > this.#passed) this.#sink.onData(tail.subarray(this.#passed));
  }
}
