import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { frame } from "../../../gateway/store/line.ts";
import { NOON, dropKey, open, openCall, putKey, receipt, seededRandom } from "./fixtures.ts";
import type { Opened } from "./fixtures.ts";
import { SimFs } from "./sim-fs.ts";
import type { Disk } from "./sim-fs.ts";

const DIR = "/data";
const MONTH_MS = 31 * 86_400_000;
const READY_MS = 2_000;
const SNAPSHOTS = 2;
const KEYS_AFTER_SNAPSHOT = 20;

/** A used folder: two generations, a journal with changes after them, two months of usage, secrets. */
let used: Disk;
let newestState: string;
let olderState: string;
let newestJournal: string;
const settled = ["r0", "r1", "r2", "r3", "r4", "r5"];

beforeAll(async () => {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store } = await open({ dir: DIR, fs });
  for (let round = 0; round < SNAPSHOTS; round += 1) {
    await store.commit([putKey(`old-${round}`), putKey(`revoked-${round}`)]);
    await store.commit([dropKey(`revoked-${round}`)]);
    await store.usage.settle(receipt(`r${round * 2}`));
    await store.usage.settle(receipt(`r${round * 2 + 1}`, { at: NOON + MONTH_MS }));
    await store.snapshot();
  }
  for (let index = 0; index < KEYS_AFTER_SNAPSHOT; index += 1) await store.commit([putKey(`new-${index}`)]);
  await store.secrets.add("vendor key");
  store.usage.begin(openCall("r5"));
  await store.usage.settle(receipt("r4"));
  await store.usage.settle(receipt("r5", { at: NOON + MONTH_MS }));
  await store.usage.synced();
  used = fs.afterKill();
  await store.close();
  const states = filesLike(/state\.(\d+)\.ndjson$/);
  const journals = filesLike(/journal\.(\d+)\.ndjson$/);
  newestState = states[0] ?? "";
  olderState = states[1] ?? "";
  newestJournal = journals[0] ?? "";
});

function filesLike(pattern: RegExp): string[] {
  const number = (path: string): number => Number(pattern.exec(path)?.[1]);
  const found = [...used.files.keys()].filter((path) => pattern.test(path));
  return found.toSorted((a, b) => number(b) - number(a));
}

const contentOf = (path: string): Buffer => used.files.get(path) ?? Buffer.alloc(0);

function withFiles(changes: Readonly<Record<string, Buffer | null>>): Disk {
  const files = new Map(used.files);
  for (const [path, bytes] of Object.entries(changes)) {
    if (bytes === null) files.delete(path);
    else files.set(path, bytes);
  }
  return { files, folders: used.folders };
}

async function openDamaged(disk: Disk): Promise<Opened & { fs: SimFs; quarantined: Buffer[] }> {
  const fs = new SimFs(disk);
  const started = performance.now();
  const opened = await open({ dir: DIR, fs });
  expect(performance.now() - started).toBeLessThan(READY_MS);
  const quarantined = [...fs.afterKill().files]
    .filter(([path]) => path.includes("/quarantine/"))
    .map(([, bytes]) => bytes);
  return { ...opened, fs, quarantined };
}

/** The keys, the spend and the open calls of a store. */
function seen({ store }: Pick<Opened, "store">) {
  const keys = [...store.document.keys.keys()].toSorted();
  return { keys, nano: store.document.spend.get("*")?.total_nano, unfinished: store.unfinished };
}

const EVERYTHING: ReturnType<typeof seen> = {
  keys: ["old-0", "old-1", ...Array.from({ length: KEYS_AFTER_SNAPSHOT }, (_, index) => `new-${index}`)].toSorted(),
  nano: settled.length * 10,
  unfinished: [],
};

function expectTold({ store, events }: Opened): void {
  expect(store.openingNotices.length).toBeGreaterThan(0);
  for (const notice of store.openingNotices) expect(store.document.notices.get(notice.id)).toEqual(notice);
  expect(events.filter((event) => event.level === "warning").length).toBe(store.openingNotices.length);
  expect(store.fresh).toBe(false);
  expect(store.writable).toBe(true);
}

const flipBit = (bytes: Buffer, bit: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return flipped;
};

