import { sha256 } from "../lib/ids.ts";
import { isRecord } from "../lib/records.ts";
import type { DialectCall } from "./wire-request.ts";
import type { ServerTraits } from "./server-traits.ts";

/** Hexadecimal digits; enough to avoid collisions between conversations. */
const DIGITS = 32;

/**
 * Builds the header by which a server groups the requests of one conversation, if it supports one; it also wants the
 * program's name (https://github.com/capocasa/3code/issues/32, 2026-09-03).
 * @returns the same value for each request of a conversation: a hash of the first user message and the client's session
 * id
 */
export function buildSessionHeader(
  { body }: DialectCall,
  { sessionHeader: name }: ServerTraits,
): Record<string, string> {
  if (name === undefined) return {};
  const { messages, metadata, prompt_cache_key: key, user } = body;
  const opening: unknown = Array.isArray(messages)
    ? messages.find((message) => isRecord(message) && message["role"] === "user")
    : undefined;
  const named = [key, user, isRecord(metadata) ? metadata["user_id"] : undefined];
  return { "user-agent": "Postern", [name]: sha256(JSON.stringify([named, opening], withoutMarks)).slice(0, DIGITS) };
}

/** Drops cache marks, which change with each request. */
function withoutMarks(field: string, value: unknown): unknown {
  return field === "cache_control" ? undefined : value;
}
