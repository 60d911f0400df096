import { closeSync, openSync, readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { readDocument } from "../../core/imports/documents.ts";
import { findLines, parseFile } from "../../core/setup/parse-file.ts";
import { soundSeconds } from "../../core/transcription/sound-file.ts";
import { readTables } from "../imports/sqlite-tables.ts";
import type { MeasureTask, ThreadTask } from "./media-container.ts";
import type { MediaMeasure } from "./media-measure.ts";
import { readContainer } from "./media-reader.ts";

/** The thread that `media-container.ts` starts: does one task after the other and says what it found. */
async function answer(task: ThreadTask): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(await resultOf(task));
}

function resultOf(task: ThreadTask): unknown {
  switch (task.kind) {
    case "container":
      return measure(task);
    case "sound":
      return soundSeconds(Buffer.from(task.bytes.buffer, task.bytes.byteOffset, task.bytes.byteLength));
    case "tables":
      return readTables(task.path, task.tables);
    case "document":
      return readDocument(task.name, task.text);
    case "setup":
      return parseFile(task.text);
    case "lines":
      return findLines(task.text, task.paths);
  }
}

async function measure({ path, extension, bytes }: MeasureTask): Promise<MediaMeasure> {
  const file = openSync(path, "r");
  try {
    return await readContainer(extension, bytes, (start, end) => {
      const chunk = new Uint8Array(end - start);
      return chunk.subarray(0, readSync(file, chunk, 0, chunk.length, start));
    });
  } finally {
    closeSync(file);
  }
}

// What goes wrong ends the thread.
parentPort?.on("message", (task: ThreadTask) => void answer(task));
