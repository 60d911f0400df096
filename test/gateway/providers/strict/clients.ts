import { isRecord, recordsOf, wordOf } from "./rules.ts";
import type { Json } from "./rules.ts";

/** Agents as they speak the three dialects: what they send first, and how they go on with what they got. */
export interface StrictClient {
  readonly name: "chat" | "messages" | "responses";
  readonly path: string;
  first(model: string, request: Expected): Json;
  /** The same conversation after a response: with results where it called tools, else with the next question. */
  next(body: Json, response: Json): Json;
  /** A whole response out of the events of a stream. */
  gather(events: readonly Json[]): Json;
}

export interface Expected {
  readonly stream: boolean;
  readonly thinking?: "off" | "high";
  /** Tools are sent unless the model knows none. */
  readonly tools?: false;
  readonly choice?: "named" | "required";
  /** What came before: of another model, its turn over or not; a system message in the middle. */
  readonly before?: "over" | "open" | "late system";
  readonly isJson?: true;
}

const SCHEMA = {
  type: "object",
  properties: { command: { type: "string" } },
  required: ["command"],
  additionalProperties: false,
};
const SYSTEM = "You are an agent.";
const SIGNATURE = "EqQBCgIYAhIMU2lnbmVkQnlBbnRocm9waWMaDGFiY2RlZmdoaWprbA==";
const SEALED = "gAAAAABoSealedByOpenAIabcdefghijklmnop";
const GEMINIS = "CiQBVKhc7nVbGVtaW5pU2lnbmF0dXJl";
const IDS = ["toolu_01QtRbZ9dC8eF7gH6jK5mN4p", "functions.Read:0", `call_${"x".repeat(59)}`] as const;
const FORMAT = { type: "json_schema", name: "answer", strict: true, schema: SCHEMA };

/** Two tools of an agent, one without arguments. */
const TOOLS = [
  { name: "Bash", description: "Runs a command.", parameters: SCHEMA, strict: true },
  { name: "List", description: "Lists files.", parameters: { type: "object", properties: {} }, strict: false },
] as const;

const listOf = (body: Json, name: string): readonly Json[] => recordsOf(body[name]);

const chatBefore: Readonly<Record<NonNullable<Expected["before"]>, readonly Json[]>> = {
  open: [
    { role: "user", content: "Look around." },
    {
      role: "assistant",
      content: null,
      reasoning_content: "Thought elsewhere.",
      reasoning: "Thought elsewhere.",
      reasoning_details: [{ type: "reasoning.text", text: "Thought elsewhere.", signature: SIGNATURE, index: 0 }],
      thinking_blocks: [{ type: "thinking", thinking: "Thought elsewhere.", signature: SIGNATURE }],
      refusal: null,
      tool_calls: IDS.map((id, index) => ({
        id,
        type: "function",
        function: { name: "Bash", arguments: '{"command":"ls"}' },
        ...(index === 0 ? { extra_content: { google: { thought_signature: GEMINIS } } } : {}),
      })),
    },
    ...IDS.map((id) => ({ role: "tool", tool_call_id: id, content: "a.txt" })),
  ],
  over: [],
  "late system": [
    { role: "user", content: "Hello." },
    { role: "assistant", content: "Hello!", reasoning_content: "Greet." },
    { role: "system", content: "Be brief from now on." },
    { role: "developer", content: "Use tools." },
    { role: "user", content: "Look around." },
  ],
};

