import type { Units } from "../../core/models/model.ts";
import { tokenCount } from "../../core/chat/chat-usage.ts";
import { withoutZeros } from "../../core/money/price.ts";
import { isRecord } from "../../lib/records.ts";

/** The counts of Google's native `usageMetadata`, arranged so that no token is in two figures. */
export interface GeminiUsage {
  /** Includes cached tokens, pictures, and tokens that tools added to the prompt. */
  readonly input: number;
  readonly cached: number;
  readonly inputPictures: number;
  /** Words of the response. */
  readonly output: number;
  readonly pictures: number;
  readonly thoughts: number;
}

/**
 * Reads `usageMetadata` (docs/providers/gemini.md#native-requests): thoughts are counted separately from the
 * candidates, cached tokens within the prompt. Candidates without a breakdown count as pictures, because only pictures
 * were requested.
 * @returns null without a usable figure.
 */
export function readUsage(metadata: unknown): GeminiUsage | null {
  if (!isRecord(metadata)) return null;
  const prompt = tokenCount(metadata["promptTokenCount"]);
  const candidates = tokenCount(metadata["candidatesTokenCount"]);
  if (prompt === null && candidates === null) return null;
  const input = (prompt ?? 0) + (tokenCount(metadata["toolUsePromptTokenCount"]) ?? 0);
  const made = candidates ?? 0;
  const pictures = Math.min(made, ofModality(metadata["candidatesTokensDetails"], "IMAGE") ?? made);
  return {
    input,
    cached: Math.min(input, tokenCount(metadata["cachedContentTokenCount"]) ?? 0),
    inputPictures: Math.min(input, ofModality(metadata["promptTokensDetails"], "IMAGE") ?? 0),
    output: made - pictures,
    pictures,
    thoughts: tokenCount(metadata["thoughtsTokenCount"]) ?? 0,
  };
}

/** Returns the billed units: pictures in a prompt cost the same as text (docs/providers/gemini.md#images). */
export function billedUnits(usage: GeminiUsage): Units {
  return withoutZeros({
    input: usage.input - usage.cached,
    cached_input: usage.cached,
    output: usage.output,
    reasoning: usage.thoughts,
    image_output: usage.pictures,
  });
}

/**
 * Returns the units of a conversation: text unless a breakdown differs, audio and pictures at their own prices; cached
 * audio is within the cached tokens.
 * @returns null if no token was reported, so that usage has to be counted here.
 */
export function readNativeUnits(metadata: unknown): Units | null {
  if (!isRecord(metadata)) return null;
  const usage = readUsage({ candidatesTokensDetails: [{ modality: "TEXT" }], ...metadata });
  if (usage === null || usage.input + usage.output + usage.pictures + usage.thoughts === 0) return null;
  const spoken = Math.min(usage.output, ofModality(metadata["candidatesTokensDetails"], "AUDIO") ?? 0);
  const heard = Math.min(usage.input, ofModality(metadata["promptTokensDetails"], "AUDIO") ?? 0);
  const heardAgain = Math.min(heard, usage.cached, ofModality(metadata["cacheTokensDetails"], "AUDIO") ?? 0);
  const heardNew = Math.min(heard - heardAgain, usage.input - usage.cached);
  return {
    input: usage.input - usage.cached - heardNew,
    output: usage.output - spoken,
    ...withoutZeros({
      cached_input: usage.cached - heardAgain,
      audio_input: heardNew,
      cached_audio_input: heardAgain,
      reasoning: usage.thoughts,
      image_output: usage.pictures,
      audio_output: spoken,
    }),
  };
}

/** The usage of an image answer in OpenAI's shape (docs/providers/openai.md#images). */
export function shownUsage(usage: GeminiUsage): Readonly<Record<string, unknown>> {
  const output = usage.output + usage.pictures + usage.thoughts;
  return {
    total_tokens: usage.input + output,
    input_tokens: usage.input,
    output_tokens: output,
    input_tokens_details: { text_tokens: usage.input - usage.inputPictures, image_tokens: usage.inputPictures },
    output_tokens_details: { text_tokens: usage.output + usage.thoughts, image_tokens: usage.pictures },
  };
}

/** Sums the tokens of one modality; null without a breakdown. */
function ofModality(details: unknown, modality: string): number | null {
  if (!Array.isArray(details) || details.length === 0) return null;
  let sum = 0;
  for (const detail of details as readonly unknown[])
    if (isRecord(detail) && detail["modality"] === modality) sum += tokenCount(detail["tokenCount"]) ?? 0;
  return sum;
}
