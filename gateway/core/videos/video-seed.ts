import { asList, isRecord } from "../../lib/records.ts";

/** Models that follow parameters in the prompt text. */
export const OBEYING = /seedance-1-/;

/** `--seed 42` in a prompt. */
const WRITTEN = /\s--seed\s+(\d{1,10})(?=\s|$)/i;

/**
 * Returns the requested seed: from the provider's settings, the input, the top level, or the prompt if the model
 * follows it; null if there is no seed, or a value such as −1 for "any".
 * @param body the client's body
 */
export function requestedSeed(body: Readonly<Record<string, unknown>>, model: string): number | null {
  const { parameters, input } = body;
  const parts = [parameters, input, body].filter(isRecord);
  const seed = parts.map(({ seed }) => seed).find((seed) => seed != null);
  if (seed !== undefined) return asSeed(seed);
  const text = OBEYING.test(model) ? parts.flatMap(readTexts).join("\n") : "";
  return asSeed(Number(WRITTEN.exec(text)?.[1]));
}

const asSeed = (seed: unknown): number | null =>
  Number.isSafeInteger(seed) && (seed as number) >= 0 ? (seed as number) : null;

function readTexts({ prompt, content }: Readonly<Record<string, unknown>>): string[] {
  const items = asList(content);
  const texts = items.map((item) => (isRecord(item) && item["type"] === "text" ? item["text"] : null));
  return [prompt, ...texts].filter((text) => typeof text === "string");
}
