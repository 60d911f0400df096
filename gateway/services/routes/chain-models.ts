import type { Capability } from "../../core/models/model.ts";
import type { Fit } from "../../core/routes/lacks.ts";
import type { ModelIndex } from "../models/model-index.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import { getAbilities, getNames } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";

/** A model of a chain as far as it does not hang on the request. */
export interface ChainModel {
  /** As the chain names it, or its own id where someone serves it. */
  readonly id: string;
  /** With those of its candidates alone that can do what is asked for; or why there are none. */
  readonly able: ServedModel | "not_served" | "capability";
  /** By all of which a key may allow it. */
  readonly names: readonly string[];
  readonly fit: Fit;
}

interface Known {
  readonly generation: number;
  readonly capability: Capability;
  readonly models: readonly ChainModel[];
}

/** What the models of chains lead to, found out once for as long as the index of models stays what it is. */
export class ChainModels {
  readonly #index: Pick<ModelIndex, "generation">;
  readonly #resolveModel: Pick<ResolveModel, "findServed" | "able">;
  /** By the list of a route or a rule, of which a change makes another one. */
  readonly #known = new WeakMap<readonly string[], Known>();

  constructor(index: Pick<ModelIndex, "generation">, resolveModel: Pick<ResolveModel, "findServed" | "able">) {
    this.#index = index;
    this.#resolveModel = resolveModel;
  }

  /** @param chain the list of a stored route, as it is kept there. @returns its models in their order, each once */
  of(chain: readonly string[], capability: Capability): readonly ChainModel[] {
    const { generation } = this.#index;
    const known = this.#known.get(chain);
    if (known?.generation === generation && known.capability === capability) return known.models;
    const models = this.#find(chain, capability);
    this.#known.set(chain, { generation, capability, models });
    return models;
  }

  #find(chain: readonly string[], capability: Capability): readonly ChainModel[] {
    const models = new Map<string, ChainModel>();
    for (const name of chain) {
      const servedModel = this.#resolveModel.findServed(name);
      const id = servedModel?.id ?? name;
      // A name that was no one's when the route was made may be another name of a model of it by now.
      if (models.has(id)) continue;
      const able = servedModel === undefined ? "not_served" : this.#resolveModel.able(servedModel, capability);
      models.set(id, {
        id,
        able: able ?? "capability",
        names: servedModel === undefined ? [name] : getNames(servedModel),
        fit: getFit(servedModel),
      });
    }
    return [...models.values()];
  }
}

/** What is known of a model that a request may not fit. */
export function getFit(servedModel: ServedModel | undefined): Fit {
  const { spec, discovered } = servedModel ?? { spec: null, discovered: null };
  const abilities = servedModel === undefined ? {} : getAbilities(servedModel);
  return {
    abilities,
    takesAll: !Object.values(abilities).includes(false),
    contextLength: spec?.contextLength ?? discovered?.context_length ?? null,
    maxOutput: spec?.maxOutput ?? discovered?.max_output ?? null,
  };
}
