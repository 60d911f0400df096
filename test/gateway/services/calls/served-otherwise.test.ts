import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reply, replyEvents } from "../../../support/wire-provider.ts";
import { useGateway, useWire } from "../../../support/use-gateway.ts";
import { claudeMessage, completionBody } from "../../../support/acts.ts";
import { providersAt } from "../../../support/running-gateway.ts";

/** The cost of a call follows how it was served and what a prompt holds, and the provider's own figure before that. */

const wire = useWire();

const LIST = [
  {
    id: "router/agent",
    pricing: { prompt: "0.000005", completion: "0.000025", input_cache_read: "0.0000005", request: "0.002" },
  },
  { id: "router/auto", pricing: { prompt: "-1", completion: "-1" } },
  { id: "router/seer", pricing: { prompt: "0.000005", completion: "0.000025", image: "0.01" } },
];

beforeAll(async () => {
  wire.on("GET /router/v1/models", reply(200, { data: LIST }));
});
const postern = useGateway(() => ({
  env: {
    ...providersAt({
      OPENAI: `${wire.origin}/openai/v1`,
      ANTHROPIC: `${wire.origin}/anthropic`,
      GEMINI: `${wire.origin}/gemini`,
      XAI: `${wire.origin}/xai/v1`,
    }),
    POSTERN_COMPATIBLE_BASE_URL: `${wire.origin}/router/v1`,
  },
}));
beforeEach(() => {
  wire.seen.length = 0;
});

const HI = [{ role: "user", content: "Hi" }];
const USAGE = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const usd = (amount: number): number => Math.round(amount * 1e9);

const completion = (fields: Readonly<Record<string, unknown>> = {}) => completionBody("Hello.", USAGE, fields);
const chunk = (fields: object) => `data: ${JSON.stringify({ object: "chat.completion.chunk", ...fields })}\n\n`;

const cost = async (): Promise<number | null> => (await postern.receipt()).nano;

describe("a tier of OpenAI", () => {
  /** gpt-5.4: $2.5 and $15 for a million tokens. */
  const usual = usd(0.0025 + 0.0015);

  it.each([
    ["as usual", {}, { service_tier: "default" }, usual],
    ["flex, by the answer", {}, { service_tier: "flex" }, usual / 2],
    ["priority, by the answer", {}, { service_tier: "priority" }, usual * 2],
    ["default, though priority was asked for", { service_tier: "priority" }, { service_tier: "default" }, usual],
    ["as usual where the answer is silent, though flex was asked for", { service_tier: "flex" }, {}, usual],
    ["one without a known factor, at the dearest", {}, { service_tier: "scale" }, usual * 2],
  ])("%s", async (_, request, reported, nano) => {
    wire.on("POST /openai/v1/chat/completions", reply(200, completion(reported)));
    await (await postern.chat({ model: "gpt-5.4", messages: HI, ...request })).text();
    expect(await cost()).toBe(nano);
  });

  it("is reported by a stream's chunks", async () => {
    wire.on(
      "POST /openai/v1/chat/completions",
      replyEvents(
        chunk({
          service_tier: "priority",
          choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }],
        }),
        chunk({ choices: [], usage: USAGE }),
        "data: [DONE]\n\n",
      ),
    );
    await (await postern.chat({ model: "gpt-5.4", messages: HI, stream: true })).text();
    expect(await cost()).toBe(usual * 2);
  });

  it("is reported by a response, whole or streamed", async () => {
    const response = {
      id: "r",
      object: "response",
      status: "completed",
      output: [],
      service_tier: "flex",
      usage: { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 },
    };
    wire.on("POST /openai/v1/responses", reply(200, response));
    await (await postern.post("/responses", { model: "gpt-5.4", input: "Hi" })).text();
    expect(await cost()).toBe(usual / 2);
    const event = { type: "response.completed", response };
    wire.on("POST /openai/v1/responses", replyEvents(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`));
    await (await postern.post("/responses", { model: "gpt-5.4", input: "Hi", stream: true })).text();
    expect(await cost()).toBe(usual / 2);
  });

  it("names in the receipt what multiplied the price", async () => {
    wire.on("POST /openai/v1/chat/completions", reply(200, completion({ service_tier: "flex" })));
    await (await postern.chat({ model: "gpt-5.4", messages: HI })).text();
    expect((await postern.receipt()).price?.source).toContain("service_tier flex: × 0.5");
  });
});

describe("Anthropic", () => {
  /** claude-opus-4-8: $5 and $25. */
  const usual = usd(0.005 + 0.0025);
  const message = (usage: object) => claudeMessage("Hello.", { input_tokens: 1_000, output_tokens: 100, ...usage });

  it.each([
    ["as usual", {}, { service_tier: "standard", inference_geo: "global", speed: "standard" }, usual],
    ["in fast mode", { speed: "fast" }, { speed: "fast" }, usual * 2],
    ["in the United States", {}, { inference_geo: "us" }, usd(0.00825)],
    ["in fast mode, in the United States", {}, { speed: "fast", inference_geo: "us" }, usd(0.0165)],
    ["from capacity that was paid for before", {}, { service_tier: "priority" }, usual],
    ["with searches", {}, { server_tool_use: { web_search_requests: 2 } }, usual + usd(0.02)],
  ])("serves %s", async (_, request, usage, nano) => {
    wire.on("POST /anthropic/v1/messages", reply(200, message(usage)));
    const body = { model: "claude-opus-4-8", max_tokens: 200, messages: HI, ...request };
    await (await postern.post("/messages", body)).text();
    expect(await cost()).toBe(nano);
  });

  it("tells it in a stream, too, and to a client of the chat API", async () => {
    const named = (data: { readonly type: string; readonly [field: string]: unknown }) =>
      `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    wire.on(
      "POST /anthropic/v1/messages",
      replyEvents(
        named({ type: "message_start", message: { usage: { input_tokens: 1_000, output_tokens: 1, speed: "fast" } } }),
        named({ type: "content_block_start", index: 0, content_block: { type: "text", text: "Hello." } }),
        named({ type: "content_block_stop", index: 0 }),
        named({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 100 } }),
        named({ type: "message_stop" }),
      ),
    );
    await (await postern.chat({ model: "claude-opus-4-8", messages: HI, stream: true })).text();
    expect(await cost()).toBe(usual * 2);
  });
});

