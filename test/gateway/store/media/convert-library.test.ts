import { cp, mkdir, readFile, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MediaEntry } from "../../../../gateway/contract/media.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { upgradeMediaIndex } from "../../../../gateway/store/folder/upgrade-folder.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { mediaOrigin, png, wav } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { EarlierFolder, textOf } from "./earlier-library.ts";
import { addMedia, idsOf, openMedia } from "./media-fixtures.ts";

const HOUR_MS = 3_600_000;
const COUNT = 12;
const IDS = Array.from({ length: COUNT }, (_, index) => `media_${COUNT - 1 - index}`);

let dir: string;
const opened: MediaStore[] = [];
beforeEach(async () => {
  dir = await temporaryFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await rm(dir, { recursive: true, force: true });
});

async function open(): Promise<MediaStore> {
  const store = await openMedia({ dir });
  opened.push(store);
  return store;
}

async function reopen(store: MediaStore): Promise<MediaStore> {
  await store.close();
  return open();
}

const log = (): string => join(dir, "media", "index.ndjson");
const copy = (): string => join(dir, "media", "index.copy.ndjson");
const bytesOf = (index: number): Buffer => (index % 2 === 0 ? png(4, 4, index) : wav(20 + index));

/** A library of an earlier version with twelve results. */
function used(): EarlierFolder {
  const folder = new EarlierFolder();
  for (let index = 0; index < COUNT; index += 1)
    folder.add(`media_${index}`, bytesOf(index), { prompt: `Prompt of ${index}` }, NOON + index);
  return folder;
}

/** What the library says of each result, newest first. */
async function prompts(store: MediaStore): Promise<(string | undefined)[]> {
  return (await store.list({ limit: 100, before: null })).data.map(({ entry }) => entry.origin?.prompt);
}

async function expectFiles(store: MediaStore): Promise<void> {
  for (const { entry, path, missing } of (await store.list({ limit: 100, before: null })).data) {
    expect([entry.id, missing]).toEqual([entry.id, false]);
    expect(await readFile(path)).toEqual(bytesOf(Number(entry.id.slice(6))));
  }
}

async function quarantined(): Promise<Buffer[]> {
  const folder = join(dir, "quarantine");
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return Promise.all(names.filter((name) => name.isFile()).map((name) => readFile(join(name.parentPath, name.name))));
}

/** Names of files with a hash. */
async function hashed(): Promise<string[]> {
  const names = await readdir(join(dir, "media"), { recursive: true });
  return names.filter((name) => /[0-9a-f]{64}/.test(name));
}

const random = seededRandom(23);
const OTHER = Buffer.from(
  Array.from({ length: 40 }, (_, n) => frame(JSON.stringify({ n, receipt: "another" }))).join(""),
);

/** All that may have become of a file, and how it is called. */
const DAMAGES: readonly (readonly [string, (bytes: Buffer) => Buffer | null, RegExp | null])[] = [
  ["gone", () => null, /is gone\. Its second copy still had 12/],
  ["empty", () => Buffer.alloc(0), /is damaged\. Its second copy still had 12/],
  ["full of zeros", (bytes) => Buffer.alloc(bytes.length), /is damaged\. Its second copy still had 12/],
  ["cut in the middle of a line", (bytes) => bytes.subarray(0, bytes.length >> 1), /Its second copy still had/],
  [
    "cut after a line",
    (bytes) => bytes.subarray(0, bytes.indexOf("\n", bytes.length >> 1) + 1),
    /Its second copy still had/,
  ],
  [
    "changed in the middle",
    (bytes) => Buffer.concat([bytes.subarray(0, 900), Buffer.from("!"), bytes.subarray(901)]),
    /Its second copy still had 1 of/,
  ],
  ["noise", (bytes) => Buffer.from(bytes.map(() => 1 + Math.floor(random() * 255))), /Its second copy still had 12/],
  [
    "of which the first half is another file's",
    (bytes) => Buffer.concat([OTHER.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)]),
    /is damaged\. Its second copy still had/,
  ],
  ["another file", () => OTHER, /is damaged\. Its second copy still had 12/],
  ["with other line endings", (bytes) => Buffer.from(bytes.toString().replaceAll("\n", "\r\n")), null],
  ["with a mark before it", (bytes) => Buffer.concat([Buffer.from("\uFEFF"), bytes]), null],
];

