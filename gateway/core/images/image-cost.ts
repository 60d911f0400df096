import { priceOf } from "../../lib/money.ts";
import { estimateTextTokens } from "../money/estimate.ts";
import { PARTIAL_TOKENS, REFERENCE_TOKENS, imageTokens } from "./image-tokens.ts";
import type { Price, PriceFacts, Units } from "../models/model.ts";
import { priceUnits, tierFor } from "../money/price.ts";

/** What a request for images asks for, as far as money hangs on it. Edits have the same. */
export interface ImageOrder {
  readonly count: number;
  readonly partials: number;
  readonly prompt: string;
  readonly references: number;
  readonly size: string | null;
  readonly quality: string | null;
}

/**
 * Held for one image of a model without a known price, nano USD: about the dearest image of common size that is sold
 * (gpt-image-1 high $0.167, gemini-3-pro-image $0.134). Never charged.
 */
const ASSUMED_NANO_PER_IMAGE = 200_000_000;

/** The facts that prices of images hang on; what was not asked for is the usual. */
export function imageFacts({ size, quality }: Pick<ImageOrder, "size" | "quality">): PriceFacts {
  return { ...(size === null ? {} : { size }), ...(quality === null ? {} : { quality }) };
}

/**
 * Nano USD that an order costs at most, to be held.
 * @param price chosen by the order's facts already (`priceFor`); null: unpriced.
 */
export function imageHold(order: ImageOrder, price: Price | null): number {
  if (price === null) return order.count * ASSUMED_NANO_PER_IMAGE;
  const perImage = imageRate(price);
  if (perImage !== undefined) return priceOf(order.count, perImage);
  return priceUnits(estimatedUnits(order, order.count), price).nano ?? order.count * ASSUMED_NANO_PER_IMAGE;
}

/** What is billed for an answer, and whether it had to be estimated. */
export interface ImageBill {
  readonly units: Units;
  readonly estimated: boolean;
}

/**
 * The units that an answer is billed by: images where the price is by image, else the tokens that the vendor reported.
 * Tokens that it did not report are estimated from the order.
 * @param reported images, and tokens where the vendor told them. @param price chosen by the order's facts already.
 */
export function imageBill(reported: Units, price: Price | null, order: ImageOrder): ImageBill {
  const { image = 0, ...tokens } = reported;
  const counted = Object.values(tokens).some((quantity) => quantity > 0);
  if (price === null) return { units: reported, estimated: false };
  if (imageRate(price) !== undefined) return { units: { image }, estimated: false };
  if (counted || image === 0) return { units: tokens, estimated: false };
  return { units: estimatedUnits(order, image), estimated: true };
}

/**
 * What is billed for a stream that told no usage: the images that came, and the unfinished ones before them.
 * @param price chosen by the order's facts already.
 */
export function streamedUnits(order: ImageOrder, images: number, partials: number, price: Price | null): Units {
  if (price === null || imageRate(price) !== undefined) return images === 0 ? {} : { image: images };
  const whole = estimatedUnits({ ...order, partials: 0 }, images);
  return { ...whole, image_output: (whole.image_output ?? 0) + partials * PARTIAL_TOKENS };
}

function imageRate(price: Price): number | undefined {
  return tierFor(price, 0).rates.image;
}

/** An order in tokens, for `count` images. */
function estimatedUnits({ partials, prompt, references, size, quality }: ImageOrder, count: number): Units {
  return {
    input: Math.ceil(estimateTextTokens(prompt)),
    ...(references === 0 ? {} : { image_input: references * REFERENCE_TOKENS }),
    image_output: count * imageTokens(size, quality, partials),
  };
}
