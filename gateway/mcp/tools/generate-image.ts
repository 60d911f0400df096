import * as z from "zod";
import type { ImagesInput } from "../../services/images/run-images.ts";
import { IMAGE_QUALITIES } from "../../core/images/image-quality.ts";
import { createImageBody } from "../media/image-body.ts";
import { RESOLUTIONS } from "../media/image-size.ts";
import { commonImageInput, imageOutput, makeImages } from "../media/image-tool.ts";
import { PICTURE_WORDS, Pictures, pictureUrl } from "../media/pictures.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool, ToolCall } from "../tool/tool.ts";

const input = z.strictObject({
  model: z.string().min(1).describe("Id of a model with the capability image."),
  prompt: z.string().min(1).describe("What the image shows. Most models understand any language."),
  images: z
    .array(z.string().min(1))
    .max(14)
    .optional()
    .describe(
      `Reference images, in the order in which the prompt refers to them: ${PICTURE_WORDS} gamma-image-edit models need 1 to 3, gamma-image-2.0 takes up to 3, Seedream up to 14; to all other models give pictures with edit_image.`,
    ),
  n: z
    .number()
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe(
      "Number of images, default 1; each is charged. gamma-image, epsilon-3 and Gemini models make one a call.",
    ),
  size: z
    .string()
    .min(1)
    .optional()
    .describe(
      "WIDTHxHEIGHT in pixels as 1024x1024, or auto; Gemini and Seedream also take 1K, 2K and 4K. The error for an unsupported size lists the supported ones. Instead of aspect_ratio and resolution.",
    ),
  aspect_ratio: z
    .string()
    .regex(/^[1-9]\d?(\.\d)?:[1-9]\d?(\.\d)?$/, { error: 'expected a ratio such as "16:9"' })
    .optional()
    .describe("As 16:9, 1:1 or 2:3. Models with a few sizes make the nearest."),
  resolution: z
    .enum(RESOLUTIONS)
    .optional()
    .describe(
      "As many pixels as a square with a side of 512, 1024, 2048 or 4096 has; the default is the model's own, mostly 1k. For models with free sizes: Gemini 3, Seedream, Grok Imagine (1k, 2k), delta-image-2.",
    ),
  quality: z
    .string()
    .meta({ enum: [...IMAGE_QUALITIES] })
    .optional()
    .describe("Higher costs more and takes longer. delta-image: auto, low, medium, high; epsilon-3: standard, hd."),
  output_format: z.enum(["png", "jpeg", "webp"]).optional().describe("delta-image; Seedream takes png and jpeg."),
  style: z.enum(["vivid", "natural"]).optional().describe("epsilon-3 only."),
  seed: z
    .number()
    .int()
    .min(-1)
    .max(2_147_483_647)
    .optional()
    .describe("The same prompt and seed give similar images: gamma-image, Seedream, Gemini."),
  negative_prompt: z.string().max(500).optional().describe("What must not be in the image; gamma-image only."),
  prompt_extend: z.boolean().optional().describe("Whether gamma-image rewrites the prompt first; default true."),
  watermark: z.boolean().optional().describe("Whether the provider adds a watermark; gamma-image and Seedream."),
  guidance_scale: z.number().optional().describe("How closely Seedream 3 follows the prompt."),
  ...commonImageInput,
});

type Deps = Pick<ToolDeps, "runImages" | "media" | "clock" | "later" | "origin">;

/** Runs the service of `POST /v1/images/generations`. */
export function generateImageTool(deps: Deps): Tool {
  return defineTool({
    name: "generate_image",
    title: "Generate images",
    description:
      "Generates images from a prompt and returns the images and links to them. Costs money: per image or per token at the model's price, more for larger sizes and higher quality. Call quote with the same arguments to estimate the cost, and list_models with capability image for models and prices. Takes 5 s to 2 min and reports progress. Arguments that a model does not support are refused or have no effect, as each says. Every image is kept in Postern's media library: pass its uri postern://media/{id} to edit_image or generate_video, its url opens in a browser for a day.",
    input,
    output: imageOutput,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    capability: "image",
    estimate: async (call, args) => deps.runImages.estimate(await getInput(deps, call, args)),
    async run(call, args) {
      const input = await getInput(deps, call, args);
      const making = { label: `${args.model} draws`, delivery: args.delivery };
      return makeImages(deps, call, making, () => deps.runImages.run(input, call.client));
    },
  });
}

/** The order as `/v1/images/generations` takes it, with pictures of the library inside. */
async function getInput(deps: Deps, call: Pick<ToolCall, "input">, args: z.output<typeof input>): Promise<ImagesInput> {
  const { model, prompt, images, n, size, aspect_ratio: aspectRatio, resolution, delivery: _, ...settings } = args;
  const pictures = await new Pictures(deps, call.input.key).readAll(images ?? [], "images");
  const body = createImageBody({
    model,
    modelId: deps.runImages.getId(model),
    prompt,
    images: pictures.map(pictureUrl),
    n,
    size,
    aspectRatio,
    resolution,
    settings,
  });
  return { ...call.input, raw: Buffer.from(JSON.stringify(body)), body };
}
