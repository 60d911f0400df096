import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BudgetView } from "../../../gateway/contract/budgets.ts";
import type { KeyView } from "../../../gateway/contract/key.ts";
import { formOf } from "../../support/forms.ts";
import { png } from "../../support/pictures.ts";
import { KEY, startGateway, type TestGateway } from "../../support/running-gateway.ts";
import { SpendingProvider, type Rates } from "../../support/spending-provider.ts";
import { thin } from "../../support/dose.ts";

/** Whatever is asked for without a bound, and anyone who uses all that it may: the provider's own ledger stays within limits. */

let provider: SpendingProvider;
let postern: TestGateway;
beforeAll(async () => {
  provider = await new SpendingProvider().listen();
  const at = (path: string): string => `${provider.origin}/${path}`;
  postern = await startGateway({
    env: {
      POSTERN_OPENAI_BASE_URL: at("openai/v1"),
      POSTERN_OPENAI_API_KEY: "k",
      POSTERN_XAI_BASE_URL: at("xai/v1"),
      POSTERN_XAI_API_KEY: "k",
      POSTERN_GEMINI_BASE_URL: at("gemini"),
      POSTERN_GEMINI_API_KEY: "k",
      POSTERN_ANTHROPIC_BASE_URL: at("anthropic"),
      POSTERN_ANTHROPIC_API_KEY: "k",
      POSTERN_DASHSCOPE_BASE_URL: at("dashscope"),
      POSTERN_DASHSCOPE_API_KEY: "k",
      POSTERN_COMPATIBLE_BASE_URL: at("openai-compatible/v1"),
    },
  });
});
afterAll(async () => {
  await postern.close();
  await provider.close();
});

type Json = Readonly<Record<string, unknown>>;

interface Case {
  readonly path: string;
  readonly body: Json | (() => FormData);
  readonly rates: Rates;
  /** Money for two ordinary answers. */
  readonly usd: number;
}

const WORDS = "Say it again, in other words. ".repeat(20);
const messages = [{ role: "user", content: WORDS }];

const talk = (model: string, rates: Rates): readonly (readonly [string, Case])[] => [
  ...([undefined, true] as const).flatMap((stream): readonly (readonly [string, Case])[] => [
    [
      `chat, ${model}${stream ? ", streamed" : ""}`,
      { path: "/chat/completions", body: { model, messages, stream }, rates, usd: 0.05 },
    ],
    [
      `responses, ${model}${stream ? ", streamed" : ""}`,
      { path: "/responses", body: { model, input: WORDS, stream }, rates, usd: 0.05 },
    ],
    [
      `messages with the highest bound, ${model}${stream ? ", streamed" : ""}`,
      { path: "/messages", body: { model, messages, max_tokens: 64_000, stream }, rates, usd: 0.05 },
    ],
  ]),
  [`chat with two answers, ${model}`, { path: "/chat/completions", body: { model, messages, n: 2 }, rates, usd: 0.05 }],
];

const CASES: readonly (readonly [string, Case])[] = [
  ...talk("gpt-5", { input: 1.25, output: 10 }),
  ...talk("gpt-4.1", { input: 2, output: 8 }),
  ...talk("grok-4.5", { input: 2, output: 6 }),
  ...talk("gemini-2.5-pro", { input: 1.25, output: 10 }),
  ...talk("qwen-plus", { input: 0.4, output: 4 }),
  ...talk("qwen3.7-max", { input: 2.5, output: 7.5 }),
  ...talk("claude-sonnet-5-5", { input: 2, output: 10 }),
  ...talk("house-model", { input: 3, output: 15 }),
  [
    "embeddings",
    {
      path: "/embeddings",
      body: { model: "text-embedding-3-small", input: [WORDS, WORDS] },
      rates: { input: 0.02, output: 0 },
      usd: 0.000_02,
    },
  ],
  [
    "speech",
    {
      path: "/audio/speech",
      body: { model: "gpt-4o-mini-tts", voice: "alloy", input: WORDS, stream_format: "sse" },
      rates: { input: 0.6, output: 12 },
      usd: 0.06,
    },
  ],
  [
    "images",
    {
      path: "/images/generations",
      body: { model: "delta-image-2", prompt: WORDS },
      rates: { input: 5, output: 30 },
      usd: 2,
    },
  ],
  [
    "images that are thought about",
    {
      path: "/images/generations",
      body: { model: "gemini-3-pro-image", prompt: WORDS },
      rates: { input: 2, output: 120 },
      usd: 2,
    },
  ],
  [
    "edits",
    {
      path: "/images/edits",
      body: () => formOf({ model: "delta-image-2", prompt: "Add a hat" }, [["image", png()]]),
      rates: { input: 8, output: 30 },
      usd: 2,
    },
  ],
];

