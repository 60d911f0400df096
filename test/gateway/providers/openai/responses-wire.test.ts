import { beforeEach, describe, expect, it } from "vitest";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();

const gateway = useGateway(() => ({
  env: {
    POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-openai-1",
    POSTERN_DEEPSEEK_BASE_URL: `${wire.origin}/deepseek`,
    POSTERN_DEEPSEEK_API_KEY: "sk-deepseek-1",
  },
  keys: [{ key: "sk-test-spent-key-00000002", name: "spent", limit_usd: 0 }],
}));
beforeEach(() => wire.reset());

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60 },
  output_tokens: 50,
  output_tokens_details: { reasoning_tokens: 30 },
  total_tokens: 150,
};
const RESPONSE = {
  id: "resp_1",
  object: "response",
  created_at: 1_741_476_542,
  status: "completed",
  model: "gpt-4.1",
  output: [
    {
      type: "message",
      id: "msg_1",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "Hi.", annotations: [], logprobs: [] }],
    },
  ],
  field_of_next_year: { a: 1 },
  usage: USAGE,
};
const send = async (body: string): Promise<Response> =>
  fetch(`${gateway.url}/v1/responses`, {
    method: "POST",
    headers: { authorization: "Bearer sk-test-unlimited-key-0001", "content-type": "application/json" },
    body,
  });

async function quantities(): Promise<Record<string, number>> {
  const { terms, endpoint } = await gateway.receipt();
  expect(endpoint).toBe("responses");
  return Object.fromEntries(terms.map((term) => [term.unit, term.quantity]));
}
const BILLED = { input: 40, cached_input: 60, output: 20, reasoning: 30 };

describe("OpenAI's own Responses API", () => {
  it("gets the client's bytes, stored things included, and is billed by its usage", async () => {
    wire.on("POST /v1/responses", reply(200, RESPONSE));
    const body =
      '{ "model":"gpt-4.1", "input":"hi", "previous_response_id":"resp_0", "store":true, "unknown":12345678901234567890 }';
    const response = await send(body);
    expect(await response.json()).toEqual(RESPONSE);
    expect(wire.seen.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/v1/responses", "Bearer sk-openai-1"],
    ]);
    expect(wire.seen[0]?.body.toString()).toBe(body);
    expect(await quantities()).toEqual(BILLED);
  });

  it("streams through as it is", async () => {
    const events = [
      { type: "response.created", sequence_number: 0, response: { ...RESPONSE, status: "in_progress", usage: null } },
      { type: "response.output_text.delta", sequence_number: 1, item_id: "msg_1", delta: "Hi.", obfuscation: "x" },
      { type: "response.event_of_next_year", sequence_number: 2 },
      { type: "response.completed", sequence_number: 3, response: RESPONSE },
    ];
    const frames = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    wire.on("POST /v1/responses", replyEvents(...frames));
    const response = await send('{"model":"gpt-4.1","input":"hi","stream":true}');
    expect(await response.text()).toBe(frames.join(""));
    expect(await quantities()).toEqual(BILLED);
  });

  it("has its errors passed on", async () => {
    const error = { message: "Bad schema.", type: "invalid_request_error", param: "text.format.schema", code: null };
    wire.on("POST /v1/responses", reply(400, { error }));
    const response = await send('{"model":"gpt-4.1","input":"hi"}');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: { ...error, code: "invalid_value" } });
  });

  it.each([
    ["gpt-5.4", {}],
    ["gpt-4.1", { temperature: 0.3, top_p: 0.9 }],
  ])("has of the sampling of %s what the model takes", async (model, stored) => {
    wire.on("POST /v1/responses", reply(400, { error: { message: "Enough seen." } }));
    await send(JSON.stringify({ model, input: "hi", temperature: 0.3, top_p: 0.9 }));
    expect(wire.seen[0]?.json).toEqual({ model, input: "hi", ...stored });
  });

  it("is not asked for work in the background, which no one could fetch or bill", async () => {
    const response = await send('{"model":"gpt-4.1","input":"hi","background":true}');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "background" } });
    expect(wire.seen).toEqual([]);
  });
});

describe("the count of a response's input", () => {
  const COUNT = "POST /v1/responses/input_tokens";
  const counted = { object: "response.input_tokens", input_tokens: 4_711 };
  const refused = { error: { message: "No such field.", type: "invalid_request_error", param: "text", code: null } };

  it("is OpenAI's for its models, by its SDK, without a receipt and for a key without money", async () => {
    wire.on(COUNT, reply(200, counted));
    const before = (await gateway.receipts()).length;
    const sdk = gateway.sdk("sk-test-spent-key-00000002");
    const count = await sdk.responses.inputTokens.count({ model: "gpt-4.1", input: "Hi", instructions: "Be brief" });
    expect(count).toEqual(counted);
    expect(wire.seen.at(-1)?.json).toEqual({ model: "gpt-4.1", input: "Hi", instructions: "Be brief" });
    expect(await gateway.receipts()).toHaveLength(before);
    wire.on(COUNT, reply(400, refused));
    await expect(sdk.responses.inputTokens.count({ model: "gpt-4.1", input: "Hi" })).rejects.toMatchObject({
      status: 400,
      param: "text",
    });
  });

  it("is made here for others, with what a continued response has said", async () => {
    const choices = [{ index: 0, message: { role: "assistant", content: "A long poem. ".repeat(50) } }];
    wire.on("POST /deepseek/v1/chat/completions", reply(200, { choices: [{ ...choices[0], finish_reason: "stop" }] }));
    const model = "deepseek-v4-flash";
    const sdk = gateway.sdk();
    const { id } = await sdk.responses.create({ model, input: "Write" });
    const count = async (body: object) => (await sdk.responses.inputTokens.count({ model, ...body })).input_tokens;
    expect(await sdk.responses.inputTokens.count({ model, input: "Hi" })).toEqual({
      object: "response.input_tokens",
      input_tokens: expect.any(Number) as number,
    });
    const [bare, continued] = [await count({ input: "Hi" }), await count({ input: "Hi", previous_response_id: id })];
    expect(continued - bare).toBeGreaterThan(100);
    await expect(count({ input: "Hi", previous_response_id: "resp_unknown" })).rejects.toMatchObject({ status: 400 });
    await expect(count({ model: "nope" })).rejects.toMatchObject({ status: 404 });
  });
});
