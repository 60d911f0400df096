import { readFile, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outdatedMedia } from "../../../../gateway/core/media/media-retention.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, seededRandom } from "../fixtures.ts";
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

const log = (): string => join(dir, "media", "index.ndjson");
const copy = (): string => join(dir, "media", "index.copy.ndjson");
const bytesOf = (index: number): Buffer => (index % 2 === 0 ? png(4, 4, index) : wav(20 + index));

/** A closed library of twelve results. */
async function used(): Promise<void> {
  const store = await open();
  for (let index = 0; index < COUNT; index += 1)
    await addMedia(store, `media_${index}`, bytesOf(index), { prompt: `Prompt of ${index}` }, NOON + index);
  await store.copied();
  await store.close();
}

/** What the library says of each result, newest first. */
async function prompts(store: MediaStore): Promise<(string | undefined)[]> {
  return (await store.list({ limit: 100, before: null })).data.map(({ entry }) => entry.origin?.prompt);
}

async function quarantined(): Promise<Buffer[]> {
  const folder = join(dir, "quarantine");
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return Promise.all(names.filter((name) => name.isFile()).map((name) => readFile(join(name.parentPath, name.name))));
}

const random = seededRandom(23);
const OTHER = Buffer.from(
  Array.from({ length: 40 }, (_, n) => frame(JSON.stringify({ n, receipt: "another" }))).join(""),
);

