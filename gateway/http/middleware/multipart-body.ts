import { refuseMiswritten } from "../../services/calls/known-fields.ts";
import { GatewayError } from "../../core/errors.ts";
import type { BodyRoom } from "../body-room.ts";
import { getKey } from "../call-input.ts";
import { readBody } from "../read-body.ts";
import type { Context, Next } from "../state.ts";
import { jsonBody } from "./json-body.ts";
import { getBoundary, splitParts } from "./multipart-parts.ts";

/**
 * The form, whose parts are views into it, plus half of it for parts that are encoded as JSON for a provider.
 */
const COST = 1.5;

/** Whether a route also accepts JSON, and its error for other bodies. */
export interface FormOptions {
  readonly json: boolean;
  readonly sentence: string;
}

export const PICTURE_FORM: FormOptions = {
  json: true,
  sentence: "Send the edit as multipart/form-data with the picture in the field image, or as JSON with images.",
};
export const SOUND_FORM: FormOptions = {
  json: false,
  sentence: "Send multipart/form-data with the sound in the field file.",
};

/**
 * Reads a multipart form or, if the client sends JSON, a JSON body. A custom form reader, because formidable (used by
 * koa-body) treats text parts with a content type (.NET, Java) as files and files without one as text, and crashes the
 * process at `Content-Transfer-Encoding: 7bit`.
 * @param options whether JSON is accepted too, and the error for other types
 * @param room memory for running requests, in which the form has its share until the call ends.
 * @returns middleware that leaves `FormPart[]`, or the JSON, in `state.body`.
 */
export function formBody(room: BodyRoom, options: FormOptions) {
  const readJson = jsonBody(room);
  const bytes = room.largest(COST);
  return async function readForm(context: Context, next: Next): Promise<void> {
    const { req, res, state } = context;
    const type = req.headers["content-type"] ?? "";
    const boundary = getBoundary(type);
    if (boundary === null) {
      if (options.json && /^\s*application\/(\S+\+)?json\b/i.test(type)) return readJson(context, next);
      throw new GatewayError("unsupported_media_type", options.sentence);
    }
    const share = room.open(getKey(context).record.id);
    try {
      const parts = splitParts(await readBody(req, res, { bytes, share, cost: COST }), boundary);
      refuseMiswritten(parts.map(({ name }) => name.split("[", 1)[0] ?? ""));
      state.body = parts;
      await next();
      state.body = undefined;
    } finally {
      share.close();
    }
  };
}