/** The twelve ways in which a file can be wrong, other than being another file. */
const KINDS: readonly { readonly kind: string; readonly damage: (bytes: Buffer) => Buffer }[] = [
  { kind: "empty", damage: () => Buffer.alloc(0) },
  { kind: "filled with zeros", damage: (bytes) => Buffer.alloc(bytes.length) },
  { kind: "cut in half", damage: (bytes) => bytes.subarray(0, bytes.length >> 1) },
  { kind: "without its last byte", damage: (bytes) => bytes.subarray(0, bytes.length - 1) },
  { kind: "flipped in one bit", damage: (bytes) => flipBit(bytes, bytes.length * 4) },
  { kind: "null", damage: () => Buffer.from("null") },
  { kind: "[]", damage: () => Buffer.from("[]\n") },
  { kind: "wrong types", damage: (bytes) => Buffer.from(bytes.toString().replaceAll('"name":', '"name":1,"n":')) },
  { kind: "a byte order mark", damage: (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]) },
  { kind: "invalid UTF-8", damage: (bytes) => Buffer.concat([Buffer.from([0xc3, 0x28, 0xff]), bytes]) },
  { kind: "nested 100,000 deep", damage: () => Buffer.from(frame("[".repeat(100_000) + "]".repeat(100_000))) },
  { kind: "written twice", damage: (bytes) => Buffer.concat([bytes, bytes]) },
];

describe("a saved state that is damaged loses nothing", () => {
  test.each(KINDS)("newest state: $kind", async ({ damage }) => {
    const bytes = damage(contentOf(newestState));
    const opened = await openDamaged(withFiles({ [newestState]: bytes }));
    expect(seen(opened)).toEqual(EVERYTHING);
    expectTold(opened);
    expect(opened.quarantined.some((kept) => kept.equals(bytes))).toBe(true);
  });

  test.each(KINDS)("both states: $kind", async ({ damage }) => {
    const [newest, older] = [damage(contentOf(newestState)), damage(contentOf(olderState))];
    const opened = await openDamaged(withFiles({ [newestState]: newest, [olderState]: older }));
    expect(seen(opened)).toEqual(EVERYTHING);
    expectTold(opened);
    for (const bytes of [newest, older]) expect(opened.quarantined.some((kept) => kept.equals(bytes))).toBe(true);
  });

  test("one bit flipped anywhere, 1,000 times", async () => {
    const random = seededRandom(7);
    const bytes = contentOf(newestState);
    for (let round = 0; round < 1_000; round += 1) {
      const flipped = flipBit(bytes, Math.floor(random() * bytes.length * 8));
      expect(seen(await openDamaged(withFiles({ [newestState]: flipped })))).toEqual(EVERYTHING);
    }
  });

  test("cut at 64 places", async () => {
    const bytes = contentOf(newestState);
    for (let part = 0; part < 64; part += 1) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * part) / 64));
      expect(seen(await openDamaged(withFiles({ [newestState]: cut })))).toEqual(EVERYTHING);
    }
  });

  test("a missing newest state is not a fresh install", async () => {
    const opened = await openDamaged(withFiles({ [newestState]: null }));
    expect(seen(opened)).toEqual(EVERYTHING);
    expect(opened.store.fresh).toBe(false);
  });
});

describe("a journal that is damaged gives all its whole lines", () => {
  const beforeIt = ["old-0", "old-1"];

  test.each(KINDS)("newest journal: $kind", async ({ kind, damage }) => {
    const bytes = damage(contentOf(newestJournal));
    const opened = await openDamaged(withFiles({ [newestJournal]: bytes }));
    for (const id of beforeIt) expect(opened.store.document.keys.has(id)).toBe(true);
    expect(seen(opened)).toMatchObject({ nano: EVERYTHING.nano, unfinished: [] });
    if (kind === "empty" || kind === "a byte order mark" || kind === "written twice") return;
    expectTold(opened);
    expect(opened.quarantined.some((kept) => kept.equals(bytes))).toBe(true);
  });

  test("one bit flipped anywhere, 1,000 times, loses the lines that it is in and no others", async () => {
    const random = seededRandom(8);
    const bytes = contentOf(newestJournal);
    for (let round = 0; round < 1_000; round += 1) {
      const flipped = flipBit(bytes, Math.floor(random() * bytes.length * 8));
      const { store } = await openDamaged(withFiles({ [newestJournal]: flipped }));
      // A flipped line ending joins two lines.
      expect(store.document.keys.size).toBeGreaterThanOrEqual(KEYS_AFTER_SNAPSHOT + 2 - 2);
    }
  });

  test("the damage is left behind: the next start has nothing to tell", async () => {
    const opened = await openDamaged(withFiles({ [newestJournal]: flipBit(contentOf(newestJournal), 4_000) }));
    await opened.store.close();
    const again = await open({ dir: DIR, fs: new SimFs(opened.fs.afterKill()) });
    expect(again.store.openingNotices).toEqual([]);
    expect(again.store.document.keys.size).toBe(opened.store.document.keys.size);
  });
});

