import { afterEach, describe, expect, it } from "vitest";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";

const wire = useWire();
const clock = new TestClock();

const postern = useGateway(() => ({
  clock,
  env: { POSTERN_ANTHROPIC_BASE_URL: `${wire.origin}/v1`, POSTERN_ANTHROPIC_API_KEY: "sk-ant-api03-provider" },
}));
afterEach(() => {
  wire.reset();
  // What a key is left alone for after an error is over.
  clock.advance(10 * 60_000);
});

const BODY = { model: "claude-sonnet-5", max_tokens: 64, messages: [{ role: "user", content: "Hi" }] };
const MESSAGES = "POST /v1/messages";

const RESPONSE = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "claude-sonnet-5",
  content: [{ type: "text", text: "Hi!", citations: null }],
  stop_reason: "end_turn",
  stop_sequence: null,
  stop_details: null,
  container: null,
  usage: {
    input_tokens: 12,
    cache_creation_input_tokens: 700,
    cache_read_input_tokens: 300,
    cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 500 },
    output_tokens: 6,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: "global",
  },
};

const event = (data: { readonly type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const delta = (index: number, change: object): string =>
  event({ type: "content_block_delta", index, delta: change } as never);
const begin = (index: number, block: object): string =>
  event({ type: "content_block_start", index, content_block: block } as never);
const end = (index: number): string => event({ type: "content_block_stop", index } as never);

/** docs/providers/anthropic.md#streams: ping, thinking with its signature, two tool_use blocks. */
const STREAM = [
  event({
    type: "message_start",
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-sonnet-5",
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 25,
        cache_creation_input_tokens: 40,
        cache_read_input_tokens: 10,
        cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 40 },
        output_tokens: 1,
      },
    },
  } as never),
  begin(0, { type: "thinking", thinking: "", signature: "" }),
  event({ type: "ping" }),
  delta(0, { type: "thinking_delta", thinking: "Let me" }),
  delta(0, { type: "signature_delta", signature: "EqQB" }),
  end(0),
  begin(1, { type: "tool_use", id: "toolu_01", name: "get_weather", input: {} }),
  delta(1, { type: "input_json_delta", partial_json: '{"city":' }),
  delta(1, { type: "input_json_delta", partial_json: '"Paris"}' }),
  end(1),
  begin(2, { type: "tool_use", id: "toolu_02", name: "get_weather", input: {} }),
  delta(2, { type: "input_json_delta", partial_json: '{"city":"Rome"}' }),
  end(2),
  event({
    type: "message_delta",
    delta: { stop_reason: "tool_use", stop_sequence: null },
    usage: { output_tokens: 89 },
  } as never),
  event({ type: "message_stop" }),
];

