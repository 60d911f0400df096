import type { ModelSpec, Reasoning } from "../core/models/model.ts";
import { entries, usdPerMillion } from "./entry.ts";
import { GENAI_PRICES, LITELLM } from "./sources.ts";

/**
 * xAI's Grok models. Reasoning tokens are counted beside `completion_tokens`. Only some take
 * `reasoning_effort`: for the others xAI's adapter leaves it out, and which values those take is left to xAI.
 */

const REASONS: Reasoning = { efforts: [], dropsSampling: false };

/** The higher rates begin at exactly 200,000 prompt tokens. */
const BELOW_200K = 199_999;

const doubling = (input: number, cachedInput: number, output: number) =>
  usdPerMillion(
    GENAI_PRICES,
    { input, cached_input: cachedInput, output },
    { above: BELOW_200K, rates: { input: input * 2, cached_input: cachedInput * 2, output: output * 2 } },
  );
const FAST = usdPerMillion(
  LITELLM,
  { input: 0.2, cached_input: 0.05, output: 0.5 },
  // What was cached costs the same however long the prompt is.
  { above: 128_000, rates: { input: 0.4, cached_input: 0.05, output: 1 } },
);

export const xaiModels: readonly ModelSpec[] = entries("xai", [
  {
    id: "grok-4.6",
    name: "Grok 4.6",
    released: "2026-09-02",
    context: 500_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-latest"],
    price: doubling(2, 0.5, 6),
  },
  {
    id: "grok-4.5",
    name: "Grok 4.5",
    released: "2026-07-08",
    context: 500_000,
    output: null,
    reasoning: REASONS,
    price: doubling(2, 0.3, 6),
  },
  {
    id: "grok-4.3",
    name: "Grok 4.3",
    released: "2026-04-30",
    context: 1_000_000,
    output: null,
    reasoning: REASONS,
    price: doubling(1.25, 0.2, 2.5),
  },
  {
    id: "grok-4.20-reasoning",
    name: "Grok 4.20 (reasoning)",
    released: "2026-03-09",
    context: 1_000_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-4.20"],
    price: doubling(1.25, 0.2, 2.5),
  },
  {
    id: "grok-4.20-non-reasoning",
    name: "Grok 4.20",
    released: "2026-03-09",
    context: 1_000_000,
    output: null,
    price: doubling(1.25, 0.2, 2.5),
  },
  {
    id: "grok-4-1-fast-reasoning",
    name: "Grok 4.1 Fast (reasoning)",
    released: "2025-11-19",
    context: 2_000_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-4-1-fast"],
    price: FAST,
  },
  {
    id: "grok-4-1-fast-non-reasoning",
    name: "Grok 4.1 Fast",
    released: "2025-11-19",
    context: 2_000_000,
    output: null,
    price: FAST,
  },
  {
    id: "grok-4",
    name: "Grok 4",
    released: "2025-07-09",
    context: 256_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-4-0709", "grok-4-latest"],
    price: usdPerMillion(
      GENAI_PRICES,
      { input: 3, cached_input: 0.75, output: 15 },
      { above: 128_000, rates: { input: 6, cached_input: 0.75, output: 30 } },
    ),
  },
  {
    id: "grok-code-fast-1",
    name: "Grok Code Fast 1",
    released: "2025-08-28",
    context: 256_000,
    output: null,
    reasoning: REASONS,
    aliases: ["grok-code-fast"],
    price: usdPerMillion(GENAI_PRICES, { input: 0.2, cached_input: 0.02, output: 1.5 }),
  },
]);
