import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FastChild } from "../support/fast-child.ts";
import { orderBody } from "../support/video-orders.ts";
import type { Family } from "../support/video-orders.ts";
import { VideoProvider } from "../support/video-provider.ts";

/**
 * By hand: `node test/bench/poll-tasks.ts [tasks] [seconds]`. What it costs to look after 500 tasks for a minute, at
 * the machine's own speed: processor time beside that of the same gateway without tasks, how late the event loop is, and
 * how fast each account is asked after a restart. First all tasks at one account, then spread over four.
 */
const TASKS = Number(process.argv[2] ?? 500);
const SECONDS = Number(process.argv[3] ?? 60);
const KEY = "sk-test-videos-key-00001";
const AT_ONCE = 20;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function measured(child: FastChild): Promise<{ share: number; delayP99: number }> {
  await child.measure();
  const begun = performance.now();
  const before = await child.measured();
  await pause(SECONDS * 1_000);
  const after = await child.measured();
  return { share: (after.cpuMs - before.cpuMs) / (performance.now() - begun), delayP99: after.delayP99 };
}

async function submitAll(child: FastChild, families: readonly Family[]): Promise<void> {
  let next = 0;
  const submit = async (): Promise<void> => {
    for (let index = next++; index < TASKS; index = next++) {
      const family = families[index % families.length] as Family;
      const response = await fetch(`${child.url}/v1/videos/generations`, {
        method: "POST",
        headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
        body: JSON.stringify(orderBody(family, `A lighthouse ${index}.`)),
      });
      if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, submit));
}

/** The most questions to one account that arrive within any second. */
function mostInASecond(provider: VideoProvider): number {
  let most = 0;
  for (const account of new Set(provider.seen.map(({ protocol }) => protocol))) {
    const at = provider.seen.flatMap((seen) =>
      seen.protocol === account && seen.operation === "poll" ? [seen.at] : [],
    );
    let first = 0;
    for (const [index, moment] of at.entries()) {
      while ((at[first] as number) <= moment - 1_000) first += 1;
      most = Math.max(most, index - first + 1);
    }
  }
  return most;
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

async function run(label: string, families: readonly Family[]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "postern-polls-"));
  const provider = await new VideoProvider().listen();
  // Their states stay, so that nothing is written: what is measured is the asking.
  provider.plan = ["queued"];
  const env = {
    ...provider.env("dashscope", "ark", "xai", "openai"),
    POSTERN_KEYS: JSON.stringify([{ key: KEY, name: "videos", limit_usd: 100_000 }]),
    POSTERN_SANDBOX: "off",
  };
  const start = async (): Promise<FastChild> => {
    const child = new FastChild({ dataDir, env, speed: 1, since: Date.now(), kill: null });
    await child.ready();
    return child;
  };
  try {
    let child = await start();
    await pause(5_000);
    const idle = await measured(child);
    await submitAll(child, families);
    await child.kill();
    provider.seen.length = 0;
    child = await start();
    await child.measure();
    await pause(15_000);
    const { delayP99 } = await child.measured();
    const opening = mostInASecond(provider);
    provider.seen.length = 0;
    const steady = await measured(child);
    const perSecond = provider.count("poll") / SECONDS;
    console.log(`${TASKS} tasks ${label}`);
    console.log(
      `  after a kill: at most ${opening} questions a second to one account; loop delay p99 ${delayP99.toFixed(1)} ms`,
    );
    console.log(
      `  then: ${perSecond.toFixed(1)} questions a second, at most ${mostInASecond(provider)} to one account; loop delay p99 ${steady.delayP99.toFixed(1)} ms`,
    );
    console.log(
      `  processor: ${percent(steady.share)} of a core, ${percent(idle.share)} without tasks: ${percent(steady.share - idle.share)} for them`,
    );
    await child.stop();
  } finally {
    await provider.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await run("at one account (DashScope)", ["alpha"]);
await run("at four accounts", ["alpha", "ark", "xai", "openai"]);
