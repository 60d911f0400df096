import type { ModelView, PriceView, Rates } from "../../../../gateway/contract/model-view.ts";
import { modelView } from "../../../support/views.ts";

/** A model with its endpoints, a context and a longest output. */
export function chatModelView(change: Partial<ModelView> = {}): ModelView {
  return modelView({
    connections: ["OpenAI"],
    endpoints: ["/v1/chat/completions", "/v1/responses", "/v1/messages"],
    context_length: 400_000,
    max_output: 128_000,
    ...change,
  });
}

export function priceView(rates: Rates, over: Partial<PriceView> = {}): PriceView {
  return { tiers: [{ above: 0, rates }], variants: [], source: "a price list", as_of: "2026-11-01", ...over };
}
