import type { FieldRules } from "../core/keys/key-reach.ts";
import type { EmbeddingInput } from "../core/embeddings/embedding-inputs.ts";
import type { EmbeddingLimits } from "../core/embeddings/embedding-parts.ts";
import type { Vector, VectorEncoding } from "../core/embeddings/embedding-vectors.ts";
import type { ModelSpec, Units } from "../core/models/model.ts";
import type { WireRequest } from "./wire-request.ts";

/** A part of an embeddings call, sent as one provider request. */
export interface EmbeddingsCall {
  readonly inputs: readonly EmbeddingInput[];
  /** Provider's id of the model. */
  readonly upstreamModel: string;
  readonly model: ModelSpec | null;
  /** Requested dimensions; null for the model's default. */
  readonly dimensions: number | null;
  /** The client's encoding. A provider without base64 is asked for floats; Postern converts between the two. */
  readonly encoding: VectorEncoding;
  /** Fields of the client's body that Postern does not know, for the provider to read. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** The result of one request, in the order of its inputs. */
export interface EmbeddingsResponse {
  readonly vectors: readonly Vector[];
  /** Null if the provider reports none: tokens are then counted here. */
  readonly units: Units | null;
}

/** `embeddings.ts` of a provider. */
export interface EmbeddingsAdapter {
  /** Fields with effects beyond the model; absent if there are no such fields. */
  readonly reaches?: FieldRules;
  /** Whether inputs may be arrays of tokens instead of texts. */
  readonly takesTokens: boolean;
  /** Returns the limits of one request for this model. */
  readLimits(upstreamModel: string): EmbeddingLimits;
  toRequest(call: EmbeddingsCall, secret: string | null): WireRequest;
  /** @returns null if the response is not a list of one vector per input */
  fromResponse(body: unknown, call: EmbeddingsCall): EmbeddingsResponse | null;
}
