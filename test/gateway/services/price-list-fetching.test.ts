import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { State } from "../../../gateway/contract/control.ts";
import type { Settings } from "../../../gateway/contract/settings.ts";
import { BY_CATALOG, PriceListBench, litellm, usd } from "../../support/price-lists.ts";
import { errorOf, until } from "../../support/running-gateway.ts";
import { WireProvider, reply, replyBytes } from "../../support/wire-provider.ts";

const HOUR_MS = 60 * 60_000;

const bench = new PriceListBench();
beforeEach(() => bench.start());
afterEach(() => bench.close());

it("outlives a restart, offered or accepted", async () => {
  await bench.accept(await bench.offer(litellm(3e-6)));
  const offered = await bench.offer(litellm(4e-6));
  await bench.again();
  expect((await bench.cost()).nano).toBe(usd(0.003 + 0.0012));
  await bench.accept(offered);
  expect((await bench.cost()).nano).toBe(usd(0.004 + 0.0012));
});

it.each(["accepted", "offered"] as const)("is set aside and ignored where the %s one is damaged", async (kind) => {
  await bench.accept(await bench.offer(litellm(3e-6)));
  await bench.offer(litellm(4e-6));
  const name = `price-list.${kind}.ndjson`;
  let bytes = Buffer.alloc(0);
  await bench.again(async (dataDir) => {
    bytes = await readFile(join(dataDir, name));
    bytes[100] = 0x20 ^ (bytes[100] ?? 0);
    await writeFile(join(dataDir, name), bytes);
  });
  expect((await bench.view())[kind]).toBeNull();
  expect((await bench.cost()).nano).toBe(kind === "accepted" ? BY_CATALOG : usd(0.003 + 0.0012));
  const { notices } = await bench.postern.ask<State>("GET", "/state");
  expect(notices.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(`The ${kind} price list was damaged`),
  );
  const quarantine = join(bench.postern.dataDir, "quarantine");
  const [folder = ""] = await readdir(quarantine);
  expect(await readFile(join(quarantine, folder, name))).toEqual(bytes);
  await bench.offer(litellm(5e-6));
  expect((await bench.view()).offered).not.toBeNull();
});

describe("what cannot be a list", () => {
  it.each<[string, Parameters<WireProvider["on"]>[1], RegExp]>([
    ["is not there", reply(404, {}), /responded with status 404/],
    ["is a page", replyBytes("text/html", "<html>"), /of the type text\/html/],
    ["is no JSON", replyBytes("application/json", "{"), /no price list/],
    ["is another JSON", reply(200, { data: [{ id: "gpt-4.1" }] }), /no price list/],
    ["has no price that is known", reply(200, { m: { litellm_provider: "azure", mode: "chat" } }), /no price list/],
    ["is too large", replyBytes("application/json", Buffer.alloc(17 * 1024 * 1024, " ")), /larger than/],
  ])("%s: it is refused, reported, and the accepted one stays", async (_, act, why) => {
    await bench.accept(await bench.offer(litellm(3e-6)));
    bench.wire.on("GET /prices.json", act);
    const refused = await bench.postern.control("POST", "/price-list/refresh");
    const { code, message } = await errorOf(refused);
    expect([refused.status, code]).toEqual([502, "upstream_error"]);
    expect(message).toMatch(why);
    expect(await bench.view()).toMatchObject({ offered: null, problem: { message } });
    expect((await bench.cost()).nano).toBe(usd(0.003 + 0.0012));
    await bench.serve(litellm(3e-6));
    expect((await bench.refresh()).problem).toBeNull();
  });

  it("is not fetched from a private address that is no longer allowed", async () => {
    const other = new WireProvider();
    await other.listen();
    other.on("GET /prices.json", reply(200, litellm(3e-6)));
    const target = new URL(other.origin).host;
    const { allow_targets: before } = await bench.postern.ask<Settings>("GET", "/settings");
    const change = { price_list_url: `${other.origin}/prices.json`, allow_targets: [...before, target] };
    await bench.postern.ask("PATCH", "/settings", change);
    await bench.postern.ask("PATCH", "/settings", { allow_targets: before });
    const refused = await bench.postern.control("POST", "/price-list/refresh");
    expect((await errorOf(refused)).message).toMatch(/The price list's URL was not fetched/);
    expect(other.seen).toEqual([]);
    await other.close();
  });

  it.each(["ftp://example.com/prices.json", "prices.json", "file:///etc/passwd"])(
    "%s is no URL for it",
    async (url) => {
      const refused = await bench.postern.control("PATCH", "/settings", { price_list_url: url });
      expect([refused.status, (await errorOf(refused)).param]).toEqual([400, "price_list_url"]);
    },
  );
});

describe("every day", () => {
  /** Time passes, and the gateway is reported that it looks at the bench.clock. */
  const pass = (ms: number): void => {
    bench.clock.advance(ms);
    bench.postern.gateway.onResume();
  };
  const fetched = (): number => bench.wire.seen.filter(({ path }) => path === "/prices.json").length;

  it("is fetched and only offered, with a notice where connections are concerned", async () => {
    await bench.serve(litellm(3e-6));
    await bench.postern.ask("PATCH", "/settings", { price_list_daily: true });
    pass(10 * 60_000);
    await until(async () => (await bench.view()).offered !== null);
    expect((await bench.cost()).nano).toBe(BY_CATALOG);
    await until(async () => (await bench.postern.ask<State>("GET", "/state")).notices.length > 0);
    const { notices } = await bench.postern.ask<State>("GET", "/state");
    expect(notices[0]?.message).toContain("A newer price list would change 1 price at your connections.");
    pass(2 * HOUR_MS);
    pass(23 * HOUR_MS);
    await until(() => fetched() === 2);
    await bench.view();
    // The same list again is no news.
    expect((await bench.postern.ask<State>("GET", "/state")).notices).toHaveLength(1);
  });

  it("is not fetched while that is off", async () => {
    await bench.serve(litellm(3e-6));
    pass(10 * 60_000);
    pass(30 * HOUR_MS);
    await bench.postern.ask("POST", "/price-list/drop", { list: "offered" });
    expect(fetched()).toBe(0);
  });

  it("makes the accepted list newer where it says the same", async () => {
    await bench.accept(await bench.offer(litellm(3e-6)));
    const first = (await bench.view()).accepted?.fetched_at ?? 0;
    bench.clock.advance(26 * HOUR_MS);
    const { accepted, offered } = await bench.refresh();
    expect(offered).toBeNull();
    expect((accepted?.fetched_at ?? 0) - first).toBeGreaterThan(25 * HOUR_MS);
  });
});

it("is fetched no longer when Postern stops", async () => {
  let ended = false;
  bench.wire.on("GET /prices.json", (_seen, outgoing) => void outgoing.on("close", () => (ended = true)));
  await bench.postern.ask("PATCH", "/settings", { price_list_url: `${bench.wire.origin}/prices.json` });
  const pending = bench.postern.control("POST", "/price-list/refresh").catch(() => null);
  await until(() => bench.wire.seen.length > 0);
  await bench.postern.stop();
  await pending;
  await until(() => ended);
  expect(ended).toBe(true);
});
