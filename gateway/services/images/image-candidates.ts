import { createImageFacts } from "../../core/images/image-cost.ts";
import type { ImageOrder } from "../../core/images/image-cost.ts";
import { unsupportedStream } from "../../core/images/image-request.ts";
import { choosePrice } from "../../core/money/price.ts";
import type { ImagesAdapter } from "../../providers/images.ts";
import type { Provider } from "../../providers/provider.ts";
import type { Candidate } from "../models/served-model.ts";

/** The candidates at the prices that an order has: those of images can hang on size and quality. */
export function priceCandidates(
  order: Pick<ImageOrder, "size" | "quality">,
  candidates: readonly Candidate[],
): readonly Candidate[] {
  const facts = createImageFacts(order);
  return candidates.map((candidate) =>
    candidate.price === null ? candidate : { ...candidate, price: choosePrice(candidate.price, facts) },
  );
}

/**
 * Returns the candidates whose provider streams generated or edited images.
 * @param model name of the model in errors. @param adapterOf returns the adapter that streams.
 * @throws GatewayError unsupported_value if none exists.
 */
export function streaming(
  candidates: readonly Candidate[],
  model: string,
  adapterOf: (provider: Provider) => Pick<ImagesAdapter, "toUnits">,
): readonly Candidate[] {
  const able = candidates.filter(({ connection }) => adapterOf(connection.provider).toUnits !== null);
  if (able.length > 0) return able;
  throw unsupportedStream(`the provider of "${model}"`);
}
