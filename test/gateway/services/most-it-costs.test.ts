import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { allModels } from "../../../gateway/catalog/lookup.ts";
import { applyChatRules } from "../../../gateway/core/chat/chat-rules.ts";
import { GatewayError } from "../../../gateway/core/errors.ts";
import type { DiscoveredModel } from "../../../gateway/core/models/discovered-model.ts";
import type { ModelSpec, Price, Units } from "../../../gateway/core/models/model.ts";
import { priceNow, priceUnits, servedFacts } from "../../../gateway/core/money/price.ts";
import { ChatMoney } from "../../../gateway/services/chat/chat-money.ts";
import { chatDialect } from "../../../gateway/services/chat/dialects/chat.ts";
import { messagesDialect } from "../../../gateway/services/chat/dialects/messages.ts";
import { responsesDialect } from "../../../gateway/services/chat/dialects/responses.ts";
import { RequestTranslator } from "../../../gateway/services/chat/request-translator.ts";
import type { Candidate, ServedModel } from "../../../gateway/services/models/served-model.ts";
import { providers, type ProviderId } from "../../../gateway/providers/registry.ts";
import { Refused, allowedUsage } from "../../support/allowed-usage.ts";
import { bareConnection } from "../../support/bare-connection.ts";
import { dose } from "../../support/dose.ts";

/** No usage that a sent request allows costs more than what was held for it, anyone who serves whichever model. */

const NOW = Date.UTC(2026, 10, 22);
const USD = 1_000_000_000;
const DIALECTS = { chat: chatDialect, messages: messagesDialect, responses: responsesDialect };
type DialectName = keyof typeof DIALECTS;
type Json = Readonly<Record<string, unknown>>;

/** Models as a list of OpenRouter's kind has them, with and without what such lists leave out. */
const rates = { input: 3 * USD, output: 15 * USD, cache_write: 4 * USD, reasoning: 18 * USD };
const listed = (id: string, context_length: number | null, max_output: number | null): DiscoveredModel => ({
  id,
  owned_by: null,
  created: null,
  context_length,
  max_output,
  price: { tiers: [{ above: 0, rates: { ...rates, request: 2_000_000 * 1_000_000 } }] },
});
const LISTED = [
  listed("house/whole", 200_000, 8_192),
  listed("house/no-output", 128_000, null),
  listed("house/nothing-said", null, null),
  listed("openai/gpt-5.9", 400_000, 128_000),
  listed("qwen3-house", 64_000, null),
  listed("qwen4-house", 64_000, null),
];

const OWN: Price = { tiers: [{ above: 0, rates }], always: true, source: "the owner", as_of: "2026-11-22" };

interface SentRequest {
  readonly id: string;
  readonly spec: ModelSpec | null;
  readonly discovered: DiscoveredModel | null;
  readonly price: Price;
}

const MODELS: readonly SentRequest[] = [
  ...allModels()
    .filter(({ capabilities }) => capabilities.includes("chat") || capabilities.includes("messages"))
    // Who knows a price that no one lists enters it.
    .map((spec) => ({ id: spec.id, spec, discovered: null, price: priceNow(spec.price, NOW).price ?? OWN })),
  ...LISTED.map((discovered) => ({
    id: discovered.id,
    spec: null,
    discovered,
    price: { tiers: discovered.price?.tiers ?? [], source: "its list", as_of: "2026-11-22" },
  })),
];

