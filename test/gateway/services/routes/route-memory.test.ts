import { expect, it } from "vitest";
import { RouteMemory } from "../../../../gateway/services/routes/route-memory.ts";

const MINUTE = 60_000;

/** Calls along a chain in its order by pace: each asks the fastest, or the one that is due, which takes so long. */
function askAlong(memory: RouteMemory, takes: Record<string, () => number>): (now: number) => string {
  return (now) => {
    const paced = Object.keys(takes).toSorted((a, b) => memory.pace(a, true) - memory.pace(b, true));
    const model = memory.findDue(paced.slice(1), true, now) ?? paced[0] ?? "";
    memory.noteUse(model, true, now);
    memory.noteLatency(model, true, takes[model]?.() ?? 0);
    return model;
  };
}

it("compares the beginnings of streams with each other, and whole responses with each other", () => {
  const memory = new RouteMemory();
  const measure = (model: string, stream: boolean, ms: number): void => {
    memory.noteUse(model, stream, 0);
    memory.noteLatency(model, stream, ms);
  };
  measure("quick", true, 200);
  measure("quick", false, 9_000);
  measure("slow", true, 900);
  expect(memory.pace("quick", true)).toBe(200);
  expect(memory.pace("quick", false)).toBe(9_000);
  expect(memory.pace("slow", true)).toBe(900);
  // Not asked for a whole response yet: it is tried once.
  expect(memory.pace("slow", false)).toBe(0);
  measure("quick", true, 700);
  expect(memory.pace("quick", true)).toBe(300);
});

it.each<[string, number, number]>([
  ["every 20th call", 0, 25],
  ["after five minutes", 2 * MINUTE, 8],
])("measures a model again that was slow once, %s, and returns to it", (_when, between, calls) => {
  let starts = 0;
  const call = askAlong(new RouteMemory(), { cold: () => ((starts += 1) === 1 ? 1_500 : 20), even: () => 400 });
  const requests = Array.from({ length: calls }, (_, at) => call(at * between));
  expect(requests.slice(0, 3)).toEqual(["cold", "even", "even"]);
  expect(requests.at(-1)).toBe("cold");
});

it("measures one slow model at a time, the one that waits longest first", () => {
  const call = askAlong(new RouteMemory(), { a: () => 100, b: () => 200, c: () => 300 });
  const requests = Array.from({ length: 63 }, (_, at) => call(at));
  expect(requests.slice(0, 3)).toEqual(["a", "b", "c"]);
  expect(requests.slice(3).filter((model) => model !== "a")).toEqual(["b", "c"]);
});

it("keeps where a session is apart for each chain of a route", () => {
  const memory = new RouteMemory();
  memory.stay({ route: "work", rule: null }, "s", "big");
  memory.stay({ route: "work", rule: 1 }, "s", "small");
  expect(memory.findHome({ route: "work", rule: null }, "s")).toBe("big");
  expect(memory.findHome({ route: "work", rule: 1 }, "s")).toBe("small");
  expect(memory.findHome({ route: "other", rule: null }, "s")).toBeUndefined();
});
