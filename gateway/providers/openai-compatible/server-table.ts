import { cleanToolId } from "../../codecs/messages-to-chat/tool-ids.ts";
import { sha256 } from "../../lib/ids.ts";
import { formatBareName } from "../server-traits.ts";
import type { ServerTraits } from "../server-traits.ts";
import {
  ANY,
  BESIDE_ANSWERS,
  MAX_COMPLETION_TOKENS,
  MAX_TOKENS,
  OPENAIS_HOUSE,
  STRICT,
  houseWithout,
} from "./common-traits.ts";
import { HOSTED } from "./hosted-servers.ts";

/**
 * Chat servers and their traits. A new host is a new row in hosted-servers.ts; each entry has its source and date.
 * Omitted traits are those of an unknown server.
 */

const openai: ServerTraits = {
  bound: MAX_COMPLETION_TOKENS,
  // It refuses fields of messages that it does not know (from memory of its 400).
  thoughts: "none",
  takesDeveloper: true,
  // "string too long. Expected a string with maximum length 40" (https://github.com/anomalyco/opencode/issues/12653, read 2026-11-24).
  callIds: { is: /^.{0,40}$/s, make: cleanToolId },
};

const gemini: ServerTraits = {
  // Google counts thoughts within it (github.com/googleapis/python-genai/issues/2062, read 2026-11-20).
  bound: MAX_TOKENS,
  // "Unknown name …: Cannot find field." was seen for `store`, `metadata`, `web_search_options` and `parallel_tool_calls` (https://github.com/jackmpcollins/magentic/issues/382, read 2026-11-28); the others are of the same kind.
  refused: [...OPENAIS_HOUSE, "parallel_tool_calls", "logit_bias"],
  refusedInMessages: BESIDE_ANSWERS,
  thoughts: "none",
  takesSignatures: true,
  // Gemini 3 Pro cannot stop thinking (https://github.com/earendil-works/pi/blob/012c901a/packages/ai/scripts/generate-models.ts, read 2026-11-28).
  thinks: [
    [/^gemini-[3-9].*pro/, { by: "effort", values: ["low", "medium", "high"] }],
    [ANY, { by: "effort" }],
  ],
};

/** Fields that DeepSeek's models take at every server with DeepSeek's rules. */
const deepseek: ServerTraits = {
  ...STRICT,
  // It bounds reasoning too (https://api-docs.deepseek.com/guides/reasoning_model, read 2026-11-20); no other is documented.
  bound: MAX_TOKENS,
  // `reasoning_effort` next to `disabled` is refused (https://api-docs.deepseek.com/guides/thinking_mode, read 2026-11-28).
  thinks: [[/^deepseek-(?:v[4-9]|flash)/, { by: "thinking", effort: true }]],
  thoughts: "reasoning_content",
  // "The reasoning_content in the thinking mode must be passed back to the API": in a turn with calls this applies to
  // every message, the last one included (https://github.com/MoonshotAI/kimi-cli/issues/2141, 2026).
  needsThoughts: [[ANY, "turn"]],
  // "Thinking mode does not support this tool_choice" (https://github.com/deepseek-ai/DeepSeek-V3/issues/1376, 2026-05-30).
  choosesFreely: [[/^deepseek-(?:v[4-9]|flash)/, "thinking"]],
  // "This response_format type is unavailable now" (https://github.com/llm-exe/llm-exe/issues/662, 2026-07-11).
  refusesJsonSchema: true,
  // https://github.com/can1357/oh-my-pi/blob/ab75c53c/packages/catalog/src/compat/openai.ts, read 2026-11-28.
  wantsContent: true,
  // Lists of parts were refused with a 422 in 2024, and clients send texts since (https://github.com/QwenLM/qwen-code/blob/3c6c618b/packages/core/src/core/openaiContentGenerator/provider/deepseek.ts, read 2026-11-28).
  wantsTexts: true,
};

