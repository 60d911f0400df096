import { embeddingsRoute } from "../../sandbox/embeddings.ts";
import type { Protocol } from "../../sandbox/exchange.ts";

/** The sandbox as Voyage: embeddings, and errors of one field (docs/providers/voyage.md). */
export const sandbox: Protocol = {
  routes: [embeddingsRoute({ path: "/v1/embeddings", usage: ["total_tokens"], cutsLongTexts: true })],
  failureBody: ({ message }) => JSON.stringify({ detail: message }),
};
