import { expect, it, test } from "vitest";
import { listMutants, sampleMutants } from "./mutate.ts";

const mutated = (source: string, path = "a.ts") =>
  listMutants(source, path).map(({ kind, start, end, replacement }) => {
    return `${kind}: ${source.slice(0, start)}${replacement}${source.slice(end)}`;
  });

test.each([
  ["comparison", "f(a <= b);", "f(a < b);"],
  ["comparison", "f(a !== b);", "f(a === b);"],
  ["logic", "f(a && b);", "f(a || b);"],
  ["sign", "f(a - b);", "f(a + b);"],
  ["await", "const a = async () => { const b = await c(); };", "const a = async () => { const b = c(); };"],
  ["bound", "f(Math.min(a, b));", "f(a);"],
  ["call", "a.b();", ";"],
  ["call", "const a = async () => { await b(); };", "const a = async () => { ; };"],
  ["condition", "f(!a);", "f(a);"],
  ["condition", "f(a ? b : c);", "f(!(a) ? b : c);"],
  ["condition", "if (a) b();", "if (true) b();"],
  ["guard", "function f() { if (a) return; }", "function f() { if (false) return; }"],
  ["number", "f(5_000);", "f(50000);"],
  ["number", "f(0);", "f(1);"],
  ["comparison", "const a = (b as number) < c!;", "const a = (b as number) <= c!;"],
])("makes a mutant of the kind %s: %s", (kind, source, changed) => {
  expect(mutated(source)).toContain(`${kind}: ${changed}`);
});

it("leaves types, imports and texts as they are", () => {
  const source = `import a from "b"; type C = 5; interface D { e: 6 } const f: 7 = "1" + g; const h = i as 8;`;
  expect(mutated(source)).toEqual([]);
});

it("reads offsets after characters of more than one byte, and JSX", () => {
  expect(mutated(`const a = "日本 🙂"; const b = <p>{c < d}</p>;`, "a.tsx")).toEqual([
    `comparison: const a = "日本 🙂"; const b = <p>{c <= d}</p>;`,
  ]);
});

it("chooses the same mutants for the same seed, and others for another", () => {
  const all = Array.from({ length: 100 }, (_, index) => index);
  expect(sampleMutants(all, 10, 1)).toEqual(sampleMutants(all, 10, 1));
  expect(sampleMutants(all, 10, 1)).not.toEqual(sampleMutants(all, 10, 2));
  expect(new Set(sampleMutants(all, 200, 1)).size).toBe(100);
});
