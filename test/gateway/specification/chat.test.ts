import { describe, expect, it } from "vitest";
import { errorOf, startGateway } from "../../support/running-gateway.ts";
import { reply } from "../../support/wire-provider.ts";
import { BODY, CHAT_ROUTE, COMPLETION, useChatProvider } from "./chat-provider.ts";
import { functionCall, imagePart, systemTurn, textBlock, toolTurn, userTurn } from "../codecs/support/blocks.ts";

/** Each row of the specification's table of `POST /v1/chat/completions`: what is sent on as it is, and what is refused. */

const provider = useChatProvider();
const { wire, sent, refused } = provider;
const TOOLS = [{ type: "function", function: { name: "weather", parameters: { type: "object", properties: {} } } }];

/** What reaches the provider as it is, what is refused with the field's name, and what the field is used with. */
type Row = readonly [
  title: string,
  taken: readonly unknown[],
  wrong: readonly unknown[],
  beside?: Readonly<Record<string, unknown>>,
];

const TEXT = [5, true, {}, []];
const FLAG = ["true", 1, {}, []];
const OBJECT = ["text", 5, true];

const ROWS: readonly Row[] = [
  ["row temperature › 0 to 2", [0, 0.7, 2], [-0.1, 2.1, "1", true]],
  ["row max_tokens › an integer", [1, 4_096], [0, -1, 1.5, "10"]],
  ["row top_p › 0 to 1", [0, 0.5, 1], [-0.1, 1.1, "1"]],
  ["row tools › an array of tools", [TOOLS], ["weather", {}, 5]],
  [
    "row tool_choice › auto, none or a specific tool",
    ["auto", "none", { type: "function", function: { name: "weather" } }],
    [5, true, []],
    { tools: TOOLS },
  ],
  ["row response_format › an object", [{ type: "json_object" }, { type: "text" }], OBJECT],
  ["row stop › an array of texts", [["END"], ["a", "b"]], [5, true, {}]],
  ["row n › an integer", [1, 3], [0, -1, 1.5, "2"]],
  ["row seed › an integer", [0, 42, -7], [0.5, "42", {}]],
  ["row frequency_penalty › -2 to 2", [-2, 0, 2], [-2.1, 2.1, "0"]],
  ["row presence_penalty › -2 to 2", [-2, 0, 2], [-2.1, 2.1, "0"]],
  ["row logit_bias › token id to bias", [{ "50256": -100 }], OBJECT],
  ["row parallel_tool_calls › true or false", [true, false], FLAG, { tools: TOOLS }],
  ["row logprobs › true or false", [true, false], FLAG],
  ["row top_logprobs › an integer", [0, 20], [-1, 21, 1.5, "3"], { logprobs: true }],
  ["row max_completion_tokens › an integer", [1, 4_096], [0, 1.5, "10"], { model: "o3" }],
  ["row reasoning_effort › the values of the model", ["low", "medium", "high"], [...TEXT, "minimal"], { model: "o3" }],
  ["row verbosity › low, medium, high", ["low", "medium", "high"], ["extreme", 5], { model: "gpt-5" }],
  ["row modalities › an array of texts", [["text"]], ["text", 5, {}]],
  [
    "row audio › an object, with audio in modalities",
    [{ voice: "alloy", format: "mp3" }],
    OBJECT,
    { modalities: ["text", "audio"] },
  ],
  ["row prediction › an object", [{ type: "content", content: "Hello." }], OBJECT],
  ["row store › true or false", [true, false], FLAG],
  ["row metadata › an object", [{ project: "x" }], OBJECT],
  ["row user › a text", ["user-1"], TEXT],
  ["row prompt_cache_key › a text", ["same"], TEXT],
  ["row prompt_cache_retention › a text", ["24h", "in_memory"], TEXT],
];

describe.for(ROWS)("%s", ([title, received, wrong, extra = {}]) => {
  const field = title.split(" ")[1] ?? "";

  it.each(received.map((value) => [JSON.stringify(value), value]))("%s reaches the provider", async (_shown, value) => {
    expect((await sent({ ...extra, [field]: value }))[field]).toEqual(value);
  });

  it.each(wrong.map((value) => [JSON.stringify(value), value]))("%s is refused by its name", async (_shown, value) => {
    const { param, message } = await refused({ ...extra, [field]: value });
    expect(param).toBe(field);
    expect(message).toContain(field);
  });

  it("is not sent when it is not given", async () => {
    const { [field]: _given, ...others } = extra;
    expect(await sent(others)).not.toHaveProperty(field);
  });
});

