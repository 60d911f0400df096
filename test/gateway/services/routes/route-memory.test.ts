import { expect, it } from "vitest";
import { RouteMemory } from "../../../../gateway/services/routes/route-memory.ts";

it("compares the beginnings of streams with each other, and whole responses with each other", () => {
  const memory = new RouteMemory();
  memory.measured("quick", true, 200);
  memory.measured("quick", false, 9_000);
  memory.measured("slow", true, 900);
  expect(memory.pace("quick", true)).toBe(200);
  expect(memory.pace("quick", false)).toBe(9_000);
  expect(memory.pace("slow", true)).toBe(900);
  // Not asked for a whole response yet: it is tried once.
  expect(memory.pace("slow", false)).toBe(0);
});

it("is moved a little by each call", () => {
  const memory = new RouteMemory();
  memory.measured("a", true, 100);
  memory.measured("a", true, 600);
  expect(memory.pace("a", true)).toBe(200);
});

it("keeps where a session is apart for each chain of a route", () => {
  const memory = new RouteMemory();
  memory.stay({ route: "work", rule: null }, "s", "big");
  memory.stay({ route: "work", rule: 1 }, "s", "small");
  expect(memory.stayed({ route: "work", rule: null }, "s")).toBe("big");
  expect(memory.stayed({ route: "work", rule: 1 }, "s")).toBe("small");
  expect(memory.stayed({ route: "other", rule: null }, "s")).toBeUndefined();
});