async function damage(path: string, change: (bytes: Buffer) => Buffer | null): Promise<Buffer | null> {
  const bytes = change(await readFile(path));
  if (bytes === null) await rm(path);
  else await writeFile(path, bytes);
  return bytes;
}

describe("a library of an earlier version", () => {
  it("has everything, each file next to its sidecar, and nothing is done a second time", async () => {
    const folder = used();
    folder.add("media_same", png(4, 4, 0), { prompt: "Same" }, NOON + 20);
    folder.lines.push({ op: "add", entry: folder.add("media_film", wav(9)), extension: "wav" });
    folder.setPoster("media_film", png(2, 2));
    await folder.write(dir);
    const store = await open();
    expect(store.problems).toEqual([]);
    expect(await idsOf(store)).toEqual(["media_film", "media_same", ...IDS]);
    expect(await prompts(store)).toEqual([
      "A lighthouse at dusk.",
      "Same",
      ...IDS.map((id) => `Prompt of ${id.slice(6)}`),
    ]);
    expect(await readFile((await store.files.findPoster("media_film"))?.path ?? "")).toEqual(png(2, 2));
    expect(await hashed()).toEqual([]);
    const sidecars = await sidecarsNow();
    const again = await reopen(store);
    expect(await sidecarsNow()).toEqual(sidecars);
    await addMedia(again, "media_new", png(9, 9), {}, NOON + HOUR_MS);
    expect(await idsOf(again)).toEqual(["media_new", "media_film", "media_same", ...IDS]);
  });

  it("keeps the order of its log where results were saved with a wrong clock", async () => {
    const folder = new EarlierFolder();
    for (const [id, at] of [
      ["media_1", NOON],
      ["media_2", NOON - HOUR_MS],
      ["media_3", NOON - 1],
    ] as const)
      folder.add(id, png(4, 4, 1), {}, at);
    await folder.write(dir);
    expect(await idsOf(await open())).toEqual(["media_3", "media_2", "media_1"]);
  });

  it("goes on with what was to be fetched and to be removed", async () => {
    const folder = used();
    const pending = { url: "https://a.example/1", target: "a:443", expires_at: NOON, at: NOON, origin: mediaOrigin() };
    for (const id of ["media_a", "media_b", "media_1"])
      folder.lines.push({ op: "pending", pending: { ...pending, id } });
    folder.lines.push(
      { op: "drop", id: "media_b" },
      { op: "deleted", ids: ["media_3", "media_4"], until: NOON + 1 },
      { op: "restored", ids: ["media_4"] },
      { op: "deleted", ids: ["media_5"], until: NOON },
      { op: "removed", ids: ["media_6"] },
    );
    await folder.write(dir);
    let store = await open();
    for (let round = 0; round < 2; round += 1) {
      expect(store.pending.map(({ id }) => id)).toEqual(["media_a"]);
      expect(await idsOf(store)).toEqual(IDS.filter((id) => !["media_3", "media_5", "media_6"].includes(id)));
      store = await reopen(store);
    }
    expect(await store.removeDue(NOON)).toBe(1);
    expect(await store.bringBack(["media_3", "media_5"], NOON)).toEqual(["media_3"]);
    store = await reopen(store);
    expect(await idsOf(store)).toEqual(IDS.filter((id) => !["media_5", "media_6"].includes(id)));
  });

  it("says of which results the file is gone", async () => {
    const folder = used();
    const entry = folder.add("media_gone", png(7, 7), {}, NOON + 30);
    folder.files.delete(`${entry.sha256.slice(0, 2)}/${entry.sha256}.png`);
    await folder.write(dir);
    const { data } = await (await open()).list({ limit: 2, before: null });
    expect(data.map(({ entry: { id }, missing }) => [id, missing])).toEqual([
      ["media_gone", true],
      ["media_11", false],
    ]);
  });

  it("may have a log twice and lines of an unknown version", async () => {
    const folder = used();
    await folder.write(dir);
    const lines = [...folder.lines, ...folder.lines, { op: "later", of: 1 }];
    await writeFile(log(), textOf(lines));
    await rm(copy());
    const store = await open();
    expect(await idsOf(store)).toEqual(IDS);
    expect(await readFile(join(dir, "media", "earlier.1.ndjson"), "utf8")).toBe(textOf(lines));
  });

  it.each([
    ["whose id is no name", { id: "../evil" }],
    ["whose hash is no name", { sha256: `../${"a".repeat(61)}` }],
    ["of unknown fields", { kind: "smell" }],
  ])("has a result %s by its file alone, and its log is kept", async (_, change) => {
    const folder = used();
    const entry = folder.add("media_evil", png(12, 12));
    folder.lines.pop();
    folder.lines.push({ op: "add", entry: { ...entry, ...change } as MediaEntry, extension: "png" });
    await folder.write(dir);
    const store = await open();
    const { data } = await store.list({ limit: 100, before: null });
    expect(data).toHaveLength(COUNT + 1);
    expect(data.find((found) => found.entry.sha256 === entry.sha256)?.entry.origin).toBeNull();
    expect(store.problems).toEqual([expect.stringContaining("Of 1 results only the files are left")]);
    expect(await quarantined()).toEqual([Buffer.from(textOf(folder.lines))]);
  });

  it("that an earlier version was used with again has results of both", async () => {
    await used().write(dir);
    await (await open()).close();
    const later = new EarlierFolder();
    later.add("media_later", png(5, 5), {}, NOON + HOUR_MS);
    await later.write(dir);
    const store = await open();
    expect(await idsOf(store)).toEqual(["media_later", ...IDS]);
    expect((await readdir(join(dir, "media"))).filter((name) => name.startsWith("earlier"))).toHaveLength(4);
  });

  it("may be what 0.1.0 left", async () => {
    const before = new URL("../../../fixtures/store-c19ab76/folder/media", import.meta.url).pathname;
    await cp(before, join(dir, "media"), { recursive: true });
    await upgradeMediaIndex(nodeStoreFs, join(dir, "media"));
    const lines = (await readFile(log(), "utf8")).split("\n").filter((line) => line.includes('"op":"add"'));
    const store = await open();
    const { data } = await store.list({ limit: 10, before: null });
    expect(store.problems).toEqual([]);
    expect(data.map(({ missing }) => missing)).toEqual(lines.map(() => false));
  });
});

