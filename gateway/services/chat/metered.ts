import type { Document } from "../../codecs/translation.ts";
import { mediaIn, withoutAudio } from "../../core/chat/prompt-media.ts";
import { estimatePromptTokens } from "../../core/money/prompt-tokens.ts";
import type { Price, PriceFacts, Units } from "../../core/models/model.ts";

/** What an answer used. */
export interface CountedUnits {
  readonly units: Units;
  /** The provider reported no usage, or not all that its price hangs on: that was counted here. */
  readonly estimated: boolean;
  /** How it was served; undefined: as usual. */
  readonly served: PriceFacts | undefined;
}

/**
 * What is billed where a price distinguishes what usage did not tell apart. Audio that costs something else than words is
 * what is left of the prompt when its words are counted here; media whose number no usage tells leave the call unpriced.
 * Only such prices need a look at the prompt.
 * @param body the request as it was sent.
 */
export function metered(price: Price | null, body: Document, counted: CountedUnits): CountedUnits {
  const { units, served } = counted;
  const rates = price?.tiers[0]?.rates;
  const hasUntold =
    rates?.audio_input !== undefined && rates.audio_input !== rates.input && units.audio_input === undefined;
  if (!hasUntold && price?.unmetered === undefined) return counted;
  const media = mediaIn(body);
  const unknown = price?.unmetered?.find((medium) => media.has(medium));
  if (unknown !== undefined) return { ...counted, served: { ...served, prompt: unknown } };
  if (!hasUntold || !media.has("audio")) return counted;
  const input = units.input ?? 0;
  const words = Math.min(input, estimatePromptTokens(withoutAudio(body)));
  return { units: { ...units, input: words, audio_input: input - words }, estimated: true, served };
}
