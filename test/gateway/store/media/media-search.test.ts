import { rm } from "node:fs/promises";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { MediaFilter } from "../../../../gateway/core/media/media-filter.ts";
import type { MediaPlace } from "../../../../gateway/store/ledger/questions.ts";
import type { MediaStore } from "../../../../gateway/store/media/media-store.ts";
import { png, wav } from "../../../support/media-samples.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { addMedia, openMedia } from "./media-fixtures.ts";

let dir: string;
let store: MediaStore;
beforeEach(async () => {
  dir = await temporaryFolder();
  store = await openMedia({ dir });
});
afterEach(async () => {
  await store.close();
  await rm(dir, { recursive: true, force: true });
});

async function find(filter: MediaFilter): Promise<string[]> {
  const { data, total, next } = await store.list({ limit: 100, before: null, ...filter });
  expect(total).toBe(data.length);
  expect(next).toBeNull();
  return data.map(({ entry }) => entry.id);
}

it.each<[string, MediaFilter, string[]]>([
  ["nothing asked", {}, ["media_d", "media_c", "media_b", "media_a"]],
  ["one word", { q: "lighthouse" }, ["media_b", "media_a"]],
  ["in any case", { q: "LightHouse" }, ["media_b", "media_a"]],
  ["a part of a word", { q: "house" }, ["media_b", "media_a"]],
  ["words in any order, far apart", { q: "dusk  lighthouse" }, ["media_a"]],
  ["words of which one is not there", { q: "lighthouse zeppelin" }, []],
  ["only spaces", { q: "  " }, ["media_d", "media_c", "media_b", "media_a"]],
  ["letters beyond ASCII", { q: "ÉTÉ" }, ["media_c"]],
  ["Chinese, without spaces", { q: "灯塔" }, ["media_d"]],
  ["what looks like a pattern", { q: ".*" }, []],
  ["signs", { q: "(50%)" }, ["media_c"]],
  ["a key", { key: "key_2" }, ["media_c"]],
  ["a kind", { kind: "audio" }, ["media_b"]],
  ["from a moment", { since: 2_000 }, ["media_d", "media_c", "media_b"]],
  ["before a moment", { until: 2_000 }, ["media_a"]],
  ["between two", { since: 2_000, until: 3_000 }, ["media_b"]],
  ["at a cost, and nothing unpriced", { minNano: 20 }, ["media_c", "media_b"]],
  ["at any cost, and nothing unpriced", { minNano: 0 }, ["media_c", "media_b", "media_a"]],
  ["several things", { q: "lighthouse", kind: "image", minNano: 10, since: 500 }, ["media_a"]],
])("finds by %s", async (_name, filter, ids) => {
  await addMedia(store, "media_a", png(4, 4), { prompt: "A Lighthouse at dusk", nano: 10 }, 1_000);
  await addMedia(store, "media_b", wav(5), { prompt: "lighthouse keeper", nano: 20 }, 2_000);
  await addMedia(store, "media_c", png(4, 4, 2), { prompt: "L'été (50%)", nano: 30, key: "key_2" }, 3_000);
  await addMedia(store, "media_d", png(4, 4, 3), { prompt: "黄昏的灯塔", nano: null }, 4_000);
  expect(await find(filter)).toEqual(ids);
  await store.close();
  store = await openMedia({ dir });
  expect(await find(filter)).toEqual(ids);
});

it("searches the first 2,000 characters of a prompt", async () => {
  await addMedia(store, "media_a", png(4, 4), { prompt: `${"x ".repeat(995)}inside ${"y ".repeat(500)}outside` });
  expect(await find({ q: "inside" })).toEqual(["media_a"]);
  expect(await find({ q: "outside" })).toEqual([]);
});

