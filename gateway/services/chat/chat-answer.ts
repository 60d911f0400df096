import { isUtf8 } from "node:buffer";
import { GatewayError } from "../../core/errors.ts";
import { toGatewayError } from "../../core/vendor-error.ts";
import type { VendorError } from "../../core/vendor-error.ts";
import { isRecord } from "../../lib/records.ts";
import { UpstreamFailure } from "../../upstream/failure.ts";
import { failureError } from "../calls/attempts.ts";
import type { Opened } from "../calls/attempts.ts";
import type { Ending } from "./chat-stream.ts";

/** Vendor headers that a client may see (upstreams reference A.6: by allow-list). */
const SHOWN_HEADERS = [
  "openai-processing-ms",
  "x-ratelimit-remaining-requests",
  "x-ratelimit-remaining-tokens",
] as const;

/** Headers of our answer that come from the vendor. */
export function shownHeaders({ exchange }: Opened): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name of SHOWN_HEADERS) {
    const value = exchange.headers[name];
    if (typeof value === "string") headers[name] = value;
  }
  return headers;
}

/** Whether the vendor answers with server-sent events. */
export function isEventStream({ exchange }: Opened): boolean {
  return (exchange.headers["content-type"] ?? "").trimStart().toLowerCase().startsWith("text/event-stream");
}

/** An error inside an answer that said 200. Its status is in its code, or unknown: then the vendor is unwell. */
export function inBandError({ exchange, candidate }: Opened, body: unknown): VendorError {
  const inner = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const code = Number(inner["code"] ?? inner["status"]);
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500;
  return candidate.connection.vendor.errors.fromResponse(status, exchange.headers, body);
}

/** What the client is told in-band about an ending that was not its own; null when there is nothing to tell. */
export function endingError(ending: Ending, opened: Opened): GatewayError | null {
  const { connection } = opened.candidate;
  const secrets = opened.credential.secret === null ? [] : [opened.credential.secret];
  switch (ending.kind) {
    case "complete":
    case "gone":
      return null;
    case "stopped":
      return ending.error;
    case "error":
      return toGatewayError(inBandError(opened, ending.body), connection.name, secrets);
    case "malformed":
      return malformedStream(connection.name, ending.why);
    case "broken":
      return failureError(
        ending.failure ?? new UpstreamFailure("broken", true, "the stream ended early"),
        connection,
        opened.credential,
      );
  }
}

/** The vendor said 200 and sent something else than a chat completion. */
export function notChat(name: string, type: string | undefined): GatewayError {
  const what = type === undefined ? "" : ` (${type.split(";", 1)[0]?.slice(0, 60)})`;
  return new GatewayError(
    "upstream_error",
    `${name} answered with something that is not a chat completion${what}. Check its base URL.`,
  );
}

/** The vendor sent something in its stream that no client could read. */
export function malformedStream(name: string, why: string): GatewayError {
  return new GatewayError("upstream_error", `${name} sent ${why} in its stream, so it was ended.`);
}

/** The JSON of an answer; undefined when it is none. */
export function parseAnswer(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

/** All text of an unstreamed answer, for counting where the vendor reports no usage. */
export function textOf(choices: readonly unknown[]): string {
  let text = "";
  for (const choice of choices) {
    const message = isRecord(choice) ? choice["message"] : null;
    if (!isRecord(message)) continue;
    for (const field of ["content", "reasoning_content", "reasoning"]) {
      if (typeof message[field] === "string") text += message[field];
    }
    if (Array.isArray(message["tool_calls"])) text += JSON.stringify(message["tool_calls"]);
  }
  return text;
}
