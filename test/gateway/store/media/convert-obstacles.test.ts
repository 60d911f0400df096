import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { getShard } from "../../../../gateway/store/media/sidecar.ts";
import { png } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON } from "../fixtures.ts";
import { EarlierFolder } from "./earlier-library.ts";
import { openMedia } from "./media-fixtures.ts";

const COUNT = 9;
const SHARD = getShard("media_4");

let dir: string;
const opened: MediaStore[] = [];
beforeEach(async () => {
  dir = await temporaryFolder();
  const folder = new EarlierFolder();
  for (let index = 0; index < COUNT; index += 1)
    folder.add(`media_${index}`, png(4, 4, index), { prompt: `Prompt of ${index}` }, NOON + index);
  await folder.write(dir);
  // What is in the way has the place of no file.
  expect([...folder.files.keys()].filter((path) => path.startsWith(SHARD))).toEqual([]);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await rm(dir, { recursive: true, force: true });
});

async function open(fs: StoreFs = nodeStoreFs): Promise<MediaStore> {
  const store = await openMedia({ dir, fs });
  opened.push(store);
  return store;
}

async function expectAll(store: MediaStore): Promise<void> {
  const { data } = await store.list({ limit: 100, before: null });
  const prompts = Array.from({ length: COUNT }, (_, index) => `Prompt of ${COUNT - 1 - index}`);
  expect(data.map(({ entry }) => entry.origin?.prompt)).toEqual(prompts);
  for (const { entry, path } of data) expect(await readFile(path)).toEqual(png(4, 4, Number(entry.id.slice(6))));
}

const linkPath = (path: string): Promise<void> => symlink(join(dir, "media", "index.ndjson"), path);
const makeFolder = (path: string): Promise<unknown> => mkdir(path, { recursive: true });

describe("a library of an earlier version has everything", () => {
  it.each<[string, string, (path: string) => Promise<unknown>]>([
    ["a folder where a sidecar goes", "media_4.json", makeFolder],
    ["a link where a sidecar goes", "media_4.json", linkPath],
    ["a damaged sidecar", "media_4.json", (path) => writeFile(path, "no sidecar")],
    ["a folder where a file goes", "media_4.png", makeFolder],
    ["a link where a file goes", "media_4.png", linkPath],
    ["a file where a folder goes", "", (path) => writeFile(path, "theirs")],
    ["a link where a folder goes", "", (path) => symlink(dir, path)],
  ])("in spite of %s, which is set aside", async (_, name, make) => {
    const path = name === "" ? join("media", SHARD) : join("media", SHARD, name);
    if (name !== "") await mkdir(join(dir, "media", SHARD));
    await make(join(dir, path));
    const store = await open();
    await expectAll(store);
    expect(store.problems).toEqual([expect.stringContaining(`What was at ${path} is`)]);
    expect((await open()).problems).toEqual([]);
  });

  it.each([
    ["full", "ENOSPC", "Make room on the disk and start"],
    ["broken", "EIO", "media, on a disk without errors, and start"],
  ])("where the disk is %s before each result has its sidecar, and works then", async (_, code, advice) => {
    let works = 5;
    const store = await open({
      ...nodeStoreFs,
      rename: (from, to) =>
        to.endsWith(".json") && (works -= 1) < 0
          ? Promise.reject(Object.assign(new Error(code), { code }))
          : nodeStoreFs.rename(from, to),
    });
    expect(store.problems).toEqual([expect.stringContaining(advice)]);
    expect(store.problems).toEqual([expect.stringContaining(code)]);
    works = Infinity;
    await store.list({ limit: 100, before: null });
    await expectAll(await open());
  });
});
