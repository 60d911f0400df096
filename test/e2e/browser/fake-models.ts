import type { ModelView, PriceView, Rates } from "../../../gateway/contract/model-view.ts";
import type { FakeControl } from "./fake-control.ts";

/** Models as a Postern has them that is connected to OpenAI and OpenRouter, for the pages' tests and pictures. */

export function serveModels(fake: FakeControl, models: readonly ModelView[]): void {
  fake.responses.set("GET /control/models", { status: 200, body: { data: models } });
}

const DOLLAR_A_MILLION = 1_000_000_000;
const DOLLAR_EACH = 1_000_000_000_000_000;

export function priceOf(rates: Rates, over: Partial<PriceView> = {}): PriceView {
  return { tiers: [{ above: 0, rates }], variants: [], source: "openai.com/api/pricing", as_of: "2026-10-26", ...over };
}

export function fakeModel(over: Partial<ModelView> & Pick<ModelView, "id">): ModelView {
  const { price = null } = over;
  return {
    name: over.id,
    owner: "openai",
    provider: "openai",
    group: "OpenAI",
    connections: ["OpenAI"],
    capabilities: ["chat", "messages"],
    endpoints: ["/v1/chat/completions", "/v1/responses", "/v1/messages"],
    context_length: 400_000,
    max_output: 128_000,
    input_nano_per_million: price?.tiers[0]?.rates.input ?? null,
    output_nano_per_million: price?.tiers[0]?.rates.output ?? null,
    price,
    own_price: false,
    list_price: price,
    aliases: [],
    other_names: [],
    hidden_by: null,
    sandbox: false,
    served: true,
    ...over,
  };
}

const chatPrice = priceOf({
  input: 2.5 * DOLLAR_A_MILLION,
  cached_input: 0.25 * DOLLAR_A_MILLION,
  output: 15 * DOLLAR_A_MILLION,
});

/** One of each kind. */
export const someModels: readonly ModelView[] = [
  fakeModel({ id: "gpt-5.4", name: "GPT-5.4", price: chatPrice, aliases: ["team/fast"] }),
  fakeModel({
    id: "gpt-5.4-mini",
    name: "GPT-5.4 mini",
    price: priceOf({ input: 0.75 * DOLLAR_A_MILLION, output: 4.5 * DOLLAR_A_MILLION }, { source: "owner" }),
    own_price: true,
    list_price: chatPrice,
  }),
  fakeModel({
    id: "text-embedding-3-small",
    capabilities: ["embedding"],
    context_length: 8_192,
    max_output: null,
    price: priceOf({ input: 20_000_000 }),
  }),
  fakeModel({
    id: "gpt-image-1",
    capabilities: ["image", "image_edit"],
    context_length: null,
    max_output: null,
    price: priceOf({ input: 5 * DOLLAR_A_MILLION, image_output: 40 * DOLLAR_A_MILLION }),
  }),
  fakeModel({
    id: "sora-2-pro",
    name: "Sora 2 Pro",
    capabilities: ["video"],
    endpoints: ["/v1/videos/generations", "/v1/videos"],
    context_length: null,
    max_output: null,
    price: priceOf(
      { second: 0.5 * DOLLAR_EACH },
      {
        variants: [
          { when: { resolution: "720p" }, rates: { second: 0.3 * DOLLAR_EACH } },
          { when: { resolution: "1024p" }, rates: { second: 0.5 * DOLLAR_EACH } },
        ],
      },
    ),
  }),
  fakeModel({
    id: "deepseek/deepseek-r2",
    owner: "deepseek",
    provider: "openai-compatible",
    group: "OpenRouter",
    connections: ["OpenRouter"],
  }),
  fakeModel({ id: "model-of-tomorrow", provider: "", group: "", connections: [], aliases: ["later"], served: false }),
];

/** As many as OpenRouter lists, next to those. */
export const manyModels: readonly ModelView[] = [
  ...someModels,
  ...Array.from({ length: 600 }, (_, index) =>
    fakeModel({
      id: `maker-${index % 20}/model-${String(index).padStart(3, "0")}`,
      owner: `maker-${index % 20}`,
      provider: "openai-compatible",
      group: "OpenRouter",
      connections: ["OpenRouter"],
      price: index % 3 === 0 ? null : priceOf({ input: index * 1_000_000, output: index * 4_000_000 }),
    }),
  ),
];
