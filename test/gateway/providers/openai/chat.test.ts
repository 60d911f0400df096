import { describe, expect, it } from "vitest";
import type { ModelSpec } from "../../../../gateway/core/models/model.ts";
import { chat as openai } from "../../../../gateway/providers/openai/chat.ts";
import { chat as compatible } from "../../../../gateway/providers/openai-compatible/chat.ts";
import { findModel } from "../../../../gateway/catalog/lookup.ts";
import type { DialectCall, WireRequest } from "../../../../gateway/providers/wire-request.ts";

const MESSAGES = [{ role: "user", content: "x" }];

function call(body: Readonly<Record<string, unknown>>, change: Partial<DialectCall> = {}): DialectCall {
  const whole = { model: "o3", messages: MESSAGES, ...body };
  return {
    raw: Buffer.from(JSON.stringify(whole)),
    body: whole,
    changed: false,
    upstreamModel: "o3",
    model: findModel("o3") ?? null,
    stream: whole["stream" as never] === true,
    headers: {},
    origin: "https://provider.example",
    bound: null,
    ...change,
  };
}

const bodyOf = (wire: Pick<WireRequest, "body">): unknown => JSON.parse(String(wire.body));

describe("max_tokens", () => {
  const plain: ModelSpec | null = findModel("gpt-4.1") ?? null;
  it("is said as OpenAI's reasoning models want it", () => {
    expect(bodyOf(openai.toRequest(call({ max_tokens: 9 }), null))).toEqual({
      model: "o3",
      messages: MESSAGES,
      max_completion_tokens: 9,
    });
  });

  it("is said so wherever OpenAI's reasoning models are served", () => {
    expect(bodyOf(compatible.toRequest(call({ max_tokens: 9 }), null))).toMatchObject({ max_completion_tokens: 9 });
  });

  it("gives way to the client's own max_completion_tokens", () => {
    expect(bodyOf(openai.toRequest(call({ max_tokens: 9, max_completion_tokens: 7 }), null))).toEqual({
      model: "o3",
      messages: MESSAGES,
      max_completion_tokens: 7,
    });
  });

  it("stays for other models, and models that no one knows", () => {
    for (const request of [
      openai.toRequest(call({ max_tokens: 9 }, { model: plain }), null),
      openai.toRequest(call({ max_tokens: 9 }, { model: null }), null),
    ]) {
      expect(bodyOf(request)).toEqual({ model: "o3", messages: MESSAGES, max_tokens: 9 });
    }
  });
});

it("sends the client's own buffer where nothing has to change", () => {
  const given = call({});
  expect(openai.toRequest(given, "k").body).toBe(given.raw);
});

it("sends a key as a bearer, and none where none exists", () => {
  expect(openai.toRequest(call({}), "k").headers["authorization"]).toBe("Bearer k");
  expect(compatible.toRequest(call({}), null).headers).not.toHaveProperty("authorization");
});

it("keeps an own __proto__ field as data when it has to write the body again", () => {
  const body = JSON.parse('{"model":"a","__proto__":{"x":1},"messages":[]}') as Record<string, unknown>;
  const text = String(openai.toRequest({ ...call({}), body, changed: true, upstreamModel: "b" }, null).body);
  expect(text).toBe('{"model":"b","__proto__":{"x":1},"messages":[]}');
});

it("takes no usage for none", () => {
  for (const usage of [
    null,
    undefined,
    {},
    [],
    "x",
    { prompt_tokens: -1, completion_tokens: -1 },
    { prompt_tokens: 0, completion_tokens: 0 },
  ]) {
    expect(openai.toUnits(usage)).toBeNull();
  }
});
