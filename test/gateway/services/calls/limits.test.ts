import { beforeEach, expect, it } from "vitest";
import { completion, hang, when } from "../../../support/acts.ts";
import { CHAT, errorOf, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const clock = new TestClock();
const provider = useProvider();
const postern = useGateway(() => ({ provider, clock }));
beforeEach(() => provider.reset());

const newKey = (limits: Readonly<Record<string, unknown>>): Promise<{ secret: string; key: { id: string } }> =>
  postern.ask("POST", "/keys", { name: "limited", ...limits });

it("lets so many requests a minute through, says when the next fits, and lets it through then", async () => {
  const { secret } = await newKey({ rpm: 3 });
  for (let i = 0; i < 3; i++) {
    expect((await postern.chat(CHAT, secret)).status).toBe(200);
    clock.advance(10_000);
  }
  const refused = await postern.chat(CHAT, secret);
  expect(refused.status).toBe(429);
  const wait = Number(refused.headers.get("retry-after"));
  expect(wait).toBe(30);
  // It clears within a minute: SDKs may wait for it.
  expect(refused.headers.get("x-should-retry")).toBeNull();
  expect(await errorOf(refused)).toMatchObject({ type: "rate_limit_error", code: "rate_limit_exceeded" });
  expect(provider.chats).toHaveLength(3);
  clock.advance(wait * 1_000);
  expect((await postern.chat(CHAT, secret)).status).toBe(200);
  expect((await postern.chat(CHAT, secret)).status).toBe(429);
});

it("takes no one's place in the minute for what it refuses", async () => {
  const { secret, key } = await newKey({ rpm: 2, concurrency: 1, models: ["gpt-4.1", "gpt-5.5"], limit_usd: 0 });
  for (let refused = 0; refused < 4; refused += 1) {
    expect((await postern.chat(CHAT, secret)).status).toBe(402);
    expect((await postern.chat({ ...CHAT, model: "no-such-model" }, secret)).status).toBe(404);
    expect((await postern.chat({ ...CHAT, model: "gpt-4o" }, secret)).status).toBe(403);
  }
  await postern.ask("PATCH", `/keys/${key.id}`, { limit_usd: 5 });
  let open: () => void = () => {};
  provider.next(when(new Promise<void>((resolve) => (open = resolve)), completion()));
  const first = postern.chat(CHAT, secret);
  await provider.arrived(1);
  for (let refused = 0; refused < 4; refused += 1) {
    const response = await postern.chat(CHAT, secret);
    expect((await errorOf(response)).code).toBe("concurrency_limit_exceeded");
  }
  open();
  expect((await first).status).toBe(200);
  expect((await postern.chat(CHAT, secret)).status).toBe(200);
  expect((await errorOf(await postern.chat(CHAT, secret))).code).toBe("rate_limit_exceeded");
});

it("lets so many requests run at once, and the next as soon as one ends, however it ends", async () => {
  const { secret } = await newKey({ concurrency: 2 });
  let open: () => void = () => {};
  provider.next(when(new Promise<void>((resolve) => (open = resolve)), completion()), hang);
  const leaving = new AbortController();
  const first = postern.chat(CHAT, secret);
  await provider.arrived(1);
  const second = postern.chat(CHAT, secret, { signal: leaving.signal }).catch(() => null);
  await provider.arrived(2);
  const refused = await postern.chat(CHAT, secret);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await errorOf(refused)).code).toBe("concurrency_limit_exceeded");
  open();
  expect((await first).status).toBe(200);
  expect((await postern.chat(CHAT, secret)).status).toBe(200);
  leaving.abort();
  await second;
  await until(() => postern.gateway.state().in_flight === 0);
  const both = await Promise.all([postern.chat(CHAT, secret), postern.chat(CHAT, secret)]);
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
});

