import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mediaOrigin } from "../support/media-samples.ts";
import { openMedia } from "../gateway/store/media-fixtures.ts";

/** How long a library of 100,000 entries takes to open and to page through, and what it keeps in memory. */
const COUNT = Number(process.argv[2] ?? 100_000);
const PROMPT = "A lighthouse at dusk, painted in gouache, the beam just lit and the sea still bright. ".repeat(3);

const dir = await mkdtemp(join(tmpdir(), "postern-bench-"));
const first = await openMedia({ dir });
for (let start = 0; start < COUNT; start += 1_000) {
  await Promise.all(
    Array.from({ length: Math.min(1_000, COUNT - start) }, (_, offset) => {
      const index = start + offset;
      return first.record({
        op: "add",
        extension: index % 3 === 0 ? "mp3" : "png",
        entry: {
          id: `media_${String(index).padStart(16, "0")}`,
          at: Date.now(),
          kind: index % 3 === 0 ? "audio" : "image",
          type: index % 3 === 0 ? "audio/mpeg" : "image/png",
          bytes: 1_000_000 + index,
          sha256: index.toString(16).padStart(64, "0"),
          width: 1_024,
          height: 1_024,
          duration_ms: null,
          origin: mediaOrigin({ model: `model-${index % 7}`, prompt: PROMPT }),
        },
      });
    }),
  );
}
await first.close();

const collect = (globalThis as { gc?: () => void }).gc ?? ((): void => undefined);
collect();
const heap = process.memoryUsage().heapUsed;
let longest = 0;
let last = performance.now();
const timer = setInterval(() => {
  longest = Math.max(longest, performance.now() - last);
  last = performance.now();
}, 0);
const started = performance.now();
const store = await openMedia({ dir });
const opened = performance.now() - started;
clearInterval(timer);
collect();
const kept = process.memoryUsage().heapUsed - heap;

async function time(query: Omit<Parameters<typeof store.list>[0], "limit">): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    const from = performance.now();
    await store.list({ limit: 50, ...query });
    times.push(performance.now() - from);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${sorted[25]?.toFixed(2)} ms, slowest ${sorted.at(-1)?.toFixed(2)} ms`;
}

console.log(`${COUNT} entries opened in ${opened.toFixed(0)} ms, longest gap ${longest.toFixed(1)} ms`);
console.log(`${(kept / 1024 ** 2).toFixed(1)} MiB kept in memory`);
console.log(`newest 50: ${await time({ before: null })}`);
console.log(`50 from the middle: ${await time({ before: COUNT / 2 })}`);
console.log(`50 of a kind and a model: ${await time({ before: null, kind: "audio", model: "model-3" })}`);
console.log(`a model that is not there: ${await time({ before: null, model: "nothing" })}`);
await store.close();
await rm(dir, { recursive: true, force: true });
