import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffJson, foldSame, listFieldChanges, type DiffRow } from "../../../renderer/lib/json-diff.ts";

const sign = ({ kind, left, right }: DiffRow): string => `${kind} | ${left?.trim() ?? ""} | ${right?.trim() ?? ""}`;

describe("the differences of two documents", () => {
  it("pair the fields of both sides, in the order of the left one", () => {
    const rows = diffJson({ a: 1, system: "S", b: [1, 2] }, { b: [1, 3], stream: true, a: 1 });
    expect(rows.map(sign)).toEqual([
      "same | { | {",
      'same | "a": 1, | "a": 1,',
      'removed | "system": "S", | ',
      'same | "b": [ | "b": [',
      "same | 1, | 1,",
      "changed | 2, | 3,",
      "same | ], | ],",
      'added |  | "stream": true,',
      "same | } | }",
    ]);
    expect(listFieldChanges({ a: 1, system: "S", b: [1, 2] }, { b: [1, 3], stream: true, a: 1 })).toEqual({
      removed: ["system"],
      added: ["stream"],
      changed: ["b"],
    });
  });

  it("match messages by role and text where one was put before them", () => {
    const user = (content: unknown) => ({ role: "user", content });
    const left = [user([{ type: "text", text: "Hi" }]), user("Go on")];
    const right = [{ role: "system", content: "S" }, user("Hi"), user("Go on")];
    const kinds = diffJson(left, right).filter(({ kind }) => kind === "added");
    expect(kinds.map(sign)).toEqual([
      "added |  | {",
      'added |  | "role": "system",',
      'added |  | "content": "S",',
      "added |  | },",
    ]);
  });

  it("say that one side has nothing", () => {
    expect(diffJson(undefined, { a: 1 }).map(sign)).toEqual([
      "changed |  | {",
      'changed |  | "a": 1,',
      "changed |  | }",
    ]);
  });

  it("cut long texts, and stay bounded for large lists", () => {
    const long = diffJson({ a: "x".repeat(10_000) }, { a: "y".repeat(10_000) });
    expect(long[1]?.left?.length).toBeLessThan(2_100);
    const many = Array.from({ length: 5_000 }, (_, index) => index);
    expect(diffJson(many, [0, ...many]).length).toBe(5_003);
  });

  it("have every line of both sides, and for the same nothing else", () => {
    const lines = (rows: readonly DiffRow[], side: "left" | "right"): string => {
      const all = rows.flatMap((row) => row[side] ?? []);
      const isLast = (index: number): boolean => /^\s*[}\]]/.test(all[index + 1] ?? "}");
      return all.map((line, index) => (isLast(index) ? line.replace(/,$/, "") : line)).join("\n");
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.jsonValue({ maxDepth: 4 }), (left, right) => {
        expect(diffJson(left, structuredClone(left)).every(({ kind }) => kind === "same")).toBe(true);
        const rows = diffJson(left, right);
        expect(JSON.parse(lines(rows, "left"))).toEqual(JSON.parse(JSON.stringify(left)));
        expect(JSON.parse(lines(rows, "right"))).toEqual(JSON.parse(JSON.stringify(right)));
        expect(foldSame(rows).flatMap((run) => run.rows)).toEqual(rows);
      }),
    );
  });

  it("fold what is the same but for three lines around a difference", () => {
    const names = Array.from({ length: 30 }, (_, index) => [`f${String(index)}`, index] as const);
    const left = Object.fromEntries(names);
    const runs = foldSame(diffJson(left, { ...left, f15: "x" }));
    expect(runs.map(({ folded, rows }) => [folded, rows.length])).toEqual([
      [true, 13],
      [false, 7],
      [true, 12],
    ]);
  });
});
