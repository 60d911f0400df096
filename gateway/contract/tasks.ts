import * as z from "zod";
import { mediaViewSchema } from "./media.ts";
import { receiptSchema } from "./receipt.ts";
import { taskStatusSchema, videoTaskErrorSchema } from "./videos.ts";

/** Video tasks as the pages see them: those of all keys. Money is 10⁻⁹ USD, times are Unix milliseconds. */

const moment = z.number().int();
const nano = z.number().int().nonnegative();

const deliveryStateSchema = z.enum(["pending", "delivered", "failed", "disabled"]);

export const taskRowSchema = z.object({
  /** `vt_…`; every operation below takes it. */
  id: z.string(),
  /** The id that clients see: `cgt-…` for Ark's tasks, else the same. */
  public_id: z.string(),
  model: z.string(),
  provider: z.string(),
  key: z.string(),
  client: z.string(),
  status: taskStatusSchema,
  /** Percent; null if unknown. */
  progress: z.number().nullable(),
  created_at: moment,
  finished_at: moment.nullable(),
  seconds: z.number(),
  resolution: z.string(),
  /** Requested ratio; in the detail that of the film, once it is measured. */
  ratio: z.string(),
  /** The first 300 characters. */
  prompt: z.string(),
  /** Cost; null until charged, and if the model has no known price. */
  nano: nano.nullable(),
  /** Whether the model has a known price. */
  priced: z.boolean(),
  sandbox: z.boolean(),
  error: videoTaskErrorSchema.nullable(),
  /** State of the newest webhook; null without one, and before it is due. */
  webhook: deliveryStateSchema.nullable(),
  /** Id of the video in the library; null while it is not there. */
  media: z.string().nullable(),
});
export type TaskRow = z.infer<typeof taskRowSchema>;

export const deliverySchema = z.object({
  id: z.string(),
  type: z.string(),
  at: moment,
  url: z.string(),
  state: deliveryStateSchema,
  next_at: moment.nullable(),
  attempts: z.array(
    z.object({
      at: moment,
      status: z.number().int().nullable(),
      ms: z.number(),
      error: z.string().nullable(),
      manual: z.boolean(),
    }),
  ),
});
export type Delivery = z.infer<typeof deliverySchema>;

export const taskDetailSchema = taskRowSchema.extend({
  request_id: z.string(),
  connection: z.string(),
  provider_task_id: z.string().nullable(),
  updated_at: moment,
  deadline_at: moment,
  /** Current hold of the task. */
  held_nano: nano,
  full_prompt: z.string(),
  webhook_url: z.string().nullable(),
  /** The client's own body. Inline media are left out. */
  request: z.record(z.string(), z.unknown()),
  timeline: z.array(z.object({ at: moment, status: z.string(), note: z.string().nullable() })),
  /** The provider's last body, verbatim. */
  native: z.unknown(),
  receipt: receiptSchema.nullable(),
  deliveries: z.array(deliverySchema),
  /** Results in the library: the video first, then its last frame. */
  results: z.array(mediaViewSchema),
  can: z.object({
    cancel: z.boolean(),
    /** False if inline media of its request was not stored, or its key is gone. */
    repeat: z.boolean(),
    /** The task is `unknown`: the user can resolve it. */
    resolve: z.boolean(),
    resend: z.boolean(),
  }),
});
export type TaskDetail = z.infer<typeof taskDetailSchema>;

const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

/** Query of `GET /control/tasks`: newest first unless sorted otherwise. */
export const listTasksSchema = z
  .object({
    limit: whole(1, 500).optional(),
    /** Rows to skip. */
    offset: whole(0, 10_000_000).optional(),
    /** Words of the prompt, or an id; every word must be there. */
    q: z.string().max(500).optional(),
    status: taskStatusSchema.optional(),
    model: z.string().max(200).optional(),
    key: z.string().max(100).optional(),
    /** Created from here, and before there. */
    since: whole(0, 8.64e15).optional(),
    until: whole(0, 8.64e15).optional(),
    /** Min cost in nano USD. */
    min_nano: whole(0, Number.MAX_SAFE_INTEGER).optional(),
    sort: z.enum(["created_at", "finished_at", "nano"]).optional(),
    order: z.enum(["asc", "desc"]).optional(),
  })
  .strict();
export type ListTasks = z.output<typeof listTasksSchema>;

export const taskPageSchema = z.object({
  data: z.array(taskRowSchema),
  /** Rows that match, on all pages. */
  total: z.number().int().nonnegative(),
  /** False while older tasks are still being loaded after a start. */
  complete: z.boolean(),
  /** Tasks that have not ended, whatever the filter. */
  active: z.number().int().nonnegative(),
});
export type TaskPage = z.infer<typeof taskPageSchema>;

/** The owner's knowledge of a task that is `unknown`. */
export const resolveTaskSchema = z.union([
  /** The provider has it under this id: it continues. */
  z.object({ provider_task_id: z.string().min(1).max(200) }).strict(),
  /** The provider never accepted it: it fails, and its hold is released. */
  z.object({ never_arrived: z.literal(true) }).strict(),
]);

/** `GET /control/webhooks`. */
export const webhooksViewSchema = z.object({
  /** `whsec_…`: what receivers check signatures with. */
  secret: z.string(),
  /** Set by POSTERN_WEBHOOK_SECRET: it cannot be changed here. */
  from_environment: z.boolean(),
  /** Until then the earlier secret signs too; null without an earlier secret. */
  previous_until: moment.nullable(),
  /** Number of webhooks that are still to be delivered. */
  pending: z.number().int().nonnegative(),
  /** Receivers that responded 410: nothing is sent there until they are enabled. */
  disabled: z.array(z.object({ url: z.string(), at: moment })),
  /** The newest webhooks of all tasks, newest first; at most 100. */
  recent: z.array(deliverySchema.extend({ task: z.string(), model: z.string() })),
});
export type WebhooksView = z.infer<typeof webhooksViewSchema>;
