import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { OpenedStore } from "../../../../gateway/store/open-store.ts";
import { findReceipts } from "../../../../gateway/store/usage/usage-list.ts";
import { NOON, open, openCall, receipt, seededRandom } from "../fixtures.ts";
import { SimFs } from "../sim-fs.ts";

vi.mock("../../../../gateway/store/usage/usage-list.ts", { spy: true });

const DIR = "/data";
const MONTH_MS = 31 * 86_400_000;
const COUNT = 1_300;

let fs: SimFs;
/** The store that took the receipts, with the newest of them in memory. */
let writer: OpenedStore;
/** As they should be listed: newest month first, newest number first. */
let expected: string[];

beforeEach(async () => {
  fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store } = await open({ dir: DIR, fs });
  const random = seededRandom(3);
  for (let index = 0; index < COUNT; index += 1) {
    const at = NOON + (index < 600 ? 0 : MONTH_MS);
    if (random() < 0.3) store.usage.begin(openCall(`open${index}`, { at }));
    void store.usage.settle(
      receipt(`r${index}`, { at, key: `k${index % 7}`, model: index % 100 === 0 ? "rare" : "common" }),
    );
  }
  await store.usage.synced();
  expected = Array.from({ length: COUNT }, (_, index) => `r${COUNT - 1 - index}`);
  writer = store;
});

async function pages(
  store: OpenedStore,
  limit: number,
  filter: { key?: string; model?: string } = {},
): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await store.usage.list({ limit, ...filter, ...(before === undefined ? {} : { before }) });
    expect(page.data.length).toBeLessThanOrEqual(limit);
    ids.push(...page.data.map((found) => found.id));
    if (page.cursor === null) return ids;
    before = page.cursor;
  }
}

const PAGE_SIZES = [7, 100, 500, 5_000];

describe("the list of receipts", () => {
  test("is whole and in order at every page size, from memory and from the files", async () => {
    const { store } = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
    for (const limit of PAGE_SIZES) {
      expect(await pages(writer, limit)).toEqual(expected);
      expect(await pages(store, limit)).toEqual(expected);
    }
  });

  test.each([
    [{ key: "k3" }, (index: number) => index % 7 === 3],
    [{ model: "rare" }, (index: number) => index % 100 === 0],
    [{ key: "k2", model: "rare" }, (index: number) => index % 7 === 2 && index % 100 === 0],
    [{ key: "nobody" }, () => false],
  ])("filtered by %o", async (filter, matches) => {
    const { store } = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
    const wanted = expected.filter((id) => matches(Number(id.slice(1))));
    for (const limit of [1, 10, 1_000]) expect(await pages(store, limit, filter)).toEqual(wanted);
  });

  test("pages stay where they are while receipts come in", async () => {
    const { store } = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
    const first = await store.usage.list({ limit: 10 });
    await store.usage.settle(receipt("newer", { at: NOON + MONTH_MS }));
    const second = await store.usage.list({ limit: 10, before: first.cursor ?? "" });
    expect(second.data.map((found) => found.id)).toEqual(expected.slice(10, 20));
    expect((await store.usage.list({ limit: 1 })).data[0]?.id).toBe("newer");
  });

  test("a wall clock that jumps back to an earlier month hides nothing", async () => {
    const { store } = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
    for (const id of ["late", "later"]) await store.usage.settle(receipt(id, { at: NOON + MONTH_MS }));
    await store.usage.settle(receipt("jumped", { at: NOON }));
    await store.usage.settle(receipt("back", { at: NOON + MONTH_MS }));
    const listed = await pages(store, 50);
    expect(listed).toHaveLength(COUNT + 4);
    expect(new Set(listed).size).toBe(COUNT + 4);
    expect(listed.slice(0, 3)).toEqual(["back", "later", "late"]);
  });

  test("what was settled after a receipt is found whatever the clock said, in memory and in the files", async () => {
    const again = new SimFs(fs.afterKill());
    const { store } = await open({ dir: DIR, fs: again });
    const settledAfter = store.usage.lastNumber;
    const whats = [MONTH_MS, 0, -2 * MONTH_MS, MONTH_MS];
    for (const [index, ms] of whats.entries()) await store.usage.settle(receipt(`n${index}`, { at: NOON + ms }));
    const found = async (of: typeof store): Promise<string[]> =>
      (await of.usage.list({ settledAfter, limit: 50 })).data.map(({ id }) => id).toSorted();
    expect(await found(store)).toEqual(["n0", "n1", "n2", "n3"]);
    expect(await found((await open({ dir: DIR, fs: again.killed() })).store)).toEqual(["n0", "n1", "n2", "n3"]);
    const last = { settledAfter: store.usage.lastNumber, limit: 50 };
    expect(await store.usage.list(last)).toEqual({ data: [], cursor: null });
  });

  test("what was settled last in memory is told once", async () => {
    const { store } = await open({ dir: DIR, fs: new SimFs({ files: new Map(), folders: new Set([DIR]) }) });
    for (const id of ["a", "b", "c"]) await store.usage.settle(receipt(id));
    const { data } = await store.usage.list({ settledAfter: 1, limit: 50 });
    expect(data.map(({ id }) => id)).toEqual(["c", "b"]);
  });

  test("a page does not read the whole history", async () => {
    const again = new SimFs(fs.afterKill());
    const { store } = await open({ dir: DIR, fs: again });
    const calls = again.calls;
    await store.usage.list({ limit: 5 });
    expect(again.calls - calls).toBeLessThan(10);
  });

  test.each(["", "x", "2026-11", "2026-11.", "2026-11.-1", "../../etc.1"])("%j is no cursor", async (before) => {
    const { store } = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
    expect(await store.usage.list({ limit: 5, before })).toEqual({ data: [], cursor: null });
  });
});

test("one receipt is looked for in eight pages of the log, each where the one before ended", async () => {
  const { store } = await open({ dir: DIR, fs });
  const look = vi.mocked(findReceipts);
  onTestFinished(() => void look.mockReset());
  const pagesBefore = async (last: number, end = 20): Promise<unknown> => {
    let page = 0;
    look.mockClear().mockImplementation(() => {
      page += 1;
      const data = page === last ? [receipt("r0")] : [];
      return Promise.resolve({ data, cursor: page === end ? null : { month: "2026-11", n: page } });
    });
    const found = await store.usage.find("r0");
    expect(look.mock.calls.map(([, , , before]) => before?.n ?? 0)).toEqual(Array.from({ length: page }, (_, n) => n));
    return [found?.id, page];
  };
  expect([await pagesBefore(1), await pagesBefore(8), await pagesBefore(9), await pagesBefore(9, 2)]).toEqual([
    ["r0", 1],
    ["r0", 8],
    [undefined, 8],
    [undefined, 2],
  ]);
});
