import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RouteEffect } from "../../../../gateway/contract/route-operations.ts";
import type { RouteRule, SetRoute } from "../../../../gateway/contract/routes.ts";
import { RouteEffects } from "../../../../gateway/services/routes/route-effects.ts";
import { completion, failure, claudeMessage } from "../../../support/acts.ts";
import { modelList } from "../../../support/mock-provider.ts";
import { KEY, startGateway, type TestGateway, providersAt } from "../../../support/running-gateway.ts";
import { toolStage } from "../../../support/tool-harness.ts";
import { TestClock } from "../../../support/test-clock.ts";
import { reply } from "../../../support/wire-provider.ts";
import { NOON, receipt } from "../../store/fixtures.ts";
import { useProvider, useWire } from "../../../support/use-gateway.ts";

/** What a route would have done with requests that were really made. */
const BLIND = "o3-mini";
const clock = new TestClock();
const provider = useProvider();
const own = useProvider();
const anthropic = useWire();
let postern: TestGateway;
beforeAll(async () => {
  own.list = modelList(["house-model"]);
});
beforeEach(async () => {
  for (const each of [provider, own]) each.reset();
  anthropic.reset();
  postern = await startGateway({
    provider,
    clock,
    env: { ...providersAt({ ANTHROPIC: anthropic.origin }), POSTERN_COMPATIBLE_BASE_URL: own.baseUrl },
  });
});
afterEach(() => postern.close());

const USAGE = { prompt_tokens: 1_000, completion_tokens: 500 };
/** Nano USD of 1,000 tokens in and 500 out: gpt-4.1 at $2 and $8, gpt-4.1-mini at $0.40 and $1.60. */
const LARGE = 1_000 * 2_000 + 500 * 8_000;
const SMALL = 1_000 * 400 + 500 * 1_600;

const effect = (route: SetRoute): Promise<RouteEffect> => postern.ask<RouteEffect>("POST", "/routes/effect", route);
const rule = (when: RouteRule["when"], model: string, enabled = true): RouteRule => ({
  when,
  models: [model],
  enabled,
});
const TITLE = [
  { role: "system", content: "You are a title generator. You output ONLY a thread title." },
  { role: "user", content: "hi" },
];
const PLAIN = [{ role: "user", content: "hi" }];

/** Asks, and waits for the whole response. */
async function asks(
  model: string,
  messages: readonly object[] = PLAIN,
  more: object = {},
  headers = {},
): Promise<void> {
  provider.next(completion(undefined, USAGE));
  own.next(completion(undefined, USAGE));
  const response = await postern.post("/chat/completions", { model, messages, ...more }, KEY, headers);
  await response.text();
}

it("says how many requests would have gone elsewhere, and what they would have cost", async () => {
  for (let times = 0; times < 3; times += 1) await asks("gpt-4.1", TITLE);
  await asks("gpt-4.1");
  await asks("gpt-4o");
  const since = (await postern.receipts()).at(-1)?.at ?? null;
  const route = { name: "gpt-4.1", models: ["gpt-4.1"], rules: [rule({ kinds: ["title"] }, "gpt-4.1-mini")] };
  expect(await effect(route)).toEqual({
    looked_at: 4,
    since,
    moved: [{ from: "gpt-4.1", to: "gpt-4.1-mini", rule: 1, requests: 3, nano: 3 * LARGE, would_be_nano: 3 * SMALL }],
  });
  // Nothing is made by asking.
  expect(await postern.ask("GET", "/routes")).toEqual({ data: [] });
});

it("goes by the name of the route where there is one, and by its first model where no one asked for it", async () => {
  await asks("gpt-4.1");
  const draft = { name: "smart", models: ["gpt-4.1", "gpt-4.1-mini"] };
  const moves = { ...draft, rules: [rule({ clients: ["NODE*", "*undici*"] }, "gpt-4.1-mini")] };
  expect(await effect(draft)).toMatchObject({ looked_at: 1, moved: [] });
  expect(await effect(moves)).toMatchObject({ looked_at: 1, moved: [{ requests: 1, rule: 1 }] });
  await postern.ask("POST", "/routes", draft);
  await asks("smart");
  await asks("smart", TITLE);
  expect((await postern.receipt()).route).toEqual({ name: "smart", passed: [] });
  // From here on what came along the route counts, and the direct one does not.
  expect(await effect(moves)).toMatchObject({ looked_at: 2, moved: [{ from: "gpt-4.1", requests: 2 }] });
  // What is left out of the draft is as the route has it.
  await postern.ask("POST", "/routes", moves);
  expect(await effect(draft)).toMatchObject({ looked_at: 2, moved: [{ requests: 2, rule: 1 }] });
});

