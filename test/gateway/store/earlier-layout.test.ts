import { expect, test } from "vitest";
import { spentInPeriod } from "../../../gateway/core/keys/key-state.ts";
import type { SpendRow } from "../../../gateway/core/usage/aggregate.ts";
import { emptyDocument } from "../../../gateway/store/disk/memory.ts";
import { generationName, wholeDocument, writeLines } from "../../../gateway/store/journal/generation-format.ts";
import { recordsNow } from "../../../gateway/store/journal/records-now.ts";
import { NOON, open, receipt, storedKey } from "./fixtures.ts";
import { SimFs } from "./sim-fs.ts";

const DIR = "/data";
const DAY_MS = 86_400_000;

/** A folder as layout 1 had it: of a key's spend it knew the last day and month. */
async function folderOfLayout1(): Promise<SimFs> {
  const fs = new SimFs({ files: new Map(), folders: new Set([DIR]) });
  const { store, clock } = await open({ dir: DIR, fs, schemaVersion: 1, writtenBy: "Postern 0.1.0" });
  await store.close();
  const document = emptyDocument();
  document.keys.set("k1", storedKey("k1"));
  const row = { id: "k1", n: 7, total_nano: 900, day: "2026-11-20", day_nano: 40, month: "2026-11", month_nano: 300 };
  document.spend.set("k1", { ...row, last_used_at: NOON } as unknown as SpendRow);
  const file = await fs.open(`${DIR}/${generationName(50)}`, "create");
  const header = { format: "postern-state", schemaVersion: 1, seq: 50, at: NOON, writtenBy: "Postern 0.1.0" } as const;
  const lines = wholeDocument(recordsNow(document), document, []);
  await writeLines(file, { ...header, usage: { n: 7, segments: {} } }, lines, clock, () => 7);
  await file.close();
  return fs;
}

test("a folder of layout 1 opens with all sums in it, goes on from them, and is raised to this layout", async () => {
  const fs = await folderOfLayout1();
  const { store } = await open({ dir: DIR, fs });
  expect(store.openingNotices).toEqual([]);
  const spent = (at: number) =>
    (["never", "monthly", "daily"] as const).map((reset) => spentInPeriod(store.document.spend.get("k1"), reset, at));
  expect(spent(NOON)).toEqual([900, 300, 40]);
  await store.usage.settle(receipt("r8", { nano: 5 }));
  await store.usage.settle(receipt("r9", { nano: 3, at: NOON + DAY_MS }));
  expect(spent(NOON)).toEqual([908, 308, 45]);
  expect(spent(NOON + DAY_MS)).toEqual([908, 308, 3]);
  await store.close();
  const again = await open({ dir: DIR, fs: new SimFs(fs.afterKill()) });
  expect(again.store.document.spend.get("k1")).toEqual(store.document.spend.get("k1"));
  await again.store.close();
  const earlier = await open({ dir: DIR, fs: new SimFs(fs.afterKill()), schemaVersion: 1 });
  expect(earlier.store.frozen).toBe(true);
});
