/** Requests as agents send them late in a session: calls of tools, and the files and outputs that they brought. */

export type DialectName = "chat" | "messages" | "responses";

/** A way through the gateway. */
export interface Way {
  readonly name: string;
  readonly path: string;
  /** The client's. */
  readonly dialect: DialectName;
  readonly model: string;
}

const PATHS = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" } as const;
const way = (name: string, dialect: DialectName, model: string): Way => ({
  name,
  path: PATHS[dialect],
  dialect,
  model,
});

export const WAYS: readonly Way[] = [
  way("chat", "chat", "gpt-4o-mini"),
  way("messages", "messages", "claude-sonnet-4-5"),
  way("responses", "responses", "gpt-4o-mini"),
  way("messages to chat", "messages", "mock-chat"),
  way("responses to chat", "responses", "mock-chat"),
  way("chat to messages", "chat", "claude-sonnet-4-5"),
];

export interface Size {
  readonly name: string;
  readonly bytes: number;
}

export const SIZES: readonly Size[] = [
  { name: "73 kB", bytes: 73_000 },
  { name: "730 kB", bytes: 730_000 },
  { name: "2.9 MB", bytes: 2_900_000 },
];

/** A source file, as a tool reads it: lines, indents, quotation marks, digits. Another one for each call. */
function file(seed: number): string {
  const lines = Array.from({ length: 90 }, (_, line) => {
    const n = (seed * 7_919 + line * 104_729) % 1_000;
    return [
      `  const value${n} = await read("config/${n}.json", { depth: ${line} });`,
      `// What the reader of part ${n} has to know: it is called once for each request.`,
      `    if (value${n} === null) throw new Error(\`nothing at \${path} ${n}\`);`,
      "",
      `  return { ok: true, items: list.map((item) => item.name ?? "none"), total: ${n * 31} };`,
    ][(line + n) % 5];
  });
  return lines.join("\n");
}

const TOOLS = Array.from({ length: 12 }, (_, index) => ({
  name: `tool_${index}`,
  description:
    `Does what tool ${index} is for, with a path below the project's folder and an optional range of lines. `.repeat(4),
  schema: {
    type: "object",
    properties: {
      path: { type: "string", description: "A path." },
      lines: { type: "array", items: { type: "number" } },
    },
    required: ["path"],
  },
}));

/** The words of each dialect for a request with so many calls. */
const MAKERS: Readonly<Record<DialectName, (model: string, calls: number) => object>> = {
  chat: (model, calls) => ({
    model,
    messages: [
      { role: "system", content: file(0) },
      { role: "user", content: "Find what is slow." },
      ...turns(calls, (turn) => [
        {
          role: "assistant",
          content: `I look at part ${turn}.`,
          tool_calls: [
            {
              id: `call_${turn}`,
              type: "function",
              function: { name: "tool_1", arguments: `{"path":"src/${turn}.ts"}` },
            },
          ],
        },
        { role: "tool", tool_call_id: `call_${turn}`, content: file(turn) },
      ]),
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    })),
  }),
  messages: (model, calls) => ({
    model,
    max_tokens: 8_000,
    system: [{ type: "text", text: file(0), cache_control: { type: "ephemeral" } }],
    messages: [
      { role: "user", content: "Find what is slow." },
      ...turns(calls, (turn) => [
        {
          role: "assistant",
          content: [
            { type: "text", text: `I look at part ${turn}.` },
            { type: "tool_use", id: `toolu_${turn}`, name: "tool_1", input: { path: `src/${turn}.ts` } },
          ],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content: file(turn) }] },
      ]),
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  }),
  responses: (model, calls) => ({
    model,
    instructions: file(0),
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "Find what is slow." }] },
      ...turns(calls, (turn) => [
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: `I look at part ${turn}.`, annotations: [] }],
        },
        { type: "function_call", call_id: `call_${turn}`, name: "tool_1", arguments: `{"path":"src/${turn}.ts"}` },
        { type: "function_call_output", call_id: `call_${turn}`, output: file(turn) },
      ]),
    ],
    tools: TOOLS.map(({ name, description, schema }) => ({ type: "function", name, description, parameters: schema })),
  }),
};

function turns(calls: number, make: (turn: number) => readonly object[]): readonly object[] {
  return Array.from({ length: calls }, (_, turn) => make(turn + 1)).flat();
}

/** A request of about so many bytes. */
export function history(dialect: DialectName, model: string, bytes: number): Buffer {
  const make = MAKERS[dialect];
  const few = JSON.stringify(make(model, 0)).length;
  const each = (JSON.stringify(make(model, 20)).length - few) / 20;
  return Buffer.from(JSON.stringify(make(model, Math.round((bytes - few) / each))));
}

const TEXT = "The quick brown fox jumps over the lazy dog. ".repeat(10);

/** What the provider answers in each dialect. */
export const RESPONSES: Readonly<Record<DialectName, string>> = {
  chat: JSON.stringify({
    id: "chatcmpl-mock-0001",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "mock",
    choices: [{ index: 0, message: { role: "assistant", content: TEXT }, finish_reason: "stop" }],
    usage: { prompt_tokens: 100, completion_tokens: 60, total_tokens: 160 },
  }),
  messages: JSON.stringify({
    id: "msg_mock_0001",
    type: "message",
    role: "assistant",
    model: "mock",
    content: [{ type: "text", text: TEXT }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 100, output_tokens: 60 },
  }),
  responses: JSON.stringify({
    id: "resp_mock_0001",
    object: "response",
    created_at: 1_700_000_000,
    status: "completed",
    model: "mock",
    output: [
      {
        id: "msg_1",
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: TEXT, annotations: [] }],
      },
    ],
    usage: { input_tokens: 100, output_tokens: 60, total_tokens: 160 },
  }),
};

/** One event of a stream of the chat API. */
export const STREAMED = `data: ${JSON.stringify({
  id: "chatcmpl-mock-0001",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "mock",
  choices: [{ index: 0, delta: { content: "word " }, finish_reason: null }],
})}\n\n`;
