import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TopList } from "../../../../gateway/core/usage/top-list.ts";
import { frame } from "../../../../gateway/store/disk/line.ts";
import { segmentName } from "../../../../gateway/store/disk/segments.ts";
import { nodeStoreFs, type StoreFile, type StoreFs } from "../../../../gateway/store/disk/store-fs.ts";
import { ReceiptColumns } from "../../../../gateway/store/usage/receipt-columns.ts";
import { findReceipts } from "../../../../gateway/store/usage/usage-list.ts";
import { UsageScan } from "../../../../gateway/store/usage/usage-scan.ts";
import { temporaryFolder } from "../../../support/running-gateway.ts";
import { FixedClock, NOON, receipt } from "../fixtures.ts";

const clock = new FixedClock();
const OCTOBER = "2026-10";
const NOVEMBER = "2026-11";
let folder: string;
beforeEach(async () => {
  folder = join(await temporaryFolder(), "usage");
  await mkdir(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function append(from: number, to: number, month = NOVEMBER): Promise<void> {
  let text = "";
  for (let n = from; n <= to; n += 1)
    text += frame(JSON.stringify({ n, receipt: receipt(`req_${n}`, { at: NOON + n, ms: n }) }));
  await appendFile(join(folder, segmentName(month)), text);
}

async function numbers(columns: ReceiptColumns): Promise<number[]> {
  const seen: number[] = [];
  const parts = { fs: nodeStoreFs, folder, clock, columns };
  await new UsageScan(parts, {}, (passed) => seen.push(passed.n)).passFiles(null);
  return seen;
}

const downFrom = (n: number): number[] => Array.from({ length: n }, (_, index) => n - index);

/** A disk that refuses the step of that number, once or from then on, with half of what is written there. */
function refusing(step: number, once: boolean): StoreFs {
  let steps = 0;
  const refuses = (): boolean => {
    steps += 1;
    return once ? steps === step : steps >= step;
  };
  const full = (): Promise<never> => Promise.reject(new Error("ENOSPC"));
  return {
    ...nodeStoreFs,
    open: async (path, how) => {
      if (how !== "append") return nodeStoreFs.open(path, how);
      if (refuses()) return full();
      const file = await nodeStoreFs.open(path, how);
      const half: Partial<StoreFile> = {
        truncate: (size) => (refuses() ? full() : file.truncate(size)),
        write: async (bytes, at) => {
          if (!refuses()) return file.write(bytes, at);
          await file.write(bytes.subarray(0, bytes.length >> 1), at);
          return full();
        },
      };
      return {
        read: file.read.bind(file),
        sync: file.sync.bind(file),
        close: file.close.bind(file),
        ...half,
      } as StoreFile;
    },
  };
}

test.each([
  ["once", true],
  ["from then on", false],
])(
  "a disk that refuses any step %s leaves no receipt out and doubles none, here and after a start",
  async (_, once) => {
    for (let step = 1; step <= 16; step += 1) {
      await rm(folder, { recursive: true });
      await mkdir(folder);
      const columns = new ReceiptColumns(refusing(step, once), folder);
      for (let to = 300; to <= 1_800; to += 300) {
        await append(to - 299, to);
        columns.touch(NOVEMBER);
        await columns.pack(2, clock).catch(() => undefined);
        expect(await numbers(columns)).toEqual(downFrom(to));
        expect(await numbers(new ReceiptColumns(nodeStoreFs, folder))).toEqual(downFrom(to));
      }
    }
  },
);

test("the best are found beyond as many receipts as a scan looks at, where heads rule the newer ones out", async () => {
  await append(1, 6_000);
  const columns = new ReceiptColumns(nodeStoreFs, folder);
  while (await columns.pack(2, clock));
  const list = new TopList<number>(3, "asc");
  const wants = (figure: number | null): boolean => list.wants(figure);
  const bounds = { receipts: 3_000, ms: 60_000 };
  const best = { by: "ms", order: "asc", most: 3, wants } as const;
  const parts = { fs: nodeStoreFs, folder, clock, columns, bounds, best };
  const scanned = await new UsageScan(parts, {}, ({ ms, n }) => {
    if (wants(ms)) list.add(ms, n);
  }).passFiles(null);
  expect(list.list()).toEqual([1, 2, 3]);
  expect(scanned).toEqual({ scanned: 6_000, complete: true });
});

test("receipts whose fields are something else than here are passed and listed, in lines and in columns", async () => {
  const fields = [{ status: "200" }, { status: null }, { endpoint: 7 }, { stream: "yes" }, { outcome: null }];
  const odd = [...fields, { ms: "5" }, { code: undefined }, { status: 502 }];
  const lines = odd.map((changes, index) =>
    frame(JSON.stringify({ n: index + 1, receipt: { ...receipt(`req_${index + 1}`), ...changes } })),
  );
  await appendFile(join(folder, segmentName(NOVEMBER)), lines.join(""));
  const columns = new ReceiptColumns(nodeStoreFs, folder);
  const { key } = receipt("");
  for (let round = 0; round < 2; round += 1) {
    expect(await numbers(columns)).toEqual(downFrom(odd.length));
    const all = await findReceipts(nodeStoreFs, folder, { key, limit: 100 }, null, columns);
    expect(all.data.map(({ id }) => id)).toEqual(downFrom(odd.length).map((n) => `req_${n}`));
    const failed = await findReceipts(nodeStoreFs, folder, { key, status: "failed", limit: 100 }, null, columns);
    expect(failed.data.map(({ id }) => id)).toEqual([`req_${odd.length}`]);
    await columns.pack(1, clock);
  }
});

test("earlier months come into columns where receipts of this one keep coming", async () => {
  await append(1, 10, OCTOBER);
  await append(11, 20);
  const columns = new ReceiptColumns(nodeStoreFs, folder);
  for (let n = 21; n < 24; n += 1) {
    await append(n, n);
    columns.touch(NOVEMBER);
    await columns.pack(1, clock);
  }
  expect([columns.highestOf(NOVEMBER), columns.highestOf(OCTOBER)]).toEqual([23, 10]);
});

test("with a month of the log that was removed, its columns go at the next start", async () => {
  await append(1, 10, OCTOBER);
  await append(11, 20);
  await new ReceiptColumns(nodeStoreFs, folder).pack(8, clock);
  await rm(join(folder, segmentName(OCTOBER)));
  await new ReceiptColumns(nodeStoreFs, folder).pack(8, clock);
  const names = await nodeStoreFs.list(folder);
  expect(names.toSorted()).toEqual(["usage-2026-11.blocks", "usage-2026-11.heads", "usage-2026-11.ndjson"]);
});
