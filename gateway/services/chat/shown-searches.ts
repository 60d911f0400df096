import { hostedTools } from "../../codecs/web-search/offered.ts";
import type { Document } from "../../codecs/translation.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * Tools of OpenAI's whose every use is an item of the response: Codex offers a search with each request. Servers of tools
 * cost tokens alone (developers.openai.com/api/docs/guides/tools, 2026-11-28).
 */
const COUNTED: ReadonlySet<string> = new Set([
  "web_search",
  "file_search",
  "mcp",
  "code_interpreter",
  "image_generation",
]);

/** Whether all tools of a request of the Responses API that may cost beside tokens show in its response. */
export function offersCountedTools(body: Document): boolean {
  const { names } = hostedTools("responses", body);
  const input: readonly unknown[] = Array.isArray(body["input"]) ? body["input"] : [];
  const hasMore = input.some((item) => isRecord(item) && item["tools"] !== undefined);
  return names.length > 0 && names.every((name) => COUNTED.has(name)) && !hasMore;
}
