import { expect, test } from "vitest";
import { getUsage } from "../../../../gateway/sandbox/chat/completion.ts";

const counts = { prompt: 12, cached: 2, completion: 229, reasoning: 228 };

test.each([
  ["openai", { prompt_tokens: 12, completion_tokens: 229, total_tokens: 241 }],
  ["xai", { prompt_tokens: 12, completion_tokens: 1, total_tokens: 241 }],
])("a model of %s counts reasoning as its owner does", (owner, sums) => {
  expect(getUsage(counts, { owner })).toMatchObject({
    ...sums,
    prompt_tokens_details: { cached_tokens: 2 },
    completion_tokens_details: { reasoning_tokens: 228 },
  });
});
