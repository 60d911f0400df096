import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkCount, chunksOf } from "../../../../gateway/sandbox/chat/chunks.ts";
import type { ChatPlan } from "../../../../gateway/sandbox/chat/plan.ts";

const tokens = fc.array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 12 });
const choice = fc.record({
  index: fc.nat(3),
  reasoning: tokens,
  content: tokens,
  calls: fc.array(
    fc.record({ id: fc.string(), kind: fc.constantFrom("function", "custom"), name: fc.string(), input: tokens }),
    { maxLength: 3 },
  ),
  finish: fc.constantFrom("stop", "length", "tool_calls"),
  logprobs: fc.constant(null),
});
const plan: fc.Arbitrary<ChatPlan> = fc.record({
  id: fc.constant("chatcmpl-1"),
  created: fc.constant(1),
  model: fc.constant("m"),
  fingerprint: fc.constant("fp_1"),
  choices: fc.array(choice, { minLength: 1, maxLength: 4 }),
  usage: fc.constant({
    prompt_tokens: 1,
    completion_tokens: 1,
    total_tokens: 2,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }),
  includeUsage: fc.boolean(),
});

describe("the chunks of a stream", () => {
  it("are as many as was counted beforehand, which the pace of slow answers rests on", () => {
    fc.assert(
      fc.property(plan, (any) => {
        expect([...chunksOf(any)]).toHaveLength(chunkCount(any));
      }),
    );
  });
});
