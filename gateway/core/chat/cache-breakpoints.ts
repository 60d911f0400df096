import type { JsonPath } from "../../lib/json-paths.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { estimatePromptTokens } from "../money/prompt-tokens.ts";
import { BILLING_LINE } from "./billing-line.ts";

/**
 * The marks of a prompt for a provider's cache: the provider keeps what comes before and in a marked block, in the order
 * tools, system, messages, and reads it again if a later request begins with the same. Four marks at most
 * (docs/providers/anthropic.md#prompt-caching).
 */

type Fields = Readonly<Record<string, unknown>>;

/** The mark of a block that the cache keeps for five minutes. */
export const CACHE_MARK = { cache_control: { type: "ephemeral" } } as const;

/**
 * Paths of what is marked: the last tool, the end of the system prompt, and the last two turns of the user. The earlier of
 * these is where the request before wrote, so that this one finds it however many blocks were added. Each is the path of an
 * object, which takes the mark, or of a text, which becomes a block with it.
 * @param body in the dialect that goes out.
 * @param least tokens below which the provider caches nothing.
 */
export function listCacheBreakpoints(body: Fields, dialect: "chat" | "messages", least: number): readonly JsonPath[] {
  const marked: JsonPath[] = [];
  const prefix = new Prefix(body, least);
  const messages = asList(body["messages"]);
  // The chat API marks only parts of messages; tools come before them and are therefore cached as well.
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

/** Whether a client has set marks of its own, on the whole request or anywhere in it. In any dialect of conversation. */
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

/** How many tokens come before the end of a part of the prompt; counted no further than has to be known. */
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

/** Returns the index of the last message of a chat's leading instructions; -1 if it has no such message. */
function leadingInstructions(messages: readonly unknown[]): number {
  const first = messages.findIndex((each) => !["system", "developer"].includes(getRole(each)));
  return (first === -1 ? messages.length : first) - 1;
}

function getInstructions(messages: readonly unknown[], index: number): readonly Place[] {
  const block = getContentBlock(messages[index], isText);
  return block === null ? [] : [[index, block]];
}

/**
 * The ends of the last two turns of the user, the earlier first. A turn is all that stands between two messages of the
 * model, results of tools among it.
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

/** The last block of a content that can be marked; the content itself where it is a text. */
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

/** Tools whose definition is looked up later are not in the prompt, and the provider refuses a mark on them. */
function isSentTool(tool: unknown): boolean {
  return isRecord(tool) && ("name" in tool || "type" in tool) && tool["defer_loading"] !== true;
}

const CACHEABLE: ReadonlySet<unknown> = new Set(["image", "document", "search_result", "tool_result"]);
const isCacheable = (block: Fields): boolean => isText(block) || CACHEABLE.has(block["type"]);
