import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MediaRefused } from "../../../../gateway/store/media/media-incoming.ts";
import { getStem } from "../../../../gateway/store/media/sidecar.ts";
import { nodeMediaDisk } from "../../../../gateway/store/media/media-disk.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { mediaFile } from "../../../support/media-files.ts";
import { until } from "../../../support/running-gateway.ts";
import { reply, replyBytes, type WireAct } from "../../../support/wire-provider.ts";
import { LibraryBench, connectionTo, originOf } from "./library-bench.ts";
import { useWire } from "../../../support/use-gateway.ts";

const ID = "media_0000000000000001";
const VIDEO = mediaFile("faststart.mp4");
const provider = useWire();
let bench: LibraryBench;
beforeEach(async () => {
  bench = await LibraryBench.make();
});
afterEach(async () => {
  await bench.end();
  provider.reset();
});

const fetchAs = (path = "/1.mp4", id = ID): Promise<boolean> =>
  bench.library.fetchAs(
    id,
    `${provider.origin}${path}`,
    connectionTo(provider.origin),
    originOf({ endpoint: "videos" }),
  );

async function* inPieces(...pieces: readonly (Buffer | Error)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (piece instanceof Error) throw piece;
    yield piece;
  }
}
const saveAs = (...pieces: readonly (Buffer | Error)[]): Promise<boolean> =>
  bench.library.saveAs(ID, inPieces(...pieces), originOf());

const broken: WireAct = (_seen, outgoing) => {
  outgoing.writeHead(200, { "content-type": "video/mp4", "content-length": "1000" });
  outgoing.write("half", () => outgoing.destroy());
};

describe("a result that is fetched under an id that its task has chosen", () => {
  it("is there with its measures, its link and its path when the response is true", async () => {
    provider.on("GET /1.mp4", replyBytes("video/mp4", VIDEO));
    expect(await bench.library.has(ID)).toBe(false);
    expect(await bench.library.linkTo(ID)).toBeNull();
    expect(await bench.library.view(ID)).toBeNull();
    expect(await fetchAs()).toBe(true);
    expect(await bench.library.has(ID)).toBe(true);
    const view = await bench.library.view(ID);
    expect(view).toMatchObject({ id: ID, kind: "video", width: 320, height: 180, duration_ms: 2_500, poster: null });
    expect(view?.path).toBe(`${getStem(join(bench.dir, "media"), ID)}.mp4`);
    expect((await bench.library.linkTo(ID))?.link).toContain(`/media/${ID}?expires=`);
    expect(bench.happened).toEqual(["media.changed"]);
  });

  it("is fetched once, however often it is asked for", async () => {
    const pending = Promise.withResolvers<void>();
    provider.on("GET /1.mp4", async (seen, outgoing) => {
      await pending.promise;
      await replyBytes("video/mp4", VIDEO)(seen, outgoing);
    });
    const all = Array.from({ length: 5 }, () => fetchAs());
    pending.resolve();
    expect(await Promise.all(all)).toEqual([true, true, true, true, true]);
    expect(await fetchAs()).toBe(true);
    expect(provider.seen).toHaveLength(1);
    expect((await bench.library.list({})).total).toBe(1);
  });

  it("is noted before it is fetched: a restart in the middle goes on, and who asks again joins", async () => {
    const arrived = Promise.withResolvers<void>();
    provider.on(
      "GET /1.mp4",
      (_seen, outgoing) => {
        outgoing.writeHead(200, { "content-type": "video/mp4", "content-length": String(VIDEO.length) });
        outgoing.write(VIDEO.subarray(0, 5_000), () => arrived.resolve());
      },
      replyBytes("video/mp4", VIDEO),
    );
    const cut = fetchAs();
    cut.catch(() => undefined);
    await arrived.promise;
    await bench.restart();
    await expect(cut).rejects.toMatchObject({ code: "shutting_down" });
    expect(await fetchAs()).toBe(true);
    expect(provider.seen).toHaveLength(2);
    expect((await bench.library.list({})).total).toBe(1);
    expect(await readdir(join(bench.dir, "media", "incoming"))).toEqual([]);
  });

  it("waits for the network, for hours", async () => {
    provider.on("GET /1.mp4", ...Array.from({ length: 12 }, () => broken), replyBytes("video/mp4", VIDEO));
    const began = bench.clock.now();
    let saved: boolean | null = null;
    void fetchAs().then((response) => (saved = response));
    await bench.passTimeUntil(() => saved !== null);
    expect(saved).toBe(true);
    expect(bench.clock.now() - began).toBeGreaterThan(3 * 3_600_000);
    expect(bench.reports).toEqual([]);
  });

  it("is tried at once when a machine wakes after its pause", async () => {
    provider.on("GET /1.mp4", ...Array.from({ length: 4 }, () => broken), replyBytes("video/mp4", VIDEO));
    const saved = fetchAs();
    await bench.passTimeUntil(() => provider.seen.length === 4);
    await until(() => bench.retries.length > 0);
    bench.clock.jumpTo(bench.clock.now() + 8 * 3_600_000);
    bench.library.check();
    expect(await saved).toBe(true);
  });

  it.each<[string, WireAct]>([
    ["is not there any more", reply(404, {})],
    ["is none of ours", replyBytes("video/mp4", "<html>".repeat(1_000))],
  ])("that %s is given up, and may be asked for again with a fresh address", async (_name, act) => {
    provider.on("GET /1.mp4", act).on("GET /2.mp4", replyBytes("video/mp4", VIDEO));
    let saved: boolean | null = null;
    void fetchAs().then((response) => (saved = response));
    await bench.passTimeUntil(() => saved !== null);
    expect(saved).toBe(false);
    expect(bench.reports).toHaveLength(1);
    expect(await fetchAs("/2.mp4")).toBe(true);
  });

  it("that is not to be reached is refused without a connection", async () => {
    const url = "http://169.254.169.254/latest/meta-data";
    expect(await bench.library.fetchAs(ID, url, connectionTo(provider.origin), originOf())).toBe(false);
    expect(
      await bench.library.fetchAs(
        ID,
        `${provider.origin}/${"x".repeat(20_000)}`,
        connectionTo(provider.origin),
        originOf(),
      ),
    ).toBe(false);
    expect(provider.seen).toEqual([]);
  });

  it("that its owner deletes is not fetched again", async () => {
    provider.on("GET /1.mp4", replyBytes("video/mp4", VIDEO));
    await fetchAs();
    await bench.library.delete([ID]);
    expect(await bench.library.has(ID)).toBe(false);
    expect(await fetchAs()).toBe(true);
    expect(provider.seen).toHaveLength(1);
    expect(await bench.library.has(ID)).toBe(false);
  });

  it("waits for a library that cannot be opened yet", async () => {
    provider.on("GET /1.mp4", replyBytes("video/mp4", VIDEO));
    bench.fs = { ...nodeStoreFs, makeFolder: () => Promise.reject(new Error("EACCES")) };
    let saved: boolean | null = null;
    void fetchAs().then((response) => (saved = response));
    await until(() => bench.retries.length > 0);
    bench.fs = null;
    await bench.passTimeUntil(() => saved !== null);
    expect(saved).toBe(true);
  });

  it("is not started while Postern stops", async () => {
    await bench.library.close();
    await expect(fetchAs()).rejects.toMatchObject({ code: "shutting_down" });
  });
});