export const chatClient: StrictClient = {
  name: "chat",
  path: "/chat/completions",
  first(model, { stream, thinking, tools, choice, before, isJson }) {
    const over = [...chatBefore.open, { role: "assistant", content: "One file.", reasoning_content: "Sum up." }];
    const earlier = before === undefined ? [] : before === "over" ? over : chatBefore[before];
    const question = before === "open" || before === "late system" ? [] : [{ role: "user", content: "And now?" }];
    return {
      model,
      stream,
      max_completion_tokens: 4000,
      messages: [{ role: before === "late system" ? "developer" : "system", content: SYSTEM }, ...earlier, ...question],
      ...(tools === false
        ? {}
        : { tools: TOOLS.map((tool) => ({ type: "function", function: tool })), tool_choice: "auto" }),
      ...(choice === undefined
        ? {}
        : { tool_choice: choice === "named" ? { type: "function", function: { name: "Bash" } } : "required" }),
      ...(thinking === undefined ? {} : { reasoning_effort: thinking === "off" ? "none" : "high" }),
      ...(isJson ? { response_format: { type: "json_schema", json_schema: { ...FORMAT, type: undefined } } } : {}),
    };
  },
  next(body, response) {
    const message = listOf(response, "choices")[0]?.["message"] as Json;
    const calls = listOf(message, "tool_calls");
    const results = calls.map(({ id }) => ({ role: "tool", tool_call_id: id, content: "a.txt" }));
    const texts = calls.length > 0 ? results : [{ role: "user", content: "Thanks. And then?" }];
    return { ...body, messages: [...listOf(body, "messages"), message, ...texts] };
  },
  gather(events) {
    const message: Record<string, unknown> = { role: "assistant", content: null };
    const calls: { function: { arguments: string } }[] = [];
    for (const event of events) {
      const delta = (listOf(event, "choices")[0]?.["delta"] ?? {}) as Json;
      for (const [name, value] of Object.entries(delta)) {
        if (name === "role") continue;
        if (name === "tool_calls") {
          for (const { index, ...call } of recordsOf(value)) {
            const known = calls[Number(index)];
            const { function: fn } = call as { function?: { arguments?: string } };
            if (known === undefined) calls[Number(index)] = call as (typeof calls)[number];
            else known.function.arguments += fn?.arguments ?? "";
          }
        } else if (typeof value === "string") message[name] = wordOf(message[name] ?? "") + value;
        else if (Array.isArray(value))
          message[name] = [...((message[name] ?? []) as unknown[]), ...(value as unknown[])];
      }
    }
    return { choices: [{ message: calls.length === 0 ? message : { ...message, tool_calls: calls } }] };
  },
};

const message = (text: string): Json => ({ type: "text", text });
const messagesOpen: readonly Json[] = [
  { role: "user", content: "Look around." },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Thought elsewhere.", signature: SIGNATURE },
      { type: "thinking", thinking: "Thought by another.", signature: "" },
      { type: "redacted_thinking", data: SIGNATURE },
      message("I look."),
      ...IDS.map((id) => ({
        type: "tool_use",
        id: id.replaceAll(/[^\w-]/g, "_"),
        name: "Bash",
        input: { command: "ls" },
      })),
    ],
  },
  {
    role: "user",
    content: [
      ...IDS.map((id) => ({
        type: "tool_result",
        tool_use_id: id.replaceAll(/[^\w-]/g, "_"),
        content: [message("a.txt")],
      })),
      message("<system-reminder>Keep the list of tasks.</system-reminder>"),
    ],
  },
];

export const messagesClient: StrictClient = {
  name: "messages",
  path: "/messages",
  first(model, { stream, thinking, tools, choice, before, isJson }) {
    const over = [...messagesOpen, { role: "assistant", content: [message("One file.")] }];
    const late = [
      { role: "user", content: "Hello." },
      { role: "assistant", content: [message("Hello!")] },
      { role: "user", content: "Look around." },
      { role: "system", content: "Be brief from now on." },
    ];
    const earlier =
      before === undefined ? [] : before === "late system" ? late : before === "open" ? messagesOpen : over;
    const question =
      before === "open" || before === "late system" ? [] : [{ role: "user", content: [message("And now?")] }];
    return {
      model,
      stream,
      max_tokens: 4000,
      system: [
        { ...message("x-anthropic-billing-header: cc_version=2.1.166"), cache_control: { type: "ephemeral" } },
        { ...message(SYSTEM), cache_control: { type: "ephemeral" } },
      ],
      messages: [...earlier, ...question],
      metadata: { user_id: "user_0123456789abcdef_account__session_0f1e2d3c" },
      ...(tools === false
        ? {}
        : {
            tools: TOOLS.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
            tool_choice: { type: "auto" },
          }),
      ...(choice === undefined
        ? {}
        : { tool_choice: choice === "named" ? { type: "tool", name: "Bash" } : { type: "any" } }),
      // Claude Code tells sub-agents not to think and how much effort to make (reports/protocol/05).
      thinking: thinking === "off" ? { type: "disabled" } : { type: "adaptive" },
      ...(thinking === undefined && !isJson
        ? {}
        : {
            output_config: {
              ...(thinking === undefined ? {} : { effort: "high" }),
              ...(isJson ? { format: { type: "json_schema", schema: SCHEMA } } : {}),
            },
          }),
    };
  },
  next(body, response) {
    const content = listOf(response, "content");
    const results = content.flatMap(({ type, id }) =>
      type === "tool_use" ? [{ type: "tool_result", tool_use_id: id, content: [message("a.txt")] }] : [],
    );
    const answer =
      results.length > 0 ? [...results, message("<system-reminder>Go on.</system-reminder>")] : [message("And then?")];
    return {
      ...body,
      messages: [...listOf(body, "messages"), { role: "assistant", content }, { role: "user", content: answer }],
    };
  },
  gather(events) {
    const blocks: Record<string, unknown>[] = [];
    const inputs: string[] = [];
    for (const { type, index, content_block, delta } of events) {
      const at = Number(index);
      if (type === "content_block_start") blocks[at] = { ...(content_block as Json) };
      if (type !== "content_block_delta" || !isRecord(delta)) continue;
      const block = blocks[at] ?? {};
      for (const name of ["text", "thinking", "signature"]) {
        if (typeof delta[name] === "string") block[name] = wordOf(block[name] ?? "") + delta[name];
      }
      if (typeof delta["partial_json"] === "string") inputs[at] = (inputs[at] ?? "") + delta["partial_json"];
    }
    for (const [at, input] of inputs.entries()) {
      const block = blocks[at];
      if (input !== undefined && block !== undefined)
        block["input"] = JSON.parse(input === "" ? "{}" : input) as unknown;
    }
    return { content: blocks };
  },
};

