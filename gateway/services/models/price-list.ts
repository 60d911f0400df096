import type { Price } from "../../core/models/model.ts";
import { utcDay } from "../../lib/clock.ts";
import type { StoredPriceList } from "../../store/price-list-files.ts";

/** Prices of a list, by host. */
export interface PriceList {
  /** Finds a model's price at a host by the first of its names in the list; null if none exists. */
  find(hostname: string, names: readonly string[]): Price | null;
}

/** Reads a stored list as prices whose source is its URL and fetch time. */
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
