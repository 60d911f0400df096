import { rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { CreatedKey } from "../../../../gateway/contract/key.ts";
import type { SetupPlan, SetupResult } from "../../../../gateway/contract/setup-operations.ts";
import { modelList, startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, startGateway, until, type TestGateway } from "../../../support/running-gateway.ts";

/** Encrypting takes its time, by intention. */
const SLOW_MS = 120_000;
const PASSPHRASE = "correct horse battery staple";

let closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.toReversed()) await close();
  closing = [];
});

async function provider(...models: string[]): Promise<MockProvider> {
  const mock = await startProvider();
  closing.push(() => mock.close());
  mock.list = modelList(models);
  return mock;
}

async function start(): Promise<TestGateway> {
  const gateway = await startGateway();
  closing.push(() => gateway.close());
  return gateway;
}

interface World {
  readonly one: MockProvider;
  readonly two: MockProvider;
  readonly laptop: string;
  readonly phone: string;
  readonly twin: string;
}

/** Everything that an owner can set, over the control API. */
async function setUp(gateway: TestGateway): Promise<World> {
  const [one, two] = [await provider("house-model", "small-model"), await provider("house-model", "other-model")];
  const key = async (input: object): Promise<CreatedKey> => gateway.ask("POST", "/keys", input);
  const laptop = await key({ name: "laptop", models: ["house*", "fast", "work"], rpm: 500, limit_usd: 3 });
  const phone = await key({ name: "phone", limit_usd: 0.000_001, reset: "daily" });
  // Two of one name: the file tells them apart.
  const twin = await key({ name: "laptop" });
  for (const [name, mock, priority] of [
    ["House one", one, 50],
    ["House two", two, 40],
  ] as const)
    await gateway.ask("POST", "/connections", {
      provider: "openai-compatible",
      name,
      base_url: mock.baseUrl,
      keys: [`sk-${name.replace(" ", "-")}-key-0001`, `sk-${name.replace(" ", "-")}-key-0002`],
      priority,
    });
  await until(async () => {
    const { data } = await gateway.ask<{ data: { id: string }[] }>("GET", "/models");
    return data.some(({ id }) => id === "other-model") && data.some(({ id }) => id === "small-model");
  });
  await gateway.ask("POST", "/models/alias", { name: "fast", model: "house-model" });
  await gateway.ask("POST", "/models/price", { model: "house-model", rates: { input: 1_500_000_000, output: 2e9 } });
  await gateway.ask("POST", "/routes", {
    name: "work",
    models: ["small-model", "house-two/other-model"],
    rules: [
      { when: { keys: [twin.key.id] }, models: ["other-model"], enabled: true },
      { when: { keys: [phone.key.id], input_tokens_above: 1 }, models: ["house-model"], enabled: true },
    ],
  });
  await gateway.ask("PATCH", "/settings", { backup_keep: 3, monthly_budget_usd: 25, record_keep_days: 4 });
  return { one, two, laptop: laptop.secret, phone: phone.secret, twin: twin.secret };
}

/** Requests of every client for every name, and what became of each: the response, who was asked, with which key. */
async function ask(gateway: TestGateway, { one, two, laptop, phone, twin }: World): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const key of [laptop, phone, twin, "sk-nobody-has-this-key"]) {
    const list = await fetch(`${gateway.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    seen.push([list.status, withoutTimes(await list.json())]);
    for (const model of ["house-model", "fast", "work", "small-model", "house-one/house-model", "no-such-model"]) {
      one.reset();
      two.reset();
      const response = await gateway.chat({ ...CHAT, model }, key);
      const body = withoutTimes(await response.json());
      const requests = [one, two].map(({ chats }) => chats.map((chat) => [chat.key, chat.body.toString("utf8")]));
      seen.push([model, response.status, body, requests]);
    }
  }
  return seen;
}

/** Ids and times are of one response alone; so is when a route was made. */
function withoutTimes(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      name === "created" || name === "request_id" ? 0 : value,
    ).replaceAll(/req_[0-9a-f-]+/g, "req"),
  );
}

describe("a set-up that is exported, its folder deleted, and imported", () => {
  it(
    "responds to every request as before",
    async () => {
      const before = await start();
      const world = await setUp(before);
      const wish = { passphrase: PASSPHRASE, page_token: before.gateway.issueConsent() };
      const { text } = await before.ask<{ text: string }>("POST", "/setup/export", wish);
      for (const secret of ["sk-House", world.laptop, world.phone]) expect(text).not.toContain(secret);
      const expected = await ask(before, world);
      expect(new Set(expected.map((each) => (each as unknown[])[1]))).toContain(200);
      await before.stop();
      await rm(before.dataDir, { recursive: true });

      const after = await start();
      const file = { text, passphrase: PASSPHRASE };
      const plan = await after.ask<SetupPlan>("POST", "/setup/preview", file);
      expect(plan.conflicts).toEqual([]);
      const result = await after.ask<SetupResult>("POST", "/setup/apply", { ...file, token: plan.token });
      expect(result.tests.map(({ ok, taken }) => [ok, taken])).toEqual(Array.from({ length: 4 }, () => [true, true]));
      expect(result.created_keys).toEqual([]);
      await until(async () => {
        const { data } = await after.ask<{ data: { id: string }[] }>("GET", "/models");
        return data.some(({ id }) => id === "other-model") && data.some(({ id }) => id === "small-model");
      });
      expect(await ask(after, world)).toEqual(expected);

      const exported = await after.ask<{ text: string }>("POST", "/setup/export", {});
      const again = await after.ask<SetupPlan>("POST", "/setup/preview", { text: exported.text });
      expect(again.changes).toEqual([]);
      expect((await after.ask<SetupPlan>("POST", "/setup/preview", file)).changes).toEqual([]);
    },
    SLOW_MS,
  );
});
