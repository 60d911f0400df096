import {
  appendFile,
  copyFile,
  mkdir,
  open as openFile,
  readFile,
  readdir,
  rm,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Search } from "../../../../gateway/contract/matches-request.ts";
import type { Receipt } from "../../../../gateway/contract/receipt.ts";
import { figureBy, requestFigureSchema, type RequestFigure } from "../../../../gateway/contract/request-figures.ts";
import { TopList } from "../../../../gateway/core/usage/top-list.ts";
import { utcMonth } from "../../../../gateway/lib/clock.ts";
import { segmentName } from "../../../../gateway/store/disk/segments.ts";
import { nodeStoreFs, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import type { ReceiptSource } from "../../../../gateway/store/store.ts";
import { ReceiptColumns } from "../../../../gateway/store/usage/receipt-columns.ts";
import { findReceipts, type ReceiptCursor } from "../../../../gateway/store/usage/usage-list.ts";
import { UsageScan } from "../../../../gateway/store/usage/usage-scan.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { NOON, receipt, seededRandom } from "../fixtures.ts";
import { anySearch } from "./any-receipt.ts";
import {
  COUNT,
  DAY_MS,
  NOVEMBER,
  OCTOBER,
  SEARCHES,
  clock,
  expectSame,
  lineOf,
  linesOf,
  packAll,
  plain,
  samples,
  scanLog,
  writeLog,
} from "./column-logs.ts";
import { dose, thin } from "../../../support/dose.ts";

let folder: string;
beforeEach(async () => {
  folder = join(await temporaryFolder(), "usage");
  await mkdir(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const columnsOf = (fs: StoreFs = nodeStoreFs): ReceiptColumns => new ReceiptColumns(fs, folder);
const write = (segments: ReadonlyMap<string, readonly string[]>): Promise<void> => writeLog(folder, segments);
const scan = (columns: ReceiptColumns, search: Search, how: Parameters<typeof scanLog>[3] = {}) =>
  scanLog(folder, columns, search, how);

async function best(
  columns: ReceiptColumns,
  search: Search,
  by: RequestFigure,
  order: "desc" | "asc",
  most: number,
): Promise<(Receipt | null)[]> {
  const list = new TopList<ReceiptSource>(most, order);
  const wants = (figure: number | null): boolean => list.wants(figure);
  const parts = { fs: nodeStoreFs, folder, clock, columns, best: { by, order, most, wants } };
  await new UsageScan(parts, search, (passed) => {
    const figure = figureBy(passed, by);
    if (wants(figure) && passed.isWhole()) list.add(figure, passed.source());
  }).passFiles(null);
  return columns.receipts(list.list());
}

const some = (search: object, seed: number): Search =>
  Object.fromEntries(Object.entries(search).filter((_, index) => (index + seed) % 4 === 0));

describe.each(
  thin(
    [
      ["goes on", 0],
      ["was set back by hours", DAY_MS / 3],
      ["was set back by days", 5 * DAY_MS],
    ] as const,
    3,
    1,
  ),
)("a scan of columns passes what a scan of lines does where the clock %s", (_, longestStep) => {
  test("with any filter, in any order", async () => {
    await write(linesOf(longestStep + 1, longestStep));
    const columns = columnsOf();
    await packAll(columns);
    expect((await readdir(folder)).filter((name) => name.endsWith(".heads")).length).toBeGreaterThan(1);
    // Those that another process has made are read.
    const read = columnsOf();
    for (const search of thin(SEARCHES, 6)) {
      const expected = await scan(plain(), search);
      expect(expected.receipts.length).toBeGreaterThan(0);
      expectSame(await scan(columns, search), expected);
      expectSame(await scan(read, search), expected);
    }
    const before = { month: NOVEMBER, n: COUNT - 300 };
    expectSame(await scan(read, {}, { before }), await scan(plain(), {}, { before }));
    await fc.assert(
      fc.asyncProperty(anySearch, fc.nat(), fc.integer({ min: -12, max: 8 }), async (any, seed, day) => {
        const search = { ...some(any, seed), ...(seed % 3 === 0 ? { since: NOON + (day - 15) * DAY_MS } : {}) };
        expectSame(await scan(read, search), await scan(plain(), search));
      }),
      { numRuns: dose(1, 15) },
    );
    for (const by of requestFigureSchema.options)
      for (const order of ["desc", "asc"] as const)
        for (const search of thin([{ model: "gpt-5" }, {}, { since: Date.UTC(2026, 9, 30) }], 3))
          for (const most of dose([3], [3, 500]))
            expectSame(await best(read, search, by, order, most), await best(plain(), search, by, order, most));
  }, 300_000);
});

/** All pages of a list. */
async function listed(
  columns: ReceiptColumns | null,
  search: Search & { readonly settledAfter?: number },
  limit: number,
): Promise<string[]> {
  const found: string[] = [];
  let before: ReceiptCursor | null = null;
  do {
    const page = await findReceipts(nodeStoreFs, folder, { ...search, limit }, before, columns);
    expect(page.data.length).toBeLessThanOrEqual(limit);
    found.push(...page.data.map((each) => JSON.stringify(each)));
    before = page.cursor;
  } while (before !== null);
  return found;
}

test("a list of columns is that of lines, at any size of its pages, with blocks that are damaged too", async () => {
  await write(linesOf(41, DAY_MS / 3));
  const columns = columnsOf();
  await packAll(columns);
  const holds = async (of: ReceiptColumns): Promise<void> => {
    for (const search of thin(SEARCHES, 6))
      for (const limit of dose([97], [7, 500]))
        expectSame(await listed(of, search, limit), await listed(null, search, limit));
    for (const settledAfter of [700, COUNT - 700]) {
      const search = { session: "s20", settledAfter };
      expectSame(await listed(of, search, dose(97, 7)), await listed(null, search, dose(97, 7)));
    }
    await fc.assert(
      fc.asyncProperty(anySearch, fc.nat(), fc.integer({ min: 1, max: 90 }), async (any, seed, limit) => {
        const search = some(any, seed);
        expectSame(await listed(of, search, limit), await listed(null, search, limit));
      }),
      { numRuns: dose(1, 10) },
    );
  };
  await holds(columns);
  const path = join(folder, `usage-${OCTOBER}.blocks`);
  const bytes = await readFile(path);
  bytes.fill(1, 70_000, 70_100);
  await writeFile(path, bytes);
  await holds(columnsOf());
}, 300_000);

describe("a log that goes on", () => {
  const segments = linesOf(5, 0);

  test("line by line, by pieces and with a new start between them, has the same columns", async () => {
    const all = [...segments].flatMap(([month, lines]) => lines.map((line) => [month, line] as const));
    const random = seededRandom(3);
    let columns = columnsOf();
    for (let from = 0; from < all.length;) {
      const to = from + Math.floor(random() * dose(2_100, 700));
      for (const [month, line] of all.slice(from, to)) {
        await appendFile(join(folder, segmentName(month)), line);
        columns.touch(month);
      }
      // The last line of a piece is not written to its end yet.
      from = to;
      if (random() < 0.3) columns = columnsOf();
      await packAll(columns);
      if (random() < 0.2) expectSame(await scan(columns, {}), await scan(plain(), {}));
    }
    expectSame(await scan(columns, {}), await scan(plain(), {}));
    const files = await contents();
    for (const name of Object.keys(files)) if (!name.endsWith(".ndjson")) await rm(join(folder, name));
    await packAll(columnsOf());
    expect(await contents()).toEqual(files);
  }, 300_000);

  test("a line that is not written to its end comes into columns when it is", async () => {
    const lines = [1, 2, 3].map((n) => lineOf(n, receipt(`req_${n}`, { at: NOON })));
    const path = join(folder, segmentName(NOVEMBER));
    await writeFile(path, lines.join("").slice(0, -40));
    const columns = columnsOf();
    await packAll(columns);
    expect(columns.highestOf(NOVEMBER)).toBe(2);
    await appendFile(path, lines.join("").slice(-40));
    columns.touch(NOVEMBER);
    await packAll(columns);
    expect(columns.highestOf(NOVEMBER)).toBe(3);
    expect((await scan(columns, {})).receipts.map((each) => each?.id)).toEqual(["req_3", "req_2", "req_1"]);
  });

  test("a disk that refuses columns changes nothing", async () => {
    await write(segments);
    let left = 5;
    const full: StoreFs = {
      ...nodeStoreFs,
      open: (path, how) => {
        if (how === "append" && left-- <= 0) return Promise.reject(new Error("ENOSPC"));
        return nodeStoreFs.open(path, how);
      },
    };
    const columns = columnsOf(full);
    await expect(packAll(columns)).rejects.toThrow("ENOSPC");
    const before = await scan(plain(), {});
    expectSame(await scan(columns, {}), before);
    left = Infinity;
    await packAll(columns);
    expectSame(await scan(columns, {}), before);
    // At the block that grows, before it is written and between its columns and its head.
    for (const calls of dose([0, 2], [0, 1, 2, 3])) {
      const lines = Array.from({ length: 700 }, (_, index) =>
        lineOf(COUNT + calls * 700 + index + 1, samples[0] ?? {}),
      );
      await appendFile(join(folder, segmentName(NOVEMBER)), lines.join(""));
      columns.touch(NOVEMBER);
      left = calls;
      const packing = packAll(columns);
      if (calls < 2) await expect(packing).rejects.toThrow("ENOSPC");
      else await packing.catch(() => undefined);
      const expected = await scan(plain(), {});
      expectSame(await scan(columns, {}), expected);
      left = Infinity;
      columns.touch(NOVEMBER);
      await packAll(columns);
      expectSame(await scan(columns, {}), expected);
      expectSame(await scan(columnsOf(), {}), expected);
    }
  });
});

async function contents(): Promise<Record<string, string>> {
  const names = await readdir(folder);
  const files = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "latin1")]));
  return Object.fromEntries(files) as Record<string, string>;
}

