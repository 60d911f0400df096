import * as z from "zod";
import { getWholeBetween, wholeFrom } from "./bounds.ts";
import { addIssue } from "./first-issue.ts";
import { onDemand } from "./on-demand.ts";

/**
 * Bodies of `POST /v1/images/generations`, one format per model family (docs/specification.md#images), and their
 * responses.
 *
 * Deliberately tolerant: unknown fields are forwarded or dropped, and `null` means absent. Model-specific limits
 * (sizes, counts, qualities) are in core/image-*.ts. Messages begin with "expected": core/validation.ts prepends the
 * field and the value.
 */

const text = z.string();
const flag = z.boolean();
const model = text.min(1, { error: "expected the id of a model, as GET /v1/models lists it" });
const prompt = text.regex(/\S/, { error: "expected a text that says what to draw" });
const size = text.min(1, { error: "expected a size" });
const responseFormat = z.enum(["url", "b64_json"]);
const MAX_SEED = 2_147_483_647;

/** The model, which decides about the shape of the other fields. */
export const imageModelSchema = z.looseObject({ model });

const MEDIA = "expected an https URL, or an image as data:image/png;base64,…";
const IMAGE_DATA = /^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+={0,2}$/i;

/** URL of a picture for a provider, which fetches it itself, so only https is allowed. */
export const imageReferenceSchema = text.refine((value) => isHttps(value) || IMAGE_DATA.test(value), { error: MEDIA });

