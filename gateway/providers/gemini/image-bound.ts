import { isRecord } from "../../lib/records.ts";
import type { AllowedDrawing } from "../images.ts";
import { boundOf, finite, lower } from "../output-bound.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Gemini's image models write no more than this: pictures, words and thoughts (ai.google.dev, models). */
const LONGEST = 32_768;
/** A picture of 4K has 2,520 tokens, and the model thinks before it draws. */
const LEAST = 4_608;

/** What a request may be answered with. @param config its `generationConfig`. */
export function allowedDrawing(config: unknown, bound: number | null): AllowedDrawing {
  const asked = isRecord(config) ? boundOf(config["maxOutputTokens"]) : null;
  const choices = isRecord(config) ? (boundOf(config["candidateCount"]) ?? 1) : 1;
  return {
    perChoice: Math.min(LONGEST, lower(asked, finite(bound)) ?? LONGEST),
    choices: Math.max(1, choices),
    least: lower(asked, LEAST) ?? LEAST,
    open: asked === null,
  };
}

/** The same `generationConfig` with the bound that there is money for, if it is lower. */
export function boundedDrawing(config: Fields | undefined, bound: number | null): Fields | undefined {
  const money = finite(bound);
  const asked = boundOf(config?.["maxOutputTokens"]);
  if (money === null || (asked !== null && asked <= money)) return config;
  return { ...config, maxOutputTokens: money };
}
