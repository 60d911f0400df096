import type { TranscriptionFields } from "../../contract/transcription.ts";
import { computePrice } from "../../lib/money.ts";
import { isRecord } from "../../lib/records.ts";
import { tokenCount } from "../chat/chat-usage.ts";
import type { Price, Units } from "../models/model.ts";
import { priceUnits } from "../money/price.ts";
import { estimateTextTokens, mostTextTokens } from "../money/text-tokens.ts";
import type { MeasuredSound } from "./sound-file.ts";

/**
 * OpenAI counts one token per 100 ms of input audio (https://developers.openai.com/api/docs/guides/realtime-costs, read
 * 2026-11-24).
 */
const TOKENS_PER_SECOND = 10;
/** Max tokens per second of audio: fast speech has five words or seven ideographs. High estimates. */
const MOST_OUTPUT_PER_SECOND = 10;
const LIKELY_OUTPUT_PER_SECOND = 3.5;
/** Bytes a second of the lowest rate at which a voice is packed, 6 kbit/s of Opus (RFC 6716, 2.1.1), and of a usual one. */
const LEAST_BYTES_PER_SECOND = 750;
const LIKELY_BYTES_PER_SECOND = 4_000;
/** Max seconds that are believed: no file that Postern accepts is as long. */
const LONGEST_SECONDS = 1_000_000;
/** Max seconds of a speaker reference. */
const REFERENCE_SECONDS = 10;
/** Tokens that a provider adds to the prompt. */
const ADDED_TOKENS = 50;

/** Rate for the hold of calls without a known price, USD 0.006 a minute: whisper-1. Never charged. */
const ASSUMED_SECOND_RATE = 100_000_000_000;

/** Inputs that determine the bill of a call. */
export interface HeardSound {
  readonly file: Pick<MeasuredSound, "seconds"> & { readonly bytes: { readonly length: number } };
  readonly fields: Pick<TranscriptionFields, "prompt" | "keywords" | "known_speaker_references">;
}

/** Whether a price bills sound by its length; tokens otherwise. Sound without a price is counted in seconds. */
export function billsSeconds(price: Price | null): boolean {
  const rates = price?.tiers[0]?.rates;
  if (rates === undefined || rates.second !== undefined) return true;
  return rates.audio_input === undefined && rates.input === undefined;
}

/** Returns the max duration of a file: the declared one, else the longest possible for its size. */
export function mostSeconds({ seconds, bytes }: HeardSound["file"]): number {
  return Math.min(LONGEST_SECONDS, seconds ?? bytes.length / LEAST_BYTES_PER_SECOND);
}

/** Returns the known or probable length of a file. */
export function likelySeconds({ seconds, bytes }: HeardSound["file"]): number {
  return Math.min(LONGEST_SECONDS, seconds ?? bytes.length / LIKELY_BYTES_PER_SECOND);
}

/** Returns the seconds that a provider bills: some have a minimum per request. */
export function billedSeconds(seconds: number, price: Price | null): number {
  return Math.max(inThousandths(seconds), price?.leastSeconds ?? 0);
}

/** Returns the units of a call whose provider reports none. @param output tokens received; null if unknown */
export function countedSound(sound: HeardSound, price: Price | null, output: number | null): Units {
  const seconds = likelySeconds(sound.file);
  if (billsSeconds(price)) return { second: billedSeconds(seconds, price) };
  return {
    input: Math.ceil(estimateTextTokens(readPrompt(sound))),
    audio_input: Math.ceil((seconds + referenceSeconds(sound)) * TOKENS_PER_SECOND),
    output: Math.ceil(output ?? seconds * LIKELY_OUTPUT_PER_SECOND),
  };
}

/** Returns the nano USD to hold for a call: the max cost of its audio. */
export function soundHold(sound: HeardSound, price: Price | null): number {
  // Providers round up, and count the samples that a decoder adds before and after the sound.
  const seconds = Math.ceil(mostSeconds(sound.file)) + 1;
  if (price === null) return computePrice(seconds, ASSUMED_SECOND_RATE);
  if (billsSeconds(price)) return priceUnits({ second: billedSeconds(seconds, price) }, price).nano ?? 0;
  const units: Units = {
    input: mostTextTokens(readPrompt(sound)) + ADDED_TOKENS,
    audio_input: Math.ceil((seconds + referenceSeconds(sound)) * TOKENS_PER_SECOND),
    output: Math.ceil(seconds * MOST_OUTPUT_PER_SECOND) + ADDED_TOKENS,
  };
  return priceUnits(units, price).nano ?? 0;
}

/**
 * Returns the billed units: the provider's, if its price covers them; else our count.
 * @param output tokens received
 */
export function soundBill(
  reported: Units | null,
  sound: HeardSound,
  price: Price | null,
  output: number,
): { readonly units: Units; readonly estimated: boolean } {
  const { second } = reported ?? {};
  const fits = price === null || (second !== undefined) === billsSeconds(price);
  if (reported === null || !fits) return { units: countedSound(sound, price, output), estimated: true };
  return { units: second === undefined ? reported : { second: billedSeconds(second, price) }, estimated: false };
}

/**
 * `usage` as OpenAI writes it: `{type: "duration", seconds}` or `{type: "tokens", input_tokens, output_tokens,
 * input_token_details: {text_tokens, audio_tokens}}`.
 * @returns null when it holds no figure
 */
export function reportedUnits(usage: unknown): Units | null {
  if (!isRecord(usage)) return null;
  const seconds = parseSeconds(usage["seconds"]);
  if (seconds !== null) return { second: seconds };
  const all = tokenCount(usage["input_tokens"]);
  const output = tokenCount(usage["output_tokens"]);
  if (all === null || output === null) return null;
  const details = usage["input_token_details"];
  const text = isRecord(details) ? (tokenCount(details["text_tokens"]) ?? 0) : 0;
  return { input: Math.min(all, text), audio_input: Math.max(0, all - text), output };
}

/** Parses a length as providers write it; null if invalid. */
export function parseSeconds(value: unknown): number | null {
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof seconds === "number" && Number.isFinite(seconds) && seconds >= 0
    ? Math.min(LONGEST_SECONDS, seconds)
    : null;
}

/** Receipts have three decimals. */
const inThousandths = (seconds: number): number => Math.ceil(seconds * 1_000 - 1e-6) / 1_000;

function readPrompt({ fields }: HeardSound): string {
  return [fields.prompt ?? "", ...(fields.keywords ?? [])].join(" ");
}

function referenceSeconds({ fields }: HeardSound): number {
  return REFERENCE_SECONDS * (fields.known_speaker_references?.length ?? 0);
}
