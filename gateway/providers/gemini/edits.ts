import { geminiEdits } from "./catalog.ts";
import { JSON_EDIT } from "../edits.ts";
import type { EditPicture, EditsAdapter, EditsCall } from "../edits.ts";
import { buildGoogleHeaders, allowedDrawing, boundedDrawing, buildImageConfig, images } from "./images.ts";

/**
 * Gemini edits natively (docs/providers/gemini.md#images): pictures are sent as `inlineData` parts with the text. The
 * response is read like that of a generation.
 */
export const edits: EditsAdapter = {
  fetches: { addresses: false, files: false },
  unlisted: geminiEdits,
  encode: (call) => ({
    path: `/v1beta/models/${encodeURIComponent(call.upstreamModel)}:generateContent`,
    headers: JSON_EDIT,
    body: JSON.stringify(readBody(call)),
  }),
  toRequest: ({ path, body }, secret) => ({ method: "POST", path, headers: buildGoogleHeaders(secret), body }),
  allows: ({ bound }) => allowedDrawing(null, bound),
  fromResponse: (body, { fields, upstreamModel, model, stream, bound }) =>
    images.fromResponse(body, { raw: null, body: fields, upstreamModel, model, stream, bound }),
  toUnits: null,
};

/** Google refuses unknown fields, so only these are sent. */
function readBody({ fields, images: pictures, upstreamModel, bound }: EditsCall): Readonly<Record<string, unknown>> {
  return {
    contents: [{ role: "user", parts: [...pictures.flatMap(readPart), { text: fields["prompt"] }] }],
    // Undefined fields are not serialized.
    generationConfig: boundedDrawing(
      { responseModalities: ["IMAGE"], imageConfig: buildImageConfig(fields["size"], upstreamModel) },
      bound,
    ),
  };
}

function readPart(picture: EditPicture): readonly object[] {
  if (picture.kind === "reference") return [];
  return [{ inlineData: { mimeType: picture.mediaType, data: picture.bytes.toString("base64") } }];
}
