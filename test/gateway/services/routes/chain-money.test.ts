import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BudgetView } from "../../../../gateway/contract/budgets.ts";
import { thin } from "../../../support/dose.ts";
import { KEY, providersAt } from "../../../support/running-gateway.ts";
import { SpendingProvider } from "../../../support/spending-provider.ts";
import { useGateway } from "../../../support/use-gateway.ts";

/** 100 calls at once with money for two, along chains whose first models fail: the providers' ledger stays within limits. */

let provider: SpendingProvider;
beforeAll(async () => {
  provider = await new SpendingProvider().listen();
});
const postern = useGateway(() => {
  const at = (path: string): string => `${provider.origin}/${path}`;
  return {
    env: providersAt({ OPENAI: at("openai/v1"), XAI: at("xai/v1"), ANTHROPIC: at("anthropic") }),
  };
});
/** What failed in the test before is well again. */
beforeEach(async () => {
  provider.failing = {};
  for (const id of ["env_openai", "env_xai", "env_anthropic"]) await postern.ask("POST", `/connections/${id}/test`);
});
afterAll(() => provider.close());

const WORDS = "Say it again, in other words. ".repeat(20);
const messages = [{ role: "user", content: WORDS }];
/** USD per million, of the models below. */
const RATES = {
  "gpt-5": { input: 1.25, output: 10 },
  "grok-4.5": { input: 2, output: 6 },
  "claude-sonnet-5-5": { input: 2, output: 10 },
} as const;
type Model = keyof typeof RATES;

interface Case {
  readonly models: readonly Model[];
  readonly failing: SpendingProvider["failing"];
  readonly answers: Model;
}
const CASES: readonly (readonly [string, Case])[] = [
  ["none fails", { models: ["gpt-5", "grok-4.5"], failing: {}, answers: "gpt-5" }],
  ["the first is down", { models: ["gpt-5", "grok-4.5"], failing: { openai: { status: 503 } }, answers: "grok-4.5" }],
  [
    "the first breaks off when it has read the prompt",
    { models: ["gpt-5", "grok-4.5"], failing: { openai: { inputRate: 1.25 } }, answers: "grok-4.5" },
  ],
  [
    "the dearest comes last, and two break off",
    {
      models: ["grok-4.5", "gpt-5", "claude-sonnet-5-5"],
      failing: { xai: { inputRate: 2 }, openai: { inputRate: 1.25 } },
      answers: "claude-sonnet-5-5",
    },
  ],
];
const BODIES = {
  "/chat/completions": { messages },
  "/messages": { messages, max_tokens: 4_000 },
  "/responses": { input: WORDS },
} as const;
const ALL = CASES.flatMap(([name, one]) =>
  Object.entries(BODIES).flatMap(([path, body]) =>
    [false, true].map(
      (stream) => [`${name}, ${path}${stream ? ", streamed" : ""}`, { ...one, path, body, stream }] as const,
    ),
  ),
);
type SentRequest = (typeof ALL)[number][1];

/** @returns the statuses */
async function hundred(
  { models, failing, answers, path, body, stream }: SentRequest,
  secret: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<number[]> {
  provider.ledger = 0;
  provider.refusals.length = 0;
  provider.failing = failing;
  provider.rates = RATES[answers];
  await postern.ask("POST", "/routes", { name: "work", models });
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const response = await postern.post(path, { model: "work", stream, ...body }, secret, headers);
      await response.text();
      return response.status;
    }),
  );
  expect(provider.refusals).toEqual([]);
  return statuses;
}

/** A receipt rounds each line. */
const ROUNDING = 2_000;
const USD = 0.05;

describe("100 calls at once with money for two", () => {
  it.each(thin(ALL, 5))("%s: within a key's limit", async (_name, request) => {
    const { secret, view } = await postern.limitedKey(USD);
    const statuses = await hundred(request, secret);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
    expect(provider.ledger).toBeLessThanOrEqual(USD * 1e9 + ROUNDING);
    const { held_nano, spent_nano } = await view();
    expect(held_nano).toBe(0);
    // Never less than what the providers have on their ledger, but for what is seen of a response and sold cheaper.
    expect(spent_nano).toBeGreaterThanOrEqual(provider.ledger - ROUNDING - statuses.length * 2 * 10_000);
    expect(spent_nano).toBeLessThanOrEqual(USD * 1e9 + ROUNDING);
  });

  it.each(thin(ALL, 5))("%s: within the month's budget", async (_name, request) => {
    const spent = postern.gateway.state().month.nano;
    await postern.ask("PATCH", "/settings", { monthly_budget_usd: spent / 1e9 + USD });
    try {
      const statuses = await hundred(request, KEY);
      expect(statuses).toContain(200);
      expect(provider.ledger).toBeLessThanOrEqual(USD * 1e9 + ROUNDING);
    } finally {
      await postern.ask("PATCH", "/settings", { monthly_budget_usd: null });
    }
  });

  it.each(thin(ALL, 7))("%s: within a project's budget", async (_name, request) => {
    const scope = { scope: { kind: "project", name: "s*" }, reset: "monthly" };
    const { spent_nano: spent } = await postern.ask<BudgetView>("POST", "/budgets", { ...scope, limit_usd: 1e6 });
    await postern.ask("POST", "/budgets", { ...scope, limit_usd: spent / 1e9 + USD });
    try {
      const statuses = await hundred(request, KEY, { "x-postern-project": "site" });
      expect(statuses).toContain(200);
      expect(provider.ledger).toBeLessThanOrEqual(USD * 1e9 + ROUNDING);
      const { data } = await postern.ask<{ data: BudgetView[] }>("GET", "/budgets");
      expect(data).toMatchObject([{ held_nano: 0 }]);
    } finally {
      await postern.ask("POST", "/budgets/remove", scope);
    }
  });
});
