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

/** How long an unknown model may wait for providers to tell what is new. */
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

  /** A model by any of its names, no route's; undefined where no enabled connection serves it. */
  findServed(id: string): ServedModel | undefined {
    return this.#index.find(id);
  }

  /**
   * Keeps the candidates that can do this; null where none can. Where no one says what the model is for, its servers
   * decide.
   */
  able(servedModel: ServedModel, capability: Capability): ServedModel | null {
    // A single candidate can do what the model can.
    if (servedModel.candidates.length === 1 && servedModel.capabilities.includes(capability)) return servedModel;
    const isOpen =
      servedModel.capabilities.includes(capability) || servedModel.candidates.every(({ kinds }) => kinds === undefined);
    const canServe = ({ connection, kinds }: Candidate): boolean =>
      kinds?.includes(capability) ?? (isOpen && canDo(connection.provider, capability));
    if (servedModel.candidates.every(canServe)) return servedModel;
    const able = servedModel.candidates.filter(canServe);
    return able.length === 0 ? null : { ...servedModel, candidates: able };
  }

  /** Names of the connections whose first list is still on its way. */
  get awaited(): readonly string[] {
    return this.#discovery.awaited;
  }

  /** Resolves when the sandbox serves and providers have reported models, some of them again, or after some seconds. */
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
   * The model of a video call that names none: the first from words alone that may be used and has no announced end.
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

  /** The public id of a model by any of its names; the name itself where no one knows it. */
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
   * The way to a model. One that no one knows is looked for once more at the providers: their first list may still be on
   * its way, and people pull new local models while we run.
   * @param allowed models of the key, one of which the error may propose; null: all
   * @throws GatewayError model_not_found; model_list_pending where a first list has not come by then;
   * endpoint_model_mismatch.
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
