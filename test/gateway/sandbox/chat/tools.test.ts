import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { requests, useSandbox } from "../running-sandbox.ts";

type Parameters = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Tool = OpenAI.Chat.Completions.ChatCompletionTool;

function tool(name: string, description = "", properties: object = { city: { type: "string" } }): Tool {
  const parameters = { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
  return { type: "function", function: { name, description, parameters } };
}

const weather = tool("get_weather", "Get the weather of a city");
const time = tool("get_time", "The local clock", { zone: { enum: ["UTC", "CET"] } });
const order = tool("lookup", "Finds a customer's order", { id: { type: "string", format: "uuid" } });

describe("tool calls from the sandbox", () => {
  const running = useSandbox();
  const complete = async (prompt: string, more: Partial<Parameters>): Promise<OpenAI.Chat.Completions.ChatCompletion> =>
    running.client.chat.completions.create({ model: "plain-model", messages: requests(prompt), ...more });
  const called = async (prompt: string, more: Partial<Parameters>): Promise<string[]> => {
    const { choices } = await complete(prompt, more);
    const calls = choices[0]?.message.tool_calls ?? [];
    return calls.map((call) => (call.type === "function" ? call.function.name : call.custom.name));
  };

  it("have arguments that fit the schema", async () => {
    const { choices, usage } = await complete("What time is it?", { tools: [weather, time] });
    expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(call).toMatchObject({
      id: expect.stringMatching(/^call_[\da-f]{24}$/),
      type: "function",
      function: { name: "get_time" },
    });
    expect(JSON.parse(call?.type === "function" ? call.function.arguments : "")).toEqual({ zone: "UTC" });
    expect(usage?.completion_tokens).toBeGreaterThan(4);
  });

  const all = [weather, time, order];
  const things = (says = ""): Tool[] => Array.from({ length: 9 }, (_, index) => tool(`thing${index}`, says));
  it.each<[string, string, Partial<Parameters>, string[]]>([
    ["the tool that the prompt names", "How is the weather?", {}, ["get_weather"]],
    ["each tool that the prompt names", "Weather and time, please", {}, ["get_weather", "get_time"]],
    ["one when calls may not be parallel", "Weather and time", { parallel_tool_calls: false }, ["get_weather"]],
    ["the tool whose description fits", "Where is my order", {}, ["lookup"]],
    ["the first when none fits", "hi", {}, ["get_weather"]],
    ["none when told so", "How is the weather?", { tool_choice: "none" }, []],
    ["some tool when one is required", "hi", { tool_choice: "required" }, ["get_weather"]],
    [
      "the tool that was chosen",
      "How is the weather?",
      { tool_choice: { type: "function", function: { name: "lookup" } } },
      ["lookup"],
    ],
    ["the tool of a directive", '[[tool:lookup {"id":"7"}]] weather', {}, ["lookup"]],
    ["every directive", "[[tool:lookup {}]] [[tool:get_time {}]]", {}, ["lookup", "get_time"]],
    ["no tool that is not there", "[[tool:other {}]]", { tool_choice: "none" }, []],
    ["none when the prompt wants numbers", "count to 3", {}, []],
    ["one although the prompt wants numbers", "count to 3", { tools: [time], tool_choice: "required" }, ["get_time"]],
    ["none of a large toolbox that the prompt does not name", "hi", { tools: things("says hi") }, []],
    [
      "none of a large toolbox for a word of the prompt, which may say not to",
      "Write a poem. Do not use Bash or Write.",
      { tools: [tool("Write"), tool("Bash"), ...things()] },
      [],
    ],
    ["the one of a large toolbox that a directive names", "[[tool:thing3 {}]]", { tools: things() }, ["thing3"]],
    ["one of a large toolbox when required", "hi", { tools: things(), tool_choice: "required" }, ["thing0"]],
  ])("are made to %s", async (_case, prompt, more, names) => {
    expect(await called(prompt, { tools: all, ...more })).toEqual(names);
  });

  it("keep to the allowed tools", async () => {
    const allowed = {
      type: "allowed_tools" as const,
      allowed_tools: { mode: "required" as const, tools: [{ type: "function", function: { name: "get_time" } }] },
    };
    expect(await called("How is the weather?", { tools: all, tool_choice: allowed })).toEqual(["get_time"]);
  });

  it("pass a directive's arguments on as they are", async () => {
    const { choices } = await complete('[[tool:get_weather {"city":"Zürich","extra":[1]}]]', { tools: [weather] });
    const [call] = choices[0]?.message.tool_calls ?? [];
    expect(call?.type === "function" && JSON.parse(call.function.arguments)).toEqual({ city: "Zürich", extra: [1] });
  });

  it("are made to custom tools with free text", async () => {
    const { choices } = await complete("hi", { tools: [{ type: "custom", custom: { name: "shell" } }] });
    expect(choices[0]?.message.tool_calls?.[0]).toMatchObject({
      type: "custom",
      custom: { name: "shell", input: "sandbox input for shell" },
    });
  });

  it("are cut off by the token limit", async () => {
    const { choices, usage } = await complete("weather", { tools: [weather], max_tokens: 12 });
    expect(choices[0]?.finish_reason).toBe("length");
    expect(usage?.completion_tokens).toBe(12);
  });

  it("come in pieces when streamed: id and name first, then the arguments", async () => {
    const tools = [weather, time];
    const stream = await running.client.chat.completions.create({
      model: "plain-model",
      messages: requests("Weather and time"),
      tools,
      stream: true,
    });
    const deltas: OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta.ToolCall[] = [];
    let finish: string | null | undefined;
    for await (const chunk of stream) {
      deltas.push(...(chunk.choices[0]?.delta.tool_calls ?? []));
      finish = chunk.choices[0]?.finish_reason ?? finish;
    }
    expect(finish).toBe("tool_calls");
    for (const [index, name] of ["get_weather", "get_time"].entries()) {
      const [first, ...rest] = deltas.filter((delta) => delta.index === index);
      expect(first).toMatchObject({ type: "function", function: { name, arguments: "" }, id: expect.any(String) });
      expect(rest.length).toBeGreaterThan(1);
      expect(rest.every((delta) => delta.id === undefined && delta.function?.name === undefined)).toBe(true);
      expect(() => JSON.parse(rest.map((delta) => delta.function?.arguments).join(""))).not.toThrow();
    }
  });

  it("end in a response built from the results", async () => {
    const messages: Parameters["messages"] = [
      ...requests("Weather and time?"),
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "get_weather", arguments: "{}" } },
          { id: "call_2", type: "function", function: { name: "get_time", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "call_1", content: "sunny, 21C" },
      { role: "tool", tool_call_id: "call_2", content: [{ type: "text", text: "12:00" }] },
    ];
    const { choices } = await complete("", { messages, tools: all });
    expect(choices[0]?.finish_reason).toBe("stop");
    expect(choices[0]?.message.content).toContain("The result of get_weather is: sunny, 21C.");
    expect(choices[0]?.message.content).toContain("The result of get_time is: 12:00.");
  });

  it("go on while one is required, to the tool that takes the response, and end when every tool was called", async () => {
    const tools = [weather, tool("json")];
    const turn = (name: string): Parameters["messages"] => [
      { role: "assistant", tool_calls: [{ id: name, type: "function", function: { name, arguments: "{}" } }] },
      { role: "tool", tool_call_id: name, content: "sunny" },
    ];
    const messages = [...requests("Weather?"), ...turn("get_weather")];
    expect(await called("", { messages, tools, tool_choice: "required" })).toEqual(["json"]);
    const both = [...messages, ...turn("json")];
    expect(await called("", { messages: both, tools, tool_choice: "required" })).toEqual([]);
    const asksAgain = [...both, ...requests("And the weather tomorrow?")];
    expect(await called("", { messages: asksAgain, tools, tool_choice: "required" })).toEqual(["get_weather"]);
  });

  it("take pictures that follow a result for a part of it, though the user brings them", async () => {
    const call = { id: "call_1", type: "function" as const, function: { name: "get_weather", arguments: "{}" } };
    const url = "data:image/png;base64,iVBORw0KGgo=";
    const messages: Parameters["messages"] = [
      ...requests("What is the weather?"),
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "see the picture" },
      {
        role: "user",
        content: [
          { type: "text", text: "From the tool:" },
          { type: "image_url", image_url: { url } },
        ],
      },
    ];
    const { choices } = await complete("", { messages, tools: [weather] });
    expect(choices[0]?.message.content).toContain(
      "The result of get_weather is: see the picture. With it came an image (image/png, 8 bytes).",
    );
  });

  it("run through the SDK's loop", async () => {
    const cities: unknown[] = [];
    const runner = running.client.chat.completions.runTools({
      model: "plain-model",
      messages: requests("What is the weather in Paris?"),
      tools: [
        {
          type: "function",
          function: {
            name: "get_weather",
            description: "Get the weather of a city",
            parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
            parse: JSON.parse,
            function: ({ city }: { city: string }) => {
              cities.push(city);
              return `sunny in ${city}`;
            },
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain("sunny in sandbox city");
    expect(cities).toEqual(["sandbox city"]);
  });
});
