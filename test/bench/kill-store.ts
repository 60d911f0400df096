import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../gateway/store/fixtures.ts";
import { killRounds } from "../gateway/store/kill-rounds.ts";

/** By hand: `node test/bench/kill-store.ts [rounds] [seed]`. Kills a loaded store 300 times and looks for losses. */
const rounds = Number(process.argv[2] ?? 300);
const seed = Number(process.argv[3] ?? 1);
const dir = await mkdtemp(join(tmpdir(), "postern-kill-"));
try {
  const { broken, openings, keys, receipts } = await killRounds(dir, rounds, seededRandom(seed));
  const sorted = openings.toSorted((a, b) => a - b);
  const at = (share: number): string => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`;
  console.log(`${rounds} kills, ${keys} keys and ${receipts} receipts acknowledged`);
  console.log(`opening: median ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)}`);
  console.log(broken.length === 0 ? "nothing lost, nothing doubled" : broken.join("\n"));
  process.exitCode = broken.length === 0 ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}
