import type { Capability } from "../../core/models/model.ts";
import type { Fit } from "../../core/routes/lacks.ts";
import type { ModelIndex } from "../models/model-index.ts";
import type { ResolveModel } from "../models/resolve-model.ts";
import { getAbilities, getNames } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";

/** A model of a chain as far as it does not hang on the request. */
export interface ChainModel {
  /** Id as in the chain, or the model's own id if a connection serves it. */
  readonly id: string;
  /** The model with only the candidates that have the capability, or the reason for their absence. */
  readonly able: ServedModel | "not_served" | "capability";
  /** All names by which a key may allow it. */
  readonly names: readonly string[];
  readonly fit: Fit;
}

interface Known {
  readonly generation: number;
  readonly capability: Capability;
  readonly models: readonly ChainModel[];
}

/** Caches the models that chains lead to, for as long as the index of models stays unchanged. */
export class ChainModels {
  readonly #index: Pick<ModelIndex, "generation">;
  readonly #resolveModel: Pick<ResolveModel, "findServed" | "able">;
  /** Entries by the list of a route or a rule, which a change replaces. */
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
      // The name may have become another name of a model since the route was created.
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

/** Returns the known limits and abilities of a model that may exclude a request. */
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