describe("bytes that a task has", () => {
  it("are saved as they come", async () => {
    expect(await saveAs(VIDEO.subarray(0, 3_000), VIDEO.subarray(3_000))).toBe(true);
    expect(await bench.library.view(ID)).toMatchObject({ bytes: VIDEO.length, duration_ms: 2_500 });
    expect(await saveAs(new Error("is not read"))).toBe(true);
  });

  it("that break off leave nothing and say why, and may come again", async () => {
    await expect(saveAs(VIDEO.subarray(0, 3_000), new Error("reset"))).rejects.toThrow("reset");
    expect(await bench.library.has(ID)).toBe(false);
    expect(await saveAs(VIDEO)).toBe(true);
  });

  it("that are nothing to keep never will be", async () => {
    expect(await saveAs(Buffer.from("<html>".repeat(1_000)))).toBe(false);
    expect(bench.reports).toHaveLength(1);
  });

  it("wait for room on the disk", async () => {
    bench.disk = { ...nodeMediaDisk, freeBytes: async () => 0 };
    const refusal = await saveAs(VIDEO).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(MediaRefused);
    expect(refusal).toMatchObject({ kind: "room" });
  });

  it("are not started while Postern stops", async () => {
    await bench.library.close();
    await expect(saveAs(VIDEO)).rejects.toMatchObject({ code: "shutting_down" });
  });
});

describe("room for what is yet to be made", () => {
  const GIB = 1024 ** 3;

  it("is asked of the disk, not more often than every few seconds", async () => {
    let requestCount = 0;
    let free = GIB;
    bench.disk = { ...nodeMediaDisk, freeBytes: async () => ((requestCount += 1), free) };
    for (let round = 0; round < 50; round += 1) await bench.library.requireRoom();
    expect(requestCount).toBe(1);
    free = GIB - 1;
    await bench.library.requireRoom();
    bench.clock.advance(5_000);
    await expect(bench.library.requireRoom()).rejects.toMatchObject({
      code: "storage_unavailable",
      message: expect.stringMatching(/^Only 1023 MiB are free .* 1024 MiB must stay free.*Make room/),
    });
    free = GIB;
    bench.clock.advance(5_000);
    await bench.library.requireRoom();
  });

  it("is taken to be there where the disk does not say", async () => {
    bench.disk = { ...nodeMediaDisk, freeBytes: () => Promise.reject(new Error("ENOSYS")) };
    await expect(bench.library.requireRoom()).resolves.toBeUndefined();
  });
});