describe("after damage", () => {
  const segments = linesOf(9, 0);
  beforeEach(async () => {
    await write(segments);
    await packAll(columnsOf());
  });

  test("bytes of columns that have become others, or are missing, change nothing", async () => {
    const expected = await scan(plain(), {});
    const random = seededRandom(11);
    for (const name of ["heads", "blocks"])
      for (let run = 0; run < dose(1, 5); run += 1) {
        const path = join(folder, `usage-${OCTOBER}.${name}`);
        const good = await readFile(path);
        const bad = Buffer.from(good);
        const place = Math.floor(random() * bad.length);
        bad[place] = (bad[place] as number) ^ (1 << Math.floor(random() * 8));
        await writeFile(path, bad);
        if (run % 3 === 0) await truncate(path, place);
        const columns = columnsOf();
        expectSame(await scan(columns, {}), expected);
        await packAll(columns);
        expectSame(await scan(columns, {}), expected);
        expectSame(await scan(columnsOf(), {}), expected);
        expect(await readFile(path)).toEqual(good);
      }
    for (const name of ["heads", "blocks"]) await rm(join(folder, `usage-${OCTOBER}.${name}`));
    expectSame(await scan(columnsOf(), {}), expected);
  }, 300_000);

  test("a segment that is another one now is read in its lines", async () => {
    const path = join(folder, segmentName(OCTOBER));
    const lines = segments.get(OCTOBER) ?? [];
    const others = lines.map((line, index) => (index % 9 === 0 ? "" : line)).join("");
    for (const text of [lines.slice(0, 1_500).join(""), others, ""]) {
      await writeFile(path, text);
      const expected = await scan(plain(), {});
      const columns = columnsOf();
      expectSame(await scan(columns, {}), expected);
      await packAll(columns);
      expectSame(await scan(columnsOf(), {}), expected);
      await write(segments);
    }
  });

  test("a receipt that was damaged is counted as it was, is not shown, and is not passed again", async () => {
    const columns = columnsOf();
    const { receipts, seen } = await scan(columns, { since: Date.UTC(2026, 9, 26) });
    const victim = 400;
    const path = join(folder, segmentName(utcMonth(seen[victim]?.at ?? 0)));
    const bytes = await readFile(path);
    const place = bytes.indexOf(`{"n":${seen[victim]?.n},"receipt"`);
    const file = await openFile(path, "r+");
    await file.write("X", place + 40);
    await file.close();
    const again = await scan(columns, { since: Date.UTC(2026, 9, 26) });
    expect(again.seen).toEqual(seen);
    expect(again.receipts).toEqual(receipts.with(victim, null));
    expectSame(
      await scan(columns, { since: Date.UTC(2026, 9, 26) }),
      await scan(plain(), { since: Date.UTC(2026, 9, 26) }),
    );
    await packAll(columns);
    expectSame(await scan(columns, {}), await scan(plain(), {}));
  });
});

test("columns of another folder that was put in the place of this one are not used", async () => {
  await write(linesOf(21, 0));
  await packAll(columnsOf());
  const heads = join(folder, `usage-${OCTOBER}.heads`);
  await copyFile(heads, `${heads}.kept`);
  await write(linesOf(22, 0));
  expectSame(await scan(columnsOf(), {}), await scan(plain(), {}));
});
