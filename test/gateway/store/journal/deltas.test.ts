import { expect, test } from "vitest";
import { NOON, dropKey, open, openCall, putKey, receipt, reseal } from "../fixtures.ts";
import { SimFs, systemError, type Disk } from "../sim-fs.ts";
import { USED_DAYS, usedDisk } from "../used-disk.ts";

const DIR = "/data";
const DAY_MS = 86_400_000;
const used = await usedDisk(DIR);

const named = (disk: Disk, kind: "state" | "delta"): string[] =>
  [...disk.files.keys()].filter((path) => path.startsWith(`${DIR}/${kind}.`));

/** A used folder in which something was changed and deleted after its generation, with a delta of it. */
async function withDelta(): Promise<Disk> {
  const fs = new SimFs(used.disk);
  const { store } = await open({ dir: DIR, fs });
  await store.commit([putKey("a"), putKey("b")]);
  await store.usage.settle(receipt("today"));
  await store.snapshot();
  await store.commit([putKey("a", "renamed"), dropKey("b")]);
  store.usage.begin(openCall("open"));
  await store.usage.sync();
  await store.snapshot();
  return fs.afterKill();
}

async function contents(disk: Disk): Promise<unknown> {
  const { store, events } = await open({ dir: DIR, fs: new SimFs(disk) });
  const { keys, spend, daily } = store.document;
  const found = {
    keys: [...keys.values()].map(({ id, name }) => [id, name]),
    spent: spend.get("*")?.total_nano,
    days: new Map([...daily.values()].map(({ id, requests }) => [id, requests])),
    open: store.unfinished.map(({ id }) => id),
  };
  await store.close();
  return { found, events: events.filter(({ level }) => level !== "info").map(({ event }) => event) };
}

test("a delta holds what has changed since its generation, and a start finds all of it", async () => {
  const disk = await withDelta();
  const [state = ""] = named(used.disk, "state");
  expect(named(disk, "state")).toEqual([state]);
  const deltas = named(disk, "delta");
  expect(deltas).toHaveLength(2);
  const size = (path: string): number => disk.files.get(path)?.length ?? 0;
  for (const path of deltas) expect(size(path)).toBeLessThan(size(state) / 50);

  const { found } = (await contents(disk)) as {
    found: { keys: unknown; open: unknown; spent: number; days: Map<string, number> };
  };
  expect(found.keys).toEqual([["a", "renamed"]]);
  expect(found.open).toEqual(["open"]);
  expect(found.spent).toBe(10 * (used.receipts.length + 1));
  expect([...found.days.values()].reduce((sum, count) => sum + count, 0)).toBe(used.receipts.length + 1);
});

test("it is not read where it is missing, and the logs give the same", async () => {
  const disk = await withDelta();
  const files = new Map([...disk.files].filter(([path]) => !named(disk, "delta").includes(path)));
  expect(await contents({ ...disk, files })).toEqual(await contents(disk));
});

test.each(["the newest", "both"])("%s can be damaged: it is set aside, and the logs give the same", async (which) => {
  const disk = await withDelta();
  const { found } = (await contents(disk)) as { found: unknown };
  const deltas = named(disk, "delta").toSorted((a, b) => Number(/\d+/.exec(b)) - Number(/\d+/.exec(a)));
  const damaged = which === "both" ? deltas : deltas.slice(0, 1);
  const files = new Map(disk.files);
  for (const path of damaged) {
    const bytes = Buffer.from(files.get(path) as Buffer);
    bytes.writeUInt8((bytes[bytes.length >> 1] ?? 0) ^ 1, bytes.length >> 1);
    files.set(path, bytes);
  }
  expect(await contents({ ...disk, files })).toEqual({ found, events: damaged.map(() => "store.damaged") });
});