it("pages through what matches, each once, and counts all of it on every page", async () => {
  for (let index = 0; index < 25; index += 1) {
    await addMedia(store, `media_${index}`, png(4, 4, index), { prompt: index % 2 === 0 ? "even" : "odd" });
  }
  const seen: string[] = [];
  const totals: number[] = [];
  for (let before: MediaPlace | null = null; ;) {
    const page = await store.list({ limit: 4, before, q: "even" });
    seen.push(...page.data.map(({ entry }) => entry.id));
    totals.push(page.total);
    if (page.next === null) break;
    before = page.next;
  }
  expect(seen).toEqual(Array.from({ length: 13 }, (_, index) => `media_${24 - 2 * index}`));
  expect(totals).toEqual([13, 13, 13, 13]);
});

it("goes to a far place at once, counted from the newest result or from a page's end, and pages on from there", async () => {
  for (let index = 0; index < 25; index += 1) {
    await addMedia(store, `media_${index}`, png(4, 4, index), { prompt: index % 2 === 0 ? "even" : "odd" });
  }
  await store.takeOut(["media_20"], 0);
  const page = async (query: { before: MediaPlace | null; offset?: number; q?: string }) => {
    const { data, next, total } = await store.list({ limit: 3, ...query });
    return { ids: data.map(({ entry }) => Number(entry.id.slice(6))), next, total };
  };
  const far = await page({ before: null, offset: 4, q: "even" });
  expect(far).toMatchObject({ ids: [14, 12, 10], total: 12 });
  expect(await page({ before: far.next, q: "even" })).toMatchObject({ ids: [8, 6, 4], total: 12 });
  expect(await page({ before: far.next, offset: 2, q: "even" })).toEqual({ ids: [4, 2, 0], next: null, total: 12 });
  expect(await page({ before: far.next, offset: 5, q: "even" })).toEqual({ ids: [], next: null, total: 12 });
  expect(await page({ before: null, offset: 6 })).toMatchObject({ ids: [17, 16, 15], total: 24 });
  expect(await page({ before: null, offset: 0 })).toMatchObject({ ids: [24, 23, 22], total: 24 });
});

it("keeps its pages while results come in and leave, and counts again", async () => {
  for (let index = 0; index < 9; index += 1) await addMedia(store, `media_${index}`, png(4, 4, index), { prompt: "a" });
  const one = await store.list({ limit: 3, before: null, q: "a" });
  await addMedia(store, "media_9", png(4, 4, 9), { prompt: "a" });
  await store.takeOut(["media_8", "media_6", "media_4"], 0);
  await store.removeDue(1);
  const two = await store.list({ limit: 3, before: one.next, q: "a" });
  expect(one.data.map(({ entry }) => entry.id)).toEqual(["media_8", "media_7", "media_6"]);
  expect(two.data.map(({ entry }) => entry.id)).toEqual(["media_5", "media_3", "media_2"]);
  expect([one.total, two.total]).toEqual([9, 7]);
});

it("finds what a plain search of all prompts finds", async () => {
  const word = fc.constantFrom("sea", "SEAL", "tide", "Ünder", "x");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(word, { maxLength: 5 }), { minLength: 1, maxLength: 12 }),
      fc.array(word, { maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (prompts, requests, limit) => {
        await store.close();
        await rm(dir, { recursive: true, force: true });
        store = await openMedia({ dir });
        for (const [index, words] of prompts.entries()) {
          await addMedia(store, `media_${index}`, png(4, 4), { prompt: words.join(" ") });
        }
        const expected = prompts
          .map((words, index) => ({ id: `media_${index}`, text: words.join(" ").toLowerCase() }))
          .filter(({ text }) => requests.every((one) => text.includes(one.toLowerCase())))
          .map(({ id }) => id)
          .toReversed();
        const found: string[] = [];
        for (let before: MediaPlace | null = null; ;) {
          const page = await store.list({ limit, before, q: requests.join(" ") });
          expect(page.total).toBe(expected.length);
          found.push(...page.data.map(({ entry }) => entry.id));
          if (page.next === null) break;
          before = page.next;
        }
        expect(found).toEqual(expected);
      },
    ),
    { numRuns: 40 },
  );
});
