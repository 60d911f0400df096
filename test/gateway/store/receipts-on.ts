import { join } from "node:path";
import type { Receipt } from "../../../gateway/contract/receipt.ts";
import { readLines } from "../../../gateway/store/disk/line.ts";
import { asUsageLine, segmentMonths, segmentName } from "../../../gateway/store/disk/segments.ts";
import type { StoreFs } from "../../../gateway/store/disk/store-fs.ts";

/** A receipt of the log with its number. */
export interface Settled {
  readonly n: number;
  readonly receipt: Receipt;
}

/** All receipts that a disk has, the newest first, read line by line. @param dir the data folder */
export async function receiptsOn(fs: Pick<StoreFs, "list" | "readWhole">, dir: string): Promise<Settled[]> {
  const folder = join(dir, "usage");
  const settled: Settled[] = [];
  for (const month of segmentMonths(await fs.list(folder))) {
    for (const { value } of readLines(await fs.readWhole(join(folder, segmentName(month)))).lines) {
      const line = asUsageLine(value);
      if (line !== undefined && "receipt" in line) settled.push(line);
    }
  }
  return settled.toReversed();
}

/** Their ids. */
export const receiptIdsOn = async (fs: Pick<StoreFs, "list" | "readWhole">, dir: string): Promise<string[]> =>
  (await receiptsOn(fs, dir)).map(({ receipt }) => receipt.id);
