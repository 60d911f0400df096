import type { Abilities, ModelSpec, Price, Reasoning } from "../../core/models/model.ts";
import { listEntries, usdPerMillion, withFactors } from "../../core/models/catalog-entry.ts";
import type { PriceSource, UsdRates } from "../../core/models/catalog-entry.ts";
import { GENAI_PRICES, GENAI_PRICES_NOVEMBER, LITELLM_NOVEMBER } from "../../core/models/price-sources.ts";

/**
 * Anthropic's Claude models, Claude Code's default names among them (docs/clients.md#claude-code). Writing to the cache
 * for five minutes costs 1.25 times the input rate, for an hour twice the input rate
 * (docs/providers/anthropic.md#prices). Effort values: `output_config.effort` (docs/providers/anthropic.md#messages).
 */

const ANTHROPIC_OCTOBER: PriceSource = { source: "platform.claude.com/docs pricing", as_of: "2026-10-07" };
const ANTHROPIC_NOVEMBER: PriceSource = {
  source: "platform.claude.com/docs pricing, as third parties quote it",
  as_of: "2026-11-10",
};

const effort = (...efforts: readonly string[]): Reasoning => ({ efforts, dropsSampling: false });

const LOW_TO_MAX = effort("low", "medium", "high", "xhigh", "max");
const LOW_TO_MAX_BUT_XHIGH = effort("low", "medium", "high", "max");
const LOW_TO_HIGH = effort("low", "medium", "high");
/** Thinks by a budget of tokens and has no effort levels. */
const BY_BUDGET = effort();

const MILLION = { context: 1_000_000, output: 128_000 } as const;
const SMALL = { context: 200_000, output: 64_000 } as const;

/** Abilities by docs/providers/anthropic.md#what-models-take; others come from Anthropic's own list. */
const CLAUDE: Abilities = { pictures: true, files: true, tools: true };
const SEARCHES: Abilities = { ...CLAUDE, web_search: true };

/** USD per million tokens; writing to the cache follows from the input rate. */
const rates = (input: number, output: number, cachedInput: number): UsdRates => ({
  input,
  cached_input: cachedInput,
  cache_write: input * 1.25,
  cache_write_1h: input * 2,
  output,
  // $10 for a thousand (https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool).
  web_search: 10_000,
});

/**
 * Factor of inference that stays in the United States: Opus 4.6 and all later models cost a tenth more
 * (https://platform.claude.com/docs/en/build-with-claude/data-residency).
 */
const IN_THE_US = { us: 1.1 };

function claude(read: PriceSource, input: number, output: number, cachedInput: number): Price {
  return withFactors(usdPerMillion(read, rates(input, output, cachedInput)), { inference_geo: IN_THE_US });
}

/** Models before regions could be chosen. */
function earlier(input: number, output: number, cachedInput: number): Price {
  return usdPerMillion(GENAI_PRICES, rates(input, output, cachedInput));
}

/**
 * Opus from 4.6 on.
 * @param fast what fast mode multiplies the price by (https://platform.claude.com/docs/en/build-with-claude/fast-mode;
 *   Opus 5.5: LiteLLM 1.110.2, read 2026-11-28).
 */
const opus = (fast: number, price = claude(GENAI_PRICES, 5, 25, 0.5)): Price =>
  withFactors(price, { speed: { fast }, inference_geo: IN_THE_US });

