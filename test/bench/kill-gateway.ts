import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../gateway/store/fixtures.ts";
import { ChildGateway } from "../support/child-gateway.ts";
import { killRounds } from "../support/gateway-kills.ts";
import { startProvider } from "../support/mock-provider.ts";

/**
 * By hand: `node test/bench/kill-gateway.ts [rounds] [seed]`. Kills a whole gateway under the load of 50 clients, 300
 * times unless told, and compares what it knows after each start with what the clients and the provider know. Every 20
 * kills begin a new folder, so that the comparison does not take longer and longer.
 */
const ROUNDS_PER_FOLDER = 20;
const rounds = Number(process.argv[2] ?? 300);
const random = seededRandom(Number(process.argv[3] ?? 1));
const broken: string[] = [];
const openings: number[] = [];
let calls = 0;
let keys = 0;
for (let done = 0; done < rounds; done += ROUNDS_PER_FOLDER) {
  const dir = await mkdtemp(join(tmpdir(), "postern-kill-"));
  const provider = await startProvider();
  try {
    const report = await killRounds(
      dir,
      provider,
      Math.min(ROUNDS_PER_FOLDER, rounds - done),
      random,
      (...given) => new ChildGateway(...given),
    );
    broken.push(...report.broken);
    openings.push(...report.openings);
    calls += report.calls;
    keys += report.keys;
  } finally {
    await provider.close();
    await rm(dir, { recursive: true, force: true });
  }
}
const sorted = openings.toSorted((a, b) => a - b);
const at = (share: number): string => `${(sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(0)} ms`;
console.log(`${rounds} kills, ${calls} finished calls and ${keys} keys acknowledged`);
console.log(`spawn to ready: median ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)}`);
console.log(broken.length === 0 ? "nothing lost, nothing doubled" : broken.join("\n"));
process.exitCode = broken.length === 0 ? 0 : 1;
