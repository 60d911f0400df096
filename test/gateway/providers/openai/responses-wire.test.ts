import { beforeEach, describe, expect, it } from "vitest";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();

const gateway = useGateway(() => ({
  env: { POSTERN_OPENAI_BASE_URL: `${wire.origin}/v1`, POSTERN_OPENAI_API_KEY: "sk-openai-1" },
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
