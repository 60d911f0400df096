import { openSync, readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { MeasureTask } from "./media-container.ts";
import { readContainer } from "./media-reader.ts";

/** The thread that `measureContainer` starts: measures one file and says what it found. */
async function measure({ path, extension, bytes }: MeasureTask): Promise<void> {
  // Closed with the thread.
  const file = openSync(path, "r");
  const found = await readContainer(extension, bytes, (start, end) => {
    const chunk = new Uint8Array(end - start);
    return chunk.subarray(0, readSync(file, chunk, 0, chunk.length, start));
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(found);
}

void measure(workerData as MeasureTask);
