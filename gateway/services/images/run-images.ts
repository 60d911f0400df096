import { imageModelSchema } from "../../contract/images.ts";
import type { Units } from "../../core/models/model.ts";
import { imageRequest } from "../../providers/image-families.ts";
import { validate } from "../../core/validation.ts";
import { isRecord } from "../../lib/records.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import { ANSWER_PATIENCE, PaidCall, STREAM_PATIENCE } from "../calls/paid-call.ts";
import type { CallInput, PaidCallDeps } from "../calls/paid-call.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import { breakOff } from "../chat/break-off.ts";
import { StreamHead } from "../chat/stream-head.ts";
import type { Candidate, Route } from "../models/routes.ts";
import { Generation } from "./generation.ts";
import { unknownModelIsBadInput } from "./image-call.ts";
import type { ImageCall } from "./image-call.ts";
import { IMAGE_STREAM, streamImages } from "./stream-images.ts";
import type { ImageStreamDeps } from "./stream-images.ts";
import { answerImages } from "./whole-images.ts";

export interface RunImagesDeps extends PaidCallDeps, ImageStreamDeps {}

/** A request for images as it came in. */
export interface ImagesInput extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
}

/** The story of `POST /v1/images/generations`: model, its family's rules, limits, hold, provider, bill, library. */
export class RunImages {
  readonly #deps: RunImagesDeps;

  constructor(deps: RunImagesDeps) {
    this.#deps = deps;
  }

  /** The id of a model by any of its names, for callers who build a body by its family's rules. */
  idOf(name: string): string {
    return this.#deps.resolveModel.idOf(name);
  }

  /**
   * @param takeOver called right before a stream begins; from then on `reply` is written to directly.
   * @returns the whole answer; null when it was streamed or nobody is there to take it.
   * @throws GatewayError for everything that ends before a byte was sent.
   */
  async run(input: ImagesInput, reply: Client & StreamWriter, takeOver: () => void): Promise<WholeAnswer | null> {
    const body = isRecord(input.body) ? input.body : {};
    const paid = new PaidCall(this.#deps, input, "images", body["model"], body["stream"] === true);
    const head = new StreamHead(reply, takeOver, this.#deps.clock, IMAGE_STREAM.heartbeat);
    try {
      const { model } = validate(imageModelSchema, input.body);
      const route = await paid.route(model, "image");
      await this.#deps.requireRoom();
      const generation = new Generation(imageRequest(body, route.id, route.spec?.image ?? null), route, input.raw);
      return await this.#serve(generation, route, paid, reply, head);
    } catch (thrown) {
      const call = { paid, reply, dialect: IMAGE_STREAM };
      return breakOff(call, head, takeOver, unknownModelIsBadInput(thrown));
    }
  }

  async #serve(
    generation: Generation,
    route: Route,
    paid: PaidCall,
    reply: Client & StreamWriter,
    head: StreamHead,
  ): Promise<WholeAnswer | null> {
    const { asked, candidates, money } = generation;
    const ordered = (candidate: Candidate): Units => money.asked(candidate);
    paid.admit(route, (remaining) => money.cost(remaining), ordered);
    const attempts = paid.attempts(
      candidates,
      reply,
      asked.stream ? STREAM_PATIENCE : ANSWER_PATIENCE,
      (candidate, { secret }) => {
        paid.reaches(candidate.connection.provider.images?.reaches, asked.body);
        return generation.toRequest(candidate, secret, paid.record.held);
      },
      ordered,
    );
    const call: ImageCall = {
      paid,
      reply,
      endpoint: "images",
      asked,
      read: (answer, { candidate }) => generation.read(answer, candidate),
      toUnits: (usage, { candidate }) => generation.toUnits(usage, candidate),
    };
    if (!asked.stream) return answerImages(this.#deps, call, attempts);
    await streamImages(this.#deps, call, attempts, head);
    return null;
  }
}
