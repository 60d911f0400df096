import { cleanToolId } from "../../codecs/messages-to-chat/tool-ids.ts";
import { sha256 } from "../../lib/ids.ts";
import { bareName } from "./server-traits.ts";
import type { ServerTraits, ThinkingSwitch } from "./server-traits.ts";

/**
 * Chat servers and what they take. A new host is a new row; each entry says where and when it was read. What a row leaves
 * out is as it is for a server that nobody knows.
 */

const ANY = /^/;
const MAX_TOKENS = ["max_tokens"] as const;
const MAX_COMPLETION_TOKENS = ["max_completion_tokens"] as const;
const EFFORT: ThinkingSwitch = { by: "effort" };
const THINKING: ThinkingSwitch = { by: "thinking" };
const NO_SWITCH: ThinkingSwitch = { by: "none" };

/** OpenAI's own house, which says nothing to other models: storage, caches, safety. */
const OPENAIS_HOUSE = [
  "prompt_cache_key",
  "prompt_cache_retention",
  "prompt_cache_options",
  "safety_identifier",
  "store",
  "metadata",
  "moderation",
  "verbosity",
  "prediction",
  "web_search_options",
] as const;

/** What models said beside their answers, which clients give back as they got it. */
const BESIDE_ANSWERS = ["refusal", "annotations"] as const;

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
  thinks: [[ANY, EFFORT]],
};

/** What DeepSeek's models take wherever they are served by its own rules. */
const deepseek: ServerTraits = {
  // It bounds reasoning too (https://api-docs.deepseek.com/guides/reasoning_model, read 2026-11-20); no other is documented.
  bound: MAX_TOKENS,
  // `reasoning_effort` beside `disabled` is refused (https://api-docs.deepseek.com/guides/thinking_mode, read 2026-11-28).
  thinks: [[/^deepseek-(?:v[4-9]|flash)/, { by: "thinking", effort: true }]],
  thoughts: "reasoning_content",
  // "The reasoning_content in the thinking mode must be passed back to the API": in a turn with calls of every message, the last one too (https://github.com/MoonshotAI/kimi-cli/issues/2141, 2026).
  needsThoughts: [[ANY, "turn"]],
  // "Thinking mode does not support this tool_choice" (https://github.com/deepseek-ai/DeepSeek-V3/issues/1376, 2026-05-30).
  choosesFreely: [[/^deepseek-(?:v[4-9]|flash)/, "thinking"]],
  // "This response_format type is unavailable now" (https://github.com/llm-exe/llm-exe/issues/662, 2026-07-11).
  refusesJsonSchema: true,
};

const mistral: ServerTraits = {
  // "The maximum number of tokens to generate in the completion" (https://docs.mistral.ai/api, read 2026-11-23); it knows no other.
  bound: MAX_TOKENS,
  refusesOtherBound: true,
  // It answers 422 to fields that it does not know (`extra_forbidden`); to `stream_options`, https://github.com/openai/openai-agents-python/issues/442, read 2026-11-23.
  refused: [
    "stream_options",
    "user",
    "safety_identifier",
    "store",
    "prompt_cache_retention",
    "verbosity",
    "service_tier",
  ],
  renamed: { seed: "random_seed" },
  refusedInMessages: BESIDE_ANSWERS,
  // https://github.com/charmbracelet/crush/issues/1590, read 2026-11-24.
  thoughts: "none",
  takesThoughtParts: true,
  // "Unexpected role 'user' after role 'tool'", code 3230 (https://github.com/avante-corp/avante.nvim/pull/2695, read 2026-11-24).
  bridgesResults: true,
  // "Tool call id was … but must be a-z, A-Z, 0-9, with a length of 9" (https://github.com/anomalyco/opencode/issues/1680, read 2026-11-24).
  callIds: { is: /^[a-zA-Z0-9]{9}$/, make: (id) => sha256(id).slice(0, 9) },
};

/** https://docs.x.ai and docs/providers/xai.md#chat, read 2026-11-23. */
const xai: ServerTraits = {
  bound: MAX_COMPLETION_TOKENS,
  thoughts: "reasoning_content",
};

