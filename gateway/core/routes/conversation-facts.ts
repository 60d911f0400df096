import type { ContextParts } from "../../contract/context-parts.ts";
import type { RequestKind } from "../../contract/routed.ts";
import { isRecord } from "../../lib/records.ts";
import { estimatePromptTokens } from "../money/prompt-tokens.ts";
import { contextSizes } from "../sessions/context-parts.ts";
import type { ClientHeaders } from "../sessions/identity.ts";
import { getClientSigns, isCodex } from "./client-headers.ts";
import type { ClientSigns } from "./client-headers.ts";
import { createGoogleFields, findOffered } from "./offered-tools.ts";
import type { Offered } from "./offered-tools.ts";
import { getContents } from "./prompt-contents.ts";
import type { PromptContents } from "./prompt-contents.ts";
import type { Need, RequestFacts } from "./request-facts.ts";
import { likelyTokens } from "./text-input.ts";
import {
  hasTitleSchema,
  isBackground,
  isCompaction,
  isTitle,
  respondsInSchema,
  findRequestTexts,
} from "./side-calls.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A conversation as its client sent it. */
export interface ConversationRequest {
  readonly dialect: "chat" | "messages" | "responses";
  readonly body: Fields;
  /** Headers of the request; callers within Postern have no headers. */
  readonly headers: ClientHeaders;
  /** The session from the client's identity; null if not sent. */
  readonly session: string | null;
  /** How long the body is. */
  readonly bytes: number;
}

/**
 * Creates the facts of a conversation for routes. Each is computed on first use and cached; the body must not change.
 */
export function createConversationFacts(request: ConversationRequest): RequestFacts {
  return new ConversationFacts(request);
}

const NO_KINDS: readonly RequestKind[] = [];
const NO_NEEDS: readonly Need[] = [];

class ConversationFacts implements RequestFacts {
  readonly #request: ConversationRequest;
  #kinds: readonly RequestKind[] | null = null;
  #needs: readonly Need[] | null = null;
  #offered: Offered | null = null;
  #contents: PromptContents | null = null;
  #inputTokens: number | null = null;

  constructor(request: ConversationRequest) {
    this.#request = request;
  }

  get kinds(): readonly RequestKind[] {
    this.#kinds ??= this.#findKinds();
    return this.#kinds;
  }

  get needs(): readonly Need[] {
    this.#needs ??= this.#findNeeds();
    return this.#needs;
  }

  inputTokens(): number {
    const { body, bytes } = this.#request;
    this.#inputTokens ??= estimatePromptTokens(body, likelyTokens(bytes));
    return this.#inputTokens;
  }

  get outputTokens(): number | null {
    const { dialect, body } = this.#request;
    // `max_tokens` is chat's older word for `max_completion_tokens`.
    if (dialect === "responses") return computeBound(body["max_output_tokens"]);
    if (dialect === "messages") return computeBound(body["max_tokens"]);
    return computeBound(body["max_completion_tokens"]) ?? computeBound(body["max_tokens"]);
  }

  get session(): string | null {
    return this.#request.session;
  }

  context(): ContextParts {
    return contextSizes(this.#request.body);
  }

  get unsafe(): boolean {
    return this.#tools().executes;
  }

  #tools(): Offered {
    this.#offered ??= findOffered(this.#request.body);
    return this.#offered;
  }

  #media(): PromptContents {
    this.#contents ??= getContents(this.#request.body);
    return this.#contents;
  }

  #findKinds(): readonly RequestKind[] {
    const { body, headers } = this.#request;
    const { tools, webSearch } = this.#tools();
    const { pictures, files } = this.#media();
    const signs = withBillingLine(getClientSigns(headers, body), body["system"]);
    const thinking = isThinking(body);
    const side = this.#sideCall(signs, thinking);
    const kinds: RequestKind[] = [];
    // A title is made next to the conversation like all that is in the background.
    if (side !== null) kinds.push("background");
    if (side === "title") kinds.push("title");
    if (signs.isSubagent) kinds.push("subagent");
    if (thinking) kinds.push("thinking");
    if (pictures) kinds.push("pictures");
    if (files) kinds.push("files");
    if (tools) kinds.push("tools");
    if (webSearch && this.#asksForSearch(tools)) kinds.push("web_search");
    return kinds.length === 0 ? NO_KINDS : kinds;
  }

  /** Codex offers its search in every request, so it counts only if it is used or is the only tool. */
  #asksForSearch(tools: boolean): boolean {
    const { body, headers } = this.#request;
    return !isCodex(headers) || !tools || mustSearch(body["tool_choice"]) || hasRecentSearch(body["input"]);
  }

  /**
   * Detects side calls of a client. Claude Code's stated request class is used; without one, side calls of agents lack
   * the tools and thinking of their turns: session titles, summaries of pages and commands, a quota probe (`max_tokens:
   * 1`), for any model. Claude Code also judges or explains a command with a forced tool (`classify_result`,
   * `explain_command`). For other clients the instructions decide.
   */
  #sideCall(signs: ClientSigns, thinking: boolean): "title" | "background" | null {
    const { body } = this.#request;
    const { tools, webSearch } = this.#tools();
    const texts = findRequestTexts(body);
    // Qwen Code's side calls use a single forced tool.
    const inSchema = tools && !webSearch && signs.isAgent && respondsInSchema(body);
    const isPlain = (!tools && !webSearch) || inSchema;
    if (signs.requestClass === "main" || signs.requestClass === "compaction" || isCompaction(texts)) return null;
    if (isPlain && (isTitle(texts) || isAgentsTitle(signs, body))) return "title";
    if (signs.requestClass === "auxiliary" || signs.isMemory || inSchema || isBackground(texts)) return "background";
    if (thinking || signs.isSubagent || !signs.isAgent) return null;
    return isPlain || (signs.isClaudeCode && tools && mustCall(body["tool_choice"])) ? "background" : null;
  }

  #findNeeds(): readonly Need[] {
    const { body } = this.#request;
    const { tools, webSearch } = this.#tools();
    const { pictures, files } = this.#media();
    const needs: Need[] = [];
    if (pictures) needs.push("pictures");
    if (files) needs.push("files");
    if (tools) needs.push("tools");
    if (findSchema(body) !== null) needs.push("json_schema");
    if (webSearch) needs.push("web_search");
    return needs.length === 0 ? NO_NEEDS : needs;
  }
}

