import type { RouteOrder } from "../../../contract/routes.ts";
import type { SetupPrice } from "../../../contract/setup.ts";
import { getSlug } from "../../models/model-id.ts";
import { followChain } from "../chains.ts";
import type { SetupBuilder } from "../setup-builder.ts";
import type { SourceFields } from "../fields.ts";
import { readItems, readMembers, readNumber, readText } from "../values.ts";
import { sections } from "./config.ts";
import type { Document } from "./config.ts";
import type { Deployment, Deployments } from "./deployments.ts";

type Path = readonly (string | number)[];

/** A fallback list of a group, and its path. */
interface Fallback {
  readonly group: string;
  readonly next: readonly string[];
  readonly fields: SourceFields;
  readonly path: Path;
}

/** Above this number, names for one model become aliases, because routes are limited to 200. */
const MOST_ROUTES = 200;

/** Makes a route of each `model_name`, with its deployments in a row and its `fallbacks` after them. */
export function addRoutes(draft: SetupBuilder, documents: readonly Document[], { usable, broken }: Deployments): void {
  const groups = new Map<string, readonly string[]>([...broken].map((group) => [group, []]));
  for (const [group, own] of Map.groupBy(usable, (deployment) => deployment.group)) {
    const ordered = own.toSorted((a, b) => a.order - b.order);
    groups.set(group, [...new Set(ordered.flatMap((each) => readId(draft, each) ?? []))]);
  }
  const fallbacks = readFallbacks(documents);
  const order = readOrder(documents);
  const chain = (name: string): readonly string[] =>
    followChain(name, (group) => ({
      models: groups.get(group) ?? [],
      next: (fallbacks.byGroup.get(group) ?? fallbacks.usual).flatMap(({ next }) => next),
    }));
  for (const [group, own] of groups) {
    // A wildcard group has no chain; a group whose own deployments were left has only its fallbacks.
    const models = own.length === 0 && !broken.has(group) ? [] : chain(group);
    const name = addRoute(draft, group, { models, ...order });
    for (const deployment of usable) if (deployment.group === group) markGroup(draft, deployment, { name, models });
  }
  for (const { group, fields, path, next } of fallbacks.all) {
    const known = next.filter((name) => groups.has(name));
    if (group !== null && !groups.has(group)) fields.left(path, "unused");
    else if (group !== null && chain(group).length === 0) fields.left(path, "unknown-provider");
    else if (known.length === 0) fields.left(path, "unknown-provider");
    else if (group !== null && !known.some((name) => leadsTo(chain(group), groups.get(name))))
      fields.left(path, "not-supported");
    // Here they follow any failure, and a model whose context is too small is skipped.
    else if (path[0] === "context_window_fallbacks") fields.noteChange(path, chainWords(group));
    else fields.recordTaken(path, chainWords(group));
  }
  addAliases(draft, documents, (group) => (groups.has(group) ? chain(group) : []), order);
}

/** A chain has a max length, and may be full before a fallback. A wildcard group is in no chain. */
const leadsTo = (models: readonly string[], own: readonly string[] = []): boolean =>
  own.length === 0 || own.some((model) => models.includes(model));

const chainWords = (group: string | null): string =>
  group === null ? "chain of all routes" : `chain of route "${group}"`;

/** Null for a wildcard deployment. */
function readId(draft: SetupBuilder, { model, seller }: Deployment): string | null {
  return model === null ? null : draft.nameModel(seller, model);
}

/** @returns null if no route is needed or possible */
function addRoute(
  draft: SetupBuilder,
  group: string,
  { models, order }: { readonly models: readonly string[]; readonly order?: RouteOrder },
): string | null {
  const [only] = models;
  if (only === undefined || (models.length === 1 && only === group)) return null;
  const isNew = draft.routeCount < MOST_ROUTES;
  if (!isNew && models.length === 1) return draft.alias(group, only);
  return isNew ? draft.route(group, { models: [...models], ...(order === undefined ? {} : { order }) }) : null;
}

