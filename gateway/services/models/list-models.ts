import type {
  AnthropicModel,
  AnthropicModelList,
  GoogleModel,
  GoogleModelList,
  Model,
  ModelList,
} from "../../contract/models.ts";
import type { OllamaModel, OllamaShow } from "../../contract/ollama.ts";
import { findEnding } from "../../catalog/endings.ts";
import { ENDPOINTS } from "../../core/models/capability.ts";
import { GatewayError } from "../../core/errors.ts";
import { modelAllowed } from "../../core/glob.ts";
import type { Capability, ModelSpec } from "../../core/models/model.ts";
import { createPricingView } from "../../core/money/price-view.ts";
import { providerName } from "../calls/call-record.ts";
import { routeModel, routeOffer } from "../routes/route-models.ts";
import type { RouteOffer } from "../routes/route-models.ts";
import type { Routes } from "../routes/routes.ts";
import type { Discovery } from "./discovery.ts";
import type { RingKey } from "../keys/key-ring.ts";
import { buildOllamaModel, buildOllamaShow, isForOllama } from "./ollama-model.ts";
import type { OllamaFacts } from "./ollama-model.ts";
import { getNames } from "./served-model.ts";
import type { ModelIndex, Offer } from "./model-index.ts";
import type { ServedModel } from "./served-model.ts";
import { createModelNotFound, createUnservedError } from "./unserved.ts";

/** How long a list may wait for providers that are asked for the first time. */
const TIMEOUT_MS = 3_000;

/** An entry of the list: a model under one of its names, or a route. */
type Listed = Offer | RouteOffer;

/** The models that a key may use, in both dialects, routes among them. */
export class ListModels {
  readonly #index: ModelIndex;
  readonly #discovery: Discovery;
  readonly #routes: Pick<Routes, "find" | "list">;

  constructor(index: ModelIndex, discovery: Discovery, routes: Pick<Routes, "find" | "list">) {
    this.#index = index;
    this.#discovery = discovery;
    this.#routes = routes;
  }

