import { afterEach, expect, it, vi } from "vitest";

/** A memory in a page that was made again with this. */
async function memoryAfter(before: unknown) {
  const history = { state: before, replaceState: (next: unknown) => (history.state = next) };
  vi.stubGlobal("history", history);
  vi.stubGlobal("window", new EventTarget());
  vi.resetModules();
  const { handOverOnRest } = await import("../../../../renderer/lib/reload-memory.ts");
  const { createMemory } = await import("../../../../renderer/features/playground/memory.ts");
  handOverOnRest();
  const memory = createMemory<{ text: string; steps: readonly object[] }>("test", { text: "", steps: [] });
  return { memory, history, ask: () => window.dispatchEvent(new Event("rest", { cancelable: true })) };
}
afterEach(() => vi.unstubAllGlobals());

it("is there again in the next window", async () => {
  const first = await memoryAfter(null);
  first.memory.change({ text: "Half a question", steps: [{ status: "done" }] });
  expect(first.ask()).toBe(true);
  const { memory } = await memoryAfter(first.history.state);
  expect(memory.get()).toEqual({ text: "Half a question", steps: [{ status: "done" }] });
});

it("keeps the window while a call runs, however deep, and while it holds a file", async () => {
  const { memory, ask } = await memoryAfter(null);
  memory.change({ steps: [{ lanes: [{ status: "running" }] }] });
  expect(ask()).toBe(false);
  memory.change({ steps: [{ lanes: [{ status: "stopped" }] }] });
  expect(ask()).toBe(true);
  memory.change({ steps: [{ file: new Blob([]) }] });
  expect(ask()).toBe(false);
});
