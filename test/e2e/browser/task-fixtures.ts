import type { Receipt } from "../../../gateway/contract/receipt.ts";
import type { Delivery, TaskDetail, TaskRow, WebhooksView } from "../../../gateway/contract/tasks.ts";
import { taskStatusSchema, type TaskStatus } from "../../../gateway/contract/videos.ts";
import { taskId } from "../../support/tasks.ts";
import { receiptOf } from "./receipts.ts";

/** Video tasks for the fake control server. Times count back from now: the newest task is number 0. */
const now = Date.now();
const MINUTE = 60_000;

export const taskModels = ["alpha2.6-t2v", "seedance-1-0-pro", "grok-imagine-video", "beta-1-0-i2v"] as const;
const scenes = [
  "A lighthouse in a storm, the camera flies past it",
  "Rain on a window at night, a tram passes behind it",
  "A red fox walks over fresh snow towards the camera",
  "Time lapse of a harbour from dawn to noon",
  "A potter shapes a bowl, close on the hands",
];
const statuses: readonly TaskStatus[] = taskStatusSchema.options;

/** The newest ones are of every kind, the others mostly well. */
function statusAt(index: number): TaskStatus {
  const [submitted, running, succeeded, failed, cancelled, unknown] = statuses;
  const first = [submitted, running, running, unknown, succeeded, failed, cancelled, succeeded];
  return first[index] ?? (index % 11 === 0 ? failed : index % 17 === 0 ? cancelled : succeeded) ?? "succeeded";
}

export function taskRowOf(index: number, change: Partial<TaskRow> = {}): TaskRow {
  const status = change.status ?? statusAt(index);
  const created = now - index * 7 * MINUTE - 40_000;
  const over = status === "succeeded" || status === "failed" || status === "cancelled";
  const seconds = [5, 10, 8][index % 3] ?? 5;
  const id = taskId(index, created);
  return {
    id,
    public_id: id,
    model: taskModels[index % taskModels.length] ?? taskModels[0],
    provider: "dashscope",
    key: `key_${(index % 3) + 1}`,
    client: "OpenAI",
    status,
    progress: status === "running" ? 30 + index * 12 : null,
    created_at: created,
    finished_at: over ? created + 95_000 : null,
    seconds,
    resolution: index % 2 === 0 ? "1080p" : "720p",
    ratio: "16:9",
    prompt: `${scenes[index % scenes.length]}, take ${index}`,
    nano: status === "succeeded" && index % 13 !== 0 ? seconds * 10_000_000 * ((index % 9) + 1) : null,
    priced: index % 13 !== 0,
    sandbox: index % 19 === 7,
    error:
      status === "failed" ? { code: "InvalidParameter", message: "The prompt was refused by the provider." } : null,
    webhook: over && index % 4 === 0 ? (index % 8 === 0 ? "failed" : "delivered") : null,
    media: status === "succeeded" ? `med_${index}` : null,
    ...change,
  };
}

function receiptFor(row: TaskRow): Receipt | null {
  if (row.status !== "succeeded") return null;
  return receiptOf(1, {
    endpoint: "videos",
    model: row.model,
    key: row.key,
    sandbox: row.sandbox,
    nano: row.nano,
    terms:
      row.nano === null
        ? []
        : [{ unit: "second", quantity: row.seconds, nano_per_million: (row.nano / row.seconds) * 1e6, nano: row.nano }],
    price: row.nano === null ? null : { source: "provider.example/prices", as_of: "2026-11-01" },
  });
}

export function deliveryOf(row: TaskRow, change: Partial<Delivery> = {}): Delivery {
  const at = row.finished_at ?? row.created_at;
  return {
    id: `msg_${row.id}`,
    type: "video.task.succeeded",
    at,
    url: "https://hooks.example.com/postern",
    state: "pending",
    // From when it is asked for: the file that looks may have run for minutes.
    next_at: Date.now() + 240_000,
    attempts: [
      { at, status: null, ms: 15_000, error: "no answer within 15 s", manual: false },
      { at: at + 5_000, status: 503, ms: 84, error: "the receiver answered 503", manual: false },
    ],
    ...change,
  };
}

export function taskDetailOf(row: TaskRow, change: Partial<TaskDetail> = {}): TaskDetail {
  const over = row.finished_at !== null;
  const request = {
    model: row.model,
    duration: row.seconds,
    resolution: row.resolution,
    input: { prompt: `${row.prompt}; it's "quiet"` },
    webhook_url: "https://hooks.example.com/postern",
  };
  return {
    ...row,
    request_id: `req_${row.id.slice(3)}`,
    connection: "con_1",
    provider_task_id: row.status === "unknown" ? null : `0385dc79-5ff8-${row.id.slice(-8)}`,
    updated_at: row.finished_at ?? row.created_at + 30_000,
    deadline_at: row.created_at + 3_600_000,
    held_nano: over ? 0 : row.seconds * 50_000_000,
    full_prompt: row.prompt,
    webhook_url: "https://hooks.example.com/postern",
    request,
    timeline: [
      { at: row.created_at, status: "submitting", note: null },
      { at: row.created_at + 900, status: row.status === "unknown" ? "unknown" : "submitted", note: null },
      ...(over ? [{ at: row.finished_at ?? 0, status: row.status, note: row.error?.message ?? null }] : []),
    ],
    native:
      row.status === "unknown"
        ? null
        : { request_id: "4909100c", output: { task_status: "SUCCEEDED", task_id: "0385" } },
    receipt: receiptFor(row),
    deliveries: row.status === "succeeded" ? [deliveryOf(row)] : [],
    results: [],
    can: { cancel: !over, repeat: true, resolve: row.status === "unknown", resend: row.status === "succeeded" },
    ...change,
  };
}

export function webhooksOf(rows: readonly TaskRow[]): WebhooksView {
  return {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    from_environment: false,
    previous_until: null,
    pending: 1,
    disabled: [{ url: "https://old.example.com/hook", at: now - 90 * MINUTE }],
    recent: rows
      .filter(({ status }) => status === "succeeded")
      .slice(0, 8)
      .map((row, index) => ({
        ...deliveryOf(row, index === 0 ? {} : { state: "delivered", next_at: null }),
        task: row.id,
        model: row.model,
      })),
  };
}
