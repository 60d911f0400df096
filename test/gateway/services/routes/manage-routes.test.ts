import { beforeEach, describe, expect, it } from "vitest";
import type { ModelView } from "../../../../gateway/contract/model-view.ts";
import type { RouteView } from "../../../../gateway/contract/route-operations.ts";
import type { SetRoute } from "../../../../gateway/contract/routes.ts";
import { errorOf, startGateway, temporaryFolder } from "../../../support/running-gateway.ts";
import { useGateway, useProvider } from "../../../support/use-gateway.ts";

/** Routes of the owner as the pages and the command make them, on a running gateway. */
const provider = useProvider();
const postern = useGateway(() => ({ provider }));
beforeEach(async () => {
  for (const { name } of await routes()) await postern.ask("POST", "/routes/remove", { name, confirm: true });
  for (const { aliases } of await models())
    for (const name of aliases) await postern.ask("POST", "/models/alias/remove", { name });
});

const routes = async (): Promise<RouteView[]> => (await postern.ask<{ data: RouteView[] }>("GET", "/routes")).data;
const models = async (): Promise<ModelView[]> => (await postern.ask<{ data: ModelView[] }>("GET", "/models")).data;
const post = (route: object): Promise<Response> => postern.control("POST", "/routes", route);
const set = (route: SetRoute): Promise<RouteView> => postern.ask<RouteView>("POST", "/routes", route);
const setAlias = (name: string, model: string): Promise<Response> =>
  postern.control("POST", "/models/alias", { name, model });
const refusal = async (response: Response): Promise<string> => {
  expect(response.status).toBe(400);
  return (await errorOf(response)).message;
};

const RULE = { when: { kinds: ["background" as const] }, models: ["gpt-4o"], enabled: true };

it("is made with the usual values, listed in the order of making, and gone once removed", async () => {
  const made = await set({ name: "smart", models: ["gpt-4.1", "claude-of-tomorrow"] });
  expect(made).toEqual({
    name: "smart",
    models: ["gpt-4.1", "claude-of-tomorrow"],
    order: "listed",
    sticky: false,
    rules: [],
    enabled: true,
    created_at: expect.any(Number) as number,
    hides: null,
    unserved: ["claude-of-tomorrow"],
  });
  await set({ name: "another", models: ["gpt-4o"], enabled: false });
  await set({ name: "smart", models: ["gpt-4o"] });
  expect((await routes()).map(({ name, enabled }) => [name, enabled])).toEqual([
    ["smart", true],
    ["another", false],
  ]);
  expect(await postern.ask("POST", "/routes/remove", { name: "smart" })).toEqual({ ok: true });
  expect((await routes()).map(({ name }) => name)).toEqual(["another"]);
  const gone = await postern.control("POST", "/routes/remove", { name: "smart" });
  expect([gone.status, (await errorOf(gone)).message]).toEqual([404, 'There is no route "smart".']);
});

it("is not removed from keys that would lose it, unless that is confirmed", async () => {
  await set({ name: "smart", models: ["gpt-4.1"] });
  await set({ name: "gpt-4o", models: ["gpt-4.1"] });
  await postern.ask("POST", "/keys", { name: "of-smart", models: ["smart", "gpt-4o"] });
  const remove = (body: object): Promise<Response> => postern.control("POST", "/routes/remove", body);
  for (const more of [{}, { confirm: false }]) {
    const refused = await remove({ name: "smart", ...more });
    expect(refused.status).toBe(409);
    expect(await errorOf(refused)).toMatchObject({ code: "conflict", message: expect.stringContaining('"of-smart"') });
  }
  expect((await routes()).map(({ name }) => name)).toEqual(["smart", "gpt-4o"]);
  // The key keeps the model of that name.
  expect((await remove({ name: "gpt-4o" })).status).toBe(200);
  expect((await remove({ name: "smart", confirm: true })).status).toBe(200);
  expect(await routes()).toEqual([]);
});

it("keeps what a change leaves out", async () => {
  const first = await set({ name: "smart", models: ["gpt-4.1"], order: "cheapest", sticky: true, rules: [RULE] });
  expect(await set({ name: "smart", models: ["gpt-4o"] })).toEqual({ ...first, models: ["gpt-4o"] });
  const changed = await set({ name: "smart", models: ["gpt-4o"], rules: [], sticky: false, enabled: false });
  expect(changed).toMatchObject({ order: "cheapest", sticky: false, rules: [], enabled: false });
  expect(changed.created_at).toBe(first.created_at);
});

