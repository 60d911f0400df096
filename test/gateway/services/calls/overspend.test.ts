import { beforeEach, expect, it } from "vitest";
import { completion, contentFrame, endlessStream, failure, reset, when } from "../../../support/acts.ts";
import { CHAT, KEY, errorOf } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const provider = useProvider();
const postern = useGateway(() => ({ provider, env: { POSTERN_SANDBOX: "on" } }));
beforeEach(() => provider.reset());

/** 1,000 answer tokens of gpt-4.1 cost $0.008; the prompt some millionths more. */
const PAID = { ...CHAT, max_tokens: 1_000 };
const FULL = { prompt_tokens: 10, completion_tokens: 1_000 };

it("gives the hold back when the provider refuses, so that the money can be tried again", async () => {
  const { secret, view } = await postern.limitedKey(0.009);
  for (const act of [failure(400), failure(401), failure(429, {}, { "retry-after": "600" })]) {
    provider.next(act);
    expect((await postern.chat(PAID, secret)).ok).toBe(false);
    expect(await view()).toMatchObject({ held_nano: 0, spent_nano: 0, in_flight: 0 });
    await postern.ask("POST", "/connections/env_openai/test");
  }
  provider.next(completion("Paid", FULL));
  expect((await postern.chat(PAID, secret)).status).toBe(200);
});

it("books the prompt of a call that the provider may have executed, and gives the rest of the hold back", async () => {
  const { secret, view } = await postern.limitedKey(0.009);
  provider.next(reset);
  expect((await postern.chat(PAID, secret)).status).toBe(502);
  const { held_nano, spent_nano, in_flight } = await view();
  expect({ held_nano, in_flight }).toEqual({ held_nano: 0, in_flight: 0 });
  expect(spent_nano).toBeGreaterThan(0);
  expect(spent_nano).toBeLessThan(100 * 2_000);
});

it("limits sandbox calls of a key as it does real ones", async () => {
  const { secret, view } = await postern.limitedKey(0.000_05);
  const sandbox = { ...CHAT, model: "claude-sonnet-5", max_tokens: 100_000 };
  expect((await postern.chat(sandbox, secret)).status).toBe(402);
  expect(await view()).toMatchObject({ spent_nano: 0, held_nano: 0 });
  // A month without money left ends real calls alone.
  const rich = await postern.limitedKey(1);
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: 0 });
  expect((await postern.chat({ ...sandbox, max_tokens: 10 }, rich.secret)).status).toBe(200);
  expect((await postern.chat(PAID, rich.secret)).status).toBe(402);
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: null });
});

it("a stream without a maximum is let in with half of what is left, and ended when its provider passes over its bound", async () => {
  const { secret, view } = await postern.limitedKey(0.01);
  provider.next(endlessStream(contentFrame("many words of an answer without end ".repeat(20)), 0));
  const response = await postern.chat({ ...CHAT, stream: true }, secret);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain("[DONE]");
  const last = text.trimEnd().split("\n\n").at(-1) ?? "";
  expect((JSON.parse(last.slice("data: ".length)) as { error: { code: string } }).error.code).toBe(
    "insufficient_quota",
  );
  await provider.last.aborted;
  const key = await view();
  expect(key).toMatchObject({ held_nano: 0, in_flight: 0 });
  // All of the half that it was let in with, and not more than a quarter of that beyond it.
  expect(key.spent_nano).toBeGreaterThan(5_000_000);
  expect(key.spent_nano).toBeLessThan(5_000_000 * 1.25 + 2_000_000);
  expect(await postern.receipt()).toMatchObject({
    outcome: "interrupted",
    code: "insufficient_quota",
    estimated: true,
  });
});

