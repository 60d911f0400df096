import type { SetRoute } from "../../contract/routes.ts";
import { initialSettings } from "../../contract/settings.ts";
import type { Settings } from "../../contract/settings.ts";
import type { Setup, SetupConnection } from "../../contract/setup.ts";
import type { SetupConflict } from "../../contract/setup-operations.ts";
import { sha256 } from "../../lib/ids.ts";
import { getSlug } from "../models/model-id.ts";
import { same } from "./same.ts";

/** A connection that is here, the environment's among them. */
export type KnownConnection = Pick<SetupConnection, "name" | "provider" | "base_url" | "keys"> & {
  /** Whether its keys are not ours to change. */
  readonly fixed?: boolean;
};

export interface OnlyNew {
  /** The parts that are added, or get more keys. */
  readonly setup: Setup;
  /** The parts that are not taken, because a record of the same name is here and stays. */
  readonly existing: readonly SetupConflict[];
  readonly nameConnection: (name: string) => string;
  readonly nameModel: (id: string) => string;
}

/** Same limit as in `createConnectionSchema`. */
const MOST_KEYS = 20;

/** Settings that an import may never change: access to Postern, and Postern's access to others. */
const NOT_IMPORTED: readonly (keyof Settings)[] = ["lan", "port", "allow_targets", "allowed_hosts", "allowed_origins"];

/**
 * Returns the parts of another program's set-up that can be added without changing the present one. A connection to the
 * same address under the same name gets the missing keys; one whose name is used for another address is called `name
 * 2`, with its model references updated. A second import adds nothing.
 * @param requested stored form of base URLs
 */
export function onlyNew(current: Setup, known: readonly KnownConnection[], requested: Setup): OnlyNew {
  const existing: SetupConflict[] = [];
  const keep = (kind: SetupConflict["kind"], name: string, message: string): void =>
    void existing.push({ kind, name, message });
  const names = new Map<string, string>();
  const connections = addedConnections(known, requested.connections ?? [], names);
  const renamed = (model: string): string => renamedModel(model, names);
  const routes = (requested.routes ?? []).map((route) => withModels(route, renamed));
  const currentRoutes = new Map((current.routes ?? []).map((route) => [route.name, route]));
  const setup: Setup = {
    connections,
    keys: (requested.keys ?? []).filter((key) => {
      const hash = key.secret === undefined ? key.sha256 : sha256(key.secret);
      const here = (current.keys ?? []).filter((one) => one.name === key.name || one.sha256 === hash);
      if (here.length > 0 && hash !== undefined && !here.some((one) => one.sha256 === hash))
        keep("key", key.name, "Another key has this name already. It stays as it is.");
      return here.length === 0;
    }),
    routes: routes.filter((route) => {
      const here = currentRoutes.get(route.name);
      if (here !== undefined && !isPart(route, here))
        keep("route", route.name, "There is a route of this name already. It stays as it is.");
      return here === undefined;
    }),
    aliases: addMissing("alias", mapValues(requested.aliases, renamed), current.aliases ?? {}, keep),
    prices: addMissing("price", mapNames(requested.prices, renamed), current.prices ?? {}, keep),
    settings: Object.fromEntries(
      Object.entries(requested.settings ?? {}).filter(([name, value]) => {
        const setting = name as keyof Settings;
        const here = current.settings?.[setting];
        if (NOT_IMPORTED.includes(setting) || same(here, value)) return false;
        if (same(here, initialSettings[setting])) return true;
        keep("setting", name, "It is set here already. It stays as it is.");
        return false;
      }),
    ),
    search_keys: addMissing("search_key", requested.search_keys ?? {}, current.search_keys ?? {}, keep),
  };
  return { setup, existing, nameConnection: (name) => names.get(name) ?? name, nameModel: renamed };
}

function addedConnections(
  known: readonly KnownConnection[],
  requested: readonly SetupConnection[],
  names: Map<string, string>,
): SetupConnection[] {
  const takenNames = new Set(known.map(({ name }) => name.toLowerCase()));
  const used = new Set<string>();
  return requested.flatMap((connection): SetupConnection[] => {
    const place = choosePlace(connection, known, takenNames, used);
    used.add(place.name.toLowerCase());
    names.set(connection.name, place.name);
    const { here } = place;
    if (here === undefined) return [{ ...connection, name: place.name }];
    const more = (connection.keys ?? []).filter((key) => here.keys?.includes(key) !== true);
    if (more.length === 0) return [];
    const keys = [...(here.keys ?? []), ...more].slice(0, MOST_KEYS);
    return [{ name: here.name, provider: here.provider, keys }];
  });
}

interface Place {
  readonly name: string;
  /** The connection that it is already. */
  readonly here?: KnownConnection;
}

function choosePlace(
  requested: SetupConnection,
  known: readonly KnownConnection[],
  takenNames: ReadonlySet<string>,
  used: ReadonlySet<string>,
): Place {
  const isSame = (one: KnownConnection): boolean =>
    one.provider === requested.provider && one.base_url === requested.base_url;
  const hasAll = (one: KnownConnection): boolean =>
    (requested.keys ?? []).every((key) => one.keys?.includes(key) === true);
  for (let count = 1; ; count++) {
    const name = count === 1 ? requested.name : `${requested.name} ${count}`;
    const low = name.toLowerCase();
    const here = known.find((one) => one.name.toLowerCase() === low);
    if (here !== undefined && isSame(here) && !used.has(low) && (here.fixed !== true || hasAll(here)))
      return { name: here.name, here };
    if (takenNames.has(low) || used.has(low)) continue;
    // A connection with the same access under another name need not be added twice.
    const elsewhere = known.find((one) => isSame(one) && (requested.keys ?? []).length > 0 && hasAll(one));
    return elsewhere === undefined ? { name } : { name: elsewhere.name, here: elsewhere };
  }
}

/** `connection name/id` with the name that the connection has here. */
function renamedModel(model: string, names: ReadonlyMap<string, string>): string {
  const slash = model.indexOf("/");
  if (slash < 1) return model;
  const front = model.slice(0, slash).toLowerCase();
  for (const [from, to] of names)
    if (from !== to && (from.toLowerCase() === front || getSlug(from) === front))
      return getSlug(to) + model.slice(slash);
  return model;
}

function withModels(route: SetRoute, renamed: (model: string) => string): SetRoute {
  const { models, rules } = route;
  return {
    ...route,
    models: models.map(renamed),
    ...(rules !== undefined && { rules: rules.map((rule) => ({ ...rule, models: rule.models.map(renamed) })) }),
  };
}

/** Tells whether one record contains all fields of another. */
const isPart = (part: object, whole: object): boolean =>
  Object.entries(part).every(
    ([name, value]) => value === undefined || same(value, (whole as Readonly<Record<string, unknown>>)[name]),
  );

function addMissing<Value>(
  kind: SetupConflict["kind"],
  requested: Readonly<Record<string, Value>>,
  current: Readonly<Record<string, unknown>>,
  keep: (kind: SetupConflict["kind"], name: string, message: string) => void,
): Record<string, Value> {
  const left = Object.entries(requested).filter(([name, value]) => {
    if (!Object.hasOwn(current, name)) return true;
    if (!same(current[name], value)) keep(kind, name, "It is set here already. It stays as it is.");
    return false;
  });
  return Object.fromEntries(left);
}

const mapValues = (record: Readonly<Record<string, string>> = {}, map: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));

const mapNames = <Value>(record: Readonly<Record<string, Value>> = {}, map: (name: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [map(name), value]));
