import type { ModelSpec } from "../../core/models/model.ts";
import { bearerKey, type Protocol } from "../protocol.ts";
import { VOYAGE_EMBEDDINGS } from "./dialects.ts";
import { embeddingsRoutes } from "./routes.ts";

/** Voyage's protocol: embeddings, no list of models, and errors of one field (docs/providers/voyage.md). */
export function voyageProtocol(models: () => readonly ModelSpec[]): Protocol {
  return {
    provider: "voyage",
    keyOf: bearerKey,
    routes: embeddingsRoutes(VOYAGE_EMBEDDINGS, models),
    failureBody: (failure) => JSON.stringify({ detail: failure.message }),
  };
}
