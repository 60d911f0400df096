import { GatewayError } from "./errors.ts";
import type { AskedModel, ImageBody } from "./image-request.ts";

/** @throws GatewayError where a stream is asked of a model whose vendor answers at once only. */
export function refuseStream(body: ImageBody, { id }: AskedModel): void {
  if (body["stream"] !== true) return;
  throw new GatewayError(
    "unsupported_value",
    `Unsupported value for 'stream': true; the model "${id}" answers at once. Leave it out.`,
    { param: "stream" },
  );
}