/** All that may have become of a file, and how it is called. */
const DAMAGES: readonly (readonly [string, (bytes: Buffer) => Buffer | null, RegExp])[] = [
  ["gone", () => null, /is gone\. Its second copy still had 12/],
  ["empty", () => Buffer.alloc(0), /its end is missing\. Its second copy still had 12/],
  [
    "full of zeros",
    (bytes) => Buffer.alloc(bytes.length),
    /[\d,]+ bytes of it are zeros\. Its second copy still had 12/,
  ],
  ["cut in the middle of a line", (bytes) => bytes.subarray(0, bytes.length >> 1), /its end is missing\./],
  [
    "cut after a line",
    (bytes) => bytes.subarray(0, bytes.indexOf("\n", bytes.length >> 1) + 1),
    /its end is missing\./,
  ],
  [
    "changed in the middle",
    (bytes) => Buffer.concat([bytes.subarray(0, 900), Buffer.from("!"), bytes.subarray(901)]),
    /1 line of it was changed\. Its second copy still had 1 of/,
  ],
  [
    "noise",
    (bytes) => Buffer.from(bytes.map(() => 1 + Math.floor(random() * 255))),
    /nothing that Postern wrote\. Its second copy still had 12/,
  ],
  [
    "of which the first half is another file's",
    (bytes) => Buffer.concat([OTHER.subarray(0, bytes.length >> 1), bytes.subarray(bytes.length >> 1)]),
    /another file's/,
  ],
  ["another file", () => OTHER, /40 of its lines are another file's\. Its second copy still had 12/],
  ["with other line endings", (bytes) => Buffer.from(bytes.toString().replaceAll("\n", "\r\n")), /not as it was left/],
  ["with a mark before it", (bytes) => Buffer.concat([Buffer.from("\uFEFF"), bytes]), /not as it was left/],
];

async function damage(path: string, change: (bytes: Buffer) => Buffer | null): Promise<Buffer | null> {
  const bytes = change(await readFile(path));
  if (bytes === null) await rm(path);
  else await writeFile(path, bytes);
  return bytes;
}

describe("a log of the library that is", () => {
  it.each(DAMAGES)("%s hides nothing: what each result came from is in the second copy", async (_, change, words) => {
    await used();
    const left = await damage(log(), change);
    const store = await open();
    expect(await idsOf(store)).toEqual(IDS);
    expect(await prompts(store)).toEqual(IDS.map((id) => `Prompt of ${id.slice(6)}`));
    expect(store.problems).toEqual([expect.stringMatching(words)]);
    if (left !== null) expect(await quarantined()).toEqual([left]);
    await addMedia(store, "media_new", png(9, 9));
    await store.close();
    const next = await open();
    expect(next.problems).toEqual([]);
    expect(await idsOf(next)).toEqual(["media_new", ...IDS]);
  });

  it.each(DAMAGES)("%s, and so is its second copy: every file is listed all the same", async (name, change) => {
    await used();
    for (const path of [log(), copy()]) await damage(path, change);
    // A kill leaves a last line like this: what it was about was not acknowledged.
    if (name.startsWith("cut")) return;
    const store = await open();
    expect(store.size).toBe(COUNT);
    const { data } = await store.list({ limit: 100, before: null });
    expect(new Set(data.map(({ entry }) => entry.sha256)).size).toBe(COUNT);
    await store.close();
    expect((await open()).problems).toEqual([]);
  });
});

describe("a second copy that is", () => {
  it.each(DAMAGES)("%s is made anew, and costs nothing", async (_, change) => {
    await used();
    await damage(copy(), change);
    const store = await open();
    expect(await idsOf(store)).toEqual(IDS);
    await store.copied();
    expect(await readFile(copy())).toEqual(await readFile(log()));
    await store.close();
    const next = await open();
    await next.copied();
    expect(next.problems).toEqual([]);
  });

  it("changed before its end is set aside as it was, and told", async () => {
    await used();
    const left = await damage(copy(), (bytes) => Buffer.concat([Buffer.from("!!!"), bytes.subarray(3)]));
    const store = await open();
    await store.copied();
    expect(store.problems).toEqual([expect.stringContaining("(media/index.copy.ndjson) was damaged and is made anew")]);
    expect(await quarantined()).toEqual([left]);
  });
});

it("the second copy follows the log byte for byte, and takes up what it had not yet", async () => {
  const store = await open();
  await addMedia(store, "media_1", png(4, 4));
  await store.copied();
  const before = await readFile(copy());
  expect(before).toEqual(await readFile(log()));
  expect((await stat(copy())).mode & 0o777).toBe(0o600);
  await addMedia(store, "media_2", png(4, 4, 2));
  await store.close();
  await writeFile(copy(), before);
  const again = await open();
  await again.copied();
  expect(again.problems).toEqual([]);
  expect(await readFile(copy())).toEqual(await readFile(log()));
});

describe("a result of which only the file is left", () => {
  async function rebuilt(): Promise<MediaStore> {
    await used();
    for (const [index] of IDS.entries()) {
      const store = await openMedia({ dir });
      const row = store.find(`media_${index}`);
      await store.close();
      const moment = new Date(NOON + index * HOUR_MS);
      if (row !== undefined) await utimes(store.files.pathOf(row.sha256, row.extension), moment, moment);
    }
    for (const path of [log(), copy()]) await rm(path);
    return open();
  }

  it("is what its bytes say, as old as its file, and of unknown origin", async () => {
    const store = await rebuilt();
    expect(store.problems).toEqual([expect.stringMatching(/is gone\. Of 12 results only the files are left/)]);
    const { data } = await store.list({ limit: 100, before: null });
    expect(data.map(({ entry }) => entry.at)).toEqual(IDS.map((_, index) => NOON + (COUNT - 1 - index) * HOUR_MS));
    const [sound, picture] = data;
    expect(sound?.entry).toMatchObject({ kind: "audio", type: "audio/wav", duration_ms: 31, origin: null });
    expect(picture?.entry).toMatchObject({ kind: "image", type: "image/png", width: 4, height: 4, origin: null });
    for (const { row } of data) await (await store.open(row))?.close();
    expect(data.every(({ row }) => !row.missing)).toBe(true);
    expect((await store.list({ limit: 100, before: null, model: "gpt-image-1" })).total).toBe(0);
    expect((await store.list({ limit: 100, before: null, kind: "audio" })).total).toBe(COUNT / 2);
    expect(
      (await store.list({ limit: 100, before: null, since: NOON + HOUR_MS, until: NOON + 3 * HOUR_MS })).total,
    ).toBe(2);
  });

  it("goes by age and size like every other, and does not come back", async () => {
    const store = await rebuilt();
    const now = NOON + 48 * HOUR_MS;
    const old = outdatedMedia([...store.oldestFirst()], { keepDays: null, maxBytes: 3_000 }, now);
    expect(old.length).toBeGreaterThan(2);
    await store.removal.takeOut(old, now);
    await store.removal.removeDue(now);
    expect(store.size).toBe(COUNT - old.length);
    await store.close();
    for (const path of [log(), copy()]) await rm(path);
    expect((await open()).size).toBe(COUNT - old.length);
  });

  it("has the same id however often it is found, and keeps its place among those that are known", async () => {
    await (await rebuilt()).close();
    const first = await open();
    const before = await idsOf(first);
    await first.close();
    for (const path of [log(), copy()]) await rm(path);
    expect(await idsOf(await open())).toEqual(before);
  });

  it("is no file of another kind, no link and no file under another name", async () => {
    await used();
    const [shard = ""] = (await readdir(join(dir, "media"))).filter((name) => /^[0-9a-f]{2}$/.test(name));
    await writeFile(join(dir, "media", shard, `${shard.padEnd(64, "0")}.png`), "no picture");
    await writeFile(join(dir, "media", shard, "notes.txt"), "theirs");
    for (const path of [log(), copy()]) await rm(path);
    const store = await open();
    expect(store.size).toBe(COUNT);
    expect(store.problems).toEqual([expect.stringContaining("1 files of the library cannot be shown")]);
  });
});

describe("what its owner deleted does not come back", () => {
  it.each(DAMAGES)("when the log is %s", async (_, change) => {
    await used();
    const store = await open();
    await store.removal.takeOut(["media_3", "media_4"], NOON);
    await store.removal.removeDue(NOON);
    await store.removal.takeOut(["media_5", "media_6"], NOON + HOUR_MS);
    await store.removal.bringBack(["media_6"], NOON);
    // A close does not wait for a comparison of the copies that a busy machine has not come to.
    await store.copied();
    await store.close();
    await damage(log(), change);
    const again = await open();
    expect(await idsOf(again)).toEqual(IDS.filter((id) => !["media_3", "media_4", "media_5"].includes(id)));
    expect(await again.removal.bringBack(["media_5"], NOON)).toEqual(["media_5"]);
  });
});
