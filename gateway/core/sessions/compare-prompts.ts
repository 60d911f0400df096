import type { PromptPrefix } from "../../contract/prompt-prefix.ts";
import type { ReceiptTerm } from "../../contract/receipt.ts";
import { unitSides } from "../../contract/units.ts";
import type { Price } from "../models/model.ts";
import { findTier } from "../money/price.ts";
import type { PromptDigest } from "./prompt-digest.ts";

/** A prompt as it was sent. */
export interface SentPrompt {
  /** Id of its request. */
  readonly id: string;
  /** When it was sent, Unix milliseconds. */
  readonly at: number;
  readonly model: string;
  /** Owner of the cache: connection and credential. */
  readonly provider: string;
  readonly digest: PromptDigest;
  /** Input tokens that the provider counted, and how many of them it read from its cache. */
  readonly tokens: number;
  readonly cached: number;
}

export type Difference = Pick<PromptPrefix, "changed" | "of" | "kept" | "message">;

/** Compares two prompts in the order in which a provider reads them. */
export function comparePrompts(earlier: SentPrompt, { digest: now, model, provider }: SentPrompt): Difference {
  const before = earlier.digest;
  const changed: PromptPrefix["changed"] = [];
  if (earlier.model !== model) changed.push("model");
  if (earlier.provider !== provider) changed.push("provider");
  for (const part of ["settings", "tools", "system"] as const) if (before[part] !== now[part]) changed.push(part);
  const of = before.messages.length;
  let kept = 0;
  while (kept < of && before.messages[kept] === now.messages[kept]) kept += 1;
  if (kept === of) return { changed, of, kept };
  const next = now.messages[kept];
  const isRemoved = next === undefined || before.messages.includes(next, kept + 1);
  return { changed, of, kept, message: isRemoved ? "removed" : "changed" };
}

/**
 * Chooses the earlier prompt that a provider has most of: by a prefix, not by similarity.
 * @returns null without one that was sent before
 */
export function chooseEarlier(
  earlier: readonly SentPrompt[],
  prompt: SentPrompt,
): { readonly sent: SentPrompt; readonly difference: Difference } | null {
  let best: { readonly sent: SentPrompt; readonly difference: Difference } | null = null;
  for (const sent of earlier) {
    if (sent.at > prompt.at) continue;
    const difference = comparePrompts(sent, prompt);
    const fewer = best === null ? -1 : difference.changed.length - best.difference.changed.length;
    if (fewer < 0 || (fewer === 0 && difference.kept >= (best?.difference.kept ?? 0))) best = { sent, difference };
  }
  return best;
}

/** Caches are read in steps, and end before the last tokens: fewer are no miss. Also a twentieth of a long prompt. */
const STEP = 1_024;
const SHARE = 0.05;

/** Returns the tokens of the earlier prompt that were not read from the cache. */
export function countMissed(earlier: SentPrompt, { tokens, cached }: SentPrompt): number {
  const repeatable = Math.min(earlier.tokens, tokens);
  const missed = repeatable - cached;
  return missed < Math.max(STEP, repeatable * SHARE) ? 0 : missed;
}

/** Order in which tokens that were not read from the cache stand in a prompt: what is written to it comes first. */
const UNCACHED = ["cache_write_1h", "cache_write", "input"] as const;

/**
 * Prices tokens that were read again, by the receipt's own rates.
 * @param price names the rate of reads where the receipt has none
 * @returns what they cost more than cache reads, nano USD; null without both rates
 */
export function priceMissed(missed: number, terms: readonly ReceiptTerm[], price: Price | null): number | null {
  const read = terms.find(({ unit }) => unit === "cached_input")?.nano_per_million ?? findReadRate(terms, price);
  if (read === undefined) return null;
  let [left, nano] = [missed, 0];
  for (const unit of UNCACHED) {
    for (const term of terms) {
      if (term.unit !== unit) continue;
      const quantity = Math.min(left, term.quantity);
      nano += (quantity * (term.nano_per_million - read)) / 1_000_000;
      left -= quantity;
    }
  }
  return left > 0 ? null : Math.max(0, Math.round(nano));
}

function findReadRate(terms: readonly ReceiptTerm[], price: Price | null): number | undefined {
  return price === null ? undefined : findTier(price, sumInput(terms)).rates.cached_input;
}

/** Sums up the input tokens of a receipt. */
export function sumInput(terms: readonly ReceiptTerm[]): number {
  let tokens = 0;
  for (const { unit, quantity } of terms) if (unitSides[unit] === "input") tokens += quantity;
  return tokens;
}
