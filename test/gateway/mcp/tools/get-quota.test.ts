import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chatTool } from "../../../../gateway/mcp/tools/chat.ts";
import { getQuotaTool } from "../../../../gateway/mcp/tools/get-quota.ts";
import { completion, hang, when } from "../../../support/acts.ts";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { KEY } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { toolStage, type ToolStage } from "../../../support/tool-harness.ts";

const DAILY = "sk-test-daily-key-of-0002";
const WHOLE = "sk-test-whole-key-of-0003";
const HELLO = { model: "gpt-4.1", prompt: "Say hello.", max_tokens: 100 };
/** 10 tokens in at $2 and 5 out at $8 a million. */
const COST = 0.000_06;

let provider: MockProvider;
let clock: TestClock;
let stage: ToolStage;
beforeEach(async () => {
  provider = await startProvider();
  clock = new TestClock();
  clock.jumpTo(Date.parse("2027-03-30T12:00:00Z"));
  stage = await toolStage({
    provider,
    clock,
    keys: [
      { key: DAILY, name: "daily", limit_usd: 0.01, reset: "daily" },
      {
        key: WHOLE,
        name: "whole",
        models: ["gpt-4.1*", "tts-1"],
        reset: "monthly",
        expires_at: Date.parse("2028-01-01T00:00:00Z") / 1_000,
        rpm: 60,
        concurrency: 4,
      },
    ],
  });
});
afterEach(async () => {
  await stage.close();
  await provider.close();
});

async function standing(key = KEY): Promise<Record<string, unknown> & { readonly text: string }> {
  const { response, receipt } = await stage.response(getQuotaTool(stage.deps), {}, { key });
  expect(receipt).toBeNull();
  const [first] = response.content;
  return { ...response.structured, text: first?.type === "text" ? first.text : "" };
}

const chat = (key: string, signal?: AbortSignal) =>
  stage.call(chatTool(stage.deps), HELLO, { key, ...(signal === undefined ? {} : { signal }) });

describe("a key", () => {
  it("without limits says so, and what it has spent", async () => {
    await chat(KEY);
    expect(await standing()).toEqual({
      key: "unlimited",
      limit_usd: null,
      used_usd: COST,
      held_usd: 0,
      left_usd: null,
      reset: "never",
      resets_at: null,
      expires_at: null,
      models: null,
      requests_per_minute: null,
      concurrency: null,
      running: 0,
      monthly_budget: null,
      budgets: [],
      text: 'The key "unlimited" has no spending limit; $0.000060 spent.',
    });
  });

  it("with limits tells each of them", async () => {
    expect(await standing(WHOLE)).toMatchObject({
      key: "whole",
      reset: "monthly",
      resets_at: "2027-04-01T00:00:00.000Z",
      expires_at: "2028-01-01T00:00:00.000Z",
      models: ["gpt-4.1*", "tts-1"],
      requests_per_minute: 60,
      concurrency: 4,
    });
  });

  it("with a limit has the rest of its period left, and all of it in the next", async () => {
    await chat(DAILY);
    expect(await standing(DAILY)).toMatchObject({
      limit_usd: 0.01,
      used_usd: COST,
      left_usd: 0.009_94,
      reset: "daily",
      resets_at: "2027-03-31T00:00:00.000Z",
      text: [
        'The key "daily" has $0.0099 left for its next call.',
        "Limit $0.01, $0.000060 spent today.",
        "The limit resets at 2027-03-31T00:00:00.000Z.",
      ].join("\n"),
    });
    clock.jumpTo(Date.parse("2027-03-31T00:00:01Z"));
    expect(await standing(DAILY)).toMatchObject({ used_usd: 0, left_usd: 0.01, resets_at: "2027-04-01T00:00:00.000Z" });
  });

  it("has less left while a call holds money", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    provider.next(when(promise, completion()));
    const call = chat(DAILY);
    await provider.arrived(1);
    const during = (await standing(DAILY)) as unknown as { held_usd: number; left_usd: number; running: number };
    expect(during).toMatchObject({ running: 1, used_usd: 0 });
    expect(during.held_usd).toBeGreaterThanOrEqual(100 * 8e-6);
    expect(during.left_usd).toBeCloseTo(0.01 - during.held_usd, 9);
    resolve();
    await call;
    expect(await standing(DAILY)).toMatchObject({ running: 0, held_usd: 0, left_usd: 0.009_94 });
  });
});

describe("the budget of all keys", () => {
  beforeEach(() => stage.services.settings.update({ monthly_budget_usd: 0.005 }));

  it("is reported next to the key's own limit, and bounds what is left", async () => {
    await chat(KEY);
    expect(await standing(DAILY)).toMatchObject({
      limit_usd: 0.01,
      used_usd: 0,
      left_usd: 0.004_94,
      monthly_budget: { limit_usd: 0.005, used_usd: COST },
    });
    expect((await standing()).text).toContain("All keys together: $0.000060 of $0.0050 spent this month.");
  });

  it("is held by calls of other keys too", async () => {
    provider.next(hang);
    const cancel = new AbortController();
    const call = chat(KEY, cancel.signal);
    await provider.arrived(1);
    expect((await standing(DAILY))["left_usd"]).toBeLessThan(0.005);
    cancel.abort();
    await call;
  });
});

describe("a budget of the client", () => {
  it("is reported next to the others, and bounds what is left; another client's is not", async () => {
    const budget = { reset: "daily", limit_usd: 0.004 } as const;
    await stage.services.manageBudgets.set({ ...budget, scope: { kind: "client", name: "tool-*" } });
    await stage.services.manageBudgets.set({ ...budget, scope: { kind: "client", name: "somebody" } });
    await chat(KEY);
    const reported = await standing(DAILY);
    expect(reported).toMatchObject({
      limit_usd: 0.01,
      left_usd: 0.003_94,
      budgets: [
        {
          kind: "client",
          name: "tool-*",
          reset: "daily",
          limit_usd: 0.004,
          used_usd: COST,
          resets_at: "2027-03-31T00:00:00.000Z",
        },
      ],
    });
    expect(reported.text).toContain('The client "tool-*": $0.000060 of $0.0040 spent today.');
  });
});

it("agrees with the billing API of /v1", async () => {
  await chat(DAILY);
  const key = stage.key(DAILY);
  const { total_usage: cents } = await stage.deps.quota.usage(key, undefined, undefined);
  const { hard_limit_usd: limit } = await stage.deps.quota.subscription(key);
  expect(await standing(DAILY)).toMatchObject({ used_usd: cents / 100, limit_usd: limit });
});
