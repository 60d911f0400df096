import { join } from "node:path";
import { linesBackwards } from "../disk/lines-backwards.ts";
import { asUsageLine, segmentName } from "../disk/segments.ts";
import type { StoreFs } from "../disk/store-fs.ts";

/** Max lines searched for a receipt. */
const LOOKED_THROUGH = 10_000;

/** Whether the last lines of a month's segment have a receipt of this id. */
export async function hasReceipt(fs: StoreFs, folder: string, month: string, id: string): Promise<boolean> {
  const path = join(folder, segmentName(month));
  const size = await fs.size(path);
  if (size === null) return false;
  const file = await fs.open(path, "read");
  try {
    let lines = 0;
    for await (const { has, count, value } of linesBackwards(file, size, [Buffer.from(JSON.stringify(id))])) {
      const line = has ? asUsageLine(value()) : undefined;
      if (line !== undefined && "receipt" in line && line.receipt.id === id) return true;
      lines += count;
      if (lines >= LOOKED_THROUGH) return false;
    }
    return false;
  } finally {
    await file.close();
  }
}
