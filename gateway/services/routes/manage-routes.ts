import type { RouteView } from "../../contract/route-operations.ts";
import type { SetRoute } from "../../contract/routes.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { redact } from "../../lib/redact.ts";
import type { StoredKey, StoredRoute } from "../../store/document.ts";
import type { RecordRef } from "../../store/record-changes.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { KeyRing } from "../keys/key-ring.ts";
import type { ModelIndex } from "../models/model-index.ts";
import { isModelName, publicIdOf } from "../models/public-id.ts";
import { modelsOf } from "./route-models.ts";

const MOST_ROUTES = 200;

export interface ManageRoutesDeps {
  readonly index: Pick<ModelIndex, "find" | "findId" | "targetOf" | "invalidate">;
  readonly store: Pick<Store, "document" | "transact">;
  readonly clock: Pick<Clock, "now">;
  readonly events: Events;
  readonly keyRing: Pick<KeyRing, "reload">;
}

/** The owner's routes: kept over restarts, true from the moment they are acknowledged. */
export class ManageRoutes {
  readonly #deps: ManageRoutesDeps;

  constructor(deps: ManageRoutesDeps) {
    this.#deps = deps;
  }

  /** All, also those that are switched off, in the order in which they were made. */
  list(): readonly RouteView[] {
    const routes = [...this.#deps.store.document.routes.values()];
    return routes.toSorted((a, b) => a.created_at - b.created_at).map((route) => this.#view(route));
  }

  /**
   * Makes a route, or changes the one of this name or the one that it renames: what is left out stays as it is there. Its
   * models may be such as nobody serves yet.
   * @throws GatewayError invalid_value where the name or a model of a chain means something else already; not_found where
   * there is none to rename
   */
  async set(input: SetRoute): Promise<RouteView> {
    const { name, renames = name } = input;
    const keys = renames === name ? [] : this.#keysOf(renames);
    // A name is an alias or a route, whichever comes first.
    const refs: readonly RecordRef[] = [{ in: "routes" }, { in: "aliases" }, ...keys.map(({ id }) => keyRef(id))];
    const route = await this.#deps.store.transact(refs, async (commit) => {
      const record = this.#newRoute(input);
      await commit([
        ...(renames === name ? [] : [{ op: "delete", in: "routes", id: renames } as const]),
        { op: "put", in: "routes", record },
        ...this.#keysOf(renames)
          .filter(({ id }) => keys.some((key) => key.id === id))
          .map((key) => ({ op: "put", in: "keys", record: renamedIn(key, renames, name) }) as const),
      ]);
      this.#changed();
      if (keys.length > 0) {
        this.#deps.keyRing.reload();
        this.#deps.events.emit({ type: "keys.changed" });
      }
      return record;
    });
    return this.#view(route);
  }

  /** Those that are allowed a name. */
  #keysOf(name: string): readonly StoredKey[] {
    return [...this.#deps.store.document.keys.values()].filter(({ models }) => models?.includes(name) === true);
  }

  /** @throws GatewayError not_found */
  async remove(name: string): Promise<void> {
    await this.#deps.store.transact([{ in: "routes" }], async (commit) => {
      this.#required(name, "name");
      await commit([{ op: "delete", in: "routes", id: name }]);
      this.#changed();
    });
  }

  #required(name: string, param: string): StoredRoute {
    const route = this.#deps.store.document.routes.get(name);
    if (route === undefined) throw new GatewayError("not_found", `There is no route "${redact(name)}".`, { param });
    return route;
  }

  #newRoute({ name, renames = name, models, order, sticky, rules, enabled }: SetRoute): StoredRoute {
    const { store, clock } = this.#deps;
    const { routes } = store.document;
    const before = renames === name ? routes.get(name) : this.#required(renames, "renames");
    const route: StoredRoute = {
      id: name,
      models,
      order: order ?? before?.order ?? "listed",
      sticky: sticky ?? before?.sticky ?? false,
      rules: rules ?? before?.rules ?? [],
      enabled: enabled ?? before?.enabled ?? true,
      created_at: before?.created_at ?? clock.now(),
    };
    this.#checkName(name, renames, before);
    this.#checkChain(route.models, "models", name, before);
    for (const [at, rule] of route.rules.entries()) this.#checkChain(rule.models, `rules[${at}].models`, name, before);
    if (before === undefined && routes.size >= MOST_ROUTES)
      throw refused("name", `There are ${MOST_ROUTES} routes already. Remove one first.`);
    return route;
  }

  #checkName(name: string, renames: string, before: StoredRoute | undefined): void {
    const { aliases, routes } = this.#deps.store.document;
    const alias = aliases.get(name);
    if (alias !== undefined)
      throw refused(
        "name",
        `"${name}" is a name of your own for "${redact(alias.model)}" already. Choose another name, or remove that alias first.`,
      );
    if (renames === name && before !== undefined) return;
    if (routes.has(name)) throw refused("name", `There is a route "${name}" already. Choose another name.`);
    // A chain's entry means a model where there is one of the name.
    if (isModelName(this.#deps.index, name)) return;
    const user = [...routes.values()].find((route) => modelsOf(route).includes(name));
    if (user !== undefined)
      throw refused(
        "name",
        `"${name}" is a model of the route "${user.id}", and routes do not nest. Choose another name, or take the model out of that route first.`,
      );
  }

  /** @param param the field of the request that has the chain */
  #checkChain(models: readonly string[], param: string, name: string, before: StoredRoute | undefined): void {
    const { index, store } = this.#deps;
    const named = new Map<string, string>();
    for (const model of models) {
      if (model === name) {
        // One that it had may be gone for a while.
        if (!isModelName(index, model) && (before === undefined || !modelsOf(before).includes(model)))
          throw refused(param, `"${model}" is this route and no model. Leave it out of its own chain.`);
      } else if (store.document.routes.has(model) && !isModelName(index, model)) {
        throw refused(param, `"${redact(model)}" is a route itself, and routes do not nest. Name its models instead.`);
      }
      const id = publicIdOf(index, index.targetOf(model) ?? model);
      const other = named.get(id);
      if (other !== undefined) {
        const both =
          other === model ? `"${redact(model)}" is` : `"${redact(other)}" and "${redact(model)}" are one model,`;
        throw refused(param, `${both} in the chain twice. Name each model once.`);
      }
      named.set(id, model);
    }
  }

  #view(route: StoredRoute): RouteView {
    const { index } = this.#deps;
    const { id: name, models, order, sticky, rules, enabled, created_at } = route;
    return {
      name,
      models,
      order,
      sticky,
      rules,
      enabled,
      created_at,
      hides: index.findId(name)?.id ?? null,
      unserved: modelsOf(route).filter((model) => index.find(model) === undefined),
    };
  }

  #changed(): void {
    this.#deps.index.invalidate();
    this.#deps.events.emit({ type: "models.changed" });
  }
}

const keyRef = (id: string): RecordRef => ({ in: "keys", id });

function renamedIn(key: StoredKey, from: string, to: string): StoredKey {
  return { ...key, models: key.models?.map((model) => (model === from ? to : model)) ?? null };
}

function refused(param: string, message: string): GatewayError {
  return new GatewayError("invalid_value", message, { param });
}