describe("audio in a prompt", () => {
  const events = [
    {
      role: "user",
      content: [
        { type: "text", text: "What is said here?" },
        { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
      ],
    },
  ];
  const ask = async (usage: object, messages: unknown = events) => {
    wire.on("POST /gemini/v1beta/openai/chat/completions", reply(200, completion({ usage })));
    await (await postern.chat({ model: "gemini-2.5-flash", messages })).text();
    return postern.receipt();
  };

  it("costs what audio costs, where the provider tells it apart", async () => {
    const usage = { ...USAGE, prompt_tokens_details: { audio_tokens: 900 } };
    const { nano, estimated } = await ask(usage);
    expect({ nano, estimated }).toEqual({ nano: usd(0.000_03 + 0.000_9 + 0.000_25), estimated: false });
  });

  it("is what is left of the prompt next to its words where it does not, and the receipt says so", async () => {
    const { terms, estimated } = await ask(USAGE);
    const quantities = Object.fromEntries(terms.map(({ unit, quantity }) => [unit, quantity]));
    expect(estimated).toBe(true);
    expect((quantities["input"] ?? 0) + (quantities["audio_input"] ?? 0)).toBe(1_000);
    expect(quantities["audio_input"]).toBeGreaterThan(950);
  });

  it("is not looked for in a prompt of words", async () => {
    expect(await ask(USAGE, HI)).toMatchObject({ estimated: false, nano: usd(0.000_3 + 0.000_25) });
  });
});

describe("a list of OpenRouter's kind", () => {
  it("prices what was cached, and each request", async () => {
    const usage = {
      prompt_tokens: 101_000,
      completion_tokens: 500,
      total_tokens: 101_500,
      prompt_tokens_details: { cached_tokens: 100_000 },
    };
    wire.on("POST /router/v1/chat/completions", reply(200, completion({ usage })));
    await (await postern.chat({ model: "router/agent", messages: HI })).text();
    expect(await cost()).toBe(usd(0.0675 + 0.002));
  });

  it.each([
    ["words", "What?", usd(0.0075)],
    [
      "an image, which usage does not count",
      [{ type: "image_url", image_url: { url: "https://a.example/a.png" } }],
      usd(0.0075),
    ],
  ])("has a price for %s", async (_, content, nano) => {
    wire.on("POST /router/v1/chat/completions", reply(200, completion()));
    await (await postern.chat({ model: "router/seer", messages: [{ role: "user", content }] })).text();
    expect(await cost()).toBe(nano);
  });
});

describe("what the provider charged", () => {
  const chat = async (model: string, usage: object) => {
    wire.on("POST /router/v1/chat/completions", reply(200, completion({ usage: { ...USAGE, ...usage } })));
    await (await postern.chat({ model, messages: HI })).text();
    return postern.receipt();
  };

  it.each([
    ["cost", { cost: 0.25 }, usd(0.25)],
    [
      "cost with a key of the user's own",
      { cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.2 } },
      usd(0.21),
    ],
    ["xAI's ticks", { cost_in_usd_ticks: 1_525_000_000 }, usd(0.1525)],
    ["a figure that no call costs", { cost: 1e9 }, usd(0.0095)],
    ["no number", { cost: "0.25" }, usd(0.0095)],
  ])("is read as %s", async (_, usage, nano) => {
    const receipt = await chat("router/agent", usage);
    expect(receipt.nano).toBe(nano);
    expect(receipt.terms.reduce((sum, term) => sum + term.nano, 0)).toBe(nano);
    if (nano !== usd(0.0095)) expect(receipt.price?.source).toMatch(/^as charged by the provider; \$0\.0095 by /);
  });

  it("tells once that the list's price is out of date", async () => {
    const notices = () => postern.gateway.state().notices.filter(({ message }) => message.includes("is out of date"));
    await chat("router/agent", { cost: 0.3 });
    expect(notices()).toHaveLength(1);
    expect(notices()[0]?.message).toContain("router/agent");
  });

  it("prices a model that no list has, in a stream too, and counts against the key's limit", async () => {
    wire.on(
      "POST /router/v1/chat/completions",
      replyEvents(
        chunk({ choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] }),
        chunk({ choices: [], usage: { ...USAGE, cost: 0.5 } }),
        "data: [DONE]\n\n",
      ),
    );
    const { secret, view } = await postern.limitedKey(5);
    await (await postern.chat({ model: "router/auto", messages: HI, stream: true }, secret)).text();
    expect(await postern.receipt()).toMatchObject({ nano: usd(0.5), estimated: false });
    expect((await view()).spent_nano).toBe(usd(0.5));
  });
});