test.each<[string, "state" | "delta", readonly [string, string], object, readonly string[]]>([
  ["whose generation is there is read", "delta", ["renamed", "forged"], { keys: [["a", "forged"]] }, []],
  [
    "whose generation is another is not read",
    "state",
    ['"writtenBy":', '"writtenBy": '],
    { keys: [["a", "renamed"]] },
    [],
  ],
  [
    "of another version is not read",
    "delta",
    ['"schemaVersion":', '"schemaVersion":1'],
    { keys: [["a", "renamed"]] },
    [],
  ],
  [
    "with a record that is wrong is read without it",
    "delta",
    ['"name":"renamed"', '"name":5'],
    { keys: [] },
    ["store.invalid-record"],
  ],
])("one %s", async (_, kind, [from, to], expected, events) => {
  const disk = await withDelta();
  const path = named(disk, kind).at(-1) ?? "";
  const files = new Map(disk.files);
  // What is forged is in no journal.
  for (const each of named(disk, "delta"))
    if (kind === "state") files.set(each, reseal(disk.files.get(each) as Buffer, "renamed", "forged"));
  files.set(path, reseal(disk.files.get(path) as Buffer, from, to));
  expect(await contents({ ...disk, files })).toMatchObject({ found: expected, events });
});

test("one of another generation is not read", async () => {
  const fs = new SimFs(used.disk);
  const { store, clock } = await open({ dir: DIR, fs });
  await store.commit([putKey("other")]);
  clock.at += DAY_MS;
  await store.snapshot();
  const newer = fs.afterKill();
  const disk = await withDelta();
  const files = new Map(newer.files);
  for (const path of named(disk, "delta")) files.set(path, disk.files.get(path) as Buffer);
  expect(await contents({ ...newer, files })).toEqual(await contents(newer));
});

test("none is read after another version, which may have put an older state in its place and left them", async () => {
  const fs = new SimFs(used.disk);
  const { store } = await open({ dir: DIR, fs });
  await store.commit([putKey("a")]);
  const older = fs.afterKill();
  await store.commit([dropKey("a"), putKey("b")]);
  await store.usage.settle(receipt("today"));
  await store.snapshot();
  const newer = fs.afterKill();
  const left = named(newer, "delta").map((path) => [path, newer.files.get(path) as Buffer] as const);
  expect(left).toHaveLength(1);
  const marker = { format: "postern-data", schemaVersion: 2, writtenBy: "Postern 0.1.0" };
  const files = new Map([
    ...older.files,
    ...left,
    [`${DIR}/postern.json`, Buffer.from(JSON.stringify(marker))] as const,
  ]);
  const again = new SimFs({ ...older, files });
  const { store: first } = await open({ dir: DIR, fs: again });
  expect([...first.document.keys.keys()]).toEqual(["a"]);
  // Nor at the start after it, with nothing written between them.
  expect(await contents(again.afterKill())).toEqual(await contents(older));
  await first.close();
});

test("a day later a generation takes its place", async () => {
  const fs = new SimFs(await withDelta());
  const { store, clock } = await open({ dir: DIR, fs });
  clock.at += DAY_MS;
  await store.snapshot();
  expect(named(fs.afterKill(), "state")).toHaveLength(2);
  expect(named(fs.afterKill(), "delta")).toEqual([]);
  await store.close();
});

test("a receipt that comes late for a day that is over is counted once, whatever is written meanwhile", async () => {
  let fs = new SimFs(used.disk);
  const at = NOON - USED_DAYS * DAY_MS;
  for (let round = 0; round < 4; round += 1) {
    const { store, clock } = await open({ dir: DIR, fs });
    if (round === 2) clock.at += DAY_MS;
    await store.usage.settle(receipt(`late-${round}`, { at }));
    await store.snapshot();
    await store.usage.settle(receipt(`later-${round}`, { at }));
    await store.usage.sync();
    const row = [...store.document.daily.values()].find(({ model }) => model === "gpt-5");
    expect(row?.requests).toBe(2 * (round + 1));
    const day = new Date(at).toISOString().slice(0, 10);
    expect(store.usage.days.total({ since: day, until: day }).requests).toBe(
      used.receipts.length / USED_DAYS + 2 * (round + 1),
    );
    fs = new SimFs(fs.afterKill());
  }
});

test("rows that went cold say what they said before", async () => {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store, clock } = await open({ dir: DIR, fs });
  for (const day of [0, 1, 2, 3]) await store.usage.settle(receipt(`r${day}`, { at: NOON + day * DAY_MS }));
  const before = structuredClone([...store.document.daily.values()]);
  clock.at = NOON + 4 * DAY_MS;
  await store.snapshot();
  const inOrder = [...store.document.daily.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
  expect(inOrder).toEqual(before);
  const again = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
  expect([...again.store.document.daily.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))).toEqual(before);
  expect(again.store.document.daily.size).toBe(4);
});

