import { imageModelSchema } from "../../contract/images.ts";
import { buildImageRequest } from "../../providers/image-families.ts";
import { validate } from "../../core/validation.ts";
import { textInputTokens } from "../../core/routes/text-input.ts";
import { isRecord } from "../../lib/records.ts";
import type { EnvelopeFamily, ObservedRequest } from "../calls/call-observer.ts";
import type { CallSteps } from "../calls/call-steps.ts";
import type { Recipient } from "../calls/client.ts";
import type { CallInput, PaidCall, Quote } from "../calls/paid-call.ts";
import { estimateCall, runCall } from "../calls/pipeline.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import { findOwnedSpec } from "../models/served-model.ts";
import type { ServedModel } from "../models/served-model.ts";
import { Generation } from "./generation.ts";
import { unknownModelIsBadInput } from "./image-call.ts";
import type { ImagesResponse } from "./image-call.ts";
import { ImagePlan } from "./image-plan.ts";
import type { ImageDeps, ReadImages } from "./image-plan.ts";

/** An image request as received. */
export interface ImagesInput extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
}

/** Errors about these models are flat (docs/errors.md#envelopes). */
const FLAT_PREFIX = "gamma-image";

/** How errors about a request for images are written. */
export function getFamilyOfImages(body: unknown): EnvelopeFamily {
  const model = isRecord(body) ? body["model"] : null;
  return typeof model === "string" && model.startsWith(FLAT_PREFIX) ? "flat" : "nested";
}

/** `POST /v1/images/generations`. */
export class RunImages {
  readonly #deps: ImageDeps;

  constructor(deps: ImageDeps) {
    this.#deps = deps;
  }

  /** The id of a model by any of its names, for callers who build a body by its family's rules. */
  getId(name: string): string {
    return this.#deps.resolveModel.getId(name);
  }

  /**
   * @returns the complete response, or the result of a stream written to `to`; null if the client has disconnected.
   * @throws GatewayError for any failure before the first byte was sent.
   */
  run(input: ImagesInput, to: Recipient): Promise<ImagesResponse | null> {
    return runCall(this.#deps, new ImageSteps(this.#deps, input), to);
  }

  /** Estimates the cost. @throws GatewayError */
  estimate(input: ImagesInput): Promise<Quote> {
    return estimateCall(this.#deps, new ImageSteps(this.#deps, input));
  }
}

/** Steps of one image order for the pipeline. */
class ImageSteps implements CallSteps<ImagesResponse, ReadImages> {
  readonly input: ImagesInput;
  readonly endpoint = "images";
  readonly capability = "image";
  readonly makesMedia = true;
  readonly shown = unknownModelIsBadInput;
  readonly #deps: ImageDeps;
  readonly #body: Readonly<Record<string, unknown>>;

  constructor(deps: ImageDeps, input: ImagesInput) {
    this.input = input;
    this.#deps = deps;
    this.#body = isRecord(input.body) ? input.body : {};
  }

  get model(): unknown {
    return this.#body["model"];
  }

  get stream(): boolean {
    return this.#body["stream"] === true;
  }

  check(): string {
    return validate(imageModelSchema, this.input.body).model;
  }

  inputTokens(): number {
    return textInputTokens(this.#body, 0);
  }

  async plan(call: PaidCall, servedModel: ServedModel): Promise<ImagePlan> {
    await this.#deps.requireRoom();
    const { id, spec } = servedModel;
    const request = buildImageRequest(this.#body, id, spec?.image ?? null, findOwnedSpec(servedModel) !== null);
    return new ImagePlan(this.#deps, call, new Generation(call, request, servedModel, this.input.raw));
  }

  describeRequest(): ObservedRequest {
    const { raw, body } = this.input;
    return { endpoint: "images", body: raw, family: getFamilyOfImages(body) };
  }

  written(result: ImagesResponse): WholeResponse | null {
    return "body" in result ? result : null;
  }
}
