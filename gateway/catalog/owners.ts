import type { ModelSpec, Price } from "../core/models/model.ts";
import { multiplyPrice } from "../core/money/price.ts";
import type { ModelOwner } from "../providers/profile.ts";
import { providers } from "../providers/registry.ts";
import type { Provider } from "../providers/provider.ts";

const all: readonly Provider[] = Object.values(providers);

/** Owners whose models the catalog may contain, by id. */
export const OWNERS: ReadonlyMap<string, ModelOwner> = new Map(
  all.flatMap(({ owners, guests = [] }) => [...owners, ...guests].map((owner) => [owner.id, owner])),
);

/**
 * Returns a model's price at its owner's own hosts, derived from the usual host's price.
 * @param usual null: unpriced.
 * @returns null for another host, whose prices are unknown.
 */
export function priceAtHost(spec: ModelSpec, hostname: string, usual: Price | null): Price | null {
  const owner = OWNERS.get(spec.owner);
  if (usual === null || owner === undefined) return null;
  if (owner.hosts.includes(hostname)) return usual;
  const { regions } = owner;
  if (regions?.host.test(hostname) !== true) return null;
  return spec.created < regions.since ? usual : multiplyPrice(usual, regions.factor, `at ${hostname}`);
}
