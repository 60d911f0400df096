import type { ModelView } from "../../../gateway/contract/model-view.ts";

/** Demands on a model beyond its kind, on the Models page and in the picker. */

/** Features that lists of models show, as `abilities` names them, and reasoning. */
export const features = ["pictures", "tools", "reasoning", "json_schema"] as const;
export type Feature = (typeof features)[number];

/** Least context windows in tokens, and the highest input prices in USD per million tokens. */
export const limits = ["context_128k", "context_200k", "context_1m", "under_1", "under_5"] as const;
export type Limit = (typeof limits)[number];

export const demands = [...features, ...limits] as const;
export type Demand = (typeof demands)[number];

type Facts = Pick<ModelView, "abilities" | "reasoning" | "context_length" | "input_nano_per_million">;

/** Tells whether a model has a feature; undefined if unknown. */
export const hasFeature = ({ abilities, reasoning }: Facts, feature: Feature): boolean | undefined =>
  feature === "reasoning" ? reasoning : abilities?.[feature];

const CONTEXTS: Readonly<Partial<Record<Demand, number>>> = {
  context_128k: 128_000,
  context_200k: 200_000,
  context_1m: 1_000_000,
};
/** Input prices per million tokens, 10⁻⁹ USD. */
const PRICES: Readonly<Partial<Record<Demand, number>>> = { under_1: 1_000_000_000, under_5: 5_000_000_000 };

export const isFeature = (demand: Demand): demand is Feature => (features as readonly Demand[]).includes(demand);
export const isContext = (demand: Demand): boolean => CONTEXTS[demand] !== undefined;
export const isPrice = (demand: Demand): boolean => PRICES[demand] !== undefined;

/** Whether a model surely meets a demand. */
export function meetsDemand(model: Facts, demand: Demand): boolean {
  const [context, price] = [CONTEXTS[demand], PRICES[demand]];
  if (context !== undefined) return (model.context_length ?? 0) >= context;
  if (price !== undefined) return model.input_nano_per_million !== null && model.input_nano_per_million < price;
  return isFeature(demand) && hasFeature(model, demand) === true;
}

/** Returns the demands that some, but not all, of the models meet: others would filter nothing. */
export const listUseful = (models: readonly Facts[]): readonly Demand[] =>
  demands.filter((demand) => {
    const count = models.filter((model) => meetsDemand(model, demand)).length;
    return count > 0 && count < models.length;
  });

/** Returns the demands with `next` in place of `old`. @param next anything but a demand: none */
export const replaceDemand = (
  chosen: ReadonlySet<Demand>,
  old: Demand | undefined,
  next: string,
): ReadonlySet<Demand> => new Set(demands.filter((each) => each === next || (chosen.has(each) && each !== old)));

/** Returns the demands after a toggle: only one context and one price apply. */
export function toggleDemand(chosen: ReadonlySet<Demand>, pressed: Demand): ReadonlySet<Demand> {
  if (chosen.has(pressed)) return replaceDemand(chosen, pressed, "");
  const isSame = [isContext, isPrice].find((isKind) => isKind(pressed)) ?? (() => false);
  return replaceDemand(chosen, [...chosen].find(isSame), pressed);
}
