import { describe, expect, it } from "vitest";
import { responses } from "../../../../gateway/providers/openai/responses.ts";
import { provider } from "../../../../gateway/providers/openai/provider.ts";
import type { DialectCall } from "../../../../gateway/providers/wire-request.ts";

function call(change: Partial<DialectCall> = {}): DialectCall {
  const raw = Buffer.from(
    '{ "model": "gpt-5.4", "input": "hi", "previous_response_id": "resp_1", "seed": 12345678901234567890 }',
  );
  return {
    raw,
    body: JSON.parse(raw.toString()) as Record<string, unknown>,
    changed: false,
    upstreamModel: "gpt-5.4",
    model: null,
    stream: false,
    headers: {},
    origin: "https://provider.example",
    bound: null,
    ...change,
  };
}

it("is what OpenAI answers the Responses API with", () => {
  expect(provider.responses).toBe(responses);
});

describe("the request", () => {
  it("is the client's own bytes", () => {
    const given = call();
    const wire = responses.toRequest(given, "sk-1");
    expect(wire.body).toBe(given.raw);
    expect(wire).toMatchObject({ method: "POST", path: "/responses", headers: { authorization: "Bearer sk-1" } });
  });

  it("has the provider's name of the model where that is another, and every other byte as it was", () => {
    const { body } = responses.toRequest(call({ upstreamModel: "gpt-5.4-2026-03-05" }), null);
    expect(String(body)).toBe(String(call().raw).replace('"gpt-5.4"', '"gpt-5.4-2026-03-05"'));
  });

  it("says what the rules made of it", () => {
    const body = { model: "gpt-5.4", input: "hello" };
    expect(JSON.parse(String(responses.toRequest(call({ body, changed: true }), null).body))).toEqual(body);
    expect(JSON.parse(String(responses.toRequest(call({ body, raw: null }), null).body))).toEqual(body);
  });
});

describe("usage", () => {
  it("becomes disjoint classes", () => {
    const usage = {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      output_tokens: 50,
      output_tokens_details: { reasoning_tokens: 30 },
      total_tokens: 150,
    };
    expect(responses.toUnits(usage)).toEqual({
      input: 30,
      cached_input: 60,
      cache_write: 10,
      output: 20,
      reasoning: 30,
    });
  });

  it("takes reasoning for what the total says it is", () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 11,
    };
    expect(responses.toUnits(usage)).toEqual({ input: 1, output: 5, reasoning: 5 });
    expect(responses.toUnits({ ...usage, total_tokens: 6 })).toEqual({ input: 1, output: 0, reasoning: 5 });
  });

  it.each([null, undefined, "x", {}, { input_tokens: 0, output_tokens: 0 }, { input_tokens: -1 }])(
    "is not found in %j",
    (usage) => {
      expect(responses.toUnits(usage)).toBeNull();
    },
  );
});