test("a backup has the delta too, and is a folder that says the same", async () => {
  const fs = new SimFs(await withDelta());
  const { store } = await open({ dir: DIR, fs });
  await store.commit([putKey("c")]);
  const { path } = await store.backup("manual", async () => Number.POSITIVE_INFINITY);
  const disk = fs.afterKill();
  await store.close();
  const files = new Map<string, Buffer>();
  for (const [name, bytes] of disk.files)
    if (name.startsWith(`${path}/`)) files.set(`${DIR}${name.slice(path.length)}`, bytes);
  const backup: Disk = { files, folders: new Set([DIR, `${DIR}/usage`, `${DIR}/tasks`]) };
  expect(named(backup, "delta")).not.toEqual([]);
  const { found } = (await contents(backup)) as { found: { keys: unknown } };
  expect(found.keys).toEqual([
    ["a", "renamed"],
    ["c", "c"],
  ]);
  expect(await contents(backup)).toEqual(await contents(disk));
});

test("a record that was deleted since the generation stays deleted", async () => {
  const fs = new SimFs(used.disk);
  const { store, clock } = await open({ dir: DIR, fs });
  await store.commit([putKey("old"), putKey("kept"), putKey("changed")]);
  clock.at += DAY_MS;
  await store.snapshot();
  expect(named(fs.afterKill(), "delta")).toEqual([]);
  await store.commit([dropKey("old"), putKey("changed", "anew")]);
  await store.snapshot();
  expect(named(fs.afterKill(), "delta")).toHaveLength(1);
  const { found } = (await contents(fs.afterKill())) as { found: { keys: unknown } };
  expect(found.keys).toEqual([
    ["kept", "kept"],
    ["changed", "anew"],
  ]);
  await store.close();
});

test("a receipt that comes late while its day is being written is counted once, and no row is written twice", async () => {
  const at = NOON - USED_DAYS * DAY_MS;
  const day = new Date(at).toISOString().slice(0, 10);
  const fs = new SimFs(used.disk);
  const { store, clock } = await open({ dir: DIR, fs });
  clock.at += DAY_MS;
  const settled: Promise<void>[] = [];
  fs.onStep = () => {
    const aside = [...fs.afterKill().files].find(([path]) => path.includes("/state.") && path.includes(".tmp-"));
    // The lines of days that are over come first.
    if (settled.length === 0 && String(aside?.[1] ?? "").includes("|k1|")) {
      settled.push(store.usage.settle(receipt("late", { at })));
    }
  };
  await store.snapshot();
  fs.onStep = () => undefined;
  expect(settled).toHaveLength(1);
  await Promise.all(settled);
  const again = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
  for (const { usage } of [store, again.store]) {
    expect(usage.days.total({ since: day, until: day }).requests).toBe(used.receipts.length / USED_DAYS + 1);
    expect(usage.days.total({ since: null, until: null }).requests).toBe(used.receipts.length + 1);
  }
  const [newest = ""] = named(fs.afterKill(), "state").toSorted((a, b) => b.length - a.length || (a < b ? 1 : -1));
  const lines = String(fs.afterKill().files.get(newest))
    .split("\n")
    .filter((line) => line.includes('"in":"daily"'));
  expect(new Set(lines).size).toBe(lines.length);
});

test("a generation that the disk refused takes nothing from the deltas after it", async () => {
  const fs = new SimFs(used.disk);
  const { store } = await open({ dir: DIR, fs });
  const at = NOON - USED_DAYS * DAY_MS;
  await store.usage.settle(receipt("late", { at }));
  // So long that the next to be written is a generation.
  await store.commit([putKey("long", "x".repeat(5 * 1024 * 1024)), dropKey("long")]);
  fs.hold = (call, path) => {
    if (call === "open" && path.includes("/state.")) throw systemError("ENOSPC");
    return null;
  };
  await expect(store.snapshot()).rejects.toThrow("ENOSPC");
  fs.hold = () => null;
  await store.snapshot();
  const reports = ({ document }: typeof store): unknown[] =>
    [...document.daily.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const again = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
  expect(reports(again.store)).toEqual(reports(store));
});
