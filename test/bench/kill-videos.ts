import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "../gateway/store/fixtures.ts";
import type { KillPoint } from "../support/kill-points.ts";
import { EDGES } from "../support/video-edges.ts";
import { KillStage } from "../support/video-kills.ts";
import type { Kill } from "../support/video-kills.ts";
import type { ScriptedState } from "../support/video-provider.ts";

/**
 * By hand: `node test/bench/kill-videos.ts [rounds] [seed]`. Kills a gateway with a task of every protocol under way at
 * each named edge, and then so many times at random moments (200 unless told), some of them in the start after another
 * kill; and compares what it knows afterwards with what the providers and the receiver saw. Every 20 rounds begin a new
 * folder. Kills at points of its own work are the same for the same seed; those by the clock are as exact as the machine.
 */
const ROUNDS_PER_FOLDER = 20;
/** A task's whole life, ms of this machine at a hundred times its speed. */
const LIFE_MS = 900;
/** Steps of the disk in it, for six tasks. */
const LIFE_STEPS = 180;
/** Steps of the disk from a start to the end of what it takes up. */
const START_STEPS = 60;

const rounds = Number(process.argv[2] ?? 200);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 1e6));
const random = seededRandom(seed);
const below = (most: number): number => Math.floor(random() * most);
console.log(`seed ${seed}`);

const PLANS: readonly (readonly ScriptedState[])[] = [
  ["queued", "running", "succeeded"],
  ["queued", "running", "succeeded"],
  ["succeeded"],
  ["running", "queued", "running", "succeeded"],
  ["queued", "running", "failed"],
];

const anyStep = (most: number): KillPoint => ({ in: "any", at: "any", nth: 1 + below(most) });

function randomKill(): Kill {
  return random() < 0.5 ? { how: "after", ms: random() * LIFE_MS } : { how: "point", point: anyStep(LIFE_STEPS) };
}

interface Sum {
  kills: number;
  tasks: number;
  lost: number;
  byOwner: number;
  readonly broken: string[];
}

async function inFolder(work: (stage: KillStage) => Promise<void>, sum: Sum): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "postern-kill-"));
  const stage = await KillStage.open(dir);
  try {
    await work(stage);
    await startAndSettle(stage);
  } finally {
    await stage.close();
    await rm(dir, { recursive: true, force: true });
  }
  sum.kills += stage.kills;
  sum.tasks += stage.orders.length;
  sum.lost += stage.lost;
  sum.byOwner += stage.byOwner;
  sum.broken.push(...stage.broken);
  for (const sentence of stage.broken) console.log(`BROKEN ${sentence}`);
}

async function startAndSettle(stage: KillStage): Promise<void> {
  await stage.start();
  await stage.settle();
}

/** A start that is killed itself now and then, by the clock or by its own work. */
async function startAfterKill(stage: KillStage): Promise<void> {
  while (random() < 0.3) {
    if (!(await stage.start(random() < 0.7 ? anyStep(START_STEPS) : null))) continue;
    await stage.killAfter(random() * LIFE_MS);
  }
  await startAndSettle(stage);
}

const sum: Sum = { kills: 0, tasks: 0, lost: 0, byOwner: 0, broken: [] };
const begun = performance.now();
await inFolder(async (stage) => {
  for (const [edge, kill] of Object.entries(EDGES)) {
    await startAndSettle(stage);
    const killed = await stage.orderAndKill(edge.replaceAll(/\W+/g, "-"), kill, PLANS[0] ?? []);
    if (!killed) sum.broken.push(`no kill ${edge}`);
  }
}, sum);
console.log(`${sum.kills} kills at ${Object.keys(EDGES).length} edges`);
for (let round = 0; sum.kills < rounds + Object.keys(EDGES).length;) {
  await inFolder(async (stage) => {
    for (
      let inThis = 0;
      inThis < ROUNDS_PER_FOLDER && sum.kills + stage.kills < rounds + Object.keys(EDGES).length;
      inThis++
    ) {
      await startAfterKill(stage);
      const fails = random() < 0.25 ? 1 : 0;
      stage.receiver.response = (nth) => (nth <= fails ? 500 : 204);
      await stage.orderAndKill(`random-${round}`, randomKill(), PLANS[below(PLANS.length)] ?? []);
      round += 1;
    }
  }, sum);
  console.log(`${sum.kills} kills, ${sum.tasks} tasks, ${((performance.now() - begun) / 1_000).toFixed(0)} s`);
}
console.log(
  `${sum.kills} kills, ${sum.tasks} tasks; ${sum.lost} lost on their way, ${sum.byOwner} of these told by the owner`,
);
console.log(sum.broken.length === 0 ? "nothing lost, nothing doubled" : sum.broken.join("\n"));
process.exitCode = sum.broken.length === 0 ? 0 : 1;
