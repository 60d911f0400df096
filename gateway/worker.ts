import { parentPort } from "node:worker_threads";
import { readDocument } from "./core/imports/documents.ts";
import { findLines, parseFile } from "./core/setup/parse-file.ts";
import { makeRecording } from "./core/recordings/make-recording.ts";
import { soundSeconds } from "./core/transcription/sound-file.ts";
import { KnownSecrets } from "./lib/known-secrets.ts";
import { readRows, readTables } from "./store/imports/sqlite-tables.ts";
import { instanceInTime } from "./sandbox/json-schema/instance.ts";
import type { ThreadTask } from "./store/media/media-container.ts";
import { measureFile } from "./store/media/media-reader.ts";

/** Worker thread of `media-container.ts`: runs tasks one at a time and returns their results. */
async function answer(task: ThreadTask): Promise<void> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort?.postMessage(await getResult(task));
}

function getResult(task: ThreadTask): unknown {
  switch (task.kind) {
    case "container":
      return measureFile(task);
    case "sound":
      return soundSeconds(asBuffer(task.bytes));
    case "tables":
      return readTables(task.path, task.tables);
    case "rows":
      return readRows(task.path, task.query);
    case "recording":
      secrets.set(task.secrets);
      return JSON.stringify(makeRecording({ ...task.call, body: asBuffer(task.call.body) }, secrets));
    case "instance":
      return instanceInTime(task.schema, task.name);
    case "document":
      return readDocument(task.name, task.text);
    case "setup":
      return parseFile(task.text);
    case "lines":
      return findLines(task.text, task.paths);
  }
}

/** Secrets of recordings, indexed once for as long as they are the same. */
const secrets = new KnownSecrets();

/** Buffers arrive as plain arrays of bytes. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

// Errors end the thread.
parentPort?.on("message", (task: ThreadTask) => void answer(task));