describe("rows with more to say", () => {
  it("row model › required, and known by the model list", async () => {
    expect((await sent({}))["model"]).toBe("gpt-4.1");
    wire.seen.length = 0;
    for (const model of [undefined, null, 5, ""]) expect((await refused({ model })).param).toBe("model");
    const unknown = await provider.postern.chat({ ...BODY, model: "no-such-model" });
    expect([unknown.status, (await errorOf(unknown)).code]).toEqual([404, "model_not_found"]);
    const { data } = await provider.postern.sdk().models.list();
    for (const { id } of data) expect(id).toMatch(/^\S+$/);
  });

  it("row messages › required; roles, blocks, name and tool_call_id reach the provider", async () => {
    const messages = [
      systemTurn("Be short."),
      { role: "user", name: "ann", content: "Look." },
      userTurn([textBlock("What is it?"), imagePart("data:image/png;base64,AAAA")]),
      {
        role: "assistant",
        content: null,
        tool_calls: [functionCall("call_1", "weather", "{}")],
      },
      toolTurn("call_1", "15 C"),
    ];
    expect((await sent({ messages, tools: TOOLS }))["messages"]).toEqual(messages);
    wire.seen.length = 0;
    for (const wrong of [undefined, null, "hello", {}, []])
      expect((await refused({ messages: wrong })).param).toBe("messages");
    expect((await refused({ messages: [{ role: "robot", content: "x" }] })).param).toBe("messages[0].role");
    expect((await refused({ messages: [{ role: "user" }] })).param).toBe("messages[0].content");
  });

  it("row stream › true sends server-sent events, false does not", async () => {
    expect(await sent({ stream: false })).toMatchObject({ stream: false });
    const streaming = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
    try {
      const response = await streaming.chat({ ...BODY, stream: true });
      expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
      const frames = (await response.text()).split("\n\n").filter((frame) => frame.startsWith("data: "));
      expect(frames.at(-1)).toBe("data: [DONE]");
      const chunks = frames.slice(0, -1).map((frame) => JSON.parse(frame.slice(6)) as { object: string });
      expect(chunks.length).toBeGreaterThan(2);
      expect(new Set(chunks.map(({ object }) => object))).toEqual(new Set(["chat.completion.chunk"]));
    } finally {
      await streaming.close();
    }
    wire.seen.length = 0;
    for (const stream of FLAG) expect((await refused({ stream })).param).toBe("stream");
  });

  it("row stream_options › usage on the last chunk, needs stream true", async () => {
    const options = { stream_options: { include_usage: true } };
    expect((await refused(options)).param).toBe("stream_options");
    expect((await refused({ stream: true, stream_options: "usage" })).param).toBe("stream_options");
    const streaming = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
    try {
      for (const wasRequested of [true, false]) {
        const response = await streaming.chat({ ...BODY, stream: true, ...(wasRequested ? options : {}) });
        const frames = (await response.text()).split("\n\n").filter((frame) => frame.startsWith("data: {"));
        const last = JSON.parse(frames.at(-1)?.slice(6) ?? "") as { choices: unknown[]; usage?: object | null };
        expect(last.choices.length === 0 && last.usage != null).toBe(wasRequested);
      }
    } finally {
      await streaming.close();
    }
  });

  it("rows tool_choice and parallel_tool_calls › are used together with tools only", async () => {
    const body = await sent({ tool_choice: "auto", parallel_tool_calls: true });
    expect(Object.keys(body).toSorted()).toEqual(["messages", "model"]);
  });

  it("row top_logprobs › needs logprobs", async () => {
    expect((await refused({ top_logprobs: 2 })).param).toBe("top_logprobs");
  });

  it("row audio › requires audio in modalities", async () => {
    expect((await refused({ audio: { voice: "alloy", format: "mp3" } })).param).toBe("audio");
  });

  it("row stop › the string is excluded from output, on the sandbox", async () => {
    const sandbox = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
    try {
      const words = async (extra: object): Promise<string> => {
        const response = await sandbox.chat({ ...BODY, ...extra });
        return ((await response.json()) as typeof COMPLETION).choices[0]?.message.content ?? "";
      };
      const whole = await words({});
      const stop = whole.slice(10, 14);
      expect(await words({ stop: [stop] })).toBe(whole.slice(0, whole.indexOf(stop)));
    } finally {
      await sandbox.close();
    }
  });

  it("row n › is billed on the total usage of all candidates", async () => {
    const usage = { prompt_tokens: 9, completion_tokens: 30, total_tokens: 39 };
    const choices = [0, 1, 2].map((index) => ({ ...COMPLETION.choices[0], index }));
    wire.on(CHAT_ROUTE, reply(200, { ...COMPLETION, choices, usage }));
    await sent({ n: 3 });
    const { terms } = await provider.postern.receipt();
    expect(terms).toMatchObject([
      { unit: "input", quantity: 9 },
      { unit: "output", quantity: 30 },
    ]);
  });
});
