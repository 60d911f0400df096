import { createHash } from "node:crypto";
import { appendFile, mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MediaEntry } from "../../../../gateway/contract/media.ts";
import { searchText, searchWords } from "../../../../gateway/core/media/prompt-search.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import type { MediaLine } from "../../../../gateway/store/media/media-lines.ts";
import type { MediaFilter } from "../../../../gateway/core/media/media-filter.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { dose } from "../../../support/dose.ts";
import { mediaOrigin } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, seededRandom } from "../fixtures.ts";
import { openMedia } from "../media/media-fixtures.ts";
import { LocalLedger } from "./local-ledger.ts";

let dir = "";
let ledger: LocalLedger;
beforeEach(async () => {
  dir = await temporaryFolder();
  await mkdir(join(dir, "media"));
  ledger = new LocalLedger(dir);
});
afterEach(async () => {
  await ledger.close();
  await rm(dir, { recursive: true, force: true });
});

const log = (): string => join(dir, "media", "index.ndjson");
const path = (): string => join(dir, "index.sqlite");
const textOf = (lines: readonly MediaLine[]): string => lines.map((line) => frame(JSON.stringify(line))).join("");

/** Results that come and go, with all else that a log may say. */
function linesOf(seed: number, count: number): MediaLine[] {
  const random = seededRandom(seed);
  const pick = (most: number): number => Math.floor(random() * most);
  const lines: MediaLine[] = [{ op: "begun" }];
  const id = (number: number): string => `media_${number}`;
  for (let number = 0; number < count; number += 1) {
    const origin = mediaOrigin({
      request_id: `req_${number}`,
      model: `model-${pick(3)}`,
      key: `key_${pick(2)}`,
      nano: random() < 0.2 ? null : pick(1_000_000),
      prompt: random() < 0.3 ? "the same Ünder 日本" : `A lighthouse, number ${number}.`,
    });
    const entry: MediaEntry = {
      id: id(random() < 0.02 ? pick(number + 1) : number),
      at: NOON + pick(2 * count),
      kind: random() < 0.5 ? "image" : "video",
      type: "image/png",
      bytes: pick(10 ** 9),
      sha256: createHash("sha256")
        .update(String(pick(50)))
        .digest("hex"),
      width: 4,
      height: 4,
      duration_ms: null,
      origin: random() < 0.1 ? null : origin,
    };
    lines.push({ op: "add", entry, extension: "png" });
    const earlier = id(pick(number + 1));
    const choice = random();
    if (choice < 0.02) lines.push({ op: "missing", id: earlier });
    else if (choice < 0.08) lines.push({ op: "deleted", ids: [earlier, entry.id], until: NOON + pick(100) });
    else if (choice < 0.12) lines.push({ op: "restored", ids: [earlier] });
    else if (choice < 0.16) lines.push({ op: "removed", ids: [earlier] });
  }
  return lines;
}

/** The library as the lines tell of it, the newest first. */
function listPlainly(lines: readonly MediaLine[]): MediaEntry[] {
  const all = new Map<string, { readonly entry: MediaEntry; isDeleted: boolean }>();
  for (const line of lines) {
    if (line.op === "add" && !all.has(line.entry.id)) all.set(line.entry.id, { entry: line.entry, isDeleted: false });
    if (line.op !== "deleted" && line.op !== "restored" && line.op !== "removed") continue;
    for (const id of line.ids) {
      const known = all.get(id);
      if (known !== undefined) known.isDeleted = line.op === "deleted";
      if (line.op === "removed") all.delete(id);
    }
  }
  return [...all.values()].flatMap(({ entry, isDeleted }) => (isDeleted ? [] : [entry])).toReversed();
}

const matches = ({ at, kind, origin }: MediaEntry, filter: MediaFilter): boolean => {
  const { kind: wanted = kind, model, key, since = -Infinity, until = Infinity, minNano, q = "" } = filter;
  const nano = origin?.nano ?? null;
  return (
    kind === wanted &&
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

async function expectTruth(store: MediaStore, lines: readonly MediaLine[], filter: MediaFilter, limit: number) {
  const expected = listPlainly(lines).filter((entry) => matches(entry, filter));
  const found: MediaEntry[] = [];
  for (let before: number | null = null; ;) {
    const page = await store.list({ ...filter, limit, before });
    expect(page.total).toBe(expected.length);
    found.push(...page.data.map(({ entry }) => entry));
    if (page.next === null) break;
    before = page.next;
  }
  expect(found).toEqual(expected);
  const { data } = await store.list({ ...filter, limit, before: null, offset: 3 });
  expect(data.map(({ entry }) => entry)).toEqual(expected.slice(3, 3 + limit));
}

const spoils: readonly (() => Promise<void>)[] = [
  () => Promise.resolve(),
  () => rm(path(), { force: true }),
  () => truncate(path(), 9_000),
  () => writeFile(path(), "x".repeat(50_000)),
];

test("any results, filters and pages are as a plain list has them, over kills and spoilt indexes", async () => {
  const random = seededRandom(3);
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(anyFilter, { minLength: 1, maxLength: 4 }), async (seed, filters) => {
      const lines = linesOf(seed, 150);
      await ledger.close();
      await rm(join(dir, "media"), { recursive: true, force: true });
      await mkdir(join(dir, "media"));
      let done = Math.floor(random() * lines.length);
      await writeFile(log(), textOf(lines.slice(0, done)));
      for (const filter of filters) {
        const open = random() < 0.8 ? { ledger: new LocalLedger(dir) } : { ledger: null };
        const store = await openMedia({ dir, ...open });
        const limit = 1 + Math.floor(random() * 40);
        await expectTruth(store, lines.slice(0, done), filter, limit);
        // What comes in meanwhile is in the next list.
        const from = done;
        done = Math.min(lines.length, done + Math.floor(random() * 40));
        for (const line of lines.slice(from, done)) await store.record(line);
        await expectTruth(store, lines.slice(0, done), filter, limit);
        await store.close();
        if (open.ledger instanceof LocalLedger) await open.ledger.close();
        await spoils[Math.floor(random() * spoils.length)]?.().catch(() => undefined);
      }
      ledger = new LocalLedger(dir);
    }),
    { numRuns: dose(15, 60) },
  );
}, 300_000);

test("a log that was written again is read again", async () => {
  const lines = linesOf(5, 200);
  for (const some of [lines, lines.slice(0, 90), [], lines.filter((_line, place) => place % 7 > 0), lines]) {
    await rm(join(dir, "media", "index.copy.ndjson"), { force: true });
    await writeFile(log(), textOf(some));
    const store = await openMedia({ dir, ledger });
    await expectTruth(store, some, {}, 50);
    await store.close();
    await ledger.close();
    ledger = new LocalLedger(dir);
  }
});

test("pages that earlier versions kept are removed when the index has everything, where there is a backup", async () => {
  await appendFile(join(dir, "media", "index.pages"), "pages");
  await mkdir(join(dir, "backups", "2026-11-20"), { recursive: true });
  const store = await openMedia({ dir, ledger });
  await store.list({ limit: 1, before: null });
  await expect
    .poll(() =>
      rm(join(dir, "media", "index.pages")).then(
        () => "there",
        () => "gone",
      ),
    )
    .toBe("gone");
  await store.close();
});
