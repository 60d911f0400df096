import * as z from "zod";
import type { EditInput, SentPicture } from "../../services/edits/edit-input.ts";
import { readDocument } from "../../services/edits/read-document.ts";
import { commonImageInput, imageOutput, makeImages } from "../media/image-tool.ts";
import { PICTURE_WORDS, Pictures } from "../media/pictures.ts";
import type { NamedPicture } from "../media/pictures.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import { defineTool } from "../tool/tool.ts";
import type { Tool, ToolCall } from "../tool/tool.ts";

const input = z.strictObject({
  model: z.string().min(1).describe("Id of a model with the capability image_edit."),
  prompt: z.string().min(1).describe("What to change, and what must stay."),
  images: z
    .array(z.string().min(1))
    .max(16)
    .describe(
      `The image to edit, then reference images: ${PICTURE_WORDS} PNG, JPEG or WebP. delta-image takes up to 16, Gemini 14, Grok Imagine 3, epsilon-2 one square PNG below 4 MiB.`,
    ),
  mask: z
    .string()
    .min(1)
    .optional()
    .describe(
      "A PNG of the first image's size, below 4 MiB, given like images: only its transparent area is edited. delta-image and epsilon-2.",
    ),
  n: z
    .number()
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe("Number of images, default 1; each is charged. Gemini makes one."),
  size: z
    .string()
    .min(1)
    .optional()
    .describe("auto (default), 1024x1024, 1024x1536 or 1536x1024; epsilon-2: 256x256, 512x512, 1024x1024."),
  quality: z
    .enum(["auto", "low", "medium", "high", "standard", "hd"])
    .optional()
    .describe("Higher costs more and takes longer; delta-image and Grok Imagine."),
  output_format: z.enum(["png", "jpeg", "webp"]).optional().describe("Default png; others with delta-image only."),
  input_fidelity: z
    .enum(["high", "low"])
    .optional()
    .describe("high keeps faces and details closer, and costs more input tokens; delta-image, not its mini."),
  ...commonImageInput,
});

type Deps = Pick<ToolDeps, "editImages" | "media" | "clock" | "later" | "origin">;

/** Runs the service of `POST /v1/images/edits`. */
export function editImageTool(deps: Deps): Tool {
  return defineTool({
    name: "edit_image",
    title: "Edit images",
    description:
      "Edits images by a prompt and returns the new images and links to them; the originals stay. Costs money: per image or per token at the model's price, input images included. Call quote with the same arguments to estimate the cost, and list_models with capability image_edit for models and prices. Takes 5 s to 2 min and reports progress. Every image is kept in Postern's media library: pass its uri postern://media/{id} to edit_image or generate_video, its url opens in a browser for a day.",
    input,
    output: imageOutput,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    capability: "image_edit",
    estimate: async (call, args) => deps.editImages.estimate(call.input, await getEdit(deps, call, args)),
    async run(call, args) {
      const edit = await getEdit(deps, call, args);
      const making = { label: `${args.model} edits`, delivery: args.delivery };
      return makeImages(deps, call, making, () => deps.editImages.run(call.input, edit, call.client));
    },
  });
}

/** Read as the JSON form of `/v1/images/edits`; images of the library go in without a detour through base64. */
async function getEdit(deps: Deps, call: Pick<ToolCall, "input">, args: z.output<typeof input>): Promise<EditInput> {
  const { delivery: _, images: imageNames, mask: maskName, ...fields } = args;
  const pictures = new Pictures(deps, call.input.key);
  const images = await pictures.readAll(imageNames, "images");
  const mask = maskName === undefined ? null : await pictures.read(maskName, "mask");
  const written = readDocument({
    ...fields,
    images: images.map(writtenAs),
    ...(mask === null ? {} : { mask: writtenAs(mask) }),
  });
  return {
    fields: written.fields,
    images: written.images.map((sent, index) => fillPicture(sent, images[index] ?? null)),
    mask: written.mask === null ? null : fillPicture(written.mask, mask),
  };
}

const EMPTY = "data:image/png;base64,";

function writtenAs(picture: NamedPicture): string {
  return picture.kind === "given" ? picture.text : EMPTY;
}

function fillPicture(sent: SentPicture, picture: NamedPicture | null): SentPicture {
  if (picture === null || picture.kind === "given") return sent;
  return { kind: "file", field: sent.field, fileName: picture.fileName, bytes: picture.bytes };
}
