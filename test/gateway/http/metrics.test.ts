import { readFile, readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, it } from "vitest";
import type { TelemetryView } from "../../../gateway/contract/telemetry.ts";
import { usdFromNano } from "../../../gateway/lib/money.ts";
import { useProvider } from "../../support/use-gateway.ts";
import { CHAT, KEY, errorOf, startGateway, temporaryFolder } from "../../support/running-gateway.ts";
import type { TestGateway, TestOptions } from "../../support/running-gateway.ts";
import { needs } from "../../support/needs.ts";

const provider = useProvider();

const running: TestGateway[] = [];
afterEach(async () => {
  for (const postern of running.splice(0)) await postern.close();
});

async function open(options: TestOptions = {}): Promise<TestGateway> {
  const postern = await startGateway({ provider, ...options });
  running.push(postern);
  return postern;
}

interface Made {
  readonly telemetry: TelemetryView;
  readonly secret: string;
}

const makeKey = async (postern: TestGateway): Promise<string> =>
  (await postern.ask<Made>("POST", "/telemetry/key")).secret;

function scrape(postern: TestGateway, key: string | null, init: RequestInit = {}): Promise<Response> {
  return fetch(`${postern.url}/metrics`, {
    ...init,
    headers: key === null ? {} : { authorization: `Bearer ${key}` },
  });
}

