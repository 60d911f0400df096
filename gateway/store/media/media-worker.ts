import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { MeasureTask } from "./media-container.ts";
import { readContainer } from "./media-reader.ts";

/** The thread that `measureContainer` starts: measures one file after the other and says what it found. */
async function measure({ path, extension, bytes }: MeasureTask): Promise<void> {
  const file = openSync(path, "r");
  try {
    const found = await readContainer(extension, bytes, (start, end) => {
      const chunk = new Uint8Array(end - start);
      return chunk.subarray(0, readSync(file, chunk, 0, chunk.length, start));
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
    parentPort?.postMessage(found);
  } finally {
    closeSync(file);
  }
}

// What goes wrong ends the thread.
parentPort?.on("message", (task: MeasureTask) => void measure(task));
