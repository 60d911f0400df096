import * as z from "zod";
import { getWholeBetween } from "../../contract/bounds.ts";

/** Accepted sources of a picture or a video. */
const FROM = "an https URL, a data: URL, or postern://media/{id} of this key's own library";

const getText = (description: string) => z.string().optional().describe(description);
const whether = (description: string) => z.boolean("expected true or false").optional().describe(description);
const list = (description: string) => z.array(z.string()).optional().describe(description);

/** Arguments of `generate_video`: the same for every family of models; video-body.ts translates them for each family. */
export const videoArguments = z.strictObject({
  model: z.string("expected a model id").min(1, "expected a model id").describe("Id of a video model."),
  prompt: getText(
    "What the video shows: subject, action, place, light, camera. Required unless an image or a video is given; some models always require it.",
  ),
  negative_prompt: getText("What the video must not show. Alpha models only."),
  duration_seconds: getWholeBetween(-1, 60)
    .optional()
    .describe(
      "Length in whole seconds; billed by the second. Default 5, or the nearest that the model makes. Alpha 2.7 and 2.6 " +
        "make 2 to 15 (2.6 from references: 2 to 10), Alpha 2.5 5 or 10, Beta 3 to 15, Seedance from 2 or 4 to 12, 15 or 30, Grok 1 " +
        "to 15, Sora 4, 8 or 12. -1 lets a Seedance model decide.",
    ),
  resolution: getText(
    "480p, 720p or 1080p (Sora Pro also 1024p, Seedance 2.0 also 4k); the price depends on it. Default 720p. The error " +
      "for an unsupported value lists the supported ones.",
  ),
  aspect_ratio: getText(
    "Width to height: 16:9 (default), 9:16, 1:1, 4:3, 3:4; Seedance also 21:9, Grok also 3:2 and 2:3, Sora only the first two. " +
      "If omitted, models that start from an image keep its ratio.",
  ),
  size: getText("Pixels such as 1280x720, instead of resolution and aspect_ratio. Sora and Alpha up to 2.6 only."),
  seed: getWholeBetween(-1, 4_294_967_295)
    .optional()
    .describe("The same seed makes a similar video. Alpha, Beta and Seedance only."),
  first_frame_image: getText(
    `First frame of the video: ${FROM}. A text-to-video model becomes its image-to-video sibling; the task names it.`,
  ),
  last_frame_image: getText(`Last frame of the video: ${FROM}. Alpha 2.7 image to video and Seedance only.`),
  reference_images: list(
    `Reference images of people, things or styles, at most 5 to 9: ${FROM}. For reference-to-video (r2v) ` +
      "models, Seedance and Grok.",
  ),
  reference_videos: list(
    "Reference videos for subjects or motion: https URLs (most providers fetch videos themselves and refuse data: URLs). " +
      "For Alpha reference-to-video models and Seedance; their seconds may be charged too.",
  ),
  source_video: getText(
    "Video to edit (Beta video-edit, Grok) or to continue (Alpha 2.7 image to video): an https URL. Of a finished task, use " +
      "provider_url, which works for about a day. Its seconds may be charged too.",
  ),
  audio_url: getText("Audio for the video: the https URL of a wav or mp3 file. Alpha and Seedance only."),
  audio: whether("Whether the video has sound, where the model has the choice (Alpha 2.6 flash, Seedance)."),
  watermark: whether("Whether the provider marks the video as made by AI. Alpha, Beta and Seedance only."),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Further parameters of the provider, passed on as they are: prompt_extend, shot_type (Alpha), camera_fixed, " +
        "return_last_frame (Seedance), duration (Grok: to make source_video longer).",
    ),
  webhook_url: getText("Webhook URL, called once when the task ends, with the task as JSON. Not needed to follow it."),
  idempotency_key: z
    .string()
    .max(255)
    .optional()
    .describe(
      "Any unique text, such as a UUID. When the result was lost, call again with the same key and the same " +
        "arguments: that returns the same task, charged once.",
    ),
});

export type VideoArguments = z.output<typeof videoArguments>;
