import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { KeyedMutex } from "../../lib/keyed-mutex.ts";
import { within } from "../../lib/within.ts";
import { NOTHING_MEASURED } from "./media-measure.ts";
import type { MediaMeasure } from "./media-measure.ts";

export interface MeasureTask {
  readonly path: string;
  /** Ours, by the file's first bytes. */
  readonly extension: string;
  readonly bytes: number;
}

const PATIENCE_MS = 10_000;
/** Far more than any honest file needs. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** One file at a time, so that memory is bounded for all of them together. */
const mutex = new KeyedMutex();

/**
 * Measures a video, or AAC, that is whole on the disk. In a thread of its own, because a file may lie about its index:
 * one with a wrong count in it made the library that reads it take all memory there is, another kept it busy for ever.
 * That ends the thread, and only the thread. Never rejects: what cannot be read is null.
 */
export function measureContainer(task: MeasureTask, patienceMs = PATIENCE_MS): Promise<MediaMeasure> {
  return mutex.run(["measure"], async () => {
    let worker: Worker | null = null;
    try {
      worker = startWorker(task);
      const answer = answerOf(worker);
      return (await within(answer, patienceMs)) ? await answer : NOTHING_MEASURED;
    } catch {
      return NOTHING_MEASURED;
    } finally {
      await worker?.terminate().catch(() => undefined);
    }
  });
}

function startWorker(task: MeasureTask): Worker {
  const options = { workerData: task, env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits: LIMITS };
  const bundled = !import.meta.url.endsWith(".ts");
  const url = new URL(bundled ? "./media-worker.cjs" : "./media-worker.ts", import.meta.url);
  // As text, because the desktop's files are in an archive that only the main thread is sure to read.
  return bundled
    ? new Worker(readFileSync(fileURLToPath(url), "utf8"), { ...options, eval: true })
    : new Worker(url, options);
}

function answerOf(worker: Worker): Promise<MediaMeasure> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The thread ended without an answer.")));
  });
}
