import * as z from "zod";
import type { TaskDelivery, TaskRecord } from "../../core/tasks/task.ts";

const text = z.string();
const moment = z.number();
const amount = z.number().int().nonnegative();
const fields = z.record(text, z.unknown());

const phase = z.enum([
  "submitting",
  "unknown",
  "submitted",
  "running",
  "fetching",
  "succeeded",
  "failed",
  "cancelled",
] satisfies TaskRecord["phase"][]);

const order = z.looseObject({
  seconds: z.number(),
  resolution: text,
  ratio: text,
  prompt: text,
  seed: z.number().nullable(),
  request: fields,
  repeatable: z.boolean(),
  parameters: fields,
});

const price = z.looseObject({
  tiers: z.array(z.looseObject({ above: z.number(), rates: z.record(text, z.number()) })).min(1),
  source: text,
  as_of: text,
});

const result = z.looseObject({
  video_url: text.nullable(),
  last_frame_url: text.nullable(),
  seconds: z.number(),
  resolution: text,
  seed: z.number().nullable(),
  usage: fields,
  video_media: text,
  last_frame_media: text.nullable(),
  saved: z.boolean().nullable(),
});

/** The fields that the usage log requires to take a receipt back (`isReceipt`). */
const receipt = z.looseObject({
  id: text,
  at: z.number().int(),
  key: text,
  model: text,
  client: text,
  sandbox: z.boolean(),
  terms: z.array(z.unknown()),
  nano: amount.nullable(),
});

const delivery = z.looseObject({
  id: text,
  type: z.enum(["video.task.succeeded", "video.task.failed", "video.task.cancelled"]),
  at: moment,
  url: text,
  state: z.enum(["pending", "delivered", "failed", "disabled"] satisfies TaskDelivery["state"][]),
  next_at: moment.nullable(),
  attempts: z.array(
    z.looseObject({
      at: moment,
      status: z.number().nullable(),
      ms: z.number(),
      error: text.nullable(),
      manual: z.boolean(),
    }),
  ),
});

/** A video task, in the document and in the archive. Unknown fields are kept. */
export const taskCheck = z.looseObject({
  id: z.string().min(1),
  phase,
  key: text,
  request_id: text,
  client: text,
  model: text,
  provider: text,
  connection: text,
  credential: text,
  upstream_model: text,
  sandbox: z.boolean(),
  /** The archive's file is named by it, so it must be a moment that a date can hold. */
  created_at: z.number().int().min(-8.64e15).max(8.64e15),
  updated_at: moment,
  finished_at: moment.nullable(),
  order,
  webhook_url: text.nullable(),
  idempotency: z.looseObject({ key: text, hash: text }).nullable(),
  hold_nano: amount,
  price: price.nullable(),
  operation: z.looseObject({ id: text }).nullable(),
  progress: z.number().nullable(),
  result: result.nullable(),
  error: z.looseObject({ code: text, message: text }).nullable(),
  bill: z.looseObject({ receipt, counted: z.boolean() }).nullable(),
  deadline_at: moment,
  forgotten_at: moment,
  deleted_at: moment.nullable(),
  timeline: z.array(z.looseObject({ at: moment, phase, note: text.nullable() })),
  deliveries: z.array(delivery),
});

export const isTaskRecord = (value: unknown): value is TaskRecord => taskCheck.safeParse(value).success;
