import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Min bytes of garbage for a collection, which takes some 60 ms on a small heap. */
const WORTH_BYTES = 16 * 1024 * 1024;
/** Min share of the used memory for a collection, whose duration grows with it. */
const WORTH_SHARE = 0.5;
const LOOK_MS = 750;
/** First interval in ms, for the start's own garbage, which no client waits for. */
const FIRST_LOOK_MS = 250;
/** A process this busy since its start has calls with compiled code to lose, so it waits like after a burst. */
const START_BUSY_MS = 1_000;
/** Max CPU share of one core of a calm gateway: running streams use more, and would notice a pause. */
const CALM_SHARE = 0.02;
/**
 * Consecutive calm checks, 12 s: a collection without running calls discards their compiled code, so that the next
 * second of calls costs double. An agent's turns are closer together.
 */
const CALM_LOOKS = 16;
/** Silent calls under way that justify a collection: their code stays, and their initial garbage is large. */
const MANY_CALLS = 100;

/**
 * V8 allocates objects in the old generation if most of their kind lived long before, as those of calls do at the beginning
 * of a burst: dead ones stay there, with all that they point to, until the whole heap is collected. It lets the old
 * generation grow to four times the used size before it does that; with twice the size, 50 MiB less are taken under load.
 *
 * It optimises undici's parser, a loop of WebAssembly, right after the second response. That takes 24 MB if the loop is
 * unrolled, of which malloc kept 13 MiB, and 14 if not. A hundred times its budget is some hundred responses: a gateway at
 * rest does without, and a busy one has the faster code within a second.
 *
 * The memory of its compilers is freed by threads that a busy gateway keeps waiting: at the beginning of a burst 31 MB came
 * together (docs/decisions/memory.md).
 */
const SMALLER = [
  "--no-allocation-site-pretenuring",
  "--heap-growing-percent=100",
  "--wasm-tiering-budget=1300000000",
  "--no-wasm-loop-unrolling",
  "--no-maglev-destroy-on-background",
];

/**
 * V8 optimises a function after 3,000 calls. With a third of that, calls 1,600 to 16,000 of a process take a quarter
 * less time, and later ones are no slower.
 */
const SOONER = "--invocation-count-for-turbofan=1000";

/** Sets V8's options for a gateway. To be called before it listens. */
export function tuneV8(): void {
  for (const option of [...SMALLER, SOONER]) setFlagsFromString(option);
}

/**
 * Releases memory after a burst, including the start. V8 only collects when it needs memory: a burst's garbage would
 * stay until the next one, in its pages and in malloc's.
 * @param inFlight returns the number of running calls
 * @param collect V8's collector
 * @returns a function that stops it.
 */
export function collectWhenCalm(inFlight: () => number, collect?: () => void): () => void {
  // Created when needed, because it slows down the start.
  let collector = collect;
  let least = 0;
  let busy = busyMs();
  let calm = 0;
  // The start's garbage is never needed again.
  let enough = 1;
  let every = FIRST_LOOK_MS;
  const from = busy;
  const started = (): void => {
    if (every === LOOK_MS) return;
    enough = CALM_LOOKS;
    every = LOOK_MS;
    clearInterval(timer);
    timer = setInterval(look, every).unref();
  };
  const look = (): void => {
    const before = busy;
    busy = busyMs();
    const used = usedBytes();
    least = Math.min(least, used);
    calm = busy - before > every * CALM_SHARE ? 0 : calm + 1;
    if (busy - from > START_BUSY_MS) started();
    const needed = inFlight() >= MANY_CALLS ? 1 : enough;
    if (calm < needed || used - least < Math.max(WORTH_BYTES, least * WORTH_SHARE)) return;
    started();
    collector ??= garbageCollector();
    collector();
    least = usedBytes();
  };
  let timer = setInterval(look, every).unref();
  return () => clearInterval(timer);
}

/** The processor's time that the process has taken. */
function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function usedBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}

/**
 * Returns V8's collector, which new contexts expose with this flag. It collects as in low memory, so that the young
 * generation is released too: a plain collection keeps its 32 MiB.
 */
function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  if (typeof collect !== "function") return () => {};
  return () => {
    (collect as (how: object) => void)({ type: "major", execution: "sync", flavor: "last-resort" });
  };
}
