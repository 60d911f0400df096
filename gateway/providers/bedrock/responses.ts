import { responses as openais } from "../openai/responses.ts";
import type { DialectAdapter } from "../provider.ts";
import { findSurface } from "./surface.ts";

/** No page names a count of tokens for it, so that they are counted here. */
const { toCountRequest: _toCountRequest, ...others } = openais;

/** OpenAI's Responses API, at the path of the model. */
export const responses: DialectAdapter = {
  ...others,
  toRequest: (call, secret) => {
    const wire = openais.toRequest(call, secret);
    return { ...wire, path: findSurface(call.upstreamModel).path + wire.path };
  },
};
