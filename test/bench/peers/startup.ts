import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { contender, type ContenderName } from "./contenders.ts";
import type { Bench } from "./round.ts";
import { startContender } from "./started.ts";

/**
 * Milliseconds from the start of a contender to its first response 200, to a chat completion where it has them, `times`
 * times, in a folder that stays the same, as it does for a person who opens the program every day.
 */
export async function startupTimes(bench: Bench, name: ContenderName, times: number): Promise<number[]> {
  const folder = mkdtempSync(join(bench.folder, `${name}-startup-`));
  const dialect = contender(name).paths.chat === undefined ? "messages" : "chat";
  const measured: number[] = [];
  // The first start fills caches and makes the data folder; it is not counted.
  for (let time = 0; time <= times; time++) {
    await using started = await startContender(bench, { name, dialect, streamed: false, folder });
    if (time > 0) measured.push(started.startMs);
    // Whatever a program does after its first response (writing its compile cache, say) belongs to a start too.
    await sleep(time === 0 ? 3_000 : 300);
  }
  return measured;
}