describe("POST /v1/messages on a Claude model", () => {
  it("sends the client's bytes and betas, and answers with the provider's bytes", async () => {
    wire.on(
      MESSAGES,
      reply(200, RESPONSE, { "request-id": "req_1", "anthropic-organization-id": "org", "set-cookie": "a=b" }),
    );
    const raw =
      '{"model":"claude-sonnet-5" ,"max_tokens":64,"messages":[{"role":"user","content":"Hi"}],"made_up":1.0}';
    const response = await fetch(`${postern.url}/v1/messages?beta=true`, {
      method: "POST",
      headers: {
        "x-api-key": "sk-test-unlimited-key-0001",
        "content-type": "application/json",
        "anthropic-version": "2023-06-01",
        "anthropic-beta": "made-up-beta-2099-01-01",
        cookie: "c=d",
      },
      body: raw,
    });
    expect(await response.text()).toBe(JSON.stringify(RESPONSE));
    expect(response.headers.get("anthropic-organization-id")).toBeNull();
    expect(response.headers.get("set-cookie")).toBeNull();

    const [seen] = wire.seen;
    expect(seen?.body.toString()).toBe(raw);
    expect(seen?.headers).toMatchObject({
      "x-api-key": "sk-ant-api03-provider",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "made-up-beta-2099-01-01",
    });
    expect(seen?.headers).not.toHaveProperty("cookie");
    expect(seen?.headers).not.toHaveProperty("authorization");
  });

  it("bills what was written for an hour at twice the input rate", async () => {
    wire.on(MESSAGES, reply(200, RESPONSE));
    await (await postern.post("/messages", BODY)).arrayBuffer();
    const { terms, estimated } = await postern.receipt();
    expect(estimated).toBe(false);
    expect(terms.map(({ unit, quantity, nano_per_million }) => [unit, quantity, nano_per_million / 1e9])).toEqual([
      ["input", 12, 2],
      ["cached_input", 300, 0.2],
      ["cache_write", 200, 2.5],
      ["cache_write_1h", 500, 4],
      ["output", 6, 10],
    ]);
  });

  it("passes a stream on event by event, and bills the figures of its beginning and its end", async () => {
    wire.on(MESSAGES, replyEvents(...STREAM));
    const response = await postern.post("/messages", { ...BODY, stream: true });
    expect(await response.text()).toBe(STREAM.join(""));
    const { terms, outcome } = await postern.receipt();
    expect(outcome).toBe("completed");
    expect(Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]))).toEqual({
      input: 25,
      cached_input: 10,
      cache_write_1h: 40,
      output: 89,
    });
  });

  it("ends a stream with the provider's error event", async () => {
    const error = event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } } as never);
    wire.on(MESSAGES, replyEvents(...STREAM.slice(0, 4), error));
    const text = await (await postern.post("/messages", { ...BODY, stream: true })).text();
    expect(text).toContain('"type":"overloaded_error"');
    expect(text).toContain("Overloaded");
    expect(text).not.toContain("message_stop");
  });

  it("fails with the status that an error means which comes instead of a stream", async () => {
    const error = event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } } as never);
    wire.on(MESSAGES, replyEvents(error));
    const response = await postern.post("/messages", { ...BODY, stream: true });
    expect(response.status).toBe(529);
    expect(await response.json()).toMatchObject({ error: { type: "overloaded_error", message: "Overloaded" } });
  });

  it("counts tokens at the provider, free of charge", async () => {
    wire.on("POST /v1/messages/count_tokens", reply(200, { input_tokens: 2_095 }));
    const before = (await postern.receipts()).length;
    const response = await postern.post("/messages/count_tokens", BODY);
    expect(await response.json()).toEqual({ input_tokens: 2_095 });
    expect((await postern.receipts()).length).toBe(before);
  });

  it.each([
    [404, { error: { message: "Not Found" } }],
    [405, "Method Not Allowed"],
    [400, { error: { message: "404 page not found", type: "invalid_request_error" } }],
  ])("counts them itself where a host has no counter (%i)", async (status, body) => {
    wire.on("POST /v1/messages/count_tokens", reply(status, body));
    const response = await postern.post("/messages/count_tokens", BODY);
    expect(response.status).toBe(200);
    expect((await response.json()) as object).toEqual({ input_tokens: expect.any(Number) as number });
  });

  it("hands on that a count is refused for another reason", async () => {
    const refused = { type: "error", error: { type: "invalid_request_error", message: "messages: at least one" } };
    wire.on("POST /v1/messages/count_tokens", reply(400, refused));
    expect((await postern.post("/messages/count_tokens", BODY)).status).toBe(400);
  });
});

describe("an error of Anthropic's", () => {
  const failing = (type: string, message: string): unknown => ({
    type: "error",
    error: { type, message },
    request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
  });

  it.each([
    [400, "invalid_request_error", "messages.1.content.0: `thinking` blocks cannot be modified"],
    [413, "request_too_large", "Request exceeds the maximum size"],
    [404, "not_found_error", "model: claude-sonnet-5"],
    [529, "overloaded_error", "Overloaded"],
  ])("%i %s keeps its words", async (status, type, message) => {
    wire.on(MESSAGES, reply(status, failing(type, message)));
    const response = await postern.post("/messages", BODY);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { type: string; message: string } };
    expect(error).toEqual({ type, message });
  });

  it("429 carries the provider's Retry-After", async () => {
    wire.on(MESSAGES, reply(429, failing("rate_limit_error", "Slow down"), { "retry-after": "90" }));
    const response = await postern.post("/messages", BODY);
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("90");
  });

  it.each([
    [401, "authentication_error", "invalid x-api-key", 502, "vendor_auth"],
    [403, "permission_error", "no access", 502, "vendor_auth"],
    [
      400,
      "invalid_request_error",
      "Your credit balance is too low to access the Anthropic API.",
      503,
      "vendor_out_of_credit",
    ],
    [402, "billing_error", "pay", 503, "vendor_out_of_credit"],
    [500, "api_error", "Internal server error", 502, "upstream_error"],
  ])(
    "%i %s is reported as the gateway's own to a client of the common API",
    async (status, type, message, shown, code) => {
      wire.on(MESSAGES, reply(status, failing(type, message)));
      const response = await postern.chat({ model: "claude-sonnet-5", messages: BODY.messages });
      expect(response.status).toBe(shown);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect(error.code).toBe(code);
      expect(error.message).toContain(message);
    },
  );
});