describe("under another name", () => {
  const keyModels = async (): Promise<unknown> =>
    (await postern.ask<{ data: { name: string; models: string[] | null }[] }>("GET", "/keys")).data.find(
      ({ name }) => name === "of-routes",
    )?.models;

  it("is the same route in its place, for keys that are allowed it too", async () => {
    const first = await set({ name: "smart", models: ["gpt-4.1"], order: "cheapest", rules: [RULE] });
    await set({ name: "other", models: ["gpt-4o"] });
    const { secret } = await postern.ask<{ secret: string }>("POST", "/keys", {
      name: "of-routes",
      models: ["claude-*", "smart"],
    });
    const call = (model: string): Promise<Response> =>
      postern.chat({ model, messages: [{ role: "user", content: "x" }] }, secret);
    const renamed = await set({ name: "clever", renames: "smart", models: ["gpt-4.1", "gpt-4o"] });
    expect(renamed).toEqual({ ...first, name: "clever", models: ["gpt-4.1", "gpt-4o"] });
    expect((await routes()).map(({ name }) => name)).toEqual(["clever", "other"]);
    expect(await keyModels()).toEqual(["claude-*", "clever"]);
    expect((await call("clever")).status).toBe(200);
    expect((await call("smart")).status).toBe(404);
    await set({ name: "smart", renames: "clever", models: ["gpt-4.1"] });
    expect(await keyModels()).toEqual(["claude-*", "smart"]);
    // A change that renames nothing changes no key.
    await set({ name: "smart", renames: "smart", models: ["gpt-4o"] });
    expect(await keyModels()).toEqual(["claude-*", "smart"]);
  });

  it("is refused where the name is taken or none exists to rename, and nothing is changed", async () => {
    await set({ name: "smart", models: ["gpt-4.1"] });
    await set({ name: "other", models: ["gpt-4o"] });
    await setAlias("mine", "gpt-4o");
    const rename = (name: string, renames = "smart"): Promise<Response> => post({ name, renames, models: ["gpt-4o"] });
    expect(await refusal(await rename("other"))).toContain('a route "other" already');
    expect(await refusal(await rename("mine"))).toContain("name of your own");
    const missing = await rename("new", "none");
    expect([missing.status, (await errorOf(missing)).message]).toEqual([404, 'There is no route "none".']);
    expect((await routes()).map(({ name, models }) => [name, models])).toEqual([
      ["smart", ["gpt-4.1"]],
      ["other", ["gpt-4o"]],
    ]);
  });
});

it("says which model it stands before, and the model says so too, while it applies", async () => {
  const hidden = async (): Promise<string | null | undefined> =>
    (await models()).find(({ id }) => id === "gpt-4.1")?.hidden_by;
  const view = await set({ name: "gpt-4.1", models: ["gpt-4.1", "gpt-4o"] });
  expect(view).toMatchObject({ hides: "gpt-4.1", unserved: [] });
  expect(await hidden()).toBe("gpt-4.1");
  await postern.ask("PATCH", "/settings", { routes: false });
  expect(await hidden()).toBeNull();
  await postern.ask("PATCH", "/settings", { routes: true });
  expect(await hidden()).toBe("gpt-4.1");
  await set({ name: "gpt-4.1", models: ["gpt-4o"], enabled: false });
  expect(await hidden()).toBeNull();
  // By another name that the model has.
  expect(await set({ name: "gpt-5.6-sol", models: ["gpt-5.6-sol"] })).toMatchObject({ hides: "gpt-5.6" });
});

it("tells the models of its rules that no provider serves, each once", async () => {
  const rules = [
    { ...RULE, models: ["later-1", "gpt-4o"] },
    { ...RULE, models: ["later-1", "later-2"] },
  ];
  expect((await set({ name: "smart", models: ["gpt-4.1"], rules })).unserved).toEqual(["later-1", "later-2"]);
});

