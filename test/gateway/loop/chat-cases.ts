import { type WireAct, reply, replyEvents } from "../../support/wire-provider.ts";
import type { LoopCase } from "./loop-case.ts";
import type { LoopWorld } from "./loop-world.ts";

const MODEL = "deepseek-v4-flash";
const USER = [{ role: "user", content: "Say hello." }];
const SEARCH = {
  "/chat/completions": { web_search_options: {} },
  "/messages": { tools: [{ type: "web_search_20250305", name: "web_search" }] },
  "/responses": { tools: [{ type: "web_search" }] },
} as const;
type Path = keyof typeof SEARCH;
const PATHS = Object.keys(SEARCH) as Path[];

/** A request in the dialect of an endpoint. @param texts the conversation, where it is no greeting */
function asking(path: Path, texts: readonly unknown[] = USER, more: object = {}): string {
  const body = path === "/responses" ? { input: texts } : { messages: texts };
  return JSON.stringify({ model: MODEL, ...(path === "/messages" ? { max_tokens: 100 } : {}), ...body, ...more });
}

const CHUNK = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: MODEL };
const dataOf = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const chunkOf = (delta: object, finish: string | null = null): string =>
  dataOf({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: finish }] });
const LAST = [
  chunkOf({}, "stop"),
  dataOf({ ...CHUNK, choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  "data: [DONE]\n\n",
];

const whole = (message: object): WireAct =>
  reply(200, {
    ...CHUNK,
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });

const PROVIDER = "POST /deepseek/v1/chat/completions";
const ANTHROPIC = "POST /v1/messages";
const hello = whole({ content: "Hello." });
const range = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** What a user says, for each endpoint. */
const messages = (name: string, full: number, content: (size: number) => unknown, more: object = {}): LoopCase[] =>
  PATHS.map((path) => ({
    name: `${name}, ${path}`,
    full,
    run: (world, size) => {
      world.wire.on(PROVIDER, hello);
      return world.post(path, asking(path, [{ role: "user", content: content(size) }], more));
    },
  }));

/** What a provider responds, for each endpoint, as a stream. */
const streamed = (
  name: string,
  full: number,
  events: (size: number) => readonly string[],
  more: (path: Path) => object = () => ({}),
): LoopCase[] =>
  PATHS.map((path) => ({
    name: `${name}, ${path}`,
    full,
    run: (world, size) => {
      world.wire.on(PROVIDER, replyEvents(...events(size), ...LAST));
      return world.post(path, asking(path, USER, { stream: true, ...more(path) }));
    },
  }));

const calls = (size: number, indexOf: (index: number) => unknown): string[] =>
  range(size).map((index) =>
    chunkOf({
      tool_calls: [
        { index: indexOf(index), id: `call_${index}`, type: "function", function: { name: "f", arguments: "{}" } },
      ],
    }),
  );

const ODD: readonly [string, (index: number) => unknown][] = [
  ["in order", (index) => index],
  ["backwards", (index) => 5e7 - index],
  ["of 4e9", (index) => 4e9 + index],
  ["below zero", (index) => -1 - index],
  ["between numbers", (index) => index + 0.5],
  ["of texts", (index) => `a${index}`],
  ["of one", () => 3],
];

/** Content blocks of Anthropic's events at odd places. */
const blocks = (size: number, indexOf: (index: number) => unknown): string[] =>
  range(size).flatMap((index) =>
    [
      {
        type: "content_block_start",
        index: indexOf(index),
        content_block: { type: "tool_use", id: `t${index}`, name: "f", input: {} },
      },
      { type: "content_block_delta", index: indexOf(index), delta: { type: "input_json_delta", partial_json: "{}" } },
      { type: "content_block_stop", index: indexOf(index) },
    ].map((event) => `event: ${event.type}\n${dataOf(event)}`),
  );
const eventOf = (event: { readonly type: string }): string => `event: ${event.type}\n${dataOf(event)}`;
const messageEvents = (inner: readonly string[]): string[] => [
  eventOf({
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-4-6",
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  } as never),
  ...inner,
  eventOf({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } } as never),
  eventOf({ type: "message_stop" }),
];

const results = (size: number): object[] => range(size).map(() => ({}));

export const chatCases: readonly LoopCase[] = [
  ...range(8)
    .map((cut) =>
      messages(
        `escaped quotes, cut at ${cut}`,
        440 * 1_024,
        (size) => `${"x".repeat(cut)}${'\\"{\\n'.repeat(size / 5)}`,
      ),
    )
    .flat(),
  ...messages("escapes of JSON", 440 * 1_024, (size) => '{"a":"\\u0073k-x", bearer abc'.repeat(size / 28)),
  ...messages("beginnings of keys", 1_024 * 1_024, (size) => "eyJ-fc-hf_bearer  sk- ".repeat(size / 22)),
  ...messages("blanks", 2_000_000, (size) => ` ${" ".repeat(size)}`),
  ...messages("line ends", 2_000_000, (size) => `a${"\r\n".repeat(size / 2)}`),
  ...messages("empty parts", 20_000, results),
  ...messages("parts without a text", 20_000, (size) => range(size).map(() => ({ type: "text" }))),
  ...messages("texts", 20_000, (size) => range(size).map((index) => ({ type: "text", text: `t${index}` }))),
  ...PATHS.flatMap((path) => [
    {
      name: `long numbers, ${path}`,
      full: 2_000_000,
      run: (world: LoopWorld, size: number) =>
        world.post(path, `{"model":"${MODEL}","max_tokens":${"1".repeat(size)},"temperature":1.${"0".repeat(size)}}`),
    },
    {
      name: `deep JSON, ${path}`,
      full: 1_000_000,
      run: (world: LoopWorld, size: number) =>
        world.post(path, `{"model":"${MODEL}","a":${"[".repeat(size)}${"]".repeat(size)}}`),
    },
    {
      name: `wide JSON, ${path}`,
      full: 60_000,
      run: (world: LoopWorld, size: number) =>
        world.post(
          path,
          asking(path, USER, { metadata: Object.fromEntries(range(size).map((index) => [`k${index}`, ""])) }),
        ),
    },
    {
      name: `empty objects in tools, ${path}`,
      full: 20_000,
      run: (world: LoopWorld, size: number) => world.post(path, asking(path, USER, { tools: results(size) })),
    },
    {
      name: `empty turns, ${path}`,
      full: 20_000,
      run: (world: LoopWorld, size: number) => world.post(path, asking(path, results(size))),
    },
    {
      name: `turns without content, ${path}`,
      full: 20_000,
      run: (world: LoopWorld, size: number) =>
        world.post(
          path,
          asking(
            path,
            range(size).map(() => ({ role: "user" })),
          ),
        ),
    },
    {
      name: `tools, ${path}`,
      full: 5_000,
      run: (world: LoopWorld, size: number) => {
        world.wire.on(PROVIDER, hello);
        const tools = range(size).map((index) => {
          const own = { name: `f${index}`, parameters: { type: "object", properties: { a: { type: "string" } } } };
          if (path === "/messages") return { name: own.name, input_schema: own.parameters };
          return path === "/responses" ? { type: "function", ...own } : { type: "function", function: own };
        });
        return world.post(path, asking(path, USER, { tools }));
      },
    },
    {
      name: `turns, ${path}`,
      full: 20_000,
      run: (world: LoopWorld, size: number) => {
        world.wire.on(PROVIDER, hello);
        return world.post(
          path,
          asking(
            path,
            range(size).map((index) => ({ role: index % 2 === 0 ? "user" : "assistant", content: "a" })),
          ),
        );
      },
    },
  ]),
  ...PATHS.map((path) => ({
    name: `a turn of many parts, ${path}`,
    full: 45_000,
    run: (world: LoopWorld, size: number) => {
      world.wire.on(PROVIDER, hello);
      const type = path === "/responses" ? "input_text" : "text";
      const content = range(size).map(() => ({ type, text: "a" }));
      return world.post(path, asking(path, [{ role: "user", content }]));
    },
  })),
  ...["^([0-9a-f-]+)+$x", "^(a|a)*$", "(.*)*\\d"].map((pattern) => ({
    name: `a schema of the sandbox with ${pattern}`,
    full: 500,
    run: (world: LoopWorld, size: number) =>
      world.post(
        "/chat/completions",
        JSON.stringify({
          model: "grok-4.7",
          messages: USER,
          response_format: {
            type: "json_schema",
            json_schema: {
              name: "a",
              schema: { type: "array", minItems: size, items: { type: "string", format: "uuid", pattern } },
            },
          },
        }),
      ),
  })),
  {
    name: "search results of {} in a history, /messages",
    full: 20_000,
    run: (world, size) => {
      world.wire.on(PROVIDER, hello);
      const content = [
        { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "a" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: results(size) },
      ];
      return world.post(
        "/messages",
        asking("/messages", [...USER, { role: "assistant", content }, ...USER], SEARCH["/messages"]),
      );
    },
  },
  {
    name: "searches in a history, /responses",
    full: 10_000,
    run: (world, size) => {
      world.wire.on(PROVIDER, hello);
      const items = range(size).map((index) => ({
        type: "web_search_call",
        id: `ws_${index}`,
        status: "completed",
        action: { type: "search", query: "a" },
        results: [{ title: "t" }],
      }));
      return world.post("/responses", asking("/responses", [...USER, ...items, ...USER], SEARCH["/responses"]));
    },
  },
  ...PATHS.map((path) => ({
    name: `results of a search service, ${path}`,
    full: 20_000,
    run: (world: LoopWorld, size: number) => {
      const call = { id: "call_1", type: "function", function: { name: "web_search", arguments: '{"query":"a"}' } };
      world.wire
        .on(PROVIDER, whole({ tool_calls: [call] }), hello)
        .on("GET /searx/search", reply(200, { results: results(size) }));
      return world.post(path, asking(path, USER, SEARCH[path]));
    },
  })),
  ...streamed(
    "a text of blanks with search",
    60_000,
    (size) => [chunkOf({ content: `a${" ".repeat(size)}b` })],
    (path) => SEARCH[path],
  ),
  ...streamed(
    "blanks one by one with search",
    20_000,
    (size) => range(size).map(() => chunkOf({ content: " " })),
    (path) => SEARCH[path],
  ),
  ...streamed(
    "backticks with search",
    60_000,
    (size) => [chunkOf({ content: `a${"`".repeat(size)}b` })],
    (path) => SEARCH[path],
  ),
  ...streamed(
    "marks with search",
    60_000,
    (size) => [chunkOf({ content: "[1,".repeat(size / 3) })],
    (path) => SEARCH[path],
  ),
  ...ODD.flatMap(([name, indexOf]) => streamed(`tool calls ${name}`, 20_000, (size) => calls(size, indexOf))),
  ...ODD.flatMap(([name, indexOf]) =>
    streamed(
      `tool calls ${name} with search`,
      20_000,
      (size) => calls(size, indexOf),
      (path) => SEARCH[path],
    ),
  ),
  ...ODD.flatMap(([name, indexOf]) =>
    PATHS.map((path) => ({
      name: `blocks ${name} of messages, ${path}`,
      full: 10_000,
      run: (world: LoopWorld, size: number) => {
        world.wire.on(ANTHROPIC, replyEvents(...messageEvents(blocks(size, indexOf))));
        const body = JSON.parse(asking(path, USER, { stream: true })) as object;
        return world.post(path, JSON.stringify({ ...body, model: "claude-sonnet-4-6" }));
      },
    })),
  ),
  ...streamed("one call in many pieces", 20_000, (size) => [
    ...calls(1, () => 0),
    ...range(size).map(() => chunkOf({ tool_calls: [{ index: 0, function: { arguments: " " } }] })),
  ]),
  ...streamed("reasoning in many pieces", 20_000, (size) => range(size).map(() => chunkOf({ reasoning_content: "a" }))),
  ...streamed("one long event", 4_000_000, (size) => [chunkOf({ content: "a ".repeat(size / 2) })]),
  ...streamed("comments and line ends", 4_000_000, (size) => [
    ":\n".repeat(size / 4),
    "\n".repeat(size / 4),
    "\r\n".repeat(size / 4),
  ]),
  ...PATHS.map((path) => ({
    name: `tool calls of a whole response, ${path}`,
    full: 20_000,
    run: (world: LoopWorld, size: number) => {
      world.wire.on(
        PROVIDER,
        whole({
          tool_calls: range(size).map((index) => ({
            id: `c${index}`,
            type: "function",
            function: { name: "f", arguments: "{}" },
          })),
        }),
      );
      return world.post(path, asking(path));
    },
  })),
];
