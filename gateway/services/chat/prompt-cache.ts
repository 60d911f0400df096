import { CACHE_MARK, listCacheBreakpoints, setsCacheMarks } from "../../core/chat/cache-breakpoints.ts";
import type { Document } from "../../codecs/translation.ts";
import type { Price } from "../../core/models/model.ts";
import { freeAfterSending } from "../../lib/body-memory.ts";
import { getSpans } from "../../lib/json-paths.ts";
import type { JsonPath } from "../../lib/json-paths.ts";
import { OPEN_BRACE } from "../../lib/json-splice.ts";
import { isRecord } from "../../lib/records.ts";
import type { DialectAdapter } from "../../providers/provider.ts";
import type { DialectCall } from "../../providers/wire-request.ts";
import type { Candidate } from "../models/served-model.ts";
import type { DialectName } from "./dialect.ts";

/** Facts of a call that are needed before its prompt is marked. */
export interface CacheableCall {
  /** The outgoing call. */
  readonly call: DialectCall;
  /** The client's request: it may have cache marks that the translation does not know. */
  readonly original: Document;
  readonly candidate: Candidate;
  /** The provider's. */
  readonly dialect: DialectName;
  readonly adapter: DialectAdapter;
}

/**
 * Marks the call's prompt for the provider's cache, if enabled for the connection; returns the same call if there is
 * nothing to mark. All other bytes of the client stay unchanged.
 */
export function withCacheMarks({ call, original, candidate, dialect, adapter }: CacheableCall): DialectCall {
  const least = adapter.cachesFrom?.(candidate.upstreamModel) ?? null;
  if (least === null || (dialect !== "chat" && dialect !== "messages") || !knowsWrites(candidate.price)) return call;
  if (setsCacheMarks(original) || setsCacheMarks(call.body)) return call;
  const paths = listCacheBreakpoints(call.body, dialect, least);
  if (paths.length === 0) return call;
  const raw = call.raw === null || call.changed ? call.raw : markedBytes(call.raw, paths);
  return { ...call, raw, body: paths.reduce(markPath, call.body) };
}

/** A price without a rate for cache writes would leave the call unpriced, so that no limit would count it. */
function knowsWrites(price: Price | null): boolean {
  return price === null || price.always === true || price.tiers.every(({ rates }) => rates.cache_write !== undefined);
}

function markPath(body: Document, path: JsonPath): Document {
  return at(body, path) as Document;
}

/** Copies a value and marks the element at a path. */
function at(value: unknown, [step, ...rest]: JsonPath): unknown {
  if (step === undefined)
    return isRecord(value) ? { ...CACHE_MARK, ...value } : [{ type: "text", text: value, ...CACHE_MARK }];
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((item, index) => (index === step ? at(item, rest) : item));
  return isRecord(value) ? { ...value, [step]: at(value[step], rest) } : value;
}

const MARK = JSON.stringify(CACHE_MARK).slice(1, -1);
const IN_OBJECT = Buffer.from(`${MARK},`);
const BEFORE_TEXT = Buffer.from('[{"type":"text","text":');
const BEHIND_TEXT = Buffer.from(`,${MARK}}]`);

/** Returns the marked request as bytes. */
function markedBytes(json: Buffer, paths: readonly JsonPath[]): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  // Spans are sorted by their place in the text, which may differ from the prompt's order.
  const spans = getSpans(json, paths).filter((span) => span !== null);
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const isObject = json[start] === OPEN_BRACE;
    if (isObject) pieces.push(json.subarray(from, start + 1), IN_OBJECT);
    else pieces.push(json.subarray(from, start), BEFORE_TEXT, json.subarray(start, end), BEHIND_TEXT);
    from = isObject ? start + 1 : end;
  }
  return freeAfterSending(Buffer.concat([...pieces, json.subarray(from)]));
}
