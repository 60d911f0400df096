import * as fc from "fast-check";
import type { HistoryEntry } from "../../../../gateway/core/history/history-entry.ts";
import { NOON } from "../fixtures.ts";

/** Responses of agents' logs after NOON, many of them copies of others. */
export const anyEntry: fc.Arbitrary<HistoryEntry> = fc.record({
  agent: fc.constantFrom("claude-code", "codex"),
  key: fc.integer({ min: 0, max: 40 }).map((number) => `key ${number}`),
  scope: fc.constantFrom("", "s1", "s2", "s3"),
  at: fc.integer({ min: 0, max: 5e8 }).map((ms) => NOON + ms),
  model: fc.constantFrom("claude-opus-4-8", "gpt-5", "é 木"),
  session: fc.constantFrom("x", "y", "z"),
  project: fc.constantFrom("/p", "/home/u/q", ""),
  served: fc.constantFrom("", "speed=fast"),
  sidechain: fc.boolean(),
  postern: fc.boolean(),
  tokens: fc.tuple(fc.nat(9e8), fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(9e8), fc.nat(2)),
});
