import type { ModelSpec } from "../../core/models/model.ts";
import { type Exchange, getModel } from "../exchange.ts";
import { invalidValue, missing } from "../failure.ts";
import { ownEntry, type Fields, getNumber, getRecord, getRecords, getText } from "../fields.ts";
import { countTokens } from "../tokens.ts";
import { asList, isRecord } from "../../lib/records.ts";

/** A message, as far as the sandbox reads it. */
export interface Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Text of all its blocks, one per line. */
  readonly text: string;
  /** Labels of other blocks, as `an image (image/png, 70 bytes)`, named in the response, so that clients see them arrive. */
  readonly attachments: readonly string[];
  /** Ids and names of an assistant message's tool calls. */
  readonly calls: readonly { readonly id: string; readonly name: string }[];
  /** Id of the call that a tool's message responds to. */
  readonly callId: string | null;
  /** Prompt tokens of the message, framing included. */
  readonly tokens: number;
}

/** A tool of the request. `custom` tools take free text; the others take JSON that fits `parameters`. */
export interface Tool {
  readonly kind: "function" | "custom";
  readonly name: string;
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: unknown;
}

/** Which tools may or must be called. */
export interface ToolChoice {
  readonly mode: "none" | "auto" | "required";
  /** The only ones that may be called; null: any. */
  readonly only: readonly string[] | null;
}

/** A chat request (docs/providers/openai.md#chat), as needed for planning a response. */
export interface ChatRequest {
  /** The client's model name, repeated in the response. */
  readonly model: string;
  readonly spec: ModelSpec;
  readonly messages: readonly Message[];
  readonly choices: number;
  /** Empty ones are dropped, because they would stop every response before its start. */
  readonly stop: readonly string[];
  /** Max tokens per choice, reasoning included; null: unlimited. */
  readonly maxTokens: number | null;
  readonly format: "text" | "json_object" | { readonly schema: unknown };
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly parallelCalls: boolean;
  /** How many alternatives to name for each token; null: no log probabilities. */
  readonly topLogprobs: number | null;
  readonly samplingSeed: number | null;
  /** Whether it enables or disables reasoning; null if not given. */
  readonly reasons: boolean | null;
  readonly effort: string | null;
  /** Whether the client marks this prompt as repeated. */
  readonly isRepeated: boolean;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** Tokens of the tool definitions, which are part of the prompt. */
  readonly toolTokens: number;
}

const MOST_STOPS = 4;

/**
 * Reads a body of the chat dialect.
 * @throws Failure (404) for an unknown model, (400) for errors that the gateway leaves to providers
 */
export function getChatRequest(body: Fields, exchange: Exchange): ChatRequest {
  const spec = getModel(exchange, body["model"], "chat");
  const sampling = spec.reasoning?.dropsSampling === true ? {} : body;
  const stop = Array.isArray(sampling["stop"]) ? asList(sampling["stop"]) : [sampling["stop"]];
  if (stop.length > MOST_STOPS) throw invalidValue("stop", `it takes at most ${MOST_STOPS}.`);
  const tools = getRecords(body["tools"]).flatMap(getTool);
  return {
    model: String(body["model"]),
    spec,
    messages: getRecords(body["messages"]).map(getMessage),
    choices: getNumber(body["n"]) ?? 1,
    stop: stop.flatMap((text) => getText(text) || []),
    maxTokens: getNumber(body["max_completion_tokens"]) ?? getNumber(body["max_tokens"]) ?? null,
    format: getFormat(getRecord(body["response_format"])),
    tools,
    toolChoice: getToolChoice(body["tool_choice"], tools),
    parallelCalls: body["parallel_tool_calls"] !== false,
    topLogprobs: sampling["logprobs"] === true ? (getNumber(sampling["top_logprobs"]) ?? 0) : null,
    samplingSeed: getNumber(body["seed"]) ?? null,
    reasons: findReasoning(body),
    effort: getText(body["reasoning_effort"]) ?? null,
    isRepeated: (getText(body["prompt_cache_key"]) ?? "") !== "",
    stream: body["stream"] === true,
    includeUsage: getRecord(body["stream_options"])["include_usage"] === true,
    toolTokens: tools.length === 0 ? 0 : countTokens(JSON.stringify(body["tools"])),
  };
}

/**
 * Reads whether reasoning is on, from any field of this dialect's providers: `reasoning_effort`, `thinking` (Anthropic, Ark,
 * DeepSeek), `enable_thinking` (DashScope).
 */
function findReasoning(body: Fields): boolean | null {
  const thinking = getRecord(body["thinking"])["type"];
  if (thinking === "disabled" || body["enable_thinking"] === false) return false;
  if (thinking !== undefined || body["enable_thinking"] === true) return true;
  return typeof body["reasoning_effort"] === "string" ? true : null;
}

function getFormat({ type, json_schema: named }: Fields): ChatRequest["format"] {
  if (type === undefined || type === "text") return "text";
  if (type === "json_object") return type;
  if (type !== "json_schema") throw invalidValue("response_format.type", "use text, json_object or json_schema.");
  const { name, schema } = getRecord(named);
  if (typeof name !== "string") throw missing("response_format.json_schema.name");
  return { schema: schema ?? {} };
}

