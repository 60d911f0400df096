import { GatewayError, errorBody } from "../../core/errors.ts";
import { isText } from "../../core/recordings/make-recording.ts";
import type { RecordedCall, RecordedChunk } from "../../core/recordings/make-recording.ts";
import { omitMedia } from "../../core/recordings/omit-media.ts";
import type { CallObserver, EnvelopeFamily } from "../calls/call-observer.ts";

const MOST_RESPONSE_BYTES = 1024 * 1024;
const MOST_CHUNKS = 2_000;
/** Larger pieces are freed of their media at once, so that those do not wait in memory. */
const LARGE_BYTES = 16 * 1024;

/** The recorded part of a request. */
export interface RecordedRequest extends Pick<RecordedCall, "id" | "at" | "path" | "headers" | "body" | "form"> {
  /** How its errors are written. */
  readonly family: EnvelopeFamily;
}

/** Takes down one call while it runs, within bounds, for the recording that is made when it is over. */
export class RecordingBuffer implements CallObserver {
  readonly #request: RecordedRequest;
  /** Milliseconds since the request arrived. */
  readonly #elapsed: () => number;
  readonly #keep: (recordingBuffer: RecordingBuffer) => void;
  readonly #chunks: RecordedChunk[] = [];
  #count = 0;
  #bytes = 0;
  #storedBytes = 0;
  #cut = false;
  #omitted = 0;
  #type: string | null = null;
  #status: number | null = null;

  /** @param keep receives the recording at the end of the call */
  constructor(request: RecordedRequest, elapsed: () => number, keep: (recordingBuffer: RecordingBuffer) => void) {
    this.#request = request;
    this.#elapsed = elapsed;
    this.#keep = keep;
  }

  /** Bytes in memory. */
  get weight(): number {
    return this.#request.body.length + this.#storedBytes;
  }

  openResponse(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    this.#type = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  }

  /** Records an error as the client receives it, unless its response has started. */
  endCall(error: unknown): void {
    if (error !== null && this.#status === null) this.#recordRefusal(error instanceof GatewayError ? error : null);
    this.#keep(this);
  }

  /** @param error null: a mistake of ours. */
  #recordRefusal(error: GatewayError | null): void {
    const { family, id } = this.#request;
    const body = error === null ? "" : JSON.stringify(errorBody(error, family, id));
    this.openResponse(error?.status ?? 500, { "content-type": "application/json" });
    this.wrote(Buffer.from(body));
  }

  wrote(piece: Buffer | string): void {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    this.#count += 1;
    this.#bytes += bytes.length;
    if (this.#count > MOST_CHUNKS || this.#storedBytes >= MOST_RESPONSE_BYTES) {
      this.#cut = true;
      return;
    }
    const ms = Math.round(this.#elapsed() * 10) / 10;
    if (!isText(this.#type)) {
      this.#chunks.push({ ms, bytes: bytes.length, data: null });
      return;
    }
    const lean = bytes.length >= LARGE_BYTES ? omitMedia(bytes) : { bytes, omitted: 0 };
    const room = MOST_RESPONSE_BYTES - this.#storedBytes;
    this.#cut ||= lean.bytes.length > room;
    // Copied: a slice of a large buffer would keep the whole buffer alive.
    const stored = Buffer.from(lean.bytes.subarray(0, room));
    this.#omitted += lean.omitted;
    this.#storedBytes += stored.length;
    this.#chunks.push({ ms, bytes: bytes.length, data: stored });
  }

  /** All that its recording is made of. */
  call(): RecordedCall {
    const { family: _family, ...request } = this.#request;
    return {
      ...request,
      status: this.#status,
      type: this.#type,
      bytes: this.#bytes,
      cut: this.#cut,
      omitted: this.#omitted,
      count: this.#count,
      chunks: this.#chunks,
    };
  }
}
