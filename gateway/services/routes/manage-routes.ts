import type { RouteView } from "../../contract/route-operations.ts";
import type { SetRoute } from "../../contract/routes.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { redact } from "../../lib/redact.ts";
import type { StoredRoute } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { ModelIndex } from "../models/model-index.ts";
import { newRoute } from "./new-route.ts";
import { modelsOf } from "./route-models.ts";

export interface ManageRoutesDeps {
  readonly index: Pick<ModelIndex, "find" | "findId" | "targetOf" | "invalidate">;
  readonly store: Pick<Store, "document" | "transact">;
  readonly clock: Pick<Clock, "now">;
  readonly events: Events;
}

/** The owner's routes: kept over restarts, true from the moment they are acknowledged. */
export class ManageRoutes {
  readonly #deps: ManageRoutesDeps;

  constructor(deps: ManageRoutesDeps) {
    this.#deps = deps;
  }

  /** All, also those that are switched off, in the order in which they were made. */
  list(): readonly RouteView[] {
    return [...this.#deps.store.document.routes.values()].map((route) => this.#view(route));
  }

  /**
   * Makes a route, or changes the one of this name: what is left out stays as it is there. Its models may be such as
   * nobody serves yet.
   * @throws GatewayError invalid_value where the name or a model of a chain means something else already
   */
  async set(input: SetRoute): Promise<RouteView> {
    // A name is an alias or a route, whichever comes first.
    const route = await this.#deps.store.transact([{ in: "routes" }, { in: "aliases" }], async (commit) => {
      const { store, index, clock } = this.#deps;
      const record = newRoute(input, { document: store.document, index, now: clock.now() });
      await commit([{ op: "put", in: "routes", record }]);
      this.#changed();
      return record;
    });
    return this.#view(route);
  }

  /** @throws GatewayError not_found */
  async remove(name: string): Promise<void> {
    await this.#deps.store.transact([{ in: "routes" }], async (commit) => {
      if (!this.#deps.store.document.routes.has(name))
        throw new GatewayError("not_found", `There is no route "${redact(name)}".`, { param: "name" });
      await commit([{ op: "delete", in: "routes", id: name }]);
      this.#changed();
    });
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
