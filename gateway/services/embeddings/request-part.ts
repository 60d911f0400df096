import type { EmbeddingPart } from "../../core/embeddings/embedding-parts.ts";
import type { EmbeddingRules } from "../../core/embeddings/embedding-rules.ts";
import { computeLargestEmbeddings } from "../../core/embeddings/embedding-vectors.ts";
import type { VectorEncoding } from "../../core/embeddings/embedding-vectors.ts";
import type { EmbeddingsAdapter, EmbeddingsCall } from "../../providers/embeddings.ts";
import type { Client } from "../calls/client.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import { readResponse } from "../calls/whole-response.ts";
import type { Candidate, ServedModel } from "../models/served-model.ts";
import { countedTokens, findMostUnits } from "./part-costs.ts";
import type { ListForm } from "./embedding-list.ts";
import type { DonePart } from "./part-costs.ts";

/** Parameters of the client's request, the same for all parts. */
export interface VectorFormat {
  readonly dimensions: number | null;
  readonly encoding: VectorEncoding;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Assumed numbers in a vector of unknown length; the longest known vectors have 4,096. */
const LONGEST_VECTOR = 16_384;

/**
 * Sends a part of a call to the provider, with its own failover.
 * @throws GatewayError, ClientCancelled.
 */
export async function getRequestPart<T>(
  call: PaidCall,
  candidates: readonly Candidate[],
  servedModel: ServedModel,
  part: EmbeddingPart,
  format: VectorFormat,
  client: Client,
  form: Pick<ListForm<T, unknown>, "items">,
): Promise<DonePart<T>> {
  const wired = (candidate: Candidate): EmbeddingsCall => ({
    ...format,
    inputs: part.inputs,
    upstreamModel: candidate.upstreamModel,
    model: servedModel.spec,
  });
  const attempts = call.createAttempts(candidates, client, {
    wire(candidate, { secret }) {
      const adapter = getAdapter(candidate);
      call.checkFieldPermissions(candidate, "embeddings", format.extra);
      return adapter.toRequest(wired(candidate), secret);
    },
    unseen: () => [findMostUnits(part)],
  });
  const { opened, value } = await readResponse(
    attempts,
    client,
    "a list of embeddings, one for each input",
    { read: (response, { candidate }) => getAdapter(candidate).fromResponse(response, wired(candidate)) },
    computeLargestEmbeddings(
      part.inputs.length,
      Math.max(format.dimensions ?? 0, findLongestVector(servedModel.spec?.embedding)),
    ),
  );
  return {
    candidate: opened.candidate,
    tokens: value.units?.input ?? countedTokens(part.inputs),
    estimated: value.units === null,
    items: await form.items(value.vectors, part.offset, format.encoding),
  };
}

/** A provider that ignores `dimensions` returns its default. */
function findLongestVector(rules: EmbeddingRules | undefined): number {
  if (rules === undefined) return LONGEST_VECTOR;
  const { dimensions, standard } = rules;
  if (dimensions === "fixed") return standard;
  return Math.max(standard, ...("oneOf" in dimensions ? dimensions.oneOf : [dimensions.most]));
}

export function getAdapter({ connection }: Candidate): EmbeddingsAdapter {
  const { embeddings } = connection.provider;
  if (embeddings === null) throw new Error(`${connection.provider.id} makes no embeddings`);
  return embeddings;
}
