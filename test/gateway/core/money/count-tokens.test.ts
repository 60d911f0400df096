import { estimateTokenCount } from "tokenx";
import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { CountedText, countTokens, getTokenCounter } from "../../../../gateway/core/money/text-tokens.ts";

vi.mock("tokenx", { spy: true });

const LONG = 32 * 1_024;

function grown(pieces: readonly string[]): CountedText {
  const text = new CountedText();
  for (const piece of pieces) text.add(piece);
  return text;
}

it("counts a short text as it is, in whatever pieces it came", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3_000 }), { maxLength: 10 }), (pieces) => {
      const text = grown(pieces);
      const whole = pieces.join("");
      expect(text.characters).toBe(whole.length);
      expect(text.tokens).toBe(whole === "" ? 0 : estimateTokenCount(whole));
    }),
  );
});

const PROSE = "The quick brown fox, having jumped over the lazy dog, went on (slowly) to the river. ";
const CODE = 'const answer = await fetch(`${url}/v1/models`, { method: "GET" });\n';

it.each([
  ["prose", PROSE.repeat(8_000)],
  ["code", CODE.repeat(8_000)],
  ["Chinese", "敏捷的棕色狐狸跳过了懒狗。".repeat(20_000)],
  ["first one and then the other", PROSE.repeat(4_000) + CODE.repeat(8_000)],
])("counts a long text of %s within three percent, by a part of it", (_name, text) => {
  const exact = estimateTokenCount(text);
  const pieces = Array.from({ length: Math.ceil(text.length / 7) }, (_, index) => text.slice(index * 7, index * 7 + 7));
  for (const counted of [countTokens(text), grown([text]).tokens, grown(pieces).tokens]) {
    expect(Math.abs(counted - exact) / exact).toBeLessThan(0.03);
  }
});

it("looks at a bounded part of a text, and of many texts together", () => {
  const looked = vi.mocked(estimateTokenCount).mockClear();
  const text = PROSE.repeat(200_000);
  expect(countTokens(text)).toBeGreaterThan(1_000_000);
  const many = getTokenCounter();
  let tokens = 0;
  for (let index = 0; index < 1_000; index += 1) tokens += many(text.slice(0, LONG));
  expect(tokens).toBeGreaterThan(1_000_000);
  const seen = looked.mock.calls.reduce((sum, [part]) => sum + (part ?? "").length, 0);
  expect(seen).toBeLessThanOrEqual(4 * LONG);
});

it("keeps little of what has passed", () => {
  const streams = Array.from({ length: 200 }, () => new CountedText());
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  for (const stream of streams)
    for (let index = 0; index < 200; index += 1) stream.add(`${index} ${"x".repeat(5_000)}`);
  globalThis.gc?.();
  // A million characters each.
  expect((process.memoryUsage().heapUsed - before) / streams.length).toBeLessThan(400_000);
  expect(streams[0]?.characters).toBeGreaterThan(1_000_000);
});

it("counts several short texts one by one", () => {
  const count = getTokenCounter();
  expect([count(PROSE), count(""), count(CODE)]).toEqual([countTokens(PROSE), 0, countTokens(CODE)]);
});