it("limits what is asked for, not the look at models and at one's own usage", async () => {
  const { secret } = await newKey({ rpm: 1 });
  for (let i = 0; i < 5; i++) {
    for (const path of ["/v1/models", "/v1/dashboard/billing/usage", "/v1/dashboard/billing/subscription"]) {
      expect((await fetch(postern.url + path, { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
    }
  }
  expect((await postern.chat(CHAT, secret)).status).toBe(200);
});

it("refuses models that a key may not use, by id, alias and glob, before the provider is asked", async () => {
  const { secret } = await newKey({ models: ["gpt-4*", "o3"] });
  const table: readonly (readonly [string, number])[] = [
    ["gpt-4.1", 200],
    ["gpt-4o", 200],
    ["o3", 200],
    ["o3-mini", 403],
    ["gpt-5.6", 403],
    ["provider-model", 403],
    ["no-such-model", 404],
  ];
  for (const [model, status] of table)
    expect(`${model} ${(await postern.chat({ ...CHAT, model }, secret)).status}`).toBe(`${model} ${status}`);
  expect(provider.chats).toHaveLength(3);
  const error = await errorOf(await postern.chat({ ...CHAT, model: "gpt-5.6" }, secret));
  expect(error).toMatchObject({ type: "permission_error", code: "model_not_allowed", param: "model" });
  const list = await fetch(`${postern.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
  const ids = ((await list.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  expect(ids.every((id) => id.startsWith("gpt-4") || id === "o3")).toBe(true);
});

it.each([
  ["daily", Date.UTC(2031, 4, 10, 23, 59, 0), Date.UTC(2031, 4, 11, 0, 0, 1)],
  ["monthly", Date.UTC(2031, 5, 30, 23, 59, 0), Date.UTC(2031, 6, 1, 0, 0, 1)],
] as const)("starts a %s limit again with its period, and not before", async (reset, before, after) => {
  clock.jumpTo(before);
  // What is left after the first call is less than its prompt and the shortest answer cost.
  const { secret } = await newKey({ limit_usd: 0.0083, reset });
  provider.usual = completion("Paid", { prompt_tokens: 10, completion_tokens: 1_000 });
  const paid = { ...CHAT, max_tokens: 1_000 };
  expect((await postern.chat(paid, secret)).status).toBe(200);
  const refused = await postern.chat(paid, secret);
  expect(refused.status).toBe(402);
  expect((await errorOf(refused)).message).toContain(new Date(after).toISOString().slice(0, 10));
  clock.jumpTo(after);
  expect((await postern.chat(paid, secret)).status).toBe(200);
  // A clock that jumps back gives no one the period again, and none without a limit.
  clock.jumpTo(before);
  expect((await postern.chat(paid, secret)).status).toBe(402);
});

it.each([
  ["daily", 40],
  ["daily", -40],
  ["monthly", 40],
  ["monthly", -40],
] as const)(
  "a %s limit outlives a clock that was wrong by %i years, and says when it starts over",
  async (reset, years) => {
    const [right, tomorrow] = [Date.UTC(2031, 6, 31, 12), Date.UTC(2031, 7, 1)];
    clock.jumpTo(right);
    const { secret } = await newKey({ limit_usd: 0.0083, reset });
    await postern.ask("PATCH", "/settings", { monthly_budget_usd: 1_000 });
    provider.usual = completion("Paid", { prompt_tokens: 10, completion_tokens: 1_000 });
    const paid = { ...CHAT, max_tokens: 1_000 };
    const status = async (): Promise<number> => (await postern.chat(paid, secret)).status;
    clock.jumpTo(Date.UTC(2031 + years, 3, 4));
    expect([await status(), await status()]).toEqual([200, 402]);
    clock.jumpTo(right);
    expect([await status(), await status()]).toEqual([200, 402]);
    const { message } = await errorOf(await postern.chat(paid, secret));
    expect(message).toContain(new Date(tomorrow).toISOString());
    clock.jumpTo(tomorrow);
    expect(await status()).toBe(200);
    const { data } = await postern.ask<{ data: { secret?: string; last_used_at: number; name: string }[] }>(
      "GET",
      "/keys",
    );
    expect(data[0]?.last_used_at).toBeLessThan(tomorrow + 3_600_000);
  },
);

it("the budget of all keys outlives a clock that was wrong, and its refusal says when it starts over", async () => {
  const right = Date.UTC(2032, 1, 10, 12);
  provider.usual = completion("Paid", { prompt_tokens: 10, completion_tokens: 1_000 });
  const paid = { ...CHAT, max_tokens: 1_000 };
  clock.jumpTo(right);
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: 0.0083 });
  clock.jumpTo(Date.UTC(2072, 0, 1));
  expect((await postern.chat(paid)).status).toBe(200);
  clock.jumpTo(right);
  expect((await postern.chat(paid)).status).toBe(200);
  const refused = await postern.chat(paid);
  expect(refused.status).toBe(402);
  expect((await errorOf(refused)).message).toContain("It starts anew at 2032-03-01T00:00:00.000Z");
  clock.jumpTo(Date.UTC(2032, 2, 1));
  expect((await postern.chat(paid)).status).toBe(200);
  await postern.ask("PATCH", "/settings", { monthly_budget_usd: null });
});

it("tells the owner once of each time that the clock was set", async () => {
  const state = async () => (await postern.ask<{ notices: { message: string }[] }>("GET", "/state")).notices;
  const before = (await state()).length;
  clock.jumpTo(Date.UTC(2050, 0, 1));
  postern.gateway.onResume();
  clock.advance(3_600_000);
  postern.gateway.onResume();
  const reports = (await state()).slice(0, (await state()).length - before);
  expect(reports.map(({ message }) => message)).toEqual([expect.stringContaining("to 2050-01-01")]);
});

it("obeys a limit from the moment of its change on", async () => {
  const { secret, key } = await newKey({});
  expect((await postern.chat(CHAT, secret)).status).toBe(200);
  await postern.ask("PATCH", `/keys/${key.id}`, { limit_usd: 0 });
  expect((await postern.chat(CHAT, secret)).status).toBe(402);
  await postern.ask("PATCH", `/keys/${key.id}`, { limit_usd: null, models: ["none-*"] });
  expect((await postern.chat(CHAT, secret)).status).toBe(403);
});

it("tells a key its own limit", async () => {
  const { secret } = await newKey({ limit_usd: 12.5, expires_at: clock.now() + 86_400_000 });
  const ask = async (key: string): Promise<unknown> =>
    (
      await fetch(`${postern.url}/v1/dashboard/billing/subscription`, { headers: { authorization: `Bearer ${key}` } })
    ).json();
  expect(await ask(secret)).toMatchObject({
    object: "billing_subscription",
    hard_limit_usd: 12.5,
    has_payment_method: true,
    plan: { id: "local", title: "Local" },
  });
  const { secret: free } = await newKey({});
  expect(await ask(free)).toMatchObject({
    hard_limit_usd: 100_000_000,
    system_hard_limit_usd: 100_000_000,
    access_until: 4_102_444_800,
  });
});
