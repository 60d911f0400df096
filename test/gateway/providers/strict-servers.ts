/**
 * Chat servers as their documentation and reports of their users describe them: what each refuses, in its own words. Made
 * from those pages alone (sources beside each fact, read 2026-11-28) and never from Postern's own table, which they check.
 * Where a page only says what clients send, the fake refuses the rest: a gateway that passes here passes there.
 */
import {
  COMMON,
  OPENAI_OWN,
  checkFunctions,
  forModels,
  hasCalls,
  isRecord,
  messagesOf,
  recordsOf,
  refuseChoices,
  refuseFields,
  refuseFormat,
  refuseInMessages,
  refuseRole,
  takeEfforts,
  takeIds,
  takeInMessages,
  takeOnly,
  wantShown,
  wantStrings,
  wantSystemFirst,
  wantThoughts,
} from "./strict-rules.ts";
import type { Asked, Json, Rule } from "./strict-rules.ts";

/** How a server shows what its model thought. */
export type Shows =
  | "reasoning_content"
  | "reasoning"
  | "reasoning_details"
  | "in content"
  | "parts"
  | "signature"
  | null;

export interface StrictServer {
  /** As its connection is called here. */
  readonly name: string;
  readonly baseUrl: string;
  readonly models: readonly string[];
  readonly shows: Shows;
  /** Null where nobody knows how it is told not to think. */
  readonly thinks: ((body: Json, model: string) => boolean) | null;
  /** Models that always think, or never: a request for none changes nothing. */
  readonly fixed?: RegExp;
  /** Models that have no effort. */
  readonly effortless?: RegExp;
  /** What the ids of its calls look like. */
  readonly id?: (count: number) => string;
  readonly status?: number;
  /** Its models call no tools. */
  readonly isToolless?: true;
  readonly rules: readonly Rule[];
}

const field = (path: string, body: Json): unknown =>
  path.split(".").reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), body);

const isOff = (body: Json): boolean => field("thinking.type", body) === "disabled";
const hasNoEffort = (body: Json): boolean => body["reasoning_effort"] === "none";
const isString = (value: unknown): boolean => typeof value === "string";
const isFilled = (value: unknown): boolean => typeof value === "string" && value !== "";
const whileThinking = ({ isThinking }: Asked): boolean => isThinking;

const PARALLEL = "parallel_tool_calls";
const MESSAGE = ["role", "content", "tool_calls", "tool_call_id"];

const unsupportedParameter = (name: string): string =>
  `Unsupported parameter: '${name}' is not supported with this model.`;
