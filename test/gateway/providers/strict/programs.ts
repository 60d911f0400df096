/** Programs that run models on a machine of one's own. */
import { isRecord, takeEfforts, refuseChoices, refuseFormat, checkFunctions, forModels } from "./rules.ts";
import { field, hasNoEffort, olderBound, noDeveloper, qwenSystem, ALL } from "./server.ts";
import type { StrictServer } from "./server.ts";

export const PROGRAMS: readonly StrictServer[] = [
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
    models: ["qwen/qwen3.6-27b"],
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
      models: name === "vllm" ? ["qwen3.6-27b", "kimi-k2.5"] : ["kimi-k2.5"],
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
        forModels(/kimi/, (request) =>
          request.shown.length > 0 && !JSON.stringify(request.body["messages"]).includes('"functions.Bash:0"')
            ? "(no refusal: Kimi falls silent) the id functions.Bash:0 did not come back"
            : null,
        ),
      ],
    };
  }),
];
