import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../gateway/store/fixtures.ts";
import { killRounds } from "../gateway/store/kill-rounds.ts";

/**
 * By hand: `node test/bench/kill-store.ts [rounds] [seed]`. Kills a loaded store, 300 times unless given, and looks for
 * losses after each. Every 25 kills begin a new folder, so that looking does not take longer and longer.
 */
const ROUNDS_PER_FOLDER = 25;
const rounds = Number(process.argv[2] ?? 300);
const random = seededRandom(Number(process.argv[3] ?? 1));
const total = { broken: [] as string[], keys: 0, receipts: 0 };
for (let done = 0; done < rounds; done += ROUNDS_PER_FOLDER) {
  const dir = await mkdtemp(join(tmpdir(), "postern-kill-"));
  try {
    const report = await killRounds(dir, Math.min(ROUNDS_PER_FOLDER, rounds - done), random);
    total.broken.push(...report.broken);
    total.keys += report.keys;
    total.receipts += report.receipts;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
console.log(`${rounds} kills, ${total.keys} keys and ${total.receipts} receipts acknowledged`);
console.log(total.broken.length === 0 ? "nothing lost, nothing doubled" : total.broken.join("\n"));
process.exitCode = total.broken.length === 0 ? 0 : 1;
