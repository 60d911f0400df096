import { imageTokenUnits } from "../../core/image-usage.ts";
import { imagesRequest, readImages } from "../openai-compatible/images.ts";
import type { ImagesAdapter } from "../images.ts";

/**
 * OpenAI's own images (upstreams reference 1.3): only dall-e takes `response_format`, and a model that is too new for
 * the catalog is a gpt-image.
 */
export const images: ImagesAdapter = {
  toRequest: (call, secret) => {
    const refused = call.body["response_format"] !== undefined && !call.upstreamModel.startsWith("dall-e");
    return imagesRequest(call, secret, refused ? { response_format: undefined } : {});
  },
  fromResponse: readImages,
  toUnits: imageTokenUnits,
};
