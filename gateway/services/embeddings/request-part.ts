import type { EmbeddingPart } from "../../core/embeddings/embedding-parts.ts";
import type { VectorEncoding } from "../../core/embeddings/embedding-vectors.ts";
import type { EmbeddingsAdapter, EmbeddingsCall } from "../../vendors/embeddings.ts";
import type { Client } from "../calls/client.ts";
import { ANSWER_PATIENCE } from "../calls/paid-call.ts";
import type { PaidCall } from "../calls/paid-call.ts";
import { readAnswer } from "../calls/whole-answer.ts";
import type { Candidate, Route } from "../models/model-index.ts";
import { countedTokens } from "./counted-tokens.ts";
import { encodeItems } from "./embedding-list.ts";
import type { DonePart } from "./parts-ledger.ts";

/** What the client asked for, the same for all parts. */
export interface AskedOfVectors {
  readonly dimensions: number | null;
  readonly encoding: VectorEncoding;
  readonly extra: Readonly<Record<string, unknown>>;
}

/** 2,048 vectors of 3,072 numbers, each written with 20 digits, are 140 MB. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/**
 * One part of a call at the vendor, with a fail-over of its own.
 * @throws GatewayError, ClientGone.
 */
export async function requestPart(
  call: PaidCall,
  candidates: readonly Candidate[],
  route: Route,
  part: EmbeddingPart,
  asked: AskedOfVectors,
  client: Client,
): Promise<DonePart> {
  const wired = (candidate: Candidate): EmbeddingsCall => ({
    ...asked,
    inputs: part.inputs,
    upstreamModel: candidate.upstreamModel,
    model: route.spec,
  });
  const attempts = call.attempts(candidates, client, ANSWER_PATIENCE, (candidate, { secret }) =>
    adapterOf(candidate).toRequest(wired(candidate), secret),
  );
  const { opened, value } = await readAnswer(
    attempts,
    client,
    "a list of embeddings, one for each input",
    (answer, { candidate }) => adapterOf(candidate).fromResponse(answer, wired(candidate)),
    MAX_ANSWER_BYTES,
  );
  return {
    candidate: opened.candidate,
    tokens: value.units?.input ?? countedTokens(part.inputs),
    estimated: value.units === null,
    items: await encodeItems(value.vectors, part.offset, asked.encoding),
  };
}

export function adapterOf({ connection }: Candidate): EmbeddingsAdapter {
  const { embeddings } = connection.vendor;
  if (embeddings === null) throw new Error(`${connection.vendor.id} makes no embeddings`);
  return embeddings;
}
