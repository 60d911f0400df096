import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { RecordedResponse, Recording } from "../../../gateway/contract/requests.ts";
import { readDocument } from "./fold-stream.ts";
import { parseText } from "./readable.ts";

/** A recorded request as a file for a bug report: both sides with their structure, without what was said. Pure. */

/** Fields whose short values are words of an API, not content. */
const WORDS: ReadonlySet<string> = new Set([
  "model",
  "role",
  "type",
  "object",
  "finish_reason",
  "finishReason",
  "stop_reason",
  "status",
  "reason",
  "code",
  "param",
  "effort",
  "reasoning_effort",
  "verbosity",
  "tool_choice",
  "service_tier",
  "truncation",
  "ttl",
  "summary",
  "media_type",
  "mime_type",
  "mimeType",
  "detail",
  "format",
  "modality",
  "include",
  "anthropic_version",
]);
const IDS: ReadonlySet<string> = new Set([
  "id",
  "call_id",
  "tool_call_id",
  "tool_use_id",
  "item_id",
  "response_id",
  "previous_response_id",
]);
/** Fields with content of any form: inputs of tools, and their results. */
const CONTENTS: ReadonlySet<string> = new Set(["input", "args", "response", "output", "metadata", "embedding"]);
const WORD = /^[\w.:/-]{1,80}$/;
const NAME = /^[\w.$-]{1,64}$/;
/** Items of a list that are kept. */
const MAX_ITEMS = 500;
/** Characters of an error's message that are kept. */
const MAX_MESSAGE = 300;

type Ids = Map<string, number>;

/** Replaces texts by their kind and length. Ids are numbered, so that it stays plain which are the same. */
export function withoutTexts(value: unknown, ids: Ids = new Map(), name = "", isContent = false): unknown {
  if (typeof value === "string") return hideText(value, ids, name, isContent);
  if (typeof value === "number" && isContent) return "[number]";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = (value as readonly unknown[])
      .slice(0, MAX_ITEMS)
      .map((item) => withoutTexts(item, ids, name, isContent));
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more]`] : items;
  }
  const fields = Object.entries(value).map(([one, inner]) => {
    if (one === "error" && typeof inner === "object") return [one, keepError(inner, ids)];
    // Items of a conversation have the same name as the input of a tool.
    const isOwn = isContent || (CONTENTS.has(one) && !Array.isArray(inner));
    return [NAME.test(one) ? one : `[name, ${one.length} characters]`, withoutTexts(inner, ids, one, isOwn)];
  });
  return Object.fromEntries(fields);
}

function hideText(text: string, ids: Ids, name: string, isContent: boolean): string {
  if (!isContent && WORDS.has(name) && WORD.test(text)) return text;
  if (!isContent && IDS.has(name)) {
    const known = ids.get(text) ?? ids.size + 1;
    ids.set(text, known);
    return `[id ${known}]`;
  }
  const kind = text.startsWith("data:") ? "media" : parseText(text) instanceof Object ? "JSON" : "text";
  return `[${kind}, ${text.length} characters]`;
}

/** The message of an error is what a report is about. */
function keepError(error: unknown, ids: Ids): unknown {
  const shown = withoutTexts(error, ids);
  const message = error === null ? undefined : (error as { message?: unknown }).message;
  return typeof message === "string" ? { ...(shown as object), message: message.slice(0, MAX_MESSAGE) } : shown;
}

export interface ReportSource {
  readonly receipt: Receipt;
  readonly recording: Recording;
  /** Postern's version. */
  readonly version: string;
  /** Whether texts stay. */
  readonly withTexts: boolean;
}

/** Makes the bundle. Session, project, agent, key and connection are left out, and addresses but for their path. */
export function makeReport({ receipt, recording, version, withTexts }: ReportSource): object {
  const ids: Ids = new Map();
  const show = (value: unknown): unknown => (withTexts ? value : withoutTexts(value, ids));
  const showText = (text: string): unknown => show(parseText(text) ?? text);
  const { session: _session, project: _project, agent: _agent, key: _key, connection: _connection, ...rest } = receipt;
  const { request, response, path, status, headers, attempts = [] } = recording;
  return {
    kind: "postern-bug-report",
    postern: version,
    made_for: receipt.id,
    texts: withTexts,
    receipt: rest,
    client: {
      path,
      headers,
      request: { ...describe(request), body: showText(request.text) },
      status,
      response: showResponse(response, show),
    },
    attempts: attempts.map((attempt) => ({
      ms: attempt.ms,
      path: new URL(attempt.url).pathname,
      request:
        attempt.request === null
          ? "as the client's"
          : { ...describe(attempt.request), body: showText(attempt.request.text) },
      status: attempt.status,
      response: attempt.passed ? "as the client's" : showResponse(attempt.response, show),
      error: attempt.error,
    })),
  };
}

const describe = ({ bytes, cut, redacted, omitted }: Omit<Recording["request"], "text" | "form">): object => ({
  bytes,
  cut,
  redacted,
  omitted,
});

function showResponse(response: RecordedResponse | null, show: (value: unknown) => unknown): object | null {
  if (response === null) return null;
  return { ...describe(response), type: response.type, chunks: response.count, body: show(readDocument(response)) };
}
