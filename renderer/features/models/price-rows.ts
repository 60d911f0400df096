import type { ModelView, OwnRates, OwnUnit } from "../../../gateway/contract/model-view.ts";
import { getNano } from "../../lib/typed.ts";
import { readPrice, type PriceDraft } from "./price-draft.ts";

/** Returns the served models without a price, excluding the sandbox's. */
export function getUnpriced(models: readonly ModelView[]): readonly ModelView[] {
  return models.filter(({ price, served, sandbox }) => price === null && served && !sandbox);
}

/** A model that was called and is in no list: nothing is known of it but its id, and it can have a price. */
export function unlistedModel(id: string): ModelView {
  return {
    id,
    name: id,
    owner: "",
    provider: "",
    group: "",
    connections: [],
    capabilities: [],
    endpoints: [],
    context_length: null,
    max_output: null,
    input_nano_per_million: null,
    output_nano_per_million: null,
    price: null,
    own_price: false,
    list_price: null,
    aliases: [],
    other_names: [],
    hidden_by: null,
    sandbox: false,
    served: false,
  };
}

const UNITS: readonly (readonly [string, readonly OwnUnit[]])[] = [
  ["chat", ["input", "output"]],
  ["messages", ["input", "output"]],
  ["embedding", ["input"]],
  ["speech", ["character"]],
  ["transcription", ["second"]],
  ["image", ["image"]],
  ["image_edit", ["image"]],
  ["video", ["second"]],
];

/** The one or two units that a model is sold by; the rest is in its own dialog. */
export function getUnits({ capabilities }: ModelView): readonly OwnUnit[] {
  return UNITS.find(([capability]) => capabilities.includes(capability))?.[1] ?? ["input", "output"];
}

/** Typed prices by model id. */
export type PriceDrafts = Readonly<Record<string, PriceDraft>>;

export interface ReadRows {
  readonly prices: readonly { readonly model: ModelView; readonly rates: OwnRates }[];
  /** Ids of models with an invalid amount. */
  readonly invalid: ReadonlySet<string>;
}

/** The rows in which something is typed. */
export function readRows(models: readonly ModelView[], drafts: PriceDrafts): ReadRows {
  const prices: { model: ModelView; rates: OwnRates }[] = [];
  const invalid = new Set<string>();
  for (const model of models) {
    const read = readPrice(drafts[model.id] ?? {}, getUnits(model));
    if (!read.ok) invalid.add(model.id);
    else if (Object.keys(read.rates).length > 0) prices.push({ model, rates: read.rates });
  }
  return { prices, invalid };
}

/** All that is empty costs nothing, as models on one's own machine do. */
export function withZeros(models: readonly ModelView[], drafts: PriceDrafts): PriceDrafts {
  const zeros = models.map((model) => {
    const given = drafts[model.id] ?? {};
    const empty = getUnits(model).every((unit) => (given[unit] ?? "").trim() === "");
    return [model.id, empty ? Object.fromEntries(getUnits(model).map((unit) => [unit, "0"])) : given];
  });
  return { ...drafts, ...Object.fromEntries(zeros) };
}

export interface PastedPrices {
  readonly drafts: PriceDrafts;
  /** How many models got a price by it. */
  readonly filled: number;
  /** First word of each line that has no known model, or no amount. */
  readonly unknown: readonly string[];
}

/**
 * Puts a pasted list into the rows. One model a line: its id or another of its names, then one amount for each unit, in
 * USD; apart by tabs, commas, semicolons, bars or blanks.
 */
export function pastePrices(text: string, models: readonly ModelView[], drafts: PriceDrafts): PastedPrices {
  const byName = new Map<string, ModelView>();
  for (const model of models.toReversed())
    for (const name of [...model.other_names, model.name, ...model.aliases, model.id])
      byName.set(name.toLowerCase(), model);
  const filled: Record<string, PriceDraft> = {};
  const unknown: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const cells = line.split(/[\t,;|]|\s+/).filter((cell) => cell !== "");
    const [first] = cells;
    if (first === undefined) continue;
    const amounts = cells.slice(1).filter((cell) => getNano(cell) !== null);
    const model = byName.get(first.toLowerCase());
    if (model === undefined || amounts.length === 0) {
      unknown.push(first);
      continue;
    }
    filled[model.id] = Object.fromEntries(
      getUnits(model).flatMap((unit, at) => (amounts[at] === undefined ? [] : [[unit, amounts[at]]])),
    );
  }
  return { drafts: { ...drafts, ...filled }, filled: Object.keys(filled).length, unknown };
}
