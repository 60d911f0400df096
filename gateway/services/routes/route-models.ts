import type { Model } from "../../contract/models.ts";
import { modelAllowed } from "../../core/glob.ts";
import { ENDPOINTS } from "../../core/models/capability.ts";
import type { Capability } from "../../core/models/model.ts";
import { createPricingView } from "../../core/money/price-view.ts";
import type { StoredRoute } from "../../store/document.ts";
import { providerName } from "../calls/call-record.ts";
import type { ModelIndex } from "../models/model-index.ts";
import { getNames } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";

/** A route as clients find it among the models. */
export interface RouteOffer {
  readonly route: StoredRoute;
  /** The models of the route, then those of its rules, that are served and may be used: at least one. */
  readonly models: readonly [ServedModel, ...ServedModel[]];
}

/** Returns the models of a route as it names them, those of its rules after its own; each once. */
export function getModels({ models, rules }: Pick<StoredRoute, "models" | "rules">): readonly string[] {
  return [...new Set([...models, ...rules.flatMap((rule) => rule.models)])];
}

/**
 * @param allowed the models that a key may use, as ids or globs; null: all. The route's name allows all of its models.
 * @returns null if none of its models is served and allowed
 */
export function routeOffer(
  route: StoredRoute,
  index: Pick<ModelIndex, "find">,
  allowed: readonly string[] | null,
): RouteOffer | null {
  const whole = modelAllowed(allowed, [route.id]);
  const rules = route.rules.filter(({ enabled }) => enabled);
  const served = getModels({ models: route.models, rules }).flatMap((name) => index.find(name) ?? []);
  const [first, ...others] = served.filter(
    (model) => model.capabilities.length > 0 && (whole || modelAllowed(allowed, getNames(model))),
  );
  return first === undefined ? null : { route, models: [first, ...others] };
}

/** Builds a route's model from what its models have in common, or can do together. */
export function routeModel({ route, models }: RouteOffer): Model {
  const capabilities = (Object.keys(ENDPOINTS) as Capability[]).filter((capability) =>
    models.some((model) => model.capabilities.includes(capability)),
  );
  const contexts = models.map(({ discovered, spec }) => discovered?.context_length ?? spec?.contextLength ?? 0);
  const [pricing, ...others] = models.map(({ candidates }) => createPricingView(candidates[0]?.price ?? null));
  const [firstCandidate] = models[0].candidates;
  return {
    id: route.id,
    object: "model",
    created: Math.floor(route.created_at / 1_000),
    owned_by: "postern",
    capabilities,
    endpoints: capabilities.flatMap((capability) => ENDPOINTS[capability]),
    context_length: Math.max(...contexts) || null,
    pricing: others.every((other) => JSON.stringify(other) === JSON.stringify(pricing)) ? (pricing ?? null) : null,
    provider: firstCandidate === undefined ? "" : providerName(firstCandidate),
  };
}
