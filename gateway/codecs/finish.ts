import type { Document } from "./translation.ts";

/** Why a chat answer ended, whatever word its provider has for it. */
export type Finish = "stop" | "calls" | "length" | "filtered" | "failed";

/**
 * Finish reasons of providers, in lower case: OpenAI, Mistral (`model_length`), Gemini, Z.ai (`sensitive`,
 * `network_error`), DeepSeek (`insufficient_system_resource`), OpenRouter (`error`) and vLLM (`abort`). A provider that
 * fails mid-stream often ends the stream normally and reports the failure only here
 * (https://github.com/earendil-works/pi/issues/8511, https://github.com/NousResearch/hermes-agent/issues/92161, read
 * 2026-11-28).
 */
const WORDS: ReadonlyMap<string, Finish> = new Map([
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["model_length", "length"],
  ["content_filter", "filtered"],
  ["refusal", "filtered"],
  ["safety", "filtered"],
  ["sensitive", "filtered"],
  ["prohibited_content", "filtered"],
  ["recitation", "filtered"],
  ["blocklist", "filtered"],
  ["spii", "filtered"],
  ["tool_calls", "calls"],
  ["function_call", "calls"],
  ["network_error", "failed"],
  ["error", "failed"],
  ["insufficient_system_resource", "failed"],
  ["abort", "failed"],
]);

/**
 * Reads the finish reason of a chat choice. @returns null if there is no reason yet: neither "" nor "null" is one.
 */
export function readFinish(choice: Document): Finish | null {
  if (choice["finish_reason"] == null) return null;
  const word = readWord(choice["finish_reason"]);
  if (word === null) return null;
  // OpenRouter reports `stop` for what its provider calls an error.
  if (WORDS.get(readWord(choice["native_finish_reason"]) ?? "") === "failed") return "failed";
  return WORDS.get(word) ?? "stop";
}

function readWord(reason: unknown): string | null {
  return typeof reason === "string" && reason !== "" && reason !== "null" ? reason.toLowerCase() : null;
}

/** OpenAI's finish reasons, which chat clients support; null while a choice continues. */
const OPENAIS: ReadonlySet<unknown> = new Set([
  null,
  undefined,
  "stop",
  "length",
  "tool_calls",
  "content_filter",
  "function_call",
]);
const IN_OPENAIS: Readonly<Record<Exclude<Finish, "failed">, string>> = {
  stop: "stop",
  calls: "tool_calls",
  length: "length",
  filtered: "content_filter",
};

/** Normalizes a choice's finish reason to OpenAI's. @returns the same object if unchanged */
export function sayFinish(choice: Document): Document {
  if (OPENAIS.has(choice["finish_reason"])) return choice;
  const finish = readFinish(choice);
  if (finish === "failed") return choice;
  return { ...choice, finish_reason: finish === null ? null : IN_OPENAIS[finish] };
}

/** Returns the failed choice as an error body; null if all succeeded. */
export function failedChoice(choices: unknown): Document | null {
  if (!Array.isArray(choices)) return null;
  for (const choice of choices as readonly unknown[]) {
    if (typeof choice !== "object" || choice === null) continue;
    const ended = choice as Document;
    if (readFinish(ended) !== "failed") continue;
    const error = ended["error"];
    if (typeof error === "object" && error !== null) return { error };
    const reason = readWord(ended["native_finish_reason"]) ?? readWord(ended["finish_reason"]) ?? "";
    return {
      error: { message: `The response broke off at the provider (${reason}).`, type: "server_error", code: reason },
    };
  }
  return null;
}
