import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedMap } from "../../../../gateway/lib/bounded-map.ts";
import { Masks } from "../../../../gateway/lib/masks.ts";
import type { Document } from "../../../../gateway/codecs/translation.ts";
import { restoreStream } from "../../../../gateway/services/chat/restore-secrets.ts";
import type { StreamTransform } from "../../../../gateway/services/calls/stream-reader.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { geminiDialect } from "../../../../gateway/services/chat/dialects/gemini.ts";
import type { Dialect } from "../../../../gateway/services/chat/dialect.ts";

const known = new BoundedMap<string, string>(1_000);
const masks = new Masks({ secret: "key", words: null, known });
const SECRETS = {
  MASKED_52EMPKCBQXED: "one",
  MASKED_0123456789AM: "sk-M",
  MASKED_MMMMMMMMMMMM: 'a "MASK',
  MASKED_MASKEDMASKED: "MASKED_",
} as const;
for (const [mask, secret] of Object.entries(SECRETS)) known.set(mask, secret);

/** Runs events through, and returns what the client gets. */
function restore(dialect: Dialect, events: readonly Document[]): readonly Document[] {
  const shown: Document[] = [];
  const collect: StreamTransform = { pass: (event) => (shown.push(event), ""), ending: () => [] };
  const stream = restoreStream(collect, dialect, masks);
  for (const event of events) stream.pass(event);
  for (const text of stream.ending(null, {})) text();
  return shown;
}

const text = fc
  .array(fc.constantFrom(...Object.keys(SECRETS), "M", "MASKED", "MASKED_", "MASKED_0", " ", "\n", "words"))
  .map((pieces) => pieces.join(""));
const cut = (whole: string, sizes: readonly number[]): string[] => {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < whole.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(whole.slice(at, at + size));
    at += size;
  }
  return pieces;
};
const sizes = fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 5 });

describe("a stream", () => {
  it("has the secrets of two choices whose pieces alternate, and ends each with its last piece", () => {
    fc.assert(
      fc.property(text, text, sizes, sizes, (first, second, some, others) => {
        const pieces = [cut(first, some), cut(second, others)];
        const events: Document[] = [];
        for (let turn = 0; pieces.some((list) => turn < list.length); turn++)
          pieces.forEach((list, index) => {
            const content = list[turn];
            if (content === undefined) return;
            const finish_reason = turn === list.length - 1 ? "stop" : null;
            events.push({ choices: [{ index, delta: { content }, finish_reason }] });
          });
        const shown = restore(chatDialect, events) as { choices: [{ index: number; delta: { content: string } }] }[];
        expect(shown).toHaveLength(events.length);
        const join = (index: number): string =>
          shown.flatMap(({ choices: [choice] }) => (choice.index === index ? [choice.delta.content] : [])).join("");
        expect([join(0), join(1)]).toEqual([masks.restore(first), masks.restore(second)]);
      }),
    );
  });

  it.each([
    [
      "the function of before tools",
      (piece: string) => ({ function_call: { arguments: piece } }),
      String.raw`a \"MASK`,
    ],
    ["a custom tool", (piece: string) => ({ tool_calls: [{ index: 0, custom: { input: piece } }] }), 'a "MASK'],
  ])("has them in what is passed to %s", (_name, create, expected) => {
    const events = cut("MASKED_MMMMMMMMMMMM", [4]).map((piece) => ({ choices: [{ index: 0, delta: create(piece) }] }));
    const shown = restore(chatDialect, events);
    expect(JSON.stringify(shown)).not.toContain("MASKED_");
    expect(JSON.stringify(shown)).toContain(JSON.stringify(expected));
  });

  it("keeps the parts of one event apart", () => {
    const part = (...texts: string[]): Document => ({
      candidates: [{ content: { parts: texts.map((one) => ({ text: one })) } }],
    });
    const shown = restore(geminiDialect, [
      part("Hello M", "the MAS"),
      part("KED_52EMPKCBQXED", "!"),
      part("end M", "x"),
    ]);
    expect(shown).toEqual([part("Hello M", "the "), part("one", "!"), part("end M", "x")]);
  });
});