/**
 * 100 calls at once: answers begin when each of them was refused or has arrived.
 * @param headers what says of a call, by its number, whose it is
 * @returns those that were answered.
 */
async function hundred(
  { path, body, rates }: Case,
  secret: string,
  headers: (call: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<number> {
  provider.seen = 0;
  provider.ledger = 0;
  provider.refusals.length = 0;
  provider.rates = rates;
  let open: () => void = () => undefined;
  provider.gate = new Promise<void>((resolve) => (open = resolve));
  let refused = 0;
  const look = (): void => {
    if (refused + provider.seen >= 100) open();
  };
  provider.onSeen = look;
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async (_none, call) => {
      const form = typeof body === "function";
      const response = await fetch(`${postern.url}/v1${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${secret}`,
          ...(form ? {} : { "content-type": "application/json" }),
          ...headers(call),
        },
        body: form ? body() : JSON.stringify(body),
      });
      const text = await response.text();
      if (response.status === 402) {
        refused += 1;
        look();
      } else if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 300)}`);
      return response.status;
    }),
  );
  expect(provider.refusals).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

/** A receipt rounds each line. */
const ROUNDING = 500;

describe("100 calls at once with money for two", () => {
  it.each(thin(CASES, 12, 0))(
    "%s: the provider's ledger stays within a key's limit, and is what the key has spent",
    async (_, one) => {
      const { secret, key } = await postern.ask<{ secret: string; key: KeyView }>("POST", "/keys", {
        name: "limited",
        limit_usd: one.usd,
      });
      expect(await hundred(one, secret)).toBeGreaterThan(0);
      expect(provider.ledger).toBeLessThanOrEqual(one.usd * 1e9 + ROUNDING);
      const { data } = await postern.ask<{ data: KeyView[] }>("GET", "/keys");
      const { held_nano, spent_nano } = data.find(({ id }) => id === key.id) ?? key;
      expect(held_nano).toBe(0);
      // Some sell the one token that is seen for less than reasoning.
      const seen = provider.seen * one.rates.output * 1_000;
      expect(Math.abs(spent_nano - provider.ledger)).toBeLessThan(ROUNDING + 2 * seen);
    },
  );

  it.each(thin(CASES, 12, 4))("%s: the provider's ledger stays within the month's budget", async (_, one) => {
    const spent = postern.gateway.state().month.nano;
    await postern.ask("PATCH", "/settings", { monthly_budget_usd: spent / 1e9 + one.usd });
    try {
      expect(await hundred(one, KEY)).toBeGreaterThan(0);
      expect(provider.ledger).toBeLessThanOrEqual(one.usd * 1e9 + ROUNDING);
    } finally {
      await postern.ask("PATCH", "/settings", { monthly_budget_usd: null });
    }
  });

  it.each(thin(CASES, 12, 8))(
    "%s: the provider's ledger stays within budgets of clients and of a project, each of some of the calls",
    async (_, one) => {
      const scopes = [
        { scope: { kind: "client", name: "first" }, reset: "daily" },
        { scope: { kind: "client", name: "*s*" }, reset: "monthly" },
        { scope: { kind: "project", name: "site" }, reset: "daily" },
      ];
      const budgets = async (): Promise<BudgetView[]> =>
        (await postern.ask<{ data: BudgetView[] }>("GET", "/budgets")).data;
      for (const scope of scopes) {
        const { spent_nano: spent } = await postern.ask<BudgetView>("POST", "/budgets", { ...scope, limit_usd: 1e6 });
        await postern.ask("POST", "/budgets", { ...scope, limit_usd: spent / 1e9 + one.usd });
      }
      const before = await budgets();
      try {
        // All calls are under one of them, half of them under another, and a third under the last.
        const responded = await hundred(one, KEY, (call) => ({
          "user-agent": call % 2 === 0 ? "first/1" : "second/1",
          ...(call % 3 === 0 ? { "x-postern-project": "site" } : {}),
        }));
        expect(responded).toBeGreaterThan(0);
        expect(provider.ledger).toBeLessThanOrEqual(one.usd * 1e9 + ROUNDING);
        for (const [at, { spent_nano, held_nano }] of (await budgets()).entries()) {
          expect(held_nano).toBe(0);
          expect(spent_nano - (before[at]?.spent_nano ?? 0)).toBeLessThanOrEqual(one.usd * 1e9 + ROUNDING);
        }
      } finally {
        for (const scope of scopes) await postern.ask("POST", "/budgets/remove", scope);
      }
    },
  );
});
