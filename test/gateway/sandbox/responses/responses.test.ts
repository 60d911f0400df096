import { describe, expect, it } from "vitest";
import { useResponses } from "./running.ts";

const running = useResponses();
const WEATHER = {
  type: "function",
  name: "get_weather",
  description: "",
  strict: false,
  parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
} as const;

describe("a response", () => {
  it("says that the sandbox speaks, and what was asked", async () => {
    const response = await running.client.responses.create({ model: "plain-model", input: "Good morning." });
    expect(response).toMatchObject({
      object: "response",
      status: "completed",
      model: "plain-model",
      error: null,
      output: [{ type: "message", role: "assistant", status: "completed" }],
    });
    expect(response.output_text).toContain("sandbox");
    expect(response.output_text).toContain("Good morning.");
    const { input_tokens, output_tokens, total_tokens } = response.usage ?? {};
    expect(input_tokens).toBeGreaterThan(0);
    expect(total_tokens).toBe((input_tokens ?? 0) + (output_tokens ?? 0));
  });

  it("tells the request's settings back", async () => {
    const settings = { instructions: "Be brief.", temperature: 0.5, top_p: 0.9, metadata: { a: "b" }, store: false };
    const response = await running.client.responses.create({ model: "plain-model", input: "x", ...settings });
    expect(response).toMatchObject(settings);
  });

  it("names what is attached", async () => {
    const image_url = "data:image/png;base64,iVBORw0KGgo=";
    const response = await running.client.responses.create({
      model: "plain-model",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url, detail: "high" },
            { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" },
          ],
        },
      ],
    });
    expect(response.output_text).toContain("an image (image/png, 8 bytes) and a file (a.pdf, 3 bytes)");
  });

  it("stops at the limit", async () => {
    const response = await running.client.responses.create({ model: "plain-model", input: "x", max_output_tokens: 5 });
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [{ status: "incomplete" }],
      usage: { output_tokens: 5 },
    });
  });

  it("fits a schema", async () => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const response = await running.client.responses.create({
      model: "plain-model",
      input: "A city",
      text: { format: { type: "json_schema", name: "city", schema } },
    });
    expect(JSON.parse(response.output_text)).toEqual({ city: expect.any(String) });
  });

  it("has log probabilities where they are asked for", async () => {
    const response = await running.client.responses.create({
      model: "plain-model",
      input: "x",
      include: ["message.output_text.logprobs"],
      top_logprobs: 2,
    });
    const [item] = response.output;
    const [part] = item?.type === "message" ? item.content : [];
    const logprobs = part?.type === "output_text" ? (part.logprobs ?? []) : [];
    expect(logprobs.map((entry) => entry.token).join("")).toBe(response.output_text);
    expect(logprobs[0]?.top_logprobs).toHaveLength(2);
  });
});

describe("tools", () => {
  it("are called with arguments that fit, and answered from their result", async () => {
    const requests = [{ role: "user" as const, content: "What is the weather?" }];
    const first = await running.client.responses.create({ model: "plain-model", input: requests, tools: [WEATHER] });
    const [call] = first.output;
    if (call?.type !== "function_call") throw new Error("no call was made");
    expect(call).toMatchObject({ name: "get_weather", status: "completed" });
    expect(JSON.parse(call.arguments)).toEqual({ city: expect.any(String) });
    const second = await running.client.responses.create({
      model: "plain-model",
      input: [...requests, call, { type: "function_call_output", call_id: call.call_id, output: "sunny, 21 C" }],
      tools: [WEATHER],
    });
    expect(second.output_text).toContain("The result of get_weather is: sunny, 21 C");
  });

  it.each(["echo", "mcp__gw__echo"])("can be named in the prompt, and lie in a namespace: %s", async (name) => {
    const response = await running.send({
      input: `Please [[tool:${name} {"text":"hi"}]]`,
      tools: [{ type: "namespace", name: "mcp__gw", description: "", tools: [{ ...WEATHER, name: "echo" }] }],
    });
    expect(await response.json()).toMatchObject({
      output: [{ type: "function_call", name: "echo", namespace: "mcp__gw", arguments: '{"text":"hi"}' }],
    });
  });

  it("may take free text", async () => {
    const tools = [{ type: "custom" as const, name: "apply_patch" }];
    const response = await running.client.responses.create({ model: "plain-model", input: "Patch it.", tools });
    expect(response.output).toMatchObject([
      { type: "custom_tool_call", name: "apply_patch", input: expect.any(String) },
    ]);
  });

  it.each<[name: string, fields: Readonly<Record<string, unknown>>, names: readonly string[]]>([
    ["none", { tool_choice: "none" }, []],
    ["the chosen one", { tool_choice: { type: "function", name: "other" } }, ["other"]],
    [
      "an allowed one",
      { tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "other" }] } },
      ["other"],
    ],
    ["one at a time", { parallel_tool_calls: false, input: "weather and other" }, ["get_weather"]],
    ["two at once", { input: "weather and other" }, ["get_weather", "other"]],
  ])("are called as tool_choice says: %s", async (_, fields, names) => {
    const response = await running.send({
      input: "weather",
      tools: [WEATHER, { ...WEATHER, name: "other" }],
      ...fields,
    });
    const { output } = (await response.json()) as { output: readonly { type: string; name: string }[] };
    expect(output.filter((item) => item.type === "function_call").map((item) => item.name)).toEqual(names);
  });
});

describe("reasoning models", () => {
  const input = "x";
  it("show what they think only in the summary that was asked for", async () => {
    const silent = await running.client.responses.create({ model: "thinking-model", input });
    expect(silent.output).toMatchObject([{ type: "message" }]);
    const open = await running.client.responses.create({
      model: "thinking-model",
      input,
      reasoning: { effort: "low", summary: "auto" },
    });
    expect(open.output[0]).toMatchObject({ type: "reasoning", summary: [{ type: "summary_text" }] });
    expect(open.usage?.output_tokens_details.reasoning_tokens).toBe(32);
  });

  it("spend their budget on thinking", async () => {
    const response = await running.client.responses.create({ model: "thinking-model", input, max_output_tokens: 20 });
    expect(response).toMatchObject({
      status: "incomplete",
      usage: { output_tokens_details: { reasoning_tokens: 20 } },
    });
    expect(response.output_text).toBe("");
  });
});
