import { getSlug } from "../models/model-id.ts";
import type { Known } from "./known.ts";

/** Routes are called by letters, digits and a few signs. */
const OTHER_SIGNS = /[^A-Za-z0-9._:/@-]+/g;
const LONGEST_NAME = 100;
const LONGEST_ID = 200;
/** How many models a chain of a route may have. */
export const LONGEST_CHAIN = 10;
/** How deep chains of chains are followed; LiteLLM's `max_fallbacks`. */
const DEEPEST = 5;

/** Returns a valid name for a route or an alias; null if nothing of the text is usable. */
export function routeName(text: string): string | null {
  const name = text.trim().replace(OTHER_SIGNS, "-").slice(0, LONGEST_NAME);
  return /[A-Za-z0-9]/.test(name) && name !== "__proto__" ? name : null;
}

/** Returns unique models, at most the max of a chain. */
export function readChain(models: readonly string[]): readonly string[] {
  return [...new Set(models)].filter((id) => id.length > 0 && id.length <= LONGEST_ID).slice(0, LONGEST_CHAIN);
}

/**
 * Resolves a name to a chain if names may refer to names. Each is followed once, and no more than needed, because
 * references may be many or circular.
 * @param step returns a name's models and the names to follow after them
 */
export function followChain(
  name: string,
  step: (name: string) => { readonly models: readonly string[]; readonly next: readonly string[] },
): readonly string[] {
  const seen = new Set<string>();
  const found = new Set<string>();
  const left = [{ name, depth: 0 }];
  for (let next = left.pop(); next !== undefined && found.size < LONGEST_CHAIN; next = left.pop()) {
    const { depth } = next;
    if (seen.has(next.name) || depth > DEEPEST) continue;
    seen.add(next.name);
    const { models, next: names } = step(next.name);
    for (const model of readChain(models)) found.add(model);
    for (const further of names.toReversed()) left.push({ name: further, depth: depth + 1 });
  }
  return readChain([...found]);
}

/** A connection of a set-up, as far as its model names depend on it. */
export interface Seller {
  readonly name: string;
  /** Id of the provider. */
  readonly provider: string;
  /** It leads elsewhere than to the provider itself. */
  readonly base_url?: string | undefined;
}

/**
 * Returns the name by which exactly one connection's model is called: the model's own name if it is the only connection
 * to that model's provider; else prefixed with the connection's name.
 */
export function getModel(
  seller: Seller,
  model: string,
  all: readonly Seller[],
  known: Pick<Known, "ownModel">,
): string {
  const alone = all.every((other) => other === seller || other.provider !== seller.provider);
  const own = alone && seller.base_url === undefined ? known.ownModel(seller.provider, model) : null;
  return own ?? `${getSlug(seller.name)}/${model}`;
}