/** Marks a deployment's name and its prices. */
function markGroup(
  draft: SetupBuilder,
  deployment: Deployment,
  { name: route, models }: { readonly name: string | null; readonly models: readonly string[] },
): void {
  const { group, item, fields, model, seller } = deployment;
  const id = readId(draft, deployment);
  if (id === null || model === null) {
    // Names with the connection's prefix are served, and those without any prefix.
    const served = group === "*" || group === `${getSlug(seller.name)}/*`;
    if (served) fields.recordTaken(["model_name"], `models of connection "${seller.name}"`);
    else fields.left(["model_name"], "not-supported");
    return;
  }
  // A chain has its end.
  if (route !== null && !models.includes(id)) fields.left(["model_name"], "not-supported");
  else if (route === group) fields.recordTaken(["model_name"], `route "${route}"`);
  else if (route !== null) fields.noteChange(["model_name"], `route "${route}"`, "renamed");
  else fields.recordTaken(["model_name"], `model "${id}"`);
  const params = readMembers(item["litellm_params"]);
  const info = readMembers(item["model_info"]);
  const rates = { ...(info["mode"] === "embedding" && { output: 0 }), ...readPrices({ ...info, ...params }) };
  if (rates.input !== undefined) {
    const isPriced = draft.price(id, rates);
    for (const [part, from] of [
      ["litellm_params", params],
      ["model_info", info],
    ] as const)
      for (const name of Object.keys(PRICES)) {
        if (from[name] === undefined) continue;
        if (isPriced) fields.recordTaken([part, name], `price of "${id}"`);
        else fields.left([part, name], "not-supported");
      }
  }
  for (const name of ["mode", "base_model", "id"])
    if (info[name] !== undefined) fields.left(["model_info", name], "default");
}

/** USD for a token there; for a million here. */
const PRICES = {
  input_cost_per_token: "input",
  output_cost_per_token: "output",
  cache_read_input_token_cost: "cached_input",
  cache_creation_input_token_cost: "cache_write",
} as const;

function readPrices(from: Readonly<Record<string, unknown>>): SetupPrice {
  return Object.fromEntries(
    Object.entries(PRICES).flatMap(([name, unit]) => {
      const price = readNumber(from[name]);
      // Digits after the ninth decimal are floating-point noise.
      return price === null ? [] : [[unit, Number((price * 1e6).toFixed(9))]];
    }),
  );
}

/** `fallbacks`, `default_fallbacks` and `context_window_fallbacks`, of whichever section. */
function readFallbacks(documents: readonly Document[]) {
  const all: (Omit<Fallback, "group"> & { readonly group: string | null })[] = [];
  const byGroup = new Map<string, Fallback[]>();
  const usual: Fallback[] = [];
  for (const { section, fields } of ["litellm_settings", "router_settings"].flatMap((name) =>
    sections(documents, name),
  )) {
    for (const name of ["fallbacks", "context_window_fallbacks"]) {
      for (const [index, item] of readItems(section[name]).entries()) {
        for (const [group, names] of Object.entries(readMembers(item))) {
          const fallback = { group, next: findNames(names), fields, path: [name, index, group] };
          all.push(fallback);
          if (group === "*") usual.push(fallback);
          else byGroup.set(group, [...(byGroup.get(group) ?? []), fallback]);
        }
      }
    }
    const next = findNames(section["default_fallbacks"]);
    if (next.length === 0) continue;
    const fallback = { group: null, next, fields, path: ["default_fallbacks"] };
    all.push(fallback);
    usual.push({ ...fallback, group: "*" });
  }
  return { all: all.map((each) => (each.group === "*" ? { ...each, group: null } : each)), byGroup, usual };
}

/** `["a", {"model": "b"}]`. */
const findNames = (value: unknown): readonly string[] =>
  readItems(value).flatMap((item) => readText(item) ?? readText(readMembers(item)["model"]) ?? []);

const ORDERS: Readonly<Record<string, RouteOrder>> = {
  "latency-based-routing": "fastest",
  "cost-based-routing": "cheapest",
};

/** Reads how LiteLLM chooses between deployments. The default is random; Postern follows the order of the file. */
function readOrder(documents: readonly Document[]): { readonly order?: RouteOrder } {
  let found: RouteOrder | undefined;
  for (const { section, fields } of sections(documents, "router_settings")) {
    const strategy = readText(section["routing_strategy"]);
    if (strategy === null) continue;
    found = Object.hasOwn(ORDERS, strategy) ? ORDERS[strategy] : undefined;
    if (found === undefined) fields.left(["routing_strategy"], "not-supported");
    else fields.recordTaken(["routing_strategy"], `order of routes: ${found}`);
  }
  return found === undefined ? {} : { order: found };
}

/** `router_settings.model_group_alias`: further names of groups, as texts or as `{model, hidden}`. */
function addAliases(
  draft: SetupBuilder,
  documents: readonly Document[],
  chain: (group: string) => readonly string[],
  order: { readonly order?: RouteOrder },
): void {
  for (const { section, fields } of sections(documents, "router_settings")) {
    for (const [alias, value] of Object.entries(readMembers(section["model_group_alias"]))) {
      const group = readText(value) ?? readText(readMembers(value)["model"]);
      const models = group === null ? [] : chain(group);
      const name = models.length === 0 ? null : addRoute(draft, alias, { models, ...order });
      if (name === null) fields.left(["model_group_alias", alias], models.length === 0 ? "unknown-provider" : "unused");
      else fields.recordTaken(["model_group_alias", alias], `route "${name}"`);
    }
  }
}
