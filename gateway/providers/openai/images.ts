import { imageTokenUnits } from "../../core/images/image-usage.ts";
import { imagesRequest, readImages } from "../openai-compatible/images.ts";
import type { ImagesAdapter } from "../images.ts";
import { promptRequest } from "./image-request.ts";

/** `gpt-image-…` and `chatgpt-image-latest`, those that are too new for the catalog among them. */
const GPT_IMAGE = /^(chat)?gpt-/;

/**
 * OpenAI's own images (docs/providers/openai.md#images): gpt-image refuses `response_format` and always answers in
 * base64.
 */
export const images: ImagesAdapter = {
  families: { delta: promptRequest, epsilon: promptRequest },
  toRequest: (call, secret) => {
    const refused = call.body["response_format"] !== undefined && GPT_IMAGE.test(call.upstreamModel);
    return imagesRequest(call, secret, refused ? { response_format: undefined } : {});
  },
  fromResponse: readImages,
  toUnits: imageTokenUnits,
};
