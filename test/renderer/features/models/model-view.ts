import type { ModelView, PriceView, Rates } from "../../../../gateway/contract/model-view.ts";

/** A chat model as the gateway tells of it. */
export function modelView(over: Partial<ModelView> = {}): ModelView {
  const id = over.id ?? "gpt-5.4";
  return {
    id,
    name: id,
    owner: "openai",
    provider: "openai",
    group: "OpenAI",
    connections: ["OpenAI"],
    capabilities: ["chat", "messages"],
    endpoints: ["/v1/chat/completions", "/v1/responses", "/v1/messages"],
    context_length: 400_000,
    max_output: 128_000,
    input_nano_per_million: null,
    output_nano_per_million: null,
    price: null,
    own_price: false,
    list_price: null,
    aliases: [],
    other_names: [],
    hidden_by: null,
    sandbox: false,
    served: true,
    ...over,
  };
}

export function priceView(rates: Rates, over: Partial<PriceView> = {}): PriceView {
  return { tiers: [{ above: 0, rates }], variants: [], source: "a price list", as_of: "2026-11-01", ...over };
}
