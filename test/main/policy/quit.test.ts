import { expect, it } from "vitest";
import { QUIT_DEADLINE_MS, quitStep } from "../../../main/policy/quit.ts";

it.each([
  ["running", "asked", { state: "draining", hold: true, action: "drain" }],
  ["draining", "asked", { state: "draining", hold: true, action: "none" }],
  ["draining", "closed", { state: "drained", hold: false, action: "exit" }],
  ["drained", "asked", { state: "drained", hold: false, action: "none" }],
  ["drained", "closed", { state: "drained", hold: false, action: "none" }],
  ["running", "closed", { state: "running", hold: false, action: "none" }],
] as const)("%s, %s: %j", (state, event, expected) => {
  expect(quitStep(state, event)).toStrictEqual(expected);
});

it("waits longer than the gateway drains", () => {
  expect(QUIT_DEADLINE_MS).toBeGreaterThan(5_000);
});
