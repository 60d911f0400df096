import type { OwnRates, OwnUnit } from "../../contract/model-view.ts";
import { ownRatesSchema } from "../../contract/model-view.ts";
import type { SetRoute } from "../../contract/routes.ts";
import type { Setup, SetupPrice } from "../../contract/setup.ts";
import { GatewayError } from "../../core/errors.ts";
import { same } from "../../core/setup/same.ts";
import type { Clock } from "../../lib/clock.ts";
import { NANO_PER_USD } from "../../lib/money.ts";
import { redact } from "../../lib/redact.ts";
import type { Document } from "../../store/document.ts";
import { runtimeConnection } from "../connections/connection-record.ts";
import { Connections } from "../connections/connections.ts";
import { ModelIndex } from "../models/model-index.ts";
import { newAlias, newPrice } from "../models/new-own.ts";
import { newRoute } from "../routes/new-route.ts";
import type { AppSettings } from "../settings.ts";
import type { Conflicts } from "./conflicts.ts";
import type { Draft } from "./draft.ts";
import { millions, setupRoute } from "./setup-of.ts";

export interface DraftModelsDeps {
  readonly clock: Clock;
  readonly connections: Connections;
  readonly settings: Pick<AppSettings, "getIn">;
}

const KEY_ID = /^key_/;

/** Drafts names, prices and routes of models, among the models that the draft's connections serve. */
export async function draftModels(
  { aliases = {}, routes = [], prices = {} }: Setup,
  draft: Draft,
  deps: DraftModelsDeps,
  conflicts: Conflicts,
  from: number,
): Promise<void> {
  const { document } = draft;
  const index = draftIndex(draft, deps);
  let now = from;
  for (const [name, model] of Object.entries(aliases))
    await conflicts.gather("alias", name, () => {
      const { changes } = newAlias(name, model, { index, document, now: now++ });
      putAll(changes, draft);
    });
  index.invalidate();
  for (const route of routes)
    await conflicts.gather("route", route.name, () => {
      conflicts.once("route", route.name, route.name);
      const before = document.routes.get(route.name);
      const record = newRoute(withKeyIds(route, document.keys), { document, index, now: now++ });
      const { keys } = document;
      if (before === undefined || !same(setupRoute(before, keys), setupRoute(record, keys)))
        draft.put("routes", record);
    });
  // A file says by its id which model it means, also where an alias has that name.
  const byId = { find: (name: string) => index.findId(name), findId: byIdOnly(index), targetOf: () => undefined };
  for (const [model, rates] of Object.entries(prices))
    await conflicts.gather("price", model, () => {
      const { id, changes } = newPrice(model, nanoRates(rates), { index: byId, document, now });
      const before = document.prices.get(id);
      if (before === undefined || changes.length > 1 || !same(before.rates, nanoRates(rates))) putAll(changes, draft);
    });
}

const byIdOnly =
  (index: ModelIndex): ModelIndex["findId"] =>
  (id) =>
    index.findId(id);

function putAll(changes: ReturnType<typeof newAlias>["changes"], draft: Draft): void {
  for (const change of changes) {
    if (change.in !== "aliases" && change.in !== "prices") throw new Error("a rule changed what is none of its own");
    if (change.op === "delete") draft.delete(change.in, change.id);
    else draft.put(change.in, change.record);
  }
}

/** The models that would be served, as far as is known before anybody is asked. */
function draftIndex(draft: Draft, { clock, connections, settings }: DraftModelsDeps): ModelIndex {
  const { document } = draft;
  const drafted = [...document.connections.values()].map((record) =>
    runtimeConnection(record, draft, document.discoveries),
  );
  const others = connections.all().filter(({ from }) => from === "environment" || from === "sandbox");
  const all = new Connections([...drafted, ...others]);
  const isSandboxActive = (): boolean => {
    const mode = settings.getIn(document.settings.get("settings"), "sandbox");
    return mode === "on" || (mode === "auto" && all.real().length === 0);
  };
  return new ModelIndex(all, isSandboxActive, clock, () => document);
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

/** @throws GatewayError where no key, or none for certain, is meant */
function keyId(name: string, keys: Document["keys"]): string {
  const all = [...keys.values()];
  const hashed = all.find(({ hash }) => hash === name);
  if (hashed !== undefined) return hashed.id;
  const [first, second] = all.filter((key) => key.name === name);
  // One that was revoked is known by its id alone, and holds for nobody.
  if (first === undefined && KEY_ID.test(name)) return name;
  if (first !== undefined && second === undefined) return first.id;
  const problem = first === undefined ? "There is no key" : "Several keys have the name";
  throw new GatewayError("invalid_value", `${problem} "${redact(name)}", which a rule of this route names.`);
}

/** @throws GatewayError for figures that are not exact in 10⁻⁹ USD per 10⁶ units */
function nanoRates(rates: SetupPrice): OwnRates {
  const parsed = ownRatesSchema.safeParse(
    Object.fromEntries(
      Object.entries(rates).map(([unit, usd]) => [unit, Math.round(usd * millions(unit as OwnUnit) * NANO_PER_USD)]),
    ),
  );
  if (parsed.success) return parsed.data;
  throw new GatewayError(
    "invalid_value",
    "The price must have a figure for at least one kind of unit, and none too large.",
  );
}
