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
import { newRoute } from "./new-route.ts";
import { getModels } from "./route-models.ts";

export interface ManageRoutesDeps {
  readonly index: Pick<ModelIndex, "find" | "findId" | "getTarget" | "invalidate">;
  readonly store: Pick<Store, "document" | "transact">;
  readonly clock: Pick<Clock, "now">;
  readonly events: Events;
  readonly keyRing: Pick<KeyRing, "reload">;
}

/** Manages routes. They survive restarts and apply as soon as a change is acknowledged. */
export class ManageRoutes {
  readonly #deps: ManageRoutesDeps;

  constructor(deps: ManageRoutesDeps) {
    this.#deps = deps;
  }

  /** Lists all routes, also disabled ones, in order of creation. */
  list(): readonly RouteView[] {
    const routes = [...this.#deps.store.document.routes.values()];
    return routes.toSorted((a, b) => a.created_at - b.created_at).map((route) => this.#view(route));
  }

  /**
   * Creates a route, or changes or renames an existing one; omitted fields keep their values. Its models need not be
   * served yet.
   * @throws GatewayError invalid_value if the name or a model of a chain is already in use; not_found if the route to
   * rename is missing
   */
  async set(input: SetRoute): Promise<RouteView> {
    const { name, renames = name } = input;
    const keys = renames === name ? [] : this.#getKeys(renames);
    // A name is an alias or a route, whichever comes first.
    const refs: readonly RecordRef[] = [{ in: "routes" }, { in: "aliases" }, ...keys.map(({ id }) => createKeyRef(id))];
    const route = await this.#deps.store.transact(refs, async (commit) => {
      const { store, index, clock } = this.#deps;
      const record = newRoute(input, { document: store.document, index, now: clock.now() });
      await commit([
        ...(renames === name ? [] : [{ op: "delete", in: "routes", id: renames } as const]),
        { op: "put", in: "routes", record },
        ...this.#getKeys(renames)
          .filter(({ id }) => keys.some((key) => key.id === id))
          .map((key) => ({ op: "put", in: "keys", record: renameInKey(key, renames, name) }) as const),
      ]);
      this.#onChange();
      if (keys.length > 0) {
        this.#deps.keyRing.reload();
        this.#deps.events.emit({ type: "keys.changed" });
      }
      return record;
    });
    return this.#view(route);
  }

  /** Returns the keys that are allowed a name. */
  #getKeys(name: string): readonly StoredKey[] {
    return [...this.#deps.store.document.keys.values()].filter(({ models }) => models?.includes(name) === true);
  }

  /** @throws GatewayError not_found; conflict if keys would lose it without confirmation */
  async remove(name: string, isConfirmed: boolean): Promise<void> {
    await this.#deps.store.transact([{ in: "routes" }], async (commit) => {
      if (!this.#deps.store.document.routes.has(name))
        throw new GatewayError("not_found", `There is no route "${redact(name)}".`, { param: "name" });
      if (!isConfirmed) this.#checkUnused(name);
      await commit([{ op: "delete", in: "routes", id: name }]);
      this.#onChange();
    });
  }

  /** A key may keep the name if a model has the same name. @throws GatewayError conflict */
  #checkUnused(name: string): void {
    const keys = this.#getKeys(name);
    if (keys.length === 0 || this.#deps.index.findId(name) !== undefined) return;
    const shown = keys.slice(0, 3).map((key) => `"${redact(key.name)}"`);
    const more = keys.length > shown.length ? ` and ${keys.length - shown.length} more` : "";
    throw new GatewayError(
      "conflict",
      `The route "${redact(name)}" is allowed to ${keys.length === 1 ? "the key" : "the keys"} ${shown.join(", ")}${more}, which would lose it. ` +
        'Allow other models on the Keys page first, or remove it all the same with "confirm": true.',
      { param: "name" },
    );
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
      unserved: getModels(route).filter((model) => index.find(model) === undefined),
    };
  }

  #onChange(): void {
    this.#deps.index.invalidate();
    this.#deps.events.emit({ type: "models.changed" });
  }
}

const createKeyRef = (id: string): RecordRef => ({ in: "keys", id });

function renameInKey(key: StoredKey, from: string, to: string): StoredKey {
  return { ...key, models: key.models?.map((model) => (model === from ? to : model)) ?? null };
}
