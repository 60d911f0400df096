import { findEnding } from "../../catalog/endings.ts";
import { modelAllowed } from "../../core/glob.ts";
import { ENDPOINTS } from "../../core/models/capability.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Capability } from "../../core/models/model.ts";
import { within } from "../../lib/within.ts";
import { canDo } from "../../providers/abilities.ts";
import type { Discovery } from "./discovery.ts";
import { createUnservedError } from "./unserved.ts";
import { listAllowedNames } from "./list-models.ts";
import type { Routes } from "../routes/routes.ts";
import type { ModelIndex } from "./model-index.ts";
import { getNames } from "./served-model.ts";
import type { Candidate, ServedModel } from "./served-model.ts";

/** Max milliseconds that a request for an unknown model waits for updated lists. */
const TIMEOUT_MS = 4_000;

export class ResolveModel {
  readonly #index: ModelIndex;
  readonly #discovery: Discovery;
  readonly #routes: Pick<Routes, "find" | "list">;

  constructor(index: ModelIndex, discovery: Discovery, routes: Pick<Routes, "find" | "list">) {
    this.#index = index;
    this.#discovery = discovery;
    this.#routes = routes;
  }

  /** Finds a model by any of its names, routes excluded; undefined if no enabled connection serves it. */
  findServed(id: string): ServedModel | undefined {
    return this.#index.find(id);
  }

  /**
   * Keeps the candidates with this capability; null if none exists. If a model's capabilities are unknown, its servers
   * decide.
   */
  able(servedModel: ServedModel, capability: Capability): ServedModel | null {
    // A single candidate has the model's capabilities.
    if (servedModel.candidates.length === 1 && servedModel.capabilities.includes(capability)) return servedModel;
    const isOpen =
      servedModel.capabilities.includes(capability) || servedModel.candidates.every(({ kinds }) => kinds === undefined);
    const canServe = ({ connection, kinds }: Candidate): boolean =>
      kinds?.includes(capability) ?? (isOpen && canDo(connection.provider, capability));
    if (servedModel.candidates.every(canServe)) return servedModel;
    const able = servedModel.candidates.filter(canServe);
    return able.length === 0 ? null : { ...servedModel, candidates: able };
  }

  /** Names of the connections whose first model list is still loading. */
  get awaited(): readonly string[] {
    return this.#discovery.awaited;
  }

  /** Resolves when the sandbox serves and providers have reported or refreshed their models, or after a few seconds. */
  async waitUntilReported(): Promise<void> {
    await this.#discovery.waitUntilListed(TIMEOUT_MS);
    await within(this.#discovery.askAgain(), TIMEOUT_MS);
  }

  /**
   * Returns a model that is known already, the usual case, without waiting. A route's name means its first model with the
   * capability, for callers that do not follow the route.
   * @throws GatewayError endpoint_model_mismatch.
   */
  findKnown(id: string, capability: Capability): ServedModel | undefined {
    const servedModel = this.#firstOfRoute(id, capability) ?? this.#index.find(id);
    if (servedModel === undefined) return undefined;
    const able = this.able(servedModel, capability);
    if (able === null) throw mismatch(servedModel, capability);
    return able;
  }

  /**
   * Returns the default model of video calls: the first allowed text-to-video model without an announced end.
   * @param allowed models of the key; null: all
   */
  findDefaultVideo(allowed: readonly string[] | null): string | undefined {
    const isDefault = (servedModel: ServedModel): boolean => {
      const { spec } = servedModel;
      if (spec?.video === undefined || !["any", "t2v"].includes(spec.video.kind) || findEnding(spec) !== null)
        return false;
      return this.able(servedModel, "video") !== null && modelAllowed(allowed, getNames(servedModel));
    };
    return this.#index.list().find(isDefault)?.id;
  }

  /** A key that may use the route may use its models. */
  #firstOfRoute(name: string, capability: Capability): ServedModel | undefined {
    const route = this.#routes.find(name);
    if (route === undefined) return undefined;
    const models = route.models.map((id) => this.#index.find(id));
    const first =
      models.find((servedModel) => servedModel?.capabilities.includes(capability)) ??
      models.find((servedModel) => servedModel !== undefined && this.able(servedModel, capability) !== null);
    return first === undefined ? undefined : { ...first, aliases: [...(first.aliases ?? []), name] };
  }

  /** Returns a model's public id for any of its names; the name itself if it is unknown. */
  getId(name: string): string {
    return this.#index.find(name)?.id ?? name;
  }

  /** Returns a model's public id for any of its names, and the id that earlier versions used. */
  getIds(name: string): readonly string[] {
    const servedModel = this.#index.find(name);
    if (servedModel === undefined) return [name];
    return servedModel.spelling === undefined ? [servedModel.id] : [servedModel.id, servedModel.spelling];
  }

  /**
   * Resolves a model. For an unknown one the providers' lists are refreshed: their first list may still be loading, and
   * users pull new local models.
   * @param allowed models of the key, of which the error may suggest one; null: all
   * @throws GatewayError model_not_found; model_list_pending if a first list is still missing; endpoint_model_mismatch.
   */
  async find(id: string, capability: Capability, allowed: readonly string[] | null = []): Promise<ServedModel> {
    const servedModel = this.findKnown(id, capability) ?? (await this.#findLate(id, capability));
    if (servedModel !== undefined) return servedModel;
    const unlisted = this.#discovery.awaited.length === 0 ? this.#index.findUnlisted(id) : undefined;
    const able = unlisted === undefined ? null : this.able(unlisted, capability);
    if (able !== null) return able;
    const listNames = (): readonly string[] => listAllowedNames(allowed, this.#index, this.#routes);
    throw createUnservedError(id, this.#index, this.#discovery, listNames);
  }

  async #findLate(id: string, capability: Capability): Promise<ServedModel | undefined> {
    await this.#discovery.waitUntilListed(TIMEOUT_MS);
    const first = this.findKnown(id, capability);
    if (first !== undefined) return first;
    await within(this.#discovery.askAgain(), TIMEOUT_MS);
    return this.findKnown(id, capability);
  }
}

function mismatch(servedModel: ServedModel, capability: Capability): GatewayError {
  const instead = servedModel.capabilities.flatMap((capability) => ENDPOINTS[capability].slice(0, 1));
  const hint =
    instead.length === 0 ? "It is for none of this gateway's endpoints." : `Use it on ${instead.join(" or ")}.`;
  return new GatewayError(
    "endpoint_model_mismatch",
    `The model "${servedModel.id}" does not serve ${ENDPOINTS[capability][0] ?? ""}. ${hint}`,
    { param: "model" },
  );
}
