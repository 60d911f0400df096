import type { ModelView } from "../../../gateway/contract/model-view.ts";
import { demands, meetsDemand, type Demand } from "../../components/model-picker/demands.ts";

/** Capabilities as the page lists them: Anthropic's dialect is one more way to converse. */
export const abilities = [
  "chat",
  "embedding",
  "speech",
  "transcription",
  "image",
  "image_edit",
  "video",
  "moderation",
] as const;
export type Ability = (typeof abilities)[number];

export const priceFilters = ["priced", "unpriced", "own"] as const;

export function getAbilities({ capabilities }: ModelView): readonly Ability[] {
  return abilities.filter((ability) => capabilities.includes(ability));
}

export const takes = ["pictures", "files", "tools", "json_schema", "web_search"] as const;
export type Take = (typeof takes)[number];

/** Returns the inputs in addition to text that a model surely takes, or surely does not. */
export const listInputs = ({ abilities: known }: ModelView, does: boolean): readonly Take[] =>
  takes.filter((take) => known?.[take] === does);

/** The kind of the playground that tries an ability. */
export const playgroundKinds: Readonly<Partial<Record<Ability, string>>> = {
  chat: "chat",
  embedding: "embedding",
  speech: "speech",
  transcription: "transcription",
  image: "image",
  image_edit: "edit",
  video: "video",
};

/** Filters that are part of the page's address. */
export const filterParams = ["q", "can", "has", "price"] as const;

export const hasFilter = (params: URLSearchParams): boolean =>
  (params.get("q") ?? "") !== "" ||
  (params.get("can") ?? "") !== "" ||
  getDemands(params).size > 0 ||
  getPriceFilter(params) !== undefined;

/** The demands in `has`, with commas between. */
export function getDemands(params: URLSearchParams): ReadonlySet<Demand> {
  const named = (params.get("has") ?? "").split(",");
  return new Set(demands.filter((demand) => named.includes(demand)));
}

const getPriceFilter = (params: URLSearchParams): (typeof priceFilters)[number] | undefined =>
  priceFilters.find((each) => each === params.get("price"));

/** Tells whether the address opens the price form of its `model`: `#/models?model=ID&price`. */
export const asksPrice = (params: URLSearchParams): boolean =>
  params.has("model") && params.has("price") && getPriceFilter(params) === undefined;

/** The models that the address asks for: each word of `q` in any of its names, `can`, `has`, `price`. */
export function filterModels(models: readonly ModelView[], params: URLSearchParams): readonly ModelView[] {
  const words = (params.get("q") ?? "")
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  const can = abilities.find((ability) => ability === params.get("can"));
  const required = [...getDemands(params)];
  const price = getPriceFilter(params);
  if (!hasFilter(params)) return models;
  return models.filter(
    (model) =>
      (can === undefined || model.capabilities.includes(can)) &&
      required.every((demand) => meetsDemand(model, demand)) &&
      (price === undefined || hasPrice(model, price)) &&
      words.every((word) => getNames(model).some((name) => name.toLowerCase().includes(word))),
  );
}

function hasPrice(model: ModelView, price: (typeof priceFilters)[number]): boolean {
  if (price === "own") return model.own_price;
  return (model.price !== null) === (price === "priced");
}

const getNames = (model: ModelView): readonly string[] => [
  model.id,
  model.name,
  model.owner,
  model.provider,
  model.group,
  ...model.connections,
  ...model.aliases,
  ...model.other_names,
];
