import { chatCases } from "./chat-cases.ts";
import { fileCases } from "./file-cases.ts";
import { geminiCases } from "./gemini-cases.ts";
import { ollamaCases } from "./ollama-cases.ts";
import { LoopWorld } from "./loop-world.ts";
import { providerCases } from "./provider-cases.ts";

const loopCases = [...chatCases, ...fileCases, ...geminiCases, ...ollamaCases, ...providerCases];

/** Longest turn of each case at full size, by hand: `node test/gateway/loop/run.ts [PART OF A NAME]`. */
const MAX_MS = 50;
const expected = loopCases.filter(({ name }) => name.includes(process.argv[2] ?? ""));
const world = await LoopWorld.start();
for (const { run } of expected) await run(world, 16).catch(() => undefined);
await world.peak();
let long = 0;
for (const { name, full, run } of expected) {
  const status = await run(world, full).catch(String);
  const { ms, rss } = await world.peak();
  if (ms > MAX_MS) long += 1;
  console.log(
    `${ms > MAX_MS ? "LONG" : "    "} ${ms.toFixed(0).padStart(6)} ms ${(rss / 1e6).toFixed(0).padStart(5)} MB  ${name} (${status})`,
  );
}
console.log(`${long} of ${expected.length} longer than ${MAX_MS} ms`);
await world.close();
