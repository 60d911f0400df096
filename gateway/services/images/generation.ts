import { imageBill, imageHold } from "../../core/images/image-cost.ts";
import type { ImageRequest } from "../../core/images/image-request.ts";
import type { ModelSpec, Units } from "../../core/models/model.ts";
import type { ImagesAdapter, ImagesAnswer, ImagesCall } from "../../vendors/images.ts";
import type { Vendor, WireRequest } from "../../vendors/vendor.ts";
import { dearestCost } from "../calls/paid-call.ts";
import type { CallCost } from "../calls/paid-call.ts";
import type { Candidate, Route } from "../models/model-index.ts";
import { pricedFor, streaming } from "./image-candidates.ts";

/** A checked request for images on its way to whichever vendor answers it. */
export class Generation {
  readonly asked: ImageRequest;
  /** Those that can answer as asked, with the price that this request's facts lead to. */
  readonly candidates: readonly Candidate[];
  readonly #model: ModelSpec | null;
  readonly #raw: Buffer;
  /** Who was asked last. */
  #last: Candidate | null = null;

  /** @throws GatewayError when a stream is asked for and nobody can. */
  constructor(asked: ImageRequest, route: Route, raw: Buffer) {
    this.asked = asked;
    const able = asked.stream ? streaming(route.candidates, route.id, adapterOf) : route.candidates;
    this.candidates = pricedFor(asked, able);
    this.#model = route.spec;
    this.#raw = raw;
  }

  /** The most that it can cost, wherever fail-over ends. */
  get cost(): CallCost {
    return dearestCost(this.candidates, (price) => imageHold(this.asked, price));
  }

  /** Who leaves while a vendor draws has ordered the images all the same. */
  get ordered(): Units {
    if (this.#last === null) return {};
    return imageBill({ image: this.asked.count }, this.#last.price, this.asked).units;
  }

  toRequest(candidate: Candidate, secret: string | null): WireRequest {
    this.#last = candidate;
    return adapterOf(candidate.connection.vendor).toRequest(this.#callTo(candidate), secret);
  }

  read(answer: unknown, candidate: Candidate): ImagesAnswer | null {
    return adapterOf(candidate.connection.vendor).fromResponse(answer, this.#callTo(candidate));
  }

  toUnits(usage: unknown, { connection }: Candidate): Units | null {
    return adapterOf(connection.vendor).toUnits?.(usage) ?? null;
  }

  #callTo({ upstreamModel }: Candidate): ImagesCall {
    const { body, changed, stream } = this.asked;
    return { raw: changed ? null : this.#raw, body, upstreamModel, model: this.#model, stream };
  }
}

function adapterOf({ id, images }: Vendor): ImagesAdapter {
  if (images === null) throw new Error(`${id} makes no images`);
  return images;
}
