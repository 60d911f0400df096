import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mediaOrigin } from "../support/media-samples.ts";
import { openMedia } from "../gateway/store/media/media-fixtures.ts";

/**
 * How long a library of 100,000 entries takes to open, to page through and to search, and what it keeps in memory.
 * Arguments: entries, characters of each prompt.
 */
const COUNT = Number(process.argv[2] ?? 100_000);
const LENGTH = Number(process.argv[3] ?? 260);
const WORDS =
  "a lighthouse at dusk painted in gouache the beam just lit and sea still bright harbour Fog gull tide".split(" ");

/** Prompts that have words in common and differ in all else. */
function promptOf(index: number): string {
  let text = `Number${index}x`;
  for (let word = index; text.length < LENGTH; word = (word * 31 + 7) % 1_000_003)
    text += ` ${WORDS[word % WORDS.length]}`;
  return text.slice(0, LENGTH);
}

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
          origin: mediaOrigin({
            model: `model-${index % 7}`,
            prompt: promptOf(index),
            key: `key_${index % 3}`,
            nano: index,
          }),
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

/** @param once what makes each round a search that was not made before: counts are remembered */
async function time(query: Omit<Parameters<typeof store.list>[0], "limit">, once?: () => object): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < 50; round += 1) {
    const from = performance.now();
    await store.list({ limit: 50, ...query, ...once?.() });
    times.push(performance.now() - from);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${sorted[25]?.toFixed(2)} ms, slowest ${sorted.at(-1)?.toFixed(2)} ms`;
}

console.log(`${COUNT} entries opened in ${opened.toFixed(0)} ms, longest gap ${longest.toFixed(1)} ms`);
console.log(`${(kept / 1024 ** 2).toFixed(1)} MiB kept in memory`);
console.log(`newest 50: ${await time({ before: null })}`);
console.log(`50 from the middle: ${await time({ before: COUNT / 2 })}`);
console.log(`50 from the end, by their place: ${await time({ before: null, offset: COUNT - 50 })}`);
console.log(`50 from the end of a kind: ${await time({ before: null, offset: COUNT / 5, kind: "audio" })}`);
console.log(`50 of a kind and a model: ${await time({ before: null, kind: "audio", model: "model-3" })}`);
console.log(`a model that is not there: ${await time({ before: null, model: "nothing" })}`);
let rounds = 0;
const once = (): object => ({ minNano: (rounds += 1) });
console.log(`a word of most prompts: ${await time({ before: null, q: "lighthouse" }, once)}`);
console.log(`three words: ${await time({ before: null, q: "gull fog harbour" }, once)}`);
console.log(`a word of one prompt: ${await time({ before: null, q: `number${COUNT >> 1}x` }, once)}`);
console.log(`a word of none: ${await time({ before: null, q: "zeppelin" }, once)}`);
console.log(`key, time and cost: ${await time({ before: null, key: "key_1", since: 1, minNano: 5 }, once)}`);
await store.close();
await rm(dir, { recursive: true, force: true });
