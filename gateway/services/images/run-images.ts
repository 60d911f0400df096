import { imageModelSchema } from "../../contract/images.ts";
import { GatewayError } from "../../core/errors.ts";
import { imageBill, imageFacts, imageHold } from "../../core/image-cost.ts";
import { imageRequest } from "../../core/image-families.ts";
import type { ImageRequest } from "../../core/image-request.ts";
import type { Units } from "../../core/model.ts";
import { priceFor } from "../../core/price.ts";
import { validate } from "../../core/validation.ts";
import { isRecord } from "../../lib/records.ts";
import type { ImagesAdapter, ImagesCall } from "../../vendors/images.ts";
import type { Vendor } from "../../vendors/vendor.ts";
import { ClientGone } from "../calls/attempts.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import { ANSWER_PATIENCE, PaidCall, STREAM_PATIENCE } from "../calls/paid-call.ts";
import type { CallInput, PaidCallDeps } from "../calls/paid-call.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import { StreamHead } from "../chat/stream-head.ts";
import type { Candidate, Route } from "../models/model-index.ts";
import { unknownModelIsBadInput } from "./image-call.ts";
import type { ImageCall } from "./image-call.ts";
import { IMAGE_HEARTBEAT, endInBand, streamImages } from "./stream-images.ts";
import type { ImageStreamDeps } from "./stream-images.ts";
import { answerImages } from "./whole-images.ts";

export interface RunImagesDeps extends PaidCallDeps, ImageStreamDeps {}

/** A request for images as it came in. */
export interface ImagesInput extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
}

/** The story of `POST /v1/images/generations`: model, its family's rules, limits, hold, vendor, bill, library. */
export class RunImages {
  readonly #deps: RunImagesDeps;

  constructor(deps: RunImagesDeps) {
    this.#deps = deps;
  }

  /**
   * @param takeOver called right before a stream begins; from then on `reply` is written to directly.
   * @returns the whole answer; null when it was streamed or nobody is there to take it.
   * @throws GatewayError for everything that ends before a byte was sent.
   */
  async run(input: ImagesInput, reply: Client & StreamWriter, takeOver: () => void): Promise<WholeAnswer | null> {
    const body = isRecord(input.body) ? input.body : {};
    const paid = new PaidCall(this.#deps, input, "images", body["model"], body["stream"] === true);
    const head = new StreamHead(reply, takeOver, this.#deps.clock, IMAGE_HEARTBEAT);
    /** Set by each attempt: who leaves while a vendor draws has ordered the images all the same. */
    let ordered: () => Units = () => ({});
    try {
      const { model } = validate(imageModelSchema, input.body);
      const route = await paid.route(model, "image");
      const asked = imageRequest(body, route.id, route.spec?.image ?? null);
      const candidates = candidatesFor(route, asked);
      return await this.#serve(paid, input, { ...route, candidates }, asked, reply, head, ({ price }) => {
        ordered = () => imageBill({ image: asked.count }, price, asked).units;
      });
    } catch (thrown) {
      const error = unknownModelIsBadInput(thrown);
      await paid.fail(error, () => ordered());
      if (error instanceof ClientGone) {
        takeOver();
        return null;
      }
      if (!head.sent || !(error instanceof GatewayError)) throw error;
      await endInBand({ paid, reply }, error);
      return null;
    }
  }

  async #serve(
    paid: PaidCall,
    input: ImagesInput,
    route: Route,
    asked: ImageRequest,
    reply: Client & StreamWriter,
    head: StreamHead,
    onAsking: (candidate: Candidate) => void,
  ): Promise<WholeAnswer | null> {
    paid.admit(route, () => {
      const nano = Math.max(...route.candidates.map(({ price }) => imageHold(asked, price)));
      return { nano, least: nano };
    });
    const callTo = ({ upstreamModel }: Candidate): ImagesCall => ({
      raw: asked.changed ? null : input.raw,
      body: asked.body,
      upstreamModel,
      model: route.spec,
      stream: asked.stream,
    });
    const call: ImageCall = {
      paid,
      reply,
      endpoint: "images",
      asked,
      read: (answer, { candidate }) => adapterOf(candidate.connection.vendor).fromResponse(answer, callTo(candidate)),
      toUnits: (usage, { candidate }) => adapterOf(candidate.connection.vendor).toUnits?.(usage) ?? null,
    };
    const attempts = paid.attempts(
      route.candidates,
      reply,
      asked.stream ? STREAM_PATIENCE : ANSWER_PATIENCE,
      (candidate, { secret }) => {
        onAsking(candidate);
        return adapterOf(candidate.connection.vendor).toRequest(callTo(candidate), secret);
      },
    );
    if (!asked.stream) return answerImages(this.#deps, call, attempts);
    await streamImages(this.#deps, call, attempts, head);
    return null;
  }
}

/**
 * Those that can answer as asked, with the price that this request's facts lead to.
 * @throws GatewayError when a stream is asked for and nobody can.
 */
function candidatesFor(route: Route, asked: ImageRequest): readonly Candidate[] {
  const facts = imageFacts(asked);
  const able = route.candidates.filter(
    ({ connection }) => !asked.stream || adapterOf(connection.vendor).toUnits !== null,
  );
  if (able.length === 0) {
    throw new GatewayError(
      "unsupported_value",
      `Unsupported value for 'stream': true; the vendor of "${route.id}" answers at once. Leave it out.`,
      { param: "stream" },
    );
  }
  return able.map((candidate) => ({
    ...candidate,
    price: candidate.price === null ? null : priceFor(candidate.price, facts),
  }));
}

function adapterOf({ id, images }: Vendor): ImagesAdapter {
  if (images === null) throw new Error(`${id} makes no images`);
  return images;
}
