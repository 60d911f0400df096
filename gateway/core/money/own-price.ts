import { mostRate, mostUsd } from "../../contract/model-view.ts";
import type { OwnRates, OwnUnit } from "../../contract/model-view.ts";
import { soldByPiece } from "../../contract/units.ts";
import type { Capability } from "../models/model.ts";

interface Need {
  /** Each of these lists must be complete. */
  readonly either: readonly (readonly OwnUnit[])[];
  readonly words: string;
}

const TOKENS: Need = { either: [["input", "output"]], words: "input tokens and output tokens" };
const IMAGES: Need = {
  either: [["image"], ["input", "image_output"]],
  words: "images, or input tokens and image output tokens",
};
const SOUND: Need = {
  either: [["second"], ["input", "audio_input", "output"]],
  words: "seconds, or input tokens, audio input tokens and output tokens",
};

/** The kinds of unit without which calls of a capability could not be billed. */
const NEEDS: Readonly<Record<Capability, Need>> = {
  chat: TOKENS,
  messages: TOKENS,
  embedding: { either: [["input"]], words: "input tokens" },
  speech: {
    either: [["character"], ["input", "audio_output"], ["input", "output"]],
    words: "characters, or input tokens and audio output tokens",
  },
  transcription: SOUND,
  translation: SOUND,
  image: IMAGES,
  image_edit: IMAGES,
  video: { either: [["second"]], words: "seconds" },
  // No one takes money for it.
  moderation: { either: [[]], words: "nothing" },
};

const DOES: Readonly<Record<Capability, string>> = {
  chat: "converses",
  messages: "converses",
  embedding: "makes embeddings",
  speech: "speaks",
  transcription: "writes down what is said",
  translation: "translates what is said",
  image: "makes images",
  image_edit: "edits images",
  video: "makes videos",
  moderation: "judges texts",
};

/**
 * Returns what an own price lacks, as a sentence; null when every call of the model can be billed with it. A price with a
 * gap would leave calls unpriced that seem to have one.
 * @param capabilities of the model; empty when they are unknown
 */
export function priceGap(rates: OwnRates, capabilities: readonly Capability[]): string | null {
  for (const capability of capabilities) {
    const { either, words } = NEEDS[capability];
    if (either.some((units) => units.every((unit) => rates[unit] !== undefined))) continue;
    return `The model ${DOES[capability]}, which is billed by ${words}: give those a price. 0 is a price, too.`;
  }
  return null;
}

/**
 * Returns which rate is too high to be computed for every call, with the remedy; null if all fit. An unchanged rate is
 * accepted.
 */
export function priceTooHigh(rates: OwnRates, before: OwnRates = {}): { unit: OwnUnit; sentence: string } | null {
  for (const [unit, rate] of Object.entries(rates) as [OwnUnit, number][]) {
    if (rate <= mostRate(unit) || rate === before[unit]) continue;
    const per = soldByPiece(unit) ? "each" : "for a million";
    const sentence = `A price of ${unit} can be at most ${mostUsd(unit)} USD ${per}, so that what a call costs can be counted. Give a lower one.`;
    return { unit, sentence };
  }
  return null;
}
