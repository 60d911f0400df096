import { rm } from "node:fs/promises";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { WhatIf } from "../../../../gateway/contract/history.ts";
import { completion } from "../../../support/acts.ts";
import { claudeLine, claudePath, writeLogs } from "../../../support/agent-logs.ts";
import { startProvider, type MockProvider } from "../../../support/mock-provider.ts";
import { CHAT, errorOf, startGateway, temporaryFolder, until } from "../../../support/running-gateway.ts";
import type { TestGateway } from "../../../support/running-gateway.ts";

/** What a time would have cost on other models: of what was imported, and of what Postern has receipts of. */
let home = "";
let provider: MockProvider;
let postern: TestGateway;
beforeAll(async () => {
  home = await temporaryFolder();
  const used = { input_tokens: 1_000, cache_read_input_tokens: 10_000, output_tokens: 1_000 };
  const written = { cache_creation_input_tokens: 1_000, cache_creation: { ephemeral_1h_input_tokens: 1_000 } };
  await writeLogs(home, {
    [claudePath("a")]: [
      claudeLine({
        id: "msg_1",
        request: "r1",
        model: "claude-opus-4-6",
        usage: { ...used, ...written, speed: "fast" },
      }),
      claudeLine({ id: "msg_2", request: "r2", model: "claude-sonnet-4-5-20250929", usage: used }),
      claudeLine({
        id: "msg_3",
        request: "r3",
        model: "claude-sonnet-4-5",
        usage: { input_tokens: 1_500_000 },
      }),
      claudeLine({ id: "msg_4", request: "r4", model: "nobody-knows", usage: used }),
    ],
  });
  provider = await startProvider();
  provider.next(completion(undefined, { prompt_tokens: 1_000, completion_tokens: 500 }));
  postern = await startGateway({ provider, env: { HOME: home } });
  await postern.ask("POST", "/history/import", {});
  await (await postern.chat(CHAT)).arrayBuffer();
  await until(async () => (await postern.receipts()).length === 1);
});
afterEach(() => postern.control("POST", "/models/price/remove", { model: "nobody-knows" }));
afterAll(async () => {
  await postern.close();
  await provider.close();
  await rm(home, { recursive: true, force: true });
});

/** Logs of October, and a receipt of now. */
const DAYS = { since: "2026-10-01", until: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) };
const ask = (body: object): Promise<WhatIf> => postern.ask("POST", "/usage/what-if", { ...DAYS, ...body });
const money = ({ rows }: WhatIf) => rows.map((row) => [row.source, row.model, row.to, row.nano, row.what_if_nano]);

/** At six times the usual price: $5 and $25, cached $0.50, written for an hour $10. */
const OPUS = 6 * (5_000_000 + 5_000_000 + 10_000_000 + 25_000_000);
const SONNET = 3_000_000 + 3_000_000 + 15_000_000;
/** Beyond 200,000 tokens $6. */
const LONG = 1_500_000 * 6_000;
/** gpt-4.1 at $2 and $8. */
const OWN = 1_000 * 2_000 + 500 * 8_000;

it("prices every class of what was used at another model, and says what that leaves open", async () => {
  const answer = await ask({ to: "gpt-5.4", source: "logs" });
  // gpt-5.4: $2.50 and $15, cached $0.25; beyond 272,000 tokens $5.
  const each = 2_500_000 + 2_500_000 + 15_000_000;
  expect(answer.rows).toMatchObject([
    {
      model: "claude-sonnet-4-5",
      nano: SONNET + LONG,
      what_if_nano: each + 1_500_000 * 5_000,
      too_long: 1,
      notes: [],
    },
    { model: "claude-opus-4-6", nano: OPUS, what_if_nano: each + 2_500_000, notes: ["writes_as_input"], too_long: 0 },
    { model: "nobody-knows", nano: 0, what_if_nano: 0, requests: 1, unpriced_requests: 1 },
  ]);
  expect(answer).toMatchObject({ nano: SONNET + LONG + OPUS, unpriced_requests: 1, complete: true });
  expect(answer.tokenizers.map(({ from, relation }) => [from, relation])).toEqual([
    ["claude-sonnet-4-5", "unknown"],
    ["claude-opus-4-6", "unknown"],
    ["nobody-knows", "unknown"],
  ]);
});

it("maps any models to others, by any of their names, and leaves the rest as they are", async () => {
  const answer = await ask({ models: { "claude-sonnet-4-5": "claude-opus-4-8" }, source: "logs" });
  expect(money(answer)).toEqual([
    ["logs", "claude-sonnet-4-5", "claude-opus-4-8", SONNET + LONG, 5_000_000 + 5_000_000 + 25_000_000 + 7_500_000_000],
    ["logs", "claude-opus-4-6", "claude-opus-4-6", OPUS, OPUS],
    ["logs", "nobody-knows", "nobody-knows", 0, 0],
  ]);
  expect(answer.tokenizers).toEqual([
    {
      from: "claude-sonnet-4-5",
      to: "claude-opus-4-8",
      relation: "ratio",
      low: 1,
      high: 1.35,
      source: expect.stringContaining("platform.claude.com"),
    },
  ]);
});

it("does the same with Postern's own receipts, alone or together", async () => {
  const own = ["postern", "gpt-4.1", "gpt-4.1-mini", OWN, OWN / 5];
  expect(money(await ask({ to: "gpt-4.1-mini", source: "postern" }))).toEqual([own]);
  const both = await ask({ to: "gpt-4.1-mini", source: "both" });
  expect(money(both)).toContainEqual(own);
  expect(both.rows).toHaveLength(4);
  expect((await ask({ to: "gpt-4.1-mini", source: "both", model: "claude-opus-4-6" })).rows).toHaveLength(1);
  expect((await ask({ to: "gpt-4.1-mini", source: "both", until: "2026-10-11", since: "2026-10-01" })).rows).toEqual(
    [],
  );
});

it("knows the owner's own price, for what was used and for what would have been", async () => {
  await postern.ask("POST", "/models/price", {
    model: "nobody-knows",
    rates: { input: 1_000_000_000, output: 2_000_000_000 },
  });
  const { rows } = await ask({ models: { "claude-opus-4-6": "nobody-knows" }, source: "logs" });
  expect(rows.find(({ model }) => model === "nobody-knows")).toMatchObject({ nano: 13_000_000, unpriced_requests: 0 });
  expect(rows.find(({ to, model }) => to === "nobody-knows" && model !== to)).toMatchObject({
    what_if_nano: 14_000_000,
    notes: ["cached_at_full", "writes_as_input"],
  });
});

it.each<[string, object, number, string]>([
  ["a model that nobody knows", { to: "gpt-9000" }, 404, "gpt-9000"],
  ["no model", {}, 400, "Name a model"],
  ["a day that is none", { to: "gpt-5.4", since: "2026-02-31" }, 400, "since"],
  [
    "days the wrong way round",
    { to: "gpt-5.4", since: "2026-10-12", until: "2026-10-11" },
    400,
    "since is after until",
  ],
  ["a zone that is none", { to: "gpt-5.4", zone: "Mars/Olympus" }, 400, "zone"],
])("refuses %s", async (_, body, status, words) => {
  const response = await postern.control("POST", "/usage/what-if", body);
  expect([response.status, (await errorOf(response)).message]).toEqual([status, expect.stringContaining(words)]);
});