function isHttps(value: string): boolean {
  if (!/^https:\/\//i.test(value)) return false;
  return URL.canParse(value);
}

const gammaBlock = onDemand(() =>
  z.looseObject({ text: prompt.nullish(), image: imageReferenceSchema.nullish() }).check((context) => {
    const { text: words, image } = context.value;
    if ((words == null) !== (image == null)) return;
    const message =
      words == null ? "expected a block with text or with image" : "expected either text or image, not both";
    addIssue(context, [], context.value, message);
  }),
);

const NEGATIVE_PROMPT = "expected a text of at most 500 characters";

/** The gamma-image family: the specification's table. */
export const gammaImageRequestSchema = onDemand(() =>
  z.looseObject({
    model,
    input: z.looseObject({
      messages: z
        .array(
          z.looseObject({
            role: z.literal("user"),
            content: z.array(gammaBlock()).min(1, { error: "expected at least one block with text" }),
          }),
        )
        .length(1, { error: "expected exactly one message" }),
    }),
    parameters: z
      .looseObject({
        size: size.nullish(),
        n: z.literal(1, { error: "expected 1: one image per call" }).nullish(),
        seed: getWholeBetween(0, MAX_SEED).nullish(),
        watermark: flag.nullish(),
        negative_prompt: text.max(500, { error: NEGATIVE_PROMPT }).nullish(),
        prompt_extend: flag.nullish(),
      })
      .nullish(),
  }),
);
export type GammaImageRequest = z.infer<ReturnType<typeof gammaImageRequestSchema>>;

/** Models that only a provider's list names, or that another server serves under a catalog name. */
export const unlistedImageRequestSchema = onDemand(() =>
  z.looseObject({
    model,
    prompt,
    n: wholeFrom(1).nullish(),
    size: size.nullish(),
    quality: text.nullish(),
    response_format: responseFormat.nullish(),
    stream: flag.nullish(),
    partial_images: wholeFrom(0).nullish(),
  }),
);

/** The delta (gpt-image) and epsilon (dall-e) families. */
export const promptImageRequestSchema = onDemand(() =>
  z.looseObject({
    model,
    prompt,
    n: getWholeBetween(1, 10).nullish(),
    size: size.nullish(),
    quality: text.nullish(),
    background: z.enum(["transparent", "opaque", "auto"]).nullish(),
    output_format: z.enum(["png", "jpeg", "webp"]).nullish(),
    output_compression: getWholeBetween(0, 100).nullish(),
    moderation: z.enum(["low", "auto"]).nullish(),
    style: z.enum(["vivid", "natural"]).nullish(),
    response_format: responseFormat.nullish(),
    stream: flag.nullish(),
    partial_images: getWholeBetween(0, 3).nullish(),
    user: text.nullish(),
  }),
);
export type PromptImageRequest = z.infer<ReturnType<typeof promptImageRequestSchema>>;

/** The Seedream family: Ark's own shape (docs/providers/ark.md#images). */
export const seedreamImageRequestSchema = onDemand(() =>
  z.looseObject({
    model,
    prompt,
    n: getWholeBetween(1, 10).nullish(),
    image: z
      .union([imageReferenceSchema, z.array(imageReferenceSchema).min(1, { error: "expected at least one image" })])
      .nullish(),
    size: size.nullish(),
    response_format: responseFormat.nullish(),
    watermark: flag.nullish(),
    stream: flag.nullish(),
    seed: getWholeBetween(-1, MAX_SEED).nullish(),
    guidance_scale: z.number().nullish(),
    sequential_image_generation: z.enum(["auto", "disabled"]).nullish(),
    sequential_image_generation_options: z.looseObject({ max_images: getWholeBetween(1, 15).nullish() }).nullish(),
    output_format: z.enum(["png", "jpeg"]).nullish(),
  }),
);

const ratio = text.regex(/^\d{1,2}:\d{1,2}$/, { error: 'expected a ratio such as "16:9"' });
const IMAGE_SIZES = ["512", "1K", "2K", "4K"] as const;

/** Gemini's own format (docs/providers/gemini.md#images). Names may also be in snake_case, as at Google. */
export const geminiImageRequestSchema = onDemand(() =>
  z.looseObject({
    model,
    contents: z
      .array(
        z.looseObject({
          role: z.enum(["user", "model"]).nullish(),
          parts: z.array(z.looseObject({ text: text.nullish() })).min(1, { error: "expected at least one part" }),
        }),
      )
      .min(1, { error: "expected at least one content" }),
    generationConfig: z
      .looseObject({
        candidateCount: getWholeBetween(1, 8).nullish(),
        responseModalities: z.array(text).nullish(),
        imageConfig: z
          .looseObject({ aspectRatio: ratio.nullish(), imageSize: z.enum(IMAGE_SIZES).nullish() })
          .nullish(),
      })
      .nullish(),
  }),
);
export type GeminiImageRequest = z.infer<ReturnType<typeof geminiImageRequestSchema>>;

export const GROK_RATIOS = [
  "1:1",
  "3:4",
  "4:3",
  "9:16",
  "16:9",
  "2:3",
  "3:2",
  "9:19.5",
  "19.5:9",
  "9:20",
  "20:9",
  "1:2",
  "2:1",
] as const;

/** grok-imagine-image (docs/providers/xai.md#images). */
export const grokImageRequestSchema = onDemand(() =>
  z.looseObject({
    model,
    prompt,
    n: getWholeBetween(1, 10).nullish(),
    response_format: responseFormat.nullish(),
    aspect_ratio: z.enum(GROK_RATIOS).nullish(),
    resolution: z.enum(["1k", "2k"]).nullish(),
    quality: z.enum(["low", "medium", "high"]).nullish(),
    output_format: text.nullish(),
    sync_mode: flag.nullish(),
    user: text.nullish(),
  }),
);

/** The body of `POST /v1/images/generations`, in the shape of the model's family. */
export const imageRequestSchema = onDemand(() =>
  z.union([
    gammaImageRequestSchema(),
    promptImageRequestSchema(),
    seedreamImageRequestSchema(),
    geminiImageRequestSchema(),
    grokImageRequestSchema(),
  ]),
);

/** The gamma-image family's response. The URL is the provider's own, valid for 24 hours. */
export const gammaImageResultSchema = onDemand(() =>
  z.looseObject({
    request_id: text,
    output: z.looseObject({
      choices: z.array(
        z.looseObject({
          finish_reason: text,
          message: z.looseObject({ role: text, content: z.array(z.looseObject({ image: text.optional() })) }),
        }),
      ),
    }),
    usage: z.looseObject({ image_count: z.int(), height: z.int(), width: z.int() }),
  }),
);

/** The response of every family with a `prompt`. */
export const imageResultSchema = onDemand(() =>
  z.looseObject({
    /** Unix seconds. */
    created: z.int(),
    data: z.array(z.looseObject({ b64_json: text.optional(), url: text.optional(), revised_prompt: text.optional() })),
    background: text.optional(),
    output_format: text.optional(),
    quality: text.optional(),
    size: text.optional(),
    usage: z.looseObject({}).optional(),
  }),
);
export type ImageResult = z.infer<ReturnType<typeof imageResultSchema>>;

/** Gemini's own response to its own shape. */
export const geminiImageResultSchema = onDemand(() => z.looseObject({ candidates: z.array(z.looseObject({})) }));