const bound = fc.option(fc.constantFrom(1, 16, 64, 100, 500, 1_024, 1_500, 4_096, 20_000, 100_000, 1_000_000), {
  nil: undefined,
});
const words = fc.oneof(
  fc.string({ maxLength: 400 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.constantFrom(
    "Say hello.",
    "The quick brown fox. ".repeat(200),
    "fox ".repeat(6_000),
    "0f".repeat(3_000),
    "数字".repeat(500),
  ),
);
const effort = fc.constantFrom(undefined, "none", "low", "high");
const tier = fc.constantFrom(undefined, "auto", "priority", "flex");
const stream = fc.constantFrom(undefined, true);
const thinking = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom({ type: "disabled" }, { type: "adaptive" }),
  fc.constantFrom(1_024, 2_000, 10_000, 60_000).map((budget_tokens) => ({ type: "enabled", budget_tokens })),
);
const message = (content: string): Json => ({ messages: [{ role: "user", content }] });
const BODIES: Readonly<Record<DialectName, fc.Arbitrary<Json>>> = {
  chat: fc
    .record({
      words,
      max_tokens: bound,
      max_completion_tokens: bound,
      n: fc.constantFrom(undefined, 1, 2, 4),
      stream,
      reasoning_effort: effort,
      enable_thinking: fc.constantFrom(undefined, true, false),
      thinking_budget: fc.constantFrom(undefined, 100, 4_000, 100_000),
      thinking: fc.constantFrom(undefined, { type: "disabled" }, { type: "enabled" }),
      service_tier: tier,
      prediction: fc.constantFrom(undefined, { type: "content", content: "Perhaps so." }),
    })
    .map(({ words: content, ...rest }) => ({ ...rest, ...message(content) })),
  messages: fc
    .record({ words, max_tokens: bound.map((value) => value ?? 1_000), stream, thinking, service_tier: tier })
    .map(({ words: content, ...rest }) => ({ ...rest, ...message(content) })),
  responses: fc
    .record({ words, max_output_tokens: bound, stream, effort, service_tier: tier })
    .map(({ words: input, effort: level, ...rest }) => ({
      ...rest,
      input,
      reasoning: level === undefined ? undefined : { effort: level },
    })),
};
const requests = fc
  .constantFrom<DialectName>("chat", "messages", "responses")
  .chain((dialect) => BODIES[dialect].map((body) => ({ dialect, body: JSON.parse(JSON.stringify(body)) as Json })));
/** From a hundredth of a cent to a hundred dollars. */
const money = fc.double({ min: 4, max: 11, noNaN: true }).map((power) => Math.floor(10 ** power));

function candidateAt(provider: ProviderId, { id, spec, price }: SentRequest): Candidate {
  const connection = bareConnection(provider, true);
  return { connection, upstreamModel: spec?.upstreamId ?? id, price };
}

/** Null: nothing is sent. */
function costAndHold(
  provider: ProviderId,
  requested: SentRequest,
  dialectName: DialectName,
  given: Json,
  remaining: number,
) {
  const { id, spec, discovered } = requested;
  const candidate = candidateAt(provider, requested);
  const servedModel: ServedModel = { id, spec, discovered, capabilities: ["chat"], candidates: [candidate] };
  const dialect = DIALECTS[dialectName];
  const written = { model: id, ...given };
  const checked = dialect.check(written);
  const { body, changed } =
    dialectName === "chat" ? applyChatRules(checked, spec, id) : { body: checked, changed: false };
  const raw = Buffer.from(JSON.stringify(written));
  const request = { dialect, raw, body, changed, headers: {} };
  const translator = new RequestTranslator(request, servedModel, { now: () => NOW, newId: () => "x" });
  const limit = new ChatMoney(body, servedModel, translator);
  const { nano, least } = limit.computeCost(remaining);
  if (remaining < Math.min(nano, least)) return { refused: true, least } as const;
  const held = Math.min(nano, remaining);
  const wire = translator.createRequest(candidate, "k", limit.findBound(candidate, held), () => undefined);
  const sent = JSON.parse(String(wire.body)) as Json;
  const allowed = allowedUsage(provider, wire.path, sent, {
    id: candidate.upstreamModel,
    longest: spec?.maxOutput ?? discovered?.max_output ?? null,
    context: spec?.contextLength ?? discovered?.context_length ?? null,
    reasons: spec === null || spec.reasoning !== undefined,
  });
  // A server of Anthropic's dialect is asked once for each response.
  const several = wire.path.endsWith("/messages") && given["stream"] !== true && dialectName === "chat";
  const prompts = several ? Number(given["n"] ?? 1) : 1;
  const { input, messages } = given as { input?: string; messages?: readonly { content: string }[] };
  const content = input ?? messages?.[0]?.content ?? "";
  const prompt = countTokens(content) + 7;
  const output = allowed.perChoice * allowed.responses;
  const facts = servedFacts(sent);
  const served = facts === undefined ? {} : { served: facts };
  const usages: readonly Units[] = [
    { input: prompt, output },
    { cache_write: prompt, reasoning: output },
    { cached_input: prompt, output: Math.floor(output / 2), reasoning: Math.ceil(output / 2) },
  ];
  const costs = usages.map((units) => {
    expect(output).toBeLessThan(Infinity);
    return (
      priceUnits(
        Array.from({ length: prompts }, () => ({ units, ...served })),
        requested.price,
      ).nano ?? 0
    );
  });
  return { refused: false, held, cost: Math.max(...costs), sent, prompts } as const;
}

const talking = (Object.keys(providers) as ProviderId[]).filter(
  (id) => providers[id].chat !== null || providers[id].messages !== null,
);

it.each(talking)(
  "%s: the most that a sent request allows costs no more than was held",
  (provider) => {
    let sent = 0;
    const refusedWithMoney: unknown[] = [];
    for (const request of MODELS) {
      fc.assert(
        fc.property(requests, money, ({ dialect, body }, remaining) => {
          try {
            const seen = costAndHold(provider, request, dialect, body, remaining);
            if (seen.refused) {
              if (remaining > 50 * USD) refusedWithMoney.push([request.id, dialect, body, remaining, seen.least]);
              return;
            }
            sent += 1;
            // Lines of a receipt are rounded one by one.
            if (seen.cost > seen.held + 4 * seen.prompts)
              throw new Error(`${request.id}: ${seen.cost} > ${seen.held}: ${JSON.stringify(seen.sent).slice(0, 300)}`);
          } catch (error) {
            // What the gateway itself refuses, and what the provider would have refused as its client wrote it.
            if (error instanceof GatewayError) return;
            if (error instanceof Refused && isClientsFault(body)) return;
            throw error;
          }
        }),
        { numRuns: dose(5, 60) },
      );
    }
    expect(sent).toBeGreaterThan(MODELS.length);
    expect(refusedWithMoney).toEqual([]);
  },
  600_000,
);

function isClientsFault({ thinking: request, max_tokens: most, max_completion_tokens: whole }: Json): boolean {
  // More than Ark takes.
  if (Number(whole) > 65_536) return true;
  return (
    typeof request === "object" &&
    request !== null &&
    "budget_tokens" in request &&
    Number(request.budget_tokens) >= Number(most)
  );
}
