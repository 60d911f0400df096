import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeVector } from "../../core/embeddings/embedding-vectors.ts";
import type { Vector, VectorEncoding } from "../../core/embeddings/embedding-vectors.ts";
import type { DonePart } from "./parts-ledger.ts";

/** Vectors that are written between two turns of the event loop: some milliseconds' worth. */
const AT_A_TIME = 32;

/**
 * Items of `data` as JSON, with commas between them.
 * @param offset position of the first among all inputs.
 */
export async function encodeItems(
  vectors: readonly Vector[],
  offset: number,
  encoding: VectorEncoding,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let start = 0; start < vectors.length; start += AT_A_TIME) {
    const texts = vectors
      .slice(start, start + AT_A_TIME)
      .map((vector, index) => itemJson(encodeVector(vector, encoding), offset + start + index));
    pieces.push(Buffer.from(`${start === 0 ? "" : ","}${texts.join(",")}`));
    // A batch of numbers can be some seconds of work: other clients' streams go on in between.
    if (start + AT_A_TIME < vectors.length) await nextTurn();
  }
  return Buffer.concat(pieces);
}

function itemJson(embedding: Vector, index: number): string {
  return `{"object":"embedding","index":${index},"embedding":${JSON.stringify(embedding)}}`;
}

/**
 * The answer (docs/specification.md#embedding-list-response-of-post-v1embeddings) in pieces. @param model as the client
 * named it.
 */
export function listChunks(model: string, parts: readonly DonePart[], tokens: number): readonly Buffer[] {
  const comma = Buffer.from(",");
  const items = parts.flatMap(({ items }, index) => (index === 0 ? [items] : [comma, items]));
  const usage = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens });
  return [
    Buffer.from('{"object":"list","data":['),
    ...items,
    Buffer.from(`],"model":${JSON.stringify(model)},"usage":${usage}}`),
  ];
}
