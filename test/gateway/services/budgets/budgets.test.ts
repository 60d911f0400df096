import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { BudgetView, SetBudget } from "../../../../gateway/contract/budgets.ts";
import type { GatewayEvent } from "../../../../gateway/contract/events.ts";
import { completion, failure, hang, reset, stream, when } from "../../../support/acts.ts";
import { CHAT, errorOf, KEY, startGateway, until } from "../../../support/running-gateway.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

const NOON = Date.UTC(2031, 4, 10, 12);
const clock = new TestClock();
const provider = useProvider();
const postern = useGateway(() => ({ provider, clock }));
beforeEach(() => {
  provider.reset();
  provider.usual = completion("Paid", USAGE);
  clock.jumpTo(NOON);
});
afterEach(async () => {
  for (const { scope, reset } of await list()) await postern.ask("POST", "/budgets/remove", { scope, reset });
});

const list = async (): Promise<BudgetView[]> => (await postern.ask<{ data: BudgetView[] }>("GET", "/budgets")).data;
const set = (kind: "client" | "project", name: string, usd: number, reset: SetBudget["reset"] = "daily") =>
  postern.ask<BudgetView>("POST", "/budgets", { scope: { kind, name }, reset, limit_usd: usd });
const remove = (kind: "client" | "project", name: string, reset: SetBudget["reset"] = "daily") =>
  postern.ask("POST", "/budgets/remove", { scope: { kind, name }, reset });

interface Who {
  readonly client?: string;
  readonly project?: string;
  readonly signal?: AbortSignal;
}
let clients = 0;
/** A client that no other test has. */
const someClient = (): string => `client-${(clients += 1)}`;

/** Costs $0.00802: 10 tokens in at $2 and 1,000 out at $8 a million. */
const PAID = { ...CHAT, max_tokens: 1_000 };
const COST = 8_020_000;
/** Money for so many of them, and a rest that is not enough for the prompt and 64 tokens. */
const moneyFor = (calls: number): number => (calls * COST + 280_000) / 1e9;
const USAGE = { prompt_tokens: 10, completion_tokens: 1_000 };
const ask = ({ client = "somebody", project, signal }: Who, body: unknown = PAID, key = KEY): Promise<Response> =>
  postern.chat(body, key, {
    headers: { "user-agent": `${client}/1.0`, ...(project === undefined ? {} : { "x-postern-project": project }) },
    ...(signal === undefined ? {} : { signal }),
  });
const paid = async (who: Who): Promise<number> => {
  const response = await ask(who);
  await response.text();
  return response.status;
};

describe("an owner", () => {
  it("makes budgets, changes them, sees what is left, and takes them away", async () => {
    const events: GatewayEvent["type"][] = [];
    const stop = postern.gateway.events.subscribe(({ type }) => void events.push(type));
    const client = someClient();
    expect(await set("client", client, 0.05)).toEqual({
      scope: { kind: "client", name: client },
      seen: false,
      reset: "daily",
      limit_usd: 0.05,
      created_at: expect.any(Number) as number,
      spent_nano: 0,
      held_nano: 0,
      left_nano: 50_000_000,
      resets_at: Date.UTC(2031, 4, 11),
      ends_at: null,
    });
    await set("client", client, 1, "monthly");
    await set("project", "site", 2, "monthly");
    expect(await paid({ client, project: "site" })).toBe(200);
    await set("client", client, 0.04);
    const rows = (await list()).map(({ scope, reset, limit_usd, spent_nano, left_nano }) => [
      `${reset} ${scope.kind} ${scope.name}`,
      limit_usd,
      spent_nano,
      left_nano,
    ]);
    expect(rows).toEqual([
      [`daily client ${client}`, 0.04, COST, 40_000_000 - COST],
      [`monthly client ${client}`, 1, COST, 1_000_000_000 - COST],
      ["monthly project site", 2, COST, 2_000_000_000 - COST],
    ]);
    await remove("client", client);
    expect((await list()).map(({ reset }) => reset)).toEqual(["monthly", "monthly"]);
    expect(events.filter((type) => type === "budgets.changed")).toHaveLength(5);
    stop();
    const gone = await postern.control("POST", "/budgets/remove", {
      scope: { kind: "client", name: client },
      reset: "daily",
    });
    expect(gone.status).toBe(404);
    expect((await errorOf(gone)).message).toBe(`There is no daily budget of the client "${client}".`);
  });

  it.each([
    ["a budget without an end", { reset: "never" }],
    ["money that nobody has", { limit_usd: -1 }],
    ["no money", { limit_usd: undefined }],
    ["a scope that calls do not have", { scope: { kind: "key", name: "k" } }],
    ["a scope without a name", { scope: { kind: "client", name: " " } }],
    ["a field that there is not", { limit: 5 }],
  ])("cannot make %s", async (_what, change) => {
    const input = { scope: { kind: "client", name: "curl" }, reset: "daily", limit_usd: 1, ...change };
    expect((await postern.control("POST", "/budgets", input)).status).toBe(400);
    expect(await list()).toEqual([]);
  });

  it("makes two hundred of them and no more, and changes them still", async () => {
    await Promise.all(Array.from({ length: 200 }, (_none, at) => set("client", `one-${at}`, 1)));
    const more = { scope: { kind: "client", name: "one more" }, reset: "daily", limit_usd: 1 };
    expect((await postern.control("POST", "/budgets", more)).status).toBe(400);
    expect(await set("client", "one-7", 3)).toMatchObject({ limit_usd: 3 });
    expect(await list()).toHaveLength(200);
  });
});

