import type { ServerTraits, ThinkingSwitch } from "../server-traits.ts";
import {
  ANY,
  BESIDE_ANSWERS,
  MAX_COMPLETION_TOKENS,
  MAX_TOKENS,
  OPENAIS_HOUSE,
  STRICT,
  houseWithout,
} from "./common-traits.ts";

const EFFORT: ThinkingSwitch = { by: "effort" };
const THINKING: ThinkingSwitch = { by: "thinking" };
const NO_SWITCH: ThinkingSwitch = { by: "none" };

type Row = readonly [hosts: readonly string[], traits: ServerTraits];

const ROWS: readonly Row[] = [
  [
    ["openrouter.ai"],
    {
      bound: MAX_TOKENS,
      // It ignores fields that its provider does not take (https://openrouter.ai/docs/api-reference/parameters, from memory).
      refused: [],
      refusedInMessages: [],
      // It maps an effort to what each provider has (https://openrouter.ai/docs/use-cases/reasoning-tokens, read 2026-11-28); Kimi K3 cannot stop (https://github.com/enricoros/big-AGI/issues/1161, 2026-07-17).
      thinks: [
        [/^kimi-k3/, { by: "effort", values: ["minimal", "low", "medium", "high", "xhigh"] }],
        [ANY, EFFORT],
      ],
      // Gemini 3 responds 400 to a tool result whose call lacks them
      // (https://github.com/musistudio/claude-code-router/issues/1057, 2026).
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
      refused: [...houseWithout("user", "service_tier"), "logprobs", "top_logprobs", "logit_bias"],
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
      refused: houseWithout("user", "service_tier"),
      // All tools of a request must be strict, or no tool
      // (https://github.com/can1357/oh-my-pi/blob/ab75c53c/packages/catalog/src/compat/openai.ts, read 2026-11-28).
      refusesStrict: "mixed",
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
      refusesStrict: true,
      thinks: [
        [/^gpt-oss/, { by: "effort", values: ["low", "medium", "high"] }],
        [/^(?:deepseek-r1|minimax-m2)/, NO_SWITCH],
        [/^deepseek-v4/, { by: "reasoning", effort: true }],
        [ANY, { by: "reasoning" }],
      ],
    },
  ],
  [
    ["api.fireworks.ai"],
    {
      bound: MAX_TOKENS,
      // "Extra inputs are not permitted, field: …" (https://github.com/web-infra-dev/midscene/issues/1322, 2025-10-15); it takes `prompt_cache_key`.
      refused: houseWithout("prompt_cache_key"),
      // https://github.com/theopenco/llmgateway/pull/3274, 2026-07-27.
      thinks: [
        [/^glm-5p2/, { by: "effort", values: ["none", "high", "max"] }],
        [ANY, { by: "effort", values: ["none", "low", "medium", "high", "xhigh", "max"] }],
      ],
      // "Extra inputs are not permitted, field: 'messages[8].reasoning'" (https://github.com/earendil-works/pi/issues/4514, 2026-05-14).
      thoughts: "reasoning_content",
      systemFirst: true,
    },
  ],
  [
    ["api.deepinfra.com"],
    // `tool_choice` is `auto` or `none` (https://github.com/BerriAI/litellm/issues/4655, 2024-07-11).
    // Lists of text parts are refused for some models (https://github.com/huggingface/smolagents/issues/1518, 2025-07-04).
    {
      bound: MAX_TOKENS,
      thinks: [[ANY, EFFORT]],
      thoughts: "reasoning_content",
      choosesFreely: [[ANY, "always"]],
      wantsTexts: true,
    },
  ],
  [
    ["integrate.api.nvidia.com"],
    {
      // https://github.com/earendil-works/pi/blob/012c901a/packages/ai/scripts/generate-models.ts, read 2026-11-28.
      bound: MAX_TOKENS,
      refusesStrict: true,
      // "Validation: Unsupported parameter(s): prompt_cache_key" (https://github.com/MoonshotAI/kimi-cli/issues/2534, 2026-07-23).
      refused: [...OPENAIS_HOUSE, "reasoning", "enable_thinking", "tool_stream"],
      // https://github.com/NousResearch/hermes-agent/pull/19888, 2026-05-04, and https://github.com/anomalyco/opencode/pull/45370, 2026-08-26.
      thinks: [
        [/^deepseek-v4/, { by: "effort", values: ["high", "max"] }],
        [/nemotron/, { by: "effort", values: ["none", "low", "medium", "high"] }],
        [/^minimax-m3/, THINKING],
        // Kimi as at vLLM (https://github.com/vllm-project/vllm/issues/54616, 2026-09-01).
        [/^(?:glm|qwen|kimi)/, { by: "template" }],
        [ANY, NO_SWITCH],
      ],
      thoughts: "reasoning_content",
      // https://github.com/tailcallhq/forgecode/issues/3128, 2026-04-29.
      systemFirst: true,
      // DeepSeek mirrors lists of parts (https://github.com/earendil-works/pi/blob/023aec70/packages/ai/src/api/openai-completions.ts, read 2026-11-28).
      wantsTexts: true,
    },
  ],
  [
    ["api.moonshot.ai", "api.moonshot.cn"],
    {
      bound: MAX_TOKENS,
      // https://github.com/vercel/ai/tree/ed857f50/packages/moonshotai, 2026-08-22.
      refused: houseWithout("prompt_cache_key", "safety_identifier"),
      // Content of a turn with calls must be "" rather than null
      // (https://github.com/can1357/oh-my-pi/blob/ab75c53c/packages/catalog/src/compat/openai.ts, read 2026-11-28).
      wantsContent: true,
      // Either is refused next to the other ("cannot specify both", https://github.com/HKUDS/nanobot/issues/3939, 2026-05-20); https://github.com/mnfst/modelparams.dev/pull/168, 2026-07-30.
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
      // The schema has no `tool_choice` (https://java.agentscope.io/v2/en/integration/model/minimax, read 2026-11-28).
      choosesFreely: [[ANY, "always"]],
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
      refused: [...houseWithout("web_search_options"), "stop", "seed"],
      thinks: [
        [/^sonar-deep-research/, { by: "effort", values: ["minimal", "low", "medium", "high"] }],
        [ANY, NO_SWITCH],
      ],
      thoughts: "none",
      systemFirst: true,
      // "user or tool message(s) should alternate with assistant message(s)" (https://github.com/perplexityai/api-discussion/issues/265, 2025-04-01).
      alternates: true,
    },
  ],
  [
    ["api.cohere.ai", "api.cohere.com"],
    // https://github.com/mnfst/modelparams.dev/tree/3e79c46e/models/cohere, 2026-08-22; fields and efforts from memory of https://docs.cohere.com/docs/compatibility-api.
    {
      bound: MAX_TOKENS,
      refused: [...OPENAIS_HOUSE, "logit_bias", "top_logprobs"],
      thinks: [[ANY, { by: "effort", values: ["none", "high"] }]],
      thoughts: "none",
    },
  ],
  [
    ["router.huggingface.co"],
    // Rules of its strictest providers: Groq, Cerebras and Fireworks (their rows); https://github.com/huggingface/ml-intern/pull/51, 2026-04-22.
    {
      bound: MAX_TOKENS,
      thinks: [[ANY, { by: "effort", values: ["none", "low", "medium", "high"] }]],
      thoughts: "none",
      systemFirst: true,
    },
  ],
  [
    ["ai-gateway.vercel.sh"],
    // https://github.com/anomalyco/opencode/blob/000f6280/packages/opencode/src/provider/transform.ts, read 2026-11-28.
    {
      bound: MAX_TOKENS,
      // Fields that OpenAI's models may read at this server are undocumented for others.
      refused: [],
      refusedFor: (model) => (model.startsWith("openai/") ? [] : OPENAIS_HOUSE),
      thinks: [[ANY, EFFORT]],
      thoughts: "reasoning_details",
    },
  ],
  [
    ["gateway.ai.cloudflare.com"],
    // https://github.com/earendil-works/pi/blob/023aec70/packages/ai/src/api/openai-completions.ts, read 2026-11-28.
    { bound: MAX_TOKENS, refusesStrict: true, thinks: [[ANY, NO_SWITCH]] },
  ],
  [
    ["opencode.ai"],
    {
      bound: MAX_TOKENS,
      // It refuses every `tool_choice` for them (https://github.com/can1357/oh-my-pi/blob/bc507f65/packages/catalog/src/compat/rules.json, read 2026-11-28).
      refusedFor: (model) => (/^(?:deepseek-v4|mimo)/.test(model) ? ["tool_choice"] : []),
      // https://github.com/earendil-works/pi/blob/012c901a/packages/ai/scripts/generate-models.ts, read 2026-11-28.
      thinks: [
        [/^kimi-/, THINKING],
        [/^(?:glm-5|deepseek-v4)/, { by: "effort", values: ["high", "max"] }],
        [/^qwen3/, { by: "enable_thinking" }],
        [/^grok-build/, NO_SWITCH],
      ],
      // "Extra inputs are not permitted, field: messages[8].reasoning" (https://github.com/earendil-works/pi/issues/4514, 2026-05-14).
      thoughts: "reasoning_content",
      needsThoughts: [[/^(?:kimi|deepseek|glm|qwen)/, "turn"]],
      // https://github.com/tickernelz/opencode-mem/issues/253, 2026-08-27.
      choosesFreely: [[/^kimi-k2\.7/, "thinking"]],
      // "Request is missing x-opencode-session" (https://github.com/tingly-dev/tingly-box/pull/1715, 2026-09-08).
      sessionHeader: "x-opencode-session",
    },
  ],
];

/** Rows of hosts without their own folder, by host name suffix; each entry with its source and date. */
export const HOSTED: readonly Row[] = ROWS.map(([hosts, traits]) => [hosts, { ...STRICT, ...traits }]);
