import { describe, expect, it } from "vitest";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { claudeBodyOf, HI } from "../support/translating.ts";

const shown = (body: Document, model: string): Document => {
  const { thinking, output_config } = claudeBodyOf(body, model);
  return { thinking, output_config };
};
const adaptive = (effort: string): Document => ({ thinking: { type: "adaptive" }, output_config: { effort } });
const budget = (tokens: number): Document => ({ thinking: { type: "enabled", budget_tokens: tokens } });
const NOTHING: Document = { thinking: undefined, output_config: undefined };
const TOOL = { type: "function", function: { name: "f", parameters: {} } };

describe("models with effort levels think adaptively", () => {
  it.each<[string, string, Document]>([
    ["claude-opus-5-5", "low", adaptive("low")],
    ["claude-opus-5-5", "minimal", adaptive("low")],
    ["claude-opus-5-5", "xhigh", adaptive("xhigh")],
    ["claude-opus-5-5", "max", adaptive("max")],
    ["claude-opus-5-5", "none", { thinking: { type: "disabled" }, output_config: undefined }],
    ["claude-opus-5-5", "colossal", NOTHING],
    // Without xhigh.
    ["claude-opus-4-6", "xhigh", adaptive("high")],
    ["claude-sonnet-4-6", "max", adaptive("max")],
    ["claude-house-9", "medium", adaptive("medium")],
  ])("%s %s", (model, effort, expected) => {
    expect(shown({ reasoning_effort: effort }, model)).toEqual(expected);
  });
});

describe("earlier models think by a budget", () => {
  it.each<[string, Document, Document]>([
    ["claude-sonnet-4-5", { reasoning_effort: "minimal" }, budget(1_024)],
    ["claude-sonnet-4-5", { reasoning_effort: "low" }, budget(1_024)],
    ["claude-haiku-4-5", { reasoning_effort: "medium" }, budget(8_192)],
    ["claude-haiku-4-5-20251001", { reasoning_effort: "high" }, budget(24_576)],
    ["claude-opus-4-5", { reasoning_effort: "high" }, budget(24_576)],
    ["claude-haiku-4-5", { reasoning_effort: "max", max_tokens: 64_000 }, budget(49_152)],
    ["claude-haiku-4-5", { reasoning_effort: "none" }, {}],
    ["claude-haiku-4-5", {}, {}],
    // Thinking is part of the limit, and is at least 1,024 tokens.
    ["claude-haiku-4-5", { reasoning_effort: "high", max_tokens: 10_000 }, budget(8_000)],
    ["claude-haiku-4-5", { reasoning_effort: "high", max_tokens: 1_100 }, budget(1_024)],
    ["claude-haiku-4-5", { reasoning_effort: "high", max_tokens: 1_024 }, {}],
  ])("%s %j", (model, body, expected) => {
    expect(shown(body, model)).toEqual({ ...NOTHING, ...expected });
  });
});

describe("thinking is left out where Anthropic refuses it", () => {
  it("next to a call that is forced", () => {
    const forced = { reasoning_effort: "high", tools: [TOOL], tool_choice: "required" };
    expect(shown(forced, "claude-haiku-4-5")).toEqual(NOTHING);
    expect(shown(forced, "claude-opus-5-5")).toEqual({ thinking: undefined, output_config: { effort: "high" } });
  });

  const signed = [{ type: "thinking", thinking: "hm", signature: "Eq" }];
  const afterCall = (rest: Document): Document => ({
    reasoning_effort: "low",
    tools: [TOOL],
    messages: [
      ...HI,
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
        ...rest,
      },
      { role: "tool", tool_call_id: "a", content: "done" },
    ],
  });

  it("by budget after a call whose thinking was lost, and not where the client kept it", () => {
    expect(shown(afterCall({}), "claude-haiku-4-5")).toEqual(NOTHING);
    expect(shown(afterCall({ reasoning_content: "hm" }), "claude-haiku-4-5")).toEqual(NOTHING);
    expect(shown(afterCall({ thinking_blocks: signed }), "claude-haiku-4-5")).toEqual({ ...NOTHING, ...budget(1_024) });
    expect(shown(afterCall({}), "claude-opus-5-5")).toEqual(adaptive("low"));
  });

  it("and not after calls that began with a thought, though Claude had none before the next", () => {
    const call = (rest: Document): Document[] => afterCall(rest)["messages"] as Document[];
    const messages = [...call({ thinking_blocks: signed }), ...call({}).slice(HI.length)];
    const asked = { ...afterCall({}), messages };
    expect(shown(asked, "claude-haiku-4-5")).toEqual({ ...NOTHING, ...budget(1_024) });
  });

  it("by budget next to a response that the request begins", () => {
    const messages = [...HI, { role: "assistant", content: "It is" }];
    expect(shown({ reasoning_effort: "low", messages }, "claude-haiku-4-5")).toEqual(NOTHING);
  });
});

describe("Anthropic's own field in a chat request", () => {
  it("stands as the client wrote it", () => {
    const own = { type: "enabled", budget_tokens: 3_000 };
    expect(shown({ thinking: own, reasoning_effort: "high" }, "claude-haiku-4-5")).toEqual({
      ...NOTHING,
      thinking: own,
    });
    expect(shown({ thinking: { type: "adaptive" } }, "claude-opus-5-5")).toEqual({
      ...NOTHING,
      thinking: { type: "adaptive" },
    });
  });
});
