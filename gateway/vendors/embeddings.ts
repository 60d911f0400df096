import type { ModelSpec, Units } from "../core/model.ts";
import type { WireRequest } from "./vendor.ts";

/** One text, or one array of tokens (OpenAI's models only). */
export type EmbeddingInput = string | readonly number[];

/** A part of an embeddings call that fits into one request of the vendor. */
export interface EmbeddingsCall {
  readonly inputs: readonly EmbeddingInput[];
  /** The id that the vendor knows the model by. */
  readonly upstreamModel: string;
  readonly model: ModelSpec | null;
  /** As the client asked; null for the model's own. */
  readonly dimensions: number | null;
  /** Fields of the client's body that Postern does not know, for the vendor to read. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What one request brought, in the order of its inputs. */
export interface EmbeddingsAnswer {
  readonly vectors: readonly (readonly number[])[];
  /** Null where the vendor reports none: tokens are then counted here. */
  readonly units: Units | null;
}

/** `embeddings.ts` of a vendor. */
export interface EmbeddingsAdapter {
  /** The most inputs of one request. */
  readonly batch: number;
  toRequest(call: EmbeddingsCall, secret: string | null): WireRequest;
  /** @returns null when the answer is no list of one vector for each input. */
  fromResponse(body: unknown, call: EmbeddingsCall): EmbeddingsAnswer | null;
}