const dashscope: ServerTraits = {
  // docs/providers/dashscope.md#chat: most models think or not by `enable_thinking` and know no effort.
  thinks: [[ANY, { by: "enable_thinking" }]],
  thoughts: "reasoning_content",
  // "System message must be at the beginning." (https://github.com/vllm-project/vllm/issues/41114, 2026-04-28).
  systemFirst: true,
};

/** docs/providers/ark.md#chat */
const ark: ServerTraits = {
  // "Invalid combination of reasoning_effort and thinking type: medium + disabled", where disabled is the default (https://github.com/RooCodeInc/Roo-Code/issues/11001, 2026-01-27).
  thinks: [[ANY, { by: "thinking", effort: true }]],
  thoughts: "reasoning_content",
};

/** The providers that have a folder of their own. */
export const OWN_TRAITS = { openai, gemini, deepseek, mistral, xai, dashscope, ark } as const;

/** Rows of servers by the end of their host name. */
export const HOSTS: readonly (readonly [hosts: readonly string[], traits: ServerTraits])[] = [
  [["api.openai.com"], openai],
  [
    ["openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"],
    {
      ...openai,
      // "Unsupported parameter: 'max_tokens'" (https://github.com/anomalyco/opencode/issues/37964, read 2026-11-28): a deployment's name need not say what it is, and its current models take the newer name.
      refusesOtherBound: true,
      // "unrecognized_request_argument" (https://github.com/earendil-works/pi/issues/9645, 2026-09-15).
      refusedFor: (model) =>
        /^deepseek/i.test(model) ? ["prompt_cache_key", "prompt_cache_retention", "thinking"] : [],
    },
  ],
  [["generativelanguage.googleapis.com"], gemini],
  [["api.deepseek.com"], deepseek],
  [["api.mistral.ai"], mistral],
  [["api.x.ai"], xai],
  [
    ["openrouter.ai"],
    {
      bound: MAX_TOKENS,
      // It maps an effort to what each provider has (https://openrouter.ai/docs/use-cases/reasoning-tokens, read 2026-11-28); Kimi K3 cannot stop (https://github.com/enricoros/big-AGI/issues/1161, 2026-07-17).
      thinks: [
        [/^kimi-k3/, { by: "effort", values: ["minimal", "low", "medium", "high", "xhigh"] }],
        [ANY, EFFORT],
      ],
      // Gemini 3 answers 400 to a result of a tool whose call comes back without them (https://github.com/musistudio/claude-code-router/issues/1057, 2026).
      thoughts: "reasoning_details",
      // "Tool choice must be auto" (https://github.com/vectorize-io/hindsight/issues/4246, 2026-09-09).
      choosesFreely: [[/^glm-/, "always"]],
    },
  ],
  [
    ["api.groq.com"],
    {
      bound: MAX_COMPLETION_TOKENS,
      // https://console.groq.com/docs/openai, read 2026-11-28; unknown names are refused (https://github.com/odysseus-dev/odysseus/issues/200, 2026-05-31).
      refused: [...OPENAIS_HOUSE, "logprobs", "top_logprobs", "logit_bias"],
      refusedInMessages: [...BESIDE_ANSWERS, "name"],
      // https://github.com/vercel/ai/tree/ed857f50/packages/groq, 2026-08-22.
      thinks: [
        [/^gpt-oss/, { by: "effort", values: ["low", "medium", "high"] }],
        [/^qwen3/, { by: "effort", on: "default" }],
        [ANY, NO_SWITCH],
      ],
      // "property 'reasoning_content' is unsupported" (https://github.com/janhq/jan/issues/8136, 2026-05-13); `reasoning` is what it writes itself.
      thoughts: "reasoning",
    },
  ],
  [
    ["api.cerebras.ai"],
    {
      bound: MAX_COMPLETION_TOKENS,
      // It takes `prompt_cache_key` (https://github.com/vercel/ai/tree/ed857f50/packages/cerebras, 2026-08-22); Bifrost drops it, and no answer hangs on it.
      refused: OPENAIS_HOUSE,
      refusedInMessages: BESIDE_ANSWERS,
      // https://github.com/mnfst/modelparams.dev/tree/3e79c46e/models/cerebras, 2026-08-22.
      thinks: [
        [/^gpt-oss/, { by: "effort", values: ["low", "medium", "high"] }],
        [ANY, { by: "effort", values: ["none", "low", "medium", "high"] }],
      ],
      // It refuses `reasoning_content`, and takes `reasoning` (https://github.com/QwenLM/qwen-code/issues/11045, 2026-09-04).
      thoughts: "reasoning",
    },
  ],
  [
    ["api.together.xyz", "api.together.ai"],
    {
      bound: MAX_TOKENS,
      // https://github.com/BerriAI/litellm/pull/38263, 2026-08-25, and https://github.com/earendil-works/pi/blob/012c901a/packages/ai/scripts/generate-models.ts, read 2026-11-28.
      refused: OPENAIS_HOUSE,
      refusesStrict: true,
      thinks: [
        [/^gpt-oss/, { by: "effort", values: ["low", "medium", "high"] }],
        [/^(?:deepseek-r1|minimax-m2)/, NO_SWITCH],
        [ANY, { by: "reasoning" }],
      ],
    },
  ],
  [
    ["api.fireworks.ai"],
    {
      bound: MAX_TOKENS,
      // "Extra inputs are not permitted, field: …" (https://github.com/web-infra-dev/midscene/issues/1322, 2025-10-15); it takes `prompt_cache_key`.
      refused: OPENAIS_HOUSE.filter((field) => field !== "prompt_cache_key"),
      refusedInMessages: BESIDE_ANSWERS,
      // https://github.com/theopenco/llmgateway/pull/3274, 2026-07-27.
      thinks: [[ANY, { by: "effort", values: ["none", "low", "medium", "high", "xhigh", "max"] }]],
      // "Extra inputs are not permitted, field: 'messages[8].reasoning'" (https://github.com/earendil-works/pi/issues/4514, 2026-05-14).
      thoughts: "reasoning_content",
      systemFirst: true,
    },
  ],
  [
    ["api.deepinfra.com"],
    // "Input should be 'system', 'user', 'assistant', or 'tool'" (https://github.com/earendil-works/pi/pull/1578, 2026-02-21).
    { bound: MAX_TOKENS, refused: OPENAIS_HOUSE, thinks: [[ANY, EFFORT]], thoughts: "reasoning_content" },
  ],
  [
    ["integrate.api.nvidia.com"],
    {
      // https://github.com/earendil-works/pi/blob/012c901a/packages/ai/scripts/generate-models.ts, read 2026-11-28.
      bound: MAX_TOKENS,
      refusesStrict: true,
      // "Validation: Unsupported parameter(s): prompt_cache_key" (https://github.com/MoonshotAI/kimi-cli/issues/2534, 2026-07-23).
      refused: [...OPENAIS_HOUSE, "reasoning", "enable_thinking", "tool_stream"],
      refusedInMessages: BESIDE_ANSWERS,
      // https://github.com/NousResearch/hermes-agent/pull/19888, 2026-05-04, and https://github.com/anomalyco/opencode/pull/45370, 2026-08-26.
      thinks: [
        [/^deepseek-v4/, { by: "effort", values: ["high", "max"] }],
        [/nemotron/, { by: "effort", values: ["none", "low", "medium", "high"] }],
        [/^minimax-m3/, THINKING],
        [/^(?:glm|qwen)/, { by: "template" }],
        [ANY, NO_SWITCH],
      ],
      thoughts: "reasoning_content",
      // https://github.com/tailcallhq/forgecode/issues/3128, 2026-04-29.
      systemFirst: true,
    },
  ],
  [
    ["api.moonshot.ai", "api.moonshot.cn"],
    {
      bound: MAX_TOKENS,
      // Either is refused beside the other ("cannot specify both", https://github.com/HKUDS/nanobot/issues/3939, 2026-05-20); https://github.com/mnfst/modelparams.dev/pull/168, 2026-07-30.
      thinks: [
        [/^kimi-k3/, { by: "effort", values: ["low", "high", "max"] }],
        [/^kimi-k2\.7/, NO_SWITCH],
        [ANY, THINKING],
      ],
      thoughts: "reasoning_content",
      // "thinking is enabled but reasoning_content is missing in assistant tool call message" (https://github.com/continuedev/continue/issues/11600, 2026-03-18).
      needsThoughts: [[/^kimi-(?:k2\.[5-9]|k[3-9]|thinking|k2-thinking)/, "calls"]],
      // "tool_choice 'specified' is incompatible with thinking enabled" (https://github.com/UKGovernmentBEIS/inspect_ai/pull/5152, 2026-08-31).
      choosesFreely: [[/^kimi-(?:k2\.[5-9]|k[3-9]|thinking|k2-thinking)/, "thinking"]],
      refusesStrict: true,
    },
  ],
  [
    ["api.z.ai", "open.bigmodel.cn"],
    {
      bound: MAX_TOKENS,
      // https://github.com/mnfst/modelparams.dev/tree/3e79c46e/models/z-ai, 2026-08-22.
      thinks: [
        [/^glm-5\.3/, { by: "effort", values: ["low", "high", "max"] }],
        [/^glm-5\.2/, { by: "thinking", effort: true }],
        [ANY, THINKING],
      ],
      thoughts: "reasoning_content",
      // "Tool choice must be auto" (https://github.com/vectorize-io/hindsight/issues/4246, 2026-09-09).
      choosesFreely: [[ANY, "always"]],
      refusesJsonSchema: true,
    },
  ],
  [
    ["api.minimax.io", "api.minimaxi.com"],
    {
      bound: MAX_COMPLETION_TOKENS,
      // https://platform.minimax.io/docs/api-reference/text-openai-api, read 2026-11-28.
      thinks: [
        [/^minimax-m3/, { by: "thinking", on: "adaptive" }],
        [ANY, NO_SWITCH],
      ],
      thoughts: "reasoning_details",
      // "invalid params, invalid chat setting (2013)" (https://github.com/can1357/oh-my-pi/pull/954, 2026-05-07).
      systemFirst: true,
    },
  ],
  [
    ["api.siliconflow.cn", "api.siliconflow.com"],
    // https://github.com/CherryHQ/cherry-studio/pull/14782, 2026-05-01.
    { bound: MAX_TOKENS, thinks: [[ANY, { by: "enable_thinking" }]], thoughts: "reasoning_content", systemFirst: true },
  ],
  [
    ["api.perplexity.ai"],
    {
      bound: MAX_TOKENS,
      // https://github.com/vercel/ai/tree/ed857f50/packages/perplexity, 2026-08-22.
      refused: [...OPENAIS_HOUSE.filter((field) => field !== "web_search_options"), "stop", "seed"],
      thinks: [
        [/^sonar-deep-research/, { by: "effort", values: ["minimal", "low", "medium", "high"] }],
        [ANY, NO_SWITCH],
      ],
      thoughts: "none",
      systemFirst: true,
    },
  ],
  [
    ["api.cohere.ai", "api.cohere.com"],
    // https://github.com/mnfst/modelparams.dev/tree/3e79c46e/models/cohere, 2026-08-22; the fields from memory of https://docs.cohere.com/docs/compatibility-api.
    { bound: MAX_TOKENS, refused: [...OPENAIS_HOUSE, "logit_bias", "top_logprobs", "service_tier"], thoughts: "none" },
  ],
  [
    ["router.huggingface.co"],
    // As the strictest of those behind it: Groq, Cerebras and Fireworks (their rows); https://github.com/huggingface/ml-intern/pull/51, 2026-04-22.
    {
      bound: MAX_TOKENS,
      refused: OPENAIS_HOUSE,
      refusedInMessages: BESIDE_ANSWERS,
      thinks: [[ANY, { by: "effort", values: ["none", "low", "medium", "high"] }]],
      thoughts: "none",
      systemFirst: true,
    },
  ],
  [
    ["ai-gateway.vercel.sh"],
    // https://github.com/anomalyco/opencode/blob/000f6280/packages/opencode/src/provider/transform.ts, read 2026-11-28.
    { bound: MAX_TOKENS, thinks: [[ANY, EFFORT]], thoughts: "reasoning_details" },
  ],
  [
    ["gateway.ai.cloudflare.com"],
    // https://github.com/earendil-works/pi/blob/023aec70/packages/ai/src/api/openai-completions.ts, read 2026-11-28.
    { bound: MAX_TOKENS, refused: OPENAIS_HOUSE, refusesStrict: true, thinks: [[ANY, NO_SWITCH]] },
  ],
  [
    ["opencode.ai"],
    {
      bound: MAX_TOKENS,
      refused: OPENAIS_HOUSE,
      // https://github.com/earendil-works/pi/blob/012c901a/packages/ai/scripts/generate-models.ts, read 2026-11-28.
      thinks: [
        [/^kimi-/, THINKING],
        [/^(?:glm-5|deepseek-v4)/, { by: "effort", values: ["high", "max"] }],
        [/^qwen3/, { by: "enable_thinking" }],
        [/^grok-build/, NO_SWITCH],
      ],
      // "Extra inputs are not permitted, field: messages[8].reasoning" (https://github.com/earendil-works/pi/issues/4514, 2026-05-14).
      thoughts: "reasoning_content",
      needsThoughts: [[/^(?:kimi|deepseek|glm)/, "turn"]],
      // https://github.com/tickernelz/opencode-mem/issues/253, 2026-08-27.
      choosesFreely: [[/^(?:deepseek-v4|kimi-k2\.7|mimo)/, "thinking"]],
      // "Request is missing x-opencode-session" (https://github.com/tingly-dev/tingly-box/pull/1715, 2026-09-08).
      sessionHeader: "x-opencode-session",
    },
  ],
  [["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"], dashscope],
  [["volces.com", "bytepluses.com"], ark],
];

