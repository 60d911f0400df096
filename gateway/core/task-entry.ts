import type { TaskStatus } from "../contract/videos.ts";
import { publicId, statusOf } from "./task.ts";
import type { TaskRecord } from "./task.ts";

/** What is in memory of every task, however old: enough to find, filter and sort it. */
export interface TaskEntry {
  readonly id: string;
  /** The id that clients know it by. */
  readonly publicId: string;
  /** Null while the vendor has said none. */
  readonly vendorId: string | null;
  readonly requestId: string;
  readonly key: string;
  readonly model: string;
  readonly status: TaskStatus;
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly nano: number | null;
  /** In lower case; the first 2,000 characters. */
  readonly prompt: string;
  readonly idempotency: string | null;
  /** Its client deleted it. */
  readonly deleted: boolean;
}

const PROMPT_CHARACTERS = 2_000;

export function entryOf(task: TaskRecord): TaskEntry {
  return {
    id: task.id,
    publicId: publicId(task),
    vendorId: task.operation?.id ?? null,
    requestId: task.request_id,
    key: task.key,
    model: task.model,
    status: statusOf(task),
    createdAt: task.created_at,
    finishedAt: task.finished_at,
    nano: task.bill?.receipt.nano ?? null,
    prompt: task.order.prompt.slice(0, PROMPT_CHARACTERS).toLowerCase(),
    idempotency: task.idempotency?.key ?? null,
    deleted: task.deleted_at !== null,
  };
}
