import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { png } from "../../../support/media-samples.ts";
import { until } from "../../../support/running-gateway.ts";
import { LibraryBench, originOf } from "./library-bench.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
let bench: LibraryBench;
beforeEach(async () => {
  bench = await LibraryBench.make();
});
afterEach(() => bench.end());

/** Saves pictures of different bytes. @returns their ids, oldest first */
async function fill(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const picture = png(4, 4, Number(id.replace(/\D/g, "")));
    await bench.library.saveAs(
      id,
      (async function* () {
        yield picture;
      })(),
      originOf(),
    );
  }
}

const ids = async (): Promise<string[]> => (await bench.library.list({})).data.map(({ id }) => id);

async function fileCount(): Promise<number> {
  const names = await readdir(join(bench.dir, "media"), { recursive: true });
  return names.filter((name) => name.endsWith(".png")).length;
}

/** Waits until so many files are left; what is due meanwhile is done, as by the machine's timers. */
const left = (count: number): Promise<void> =>
  until(async () => {
    bench.library.check();
    return (await fileCount()) === count;
  });

async function pass(ms: number): Promise<void> {
  bench.clock.advance(ms);
  bench.library.check();
  // Whatever that began is behind this in the library's own order.
  await bench.library.restore([]);
}

describe("what its owner deletes", () => {
  it("is gone at once and can be brought back for ten minutes", async () => {
    await fill("media_1", "media_2", "media_3");
    bench.happened.length = 0;
    const before = bench.clock.now();
    const { deleted, undo_until: undoUntil } = await bench.library.delete(["media_2", "media_none"]);
    expect(deleted).toEqual(["media_2"]);
    expect(undoUntil).toBeGreaterThanOrEqual(before + 10 * MINUTE_MS);
    expect(await ids()).toEqual(["media_3", "media_1"]);
    await expect(bench.library.get("media_2")).rejects.toMatchObject({ code: "not_found" });
    await expect(bench.library.open("media_2")).rejects.toMatchObject({ code: "not_found" });
    await pass(9 * MINUTE_MS);
    expect(await bench.library.restore(["media_2"])).toEqual({ restored: ["media_2"] });
    expect(await ids()).toEqual(["media_3", "media_2", "media_1"]);
    await pass(20 * MINUTE_MS);
    expect(await fileCount()).toBe(3);
    expect(bench.happened).toEqual(["media.changed", "media.changed"]);
  });

  it("is removed from the disk after ten minutes", async () => {
    await fill("media_1", "media_2");
    await bench.library.delete(["media_1"]);
    expect(await fileCount()).toBe(2);
    await pass(10 * MINUTE_MS);
    await left(1);
    expect(await bench.library.restore(["media_1"])).toEqual({ restored: [] });
    expect(bench.logged).toContain("media.removed");
  });

  it("can be brought back after a restart, and is removed by the next run when its time is over", async () => {
    await fill("media_1", "media_2");
    await bench.library.delete(["media_1", "media_2"]);
    await bench.restart();
    expect(await bench.library.restore(["media_1"])).toEqual({ restored: ["media_1"] });
    bench.clock.advance(30 * MINUTE_MS);
    await bench.restart();
    await left(1);
    expect(await ids()).toEqual(["media_1"]);
  });

  it("notifies no one of a change when there was none", async () => {
    await bench.library.delete(["media_none"]);
    await bench.library.restore(["media_none"]);
    expect(bench.happened).toEqual([]);
  });
});

describe("what the settings keep", () => {
  it("is swept a minute after the start and every hour, the old ones first", async () => {
    await fill("media_1", "media_2");
    bench.clock.advance(3 * DAY_MS);
    await fill("media_3");
    bench.clock.advance(2 * HOUR_MS);
    bench.keeping = { media_keep_days: 2, media_max_gib: null };
    await bench.restart();
    bench.happened.length = 0;
    await bench.library.list({});
    await pass(30_000);
    expect(await ids()).toHaveLength(3);
    await pass(31_000);
    await left(1);
    expect(await ids()).toEqual(["media_3"]);
    expect(await bench.library.restore(["media_1"])).toEqual({ restored: [] });
    expect(bench.logged).toContain("media.swept");
    expect(bench.happened).toEqual(["media.changed"]);
    bench.clock.advance(2 * DAY_MS);
    await pass(HOUR_MS);
    await left(0);
  });

  it("is swept when the settings change, by size too, but for what is younger than an hour", async () => {
    await fill("media_1");
    bench.clock.advance(2 * HOUR_MS);
    await fill("media_2");
    await bench.restart();
    bench.keeping = { media_keep_days: null, media_max_gib: 1e-9 };
    bench.events.emit({ type: "settings.changed" });
    await left(1);
    expect(await ids()).toEqual(["media_2"]);
  });

  it("is all when nothing is set", async () => {
    await fill("media_1");
    bench.clock.advance(4_000 * DAY_MS);
    await bench.restart();
    await pass(HOUR_MS);
    expect(await ids()).toEqual(["media_1"]);
  });

  it("is not decided by a clock within a day of its being set, and the owner hears of it", async () => {
    await fill("media_1");
    bench.keeping = { media_keep_days: 30, media_max_gib: null };
    await bench.restart();
    bench.clock.jumpTo(Date.now() + 200 * DAY_MS);
    await pass(2 * MINUTE_MS);
    expect(bench.logged).toContain("media.not_swept");
    expect(bench.reports).toEqual([expect.stringContaining("was set forward")]);
    await pass(23 * HOUR_MS);
    expect(await ids()).toEqual(["media_1"]);
    await pass(HOUR_MS);
    await pass(HOUR_MS);
    await until(async () => (await ids()).length === 0);
  });

  it("is not decided by a clock that is a year ahead and more, however long it stays there", async () => {
    await fill("media_1", "media_2");
    bench.keeping = { media_keep_days: 30, media_max_gib: null };
    bench.clock.jumpTo(Date.UTC(2062, 3, 4));
    await bench.restart();
    await fill("media_3");
    for (let day = 0; day < 3; day += 1) {
      bench.clock.advance(DAY_MS);
      await pass(HOUR_MS);
    }
    expect(await ids()).toHaveLength(3);
    expect(bench.reports).toContainEqual(expect.stringMatching(/^2 results from before 2062-04-0\d are kept/));
  });
});
