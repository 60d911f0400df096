import { afterEach, describe, expect, it } from "vitest";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { reply, replyEvents, type WireAct } from "../../../support/wire-provider.ts";

/** What a provider thought goes back to it through a loop of tools, whichever dialect its client speaks. */

type Item = Record<string, unknown>;

const wire = useWire();
const list = (): void =>
  void wire.on("GET /router/v1/models", reply(200, { data: [{ id: "google/gemini-3.5-flash" }] }));
const postern = useGateway(() => {
  list();
  return {
    env: {
      POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/router/v1`,
      POSTERN_COMPATIBLE_API_KEY: "k",
      POSTERN_ANTHROPIC_BASE_URL: wire.origin,
      POSTERN_ANTHROPIC_API_KEY: "k",
    },
  };
});
afterEach(() => {
  wire.reset();
  list();
});

const ROUTER = "google/gemini-3.5-flash";
const CLAUDE = "claude-sonnet-5";
const TOOL = { name: "Bash", input_schema: { type: "object" } };
const FUNCTION = { type: "function", name: "Bash", parameters: { type: "object" } };

/** The JSON of each event of a stream. */
const eventsOf = (text: string): Item[] =>
  text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6)) as Item] : []));
const bodyOf = (): Item => wire.seen.at(-1)?.json as Item;
const post = async (path: string, body: Item): Promise<string> => {
  const response = await postern.post(path, body);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
};

/**
 * Asks as Claude Code does, and answers the calls.
 * @param next the model that is asked then @returns what its provider is sent
 */
async function loopOfMessages(model: string, stream: boolean, next = model): Promise<Item> {
  const user = { role: "user", content: "List the files." };
  const body = { model, max_tokens: 4_000, tools: [TOOL], stream };
  const text = await post("/messages", { ...body, messages: [user] });
  const content: Item[] = [];
  if (!stream) content.push(...(JSON.parse(text) as { content: Item[] }).content);
  for (const { type, content_block: block, delta = {} } of stream ? eventsOf(text) : []) {
    const last = content.at(-1);
    if (type === "content_block_start") content.push({ ...(block as Item) });
    const { thinking, signature, partial_json: json } = delta as Record<string, string>;
    if (last !== undefined && thinking !== undefined) last["thinking"] += thinking;
    if (last !== undefined && signature !== undefined) last["signature"] += signature;
    if (last !== undefined && json !== undefined) last["input"] = JSON.parse(json) as Item;
  }
  const called = content.find(({ type }) => type === "tool_use");
  const result = { role: "user", content: [{ type: "tool_result", tool_use_id: called?.["id"], content: "a.txt" }] };
  await post("/messages", { ...body, model: next, messages: [user, { role: "assistant", content }, result] });
  return bodyOf();
}

/** The same as Codex does, which keeps the items of each response. */
async function loopOfResponses(model: string, stream: boolean, next = model): Promise<Item> {
  const user = { type: "message", role: "user", content: "List the files." };
  const body = { model, tools: [FUNCTION], stream, store: false, include: ["reasoning.encrypted_content"] };
  const text = await post("/responses", { ...body, input: [user] });
  const response = stream
    ? (eventsOf(text).find(({ type }) => type === "response.completed")?.["response"] as Item)
    : (JSON.parse(text) as Item);
  const output = response["output"] as Item[];
  const called = output.find(({ type }) => type === "function_call");
  const result = { type: "function_call_output", call_id: called?.["call_id"], output: "a.txt" };
  await post("/responses", { ...body, model: next, input: [user, ...output, result] });
  return bodyOf();
}

const LOOPS = [
  ["Claude Code", loopOfMessages],
  ["Codex", loopOfResponses],
] as const;

describe.each(LOOPS)("%s", (_client, loop) => {
  const text = { type: "reasoning.text", text: "I list the files.", format: "google-gemini-v1", index: 0 };
  const sealed = { type: "reasoning.encrypted", data: "Et0C+signature/of==", id: "tool_1", format: "google-gemini-v1" };
  const calls = [
    { index: 0, id: "tool_1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } },
  ];
  const routed = (stream: boolean): WireAct => {
    const message = { role: "assistant", content: "", reasoning: "I list the files.", tool_calls: calls };
    if (!stream)
      return reply(200, {
        choices: [
          { index: 0, message: { ...message, reasoning_details: [text, sealed] }, finish_reason: "tool_calls" },
        ],
      });
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    return replyEvents(
      chunk({ role: "assistant", reasoning: "I list ", reasoning_details: [{ ...text, text: "I list " }] }),
      chunk({ reasoning: "the files.", reasoning_details: [{ ...text, text: "the files." }] }),
      chunk({ tool_calls: calls, reasoning_details: [sealed] }),
      chunk({ content: "", reasoning: null, reasoning_details: [] }),
      chunk({}, "tool_calls"),
      "data: [DONE]\n\n",
    );
  };

  it.each([true, false])("gives a router's details back to it, streamed: %s", async (stream) => {
    wire.on("POST /router/v1/chat/completions", routed(stream));
    const { messages } = await loop(ROUTER, stream);
    expect((messages as Item[])[1]).toMatchObject({
      role: "assistant",
      reasoning: "I list the files.",
      reasoning_details: [text, sealed],
      tool_calls: [{ id: "tool_1" }],
    });
  });

  const thought = { type: "thinking", thinking: "I list the files.", signature: "EqoBCkgIARABGAIiQL2UoU0b1OHYi==" };
  const use = { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } };
  const claude = (stream: boolean): WireAct => {
    const message = { id: "msg_1", type: "message", role: "assistant", model: CLAUDE, stop_reason: "tool_use" };
    const usage = { input_tokens: 9, output_tokens: 5 };
    if (!stream) return reply(200, { ...message, content: [thought, use], usage });
    const event = (data: Item): string => `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`;
    const delta = (index: number, said: object): string => event({ type: "content_block_delta", index, delta: said });
    return replyEvents(
      event({ type: "message_start", message: { ...message, content: [], stop_reason: null, usage } }),
      event({ type: "content_block_start", index: 0, content_block: { ...thought, thinking: "", signature: "" } }),
      delta(0, { type: "thinking_delta", thinking: thought.thinking }),
      delta(0, { type: "signature_delta", signature: thought.signature }),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "content_block_start", index: 1, content_block: { ...use, input: {} } }),
      delta(1, { type: "input_json_delta", partial_json: '{"command":"ls"}' }),
      event({ type: "content_block_stop", index: 1 }),
      event({ type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage }),
      event({ type: "message_stop" }),
    );
  };

  it.each([true, false])("gives Claude's signed thinking back to it, streamed: %s", async (stream) => {
    wire.on("POST /v1/messages", claude(stream));
    const { messages } = await loop(CLAUDE, stream);
    expect((messages as { content: Item[] }[])[1]?.content).toEqual([thought, use]);
  });

  it("gives no provider what another has sealed", async () => {
    wire.on("POST /router/v1/chat/completions", routed(true)).on("POST /v1/messages", claude(true));
    expect(JSON.stringify(await loop(ROUTER, true, CLAUDE))).not.toMatch(/postern\.1|Et0C|I list the files/);
    const back = JSON.stringify(await loop(CLAUDE, true, ROUTER));
    expect(back).toContain("I list the files");
    expect(back).not.toMatch(/postern\.1/);
  });
});
