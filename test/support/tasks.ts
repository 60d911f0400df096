import type { Receipt } from "../../gateway/contract/receipt.ts";
import type { TaskDelivery, TaskOrder, TaskRecord, TaskResult } from "../../gateway/core/tasks/task.ts";

/** When every task of these tests was submitted, unless it says otherwise. */
export const TASK_AT = Date.UTC(2026, 10, 20, 12);

/** `vt_` and a ULID whose random part is a number: ids of one moment ascend with it. */
export function taskId(number: number, at = TASK_AT): string {
  return `vt_${base32(at, 10)}${base32(number, 16)}`;
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

function base32(value: number, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest = Math.floor(rest / 32)) text = `${DIGITS[rest % 32]}${text}`;
  return text;
}

/** A task as it is right after its price was held: on its way to the provider. */
export function taskRecord(changes: Partial<TaskRecord> = {}): TaskRecord {
  const created = changes.created_at ?? TASK_AT;
  return {
    id: taskId(1, created),
    phase: "submitting",
    key: "key_1",
    request_id: "req_1",
    client: "curl",
    model: "alpha2.6-t2v",
    provider: "dashscope",
    connection: "connection_1",
    credential: "…1234",
    upstream_model: "wan2.6-t2v",
    sandbox: false,
    created_at: created,
    updated_at: created,
    finished_at: null,
    order: taskOrder(),
    webhook_url: null,
    idempotency: null,
    hold_nano: 500_000_000,
    price: {
      tiers: [{ above: 0, rates: { second: 100_000_000_000_000 } }],
      source: "https://provider.example/prices",
      as_of: "2026-11-01",
    },
    operation: null,
    progress: null,
    native: null,
    result: null,
    error: null,
    bill: null,
    deadline_at: created + 3_600_000,
    forgotten_at: created + 86_400_000,
    deleted_at: null,
    timeline: [{ at: created, phase: "submitting", note: null }],
    deliveries: [],
    ...changes,
  };
}

export function taskOrder(changes: Partial<TaskOrder> = {}): TaskOrder {
  return {
    seconds: 5,
    resolution: "720p",
    ratio: "16:9",
    prompt: "A lighthouse at dusk.",
    seed: null,
    request: { model: "alpha2.6-t2v", input: { prompt: "A lighthouse at dusk." }, duration: 5, resolution: "720p" },
    repeatable: true,
    parameters: {},
    ...changes,
  };
}

/** A task that nothing will happen to any more: its video is saved and its receipt is in the usage log. */
export function closedTask(changes: Partial<TaskRecord> = {}): TaskRecord {
  const created = changes.created_at ?? TASK_AT;
  const finished = changes.finished_at ?? created + 60_000;
  const id = changes.id ?? taskId(1, created);
  return taskRecord({
    phase: "succeeded",
    updated_at: finished,
    finished_at: finished,
    operation: { id: `provider-${id}` },
    native: { output: { task_status: "SUCCEEDED" } },
    result: taskResult({ video_media: `media_${id}` }),
    bill: { receipt: taskReceipt({ at: finished }), counted: true },
    hold_nano: 0,
    ...changes,
  });
}

export function taskResult(changes: Partial<TaskResult> = {}): TaskResult {
  return {
    video_url: "https://results.example/1.mp4",
    last_frame_url: null,
    seconds: 5,
    resolution: "720p",
    seed: null,
    usage: {},
    video_media: "media_1",
    last_frame_media: null,
    saved: true,
    ...changes,
  };
}

export function taskReceipt(changes: Partial<Receipt> = {}): Receipt {
  return {
    id: "req_1",
    at: TASK_AT + 60_000,
    key: "key_1",
    endpoint: "videos",
    model: "alpha2.6-t2v",
    provider: "dashscope",
    connection: "connection_1",
    client: "curl",
    status: 202,
    code: null,
    outcome: "completed",
    stream: false,
    ms: 60_000,
    first_ms: null,
    sandbox: false,
    estimated: false,
    terms: [{ unit: "second", quantity: 5, nano_per_million: 100_000_000_000_000, nano: 500_000_000 }],
    nano: 500_000_000,
    price: { source: "https://provider.example/prices", as_of: "2026-11-01" },
    ...changes,
  };
}

export function taskDelivery(changes: Partial<TaskDelivery> = {}): TaskDelivery {
  return {
    id: "msg_1",
    type: "video.task.succeeded",
    at: TASK_AT + 60_000,
    url: "https://receiver.example/hook",
    state: "pending",
    next_at: TASK_AT + 60_000,
    attempts: [],
    ...changes,
  };
}
