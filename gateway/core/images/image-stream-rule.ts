import { GatewayError } from "../errors.ts";
import type { AskedModel, ImageBody } from "./image-request.ts";

/** @throws GatewayError where a stream is asked of a model whose provider answers at once only. */
export function refuseStream(body: ImageBody, { id }: AskedModel): void {
  if (body["stream"] === true) throw unsupportedStream(`the model "${id}"`);
}

/** The error for a stream of images that nobody makes. @param who answers at once, as the sentence names it. */
export function unsupportedStream(who: string): GatewayError {
  return new GatewayError(
    "unsupported_value",
    `Unsupported value for 'stream': true; ${who} answers at once. Leave it out.`,
    { param: "stream" },
  );
}
