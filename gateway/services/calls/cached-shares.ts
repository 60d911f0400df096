import type { Billed, Units } from "../../core/models/model.ts";
import { inputTokens, listUsages } from "../../core/money/price.ts";
import type { Identity } from "../../core/sessions/identity.ts";
import { BoundedMap } from "../../lib/bounded-map.ts";

/** Conversations that are remembered; an older one is estimated at the uncached rate. */
const MAX_CONVERSATIONS = 1_000;

/**
 * Cached share of the last prompt of each conversation. The next prompt repeats the last one, so an estimate for an
 * unseen response uses the same share.
 */
export class CachedShares {
  readonly #shares = new BoundedMap<string, number>(MAX_CONVERSATIONS);

  /** Stores the cached share of a prompt whose usage the provider reported. */
  keep(identity: Identity, model: string, billed: Billed): void {
    if (identity.session === null) return;
    const [first] = listUsages(billed);
    const tokens = first === undefined ? 0 : inputTokens(first.units);
    if (tokens > 0) this.#shares.set(nameConversation(identity, model), (first?.units.cached_input ?? 0) / tokens);
  }

  /** The estimate of a prompt with the share that the last one of its conversation had. */
  apply(identity: Identity, model: string, estimate: Billed): Billed {
    const share = identity.session === null ? undefined : this.#shares.get(nameConversation(identity, model));
    if (share === undefined || share === 0 || Array.isArray(estimate)) return estimate;
    const { input = 0, ...rest } = estimate as Units;
    const cached = Math.floor(input * share);
    return cached === 0 ? estimate : { ...rest, input: input - cached, cached_input: cached };
  }
}

const nameConversation = ({ session, agent }: Identity, model: string): string => `${session} ${agent ?? ""} ${model}`;
