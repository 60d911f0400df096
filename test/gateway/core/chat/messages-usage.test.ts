import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMessagesUnits } from "../../../../gateway/core/chat/messages-usage.ts";
import { catalog } from "../../../../gateway/providers/anthropic/catalog.ts";
import { priceUnits } from "../../../../gateway/core/money/price.ts";

const counted = (input_tokens: number, output_tokens: number, more: object = {}) => ({
  input_tokens,
  output_tokens,
  ...more,
});
const writes = (minutes: number, hour: number) => ({
  ephemeral_5m_input_tokens: minutes,
  ephemeral_1h_input_tokens: hour,
});

describe("Anthropic's usage in disjoint classes", () => {
  it.each([
    ["plain", counted(12, 6), { input: 12, output: 6 }],
    [
      "a whole answer as the provider writes it",
      counted(12, 6, {
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        cache_creation: writes(0, 0),
        output_tokens_details: { thinking_tokens: 0 },
        server_tool_use: null,
        service_tier: "standard",
      }),
      { input: 12, output: 6 },
    ],
    [
      "cache reads beside the input",
      counted(3, 9, { cache_read_input_tokens: 20_000 }),
      { input: 3, cached_input: 20_000, output: 9 },
    ],
    [
      "writes for five minutes and for an hour",
      counted(1, 2, { cache_creation_input_tokens: 700, cache_creation: writes(200, 500) }),
      { input: 1, cache_write: 200, cache_write_1h: 500, output: 2 },
    ],
    [
      "writes that nothing tells apart",
      counted(1, 2, { cache_creation_input_tokens: 700 }),
      { input: 1, cache_write: 700, output: 2 },
    ],
    [
      "writes without their sum",
      counted(1, 2, { cache_creation: writes(2, 5) }),
      { input: 1, cache_write: 2, cache_write_1h: 5, output: 2 },
    ],
    [
      "more of a kind than there is in all",
      counted(1, 2, { cache_creation_input_tokens: 4, cache_creation: { ephemeral_1h_input_tokens: 9 } }),
      { input: 1, cache_write_1h: 4, output: 2 },
    ],
    [
      "thinking as a part of the output",
      counted(10, 90, { output_tokens_details: { thinking_tokens: 70 } }),
      { input: 10, output: 20, reasoning: 70 },
    ],
    [
      "a prompt out of the cache alone",
      counted(0, 0, { cache_read_input_tokens: 5 }),
      { input: 0, cached_input: 5, output: 0 },
    ],
    ["the end of a stream alone", { output_tokens: 89 }, { input: 0, output: 89 }],
  ])("reads %s", (_name, usage, units) => {
    expect(createMessagesUnits(usage)).toEqual(units);
  });

  it.each([
    null,
    undefined,
    7,
    "12",
    [],
    {},
    { input_tokens: 0, output_tokens: 0 },
    { input_tokens: -1 },
    { input_tokens: "x" },
  ])("has nothing to say of %j", (usage) => {
    expect(createMessagesUnits(usage)).toBeNull();
  });

  it("never counts a token twice, whatever the figures are", () => {
    const figure = fc.option(fc.oneof(fc.nat(1_000_000), fc.double(), fc.string()), { nil: null });
    fc.assert(
      fc.property(
        fc.record({
          input_tokens: fc.nat(1_000_000),
          cache_read_input_tokens: figure,
          cache_creation_input_tokens: fc.nat(1_000_000),
          cache_creation: fc.record({ ephemeral_5m_input_tokens: figure, ephemeral_1h_input_tokens: figure }),
          output_tokens: fc.integer({ min: 1, max: 1_000_000 }),
          output_tokens_details: fc.record({ thinking_tokens: figure }),
        }),
        (usage) => {
          const units = createMessagesUnits(usage) ?? {};
          for (const count of Object.values(units)) expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
          expect(units.input).toBe(usage.input_tokens);
          expect((units.cache_write ?? 0) + (units.cache_write_1h ?? 0)).toBe(usage.cache_creation_input_tokens);
          expect((units.output ?? 0) + (units.reasoning ?? 0)).toBe(usage.output_tokens);
        },
      ),
    );
  });

  it("costs twice the input rate for an hour and one and a quarter for five minutes", () => {
    const opus = catalog.find((model) => model.id === "claude-opus-5")?.price;
    if (opus == null) throw new Error("claude-opus-5 has no price");
    const usage = {
      input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 1_000_000, ephemeral_1h_input_tokens: 1_000_000 },
      output_tokens: 0,
    };
    const { terms } = priceUnits(createMessagesUnits(usage) ?? {}, opus);
    expect(terms.map((term) => [term.unit, term.nano])).toEqual([
      ["cache_write", 6_250_000_000],
      ["cache_write_1h", 10_000_000_000],
    ]);
  });
});
