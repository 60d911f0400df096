import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { RecordedCall } from "../../core/recordings/make-recording.ts";
import { soundSeconds } from "../../core/transcription/sound-file.ts";
import { Mutex } from "../../lib/mutex.ts";
import { within } from "../../lib/within.ts";
import type { TablesRead } from "../imports/sqlite-tables.ts";
import { NOTHING_MEASURED } from "./media-measure.ts";
import type { MediaMeasure } from "./media-measure.ts";

export interface MeasureTask {
  readonly path: string;
  /** Ours, by the file's first bytes. */
  readonly extension: string;
  readonly bytes: number;
}

/** Task for the worker thread. */
export type ThreadTask =
  | ({ readonly kind: "container" } & MeasureTask)
  | { readonly kind: "sound"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "tables"; readonly path: string; readonly tables: readonly string[] }
  | { readonly kind: "rows"; readonly path: string; readonly query: string }
  | { readonly kind: "recording"; readonly call: RecordedCall; readonly secrets: readonly string[] }
  | { readonly kind: "instance"; readonly schema: unknown; readonly name: string }
  | { readonly kind: "document"; readonly name: string; readonly text: string }
  | { readonly kind: "setup"; readonly text: string }
  | { readonly kind: "lines"; readonly text: string; readonly paths: readonly (readonly PropertyKey[])[] };

const TIMEOUT_MS = 10_000;
/** Far more than any honest file needs. */
const LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

/** Processes one file at a time, so that total memory is bounded. */
const mutex = new Mutex();

/** Milliseconds that an idle thread waits for another file: starting one takes a hundred times as long as a file. */
const IDLE_MS = 10_000;

/** Thread that measured the last file successfully, and when it ends. */
let idle: { readonly worker: Worker; readonly leave: NodeJS.Timeout } | null = null;

/** Measures a video, or a sound, that is whole on the disk, off the main thread. Never rejects: what cannot be read is null. */
export function measureContainer(task: MeasureTask): Promise<MediaMeasure> {
  return runInThread<MediaMeasure>({ kind: "container", ...task }).catch(() => NOTHING_MEASURED);
}

/** Max bytes of a sound that is measured on the main thread. */
const SMALL_SOUND = 128 * 1024;

/** Seconds of a sound that is in memory. Never rejects: what cannot be read is null. */
export const measureSound = async (bytes: Buffer): Promise<number | null> =>
  bytes.length <= SMALL_SOUND
    ? soundSeconds(bytes)
    : runInThread<number | null>({ kind: "sound", bytes: await copyInSlices(bytes) }).catch(() => null);

/** Bytes that are copied in one turn of the event loop. */
const COPIED_BYTES = 4 * 1024 * 1024;

/** Copies bytes so that a thread can take them over. */
async function copyInSlices(bytes: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  for (let from = 0; from < bytes.length; from += COPIED_BYTES) {
    if (from > 0) await nextTurn();
    copy.set(bytes.subarray(from, from + COPIED_BYTES), from);
  }
  return copy;
}

/** Reads tables of another program's database. @throws Error if they cannot be read */
export const readTablesApart = (path: string, tables: readonly string[]): Promise<TablesRead> =>
  runInThread<TablesRead>({ kind: "tables", path, tables });

/** Reads the texts of a query's only column of another program's database. @throws Error if they cannot be read */
export const readRowsApart = (path: string, query: string): Promise<readonly string[]> =>
  runInThread<readonly string[]>({ kind: "rows", path, query });

/** Rejects if the thread ends early or takes too long. */
export function runInThread<T>(task: ThreadTask): Promise<T> {
  return mutex.run(async () => {
    let worker: Worker | null = null;
    try {
      worker = takeIdle() ?? startWorker();
      const response = waitForResponse<T>(worker, task);
      if (!(await within(response, TIMEOUT_MS))) throw new Error("The thread took too long.");
      const measured = await response;
      keepIdle(worker);
      worker = null;
      return measured;
    } finally {
      await worker?.terminate().catch(() => undefined);
    }
  });
}

function takeIdle(): Worker | null {
  if (idle === null) return null;
  const { worker, leave } = idle;
  clearTimeout(leave);
  idle = null;
  worker.ref();
  return worker;
}

/** The idle thread does not keep the process alive. */
function keepIdle(worker: Worker): void {
  worker.unref();
  const leave = setTimeout(() => {
    idle = null;
    void worker.terminate().catch(() => undefined);
  }, IDLE_MS).unref();
  idle = { worker, leave };
}

function startWorker(): Worker {
  const options = { env: {}, execArgv: [], stdout: true, stderr: true, resourceLimits: LIMITS };
  const bundled = !import.meta.url.endsWith(".ts");
  const url = new URL(bundled ? "./worker.cjs" : "../../worker.ts", import.meta.url);
  // Loaded as text, because the desktop's files are in an archive that only the main thread is sure to read.
  const worker = bundled
    ? new Worker(readFileSync(fileURLToPath(url), "utf8"), { ...options, eval: true })
    : new Worker(url, options);
  // Pending calls are rejected elsewhere; there may be none.
  worker.on("error", () => undefined);
  worker.once("exit", () => {
    if (idle?.worker !== worker) return;
    clearTimeout(idle.leave);
    idle = null;
  });
  return worker;
}

function waitForResponse<T>(worker: Worker, task: ThreadTask): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      worker.off("message", take).off("error", fail).off("exit", end);
    };
    const take = (measured: T): void => {
      over();
      resolve(measured);
    };
    const fail = (error: Error): void => {
      over();
      reject(error);
    };
    const end = (): void => fail(new Error("The thread ended without an answer."));
    worker.on("message", take).on("error", fail).on("exit", end);
    worker.postMessage(task, task.kind === "sound" ? [task.bytes.buffer] : []);
  });
}
