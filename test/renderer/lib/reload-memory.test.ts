import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The module as a page gets it whose history says this. */
async function pageWith(state: unknown) {
  const history = { state, replaceState: (next: unknown) => (history.state = next) };
  vi.stubGlobal("history", history);
  vi.stubGlobal("window", new EventTarget());
  vi.resetModules();
  const stored = await import("../../../renderer/lib/reload-memory.ts");
  stored.handOverOnRest();
  /** Asks as the desktop app does: whether the page can be let go of. */
  const ask = (): boolean => window.dispatchEvent(new Event("rest", { cancelable: true }));
  return { ...stored, history, ask };
}

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

describe("what a page keeps", () => {
  it("goes into the history's state when the page is asked, and comes back from it, once", async () => {
    const first = await pageWith(null);
    expect(first.keep("draft", () => ({ text: "Half a question" }))).toBeUndefined();
    expect(first.history.state).toBeNull();
    expect(first.ask()).toBe(true);
    const second = await pageWith(first.history.state);
    expect(second.history.state).toBeNull();
    expect(second.keep("draft", () => null)).toEqual({ text: "Half a question" });
    expect(second.keep("other", () => null)).toBeUndefined();
  });

  it("is handed on by a page that has not looked at it", async () => {
    const page = await pageWith({ kept: { draft: "from before", place: 1 } });
    page.keep("place", () => 2);
    page.ask();
    expect(page.history.state).toEqual({ kept: { draft: "from before", place: 2 } });
  });

  it("keeps the page when there is something that cannot be written down", async () => {
    const page = await pageWith(null);
    let value: number | undefined = undefined;
    page.keep("form", () => value);
    page.keep("place", () => 3);
    expect(page.ask()).toBe(false);
    expect(page.history.state).toBeNull();
    value = 1;
    expect(page.ask()).toBe(true);
  });

  it.each([[undefined], ["text"], [{ other: 1 }], [{ kept: "text" }]])(
    "leaves a state alone that is not its own: %j",
    async (state) => {
      const page = await pageWith(state);
      expect(page.history.state).toEqual(state);
      expect(page.keep("draft", () => null)).toBeUndefined();
    },
  );
});

it.each([
  [{ a: [1, "b", null, undefined, true, { c: [] }] }, true],
  [new Blob([]), false],
  [{ picture: { file: new Blob([]) } }, false],
  [[new Error("x")], false],
  [{ at: new Map() }, false],
  [() => 1, false],
])("%j can be written down: %s", async (value, expected) => {
  const { isPlain } = await import("../../../renderer/lib/reload-memory.ts");
  expect(isPlain(value)).toBe(expected);
});
