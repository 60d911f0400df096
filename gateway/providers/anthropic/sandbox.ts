import { ANTHROPIC_TYPES } from "../../core/errors.ts";
import { LEAST_BUDGET } from "../../codecs/chat-to-messages/thinking-budget.ts";
import { messagesToChat } from "../../codecs/messages-to-chat/translate.ts";
import { buildMessagesUsage } from "../../codecs/messages-to-chat/usage.ts";
import { asList, isRecord } from "../../lib/records.ts";
import { converse } from "../../sandbox/chat/converse.ts";
import { CACHE_STEP, LEAST_CACHED, promptTokens, type TokenCounts } from "../../sandbox/chat/plan.ts";
import { getChatRequest } from "../../sandbox/chat/request.ts";
import { translateExchange } from "../../sandbox/chat/translated.ts";
import { getBody, type Exchange, type Protocol, sendJson } from "../../sandbox/exchange.ts";
import { Failure } from "../../sandbox/failure.ts";
import { type Fields, getNumber, getRecord, getRecords, getText } from "../../sandbox/fields.ts";
import { createSeed } from "../../sandbox/seed.ts";

/** The sandbox as Anthropic (docs/providers/anthropic.md): the Messages API, translated into the chat dialect and back. */
export const sandbox: Protocol = {
  keyHeader: "x-api-key",
  failureBody: getAnthropicFailureBody,
  routes: [
    {
      method: "POST",
      path: "/v1/messages",
      handle: async (exchange) => {
        const body = getBody(exchange);
        check(body);
        const { chat, translation } = readChat(exchange, body);
        const caches = asksForCache(body);
        await converse(exchange, chat, {
          translation,
          hidesReasoning: getRecord(body["thinking"])["display"] === "omitted",
          units: (counts) => readUnits(counts, caches),
          withUsage: (event, counts) =>
            withPrompt(event, buildMessagesUsage(readUnits({ ...counts, ...AT_START }, caches))),
          tooLong: (tokens, limit) => `prompt is too long: ${tokens} tokens > ${limit} maximum`,
        });
      },
    },
    {
      method: "POST",
      path: "/v1/messages/count_tokens",
      handle: (exchange) => {
        const { chat } = readChat(exchange, getBody(exchange));
        sendJson(exchange, { input_tokens: promptTokens(getChatRequest(chat, exchange)) });
      },
    },
  ],
};

/** Tokens that Anthropic has counted by the time the message starts. */
const AT_START = { completion: 1, reasoning: 0 };

/** The prompt is counted when the message starts: who leaves in the middle has that figure. */
function withPrompt(event: Fields, usage: Fields): Fields {
  return event["type"] === "message_start" ? { ...event, message: { ...getRecord(event["message"]), usage } } : event;
}

/**
 * Refuses what a translation should have fixed. @throws Failure (400) in Anthropic's format: the path, then the
 * sentence
 */
function check(body: Fields): void {
  const invalid = (sentence: string): Failure => new Failure(400, sentence);
  const { type, name } = getRecord(body["tool_choice"]);
  if (type === "tool" && getRecords(body["tools"]).every((tool) => tool["name"] !== name)) {
    throw invalid(`tool_choice: Tool '${String(name).slice(0, 128)}' not found in provided tools`);
  }
  if (asList(body["stop_sequences"]).some((stop) => getText(stop)?.trim() === "")) {
    throw invalid("stop_sequences: each stop sequence must contain non-whitespace");
  }
  const format = getRecord(getRecord(body["output_config"])["format"])["type"];
  if (format !== undefined && format !== "json_schema") {
    throw invalid("output_config.format.type: Input should be 'json_schema'");
  }
  const thinking = getRecord(body["thinking"]);
  if (thinking["type"] !== "enabled") return;
  const budget = getNumber(thinking["budget_tokens"]) ?? 0;
  if (budget < LEAST_BUDGET) {
    throw invalid(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${LEAST_BUDGET}`);
  }
  if (Number(body["max_tokens"]) <= budget) {
    throw invalid("max_tokens: `max_tokens` must be greater than `thinking.budget_tokens`");
  }
}

/** Matches the instruction that translations write for JSON mode, which a model would follow. */
const JSON_ONLY = /\banswer with (?:one|a) JSON object and nothing else\b/i;

function readChat(exchange: Exchange, body: Fields) {
  const messages = getRecords(body["messages"]).map((message) => ({
    ...message,
    content: Array.isArray(message["content"]) ? asList(message["content"]).map(nameBlock) : message["content"],
  }));
  const translation = translateExchange(exchange, messagesToChat, { ...body, messages });
  const instructions = getRecords(body["messages"]).filter(({ role }) => role === "system");
  const isJsonOnly = [body["system"], ...instructions].some((text) => JSON_ONLY.test(JSON.stringify(text ?? "")));
  const format = translation.body["response_format"] ?? (isJsonOnly ? { type: "json_object" } : undefined);
  return { translation, chat: { ...translation.body, response_format: format } };
}

/** Names content that only Anthropic could fetch: a document at an address, a file of its Files API. */
function nameBlock(block: unknown): unknown {
  const source = isRecord(block) ? getRecord(block["source"]) : {};
  const place = getText(source["type"] === "file" ? source["file_id"] : source["url"]);
  if (!isRecord(block) || place === undefined || (block["type"] === "image" && source["type"] === "url")) return block;
  return { type: "text", text: `(${String(block["type"])}: ${place.slice(0, 120)})` };
}

/** `cache_control` may stand on the request, on tools, and on blocks of the system and of messages. */
function asksForCache(body: Fields): boolean {
  const messages = getRecords(body["messages"]).flatMap(({ content }) => getRecords(content));
  return [body, ...getRecords(body["tools"]), ...getRecords(body["system"]), ...messages].some((block) =>
    isRecord(block["cache_control"]),
  );
}

/** Anthropic caches on request, and counts cached tokens separately. */
function readUnits({ prompt, cached, completion, reasoning }: TokenCounts, caches: boolean) {
  const read = caches ? cached : 0;
  const fresh = prompt - read;
  const written = caches && prompt >= LEAST_CACHED ? fresh - (fresh % CACHE_STEP) : 0;
  return {
    input: fresh - written,
    cached_input: read,
    cache_write: written,
    output: completion - reasoning,
    reasoning,
  };
}

/** Types by status, including those that Postern never forwards unchanged (docs/providers/anthropic.md#errors). */
const TYPES: Readonly<Record<number, string>> = {
  ...ANTHROPIC_TYPES,
  401: "authentication_error",
  402: "billing_error",
};

/** The continued conversation is not stored: the SDK resends all of it on this code. */
const THREAD_NOT_FOUND = "thread_not_found";

function getAnthropicFailureBody({ status, message, code }: Failure): string {
  const type = TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  const details = code === THREAD_NOT_FOUND ? { details: { error_code: code } } : {};
  const request_id = `req_${createSeed(`${status} ${message}`).digits("request", 24)}`;
  return JSON.stringify({ type: "error", error: { type, message, ...details }, request_id });
}