async function sidecarsNow(): Promise<Record<string, string>> {
  const names = (await readdir(join(dir, "media"), { recursive: true })).filter((name) =>
    /media_\w+\.json$/.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(dir, "media", name), "utf8")));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? ""]));
}

describe("a log of an earlier version that is", () => {
  it.each(DAMAGES)("%s hides nothing: what each result came from is in the second copy", async (_, change, words) => {
    await used().write(dir);
    const left = await damage(log(), change);
    const store = await open();
    expect(await idsOf(store)).toEqual(IDS);
    expect(await prompts(store)).toEqual(IDS.map((id) => `Prompt of ${id.slice(6)}`));
    await expectFiles(store);
    expect(store.problems).toEqual(words === null ? [] : [expect.stringMatching(words)]);
    if (left !== null && words !== null) expect(await quarantined()).toEqual([left]);
    await addMedia(store, "media_new", png(9, 9), {}, NOON + HOUR_MS);
    const next = await reopen(store);
    expect(next.problems).toEqual([]);
    expect(await idsOf(next)).toEqual(["media_new", ...IDS]);
  });

  it.each(DAMAGES)("%s, and so is its second copy: every file is listed all the same", async (name, change) => {
    const folder = used();
    await folder.write(dir);
    for (const path of [log(), copy()]) await damage(path, change);
    // A kill leaves a last line like this: what it was about was not acknowledged.
    if (name.startsWith("cut")) return;
    const store = await open();
    const { data } = await store.list({ limit: 100, before: null });
    expect(data).toHaveLength(COUNT);
    expect(data.some(({ missing }) => missing)).toBe(false);
    const hashes = folder.lines.flatMap((line) => (line.op === "add" ? [line.entry.sha256] : []));
    expect(data.map(({ entry }) => entry.sha256).toSorted()).toEqual(hashes.toSorted());
    expect((await reopen(store)).problems).toEqual([]);
  });

  it.each(DAMAGES)("whole costs nothing where its second copy is %s", async (_, change) => {
    await used().write(dir);
    await damage(copy(), change);
    const store = await open();
    expect(store.problems).toEqual([]);
    expect(await prompts(store)).toEqual(IDS.map((id) => `Prompt of ${id.slice(6)}`));
  });

  it.each(DAMAGES)("%s brings nothing back that its owner deleted", async (_, change) => {
    const folder = used();
    for (const line of folder.lines.slice(4, 6))
      if (line.op === "add")
        folder.files.delete(`${line.entry.sha256.slice(0, 2)}/${line.entry.sha256}.${line.extension}`);
    folder.lines.push(
      { op: "deleted", ids: ["media_3", "media_4"], until: NOON },
      { op: "removed", ids: ["media_3", "media_4"] },
      { op: "deleted", ids: ["media_5", "media_6"], until: NOON + HOUR_MS },
      { op: "restored", ids: ["media_6"] },
    );
    await folder.write(dir);
    await damage(log(), change);
    const store = await open();
    expect(await idsOf(store)).toEqual(IDS.filter((id) => !["media_3", "media_4", "media_5"].includes(id)));
    expect(await store.bringBack(["media_5"], NOON)).toEqual(["media_5"]);
  });
});