describe("the budget of an app", () => {
  const named = async () => (await list()).map(({ scope, seen, limit_usd }) => [scope.name, seen, limit_usd]);

  it("holds for each of its names, and is one budget by any of them", async () => {
    await set("client", "Claude Code", moneyFor(2));
    expect(await named()).toEqual([["Claude Code", false, moneyFor(2)]]);
    expect(await paid({ client: "claude-cli" })).toBe(200);
    expect(await named()).toEqual([["Claude Code", true, moneyFor(2)]]);
    await set("client", "claude-cli", moneyFor(1));
    expect(await named()).toEqual([["Claude Code", true, moneyFor(1)]]);
    const refused = await ask({ client: "claude-cli" });
    expect((await errorOf(refused)).message).toContain('of the client "Claude Code" has');
    await remove("client", "claude-code");
    expect(await list()).toEqual([]);
  });

  it("says where no request of the month has its name", async () => {
    await set("project", "never", 1);
    await set("client", "curl*", 1);
    expect(await named()).toEqual([
      ["never", false, 1],
      ["curl*", false, 1],
    ]);
    expect(await paid({ client: "curl", project: "never" })).toBe(200);
    expect(await named()).toEqual([
      ["never", true, 1],
      ["curl*", true, 1],
    ]);
  });
});

