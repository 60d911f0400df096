import { MAX_ALIASES } from "../../contract/model-view.ts";
import type { OwnRates } from "../../contract/model-view.ts";
import { GatewayError } from "../../core/errors.ts";
import { priceGap, priceTooHigh } from "../../core/money/own-price.ts";
import { redact } from "../../lib/redact.ts";
import type { Change, Document } from "../../store/document.ts";
import { isModelName, getPublicId } from "./public-id.ts";
import type { KnownModels } from "./public-id.ts";

const MOST_PRICES = 5_000;

/** State that aliases and custom prices must be consistent with. */
export interface OwnWorld {
  readonly document: Pick<Document, "aliases" | "routes" | "prices">;
  readonly index: KnownModels;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Changes to write, and the id that they are about. */
export interface Changed {
  readonly id: string;
  readonly changes: readonly Change[];
}

/**
 * Builds the record of an alias.
 * @throws GatewayError invalid_value if the name is already used, or the model is itself an alias
 */
export function newAlias(name: string, model: string, { index, document, now }: OwnWorld): Changed {
  const { aliases, routes } = document;
  if (routes.has(name)) throw createRefusal("name", `"${name}" is the name of a route already. Choose another name.`);
  if (routes.has(model) && !isModelName(index, model))
    throw createRefusal("model", `"${model}" is a route. Clients call it by that name; give the new name to a model.`);
  if (aliases.has(model))
    throw createRefusal(
      "model",
      `"${model}" is a name of your own for "${redact(aliases.get(model)?.model ?? "")}". Let the new name stand for that model itself.`,
    );
  const id = getPublicId(index, model);
  const before = aliases.get(name);
  if (before === undefined) {
    const known = index.findId(name);
    if (known !== undefined || name === id) {
      const same = known === undefined || known.id === name;
      throw createRefusal(
        "name",
        `"${name}" ${same ? "is the id of a model already" : `means the model "${known.id}" already`}. Choose another name.`,
      );
    }
    if ([...aliases.values()].some((alias) => alias.model === name))
      throw createRefusal("name", `"${name}" is what another name of your own stands for. Choose another name.`);
    if (aliases.size >= MAX_ALIASES)
      throw createRefusal("name", `There are ${MAX_ALIASES} names of your own already. Remove one first.`);
  }
  const record = { id: name, model: id, created_at: before?.created_at ?? now };
  return { id, changes: [{ op: "put", in: "aliases", record }] };
}

/**
 * Creates the price of a model.
 * @param rates 10⁻⁹ USD per 10⁶ units
 * @throws GatewayError invalid_value if calls of the model could not be billed with it
 */
export function newPrice(model: string, rates: OwnRates, { index, document, now }: OwnWorld): Changed {
  const servedModel = index.find(model);
  const id = getPublicId(index, index.getTarget(model) ?? model);
  const gap = priceGap(rates, servedModel?.capabilities ?? []);
  if (gap !== null) throw createRefusal("rates", gap);
  const { prices } = document;
  const tooHigh = priceTooHigh(rates, prices.get(id)?.rates);
  if (tooHigh !== null) throw createRefusal(`rates.${tooHigh.unit}`, tooHigh.sentence);
  if (!prices.has(id) && prices.size >= MOST_PRICES)
    throw createRefusal("model", `There are ${MOST_PRICES} prices of your own already. Remove one first.`);
  const as_of = new Date(now).toISOString().slice(0, 10);
  const earlier = servedModel?.spelling !== undefined && prices.has(servedModel.spelling) ? [servedModel.spelling] : [];
  return {
    id,
    changes: [
      { op: "put", in: "prices", record: { id, rates, as_of } },
      ...earlier.map((spelling): Change => ({ op: "delete", in: "prices", id: spelling })),
    ],
  };
}

function createRefusal(param: string, message: string): GatewayError {
  return new GatewayError("invalid_value", message, { param });
}
