import type { AnthropicModel, AnthropicModelList, Model, ModelList } from "../../contract/models.ts";
import { ENDPOINTS } from "../../core/models/capability.ts";
import { modelAllowed } from "../../core/glob.ts";
import type { Capability } from "../../core/models/model.ts";
import { pricingView } from "../../core/money/price-view.ts";
import { within } from "../../lib/within.ts";
import { providerName } from "../calls/call-record.ts";
import type { Discovery } from "./discovery.ts";
import type { RingKey } from "../keys/key-ring.ts";
import { namesOf } from "./served-model.ts";
import type { ModelIndex, Offer } from "./model-index.ts";
import type { ServedModel } from "./served-model.ts";

/** How long a list may wait for providers that are asked for the first time. */
const TIMEOUT_MS = 3_000;

/** The models that a key may use, in both dialects. */
export class ListModels {
  readonly #index: ModelIndex;
  readonly #discovery: Discovery;

  constructor(index: ModelIndex, discovery: Discovery) {
    this.#index = index;
    this.#discovery = discovery;
  }

  async openai(key: RingKey): Promise<ModelList> {
    return { object: "list", data: (await this.#offers(key)).map(openaiModel) };
  }

  /** Anthropic's list, with its paging: `limit` (default 20 there, all here), `after_id`, `before_id`. */
  async anthropic(key: RingKey, query: Readonly<Record<string, unknown>>): Promise<AnthropicModelList> {
    const all = (await this.#offers(key)).map(anthropicModel);
    const after = all.findIndex((model) => model.id === query["after_id"]);
    const before = all.findIndex((model) => model.id === query["before_id"]);
    const from = after + 1;
    const to = before < 0 ? all.length : before;
    const asked = Number(query["limit"]);
    const limit = Number.isInteger(asked) && asked > 0 ? asked : all.length;
    const data = all.slice(from, Math.min(to, from + limit));
    return {
      data,
      has_more: from + data.length < to,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }

  /** One model; null when it is not there for this key. */
  async one(key: RingKey, id: string, anthropic: boolean): Promise<Model | AnthropicModel | null> {
    await this.settled();
    const servedModel = this.#index.find(id);
    if (servedModel === undefined || !isServed(servedModel) || !mayUse(key, servedModel)) return null;
    const offer = { name: this.#index.targetOf(id) === undefined ? servedModel.id : id, servedModel };
    return anthropic ? anthropicModel(offer) : openaiModel(offer);
  }

  /** Names of the models with a capability that the key may use, of providers whose lists are there: nobody is waited for. */
  idsFor(key: RingKey, capability: Capability): readonly string[] {
    return this.#served(key)
      .filter(({ servedModel }) => servedModel.capabilities.includes(capability))
      .map(({ name }) => name);
  }

  async #offers(key: RingKey): Promise<readonly Offer[]> {
    await this.settled();
    return this.#served(key);
  }

  #served(key: RingKey): readonly Offer[] {
    return this.#index.offers().filter(({ servedModel }) => isServed(servedModel) && mayUse(key, servedModel));
  }

  /** Resolves when the providers that are asked for the first time have said their models, or after 3 s. */
  async settled(): Promise<void> {
    await within(this.#discovery.settled(), TIMEOUT_MS);
  }
}

/** Whether this gateway has an endpoint for the model, and shows it. */
export function isServed({ capabilities, unlisted }: ServedModel): boolean {
  return capabilities.length > 0 && unlisted !== true;
}

function mayUse(key: RingKey, servedModel: ServedModel): boolean {
  return modelAllowed(key.record.models, namesOf(servedModel));
}

/** Providers that do not say when a model was made get this: 2024-01-01. Clients want an integer. */
const UNKNOWN_CREATED = 1_704_067_200;

/** One of the owner's own names is a model of its own here, with the facts of what it stands for. */
function openaiModel({ name, servedModel }: Offer): Model {
  const { spec, discovered } = servedModel;
  const first = servedModel.candidates[0];
  return {
    id: name,
    object: "model",
    created: discovered?.created ?? spec?.created ?? UNKNOWN_CREATED,
    owned_by: spec?.owner ?? discovered?.owned_by ?? first?.connection.name ?? "unknown",
    capabilities: [...servedModel.capabilities],
    endpoints: servedModel.capabilities.flatMap((capability) => ENDPOINTS[capability]),
    context_length: discovered?.context_length ?? spec?.contextLength ?? null,
    pricing: pricingView(first?.price ?? null),
    provider: first === undefined ? "" : providerName(first),
  };
}

function anthropicModel({ name, servedModel }: Offer): AnthropicModel {
  const created = servedModel.discovered?.created ?? servedModel.spec?.created ?? UNKNOWN_CREATED;
  return {
    type: "model",
    id: name,
    display_name: name === servedModel.id ? (servedModel.spec?.displayName ?? name) : name,
    created_at: new Date(created * 1_000).toISOString().replace(/\.\d+Z$/, "Z"),
  };
}