describe("a key's limit", () => {
  const spent = async (usage: object) => {
    wire.on("POST /router/v1/chat/completions", reply(200, completion({ usage: { ...USAGE, ...usage } })));
    const { secret, view } = await postern.limitedKey(0.05);
    await (await postern.chat({ model: "router/agent", messages: HI, max_tokens: 100 }, secret)).text();
    const receipt = await postern.receipt();
    expect(receipt.terms.reduce((sum, term) => sum + term.nano, 0)).toBe(receipt.nano);
    expect((await view()).spent_nano).toBe(receipt.nano);
    return receipt;
  };

  it.each([
    ["lines without a rate of their own at what was held", { prompt_tokens_details: { cache_write_tokens: 500 } }, 0],
    ["what the provider charged whole, though less was held", { cost: 0.2 }, usd(0.2)],
    ["tokens at rates of their own whole", { prompt_tokens: 20_000, total_tokens: 20_100 }, usd(0.1045)],
  ])("reads %s", async (_, usage, nano) => {
    const receipt = await spent(usage);
    // The fee, a hundred tokens of response, and 500 of the prompt: what was held is less than 500 more would cost.
    if (nano === 0) expect(receipt.nano).toBe(usd(0.002 + 0.0025 + 0.0025));
    else expect(receipt.nano).toBe(nano);
    expect(receipt.estimated).toBe(nano === 0);
  });

  it("reads a tier without a known factor at the usual price at least, and at most at what was held", async () => {
    wire.on("POST /openai/v1/chat/completions", reply(200, completion({ service_tier: "scale" })));
    const { secret } = await postern.limitedKey(0.05);
    await (await postern.chat({ model: "gpt-5.4", messages: HI, max_completion_tokens: 100 }, secret)).text();
    // Twice the usual price is more than was held for so short a prompt.
    expect(await postern.receipt()).toMatchObject({ nano: usd(0.004), estimated: true });
  });
});

it("is what xAI charged for images", async () => {
  const usage = { cost_in_usd_ticks: 400_000_000 };
  wire.on("POST /xai/v1/images/generations", reply(200, { data: [{ url: "https://a.example/a.jpg" }], usage }));
  await (await postern.post("/images/generations", { model: "grok-imagine-image", prompt: "A boat" })).text();
  expect(await postern.receipt()).toMatchObject({ nano: usd(0.04), estimated: false });
});

it.each([
  [{}, 0.06],
  [{ quality: "low" }, 0.04],
  [{ resolution: "2k", quality: "low" }, 0.06],
  [{ resolution: "2k" }, 0.08],
])("is the table's for an image of Grok's with %j, where xAI says nothing", async (fields, price) => {
  wire.on("POST /xai/v1/images/generations", reply(200, { data: [{ url: "https://a.example/a.jpg" }] }));
  const body = { model: "grok-imagine-image-2.0", prompt: "A boat", ...fields };
  await (await postern.post("/images/generations", body)).text();
  expect(await cost()).toBe(usd(price));
});

