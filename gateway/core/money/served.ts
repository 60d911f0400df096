import type { Price, PriceFacts } from "../models/model.ts";
import { multiplied } from "./price.ts";

/**
 * Fields of requests and answers that say how a call is or was served, and what each says where that is as usual.
 * OpenAI, Google and Anthropic name the tier of processing so; Anthropic's fast mode and the region of its inference
 * have names of their own. Everything else costs more or less than the usual price.
 */
const USUAL = {
  service_tier: ["auto", "default", "standard", "standard_only", "on_demand"],
  speed: ["standard"],
  inference_geo: ["global", "not_available"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ServedField = keyof typeof USUAL;

/** What a response said of these fields; a field that its dialect does not have is missing. */
export type ServedTold = Readonly<Partial<Record<ServedField, unknown>>>;

/**
 * How a call was served, as far as its price hangs on that; undefined where it was as usual. The response's word goes
 * before the request's: who asks for a tier may be served by another.
 * @param told by the response. @param asked the request as it was sent.
 */
export function servedFacts(told: ServedTold, asked: Readonly<Record<string, unknown>>): PriceFacts | undefined {
  let facts: Record<string, string> | undefined;
  for (const field in told) {
    const said = told[field as ServedField] ?? asked[field];
    if (typeof said !== "string" || said === "") continue;
    const value = said.toLowerCase();
    if (!(USUAL[field as ServedField] as readonly string[]).includes(value)) (facts ??= {})[field] = value;
  }
  return facts;
}

/** The most that a request may be sold at: at the usual price, or at the higher one of the way in which it asks to be served. */
export function dearestServed(price: Price | null, asked: Readonly<Record<string, unknown>>): Price | null {
  if (price?.factors === undefined || price.always === true) return price;
  let factor = 1;
  for (const [fact, factors] of Object.entries(price.factors)) {
    const value = asked[fact];
    if (typeof value === "string") factor *= Math.max(1, factors[value.toLowerCase()] ?? 1);
  }
  return factor === 1 ? price : multiplied(price, factor, "as asked");
}
