import type { PriceChange } from "../../contract/price-list.ts";
import { changedRates, isUnusual } from "../../core/price-lists/changed-rates.ts";
import { findPriceOnDay } from "../../core/money/price.ts";
import type { StoredPriceList } from "../../store/price-list-files.ts";
import { priceAtSeller } from "./price-at.ts";
import { findPrices } from "./price-list.ts";
import { getSpec } from "./served-by.ts";

/**
 * Returns the prices that another list would change, with the catalog as the fallback of both. Custom prices override
 * all of them and are not compared.
 * @param hosts that connections lead to
 * @param day `YYYY-MM-DD`
 */
export function priceListChanges(
  accepted: StoredPriceList | null,
  offered: StoredPriceList,
  hosts: ReadonlySet<string>,
  day: string,
): PriceChange[] {
  const before = accepted === null ? null : findPrices(accepted);
  const after = findPrices(offered);
  const changes: PriceChange[] = [];
  for (const host of new Set([...offered.hosts.keys(), ...(accepted?.hosts.keys() ?? [])])) {
    const lists = [offered.hosts.get(host), accepted?.hosts.get(host)];
    for (const model of new Set(lists.flatMap((models) => [...(models?.keys() ?? [])]))) {
      const spec = getSpec(model);
      // A dated name of a model that is also listed by its undated name.
      if (spec !== undefined && spec.id !== model && lists.some((models) => models?.has(spec.id) === true)) continue;
      const old = findPriceOnDay(priceAtSeller({ id: model, spec }, host, before), day);
      const next = findPriceOnDay(priceAtSeller({ id: model, spec }, host, after), day);
      const rates = changedRates(old, next);
      if (rates.length === 0) continue;
      const kind = old === null ? "added" : next === null ? "removed" : "changed";
      changes.push({ host, model, kind, connected: hosts.has(host), unusual: rates.some(isUnusual), rates });
    }
  }
  return changes.toSorted(inOrder);
}

function inOrder(one: PriceChange, other: PriceChange): number {
  if (one.unusual !== other.unusual) return one.unusual ? -1 : 1;
  if (one.connected !== other.connected) return one.connected ? -1 : 1;
  return one.host.localeCompare(other.host) || one.model.localeCompare(other.model);
}
