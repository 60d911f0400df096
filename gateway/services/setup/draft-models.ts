import { findModel } from "../../catalog/lookup.ts";
import type { OwnRates } from "../../contract/model-view.ts";
import type { SetRoute } from "../../contract/routes.ts";
import type { Setup, SetupPrice } from "../../contract/setup.ts";
import { GatewayError } from "../../core/errors.ts";
import { ratesFromUsd } from "../../core/money/usd-rates.ts";
import { getSlug } from "../../core/models/model-id.ts";
import { same } from "../../core/setup/same.ts";
import type { Clock } from "../../lib/clock.ts";
import { redact } from "../../lib/redact.ts";
import type { Document } from "../../store/document.ts";
import { runtimeConnection } from "../connections/connection-record.ts";
import type { Connection } from "../connections/connection.ts";
import { Connections } from "../connections/connections.ts";
import { ModelIndex } from "../models/model-index.ts";
import type { KnownModel, KnownModels } from "../models/public-id.ts";
import { newAlias, newPrice } from "../models/new-own.ts";
import { newRoute } from "../routes/new-route.ts";
import type { AppSettings } from "../settings.ts";
import type { Conflicts } from "./conflicts.ts";
import type { DocumentDraft } from "./draft.ts";
import type { DraftWish } from "./draft-wish.ts";
import { setupRoute } from "./setup-of.ts";

export interface DraftModelsDeps {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly settings: Pick<AppSettings, "readSetting" | "allowedTargets">;
  /** The models that are served now. */
  readonly index: Pick<ModelIndex, "findId">;
}

const KEY_ID = /^key_/;

/**
 * Drafts aliases, prices and routes.
 * @param wish if partial, models must be served by the draft's connections as far as known. Else the set-up's models
 * are trusted, because a new folder may not have any model list yet.
 */
export async function draftModels(
  requested: Setup,
  draft: DocumentDraft,
  deps: DraftModelsDeps,
  conflicts: Conflicts,
  from: number,
  { partial: strict, takeOver = [] }: DraftWish,
): Promise<void> {
  const { aliases = {}, routes = [], prices = {} } = requested;
  const { document } = draft;
  const index = strict ? servedIndex(draft, deps) : createModelIndex(requested, draft);
  let now = from;
  for (const [name, model] of Object.entries(aliases))
    await conflicts.gather("alias", name, () => {
      const { changes } = newAlias(name, model, { index, document, now: now++ });
      putAll(changes, draft);
    });
  // A chain may have been accepted before one of its models got an alias.
  const routeIndex = strict ? index : { ...createModelIndex(requested, draft, true), getTarget: () => undefined };
  for (const route of routes)
    await conflicts.gather("route", route.name, () => {
      conflicts.once("route", route.name, route.name);
      const before = document.routes.get(route.name);
      const serving = strict && before === undefined ? findServing(deps.index, route.name) : undefined;
      if (serving !== undefined && takeOver?.includes(route.name) !== true) {
        const how = takeOver === null ? "A link takes over no name." : "It may be taken over where that is meant.";
        const message = `"${serving.name}" serves this name now, and stays. ${how}`;
        conflicts.all.push({
          kind: "route",
          name: route.name,
          message,
          ...(takeOver !== null && { takes_over: route.models }),
        });
        return;
      }
      const record = newRoute(withKeyIds(route, document.keys), { document, index: routeIndex, now: now++ });
      const { keys } = document;
      if (before === undefined || !same(setupRoute(before, keys), setupRoute(record, keys)))
        draft.put("routes", record);
    });
  // A file refers to models by id, even if an alias has that name.
  const byId = { find: index.findPriced, findId: index.findId, getTarget: () => undefined };
  for (const [model, rates] of Object.entries(prices))
    await conflicts.gather("price", model, () => {
      const { id, changes } = newPrice(model, nanoRates(rates), { index: byId, document, now });
      const before = document.prices.get(id);
      if (before === undefined || changes.length > 1 || !same(before.rates, nanoRates(rates))) putAll(changes, draft);
    });
}

/** The models that names, prices and routes are held against. */
interface DraftIndex extends KnownModels {
  /** Finds a model as prices are checked: by its capabilities. */
  readonly findPriced: KnownModels["find"];
}

/** The connections of a draft, as they would run. */
export function runtimeConnections(draft: DocumentDraft): readonly Connection[] {
  const { connections, discoveries } = draft.document;
  return [...connections.values()].map((record) => runtimeConnection(record, draft, discoveries));
}