const mistral: ServerTraits = {
  // "The maximum number of tokens to generate in the completion" (https://docs.mistral.ai/api, read 2026-11-23); it knows no other.
  bound: MAX_TOKENS,
  refusesOtherBound: true,
  // It answers 422 to fields that it does not know (`extra_forbidden`); to `stream_options`, https://github.com/openai/openai-agents-python/issues/442, read 2026-11-23.
  refused: ["stream_options", ...houseWithout("prompt_cache_key", "prediction", "metadata")],
  renamed: { seed: "random_seed" },
  // https://github.com/vercel/ai/tree/ed857f50/packages/mistral, 2026-08-22; Magistral always thinks.
  thinks: [
    [/^mistral-(?:small|medium)/, { by: "effort", values: ["none", "high"] }],
    [ANY, { by: "none" }],
  ],
  refusedInMessages: BESIDE_ANSWERS,
  // https://github.com/charmbracelet/crush/issues/1590, read 2026-11-24.
  thoughts: "none",
  // vercel/ai does so (https://github.com/vercel/ai/tree/ed857f50/packages/mistral/src/convert-to-mistral-chat-messages.ts, 2026-08-22).
  thoughtParts: /^(?:magistral|mistral-(?:small|medium))/,
  // "Unexpected role 'user' after role 'tool'", code 3230 (https://github.com/avante-corp/avante.nvim/pull/2695, read 2026-11-24).
  bridgesResults: true,
  // "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9" (https://github.com/anomalyco/opencode/issues/1680, read 2026-11-24).
  callIds: { is: /^[a-zA-Z0-9]{9}$/, make: (id) => sha256(id).slice(0, 9) },
};

/** https://docs.x.ai and docs/providers/xai.md#chat, read 2026-11-23. */
const xai: ServerTraits = {
  ...STRICT,
  // xAI's reference has both (https://docs.x.ai/docs/api-reference#chat-completions, from memory).
  refused: houseWithout("user", "web_search_options", "service_tier"),
  bound: MAX_COMPLETION_TOKENS,
  // https://github.com/mnfst/modelparams.dev/pull/330, 2026-08-31, and https://github.com/NousResearch/hermes-agent/pull/23435, 2026-05-10.
  thinks: [
    [/^grok-4\.3/, { by: "effort", values: ["none", "low", "medium", "high"] }],
    [/^grok-4\.5/, { by: "effort", values: ["low", "medium", "high"] }],
    [/^grok-(?:4\.6|4\.20-multi-agent)/, { by: "effort", values: ["low", "medium", "high", "xhigh"] }],
    [/^grok-(?:[34](?!-mini)(?:-|$)|4\.20|code-fast|build)/, { by: "none" }],
  ],
  thoughts: "reasoning_content",
};

const dashscope: ServerTraits = {
  ...STRICT,
  // https://github.com/QwenLM/qwen-code/blob/2d982edf/packages/core/src/core/openaiContentGenerator/provider/dashscope.ts, read 2026-11-28.
  refused: houseWithout("metadata"),
  // No `bound`: `max_tokens` excludes reasoning here, and the adapter decides which models support the other field.
  // "tool_choice parameter does not support being set to required or object in thinking mode"
  // (https://github.com/cloudwego/eino/issues/994, 2026-04-24).
  choosesFreely: [[ANY, "thinking"]],
  // `enable_thinking` switches most models, which have no effort (docs/providers/dashscope.md#chat). Reasoning-only
  // models refuse to disable it (https://github.com/vercel/ai/tree/ed857f50/packages/alibaba, 2026-08-22).
  thinks: [
    [/thinking|^qwq/, { by: "none" }],
    [ANY, { by: "enable_thinking" }],
  ],
  thoughts: "reasoning_content",
  // "System message must be at the beginning." (https://github.com/vllm-project/vllm/issues/41114, 2026-04-28).
  systemFirst: true,
};

/** docs/providers/ark.md#chat */
const ark: ServerTraits = {
  ...STRICT,
  // "Invalid combination of reasoning_effort and thinking type: medium + disabled", where disabled is the default (https://github.com/RooCodeInc/Roo-Code/issues/11001, 2026-01-27).
  thinks: [[ANY, { by: "thinking", effort: true }]],
  thoughts: "reasoning_content",
};

/** Traits of the providers with their own folder. */
export const OWN_TRAITS = { openai, gemini, deepseek, mistral, xai, dashscope, ark } as const;