it("holds more than the words of a long prompt can cost only where that is little of what is left", async () => {
  // 200,000 bytes of input are $0.40, which none of its words can be more than; those are $0.08 to $0.16.
  const long = { ...CHAT, max_tokens: 10, messages: [{ role: "user", content: "word ".repeat(40_000) }] };
  const heldFor = async (limit: number): Promise<number> => {
    const { secret, view } = await postern.limitedKey(limit);
    let open: () => void = () => {};
    provider.usual = when(new Promise<void>((resolve) => (open = resolve)), completion("Paid", FULL));
    const before = provider.chats.length;
    const call = postern.chat(long, secret);
    await provider.arrived(before + 1);
    const { held_nano: reserved } = await view();
    open();
    expect((await call).status).toBe(200);
    expect(await view()).toMatchObject({ held_nano: 0, spent_nano: 10 * 2_000 + 1_000 * 8_000 });
    return reserved / 1e9;
  };
  expect(await heldFor(100)).toBeCloseTo(0.4, 2);
  const exact = await heldFor(0.2);
  expect(exact).toBeGreaterThan(0.08);
  expect(exact).toBeLessThan(0.16);
  expect(await heldFor(12)).toBe(exact);
  const { secret } = await postern.limitedKey(0.05);
  const refused = await postern.chat(long, secret);
  expect(refused.status).toBe(402);
  expect((await errorOf(refused)).message).toContain(`may cost $${exact.toFixed(2)}`);
});

it("bounds no long request to the sandbox by a monthly budget that it is outside of", async () => {
  const ask = async (): Promise<unknown> => {
    const content = "word ".repeat(220_000);
    const response = await postern.chat({ model: "claude-sonnet-5", messages: [{ role: "user", content }] });
    return response.json();
  };
  const usual = await ask();
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: 100 });
  try {
    expect(withoutIds(await ask())).toEqual(withoutIds(usual));
  } finally {
    await postern.ask("PATCH", "/settings", { monthly_budget_usd: null });
  }
});

const withoutIds = (response: unknown): unknown => ({ ...(response as object), id: "", created: 0 });

/** Sets a limit that two calls of a thousand tokens fit into, and returns whose calls it bounds. */
interface Limited {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}
const TWO = 0.0161;
const budgetOf =
  (kind: "client" | "project", reset: "daily" | "monthly", headers: Limited["headers"]) =>
  async (): Promise<Limited> => {
    await postern.ask("POST", "/budgets", { scope: { kind, name: `${reset}-two` }, reset, limit_usd: TWO });
    return { key: KEY, headers };
  };
const keyWith = (reset: string) => async (): Promise<Limited> => {
  const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", { name: reset, limit_usd: TWO, reset });
  return { key: secret, headers: {} };
};

it.each<[string, () => Promise<Limited>]>([
  ["a key", keyWith("never")],
  ["a key's day", keyWith("daily")],
  ["a key's month", keyWith("monthly")],
  ["an app's day", budgetOf("client", "daily", { "user-agent": "daily-two/1" })],
  ["an app's month", budgetOf("client", "monthly", { "user-agent": "monthly-two/1" })],
  ["a project's day", budgetOf("project", "daily", { "x-postern-project": "daily-two" })],
  ["a project's month", budgetOf("project", "monthly", { "x-postern-project": "monthly-two" })],
  [
    "the month",
    async () => {
      const { month } = await postern.ask<{ month: { nano: number } }>("GET", "/state");
      await postern.ask("PATCH", "/settings", { monthly_budget_usd: month.nano / 1e9 + TWO });
      return { key: KEY, headers: {} };
    },
  ],
])("lets two of a hundred calls at the same time in where %s has money for two", async (_, limit) => {
  const { key, headers } = await limit();
  const before = await postern.receipts(1);
  provider.next(...Array.from({ length: 100 }, () => completion("Paid", FULL)));
  const calls = Array.from({ length: 100 }, async () => {
    const response = await postern.chat(PAID, key, { headers });
    await response.text();
    return response.status;
  });
  const statuses = await Promise.all(calls);
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: null });
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(statuses.filter((status) => status === 402)).toHaveLength(98);
  const receipts = await postern.receipts(500);
  const made = receipts.slice(
    0,
    receipts.findIndex(({ id }) => id === before[0]?.id),
  );
  const spent = made.reduce((sum, { nano }) => sum + (nano ?? 0), 0);
  expect([spent > 0, spent <= TWO * 1e9]).toEqual([true, true]);
});