/** Indexes the models that would be served, as far as is known without a call to a provider. */
function servedIndex(draft: DocumentDraft, { clock, connections, settings }: DraftModelsDeps): DraftIndex {
  const { document } = draft;
  const others = connections.all().filter(({ from }) => from === "environment" || from === "sandbox");
  const all = new Connections([...runtimeConnections(draft), ...others]);
  const isSandboxActive = (): boolean => {
    const mode = settings.readSetting(document.settings.get("settings"), "sandbox");
    return mode === "on" || (mode === "auto" && all.real().length === 0);
  };
  const index = new ModelIndex(all, isSandboxActive, clock, () => document);
  const findId = (name: string) => index.findId(name);
  return {
    find: (name) => index.find(name),
    findId,
    findPriced: findId,
    getTarget: (name) => findTarget(document, name),
  };
}

/** A route whose chain contains its own name implies a model of that name, and so does `route_models`. */
function createModelIndex(
  { routes = [], route_models: named = [] }: Setup,
  { document }: DocumentDraft,
  byConnection = false,
): DraftIndex {
  const own = [...routes, ...[...document.routes.values()].map((route) => ({ ...route, name: route.id }))]
    .filter(({ name, models, rules = [] }) => [models, ...rules.map((rule) => rule.models)].flat().includes(name))
    .map(({ name }) => name);
  const ownNames = new Set([...own, ...named]);
  const fronts = byConnection ? [...document.connections.values()].map(({ name }) => getSlug(name)) : [];
  const isNamed = (name: string): boolean =>
    ownNames.has(name) || fronts.some((front) => getSlug(name.slice(0, name.indexOf("/"))) === front);
  const findId = (name: string): KnownModel | undefined => (isNamed(name) ? knownModel(name) : undefined);
  return {
    find: findId,
    findId,
    findPriced: (name) => (findModel(name) === undefined ? undefined : knownModel(name)),
    getTarget: (name) => findTarget(document, name),
  };
}

/** Returns the connection that serves a name now; all others take precedence over the sandbox. */
function findServing(index: Pick<ModelIndex, "findId">, name: string): Connection | undefined {
  return index.findId(name)?.candidates.find(({ connection }) => connection.from !== "sandbox")?.connection;
}

/** Builds a model from catalog data only. */
const knownModel = (id: string): KnownModel => ({ id, capabilities: findModel(id)?.capabilities ?? [] });

const findTarget = ({ aliases }: Pick<Document, "aliases">, name: string): string | undefined =>
  aliases.get(name)?.model;

function putAll(changes: ReturnType<typeof newAlias>["changes"], draft: DocumentDraft): void {
  for (const change of changes) {
    if (change.in !== "aliases" && change.in !== "prices") throw new Error("a rule changed what is none of its own");
    if (change.op === "delete") draft.delete(change.in, change.id);
    else draft.put(change.in, change.record);
  }
}

/** A route whose conditions name keys by their ids. */
function withKeyIds(route: SetRoute, keys: Document["keys"]): SetRoute {
  const { rules } = route;
  if (rules === undefined) return route;
  return {
    ...route,
    rules: rules.map((rule) => {
      const { keys: names } = rule.when;
      return names === undefined
        ? rule
        : { ...rule, when: { ...rule.when, keys: names.map((name) => keyId(name, keys)) } };
    }),
  };
}

/** @throws GatewayError if no key or several keys match */
function keyId(name: string, keys: Document["keys"]): string {
  const all = [...keys.values()];
  const hashed = all.find(({ hash }) => hash === name);
  if (hashed !== undefined) return hashed.id;
  const [first, second] = all.filter((key) => key.name === name);
  // A revoked key is identified by id only, and applies to no client.
  if (first === undefined && KEY_ID.test(name)) return name;
  if (first !== undefined && second === undefined) return first.id;
  const problem = first === undefined ? "There is no key" : "Several keys have the name";
  throw new GatewayError("invalid_value", `${problem} "${redact(name)}", which a rule of this route names.`);
}

/** @throws GatewayError for figures that cannot be counted */
function nanoRates(price: SetupPrice): OwnRates {
  const rates = ratesFromUsd(price);
  if (rates !== null) return rates;
  throw new GatewayError(
    "invalid_value",
    "The price must have a figure for at least one kind of unit, and none too large.",
  );
}
