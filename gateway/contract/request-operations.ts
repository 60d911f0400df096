import { none, operation, type ControlOperation } from "./control-operation.ts";
import {
  listRequestsSchema,
  recordingsViewSchema,
  requestActivitySchema,
  requestDetailSchema,
  requestPageSchema,
  resendSchema,
  resentSchema,
  runningPageSchema,
} from "./requests.ts";
import { requestFilterSchema } from "./list.ts";
import { listSessionsSchema, sessionPageSchema, sessionTurnSchema, sessionViewSchema } from "./sessions.ts";

/** The log of requests, and the recordings next to it. */
export const requestOperations = {
  /** Lists matching requests, newest first or by a sort value. */
  listRequests: operation("GET", "/control/requests", listRequestsSchema, requestPageSchema),
  /** Lists running requests, which have no receipt and are not in the list. `traffic.changed` signals a refetch. */
  listRunning: operation("GET", "/control/running-requests", requestFilterSchema, runningPageSchema),
  /** Returns counts, cost and durations of requests over time. */
  requestActivity: operation("GET", "/control/requests/activity", requestFilterSchema, requestActivitySchema),
  getRequest: operation("GET", "/control/requests/:id", none, requestDetailSchema),
  /** Resends a recorded request under the same key: a new request with its own receipt. */
  resendRequest: operation("POST", "/control/requests/:id/resend", resendSchema, resentSchema),
  recordings: operation("GET", "/control/recordings", none, recordingsViewSchema),
  /** All of them, now. Receipts stay. */
  deleteRecordings: operation("DELETE", "/control/recordings", none, recordingsViewSchema),
  /** Lists sessions of apps with their sums. */
  listSessions: operation("GET", "/control/sessions", listSessionsSchema, sessionPageSchema),
  getSession: operation("GET", "/control/sessions/:id", none, sessionViewSchema),
  /** Returns the content that is new since the session's previous turn, if both were recorded. */
  getTurn: operation("GET", "/control/requests/:id/turn", none, sessionTurnSchema),
} as const satisfies Record<string, ControlOperation>;
