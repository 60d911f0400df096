import { expect, test } from "vitest";
import { findNearName } from "../../../../gateway/core/models/near-name.ts";

const NAMES = ["gpt-5-nano", "gpt-5.4-nano", "gpt-5.4-mini", "o3", "claude-opus-4-5", "Llama-4"];

test.each([
  ["gpt-5.5-nano", "gpt-5.4-nano"],
  ["GPT-5.4-NANI", "gpt-5.4-nano"],
  ["gtp-5-nano", "gpt-5-nano"],
  ["claude-opus-4.5", "claude-opus-4-5"],
  ["llama-44", "Llama-4"],
  ["gpt-5.4-", null],
  ["o4", null],
  ["", null],
  ["none", null],
  ["gpt-5.4-nano-and-more", null],
  ["x".repeat(201), null],
])("%j probably means %j", (typed, meant) => {
  expect(findNearName(typed, NAMES)).toBe(meant);
});

test("of two that are as near, the first is meant", () => {
  expect(findNearName("gpt-5.3", ["gpt-5.1", "gpt-5.2"])).toBe("gpt-5.1");
});

test("only so many names are compared", () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `model-without-a-likeness-${index}`);
  expect(findNearName("gpt-5.3", [...names, "gpt-5.1"])).toBeNull();
});
