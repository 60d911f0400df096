import * as z from "zod";

/**
 * The input that a model accepts, so that forms only offer valid options. A part is null if the model lacks it, or if
 * only its provider knows: then any input is allowed, and the provider decides.
 */

const texts = z.array(z.string());
const count = z.number().int().nonnegative();

export const modelFactsSchema = z.object({
  /** The id under which requests name it. */
  id: z.string(),
  chat: z.object({
    /** Accepted `reasoning_effort` values; null for models without reasoning, empty if unknown. */
    efforts: texts.nullable(),
  }),
  image: z
    .object({
      /** Which of the request shapes it takes. */
      family: z.string(),
      /** Sizes to choose from; empty if the model decides or any size is allowed. */
      sizes: texts,
      /** Whether other sizes are allowed. */
      free: z.boolean(),
      /** Most images of one call. */
      most: count,
      qualities: texts,
      /** Range of the number of reference images of a call. */
      references: z.object({ least: count, most: count }),
    })
    .nullable(),
  edit: z
    .object({
      sizes: texts,
      most: count,
      qualities: texts,
      /** Max pictures of one call: the edited one and references. */
      pictures: count,
      mask: z.boolean(),
      /** Whether the picture must be a square PNG. */
      square_png: z.boolean(),
    })
    .nullable(),
  speech: z
    .object({
      voices: texts,
      default_voice: z.string(),
      /** The default first. */
      formats: texts,
      speed: z.object({ least: z.number(), most: z.number() }).nullable(),
      instructions: z.boolean(),
      /** Characters of one text. */
      most: count,
    })
    .nullable(),
  transcription: z
    .object({
      /** Formats of the transcript. */
      formats: texts,
      translates: z.boolean(),
      /** Whether it follows names and terms in a prompt. */
      prompt: z.boolean(),
    })
    .nullable(),
  embedding: z
    .object({
      /**
       * Output dimensions to choose from; null if any value from `least` to `most` is valid; empty if the model has no
       * such option.
       */
      dimensions: z.array(count).nullable(),
      least: count,
      most: count,
      standard: count,
    })
    .nullable(),
  video: z.object({
    family: z.string(),
    /** `t2v`, `i2v`, `r2v`, `edit`; `any` if it depends on the request. */
    kind: z.enum(["t2v", "i2v", "r2v", "edit", "any"]),
    /** Smallest first; empty if unknown. */
    resolutions: texts,
    /** Durations in seconds; null if unknown. */
    durations: z.array(count).nullable(),
    /** The image-to-video model, if it is a different one. */
    with_image: z.string().nullable(),
  }),
});
export type ModelFacts = z.infer<typeof modelFactsSchema>;

export const modelFactsQuerySchema = z.object({ model: z.string().min(1).max(300) }).strict();
