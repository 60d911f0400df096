import type { StoredRoute } from "../../store/document.ts";
import type { Store } from "../../store/store.ts";

/** Names that models have by themselves. */
interface ModelNames {
  has(name: string): boolean;
}

/** The owner's routes, by name. */
export class Routes {
  readonly #store: Pick<Store, "document">;
  readonly #isOn: () => boolean;
  readonly #models: ModelNames;

  /**
   * @param isOn whether routes apply at all: the one switch that undoes them.
   * @param models a route is meant by the name of one of them in the same letter case alone
   */
  constructor(store: Pick<Store, "document">, isOn: () => boolean, models: ModelNames = { has: () => false }) {
    this.#store = store;
    this.#isOn = isOn;
    this.#models = models;
  }

  /** Returns the route for a call by this name; undefined if it is unknown or switched off. */
  find(name: string): StoredRoute | undefined {
    const { routes } = this.#store.document;
    if (routes.size === 0) return undefined;
    const exact = routes.get(name);
    const folded = name.toLowerCase();
    const route =
      exact ??
      (this.#models.has(name) ? undefined : [...routes.values()].find(({ id }) => id.toLowerCase() === folded));
    return route?.enabled === true && this.#isOn() ? route : undefined;
  }

  /** Returns the enabled routes, oldest first. */
  list(): readonly StoredRoute[] {
    return this.#isOn() ? [...this.#store.document.routes.values()].filter(({ enabled }) => enabled) : [];
  }
}
