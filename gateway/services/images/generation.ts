import type { ImageRequest } from "../../core/images/image-request.ts";
import type { ModelSpec, Units } from "../../core/models/model.ts";
import type { ImagesAdapter, ImagesAnswer, ImagesCall } from "../../providers/images.ts";
import type { Provider, WireRequest } from "../../providers/provider.ts";
import type { Candidate, Route } from "../models/routes.ts";
import { pricedFor, streaming } from "./image-candidates.ts";
import { ImageMoney } from "./image-money.ts";

/** A checked request for images on its way to whichever provider answers it. */
export class Generation {
  readonly asked: ImageRequest;
  /** Those that can answer as asked, with the price that this request's facts lead to. */
  readonly candidates: readonly Candidate[];
  readonly money: ImageMoney;
  readonly #model: ModelSpec | null;
  readonly #raw: Buffer;

  /** @throws GatewayError when a stream is asked for and nobody can. */
  constructor(asked: ImageRequest, route: Route, raw: Buffer) {
    this.asked = asked;
    const able = asked.stream ? streaming(route.candidates, route.id, adapterOf) : route.candidates;
    this.candidates = pricedFor(asked, able);
    this.#model = route.spec;
    this.#raw = raw;
    this.money = new ImageMoney(asked, route.spec, this.candidates, (candidate) => {
      return adapterOf(candidate.connection.provider).allows?.(this.#callTo(candidate, Infinity)) ?? null;
    });
  }

  /** @param held nano USD. */
  toRequest(candidate: Candidate, secret: string | null, held: number): WireRequest {
    const bound = this.money.boundAt(candidate, held);
    return adapterOf(candidate.connection.provider).toRequest(this.#callTo(candidate, bound), secret);
  }

  read(answer: unknown, candidate: Candidate): ImagesAnswer | null {
    return adapterOf(candidate.connection.provider).fromResponse(answer, this.#callTo(candidate, null));
  }

  toUnits(usage: unknown, { connection }: Candidate): Units | null {
    return adapterOf(connection.provider).toUnits?.(usage) ?? null;
  }

  #callTo({ upstreamModel }: Candidate, bound: number | null): ImagesCall {
    const { body, changed, stream } = this.asked;
    return { raw: changed ? null : this.#raw, body, upstreamModel, model: this.#model, stream, bound };
  }
}

function adapterOf({ id, images }: Provider): ImagesAdapter {
  if (images === null) throw new Error(`${id} makes no images`);
  return images;
}
