import type { RouteEffect } from "../../../gateway/contract/route-operations.ts";
import { formatCount, formatMoney } from "../../lib/format.ts";
import type { Messages } from "../../locales/messages.ts";

/** Requests that would have gone to one other model. */
export interface MovedTo {
  readonly to: string;
  readonly requests: number;
  /** 10⁻⁹ USD that they would have cost more; less below zero. Null: one of them has no known price. */
  readonly more: number | null;
}

/** Groups the moved requests by their new model, the largest group first. */
export function movedTo({ moved }: Pick<RouteEffect, "moved">): readonly MovedTo[] {
  const groups = Map.groupBy(moved, ({ to }) => to);
  return [...groups]
    .map(([to, members]) => ({
      to,
      requests: members.reduce((sum, { requests }) => sum + requests, 0),
      more: members.reduce<number | null>(
        (sum, { nano, would_be_nano: wouldBe }) =>
          sum === null || nano === null || wouldBe === null ? null : sum + wouldBe - nano,
        0,
      ),
    }))
    .toSorted((a, b) => b.requests - a.requests);
}

/**
 * Formats the effect as a sentence: "Of the last 1,000 requests: 312 would have gone to claude-haiku-4-5, $4.10 less".
 * Null without requests.
 */
export function formatEffectInWords(effect: RouteEffect, t: Messages): string | null {
  if (effect.looked_at === 0) return null;
  const words = t.routes.effect;
  const groups = movedTo(effect);
  const parts = groups.map(({ to, requests, more }) => words.goes(formatCount(requests), to, getDifference(more, t)));
  return words.of(formatCount(effect.looked_at), parts.length === 0 ? words.none : parts.join(words.and));
}

function getDifference(more: number | null, t: Messages): string {
  const words = t.routes.effect;
  if (more === null) return t.money.unpriced;
  if (more === 0) return words.same;
  return more < 0 ? words.less(formatMoney(-more)) : words.more(formatMoney(more));
}