it("holds rules as they are written: off, by key, by size, by hour, and never by a budget", async () => {
  await asks("gpt-4.1");
  const { key, at: settled, ms } = await postern.receipt();
  const at = new Date(settled - ms);
  const time = (minutes: number): string => new Date(at.getTime() + minutes * 60_000).toTimeString().slice(0, 5);
  const holds = async (when: RouteRule["when"], enabled = true): Promise<boolean> => {
    const rules = [rule(when, "gpt-4.1-mini", enabled)];
    return (await effect({ name: "gpt-4.1", models: ["gpt-4.1"], rules })).moved.length === 1;
  };
  expect(await holds({ keys: [key] })).toBe(true);
  expect(await holds({ keys: [key] }, false)).toBe(false);
  expect(await holds({ keys: ["key_other"] })).toBe(false);
  expect(await holds({ input_tokens_above: 999 })).toBe(true);
  expect(await holds({ input_tokens_above: 1_000 })).toBe(false);
  expect(await holds({ hours: { from: time(-1), until: time(1) } })).toBe(true);
  expect(await holds({ hours: { from: time(1), until: time(-1) } })).toBe(false);
  expect(await holds({ budget_used_above: 0 })).toBe(false);
});

it("takes the first model that is served and can take the request", async () => {
  await asks("gpt-4.1");
  const to = async (models: string[], more: Partial<SetRoute> = {}): Promise<string | undefined> =>
    (await effect({ name: "gpt-4.1", models, ...more })).moved[0]?.to;
  expect(await to(["claude-of-tomorrow", "text-embedding-3-small", "gpt-4o"])).toBe("gpt-4o");
  expect(await to(["gpt-4.1", "gpt-4o"])).toBeUndefined();
  expect(await to(["claude-of-tomorrow"])).toBeUndefined();
  expect(await to(["gpt-4.1", "gpt-4o", "gpt-4.1-mini"], { order: "cheapest" })).toBe("gpt-4.1-mini");
  expect(await to(["gpt-4.1-mini", "house-model"], { order: "cheapest" })).toBe("house-model");
});

it("knows no price where one of the two has none", async () => {
  await asks("gpt-4.1");
  await asks("house-model");
  const moved = async (name: string, to: string) => (await effect({ name, models: [to] })).moved[0];
  expect(await moved("gpt-4.1", "house-model")).toMatchObject({ nano: LARGE, would_be_nano: null });
  expect(await moved("house-model", "gpt-4.1")).toMatchObject({ nano: null, would_be_nano: LARGE });
});

it("counts what failed, which cost nothing", async () => {
  provider.usual = failure(400, { message: "no" });
  await postern.chat();
  await asks("gpt-4.1");
  expect(await effect({ name: "gpt-4.1", models: ["gpt-4.1-mini"] })).toMatchObject({
    looked_at: 2,
    moved: [{ requests: 2, nano: LARGE, would_be_nano: SMALL }],
  });
});

it("prices what Anthropic keeps in a cache as input where that is not sold", async () => {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 700, cache_read_input_tokens: 300, output_tokens: 6 };
  anthropic.on("POST /v1/messages", reply(200, claudeMessage("Hi", usage)));
  await postern.post("/messages", { model: "claude-sonnet-5", max_tokens: 9, messages: PLAIN });
  const [moved] = (await effect({ name: "claude-sonnet-5", models: ["gpt-4.1"] })).moved;
  expect(moved?.nano).toBeGreaterThan(0);
  // $2 in, $0.50 cached, $8 out, per million.
  expect(moved?.would_be_nano).toBe(710 * 2_000 + 300 * 500 + 6 * 8_000);
});

it("looks at the newest thousand, and lets others have their turn", async () => {
  // The look ends after a while, which a busy machine takes for less than a thousand requests.
  const stage = await toolStage({ provider, clock: { now: () => Date.now(), monotonic: () => 0 } });
  const at = (n: number): number => NOON + n;
  const more = { model: "gpt-4.1", terms: [{ unit: "input" as const, quantity: 1_000, nano_per_million: 0, nano: 0 }] };
  for (let n = 1; n <= 1_500; n += 1) {
    // Before receipts said what requests are, of an endpoint that says it, and of another model.
    const endpoint = n % 3 === 0 ? "embeddings" : "chat";
    await stage.store.usage.settle(receipt(`req_${n}`, { ...more, at: at(n), endpoint }));
    if (n % 2 === 0) await stage.store.usage.settle(receipt(`req_o${n}`, { at: at(n), model: "gpt-4o" }));
  }
  let turns = 0;
  let going = true;
  const turn = (): void => {
    turns += 1;
    if (going) setImmediate(turn);
  };
  setImmediate(turn);
  const found = await stage.services.routeEffects.effect({
    name: "gpt-4.1",
    models: ["gpt-4.1"],
    rules: [rule({ kinds: ["embeddings"] }, "text-embedding-3-small"), rule({ keys: ["key_1"] }, "gpt-4o")],
  });
  going = false;
  expect(found.looked_at).toBe(1_000);
  expect(found.since).toBe(at(501));
  expect(found.moved.map(({ to, requests, rule }) => [to, requests, rule])).toEqual([
    ["text-embedding-3-small", 334, 1],
  ]);
  expect(turns).toBeGreaterThan(9);
  await stage.close();
});

