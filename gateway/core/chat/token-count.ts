import { isRecord } from "../../lib/records.ts";

/** More tokens than any request has: such a figure is noise, and money must not be counted by it. */
const MOST_TOKENS = 1_000_000_000;

/**
 * A count of tokens in a provider's usage; null for what is none: missing, negative, not a number, absurd. Fractions are
 * rounded. Some servers write numbers as strings.
 */
export function tokenCount(value: unknown): number | null {
  const figure = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof figure !== "number" || !(figure >= 0 && figure <= MOST_TOKENS)) return null;
  return Math.round(figure);
}

/** Searches that the provider made for a response, as Anthropic and OpenRouter report them. */
export function searches(usage: Readonly<Record<string, unknown>>): number {
  const tools = usage["server_tool_use"];
  return isRecord(tools) ? (tokenCount(tools["web_search_requests"]) ?? 0) : 0;
}
