import { afterAll, beforeAll, expect, it } from "vitest";
import { dose, thin } from "../../support/dose.ts";
import { chatCases } from "./chat-cases.ts";
import { fileCases } from "./file-cases.ts";
import { geminiCases } from "./gemini-cases.ts";
import { ollamaCases } from "./ollama-cases.ts";
import { LoopWorld } from "./loop-world.ts";
import { providerCases } from "./provider-cases.ts";

const loopCases = [...chatCases, ...fileCases, ...geminiCases, ...ollamaCases, ...providerCases];
/** Four times the input may take four times as long, not sixteen times. */
const TIMES = 4;
const MAX_RATIO = 9;
/** Milliseconds that a turn takes whatever the input is. */
const NOISE = 6;

let world: LoopWorld;
beforeAll(async () => {
  world = await LoopWorld.start();
  for (const { run } of loopCases) await run(world, 100);
  await world.peak();
}, 120_000);
afterAll(() => world.close());

/** The longest turn of the gateway's main thread: of several runs the shortest one, which no other work lengthened. */
async function longestTurn(run: () => Promise<number>, runs: number): Promise<number> {
  let shortest = Infinity;
  for (let left = runs; left > 0; left--) {
    expect(await run()).toBeLessThan(600);
    shortest = Math.min(shortest, (await world.peak()).ms);
  }
  return Math.max(NOISE, shortest);
}

it.each(thin(loopCases, 6))(
  "no turn of the event loop grows faster than its input: $name",
  async ({ full, run }) => {
    const large = Math.ceil(full / dose(4, 1));
    const small = await longestTurn(() => run(world, Math.ceil(large / TIMES)), 3);
    let ratio = Infinity;
    for (let left = 3; left > 0 && ratio >= MAX_RATIO; left--)
      ratio = (await longestTurn(() => run(world, large), 1)) / small;
    expect(ratio).toBeLessThan(MAX_RATIO);
  },
  120_000,
);
