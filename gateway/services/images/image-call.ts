import type { ImageOrder } from "../../core/images/image-cost.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Units } from "../../core/models/model.ts";
import type { ImageResult, ProviderImages } from "../../providers/images.ts";
import type { WireRequest } from "../../providers/wire-request.ts";
import type { StreamedResponse } from "../calls/call-steps.ts";
import type { WholeResponse } from "../calls/whole-response.ts";
import type { Credential } from "../connections/connection.ts";
import type { Candidate } from "../models/served-model.ts";
import type { RequestedForm } from "./requested-form.ts";
import type { ImageMoney } from "./image-money.ts";

/** Fields of an image request that its response, its bill and the library depend on. */
export interface ImageCallRequest extends ImageOrder {
  readonly seed: number | null;
  /** Other request parameters for the library, without media. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A checked request for images, made or edited, in the words of whichever provider answers it. */
export interface ImageWork {
  /** Endpoint, as receipts and the library name it. */
  readonly endpoint: "images" | "edits";
  readonly request: ImageCallRequest;
  readonly stream: boolean;
  readonly form: RequestedForm;
  /** Candidates that can respond as requested, with the price for this request's facts. */
  readonly candidates: readonly Candidate[];
  readonly money: ImageMoney;
  wire(candidate: Candidate, credential: Credential): WireRequest;
  /** Reads a complete response; null if it has no images. */
  read(response: unknown, candidate: Candidate): ProviderImages | null;
  /** Reads the usage of a streamed response. */
  toUnits(usage: unknown, candidate: Candidate): Units | null;
}

/** The document for a client, and the images in it. */
export interface WholeImages extends WholeResponse {
  readonly images: readonly ImageResult[];
}

/** Result of a call for images. */
export type ImagesResponse = WholeImages | StreamedResponse;

/** Specification: on the image endpoints an unknown model is bad input like any other, a 400. */
export function unknownModelIsBadInput(error: unknown): unknown {
  if (!(error instanceof GatewayError) || error.code !== "model_not_found") return error;
  const { param = "model", provider } = error.details;
  return new GatewayError(error.code, error.message, {
    ...error.details,
    param,
    provider: { ...provider, status: 400 },
  });
}
