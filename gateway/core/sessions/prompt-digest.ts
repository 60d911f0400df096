import { sumText } from "../../lib/checksum.ts";
import { isRecord } from "../../lib/records.ts";
import { BILLING_LINE } from "../chat/billing-line.ts";

/**
 * Checksums of a prompt's parts, by which a later prompt of the conversation is compared. They stay in memory and are
 * never written: 32 bits of a short text could be guessed.
 */
export interface PromptDigest {
  readonly settings: number;
  readonly tools: number;
  readonly system: number;
  /** Checksums of the messages after the leading instructions. */
  readonly messages: Uint32Array;
  /** Longest lifetime of its cache marks; null without a mark. */
  readonly marks: CacheLifetime | null;
}

/** Lifetimes that a cache mark can ask for (docs/providers/anthropic.md#prompt-caching). */
export type CacheLifetime = "5m" | "1h";

type Fields = Readonly<Record<string, unknown>>;

/** Max messages of a digest; the rest are one. */
const MAX_MESSAGES = 4_096;

/**
 * Fields besides the prompt on which a cached prompt depends: at Anthropic the choice of tools, thinking and speed
 * (https://platform.claude.com/docs/en/build-with-claude/prompt-caching, 2026-11-30), at OpenAI the schema of the
 * response and the cache key (https://developers.openai.com/api/docs/guides/prompt-caching.md, 2026-11-30). The effort of
 * reasoning is a guess.
 */
const SETTINGS = [
  "tool_choice",
  "thinking",
  "speed",
  "output_config",
  "output_format",
  "response_format",
  "text",
  "prompt_cache_key",
  "reasoning",
  "reasoning_effort",
] as const;

/**
 * Digests a request as a provider gets it, in any dialect of conversation. One pass: a fifth of a millisecond for 730
 * kB.
 * @returns null if the provider has the conversation, so that the request is not the whole prompt
 */
export function digestPrompt(body: Fields): PromptDigest | null {
  if (typeof body["previous_response_id"] === "string" || isRecord(body["conversation"])) return null;
  const turns = body["messages"] ?? body["contents"] ?? body["input"];
  const list: readonly unknown[] = Array.isArray(turns) ? turns : [turns];
  const checksum = new Checksum();
  checksum.noteMark(body["cache_control"]);
  for (const name of SETTINGS) if (body[name] !== undefined) checksum.add(name, body[name]);
  const settings = checksum.take();
  checksum.add("tools", body["tools"] ?? body["functions"]);
  const tools = checksum.take();
  const system = body["system"] ?? body["instructions"] ?? body["systemInstruction"] ?? body["system_instruction"];
  checksum.add("system", withoutBillingLine(system));
  let first = 0;
  for (; isInstruction(list[first]); first += 1) checksum.add("system", list[first]);
  const instructions = checksum.take();
  const messages = new Uint32Array(Math.min(list.length - first, MAX_MESSAGES));
  for (let index = first; index < list.length; index += 1) {
    checksum.add("", list[index]);
    if (index - first < MAX_MESSAGES - 1 || index === list.length - 1)
      messages[Math.min(index - first, MAX_MESSAGES - 1)] = checksum.take();
  }
  return { settings, tools, system: instructions, messages, marks: checksum.marks };
}

function isInstruction(turn: unknown): boolean {
  return isRecord(turn) && (turn["role"] === "system" || turn["role"] === "developer");
}

/** The provider removes the line, which changes with each request. */
function withoutBillingLine(system: unknown): unknown {
  if (typeof system === "string") return system.replace(BILLING_LINE, "");
  if (!Array.isArray(system)) return system;
  return system.filter((block) => !isRecord(block) || !BILLING_LINE.test(String(block["text"])));
}

/** Longer texts are summed up without being joined to others. */
const LONG_TEXT = 128;

/**
 * Sums values up. Cache marks are left out, and a text is the same as a block of text: neither makes another prompt.
 */
class Checksum {
  marks: CacheLifetime | null = null;
  #sum = 0;
  /** Short texts in line: a call of `sumText` costs more than they do. */
  #short = "";

  add(name: string, value: unknown): void {
    if (name !== "text") this.#short += `${name}\u0001`;
    this.#value(value);
  }

  /** Returns the sum of what was added since the last time. */
  take(): number {
    const sum = sumText(this.#short, this.#sum);
    this.#short = "";
    this.#sum = 0;
    return sum;
  }

  noteMark(mark: unknown): void {
    if (!isRecord(mark) || mark["type"] !== "ephemeral") return;
    this.marks = this.marks === "1h" || mark["ttl"] === "1h" ? "1h" : "5m";
  }

  #value(value: unknown): void {
    if (typeof value === "string" && value.length > LONG_TEXT) {
      this.#sum = sumText(value, sumText(this.#short, this.#sum));
      this.#short = "";
    } else if (typeof value !== "object" || value === null) {
      this.#short += `${String(value)}\u0002`;
    } else if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) this.#value(value[index]);
    } else this.#fields(value as Fields);
  }

  #fields(fields: Fields): void {
    for (const name in fields) {
      const value = fields[name];
      if (name === "cache_control") this.noteMark(value);
      else if (name !== "type" || value !== "text") this.add(name, value);
    }
  }
}
