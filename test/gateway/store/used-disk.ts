import { NOON, open, receipt } from "./fixtures.ts";
import { SimFs, type Disk } from "./sim-fs.ts";

const DAY_MS = 86_400_000;
const RECEIPTS = 320;
/** So many days before NOON have receipts. */
export const USED_DAYS = 8;

export interface UsedDisk {
  readonly disk: Disk;
  /** What was settled, oldest first. */
  readonly receipts: readonly { readonly id: string; readonly nano: number }[];
}

/** A data folder whose generation is so large that a delta is worth writing: many rows on days that are over. */
export async function usedDisk(dir: string): Promise<UsedDisk> {
  const fs = new SimFs({ files: new Map(), folders: new Set([dir]) });
  const { store } = await open({ dir, fs });
  const receipts: { id: string; nano: number }[] = [];
  for (let index = 0; index < RECEIPTS; index += 1) {
    const id = `used${index}`;
    const model = `${"a-model-with-a-long-name-".repeat(8)}${index}`;
    const at = NOON - (USED_DAYS - (index % USED_DAYS)) * DAY_MS;
    await store.usage.settle(receipt(id, { at, model }));
    receipts.push({ id, nano: 10 });
  }
  await store.close();
  return { disk: fs.afterKill(), receipts };
}
