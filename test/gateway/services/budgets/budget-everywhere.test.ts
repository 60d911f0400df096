import { rm } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { BudgetView, SetBudget } from "../../../../gateway/contract/budgets.ts";
import { ChildGateway } from "../../../support/child-gateway.ts";
import { completion, hang } from "../../../support/acts.ts";
import { startProvider } from "../../../support/mock-provider.ts";
import {
  CHAT,
  errorOf,
  KEY,
  startGateway,
  temporaryFolder,
  until,
  type TestGateway,
} from "../../../support/running-gateway.ts";
import {
  CHAT_ROUTE,
  closeWorld,
  found,
  FOREIGN,
  says,
  searchCall,
  searchWorld,
  setSearch,
} from "../../../support/search-world.ts";
import { ask as askAbout, BLIND, dataUrl, image, useBlindWorld } from "../chat/blind-world.ts";

/** Budgets hold for everything that costs, and over kills and restarts. */

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const budgetsOf = async (postern: TestGateway): Promise<BudgetView[]> =>
  (await postern.ask<{ data: BudgetView[] }>("GET", "/budgets")).data;
const set = (postern: TestGateway, input: SetBudget): Promise<BudgetView> => postern.ask("POST", "/budgets", input);
const scope = (kind: "client" | "project", name: string) => ({ kind, name });

describe("a budget over a kill", () => {
  it("has spent what its receipts say, what was under way among it", async () => {
    const provider = await startProvider();
    closing.push(() => provider.close());
    const dataDir = await temporaryFolder();
    closing.push(() => rm(dataDir, { recursive: true, force: true }));
    const env = {
      POSTERN_SANDBOX: "off",
      POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "unlimited" }]),
      POSTERN_OPENAI_BASE_URL: provider.baseUrl,
      POSTERN_OPENAI_API_KEY: "sk-provider-key-0001",
    };
    const child = new ChildGateway(["--port", "0", "--data-dir", dataDir, "--json"], env);
    closing.push(async () => {
      child.kill("SIGKILL");
      await child.exited;
    });
    const { url, ui } = await child.ready();
    const session = await fetch(`${url}/control/session`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: new URL(ui).hash.slice("#token=".length) }),
    });
    const { bearer } = (await session.json()) as { bearer: string };
    const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
      fetch(url + path, {
        method: "POST",
        headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      });
    const control = { authorization: `Bearer ${bearer}` };
    const who = { "user-agent": "editor/1.0", "x-postern-project": "site" };
    for (const of of [scope("client", "edit*"), scope("project", "site")]) {
      const made = await post("/control/budgets", { scope: of, reset: "monthly", limit_usd: 0.05 }, control);
      expect(made.status).toBe(200);
    }
    provider.usual = completion("Paid", { prompt_tokens: 10, completion_tokens: 1_000 });
    for (let call = 0; call < 3; call += 1) await (await post("/v1/chat/completions", CHAT, who)).text();
    provider.usual = hang;
    const open = post("/v1/chat/completions", CHAT, who).catch(() => null);
    await provider.arrived(4);
    // Its note is written within some milliseconds; a call without one has left no trace to be charged by.
    const noted = async (): Promise<boolean> => {
      const response = await fetch(`${url}/control/usage?by=client`, { headers: control });
      return response.ok;
    };
    await until(noted);
    child.kill("SIGKILL");
    await Promise.all([open, child.exited]);

    const postern = await startGateway({ env, dataDir });
    try {
      const receipts = await postern.receipts();
      expect(receipts.map(({ outcome }) => outcome)).toEqual(["unknown", "completed", "completed", "completed"]);
      const nano = receipts.reduce((sum, receipt) => sum + (receipt.nano ?? 0), 0);
      expect(nano).toBeGreaterThan(3 * 8_020_000);
      const both = { spent_nano: nano, held_nano: 0, left_nano: 50_000_000 - nano };
      expect(await budgetsOf(postern)).toMatchObject([both, both]);
      await set(postern, { scope: scope("project", "site"), reset: "monthly", limit_usd: nano / 1e9 });
      expect((await postern.chat(CHAT, KEY, { headers: who })).status).toBe(402);
      provider.usual = completion();
      expect((await postern.chat(CHAT, KEY, { headers: { "user-agent": "other/1" } })).status).toBe(200);
    } finally {
      await postern.stop();
    }
  });
});

describe("a search on behalf of a model", () => {
  it("is bounded by the budget of the project that asks, and spends it", async () => {
    const world = await searchWorld();
    closing.push(() => closeWorld(world));
    const { postern, wire, searx } = world;
    const message = {
      model: FOREIGN,
      max_tokens: 64,
      tools: [{ type: "web_search_20250305", name: "web_search" }],
      messages: [{ role: "user", content: "How tall is the tower?" }],
    };
    await set(postern, { scope: scope("project", "site"), reset: "daily", limit_usd: 0.5 });
    const headers = { "x-postern-project": "site" };
    searx.on("GET /search", found(["The tower", "https://example.com/tower", "It is 300 metres tall."]));
    await setSearch(world, 1);
    wire.on(CHAT_ROUTE, says("", searchCall("c1", "a")), says("I may not look."));
    expect((await postern.post("/messages", message, KEY, headers)).status).toBe(200);
    expect(searx.seen).toEqual([]);
    expect(wire.seen[1]?.body.toString()).toContain("The daily budget of the project");
    wire.reset();
    await setSearch(world, 0.125);
    wire.on(CHAT_ROUTE, says("", searchCall("c1", "a")), says("Tall."));
    const before = (await budgetsOf(postern))[0]?.spent_nano ?? 0;
    expect((await postern.post("/messages", message, KEY, headers)).status).toBe(200);
    expect(searx.seen).toHaveLength(1);
    expect(((await budgetsOf(postern))[0]?.spent_nano ?? 0) - before).toBeGreaterThanOrEqual(125_000_000);
    expect(await budgetsOf(postern)).toMatchObject([{ held_nano: 0 }]);
  });
});

describe("a picture that is described", () => {
  const world = useBlindWorld([]);

  it("is held against the project that asks and against Postern's own client, and spends both", async () => {
    const { postern, sighted } = world;
    const headers = { "x-postern-project": "site" };
    await set(postern, { scope: scope("project", "site"), reset: "daily", limit_usd: 5 });
    await set(postern, { scope: scope("client", "postern-pictures"), reset: "daily", limit_usd: 5 });
    const response = await postern.chat(askAbout(image(dataUrl(91))), KEY, { headers });
    expect(response.status).toBe(200);
    const [main, describing] = await postern.receipts(2);
    expect([main?.model, describing?.client]).toEqual([BLIND, "postern-pictures"]);
    expect(await budgetsOf(postern)).toMatchObject([
      { spent_nano: (main?.nano ?? 0) + (describing?.nano ?? 0), held_nano: 0 },
      { spent_nano: describing?.nano, held_nano: 0 },
    ]);
    sighted.seen.length = 0;
    await set(postern, { scope: scope("client", "postern-pictures"), reset: "daily", limit_usd: 0 });
    const refused = await postern.chat(askAbout(image(dataUrl(92))), KEY, { headers });
    expect(refused.status).toBe(402);
    expect((await errorOf(refused)).message).toContain('The daily budget of the client "Postern image descriptions"');
    expect(sighted.seen).toHaveLength(0);
  });
});
