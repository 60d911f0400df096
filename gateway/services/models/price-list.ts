import type { Price } from "../../core/models/model.ts";
import { utcDay } from "../../lib/clock.ts";
import type { StoredPriceList } from "../../store/price-list-files.ts";

/** The prices of a list, by the hosts that it speaks of. */
export interface PriceList {
  /** The price of a model at a host by the first of its names that the list has; null where it has none. */
  find(hostname: string, names: readonly string[]): Price | null;
}

/** A list that is kept, as prices whose source is where and when it was fetched. */
export function findPrices({ url, fetched_at, hosts }: StoredPriceList): PriceList {
  const { host, pathname } = new URL(url);
  const origin = { source: `${host}${pathname}`, as_of: utcDay(fetched_at) };
  return {
    find(hostname, names) {
      const models = hosts.get(hostname);
      for (const name of models === undefined ? [] : names) {
        const tiers = models?.get(name);
        if (tiers !== undefined) return { tiers, ...origin };
      }
      return null;
    },
  };
}
