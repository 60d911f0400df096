import { once } from "node:events";

/** What a process has allocated since `begin`, or null when its collector ran meanwhile: then the sum is not known. */
export interface AllocationMeter extends Disposable {
  begin(): Promise<void>;
  end(): Promise<number | null>;
}

interface HeapUsage {
  readonly usedSize: number;
  readonly backingStorageSize: number;
}

/** Counts collections in the process that is inspected. */
const COUNT_COLLECTIONS = `(() => {
  if (globalThis.collections !== undefined) return;
  const { PerformanceObserver } = process.getBuiltinModule("node:perf_hooks");
  globalThis.collections = 0;
  new PerformanceObserver((list) => (globalThis.collections += list.getEntries().length)).observe({ entryTypes: ["gc"] });
})()`;

/**
 * Reads the heap of a process over its inspector. With a young generation that is larger than what is allocated
 * nothing is collected between two looks, and their difference is what was allocated, to the byte.
 * @param address `ws://127.0.0.1:…`, as `--inspect` prints it.
 */
export async function inspect(address: string): Promise<AllocationMeter> {
  const socket = new WebSocket(address);
  await once(socket, "open");
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let last = 0;
  const ask = <Result>(method: string, params: object = {}): Promise<Result> =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, (result) => resolve(result as Result));
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  const collections = async (): Promise<number> => {
    // A turn later: the observer hears of a collection in one of its own.
    const expression = "new Promise((resolve) => setImmediate(() => resolve(globalThis.collections)))";
    const { result } = await ask<{ result: { value: number } }>("Runtime.evaluate", { expression, awaitPromise: true });
    return result.value;
  };
  const allocated = async (): Promise<number> => {
    const usage = await ask<HeapUsage>("Runtime.getHeapUsage");
    return usage.usedSize + usage.backingStorageSize;
  };
  await ask("Runtime.evaluate", { expression: COUNT_COLLECTIONS });
  let before = 0;
  let counted = 0;
  return {
    async begin() {
      await ask("HeapProfiler.collectGarbage");
      counted = await collections();
      before = await allocated();
    },
    async end() {
      const sum = (await allocated()) - before;
      return (await collections()) === counted ? sum : null;
    },
    [Symbol.dispose]: () => socket.close(),
  };
}
