import { getAppName } from "../../contract/apps.ts";
import type { Receipt } from "../../contract/receipt.ts";
import { sha256 } from "../../lib/ids.ts";
import { usdFromNano } from "../../lib/money.ts";
import type { CallFacts } from "./call-facts.ts";
import {
  SCHEMA_URL,
  getDouble,
  getFlag,
  getInteger,
  formatNanosecondsText,
  writePlainText,
  getResource,
  getScope,
  getText,
} from "./otlp-values.ts";
import type { KeyValue, Source } from "./otlp-values.ts";
import type { TraceParent } from "./trace-parent.ts";

/** A queued span. */
export interface PendingSpan {
  readonly facts: CallFacts;
  /** The client's parent span; null if it sent none. */
  readonly parent: TraceParent | null;
}

const KIND_CLIENT = 3;
const STATUS_ERROR = 2;
/** Sampled; and whether the parent is another program's is known (opentelemetry/proto/trace/v1/trace.proto, SpanFlags). */
const FLAGS = 0x101;
const PARENT_IS_REMOTE = 0x200;
const MS_PER_S = 1_000;

/** Returns the request id of a receipt: rounds and searches of a request have its id with a suffix (`-2`, `-s1`). */
export function getRequest(id: string): string {
  return /^req_[\da-f-]{36}/.exec(id)?.[0] ?? id;
}

/** The body of `POST /v1/traces`. */
export function createTracesRequest(spans: readonly PendingSpan[], source: Source) {
  return {
    resourceSpans: [
      {
        resource: getResource(source),
        scopeSpans: [{ scope: getScope(source), spans: spans.map(getSpan), schemaUrl: SCHEMA_URL }],
        schemaUrl: SCHEMA_URL,
      },
    ],
  };
}

/**
 * Builds the span of a receipt. Its ids are derived from the receipt's, so that a receiver can detect duplicates; all
 * receipts of one request share a trace.
 */
export function getSpan({ facts, parent }: PendingSpan) {
  const { receipt, operation, model, error } = facts;
  const end = receipt.at;
  return {
    traceId: parent?.traceId ?? sha256(`trace:${getRequest(receipt.id)}`).slice(0, 32),
    spanId: sha256(`span:${receipt.id}`).slice(0, 16),
    ...(parent === null ? {} : { parentSpanId: parent.spanId }),
    flags: parent === null ? FLAGS : FLAGS | PARENT_IS_REMOTE,
    name: writePlainText(model === "" ? operation : `${operation} ${model}`),
    kind: KIND_CLIENT,
    startTimeUnixNano: formatNanosecondsText(end, receipt.ms),
    endTimeUnixNano: formatNanosecondsText(end),
    attributes: getAttributes(facts),
    // A call that its client ended has an `error.type`, and is no error.
    status: error === null || receipt.outcome === "cancelled" ? {} : { code: STATUS_ERROR },
  };
}

/** Output types of the endpoints that imply one. */
const OUTPUTS: ReadonlyMap<string, string> = new Map([
  ["images", "image"],
  ["edits", "image"],
  ["speech", "speech"],
  ["transcriptions", "text"],
  ["translations", "text"],
  ["videos", "video"],
]);

/** Returns the attributes of the conventions (docs/decisions/recordings-and-telemetry.md), and our own below `postern`. */
function getAttributes({ receipt, names, operation, model, tokens, error }: CallFacts): readonly KeyValue[] {
  const attributes = [getText("gen_ai.operation.name", operation), getText("gen_ai.provider.name", names.provider)];
  const { outcome, nano, route, first_ms: firstMs, status, attempts } = receipt;
  const output = OUTPUTS.get(receipt.endpoint);
  if (model !== "") attributes.push(getText("gen_ai.request.model", model));
  if (receipt.stream) attributes.push(getFlag("gen_ai.request.stream", true));
  if (output !== undefined) attributes.push(getText("gen_ai.output.type", output));
  if (tokens.input > 0) attributes.push(getInteger("gen_ai.usage.input_tokens", tokens.input));
  if (tokens.output > 0) attributes.push(getInteger("gen_ai.usage.output_tokens", tokens.output));
  if (tokens.cacheRead > 0) attributes.push(getInteger("gen_ai.usage.cache_read.input_tokens", tokens.cacheRead));
  if (tokens.cacheCreation > 0) {
    attributes.push(getInteger("gen_ai.usage.cache_creation.input_tokens", tokens.cacheCreation));
  }
  if (tokens.reasoning > 0) attributes.push(getInteger("gen_ai.usage.reasoning.output_tokens", tokens.reasoning));
  if (receipt.stream && firstMs !== null) {
    attributes.push(getDouble("gen_ai.response.time_to_first_chunk", firstMs / MS_PER_S));
  }
  if (names.server !== null) {
    attributes.push(getText("server.address", names.server.address), getInteger("server.port", names.server.port));
  }
  if (error !== null) attributes.push(getText("error.type", error));
  if (status > 0) attributes.push(getInteger("http.response.status_code", status));
  attributes.push(
    getText("postern.request.id", receipt.id),
    getText("postern.endpoint", receipt.endpoint),
    getText("postern.outcome", outcome),
    getText("postern.client", getAppName(receipt.client)),
    getText("postern.key.id", receipt.key),
    getText("postern.key.name", names.key),
    getFlag("postern.sandbox", receipt.sandbox),
  );
  if (nano !== null) attributes.push(getDouble("postern.cost_usd", usdFromNano(nano)));
  if (receipt.estimated) attributes.push(getFlag("postern.estimated", true));
  if (attempts != null) attributes.push(getInteger("postern.attempts", attempts));
  if (route !== undefined) attributes.push(getText("postern.route.name", route.name));
  if (route?.rule !== undefined) attributes.push(getInteger("postern.route.rule", route.rule));
  attributes.push(...getGroups(receipt));
  return attributes;
}

/** Attributes for the work that a call was part of, on receipts that know it. */
const GROUPS: readonly (readonly [field: "session" | "project" | "agent", ...attributes: string[]])[] = [
  ["session", "postern.session", "gen_ai.conversation.id"],
  ["project", "postern.project"],
  ["agent", "postern.agent"],
];

function getGroups(receipt: Receipt): readonly KeyValue[] {
  return GROUPS.flatMap(([field, ...keys]) => {
    const { [field]: value = "" } = receipt;
    return value === "" ? [] : keys.map((key) => getText(key, value));
  });
}
