import type { OwnRates } from "../../contract/model-view.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { redact } from "../../lib/redact.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { ModelIndex } from "./model-index.ts";
import { newAlias, newPrice } from "./new-own.ts";
import type { Changed, OwnWorld } from "./new-own.ts";
import { getPublicId } from "./public-id.ts";

export interface ManageModelsDeps {
  readonly index: ModelIndex;
  readonly store: Pick<Store, "document" | "transact">;
  readonly clock: Clock;
  readonly events: Events;
}

/** The owner's own names and prices of models: kept over restarts, true from the moment they are acknowledged. */
export class ManageModels {
  readonly #deps: ManageModelsDeps;

  constructor(deps: ManageModelsDeps) {
    this.#deps = deps;
  }

  /**
   * Sets an alias for a model, served or not. An existing alias is moved.
   * @returns the id of the model
   * @throws GatewayError invalid_value if the name is already used, or the model is itself an alias
   */
  setAlias(name: string, model: string): Promise<string> {
    return this.#change("aliases", () => newAlias(name, model, this.#world()));
  }

  /** @throws GatewayError not_found */
  async removeAlias(name: string): Promise<void> {
    await this.#change("aliases", () => {
      if (!this.#deps.store.document.aliases.has(name))
        throw new GatewayError("not_found", `There is no name "${redact(name)}" of your own for a model.`);
      return { id: name, changes: [{ op: "delete", in: "aliases", id: name }] };
    });
  }

  /**
   * Sets a model's price for new calls; running calls and video tasks keep the price they started with.
   * @param rates 10⁻⁹ USD per 10⁶ units
   * @returns the id of the model
   * @throws GatewayError invalid_value if calls of the model could not be billed with it
   */
  setPrice(model: string, rates: OwnRates): Promise<string> {
    return this.#change("prices", () => newPrice(model, rates, this.#world()));
  }

  /** @throws GatewayError not_found */
  async removePrice(model: string): Promise<void> {
    const { index, store } = this.#deps;
    await this.#change("prices", () => {
      const { prices } = store.document;
      const name = index.getTarget(model) ?? model;
      // A price of an earlier version is stored under the provider's own spelling.
      const id = [model, getPublicId(index, name), index.findId(name)?.spelling ?? name].find((one) => prices.has(one));
      if (id === undefined)
        throw new GatewayError("not_found", `The model "${redact(model)}" has no price of your own.`);
      return { id, changes: [{ op: "delete", in: "prices", id }] };
    });
  }

  #world(): OwnWorld {
    const { index, store, clock } = this.#deps;
    return { index, document: store.document, now: clock.now() };
  }

  /** @param make returns the change, from the collection's current records while the lock is held */
  #change(collection: "aliases" | "prices", make: () => Changed): Promise<string> {
    const { store, index, events } = this.#deps;
    // A name is an alias or a route, whichever comes first.
    const refs = collection === "aliases" ? ([{ in: collection }, { in: "routes" }] as const) : [{ in: collection }];
    return store.transact(refs, async (commit) => {
      const { id, changes } = make();
      await commit(changes);
      index.invalidate();
      events.emit({ type: "models.changed" });
      return id;
    });
  }
}
