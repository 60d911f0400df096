import * as z from "zod";
import { pageSchema, rebuildingSchema, requestFilterSchema, sortSchema } from "./list.ts";
import { receiptSchema } from "./receipt.ts";

/** Log of requests, and the recording of each if the owner switched recording on. Times are Unix ms. */

/** Query of `GET /control/requests`: the newest first unless they are sorted by a figure. */
export const listRequestsSchema = requestFilterSchema.extend({ ...sortSchema.partial().shape, ...pageSchema.shape });
export type ListRequests = z.output<typeof listRequestsSchema>;

/**
 * A page of matching requests. Without a sort, recordings are searched in steps: a page may be short or empty, with a
 * cursor. `complete` is false if a text search in a sorted list did not cover older recordings, because there are too
 * many.
 */
export const requestPageSchema = z.object({
  data: z.array(receiptSchema),
  cursor: z.string().nullable(),
  complete: z.boolean(),
  rebuilding: rebuildingSchema,
});
export type RequestPage = z.infer<typeof requestPageSchema>;

/** Requests settled in one bucket of time. */
export const activityBucketSchema = z.object({
  /** Start: a whole multiple of the bucket's length. */
  at: z.number().int(),
  count: z.number().int().nonnegative(),
  /** Refused or failed, not cancelled, as Usage counts them. */
  failed: z.number().int().nonnegative(),
  /** 10⁻⁹ USD of those that have a price, without the sandbox. */
  cost_nano: z.number().int().nonnegative(),
  /** Total time of completed requests, accurate to 5 %; null if no request completed. */
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
});
export type ActivityBucket = z.infer<typeof activityBucketSchema>;

/**
 * Requests over time: at most 60 buckets from `from` to `to`, oldest first, including empty ones. `from` is the
 * filter's `since`, or the oldest receipt if later; without `since`, a day before `to`. `complete` as above.
 */
export const requestActivitySchema = z.object({
  from: z.number().int(),
  to: z.number().int(),
  bucket_ms: z.number().int().positive(),
  buckets: z.array(activityBucketSchema),
  total: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  complete: z.boolean(),
  rebuilding: rebuildingSchema,
});
export type RequestActivity = z.infer<typeof requestActivitySchema>;

/**
 * An admitted request that is not settled. `waiting` for the first byte of a response, then `answering`; `finishing`
 * without its client. It has no request or response content; provider and connection are empty until one is called.
 */
export const runningRequestSchema = receiptSchema
  .pick({
    id: true,
    key: true,
    endpoint: true,
    model: true,
    provider: true,
    connection: true,
    client: true,
    stream: true,
    sandbox: true,
    session: true,
    project: true,
    agent: true,
  })
  .extend({
    /** When it arrived. */
    at: z.number().int(),
    state: z.enum(["waiting", "answering", "finishing"]),
    /** Characters of a streamed response so far; null if not counted. */
    characters: z.number().int().nonnegative().nullable(),
  });
export type RunningRequest = z.infer<typeof runningRequestSchema>;

/** The newest 200 running requests, newest first; `total` counts all matching ones. */
export const runningPageSchema = z.object({
  data: z.array(runningRequestSchema),
  total: z.number().int().nonnegative(),
});
export type RunningPage = z.infer<typeof runningPageSchema>;

/** Differences between recorded text and the bytes on the wire. */
const lackSchema = z.object({
  /** Size as it was sent. */
  bytes: z.number().int().nonnegative(),
  /** Whether the end was cut, because it exceeded the limit. */
  cut: z.boolean(),
  /** Number of redacted texts that looked like a key. */
  redacted: z.boolean(),
  /** Number of media replaced by `data:TYPE;omitted,BYTES`. */
  omitted: z.number().int().nonnegative(),
});

/** A recorded response. */
const recordedResponseSchema = lackSchema.extend({
  /** Media type. */
  type: z.string(),
  /** Chunks as written; a single one if the response is not a stream. `ms` since arrival; audio has no text. */
  chunks: z.array(z.object({ ms: z.number(), bytes: z.number().int().nonnegative(), text: z.string() })),
  /** Number of responses that were produced, stored or not. */
  count: z.number().int().nonnegative(),
});
export type RecordedResponse = z.infer<typeof recordedResponseSchema>;

/** Request to a provider and its response, as they were on the wire. */
const recordedAttemptSchema = z.object({
  /** When it was sent, milliseconds since arrival. */
  ms: z.number(),
  /** Address of the provider, without a query. */
  url: z.string(),
  /** Null if it was the client's request, byte for byte. */
  request: lackSchema.extend({ text: z.string() }).nullable(),
  /** Null without a response. */
  status: z.number().int().nullable(),
  response: recordedResponseSchema.nullable(),
  /** Whether its response went to the client as it was; then `response` is null. */
  passed: z.boolean(),
  /** Why there was no response, or no end of it; null otherwise. */
  error: z.string().nullable(),
});
export type RecordedAttempt = z.infer<typeof recordedAttemptSchema>;

/** Recording of one request. Headers are omitted, except those with a dialect's version. */
export const recordingSchema = z.object({
  id: z.string(),
  /** When it arrived. */
  at: z.number().int(),
  /** `/v1/…`: for a call of a tool, the address of the call that it made. */
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  /** `form`: it was sent as a form, and is shown as JSON. */
  request: lackSchema.extend({ text: z.string(), form: z.boolean() }),
  /** Null when the client left before there was one. */
  status: z.number().int().nullable(),
  response: recordedResponseSchema.nullable(),
  /** The last requests to providers for it, at most four, oldest first. Absent in recordings of earlier versions. */
  attempts: z.array(recordedAttemptSchema).optional(),
});
export type Recording = z.infer<typeof recordingSchema>;

/** Why a request cannot be resent; null if it can. */
export const resendObstacleSchema = z.enum(["not_recorded", "incomplete", "key_gone", "not_repeatable"]);
export type ResendObstacle = z.infer<typeof resendObstacleSchema>;

export const requestDetailSchema = z.object({
  receipt: receiptSchema,
  recording: recordingSchema.nullable(),
  /** Whether requests are being recorded now. */
  recording_on: z.boolean(),
  resend_obstacle: resendObstacleSchema.nullable(),
  /** Ids in the library. */
  media: z.array(z.string()),
  /** Id of the video task that it made. */
  task: z.string().nullable(),
});
export type RequestDetail = z.infer<typeof requestDetailSchema>;

export const resendSchema = z.object({ model: z.string().min(1).max(200).optional() }).strict();

/** Outcome of the new request. `answer` is cut at 64 KiB; the recording of the request has more. */
export const resentSchema = z.object({
  id: z.string(),
  status: z.number().int(),
  code: z.string().nullable(),
  response: z.string(),
});
export type Resent = z.infer<typeof resentSchema>;

export const recordingsViewSchema = z.object({
  on: z.boolean(),
  /** On the disk. */
  bytes: z.number().int().nonnegative(),
  /** When the oldest one started; null if there is no recording. */
  oldest_at: z.number().int().nullable(),
  /** Requests since the start that could not be recorded: the disk refused or was too slow. */
  lost: z.number().int().nonnegative(),
});
export type RecordingsView = z.infer<typeof recordingsViewSchema>;
