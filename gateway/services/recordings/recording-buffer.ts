import { GatewayError, errorBody } from "../../core/errors.ts";
import type { RecordedCall } from "../../core/recordings/make-recording.ts";
import type { UpstreamRequest } from "../../upstream/provider-client.ts";
import type { CallObserver, EnvelopeFamily } from "../calls/call-observer.ts";
import { AttemptBuffer } from "./attempt-buffer.ts";
import { ResponseBuffer } from "./response-buffer.ts";

/** Attempts that are kept, the last ones. */
const MOST_ATTEMPTS = 4;

/** The recorded part of a request. */
export interface RecordedRequest extends Pick<RecordedCall, "id" | "at" | "path" | "headers" | "body" | "form"> {
  /** How its errors are written. */
  readonly family: EnvelopeFamily;
}

/** Takes down one call while it runs, within bounds, for the recording that is made when it is over. */
export class RecordingBuffer implements CallObserver {
  readonly #request: RecordedRequest;
  readonly #elapsed: () => number;
  readonly #keep: (recordingBuffer: RecordingBuffer) => void;
  readonly #response: ResponseBuffer;
  readonly #attempts: AttemptBuffer[] = [];

  /**
   * @param elapsed milliseconds since the request arrived
   * @param keep receives the recording at the end of the call
   */
  constructor(request: RecordedRequest, elapsed: () => number, keep: (recordingBuffer: RecordingBuffer) => void) {
    this.#request = request;
    this.#elapsed = elapsed;
    this.#keep = keep;
    this.#response = new ResponseBuffer(elapsed);
  }

  /** Bytes in memory. */
  get weight(): number {
    const { body } = this.#request;
    return this.#attempts.reduce((sum, { weight }) => sum + weight, body.length + this.#response.weight);
  }

  beginAttempt(request: UpstreamRequest): AttemptBuffer {
    const attempt = new AttemptBuffer(request, this.#elapsed);
    if (this.#attempts.push(attempt) > MOST_ATTEMPTS) this.#attempts.shift();
    return attempt;
  }

  openResponse(status: number, headers: Readonly<Record<string, string>>): void {
    this.#response.openResponse(status, headers);
  }

  wrote(piece: Buffer | string): void {
    this.#response.wrote(piece);
  }

  /** Records an error as the client receives it, unless its response has started. */
  endCall(error: unknown): void {
    if (error !== null && !this.#response.isOpen) this.#recordRefusal(error instanceof GatewayError ? error : null);
    this.#keep(this);
  }

  /** @param error null: a mistake of ours. */
  #recordRefusal(error: GatewayError | null): void {
    const { family, id } = this.#request;
    const body = error === null ? "" : JSON.stringify(errorBody(error, family, id));
    this.openResponse(error?.status ?? 500, { "content-type": "application/json" });
    this.wrote(Buffer.from(body));
  }

  /** All that its recording is made of. */
  call(): RecordedCall {
    const { family: _family, ...request } = this.#request;
    return {
      ...request,
      ...this.#response.take(),
      attempts: this.#attempts.map((attempt) => attempt.takeAttempt()),
    };
  }
}
