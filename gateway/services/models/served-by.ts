import { allModels, findModel } from "../../catalog/lookup.ts";
import type { DiscoveredModel } from "../../core/models/discovered-model.ts";
import type { ModelSpec } from "../../core/models/model.ts";
import { vendors } from "../../vendors/registry.ts";
import type { Vendor } from "../../vendors/vendor.ts";
import type { Connection } from "../connections/connection.ts";

/** A model as a connection has it. */
export interface Served {
  readonly id: string;
  readonly spec: ModelSpec | undefined;
  readonly discovered: DiscoveredModel | null;
}

/** A vendor serves its own models of the catalog and what its list adds; a compatible server what it lists. */
export function servedBy(connection: Connection): readonly Served[] {
  const { vendor } = connection;
  if (connection.from === "sandbox")
    return allModels()
      .filter((spec) => vendorOf(spec) === vendor && spec.retired === undefined)
      .map(fromCatalog);
  const discovered = (connection.discovered ?? []).map((model) => ({
    id: model.id,
    spec: specOf(model.id),
    discovered: model,
  }));
  if (vendor.owners.length === 0) return discovered;
  const own = allModels().filter((spec) => vendor.owners.includes(spec.owner) && !isGone(spec, discovered));
  const known = new Set(own.flatMap((spec) => [spec.id, spec.upstreamId ?? spec.id, ...spec.aliases]));
  return [...own.map(fromCatalog), ...discovered.filter((model) => !known.has(model.id))];
}

/** A retired model is served only while the vendor's own list still has it. */
function isGone(spec: ModelSpec, discovered: readonly Served[]): boolean {
  return spec.retired !== undefined && !discovered.some((model) => model.spec === spec);
}

function fromCatalog(spec: ModelSpec): Served {
  return { id: spec.id, spec, discovered: null };
}

/** The protocol by which a model of the catalog is reached at its owner. */
export function vendorOf(spec: ModelSpec): Vendor {
  return Object.values(vendors).find(({ owners }) => owners.includes(spec.owner)) ?? vendors["openai-compatible"];
}

/** Whether the connection is to the model's owner, who knows it by its upstream id. */
export function owns({ vendor }: Connection, { spec }: Served): boolean {
  return spec !== undefined && vendor.owners.includes(spec.owner);
}

/** What the catalog knows of an id, with or without the name of its owner in front. */
export function specOf(id: string): ModelSpec | undefined {
  return findModel(id) ?? (id.includes("/") ? findModel(id.slice(id.lastIndexOf("/") + 1)) : undefined);
}
