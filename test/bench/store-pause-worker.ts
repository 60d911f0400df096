import { mkdir } from "node:fs/promises";
import { systemClock } from "../../gateway/lib/clock.ts";
import { fileSealer } from "../../gateway/store/data-key.ts";
import { silentLog } from "../../gateway/lib/log.ts";
import { Events } from "../../gateway/services/events.ts";
import { MediaStore } from "../../gateway/store/media/media-store.ts";
import { TaskRepository } from "../../gateway/store/tasks/task-repository.ts";
import { nothingRefused } from "./fill-folder.ts";
import { nodeStoreFs } from "../../gateway/store/disk/store-fs.ts";
import type { StoreFs } from "../../gateway/store/disk/store-fs.ts";
import { openStore } from "../../gateway/store/open-store.ts";
import { receipt } from "../gateway/store/fixtures.ts";
import type { PauseReport } from "./store-pause.ts";

/** One run of store-pause.ts: opens the folder, then watches the event loop while receipts come in. */
const [mode = "", dir = "", amounts = ""] = process.argv.slice(2);
const { tasks, media } = JSON.parse(amounts) as { readonly tasks: number; readonly media: number };
const PER_SECOND = 2_000;
const SECONDS = 8;
const TICK_MS = 5;
const SNAPSHOT_PAUSE_MS = 300;

/** What snapshots write: generations and deltas. */
let snapshotBytes = 0;
const counting: StoreFs = {
  ...nodeStoreFs,
  async open(path, how) {
    const file = await nodeStoreFs.open(path, how);
    if (!/[\\/](?:state|delta)\./.test(path) || how !== "create") return file;
    return {
      write(bytes, position) {
        snapshotBytes += bytes.length;
        return file.write(bytes, position);
      },
      writeNow: (bytes, position) => file.writeNow(bytes, position),
      read: (into, position) => file.read(into, position),
      sync: () => file.sync(),
      truncate: (length) => file.truncate(length),
      close: () => file.close(),
    };
  },
};

await mkdir(dir, { recursive: true });
const started = performance.now();
const options = { dir, clock: systemClock, log: nothingRefused };
const store = await openStore({ ...options, sealer: fileSealer(), fs: counting });
const library = await MediaStore.open({ ...options, readOnly: false });
const repository = new TaskRepository({
  dataDir: dir,
  store,
  clock: systemClock,
  log: silentLog,
  events: new Events(),
  notices: {
    add(_level, message) {
      throw new Error(message);
    },
  },
});
repository.start();
const readyMs = performance.now() - started;

let worstGapMs = 0;
let worstGapCpuMs = 0;
let gapsOver5Ms = 0;
let snapshots = 0;
const run = { ends: false };
let made = 0;
let settleMs = 0;

/** Asks for the next turn again and again: what lies between two turns is what a request would wait. */
async function watch(): Promise<void> {
  let spent = process.threadCpuUsage();
  for (let last = performance.now(); !run.ends;) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const now = performance.now();
    const since = process.threadCpuUsage(spent);
    spent = process.threadCpuUsage();
    // The kernel counts CPU in steps of a few ms: it may be booked in a turn that was short by the clock.
    worstGapCpuMs = Math.max(worstGapCpuMs, Math.min(now - last, (since.user + since.system) / 1_000));
    worstGapMs = Math.max(worstGapMs, now - last);
    if (now - last > 5) gapsOver5Ms += 1;
    last = now;
  }
}

async function snapshotAgain(): Promise<void> {
  while (!run.ends) {
    await store.snapshot();
    snapshots += 1;
    await new Promise((resolve) => setTimeout(resolve, SNAPSHOT_PAUSE_MS));
  }
}

function arrive(): void {
  const due = Math.floor(((performance.now() - begun) / 1_000) * PER_SECOND);
  const before = performance.now();
  for (; made < due; made += 1) {
    const next = receipt(`live_${made}`, { at: Date.now(), model: `model-${made % 20}`, key: `key-${made % 7}` });
    if (mode === "store") void store.usage.settle(next);
    else kept = next;
  }
  settleMs += performance.now() - before;
}

let kept: unknown = null;
const begun = performance.now();
const arrivals = setInterval(arrive, TICK_MS);
const watching = watch();
const saving = mode === "store" ? snapshotAgain() : Promise.resolve();
await new Promise((resolve) => setTimeout(resolve, SECONDS * 1_000));
run.ends = true;
clearInterval(arrivals);
await watching;
await saving;
const report: PauseReport = {
  readyMs,
  worstGapMs,
  worstGapCpuMs,
  gapsOver5Ms,
  snapshots,
  snapshotKiB: Math.round(snapshotBytes / 1024),
  rssMiB: process.memoryUsage.rss() / 2 ** 20,
  microsecondsPerReceipt: (settleMs * 1_000) / made,
};
await repository.list({ key: null, limit: 1 });
const found = [
  (await repository.search({ limit: 1, offset: 0 })).total,
  (await library.list({ limit: 1, before: null })).total,
];
await repository.close();
await library.close();
await store.close();
if (found[0] !== tasks || found[1] !== media) throw new Error(`${found.join(" tasks and ")} entries were found`);
if (kept === undefined) throw new Error("the control made nothing");
process.send?.(report, () => process.disconnect());