export const catalog: readonly ModelSpec[] = listEntries("anthropic", [
  {
    id: "claude-opus-5-5",
    name: "Claude Opus 5.5",
    released: "2026-09-22",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: SEARCHES,
    price: opus(2, claude(ANTHROPIC_OCTOBER, 4, 20, 0.2)),
  },
  {
    id: "claude-sonnet-5-5",
    name: "Claude Sonnet 5.5",
    released: "2026-09-28",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: SEARCHES,
    price: claude(ANTHROPIC_OCTOBER, 2, 10, 0.1),
  },
  {
    id: "claude-haiku-5-5",
    name: "Claude Haiku 5.5",
    released: "2026-10-07",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: CLAUDE,
    price: withFactors(
      usdPerMillion(ANTHROPIC_OCTOBER, rates(0.1, 0.5, 0.01), { above: 100_000, rates: rates(0.5, 2.5, 0.05) }),
      { inference_geo: IN_THE_US },
    ),
  },
  // Anthropic offers Mythos to selected customers only, whose lists include it; its dates are those of Fable.
  {
    id: "claude-mythos-5-2",
    name: "Claude Mythos 5.2",
    released: "2026-11-09",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    price: claude(GENAI_PRICES_NOVEMBER, 8, 40, 0.2),
  },
  {
    id: "claude-mythos-5-1",
    name: "Claude Mythos 5.1",
    released: "2026-09-01",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    price: claude(LITELLM_NOVEMBER, 10, 50, 0.25),
  },
  {
    id: "claude-mythos-5",
    name: "Claude Mythos 5",
    released: "2026-06-09",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    price: claude(LITELLM_NOVEMBER, 10, 50, 1),
  },
  {
    id: "claude-fable-5-2",
    name: "Claude Fable 5.2",
    released: "2026-11-09",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: SEARCHES,
    price: claude(ANTHROPIC_NOVEMBER, 8, 40, 0.2),
  },
  {
    id: "claude-fable-5-1",
    name: "Claude Fable 5.1",
    released: "2026-09-01",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: SEARCHES,
    price: claude(GENAI_PRICES, 10, 50, 0.25),
  },
  {
    id: "claude-fable-5",
    name: "Claude Fable 5",
    released: "2026-06-09",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: CLAUDE,
    price: claude(GENAI_PRICES, 10, 50, 1),
  },
  {
    id: "claude-opus-5",
    name: "Claude Opus 5",
    released: "2026-07-24",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: SEARCHES,
    price: opus(2),
  },
  {
    id: "claude-opus-4-8",
    name: "Claude Opus 4.8",
    released: "2026-05-28",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: CLAUDE,
    price: opus(2),
  },
  {
    id: "claude-opus-4-7",
    name: "Claude Opus 4.7",
    released: "2026-04-16",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: { ...CLAUDE, json_schema: true },
    price: opus(6),
  },
  {
    id: "claude-opus-4-6",
    name: "Claude Opus 4.6",
    released: "2026-02-05",
    ...MILLION,
    reasoning: LOW_TO_MAX_BUT_XHIGH,
    abilities: { ...SEARCHES, json_schema: true },
    price: opus(6),
  },
  {
    id: "claude-opus-4-5",
    name: "Claude Opus 4.5",
    released: "2025-11-24",
    ...SMALL,
    reasoning: LOW_TO_HIGH,
    abilities: { ...SEARCHES, json_schema: true },
    price: earlier(5, 25, 0.5),
  },
  {
    id: "claude-opus-4-1",
    name: "Claude Opus 4.1",
    released: "2025-08-05",
    context: 200_000,
    output: 32_000,
    reasoning: BY_BUDGET,
    abilities: SEARCHES,
    price: earlier(15, 75, 1.5),
  },
  {
    id: "claude-sonnet-5",
    name: "Claude Sonnet 5",
    released: "2026-06-30",
    ...MILLION,
    reasoning: LOW_TO_MAX,
    abilities: SEARCHES,
    price: claude(GENAI_PRICES, 2, 10, 0.2),
  },
  {
    id: "claude-sonnet-4-6",
    name: "Claude Sonnet 4.6",
    released: "2026-02-17",
    context: 1_000_000,
    output: 64_000,
    reasoning: LOW_TO_MAX_BUT_XHIGH,
    abilities: { ...SEARCHES, json_schema: true },
    price: claude(GENAI_PRICES, 3, 15, 0.3),
  },
  {
    id: "claude-sonnet-4-5",
    name: "Claude Sonnet 4.5",
    released: "2025-09-29",
    ...SMALL,
    reasoning: BY_BUDGET,
    abilities: { ...SEARCHES, json_schema: true },
    price: usdPerMillion(GENAI_PRICES, rates(3, 15, 0.3), { above: 200_000, rates: rates(6, 22.5, 0.6) }),
  },
  {
    id: "claude-haiku-4-5",
    name: "Claude Haiku 4.5",
    released: "2025-10-01",
    ...SMALL,
    reasoning: BY_BUDGET,
    abilities: { ...SEARCHES, json_schema: true },
    price: earlier(1, 5, 0.1),
  },
]);
