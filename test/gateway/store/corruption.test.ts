import { describe, expect, test } from "vitest";
import { open, putKey, receipt, seededRandom } from "./fixtures.ts";
import { SimFs, systemError } from "./sim-fs.ts";
import {
  DIR,
  EVERYTHING,
  KEYS_AFTER_SNAPSHOT,
  KINDS,
  RECEIPTS,
  TOLD,
  flipBit,
  makeUsedFolder,
  openDamaged,
  seen,
  reported,
} from "./used-folder.ts";
import { dose } from "../../support/dose.ts";
import { receiptIdsOn } from "./receipts-on.ts";

const used = await makeUsedFolder();
const [NEWEST_STATE = "", OLDER_STATE = ""] = used.states;
const [NEWEST_JOURNAL = ""] = used.journals;

describe("a saved state that is damaged loses nothing", () => {
  test.each(KINDS)("newest state: $kind", async ({ damage }) => {
    const bytes = damage(used.contentOf(NEWEST_STATE));
    const opened = await openDamaged(used.with({ [NEWEST_STATE]: bytes }));
    expect(seen(opened)).toEqual(EVERYTHING);
    expect(reported(opened)).toEqual(TOLD);
    expect(opened.store.openingNotices[0]?.message).toContain("An older state and the journal were read instead.");
    expect(opened.quarantined.some((stored) => stored.equals(bytes))).toBe(true);
  });

  test.each(KINDS)("both states: $kind", async ({ damage }) => {
    const [newest, older] = [damage(used.contentOf(NEWEST_STATE)), damage(used.contentOf(OLDER_STATE))];
    const opened = await openDamaged(used.with({ [NEWEST_STATE]: newest, [OLDER_STATE]: older }));
    expect(seen(opened)).toEqual(EVERYTHING);
    expect(reported(opened)).toEqual(TOLD);
    for (const { message } of opened.store.openingNotices) expect(message).toContain("The journal was read instead.");
    for (const bytes of [newest, older]) expect(opened.quarantined.some((stored) => stored.equals(bytes))).toBe(true);
  });

  test("one bit flipped anywhere, many times", async () => {
    const random = seededRandom(7);
    const bytes = used.contentOf(NEWEST_STATE);
    for (let round = 0; round < dose(60, 1_000); round += 1) {
      const flipped = flipBit(bytes, Math.floor(random() * bytes.length * 8));
      expect(seen(await openDamaged(used.with({ [NEWEST_STATE]: flipped })))).toEqual(EVERYTHING);
    }
  });

  test("cut at 64 places", async () => {
    const bytes = used.contentOf(NEWEST_STATE);
    for (let part = 0; part < 64; part += 1) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 64));
      expect(seen(await openDamaged(used.with({ [NEWEST_STATE]: cut })))).toEqual(EVERYTHING);
    }
  });

  test("a newest state that the disk cannot read is damage, and one that may not be read ends the start", async () => {
    const fs = new SimFs(used.disk);
    const read = fs.readWhole.bind(fs);
    let code = "EACCES";
    fs.readWhole = (path) => (path === NEWEST_STATE ? Promise.reject(systemError(code)) : read(path));
    await expect(open({ dir: DIR, fs })).rejects.toThrow("EACCES");
    code = "EIO";
    expect(seen(await open({ dir: DIR, fs }))).toEqual(EVERYTHING);
  });

  test("a missing newest state is not a fresh install", async () => {
    const opened = await openDamaged(used.with({ [NEWEST_STATE]: null }));
    expect(seen(opened)).toEqual(EVERYTHING);
    expect(opened.store.fresh).toBe(false);
  });
});

