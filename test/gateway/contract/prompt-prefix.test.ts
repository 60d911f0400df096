import { describe, expect, it } from "vitest";
import { listMissReasons, type MissReason } from "../../../gateway/contract/prefix-reasons.ts";
import type { PromptPrefix } from "../../../gateway/contract/prompt-prefix.ts";

const BASE: PromptPrefix = { after: "req_1", idle_ms: 10_000, changed: [], of: 3, kept: 3, missed: 0, missed_nano: 0 };

describe("the reasons why a provider reads a prompt again", () => {
  it.each<[what: string, change: Partial<PromptPrefix>, expected: readonly MissReason[]]>([
    ["nothing", {}, []],
    ["no report of a cache", { missed: null }, []],
    ["tokens without a known reason", { missed: 5_000 }, ["rule"]],
    ["a changed message that cost nothing", { message: "changed", kept: 1 }, ["changed"]],
    [
      "changes in the order of a prompt",
      { missed: 5_000, changed: ["model", "tools"], message: "removed" },
      ["model", "tools", "removed"],
    ],
    ["marks whose five minutes have passed", { missed: 5_000, marks: "5m", idle_ms: 300_001 }, ["expired"]],
    ["marks whose five minutes have not passed", { missed: 5_000, marks: "5m", idle_ms: 300_000 }, ["rule"]],
    ["marks of an hour", { missed: 5_000, marks: "1h", idle_ms: 3_600_001 }, ["expired"]],
    [
      "a change, and time that has passed",
      { missed: 5_000, marks: "5m", idle_ms: 400_000, changed: ["tools"] },
      ["tools", "expired"],
    ],
    ["no marks", { missed: 5_000, marks: "none", idle_ms: 4_000_000 }, ["unmarked"]],
    ["a prompt that is too short to be cached", { missed: 2_000, marks: "5m", least: 4_096 }, ["short"]],
    ["a long time at a provider with a rule of its own", { missed: 5_000, idle_ms: 10_000_000 }, ["rule"]],
  ])("names them for %s", (_what, change, expected) => {
    expect(listMissReasons({ ...BASE, ...change })).toEqual(expected);
  });
});
