import type { ModelSpec, Price, Reasoning } from "../core/models/model.ts";
import { endingOn, entries, usdPerMillion, withFactors } from "./entry.ts";
import type { UsdRates } from "./entry.ts";
import { GENAI_PRICES } from "./sources.ts";

/**
 * Google's Gemini models. They think, and count thinking beside the answer (docs/providers/gemini.md#native-requests),
 * which the provider's adapter adds up. Effort values are those of Google's layer for OpenAI clients
 * (docs/providers/gemini.md#layer-for-openai-clients); a model that lacks one of them says so itself.
 */

const THINKS: Reasoning = { efforts: ["none", "minimal", "low", "medium", "high"], dropsSampling: false };
const CHAT = { context: 1_048_576, output: 65_536, reasoning: THINKS } as const;

type GeminiRates = UsdRates & { readonly input: number; readonly cached_input: number };

/** What is heard costs what is read, unless a model says otherwise; flex processing costs half of all. */
const price = (rates: GeminiRates): Price => flex(usdPerMillion(GENAI_PRICES, heard(rates)));

const heard = (rates: GeminiRates): UsdRates => ({
  audio_input: rates.input,
  cached_audio_input: rates.cached_input,
  ...rates,
});

/** https://ai.google.dev/gemini-api/docs/optimization */
const flex = (of: Price): Price => withFactors(of, { service_tier: { flex: 0.5 } });

/** Prompts of more than 200,000 tokens cost twice the input rates and one and a half times the output rate. */
const pro = (input: number, cachedInput: number, output: number): Price =>
  flex(
    usdPerMillion(GENAI_PRICES, heard({ input, cached_input: cachedInput, output }), {
      above: 200_000,
      rates: heard({ input: input * 2, cached_input: cachedInput * 2, output: output * 1.5 }),
    }),
  );
/** An introductory price until the end of 2026, and what Google has said that follows it. */
const FLASH_3_6 = endingOn(
  "2027-01-01",
  price({ input: 0.75, cached_input: 0.075, output: 3.75 }),
  price({ input: 1.5, cached_input: 0.15, output: 7.5 }),
);

export const googleModels: readonly ModelSpec[] = entries("google", [
  { id: "gemini-3.8-flash", name: "Gemini 3.8 Flash", released: "2026-09-08", ...CHAT, price: FLASH_3_6 },
  { id: "gemini-3.7-flash", name: "Gemini 3.7 Flash", released: "2026-08-18", ...CHAT, price: FLASH_3_6 },
  { id: "gemini-3.6-flash", name: "Gemini 3.6 Flash", released: "2026-07-21", ...CHAT, price: FLASH_3_6 },
  {
    id: "gemini-3.5-flash",
    name: "Gemini 3.5 Flash",
    released: "2026-05-19",
    ...CHAT,
    price: price({ input: 1.5, cached_input: 0.15, output: 9 }),
  },
  {
    id: "gemini-3.5-flash-lite",
    name: "Gemini 3.5 Flash-Lite",
    released: "2026-05-19",
    ...CHAT,
    price: price({ input: 0.3, cached_input: 0.03, output: 2.5 }),
  },
  { id: "gemini-3.1-pro-preview", name: "Gemini 3.1 Pro", released: "2026-02-19", ...CHAT, price: pro(2, 0.2, 12) },
  {
    id: "gemini-3.1-flash-lite",
    name: "Gemini 3.1 Flash-Lite",
    released: "2026-03-03",
    ...CHAT,
    price: price({ input: 0.25, cached_input: 0.025, audio_input: 0.5, cached_audio_input: 0.05, output: 1.5 }),
  },
  { id: "gemini-3-pro-preview", name: "Gemini 3 Pro", released: "2025-11-18", ...CHAT, price: pro(2, 0.2, 12) },
  {
    id: "gemini-3-flash-preview",
    name: "Gemini 3 Flash",
    released: "2025-12-17",
    ...CHAT,
    price: price({ input: 0.5, cached_input: 0.05, audio_input: 1, cached_audio_input: 0.1, output: 3 }),
  },
  { id: "gemini-2.5-pro", name: "Gemini 2.5 Pro", released: "2025-06-17", ...CHAT, price: pro(1.25, 0.125, 10) },
  {
    id: "gemini-2.5-flash",
    name: "Gemini 2.5 Flash",
    released: "2025-06-17",
    ...CHAT,
    price: price({ input: 0.3, cached_input: 0.03, audio_input: 1, cached_audio_input: 0.1, output: 2.5 }),
  },
  {
    id: "gemini-2.5-flash-lite",
    name: "Gemini 2.5 Flash-Lite",
    released: "2025-07-22",
    ...CHAT,
    price: price({ input: 0.1, cached_input: 0.01, audio_input: 0.3, cached_audio_input: 0.03, output: 0.4 }),
  },
]);