describe("a journal that is damaged gives all its whole lines", () => {
  const beforeIt = ["old-0", "old-1"];

  test.each(KINDS)("newest journal: $kind", async ({ kind, damage }) => {
    const bytes = damage(used.contentOf(NEWEST_JOURNAL));
    const opened = await openDamaged(used.with({ [NEWEST_JOURNAL]: bytes }));
    for (const id of beforeIt) expect(opened.store.document.keys.has(id)).toBe(true);
    expect(seen(opened)).toMatchObject({ nano: EVERYTHING.nano, unfinished: [] });
    if (kind === "empty" || kind === "a byte order mark" || kind === "written twice") return;
    expect(reported(opened)).toEqual(TOLD);
    expect(opened.quarantined.some((stored) => stored.equals(bytes))).toBe(true);
  });

  test("one bit flipped anywhere, many times, loses the lines that it is in and no others", async () => {
    const random = seededRandom(8);
    const bytes = used.contentOf(NEWEST_JOURNAL);
    for (let round = 0; round < dose(60, 1_000); round += 1) {
      const flipped = flipBit(bytes, Math.floor(random() * bytes.length * 8));
      const { store } = await openDamaged(used.with({ [NEWEST_JOURNAL]: flipped }));
      // A flipped line ending joins two lines.
      expect(store.document.keys.size).toBeGreaterThanOrEqual(KEYS_AFTER_SNAPSHOT + 2 - 2);
    }
  });

  test("the damage is left behind: the next start has nothing to tell", async () => {
    const opened = await openDamaged(used.with({ [NEWEST_JOURNAL]: flipBit(used.contentOf(NEWEST_JOURNAL), 4_000) }));
    await opened.store.close();
    const again = await open({ dir: DIR, fs: new SimFs(opened.fs.afterKill()) });
    expect(again.store.openingNotices).toEqual([]);
    expect(again.store.document.keys.size).toBe(opened.store.document.keys.size);
  });
});

describe("a usage segment that is damaged", () => {
  const segment = "/data/usage/usage-2026-11.ndjson";

  test.each(KINDS)("never stops a start: $kind", async ({ damage }) => {
    const opened = await openDamaged(used.with({ [segment]: damage(used.contentOf(segment)) }));
    // What a saved state has counted stays counted; only what came after it can be missing.
    expect(opened.store.document.spend.get("*")?.total_nano).toBeGreaterThanOrEqual(40);
    expect(opened.store.document.spend.get("*")?.total_nano).toBeLessThanOrEqual(60);
    expect(opened.store.document.keys.size).toBe(KEYS_AFTER_SNAPSHOT + 2);
    await opened.store.usage.settle(receipt("later"));
    await opened.store.usage.sync();
    expect(await receiptIdsOn(opened.fs, DIR)).toContain("later");
  });

  test.each([
    ["gone", null],
    ["cut before what was counted", Buffer.alloc(0)],
  ])("that is %s is reported, and nothing is forgotten or counted twice", async (_, bytes) => {
    const opened = await openDamaged(used.with({ [segment]: bytes }));
    expect(reported(opened)).toEqual(TOLD);
    expect(seen(opened).nano).toBe((RECEIPTS - 1) * 10);
    const again = await open({ dir: DIR, fs: new SimFs(opened.fs.afterKill()) });
    expect(again.store.openingNotices).toEqual([]);
    expect(seen(again).nano).toBe((RECEIPTS - 1) * 10);
  });

  test("without any state all segments are counted again", async () => {
    const opened = await openDamaged(used.without(/\/state\./));
    expect(seen(opened)).toEqual(EVERYTHING);
  });
});

describe("files in each other's place", () => {
  test.each([
    ["the two states", () => [NEWEST_STATE, OLDER_STATE]],
    ["state and journal", () => [NEWEST_STATE, NEWEST_JOURNAL]],
    ["two journals", () => [NEWEST_JOURNAL, used.journals[1] ?? ""]],
    ["two months of usage", () => ["/data/usage/usage-2026-11.ndjson", "/data/usage/usage-2026-12.ndjson"]],
  ])("%s: everything is there", async (_, pair) => {
    const [first = "", second = ""] = pair();
    const opened = await openDamaged(used.with({ [first]: used.contentOf(second), [second]: used.contentOf(first) }));
    expect(seen(opened)).toEqual(EVERYTHING);
    await opened.store.commit([putKey("after")]);
    const again = await open({ dir: DIR, fs: new SimFs(opened.fs.afterKill()) });
    expect(again.store.document.keys.size).toBe(KEYS_AFTER_SNAPSHOT + 3);
    expect(seen(again)).toMatchObject({ nano: EVERYTHING.nano, unfinished: [] });
  });
});
