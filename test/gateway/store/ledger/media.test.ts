import { copyFile, mkdir, readFile, readdir, rename, rm, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { MediaEntry } from "../../../../gateway/contract/media.ts";
import type { MediaFilter } from "../../../../gateway/core/media/media-filter.ts";
import { outdatedMedia } from "../../../../gateway/core/media/media-retention.ts";
import { searchText, searchWords } from "../../../../gateway/core/media/prompt-search.ts";
import type { MediaPlace } from "../../../../gateway/store/ledger/questions.ts";
import { nodeStoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { getSidecarPath, getStem, writeSidecar } from "../../../../gateway/store/media/sidecar.ts";
import type { Sidecar } from "../../../../gateway/store/media/sidecar.ts";
import { dose } from "../../../support/dose.ts";
import { mediaOrigin, png } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { EarlierFolder } from "../media/earlier-library.ts";
import { addMedia, idsOf, openMedia } from "../media/media-fixtures.ts";
import { LocalLedger } from "./local-ledger.ts";

let dir = "";
let ledger: LocalLedger;
beforeEach(async () => {
  dir = await temporaryFolder();
  ledger = new LocalLedger(dir);
});
afterEach(async () => {
  await ledger.close();
  await rm(dir, { recursive: true, force: true });
});

const media = (): string => join(dir, "media");
const index = (): string => join(dir, "index.sqlite");
const IMAGE = png(2, 2);

/** What the folders of the library have, the newest first: the truth, read without the store. */
async function scanPlainly(hidden: ReadonlyMap<string, number>): Promise<MediaEntry[]> {
  const names = (await readdir(media(), { recursive: true })).filter((name) =>
    /[0-9a-f]{2}.media_\w+\.json$/.test(name),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(media(), name), "utf8")));
  return texts
    .map((text) => JSON.parse(text) as Sidecar)
    .filter(({ entry }) => !hidden.has(entry.id))
    .toSorted((a, b) => b.place - a.place || (a.entry.id < b.entry.id ? 1 : -1))
    .map(({ entry }) => entry);
}

const matches = ({ at, kind, origin }: MediaEntry, filter: MediaFilter): boolean => {
  const { kind: expected = kind, model, key, since = -Infinity, until = Infinity, minNano, q = "" } = filter;
  const nano = origin?.nano ?? null;
  return (
    kind === expected &&
    (model === undefined || origin?.model === model) &&
    (key === undefined || origin?.key === key) &&
    at >= since &&
    at < until &&
    (minNano === undefined || (nano !== null && nano >= minNano)) &&
    searchWords(q).every((word) => searchText(origin?.prompt ?? "").includes(word))
  );
};

const anyFilter: fc.Arbitrary<MediaFilter> = fc.record(
  {
    kind: fc.constantFrom("image" as const, "video" as const, "audio" as const),
    model: fc.constantFrom("model-0", "model-2", ""),
    key: fc.constantFrom("key_0", "key_9"),
    q: fc.constantFrom("lighthouse 1", "ÜNDER", "日本", "number 12", " "),
    since: fc.integer({ min: NOON, max: NOON + 400 }),
    until: fc.integer({ min: NOON, max: NOON + 400 }),
    minNano: fc.integer({ min: 0, max: 1_000_000 }),
  },
  { requiredKeys: [] },
);

const spoils: readonly (() => Promise<void>)[] = [
  () => Promise.resolve(),
  () => rm(index(), { force: true }),
  () => truncate(index(), 9_000),
  () => writeFile(index(), "x".repeat(50_000)),
];

/** A library to which anything happens. */
class Library {
  store!: MediaStore;
  /** Until when what is deleted can be brought back. */
  readonly hidden = new Map<string, number>();
  readonly #random: () => number;
  #ids: string[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  pick(most: number): number {
    return Math.floor(this.#random() * most);
  }

  async open(hasIndex: boolean): Promise<void> {
    this.store = await openMedia({ dir, ledger: hasIndex ? ledger : null });
  }

  /** Kills the thread of the index in whatever it does, and closes the library. */
  async close(): Promise<void> {
    const pending =
      this.#random() < 0.5 ? this.store.list({ limit: 1, before: null }).catch(() => undefined) : undefined;
    await ledger.close();
    await pending;
    await this.store.close();
    await spoils[this.pick(spoils.length)]?.().catch(() => undefined);
    ledger = new LocalLedger(dir);
  }

  /** Some things that the library does, and some that are done to its folder. */
  async change(byHand: boolean): Promise<void> {
    for (let step = this.pick(12); step >= 0; step -= 1) {
      const id = this.#ids[this.pick(this.#ids.length)];
      const choice = id === undefined ? 0 : this.#random();
      if (byHand && id !== undefined && choice < 0.5) await this.#changeByHand(id);
      else if (id === undefined || choice < 0.6) await this.#add();
      else if (choice < 0.75) await this.#delete(id);
      else if (choice < 0.85) {
        for (const back of await this.store.bringBack([id], NOON)) this.hidden.delete(back);
      } else if (choice < 0.9) await this.#removeDue(NOON + this.pick(3));
    }
  }