const mustCall = (choice: unknown): boolean => isRecord(choice) && choice["type"] === "tool";

function mustSearch(choice: unknown): boolean {
  return isRecord(choice) && typeof choice["type"] === "string" && choice["type"].startsWith("web_search");
}

/** Whether a search was made since the person spoke last. */
function hasRecentSearch(items: unknown): boolean {
  if (!Array.isArray(items)) return false;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item: unknown = items[index];
    if (!isRecord(item)) continue;
    if (item["type"] === "web_search_call") return true;
    if (item["role"] === "user") return false;
  }
  return false;
}

/** Titles of Claude Code by their schema; of opencode by what they are without: tools, and a response before. */
function isAgentsTitle({ isClaudeCode, isOpencode }: ClientSigns, body: Fields): boolean {
  if (isClaudeCode) return hasTitleSchema(findSchema(body));
  const turns = body["messages"] ?? body["input"];
  const isBeginning = Array.isArray(turns) && !turns.some((turn) => isRecord(turn) && turn["role"] === "assistant");
  return isOpencode && isBeginning;
}

function computeBound(value: unknown): number | null {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? Math.ceil(value) : null;
}

/**
 * Claude Code's first block of `system` is not a prompt but metadata: `x-anthropic-billing-header: cc_version=…;
 * cc_entrypoint=cli; cc_is_subagent=true;` (docs/clients.md#claude-code).
 */
function withBillingLine(signs: ClientSigns, system: unknown): ClientSigns {
  const first: unknown = Array.isArray(system) ? system[0] : null;
  const line = isRecord(first) ? first["text"] : system;
  if (typeof line !== "string" || !line.startsWith("x-anthropic-billing-header:")) return signs;
  const isSubagent = signs.isSubagent || /^[^\n]*\bcc_is_subagent=true\b/.test(line);
  return { ...signs, isClaudeCode: true, isAgent: true, isSubagent };
}

/** Returns the response's required schema: chat, Responses, Anthropic and its earlier name. Null: no schema is required. */
function findSchema(body: Fields): unknown {
  const { response_format: chat, text, output_config: output, output_format: earlier } = body;
  if (isSchema(chat)) return isRecord(chat["json_schema"]) ? (chat["json_schema"]["schema"] ?? chat) : chat;
  for (const format of [isRecord(text) ? text["format"] : null, isRecord(output) ? output["format"] : null, earlier]) {
    if (isSchema(format)) return format["schema"] ?? format;
  }
  return null;
}

function isSchema(format: unknown): format is Fields {
  return isRecord(format) && format["type"] === "json_schema";
}

/** Efforts that ask for no reasoning, or for as little as there can be; Google writes them in capitals. */
const NO_EFFORT = /^(?:none|minimal)?$/i;

const asks = (effort: unknown): boolean =>
  typeof effort === "string" ? !NO_EFFORT.test(effort) : effort !== undefined && effort !== null;

/**
 * Tells whether the request asks for reasoning, as opposed to a model's default: Anthropic's `thinking` (`enabled`, or
 * `adaptive` as Claude Code sends it; DeepSeek, Zhipu, Moonshot and Ark use it in chat), OpenAI's `reasoning_effort`
 * (chat) and `reasoning.effort` (Responses), OpenRouter's `reasoning.max_tokens` and `enabled`, DashScope's
 * `enable_thinking`, vLLM's `chat_template_kwargs`, Google's `thinking_config`.
 */
function isThinking(body: Fields): boolean {
  const { thinking, reasoning, chat_template_kwargs: template } = body;
  if (isRecord(thinking)) {
    return (thinking["type"] === "enabled" || thinking["type"] === "adaptive") && thinking["budget_tokens"] !== 0;
  }
  // The on/off switch takes precedence over its settings.
  if (body["enable_thinking"] === false) return false;
  if (body["enable_thinking"] === true || asks(body["reasoning_effort"])) return true;
  if (isRecord(reasoning)) {
    const { effort, max_tokens: most, enabled } = reasoning;
    if (enabled === false) return false;
    if (enabled === true || asks(effort) || (typeof most === "number" && most > 0)) return true;
  }
  if (isRecord(template)) return template["enable_thinking"] === true || template["thinking"] === true;
  const google = createGoogleFields(body)?.["thinking_config"];
  if (!isRecord(google)) return false;
  const { thinking_budget: budget, thinking_level: level, include_thoughts: shown } = google;
  return (typeof budget === "number" && budget !== 0) || asks(level) || shown === true;
}
