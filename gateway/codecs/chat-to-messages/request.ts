import { GatewayError } from "../../core/errors.ts";
import { readNumber, readText } from "../messages-to-chat/fields.ts";
import type { ToolNames } from "../messages-to-chat/tool-names.ts";
import type { Document, TranslationContext } from "../translation.ts";
import { buildClaudeModel } from "./claude-model.ts";
import type { ClaudeModel } from "./claude-model.ts";
import { readConversation } from "./conversation.ts";
import type { Message } from "./conversation.ts";
import { structuredOutput, withResponseTool } from "./structured-output.ts";
import { readThinking } from "./thinking.ts";
import type { Thinking } from "./thinking.ts";
import { claudeTools, isForced, buildToolsOfHistory } from "./tools.ts";

/** A chat request in Anthropic's dialect. */
export interface ClaudeRequest {
  readonly body: Document;
  /** The tool whose input is the response; null: the response is text. */
  readonly outputTool: string | null;
}

/**
 * A chat request in Anthropic's dialect (docs/dialects.md#chat-request-to-messages). Dropped, because Claude models
 * have nothing like it: penalties, `seed`, `logit_bias`, `logprobs`, `prediction`, `verbosity`, `store`, `metadata`,
 * `service_tier`, and fields that are not known.
 * @throws GatewayError for `n` above 1, `functions`, audio, and media that Claude models do not take (400).
 */
export function buildClaudeRequest(body: Document, context: TranslationContext, names: ToolNames): ClaudeRequest {
  refuseUnsayable(body);
  const claude = buildClaudeModel(context.publicModel, context.model);
  const { system, messages } = readConversation(body["messages"], names);
  const own = claudeTools(body, names);
  const output = structuredOutput(body["response_format"], claude, own);
  const declared = own.tools.length === 0 ? buildToolsOfHistory(messages) : own;
  const { tools, choice } = output.tool === null ? declared : withResponseTool(declared, output.tool);
  const maxTokens = limit(body, claude);
  const thinking = readThinking(body, claude, { maxTokens, forced: isForced(choice), messages });
  const instructions = output.instruction === null ? system : [...system, { type: "text", text: output.instruction }];
  const outputTool = output.tool !== null && tools.includes(output.tool) ? readText(output.tool["name"]) : null;
  return {
    outputTool,
    body: {
      model: context.publicModel,
      max_tokens: maxTokens,
      ...(instructions.length === 0 ? {} : { system: instructions }),
      messages: claude.isAdaptive ? endingWithUser(messages) : withoutTrailingSpace(messages),
      ...(body["stream"] === true ? { stream: true } : {}),
      ...(tools.length === 0 ? {} : { tools }),
      ...(choice === null ? {} : { tool_choice: choice }),
      ...(thinking.thinking === null ? {} : { thinking: thinking.thinking }),
      ...buildOutputConfig(thinking.effort, output.format),
      ...buildSampling(body, claude, thinking),
      ...stopSequences(body["stop"]),
      ...buildMetadata(body),
    },
  };
}

function refuseUnsayable(body: Document): void {
  const responses = readNumber(body["n"]) ?? 1;
  if (responses > 1) {
    throw createRefusal(
      "n",
      `Claude models give one response: 'n' is ${responses}; expected 1 with stream: true. Send one request for each response, or use no stream.`,
    );
  }
  if (Array.isArray(body["functions"]) && body["functions"].length > 0) {
    throw createRefusal(
      "functions",
      "'functions' is deprecated, and Claude models do not take it: use 'tools' instead.",
    );
  }
  if (Array.isArray(body["modalities"]) && body["modalities"].includes("audio")) {
    throw createRefusal(
      "modalities",
      `Claude models respond in text only: 'modalities' holds "audio"; expected ["text"].`,
    );
  }
}

function createRefusal(param: string, sentence: string): GatewayError {
  return new GatewayError("unsupported_value", sentence, { param });
}

/** Anthropic wants a limit; without one from the client this is it, or the model's own where that is lower. */
const DEFAULT_LIMIT = 32_000;

function limit(body: Document, claude: ClaudeModel): number {
  const maxTokens = readNumber(body["max_completion_tokens"]) ?? readNumber(body["max_tokens"]) ?? DEFAULT_LIMIT;
  return Math.min(maxTokens, claude.maxOutput ?? maxTokens);
}

function buildOutputConfig(effort: string | null, format: Document | null): Document {
  if (effort === null && format === null) return {};
  return { output_config: { ...(effort === null ? {} : { effort }), ...(format === null ? {} : { format }) } };
}

/**
 * Returns one of the two fields, because models from 4.5 on refuse both, and neither with thinking, which requires the
 * default. Anthropic's max temperature is 1.
 */
function buildSampling(body: Document, claude: ClaudeModel, { thinking }: Thinking): Document {
  const thinks = thinking !== null && thinking["type"] !== "disabled";
  if (!claude.takesSampling || thinks) return {};
  const temperature = readNumber(body["temperature"]);
  if (temperature !== null) return { temperature: Math.min(temperature, 1) };
  const topP = readNumber(body["top_p"]);
  return topP === null ? {} : { top_p: topP };
}

/** Anthropic refuses whitespace-only sequences. */
function stopSequences(stop: unknown): Document {
  const given = Array.isArray(stop) ? (stop as readonly unknown[]) : [stop];
  const sequences = given.filter((sequence) => typeof sequence === "string" && sequence.trim() !== "");
  return sequences.length === 0 ? {} : { stop_sequences: sequences };
}

/** Anthropic's limit, from memory of its reference; a cut id could make one user of two. */
const LONGEST_USER = 256;

function buildMetadata(body: Document): Document {
  const user = readText(body["user"]) ?? readText(body["safety_identifier"]);
  return user === null || user.length > LONGEST_USER ? {} : { metadata: { user_id: user } };
}

/**
 * Claude models from 4.6 on do not continue a prefilled response (the first such version is a guess: the reference does
 * not say); a user message after it makes them do so.
 */
function endingWithUser(messages: readonly Message[]): readonly Message[] {
  if (messages.at(-1)?.role !== "assistant") return messages;
  return [...messages, { role: "user", content: [{ type: "text", text: "Continue." }] }];
}

/** Earlier ones go on with it, but refuse white space at its end. */
function withoutTrailingSpace(messages: readonly Message[]): readonly Message[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  const text = readText(block?.["text"]);
  if (last?.role !== "assistant" || block?.["type"] !== "text" || text === null) return messages;
  const trimmed = { ...block, text: text.trimEnd() };
  return [...messages.slice(0, -1), { role: last.role, content: [...last.content.slice(0, -1), trimmed] }];
}
