import fc from "fast-check";
import { expect, it } from "vitest";
import type { Price } from "../../../../gateway/core/models/model.ts";
import { ChatMoney } from "../../../../gateway/services/chat/chat-money.ts";
import { chatDialect } from "../../../../gateway/services/chat/dialects/chat.ts";
import { RequestTranslator } from "../../../../gateway/services/chat/request-translator.ts";
import type { Candidate, ServedModel } from "../../../../gateway/services/models/served-model.ts";
import type { ProviderId } from "../../../../gateway/providers/registry.ts";
import { bareConnection } from "../../../support/bare-connection.ts";

/** A long prompt that is taken by its bytes is let in, refused and bounded as one whose words are counted. */

const USD = 1_000_000_000;
const price = (input: number, output: number): Price => ({
  tiers: [
    { above: 0, rates: { input: input * USD, output: output * USD } },
    { above: 200_000, rates: { input: 2 * input * USD, output: 2 * output * USD } },
  ],
  source: "a test",
  as_of: "2026-11-24",
});
const PRICES = [price(2, 8), price(0.1, 0.4), price(0, 5), price(15, 0), null];
const DISCOVERED = [
  [null, null],
  [64_000, 8_192],
  [400_000, null],
  [1_000_000, 128_000],
] as const;

function candidate(provider: ProviderId, itsPrice: Price | null): Candidate {
  const connection = bareConnection(provider);
  return { connection, upstreamModel: "m", price: itsPrice };
}

const text = fc
  .tuple(fc.constantFrom("fox ", "0f", "漢é", "\n", "lorem ipsum "), fc.integer({ min: 1, max: 60_000 }))
  .map(([word, times]) => word.repeat(times));
const picture = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
const content = fc.oneof(
  text,
  text.map((long) => [{ type: "text", text: long }, picture]),
);
const requests = fc.record({
  messages: fc.array(
    content.map((texts) => ({ role: "user", content: texts })),
    { minLength: 1, maxLength: 3 },
  ),
  max_tokens: fc.option(fc.constantFrom(1, 500, 20_000), { nil: undefined }),
  n: fc.constantFrom(undefined, 3),
});
const candidates = fc.array(
  fc
    .tuple(fc.constantFrom<ProviderId>("openai", "anthropic", "deepseek"), fc.constantFrom(...PRICES))
    .map(([provider, itsPrice]) => candidate(provider, itsPrice)),
  { minLength: 1, maxLength: 3 },
);
/** From a hundredth of a cent to ten thousand dollars: what is left at the first look, and at later ones. */
const left = fc.double({ min: 4, max: 13, noNaN: true }).map((power) => Math.floor(10 ** power));
const looks = fc.array(fc.record({ remaining: left, unseen: fc.boolean() }), { minLength: 1, maxLength: 4 });

it("holds more than the words cost only where that is little, and decides the same", () => {
  let rough = 0;
  const request = fc.record({ request: requests, candidates, of: fc.constantFrom(...DISCOVERED), looks });
  fc.assert(
    fc.property(request, ({ request, candidates: those, of: [context_length, max_output], looks: all }) => {
      const body = JSON.parse(JSON.stringify({ model: "m", ...request })) as Record<string, unknown>;
      const discovered = { id: "m", owned_by: null, created: null, context_length, max_output, price: null };
      const served: ServedModel = { id: "m", spec: null, discovered, capabilities: ["chat"], candidates: those };
      const spoken = {
        dialect: chatDialect,
        raw: Buffer.from(JSON.stringify(body)),
        body,
        changed: false,
        headers: {},
      };
      const money = (mayBeRough: boolean): ChatMoney =>
        new ChatMoney(
          body,
          served,
          new RequestTranslator(spoken, served, { now: () => 0, newId: () => "x" }),
          null,
          mayBeRough,
        );
      const [roughly, exactly] = [money(true), money(false)];
      for (const { remaining, unseen } of all) {
        const [received, counted] = [roughly.computeCost(remaining), exactly.computeCost(remaining)];
        if (received.nano > remaining / 32) expect(received).toEqual(counted);
        if (received.nano !== counted.nano) rough += 1;
        expect(Math.min(received.least, received.nano) > remaining).toBe(
          Math.min(counted.least, counted.nano) > remaining,
        );
        if (Math.min(counted.least, counted.nano) > remaining) continue;
        for (const one of those) {
          expect(roughly.findBound(one, Math.min(received.nano, remaining))).toBe(
            exactly.findBound(one, Math.min(counted.nano, remaining)),
          );
        }
        if (unseen) expect(roughly.likely).toEqual(exactly.likely);
      }
    }),
    { numRuns: 400 },
  );
  expect(rough).toBeGreaterThan(20);
});