const extraForbidden = (name: string): string => `body.${name}: Extra inputs are not permitted (extra_forbidden)`;
const extraInputs = (name: string): string => `Extra inputs are not permitted, field: '${name}'`;
const unknownName = (name: string): string =>
  `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;

/** Nobody documents OpenAI's own fields there, and strict parsers answer so (reports/protocol/11). */
const unknownToOthers: Rule = refuseFields(OPENAI_OWN, (name) => `Unknown parameter: '${name}'.`);
/** What other houses call thinking, at a server that has none of it. */
const refuse = (...names: string[]): Rule => refuseFields(names, (name) => `Unknown parameter: '${name}'.`);
/** pi and oh-my-pi send the older name alone. */
const olderBound: Rule = refuseFields(["max_completion_tokens"], (name) => `Unknown parameter: '${name}'.`);
/** Only OpenAI and Azure are known to take the role (oh-my-pi, buildOpenAICompat). */
const noDeveloper: Rule = refuseRole(
  "developer",
  "unknown variant `developer`, expected `system`, `user`, `assistant`",
);
const noThoughts: Rule = refuseInMessages(
  ["reasoning_content", "reasoning", "reasoning_details", "thinking_blocks"],
  (name, at) => `messages[${at}]: property '${name}' is unsupported`,
);
/** https://github.com/can1357/oh-my-pi/issues/6925 (2026-07-28) */
const QWEN = /qwen-?3[.p]?[5-9]/i;
const qwenSystem: Rule = forModels(QWEN, wantSystemFirst("System message must be at the beginning."));
/** Fields of Anthropic's and of Postern's own that no chat server knows. */
const foreign: Rule = refuseInMessages(
  [
    "refusal",
    "annotations",
    "audio",
    "thinking_blocks",
    "thinking",
    "signature",
    "cache_control",
    "phase",
    "refusal_reason",
  ],
  (name, at) => `messages[${at}]: Unknown field '${name}'.`,
);
const needsText: Rule = (asked) =>
  messagesOf(asked).some(
    ({ role, content, tool_calls }) =>
      (content === undefined || content === null) && role !== "tool" && recordsOf(tool_calls).length === 0,
  )
    ? "messages: content is missing"
    : null;
/** Every call is answered, and nothing answers a call that was not made. */
const answered: Rule = (asked) => {
  const messages = messagesOf(asked);
  const called = messages.flatMap(({ tool_calls }) => recordsOf(tool_calls).map(({ id }) => id));
  const results = messages.filter(({ role }) => role === "tool").map(({ tool_call_id }) => tool_call_id);
  return results.every((id) => called.includes(id)) && called.every((id) => results.includes(id))
    ? null
    : "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
};
const ALL: readonly Rule[] = [needsText, answered];
const OTHERS: readonly Rule[] = [...ALL, noDeveloper, foreign, unknownToOthers];

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

export const SERVERS: readonly StrictServer[] = [
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
      forModels(/claude/, (asked) =>
        messagesOf(asked).some((message) =>
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
    models: ["deepseek-ai/DeepSeek-V4-Pro", "zai-org/GLM-5"],
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
      wantStrings(["system", "assistant", "tool"], "messages.0.content: Input should be a valid string"),
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
      // reports/protocol/09: nobody repairs the ids of Kimi there.
      forModels(/kimi/, (asked) =>
        asked.shown.length > 0 && !JSON.stringify(asked.body["messages"]).includes('"functions.Bash:0"')
          ? "(no refusal: Kimi falls silent) the id functions.Bash:0 did not come back"
          : null,
      ),
      wantStrings(["assistant"], "(no refusal: DeepSeek mirrors part arrays) content of an assistant is no string"),
    ],
  },
  {
    name: "deepseek",
    baseUrl: "https://api.deepseek.com/v1",
    models: ["deepseek-v4-pro", "deepseek-flash"],
    shows: "reasoning_content",
    thinks: (body) => !isOff(body),
    rules: [
      ...OTHERS,
      olderBound,
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
      (asked) =>
        messagesOf(asked).some((message) => hasCalls(message) && message["content"] === null)
          ? "message content of an assistant must not be null"
          : null,
    ],
  },
  ...["https://api.z.ai/api/paas/v4", "https://open.bigmodel.cn/api/coding/paas/v4"].map(
    (baseUrl, at): StrictServer => ({
      name: ["zai", "bigmodel"][at] ?? "",
      baseUrl,
      models: ["glm-5", "glm-5.2", "glm-5.3"],
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
        (asked) =>
          messagesOf(asked).some(({ role }) => role === "user") ? null : "1214: The messages parameter is illegal",
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
      // https://platform.minimax.io/docs/api-reference/text-openai-api: the whole message has to come back.
      wantShown("(no refusal) the thinking of the last message did not come back"),
    ],
  },
  {
    name: "siliconflow",
    baseUrl: "https://api.siliconflow.cn/v1",
    models: ["Qwen/Qwen3.6-Plus", "deepseek-ai/DeepSeek-V4", "zai-org/GLM-5"],
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
      (asked) =>
        messagesOf(asked).some(({ role }, at, all) => role === "user" && all[at - 1]?.["role"] === "tool")
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
      (asked) => {
        const rest = messagesOf(asked).filter(
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
    name: "huggingface",
    baseUrl: "https://router.huggingface.co/v1",
    models: ["zai-org/GLM-5:cerebras", "moonshotai/Kimi-K2.6:groq"],
    shows: "reasoning",
    thinks: null,
    rules: [
      ...OTHERS,
      // As the strictest of those behind it.
      refuseInMessages(
        ["reasoning_content", "reasoning_details"],
        (name, at) => `'messages.${at}' : property '${name}' is unsupported`,
      ),
      takeEfforts(/./, ["none", "minimal", "low", "medium", "high", "xhigh"], (effort) => `${effort}`),
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
      (asked) =>
        asked.isThinking
          ? null
          : refuseInMessages(["reasoning_content"], (name, at) => extraInputs(`messages[${at}].${name}`))(asked),
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
  {
    name: "dashscope",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    models: ["qwen3.6-plus", "qwen3.8-max", "qwen3-235b-a22b-thinking-2507"],
    shows: "reasoning_content",
    // Qwen 3.8 has efforts, and none of them is none.
    fixed: /thinking|3\.8/,
    thinks: (body, model) => model.includes("thinking") || body["enable_thinking"] !== false,
    rules: [
      ...ALL,
      foreign,
      refuseFields(
        OPENAI_OWN.filter((name) => name !== "metadata"),
        (name) => `Unknown parameter: '${name}'.`,
      ),
      olderBound,
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
  {
    name: "ollama",
    baseUrl: "http://127.0.0.1:11434/v1",
    models: ["qwen3.6:27b", "gpt-oss:20b"],
    shows: "reasoning",
    fixed: /gpt-oss/,
    thinks: (body) => !hasNoEffort(body) && field("reasoning.effort", body) !== "none",
    rules: [
      ...ALL,
      olderBound,
      qwenSystem,
      // https://github.com/ollama/ollama/issues/17072 (2026-07-07)
      takeEfforts(/./, ["none", "low", "medium", "high", "max"], (effort) => `invalid reasoning value: '${effort}'`),
      checkFunctions((fn) => isRecord(field("parameters.properties", fn)), "properties must be an object"),
    ],
  },
  {
    name: "lm-studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    models: ["qwen/qwen3.6-27b", "openai/gpt-oss-20b"],
    shows: "reasoning_content",
    thinks: null,
    rules: [
      ...ALL,
      qwenSystem,
      noDeveloper,
      // https://github.com/can1357/oh-my-pi/issues/6925 (2026-07-28)
      refuseChoices(["named"], "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"),
      refuseFormat(["json_object"], "'response_format.type' must be 'json_schema' or 'text'"),
      checkFunctions((fn) => !isRecord(fn["parameters"]) || JSON.stringify(fn["parameters"]) !== "{}", "parameters"),
    ],
  },
  {
    name: "llama-cpp",
    baseUrl: "http://127.0.0.1:8080/v1",
    models: ["qwen3.6-27b"],
    shows: "reasoning_content",
    thinks: (body) => !hasNoEffort(body) && field("chat_template_kwargs.enable_thinking", body) !== false,
    rules: [
      ...ALL,
      noDeveloper,
      qwenSystem,
      // https://github.com/ggml-org/llama.cpp/pull/28806 (2026-09-12)
      refuseChoices(["named"], 'Invalid tool_choice: only "none", "auto" and "required" are supported'),
      checkFunctions((fn) => JSON.stringify(fn["parameters"]) !== "{}", "parameters of a function are empty"),
    ],
  },
  ...["vllm:8000", "sglang:30000"].map((named): StrictServer => {
    const [name = "", port = ""] = named.split(":");
    return {
      name,
      baseUrl: `http://127.0.0.1:${port}/v1`,
      models: ["qwen3.6-27b", "kimi-k2.5", "deepseek-v4"],
      shows: name === "vllm" ? "reasoning" : "reasoning_content",
      id: (count) => `functions.Bash:${count}`,
      thinks: (body) =>
        !hasNoEffort(body) &&
        field("chat_template_kwargs.enable_thinking", body) !== false &&
        field("chat_template_kwargs.thinking", body) !== false,
      rules: [
        ...ALL,
        noDeveloper,
        qwenSystem,
        checkFunctions((fn) => JSON.stringify(fn["parameters"]) !== "{}", "parameters of a function are empty"),
        // reports/protocol/09
        forModels(/kimi/, (asked) =>
          asked.shown.length > 0 && !JSON.stringify(asked.body["messages"]).includes('"functions.Bash:0"')
            ? "(no refusal: Kimi falls silent) the id functions.Bash:0 did not come back"
            : null,
        ),
      ],
    };
  }),
];

/** Why a server does not take a request, in its own words; empty where it does. */
export function refusalsOf(server: StrictServer, asked: Asked): readonly string[] {
  return server.rules.map((rule) => rule(asked)).filter((word) => word !== null);
}