describe("a usage segment that is damaged", () => {
  const segment = "/data/usage/usage-2026-11.ndjson";

  test.each(KINDS)("never stops a start: $kind", async ({ damage }) => {
    const opened = await openDamaged(withFiles({ [segment]: damage(contentOf(segment)) }));
    // What a saved state has counted stays counted; only what came after it can be missing.
    expect(opened.store.document.spend.get("*")?.total_nano).toBeGreaterThanOrEqual(40);
    expect(opened.store.document.spend.get("*")?.total_nano).toBeLessThanOrEqual(60);
    expect(opened.store.document.keys.size).toBe(KEYS_AFTER_SNAPSHOT + 2);
    await opened.store.usage.settle(receipt("later"));
    await opened.store.usage.synced();
    expect((await opened.store.usage.list({ limit: 1, key: "k1" })).data).toHaveLength(1);
  });

  test("without any state all segments are counted again", async () => {
    const gone = Object.fromEntries(
      [...used.files.keys()].filter((path) => path.includes("/state.")).map((path) => [path, null]),
    );
    const opened = await openDamaged(withFiles(gone));
    expect(seen(opened)).toEqual(EVERYTHING);
  });
});

describe("files in each other's place", () => {
  test.each([
    ["the two states", () => [newestState, olderState]],
    ["state and journal", () => [newestState, newestJournal]],
    ["two journals", () => [newestJournal, filesLike(/journal\.(\d+)\.ndjson$/)[1] ?? ""]],
    ["two months of usage", () => ["/data/usage/usage-2026-11.ndjson", "/data/usage/usage-2026-12.ndjson"]],
  ])("%s: everything is there", async (_, pair) => {
    const [first = "", second = ""] = pair();
    const opened = await openDamaged(withFiles({ [first]: contentOf(second), [second]: contentOf(first) }));
    expect(seen(opened)).toEqual(EVERYTHING);
    await opened.store.commit([putKey("after")]);
    const again = await open({ dir: DIR, fs: new SimFs(opened.fs.afterKill()) });
    expect(again.store.document.keys.size).toBe(KEYS_AFTER_SNAPSHOT + 3);
    expect(seen(again)).toMatchObject({ nano: EVERYTHING.nano, unfinished: [] });
  });
});

describe("other files", () => {
  test.each(KINDS)("the marker: $kind", async ({ damage }) => {
    const path = "/data/postern.json";
    expect(seen(await openDamaged(withFiles({ [path]: damage(contentOf(path)) })))).toEqual(EVERYTHING);
  });

  test.each(["/data/secrets.json", "/data/secret.key"])(
    "%s damaged: set aside, and keys can be added again",
    async (path) => {
      for (const { damage } of KINDS) {
        const bytes = damage(contentOf(path));
        const opened = await openDamaged(withFiles({ [path]: bytes }));
        expect(seen(opened)).toEqual(EVERYTHING);
        const whole = opened.store.openingNotices.length === 0;
        expect(whole || opened.quarantined.some((kept) => kept.equals(bytes))).toBe(true);
        expect(opened.store.secrets.locked).toBeNull();
        const id = await opened.store.secrets.add("again");
        expect(opened.store.secrets.get(id)).toBe("again");
      }
    },
  );

  test("a folder whose state and journals are gone says so and is no fresh install", async () => {
    const gone = Object.fromEntries(
      [...used.files.keys()].filter((path) => /state|journal/.test(path)).map((path) => [path, null]),
    );
    const opened = await openDamaged(withFiles(gone));
    expectTold(opened);
    expect(seen(opened)).toMatchObject({ nano: EVERYTHING.nano, unfinished: [] });
  });
});

describe("a record that is whole and wrong", () => {
  test("is set aside alone", async () => {
    const lines = contentOf(newestState).toString().split("\n").slice(0, -2);
    const wrong = frame('{"in":"keys","record":{"id":"old-0","rpm":"many"}}').trimEnd();
    const body = `${lines.map((line) => (line.includes('"old-0"') ? wrong : line)).join("\n")}\n`;
    const sha256 = createHash("sha256").update(body).digest("hex");
    const sealed = Buffer.from(body + frame(JSON.stringify({ count: lines.length - 1, sha256 })));
    const opened = await openDamaged(withFiles({ [newestState]: sealed }));
    expect(opened.store.document.keys.has("old-0")).toBe(false);
    expect(opened.store.document.keys.has("old-1")).toBe(true);
    expectTold(opened);
    expect(opened.quarantined.some((kept) => kept.toString().includes('"rpm":"many"'))).toBe(true);
  });
});

describe("a folder of a newer version", () => {
  test("opens for reading only, says who wrote it, and is left as it was", async () => {
    const fs = new SimFs(used);
    const newer = await open({ dir: DIR, fs, schemaVersion: 2, writtenBy: "Postern 9.0.0" });
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
