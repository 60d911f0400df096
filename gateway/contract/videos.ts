import * as z from "zod";
import { getWholeBetween } from "./bounds.ts";

/**
 * `POST /v1/videos/generations` and what reads it back (docs/specification.md#video-task,
 * docs/specification.md#video).
 */

/**
 * `submitted` → `running` → `succeeded` | `failed` | `cancelled`. `unknown`: it is not known whether the provider
 * accepted the task (Postern or the network failed at that moment); it is searched at the provider, and never
 * resubmitted.
 */
export const taskStatusSchema = z.enum(["submitted", "running", "succeeded", "failed", "cancelled", "unknown"]);
export type TaskStatus = z.infer<typeof taskStatusSchema>;

/** Longest `webhook_url`. */
export const LONGEST_WEBHOOK_URL = 2_048;

const fields = z.record(z.string(), z.unknown());

/** Fields that are valid for every family; the family's own rules are in core/video-*.ts. */
export const videoRequestSchema = z.looseObject({
  model: z.string("expected a model id").min(1, "expected a model id"),
  /** Billed seconds. −1: the model decides, if supported (Seedance). */
  duration: z.union([z.literal(-1), getWholeBetween(1, 60)], "expected a whole number from 1 to 60").nullish(),
  /** `480p`, `720p`, `1080p`; affects the price. The model's rules define the supported ones. */
  resolution: z.string("expected a resolution such as 720p").nullish(),
  /** `16:9`. */
  aspect_ratio: z.string("expected a ratio such as 16:9").nullish(),
  input: fields.nullish(),
  parameters: fields.nullish(),
  webhook_url: z.string("expected an address").max(LONGEST_WEBHOOK_URL).nullish(),
  /** Answer with the finished task, if it finishes in time. */
  wait: z.boolean("expected true or false").nullish(),
});
export type VideoRequest = z.input<typeof videoRequestSchema>;

/** Query of a submission. */
export const videoWaitSchema = z.looseObject({
  wait: z.enum(["true", "false"], 'expected "true" or "false"').optional(),
  /** At most 600; default 60. */
  wait_seconds: z
    .string()
    .regex(/^\d{1,3}$/, "expected whole seconds, at most 600")
    .optional(),
});

export const videoTaskErrorSchema = z.object({ code: z.string(), message: z.string() });

/** `{video_url, last_frame_url?, local_url}`: the provider's addresses expire (mostly after 24 h), ours are made again. */
export const videoContentSchema = z.looseObject({
  video_url: z.string().nullable(),
  last_frame_url: z.string().optional(),
  local_url: z.string().nullable(),
});

/** The provider's own figures, and ours. */
export const videoUsageSchema = z.looseObject({
  duration_seconds: z.number(),
  resolution: z.string(),
  /** Null: the model has no known price. */
  cost_usd: z.number().nullable(),
});

export const videoTaskSchema = z.object({
  /** `vt_…`, or the provider's own `cgt-…`. Either finds the task. */
  id: z.string(),
  object: z.literal("video.task"),
  model: z.string(),
  status: taskStatusSchema,
  /** Unix seconds. */
  created_at: z.number().int(),
  updated_at: z.number().int(),
  /** Percent, if the provider reports it. */
  progress: z.number().optional(),
  error: videoTaskErrorSchema.optional(),
  /** Present once the task has ended, null if empty. */
  content: videoContentSchema.nullable().optional(),
  usage: videoUsageSchema.nullable().optional(),
  /** The provider's, else the request's. */
  seed: z.number().nullable().optional(),
  /** The provider's last body, verbatim; null before the first one. */
  native: z.unknown(),
});
export type VideoTask = z.infer<typeof videoTaskSchema>;

/** Query of `GET /v1/videos/generations`. */
export const listVideosQuerySchema = z.looseObject({
  /** 1 to 100, default 20. */
  limit: z.string().optional(),
  /** Id of the last task of the previous page. */
  after: z.string().max(200).optional(),
  status: taskStatusSchema.optional(),
  model: z.string().max(200).optional(),
});

/** Newest first. */
export const videoTaskListSchema = z.object({
  object: z.literal("list"),
  data: z.array(videoTaskSchema),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
export type VideoTaskList = z.infer<typeof videoTaskListSchema>;
