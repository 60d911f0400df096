import type { ImageOrder } from "../../core/images/image-cost.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Units } from "../../core/models/model.ts";
import type { ImagesAnswer } from "../../providers/images.ts";
import type { Opened } from "../calls/attempts.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import type { PaidCall } from "../calls/paid-call.ts";

/** What was asked for, as far as its answer, its bill and the library hang on it. */
export interface AskedImages extends ImageOrder {
  readonly seed: number | null;
  /** For the library: what else was asked for, without media. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A call that is answered with images, made or edited, on its way through the story. */
export interface ImageCall {
  readonly paid: PaidCall;
  readonly reply: Client & StreamWriter;
  /** As receipts and the library name it. */
  readonly endpoint: "images" | "edits";
  readonly asked: AskedImages;
  /** Reads a whole answer in the words of who gave it; null when it holds no images. */
  readonly read: (answer: unknown, opened: Opened) => ImagesAnswer | null;
  /** Reads the usage of a streamed answer. */
  readonly toUnits: (usage: unknown, opened: Opened) => Units | null;
}

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
