import * as z from "zod";
import type { ImagesResponse } from "../../services/images/image-call.ts";
import { costLine, getPaid, paidFields } from "../tool/paid-fields.ts";
import type { ToolDeps } from "../tool/tool-deps.ts";
import type { ToolCall, ToolResponse } from "../tool/tool.ts";
import { whileWaiting } from "../tool/waiting.ts";
import { getMediaContent } from "./media-content.ts";
import { deliverySchema, mediaFactsSchema } from "./media-facts.ts";
import { listUnsavedImages } from "./unsaved-media.ts";

/** Arguments that both tools for images have in the same words. */
export const commonImageInput = {
  background: z
    .enum(["transparent", "opaque", "auto"])
    .optional()
    .describe("delta-image only; transparent needs output_format png or webp."),
  output_compression: z
    .number()
    .int()
    .min(0)
    .max(100)
    .optional()
    .describe("Percent, for jpeg and webp; delta-image only."),
  moderation: z.enum(["auto", "low"]).optional().describe("How strictly content is filtered; delta-image only."),
  delivery: deliverySchema,
};

export const imageOutput = z.object({
  images: z.array(mediaFactsSchema).describe("In the order of the provider's response."),
  ...paidFields,
});

/**
 * Makes images, reports progress while they are made, and returns them as the result of a tool.
 * @param label what is under way, for the progress
 */
export async function makeImages(
  deps: Pick<ToolDeps, "media" | "clock" | "later" | "origin">,
  call: ToolCall,
  { label, delivery }: { readonly label: string; readonly delivery: z.output<typeof deliverySchema> },
  make: () => Promise<ImagesResponse | null>,
): Promise<ToolResponse<z.output<typeof imageOutput>>> {
  const work = async () => {
    const response = await make();
    return getMediaContent(deps, call, delivery, () => listUnsavedImages(response));
  };
  const made = await whileWaiting(deps, call.progress, label, work());
  return {
    content: [...made.content, { type: "text", text: [made.text, costLine(call)].join("\n").trim() }],
    structured: { images: [...made.results], ...getPaid(call) },
  };
}
