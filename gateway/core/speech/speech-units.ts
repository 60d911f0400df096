import { characterCount } from "../../lib/characters.ts";
import { computePrice } from "../../lib/money.ts";
import type { Price, Units } from "../models/model.ts";
import { mostTextTokens, estimateTextTokens } from "../money/text-tokens.ts";
import { priceUnits, findRate, findTier } from "../money/price.ts";

/**
 * Audio tokens of OpenAI's speech models: $12 per million tokens are about $0.015 a minute
 * (docs/providers/openai.md#speech).
 */
export const AUDIO_TOKENS_PER_SECOND = 20.83;
/** How long speech takes: about 14 letters a second, 4 ideographs a second. Guesses, on the slow side. */
const SECONDS_PER_LETTER = 0.07;
const SECONDS_PER_IDEOGRAPH = 0.25;

const IDEOGRAPH = /\p{Script=Han}/gu;

/** A rate for the hold of calls without a known price, USD 30 per million characters: tts-1-hd. Never charged. */
const ASSUMED_CHARACTER_RATE = 30_000_000_000;

/** Characters as a provider bills them. @param ideographCounts as how many an ideograph counts. */
export function billedCharacters(text: string, ideographCounts: number): number {
  return characterCount(text) + (ideographCounts - 1) * ideographs(text);
}

/** Whether a price bills speech by its input's characters; tokens otherwise. Unpriced speech is counted in characters. */
export function billsCharacters(price: Price | null): boolean {
  const rates = price?.tiers[0]?.rates;
  if (rates === undefined || rates.character !== undefined) return true;
  return rates.audio_output === undefined && rates.output === undefined;
}

export interface SpeechText {
  readonly text: string;
  readonly instructions: string | null;
  readonly ideographCounts: number;
}

/**
 * Returns the units of a call whose provider reports none.
 * @param seconds of audio; null if unknown, when the speaking time of the text is estimated.
 */
export function countedUnits(speech: SpeechText, price: Price | null, seconds: number | null): Units {
  if (billsCharacters(price)) return { character: billedCharacters(speech.text, speech.ideographCounts) };
  const input = Math.ceil(estimateTextTokens(speech.text) + estimateTextTokens(speech.instructions ?? ""));
  return { input, audio_output: Math.ceil((seconds ?? spokenSeconds(speech.text)) * AUDIO_TOKENS_PER_SECOND) };
}

/** Hold as a multiple of the text's likely duration, to which a min is added: no request bounds the sound. */
const SLOWER = 2;
/** Factor for instructions, which may request "very slowly, with long pauses". */
const SLOWER_AS_INSTRUCTED = 4;
const AT_LEAST_SECONDS = 20;

/** Returns the max units that a call can have. */
export function mostUnits(speech: SpeechText, price: Price | null): Units {
  if (billsCharacters(price)) return countedUnits(speech, price, null);
  const { text, instructions } = speech;
  const seconds = spokenSeconds(text) * (instructions === null ? SLOWER : SLOWER_AS_INSTRUCTED) + AT_LEAST_SECONDS;
  return {
    input: mostTextTokens(text) + mostTextTokens(instructions ?? ""),
    audio_output: Math.ceil(seconds * AUDIO_TOKENS_PER_SECOND),
  };
}

/** Nano USD to hold for a call: its characters, or its tokens and those of the longest sound that is to be expected. */
export function speechHold(speech: SpeechText, price: Price | null): number {
  const units = mostUnits(speech, price);
  const rate = price === null ? undefined : findRate(findTier(price, 0), "character");
  if (units.character !== undefined && rate === undefined) return computePrice(units.character, ASSUMED_CHARACTER_RATE);
  return price === null ? 0 : (priceUnits(units, price).nano ?? 0);
}

function spokenSeconds(text: string): number {
  const slow = ideographs(text);
  return slow * SECONDS_PER_IDEOGRAPH + Math.max(0, text.length - slow) * SECONDS_PER_LETTER;
}

function ideographs(text: string): number {
  return text.match(IDEOGRAPH)?.length ?? 0;
}
