import { describe, expect, test } from "vitest";
import { open, putKey, receipt, reseal } from "./fixtures.ts";
import { findMarker } from "../../../gateway/store/folder/data-folder.ts";
import { SimFs } from "./sim-fs.ts";
import { DIR, EVERYTHING, KINDS, TOLD, makeUsedFolder, openDamaged, seen, reported } from "./used-folder.ts";

const used = await makeUsedFolder();
const [NEWEST_STATE = ""] = used.states;

describe("other files", () => {
  test.each(KINDS)("the marker: $kind", async ({ damage }) => {
    const path = "/data/postern.json";
    expect(seen(await openDamaged(used.with({ [path]: damage(used.contentOf(path)) })))).toEqual(EVERYTHING);
  });

  test("the marker: any bit of it that changes is noticed, and its bytes are kept", async () => {
    const path = "/data/postern.json";
    const whole = used.contentOf(path);
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const bytes = Buffer.from(whole);
      bytes[bit >>> 3] = (bytes[bit >>> 3] ?? 0) ^ (1 << (bit & 7));
      expect(findMarker(bytes), bytes.toString("latin1")).toBeNull();
    }
    const bytes = Buffer.from(whole.toString().replace('schemaVersion":2', 'schemaVersion":3'));
    const opened = await openDamaged(used.with({ [path]: bytes }));
    expect(opened.quarantined).toContainEqual(bytes);
    expect(opened.store.openingNotices).toHaveLength(1);
  });

  test("the marker of an earlier version has no check, and gets one", async () => {
    const path = "/data/postern.json";
    const { check: _, ...earlier } = JSON.parse(used.contentOf(path).toString()) as Record<string, unknown>;
    expect(findMarker(Buffer.from(JSON.stringify(earlier)))).toEqual(earlier);
    expect(findMarker(Buffer.from(JSON.stringify({ ...earlier, bheck: 1 })))).toBeNull();
    const opened = await openDamaged(used.with({ [path]: Buffer.from(JSON.stringify(earlier)) }));
    expect(opened.quarantined).toEqual([]);
  });

  test.each(["/data/secrets.json", "/data/secret.key"])(
    "%s damaged: set aside, and keys can be added again",
    async (path) => {
      for (const { damage } of KINDS) {
        const bytes = damage(used.contentOf(path));
        const opened = await openDamaged(used.with({ [path]: bytes }));
        expect(seen(opened)).toEqual(EVERYTHING);
        const whole = opened.store.openingNotices.length === 0;
        expect(whole || opened.quarantined.some((stored) => stored.equals(bytes))).toBe(true);
        expect(opened.store.secrets.locked).toBeNull();
        const id = await opened.store.secrets.add("again");
        expect(opened.store.secrets.get(id)).toBe("again");
      }
    },
  );

  test("a folder whose state and journals are gone says so and is no fresh install", async () => {
    const opened = await openDamaged(used.without(/state|journal/));
    expect(reported(opened)).toEqual(TOLD);
    expect(seen(opened)).toMatchObject({ nano: EVERYTHING.nano, unfinished: [] });
  });
});

describe("a record that is whole and wrong", () => {
  const OLD_KEY = /^.*"name":"old-0".*$/u;
  test.each<[string, string | RegExp, string, boolean]>([
    ["is set aside alone", '"name":"old-0"', '"rpm":"many"', false],
    ["is set aside alone, also where it is none", OLD_KEY, "null", false],
    ["is set aside alone, also a day's", /^.*"in":"daily".*$/u, '{"in":"daily","record":{}}', true],
    ["is read in the older state where it is no JSON", OLD_KEY, "{", true],
    ["is read in the older state where the header is wrong", '"format":"', '"format":"x', true],
  ])("%s", async (_, from, to, hasKey) => {
    const wrong = reseal(used.contentOf(NEWEST_STATE), from, to);
    const opened = await openDamaged(used.with({ [NEWEST_STATE]: wrong }));
    expect(opened.store.document.keys.has("old-0")).toBe(hasKey);
    expect(opened.store.document.keys.has("old-1")).toBe(true);
    expect(reported(opened)).toEqual(TOLD);
    expect(opened.quarantined.some((stored) => stored.toString().includes(to))).toBe(true);
    expect((await open({ dir: DIR, fs: new SimFs(opened.fs.afterKill()) })).store.openingNotices).toEqual([]);
  });
});

describe("a folder of a newer version", () => {
  test("opens for reading only, says who wrote it, and is left as it was", async () => {
    const fs = new SimFs(used.disk);
    const newer = await open({ dir: DIR, fs, schemaVersion: 99, writtenBy: "Postern 9.0.0" });
    await newer.store.close();
    const before = fs.afterKill();
    const older = new SimFs(before);
    const { store } = await open({ dir: DIR, fs: older });
    expect(seen({ store })).toEqual(EVERYTHING);
    expect(store.writable).toBe(false);
    await expect(store.commit([putKey("x")])).rejects.toThrow(/written by Postern 9\.0\.0/);
    await expect(store.secrets.add("x")).rejects.toThrow(/read-only/);
    await store.usage.settle(receipt("unwritten"));
    await store.close();
    expect(new Map(older.afterKill().files)).toEqual(new Map(before.files));
  });
});