  async openai(key: RingKey): Promise<ModelList> {
    return { object: "list", data: (await this.#all(key)).map(createOpenaiModel) };
  }

  /** Anthropic's list, with its paging: `limit` (default 20 there, all here), `after_id`, `before_id`. */
  async anthropic(key: RingKey, query: Readonly<Record<string, unknown>>): Promise<AnthropicModelList> {
    const all = (await this.#all(key)).map(getAnthropicModel);
    const after = all.findIndex((model) => model.id === query["after_id"]);
    const before = all.findIndex((model) => model.id === query["before_id"]);
    const from = after + 1;
    const to = before < 0 ? all.length : before;
    const requested = Number(query["limit"]);
    const limit = Number.isInteger(requested) && requested > 0 ? requested : all.length;
    const data = all.slice(from, Math.min(to, from + limit));
    return {
      data,
      has_more: from + data.length < to,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }

  /**
   * Lists models in Google's format, with its paging: `pageSize` (50 by default, at most 1,000) and `pageToken`.
   * @throws GatewayError
   */
  async google(key: RingKey, query: Readonly<Record<string, unknown>>): Promise<GoogleModelList> {
    const all = await this.#all(key);
    const token = query["pageToken"];
    const before = all.findIndex((listed) => createPageToken(listed) === token);
    if (before < 0 && typeof token === "string" && token !== "") throw createTokenError();
    const requested = Number(query["pageSize"]);
    const size = Number.isInteger(requested) && requested > 0 ? Math.min(requested, 1_000) : 50;
    const page = all.slice(before + 1, before + 1 + size);
    const last = page.at(-1);
    const hasMore = last !== undefined && last !== all.at(-1);
    return { models: page.map(getGoogleModel), ...(hasMore ? { nextPageToken: createPageToken(last) } : {}) };
  }

  /** Lists models in the format of Ollama's `/api/tags`. */
  async ollama(key: RingKey): Promise<{ readonly models: readonly OllamaModel[] }> {
    const all = (await this.#all(key)).map(getOllamaFacts).filter(isForOllama);
    return { models: all.map(buildOllamaModel) };
  }

  /**
   * Finds a model by the name that a client of Ollama uses, which may have the tag `:latest` in addition or not at all.
   * @returns its name here, and what the catalog knows of it; of a route's models, of one that takes the least
   */
  async findForOllama(
    key: RingKey,
    given: string,
  ): Promise<{ readonly name: string; readonly spec: ModelSpec | null }> {
    const bare = given.endsWith(LATEST) ? given.slice(0, -LATEST.length) : `${given}${LATEST}`;
    const find = (name: string): Listed | null => this.#find(key, name);
    const isKnown = this.#index.find(given) !== undefined || this.#routes.find(given) !== undefined;
    if (!isKnown) await this.waitUntilListed();
    const name = find(given) === null && find(bare) !== null ? bare : given;
    const listed = find(name);
    const models = listed === null ? [] : listAliasedModels(listed);
    const [least] = models.filter(({ spec }) => spec?.reasoning === undefined);
    return { name, spec: (least ?? models[0])?.spec ?? null };
  }

  /** Returns a model. @throws GatewayError model_not_found if this key does not have it, model_list_pending */
  async one<S extends keyof typeof SHAPES>(
    key: RingKey,
    id: string,
    shape: S,
  ): Promise<ReturnType<(typeof SHAPES)[S]>> {
    await this.waitUntilListed();
    const listed = this.#find(key, id);
    if (listed === null && this.#index.find(id) !== undefined) throw createModelNotFound(id);
    if (listed === null)
      throw createUnservedError(id, this.#index, this.#discovery, () => this.#listAllowed(key).map(getName));
    return SHAPES[shape](listed) as ReturnType<(typeof SHAPES)[S]>;
  }

  /** Whether a model makes images and converses with no one: Google's dialect has one operation for both. */
  isForImages(name: string): boolean {
    const capabilities = this.#index.find(name)?.capabilities ?? [];
    return capabilities.includes("image") && !capabilities.includes("chat");
  }

  #find(key: RingKey, id: string): Listed | null {
    const route = this.#routes.find(id);
    if (route !== undefined) return routeOffer(route, this.#index, key.record.models);
    const servedModel = this.#index.find(id);
    if (servedModel === undefined || !isServed(servedModel) || !isAllowed(key.record.models, servedModel)) return null;
    const elsewhere = this.#index.getTarget(id) !== undefined || this.#routes.find(servedModel.id) !== undefined;
    return { name: elsewhere ? id : servedModel.id, servedModel };
  }

  /** Returns the models with a capability that the key may use, from lists that are already loaded. */
  getIds(key: RingKey, capability: Capability): readonly string[] {
    return this.#listAllowed(key)
      .filter((listed) => listAliasedModels(listed).some((model) => model.capabilities.includes(capability)))
      .map(getName);
  }

  async #all(key: RingKey): Promise<readonly Listed[]> {
    await this.waitUntilListed();
    return this.#listAllowed(key);
  }

  #listAllowed({ record }: RingKey): readonly Listed[] {
    return listAllowed(record.models, this.#index, this.#routes);
  }

  /** Resolves when the sandbox serves and new providers have reported their models, or after 3 s. */
  async waitUntilListed(): Promise<void> {
    await this.#discovery.waitUntilListed(TIMEOUT_MS);
  }
}

/**
 * Lists routes first, then aliases, then all models that neither replaces.
 * @param allowed models of the key; null: all
 */
function listAllowed(
  allowed: readonly string[] | null,
  index: Pick<ModelIndex, "find" | "offers">,
  routes: Pick<Routes, "list">,
): readonly Listed[] {
  const names = new Set(routes.list().map(({ id }) => id));
  const models = index.offers().filter(({ name, servedModel }) => {
    return !names.has(name) && isServed(servedModel) && isAllowed(allowed, servedModel);
  });
  return [...routes.list().flatMap((route) => routeOffer(route, index, allowed) ?? []), ...models];
}

/** The names that a key may use, as `listAllowed` has them. */
export function listAllowedNames(...allowed: Parameters<typeof listAllowed>): readonly string[] {
  return listAllowed(...allowed).map(getName);
}

/** Whether this gateway has an endpoint for the model, and shows it. */
export function isServed({ capabilities, unlisted }: ServedModel): boolean {
  return capabilities.length > 0 && unlisted !== true;
}

function isAllowed(allowed: readonly string[] | null, servedModel: ServedModel): boolean {
  return modelAllowed(allowed, getNames(servedModel));
}

/** Providers that do not say when a model was made get this: 2024-01-01. Clients want an integer. */
const UNKNOWN_CREATED = 1_704_067_200;

const listAliasedModels = (listed: Listed): readonly ServedModel[] =>
  "route" in listed ? listed.models : [listed.servedModel];

/** Context size in tokens; 0 if unknown. */
const getContext = ({ discovered, spec }: ServedModel): number =>
  discovered?.context_length ?? spec?.contextLength ?? 0;

const getName = (listed: Listed): string => ("route" in listed ? listed.route.id : listed.name);

/** Unix seconds. */
function getCreated(listed: Listed): number {
  if ("route" in listed) return Math.floor(listed.route.created_at / 1_000);
  return listed.servedModel.discovered?.created ?? listed.servedModel.spec?.created ?? UNKNOWN_CREATED;
}

/** Renders an entry as OpenAI's model; an alias becomes a separate model with its target's data. */
function createOpenaiModel(listed: Listed): Model {
  if ("route" in listed) return routeModel(listed);
  const { name, servedModel } = listed;
  const { spec, discovered } = servedModel;
  const first = servedModel.candidates[0];
  return {
    id: name,
    object: "model",
    created: getCreated(listed),
    owned_by: spec?.owner ?? discovered?.owned_by ?? first?.connection.name ?? "unknown",
    capabilities: [...servedModel.capabilities],
    endpoints: servedModel.capabilities.flatMap((capability) => ENDPOINTS[capability]),
    context_length: getContext(servedModel) || null,
    pricing: createPricingView(first?.price ?? null),
    provider: first === undefined ? "" : providerName(first),
  };
}

const isEnding = ({ spec, listedEnd }: ServedModel): boolean =>
  listedEnd !== undefined || (spec !== null && findEnding(spec) !== null);

function getAnthropicModel(listed: Listed): AnthropicModel {
  const id = getName(listed);
  const models = listAliasedModels(listed);
  const named = "route" in listed || id !== listed.servedModel.id ? undefined : listed.servedModel.spec?.displayName;
  return {
    type: "model",
    id,
    display_name: named ?? id,
    created_at: new Date(getCreated(listed) * 1_000).toISOString().replace(/\.\d+Z$/, "Z"),
    // The newest SDKs of Anthropic require it (anthropic-sdk-python 2.14.0, types/model_info.py, 2026-11-28).
    lifecycle: models.every(isEnding) ? "deprecated" : "active",
    max_input_tokens: Math.max(...models.map(getContext)) || null,
    max_tokens:
      Math.max(...models.map(({ discovered, spec }) => discovered?.max_output ?? spec?.maxOutput ?? 0)) || null,
  };
}

/** Operations of Google's dialect by capability. */
const GOOGLE_METHODS: Readonly<Partial<Record<Capability, readonly string[]>>> = {
  chat: ["generateContent", "streamGenerateContent", "countTokens"],
  embedding: ["embedContent", "batchEmbedContents"],
};

function getGoogleModel(listed: Listed): GoogleModel {
  const { id, display_name: displayName, max_input_tokens: input, max_tokens: output } = getAnthropicModel(listed);
  const models = listAliasedModels(listed);
  const capabilities = new Set(models.flatMap((model) => model.capabilities));
  return {
    name: `models/${id}`,
    baseModelId: id,
    version: "1",
    displayName,
    description: `Served by ${[...new Set(models.flatMap(({ candidates }) => candidates.slice(0, 1).map(providerName)))].join(", ")}.`,
    ...(input === null ? {} : { inputTokenLimit: input }),
    ...(output === null ? {} : { outputTokenLimit: output }),
    supportedGenerationMethods: [...capabilities].flatMap((capability) => GOOGLE_METHODS[capability] ?? []),
    ...(models.some(({ spec }) => spec?.reasoning !== undefined) ? { thinking: true } : {}),
  };
}

/** An id in an address's alphabet. */
const createPageToken = (listed: Listed): string => Buffer.from(getName(listed)).toString("base64url");

function createTokenError(): GatewayError {
  return new GatewayError("invalid_value", "The 'pageToken' is of no list that is there now. Ask without it.", {
    param: "pageToken",
  });
}

/** Tag of Ollama's names that stands for none. */
const LATEST = ":latest";

function getOllamaFacts(listed: Listed): OllamaFacts {
  const models = listAliasedModels(listed);
  return {
    name: getName(listed),
    created: getCreated(listed),
    owner: "route" in listed ? "postern" : createOpenaiModel(listed).owned_by,
    contextLength: Math.max(...models.map(getContext)),
    models,
  };
}

const getOllamaShow = (listed: Listed): OllamaShow => buildOllamaShow(getOllamaFacts(listed));

const SHAPES = {
  openai: createOpenaiModel,
  anthropic: getAnthropicModel,
  google: getGoogleModel,
  ollamaShow: getOllamaShow,
} as const;
