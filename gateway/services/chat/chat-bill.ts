import type { Billed, Units, Usage } from "../../core/models/model.ts";
import type { Price, PriceFacts } from "../../core/models/model.ts";
import { countToolFees, readIterations } from "../../core/money/reported-bill.ts";
import type { ReportedBill } from "../../core/money/reported-bill.ts";
import { findCharge } from "../models/price-at.ts";
import { getSpec } from "../models/served-by.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";

/** Inputs of a bill in addition to the response. */
export interface BillContext {
  readonly candidate: Candidate;
  readonly servedModel: ServedModel;
  readonly toUnits: (usage: unknown) => Units | null;
  /** Finds a model by any of its names; undefined if no connection serves it. */
  readonly findModel: (name: string) => ServedModel | undefined;
}

/** The model that responded instead of the requested one. */
export interface AnsweringModel {
  readonly id: string;
  readonly price: Price | null;
}

/** Adds all billing data of the response to the counted units: searches, further iterations, and what was charged. */
export function composeBill(
  units: Units,
  served: PriceFacts | undefined,
  reported: ReportedBill,
  context: BillContext,
): Billed {
  const { candidate } = context;
  const charged = findCharge(reported.usage, candidate);
  const fees = countToolFees(reported.output);
  const answering = findAnswering(reported, context);
  const first: Usage = {
    units: Object.keys(fees).length === 0 ? units : { ...fees, ...units },
    ...(served === undefined ? {} : { served }),
    ...(charged === null ? {} : { charged }),
    ...(answering === null ? {} : { price: answering.price }),
  };
  // A charge reported by the provider covers the whole response.
  const more = charged === null ? readIterations(reported.usage) : [];
  if (more.length === 0 && first.units === units && Object.keys(first).length === 1) return units;
  const others = more.flatMap(({ model, usage }): Usage[] => {
    const used = context.toUnits(usage);
    if (used === null) return [];
    const price = model === null ? undefined : findOtherPrice(model, context);
    return [{ units: used, ...(served === undefined ? {} : { served }), ...(price === undefined ? {} : { price }) }];
  });
  return [first, ...others];
}

/**
 * Returns the model that responded, if the catalog lists it as another one of the same owner: retired names and
 * automatic selection lead to models with their own prices. Null if it is the requested model, or the price is not the
 * catalog's.
 */
export function findAnswering(
  reported: ReportedBill,
  { candidate, servedModel, findModel }: BillContext,
): AnsweringModel | null {
  const { spec } = servedModel;
  if (spec === null || typeof reported.model !== "string" || reported.model === candidate.upstreamModel) return null;
  if (candidate.listPrice !== undefined || candidate.price?.always === true) return null;
  const known = getSpec(reported.model);
  if (known === undefined || known.id === spec.id || known.owner !== spec.owner) return null;
  const found = findModel(known.id);
  const there = found?.candidates.find(({ connection }) => connection === candidate.connection);
  return found === undefined || there === undefined ? null : { id: found.id, price: there.price };
}

function findOtherPrice(model: string, { candidate, findModel }: BillContext): Price | null | undefined {
  const found = findModel(model)?.candidates.find(({ connection }) => connection === candidate.connection);
  return found?.price ?? undefined;
}
