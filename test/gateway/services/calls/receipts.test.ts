import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Totals } from "../../../../gateway/contract/totals.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { completion, failure, stream, streamFrames, type Usage } from "../../../support/acts.ts";
import { modelList } from "../../../support/mock-provider.ts";
import { CHAT, KEY } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const OTHER = "sk-test-other-key-of-00002";
const provider = useProvider();
const own = useProvider();
beforeAll(async () => {
  own.list = modelList(["no-price-model"]);
});
const postern = useGateway(() => ({
  provider,
  keys: [{ key: OTHER, name: "other" }],
  env: { POSTERN_COMPATIBLE_BASE_URL: own.baseUrl, POSTERN_SANDBOX: "on" },
}));
beforeEach(() => {
  provider.reset();
  own.reset();
});

/** Nano USD of gpt-4.1: $2 in, $0.50 cached, $8 out, per million tokens. */
const IN = 2_000;
const CACHED = 500;
const OUT = 8_000;

const usages: readonly (readonly [string, Usage, readonly (readonly [string, number])[], number])[] = [
  [
    "plain",
    { prompt_tokens: 1_000, completion_tokens: 500 },
    [
      ["input", 1_000],
      ["output", 500],
    ],
    1_000 * IN + 500 * OUT,
  ],
  [
    "cached tokens, which are among the prompt's",
    { prompt_tokens: 1_000, completion_tokens: 10, prompt_tokens_details: { cached_tokens: 800 } },
    [
      ["input", 200],
      ["cached_input", 800],
      ["output", 10],
    ],
    200 * IN + 800 * CACHED + 10 * OUT,
  ],
  [
    "reasoning beside the answer, as xAI counts",
    {
      prompt_tokens: 10,
      completion_tokens: 50,
      total_tokens: 310,
      completion_tokens_details: { reasoning_tokens: 250 },
    },
    [
      ["input", 10],
      ["output", 50],
      ["reasoning", 250],
    ],
    10 * IN + 300 * OUT,
  ],
  ["one token", { prompt_tokens: 1, completion_tokens: 0 }, [["input", 1]], IN],
];

describe.each([
  ["whole", false],
  ["streamed", true],
] as const)("%s answers", (_how, streaming) => {
  it.each(usages)("are charged to the nano: %s", async (_name, usage, units, nano) => {
    const before = await postern.spentCents();
    provider.next(streaming ? stream(streamFrames(["Hi"], usage)) : completion("Hi", usage));
    await (await postern.chat({ ...CHAT, stream: streaming })).text();
    const receipt = await postern.receipt();
    expect(receipt.terms.map(({ unit, quantity }) => [unit, quantity])).toEqual(units);
    expect(receipt.terms.reduce((sum, term) => sum + term.nano, 0)).toBe(nano);
    expect(receipt).toMatchObject({
      nano,
      outcome: "completed",
      status: 200,
      code: null,
      estimated: false,
      stream: streaming,
      sandbox: false,
      model: "gpt-4.1",
      provider: "openai",
      endpoint: "chat",
    });
    expect(receipt.price?.source).toMatch(/./);
    expect(receipt.first_ms).toBeGreaterThan(0);
    expect(receipt.ms).toBeGreaterThanOrEqual(receipt.first_ms ?? 0);
    expect((await postern.spentCents()) - before).toBeCloseTo(nano / 10_000_000, 9);
  });

  it("without usage are counted here, and say so", async () => {
    provider.next(streaming ? stream(streamFrames(["Hello", " there"], null)) : completion("Hello there", null));
    await (await postern.chat({ ...CHAT, stream: streaming })).text();
    const receipt = await postern.receipt();
    expect(receipt).toMatchObject({ estimated: true, outcome: "completed" });
    expect(receipt.terms.map(({ unit }) => unit)).toEqual(["input", "output"]);
    for (const { quantity } of receipt.terms) expect(quantity).toBeGreaterThan(1);
  });
});

