import { findModel } from "../../catalog/lookup.ts";
import type { SetRoute } from "../../contract/routes.ts";
import type { Setup } from "../../contract/setup.ts";
import type { SetupKind } from "../../contract/setup-operations.ts";
import { getSlug } from "../../core/models/model-id.ts";
import { Connections } from "../connections/connections.ts";
import { ModelIndex } from "../models/model-index.ts";
import type { Conflicts } from "./conflicts.ts";
import type { DocumentDraft } from "./draft.ts";
import { runtimeConnections } from "./draft-models.ts";
import type { DraftModelsDeps } from "./draft-models.ts";

/**
 * Removes models of the set-up's connections that were refused: such a name would lead nowhere, and could hide a
 * working model. A key is dropped rather than widened.
 * @param brought names of all connections of the set-up
 */
export function leaveOutLost(
  setup: Setup,
  brought: readonly string[],
  draft: DocumentDraft,
  deps: DraftModelsDeps,
  conflicts: Conflicts,
): Setup {
  const others = deps.connections.all().filter(({ from }) => from === "environment");
  const here = new Set([...draft.document.connections.values(), ...others].map(({ name }) => getSlug(name)));
  const missing = brought.filter((name) => !here.has(getSlug(name)));
  if (missing.length === 0) return setup;
  const fronts = new Set(missing.map(getSlug));
  const index = new ModelIndex(new Connections([...runtimeConnections(draft), ...others]), () => false, deps.clock);
  const isLost = (model: string): boolean => {
    const isOfMissing = fronts.has(getSlug(model.slice(0, model.indexOf("/"))));
    return (isOfMissing || findModel(model) !== undefined) && index.findId(model) === undefined;
  };
  const lostOf = new Map<string, { readonly kind: SetupKind; readonly name: string; readonly lost: Set<string> }>();
  /** Returns the remaining models; null if none of them remains. */
  const keep = (models: readonly string[], kind: SetupKind, name: string): string[] | null => {
    const lost = models.filter(isLost);
    if (lost.length === 0) return [...models];
    const before = lostOf.get(`${kind} ${name}`)?.lost ?? [];
    lostOf.set(`${kind} ${name}`, { kind, name, lost: new Set([...before, ...lost]) });
    return lost.length === models.length ? null : models.filter((model) => !lost.includes(model));
  };
  const keys = setup.keys?.flatMap((key) => {
    const models = keep(key.models ?? [], "key", key.name);
    return models === null ? [] : [{ ...key, ...(key.models != null && { models }) }];
  });
  const isGoneKey = (name: string): boolean =>
    keys?.some((key) => key.name === name || key.sha256 === name) === false &&
    setup.keys?.some((key) => key.name === name || key.sha256 === name) === true;
  const routes = setup.routes?.flatMap((route): SetRoute[] => {
    const models = keep(route.models, "route", route.name);
    const rules = route.rules?.flatMap((rule) => {
      const left = keep(rule.models, "route", route.name);
      const names = rule.when.keys?.filter((name) => !isGoneKey(name));
      if (left === null || names?.length === 0) return [];
      return [{ ...rule, models: left, when: { ...rule.when, ...(names !== undefined && { keys: names }) } }];
    });
    return models === null ? [] : [{ ...route, models, ...(rules !== undefined && { rules }) }];
  });
  const named = <Value>(
    record: Readonly<Record<string, Value>> = {},
    kind: SetupKind,
    of: (entry: [string, Value]) => string,
  ) => Object.fromEntries(Object.entries(record).filter((entry) => keep([of(entry)], kind, entry[0]) !== null));
  const left = {
    ...setup,
    ...(keys !== undefined && { keys }),
    ...(routes !== undefined && { routes }),
    ...(setup.aliases !== undefined && { aliases: named(setup.aliases, "alias", ([, model]) => model) }),
    ...(setup.prices !== undefined && { prices: named(setup.prices, "price", ([model]) => model) }),
  };
  for (const { kind, name, lost } of lostOf.values()) {
    const connections = missing.map((one) => `"${one}"`).join(", ");
    const message = `${[...lost].join(", ")}: left out with ${connections}, which is not connected.`;
    conflicts.all.push({ kind, name, message });
  }
  return left;
}
