/** Servers of those who make models. */
import {
  isRecord,
  messagesOf,
  hasCalls,
  COMMON,
  OPENAI_OWN,
  takeOnly,
  refuseFields,
  takeInMessages,
  refuseRole,
  wantSystemFirst,
  takeEfforts,
  refuseChoices,
  takeIds,
  refuseFormat,
  checkFunctions,
  wantStrings,
  wantThoughts,
  wantShown,
  forModels,
} from "./rules.ts";
import {
  field,
  isOff,
  hasNoEffort,
  isString,
  isFilled,
  whileThinking,
  PARALLEL,
  MESSAGE,
  unsupportedParameter,
  extraForbidden,
  unknownName,
  unknownToOthers,
  refuse,
  olderBound,
  noDeveloper,
  noThoughts,
  foreign,
  ALL,
  OTHERS,
} from "./server.ts";
import type { StrictServer } from "./server.ts";

export const HOUSES: readonly StrictServer[] = [
  {
    name: "openai",
    baseUrl: "https://api.openai.com/v1",
    models: ["gpt-5.1", "gpt-4.1"],
    effortless: /gpt-4/,
    shows: null,
    thinks: null,
    rules: [
      ...ALL,
      // https://github.com/abue-ammar/tinycast/issues/973 (2026-09-21)
      takeOnly(
        [...COMMON, ...OPENAI_OWN, PARALLEL, "reasoning_effort", "n", "logit_bias"],
        (name) => `Unknown parameter: '${name}'.`,
      ),
      forModels(/^gpt-5/, refuseFields(["max_tokens", "top_p", "frequency_penalty"], unsupportedParameter)),
      forModels(
        /^gpt-4/,
        refuseFields(["reasoning_effort"], (name) => `Unrecognized request argument supplied: ${name}`),
      ),
      takeEfforts(/^gpt-5/, ["none", "low", "medium", "high"], (effort) => `Unsupported value: '${effort}'`),
      takeInMessages(
        [...MESSAGE, "name", "refusal", "audio"],
        (name, at) => `Unknown parameter: 'messages[${at}].${name}'.`,
      ),
      takeIds(/^.{1,40}$/, "Invalid 'messages.tool_calls[0].id': string too long. Expected at most 40 characters."),
    ],
  },
  {
    name: "deepseek",
    baseUrl: "https://api.deepseek.com/v1",
    models: ["deepseek-v4-pro"],
    shows: "reasoning_content",
    thinks: (body) => !isOff(body),
    rules: [
      ...OTHERS,
      olderBound,
      // Lists of parts were refused (422); vercel/ai and qwen-code send texts (read 2026-11-28).
      wantStrings(["system", "user", "assistant", "tool"], "messages: content is no text"),
      // https://github.com/decolua/9router/issues/773 (2026-05-02)
      refuseRole(
        "developer",
        "unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`, `latest_reminder`",
      ),
      // https://github.com/llm-exe/llm-exe/issues/662 (2026-07-11)
      refuseFormat(["json_schema"], "This response_format type is unavailable now"),
      // https://github.com/deepseek-ai/DeepSeek-V3/issues/1376 (2026-05-30)
      refuseChoices(["named", "required"], "Thinking mode does not support this tool_choice", whileThinking),
      // reports/protocol/21
      wantThoughts(
        "reasoning_content",
        "turns",
        (thought) => isString(thought) && thought !== ".",
        () => "The `reasoning_content` in the thinking mode must be passed back to the API.",
      ),
      takeEfforts(/./, ["low", "medium", "high", "xhigh", "max"], (effort) => `unknown variant \`${effort}\``),
      ({ body }) => (isOff(body) && "reasoning_effort" in body ? "reasoning_effort with thinking disabled" : null),
      refuse("enable_thinking", "chat_template_kwargs", "reasoning"),
    ],
  },
  {
    name: "moonshot",
    baseUrl: "https://api.moonshot.ai/v1",
    models: ["kimi-k2.6", "kimi-k2.7-code", "kimi-k3"],
    shows: "reasoning_content",
    id: (count) => `functions.Bash:${count}`,
    fixed: /k2\.7|k3/,
    thinks: (body) => !isOff(body),
    rules: [
      ...ALL,
      foreign,
      refuse("enable_thinking", "chat_template_kwargs", "reasoning", "verbosity", "store", "metadata"),
      refuseRole("developer", "tokenization failed"),
      // https://github.com/HKUDS/nanobot/issues/3939 (2026-05-20)
      ({ body }) =>
        "thinking" in body && "reasoning_effort" in body
          ? "cannot specify both 'thinking' and 'reasoning_effort'"
          : null,
      // https://github.com/mnfst/modelparams.dev/pull/168 (2026-07-30)
      forModels(/k2\.7/, ({ body }) => (isOff(body) ? "invalid thinking: only type=enabled is allowed" : null)),
      forModels(/k3/, ({ body }) =>
        field("thinking.type", body) === undefined ? null : "invalid thinking: type is not supported",
      ),
      forModels(/k2/, refuse("reasoning_effort")),
      takeEfforts(/k3/, ["low", "high", "max"], (effort) => `invalid reasoning_effort: ${effort}`),
      // https://github.com/enricoros/big-AGI/issues/1161 (2026-07-17)
      ({ body }) =>
        body["temperature"] === undefined || body["temperature"] === 1
          ? null
          : "invalid temperature: only 1 is allowed for this model",
      // https://github.com/UKGovernmentBEIS/inspect_ai/pull/5152 (2026-08-31)
      refuseChoices(["named"], "tool_choice 'specified' is incompatible with thinking enabled", whileThinking),
      forModels(
        /k2/,
        refuseChoices(["required"], "tool_choice 'required' is incompatible with thinking enabled", whileThinking),
      ),
      // https://github.com/continuedev/continue/issues/11600 (2026-03-18)
      wantThoughts(
        "reasoning_content",
        "calls",
        isFilled,
        (at) => `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`,
      ),
      (request) =>
        messagesOf(request).some((message) => hasCalls(message) && message["content"] === null)
          ? "message content of an assistant must not be null"
          : null,
    ],
  },
  ...["https://api.z.ai/api/paas/v4", "https://open.bigmodel.cn/api/coding/paas/v4"].map(
    (baseUrl, at): StrictServer => ({
      name: ["zai", "bigmodel"][at] ?? "",
      baseUrl,
      models: at === 0 ? ["glm-5", "glm-5.2", "glm-5.3"] : ["glm-5.2"],
      shows: "reasoning_content",
      fixed: /5\.3/,
      thinks: (body) => !isOff(body) && !hasNoEffort(body),
      rules: [
        ...OTHERS,
        olderBound,
        refuse("enable_thinking", "chat_template_kwargs", "reasoning"),
        // https://github.com/vectorize-io/hindsight/issues/4246 (2026-09-09)
        refuseChoices(["named", "required", "none"], "Tool choice must be auto"),
        // The model table of modelparams.dev (2026-08-22) has text and json_object alone.
        refuseFormat(["json_schema"], "1210: The response_format parameter is illegal"),
        forModels(/^glm-5$/, refuse("reasoning_effort")),
        takeEfforts(
          /5\.2/,
          ["none", "minimal", "low", "medium", "high", "xhigh", "max"],
          (effort) => `1210: ${effort}`,
        ),
        takeEfforts(/5\.3/, ["low", "high", "max"], (effort) => `1210: reasoning_effort ${effort} is illegal`),
        forModels(/5\.3/, ({ body }) => (isOff(body) ? "1210: thinking.type must be enabled" : null)),
        (request) =>
          messagesOf(request).some(({ role }) => role === "user") ? null : "1214: The messages parameter is illegal",
      ],
    }),
  ),
  {
    name: "minimax",
    baseUrl: "https://api.minimax.io/v1",
    models: ["MiniMax-M3", "MiniMax-M2.5"],
    shows: "in content",
    fixed: /M2/,
    thinks: (body, model) => model.includes("M2") || !isOff(body),
    rules: [
      ...OTHERS,
      refuse("enable_thinking", "chat_template_kwargs", "reasoning", "reasoning_effort"),
      // https://github.com/can1357/oh-my-pi/pull/954 (2026-05-07)
      wantSystemFirst("invalid params, invalid chat setting (2013)"),
      ({ body }) => (body["temperature"] === 0 ? "invalid params, temperature (2013)" : null),
      ({ body }) =>
        "thinking" in body && !["disabled", "adaptive"].includes(String(field("thinking.type", body)))
          ? "invalid params, thinking.type (2013)"
          : null,
      // https://java.agentscope.io/v2/en/integration/model/minimax
      refuseChoices(["named", "required"], "invalid params, tool_choice (2013)"),
      checkFunctions((fn) => isRecord(fn["parameters"]), "invalid params, function parameters (2013)"),
    ],
  },
  {
    name: "mistral",
    baseUrl: "https://api.mistral.ai/v1",
    models: ["mistral-medium-3.5", "magistral-medium-latest", "devstral-latest"],
    shows: "parts",
    status: 422,
    id: (count) => `Abcdefg${count}${count}`,
    fixed: /magistral|devstral/,
    thinks: (body, model) => model.startsWith("magistral") || body["reasoning_effort"] === "high",
    rules: [
      ...ALL,
      noDeveloper,
      // https://github.com/Gitlawb/openclaude/issues/739 (2026-04-17), and every unknown key
      takeOnly(
        "model messages tools tool_choice stream temperature top_p stop response_format max_tokens random_seed safe_prompt frequency_penalty presence_penalty parallel_tool_calls reasoning_effort n prediction prompt_cache_key metadata".split(
          " ",
        ),
        extraForbidden,
      ),
      takeInMessages([...MESSAGE, "name", "prefix"], (name, at) => extraForbidden(`messages.${at}.assistant.${name}`)),
      takeEfforts(/medium-3\.5/, ["none", "high"], (effort) => `reasoning_effort: ${effort}`),
      takeEfforts(/magistral|devstral/, [], () => "reasoning_effort is not enabled for this model"),
      // https://github.com/nearai/ironclaw/issues/1241 (2026-03-16)
      takeIds(/^[a-zA-Z0-9]{9}$/, "Tool call id was %s but must be a-z, A-Z, 0-9, with a length of 9. (3280)"),
      ({ body }) => (Array.isArray(body["tools"]) && body["tools"].length === 0 ? extraForbidden("tools") : null),
      // https://github.com/BerriAI/litellm/issues/6323 (2024-10-18)
      (request) =>
        messagesOf(request).some(({ role }, at, all) => role === "user" && all[at - 1]?.["role"] === "tool")
          ? "Unexpected role 'user' after role 'tool'"
          : null,
    ],
  },
  {
    name: "perplexity",
    baseUrl: "https://api.perplexity.ai",
    models: ["sonar-pro", "sonar-deep-research"],
    shows: null,
    thinks: null,
    isToolless: true,
    rules: [
      ...OTHERS,
      noThoughts,
      refuse("stop", "seed", "tools", "tool_choice", PARALLEL, "thinking", "enable_thinking", "reasoning"),
      takeEfforts(/research/, ["minimal", "low", "medium", "high"], (effort) => `reasoning_effort: ${effort}`),
      forModels(/sonar-pro/, refuse("reasoning_effort")),
      // https://github.com/perplexityai/api-discussion/issues/265 (2025-04-01)
      (request) => {
        const rest = messagesOf(request).filter(
          ({ role }, at, all) =>
            !(role === "system" && all.slice(0, at).every((before) => before["role"] === "system")),
        );
        return rest.every(({ role }, at) => (at % 2 === 0 ? role === "user" || role === "tool" : role === "assistant"))
          ? null
          : "After the (optional) system message(s), user or tool message(s) should alternate with assistant message(s).";
      },
    ],
  },
  {
    name: "cohere",
    baseUrl: "https://api.cohere.ai/compatibility/v1",
    models: ["command-a-reasoning-08-2025"],
    shows: null,
    thinks: null,
    rules: [
      ...ALL,
      foreign,
      unknownToOthers,
      olderBound,
      takeEfforts(/./, ["none", "high"], (effort) => `invalid reasoning_effort: ${effort}`),
      refuse("thinking", "reasoning", "enable_thinking"),
    ],
  },
  {
    name: "dashscope",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    models: ["qwen3.6-plus", "qwen3.8-max", "qwen3-235b-a22b-thinking-2507"],
    shows: "reasoning_content",
    // Qwen 3.8 has efforts, and none of them is not one.
    fixed: /thinking|3\.8/,
    thinks: (body, model) => model.includes("thinking") || body["enable_thinking"] !== false,
    rules: [
      ...ALL,
      foreign,
      refuseFields(
        OPENAI_OWN.filter((name) => name !== "metadata"),
        (name) => `Unknown parameter: '${name}'.`,
      ),
      // https://github.com/NeuroAIHub/BrainPilot/issues/549 (2026-09-07)
      refuseRole("developer", "developer is not one of ['system', 'assistant', 'user', 'tool', 'function']"),
      wantSystemFirst("System message must be at the beginning."),
      // https://github.com/cloudwego/eino/issues/994 (2026-04-24)
      refuseChoices(
        ["named", "required"],
        "The tool_choice parameter does not support being set to required or object in thinking mode",
        whileThinking,
      ),
      takeEfforts(/3\.8/, ["low", "medium", "xhigh"], (effort) => `reasoning_effort ${effort} is not supported`),
      forModels(/3\.6|thinking/, refuse("reasoning_effort")),
      forModels(/thinking/, ({ body }) =>
        body["enable_thinking"] === false ? "parameter.enable_thinking must be set to true for this model" : null,
      ),
      refuse("thinking", "reasoning", "chat_template_kwargs", "frequency_penalty"),
    ],
  },
  {
    name: "ark",
    baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
    models: ["doubao-seed-2-1-pro", "ark-code-latest"],
    shows: "reasoning_content",
    thinks: (body) => !isOff(body) && !["none", "minimal"].includes(String(body["reasoning_effort"])),
    rules: [
      ...OTHERS,
      // https://github.com/RooCodeInc/Roo-Code/issues/11001 (2026-01-27)
      forModels(/ark-code/, ({ body }) =>
        "reasoning_effort" in body && field("thinking.type", body) !== "enabled"
          ? `Invalid combination of reasoning_effort and thinking type: ${String(body["reasoning_effort"])} + disabled`
          : null,
      ),
      ({ body }) =>
        "reasoning_effort" in body && isOff(body) && body["reasoning_effort"] !== "minimal"
          ? "Invalid combination of reasoning_effort and thinking type"
          : null,
      takeEfforts(/2-1-pro/, ["minimal", "low", "medium", "high"], (effort) => `reasoning_effort: ${effort}`),
      ({ body }) =>
        "max_tokens" in body && "max_completion_tokens" in body ? "max_tokens and max_completion_tokens" : null,
      refuse("enable_thinking", "reasoning", "chat_template_kwargs"),
    ],
  },
  {
    name: "xai",
    baseUrl: "https://api.x.ai/v1",
    models: ["grok-4.3", "grok-4.6", "grok-code-fast-1"],
    shows: "reasoning_content",
    fixed: /4\.6|code/,
    thinks: (body) => !hasNoEffort(body),
    rules: [
      ...ALL,
      noDeveloper,
      foreign,
      // Its reference knows `user` and `web_search_options` (https://docs.x.ai/docs/api-reference#chat-completions, from memory).
      refuseFields(
        OPENAI_OWN.filter((name) => !["user", "web_search_options"].includes(name)),
        (name) => `Unknown parameter: '${name}'.`,
      ),
      // https://github.com/yym68686/uni-api/issues/105 (2025-04-24)
      refuseFields(
        ["presence_penalty", "frequency_penalty", "stop", "search_parameters"],
        (name) => `Argument not supported on this model: ${name}`,
      ),
      // https://github.com/NousResearch/hermes-agent/pull/23435 (2026-05-10)
      forModels(
        /code-fast/,
        refuseFields(["reasoning_effort"], () => "Model grok-code-fast-1 does not support parameter reasoningEffort."),
      ),
      takeEfforts(/4\.3/, ["none", "low", "medium", "high"], (effort) => `Invalid reasoning effort: ${effort}`),
      takeEfforts(/4\.6/, ["low", "medium", "high", "xhigh"], (effort) => `Invalid reasoning effort: ${effort}`),
      refuse("thinking", "enable_thinking", "reasoning", "chat_template_kwargs"),
    ],
  },
  {
    name: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    models: ["gemini-3.5-flash", "gemini-3.1-pro-preview"],
    shows: "signature",
    fixed: /pro/,
    thinks: (body) => !hasNoEffort(body),
    rules: [
      ...ALL,
      noDeveloper,
      // https://github.com/leookun/cursor-byok/issues/112 (2026-06-02) and others
      refuseFields(
        [...OPENAI_OWN, "frequency_penalty", "reasoning", "thinking", "enable_thinking", "top_k"],
        unknownName,
      ),
      takeInMessages([...MESSAGE, "name", "extra_content"], unknownName),
      takeEfforts(/./, ["none", "minimal", "low", "medium", "high"], (effort) => `Invalid value: "${effort}"`),
      forModels(/pro/, ({ body }) => (hasNoEffort(body) ? "Thinking can't be disabled for this model." : null)),
      wantShown("Function call is missing a thought_signature in functionCall parts."),
    ],
  },
];