/** Samples by name and labels. */
async function samples(postern: TestGateway, key: string): Promise<ReadonlyMap<string, number>> {
  const text = await (await scrape(postern, key)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

function sum(all: ReadonlyMap<string, number>, name: string): number {
  return [...all].reduce((total, [series, value]) => (series.startsWith(name) ? total + value : total), 0);
}

describe("/metrics", () => {
  it("is not there without a key", async () => {
    const postern = await open();
    const response = await scrape(postern, KEY);
    expect(response.status).toBe(404);
    expect((await errorOf(response)).code).toBe("unknown_url");
    expect(postern.gateway.events.hears("request.settled")).toBe(false);
  });

  it("opens with its own key, and with no other", async () => {
    const postern = await open();
    const key = await makeKey(postern);
    expect(key).toMatch(/^tok-metrics-[\dA-Za-z]{40}$/);
    const opened = await scrape(postern, key);
    expect(opened.status).toBe(200);
    expect(opened.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(opened.headers.get("cache-control")).toBe("no-store");
    for (const wrong of [null, KEY, "tok-metrics-wrong", "", `${key}x`, key.slice(0, -1)]) {
      expect((await scrape(postern, wrong)).status).toBe(401);
    }
    expect((await scrape(postern, key, { method: "POST" })).status).toBe(405);
    expect((await scrape(postern, key, { method: "HEAD" })).status).toBe(200);
  });

  it("has a key that opens nothing else", async () => {
    const postern = await open();
    const key = await makeKey(postern);
    expect((await postern.chat(CHAT, key)).status).toBe(401);
    const control = await fetch(`${postern.url}/control/state`, { headers: { authorization: `Bearer ${key}` } });
    expect(control.status).toBe(401);
  });

  it("changes its key, and is gone without one", async () => {
    const postern = await open();
    const first = await makeKey(postern);
    const second = await makeKey(postern);
    expect((await scrape(postern, first)).status).toBe(401);
    expect((await scrape(postern, second)).status).toBe(200);
    expect(await postern.ask("DELETE", "/telemetry/key")).toMatchObject({ metrics_key: null });
    expect((await scrape(postern, second)).status).toBe(404);
  });

  it("keeps its key over a start, as a digest alone", async () => {
    const dataDir = await temporaryFolder();
    const before = await startGateway({ provider, dataDir });
    const key = await makeKey(before);
    const shown = JSON.stringify([await before.ask("GET", "/telemetry"), await before.ask("GET", "/settings")]);
    expect(shown).not.toContain(key);
    await before.stop();
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      expect((await readFile(join(file.parentPath, file.name))).includes(key)).toBe(false);
    }
    const after = await open({ dataDir });
    expect((await scrape(after, key)).status).toBe(200);
  });

  it("counts what the receipts say, from the moment that it has a key", async () => {
    const postern = await open();
    await postern.chat();
    const key = await makeKey(postern);
    for (let call = 0; call < 3; call += 1) await postern.chat();
    await postern.chat({ ...CHAT, model: "no-such-model" });
    const receipts = (await postern.receipts()).slice(0, 4);
    const all = await samples(postern, key);
    expect(sum(all, "postern_requests_total")).toBe(4);
    expect(sum(all, "postern_cost_usd_total")).toBeCloseTo(
      usdFromNano(receipts.reduce((total, { nano }) => total + (nano ?? 0), 0)),
      12,
    );
    expect(sum(all, "gen_ai_client_operation_duration_seconds_count")).toBe(4);
    expect(sum(all, 'postern_units_total{gen_ai_provider_name="openai"')).toBe(45);
    expect(all.get("postern_requests_running")).toBe(0);
    expect(all.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    expect(all.get("process_start_time_seconds")).toBeGreaterThan(1.7e9);
    const view = await postern.ask<TelemetryView>("GET", "/telemetry");
    expect(view.scraped_at).not.toBeNull();
  });

  it("goes down in no counter between two looks", async () => {
    const postern = await open();
    const key = await makeKey(postern);
    await postern.chat();
    const first = await samples(postern, key);
    await postern.chat();
    const second = await samples(postern, key);
    const counters = [...first].filter(([series]) => /_(?:total|count|sum|bucket)(?:\{|$)/.test(series));
    expect(counters.length).toBeGreaterThan(20);
    expect(counters.filter(([series, value]) => (second.get(series) ?? -1) < value)).toEqual([]);
  });

  it("leaves no line in the log for each look, but one for who is refused", async () => {
    const logged: string[] = [];
    const postern = await open({ logged });
    const key = await makeKey(postern);
    await scrape(postern, key);
    await scrape(postern, "tok-metrics-wrong");
    await postern.stop();
    const lines = logged.filter((line) => line.includes('"/metrics"'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"status":401');
    expect(logged.join()).not.toContain(key);
  });

  it("works while calls are paused", async () => {
    const postern = await open();
    const key = await makeKey(postern);
    postern.gateway.pause();
    expect((await postern.chat()).status).toBe(503);
    expect((await scrape(postern, key)).status).toBe(200);
  });

  it("is served to pages of no other site, and under no other name", async () => {
    const postern = await open();
    const key = await makeKey(postern);
    const as = (headers: Readonly<Record<string, string>>): Promise<number> =>
      statusOf("127.0.0.1", postern.port, { authorization: `Bearer ${key}`, ...headers });
    expect(await as({})).toBe(200);
    expect(await as({ host: "rebound.example:80" })).toBe(403);
    expect(await as({ host: `host.docker.internal:${postern.port}` })).toBe(200);
    expect(await as({ origin: "https://elsewhere.example" })).toBe(403);
  });
});

/** An address of this machine on a network: from there to loopback a call looks like one of another machine. */
const outside = Object.values(networkInterfaces())
  .flat()
  .find((entry) => entry?.family === "IPv4" && !entry.internal)?.address;

describe.skipIf(outside === undefined)("another machine", needs("an address outside of loopback"), () => {
  const from = { localAddress: outside ?? "" };

  it("reads it with the key where Postern listens for others, and waits after too many wrong ones", async () => {
    const postern = await open({ host: "0.0.0.0" });
    const key = await makeKey(postern);
    const as = (given: string | null): Promise<number> =>
      statusOf("127.0.0.1", postern.port, given === null ? {} : { authorization: `Bearer ${given}` }, from);
    expect(await as(key)).toBe(200);
    expect(await as(null)).toBe(401);
    for (let guess = 0; guess < 20; guess += 1) expect(await as(`tok-metrics-${guess}`)).toBe(401);
    expect(await as("tok-metrics-20")).toBe(429);
    expect((await scrape(postern, key)).status).toBe(200);
  });
});

function statusOf(
  host: string,
  port: number,
  headers: Readonly<Record<string, string>>,
  more: { readonly localAddress?: string } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host, port, path: "/metrics", headers, ...more }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", reject)
      .end();
  });
}
