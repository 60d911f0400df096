import { imageFacts, imageHold } from "../../core/image-cost.ts";
import { parametersOf } from "../../core/image-request.ts";
import { priceFor } from "../../core/price.ts";
import type { CallCost } from "../calls/paid-call.ts";
import type { AskedImages } from "../images/image-call.ts";
import type { Route } from "../models/model-index.ts";
import type { EditInput } from "./edit-input.ts";

/** What an edit asks for, as far as money and the library hang on it. */
export function orderOf({ fields, images, mask }: EditInput): AskedImages {
  const text = (name: string): string | null => (typeof fields[name] === "string" ? fields[name] : null);
  const number = (name: string): number | null => (typeof fields[name] === "number" ? fields[name] : null);
  return {
    count: number("n") ?? 1,
    partials: fields["stream"] === true ? (number("partial_images") ?? 0) : 0,
    prompt: text("prompt") ?? "",
    references: images.length + (mask === null ? 0 : 1),
    size: text("size"),
    quality: text("quality"),
    seed: number("seed"),
    parameters: parametersOf(fields),
  };
}

/** The route at the prices that this order has: those of images can hang on size and quality. */
export function pricedRoute(route: Route, order: AskedImages): Route {
  const facts = imageFacts(order);
  const candidates = route.candidates.map((candidate) =>
    candidate.price === null ? candidate : { ...candidate, price: priceFor(candidate.price, facts) },
  );
  return { ...route, candidates };
}

/** What it costs at most, at the candidate where it costs most: fail-over may end there. */
export function costOf(order: AskedImages, { candidates }: Route): CallCost {
  const nano = Math.max(...candidates.map(({ price }) => imageHold(order, price)));
  return { nano, least: nano };
}