const UNKNOWN: ServerTraits = { thoughts: "any" };

/** Nobody knows whether its template takes a system message in the middle, where a translation would put one. */
const UNKNOWN_TRANSLATED: ServerTraits = { ...UNKNOWN, systemFirst: true };

/** OpenAI's reasoning models behind an address that nobody knows: they refuse what they refuse at OpenAI. */
const OPENAIS_ELSEWHERE: ServerTraits = { ...openai, refusesOtherBound: true };
const OPENAIS_REASONING = /^(?:gpt-(?:[5-9]|\d\d)|o\d)(?:[.-]|$)/;

const rows = new Map<string, ServerTraits | null>();
/** Origins are those of connections, so they are few; a list that grows without end is no use to anybody. */
const MOST_ORIGINS = 1_000;

/**
 * The row of the server at an address; for one that nobody knows, by what is asked of it.
 * @param isTranslated the request was written here, in another dialect than the client's
 */
export function traitsAt(origin: string, model: string, isTranslated: boolean): ServerTraits {
  const known = rows.get(origin);
  const row = known === undefined ? rowAt(origin) : known;
  if (known === undefined && rows.size < MOST_ORIGINS) rows.set(origin, row);
  if (row !== null) return row;
  if (OPENAIS_REASONING.test(bareName(model))) return OPENAIS_ELSEWHERE;
  return isTranslated ? UNKNOWN_TRANSLATED : UNKNOWN;
}

function rowAt(origin: string): ServerTraits | null {
  const { hostname, port } = new URL(origin);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
  const found = HOSTS.find(([hosts]) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)));
  return found?.[1] ?? (isHere ? (LOCAL.get(port) ?? null) : null);
}

/** vLLM and SGLang: the model's template says what it takes (https://github.com/vllm-project/vllm/issues/54616, 2026-09-01). */
const TEMPLATED: ServerTraits = { thinks: [[ANY, { by: "template" }]], thoughts: "any", systemFirst: true };

/** Programs on this machine, by the port that they listen on unless told otherwise. */
const LOCAL: ReadonlyMap<string, ServerTraits> = new Map([
  [
    "11434",
    {
      // Ollama passes over `max_completion_tokens` (docs/providers/openai-compatible.md#local-servers).
      bound: MAX_TOKENS,
      // https://github.com/ollama/ollama/issues/17072, 2026-07-07: `minimal` is no level.
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
