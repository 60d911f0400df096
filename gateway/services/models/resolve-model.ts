import { ENDPOINTS } from "../../core/models/capability.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Capability } from "../../core/models/model.ts";
import { within } from "../../lib/within.ts";
import { canDo } from "../../providers/abilities.ts";
import type { Discovery } from "./discovery.ts";
import { modelNotFound, unservedAlias } from "./unserved.ts";
import type { ModelIndex } from "./model-index.ts";
import type { Route } from "./routes.ts";

/** How long an unknown model may wait for providers to tell what is new. */
const TIMEOUT_MS = 4_000;

export class ResolveModel {
  readonly #index: ModelIndex;
  readonly #discovery: Discovery;

  constructor(index: ModelIndex, discovery: Discovery) {
    this.#index = index;
    this.#discovery = discovery;
  }

  /**
   * The way to a model that is known already: the usual case, without waiting for anything.
   * @throws GatewayError endpoint_model_mismatch.
   */
  known(id: string, capability: Capability): Route | undefined {
    const route = this.#index.find(id);
    if (route === undefined) return undefined;
    if (!route.capabilities.includes(capability)) throw mismatch(route, capability);
    // Who is alone can do what the model can.
    if (route.candidates.length === 1) return route;
    const able = route.candidates.filter(({ connection }) => canDo(connection.provider, capability));
    return able.length === route.candidates.length ? route : { ...route, candidates: able };
  }

  /** The public id of a model by any of its names; the name itself where nobody knows it. */
  idOf(name: string): string {
    return this.#index.find(name)?.id ?? name;
  }

  /** The public id of a model by any of its names, and by which id earlier versions knew it. */
  idsOf(name: string): readonly string[] {
    const route = this.#index.find(name);
    if (route === undefined) return [name];
    return route.spelling === undefined ? [route.id] : [route.id, route.spelling];
  }

  /**
   * The way to a model. One that nobody knows is looked for once more at the providers: their first list may still be on
   * its way, and people pull new local models while we run.
   * @throws GatewayError model_not_found, endpoint_model_mismatch.
   */
  async find(id: string, capability: Capability): Promise<Route> {
    const route = this.known(id, capability) ?? (await this.#findLate(id, capability));
    if (route !== undefined) return route;
    const target = this.#index.targetOf(id);
    throw target === undefined ? modelNotFound(id) : unservedAlias(id, target);
  }

  async #findLate(id: string, capability: Capability): Promise<Route | undefined> {
    await within(this.#discovery.settled(), TIMEOUT_MS);
    const first = this.known(id, capability);
    if (first !== undefined) return first;
    await within(this.#discovery.askAgain(), TIMEOUT_MS);
    return this.known(id, capability);
  }
}

function mismatch(route: Route, wanted: Capability): GatewayError {
  const instead = route.capabilities.flatMap((capability) => ENDPOINTS[capability].slice(0, 1));
  const hint =
    instead.length === 0 ? "It is for none of this gateway's endpoints." : `Use it on ${instead.join(" or ")}.`;
  return new GatewayError(
    "endpoint_model_mismatch",
    `The model "${route.id}" does not serve ${ENDPOINTS[wanted][0] ?? ""}. ${hint}`,
    { param: "model" },
  );
}
