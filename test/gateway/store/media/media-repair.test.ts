import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { getSidecarPath, getStem, parseSidecar } from "../../../../gateway/store/media/sidecar.ts";
import { StoreWriteError } from "../../../../gateway/store/store.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { LocalLedger } from "../ledger/local-ledger.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { addMedia, idsOf, openMedia } from "./media-fixtures.ts";

const COUNT = 6;
const IDS = Array.from({ length: COUNT }, (_, index) => `media_${COUNT - 1 - index}`);
const bytesOf = (id: string): Buffer => (Number(id.slice(6)) % 2 === 0 ? png(4, 4, Number(id.slice(6))) : wav(25));

let dir = "";
let ledger: LocalLedger;
let store: MediaStore;
let repairs = 0;
beforeEach(async () => {
  dir = await temporaryFolder();
  repairs = 0;
  await open();
  for (const [index, id] of IDS.toReversed().entries())
    await addMedia(store, id, bytesOf(id), { prompt: id }, NOON + index);
});
afterEach(async () => {
  await close();
  await rm(dir, { recursive: true, force: true });
});

async function open(): Promise<void> {
  ledger = new LocalLedger(dir);
  store = await openMedia({ dir, ledger });
  store.records.onRepair = () => void (repairs += 1);
}

async function close(): Promise<void> {
  await store.close();
  await ledger.close();
}

const media = (): string => join(dir, "media");
const sidecar = (id: string): string => getSidecarPath(media(), id);
const file = (id: string): string => `${getStem(media(), id)}.${Number(id.slice(6)) % 2 === 0 ? "png" : "wav"}`;

async function quarantined(): Promise<Buffer[]> {
  const names = await readdir(join(dir, "quarantine"), { recursive: true, withFileTypes: true }).catch(() => []);
  return Promise.all(names.filter((name) => name.isFile()).map((name) => readFile(join(name.parentPath, name.name))));
}

const random = seededRandom(29);

/** What may have become of a sidecar, and whether it says the same all the same. */
const DAMAGES: readonly (readonly [string, (bytes: Buffer) => Buffer, boolean])[] = [
  ["empty", () => Buffer.alloc(0), false],
  ["zeros", (bytes) => Buffer.alloc(bytes.length), false],
  ["cut", (bytes) => bytes.subarray(0, bytes.length >> 1), false],
  ["noise", (bytes) => Buffer.from(bytes.map(() => Math.floor(random() * 256))), false],
  ["changed", (bytes) => Buffer.from(bytes.toString().replace('"prompt":"media_2"', '"prompt":"media_3"')), false],
  ["another file's", () => Buffer.from('{"name":"postern","version":"1"}'), false],
  ["a list", () => Buffer.from("[1]"), false],
  ["with other line endings", (bytes) => Buffer.from(bytes.toString().replaceAll("\n", "\r\n")), true],
  ["with a mark before it", (bytes) => Buffer.concat([Buffer.from("\uFEFF"), bytes]), true],
  ["set in lines by an editor", (bytes) => Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), null, 2)), true],
];

