import type { BodySink } from "./decode.ts";
import type { KnownSecrets } from "../lib/known-secrets.ts";
import type { UpstreamFailure } from "./failure.ts";

/** Length of a common prefix: it is forwarded, and only checked again with the following bytes. */
const COMMON = 8;

/**
 * Forwards a body with known secrets redacted. Trailing bytes of a chunk that may start a secret wait for the next
 * chunk; stream events end with a newline, so that they never wait.
 */
export class WithoutSecrets implements BodySink {
  readonly #sink: BodySink;
  readonly #secrets: KnownSecrets;
  /** Trailing bytes that may start a secret, and how many of them were forwarded. */
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
    // A truncated escape must not precede a mask, which would be invalid JSON.
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
