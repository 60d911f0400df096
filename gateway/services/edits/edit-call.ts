import { completeEdit } from "../../core/edits/edit-answer.ts";
import type { PictureHeader } from "../../core/media/picture-header.ts";
import { readPicture } from "../../core/media/picture-type.ts";
import type { EditsAdapter, EditsCall, EncodedEdit } from "../../providers/edits.ts";
import type { AllowedDrawing, ImagesAnswer } from "../../providers/images.ts";
import type { Provider, WireRequest } from "../../providers/provider.ts";
import type { Candidate } from "../models/routes.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A checked edit on its way to whichever provider answers it. */
export class EditCall {
  readonly #edit: Omit<EditsCall, "upstreamModel" | "bound">;
  /** The client's fields, which answers echo. */
  readonly #asked: Fields;
  readonly #encoded = new Map<string, EncodedEdit>();

  constructor(edit: Omit<EditsCall, "upstreamModel" | "bound">, asked: Fields) {
    this.#edit = edit;
    this.#asked = asked;
  }

  /** What the request lets a candidate's model write; null where images are what is ordered. */
  allows({ connection, upstreamModel }: Candidate): AllowedDrawing | null {
    return editsOf(connection.provider).allows?.({ ...this.#edit, upstreamModel, bound: Infinity }) ?? null;
  }

  /** The request for a candidate. Its body holds all pictures, so it is made once for each protocol, model id and bound. */
  toRequest({ connection, upstreamModel }: Candidate, secret: string | null, bound: number | null): WireRequest {
    const adapter = editsOf(connection.provider);
    const key = `${connection.provider.id} ${upstreamModel} ${bound}`;
    let encoded = this.#encoded.get(key);
    if (encoded === undefined) {
      encoded = adapter.encode({ ...this.#edit, upstreamModel, bound });
      this.#encoded.set(key, encoded);
    }
    return adapter.toRequest(encoded, secret);
  }

  /** The candidate's answer, with everything that the specification shows of it. */
  read(document: unknown, { connection, upstreamModel }: Candidate): ImagesAnswer | null {
    const answer = editsOf(connection.provider).fromResponse(document, { ...this.#edit, upstreamModel, bound: null });
    return answer === null ? null : { ...answer, body: completeEdit(answer.body, this.#asked, firstPicture(answer)) };
  }
}

/** Enough of a picture in base64 to find its size in. */
const HEAD_CHARACTERS = 87_380;

/** The first picture where the answer holds it. */
function firstPicture({ images }: ImagesAnswer): PictureHeader | null {
  const first = images[0];
  if (first?.kind !== "base64") return null;
  return readPicture(Buffer.from(first.data.slice(0, HEAD_CHARACTERS), "base64"));
}

export function editsOf({ id, edits }: Provider): EditsAdapter {
  if (edits === null) throw new Error(`${id} does not edit images`);
  return edits;
}
