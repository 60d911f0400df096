import * as z from "zod";
import { rebuildingSchema } from "./list.ts";

/** Sessions of apps, by their receipts. Money is `…_nano`, 10⁻⁹ USD; times are Unix milliseconds. */

const count = z.number().int().nonnegative();
const moment = z.number().int();

export const sessionViewSchema = z.object({
  /** Session id of receipts. */
  id: z.string(),
  /** Project of its newest request that names one; null if none does. A filter matches each project that it had. */
  project: z.string().nullable(),
  /** Clients, newest first; at most eight, and eight models. */
  clients: z.array(z.string()),
  models: z.array(z.string()),
  /** Number of agents besides the main one; at most 100 are distinguished. */
  agents: count,
  /** When its first request arrived, and when its newest was settled. */
  started_at: moment,
  ended_at: moment,
  requests: count,
  failed: count,
  /** Cost of requests with a price, without the sandbox. */
  cost_nano: count,
  unpriced: count,
  /** Requests that the sandbox served. */
  sandbox: count,
  input_tokens: count,
  /** Input tokens that were read from a provider's cache. */
  cached_input_tokens: count,
  output_tokens: count,
  /** Total time of its slowest completed request; null if none completed. */
  slowest_ms: z.number().nullable(),
});
export type SessionView = z.infer<typeof sessionViewSchema>;

/** Query of `GET /control/sessions`. `before` is the `cursor` of the previous page. */
export const listSessionsSchema = z
  .object({
    project: z.string().max(100).optional(),
    client: z.string().max(200).optional(),
    /** A part of the id, the project, an app or a model, in any case. */
    q: z.string().max(100).optional(),
    limit: z.coerce.number().int().min(1).max(500).optional(),
    before: z.string().max(400).optional(),
  })
  .strict();
export type ListSessions = z.output<typeof listSessionsSchema>;

/** The newest first, by their newest request. */
export const sessionPageSchema = z.object({
  data: z.array(sessionViewSchema),
  cursor: z.string().nullable(),
  /** Number of matching sessions. */
  total: count,
  rebuilding: rebuildingSchema,
});
export type SessionPage = z.infer<typeof sessionPageSchema>;

/**
 * A part of a request or a response. `tools`: names of the offered tools; `medium`: a picture, audio, video or file,
 * with its kind in `name`; `call` and `result`: `name` is the tool's.
 */
export const saidPartSchema = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  kind: z.enum(["text", "reasoning", "call", "result", "medium", "tools", "error"]),
  /** Empty if it has no name. */
  name: z.string(),
  text: z.string(),
  /** Characters of the text that are left out. */
  cut: count,
});
export type SaidPart = z.infer<typeof saidPartSchema>;

/** A request of a session, as a turn of its conversation. */
export const sessionTurnSchema = z.object({
  /** Id of the request. */
  id: z.string(),
  /** Whether requests are being recorded now, and whether this one was. */
  recording_on: z.boolean(),
  recorded: z.boolean(),
  /** Id of the previous turn of the same agent; null without one, or if it was not recorded. */
  after: z.string().nullable(),
  /** Parts that are new since the previous turn; all parts without a previous turn. */
  asked: z.array(saidPartSchema),
  /** Number of parts repeated from the previous turn. */
  repeated: count,
  /** New parts that are left out, because they are too many. */
  more: count,
  responded: z.array(saidPartSchema),
});
export type SessionTurn = z.infer<typeof sessionTurnSchema>;
