import type { Clock } from "../../lib/clock.ts";
import { Slices } from "../../lib/slices.ts";
import { replaceFile } from "../disk/atomic-file.ts";
import { frame } from "../disk/line.ts";
import { LineLog } from "../disk/line-log.ts";
import type { StoreFs } from "../disk/store-fs.ts";
import type { TaskIndexLine } from "./task-lines.ts";

export const TASK_INDEX = "index.ndjson";

const SLICE_CHARACTERS = 256 * 1024;
/** Lines between two looks at the clock. */
const LOOK_EVERY = 50;

export const openTaskIndex = (fs: StoreFs, path: string): LineLog =>
  new LineLog(fs, path, { name: "list of archived video tasks", longestLine: 16 * 1024 * 1024 });

/** Puts a new list in the place of the old one, whole or not at all. @throws the disk's error */
export async function writeTaskIndex(
  fs: StoreFs,
  path: string,
  lines: Iterable<TaskIndexLine>,
  clock: Clock,
): Promise<LineLog> {
  let position = 0;
  await replaceFile(fs, path, async (file) => {
    const slices = new Slices(clock);
    let text = "";
    let count = 0;
    const flush = async (): Promise<void> => {
      const bytes = Buffer.from(text);
      text = "";
      await file.write(bytes, position);
      position += bytes.length;
    };
    for (const line of lines) {
      text += frame(JSON.stringify(line));
      count += 1;
      if (text.length >= SLICE_CHARACTERS) await flush();
      if (count % LOOK_EVERY === 0 && slices.over) await slices.pause();
    }
    await flush();
  });
  return openTaskIndex(fs, path);
}