describe("a file of an earlier version that nothing names", () => {
  async function lost(): Promise<MediaStore> {
    const folder = used();
    await folder.write(dir);
    for (const [index, path] of [...folder.files.keys()].entries()) {
      const moment = new Date(NOON + index * HOUR_MS);
      await utimes(join(dir, "media", path), moment, moment);
    }
    for (const path of [log(), copy()]) await rm(path);
    return open();
  }

  it("is what its bytes say, as old as its file, and of unknown origin", async () => {
    const store = await lost();
    expect(store.problems).toEqual([expect.stringMatching(/is gone\. Of 12 results only the files are left/)]);
    const { data } = await store.list({ limit: 100, before: null });
    expect(data.map(({ entry }) => entry.at)).toEqual(IDS.map((_, index) => NOON + (COUNT - 1 - index) * HOUR_MS));
    const [sound, picture] = data;
    expect(sound?.entry).toMatchObject({ kind: "audio", type: "audio/wav", duration_ms: 31, origin: null });
    expect(picture?.entry).toMatchObject({ kind: "image", type: "image/png", width: 4, height: 4, origin: null });
    expect(data.some(({ missing }) => missing)).toBe(false);
    expect((await store.list({ limit: 100, before: null, kind: "audio" })).total).toBe(COUNT / 2);
    const [since, until] = [NOON + HOUR_MS, NOON + 3 * HOUR_MS];
    expect((await store.list({ limit: 100, before: null, since, until })).total).toBe(2);
  });

  it("goes by age and size like every other, and does not come back", async () => {
    const store = await lost();
    const now = NOON + 48 * HOUR_MS;
    const found = await store.findOutdated({ keepDays: null, maxBytes: 3_000 }, now);
    expect(found?.ids.length).toBeGreaterThan(2);
    await store.takeOut(found?.ids ?? [], now);
    await store.removeDue(now);
    const left = await idsOf(store);
    expect(left).toHaveLength(COUNT - (found?.ids.length ?? 0));
    expect(await idsOf(await reopen(store))).toEqual(left);
  });

  it("is no file of another kind, no link and no file under another name", async () => {
    const folder = used();
    const [path = ""] = folder.files.keys();
    const shard = path.slice(0, 2);
    await folder.write(dir);
    await writeFile(join(dir, "media", shard, `${shard.padEnd(64, "0")}.png`), "no picture");
    await writeFile(join(dir, "media", shard, "notes.txt"), "theirs");
    await mkdir(join(dir, "media", shard, `${shard.padEnd(64, "1")}.png`));
    for (const each of [log(), copy()]) await rm(each);
    const store = await open();
    expect(await idsOf(store)).toHaveLength(COUNT);
    expect(store.problems).toEqual([expect.stringContaining("2 files of the library cannot be shown")]);
    expect(await hashed()).toHaveLength(2);
  });

  it("stays where it is while the log is whole: a kill leaves such files", async () => {
    const folder = used();
    await folder.write(dir);
    const other = new EarlierFolder();
    other.add("media_x", png(30, 30));
    for (const [path, bytes] of other.files) {
      await mkdir(join(dir, "media", path.slice(0, 2)), { recursive: true });
      await writeFile(join(dir, "media", path), bytes);
    }
    expect(await idsOf(await open())).toEqual(IDS);
    expect(await hashed()).toHaveLength(1);
  });
});