describe("what is refused", () => {
  beforeEach(async () => {
    await setAlias("fast", "gpt-4o");
    await set({ name: "taken", models: ["gpt-4.1", "claude-of-tomorrow"] });
  });
  const smart = (change: object): object => ({ name: "smart", models: ["gpt-4.1"], ...change });

  it.each<[string, object, string, RegExp]>([
    ["the name of an alias", { name: "fast", models: ["gpt-4.1"] }, "name", /a name of your own for "gpt-4o" already/],
    ["another route in the chain", smart({ models: ["gpt-4.1", "taken"] }), "models", /"taken" is a route itself/],
    [
      "another route in a rule's chain",
      smart({ rules: [RULE, { ...RULE, models: ["taken"] }] }),
      "rules[1].models",
      /routes do not nest/,
    ],
    [
      "the name of another route's model",
      { name: "claude-of-tomorrow", models: ["gpt-4o"] },
      "name",
      /"claude-of-tomorrow" is a model of the route "taken"/,
    ],
    ["itself, where that is no model", smart({ models: ["smart"] }), "models", /is this route and no model/],
    ["a model twice", smart({ models: ["gpt-4.1", "gpt-4.1"] }), "models", /"gpt-4.1" is in the chain twice/],
    ["an unknown model twice", smart({ models: ["later", "later"] }), "models", /"later" is in the chain twice/],
    [
      "a model by another of its names",
      smart({ models: ["gpt-5.6", "gpt-5.6-sol"] }),
      "models",
      /"gpt-5.6" and "gpt-5.6-sol" are one model/,
    ],
    ["a model by its alias", smart({ models: ["fast", "gpt-4o"] }), "models", /"fast" and "gpt-4o" are one model/],
    [
      "a model twice in a rule",
      smart({ rules: [{ ...RULE, models: ["gpt-4o", "fast"] }] }),
      "rules[0].models",
      /one model/,
    ],
  ])("%s", async (_name, route, param, message) => {
    const before = await routes();
    const refused = await post(route);
    expect(refused.status).toBe(400);
    const error = await errorOf(refused);
    expect(error).toMatchObject({ code: "invalid_value", param });
    expect(error.message).toMatch(message);
    expect(await routes()).toEqual(before);
  });

  it.each<[string, object]>([
    ["an empty chain", smart({ models: [] })],
    ["a name with a blank", { name: "my route", models: ["gpt-4.1"] }],
    ["a rule without a condition", smart({ rules: [{ ...RULE, when: {} }] })],
    ["an unknown kind", smart({ rules: [{ ...RULE, when: { kinds: ["poetry"] } }] })],
    ["an unknown field", smart({ fallback: true })],
  ])("%s", async (_name, route) => {
    expect((await post(route)).status).toBe(400);
  });

  it("an alias of a route's name, and one for a route", async () => {
    expect(await refusal(await setAlias("taken", "gpt-4o"))).toContain('"taken" is the name of a route already');
    expect(await refusal(await setAlias("other", "taken"))).toContain('"taken" is a route');
  });

  it("but not an alias for the model that a route stands before: it means the model", async () => {
    await set({ name: "gpt-5.6", models: ["gpt-4o"] });
    expect((await setAlias("other", "gpt-5.6")).status).toBe(200);
  });

  it("an alias and a route of one name that are asked for together: one of them", async () => {
    const both = await Promise.all([
      setAlias("contested", "gpt-4.1"),
      post({ name: "contested", models: ["gpt-4.1"] }),
      setAlias("contested-2", "gpt-4.1"),
    ]);
    expect(both.filter(({ status }) => status === 400)).toHaveLength(1);
    expect(both[2].status).toBe(200);
  });
});

it("keeps its own name in its chain while the model of that name is not served", async () => {
  const own = await startGateway();
  try {
    const name = "openai/not-in-any-catalog";
    const chain = [name, "gpt-4.1"];
    const made = async (): Promise<number> => (await own.control("POST", "/routes", { name, models: chain })).status;
    expect(await made()).toBe(400);
    const connection = await own.ask<{ id: string }>("POST", "/connections", {
      provider: "openai",
      name: "OpenAI",
      base_url: provider.baseUrl,
      allow_http: true,
      keys: ["sk-provider-key-0002"],
    });
    expect(await made()).toBe(200);
    await own.ask("PATCH", `/connections/${connection.id}`, { enabled: false });
    expect(await own.ask("POST", "/routes", { name, models: chain.toReversed() })).toMatchObject({
      hides: null,
      unserved: ["gpt-4.1", name],
    });
  } finally {
    await own.close();
  }
});

it("has room for 200, and changes those that are there", async () => {
  for (let at = 0; at < 200; at += 1) await set({ name: `route-${at}`, models: ["gpt-4.1"] });
  expect(await refusal(await post({ name: "one-more", models: ["gpt-4.1"] }))).toContain(
    "There are 200 routes already",
  );
  expect((await post({ name: "route-7", models: ["gpt-4o"] })).status).toBe(200);
});

it("tells the pages that models have changed", async () => {
  const bearer = await postern.signIn();
  const stop = new AbortController();
  const stream = await fetch(`${postern.url}/control/events`, {
    headers: { authorization: `Bearer ${bearer}` },
    signal: stop.signal,
  });
  const reader = (stream.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const received = (async () => {
    for (let text = ""; ; text += (await reader.read()).value ?? "") if (text.includes("models.changed")) return text;
  })();
  await set({ name: "smart", models: ["gpt-4.1"] });
  expect(await received).toContain("models.changed");
  stop.abort();
});

it("is in backups, and comes back with one", async () => {
  const dataDir = await temporaryFolder();
  const earlier = await startGateway({ dataDir });
  const made = await earlier.ask<RouteView>("POST", "/routes", { name: "smart", models: ["gpt-4.1"], rules: [RULE] });
  await earlier.ask("POST", "/backup");
  await earlier.ask("POST", "/routes/remove", { name: "smart" });
  const [backup] = (await earlier.ask<{ data: { name: string }[] }>("GET", "/backups")).data;
  await earlier.ask("POST", "/backups/restore", { name: backup?.name });
  await earlier.stop();
  const later = await startGateway({ dataDir });
  expect((await later.ask<{ data: RouteView[] }>("GET", "/routes")).data).toEqual([made]);
  await later.close();
});