  #makeEntry(id: string): MediaEntry {
    const origin = mediaOrigin({
      model: `model-${this.pick(3)}`,
      key: `key_${this.pick(2)}`,
      nano: this.#random() < 0.2 ? null : this.pick(1_000_000),
      prompt: this.#random() < 0.3 ? "the same Ünder 日本" : `A lighthouse, number ${this.#count}.`,
    });
    const kind = this.#random() < 0.5 ? "image" : "video";
    const measures = { bytes: IMAGE.length, sha256: "a".repeat(64), width: 4, height: 4, duration_ms: null };
    return {
      id,
      at: NOON + this.pick(300),
      kind,
      type: "image/png",
      ...measures,
      origin: this.#random() < 0.1 ? null : origin,
    };
  }

  async #add(): Promise<void> {
    const id = `media_${this.#count++}`;
    const file = await this.store.save(id, [IMAGE]);
    await this.store.enter(this.#makeEntry(id), file);
    this.#ids.push(id);
  }

  async #delete(id: string): Promise<void> {
    const until = NOON + 1 + this.pick(3);
    for (const deleted of await this.store.takeOut([id], until)) this.hidden.set(deleted, until);
  }

  async #removeDue(now: number): Promise<void> {
    await this.store.removeDue(now);
    for (const [id, until] of this.hidden) if (until <= now) this.hidden.delete(id);
  }

  async #changeByHand(id: string): Promise<void> {
    const [sidecar, file] = [getSidecarPath(media(), id), `${getStem(media(), id)}.png`];
    const choice = this.#random();
    if (choice < 0.4) {
      for (const path of [file, sidecar]) await rm(path, { force: true });
      this.#ids = this.#ids.filter((one) => one !== id);
      return;
    }
    if (choice < 0.5) return rm(file, { force: true });
    const other = { entry: this.#makeEntry(id), extension: "png", place: this.pick(10 ** 6) };
    const path = join(dir, "by-hand");
    await writeFile(path, writeSidecar(other));
    await utimes(path, new Date(this.pick(10 ** 9)), new Date(this.pick(10 ** 9)));
    await copyFile(path, `${sidecar}.new`);
    await rename(`${sidecar}.new`, sidecar);
  }
}

async function expectTruth(library: Library, filter: MediaFilter, limit: number): Promise<void> {
  const { store, hidden } = library;
  const all = await scanPlainly(hidden);
  const expected = all.filter((entry) => matches(entry, filter));
  const found: MediaEntry[] = [];
  for (let before: MediaPlace | null = null; ;) {
    const page = await store.list({ ...filter, limit, before });
    expect(page.rebuilding).toBeNull();
    expect(page.total).toBe(expected.length);
    found.push(...page.data.map(({ entry }) => entry));
    if (page.next === null) break;
    before = page.next;
  }
  expect(found).toEqual(expected);
  const { data } = await store.list({ ...filter, limit, before: null, offset: 3 });
  expect(data.map(({ entry }) => entry)).toEqual(expected.slice(3, 3 + limit));
  const limits = { keepDays: library.pick(2) === 0 ? null : 1, maxBytes: library.pick(20) * IMAGE.length };
  const now = NOON + 2 * 86_400_000;
  const outdated = await store.findOutdated(limits, now);
  expect(outdated?.ids).toEqual(outdatedMedia(all.toReversed(), limits, now));
}

test("any results, filters and pages are as a plain scan has them, over kills, spoilt indexes and changes by hand", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(anyFilter, { minLength: 2, maxLength: 5 }), async (seed, filters) => {
      await ledger.close();
      await rm(media(), { recursive: true, force: true });
      ledger = new LocalLedger(dir);
      const library = new Library(seed);
      for (const filter of filters) {
        await library.open(library.pick(5) > 0);
        const limit = 1 + library.pick(40);
        await expectTruth(library, filter, limit);
        await library.change(false);
        // What comes in meanwhile is in the next list.
        await expectTruth(library, filter, limit);
        await library.change(true);
        await expectTruth(library, filter, limit);
        if (library.pick(2) === 0) await library.change(true);
        await library.close();
      }
    }),
    { numRuns: dose(12, 60) },
  );
}, 300_000);

test("a list is there while the index is rebuilt, and says how far it is", async () => {
  const store = await openMedia({ dir, ledger });
  for (let number = 0; number < 40; number += 1) await addMedia(store, `media_${number}`, png(4, 4, number));
  await ledger.close();
  await rm(index(), { force: true });
  const pending = Promise.withResolvers<void>();
  const slow: StoreFs = {
    ...nodeStoreFs,
    readWhole: async (path) => {
      await pending.promise;
      return nodeStoreFs.readWhole(path);
    },
  };
  const other = new LocalLedger(dir, slow);
  const rebuilding = await openMedia({ dir, ledger: other });
  const early = await rebuilding.list({ limit: 100, before: null });
  expect(early).toMatchObject({ data: [], rebuilding: 0 });
  expect(await rebuilding.findOutdated({ keepDays: 1, maxBytes: 0 }, NOON * 2)).toBeNull();
  pending.resolve();
  await vi.waitFor(
    async () => expect((await rebuilding.list({ limit: 100, before: null })).rebuilding).toBeNull(),
    10_000,
  );
  expect(await idsOf(rebuilding)).toHaveLength(40);
  await other.close();
  await rebuilding.close();
  await store.close();
});

test("what earlier versions kept is removed when the index has everything, where there is a backup", async () => {
  const folder = new EarlierFolder();
  folder.add("media_1", IMAGE);
  await folder.write(dir);
  await writeFile(join(media(), "index.pages"), "pages");
  const earlier = async (): Promise<string[]> =>
    (await readdir(media())).filter((name) => /^(?:earlier|index)\./.test(name)).toSorted();
  for (const hasBackup of [false, true]) {
    if (hasBackup) await mkdir(join(dir, "backups", "2026-11-20"), { recursive: true });
    const store = await openMedia({ dir, ledger });
    expect(await earlier()).toEqual(["earlier.1.copy.ndjson", "earlier.1.ndjson", "index.pages"]);
    expect(await idsOf(store)).toEqual(["media_1"]);
    if (hasBackup) await vi.waitFor(async () => expect(await earlier()).toEqual([]), 10_000);
    await store.close();
  }
});