/** Unknown kinds are skipped. */
function getTool(tool: Fields, index: number): readonly Tool[] {
  const kind = tool["type"];
  if (kind !== "function" && kind !== "custom") return [];
  const { name, description, parameters } = getRecord(tool[kind]);
  if (typeof name !== "string" || name === "") throw missing(`tools[${index}].${kind}.name`);
  return [{ kind, name, description: getText(description) ?? "", parameters: parameters ?? { type: "object" } }];
}

/** A string, one tool, or `allowed_tools`. Ignored without tools. */
function getToolChoice(value: unknown, tools: readonly Tool[]): ToolChoice {
  if (tools.length === 0) return { mode: "none", only: null };
  if (value === "none" || value === "required") return { mode: value, only: null };
  if (!isRecord(value)) return { mode: "auto", only: null };
  const allowed = value["type"] === "allowed_tools" ? getRecord(value["allowed_tools"]) : null;
  const only = (allowed === null ? [value] : getRecords(allowed["tools"])).map((choice) =>
    String(getRecord(choice[String(choice["type"])])["name"]),
  );
  const unknown = only.find((name) => tools.every((tool) => tool.name !== name));
  if (unknown !== undefined) throw invalidValue("tool_choice", `'${unknown.slice(0, 128)}' is not among the tools.`);
  return { mode: allowed === null || allowed["mode"] === "required" ? "required" : "auto", only };
}

/** Tokens that a dialect adds to each message for its role and its ends. */
const FRAMING_TOKENS = 3;

function getMessage(message: Fields): Message {
  const { role, content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : getRecords(content);
  const others = blocks.flatMap((block) => (findWords(block) === undefined ? [getAttachment(block)] : []));
  const text = blocks.flatMap((block) => findWords(block) ?? []).join("\n");
  const calls = getRecords(message["tool_calls"]).map(getCall);
  const named = message["name"] === undefined ? 0 : 1;
  return {
    role: role === "user" || role === "assistant" ? role : role === "tool" || role === "function" ? "tool" : "system",
    text,
    attachments: others.map(({ description }) => description),
    calls,
    callId: getText(message["tool_call_id"]) ?? null,
    tokens: [...others, ...calls].reduce((sum, { tokens }) => sum + tokens, FRAMING_TOKENS + countTokens(text) + named),
  };
}

function findWords(block: Fields): string | undefined {
  return getText(block["type"] === "refusal" ? block["refusal"] : block["type"] === "text" ? block["text"] : undefined);
}

function getCall(call: Fields): { id: string; name: string; tokens: number } {
  const detail = getRecord(call["function"] ?? call["custom"]);
  const name = getText(detail["name"]) ?? "";
  const input = getText(detail["arguments"]) ?? getText(detail["input"]) ?? "";
  return { id: getText(call["id"]) ?? "", name, tokens: FRAMING_TOKENS + countTokens(name) + countTokens(input) };
}

/** Names of non-text blocks, and the tokens each adds to a prompt: a flat, plausible figure for its kind. */
const KINDS: Readonly<Record<string, readonly [name: string, tokens: number]>> = {
  image_url: ["an image", 765],
  video_url: ["a video", 1_000],
  audio_url: ["an audio clip", 100],
  input_audio: ["an audio clip", 100],
  file: ["a file", 250],
};
const SMALL_IMAGE_TOKENS = 85;
const LONGEST_PLACE = 120;

function getAttachment(block: Fields): { description: string; tokens: number } {
  const type = String(block["type"]);
  const [name, tokens] = ownEntry(KINDS, type) ?? [];
  if (name === undefined || tokens === undefined) {
    return { description: `a content block of type ${type.slice(0, 40)}`, tokens: 10 };
  }
  const detail = getRecord(block[type]);
  if (type === "input_audio" && typeof detail["data"] !== "string") throw missing("input_audio.data");
  return {
    description: `${name} (${getPlace(getText(block[type]) ?? detail)})`,
    tokens: detail["detail"] === "low" ? SMALL_IMAGE_TOKENS : tokens,
  };
}

/** Describes an attachment by its address or its own fields. @param detail its address alone, or its fields */
function getPlace(detail: string | Fields): string {
  if (typeof detail !== "string") {
    const { url, data, format, filename, file_id: id, file_data: file } = detail;
    if (typeof data === "string") return `${getText(format) ?? "no format"}, ${bytesOfBase64(data)} bytes`;
    const name = (getText(filename) ?? getText(id) ?? "no name").slice(0, LONGEST_PLACE);
    if (typeof file === "string") return `${name}, ${bytesOfBase64(file.slice(file.indexOf(",") + 1))} bytes`;
    return typeof url === "string" ? getPlace(url) : name;
  }
  if (!detail.startsWith("data:")) {
    return detail.length > LONGEST_PLACE ? `${detail.slice(0, LONGEST_PLACE)}…` : detail;
  }
  const comma = detail.indexOf(",");
  const mediaType = detail.slice("data:".length, comma).split(";")[0] ?? "";
  return `${mediaType || "no media type"}, ${bytesOfBase64(detail.slice(comma + 1))} bytes`;
}

/** Returns the decoded size of a base64 text. */
function bytesOfBase64(text: string): number {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor((text.length * 3) / 4) - padding);
}