it("counts the tokens of texts for rules, and those of conversations alone for contexts, as routes do", async () => {
  const stage = await toolStage({ provider });
  // Many texts in one request: together longer than the context that each of them has to fit into.
  const terms = [{ unit: "input" as const, quantity: 500_000, nano_per_million: 0, nano: 0 }];
  const model = "text-embedding-3-small";
  await stage.store.usage.settle(receipt("req_1", { model, terms, endpoint: "embeddings", kinds: ["embeddings"] }));
  const route = { name: model, models: ["text-embedding-3-large"] };
  const found = await stage.services.routeEffects.effect({
    ...route,
    rules: [rule({ input_tokens_above: 1_000 }, "text-embedding-ada-002")],
  });
  const below = await stage.services.routeEffects.effect({
    ...route,
    rules: [rule({ input_tokens_above: 500_000 }, "text-embedding-ada-002")],
  });
  await stage.close();
  expect(found.moved.map(({ to, rule: pending }) => [to, pending])).toEqual([["text-embedding-ada-002", 1]]);
  expect(below.moved.map(({ to, rule: pending }) => [to, pending])).toEqual([["text-embedding-3-large", null]]);
});

it.each([
  ["in what came since, once all was looked at", null, [undefined, 7]],
  ["in all again where time ended the look", "cursor", [undefined, undefined]],
])("looks for a name that no one asked for %s", async (_how, cursor, expected) => {
  const looked: unknown[] = [];
  let monotonic = 0;
  const list = ({ settledAfter }: { readonly settledAfter?: number }): Promise<object> => {
    looked.push(settledAfter);
    monotonic += 10_000;
    return Promise.resolve({ data: [], cursor });
  };
  const deps = {
    store: { document: { routes: new Map() }, usage: { list, lastNumber: 7 } },
    clock: { now: () => 1_000, monotonic: () => monotonic },
    resolveModel: { getIds: () => [] },
  };
  const effects = new RouteEffects(deps as never);
  for (let times = 0; times < 2; times += 1) await effects.effect({ name: "work", models: [] });
  expect(looked).toEqual(expected);
});

it("sees the requests of a name that no one had asked for where the clock was set back meanwhile", async () => {
  const stage = await toolStage({ provider });
  const looks = async (): Promise<number> => {
    const found = await stage.services.routeEffects.effect({ name: "work", models: [] });
    return found.looked_at;
  };
  await stage.store.usage.settle(receipt("before", { model: "gpt-4o", at: Date.now() }));
  expect(await looks()).toBe(0);
  // To yesterday, and to a year before.
  for (const at of [Date.now() - 86_400_000, Date.now() - 366 * 86_400_000])
    await stage.store.usage.settle(receipt(`at_${at}`, { model: "work", at }));
  expect(await looks()).toBe(2);
  await stage.close();
});

describe("of a session", () => {
  const terms = [{ unit: "input" as const, quantity: 1_000, nano_per_million: 0, nano: 0 }];
  /** Its requests in their order; the second one has a picture. */
  async function moved(route: Partial<SetRoute>, settings: object = {}): Promise<readonly string[]> {
    const stage = await toolStage({ provider });
    await stage.services.settings.update(settings);
    const kinds = [[], ["pictures" as const], [], []];
    for (const [n, kind] of kinds.entries())
      await stage.store.usage.settle(
        receipt(`req_${n}`, { model: "gpt-4o", terms, at: NOON + n, kinds: kind, session: n < 3 ? "one" : "other" }),
      );
    const draft = { name: "gpt-4o", models: [BLIND, "gpt-4.1"], rules: [], ...route };
    const found = await stage.services.routeEffects.effect(draft);
    await stage.close();
    return found.moved.map(({ to, requests }) => `${requests} to ${to}`);
  }

  it("goes with each request to the first model that takes it", async () => {
    expect(await moved({ sticky: false })).toEqual([`3 to ${BLIND}`, "1 to gpt-4.1"]);
  });

  it("goes on with the model that took the one before where the route keeps sessions together", async () => {
    expect(await moved({ sticky: true })).toEqual([`2 to ${BLIND}`, "2 to gpt-4.1"]);
  });

  it("goes to a model that does not see where words come into the place of pictures and no one sees", async () => {
    expect(await moved({ models: [BLIND] })).toEqual([`3 to ${BLIND}`]);
    expect(await moved({ models: [BLIND] }, { pictures_as_words: true })).toEqual([`4 to ${BLIND}`]);
  });
});

it("refuses what is no route", async () => {
  const response = await postern.control("POST", "/routes/effect", { name: "x", models: [] });
  expect(response.status).toBe(400);
});
