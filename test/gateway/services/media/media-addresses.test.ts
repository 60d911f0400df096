import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import type { MediaOrigin } from "../../../../gateway/services/media/keep-media.ts";
import { nodeMediaDisk } from "../../../../gateway/store/media/media-disk.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { until } from "../../../support/running-gateway.ts";
import { reply, replyBytes, type WireAct } from "../../../support/wire-provider.ts";
import { LibraryBench, connectionTo, originOf } from "./library-bench.ts";
import { useWire } from "../../../support/use-gateway.ts";

const DAY_MS = 86_400_000;
const provider = useWire();
let bench: LibraryBench;
beforeEach(async () => {
  bench = await LibraryBench.make();
});
afterEach(async () => {
  await bench.end();
  provider.reset();
});

const keepUrl = (path: string, origin: Partial<MediaOrigin> = {}): unknown =>
  bench.library.keep(
    { kind: "url", url: `${provider.origin}${path}`, connection: connectionTo(provider.origin) },
    originOf(origin),
  );
const keepBytes = (bytes: Buffer, origin: Partial<MediaOrigin> = {}): unknown =>
  bench.library.keep({ kind: "bytes", bytes }, originOf(origin));

async function listed(count: number): Promise<readonly MediaView[]> {
  await until(async () => (await bench.library.list({ limit: 500 })).data.length >= count);
  return (await bench.library.list({ limit: 500 })).data;
}
const pending = async (): Promise<number> => (await bench.library.list({ limit: 1 })).pending;
/** The first try is over and the next one waits for its time. */
const waiting = (): Promise<void> => until(() => bench.retries.length > 0);

const broken: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "image/png", "content-length": "1000" });
  outgoing.write("half", () => outgoing.destroy());
};

