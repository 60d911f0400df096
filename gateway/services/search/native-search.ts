import { mayReach } from "../../core/keys/key-reach.ts";
import type { KeyReach } from "../../core/keys/key-reach.ts";
import { isRecord } from "../../lib/records.ts";
import type { DialectName } from "../chat/dialect.ts";
import type { Provider } from "../../providers/provider.ts";

/**
 * Providers that search the web if a request in this dialect offers their tool. Anthropic (docs/providers/anthropic.md) and
 * OpenAI's Responses (docs/providers/openai.md) have it as a tool. On chat completions `web_search_options` is a field of
 * OpenAI's, xAI took it over, and servers such as OpenRouter and Perplexity have it if they search; Gemini's is known to
 * refuse it (docs/providers/gemini.md), and the others' documentation does not name it.
 */
const SEARCHES: Readonly<Record<DialectName, ReadonlySet<string>>> = {
  messages: new Set(["anthropic"]),
  responses: new Set(["openai"]),
  chat: new Set(["openai", "xai", "openai-compatible"]),
  gemini: new Set(["gemini"]),
  completions: new Set(),
};

/** Tells whether a provider receives this tool in a dialect whose hosted tools it supports. */
export function runsHosted(provider: Provider, dialect: DialectName, tool: string): boolean {
  if ((provider[dialect] ?? null) === null) return false;
  return tool !== "web_search" || SEARCHES[dialect].has(provider.id);
}

const TOOL = /^tools\[(\d+)\]/;

/**
 * Returns the indexes of hosted tools that the key may not use; NaN for such a field that is not a tool. Providers
 * without the dialect run none.
 */
export function forbiddenTools(
  key: KeyReach,
  provider: Provider,
  dialect: DialectName,
  body: unknown,
): readonly number[] {
  const adapter = provider[dialect] ?? null;
  if (adapter === null || !isRecord(body) || mayReach(key, "hosted_tool")) return [];
  const found = adapter.reaches.find(body, false).filter(({ reach }) => reach === "hosted_tool");
  return found.map(({ path }) => Number(TOOL.exec(path)?.[1] ?? Number.NaN));
}
