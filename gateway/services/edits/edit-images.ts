import { editShapeSchema } from "../../contract/image-edits.ts";
import { readParameters } from "../../core/images/image-request.ts";
import { validate } from "../../core/validation.ts";
import { textInputTokens } from "../../core/routes/text-input.ts";
import type { ObservedRequest } from "../calls/call-observer.ts";
import type { CallSteps } from "../calls/call-steps.ts";
import type { Recipient } from "../calls/client.ts";
import type { CallInput, PaidCall, Quote } from "../calls/paid-call.ts";
import { estimateCall, runCall } from "../calls/pipeline.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import { unknownModelIsBadInput } from "../images/image-call.ts";
import type { ImageCallRequest, ImagesResponse } from "../images/image-call.ts";
import { priceCandidates } from "../images/image-candidates.ts";
import { ImagePlan } from "../images/image-plan.ts";
import type { ImageDeps, ReadImages } from "../images/image-plan.ts";
import type { ServedModel } from "../models/served-model.ts";
import { getOmission } from "../../core/recordings/omit-media.ts";
import { EditCall } from "./edit-call.ts";
import type { EditInput, SentPicture } from "./edit-input.ts";

/** `POST /v1/images/edits`. */
export class EditImages {
  readonly #deps: ImageDeps;

  constructor(deps: ImageDeps) {
    this.#deps = deps;
  }

  /**
   * @returns the complete response, or the result of a stream written to `to`; null if the client has disconnected.
   * @throws GatewayError for any failure before the first byte was sent.
   */
  run(input: CallInput, edit: EditInput, to: Recipient): Promise<ImagesResponse | null> {
    return runCall(this.#deps, new EditSteps(this.#deps, input, edit), to);
  }

  /** Estimates the cost. @throws GatewayError */
  estimate(input: CallInput, edit: EditInput): Promise<Quote> {
    return estimateCall(this.#deps, new EditSteps(this.#deps, input, edit));
  }
}

/** Steps of one edit for the pipeline. */
class EditSteps implements CallSteps<ImagesResponse, ReadImages> {
  readonly input: CallInput;
  readonly endpoint = "edits";
  readonly capability = "image_edit";
  readonly makesMedia = true;
  readonly shown = unknownModelIsBadInput;
  readonly #deps: ImageDeps;
  readonly #edit: EditInput;
  #order: ImageCallRequest | null = null;

  constructor(deps: ImageDeps, input: CallInput, edit: EditInput) {
    this.input = input;
    this.#deps = deps;
    this.#edit = edit;
  }

  get model(): unknown {
    return this.#edit.fields["model"];
  }

  get stream(): boolean {
    return this.#edit.fields["stream"] === true;
  }

  check(): string {
    const { model } = validate(editShapeSchema(), this.#edit.fields);
    this.#order = getOrder(this.#edit);
    return model;
  }

  inputTokens(): number {
    return textInputTokens(this.#edit.fields, 0);
  }

  async plan(call: PaidCall, found: ServedModel): Promise<ImagePlan> {
    await this.#deps.requireRoom();
    const order = this.#order ?? getOrder(this.#edit);
    const servedModel: ServedModel = { ...found, candidates: priceCandidates(order, found.candidates) };
    return new ImagePlan(this.#deps, call, new EditCall(call, this.#edit, order, servedModel));
  }

  describeRequest(): ObservedRequest {
    const { raw = null } = this.input;
    return { endpoint: "edits", body: raw ?? formAsJson(this.#edit), form: raw === null, family: "nested" };
  }

  written(result: ImagesResponse): WholeResponse | null {
    return "body" in result ? result : null;
  }
}

/** Renders a form's fields as JSON, with descriptions in place of files. */
function formAsJson({ fields, images, mask }: EditInput): Buffer {
  const shown = (picture: SentPicture): unknown =>
    picture.kind === "file" ? getOmission("application/octet-stream", picture.bytes.length) : picture.value;
  return Buffer.from(
    JSON.stringify({ ...fields, image: images.map(shown), ...(mask === null ? {} : { mask: shown(mask) }) }),
  );
}

/** Returns the fields of an edit that its cost and the library depend on. */
function getOrder({ fields, images, mask }: EditInput): ImageCallRequest {
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
    parameters: readParameters(fields),
  };
}
