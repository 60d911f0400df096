import { hostedTools } from "../../codecs/web-search/offered.ts";
import type { Document } from "../../codecs/translation.ts";
import { isRecord } from "../../lib/records.ts";

/**
 * Whether a search of OpenAI's is all of a request of its Responses API that may cost beside tokens: Codex offers one with
 * each request. Each search that is made is a `web_search_call` item of the response
 * (developers.openai.com/api/docs/guides/tools-web-search, 2026-11-28).
 */
export function offersSearchAlone(body: Document): boolean {
  const { names } = hostedTools("responses", body);
  const input: readonly unknown[] = Array.isArray(body["input"]) ? body["input"] : [];
  const hasMore = input.some((item) => isRecord(item) && item["tools"] !== undefined);
  return names.length === 1 && names[0] === "web_search" && !hasMore;
}
