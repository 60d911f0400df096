import type { ModelPricing, TierPricing } from "../../contract/models.ts";

/**
 * Formats of unit classes: number of units per price, and label. Cache write prices are at GET /v1/models, because no
 * tool needs them.
 */
const UNITS: readonly (readonly [keyof TierPricing, number, string])[] = [
  ["input", 1_000_000, "per 1M input tokens"],
  ["cached_input", 1_000_000, "per 1M cached input tokens"],
  ["output", 1_000_000, "per 1M output tokens"],
  ["reasoning", 1_000_000, "per 1M reasoning tokens"],
  ["audio_input", 1_000_000, "per 1M audio input tokens"],
  ["audio_output", 1_000_000, "per 1M audio output tokens"],
  ["per_character", 1_000, "per 1,000 characters"],
  ["image_input", 1_000_000, "per 1M image input tokens"],
  ["image_output", 1_000_000, "per 1M image output tokens"],
  ["per_web_search", 1, "per web search"],
  ["per_request", 1, "per request"],
];

/** `$2.50 per 1M input tokens, $10.00 per 1M output tokens`; null when the model has no known price. */
export function priceWords(pricing: ModelPricing | null): string | null {
  if (pricing === null) return null;
  const figures = [
    ...listRateWords(pricing),
    ...listImageWords(pricing),
    ...listSecondWords(pricing),
    ...longer(pricing),
  ];
  if (figures.length === 0) return isFree(pricing) ? "free" : null;
  return figures.join(", ");
}

function listRateWords(rates: TierPricing): string[] {
  // Free units next to paid ones are left out: they would be the longest part of a local server's price.
  return UNITS.flatMap(([name, units, words]) => {
    const usd = rates[name];
    return usd === undefined || usd === 0 ? [] : [`${getDollars(usd * units)} ${words}`];
  });
}

function listSecondWords({ per_second: rates }: ModelPricing): string[] {
  return Object.entries(rates ?? {}).map(([resolution, usd]) =>
    // Sound is sold by the minute, and a second of it is less than people read.
    resolution === "any" ? `${getDollars(usd * 60)} per minute` : `${getDollars(usd)} per second at ${resolution}`,
  );
}

/** Prices by size and quality are a table: its range is shown, and an estimate has the exact one. */
function listImageWords({ variants, per_image: usual }: ModelPricing): string[] {
  const prices = [usual, ...(variants ?? []).map(({ per_image: usd }) => usd)].filter((usd) => usd !== undefined);
  const [least, most] = [Math.min(...prices), Math.max(...prices)];
  if (prices.length === 0 || most === 0) return [];
  return least === most
    ? [`${getDollars(most)} per image`]
    : [`${getDollars(least)} to ${getDollars(most)} per image by size and quality`];
}

function longer({ tiers }: ModelPricing): string[] {
  return (tiers ?? []).map(({ above, input, output }) => {
    const rates = listRateWords({
      ...(input === undefined ? {} : { input }),
      ...(output === undefined ? {} : { output }),
    });
    return `for prompts above ${above.toLocaleString("en-US")} tokens: ${rates.join(" and ")}`;
  });
}

function isFree(pricing: ModelPricing): boolean {
  return pricing.per_image === 0 || UNITS.some(([name]) => pricing[name] === 0);
}

/** Two decimals, or as many as the price has: `$2.50`, `$0.075`. */
function getDollars(usd: number): string {
  const exact = String(Number(usd.toPrecision(6)));
  const decimals = exact.includes("e") ? 8 : (exact.split(".")[1] ?? "").length;
  return `$${usd.toFixed(Math.max(2, decimals))}`;
}
