import type { Recording } from "../../contract/requests.ts";
import { GatewayError, errorBody } from "../../core/errors.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import type { CallObserver, EnvelopeFamily } from "../calls/call-observer.ts";
import { keptText, redactPieces } from "./kept-text.ts";
import { omission, omitMedia } from "./omit-media.ts";

const MOST_REQUEST_BYTES = 256 * 1024;
const MOST_RESPONSE_BYTES = 1024 * 1024;
const MOST_CHUNKS = 2_000;
/** Larger pieces are freed of their media at once, so that those do not wait in memory. */
const LARGE_BYTES = 16 * 1024;

/** What was asked, as far as a recording has it. */
export interface Asked {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As the client sent it; of a form, the same as JSON. */
  readonly body: Buffer;
  readonly form: boolean;
  /** How its errors are written. */
  readonly family: EnvelopeFamily;
}

interface Chunk {
  readonly ms: number;
  readonly bytes: number;
  /** Without media; null for what is no text. */
  readonly kept: Buffer | null;
}

/** Takes down one call while it runs, within bounds, and makes the recording of it when it is over. */
export class RecordingBuffer implements CallObserver {
  readonly #asked: Asked;
  /** Milliseconds since the request arrived. */
  readonly #elapsed: () => number;
  readonly #secrets: KnownSecrets;
  readonly #keep: (recordingBuffer: RecordingBuffer) => void;
  readonly #chunks: Chunk[] = [];
  #count = 0;
  #bytes = 0;
  #keptBytes = 0;
  #cut = false;
  #omitted = 0;
  #type: string | null = null;
  #status: number | null = null;

  /** @param keep takes it when the call is over. */
  constructor(
    asked: Asked,
    elapsed: () => number,
    secrets: KnownSecrets,
    keep: (recordingBuffer: RecordingBuffer) => void,
  ) {
    this.#asked = asked;
    this.#elapsed = elapsed;
    this.#secrets = secrets;
    this.#keep = keep;
  }

  /** Bytes that it holds in memory. */
  get weight(): number {
    return this.#asked.body.length + this.#keptBytes;
  }

  opened(status: number, headers: Readonly<Record<string, string>>): void {
    this.#status = status;
    const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
    this.#type = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  }

  /** An error is what the client is told, unless its response has begun. */
  ended(error: unknown): void {
    if (error !== null && this.#status === null) this.#refused(error instanceof GatewayError ? error : null);
    this.#keep(this);
  }

  /** @param error null: a mistake of ours. */
  #refused(error: GatewayError | null): void {
    const { family, id } = this.#asked;
    const body = error === null ? "" : JSON.stringify(errorBody(error, family, id));
    this.opened(error?.status ?? 500, { "content-type": "application/json" });
    this.wrote(Buffer.from(body));
  }

  wrote(piece: Buffer | string): void {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    this.#count += 1;
    this.#bytes += bytes.length;
    if (this.#count > MOST_CHUNKS || this.#keptBytes >= MOST_RESPONSE_BYTES) {
      this.#cut = true;
      return;
    }
    const ms = Math.round(this.#elapsed() * 10) / 10;
    if (!isText(this.#type)) {
      this.#chunks.push({ ms, bytes: bytes.length, kept: null });
      return;
    }
    const lean = bytes.length >= LARGE_BYTES ? omitMedia(bytes) : { bytes, omitted: 0 };
    const room = MOST_RESPONSE_BYTES - this.#keptBytes;
    this.#cut ||= lean.bytes.length > room;
    // A copy: the piece may be a small part of a large buffer, which would stay with it.
    const kept = Buffer.from(lean.bytes.subarray(0, room));
    this.#omitted += lean.omitted;
    this.#keptBytes += kept.length;
    this.#chunks.push({ ms, bytes: bytes.length, kept });
  }

  /** The recording: some milliseconds of work for a large one. */
  recording(): Recording {
    const { id, at, path, headers, body, form } = this.#asked;
    return {
      id,
      at,
      path,
      headers: { ...headers },
      request: { ...keptText(body, MOST_REQUEST_BYTES, this.#secrets), bytes: body.length, form },
      status: this.#status,
      response: this.#type === null ? null : this.#answer(this.#type),
    };
  }

  #answer(type: string): Recording["response"] {
    if (!isText(type)) {
      const chunks = this.#chunks.map(({ ms, bytes }) => ({ ms, bytes, text: "" }));
      if (chunks[0] !== undefined) chunks[0].text = omission(type, this.#bytes);
      return { type, bytes: this.#bytes, cut: false, redacted: false, omitted: 1, chunks, count: this.#count };
    }
    const decoder = new TextDecoder();
    const decoded = this.#chunks.map(({ kept }) => decoder.decode(kept ?? undefined, { stream: true }));
    const { pieces, redacted } = redactPieces(decoded, this.#secrets);
    return {
      type,
      bytes: this.#bytes,
      cut: this.#cut,
      redacted,
      omitted: this.#omitted,
      chunks: this.#chunks.map(({ ms, bytes }, index) => ({ ms, bytes, text: pieces[index] ?? "" })),
      count: this.#count,
    };
  }
}

function isText(type: string | null): boolean {
  return type === null || type.startsWith("text/") || /^application\/([\w.+-]+\+)?json$/.test(type);
}