describe("a call", () => {
  it("is refused where a budget of its client has not the money, in words that say which and what to do", async () => {
    const client = someClient();
    await set("client", "client-*", 0.05, "monthly");
    const spent = (await list())[0]?.spent_nano ?? 0;
    await set("client", "client-*", spent / 1e9 + moneyFor(1), "monthly");
    expect(await paid({ client })).toBe(200);
    const requestCount = provider.chats.length;
    const refused = await ask({ client });
    expect(refused.status).toBe(402);
    expect(await errorOf(refused)).toMatchObject({
      type: "insufficient_quota",
      code: "insufficient_quota",
      message: expect.stringMatching(
        /^The monthly budget of the client "client-\*" has \$0\.00028 left, and this call may cost \$[\d.]+\. It starts anew at 2031-06-01T00:00:00\.000Z; or raise it in the settings, under Budget\.$/,
      ) as string,
    });
    expect(provider.chats).toHaveLength(requestCount);
    expect(await paid({ client: "somebody-else" })).toBe(200);
  });

  it("is refused where a budget of its project has not the money; without a project it falls under none", async () => {
    await set("project", "x-*", moneyFor(1));
    expect(await paid({ project: "x-shop" })).toBe(200);
    const { message } = await errorOf(await ask({ project: "x-site" }));
    expect(message).toContain('The daily budget of the project "x-*" has $0.00028 left');
    expect(await paid({ project: "other" })).toBe(200);
    expect(await paid({})).toBe(200);
  });

  it("falls under all of its budgets at once, and the tightest decides", async () => {
    const client = someClient();
    await set("client", client, moneyFor(9));
    await set("client", `${client}*`, moneyFor(5), "monthly");
    await set("project", "shop-2", moneyFor(3));
    await postern.ask("PATCH", "/settings", { monthly_budget_usd: 1_000 });
    let open: () => void = () => undefined;
    provider.next(when(new Promise<void>((resolve) => (open = resolve)), completion("Paid", USAGE)));
    const call = ask({ client, project: "shop-2" });
    await provider.arrived(1);
    const pending = (await list()).map(({ held_nano: nano }) => nano);
    expect(new Set(pending).size).toBe(1);
    expect(pending[0]).toBeGreaterThanOrEqual(COST);
    open();
    await (await call).text();
    expect((await list()).map(({ held_nano, spent_nano }) => [held_nano, spent_nano])).toEqual([
      [0, COST],
      [0, COST],
      [0, COST],
    ]);
    for (let more = 0; more < 2; more += 1) expect(await paid({ client, project: "shop-2" })).toBe(200);
    expect((await errorOf(await ask({ client, project: "shop-2" }))).message).toContain('of the project "shop-2"');
    expect(await paid({ client })).toBe(200);
    expect(await paid({ client })).toBe(200);
    expect((await errorOf(await ask({ client }))).message).toContain(`The monthly budget of the client "${client}*"`);
    await postern.ask("PATCH", "/settings", { monthly_budget_usd: null });
  });

  it("has the response that its budget covers where its client sets no bound", async () => {
    const client = someClient();
    await set("client", client, 0.01);
    expect((await ask({ client }, CHAT)).status).toBe(200);
    const bound = Number(provider.lastBody["max_completion_tokens"]);
    // Half of what is left, at $8 a million.
    expect(bound).toBeLessThanOrEqual(625);
    expect(bound).toBeGreaterThan(500);
    await ask({ client: "somebody-else" }, CHAT);
    expect(provider.lastBody).toEqual(CHAT);
  });

  it("is held to a budget from the moment of its change on, and what was spent before counts", async () => {
    const client = someClient();
    expect(await paid({ client })).toBe(200);
    expect(await set("client", client, moneyFor(1))).toMatchObject({ spent_nano: COST, left_nano: 280_000 });
    expect((await ask({ client })).status).toBe(402);
    await set("client", client, moneyFor(2));
    expect(await paid({ client })).toBe(200);
    await set("client", client, 0);
    expect((await ask({ client })).status).toBe(402);
    await remove("client", client);
    expect(await paid({ client })).toBe(200);
    expect(await set("client", client, 1)).toMatchObject({ spent_nano: 3 * COST });
  });

  it("gives its money back once, however it ends", async () => {
    const client = someClient();
    await set("client", client, 1);
    await set("project", "ends", 1, "monthly");
    const who = { client, project: "ends" };
    provider.next(completion("Paid", USAGE), failure(400), reset, stream(), hang);
    await (await ask(who)).text();
    await (await ask(who)).text();
    await (await ask(who)).text();
    await (await ask(who, { ...PAID, stream: true })).text();
    const leaving = new AbortController();
    const left = ask({ ...who, signal: leaving.signal }).catch(() => null);
    await provider.arrived(5);
    leaving.abort();
    await left;
    await until(() => postern.gateway.state().in_flight === 0);
    const receipts = (await postern.receipts()).filter((receipt) => receipt.client === client);
    const nano = receipts.reduce((sum, receipt) => sum + (receipt.nano ?? 0), 0);
    expect(new Set(receipts.map(({ outcome }) => outcome))).toEqual(
      new Set(["completed", "failed", "unknown", "cancelled"]),
    );
    expect((await list()).map(({ held_nano, spent_nano }) => [held_nano, spent_nano])).toEqual([
      [0, nano],
      [0, nano],
    ]);
  });

  it("that runs still holds of a budget that was taken away and made again", async () => {
    const client = someClient();
    await set("client", client, moneyFor(1));
    let open: () => void = () => undefined;
    provider.next(when(new Promise<void>((resolve) => (open = resolve)), completion("Paid", USAGE)));
    const call = ask({ client });
    await provider.arrived(1);
    await remove("client", client);
    expect(await set("client", client, moneyFor(1))).toMatchObject({ held_nano: expect.any(Number) as number });
    expect((await ask({ client })).status).toBe(402);
    open();
    await (await call).text();
    expect(await list()).toMatchObject([{ held_nano: 0, spent_nano: COST }]);
  });

  it("of the sandbox counts for no budget", async () => {
    const sandboxed = await startGateway({ env: { POSTERN_SANDBOX: "on" } });
    try {
      const scope = { kind: "client", name: "*" };
      await sandboxed.ask("POST", "/budgets", { scope, reset: "daily", limit_usd: 0 });
      expect((await sandboxed.chat(PAID)).status).toBe(200);
      const { data } = await sandboxed.ask<{ data: BudgetView[] }>("GET", "/budgets");
      expect(data).toMatchObject([{ spent_nano: 0, held_nano: 0 }]);
      expect((await sandboxed.receipt()).sandbox).toBe(true);
    } finally {
      await sandboxed.close();
    }
  });
});

it.each([
  ["daily", Date.UTC(2031, 5, 30, 23, 59), Date.UTC(2031, 6, 1, 0, 0, 1)],
  ["monthly", Date.UTC(2031, 7, 31, 23, 59), Date.UTC(2031, 8, 1, 0, 0, 1)],
] as const)("a %s budget starts over with its period, and outlives a wrong clock", async (reset, before, after) => {
  const client = someClient();
  clock.jumpTo(before);
  await set("client", client, moneyFor(1), reset);
  expect(await paid({ client })).toBe(200);
  const refused = await ask({ client });
  expect(refused.status).toBe(402);
  expect((await errorOf(refused)).message).toContain(new Date(after - 1_000).toISOString());
  clock.jumpTo(after);
  expect(await paid({ client })).toBe(200);
  clock.jumpTo(before);
  const { message } = await errorOf(await ask({ client }));
  expect(message).toContain(new Date(after - 1_000).toISOString());
  clock.jumpTo(before + 40 * 365 * 86_400_000);
  expect(await paid({ client })).toBe(200);
  clock.jumpTo(before);
  expect((await ask({ client })).status).toBe(402);
});
