import type { ModelSpec } from "../core/models/model.ts";
import { freeAfterSending } from "../lib/body-memory.ts";
import { withFirstText, withMembers } from "../lib/json-splice.ts";

/** The HTTP request for a call: method, path below the base URL, headers and body. Nothing is sent here. */
export interface WireRequest {
  readonly method: "GET" | "POST" | "DELETE";
  /** Begins with `/`; appended to the base URL's path. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parts are sent in sequence, so that large files need not be copied; their length is in the headers. */
  readonly body: Buffer | readonly Buffer[] | string | null;
}

/** A conversation in a dialect that the provider supports itself. */
export interface DialectCall {
  /** The client's own bytes; null if the call was translated. */
  readonly raw: Buffer | null;
  /** The same, parsed, after the parameter rules; or the translation. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether `body` differs in meaning from `raw`. */
  readonly changed: boolean;
  /** Provider's id of the model. */
  readonly upstreamModel: string;
  /** Null for models that are known only from the provider's list. */
  readonly model: ModelSpec | null;
  readonly stream: boolean;
  /** Headers of the client that belong to its dialect (`anthropic-version`, `anthropic-beta`); lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Scheme, host and port of the provider. */
  readonly origin: string;
  /**
   * Max output tokens per response that the money covers. The request is bounded by it, or by a lower client bound, in
   * a field that the provider obeys; Infinity if any number is covered. Null: no money limit applies, and the request's
   * bound is unchanged.
   */
  readonly bound: number | null;
  /** Lessons from the server's refusals for this model (lessons.ts); missing: no lessons. */
  readonly lessons?: readonly string[];
}

/** Limits of a provider's output for one request, reasoning included. */
export interface AllowedOutput {
  /**
   * Max output tokens of one response. Null: only the model's own maximum bounds it. Infinity: not even that, because
   * the provider counts reasoning separately.
   */
  readonly perChoice: number | null;
  /** Answers to one prompt. */
  readonly choices: number;
  /** The lowest `bound` that the request can be sent with. */
  readonly least: number;
}

const ANONYMOUS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "accept-encoding": "identity",
} as const;

/** Builds exactly these headers; no client header is forwarded. `secret` is null for servers without keys. */
export function buildBearerHeaders(secret: string | null): Readonly<Record<string, string>> {
  return secret === null ? ANONYMOUS : { ...ANONYMOUS, authorization: `Bearer ${secret}` };
}

/**
 * Builds the body for a provider that shares the client's dialect: the client's bytes with the provider's model id and
 * other required changes; newly serialized if the call was translated or changed by rules.
 */
export function renamedBody(
  { raw, body, changed, upstreamModel }: DialectCall,
  changes: Readonly<Record<string, unknown>> = UNCHANGED,
): Buffer | string {
  const { model } = body;
  const isNamed = model === upstreamModel;
  if (raw !== null && !changed && isEmpty(changes)) {
    if (isNamed) return raw;
    const renamed = typeof model === "string" ? withFirstText(raw, "model", model, upstreamModel) : null;
    if (renamed !== null) return freeAfterSending(renamed);
  }
  const allChanges = isNamed ? changes : { ...changes, model: upstreamModel };
  if (raw !== null && !changed) return freeAfterSending(withMembers(raw, body, allChanges));
  return JSON.stringify({ ...body, ...allChanges });
}

function isEmpty(changes: Readonly<Record<string, unknown>>): boolean {
  for (const _ in changes) return false;
  return true;
}

const UNCHANGED = {};