const spoken = (role: string, text: string): Json => ({
  type: "message",
  role,
  content: [{ type: role === "assistant" ? "output_text" : "input_text", text }],
});
const responsesOpen: readonly Json[] = [
  spoken("user", "Look around."),
  {
    type: "reasoning",
    id: "rs_0f1e2d3c4b5a",
    summary: [{ type: "summary_text", text: "Thought elsewhere." }],
    content: null,
    encrypted_content: SEALED,
  },
  ...IDS.map((id) => ({ type: "function_call", name: "Bash", arguments: '{"command":"ls"}', call_id: id })),
  ...IDS.map((id) => ({ type: "function_call_output", call_id: id, output: "a.txt" })),
];

export const responsesClient: StrictClient = {
  name: "responses",
  path: "/responses",
  first(model, { stream, thinking, tools, choice, before, isJson }) {
    const late = [
      spoken("user", "Hello."),
      spoken("assistant", "Hello!"),
      spoken("developer", "Be brief from now on."),
      spoken("user", "Look around."),
    ];
    const over = [...responsesOpen, spoken("assistant", "One file.")];
    const earlier =
      before === undefined ? [] : before === "late system" ? late : before === "open" ? responsesOpen : over;
    const question = before === "open" || before === "late system" ? [] : [spoken("user", "And now?")];
    return {
      model,
      stream,
      instructions: SYSTEM,
      input: [spoken("developer", "<permissions>Read only.</permissions>"), ...earlier, ...question],
      ...(tools === false
        ? {}
        : {
            tools: TOOLS.map((tool) => ({ type: "function", ...tool })),
            tool_choice: "auto",
            parallel_tool_calls: true,
          }),
      ...(choice === undefined
        ? {}
        : { tool_choice: choice === "named" ? { type: "function", name: "Bash" } : "required" }),
      reasoning: {
        summary: "auto",
        ...(thinking === undefined ? {} : { effort: thinking === "off" ? "none" : "high" }),
      },
      store: false,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0",
      client_metadata: { "x-codex-installation-id": "0f1e2d3c" },
      text: { verbosity: "low", ...(isJson ? { format: FORMAT } : {}) },
    };
  },
  next(body, response) {
    const output = listOf(response, "output");
    const results = output.flatMap(({ type, call_id }) =>
      type === "function_call" ? [{ type: "function_call_output", call_id, output: "a.txt" }] : [],
    );
    const answer = results.length > 0 ? results : [spoken("user", "Thanks. And then?")];
    return { ...body, input: [...listOf(body, "input"), ...output, ...answer] };
  },
  gather(events) {
    const last = events.find(({ type }) => type === "response.completed" || type === "response.incomplete");
    return (last?.["response"] ?? {}) as Json;
  },
};
