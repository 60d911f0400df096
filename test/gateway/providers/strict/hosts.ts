/** Servers of those who host models of others, and gateways. */
import {
  recordsOf,
  messagesOf,
  COMMON,
  OPENAI_OWN,
  takeOnly,
  refuseFields,
  takeInMessages,
  refuseInMessages,
  refuseRole,
  wantSystemFirst,
  takeEfforts,
  refuseChoices,
  wantStrings,
  checkFunctions,
  wantThoughts,
  wantShown,
  forModels,
} from "./rules.ts";
import {
  field,
  isOff,
  hasNoEffort,
  isFilled,
  PARALLEL,
  MESSAGE,
  unsupportedParameter,
  extraInputs,
  unknownToOthers,
  refuse,
  olderBound,
  noDeveloper,
  noThoughts,
  qwenSystem,
  ALL,
  OTHERS,
} from "./server.ts";
import type { StrictServer } from "./server.ts";

const azure = (name: string, host: string): StrictServer => ({
  name,
  baseUrl: `https://mine.${host}/openai/v1`,
  // A deployment's name need not say which model it is (reports/protocol/17).
  models: ["my-deployment"],
  shows: null,
  thinks: null,
  rules: [
    ...ALL,
    refuseFields(["max_tokens"], unsupportedParameter),
    // https://github.com/OpenHands/software-agent-sdk/pull/2311 (2026-03-05)
    refuseFields(["prompt_cache_retention", "thinking", "reasoning", "enable_thinking"], unsupportedParameter),
    noThoughts,
  ],
});

