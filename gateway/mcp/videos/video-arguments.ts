import * as z from "zod";
import { wholeBetween } from "../../contract/bounds.ts";

/** Where a picture or a film comes from. */
const FROM = "an https URL, a data: URL, or postern://media/{id} of this key's own library";

const text = (description: string) => z.string().optional().describe(description);
const whether = (description: string) => z.boolean("expected true or false").optional().describe(description);
const list = (description: string) => z.array(z.string()).optional().describe(description);

/** What `generate_video` takes: the same words for every family of models; video-body.ts says them in each one's way. */
export const videoArguments = z.strictObject({
  model: z.string("expected a model id").min(1, "expected a model id").describe("Id of a video model."),
  prompt: text(
    "What to film: subject, action, place, light, camera. Needed unless a picture or a video is given; some models need it always.",
  ),
  negative_prompt: text("What must not be seen. Alpha models only."),
  duration_seconds: wholeBetween(-1, 60)
    .optional()
    .describe(
      "Length in whole seconds; billed by the second. Default 5, or what the model makes that is nearest. Alpha 2.7 and 2.6 " +
        "make 2 to 15 (2.6 from references: 2 to 10), Alpha 2.5 5 or 10, Beta 3 to 15, Seedance from 2 or 4 to 12, 15 or 30, Grok 1 " +
        "to 15, Sora 4, 8 or 12. -1 lets a Seedance model decide.",
    ),
  resolution: text(
    "480p, 720p or 1080p (Sora Pro also 1024p, Seedance 2.0 also 4k); the price hangs on it. Default 720p. A model " +
      "refuses what it does not make and names what it does.",
  ),
  aspect_ratio: text(
    "Width to height: 16:9 (default), 9:16, 1:1, 4:3, 3:4; Seedance also 21:9, Grok also 3:2 and 2:3, Sora only the first two. " +
      "Left out, models that begin with a picture keep its shape.",
  ),
  size: text("Pixels such as 1280x720, in place of resolution and aspect_ratio. Sora and Alpha up to 2.6 only."),
  seed: wholeBetween(-1, 4_294_967_295)
    .optional()
    .describe("The same seed makes a similar video again. Alpha, Beta and Seedance only."),
  first_frame_image: text(
    `The picture that the video begins with: ${FROM}. A text-to-video model becomes its image-to-video sibling; the task names it.`,
  ),
  last_frame_image: text(`The picture that the video ends with: ${FROM}. Alpha 2.7 image to video and Seedance only.`),
  reference_images: list(
    `Pictures of persons, things or styles to be seen in the video, at most 5 to 9: ${FROM}. For reference-to-video (r2v) ` +
      "models, Seedance and Grok.",
  ),
  reference_videos: list(
    "Films whose subjects or motion are to be seen in the video: https URLs (most providers fetch films themselves and refuse data). " +
      "For Alpha reference-to-video models and Seedance; their seconds may be billed too.",
  ),
  source_video: text(
    "A film to edit (Beta video-edit, Grok) or to go on from (Alpha 2.7 image to video): an https URL. Of a finished task, use " +
      "provider_url, which works for about a day. Its seconds may be billed too.",
  ),
  audio_url: text("Sound to film to: the https URL of a wav or mp3 file. Alpha and Seedance only."),
  audio: whether("Whether the video has sound, where the model lets one choose (Alpha 2.6 flash, Seedance)."),
  watermark: whether("Whether the provider marks the video as made by AI. Alpha, Beta and Seedance only."),
  parameters: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Further settings in the provider's own words, passed on as they are: prompt_extend, shot_type (Alpha), camera_fixed, " +
        "return_last_frame (Seedance), duration (Grok: to make source_video longer).",
    ),
  webhook_url: text(
    "Address that is called once when the task is over, with the task as JSON. Not needed to follow it.",
  ),
  idempotency_key: z
    .string()
    .max(255)
    .optional()
    .describe(
      "Any text that names this order, such as a UUID. When the answer was lost, call again with the same key and the same " +
        "arguments: it gives the same task, billed once.",
    ),
});

export type VideoArguments = z.output<typeof videoArguments>;
