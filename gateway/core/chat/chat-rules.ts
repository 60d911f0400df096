import { asList, isRecord } from "../../lib/records.ts";
import { GatewayError } from "../errors.ts";
import type { ModelSpec } from "../models/model.ts";

/** A checked body of `POST /v1/chat/completions`. */
export type ChatBody = Readonly<Record<string, unknown>>;

export interface RuledBody {
  /** The body that was given, or a changed copy of it. */
  readonly body: ChatBody;
  readonly changed: boolean;
}

/**
 * Fields that reasoning models ignore silently (docs/specification.md#post-v1chatcompletions, rule 1); `temperature`
 * only if it is not 1.
 */
const IGNORED_WHEN_REASONING = [
  "top_p",
  "stop",
  "frequency_penalty",
  "presence_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "modalities",
  "audio",
  "prediction",
] as const;
const DEFAULT_TEMPERATURE = 1;

/** Only useful next to `tools` (docs/specification.md#chat). */
const NEEDS_TOOLS = ["tool_choice", "parallel_tool_calls"] as const;

/** `tool_choice` values of the common chat API, and Mistral's `any`. Another string names a tool. */
const TOOL_CHOICE_WORDS: ReadonlySet<unknown> = new Set(["auto", "none", "required", "any"]);

/** Names of gpt-5 and later GPT models and of the o-series, for models that the catalog lacks. */
const REASONING_NAME = /^(gpt-([5-9]|\d\d)|o\d)([.-]|$)/;
/** Their relatives that do not reason. */
const PLAIN_NAME = /-(chat|image|audio|realtime|transcribe|tts|search)(-|$)/;

/**
 * The rules that tie the fields of a chat request to its model and to each other
 * (docs/specification.md#post-v1chatcompletions, "Rules"; docs/specification.md#chat). Never changes `body`: a changed
 * copy is made only where a rule applies. Own `__proto__` fields stay plain data in the copy, because spreading defines
 * fields and does not assign them.
 *
 * @param body passed `chatRequestSchema`; `null` fields count as absent.
 * @param model null for models that only a provider's list knows: their `reasoning_effort` is left to the provider.
 * @param id the model's own id, where `body` may have another name for it.
 * @throws GatewayError for fields that conflict with each other or the model (400).
 */
export function applyChatRules(body: ChatBody, model: ModelSpec | null, id: unknown = body["model"]): RuledBody {
  const dropped: string[] = [];
  if (dropsSampling(id, model)) dropIgnored(body, dropped);

  checkEffort(body["reasoning_effort"], model);
  if (has(body, dropped, "stream_options") && body["stream"] !== true) {
    throw createRefusal("stream_options", "'stream_options' is only accepted together with 'stream': true.");
  }
  if (has(body, dropped, "top_logprobs") && !(has(body, dropped, "logprobs") && body["logprobs"] === true)) {
    throw createRefusal("top_logprobs", "'top_logprobs' is only accepted together with 'logprobs': true.");
  }
  if (has(body, dropped, "audio") && !asksForAudio(has(body, dropped, "modalities") ? body["modalities"] : null)) {
    throw createRefusal("audio", `'audio' is only accepted when 'modalities' holds "audio", as in ["text", "audio"].`);
  }

  const tools = getTools(body);
  if (tools.length === 0) for (const field of NEEDS_TOOLS) if (field in body) dropped.push(field);
  const named = tools.length === 0 ? null : namedTool(body["tool_choice"], tools);
  if (dropped.length === 0 && named === null) return { body, changed: false };

  const copy: Record<string, unknown> = { ...body };
  for (const field of dropped) delete copy[field];
  if (named !== null) copy["tool_choice"] = named;
  return { body: copy, changed: true };
}

function has(body: ChatBody, dropped: readonly string[], field: string): boolean {
  return body[field] != null && !dropped.includes(field);
}

function dropsSampling(id: unknown, model: ModelSpec | null): boolean {
  if (model !== null) return model.reasoning?.dropsSampling === true;
  const name = typeof id === "string" ? id.slice(id.lastIndexOf("/") + 1) : "";
  return REASONING_NAME.test(name) && !PLAIN_NAME.test(name);
}

function dropIgnored(body: ChatBody, dropped: string[]): void {
  const temperature = body["temperature"];
  if (temperature != null && temperature !== DEFAULT_TEMPERATURE) dropped.push("temperature");
  for (const field of IGNORED_WHEN_REASONING) if (body[field] != null) dropped.push(field);
}

/** An empty list means unknown values: the provider decides. */
function checkEffort(effort: unknown, model: ModelSpec | null): void {
  if (typeof effort !== "string") return;
  const accepted = model?.reasoning?.efforts;
  // Claude has no such effort, but a switch for thinking (codecs/chat-to-messages/thinking.ts).
  if (effort === "none" && model?.owner === "anthropic") return;
  if (accepted === undefined || accepted.length === 0 || accepted.includes(effort)) return;
  // The message has OpenAI's wording, which clients parse to choose another value.
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value: 'reasoning_effort' does not support '${effort.slice(0, 40)}' with this model. ` +
      `Supported values are: ${quotedList(accepted)}.`,
    { param: "reasoning_effort" },
  );
}

/** `'low', 'medium', and 'high'`. */
function quotedList(values: readonly string[]): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? "";
  if (quoted.length === 0) return last;
  return quoted.length === 1 ? `${quoted[0] ?? ""} and ${last}` : `${quoted.join(", ")}, and ${last}`;
}

function asksForAudio(modalities: unknown): boolean {
  return Array.isArray(modalities) && modalities.includes("audio");
}

function getTools(body: ChatBody): readonly unknown[] {
  const tools = body["tools"];
  return asList(tools);
}

/**
 * Converts `"tool_choice": "get_weather"` to the form that providers take. A value that names no tool is meant for
 * another provider (GitHub Copilot's `validated` for Gemini): then the model decides. Null if nothing changes.
 */
function namedTool(choice: unknown, tools: readonly unknown[]): unknown {
  if (typeof choice !== "string" || TOOL_CHOICE_WORDS.has(choice)) return null;
  if (tools.some((tool) => getFunctionName(tool) === choice)) return { type: "function", function: { name: choice } };
  return "auto";
}

function getFunctionName(tool: unknown): unknown {
  const declared = isRecord(tool) ? tool["function"] : null;
  return isRecord(declared) ? declared["name"] : null;
}

function createRefusal(param: string, message: string): GatewayError {
  return new GatewayError("invalid_value", message, { param });
}
