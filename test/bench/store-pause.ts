import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { fillFolder } from "./fill-folder.ts";
import { startOptions } from "./start-command.ts";

/**
 * By hand: `node test/bench/store-pause.ts`. How long does the store hold the event loop? With a million receipts,
 * 10,000 tasks and 100,000 entries of the library on the disk, 2,000 receipts a second arrive and generations are written
 * one after another; a control makes the same receipts and stores nothing. Each runs three times in a process of its
 * own, in turn. What runs is bundled and has V8's settings of `npm start`: loading TypeScript by itself takes 30 MiB.
 */
const AMOUNTS = { receipts: 1_000_000, tasks: 10_000, media: 100_000, models: 20, keys: 7 };
const RUNS = 3;
const SETTINGS = [...startOptions(join(import.meta.dirname, "../..")), "--no-allocation-site-pretenuring"];

export interface PauseReport {
  readonly readyMs: number;
  readonly worstGapMs: number;
  /** The same by the thread's CPU: what other programs did meanwhile is not in it. */
  readonly worstGapCpuMs: number;
  readonly gapsOver5Ms: number;
  readonly snapshots: number;
  /** What they wrote, all together. */
  readonly snapshotKiB: number;
  readonly rssMiB: number;
  readonly microsecondsPerReceipt: number;
}

/** @returns the path of the bundled worker */
async function bundleWorker(outDir: string): Promise<string> {
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true, target: "node" },
    build: {
      ssr: fileURLToPath(new URL("store-pause-worker.ts", import.meta.url)),
      outDir,
      emptyOutDir: true,
      target: "node24",
      minify: false,
      rolldownOptions: { output: { entryFileNames: "worker.mjs" } },
    },
  });
  return join(outDir, "worker.mjs");
}

async function measure(worker: string, mode: "store" | "control", dir: string): Promise<PauseReport> {
  const child = fork(worker, [mode, dir, JSON.stringify(mode === "store" ? AMOUNTS : { tasks: 0, media: 0 })], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv: SETTINGS,
  });
  const [report] = (await once(child, "message")) as [PauseReport];
  await once(child, "exit");
  return report;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const root = await mkdtemp(join(tmpdir(), "postern-pause-"));
try {
  const full = join(root, "full");
  await fillFolder(full, AMOUNTS);
  const worker = await bundleWorker(join(root, "worker"));
  const reports: Record<"control" | "store", PauseReport[]> = { control: [], store: [] };
  let empty = 0;
  for (let run = 0; run < RUNS; run += 1) {
    for (const mode of ["control", "store"] as const) {
      const report = await measure(worker, mode, mode === "store" ? full : join(root, `empty-${run}`));
      reports[mode].push(report);
      if (mode === "control") empty = Math.max(empty, report.readyMs);
      console.log(mode, JSON.stringify(report));
    }
  }
  const worst = (mode: "control" | "store", by: "worstGapMs" | "worstGapCpuMs"): string =>
    median(reports[mode].map((report) => report[by])).toFixed(1);
  const ready = median(reports.store.map((report) => report.readyMs));
  console.log(
    `worst gap, median of ${RUNS}: ${worst("store", "worstGapMs")} ms, control ${worst("control", "worstGapMs")} ms`,
  );
  console.log(`by CPU: ${worst("store", "worstGapCpuMs")} ms, control ${worst("control", "worstGapCpuMs")} ms`);
  console.log(`ready in ${ready.toFixed(0)} ms, on an empty folder ${empty.toFixed(0)} ms`);
  const last = reports.store.at(-1);
  const perSnapshot = last === undefined ? 0 : last.snapshotKiB / Math.max(1, last.snapshots);
  console.log(`a snapshot writes ${perSnapshot.toFixed(0)} KiB`);
  console.log(`resident: ${Math.max(...reports.store.map((report) => report.rssMiB)).toFixed(0)} MiB`);
} finally {
  await rm(root, { recursive: true, force: true });
}