it("a failed call costs nothing and is on record", async () => {
  const before = await postern.spentCents();
  provider.next(failure(400, { code: "context_length_exceeded", type: "invalid_request_error" }));
  await postern.chat();
  expect(await postern.receipt()).toMatchObject({ outcome: "failed", status: 400, nano: 0, terms: [], first_ms: null });
  expect(await postern.spentCents()).toBe(before);
});

it("a model without a known price is unpriced, not free", async () => {
  const before = await postern.ask<{ total: Totals }>("GET", "/usage");
  await (await postern.chat({ ...CHAT, model: "no-price-model" })).text();
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ nano: null, price: null, provider: "openai-compatible", outcome: "completed" });
  expect(receipt.terms.map(({ unit, quantity }) => [unit, quantity])).toEqual([
    ["input", 10],
    ["output", 5],
  ]);
  const after = await postern.ask<{ total: Totals }>("GET", "/usage");
  expect(after.total.unpriced_requests - before.total.unpriced_requests).toBe(1);
  expect(after.total.nano).toBe(before.total.nano);
  expect(after.total.input_tokens - before.total.input_tokens).toBe(10);
});

it("sandbox calls count for their key, and not for the app's own spend", async () => {
  const before = { key: await postern.spentCents(), state: postern.gateway.state().month };
  const response = await postern.chat({ ...CHAT, model: "claude-sonnet-5" });
  expect(response.headers.get("x-postern-provider")).toBe("sandbox");
  await response.text();
  const receipt = await postern.receipt();
  expect(receipt).toMatchObject({ sandbox: true, provider: "sandbox", outcome: "completed" });
  expect(receipt.nano).toBeGreaterThan(0);
  expect((await postern.spentCents()) - before.key).toBeCloseTo((receipt.nano ?? 0) / 10_000_000, 9);
  const { month } = postern.gateway.state();
  expect([month.nano, month.requests]).toEqual([before.state.nano, before.state.requests]);
  expect(month.sandbox_nano - before.state.sandbox_nano).toBe(receipt.nano);
});

it("every finished call is in the key's usage at once, and only its own", async () => {
  provider.usual = completion("Hi", { prompt_tokens: 100, completion_tokens: 100 });
  for (let round = 1; round <= 10; round++) {
    await (await postern.chat(CHAT, OTHER)).text();
    expect(await postern.spentCents(OTHER)).toBeCloseTo((round * (100 * IN + 100 * OUT)) / 10_000_000, 9);
  }
  const day = new Date().toISOString().slice(0, 10);
  const ask = async (query: string): Promise<number> => {
    const response = await fetch(`${postern.url}/v1/dashboard/billing/usage?${query}`, {
      headers: { authorization: `Bearer ${OTHER}` },
    });
    return ((await response.json()) as { total_usage: number }).total_usage;
  };
  expect(await ask(`start_date=${day}&end_date=${day}`)).toBeCloseTo(1, 9);
  expect(await ask("start_date=2020-01-01&end_date=2020-12-31")).toBe(0);
  for (const query of ["start_date=yesterday", "start_date=2026-01-02&end_date=2026-01-01", "end_date=2026-13-01"]) {
    expect(
      (
        await fetch(`${postern.url}/v1/dashboard/billing/usage?${query}`, {
          headers: { authorization: `Bearer ${OTHER}` },
        })
      ).status,
    ).toBe(400);
  }
});

it("a receipt is found by the id of its response, and names the tool that asked", async () => {
  const response = await postern.chat(CHAT, KEY, { headers: { "user-agent": "my-editor/1.2 (linux)" } });
  const id = response.headers.get("x-request-id");
  const found = (await postern.receipts()).find((receipt: Receipt) => receipt.id === id);
  expect(found?.client).toBe("my-editor");
});

it("a call from a page of Postern is the playground's, whichever browser shows it", async () => {
  const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)", "sec-fetch-site": "same-origin" };
  await postern.chat(CHAT, KEY, { headers });
  expect((await postern.receipt()).client).toBe("Playground");
});
