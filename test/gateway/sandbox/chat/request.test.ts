import { describe, expect, it } from "vitest";
import { getChunks, getCompletion, getHead, getUsage } from "../../../../gateway/sandbox/chat/completion.ts";
import { getPlan } from "../../../../gateway/sandbox/chat/plan.ts";
import { getPrompt } from "../../../../gateway/sandbox/chat/prompt.ts";
import { getChatRequest } from "../../../../gateway/sandbox/chat/request.ts";
import { getDirectives } from "../../../../gateway/sandbox/directives.ts";
import type { Exchange } from "../../../../gateway/sandbox/exchange.ts";
import { Failure } from "../../../../gateway/sandbox/failure.ts";
import { createSeed } from "../../../../gateway/sandbox/seed.ts";
import { testModels } from "../running-sandbox.ts";
import * as fc from "fast-check";
import { dose } from "../../../support/dose.ts";

const anything = fc.jsonValue({ maxDepth: 4 });
const text = fc.oneof(
  fc.string(),
  fc.constantFrom("count to 3", '[[tool:f {"a":1}]]', "weather", "sandbox:slow=1 sandbox:cut", "sandbox:error=1"),
);
const message = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "system", "assistant"), content: text }),
  fc.record({
    role: fc.constant("user"),
    content: fc.array(fc.record({ type: fc.constantFrom("text", "hologram"), text }), { maxLength: 3 }),
  }),
  fc.record({ role: fc.constant("tool"), content: text, tool_call_id: fc.string() }),
);
const tool = fc.record({
  type: fc.constantFrom("function", "custom", "web_search"),
  function: fc.record({ name: fc.constantFrom("f", "weather"), parameters: anything }),
  custom: fc.record({ name: fc.constant("f") }),
});
const reasonable = fc.record(
  {
    model: fc.constantFrom("plain-model", "thinking-model", "claude-model"),
    messages: fc.array(message, { minLength: 1, maxLength: 4 }),
    n: fc.integer({ min: 1, max: 3 }),
    stop: fc.oneof(fc.string(), fc.array(fc.string(), { maxLength: 4 })),
    max_tokens: fc.integer({ min: 1, max: 60 }),
    tools: fc.array(tool, { maxLength: 3 }),
    tool_choice: fc.constantFrom("auto", "none", "required"),
    response_format: fc.record({
      type: fc.constant("json_schema"),
      json_schema: fc.record({ name: fc.string(), schema: anything }),
    }),
    logprobs: fc.boolean(),
    seed: fc.integer(),
    reasoning_effort: fc.constantFrom("low", "high"),
    thinking: anything,
  },
  { requiredKeys: ["model", "messages"] },
);
const spoilt = fc.constantFrom(
  "messages",
  "stop",
  "tools",
  "tool_choice",
  "response_format",
  "stream_options",
  "content",
);
/** Requests that are mostly right, with at most one field that may be anything. */
const body = fc
  .tuple(reasonable, fc.option(fc.tuple(spoilt, anything)))
  .map(([fields, spoil]) => (spoil ? { ...fields, ...spoilField(fields, ...spoil) } : fields));

function spoilField(fields: { messages: unknown[] }, name: string, value: unknown): object {
  if (name !== "content") return { [name]: value };
  return { messages: [...fields.messages, { role: "user", content: value }] };
}

/** The whole way from a body to a response, without the sockets. */
async function respond(value: object): Promise<string> {
  const request = getChatRequest({ ...value }, { models: testModels } as unknown as Exchange);
  const seed = createSeed(JSON.stringify(value));
  const plan = await getPlan(request, getDirectives(getPrompt(request.messages)), seed);
  const head = getHead(plan, seed);
  const usage = getUsage(plan.usage, request.spec);
  return JSON.stringify([getCompletion(plan, head, usage), ...getChunks(plan, head, usage)]);
}

/** Its bytes, or the refusal; anything else thrown is a bug. */
async function outcome(value: object): Promise<string> {
  try {
    return await respond(value);
  } catch (error) {
    if (error instanceof Failure) return `refused: ${error.message}`;
    throw error;
  }
}

describe("any request at all", () => {
  it("has a response or is refused in the provider's words, the same way each time", async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const first = await outcome(value);
        if (!first.startsWith("refused")) answered += 1;
        expect(await outcome(value)).toBe(first);
      }),
      { numRuns: dose(150, 1_000) },
    );
    expect(answered).toBeGreaterThan(dose(15, 100));
  });
});
