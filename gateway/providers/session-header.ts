import { sha256 } from "../lib/ids.ts";
import type { DialectCall } from "./wire-request.ts";
import type { ServerTraits } from "./server-traits.ts";

/** Enough for nobody to have another conversation's by chance. */
const DIGITS = 32;

/**
 * The header by which a server keeps the requests of one conversation together, where it wants one.
 * @returns the same value for each request of a conversation: it hangs on how that begins, and says nothing of it
 */
export function sessionHeader({ body }: DialectCall, { sessionHeader: name }: ServerTraits): Record<string, string> {
  if (name === undefined) return {};
  const messages: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  return { "user-agent": "Postern", [name]: sha256(JSON.stringify(messages.slice(0, 2))).slice(0, DIGITS) };
}
