import type { OwnRates } from "../../contract/model-view.ts";
import { GatewayError } from "../../core/errors.ts";
import { priceGap } from "../../core/money/own-price.ts";
import type { Clock } from "../../lib/clock.ts";
import { redact } from "../../lib/redact.ts";
import type { Change } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";
import type { Events } from "../events.ts";
import type { ModelIndex } from "./model-index.ts";
import { isModelName, publicIdOf } from "./public-id.ts";

const MOST_ALIASES = 1_000;
const MOST_PRICES = 5_000;

export interface ManageModelsDeps {
  readonly index: ModelIndex;
  readonly store: Pick<Store, "document" | "transact">;
  readonly clock: Clock;
  readonly events: Events;
}

/** What a change writes, and the id that it is about. */
interface Changed {
  readonly id: string;
  readonly changes: readonly Change[];
}

/** The owner's own names and prices of models: kept over restarts, true from the moment they are acknowledged. */
export class ManageModels {
  readonly #deps: ManageModelsDeps;

  constructor(deps: ManageModelsDeps) {
    this.#deps = deps;
  }

  /**
   * Lets a name stand for a model, served now or not. A name that stands for another one moves.
   * @returns the id of the model
   * @throws GatewayError invalid_value where the name means something already, or the model is itself such a name
   */
  setAlias(name: string, model: string): Promise<string> {
    return this.#change("aliases", () => this.#newAlias(name, model));
  }

  #newAlias(name: string, model: string): Changed {
    const { index, store, clock } = this.#deps;
    const { aliases, routes } = store.document;
    if (routes.has(name)) throw refused("name", `"${name}" is the name of a route already. Choose another name.`);
    if (routes.has(model) && !isModelName(index, model))
      throw refused("model", `"${model}" is a route. Clients call it by that name; give the new name to a model.`);
    if (aliases.has(model))
      throw refused(
        "model",
        `"${model}" is a name of your own for "${redact(aliases.get(model)?.model ?? "")}". Let the new name stand for that model itself.`,
      );
    const id = publicIdOf(index, model);
    const before = aliases.get(name);
    if (before === undefined) {
      const meant = index.findId(name);
      if (meant !== undefined || name === id) {
        const same = meant === undefined || meant.id === name;
        throw refused(
          "name",
          `"${name}" ${same ? "is the id of a model already" : `means the model "${meant.id}" already`}. Choose another name.`,
        );
      }
      if ([...aliases.values()].some((alias) => alias.model === name))
        throw refused("name", `"${name}" is what another name of your own stands for. Choose another name.`);
      if (aliases.size >= MOST_ALIASES)
        throw refused("name", `There are ${MOST_ALIASES} names of your own already. Remove one first.`);
    }
    const record = { id: name, model: id, created_at: before?.created_at ?? clock.now() };
    return { id, changes: [{ op: "put", in: "aliases", record }] };
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
   * Calls of the model cost this from now on; those that run and video tasks keep the price that they began with.
   * @param rates 10⁻⁹ USD per 10⁶ units
   * @returns the id of the model
   * @throws GatewayError invalid_value where calls of the model could not be billed with it
   */
  setPrice(model: string, rates: OwnRates): Promise<string> {
    return this.#change("prices", () => this.#newPrice(model, rates));
  }

  #newPrice(model: string, rates: OwnRates): Changed {
    const { index, store, clock } = this.#deps;
    const servedModel = index.find(model);
    const id = publicIdOf(index, index.targetOf(model) ?? model);
    const gap = priceGap(rates, servedModel?.capabilities ?? []);
    if (gap !== null) throw refused("rates", gap);
    const { prices } = store.document;
    if (!prices.has(id) && prices.size >= MOST_PRICES)
      throw refused("model", `There are ${MOST_PRICES} prices of your own already. Remove one first.`);
    const as_of = new Date(clock.now()).toISOString().slice(0, 10);
    const earlier =
      servedModel?.spelling !== undefined && prices.has(servedModel.spelling) ? [servedModel.spelling] : [];
    return {
      id,
      changes: [
        { op: "put", in: "prices", record: { id, rates, as_of } },
        ...earlier.map((spelling): Change => ({ op: "delete", in: "prices", id: spelling })),
      ],
    };
  }

  /** @throws GatewayError not_found */
  async removePrice(model: string): Promise<void> {
    const { index, store } = this.#deps;
    await this.#change("prices", () => {
      const { prices } = store.document;
      const name = index.targetOf(model) ?? model;
      // A price of an earlier version is kept by the provider's own spelling.
      const id = [model, publicIdOf(index, name), index.findId(name)?.spelling ?? name].find((one) => prices.has(one));
      if (id === undefined)
        throw new GatewayError("not_found", `The model "${redact(model)}" has no price of your own.`);
      return { id, changes: [{ op: "delete", in: "prices", id }] };
    });
  }

  /** @param make what is to change, of what the collection holds when its turn has come */
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

function refused(param: string, message: string): GatewayError {
  return new GatewayError("invalid_value", message, { param });
}
