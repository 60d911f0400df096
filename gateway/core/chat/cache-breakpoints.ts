import type { JsonPath } from "../../lib/json-paths.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { estimatePromptTokens } from "../money/prompt-tokens.ts";
import { BILLING_LINE } from "./billing-line.ts";

/**
 * Cache breakpoints of a prompt: the provider caches everything up to and including a marked block, in the order tools,
 * system, messages, and reuses it if a later request has the same prefix. At most four
 * (docs/providers/anthropic.md#prompt-caching).
 */

type Fields = Readonly<Record<string, unknown>>;

/** Marks a block for caching for five minutes. */
export const CACHE_MARK = { cache_control: { type: "ephemeral" } } as const;

/**
 * Returns the paths to mark: the last tool, the end of the system prompt, and the last two user turns. The previous
 * request wrote the cache at the earlier of these, so this request hits it however many blocks were added. Each path
 * leads to an object, which gets the mark, or to a text, which becomes a marked block.
 * @param body in the provider's dialect.
 * @param least min tokens that the provider caches.
 */
export function listCacheBreakpoints(body: Fields, dialect: "chat" | "messages", least: number): readonly JsonPath[] {
  const marked: JsonPath[] = [];
  const prefix = new Prefix(body, least);
  const messages = asList(body["messages"]);
  // The chat API only marks parts of messages; tools come before them and are therefore cached as well.
  if (dialect === "messages") {
    const tool = asList(body["tools"]).findLastIndex(isSentTool);
    if (tool !== -1 && prefix.isEnough("tools")) marked.push(["tools", tool]);
    const block = findBlock(body["system"], isSystemText);
    if (block !== null && prefix.isEnough("system")) marked.push(["system", ...block]);
  }
  const leading = dialect === "chat" ? leadingInstructions(messages) : -1;
  const turns = findLastUserTurns(messages, dialect === "chat" ? isText : isCacheable);
  for (const [index, block] of [...getInstructions(messages, leading), ...turns]) {
    if (prefix.isEnough(index)) marked.push(["messages", index, "content", ...block]);
  }
  return marked;
}

/** Tells whether the client has set its own cache marks anywhere in the request, in any dialect. */
export function setsCacheMarks(body: Fields): boolean {
  return "cache_control" in body || IN_PROMPT.some((field) => isMarked(body[field]));
}

const IN_PROMPT = ["tools", "functions", "system", "messages", "input"] as const;
/** Fields that hold nested blocks. Arguments and schemas of tools are left out, because they may contain any name. */
const INSIDE = ["content", "output", "function", "tool_calls", "tools"] as const;

function isMarked(value: unknown): boolean {
  if (Array.isArray(value)) return (value as readonly unknown[]).some(isMarked);
  if (!isRecord(value)) return false;
  return "cache_control" in value || INSIDE.some((field) => isMarked(value[field]));
}

/** Counts the tokens up to the end of a part of the prompt, and stops once the answer is known. */
class Prefix {
  readonly #parts: (readonly [end: "tools" | "system" | number, part: Fields])[];
  readonly #least: number;
  #tokens = 0;

  constructor(body: Fields, least: number) {
    this.#least = least;
    this.#parts = [
      ["tools", { tools: body["tools"] }],
      ["system", { system: body["system"] }],
      ...asList(body["messages"]).map((message, index) => [index, { messages: [message] }] as const),
    ];
  }

  /** Asked in the order of the prompt. */
  isEnough(end: "tools" | "system" | number): boolean {
    while (this.#tokens < this.#least) {
      const [next] = this.#parts;
      if (next === undefined || isAfter(next[0], end)) return false;
      this.#parts.shift();
      this.#tokens += estimatePromptTokens(next[1]);
    }
    return true;
  }
}

const ORDER = { tools: -2, system: -1 } as const;
const getPlace = (end: "tools" | "system" | number): number => (typeof end === "number" ? end : ORDER[end]);
const isAfter = (one: "tools" | "system" | number, other: "tools" | "system" | number): boolean =>
  getPlace(one) > getPlace(other);

type Place = readonly [message: number, block: JsonPath];

/** Returns the index of the last leading instruction message of a chat; -1 if there is no such message. */
function leadingInstructions(messages: readonly unknown[]): number {
  const first = messages.findIndex((each) => !["system", "developer"].includes(getRole(each)));
  return (first === -1 ? messages.length : first) - 1;
}

function getInstructions(messages: readonly unknown[], index: number): readonly Place[] {
  const block = getContentBlock(messages[index], isText);
  return block === null ? [] : [[index, block]];
}

/**
 * Returns the ends of the last two user turns, the earlier first. A turn is everything between two messages of the
 * model, tool results included.
 */
function findLastUserTurns(messages: readonly unknown[], isBlock: (block: Fields) => boolean): readonly Place[] {
  const places: Place[] = [];
  let isFound = false;
  for (let index = messages.length - 1; index >= 0 && places.length < 2; index -= 1) {
    const role = getRole(messages[index]);
    if (role === "assistant") isFound = false;
    if (isFound || (role !== "user" && role !== "tool")) continue;
    const block = getContentBlock(messages[index], isBlock);
    if (block === null) continue;
    places.unshift([index, block]);
    isFound = true;
  }
  return places;
}

const getRole = (message: unknown): string => (isRecord(message) ? String(message["role"]) : "");

const getContentBlock = (message: unknown, isBlock: (block: Fields) => boolean): JsonPath | null =>
  isRecord(message) ? findBlock(message["content"], isBlock) : null;

/** Returns the last block that can be marked; the content itself if it is a text. */
function findBlock(content: unknown, isBlock: (block: Fields) => boolean): JsonPath | null {
  if (typeof content === "string") return content.trim() === "" ? null : [];
  const index = asList(content).findLastIndex((block) => isRecord(block) && isBlock(block));
  return index === -1 ? null : [index];
}

/** Empty texts cannot be marked. */
function isText({ type, text }: Fields): boolean {
  return type === "text" && typeof text === "string" && text.trim() !== "";
}

/** Claude Code's line is another one each time. */
const isSystemText = (block: Fields): boolean => isText(block) && !BILLING_LINE.test(String(block["text"]));

/** Deferred tools are not in the prompt, and the provider refuses a mark on them. */
function isSentTool(tool: unknown): boolean {
  return isRecord(tool) && ("name" in tool || "type" in tool) && tool["defer_loading"] !== true;
}

const CACHEABLE: ReadonlySet<unknown> = new Set(["image", "document", "search_result", "tool_result"]);
const isCacheable = (block: Fields): boolean => isText(block) || CACHEABLE.has(block["type"]);