describe("an address", () => {
  it("that is the picture itself is saved at once", async () => {
    const url = `data:image/png;base64,${png(12, 12).toString("base64")}`;
    void bench.library.keep({ kind: "url", url, connection: connectionTo(provider.origin) }, originOf());
    expect((await listed(1))[0]).toMatchObject({ type: "image/png", width: 12 });
    expect(provider.seen).toEqual([]);
  });

  it("that is endless is reported, not noted", async () => {
    keepUrl(`/1.png?${"x".repeat(20_000)}`, { model: "m".repeat(100_000) });
    await until(() => bench.reports.length > 0);
    expect(bench.reports).toEqual([expect.stringContaining("too long")]);
    expect(await pending()).toBe(0);
  });

  it("is fetched, without a key", async () => {
    provider.on("GET /1.png", replyBytes("image/png", png(16, 16)));
    keepUrl("/1.png?Signature=abc");
    const [view] = await listed(1);
    expect(view).toMatchObject({ type: "image/png", width: 16 });
    expect(provider.seen[0]?.headers).not.toHaveProperty("authorization");
    expect(await pending()).toBe(0);
  });

  it("of a large file is written as it comes", async () => {
    const bytes = wav(300_000);
    provider.on("GET /1.wav", replyBytes("application/octet-stream", bytes));
    keepUrl("/1.wav");
    const [view] = await listed(1);
    expect(view).toMatchObject({ type: "audio/wav", bytes: bytes.length, duration_ms: 300_000 });
    expect((await readFile(view?.path ?? "")).equals(bytes)).toBe(true);
  });

  it.each<[string, WireAct]>([
    ["breaks off", broken],
    ["says 503", reply(503, {})],
    ["says 404 for a moment", reply(404, {})],
  ])("that %s is fetched again", async (_name, act) => {
    provider.on("GET /1.png", act, act, replyBytes("image/png", png(16, 16)));
    keepUrl("/1.png");
    await waiting();
    expect(await pending()).toBe(1);
    // The wall clock has no fractions, so a pause may be a millisecond more.
    expect(bench.retries[0]?.ms).toSatisfy((ms: number) => ms > 900 && ms <= 1_010);
    bench.passTime();
    await waiting();
    expect(bench.retries[0]?.ms).toSatisfy((ms: number) => ms > 4_900 && ms <= 5_010);
    bench.passTime();
    await listed(1);
    expect(await pending()).toBe(0);
    expect(bench.reports).toEqual([]);
  });

  it("is remembered over a restart, in the middle of its download too", async () => {
    const arrived = Promise.withResolvers<void>();
    const silent: WireAct = (_seen, outgoing) => {
      outgoing.writeHead(200, { "content-type": "image/png", "content-length": "1000" });
      outgoing.write(png(16, 16).subarray(0, 20));
      arrived.resolve();
    };
    provider.on("GET /1.png", silent, replyBytes("image/png", png(16, 16)));
    keepUrl("/1.png", { prompt: "kept" });
    await arrived.promise;
    await bench.restart();
    expect((await listed(1))[0]?.origin?.prompt).toBe("kept");
    expect(await readdir(join(bench.dir, "media", "incoming"))).toEqual([]);
    await bench.restart();
    expect(await pending()).toBe(0);
    expect(provider.seen).toHaveLength(2);
  });

  it("that waits for its next try is tried at the next start", async () => {
    provider.on("GET /1.png", broken, replyBytes("image/png", png(16, 16)));
    keepUrl("/1.png");
    await waiting();
    await bench.restart();
    expect(await listed(1)).toHaveLength(1);
    expect(provider.seen).toHaveLength(2);
  });

  it("that goes on answering wrongly is given up, with a notice, for good", async () => {
    provider.on("GET /1.png", reply(403, {}));
    keepUrl("/1.png");
    await bench.passTimeUntil(() => bench.reports.length > 0);
    await until(async () => (await pending()) === 0);
    expect(bench.reports).toEqual([expect.stringContaining("status 403")]);
    await bench.restart();
    expect(await pending()).toBe(0);
    expect(provider.seen).toHaveLength(4);
  });

  it("of an absent network is tried until it expires, and a few times more for a network that slept with it", async () => {
    provider.on("GET /1.png", broken);
    keepUrl("/1.png");
    const began = bench.clock.now();
    await bench.passTimeUntil(() => bench.reports.length > 0);
    expect(bench.clock.now() - began).toBeGreaterThan(DAY_MS - 3_600_000);
    expect(bench.clock.now() - began).toBeLessThan(DAY_MS + 3_600_000);
    expect(provider.seen.length).toBeLessThan(60);
    await until(async () => (await pending()) === 0);
  });

  it.each(["http://169.254.169.254/latest/meta-data", "https://127.0.0.1/1.png", "file:///etc/passwd", "no url"])(
    "that is not to be reached (%s) is given up at once, and nothing is asked",
    async (url) => {
      void bench.library.keep({ kind: "url", url, connection: connectionTo(provider.origin) }, originOf());
      await until(() => bench.reports.length > 0);
      expect(bench.reports).toEqual([expect.stringContaining("was not fetched")]);
      await until(async () => (await pending()) === 0);
      expect(bench.retries).toEqual([]);
      expect(provider.seen).toEqual([]);
    },
  );

  it("that goes on with something else than media is let go of", async () => {
    const left = Promise.withResolvers<void>();
    provider.on("GET /1.png", (_seen, outgoing) => {
      outgoing.once("close", left.resolve);
      outgoing.writeHead(200, { "content-type": "image/png" });
      const write = (): void => {
        while (!outgoing.destroyed && outgoing.write("<p>".repeat(5_000)));
      };
      outgoing.on("drain", write);
      write();
    });
    keepUrl("/1.png");
    await left.promise;
    await until(() => bench.reports.length > 0);
    expect(bench.reports).toEqual([expect.stringContaining("none of PNG")]);
  });

  it("that holds something else than media is given up", async () => {
    provider.on("GET /1.png", replyBytes("image/png", "<html>".repeat(1_000)));
    keepUrl("/1.png");
    await until(() => bench.reports.length > 0);
    expect(bench.reports).toEqual([expect.stringContaining("none of PNG")]);
  });

  it("waits for room on the disk", async () => {
    provider.on("GET /1.png", replyBytes("image/png", png(16, 16)));
    bench.disk = { ...nodeMediaDisk, freeBytes: async () => 0 };
    keepUrl("/1.png");
    await waiting();
    expect(bench.reports).toEqual([expect.stringContaining("0 MiB are free")]);
    bench.disk = nodeMediaDisk;
    bench.passTime();
    await listed(1);
  });

  it("that hangs keeps neither bytes nor other addresses from being saved", async () => {
    const reserved: WireAct = () => undefined;
    provider.on("GET /held.png", reserved).on("GET /1.png", replyBytes("image/png", png(16, 16)));
    for (let index = 0; index < 3; index += 1) keepUrl("/held.png");
    for (let index = 0; index < 5; index += 1) keepUrl("/held.png");
    keepBytes(png(8, 8));
    await listed(1);
    expect(await pending()).toBe(8);
    await bench.restart();
    await until(async () => (await pending()) === 8);
  });
});
