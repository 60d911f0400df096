import { setImmediate as nextTurn } from "node:timers/promises";
import { encodeVector } from "../../core/embeddings/embedding-vectors.ts";
import type { Vector, VectorEncoding } from "../../core/embeddings/embedding-vectors.ts";

/** Vectors that are written between two turns of the event loop: some milliseconds' worth. */
const AT_A_TIME = 32;

/**
 * Vectors as JSON, with commas between them.
 * @param write one of them. @param offset position of the first among all inputs.
 */
async function encodeItems(
  vectors: readonly Vector[],
  offset: number,
  encoding: VectorEncoding,
  write: (vector: Vector, index: number) => string = getItemJson,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (let start = 0; start < vectors.length; start += AT_A_TIME) {
    const texts = vectors
      .slice(start, start + AT_A_TIME)
      .map((vector, index) => write(encodeVector(vector, encoding), offset + start + index));
    pieces.push(Buffer.from(`${start === 0 ? "" : ","}${texts.join(",")}`));
    // A batch of numbers can be some seconds of work: other clients' streams go on in between.
    if (start + AT_A_TIME < vectors.length) await nextTurn();
  }
  return Buffer.concat(pieces);
}

function getItemJson(embedding: Vector, index: number): string {
  return `{"object":"embedding","index":${index},"embedding":${JSON.stringify(embedding)}}`;
}

/** A list of embeddings as JSON in pieces, which together may be larger than a string can be. */
export interface EmbeddingsReply {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly Buffer[];
}

/** A list of embeddings as an object. */
export interface VectorList {
  /** Model as the client named it. */
  readonly model: string;
  readonly vectors: readonly Vector[];
  readonly tokens: number;
}

/** Format of the combined vectors of a call. @template T the items of one part. @template R the list. */
export interface ListForm<T, R> {
  /** @param offset position of the first among all inputs. */
  items(vectors: readonly Vector[], offset: number, encoding: VectorEncoding): T | Promise<T>;
  /** @param model as the client named it. @param parts in the order of their inputs. */
  list(model: string, parts: readonly T[], tokens: number): R;
  /** The list as HTTP has it. */
  bytes(list: R): Buffer;
}

/** The response (docs/specification.md#embedding-list-response-of-post-v1embeddings) in pieces. */
export const JSON_LIST: ListForm<Buffer, EmbeddingsReply> = {
  items: encodeItems,
  list(model, parts, tokens) {
    const items = joinParts(parts);
    const usage = JSON.stringify({ prompt_tokens: tokens, total_tokens: tokens });
    return {
      headers: { "content-type": "application/json" },
      chunks: [
        Buffer.from('{"object":"list","data":['),
        ...items,
        Buffer.from(`],"model":${JSON.stringify(model)},"usage":${usage}}`),
      ],
    };
  },
  bytes: ({ chunks }) => Buffer.concat(chunks),
};

function joinParts(parts: readonly Buffer[]): readonly Buffer[] {
  const comma = Buffer.from(",");
  return parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
}

const writeValues = (vector: Vector): string => `{"values":${JSON.stringify(vector)}}`;

/** @param after ends the list; gets the model as the client named it, and the tokens */
const createVectorList = (
  before: string,
  after: (model: string, tokens: number) => string,
  write: (vector: Vector) => string,
): ListForm<Buffer, EmbeddingsReply> => ({
  items: (vectors, offset, encoding) => encodeItems(vectors, offset, encoding, write),
  list: (model, parts, tokens) => ({
    headers: { "content-type": "application/json" },
    chunks: [Buffer.from(before), ...joinParts(parts), Buffer.from(after(model, tokens))],
  }),
  bytes: ({ chunks }) => Buffer.concat(chunks),
});

/** The responses of `:embedContent` and `:batchEmbedContents`. */
export const GOOGLE_ONE = createVectorList('{"embedding":', () => "}", writeValues);
export const GOOGLE_BATCH = createVectorList('{"embeddings":[', () => "]}", writeValues);

/**
 * The response of Ollama's `/api/embed`, or of the older `/api/embeddings`, which has one vector.
 * @param elapsed nanoseconds since the request arrived
 */
export function createOllamaList(isOld: boolean, elapsed: () => number): ListForm<Buffer, EmbeddingsReply> {
  const write = (vector: Vector): string => JSON.stringify(vector);
  if (isOld) return createVectorList('{"embedding":', () => "}", write);
  const writeEnd = (model: string, tokens: number): string =>
    `],"model":${JSON.stringify(model)},"total_duration":${elapsed()},"load_duration":0,"prompt_eval_count":${tokens}}`;
  return createVectorList('{"embeddings":[', writeEnd, write);
}

/** Vectors as objects, for callers inside Postern. */
export const OBJECT_LIST: ListForm<readonly Vector[], VectorList> = {
  items: (vectors, _offset, encoding) => vectors.map((vector) => encodeVector(vector, encoding)),
  list: (model, parts, tokens) => ({ model, vectors: parts.flat(), tokens }),
  bytes({ model, vectors, tokens }) {
    const items = vectors.map((vector, index) => getItemJson(vector, index)).join(",");
    return Buffer.concat(JSON_LIST.list(model, [Buffer.from(items)], tokens).chunks);
  },
};
