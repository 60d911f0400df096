import type { UnitClass } from "../../contract/receipt.ts";
import type { EmbeddingRules } from "../embeddings/embedding-rules.ts";
import type { EditRules } from "../edits/edit-rules.ts";
import type { ImageRules } from "../images/image-rules.ts";
import type { SpeechRules } from "../speech/speech-rules.ts";
import type { TranscriptionRules } from "../transcription/transcription-rules.ts";
import type { VideoRules } from "../videos/video-order.ts";
import type { Abilities, Capability, ModelSpec, Price, Reasoning, Retirement } from "./model.ts";

/** How the data files write a model down; `entries` makes the catalog's form of it. */
export interface Entry {
  readonly id: string;
  readonly name: string;
  /** The day it was released, `YYYY-MM-DD`. */
  readonly released: string;
  /** Context size in tokens, prompt and output; null if unknown or not applicable. */
  readonly context: number | null;
  /** Most tokens of one response. */
  readonly output: number | null;
  readonly price: Price | null;
  /** Default: `["chat"]`. */
  readonly capabilities?: readonly Capability[];
  readonly reasoning?: Reasoning;
  readonly abilities?: Abilities;
  readonly speech?: SpeechRules;
  readonly transcription?: TranscriptionRules;
  readonly image?: ImageRules;
  readonly edit?: EditRules;
  readonly embedding?: EmbeddingRules;
  readonly video?: VideoRules;
  readonly retired?: Retirement;
  readonly upstreamId?: string;
  readonly aliases?: readonly string[];
}

const CHAT: readonly Capability[] = ["chat"];

/** Returns the models of an owner. */
export function listEntries(owner: string, list: readonly Entry[]): readonly ModelSpec[] {
  return list.map((entry) => ({
    id: entry.id,
    owner,
    displayName: entry.name,
    ...(entry.upstreamId === undefined ? {} : { upstreamId: entry.upstreamId }),
    aliases: entry.aliases ?? [],
    capabilities: entry.capabilities ?? CHAT,
    contextLength: entry.context,
    maxOutput: entry.output,
    ...(entry.reasoning === undefined ? {} : { reasoning: entry.reasoning }),
    ...(entry.abilities === undefined ? {} : { abilities: entry.abilities }),
    ...(entry.speech === undefined ? {} : { speech: entry.speech }),
    ...(entry.transcription === undefined ? {} : { transcription: entry.transcription }),
    ...(entry.image === undefined ? {} : { image: entry.image }),
    ...(entry.edit === undefined ? {} : { edit: entry.edit }),
    ...(entry.video === undefined ? {} : { video: entry.video }),
    ...(entry.embedding === undefined ? {} : { embedding: entry.embedding }),
    ...(entry.retired === undefined ? {} : { retired: entry.retired }),
    price: entry.price,
    created: Date.parse(entry.released) / 1_000,
  }));
}

/** Address and date of a price. */
export interface PriceSource {
  readonly source: string;
  readonly as_of: string;
}

/** USD per million units, as providers print them. */
export type UsdRates = Partial<Record<UnitClass, number>>;

/**
 * Builds the price list of one model.
 * @param first rates up to the first tier, or of all prompt sizes.
 * @param higher rates of prompts with more than `above` tokens.
 */
export function usdPerMillion(
  read: PriceSource,
  first: UsdRates,
  ...higher: readonly { readonly above: number; readonly rates: UsdRates }[]
): Price {
  return {
    tiers: [
      { above: 0, rates: inNano(first) },
      ...higher.map((tier) => ({ above: tier.above, rates: inNano(tier.rates) })),
    ],
    source: read.source,
    as_of: read.as_of,
  };
}

/** Returns a price with factors for non-standard service, by fact and value. */
export function withFactors(price: Price, factors: NonNullable<Price["factors"]>): Price {
  return { ...price, factors };
}

/** Returns a price that is valid until a day, on which `next` starts. */
export function getEndingOn(until: string, price: Price, next: Price): Price {
  return { ...price, until, next };
}

const NANO_PER_USD = 1_000_000_000;

function inNano(rates: UsdRates): UsdRates {
  return Object.fromEntries(Object.entries(rates).map(([unit, usd]) => [unit, Math.round(usd * NANO_PER_USD)]));
}

/** How the data files write a video model down. */
export const createVideoEntry = (
  id: string,
  name: string,
  released: string,
  video: VideoRules,
  price: Price,
  more: Pick<Entry, "upstreamId" | "aliases"> = {},
): Entry => ({ id, name, released, context: null, output: null, capabilities: ["video"], video, price, ...more });
