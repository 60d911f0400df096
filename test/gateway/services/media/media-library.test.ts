import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaView } from "../../../../gateway/contract/media.ts";
import type { MediaOrigin } from "../../../../gateway/services/media/keep-media.ts";
import { LOW_WATER_BYTES } from "../../../../gateway/store/media/media-files.ts";
import { nodeMediaDisk } from "../../../../gateway/store/media/media-disk.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { png } from "../../../support/media-samples.ts";
import { until } from "../../../support/running-gateway.ts";
import { LibraryBench, originOf } from "./library-bench.ts";

let bench: LibraryBench;
beforeEach(async () => {
  bench = await LibraryBench.make();
});
afterEach(() => bench.end());

const keepBytes = (bytes: Buffer, origin: Partial<MediaOrigin> = {}): unknown =>
  bench.library.keep({ kind: "bytes", bytes }, originOf(origin));

async function listed(count: number): Promise<readonly MediaView[]> {
  await until(async () => (await bench.library.list({ limit: 500 })).data.length >= count);
  return (await bench.library.list({ limit: 500 })).data;
}
describe("bytes", () => {
  it("are saved with where they came from", async () => {
    keepBytes(png(64, 32), { parameters: { size: "64x32", n: 1 } });
    const [view] = await listed(1);
    expect(view).toMatchObject({
      kind: "image",
      type: "image/png",
      bytes: png(64, 32).length,
      width: 64,
      height: 32,
      duration_ms: null,
      available: true,
      origin: {
        request_id: "req_1",
        key: "key_1",
        endpoint: "images",
        model: "gpt-image-1",
        provider: "openai",
        prompt: "A lighthouse at dusk.",
        parameters: { size: "64x32", n: 1 },
        seed: 7,
        nano: 40_000_000,
        sandbox: false,
      },
    });
    expect(view?.at).toBeLessThanOrEqual(bench.clock.now());
    expect(await bench.library.get(view?.id ?? "")).toMatchObject({ sha256: view?.sha256 });
  });

  it("are saved before the library stops", async () => {
    for (let index = 0; index < 20; index += 1) keepBytes(png(8, 8, index));
    await bench.restart();
    expect(await listed(20)).toHaveLength(20);
  });

  it("of no known type become a notice, one for all of them", async () => {
    for (let index = 0; index < 5; index += 1) keepBytes(Buffer.from(`<html>${index}`));
    keepBytes(png(8, 8));
    await listed(1);
    await until(() => bench.reports.length > 0);
    expect(bench.reports).toEqual([
      expect.stringMatching(/^A result of gpt-image-1 could not be saved .* none of PNG/),
    ]);
  });

  it("are refused while the disk is nearly full, with one notice, and saved when there is room again", async () => {
    bench.disk = { ...nodeMediaDisk, freeBytes: async () => LOW_WATER_BYTES - 1 };
    keepBytes(png(8, 8, 1));
    keepBytes(png(8, 8, 2));
    await until(() => bench.reports.length > 0);
    bench.disk = nodeMediaDisk;
    keepBytes(png(8, 8, 3));
    await listed(1);
    bench.disk = { ...nodeMediaDisk, freeBytes: async () => 0 };
    keepBytes(png(8, 8, 4));
    await until(() => bench.reports.length > 1);
    expect(bench.reports).toEqual([
      expect.stringContaining("1023 MiB are free"),
      expect.stringContaining("0 MiB are free"),
    ]);
  });

  it("of more than the disk keeps up with are reported, and memory stays bounded", async () => {
    const pending = Promise.withResolvers<number>();
    bench.disk = { ...nodeMediaDisk, freeBytes: () => pending.promise };
    const large = Buffer.concat([png(8, 8), Buffer.alloc(100 * 1024 * 1024)]);
    for (let index = 0; index < 3; index += 1) keepBytes(large);
    expect(bench.reports).toEqual([expect.stringContaining("does not keep up")]);
    pending.resolve(0);
    await until(() => bench.reports.length > 1);
    bench.disk = nodeMediaDisk;
    keepBytes(png(8, 8));
    expect(await listed(1)).toHaveLength(1);
  });

  it("that come while it stops are reported, not saved", async () => {
    bench.library.start();
    await bench.library.close();
    keepBytes(png(8, 8));
    expect(bench.reports).toEqual([expect.stringContaining("Postern is stopping")]);
  });

  it("with endless parameters are kept with what fits", async () => {
    const parameters = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`p${index}`, "x".repeat(5_000)]));
    keepBytes(png(8, 8), { prompt: "y".repeat(100_000), parameters: { ...parameters, size: "8x8", n: 2 } });
    const [view] = await listed(1);
    expect(view?.origin?.prompt).toHaveLength(4_000);
    expect(view?.origin?.parameters).toEqual({ size: "8x8", n: 2 });
  });

  it("with parameters that no JSON holds harm nothing", async () => {
    const round: Record<string, unknown> = {};
    round["self"] = round;
    keepBytes(png(8, 8), { parameters: round });
    expect((await listed(1))[0]?.origin?.parameters).toHaveProperty("self");
    keepBytes(png(8, 8, 2), { parameters: { big: 10n } });
    expect(bench.reports).toEqual([expect.stringContaining("BigInt")]);
  });
});

it("says that it cannot be opened, goes on without, and opens when it can be", async () => {
  const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error("EACCES: refused"), { code: "EACCES" }));
  bench.fs = { ...nodeStoreFs, makeFolder: refuse };
  await bench.restart();
  await expect(bench.library.list({ limit: 1 })).rejects.toMatchObject({ code: "storage_unavailable" });
  keepBytes(png(8, 8));
  await until(() => bench.reports.length > 1);
  expect(bench.reports[0]).toContain("cannot be opened");
  bench.fs = null;
  keepBytes(png(8, 8, 2));
  expect(await listed(1)).toHaveLength(1);
});
