import { refuseMiswritten } from "../../services/calls/known-fields.ts";
import { GatewayError } from "../../core/errors.ts";
import type { BodyRoom } from "../body-room.ts";
import { getKey } from "../call-input.ts";
import { readBody } from "../read-body.ts";
import type { Context, Next } from "../state.ts";
import { jsonBody } from "./json-body.ts";
import { getBoundary, splitParts } from "./multipart-parts.ts";

/**
 * The form, of which all parts are windows, also on the way out; half of it besides, for what is written into JSON where
 * a provider wants that.
 */
const COST = 1.5;

/** Whether a route takes JSON in the place of a form, and its error for other bodies. */
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
 * Reads a multipart form or, if the client sends JSON, a JSON body. Our own reader for forms, because formidable (below
 * koa-body) takes text parts with a content type (.NET, Java) for files and files without one for text, and ends the process
 * at `Content-Transfer-Encoding: 7bit`.
 * @param options whether JSON is read too, and the error for other types
 * @param room for what is in flight: the form has its share of it until the call has ended.
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
