import { isText } from "../../core/recordings/make-recording.ts";
import type { RecordedChunk, TakenResponse } from "../../core/recordings/make-recording.ts";
import { omitMedia } from "../../core/recordings/omit-media.ts";

const MOST_RESPONSE_BYTES = 1024 * 1024;
const MOST_CHUNKS = 2_000;
/** Larger pieces are freed of their media at once, so that those do not wait in memory. */
const LARGE_BYTES = 16 * 1024;

/** Takes down a response while it comes, within bounds. */
export class ResponseBuffer {
  /** Milliseconds since the request arrived. */
  readonly #elapsed: () => number;
  readonly #chunks: RecordedChunk[] = [];
  #count = 0;
  #bytes = 0;
  #storedBytes = 0;
  #cut = false;
  #omitted = 0;
  #type: string | null = null;
  #status: number | null = null;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Bytes in memory. */
  get weight(): number {
    return this.#storedBytes;
  }

  get isOpen(): boolean {
    return this.#status !== null;
  }

  openResponse(status: number, headers: Readonly<Record<string, string | readonly string[] | undefined>>): void {
    this.#status = status;
    const type = String(Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "");
    this.#type = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
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

  /** All that was taken down. */
  take(): TakenResponse {
    return {
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
