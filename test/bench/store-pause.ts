import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { frame } from "../../gateway/store/disk/line.ts";
import { receipt } from "../gateway/store/fixtures.ts";

/**
 * By hand: `node test/bench/store-pause.ts`. How long does the store hold the event loop? With a million receipts and
 * 10,000 tasks on the disk, 2,000 receipts a second arrive and generations are written one after another; a control
 * makes the same receipts and stores nothing. Each runs three times in a process of its own, in turn.
 */
const RECEIPTS = 1_000_000;
const TASKS = 10_000;
const RUNS = 3;
const DAY_MS = 86_400_000;
const MODELS = 20;
const KEYS = 7;

export interface PauseReport {
  readonly readyMs: number;
  readonly worstGapMs: number;
  readonly gapsOver5Ms: number;
  readonly snapshots: number;
  readonly rssMiB: number;
  readonly microsecondsPerReceipt: number;
}

async function measure(mode: "store" | "control", dir: string): Promise<PauseReport> {
  const worker = fileURLToPath(new URL("store-pause-worker.ts", import.meta.url));
  const child = fork(worker, [mode, dir], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [report] = (await once(child, "message")) as [PauseReport];
  await once(child, "exit");
  return report;
}

/** A million receipts of the last 90 days, in monthly segments, as the store writes them. */
async function writeSegments(dir: string): Promise<void> {
  const now = Date.now();
  await mkdir(join(dir, "usage"), { recursive: true });
  const files = new Map<string, Awaited<ReturnType<typeof open>>>();
  let lines: string[] = [];
  let month = "";
  const flush = async (): Promise<void> => {
    if (lines.length === 0) return;
    const file = files.get(month) ?? (await open(join(dir, "usage", `usage-${month}.ndjson`), "a", 0o600));
    files.set(month, file);
    await file.write(lines.join(""));
    lines = [];
  };
  for (let n = 1; n <= RECEIPTS; n += 1) {
    const at = now - Math.floor(((RECEIPTS - n) / RECEIPTS) * 90 * DAY_MS);
    const itsMonth = new Date(at).toISOString().slice(0, 7);
    if (itsMonth !== month || lines.length >= 5_000) await flush();
    month = itsMonth;
    const made = receipt(`req_${n.toString(36).padStart(20, "0")}`, {
      at,
      model: `model-${n % MODELS}`,
      key: `key-${n % KEYS}`,
    });
    lines.push(frame(`{"n":${n},"receipt":${JSON.stringify(made)}}`));
  }
  await flush();
  for (const file of files.values()) await file.close();
}

async function writeTasks(dir: string): Promise<void> {
  const lines: string[] = [];
  for (let index = 0; index < TASKS; index += 1) {
    const record = { id: `vt_${index}`, status: "succeeded", native: { text: "x".repeat(500) } };
    lines.push(frame(JSON.stringify({ seq: index + 1, ts: 0, changes: [{ op: "put", in: "tasks", record }] })));
  }
  await writeFile(join(dir, "journal.1.ndjson"), lines.join(""), { mode: 0o600 });
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const root = await mkdtemp(join(tmpdir(), "postern-pause-"));
try {
  const full = join(root, "full");
  await writeSegments(full);
  await writeTasks(full);
  const rebuilt = await measure("store", full);
  console.log(`first opening, all ${RECEIPTS} receipts counted again: ${rebuilt.readyMs.toFixed(0)} ms`);
  const reports: Record<"control" | "store", PauseReport[]> = { control: [], store: [] };
  let empty = 0;
  for (let run = 0; run < RUNS; run += 1) {
    for (const mode of ["control", "store"] as const) {
      const report = await measure(mode, mode === "store" ? full : join(root, `empty-${run}`));
      reports[mode].push(report);
      if (mode === "control") empty = Math.max(empty, report.readyMs);
      console.log(mode, JSON.stringify(report));
    }
  }
  const worst = (mode: "control" | "store"): number => median(reports[mode].map((report) => report.worstGapMs));
  const ready = median(reports.store.map((report) => report.readyMs));
  console.log(
    `worst gap, median of ${RUNS}: ${worst("store").toFixed(1)} ms, control ${worst("control").toFixed(1)} ms`,
  );
  console.log(`ready in ${ready.toFixed(0)} ms, on an empty folder ${empty.toFixed(0)} ms`);
  console.log(`resident: ${Math.max(...reports.store.map((report) => report.rssMiB)).toFixed(0)} MiB`);
} finally {
  await rm(root, { recursive: true, force: true });
}
