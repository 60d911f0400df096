import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { KEY, makeCalls, newAgent, startProvider, WORKLOADS, type Workload } from "../bench/guard/workloads.ts";
import { startGateway } from "./running-gateway.ts";

/**
 * Prints, as JSON, how many bytes of each call V8 has put among the old, by the name of the workload: what no collection
 * of the young frees. Everything runs in this one process.
 */
const WARM_UP = 200;
const ROUNDS = 2;
const CALLS = 300;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (how?: { readonly type: "minor" }) => void;

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space")?.space_used_size ?? 0;
}

const provider = await startProvider();
const gateway = await startGateway({
  keys: [{ key: KEY, name: "bench", limit_usd: 1_000_000 }],
  env: {
    POSTERN_OPENAI_BASE_URL: `http://127.0.0.1:${provider.port}/v1`,
    POSTERN_OPENAI_API_KEY: "sk-upstream",
  },
});
const agent = newAgent();

async function oldBytesPerCall(workload: Workload): Promise<number> {
  await makeCalls(gateway.port, agent, workload, WARM_UP);
  collect();
  const before = oldBytes();
  for (let round = 0; round < ROUNDS; round += 1) {
    await makeCalls(gateway.port, agent, workload, CALLS);
    // What survives one of them is old after the next.
    collect({ type: "minor" });
    collect({ type: "minor" });
  }
  return (oldBytes() - before) / (ROUNDS * CALLS);
}

const reported: Record<string, number> = {};
for (const workload of WORKLOADS.slice(0, 3)) reported[workload.name] = Math.round(await oldBytesPerCall(workload));
console.log(JSON.stringify(reported));
agent.destroy();
await gateway.close();
provider.close();
