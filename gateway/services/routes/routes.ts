import type { RequestKind } from "../../contract/routed.ts";
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

  /** The route that a call by this name takes; undefined where there is none, or it is switched off. */
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

  /**
   * The models that a call may be put to, in the order of their chain: those of the first rule for one of its kinds, then
   * the route's own. A name that is no route's stands for itself.
   * @param kindsOf the call's kinds, asked where a rule wants to know
   */
  modelsOf(name: string, kindsOf: () => readonly RequestKind[]): readonly string[] {
    const route = this.find(name);
    if (route === undefined) return [name];
    const rule = route.rules.find(
      ({ enabled, when }) => enabled && when.kinds?.some((kind) => kindsOf().includes(kind)) === true,
    );
    return [...new Set([...(rule?.models ?? []), ...route.models])];
  }

  /** Those that apply, in the order in which they were made. */
  list(): readonly StoredRoute[] {
    return this.#isOn() ? [...this.#store.document.routes.values()].filter(({ enabled }) => enabled) : [];
  }
}
