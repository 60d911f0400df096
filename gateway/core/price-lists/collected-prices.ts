import type { UnitClass } from "../../contract/receipt.ts";
import type { PriceTier } from "../models/model.ts";

/** A listed price of a model: ascending by `above`, the first from 0 on. */
export type ListedTiers = readonly PriceTier[];

/** Prices by the host that sells at them, and there by the id that it has for the model. */
export type HostPrices = ReadonlyMap<string, ReadonlyMap<string, ListedTiers>>;

/**
 * @param provider its name in the list
 * @param told its API host, if the list has one
 * @returns the host with these prices; null if unknown
 */
export type HostOf = (provider: string, host: string | null) => string | null;

/** More than the largest lists have. */
const MOST_MODELS = 20_000;
const LONGEST_ID = 200;
const MOST_TIERS = 8;

/** Prices of a list while it is read. A model with two different prices gets no price. */
export class CollectedPrices {
  readonly #hosts = new Map<string, Map<string, ListedTiers | null>>();
  #models = 0;

  add(host: string, id: string, tiers: ListedTiers): void {
    if (id === "" || id.length > LONGEST_ID || tiers.length > MOST_TIERS || this.#models >= MOST_MODELS) return;
    const models = this.#hosts.get(host) ?? new Map<string, ListedTiers | null>();
    this.#hosts.set(host, models);
    const known = models.get(id);
    if (known === undefined) this.#models += 1;
    models.set(id, known === undefined || (known !== null && isSame(known, tiers)) ? tiers : null);
  }

  all(): HostPrices {
    const hosts = new Map<string, ReadonlyMap<string, ListedTiers>>();
    for (const [host, models] of this.#hosts) {
      const certain = [...models].filter((entry): entry is [string, ListedTiers] => entry[1] !== null);
      if (certain.length > 0) hosts.set(host, new Map(certain));
    }
    return hosts;
  }
}

function isSame(one: ListedTiers, other: ListedTiers): boolean {
  return (
    one.length === other.length &&
    one.every(({ above, rates }, index) => {
      const tier = other[index];
      const units = Object.keys({ ...rates, ...tier?.rates }) as UnitClass[];
      return tier?.above === above && units.every((unit) => rates[unit] === tier.rates[unit]);
    })
  );
}

/**
 * Returns the tiers of a model by the prompt sizes above which they hold; null if the list has no price for it. A price
 * of 0 for input and output counts as missing: lists write it for unknown prices and monthly plans.
 */
export function getTiers(above: ReadonlyMap<number, PriceTier["rates"]>): ListedTiers | null {
  const base = above.get(0);
  if (base?.input === undefined) return null;
  const tiers = [...above].toSorted(([one], [other]) => one - other).map(([from, rates]) => ({ above: from, rates }));
  if (tiers.every(({ rates }) => (rates.input ?? 0) === 0 && (rates.output ?? 0) === 0)) return null;
  return tiers.map((tier) => ({ above: tier.above, rates: { ...selectRates(base), ...tier.rates } }));
}

/** Returns the rates that longer prompts keep if a list names no others. Caches and audio may cost more. */
function selectRates({ input, output, request }: PriceTier["rates"]): PriceTier["rates"] {
  return {
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(request === undefined ? {} : { request }),
  };
}