describe("more than the usage says", () => {
  it("is billed for Anthropic's iterations, each at the price of its model and size", async () => {
    const usage = {
      input_tokens: 23_000,
      output_tokens: 1_000,
      iterations: [
        { type: "compaction", input_tokens: 180_000, output_tokens: 3_500 },
        { type: "message", input_tokens: 23_000, output_tokens: 1_000 },
        { type: "advisor_message", model: "claude-opus-4-8", input_tokens: 60_000, output_tokens: 1_500 },
      ],
    };
    wire.on("POST /anthropic/v1/messages", reply(200, claudeMessage("Hello.", usage)));
    await (await postern.post("/messages", { model: "claude-sonnet-4-5", max_tokens: 200, messages: HI })).text();
    // $3 and $15 for Sonnet 4.5, $5 and $25 for Opus 4.8.
    const sonnet = 203_000 * 3 + 4_500 * 15;
    expect(await cost()).toBe(usd((sonnet + 60_000 * 5 + 1_500 * 25) / 1e6));
  });

  it.each([true, false])("is a search of OpenAI's where the response shows one (stream: %s)", async (stream) => {
    const output = [
      { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "a" } },
      {
        type: "web_search_call",
        id: "ws_2",
        status: "completed",
        action: { type: "open_page", url: "https://a.example" },
      },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Hello." }] },
    ];
    const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 };
    const response = { id: "resp_1", object: "response", status: "completed", output, usage };
    wire.on(
      "POST /openai/v1/responses",
      stream
        ? replyEvents(`data: ${JSON.stringify({ type: "response.completed", response })}\n\n`)
        : reply(200, response),
    );
    const tools = [{ type: "web_search" }];
    await (await postern.post("/responses", { model: "gpt-5.4", input: "Hi", tools, stream })).text();
    const receipt = await postern.receipt();
    expect(receipt.terms).toContainEqual(expect.objectContaining({ unit: "web_search", quantity: 1 }));
  });

  const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 };
  const files = { type: "file_search_call", status: "completed" };
  const code = { type: "code_interpreter_call", container_id: "cntr_1", status: "completed" };

  it.each([
    ["searches of files", [{ type: "file_search", vector_store_ids: ["vs_1"] }], [files, files], usd(0.005), false],
    ["one container", [{ type: "code_interpreter", container: { type: "auto" } }], [code, code], usd(0.03), true],
    ["a container that was not used", [{ type: "code_interpreter", container: { type: "auto" } }], [], 0, false],
    ["what Codex runs itself", [{ type: "web_search" }, { type: "local_shell" }], [], 0, false],
    ["a server of tools", [{ type: "mcp", server_label: "m", server_url: "https://a.example" }], [], 0, false],
    [
      "an image, whose tokens no usage tells",
      [{ type: "image_generation" }],
      [{ type: "image_generation_call" }],
      0,
      true,
    ],
  ])("is the fee of OpenAI's for %s", async (_, tools, output, fee, estimated) => {
    wire.on("POST /openai/v1/responses", reply(200, { object: "response", status: "completed", output, usage }));
    await (await postern.post("/responses", { model: "gpt-5.4", input: "Hi", tools })).text();
    expect(await postern.receipt()).toMatchObject({ nano: usd(0.004) + fee, estimated });
  });

  it.each([
    ["a search", { tools: [{ type: "web_search_20250305", name: "web_search" }] }, false],
    ["tools that the client runs", { tools: [{ type: "bash_20250124", name: "bash" }] }, false],
    ["a server of tools", { mcp_servers: [{ type: "url", name: "m", url: "https://a.example" }] }, false],
    ["a container", { tools: [{ type: "code_execution_20250825", name: "code_execution" }] }, true],
  ])("makes %s of Anthropic's an estimate only where usage does not tell its cost", async (_, fields, estimated) => {
    const reported = { input_tokens: 1_000, output_tokens: 100, server_tool_use: { web_search_requests: 1 } };
    wire.on("POST /anthropic/v1/messages", reply(200, claudeMessage("Hello.", reported)));
    const body = { model: "claude-opus-4-8", max_tokens: 200, messages: HI, ...fields };
    await (await postern.post("/messages", body)).text();
    expect(await postern.receipt()).toMatchObject({ nano: usd(0.0075 + 0.01), estimated });
  });

  it("is the fee of each use of xAI's tools, where it does not say what it charged", async () => {
    const server_side_tool_usage_details = { web_search_calls: 2, x_search_calls: 1, code_interpreter_calls: 1 };
    wire.on(
      "POST /xai/v1/chat/completions",
      reply(200, completion({ usage: { ...USAGE, server_side_tool_usage_details } })),
    );
    await (await postern.chat({ model: "grok-4.3", messages: HI })).text();
    expect(await cost()).toBe(usd(0.00125 + 0.00025 + 0.02));
  });

  it("follows the model that answered in the place of a retired one", async () => {
    wire.on("POST /openai/v1/chat/completions", reply(200, completion({ model: "gpt-5.4-2026-03-05" })));
    await (await postern.chat({ model: "gpt-4.1", messages: HI })).text();
    expect(await postern.receipt()).toMatchObject({ model: "gpt-5.4", nano: usd(0.0025 + 0.0015) });
  });
});