describe.each([
  ["while Postern runs", false],
  ["while it is stopped", true],
])("a sidecar that changes %s", (_, isStopped) => {
  async function change(work: () => Promise<unknown>): Promise<void> {
    expect(await idsOf(store)).toEqual(IDS);
    if (isStopped) await close();
    await work();
    if (isStopped) await open();
  }

  it.each(DAMAGES)(
    "and is %s goes to quarantine, and its result is what its file says",
    async (_name, damage, isSame) => {
      const bytes = damage(await readFile(sidecar("media_2")));
      await change(async () => {
        // An editor writes another file and gives it the name.
        await writeFile(join(dir, "edited"), bytes);
        await rename(join(dir, "edited"), sidecar("media_2"));
      });
      expect((await idsOf(store)).toSorted()).toEqual(IDS.toSorted());
      const found = await store.find("media_2");
      expect(found?.entry.origin?.prompt).toBe(isSame ? "media_2" : undefined);
      expect(found?.entry).toMatchObject({ kind: "image", width: 4, height: 4 });
      expect(await quarantined()).toEqual(isSame ? [] : [bytes]);
      expect(repairs).toBe(isSame ? 0 : 1);
      expect(store.problems.join(" ")).toContain(
        isSame ? "" : "only the files are left: what they came from is not known",
      );
      expect((await store.list({ limit: 9, before: null, q: "media_2" })).total).toBe(isSame ? 1 : 0);
    },
  );

  it("and is gone leaves its result to be found by its file, under its id", async () => {
    await change(() => rm(sidecar("media_3")));
    expect((await idsOf(store)).toSorted()).toEqual(IDS.toSorted());
    expect((await store.find("media_3"))?.entry).toMatchObject({ kind: "audio", duration_ms: 25, origin: null });
    const parsed = parseSidecar(await readFile(sidecar("media_3")), "media_3");
    expect(parsed).toMatchObject({ entry: { id: "media_3" } });
  });

  it("and goes with its file is in no list, and comes back with them", async () => {
    await change(async () => {
      for (const path of [sidecar("media_3"), file("media_3")]) await rename(path, join(dir, `${path.at(-3)}.kept`));
    });
    expect(await idsOf(store)).toEqual(IDS.filter((id) => id !== "media_3"));
    expect(await store.find("media_3")).toBeNull();
    for (const path of [file("media_3"), sidecar("media_3")]) await rename(join(dir, `${path.at(-3)}.kept`), path);
    expect(await idsOf(store)).toEqual(IDS);
  });

  it("and loses its file is shown as missing one", async () => {
    await change(() => rm(file("media_3")));
    const { data } = await store.list({ limit: 9, before: null });
    expect(data.filter(({ missing }) => missing).map(({ entry }) => entry.id)).toEqual(["media_3"]);
  });

  it("and is a copy under another name or in another folder is no result", async () => {
    await change(async () => {
      await mkdir(dirname(sidecar("media_copy")), { recursive: true });
      await copyFile(sidecar("media_2"), sidecar("media_copy"));
      const other = join(media(), dirname(sidecar("media_2")).endsWith("00") ? "01" : "00");
      await mkdir(other, { recursive: true });
      await copyFile(sidecar("media_2"), join(other, "media_2.json"));
      await copyFile(file("media_2"), join(other, "media_2.png"));
    });
    expect(await idsOf(store)).toEqual(IDS);
    expect(await store.find("media_copy")).toBeNull();
    await expect(addMedia(store, "media_copy", png(3, 3))).rejects.toThrow("in the way");
    expect([repairs, await quarantined()]).toEqual([0, []]);
  });

  it("and is overwritten by another result's leaves its result to be found by its file", async () => {
    await change(() => copyFile(sidecar("media_2"), sidecar("media_5")));
    expect((await idsOf(store)).toSorted()).toEqual(IDS.toSorted());
    expect((await store.find("media_5"))?.entry.origin).toBeNull();
    expect((await quarantined()).length).toBe(1);
  });

  it("and all of the index with it is all that there is", async () => {
    await change(async () => {
      if (isStopped) await rm(join(dir, "index.sqlite"));
      await rm(sidecar("media_5"));
    });
    expect((await idsOf(store)).toSorted()).toEqual(IDS.toSorted());
  });
});

it("a file without a sidecar that is no media is no result, stays, and is not looked at again and again", async () => {
  await writeFile(`${getStem(media(), "media_0")}.txt`, "theirs");
  const odd = `${getStem(media(), "media_odd")}.png`;
  await mkdir(dirname(odd), { recursive: true });
  await writeFile(odd, "no picture");
  expect(await idsOf(store)).toEqual(IDS);
  expect(await idsOf(store)).toEqual(IDS);
  expect(await readFile(odd, "utf8")).toBe("no picture");
  expect(repairs).toBe(0);
});

it("a result that is deleted stays so while its sidecar is damaged, and goes for good", async () => {
  await store.takeOut(["media_1", "media_2"], NOON);
  await writeFile(sidecar("media_1"), "damaged");
  await rm(sidecar("media_2"));
  await close();
  await open();
  expect(await idsOf(store)).toEqual(IDS.filter((id) => id !== "media_1" && id !== "media_2"));
  expect(await store.removeDue(NOON)).toBe(2);
  expect(await idsOf(store)).toEqual(IDS.filter((id) => id !== "media_1" && id !== "media_2"));
  expect(repairs).toBe(0);
});

it("all sidecars may be lost at the same time", async () => {
  for (const id of IDS) await rm(sidecar(id));
  expect((await idsOf(store)).toSorted()).toEqual(IDS.toSorted());
  expect(store.problems).toEqual([expect.stringContaining(`Of ${COUNT} results`)]);
  for (const id of IDS) expect(await readFile(file(id))).toEqual(bytesOf(id));
});

it("a sidecar of a later version is left alone", async () => {
  const content = { schema: 9, of: "media_1" };
  const text = JSON.stringify({ ...content, check: crc32(JSON.stringify(content)) });
  await writeFile(sidecar("media_1"), text);
  await close();
  await open();
  expect(await idsOf(store)).toEqual(IDS.filter((id) => id !== "media_1"));
  expect(await store.find("media_1")).toBeNull();
  expect(await readFile(sidecar("media_1"), "utf8")).toBe(text);
});

it("a result that is saved again, and refused, leaves the file that it had", async () => {
  await rm(sidecar("media_2"));
  await close();
  const fs: StoreFs = {
    ...nodeStoreFs,
    rename: (from, to) =>
      to.endsWith(".json")
        ? Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }))
        : nodeStoreFs.rename(from, to),
  };
  const refusing = await openMedia({ dir, fs });
  await expect(addMedia(refusing, "media_2", png(9, 9))).rejects.toBeInstanceOf(StoreWriteError);
  await refusing.close();
  await open();
  expect(await readFile(file("media_2"))).toEqual(bytesOf("media_2"));
  expect((await idsOf(store)).toSorted()).toEqual(IDS.toSorted());
});