/** Rows of servers by the end of their host name. */
export const HOSTS: readonly (readonly [hosts: readonly string[], traits: ServerTraits])[] = [
  // OpenAI's reasoning models refuse `max_tokens`, and all take the newer field (https://platform.openai.com/docs/api-reference/chat/create, read 2026-11-20).
  [["api.openai.com"], { ...openai, refusesOtherBound: true }],
  [
    ["openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"],
    {
      ...openai,
      // "Unsupported parameter: 'max_tokens'" (https://github.com/anomalyco/opencode/issues/37964, read 2026-11-28): a
      // deployment's name does not reveal its model, and current models accept the newer name.
      refusesOtherBound: true,
      // "unrecognized_request_argument" (https://github.com/earendil-works/pi/issues/9645, 2026-09-15).
      refusedFor: (model) =>
        /^deepseek/i.test(model) ? ["prompt_cache_key", "prompt_cache_retention", "thinking"] : [],
      thinks: [[/^deepseek/, { by: "effort", values: ["low", "medium", "high"] }]],
      thoughtsOf: [/^deepseek/, "reasoning_content"],
    },
  ],
  [["generativelanguage.googleapis.com"], gemini],
  [["api.deepseek.com"], deepseek],
  [["api.mistral.ai"], mistral],
  [["api.x.ai"], xai],
  [["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"], dashscope],
  [["volces.com", "bytepluses.com"], ark],
  ...HOSTED,
];

const UNKNOWN: ServerTraits = { thoughts: "any" };

/** A local template may not accept a system message in the middle, where a translation would put one. */
const UNKNOWN_TRANSLATED: ServerTraits = { ...UNKNOWN, systemFirst: true };

/** OpenAI's reasoning models at an unknown address: they refuse the same as at OpenAI. */
const OPENAIS_ELSEWHERE: ServerTraits = { ...openai, refusesOtherBound: true };
const OPENAIS_REASONING = /^(?:gpt-(?:[5-9]|\d\d)|o\d)(?:[.-]|$)/;

const rows = new Map<string, ServerTraits | null>();
/** Max origins in the cache; connections are few, but the cache must be bounded. */
const MOST_ORIGINS = 1_000;

/**
 * Returns the row of the server at an address; for an unknown one by the request.
 * @param isTranslated whether the request was translated from another dialect
 */
export function findTraits(origin: string, model: string, isTranslated: boolean): ServerTraits {
  const known = rows.get(origin);
  const row = known === undefined ? findRow(origin) : known;
  if (known === undefined && rows.size < MOST_ORIGINS) rows.set(origin, row);
  if (row !== null) return row;
  if (OPENAIS_REASONING.test(formatBareName(model))) return OPENAIS_ELSEWHERE;
  return isTranslated ? UNKNOWN_TRANSLATED : UNKNOWN;
}

function findRow(origin: string): ServerTraits | null {
  const { hostname, port } = new URL(origin);
  const isHere = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  const found = HOSTS.find(([hosts]) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)));
  return found?.[1] ?? (isHere ? (LOCAL.get(port) ?? null) : null);
}

/**
 * vLLM and SGLang: the model's template determines what it accepts (https://github.com/vllm-project/vllm/issues/54616,
 * 2026-09-01).
 */
const TEMPLATED: ServerTraits = { thinks: [[ANY, { by: "template" }]], thoughts: "any", systemFirst: true };

/** Programs on this machine, by the port that they listen on by default. */
const LOCAL: ReadonlyMap<string, ServerTraits> = new Map([
  [
    "11434",
    {
      // Ollama passes over `max_completion_tokens` (docs/providers/openai-compatible.md#local-servers).
      bound: MAX_TOKENS,
      // https://github.com/ollama/ollama/issues/17072, 2026-07-07: there is no level `minimal`.
      thinks: [[ANY, { by: "effort", values: ["none", "low", "medium", "high", "max"] }]],
      thoughts: "reasoning",
    },
  ],
  [
    "1234",
    {
      bound: MAX_TOKENS,
      // "Invalid tool_choice type: 'object'" (https://github.com/can1357/oh-my-pi/issues/6925, 2026-07-28), LM Studio.
      choosesByWord: true,
      thoughts: "any",
      systemFirst: true,
    },
  ],
  // llama.cpp reads a tool that is named as `auto` (https://github.com/ggml-org/llama.cpp/pull/28806, 2026-09-12).
  ["8080", { ...TEMPLATED, thoughts: "reasoning_content", choosesByWord: true }],
  ["8000", TEMPLATED],
  ["30000", { ...TEMPLATED, thoughts: "reasoning_content" }],
]);
