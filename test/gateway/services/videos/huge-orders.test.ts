import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dose } from "../../../support/dose.ts";
import { errorOf } from "../../../support/running-gateway.ts";
import { T2V, VideoStage } from "../../../support/video-acts.ts";

/** What clients may send, and how little of it may stay in the journal, in lists and on the pages. */
let stage: VideoStage;
beforeEach(async () => {
  stage = await VideoStage.open();
});
afterEach(() => stage.close());

const KEPT_BYTES = 300_000;
const MB = 1_000_000;
const LARGE = dose(10, 30);
const SETTINGS = dose(40_000, 200_000);
const I2V = { model: "alpha2.6-i2v", duration: 5, resolution: "720p" } as const;

async function journalBytes(): Promise<number> {
  const names = await readdir(stage.gateway.dataDir, { recursive: true });
  const journals = names.filter((name) => name.includes("journal."));
  expect(journals).not.toEqual([]);
  const sizes = await Promise.all(journals.map((name) => stat(join(stage.gateway.dataDir, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

const many = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_nothing, at) => make(at));

describe("an order", () => {
  it.each<[string, () => object]>([
    [
      `with a picture of ${LARGE} MB in it`,
      () => ({ ...I2V, input: { prompt: "A", img_url: `data:image/png;base64,${"A".repeat(LARGE * MB)}` } }),
    ],
    [
      "with nine pictures in it",
      () => ({
        model: "doubao-seedance-2-0-260128",
        input: {
          prompt: "A",
          reference_urls: many(9, (at) => `data:image/png;base64,${"A".repeat((LARGE / 10) * MB)}${at}`),
        },
      }),
    ],
    [
      "with a picture in another spelling",
      () => ({ ...I2V, input: { prompt: "A", img_url: ` DATA:image/png;base64,${"A".repeat(3 * MB)}` } }),
    ],
    ["with a prompt of 3 MB", () => ({ ...T2V, input: { prompt: "A lighthouse. ".repeat(0.2 * MB) } })],
    ["with 400,000 pieces", () => ({ ...T2V, input: { prompt: "A", extra: many(400_000, () => "") } })],
    [
      `with ${SETTINGS} settings`,
      () => ({
        ...T2V,
        parameters: Object.fromEntries([...Object.entries(T2V.parameters), ...many(SETTINGS, (at) => [`s${at}`, at])]),
      }),
    ],
    [
      "with 60,000 texts of fifty letters",
      () => ({ ...T2V, input: { prompt: "A", extra: many(60_000, (at) => `${at}`.padEnd(50, "x")) } }),
    ],
    ["with a ratio of 3 MB", () => ({ ...T2V, aspect_ratio: "1".repeat(3 * MB) })],
    ["with a name of 3 MB", () => ({ ...T2V, input: { prompt: "A", ["n".repeat(3 * MB)]: 1 } })],
  ])("%s is served, and little of it is kept", async (_name, order) => {
    const before = await journalBytes();
    const response = await stage.gateway.post("/videos/generations", order());
    const { id } = (await response.json()) as { id: string };
    // What the provider's rules refuse is not kept at all.
    if (response.status !== 202) return expect(response.status).toBe(400);
    expect((await stage.over(id)).status).toBe("succeeded");
    const detail = await (await stage.gateway.control("GET", `/tasks/${id}`)).text();
    expect(detail.length).toBeLessThan(KEPT_BYTES);
    expect(JSON.parse(detail)).toMatchObject({ can: { repeat: false } });
    for (const list of ["/videos/generations", "/videos"])
      expect((await (await stage.get(list)).text()).length).toBeLessThan(KEPT_BYTES);
    expect((await journalBytes()) - before).toBeLessThan(8 * KEPT_BYTES);
  });

  it("with a prompt of 10,000 characters of any kind is kept whole, and made again", async () => {
    const prompt = '😀é\u2028"\\\ud83d'
      .repeat(1_500)
      .slice(0, 10_000)
      .replace(/[\ud800-\udbff]$/, "x");
    const task = await stage.submit({ ...T2V, input: { prompt } });
    const detail = await stage.gateway.ask<{ full_prompt: string }>("GET", `/tasks/${task.id}`);
    expect(detail.full_prompt).toBe(prompt);
    await stage.gateway.ask("POST", `/tasks/${task.id}/repeat`);
    expect(stage.provider.tasks.map(({ ordered }) => ordered.prompt === prompt)).toEqual([true, true]);
  });
});

describe("Idempotency-Key", () => {
  it.each<[string, string, number]>([
    ["of 255 characters", "k".repeat(255), 202],
    ["of 256 characters", "k".repeat(256), 400],
    ["in Russian", "ключ", 400],
    ["in French", "clé", 400],
    ["with a tab", "a\tb", 400],
    ["of signs", "~ !\"#$%&'()*+,-./:;<=>?@[]^_`{|}", 202],
    ["of everybody's prototype", "__proto__", 202],
  ])("%s is answered as it should be", async (_title, name, status) => {
    // As bytes would come over the wire.
    const header = Buffer.from(name, "utf8").toString("latin1");
    const headers = { "idempotency-key": header };
    const response = await stage.gateway.post("/videos/generations", T2V, undefined, headers);
    expect(response.status).toBe(status);
    if (status === 400) return expect((await errorOf(response)).param).toBe("Idempotency-Key");
    const again = await stage.submit(T2V, { headers });
    expect(again.id).toBe(((await response.json()) as { id: string }).id);
  });
});

describe("webhook_url", () => {
  it.each([
    "https://example.com/\r\nx-injected: 1",
    "https://example.com/ HTTP/1.1\r\nHost: evil",
    "https://exa\nmple.com/hook",
    "https://example.com/\u2028\u0000",
  ])("%j injects nothing", async (webhook_url) => {
    const response = await stage.gateway.post("/videos/generations", { ...T2V, webhook_url });
    const text = await response.text();
    expect([202, 400], text).toContain(response.status);
    expect(response.headers.get("x-injected")).toBeNull();
  });
});