export const HOSTS: readonly StrictServer[] = [
  azure("azure", "openai.azure.com"),
  azure("foundry", "services.ai.azure.com"),
  azure("cognitive", "cognitiveservices.azure.com"),
  {
    name: "foundry-deepseek",
    baseUrl: "https://ds.services.ai.azure.com/openai/v1",
    models: ["DeepSeek-V4-Pro"],
    shows: "reasoning_content",
    thinks: null,
    rules: [
      ...ALL,
      // https://github.com/earendil-works/pi/issues/9645 (2026-09-15)
      refuseFields(
        ["prompt_cache_key", "prompt_cache_retention", "thinking"],
        (name) => `Unrecognized request argument supplied: ${name}`,
      ),
      takeEfforts(/./, ["low", "medium", "high"], (effort) => `Invalid value: '${effort}'`),
    ],
  },
  {
    name: "openrouter",
    baseUrl: "https://openrouter.ai/api/v1",
    models: [
      "google/gemini-3.1-pro-preview",
      "anthropic/claude-sonnet-4.6",
      "deepseek/deepseek-v4-pro",
      "moonshotai/kimi-k3",
      "z-ai/glm-5.2",
      "openai/gpt-5.1",
    ],
    shows: "reasoning_details",
    fixed: /kimi-k3|gemini/,
    thinks: (body) =>
      !hasNoEffort(body) && field("reasoning.effort", body) !== "none" && field("reasoning.enabled", body) !== false,
    rules: [
      ...ALL,
      // reports/protocol/16: the details of Gemini's own calls have to come back as they were.
      forModels(/gemini-3/, wantShown("Function call is missing a thought_signature in functionCall parts.")),
      forModels(/deepseek|kimi|z-ai|gemini/, noDeveloper),
      // https://github.com/enricoros/big-AGI/issues/1161 (2026-07-17)
      forModels(/kimi-k3/, ({ body }) =>
        field("reasoning.enabled", body) === false || field("reasoning.effort", body) === "none" || hasNoEffort(body)
          ? "invalid thinking: cannot be disabled for this model"
          : null,
      ),
      takeEfforts(/deepseek-v4/, ["none", "high", "xhigh"], (effort) => `Unsupported effort ${effort}`),
      // https://github.com/vectorize-io/hindsight/issues/4246 (2026-09-09)
      forModels(/z-ai/, refuseChoices(["named", "required", "none"], "Tool choice must be auto")),
      // The SDK of OpenRouter takes unsigned texts out for Claude (ai-sdk-provider 4247ab25, 2026-06-25).
      forModels(/claude/, (request) =>
        messagesOf(request).some((message) =>
          recordsOf(message["reasoning_details"]).some(
            ({ type, signature }) => type === "reasoning.text" && !isFilled(signature),
          ),
        )
          ? "messages.1.content.0.thinking.signature: Field required"
          : null,
      ),
    ],
  },
  {
    name: "groq",
    baseUrl: "https://api.groq.com/openai/v1",
    models: ["openai/gpt-oss-120b", "qwen/qwen3-32b", "llama-3.3-70b-versatile"],
    shows: "reasoning",
    fixed: /gpt-oss|llama/,
    thinks: (body, model) => !model.startsWith("llama") && !hasNoEffort(body),
    rules: [
      ...ALL,
      noDeveloper,
      // https://console.groq.com/docs/openai.md; https://github.com/janhq/jan/issues/8136 (2026-05-13)
      takeOnly(
        [...COMMON, PARALLEL, "reasoning_effort", "reasoning_format", "include_reasoning", "service_tier", "user"],
        (name) => `property '${name}' is unsupported`,
      ),
      takeInMessages(
        [...MESSAGE, "reasoning"],
        (name, at) =>
          `'messages.${at}' : for 'role:assistant' the following must be satisfied[('messages.${at}' : property '${name}' is unsupported)]`,
      ),
      takeEfforts(
        /gpt-oss/,
        ["low", "medium", "high"],
        () => "`reasoning_effort` must be one of `low`, `medium`, `high`",
      ),
      takeEfforts(/qwen/, ["none", "default"], () => "`reasoning_effort` must be one of `none`, `default`"),
      takeEfforts(/llama/, [], () => "`reasoning_effort` is not supported with this model"),
      // https://github.com/nanobrowser/nanobrowser/issues/120 (2025-05-20)
      ({ body }) =>
        field("response_format.type", body) === "json_object" && "tools" in body
          ? "json mode cannot be combined with tool/function calling"
          : null,
    ],
  },
  {
    name: "cerebras",
    baseUrl: "https://api.cerebras.ai/v1",
    models: ["zai-glm-4.7", "gpt-oss-120b", "qwen-3.8-27b"],
    shows: "reasoning",
    fixed: /gpt-oss/,
    thinks: (body) => !hasNoEffort(body),
    rules: [
      ...ALL,
      noDeveloper,
      qwenSystem,
      // https://github.com/vercel/ai/issues/15042 (2026-05-05); Bifrost drops verbosity and prompt_cache_key there.
      takeOnly(
        [...COMMON, PARALLEL, "reasoning_effort", "service_tier", "user"],
        (name) => `body.${name}: property '${name}' is unsupported (wrong_api_format)`,
      ),
      takeInMessages(
        [...MESSAGE, "reasoning", "name"],
        (name, at) => `body.messages.${at}.assistant.${name}: property '${name}' is unsupported (wrong_api_format)`,
      ),
      takeEfforts(/gpt-oss/, ["low", "medium", "high"], (effort) => `reasoning_effort ${effort} is invalid`),
      takeEfforts(/./, ["none", "low", "medium", "high"], (effort) => `reasoning_effort ${effort} is invalid`),
      // oh-my-pi: all tools of a request strict, or none.
      ({ body }) =>
        new Set(recordsOf(body["tools"]).map((tool) => field("function.strict", tool) === true)).size > 1
          ? "tools with mixed values of strict are not allowed"
          : null,
    ],
  },
  {
    name: "together",
    baseUrl: "https://api.together.xyz/v1",
    models: ["zai-org/GLM-5", "openai/gpt-oss-120b", "MiniMaxAI/MiniMax-M2.7"],
    shows: "reasoning",
    fixed: /gpt-oss|MiniMax/,
    thinks: (body) => field("reasoning.enabled", body) !== false,
    rules: [
      ...OTHERS,
      olderBound,
      refuse("thinking", "enable_thinking", "chat_template_kwargs"),
      checkFunctions((fn) => !("strict" in fn), "tools.0.function.strict: unknown field"),
      takeEfforts(
        /gpt-oss/,
        ["low", "medium", "high"],
        (effort) => `reasoning_effort: ${effort} is not one of low, medium, high`,
      ),
      forModels(/gpt-oss|MiniMax/, refuse("reasoning")),
      forModels(/GLM|MiniMax/, refuse("reasoning_effort")),
    ],
  },
  {
    name: "fireworks",
    baseUrl: "https://api.fireworks.ai/inference/v1",
    models: [
      "accounts/fireworks/models/kimi-k3",
      "accounts/fireworks/models/glm-5p2",
      "accounts/fireworks/models/qwen3p8-max",
    ],
    shows: "reasoning_content",
    thinks: (body) => !hasNoEffort(body) && !isOff(body),
    rules: [
      ...ALL,
      qwenSystem,
      noDeveloper,
      olderBound,
      // https://github.com/theopenco/llmgateway/pull/3274 (2026-07-27)
      takeOnly(
        [...COMMON, PARALLEL, "reasoning_effort", "thinking", "reasoning_history", "prompt_cache_key"],
        extraInputs,
      ),
      takeInMessages([...MESSAGE, "reasoning_content", "name"], (name, at) => extraInputs(`messages[${at}].${name}`)),
      takeEfforts(/kimi/, ["none", "low", "medium", "high", "xhigh", "max"], (effort) => `reasoning_effort: ${effort}`),
      takeEfforts(/glm-5p2/, ["none", "high", "max"], (effort) => `reasoning_effort: '${effort}' is not supported`),
      ({ body }) =>
        "thinking" in body && "reasoning_effort" in body ? "thinking and reasoning_effort cannot both be set" : null,
    ],
  },
  {
    name: "deepinfra",
    baseUrl: "https://api.deepinfra.com/v1/openai",
    models: ["deepseek-ai/DeepSeek-V4-Pro"],
    shows: "reasoning_content",
    thinks: null,
    status: 422,
    rules: [
      ...OTHERS,
      // https://github.com/earendil-works/pi/pull/1578 (2026-02-21)
      refuseRole("developer", "Input should be 'system', 'user', 'assistant', or 'tool'"),
      // https://github.com/BerriAI/litellm/issues/4655 (2024-07-11)
      refuseChoices(["named", "required"], "tool_choice: Input should be 'auto' or 'none'"),
      // https://github.com/huggingface/smolagents/issues/1518 (2025-07-04)
      wantStrings(["system", "user", "assistant", "tool"], "messages.0.content: Input should be a valid string"),
    ],
  },
  {
    name: "nvidia",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    models: ["moonshotai/kimi-k2.6", "z-ai/glm-5", "deepseek-ai/deepseek-v4-pro", "qwen/qwen3.6-397b"],
    shows: "reasoning_content",
    id: (count) => `functions.Bash:${count}`,
    fixed: /deepseek/,
    thinks: (body) =>
      field("chat_template_kwargs.enable_thinking", body) !== false &&
      field("chat_template_kwargs.thinking", body) !== false,
    rules: [
      ...OTHERS,
      // reports/protocol/11; https://github.com/MoonshotAI/kimi-cli/issues/2534 (2026-07-23) and others
      refuseFields(
        [...OPENAI_OWN, "reasoning", "reasoning_budget", "tool_stream", "enable_thinking"],
        (name) => `Validation: Unsupported parameter(s): \`${name}\``,
      ),
      olderBound,
      wantSystemFirst("System message must be at the beginning."),
      checkFunctions((fn) => !("strict" in fn), "Validation: Unsupported parameter(s): `strict`"),
      takeEfforts(/deepseek/, ["none", "high", "max"], (effort) => `reasoning_effort: ${effort} is invalid`),
      // reports/protocol/09: no one repairs the ids of Kimi there.
      forModels(/kimi/, (request) =>
        request.shown.length > 0 && !JSON.stringify(request.body["messages"]).includes('"functions.Bash:0"')
          ? "(no refusal: Kimi falls silent) the id functions.Bash:0 did not come back"
          : null,
      ),
      wantStrings(["assistant"], "(no refusal: DeepSeek mirrors part arrays) content of an assistant is no string"),
    ],
  },
  {
    name: "siliconflow",
    baseUrl: "https://api.siliconflow.cn/v1",
    models: ["Qwen/Qwen3.6-Plus"],
    shows: "reasoning_content",
    thinks: (body) => body["enable_thinking"] !== false,
    rules: [
      ...OTHERS,
      qwenSystem,
      // https://github.com/CherryHQ/cherry-studio/pull/14782 (2026-05-01)
      refuse("thinking", "reasoning", "chat_template_kwargs", "seed"),
    ],
  },
  {
    name: "huggingface",
    baseUrl: "https://router.huggingface.co/v1",
    models: ["moonshotai/Kimi-K2.6:groq"],
    shows: "reasoning",
    dropsThoughts: true,
    thinks: null,
    rules: [
      ...OTHERS,
      // As the strictest of those behind it.
      refuseInMessages(
        ["reasoning_content", "reasoning_details"],
        (name, at) => `'messages.${at}' : property '${name}' is unsupported`,
      ),
      takeEfforts(
        /./,
        ["none", "minimal", "low", "medium", "high", "xhigh"],
        (effort) => `reasoning_effort: ${effort}`,
      ),
    ],
  },
  {
    name: "vercel",
    baseUrl: "https://ai-gateway.vercel.sh/v1",
    models: ["anthropic/claude-sonnet-4.6", "deepseek/deepseek-v3.2"],
    shows: "reasoning",
    thinks: null,
    rules: [...ALL, noDeveloper, unknownToOthers, refuse("thinking", "enable_thinking", "chat_template_kwargs")],
  },
  {
    name: "cloudflare",
    baseUrl: "https://gateway.ai.cloudflare.com/v1/account/gateway/compat",
    models: ["groq/llama-3.3-70b-versatile", "deepseek/deepseek-v4-pro"],
    shows: "reasoning_content",
    thinks: null,
    rules: [
      ...OTHERS,
      olderBound,
      // pi leaves them out (detectCompat).
      refuse("reasoning_effort"),
      checkFunctions((fn) => !("strict" in fn), "tools.0.function.strict: unknown field"),
    ],
  },
  {
    name: "opencode-go",
    baseUrl: "https://opencode.ai/zen/go/v1",
    models: ["kimi-k2.6", "glm-5.2", "deepseek-v4-pro", "qwen3.6-plus"],
    shows: "reasoning_content",
    id: (count) => `functions.Bash:${count}`,
    fixed: /glm|deepseek/,
    thinks: (body) => !isOff(body) && body["enable_thinking"] !== false,
    rules: [
      ...ALL,
      noDeveloper,
      unknownToOthers,
      olderBound,
      qwenSystem,
      // https://github.com/anomalyco/opencode/issues/50877 (2026-09-23)
      ({ headers }) =>
        isFilled(headers["x-opencode-session"])
          ? null
          : "MissingSessionID: Request is missing x-opencode-session and cannot be routed efficiently",
      ({ headers }) => (isFilled(headers["user-agent"]) ? null : "Request has no User-Agent"),
      // https://github.com/earendil-works/pi/issues/4514 (2026-05-14)
      takeInMessages([...MESSAGE, "reasoning_content", "name"], (name, at) => extraInputs(`messages[${at}].${name}`)),
      wantThoughts(
        "reasoning_content",
        "calls",
        isFilled,
        (at) => `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`,
      ),
      // https://github.com/OnesoftQwQ/opencode-go-copilot/issues/1 (2026-04-29)
      (request) =>
        request.isThinking
          ? null
          : refuseInMessages(["reasoning_content"], (name, at) => extraInputs(`messages[${at}].${name}`))(request),
      forModels(/kimi/, refuse("reasoning_effort", "enable_thinking")),
      forModels(/glm|deepseek/, refuse("enable_thinking")),
      forModels(/qwen/, refuse("reasoning_effort", "thinking")),
      takeEfforts(/glm|deepseek/, ["high", "max"], (effort) => `reasoning_effort: ${effort}`),
      // https://github.com/tickernelz/opencode-mem/issues/253 (2026-08-27); oh-my-pi: none at all for DeepSeek
      forModels(
        /deepseek/,
        refuseFields(["tool_choice"], () => "Thinking mode does not support this tool_choice"),
      ),
    ],
  },
];
