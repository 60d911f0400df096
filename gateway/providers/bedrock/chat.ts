import { chat as compatible } from "../openai-compatible/chat.ts";
import type { DialectAdapter } from "../provider.ts";
import { findSurface } from "./surface.ts";

/** OpenAI's chat API, at the path of the model. */
export const chat: DialectAdapter = {
  ...compatible,
  toRequest: (call, secret) => {
    const wire = compatible.toRequest(call, secret);
    return { ...wire, path: findSurface(call.upstreamModel).path + wire.path };
  },
};
