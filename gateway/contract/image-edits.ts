import * as z from "zod";
import { getWholeBetween, wholeFrom } from "./bounds.ts";
import { onDemand } from "./on-demand.ts";

/**
 * `POST /v1/images/edits`: every field of the specification's table, and the JSON form of it that newer SDKs send.
 *
 * Deliberately tolerant: unknown fields are passed to the provider, and `null` means "not given". The limits of each
 * model are in core/edit-checks.ts. Messages begin with "expected": core/validation.ts prepends the field and the
 * value.
 */

const text = z.string();

const EDIT_BACKGROUNDS = ["transparent", "opaque", "auto"] as const;
const EDIT_OUTPUT_FORMATS = ["png", "jpeg", "webp"] as const;
const EDIT_QUALITIES = ["auto", "low", "medium", "high", "standard", "hd"] as const;
/** docs/specification.md#limits: "n, image edits: 1 to 10". */
const MOST_EDITS = 10;

/** The fields next to the pictures, in the types of JSON; forms send them as texts. What hangs on the model is not checked. */
const looseFields = onDemand(() => ({
  model: text.min(1, { error: "expected the id of a model, as GET /v1/models lists them" }),
  prompt: text.regex(/\S/, { error: "expected a text that says what to change" }),
  n: wholeFrom(1).nullish(),
  size: text.nullish(),
  response_format: z.enum(["b64_json", "url"]).nullish(),
  user: text.nullish(),
  stream: z.boolean({ error: "expected true or false" }).nullish(),
  partial_images: wholeFrom(0).nullish(),
}));

/** Fields of models of the catalog. */
const fields = onDemand(() => ({
  ...looseFields(),
  n: getWholeBetween(1, MOST_EDITS).nullish(),
  quality: z.enum(EDIT_QUALITIES).nullish(),
  output_format: z.enum(EDIT_OUTPUT_FORMATS).nullish(),
  background: z.enum(EDIT_BACKGROUNDS).nullish(),
  output_compression: getWholeBetween(0, 100).nullish(),
  input_fidelity: z.enum(["high", "low"]).nullish(),
  moderation: z.enum(["low", "auto"]).nullish(),
  partial_images: getWholeBetween(0, 3).nullish(),
}));

export const imageEditFieldsSchema = onDemand(() => z.looseObject(fields()));

/** A picture in the JSON form: inside the text (`data:image/png;base64,…`), at an address, or stored at the provider. */
const reference = onDemand(() =>
  z.union(
    [
      text,
      z.looseObject({ image_url: z.union([text, z.looseObject({ url: text })]) }),
      z.looseObject({ file_id: text }),
      z.looseObject({ url: text }),
    ],
    { error: "expected data:image/png;base64,…, an https URL, or an object with image_url or file_id" },
  ),
);

const pictures = onDemand(() => ({
  images: z.array(reference()).nullish(),
  image: z.union([reference(), z.array(reference())]).nullish(),
  mask: reference().nullish(),
}));

/** The JSON body. `image` is accepted in place of `images`. */
export const imageEditRequestSchema = onDemand(() => z.looseObject({ ...fields(), ...pictures() }));

/** The body before its model is known. */
export const editShapeSchema = onDemand(() => z.looseObject({ ...looseFields(), ...pictures() }));

/** The multipart body as a description: `image`, repeated `image[]` or `image[0]`, and `mask` are files. */
export const imageEditFormSchema = onDemand(() =>
  z.looseObject({
    ...fields(),
    image: text.meta({ format: "binary", description: "PNG, JPEG or WebP. Several: repeat image[]." }),
    mask: text.meta({ format: "binary", description: "PNG; its transparent area is edited." }).nullish(),
  }),
);

/** The response (docs/specification.md#image-result-edits-endpoint). */
export const imageEditResponseSchema = onDemand(() =>
  z.looseObject({
    created: z.int(),
    data: z.array(z.looseObject({ b64_json: text.nullish(), url: text.nullish() })),
    background: text,
    output_format: text,
    quality: text,
    size: text,
    usage: z.looseObject({
      input_tokens: z.int(),
      output_tokens: z.int(),
      total_tokens: z.int(),
      input_tokens_details: z.looseObject({ text_tokens: z.int(), image_tokens: z.int() }),
    }),
  }),
);
