import type { SetRoute } from "../../contract/routes.ts";
import { GatewayError } from "../../core/errors.ts";
import { redact } from "../../lib/redact.ts";
import type { Document, StoredRoute } from "../../store/document.ts";
import { isModelName, getPublicId } from "../models/public-id.ts";
import type { KnownModels } from "../models/public-id.ts";
import { getModels } from "./route-models.ts";

const MOST_ROUTES = 200;

/** The names that a route must not conflict with. */
export interface RouteWorld {
  readonly document: Pick<Document, "routes" | "aliases">;
  readonly index: Pick<KnownModels, "findId" | "getTarget">;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Builds the record of a new, changed or renamed route; omitted fields keep their values or get the defaults.
 * @throws GatewayError invalid_value if the name or a model of a chain is already in use; not_found if there is no
 * route to rename
 */
export function newRoute(input: SetRoute, world: RouteWorld): StoredRoute {
  const { name, renames = name, models, order, sticky, rules, enabled } = input;
  const { routes } = world.document;
  const before = routes.get(renames);
  if (before === undefined && renames !== name)
    throw new GatewayError("not_found", `There is no route "${redact(renames)}".`, { param: "renames" });
  const route: StoredRoute = {
    id: name,
    models,
    order: order ?? before?.order ?? "listed",
    sticky: sticky ?? before?.sticky ?? false,
    rules: rules ?? before?.rules ?? [],
    enabled: enabled ?? before?.enabled ?? true,
    created_at: before?.created_at ?? world.now,
  };
  checkName(name, renames, before, world);
  checkChain(route.models, "models", name, before, world);
  for (const [at, rule] of route.rules.entries()) checkChain(rule.models, `rules[${at}].models`, name, before, world);
  if (before === undefined && routes.size >= MOST_ROUTES)
    throw createRefusal("name", `There are ${MOST_ROUTES} routes already. Remove one first.`);
  return route;
}

function checkName(
  name: string,
  renames: string,
  before: StoredRoute | undefined,
  { document, index }: RouteWorld,
): void {
  const { aliases, routes } = document;
  const alias = aliases.get(name);
  if (alias !== undefined)
    throw createRefusal(
      "name",
      `"${name}" is a name of your own for "${redact(alias.model)}" already. Choose another name, or remove that alias first.`,
    );
  if (renames === name && before !== undefined) return;
  if (routes.has(name)) throw createRefusal("name", `There is a route "${name}" already. Choose another name.`);
  // A chain's entry refers to the model if one has that name.
  if (isModelName(index, name)) return;
  const user = [...routes.values()].find((route) => getModels(route).includes(name));
  if (user !== undefined)
    throw createRefusal(
      "name",
      `"${name}" is a model of the route "${user.id}", and routes do not nest. Choose another name, or take the model out of that route first.`,
    );
}

/** @param param the field of the request that has the chain */
function checkChain(
  models: readonly string[],
  param: string,
  name: string,
  before: StoredRoute | undefined,
  { document, index }: RouteWorld,
): void {
  const named = new Map<string, string>();
  for (const model of models) {
    if (model === name) {
      // A model that the route already had may be temporarily missing.
      if (!isModelName(index, model) && (before === undefined || !getModels(before).includes(model)))
        throw createRefusal(param, `"${model}" is this route and no model. Leave it out of its own chain.`);
    } else if (document.routes.has(model) && !isModelName(index, model)) {
      throw createRefusal(
        param,
        `"${redact(model)}" is a route itself, and routes do not nest. Name its models instead.`,
      );
    }
    const id = getPublicId(index, index.getTarget(model) ?? model);
    const other = named.get(id);
    if (other !== undefined) {
      const both =
        other === model ? `"${redact(model)}" is` : `"${redact(other)}" and "${redact(model)}" are one model,`;
      throw createRefusal(param, `${both} in the chain twice. Name each model once.`);
    }
    named.set(id, model);
  }
}

function createRefusal(param: string, message: string): GatewayError {
  return new GatewayError("invalid_value", message, { param });
}
