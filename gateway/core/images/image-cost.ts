import { computePrice } from "../../lib/money.ts";
import { estimateTextTokens, mostTextTokens } from "../money/text-tokens.ts";
import { PARTIAL_TOKENS, REFERENCE_TOKENS, freeImageTokens, imageTokens } from "./image-tokens.ts";
import type { Price, PriceFacts, Units } from "../models/model.ts";
import type { ImageRules } from "./image-rules.ts";
import { priceUnits, findRate, findTier } from "../money/price.ts";

/** The facts of an image request that its cost depends on. Edits have the same. */
export interface ImageOrder {
  readonly count: number;
  readonly partials: number;
  readonly prompt: string;
  readonly references: number;
  readonly size: string | null;
  readonly quality: string | null;
}

/**
 * Held for one image of a model without a known price, nano USD: about the most expensive image of common size
 * (gpt-image-1 high $0.167, gemini-3-pro-image $0.134). Never charged.
 */
const ASSUMED_NANO_PER_IMAGE = 200_000_000;

/** Facts that image prices depend on; missing ones get their default. */
export function createImageFacts({ size, quality }: Pick<ImageOrder, "size" | "quality">): PriceFacts {
  return { ...(size === null ? {} : { size }), ...(quality === null ? {} : { quality }) };
}

/**
 * Returns the max cost of an order in nano USD, to be held.
 * @param price already chosen by the order's facts (`priceFor`); null: unpriced. @param rules rules of the model, if
 * known.
 */
export function computeImageHold(order: ImageOrder, price: Price | null, rules?: ImageRules | null): number {
  if (price === null) return order.count * ASSUMED_NANO_PER_IMAGE;
  const perImage = computeImageRate(price);
  if (perImage !== undefined) return computePrice(order.count, perImage);
  if (findRate(findTier(price, 0), "image_output") === undefined) return order.count * ASSUMED_NANO_PER_IMAGE;
  return priceUnits(findMostUnits(order, price, rules ?? null), price).nano ?? order.count * ASSUMED_NANO_PER_IMAGE;
}

/** Max text tokens around a picture that a model reasons about, if words of the response are billed. */
const WORDS_PER_IMAGE = 1_000;
/** Tokens that a provider adds to the words of the prompt, and for each picture in it. */
const WORDS_ADDED = 100;

/** Returns the max units of an order. Some providers need one request per image, each with the whole prompt. */
function findMostUnits(order: ImageOrder, price: Price, rules: ImageRules | null): Units {
  const { count, partials, prompt, references, size, quality } = order;
  const words = mostTextTokens(prompt) + WORDS_ADDED * (1 + references);
  const listed = imageTokens(size, quality, 0);
  const each =
    rules !== null && rules.sizes.kind !== "free" ? listed : Math.max(listed, freeImageTokens(size, quality));
  const { output, image_output } = findTier(price, 0).rates;
  // If both cost the same, the provider reports a single figure without text.
  const speaks = output !== undefined && output !== image_output;
  return {
    input: words * count,
    ...(references === 0 ? {} : { image_input: references * REFERENCE_TOKENS * count }),
    ...(speaks ? { output: WORDS_PER_IMAGE * count } : {}),
    image_output: count * (each + partials * PARTIAL_TOKENS),
  };
}

/** Billed units of a response, and whether they were estimated. */
export interface ImageBill {
  readonly units: Units;
  readonly estimated: boolean;
}

/**
 * Returns the units that a response is billed by: images if the price is by image, else the tokens that the provider
 * reported. Tokens that it did not report are estimated from the order.
 * @param reported images, and tokens if the provider reported them. @param price chosen by the order's facts already.
 */
export function getImageBill(reported: Units, price: Price | null, order: ImageOrder): ImageBill {
  const { image = 0, ...tokens } = reported;
  const counted = Object.values(tokens).some((quantity) => quantity > 0);
  if (price === null) return { units: reported, estimated: false };
  if (computeImageRate(price) !== undefined) return { units: { image }, estimated: false };
  if (counted || image === 0) return { units: tokens, estimated: false };
  return { units: estimatedUnits(order, image), estimated: true };
}

/**
 * Returns the billed units of a stream without usage: the received images and the partial ones before them.
 * @param price already chosen by the order's facts.
 */
export function streamedUnits(order: ImageOrder, images: number, partials: number, price: Price | null): Units {
  if (price === null || computeImageRate(price) !== undefined) return images === 0 ? {} : { image: images };
  const whole = estimatedUnits({ ...order, partials: 0 }, images);
  return { ...whole, image_output: (whole.image_output ?? 0) + partials * PARTIAL_TOKENS };
}

function computeImageRate(price: Price): number | undefined {
  return findTier(price, 0).rates.image;
}

/** An order in tokens, for `count` images. */
function estimatedUnits({ partials, prompt, references, size, quality }: ImageOrder, count: number): Units {
  return {
    input: Math.ceil(estimateTextTokens(prompt)),
    ...(references === 0 ? {} : { image_input: references * REFERENCE_TOKENS }),
    image_output: count * imageTokens(size, quality, partials),
  };
}
