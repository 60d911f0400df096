import { failedChoice } from "../../codecs/finish.ts";
import { GatewayError } from "../../core/errors.ts";
import type { ProviderError } from "../../core/attempts/provider-error.ts";
import { buildErrorRecord, buildMinimaxError, formatStatusInWords } from "../../providers/error-envelope.ts";
import { parseJson, withoutMark } from "../../lib/json.ts";
import { isRecord } from "../../lib/records.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import type { Attempts, Opened } from "./attempts.ts";
import type { Client } from "./client.ts";

/** A response that is not a stream. */
export interface WholeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const MIB = 1024 * 1024;
/** Max bytes of a small response, such as a task or a count. */
export const SHORT_RESPONSE_BYTES = 4 * MIB;
/** The longest conversation with pictures and sound in it; as long as a request may be. */
export const LONG_RESPONSE_BYTES = 32 * MIB;

/** A response that was read, and who gave it. */
export interface ReadResponse<T> {
  readonly opened: Opened;
  /** The provider's own bytes. */
  readonly body: Buffer;
  readonly value: T;
}

/**
 * Tries candidates until a response can be read. An error inside a response that says 200 fails over like any other; an
 * unreadable response ends the call.
 * @param reader reads the parsed JSON; null if it is not the expected kind.
 * @param expected in words, for the error: "a chat completion".
 * @param limit max bytes of a valid response; a larger one is cut off.
 * @throws GatewayError, ClientCancelled.
 */
export async function readResponse<T>(
  attempts: Attempts,
  client: Client,
  expected: string,
  reader: { read(response: unknown, opened: Opened): T | null },
  limit = LONG_RESPONSE_BYTES,
): Promise<ReadResponse<T>> {
  for (;;) {
    const opened = await attempts.next();
    const body = await collect(opened, attempts, client, limit);
    const response = parseJson(body);
    const value = reader.read(response, opened);
    if (value !== null) {
      attempts.acceptResponse(opened);
      return { opened, body, value };
    }
    await refuseResponse(opened, attempts, response, expected);
  }
}

/** Refuses a 200 response of the wrong kind: a readable error fails over or is thrown, others are thrown. */
export async function refuseResponse(
  opened: Opened,
  attempts: Attempts,
  response: unknown,
  expected: string,
): Promise<void> {
  const { exchange, candidate } = opened;
  const refusal = candidate.connection.provider.errors.inResponse?.(response) ?? null;
  if (refusal !== null) return attempts.reject(opened, refusal);
  const failed = isRecord(response) ? failedChoice(response["choices"]) : null;
  if (failed === null && !isError(response))
    attempts.rejectNonsense(opened, notExpected(candidate.connection.name, expected, exchange.headers["content-type"]));
  await attempts.reject(opened, inBandError(opened, failed ?? response));
}

/** The first bytes of a response have arrived, so its provider is working. */
export const alwaysDetachable = (): boolean => true;

/** Reads the whole body; a disconnecting client aborts it. @throws GatewayError, ClientCancelled. */
export function collect(
  opened: Opened,
  attempts: Attempts,
  client: Client,
  limit = LONG_RESPONSE_BYTES,
): Promise<Buffer> {
  client.onCancelled(() => opened.exchange.abort(), alwaysDetachable);
  const collected = opened.exchange.collect(limit, (leave) => client.keep(leave));
  // A plain function: async would cost each call another promise and a third of a kilobyte.
  return collected.then(
    (body) => {
      client.onCancelled(null);
      return withoutMark(body);
    },
    (error: unknown) => {
      client.onCancelled(null);
      if (client.cancelled) attempts.abandon(opened);
      if (error instanceof UpstreamFailure) attempts.rejectBroken(opened, error);
      throw error;
    },
  );
}

/**
 * `{error:…}` as nearly all providers have it, DashScope's and others' `{code,message}`, or MiniMax's `base_resp`
 * (https://github.com/continuedev/continue/issues/11733, read 2026-11-28).
 */
export function isError(response: unknown): boolean {
  const outer: unknown = Array.isArray(response) ? response[0] : response;
  if (!isRecord(outer)) return false;
  if (outer["error"] !== undefined && outer["error"] !== null) return true;
  if (isRecord(outer["base_resp"]) && Number(outer["base_resp"]["status_code"] ?? 0) !== 0) return true;
  return typeof outer["code"] === "string" && outer["code"] !== "" && typeof outer["message"] === "string";
}

/** Creates the error of a response with status 200. Its real status is in its code or its message. */
export function inBandError({ exchange, candidate }: Opened, body: unknown): ProviderError {
  const errorBody = isRecord(body) && isRecord(body["base_resp"]) ? buildMinimaxError(body["base_resp"]) : body;
  const status = formatStatusInWords(buildErrorRecord(errorBody));
  return candidate.connection.provider.errors.fromResponse(status, exchange.headers, errorBody);
}

function notExpected(name: string, expected: string, type: string | undefined): GatewayError {
  const what = type === undefined ? "" : ` (${type.split(";", 1)[0]?.slice(0, 60)})`;
  return new GatewayError(
    "upstream_error",
    `${name} responded with something that is not ${expected}${what}. Check its base URL.`,
    { uncertain: true },
  );
}
