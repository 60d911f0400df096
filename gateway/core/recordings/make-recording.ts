import type { RecordedAttempt, RecordedResponse, Recording } from "../../contract/requests.ts";
import type { KnownSecrets } from "../../lib/known-secrets.ts";
import { redact } from "../../lib/redact.ts";
import { createStoredText, redactPieces } from "./stored-text.ts";
import { getOmission } from "./omit-media.ts";

const MAX_REQUEST_BYTES = 256 * 1024;

/** A response as it was taken down. */
export interface TakenResponse {
  /** Null without a response. */
  readonly status: number | null;
  /** Media type of the response; null without one. */
  readonly type: string | null;
  readonly bytes: number;
  readonly cut: boolean;
  readonly omitted: number;
  /** Number of received chunks, of which the first ones are stored. */
  readonly count: number;
  readonly chunks: readonly RecordedChunk[];
}

/** A request to a provider, and its response. */
export interface TakenAttempt extends TakenResponse {
  /** Milliseconds since the request arrived. */
  readonly ms: number;
  readonly url: string;
  /** Sent bytes; null if they were no text. */
  readonly body: Uint8Array | null;
  /** Bytes that were sent. */
  readonly sentBytes: number;
  readonly error: string | null;
}

/** A call's original request and response; it can be posted to a thread. */
export interface RecordedCall extends TakenResponse {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The client's body; a form is converted to JSON. */
  readonly body: Buffer;
  readonly form: boolean;
  /** Requests to providers, oldest first. */
  readonly attempts: readonly TakenAttempt[];
}

export interface RecordedChunk {
  /** Milliseconds since the request arrived. */
  readonly ms: number;
  readonly bytes: number;
  /** Without media; null if it is not text. */
  readonly data: Uint8Array | null;
}

/** The recording of a call, without media and secrets: some milliseconds of work for a large one. */
export function makeRecording(call: RecordedCall, secrets: KnownSecrets): Recording {
  const { id, at, path, headers, body, form, status, type } = call;
  const response = type === null ? null : makeResponse(call, type, secrets);
  return {
    id,
    at,
    path,
    headers: { ...headers },
    request: { ...createStoredText(body, MAX_REQUEST_BYTES, secrets), bytes: body.length, form },
    status,
    response,
    attempts: call.attempts.map((attempt) => makeAttempt(attempt, { body, response }, secrets)),
  };
}

/** Leaves out what the client sent and got as well. */
function makeAttempt(
  attempt: TakenAttempt,
  client: { readonly body: Buffer; readonly response: Recording["response"] },
  secrets: KnownSecrets,
): RecordedAttempt {
  const { ms, url, body, sentBytes, status, type, error } = attempt;
  const response = type === null ? null : makeResponse(attempt, type, secrets);
  const passed = response !== null && client.response !== null && joinChunks(response) === joinChunks(client.response);
  return {
    ms,
    url: secrets.cleanText(url),
    request: body !== null && client.body.equals(body) ? null : makeRequest(body, sentBytes, secrets),
    status,
    response: passed ? null : response,
    passed,
    error: error === null ? null : redact(secrets.cleanText(error)),
  };
}

const joinChunks = ({ chunks }: RecordedResponse): string => chunks.map(({ text }) => text).join("");

function makeRequest(body: Uint8Array | null, bytes: number, secrets: KnownSecrets): RecordedAttempt["request"] {
  if (body === null)
    return { text: getOmission("multipart/form-data", bytes), bytes, cut: false, redacted: false, omitted: 1 };
  const { buffer, byteOffset, byteLength } = body;
  return { ...createStoredText(Buffer.from(buffer, byteOffset, byteLength), MAX_REQUEST_BYTES, secrets), bytes };
}

function makeResponse(call: TakenResponse, type: string, secrets: KnownSecrets): RecordedResponse {
  const { bytes, cut, omitted, count } = call;
  if (!isText(type)) {
    const chunks = call.chunks.map(({ ms, bytes: length }) => ({ ms, bytes: length, text: "" }));
    if (chunks[0] !== undefined) chunks[0].text = getOmission(type, bytes);
    return { type, bytes, cut: false, redacted: false, omitted: 1, chunks, count };
  }
  const decoder = new TextDecoder();
  const decoded = call.chunks.map(({ data }) => decoder.decode(data ?? undefined, { stream: true }));
  const { pieces, redacted } = redactPieces(decoded, secrets);
  const chunks = call.chunks.map(({ ms, bytes: length }, index) => ({ ms, bytes: length, text: pieces[index] ?? "" }));
  return { type, bytes, cut, redacted, omitted, chunks, count };
}

/** Tells whether a response of this type is stored as text. */
export function isText(type: string | null): boolean {
  return type === null || type.startsWith("text/") || /^application\/([\w.+-]+\+)?json$/.test(type);
}
