import { describe, expect, it } from "vitest";
import { chunkCount, chunksOf } from "../../../../gateway/sandbox/chat/completion.ts";
import type { Plan } from "../../../../gateway/sandbox/conversation/plan.ts";
import * as fc from "fast-check";

const tokens = fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 });
const choice = fc.record({
  index: fc.nat(3),
  reasoning: tokens,
  content: tokens,
  calls: fc.array(
    fc.record({
      id: fc.string(),
      tool: fc.record({
        kind: fc.constantFrom("function" as const, "custom" as const),
        name: fc.string(),
        namespace: fc.constant(null),
        description: fc.constant(""),
        parameters: fc.constant({}),
      }),
      input: tokens,
    }),
    { maxLength: 3 },
  ),
  finish: fc.constantFrom("stop", "length", "tool_calls"),
  stoppedBy: fc.constant(null),
  logprobs: fc.constant(null),
});
const plan: fc.Arbitrary<Plan> = fc.record({
  created: fc.constant(1),
  model: fc.constant("m"),
  choices: fc.array(choice, { minLength: 1, maxLength: 4 }),
  usage: fc.constant({ prompt: 1, cached: 0, completion: 1, reasoning: 0 }),
});
const HEAD = {
  id: "chatcmpl-1",
  created: 1,
  model: "m",
  service_tier: "default",
  system_fingerprint: "fp_1",
} as const;

describe("the chunks of a stream", () => {
  it("are as many as was counted beforehand, which the pace of slow answers rests on", () => {
    fc.assert(
      fc.property(plan, fc.boolean(), (any, includeUsage) => {
        expect([...chunksOf(any, HEAD, includeUsage ? {} : null)]).toHaveLength(chunkCount(any, includeUsage));
      }),
    );
  });
});
